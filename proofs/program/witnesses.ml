(* Witnesses of the kernel from those of a certificate. *)
open Refusal
open Fields
open Trees
open Coins
open Weights
open Cell_sets

let reasons =
  [ ("gamma2-dual", "needs real vectors"); ("gamma2-gram", "needs real vectors");
    ("forster", "needs real vectors"); ("regular-minor", "needs the inverse of a matrix");
    ("rank-search", "needs elimination over the rationals") ]

let kind_of data = match data with
  | Json.Object found when List.mem_assoc "kind" found -> text (List.assoc "kind" found)
  | _ -> refuse "a witness has a kind"

let masks (matrix : Matrix.t) = pair_of (lines matrix.height) (lines matrix.width)

let no_free_cell (matrix : Matrix.t) =
  need (List.for_all (List.for_all Option.is_some) (Option.value matrix.table ~default:[])) "undefined entries have no rank"

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

(* The claim about one answer that belongs to one about all. *)
let about measure code = match measure with
  | Kernel.Leaves Kernel.Both -> Kernel.Partition (Some code)
  | Kernel.FoolingSet (who, None) -> Kernel.FoolingSet (who, Some code)
  | Kernel.Cover None -> Kernel.Cover (Some code)
  | Kernel.Partition None -> Kernel.Partition (Some code)
  | _ -> refuse "parts are for a claim about all answers"

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

let part_of (matrix : Matrix.t) rows columns =
  let rows = different matrix.height rows and columns = different matrix.width columns in
  let cells = Array.of_list (List.map Array.of_list (Option.value matrix.table ~default:[])) in
  let table = if cells = [||] then None else Some (List.map (fun row -> List.map (fun column -> cells.(row).(column)) columns) rows) in
  let part = { matrix with table; height = List.length rows; width = List.length columns; named = None; known = None } in
  (List.map Z.of_int rows, List.map Z.of_int columns, part)

