(* What each rectangle costs at least, in leaves or in bits, for some lines: the kernel checks that no split costs less. That it
   is found is trusted of nothing. A set of lines is a number, with its first line as the highest bit. *)

let most_splits = 1 lsl 32

let lines_in own set = List.filteri (fun place _ -> set lsr (Array.length own - 1 - place) land 1 = 1) (Array.to_list own)

(* Whether a rectangle is a leaf: the sets across on which an answer is right, for each line of the first party. *)
let leaf who allowed set =
  let lines = lines_in allowed set in
  let within across right = across land lnot right = 0 in
  let shared () = match lines with
    | [] -> [ -1 ]
    | first :: rest -> List.fold_left (List.map2 ( land )) first rest in
  match who with
  | Kernel.Both -> let shared = shared () in fun across -> List.exists (within across) shared
  | Kernel.AliceAlone -> fun across -> List.for_all (List.exists (within across)) lines
  | Kernel.BobAlone -> let any = List.fold_left ( lor ) 0 (shared ()) in fun across -> within across any

let far = 8192

(* Lower what stands in a row to what each split of a set of lines takes: of rows, everywhere across. *)
let by_rows leaves least set row =
  let part = ref ((set - 1) land set) in
  while !part > set lxor !part do
    let one = least.(!part) and other = least.(set lxor !part) in
    for across = 0 to Array.length row - 1 do
      let one = Array.unsafe_get one across and other = Array.unsafe_get other across in
      let both = if leaves then one + other else if one > other then one + 1 else other + 1 in
      if both < Array.unsafe_get row across then Array.unsafe_set row across both
    done;
    part := (!part - 1) land set
  done

(* Of one set of columns. *)
let by_columns leaves row set =
  let best = ref row.(set) and part = ref ((set - 1) land set) in
  while !part > set lxor !part do
    let one = Array.unsafe_get row !part and other = Array.unsafe_get row (set lxor !part) in
    let both = if leaves then one + other else if one > other then one + 1 else other + 1 in
    if both < !best then best := both;
    part := (!part - 1) land set
  done;
  !best

let table leaves who allowed width =
  let least = Array.make (1 lsl Array.length allowed) (Array.make (1 lsl width) 0) in
  for set = 1 to Array.length least - 1 do
    let row = Array.make (1 lsl width) far and leaf = leaf who allowed set in
    row.(0) <- 0;
    by_rows leaves least set row;
    for across = 1 to Array.length row - 1 do
      row.(across) <- (if leaf across then (if leaves then 1 else 0) else by_columns leaves row across)
    done;
    least.(set) <- row
  done;
  Array.to_list (Array.map (fun row -> Array.fold_right (fun entry rest -> Z.of_int entry :: rest) row []) least)

(* For lines of both parties, and what answer is right on which cell. *)
let found leaves who allows codes rows columns =
  let mask code row = List.fold_left (fun mask column -> (2 * mask) + Bool.to_int (allows code row column)) 0 columns in
  let allowed = Array.of_list (List.map (fun row -> List.map (fun code -> mask code row) codes) rows) in
  table leaves who allowed (List.length columns)
