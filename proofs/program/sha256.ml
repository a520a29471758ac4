(* SHA-256 (FIPS 180-4), as hexadecimal digits; words are integers below 2^32. *)
let mask = 0xFFFFFFFF

(* The first 32 bits of the fractional part of the roots of the first primes, found with integers. *)
let primes count =
  let rec from found number =
    if List.length found = count then List.rev found
    else from (if List.exists (fun prime -> number mod prime = 0) found then found else number :: found) (number + 1) in
  from [] 2

let fraction_of_root power prime = Z.to_int (Z.logand (Z.root (Z.shift_left (Z.of_int prime) (32 * power)) power) (Z.of_int mask))
let constants = Array.of_list (List.map (fraction_of_root 3) (primes 64))
let start = Array.of_list (List.map (fraction_of_root 2) (primes 8))

let rotate word places = ((word lsr places) lor (word lsl (32 - places))) land mask

let padded text =
  let size = String.length text in
  let zeros = (119 - size mod 64) mod 64 in
  let length = String.init 8 (fun place -> Char.chr (((8 * size) lsr (8 * (7 - place))) land 255)) in
  text ^ "\x80" ^ String.make zeros '\000' ^ length

let schedule data at =
  let words = Array.make 64 0 in
  for place = 0 to 15 do
    words.(place) <- Int32.to_int (String.get_int32_be data (at + 4 * place)) land mask
  done;
  for place = 16 to 63 do
    let w15 = words.(place - 15) and w2 = words.(place - 2) in
    let s0 = rotate w15 7 lxor rotate w15 18 lxor (w15 lsr 3) and s1 = rotate w2 17 lxor rotate w2 19 lxor (w2 lsr 10) in
    words.(place) <- (words.(place - 16) + s0 + words.(place - 7) + s1) land mask
  done;
  words

let block state data at =
  let words = schedule data at and now = Array.copy state in
  for place = 0 to 63 do
    let a = now.(0) and e = now.(4) in
    let s1 = rotate e 6 lxor rotate e 11 lxor rotate e 25 and choice = (e land now.(5)) lxor (lnot e land mask land now.(6)) in
    let first = now.(7) + s1 + choice + constants.(place) + words.(place) in
    let s0 = rotate a 2 lxor rotate a 13 lxor rotate a 22 in
    let majority = (a land now.(1)) lxor (a land now.(2)) lxor (now.(1) land now.(2)) in
    Array.blit now 0 now 1 7;
    now.(4) <- (now.(4) + first) land mask;
    now.(0) <- (first + s0 + majority) land mask
  done;
  Array.iteri (fun place word -> state.(place) <- (state.(place) + word) land mask) now

let digest text =
  let data = padded text and state = Array.copy start in
  for number = 0 to String.length data / 64 - 1 do block state data (64 * number) done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") state))
