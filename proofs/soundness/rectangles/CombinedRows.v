(** * Rank over the rationals from above: a multiple of each row is an integer combination of a few rows

    A row of zeros and ones is packed into one number: its digits, in a base above all that an equation between rows may
    have in a column. There the equation between rows is one between numbers. *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Lines Elimination.
Import ListNotations.
Open Scope Z_scope.

(** ** Digits *)
Fixpoint value_of_digits (base : Z) (digits : list Z) : Z := match digits with [] => 0 | a :: rest => a + base * value_of_digits base rest end.

(** The same, two by two, as numbers stay short until many digits are together. *)
Fixpoint paired (bits : N) (digits : list N) : list N :=
  match digits with a :: b :: rest => (a + N.shiftl b bits)%N :: paired bits rest | _ => digits end.

Fixpoint one_by_one (bits : N) (digits : list N) : N :=
  match digits with [] => 0%N | a :: rest => (a + N.shiftl (one_by_one bits rest) bits)%N end.

Fixpoint packed (fuel : nat) (bits : N) (digits : list N) : N :=
  match fuel with
  | O => one_by_one bits digits
  | S fuel => match digits with [] => 0%N | [a] => a | _ => packed fuel (bits + bits) (paired bits digits) end
  end.

Definition base_of (bits : N) : Z := 2 ^ Z.of_N bits.

Lemma shifted a b bits : Z.of_N (a + N.shiftl b bits) = Z.of_N a + base_of bits * Z.of_N b.
Proof. rewrite N.shiftl_mul_pow2, N2Z.inj_add, N2Z.inj_mul, N2Z.inj_pow. unfold base_of. change (Z.of_N 2) with 2. ring. Qed.

Lemma pairs_value bits : forall k digits, (length digits <= k)%nat ->
  value_of_digits (base_of (bits + bits)) (map Z.of_N (paired bits digits)) = value_of_digits (base_of bits) (map Z.of_N digits).
Proof.
  assert (B : base_of (bits + bits) = base_of bits * base_of bits) by (unfold base_of; rewrite N2Z.inj_add, Z.pow_add_r by lia; reflexivity).
  induction k as [|k IH]; intros [|a [|b rest]] L; cbn [length] in L; try lia; try reflexivity.
  - cbn. ring.
  - cbn [paired map value_of_digits]. rewrite shifted, IH, B by lia. ring.
Qed.

Lemma packed_value fuel : forall bits digits, Z.of_N (packed fuel bits digits) = value_of_digits (base_of bits) (map Z.of_N digits).
Proof.
  induction fuel as [|fuel IH]; intros bits digits.
  - cbn [packed]. induction digits as [|a rest IHd]; [reflexivity|]. cbn [one_by_one map value_of_digits]. now rewrite shifted, IHd.
  - destruct digits as [|a [|b rest]]; [reflexivity|cbn; ring|].
    change (packed (S fuel) bits (a :: b :: rest)) with (packed fuel (bits + bits) (paired bits (a :: b :: rest))).
    rewrite IH. now apply (pairs_value bits (length (a :: b :: rest))).
Qed.

Definition digit (digits : list Z) (i : nat) : Z := nth i digits 0.

(** Digits below the base of a number that is zero are zero. *)
Lemma zero_digits base digits : 0 < base -> (forall i, Z.abs (digit digits i) < base) -> value_of_digits base digits = 0 -> forall i, digit digits i = 0.
Proof.
  intros P. induction digits as [|a rest IH]; intros B V i; [unfold digit; now destruct i|]. cbn [value_of_digits] in V.
  pose proof (B O) as A. unfold digit in A. cbn [nth] in A. assert (R : value_of_digits base rest = 0) by nia.
  destruct i as [|i]; [unfold digit; cbn [nth]; nia|]. apply (IH (fun i => B (S i)) R i).
Qed.

(** ** Combinations of rows *)
Fixpoint combined_entry (ns : list Z) (rows : list (list Z)) (i : nat) : Z :=
  match ns, rows with n :: ns, row :: rows => n * digit row i + combined_entry ns rows i | _, _ => 0 end.

Fixpoint combined_values (ns packs : list Z) : Z :=
  match ns, packs with n :: ns, pack :: packs => n * pack + combined_values ns packs | _, _ => 0 end.

Fixpoint sizes (ns : list Z) : Z := match ns with [] => 0 | n :: ns => Z.abs n + sizes ns end.

Fixpoint with_multiple (n : Z) (row e : list Z) : list Z :=
  match row, e with
  | a :: row, b :: e => n * a + b :: with_multiple n row e
  | [], _ => e
  | _, [] => map (Z.mul n) row
  end.

Lemma multiple_digit n row : forall e i, digit (with_multiple n row e) i = n * digit row i + digit e i.
Proof.
  unfold digit. induction row as [|a row IH]; intros e i; cbn [with_multiple].
  - replace (nth i [] 0) with 0 by now destruct i. ring.
  - destruct e as [|b e].
    + replace (nth i [] 0) with 0 by now destruct i. rewrite <- (Z.mul_0_r n) at 1. rewrite map_nth. ring.
    + destruct i as [|i]; cbn [nth]; [reflexivity|apply IH].
Qed.

Lemma multiple_value base n row : forall e, value_of_digits base (with_multiple n row e) = n * value_of_digits base row + value_of_digits base e.
Proof.
  induction row as [|a row IH]; intros e; cbn [with_multiple value_of_digits]; [ring|]. destruct e as [|b e]; cbn [value_of_digits].
  - cbn [map value_of_digits]. assert (M : forall l, value_of_digits base (map (Z.mul n) l) = n * value_of_digits base l) by (induction l as [|x l IHl]; cbn; [ring|rewrite IHl; ring]).
    rewrite M. ring.
  - rewrite IH. ring.
Qed.

Definition zero_or_one (digits : list Z) : Prop := forall i, 0 <= digit digits i <= 1.

Lemma combined_size ns : forall rows i, Forall zero_or_one rows -> Z.abs (combined_entry ns rows i) <= sizes ns.
Proof.
  induction ns as [|n ns IH]; intros [|row rows] i F; cbn [combined_entry sizes]; try lia.
  - assert (0 <= sizes ns) by (clear; induction ns; cbn [sizes]; lia). lia.
  - inversion F as [|? ? H F']; subst. specialize (IH rows i F'). specialize (H i). nia.
Qed.

Lemma equation base d x ns : forall rows, Forall zero_or_one (x :: rows) -> 0 < base -> Z.abs d + sizes ns < base ->
  d * value_of_digits base x = combined_values ns (map (value_of_digits base) rows) -> forall i, d * digit x i = combined_entry ns rows i.
Proof.
  intros rows F P B E i. inversion F as [|? ? X F']; subst.
  assert (C : exists e, (forall i, digit e i = combined_entry ns rows i) /\ value_of_digits base e = combined_values ns (map (value_of_digits base) rows)).
  { clear. revert rows. induction ns as [|n ns IH]; intros [|row rows]; cbn [combined_entry map combined_values];
      try (exists []; split; [intros i; unfold digit; now destruct i|reflexivity]).
    destruct (IH rows) as (e & D & V). exists (with_multiple n row e). split; [intros i; now rewrite multiple_digit, D|now rewrite multiple_value, V]. }
  destruct C as (e & D & V). enough (Z : digit (with_multiple (- d) x e) i = 0) by (rewrite multiple_digit, D in Z; lia).
  apply (zero_digits base); [exact P| |rewrite multiple_value, V, <- E; ring]. intros j. rewrite multiple_digit, D.
  pose proof (combined_size ns rows j F'). specialize (X j). nia.
Qed.

(** ** The rank of a table *)
Definition combination := (Z * list Z)%type. (* of a row: what it is multiplied by; how often each of the kept rows is taken *)

Definition ones_of (code : N) (row : list (option N)) : list N := map (fun e => if is_code e code then 1%N else 0%N) row.

Definition combines (bits : N) (kept : list Z) (pack : Z) (c : combination) : bool :=
  negb (fst c =? 0) && (Z.abs (fst c) + sizes (snd c) <? base_of bits) && (fst c * pack =? combined_values (snd c) kept).

Fixpoint all_combine (bits : N) (kept packs : list Z) (combinations : list combination) : bool :=
  match packs, combinations with
  | [], [] => true
  | pack :: packs, c :: combinations => combines bits kept pack c && all_combine bits kept packs combinations
  | _, _ => false
  end.

Definition no_free_cell (t : table) : bool := forallb (forallb (fun e => match e with Some _ => true | None => false end)) t.

Definition rank_by_rows (t : table) (code bits : N) (kept : list N) (combinations : list combination) : option N :=
  let packs := map (fun row => Z.of_N (packed (length row) bits (ones_of code row))) t in
  if no_free_cell t && all_combine bits (map (fun x => nth (N.to_nat x) packs 0) kept) packs combinations
  then Some (N.of_nat (length kept)) else None.

Fixpoint terms_of (c : N -> combination) (rows : list (list Z)) : list ((N -> Q) * (N -> Q)) :=
  match rows with
  | [] => []
  | row :: rest =>
      ((fun x => inject_Z (hd 0%Z (snd (c x))) / inject_Z (fst (c x)))%Q, fun y => inject_Z (digit row (N.to_nat y)))
      :: terms_of (fun x => (fst (c x), tl (snd (c x)))) rest
  end.

Lemma terms_length rows : forall c, length (terms_of c rows) = length rows.
Proof. induction rows as [|row rows IH]; intros c; cbn [terms_of length]; [reflexivity|now rewrite IH]. Qed.

Lemma terms_sum rows x y : forall c, fst (c x) <> 0 ->
  (sum_of_rational_products (terms_of c rows) x y == inject_Z (combined_entry (snd (c x)) rows (N.to_nat y)) / inject_Z (fst (c x)))%Q.
Proof.
  induction rows as [|row rows IH]; intros c N; unfold sum_of_rational_products in *; cbn [terms_of fold_right fst snd].
  - replace (combined_entry (snd (c x)) [] (N.to_nat y)) with 0 by now destruct (snd (c x)). unfold Qdiv. now rewrite Qmult_0_l.
  - rewrite IH by exact N. cbn [fst snd]. assert (D : ~ (inject_Z (fst (c x)) == 0)%Q) by (intros Z; apply N; now apply (proj1 (inject_Z_injective _ 0))).
    destruct (snd (c x)) as [|n ns]; cbn [hd tl combined_entry].
    + change (inject_Z 0) with 0%Q. field. exact D.
    + rewrite inject_Z_plus, inject_Z_mult. field. exact D.
Qed.

Definition combination_of (combinations : list combination) (x : N) : combination := nth (N.to_nat x) combinations (0, []).

Lemma all_combine_nth bits kept : forall packs combinations x pack, all_combine bits kept packs combinations = true ->
  nth_error packs x = Some pack -> combines bits kept pack (nth x combinations (0, [])) = true.
Proof.
  induction packs as [|p packs IH]; intros [|c combinations] [|x] pack H E; cbn [all_combine nth_error nth] in *; try discriminate;
    apply andb_true_iff in H; destruct H as [H K]; [congruence|now apply (IH _ x)].
Qed.

Lemma ones_digit code row i : digit (map Z.of_N (ones_of code row)) i = match nth_error row i with Some e => if is_code e code then 1 else 0 | None => 0 end.
Proof.
  unfold digit, ones_of. rewrite map_map. revert i. induction row as [|e row IH]; intros [|i]; cbn [map nth nth_error]; try reflexivity; [|apply IH].
  now destruct (is_code e code).
Qed.

Theorem rank_by_rows_bound t code bits kept combinations v : rank_by_rows t code bits kept combinations = Some v ->
  rational_rank_at_most (cell t) code (N.to_nat v).
Proof.
  unfold rank_by_rows. set (digits := map (fun row => map Z.of_N (ones_of code row)) t). set (base := base_of bits).
  assert (Packs : map (fun row => Z.of_N (packed (length row) bits (ones_of code row))) t = map (value_of_digits base) digits).
  { unfold digits. rewrite map_map. apply map_ext. intros row. apply packed_value. }
  cbv zeta. rewrite Packs. clear Packs. set (rows := map (fun x => nth (N.to_nat x) digits []) kept).
  assert (Kept : map (fun x => nth (N.to_nat x) (map (value_of_digits base) digits) 0) kept = map (value_of_digits base) rows).
  { unfold rows. rewrite map_map. apply map_ext. intros x. exact (map_nth (value_of_digits base) digits [] (N.to_nat x)). }
  rewrite Kept. clear Kept. destruct (no_free_cell t); [|discriminate]. cbn [andb].
  destruct (all_combine _ _ _ _) eqn:All; [|discriminate]. intros [= <-]. rewrite Nat2N.id.
  assert (Zero_or_one : Forall zero_or_one rows).
  { apply Forall_map, Forall_forall. intros x _ i. destruct (nth_in_or_default (N.to_nat x) digits []) as [I|E].
    - unfold digits in I at 2. apply in_map_iff in I. destruct I as (row & <- & _). rewrite ones_digit. destruct (nth_error row i) as [e|]; [destruct (is_code e code)|]; lia.
    - rewrite E. unfold digit. destruct i; cbn; lia. }
  exists (terms_of (combination_of combinations) rows). split; [rewrite terms_length; unfold rows; now rewrite map_length|].
  assert (Sum : forall x y a, cell t x y = Some a ->
    (sum_of_rational_products (terms_of (combination_of combinations) rows) x y == inject_Z (if (a =? code)%N then 1 else 0))%Q).
  { intros x y a E. unfold cell in E. destruct (nth_error t (N.to_nat x)) as [row|] eqn:X; [|discriminate].
    destruct (nth_error row (N.to_nat y)) as [e|] eqn:Y; [|discriminate]. subst e. set (own := map Z.of_N (ones_of code row)).
    assert (Pack : nth_error (map (value_of_digits base) digits) (N.to_nat x) = Some (value_of_digits base own)).
    { unfold digits. rewrite map_map. exact (map_nth_error (fun row => value_of_digits base (map Z.of_N (ones_of code row))) _ _ X). }
    pose proof (all_combine_nth _ _ _ _ _ _ All Pack) as C. change (nth _ combinations _) with (combination_of combinations x) in C; set (c := combination_of combinations x) in *.
    unfold combines in C. rewrite !andb_true_iff in C. destruct C as [[C S] V]. apply negb_true_iff, Z.eqb_neq in C. apply Z.ltb_lt in S. apply Z.eqb_eq in V.
    rewrite terms_sum by exact C. fold c.
    assert (Own : zero_or_one own) by (intros i; unfold own; rewrite ones_digit; destruct (nth_error row i) as [e|]; [destruct (is_code e code)|]; lia).
    assert (P : 0 < base) by (unfold base, base_of; apply Z.pow_pos_nonneg; lia).
    rewrite <- (equation base (fst c) own (snd c) rows (Forall_cons _ Own Zero_or_one) P S V (N.to_nat y)).
    unfold own. rewrite ones_digit, Y. cbn [is_code]. rewrite inject_Z_mult.
    assert (D : ~ (inject_Z (fst c) == 0)%Q) by (intros Z; apply C; now apply (proj1 (inject_Z_injective _ 0))). field. exact D. }
  intros x y. split.
  - intros E. rewrite (Sum x y code E), N.eqb_refl. reflexivity.
  - intros Ne Some'. destruct (cell t x y) as [a|] eqn:E; [|congruence]. rewrite (Sum x y a E). destruct (N.eqb_spec a code); [congruence|reflexivity].
Qed.
