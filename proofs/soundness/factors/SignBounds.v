(** * Nonnegative rank, at least: covers of what is not 0. Sign rank: shattered sets. Approximate rank: sign rank *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Lines Factors Fields Minors Products DifferentRows Submatrices.
Import ListNotations.
Close Scope Q_scope.
Open Scope nat_scope.

(** ** The cells that are not 0 *)
Definition support (values : list N) (t : table) : option table :=
  option_map (map (map (fun v => Some (if Z.eqb v 0 then 0%N else 1%N)))) (filled (number_of values) t).

Lemma support_cell values t s x y : support values t = Some s -> cell s x y =
  option_map (fun a => if N.eqb (nth (N.to_nat a) values 0%N) 0 then 0%N else 1%N) (cell t x y).
Proof.
  unfold support. destruct (filled (number_of values) t) as [zs|] eqn:E; [|discriminate]. intros [= <-].
  destruct (filled_cell _ t zs eq_refl E) as (_ & K & C). unfold cell at 1. rewrite nth_error_map.
  assert (Cell : forall row, nth_error zs (N.to_nat x) = Some row -> nth_error row (N.to_nat y) = None -> cell t x y = None).
  { intros row R O. destruct (cell t x y) as [a|] eqn:A; [|reflexivity]. exfalso. unfold filled in E. destruct (listed_nth _ _ _ E) as [_ G].
    unfold cell in A. destruct (nth_error t (N.to_nat x)) as [line|] eqn:T; [|discriminate]. destruct (G _ line T) as (row' & L & R').
    destruct (listed_nth _ _ _ L) as [Len _]. assert (row' = row) by congruence. subst row'. apply nth_error_None in O. rewrite Len in O.
    apply nth_error_None in O. now rewrite O in A. }
  destruct (nth_error zs (N.to_nat x)) as [row|] eqn:R; cbn [option_map].
  - rewrite nth_error_map. destruct (nth_error row (N.to_nat y)) as [v|] eqn:V; cbn [option_map].
    + destruct (K x y v) as (a & A & Va); [now rewrite (nth_error_nth zs _ [] R)|]. rewrite A. cbn [option_map]. cbn [number_of] in Va.
      destruct (nth_error values (N.to_nat a)) as [u|] eqn:U; [|discriminate]. injection Va as <-. rewrite (nth_error_nth values _ 0%N U). now destruct u.
    + now rewrite (Cell row eq_refl V).
  - unfold filled in E. destruct (listed_nth _ _ _ E) as [Len _]. apply nth_error_None in R. rewrite Len in R. apply nth_error_None in R.
    unfold cell. now rewrite R.
Qed.

Section Covers.
Variable F : ordered_field.
Add Field numbers_of_covers : (field_laws F).
Local Open Scope field_scope.

Lemma no_row (b s : F) : 0 * b + s = s. Proof. ring. Qed.
Lemma no_column (a s : F) : a * 0 + s = s. Proof. ring. Qed.
Lemma no_product (s : F) : 0 + s = s. Proof. ring. Qed.
Lemma no_rest (s : F) : s + 0 = s. Proof. ring. Qed.

(** Of finitely many numbers it is settled which are above 0. *)
Lemma settled (u : N -> F) n : exists b : N -> bool, forall x, (N.to_nat x < n)%nat -> (b x = true <-> 0 < u x).
Proof.
  induction n as [|n [b H]]; [exists (fun _ => false); intros; lia|].
  assert (D : exists c : bool, c = true <-> 0 < u (N.of_nat n)).
  { destruct (total_order F 0 (u (N.of_nat n))) as [P|[P|P]]; [exists true; tauto|exists false|exists false]; split; try discriminate; intros Q; exfalso.
    - rewrite <- P in Q. exact (strict_order F _ Q).
    - exact (signs_exclude F _ Q P). }
  destruct D as [c D]. exists (fun x => if N.eqb x (N.of_nat n) then c else b x). intros x L. destruct (N.eqb_spec x (N.of_nat n)) as [->|Ne]; [exact D|].
  apply H. lia.
Qed.

Definition not_negative (terms : product_terms F) : Prop :=
  Forall (fun term => (forall x, at_most F 0 (fst term x)) /\ (forall y, at_most F 0 (snd term y))) terms.

Lemma sum_not_negative terms x y : not_negative terms -> at_most F 0 (sum_of_factors F terms x y).
Proof.
  unfold sum_of_factors. induction 1 as [|term terms [H1 H2] _ IH]; simpl; [now right|]. apply sum_at_least; [|exact IH]. now apply product_at_least.
Qed.

Lemma above_not_zero (a : F) : at_most F 0 a -> a <> 0 -> 0 < a.
Proof. intros [H|H] N; [exact H|congruence]. Qed.

Lemma sum_above terms x y : not_negative terms -> 0 < sum_of_factors F terms x y <-> Exists (fun term => 0 < fst term x /\ 0 < snd term y) terms.
Proof.
  unfold sum_of_factors. induction 1 as [|term terms [H1 H2] N IH]; simpl.
  - split; intros H; [now elim (strict_order F _ H)|inversion H].
  - pose proof (sum_not_negative terms x y N) as R. unfold sum_of_factors in R. split; intros H.
    + destruct (is_zero F (fst term x)) as [Z|Z]; [|destruct (is_zero F (snd term y)) as [Z'|Z']].
      * right. apply IH. rewrite Z, no_row in H. exact H.
      * right. apply IH. rewrite Z', no_column in H. exact H.
      * left. split; now apply above_not_zero.
    + inversion H as [? ? [A B]|? ? E]; subst.
      * destruct R as [R|<-]; [apply above_sum; [now apply order_of_products|exact R]|].
        rewrite no_rest. now apply order_of_products.
      * apply IH in E. destruct (product_at_least F _ _ (H1 x) (H2 y)) as [P|<-]; [now apply above_sum|].
        now rewrite no_product.
Qed.

Lemma beyond_table t x y a : cell t x y = Some a -> (N.to_nat x < length t)%nat /\ (N.to_nat y < list_max (map (@length _) t))%nat.
Proof.
  unfold cell. intros H. destruct (nth_error t (N.to_nat x)) as [line|] eqn:T; [|discriminate]. split; [apply nth_error_Some; congruence|].
  destruct (nth_error line (N.to_nat y)) eqn:L; [|discriminate]. assert (B : (N.to_nat y < length line)%nat) by (apply nth_error_Some; congruence).
  apply nth_error_In in T. apply (in_map (@length _)) in T. pose proof (proj1 (list_max_le (map (@length _) t) (list_max (map (@length _) t))) (le_n _)) as M.
  rewrite Forall_forall in M. specialize (M _ T). lia.
Qed.

Theorem factors_cover values t s count : support values t = Some s -> nonnegative_rank_at_most F (cell t) values count ->
  rectangles_cover (cell s) (Some 1%N) count.
Proof.
  intros E (terms & L & N & S). set (height := length t). set (wide := list_max (map (@length _) t)).
  assert (B : forall l : product_terms F, exists rs : list (rectangle BinNums.N BinNums.N), length rs = length l /\
    forall x y, (N.to_nat x < height)%nat -> (N.to_nat y < wide)%nat ->
      (Exists (fun r => inside r x y = true) rs <-> Exists (fun term => 0 < fst term x /\ 0 < snd term y) l)).
  { induction l as [|[u v] l (rs & Len & IH)]; [exists []; split; [reflexivity|]; intros; split; intros None; inversion None|].
    destruct (settled u height) as [b Hb], (settled v wide) as [c Hc].
    exists (((b, c) : rectangle _ _) :: rs). split; [simpl; now rewrite Len|]. intros x y Hx Hy. specialize (Hb x Hx). specialize (Hc y Hy). rewrite !Exists_cons, (IH x y Hx Hy).
    unfold inside. cbn [fst snd]. rewrite andb_true_iff, Hb, Hc. reflexivity. }
  destruct (B terms) as (rs & Len & R).
  assert (Value : forall x y a, cell t x y = Some a -> (nth (N.to_nat a) values 0%N <> 0%N <-> 0 < sum_of_factors F terms x y)).
  { intros x y a A. rewrite (S x y a A). unfold value_at. split.
    - intros H. apply whole_above. lia.
    - intros H Z. rewrite Z in H. exact (strict_order F _ H). }
  exists rs. split; [|lia]. split.
  - apply Forall_forall. intros r Hr x y b I C. rewrite (support_cell values t s x y E) in C. destruct (cell t x y) as [a|] eqn:A; [|discriminate].
    injection C as <-. destruct (beyond_table t x y a A) as [Hx Hy]. destruct (N.eqb_spec (nth (N.to_nat a) values 0%N) 0) as [Z|]; [exfalso|reflexivity].
    apply (proj2 (Value x y a A)); [|exact Z]. apply sum_above; [exact N|]. apply (R x y Hx Hy). apply Exists_exists. now exists r.
  - intros x y C. rewrite (support_cell values t s x y E) in C. destruct (cell t x y) as [a|] eqn:A; [|discriminate]. injection C as C.
    destruct (beyond_table t x y a A) as [Hx Hy]. apply (R x y Hx Hy). apply sum_above; [exact N|]. apply (Value x y a A). intros Z. now rewrite Z in C.
Qed.

(** ** Signs *)
Definition has_sign (positive : bool) (a : F) : Prop := if positive then 0 < a else a < 0.

Lemma sign_rank_turned sender (f : function N N N) label count : sign_rank_at_most F f label count -> sign_rank_at_most F (sent_by sender f) label count.
Proof.
  destruct sender; [auto|]. intros (terms & L & S). exists (exchanged F terms). split; [unfold exchanged; now rewrite map_length|].
  intros y x a E. rewrite exchanged_sum. exact (S x y a E).
Qed.

(** Of a part: its rows and columns have the factors that they have in the whole. *)
Lemma part_sign_rank (f g : function N N N) rows columns label count : (forall i j, g i j = seen_through rows columns f i j) ->
  sign_rank_at_most F f label count -> sign_rank_at_most F g label count.
Proof.
  intros E (terms & L & S). set (at_spot := fun (spot : N -> option N) (h : N -> F) i => match spot i with Some x => h x | None => 0 end).
  exists (map (fun term => (at_spot rows (fst term), at_spot columns (snd term))) terms). split; [now rewrite map_length|].
  intros i j a H. rewrite E in H. unfold seen_through in H. destruct (rows i) as [x|] eqn:X; [|discriminate]. destruct (columns j) as [y|] eqn:Y; [|discriminate].
  replace (sum_of_factors F _ i j) with (sum_of_factors F terms x y); [exact (S x y a H)|]. clear -X Y. unfold sum_of_factors.
  induction terms as [|term terms IH]; simpl; [reflexivity|]. rewrite IH. unfold at_spot. now rewrite X, Y.
Qed.

Lemma product_of_signs (b : bool) (c a : F) : (0 < c -> has_sign b a) -> (c < 0 -> has_sign (negb b) a) -> has_sign true a \/ has_sign false a ->
  b = true -> at_most F 0 (c * a) /\ (c <> 0 -> 0 < c * a).
Proof.
  intros P N _ ->. cbn [negb has_sign] in *. destruct (total_order F 0 c) as [C|[C|C]].
  - pose proof (order_of_products F _ _ C (P C)) as K. split; [now left|auto].
  - rewrite <- C. split; [right; ring|congruence].
  - pose proof (order_of_products F _ _ (opposite F _ C) (opposite F _ (N C))) as K. replace (- c * - a) with (c * a) in K by ring. split; [now left|auto].
Qed.

(** A pattern of answers that has, place by place, the sign of a number. *)
Lemma pattern_of (ws : list (F * N)) : NoDup (map snd ws) -> exists pattern : N -> bool,
  Forall (fun w => (0 < fst w -> pattern (snd w) = true) /\ (fst w < 0 -> pattern (snd w) = false)) ws.
Proof.
  induction ws as [|[c y] ws IH]; intros ND; [now exists (fun _ => true)|]. inversion ND as [|? ? Ny ND']; subst. destruct (IH ND') as [pattern H].
  assert (D : exists b : bool, (0 < c -> b = true) /\ (c < 0 -> b = false)).
  { destruct (total_order F 0 c) as [C|[C|C]]; [exists true|exists true|exists false]; split; auto; intros C'; exfalso.
    - exact (signs_exclude F _ C C').
    - rewrite <- C in C'. exact (strict_order F _ C').
    - exact (signs_exclude F _ C' C). }
  destruct D as [b D]. exists (fun z => if N.eqb z y then b else pattern z). constructor; [cbn [fst snd]; now rewrite N.eqb_refl|].
  rewrite Forall_forall in *. intros w Hw. destruct (N.eqb_spec (snd w) y) as [E|]; [|now apply H].
  exfalso. apply Ny. rewrite <- E. now apply in_map.
Qed.

Theorem shattered_signs (f : function N N N) label places count : label = 0%N \/ label = 1%N -> shattered f 0%N 1%N places ->
  sign_rank_at_most F f label count -> (length places <= count)%nat.
Proof.
  intros Lab [ND Sh] (terms & L & S). destruct (le_lt_dec (length places) (length terms)) as [|Many]; [lia|exfalso].
  destruct (spanned_dependent F _ (map fst terms) _ (fun y x => sum_of_factors F terms x y) places) as (ws & M & Ne & Z).
  - apply Forall_forall. intros y _. clear. induction terms as [|[u v] terms IH]; cbn [map spans]; [reflexivity|].
    exists (v y). eapply spanned_eq; [|exact IH]. intros x. cbn [fst]. unfold sum_of_factors. cbn [fold_right fst snd]. ring.
  - now rewrite map_length.
  - destruct (pattern_of ws) as [pattern P]; [now rewrite M|].
    destruct (Sh (fun y => if N.eqb label 1 then pattern y else negb (pattern y))) as [x Hx].
    assert (Sign : forall y, In y places -> has_sign (pattern y) (sum_of_factors F terms x y)).
    { intros y Hy. specialize (S x y _ (Hx y Hy)). unfold has_sign. destruct Lab as [-> | ->]; simpl in S; destruct (pattern y); exact S. }
    assert (All : Forall (fun w => at_most F 0 (fst w * sum_of_factors F terms x (snd w)) /\ (fst w <> 0 -> 0 < fst w * sum_of_factors F terms x (snd w))) ws).
    { apply Forall_forall. intros w Hw. rewrite Forall_forall in P. destruct (P w Hw) as [P1 P2].
      assert (Hy : In (snd w) places) by (rewrite <- M; now apply in_map). specialize (Sign _ Hy).
      apply (product_of_signs true); [| |destruct (pattern (snd w)); auto|reflexivity].
      - intros C. now rewrite (P1 C) in Sign.
      - intros C. now rewrite (P2 C) in Sign. }
    specialize (Z x). unfold linear_combination in Z. revert Z. enough (0 < fold_right (fun w s => fst w * sum_of_factors F terms x (snd w) + s) 0 ws) as K.
    { intros Z. rewrite Z in K. exact (strict_order F _ K). }
    clear -Ne All. assert (Sum : at_most F 0 (fold_right (fun w s => fst w * sum_of_factors F terms x (snd w) + s) 0 ws)).
    { clear Ne. induction All as [|w ws [A _] _ IH]; simpl; [now right|now apply sum_at_least]. }
    induction Ne as [w ws N|w ws N IH]; inversion All as [|? ? [A1 A2] All']; subst; simpl in *.
    + specialize (A2 N). assert (R : at_most F 0 (fold_right (fun w s => fst w * sum_of_factors F terms x (snd w) + s) 0 ws)).
      { clear -All'. induction All' as [|w ws [A _] _ IH]; simpl; [now right|now apply sum_at_least]. }
      destruct R as [R|<-]; [now apply above_sum|]. now rewrite no_rest.
    + assert (R : 0 < fold_right (fun w s => fst w * sum_of_factors F terms x (snd w) + s) 0 ws).
      { apply IH; [exact All'|]. clear -All'. induction All' as [|v vs [A _] _ IH]; simpl; [now right|now apply sum_at_least]. }
      destruct A1 as [A1|<-]; [now apply above_sum|]. now rewrite no_product.
Qed.

(** Within less than 1 of a sign is a number of this sign. *)
Theorem near_signs (f : function N N N) label error count : (Qnum error < Zpos (Qden error))%Z ->
  approximate_rank_at_most F f label error count -> sign_rank_at_most F f label count.
Proof.
  intros E (terms & L & _ & K). exists terms. split; [exact L|].
  assert (P : 0 < ratio F (1 - error)).
  { destruct error as [n d]. cbn [Qnum Qden] in E. unfold ratio, Qminus, Qplus, Qopp. cbn [Qnum Qden].
    apply order_of_products; [apply whole_above|apply inverse_above, whole_above]; lia. }
  assert (N : ratio F (- (1 - error)) < 0).
  { replace (ratio F (- (1 - error))) with (- ratio F (1 - error)); [now apply opposite_back|]. unfold ratio, Qopp. cbn [Qnum Qden]. rewrite whole_opp. ring. }
  intros x y a A. specialize (K x y a A). destruct (a =? label)%N; destruct K as [K|K].
  - exact (transitive_order F _ _ _ P K).
  - now rewrite <- K.
  - exact (transitive_order F _ _ _ K N).
  - now rewrite K.
Qed.
End Covers.
