(** * Theorems for every length

    On what claims lean that are measured at small sizes only. *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith FinFun.
From Ccsim Require Import Specification Trees Lines RefutationSound NodesSound Soundness Speaking OddEven Attention.
Import ListNotations.
Open Scope N_scope.

(** ** All of Alice's input, bit by bit, and the answer *)
Fixpoint tell_all (g : N -> N -> bool) (bits : nat) (known : N) : protocol N N N :=
  match bits with
  | O => Bob (g known) (Output 0) (Output 1)
  | S j => Alice (fun x => N.testbit x (N.of_nat j)) (tell_all g j known) (tell_all g j (N.setbit known (N.of_nat j)))
  end.

Lemma tell_all_depth g bits : forall known, depth (tell_all g bits known) = S bits.
Proof. induction bits as [|j IH]; intros known; simpl; [reflexivity|]. rewrite !IH. lia. Qed.

(** [known] has the bits of [x] from [bits] on. *)
Lemma tell_all_run g x y bits : forall known,
  (forall i, N.testbit known i = if i <? N.of_nat bits then false else N.testbit x i) ->
  run (tell_all g bits known) x y = truth (g x y).
Proof.
  induction bits as [|j IH]; intros known H; simpl.
  - assert (known = x) as -> by (apply N.bits_inj; intros i; rewrite H; now destruct i). now destruct (g x y).
  - assert (K : forall b : bool, N.testbit x (N.of_nat j) = b -> forall i,
      N.testbit (if b then N.setbit known (N.of_nat j) else known) i = if i <? N.of_nat j then false else N.testbit x i).
    { intros b E i. destruct (N.eq_dec i (N.of_nat j)) as [->|Ne].
      - rewrite N.ltb_irrefl, E. destruct b; [apply N.setbit_eq|]. rewrite H.
        replace (N.of_nat j <? N.of_nat (S j)) with true by (symmetry; apply N.ltb_lt; lia). reflexivity.
      - transitivity (N.testbit known i); [destruct b; [now apply N.setbit_neq; auto|reflexivity]|]. rewrite H.
        destruct (N.ltb_spec i (N.of_nat j)), (N.ltb_spec i (N.of_nat (S j))); try reflexivity; lia. }
    destruct (N.testbit x (N.of_nat j)) eqn:E; [apply (IH (N.setbit known (N.of_nat j)))|apply IH]; intros i; [exact (K true eq_refl i)|exact (K false eq_refl i)].
Qed.

Lemma tell_all_computes (f : function N N N) g n : (forall x y a, f x y = Some a -> x < 2 ^ N.of_nat n /\ a = truth (g x y)) ->
  bits_suffice f Both None (S n).
Proof.
  intros H. exists (tell_all g n 0). split; [|split; [exact I|rewrite tell_all_depth; lia]].
  intros x y a E. destruct (H x y a E) as [Lx ->]. simpl. apply tell_all_run. intros i. rewrite N.bits_0.
  destruct (N.ltb_spec i (N.of_nat n)) as [|G]; [reflexivity|]. symmetry.
  destruct (N.eq_dec x 0) as [->|Nz]; [apply N.bits_0|]. apply N.bits_above_log2.
  apply N.log2_lt_pow2 in Lx; lia.
Qed.

(** ** A fooling set of 2^n cells with one answer, and a cell with another, need n + 1 bits *)
Lemma more_than_a_power (f : function N N N) n cells : ForallOrdPairs (apart (said Both) f) cells -> length cells = S (2 ^ n) ->
  forall bits, bits_suffice f Both None bits -> (S n <= bits)%nat.
Proof.
  intros A Len bits (p & Hp & _ & D).
  assert (L : (length cells <= leaves p)%nat).
  { apply (fooling_leaves (says := said Both) (f := f) (R := fun _ => True) (C := fun _ => True)).
    - intros x y a _ _ E. now apply Hp.
    - apply Forall_forall. auto.
    - exact A. }
  pose proof (leaves_depth p) as K. destruct (le_lt_dec (S n) bits) as [|G]; [assumption|exfalso].
  pose proof (Nat.pow_le_mono_r 2 (depth p) n ltac:(lia) ltac:(lia)). lia.
Qed.

Lemma apart_by (f : function N N N) x y x' y' a b c : f x y = Some a -> f x' y' = Some b ->
  (a <> b \/ (f x y' = Some c /\ c <> a) \/ (f x' y = Some c /\ c <> a)) -> apart (said Both) f (x, y) (x', y').
Proof.
  intros E1 E2 D leaf K. simpl in *.
  pose proof (K x y a ltac:(auto) ltac:(auto) E1). pose proof (K x' y' b ltac:(auto) ltac:(auto) E2).
  destruct D as [D|[[E D]|[E D]]]; [congruence| |].
  - pose proof (K x y' c ltac:(auto) ltac:(auto) E). congruence.
  - pose proof (K x' y c ltac:(auto) ltac:(auto) E). congruence.
Qed.

Lemma in_indices n x : In x (indices n) <-> x < N.of_nat n.
Proof.
  unfold indices. rewrite in_map_iff. split.
  - intros (i & <- & Hi). apply in_seq in Hi. lia.
  - intros H. exists (N.to_nat x). split; [apply N2Nat.id|]. apply in_seq. lia.
Qed.

Lemma fooling_power (f : function N N N) n (partner : N -> N) (other : N * N) one zero :
  (forall x, x < 2 ^ N.of_nat n -> f x (partner x) = Some one) ->
  (forall x x', x < 2 ^ N.of_nat n -> x' < 2 ^ N.of_nat n -> x <> x' -> f x (partner x') = Some zero \/ f x' (partner x) = Some zero) ->
  zero <> one -> f (fst other) (snd other) = Some zero ->
  forall bits, bits_suffice f Both None bits -> (S n <= bits)%nat.
Proof.
  intros H1 H2 Ne Ho. apply (more_than_a_power f n (other :: map (fun x => (x, partner x)) (indices (2 ^ n)))).
  - constructor.
    + apply Forall_map, Forall_forall. intros x Hx. apply in_indices in Hx. rewrite (Nat2N.inj_pow 2) in Hx. destruct other as [u v].
      apply (apart_by f u v x (partner x) zero one zero); auto.
    + apply map_pairs; [|apply indices_NoDup]. intros x x' Hx Hx' D. apply in_indices in Hx, Hx'. rewrite (Nat2N.inj_pow 2) in Hx, Hx'.
      apply (apart_by f x (partner x) x' (partner x') one one zero); auto. right. destruct (H2 x x' Hx Hx' D); auto.
  - simpl. f_equal. rewrite map_length. unfold indices. now rewrite map_length, seq_length.
Qed.

Lemma named_value f n x y : f <> Index -> x < 2 ^ n -> y < 2 ^ n -> named f n x y = Some (value_of f n x y).
Proof.
  intros Ne Lx Ly. unfold named. replace (columns_of_name f n) with (2 ^ n) by (destruct f; auto; congruence).
  apply N.ltb_lt in Lx, Ly. now rewrite Lx, Ly.
Qed.

Lemma named_row f n x y a : named f n x y = Some a -> x < 2 ^ n /\ a = value_of f n x y.
Proof.
  unfold named. destruct (N.ltb_spec x (2 ^ n)); simpl; [|discriminate]. destruct (y <? _); [|discriminate].
  intros [= <-]. auto.
Qed.

Lemma exactly (f : function N N N) n bits : bits_suffice f Both None (S n) -> (forall b, bits_suffice f Both None b -> (S n <= b)%nat) ->
  bits = fraction (N.of_nat (S n)) ->
  holds f (Deterministic Both None) Lower bits /\ holds f (Deterministic Both None) Upper bits.
Proof.
  intros U L ->. unfold holds; simpl. split.
  - intros q (b & Hq & Hb). apply natural_fraction in Hq. subst q. apply fraction_le. specialize (L b Hb). lia.
  - exists (fraction (N.of_nat (S n))). split; [|apply Qle_refl]. exists (S n). split; [|exact U].
    unfold natural, fraction. now rewrite nat_N_Z.
Qed.

(** ** D(EQ_n) = n + 1 *)
Theorem equality_costs : forall n, (1 <= n)%nat ->
  holds (named Equality (N.of_nat n)) (Deterministic Both None) Lower (fraction (N.of_nat (S n))) /\
  holds (named Equality (N.of_nat n)) (Deterministic Both None) Upper (fraction (N.of_nat (S n))).
Proof.
  intros n Hn. apply (exactly _ n); [| |reflexivity].
  - apply (tell_all_computes _ N.eqb). intros x y a E. apply named_row in E. exact E.
  - assert (Two : 2 <= 2 ^ N.of_nat n) by (rewrite <- (Nat2N.inj_pow 2); pose proof (Nat.pow_le_mono_r 2 1 n ltac:(lia) Hn); simpl in *; lia).
    apply (fooling_power _ n (fun x => x) (0, 1) 1 0); [| |discriminate|].
    + intros x Lx. rewrite named_value by (auto; discriminate). simpl. now rewrite N.eqb_refl.
    + intros x x' Lx Lx' Ne. left. rewrite named_value by (auto; discriminate). simpl. now rewrite (proj2 (N.eqb_neq x x') Ne).
    + simpl. rewrite named_value by (try discriminate; lia). reflexivity.
Qed.

(** ** D(DISJ_n) = n + 1 *)
Definition complement (n : nat) (x : N) : N := N.ldiff (N.ones (N.of_nat n)) x.

Lemma complement_small n x : complement n x < 2 ^ N.of_nat n.
Proof.
  unfold complement. rewrite N.ones_equiv. destruct (N.eq_dec (N.ldiff (N.pred (2 ^ N.of_nat n)) x) 0) as [->|Nz].
  - apply N.neq_0_lt_0. now apply N.pow_nonzero.
  - apply N.log2_lt_pow2; [lia|]. rewrite <- N.ones_equiv in *. destruct (N.lt_ge_cases (N.log2 (N.ldiff (N.ones (N.of_nat n)) x)) (N.of_nat n)) as [|G]; [assumption|].
    pose proof (N.bit_log2 _ Nz) as B. rewrite N.ldiff_spec, N.ones_spec_high in B by exact G. discriminate.
Qed.

Lemma small_bits n x i : x < 2 ^ N.of_nat n -> N.testbit x i = true -> i < N.of_nat n.
Proof.
  intros L B. destruct (N.lt_ge_cases i (N.of_nat n)) as [|G]; [assumption|]. exfalso.
  destruct (N.eq_dec x 0) as [->|Nz]; [rewrite N.bits_0 in B; discriminate|].
  apply N.log2_lt_pow2 in L; [|lia]. rewrite N.bits_above_log2 in B by lia. discriminate.
Qed.

Lemma meets n x x' i : x < 2 ^ N.of_nat n -> N.testbit x i = true -> N.testbit x' i = false -> N.land x (complement n x') <> 0.
Proof.
  intros L B B' E. assert (T : N.testbit (N.land x (complement n x')) i = true).
  { unfold complement. rewrite N.land_spec, N.ldiff_spec, B, B', N.ones_spec_low by (eapply small_bits; eauto). reflexivity. }
  rewrite E, N.bits_0 in T. discriminate.
Qed.

Theorem disjointness_costs : forall n, (1 <= n)%nat ->
  holds (named Disjointness (N.of_nat n)) (Deterministic Both None) Lower (fraction (N.of_nat (S n))) /\
  holds (named Disjointness (N.of_nat n)) (Deterministic Both None) Upper (fraction (N.of_nat (S n))).
Proof.
  intros n Hn. apply (exactly _ n); [| |reflexivity].
  - apply (tell_all_computes _ (fun x y => N.land x y =? 0)). intros x y a E. apply named_row in E. exact E.
  - assert (Two : 2 <= 2 ^ N.of_nat n) by (rewrite <- (Nat2N.inj_pow 2); pose proof (Nat.pow_le_mono_r 2 1 n ltac:(lia) Hn); simpl in *; lia).
    apply (fooling_power _ n (complement n) (1, 1) 1 0); [| |discriminate|].
    + intros x Lx. rewrite named_value by (try discriminate; auto using complement_small). simpl.
      assert (N.land x (complement n x) = 0) as ->; [|reflexivity].
      apply N.bits_inj. intros i. unfold complement. rewrite N.land_spec, N.ldiff_spec, N.bits_0.
      destruct (N.testbit x i); simpl; [now rewrite andb_false_r|reflexivity].
    + intros x x' Lx Lx' Ne. rewrite !named_value by (try discriminate; auto using complement_small). simpl.
      destruct (bit_apart x x' Ne) as [i D].
      destruct (N.testbit x i) eqn:B, (N.testbit x' i) eqn:B'; try congruence; [left|right].
      * now rewrite (proj2 (N.eqb_neq _ 0) (meets n x x' i Lx B B')).
      * now rewrite (proj2 (N.eqb_neq _ 0) (meets n x' x i Lx' B' B)).
    + simpl. rewrite named_value by (try discriminate; lia). reflexivity.
Qed.

(** ** One message for INDEX: n bits *)
Theorem index_costs_one_message : forall n,
  holds (named Index n) (OneWay alice) Lower (fraction n) /\ holds (named Index n) (OneWay alice) Upper (fraction n).
Proof.
  intros n. unfold holds; simpl. split.
  - intros q (bits & Hq & (message & answer & Hm & Ha)). apply natural_fraction in Hq. subst q. apply fraction_le.
    assert (Inj : (length (map message (indices (2 ^ N.to_nat n))) <= length (seq 0 (2 ^ bits)))%nat).
    { apply NoDup_incl_length.
      - assert (ND := indices_NoDup (2 ^ N.to_nat n)).
        assert (K : forall x x', In x (indices (2 ^ N.to_nat n)) -> In x' (indices (2 ^ N.to_nat n)) -> message x = message x' -> x = x').
        { intros x x' Hx Hx' E. apply in_indices in Hx, Hx'. rewrite (Nat2N.inj_pow 2), N2Nat.id in Hx, Hx'.
          destruct (N.eq_dec x x') as [|Ne]; [assumption|exfalso]. destruct (bit_apart x x' Ne) as [i D].
          assert (Li : i < n).
          { assert (S : forall z, z < 2 ^ n -> N.testbit z i = true -> i < n).
            { intros z Lz B. rewrite <- (N2Nat.id n). apply (small_bits (N.to_nat n) z); [now rewrite N2Nat.id|exact B]. }
            destruct (N.testbit x i) eqn:B; [now apply (S x)|]. destruct (N.testbit x' i) eqn:B'; [now apply (S x')|congruence]. }
          assert (V : forall z, z < 2 ^ n -> named Index n z (n - 1 - i) = Some (truth (N.testbit z i))).
          { intros z Lz. unfold named. simpl. replace (z <? 2 ^ n) with true by (symmetry; now apply N.ltb_lt).
            replace (n - 1 - i <? n) with true by (symmetry; apply N.ltb_lt; lia). simpl. now replace (n - 1 - (n - 1 - i)) with i by lia. }
          pose proof (Ha _ _ _ (V x Hx)) as A1. pose proof (Ha _ _ _ (V x' Hx')) as A2. rewrite E in A1. rewrite A1 in A2.
          destruct (N.testbit x i), (N.testbit x' i); simpl in A2; congruence. }
        clear -ND K. induction ND as [|x l Nx _ IH]; simpl; [constructor|]. constructor.
        + intros In. apply in_map_iff in In. destruct In as (x' & E & Hx'). apply Nx.
          rewrite (K x x'); [exact Hx'|now left|now right|now symmetry].
        + apply IH. intros a b Ha Hb. apply K; now right.
      - intros m Hi. apply in_map_iff in Hi. destruct Hi as (x & <- & _). apply in_seq. specialize (Hm x). lia. }
    rewrite map_length, seq_length in Inj. unfold indices in Inj. rewrite map_length, seq_length in Inj.
    apply Nat.pow_le_mono_r_iff in Inj; lia.
  - exists (fraction n). split; [|apply Qle_refl]. exists (N.to_nat n). split; [apply fraction_natural|].
    exists (fun x => if x <? 2 ^ n then N.to_nat x else 0%nat), (fun m y => value_of Index n (N.of_nat m) y). split.
    + intros x. pose proof (Nat2N.inj_pow 2 (N.to_nat n)) as P. rewrite N2Nat.id in P.
      destruct (N.ltb_spec x (2 ^ n)); [lia|]. pose proof (N.pow_nonzero 2 n ltac:(lia)). lia.
    + intros x y a E. apply named_row in E. destruct E as [Lx ->]. apply N.ltb_lt in Lx. now rewrite Lx, N2Nat.id.
Qed.

(** ** Machines: a cut is crossed by the state

    A machine reads a word letter by letter; its states are numbers below [size]. *)
Record machine (Letter Answer : Type) := Machine {
  size : nat;
  start : nat;
  step : nat -> Letter -> nat;
  read_out : nat -> Answer;
  start_is_state : (start < size)%nat;
  step_is_state : forall state letter, (state < size)%nat -> (step state letter < size)%nat
}.

Definition answers_of {Letter Answer} (m : machine Letter Answer) (word : list Letter) : Answer :=
  read_out _ _ m (fold_left (step _ _ m) word (start _ _ m)).

(** A task on words, cut: Alice has the beginning, Bob the end. *)
Definition cut {Letter Answer} (task : list Letter -> option Answer) : function (list Letter) (list Letter) Answer :=
  fun x y => task (x ++ y).

Theorem machines_are_messages : forall (Letter Answer : Type) (m : machine Letter Answer) (task : list Letter -> option Answer),
  (forall word a, task word = Some a -> answers_of m word = a) -> messages_suffice (cut task) alice (size _ _ m).
Proof.
  intros Letter Answer m task H. exists (fun x => fold_left (step _ _ m) x (start _ _ m)).
  exists (fun state y => read_out _ _ m (fold_left (step _ _ m) y state)). split.
  - intros x. assert (K : forall state, (state < size _ _ m)%nat -> (fold_left (step _ _ m) x state < size _ _ m)%nat).
    { induction x as [|letter x IH]; intros state L; simpl; [exact L|]. apply IH. now apply step_is_state. }
    apply K, start_is_state.
  - intros x y a E. unfold cut in E. rewrite <- (H _ _ E). unfold answers_of. now rewrite fold_left_app.
Qed.

(** So a machine that is right has as many states as the task needs messages, at any cut of any word. *)
Theorem machines_need_states : forall (Letter Answer : Type) (m : machine Letter Answer) (task : list Letter -> option Answer) (count : nat),
  (forall word a, task word = Some a -> answers_of m word = a) ->
  (forall messages, messages_suffice (cut task) alice messages -> (count <= messages)%nat) -> (count <= size _ _ m)%nat.
Proof. intros Letter Answer m task count H L. apply L. now apply machines_are_messages. Qed.

(** ** Recall in any order, cut before the last bit

    Alice has read n different keys and a bit for each of them but the last key, [k], whose bit is to come: [b] has the
    other n - 1 bits, by the order of their keys. Bob has that bit and the key that is asked for. *)
Definition bit_of_key (k b key : N) : bool := if key <? k then N.testbit b key else N.testbit b (key - 1).

Definition recall (n : N) : function (N * N) (bool * N) bool := fun x y =>
  if (fst x <? n) && (snd x <? 2 ^ (n - 1)) && (snd y <? n)
  then Some (if snd y =? fst x then fst y else bit_of_key (fst x) (snd x) (snd y)) else None.

Lemma recall_told_apart (m : nat) k b k' b' : let n := N.of_nat (S m) in
  k < n -> b < 2 ^ N.of_nat m -> k' < n -> b' < 2 ^ N.of_nat m -> (k, b) <> (k', b') ->
  exists y a a', recall n (k, b) y = Some a /\ recall n (k', b') y = Some a' /\ a <> a'.
Proof.
  intros n Hk Hb Hk' Hb' Ne. assert (E1 : n - 1 = N.of_nat m) by (unfold n; lia).
  assert (V : forall j c v q, j < n -> c < 2 ^ N.of_nat m -> q < n ->
            recall n (j, c) (v, q) = Some (if q =? j then v else bit_of_key j c q)).
  { intros j c v q Hj Hc Hq. unfold recall. simpl fst. simpl snd. rewrite E1. apply N.ltb_lt in Hj, Hc, Hq. now rewrite Hj, Hc, Hq. }
  destruct (N.eq_dec k k') as [<-|D].
  - assert (Nb : b <> b') by congruence. destruct (bit_apart b b' Nb) as [i Di].
    assert (Hi : i < N.of_nat m).
    { destruct (N.testbit b i) eqn:B; [now apply (small_bits m b)|]. destruct (N.testbit b' i) eqn:B'; [now apply (small_bits m b')|congruence]. }
    destruct (N.lt_ge_cases i k) as [L|G].
    + exists (true, i), (bit_of_key k b i), (bit_of_key k b' i).
      assert (Q : i =? k = false) by (apply N.eqb_neq; lia). rewrite !V by (auto; lia). rewrite Q. repeat split.
      unfold bit_of_key. apply N.ltb_lt in L. now rewrite L.
    + exists (true, i + 1), (bit_of_key k b (i + 1)), (bit_of_key k b' (i + 1)).
      assert (Q : i + 1 =? k = false) by (apply N.eqb_neq; lia). rewrite !V by (auto; unfold n in *; lia). rewrite Q. repeat split.
      unfold bit_of_key. replace (i + 1 <? k) with false by (symmetry; apply N.ltb_ge; lia). now replace (i + 1 - 1) with i by lia.
  - exists (negb (bit_of_key k' b' k), k), (negb (bit_of_key k' b' k)), (bit_of_key k' b' k).
    rewrite !V by auto. rewrite N.eqb_refl. replace (k =? k') with false by (symmetry; now apply N.eqb_neq).
    repeat split. now destruct (bit_of_key k' b' k).
Qed.

(** n 2^(n-1) messages, and so n - 1 + log2 n bits, rounded up. *)
Theorem recall_needs_messages : forall m count,
  messages_suffice (recall (N.of_nat (S m))) alice count -> (S m * 2 ^ m <= count)%nat.
Proof.
  intros m count (message & answer & Hm & Ha). set (n := N.of_nat (S m)) in *.
  set (words := list_prod (indices (S m)) (indices (2 ^ m))).
  assert (Len : length words = (S m * 2 ^ m)%nat) by (unfold words; rewrite prod_length; unfold indices; now rewrite !map_length, !seq_length).
  assert (ND : NoDup words).
  { unfold words. generalize (indices_NoDup (S m)) (indices_NoDup (2 ^ m)). generalize (indices (S m)) (indices (2 ^ m)). intros l l' H H'.
    induction H as [|a l Na _ IH]; simpl; [constructor|]. apply NoDup_app_both.
    - apply Injective_map_NoDup; [|exact H']. intros u v E. congruence.
    - exact IH.
    - intros c Hc Hc'. apply in_map_iff in Hc. destruct Hc as (u & <- & _). apply in_prod_iff in Hc'. tauto. }
  assert (Inj : NoDup (map message words)).
  { assert (K : forall w w', In w words -> In w' words -> message w = message w' -> w = w').
    { intros [k b] [k' b'] H H' E. unfold words in H, H'. apply in_prod_iff in H, H'. destruct H as [H1 H2], H' as [H1' H2'].
      apply in_indices in H1, H2, H1', H2'. rewrite (Nat2N.inj_pow 2) in H2, H2'.
      destruct (N.eq_dec k k') as [Ek|Nk], (N.eq_dec b b') as [Eb|Nb]; try (subst; reflexivity);
        (destruct (recall_told_apart m k b k' b' H1 H2 H1' H2' ltac:(congruence)) as (y & a & a' & A1 & A2 & D);
         apply Ha in A1, A2; rewrite E in A1; congruence). }
    clear -ND K. induction ND as [|x l Nx _ IH]; simpl; [constructor|]. constructor.
    - intros In. apply in_map_iff in In. destruct In as (x' & E & Hx'). apply Nx. rewrite (K x x'); [exact Hx'|now left|now right|now symmetry].
    - apply IH. intros a b Ha Hb. apply K; now right. }
  assert (Inc : incl (map message words) (seq 0 count)).
  { intros c Hc. apply in_map_iff in Hc. destruct Hc as (x & <- & _). apply in_seq. specialize (Hm x). lia. }
  pose proof (NoDup_incl_length Inj Inc) as L. rewrite map_length, seq_length, Len in L. exact L.
Qed.

(** ** Dyck-(k,2), odd positions against even ones: words of 2n brackets *)
Theorem dyck_odd_even_costs : forall kinds n bits, (1 <= kinds)%nat -> (1 <= n)%nat ->
  bits_suffice (dyck_odd_even kinds n) Both None bits <-> ((2 * kinds) ^ n + 1 <= 2 ^ bits)%nat.
Proof.
  intros kinds n bits Hk Hn. destruct n as [|n]; [lia|]. split; [now apply dyck_lower|]. intros H.
  pose proof (dyck_words_length n Hk) as Len. destruct bits as [|bits].
  - exfalso. apply (Nat.pow_nonzero (2 * kinds) (S n)); [lia|]. change (2 ^ 0)%nat with 1%nat in H. lia.
  - apply dyck_upper; [exact Hk|]. change (2 ^ S bits)%nat with (2 * 2 ^ bits)%nat in H. rewrite <- Len in H. lia.
Qed.

(** With two kinds of brackets, N + 1 bits for N = 2n positions. *)
Theorem dyck_of_two_kinds_costs : forall n bits, (1 <= n)%nat ->
  bits_suffice (dyck_odd_even 2 n) Both None bits <-> (2 * n + 1 <= bits)%nat.
Proof.
  intros n bits Hn. rewrite dyck_odd_even_costs by lia. change (2 * 2)%nat with (2 ^ 2)%nat. rewrite <- Nat.pow_mul_r. split; intros H.
  - apply Nat.lt_succ_r. assert (L : (2 ^ (2 * n) < 2 ^ bits)%nat) by lia. apply Nat.pow_lt_mono_r_iff in L; lia.
  - pose proof (Nat.pow_lt_mono_r 2 (2 * n) bits ltac:(lia) ltac:(lia)). lia.
Qed.

(** The words are a fooling set: 2^(N - 1) of them with two kinds. *)
Theorem dyck_fooling_set : forall kinds n, (1 <= kinds)%nat -> exists cells,
  fooling_set (dyck_odd_even kinds (S n)) Both (Some true) cells /\ (2 * length cells = (2 * kinds) ^ S n)%nat.
Proof.
  intros kinds n Hk. exists (dyck_words kinds n). split; [|now apply dyck_words_length].
  destruct (only_dyck_words n Hk) as (H1 & H2 & _). split; [exact H1|].
  assert (K : forall l, Forall (fun c => dyck_odd_even kinds (S n) (fst c) (snd c) = Some true) l ->
    ForallOrdPairs (fun c d => dyck_odd_even kinds (S n) (fst c) (snd d) = Some false /\ dyck_odd_even kinds (S n) (fst d) (snd c) = Some false) l ->
    ForallOrdPairs (fun c d => ~ share_a_leaf (dyck_odd_even kinds (S n)) Both c d) l).
  { intros l F P. induction P as [|c l Hc _ IH]; [constructor|]. inversion F as [|? ? Fc Fl]; subst. constructor; [|now apply IH].
    eapply Forall_impl; [|exact Hc]. intros d [E _] (leaf & S). simpl in leaf, S.
    pose proof (S (fst c) (snd c) true ltac:(auto) ltac:(auto) Fc). pose proof (S (fst c) (snd d) false ltac:(auto) ltac:(auto) E). congruence. }
  now apply K.
Qed.

(** ** One layer of attention, whoever holds which positions: the exchange of the largest score *)
Theorem one_layer_exchange_suffices : forall (m : layer) (hers : nat -> bool) (length : nat), exact m -> (1 <= length)%nat ->
  bits_suffice (attention m hers length) Both None
    (exchange_bits m (List.length (held_by_alice hers length)) (List.length (held_by_bob hers length))).
Proof. intros m hers length E L. exact (exchange_suffices E hers L (fun _ => 0%nat) (fun _ => 0%nat)). Qed.
