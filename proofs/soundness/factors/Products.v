(** * Nonnegative, sign and approximate rank, at most: factors that are multiplied out, and different lines *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Lines Factors Fields Minors.
Import ListNotations.
Close Scope Q_scope.
Open Scope nat_scope.

(** Whether a number, in some units, may stand in place of an answer. *)
Definition entry_right (m : factor_measure) (unit e : Z) (c : option N) : bool :=
  match m, c with
  | NonnegativeRank values, Some a => match nth_error values (N.to_nat a) with Some v => Z.eqb e (Z.of_N v * unit) | None => false end
  | NonnegativeRank _, None => false
  | SignRank label, Some a => if (a =? label)%N then Z.ltb 0 e else Z.ltb e 0
  | SignRank _, None => true
  | ApproximateRank label error, _ =>
      let near := ((Zpos (Qden error) - Qnum error) * unit)%Z in
      let own := (e * Zpos (Qden error))%Z in
      if Z.leb (Z.abs own) ((Zpos (Qden error) + Qnum error) * unit) then
        match c with None => true | Some a => if (a =? label)%N then Z.leb near own else Z.leb own (- near) end
      else false
  end.

Definition error_right (m : factor_measure) : bool := match m with ApproximateRank _ error => Z.leb 0 (Qnum error) | _ => true end.

Section Sums.
Variable F : ordered_field.
Add Field numbers_of_products : (field_laws F).
Local Open Scope field_scope.

(** So many units. *)
Definition units (unit e : Z) : F := whole F e * inverse (whole F unit).

Lemma whole_not_0 n : (0 < n)%Z -> whole F n <> 0.
Proof. intros P E. apply whole_zero in E. lia. Qed.

Lemma units_above unit e : (0 < unit)%Z -> (0 < e)%Z -> 0 < units unit e.
Proof. intros U E. apply order_of_products; [now apply whole_above|now apply inverse_above, whole_above]. Qed.

Lemma units_below unit e : (0 < unit)%Z -> (e < 0)%Z -> units unit e < 0.
Proof.
  intros U E. replace (units unit e) with (- units unit (- e)%Z) by (unfold units; rewrite whole_opp; ring).
  apply opposite_back, units_above; lia.
Qed.

Lemma units_at_least unit e : (0 < unit)%Z -> (0 <= e)%Z -> at_most F 0 (units unit e).
Proof. intros U E. destruct (Z.eq_dec e 0) as [->|]; [right; unfold units; rewrite whole_0; ring|left; apply units_above; lia]. Qed.

Lemma at_most_difference (a b : F) : at_most F 0 (b - a) -> at_most F a b.
Proof. intros [H|H]; [left; now apply difference|right]. transitivity (a + 0); [ring|]. rewrite H. ring. Qed.

Lemma ratio_units q unit e : (0 < unit)%Z -> ratio F q - units unit e = units (Zpos (Qden q) * unit) (Qnum q * unit - e * Zpos (Qden q)).
Proof.
  intros U. unfold ratio, units. rewrite whole_sub, !whole_mul. field. split; apply whole_not_0; lia.
Qed.

Lemma ratio_at_most q unit e : (0 < unit)%Z -> (Qnum q * unit <= e * Zpos (Qden q))%Z -> at_most F (ratio F q) (units unit e).
Proof.
  intros U H. apply at_most_difference. replace (units unit e - ratio F q) with (- (ratio F q - units unit e)) by ring. rewrite ratio_units by exact U.
  replace (- units (Zpos (Qden q) * unit) (Qnum q * unit - e * Zpos (Qden q))) with (units (Zpos (Qden q) * unit) (e * Zpos (Qden q) - Qnum q * unit)).
  - apply units_at_least; nia.
  - unfold units. rewrite !whole_sub. ring.
Qed.

Lemma ratio_at_least q unit e : (0 < unit)%Z -> (e * Zpos (Qden q) <= Qnum q * unit)%Z -> at_most F (units unit e) (ratio F q).
Proof. intros U H. apply at_most_difference. rewrite ratio_units by exact U. apply units_at_least; nia. Qed.

(** Sums that are right, cell by cell, are enough. *)
Lemma sums_suffice m f (terms : product_terms F) unit (e : N -> N -> Z) count : (0 < unit)%Z -> (length terms <= count)%nat ->
  error_right m = true ->
  (forall values, m = NonnegativeRank values -> Forall (fun term => (forall x, at_most F 0 (fst term x)) /\ (forall y, at_most F 0 (snd term y))) terms) ->
  (forall x y, sum_of_factors F terms x y = units unit (e x y)) ->
  (forall x y, entry_right m unit (e x y) (f x y) = true \/ f x y = None /\ e x y = 0%Z) -> factors_suffice F f m count.
Proof.
  intros U L Er Nn S R. destruct m as [values|label|label error]; cbn [factors_suffice]; exists terms; (split; [exact L|]).
  - split; [now apply (Nn values)|]. intros x y a E. destruct (R x y) as [K|[K _]]; [|congruence]. rewrite E in K. cbn [entry_right] in K.
    destruct (nth_error values (N.to_nat a)) as [v|] eqn:V; [|discriminate]. apply Z.eqb_eq in K. rewrite S, K. unfold value_at.
    rewrite (nth_error_nth values _ 0%N V). unfold units. rewrite whole_mul. field. now apply whole_not_0.
  - intros x y a E. destruct (R x y) as [K|[K _]]; [|congruence]. rewrite E in K. cbn [entry_right] in K. rewrite S.
    destruct (a =? label)%N; apply Z.ltb_lt in K; [now apply units_above|now apply units_below].
  - apply Z.leb_le in Er. split.
    + intros x y. rewrite S. assert (B : (Z.abs (e x y * Zpos (Qden error)) <= (Zpos (Qden error) + Qnum error) * unit)%Z).
      { destruct (R x y) as [K|[_ ->]]; [|nia]. unfold entry_right in K. cbv zeta in K. destruct (Z.leb (Z.abs _) _) eqn:B; [now apply Z.leb_le|discriminate]. }
      destruct error as [n d]. cbn [Qnum Qden] in *. split; [apply ratio_at_most|apply ratio_at_least]; try exact U; unfold Qplus, Qopp; cbn [Qnum Qden]; rewrite ?Pos.mul_1_l; nia.
    + intros x y a E. rewrite S. destruct (R x y) as [K|[K _]]; [|congruence]. rewrite E in K.
      unfold entry_right in K. cbv zeta in K. destruct (Z.leb (Z.abs _) _) in K; [|discriminate]. destruct error as [n d]. cbn [Qnum Qden] in *.
      destruct (a =? label)%N; apply Z.leb_le in K; [apply ratio_at_most|apply ratio_at_least]; try exact U; unfold Qminus, Qplus, Qopp; cbn [Qnum Qden]; rewrite ?Pos.mul_1_l; nia.
Qed.
End Sums.

(** ** Factors: vectors of integers, in units *)
Fixpoint dot (a b : list Z) : Z := match a, b with u :: a', v :: b' => (u * v + dot a' b')%Z | _, _ => 0%Z end.

Fixpoint all_both {A B} (g : A -> B -> bool) (l : list A) (m : list B) : bool :=
  match l, m with
  | [], [] => true
  | a :: l', b :: m' => if g a b then all_both g l' m' else false
  | _, _ => false
  end.

Definition entries_right (m : factor_measure) (unit : Z) (rows columns : list (list Z)) (t : table) : bool :=
  all_both (fun row line => all_both (fun column c => entry_right m unit (dot row column) c) columns line) rows t.

Definition none_below_zero (m : factor_measure) (lines : list (list Z)) : bool :=
  match m with NonnegativeRank _ => forallb (forallb (Z.leb 0)) lines | _ => true end.

Definition by_factors (t : table) (m : factor_measure) (one other : Z) (rows columns : list (list Z)) : option N :=
  let size := length (hd [] rows) in
  if Z.ltb 0 one && Z.ltb 0 other && error_right m && forallb (fun row => Nat.leb (length row) size) rows then
    if entries_right m (one * other) rows columns t then
      if none_below_zero m rows && none_below_zero m columns then Some (N.of_nat size) else None
    else None
  else None.

Lemma all_both_nth {A B} (g : A -> B -> bool) l : forall m, all_both g l m = true ->
  length l = length m /\ forall i a b, nth_error l i = Some a -> nth_error m i = Some b -> g a b = true.
Proof.
  induction l as [|a l IH]; intros [|b m] H; simpl in H; try discriminate; [split; [reflexivity|intros [|i] ? ? E; discriminate]|].
  destruct (g a b) eqn:G; [|discriminate]. destruct (IH m H) as [L K]. split; [simpl; now rewrite L|].
  intros [|i] c d E D; simpl in *; [congruence|now apply (K i)].
Qed.

Definition line_of (lines : list (list Z)) (x : N) : list Z := nth (N.to_nat x) lines [].

Section Vectors.
Variable F : ordered_field.
Add Field numbers_of_vectors : (field_laws F).
Local Open Scope field_scope.

Definition vector_terms (one other : Z) (rows columns : list (list Z)) (size : nat) : product_terms F :=
  map (fun k => ((fun x => units F one (nth k (line_of rows x) 0%Z)), (fun y => units F other (nth k (line_of columns y) 0%Z)))) (seq 0 size).

Lemma dot_sum one other b : (0 < one)%Z -> (0 < other)%Z -> forall a c size start, (length a <= size)%nat ->
  (forall k, nth (start + k) b 0%Z = nth k a 0%Z) -> (forall k, nth (start + k) c 0%Z = nth k (skipn start c) 0%Z) ->
  fold_right (fun k s => units F one (nth k b 0%Z) * units F other (nth k c 0%Z) + s) 0 (seq start size) = units F (one * other) (dot a (skipn start c)).
Proof.
  intros U V. assert (Zero : forall u, units F u 0 = 0) by (intros u; unfold units; rewrite whole_0; ring).
  intros a c size. revert a. induction size as [|size IH]; intros a start L Ea Ec; cbn [seq fold_right].
  - destruct a; [now rewrite Zero|simpl in L; lia].
  - pose proof (Ea 0%nat) as E0. pose proof (Ec 0%nat) as C0. rewrite Nat.add_0_r in E0, C0. rewrite E0, C0.
    assert (Sk : skipn (S start) c = skipn 1 (skipn start c)) by (clear; revert c; induction start as [|n IHn]; intros [|v c]; simpl; auto; apply IHn).
    assert (Next : forall k, nth (S start + k) c 0%Z = nth k (skipn (S start) c) 0%Z).
    { intros k. rewrite Sk. replace (S start + k)%nat with (start + S k)%nat by lia. rewrite Ec. destruct (skipn start c); [now destruct k|reflexivity]. }
    destruct a as [|u a].
    + rewrite (IH [] (S start)); [|simpl; lia| |exact Next].
      * simpl. rewrite !Zero. ring.
      * intros k. replace (S start + k)%nat with (start + S k)%nat by lia. rewrite Ea. now destruct k.
    + rewrite (IH a (S start)); [|simpl in L; lia| |exact Next].
      * rewrite Sk. destruct (skipn start c) as [|v rest]; simpl; [rewrite !Zero; destruct a; simpl; rewrite !Zero; ring|].
        unfold units. rewrite whole_add, !whole_mul. field. split; now apply whole_not_0.
      * intros k. replace (S start + k)%nat with (start + S k)%nat by lia. now rewrite Ea.
Qed.

Lemma vector_terms_sum one other rows columns size x y : (0 < one)%Z -> (0 < other)%Z -> (length (line_of rows x) <= size)%nat ->
  sum_of_factors F (vector_terms one other rows columns size) x y = units F (one * other) (dot (line_of rows x) (line_of columns y)).
Proof.
  intros U V L. etransitivity.
  2: exact (dot_sum one other (line_of rows x) U V (line_of rows x) (line_of columns y) size 0 L (fun _ => eq_refl) (fun _ => eq_refl)).
  unfold sum_of_factors, vector_terms. generalize (seq 0 size). intros l. induction l as [|k l IH]; simpl; [reflexivity|]. now rewrite IH.
Qed.
End Vectors.

Lemma line_beyond lines x : nth_error lines (N.to_nat x) = None -> line_of lines x = [].
Proof. intros E. unfold line_of. apply nth_overflow. now apply nth_error_None. Qed.

Lemma not_below_zero lines x k : forallb (forallb (Z.leb 0)) lines = true -> (0 <= nth k (line_of lines x) 0)%Z.
Proof.
  intros H. rewrite forallb_forall in H. unfold line_of. destruct (nth_in_or_default (N.to_nat x) lines []) as [I|E]; [|rewrite E; now destruct k].
  specialize (H _ I). rewrite forallb_forall in H. destruct (nth_in_or_default k (nth (N.to_nat x) lines []) 0%Z) as [J|E]; [|rewrite E; lia].
  now apply Z.leb_le, H.
Qed.

Theorem by_factors_bound t m one other rows columns v : by_factors t m one other rows columns = Some v ->
  forall F, factors_suffice F (cell t) m (N.to_nat v).
Proof.
  unfold by_factors. cbv zeta. intros H F. destruct (_ && _) eqn:A in H; [|discriminate]. destruct (entries_right _ _ _ _ _) eqn:R; [|discriminate].
  destruct (_ && _) eqn:B in H; [|discriminate]. injection H as <-. rewrite Nat2N.id.
  apply andb_true_iff in A. destruct A as [A Le]. apply andb_true_iff in A. destruct A as [A Er]. apply andb_true_iff in A. destruct A as [U V].
  apply Z.ltb_lt in U, V. apply andb_true_iff in B. destruct B as [B1 B2]. set (size := length (hd [] rows)) in *.
  apply (sums_suffice F m (cell t) (vector_terms F one other rows columns size) (one * other) (fun x y => dot (line_of rows x) (line_of columns y)) size).
  - nia.
  - unfold vector_terms. now rewrite map_length, seq_length.
  - exact Er.
  - intros values ->. simpl in B1, B2. unfold vector_terms. apply Forall_map, Forall_forall. intros k _. simpl.
    split; intros z; apply units_at_least; try assumption; now apply not_below_zero.
  - intros x y. apply vector_terms_sum; try assumption. rewrite forallb_forall in Le. unfold line_of.
    destruct (nth_in_or_default (N.to_nat x) rows []) as [I|E]; [now apply Nat.leb_le, Le|rewrite E; simpl; lia].
  - intros x y. destruct (all_both_nth _ _ _ R) as [L K]. unfold cell. destruct (nth_error t (N.to_nat x)) as [line|] eqn:T.
    + assert (I : N.to_nat x < length rows) by (rewrite L; apply nth_error_Some; congruence).
      destruct (nth_error rows (N.to_nat x)) as [row|] eqn:Ex; [|apply nth_error_None in Ex; lia]. specialize (K _ row line Ex T).
      unfold line_of at 1 3. rewrite (nth_error_nth rows _ [] Ex). destruct (all_both_nth _ _ _ K) as [L' K'].
      destruct (nth_error line (N.to_nat y)) as [c|] eqn:T'.
      * assert (J : N.to_nat y < length columns) by (rewrite L'; apply nth_error_Some; congruence).
        destruct (nth_error columns (N.to_nat y)) as [column|] eqn:Ey; [|apply nth_error_None in Ey; lia].
        left. unfold line_of. rewrite (nth_error_nth columns _ [] Ey). exact (K' _ column c Ey T').
      * right. split; [reflexivity|]. rewrite line_beyond; [now destruct row|]. apply nth_error_None in T'. apply nth_error_None. lia.
    + right. split; [reflexivity|]. rewrite line_beyond; [reflexivity|]. apply nth_error_None in T. apply nth_error_None. lia.
Qed.
