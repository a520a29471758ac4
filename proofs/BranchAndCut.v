(** * Covers from below by cases: whether some rectangle has both of two cells, or is in the cover; each case ends with weights

    Rectangles may be taken to be maximal. These are numbered by their columns; an element, a set of cells that some
    rectangle of the cover contains, is the set of those that contain it. A set of rectangles is a number with a lane of
    32 bits for each, of which it has the lowest: what all of them weigh is then a sum of products. *)
From Coq Require Import List Arith Lia Bool NArith ZArith Mergesort Orders Permutation.
From Ccsim Require Import Specification Lines Refutation RefutationSound OneMessage CombinedRows.
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
Definition top : N := 31.
Definition guard : N := 2147483648. (* 2^31 *)

(** Those of some rectangles that are as is asked. *)
Definition marked (asked : N -> bool) (columns : list N) : N :=
  packed (length columns) wide (map (fun C => if asked C then 1 else 0) columns).

Definition case := (list N * N)%type. (* elements, and the rectangles that are allowed *)

Inductive pair_step :=
| Divide (first second : nat) (* whether some rectangle has both of these elements *)
| Choose (place : nat) (* whether this rectangle is in the cover *)
| Weigh (at_most : N) (weights : list N). (* of elements: the end of a case *)

Fixpoint take_out (place : nat) (l : list N) : option (N * list N) :=
  match l, place with
  | [], _ => None
  | a :: rest, O => Some (a, rest)
  | a :: rest, S place => match take_out place rest with Some (b, others) => Some (b, a :: others) | None => None end
  end.

Definition joined (elements : list N) (first second : nat) : option (list N * N) :=
  match take_out second elements with
  | Some (high, rest) =>
      match take_out first rest with
      | Some (low, rest) => let both := N.land low high in Some (rest ++ [both], both)
      | None => None
      end
  | None => None
  end.

Definition alone (place : nat) : N := N.shiftl 1 (wide * N.of_nat place).

(** What each rectangle weighs, in its lane, and what all elements weigh. *)
Fixpoint weighed (elements weights : list N) (sums total : N) : option (N * N) :=
  match elements, weights with
  | [], [] => Some (sums, total)
  | e :: elements, w :: weights =>
      if w =? 0 then weighed elements weights sums total else weighed elements weights (sums + w * e) (total + w)
  | _, _ => None
  end.

Section Cases.
Variables budget every : N. (* and the set of all rectangles *)

Definition too_heavy (elements : list N) (allowed at_most : N) (weights : list N) : bool :=
  match weighed elements weights 0 0 with
  | Some (sums, total) =>
      if (budget * at_most <? total) && (total <? guard) && (at_most <? guard)
      then N.land (N.shiftr (sums + (guard - 1 - at_most) * every) top) allowed =? 0 else false
  | None => false
  end.

(** Every case ends so, depth first. *)
Fixpoint all_end (steps : list pair_step) (open : list case) : bool :=
  match steps, open with
  | [], [] => true
  | Divide first second :: steps, (elements, allowed) :: open =>
      match joined elements first second with
      | Some (together, both) => all_end steps ((together, allowed) :: (elements, N.ldiff allowed both) :: open)
      | None => false
      end
  | Choose place :: steps, (elements, allowed) :: open =>
      let one := N.land every (alone place) in
      if one =? 0 then false else all_end steps ((elements ++ [one], allowed) :: (elements, N.ldiff allowed one) :: open)
  | Weigh at_most weights :: steps, (elements, allowed) :: open =>
      if too_heavy elements allowed at_most weights then all_end steps open else false
  | _, _ => false
  end.
End Cases.

(** In a row, the columns that have the answer or are free. *)
Definition may_be_in (ks : list N) (columns code : N) (l : line) : N := N.ldiff columns (others ks code l).

(** Of each cell, row by row. *)
Definition cell_elements (width : nat) (code : N) (rows : list (line * N)) (columns : list N) : list N :=
  let across := map (fun y => (y, marked (fun C => N.testbit C y) columns)) (indices width) in
  flat_map (fun r =>
    let around_row := marked (fun C => N.ldiff C (snd r) =? 0) columns in
    map (fun a => N.land around_row (snd a)) (filter (fun a => N.testbit (plane code (fst r)) (fst a)) across)) rows.

