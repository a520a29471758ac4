(* Witnesses of the kernel from those of a certificate. *)
open Refusal
open Fields
open Units
open Trees

let limit = function
  | Json.Null -> None
  | other -> (
      match items other with
      | [ rounds; last ] ->
          let last = match integer (-1) 1 last with 0 -> Some Kernel.Alice | 1 -> Some Kernel.Bob | _ -> None in
          Some (integer 0 (1 lsl 20) rounds, last)
      | _ -> refuse "expected the limit of a node")

let words text = List.filter (( <> ) "") (String.split_on_char ' ' text)

let rectangle (matrix : Matrix.t) word = match String.split_on_char ':' word with
  | [ rows; columns ] -> (some_lines matrix.height (Json.Text rows), some_lines matrix.width (Json.Text columns))
  | _ -> refuse "expected a rectangle"

(* Nothing is read of the splits of a party that may not speak. *)
let silent party = function
  | Some (rounds, last) -> rounds = 0 && last <> Some party
  | None -> false

let half matrix place bound party data = match items data with
  | [ _; _; _ ] when silent party bound -> (([], []), [])
  | [ primes; numbers; closed ] ->
      let primes = List.map prime (items primes) in
      need (List.mem (List.map Z.to_int primes) [ []; [ 2 ]; [ 3 ]; [ 2; 3 ]; [ 3; 2 ] ]) "ranks of splits are over GF(2) and GF(3)";
      let numbers = List.map (integer 0 (place - 1)) (items numbers) in
      ((primes, numbers), List.map (rectangle matrix) (words (text closed)))
  | _ -> refuse "expected the splits of a party"

let splits matrix place bound rows columns symmetries =
  Kernel.BySplits (half matrix place bound Kernel.Alice rows, half matrix place bound Kernel.Bob columns, symmetries)

(* An order of lines, nodes before, and what is refuted of sides. *)
let ordered size place order numbers listed =
  Bits.spend (4 * size * size); (* unit vectors and what is turned round, which are lists *)
  ((List.map (number 0 (size - 1)) (items order), List.map (integer 0 (place - 1)) (items numbers)), listed)

(* Places in lists are looked up in time that grows with them, and without being counted. *)
let few_lines (matrix : Matrix.t) =
  if max matrix.height matrix.width > 128 then unreached "given lines of a matrix with more than 128 rows or columns"

let given_lines size place data = match items data with
  | [ given; least; numbers ] -> ((some_lines size given, natural 70 least), List.map (integer 0 (place - 1)) (items numbers))
  | _ -> refuse "expected lines, a rank and nodes before"

let reason (matrix : Matrix.t) place bound kind data = match kind, data with
  | "rank", [ primes ] -> Kernel.ByRank (List.map prime (items primes))
  | "fooling", [ cells ] -> Kernel.ByFooling (List.map (cell matrix.height matrix.width) (items cells))
  | "three", [] -> Kernel.ByThree
  | "four", [] -> Kernel.ByFour
  | "splits", [ rows; columns ] -> splits matrix place bound rows columns []
  | "orbits", [ rows; columns; symmetries ] ->
      let images size data = List.map (number 0 (size - 1)) (items data) in
      let symmetry data = match items data with
        | [ rows; columns ] -> (images matrix.height rows, images matrix.width columns)
  | _ -> refuse "expected a symmetry" in
      splits matrix place bound rows columns (List.map symmetry (items symmetries))
  | ("tight" | "given"), [ found; rows; columns ] ->
      let side size data = match kind, items data with
        | "tight", [ order; numbers ] -> ordered size place order numbers []
        | "given", [ order; numbers; listed ] ->
            few_lines matrix;
            ordered size place order numbers (List.map (given_lines size place) (items listed))
        | _ -> refuse "expected an order and nodes before" in
      Kernel.ByTight (number 3 0x7FFFFFFF found, side matrix.height rows, side matrix.width columns)
  | _ -> refuse "a reason is rank, fooling, three, four, splits, orbits, tight or given"

let node (matrix : Matrix.t) place data = match items data with
  | depth :: bound :: rows :: columns :: kind :: rest ->
      let bound = limit bound in
      { Kernel.bits_refuted = integer 0 64 depth; node_limit = bound;
        rows_mask = some_lines matrix.height rows; columns_mask = some_lines matrix.width columns;
        why = reason matrix place bound (text kind) rest }
  | _ -> refuse "expected a node of a refutation"

