(** * Words over pairs of letters, two of which are followed through a family

    Of two accepted words of one length, (x, y) and (x', y'), the answers at (x, y), (x', y'), (x, y') and (x', y) are
    those of four states that are followed together. At the first difference, the first word takes the move that is
    listed earlier: the order of the list of words. *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Trees Families Reaching Words.
Import ListNotations.
Open Scope nat_scope.

Definition four (T : Type) : Type := (T * T) * (T * T).

Section Pairs.
Variable F : family.
Variable M : automaton (nat * nat).
Variable base : N.

(** ** One word, and the family's state *)
Definition walk (now : nat * nat) : list (nat * nat) :=
  map (fun move => (snd move, step F (snd now) (fst (fst move)) (snd (fst move)))) (from M (fst now)).

Definition walked : option (list (nat * nat)) :=
  reached_from same_numbers (fun now => digits base [fst now; snd now]) walk (walk (beginning M, start F)).

(** ** Two words, and the four states *)
Definition led_on (now : four nat) (one two : nat * nat) : four nat :=
  let '((p, q), (r, s)) := now in
  ((step F p (fst one) (snd one), step F q (fst two) (snd two)), (step F r (fst one) (snd two), step F s (fst two) (snd one))).

Definition place : Type := (nat * nat) * four nat.

Definition after_moves (now : four nat) (pair : (nat * nat * nat) * (nat * nat * nat)) : place :=
  ((snd (fst pair), snd (snd pair)), led_on now (fst (fst pair)) (fst (snd pair))).

Definition both (now : place) : list place :=
  map (after_moves (snd now)) (list_prod (from M (fst (fst now))) (from M (snd (fst now)))).

Fixpoint ordered {T} (l : list T) : list (T * T) :=
  match l with [] => [] | a :: rest => map (pair a) rest ++ ordered rest end.

Definition part (now : nat * nat) : list place :=
  let q := snd now in map (after_moves ((q, q), (q, q))) (ordered (from M (fst now))).

Definition same_places : place -> place -> bool := same_pair same_numbers (same_pair same_numbers same_numbers).

Lemma same_places_true a b : same_places a b = true -> a = b.
Proof. apply same_pair_true; [exact same_numbers_true|]. apply same_pair_true; exact same_numbers_true. Qed.

Definition key_of_place (now : place) : N :=
  let '((s, t), ((p, q), (u, v))) := now in digits base [s; t; p; q; u; v].

Definition parted (walks : list (nat * nat)) : option (list place) :=
  reached_from same_places key_of_place both (flat_map part ((beginning M, start F) :: walks)).

Definition answers_at (now : four nat) : four (option N) :=
  let '((p, q), (r, s)) := now in ((output F p, output F q), (output F r, output F s)).

(** What is asked of the answer of a word, and of the four answers of two words. *)
Variable one_good : option N -> bool.
Variable two_good : four (option N) -> bool.

Definition letters_inside : bool :=
  forallb (forallb (fun move => (fst (fst move) <? alice_letters F) && (snd (fst move) <? bob_letters F))) (moves M).

Definition all_good : bool :=
  if letters_inside then
    match walked with
    | None => false
    | Some walks =>
        if forallb (fun now => if accepts_at M (fst now) then one_good (output F (snd now)) else true) walks then
          match parted walks with
          | None => false
          | Some places =>
              forallb (fun now => if accepts_at M (fst (fst now)) && accepts_at M (snd (fst now)) then two_good (answers_at (snd now)) else true) places
          end
        else false
    end
  else false.

(** ** Why that is enough *)
Definition xs (w : list (nat * nat)) : list nat := map fst w.
Definition ys (w : list (nat * nat)) : list nat := map snd w.
Definition ended (now : four nat) (w v : list (nat * nat)) : four nat :=
  let '((p, q), (r, s)) := now in ((read F p (xs w) (ys w), read F q (xs v) (ys v)), (read F r (xs w) (ys v), read F s (xs v) (ys w))).

Definition apart_at (now : four nat) (w v : list (nat * nat)) : Prop := two_good (answers_at (ended now w v)) = true.

Lemma ended_cons now a b w v : ended now (a :: w) (b :: v) = ended (led_on now a b) w v.
Proof. now destruct now as [[p q] [r s]]. Qed.

Lemma pairs_map {T U} (P : U -> U -> Prop) (g : T -> U) l : ForallOrdPairs (fun a b => P (g a) (g b)) l -> ForallOrdPairs P (map g l).
Proof. induction 1 as [|a l H _ IH]; simpl; constructor; [now apply Forall_map|exact IH]. Qed.

Section Sound.
Hypothesis good : all_good = true.

Lemma taken : exists walks places, letters_inside = true /\ walked = Some walks /\ parted walks = Some places /\
  (forall now, In now walks -> accepts_at M (fst now) = true -> one_good (output F (snd now)) = true) /\
  (forall now, In now places -> accepts_at M (fst (fst now)) = true -> accepts_at M (snd (fst now)) = true ->
    two_good (answers_at (snd now)) = true).
Proof.
  unfold all_good in good. destruct letters_inside; [|discriminate]. destruct walked as [walks|]; [|discriminate].
  destruct (forallb _ walks) eqn:A; [|discriminate]. destruct (parted walks) as [places|] eqn:P; [|discriminate].
  exists walks, places. rewrite forallb_forall in A, good. repeat split; auto.
  - intros now H E. specialize (A now H). cbv beta in A. now rewrite E in A.
  - intros now H E1 E2. specialize (good now H). cbv beta in good. now rewrite E1, E2 in good.
Qed.

Lemma crossing places : (forall t u, In t places -> In u (both t) -> In u places) ->
  (forall now, In now places -> accepts_at M (fst (fst now)) = true -> accepts_at M (snd (fst now)) = true ->
    two_good (answers_at (snd now)) = true) ->
  forall n s t now, In ((s, t), now) places -> forall w v, In w (words M n s) -> In v (words M n t) -> apart_at now w v.
Proof.
  intros C G. induction n as [|n IH]; intros s t now H w v Hw Hv; simpl in Hw, Hv.
  - destruct (accepts_at M s) eqn:As, (accepts_at M t) eqn:At; try (now elim Hw); try (now elim Hv).
    destruct Hw as [<-|[]], Hv as [<-|[]]. unfold apart_at. destruct now as [[p q] [r u]]. simpl.
    exact (G _ H As At).
  - apply in_flat_map in Hw, Hv. destruct Hw as (m & Hm & Hw), Hv as (k & Hk & Hv).
    apply in_map_iff in Hw, Hv. destruct Hw as (w' & <- & Hw), Hv as (v' & <- & Hv). unfold apart_at. rewrite ended_cons.
    apply (IH (snd m) (snd k)); [|exact Hw|exact Hv]. apply (C _ _ H). unfold both. apply in_map_iff. exists (m, k).
    split; [reflexivity|]. now apply in_prod.
Qed.

Theorem words_apart n : ForallOrdPairs (apart_at ((start F, start F), (start F, start F))) (accepted M n).
Proof.
  destruct taken as (walks & places & _ & W & P & _ & G). unfold walked in W. unfold parted in P.
  apply (reached_closed same_numbers_true) in W.
  apply (reached_closed same_places_true) in P.
  destruct W as [W1 W2], P as [P1 P2].
  assert (K : forall n s q, In (s, q) ((beginning M, start F) :: walks) -> ForallOrdPairs (apart_at ((q, q), (q, q))) (words M n s)).
  { clear n. induction n as [|n IH]; intros s q H; simpl; [destruct (accepts_at M s); repeat constructor|].
    assert (Starts : forall now, In now (part (s, q)) -> In now places) by (intros now Hn; apply P1, in_flat_map; now exists (s, q)).
    assert (Next : forall m, In m (from M s) -> In (snd m, step F q (fst (fst m)) (snd (fst m))) ((beginning M, start F) :: walks)).
    { intros m Hm. right. assert (In (snd m, step F q (fst (fst m)) (snd (fst m))) (walk (s, q))) as I by (unfold walk; apply in_map_iff; now exists m).
      destruct H as [E|H]; [injection E as <- <-; now apply W1|now apply (W2 (s, q))]. }
    unfold part in Starts. simpl in Starts. revert Starts Next. generalize (from M s) as l. induction l as [|m l IHl]; intros Starts Next; simpl; [constructor|].
    apply FOP_app.
    - apply pairs_map. specialize (IH _ _ (Next m (or_introl eq_refl))).
      clear -IH. induction IH as [|w l Hw _ IH]; constructor; [|exact IH]. eapply Forall_impl; [|exact Hw].
      intros v Hv. unfold apart_at. rewrite ended_cons. exact Hv.
    - apply IHl; [|intros; apply Next; now right]. intros now Hn. apply Starts. simpl. rewrite map_app. apply in_or_app. now right.
    - intros w v Hw Hv. apply in_map_iff in Hw. destruct Hw as (w' & <- & Hw). apply in_flat_map in Hv. destruct Hv as (k & Hk & Hv).
      apply in_map_iff in Hv. destruct Hv as (v' & <- & Hv). unfold apart_at. rewrite ended_cons.
      apply (crossing places P2 G n (snd m) (snd k)); [|exact Hw|exact Hv]. apply Starts. simpl. rewrite map_app. apply in_or_app. left.
      apply in_map_iff. exists (m, k). split; [reflexivity|]. now apply in_map. }
  apply K. now left.
Qed.

Theorem words_good n w : 1 <= n -> In w (accepted M n) -> one_good (output F (read F (start F) (xs w) (ys w))) = true.
Proof.
  destruct taken as (walks & places & _ & W & _ & A & _). unfold walked in W. apply (reached_closed same_numbers_true) in W.
  destruct W as [W1 W2].
  assert (K : forall n s q, In (s, q) walks -> forall w, In w (words M n s) -> one_good (output F (read F q (xs w) (ys w))) = true).
  { clear n w. induction n as [|n IH]; intros s q H w Hw; simpl in Hw.
    - destruct (accepts_at M s) eqn:E; [|elim Hw]. destruct Hw as [<-|[]]. exact (A _ H E).
    - apply in_flat_map in Hw. destruct Hw as (m & Hm & Hw). apply in_map_iff in Hw. destruct Hw as (w' & <- & Hw). simpl.
      apply (IH (snd m)); [|exact Hw]. apply (W2 _ _ H). unfold walk. apply in_map_iff. now exists m. }
  intros Hn Hw. destruct n as [|n]; [lia|]. simpl in Hw. apply in_flat_map in Hw. destruct Hw as (m & Hm & Hw).
  apply in_map_iff in Hw. destruct Hw as (w' & <- & Hw). simpl. apply (K n (snd m)); [|exact Hw]. apply W1. unfold walk.
  apply in_map_iff. now exists m.
Qed.

Lemma words_letters n : forall s w, In w (words M n s) ->
  is_word (alice_letters F) n (xs w) = true /\ is_word (bob_letters F) n (ys w) = true.
Proof.
  destruct taken as (_ & _ & L & _). unfold letters_inside in L. rewrite forallb_forall in L.
  unfold is_word, xs, ys. induction n as [|n IH]; intros s w H; simpl in H.
  - destruct (accepts_at M s); [|elim H]. destruct H as [<-|[]]. split; reflexivity.
  - apply in_flat_map in H. destruct H as (m & Hm & H). apply in_map_iff in H. destruct H as (w' & <- & H).
    destruct (IH _ _ H) as [H1 H2]. apply andb_true_iff in H1, H2. destruct H1 as [L1 H1], H2 as [L2 H2].
    unfold from in Hm. destruct (nth_in_or_default s (moves M) []) as [E|E]; [|rewrite E in Hm; elim Hm].
    specialize (L _ E). rewrite forallb_forall in L. specialize (L _ Hm). apply andb_true_iff in L. destruct L as [La Lb].
    simpl. rewrite La, Lb, L1, L2, H1, H2. auto.
Qed.

(** The cells of the words, and what the function has where two of them cross. *)
Definition cell_of (w : list (nat * nat)) : list nat * list nat := (xs w, ys w).

Lemma crossed n w v : In w (accepted M n) -> In v (accepted M n) ->
  at_length F n (xs w) (ys v) = output F (read F (start F) (xs w) (ys v)).
Proof.
  intros Hw Hv. unfold at_length. destruct (words_letters _ _ _ Hw) as [-> _], (words_letters _ _ _ Hv) as [_ ->]. reflexivity.
Qed.

(** The words by what the function of n letters has at them. *)
Theorem pairs_in_function n : 1 <= n ->
  let f := at_length F n in
  Forall (fun c => one_good (f (fst c) (snd c)) = true) (map cell_of (accepted M n)) /\
  ForallOrdPairs (fun c d => two_good ((f (fst c) (snd c), f (fst d) (snd d)), (f (fst c) (snd d), f (fst d) (snd c))) = true)
    (map cell_of (accepted M n)).
Proof.
  intros Hn f. split.
  - apply Forall_map, Forall_forall. intros w Hw. unfold f. simpl. rewrite (crossed n w w Hw Hw). now apply (words_good n).
  - apply pairs_map. pose proof (words_apart n) as P.
    assert (C : forall w v, In w (accepted M n) -> In v (accepted M n) -> at_length F n (xs w) (ys v) = output F (read F (start F) (xs w) (ys v)))
      by (intros; now apply crossed).
    revert P C. generalize (accepted M n) as l. induction l as [|w l IH]; intros P C; constructor.
    + inversion P as [|? ? H _]; subst. rewrite Forall_forall in *. intros v Hv. specialize (H v Hv). unfold f. simpl.
      rewrite !C by (simpl; auto). exact H.
    + inversion P; subst. apply IH; [assumption|]. intros; apply C; now right.
Qed.
End Sound.
End Pairs.
Arguments ordered {T}.
