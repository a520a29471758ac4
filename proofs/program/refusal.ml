(* The two ways not to accept: the certificate proves nothing, or this checker has no theorem on what it claims. *)
exception Refused of string
exception Unreached of string

let refuse message = raise (Refused message)
let unreached message = raise (Unreached message)
let need condition message = if not condition then refuse message
