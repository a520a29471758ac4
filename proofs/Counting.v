(** * Clauses that count: no more than so many of some variables are true

    A layer is a list of variables: at least one of some are true, at least two, and so on, up to one more than may be.
    Two layers make one, again and again. *)
From Coq Require Import List Arith Lia Bool NArith.
Import ListNotations.
Open Scope N_scope.

(** Whether a variable is true, and which. *)
Definition literal := (bool * N)%type.
Definition yes (variable : N) : literal := (true, variable).
Definition no (variable : N) : literal := (false, variable).
Definition holds_in (value : N -> bool) (clause : list literal) : Prop := exists l, In l clause /\ value (snd l) = fst l.

Section Counting.
Variable most : nat.

Definition place (variables : list N) (n : nat) : N := nth n variables 0.
Definition unless (layer : list N) (n : nat) : list literal := match n with O => [] | S m => [no (place layer m)] end.

(** If there are [a] of these and [b] of those, there are so many of both. *)
Definition adds (one other both : list N) : list (list literal) :=
  flat_map (fun a => flat_map (fun b =>
    match a + b with O => [] | S m => [unless one a ++ unless other b ++ [yes (place both (Nat.min m most))]] end)%nat
    (seq 0 (S (length other)))) (seq 0 (S (length one))).

Definition fresh (next : N) (many : nat) : list N := map (fun i => next + N.of_nat i) (seq 0 many).

(** Two and two: their clauses, new layers, what is left over, and the next variable. *)
Fixpoint paired (layers : list (list N)) (next : N) : list (list literal) * list (list N) * list (list N) * N :=
  match layers with
  | one :: other :: rest =>
      let both := fresh next (Nat.min (length one + length other) (S most)) in
      let '(clauses, made, over, last) := paired rest (next + N.of_nat (length both)) in
      (adds one other both ++ clauses, both :: made, over, last)
  | _ => ([], [], layers, next)
  end.

Fixpoint together (rounds : nat) (layers : list (list N)) (next : N) : list (list literal) * list (list N) * N :=
  match rounds with
  | S fewer =>
      match layers with
      | _ :: _ :: _ =>
          let '(clauses, made, over, next) := paired layers next in
          let '(more, final, last) := together fewer (over ++ made) next in
          (clauses ++ more, final, last)
      | _ => ([], layers, next)
      end
  | O => ([], layers, next)
  end.

(** The clauses, and how many variables there are with these. *)
Definition at_most (variables : list N) (next : N) : list (list literal) * N :=
  let '(clauses, final, last) := together (length variables) (map (fun v => [v]) variables) next in
  (clauses ++ map (fun v => [no v]) (skipn most (hd [] final)), last).

(** ** Values of the new variables *)
Section Right.
Variable value : N -> bool.

(** A layer says of so many how many there are, as far as it goes. *)
Definition right (layer : list N) (count : nat) : Prop :=
  (forall n, (n < length layer)%nat -> value (place layer n) = (n <? count)%nat) /\ (Nat.min count (S most) <= length layer)%nat.

Lemma unless_fails layer count n : right layer count -> (n <= length layer)%nat -> (exists l, In l (unless layer n) /\ value (snd l) = fst l) \/ (n <= count)%nat.
Proof.
  intros [R _] L. destruct n as [|n]; [right; lia|]. destruct (Nat.ltb_spec n count) as [C|C]; [right; lia|left].
  exists (no (place layer n)). split; [now left|]. simpl. rewrite R by lia. now apply Nat.ltb_ge.
Qed.

Lemma adds_hold one other both a b : right one a -> right other b -> right both (a + b) ->
  length both = Nat.min (length one + length other) (S most) -> Forall (holds_in value) (adds one other both).