Definition rows_of (t : table) (code : N) : list (line * N) :=
  let ks := codes_of t in
  map (fun l => (l, may_be_in ks (full (width t)) code l)) (row_lines t).

Definition no_cover_by_pairs (t : table) (code budget : N) (steps : list pair_step) : option N :=
  if regular t then
    let rows := rows_of t code in
    match meets (each_once (map snd rows)) [full (width t)] with
    | Some columns =>
        let every := marked (fun _ => true) columns in
        if all_end budget every steps [(cell_elements (width t) code rows columns, every)] then Some (N.succ budget) else None
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

Lemma lanes_ext count : forall f g, (forall i, (i < count)%nat -> f i = g i) -> lanes count f = lanes count g.
Proof.
  induction count as [|count IH]; intros f g E; [reflexivity|]. cbn [lanes]. rewrite (E O) by lia. do 2 f_equal. apply IH. intros i L. apply E. lia.
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

(** ** Ends of cases *)
Section Ends.
Variable count : nat.

(** Sets of rectangles, and for each of them the rectangles of it. *)
Notation stand_for := (Forall2 (fun e P => e = set_of count P)).

Fixpoint load (sets : list (nat -> bool)) (weights : list N) (i : nat) : N :=
  match sets, weights with P :: sets, w :: weights => w * N.b2n (P i) + load sets weights i | _, _ => 0 end.

Fixpoint all_of (weights : list N) : N := match weights with [] => 0 | w :: rest => w + all_of rest end.

