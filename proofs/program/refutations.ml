(* Nodes of refutations. *)
open Refusal
open Fields

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
