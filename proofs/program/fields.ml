(* Pieces of a certificate, each of the form that the format asks for, or refused. *)
open Refusal

let fields data names = match data with
  | Json.Object found when List.length found = List.length names && List.for_all (fun name -> List.mem_assoc name found) names ->
      List.map (fun name -> List.assoc name found) names
  | _ -> refuse ("expected the fields: " ^ String.concat ", " names)

let two_of = function [ a; b ] -> (a, b) | _ -> assert false
let three_of = function [ a; b; c ] -> (a, b, c) | _ -> assert false

let items = function Json.List found -> found | _ -> refuse "expected a list"
let text = function Json.Text found -> found | _ -> refuse "expected text"

let integer low high = function
  | Json.Int found when Z.leq (Z.of_int low) found && Z.leq found (Z.of_int high) -> Z.to_int found
  | _ -> refuse (Printf.sprintf "expected an integer from %d to %d" low high)

let number low high data = Z.of_int (integer low high data)

(* A natural number of at most so many bits. *)
let natural bits = function
  | Json.Int found when Z.sign found >= 0 && (Z.numbits found <= bits || Z.equal found (Z.shift_left Z.one bits)) -> found
  | _ -> refuse (Printf.sprintf "expected an integer from 0 to 2^%d" bits)

(* A rational from text a/b, as the kernel has it. *)
let rational data =
  let words = String.split_on_char '/' (text data) in
  let plain word =
    word <> "" && String.length word <= 2000 && String.for_all (function '0' .. '9' -> true | _ -> false) word in
  match words with
  | [ above; below ] ->
      let negative = above <> "" && above.[0] = '-' in
      let size = if negative then String.sub above 1 (String.length above - 1) else above in
      need (plain size && plain below && Z.sign (Z.of_string below) > 0) "expected a rational as text a/b";
      { Kernel.qnum = Z.of_string above; Kernel.qden = Z.of_string below }
  | _ -> refuse "expected a rational as text a/b"

let value = function
  | Json.Int whole -> { Kernel.qnum = whole; Kernel.qden = Z.one }
  | other -> rational other

(* A set of lines below a size: hexadecimal digits (bit i is line i), or a list. *)
let lines size = function
  | Json.List places -> List.fold_left (fun mask place -> Z.logor mask (Z.shift_left Z.one (integer 0 (size - 1) place))) Z.zero places
  | Json.Text digits ->
      let plain = function '0' .. '9' | 'a' .. 'f' -> true | _ -> false in
      need (digits <> "" && String.length digits <= (size / 4) + 1 && String.for_all plain digits)
        "expected a set of lines, in hexadecimal digits";
      let mask = Z.of_string_base 16 digits in
      need (Z.numbits mask <= size) "lines beyond the matrix"; mask
  | _ -> refuse "expected a set of lines"

let some_lines size data =
  let mask = lines size data in
  need (Z.sign mask > 0) "a rectangle without cells"; mask

let pair_of one other data = match items data with
  | [ first; second ] -> (one first, other second)
  | _ -> refuse "expected a pair"

let weighted_cell height width weight data = match items data with
  | [ row; column; found ] -> ((number 0 (height - 1) row, number 0 (width - 1) column), weight found)
  | _ -> refuse "expected a cell with its weight"

let cell height width = pair_of (number 0 (height - 1)) (number 0 (width - 1))

let prime data = number 2 0x7FFFFFFF data
