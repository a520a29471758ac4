(** * Regular sets of distinct lines: for each n a message for each word of the sender

    Two words are followed together with all pairs of states to which some word of the receiver leads. *)
From Coq Require Import List Arith Lia Bool NArith ZArith.
From Ccsim Require Import Specification Lines Trees Families Reaching Words PairWords RegularFooling.
Import ListNotations.
Open Scope nat_scope.

(** The same family for a sender who is called Alice. *)
Definition turned_family (F : family) : family :=
  {| alice_letters := bob_letters F; bob_letters := alice_letters F; start := start F;
     step := fun q y x => step F q x y; output := output F |}.

Definition family_of_sender (sender : party) (F : family) : family :=
  match sender with alice => F | bob => turned_family F end.

Lemma turned_read F xs : forall q ys, read (turned_family F) q ys xs = read F q xs ys.
Proof. induction xs as [|x xs IH]; intros q [|y ys]; simpl; auto. Qed.

Lemma turned_at F n xs ys : at_length (turned_family F) n ys xs = at_length F n xs ys.
Proof. unfold at_length. simpl. rewrite turned_read, andb_comm. reflexivity. Qed.

Lemma sender_messages F n sender count : messages_suffice (at_length F n) sender count ->
  messages_suffice (at_length (family_of_sender sender F) n) alice count.
Proof.
  destruct sender; simpl; [auto|]. intros (message & answer & H & K). exists message, answer. split; [exact H|].
  intros y x a E. rewrite turned_at in E. now apply K.
Qed.

(** ** Sets of pairs of states *)
Section Sets.
Variable base : N.

Definition key_of_pair (p : nat * nat) : N := digits base [fst p; snd p].

Definition gathered (l : list (nat * nat)) : list (nat * nat) :=
  map snd (Keyed.elements (fold_left (fun m p => Keyed.add (key_of_pair p) p m) l (Keyed.empty (nat * nat)))).

