(** * Covers from below by cases: whether a rectangle is in the cover; with inequalities rounded up; each case ends with weights

    Rectangles may be taken to be maximal. These are numbered by their columns. An inequality has a coefficient for each
    of them: those of a cover sum to at least so much. All coefficients of one are a number with a lane of 32 bits for each
    rectangle, so that sums of inequalities are those of numbers; a set of rectangles has the lowest bits of their lanes. *)
From Coq Require Import List Arith Lia Bool NArith ZArith Mergesort Orders Permutation.
From Ccsim Require Import Specification Lines Refutation RefutationSound OneMessage CombinedRows Tries.
Import ListNotations.
Open Scope N_scope.

Module IncreasingNumbers <: TotalLeBool.
  Definition t := N.
  Definition leb := N.leb.
  Theorem leb_total a b : leb a b = true \/ leb b a = true.
  Proof. unfold leb. rewrite !N.leb_le. lia. Qed.
End IncreasingNumbers.
Module Increasing := Sort IncreasingNumbers.

(** ** What the checker computes *)
Fixpoint not_twice (l : list N) : list N :=
  match l with
  | a :: rest => match rest with b :: _ => if a =? b then not_twice rest else a :: not_twice rest | [] => l end
  | [] => []
  end.

Definition each_once (l : list N) : list N := not_twice (Increasing.sort l).

Definition most_maximal : N := 20000.

(** All meets of some masks, in order, unless there are too many. *)
Fixpoint meets (masks found : list N) : option (list N) :=
  match masks with
  | [] => Some found
  | m :: rest =>
      let more := not_twice (Increasing.merge found (Increasing.sort (map (N.land m) found))) in
      if N.of_nat (length more) <=? most_maximal then meets rest more else None
  end.

Definition wide : N := 32.
Definition last_bit : N := 31.
Definition guard : N := 2147483648. (* 2^31 *)

(** Those of some rectangles that are as is asked. *)
Definition marked (asked : N -> bool) (columns : list N) : N :=
  packed (length columns) wide (map (fun C => if asked C then 1 else 0) columns).

(** Those of a cover sum to at least [least]; none is above [top]. *)
Record inequality := Inequality { coefficients : N; least : N; top : N }.

(** The inequalities of a case, also by their places, of which there are fewer than 2^23; and the rectangles that are allowed. *)
Record case := Case { next_place : N; last_first : list inequality; by_place : trie inequality; allowed : N }.

Definition levels : nat := 23.

Definition with_last (c : case) (e : inequality) : case :=
  Case (N.succ (next_place c)) (e :: last_first c) (insert levels (next_place c) e (by_place c)) (allowed c).

Definition without (c : case) (rectangles : N) : case := Case (next_place c) (last_first c) (by_place c) (N.ldiff (allowed c) rectangles).

Inductive case_step :=
| Choose (place : nat) (* whether this rectangle is in the cover *)
| Cut (places : list N) (* what is odd in the sum of these inequalities is rounded up *)
| Weigh (at_most : N) (weights : list N). (* of inequalities: the end of a case *)

Definition nothing : inequality := Inequality 0 0 0.

Definition plus (a b : inequality) : inequality :=
  Inequality (coefficients a + coefficients b) (least a + least b) (top a + top b).

Definition times (weight : N) (a : inequality) : inequality :=
  Inequality (weight * coefficients a) (weight * least a) (weight * top a).

Fixpoint summed (inequalities : trie inequality) (places : list N) (sum : inequality) : option inequality :=
  match places with
  | [] => Some sum
  | place :: places =>
      match lookup levels place inequalities with Some one => summed inequalities places (plus sum one) | None => None end
  end.

Fixpoint weighed (inequalities : list inequality) (weights : list N) (sum : inequality) : option inequality :=
  match inequalities, weights with
  | [], [] => Some sum
  | one :: inequalities, weight :: weights =>
      weighed inequalities weights (if weight =? 0 then sum else plus sum (times weight one))
  | _, _ => None
  end.

Definition alone (place : nat) : N := N.shiftl 1 (wide * N.of_nat place).

Section Cases.
Variables budget every : N. (* and the set of all rectangles *)

Definition rounded_up (sum : inequality) : inequality :=
  Inequality (coefficients sum + N.land (coefficients sum) every) (least sum + N.land (least sum) 1) (top sum + 1).

