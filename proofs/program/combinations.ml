(* Rows of zeros and ones as combinations of some of them, in integers: the kernel checks that they are. That they are found
   is trusted of nothing. Elimination modulo a prime finds the rows to keep and the columns with their pivots; there, by the
   inverse modulo the prime, a row is divided digit by digit (Dixon 1982), until fractions can be told from the digits. *)
open Refusal

let rec power prime base exponent =
  if exponent = 0 then 1
  else
    let half = power prime (base * base mod prime) (exponent / 2) in
    if exponent land 1 = 1 then half * base mod prime else half

let modulo prime value = let rest = value mod prime in if rest < 0 then rest + prime else rest

(* Rows that depend on none before, each with a column, so that their minor is not zero modulo the prime. *)
let pivots prime rows =
  Bits.spend (4 * Array.length rows * Array.length rows.(0));
  let keep (kept, basis) place =
    let row = Array.map (modulo prime) rows.(place) in
    let less (pivot, other) =
      let head = row.(pivot) in
      if head <> 0 then Array.iteri (fun at entry -> row.(at) <- modulo prime (row.(at) - (head * entry mod prime))) other in
    List.iter less (List.rev basis);
    let rec first at = if at = Array.length row then None else if row.(at) <> 0 then Some at else first (at + 1) in
    match first 0 with
    | None -> (kept, basis)
    | Some pivot ->
        Bits.spend (Array.length rows * Array.length row / 4);
        let inverse = power prime row.(pivot) (prime - 2) in
        (place :: kept, (pivot, Array.map (fun entry -> entry * inverse mod prime) row) :: basis) in
  let kept, basis = List.fold_left keep ([], []) (List.init (Array.length rows) Fun.id) in
  (Array.of_list (List.rev kept), Array.of_list (List.rev_map fst basis))

(* By Gauss and Jordan, for a matrix that is not singular. *)
let inverse prime matrix =
  let size = Array.length matrix in
  let wide = Array.init size (fun row -> Array.init (2 * size) (fun at -> if at < size then matrix.(row).(at) else if at - size = row then 1 else 0)) in
  for column = 0 to size - 1 do
    let rec below row = if wide.(row).(column) <> 0 then row else below (row + 1) in
    let pivot = below column in
    let line = wide.(pivot) in
    wide.(pivot) <- wide.(column);
    let unit = power prime line.(column) (prime - 2) in
    let line = Array.map (fun entry -> entry * unit mod prime) line in
    wide.(column) <- line;
    Array.iteri (fun row other ->
      let head = other.(column) in
      if row <> column && head <> 0 then
        for at = column to (2 * size) - 1 do other.(at) <- modulo prime (other.(at) - (head * line.(at) mod prime)) done) wide
  done;
  Array.map (fun row -> Array.sub row size size) wide

(* A row times a matrix. *)
let times row matrix width =
  let sum = Array.make width 0 in
  Array.iteri (fun place factor ->
    if factor <> 0 then Array.iteri (fun at entry -> sum.(at) <- sum.(at) + (factor * entry)) matrix.(place)) row;
  sum

(* The least number that makes an integer of a residue, if both are below a limit: by Euclid's algorithm. *)
let denominator limit modulus residue =
  let rec go (r, s) (r', s') =
    if Z.leq r' limit then Z.abs s'
    else let quotient = Z.div r r' in go (r', s') (Z.sub r (Z.mul quotient r'), Z.sub s (Z.mul quotient s')) in
  go (modulus, Z.zero) (residue, Z.one)

(* No minor of so many rows is larger (Hadamard). *)
let largest_minor size = Z.add (Z.shift_right (Z.succ (Z.sqrt (Z.pow (Z.of_int (size + 1)) (size + 1)))) size) Z.one

let combination prime minor inverse limit row =
  let size = Array.length minor and p = Z.of_int prime in
  let found = Array.make size Z.zero and left = ref row and modulus = ref Z.one in
  let enough = Z.shift_left (Z.mul limit limit) 1 in
  while Z.leq !modulus enough do
    let digits = Array.map (modulo prime) (times !left inverse size) in
    Bits.spend (size * size / 8);
    Array.iteri (fun at digit -> found.(at) <- Z.add found.(at) (Z.mul !modulus (Z.of_int digit))) digits;
    let taken = times digits minor size in
    left := Array.mapi (fun at entry -> (entry - taken.(at)) / prime) !left;
    modulus := Z.mul !modulus p
  done;
  let near value = let rest = Z.erem value !modulus in if Z.gt (Z.shift_left rest 1) !modulus then Z.sub rest !modulus else rest in
  let common = Array.fold_left (fun common value ->
    let value = near (Z.mul common value) in
    if Z.leq (Z.abs value) limit then common else Z.mul common (denominator limit !modulus (Z.erem value !modulus))) Z.one found in
  (common, Array.to_list (Array.map (fun value -> near (Z.mul common value)) found))

(* For each row a multiple of it as a combination of the rows that are kept, and the bits above all of these numbers. *)
let by_pivots prime rows (kept, columns) =
  let size = Array.length kept in
  let part row = Array.map (fun column -> row.(column)) columns and word row = String.of_seq (Seq.map Char.chr (Array.to_seq row)) in
  let minor = Array.map (fun place -> part rows.(place)) kept in
  Bits.spend (size * size * size / 4);
  let inverse = inverse prime minor and limit = largest_minor size and known = Hashtbl.create 64 in
  let unit at = (Z.one, List.init size (fun place -> if place = at then Z.one else Z.zero)) in
  Array.iteri (fun at place -> Hashtbl.replace known (word rows.(place)) (unit at)) kept;
  let find row = match Hashtbl.find_opt known (word row) with
    | Some found -> found
    | None ->
        let found = combination prime minor inverse limit (part row) in
        Hashtbl.replace known (word row) found; found in
  let found = List.map find (Array.to_list rows) in
  let size_of (factor, parts) = List.fold_left (fun sum part -> Z.add sum (Z.abs part)) factor parts in
  let most = List.fold_left (fun most entry -> Z.max most (size_of entry)) Z.one found in
  (Z.of_int (Z.numbits most + 1), List.map Z.of_int (Array.to_list kept), found)

(* By the first of the primes that does: modulo another the rank may be lower. *)
let of_rows primes rows right =
  let rec search least = function
    | [] -> refuse "too few primes"
    | prime :: rest ->
        need (Kernel.is_prime (Z.of_int prime)) "expected a prime";
        let found = pivots prime rows in
        let size = Array.length (fst found) in
        let combined = if size > least then Some (by_pivots prime rows found) else None in
        match combined with Some found when right found -> found | _ -> search (max least size) rest in
  search (-1) primes
