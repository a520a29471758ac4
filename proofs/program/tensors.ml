(* What the kernel needs to see that a matrix of weights is a tensor power of some rank; nothing rests on it. *)
open Refusal
open Fields

let weights (found : Families.t) data =
  let listed = Array.of_list (List.map (integer (-1_000_000) 1_000_000) (items data)) in
  need (Array.length listed = found.states) "a weight for each state"; listed

let modulo, power = Combinations.(modulo, power)

(* Combinations of rows of the block with a pivot each, the newest first: zero at all older pivots. *)
let basis prime (family : Kernel.family) weights =
  let alice = family.alice_letters and bob = family.bob_letters in
  if alice * bob * min alice bob > 1 lsl 26 then unreached "a block that is too large";
  let less factor row by = Array.map2 (fun value other -> modulo prime (value - (factor * other mod prime))) row by in
  let add found x =
    let row = Array.init bob (fun y -> modulo prime weights.(family.step family.start x y)) in
    let reduced (row, terms) (own, own_terms, pivot) =
      let factor = row.(pivot) * power prime own.(pivot) (prime - 2) mod prime in
      if factor = 0 then (row, terms) else (less factor row own, less factor terms own_terms) in
    let row, terms = List.fold_left reduced (row, Array.init alice (fun other -> if other = x then 1 else 0)) (List.rev found) in
    match List.find_opt (fun y -> row.(y) <> 0) (List.init bob Fun.id) with
    | Some pivot -> (row, terms, pivot) :: found
    | None -> found in
  let listed terms = List.filter (fun (factor, _) -> Z.sign factor <> 0) (List.mapi (fun x factor -> (Z.of_int factor, x)) (Array.to_list terms)) in
  List.map (fun (_, terms, pivot) -> (listed terms, pivot)) (List.fold_left add [] (List.init alice Fun.id))

(* For the rationals, a prime that leaves the rank as it is. *)
let over_rationals family weights =
  let tried = List.map (fun prime -> (prime, basis prime family weights)) [ 32749; 2147483647; 2147483629 ] in
  let more (prime, found) (other, others) = if List.length others > List.length found then (other, others) else (prime, found) in
  List.fold_left more (List.hd tried) (List.tl tried)

let after_some (found : Families.t) =
  let seen = Array.make found.states false and family = found.family in
  let rec visit state = if not seen.(state) then (seen.(state) <- true; follow state)
  and follow state =
    for x = 0 to family.alice_letters - 1 do for y = 0 to family.bob_letters - 1 do visit (family.step state x y) done done in
  follow family.start;
  List.filter (fun state -> seen.(state)) (List.init found.states Fun.id)

(* The weight where an answer is, and where it is not, if there is one of each. *)
let leaning (found : Families.t) same weights states code =
  let own, others = List.partition (fun state -> found.family.output state = Some (Z.of_int code)) states in
  let all part = List.sort_uniq compare (List.map (fun state -> same weights.(state)) part) in
  let given w w' = Some (Z.of_int code, (Z.of_int w, Z.of_int w')) in
  match all own, all others with
  | [ w ], [ w' ] when w <> w' -> given w w'
  | [ w ], [] -> given w (if w = 0 then 1 else 0)
  | _ -> None

let tensor_power (found : Families.t) measure data =
  let weights = weights found data and states = after_some found in
  let exact = (fun value -> value) in
  let (prime, basis), same = match measure with
    | Kernel.LastingRankModulo (prime, _) ->
        let prime = Z.to_int prime in
        ((prime, basis prime found.family weights), modulo prime)
    | _ -> (over_rationals found.family weights, exact) in
  let codes = match measure with
    | Kernel.LastingRankModulo (_, code) | Kernel.LastingRankRational code -> [ Z.to_int code ]
    | _ -> List.init (List.length found.labels) Fun.id in
  let codes = List.filter_map (leaning found same weights states) codes in
  need (codes <> []) "other weights for no answer";
  Kernel.TensorPower (Z.of_int prime, (fun state -> Z.of_int weights.(state)), basis, codes)

let term prime (family : Kernel.family) =
  let pair = pair_of (integer 0 (family.alice_letters - 1)) (integer 0 (family.bob_letters - 1)) in
  pair_of (number 0 (prime - 1)) (fun word -> List.split (List.map pair (items word)))

let tensor_shifts (found : Families.t) given = match given with
  | [ prime; code; listed; terms ] ->
      let prime = integer 2 (1 lsl 16) prime and code = number 0 (List.length found.labels - 1) code in
      need (Kernel.is_prime (Z.of_int prime)) "expected a prime";
      let weights = weights found listed and terms = List.map (term prime found.family) (items terms) in
      let basis = basis prime found.family weights in
      let length = match terms with [] -> 0 | (_, (xs, _)) :: _ -> List.length xs in
      need (List.for_all (fun (_, (xs, _)) -> List.length xs = length) terms) "words of one length";
      let size = max 2 (List.length basis) in
      let rec least power reached = if reached >= List.length terms then power else least (power + 1) (reached * size) in
      let weight state = Z.of_int weights.(state) and power = least 0 1 in
      if power + length > 400 then unreached "words that are too long";
      Kernel.TensorShifts (Z.of_int prime, weight, basis, code, length, terms, power)
  | _ -> assert false
