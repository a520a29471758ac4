(* A refutation of clauses from the text of a certificate (see ccsim/certificates/verify/rectangles.py). Steps are only read
   here; the kernel has the clauses, and sees whether the steps follow. *)
open Refusal
open Fields

let base_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
let value_of =
  let values = Array.make 256 (-1) in
  String.iteri (fun value digit -> values.(Char.code digit) <- value) base_64; values

(* Numbers from a text: five bits to a digit, the least first, and 32 more if there is another one. *)
let written_numbers text each =
  let value = ref 0 and shift = ref 0 in
  String.iter (fun digit ->
    let bits = value_of.(Char.code digit) in
    need (bits >= 0) "a digit of a proof";
    value := !value lor ((bits land 31) lsl !shift);
    shift := !shift + 5;
    if bits < 32 then (each !value; value := 0; shift := 0);
    need (!shift < 60) "a number of at most 60 bits") text;
  need (!shift = 0) "a number that is not ended"

(* Steps: literals, each as how much more it is than the one before, 0, earlier clauses, 0. *)
let steps_by literal hint text =
  let steps = ref [] and clause = ref [] and hints = ref [] and last = ref 0 and second = ref false and place = ref 0 in
  written_numbers text (fun number ->
    if number > 0 then
      if !second then hints := hint !place number :: !hints
      else (last := !last + number; clause := literal !last :: !clause)
    else if !second then (
      steps := (List.rev !clause, List.rev !hints) :: !steps;
      clause := []; hints := []; last := 0; incr place; second := false)
    else second := true);
  need ((not !second) && !clause = []) "a step that is not ended";
  List.rev !steps

let steps given literal text =
  let hint place one =
    let number = if one <= given then one - 1 else (2 * given) + place - one in
    if number < 0 then Kernel.Before (Z.of_int max_int)
    else if number < given then Kernel.Given (Z.of_int number) else Kernel.Before (Z.of_int (number - given)) in
  steps_by literal hint text

(* Longer masks than these are not made. *)
let most_bits = 1 lsl 23

(* No cover (partition) has so many rectangles: a literal is twice place * size + rectangle + 1, and 1 more if denied. *)
let of_cover (matrix : Matrix.t) code once size apart proof =
  let own row = List.length (List.filter (( = ) (Some code)) row) in
  let cells = List.fold_left (fun sum row -> sum + own row) 0 (Option.value matrix.table ~default:[]) in
  let places = matrix.height + matrix.width + cells in
  let variables = places * size in
  if 2 * variables > most_bits || matrix.table = None then unreached "lrat: too many literals";
  let literal number =
    let variable = (number lsr 1) - 1 in
    need (0 <= variable && variable < variables) "a literal of the clauses";
    let plain = (variable mod size * places) + (variable / size) in
    Z.of_int (if number land 1 = 1 then plain + variables else plain) in
  let apart = List.map (cell matrix.height matrix.width) (items apart) in
  let ordered = max 0 (size - List.length apart - 1) * matrix.height in
  let given = (if once then cells * (1 + size) else cells) + ordered in
  Kernel.RefutedClauses (Z.of_int size, apart, steps given literal proof)