Lemma weighed_spec elements sets : stand_for elements sets -> forall weights start sums total total',
  weighed elements weights (lanes count start) total = Some (sums, total') ->
  length weights = length sets /\ total' = total + all_of weights /\ sums = lanes count (fun i => start i + load sets weights i).
Proof.
  induction 1 as [|e P elements sets -> _ IH]; intros [|w weights] start sums total total' H; try discriminate.
  - injection H as <- <-. repeat split; cbn [all_of load]; [lia|]. apply lanes_ext. intros. lia.
  - cbn [weighed] in H. unfold set_of in H. rewrite lanes_mul, lanes_add in H. destruct (N.eqb_spec w 0) as [->|_]; apply IH in H;
      destruct H as (L & -> & ->); cbn [all_of load length]; (split; [congruence|split; [lia|apply lanes_ext; intros; lia]]).
Qed.

Lemma load_below sets : forall weights i, load sets weights i <= all_of weights.
Proof.
  induction sets as [|P sets IH]; intros [|w weights] i; cbn [load all_of]; try lia. specialize (IH weights i). destruct (P i); cbn [N.b2n]; lia.
Qed.

(** A cover by rectangles that are allowed, such that each element is in one. *)
Definition meets_all (sets : list (nat -> bool)) (allowed : N) (cover : list nat) : Prop :=
  Forall (fun i => (i < count)%nat /\ N.testbit allowed (wide * N.of_nat i) = true) cover /\
  Forall (fun P : nat -> bool => Exists (fun i => P i = true) cover) sets.

Lemma all_loaded sets cover : Forall (fun P : nat -> bool => Exists (fun i => P i = true) cover) sets ->
  forall weights most, length weights = length sets -> (forall i, In i cover -> load sets weights i <= most) ->
  all_of weights <= N.of_nat (length cover) * most.
Proof.
  intros E weights most L M. apply N.le_trans with (fold_right (fun i sum => load sets weights i + sum) 0 cover).
  - clear M. revert weights L. induction E as [|P sets In _ IH]; intros [|w weights] L; try discriminate; [apply N.le_0_l|]. cbn [all_of load].
    specialize (IH weights ltac:(now injection L)). revert IH. generalize (all_of weights) as rest.
    induction In as [i cover H|i cover _ IHc]; intros rest IH; cbn [fold_right] in *.
    + rewrite H. cbn [N.b2n]. clear H. enough (fold_right (fun i sum => load sets weights i + sum) 0 cover <=
        fold_right (fun i sum => w * N.b2n (P i) + load sets weights i + sum) 0 cover) by lia.
      clear. induction cover as [|i cover IH]; cbn [fold_right]; lia.
    + specialize (IHc (rest - load sets weights i) ltac:(lia)). lia.
  - clear E. induction cover as [|i cover IH]; cbn [fold_right length]; [lia|]. rewrite Nat2N.inj_succ.
    pose proof (M i (or_introl eq_refl)). specialize (IH (fun j Hj => M j (or_intror Hj))). lia.
Qed.

Variable budget : N.
Notation every := (set_of count (fun _ => true)).

Lemma too_heavy_sound elements sets allowed at_most weights cover : stand_for elements sets ->
  too_heavy budget every elements allowed at_most weights = true -> meets_all sets allowed cover -> budget < N.of_nat (length cover).
Proof.
  unfold too_heavy. intros S H [A E]. destruct (weighed elements weights 0 0) as [[sums total]|] eqn:W; [|discriminate].
  replace 0 with (lanes count (fun _ => 0)) in W at 1 by (clear; induction count as [|n IH]; [reflexivity|]; cbn [lanes]; rewrite IH; reflexivity).
  apply (weighed_spec _ _ S) in W. destruct W as (L & -> & ->). rewrite N.add_0_l in H.
  destruct ((budget * at_most <? all_of weights) && (all_of weights <? guard) && (at_most <? guard)) eqn:B; [|discriminate].
  rewrite !andb_true_iff, !N.ltb_lt in B. destruct B as [[More Low] Most]. apply N.eqb_eq in H.
  unfold set_of in H. rewrite lanes_mul, lanes_add in H. set (digit := fun i : nat => _) in H.
  assert (Digit : forall i, digit i = load sets weights i + (guard - 1 - at_most)) by (intros i; unfold digit; cbn [N.b2n]; lia).
  assert (K : forall i, In i cover -> load sets weights i <= at_most).
  { intros i Hi. rewrite Forall_forall in A. destruct (A i Hi) as [I T].
    assert (Z : N.testbit (digit i) top = false).
    { rewrite <- (lanes_bit count digit i top); [|intros j; rewrite Digit; pose proof (load_below sets weights j); unfold lane, guard in *; lia|exact I|reflexivity].
      pose proof (f_equal (fun m => N.testbit m (wide * N.of_nat i)) H) as F. cbv beta in F.
      rewrite N.land_spec, T, andb_true_r, N.bits_0, N.shiftr_spec' in F. now rewrite N.add_comm. }
    destruct (N.le_gt_cases (load sets weights i) at_most) as [|G]; [assumption|exfalso].
    specialize (Digit i). pose proof (load_below sets weights i).
    assert (Q : digit i / 2 ^ top = 1) by (symmetry; apply (N.div_unique _ _ 1 (digit i - guard)); change (2 ^ top) with guard; unfold guard in *; lia).
    rewrite <- (N.add_0_l top), <- N.div_pow2_bits, Q in Z. discriminate Z. }
  pose proof (all_loaded sets cover E weights at_most L K). nia.
Qed.

(** ** Cases *)
Lemma take_out_spec elements sets : stand_for elements sets -> forall place e rest, take_out place elements = Some (e, rest) ->
  exists P others, In P sets /\ incl others sets /\ e = set_of count P /\ stand_for rest others.
Proof.
  induction 1 as [|a P elements sets -> F IH]; intros [|place] e rest H; cbn [take_out] in H; try discriminate.
  - injection H as <- <-. exists P, sets. split; [now left|]. split; [intros Q; now right|auto].
  - destruct (take_out place elements) as [[b more]|] eqn:T; [|discriminate]. injection H as <- <-.
    destruct (IH _ _ _ T) as (Q & others & I & J & -> & S). exists Q, (P :: others). split; [now right|].
    split; [intros R [<-|K]; [now left|right; now apply J]|]. split; [reflexivity|]. now constructor.
Qed.

(** Some rectangle of the cover is in a set, which is one more element; or none is. *)
Lemma divided elements sets allowed cover P : stand_for elements sets -> meets_all sets allowed cover ->
  (exists sets', stand_for (elements ++ [set_of count P]) sets' /\ meets_all sets' allowed cover) \/
  (Forall (fun i => (i < count)%nat /\ N.testbit (N.ldiff allowed (set_of count P)) (wide * N.of_nat i) = true) cover).
Proof.
  intros S [A E]. destruct (existsb P cover) eqn:X.
  - left. exists (sets ++ [P]). split; [apply Forall2_app; auto|]. split; [exact A|]. apply Forall_app. split; [exact E|].
    constructor; [|constructor]. apply Exists_exists. apply existsb_exists in X. exact X.
  - right. rewrite Forall_forall in *. intros i Hi. destruct (A i Hi) as [L T0]. split; [exact L|].
    rewrite N.ldiff_spec, T0, set_of_bit by exact L. simpl. destruct (P i) eqn:B; [|reflexivity].
    assert (existsb P cover = true) by (apply existsb_exists; eauto). congruence.
Qed.

Lemma joined_sound elements sets allowed cover first second together both : stand_for elements sets -> meets_all sets allowed cover ->
  joined elements first second = Some (together, both) ->
  (exists sets', stand_for together sets' /\ meets_all sets' allowed cover) \/ meets_all sets (N.ldiff allowed both) cover.
Proof.
  unfold joined. intros S [A E] H. destruct (take_out second elements) as [[high rest]|] eqn:T; [|discriminate].
  destruct (take_out_spec _ _ S _ _ _ T) as (P & left & _ & I & -> & S'). destruct (take_out first rest) as [[low rest']|] eqn:T'; [|discriminate].
  destruct (take_out_spec _ _ S' _ _ _ T') as (Q & left' & _ & I' & -> & S''). rewrite set_of_land in H. injection H as <- <-.
  destruct (divided rest' left' allowed cover (fun i => Q i && P i) S'') as [Together|Apart]; [split; [exact A|]|left; exact Together|right; now split].
  rewrite Forall_forall in *. intros R K. apply E, I, I', K.
Qed.

Definition stands (cover : list nat) (c : case) : Prop := exists sets, stand_for (fst c) sets /\ meets_all sets (snd c) cover.

Lemma all_end_sound cover : N.of_nat (length cover) <= budget -> forall steps open, all_end budget every steps open = true ->
  ~ Exists (stands cover) open.
Proof.
  intros Few. induction steps as [|step steps IH]; intros [|[elements allowed] open] H X; try discriminate; try (destruct step; discriminate).
  - inversion X.
  - destruct step as [first second|place|at_most weights]; cbn [all_end] in H.
    + destruct (joined elements first second) as [[together both]|] eqn:J; [|discriminate]. apply (IH _ H).
      inversion X as [? ? (sets & S & M)|? ? Y]; subst; [|now right; right].
      destruct (joined_sound _ _ _ _ _ _ _ _ S M J) as [(sets' & S' & M')|M']; [left; now exists sets'|right; left; now exists sets].
    + rewrite alone_spec in H. destruct (_ =? 0); [discriminate|]. apply (IH _ H).
      inversion X as [? ? (sets & S & M)|? ? Y]; subst; [|now right; right].
      destruct (divided _ _ _ _ (fun i => Nat.eqb i place) S M) as [(sets' & S' & M')|A]; [left; now exists sets'|].
      right; left. exists sets. split; [exact S|]. split; [exact A|exact (proj2 M)].
    + destruct (too_heavy _ _ _ _ _ _) eqn:W; [|discriminate]. inversion X as [? ? (sets & S & M)|? ? Y]; subst; [|exact (IH _ H Y)].
      pose proof (too_heavy_sound _ _ _ _ _ _ S W M). lia.
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

Lemma elements_stand : exists cells, Forall (fun c => In (fst c) (row_lines t) /\ cell t (fst (fst c)) (snd c) = Some code) cells /\
  Forall2 (fun e P => e = set_of (length columns) P) (cell_elements (width t) code (rows_of t code) columns) (map (fun c => with_cell (fst c) (snd c)) cells).
Proof.
  assert (K : forall L, incl L (row_lines t) -> exists cells,
    Forall (fun c => In (fst c) (row_lines t) /\ cell t (fst (fst c)) (snd c) = Some code) cells /\
    Forall2 (fun e P => e = set_of (length columns) P)
      (cell_elements (width t) code (map (fun l => (l, may_be_here t code l)) L) columns) (map (fun c => with_cell (fst c) (snd c)) cells)).
  { induction L as [|l L IH]; intros I; [exists []; split; constructor|]. destruct IH as (cells & O & S); [intros m Hm; apply I; now right|].
    exists (map (pair l) (filter (N.testbit (plane code l)) (indices (width t))) ++ cells). split.
    - apply Forall_app. split; [|exact O]. apply Forall_map, Forall_forall. intros y Hy. apply filter_In in Hy. destruct Hy as [_ B]. split; [apply I; now left|].
      pose proof (row_lines_good t) as G. rewrite Forall_forall in G. rewrite (G l (I l (or_introl eq_refl))) in B. now apply is_code_spec in B.
    - rewrite map_app. apply Forall2_app; [|exact S]. cbn [fst snd]. generalize (indices (width t)) as ys. induction ys as [|y ys IHy]; [constructor|].
      cbn [map filter fst]. destruct (N.testbit (plane code l) y); [|exact IHy]. cbn [map fst snd]. constructor; [|exact IHy].
      rewrite !marked_spec, set_of_land. reflexivity. }
  exact (K (row_lines t) (incl_refl _)).
Qed.

Lemma maximal_cover rs : covers (cell t) code rs -> exists cover, length cover = length rs /\
  stands (length columns) cover (cell_elements (width t) code (rows_of t code) columns, marked (fun _ => true) columns).
Proof.
  intros [Own Cov]. rewrite Forall_forall in Own.
  assert (Place : forall r, exists i, (i < length columns)%nat /\ nth i columns 0 = around r) by (intros r; exact (In_nth _ _ 0 (around_In r))).
  assert (Places : forall l : list (rectangle N N), exists cover, Forall2 (fun i r => (i < length columns)%nat /\ nth i columns 0 = around r) cover l).
  { induction l as [|r l (cover & IH)]; [now exists []|]. destruct (Place r) as [i Hi]. exists (i :: cover). now constructor. }
  destruct (Places rs) as (cover & F). exists cover. split; [clear -F; induction F; simpl; congruence|].
  destruct elements_stand as (cells & O & S). eexists. split; [exact S|]. cbn [snd]. split.
  - clear -F. induction F as [|i r cover rs [L _] _ IH]; constructor; [|exact IH]. split; [exact L|]. rewrite marked_spec. now apply set_of_bit.
  - apply Forall_map. rewrite Forall_forall in *. intros [l y] Hc. destruct (O _ Hc) as [Hl E]. cbn [fst snd] in *.
    specialize (Cov _ _ E). clear O S. induction F as [|i r cover rs [_ N] _ IH]; inversion Cov as [? ? I|? ? Cov']; subst.
    + left. unfold with_cell. rewrite N. unfold inside in I. apply andb_true_iff in I. destruct I as [Rx Ry]. apply andb_true_iff. split.
      * apply N.eqb_eq, N.bits_inj. intros z. rewrite N.ldiff_spec, N.bits_0. destruct (N.testbit (around r) z) eqn:B; [|reflexivity].
        now rewrite (around_row r l z Hl Rx B).
      * apply around_column; [apply Own; now left|exact Ry|exact (promised_column t t_regular _ _ _ E)].
    + right. apply IH; [intros s Hs; apply Own; now right|exact Cov'].
Qed.
End Cover.

Theorem no_cover_by_pairs_bound t code budget steps v : no_cover_by_pairs t code budget steps = Some v ->
  forall count, rectangles_cover (cell t) (Some code) count -> v <= N.of_nat count.
Proof.
  unfold no_cover_by_pairs. intros H count (rs & C & L). destruct (regular t) eqn:R; [|discriminate].
  assert (Rows : map snd (rows_of t code) = map (may_be_here t code) (row_lines t)) by (unfold rows_of; now rewrite map_map).
  cbv zeta in H. destruct (meets _ _) as [columns|] eqn:M; [|discriminate]. rewrite Rows in M. destruct (all_end _ _ _ _) eqn:E; [|discriminate]. injection H as <-.
  destruct (maximal_cover t code R columns M rs C) as (cover & Len & S).
  destruct (N.le_gt_cases (N.of_nat (length cover)) budget) as [Few|Many]; [exfalso|lia].
  rewrite marked_spec in E at 1. apply (all_end_sound _ budget cover Few _ _ E). now left.
Qed.
