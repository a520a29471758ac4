(** * Tensor powers whose weights are sums of answers after fixed words

    The matrix of weights for n letters is a sum of m multiples of parts of the 0/1 matrix of an answer for n + k. *)
From Coq Require Import List Arith Lia Bool NArith ZArith Znumtheory.
From Ccsim Require Import Specification Trees Span Elimination Families Reaching Recurrences RegularFooling Tensor TensorPower.
Import ListNotations.
Open Scope nat_scope.

(** ** The numbers r^max(0, n - late) *)
Definition late_power (r : Z) (late : nat) : system :=
  {| rows := map (fun i => [(1%Z, S i)]) (seq 0 late) ++ [[(r, late)]]; finals := repeat 1%Z (S late); origin := 0 |}.

Lemma late_value r late n : forall i, i <= late -> value (late_power r late) n i = (r ^ Z.of_nat (n - (late - i)))%Z.
Proof.
  induction n as [|n IH]; intros i Hi.
  - cbn [value]. unfold late_power. cbn [finals]. replace (0 - (late - i)) with 0 by lia. change (r ^ Z.of_nat 0)%Z with 1%Z.
    rewrite (nth_indep _ 0%Z 1%Z) by (rewrite repeat_length; lia). apply nth_repeat.
  - cbn [value]. destruct (Nat.eq_dec i late) as [->|Ne].
    + assert (R : row (late_power r late) late = [(r, late)]).
      { unfold row, late_power. cbn [rows]. rewrite app_nth2; rewrite map_length, seq_length; [|lia]. now rewrite Nat.sub_diag. }
      rewrite R. cbn [weighted_sum fold_right fst snd]. rewrite IH by lia. replace (n - (late - late)) with n by lia. replace (S n - (late - late)) with (S n) by lia.
      rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
    + assert (R : row (late_power r late) i = [(1%Z, S i)]).
      { unfold row, late_power. cbn [rows]. rewrite app_nth1 by (rewrite map_length, seq_length; lia).
        rewrite (nth_indep _ [] ((fun i => [(1%Z, S i)]) 0)) by (rewrite map_length, seq_length; lia).
        rewrite (map_nth (fun i => [(1%Z, S i)])), seq_nth by lia. reflexivity. }
      rewrite R. cbn [weighted_sum fold_right fst snd]. rewrite IH by lia. replace (S n - (late - i)) with (n - (late - S i)) by lia. ring.
Qed.

Lemma span_along {I J} p (g : J -> I) vs : forall v, span p vs v -> span p (map (fun w j => w (g j)) vs) (fun j => v (g j)).
Proof.
  induction vs as [|u us IH]; simpl; intros v H; [intros j; apply H|]. destruct H as [c H]. exists c. exact (IH _ H).
Qed.

Section Shifts.
Variable F : family.
Variable weight : nat -> Z.
Variable p : Z.
Variable basis : list (list (Z * nat) * nat).
Variable code : N.
Variable k : nat.
Variable terms : list (Z * (list nat * list nat)).

Definition shown (q : nat) (word : list nat * list nat) : Z :=
  indicator (match output F (read F q (fst word) (snd word)) with Some a => (a =? code)%N | None => false end).

Definition sum_shown (q : nat) : Z := fold_right (fun term sum => (fst term * shown q (snd term) + sum)%Z) 0%Z terms.

Definition shifts_fit : bool :=
  match after_some F with
  | None => false
  | Some found =>
      is_prime p && tensor_ok F weight p found basis &&
      forallb (fun term => is_word (alice_letters F) k (fst (snd term)) && is_word (bob_letters F) k (snd (snd term))) terms &&
      forallb (fun q => match output F q with Some _ => zero_modulo p (sum_shown q - weight q) | None => false end) found
  end.

Hypothesis good : shifts_fit = true.
Variable n : nat.
Hypothesis positive : 1 <= n.

Lemma read_app q : forall xs ys us vs, length xs = length ys -> read F q (xs ++ us) (ys ++ vs) = read F (read F q xs ys) us vs.
Proof.
  intros xs. revert q. induction xs as [|x xs IH]; intros q [|y ys] us vs H; try discriminate; simpl; [reflexivity|]. apply IH. now injection H.
Qed.

Lemma word_app letters m j a b : is_word letters m a = true -> is_word letters j b = true -> is_word letters (m + j) (a ++ b) = true.
Proof.
  unfold is_word. intros A B. apply andb_true_iff in A, B. destruct A as [A1 A2], B as [B1 B2]. apply Nat.eqb_eq in A1, B1.
  rewrite app_length, forallb_app, A1, B1, A2, B2, Nat.eqb_refl. reflexivity.
Qed.

Lemma word_length letters m a : is_word letters m a = true -> length a = m.
Proof. unfold is_word. intros A. apply andb_true_iff in A. now apply Nat.eqb_eq. Qed.

