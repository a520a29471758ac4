(** * All splits of some lines where few leaves are to spare, by the ranks of both sides

    Each answer has a vector for each line: its row, on as many columns as the rank needs, and the line's entries in a
    basis of the linear dependencies of the rows. *)
From Coq Require Import List Arith Bool NArith ZArith.
From Ccsim Require Import Specification Lines Elimination.
Import ListNotations.
Open Scope N_scope.

Definition sum_lengths {T} (l : list (list T)) : N := fold_right (fun b n => N.of_nat (length b) + n) 0 l.

Fixpoint map2 {S T U} (g : S -> T -> U) (l : list S) (m : list T) : list U :=
  match l, m with a :: l', b :: m' => g a b :: map2 g l' m' | _, _ => [] end.

(** Columns on which the rows of an answer have their whole rank, and the entries of each row in dependencies of them. That
    they are such is checked below. *)
Definition unit_vector (n place : nat) : list Z := map (fun j => if Nat.eqb j place then 1%Z else 0%Z) (seq 0 n).

Definition eliminated (q : Z) (width n : nat) (found : basis * list (list Z)) (e : nat * list Z) : basis * list (list Z) :=
  let r := reduce q (fst found) (snd e ++ unit_vector n (fst e)) in
  match first_entry q 0 r with
  | Some i => if Nat.ltb i width then ((i, r) :: fst found, snd found) else (fst found, skipn width r :: snd found)
  | None => found
  end.

Definition dependencies (q : Z) (width : nat) (vs : list (list Z)) : basis * list (list Z) :=
  fold_left (eliminated q width (length vs)) (combine (seq 0 (length vs)) vs) ([], []).

Definition plan_of (q : Z) (cols : list N) (lines : list (nat * line)) (c : N) : list N * list (list Z) :=
  let '(pivots, found) := dependencies q (length cols) (map (fun e => vector cols (plane c (snd e))) lines) in
  (map (fun e => nth (fst e) cols 0) pivots, transpose (length lines) found).

Definition planned (plans : list (N * (list N * list (list Z)))) (c : N) : list N * list (list Z) :=
  match find (fun e => fst e =? c) plans with Some e => snd e | None => ([], []) end.

Definition row_at (plan : N -> list N * list (list Z)) (c : N) (e : nat * line) : list Z := vector (fst (plan c)) (plane c (snd e)).
Definition entries_at (plan : N -> list N * list (list Z)) (c : N) (e : nat * line) : list Z := nth (fst e) (snd (plan c)) [].

(** Each place of the entries has a dependency of the rows. *)
Definition added (q : Z) (es : list (list Z * list Z)) : list Z :=
  fold_right (fun e sum => combine_rows q 1 sum (- hd 0 (snd e))%Z (fst e)) [] es.

Fixpoint orthogonal_to (q : Z) (n : nat) (es : list (list Z * list Z)) : bool :=
  match n with
  | O => forallb (fun e => match snd e with [] => true | _ => false end) es
  | S n => if forallb (fun x => x mod q =? 0)%Z (added q es) then orthogonal_to q n (map (fun e => (fst e, tl (snd e))) es) else false
  end.

Definition orthogonal (q : Z) {T} (v w : T -> list Z) (es : list T) : bool :=
  orthogonal_to q (list_max (map (fun e => length (w e)) es)) (map (fun e => (v e, w e)) es).

(** What is put on a side: lines as a mask, how many, and bases of their rows and of their entries. *)
Record tight_side := Held { mask_held : N; lines_held : N; rows_held : list basis; entries_held : list basis }.
Record tight_line := Offered { line_offered : N; its_rows : list (list Z); its_entries : list (list Z); may_catch : list N }.

Definition joined (q : Z) (s : tight_side) (l : tight_line) : option tight_side :=
  let inside := N.setbit (mask_held s) (line_offered l) in
  if existsb (fun core => N.ldiff core inside =? 0) (may_catch l) then None
  else Some (Held inside (lines_held s + 1) (map2 (extend q) (rows_held s) (its_rows l)) (map2 (extend q) (entries_held s) (its_entries l))).

(** Answers, leaves of a half, lines, and the ranks of all lines. *)
Record spare := Spare { answers_told : N; half_leaves : N; lines_in_all : N; rows_in_all : N; entries_in_all : N }.

Definition room (s : spare) (entries : N) : N := (half_leaves s + entries_in_all s - entries) / answers_told s.

(** Whether both halves may still have so few leaves, with the ranks of all lines that are put. *)
Definition fit (s : spare) (ranks : N * N) (a b : tight_side) : bool :=
  let '(h, rows, entries) := (half_leaves s, rows_in_all s, entries_in_all s) in
  let '(ra, rb) := (sum_lengths (rows_held a), sum_lengths (rows_held b)) in
  let '(ea, eb) := (sum_lengths (entries_held a), sum_lengths (entries_held b)) in
  (ra <=? h) && (rb <=? h) && (ra + rb + rows <=? 2 * h + fst ranks) && (ea + eb + rows <=? 2 * h + snd ranks) &&
  (answers_told s * lines_held a + eb <=? h + entries) && (answers_told s * lines_held b + ea <=? h + entries) &&
  (lines_in_all s <=? room s ea + room s eb).

