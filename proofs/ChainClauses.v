(** * Covers as clauses on which sets of rectangles are those of lines

    A row has the set of the rectangles that have it, a column that of those that have it not: at another answer the one
    is part of the other. All rows cross as many columns at other answers, and all columns as many rows. Variables say
    that a set is that of a row, that it is that of a column; that chains are lost; and how often. Clauses are written here
    from the table, for each pair of sizes that may be the first of some crossing; proofs only tell the steps. *)
From Coq Require Import List Arith Lia Bool NArith ZArith.
From Ccsim Require Import Specification Lines Refutation Chains ChainCovers Counting Tries Lrat.
Import ListNotations.
Open Scope N_scope.

Definition most_rectangles : N := 10.

(** ** What crossings cost *)
Definition sizes := (nat * nat)%type. (* of the set of a row, and of that of a column *)
Definition size_on (column : bool) (p : sizes) : nat := if column then snd p else fst p.
Definition same_sizes (p q : sizes) : bool := Nat.eqb (fst p) (fst q) && Nat.eqb (snd p) (snd q).

Definition every_pair (k : nat) : list sizes := flat_map (fun s => map (pair s) (seq (S s) (k - S s))) (seq 1 (k - 1)).

Section Costs.
Variables k d e : nat. (* rectangles; crossings of a row, and of a column *)

Definition degree (column : bool) : nat := if column then e else d.

(** The chains, times [d * e], that have one of two sets, shared by the crossings of each. *)
Definition cost (p : sizes) : Z :=
  (Z.of_N (N.of_nat e * chains_of k (fst p)) + Z.of_N (N.of_nat d * chains_of k (snd p))
   - Z.of_N (N.of_nat d * N.of_nat e * chains_of_both k (fst p) (snd p)))%Z.

Definition least_cost : Z := minimum 0 (map cost (every_pair k)).

(** How much more pairs cost than the least; what is left if none does. *)
Definition priced : list (sizes * Z) := let least := least_cost in map (fun p => (p, (cost p - least)%Z)) (every_pair k).
Definition what_is_spare (crossings : N) : Z := (Z.of_N (N.of_nat d * N.of_nat e * factorial k) - Z.of_N crossings * least_cost)%Z.

Definition affordable (column : bool) (spare : Z) (size : nat) (prices : list (sizes * Z)) : bool :=
  existsb (fun x => Nat.eqb (size_on column (fst x)) size && (Z.of_nat (degree column) * snd x <=? spare)%Z) prices.

Fixpoint placed (x : sizes * Z) (l : list (sizes * Z)) : list (sizes * Z) :=
  match l with [] => [x] | y :: rest => if (snd y <=? snd x)%Z then x :: l else y :: placed x rest end.

(** The pairs that can be, first those that cost most. *)
Definition known_pairs (spare : Z) (prices : list (sizes * Z)) : list (sizes * Z) :=
  fold_right placed [] (filter (fun x => affordable false spare (fst (fst x)) prices && affordable true spare (snd (fst x)) prices
                                         && (snd x <=? spare)%Z) prices).
End Costs.

(** ** Sets, and their names *)
Record entry := { label : N; of_column : bool; the_set : N; many : nat }.

Fixpoint named_from (n : N) (l : list (bool * (nat * N))) : list entry :=
  match l with
  | [] => []
  | (column, (size, A)) :: rest => {| label := n; of_column := column; the_set := A; many := size |} :: named_from (N.succ n) rest
  end.

Definition masks_below (k : nat) : list N := indices (N.to_nat (2 ^ N.of_nat k)).

Definition entries_of (k d e : nat) (spare : Z) (prices : list (sizes * Z)) : list entry :=
  let sets := map (fun A => (size_of k A, A)) (masks_below k) in
  named_from 0 (flat_map (fun column => map (pair column) (filter (fun x => affordable d e column spare (fst x) prices) sets)) [false; true]).

Section Crossings.
Variable pairs : list (sizes * Z).
Variable entries : list entry.

Definition sizes_of (a b : entry) : sizes := if of_column a then (many b, many a) else (many a, many b).
Definition part_of_column (a b : entry) : bool := if of_column a then inside_of (the_set b) (the_set a) else inside_of (the_set a) (the_set b).

(** By how much two sets cost more, if they may be those of a crossing. *)
Definition crossing_price (a b : entry) : option Z :=
  if Bool.eqb (of_column a) (of_column b) then None
  else if part_of_column a b then option_map snd (find (fun x => same_sizes (fst x) (sizes_of a b)) pairs) else None.

Definition near (a : entry) : list (entry * Z) :=
  flat_map (fun b => match crossing_price a b with Some price => [(b, price)] | None => [] end) entries.

(** Sets that are not those of lines if this one is. *)
Definition excluded (a b : entry) : bool :=
  (inside_of (the_set a) (the_set b) || inside_of (the_set b) (the_set a)) && negb (label a =? label b)
  && match crossing_price a b with Some _ => false | None => true end.

Definition excluded_by (a : entry) : N := mask_of 0 (map (fun b => if excluded a b then Some 0 else None) entries).

