(** * A smaller problem inside, for every n

    The letters of a smaller family are written as words of k letters of each party, between a prefix and a suffix that
    both know. What a part needs, the whole needs. *)
From Coq Require Import List Arith Lia Bool NArith ZArith.
From Ccsim Require Import Specification Trees Families Recurrences RegularFooling Tensor TensorShifts.
Import ListNotations.
Open Scope nat_scope.

(** ** A function inside of another one *)
Section Inside.
Variables X Y U V : Type.
Variable g : U -> X.
Variable h : V -> Y.

Fixpoint within_protocol {L L'} (leaf : L -> L') (p : protocol X Y L) : protocol U V L' :=
  match p with
  | Output a => Output (leaf a)
  | Alice s zero one => Alice (fun u => s (g u)) (within_protocol leaf zero) (within_protocol leaf one)
  | Bob s zero one => Bob (fun v => s (h v)) (within_protocol leaf zero) (within_protocol leaf one)
  end.

Lemma within_depth {L L'} (leaf : L -> L') p : depth (within_protocol leaf p) = depth p.
Proof. induction p as [a|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; simpl; congruence. Qed.

Lemma within_run {L L'} (leaf : L -> L') p u v : run (within_protocol leaf p) u v = leaf (run p (g u) (h v)).
Proof. induction p as [a|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; simpl; [reflexivity| |]; destruct (s _); auto. Qed.

Theorem inside_bits (f : function X Y N) (small : function U V N) who bits :
  (forall u v a, small u v = Some a -> f (g u) (h v) = Some a) -> bits_suffice f who None bits -> bits_suffice small who None bits.
Proof.
  intros E (p & Hp & _ & D).
  set (leaf := match who return leaf_of who X Y N -> leaf_of who U V N with
               | Both => fun a => a | AliceAlone => fun answer u => answer (g u) | BobAlone => fun answer v => answer (h v) end).
  exists (within_protocol leaf p). split; [|split; [exact I|now rewrite within_depth]].
  intros u v a F. rewrite within_run. rewrite <- (Hp _ _ _ (E u v a F)). unfold leaf. destruct who; reflexivity.
Qed.
End Inside.

(** ** Families inside of families *)
Definition two_words : Type := list nat * list nat.

Definition smaller (F : family) (prefix suffix : two_words) (alice_words bob_words : list (list nat)) : family :=
  {| alice_letters := length alice_words; bob_letters := length bob_words;
     start := read F (start F) (fst prefix) (snd prefix);
     step := fun q x y => read F q (nth x alice_words []) (nth y bob_words []);
     output := fun q => output F (read F q (fst suffix) (snd suffix)) |}.

Section Smaller.
Variable F : family.
Variable k : nat.
Variable prefix suffix : two_words.
Variable alice_words bob_words : list (list nat).

Definition same_length (word : two_words) : nat := length (fst word).

Definition word_fits (word : two_words) : bool :=
  is_word (alice_letters F) (same_length word) (fst word) && is_word (bob_letters F) (same_length word) (snd word).

Definition letters_fit : bool :=
  forallb (is_word (alice_letters F) k) alice_words && forallb (is_word (bob_letters F) k) bob_words.

Hypothesis prefix_fits : word_fits prefix = true.
Hypothesis suffix_fits : word_fits suffix = true.
Hypothesis words_fit : letters_fit = true.

Definition written (words : list (list nat)) (w : list nat) : list nat := flat_map (fun x => nth x words []) w.
Definition alice_part (w : list nat) : list nat := fst prefix ++ written alice_words w ++ fst suffix.
Definition bob_part (w : list nat) : list nat := snd prefix ++ written bob_words w ++ snd suffix.

Lemma written_word letters words m w : forallb (is_word letters k) words = true -> is_word (length words) m w = true ->
  is_word letters (m * k) (written words w) = true.
Proof.
  intros A. rewrite forallb_forall in A. revert w. induction m as [|m IH]; intros w H; [apply word_empty in H; subst; reflexivity|].
  apply word_cons in H. destruct H as (x & rest & -> & L & H). simpl. apply word_app; [|now apply IH]. apply A. now apply nth_In.
Qed.

Lemma smaller_read m : forall q xs ys, is_word (length alice_words) m xs = true -> is_word (length bob_words) m ys = true ->
  read (smaller F prefix suffix alice_words bob_words) q xs ys = read F q (written alice_words xs) (written bob_words ys).
Proof.
  apply andb_true_iff in words_fit. destruct words_fit as [A B]. rewrite forallb_forall in A, B.
  induction m as [|m IH]; intros q xs ys Hx Hy.
  - apply word_empty in Hx, Hy. now subst.
  - apply word_cons in Hx, Hy. destruct Hx as (x & xs' & -> & Lx & Hx), Hy as (y & ys' & -> & Ly & Hy). simpl.
    rewrite read_app; [now apply IH|]. now rewrite (word_length _ _ _ (A _ (nth_In _ [] Lx))), (word_length _ _ _ (B _ (nth_In _ [] Ly))).
Qed.

Theorem smaller_cell m xs ys a : at_length (smaller F prefix suffix alice_words bob_words) m xs ys = Some a ->
  at_length F (same_length prefix + (m * k + same_length suffix)) (alice_part xs) (bob_part ys) = Some a.
Proof.
  unfold at_length at 1. cbn [alice_letters bob_letters smaller]. destruct (is_word (length alice_words) m xs) eqn:Hx; [|discriminate].
  destruct (is_word (length bob_words) m ys) eqn:Hy; [|discriminate]. cbn [andb]. rewrite (smaller_read m) by assumption. cbn [output start smaller].
  intros E. apply andb_true_iff in words_fit as W. destruct W as [A B]. apply andb_true_iff in prefix_fits as Pf. destruct Pf as [P1 P2].
  apply andb_true_iff in suffix_fits as Sf. destruct Sf as [S1 S2].
  pose proof (written_word _ _ _ _ A Hx) as Wx. pose proof (written_word _ _ _ _ B Hy) as Wy.
  unfold at_length, alice_part, bob_part.
  rewrite (word_app _ _ _ _ _ P1 (word_app _ _ _ _ _ Wx S1)), (word_app _ _ _ _ _ P2 (word_app _ _ _ _ _ Wy S2)). cbn [andb].
  rewrite read_app by (now rewrite (word_length _ _ _ P1), (word_length _ _ _ P2)).
  rewrite read_app by (now rewrite (word_length _ _ _ Wx), (word_length _ _ _ Wy)). exact E.
Qed.

Theorem smaller_bits who m bits : bits_suffice (at_length F (same_length prefix + (m * k + same_length suffix))) who None bits ->
  bits_suffice (at_length (smaller F prefix suffix alice_words bob_words) m) who None bits.
Proof. apply inside_bits with (g := alice_part) (h := bob_part). apply smaller_cell. Qed.
End Smaller.

(** ** A count that begins late, and stays for k lengths: at n that of (n - before) / k, or 0 *)
Definition slow_row (k : nat) (W : system) (i : nat) : list (Z * nat) :=
  if S (i mod k) <? k then [(1%Z, S i)] else map (fun move => (fst move, snd move * k)) (row W (i / k)).

Definition slow (k before : nat) (W : system) : system :=
  let most := size W * k in
  {| rows := map (slow_row k W) (seq 0 most) ++
       map (fun i => [(1%Z, match i with O => origin W * k | S j => most + j end)]) (seq 0 before);
     finals := map (fun i => value W 0 (i / k)) (seq 0 most);
     origin := match before with O => origin W * k | S j => most + j end |}.

Section Slow.
Variable k before : nat.
Variable W : system.
Hypothesis positive : 0 < k.
Hypothesis closed : inside W = true.

Lemma slow_value t : forall s ph, ph < k -> s < size W -> value (slow k before W) t (s * k + ph) = value W ((t + ph) / k) s.
Proof.
  induction t as [|t IH]; intros s ph Hp Hs.
  - assert (L : s * k + ph < size W * k) by nia. cbn [value]. unfold slow. cbn [finals].
    rewrite (nth_indep _ 0%Z ((fun i => value W 0 (i / k)) 0)) by (now rewrite map_length, seq_length).
    rewrite (map_nth (fun i => value W 0 (i / k))), seq_nth by exact L. cbn [plus].
    replace ((s * k + ph) / k) with s by (rewrite Nat.div_add_l, Nat.div_small by lia; lia). now rewrite Nat.div_small by exact Hp.
  - assert (L : s * k + ph < size W * k) by nia. cbn [value].
    assert (R : row (slow k before W) (s * k + ph) = slow_row k W (s * k + ph)).
    { unfold row, slow. cbn [rows]. rewrite app_nth1 by (now rewrite map_length, seq_length).
      rewrite (nth_indep _ [] (slow_row k W 0)) by (now rewrite map_length, seq_length). now rewrite map_nth, seq_nth. }
    rewrite R. unfold slow_row.
    replace ((s * k + ph) mod k) with ph by (rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia; reflexivity).
    replace ((s * k + ph) / k) with s by (rewrite Nat.div_add_l, Nat.div_small by lia; lia).
    destruct (Nat.ltb_spec (S ph) k) as [Lp|Gp].
    + cbn [weighted_sum fold_right fst snd]. replace (S (s * k + ph)) with (s * k + S ph) by lia. rewrite IH by assumption.
      replace (t + S ph) with (S t + ph) by lia. ring.
    + assert (ph = k - 1) as -> by lia. replace (S t + (k - 1)) with (t + 1 * k) by lia. rewrite Nat.div_add by lia.
      rewrite Nat.add_1_r. cbn [value]. pose proof (move_inside W closed s) as In. revert In. generalize (row W s) as l.
      induction l as [|m l IHl]; intros In; [reflexivity|]. cbn [map weighted_sum fold_right fst snd]. unfold weighted_sum in IHl.
      rewrite IHl by (intros; apply In; now right). f_equal. f_equal.
      pose proof (IH (snd m) 0 positive (In m (or_introl eq_refl))) as V. rewrite !Nat.add_0_r in V. exact V.
Qed.

Lemma slow_late t : forall j, j < before ->
  value (slow k before W) t (size W * k + j) = if j <? t then value W ((t - S j) / k) (origin W) else 0%Z.
Proof.
  assert (O0 : origin W < size W) by (apply andb_true_iff in closed; now apply Nat.ltb_lt).
  induction t as [|t IH]; intros j Hj.
  - cbn [value]. unfold slow. cbn [finals]. apply nth_overflow. rewrite map_length, seq_length. lia.
  - cbn [value]. assert (R : row (slow k before W) (size W * k + j) = [(1%Z, match j with O => origin W * k | S i => size W * k + i end)]).
    { unfold row, slow. cbn [rows]. rewrite app_nth2; rewrite map_length, seq_length; [|lia].
      replace (size W * k + j - size W * k) with j by lia.
      set (h := fun i => [(1%Z, match i with O => origin W * k | S j => size W * k + j end)]).
      rewrite (nth_indep _ [] (h 0)) by (now rewrite map_length, seq_length). now rewrite map_nth, seq_nth. }
    rewrite R. cbn [weighted_sum fold_right fst snd]. destruct j as [|j].
    + pose proof (slow_value t (origin W) 0 positive O0) as V. rewrite !Nat.add_0_r in V. rewrite V.
      replace (S t - 1) with t by lia. replace (0 <? S t) with true by reflexivity. ring.
    + rewrite IH by lia. replace (S t - S (S j)) with (t - S j) by lia. destruct (Nat.ltb_spec j t), (Nat.ltb_spec (S j) (S t)); try lia; ring.
Qed.

Theorem slow_counts n : 1 <= n -> value (slow k before W) n (origin (slow k before W)) =
  if before <=? n then value W ((n - before) / k) (origin W) else 0%Z.
Proof.
  assert (O0 : origin W < size W) by (apply andb_true_iff in closed; now apply Nat.ltb_lt).
  intros Hn. unfold slow at 2. cbn [origin]. destruct before as [|j] eqn:B.
  - rewrite <- B. pose proof (slow_value n (origin W) 0 positive O0) as V. rewrite !Nat.add_0_r in V. rewrite V, B. cbn [Nat.leb].
    now rewrite Nat.sub_0_r.
  - rewrite <- B. rewrite slow_late by lia. rewrite B. reflexivity.
Qed.
End Slow.

(** The same as a system that is 0 at 0. *)
Definition slowly (k before : nat) (W : system) : system := slow k before (affine 1 0 W).

Theorem slowly_counts k before W n : 0 < k -> inside W = true -> inside (affine 1 0 W) = true -> 1 <= n ->
  value (slowly k before W) n (origin (slowly k before W)) =
  let m := (n - before) / k in if (before <=? n) && (1 <=? m) then value W m (origin W) else 0%Z.
Proof.
  intros Hk I I' Hn. cbv zeta. unfold slowly. rewrite slow_counts by assumption. set (m := (n - before) / k).
  destruct (before <=? n); [|reflexivity]. cbn [andb]. destruct (Nat.leb_spec 1 m) as [L|G].
  - rewrite affine_value by assumption. ring.
  - replace m with 0 by lia. cbn [value]. unfold affine. cbn [finals origin]. rewrite app_nth2; rewrite map_length, seq_length; [|lia].
    now replace (S (size W) - size W) with 1 by lia.
Qed.
