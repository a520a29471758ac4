(** * No cover, if the clauses on sets of rectangles are refuted for each pair of sizes *)
From Coq Require Import List Arith Lia Bool NArith ZArith Permutation.
From Ccsim Require Import Specification Distinct Lines Refutation RefutationSound NodesSound OneMessage Chains ChainCovers LostChains Tries Lrat Counting ChainClauses ChainClausesSound ChainNumbers.
Import ListNotations.
Open Scope N_scope.

(** ** Sets and their names *)
Lemma masks_below_spec k A : In A (masks_below k) <-> bounded k A.
Proof.
  unfold masks_below, indices. rewrite in_map_iff. split.
  - intros (n & <- & H) i Hi. apply in_seq in H. unfold indices. apply in_map_iff. exists (N.to_nat i). split; [lia|]. apply in_seq.
    destruct (lt_dec (N.to_nat i) k) as [L|L]; [lia|exfalso].
    assert (E : N.of_nat n = N.of_nat n mod 2 ^ N.of_nat k) by (symmetry; apply N.mod_small; lia).
    rewrite E, N.mod_pow2_bits_high in Hi by lia. discriminate.
  - intros B. exists (N.to_nat A). split; [lia|]. apply in_seq. enough (A < 2 ^ N.of_nat k) by lia.
    assert (E : A = A mod 2 ^ N.of_nat k).
    { rewrite <- N.land_ones. apply N.bits_inj. intros i. rewrite N.land_spec. destruct (N.testbit A i) eqn:T; [|reflexivity]. symmetry.
      apply B in T. unfold indices in T. apply in_map_iff in T. destruct T as (n & <- & H). apply in_seq in H. apply N.ones_spec_low. lia. }
    rewrite E. apply N.mod_lt. apply N.pow_nonzero. lia.
Qed.

Lemma named_from_nth l : forall n i a, nth_error (named_from n l) i = Some a -> label a = n + N.of_nat i /\ In (of_column a, (many a, the_set a)) l.
Proof.
  induction l as [|[c [s A]] l IH]; intros n [|i] a H; simpl in H; try discriminate.
  - injection H as <-. simpl. split; [lia|now left].
  - destruct (IH _ _ _ H) as [E I]. split; [rewrite E; lia|now right].
Qed.

Lemma named_from_sets l : forall n, map (fun a => (of_column a, the_set a)) (named_from n l) = map (fun x => (fst x, snd (snd x))) l.
Proof. induction l as [|[c [s A]] l IH]; intros n; simpl; [reflexivity|]. now rewrite IH. Qed.

Section Entries.
Variables k d e : nat.
Variable spare : Z.
Variable prices : list (sizes * Z).
Let entries := entries_of k d e spare prices.

Definition of_side (column : bool) : list (nat * N) :=
  filter (fun x => affordable d e column spare (fst x) prices) (map (fun A => (size_of k A, A)) (masks_below k)).

Lemma of_side_spec column s A : In (s, A) (of_side column) <-> bounded k A /\ s = size_of k A /\ affordable d e column spare s prices = true.
Proof.
  unfold of_side. rewrite filter_In, in_map_iff. cbn [fst]. split.
  - intros [(B & [= <- <-] & H) F]. apply masks_below_spec in H. auto.
  - intros (B & -> & F). split; [|exact F]. exists A. split; [reflexivity|now apply masks_below_spec].
Qed.

Lemma entries_sides : entries = named_from 0 (map (pair false) (of_side false) ++ map (pair true) (of_side true)).
Proof. unfold entries, entries_of. cbn [flat_map]. now rewrite app_nil_r. Qed.

Lemma entry_names n a : nth_error entries n = Some a -> label a = N.of_nat n.
Proof. rewrite entries_sides. intros H. apply named_from_nth in H. destruct H as [-> _]. lia. Qed.

Lemma entry_size a : In a entries -> many a = size_of k (the_set a).
Proof.
  rewrite entries_sides. intros H. apply In_nth_error in H. destruct H as [n H]. apply named_from_nth in H. destruct H as [_ H].
  apply in_app_iff in H. destruct H as [H|H]; apply in_map_iff in H; destruct H as ((s & A) & [= _ <- <-] & H); apply of_side_spec in H; apply H.
Qed.

Lemma masks_distinct : NoDup (masks_below k).
Proof. apply indices_distinct. Qed.

Lemma entries_distinct : NoDup (map (fun a => (of_column a, the_set a)) entries).
Proof.
  rewrite entries_sides, named_from_sets, map_app, !map_map. apply NoDup_app_both.
  1, 2: apply distinct_images; [apply NoDup_filter, distinct_images; [exact masks_distinct|]; intros x y _ _ [= _ E]; exact E|];
    intros [s A] [s' A'] H H' [= E]; cbn [snd] in E; apply of_side_spec in H, H'; destruct H as (_ & -> & _), H' as (_ & -> & _); now rewrite E.
  intros x H H'. apply in_map_iff in H, H'. destruct H as (y & <- & _), H' as (z & E & _). discriminate.
Qed.

