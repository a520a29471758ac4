(** * Why the nodes of a refutation are true *)
From Coq Require Import List Arith Lia Bool NArith ZArith Znumtheory.
From Ccsim Require Import Specification Trees Span ThreeBits Lines Elimination Refutation RefutationSound.
From Ccsim Require Export FewBitsSound.
Import ListNotations.
Open Scope N_scope.

Lemma hard_flip who f d l (R C : N -> Prop) :
  hard (said (flip_who who)) (flip f) d (swap_limit l) C R -> hard (said who) f d l R C.
Proof. destruct who; apply hard_swap; reflexivity. Qed.

Lemma hard_unflip who f d l (R C : N -> Prop) :
  hard (said who) f d l R C -> hard (said (flip_who who)) (flip f) d (swap_limit l) C R.
Proof.
  destruct who; intros H; (eapply hard_swap; [| |
    replace (swap_limit (swap_limit l)) with l by (destruct l as [[? [[]|]]|]; reflexivity); exact H]); reflexivity.
Qed.

(** Cells that are not promised do not matter. *)
Lemma hard_promised who (g : N -> N -> option N) d l (R R' C C' : N -> Prop) :
  (forall x y a, R' x -> C' y -> g x y = Some a -> R x /\ C y) -> hard (said who) g d l R' C' -> hard (said who) g d l R C.
Proof.
  intros E H p Hp. apply H. intros x y a Hx Hy F. destruct (E x y a Hx Hy F). now apply Hp.
Qed.

Section Nodes.
Variable who : knowing.
Variable f : N -> N -> option N.
Variable ks : list N.
Hypothesis ks_distinct : NoDup ks.
Variables rows cols : list line.
Hypothesis rows_good : Forall (good f) rows.
Hypothesis cols_good : Forall (good (flip f)) cols.
Hypothesis rows_all : forall x y c, f x y = Some c -> rows_of rows x.
Hypothesis cols_all : forall x y c, f x y = Some c -> rows_of cols y.

Definition known (p : past) : Prop :=
  Forall (fun e => match e with (d, l, R, C) => hard (said who) f d l (bits R) (bits C) end) p.

