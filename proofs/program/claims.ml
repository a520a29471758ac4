(* What is claimed: a measure of the kernel, from the name, the unit and the parameters of a certificate. *)
open Refusal
open Fields

let knowing data = match text data with
  | "both" -> Kernel.Both | "alice" -> Kernel.AliceAlone | "bob" -> Kernel.BobAlone
  | _ -> refuse "another value of answer"

let sender data = match text data with
  | "alice-to-bob" -> Kernel.Alice | "bob-to-alice" -> Kernel.Bob
  | _ -> refuse "another value of direction"

let limit rounds first =
  let party = match first with
    | Json.Null -> None
    | other -> (
        match text other with
        | "alice" -> Some Kernel.Alice | "bob" -> Some Kernel.Bob
        | _ -> refuse "another value of first") in
  match rounds with
  | Json.Null -> need (party = None) "first goes with rounds"; None
  | other -> Some (integer 1 (1 lsl 20) other, party)

let most_code = 1 lsl 31

(* A code that is one of the labels; None for all answers. *)
let code labels = function
  | Json.Null -> None
  | other ->
      let found = integer 0 most_code other in
      need (found < labels) "a claim about none of the labels";
      Some (Z.of_int found)

let one_code labels data = match code labels data with
  | Some found -> found
  | None -> unreached "claims about all answers together"

let public answer coins =
  need (text answer = "both") "both parties know the answer";
  need (text coins = "public") "another value of coins"

let error data =
  let found = rational data in
  need (Z.sign found.qnum >= 0 && Z.lt found.qnum found.qden) "another value of error";
  found

let truth = function Json.Bool found -> found | _ -> refuse "expected true or false"

(* Over the rationals, or GF(p). *)
let rank_over field code =
  let found = text field in
  let size = String.length found in
  if found = "rational" then Kernel.RankRational code else
  let plain = size > 4 && size <= 14 && String.sub found 0 3 = "GF(" && found.[size - 1] = ')' && found.[3] <> '0' in
  need (plain && String.for_all (function '0' .. '9' -> true | _ -> false) (String.sub found 3 (size - 4))) "another value of field";
  let prime = Z.of_string (String.sub found 3 (size - 4)) in
  need (Z.leq prime (Z.of_int 0x7FFFFFFF) && Kernel.is_prime prime) "a field is GF(p), p a prime";
  Kernel.RankModulo (prime, code)

let most_weight = Z.shift_left Z.one 80

(* A weight for each cell. *)
let weights data =
  let weight = function
    | Json.Int found when Z.sign found >= 0 && Z.leq found most_weight -> found
    | _ -> refuse "expected an integer weight" in
  List.map (fun row -> List.map weight (items row)) (items data)

let reasons =
  [ ("gamma_2", "needs real vectors");
    ("quantum", "no theorem here yet") ]

(* Nothing else is read of a claim that no theorem here is about. *)
let reached name =
  if List.mem name gone_measures then gone "measure" name;
  match List.assoc_opt name reasons with
  | Some reason -> unreached (name ^ ": " ^ reason)
  | None -> ()

