(** * Bits of discrepancy: with public coins 2^c >= (1 - 2e) / discrepancy, under any distribution

    A leaf is a rectangle, on which its answer is right with a weight that is larger than the weight where it is wrong by
    the discrepancy at most. A protocol of c bits has at most 2^c leaves, and so has each of a mixture. *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith Qround.
From Ccsim Require Import Specification Trees Lines Discrepancy Mixtures.
Import ListNotations.
Open Scope Z_scope.

Section Bits.
Variable f : function N N N.
Variable weights : list (list N).
Variables rows columns : nat.
Variable most : Z.
Hypothesis most_bias : forall r, bias f weights rows columns r <= most.
Hypothesis on_answers : forall x y, weight_at weights x y <> 0%N -> f x y = Some 0%N \/ f x y = Some 1%N.

(** The sum over a rectangle. *)
Definition over (A C : N -> bool) (g : N -> N -> Z) : Z :=
  sum (map (fun x => sum (map (fun y => if A x && C y then g x y else 0) (indices columns))) (indices rows)).

Definition weight (x y : N) : Z := Z.of_N (weight_at weights x y).

(** What an answer gains: its weight where it is right, and what it loses where it is not. *)
Definition gained (answer : N) (x y : N) : Z :=
  match f x y with Some a => if (answer =? a)%N then weight x y else - weight x y | None => - weight x y end.

Lemma over_ext A C g h : (forall x y, g x y = h x y) -> over A C g = over A C h.
Proof. intros E. unfold over. apply sum_ext. intros x _. apply sum_ext. intros y _. now rewrite E. Qed.

Lemma over_le A C g h : (forall x y, g x y <= h x y) -> over A C g <= over A C h.
Proof. intros E. unfold over. apply sum_le. intros x _. apply sum_le. intros y _. destruct (_ && _); [apply E|lia]. Qed.

Lemma over_opposite A C g : over A C (fun x y => - g x y) = - over A C g.
Proof.
  unfold over. rewrite <- sum_opposite. apply sum_ext. intros x _. rewrite <- sum_opposite. apply sum_ext. intros y _. now destruct (_ && _).
Qed.

Lemma over_split A A' C C' D E g : (forall x y, (if A x && C y then g x y else 0) = (if A' x && C' y then g x y else 0) + (if D x && E y then g x y else 0)) ->
  over A C g = over A' C' g + over D E g.
Proof.
  intros H. unfold over. rewrite <- sum_add. apply sum_ext. intros x _. rewrite <- sum_add. apply sum_ext. intros y _. apply H.
Qed.

Lemma over_scale A C c g : over A C (fun x y => c * g x y) = c * over A C g.
Proof.
  unfold over. rewrite <- sum_scale. apply sum_ext. intros x _. rewrite <- sum_scale. apply sum_ext. intros y _. destruct (_ && _); ring.
Qed.

Lemma signed_over A C : Z.abs (over A C (signed_weight f weights)) <= most.
Proof. exact (most_bias (A, C)). Qed.

Lemma leaf_gains A C answer : over A C (gained answer) <= most.
Proof.
  pose proof (signed_over A C) as B.
  assert (K : answer = 1%N \/ answer = 0%N \/ forall x y, gained answer x y <= 0).
  { destruct (N.eq_dec answer 1%N) as [|N1]; [now left|]. destruct (N.eq_dec answer 0%N) as [|N0]; [now (right; left)|]. right. right. intros x y.
    unfold gained, weight. destruct (N.eq_dec (weight_at weights x y) 0%N) as [->|W].
    - destruct (f x y); [destruct (_ =? _)%N|]; simpl; lia.
    - destruct (on_answers x y W) as [-> | ->]; destruct (N.eqb_spec answer 0%N), (N.eqb_spec answer 1%N); try contradiction; lia. }
  destruct K as [->|[->|K]].
  - enough (over A C (gained 1%N) = over A C (signed_weight f weights)) by lia. apply over_ext. intros x y. unfold gained, signed_weight, weight.
    destruct (f x y) as [[|[?|?|]]|]; reflexivity.
  - enough (over A C (gained 0%N) <= over A C (fun x y => - signed_weight f weights x y)) by (rewrite over_opposite in *; lia).
    apply over_le. intros x y. unfold gained, signed_weight, weight. destruct (f x y) as [[|[?|?|]]|]; simpl; lia.
  - enough (over A C (gained answer) <= over A C (fun _ _ => 0)).
    { assert (Z : over A C (fun _ _ => 0) = 0); [|lia]. rewrite (over_ext _ _ _ (fun x y => 0 * 0)) by reflexivity. rewrite over_scale. ring. }
    now apply over_le.
Qed.

Lemma tree_gains (p : protocol N N N) : forall A C, over A C (fun x y => gained (run p x y) x y) <= Z.of_nat (leaves p) * most.
Proof.
  induction p as [answer|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; intros A C; cbn [leaves].
  - rewrite (over_ext _ _ _ (gained answer)) by reflexivity. pose proof (leaf_gains A C answer). lia.
  - rewrite (over_split A (fun x => A x && negb (s x)) C C (fun x => A x && s x) C).
    + specialize (IH0 (fun x => A x && negb (s x)) C). specialize (IH1 (fun x => A x && s x) C). rewrite Nat2Z.inj_add, Z.mul_add_distr_r.
      apply Z.add_le_mono; (eapply Z.le_trans; [|eassumption]); apply Z.eq_le_incl; unfold over; apply sum_ext; intros x _; apply sum_ext; intros y _;
        cbn [run]; destruct (A x), (s x), (C y); reflexivity.
    + intros x y. cbn [run]. destruct (A x), (s x), (C y); simpl; ring.
  - rewrite (over_split A A C (fun y => C y && negb (s y)) A (fun y => C y && s y)).
    + specialize (IH0 A (fun y => C y && negb (s y))). specialize (IH1 A (fun y => C y && s y)). rewrite Nat2Z.inj_add, Z.mul_add_distr_r.
      apply Z.add_le_mono; (eapply Z.le_trans; [|eassumption]); apply Z.eq_le_incl; unfold over; apply sum_ext; intros x _; apply sum_ext; intros y _;
        cbn [run]; destruct (A x), (s y), (C y); reflexivity.
    + intros x y. cbn [run]. destruct (A x), (s y), (C y); simpl; ring.
Qed.

Lemma most_positive : 0 <= most.
Proof. specialize (most_bias (fun _ => false, fun _ => false)). unfold bias in most_bias. lia. Qed.

(** What a mixture gains on a cell, and altogether. *)
Definition mixed (m : mixture N N N) (x y : N) : Z := sum (map (fun part => Z.of_N (fst part) * gained (run (snd part) x y) x y) m).

Lemma mixed_cell m x y a : f x y = Some a ->
  mixed m x y = weight x y * (2 * Z.of_N (right_weight N.eqb m x y a) - Z.of_N (total (map fst m))).
Proof.
  intros E. unfold mixed, right_weight. induction m as [|[w p] m IH]; [unfold sum, total; simpl; ring|].
  unfold sum, total in *. cbn [map fold_right fst snd]. rewrite IH. unfold gained at 1. rewrite E. destruct (run p x y =? a)%N; lia.
Qed.

Lemma mixture_gains m bits : Forall (fun part => (depth (snd part) <= bits)%nat) m ->
  over (fun _ => true) (fun _ => true) (mixed m) <= Z.of_N (total (map fst m)) * (2 ^ Z.of_nat bits * most).
Proof.
  pose proof most_positive as Pos. intros D. unfold mixed, over. simpl.
  transitivity (sum (map (fun part => Z.of_N (fst part) * over (fun _ => true) (fun _ => true) (fun x y => gained (run (snd part) x y) x y)) m)).
  - apply Z.eq_le_incl. symmetry. unfold over. simpl.
    transitivity (sum (map (fun part => sum (map (fun x => sum (map (fun y => Z.of_N (fst part) * gained (run (snd part) x y) x y) (indices columns))) (indices rows))) m)).
    + apply sum_ext. intros part _. rewrite <- sum_scale. apply sum_ext. intros x _. now rewrite <- sum_scale.
    + rewrite sum_swap. apply sum_ext. intros x _. now rewrite sum_swap.
  - induction D as [|[w p] m Dp _ IH]; [unfold sum, total; simpl; lia|]. unfold sum, total in *. cbn [map fold_right fst snd] in *.
    pose proof (tree_gains p (fun _ => true) (fun _ => true)) as T. pose proof (leaves_depth p) as L.
    assert (Z.of_nat (leaves p) <= 2 ^ Z.of_nat bits).
    { change 2 with (Z.of_nat 2). rewrite <- Nat2Z.inj_pow. apply inj_le. eapply Nat.le_trans; [exact L|]. apply Nat.pow_le_mono_r; lia. }
    rewrite N2Z.inj_add, Z.mul_add_distr_r. apply Z.add_le_mono; [|exact IH]. apply Z.mul_le_mono_nonneg_l; [lia|].
    eapply Z.le_trans; [exact T|]. apply Z.mul_le_mono_nonneg_r; assumption.
Qed.

Theorem success_gains bits (n : Z) (d : positive) : succeeds f N.eqb bits (n # d) ->
  (2 * n - Zpos d) * over (fun _ => true) (fun _ => true) weight <= Zpos d * (2 ^ Z.of_nat bits * most).
Proof.
  intros (m & P & D & S). set (whole := Z.of_N (total (map fst m))). assert (0 < whole) by (unfold whole; lia).
  enough (K : whole * ((2 * n - Zpos d) * over (fun _ => true) (fun _ => true) weight) <= whole * (Zpos d * (2 ^ Z.of_nat bits * most)))
    by now apply Z.mul_le_mono_pos_l in K.
  transitivity (Zpos d * over (fun _ => true) (fun _ => true) (mixed m)).
  - rewrite Z.mul_assoc, <- !over_scale. apply over_le. intros x y. destruct (N.eq_dec (weight_at weights x y) 0%N) as [W|W].
    + assert (weight x y = 0) as -> by (unfold weight; now rewrite W). assert (mixed m x y = 0) as ->; [|lia].
      unfold mixed. transitivity (sum (map (fun _ : N * protocol N N N => 0) m)); [|apply sum_zero]. apply sum_ext. intros part _. unfold gained, weight. rewrite W.
      destruct (f x y); [destruct (_ =? _)%N|]; simpl; lia.
    + assert (E : exists a, f x y = Some a) by (destruct (on_answers x y W); eauto). destruct E as [a E]. rewrite (mixed_cell m x y a E).
      specialize (S x y a E). fold whole. unfold Qle, Qmult, fraction, inject_Z in S. cbn [Qnum Qden] in S. rewrite Pos.mul_1_r, Z.mul_1_r in S. fold whole in S.
      assert (0 <= weight x y) by (unfold weight; lia).
      replace (whole * (2 * n - Zpos d) * weight x y) with (weight x y * (2 * (n * whole) - Zpos d * whole)) by ring.
      replace (Zpos d * (weight x y * (2 * Z.of_N (right_weight N.eqb m x y a) - whole)))
        with (weight x y * (2 * (Z.of_N (right_weight N.eqb m x y a) * Zpos d) - Zpos d * whole)) by ring.
      apply Z.mul_le_mono_nonneg_l; lia.
  - pose proof (mixture_gains m bits D) as G. fold whole in G. replace (whole * (Zpos d * (2 ^ Z.of_nat bits * most))) with (Zpos d * (whole * (2 ^ Z.of_nat bits * most))) by ring.
    apply Z.mul_le_mono_nonneg_l; [lia|exact G].
Qed.
End Bits.

(** The least number of leaves that is shown: (1 - 2e) / discrepancy, rounded up. *)
Definition leaves_by_most (t : table) (weights : list (list N)) (error : Q) (most : Z) : option N :=
  if regular t then
    if weights_fit t weights then
      if (0 <? most) then Some (Z.to_N (Qceiling ((1 - 2 * error) * fraction (all_weight weights) / inject_Z most))) else None
    else None
  else None.

Definition leaves_by_discrepancy (t : table) (weights : list (list N)) (error : Q) : option N :=
  leaves_by_most t weights error (most_biased (cell t) weights (length weights) (length (hd [] weights))).

Theorem leaves_by_most_bound t weights error most v bits :
  (forall r, bias (cell t) weights (length weights) (length (hd [] weights)) r <= most) -> leaves_by_most t weights error most = Some v ->
  succeeds (cell t) N.eqb bits (1 - error) -> (v <= 2 ^ N.of_nat bits)%N.
Proof.
  intros Most. unfold leaves_by_most. destruct (regular t) eqn:R; [|discriminate]. destruct (weights_fit t weights) eqn:F; [|discriminate].
  destruct (Z.ltb_spec 0 most) as [P|]; [|discriminate]. intros [= <-] S.
  pose proof (success_gains (cell t) weights _ _ most Most (fun x y => weights_on_answers t weights x y F)
    bits (Qnum (1 - error)) (Qden (1 - error))) as G.
  assert (E : Qnum (1 - error) # Qden (1 - error) = (1 - error)%Q) by now destruct (1 - error)%Q. rewrite E in G. specialize (G S).
  assert (W : over (length weights) (length (hd [] weights)) (fun _ => true) (fun _ => true) (weight weights) = Z.of_N (all_weight weights)).
  { now rewrite (all_weight_sum weights (weights_fit_regular t weights R F)). }
  rewrite W in G. enough (Qceiling ((1 - 2 * error) * fraction (all_weight weights) / inject_Z most) <= 2 ^ Z.of_nat bits) as K.
  { apply N2Z.inj_le. rewrite N2Z.inj_pow, nat_N_Z. destruct (Qceiling _) eqn:C; rewrite ?Z2N.id by lia; simpl; try lia. }
  rewrite <- (Qceiling_Z (2 ^ Z.of_nat bits)). apply Qceiling_resp_le.
  assert (Pq : (0 < inject_Z most)%Q) by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact P).
  apply (Qmult_le_r _ _ _ Pq). unfold Qdiv. rewrite <- Qmult_assoc, (Qmult_comm (/ _)), Qmult_inv_r, Qmult_1_r by (intros Z; rewrite Z in Pq; discriminate).
  rewrite <- inject_Z_mult. assert (D : ((1 - 2 * error) == 2 * (1 - error) - 1)%Q) by ring. rewrite D. clear D.
  destruct (1 - error)%Q as [n d]. cbn [Qnum Qden] in G. unfold Qle, Qminus, Qopp, Qplus, Qmult, fraction, inject_Z. cbn [Qnum Qden].
  rewrite ?Pos.mul_1_r, ?Pos.mul_1_l, ?Z.mul_1_r, ?Z.mul_1_l. rewrite Z.mul_comm. replace (2 * n + -1 * Zpos d) with (2 * n - Zpos d) by ring. lia.
Qed.

Theorem discrepancy_bits_bound t weights error v bits : leaves_by_discrepancy t weights error = Some v ->
  succeeds (cell t) N.eqb bits (1 - error) -> (v <= 2 ^ N.of_nat bits)%N.
Proof. apply leaves_by_most_bound, most_biased_bound. Qed.
