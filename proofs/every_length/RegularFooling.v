(** * Regular fooling sets: for each n a cell for each word *)
From Coq Require Import List Arith Lia Bool NArith ZArith.
From Ccsim Require Import Specification Trees Families Reaching Recurrences Words PairWords.
Import ListNotations.
Open Scope nat_scope.

Definition differ (a b : option N) : bool :=
  match a, b with Some c, Some d => negb (c =? d)%N | _, _ => false end.

(** No leaf has two cells: the answers at (x, y), (x', y'), (x, y') and (x', y). *)
Definition fools (who : knowing) (codes : four (option N)) : bool :=
  let '((one, two), (three, four)) := codes in
  match who with
  | Both => differ one two || differ one three || differ one four || differ two three || differ two four || differ three four
  | AliceAlone => differ one three || differ two four
  | BobAlone => differ one four || differ two three
  end.

Definition has_answer_code (code : option N) (answer : option N) : bool :=
  match answer, code with None, _ => false | Some _, None => true | Some a, Some c => (a =? c)%N end.

Definition regular_fooling (F : family) (who : knowing) (code : option N) (M : automaton (nat * nat)) (base : N)
  (count : list Z * list Z) : bool :=
  if all_good F M base (has_answer_code code) (fools who) then counts M count else false.

Lemma fools_apart who (f : function (list nat) (list nat) N) c d :
  fools who ((f (fst c) (snd c), f (fst d) (snd d)), (f (fst c) (snd d), f (fst d) (snd c))) = true -> ~ share_a_leaf f who c d.
Proof.
  destruct c as [x y], d as [u v]. cbn [fst snd]. intros H (leaf & K). cbn [fst snd] in K.
  pose proof (fun a => K x y a ltac:(auto) ltac:(auto)) as K1. pose proof (fun a => K u v a ltac:(auto) ltac:(auto)) as K2.
  pose proof (fun a => K x v a ltac:(auto) ltac:(auto)) as K3. pose proof (fun a => K u y a ltac:(auto) ltac:(auto)) as K4.
  clear K. assert (D : forall a b, differ a b = true -> exists c d, a = Some c /\ b = Some d /\ c <> d).
  { intros [a|] [b|]; simpl; try discriminate. intros E. exists a, b. repeat split; auto. intros ->. now rewrite N.eqb_refl in E. }
  destruct who; simpl in *; rewrite ?orb_true_iff in H;
    repeat match type of H with _ \/ _ => destruct H as [H|H] end;
    apply D in H; destruct H as (a & b & Ea & Eb & Ne); apply Ne;
    repeat match goal with
    | [ K : forall a, f ?x ?y = Some a -> _, E : f ?x ?y = Some _ |- _ ] => apply K in E
    end; congruence.
Qed.

Theorem regular_fooling_words F who code M base n : all_good F M base (has_answer_code code) (fools who) = true -> 1 <= n ->
  fooling_set (at_length F n) who code (map cell_of (accepted M n)).
Proof.
  intros G Hn. pose proof (pairs_in_function F M base _ _ G n Hn) as [A P]. cbv zeta in A, P. split.
  - eapply Forall_impl; [|exact A]. intros c Hc. cbv beta in Hc. destruct code as [a|]; simpl in *;
      destruct (at_length F n (fst c) (snd c)) as [b|]; try discriminate. apply N.eqb_eq in Hc. now subst.
  - clear A. revert P. generalize (map cell_of (accepted M n)) as l. induction 1 as [|c l Hc _ IH]; constructor; [|exact IH].
    eapply Forall_impl; [|exact Hc]. intros d Hd. exact (fools_apart who _ c d Hd).
Qed.

Theorem regular_fooling_set F who code M base count : regular_fooling F who code M base count = true -> forall n, 1 <= n ->
  exists cells, fooling_set (at_length F n) who code cells /\ Z.of_nat (length cells) = count_at count n.
Proof.
  unfold regular_fooling. intros H n Hn. destruct (all_good _ _ _ _ _) eqn:G; [|discriminate].
  exists (map cell_of (accepted M n)). split; [now apply (regular_fooling_words F who code M base)|].
  rewrite map_length. now rewrite (counts_for_ever H Hn).
Qed.

(** Leaves, and bits. *)
Lemma fooling_bits {X Y} (f : function X Y N) who code cells bits : fooling_set f who code cells -> bits_suffice f who None bits ->
  length cells <= 2 ^ bits.
Proof.
  intros [_ P] (p & Hp & _ & D).
  assert (L : length cells <= leaves p).
  { apply (fooling_leaves (says := said who) (f := f) (R := fun _ => True) (C := fun _ => True)).
    - intros x y a _ _ E. now apply Hp.
    - apply Forall_forall. auto.
    - clear -P. induction P as [|c l H _ IH]; constructor; auto. eapply Forall_impl; [|exact H].
      intros d N leaf S. apply N. exists leaf. exact S. }
  pose proof (leaves_depth p). pose proof (Nat.pow_le_mono_r 2 (depth p) bits ltac:(lia) D). lia.
Qed.

Lemma bits_of_count (z : Z) bits : (z <= Z.of_nat (2 ^ bits))%Z -> (N.log2_up (Z.to_N z) <= N.of_nat bits)%N.
Proof.
  intros H. assert (P : N.of_nat (2 ^ bits) = (2 ^ N.of_nat bits)%N) by exact (Nat2N.inj_pow 2 bits).
  transitivity (N.log2_up (2 ^ N.of_nat bits)%N).
  - apply N.log2_up_le_mono. rewrite <- P. lia.
  - rewrite N.log2_up_pow2; lia.
Qed.

Theorem regular_fooling_bits F who M base count : regular_fooling F who None M base count = true ->
  always_holds F (LastingDeterministic who) Lower (Counted count).
Proof.
  intros H n Hn bits R. destruct (regular_fooling_set _ _ _ _ _ _ H n Hn) as (cells & S & L). simpl in *.
  apply bits_of_count. rewrite <- L. apply Nat2Z.inj_le. exact (fooling_bits _ _ _ _ _ S R).
Qed.

Theorem regular_fooling_cells F who code M base count : regular_fooling F who code M base count = true ->
  always_holds F (LastingFoolingSet who code) Lower (Counted count).
Proof.
  intros H n Hn. destruct (regular_fooling_set _ _ _ _ _ _ H n Hn) as (cells & S & L). exists (length cells). split.
  - exists cells. split; [reflexivity|exact S].
  - simpl. lia.
Qed.

Theorem regular_fooling_value F who M base n bits : all_good F M base (has_answer_code None) (fools who) = true -> 1 <= n ->
  bits_suffice (at_length F n) who None bits -> (value (paths M) n (origin (paths M)) <= Z.of_nat (2 ^ bits))%Z.
Proof.
  intros G Hn R. pose proof (fooling_bits _ _ _ _ _ (regular_fooling_words F who None M base n G Hn) R) as L.
  rewrite map_length in L. rewrite <- number_of_words. apply Nat2Z.inj_le. exact L.
Qed.