Definition cut (c : case) (places : list N) : option inequality :=
  match summed (by_place c) places nothing with
  | Some sum => if top sum <? guard then Some (rounded_up sum) else None
  | None => None
  end.

Definition too_heavy (c : case) (at_most : N) (weights : list N) : bool :=
  match weighed (last_first c) (rev_append weights []) nothing with
  | Some sum =>
      if (budget * at_most <? least sum) && (top sum <? guard) && (at_most <? guard)
      then N.land (N.shiftr (coefficients sum + (guard - 1 - at_most) * every) last_bit) (allowed c) =? 0 else false
  | None => false
  end.

(** Every case ends so, depth first. *)
Fixpoint all_end (steps : list case_step) (open : list case) : bool :=
  match steps, open with
  | [], [] => true
  | Choose place :: steps, c :: open =>
      let one := N.land every (alone place) in
      if one =? 0 then false else all_end steps (with_last c (Inequality one 1 1) :: without c one :: open)
  | Cut places :: steps, c :: open =>
      match cut c places with Some one => all_end steps (with_last c one :: open) | None => false end
  | Weigh at_most weights :: steps, c :: open => if too_heavy c at_most weights then all_end steps open else false
  | _, _ => false
  end.
End Cases.

(** In a row, the columns that have the answer or are free. *)
Definition may_be_in (ks : list N) (columns code : N) (l : line) : N := N.ldiff columns (others ks code l).

(** Some rectangle contains each cell, row by row. *)
Definition of_cells (width : nat) (code : N) (rows : list (line * N)) (columns : list N) : list inequality :=
  let across := map (fun y => (y, marked (fun C => N.testbit C y) columns)) (indices width) in
  flat_map (fun r =>
    let around_row := marked (fun C => N.ldiff C (snd r) =? 0) columns in
    map (fun a => Inequality (N.land around_row (snd a)) 1 1) (filter (fun a => N.testbit (plane code (fst r)) (fst a)) across)) rows.

Definition rows_of (t : table) (code : N) : list (line * N) :=
  let ks := codes_of t in
  map (fun l => (l, may_be_in ks (full (width t)) code l)) (row_lines t).

Definition whole_case (inequalities : list inequality) (every : N) : case := fold_left with_last inequalities (Case 0 [] Empty every).

Definition no_cover_by_cases (t : table) (code budget : N) (steps : list case_step) : option N :=
  if regular t then
    let rows := rows_of t code in
    match meets (each_once (map snd rows)) [full (width t)] with
    | Some columns =>
        let every := marked (fun _ => true) columns in
        if all_end budget every steps [whole_case (of_cells (width t) code rows columns) every] then Some (N.succ budget) else None
    | None => None
    end
  else None.

(** ** Lanes *)
Definition lane : N := 4294967296. (* 2^32 *)

Fixpoint lanes (count : nat) (digit : nat -> N) : N :=
  match count with O => 0 | S count => digit O + lane * lanes count (fun i => digit (S i)) end.

Definition set_of (count : nat) (P : nat -> bool) : N := lanes count (fun i => N.b2n (P i)).

Lemma digit_bit a b j : a < lane -> N.testbit (a + lane * b) j = if j <? wide then N.testbit a j else N.testbit b (j - wide).
Proof.
  intros A. change lane with (2 ^ wide) in *. destruct (N.ltb_spec j wide) as [L|G].
  - rewrite <- (N.mod_pow2_bits_low (a + 2 ^ wide * b) wide j L), N.mul_comm, N.mod_add by (now apply N.pow_nonzero).
    now rewrite N.mod_small.
  - replace j with (j - wide + wide) at 1 by lia. rewrite <- N.div_pow2_bits, N.mul_comm, N.div_add by (now apply N.pow_nonzero).
    now rewrite N.div_small.
Qed.

Lemma lanes_bit count : forall digit i k, (forall i, digit i < lane) -> (i < count)%nat -> k < wide ->
  N.testbit (lanes count digit) (k + wide * N.of_nat i) = N.testbit (digit i) k.
