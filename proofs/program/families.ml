(* The family of a certificate for every length: an automaton over pairs of letters, as the kernel has it. *)
open Refusal
open Fields

let most_states = 1 lsl 12
let most_entries = 1 lsl 20
let most_codes = 1 lsl 16

type t = {
  family : Kernel.family;
  states : int;
  labels : Json.t list;
  text : string; (* what it is, for people *)
  digest : string; (* SHA-256 of table, outputs, first state and labels *)
}

let read_labels data =
  let labels = Matrix.read_labels data in
  need (labels <> [] && List.length labels <= most_codes) "different labels"; labels

let known = [ "equality"; "disjointness"; "intersection"; "greater-than"; "inner-product" ]

let answer_of outputs state = match outputs.(state) with -1 -> None | code -> Some (Z.of_int code)

let numbers low high data = Array.of_list (List.map (integer low high) (items data))

(* Its table is looked up where the kernel takes a step; it is what was read, or what the kernel says. *)
let tabled ~text ~labels ~states ~(alice : int) ~(bob : int) ~first ~outputs step =
  need (states > 0 && states <= most_states && alice > 0 && bob > 0) "an automaton with letters";
  if states * alice * bob > most_entries then unreached "a table that is too large";
  let table = Array.init states (fun state -> Array.init alice (fun x -> Array.init bob (fun y -> step state x y))) in
  let lists inner data = Json.List (Array.to_list (Array.map inner data)) in
  let number n = Json.Int (Z.of_int n) in
  let whole = [ lists (lists (lists number)) table; lists number outputs; number first; Json.List labels ] in
  let family =
    { Kernel.alice_letters = alice; bob_letters = bob; start = first;
      step = (fun state x y -> table.(state).(x).(y)); output = answer_of outputs } in
  { family; states; labels; text; digest = Sha256.digest (Json.to_string (Json.List whole)) }

let outputs_of labels states data =
  let outputs = numbers (-1) (List.length labels - 1) data in
  need (Array.length outputs = states) "an answer for each state"; outputs

let of_name data =
  let name = text data in
  need (List.mem name known) ("a function known here is one of " ^ String.concat ", " known);
  let found = match Kernel.family_of_name (List.assoc name Matrix.names) with Some found -> found | None -> assert false in
  let states = if name = "greater-than" then 3 else 2 in
  let outputs = Array.init states (fun state -> match found.output state with Some code -> Z.to_int code | None -> -1) in
  tabled ~text:(name ^ ", n bits each") ~labels:[ Json.Int Z.zero; Json.Int Z.one ] ~states ~alice:2 ~bob:2 ~first:0 ~outputs found.step

let dealt symbols table outputs first labels partition =
  let size = List.length (read_labels symbols) and turn = text partition in
  let plain = String.for_all (fun owner -> owner = 'A' || owner = 'B') turn in
  need (plain && String.length turn <= 16 && String.contains turn 'A' && String.contains turn 'B')
    "a partition is a text of letters A and B, at least one of each";
  let states = List.length (items table) in
  let owners = List.map (function 'A' -> Kernel.Alice | _ -> Kernel.Bob) (List.of_seq (String.to_seq turn)) in
  let entries = float_of_int states *. (float_of_int size ** float_of_int (String.length turn)) in
  if entries > float_of_int most_entries then unreached "a table that is too large";
  let lines = Array.of_list (List.map (numbers 0 (states - 1)) (items table)) in
  need (Array.for_all (fun line -> Array.length line = size) lines) "a next state for each symbol";
  let labels = read_labels labels in
  let outputs = outputs_of labels states outputs and first = integer 0 (states - 1) first in
  let found = Kernel.dealt size (fun state symbol -> lines.(state).(symbol)) owners first (answer_of outputs) in
  let text = Printf.sprintf "a language of %d letters, %d states, words of length %d n, partition of the input: %s" size states (String.length turn) turn in
  tabled ~text ~labels ~states ~alice:found.alice_letters ~bob:found.bob_letters ~first ~outputs found.step

let of_table table outputs first labels =
  let states = List.length (items table) in
  need (states > 0 && states <= most_states) "an automaton with letters";
  let rows = List.map (fun lines -> Array.of_list (List.map (numbers 0 (states - 1)) (items lines))) (items table) in
  let alice = Array.length (List.hd rows) in
  need (alice > 0) "an automaton with letters";
  let bob = Array.length (List.hd rows).(0) in
  let even row = Array.length row = alice && Array.for_all (fun line -> Array.length line = bob) row in
  need (List.for_all even rows) "a table of one size for all states";
  let rows = Array.of_list rows and labels = read_labels labels in
  let outputs = outputs_of labels states outputs and first = integer 0 (states - 1) first in
  let text = Printf.sprintf "a family of %d x %d letters, %d states" alice bob states in
  tabled ~text ~labels ~states ~alice ~bob ~first ~outputs (fun state x y -> rows.(state).(x).(y))

let read data = match data with
  | Json.Object found when List.mem_assoc "function" found -> of_name (List.hd (fields data [ "function" ]))
  | Json.Object found when List.mem_assoc "partition" found -> (
      match fields data [ "symbols"; "table"; "outputs"; "first"; "labels"; "partition" ] with
      | [ symbols; table; outputs; first; labels; partition ] -> dealt symbols table outputs first labels partition
      | _ -> assert false)
  | _ -> (
      match fields data [ "table"; "outputs"; "first"; "labels" ] with
      | [ table; outputs; first; labels ] -> of_table table outputs first labels
      | _ -> assert false)
