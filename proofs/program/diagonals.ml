(* Weights of lines that bound the sum over every rectangle, with a factor that shows it: the kernel checks that L L^T is near
   enough. That it is found is trusted of nothing. *)
open Refusal

(* Cholesky's factor in integers, each entry rounded, of a symmetric matrix given up to its diagonal and multiplied by 2^shift. *)
let factor_of lower shift =
  let size = Array.length lower in
  let found = Array.make size [||] and first = Array.make size 0 in
  for place = 0 to size - 1 do
    let line = Array.make (place + 1) Z.zero and lost = ref Z.zero in
    let dot start other count =
      let sum = ref Z.zero in
      for k = start to count - 1 do sum := Z.add !sum (Z.mul line.(k) other.(k)) done;
      !sum in
    for k = 0 to place - 1 do
      let other = found.(k) in
      let last = other.(k) and rest = Z.sub (Z.shift_left lower.(place).(k) shift) (dot first.(k) other k) in
      line.(k) <- Z.fdiv (Z.add (Z.shift_left rest 1) last) (Z.shift_left last 1);
      lost := Z.add !lost (Z.abs (Z.sub rest (Z.mul line.(k) last)))
    done;
    let rest = Z.sub (Z.shift_left lower.(place).(place) shift) (dot 0 line place) in
    let most = Z.sqrt (Z.max Z.zero rest) in
    let spare = Z.mul (Z.of_int (size - place)) (Z.succ (Z.shift_right most 1)) in
    let left = Z.sub (Z.sub rest !lost) spare in
    need (Z.sign left > 0) "a matrix that is not seen to be positive semidefinite";
    line.(place) <- Z.sqrt left;
    while Z.equal line.(first.(place)) Z.zero do first.(place) <- first.(place) + 1 done;
    found.(place) <- line
  done;
  (Z.shift_left Z.one shift, found)

(* The shorter its entries are, the quicker are the products: in a word if that suffices, else little longer, else as Python has them. *)
let factor lower =
  let used = Array.fold_left (Array.fold_left (fun most entry -> max most (Z.numbits entry))) 1 lower in
  need (used <= 256) "shorter numbers";
  let rec first = function
    | bits :: (_ :: _ as longer) -> (try factor_of lower (2 * (bits - (used / 2))) with Refused _ -> first longer)
    | longest -> factor_of lower (2 * max 0 (List.hd longest - (used / 2))) in
  first (if used <= 60 then [ 30; 36; 64 ] else [ 64 ])

(* The places with their weights and rows of the factor, for a table of values and a unit. The whole, whose weight is the first,
   comes last: it would fill what is 0. *)
let with_factor height width value unit weights =
  let size = 1 + height + width in
  let weights = Array.of_list (List.tl weights @ [ List.hd weights ]) in
  let times entry = Z.neg (Z.mul unit entry) in
  let sum count entry = List.fold_left (fun total place -> Z.add total (entry place)) Z.zero (List.init count Fun.id) in
  let entry line place =
    if line = place then Z.shift_left weights.(line) 1
    else if line = height + width && place < height then times (sum width (fun column -> value place column))
    else if line = height + width then times (sum height (fun row -> value row (place - height)))
    else if line >= height && place < height then times (value place (line - height))
    else Z.zero in
  let zoom, found = factor (Array.init size (fun line -> Array.init (line + 1) (entry line))) in
  let place line =
    if line = height + width then Kernel.Whole
    else if line < height then Kernel.Row (Z.of_int line)
    else Kernel.Column (Z.of_int (line - height)) in
  (zoom, List.init size (fun line -> (place line, (weights.(line), Array.to_list found.(line)))))