Proof.
  induction count as [|count IH]; intros digit i k Low L K; [lia|]. cbn [lanes]. rewrite digit_bit by apply Low.
  destruct i as [|i].
  - rewrite N.mul_0_r, N.add_0_r. now destruct (N.ltb_spec k wide); [|lia].
  - destruct (N.ltb_spec (k + wide * N.of_nat (S i)) wide); [lia|]. replace (k + wide * N.of_nat (S i) - wide) with (k + wide * N.of_nat i) by lia.
    apply (IH (fun i => digit (S i))); [intros; apply Low|lia|exact K].
Qed.

Lemma lanes_add count : forall f g, lanes count f + lanes count g = lanes count (fun i => f i + g i).
Proof. induction count as [|count IH]; intros f g; [reflexivity|]. cbn [lanes]. rewrite <- IH. lia. Qed.

Lemma lanes_mul count : forall w f, w * lanes count f = lanes count (fun i => w * f i).
Proof. induction count as [|count IH]; intros w f; cbn [lanes]; [lia|]. rewrite <- IH. lia. Qed.

Lemma bit_low b : N.b2n b < lane.
Proof. now destruct b. Qed.

Lemma set_of_land count : forall P Q, N.land (set_of count P) (set_of count Q) = set_of count (fun i => P i && Q i).
Proof.
  induction count as [|count IH]; intros P Q; [reflexivity|]. unfold set_of in *. cbn [lanes]. rewrite <- IH. apply N.bits_inj. intros j.
  rewrite N.land_spec, !digit_bit by apply bit_low. destruct (j <? wide); [|now rewrite N.land_spec].
  rewrite <- N.land_spec. f_equal. now destruct (P O), (Q O).
Qed.

Lemma set_of_bit count P i : (i < count)%nat -> N.testbit (set_of count P) (wide * N.of_nat i) = P i.
Proof.
  intros L. rewrite <- (N.add_0_l (wide * _)). unfold set_of. rewrite lanes_bit; [now destruct (P i)|intros; apply bit_low|exact L|reflexivity].
Qed.

Lemma land_lane a b x y : a < lane -> b < lane -> N.land a b < lane ->
  N.land (a + lane * x) (b + lane * y) = N.land a b + lane * N.land x y.
Proof.
  intros A B C. apply N.bits_inj. intros j. rewrite N.land_spec, !digit_bit by assumption. destruct (j <? wide); now rewrite N.land_spec.
Qed.

Lemma low_bit n : N.land n 1 = n mod 2.
Proof. exact (N.land_ones n 1). Qed.

Lemma low_bits count : forall f, (forall i, f i < lane) ->
  N.land (lanes count f) (set_of count (fun _ => true)) = lanes count (fun i => N.land (f i) 1).
Proof.
  induction count as [|count IH]; intros f L; [reflexivity|]. unfold set_of in *. cbn [lanes]. rewrite land_lane.
  - rewrite (IH (fun i => f (S i))) by (intros i; apply L). reflexivity.
  - apply L.
  - reflexivity.
  - cbn [N.b2n]. rewrite low_bit. apply N.lt_trans with 2; [now apply N.mod_lt|reflexivity].
Qed.

Lemma alone_spec count : forall place, N.land (set_of count (fun _ => true)) (alone place) = set_of count (fun i => Nat.eqb i place).
Proof.
  induction count as [|count IH]; intros place; [reflexivity|]. unfold set_of in *. cbn [lanes]. destruct place as [|place].
  - change (alone 0) with (1 + lane * 0). rewrite land_lane by reflexivity. rewrite N.land_0_r. f_equal. f_equal.
    change (0 = lanes count (fun _ => 0)). clear. induction count as [|count IH]; [reflexivity|]. cbn [lanes]. rewrite <- IH. reflexivity.
  - replace (alone (S place)) with (0 + lane * alone place).
    + rewrite land_lane by reflexivity. rewrite IH. reflexivity.
    + unfold alone. rewrite !N.shiftl_mul_pow2, Nat2N.inj_succ, N.mul_succ_r, N.pow_add_r. change (2 ^ wide) with lane. lia.
Qed.

Lemma marked_spec asked columns : marked asked columns = set_of (length columns) (fun i => asked (nth i columns 0)).
Proof.
  unfold marked. apply N2Z.inj. rewrite packed_value. change (base_of wide) with (Z.of_N lane).
  induction columns as [|C rest IH]; [reflexivity|]. unfold set_of in *. cbn [map value_of_digits length lanes nth].
  rewrite IH, N2Z.inj_add, N2Z.inj_mul. now destruct (asked C).
