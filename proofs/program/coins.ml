(* Public coins: mixtures, and cells on which all protocols err. *)
open Refusal
open Fields
open Units
open Trees

let mixture matrix data =
  let entries = List.map (fun entry -> fields entry [ "weight"; "tree" ]) (items data) in
  let weights = scaled (1 lsl 14) (List.map (fun entry -> rational (List.hd entry)) entries) in
  let trees = List.map (fun entry -> tree matrix (List.nth entry 1)) entries in
  need (List.for_all tells_all trees) "a leaf that both know has one answer";
  List.combine weights trees

let most_steps = 1 lsl 24

(* Different promised cells, and their shares in units of a common denominator of at most so many bits. *)
let shares most_bits (matrix : Matrix.t) data =
  let entries = List.map (weighted_cell matrix.height matrix.width rational) (items data) in
  let weights = scaled most_bits (List.map snd entries) and cells = List.map fst entries in
  need (List.for_all (fun weight -> Z.sign weight > 0) weights) "shares above zero";
  need (List.length (List.sort_uniq compare cells) = List.length cells) "different cells";
  List.combine cells weights

let lines_with side cells = List.length (List.sort_uniq compare (List.map (fun (cell, _) -> side cell) cells))
let few_lines count = need (count <= 16) "too many lines"

(* The kernel tries every split of the lines with weight, bit after bit. *)
let hard (matrix : Matrix.t) bits data =
  let cells = shares 64 matrix data in
  let rows = lines_with fst cells and columns = lines_with snd cells in
  few_lines (max rows columns);
  let splits = float_of_int ((1 lsl rows) + (1 lsl columns)) in
  let steps = (splits ** float_of_int bits) *. float_of_int (List.length cells) in
  if steps > float_of_int most_steps then unreached "hard-distribution: a search over too many rectangles";
  Kernel.HardDistribution (bits, cells)

(* The kernel adds up all sets of the sender's lines, and divides them in two for each bit. *)
let hard_for_messages (matrix : Matrix.t) sender bits data =
  let cells = shares 1024 matrix data in
  few_lines (lines_with (match sender with Kernel.Alice -> fst | Kernel.Bob -> snd) cells);
  Kernel.HardForMessages (bits, cells)

(* A weight, a message for each line, and for each message the receiver's answers. *)
let messages (matrix : Matrix.t) sender data =
  let entries = List.map (fun entry -> fields entry [ "weight"; "messages"; "answers" ]) (items data) in
  let weights = scaled (1 lsl 14) (List.map (fun entry -> rational (List.hd entry)) entries) in
  let exactly size data = let found = items data in need (List.length found = size) "a list of another length"; found in
  let answers data = List.map (number 0 Claims.most_code) (exactly (size matrix (other sender)) data) in
  let protocol entry =
    let _, messages, told = three_of entry in
    let told = List.map answers (items told) in
    (List.map (number 0 (List.length told - 1)) (exactly (size matrix sender) messages), told) in
  Kernel.MessageMixture (List.combine weights (List.map protocol entries))
