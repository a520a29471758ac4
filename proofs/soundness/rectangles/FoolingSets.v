(** * Fooling sets: cells that need leaves, and rectangles, of their own *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Trees Lines Refutation RefutationSound NodesSound OneMessage.
Import ListNotations.
Open Scope N_scope.

Definition has_code (t : table) (code : option N) (c : N * N) : bool :=
  match code with None => true | Some a => is_code (cell t (fst c) (snd c)) a end.

Definition fooling_cells (t : table) (who : knowing) (code : option N) (cells : list (N * N)) : option N :=
  if regular t then
    if forallb (has_code t code) cells then
      if are_apart who (codes_of t) (row_lines t) (column_lines t) cells then Some (N.of_nat (length cells)) else None
    else None
  else None.

Theorem fooling_cells_sound t who code cells v : fooling_cells t who code cells = Some v ->
  fooling_set (cell t) who code cells /\ v = N.of_nat (length cells).
Proof.
  unfold fooling_cells. intros H. destruct (regular t) eqn:R; [|discriminate].
  destruct (forallb _ cells) eqn:A; [|discriminate]. destruct (are_apart _ _ _ _ _) eqn:B; [|discriminate].
  injection H as <-. split; [|reflexivity].
  destruct (are_apart_sound who (cell t) _ _ _ _ (row_lines_good t) (column_lines_good t R) B) as [P Q]. split.
  - rewrite forallb_forall in A. rewrite Forall_forall in *. intros c Hc. specialize (A c Hc). specialize (Q c Hc).
    destruct code as [a|]; simpl in *; [now apply is_code_spec|exact Q].
  - clear -P. induction P as [|c l H _ IH]; constructor; auto. eapply Forall_impl; [|exact H].
    intros d K (leaf & S). exact (K leaf S).
Qed.

(** Leaves. *)
Theorem fooling_needs_leaves t who code cells count : fooling_set (cell t) who code cells ->
  leaves_suffice (cell t) who count -> (length cells <= count)%nat.
Proof.
  intros [_ H] (p & Hp & L). eapply Nat.le_trans; [|exact L].
  apply (fooling_leaves (says := said who) (f := cell t) (R := fun _ => True) (C := fun _ => True)).
  - intros x y a _ _ E. now apply Hp.
  - apply Forall_forall. auto.
  - clear -H. induction H as [|c l K _ IH]; constructor; auto. eapply Forall_impl; [|exact K].
    intros d N leaf S. apply N. exists leaf. exact S.
Qed.

(** Rectangles: none has two of the cells. *)
Lemma pigeonhole {S T} (inside : T -> S -> bool) rs : forall cells : list S,
  Forall (fun c => Exists (fun r => inside r c = true) rs) cells ->
  ForallOrdPairs (fun c d => forall r, In r rs -> ~ (inside r c = true /\ inside r d = true)) cells ->
  (length cells <= length rs)%nat.
Proof.
  induction rs as [|r rs IH]; intros cells HE HP.
  - destruct cells as [|c cells]; [simpl; lia|]. inversion HE as [|? ? E _]; subst. inversion E.
  - assert (Split : (length cells = length (filter (inside r) cells) + length (filter (fun c => negb (inside r c)) cells))%nat).
    { clear. induction cells as [|c cells IH]; simpl; [reflexivity|]. destruct (inside r c); simpl; lia. }
    assert (One : (length (filter (inside r) cells) <= 1)%nat).
    { clear -HP. induction HP as [|c cells H _ IH]; simpl; [lia|]. destruct (inside r c) eqn:E; [|exact IH]. simpl.
      replace (filter (inside r) cells) with (@nil S); [simpl; lia|]. symmetry. clear IH. induction H as [|d cells K _ IH]; [reflexivity|].
      simpl. destruct (inside r d) eqn:E'; [|exact IH]. exfalso. apply (K r); simpl; auto. }
    assert (Rest : (length (filter (fun c => negb (inside r c)) cells) <= length rs)%nat); [|simpl; lia].
    apply IH.
    + rewrite Forall_forall in *. intros c Hc. apply filter_In in Hc. destruct Hc as [Hc N]. specialize (HE c Hc).
      inversion HE; subst; [|assumption]. rewrite H0 in N. discriminate.
    + clear -HP. induction HP as [|c cells H _ IH]; simpl; [constructor|]. destruct (inside r c); simpl; [exact IH|].
      constructor; [|exact IH]. apply Forall_forall. intros d Hd. apply filter_In in Hd. rewrite Forall_forall in H.
      intros s Hs. apply (H d); [tauto|]. now right.
Qed.

Theorem fooling_needs_rectangles t code cells count : fooling_set (cell t) Both (Some code) cells ->
  rectangles_cover (cell t) (Some code) count -> (length cells <= count)%nat.
Proof.
  intros [A P] (rs & [Own Cov] & L). eapply Nat.le_trans; [|exact L].
  apply (pigeonhole (fun (r : rectangle N N) (c : N * N) => inside r (fst c) (snd c))).
  - eapply Forall_impl; [|exact A]. intros c Hc. now apply Cov.
  - clear L Cov. induction P as [|c l H _ IH]; constructor; [|inversion A; auto].
    apply Forall_forall. intros d Hd r Hr [Ic Id]. rewrite Forall_forall in H. apply (H d Hd). exists code.
    intros x y a Hx Hy E. simpl. rewrite Forall_forall in Own. symmetry. apply (Own r Hr x y a); [|exact E].
    unfold inside in *. apply andb_true_iff in Ic, Id. apply andb_true_iff. destruct Hx, Hy; subst; tauto.
Qed.

Theorem fooling_needs_all_rectangles t cells count : fooling_set (cell t) Both None cells ->
  rectangles_cover (cell t) None count -> (length cells <= count)%nat.
Proof.
  intros [A P] (rs & [Own Cov] & L). eapply Nat.le_trans; [|exact L].
  apply (pigeonhole (fun (r : N * rectangle N N) (c : N * N) =>
    inside (snd r) (fst c) (snd c) && match cell t (fst c) (snd c) with Some a => fst r =? a | None => false end)).
  - eapply Forall_impl; [|exact A]. intros c Hc. simpl in Hc. destruct (cell t (fst c) (snd c)) as [a|] eqn:E; [|congruence].
    eapply Exists_impl; [|exact (Cov _ _ a E)]. intros r [<- I]. cbv beta. now rewrite I, N.eqb_refl.
  - clear L Cov A. induction P as [|c l H _ IH]; constructor; [|exact IH].
    apply Forall_forall. intros d Hd r Hr [Ic Id]. rewrite Forall_forall in H. apply (H d Hd). exists (fst r).
    intros x y a Hx Hy E. simpl. rewrite Forall_forall in Own. symmetry. apply (Own r Hr x y a); [|exact E].
    apply andb_true_iff in Ic, Id. unfold inside in *. destruct Ic as [Ic _], Id as [Id _]. apply andb_true_iff in Ic, Id. apply andb_true_iff.
    destruct Hx, Hy; subst; tauto.
Qed.

Lemma fooling_needs_rectangles_of t code cells count : fooling_set (cell t) Both code cells ->
  rectangles_cover (cell t) code count -> (length cells <= count)%nat.
Proof. destruct code; [apply fooling_needs_rectangles|apply fooling_needs_all_rectangles]. Qed.

Lemma partition_covers (f : function N N N) code count : rectangles_partition f code count -> rectangles_cover f code count.
Proof. destruct code; intros (rs & [C _] & L); exists rs; auto. Qed.

(** At most: two cells in equal rows of an answer share a leaf. *)
Definition shown_lines (L : list line) (code : N) : N :=
  N.of_nat (length (nodup N.eq_dec (filter (fun m => negb (m =? 0)) (map (plane code) L)))).

Definition different_lines (t : table) (code : N) : option N :=
  if regular t then Some (N.min (shown_lines (row_lines t) code) (shown_lines (column_lines t) code)) else None.

Lemma fooling_lines f who code cells L (key : N * N -> N) (g : N -> N -> option N) (spot : N * N -> N) :
  (forall c, f (fst c) (snd c) = g (key c) (spot c)) ->
  (forall c d, f (fst c) (snd d) = g (key c) (spot d) \/ f (fst c) (snd d) = g (key d) (spot c)) ->
  Forall (good g) L -> (forall x y a, g x y = Some a -> In x (map fst L)) ->
  fooling_set f who (Some code) cells -> N.of_nat (length cells) <= shown_lines L code.
Proof.
  intros K1 K2 G All [A P]. set (mask := fun c => match find (fun l => fst l =? key c) L with Some l => plane code l | None => 0 end).
  assert (M : forall c, f (fst c) (snd c) = Some code -> forall y, N.testbit (mask c) y = is_code (g (key c) y) code).
  { intros c E y. unfold mask. rewrite K1 in E. apply All, in_map_iff in E. destruct E as (l0 & E0 & H0).
    destruct (find _ L) as [l|] eqn:F.
    - apply find_some in F. destruct F as [Hl El]. apply N.eqb_eq in El. rewrite Forall_forall in G. rewrite (G l Hl), El. reflexivity.
    - pose proof (find_none _ _ F l0 H0) as B. cbv beta in B. rewrite E0, N.eqb_refl in B. discriminate. }
  unfold shown_lines. enough (length cells <= length (nodup N.eq_dec (filter (fun m => negb (N.eqb m 0%N)) (map (plane code) L))))%nat by lia.
  rewrite <- (map_length mask). apply NoDup_incl_length.
  - clear All. induction P as [|c l H _ IH]; simpl; [constructor|]. inversion A as [|? ? Ac Al]; subst. constructor; [|now apply IH].
    intros In. apply in_map_iff in In. destruct In as (d & Ed & Hd). rewrite Forall_forall in H, Al.
    pose proof (Al d Hd) as Ad. simpl in Ac, Ad.
    apply (H d Hd).
    assert (S : forall x y a, (x = fst c \/ x = fst d) -> (y = snd c \/ y = snd d) -> f x y = Some a -> a = code).
    { assert (B : forall z, is_code (g (key c) z) code = is_code (g (key d) z) code) by (intros z; rewrite <- (M c Ac), <- (M d Ad); congruence).
      assert (X : forall z w, (z = c \/ z = d) -> (w = c \/ w = d) -> g (key z) (spot w) = Some code).
      { intros z w Hz Hw. apply is_code_spec. rewrite K1 in Ac, Ad. apply is_code_spec in Ac, Ad.
        destruct Hz, Hw; subst; congruence. }
      intros x y a Hx Hy E. destruct Hx, Hy; subst x y;
        match type of E with f (fst ?u) (snd ?v) = _ => destruct (K2 u v) as [Q|Q]; rewrite Q in E; rewrite X in E by auto end; congruence. }
    destruct who; [exists code|exists (fun _ => code)|exists (fun _ => code)]; intros x y a Hx Hy E; simpl; symmetry; eauto.
  - intros m Hm. apply in_map_iff in Hm. destruct Hm as (c & <- & Hc). rewrite Forall_forall in A. pose proof (A c Hc) as Ac. simpl in Ac.
    apply nodup_In, filter_In. unfold mask. pose proof Ac as E. rewrite K1 in E. pose proof E as E'. apply All, in_map_iff in E. destruct E as (l0 & E0 & H0).
    destruct (find _ L) as [l|] eqn:F; [|pose proof (find_none _ _ F l0 H0) as B; cbv beta in B; rewrite E0, N.eqb_refl in B; discriminate].
    apply find_some in F. destruct F as [Hl El]. apply N.eqb_eq in El. split; [now apply in_map|].
    destruct (N.eqb_spec (plane code l) 0) as [Z|]; [|reflexivity]. exfalso. rewrite Forall_forall in G.
    assert (T : N.testbit (plane code l) (spot c) = true) by (rewrite (G l Hl), El, E'; simpl; apply N.eqb_refl).
    rewrite Z, N.bits_0 in T. discriminate.
Qed.

Theorem different_lines_bound t code v who cells : different_lines t code = Some v ->
  fooling_set (cell t) who (Some code) cells -> N.of_nat (length cells) <= v.
Proof.
  unfold different_lines. intros H F. destruct (regular t) eqn:R; [|discriminate]. injection H as <-. apply N.min_glb.
  - apply (fooling_lines (cell t) who code cells (row_lines t) fst (cell t) snd); auto.
    + apply row_lines_good.
    + intros x y a. apply row_lines_all.
  - apply (fooling_lines (cell t) who code cells (column_lines t) snd (flip (cell t)) fst); auto.
    + now apply column_lines_good.
    + intros x y a. unfold flip. now apply column_lines_all.
Qed.