let rec witness (matrix : Matrix.t) measure data =
  let kind = kind_of data in
  let given names = List.tl (fields data ("kind" :: names)) in
  let only name = List.hd (given [ name ]) in
  let lines_of party = size matrix party in
  match kind, measure with
  | "protocol-tree", _ -> Kernel.ProtocolTree (tree matrix (only "tree"))
  | "refutation", _ -> Kernel.ARefutation (List.mapi (Refutations.node matrix) (items (only "nodes")))
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
  | "cover-weights", _ ->
      let most, weights = two_of (given [ "at_most"; "weights" ]) in weighted_cells matrix most weights
  | "crown", _ -> Kernel.ACrown (List.map (cell matrix.height matrix.width) (items (only "cells")))
  | "branching", Kernel.OneWayMessages sender ->
      let budget, proof = two_of (given [ "budget"; "proof" ]) in
      let lines = List.map (number 0 (lines_of sender - 1)) (items proof) in
      Kernel.MoreMessages (number 0 Matrix.most_cells budget, lines)
  | "branching", (Kernel.Cover _ | Kernel.Partition _) -> gone "kind" kind
  | "submatrix", (Kernel.Cover _ | Kernel.Partition _) ->
      let rows, columns, inner = three_of (given [ "rows"; "columns"; "of" ]) in submatrix matrix measure rows columns inner
  | "lrat", (Kernel.Cover (Some code) | Kernel.Partition (Some code)) -> (
      let once = match measure with Kernel.Partition _ -> true | _ -> false in
      match given [ "budget"; "apart"; "proof" ] with
      | [ budget; apart; proof ] -> Clauses.of_cover matrix code once (integer 0 Matrix.most_cells budget) apart (text proof)
      | _ -> assert false)
  | "branch-and-cut", (Kernel.Cover (Some _) | Kernel.Partition (Some _)) ->
      let budget, cases = two_of (given [ "budget"; "cases" ]) in
      Kernel.ByBranchAndCut (number 0 Matrix.most_cells budget, List.rev (List.rev_map case_step (items cases)))
  | "fooling-search", Kernel.FoolingSet (_, code) ->
      let most, cells = two_of (given [ "at_most"; "cells" ]) in
      Kernel.AFoolingSearch (number 0 Matrix.most_cells most, each_once matrix code cells)
  | "fooling-rows", Kernel.FoolingSet (Kernel.Both, Some code) ->
      let most, rows = two_of (given [ "at_most"; "rows" ]) in
      Kernel.AFoolingSearch (number 0 Matrix.most_cells most, by_rows matrix code rows)
  | "fooling-orbits", Kernel.FoolingSet (_, code) ->
      let most, cells, symmetries = three_of (given [ "at_most"; "cells"; "symmetries" ]) in
      let most = number 0 Matrix.most_cells most and cells = each_once matrix code cells in
      Kernel.FoolingOrbits (most, cells, orbits matrix symmetries)
  | "elimination", Kernel.RankModulo _ ->
      let primes = List.map prime (items (only "primes")) in
      need (List.length primes = 1) "one prime";
      Kernel.ByElimination (List.hd primes)
  | "elimination", Kernel.RankRational code -> by_combinations matrix code (only "primes")
  | "khrapchenko", Kernel.Leaves Kernel.Both ->
      let cells = List.map (cell matrix.height matrix.width) (items (only "cells")) in
      need (List.length (List.sort_uniq compare cells) = List.length cells) "different cells";
      Kernel.KhrapchenkoCells cells
  | "pivots", _ ->
      let found, rows, columns = three_of (given [ "prime"; "rows"; "columns" ]) in
      Kernel.Pivots (prime found, lines matrix.height rows, lines matrix.width columns)
  | "protocol-mixture", _ -> Kernel.Mixture (mixture matrix (only "trees"))
  | "hard-distribution", _ ->
      let bits, cells = two_of (given [ "bits"; "cells" ]) in hard matrix (integer 0 64 bits) cells
  | "message-mixture", (Kernel.OneWaySuccess (sender, _) | Kernel.OneWayRandomised (sender, _)) ->
      messages matrix sender (only "protocols")
  | "hard-for-messages", (Kernel.OneWaySuccess (sender, _) | Kernel.OneWayRandomised (sender, _)) ->
      let bits, cells = two_of (given [ "bits"; "cells" ]) in hard_for_messages matrix sender (integer 0 64 bits) cells
  | "all-sets", Kernel.Discrepancy weights -> ignore (given []); few_cells matrix; all_sets matrix weights
  | "diagonals", Kernel.Discrepancy weights ->
      let most, least = two_of (given [ "most"; "least" ]) in few_cells matrix; line_weights matrix weights most least
  | "biased-rectangle", Kernel.Discrepancy _ -> few_cells matrix; Kernel.ARectangle (masks matrix (only "rectangle"))
  | "distribution", Kernel.LeastDiscrepancy ->
      let weights, inner = two_of (given [ "weights"; "of" ]) in
      let weights = Claims.weights weights in
      Kernel.OneDistribution (weights, witness matrix (Kernel.Discrepancy weights) inner)
  | "all-rectangles", Kernel.Leaves who -> every_rectangle matrix true who (given [ "rows"; "columns" ])
  | "all-rectangles", Kernel.Deterministic (who, _) -> every_rectangle matrix false who (given [ "rows"; "columns" ])
  | "weighted-rectangles", Kernel.LeastDiscrepancy -> leaning matrix (only "rectangles")
  | "weighted-rectangles", (Kernel.RectangleBound _ | Kernel.PartitionBound _) -> weighed matrix (only "rectangles")
  | "cell-weights", (Kernel.RectangleBound _ | Kernel.PartitionBound _) -> two_weights matrix (only "cells")
  | "parts", _ ->
      let codes = Matrix.occurring matrix in
      let parts = items (only "parts") in
      need (List.length codes = List.length parts) "a part for each answer that occurs";
      Kernel.Parts (List.map2 (fun code part -> (code, witness matrix (about measure code) part)) codes parts)
  | "all-patterns", _ -> ignore (given []); Kernel.AllPatterns
  | "bits-of", _ ->
      let name, parameters, inner = three_of (given [ "measure"; "given"; "of" ]) in
      let counted = Claims.counted (List.length matrix.labels) (text name) parameters measure in
      Kernel.BitsOf (counted, witness matrix counted inner)
  | _, _ when List.mem kind gone_kinds -> gone "kind" kind
  | _, _ -> (
      match List.assoc_opt kind reasons with
      | Some reason -> unreached (kind ^ ": " ^ reason)
      | None -> refuse ("this kind of witness proves no bound on the measure: " ^ kind))

(* Of the part nothing but its size is needed to read what is about it. *)
and submatrix matrix measure rows columns inner =
  let rows, columns, part = part_of matrix rows columns in Kernel.Submatrix (rows, columns, witness part measure inner)