Proof.
  intros R1 R2 R3 Len. apply Forall_forall. intros clause H. unfold adds in H. apply in_flat_map in H. destruct H as (i & Hi & H).
  apply in_flat_map in H. destruct H as (j & Hj & H). apply in_seq in Hi, Hj. destruct (i + j)%nat as [|m] eqn:E; [elim H|]. destruct H as [<-|[]].
  unfold holds_in. destruct (unless_fails one a i R1 ltac:(lia)) as [(l & Hl & V)|A].
  { exists l. split; [apply in_app_iff; now left|exact V]. }
  destruct (unless_fails other b j R2 ltac:(lia)) as [(l & Hl & V)|B].
  { exists l. split; [apply in_app_iff; right; apply in_app_iff; now left|exact V]. }
  exists (yes (place both (Nat.min m most))). split; [rewrite !in_app_iff; right; right; now left|]. simpl.
  destruct R3 as [R3 _]. rewrite R3 by lia. apply Nat.ltb_lt. lia.
Qed.
End Right.

Definition below (next : N) (layer : list N) : Prop := Forall (fun v => v < next) layer.
Definition agree (next : N) (value value' : N -> bool) : Prop := forall v, v < next -> value' v = value v.

Lemma place_below next layer n : below next layer -> (n < length layer)%nat -> place layer n < next.
Proof. intros B L. unfold below in B. rewrite Forall_forall in B. apply B. now apply nth_In. Qed.

Lemma right_agrees next value value' layer count : agree next value value' -> below next layer -> right value layer count -> right value' layer count.
Proof. intros A B [R M]. split; [|exact M]. intros n L. rewrite A by now apply place_below. now apply R. Qed.

(** Clauses that stay true whatever later variables are. *)
Definition lasting (next : N) (value : N -> bool) (clauses : list (list literal)) : Prop :=
  forall value', agree next value value' -> Forall (holds_in value') clauses.

Lemma agree_trans a b v v' v'' : a <= b -> agree a v v' -> agree b v' v'' -> agree a v v''.
Proof. intros L A B x Hx. rewrite B by lia. now apply A. Qed.

Lemma below_more a b layer : a <= b -> below a layer -> below b layer.
Proof. intros L. apply Forall_impl. intros v H. lia. Qed.

Lemma place_fresh next many n : (n < many)%nat -> place (fresh next many) n = next + N.of_nat n.
Proof.
  intros H. unfold place, fresh. rewrite (nth_indep _ 0 (next + N.of_nat 0)) by (rewrite map_length, seq_length; exact H).
  rewrite (map_nth (fun i => next + N.of_nat i)). rewrite seq_nth by exact H. reflexivity.
Qed.

Lemma fresh_length next many : length (fresh next many) = many.
Proof. unfold fresh. now rewrite map_length, seq_length. Qed.

Lemma fresh_below next many : below (next + N.of_nat many) (fresh next many).
Proof. unfold below, fresh. apply Forall_map, Forall_forall. intros i H. apply in_seq in H. lia. Qed.

(** The new variables can be such that their layer is right. *)
Lemma fresh_right value next many count : (Nat.min count (S most) <= many)%nat ->
  exists value', agree next value value' /\ right value' (fresh next many) count.
Proof.
  intros M. exists (fun v => if v <? next then value v else (N.to_nat (v - next) <? count)%nat). split.
  - intros v H. apply N.ltb_lt in H. now rewrite H.
  - split; [|now rewrite fresh_length]. intros n L. rewrite fresh_length in L. rewrite place_fresh by exact L.
    destruct (N.ltb_spec (next + N.of_nat n) next); [lia|]. f_equal. lia.
Qed.

Definition all_right (value : N -> bool) := Forall2 (right value).
Definition sum_of (counts : list nat) : nat := fold_right Nat.add O counts.

Lemma all_right_agree next value value' layers counts : agree next value value' -> Forall (below next) layers ->
  all_right value layers counts -> all_right value' layers counts.
Proof.
  intros A B R. induction R as [|l c ls cs R _ IH]; constructor; inversion B; subst; [eapply right_agrees; eauto|now apply IH].
Qed.

Lemma paired_right n : forall layers counts value next clauses made over last, (length layers <= n)%nat ->
  paired layers next = (clauses, made, over, last) -> Forall (below next) layers -> all_right value layers counts ->
  next <= last /\ Forall (below last) (over ++ made) /\ exists value' counts', agree next value value' /\ lasting last value' clauses /\
    all_right value' (over ++ made) counts' /\ sum_of counts' = sum_of counts.
Proof.
  induction n as [|n IH]; intros layers counts value next clauses made over last Len E B R.
  all: destruct layers as [|one [|other rest]]; cbn [paired] in E;
    try (injection E as <- <- <- <-; rewrite app_nil_r; split; [lia|]; split; [exact B|]; exists value, counts;
         split; [intros v H; reflexivity|]; split; [intros v _; constructor|]; split; [exact R|reflexivity]).
  - simpl in Len. lia.
  - set (both := fresh next (Nat.min (length one + length other) (S most))) in *.
    destruct (paired rest (next + N.of_nat (length both))) as [[[clauses' made'] over'] last'] eqn:E'. injection E as <- <- <- <-.
    inversion R as [|? a ? ? R1 R']; subst. inversion R' as [|? b ? cs R2 R3]; subst. inversion B as [|? ? B1 B']; subst. inversion B' as [|? ? B2 B3]; subst.
    destruct (fresh_right value next (Nat.min (length one + length other) (S most)) (a + b)) as (value1 & A1 & Rb).
    { destruct R1 as [_ M1], R2 as [_ M2]. lia. }
    fold both in Rb. assert (Lb : length both = Nat.min (length one + length other) (S most)) by apply fresh_length.
    assert (Le : next <= next + N.of_nat (length both)) by lia.
    destruct (IH rest cs value1 _ _ _ _ _ ltac:(simpl in Len; lia) E') as (Last & Below & value' & counts' & A2 & H & Rr & Sum).
    { eapply Forall_impl; [|exact B3]. intros l. now apply below_more. }
    { eapply all_right_agree; eauto. }
    assert (A : agree next value value') by (eapply agree_trans; eauto).
    assert (Rb' : right value' both (a + b)).
    { eapply right_agrees; [exact A2| |exact Rb]. rewrite Lb. apply fresh_below. }
    split; [lia|]. split.
    { apply Forall_app in Below. destruct Below. apply Forall_app. split; [assumption|]. constructor; [|assumption].
      apply (below_more (next + N.of_nat (length both))); [exact Last|]. rewrite Lb. apply fresh_below. }
    exists value', (firstn (length over') counts' ++ (a + b)%nat :: skipn (length over') counts'). split; [exact A|]. split; [|split].
    + intros value'' A3. apply Forall_app. split; [|now apply H]. assert (A4 : agree next value value'') by (eapply agree_trans; [|exact A|exact A3]; lia).
      apply adds_hold with (a := a) (b := b); auto; [eapply right_agrees; eauto|eapply right_agrees; eauto|].
      eapply right_agrees; [exact A3| |exact Rb']. apply (below_more (next + N.of_nat (length both))); [exact Last|]. rewrite Lb. apply fresh_below.
    + clear -Rr Rb'. revert counts' Rr. induction over' as [|l ls IH]; intros counts Rr; simpl in *; [constructor; assumption|].
      inversion Rr; subst. constructor; [assumption|]. now apply IH.
    + assert (Split : forall l m, sum_of (l ++ m) = (sum_of l + sum_of m)%nat).
      { clear. intros l m. unfold sum_of. induction l as [|x l IH]; simpl; lia. }
      rewrite Split. cbn [sum_of fold_right]. fold (sum_of (skipn (length over') counts')).
      pose proof (Split (firstn (length over') counts') (skipn (length over') counts')) as S2. rewrite firstn_skipn in S2. unfold sum_of in *. simpl. lia.
Qed.

Lemma together_right rounds : forall layers counts value next clauses final last,
  together rounds layers next = (clauses, final, last) -> Forall (below next) layers -> all_right value layers counts ->
  next <= last /\ Forall (below last) final /\ exists value' counts', agree next value value' /\ lasting last value' clauses /\ all_right value' final counts' /\ sum_of counts' = sum_of counts.
Proof.
  induction rounds as [|rounds IH]; intros layers counts value next clauses final last E B R.
  all: destruct layers as [|one [|other rest]]; cbn [together] in E;
    try (injection E as <- <- <-; split; [lia|]; split; [exact B|]; exists value, counts; split; [intros v H; reflexivity|]; split; [intros v _; constructor|]; split; [exact R|reflexivity]).
  destruct (paired (one :: other :: rest) next) as [[[clauses1 made] over] next1] eqn:E1.
  destruct (together rounds (over ++ made) next1) as [[more final'] last'] eqn:E2. injection E as <- <- <-.
  destruct (paired_right _ _ counts value _ _ _ _ _ (le_n _) E1 B R) as (L1 & B1 & value1 & counts1 & A1 & H1 & R1 & S1).
  destruct (IH _ counts1 value1 _ _ _ _ E2 B1 R1) as (L2 & B2 & value2 & counts2 & A2 & H2 & R2 & S2).
  split; [lia|]. split; [exact B2|]. exists value2, counts2. split; [eapply agree_trans; eauto|]. split; [|split; [exact R2|lia]].
  intros value' A. apply Forall_app. split; [apply H1|now apply H2]. eapply agree_trans; [exact L2|exact A2|exact A].
Qed.

Definition true_ones (value : N -> bool) (variables : list N) : nat := length (filter value variables).

(** If no more are true than may be, the other variables can be such that all clauses hold. *)
Theorem at_most_holds variables next value : below next variables -> (true_ones value variables <= most)%nat ->
  next <= snd (at_most variables next) /\
  exists value', agree next value value' /\ Forall (holds_in value') (fst (at_most variables next)).
Proof.
  intros B Few. unfold at_most. destruct (together _ _ next) as [[clauses final] last] eqn:E.
  destruct (together_right _ _ (map (fun v => if value v then 1 else 0)%nat variables) value _ _ _ _ E) as (L & Bf & value' & counts & A & H & R & Sum).
  - clear -B. induction B; simpl; constructor; [now repeat constructor|assumption].
  - clear. induction variables as [|v vs IH]; simpl; constructor; [|exact IH]. split; [|destruct (value v); simpl; lia].
    intros [|n] Hn; [unfold place; simpl; now destruct (value v)|simpl in Hn; lia].
  - split; [exact L|]. exists value'. split; [exact A|]. apply Forall_app. split; [apply H; now intros v _|].
    apply Forall_map, Forall_forall. intros v Hv. exists (no v). split; [now left|]. simpl.
    assert (S : (sum_of counts <= most)%nat).
    { rewrite Sum. replace (sum_of _) with (true_ones value variables); [exact Few|]. clear. unfold true_ones, sum_of.
      induction variables as [|v vs IH]; simpl; [reflexivity|]. destruct (value v); simpl; lia. }
    destruct R as [|layer count layers counts' [Rl _] _]; simpl in Hv; [destruct most; elim Hv|].
    apply In_nth with (d := 0) in Hv. destruct Hv as (n & Ln & <-). rewrite skipn_length in Ln.
    assert (Skip : forall (l : list N) m n, nth n (skipn m l) 0 = nth (m + n) l 0).
    { clear. induction l as [|x l IH]; intros [|m] n; simpl; auto; destruct n; reflexivity. }
    rewrite Skip. specialize (Rl (most + n)%nat ltac:(lia)). unfold place in Rl. rewrite Rl. apply Nat.ltb_ge. simpl in S. lia.
Qed.
End Counting.