Definition named (column : bool) (A : N) : option N :=
  option_map label (find (fun a => Bool.eqb (of_column a) column && (the_set a =? A)) entries).
End Crossings.

(** ** Clauses *)
Section Choices.
Context {T : Type}.

(** Some of a list, so many; and what each choice leaves. *)
Fixpoint choices (n : nat) (l : list T) : list (list T) :=
  match n with
  | O => [[]]
  | S m => match l with [] => [] | x :: rest => if Nat.ltb (length l) n then [] else map (cons x) (choices m rest) ++ choices n rest end
  end.

Fixpoint leavings (n : nat) (l : list T) : list (list T) :=
  match n with
  | O => [l]
  | S m => match l with [] => [] | x :: rest => if Nat.ltb (length l) n then [] else leavings m rest ++ map (cons x) (leavings n rest) end
  end.
End Choices.

Definition flip_bit (A i : N) : N := N.lxor A (N.setbit 0 i).

Section Clauses.
Variables k d e : nat.
Variable spare : Z.
Variable usual : list sizes. (* pairs that cost least *)
Variable pairs : list (sizes * Z). (* those of crossings; some crossing has the first *)
Variable entries : list entry.

(** A set is part of so many, no fewer, and no more of a usual size; or has so many as parts. *)
Definition about_crossings (a : entry) (found : list (entry * Z)) : list (list literal) :=
  let names := map (fun x => label (fst x)) found in
  map (fun rest => no (label a) :: map yes rest) (leavings (Nat.min (pred (degree d e (of_column a))) (length names)) names) ++
  flat_map (fun size => map (fun some => no (label a) :: map no some)
                            (choices (S (degree d e (of_column a))) (map (fun x => label (fst x)) (filter (fun x => Nat.eqb (many (fst x)) size) found))))
           (filter (fun size => existsb (fun p => Nat.eqb (size_on (negb (of_column a)) p) size) usual) (seq 0 (S k))).

(** Rectangles that are alike so far are numbered such that the first is in a set if any is. *)
Definition preferred (column : bool) (A : N) (alike : list N) : list (list literal) :=
  match alike with
  | [] => []
  | first :: others =>
      match named entries column (flip_bit A first) with
      | None => []
      | Some one => flat_map (fun i => match named entries column (flip_bit A i) with Some other => [[no other; yes one]] | None => [] end) others
      end
  end.

Fixpoint in_turn (inside outside : list N) (A B : N) : list (list literal) :=
  match inside, outside with
  | i :: inside', o :: outside' =>
      preferred true A outside ++ preferred false B inside ++ in_turn inside' outside' (flip_bit B i) (flip_bit A o)
  | _, _ => []
  end.

Definition about_numbers (p : sizes) : list (list literal) :=
  let A := N.ones (N.of_nat (fst p)) in
  let B := N.ones (N.of_nat (snd p)) in
  let is_there (column : bool) (X : N) := match named entries column X with Some n => [[yes n]] | None => [] end in
  is_there false A ++ is_there true B ++ in_turn (indices (fst p)) (skipn (snd p) (indices k)) A B.

(** Steps of chains that are lost if no set is part of both sets or has both as parts. *)
Definition steps_at (level : nat) : list (N * N) :=
  flat_map (fun A => map (pair A) (left_of k A)) (filter (fun A => Nat.eqb (size_of k A) level) (masks_below k)).

Definition around (s : N * N) (A : N) : bool := inside_of A (fst s) || inside_of (N.setbit (fst s) (snd s)) A.
Definition step_kept (s : N * N) : list literal := map (fun a => yes (label a)) (filter (fun a => around s (the_set a)) entries).

(** What a line answers for, of what a crossing costs more; in all if each of its crossings does. *)
Definition share_of (column : bool) (p : sizes) (price : Z) : Z :=
  let (small, large) := hd (0, 0)%nat usual in
  let mine := (if Nat.leb small (fst p) then 0 else if Nat.ltb large (snd p) then Z.div price 2 else price)%Z in
  if column then (price - mine)%Z else mine.

Definition answers_for (a : entry) (x : entry * Z) : Z :=
  (Z.of_nat (degree d e (of_column a)) * share_of (of_column a) (sizes_of a (fst x)) (snd x))%Z.

Definition line_loses (unit : Z) (a : entry) (found : list (entry * Z)) (units : nat) : list literal :=
  no (label a) :: map (fun x => yes (label (fst x))) (filter (fun x => answers_for a x <? Z.of_nat units * unit)%Z found).

Definition lines_lose (unit : Z) (a : entry) (found : list (entry * Z)) : list (list literal) :=
  let most := fold_right Z.max 0%Z (map (answers_for a) found) in
  map (line_loses unit a found) (seq 1 (Z.to_nat (Z.min most spare / unit))).

(** Units are lost unless one of these literals is true. *)
Definition unless_lost (level : nat) (unit : Z) (nears : list (entry * list (entry * Z))) : list (list literal) :=
  map step_kept (steps_at level) ++ flat_map (fun x => lines_lose unit (fst x) (snd x)) nears.

