(** * Why there is no cover, no partition, if its clauses are refuted *)
From Coq Require Import List Arith Lia Bool NArith Permutation Sorted.
From Ccsim Require Import Specification Lines Refutation RefutationSound FoolingSets Tries Lrat CoverClauses.
Import ListNotations.
Open Scope N_scope.

Lemma cells_of_code t code : regular t = true -> forall c, In c (cells_of t code) <-> cell t (fst c) (snd c) = Some code.
Proof.
  intros R c. pose proof (row_lines_good t) as G. rewrite Forall_forall in G. unfold cells_of. rewrite in_flat_map. split.
  - intros (l & Hl & H). apply in_map_iff in H. destruct H as (y & <- & Hy). apply filter_In in Hy. simpl. apply is_code_spec.
    rewrite <- (G l Hl code y). tauto.
  - intros E. pose proof (row_lines_all t _ _ _ E) as H. apply in_map_iff in H. destruct H as (l & El & Hl). exists l. split; [exact Hl|].
    apply in_map_iff. exists (snd c). split; [now rewrite El, <- surjective_pairing|]. apply filter_In. split.
    + pose proof (promised_column t R _ _ _ E) as B. apply full_spec in B. unfold indices. apply in_map_iff. exists (N.to_nat (snd c)).
      split; [lia|]. apply in_seq. lia.
    + rewrite (G l Hl), El, E. simpl. apply N.eqb_refl.
Qed.

Section Sound.
Variable t : table.
Variable code size : N.
Variable once : bool.
Variable named : N.
Hypothesis t_regular : regular t = true.

Let cells := cells_of t code.
Let height := N.of_nat (length t).
Let lines := height + N.of_nat (width t).
Let count := N.of_nat (length cells).
Let P := lines + count.
Let V := size * P.
Hypothesis some_places : 1 <= P.

(** A rectangle has a line, contains a cell. *)
Definition has (r : rectangle N N) (place : N) : bool :=
  if place <? height then fst r place
  else if place <? lines then snd r (place - height)
  else match nth_error cells (N.to_nat (place - lines)) with Some c => inside r (fst c) (snd c) | None => false end.

Lemma coordinates c : In c cells -> fst c < height /\ snd c < N.of_nat (width t).
Proof.
  intros H. apply (cells_of_code t code t_regular) in H. pose proof (promised_row t _ _ _ H) as R.
  pose proof (promised_column t t_regular _ _ _ H) as C. apply full_spec in R, C. unfold height. lia.
Qed.

Lemma has_row r x : x < height -> has r x = fst r x.
Proof. intros H. unfold has. destruct (N.ltb_spec x height); [reflexivity|lia]. Qed.

Lemma has_column r y : y < N.of_nat (width t) -> has r (height + y) = snd r y.
Proof.
  intros H. unfold has. destruct (N.ltb_spec (height + y) height); [lia|]. destruct (N.ltb_spec (height + y) lines) as [L|L]; [|unfold lines in L; lia].
  f_equal. lia.
Qed.

Lemma has_cell r n c : nth_error cells n = Some c -> has r (lines + N.of_nat n) = inside r (fst c) (snd c).
Proof.
  intros H. unfold has. destruct (N.ltb_spec (lines + N.of_nat n) height) as [L|L]; [unfold lines in L; lia|].
  destruct (N.ltb_spec (lines + N.of_nat n) lines); [lia|]. replace (N.to_nat (lines + N.of_nat n - lines)) with n by lia. now rewrite H.
Qed.

(** A mask of places that a rectangle has not. *)
Definition lacks (r : rectangle N N) (mask : N) : Prop := forall q, N.testbit mask q = true -> q < P /\ has r q = false.

Lemma bit_of a b : N.testbit (N.setbit 0 a) b = true -> b = a.
Proof. rewrite N.setbit_iff. intros [->|H]; [reflexivity|]. rewrite N.bits_0 in H. discriminate. Qed.

Lemma cells_in_spec some q : N.testbit (cells_in cells height lines some) q = true -> exists n c, q = lines + N.of_nat n /\
  nth_error cells n = Some c /\ (N.testbit some (fst c) = true \/ N.testbit some (height + snd c) = true).
Proof.
  unfold cells_in. intros H. destruct (N.lt_ge_cases q lines) as [L|L]; [rewrite N.shiftl_spec_low in H by exact L; discriminate|].
  rewrite N.shiftl_spec_high' in H by exact L. rewrite mask_of_spec, nth_error_map in H.
  destruct (nth_error cells (N.to_nat (q - lines))) as [c|] eqn:E; [|discriminate]. simpl in H. exists (N.to_nat (q - lines)), c.
  split; [lia|]. split; [exact E|]. destruct (N.testbit some (fst c)); [now left|]. destruct (N.testbit some (height + snd c)); [now right|discriminate].
