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

(** ** The place of a set among all, and a tree of what stands there *)
Fixpoint place_of (s : lines_set) : nat := match s with [] => O | one :: s => ((if one then 2 ^ length s else 0) + place_of s)%nat end.

Fixpoint tree_of {V} (n : nat) (l : list V) : values V * list V :=
  match n with
  | O => match l with v :: rest => (Value v, rest) | [] => (Nothing, []) end
  | S n => let (z, rest) := tree_of n l in let (o, rest) := tree_of n rest in (Fork z o, rest)
  end.

Lemma skipped_twice {V} b : forall a (l : list V), skipn a (skipn b l) = skipn (b + a) l.
Proof. induction b as [|b IH]; intros a [|v l]; cbn [skipn Nat.add]; try reflexivity; [now rewrite skipn_nil|apply IH]. Qed.

Lemma nth_skipped {V} k : forall (l : list V) i, nth_error (skipn k l) i = nth_error l (k + i).
Proof. induction k as [|k IH]; intros [|v l] i; cbn [skipn Nat.add nth_error]; try reflexivity; [now destruct i|apply IH]. Qed.

Lemma tree_of_rest {V} n : forall l : list V, snd (tree_of n l) = skipn (2 ^ n) l.
Proof.
  induction n as [|n IH]; intros l; cbn [tree_of]; [destruct l as [|v [|]]; reflexivity|].
  pose proof (IH l) as A. destruct (tree_of n l) as [z rest]. cbn [snd] in A. subst rest. pose proof (IH (skipn (2 ^ n) l)) as B.
  destruct (tree_of n (skipn (2 ^ n) l)) as [o rest]. cbn [snd] in *. rewrite B, skipped_twice. f_equal. simpl. lia.
Qed.

Lemma tree_of_get {V} n : forall (l : list V) s, length s = n -> get s (fst (tree_of n l)) = nth_error l (place_of s).
Proof.
  induction n as [|n IH]; intros l [|one s] L; try discriminate; [destruct l as [|v l]; reflexivity|]. injection L as L.
  cbn [tree_of place_of]. pose proof (tree_of_rest n l) as R. pose proof (IH l s L) as A. destruct (tree_of n l) as [z rest]. cbn [fst snd] in *. subst rest.
  pose proof (IH (skipn (2 ^ n) l) s L) as B. destruct (tree_of n (skipn (2 ^ n) l)) as [o rest]. cbn [fst get] in *.
  destruct one; [|exact A]. rewrite B, nth_skipped, L. reflexivity.
Qed.

Lemma place_below s : (place_of s < 2 ^ length s)%nat.
Proof. induction s as [|one s IH]; cbn [place_of length]; [simpl; lia|]. rewrite Nat.pow_succ_r'. destruct one; lia. Qed.

Lemma all_sets_length n : length (all_sets_of n) = (2 ^ n)%nat.
Proof. induction n as [|n IH]; [reflexivity|]. cbn [all_sets_of]. unfold lines_set in *. rewrite app_length, !map_length, IH. simpl. lia. Qed.

Lemma all_sets_place n : forall s, length s = n -> nth_error (all_sets_of n) (place_of s) = Some s.
Proof.
  induction n as [|n IH]; intros [|one s] L; try discriminate; [reflexivity|]. injection L as L. cbn [all_sets_of place_of].
  pose proof (place_below s) as B. rewrite L in *. specialize (IH s L). destruct one.
  - rewrite nth_error_app2 by (rewrite map_length, all_sets_length; lia). rewrite map_length, all_sets_length.
    replace (2 ^ n + place_of s - 2 ^ n)%nat with (place_of s) by lia. exact (map_nth_error _ _ _ IH).
  - rewrite nth_error_app1 by (rewrite map_length, all_sets_length; exact B). exact (map_nth_error _ _ _ IH).
Qed.

(** ** The program *)
Definition short : N := 16384.

