(* Relations: a table of sets of labels, and the claims and witnesses about it. *)
open Refusal
open Fields

type t = { matrix : Matrix.t; sets : Kernel.table_of_sets } (* of the matrix, the labels and the size *)

let is_one = function Json.Object found -> List.mem_assoc "allowed" found | _ -> false

let read data =
  let labels, allowed = two_of (fields data [ "labels"; "allowed" ]) in
  let labels = Matrix.read_labels labels in
  let count = List.length labels in
  need (0 < count && count <= 128) "from 1 to 128 labels";
  let set = function
    | Json.Int found when Z.sign found > 0 && Z.numbits found <= count -> found
    | _ -> refuse "a set of labels" in
  let rows = List.map items (items allowed) in
  let height = List.length rows in
  need (height > 0) "at least one row";
  let width = List.length (List.hd rows) in
  need (width > 0 && List.for_all (fun row -> List.length row = width) rows) "rows of one length, at least one";
  need (height * width <= Matrix.most_cells) "a matrix of at most 4194304 cells";
  let matrix = { Matrix.labels; table = None; height; width; named = None; known = None } in
  { matrix; sets = List.map (List.map set) rows }

let measure relation name parameters = match name with
  | "deterministic" | "leaves" -> (
      match Claims.measure relation.matrix name parameters with
      | Kernel.Deterministic (who, limit), units -> (Kernel.RelationBits (who, limit), units)
      | Kernel.Leaves who, units -> (Kernel.RelationLeaves who, units)
      | _ -> assert false)
  | _ -> unreached "relations have a deterministic complexity and leaves only"

let knowing = function Kernel.RelationBits (who, _) | Kernel.RelationLeaves who -> who

(* Whether each line that reaches a leaf with answers by line has one there. *)
let rec answered who rows columns = function
  | Kernel.Leaf _ -> true
  | Kernel.LeafByLine answers ->
      let known = List.fold_left (fun mask (line, _) -> Z.logor mask (Z.shift_left Z.one (Z.to_int line))) Z.zero answers in
      Z.sign (Z.logand (if who = Kernel.BobAlone then columns else rows) (Z.lognot known)) = 0
  | Kernel.Node (Kernel.Alice, ones, zero, one) ->
      answered who (Z.logand rows (Z.lognot ones)) columns zero && answered who (Z.logand rows ones) columns one
  | Kernel.Node (Kernel.Bob, ones, zero, one) ->
      answered who rows (Z.logand columns (Z.lognot ones)) zero && answered who rows (Z.logand columns ones) one

let rec witness relation claimed data =
  let kind = Witnesses.kind_of data in
  let given names = List.tl (fields data ("kind" :: names)) in
  match kind, claimed with
  | "protocol-tree", _ ->
      let tree = Trees.tree relation.matrix (List.hd (given [ "tree" ])) in
      let who = knowing claimed and all size = Z.pred (Z.shift_left Z.one size) in
      need (who <> Kernel.Both || Trees.tells_all tree) "a leaf that both know has one answer";
      need (answered who (all relation.matrix.height) (all relation.matrix.width) tree) "a line without an answer at a leaf";
      Kernel.SolvingTree tree
  | "khrapchenko", Kernel.RelationLeaves Kernel.Both ->
      let cells = List.map (cell relation.matrix.height relation.matrix.width) (items (List.hd (given [ "cells" ]))) in
      need (List.length (List.sort_uniq compare cells) = List.length cells) "different cells";
      Kernel.CellsApart cells
  | "all-rectangles", _ ->
      let rows, columns = two_of (given [ "rows"; "columns" ]) in
      let rows, columns = Witnesses.lines_of_both relation.matrix rows columns in
      let leaves = match claimed with Kernel.RelationLeaves _ -> true | Kernel.RelationBits _ -> false in
      let allows = Kernel.right_or_free relation.sets and labels = Kernel.labels_met relation.sets in
      let size, packs = All_rectangles.found leaves (knowing claimed) allows labels rows columns in
      Kernel.EveryRectangleOf (rows, columns, size, packs)
  | "bits-of", Kernel.RelationBits (who, _) -> (
      match given [ "measure"; "given"; "of" ] with
      | [ Json.Text "leaves"; parameters; inner ] ->
          ignore (fields parameters []);
          Kernel.BitsOfLeaves (witness relation (Kernel.RelationLeaves who) inner)
      | _ -> refuse "these bits are not of that measure")
  | _ -> unreached (kind ^ " has no theorem here for relations")

let proved relation claimed (side, value, data) =
  Kernel.accepts_relation relation.sets claimed side value (witness relation claimed data)

let told relation =
  let sets = Json.List (List.map (fun row -> Json.List (List.map (fun set -> Json.Int set) row)) relation.sets) in
  let content = Json.List [ Json.List relation.matrix.labels; Json.Object [ ("allowed", sets) ] ] in
  let hash = String.sub (Sha256.digest (Json.to_string content)) 0 12 in
  Printf.sprintf "a relation (%d x %d, sha256 %s)" relation.matrix.height relation.matrix.width hash
