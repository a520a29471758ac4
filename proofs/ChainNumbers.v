(** * Rectangles of a cover in an order that suits a crossing: first those of the row, last those of the column *)
From Coq Require Import List Arith Lia Bool NArith ZArith Permutation.
From Ccsim Require Import Specification Lines Chains ChainCovers ChainClauses ChainClausesSound.
Import ListNotations.
Open Scope N_scope.

(** Rows and columns, and their sets. *)
Definition item := (bool * line)%type.
Definition set_in (rs : list (rectangle N N)) (p : item) : N := if fst p then lacks rs (snd p) else has rs (snd p).

Definition in_set (p : item) (r : rectangle N N) : bool := if fst p then negb (snd r (fst (snd p))) else fst r (fst (snd p)).

Lemma set_in_mask rs p : set_in rs p = mask_of 0 (map (fun r => if in_set p r then Some 0 else None) rs).
Proof.
  unfold set_in, in_set, has, lacks. destruct (fst p); [|reflexivity]. f_equal. apply map_ext. intros r. now destruct (snd r _).
Qed.

Lemma set_in_bit rs p i : N.testbit (set_in rs p) i = match nth_error rs (N.to_nat i) with Some r => in_set p r | None => false end.
Proof. rewrite set_in_mask, mask_of_spec, nth_error_map. destruct (nth_error rs (N.to_nat i)) as [r|]; [|reflexivity]. simpl. now destruct (in_set p r). Qed.

