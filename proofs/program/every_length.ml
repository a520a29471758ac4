(* Certificates for every length: their claims, their witnesses, and what is said of them. *)
open Refusal
open Fields

let most_counted = 64
let most_order = 1024

(* Claims *)
let measure labels name parameters = match name with
  | "deterministic" -> (Kernel.LastingDeterministic (Claims.knowing (List.hd (fields parameters [ "answer" ]))), "bits")
  | "fooling-set" ->
      let code, answer = two_of (fields parameters [ "code"; "answer" ]) in
      (Kernel.LastingFoolingSet (Claims.knowing answer, Claims.code labels code), "cells")
  | "rank" -> (
      let code, field = two_of (fields parameters [ "code"; "field" ]) in
      match Claims.rank_over field (Claims.one_code labels code) with
      | Kernel.RankModulo (prime, code) -> (Kernel.LastingRankModulo (prime, code), "")
      | Kernel.RankRational code -> (Kernel.LastingRankRational code, "")
      | _ -> assert false)
  | "one-way-messages" -> (Kernel.LastingMessages (Claims.sender (List.hd (fields parameters [ "direction" ]))), "messages")
  | "one-way" -> (Kernel.LastingOneWay (Claims.sender (List.hd (fields parameters [ "direction" ]))), "bits")
  | _ -> refuse "a measure that is known"

let whole = function Json.Int found -> found | _ -> refuse "expected an integer"

let growth side data = match side, items data with
  | (Kernel.Lower, [ first; back ] | Kernel.Upper, ([ Json.List _ as first; back ])) ->
      let first = List.map whole (items first) and back = List.map whole (items back) in
      need (List.length first <= most_order) "a shorter recurrence";
      Kernel.Counted (first, back)
  | Kernel.Upper, [ per_block; at_end ] -> Kernel.Linear (integer 0 most_order per_block, integer 0 most_order at_end)
  | _ -> refuse "expected a count, or bits for each block and at the end"

(* Witnesses *)
let automaton ?(most = most_counted) letter data =
  let steps, accepting, first = three_of (fields data [ "steps"; "accepting"; "first" ]) in
  let size = List.length (items steps) in
  need (size > 0 && size <= most) "an automaton of fewer states";
  let listed moves =
    let moves = List.map (letter (integer 0 (size - 1))) (items moves) in
    need (List.length (List.sort_uniq compare (List.map fst moves)) = List.length moves) "two steps for one letter";
    moves in
  let accepted = List.map (integer 0 (size - 1)) (items accepting) in
  { Kernel.moves = List.map listed (items steps); accepting = List.init size (fun state -> List.mem state accepted);
    beginning = integer 0 (size - 1) first }

let pairs ?most (family : Kernel.family) =
  automaton ?most (fun state data -> match items data with
    | [ x; y; after ] -> ((integer 0 (family.alice_letters - 1) x, integer 0 (family.bob_letters - 1) y), state after)
    | _ -> refuse "expected a step")

let single letters =
  automaton (fun state -> pair_of (integer 0 (letters - 1)) state)

let rec shape sizes below data = match sizes with
  | [] -> ignore (integer 0 (below - 1) data)
  | size :: rest ->
      need (List.length (items data) = size) "lists of the right length";
      List.iter (shape rest below) (items data)

let rec widest depth data =
  if depth = 0 then integer 0 (1 lsl 16) data else List.fold_left (fun most part -> max most (widest (depth - 1) part)) 0 (items data)

let line data = Array.of_list (List.map (integer 0 (1 lsl 16)) (items data))
let lines data = Array.of_list (List.map line (items data))
let bits_for count = if count <= 1 then 0 else Z.numbits (Z.of_int (count - 1))

let parties (found : Families.t) measure = function
  | [ speaker; says; replies; hears; keeps; last; answers ] ->
      let party = Trees.party speaker and family = found.family in
      let alone = match measure with Kernel.LastingOneWay _ -> true | _ -> false in
      let mine, yours = match party with
        | Kernel.Alice -> family.alice_letters, family.bob_letters
        | Kernel.Bob -> family.bob_letters, family.alice_letters in
      let own = List.length (items says) and other = List.length (items replies) in
      need (own * other > 0 && own * other <= 1 lsl 20) "parties of at most 2^20 pairs of states";
      let said = 1 + widest 2 says and ends = 1 + widest 1 last and heard = 1 + widest 3 replies in
      shape [ own; mine ] said says;
      shape [ other; yours; said ] heard replies;
      shape [ own; mine; heard ] own hears;
      shape [ other; yours; said ] other keeps;
      shape [ own ] ends last;
      shape [ other; ends ] (List.length found.labels) answers;
      need (not alone || heard = 1) "a reply in one message";
      let cubes data = Array.of_list (List.map lines (items data)) in
      let says = lines says and replies = cubes replies and hears = cubes hears and keeps = cubes keeps in
      let last = line last and answers = lines answers in
      let both =
        { Kernel.says = (fun a x -> says.(a).(x)); replies = (fun b y m -> replies.(b).(y).(m));
          hears = (fun a x r -> hears.(a).(x).(r)); keeps = (fun b y m -> keeps.(b).(y).(m));
          last_word = (fun a -> last.(a)); tells = (fun b e -> Z.of_int answers.(b).(e));
          said_bits = bits_for said; heard_bits = bits_for heard; end_bits = bits_for ends; answer_bits = bits_for (List.length found.labels) } in
      (Kernel.FiniteStateParties (party, both), max own other)
  | _ -> assert false

let silent letters = function
  | Json.Null -> None
  | data ->
      let line = List.map (integer 0 (letters - 1)) (items data) in
      need (line <> [] && List.length line <= most_counted) "a line of some letters"; Some line

