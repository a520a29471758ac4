(** * The checker of certificates about relations, and why it is sound *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Relations Trees Lines TreeWitnesses Khrapchenko AllRectangles Checker Soundness.
Import ListNotations.
Open Scope N_scope.

Inductive relation_witness :=
| SolvingTree (p : tree)
| CellsApart (cells : list (N * N))
| EveryRectangleOf (rows columns : list N) (size : N) (packs : list N)
| BitsOfLeaves (of : relation_witness).

(** Each cell is looked at: whether what is said at its leaf is right there. *)
Definition tree_solves (t : table_of_sets) (who : knowing) (p : tree) : bool :=
  let protocol := denote who p in
  let right := fun x y labels => N.testbit labels (said who (run protocol x y) x y) in
  forallb (fun row => forallb (fun cell => right (N.of_nat (fst row)) (N.of_nat (fst cell)) (snd cell))
                              (combine (seq 0 (length (snd row))) (snd row)))
          (combine (seq 0 (length t)) t).

Lemma numbered {T} (l : list T) : forall start i e, nth_error l i = Some e -> In ((start + i)%nat, e) (combine (seq start (length l)) l).
Proof.
  induction l as [|a l IH]; intros start [|i] e H; simpl in *; try discriminate.
  - injection H as ->. left. now rewrite Nat.add_0_r.
  - right. replace (start + S i)%nat with (S start + i)%nat by lia. now apply IH.
Qed.

Lemma tree_solves_sound t who p : tree_solves t who p = true -> solves (labels_at t) who (denote who p).
Proof.
  unfold tree_solves. cbv zeta. intros H x y right E. unfold labels_at in E.
  destruct (nth_error t (N.to_nat x)) as [row|] eqn:Ex; [|discriminate].
  destruct (nth_error row (N.to_nat y)) as [labels|] eqn:Ey; [|discriminate]. injection E as <-.
  rewrite forallb_forall in H. specialize (H _ (numbered t 0 _ _ Ex)). cbn [fst snd] in H.
  rewrite forallb_forall in H. specialize (H _ (numbered row 0 _ _ Ey)). cbn [fst snd] in H.
  simpl in H. now rewrite !N2Nat.id in H.
Qed.

(** The labels that are right on a cell; none if it is not in the table. *)
Definition right_labels (t : table_of_sets) (c : N * N) : N :=
  match nth_error t (N.to_nat (fst c)) with
  | Some row => match nth_error row (N.to_nat (snd c)) with Some labels => labels | None => 0 end
  | None => 0
  end.

Definition is_right (t : table_of_sets) (a : N) (c : N * N) : bool := N.testbit (right_labels t c) a.

Definition cells_apart (t : table_of_sets) (cells : list (N * N)) : option N :=
  let every := fold_right (fun c labels => N.lor (right_labels t c) labels) 0 cells in
  match cells with
  | [] => None
  | _ =>
      if forallb (fun c => negb (right_labels t c =? 0)) cells then
        if forallb (apart_by (is_right t) cells) (indices (S (N.to_nat (N.log2 every)))) then Some (leaves_for cells) else None
      else None
  end.

Lemma cells_apart_bound t cells v : cells_apart t cells = Some v -> forall count, leaves_solve (labels_at t) Both count -> v <= N.of_nat count.
Proof.
  unfold cells_apart. cbv zeta. set (every := fold_right _ 0 cells). intros H count (p & Hp & L). assert (Ne : cells <> []) by (now destruct cells).
  assert (K : (if forallb (fun c => negb (right_labels t c =? 0)) cells then
    if forallb (apart_by (is_right t) cells) (indices (S (N.to_nat (N.log2 every)))) then Some (leaves_for cells) else None else None) = Some v)
    by (destruct cells; [congruence|exact H]).
  clear H. destruct (forallb _ cells) eqn:I; [|discriminate]. destruct (forallb _ (indices _)) eqn:A; [|discriminate]. injection K as <-.
  rewrite forallb_forall in I, A. apply (leaves_for_bound (is_right t) p); [exact Ne| | |exact L].
  - assert (B : forall c a, In c cells -> is_right t a c = true -> N.testbit every a = true).
    { intros c a Hc R. unfold every. clear -Hc R. induction cells as [|d l IH]; [elim Hc|]. simpl. rewrite N.lor_spec. apply orb_true_iff.
      destruct Hc as [->|Hc]; [now left|right; now apply IH]. }
    intros a. destruct (N.testbit every a) eqn:E.
    + apply apart_by_spec, A. unfold indices. apply in_map_iff. exists (N.to_nat a). split; [lia|]. apply in_seq.
      destruct (N.le_gt_cases a (N.log2 every)) as [G|G]; [lia|]. rewrite N.bits_above_log2 in E by exact G. discriminate.
    + assert (Z : filter (is_right t a) cells = []); [|rewrite Z; split; constructor].
      assert (None : forall c, In c cells -> is_right t a c = false).
      { intros c Hc. destruct (is_right t a c) eqn:R; [|reflexivity]. rewrite (B c a Hc R) in E. discriminate. }
      clear -None. induction cells as [|d l IH]; [reflexivity|]. simpl. rewrite None by now left. apply IH. intros c Hc. apply None. now right.
  - intros c Hc. specialize (I c Hc). apply negb_true_iff, N.eqb_neq in I. unfold is_right, right_labels in *.
    apply (Hp (fst c) (snd c) (N.testbit (right_labels t c))). unfold labels_at, right_labels.
    destruct (nth_error t (N.to_nat (fst c))) as [row|]; [|congruence]. now destruct (nth_error row (N.to_nat (snd c))).
Qed.

(** ** All rectangles: of the labels, those that are right somewhere; where these inputs are never given, all are *)
Definition right_or_free (t : table_of_sets) (a x y : N) : bool := match labels_at t x y with Some right => right a | None => true end.

Definition every_label (t : table_of_sets) : N := fold_right (fun row labels => fold_right N.lor labels row) 0 t.

Definition labels_met (t : table_of_sets) : list N :=
  let every := every_label t in
  match filter (N.testbit every) (indices (S (N.to_nat (N.log2 every)))) with [] => [0] | labels => labels end.

Lemma every_label_all t row labels a : In row t -> In labels row -> N.testbit labels a = true -> N.testbit (every_label t) a = true.
Proof.
  assert (Keep : forall row start, N.testbit start a = true -> N.testbit (fold_right N.lor start row) a = true).
  { clear. intros row start S. induction row as [|labels row IH]; [exact S|]. simpl. rewrite N.lor_spec, IH. apply orb_true_r. }
  intros R L T. induction t as [|first t IH]; [elim R|]. simpl. destruct R as [->|R]; [|apply Keep, IH, R].
  generalize (fold_right (fun row labels => fold_right N.lor labels row) 0 t). intros start. clear IH. induction row as [|one row IHr]; [elim L|].
  simpl. rewrite N.lor_spec. apply orb_true_iff. destruct L as [->|L]; [now left|right; now apply IHr].
Qed.

Lemma some_label t a : exists z, In z (labels_met t) /\ forall x y, right_or_free t a x y = true -> right_or_free t z x y = true.
Proof.
  destruct (N.testbit (every_label t) a) eqn:E.
  - exists a. split; [|auto]. unfold labels_met. cbv zeta. assert (I : In a (filter (N.testbit (every_label t)) (indices (S (N.to_nat (N.log2 (every_label t))))))).
    { apply filter_In. split; [|exact E]. unfold indices. apply in_map_iff. exists (N.to_nat a). split; [lia|]. apply in_seq.
      destruct (N.le_gt_cases a (N.log2 (every_label t))) as [G|G]; [lia|]. rewrite N.bits_above_log2 in E by exact G. discriminate. }
    destruct (filter _ _); [elim I|exact I].
  - assert (Some' : exists first, In first (labels_met t)).
    { unfold labels_met. cbv zeta. destruct (filter _ _) as [|first l]; [exists 0|exists first]; now left. }
    destruct Some' as [first F]. exists first. split; [exact F|]. unfold right_or_free, labels_at. intros x y H.
    destruct (nth_error t (N.to_nat x)) as [row|] eqn:Ex; [|reflexivity]. destruct (nth_error row (N.to_nat y)) as [labels|] eqn:Ey; [|reflexivity].
    rewrite (every_label_all t row labels a) in E; [discriminate|eapply nth_error_In; eauto|eapply nth_error_In; eauto|exact H].
Qed.

Definition every_rectangle_of (t : table_of_sets) : knowing -> bool -> list N -> list N -> N -> list N -> option N := rectangles_of (right_or_free t) (labels_met t).

Lemma every_rectangle_of_bound t who counts_leaves rows columns size packs v : every_rectangle_of t who counts_leaves rows columns size packs = Some v ->
  forall p, solves (labels_at t) who p -> v <= N.of_nat (if counts_leaves then leaves p else depth p).
Proof.
  intros H p Right. apply (rectangles_of_bound (right_or_free t) (labels_met t) who counts_leaves rows columns size packs v (some_label t) H).
  intros x y. unfold right_or_free. destruct (labels_at t x y) as [right|] eqn:E; [|reflexivity]. exact (Right x y _ E).
Qed.

(** The bound that a witness proves. *)
Fixpoint relation_proved (t : table_of_sets) (m : relation_measure) (s : side) (w : relation_witness) : option N :=
  match w, m, s with
  | SolvingTree p, RelationBits who l, Upper =>
      if tree_solves t who p then if tree_within l p then Some (N.of_nat (tree_depth p)) else None else None
  | SolvingTree p, RelationLeaves who, Upper => if tree_solves t who p then Some (N.of_nat (tree_leaves p)) else None
  | CellsApart cells, RelationLeaves Both, Lower => cells_apart t cells
  | EveryRectangleOf rows columns size packs, RelationBits who _, Lower => every_rectangle_of t who false rows columns size packs
  | EveryRectangleOf rows columns size packs, RelationLeaves who, Lower => every_rectangle_of t who true rows columns size packs
  | BitsOfLeaves of, RelationBits who _, Lower => option_map bits_for (relation_proved t (RelationLeaves who) Lower of)
  | _, _, _ => None
  end.

Definition accepts_relation (t : table_of_sets) (m : relation_measure) (s : side) (claimed : Q) (w : relation_witness) : bool :=
  match relation_proved t m s w with
  | Some bound => match s with Lower => Qle_bool claimed (fraction bound) | Upper => Qle_bool (fraction bound) claimed end
  | None => false
  end.

Definition bounds (t : table_of_sets) (m : relation_measure) (s : side) (v : N) : Prop :=
  match s with
  | Lower => forall n, solved_with (labels_at t) m n -> v <= N.of_nat n
  | Upper => solved_with (labels_at t) m (N.to_nat v)
  end.

Lemma relation_proved_bounds t w : forall m s v, relation_proved t m s w = Some v -> bounds t m s v.
Proof.
  induction w as [p|cells|rows columns size packs|of IH]; intros m s v H.
  - destruct m, s; try discriminate H; simpl in H; (destruct (tree_solves t who p) eqn:A; [|discriminate]); apply tree_solves_sound in A.
    + destruct (tree_within limit p) eqn:B; [|discriminate]. injection H as <-. exists (denote who p). split; [exact A|].
      split; [now apply tree_within_spec|]. rewrite denote_depth. lia.
    + injection H as <-. exists (denote who p). split; [exact A|]. rewrite denote_leaves. lia.
  - destruct m as [|[]], s; try discriminate H. intros n Hn. now apply (cells_apart_bound t cells).
  - destruct m as [who limit|who], s; try discriminate H; intros n (p & Hp & D);
      pose proof (every_rectangle_of_bound t who _ rows columns size packs v H p Hp); cbv iota in *; lia.
  - destruct m as [who limit|], s; try discriminate H. simpl in H. destruct (relation_proved _ _ _ of) as [u|] eqn:P; [|discriminate].
    injection H as <-. apply IH in P. intros n (p & Hp & _ & D). apply bits_for_at_most. apply (P (2 ^ n)%nat). exists p.
    split; [exact Hp|]. eapply Nat.le_trans; [apply leaves_depth|]. apply Nat.pow_le_mono_r; lia.
Qed.

Lemma accepted_relation t m s claimed w : accepts_relation t m s claimed w = true -> relation_holds (labels_at t) m s claimed.
Proof.
  unfold accepts_relation. destruct (relation_proved t m s w) as [v|] eqn:P; [|discriminate]. apply relation_proved_bounds in P.
  assert (E : forall n, inject_Z (Z.of_nat n) = fraction (N.of_nat n)) by (intros n; unfold fraction; now rewrite nat_N_Z).
  destruct s; intros H; apply Qle_bool_iff in H.
  - intros n Hn. rewrite E. eapply Qle_trans; [exact H|]. now apply fraction_le, P.
  - exists (N.to_nat v). split; [exact P|]. rewrite E, N2Nat.id. exact H.
Qed.