Lemma serves_hard l l' d R C : serves l l' = true -> hard (said who) f d l R C -> hard (said who) f d l' R C.
Proof.
  destruct l as [[n p]|]; [|intros _; apply hard_limit]. destruct l' as [[n' p']|]; [|discriminate]. simpl.
  destruct (Nat.eqb_spec n n') as [->|]; [|discriminate]. destruct p as [[]|], p' as [[]|]; try discriminate; auto.
Qed.

Lemma core_of_node_sound p d l n R C : known p -> core_of_node p d l n = Some (R, C) ->
  hard (said who) f d l (bits R) (bits C).
Proof.
  unfold core_of_node. intros K H. destruct (nth_error p n) as [[[[d' l'] R'] C']|] eqn:E; [|discriminate].
  destruct (Nat.leb_spec d d'); [|discriminate]. destruct (serves l' l) eqn:S; [|discriminate]. injection H as -> ->.
  unfold known in K. rewrite Forall_forall in K. specialize (K _ (nth_error_In _ _ E)). simpl in K.
  apply (serves_hard _ _ _ _ _ S). eapply hard_mono; [exact H0| | |exact K]; auto.
Qed.

Lemma cores_of_sound p d l h cores : known p -> cores_of who rows cols p d l h = Some cores ->
  Forall (fun rc => hard (said who) f d l (bits (fst rc)) (bits (snd rc))) cores.
Proof.
  unfold cores_of. intros K H. destruct h as [[primes numbers] closed].
  destruct (all_some (map (core_of_node p d l) numbers)) as [given|] eqn:A; [|discriminate].
  assert (Hg : Forall (fun rc => hard (said who) f d l (bits (fst rc)) (bits (snd rc))) given).
  { apply Forall_forall. intros [R C] Hi. apply (all_some_In _ _ A) in Hi. apply in_map_iff in Hi.
    destruct Hi as (n & E & _). eapply core_of_node_sound; eauto. }
  destruct closed as [|rc closed]; [injection H as <-; exact Hg|].
  destruct (Nat.eqb_spec d 3) as [->|]; [|discriminate].
  destruct (forallb _ (rc :: closed)) eqn:F in H; [|discriminate]. injection H as <-.
  apply Forall_app. split; [exact Hg|]. apply Forall_forall. intros rc' Hi. rewrite forallb_forall in F.
  apply hard_limit, (three_ok_sound who f rows cols); auto.
Qed.

Lemma two_answers_sound g L C : Forall (good g) L -> two_answers ks L C = true ->
  exists x y x' y' a a', rows_of L x /\ bits C y /\ rows_of L x' /\ bits C y' /\ g x y = Some a /\ g x' y' = Some a' /\ a <> a'.
Proof.
  unfold two_answers. intros G H.
  assert (S : forall c, In c (filter (fun c => existsb (fun l => negb (N.land (plane c l) C =? 0)) L) ks) ->
              exists x y, rows_of L x /\ bits C y /\ g x y = Some c).
  { intros c Hc. apply filter_In in Hc. destruct Hc as [_ Hc]. apply existsb_exists in Hc. destruct Hc as (l & Hl & B).
    destruct (N.eqb_spec (N.land (plane c l) C) 0) as [|Ne]; [discriminate|]. destruct (bit_of _ Ne) as [y Hy].
    rewrite N.land_spec in Hy. apply andb_true_iff in Hy. destruct Hy as [Hy1 Hy2]. exists (fst l), y.
    rewrite Forall_forall in G. rewrite (G l Hl) in Hy1.
    apply is_code_spec in Hy1. split; [now apply in_map|]. split; [exact Hy2|exact Hy1]. }
  assert (ND := NoDup_filter (fun c => existsb (fun l => negb (N.land (plane c l) C =? 0)) L) ks_distinct).
  destruct (filter _ ks) as [|a [|a' rest]]; [discriminate|discriminate|].
  destruct (S a) as (x & y & H1 & H2 & H3); [now left|]. destruct (S a') as (x' & y' & H1' & H2' & H3'); [right; now left|].
  exists x, y, x', y', a, a'. repeat split; auto. inversion ND as [|? ? N1 _]; subst. intros ->. apply N1. now left.
Qed.

Lemma no_leaf_sound R C : no_leaf who ks (pick R rows) (pick C cols) R C = true ->
  forall leaf, ~ right_on (said who) f (rows_of (pick R rows)) (rows_of (pick C cols)) (Output leaf).
Proof.
  pose proof (pick_good f R rows rows_good) as G. pose proof (pick_good (flip f) C cols cols_good) as G'.
  assert (HC : forall x y c, bits C y -> f x y = Some c -> rows_of (pick C cols) y).
  { intros x y c Hy E. apply pick_rows. split; [|exact Hy]. now apply (cols_all x y c). }
  assert (HR : forall x y c, bits R x -> f x y = Some c -> rows_of (pick R rows) x).
  { intros x y c Hx E. apply pick_rows. split; [|exact Hx]. now apply (rows_all x y c). }
  unfold no_leaf. intros H leaf K. destruct who.
  - destruct (two_answers_sound f _ C G H) as (x & y & x' & y' & a & a' & H1 & H2 & H3 & H4 & H5 & H6 & H7).
    pose proof (K x y a H1 (HC _ _ _ H2 H5) H5) as K1. pose proof (K x' y' a' H3 (HC _ _ _ H4 H6) H6) as K2.
    simpl in *. congruence.
  - apply existsb_exists in H. destruct H as (l & Hl & H).
    assert (Gl : Forall (good f) [l]) by (rewrite Forall_forall in G; auto).
    destruct (two_answers_sound f _ C Gl H) as (x & y & x' & y' & a & a' & H1 & H2 & H3 & H4 & H5 & H6 & H7).
    simpl in H1, H3. destruct H1 as [<-|[]], H3 as [<-|[]].
    assert (Hx : rows_of (pick R rows) (fst l)) by (now apply in_map).
    pose proof (K _ y a Hx (HC _ _ _ H2 H5) H5) as K1. pose proof (K _ y' a' Hx (HC _ _ _ H4 H6) H6) as K2.
    simpl in *. congruence.
  - apply existsb_exists in H. destruct H as (l & Hl & H).
    assert (Gl : Forall (good (flip f)) [l]) by (rewrite Forall_forall in G'; auto).
    destruct (two_answers_sound (flip f) _ R Gl H) as (x & y & x' & y' & a & a' & H1 & H2 & H3 & H4 & H5 & H6 & H7).
    simpl in H1, H3. destruct H1 as [<-|[]], H3 as [<-|[]]. unfold flip in H5, H6.
    assert (Hx : rows_of (pick C cols) (fst l)) by (now apply in_map).
    pose proof (K y _ a (HR _ _ _ H2 H5) Hx H5) as K1. pose proof (K y' _ a' (HR _ _ _ H4 H6) Hx H6) as K2.
    simpl in *. congruence.
Qed.

Lemma inside_mask_spec side whole cores : inside_mask side whole cores = true ->
  forall rc, In rc cores -> forall y, bits (side rc) y -> bits whole y.
Proof.
  unfold inside_mask. rewrite forallb_forall. intros H rc Hrc. apply ldiff_subset. now apply N.eqb_eq, H.
Qed.

Lemma alice_splits d l p R C h : known p -> splits_ok who d l p ks rows cols R C alice h = true ->
  may_speak l alice = true -> forall g : N -> bool,
  (forall x, rows_of (pick R rows) x -> g x = false) \/ (forall x, rows_of (pick R rows) x -> g x = true) \/
  hard (said who) f d (after l alice) (fun x => rows_of (pick R rows) x /\ g x = false) (bits C) \/
  hard (said who) f d (after l alice) (fun x => rows_of (pick R rows) x /\ g x = true) (bits C).
Proof.
  unfold splits_ok. intros K H M. rewrite M in H. destruct (cores_of _ _ _ _ _ _ _) as [cores|] eqn:E; [|discriminate].
  decide_if H. pose proof (cores_of_sound _ _ _ _ _ K E) as HA. rewrite Forall_forall in HA.
  apply (split_ok_sound who f ks ks_distinct (after l alice) d (fst (fst h)) (pick R rows) (map fst (pick C cols)) C (map fst cores));
    [now apply pick_good|apply pick_bits| |exact H].
  apply Forall_forall. intros half Hh. apply in_map_iff in Hh. destruct Hh as (rc & <- & Hrc).
  apply (hard_mono (l := after l alice) (d := d) (R := bits (fst rc)) (C := bits (snd rc))); auto.
  now apply (inside_mask_spec snd C cores).
Qed.

Lemma bob_splits d l p R C h : known p -> splits_ok who d l p ks rows cols R C bob h = true ->
  may_speak l bob = true -> forall g : N -> bool,
  (forall y, rows_of (pick C cols) y -> g y = false) \/ (forall y, rows_of (pick C cols) y -> g y = true) \/
  hard (said who) f d (after l bob) (bits R) (fun y => rows_of (pick C cols) y /\ g y = false) \/
  hard (said who) f d (after l bob) (bits R) (fun y => rows_of (pick C cols) y /\ g y = true).
Proof.
  unfold splits_ok. intros K H M. rewrite M in H. destruct (cores_of _ _ _ _ _ _ _) as [cores|] eqn:E; [|discriminate].
  decide_if H. pose proof (cores_of_sound _ _ _ _ _ K E) as HB. rewrite Forall_forall in HB.
  intros g. destruct (split_ok_sound (flip_who who) (flip f) ks ks_distinct (swap_limit (after l bob)) d (fst (fst h)) (pick C cols)
    (map fst (pick R rows)) R (map snd cores)) with (g := g) as [A|[A|[A|A]]];
    [now apply pick_good|apply pick_bits| |exact H|now left|right; now left| |];
    [|right; right; left; now apply hard_flip|right; right; right; now apply hard_flip].
  apply Forall_forall. intros half Hh. apply in_map_iff in Hh. destruct Hh as (rc & <- & Hrc). apply hard_unflip.
  apply (hard_mono (l := after l bob) (d := d) (R := bits (fst rc)) (C := bits (snd rc))); auto.
  now apply (inside_mask_spec fst R cores).
Qed.

Lemma node_ok_sound p n : known p -> node_ok who ks rows cols p n = true ->
  hard (said who) f (bits_refuted n) (node_limit n) (bits (rows_mask n)) (bits (columns_mask n)).
Proof.
  destruct n as [d l R C why]. unfold node_ok. cbn [bits_refuted node_limit rows_mask columns_mask Refutation.why]. intros K H.
  pose proof (pick_good f R rows rows_good) as G.
  destruct why as [primes|cells| | |by_alice by_bob].
  - apply (hard_mono (l := l) (d := d) (R := rows_of (pick R rows)) (C := bits C)); auto.
    + intros x Hx. now apply pick_rows in Hx.
    + exact (too_many_leaves_sound who f ks d l primes (pick R rows) (map fst (pick C cols)) C G (pick_bits _ _) H).
  - exact (is_fooling_sound who f ks d l rows cols R C cells rows_good cols_good H).
  - destruct (Nat.eqb_spec d 3) as [->|]; [|discriminate]. apply hard_limit. now apply (three_ok_sound who f rows cols rows_good cols_good rows_all cols_all).
  - destruct (Nat.eqb_spec d 4) as [->|]; [|discriminate]. apply hard_limit. now apply (four_ok_sound who f rows cols rows_good cols_good rows_all cols_all).
  - destruct d as [|e]; [discriminate|]. decide_if H. decide_if H.
    apply (hard_mono (l := l) (d := S e) (R := rows_of (pick R rows)) (C := rows_of (pick C cols))); auto;
      [intros x Hx; now apply pick_rows in Hx|intros y Hy; now apply pick_rows in Hy|].
    apply hard_splits.
    + exact (no_leaf_sound R C E).
    + intros M g. destruct (alice_splits e l p R C by_alice K E0 M g) as [A|[A|[A|A]]]; [now left|right; now left| |]; right; right; [left|right];
        (eapply hard_promised; [|exact A]; intros u v b [Hu Gu] Hv F; split; [now split|];
         apply pick_rows; split; [now apply (cols_all u v b)|exact Hv]).
    + intros M g. destruct (bob_splits e l p R C by_bob K H M g) as [A|[A|[A|A]]]; [now left|right; now left| |]; right; right; [left|right];
        (eapply hard_promised; [|exact A]; intros u v b Hu [Hv Gv] F; split; [|now split];
         apply pick_rows; split; [now apply (rows_all u v b)|exact Hu]).
Qed.

Lemma nodes_ok_sound ns : forall p, known p -> nodes_ok who ks rows cols p ns = true ->
  Forall (fun n => hard (said who) f (bits_refuted n) (node_limit n) (bits (rows_mask n)) (bits (columns_mask n))) ns.
Proof.
  induction ns as [|n ns IH]; simpl; intros p K H; [constructor|]. decide_if H. pose proof (node_ok_sound p n K E) as Hn.
  constructor; [exact Hn|]. apply (IH (p ++ [(bits_refuted n, node_limit n, rows_mask n, columns_mask n)])); [|exact H].
  apply Forall_app. split; [exact K|]. constructor; [exact Hn|constructor].
Qed.
End Nodes.
