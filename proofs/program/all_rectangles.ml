(* What each rectangle costs at least, in leaves or in bits, for some lines: the kernel checks that no split costs less. That it
   is found is trusted of nothing. A set of lines is a number, with its first line as the highest bit. *)

let most_splits = 1 lsl 32

(* Numbers side by side in words, each in a lane that has two bits more. *)
type lanes = { size : int; bits : int; count : int; bytes : int; guard : int; ones : int; most : int }

let lanes size bytes most =
  let bits = size + 2 in
  let count = 8 * bytes / bits in
  let ones = List.fold_left (fun word lane -> word lor (1 lsl (bits * lane))) 0 (List.init count Fun.id) in
  { size; bits; count; bytes; guard = ones lsl (bits - 1); ones; most }

(* Where nothing is right on some cell, there is no leaf with it, and more than so much is not counted. *)
let far = 8192
let shapes = [ lanes 5 7 31; lanes 6 7 63; lanes 8 5 255; lanes 14 6 far ]

let packed lanes count entry =
  let word first =
    let found = ref 0 in
    for place = min count (first + lanes.count) - 1 downto first do found := (!found lsl lanes.bits) lor entry place done;
    !found in
  Array.init ((count + lanes.count - 1) / lanes.count) (fun place -> word (place * lanes.count))

(* A table of lanes by columns instead of rows, of which each has so many. *)
let turned lanes rows count =
  let mask = (1 lsl lanes.bits) - 1 in
  Array.init count (fun place ->
    let word = place / lanes.count and shift = lanes.bits * (place mod lanes.count) in
    packed lanes (Array.length rows) (fun line -> (rows.(line).(word) lsr shift) land mask))

(* Lower what a set of lines takes, lane by lane, to what each split of it takes. *)
let by_splits leaves { guard; ones; bits; _ } known set =
  let least = known.(set) and part = ref ((set - 1) land set) in
  let[@inline] lower one other =
    let above = ((one lor guard) - other) land guard in
    one lxor ((one lxor other) land (above - (above lsr (bits - 1)))) in
  while !part > set lxor !part do
    let one = known.(!part) and other = known.(set lxor !part) in
    for place = 0 to Array.length least - 1 do
      let one = Array.unsafe_get one place and other = Array.unsafe_get other place in
      let both = if leaves then one + other else one + other - lower one other + ones in
      Array.unsafe_set least place (lower (Array.unsafe_get least place) both)
    done;
    part := (!part - 1) land set
  done

(* The sets within one, a bit for each. *)
let within width set =
  let add sets place = if (set lsr place) land 1 = 1 then Z.logor sets (Z.shift_left sets (1 lsl place)) else sets in
  List.fold_left add Z.one (List.init width Fun.id)

(* The sets across that are a leaf with a set of lines, of which each says for each answer on which cells it is right. *)
let leaf who width allowed =
  let any masks = List.fold_left (fun sets mask -> Z.logor sets (within width mask)) Z.zero masks in
  let each = Array.map any allowed and everything = List.map (fun _ -> -1) allowed.(0) in
  let inside set value = List.filteri (fun place _ -> (set lsr (Array.length allowed - 1 - place)) land 1 = 1) (Array.to_list value) in
  let shared set = List.fold_left (List.map2 ( land )) everything (inside set allowed) in
  match who with
  | Kernel.Both -> fun set -> any (shared set)
  | Kernel.AliceAlone -> fun set -> List.fold_left Z.logand (within width (-1)) (inside set each)
  | Kernel.BobAlone -> fun set -> within width (List.fold_left ( lor ) 0 (shared set))

(* No rectangle takes more: one party names its line, the other an answer, each of at most 16. *)
let enough leaves width allowed =
  let lines = Array.to_list allowed in
  let across = List.init width (fun place -> List.map (List.map (fun mask -> (mask lsr place) land 1)) lines) in
  let union = List.fold_left (List.map2 ( lor )) (List.map (fun _ -> 0) allowed.(0)) in
  let met masks = List.length (List.filter (( <> ) 0) masks) in
  let total named = List.fold_left (fun sum masks -> sum + met masks) 0 named in
  let possible masks = List.fold_left ( lor ) 0 masks = (1 lsl width) - 1 in
  if not (List.for_all possible lines) then far
  else if leaves then min (total lines) (total (List.map union across))
  else 8

let table leaves who width allowed =
  let lanes = List.find (fun lanes -> enough leaves width allowed <= lanes.most) shapes in
  let height = Array.length allowed and leaf = leaf who width allowed and least = Bool.to_int leaves in
  let first set =
    let sets = leaf set in
    packed lanes (1 lsl width) (fun across -> if Z.testbit sets across then least else lanes.most) in
  let known = Array.init (1 lsl height) first in
  let lines set = List.length (List.filter (fun place -> (set lsr place) land 1 = 1) (List.init height Fun.id)) in
  let groups = Array.make (height + 1) [] in
  for set = Array.length known - 1 downto 0 do groups.(lines set) <- set :: groups.(lines set) done;
  let by_group sets =
    List.iter (by_splits leaves lanes known) sets;
    let group = List.map (fun set -> known.(set)) sets in
    let across = turned lanes (Array.of_list group) (1 lsl width) in
    for set = 1 to Array.length across - 1 do by_splits leaves lanes across set done;
    let found = turned lanes across (List.length sets) in
    List.iteri (fun place set -> known.(set) <- found.(place)) sets in
  Array.iter by_group groups;
  (lanes, known)

(* The words of a row as one number. *)
let joined lanes row =
  let text = Bytes.make (8 + (lanes.bytes * Array.length row)) '\000' in
  Array.iteri (fun place word -> Bytes.set_int64_le text (lanes.bytes * place) (Int64.of_int word)) row;
  Z.of_bits (Bytes.to_string text)

(* For lines of both parties, and what answer is right on which cell. *)
let found leaves who allows codes rows columns =
  let mask code row = List.fold_left (fun mask column -> (2 * mask) + Bool.to_int (allows code row column)) 0 columns in
  let allowed = Array.of_list (List.map (fun row -> List.map (fun code -> mask code row) codes) rows) in
  let lanes, known = table leaves who (List.length columns) allowed in
  (Z.of_int lanes.size, Array.to_list (Array.map (joined lanes) known))