Qed.

(** ** Inequalities *)
Section Ends.
Variable count : nat. (* of rectangles *)
Variable cover : list nat.

Definition total (f : nat -> N) : N := fold_right (fun i sum => f i + sum) 0 cover.

Lemma total_le f g : (forall i, In i cover -> f i <= g i) -> total f <= total g.
Proof.
  unfold total. clear. induction cover as [|i l IH]; cbn [fold_right]; intros H; [lia|].
  pose proof (H i (or_introl eq_refl)). specialize (IH (fun j J => H j (or_intror J))). lia.
Qed.

Lemma total_add f g : total (fun i => f i + g i) = total f + total g.
Proof. unfold total. clear. induction cover as [|i l IH]; cbn [fold_right]; [lia|]. rewrite IH. lia. Qed.

Lemma total_times w f : total (fun i => w * f i) = w * total f.
Proof. unfold total. clear. induction cover as [|i l IH]; cbn [fold_right]; [lia|]. rewrite IH. lia. Qed.

Lemma total_constant most : total (fun _ => most) = N.of_nat (length cover) * most.
Proof. unfold total. clear. induction cover as [|i l IH]; cbn [fold_right length]; [lia|]. rewrite IH. lia. Qed.

(** An inequality that is true of the cover. *)
Definition true_of (e : inequality) : Prop :=
  exists f, coefficients e = lanes count f /\ (forall i, f i <= top e) /\ least e <= total f.

Lemma nothing_true : true_of nothing.
Proof.
  exists (fun _ => 0). split; [|split; [intros i; reflexivity|apply N.le_0_l]]. cbn [nothing coefficients]. clear.
  induction count as [|n IH]; [reflexivity|]. cbn [lanes]. rewrite <- IH. reflexivity.
Qed.

Lemma plus_true a b : true_of a -> true_of b -> true_of (plus a b).
Proof.
  intros (f & Cf & Tf & Lf) (g & Cg & Tg & Lg). exists (fun i => f i + g i). cbn [plus coefficients least top]. split; [|split].
  - now rewrite Cf, Cg, lanes_add.
  - intros i. now apply N.add_le_mono.
  - rewrite total_add. now apply N.add_le_mono.
Qed.

Lemma times_true w a : true_of a -> true_of (times w a).
Proof.
  intros (f & C & T & L). exists (fun i => w * f i). cbn [times coefficients least top]. split; [|split].
  - now rewrite C, lanes_mul.
  - intros i. now apply N.mul_le_mono_l.
  - rewrite total_times. now apply N.mul_le_mono_l.
Qed.

Lemma in_set_true P : Exists (fun i => P i = true) cover -> true_of (Inequality (set_of count P) 1 1).
Proof.
  intros E. exists (fun i => N.b2n (P i)). split; [reflexivity|]. split; [intros i; cbn [top]; now destruct (P i)|]. cbn [least]. unfold total. clear -E.
  induction E as [i l H|i l _ IH]; cbn [fold_right]; [rewrite H|]; cbn [N.b2n]; lia.
Qed.

Notation every := (set_of count (fun _ => true)).

Lemma up_even n : n + N.land n 1 = 2 * ((n + 1) / 2).
Proof.
  rewrite low_bit. pose proof (N.div_mod n 2 ltac:(discriminate)) as D. pose proof (N.mod_lt n 2 ltac:(discriminate)) as M.
  revert D M. generalize (n / 2) (n mod 2). intros half rest D M. rewrite <- (N.div_unique (n + 1) 2 (half + rest) (1 - rest)); lia.
Qed.

(** All rectangles of the cover are counted as often as they are whole. *)
Lemma rounded_up_true sum : top sum < guard -> true_of sum -> true_of (rounded_up every sum).
Proof.
  intros Low (f & C & T & L).
  assert (Bit : forall n, N.land n 1 <= 1) by (intros n; rewrite low_bit; pose proof (N.mod_lt n 2 ltac:(discriminate)); lia).
  exists (fun i => f i + N.land (f i) 1). cbn [rounded_up coefficients least top]. split; [|split].
  - rewrite C, low_bits, lanes_add; [reflexivity|]. intros i. specialize (T i). unfold lane, guard in *. lia.
  - intros i. now apply N.add_le_mono.
  - apply N.le_trans with (total (fun i => 2 * ((f i + 1) / 2))).
    + assert (K : total f <= total (fun i => 2 * ((f i + 1) / 2))) by (apply total_le; intros i _; rewrite <- up_even; lia).
      rewrite total_times in *. rewrite up_even. apply N.mul_le_mono_l. set (whole := total _) in *.
      apply N.lt_succ_r, N.div_lt_upper_bound; [discriminate|]. lia.
    + apply total_le. intros i _. now rewrite <- up_even.
