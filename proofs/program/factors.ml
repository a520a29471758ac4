(* Nonnegative, sign and approximate rank: the claims and witnesses about them. *)
open Refusal
open Fields

let names = [ "nonnegative-rank"; "sign-rank"; "approximate-rank" ]

let measure (matrix : Matrix.t) name parameters =
  let label data =
    let found = integer 0 Claims.most_code data in
    need (found < List.length matrix.labels) "a claim about none of the labels"; Z.of_int found in
  let found = match name with
    | "nonnegative-rank" ->
        let values = List.hd (fields parameters [ "values" ]) in
        Kernel.NonnegativeRank (List.map (number 0 Claims.most_code) (items values))
    | "sign-rank" -> Kernel.SignRank (label (List.hd (fields parameters [ "label" ])))
    | _ ->
        let own, error = two_of (fields parameters [ "label"; "error" ]) in Kernel.ApproximateRank (label own, Claims.error error) in
  (found, [ "" ])

let table_of (matrix : Matrix.t) = match matrix.table with Some table -> table | None -> unreached "too large a matrix"

(* So many vectors of so many rationals, in units of a common denominator. *)
let vectors count size data =
  let lines = List.map items (items data) in
  need (List.length lines = count && List.for_all (fun line -> List.length line = size) lines) "a vector for each line, all of one length";
  let parts, unit = Units.in_units 1024 (List.concat_map (List.map rational) lines) in
  need (List.for_all (fun part -> Z.numbits part <= 2048) parts) "numbers that get too long";
  let entries = Array.of_list parts in
  (unit, List.init count (fun line -> Array.to_list (Array.sub entries (line * size) size)))

let factors (matrix : Matrix.t) rows columns =
  let size = match items rows with first :: _ -> List.length (items first) | [] -> refuse "a vector for each line" in
  let one, rows = vectors matrix.height size rows in
  let other, columns = vectors matrix.width size columns in
  Kernel.Factored (one, other, rows, columns)

(* The different lines that are not zero, and for each line which it is: the kernel checks that. *)
let classes lines =
  let seen = Hashtbl.create 64 and kept = ref [] in
  let class_of line =
    if List.for_all (fun entry -> Z.sign entry = 0) line then None
    else
      let written = Buffer.create 1024 in
      let write entry =
        let number = Z.to_int entry in
        if number >= 0 && number < 255 then Buffer.add_uint8 written number
        else (Buffer.add_uint8 written 255; Buffer.add_int64_le written (Int64.of_int number)) in
      List.iter write line;
      let key = Digest.string (Buffer.contents written) in
      match Hashtbl.find_opt seen key with
      | Some place -> Some place
      | None ->
          let place = Z.of_int (Hashtbl.length seen) in
          Hashtbl.add seen key place; kept := line :: !kept; Some place in
  let found = List.map class_of lines in
  (List.rev !kept, found)

(* What a claim makes of a cell; of each code it is found once. *)
let number_of (matrix : Matrix.t) claimed =
  let known = Array.make (List.length matrix.labels) None in
  let number_for cell = match Kernel.number_for claimed cell with Some found -> found | None -> refuse "a number for every cell" in
  function
  | None -> number_for None
  | Some code as cell -> (
      match known.(Z.to_int code) with
      | Some found -> found
      | None -> let found = number_for cell in known.(Z.to_int code) <- Some found; found)

(* The table of which numbers are above 0. *)
let support matrix claimed =
  let number = number_of matrix claimed and none = Some Z.zero and some = Some Z.one in
  List.map (List.map (fun cell -> if Z.sign (number cell) = 0 then none else some)) (table_of matrix)

let different_lines (matrix : Matrix.t) claimed =
  Bits.spend (2 * matrix.height * matrix.width);
  let number = number_of matrix claimed in
  let rows = Array.of_list (List.map (fun row -> Array.of_list (List.map number row)) (table_of matrix)) in
  let across = List.init matrix.width (fun column -> List.init matrix.height (fun row -> rows.(row).(column))) in
  let mine, my_classes = classes (List.map Array.to_list (Array.to_list rows)) and yours, your_classes = classes across in
  if List.length mine <= List.length yours then Kernel.DifferentRows (Kernel.Alice, mine, my_classes)
  else Kernel.DifferentRows (Kernel.Bob, yours, your_classes)

let rec witness (matrix : Matrix.t) claimed data =
  let kind = Witnesses.kind_of data in
  let given names = List.tl (fields data ("kind" :: names)) in
  match kind, claimed with
  | "lines", _ -> ignore (given []); different_lines matrix claimed
  | "factors", _ ->
      let rows, columns = two_of (given [ "rows"; "columns" ]) in factors matrix rows columns
  | "minor", Kernel.NonnegativeRank _ ->
      let found, rows, columns = three_of (given [ "prime"; "rows"; "columns" ]) in
      let chosen size lines = List.map Z.of_int (Cell_sets.different size lines) in
      Kernel.Minor (prime found, chosen matrix.height rows, chosen matrix.width columns)
  | "support", Kernel.NonnegativeRank _ ->
      let part = { matrix with table = Some (support matrix claimed); named = None; known = None } in
      Kernel.Support (Witnesses.witness part (Kernel.Cover (Some Z.one)) (List.hd (given [ "of" ])))
  | "plane", Kernel.SignRank _ -> ignore (given []); Kernel.InAPlane
  | "vc", Kernel.SignRank label ->
      let direction, inner = two_of (given [ "direction"; "of" ]) in
      let codes = List.for_all (fun code -> Z.leq code Z.one) in
      need (codes [ label ] && codes (Matrix.occurring matrix)) "answers 0 and 1";
      Witnesses.no_free_cell matrix;
      let sender = Claims.sender direction in
      Kernel.ShatteredSigns (sender, patterns matrix (Witnesses.witness matrix (Kernel.VcDimension sender) inner))
  | "submatrix", Kernel.SignRank _ ->
      let rows, columns, inner = three_of (given [ "rows"; "columns"; "of" ]) in
      let rows, columns, part = Witnesses.part_of matrix rows columns in Kernel.PartOfSigns (rows, columns, witness part claimed inner)
  | "signs", Kernel.ApproximateRank (label, _) -> Kernel.SignsNear (witness matrix (Kernel.SignRank label) (List.hd (given [ "of" ])))
  | _, _ when List.mem kind gone_kinds -> gone "kind" kind
  | _, _ -> (
      match List.assoc_opt kind Witnesses.reasons with
      | Some reason -> unreached (kind ^ ": " ^ reason)
      | None -> refuse ("this kind of witness proves no bound on the measure: " ^ kind))

(* Of INDEX all columns are shattered: here the kernel is told which. *)
and patterns (matrix : Matrix.t) = function
  | Kernel.AllPatterns when matrix.known = Some Kernel.Index -> Kernel.Shattered (Bits.ones (Z.of_int matrix.width))
  | found -> found

let proved matrix claimed (side, value, data) =
  let table = table_of matrix in
  (* The kernel goes through the values for each cell. *)
  Bits.spend (matrix.height * matrix.width * (1 + List.length matrix.labels / 8));
  Kernel.accepts_factors table claimed side value (witness matrix claimed data)
