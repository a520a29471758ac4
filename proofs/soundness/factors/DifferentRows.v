(** * Nonnegative, sign and approximate rank, at most: a product for each different row, or column, that is not zero *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Lines Tries Factors Fields Minors Products.
Import ListNotations.
Close Scope Q_scope.
Open Scope nat_scope.

(** The number that stands for an answer. *)
Definition number_for (m : factor_measure) (c : option N) : option Z :=
  match m with
  | NonnegativeRank values => number_of values c
  | SignRank label | ApproximateRank label _ => match c with Some a => Some (if (a =? label)%N then 1%Z else (-1)%Z) | None => None end
  end.

(** For each line the number of one that is kept and equal to it, or nothing if it is zero. Who chose them does not matter. *)
Definition depth_for (kept : list (list Z)) : nat := N.to_nat (N.size (N.of_nat (length kept))).

Definition classified (lines kept : list (list Z)) (classes : list (option N)) : bool :=
  let depth := depth_for kept in
  let found := numbered depth 0 kept in
  all_both (fun line c => match c with
    | None => forallb (Z.eqb 0) line
    | Some k => match lookup depth k found with Some own => same_list Z.eqb line own | None => false end
    end) lines classes.

Definition lines_of (t : table) (own : party) : table := match own with alice => t | bob => transpose (width t) t end.

Definition different_rows (t : table) (m : factor_measure) (own : party) (kept : list (list Z)) (classes : list (option N)) : option N :=
  if regular t && error_right m && none_below_zero m kept then
    match filled (number_for m) (lines_of t own) with
    | Some lines => if classified lines kept classes then Some (N.of_nat (length kept)) else None
    | None => None
    end
  else None.

Lemma classified_line lines kept classes x : classified lines kept classes = true ->
  match nth (N.to_nat x) classes None with
  | None => forall y, nth y (line_of lines x) 0%Z = 0%Z
  | Some k => nth_error kept (N.to_nat k) = Some (line_of lines x)
  end.
Proof.
  unfold classified. cbv zeta. intros H. destruct (all_both_nth _ _ _ H) as [L K]. unfold line_of.
  destruct (nth_error lines (N.to_nat x)) as [line|] eqn:E.
  - assert (B : N.to_nat x < length classes) by (rewrite <- L; apply nth_error_Some; congruence).
    destruct (nth_error classes (N.to_nat x)) as [c|] eqn:C; [|apply nth_error_None in C; lia]. specialize (K _ line c E C).
    rewrite (nth_error_nth classes _ None C), (nth_error_nth lines _ [] E). destruct c as [k|].
    + destruct (lookup _ k _) as [own|] eqn:F; [|discriminate]. apply same_list_true in K; [|intros; now apply Z.eqb_eq]. subst own.
      apply (all_lookup (fun n a => nth_error kept (N.to_nat n) = Some a)) in F; [exact F|]. apply all_numbered. intros n a A. now rewrite N.add_0_l, Nat2N.id.
    + intros y. rewrite forallb_forall in K. destruct (nth_in_or_default y line 0%Z) as [I|I]; [|exact I]. specialize (K _ I). apply Z.eqb_eq in K. now symmetry.
  - apply nth_error_None in E. rewrite (nth_overflow classes) by lia. rewrite (nth_overflow lines) by exact E. intros y. now destruct y.
Qed.

Section Terms.
Variable F : ordered_field.
Add Field numbers_of_rows : (field_laws F).
Local Open Scope field_scope.

Definition kept_term (kept : list (list Z)) (classes : list (option N)) (k : nat) : (N -> F) * (N -> F) :=
  ((fun x => match nth (N.to_nat x) classes None with Some c => if Nat.eqb (N.to_nat c) k then 1 else 0 | None => 0 end),
   (fun y => whole F (nth (N.to_nat y) (nth k kept []) 0%Z))).

Definition row_terms (kept : list (list Z)) (classes : list (option N)) : product_terms F := map (kept_term kept classes) (seq 0 (length kept)).

Lemma row_terms_sum lines kept classes x y : classified lines kept classes = true ->
  sum_of_factors F (row_terms kept classes) x y = whole F (entry lines x y).
Proof.
  intros H. pose proof (classified_line lines kept classes x H) as C. unfold row_terms. change (entry lines x y) with (nth (N.to_nat y) (line_of lines x) 0%Z).
  destruct (nth (N.to_nat x) classes None) as [c|] eqn:E.
  - assert (Sum : forall n start, sum_of_factors F (map (kept_term kept classes) (seq start n)) x y =
      if (start <=? N.to_nat c)%nat && (N.to_nat c <? start + n)%nat then whole F (nth (N.to_nat y) (nth (N.to_nat c) kept []) 0%Z) else 0).
    { induction n as [|n IH]; intros start.
      - destruct (Nat.leb_spec start (N.to_nat c)), (Nat.ltb_spec (N.to_nat c) (start + 0)); try reflexivity; lia.
      - unfold sum_of_factors in *. cbn [seq map fold_right]. rewrite IH. unfold kept_term. cbn [fst snd]. rewrite E.
        destruct (Nat.eqb_spec (N.to_nat c) start) as [->|Ne].
        + destruct (Nat.leb_spec (S start) start); [lia|]. destruct (Nat.leb_spec start start); [|lia]. destruct (Nat.ltb_spec start (start + S n)); [|lia]. cbn [andb]. ring.
        + destruct (Nat.leb_spec (S start) (N.to_nat c)), (Nat.leb_spec start (N.to_nat c)); try lia; cbn [andb]; [|ring].
          replace (start + S n)%nat with (S start + n)%nat by lia. destruct (_ <? _)%nat; ring. }
    rewrite Sum. assert (B : (N.to_nat c < length kept)%nat) by (apply nth_error_Some; congruence).
    destruct (Nat.ltb_spec (N.to_nat c) (0 + length kept)); [|lia]. cbn [Nat.leb andb]. now rewrite (nth_error_nth kept _ [] C).
  - rewrite C, whole_0. generalize (seq 0 (length kept)). intros l. unfold sum_of_factors. induction l as [|k l IH]; [reflexivity|].
    cbn [map fold_right]. rewrite IH. unfold kept_term. cbn [fst snd]. rewrite E. ring.
Qed.

Definition exchanged (terms : product_terms F) : product_terms F := map (fun term => (snd term, fst term)) terms.

Lemma exchanged_sum terms x y : sum_of_factors F (exchanged terms) x y = sum_of_factors F terms y x.
Proof. unfold sum_of_factors, exchanged. induction terms as [|term terms IH]; cbn [map fold_right fst snd]; [reflexivity|]. rewrite IH. ring. Qed.

Lemma units_of_one e : units F 1 e = whole F e.
Proof. unfold units. rewrite whole_1. field. apply (F_1_neq_0 (field_laws F)). Qed.

Lemma row_terms_at_least kept classes : forallb (forallb (Z.leb 0)) kept = true ->
  Forall (fun term => (forall x, at_most F 0 (fst term x)) /\ (forall y, at_most F 0 (snd term y))) (row_terms kept classes).
Proof.
  intros E. unfold row_terms. apply Forall_map, Forall_forall. intros k _. split; simpl.
  - intros x. destruct (nth _ classes None) as [c|]; [|now right]. destruct (Nat.eqb _ _); [left; apply one_above|now right].
  - intros y. apply whole_at_least. pose proof (not_below_zero kept (N.of_nat k) (N.to_nat y) E) as K. unfold line_of in K. now rewrite Nat2N.id in K.
Qed.
End Terms.

Lemma number_for_right m a v : error_right m = true -> number_for m (Some a) = Some v -> entry_right m 1 v (Some a) = true.
Proof.
  destruct m as [values|label|label error]; cbn [number_for number_of entry_right error_right].
  - intros _ H. destruct (nth_error values (N.to_nat a)); [|discriminate]. injection H as <-. rewrite Z.mul_1_r. apply Z.eqb_refl.
  - intros _ [= <-]. now destruct (a =? label)%N.
  - intros E [= <-]. apply Z.leb_le in E. destruct error as [n d]. cbn [Qnum Qden] in *. cbv zeta. destruct (a =? label)%N.
    + destruct (Z.leb_spec (Z.abs (1 * Zpos d)) ((Zpos d + n) * 1)); [apply Z.leb_le; lia|lia].
    + destruct (Z.leb_spec (Z.abs (-1 * Zpos d)) ((Zpos d + n) * 1)); [apply Z.leb_le; lia|lia].
Qed.

Lemma filled_right m t rows x y : error_right m = true -> filled (number_for m) t = Some rows ->
  entry_right m 1 (entry rows x y) (cell t x y) = true \/ cell t x y = None /\ entry rows x y = 0%Z.
Proof.
  intros Er H. destruct (filled_cell (number_for m) t rows ltac:(now destruct m) H) as (_ & K & C). destruct (cell t x y) as [a|] eqn:E.
  - left. apply number_for_right; [exact Er|]. now apply C.
  - right. split; [reflexivity|]. unfold entry. destruct (nth_error (nth (N.to_nat x) rows []) (N.to_nat y)) as [v|] eqn:V.
    + destruct (K x y v V) as (a & Ca & _). congruence.
    + apply nth_overflow. now apply nth_error_None.
Qed.

Theorem different_rows_bound t m own kept classes v : different_rows t m own kept classes = Some v -> forall F, factors_suffice F (cell t) m (N.to_nat v).
Proof.
  unfold different_rows. intros H F. destruct (_ && _) eqn:A in H; [|discriminate]. apply andb_true_iff in A. destruct A as [A Nn]. apply andb_true_iff in A. destruct A as [R Er].
  destruct (filled _ _) as [lines|] eqn:L; [|discriminate]. destruct (classified lines kept classes) eqn:C; [|discriminate]. injection H as <-. rewrite Nat2N.id.
  assert (Size : length (row_terms F kept classes) <= length kept) by (unfold row_terms; now rewrite map_length, seq_length).
  destruct own; cbn [lines_of] in L.
  - apply (sums_suffice F m (cell t) (row_terms F kept classes) 1 (entry lines)); [lia|exact Size|exact Er| | |].
    + intros values ->. now apply row_terms_at_least.
    + intros x y. now rewrite (row_terms_sum F lines), units_of_one.
    + intros x y. now apply filled_right.
  - apply (sums_suffice F m (cell t) (exchanged F (row_terms F kept classes)) 1 (fun x y => entry lines y x)); [lia|unfold exchanged; now rewrite map_length|exact Er| | |].
    + intros values ->. unfold exchanged. apply Forall_map. eapply Forall_impl; [|exact (row_terms_at_least F kept classes Nn)]. intros term [P1 P2]. now split.
    + intros x y. now rewrite exchanged_sum, (row_terms_sum F lines), units_of_one.
    + intros x y. pose proof (filled_right m _ lines y x Er L) as K. now rewrite (cell_turned t R) in K.
Qed.
