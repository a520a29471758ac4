(** * Sides of a split of which only some lines are known, refuted whatever the others are

    All sides with the lines [A] that have at least some rank are refuted for one bit more than is left to a half. *)
From Coq Require Import List Arith Bool NArith ZArith.
From Ccsim Require Import Specification Lines Elimination TightSplits.
Import ListNotations.
Open Scope N_scope.

(** Vectors across have an entry for each of some columns. *)
Definition entries_of (cols : list N) (u : list Z) : list (N * Z) := combine cols u.
Definition summed (m : N) (es : list (N * Z)) : Z := fold_right (fun e s => if N.testbit m (fst e) then (snd e + s)%Z else s) 0%Z es.
Definition vanishes (q : Z) (m : N) (es : list (N * Z)) : bool := (summed m es mod q =? 0)%Z.
Definition without_zeros (es : list (N * Z)) : list (N * Z) := filter (fun e => negb (snd e =? 0)%Z) es.

(** Vectors that are orthogonal to all rows of an answer, as is checked. One that mixes all of them comes first: hardly a
    row is orthogonal to it, and not to one of the others. *)
Definition blended (q : Z) (us : list (list Z)) : list Z := fold_left (fun sum u => combine_rows q 7919 sum (-1) u) us [].

Definition normals (q : Z) (cols : list N) (W : list line) (c : N) : list (list Z) :=
  let us := snd (dependencies q (length W) (transpose (length cols) (map (fun l => vector cols (plane c l)) W))) in
  filter (fun u => let es := without_zeros (entries_of cols u) in forallb (fun l => vanishes q (plane c l) es) W) (blended q us :: us).

Definition all_normals (q : Z) (cols ks : list N) (W : list line) : list (N * list (list Z)) := map (fun c => (c, normals q cols W c)) ks.

(** A line of a side, shown on one half of the lines across, is a combination of lines of the side, if no leaf is lost. *)
Definition inside (cols : list N) (x : N) (found : list (N * list (list Z))) : list (N * list (list (N * Z))) :=
  map (fun d => (fst d, map (fun u => filter (fun e => N.testbit x (fst e)) (without_zeros (entries_of cols u))) (snd d))) found.

Definition may_be (q : Z) (shown : list (N * list (list (N * Z)))) (l : line) : bool :=
  forallb (fun d => forallb (vanishes q (plane (fst d) l)) (snd d)) shown.

(** What is given: the party's lines, the columns, all answers, rectangles that are too hard for a half, and leaves. *)
Record sides := Sides { field : Z; every_line : list line; places : list N; answers : list N; too_hard : list (N * N);
                        leaves_of_half : N; lines_known : list line; rank_at_least : N }.

Definition rank_of (s : sides) (cols : list N) (X : list line) : N := in_all (field s) (answers s) (fun c l => vector cols (plane c l)) X.

(** Whether a half is refuted of a side with these lines, as a mask and in full. *)
Definition half_refuted (s : sides) (part L : N) (X : list line) : bool :=
  if existsb (fun core => if N.ldiff (fst core) L =? 0 then N.ldiff (snd core) part =? 0 else false) (too_hard s) then true
  else leaves_of_half s <? rank_of s (filter (N.testbit part) (places s)) X.

(** Too few lines for such a rank. *)
Definition too_few (s : sides) (known : N) (W : list line) : bool :=
  let answers := N.of_nat (length (answers s)) in
  answers * N.of_nat (length W) + known <? rank_at_least s + answers * N.of_nat (length (lines_known s)).

(** All sides with the lines [L], within [W], after which the lines across are divided in [x] and the rest. *)
Fixpoint no_side (s : sides) (known x rest : N) (fuel : nat) (found : list (N * list (list Z))) (L : N) (W : list line) : bool :=
  match fuel with
  | O => false
  | S fuel =>
      let possible := may_be (field s) (inside (places s) x found) in
      if existsb (fun l => if N.testbit L (fst l) then negb (possible l) else false) W then true
      else
        let W' := filter possible W in
        if too_few s known W' then true
        else
          let X := filter (fun l => N.testbit L (fst l)) W' in
          if half_refuted s x L X then true
          else if half_refuted s rest L X then true
          else
            let again := all_normals (field s) (places s) (map fst found) in
            if Nat.ltb (length W') (length W) then no_side s known x rest fuel (again W') L W'
            else
              match find (fun l => negb (N.testbit L (fst l))) W' with
              | None => false
              | Some l =>
                  if no_side s known x rest fuel found (N.setbit L (fst l)) W'
                  then let fewer := filter (fun l' => negb (fst l' =? fst l)) W' in no_side s known x rest fuel (again fewer) L fewer
                  else false
              end
  end.

