(** * Linear systems in integers: the numbers that they give for each n, and the recurrences that these follow

    From each state of a system some weighted moves lead to others; the value of a state at n is a sum of those at n - 1,
    and at 0 it is given. A recurrence that holds for as many n as there are states holds for ever. *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Families RationalRank.
Import ListNotations.
Open Scope nat_scope.

Record system := System { rows : list (list (Z * nat)); finals : list Z; origin : nat }.

Definition weighted_sum (g : nat -> Z) (row : list (Z * nat)) : Z :=
  fold_right (fun move sum => (fst move * g (snd move) + sum)%Z) 0%Z row.

Section Systems.
Variable W : system.

Definition size : nat := length (rows W).
Definition row (s : nat) : list (Z * nat) := nth s (rows W) [].

Fixpoint value (n s : nat) : Z :=
  match n with O => nth s (finals W) 0%Z | S m => weighted_sum (value m) (row s) end.

Definition inside : bool := (origin W <? size) && forallb (forallb (fun move => snd move <? size)) (rows W).

Definition values_before (values : list Z) : list Z := map (weighted_sum (fun t => nth t values 0%Z)) (rows W).

Definition values_at (n : nat) : list Z := Nat.iter n values_before (map (value 0) (seq 0 size)).

Hypothesis closed : inside = true.

Lemma move_inside s move : In move (row s) -> snd move < size.
Proof.
  intros H. apply andb_true_iff in closed. destruct closed as [_ A]. rewrite forallb_forall in A. unfold row in H.
  destruct (nth_in_or_default s (rows W) []) as [E|E]; [|rewrite E in H; elim H].
  specialize (A _ E). rewrite forallb_forall in A. apply Nat.ltb_lt. now apply A.
Qed.

Lemma weighted_ext g h l : (forall m, In m l -> g (snd m) = h (snd m)) -> weighted_sum g l = weighted_sum h l.
Proof. induction l as [|m l IH]; simpl; intros H; [reflexivity|]. rewrite IH by auto. now rewrite H by auto. Qed.

Lemma nth_map_seq (g : nat -> Z) s d : s < size -> nth s (map g (seq 0 size)) d = g s.
Proof.
  intros H. rewrite (nth_indep _ _ (g 0)) by (now rewrite map_length, seq_length). now rewrite map_nth, seq_nth.
Qed.

Lemma map_as_seq {T U} (g : T -> U) (l : list T) d : map g l = map (fun i => g (nth i l d)) (seq 0 (length l)).
Proof.
  induction l as [|a l IH]; simpl; [reflexivity|]. f_equal. rewrite IH, <- seq_shift, map_map. reflexivity.
Qed.

Lemma values_value n : values_at n = map (value n) (seq 0 size).
Proof.
  induction n as [|n IH]; [reflexivity|]. change (values_at (S n)) with (values_before (values_at n)). rewrite IH. clear IH.
  unfold values_before. rewrite (map_as_seq _ (rows W) []). apply map_ext_in. intros s Hs. simpl. apply weighted_ext.
  intros move Hm. apply nth_map_seq. now apply (move_inside s).
Qed.

(** ** Vectors that are led on by the moves *)
Definition led (E : nat -> nat -> Z) : Prop := forall j s, E (S j) s = weighted_sum (E j) (row s).

Fixpoint combination (factors : list Q) (g : nat -> Z) (j : nat) : Q :=
  match factors with [] => 0 | c :: rest => (c * inject_Z (g j) + combination rest g (S j))%Q end.

Lemma combination_app a b g : forall j, (combination (a ++ b) g j == combination a g j + combination b g (j + length a))%Q.
Proof.
  induction a as [|c a IH]; intros j; simpl; [rewrite Nat.add_0_r; ring|]. rewrite IH, <- plus_n_Sm. simpl. ring.
Qed.

Lemma combination_led E factors : led E -> forall j s,
  (combination factors (fun i => E i s) (S j) ==
   fold_right Qplus 0 (map (fun move => inject_Z (fst move) * combination factors (fun i => E i (snd move)) j) (row s)))%Q.
Proof.
  intros H. assert (Z0 : forall g l, (forall m : Z * nat, In m l -> g m == 0)%Q -> (fold_right Qplus 0 (map g l) == 0)%Q).
  { intros g l. induction l as [|m l IH]; simpl; intros K; [reflexivity|]. rewrite IH by (intros; apply K; now right).
    rewrite (K m) by (now left). ring. }
  assert (Sum : forall f g h l, (forall m : Z * nat, f m == g m + h m)%Q -> (fold_right Qplus 0 (map f l) == fold_right Qplus 0 (map g l) + fold_right Qplus 0 (map h l))%Q).
  { intros f g h l K. induction l as [|m l IH]; simpl; [ring|]. rewrite IH, K. ring. }
  assert (One : forall c j (l : list (Z * nat)), (c * inject_Z (weighted_sum (E j) l) == fold_right Qplus 0 (map (fun m => inject_Z (fst m) * (c * inject_Z (E j (snd m)))) l))%Q).
  { intros c j l. induction l as [|m l IH]; simpl; [unfold inject_Z; ring|]. rewrite inject_Z_plus, inject_Z_mult, <- IH. ring. }
  induction factors as [|c rest IH]; intros j s; simpl.
  - rewrite Z0; [reflexivity|]. intros m _. ring.
  - rewrite (Sum _ (fun m => inject_Z (fst m) * (c * inject_Z (E j (snd m))))%Q
               (fun m => inject_Z (fst m) * combination rest (fun i => E i (snd m)) (S j))%Q) by (intros; ring).
    rewrite IH, H, One. reflexivity.
Qed.

(** A combination of consecutive values that is always 0 lets the first zeros go on. *)
Lemma zeros_go_on (g : nat -> Z) : forall factors, (forall j, combination factors g j == 0)%Q -> Exists (fun c => ~ c == 0)%Q factors ->
  (forall i, S i < length factors -> g i = 0%Z) -> forall n, g n = 0%Z.
Proof.
  induction factors as [|c factors IH] using rev_ind; intros K X First; [inversion X|].
  destruct (Qeq_dec c 0) as [Zc|Nc].
  - apply IH.
    + intros j. specialize (K j). rewrite combination_app in K. simpl in K. rewrite Zc in K.
      rewrite <- K. ring.
    + apply Exists_app in X. destruct X as [X|X]; [exact X|]. inversion X as [? ? N|? ? N]; subst; [contradiction|inversion N].
    + intros i Hi. apply First. rewrite app_length. simpl. lia.
  - induction n as [n IHn] using lt_wf_ind. destruct (le_lt_dec (length factors) n) as [G|G].
    + specialize (K (n - length factors)). rewrite combination_app in K. simpl in K.
      replace (n - length factors + length factors) with n in K by lia.
      assert (Before : (combination factors g (n - length factors) == 0)%Q).
      { assert (P : forall l j, (forall i, j <= i -> i < j + length l -> g i = 0%Z) -> (combination l g j == 0)%Q).
        { clear. induction l as [|d l IHl]; intros j H; simpl; [reflexivity|].
          rewrite (H j) by (simpl; lia). rewrite IHl by (intros; apply H; simpl; lia). unfold inject_Z. ring. }
        apply P. intros i Hi Hi'. apply IHn. lia. }
      rewrite Before in K. assert (Pz : (c * inject_Z (g n) == 0)%Q) by (rewrite <- K; ring).
      apply Qmult_integral in Pz. destruct Pz as [Pz|Pz]; [contradiction|]. unfold Qeq in Pz. simpl in Pz. lia.
    + apply First. rewrite app_length. simpl. lia.
Qed.

(** Vectors outside of which all is 0 are spanned by units. *)
Definition unit (a s : nat) : Q := if a =? s then 1%Q else 0%Q.

Lemma units_span l : forall v : nat -> Q, (forall s, ~ In s l -> v s == 0)%Q -> rational_span nat (map unit l) v.
Proof.
  induction l as [|a l IH]; simpl; intros v H; [intros s; apply H; auto|]. exists (v a). apply IH. intros s Hs. unfold unit.
  destruct (Nat.eqb_spec a s) as [->|Ne]; [ring|]. rewrite H; [ring|]. intros [E|E]; [congruence|contradiction].
Qed.

Theorem zero_for_ever E : led E -> (forall j, j < size -> E j (origin W) = 0%Z) -> forall j, E j (origin W) = 0%Z.
Proof.
  intros H First. set (vec := fun j s => if s <? size then inject_Z (E j s) else 0%Q).
  destruct (dependent nat (map unit (seq 0 size)) nat vec (seq 0 (S size))) as (ws & Mw & X & K).
  - apply Forall_forall. intros j _. apply units_span. intros s Hs. unfold vec. destruct (Nat.ltb_spec s size); [|reflexivity].
    elim Hs. apply in_seq. lia.
  - rewrite map_length, !seq_length. lia.
  - assert (Comb : forall ws j s, map snd ws = seq j (length ws) -> s < size ->
      (combined vec ws s == combination (map fst ws) (fun i => E i s) j)%Q).
    { clear -closed. induction ws as [|[c i] ws IH]; intros j s Mw Hs; simpl; [reflexivity|]. injection Mw as -> Mw.
      unfold linear_combination in *. rewrite (IH (S j) s Mw Hs). unfold vec. apply Nat.ltb_lt in Hs. rewrite Hs. reflexivity. }
    assert (Len : length ws = S size) by (rewrite <- (map_length snd ws), Mw; apply seq_length).
    assert (Zero : forall j s, s < size -> (combination (map fst ws) (fun i => E i s) j == 0)%Q).
    { induction j as [|j IH]; intros s Hs.
      - rewrite <- (Comb ws 0 s); [apply K|now rewrite Len|exact Hs].
      - rewrite combination_led by exact H.
        assert (P : forall l : list (Z * nat), (forall m, In m l -> snd m < size) ->
          (fold_right Qplus 0 (map (fun move => inject_Z (fst move) * combination (map fst ws) (fun i => E i (snd move)) j) l) == 0)%Q).
        { induction l as [|m l IHl]; simpl; intros Hl; [reflexivity|]. rewrite IHl by auto. rewrite IH by auto. ring. }
        apply P. intros m Hm. now apply (move_inside s). }
    assert (B : origin W < size) by (apply andb_true_iff in closed; now apply Nat.ltb_lt).
    apply (zeros_go_on (fun j => E j (origin W)) (map fst ws)).
    + intros j. now apply Zero.
    + apply Exists_map. exact X.
    + intros i Hi. rewrite map_length, Len in Hi. apply First. lia.
Qed.

(** ** The recurrence that is claimed *)
(** [seen] are the numbers from some length on; so many windows of the recurrence are followed. *)
Fixpoint follows (back : list Z) (order : nat) (seen : list Z) (times : nat) : bool :=
  match times with
  | O => true
  | S less =>
      if Z.eqb (next_value back (firstn order seen)) (nth order seen 0%Z) then follows back order (tl seen) less else false
  end.

Fixpoint counted (ways : list Z) (most : nat) : list Z :=
  match most with
  | O => []
  | S less => let after := values_before ways in nth (origin W) after 0%Z :: counted after less
  end.

Definition recurs (count : list Z * list Z) : bool :=
  let order := length (fst count) in
  let seen := counted (values_at 0) (order + size) in
  if length (snd count) =? order then
    if forallb (fun pair => Z.eqb (fst pair) (snd pair)) (combine (fst count) seen) then follows (snd count) order seen size
    else false
  else false.

Lemma counted_numbers m : forall n, counted (values_at n) m = map (fun i => value i (origin W)) (seq (S n) m).
Proof.
  assert (B : origin W < size) by (apply andb_true_iff in closed; now apply Nat.ltb_lt).
  induction m as [|m IH]; intros n; simpl; [reflexivity|].
  change (values_before (values_at n)) with (values_at (S n)). rewrite IH. f_equal. rewrite values_value. now apply nth_map_seq.
Qed.

Lemma firstn_seq order : forall n m, order <= m -> firstn order (seq n m) = seq n order.
Proof. induction order as [|order IH]; intros n m H; [reflexivity|]. destruct m as [|m]; [lia|]. simpl. f_equal. apply IH. lia. Qed.

Lemma follows_spec (g : nat -> Z) back order times : forall n m, order + times <= m ->
  follows back order (map g (seq n m)) times = true ->
  forall j, j < times -> next_value back (map g (seq (n + j) order)) = g (n + j + order).
Proof.
  induction times as [|times IH]; intros n m Hm H j Hj; [lia|]. simpl in H.
  destruct (Z.eqb_spec (next_value back (firstn order (map g (seq n m)))) (nth order (map g (seq n m)) 0%Z)) as [E|]; [|discriminate].
  rewrite firstn_map, firstn_seq in E by lia. rewrite (nth_indep _ _ (g 0)), map_nth, seq_nth in E by (rewrite ?map_length, ?seq_length; lia).
  destruct j as [|j].
  - rewrite Nat.add_0_r. exact E.
  - destruct m as [|m]; [lia|]. simpl in H. specialize (IH (S n) m ltac:(lia) H j ltac:(lia)).
    replace (n + S j) with (S n + j) by lia. exact IH.
Qed.

Definition weighed (back : list Z) (g : nat -> Z) (places : list nat) : Z :=
  fold_right (fun pair sum => (fst pair * snd pair + sum)%Z) 0%Z (combine back (map g places)).

Lemma next_value_weighed g back n order : next_value back (map g (seq n order)) = weighed back g (rev (seq n order)).
Proof. unfold next_value, weighed. now rewrite map_rev. Qed.

Lemma weighed_sum (g : nat -> nat -> Z) (l : list (Z * nat)) : forall back w,
  weighed back (fun i => weighted_sum (g i) l) w = weighted_sum (fun s => weighed back (fun i => g i s) w) l.
Proof.
  assert (Z0 : weighted_sum (fun _ => 0%Z) l = 0%Z) by (induction l; simpl; lia).
  unfold weighed. induction back as [|b back IH]; intros w; [symmetry; exact Z0|]. destruct w as [|i w]; [symmetry; exact Z0|].
  simpl. rewrite IH. clear. induction l as [|m l IH]; simpl; [ring|]. rewrite <- IH. ring.
Qed.

Theorem recurs_for_ever count : recurs count = true -> forall n, 1 <= n ->
  count_at count n = value n (origin W).
Proof.
  destruct count as [first back]. unfold recurs. cbn [fst snd]. destruct (Nat.eqb_spec (length back) (length first)) as [Same|]; [|discriminate].
  set (order := length first) in *. rewrite counted_numbers.
  destruct (forallb _ (combine first _)) eqn:A; [|discriminate]. intros H. set (g := fun i => value i (origin W)) in *.
  set (E := fun j s => (next_value back (map (fun i => value i s) (seq (1 + j) order)) - value (1 + j + order) s)%Z).
  assert (Step : forall j, next_value back (map g (seq (1 + j) order)) = g (1 + j + order)).
  { intros j. enough (E j (origin W) = 0%Z) by (unfold E, g in *; lia). apply zero_for_ever.
    - clear. intros j s. unfold E. change (1 + S j + order) with (S (1 + j + order)). cbn [value].
      assert (T : next_value back (map (fun i => value i s) (seq (1 + S j) order)) =
        weighted_sum (fun t => next_value back (map (fun i => value i t) (seq (1 + j) order))) (row s)).
      { change (1 + S j) with (S (1 + j)). rewrite <- seq_shift, map_map.
        change (map (fun i => value (S i) s) (seq (1 + j) order)) with (map (fun i => weighted_sum (value i) (row s)) (seq (1 + j) order)).
        rewrite next_value_weighed, weighed_sum. apply weighted_ext. intros m _. now rewrite next_value_weighed. }
      rewrite T. generalize (row s) as l. induction l as [|m l IHl]; simpl; [reflexivity|]. simpl in IHl. rewrite <- IHl. ring.
    - intros k Hk. unfold E. pose proof (follows_spec g back order size 1 (order + size) ltac:(lia) H k Hk) as F. unfold g in F. simpl in *. lia. }
  assert (Window : first = map g (seq 1 order)).
  { rewrite seq_app, map_app in A. unfold order in A |- *. clear -A. revert A. generalize (map g (seq (1 + length first) size)) as more.
    generalize 1 as n. induction first as [|z first IH]; intros n more A; simpl in *; [reflexivity|].
    apply andb_true_iff in A. destruct A as [A1 A2]. apply Z.eqb_eq in A1. f_equal; [exact A1|]. now apply (IH (S n) more). }
  assert (At : forall j, 0 < order -> Nat.iter j (shift back) first = map g (seq (1 + j) order)).
  { intros j Pos. induction j as [|j IH]; [exact Window|]. cbn [Nat.iter nat_rect]. unfold Nat.iter in IH. rewrite IH.
    unfold shift. rewrite Step. destruct order as [|more]; [lia|].
    change (1 + S j) with (S (1 + j)). rewrite (seq_S more (S (1 + j))), map_app. simpl. f_equal. f_equal. f_equal. lia. }
  intros n Hn. unfold count_at. cbn [fst snd]. destruct order as [|more] eqn:Size.
  - assert (first = []) as -> by (now destruct first). assert (Zero : g n = 0%Z).
    { specialize (Step (n - 1)). simpl in Step. replace (n - 1 + 0) with (n - 1) in Step by lia. replace (S (n - 1)) with n in Step by lia.
      rewrite <- Step. destruct back; reflexivity. }
    fold (g n). rewrite Zero. assert (B : back = []) by (destruct back; [reflexivity|discriminate]). rewrite B.
    assert (forall j, Nat.iter j (shift []) [] = [] \/ Nat.iter j (shift []) [] = [0%Z]) as K.
    { induction j as [|j IH]; [now left|]. right. cbn [Nat.iter nat_rect] in *. unfold Nat.iter in IH. now destruct IH as [-> | ->]. }
    destruct (K (n - 1)) as [-> | ->]; reflexivity.
  - rewrite (At (n - 1)) by lia. simpl. unfold g. f_equal. lia.
Qed.
End Systems.
Arguments recurs_for_ever {W} closed {count}.

(** ** A multiple, and something more *)
Definition affine (a b : Z) (W : system) : system :=
  {| rows := rows W ++ [[(1%Z, size W)]; map (fun move => (a * fst move, snd move)%Z) (row W (origin W)) ++ [(b, size W)]];
     finals := map (value W 0) (seq 0 (size W)) ++ [1%Z]; origin := S (size W) |}.

Lemma affine_row a b W s : s < size W -> row (affine a b W) s = row W s.
Proof. intros H. unfold row, affine. simpl. now rewrite app_nth1. Qed.

Lemma affine_new a b W k : row (affine a b W) (size W + k) =
  nth k [[(1%Z, size W)]; map (fun move => (a * fst move, snd move)%Z) (row W (origin W)) ++ [(b, size W)]] [].
Proof. unfold row at 1, affine. cbn [rows]. rewrite app_nth2 by (unfold size; lia). f_equal. unfold size. lia. Qed.

Theorem affine_value a b W n : inside W = true -> 1 <= n ->
  value (affine a b W) n (origin (affine a b W)) = (a * value W n (origin W) + b)%Z.
Proof.
  intros I Hn. assert (Old : forall n s, s < size W -> value (affine a b W) n s = value W n s).
  { clear n Hn. induction n as [|n IH]; intros s Hs.
    - simpl. rewrite app_nth1 by (rewrite map_length, seq_length; exact Hs). now apply (nth_map_seq W (fun s => nth s (finals W) 0%Z)).
    - cbn [value]. rewrite affine_row by exact Hs. apply weighted_ext. intros m Hm. apply IH. exact (move_inside W I s m Hm). }
  assert (Loop : forall n, value (affine a b W) n (size W) = 1%Z).
  { clear n Hn. induction n as [|n IH].
    - simpl. rewrite app_nth2; rewrite map_length, seq_length; [|lia]. now rewrite Nat.sub_diag.
    - cbn [value]. pose proof (affine_new a b W 0) as R. rewrite Nat.add_0_r in R. rewrite R. cbn [nth weighted_sum fold_right fst snd]. rewrite IH. ring. }
  destruct n as [|n]; [lia|]. change (origin (affine a b W)) with (S (size W)). cbn [value]. rewrite <- Nat.add_1_r, affine_new. cbn [nth].
  pose proof (move_inside W I (origin W)) as In. revert In. generalize (row W (origin W)) as l. induction l as [|m l IH]; intros In.
  - cbn [map app weighted_sum fold_right fst snd]. rewrite Loop. ring.
  - cbn [map app weighted_sum fold_right fst snd] in *. unfold weighted_sum in IH. rewrite IH by (intros; apply In; now right). rewrite Old by (apply In; now left). ring.
Qed.