Qed.

Lemma with_cells_lacks r some : (forall q, N.testbit some q = true -> has r q = false) ->
  lacks r (with_cells cells height lines count some).
Proof.
  intros H q Q. unfold with_cells in Q. rewrite N.land_spec, N.lor_spec in Q. apply andb_true_iff in Q. destruct Q as [Q B].
  assert (L : q < P).
  { destruct (N.lt_ge_cases q P) as [L|L]; [exact L|]. rewrite N.ones_spec_high in B by exact L. discriminate. }
  split; [exact L|]. apply orb_true_iff in Q. destruct Q as [Q|Q]; [now apply H|].
  apply cells_in_spec in Q. destruct Q as (n & c & -> & E & S). rewrite (has_cell r n c E).
  destruct (coordinates c (nth_error_In _ _ E)) as [X Y]. unfold inside.
  destruct S as [S|S]; apply H in S; [rewrite has_row in S by exact X|rewrite has_column in S by exact Y]; rewrite S; [reflexivity|apply andb_false_r].
Qed.

Definition right_masks (place : N) (masks : N * N) : Prop := forall r, has_answer (cell t) code r ->
  (has r place = true -> lacks r (fst masks)) /\ (has r place = false -> lacks r (snd masks)).

Lemma own_line r place : has r place = false -> lacks r (with_cells cells height lines count (N.setbit 0 place)).
Proof. intros H. apply with_cells_lacks. intros q Q. apply bit_of in Q. now subst. Qed.

Lemma line_masks_right : all right_masks (line_masks t code cells height lines count).
Proof.
  apply all_entered, Forall_app. split; apply Forall_map, Forall_forall; intros l Hl r Own; simpl; (split; [|apply own_line]); intros H;
    apply with_cells_lacks; intros q Q.
  - destruct (N.lt_ge_cases q height) as [L|L]; [rewrite N.shiftl_spec_low in Q by exact L; discriminate|].
    rewrite N.shiftl_spec_high' in Q by exact L. pose proof (row_lines_good t) as G. rewrite Forall_forall in G.
    destruct (others_spec (cell t) (codes_of t) code l _ (G l Hl) Q) as (b & E & Ne).
    pose proof (promised_row t _ _ _ E) as X. pose proof (promised_column t t_regular _ _ _ E) as Y. apply full_spec in X, Y.
    rewrite has_row in H by (unfold height; lia). replace q with (height + (q - height)) by lia. rewrite has_column by lia.
    destruct (snd r (q - height)) eqn:B; [|reflexivity]. exfalso. apply Ne. apply (Own (fst l) (q - height) b); [|exact E].
    unfold inside. now rewrite H, B.
  - pose proof (column_lines_good t t_regular) as G. rewrite Forall_forall in G.
    destruct (others_spec (flip (cell t)) (codes_of t) code l _ (G l Hl) Q) as (b & E & Ne). unfold flip in E.
    pose proof (promised_row t _ _ _ E) as X. pose proof (promised_column t t_regular _ _ _ E) as Y. apply full_spec in X, Y.
    rewrite has_column in H by lia. rewrite has_row by (unfold height; lia).
    destruct (fst r q) eqn:B; [|reflexivity]. exfalso. apply Ne. apply (Own q (fst l) b); [|exact E].
    unfold inside. now rewrite H, B.
Qed.

Lemma cell_table_right : all (fun number c => nth_error cells (N.to_nat number) = Some c) (cell_table cells).
Proof. apply all_numbered. intros n a E. rewrite N.add_0_l, Nat2N.id. exact E. Qed.

(** ** The variables of some rectangles *)
Variable rs : list (rectangle N N).
Hypothesis few : (length rs <= N.to_nat size)%nat.
Hypothesis cover : covers (cell t) code rs.
Hypothesis apart_once : once = true ->
  ForallOrdPairs (fun r s => forall x y, cell t x y = Some code -> ~ (inside r x y = true /\ inside s x y = true)) rs.

(** Where the second has a row, the first has it or one before it. *)
Definition no_later (r s : rectangle N N) : Prop := forall x, x < height -> fst s x = true -> exists q, q <= x /\ fst r q = true.

Definition nowhere : rectangle N N := ((fun _ => false), (fun _ => false)).
Definition one_of (number : N) : rectangle N N := nth (N.to_nat number) rs nowhere.
Definition value (variable : N) : bool := has (one_of (variable / P)) (variable mod P).

Notation true_one := (true_one V value).
Notation all_false := (all_false V value).

Hypothesis rows_in_order : forall n r s, (N.to_nat named <= n)%nat -> nth_error rs n = Some r -> nth_error rs (S n) = Some s -> no_later r s.