(** Equations for one half of the lines across: an echelon form, each where its last place is. *)
Definition equation (cols : list N) (m : N) (u : list Z) : list Z := map2 (fun y a => if N.testbit m y then a else 0%Z) cols u.

Definition equations (q : Z) (cols : list N) (A : list line) (found : list (N * list (list Z))) : list (N * list (N * Z)) :=
  let raw := flat_map (fun d => flat_map (fun l => map (equation cols (plane (fst d) l)) (snd d)) A) found in
  map (fun b => let es := without_zeros (entries_of cols (snd b)) in (fold_right (fun e m => N.setbit m (fst e)) 0 es, es))
    (fold_left (extend q) raw []).

Fixpoint attached (eqs : list (N * list (N * Z))) (before : N) (cols : list N) : list (N * list (list (N * Z))) :=
  match cols with
  | [] => []
  | y :: rest =>
      let now := N.setbit before y in
      (y, map snd (filter (fun e => if N.testbit (fst e) y then N.ldiff (fst e) now =? 0 else false) eqs)) :: attached eqs now rest
  end.

Fixpoint all_halves (q : Z) (refuted : N -> bool) (cols : list (N * list (list (N * Z)))) (x : N) : bool :=
  match cols with
  | [] => if x =? 0 then true else refuted x
  | (y, eqs) :: rest =>
      if (if forallb (vanishes q x) eqs then all_halves q refuted rest x else true)
      then let more := N.setbit x y in if forallb (vanishes q more) eqs then all_halves q refuted rest more else true
      else false
  end.

(** All ways to leave out so many. *)
Fixpoint every_choice {T} (holds : list T -> bool) (l : list T) (out : nat) (kept : list T) : bool :=
  match l with
  | [] => holds kept
  | a :: rest =>
      if (if Nat.leb out (length rest) then every_choice holds rest out (a :: kept) else true)
      then match out with S out => every_choice holds rest out kept | O => true end
      else false
  end.

(** The known lines cannot be put on two sides, one of which may have none. *)
Definition near (s : sides) (ranks : N * N) (a b : tight_side) : bool :=
  let '(ra, rb) := (sum_lengths (rows_held a), sum_lengths (rows_held b)) in
  (ra <=? leaves_of_half s) && (rb <=? leaves_of_half s) && (ra + rb + rank_at_least s <=? 2 * leaves_of_half s + fst ranks).

Definition undivided (s : sides) : bool :=
  let es := combine (seq 0 (length (lines_known s))) (lines_known s) in
  let nothing := map (fun _ => []) (answers s) in
  let offer (e : nat * line) cores :=
    Offered (fst (snd e)) (map (fun c => vector (places s) (plane c (snd e))) (answers s)) (map (fun _ => []) (answers s)) cores in
  no_split_of (field s) (near s) (fun _ => false) (Held 0 0 nothing nothing)
    (with_ranks (field s) nothing nothing (snd (catching offer (nodup N.eq_dec (map fst (too_hard s))) es))).

Definition every_half_refuted (s : sides) (A C first : N) (later : list N) (kept : list (N * list (list Z))) : bool :=
  let known := rank_of s (places s) (lines_known s) in
  let refuted x := no_side s known x (N.ldiff C x) (S (length (every_line s))) kept A (every_line s) in
  all_halves (field s) refuted (attached (equations (field s) (places s) (lines_known s) kept) (N.setbit 0 first) later) 0.

(** The last places come first in vectors, so that each equation ends where it starts. *)
Definition given_ok (d : nat) (ks : list N) (q : Z) (L : list line) (cols : list N) (C : N) (cores : list (N * N)) (A least : N) : bool :=
  let h := N.pow 2 (N.of_nat d) in
  let s := Sides q L (rev cols) ks cores h (filter (fun l => N.testbit A (fst l)) L) least in
  let lost := 2 * h - least in
  match cols with
  | [] => false
  | first :: later =>
      (N.ldiff A (fold_right (fun l m => N.setbit m (fst l)) 0 L) =? 0) &&
      (N.ldiff C (fold_right (fun y m => N.setbit m y) 0 cols) =? 0) && (least <=? 2 * h) && (lost <? N.of_nat (length ks)) && undivided s &&
      every_choice (every_half_refuted s A C first later) (all_normals q (rev cols) ks L) (N.to_nat lost) []
  end.