let reasons =
  [ ("spectral", "needs real numbers"); ("gamma2-dual", "needs real vectors"); ("gamma2-gram", "needs real vectors");
    ("subsets", "needs real vectors"); ("norm", "needs real vectors"); ("forster", "needs real vectors") ]

let unproved = [ "turns" ]

let kind_of data = match data with
  | Json.Object found when List.mem_assoc "kind" found -> text (List.assoc "kind" found)
  | _ -> refuse "a witness has a kind"

let masks (matrix : Matrix.t) data = match items data with
  | [ rows; columns ] -> (lines matrix.height rows, lines matrix.width columns)
  | _ -> refuse "expected a rectangle"

let no_free_cell (matrix : Matrix.t) =
  need (List.for_all (List.for_all Option.is_some) (Option.value matrix.table ~default:[])) "free cells have no rank"

(* Elimination over the rationals: the primes are those of the witness, the combinations of rows are found here. *)
let by_combinations (matrix : Matrix.t) code data =
  let primes = List.map prime (items data) in
  let count = List.length primes in
  need (0 < count && count <= 1 lsl 15 && List.length (List.sort_uniq Z.compare primes) = count) "different primes";
  no_free_cell matrix;
  let one = function Some found when Z.equal found code -> 1 | _ -> 0 in
  let table = match matrix.table with Some table -> table | None -> unreached "too large a matrix" in
  let rows = Array.of_list (List.map (fun row -> Array.of_list (List.map one row)) table) in
  let right (bits, kept, found) = Kernel.rank_by_rows table code bits kept found <> None in
  let bits, kept, found = Combinations.of_rows (List.map Z.to_int primes) rows right in
  Kernel.ByCombinations (primes, bits, kept, found)

let mixture matrix data =
  let entries = List.map (fun entry -> fields entry [ "weight"; "tree" ]) (items data) in
  let weights = scaled (1 lsl 14) (List.map (fun entry -> rational (List.hd entry)) entries) in
  let trees = List.map (fun entry -> tree matrix (List.nth entry 1)) entries in
  need (List.for_all tells_all trees) "a leaf that both know has one answer";
  List.combine weights trees

let most_steps = 1 lsl 24

(* Different promised cells, and their shares in units of a common denominator of at most so many bits. *)
let shares most_bits (matrix : Matrix.t) data =
  let entry data = match items data with
    | [ row; column; share ] -> ((number 0 (matrix.height - 1) row, number 0 (matrix.width - 1) column), rational share)
    | _ -> refuse "expected a cell with its share" in
  let entries = List.map entry (items data) in
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
  let protocol = function
    | [ _; messages; told ] ->
        let told = List.map answers (items told) in
        (List.map (number 0 (List.length told - 1)) (exactly (size matrix sender) messages), told)
    | _ -> assert false in
  Kernel.MessageMixture (List.combine weights (List.map protocol entries))

(* The codes that occur, in order. *)
let occurring (matrix : Matrix.t) =
  let seen = Array.make (List.length matrix.labels) false in
  let see = function Some code -> seen.(Z.to_int code) <- true | None -> () in
  List.iter (List.iter see) (Option.value matrix.table ~default:[]);
  List.filter (fun code -> seen.(Z.to_int code)) (List.init (Array.length seen) Z.of_int)

(* The claim about one answer that belongs to one about all. *)
let about measure code = match measure with
  | Kernel.FoolingSet (who, None) -> Kernel.FoolingSet (who, Some code)
  | Kernel.Cover None -> Kernel.Cover (Some code)
  | Kernel.Partition None -> Kernel.Partition (Some code)
  | Kernel.LargestRectangle (None, weights) -> Kernel.LargestRectangle (Some code, weights)
  | _ -> refuse "parts are for a claim about all answers"

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