Lemma one_of_answer number : has_answer (cell t) code (one_of number).
Proof.
  unfold one_of. destruct (nth_in_or_default (N.to_nat number) rs nowhere) as [H| ->].
  - destruct cover as [Own _]. rewrite Forall_forall in Own. now apply Own.
  - intros x y b H. discriminate.
Qed.

Lemma value_at number place : place < P -> value (number * P + place) = has (one_of number) place.
Proof.
  intros H. unfold value. rewrite N.add_comm, N.div_add, N.mod_add by lia. now rewrite N.div_small, N.mod_small by exact H.
Qed.

Lemma below number place : number < size -> place < P -> number * P + place < V.
Proof. intros A B. unfold V. nia. Qed.

Lemma true_at number place : number < size -> place < P -> true_one (number * P + place) = has (one_of number) place.
Proof. intros A B. unfold true_one. rewrite value_at by exact B. destruct (N.ltb_spec (number * P + place) V) as [|L]; [reflexivity|]. pose proof (below _ _ A B). lia. Qed.

Lemma denied_at number place : number < size -> place < P -> true_one (number * P + place + V) = negb (has (one_of number) place).
Proof.
  intros A B. unfold true_one. destruct (N.ltb_spec (number * P + place + V) V); [lia|].
  replace (number * P + place + V - V) with (number * P + place) by lia. now rewrite value_at by exact B.
Qed.

Lemma shifted_false number mask : number < size -> lacks (one_of number) mask -> all_false (N.shiftl mask (number * P)).
Proof.
  intros A L b H. destruct (N.lt_ge_cases b (number * P)) as [B|B]; [rewrite N.shiftl_spec_low in H by exact B; discriminate|].
  rewrite N.shiftl_spec_high' in H by exact B. destruct (L _ H) as [Q F]. replace b with (number * P + (b - number * P)) by lia.
  now rewrite true_at.
Qed.

Lemma set_false number place mask : number < size -> place < P -> has (one_of number) place = true -> all_false mask ->
  all_false (N.setbit mask (number * P + place + V)).
Proof.
  intros A B H F b K. apply N.setbit_iff in K. destruct K as [<-|K]; [|now apply F]. rewrite denied_at by assumption. now rewrite H.
Qed.

Lemma everywhere_spec b : N.testbit (everywhere size lines count) b = true -> exists number, number < size /\ b = number * P.
Proof.
  unfold everywhere. assert (K : forall l, N.testbit (fold_right (fun number mask => N.setbit mask (number * P)) 0 l) b = true ->
    exists number, In number l /\ b = number * P).
  { induction l as [|a l IH]; simpl; intros H; [discriminate H|]. apply N.setbit_iff in H.
    destruct H as [<-|H]; [exists a; auto|]. destruct (IH H) as (m & I & E). exists m. auto. }
  intros H. destruct (K _ H) as (m & I & E). exists m. split; [|exact E]. unfold indices in I. apply in_map_iff in I.
  destruct I as (k & <- & I). apply in_seq in I. lia.
Qed.

Lemma others_lack number place c : once = true -> number < size -> place < P ->
  nth_error cells (N.to_nat (place - lines)) = Some c -> lines <= place -> has (one_of number) place = true ->
  all_false (N.ldiff (N.shiftl (everywhere size lines count) place) (N.setbit 0 (number * P + place))).