Lemma set_in_size rs p : size_of (length rs) (set_in rs p) = length (filter (in_set p) rs).
Proof.
  unfold size_of, indices. rewrite filter_map_length. transitivity (length (filter (in_set p) (map (fun i => nth i rs no_lines) (seq 0 (length rs))))).
  2: { now rewrite nth_listed. }
  rewrite filter_map_length. f_equal. apply filter_ext_in.
  intros i Hi. apply in_seq in Hi. rewrite set_in_bit, Nat2N.id. now rewrite (nth_error_nth' rs no_lines) by lia.
Qed.

Lemma set_in_bounded rs p : bounded (length rs) (set_in rs p).
Proof.
  intros i H. rewrite set_in_bit in H. destruct (nth_error rs (N.to_nat i)) eqn:E; [|discriminate].
  assert (nth_error rs (N.to_nat i) <> None) as B by congruence. apply nth_error_Some in B. unfold indices. apply in_map_iff. exists (N.to_nat i).
  split; [lia|]. apply in_seq. lia.
Qed.

Lemma filter_permuted {T} (p : T -> bool) l m : Permutation l m -> Permutation (filter p l) (filter p m).
Proof.
  induction 1 as [|x l m H IH|x y l|l m n _ IH1 _ IH2]; simpl; [constructor| | |eapply Permutation_trans; eauto].
  - destruct (p x); [now constructor|exact IH].
  - destruct (p x), (p y); try apply Permutation_refl. apply perm_swap.
Qed.

Lemma set_in_permuted rs rs' p : Permutation rs rs' -> size_of (length rs) (set_in rs p) = size_of (length rs) (set_in rs' p).
Proof.
  intros H. pose proof (Permutation_length H) as E. rewrite set_in_size. rewrite E, set_in_size. now apply Permutation_length, filter_permuted.
Qed.

Lemma first_chosen {T} (p : T -> bool) l : exists l', Permutation l l' /\ match l' with [] => True | x :: rest => forall y, In y rest -> p y = true -> p x = true end.
Proof.
  destruct (find p l) as [x|] eqn:F.
  - apply find_some in F. destruct F as [Hx Px]. apply in_split in Hx. destruct Hx as (l1 & l2 & ->). exists (x :: l1 ++ l2).
    split; [apply Permutation_sym, Permutation_middle|]. auto.
  - exists l. split; [apply Permutation_refl|]. destruct l as [|x l]; [exact I|]. intros y Hy Py. exfalso. pose proof (find_none _ _ F y (or_intror Hy)). congruence.
Qed.

Lemma three_parts {T} (p q : T -> bool) l : (forall x, p x = true -> q x = true) ->
  Permutation l (filter p l ++ filter (fun x => negb (p x) && q x) l ++ filter (fun x => negb (q x)) l).
Proof.
  intros H. induction l as [|x l IH]; simpl; [constructor|]. destruct (p x) eqn:P.
  - rewrite (H x P). simpl. now constructor.
  - destruct (q x); simpl.
    + apply Permutation_cons_app. exact IH.
    + rewrite app_assoc. apply Permutation_cons_app. rewrite <- app_assoc. exact IH.
Qed.

Section Numbers.
Variable items : list item.
Variable rs : list (rectangle N N).
Let k := length rs.

Notation well sets := (numbered_well items fst sets).

Lemma numbered_somehow n : forall inside outside A B, length inside = n -> exists inside' outside',
  Permutation inside inside' /\ Permutation outside outside' /\ well (set_in rs) inside' outside' A B.
Proof.
  induction n as [|n IH]; intros inside outside A B Len.
  { destruct inside; [|discriminate]. exists [], outside. repeat split; apply Permutation_refl. }
  destruct (first_chosen (fun i => present items fst (set_in rs) false (flip_bit B i)) inside) as (inside1 & P1 & C1).
  destruct (first_chosen (fun i => present items fst (set_in rs) true (flip_bit A i)) outside) as (outside1 & P2 & C2).
  pose proof (Permutation_length P1) as L1.
  destruct inside1 as [|i inside1]; [simpl in L1; lia|]. destruct outside1 as [|o outside1].
  { exists (i :: inside1), []. repeat split; assumption. }
  destruct (IH inside1 outside1 (flip_bit B i) (flip_bit A o)) as (inside2 & outside2 & P3 & P4 & W); [simpl in L1; lia|].
  exists (i :: inside2), (o :: outside2). split; [eapply Permutation_trans; [exact P1|now constructor]|]. split; [eapply Permutation_trans; [exact P2|now constructor]|].
  cbn [numbered_well first_of]. split; [|split; [|exact W]]; intros j Hj.
  - apply C2. eapply Permutation_in; [apply Permutation_sym, P4|exact Hj].
  - apply C1. eapply Permutation_in; [apply Permutation_sym, P3|exact Hj].
Qed.

(** ** Sets in another order of the rectangles *)
Variable order : list N.
Hypothesis order_all : Permutation (indices k) order.

Definition moved (A : N) : N := mask_of 0 (map (fun j => if N.testbit A j then Some 0 else None) order).
Definition reordered : list (rectangle N N) := map (fun j => nth (N.to_nat j) rs no_lines) order.

Lemma moved_bit A i : N.testbit (moved A) i = match nth_error order (N.to_nat i) with Some j => N.testbit A j | None => false end.
Proof. unfold moved. rewrite mask_of_spec, nth_error_map. destruct (nth_error order (N.to_nat i)) as [j|]; [|reflexivity]. simpl. now destruct (N.testbit A j). Qed.

Lemma order_distinct : NoDup order.
Proof. eapply Permutation_NoDup; [exact order_all|apply indices_distinct]. Qed.

Lemma in_order j : In j order <-> (N.to_nat j < k)%nat.
Proof.
  split; intros H.
  - apply (Permutation_in _ (Permutation_sym order_all)) in H. unfold indices in H. apply in_map_iff in H. destruct H as (n & <- & H). apply in_seq in H. lia.
  - apply (Permutation_in _ order_all). unfold indices. apply in_map_iff. exists (N.to_nat j). split; [lia|]. apply in_seq. lia.
Qed.

Lemma reordered_permuted : Permutation rs reordered.
Proof.
  unfold reordered. eapply Permutation_trans; [|apply Permutation_map, order_all]. rewrite <- (nth_listed no_lines rs) at 1. unfold indices. rewrite map_map.
  fold k. erewrite map_ext; [apply Permutation_refl|]. intros i. cbv beta. now rewrite Nat2N.id.
Qed.

Lemma set_moved p : set_in reordered p = moved (set_in rs p).
Proof.
  rewrite set_in_mask. unfold reordered, moved. rewrite map_map. f_equal. apply map_ext_in. intros j Hj. rewrite set_in_bit.
  apply in_order in Hj. rewrite (nth_error_nth' rs no_lines) by exact Hj. reflexivity.
Qed.

Lemma moved_once A B : bounded k A -> bounded k B -> moved A = moved B -> A = B.
Proof.
  intros HA HB E. assert (Half : forall X Y, bounded k X -> moved X = moved Y -> forall j, N.testbit X j = true -> N.testbit Y j = true).
  { intros X Y HX EX j Hj. assert (Hj' : In j order) by (apply (Permutation_in _ order_all), HX, Hj). apply In_nth_error in Hj'. destruct Hj' as [n Hn].
    pose proof (moved_bit X (N.of_nat n)) as M. rewrite EX, moved_bit, Nat2N.id, Hn in M. congruence. }
  apply N.bits_inj. intros j. apply eq_true_iff_eq. split; [now apply Half|]. apply Half; auto.
Qed.

Lemma flip_bit_spec A i j : N.testbit (flip_bit A i) j = xorb (N.testbit A j) (j =? i).
Proof.
  unfold flip_bit. rewrite N.lxor_spec. f_equal. destruct (N.eqb_spec j i) as [->|Ne]; [apply N.setbit_eq|]. rewrite N.setbit_neq by congruence. apply N.bits_0.
Qed.

Lemma moved_flip A i j : nth_error order (N.to_nat i) = Some j -> flip_bit (moved A) i = moved (flip_bit A j).
Proof.
  intros H. apply N.bits_inj. intros x. rewrite flip_bit_spec, !moved_bit. destruct (N.eqb_spec x i) as [->|Ne].
  - rewrite H, flip_bit_spec, N.eqb_refl. reflexivity.
  - rewrite xorb_false_r. destruct (nth_error order (N.to_nat x)) as [y|] eqn:E; [|reflexivity]. rewrite flip_bit_spec.
    destruct (N.eqb_spec y j) as [->|]; [|now rewrite xorb_false_r]. exfalso. apply Ne. apply N2Nat.inj.
    apply (proj1 (NoDup_nth_error order) order_distinct); [|congruence]. apply nth_error_Some. congruence.
Qed.

Lemma present_moved column X : bounded k X -> present items fst (set_in reordered) column (moved X) = present items fst (set_in rs) column X.
Proof.
  intros B. apply eq_true_iff_eq. unfold present. rewrite !existsb_exists. split; intros (p & Hp & H); exists p; (split; [exact Hp|]);
    apply andb_true_iff in H; destruct H as [S E]; rewrite S; cbn [andb]; apply N.eqb_eq in E; apply N.eqb_eq.
  - rewrite set_moved in E. apply moved_once in E; auto. apply set_in_bounded.
  - now rewrite set_moved, E.
Qed.

Definition is_at (i j : N) : Prop := nth_error order (N.to_nat i) = Some j.

Lemma flip_bounded A j : bounded k A -> In j order -> bounded k (flip_bit A j).
Proof.
  intros B Hj x Hx. rewrite flip_bit_spec in Hx. destruct (N.eqb x j) eqn:E.
  - apply N.eqb_eq in E. rewrite E. now apply (Permutation_in _ (Permutation_sym order_all)).
  - rewrite xorb_false_r in Hx. now apply B.
Qed.

Lemma is_at_In i j : is_at i j -> In j order.
Proof. intros H. eapply nth_error_In. exact H. Qed.

Lemma first_moved column A places js : bounded k A -> Forall2 is_at places js -> first_of items fst (set_in rs) column A js ->
  first_of items fst (set_in reordered) column (moved A) places.
Proof.
  intros B R H. destruct R as [|i j places js Hi R]; [exact I|]. cbn [first_of] in *. intros i' Hi'.
  assert (J : exists j', In j' js /\ is_at i' j').
  { clear -R Hi'. induction R as [|a b l m H R IH]; [elim Hi'|]. destruct Hi' as [<-|Hi']; [exists b; split; [now left|exact H]|].
    destruct (IH Hi') as (j' & Hj' & E). exists j'. split; [now right|exact E]. }
  destruct J as (j' & Hj' & E). rewrite (moved_flip A i' j' E), (moved_flip A i j Hi).
  rewrite !present_moved by (apply flip_bounded; [exact B|eapply is_at_In; eauto]). now apply H.
Qed.

Lemma well_moved : forall inside is outside os A B, Forall2 is_at inside is -> Forall2 is_at outside os -> bounded k A -> bounded k B ->
  well (set_in rs) is os A B -> well (set_in reordered) inside outside (moved A) (moved B).
Proof.
  induction inside as [|i inside IH]; intros is outside os A B R1 R2 BA BB W; [exact I|].
  inversion R1 as [|? i' ? is' E1 R1']; subst. destruct R2 as [|o o' outside os E2 R2']; [exact I|]. cbn [numbered_well] in *. destruct W as (W1 & W2 & W3).
  split; [eapply first_moved; eauto; now constructor|]. split; [eapply first_moved; eauto|].
  rewrite (moved_flip B i i' E1), (moved_flip A o o' E2). eapply IH; eauto; apply flip_bounded; auto; eapply is_at_In; eauto.
Qed.
End Numbers.


Lemma places_at (a b c : list N) : Forall2 (fun i j => nth_error (a ++ b ++ c) (N.to_nat i) = Some j) (map N.of_nat (seq (length a) (length b))) b.
Proof.
  revert a. induction b as [|j b IH]; intros a; cbn [length seq map app]; constructor.
  - rewrite Nat2N.id, nth_error_app2 by lia. now rewrite Nat.sub_diag.
  - specialize (IH (a ++ [j])). rewrite app_length, Nat.add_1_r, <- app_assoc in IH. exact IH.
Qed.

(** A mask of the first elements. *)
Lemma first_elements (A : N) l m n : (forall j, In j l -> N.testbit A j = true) -> (forall j, In j m -> N.testbit A j = false) -> n = length l ->
  mask_of 0 (map (fun j => if N.testbit A j then Some 0 else None) (l ++ m)) = N.ones (N.of_nat n).
Proof.
  intros L M ->. apply N.bits_inj. intros i. rewrite mask_of_spec, nth_error_map. destruct (N.lt_ge_cases i (N.of_nat (length l))) as [Lt|Ge].
  - rewrite N.ones_spec_low by exact Lt. rewrite nth_error_app1 by lia. destruct (nth_error l (N.to_nat i)) as [j|] eqn:E.
    + simpl. now rewrite (L j (nth_error_In _ _ E)).
    + apply nth_error_None in E. lia.
  - rewrite N.ones_spec_high by exact Ge. rewrite nth_error_app2 by lia. destruct (nth_error m _) as [j|] eqn:E; [|reflexivity].
    simpl. now rewrite (M j (nth_error_In _ _ E)).
Qed.

Theorem numbered items rs p q : let k := length rs in let A := set_in rs p in let B := set_in rs q in inside_of A B = true ->
  exists rs', Permutation rs rs' /\ set_in rs' p = N.ones (N.of_nat (size_of k A)) /\ set_in rs' q = N.ones (N.of_nat (size_of k B)) /\
    numbered_well items fst (set_in rs') (indices (size_of k A)) (skipn (size_of k B) (indices k)) (N.ones (N.of_nat (size_of k A))) (N.ones (N.of_nat (size_of k B))).
Proof.
  intros k A B AB. rewrite inside_spec in AB. set (inside := filter (N.testbit A) (indices k)). set (outside := filter (fun j => negb (N.testbit B j)) (indices k)).
  set (middle := filter (fun j => negb (N.testbit A j) && N.testbit B j) (indices k)).
  destruct (numbered_somehow items rs (length inside) inside outside A B eq_refl) as (inside' & outside' & P1 & P2 & W).
  set (order := inside' ++ middle ++ outside').
  assert (P : Permutation (indices k) order).
  { eapply Permutation_trans; [exact (three_parts (N.testbit A) (N.testbit B) (indices k) AB)|].
    apply Permutation_app; [exact P1|]. apply Permutation_app; [apply Permutation_refl|exact P2]. }
  assert (LA : size_of k A = length inside') by (rewrite <- (Permutation_length P1); reflexivity).
  assert (LB : size_of k B = length (inside' ++ middle)).
  { pose proof (left_and_size k B) as S. change (left_of k B) with outside in S. rewrite (Permutation_length P2) in S.
    pose proof (Permutation_length P) as Len. unfold order in Len. unfold indices in Len. rewrite map_length, seq_length, app_assoc, app_length in Len. lia. }
  assert (In_inside : forall j, In j inside' -> N.testbit A j = true).
  { intros j Hj. apply (Permutation_in _ (Permutation_sym P1)), filter_In in Hj. apply Hj. }
  assert (In_outside : forall j, In j outside' -> N.testbit B j = false).
  { intros j Hj. apply (Permutation_in _ (Permutation_sym P2)), filter_In in Hj. now apply negb_true_iff. }
  assert (In_middle : forall j, In j middle -> N.testbit A j = false /\ N.testbit B j = true).
  { intros j Hj. apply filter_In in Hj. destruct Hj as [_ Hj]. apply andb_true_iff in Hj. destruct Hj as [H1 H2]. now apply negb_true_iff in H1. }
  assert (MA : moved order A = N.ones (N.of_nat (size_of k A))).
  { apply first_elements; auto. intros j Hj. apply in_app_iff in Hj. destruct Hj as [Hj|Hj]; [now apply In_middle|].
    apply In_outside in Hj. apply not_true_is_false. intros T. apply AB in T. congruence. }
  assert (MB : moved order B = N.ones (N.of_nat (size_of k B))).
  { unfold moved, order. rewrite app_assoc. apply first_elements; auto. intros j Hj. apply in_app_iff in Hj. destruct Hj as [Hj|Hj]; [auto|now apply In_middle]. }
  exists (reordered rs order). split; [now apply reordered_permuted|]. rewrite !(set_moved rs order P). fold A. fold B. split; [exact MA|]. split; [exact MB|].
  rewrite <- MA, <- MB. apply (well_moved items rs order P _ inside' _ outside'); [| |apply set_in_bounded|apply set_in_bounded|exact W].
  - rewrite LA. exact (places_at [] inside' (middle ++ outside')).
  - rewrite LB. pose proof (places_at (inside' ++ middle) outside' []) as Q. rewrite app_nil_r, <- app_assoc in Q.
    replace (skipn (length (inside' ++ middle)) (indices k)) with (map N.of_nat (seq (length (inside' ++ middle)) (length outside'))); [exact Q|].
    unfold indices. rewrite skipn_map. f_equal. pose proof (Permutation_length P) as Len. unfold order, indices in Len.
    rewrite map_length, seq_length, app_assoc, app_length in Len. rewrite Len, seq_app, skipn_app, seq_length, Nat.sub_diag.
    rewrite skipn_all2 by (rewrite seq_length; lia). reflexivity.
Qed.
