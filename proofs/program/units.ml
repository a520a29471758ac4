(* Rational weights of a certificate as integers. *)
open Refusal

(* Weights in units of a common denominator, and that; below, of at least zero. *)
let in_units most_bits weights =
  let scale = List.fold_left (fun scale (weight : Kernel.q) ->
    let reduced = Z.divexact weight.qden (Z.gcd weight.qnum weight.qden) in
    let scale = Z.lcm scale reduced in
    need (Z.numbits scale <= most_bits) "a common denominator that is too long"; scale) Z.one weights in
  let parts = List.map (fun (weight : Kernel.q) -> Z.div (Z.mul weight.qnum scale) weight.qden) weights in
  (parts, scale)

let natural_units most_bits weights =
  let parts, scale = in_units most_bits weights in
  need (List.for_all (fun part -> Z.sign part >= 0) parts) "weights of at least zero";
  (parts, scale)

let scaled most_bits weights =
  let parts, scale = natural_units most_bits weights in
  need (Z.equal (List.fold_left Z.add Z.zero parts) scale) "weights with sum 1";
  parts
