(* Cells and lines that are listed once each, and the cases of searches. *)
open Refusal
open Fields

(* Some lines, each once, in any order. *)
let different size data =
  let found = List.map (integer 0 (size - 1)) (items data) in
  need (found <> [] && List.length (List.sort_uniq compare found) = List.length found) "different lines, at least one";
  found

let most_maximal = Z.to_int Kernel.most_maximal (* rectangles *)

(* The cells that a claim is about, in any order. *)
let each_once (matrix : Matrix.t) code data =
  let found = List.map (cell matrix.height matrix.width) (items data) in
  let wanted = function None -> false | Some own -> code = None || code = Some own in
  let rows = Option.value matrix.table ~default:[] in
  let count = List.fold_left (fun sum row -> sum + List.length (List.filter wanted row)) 0 rows in
  need (List.length found = count && List.length (List.sort_uniq compare found) = count) "not each cell once";
  found

(* Likewise row by row, with all rows in an order. *)
let by_rows (matrix : Matrix.t) code data =
  let order = List.map (integer 0 (matrix.height - 1)) (items data) in
  need (List.sort compare order = List.init matrix.height Fun.id) "all rows";
  let lines = Array.of_list (Option.value matrix.table ~default:[]) in
  need (Array.length lines = matrix.height) "a matrix that is written out";
  let pair row column own = if own = Some code then [ (Z.of_int row, Z.of_int column) ] else [] in
  List.concat_map (fun row -> List.concat (List.mapi (pair row) lines.(row))) order

(* Null, or symmetries (what rows and columns are moved to) and branches. *)
let rec orbits (matrix : Matrix.t) data =
  let moved size data =
    let lines = different size data in
    need (List.length lines = size) "a permutation";
    List.map Z.of_int lines in
  let symmetry = pair_of (moved matrix.height) (moved matrix.width) in
  match data with
  | Json.Null -> Kernel.NoSymmetries
  | _ ->
      let all read data = List.map read (items data) in
      let symmetries, branches = pair_of (all symmetry) (all (orbits matrix)) data in
      Kernel.ByOrbits (symmetries, branches)

(* Of a case: the number of a rectangle that is in the cover or not allowed, the places of inequalities that are summed and
   rounded up, or weights of inequalities at its end. *)
let case_step data = match items data with
  | [ Json.List places ] -> Kernel.Cut (List.rev (List.rev_map (number 0 max_int) places))
  | [ number ] -> Kernel.Choose (integer 0 (most_maximal - 1) number)
  | [ at_most; weights ] -> Kernel.Weigh (number 0 0x7FFFFFFF at_most, List.rev (List.rev_map (natural 32) (items weights)))
  | _ -> refuse "expected a rectangle, places, or weights"
