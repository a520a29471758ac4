(* Nodes of refutations. *)
open Refusal
open Fields

let limit = function
  | Json.Null -> None
  | other ->
      let party last = match integer (-1) 1 last with 0 -> Some Kernel.Alice | 1 -> Some Kernel.Bob | _ -> None in
      Some (pair_of (integer 0 (1 lsl 20)) party other)

let words text = List.filter (( <> ) "") (String.split_on_char ' ' text)

let rectangle (matrix : Matrix.t) word = match String.split_on_char ':' word with
  | [ rows; columns ] -> (some_lines matrix.height (Json.Text rows), some_lines matrix.width (Json.Text columns))
  | _ -> refuse "expected a rectangle"

(* Of the splits of a party that may not speak only the form counts. *)
let silent party = function
  | Some (rounds, last) -> rounds = 0 && last <> Some party
  | None -> false

let half matrix place bound party data = match items data with
  | [ primes; numbers; closed ] ->
      let primes = List.map prime (items primes) in
      need (List.mem (List.map Z.to_int primes) [ []; [ 2 ]; [ 3 ]; [ 2; 3 ]; [ 3; 2 ] ]) "ranks of splits are over GF(2) and GF(3)";
      let numbers = List.map (integer 0 (place - 1)) (items numbers) in
      let closed = text closed in
      if silent party bound then (([], []), []) else ((primes, numbers), List.map (rectangle matrix) (words closed))
  | _ -> refuse "expected the splits of a party"

let splits matrix place bound rows columns =
  Kernel.BySplits (half matrix place bound Kernel.Alice rows, half matrix place bound Kernel.Bob columns)

let reason (matrix : Matrix.t) place bound kind data = match kind, data with
  | "rank", [ primes ] -> Kernel.ByRank (List.map prime (items primes))
  | "fooling", [ cells ] -> Kernel.ByFooling (List.map (cell matrix.height matrix.width) (items cells))
  | "three", [] -> Kernel.ByThree
  | "four", [] -> Kernel.ByFour
  | "splits", [ rows; columns ] -> splits matrix place bound rows columns
  | _, _ when List.mem kind gone_reasons -> gone "reason" kind
  | _ -> refuse "a reason is rank, fooling, three, four or splits"

let node (matrix : Matrix.t) place data = match items data with
  | depth :: bound :: rows :: columns :: kind :: rest ->
      let bound = limit bound in
      { Kernel.bits_refuted = integer 0 64 depth; node_limit = bound;
        rows_mask = some_lines matrix.height rows; columns_mask = some_lines matrix.width columns;
        why = reason matrix place bound (text kind) rest }
  | _ -> refuse "expected a node of a refutation"