let leaning (matrix : Matrix.t) data =
  let entry data = match items data with
    | [ rows; columns; code; weight ] ->
        ((lines matrix.height rows, lines matrix.width columns), integer 0 1 code = 1, rational weight)
    | _ -> refuse "expected a rectangle with its answer and weight" in
  let entries = List.map entry (items data) in
  need (occurring matrix <> []) "a distribution on promised cells";
  too_much_to_add matrix entries;
  let shares, _ = natural_units (1 lsl 14) (List.map (fun (_, _, weight) -> weight) entries) in
  Kernel.LeaningRectangles (List.map2 (fun (rectangle, answer, _) share -> ((rectangle, answer), share)) entries shares)

let weighed (matrix : Matrix.t) data =
  let entry data = match items data with
    | [ rows; columns; code; weight ] -> (((lines matrix.height rows, lines matrix.width columns), number 0 Claims.most_code code), rational weight)
    | _ -> refuse "expected a rectangle with its answer and weight" in
  let entries = List.map entry (items data) in
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

(* The kernel splits every set of rows with every set of columns, and the other way round. *)

let lines_of_both (matrix : Matrix.t) rows columns =
  let places mask = List.filter (Z.testbit mask) (List.init (Z.numbits mask) Fun.id) in
  let rows = places (lines matrix.height rows) and columns = places (lines matrix.width columns) in
  let m = List.length rows and n = List.length columns in
  need (0 < m && m <= 16 && 0 < n && n <= 16) "from 1 to 16 rows and columns";
  let splits own across = (3. ** float_of_int own) *. (2. ** float_of_int across) in
  if splits m n +. splits n m > float_of_int All_rectangles.most_splits then unreached "all-rectangles: too many rectangles";
  (List.map Z.of_int rows, List.map Z.of_int columns)

let every_rectangle (matrix : Matrix.t) leaves who given =
  let rows, columns = lines_of_both matrix (List.hd given) (List.nth given 1) in
  let table = Option.value matrix.table ~default:[] in
  let allows = Kernel.may_have (Kernel.cell table) in
  let size, packs = All_rectangles.found leaves who allows (Kernel.some_codes table) rows columns in
  Kernel.EveryRectangle (rows, columns, size, packs)

let corrupted (matrix : Matrix.t) code data weights =
  let entry = function
    | Json.Int found when Z.leq (Z.abs found) Claims.most_weight -> found
    | _ -> refuse "expected an integer weight" in
  let table = List.map (fun row -> List.map entry (items row)) (items data) in
  need (List.length table = matrix.height && List.for_all (fun row -> List.length row = matrix.width) table) "weights of the size of the matrix";
  let size = 1 + matrix.height + matrix.width and weights = List.map rational (items weights) in
  need (size <= 520 && List.length weights = size) "a weight for the whole and for each line, at most 519 of these";
  let own = List.map (List.map (( = ) (Some code))) (Option.value matrix.table ~default:[]) in
  let values = List.map2 (List.map2 (fun mine weight -> if mine then weight else Z.neg weight)) own table in
  let cells = Array.of_list (List.map Array.of_list values) in
  let parts, unit = in_units 256 weights in
  let zoom, found = Diagonals.with_factor matrix.height matrix.width (fun row column -> cells.(row).(column)) unit parts in
  Kernel.Corrupted (table, unit, zoom, found)

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
  let entry data = match items data with
    | [ row; column; found ] -> ((number 0 (matrix.height - 1) row, number 0 (matrix.width - 1) column), weight found)
    | _ -> refuse "expected a cell with its weight" in
  let entries = List.map entry (items data) in
  need (List.length (List.sort_uniq compare (List.map fst entries)) = List.length entries) "different cells";
  Kernel.WeightedCells (weight most, entries)

let few_cells (matrix : Matrix.t) =
  if matrix.height * matrix.width * (matrix.height + matrix.width) > 1 lsl 28 then unreached "discrepancy: too large a matrix"

(* Some lines, each once, in any order. *)
let different size data =
  let found = List.map (integer 0 (size - 1)) (items data) in
  need (found <> [] && List.length (List.sort_uniq compare found) = List.length found) "different lines, at least one";
  found

let most_entry = 1 lsl 30

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
  let symmetry data = match items data with
    | [ rows; columns ] -> (moved matrix.height rows, moved matrix.width columns)
    | _ -> refuse "expected a symmetry" in
  match data with
  | Json.Null -> Kernel.NoSymmetries
  | _ -> (
      match items data with
      | [ symmetries; branches ] ->
          Kernel.ByOrbits (List.map symmetry (items symmetries), List.map (orbits matrix) (items branches))
      | _ -> refuse "expected symmetries and branches")