(* The witness, and the largest number of states in it. *)
let witness (found : Families.t) measure data =
  let kind = Witnesses.kind_of data in
  let given names = List.tl (fields data ("kind" :: names)) in
  let only name = List.hd (given [ name ]) in
  match kind, measure with
  | "regular-fooling-set", _ -> (Kernel.RegularFoolingSet (pairs found.family (only "words")), most_counted)
  | "regular-distinct-lines", (Kernel.LastingMessages sender | Kernel.LastingOneWay sender) ->
      let letters = match sender with Kernel.Alice -> found.family.alice_letters | Kernel.Bob -> found.family.bob_letters in
      (Kernel.RegularDistinctLines (single letters (only "lines")), most_counted)
  | "regular-message-classes", Kernel.LastingMessages sender ->
      let lines, classes = two_of (given [ "lines"; "classes" ]) in
      let letters = match sender with Kernel.Alice -> found.family.alice_letters | Kernel.Bob -> found.family.bob_letters in
      let square = { found.family with alice_letters = letters; bob_letters = letters } in
      (Kernel.RegularMessages (single letters lines, pairs ~most:(1 lsl 12) square classes), 1 lsl 12)
  | "triangular-complement", _ ->
      let code, words, lines = three_of (given [ "code"; "words"; "silent" ]) in
      let row, column = two_of (fields lines [ "alice"; "bob" ]) in
      let code = number 0 (List.length found.labels - 1) code in
      let row = silent found.family.alice_letters row and column = silent found.family.bob_letters column in
      (Kernel.TriangularComplement (code, pairs found.family words, row, column), most_counted)
  | "tensor-power", _ -> (Tensors.tensor_power found measure (only "weights"), 0)
  | "tensor-shifts", _ -> (Tensors.tensor_shifts found (given [ "prime"; "code"; "weights"; "terms" ]), 0)
  | "finite-state-parties", _ -> parties found measure (given [ "speaker"; "says"; "replies"; "hears"; "keeps"; "last"; "answers" ])
  | _, _ when List.mem kind gone_kinds -> gone "kind" kind
  | _, _ -> refuse ("this kind of witness proves no bound on the measure: " ^ kind)

let certificate_witness (found : Families.t) measure data =
  if Witnesses.kind_of data = "substitution" then
    let given = List.tl (fields data [ "kind"; "prefix"; "alice"; "bob"; "suffixes"; "of" ]) in
    Inside.substituted found (fun smaller inner -> witness smaller measure inner) given
  else
    let used, most = witness found measure data in
    (Kernel.Plain used, most)

(* A power of two above all numbers of states. *)
let base (found : Families.t) most = Z.shift_left Z.one (Z.numbits (Z.of_int (1 + max most found.states)))

(* What is said *)
let recurrence (first, back) =
  let values = List.mapi (fun place value -> Printf.sprintf "c(%d) = %s" (place + 1) (Z.to_string value)) first in
  let term (place, factor) =
    let size = if Z.equal (Z.abs factor) Z.one then "" else Z.to_string (Z.abs factor) ^ " " in
    ((if Z.sign factor < 0 then "- " else "+ "), Printf.sprintf "%sc(n-%d)" size place) in
  let found = List.filter (fun (_, factor) -> Z.sign factor <> 0) (List.mapi (fun place factor -> (place + 1, factor)) back) in
  let steps = match List.map term found with
    | [] -> "0"
    | (sign, first) :: rest ->
        String.concat " " (((if sign = "- " then sign else "") ^ first) :: List.map (fun (sign, more) -> sign ^ more) rest) in
  String.concat ", " (("c(n) = " ^ steps) :: values)

let linear slope constant =
  if slope = 0 then string_of_int constant
  else
    (if slope = 1 then "n" else string_of_int slope ^ "*n") ^ if constant = 0 then "" else " + " ^ string_of_int constant

let statement unit side = function
  | Kernel.Linear (per_block, at_end) -> Printf.sprintf "<= %s for all n >= 1" (Claims.with_unit (linear per_block at_end) unit)
  | Kernel.Counted count ->
      let value = if unit = "bits" then "ceil(log2(c(n)))" else "c(n)" in
      let sign = match side with Kernel.Lower -> ">=" | Kernel.Upper -> "<=" in
      Printf.sprintf "%s %s%s, %s, for all n >= 1" sign value (if unit = "" then "" else " " ^ unit) (recurrence count)

let check side data = match fields data [ "format"; "version"; "family"; "measure"; "unit"; "parameters"; "proofs" ] with
  | [ _; version; family; name; unit; parameters; proofs ] ->
      need (version = Json.Int Z.one) "expected version 1";
      let name = text name and found = Families.read family in
      let measure, own_unit = measure (List.length found.labels) name parameters in
      need (text unit = own_unit) ("another unit of " ^ name);
      let proof data =
        let given, claimed, data = three_of (fields data [ "side"; "value"; "witness" ]) in
        let given = side given in
        let used, most = certificate_witness found measure data in
        let claimed = growth given claimed in
        need (Kernel.accepts_always found.family measure given claimed (base found most) used) "a witness does not prove its claim";
        (given, claimed, Witnesses.kind_of data) in
      let proofs = List.map proof (items proofs) in
      need (List.mem (List.map (fun (side, _, _) -> side) proofs) Kernel.[ [ Lower ]; [ Upper ]; [ Lower; Upper ] ])
        "a proof of the lower side, of the upper, or both";
      Printf.sprintf "%s %s (%s) of %s (sha256 %s): %s" name
        (String.concat ", " (List.map (fun (side, claimed, _) -> statement own_unit side claimed) proofs))
        (Claims.given found.labels parameters) found.text (String.sub found.digest 0 12) (Claims.how proofs)
  | _ -> assert false