Lemma entry_there (p : bool) A : bounded k A -> affordable d e p spare (size_of k A) prices = true -> exists a, In a entries /\ of_column a = p /\ the_set a = A.
Proof.
  intros B F. assert (H : In (p, A) (map (fun a => (of_column a, the_set a)) entries)).
  { rewrite entries_sides, named_from_sets, map_app, !map_map. cbn [fst snd]. apply in_app_iff.
    assert (K : In (size_of k A, A) (of_side p)) by (apply of_side_spec; auto).
    destruct p; [right|left]; apply in_map_iff; exists (size_of k A, A); auto. }
  apply in_map_iff in H. destruct H as (a & [= E1 E2] & Ha). eauto.
Qed.
End Entries.

Lemma steps_at_spec k level U i : In (U, i) (steps_at k level) <-> bounded k U /\ size_of k U = level /\ In i (left_of k U).
Proof.
  unfold steps_at. rewrite in_flat_map. split.
  - intros (A & HA & H). apply in_map_iff in H. destruct H as (j & [= <- <-] & H). apply filter_In in HA. destruct HA as [HA E].
    apply masks_below_spec in HA. apply Nat.eqb_eq in E. auto.
  - intros (B & E & I). exists U. split; [apply filter_In; split; [now apply masks_below_spec|now apply Nat.eqb_eq]|now apply in_map].
Qed.