Definition level_of : nat := match find (fun x => (snd x =? 0)%Z) pairs with Some x => fst (fst x) | None => O end.
Definition unit_of (level : nat) : Z := Z.of_N (N.of_nat d * N.of_nat e * (factorial level * factorial (k - 1 - level))).

(** All that have numbers, and how many variables there are. *)
Definition numbered_clauses : list (list literal) * N :=
  let nears := map (fun a => (a, near pairs entries a)) entries in
  let level := level_of in
  let unit := unit_of level in
  let tails := unless_lost level unit nears in
  let first := N.of_nat (length entries) in
  let lost := fresh first (length tails) in
  let (few, variables) := at_most (Z.to_nat (spare / unit)) lost (first + N.of_nat (length tails)) in
  (map (fun x => yes (fst x) :: snd x) (combine lost tails) ++ flat_map (fun x => about_crossings (fst x) (snd x)) nears
   ++ match pairs with [] => [] | p :: _ => about_numbers (fst p) end ++ few, variables).
End Clauses.

(** ** Proofs: a literal is twice its variable, and 1 more if it is denied; an earlier clause is its number and 1, or how
    many are given and how many steps ago it was. *)
Definition raw_step := (list N * list N)%type.

Definition literal_read (variables l : N) : N :=
  let variable := N.shiftr l 1 in
  if variable <? variables then if N.testbit l 0 then variable + variables else variable else 2 * variables.

Definition hint_read (given place h : N) : hint :=
  if h <=? given then Given (N.pred h)
  else if h <=? given + place then Before (given + place - h)
  else if h <=? 2 * given + place then Given (2 * given + place - h) else Given given.

Definition coded (variables : N) (l : literal) : N := if fst l then snd l else snd l + variables.

Fixpoint steps_read (variables given place : N) (steps : list raw_step) : list derivation :=
  match steps with
  | [] => []
  | (clause, hints) :: rest =>
      (map (literal_read variables) clause, map (hint_read given place) hints) :: steps_read variables given (N.succ place) rest
  end.

Section Falsified.
Variable variables : N.
Variable masks : trie N. (* of each set those that are not there with it *)

Definition falsified_by_set (literal : N) : N :=
  N.lor (if literal <? 2 * variables then N.setbit 0 (denied variables literal) else 0)
        (match lookup long literal masks with Some mask => mask | None => 0 end).
End Falsified.

Definition pair_refuted (k d e : nat) (spare : Z) (usual : list sizes) (entries : list entry) (pairs : list (sizes * Z)) (steps : list raw_step) : bool :=
  let (clauses, variables) := numbered_clauses k d e spare usual pairs entries in
  let given := numbered long 0 (map (map (coded variables)) clauses) in
  forallb (forallb (fun l : literal => snd l <? variables)) clauses &&
  follows variables (falsified_by_set variables (numbered long 0 (map (excluded_by pairs entries) entries)))
    (fun number => lookup long number given) 0 Empty 0 (steps_read variables (N.of_nat (length clauses)) 0 steps).

(** No pair of sizes is the first. *)
Fixpoint each_refuted (k d e : nat) (spare : Z) (usual : list sizes) (entries : list entry) (pairs : list (sizes * Z)) (proofs : list (list raw_step)) : bool :=
  match pairs, proofs with
  | [], [] => true
  | _ :: rest, steps :: more =>
      if pair_refuted k d e spare usual entries pairs steps then each_refuted k d e spare usual entries rest more else false
  | _, _ => false
  end.

Definition all_cross (ks : list N) (code : N) (L K : list line) (d e : nat) : bool :=
  forallb (fun l => Nat.eqb (length (filter (other_at ks code l) K)) d) L &&
  forallb (fun m => Nat.eqb (length (filter (fun l => other_at ks code l m) L)) e) K.

Definition sets_refuted (k d e : nat) (crossings : N) (proofs : list (list raw_step)) : bool :=
  let prices := priced k d e in
  let spare := what_is_spare k d e crossings in
  if (0 <=? spare)%Z && (0 <? least_cost k d e)%Z then
    each_refuted k d e spare (map fst (filter (fun x => snd x =? 0)%Z prices)) (entries_of k d e spare prices) (known_pairs d e spare prices) proofs
  else false.

Definition no_cover_by_clauses (t : table) (code budget R C : N) (proofs : list (list raw_step)) : option N :=
  let ks := codes_of t in
  let L := pick R (row_lines t) in
  let K := pick C (column_lines t) in
  if regular t && (2 <=? budget) && (budget <=? most_rectangles) then
    match L, K with
    | l :: _ :: _, m :: _ :: _ =>
        let d := length (filter (other_at ks code l) K) in
        let e := length (filter (fun l => other_at ks code l m) L) in
        if none_nest ks code L && none_nest ks code K && promised ks L C && all_cross ks code L K d e && Nat.ltb 1 d && Nat.ltb 1 e then
          if sets_refuted (N.to_nat budget) d e (N.of_nat (d * length L)) proofs then Some (budget + 1) else None
        else None
    | _, _ => None
    end
  else None.
