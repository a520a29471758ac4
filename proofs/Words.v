(** * The words of a finite automaton: how many there are of each length

    From each state an automaton has moves: a letter, and the next state. Its words are its paths. Their number follows a
    recurrence; that one which is claimed holds for as many lengths as there are states holds for ever. *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Families RationalRank.
Import ListNotations.
Open Scope nat_scope.

Record automaton (L : Type) := Automaton { moves : list (list (L * nat)); accepting : list bool; beginning : nat }.
Arguments Automaton {L}.
Arguments moves {L}.
Arguments accepting {L}.
Arguments beginning {L}.

Section Words.
Variable L : Type.
Variable M : automaton L.

Definition states : nat := length (moves M).
Definition from (s : nat) : list (L * nat) := nth s (moves M) [].
Definition accepts_at (s : nat) : bool := nth s (accepting M) false.

Fixpoint words (n s : nat) : list (list L) :=
  match n with
  | O => if accepts_at s then [[]] else []
  | S m => flat_map (fun move => map (cons (fst move)) (words m (snd move))) (from s)
  end.

Lemma words_length n : forall s w, In w (words n s) -> length w = n.
Proof.
  induction n as [|n IH]; simpl; intros s w H.
  - destruct (accepts_at s); [|elim H]. destruct H as [<-|[]]. reflexivity.
  - apply in_flat_map in H. destruct H as (m & _ & H). apply in_map_iff in H. destruct H as (v & <- & H). simpl. f_equal.
    now apply (IH (snd m)).
Qed.

(** ** Counting *)
Definition total_of (zs : list Z) : Z := fold_right Z.add 0%Z zs.

Definition count_before (ways : list Z) : list Z :=
  map (fun listed => total_of (map (fun move => nth (snd move) ways 0%Z) listed)) (moves M).

Definition ways_at (n : nat) : list Z :=
  Nat.iter n count_before (map (fun s => if accepts_at s then 1%Z else 0%Z) (seq 0 states)).

Definition in_states : bool :=
  (beginning M <? states) && forallb (forallb (fun move => snd move <? states)) (moves M).

Lemma total_of_app a b : total_of (a ++ b) = (total_of a + total_of b)%Z.
Proof. induction a as [|z a IH]; simpl; [reflexivity|]. rewrite IH. ring. Qed.

Hypothesis inside : in_states = true.

Lemma move_inside s move : In move (from s) -> snd move < states.
Proof.
  intros H. apply andb_true_iff in inside. destruct inside as [_ A]. rewrite forallb_forall in A. unfold from in H.
  destruct (nth_in_or_default s (moves M) []) as [E|E]; [|rewrite E in H; elim H].
  specialize (A _ E). rewrite forallb_forall in A. apply Nat.ltb_lt. now apply A.
Qed.

Definition number (n s : nat) : Z := Z.of_nat (length (words n s)).

Lemma number_next n s : number (S n) s = total_of (map (fun move => number n (snd move)) (from s)).
Proof.
  unfold number. simpl. generalize (from s) as listed. induction listed as [|m listed IH]; simpl; [reflexivity|].
  rewrite app_length, map_length, Nat2Z.inj_add, IH. reflexivity.
Qed.

Lemma nth_map_seq (g : nat -> Z) s d : s < states -> nth s (map g (seq 0 states)) d = g s.
Proof.
  intros H. rewrite (nth_indep _ _ (g 0)) by (now rewrite map_length, seq_length). now rewrite map_nth, seq_nth.
Qed.

Lemma map_as_seq {T U} (g : T -> U) (l : list T) d : map g l = map (fun i => g (nth i l d)) (seq 0 (length l)).
Proof.
  induction l as [|a l IH]; simpl; [reflexivity|]. f_equal. rewrite IH, <- seq_shift, map_map. reflexivity.
Qed.

Lemma ways_number n : ways_at n = map (number n) (seq 0 states).
Proof.
  induction n as [|n IH].
  - unfold ways_at. simpl. apply map_ext. intros s. unfold number. simpl. now destruct (accepts_at s).
  - change (ways_at (S n)) with (count_before (ways_at n)). rewrite IH. clear IH. unfold count_before.
    rewrite (map_as_seq _ (moves M) []). apply map_ext_in. intros s Hs. rewrite number_next. f_equal. apply map_ext_in.
    intros move Hm. apply nth_map_seq. now apply (move_inside s).
Qed.

(** ** Vectors that are led on by the moves *)
Definition led (E : nat -> nat -> Z) : Prop := forall j s, E (S j) s = total_of (map (fun move => E j (snd move)) (from s)).

Fixpoint combination (factors : list Q) (g : nat -> Z) (j : nat) : Q :=
  match factors with [] => 0 | c :: rest => (c * inject_Z (g j) + combination rest g (S j))%Q end.

Lemma combination_app a b g : forall j, (combination (a ++ b) g j == combination a g j + combination b g (j + length a))%Q.
Proof.
  induction a as [|c a IH]; intros j; simpl; [rewrite Nat.add_0_r; ring|]. rewrite IH, <- plus_n_Sm. simpl. ring.
Qed.

Lemma combination_led E factors : led E -> forall j s,
  (combination factors (fun i => E i s) (S j) == fold_right Qplus 0 (map (fun move => combination factors (fun i => E i (snd move)) j) (from s)))%Q.
Proof.
  intros H. assert (Z0 : forall g l, (forall m : L * nat, In m l -> g m == 0)%Q -> (fold_right Qplus 0 (map g l) == 0)%Q).
  { intros g l. induction l as [|m l IH]; simpl; intros K; [reflexivity|]. rewrite IH by (intros; apply K; now right).
    rewrite (K m) by (now left). ring. }
  assert (Sum : forall g h l, (fold_right Qplus 0 (map (fun m : L * nat => g m + h m) l) == fold_right Qplus 0 (map g l) + fold_right Qplus 0 (map h l))%Q).
  { intros g h l. induction l as [|m l IH]; simpl; [ring|]. rewrite IH. ring. }
  assert (One : forall c j (l : list (L * nat)), (c * inject_Z (total_of (map (fun m => E j (snd m)) l)) == fold_right Qplus 0 (map (fun m => c * inject_Z (E j (snd m))) l))%Q).
  { intros c j l. induction l as [|m l IH]; simpl; [unfold inject_Z; ring|]. rewrite inject_Z_plus, <- IH. ring. }
  induction factors as [|c rest IH]; intros j s; simpl.
  - rewrite Z0; [reflexivity|]. reflexivity.
  - rewrite Sum, IH, H, One. reflexivity.
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

Theorem zero_for_ever E : led E -> (forall j, j < states -> E j (beginning M) = 0%Z) -> forall j, E j (beginning M) = 0%Z.
Proof.
  intros H First. set (vec := fun j s => if s <? states then inject_Z (E j s) else 0%Q).
  destruct (dependent nat (map unit (seq 0 states)) nat vec (seq 0 (S states))) as (ws & Mw & W & K).
  - apply Forall_forall. intros j _. apply units_span. intros s Hs. unfold vec. destruct (Nat.ltb_spec s states); [|reflexivity].
    elim Hs. apply in_seq. lia.
  - rewrite map_length, !seq_length. lia.
  - assert (Comb : forall ws j s, map snd ws = seq j (length ws) -> s < states ->
      (combined nat vec ws s == combination (map fst ws) (fun i => E i s) j)%Q).
    { clear -inside. induction ws as [|[c i] ws IH]; intros j s Mw Hs; simpl; [reflexivity|]. injection Mw as -> Mw.
      unfold combined in *. rewrite (IH (S j) s Mw Hs). unfold vec. apply Nat.ltb_lt in Hs. rewrite Hs. reflexivity. }
    assert (Len : length ws = S states) by (rewrite <- (map_length snd ws), Mw; apply seq_length).
    assert (Zero : forall j s, s < states -> (combination (map fst ws) (fun i => E i s) j == 0)%Q).
    { induction j as [|j IH]; intros s Hs.
      - rewrite <- (Comb ws 0 s); [apply K|now rewrite Len|exact Hs].
      - rewrite combination_led by exact H.
        assert (P : forall l : list (L * nat), (forall m, In m l -> snd m < states) ->
          (fold_right Qplus 0 (map (fun move => combination (map fst ws) (fun i => E i (snd move)) j) l) == 0)%Q).
        { induction l as [|m l IHl]; simpl; intros Hl; [reflexivity|]. rewrite IHl by auto. rewrite IH by auto. ring. }
        apply P. intros m Hm. now apply (move_inside s). }
    assert (B : beginning M < states) by (apply andb_true_iff in inside; now apply Nat.ltb_lt).
    apply (zeros_go_on (fun j => E j (beginning M)) (map fst ws)).
    + intros j. now apply Zero.
    + apply Exists_map. exact W.
    + intros i Hi. rewrite map_length, Len in Hi. apply First. lia.
Qed.

(** ** The recurrence that is claimed *)
(** [seen] are the numbers from some length on; so many windows of the recurrence are followed. *)
Fixpoint follows (back : list Z) (size : nat) (seen : list Z) (times : nat) : bool :=
  match times with
  | O => true
  | S less =>
      if Z.eqb (next_value back (firstn size seen)) (nth size seen 0%Z) then follows back size (tl seen) less else false
  end.

Fixpoint counted (ways : list Z) (most : nat) : list Z :=
  match most with
  | O => []
  | S less => let after := count_before ways in nth (beginning M) after 0%Z :: counted after less
  end.

Definition recurs (count : list Z * list Z) : bool :=
  let size := length (fst count) in
  let seen := counted (ways_at 0) (size + states) in
  if length (snd count) =? size then
    if forallb (fun pair => Z.eqb (fst pair) (snd pair)) (combine (fst count) seen) then follows (snd count) size seen states
    else false
  else false.

Lemma counted_numbers m : forall n, counted (ways_at n) m = map (fun i => number i (beginning M)) (seq (S n) m).
Proof.
  assert (B : beginning M < states) by (apply andb_true_iff in inside; now apply Nat.ltb_lt).
  induction m as [|m IH]; intros n; simpl; [reflexivity|].
  change (count_before (ways_at n)) with (ways_at (S n)). rewrite IH. f_equal. rewrite ways_number. now apply nth_map_seq.
Qed.

Lemma firstn_seq size : forall n m, size <= m -> firstn size (seq n m) = seq n size.
Proof. induction size as [|size IH]; intros n m H; [reflexivity|]. destruct m as [|m]; [lia|]. simpl. f_equal. apply IH. lia. Qed.

Lemma follows_spec (g : nat -> Z) back size times : forall n m, size + times <= m ->
  follows back size (map g (seq n m)) times = true ->
  forall j, j < times -> next_value back (map g (seq (n + j) size)) = g (n + j + size).
Proof.
  induction times as [|times IH]; intros n m Hm H j Hj; [lia|]. simpl in H.
  destruct (Z.eqb_spec (next_value back (firstn size (map g (seq n m)))) (nth size (map g (seq n m)) 0%Z)) as [E|]; [|discriminate].
  rewrite firstn_map, firstn_seq in E by lia. rewrite (nth_indep _ _ (g 0)), map_nth, seq_nth in E by (rewrite ?map_length, ?seq_length; lia).
  destruct j as [|j].
  - rewrite Nat.add_0_r. exact E.
  - destruct m as [|m]; [lia|]. simpl in H. specialize (IH (S n) m ltac:(lia) H j ltac:(lia)).
    replace (n + S j) with (S n + j) by lia. exact IH.
Qed.

Definition weighed (back : list Z) (g : nat -> Z) (at_ : list nat) : Z :=
  fold_right (fun pair sum => (fst pair * snd pair + sum)%Z) 0%Z (combine back (map g at_)).

Lemma next_value_weighed g back n size : next_value back (map g (seq n size)) = weighed back g (rev (seq n size)).
Proof. unfold next_value, weighed. now rewrite map_rev. Qed.

Lemma weighed_sum (g : nat -> nat -> Z) (l : list (L * nat)) : forall back w,
  weighed back (fun i => total_of (map (fun move => g i (snd move)) l)) w =
  total_of (map (fun move => weighed back (fun i => g i (snd move)) w) l).
Proof.
  assert (Z0 : total_of (map (fun _ : L * nat => 0%Z) l) = 0%Z) by (induction l; simpl; auto).
  unfold weighed. induction back as [|b back IH]; intros w; [symmetry; exact Z0|]. destruct w as [|i w]; [symmetry; exact Z0|].
  simpl. rewrite IH. clear. induction l as [|m l IH]; simpl; [ring|]. rewrite <- IH. ring.
Qed.

Theorem recurs_for_ever count : recurs count = true -> forall n, 1 <= n ->
  count_at count n = number n (beginning M).
Proof.
  destruct count as [first back]. unfold recurs. cbn [fst snd]. destruct (Nat.eqb_spec (length back) (length first)) as [Same|]; [|discriminate].
  set (size := length first) in *. rewrite counted_numbers.
  destruct (forallb _ (combine first _)) eqn:A; [|discriminate]. intros H. set (g := fun i => number i (beginning M)) in *.
  set (E := fun j s => (next_value back (map (fun i => number i s) (seq (1 + j) size)) - number (1 + j + size) s)%Z).
  assert (Step : forall j, next_value back (map g (seq (1 + j) size)) = g (1 + j + size)).
  { intros j. enough (E j (beginning M) = 0%Z) by (unfold E, g in *; lia). apply zero_for_ever.
    - clear. intros j s. unfold E. change (1 + S j + size) with (S (1 + j + size)). rewrite number_next.
      assert (T : next_value back (map (fun i => number i s) (seq (1 + S j) size)) =
        total_of (map (fun move => next_value back (map (fun i => number i (snd move)) (seq (1 + j) size))) (from s))).
      { change (1 + S j) with (S (1 + j)). rewrite <- seq_shift, map_map.
        rewrite (map_ext _ _ (fun i => number_next i s)), next_value_weighed.
        rewrite (weighed_sum (fun i s => number i s)). f_equal. apply map_ext. intros m. now rewrite next_value_weighed. }
      rewrite T. generalize (from s) as l. induction l as [|m l IHl]; simpl; [reflexivity|]. simpl in IHl. rewrite <- IHl. ring.
    - intros k Hk. unfold E. pose proof (follows_spec g back size states 1 (size + states) ltac:(lia) H k Hk) as F. unfold g in F. simpl in *. lia. }
  assert (Window : first = map g (seq 1 size)).
  { rewrite seq_app, map_app in A. unfold size in A |- *. clear -A. revert A. generalize (map g (seq (1 + length first) states)) as more.
    generalize 1 as n. induction first as [|z first IH]; intros n more A; simpl in *; [reflexivity|].
    apply andb_true_iff in A. destruct A as [A1 A2]. apply Z.eqb_eq in A1. f_equal; [exact A1|]. now apply (IH (S n) more). }
  assert (At : forall j, 0 < size -> Nat.iter j (shift back) first = map g (seq (1 + j) size)).
  { intros j Pos. induction j as [|j IH]; [exact Window|]. cbn [Nat.iter nat_rect]. unfold Nat.iter in IH. rewrite IH.
    unfold shift. rewrite Step. destruct size as [|more]; [lia|].
    change (1 + S j) with (S (1 + j)). rewrite (seq_S more (S (1 + j))), map_app. simpl. f_equal. f_equal. f_equal. lia. }
  intros n Hn. unfold count_at. cbn [fst snd]. destruct size as [|more] eqn:Size.
  - assert (first = []) as -> by (now destruct first). assert (Zero : g n = 0%Z).
    { specialize (Step (n - 1)). simpl in Step. replace (n - 1 + 0) with (n - 1) in Step by lia. replace (S (n - 1)) with n in Step by lia.
      rewrite <- Step. destruct back; reflexivity. }
    fold (g n). rewrite Zero. assert (B : back = []) by (destruct back; [reflexivity|discriminate]). rewrite B.
    assert (forall j, Nat.iter j (shift []) [] = [] \/ Nat.iter j (shift []) [] = [0%Z]) as K.
    { induction j as [|j IH]; [now left|]. right. cbn [Nat.iter nat_rect] in *. unfold Nat.iter in IH. now destruct IH as [-> | ->]. }
    destruct (K (n - 1)) as [-> | ->]; reflexivity.
  - rewrite (At (n - 1)) by lia. simpl. unfold g. f_equal. lia.
Qed.
End Words.
Arguments states {L}.
Arguments from {L}.
Arguments accepts_at {L}.
Arguments words {L}.
Arguments in_states {L}.
Arguments number {L}.
Arguments recurs {L}.
Arguments counted {L}.
Arguments ways_at {L}.
