(** * Lists of short numbers as one long number, with a lane of equally many bits for each, so that all are compared at once.
    A lane has two bits more than its number: two of them and what is above the guard still fit in *)
From Coq Require Import List Arith Lia Bool NArith ZArith.
From Ccsim Require Import Lines CombinedRows.
Import ListNotations.
Open Scope N_scope.

Section Lanes.
Variable size : N. (* the bits of a number *)

Definition short : N := 2 ^ size.
Definition bits : N := size + 2.
Definition lane : N := 2 ^ bits.
Definition guard_bit : N := 2 ^ (size + 1).

Lemma lane_is : lane = 4 * short /\ guard_bit = 2 * short /\ 0 < short.
Proof.
  unfold lane, guard_bit, short, bits. rewrite !N.pow_add_r. change (2 ^ 2) with 4. change (2 ^ 1) with 2.
  pose proof (N.pow_nonzero 2 size ltac:(discriminate)). lia.
Qed.

Ltac sizes := pose proof lane_is as (? & ? & ?); lia.

Fixpoint lanes (digits : list N) : N := match digits with [] => 0 | a :: rest => a + lane * lanes rest end.

Definition in_lanes (digits : list N) : N := packed (length digits) bits digits.

Lemma in_lanes_spec digits : in_lanes digits = lanes digits.
Proof.
  apply N2Z.inj. unfold in_lanes. rewrite packed_value. assert (E : base_of bits = Z.of_N lane) by (unfold lane; rewrite N2Z.inj_pow; reflexivity).
  rewrite E. induction digits as [|a rest IH]; [reflexivity|]. cbn [map value_of_digits lanes]. rewrite IH. lia.
Qed.

Definition low (digits : list N) : Prop := Forall (fun d => d < lane) digits.

(** The bits of a lane are those of its number. *)
Lemma lane_bit digits : low digits -> forall j i, j < bits -> N.testbit (lanes digits) (j + bits * N.of_nat i) = N.testbit (nth i digits 0) j.
Proof.
  induction 1 as [|a rest A F IH]; intros j i J; [cbn [lanes]; rewrite N.bits_0; destruct i; now rewrite N.bits_0|]. cbn [lanes].
  assert (M : (a + lane * lanes rest) mod 2 ^ bits = a) by (fold lane; rewrite N.mul_comm, N.mod_add by (sizes); now apply N.mod_small).
  assert (D : (a + lane * lanes rest) / 2 ^ bits = lanes rest).
  { fold lane. rewrite N.mul_comm, N.div_add by (sizes). now rewrite N.div_small. }
  destruct i as [|i]; cbn [nth].
  - rewrite <- M at 2. rewrite N.mod_pow2_bits_low by exact J. f_equal. lia.
  - rewrite <- (IH j i J). rewrite <- D at 2. rewrite N.div_pow2_bits. f_equal. lia.
Qed.

Lemma high_bit d : N.testbit d (size + 1) = true -> guard_bit <= d.
Proof.
  intros T. destruct (N.le_gt_cases guard_bit d) as [|G]; [assumption|]. exfalso. destruct (N.eq_dec d 0) as [->|Z]; [now rewrite N.bits_0 in T|].
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

Lemma nth_low digits i : low digits -> nth i digits 0 < lane.
Proof.
  intros F. destruct (nth_in_or_default i digits 0) as [I|D]; [|rewrite D; sizes]. unfold low in F. rewrite Forall_forall in F. now apply F.
Qed.

Definition guards (count : nat) : list N := repeat guard_bit count.

Lemma same_low a count : a < lane -> low (repeat a count).
Proof. intros A. apply Forall_forall. intros d D. apply repeat_spec in D. now subst. Qed.

Lemma guard_of count i : (i < count)%nat -> N.testbit (lanes (guards count)) (size + 1 + bits * N.of_nat i) = true.
Proof.
  intros L. unfold guards. rewrite lane_bit; [|apply same_low; sizes|unfold bits; lia].
  rewrite (nth_indep _ 0 guard_bit) by (now rewrite repeat_length). rewrite nth_repeat. apply N.pow2_bits_true.