Lemma values_of_map (m : Keyed.t (nat * nat)) p : In p (map snd (Keyed.elements m)) <-> exists k, Keyed.MapsTo k p m.
Proof.
  rewrite in_map_iff. split.
  - intros ([k q] & E & H). simpl in E. subst q. exists k. apply Keyed.elements_2, SetoidList.InA_alt. exists (k, p). now repeat split.
  - intros (k & H). apply Keyed.elements_1, SetoidList.InA_alt in H. destruct H as ([k' q] & [_ V] & H). simpl in V. subst q.
    now exists (k', p).
Qed.

Lemma gathered_In l p : In p (gathered l) -> In p l.
Proof.
  unfold gathered. rewrite values_of_map. intros (k & H).
  assert (K : forall l m, Keyed.MapsTo k p (fold_left (fun m p => Keyed.add (key_of_pair p) p m) l m) -> In p l \/ Keyed.MapsTo k p m).
  { clear. induction l as [|q l IH]; simpl; intros m H; [now right|]. apply IH in H. destruct H as [H|H]; [auto|].
    destruct (N.eq_dec (key_of_pair q) k) as [<-|Ne].
    - left. left. apply Keyed.find_1 in H. pose proof (Keyed.find_1 (Keyed.add_1 m q (eq_refl (key_of_pair q)))) as E. congruence.
    - right. eapply Keyed.add_3; eauto. }
  apply K in H. destruct H as [H|H]; [exact H|]. elim (Keyed.empty_1 H).
Qed.
End Sets.

Section Lines.
Variable F : family.
Variable M : automaton nat.
Variable base : N.

Definition pairs_after (set : list (nat * nat)) (x u : nat) : list (nat * nat) :=
  gathered base (flat_map (fun pq => map (fun y => (step F (fst pq) x y, step F (snd pq) u y)) (seq 0 (bob_letters F))) set).

Definition walk_set (now : nat * list (nat * nat)) : list (nat * list (nat * nat)) :=
  map (fun move => (snd move, pairs_after (snd now) (fst move) (fst move))) (from M (fst now)).

Definition place_of_sets : Type := (nat * nat) * list (nat * nat).

Definition move_sets (set : list (nat * nat)) (pair : (nat * nat) * (nat * nat)) : place_of_sets :=
  ((snd (fst pair), snd (snd pair)), pairs_after set (fst (fst pair)) (fst (snd pair))).

Definition part_sets (now : nat * list (nat * nat)) : list place_of_sets :=
  map (move_sets (snd now)) (ordered (from M (fst now))).

Definition both_sets (now : place_of_sets) : list place_of_sets :=
  map (move_sets (snd now)) (list_prod (from M (fst (fst now))) (from M (snd (fst now)))).

Definition same_lists : list (nat * nat) -> list (nat * nat) -> bool := same_list same_numbers.

Definition flat (set : list (nat * nat)) : list nat := flat_map (fun p => [fst p; snd p]) set.
Definition same_walk : nat * list (nat * nat) -> nat * list (nat * nat) -> bool := same_pair Nat.eqb same_lists.
Definition same_sets : place_of_sets -> place_of_sets -> bool := same_pair same_numbers same_lists.

Lemma same_walk_true a b : same_walk a b = true -> a = b.
Proof. apply same_pair_true; [intros; now apply Nat.eqb_eq|apply same_list_true, same_numbers_true]. Qed.

Lemma same_sets_true a b : same_sets a b = true -> a = b.
Proof. apply same_pair_true; [|apply same_list_true]; apply same_numbers_true. Qed.

Definition walk_start : nat * list (nat * nat) := (beginning M, [(start F, start F)]).

Definition walks_of_sets : option (list (nat * list (nat * nat))) :=
  reached_from same_walk (fun now => digits base (fst now :: flat (snd now))) walk_set [walk_start].

Definition places_of_sets (walks : list (nat * list (nat * nat))) : option (list place_of_sets) :=
  reached_from same_sets (fun now => digits base (fst (fst now) :: snd (fst now) :: flat (snd now))) both_sets (flat_map part_sets walks).

Definition told_apart (set : list (nat * nat)) : bool :=
  existsb (fun pq => differ (output F (fst pq)) (output F (snd pq))) set.

Definition lines_good : bool :=
  if forallb (forallb (fun move => fst move <? alice_letters F)) (moves M) then
    match walks_of_sets with
    | None => false
    | Some walks =>
        match places_of_sets walks with
        | None => false
        | Some places =>
            forallb (fun now => if accepts_at M (fst (fst now)) && accepts_at M (snd (fst now)) then told_apart (snd now) else true) places
        end
    end
  else false.

(** Some word of the receiver leads from one of these pairs of states to different answers. *)
Definition told (n : nat) (set : list (nat * nat)) (w v : list nat) : Prop :=
  exists pq ys, In pq set /\ is_word (bob_letters F) n ys = true /\
    differ (output F (read F (fst pq) w ys)) (output F (read F (snd pq) v ys)) = true.

Lemma told_before n set x u w v : told n (pairs_after set x u) w v -> told (S n) set (x :: w) (u :: v).
Proof.
  intros ([p' q'] & ys & H & W & D). unfold pairs_after in H. apply gathered_In, in_flat_map in H. destruct H as ([p q] & Hs & H).
  apply in_map_iff in H. destruct H as (y & [= <- <-] & Hy). apply in_seq in Hy. exists (p, q), (y :: ys). split; [exact Hs|]. split; [|exact D].
  unfold is_word in *. apply andb_true_iff in W. destruct W as [W1 W2]. simpl. rewrite W1, W2.
  replace (y <? bob_letters F) with true by (symmetry; apply Nat.ltb_lt; lia). reflexivity.
Qed.

Lemma told_crossing places : (forall t u, In t places -> In u (both_sets t) -> In u places) ->
  (forall now, In now places -> accepts_at M (fst (fst now)) = true -> accepts_at M (snd (fst now)) = true -> told_apart (snd now) = true) ->
  forall n s t set, In ((s, t), set) places -> forall w v, In w (words M n s) -> In v (words M n t) -> told n set w v.
Proof.
  intros C G. induction n as [|n IH]; intros s t set H w v Hw Hv; simpl in Hw, Hv.
  - destruct (accepts_at M s) eqn:As, (accepts_at M t) eqn:At; try (now elim Hw); try (now elim Hv).
    destruct Hw as [<-|[]], Hv as [<-|[]]. specialize (G _ H As At). unfold told_apart in G. apply existsb_exists in G.
    destruct G as (pq & Hs & D). exists pq, []. repeat split; auto.
  - apply in_flat_map in Hw, Hv. destruct Hw as (m & Hm & Hw), Hv as (k & Hk & Hv).
    apply in_map_iff in Hw, Hv. destruct Hw as (w' & <- & Hw), Hv as (v' & <- & Hv). apply told_before.
    apply (IH (snd m) (snd k)); [|exact Hw|exact Hv]. apply (C _ _ H). unfold both_sets. apply in_map_iff. exists (m, k).
    split; [reflexivity|]. now apply in_prod.
Qed.

Theorem lines_told n : lines_good = true -> ForallOrdPairs (told n [(start F, start F)]) (accepted M n).
Proof.
  unfold lines_good. destruct (forallb _ (moves M)); [|discriminate]. destruct walks_of_sets as [walks|] eqn:W; [|discriminate].
  destruct (places_of_sets walks) as [places|] eqn:P; [|discriminate]. intros A. rewrite forallb_forall in A.
  unfold walks_of_sets in W. unfold places_of_sets in P. apply (reached_closed same_walk_true) in W. apply (reached_closed same_sets_true) in P.
  destruct W as [W1 W2], P as [P1 P2].
  assert (G : forall now, In now places -> accepts_at M (fst (fst now)) = true -> accepts_at M (snd (fst now)) = true -> told_apart (snd now) = true).
  { intros now H E1 E2. specialize (A now H). cbv beta in A. now rewrite E1, E2 in A. }
  assert (K : forall n s set, In (s, set) walks -> ForallOrdPairs (told n set) (words M n s)).
  { clear n. induction n as [|n IH]; intros s set H; simpl; [destruct (accepts_at M s); repeat constructor|].
    assert (Starts : forall now, In now (part_sets (s, set)) -> In now places) by (intros now Hn; apply P1, in_flat_map; now exists (s, set)).
    assert (Next : forall m, In m (from M s) -> In (snd m, pairs_after set (fst m) (fst m)) walks).
    { intros m Hm. apply (W2 _ _ H). unfold walk_set. apply in_map_iff. now exists m. }
    unfold part_sets in Starts. simpl in Starts. revert Starts Next. generalize (from M s) as l. induction l as [|m l IHl]; intros Starts Next; simpl; [constructor|].
    apply FOP_app.
    - apply pairs_map. specialize (IH _ _ (Next m (or_introl eq_refl))).
      clear -IH. induction IH as [|w l Hw _ IH]; constructor; [|exact IH]. eapply Forall_impl; [|exact Hw].
      intros v Hv. now apply told_before.
    - apply IHl; [|intros; apply Next; now right]. intros now Hn. apply Starts. simpl. rewrite map_app. apply in_or_app. now right.
    - intros w v Hw Hv. apply in_map_iff in Hw. destruct Hw as (w' & <- & Hw). apply in_flat_map in Hv. destruct Hv as (k & Hk & Hv).
      apply in_map_iff in Hv. destruct Hv as (v' & <- & Hv). apply told_before.
      apply (told_crossing places P2 G n (snd m) (snd k)); [|exact Hw|exact Hv]. apply Starts. simpl. rewrite map_app. apply in_or_app. left.
      apply in_map_iff. exists (m, k). split; [reflexivity|]. now apply in_map. }
  apply K. apply W1. now left.
Qed.

Lemma line_letters n : lines_good = true -> forall s w, In w (words M n s) -> is_word (alice_letters F) n w = true.
Proof.
  unfold lines_good. destruct (forallb _ (moves M)) eqn:L; [|discriminate]. intros _. rewrite forallb_forall in L.
  unfold is_word. induction n as [|n IH]; intros s w H; simpl in H.
  - destruct (accepts_at M s); [|elim H]. destruct H as [<-|[]]. reflexivity.
  - apply in_flat_map in H. destruct H as (m & Hm & H). apply in_map_iff in H. destruct H as (w' & <- & H).
    specialize (IH _ _ H). apply andb_true_iff in IH. destruct IH as [L1 H1].
    unfold from in Hm. destruct (nth_in_or_default s (moves M) []) as [E|E]; [|rewrite E in Hm; elim Hm].
    specialize (L _ E). rewrite forallb_forall in L. specialize (L _ Hm). simpl. now rewrite L, L1, H1.
Qed.

Theorem lines_need_messages n count : lines_good = true -> messages_suffice (at_length F n) alice count ->
  length (accepted M n) <= count.
Proof.
  intros G (message & answer & Hk & Hc). pose proof (lines_told n G) as P. pose proof (line_letters n G (beginning M)) as W. fold (accepted M n) in W.
  revert P W. generalize (accepted M n) as l. intros l P W.
  assert (ND : NoDup (map message l)).
  { induction P as [|w l Hw _ IH]; simpl; [constructor|]. constructor; [|apply IH; intros; apply W; now right].
    intros In. apply in_map_iff in In. destruct In as (v & E & Hv). rewrite Forall_forall in Hw. destruct (Hw v Hv) as (pq & ys & [<-|[]] & Y & D).
    cbn [fst snd] in D. pose proof (W w (or_introl eq_refl)) as Ww. pose proof (W v (or_intror Hv)) as Wv.
    assert (A : forall u, is_word (alice_letters F) n u = true -> at_length F n u ys = output F (read F (start F) u ys)).
    { intros u Hu. unfold at_length. now rewrite Hu, Y. }
    rewrite <- !A in D by assumption. destruct (at_length F n w ys) as [a|] eqn:E1; [|discriminate].
    destruct (at_length F n v ys) as [b|] eqn:E2; [|discriminate]. simpl in D.
    pose proof (Hc _ _ _ E1) as A1. pose proof (Hc _ _ _ E2) as A2. rewrite E in A2. rewrite A1 in A2. subst b.
    now rewrite N.eqb_refl in D. }
  assert (Inc : incl (map message l) (seq 0 count)).
  { intros m Hm. apply in_map_iff in Hm. destruct Hm as (w & <- & _). apply in_seq. specialize (Hk w). lia. }
  pose proof (NoDup_incl_length ND Inc) as L. rewrite map_length, seq_length in L. exact L.
Qed.
End Lines.

Definition regular_lines (F : family) (sender : party) (M : automaton nat) (base : N) (count : list Z * list Z) : bool :=
  if lines_good (family_of_sender sender F) M base then counts M count else false.

Lemma regular_lines_count F sender M base count n k : regular_lines F sender M base count = true -> 1 <= n ->
  messages_suffice (at_length F n) sender k -> (count_at count n <= Z.of_nat k)%Z.
Proof.
  unfold regular_lines. intros H Hn S. destruct (lines_good _ _ _) eqn:G; [|discriminate].
  rewrite (counts_for_ever H Hn). apply Nat2Z.inj_le.
  apply (lines_need_messages _ _ _ n k G). now apply sender_messages.
Qed.

Theorem regular_lines_messages F sender M base count : regular_lines F sender M base count = true ->
  always_holds F (LastingMessages sender) Lower (Counted count).
Proof. intros H n Hn k S. pose proof (regular_lines_count _ _ _ _ _ n k H Hn S). simpl. lia. Qed.

Theorem regular_lines_bits F sender M base count : regular_lines F sender M base count = true ->
  always_holds F (LastingOneWay sender) Lower (Counted count).
Proof. intros H n Hn k S. simpl. apply bits_of_count. exact (regular_lines_count _ _ _ _ _ n _ H Hn S). Qed.
