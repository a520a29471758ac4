(* Weights of cells, of lines and of rectangles. *)
open Refusal
open Fields
open Units

(* The kernel tries all sets of the lines of the shorter side that have weight. *)
let all_sets (matrix : Matrix.t) weights =
  let short = min matrix.height matrix.width and long = max matrix.height matrix.width in
  let heavy line = List.exists (fun weight -> Z.sign weight > 0) line in
  let lines = if matrix.height <= matrix.width then List.length (List.filter heavy weights) else short in
  let steps = (2. ** float_of_int lines) *. float_of_int long in
  if steps > float_of_int (1 lsl 26) then unreached "all-sets: too many sets of lines";
  Kernel.AllSets

let too_much_to_add (matrix : Matrix.t) entries =
  if List.length entries * matrix.height * matrix.width > 1 lsl 26 then unreached "weighted-rectangles: too much to add up"

let rectangle (matrix : Matrix.t) answer data = match items data with
  | [ rows; columns; code; weight ] -> (((lines matrix.height rows, lines matrix.width columns), answer code), rational weight)
  | _ -> refuse "expected a rectangle with its answer and weight"

let leaning (matrix : Matrix.t) data =
  let entries = List.map (rectangle matrix (fun code -> integer 0 1 code = 1)) (items data) in
  need (Matrix.occurring matrix <> []) "a distribution on promised cells";
  too_much_to_add matrix entries;
  let shares, _ = natural_units (1 lsl 14) (List.map snd entries) in
  Kernel.LeaningRectangles (List.map2 (fun (rectangle, _) share -> (rectangle, share)) entries shares)

let weighed (matrix : Matrix.t) data =
  let entries = List.map (rectangle matrix (number 0 Claims.most_code)) (items data) in
  too_much_to_add matrix entries;
  let shares, unit = natural_units (1 lsl 14) (List.map snd entries) in
  Kernel.WeighedRectangles (unit, List.map2 (fun (rectangle, _) share -> (rectangle, share)) entries shares)

(* A table for each of the two weights; for each answer the kernel tries all sets of the lines of one side. *)
let two_weights (matrix : Matrix.t) data =
  let entry data = match items data with
    | [ row; column; own; any ] -> ((integer 0 (matrix.height - 1) row, integer 0 (matrix.width - 1) column), rational own, rational any)
    | _ -> refuse "expected a cell with its two weights" in
  let entries = List.map entry (items data) in
  let cells = List.map (fun (cell, _, _) -> cell) entries in
  need (List.length (List.sort_uniq compare cells) = List.length cells) "different cells";
  let count side = List.length (List.sort_uniq compare (List.map side cells)) in
  let steps = (2. ** float_of_int (min (count fst) (count snd))) *. float_of_int (max (count fst) (count snd)) in
  if steps > float_of_int (1 lsl 25) then unreached "cell-weights: too many sets of lines";
  let parts, _ = in_units (1 lsl 14) (List.concat_map (fun (_, own, any) -> [ own; any ]) entries) in
  let table () = Array.make_matrix matrix.height matrix.width Z.zero in
  let owns = table () and anys = table () in
  let rec fill cells parts = match cells, parts with
    | (row, column) :: cells, own :: any :: parts -> owns.(row).(column) <- own; anys.(row).(column) <- any; fill cells parts
    | _ -> () in
  fill cells parts;
  let listed table = Array.to_list (Array.map Array.to_list table) in
  Kernel.CellWeights (listed owns, listed anys)

(* Weights of lines for the sums of a distribution, with the sign of the answer, and for the opposite ones. *)
let line_weights (matrix : Matrix.t) weights most least =
  let size = 1 + matrix.height + matrix.width and rows = Option.value matrix.table ~default:[] in
  need (size <= 520) "at most 519 lines";
  need (List.length weights = matrix.height && List.for_all (fun row -> List.length row = matrix.width) weights) "weights of the size of the matrix";
  let signed found weight = if found = Some Z.one then weight else Z.neg weight in
  let cells = Array.of_list (List.map Array.of_list (List.map2 (List.map2 signed) rows weights)) in
  let side data value =
    let given = List.map rational (items data) in
    need (List.length given = size) "a weight for the whole and for each line";
    let parts, unit = in_units 256 given in
    let zoom, found = Diagonals.with_factor matrix.height matrix.width value unit parts in
    ((unit, zoom), found) in
  let above = side most (fun row column -> cells.(row).(column)) in
  Kernel.LineWeights (above, side least (fun row column -> Z.neg cells.(row).(column)))

let weighted_cells (matrix : Matrix.t) most data =
  let weight = natural 64 in
  let entries = List.map (weighted_cell matrix.height matrix.width weight) (items data) in
  need (List.length (List.sort_uniq compare (List.map fst entries)) = List.length entries) "different cells";
  Kernel.WeightedCells (weight most, entries)

let few_cells (matrix : Matrix.t) =
  if matrix.height * matrix.width * (matrix.height + matrix.width) > 1 lsl 28 then unreached "discrepancy: too large a matrix"
