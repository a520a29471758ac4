(* Trees of protocols, with coins and without. *)
open Refusal
open Fields

let party data = match text data with
  | "alice" -> Kernel.Alice | "bob" -> Kernel.Bob
  | _ -> refuse "a speaker is alice or bob"

let size (matrix : Matrix.t) = function Kernel.Alice -> matrix.height | Kernel.Bob -> matrix.width
let other = function Kernel.Alice -> Kernel.Bob | Kernel.Bob -> Kernel.Alice

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
      Kernel.LeafByLine (List.map (pair_of (number 0 Claims.most_code) (number 0 Claims.most_code)) answers)

let rec tells_all = function
  | Kernel.Leaf _ -> true | Kernel.LeafByLine _ -> false
  | Kernel.Node (_, _, zero, one) -> tells_all zero && tells_all one