Qed.

(** A sum of numbers, in each lane below the end of the lane, has the highest bit of each lane of the guards. *)
Lemma guarded_or count i x y : low x -> low y -> (i < count)%nat ->
  N.land (lanes (guards count)) (N.lor (lanes x) (lanes y)) = lanes (guards count) -> guard_bit <= nth i x 0 \/ guard_bit <= nth i y 0.
Proof.
  intros X Y L E. pose proof (guard_of count i L) as G. rewrite <- E, N.land_spec, N.lor_spec, andb_true_iff, orb_true_iff in G.
  destruct G as [_ [G|G]]; [left|right]; (rewrite lane_bit in G; [now apply high_bit|assumption|unfold bits; lia]).
Qed.

Lemma guarded digits count i : low digits -> (i < count)%nat ->
  N.land (lanes (guards count)) (lanes digits) = lanes (guards count) -> guard_bit <= nth i digits 0.
Proof. intros F L E. rewrite <- N.lor_diag with (a := lanes digits) in E. destruct (guarded_or _ _ _ _ F F L E); assumption. Qed.

(** ** What numbers are in the lanes of one *)
Fixpoint digits (count : nat) (p : N) : list N := match count with O => [] | S count => p mod lane :: digits count (p / lane) end.

Lemma digits_length count : forall p, length (digits count p) = count.
Proof. induction count as [|count IH]; intros p; [reflexivity|]. cbn [digits length]. now rewrite IH. Qed.

Lemma digits_low count : forall p, low (digits count p).
Proof. induction count as [|count IH]; intros p; constructor; [|apply IH]. apply N.mod_lt. sizes. Qed.