Theorem shifted_leaves q : computes (at_length F (n + k)) Both q -> length basis ^ n <= length terms * leaves q.
Proof.
  intros Hq. pose proof good as G. unfold shifts_fit in G. destruct (after_some F) as [found|] eqn:A; [|discriminate].
  apply andb_true_iff in G. destruct G as [G Gs]. apply andb_true_iff in G. destruct G as [G Gw]. apply andb_true_iff in G. destruct G as [Pr G].
  apply is_prime_spec in Pr. unfold tensor_ok in G. apply andb_true_iff in G. destruct G as [G Gb]. apply andb_true_iff in G. destruct G as [G1 Gm].
  apply Z.eqb_eq in G1. rewrite forallb_forall in Gm, Gs, Gw.
  set (C := columns_of (leaf_columns N.eqb Both) code q).
  assert (Few : length C <= leaves q).
  { pose proof (columns_counted (list nat) (list nat) N N.eqb N.eqb_eq Both q [code] ltac:(repeat constructor; auto)) as Cc.
    change (length C + 0 <= leaves q) in Cc. now rewrite Nat.add_0_r in Cc. }
  set (part := fun term : Z * (list nat * list nat) => map (fun v ys => v (ys ++ snd (snd term))) C).
  set (vs := flat_map part terms).
  assert (Len : length vs = length terms * length C).
  { unfold vs. clear -C. induction terms as [|t l IH]; simpl; [reflexivity|]. rewrite app_length, IH. unfold part. now rewrite map_length. }
  transitivity (length terms * length C); [|nia]. rewrite <- Len, <- (map_length (fun w ys => (mask F n ys * w ys)%Z) vs).
  apply (tensor_spans F weight p Pr basis Gb found A G1 Gm n). intros xs Hx.
  assert (Sp : forall l, incl l terms -> span p (flat_map part l) (fun ys => fold_right (fun term sum =>
    (fst term * indicator (run q (xs ++ fst (snd term)) (ys ++ snd (snd term)) =? code)%N + sum)%Z) 0%Z l)).
  { induction l as [|t l IH]; intros Inc; [intros ys; apply Z.divide_0_r|]. simpl.
    pose proof (rows_in_span (said Both) N.eqb (leaf_columns N.eqb Both) (leaf_columns_span (list nat) (list nat) N N.eqb Both) p code q (xs ++ fst (snd t))) as R.
    apply (span_along p (fun ys => ys ++ snd (snd t))) in R. fold C in R. fold (part t) in R.
    eapply span_eq; [|exact (span_add p _ _ _ _ (span_app_l p _ _ (flat_map part l) _ (span_comb p _ _ _ _ (fst t) 0 R R))
      (span_app_r p _ (part t) _ _ (IH (fun a H => Inc a (or_intror H)))))].
    intros ys. cbv beta. unfold said. cbv iota beta. change (leaf_of Both (list nat) (list nat) N) with N. ring. }
  specialize (Sp terms (incl_refl _)). eapply span_ext; [|exact (span_map p _ _ _ (mask F n) Sp)]. intros ys. cbv beta. unfold mask.
  destruct (is_word (bob_letters F) n ys) eqn:Hy; cbn [indicator]; [|replace (_ - _)%Z with 0%Z by ring; apply Z.divide_0_r].
  pose proof (after_read F found A n xs ys positive Hx Hy) as In. pose proof (Gs _ In) as Sq. unfold last_weight.
  destruct (output F (read F (start F) xs ys)); [|discriminate]. apply (zero_modulo_spec p Pr) in Sq. unfold sum_shown in Sq.
  assert (E : forall l, incl l terms -> fold_right (fun term sum => (fst term * shown (read F (start F) xs ys) (snd term) + sum)%Z) 0%Z l =
    fold_right (fun term sum => (fst term * indicator (run q (xs ++ fst (snd term)) (ys ++ snd (snd term)) =? code)%N + sum)%Z) 0%Z l).
  { induction l as [|t l IH]; intros Inc; [reflexivity|]. simpl. rewrite IH by (intros a H; apply Inc; now right). f_equal. f_equal.
    specialize (Gw t (Inc t (or_introl eq_refl))). apply andb_true_iff in Gw. destruct Gw as [W1 W2].
    pose proof (word_app _ n k _ _ Hx W1) as Wx. pose proof (word_app _ n k _ _ Hy W2) as Wy.
    assert (V : at_length F (n + k) (xs ++ fst (snd t)) (ys ++ snd (snd t)) = output F (read F (read F (start F) xs ys) (fst (snd t)) (snd (snd t)))).
    { unfold at_length. rewrite Wx, Wy. cbn [andb]. rewrite read_app; [reflexivity|].
      now rewrite (word_length _ _ _ Hx), (word_length _ _ _ Hy). }
    pose proof (after_read F found A (n + k) _ _ ltac:(lia) Wx Wy) as In2. pose proof (Gs _ In2) as S2.
    rewrite read_app in S2 by (now rewrite (word_length _ _ _ Hx), (word_length _ _ _ Hy)).
    unfold shown. destruct (output F (read F (read F (start F) xs ys) (fst (snd t)) (snd (snd t)))) as [a|]; [|discriminate].
    pose proof (Hq _ _ a V) as Ra. simpl in Ra. now rewrite Ra. }
  rewrite <- (E terms (incl_refl _)). rewrite Z.mul_1_l. exact Sq.
