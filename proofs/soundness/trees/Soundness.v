(** * Why what [Checker.v] accepts is true *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Trees Span Lines Elimination Refutation RefutationSound NodesSound TreeWitnesses OneMessage
  FoolingSets VcDimension VcMessages Rectangles CoverWeights Crowns Branching Submatrices CoverClauses CoverClausesSound BranchAndCut FoolingSearch Khrapchenko Parts RationalRank EliminatedRank Mixtures MessageCoins Discrepancy DiscrepancyBits RectangleBounds RectangleBits AllRectangles Diagonals DiscrepancyLines Checker.
Import ListNotations.
Open Scope N_scope.

Lemma limit_of_obeys l claimed who (p : protocol N N (leaf_of who N N N)) :
  limit_of l = Some claimed -> within l p -> obeys claimed p.
Proof.
  destruct l as [[[|n] [first|]]|]; simpl; intros H W; try discriminate; injection H as <-; simpl; auto; lia.
Qed.

Lemma refuted_bound t who l nodes v : refuted t who l nodes = Some v ->
  forall bits, bits_suffice (cell t) who l bits -> v <= N.of_nat bits.
Proof.
  unfold refuted. intros H bits (p & Hp & W & D). destruct (regular t) eqn:R; [|discriminate].
  destruct (nodes_ok _ _ _ _ _ _) eqn:K; [|discriminate].
  destruct (rev nodes) as [|last rest] eqn:E; [injection H as <-; lia|].
  destruct (limit_of l) as [claimed|] eqn:L; [|discriminate]. destruct (serves _ _) eqn:S; [|discriminate]. injection H as <-.
  pose proof (nodes_ok_sound who (cell t) (codes_of t) (codes_of_distinct t) (row_lines t) (column_lines t)
    (row_lines_good t) (column_lines_good t R) (fun x y c => row_lines_all t x y c) (fun x y c => column_lines_all t R x y c)
    nodes [] ltac:(constructor) K) as A.
  rewrite Forall_forall in A. specialize (A last ltac:(apply in_rev; rewrite E; now left)).
  apply (serves_hard who (cell t) _ _ _ _ _ S) in A.
  assert (bits_refuted last < depth p)%nat; [|lia]. apply A; [|eapply limit_of_obeys; eauto].
  intros x y a _ _ F. now apply Hp.
Qed.

Lemma leaf_rank_bound t who primes v : leaf_rank t who primes = Some v ->
  forall count, leaves_suffice (cell t) who count -> v <= N.of_nat count.
Proof.
  unfold leaf_rank. intros H count (p & Hp & L). destruct (regular t) eqn:R; [|discriminate].
  enough (v <= N.of_nat (leaves p)) by lia.
  apply (leaves_by_rank_sound who (cell t) (codes_of t) primes (row_lines t) _ (full (width t)) v
    (row_lines_good t) (pick_bits _ _) H p).
  intros x y a _ _ E. now apply Hp.
Qed.

Lemma bits_for_at_most count bits : count <= N.of_nat (2 ^ bits) -> bits_for count <= N.of_nat bits.
Proof.
  intros H. unfold bits_for. rewrite (Nat2N.inj_pow 2) in H. destruct (N.le_gt_cases count 1) as [S|G]; [rewrite N.log2_up_eqn0 by exact S; lia|].
  now apply N.log2_up_le_pow2; [lia|].
Qed.

Lemma bits_for_enough count : (N.to_nat count <= 2 ^ N.to_nat (bits_for count))%nat.
Proof.
  unfold bits_for. destruct (N.le_gt_cases count 1) as [S|G].
  - rewrite N.log2_up_eqn0 by exact S. simpl. lia.
  - pose proof (N.log2_up_spec count G) as [_ H].
    rewrite <- (N2Nat.inj_pow 2). lia.
Qed.

Lemma fraction_le a b : a <= b <-> (fraction a <= fraction b)%Q.
Proof. unfold fraction. rewrite <- Zle_Qle. lia. Qed.

Lemma natural_fraction q n : natural q n -> q = fraction (N.of_nat n).
Proof. unfold natural, fraction. intros ->. now rewrite nat_N_Z. Qed.

Lemma natural_nat n : natural (fraction (N.of_nat n)) n.
Proof. unfold natural, fraction. now rewrite nat_N_Z. Qed.

Lemma fraction_natural v : natural (fraction v) (N.to_nat v).
Proof. unfold natural, fraction. now rewrite N_nat_Z. Qed.

Lemma cover_mono (f : function N N N) code n m : (n <= m)%nat -> rectangles_cover f code n -> rectangles_cover f code m.
Proof. intros L. destruct code; intros (rs & H & K); exists rs; (split; [exact H|lia]). Qed.

Lemma messages_mono (f : function N N N) sender n m : (n <= m)%nat -> messages_suffice f sender n -> messages_suffice f sender m.
Proof.
  intros L. destruct sender; intros (g & a & H & K); exists g, a; (split; [|exact K]); intros x; specialize (H x); lia.
Qed.

Lemma succeeds_mono (f : function N N N) n m q : (n <= m)%nat -> succeeds f N.eqb n q -> succeeds f N.eqb m q.
Proof.
  intros L (x & P & D & H). exists x. split; [exact P|]. split; [|exact H]. eapply Forall_impl; [|exact D]. intros e He. cbv beta in *. eapply Nat.le_trans; eauto.
Qed.

Lemma messages_succeed_mono (f : function N N N) n m q : (n <= m)%nat -> messages_succeed f N.eqb n q -> messages_succeed f N.eqb m q.
Proof.
  intros L (x & P & D & H). exists x. split; [exact P|]. split; [|exact H]. eapply Forall_impl; [|exact D].
  intros e He y. specialize (He y). cbv beta in *. lia.
Qed.

Ltac least_lower := intros q (n & Hq & Hn); apply natural_fraction in Hq; subst q; apply fraction_le.
Ltac least_upper v := exists (fraction v); split; [exists (N.to_nat v); split; [apply fraction_natural|]|apply Qle_refl].

Ltac largest_upper := intros q (cells & Hq & F); apply natural_fraction in Hq; subst q; apply fraction_le.

Ltac cases m s H := destruct m, s; try discriminate H;
  try match goal with code : option N |- _ => destruct code as [code|]; try discriminate H end.

Lemma fractional_holds t m s w v : fractional t m s w = Some v -> holds (cell t) m s v.
Proof.
  intros H. destruct w; try discriminate H; destruct m, s; try discriminate H; cbn [fractional] in H; unfold holds; simpl.
  - intros q. exact (rectangle_by_cells_bound t _ _ _ _ _ v H q).
  - intros q. exact (partition_by_cells_bound t _ _ _ v H q).
  - exists v. split; [exact (rectangle_by_weights_reached t _ _ _ _ _ v H)|apply Qle_refl].
  - exists v. split; [exact (partition_by_weights_reached t _ _ _ v H)|apply Qle_refl].
Qed.

Lemma bits_of_bound_hold bound v bits : bits_of_bound bound = Some v ->
  (forall b, bound = Some b -> exists q, (b <= q)%Q /\ (q <= fraction (2 ^ N.of_nat bits))%Q) -> v <= N.of_nat bits.
Proof.
  unfold bits_of_bound. destruct bound as [b|]; [|discriminate]. intros [= <-] H. destruct (H b eq_refl) as (q & L & U).
  apply bits_for_at_most. rewrite (Nat2N.inj_pow 2). apply leaves_for_below. now apply Qle_trans with q.
Qed.

Theorem proved_holds w : forall t m s v, proved t m s w = Some v -> holds (cell t) m s (fraction v).
Proof.
  induction w as [p|nodes|cells| |primes|xs|classes|places|at_most| |rs|prime R C|trees|hard_bits hard_cells|m' of IH| |rectangle|weights of IH|rectangles|most weighted_cells|crown_cells|budget lines|R C part IH|size apart steps|at_most search_cells|at_most search_cells tree|prime|primes bits kept combinations|corners|hard_bits hard_cells|messages|own any|unit weighed_rectangles|some_rows some_columns lane_size packs|above below|cut_budget cut_steps|parts]; intros t m s v H;
    try (destruct m, s; discriminate H).
  - destruct m, s; try discriminate H; simpl in H.
    + destruct (tree_computes who t p) eqn:A; [|discriminate]. destruct (tree_within limit p) eqn:B; [|discriminate].
      injection H as <-. unfold holds; simpl. least_upper (N.of_nat (tree_depth p)). rewrite Nat2N.id.
      exists (denote who p). split; [now apply tree_computes_sound|]. split; [now apply tree_within_spec|]. now rewrite denote_depth.
    + destruct (tree_computes who t p) eqn:A; [|discriminate]. injection H as <-.
      unfold holds; simpl. least_upper (N.of_nat (tree_leaves p)). rewrite Nat2N.id.
      exists (denote who p). split; [now apply tree_computes_sound|]. now rewrite denote_leaves.
  - destruct m, s; try discriminate H; simpl in H. unfold holds; simpl. least_lower. eapply refuted_bound; eauto.
  - destruct m, s; try discriminate H; simpl in H;
      destruct (fooling_cells_sound _ _ _ _ _ H) as [F ->]; unfold holds; simpl.
    + least_lower. pose proof (fooling_needs_leaves _ _ _ _ _ F Hn). lia.
    + exists (fraction (N.of_nat (length cells))). split; [|apply Qle_refl]. exists cells. split; [apply natural_nat|exact F].
    + least_lower. pose proof (fooling_needs_rectangles_of _ _ _ _ F Hn). lia.
    + least_lower. apply partition_covers in Hn. pose proof (fooling_needs_rectangles_of _ _ _ _ F Hn). lia.
  - cases m s H; simpl in H; unfold holds; simpl.
    + largest_upper. eapply different_lines_bound; eauto.
    + least_upper v. now apply few_lines_rank.
    + least_upper v. now apply few_lines_rational_rank.
  - destruct m, s; try discriminate H; simpl in H. unfold holds; simpl. least_lower. eapply leaf_rank_bound; eauto.
  - destruct m, s; try discriminate H; simpl in H. unfold holds; simpl. least_lower. eapply distinct_lines_bound; eauto.
  - destruct m, s; try discriminate H; simpl in H. unfold holds; simpl. least_upper v. eapply message_classes_bound; eauto.
  - destruct m, s; try discriminate H; simpl in H. unfold holds; simpl.
    destruct (shattered_places_bound _ _ _ _ H) as (ps & S & ->). exists (fraction (N.of_nat (length ps))).
    split; [|apply Qle_refl]. exists ps. split; [apply natural_nat|exact S].
  - destruct m, s; try discriminate H; simpl in H. unfold holds; simpl.
    intros q (ps & Hq & S). apply natural_fraction in Hq. subst q. apply fraction_le. eapply vc_listing_bound; eauto.
  - cases m s H; simpl in H; unfold holds; simpl; least_upper v.
    + eapply covering_bound; eauto.
    + eapply dividing_bound; eauto.
  - cases m s H; cbn [proved] in H; unfold holds; simpl; least_lower.
    + eapply part_rank_bounds_partitions; eauto.
    + destruct (Z.eqb_spec prime prime0) as [<-|]; [|discriminate]. eapply rank_of_terms; eauto.
    + eapply rational_rank_of_terms; eauto.
  - destruct m, s; try discriminate H; cbn [proved] in H.
    destruct (mixture_succeeds t trees (1 - error)) eqn:M; [|discriminate]. injection H as <-. unfold holds; simpl.
    least_upper (N.of_nat (deepest trees)). rewrite Nat2N.id. now apply mixture_succeeds_sound with (m := trees).
  - destruct m, s; try discriminate H; cbn [proved] in H. unfold holds; simpl. least_lower.
    destruct (limit_of_success t hard_bits hard_cells) as [[most whole]|] eqn:L; [|discriminate].
    destruct (Qle_bool _ _) eqn:B in H; [discriminate|]. injection H as <-.
    destruct (le_lt_dec n hard_bits) as [G|G]; [exfalso|lia].
    destruct (limit_of_success_sound _ _ _ _ _ (1 - error) L) as [_ Y].
    assert (K : Qle_bool ((1 - error) * fraction whole) (fraction most) = true); [|congruence].
    apply Qle_bool_iff, Y. now apply (succeeds_mono (cell t) n).
  - destruct m' as [|who'| |[code'|]| | | | |sender'| |vc_sender|weights| | | | | |code' error' smooth|error']; try (exfalso; clear IH; cases m s H; fail).
    + cases m s H.
      assert (E : who = who' /\ option_map bits_for (proved t (Leaves who') Lower of) = Some v).
      { simpl in H. destruct who, who'; try discriminate H; auto. }
      clear H. destruct E as [-> H]. destruct (proved t (Leaves who') Lower of) as [u|] eqn:P; [|discriminate]. injection H as <-.
      apply IH in P. unfold holds in *; simpl in *. least_lower. apply bits_for_at_most. apply fraction_le. apply P.
      destruct Hn as (p & Hp & _ & D). exists (2 ^ n)%nat. split; [apply natural_nat|].
      exists p. split; [exact Hp|]. eapply Nat.le_trans; [apply leaves_depth|]. apply Nat.pow_le_mono_r; lia.
    + destruct m; try (destruct s; discriminate H); destruct code as [code|]; try (destruct s; discriminate H). simpl in H. destruct (N.eqb_spec code code') as [<-|]; [|discriminate].
      destruct (proved t (Cover (Some code)) s of) as [u|] eqn:P; [|discriminate]. injection H as <-. apply IH in P.
      unfold holds in *; destruct s; simpl in *.
      * least_lower. apply bits_for_at_most. apply fraction_le. apply P. exists (2 ^ n)%nat. split; [apply natural_nat|exact Hn].
      * destruct P as (q & (n & Hq & Hn) & L). least_upper (bits_for u). apply natural_fraction in Hq. subst q.
        apply fraction_le in L. apply (cover_mono _ (Some code) n); [|exact Hn]. pose proof (bits_for_enough u). lia.
    + destruct m; try (destruct s; discriminate H); simpl in H.
      * assert (E : sender = sender' /\ option_map bits_for (proved t (OneWayMessages sender') s of) = Some v).
        { destruct sender, sender'; try discriminate H; auto. }
        clear H. destruct E as [-> H]. destruct (proved t (OneWayMessages sender') s of) as [u|] eqn:P; [|discriminate]. injection H as <-.
        apply IH in P. unfold holds in *; destruct s; simpl in *.
        -- least_lower. apply bits_for_at_most. apply fraction_le. apply P. exists (2 ^ n)%nat. split; [apply natural_nat|exact Hn].
        -- destruct P as (q & (n & Hq & Hn) & L). least_upper (bits_for u). apply natural_fraction in Hq. subst q.
           apply fraction_le in L. apply (messages_mono _ _ n); [|exact Hn]. pose proof (bits_for_enough u). lia.
      * destruct s; [discriminate H|]. assert (E : sender = sender' /\ (if Qle_bool (1 - error) 1 then option_map bits_for (proved t (OneWayMessages sender') Upper of) else None) = Some v).
        { destruct sender, sender'; try discriminate H; auto. }
        clear H. destruct E as [-> H]. destruct (Qle_bool (1 - error) 1) eqn:Q; [|discriminate]. apply Qle_bool_iff in Q.
        destruct (proved t (OneWayMessages sender') Upper of) as [u|] eqn:P; [|discriminate]. injection H as <-.
        apply IH in P. unfold holds in *; simpl in *. destruct P as (q & (n & Hq & Hn) & L). least_upper (bits_for u).
        apply natural_fraction in Hq. subst q. apply fraction_le in L. apply messages_without_coins; [exact Q|].
        apply (messages_mono _ _ n); [|exact Hn]. pose proof (bits_for_enough u). lia.
    + destruct m; try (destruct s; discriminate H); destruct s; try discriminate H; simpl in H.
      assert (E : sender = vc_sender /\ match proved t (VcDimension vc_sender) Lower of with Some places => vc_bits error places | None => None end = Some v).
      { destruct sender, vc_sender; try discriminate H; auto. }
      clear H. destruct E as [-> H]. destruct (proved t (VcDimension vc_sender) Lower of) as [u|] eqn:P; [|discriminate].
      apply IH in P. unfold holds in *; simpl in *. destruct P as (q & (places & Hq & Sh) & L). apply natural_fraction in Hq. subst q.
      apply fraction_le in L. least_lower. exact (vc_bits_bound _ error places u v n H Sh L Hn).
    + destruct of; try (exfalso; clear IH; cases m s H; fail); cases m s H; cbn [proved] in H; unfold holds; simpl.
      * destruct (leaves_by_discrepancy t weights error) as [u|] eqn:P; [|discriminate]. injection H as <-. least_lower.
        apply bits_for_at_most. rewrite (Nat2N.inj_pow 2). exact (discrepancy_bits_bound t weights error u n P Hn).
      * destruct (leaves_by_lines t weights error above below) as [u|] eqn:P; [|discriminate]. injection H as <-. least_lower.
        apply bits_for_at_most. rewrite (Nat2N.inj_pow 2). exact (bits_by_lines_bound t weights error above below u n P Hn).
    + cases m s H. cbn [proved] in H. unfold holds; simpl. least_lower. apply (bits_of_bound_hold _ _ _ H). intros b E.
      apply fractional_holds in E. destruct (rectangle_bound_of_protocols _ code' _ smooth _ Hn) as (q & R & L). exists q. split; [now apply E|exact L].
    + cases m s H. cbn [proved] in H. unfold holds; simpl. least_lower. apply (bits_of_bound_hold _ _ _ H). intros b E.
      apply fractional_holds in E. destruct (partition_bound_of_protocols _ _ _ Hn) as (q & R & L). exists q. split; [now apply E|exact L].
  - cases m s H; cbn [proved] in H; unfold holds; simpl; least_lower.
    + exact (cover_weights_bound t code most weighted_cells v _ H Hn).
    + exact (cover_weights_bound t code most weighted_cells v _ H (partition_covers (cell t) (Some code) n Hn)).
  - cases m s H; cbn [proved] in H; unfold holds; simpl; least_lower.
    + exact (crown_sound t code crown_cells v H _ Hn).
    + exact (crown_sound t code crown_cells v H _ (partition_covers (cell t) (Some code) n Hn)).
  - destruct m, s; try discriminate H; simpl in H. unfold holds; simpl. least_lower. eapply more_messages_bound; eauto.
  - destruct m, s; try discriminate H; simpl in H; (destruct (submatrix R C t) as [p|] eqn:E; [|discriminate]); apply IH in H;
      pose proof (submatrix_cell R C t p E) as K; unfold holds in *; simpl in *; least_lower; apply fraction_le; apply H;
      exists n; (split; [apply natural_nat|]).
    + eapply part_needs_cover; eauto.
    + eapply part_needs_partition; eauto.
  - cases m s H; cbn [proved] in H; unfold holds; simpl; least_lower.
    + exact (no_cover_of_bound t code false size apart steps v H n Hn).
    + exact (no_cover_of_bound t code true size apart steps v H n Hn).
  - destruct m, s; try discriminate H; simpl in H. unfold holds; simpl. largest_upper. eapply fooling_search_bound; eauto.
  - destruct m, s; try discriminate H; simpl in H. unfold holds; simpl. largest_upper. eapply fooling_orbits_bound; eauto.
  - cases m s H; simpl in H. unfold holds; simpl. least_upper v. destruct (Z.eqb_spec prime prime0) as [<-|]; [|discriminate]. now apply whole_rank_bound.
  - cases m s H; simpl in H. unfold holds; simpl. least_upper v. exact (eliminated_bound t code primes bits kept combinations v H).
  - destruct m, s; try discriminate H; destruct who; try discriminate H; cbn [proved] in H. unfold holds; simpl. least_lower.
    eapply khrapchenko_bound; eauto.
  - destruct m, s; try discriminate H; cbn [proved] in H. unfold holds; simpl. least_lower.
    destruct (limit_of_messages t sender hard_bits hard_cells) as [[most whole]|] eqn:L; [|discriminate].
    destruct (Qle_bool _ _) eqn:B in H; [discriminate|]. injection H as <-.
    destruct (le_lt_dec n hard_bits) as [G|G]; [exfalso|lia].
    destruct (limit_of_messages_sound _ _ _ _ _ _ (1 - error) L) as [_ Y].
    assert (K : Qle_bool ((1 - error) * fraction whole) (fraction most) = true); [|congruence].
    apply Qle_bool_iff, Y. apply (messages_succeed_mono _ (2 ^ n)); [now apply Nat.pow_le_mono_r|exact Hn].
  - destruct m, s; try discriminate H; cbn [proved] in H.
    destruct (messages_right t sender messages (1 - error)) eqn:M; [|discriminate]. injection H as <-. unfold holds; simpl.
    least_upper (bits_for (most_messages messages)). apply messages_right_sound with (m := messages); [exact M|].
    pose proof (bits_for_enough (most_messages messages)). lia.
  - destruct m, s; try discriminate H; cbn [proved] in H; unfold holds; simpl; least_lower; destruct Hn as (p & Hp & D).
    + pose proof (all_rectangles_bound t who false some_rows some_columns lane_size packs v H p Hp). cbv iota in *. lia.
    + pose proof (all_rectangles_bound t who true some_rows some_columns lane_size packs v H p Hp). cbv iota in *. lia.
  - cases m s H; cbn [proved] in H; unfold holds; simpl; least_lower.
    + exact (no_cover_by_cases_bound t code cut_budget cut_steps v H n Hn).
    + exact (no_cover_by_cases_bound t code cut_budget cut_steps v H n (partition_covers (cell t) (Some code) n Hn)).
Qed.

Lemma success_shown_holds t bits s claimed w : success_shown t bits s claimed w = true -> holds (cell t) (Success bits) s claimed.
Proof.
  unfold success_shown. intros H. destruct w; try discriminate H; destruct s; try discriminate H.
  - destruct (Nat.leb_spec (deepest trees) bits); [|discriminate]. exists claimed. split; [|apply Qle_refl].
    now apply mixture_succeeds_sound with (m := trees).
  - destruct (Nat.leb_spec bits bits0) as [L|]; [|discriminate].
    destruct (limit_of_success t bits0 cells) as [[most whole]|] eqn:E; [|discriminate]. apply Qle_bool_iff in H.
    intros q R. destruct (limit_of_success_sound _ _ _ _ _ q E) as [P Y].
    apply (succeeds_mono _ bits bits0) in R; [|exact L]. specialize (Y R).
    assert (0 < fraction whole)%Q by (unfold fraction; change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
    apply (Qmult_le_r _ _ (fraction whole)); [assumption|]. eapply Qle_trans; eauto.
Qed.

Lemma message_success_shown_holds t sender bits s claimed w : message_success_shown t sender bits s claimed w = true ->
  holds (cell t) (OneWaySuccess sender bits) s claimed.
Proof.
  unfold message_success_shown. intros H. destruct w; try discriminate H; destruct s; try discriminate H.
  - destruct (Nat.leb_spec bits bits0) as [L|]; [|discriminate].
    destruct (limit_of_messages t sender bits0 cells) as [[most whole]|] eqn:E; [|discriminate]. apply Qle_bool_iff in H.
    intros q R. destruct (limit_of_messages_sound _ _ _ _ _ _ q E) as [P Y].
    apply (messages_succeed_mono _ _ (2 ^ bits0)) in R; [|now apply Nat.pow_le_mono_r]. specialize (Y R).
    assert (0 < fraction whole)%Q by (unfold fraction; change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
    apply (Qmult_le_r _ _ (fraction whole)); [assumption|]. eapply Qle_trans; eauto.
  - destruct (N.leb_spec (most_messages parts) (2 ^ N.of_nat bits)); [|discriminate]. exists claimed. split; [|apply Qle_refl].
    apply messages_right_sound with (m := parts); [exact H|]. now rewrite (Nat2N.inj_pow 2).
Qed.

Lemma discrepancy_shown_holds t weights s claimed w : discrepancy_shown t weights s claimed w = true ->
  holds (cell t) (Discrepancy weights) s claimed.
Proof.
  destruct w; try discriminate; destruct s; try discriminate; [apply bias_at_most_holds|apply bias_at_least_holds|apply bias_at_most_by_holds].
Qed.

Lemma least_discrepancy_shown_holds t s claimed w : least_discrepancy_shown t s claimed w = true -> holds (cell t) LeastDiscrepancy s claimed.
Proof.
  destruct w; try discriminate; try (destruct w; try discriminate); destruct s; try discriminate;
    [apply some_bias_at_most_holds|apply some_bias_at_most_by_holds|apply every_bias_at_least_holds].
Qed.