Lemma steps_at_distinct k level : NoDup (steps_at k level).
Proof.
  unfold steps_at. assert (D : NoDup (filter (fun A => Nat.eqb (size_of k A) level) (masks_below k))) by apply NoDup_filter, masks_distinct.
  induction D as [|A l N D IH]; [constructor|]. cbn [flat_map]. apply NoDup_app_both; [|exact IH|].
  - apply distinct_images; [apply NoDup_filter, indices_distinct|]. now intros x y _ _ [= E].
  - intros [U i] H H'. apply in_map_iff in H. destruct H as (j & [= <- <-] & _). apply in_flat_map in H'. destruct H' as (B & HB & H').
    apply in_map_iff in H'. destruct H' as (j' & [= -> _] & _). contradiction.
Qed.

(** ** Prices *)
Lemma placed_In x y l : In y (placed x l) <-> y = x \/ In y l.
Proof.
  induction l as [|z l IH]; simpl; [intuition|]. destruct (snd z <=? snd x)%Z; simpl; [intuition|]. rewrite IH. intuition.
Qed.

Lemma known_pairs_In d e spare prices x : In x (known_pairs d e spare prices) <-> In x prices /\
  affordable d e false spare (fst (fst x)) prices = true /\ affordable d e true spare (snd (fst x)) prices = true /\ (snd x <= spare)%Z.
Proof.
  unfold known_pairs. rewrite <- Z.leb_le. transitivity (In x (filter (fun x => affordable d e false spare (fst (fst x)) prices && affordable d e true spare (snd (fst x)) prices
                                         && (snd x <=? spare)%Z) prices)).
  - generalize (filter (fun x => affordable d e false spare (fst (fst x)) prices && affordable d e true spare (snd (fst x)) prices
                                         && (snd x <=? spare)%Z) prices) as l.
    induction l as [|y l IH]; simpl; [reflexivity|]. rewrite placed_In, IH. intuition.
  - rewrite filter_In, !andb_true_iff. tauto.
Qed.

Lemma every_pair_In k s b : In (s, b) (every_pair k) <-> (1 <= s /\ s < b /\ b < k)%nat.
Proof.
  unfold every_pair. rewrite in_flat_map. split.
  - intros (x & Hx & H). apply in_map_iff in H. destruct H as (y & [= <- <-] & H). apply in_seq in Hx, H. lia.
  - intros H. exists s. split; [apply in_seq; lia|]. apply in_map, in_seq. lia.
Qed.

(** What each of so many has at least, times their number, they have together. *)
Lemma average {T} (p : T -> bool) (g : T -> N) l x n : length (filter p l) = n -> (0 < n)%nat ->
  (forall y, In y l -> p y = true -> x <= N.of_nat n * g y) -> x <= sum_over l (fun y => if p y then g y else 0).
Proof.
  intros Len Pos H. rewrite sum_filter. assert (K : N.of_nat n * x <= N.of_nat n * sum_over (filter p l) g); [|nia].
  rewrite <- Len at 1. rewrite <- sum_constant. eapply N.le_trans with (sum_over (filter p l) (fun y => N.of_nat n * g y)).
  - apply sum_le. intros y Hy. apply filter_In in Hy. now apply H.
  - rewrite sum_times. apply N.le_refl.
Qed.

Section Covered.
Variable f : N -> N -> option N.
Variable ks : list N.
Hypothesis ks_all : forall x y c, f x y = Some c -> In c ks.
Variable code : N.
Variables L K : list line.
Hypothesis L_good : Forall (good f) L.
Hypothesis K_good : Forall (good (flip f)) K.
Hypothesis L_none : none_nest ks code L = true.
Hypothesis K_none : none_nest ks code K = true.
Hypothesis L_two : (2 <= length L)%nat.
Hypothesis K_two : (2 <= length K)%nat.
Hypothesis no_free : forall l m, In l L -> In m K -> f (fst l) (fst m) <> None.
Variables k d e : nat.
Hypothesis rows_cross : forall l, In l L -> length (filter (other_at ks code l) K) = d.
Hypothesis columns_cross : forall m, In m K -> length (filter (fun l => other_at ks code l m) L) = e.
Hypothesis d_two : (1 < d)%nat.
Hypothesis e_two : (1 < e)%nat.

Let prices := priced k d e.
Let spare := what_is_spare k d e (N.of_nat (d * length L)).
Let least := least_cost k d e.
Hypothesis spare_some : (0 <= spare)%Z.
Hypothesis least_some : (0 < least)%Z.
Let entries := entries_of k d e spare prices.
Let usual := map fst (filter (fun x => snd x =? 0)%Z prices).
Let items : list item := map (pair false) L ++ map (pair true) K.
Definition price_of (p : sizes) : Z := (cost k d e p - least_cost k d e)%Z.
Let o (l m : line) : bool := other_at ks code l m.

Lemma items_In p : In p items <-> In (snd p) (if fst p then K else L).
Proof.
  unfold items. destruct p as [[|] l]; simpl; rewrite in_app_iff, !in_map_iff; split.
  - intros [(x & [= ] & _)|(x & [= <-] & H)]; exact H.
  - intros H. right. eauto.
  - intros [(x & [= <-] & H)|(x & [= ] & _)]; exact H.
  - intros H. left. eauto.
Qed.

Lemma columns_crossed m : In m K -> exists l, In l L /\ other_at ks code l m = true.
Proof.
  intros Hm. pose proof (columns_cross m Hm) as C. destruct (filter _ L) as [|l ls] eqn:E; [simpl in C; lia|].
  assert (H : In l (filter (fun l => other_at ks code l m) L)) by (rewrite E; now left). apply filter_In in H. eauto.
Qed.

Let L_distinct := lines_distinct f ks code L L_good L_none.
Let K_distinct := lines_distinct (flip f) ks code K K_good K_none.

(** ** One cover *)
Section OneCover.
Variable rs : list (rectangle N N).
Hypothesis cover : covers f code rs.
Hypothesis as_many : length rs = k.
Let its := set_in rs.
Let s (l : line) : nat := size_of k (has rs l).
Let b (m : line) : nat := size_of k (lacks rs m).

Let nested := sets_nested f ks ks_all code L K L_good L_none K_none no_free rs cover.
Let row_apart := rows_apart f ks code L L_good L_none rs cover.
Let column_apart := columns_apart f ks code L K K_good L_none K_none rs cover.

Lemma its_bounded p : bounded k (its p).
Proof. rewrite <- as_many. apply set_in_bounded. Qed.

Lemma sets_apart p q : In p items -> In q items -> fst p = fst q -> inside_of (its p) (its q) = true -> p = q.
Proof.
  intros Hp Hq E I. apply items_In in Hp, Hq. unfold its, set_in in I. destruct p as [[|] l], q as [[|] l']; try discriminate; simpl in *; f_equal; auto.
Qed.

Lemma column_never l m : In l L -> In m K -> inside_of (lacks rs m) (has rs l) = false.
Proof.
  intros Hl Hm. apply not_true_is_false. intros I. pose proof (columns_cross m Hm) as C.
  assert (One : forall l', In l' (filter (fun l => other_at ks code l m) L) -> l' = l).
  { intros l' H. apply filter_In in H. destruct H as [Hl' O]. rewrite (nested l' m Hl' Hm) in O. apply row_apart; auto. exact (inside_trans _ _ _ O I). }
  assert (D : NoDup (filter (fun l => other_at ks code l m) L)) by now apply NoDup_filter.
  destruct (filter _ L) as [|x [|y ls]]; [simpl in C; lia|simpl in C; lia|]. inversion D as [|? ? N _]; subst. apply N.
  rewrite (One x), (One y) by (simpl; auto). now left.
Qed.

Lemma sets_never p q : In p items -> In q items -> fst p = false -> fst q = true -> inside_of (its q) (its p) = false.
Proof.
  intros Hp Hq P Q. apply items_In in Hp, Hq. destruct p as [[|] l], q as [[|] m]; try discriminate. now apply column_never.
Qed.

Lemma crosses_row l m : In l L -> In m K -> crosses fst its (false, l) (true, m) = o l m.
Proof. intros Hl Hm. unfold crosses, its, set_in, o. cbn [fst snd Bool.eqb negb andb]. symmetry. now apply nested. Qed.

Lemma crosses_column l m : In l L -> In m K -> crosses fst its (true, m) (false, l) = o l m.
Proof. intros Hl Hm. unfold crosses, its, set_in, o. cbn [fst snd Bool.eqb negb andb]. symmetry. now apply nested. Qed.

Lemma row_sum l g : In l L -> sum_over items (fun q => if crosses fst its (false, l) q then g q else 0) = sum_over K (fun m => if o l m then g (true, m) else 0).
Proof.
  intros Hl. unfold items. rewrite sum_append, !sum_map. rewrite sum_zero; [|intros x _; reflexivity]. apply sum_ext. intros m Hm. now rewrite crosses_row.
Qed.

Lemma column_sum m g : In m K -> sum_over items (fun q => if crosses fst its (true, m) q then g q else 0) = sum_over L (fun l => if o l m then g (false, l) else 0).
Proof.
  intros Hm. unfold items. rewrite sum_append, !sum_map. rewrite (sum_zero K); [|intros x _; reflexivity]. rewrite N.add_0_r. apply sum_ext. intros l Hl. now rewrite crosses_column.
Qed.

Lemma sets_degrees p : In p items -> length (filter (crosses fst its p) items) = degree d e (fst p).
Proof.
  intros Hp. apply items_In in Hp. apply Nat2N.inj. rewrite <- (N.mul_1_r (N.of_nat _)), <- sum_if. destruct p as [[|] l]; simpl in Hp.
  - etransitivity; [exact (column_sum l (fun _ => 1) Hp)|]. cbv beta. rewrite sum_if, N.mul_1_r. f_equal. now apply columns_cross.
  - etransitivity; [exact (row_sum l (fun _ => 1) Hp)|]. cbv beta. rewrite sum_if, N.mul_1_r. f_equal. now apply rows_cross.
Qed.

Lemma crossing_sizes l m : In l L -> In m K -> o l m = true -> (1 <= s l /\ s l < b m /\ b m < k)%nat.
Proof.
  intros Hl Hm O. unfold o in O. rewrite (nested l m Hl Hm) in O. pose proof (column_never l m Hl Hm) as N.
  assert (BH : bounded k (has rs l)) by exact (its_bounded (false, l)). assert (BL : bounded k (lacks rs m)) by exact (its_bounded (true, m)).
  split; [|split].
  - destruct (another_one L l L_distinct L_two Hl) as (l' & Hl' & Ne). unfold s. destruct (size_of k (has rs l)) eqn:E; [exfalso|lia].
    apply Ne. symmetry. apply row_apart; auto. apply (size_none k); [exact BH|exact E].
  - pose proof (gap_sizes k _ _ O) as G. unfold s, b. destruct (Nat.eq_dec (size_of k (has rs l)) (size_of k (lacks rs m))) as [E|]; [exfalso|lia].
    rewrite (same_size k _ _ BL O E), self_inside in N. discriminate.
  - destruct (another_one K m K_distinct K_two Hm) as (m' & Hm' & Ne). pose proof (size_le k (lacks rs m)) as Le. unfold b.
    destruct (Nat.eq_dec (size_of k (lacks rs m)) k) as [E|]; [exfalso|lia]. apply Ne, column_apart; auto. apply (size_all k); [exact (its_bounded (true, m'))|exact E].
Qed.

Lemma price_least p : In p (every_pair k) -> (0 <= price_of p)%Z.
Proof. intros H. unfold price_of, least_cost. pose proof (minimum_le 0 _ _ (in_map (cost k d e) _ _ H)). lia. Qed.

(** ** What crossings cost in all *)
Definition extra (l m : line) : N := Z.to_N (price_of (s l, b m)).
Definition in_two (l m : line) : N := chains_of_both k (s l) (b m).

Lemma balance l m : In l L -> In m K -> o l m = true ->
  extra l m + Z.to_N least + N.of_nat d * N.of_nat e * in_two l m = N.of_nat e * chains_of k (s l) + N.of_nat d * chains_of k (b m).
Proof.
  intros Hl Hm O. pose proof (crossing_sizes l m Hl Hm O) as S. apply every_pair_In, price_least in S. unfold extra, in_two.
  unfold price_of, cost in *. cbn [fst snd] in *. fold least in S |- *. lia.
Qed.

Let over (g : line -> line -> N) : N := sum_over L (fun l => sum_over K (fun m => if o l m then g l m else 0)).

Lemma over_ext g h : (forall l m, In l L -> In m K -> o l m = true -> g l m = h l m) -> over g = over h.
Proof. intros H. apply sum_ext. intros l Hl. apply sum_ext. intros m Hm. destruct (o l m) eqn:O; [now apply H|reflexivity]. Qed.

Lemma over_add g h : over (fun l m => g l m + h l m) = over g + over h.
Proof.
  unfold over. rewrite <- sum_add. apply sum_ext. intros l _. rewrite <- sum_add. apply sum_ext. intros m _. now destruct (o l m).
Qed.

Lemma over_times c g : over (fun l m => c * g l m) = c * over g.
Proof.
  unfold over. rewrite <- sum_times. apply sum_ext. intros l _. rewrite <- sum_times. apply sum_ext. intros m _. destruct (o l m); lia.
Qed.

Lemma over_rows g : over (fun l _ => g l) = N.of_nat d * sum_over L g.
Proof. unfold over. rewrite <- sum_times. apply sum_ext. intros l Hl. rewrite sum_if. f_equal. f_equal. now apply rows_cross. Qed.

Lemma over_columns g : over (fun _ m => g m) = N.of_nat e * sum_over K g.
Proof. unfold over. rewrite sum_swap, <- sum_times. apply sum_ext. intros m Hm. rewrite sum_if. f_equal. f_equal. now apply columns_cross. Qed.

Section Level.
Variable level : nat.
Let lost_steps := filter (step_lost items its) (steps_at k level).

Lemma chains_with_lost : sum_over L (fun l => chains_of k (s l)) + sum_over K (fun m => chains_of k (b m)) +
  N.of_nat (length lost_steps) * (factorial level * factorial (k - 1 - level)) <= factorial k + over in_two.
Proof.
  assert (Missed : forall A i p, some_step lost_steps A i = true -> In p items -> inside_of (its p) A = false /\ inside_of (N.setbit A i) (its p) = false).
  { intros A i p H Hp. apply some_step_spec, filter_In in H. destruct H as [_ H]. unfold step_lost in H. rewrite forallb_forall in H. specialize (H p Hp).
    apply negb_true_iff in H. unfold around in H. now apply orb_false_iff in H. }
  pose proof (chains_bound k line line L K L_distinct K_distinct (has rs) (lacks rs) (other_at ks code) nested row_apart column_apart columns_crossed
    (some_step lost_steps)) as Q.
  specialize (Q (fun A i l M Hl => Missed A i (false, l) M (proj2 (items_In (false, l)) Hl)) (fun A i m M Hm => Missed A i (true, m) M (proj2 (items_In (true, m)) Hm)) k 0).
  rewrite left_of_nothing in Q. specialize (Q eq_refl).
  rewrite (sum_ext L _ (fun l => chains_of k (s l))) in Q by (intros l _; apply passing_value; exact (its_bounded (false, l))).
  rewrite (sum_ext K _ (fun m => chains_of k (b m))) in Q by (intros m _; apply passing_value; exact (its_bounded (true, m))).
  assert (X : crossing k line line L K (has rs) (lacks rs) (other_at ks code) k 0 = over in_two).
  { apply sum_ext. intros l Hl. apply sum_ext. intros m Hm. fold (o l m). destruct (o l m) eqn:O; [|reflexivity].
    apply passing_both_value; [exact (its_bounded (false, l))|exact (its_bounded (true, m))|]. rewrite <- nested by assumption. exact O. }
  rewrite X in Q. pose proof (lost_least k level lost_steps) as Lost.
  specialize (Lost ltac:(apply NoDup_filter, steps_at_distinct)). specialize (Lost ltac:(intros U i H; apply filter_In in H; now apply steps_at_spec)). lia.
Qed.

Theorem all_costs : over extra + N.of_nat (length lost_steps) * Z.to_N (unit_of k d e level) <= Z.to_N spare.
Proof.
  pose proof (over_ext _ _ balance) as B. rewrite !over_add, !over_times in B.
  rewrite (over_rows (fun l => chains_of k (s l))), (over_columns (fun m => chains_of k (b m))), (over_rows (fun _ => Z.to_N least)), sum_constant in B. pose proof chains_with_lost as C.
  unfold unit_of, spare, what_is_spare. fold least. rewrite N2Z.id.
  assert (E : Z.to_N (Z.of_N (N.of_nat d * N.of_nat e * factorial k) - Z.of_N (N.of_nat (d * length L)) * least) =
    N.of_nat d * N.of_nat e * factorial k - N.of_nat d * (N.of_nat (length L) * Z.to_N least)).
  { rewrite Nat2N.inj_mul. unfold spare, what_is_spare in spare_some. fold least in spare_some. nia. }
  rewrite E. apply (N.mul_le_mono_l _ _ (N.of_nat d * N.of_nat e)) in C. lia.
Qed.
End Level.

(** ** What lines answer for, and sizes that can be *)
Lemma shares p price : (0 <= price)%Z -> (0 <= share_of usual false p price /\ 0 <= share_of usual true p price /\
  share_of usual false p price + share_of usual true p price = price)%Z.
Proof.
  intros H. assert (0 <= price / 2 <= price)%Z by (split; [apply Z.div_pos; lia|apply Z.div_le_upper_bound; lia]).
  unfold share_of. destruct (hd (0, 0)%nat usual) as [small large]. cbv zeta. destruct (Nat.leb small (fst p)); [lia|]. destruct (Nat.ltb large (snd p)); lia.
Qed.

Definition share_at (p q : item) : Z := share_of usual (fst p) (sizes_at k fst its p q) (price_of (sizes_at k fst its p q)).
Definition loss (p : item) : N := sum_over items (fun q => if crosses fst its p q then Z.to_N (share_at p q) else 0).

Lemma loss_in_all : sum_over items loss = over extra.
Proof.
  unfold items at 1. rewrite sum_append, !sum_map.
  rewrite (sum_ext L _ (fun l => sum_over K (fun m => if o l m then Z.to_N (share_at (false, l) (true, m)) else 0))) by (intros l Hl; exact (row_sum l _ Hl)).
  rewrite (sum_ext K _ (fun m => sum_over L (fun l => if o l m then Z.to_N (share_at (true, m) (false, l)) else 0))) by (intros m Hm; exact (column_sum m _ Hm)).
  rewrite (sum_swap K L). change (over (fun l m => Z.to_N (share_at (false, l) (true, m))) + over (fun l m => Z.to_N (share_at (true, m) (false, l))) = over extra).
  rewrite <- over_add. apply over_ext. intros l m Hl Hm O. pose proof (crossing_sizes l m Hl Hm O) as S. apply every_pair_In, price_least in S.
  pose proof (shares (s l, b m) _ S) as (A & B & E). unfold extra. rewrite <- E, Z2N.inj_add by assumption. reflexivity.
Qed.

Lemma loss_least p x : In p items -> (forall q, In q items -> crosses fst its p q = true ->
  (Z.of_N x <= Z.of_nat (degree d e (fst p)) * share_at p q)%Z) -> x <= loss p.
Proof.
  intros Hp H. apply (average _ (fun q => Z.to_N (share_at p q)) items x (degree d e (fst p))); [now apply sets_degrees|destruct p as [[|] ?]; simpl; lia|].
  intros q Hq C. specialize (H q Hq C). nia.
Qed.

Lemma price_among l m : In l L -> In m K -> o l m = true -> In ((s l, b m), price_of (s l, b m)) prices.
Proof.
  intros Hl Hm O. pose proof (crossing_sizes l m Hl Hm O) as S. apply every_pair_In in S. exact (in_map (fun p => (p, price_of p)) _ _ S).
Qed.

Lemma unaffordable column size : affordable d e column spare size prices = false -> forall l m, In l L -> In m K -> o l m = true ->
  size_on column (s l, b m) = size -> N.succ (Z.to_N spare) <= N.of_nat (degree d e column) * extra l m.
Proof.
  intros F l m Hl Hm O E. pose proof (price_among l m Hl Hm O) as I. unfold affordable in F.
  assert (X : ((Z.of_nat (degree d e column) * price_of (s l, b m) <=? spare)%Z) = false).
  { apply not_true_is_false. intros T. assert (existsb (fun x => Nat.eqb (size_on column (fst x)) size && (Z.of_nat (degree d e column) * snd x <=? spare)%Z) prices = true); [|congruence].
    apply existsb_exists. exists ((s l, b m), price_of (s l, b m)). split; [exact I|]. cbn [fst snd]. rewrite E, Nat.eqb_refl. exact T. }
  apply Z.leb_gt in X. pose proof (crossing_sizes l m Hl Hm O) as S. apply every_pair_In, price_least in S. unfold extra. nia.
Qed.

Lemma all_extra : over extra <= Z.to_N spare.
Proof. pose proof (all_costs 0). lia. Qed.

Lemma row_affordable l : In l L -> affordable d e false spare (s l) prices = true.
Proof.
  intros Hl. apply not_false_is_true. intros F. pose proof all_extra as A.
  assert (H : N.succ (Z.to_N spare) <= sum_over K (fun m => if o l m then extra l m else 0)).
  { apply (average _ _ K _ d); [now apply rows_cross|lia|]. intros m Hm O. exact (unaffordable false (s l) F l m Hl Hm O eq_refl). }
  pose proof (sum_ge L (fun l => sum_over K (fun m => if o l m then extra l m else 0)) l Hl) as G. cbv beta in G. fold (over extra) in G. lia.
Qed.

Lemma column_affordable m : In m K -> affordable d e true spare (b m) prices = true.
Proof.
  intros Hm. apply not_false_is_true. intros F. pose proof all_extra as A. unfold over in A. rewrite sum_swap in A.
  assert (H : N.succ (Z.to_N spare) <= sum_over L (fun l => if o l m then extra l m else 0)).
  { apply (average _ (fun l => extra l m) L _ e); [now apply columns_cross|lia|]. intros l Hl O. exact (unaffordable true (b m) F l m Hl Hm O eq_refl). }
  pose proof (sum_ge K (fun m => sum_over L (fun l => if o l m then extra l m else 0)) m Hm) as G. cbv beta in G. lia.
Qed.

Lemma crossing_known l m : In l L -> In m K -> o l m = true -> In ((s l, b m), price_of (s l, b m)) (known_pairs d e spare prices).
Proof.
  intros Hl Hm O. apply known_pairs_In. cbn [fst snd]. split; [now apply price_among|]. split; [now apply row_affordable|]. split; [now apply column_affordable|].
  pose proof (sum_ge L (fun l => sum_over K (fun m => if o l m then extra l m else 0)) l Hl) as G1. cbv beta in G1. fold (over extra) in G1.
  pose proof (sum_ge K (fun m => if o l m then extra l m else 0) m Hm) as G2. cbv beta in G2. rewrite O in G2. pose proof all_extra.
  unfold extra in G2 at 1. lia.
Qed.

Lemma factorial_positive n : 0 < factorial n.
Proof. induction n as [|n IH]; cbn [factorial]; lia. Qed.

Lemma unit_positive level : (0 < unit_of k d e level)%Z.
Proof. unfold unit_of. pose proof (factorial_positive level). pose proof (factorial_positive (k - 1 - level)). assert (0 < N.of_nat d * N.of_nat e) by nia. nia. Qed.

Lemma items_distinct : NoDup items.
Proof.
  apply NoDup_app_both; [apply distinct_images|apply distinct_images|]; auto; try (now intros x y _ _ [= E]).
  intros x H H'. apply in_map_iff in H, H'. destruct H as (y & <- & _), H' as (z & E & _). discriminate.
Qed.

Lemma item_entry p : In p items -> exists a, In a entries /\ is_of fst its a p = true.
Proof.
  intros Hp. apply items_In in Hp. destruct (entry_there k d e spare prices (fst p) (its p) (its_bounded p)) as (a & Ha & E1 & E2).
  { destruct p as [[|] l]; [now apply column_affordable|now apply row_affordable]. }
  exists a. split; [exact Ha|]. apply is_of_spec. split; congruence.
Qed.

Theorem cover_keeps_pair pairs steps : (forall x, In x pairs -> snd x = price_of (fst x)) ->
  (forall l m, In l L -> In m K -> o l m = true -> exists x, In x pairs /\ fst x = (s l, b m)) -> first_is_right k items fst its pairs ->
  pair_refuted k d e spare usual entries pairs steps = false.
Proof.
  intros P C F. apply (pair_not_refuted k d e pairs entries items fst its) with (price := price_of) (loss := loss).
  - apply entry_names.
  - apply entry_size.
  - apply entries_distinct.
  - exact item_entry.
  - exact items_distinct.
  - exact sets_apart.
  - exact sets_never.
  - exact sets_degrees.
  - intros [|]; assumption.
  - exact P.
  - intros p q Hp Hq Cr. apply items_In in Hp, Hq. destruct p as [[|] x], q as [[|] y]; try discriminate; simpl in Hp, Hq.
    + rewrite crosses_column in Cr by assumption. now apply C.
    + rewrite crosses_row in Cr by assumption. now apply C.
  - exact loss_least.
  - apply unit_positive.
  - exact spare_some.
  - rewrite loss_in_all. pose proof (all_costs (level_of pairs)). lia.
  - exact F.
Qed.
End OneCover.

(** ** Any cover *)
Lemma reordered_cover rs rs' : Permutation rs rs' -> covers f code rs -> covers f code rs'.
Proof.
  intros P [Own Cov]. split; [eapply Permutation_Forall; eauto|]. intros x y E. eapply Permutation_Exists; [exact P|]. now apply Cov.
Qed.

Theorem no_pair_refuted pairs : forall proofs rs, covers f code rs -> length rs = k -> (forall x, In x pairs -> snd x = price_of (fst x)) ->
  (forall l m, In l L -> In m K -> o l m = true -> exists x, In x pairs /\ fst x = (size_of k (has rs l), size_of k (lacks rs m))) ->
  each_refuted k d e spare usual entries pairs proofs = false.
Proof.
  induction pairs as [|x rest IH]; intros proofs rs Cov Len P C.
  - exfalso. assert (M : exists m, In m K) by (destruct K as [|m K']; [simpl in K_two; lia|exists m; now left]).
    destruct M as (m & Hm). destruct (columns_crossed m Hm) as (l & Hl & O). destruct (C l m Hl Hm O) as (x & [] & _).
  - destruct proofs as [|steps more]; [reflexivity|]. cbn [each_refuted].
    set (own l m := same_sizes (fst x) (size_of k (has rs l), size_of k (lacks rs m))).
    destruct (existsb (fun l => existsb (fun m => o l m && own l m) K) L) eqn:X.
    + apply existsb_exists in X. destruct X as (l0 & Hl & X). apply existsb_exists in X. destruct X as (m0 & Hm & X). apply andb_true_iff in X. destruct X as [O S].
      unfold own, same_sizes in S. apply andb_true_iff in S. destruct S as [S1 S2]. apply Nat.eqb_eq in S1, S2. cbn [fst snd] in S1, S2.
      assert (I : inside_of (set_in rs (false, l0)) (set_in rs (true, m0)) = true).
      { unfold o in O. rewrite (sets_nested f ks ks_all code L K L_good L_none K_none no_free rs Cov l0 m0 Hl Hm) in O. exact O. }
      destruct (numbered items rs (false, l0) (true, m0) I) as (rs' & Pm & E1 & E2 & W). rewrite Len in E1, E2, W.
      change (set_in rs (false, l0)) with (has rs l0) in *. change (set_in rs (true, m0)) with (lacks rs m0) in *. rewrite <- S1 in E1, W. rewrite <- S2 in E2, W.
      assert (Len' : length rs' = k) by (rewrite <- (Permutation_length Pm); exact Len).
      assert (Same : forall p, size_of k (set_in rs' p) = size_of k (set_in rs p)) by (intros p; rewrite <- Len; symmetry; now apply set_in_permuted).
      rewrite (cover_keeps_pair rs' (reordered_cover _ _ Pm Cov) Len' (x :: rest) steps P); [reflexivity| |].
      * intros l m Hl' Hm' O'. destruct (C l m Hl' Hm' O') as (y & Hy & Ey). exists y. split; [exact Hy|]. rewrite Ey. f_equal; symmetry; [exact (Same (false, l))|exact (Same (true, m))].
      * unfold first_is_right. destruct x as [p c]. cbn [fst] in *. split; [|split; [|exact W]]; apply existsb_exists.
        -- exists (false, l0). split; [now apply items_In|]. cbn [fst Bool.eqb andb]. now apply N.eqb_eq.
        -- exists (true, m0). split; [now apply items_In|]. cbn [fst Bool.eqb andb]. now apply N.eqb_eq.
    + assert (R : each_refuted k d e spare usual entries rest more = false).
      { apply (IH more rs Cov Len); [intros y Hy; apply P; now right|]. intros l m Hl Hm O. destruct (C l m Hl Hm O) as (y & [<-|Hy] & Ey); [exfalso|eauto].
        assert (T : existsb (fun l => existsb (fun m => o l m && own l m) K) L = true); [|congruence].
        apply existsb_exists. exists l. split; [exact Hl|]. apply existsb_exists. exists m. split; [exact Hm|]. rewrite O. unfold own. rewrite Ey. unfold same_sizes. now rewrite !Nat.eqb_refl. }
      rewrite R. now destruct (pair_refuted _ _ _ _ _ _ _ _).
Qed.

Theorem sets_not_refuted proofs rs : covers f code rs -> length rs = k -> sets_refuted k d e (N.of_nat (d * length L)) proofs = false.
Proof.
  intros Cov Len. unfold sets_refuted. cbv zeta. fold prices. fold spare. destruct (_ && _); [|reflexivity].
  apply (no_pair_refuted _ proofs rs Cov Len).
  - intros x Hx. apply known_pairs_In in Hx. destruct Hx as [Hx _]. unfold prices, priced in Hx. apply in_map_iff in Hx. destruct Hx as (p & <- & _). reflexivity.
  - intros l m Hl Hm O. exists ((size_of k (has rs l), size_of k (lacks rs m)), price_of (size_of k (has rs l), size_of k (lacks rs m))).
    split; [now apply crossing_known|reflexivity].
Qed.
End Covered.

(** ** The bound *)
Theorem no_cover_by_clauses_bound t code budget R C proofs v : no_cover_by_clauses t code budget R C proofs = Some v ->
  forall count, rectangles_cover (cell t) (Some code) count -> v <= N.of_nat count.
Proof.
  unfold no_cover_by_clauses. cbv zeta. intros H count (rs & Covered & Le). destruct (regular t) eqn:Reg; [|discriminate].
  pose proof (pick_good (cell t) R _ (row_lines_good t)) as LG. pose proof (pick_good (flip (cell t)) C _ (column_lines_good t Reg)) as KG.
  assert (KB : forall m, In m (pick C (column_lines t)) -> bits C (fst m)) by (intros m Hm; now apply pick_In in Hm).
  set (L := pick R (row_lines t)) in *. set (K := pick C (column_lines t)) in *. destruct (_ && _) in H; [|discriminate].
  assert (Q : v = budget + 1 /\ (2 <= length L)%nat /\ (2 <= length K)%nat /\ exists d e,
    none_nest (codes_of t) code L && none_nest (codes_of t) code K && promised (codes_of t) L C && all_cross (codes_of t) code L K d e && Nat.ltb 1 d && Nat.ltb 1 e = true /\
    sets_refuted (N.to_nat budget) d e (N.of_nat (d * length L)) proofs = true).
  { clear -H. destruct L as [|l [|l' L]], K as [|m [|m' K]]; try discriminate. destruct (_ && _) eqn:G in H; [|discriminate].
    destruct (sets_refuted _ _ _ _ _) eqn:S in H; [|discriminate]. injection H as <-. repeat split; try (simpl; lia). eauto. }
  destruct Q as (-> & L2 & K2 & d & e & G & S). rewrite !andb_true_iff, !Nat.ltb_lt in G. destruct G as (((((NL & NK) & P) & X) & D) & E).
  destruct (N.lt_ge_cases budget (N.of_nat count)) as [Lt|Ge]; [lia|exfalso].
  destruct (cover_of_size (cell t) code rs (N.to_nat budget) Covered ltac:(lia)) as (all_rs & Cover & Len).
  unfold all_cross in X. apply andb_true_iff in X. destruct X as [X1 X2]. rewrite forallb_forall in X1, X2.
  pose proof S as S'. unfold sets_refuted in S'. destruct (_ && _) eqn:Some2 in S'; [|discriminate]. apply andb_true_iff in Some2. destruct Some2 as [S1 S2].
  apply Z.leb_le in S1. apply Z.ltb_lt in S2.
  rewrite (sets_not_refuted (cell t) (codes_of t) (codes_of_all t) code L K LG KG NL NK L2 K2) with (rs := all_rs) in S; try assumption; [discriminate| | |].
  - intros l m Hl Hm. apply (promised_spec (cell t) (codes_of t) L C LG P); [now apply in_map|now apply KB].
  - intros l Hl. now apply Nat.eqb_eq, X1.
  - intros m Hm. now apply Nat.eqb_eq, X2.
Qed.
