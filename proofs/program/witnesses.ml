(* Witnesses of the kernel from those of a certificate. *)
open Refusal
open Fields

let party data = match text data with
  | "alice" -> Kernel.Alice | "bob" -> Kernel.Bob
  | _ -> refuse "a speaker is alice or bob"

let size (matrix : Matrix.t) = function Kernel.Alice -> matrix.height | Kernel.Bob -> matrix.width
let other = function Kernel.Alice -> Kernel.Bob | Kernel.Bob -> Kernel.Alice

let pair most data = match items data with
  | [ first; second ] -> (number 0 most first, number 0 most second)
  | _ -> refuse "expected a pair"

let rec tree matrix data = match data with
  | Json.Object found when List.mem_assoc "speaker" found -> (
      match fields data [ "speaker"; "ones"; "zero"; "one" ] with
      | [ speaker; ones; zero; one ] ->
          let speaker = party speaker in
          let ones = lines (size matrix speaker) ones in
          let zero = tree matrix zero in
          Kernel.Node (speaker, ones, zero, tree matrix one)
      | _ -> assert false)
  | Json.Object found when List.mem_assoc "answer" found ->
      Kernel.Leaf (number 0 Claims.most_code (List.hd (fields data [ "answer" ])))
  | _ -> Kernel.LeafByLine (List.map (pair Claims.most_code) (items (List.hd (fields data [ "answers" ]))))

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

let half matrix place data = match items data with
  | [ primes; numbers; closed ] ->
      let primes = List.map prime (items primes) in
      need (List.mem (List.map Z.to_int primes) [ []; [ 2 ]; [ 3 ]; [ 2; 3 ]; [ 3; 2 ] ]) "ranks of splits are over GF(2) and GF(3)";
      let numbers = List.map (integer 0 (place - 1)) (items numbers) in
      ((primes, numbers), List.map (rectangle matrix) (words (text closed)))
  | _ -> refuse "expected the splits of a party"

let reason (matrix : Matrix.t) place kind data = match kind, data with
  | "rank", [ primes ] -> Kernel.ByRank (List.map prime (items primes))
  | "fooling", [ cells ] -> Kernel.ByFooling (List.map (cell matrix.height matrix.width) (items cells))
  | "three", [] -> Kernel.ByThree
  | "splits", [ rows; columns ] -> Kernel.BySplits (half matrix place rows, half matrix place columns)
  | _ -> refuse "a reason is rank, fooling, three or splits"

let node (matrix : Matrix.t) place data = match items data with
  | depth :: bound :: rows :: columns :: kind :: rest ->
      { Kernel.bits_refuted = integer 0 64 depth; node_limit = limit bound;
        rows_mask = some_lines matrix.height rows; columns_mask = some_lines matrix.width columns;
        why = reason matrix place (text kind) rest }
  | _ -> refuse "expected a node of a refutation"

let reasons =
  [ ("spectral", "needs real numbers"); ("gamma2-dual", "needs real vectors"); ("gamma2-gram", "needs real vectors");
    ("elimination", "Hadamard's inequality has no proof here"); ("rank-squared", "no theorem here yet") ]

let unproved =
  [ "parts"; "submatrix"; "protocol-mixture"; "hard-distribution"; "pivots"; "fooling-search"; "rectangle";
    "rectangle-search"; "rectangle-matching"; "rectangles"; "cover-weights"; "crown"; "line-sets"; "branching";
    "biased-rectangle"; "all-sets"; "distribution"; "weighted-rectangles"; "cell-weights"; "all-rectangles";
    "khrapchenko" ]

let kind_of data = match data with
  | Json.Object found when List.mem_assoc "kind" found -> text (List.assoc "kind" found)
  | _ -> refuse "a witness has a kind"

let rec witness (matrix : Matrix.t) measure data =
  let kind = kind_of data in
  let given names = List.tl (fields data ("kind" :: names)) in
  let only name = List.hd (given [ name ]) in
  let lines_of party = size matrix party in
  match kind, measure with
  | "protocol-tree", _ -> Kernel.ProtocolTree (tree matrix (only "tree"))
  | "refutation", _ -> Kernel.ARefutation (List.mapi (node matrix) (items (only "nodes")))
  | "fooling-set", _ -> Kernel.AFoolingSet (List.map (cell matrix.height matrix.width) (items (only "cells")))
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
  | "all-patterns", _ -> ignore (given []); Kernel.AllPatterns
  | "bits-of", _ -> (
      match given [ "measure"; "given"; "of" ] with
      | [ name; parameters; inner ] ->
          let counted = Claims.counted (text name) measure in
          ignore (fields parameters []);
          Kernel.BitsOf (counted, witness matrix counted inner)
      | _ -> assert false)
  | _, _ when List.mem kind unproved -> unreached ("the kind " ^ kind ^ " has no theorem here yet")
  | _, _ -> (
      match List.assoc_opt kind reasons with
      | Some reason -> unreached (kind ^ ": " ^ reason)
      | None -> refuse ("this kind of witness proves no bound on the measure: " ^ kind))
