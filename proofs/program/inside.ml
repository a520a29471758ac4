(* A smaller family inside of another one, and the witness about it with each suffix. *)
open Refusal
open Fields

let most_words = 64
let most_states = 400 (* of the system whose numbers are claimed *)

let pairs (family : Kernel.family) data =
  List.split (List.map (pair_of (integer 0 (family.alice_letters - 1)) (integer 0 (family.bob_letters - 1))) (items data))

let words letters data =
  let found = List.map (fun word -> List.map (integer 0 (letters - 1)) (items word)) (items data) in
  need (found <> []) "words for letters"; found

(* Steps are looked up. *)
let smaller (found : Families.t) prefix suffix alice bob =
  let inner = Kernel.smaller found.family prefix suffix alice bob in
  let rows = inner.alice_letters and columns = inner.bob_letters in
  if found.states * rows * columns > Families.most_entries then unreached "a table that is too large";
  let table = Array.init found.states (fun q -> Array.init rows (fun x -> Array.init columns (fun y -> inner.step q x y))) in
  let outputs = Array.init found.states inner.output in
  { found with family = { inner with step = (fun q x y -> table.(q).(x).(y)); output = (fun q -> outputs.(q)) } }

let states_of = function
  | Kernel.RegularFoolingSet words | Kernel.TriangularComplement (_, words, _, _) -> List.length words.moves + 2
  | Kernel.TensorShifts (_, _, _, _, length, _, power) -> length + power + 1
  | _ -> 3

let substituted (found : Families.t) witness = function
  | [ prefix; alice; bob; suffixes; inner ] ->
      let family = found.family in
      let prefix = pairs family prefix and alice = words family.alice_letters alice and bob = words family.bob_letters bob in
      let length = List.length (List.hd alice) in
      need (length > 0 && List.for_all (fun word -> List.length word = length) (alice @ bob)) "words of one length";
      let suffixes = List.map (pairs family) (items suffixes) in
      need (List.length suffixes = length && length <= most_words) "as many suffixes as letters in a word";
      need (Witnesses.kind_of inner <> "substitution" || unreached "a substitution inside of one has no theorem here yet") "";
      let part suffix = let used, most = witness (smaller found prefix suffix alice bob) inner in ((suffix, used), most) in
      let parts = List.map part suffixes in
      let before = List.length (fst prefix) + List.length (fst (List.hd suffixes)) in
      let states = (states_of (snd (fst (List.hd parts))) * length) + before in
      if states > most_states then unreached "a substitution of too many states";
      (Kernel.Substituted (length, prefix, alice, bob, List.map fst parts), snd (List.hd parts))
  | _ -> assert false