Qed.
End Shifts.

Definition shifts_system (r late : nat) : system := match r with O => nothing | _ => late_power (Z.of_nat r) late end.

Definition shifts_shown (F : family) (weight : nat -> Z) (p : Z) (basis : list (list (Z * nat) * nat)) (code : N) (k : nat)
  (terms : list (Z * (list nat * list nat))) (power : nat) : bool :=
  if shifts_fit F weight p basis code k terms
  then (N.of_nat (length terms) <=? N.of_nat (Nat.max 2 (length basis)) ^ N.of_nat power)%N else false.

Definition tensor_shifts (F : family) (weight : nat -> Z) (p : Z) (basis : list (list (Z * nat) * nat)) (code : N) (k : nat)
  (terms : list (Z * (list nat * list nat))) (power : nat) (count : list Z * list Z) : bool :=
  let W := shifts_system (length basis) (power + k) in
  if shifts_shown F weight p basis code k terms power then if inside W then recurs W count else false else false.

Theorem tensor_shifts_value F weight p basis code k terms power n bits : shifts_shown F weight p basis code k terms power = true -> 1 <= n ->
  bits_suffice (at_length F n) Both None bits ->
  let W := shifts_system (length basis) (power + k) in (value W n (origin W) <= Z.of_nat (2 ^ bits))%Z.
Proof.
  unfold shifts_shown. destruct (shifts_fit _ _ _ _ _ _ _) eqn:T; [|discriminate].
  intros Few Hn (q & Hq & _ & Dq). apply N.leb_le in Few.
  pose proof (leaves_depth q). pose proof (Nat.pow_le_mono_r 2 (depth q) bits ltac:(lia) Dq).
  enough (value (shifts_system (length basis) (power + k)) n (origin (shifts_system (length basis) (power + k))) <= Z.of_nat (leaves q))%Z as V.
  { cbv zeta. eapply Z.le_trans; [exact V|]. apply Nat2Z.inj_le. eapply Nat.le_trans; eassumption. }
  pose proof (leaves_pos q) as Pos. unfold shifts_system. destruct (length basis) as [|r'] eqn:Lb; [rewrite nothing_value by exact Hn; lia|].
  change (origin _) with 0. rewrite late_value by lia. rewrite <- Nat2Z.inj_pow. apply Nat2Z.inj_le.
  destruct r' as [|r'']; [rewrite Nat.pow_1_l; lia|].
  destruct (le_lt_dec n (power + k)) as [|G]; [replace (n - (power + k - 0)) with 0 by lia; exact Pos|].
  assert (Hq' : computes (at_length F (n - k + k)) Both q) by (now replace (n - k + k) with n by lia).
  pose proof (shifted_leaves F weight p basis code k terms T (n - k) ltac:(lia) q Hq') as L. rewrite Lb in L.
  set (r := S (S r'')) in *. assert (Few' : length terms <= r ^ power).
  { replace (Nat.max 2 r) with r in Few by lia. assert (P : forall e, N.of_nat (r ^ e) = (N.of_nat r ^ N.of_nat e)%N).
    { induction e as [|e IH]; [reflexivity|]. rewrite Nat2N.inj_succ, N.pow_succ_r', <- IH. cbn [Nat.pow]. apply Nat2N.inj_mul. }
    rewrite <- P in Few. lia. }
  replace (n - k) with (power + (n - (power + k - 0))) in L by lia. rewrite Nat.pow_add_r in L.
  assert (r ^ power <> 0) by (apply Nat.pow_nonzero; unfold r; lia). set (a := r ^ power) in *. set (b := r ^ (n - (power + k - 0))) in *. nia.
Qed.

Theorem tensor_shifts_bits F weight p basis code k terms power count : tensor_shifts F weight p basis code k terms power count = true ->
  always_holds F (LastingDeterministic Both) Lower (Counted count).
Proof.
  unfold tensor_shifts. destruct (shifts_shown _ _ _ _ _ _ _ _) eqn:T; [|discriminate]. destruct (inside _) eqn:I; [|discriminate].
  intros R n Hn bits S. apply bits_of_count. rewrite (recurs_for_ever I R n Hn). exact (tensor_shifts_value _ _ _ _ _ _ _ _ n bits T Hn S).
Qed.
