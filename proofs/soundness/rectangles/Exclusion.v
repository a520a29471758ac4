(** * Which cells no leaf has together, as masks: a fooling set is a set of cells that all exclude each other *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Trees Lines Refutation RefutationSound NodesSound OneMessage FoolingSets.
Import ListNotations.
Open Scope N_scope.

(** Two promised cells, in terms of the four cells of their lines; Alice must know the answer, or both. *)
Definition differs (f : N -> N -> option N) (x y a : N) : bool := match f x y with Some b => negb (b =? a) | None => false end.

Definition excludes (who : knowing) (f : N -> N -> option N) (c d : N * N) : bool :=
  match f (fst c) (snd c), f (fst d) (snd d) with
  | Some a, Some b =>
      let crossed := if differs f (fst c) (snd d) a then true else differs f (fst d) (snd c) b in
      match who with Both => if a =? b then crossed else true | _ => crossed end
  | _, _ => true
  end.

Lemma not_excluded_share who f c d a b : who <> BobAlone -> f (fst c) (snd c) = Some a -> f (fst d) (snd d) = Some b ->
  excludes who f c d = false -> share_a_leaf f who c d.
Proof.
  intros NB Ea Eb H. unfold excludes in H. rewrite Ea, Eb in H.
  assert (K : (if differs f (fst c) (snd d) a then true else differs f (fst d) (snd c) b) = false -> forall x y e,
    (x = fst c \/ x = fst d) -> (y = snd c \/ y = snd d) -> f x y = Some e -> e = (if x =? fst c then a else b) \/ (x = fst d /\ e = b)).
  { unfold differs. intros K x y e Hx Hy E. destruct Hx as [->| ->].
    - rewrite N.eqb_refl. left. destruct Hy as [->| ->]; [congruence|]. rewrite E in K. destruct (N.eqb_spec e a); [assumption|discriminate].
    - right. split; [reflexivity|]. destruct Hy as [->| ->]; [|congruence]. rewrite E in K.
      destruct (match f (fst c) (snd d) with Some b0 => negb (b0 =? a) | None => false end); [discriminate|].
      destruct (N.eqb_spec e b); [assumption|discriminate]. }
  destruct who; [| |congruence].
  - destruct (N.eqb_spec a b) as [<-|]; [|discriminate]. exists a. intros x y e Hx Hy E. simpl.
    destruct (K H x y e Hx Hy E) as [->|[_ ->]]; [now destruct (x =? fst c)|reflexivity].
  - exists (fun x => if x =? fst c then a else b). intros x y e Hx Hy E. simpl. destruct (K H x y e Hx Hy E) as [->|[-> ->]]; [reflexivity|].
    destruct (N.eqb_spec (fst d) (fst c)) as [Q|]; [|reflexivity]. unfold differs in H. rewrite Q in *. rewrite Eb in H.
    destruct (N.eqb_spec b a); [congruence|discriminate].
Qed.

Lemma excludes_moved who f c d c' d' : f (fst c') (snd c') = f (fst c) (snd c) -> f (fst d') (snd d') = f (fst d) (snd d) ->
  f (fst c') (snd d') = f (fst c) (snd d) -> f (fst d') (snd c') = f (fst d) (snd c) -> excludes who f c' d' = excludes who f c d.
Proof. unfold excludes, differs. now intros -> -> -> ->. Qed.

(** An entry knows where its line has other answers. *)
Lemma enter_exact f ks L p e : Forall (good f) L -> (forall x y c, f x y = Some c -> In c ks) -> enter ks L p = Some e ->
  exists a m, e = (fst p, snd p, a, m) /\ f (fst p) (snd p) = Some a /\ forall y, N.testbit m y = differs f (fst p) y a.
Proof.
  unfold enter. intros G Hk H. match type of H with context [find ?g L] => destruct (find g L) as [l|] eqn:F; [|discriminate] end.
  apply find_some in F. destruct F as [Hl E]. apply N.eqb_eq in E. rewrite Forall_forall in G. specialize (G l Hl).
  match type of H with context [find ?g ks] => destruct (find g ks) as [a|] eqn:F'; [|discriminate] end. apply find_some in F'. destruct F' as [_ B].
  injection H as <-. exists a, (others ks a l). rewrite G, E in B. apply is_code_spec in B. repeat split; [exact B|].
  intros y. unfold differs. rewrite <- E. destruct (f (fst l) y) as [b|] eqn:Fb.
  - destruct (N.eqb_spec b a) as [->|Ne]; simpl; [|exact (others_complete f ks Hk a l y b G Fb Ne)].
    apply not_true_is_false. intros T. destruct (others_spec f ks a l y G T) as (c & Ec & Nc). congruence.
  - apply not_true_is_false. intros T. destruct (others_spec f ks a l y G T) as (c & Ec & _). congruence.
Qed.

Lemma enter_all_exact f ks L : Forall (good f) L -> (forall x y c, f x y = Some c -> In c ks) -> forall cells es, enter_all ks L cells = Some es ->
  Forall2 (fun e p => exists a m, e = (fst p, snd p, a, m) /\ f (fst p) (snd p) = Some a /\ forall y, N.testbit m y = differs f (fst p) y a) es cells.
Proof.
  intros G Hk. induction cells as [|p cells IH]; simpl; intros es H; [injection H as <-; constructor|].
  destruct (enter ks L p) as [e|] eqn:E; [|discriminate]. destruct (enter_all ks L cells) as [es'|]; [|discriminate].
  injection H as <-. constructor; [eapply enter_exact; eauto|]. now apply IH.
Qed.

(** ** Cells with their places in a list, and masks over these of what may share a leaf with each *)
Definition item := (N * N * (N * N))%type. (* place, mask, cell *)
Definition item_place (i : item) : N := fst (fst i).
Definition item_mask (i : item) : N := snd (fst i).
Definition item_cell (i : item) : N * N := snd i.

Definition masked (who : knowing) (es : list entry) (e : entry) : N := mask_of 0 (map (fun d => if exclude who e d then None else Some 0) es).

Fixpoint itemised (who : knowing) (es : list entry) (place : N) (l : list entry) (cells : list (N * N)) : list item :=
  match l, cells with
  | e :: l, c :: cells => (place, masked who es e, c) :: itemised who es (N.succ place) l cells
  | _, _ => []
  end.

(** All cells with the code are listed. *)
Definition listed_all (ks : list N) (L : list line) (code : option N) (cells : list (N * N)) : bool :=
  forallb (fun l =>
    let listed := fold_right (fun c m => N.setbit m (snd c)) 0 (filter (fun c => fst c =? fst l) cells) in
    N.ldiff (match code with Some a => plane a l | None => union ks l end) listed =? 0) L.

Definition items_on (who : knowing) (ks : list N) (L : list line) (code : option N) (cells : list (N * N)) : option (list item) :=
  if listed_all ks L code cells then
    match enter_all ks L cells with Some es => Some (itemised who es 0 es cells) | None => None end
  else None.

(** Bob's knowing is Alice's, with rows and columns exchanged. *)
Definition items_of (t : table) (who : knowing) (code : option N) (cells : list (N * N)) : option (list item) :=
  if regular t then
    match who with
    | BobAlone => items_on AliceAlone (codes_of t) (column_lines t) code (map turn cells)
    | _ => items_on who (codes_of t) (row_lines t) code cells
    end
  else None.

(** Items that exclude each other. *)
Definition apart_items (i j : item) : Prop :=
  item_place i <> item_place j /\ N.testbit (item_mask i) (item_place j) = false /\ N.testbit (item_mask j) (item_place i) = false.

Definition faithful (who : knowing) (f : N -> N -> option N) (its : list item) : Prop :=
  NoDup (map item_place its) /\
  (forall i j, In i its -> In j its -> N.testbit (item_mask i) (item_place j) = negb (excludes who f (item_cell i) (item_cell j))).

Lemma NoDup_map_inj {S T} (g : S -> T) l : NoDup (map g l) -> forall a b, In a l -> In b l -> g a = g b -> a = b.
Proof.
  induction l as [|c l IH]; simpl; intros H a b Ha Hb E; [elim Ha|]. inversion H as [|? ? N D]; subst.
  destruct Ha as [->|Ha], Hb as [->|Hb]; auto.
  - elim N. rewrite E. now apply in_map.
  - elim N. rewrite <- E. now apply in_map.
Qed.

Lemma itemised_places who es : forall l cells place,
  Forall (fun i => place <= item_place i) (itemised who es place l cells) /\ NoDup (map item_place (itemised who es place l cells)).
Proof.
  induction l as [|e l IH]; intros [|c cells] place; simpl; try (split; [constructor|constructor]; fail). destruct (IH cells (N.succ place)) as [A B]. split.
  - constructor; [apply N.le_refl|]. eapply Forall_impl; [|exact A]. intros i Hi. cbv beta in *. lia.
  - constructor; [|exact B]. intros H. apply in_map_iff in H. destruct H as (i & E & Hi). rewrite Forall_forall in A. specialize (A i Hi).
    cbv beta in A. unfold item_place in *. simpl in E. lia.
Qed.

Lemma itemised_nth who es : forall l cells place k i, nth_error (itemised who es place l cells) k = Some i ->
  exists e c, nth_error l k = Some e /\ nth_error cells k = Some c /\ i = (place + N.of_nat k, masked who es e, c).
Proof.
  induction l as [|e l IH]; intros [|c cells] place k i H; simpl in H; try (destruct k; discriminate).
  destruct k as [|k]; simpl in H.
  - injection H as <-. exists e, c. rewrite N.add_0_r. auto.
  - destruct (IH _ _ _ _ H) as (e' & c' & He & Hc & ->). exists e', c'. repeat split; auto. f_equal. f_equal. lia.
Qed.

Lemma itemised_In who es l : forall cells place c, length l = length cells -> In c cells -> exists i, In i (itemised who es place l cells) /\ item_cell i = c.
Proof.
  induction l as [|e l IH]; intros [|d cells] place c Len H; simpl in Len; try discriminate; [elim H|]. simpl. destruct H as [->|H].
  - eexists. split; [now left|reflexivity].
  - destruct (IH cells (N.succ place) c ltac:(lia) H) as (i & Hi & Ei). exists i. auto.
Qed.

Lemma masked_bit who es e k d : nth_error es k = Some d -> N.testbit (masked who es e) (N.of_nat k) = negb (exclude who e d).
Proof.
  intros E. unfold masked. rewrite mask_of_spec, Nat2N.id, nth_error_map, E. simpl. now destruct (exclude who e d).
Qed.

Section On.
Variable who : knowing.
Variable f : N -> N -> option N.
Variable ks : list N.
Variable L : list line.
Hypothesis not_bob : who <> BobAlone.
Hypothesis L_good : Forall (good f) L.
Hypothesis L_all : forall x y c, f x y = Some c -> In x (map fst L).
Hypothesis ks_all : forall x y c, f x y = Some c -> In c ks.

Lemma exclude_exact e d c c' a b m m' : e = (fst c, snd c, a, m) -> d = (fst c', snd c', b, m') ->
  f (fst c) (snd c) = Some a -> f (fst c') (snd c') = Some b ->
  (forall y, N.testbit m y = differs f (fst c) y a) -> (forall y, N.testbit m' y = differs f (fst c') y b) ->
  exclude who e d = excludes who f c c'.
Proof. intros -> -> Ea Eb M M'. unfold exclude, excludes. rewrite Ea, Eb, M, M'. reflexivity. Qed.

Lemma nth_forall2 {S T} (P : S -> T -> Prop) l m k a b : Forall2 P l m -> nth_error l k = Some a -> nth_error m k = Some b -> P a b.
Proof.
  intros H. revert k. induction H as [|x y l m Hxy _ IH]; intros [|k] A B; simpl in *; try discriminate; [congruence|eauto].
Qed.

Lemma items_on_spec code cells its : items_on who ks L code cells = Some its ->
  faithful who f its /\ (forall c, of_code f code c -> exists i, In i its /\ item_cell i = c) /\
  (forall i, In i its -> f (fst (item_cell i)) (snd (item_cell i)) <> None).
Proof.
  unfold items_on. destruct (listed_all _ _ _ _) eqn:A; [|discriminate]. destruct (enter_all ks L cells) as [es|] eqn:E; [|discriminate].
  intros [= <-]. pose proof (enter_all_exact f ks L L_good ks_all cells es E) as X.
  assert (Len : length es = length cells) by (clear -X; induction X; simpl; lia).
  assert (Nth : forall i, In i (itemised who es 0 es cells) -> exists k e c, nth_error es k = Some e /\ nth_error cells k = Some c /\
    i = (N.of_nat k, masked who es e, c)).
  { intros i Hi. apply In_nth_error in Hi. destruct Hi as [k Hk]. apply itemised_nth in Hk. destruct Hk as (e & c & He & Hc & ->).
    exists k, e, c. rewrite N.add_0_l. auto. }
  split; [split|split].
  - apply itemised_places.
  - intros i j Hi Hj. destruct (Nth i Hi) as (k & e & c & He & Hc & ->), (Nth j Hj) as (k' & e' & c' & He' & Hc' & ->).
    unfold item_mask, item_place, item_cell. simpl. rewrite (masked_bit who es e k' e' He'). f_equal.
    destruct (nth_forall2 _ _ _ _ _ _ X He Hc) as (a & m & Ee & Fa & M). destruct (nth_forall2 _ _ _ _ _ _ X He' Hc') as (b & m' & Ee' & Fb & M').
    eapply exclude_exact; eauto.
  - intros c Hc. apply itemised_In; [exact Len|]. unfold listed_all in A. rewrite forallb_forall in A.
    assert (P : exists b, f (fst c) (snd c) = Some b /\ (code = None \/ code = Some b)).
    { destruct code as [a|]; simpl in Hc; [exists a; auto|]. destruct (f (fst c) (snd c)) as [b|]; [exists b; auto|congruence]. }
    destruct P as (b & Fb & Cb). pose proof (L_all _ _ _ Fb) as Hx. apply in_map_iff in Hx. destruct Hx as (l & Ex & Hl).
    specialize (A l Hl). apply N.eqb_eq in A. pose proof (ldiff_subset _ _ A (snd c)) as B. unfold bits in B.
    pose proof L_good as G. rewrite Forall_forall in G. specialize (G l Hl).
    assert (T : N.testbit (match code with Some a => plane a l | None => union ks l end) (snd c) = true).
    { destruct Cb as [-> | ->]; [|rewrite G, Ex, Fb; simpl; apply N.eqb_refl]. unfold union. clear -ks_all Fb Ex G.
      pose proof (ks_all _ _ _ Fb) as K. clear ks_all. induction ks as [|k rest IH]; [elim K|]. simpl. rewrite N.lor_spec. apply orb_true_iff.
      destruct K as [->|K]; [left; rewrite G, Ex, Fb; simpl; apply N.eqb_refl|right; now apply IH]. }
    specialize (B T). rewrite <- Ex in *. clear -B Ex. destruct c as [cx cy]. simpl in Ex, B.
    induction cells as [|d cells IH]; [cbn [filter fold_right] in B; now rewrite N.bits_0 in B|]. simpl in B. destruct (N.eqb_spec (fst d) (fst l)) as [Q|]; [|right; now apply IH].
    simpl in B. apply N.setbit_iff in B. destruct B as [B|B]; [left|right; now apply IH]. destruct d as [dx dy]. simpl in *. congruence.
  - intros i Hi. destruct (Nth i Hi) as (k & e & c & He & Hc & ->). destruct (nth_forall2 _ _ _ _ _ _ X He Hc) as (a & m & _ & Fa & _).
    unfold item_cell. simpl. congruence.
Qed.

Theorem items_on_bound code cells its most : items_on who ks L code cells = Some its ->
  (forall G, incl G its -> ForallOrdPairs apart_items G -> (length G <= most)%nat) ->
  forall F, fooling_set f who code F -> (length F <= most)%nat.
Proof.
  intros E B F [C P]. destruct (items_on_spec _ _ _ E) as ((Uni & Bits) & All & Prom).
  assert (K : exists G, incl G its /\ map item_cell G = F).
  { clear -C All. induction C as [|c F Hc _ (G & I & M)]; [exists []; split; [intros i []|reflexivity]|].
    destruct (All c Hc) as (i & Hi & Ei). exists (i :: G). split; [intros j [<-|Hj]; auto|]. simpl. now rewrite M, Ei. }
  destruct K as (G & I & <-). rewrite map_length. apply B; [exact I|]. clear -P I Bits Prom Uni not_bob.
  induction G as [|i G IH]; [constructor|]. simpl in P. inversion P as [|? ? Hi P']; subst.
  assert (IG : incl G its) by (intros j Hj; apply I; now right). constructor; [|now apply IH].
  rewrite Forall_map in Hi. rewrite Forall_forall in *. intros j Hj. specialize (Hi j Hj).
  pose proof (I i (or_introl eq_refl)) as Ii. pose proof (IG j Hj) as Ij.
  assert (X : forall u v, In u its -> In v its -> ~ share_a_leaf f who (item_cell u) (item_cell v) -> excludes who f (item_cell u) (item_cell v) = true).
  { intros u v Hu Hv N. apply not_false_is_true. intros X. apply N.
    pose proof (Prom u Hu). pose proof (Prom v Hv). destruct (f (fst (item_cell u)) (snd (item_cell u))) eqn:Fu; [|congruence].
    destruct (f (fst (item_cell v)) (snd (item_cell v))) eqn:Fv; [|congruence]. eapply not_excluded_share; eauto. }
  assert (S : ~ share_a_leaf f who (item_cell j) (item_cell i)).
  { intros (leaf & H). apply Hi. exists leaf. intros x y a Hx Hy. apply H; tauto. }
  split; [|split].
  - intros Q. apply (NoDup_map_inj _ _ Uni i j Ii Ij) in Q. subst j. apply Hi.
    pose proof (Prom i Ii). destruct (f (fst (item_cell i)) (snd (item_cell i))) as [a|] eqn:Fa; [|congruence].
    apply (not_excluded_share who f _ _ a a); auto. unfold excludes, differs. rewrite Fa, N.eqb_refl. simpl. now destruct who.
  - rewrite (Bits i j Ii Ij), (X i j Ii Ij Hi). reflexivity.
  - rewrite (Bits j i Ij Ii), (X j i Ij Ii S). reflexivity.
Qed.
End On.

Lemma fooling_flip f code F : fooling_set f BobAlone code F -> fooling_set (flip f) AliceAlone code (map turn F).
Proof.
  intros [C P]. split; [apply Forall_map; eapply Forall_impl; [|exact C]; intros c; destruct code; auto|].
  clear C. induction P as [|c F H _ IH]; simpl; constructor; auto. apply Forall_map. eapply Forall_impl; [|exact H].
  intros d N (leaf & S). apply N. exists leaf. intros x y a Hx Hy E. exact (S y x a Hy Hx E).
Qed.

Theorem items_bound t who code cells its most : items_of t who code cells = Some its ->
  (forall G, incl G its -> ForallOrdPairs apart_items G -> (length G <= most)%nat) ->
  forall F, fooling_set (cell t) who code F -> (length F <= most)%nat.
Proof.
  unfold items_of. destruct (regular t) eqn:R; [|discriminate]. intros E B F H.
  destruct who.
  - eapply (items_on_bound Both (cell t)) with (3 := row_lines_all t) (5 := E); eauto using row_lines_good, codes_of_all. discriminate.
  - eapply (items_on_bound AliceAlone (cell t)) with (3 := row_lines_all t) (5 := E); eauto using row_lines_good, codes_of_all. discriminate.
  - apply fooling_flip in H. rewrite <- (map_length turn).
    eapply (items_on_bound AliceAlone (flip (cell t))) with (5 := E); eauto using column_lines_good.
    + discriminate.
    + intros x y c. unfold flip. now apply column_lines_all.
    + intros x y c. unfold flip. apply codes_of_all.
Qed.

Definition read_as (who : knowing) : knowing := match who with BobAlone => AliceAlone | _ => who end.
Definition read_from (who : knowing) (f : N -> N -> option N) : N -> N -> option N := match who with BobAlone => flip f | _ => f end.

Lemma items_faithful t who code cells its : items_of t who code cells = Some its -> faithful (read_as who) (read_from who (cell t)) its.
Proof.
  unfold items_of. destruct (regular t) eqn:R; [|discriminate]. intros E.
  destruct who; simpl.
  - eapply (items_on_spec Both (cell t)) with (4 := E); eauto using row_lines_good, row_lines_all, codes_of_all.
  - eapply (items_on_spec AliceAlone (cell t)) with (4 := E); eauto using row_lines_good, row_lines_all, codes_of_all.
  - eapply (items_on_spec AliceAlone (flip (cell t))) with (4 := E); eauto using column_lines_good.
    + intros x y c. unfold flip. now apply column_lines_all.
    + intros x y c. unfold flip. apply codes_of_all.
Qed.
