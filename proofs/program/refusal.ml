(* The two ways not to accept: the certificate proves nothing, or this checker has no theorem on what it claims. *)
exception Refused of string
exception Unreached of string

let refuse message = raise (Refused message)
let unreached message = raise (Unreached message)
let need condition message = if not condition then refuse message

(* Kinds of witnesses, measures and reasons of refutations that were checked once, and the last that did; there was no release. *)
let last = "commit 1c13397"
let gone_kinds =
  [ "chain-clauses"; "chains"; "corruption"; "fooling-lrat"; "line-sets"; "norm"; "rank-squared"; "rectangle-matching"; "spectral"; "subsets";
    "theta"; "triangular-set" ]
let gone_measures = [ "blackboard"; "information-cost"; "one-way-private"; "private-coins"; "rectangle" ]
let gone_reasons = [ "orbits"; "tight"; "given" ]
let gone what name = refuse (Printf.sprintf "%s '%s' is no longer checked; ccsim of %s, or earlier, accepts it" what name last)