Proof.
  intros O A B E L H b K. rewrite N.ldiff_spec in K. apply andb_true_iff in K. destruct K as [K N].
  destruct (N.lt_ge_cases b place) as [S|S]; [rewrite N.shiftl_spec_low in K by exact S; discriminate|].
  rewrite N.shiftl_spec_high' in K by exact S. apply everywhere_spec in K. destruct K as (other & A' & Eb).
  replace b with (other * P + place) in * by lia. rewrite true_at by assumption.
  assert (D : other <> number).
  { intros ->. apply negb_true_iff in N. assert (N.testbit (N.setbit 0 (number * P + place)) (number * P + place) = true) by (apply N.setbit_iff; now left). congruence. }
  destruct (has (one_of other) place) eqn:H'; [|reflexivity]. exfalso.
  assert (Cell : forall r, has r place = inside r (fst c) (snd c)).
  { intros r. rewrite <- (has_cell r _ c E). f_equal. lia. }
  rewrite Cell in H, H'. pose proof (nth_error_In _ _ E) as I. apply (cells_of_code t code t_regular) in I.
  assert (Real : forall n, inside (one_of n) (fst c) (snd c) = true -> nth_error rs (N.to_nat n) = Some (one_of n)).
  { intros n Hn. unfold one_of in *. apply nth_error_nth'. destruct (le_lt_dec (length rs) (N.to_nat n)) as [G|G]; [|exact G].
    rewrite nth_overflow in Hn by exact G. discriminate. }
  assert (Q : forall l, ForallOrdPairs (fun r s => forall x y, cell t x y = Some code -> ~ (inside r x y = true /\ inside s x y = true)) l ->
    forall i j r s, (i < j)%nat -> nth_error l i = Some r -> nth_error l j = Some s -> ~ (inside r (fst c) (snd c) = true /\ inside s (fst c) (snd c) = true)).
  { clear -I. induction 1 as [|a l F _ IH]; intros i j r s Lt Hi Hj; [destruct i; discriminate|]. destruct j; [lia|]. simpl in Hj. destruct i; simpl in Hi.
    - injection Hi as <-. rewrite Forall_forall in F. apply (F s); [eapply nth_error_In; eauto|exact I].
    - apply (IH i j r s); [lia|exact Hi|exact Hj]. }
  pose proof (Real _ H) as R1. pose proof (Real _ H') as R2.
  destruct (lt_dec (N.to_nat number) (N.to_nat other)) as [Lt|Ge].
  - exact (Q rs (apart_once O) _ _ _ _ Lt R1 R2 (conj H H')).
  - refine (Q rs (apart_once O) (N.to_nat other) (N.to_nat number) _ _ _ R2 R1 (conj H' H)). lia.
Qed.

Let false_ones := falsified size once height lines count (line_masks t code cells height lines count) (cell_table cells) (everywhere size lines count).

Lemma places_of literal : literal < V -> literal / P < size /\ literal mod P < P /\ literal / P * P + literal mod P = literal.
Proof.
  intros H. split; [apply N.div_lt_upper_bound; [lia|rewrite N.mul_comm; exact H]|]. split; [apply N.mod_lt; lia|].
  pose proof (N.div_mod literal P ltac:(lia)). lia.
Qed.

Lemma having_false number place : number < size -> place < P -> has (one_of number) place = true ->
  all_false (falsified_by_having size once height lines count (line_masks t code cells height lines count) (cell_table cells)
    (everywhere size lines count) place (number * P)).
Proof.
  intros A B H. unfold falsified_by_having. change (lines + count) with P. change (variables size lines count) with V.
  destruct (N.ltb_spec place lines) as [L|L].
  - destruct (lookup long place _) as [[F D]|] eqn:E; [|intros b K; discriminate].
    apply (all_lookup right_masks) in E; [|apply line_masks_right]. destruct (E _ (one_of_answer number)) as [E1 _].
    apply set_false; auto. apply shifted_false; auto.
  - destruct (lookup long (place - lines) _) as [[x y]|] eqn:C; [|intros b K; discriminate].
    apply (all_lookup (fun number c => nth_error cells (N.to_nat number) = Some c)) in C; [|apply cell_table_right].
    destruct (lookup long x _) as [[F D]|] eqn:E; [|intros b K; discriminate].
    destruct (lookup long (height + y) _) as [[G D']|] eqn:E'; [|intros b K; discriminate].
    apply (all_lookup right_masks) in E, E'; try apply line_masks_right.
    destruct (E _ (one_of_answer number)) as [E1 _], (E' _ (one_of_answer number)) as [E2 _]. simpl in E1, E2.
    destruct (coordinates _ (nth_error_In _ _ C)) as [X Y]. simpl in X, Y.
    pose proof H as I. replace place with (lines + N.of_nat (N.to_nat (place - lines))) in I by lia. rewrite (has_cell _ _ _ C) in I.
    simpl in I. unfold inside in I. apply andb_true_iff in I. destruct I as [I1 I2].
    rewrite <- (has_row _ x X) in I1. rewrite <- (has_column _ y Y) in I2.
    apply all_false_lor.
    + repeat apply set_false; auto; try (unfold P, lines; lia). apply shifted_false; [exact A|].
      intros q Q. rewrite N.lor_spec, orb_true_iff in Q. destruct Q as [Q|Q]; [exact (E1 I1 q Q)|exact (E2 I2 q Q)].
    + destruct (bool_dec once true) as [O|O]; [|apply not_true_is_false in O]; rewrite O; [|intros b K; discriminate].
      eapply others_lack; eauto.
Qed.

Lemma not_having_false number place : number < size -> place < P -> has (one_of number) place = false ->
  all_false (falsified_by_not_having lines (line_masks t code cells height lines count) place (number * P)).
Proof.
  intros A B H. unfold falsified_by_not_having. destruct (N.ltb_spec place lines) as [L|L].
  - destruct (lookup long place _) as [[F D]|] eqn:E; [|intros b K; discriminate].
    apply (all_lookup right_masks) in E; [|apply line_masks_right]. destruct (E _ (one_of_answer number)) as [_ E1].
    apply shifted_false; auto.
  - intros b K. apply bit_of in K. subst. now rewrite true_at.
Qed.

Lemma falsified_false literal : true_one literal = true -> all_false (false_ones literal).
Proof.
  intros H. unfold false_ones, falsified. change (variables size lines count) with V. change (places lines count) with P.
  destruct (N.ltb_spec literal V) as [L|L].
  - destruct (places_of _ L) as (A & B & E). apply having_false; auto. rewrite <- E in H at 1. now rewrite true_at in H.
  - destruct (N.ltb_spec (literal - V) V) as [K|K]; [|intros b X; discriminate]. destruct (places_of _ K) as (A & B & E).
    apply not_having_false; auto. replace literal with ((literal - V) / P * P + (literal - V) mod P + V) in H at 1 by lia.
    rewrite denied_at in H by assumption. now apply negb_true_iff in H.
Qed.

Lemma in_order_holds number clause : in_order size named height lines count number = Some clause -> satisfied V value clause.
Proof.
  unfold in_order. change (variables size lines count) with V. change (places lines count) with P.
  set (after := named + number / height). set (row := number mod height).
  destruct (N.ltb_spec (N.succ after) size) as [A|]; [|discriminate]. destruct (N.ltb_spec row height) as [R|]; [|discriminate].
  assert (Later : named <= after) by apply N.le_add_r. clearbody after row.
  cbn [andb]. intros H. injection H as <-. assert (Small : forall r, r <= row -> r < P) by (intros r Hr; unfold P, lines; lia).
  apply Exists_cons. rewrite denied_at by (auto; lia). rewrite has_row by exact R.
  destruct (fst (one_of (N.succ after)) row) eqn:E; [right|now left].
  assert (K : exists q, q <= row /\ fst (one_of after) q = true).
  { destruct (le_lt_dec (length rs) (S (N.to_nat after))) as [B|B].
    - unfold one_of in E. rewrite N2Nat.inj_succ, nth_overflow in E by exact B. discriminate.
    - apply (rows_in_order (N.to_nat after)) with (s := one_of (N.succ after)); [lia| | |exact R|exact E]; unfold one_of.
      + apply nth_error_nth'. lia.
      + rewrite N2Nat.inj_succ. now apply nth_error_nth'. }
  destruct K as (q & Q & F). apply Exists_exists. exists (after * P + q). split.
  - apply in_map_iff. exists q. split; [reflexivity|]. unfold indices. apply in_map_iff. exists (N.to_nat q). split; [lia|].
    apply in_seq. lia.
  - rewrite true_at by (auto; lia). now rewrite has_row by lia.
Qed.

Lemma given_hold number clause : given size once named height lines count (cell_table cells) number = Some clause -> satisfied V value clause.
Proof.
  unfold given. destruct (unordered size once count <=? number); [apply in_order_holds|].
  change (variables size lines count) with V. change (places lines count) with P. destruct (N.ltb_spec number count) as [L|L].
  - intros H. injection H as <-. destruct (nth_error cells (N.to_nat number)) as [c|] eqn:E.
    2: { apply nth_error_None in E. unfold count in L. lia. }
    pose proof (nth_error_In _ _ E) as I. apply (cells_of_code t code t_regular) in I. destruct cover as [_ Cov].
    specialize (Cov _ _ I). apply Exists_exists in Cov. destruct Cov as (r & Hr & In). apply In_nth_error in Hr. destruct Hr as (n & Hn).
    assert (n < length rs)%nat by (apply nth_error_Some; congruence).
    apply Exists_exists. exists (N.of_nat n * P + (lines + number)). split.
    + apply in_map_iff. exists (N.of_nat n). split; [reflexivity|]. unfold indices. apply in_map, in_seq. lia.
    + rewrite true_at by (try lia; unfold P; lia). unfold one_of. rewrite Nat2N.id. rewrite (nth_error_nth _ _ _ Hn).
      replace number with (N.of_nat (N.to_nat number)) by lia. now rewrite (has_cell _ _ _ E).
  - destruct (bool_dec once true) as [O|O]; [|apply not_true_is_false in O]; rewrite O; [|discriminate].
    destruct (lookup long _ _) as [[x y]|] eqn:C; [|discriminate].
    destruct (N.ltb_spec ((number - count) mod size) size) as [A|]; [|discriminate]. intros H. injection H as <-.
    apply (all_lookup (fun number c => nth_error cells (N.to_nat number) = Some c)) in C; [|apply cell_table_right].
    set (r := (number - count) mod size) in *. set (n := (number - count) / size) in *.
    destruct (coordinates _ (nth_error_In _ _ C)) as [X Y]. simpl in X, Y.
    assert (B : n < count). { assert (nth_error cells (N.to_nat n) <> None) by congruence. apply nth_error_Some in H. unfold count. lia. }
    unfold satisfied. rewrite !Exists_cons. rewrite denied_at by (try lia; unfold P, lines; lia). rewrite denied_at by (try lia; unfold P, lines; lia).
    rewrite true_at by (try lia; unfold P, lines; lia). rewrite has_row by exact X. rewrite has_column by exact Y.
    replace n with (N.of_nat (N.to_nat n)) by lia. rewrite (has_cell _ _ _ C). simpl. unfold inside.
    destruct (fst (one_of r) x), (snd (one_of r) y); simpl; auto.
Qed.

Lemma start_false literals : (forall l, In l literals -> true_one l = true) ->
  all_false (fold_right (fun literal mask => N.lor (false_ones literal) mask) 0 literals).
Proof.
  induction literals as [|l literals IH]; simpl; intros H; [intros b K; discriminate|].
  apply all_false_lor; [apply falsified_false|]; auto.
Qed.

(** The cells that no rectangle has two of are in the first rectangles, in order. *)
Lemma lines_of_cells_true apart : forall number, 
  (forall n c, nth_error apart n = Some c -> In c cells /\ number + N.of_nat n < size /\ inside (one_of (number + N.of_nat n)) (fst c) (snd c) = true) ->
  forall l, In l (lines_of_cells height P number apart) -> true_one l = true.
Proof.
  induction apart as [|[x y] apart IH]; simpl; intros number H l Hl; [elim Hl|].
  pose proof (H 0%nat (x, y) eq_refl) as (I & A & J). rewrite N.add_0_r in A, J. destruct (coordinates _ I) as [X Y]. simpl in X, Y, J.
  unfold inside in J. apply andb_true_iff in J. destruct J as [J1 J2]. destruct Hl as [<-|[<-|Hl]].
  - rewrite true_at by (auto; unfold P, lines; lia). now rewrite has_row.
  - rewrite true_at by (auto; unfold P, lines; lia). now rewrite has_column.
  - apply (IH (N.succ number)); [|exact Hl]. intros n c E. specialize (H (S n) c E). now rewrite Nat2N.inj_succ, N.add_succ_r, <- N.add_succ_l in H.
Qed.

Lemma not_refuted apart steps :
  (forall n c, nth_error apart n = Some c -> In c cells /\ N.of_nat n < size /\ inside (one_of (N.of_nat n)) (fst c) (snd c) = true) ->
  follows V false_ones (given size once named height lines count (cell_table cells))
    (fold_right (fun literal mask => N.lor (false_ones literal) mask) 0 (lines_of_cells height P 0 apart)) Empty 0 steps = false.
Proof.
  intros A. destruct (follows _ _ _ _ _ _ _) eqn:F; [|reflexivity]. exfalso.
  refine (follows_sound V false_ones _ value falsified_false given_hold _ _ steps Empty 0 I F).
  apply start_false. intros l Hl. eapply lines_of_cells_true; [|exact Hl]. intros n c E. rewrite N.add_0_l. now apply A.
Qed.
End Sound.

(** ** Rectangles in an order that suits cells of which none has two *)
Lemma pairs_permuted {T} (R : T -> T -> Prop) l m : (forall a b, R a b -> R b a) -> Permutation l m ->
  ForallOrdPairs R l -> ForallOrdPairs R m.
Proof.
  intros Sym. induction 1 as [|a l m H IH|a b l|l m k _ IH1 _ IH2]; intros F; auto.
  - inversion F; subst. constructor; [|now apply IH]. eapply Permutation_Forall; eauto.
  - inversion F as [|? ? F1 F2]; subst. inversion F1; subst. inversion F2; subst. constructor; [constructor; auto|constructor; auto].
Qed.

Lemma arranged {S T} (ins : T -> S -> bool) : forall (cs : list S) rs, Forall (fun c => Exists (fun r => ins r c = true) rs) cs ->
  ForallOrdPairs (fun c d => forall r, In r rs -> ~ (ins r c = true /\ ins r d = true)) cs ->
  exists rs', Permutation rs rs' /\ forall n c, nth_error cs n = Some c -> exists r, nth_error rs' n = Some r /\ ins r c = true.
Proof.
  induction cs as [|c cs IH]; intros rs E D.
  - exists rs. split; [apply Permutation_refl|]. intros [|n] c H; discriminate.
  - inversion E as [|? ? Ec Es]; subst. inversion D as [|? ? Dc Ds]; subst. apply Exists_exists in Ec. destruct Ec as (r & Hr & I).
    destruct (in_split _ _ Hr) as (l1 & l2 & ->). destruct (IH (l1 ++ l2)) as (rest & Pm & K).
    + rewrite Forall_forall in *. intros d Hd. specialize (Es d Hd). apply Exists_exists in Es. destruct Es as (s & Hs & J).
      apply Exists_exists. exists s. split; [|exact J]. apply in_app_iff in Hs. apply in_app_iff. destruct Hs as [Hs|[<-|Hs]]; auto.
      exfalso. apply (Dc d Hd r Hr). auto.
    + clear -Ds. induction Ds as [|d ds F _ IH]; constructor; auto. eapply Forall_impl; [|exact F]. intros e He s Hs.
      apply He. apply in_app_iff in Hs. apply in_app_iff. simpl. tauto.
    + exists (r :: rest). split.
      * eapply Permutation_trans; [apply Permutation_sym, Permutation_middle|]. now constructor.
      * intros [|n] d Hd; simpl in *; [injection Hd as <-; eauto|eauto].
Qed.

(** ** All but the first ones in the order of their first rows *)
Lemma some_below (f : N -> bool) n : (exists q, q < n /\ f q = true) \/ (forall q, q < n -> f q = false).
Proof.
  induction n as [|n [(q & L & E)|IH]] using N.peano_ind; [right; lia|left; exists q; split; [lia|exact E]|].
  destruct (f n) eqn:E; [left; exists n; split; [lia|exact E]|right]. intros q L.
  destruct (N.eq_dec q n) as [->|]; [exact E|apply IH; lia].
Qed.

Lemma one_is_no_later (f g : N -> bool) n :
  (forall x, x < n -> g x = true -> exists q, q <= x /\ f q = true) \/ (forall x, x < n -> f x = true -> exists q, q <= x /\ g q = true).
Proof.
  induction n as [|n [IH|IH]] using N.peano_ind; [left; lia| |].
  - destruct (some_below f (N.succ n)) as [(q & L & E)|None].
    + left. intros x X G. destruct (N.eq_dec x n) as [->|]; [exists q; split; [lia|exact E]|apply IH; auto; lia].
    + right. intros x X F. rewrite None in F by exact X. discriminate.
  - destruct (some_below g (N.succ n)) as [(q & L & E)|None].
    + right. intros x X G. destruct (N.eq_dec x n) as [->|]; [exists q; split; [lia|exact E]|apply IH; auto; lia].
    + left. intros x X F. rewrite None in F by exact X. discriminate.
Qed.

Section Order.
Variable T : Type.
Variable before : T -> T -> Prop.
Hypothesis some_order : forall a b, before a b \/ before b a.

Lemma entered_in_order a l : Sorted before l -> exists m, Permutation (a :: l) m /\ Sorted before m /\
  forall b, before b a -> HdRel before b l -> HdRel before b m.
Proof.
  induction l as [|c l IH]; intros S.
  - exists [a]. repeat split; auto using Permutation_refl.
  - destruct (some_order a c) as [A|A].
    + exists (a :: c :: l). repeat split; auto using Permutation_refl.
    + inversion S as [|? ? S' H]; subst. destruct (IH S') as (m & Pm & Sm & Hm). exists (c :: m). repeat split; auto.
      * eapply Permutation_trans; [apply perm_swap|]. now constructor.
      * intros b _ Hb. inversion Hb; subst. now constructor.
Qed.

Lemma all_in_order l : exists m, Permutation l m /\ Sorted before m.
Proof.
  induction l as [|a l (m & Pm & Sm)]; [exists []; auto|]. destruct (entered_in_order a m Sm) as (k & Pk & Sk & _).
  exists k. split; [|exact Sk]. eapply Permutation_trans; [|exact Pk]. now constructor.
Qed.

Lemma next_in_order l : Sorted before l -> forall n a b, nth_error l n = Some a -> nth_error l (S n) = Some b -> before a b.
Proof.
  induction 1 as [|c l S IH H]; intros [|n] a b A B; try discriminate; [|exact (IH n a b A B)].
  simpl in A, B. injection A as ->. destruct l as [|d l]; [discriminate|]. injection B as ->. now inversion H.
Qed.

(** The first ones stay where they are. *)
Lemma rest_in_order l k : exists m, Permutation l m /\ (forall n, (n < k)%nat -> nth_error m n = nth_error l n) /\
  forall n a b, (k <= n)%nat -> nth_error m n = Some a -> nth_error m (S n) = Some b -> before a b.
Proof.
  destruct (all_in_order (skipn k l)) as (m & Pm & Sm). exists (firstn k l ++ m). repeat split.
  - rewrite <- (firstn_skipn k l) at 1. now apply Permutation_app_head.
  - intros n L. destruct (le_lt_dec (length l) n) as [G|G].
    + apply Permutation_length in Pm. rewrite skipn_length in Pm. rewrite !(proj2 (nth_error_None _ _)); auto.
      rewrite app_length, firstn_length. lia.
    + rewrite nth_error_app1 by (rewrite firstn_length; lia). rewrite <- (firstn_skipn k l) at 2. now rewrite nth_error_app1 by (rewrite firstn_length; lia).
  - intros n a b L A B. destruct (le_lt_dec (length l) k) as [G|G].
    + apply Permutation_length in Pm. rewrite skipn_length in Pm. destruct m as [|c m]; [|simpl in Pm; lia].
      rewrite app_nil_r in A. assert (n < length (firstn k l))%nat by (apply nth_error_Some; congruence). rewrite firstn_length in *. lia.
    + rewrite nth_error_app2 in A, B by (rewrite firstn_length; lia). rewrite firstn_length, Nat.min_l in A, B by lia.
      apply (next_in_order m Sm (n - k)); [exact A|]. rewrite <- B. f_equal. lia.
Qed.
End Order.

Theorem no_cover_of_bound t code once size apart steps v : no_cover_of t code once size apart steps = Some v -> forall count,
  (if once then rectangles_partition (cell t) (Some code) count else rectangles_cover (cell t) (Some code) count) -> v <= N.of_nat count.
Proof.
  unfold no_cover_of. intros H number R. destruct (fooling_cells _ _ _ _) as [fixed|] eqn:F; [|discriminate].
  assert (Reg : regular t = true) by (unfold fooling_cells in F; destruct (regular t); [reflexivity|discriminate]).
  apply fooling_cells_sound in F. destruct F as [[Own Apart] ->]. cbv zeta in H.
  destruct (N.leb_spec (N.of_nat (length apart)) size) as [Fit|]; [|discriminate]. cbn [andb] in H.
  destruct (N.leb_spec 1 (N.of_nat (length t) + N.of_nat (width t) + N.of_nat (length (cells_of t code)))) as [Some1|]; [|discriminate].
  destruct (follows _ _ _ _ _ _ _) eqn:Fo in H; [|discriminate]. injection H as <-.
  destruct (N.lt_ge_cases size (N.of_nat number)) as [L|L]; [lia|]. exfalso.
  assert (K : exists rs, covers (cell t) code rs /\ (length rs <= number)%nat /\ (once = true ->
    ForallOrdPairs (fun r s => forall x y, cell t x y = Some code -> ~ (inside r x y = true /\ inside s x y = true)) rs)).
  { destruct once; destruct R as (rs & C & B); exists rs; [destruct C as [C D]|]; repeat split; auto; try apply C; discriminate. }
  destruct K as (rs & Cov & B & D). destruct Cov as [Good All].
  destruct (arranged (fun (r : rectangle N N) (c : N * N) => inside r (fst c) (snd c)) apart rs) as (numbered & Pn & K).
  - eapply Forall_impl; [|exact Own]. intros c Hc. now apply All.
  - clear -Apart Good. induction Apart as [|c l H _ IH]; constructor; [|exact IH].
    apply Forall_forall. intros d Hd r Hr [Ic Id]. rewrite Forall_forall in H. apply (H d Hd). exists code.
    intros x y a Hx Hy E. simpl. rewrite Forall_forall in Good. symmetry. apply (Good r Hr x y a); [|exact E].
    unfold inside in *. apply andb_true_iff in Ic, Id. apply andb_true_iff. destruct Hx, Hy; subst; tauto.
  - destruct (rest_in_order _ (no_later t) (fun r s => one_is_no_later (fst r) (fst s) _) numbered (length apart)) as (rs' & Pr & Same & Later).
    pose proof (Permutation_trans Pn Pr) as Pm. pose proof (Permutation_length Pm) as Len.
    rewrite (not_refuted t code size once (N.of_nat (length apart)) Reg Some1 rs') in Fo; [discriminate| | | | |].
    + lia.
    + split; [eapply Permutation_Forall; eauto|]. intros x y E. specialize (All x y E). eapply Permutation_Exists; eauto.
    + intros O. specialize (D O). eapply pairs_permuted; [|exact Pm|exact D]. intros r s Q x y E [I J]. apply (Q x y E). auto.
    + intros n r s After A C. apply (Later n); [lia|exact A|exact C].
    + intros n c E. destruct (K n c E) as (r & Hr & I).
      rewrite <- Same in Hr by (apply nth_error_Some; congruence). split; [|split].
      * apply (cells_of_code t code Reg). rewrite Forall_forall in Own. apply (Own c). eapply nth_error_In; eauto.
      * assert (n < length apart)%nat by (apply nth_error_Some; congruence). lia.
      * unfold one_of. rewrite Nat2N.id, (nth_error_nth _ _ _ Hr). exact I.
Qed.