(* Two elements that divide a case, in order, or the weights at its end. *)
let pair_step data = match items data with
  | [ at_most; Json.List weights ] -> Kernel.Weigh (number 0 0x7FFFFFFF at_most, List.rev (List.rev_map (natural 32) weights))
  | [ first; second ] ->
      let first = integer 0 max_int first and second = integer 0 max_int second in
      need (first < second) "two different elements, in order";
      Kernel.Divide (first, second)
  | _ -> refuse "expected two elements, or weights"

let rec witness (matrix : Matrix.t) measure data =
  let kind = kind_of data in
  let given names = List.tl (fields data ("kind" :: names)) in
  let only name = List.hd (given [ name ]) in
  let lines_of party = size matrix party in
  match kind, measure with
  | "protocol-tree", _ -> Kernel.ProtocolTree (tree matrix (only "tree"))
  | "refutation", _ -> Kernel.ARefutation (List.mapi (node matrix) (items (only "nodes")))
  | "fooling-set", _ -> Kernel.AFoolingSet (List.map (cell matrix.height matrix.width) (items (only "cells")))
  | "lines", (Kernel.RankModulo _ | Kernel.RankRational _) -> ignore (given []); no_free_cell matrix; Kernel.DifferentLines
  | "lines", _ -> ignore (given []); Kernel.DifferentLines
  | "leaf-rank", _ -> Kernel.LeafRank (List.map prime (items (only "primes")))
  | "distinct-lines", Kernel.OneWayMessages sender ->
      Kernel.DistinctLines (List.map (number 0 (lines_of sender - 1)) (items (only "lines")))
  | "message-classes", Kernel.OneWayMessages sender ->
      Kernel.MessageClasses (List.map (number 0 (lines_of sender - 1)) (items (only "classes")))
  | "shattered", Kernel.VcDimension sender ->
      let places = lines (lines_of (other sender)) (only "places") in
      need (Z.popcount places <= 22) "at most 22 places";
      Kernel.Shattered places
  | "vc-listing", Kernel.VcDimension _ -> Kernel.VcListing (number 0 22 (only "at_most"))
  | "rectangles", _ -> Kernel.SomeRectangles (List.map (masks matrix) (items (only "rectangles")))
  | "cover-weights", _ -> (
      match given [ "at_most"; "weights" ] with
      | [ most; weights ] -> weighted_cells matrix most weights
      | _ -> assert false)
  | "crown", _ -> Kernel.ACrown (List.map (cell matrix.height matrix.width) (items (only "cells")))
  | "line-sets", (Kernel.Cover (Some _) | Kernel.Partition (Some _)) -> Kernel.LineSearch (number 0 14 (only "budget"))
  | "branching", Kernel.OneWayMessages sender -> (
      match given [ "budget"; "proof" ] with
      | [ budget; proof ] ->
          let lines = List.map (number 0 (lines_of sender - 1)) (items proof) in
          Kernel.MoreMessages (number 0 Matrix.most_cells budget, lines)
      | _ -> assert false)
  | "branching", (Kernel.Cover (Some _) | Kernel.Partition (Some _)) -> (
      match given [ "budget"; "proof" ] with
      | [ budget; proof ] ->
          let cells = List.map (cell matrix.height matrix.width) (items proof) in
          Kernel.MoreRectangles (number 0 Matrix.most_cells budget, cells)
      | _ -> assert false)
  | "submatrix", (Kernel.Cover _ | Kernel.Partition _) -> (
      match given [ "rows"; "columns"; "of" ] with
      | [ rows; columns; inner ] -> submatrix matrix measure rows columns inner
      | _ -> assert false)
  | "rectangle", Kernel.LargestRectangle _ -> Kernel.ARectangle (masks matrix (only "rectangle"))
  | "rectangle-search", Kernel.LargestRectangle _ -> Kernel.NoneHeavier (natural 128 (only "at_most"))
  | "rectangle-matching", Kernel.LargestRectangle _ -> Kernel.AMatching (List.map (cell matrix.height matrix.width) (items (only "cells")))
  | "lrat", (Kernel.Cover (Some code) | Kernel.Partition (Some code)) -> (
      let once = match measure with Kernel.Partition _ -> true | _ -> false in
      match given [ "budget"; "apart"; "proof" ] with
      | [ budget; apart; proof ] -> Clauses.of_cover matrix code once (integer 0 Matrix.most_cells budget) apart (text proof)
      | _ -> assert false)
  | "chains", (Kernel.Cover (Some _) | Kernel.Partition (Some _)) -> (
      match given [ "budget"; "rows"; "columns" ] with
      | [ budget; rows; columns ] -> Kernel.ByChains (number 0 64 budget, lines matrix.height rows, lines matrix.width columns)
      | _ -> assert false)
  | "chain-clauses", (Kernel.Cover (Some _) | Kernel.Partition (Some _)) -> (
      match given [ "budget"; "rows"; "columns"; "proofs" ] with
      | [ budget; rows; columns; proofs ] ->
          let rows = lines matrix.height rows and columns = lines matrix.width columns in
          Kernel.ByChainClauses (number 2 10 budget, rows, columns, List.map (fun proof -> Clauses.of_chains (text proof)) (items proofs))
      | _ -> assert false)
  | "pair-branching", (Kernel.Cover (Some _) | Kernel.Partition (Some _)) -> (
      match given [ "budget"; "cases" ] with
      | [ budget; cases ] -> Kernel.ByPairs (number 0 Matrix.most_cells budget, List.map pair_step (items cases))
      | _ -> assert false)
  | "fooling-lrat", Kernel.FoolingSet (_, Some code) -> (
      match given [ "size"; "proof" ] with
      | [ size; proof ] -> Clauses.of_fooling_set matrix code (integer 1 Matrix.most_cells size) (text proof)
      | _ -> assert false)
  | "fooling-search", Kernel.FoolingSet (_, code) -> (
      match given [ "at_most"; "cells" ] with
      | [ most; cells ] -> Kernel.AFoolingSearch (number 0 Matrix.most_cells most, each_once matrix code cells)
      | _ -> assert false)
  | "fooling-rows", Kernel.FoolingSet (Kernel.Both, Some code) -> (
      match given [ "at_most"; "rows" ] with
      | [ most; rows ] -> Kernel.AFoolingSearch (number 0 Matrix.most_cells most, by_rows matrix code rows)
      | _ -> assert false)
  | "fooling-orbits", Kernel.FoolingSet (_, code) -> (
      match given [ "at_most"; "cells"; "symmetries" ] with
      | [ most; cells; symmetries ] ->
          let most = number 0 Matrix.most_cells most and cells = each_once matrix code cells in
          Kernel.FoolingOrbits (most, cells, orbits matrix symmetries)
      | _ -> assert false)
  | "theta", Kernel.FoolingSet _ ->
      let entry data = number (-most_entry) most_entry data in
      Kernel.Vectors (List.map (fun vector -> List.map entry (items vector)) (items (only "vectors")))
  | "elimination", Kernel.RankModulo _ ->
      let primes = List.map prime (items (only "primes")) in
      need (List.length primes = 1) "one prime";
      Kernel.ByElimination (List.hd primes)
  | "elimination", Kernel.RankRational code -> by_combinations matrix code (only "primes")
  | "rank-squared", Kernel.FoolingSet (_, Some _) -> Kernel.BySquaredRank (prime (only "prime"))
  | "khrapchenko", Kernel.Leaves Kernel.Both ->
      let cells = List.map (cell matrix.height matrix.width) (items (only "cells")) in
      need (List.length (List.sort_uniq compare cells) = List.length cells) "different cells";
      Kernel.KhrapchenkoCells cells
  | "pivots", _ -> (
      match given [ "prime"; "rows"; "columns" ] with
      | [ found; rows; columns ] -> Kernel.Pivots (prime found, lines matrix.height rows, lines matrix.width columns)
      | _ -> assert false)
  | "protocol-mixture", _ -> Kernel.Mixture (mixture matrix (only "trees"))
  | "private-tree", Kernel.PrivateCoins _ -> Kernel.PrivateTree (coin_tree matrix (only "tree"))
  | "two-bits", Kernel.PrivateCoins _ -> ignore (given []); Kernel.TwoBits
  | "public-coins", Kernel.PrivateCoins error -> Kernel.ThrownInPublic (witness matrix (Kernel.Randomised error) (only "of"))
  | "hard-distribution", _ -> (
      match given [ "bits"; "cells" ] with
      | [ bits; cells ] -> hard matrix (integer 0 64 bits) cells
      | _ -> assert false)
  | "message-mixture", (Kernel.OneWaySuccess (sender, _) | Kernel.OneWayRandomised (sender, _)) ->
      messages matrix sender (only "protocols")
  | "hard-for-messages", (Kernel.OneWaySuccess (sender, _) | Kernel.OneWayRandomised (sender, _)) -> (
      match given [ "bits"; "cells" ] with
      | [ bits; cells ] -> hard_for_messages matrix sender (integer 0 64 bits) cells
      | _ -> assert false)
  | "all-sets", Kernel.Discrepancy weights -> ignore (given []); few_cells matrix; all_sets matrix weights
  | "diagonals", Kernel.Discrepancy weights -> (
      match given [ "most"; "least" ] with
      | [ most; least ] -> few_cells matrix; line_weights matrix weights most least
      | _ -> assert false)
  | "biased-rectangle", Kernel.Discrepancy _ -> few_cells matrix; Kernel.ARectangle (masks matrix (only "rectangle"))
  | "distribution", Kernel.LeastDiscrepancy -> (
      match given [ "weights"; "of" ] with
      | [ weights; inner ] ->
          let weights = Claims.weights weights in
          Kernel.OneDistribution (weights, witness matrix (Kernel.Discrepancy weights) inner)
      | _ -> assert false)
  | "all-rectangles", Kernel.Leaves who -> every_rectangle matrix true who (given [ "rows"; "columns" ])
  | "all-rectangles", Kernel.Deterministic (who, _) -> every_rectangle matrix false who (given [ "rows"; "columns" ])
  | "weighted-rectangles", Kernel.LeastDiscrepancy -> leaning matrix (only "rectangles")
  | "weighted-rectangles", (Kernel.RectangleBound _ | Kernel.PartitionBound _) -> weighed matrix (only "rectangles")
  | "cell-weights", (Kernel.RectangleBound _ | Kernel.PartitionBound _) -> two_weights matrix (only "cells")
  | "corruption", Kernel.RectangleBound (code, _, _) -> (
      match given [ "weights"; "lines" ] with
      | [ weights; lines ] -> corrupted matrix code weights lines
      | _ -> assert false)
  | "parts", _ ->
      let codes = match occurring matrix, measure with [], Kernel.LargestRectangle _ -> [ Z.zero ] | codes, _ -> codes in
      let parts = items (only "parts") in
      need (List.length codes = List.length parts) "a part for each answer that occurs";
      Kernel.Parts (List.map2 (fun code part -> (code, witness matrix (about measure code) part)) codes parts)
  | "all-patterns", _ -> ignore (given []); Kernel.AllPatterns
  | "bits-of", _ -> (
      match given [ "measure"; "given"; "of" ] with
      | [ name; parameters; inner ] ->
          let counted = Claims.counted (List.length matrix.labels) (text name) parameters measure in
          Kernel.BitsOf (counted, witness matrix counted inner)
      | _ -> assert false)
  | _, _ when List.mem kind unproved -> unreached ("the kind " ^ kind ^ " has no theorem here yet")
  | _, _ -> (
      match List.assoc_opt kind reasons with
      | Some reason -> unreached (kind ^ ": " ^ reason)
      | None -> refuse ("this kind of witness proves no bound on the measure: " ^ kind))

(* Of the part nothing but its size is needed to read what is about it. *)
and submatrix matrix measure rows columns inner =
  let rows = different matrix.height rows and columns = different matrix.width columns in
  let cells = Array.of_list (List.map Array.of_list (Option.value matrix.table ~default:[])) in
  let table = if cells = [||] then None else Some (List.map (fun row -> List.map (fun column -> cells.(row).(column)) columns) rows) in
  let part = { matrix with table; height = List.length rows; width = List.length columns; named = None; known = None } in
  let numbers = List.map Z.of_int in
  Kernel.Submatrix (numbers rows, numbers columns, witness part measure inner)
