(* Trees of protocols, with coins and without. *)
open Refusal
open Fields

let party data = match text data with
  | "alice" -> Kernel.Alice | "bob" -> Kernel.Bob
  | _ -> refuse "a speaker is alice or bob"

let size (matrix : Matrix.t) = function Kernel.Alice -> matrix.height | Kernel.Bob -> matrix.width
let other = function Kernel.Alice -> Kernel.Bob | Kernel.Bob -> Kernel.Alice

let pair most data = match items data with
  | [ first; second ] -> (number 0 most first, number 0 most second)
  | _ -> refuse "expected a pair"

let rec tree matrix data = match data with
  | Json.Object found when List.mem_assoc "speaker" found -> (
      match fields data [ "speaker"; "ones"; "zero"; "one" ] with
      | [ speaker; ones; zero; one ] ->
          let speaker = party speaker in
          let ones = lines (size matrix speaker) ones in
          let zero = tree matrix zero in
          Kernel.Node (speaker, ones, zero, tree matrix one)
      | _ -> assert false)
  | Json.Object found when List.mem_assoc "answer" found ->
      Kernel.Leaf (number 0 Claims.most_code (List.hd (fields data [ "answer" ])))
  | _ ->
      let answers = items (List.hd (fields data [ "answers" ])) in
      let count = List.length answers in
      Bits.spend (count * count / 8); (* the kernel goes through them for each line *)
      Kernel.LeafByLine (List.map (pair Claims.most_code) answers)

let rec tells_all = function
  | Kernel.Leaf _ -> true | Kernel.LeafByLine _ -> false
  | Kernel.Node (_, _, zero, one) -> tells_all zero && tells_all one

(* Each line of the speaker gets two integer weights, in which what follows either message is told in the same units. No number
   is longer than [most_bits] on the way to a leaf, or for all leaves together. *)
let most_bits = 1 lsl 10

let rec coins (matrix : Matrix.t) above data = match data with
  | Json.Object found when List.mem_assoc "speaker" found -> (
      match fields data [ "speaker"; "chances"; "zero"; "one" ] with
      | [ speaker; chances; zero; one ] ->
          let speaker = party speaker and chances = List.map rational (items chances) in
          need (List.length chances = size matrix speaker) "a chance for each line";
          let ones, scale = Units.in_units most_bits chances in
          need (List.for_all (fun one -> Z.sign one >= 0 && Z.leq one scale) ones) "chances from 0 to 1";
          let above = Z.mul above scale in
          need (Z.numbits above <= most_bits) "numbers that get too long";
          let zero, unit = coins matrix above zero in
          let one, other = coins matrix above one in
          let both = Z.lcm unit other in
          need (Z.numbits both <= most_bits) "numbers that get too long";
          let left = Z.divexact both unit and right = Z.divexact both other in
          let weights = List.map (fun one -> (Z.mul (Z.sub scale one) left, Z.mul one right)) ones in
          (Kernel.Throws (speaker, weights, zero, one), Z.mul scale both)
      | _ -> assert false)
  | _ -> (Kernel.Says (number 0 Claims.most_code (List.hd (fields data [ "answer" ]))), Z.one)

let coin_tree matrix data =
  let tree, unit = coins matrix Z.one data in
  need (Z.numbits unit <= most_bits) "a common denominator that is too long";
  tree
