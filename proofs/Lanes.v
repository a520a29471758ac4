(** * Lists of short numbers as one long number, with a lane of 16 bits for each, so that all are compared at once *)
From Coq Require Import List Arith Lia Bool NArith ZArith.
From Ccsim Require Import CombinedRows.
Import ListNotations.
Open Scope N_scope.

Definition lane : N := 65536.
Definition guard_bit : N := 32768.

Fixpoint lanes (digits : list N) : N := match digits with [] => 0 | a :: rest => a + lane * lanes rest end.

Definition in_lanes (digits : list N) : N := packed (length digits) 16 digits.

Lemma in_lanes_spec digits : in_lanes digits = lanes digits.
Proof.
  apply N2Z.inj. unfold in_lanes. rewrite packed_value. change (base_of 16) with (Z.of_N lane).
  induction digits as [|a rest IH]; [reflexivity|]. cbn [map value_of_digits lanes]. rewrite IH. lia.
Qed.

Definition low (digits : list N) : Prop := Forall (fun d => d < lane) digits.

(** The highest bit of a lane is that of its number. *)
Lemma lane_bit digits : low digits -> forall i, N.testbit (lanes digits) (15 + 16 * N.of_nat i) = N.testbit (nth i digits 0) 15.
Proof.
  unfold lane. induction 1 as [|a rest A F IH]; intros i; [cbn [lanes]; rewrite N.bits_0; now destruct i|]. cbn [lanes]. fold lanes.
  assert (M : (a + lane * lanes rest) mod 2 ^ 16 = a).
  { change (2 ^ 16) with lane. rewrite N.mul_comm, N.mod_add by discriminate. now apply N.mod_small. }
  assert (D : (a + lane * lanes rest) / 2 ^ 16 = lanes rest).
  { change (2 ^ 16) with lane. rewrite N.mul_comm, N.div_add by discriminate. rewrite N.div_small by exact A. lia. }
  destruct i as [|i]; cbn [nth].
  - rewrite <- M at 2. rewrite N.mod_pow2_bits_low by lia. reflexivity.
  - rewrite <- IH. rewrite <- D at 2. rewrite N.div_pow2_bits. f_equal. lia.
Qed.

Lemma high_bit d : d < lane -> N.testbit d 15 = true -> guard_bit <= d.
Proof.
  intros _ T. unfold guard_bit. destruct (N.le_gt_cases 32768 d) as [|G]; [assumption|]. exfalso. destruct (N.eq_dec d 0) as [->|Z]; [discriminate T|].
  rewrite N.bits_above_log2 in T; [discriminate|]. apply N.log2_lt_pow2; [lia|exact G].
Qed.

Fixpoint summed (v w : list N) : list N := match v, w with a :: v, b :: w => a + b :: summed v w | _, _ => [] end.

Lemma lanes_summed v : forall w, length v = length w -> lanes (summed v w) = lanes v + lanes w.
Proof. induction v as [|a v IH]; intros [|b w] L; try discriminate; [reflexivity|]. cbn [summed lanes]. rewrite IH by (now injection L). lia. Qed.

Lemma summed_nth v : forall w i, length v = length w -> nth i (summed v w) 0 = nth i v 0 + nth i w 0.
Proof. induction v as [|a v IH]; intros [|b w] [|i] L; try discriminate; try reflexivity. cbn [summed nth]. apply IH. now injection L. Qed.

Lemma summed_length v : forall w, length v = length w -> length (summed v w) = length v.
Proof. induction v as [|a v IH]; intros [|b w] L; try discriminate; [reflexivity|]. cbn [summed length]. f_equal. apply IH. now injection L. Qed.

Lemma low_nth digits : (forall i, nth i digits 0 < lane) -> low digits.
Proof.
  induction digits as [|a rest IH]; intros H; constructor; [exact (H O)|]. apply IH. intros i. exact (H (S i)).
Qed.

Definition guards (count : nat) : list N := repeat guard_bit count.

Lemma guard_of count i : (i < count)%nat -> N.testbit (lanes (guards count)) (15 + 16 * N.of_nat i) = true.
Proof.
  intros L. rewrite lane_bit by (apply Forall_forall; intros d D; apply repeat_spec in D; now subst).
  unfold guards. rewrite (nth_indep _ 0 guard_bit) by (now rewrite repeat_length). now rewrite nth_repeat.
Qed.

(** A sum of numbers, in each lane below the end of the lane, has the highest bit of each lane of the guards. *)
Lemma guarded digits count i : low digits -> (i < count)%nat ->
  N.land (lanes (guards count)) (lanes digits) = lanes (guards count) -> guard_bit <= nth i digits 0.
Proof.
  intros F L E. pose proof (guard_of count i L) as G. rewrite <- E, N.land_spec, andb_true_iff in G. destruct G as [_ G].
  rewrite lane_bit in G by exact F. apply high_bit; [|exact G]. destruct (nth_in_or_default i digits 0) as [I|D]; [|rewrite D; reflexivity].
  unfold low in F. rewrite Forall_forall in F. now apply F.
Qed.