Lemma lanes_digits count : forall p, p < 2 ^ (bits * N.of_nat count) -> lanes (digits count p) = p.
Proof.
  induction count as [|count IH]; intros p B; [rewrite N.mul_0_r in B; change (2 ^ 0) with 1 in B; cbn [digits lanes]; lia|].
  cbn [digits lanes]. rewrite IH; [symmetry; rewrite N.add_comm; apply N.div_mod'|]. apply N.div_lt_upper_bound; [sizes|].
  unfold lane. rewrite <- N.pow_add_r. replace (bits + bits * N.of_nat count) with (bits * N.of_nat (S count)) by lia. exact B.
Qed.

Definition digit_at (i : nat) (p : N) : N := N.land (N.shiftr p (bits * N.of_nat i)) (N.ones bits).

Lemma digit_at_is count : forall i p, (i < count)%nat -> nth i (digits count p) 0 = digit_at i p.
Proof.
  unfold digit_at. induction count as [|count IH]; intros [|i] p L; try lia; cbn [digits nth].
  - rewrite N.mul_0_r, N.shiftr_0_r, N.land_ones. reflexivity.
  - rewrite IH by lia. f_equal. rewrite !N.shiftr_div_pow2. unfold lane. rewrite N.div_div, <- N.pow_add_r by (apply N.pow_nonzero; discriminate).
    f_equal. f_equal. lia.
Qed.

(** So many numbers, all short: none has a bit more. *)
Definition short_lanes (count : nat) : N -> bool :=
  let most := N.shiftl 1 (bits * N.of_nat count) in
  let more := in_lanes (repeat (N.shiftl 3 size) count) in
  fun p => (p <? most) && (N.land more p =? 0).

Lemma three_shifted : N.shiftl 3 size < lane.
Proof. rewrite N.shiftl_mul_pow2. fold short. sizes. Qed.

Lemma short_lanes_spec count p : short_lanes count p = true -> p = lanes (digits count p) /\ Forall (fun d => d < short) (digits count p).
Proof.
  unfold short_lanes. rewrite andb_true_iff, N.eqb_eq, N.ltb_lt, N.shiftl_1_l, in_lanes_spec. intros [B M].
  pose proof (lanes_digits count p B) as E. split; [now symmetry|]. rewrite <- E in M. apply Forall_forall. intros d D.
  apply (In_nth _ _ 0) in D. destruct D as (i & I & D). rewrite digits_length in I. set (l := digits count p) in *.
  assert (F : low l) by apply digits_low. pose proof (nth_low l i F) as Below. rewrite D in Below.
  destruct (N.lt_ge_cases d short) as [|G]; [assumption|]. exfalso. pose proof lane_is as (_ & _ & S0).
  assert (Ld : N.log2 d < bits) by (apply N.log2_lt_pow2; [lia|exact Below]).
  assert (Ls : size <= N.log2 d) by (apply N.log2_le_pow2; [lia|exact G]).
  assert (T : N.testbit (N.land (lanes (repeat (N.shiftl 3 size) count)) (lanes l)) (N.log2 d + bits * N.of_nat i) = true).
  { rewrite N.land_spec, !lane_bit by (auto using same_low, three_shifted). rewrite D. rewrite (N.bit_log2 d) by lia. rewrite andb_true_r.
    rewrite (nth_indep _ 0 (N.shiftl 3 size)) by (now rewrite repeat_length). rewrite nth_repeat, N.shiftl_spec_high' by exact Ls.
    unfold bits in Ld. assert (C : N.log2 d - size = 0 \/ N.log2 d - size = 1) by lia. destruct C as [-> | ->]; reflexivity. }
  rewrite M, N.bits_0 in T. discriminate.
Qed.

(** ** A table by its columns, from one by its rows: by halves *)
Definition cut (j : nat) : N := N.shiftl bits (N.of_nat j).

Fixpoint turned (j : nat) (packs : list N) : list N :=
  match j with
  | O => [in_lanes packs]
  | S j =>
      let place := cut j in
      let first := N.ones place in
      turned j (map (fun p => N.land p first) packs) ++ turned j (map (fun p => N.shiftr p place) packs)
  end.

Lemma lanes_app a : forall b, lanes (a ++ b) = lanes a + 2 ^ (bits * N.of_nat (length a)) * lanes b.
Proof.
  induction a as [|d a IH]; intros b; [cbn [app length lanes]; rewrite N.mul_0_r; change (2 ^ 0) with 1; lia|]. cbn [app length lanes]. rewrite IH.
  replace (bits * N.of_nat (S (length a))) with (bits + bits * N.of_nat (length a)) by lia. rewrite N.pow_add_r. fold lane. ring.
Qed.

Lemma lanes_below a : low a -> lanes a < 2 ^ (bits * N.of_nat (length a)).
Proof.
  induction 1 as [|d a D F IH]; [cbn [length lanes]; rewrite N.mul_0_r; reflexivity|]. cbn [length lanes].
  replace (bits * N.of_nat (S (length a))) with (bits + bits * N.of_nat (length a)) by lia. rewrite N.pow_add_r. fold lane. nia.
Qed.

Lemma cut_is j : cut j = bits * N.of_nat (2 ^ j).
Proof. unfold cut. rewrite N.shiftl_mul_pow2. f_equal. rewrite Nat2N.inj_pow. reflexivity. Qed.

Lemma transpose_halves {T} h (t : list (list T)) : Forall (fun r => length r = (h + h)%nat) t ->
  transpose (h + h) t = transpose h (map (firstn h) t) ++ transpose h (map (skipn h) t).
Proof.
  assert (Z : forall (r s : list T) R S, length r = length R -> zip_cons (r ++ s) (R ++ S) = zip_cons r R ++ zip_cons s S).
  { induction r as [|a r IH]; intros s [|x R] S L; try discriminate; [reflexivity|]. cbn [app zip_cons]. f_equal. apply IH. now injection L. }
  induction 1 as [|r t L F IH]; cbn [transpose map]; [apply repeat_app|]. rewrite IH. rewrite <- (firstn_skipn h r) at 1. apply Z.
  rewrite firstn_length_le, transpose_length by (try lia; apply Forall_forall; intros s S; apply in_map_iff in S; destruct S as (s' & <- & S');
    rewrite Forall_forall in F; specialize (F s' S'); rewrite firstn_length; lia). reflexivity.
Qed.

Lemma transpose_one (t : list (list N)) : Forall (fun r => length r = 1%nat) t -> transpose 1 t = [map lanes t].
Proof.
  induction 1 as [|r t L F IH]; [reflexivity|]. cbn [transpose map]. rewrite IH. destruct r as [|a [|b r]]; try discriminate. cbn [zip_cons lanes].
  now rewrite N.mul_0_r, N.add_0_r.
Qed.

Lemma turned_spec j : forall t, Forall (fun r => length r = (2 ^ j)%nat /\ low r) t -> turned j (map lanes t) = map lanes (transpose (2 ^ j) t).
Proof.
  induction j as [|j IH]; intros t F; cbn [turned].
  - rewrite in_lanes_spec. change (2 ^ 0)%nat with 1%nat. rewrite transpose_one; [reflexivity|]. eapply Forall_impl; [|exact F]. now intros r [L _].
  - set (h := (2 ^ j)%nat) in *. assert (H : (2 ^ S j = h + h)%nat) by (unfold h; simpl; lia). rewrite H in *.
    assert (Halves : forall r, In r t -> lanes r = lanes (firstn h r) + 2 ^ cut j * lanes (skipn h r) /\ lanes (firstn h r) < 2 ^ cut j).
    { intros r R. rewrite Forall_forall in F. destruct (F r R) as [L Lo]. rewrite cut_is. fold h.
      assert (Lh : length (firstn h r) = h) by (rewrite firstn_length_le; lia). split.
      - rewrite <- Lh at 2. rewrite <- lanes_app, firstn_skipn. reflexivity.
      - rewrite <- Lh at 2. apply lanes_below. unfold low in *. rewrite Forall_forall in *. intros d D. apply Lo. rewrite <- (firstn_skipn h r). apply in_or_app. now left. }
    assert (First : map (fun p => N.land p (N.ones (cut j))) (map lanes t) = map lanes (map (firstn h) t)).
    { rewrite !map_map. apply map_ext_in. intros r R. destruct (Halves r R) as [E B]. rewrite N.land_ones, E, N.mul_comm, N.mod_add by (apply N.pow_nonzero; discriminate).
      now apply N.mod_small. }
    assert (Second : map (fun p => N.shiftr p (cut j)) (map lanes t) = map lanes (map (skipn h) t)).
    { rewrite !map_map. apply map_ext_in. intros r R. destruct (Halves r R) as [E B]. rewrite N.shiftr_div_pow2, E, N.mul_comm, N.div_add by (apply N.pow_nonzero; discriminate).
      now rewrite N.div_small. }
    rewrite First, Second, !IH, transpose_halves, map_app; [reflexivity|..].
    + eapply Forall_impl; [|exact F]. now intros r [L _].
    + apply Forall_forall. intros s S. apply in_map_iff in S. destruct S as (r & <- & R). rewrite Forall_forall in F. destruct (F r R) as [L Lo].
      split; [rewrite skipn_length; lia|]. unfold low in *. rewrite Forall_forall in *. intros d D. apply Lo. rewrite <- (firstn_skipn h r). apply in_or_app. now right.
    + apply Forall_forall. intros s S. apply in_map_iff in S. destruct S as (r & <- & R). rewrite Forall_forall in F. destruct (F r R) as [L Lo].
      split; [rewrite firstn_length_le; lia|]. unfold low in *. rewrite Forall_forall in *. intros d D. apply Lo. rewrite <- (firstn_skipn h r). apply in_or_app. now left.
Qed.
End Lanes.
