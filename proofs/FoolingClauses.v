(** * Fooling sets as clauses: that none has so many cells

    Variables say that it has a cell of the answer; and for each side and each line, in order, that so many of the lines up
    to this one are left out. Clauses are written here from the table; a proof only tells the steps. *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Lines Refutation FoolingSets Exclusion Tries Lrat CoverClauses CoverClausesSound.
Import ListNotations.
Open Scope N_scope.

(** The lines of some cells, each once; the places of those on a line. *)
Fixpoint in_order (seen : N) (keys : list N) : list N :=
  match keys with
  | [] => []
  | k :: rest => if N.testbit seen k then in_order seen rest else k :: in_order (N.setbit seen k) rest
  end.

Fixpoint places_with (line place : N) (keys : list N) : list N :=
  match keys with
  | [] => []
  | k :: rest => if k =? line then place :: places_with line (N.succ place) rest else places_with line (N.succ place) rest
  end.

Section Side.
Variables variables first spare : N.
Variable keys : list N. (* of each cell its line *)

(** That at least so many of the lines up to a place are left out: from 1 to [spare]. *)
Definition left_out (place many : N) : N := first + place * spare + (many - 1).

(** A line has a cell, or one line more is left out, which is not possible beyond [spare]. *)
Definition about_line (own : list N) (place many : N) : list N :=
  own ++ (if many =? 0 then [] else [left_out (N.pred place) many + variables]) ++ (if many <? spare then [left_out place (many + 1)] else []).

Definition about_before (place many : N) : list N := [left_out (N.pred place) many + variables; left_out place many].

Fixpoint clauses_from (place : N) (lines : list N) : list (list N) :=
  match lines with
  | [] => []
  | line :: rest =>
      (if place =? 0 then [about_line (places_with line 0 keys) 0 0]
       else map (about_line (places_with line 0 keys) place) (indices (S (N.to_nat spare)))
            ++ map (fun many => about_before place (many + 1)) (indices (N.to_nat spare)))
      ++ clauses_from (N.succ place) rest
  end.
End Side.

Section Clauses.
Variables variables count : N.
Variable masks : trie N. (* of each cell those with which a leaf may contain it *)

Definition falsified_by_cell (literal : N) : N :=
  N.lor (if literal <? 2 * variables then N.setbit 0 (denied variables literal) else 0)
        (if literal <? count then
           match lookup long literal masks with Some mask => N.ldiff (N.land mask (N.ones count)) (N.setbit 0 literal) | None => 0 end
         else 0).
End Clauses.

Definition no_fooling_set_of (t : table) (who : knowing) (code size : N) (steps : list derivation) : option N :=
  match who, items_of t Both (Some code) (cells_of t code) with
  | Both, Some its =>
      let cells := cells_of t code in
      let count := N.of_nat (length cells) in
      let rows := in_order 0 (map fst cells) in
      let columns := in_order 0 (map snd cells) in
      let spare_rows := N.of_nat (length rows) - size in
      let spare_columns := N.of_nat (length columns) - size in
      let second := count + N.of_nat (length rows) * spare_rows in
      let variables := second + N.of_nat (length columns) * spare_columns in
      if (1 <=? size) && (size <=? N.of_nat (length rows)) && (size <=? N.of_nat (length columns)) then
        let given := numbered long 0 (clauses_from variables count spare_rows (map fst cells) 0 rows
                                      ++ clauses_from variables second spare_columns (map snd cells) 0 columns) in
        if follows variables (falsified_by_cell variables count (numbered long 0 (map item_mask its)))
             (fun number => lookup long number given) 0 Empty 0 steps
        then Some (size - 1) else None
      else None
  | _, _ => None
  end.

(** ** Why there is no such set *)
Lemma in_order_spec keys : forall seen, NoDup (in_order seen keys) /\
  forall k, In k (in_order seen keys) <-> In k keys /\ N.testbit seen k = false.
Proof.
  induction keys as [|a keys IH]; intros seen; simpl; [split; [constructor|intros k; tauto]|].
  destruct (N.testbit seen a) eqn:T.
  - destruct (IH seen) as [D S]. split; [exact D|]. intros k. rewrite S. split; [tauto|]. intros [[<-|H] F]; [congruence|auto].
  - destruct (IH (N.setbit seen a)) as [D S]. split.
    + constructor; [|exact D]. rewrite S, N.setbit_eq. intros [_ F]. discriminate.
    + intros k. simpl. rewrite S. destruct (N.eq_dec a k) as [->|Ne]; [tauto|]. rewrite N.setbit_neq by congruence. tauto.
Qed.

Lemma places_with_spec line keys : forall place n, nth_error keys n = Some line -> In (place + N.of_nat n) (places_with line place keys).
Proof.
  induction keys as [|k keys IH]; intros place [|n] H; simpl in H; try discriminate.
  - injection H as ->. simpl. rewrite N.eqb_refl, N.add_0_r. now left.
  - specialize (IH (N.succ place) n H). replace (place + N.of_nat (S n)) with (N.succ place + N.of_nat n) by lia.
    simpl. destruct (k =? line); [right|]; exact IH.
Qed.

Section SideSound.
Variables variables first spare : N.
Variable keys lines : list N.
Variable value : N -> bool.
Variable hit : N -> bool. (* whether a line has a cell of the set *)

Definition out (place : N) : N := N.of_nat (length (filter (fun line => negb (hit line)) (firstn (N.to_nat place) lines))).

Hypothesis few_out : N.of_nat (length (filter (fun line => negb (hit line)) lines)) <= spare.
Hypothesis cell_value : forall line, hit line = true -> exists place, In place (places_with line 0 keys) /\ place < variables /\ value place = true.
Hypothesis room : first + N.of_nat (length lines) * spare <= variables.
Hypothesis out_value : forall place many, place < N.of_nat (length lines) -> 1 <= many <= spare ->
  value (left_out first spare place many) = (many <=? out (N.succ place)).

Lemma out_most place : out place <= spare.
Proof.
  enough (out place <= N.of_nat (length (filter (fun line => negb (hit line)) lines))) by lia. unfold out.
  rewrite <- (firstn_skipn (N.to_nat place) lines) at 2. rewrite filter_app, app_length. lia.
Qed.

Lemma out_next place line : nth_error lines (N.to_nat place) = Some line -> out (N.succ place) = out place + if hit line then 0 else 1.
Proof.
  intros H. unfold out. rewrite N2Nat.inj_succ.
  assert (E : firstn (S (N.to_nat place)) lines = firstn (N.to_nat place) lines ++ [line]).
  { revert H. generalize (N.to_nat place) as n. generalize lines as l. induction l as [|a l IH]; intros [|n] H; simpl in H; try discriminate.
    - injection H as ->. reflexivity.
    - rewrite (firstn_cons (S n)), (IH n H). reflexivity. }
  rewrite E, filter_app, app_length. simpl. destruct (hit line); simpl; lia.
Qed.

Lemma below_variables place many : place < N.of_nat (length lines) -> 1 <= many <= spare -> left_out first spare place many < variables.
Proof. intros A B. unfold left_out. nia. Qed.

Lemma true_out place many : place < N.of_nat (length lines) -> 1 <= many <= spare ->
  true_one variables value (left_out first spare place many) = (many <=? out (N.succ place)).
Proof.
  intros A B. unfold true_one. pose proof (below_variables _ _ A B).
  destruct (N.ltb_spec (left_out first spare place many) variables); [|lia]. now apply out_value.
Qed.

Lemma true_not_out place many : place < N.of_nat (length lines) -> 1 <= many <= spare ->
  true_one variables value (left_out first spare place many + variables) = negb (many <=? out (N.succ place)).
Proof.
  intros A B. unfold true_one. destruct (N.ltb_spec (left_out first spare place many + variables) variables); [lia|].
  rewrite N.add_sub. now rewrite out_value.
Qed.

Lemma about_line_holds line place many : nth_error lines (N.to_nat place) = Some line -> many <= spare -> (many = 0 \/ 0 < place) ->
  satisfied variables value (about_line variables first spare (places_with line 0 keys) place many).
Proof.
  intros L M Z. assert (P : place < N.of_nat (length lines)).
  { assert (nth_error lines (N.to_nat place) <> None) as K by congruence. apply nth_error_Some in K. lia. }
  unfold satisfied, about_line. rewrite !Exists_app. destruct (hit line) eqn:H.
  - left. destruct (cell_value _ H) as (cell & I & B & V). apply Exists_exists. exists cell. split; [exact I|].
    unfold true_one. destruct (N.ltb_spec cell variables); [exact V|lia].
  - right. pose proof (out_next place line L) as Next. rewrite H in Next. pose proof (out_most (N.succ place)) as Most.
    destruct (N.eqb_spec many 0) as [->|Ne].
    + right. destruct (N.ltb_spec 0 spare); [|lia]. constructor. rewrite true_out by lia. apply N.leb_le. lia.
    + destruct (N.leb_spec many (out place)) as [O|O].
      * right. destruct (N.ltb_spec many spare); [|lia]. constructor. rewrite true_out by lia. apply N.leb_le. lia.
      * left. constructor. rewrite true_not_out by lia. rewrite N.succ_pred by lia. apply negb_true_iff, N.leb_gt. exact O.
Qed.

Lemma about_before_holds line place many : nth_error lines (N.to_nat place) = Some line -> 0 < place -> 1 <= many <= spare ->
  satisfied variables value (about_before variables first spare place many).
Proof.
  intros L Z M. assert (P : place < N.of_nat (length lines)).
  { assert (nth_error lines (N.to_nat place) <> None) as K by congruence. apply nth_error_Some in K. lia. }
  unfold satisfied, about_before. rewrite !Exists_cons, true_not_out, true_out by lia. rewrite N.succ_pred by lia.
  pose proof (out_next place line L). destruct (N.leb_spec many (out place)) as [O|O]; [|now left].
  right; left. apply N.leb_le. destruct (hit line); lia.
Qed.

Lemma indices_below n k : In k (indices n) -> k < N.of_nat n.
Proof. unfold indices. intros H. apply in_map_iff in H. destruct H as (i & <- & H). apply in_seq in H. lia. Qed.

Lemma clauses_from_hold rest : forall place, (forall n line, nth_error rest n = Some line -> nth_error lines (N.to_nat place + n) = Some line) ->
  Forall (satisfied variables value) (clauses_from variables first spare keys place rest).
Proof.
  induction rest as [|line rest IH]; intros place H; cbn [clauses_from]; [constructor|]. pose proof (H 0%nat line eq_refl) as L. rewrite Nat.add_0_r in L.
  apply Forall_app. split.
  - destruct (N.eqb_spec place 0) as [->|Ne]; [constructor; [|constructor]; apply about_line_holds; [exact L|lia|now left]|].
    apply Forall_app. split; apply Forall_map, Forall_forall; intros many I; apply indices_below in I.
    + apply about_line_holds; [exact L|lia|lia].
    + apply about_before_holds with (line := line); [exact L|lia|lia].
  - apply IH. intros n a E. specialize (H (S n) a E). replace (N.to_nat (N.succ place) + n)%nat with (N.to_nat place + S n)%nat by lia. exact H.
Qed.
End SideSound.

Lemma pairs_In {T} (R : T -> T -> Prop) l : ForallOrdPairs R l -> forall a b, In a l -> In b l -> a = b \/ R a b \/ R b a.
Proof.
  induction 1 as [|c l F _ IH]; intros a b Ha Hb; [elim Ha|]. rewrite Forall_forall in F.
  destruct Ha as [->|Ha], Hb as [->|Hb]; auto.
Qed.

(** A set of cells that all exclude each other, and has at least so many. *)
Section OneSet.
Variable t : table.
Variable code size : N.
Hypothesis t_regular : regular t = true.
Let cells := cells_of t code.
Variable its G : list item.
Hypothesis listed : items_of t Both (Some code) cells = Some its.
Hypothesis part : incl G its.
Hypothesis all_apart : ForallOrdPairs apart_items G.
Hypothesis many : (N.to_nat size <= length G)%nat.

Lemma item_at i : In i its -> nth_error cells (N.to_nat (item_place i)) = Some (item_cell i).
Proof.
  intros H. unfold items_of in listed. rewrite t_regular in listed. unfold items_on in listed. destruct (listed_all _ _ _ _); [|discriminate].
  destruct (enter_all _ _ _) as [es|]; [|discriminate]. injection listed as <-. apply In_nth_error in H. destruct H as [k H].
  apply itemised_nth in H. destruct H as (e & c & _ & E & ->). unfold item_place, item_cell. simpl. now rewrite Nat2N.id.
Qed.

Lemma items_at : forall n i, nth_error its n = Some i -> item_place i = N.of_nat n.
Proof.
  intros n i H. unfold items_of in listed. rewrite t_regular in listed. unfold items_on in listed. destruct (listed_all _ _ _ _); [|discriminate].
  destruct (enter_all _ _ _) as [es|]; [|discriminate]. injection listed as <-.
  apply itemised_nth in H. destruct H as (e & c & _ & E & ->). reflexivity.
Qed.

Definition hit_by (key : N * N -> N) (line : N) : bool := existsb (fun i => key (item_cell i) =? line) G.

Lemma distinct_keys (key : N * N -> N) : (forall i j, In i G -> In j G -> key (item_cell i) = key (item_cell j) ->
    excludes Both (cell t) (item_cell i) (item_cell j) = false) ->
  NoDup (map (fun i => key (item_cell i)) G).
Proof.
  intros S. pose proof (items_faithful _ _ _ _ _ listed) as [_ B]. simpl in B.
  assert (K : forall H, incl H G -> ForallOrdPairs apart_items H -> NoDup (map (fun i => key (item_cell i)) H)).
  { induction H as [|i H IH]; intros I F; simpl; [constructor|]. inversion F as [|? ? A F']; subst. constructor.
    - intros M. apply in_map_iff in M. destruct M as (j & E & Hj). rewrite Forall_forall in A. destruct (A j Hj) as (_ & X & _).
      assert (Ii : In i G) by (apply I; now left). assert (Ij : In j G) by (apply I; now right).
      rewrite (B i j (part _ Ii) (part _ Ij)), (S i j Ii Ij (eq_sym E)) in X. discriminate.
    - apply IH; [|exact F']. intros j Hj. apply I. now right. }
  apply K; [apply incl_refl|exact all_apart].
Qed.

Lemma few_left_out (key : N * N -> N) : (forall i j, In i G -> In j G -> key (item_cell i) = key (item_cell j) ->
    excludes Both (cell t) (item_cell i) (item_cell j) = false) ->
  let lines := in_order 0 (map key cells) in
  (length (filter (fun line => negb (hit_by key line)) lines) + N.to_nat size <= length lines)%nat.
Proof.
  intros S lines. assert (Split : (length (filter (hit_by key) lines) + length (filter (fun line => negb (hit_by key line)) lines) = length lines)%nat).
  { generalize lines as l. clear. induction l as [|a l IH]; simpl; [reflexivity|]. destruct (hit_by key a); simpl; lia. }
  enough (length G <= length (filter (hit_by key) lines))%nat by lia.
  rewrite <- (map_length (fun i => key (item_cell i))). apply NoDup_incl_length; [now apply distinct_keys|].
  intros k Hk. apply in_map_iff in Hk. destruct Hk as (i & <- & Hi). apply filter_In. split.
  - apply in_order_spec. split; [|apply N.bits_0]. apply in_map. eapply nth_error_In, item_at. now apply part.
  - apply existsb_exists. exists i. split; [exact Hi|apply N.eqb_refl].
Qed.

Lemma cell_of_item i : In i G -> cell t (fst (item_cell i)) (snd (item_cell i)) = Some code.
Proof. intros H. apply (cells_of_code t code t_regular). eapply nth_error_In, item_at. now apply part. Qed.

Lemma same_row i j : In i G -> In j G -> fst (item_cell i) = fst (item_cell j) -> excludes Both (cell t) (item_cell i) (item_cell j) = false.
Proof.
  intros Hi Hj E. unfold excludes, differs. rewrite (cell_of_item i Hi), (cell_of_item j Hj), N.eqb_refl.
  rewrite E at 1. rewrite (cell_of_item j Hj), <- E, (cell_of_item i Hi), N.eqb_refl. reflexivity.
Qed.

Lemma same_column i j : In i G -> In j G -> snd (item_cell i) = snd (item_cell j) -> excludes Both (cell t) (item_cell i) (item_cell j) = false.
Proof.
  intros Hi Hj E. unfold excludes, differs. rewrite (cell_of_item i Hi), (cell_of_item j Hj), N.eqb_refl.
  rewrite <- E, (cell_of_item i Hi). rewrite E, (cell_of_item j Hj), N.eqb_refl. reflexivity.
Qed.

Let count := N.of_nat (length cells).
Let rows := in_order 0 (map fst cells).
Let columns := in_order 0 (map snd cells).
Hypothesis enough_rows : size <= N.of_nat (length rows).
Hypothesis enough_columns : size <= N.of_nat (length columns).
Let spare_rows := N.of_nat (length rows) - size.
Let spare_columns := N.of_nat (length columns) - size.
Let second := count + N.of_nat (length rows) * spare_rows.
Let variables := second + N.of_nat (length columns) * spare_columns.

Definition in_set (variable : N) : bool := existsb (fun i => item_place i =? variable) G.
Definition out_at (key : N * N -> N) (lines : list N) (spare number : N) : bool := number mod spare + 1 <=? out lines (hit_by key) (N.succ (number / spare)).

Definition said_of_set (variable : N) : bool :=
  if variable <? count then in_set variable
  else if variable <? second then out_at fst rows spare_rows (variable - count)
  else out_at snd columns spare_columns (variable - second).

Lemma in_set_spec i : In i G -> in_set (item_place i) = true.
Proof. intros H. apply existsb_exists. exists i. split; [exact H|apply N.eqb_refl]. Qed.

Lemma place_below i : In i its -> item_place i < count.
Proof.
  intros H. apply item_at in H. assert (nth_error cells (N.to_nat (item_place i)) <> None) as K by congruence.
  apply nth_error_Some in K. unfold count. lia.
Qed.

Lemma out_at_spec key lines spare place number : 1 <= number <= spare ->
  out_at key lines spare (place * spare + (number - 1)) = (number <=? out lines (hit_by key) (N.succ place)).
Proof.
  intros H. unfold out_at. rewrite (N.add_comm (place * spare)), N.mod_add, N.div_add by lia. rewrite N.mod_small, N.div_small by lia.
  now replace (number - 1 + 1) with number by lia.
Qed.

Lemma hit_has_cell key line : hit_by key line = true ->
  exists place, In place (places_with line 0 (map key cells)) /\ place < variables /\ said_of_set place = true.
Proof.
  intros H. apply existsb_exists in H. destruct H as (i & Hi & E). apply N.eqb_eq in E. pose proof (part _ Hi) as Ii.
  exists (item_place i). pose proof (place_below _ Ii) as B. split; [|split].
  - replace (item_place i) with (0 + N.of_nat (N.to_nat (item_place i))) by lia. apply places_with_spec.
    rewrite nth_error_map, (item_at i Ii). simpl. now rewrite E.
  - unfold variables, second. lia.
  - unfold said_of_set. destruct (N.ltb_spec (item_place i) count); [now apply in_set_spec|lia].
Qed.

Lemma given_clauses_hold : Forall (satisfied variables said_of_set)
  (clauses_from variables count spare_rows (map fst cells) 0 rows ++ clauses_from variables second spare_columns (map snd cells) 0 columns).
Proof.
  apply Forall_app. split.
  - apply (clauses_from_hold variables count spare_rows (map fst cells) rows said_of_set (hit_by fst)).
    + pose proof (few_left_out fst same_row) as F. cbv zeta in F. fold rows in F. unfold spare_rows. lia.
    + intros line. apply hit_has_cell.
    + unfold variables, second. lia.
    + intros place number P M. unfold said_of_set, left_out.
      destruct (N.ltb_spec (count + place * spare_rows + (number - 1)) count); [lia|].
      destruct (N.ltb_spec (count + place * spare_rows + (number - 1)) second); [|unfold second in *; nia].
      replace (count + place * spare_rows + (number - 1) - count) with (place * spare_rows + (number - 1)) by lia. now apply out_at_spec.
    + intros n line E. exact E.
  - apply (clauses_from_hold variables second spare_columns (map snd cells) columns said_of_set (hit_by snd)).
    + pose proof (few_left_out snd same_column) as F. cbv zeta in F. fold columns in F. unfold spare_columns. lia.
    + intros line. apply hit_has_cell.
    + unfold variables. lia.
    + intros place number P M. unfold said_of_set, left_out. assert (count <= second) by (unfold second; lia).
      destruct (N.ltb_spec (second + place * spare_columns + (number - 1)) count); [lia|].
      destruct (N.ltb_spec (second + place * spare_columns + (number - 1)) second); [lia|].
      replace (second + place * spare_columns + (number - 1) - second) with (place * spare_columns + (number - 1)) by lia. now apply out_at_spec.
    + intros n line E. exact E.
Qed.

Let masks := numbered long 0 (map item_mask its).
Definition mask_at (place mask : N) : Prop := exists i, In i its /\ item_place i = place /\ item_mask i = mask.

Lemma masks_right : all mask_at masks.
Proof.
  apply all_numbered. intros n m E. rewrite nth_error_map in E. destruct (nth_error its n) as [i|] eqn:H; [|discriminate]. injection E as <-.
  exists i. rewrite (items_at n i H). split; [eapply nth_error_In; eauto|split; [lia|reflexivity]].
Qed.

Lemma cells_falsified literal : true_one variables said_of_set literal = true -> all_false variables said_of_set (falsified_by_cell variables count masks literal).
Proof.
  intros T. unfold falsified_by_cell. apply all_false_lor.
  - destruct (N.ltb_spec literal (2 * variables)) as [L|]; [|intros b K; now rewrite N.bits_0 in K].
    intros b K. apply bit_of in K. subst b. now rewrite true_denied, T.
  - destruct (N.ltb_spec literal count) as [L|]; [|intros b K; now rewrite N.bits_0 in K].
    destruct (lookup long literal masks) as [mask|] eqn:E; [|intros b K; now rewrite N.bits_0 in K].
    apply (all_lookup mask_at) in E; [|apply masks_right]. destruct E as (i & Hi & Pi & <-).
    intros b K. rewrite N.ldiff_spec, N.land_spec in K. apply andb_true_iff in K. destruct K as [K Ne]. apply andb_true_iff in K. destruct K as [K B].
    destruct (N.lt_ge_cases b count) as [Lb|Lb]; [|now rewrite N.ones_spec_high in B by exact Lb].
    assert (Cell : forall v, v < count -> true_one variables said_of_set v = in_set v).
    { intros v Lv. unfold true_one, said_of_set. assert (count <= variables) by (unfold variables, second; lia).
      destruct (N.ltb_spec v variables); [|lia]. destruct (N.ltb_spec v count); [reflexivity|lia]. }
    rewrite Cell in T |- * by assumption. apply not_true_is_false. intros Hb. apply existsb_exists in T, Hb.
    destruct T as (i' & Gi & Ei), Hb as (j & Gj & Ej). apply N.eqb_eq in Ei, Ej. subst b literal.
    pose proof (items_faithful _ _ _ _ _ listed) as [D _].
    assert (i = i') as <- by (apply (NoDup_map_inj item_place its D); auto).
    destruct (pairs_In apart_items G all_apart i j Gi Gj) as [<-|Q].
    + rewrite N.setbit_eq in Ne. discriminate.
    + assert (A : apart_items i j) by (destruct Q as [Q|Q]; [exact Q|destruct Q as (Q1 & Q2 & Q3); repeat split; auto]).
      destruct A as (_ & A & _). congruence.
Qed.

Lemma set_not_refuted steps : follows variables (falsified_by_cell variables count masks)
  (fun number => lookup long number (numbered long 0 (clauses_from variables count spare_rows (map fst cells) 0 rows
     ++ clauses_from variables second spare_columns (map snd cells) 0 columns))) 0 Empty 0 steps = true -> False.
Proof.
  apply (follows_sound variables _ _ said_of_set).
  - apply cells_falsified.
  - intros number clause. apply (all_lookup (fun _ clause => satisfied variables said_of_set clause)). apply all_numbered. intros n clause' E.
    pose proof given_clauses_hold as H. rewrite Forall_forall in H. apply H. eapply nth_error_In; eauto.
  - intros b K. now rewrite N.bits_0 in K.
  - exact I.
Qed.
End OneSet.

Theorem no_fooling_set_bound t who code size steps v : no_fooling_set_of t who code size steps = Some v ->
  forall F, fooling_set (cell t) who (Some code) F -> N.of_nat (length F) <= v.
Proof.
  unfold no_fooling_set_of. destruct who; try discriminate. destruct (items_of _ _ _ _) as [its|] eqn:E; [|discriminate]. cbv zeta.
  destruct (N.leb_spec 1 size) as [S1|]; [|discriminate]. cbn [andb].
  destruct (N.leb_spec size (N.of_nat (length (in_order 0 (map fst (cells_of t code)))))) as [S2|]; [|discriminate]. cbn [andb].
  destruct (N.leb_spec size (N.of_nat (length (in_order 0 (map snd (cells_of t code)))))) as [S3|]; [|discriminate].
  destruct (follows _ _ _ _ _ _ _) eqn:Fo; [|discriminate]. intros [= <-] F H.
  assert (R : regular t = true) by (unfold items_of in E; destruct (regular t); [reflexivity|discriminate]).
  enough (length F <= N.to_nat (size - 1))%nat by lia. apply (items_bound t Both (Some code) _ its _ E); [|exact H].
  intros G I P. destruct (le_lt_dec (length G) (N.to_nat (size - 1))) as [L|L]; [exact L|exfalso].
  apply (set_not_refuted t code size R its G E I P) with (steps := steps); [lia|exact S2|exact S3|exact Fo].
Qed.