(** Whether a side has the lines of one of some pairs, and surely the rank that goes with them when all lines are put. *)
Definition heavy (s : spare) (refuted : list (N * N)) (mine yours : tight_side) : bool :=
  let most := answers_told s * room s (sum_lengths (entries_held mine)) + entries_in_all s in
  let least := N.max (sum_lengths (rows_held mine)) (answers_told s * lines_in_all s + sum_lengths (entries_held yours) - most) in
  existsb (fun r => if N.ldiff (fst r) (mask_held mine) =? 0 then snd r <=? least else false) refuted.

Definition may_go_on (s : spare) (refuted : list (N * N)) (ranks : N * N) (mine yours : tight_side) : bool :=
  if fit s ranks mine yours then
    match refuted with [] => true | _ => negb (heavy s refuted mine yours || heavy s refuted yours mine) end
  else false.

(** Line after line on one of two sides, the first one on mine; [fits] is asked with the ranks of all lines that are put. *)
Section Sides.
Variable q : Z.
Variable fits : N * N -> tight_side -> tight_side -> bool.
Variable last : tight_side -> bool.

Fixpoint no_tight_split (mine yours : tight_side) (lines : list (tight_line * (N * N))) : bool :=
  match lines with
  | [] => last yours
  | (l, ranks) :: rest =>
      if match joined q mine l with
         | None => true
         | Some mine' => if fits ranks mine' yours then no_tight_split mine' yours rest else true
         end
      then match joined q yours l with
           | None => true
           | Some yours' => if fits ranks mine yours' then no_tight_split mine yours' rest else true
           end
      else false
  end.

Definition no_split_of (start : tight_side) (lines : list (tight_line * (N * N))) : bool :=
  match lines with
  | (l, ranks) :: rest =>
      match joined q start l with
      | None => true
      | Some mine => if fits ranks mine start then no_tight_split mine start rest else true
      end
  | [] => false
  end.
End Sides.

Fixpoint with_ranks (q : Z) (rows entries : list basis) (lines : list tight_line) : list (tight_line * (N * N)) :=
  match lines with
  | [] => []
  | l :: rest =>
      let rows' := map2 (extend q) rows (its_rows l) in
      let entries' := map2 (extend q) entries (its_entries l) in
      (l, (sum_lengths rows', sum_lengths entries')) :: with_ranks q rows' entries' rest
  end.

(** Cores are looked at where their last line is put. *)
Fixpoint catching (offer : nat * line -> list N -> tight_line) (cores : list N) (es : list (nat * line)) : N * list tight_line :=
  match es with
  | [] => (0, [])
  | e :: rest =>
      let '(after, lines) := catching offer cores rest in
      (N.setbit after (fst (snd e)),
       offer e (filter (fun core => if N.testbit core (fst (snd e)) then N.land core after =? 0 else false) cores) :: lines)
  end.

Definition in_order (L : list line) (order : list N) : list line :=
  flat_map (fun x => match find (fun l => fst l =? x) L with Some l => [l] | None => [] end) order.

Definition in_all {T} (q : Z) (ks : list N) (v : N -> T -> list Z) (es : list T) : N :=
  sum_lengths (map (fun c => fold_left (fun b e => extend q b (v c e)) es []) ks).

(** No split of these lines leaves two halves that have protocols of [d] bits, if no set does that has the lines of one of
    some pairs, and the rank that goes with them. *)
Definition tight_ok (d : nat) (ks : list N) (q : Z) (order : list N) (L : list line) (cols : list N) (C : N) (cores : list N)
    (refuted : list (N * N)) : bool :=
  let lines := in_order L order in
  let es := combine (seq 0 (length lines)) lines in
  let plans := map (fun c => (c, plan_of q cols es c)) ks in
  let v := row_at (planned plans) in
  let w := entries_at (planned plans) in
  let nothing := map (fun _ => []) ks in
  let s := Spare (N.of_nat (length ks)) (N.pow 2 (N.of_nat d)) (N.of_nat (length es)) (in_all q ks v es) (in_all q ks w es) in
  let offer e cores := Offered (fst (snd e)) (map (fun c => v c e) ks) (map (fun c => w c e) ks) cores in
  Nat.eqb (length order) (length L) &&
  forallb (fun l => existsb (fun e : nat * line => fst (snd e) =? fst l) es) L &&
  forallb (fun c => forallb (N.testbit C) (fst (planned plans c))) ks &&
  forallb (fun c => orthogonal q (v c) (w c) es) ks &&
  (answers_told s * lines_in_all s =? rows_in_all s + entries_in_all s) &&
  no_split_of q (may_go_on s refuted) (fun yours => lines_held yours =? 0) (Held 0 0 nothing nothing)
    (with_ranks q nothing nothing (snd (catching offer cores es))).
