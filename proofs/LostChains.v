(** * Chains that have one of some steps, all from sets of one size: how many there are at least *)
From Coq Require Import FinFun List Arith Lia Bool NArith.
From Ccsim Require Import Specification Lines Chains ChainCovers.
Import ListNotations.
Open Scope N_scope.

Section Steps.
Variables k level : nat.
Variable steps : list (N * N). (* from a set, by an element *)
Hypothesis steps_distinct : NoDup steps.
Hypothesis steps_right : forall U i, In (U, i) steps -> bounded k U /\ size_of k U = level /\ In i (left_of k U).

Definition is_step (U i : N) (s : N * N) : bool := (fst s =? U) && (snd s =? i).
Definition some_step (U i : N) : bool := existsb (is_step U i) steps.

Lemma is_step_spec U i s : is_step U i s = true <-> s = (U, i).
Proof.
  unfold is_step. rewrite andb_true_iff, !N.eqb_eq. destruct s as [V j]. simpl. split; [intros [-> ->]; reflexivity|intros [= -> ->]; auto].
Qed.

Lemma some_step_spec U i : some_step U i = true <-> In (U, i) steps.
Proof.
  unfold some_step. rewrite existsb_exists. split.
  - intros (s & Hs & E). apply is_step_spec in E. now subst.
  - intros H. exists (U, i). split; [exact H|now apply is_step_spec].
Qed.

(** What is left to choose after a step. *)
Definition after (n : nat) (A : N) : N := match n with O => 0 | S m => factorial m end.

Lemma steps_from A n : size_of k A = level ->
  sum_over steps (fun s => through k (fst s) after (S n) A) <= sum_over (left_of k A) (fun i => if some_step A i then factorial n else lost k some_step n (N.setbit A i)).
Proof.
  intros L. eapply N.le_trans with (sum_over steps (fun s => sum_over (left_of k A) (fun i => if is_step A i s then factorial n else 0))).
  - apply sum_le. intros [U i] H. destruct (steps_right U i H) as (B & LU & I). cbn [fst]. destruct (N.eq_dec A U) as [->|Ne].
    + rewrite through_there. eapply N.le_trans; [|apply (sum_ge _ _ i I)]. cbv beta. rewrite (proj2 (is_step_spec U i (U, i)) eq_refl). apply N.le_refl.
    + rewrite through_none; [lia|]. apply not_true_is_false. intros K. apply Ne. apply (same_size k); [exact B|exact K|congruence].
  - rewrite sum_swap. apply sum_le. intros i _. destruct (some_step A i) eqn:M.
    + eapply N.le_trans; [apply (sum_single steps _ (A, i) steps_distinct)|].
      * intros s _ Ne. destruct (is_step A i s) eqn:E; [|reflexivity]. apply is_step_spec in E. congruence.
      * cbv beta. destruct (is_step A i (A, i)); lia.
    + rewrite sum_zero; [lia|]. intros s Hs. destruct (is_step A i s) eqn:E; [|reflexivity]. apply is_step_spec in E. subst s.
      apply some_step_spec in Hs. congruence.
Qed.

Lemma lost_through n : forall A, n = length (left_of k A) -> sum_over steps (fun s => through k (fst s) after n A) <= lost k some_step n A.
Proof.
  induction n as [|n IH]; intros A L.
  - rewrite sum_zero; [lia|]. intros s _. cbn [through]. now destruct (A =? fst s).
  - cbn [lost]. destruct (Nat.eq_dec (size_of k A) level) as [E|E]; [now apply steps_from|].
    rewrite (sum_ext steps _ (fun s => sum_over (left_of k A) (fun i => through k (fst s) after n (N.setbit A i)))).
    + rewrite sum_swap. apply sum_le. intros i Hi. destruct (some_step A i) eqn:M.
      * apply some_step_spec, steps_right in M. destruct M as (_ & M & _). contradiction.
      * apply IH. pose proof (left_next k A i Hi). lia.
    + intros [U i] H. apply through_next. simpl. intros ->. apply steps_right in H. destruct H as (_ & H & _). contradiction.
Qed.

Theorem lost_least : N.of_nat (length steps) * (factorial level * factorial (k - 1 - level)) <= lost k some_step k 0.
Proof.
  eapply N.le_trans; [|apply lost_through; symmetry; apply left_of_nothing].
  rewrite <- sum_constant. apply sum_le. intros [U i] H. destruct (steps_right U i H) as (B & L & I). simpl.
  rewrite through_value; [|exact B|now rewrite left_of_nothing|apply nothing_inside].
  pose proof (gap_sizes k 0 U (nothing_inside U)) as G. pose proof (left_and_size k 0) as L0. pose proof (left_and_size k U) as LU. rewrite left_of_nothing in L0.
  replace (gap k 0 U) with level by lia. unfold after. destruct (left_of k U) as [|a l] eqn:E; [elim I|]. simpl in LU.
  destruct (k - level)%nat as [|m] eqn:M; [lia|]. replace (k - 1 - level)%nat with m by lia. apply N.le_refl.
Qed.
End Steps.
