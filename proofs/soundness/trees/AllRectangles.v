(** * Leaves and bits from below by all rectangles: one that is no leaf is split in two, by either party, and costs what both
    halves do. For functions and for relations

    A table has a number for each rectangle. It is no larger than what the rectangle costs, if it is none for leaves, and for no
    split larger than what the halves have. That is looked at, whoever found the table. *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Trees Lines SplitSets CombinedRows Lanes.
Import ListNotations.
Open Scope N_scope.

(** What is counted: leaves, or bits. *)
Definition joined (leaves : bool) (v w : N) : N := if leaves then v + w else N.succ (N.max v w).
Definition of_leaf (leaves : bool) : N := if leaves then 1 else 0.

(** ** The program *)
Fixpoint subset_of (c ok : lines_set) : bool :=
  match c, ok with one :: c, good :: ok => (negb one || good) && subset_of c ok | _, _ => true end.

(** A leaf: in each of some lists, a set that it is within. *)
Definition is_leaf (sets : list (list lines_set)) (c : lines_set) : bool := forallb (existsb (subset_of c)) sets.

Section Program.
Variable size : N. (* the bits of a number *)
Variable counts_leaves : bool. (* or bits *)

(** With what a number leaves below the guard, two halves have the guard's bit in the lanes where it is no larger than what they have. *)
Definition fits (room v w : N) : N := if counts_leaves then v + w + room else N.lor (v + room) (w + room).

Definition full_lane : N := if counts_leaves then guard_bit size else N.succ (guard_bit size).

Fixpoint both_all {A B} (f : A -> B -> bool) (l : list A) (l' : list B) : bool :=
  match l, l' with a :: l, b :: l' => if f a b then both_all f l l' else false | _, _ => true end.

Definition split_fits (guard full : N) (tree : values N) (set : lines_set) (row : N) : bool :=
  if existsb (fun one => one) set then
    match half_split (fits (full - row)) N.land set tree with Some best => N.land guard best =? guard | None => false end
  else true.

Definition splits_fit (k count : nat) (packs : list N) : bool :=
  both_all (split_fits (in_lanes size (guards size count)) (in_lanes size (repeat full_lane count)) (fst (tree_of k packs))) (all_sets_of k) packs.

(** In the lanes of the sets within one, bits that no leaf's number has. *)
Definition no_leaf_bits : N := N.ldiff (N.ones (bits size)) (of_leaf counts_leaves).

Fixpoint lanes_within (n : nat) (ok : lines_set) : N :=
  match n with
  | O => no_leaf_bits
  | S n => let rest := lanes_within n (tl ok) in if hd true ok then N.lor rest (N.shiftl rest (cut size n)) else rest
  end.

Definition leaf_lanes (n : nat) (sets : list (list lines_set)) : N :=
  fold_right (fun options => N.land (fold_right (fun ok => N.lor (lanes_within n ok)) 0 options)) (lanes_within n []) sets.

Definition leaves_fit (sets : lines_set -> list (list lines_set)) (m n : nat) (packs : list N) : bool :=
  both_all (fun r pack => N.land (leaf_lanes n (sets r)) pack =? 0) (all_sets_of m) packs.

(** A number for each set of rows, with a lane for each set of columns. *)
Definition least_of_all (sets : lines_set -> list (list lines_set)) (m n : nat) (packs : list N) : option N :=
  if Nat.eqb (length packs) (2 ^ m) && forallb (short_lanes size (2 ^ n)) packs && leaves_fit sets m n packs &&
     splits_fit m (2 ^ n) packs && splits_fit n (2 ^ m) (turned size n packs)
  then Some (digit_at size (place_of (all_lines n)) (nth (place_of (all_lines m)) packs 0)) else None.

(** ** What it looks at *)
Notation short := (short size).
Notation lanes := (lanes size).
Notation guards := (guards size).
Notation guard_bit := (guard_bit size).

Ltac sizes := pose proof (lane_is size) as (? & ? & ?); lia.

Definition at_lines (rows : list (list N)) (r c : lines_set) : N := nth (place_of c) (nth (place_of r) rows []) 0.

Definition well_sized (count width : nat) (rows : list (list N)) : Prop :=
  length rows = count /\ Forall (fun row => length row = width /\ Forall (fun d => d < short) row) rows.

Definition unpacked (n : nat) (packs : list N) : list (list N) := map (digits size (2 ^ n)) packs.

Lemma unpacked_well count n packs : length packs = count -> forallb (short_lanes size (2 ^ n)) packs = true ->
  well_sized count (2 ^ n) (unpacked n packs) /\ packs = map lanes (unpacked n packs).
Proof.
  rewrite forallb_forall. intros L F. split; [split; [unfold unpacked; now rewrite map_length|]|].
  - apply Forall_forall. intros row R. apply in_map_iff in R. destruct R as (p & <- & P). split; [apply digits_length|]. now apply short_lanes_spec, F.
  - unfold unpacked. rewrite map_map. rewrite <- (map_id packs) at 1. apply map_ext_in. intros p P. now apply short_lanes_spec, F.
Qed.

Lemma short_low row : Forall (fun d => d < short) row -> low size row.
Proof. intros F. eapply Forall_impl; [|exact F]. intros d D. cbv beta in D. sizes. Qed.

Lemma row_of count width rows i : well_sized count width rows -> (i < count)%nat -> nth_error rows i = Some (nth i rows []) /\
  length (nth i rows []) = width /\ forall j, nth j (nth i rows []) 0 < short.
Proof.
  intros [L F] I. subst count. split; [now apply nth_error_nth'|]. rewrite Forall_forall in F. destruct (F (nth i rows []) (nth_In _ _ I)) as [W D].
  split; [exact W|]. intros j. destruct (nth_in_or_default j (nth i rows []) 0) as [J|J]; [|rewrite J; pose proof (lane_is size) as (? & ? & ?); lia].
  rewrite Forall_forall in D. now apply D.
Qed.

Lemma both_all_nth {A B} (f : A -> B -> bool) l : forall l' i a b, both_all f l l' = true -> nth_error l i = Some a -> nth_error l' i = Some b -> f a b = true.
Proof.
  induction l as [|a l IH]; intros [|b l'] [|i] x y H X Y; cbn [nth_error both_all] in *; try discriminate; destruct (f a b) eqn:E; try discriminate; [congruence|eauto].
Qed.

Lemma land_trans u v w : N.land u v = u -> N.land v w = v -> N.land u w = u.
Proof. intros A B. now rewrite <- A, <- N.land_assoc, B. Qed.

Lemma land_first v w : N.land (N.land v w) v = N.land v w.
Proof. now rewrite (N.land_comm v w), <- N.land_assoc, N.land_diag. Qed.

Lemma land_second v w : N.land (N.land v w) w = N.land v w.
Proof. now rewrite <- N.land_assoc, N.land_diag. Qed.

Lemma fits_comm room v w : fits room v w = fits room w v.
Proof. unfold fits. destruct counts_leaves; [now rewrite (N.add_comm v w)|now rewrite N.lor_comm]. Qed.

Definition room_above (row : list N) : list N := map (fun d => full_lane - d) row.

Lemma room_nth row i : (i < length row)%nat -> nth i (room_above row) 0 = full_lane - nth i row 0.
Proof.
  intros L. unfold room_above. set (g := fun d => _ - d). rewrite (nth_indep _ 0 (g 0)) by (now rewrite map_length). now rewrite map_nth.
Qed.

Lemma room_lanes row : (forall j, nth j row 0 < short) -> lanes (repeat (full_lane) (length row)) - lanes row = lanes (room_above row).
Proof.
  intros S. enough (lanes (repeat (full_lane) (length row)) = lanes row + lanes (room_above row)) by lia.
  unfold room_above. induction row as [|d row IH]; [reflexivity|]. cbn [repeat length map lanes]. rewrite IH by (intros j; exact (S (Datatypes.S j))).
  pose proof (S O) as B. cbn [nth] in B. assert (d <= full_lane) by (unfold full_lane; destruct counts_leaves; sizes). lia.
Qed.

(** In lanes of rows of one length, of short numbers. *)
Lemma fits_each count own v w i : length own = count -> length v = count -> length w = count -> (i < count)%nat ->
  (forall j, nth j own 0 < short) -> (forall j, nth j v 0 < short) -> (forall j, nth j w 0 < short) ->
  N.land (lanes (guards count)) (fits (lanes (repeat (full_lane) count) - lanes own) (lanes v) (lanes w)) = lanes (guards count) ->
  nth i own 0 <= joined counts_leaves (nth i v 0) (nth i w 0).
Proof.
  intros Lo Lv Lw I So Sv Sw E. rewrite <- Lo in E at 2. rewrite room_lanes in E by exact So. set (room := room_above own) in *.
  assert (Lr : length room = count) by (unfold room, room_above; now rewrite map_length).
  assert (R : nth i room 0 = full_lane - nth i own 0) by (apply room_nth; now rewrite Lo).
  assert (Rb : forall j, nth j room 0 <= full_lane).
  { intros j. destruct (lt_dec j count) as [J|J]; [unfold room; rewrite room_nth by (now rewrite Lo); lia|rewrite nth_overflow by lia; lia]. }
  specialize (So i) as Si. pose proof (lane_is size) as (Four & Two & _). unfold full_lane in *. unfold fits in E. destruct counts_leaves; cbn [joined].
  - rewrite <- (lanes_summed size v w), <- lanes_summed in E by (rewrite ?summed_length; congruence).
    apply (guarded size (summed (summed v w) room) count i) in E; [|apply low_nth; intros j|exact I].
    + rewrite !summed_nth in E by (rewrite ?summed_length; congruence). lia.
    + rewrite !summed_nth by (rewrite ?summed_length; congruence). specialize (Sv j). specialize (Sw j). specialize (Rb j). lia.
  - rewrite <- (lanes_summed size v room), <- (lanes_summed size w room) in E by congruence.
    apply guarded_or with (i := i) in E; [|apply low_nth; intros j; rewrite summed_nth by congruence; specialize (Sv j); specialize (Rb j); lia
      |apply low_nth; intros j; rewrite summed_nth by congruence; specialize (Sw j); specialize (Rb j); lia|exact I].
    rewrite !summed_nth in E by congruence. lia.
Qed.

Lemma some_line_in s : s <> none_of (length s) -> existsb (fun one => one) s = true.
Proof. induction s as [|[] s IH]; intros N; [contradiction|reflexivity|]. cbn. apply IH. intros E. apply N. unfold none_of in *. cbn [length repeat]. now rewrite <- E. Qed.

Lemma splits_fit_sound k count rows r a b i : well_sized (2 ^ k) count rows -> splits_fit k count (map lanes rows) = true ->
  length r = k -> r <> none_of k -> split_in r a b -> (i < count)%nat ->
  nth i (nth (place_of r) rows []) 0 <= joined counts_leaves (nth i (nth (place_of a) rows []) 0) (nth i (nth (place_of b) rows []) 0).
Proof.
  intros W F L N S I. destruct (split_proper _ _ _ S) as (La & Lb & _). rewrite L in La, Lb.
  assert (Below : forall s, length s = k -> (place_of s < 2 ^ k)%nat) by (intros s <-; apply place_below).
  destruct (row_of _ _ _ _ W (Below r L)) as (Er & Wr & Dr). destruct (row_of _ _ _ _ W (Below a La)) as (Ea & Wa & Da).
  destruct (row_of _ _ _ _ W (Below b Lb)) as (Eb & Wb & Db).
  unfold splits_fit in F. cbv zeta in F. pose proof (both_all_nth _ _ _ _ _ _ F (all_sets_place k r L) (map_nth_error lanes _ _ Er)) as G.
  unfold split_fits in G. rewrite some_line_in in G by (now rewrite L).
  destruct (half_split _ _ _ _) as [best|] eqn:B; [|discriminate]. apply N.eqb_eq in G. rewrite !in_lanes_spec in B, G.
  destruct (half_split_sound _ _ N.land (fun u v => N.land u v = u) land_trans land_first land_second N.land_diag (fits_comm _) r a b S _ _ B)
    as (v & w & V & V' & E).
  rewrite tree_of_get in V, V' by assumption. rewrite (map_nth_error _ _ _ Ea) in V. rewrite (map_nth_error _ _ _ Eb) in V'. injection V as <-. injection V' as <-.
  apply (land_trans _ _ _ G) in E. exact (fits_each count _ _ _ i Wr Wa Wb I Dr Da Db E).
Qed.

Lemma within_bit j : N.testbit no_leaf_bits j = true -> forall n c ok, length c = n -> subset_of c ok = true ->
  N.testbit (lanes_within n ok) (j + bits size * N.of_nat (place_of c)) = true.
Proof.
  intros J. induction n as [|n IH]; intros [|one c] ok L S; try discriminate; cbn [lanes_within place_of]; [now rewrite N.mul_0_r, N.add_0_r|].
  injection L as L. rewrite L.
  assert (R : subset_of c (tl ok) = true) by (destruct ok as [|good ok]; cbn [subset_of tl] in *; [now destruct c|now apply andb_true_iff in S]).
  specialize (IH c (tl ok) L R). destruct one; [|destruct (hd true ok); [rewrite N.lor_spec|]; cbn [Nat.add]; now rewrite IH].
  assert (G : hd true ok = true) by (destruct ok as [|[] ok]; [reflexivity..|discriminate]). rewrite G, N.lor_spec, N.shiftl_spec_high' by (rewrite cut_is; lia).
  apply orb_true_iff. right. etransitivity; [|exact IH]. f_equal. rewrite cut_is. lia.
Qed.

Lemma leaf_lanes_bit n sets c j : length c = n -> is_leaf sets c = true -> N.testbit no_leaf_bits j = true ->
  N.testbit (leaf_lanes n sets) (j + bits size * N.of_nat (place_of c)) = true.
Proof.
  intros L H J. unfold leaf_lanes. induction sets as [|options sets IH]; cbn [fold_right].
  - apply within_bit; auto. now destruct c.
  - unfold is_leaf in H. cbn [forallb] in H. apply andb_true_iff in H. destruct H as [H H']. rewrite N.land_spec. apply andb_true_iff. split; [|exact (IH H')].
    clear -L J H. induction options as [|ok options IH]; [discriminate|]. cbn [fold_right existsb] in *. rewrite N.lor_spec. apply orb_true_iff in H. apply orb_true_iff.
    destruct H as [H|H]; [left; now apply within_bit|right; now apply IH].
Qed.

Lemma zip_cons_row {T} (d : T) row : forall rows i, length row = length rows -> (i < length rows)%nat -> nth i (zip_cons row rows) [] = nth i row d :: nth i rows [].
Proof. induction row as [|e row IH]; intros [|r rows] [|i] L I; cbn [length] in *; try lia; [reflexivity|]. cbn [zip_cons nth]. apply IH; lia. Qed.

Lemma transpose_entry {T} (d : T) w (t : list (list T)) : Forall (fun r => length r = w) t -> forall i j, (i < w)%nat -> (j < length t)%nat ->
  nth j (nth i (transpose w t) []) d = nth i (nth j t []) d.
Proof.
  induction 1 as [|r t L F IH]; intros i j I J; cbn [length] in J; [lia|]. cbn [transpose].
  rewrite (zip_cons_row d) by (rewrite transpose_length; auto). destruct j as [|j]; cbn [nth]; [reflexivity|]. apply IH; lia.
Qed.

Lemma transpose_well count width rows : well_sized count width rows -> well_sized width count (transpose width rows).
Proof.
  intros [L F]. assert (W : Forall (fun r => length r = width) rows) by (eapply Forall_impl; [|exact F]; intros r [E _]; exact E).
  split; [now apply transpose_length|]. subst count. clear W. induction F as [|r rows [Lr Dr] F IH]; cbn [transpose length].
  - apply Forall_forall. intros r I. apply repeat_spec in I. subst r. split; [reflexivity|constructor].
  - assert (Lt : length r = length (transpose width rows)).
    { rewrite transpose_length; [exact Lr|]. eapply Forall_impl; [|exact F]. intros u [E _]. exact E. }
    revert Dr IH Lt. clear. generalize (transpose width rows) as ts. induction r as [|e r IHr]; intros [|u ts] Dr F Lt; try discriminate; [constructor|].
    cbn [zip_cons]. inversion Dr as [|? ? De Dr']; subst. inversion F as [|? ? [Lu Du] F']; subst.
    constructor; [split; [cbn [length]; congruence|now constructor]|]. apply IHr; [exact Dr'|exact F'|now injection Lt].
Qed.

(** ** Its values are no larger than what a protocol takes *)
Section Sound.
Variable who : knowing.
Variable allows : N -> N -> N -> bool. (* whether an answer is right on a cell *)
Variables own across : list N.
Variable sets : lines_set -> list (list lines_set).

Notation protocol := (protocol N N (leaf_of who N N N)).
Definition cost (p : protocol) : N := N.of_nat (if counts_leaves then leaves p else depth p).

Definition right_within (R C : N -> Prop) (p : protocol) : Prop := forall x y, R x -> C y -> allows (said who (run p x y) x y) x y = true.

Definition right (r c : lines_set) : protocol -> Prop := right_within (fun x => In x (chosen own r)) (fun y => In y (chosen across c)).

Hypothesis leaf_seen : forall r c l, right r c (Output l) -> is_leaf (sets r) c = true.

Let m := length own.
Let n := length across.

Lemma least_cost p : of_leaf counts_leaves <= cost p.
Proof. unfold of_leaf, cost. destruct counts_leaves; [|lia]. induction p; simpl; lia. Qed.

Lemma cost_alice s p0 p1 : cost (Alice s p0 p1) = joined counts_leaves (cost p0) (cost p1).
Proof. unfold cost, joined. destruct counts_leaves; cbn [leaves depth]; lia. Qed.

Lemma cost_bob s p0 p1 : cost (Bob s p0 p1) = joined counts_leaves (cost p0) (cost p1).
Proof. unfold cost, joined. destruct counts_leaves; cbn [leaves depth]; lia. Qed.

Lemma joined_le v w v' w' : v <= v' -> w <= w' -> joined counts_leaves v w <= joined counts_leaves v' w'.
Proof. unfold joined. destruct counts_leaves; lia. Qed.

Lemma joined_first v w : v <= joined counts_leaves v w.
Proof. unfold joined. destruct counts_leaves; lia. Qed.

Lemma joined_second v w : w <= joined counts_leaves v w.
Proof. unfold joined. destruct counts_leaves; lia. Qed.

Lemma right_zero_alice r c s p0 p1 : right r c (Alice s p0 p1) -> right (where_ (fun x => negb (s x)) own r) c p0.
Proof. intros H x y X Y. apply chosen_where in X. destruct X as [X S]. apply negb_true_iff in S. specialize (H x y X Y). simpl in H. now rewrite S in H. Qed.

Lemma right_one_alice r c s p0 p1 : right r c (Alice s p0 p1) -> right (where_ s own r) c p1.
Proof. intros H x y X Y. apply chosen_where in X. destruct X as [X S]. specialize (H x y X Y). simpl in H. now rewrite S in H. Qed.

Lemma right_zero_bob r c s p0 p1 : right r c (Bob s p0 p1) -> right r (where_ (fun y => negb (s y)) across c) p0.
Proof. intros H x y X Y. apply chosen_where in Y. destruct Y as [Y S]. apply negb_true_iff in S. specialize (H x y X Y). simpl in H. now rewrite S in H. Qed.

Lemma right_one_bob r c s p0 p1 : right r c (Bob s p0 p1) -> right r (where_ s across c) p1.
Proof. intros H x y X Y. apply chosen_where in Y. destruct Y as [Y S]. specialize (H x y X Y). simpl in H. now rewrite S in H. Qed.

(** If no line goes one way, all go the other. *)
Lemma none_left g l s k x : where_ g l s = none_of k -> In x (chosen l s) -> g x = false.
Proof.
  intros E X. destruct (g x) eqn:G; [|reflexivity]. exfalso.
  assert (K : In x (chosen l (where_ g l s))) by (apply chosen_where; now split). rewrite E, chosen_none in K. exact K.
Qed.

Variable rows : list (list N).
Hypothesis well : well_sized (2 ^ m) (2 ^ n) rows.
Hypothesis leaves_right : leaves_fit sets m n (map lanes rows) = true.
Hypothesis rows_split : splits_fit m (2 ^ n) (map lanes rows) = true.
Hypothesis columns_split : splits_fit n (2 ^ m) (map lanes (transpose (2 ^ n) rows)) = true.

Lemma leaf_cost r c : length r = m -> length c = n -> is_leaf (sets r) c = true -> at_lines rows r c <= of_leaf counts_leaves.
Proof.
  intros Lr Lc Leaf. pose proof (place_below r) as Br. pose proof (place_below c) as Bc. rewrite Lr in Br. rewrite Lc in Bc.
  destruct (row_of _ _ _ _ well Br) as (Er & Wr & Dr).
  pose proof (both_all_nth _ _ _ _ _ _ leaves_right (all_sets_place m r Lr) (map_nth_error lanes _ _ Er)) as G. cbv beta in G. apply N.eqb_eq in G.
  fold (at_lines rows r c). set (d := at_lines rows r c).
  destruct (N.le_gt_cases d (of_leaf counts_leaves)) as [|More]; [assumption|]. exfalso.
  assert (B : N.log2 d < bits size).
  { specialize (Dr (place_of c)). apply N.log2_lt_pow2; [destruct counts_leaves; cbn in More; lia|]. change (d < lane size). unfold d, at_lines. sizes. }
  assert (T : N.testbit (N.land (leaf_lanes n (sets r)) (lanes (nth (place_of r) rows []))) (N.log2 d + bits size * N.of_nat (place_of c)) = true).
  { rewrite N.land_spec, (leaf_lanes_bit n _ c _ Lc Leaf), lane_bit.
    - apply N.bit_log2. destruct counts_leaves; cbn in More; lia.
    - apply short_low. apply Forall_forall. intros e I. apply (In_nth _ _ 0) in I. destruct I as (i & _ & <-). apply Dr.
    - exact B.
    - unfold no_leaf_bits. rewrite N.ldiff_spec, N.ones_spec_low by exact B. cbn [andb]. apply negb_true_iff.
      destruct counts_leaves; cbn [of_leaf] in *; [|apply N.bits_0]. apply N.bits_above_log2. change (N.log2 1) with 0. apply N.log2_pos. lia. }
  rewrite G, N.bits_0 in T. discriminate.
Qed.

Lemma rows_joined r c a b : length r = m -> length c = n -> r <> none_of m -> split_in r a b ->
  at_lines rows r c <= joined counts_leaves (at_lines rows a c) (at_lines rows b c).
Proof.
  intros Lr Lc N S. apply (splits_fit_sound m (2 ^ n) rows r a b (place_of c) well rows_split Lr N S). rewrite <- Lc. apply place_below.
Qed.

Lemma columns_joined r c a b : length r = m -> length c = n -> c <> none_of n -> split_in c a b ->
  at_lines rows r c <= joined counts_leaves (at_lines rows r a) (at_lines rows r b).
Proof.
  intros Lr Lc N S. destruct (split_proper _ _ _ S) as (La & Lb & _). rewrite Lc in La, Lb. pose proof (place_below r) as Br. rewrite Lr in Br.
  pose proof (splits_fit_sound n (2 ^ m) _ c a b (place_of r) (transpose_well _ _ _ well) columns_split Lc N S Br) as K.
  assert (W : Forall (fun r => length r = (2 ^ n)%nat) rows) by (eapply Forall_impl; [|exact (proj2 well)]; intros u [E _]; exact E).
  assert (B : forall s, length s = n -> (place_of s < 2 ^ n)%nat) by (intros s <-; apply place_below).
  rewrite !(transpose_entry 0 _ rows W) in K by (try (rewrite (proj1 well); exact Br); auto). exact K.
Qed.

Ltac below_by_halves s lines sides whole count Right IH0 IH1 joined zero one :=
  let Sp := fresh in let A := fresh in let B := fresh in let X := fresh in let Y := fresh in let S := fresh in
  pose proof (where_split s lines sides whole) as Sp; set (a := where_ (fun x => negb (s x)) lines sides) in *; set (b := where_ s lines sides) in *;
  destruct (split_proper _ _ _ Sp) as (La & Lb & _); rewrite whole in La, Lb;
  destruct (list_eq_dec bool_dec a (none_of count)) as [A|A];
  [eapply N.le_trans; [|apply joined_second]; apply IH1; auto; intros x y X Y; specialize (Right x y X Y); simpl in Right;
   (pose proof (none_left _ _ _ _ _ A X) as S || pose proof (none_left _ _ _ _ _ A Y) as S); cbv beta in S; apply negb_false_iff in S; now rewrite S in Right|];
  destruct (list_eq_dec bool_dec b (none_of count)) as [B|B];
  [eapply N.le_trans; [|apply joined_first]; apply IH0; auto; intros x y X Y; specialize (Right x y X Y); simpl in Right;
   (pose proof (none_left _ _ _ _ _ B X) as S || pose proof (none_left _ _ _ _ _ B Y) as S); now rewrite S in Right|];
  eapply N.le_trans; [exact (joined _ _ Sp)|]; apply joined_le; [apply IH0; auto; eapply zero; eauto|apply IH1; auto; eapply one; eauto].

Lemma value_below p : forall r c, length r = m -> length c = n -> r <> none_of m -> c <> none_of n -> right r c p -> at_lines rows r c <= cost p.
Proof.
  induction p as [l|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; intros r c Lr Lc Nr Nc Right.
  - eapply N.le_trans; [apply leaf_cost; auto; exact (leaf_seen r c l Right)|apply least_cost].
  - rewrite cost_alice. below_by_halves s own r Lr m Right IH0 IH1 (fun a b => rows_joined r c a b Lr Lc Nr) right_zero_alice right_one_alice.
  - rewrite cost_bob. below_by_halves s across c Lc n Right IH0 IH1 (fun a b => columns_joined r c a b Lr Lc Nc) right_zero_bob right_one_bob.
Qed.
End Sound.

Lemma some_line {T} (l : list T) : l <> [] -> all_lines (length l) <> none_of (length l).
Proof. destruct l; [contradiction|]. intros _ E. discriminate E. Qed.

Lemma all_chosen {T} (l : list T) : chosen l (all_lines (length l)) = l.
Proof. induction l as [|a l IH]; [reflexivity|]. cbn. f_equal. exact IH. Qed.

Theorem least_of_all_sound who allows own across sets packs v :
  (forall r c l, right who allows own across r c (Output l) -> is_leaf (sets r) c = true) -> own <> [] -> across <> [] ->
  least_of_all sets (length own) (length across) packs = Some v ->
  forall p, right_within who allows (fun x => In x own) (fun y => In y across) p -> v <= cost who p.
Proof.
  unfold least_of_all. intros Leaf No Na H p Right. destruct (_ && _) eqn:All; [|discriminate]. injection H as <-.
  rewrite !andb_true_iff in All. destruct All as [[[[L S] F] R] C]. apply Nat.eqb_eq in L. set (n := length across) in *.
  destruct (unpacked_well _ _ _ L S) as [W E]. set (rows := unpacked n packs) in *.
  assert (V : digit_at size (place_of (all_lines n)) (nth (place_of (all_lines (length own))) packs 0) = at_lines rows (all_lines (length own)) (all_lines n)).
  { unfold at_lines, rows, unpacked. rewrite (nth_indep _ [] (digits size (2 ^ n) 0)).
    - rewrite map_nth, (digit_at_is size (2 ^ n)); [reflexivity|]. pose proof (place_below (all_lines n)) as B. unfold all_lines in *. now rewrite repeat_length in B.
    - rewrite map_length, L. pose proof (place_below (all_lines (length own))) as B. unfold all_lines in *. now rewrite repeat_length in B. }
  rewrite V. rewrite E in F, R, C. rewrite turned_spec in C.
  - apply (value_below who allows own across sets Leaf rows W F R C).
    + unfold all_lines. apply repeat_length.
    + unfold all_lines. apply repeat_length.
    + now apply some_line.
    + now apply some_line.
    + intros x y X Y. rewrite all_chosen in X. unfold n in Y. rewrite all_chosen in Y. now apply Right.
  - eapply Forall_impl; [|exact (proj2 W)]. intros row [Lr D]. split; [exact Lr|now apply short_low].
Qed.
End Program.

(** ** Leaves *)
Fixpoint merged (f : bool -> bool -> bool) (c d : lines_set) : lines_set :=
  match c, d with a :: c, b :: d => f a b :: merged f c d | _, _ => [] end.

(** Where across a set of lines has an answer alone, for each answer. *)
Definition common (n : nat) (by_code : list (list lines_set)) (r : lines_set) : list lines_set :=
  map (fun lines => fold_right (merged andb) (all_lines n) (chosen lines r)) by_code.

(** For a set of own lines, the lists of sets that a leaf with it is within. *)
Definition leaf_sets (who : knowing) (n : nat) (by_code : list (list lines_set)) (by_line : list (list lines_set)) (r : lines_set) : list (list lines_set) :=
  match who with
  | Both => [common n by_code r]
  | AliceAlone => chosen by_line r
  | BobAlone => [[fold_right (merged orb) (none_of n) (common n by_code r)]]
  end.

Lemma within_map (g : N -> bool) l : forall c, (forall y, In y (chosen l c) -> g y = true) -> subset_of c (map g l) = true.
Proof.
  induction l as [|y l IH]; intros [|one c] H; cbn [map subset_of]; try reflexivity. apply andb_true_iff. cbn [chosen] in H. destruct one.
  - split; [rewrite (H y (or_introl eq_refl)); reflexivity|]. apply IH. intros z Hz. apply H. now right.
  - split; [reflexivity|]. now apply IH.
Qed.

Lemma merged_map h (g g' : N -> bool) l : merged h (map g l) (map g' l) = map (fun y => h (g y) (g' y)) l.
Proof. induction l as [|y l IH]; cbn [map merged]; [reflexivity|]. now rewrite IH. Qed.

Lemma fold_merged {T} h (first : bool) (g : T -> N -> bool) (xs : list T) l :
  fold_right (merged h) (repeat first (length l)) (map (fun x => map (g x) l) xs) = map (fun y => fold_right h first (map (fun x => g x y) xs)) l.
Proof.
  induction xs as [|x xs IH]; cbn [map fold_right].
  - induction l as [|y l IH]; cbn [length repeat map]; [reflexivity|]. now rewrite IH.
  - now rewrite IH, merged_map.
Qed.

Section Leaves.
Variable allows : N -> N -> N -> bool.
Variable codes : list N.
Variables own across : list N.

Definition by_code : list (list lines_set) := map (fun code => map (fun x => map (allows code x) across) own) codes.
Definition by_line : list (list lines_set) := map (fun x => map (fun code => map (allows code x) across) codes) own.

Hypothesis some_code : forall a, exists z, In z codes /\ forall x y, allows a x y = true -> allows z x y = true.

Lemma common_is r : common (length across) by_code r = map (fun code => map (fun y => fold_right andb true (map (fun x => allows code x y) (chosen own r))) across) codes.
Proof.
  unfold common, by_code. rewrite map_map. apply map_ext. intros code. rewrite chosen_map.
  exact (fold_merged andb true (fun x => allows code x) (chosen own r) across).
Qed.

Lemma all_true {T} (g : T -> bool) l : (forall x, In x l -> g x = true) -> fold_right andb true (map g l) = true.
Proof. induction l as [|x l IH]; intros H; [reflexivity|]. cbn [map fold_right]. rewrite (H x (or_introl eq_refl)). apply IH. intros y Hy. apply H. now right. Qed.

Lemma some_true {T} (g : T -> bool) l x : In x l -> g x = true -> fold_right orb false (map g l) = true.
Proof. induction l as [|y l IH]; intros H G; [destruct H|]. cbn [map fold_right]. destruct H as [->|H]; [now rewrite G|]. rewrite (IH H G). apply orb_true_r. Qed.

Lemma leaf_is_seen who r c (l : leaf_of who N N N) : right who allows own across r c (Output l) -> is_leaf (leaf_sets who (length across) by_code by_line r) c = true.
Proof.
  intros H. unfold right, right_within in H. simpl in H. unfold is_leaf. destruct who; cbn [said leaf_of leaf_sets forallb existsb] in *; rewrite ?andb_true_r, ?orb_false_r.
  - destruct (some_code l) as (z & Z & Good). rewrite common_is. apply existsb_exists. eexists. split; [apply in_map, Z|].
    apply within_map. intros y Y. apply all_true. intros x X. apply Good. exact (H x y X Y).
  - unfold by_line. rewrite chosen_map. apply forallb_forall. intros lines L. apply in_map_iff in L. destruct L as (x & <- & X).
    destruct (some_code (l x)) as (z & Z & Good). apply existsb_exists. eexists. split; [apply in_map, Z|].
    apply within_map. intros y Y. apply Good. exact (H x y X Y).
  - rewrite common_is. unfold none_of. rewrite (fold_merged orb false (fun code y => fold_right andb true (map (fun x => allows code x y) (chosen own r))) codes across).
    apply within_map. intros y Y. destruct (some_code (l y)) as (z & Z & Good).
    apply (some_true (fun code => fold_right andb true (map (fun x => allows code x y) (chosen own r))) codes z Z).
    apply all_true. intros x X. apply Good. exact (H x y X Y).
Qed.
End Leaves.

(** ** The witness: the rows and columns, of which all rectangles are gone through *)
Definition rectangles_of (allows : N -> N -> N -> bool) (codes : list N) (who : knowing) (leaves : bool) (rows columns : list N) (size : N) (packs : list N) : option N :=
  match rows, columns with
  | [], _ | _, [] => None
  | _, _ =>
      let n := length columns in
      let of_codes := by_code allows codes rows columns in
      let of_lines := by_line allows codes rows columns in
      least_of_all size leaves (leaf_sets who n of_codes of_lines) (length rows) n packs
  end.

Theorem rectangles_of_bound allows codes who counts_leaves rows columns size packs v :
  (forall a, exists z, In z codes /\ forall x y, allows a x y = true -> allows z x y = true) ->
  rectangles_of allows codes who counts_leaves rows columns size packs = Some v ->
  forall p : protocol N N (leaf_of who N N N), (forall x y, allows (said who (run p x y) x y) x y = true) ->
    v <= N.of_nat (if counts_leaves then leaves p else depth p).
Proof.
  unfold rectangles_of. intros Some_code H p Right. destruct rows as [|x rows]; [discriminate|]. destruct columns as [|y columns]; [discriminate|].
  apply (least_of_all_sound size counts_leaves who allows (x :: rows) (y :: columns) _ packs v
    (leaf_is_seen allows codes (x :: rows) (y :: columns) Some_code who)); try discriminate; [exact H|]. intros u w _ _. apply Right.
Qed.

(** ** Functions: what is right on a cell is its answer, and anything if it is free *)
Definition may_have (f : function N N N) (code x y : N) : bool := match f x y with Some a => a =? code | None => true end.

Definition some_codes (t : table) : list N := match codes_of t with [] => [0] | codes => codes end.

(** An answer that is right, if none is promised too, is one of the codes. *)
Lemma some_code t a : exists z, In z (some_codes t) /\ forall x y, may_have (cell t) a x y = true -> may_have (cell t) z x y = true.
Proof.
  assert (Some' : exists first, In first (some_codes t)).
  { unfold some_codes. destruct (codes_of t) as [|c l]; [exists 0|exists c]; now left. }
  destruct (in_dec N.eq_dec a (some_codes t)) as [I|I]; [now exists a|].
  destruct Some' as [first F]. exists first. split; [exact F|]. unfold may_have. intros x y H. destruct (cell t x y) as [b|] eqn:E; [|reflexivity].
  apply N.eqb_eq in H. subst b. exfalso. apply I. pose proof (codes_of_all t x y a E) as K. unfold some_codes. now destruct (codes_of t).
Qed.

Definition all_rectangles (t : table) : knowing -> bool -> list N -> list N -> N -> list N -> option N := rectangles_of (may_have (cell t)) (some_codes t).

Theorem all_rectangles_bound t who counts_leaves rows columns size packs v : all_rectangles t who counts_leaves rows columns size packs = Some v ->
  forall p : protocol N N (leaf_of who N N N), computes (cell t) who p -> v <= N.of_nat (if counts_leaves then leaves p else depth p).
Proof.
  intros H p Right. apply (rectangles_of_bound (may_have (cell t)) (some_codes t) who counts_leaves rows columns size packs v (some_code t) H).
  intros x y. unfold may_have. destruct (cell t x y) as [a|] eqn:E; [|reflexivity]. apply N.eqb_eq. symmetry. now apply Right.
Qed.