(** With what a number leaves below the guard, two halves have the guard's bit in the lanes where it is no larger than what they have. *)
Definition fits (leaves : bool) (room v w : N) : N := if leaves then v + w + room else N.lor (v + room) (w + room).

Definition full_lane (leaves : bool) : N := if leaves then guard_bit else N.succ guard_bit.

Fixpoint both_all {A B} (f : A -> B -> bool) (l : list A) (l' : list B) : bool :=
  match l, l' with a :: l, b :: l' => if f a b then both_all f l l' else false | _, _ => true end.

Definition split_fits (leaves : bool) (guard full : N) (tree : values N) (set : lines_set) (row : N) : bool :=
  if existsb (fun one => one) set then
    match half_split (fits leaves (full - row)) N.land set tree with Some best => N.land guard best =? guard | None => false end
  else true.

Definition splits_fit (leaves : bool) (k count : nat) (rows : list (list N)) : bool :=
  let packs := map in_lanes rows in
  both_all (split_fits leaves (in_lanes (guards count)) (in_lanes (repeat (full_lane leaves) count)) (fst (tree_of k packs))) (all_sets_of k) packs.

Definition leaves_fit (leaves : bool) (leaf : lines_set -> lines_set -> bool) (m n : nat) (rows : list (list N)) : bool :=
  let across := all_sets_of n in
  both_all (fun r row => let leaf := leaf r in both_all (fun c d => if d <=? of_leaf leaves then true else negb (leaf c)) across row) (all_sets_of m) rows.

Definition of_size (count width : nat) (rows : list (list N)) : bool :=
  Nat.eqb (length rows) count && forallb (fun row => Nat.eqb (length row) width && forallb (fun d => d <? short) row) rows.

Definition at_lines (rows : list (list N)) (r c : lines_set) : N := nth (place_of c) (nth (place_of r) rows []) 0.

Definition least_of_all (leaves : bool) (leaf : lines_set -> lines_set -> bool) (m n : nat) (rows : list (list N)) : option N :=
  if of_size (2 ^ m) (2 ^ n) rows && leaves_fit leaves leaf m n rows &&
     splits_fit leaves m (2 ^ n) rows && splits_fit leaves n (2 ^ m) (transpose (2 ^ n) rows)
  then Some (at_lines rows (all_lines m) (all_lines n)) else None.

(** ** What it looks at *)
Definition well_sized (count width : nat) (rows : list (list N)) : Prop :=
  length rows = count /\ Forall (fun row => length row = width /\ Forall (fun d => d < short) row) rows.

Lemma of_size_spec count width rows : of_size count width rows = true -> well_sized count width rows.
Proof.
  unfold of_size. rewrite andb_true_iff, forallb_forall. intros [L F]. apply Nat.eqb_eq in L. split; [exact L|].
  apply Forall_forall. intros row R. specialize (F row R). rewrite andb_true_iff, forallb_forall in F. destruct F as [W F].
  split; [now apply Nat.eqb_eq|]. apply Forall_forall. intros d D. now apply N.ltb_lt, F.
Qed.

Lemma row_of count width rows i : well_sized count width rows -> (i < count)%nat -> nth_error rows i = Some (nth i rows []) /\
  length (nth i rows []) = width /\ forall j, nth j (nth i rows []) 0 < short.
Proof.
  intros [L F] I. subst count. split; [now apply nth_error_nth'|]. rewrite Forall_forall in F. destruct (F (nth i rows []) (nth_In _ _ I)) as [W D].
  split; [exact W|]. intros j. destruct (nth_in_or_default j (nth i rows []) 0) as [J|J]; [|rewrite J; reflexivity].
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

Lemma fits_comm leaves room v w : fits leaves room v w = fits leaves room w v.
Proof. unfold fits. destruct leaves; [now rewrite (N.add_comm v w)|now rewrite N.lor_comm]. Qed.

Definition room_above (leaves : bool) (row : list N) : list N := map (fun d => full_lane leaves - d) row.

Lemma room_nth leaves row i : (i < length row)%nat -> nth i (room_above leaves row) 0 = full_lane leaves - nth i row 0.
Proof.
  intros L. unfold room_above. set (g := fun d => _ - d). rewrite (nth_indep _ 0 (g 0)) by (now rewrite map_length). now rewrite map_nth.
Qed.

Lemma room_lanes leaves row : (forall j, nth j row 0 < short) -> lanes (repeat (full_lane leaves) (length row)) - lanes row = lanes (room_above leaves row).
Proof.
  intros S. enough (lanes (repeat (full_lane leaves) (length row)) = lanes row + lanes (room_above leaves row)) by lia.
  unfold room_above. induction row as [|d row IH]; [reflexivity|]. cbn [repeat length map lanes]. rewrite IH by (intros j; exact (S (Datatypes.S j))).
  pose proof (S O) as B. cbn [nth] in B. unfold short in B. assert (d <= full_lane leaves) by (unfold full_lane, guard_bit; destruct leaves; lia). lia.
Qed.

Lemma guarded_or count i x y : low x -> low y -> (i < count)%nat ->
  N.land (lanes (guards count)) (N.lor (lanes x) (lanes y)) = lanes (guards count) -> guard_bit <= nth i x 0 \/ guard_bit <= nth i y 0.
Proof.
  intros X Y L E. pose proof (guard_of count i L) as G. rewrite <- E, N.land_spec, N.lor_spec, andb_true_iff, orb_true_iff in G.
  assert (B : forall z, low z -> N.testbit (lanes z) (15 + 16 * N.of_nat i) = true -> guard_bit <= nth i z 0).
  { intros z Z T. rewrite lane_bit in T by exact Z. apply high_bit; [|exact T]. destruct (nth_in_or_default i z 0) as [I|D]; [|rewrite D; reflexivity].
    unfold low in Z. rewrite Forall_forall in Z. now apply Z. }
  destruct G as [_ [G|G]]; [left|right]; now apply B.
Qed.

(** In lanes of rows of one length, of short numbers. *)
Lemma fits_each leaves count own v w i : length own = count -> length v = count -> length w = count -> (i < count)%nat ->
  (forall j, nth j own 0 < short) -> (forall j, nth j v 0 < short) -> (forall j, nth j w 0 < short) ->
  N.land (lanes (guards count)) (fits leaves (lanes (repeat (full_lane leaves) count) - lanes own) (lanes v) (lanes w)) = lanes (guards count) ->
  nth i own 0 <= joined leaves (nth i v 0) (nth i w 0).
Proof.
  intros Lo Lv Lw I So Sv Sw E. rewrite <- Lo in E at 2. rewrite room_lanes in E by exact So. set (room := room_above leaves own) in *.
  assert (Lr : length room = count) by (unfold room, room_above; now rewrite map_length).
  assert (R : nth i room 0 = full_lane leaves - nth i own 0) by (apply room_nth; now rewrite Lo).
  assert (Rb : forall j, nth j room 0 <= N.succ guard_bit).
  { intros j. destruct (lt_dec j count) as [J|J]; [unfold room; rewrite room_nth by (now rewrite Lo); unfold full_lane; destruct leaves; lia|rewrite nth_overflow by lia; lia]. }
  specialize (So i) as Si. unfold full_lane, short, guard_bit, lane in *. unfold fits in E. destruct leaves; cbn [joined].
  - rewrite <- (lanes_summed v w), <- lanes_summed in E by (rewrite ?summed_length; congruence).
    apply (guarded (summed (summed v w) room) count i) in E; [|apply low_nth; intros j|exact I].
    + rewrite !summed_nth in E by (rewrite ?summed_length; congruence). unfold guard_bit in E. lia.
    + rewrite !summed_nth by (rewrite ?summed_length; congruence). specialize (Sv j). specialize (Sw j). specialize (Rb j).
      enough (nth j room 0 <= 32768) by (unfold lane; lia). destruct (lt_dec j count) as [J|J]; [unfold room; rewrite room_nth by (now rewrite Lo); unfold full_lane, guard_bit; lia|rewrite nth_overflow by lia; lia].
  - rewrite <- (lanes_summed v room), <- (lanes_summed w room) in E by congruence.
    apply guarded_or with (i := i) in E; [|apply low_nth; intros j; rewrite summed_nth by congruence; specialize (Sv j); specialize (Rb j); unfold lane; lia
      |apply low_nth; intros j; rewrite summed_nth by congruence; specialize (Sw j); specialize (Rb j); unfold lane; lia|exact I].
    rewrite !summed_nth in E by congruence. unfold guard_bit in E. lia.
Qed.

Lemma some_line_in s : s <> none_of (length s) -> existsb (fun one => one) s = true.
Proof. induction s as [|[] s IH]; intros N; [contradiction|reflexivity|]. cbn. apply IH. intros E. apply N. unfold none_of in *. cbn [length repeat]. now rewrite <- E. Qed.

Lemma splits_fit_sound leaves k count rows r a b i : well_sized (2 ^ k) count rows -> splits_fit leaves k count rows = true ->
  length r = k -> r <> none_of k -> split_in r a b -> (i < count)%nat ->
  nth i (nth (place_of r) rows []) 0 <= joined leaves (nth i (nth (place_of a) rows []) 0) (nth i (nth (place_of b) rows []) 0).
Proof.
  intros W F L N S I. destruct (split_proper _ _ _ S) as (La & Lb & _). rewrite L in La, Lb.
  assert (Below : forall s, length s = k -> (place_of s < 2 ^ k)%nat) by (intros s <-; apply place_below).
  destruct (row_of _ _ _ _ W (Below r L)) as (Er & Wr & Dr). destruct (row_of _ _ _ _ W (Below a La)) as (Ea & Wa & Da).
  destruct (row_of _ _ _ _ W (Below b Lb)) as (Eb & Wb & Db).
  unfold splits_fit in F. cbv zeta in F. pose proof (both_all_nth _ _ _ _ _ _ F (all_sets_place k r L) (map_nth_error in_lanes _ _ Er)) as G.
  unfold split_fits in G. rewrite some_line_in in G by (now rewrite L).
  destruct (half_split _ _ _ _) as [best|] eqn:B; [|discriminate]. apply N.eqb_eq in G. rewrite !in_lanes_spec in B, G.
  destruct (half_split_sound _ _ N.land (fun u v => N.land u v = u) land_trans land_first land_second N.land_diag (fits_comm leaves _) r a b S _ _ B)
    as (v & w & V & V' & E).
  rewrite tree_of_get in V, V' by assumption. rewrite (map_nth_error _ _ _ Ea) in V. rewrite (map_nth_error _ _ _ Eb) in V'. injection V as <-. injection V' as <-.
  rewrite !in_lanes_spec in E. apply (land_trans _ _ _ G) in E. exact (fits_each leaves count _ _ _ i Wr Wa Wb I Dr Da Db E).
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
Variable counts_leaves : bool.
Variable leaf : lines_set -> lines_set -> bool.

Notation protocol := (protocol N N (leaf_of who N N N)).
Definition cost (p : protocol) : N := N.of_nat (if counts_leaves then leaves p else depth p).

Definition right_within (R C : N -> Prop) (p : protocol) : Prop := forall x y, R x -> C y -> allows (said who (run p x y) x y) x y = true.

Definition right (r c : lines_set) : protocol -> Prop := right_within (fun x => In x (chosen own r)) (fun y => In y (chosen across c)).

Hypothesis leaf_seen : forall r c l, right r c (Output l) -> leaf r c = true.

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

Lemma joined_comm v w : joined counts_leaves v w = joined counts_leaves w v.
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
Hypothesis size : well_sized (2 ^ m) (2 ^ n) rows.
Hypothesis leaves_right : leaves_fit counts_leaves leaf m n rows = true.
Hypothesis rows_split : splits_fit counts_leaves m (2 ^ n) rows = true.
Hypothesis columns_split : splits_fit counts_leaves n (2 ^ m) (transpose (2 ^ n) rows) = true.

Lemma leaf_cost r c : length r = m -> length c = n -> leaf r c = true -> at_lines rows r c <= of_leaf counts_leaves.
Proof.
  intros Lr Lc Leaf. pose proof (place_below r) as Br. pose proof (place_below c) as Bc. rewrite Lr in Br. rewrite Lc in Bc.
  destruct (row_of _ _ _ _ size Br) as (Er & Wr & _). pose proof leaves_right as F. unfold leaves_fit in F. cbv zeta in F.
  pose proof (both_all_nth _ _ _ _ _ _ F (all_sets_place m r Lr) Er) as G. cbv beta in G.
  assert (Ec : nth_error (nth (place_of r) rows []) (place_of c) = Some (at_lines rows r c)) by (apply nth_error_nth'; now rewrite Wr).
  pose proof (both_all_nth _ _ _ _ _ _ G (all_sets_place n c Lc) Ec) as K. cbv beta in K. rewrite Leaf in K.
  destruct (N.leb_spec (at_lines rows r c) (of_leaf counts_leaves)); [assumption|discriminate].
Qed.

Lemma rows_joined r c a b : length r = m -> length c = n -> r <> none_of m -> split_in r a b ->
  at_lines rows r c <= joined counts_leaves (at_lines rows a c) (at_lines rows b c).
Proof.
  intros Lr Lc N S. apply (splits_fit_sound counts_leaves m (2 ^ n) rows r a b (place_of c) size rows_split Lr N S). rewrite <- Lc. apply place_below.
Qed.

Lemma columns_joined r c a b : length r = m -> length c = n -> c <> none_of n -> split_in c a b ->
  at_lines rows r c <= joined counts_leaves (at_lines rows r a) (at_lines rows r b).
Proof.
  intros Lr Lc N S. destruct (split_proper _ _ _ S) as (La & Lb & _). rewrite Lc in La, Lb. pose proof (place_below r) as Br. rewrite Lr in Br.
  pose proof (splits_fit_sound counts_leaves n (2 ^ m) _ c a b (place_of r) (transpose_well _ _ _ size) columns_split Lc N S Br) as K.
  assert (W : Forall (fun r => length r = (2 ^ n)%nat) rows) by (eapply Forall_impl; [|exact (proj2 size)]; intros u [E _]; exact E).
  assert (B : forall s, length s = n -> (place_of s < 2 ^ n)%nat) by (intros s <-; apply place_below).
  rewrite !(transpose_entry 0 _ rows W) in K by (try (rewrite (proj1 size); exact Br); auto). exact K.
Qed.

Lemma value_below p : forall r c, length r = m -> length c = n -> r <> none_of m -> c <> none_of n -> right r c p -> at_lines rows r c <= cost p.
Proof.
  induction p as [l|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; intros r c Lr Lc Nr Nc Right.
  - eapply N.le_trans; [apply leaf_cost; auto; exact (leaf_seen r c l Right)|apply least_cost].
  - rewrite cost_alice. set (a := where_ (fun x => negb (s x)) own r). set (b := where_ s own r).
    assert (Sp : split_in r a b) by now apply where_split. destruct (split_proper _ _ _ Sp) as (La & Lb & _). rewrite Lr in La, Lb.
    destruct (list_eq_dec bool_dec a (none_of m)) as [A|A].
    { eapply N.le_trans; [|apply joined_second]. apply IH1; auto. intros x y X Y. specialize (Right x y X Y). simpl in Right.
      assert (S := none_left _ _ _ _ _ A X). cbv beta in S. apply negb_false_iff in S. now rewrite S in Right. }
    destruct (list_eq_dec bool_dec b (none_of m)) as [B|B].
    { eapply N.le_trans; [|apply joined_first]. apply IH0; auto. intros x y X Y. specialize (Right x y X Y). simpl in Right.
      assert (S := none_left _ _ _ _ _ B X). now rewrite S in Right. }
    eapply N.le_trans; [exact (rows_joined r c a b Lr Lc Nr Sp)|]. apply joined_le.
    + apply IH0; auto. eapply right_zero_alice; eauto.
    + apply IH1; auto. eapply right_one_alice; eauto.
  - rewrite cost_bob. set (a := where_ (fun y => negb (s y)) across c). set (b := where_ s across c).
    assert (Sp : split_in c a b) by now apply where_split. destruct (split_proper _ _ _ Sp) as (La & Lb & _). rewrite Lc in La, Lb.
    destruct (list_eq_dec bool_dec a (none_of n)) as [A|A].
    { eapply N.le_trans; [|apply joined_second]. apply IH1; auto. intros x y X Y. specialize (Right x y X Y). simpl in Right.
      assert (S := none_left _ _ _ _ _ A Y). cbv beta in S. apply negb_false_iff in S. now rewrite S in Right. }
    destruct (list_eq_dec bool_dec b (none_of n)) as [B|B].
    { eapply N.le_trans; [|apply joined_first]. apply IH0; auto. intros x y X Y. specialize (Right x y X Y). simpl in Right.
      assert (S := none_left _ _ _ _ _ B Y). now rewrite S in Right. }
    eapply N.le_trans; [exact (columns_joined r c a b Lr Lc Nc Sp)|]. apply joined_le.
    + apply IH0; auto. eapply right_zero_bob; eauto.
    + apply IH1; auto. eapply right_one_bob; eauto.
Qed.
End Sound.

Lemma some_line {T} (l : list T) : l <> [] -> all_lines (length l) <> none_of (length l).
Proof. destruct l; [contradiction|]. intros _ E. discriminate E. Qed.

Lemma all_chosen {T} (l : list T) : chosen l (all_lines (length l)) = l.
Proof. induction l as [|a l IH]; [reflexivity|]. cbn. f_equal. exact IH. Qed.

Theorem least_of_all_sound who allows own across counts_leaves leaf rows v :
  (forall r c l, right who allows own across r c (Output l) -> leaf r c = true) -> own <> [] -> across <> [] ->
  least_of_all counts_leaves leaf (length own) (length across) rows = Some v ->
  forall p, right_within who allows (fun x => In x own) (fun y => In y across) p -> v <= cost who counts_leaves p.
Proof.
  unfold least_of_all. intros Leaf No Na H p Right. destruct (_ && _) eqn:All; [|discriminate]. injection H as <-.
  rewrite !andb_true_iff in All. destruct All as [[[S L] R] C]. apply of_size_spec in S.
  apply (value_below who allows own across counts_leaves leaf Leaf rows S L R C).
  - unfold all_lines. apply repeat_length.
  - unfold all_lines. apply repeat_length.
  - now apply some_line.
  - now apply some_line.
  - intros x y X Y. rewrite all_chosen in X, Y. now apply Right.
Qed.

(** ** Leaves *)
Fixpoint subset_of (c ok : lines_set) : bool :=
  match c, ok with one :: c, good :: ok => (negb one || good) && subset_of c ok | _, _ => true end.

Fixpoint merged (f : bool -> bool -> bool) (c d : lines_set) : lines_set :=
  match c, d with a :: c, b :: d => f a b :: merged f c d | _, _ => [] end.

(** Where across a set of lines has an answer alone, for each answer. *)
Definition common (n : nat) (by_code : list (list lines_set)) (r : lines_set) : list lines_set :=
  map (fun lines => fold_right (merged andb) (all_lines n) (chosen lines r)) by_code.

Definition is_leaf (who : knowing) (n : nat) (by_code : list (list lines_set)) (by_line : list (list lines_set)) (r : lines_set) : lines_set -> bool :=
  match who with
  | Both => let shared := common n by_code r in fun c => existsb (subset_of c) shared
  | AliceAlone => let lines := chosen by_line r in fun c => forallb (existsb (subset_of c)) lines
  | BobAlone => let any := fold_right (merged orb) (none_of n) (common n by_code r) in fun c => subset_of c any
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

Lemma leaf_is_seen who r c (l : leaf_of who N N N) : right who allows own across r c (Output l) -> is_leaf who (length across) by_code by_line r c = true.
Proof.
  intros H. unfold right, right_within in H. simpl in H. destruct who; cbn [said leaf_of is_leaf] in *.
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
Definition rectangles_of (allows : N -> N -> N -> bool) (codes : list N) (who : knowing) (leaves : bool) (rows columns : list N) (least : list (list N)) : option N :=
  match rows, columns with
  | [], _ | _, [] => None
  | _, _ =>
      let n := length columns in
      let of_codes := by_code allows codes rows columns in
      let of_lines := by_line allows codes rows columns in
      least_of_all leaves (is_leaf who n of_codes of_lines) (length rows) n least
  end.

Theorem rectangles_of_bound allows codes who counts_leaves rows columns least v :
  (forall a, exists z, In z codes /\ forall x y, allows a x y = true -> allows z x y = true) ->
  rectangles_of allows codes who counts_leaves rows columns least = Some v ->
  forall p : protocol N N (leaf_of who N N N), (forall x y, allows (said who (run p x y) x y) x y = true) ->
    v <= N.of_nat (if counts_leaves then leaves p else depth p).
Proof.
  unfold rectangles_of. intros Some_code H p Right. destruct rows as [|x rows]; [discriminate|]. destruct columns as [|y columns]; [discriminate|].
  apply (least_of_all_sound who allows (x :: rows) (y :: columns) counts_leaves _ least v
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

Definition all_rectangles (t : table) : knowing -> bool -> list N -> list N -> list (list N) -> option N := rectangles_of (may_have (cell t)) (some_codes t).

Theorem all_rectangles_bound t who counts_leaves rows columns least v : all_rectangles t who counts_leaves rows columns least = Some v ->
  forall p : protocol N N (leaf_of who N N N), computes (cell t) who p -> v <= N.of_nat (if counts_leaves then leaves p else depth p).
Proof.
  intros H p Right. apply (rectangles_of_bound (may_have (cell t)) (some_codes t) who counts_leaves rows columns least v (some_code t) H).
  intros x y. unfold may_have. destruct (cell t x y) as [a|] eqn:E; [|reflexivity]. apply N.eqb_eq. symmetry. now apply Right.
Qed.