Qed.

Notation all_true := (all (fun _ => true_of)).

Lemma summed_true inequalities : all_true inequalities -> forall places start sum, true_of start ->
  summed inequalities places start = Some sum -> true_of sum.
Proof.
  intros A. induction places as [|place places IH]; intros start sum S H; cbn [summed] in H; [now injection H as <-|].
  destruct (lookup levels place inequalities) as [one|] eqn:E; [|discriminate]. refine (IH _ _ _ H). apply plus_true; [exact S|].
  exact (all_lookup (fun _ => true_of) place levels inequalities A E).
Qed.

Lemma cut_true c places one : all_true (by_place c) -> cut every c places = Some one -> true_of one.
Proof.
  unfold cut. intros A H. destruct (summed _ _ _) as [sum|] eqn:S; [|discriminate]. destruct (N.ltb_spec (top sum) guard) as [L|]; [|discriminate].
  injection H as <-. apply rounded_up_true; [exact L|]. exact (summed_true _ A _ _ _ nothing_true S).
Qed.

Lemma weighed_true inequalities : Forall true_of inequalities -> forall weights start sum, true_of start ->
  weighed inequalities weights start = Some sum -> true_of sum.
Proof.
  induction 1 as [|one inequalities T _ IH]; intros [|w weights] start sum S H; cbn [weighed] in H; try discriminate; [now injection H as <-|].
  refine (IH _ _ _ _ H). destruct (w =? 0); [exact S|now apply plus_true, times_true].
Qed.

(** ** Ends of cases *)
Definition in_lanes (allowed : N) : Prop := Forall (fun i => (i < count)%nat /\ N.testbit allowed (wide * N.of_nat i) = true) cover.

Variable budget : N.

Lemma too_heavy_sound c at_most weights : Forall true_of (last_first c) -> in_lanes (allowed c) ->
  too_heavy budget every c at_most weights = true -> budget < N.of_nat (length cover).