(* The measure and the units that its values may have. *)
let measure (matrix : Matrix.t) name parameters =
  let labels = List.length matrix.labels in
  match name with
  | "deterministic" ->
      let answer, rounds, first = three_of (fields parameters [ "answer"; "rounds"; "first" ]) in
      (Kernel.Deterministic (knowing answer, limit rounds first), [ "bits" ])
  | "leaves" -> (Kernel.Leaves (knowing (List.hd (fields parameters [ "answer" ]))), [ "leaves" ])
  | "fooling-set" ->
      let given, answer = two_of (fields parameters [ "code"; "answer" ]) in
      (Kernel.FoolingSet (knowing answer, code labels given), [ "cells" ])
  | "cover" -> (Kernel.Cover (code labels (List.hd (fields parameters [ "code" ]))), [ "rectangles" ])
  | "partition" -> (Kernel.Partition (code labels (List.hd (fields parameters [ "code" ]))), [ "rectangles" ])
  | "nondeterministic" -> (Kernel.Nondeterministic (code labels (List.hd (fields parameters [ "code" ]))), [ "bits" ])
  | "one-way-messages" -> (Kernel.OneWayMessages (sender (List.hd (fields parameters [ "direction" ]))), [ "messages" ])
  | "one-way" -> (Kernel.OneWay (sender (List.hd (fields parameters [ "direction" ]))), [ "bits" ])
  | "vc-dimension" -> (Kernel.VcDimension (sender (List.hd (fields parameters [ "direction" ]))), [ "" ])
  | "rank" ->
      let given, field = two_of (fields parameters [ "code"; "field" ]) in (rank_over field (one_code labels given), [ ""; "rank" ])
  | "discrepancy" -> (Kernel.Discrepancy (weights (List.hd (fields parameters [ "weights" ]))), [ "" ])
  | "least-discrepancy" -> ignore (fields parameters []); (Kernel.LeastDiscrepancy, [ "" ])
  | "randomised" ->
      let answer, coins, given = three_of (fields parameters [ "answer"; "coins"; "error" ]) in
      public answer coins; (Kernel.Randomised (error given), [ "bits" ])
  | "rectangle-bound" ->
      let given, wrong, smooth = three_of (fields parameters [ "code"; "error"; "smooth" ]) in
      (Kernel.RectangleBound (one_code labels given, error wrong, truth smooth), [ ""; "rectangles" ])
  | "partition-bound" ->
      let answer, coins, given = three_of (fields parameters [ "answer"; "coins"; "error" ]) in
      public answer coins; (Kernel.PartitionBound (error given), [ "rectangles" ])
  | "public-coin success" ->
      let answer, coins, bits = three_of (fields parameters [ "answer"; "coins"; "bits" ]) in
      public answer coins; (Kernel.Success (integer 0 64 bits), [ "" ])
  | "one-way success" ->
      let direction, bits = two_of (fields parameters [ "direction"; "bits" ]) in
      (Kernel.OneWaySuccess (sender direction, integer 0 64 bits), [ "" ])
  | "one-way-randomised" ->
      let direction, given = two_of (fields parameters [ "direction"; "error" ]) in
      (Kernel.OneWayRandomised (sender direction, error given), [ "bits" ])
  | _ -> refuse "a measure that is known"

(* The measure that bits are taken of, with the parameters of the claim and those that are given. *)
let counted labels name parameters claimed =
  let none found = ignore (fields parameters []); found in
  match name, claimed with
  | "leaves", Kernel.Deterministic (who, _) -> none (Kernel.Leaves who)
  | "cover", Kernel.Nondeterministic code -> none (Kernel.Cover code)
  | "vc-dimension", Kernel.OneWayRandomised (sender, _) -> none (Kernel.VcDimension sender)
  | "one-way-messages", (Kernel.OneWay sender | Kernel.OneWayRandomised (sender, _)) -> none (Kernel.OneWayMessages sender)
  | "discrepancy", Kernel.Randomised _ -> Kernel.Discrepancy (weights (List.hd (fields parameters [ "weights" ])))
  | "partition-bound", Kernel.Randomised error -> none (Kernel.PartitionBound error)
  | "rectangle-bound", Kernel.Randomised error ->
      let given, smooth = two_of (fields parameters [ "code"; "smooth" ]) in
      Kernel.RectangleBound (one_code labels given, error, truth smooth)
  | "gamma_2", Kernel.Randomised _ | "deterministic", Kernel.OneWay _ | "randomised", Kernel.OneWayRandomised _ ->
      unreached ("bits of " ^ name ^ " have no theorem here yet")
  | _ -> refuse "these bits are not of that measure"

(* An amount with its unit, in the singular if it is one. *)
let with_unit amount unit =
  let one = if unit = "leaves" then "leaf" 
    else if String.ends_with ~suffix:"s" unit then String.sub unit 0 (String.length unit - 1) else unit in
  amount ^ if unit = "" then "" else " " ^ if amount = "1" then one else unit

let words labels = function
  | "answer", Json.Text "both" -> Some "both know"
  | "answer", Json.Text who -> Some (who ^ " knows")
  | ("rounds" | "first"), Json.Null -> None
  | "code", Json.Null -> Some "every label"
  | ("code" | "label"), Json.Int found -> Some ("label " ^ Json.to_string (List.nth labels (Z.to_int found)))
  | "weights", (Json.List _ as given) -> Some ("weights sha256 " ^ String.sub (Sha256.digest (Json.to_string given)) 0 12)
  | (("values" | "parties") as name), Json.List given when List.length given <= 16 -> Some (name ^ " " ^ String.concat ", " (List.map Json.to_string given))
  | name, (Json.List _ as given) -> Some (name ^ " sha256 " ^ Sha256.digest (Json.to_string given))
  | name, Json.Text found -> Some (name ^ " " ^ found)
  | name, other -> Some (name ^ " " ^ Json.to_string other)

let given labels = function
  | Json.Object found -> String.concat ", " (List.filter_map (words labels) found)
  | _ -> assert false

let how proofs =
  String.concat ", " (List.map (fun (side, _, kind) -> (match side with Kernel.Lower -> "lower by " | Kernel.Upper -> "upper by ") ^ kind) proofs)