Proof.
  unfold too_heavy. intros E A H. destruct (weighed _ _ _) as [sum|] eqn:W; [|discriminate].
  destruct (weighed_true _ E _ _ _ nothing_true W) as (f & C & T & L).
  destruct ((budget * at_most <? least sum) && (top sum <? guard) && (at_most <? guard)) eqn:B; [|discriminate].
  rewrite !andb_true_iff, !N.ltb_lt in B. destruct B as [[More Low] Most]. apply N.eqb_eq in H.
  unfold set_of in H. rewrite C, lanes_mul, lanes_add in H. set (digit := fun i : nat => _) in H.
  assert (Digit : forall i, digit i = f i + (guard - 1 - at_most)) by (intros i; unfold digit; cbn [N.b2n]; lia).
  assert (K : forall i, In i cover -> f i <= at_most).
  { intros i Hi. unfold in_lanes in A. rewrite Forall_forall in A. destruct (A i Hi) as [I B].
    assert (Z : N.testbit (digit i) last_bit = false).
    { rewrite <- (lanes_bit count digit i last_bit); [|intros j; rewrite Digit; specialize (T j); unfold lane, guard in *; lia|exact I|reflexivity].
      pose proof (f_equal (fun m => N.testbit m (wide * N.of_nat i)) H) as F. cbv beta in F.
      rewrite N.land_spec, B, andb_true_r, N.bits_0, N.shiftr_spec' in F. now rewrite N.add_comm. }
    destruct (N.le_gt_cases (f i) at_most) as [|G]; [assumption|exfalso]. specialize (Digit i). specialize (T i).
    assert (Q : digit i / 2 ^ last_bit = 1) by (symmetry; apply (N.div_unique _ _ 1 (digit i - guard)); change (2 ^ last_bit) with guard; unfold guard in *; lia).
    rewrite <- (N.add_0_l last_bit), <- N.div_pow2_bits, Q in Z. discriminate Z. }
  pose proof (total_le f (fun _ => at_most) K) as U. rewrite total_constant in U. nia.
Qed.

(** ** Cases *)
Definition stands (c : case) : Prop := Forall true_of (last_first c) /\ all_true (by_place c) /\ in_lanes (allowed c).

Lemma with_last_stands c e : stands c -> true_of e -> stands (with_last c e).
Proof. intros (F & A & I) T. split; [now constructor|]. split; [now apply all_insert|exact I]. Qed.

Lemma whole_case_stands inequalities : in_lanes every -> Forall true_of inequalities -> stands (whole_case inequalities every).
Proof.
  unfold whole_case. intros I F. assert (S : stands (Case 0 [] Empty every)) by (split; [constructor|split; [exact Logic.I|exact I]]).
  revert S. generalize (Case 0 [] Empty every). induction F as [|e inequalities T _ IH]; intros c S; [exact S|]. now apply IH, with_last_stands.
Qed.

(** A rectangle is in the cover, or not allowed. *)
Lemma divided c place : stands c -> let one := set_of count (fun i => Nat.eqb i place) in
  stands (with_last c (Inequality one 1 1)) \/ stands (without c one).
Proof.
  intros S one. destruct (existsb (fun i => Nat.eqb i place) cover) eqn:X.
  - left. apply with_last_stands; [exact S|]. apply in_set_true. apply existsb_exists in X. now apply Exists_exists.
  - right. destruct S as (F & T & A). split; [exact F|]. split; [exact T|]. unfold in_lanes in *. cbn [without allowed]. rewrite Forall_forall in *.
    intros i Hi. destruct (A i Hi) as [L B]. split; [exact L|].
    unfold one. rewrite N.ldiff_spec, B, set_of_bit by exact L. simpl. destruct (Nat.eqb i place) eqn:Q; [|reflexivity].
    assert (existsb (fun i => Nat.eqb i place) cover = true) by (apply existsb_exists; eauto). congruence.
Qed.

Lemma all_end_sound : N.of_nat (length cover) <= budget -> forall steps open, all_end budget every steps open = true ->
  ~ Exists stands open.
Proof.
  intros Few. induction steps as [|step steps IH]; intros [|c open] H X; try discriminate; try (destruct step; discriminate).
  - inversion X.
  - destruct step as [place|places|at_most weights]; cbn [all_end] in H.
    + rewrite alone_spec in H. destruct (_ =? 0); [discriminate|]. apply (IH _ H).
      inversion X as [? ? S|? ? Y]; subst; [|now right; right]. destruct (divided c place S) as [In|Out]; [now left|now right; left].
    + destruct (cut _ _ _) as [one|] eqn:C; [|discriminate]. apply (IH _ H).
      inversion X as [? ? S|? ? Y]; subst; [left|now right]. apply with_last_stands; [exact S|]. exact (cut_true _ _ _ (proj1 (proj2 S)) C).
    + destruct (too_heavy _ _ _ _ _) eqn:W; [|discriminate]. inversion X as [? ? (F & _ & A)|? ? Y]; subst; [|exact (IH _ H Y)].
      pose proof (too_heavy_sound _ _ _ F A W). lia.
Qed.
End Ends.

(** ** Maximal rectangles *)
Lemma not_twice_In a l : In a l -> In a (not_twice l).
Proof.
  induction l as [|b l IH]; intros H; [elim H|]. cbn [not_twice]. destruct l as [|c l]; [exact H|].
  destruct (N.eqb_spec b c) as [->|_]; [apply IH; destruct H as [->|H]; [now left|exact H]|]. destruct H as [->|H]; [now left|right; now apply IH].
Qed.

Lemma each_once_In a l : In a l -> In a (each_once l).
Proof. intros H. apply not_twice_In. exact (Permutation_in a (Increasing.Permuted_sort l) H). Qed.

Definition met (keep : N -> bool) (masks : list N) (start : N) : N := fold_left (fun C m => if keep m then N.land m C else C) masks start.

Lemma meets_In keep masks : forall found all start, meets masks found = Some all -> In start found -> In (met keep masks start) all.
Proof.
  induction masks as [|m masks IH]; intros found all start H I; cbn [meets] in H; [injection H as <-; exact I|].
  destruct (_ <=? most_maximal); [|discriminate]. unfold met. cbn [fold_left]. apply (IH _ _ _ H), not_twice_In.
  apply (Permutation_in _ (Increasing.Permuted_merge _ _)), in_app_iff.
  destruct (keep m); [right; apply (Permutation_in _ (Increasing.Permuted_sort _)); now apply in_map|now left].
Qed.

Lemma met_bit keep masks y : forall start, N.testbit (met keep masks start) y = true <->
  N.testbit start y = true /\ forall m, In m masks -> keep m = true -> N.testbit m y = true.
Proof.
  unfold met. induction masks as [|m masks IH]; intros start; cbn [fold_left]; [firstorder|]. rewrite IH. destruct (keep m) eqn:K.
  - rewrite N.land_spec, andb_true_iff. split.
    + intros [[Bm B] H]. split; [exact B|]. intros m' [<-|I] K'; [exact Bm|now apply H].
    + intros [B H]. split; [split; [apply (H m); [now left|exact K]|exact B]|]. intros m' I. apply H. now right.
  - split; intros [B H]; (split; [exact B|]); [intros m' [<-|I] K'; [congruence|now apply H]|intros m' I; apply H; now right].
Qed.

Notation may_be_here t code := (may_be_in (codes_of t) (full (width t)) code).

Lemma may_be_in_spec t code l y c : regular t = true -> In l (row_lines t) -> cell t (fst l) y = Some c ->
  (N.testbit (may_be_here t code l) y = true <-> c = code).
Proof.
  intros R Hl E. pose proof (row_lines_good t) as G. rewrite Forall_forall in G. specialize (G l Hl). unfold may_be_in. rewrite N.ldiff_spec, andb_true_iff, negb_true_iff.
  split.
  - intros [_ O]. destruct (N.eq_dec c code) as [|Ne]; [assumption|]. rewrite (others_complete (cell t) (codes_of t) (codes_of_all t) code l y c G E Ne) in O. discriminate.
  - intros ->. split; [exact (promised_column t R _ _ _ E)|]. apply not_true_is_false. intros O.
    destruct (others_spec (cell t) (codes_of t) code l y G O) as (b & F & Ne). congruence.
Qed.

Section Cover.
Variable t : table.
Variable code : N.
Hypothesis t_regular : regular t = true.
Variable columns : list N.
Hypothesis all_meets : meets (each_once (map (may_be_here t code) (row_lines t))) [full (width t)] = Some columns.

(** The columns of a maximal rectangle around one: what its rows have in common. *)
Definition keeps (r : rectangle N N) (m : N) : bool := existsb (fun l => fst r (fst l) && (may_be_here t code l =? m)) (row_lines t).
Definition around (r : rectangle N N) : N := met (keeps r) (each_once (map (may_be_here t code) (row_lines t))) (full (width t)).

Lemma around_In r : In (around r) columns.
Proof. apply (meets_In _ _ _ _ _ all_meets). now left. Qed.

Lemma around_row r l y : In l (row_lines t) -> fst r (fst l) = true -> N.testbit (around r) y = true -> N.testbit (may_be_here t code l) y = true.
Proof.
  intros Hl Rx H. apply met_bit in H. apply H; [now apply each_once_In, in_map|]. apply existsb_exists. exists l. now rewrite Rx, N.eqb_refl.
Qed.

Lemma around_column r y : has_answer (cell t) code r -> snd r y = true -> bits (full (width t)) y -> N.testbit (around r) y = true.
Proof.
  intros Own Ry Full. apply met_bit. split; [exact Full|]. intros m _ K. apply existsb_exists in K. destruct K as (l & Hl & K).
  apply andb_true_iff in K. destruct K as [Rx K]. apply N.eqb_eq in K. subst m. pose proof (row_lines_good t) as G. rewrite Forall_forall in G.
  destruct (cell t (fst l) y) as [c|] eqn:E.
  - apply (may_be_in_spec t code l y c t_regular Hl E). apply (Own (fst l) y); [|exact E]. unfold inside. now rewrite Rx, Ry.
  - unfold may_be_in. rewrite N.ldiff_spec, Full. simpl. apply negb_true_iff, not_true_is_false. intros O.
    destruct (others_spec (cell t) (codes_of t) code l y (G l Hl) O) as (b & F & _). congruence.
Qed.

(** The rectangles that contain a cell. *)
Definition with_cell (l : line) (y : N) (i : nat) : bool := (N.ldiff (nth i columns 0) (may_be_here t code l) =? 0) && N.testbit (nth i columns 0) y.

Lemma of_cells_In e : In e (of_cells (width t) code (rows_of t code) columns) ->
  exists l y, In l (row_lines t) /\ cell t (fst l) y = Some code /\ e = Inequality (set_of (length columns) (with_cell l y)) 1 1.
Proof.
  unfold of_cells, rows_of. intros H. apply in_flat_map in H. destruct H as (r & Hr & H). apply in_map_iff in Hr. destruct Hr as (l & <- & Hl).
  apply in_map_iff in H. destruct H as (a & <- & H). apply filter_In in H. destruct H as [Ha B]. apply in_map_iff in Ha. destruct Ha as (y & <- & _).
  cbn [fst snd] in *. exists l, y. split; [exact Hl|]. split.
  - pose proof (row_lines_good t) as G. rewrite Forall_forall in G. rewrite (G l Hl) in B. now apply is_code_spec in B.
  - rewrite !marked_spec, set_of_land. reflexivity.
Qed.

Lemma maximal_cover rs : covers (cell t) code rs -> exists cover, length cover = length rs /\
  stands (length columns) cover (whole_case (of_cells (width t) code (rows_of t code) columns) (marked (fun _ => true) columns)).
Proof.
  intros [Own Cov]. rewrite Forall_forall in Own.
  assert (Place : forall r, exists i, (i < length columns)%nat /\ nth i columns 0 = around r) by (intros r; exact (In_nth _ _ 0 (around_In r))).
  assert (Places : forall l : list (rectangle N N), exists cover, Forall2 (fun i r => (i < length columns)%nat /\ nth i columns 0 = around r) cover l).
  { induction l as [|r l (cover & IH)]; [now exists []|]. destruct (Place r) as [i Hi]. exists (i :: cover). now constructor. }
  destruct (Places rs) as (cover & F). exists cover. split; [clear -F; induction F; simpl; congruence|].
  rewrite marked_spec. apply whole_case_stands.
  - clear -F. induction F as [|i r cover rs [L _] _ IH]; constructor; [|exact IH]. split; [exact L|]. now apply set_of_bit.
  - apply Forall_forall. intros e He. destruct (of_cells_In e He) as (l & y & Hl & E & ->). apply in_set_true.
    specialize (Cov _ _ E). clear He. induction F as [|i r cover rs [_ N] _ IH]; inversion Cov as [? ? I|? ? Cov']; subst.
    + left. unfold with_cell. rewrite N. unfold inside in I. apply andb_true_iff in I. destruct I as [Rx Ry]. apply andb_true_iff. split.
      * apply N.eqb_eq, N.bits_inj. intros z. rewrite N.ldiff_spec, N.bits_0. destruct (N.testbit (around r) z) eqn:B; [|reflexivity].
        now rewrite (around_row r l z Hl Rx B).
      * apply around_column; [apply Own; now left|exact Ry|exact (promised_column t t_regular _ _ _ E)].
    + right. apply IH; [intros s Hs; apply Own; now right|exact Cov'].
Qed.
End Cover.

Theorem no_cover_by_cases_bound t code budget steps v : no_cover_by_cases t code budget steps = Some v ->
  forall count, rectangles_cover (cell t) (Some code) count -> v <= N.of_nat count.
Proof.
  unfold no_cover_by_cases. intros H count (rs & C & L). destruct (regular t) eqn:R; [|discriminate].
  assert (Rows : map snd (rows_of t code) = map (may_be_here t code) (row_lines t)) by (unfold rows_of; now rewrite map_map).
  cbv zeta in H. destruct (meets _ _) as [columns|] eqn:M; [|discriminate]. rewrite Rows in M. destruct (all_end _ _ _ _) eqn:E; [|discriminate]. injection H as <-.
  destruct (maximal_cover t code R columns M rs C) as (cover & Len & S).
  destruct (N.le_gt_cases (N.of_nat (length cover)) budget) as [Few|Many]; [exfalso|lia].
  rewrite marked_spec in E at 1. apply (all_end_sound _ cover budget Few _ _ E). now left.
Qed.
