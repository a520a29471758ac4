(** * The largest rectangle of an answer, of all cells or by weights: one from below; a search from above *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Lines Refutation RefutationSound NodesSound TreeWitnesses Rectangles CoverWeights.
Import ListNotations.
Open Scope N_scope.

(** Weights of the size of the table, row by row without zeros. *)
Fixpoint entries (y : N) (weights : list N) : list (N * N) :=
  match weights with
  | [] => []
  | w :: rest => if w =? 0 then entries (N.succ y) rest else (y, w) :: entries (N.succ y) rest
  end.

Definition weighed (ks : list N) (code : N) (e : line * list N) : row := (fst (fst e), others ks code (fst e), entries 0 (snd e)).

Definition weighed_rows (t : table) (code : N) (weights : list (list N)) : list row :=
  map (weighed (codes_of t) code) (combine (row_lines t) weights).

Definition of_size (t : table) (weights : list (list N)) : bool :=
  regular t && Nat.eqb (length weights) (length t) && forallb (fun line => Nat.eqb (length line) (width t)) weights.

Definition one_rectangle (t : table) (code : N) (weights : list (list N)) (r : masks) : option N :=
  if of_size t weights then
    if own_rectangle (codes_of t) (row_lines t) code r then Some (in_rows (meant r) (weighed_rows t code weights)) else None
  else None.

Definition all_at_most (t : table) (code : N) (weights : list (list N)) (most : N) : option N :=
  if of_size t weights then
    let rows := filter (fun r : row => match snd r with [] => false | _ => true end) (weighed_rows t code weights) in
    if none_heavier (length rows) most rows (full (width t)) then Some most else None
  else None.

(** ** What a rectangle weighs, by rows *)
Lemma indices_succ n : indices (S n) = 0 :: map N.succ (indices n).
Proof. unfold indices. cbn [seq map]. f_equal. rewrite <- seq_shift, !map_map. apply map_ext. intros i. lia. Qed.

Lemma entries_weight (g : N -> bool) weights : forall y, weigh g (entries y weights) =
  total (map (fun i => if g (y + i) then nth (N.to_nat i) weights 0 else 0) (indices (length weights))).
Proof.
  induction weights as [|w weights IH]; intros y; [reflexivity|]. cbn [length]. rewrite indices_succ. cbn [map]. unfold total. cbn [fold_right].
  fold (total (map (fun i => if g (y + i) then nth (N.to_nat i) (w :: weights) 0 else 0) (map N.succ (indices (length weights))))).
  rewrite map_map, N.add_0_r. change (nth (N.to_nat 0) (w :: weights) 0) with w.
  assert (E : map (fun i => if g (y + N.succ i) then nth (N.to_nat (N.succ i)) (w :: weights) 0 else 0) (indices (length weights)) =
              map (fun i => if g (N.succ y + i) then nth (N.to_nat i) weights 0 else 0) (indices (length weights))).
  { apply map_ext. intros i. rewrite N2Nat.inj_succ. cbn [nth]. now replace (y + N.succ i) with (N.succ y + i) by lia. }
  rewrite E, <- IH. cbn [entries]. destruct (N.eqb_spec w 0) as [->|]; [destruct (g y); reflexivity|]. unfold weigh. cbn [fold_right fst snd].
  destruct (g y); reflexivity.
Qed.

Lemma total_zero {T} (l : list T) : total (map (fun _ => 0) l) = 0.
Proof. induction l; [reflexivity|]. unfold total in *. simpl. exact IHl. Qed.

Lemma rows_weight ks code rs t : forall weights i, length weights = length t ->
  in_rows rs (map (weighed ks code) (combine (lines_from ks i t) weights)) =
  total (map (fun x => if fst rs (i + x) then weigh (snd rs) (entries 0 (nth (N.to_nat x) weights [])) else 0) (indices (length weights))).
Proof.
  induction t as [|row t IH]; intros [|ws weights] i L; try discriminate; [reflexivity|]. cbn [length]. rewrite indices_succ.
  cbn [lines_from combine map]. unfold in_rows. cbn [fold_right]. fold (in_rows rs (map (weighed ks code) (combine (lines_from ks (N.succ i) t) weights))).
  rewrite IH by now injection L. unfold total. cbn [fold_right]. rewrite N.add_0_r. unfold number, weighed at 1 2. cbn [fst snd]. f_equal.
  rewrite map_map. f_equal. apply map_ext. intros x. rewrite N2Nat.inj_succ. cbn [nth]. now replace (i + N.succ x) with (N.succ i + x) by lia.
Qed.

Lemma weight_of_rows t code weights rs : of_size t weights = true ->
  in_rows rs (weighed_rows t code weights) = rectangle_weight weights (length weights) (length (hd [] weights)) rs.
Proof.
  unfold of_size. rewrite !andb_true_iff. intros [[_ L] W]. apply Nat.eqb_eq in L. rewrite forallb_forall in W.
  unfold weighed_rows, row_lines. rewrite rows_weight by exact L. unfold rectangle_weight. f_equal. apply map_ext_in. intros x Hx.
  rewrite N.add_0_l. unfold inside. destruct (fst rs x); [|symmetry; apply total_zero]. rewrite entries_weight.
  assert (E : length (nth (N.to_nat x) weights []) = length (hd [] weights)).
  { apply in_map_iff in Hx. destruct Hx as (k & <- & Hk). apply in_seq in Hk. rewrite Nat2N.id.
    assert (A : length (nth k weights []) = width t) by (apply Nat.eqb_eq, W, nth_In; lia). rewrite A. symmetry.
    destruct weights as [|w weights]; [simpl in Hk; lia|]. apply Nat.eqb_eq, W. now left. }
  rewrite E. f_equal.
Qed.

Lemma own_rectangle_answer t code r : own_rectangle (codes_of t) (row_lines t) code r = true -> has_answer (cell t) code (meant r).
Proof.
  unfold own_rectangle. rewrite forallb_forall. intros O x y b I E. apply inside_meant in I. destruct I as [Ix Iy].
  pose proof (row_lines_good t) as G. rewrite Forall_forall in G.
  destruct (picked (row_lines t) x (fst r) (row_lines_all t _ _ _ E) Ix) as (l & Hl & <-).
  assert (Gl : good (cell t) l) by (apply pick_In in Hl; apply G, Hl).
  exact (fits_sound (codes_of t) (cell t) code (snd r) l y b Gl (codes_of_all _ _ _ _ E) (O l Hl) Iy E).
Qed.

Theorem one_rectangle_bound t code weights r v : one_rectangle t code weights r = Some v -> exists s, has_answer (cell t) code s /\
  v = rectangle_weight weights (length weights) (length (hd [] weights)) s.
Proof.
  unfold one_rectangle. intros H. destruct (of_size t weights) eqn:S; [|discriminate]. destruct (own_rectangle _ _ _ _) eqn:O; [|discriminate].
  injection H as <-. exists (meant r). split; [now apply own_rectangle_answer|]. now apply weight_of_rows.
Qed.

(** ** The search *)
Lemma inside_table t code weights rs : of_size t weights = true ->
  in_rows rs (weighed_rows t code weights) = in_rows (fst rs, fun y => snd rs y && N.testbit (full (width t)) y) (weighed_rows t code weights).
Proof.
  intros S. unfold weighed_rows. unfold of_size in S. rewrite !andb_true_iff in S. destruct S as [_ W]. rewrite forallb_forall in W.
  assert (W' : forall e, In e (combine (row_lines t) weights) -> length (snd e) = width t).
  { intros [l ws] He. apply in_combine_r in He. now apply Nat.eqb_eq, W. }
  clear W. induction (combine (row_lines t) weights) as [|e l IH]; [reflexivity|]. cbn [map]. unfold in_rows. cbn [fold_right].
  fold (in_rows rs (map (weighed (codes_of t) code) l)).
  fold (in_rows (fst rs, fun y => snd rs y && N.testbit (full (width t)) y) (map (weighed (codes_of t) code) l)).
  rewrite IH by (intros a Ha; apply W'; now right). f_equal. cbn [fst]. destruct (fst rs _); [|reflexivity].
  unfold weighed. cbn [fst snd]. rewrite !entries_weight. f_equal. apply map_ext_in. intros y Hy. rewrite N.add_0_l.
  rewrite (W' e (or_introl eq_refl)) in Hy. apply in_map_iff in Hy. destruct Hy as (k & <- & Hk). apply in_seq in Hk.
  assert (B : bits (full (width t)) (N.of_nat k)) by (apply full_spec; lia). unfold bits in B. rewrite B, andb_true_r. reflexivity.
Qed.

Theorem all_at_most_bound t code weights most v : all_at_most t code weights most = Some v -> forall r, has_answer (cell t) code r ->
  rectangle_weight weights (length weights) (length (hd [] weights)) r <= v.
Proof.
  unfold all_at_most. intros H r Own. destruct (of_size t weights) eqn:S; [|discriminate]. destruct (none_heavier _ _ _ _) eqn:K; [|discriminate].
  injection H as <-. rewrite <- (weight_of_rows t code) by exact S. rewrite inside_table by exact S. rewrite <- in_rows_filter.
  apply (none_heavier_sound most _ _ _ _ K).
  - intros y Y. simpl in Y. apply andb_true_iff in Y. tauto.
  - intros s Hs X y Y. apply filter_In in Hs. destruct Hs as [Hs _]. apply in_map_iff in Hs. destruct Hs as ([l ws] & <- & Hl).
    apply in_combine_l in Hl. unfold number, forbidden, weighed in *; simpl in *. apply andb_true_iff in Y. destruct Y as [Y _].
    destruct (N.testbit (others (codes_of t) code l) y) eqn:B; [|reflexivity]. exfalso.
    pose proof (row_lines_good t) as G. rewrite Forall_forall in G. destruct (others_spec (cell t) (codes_of t) code l y (G l Hl) B) as (c & E & N).
    apply N. apply (Own (fst l) y c); [|exact E]. unfold inside. now rewrite X, Y.
Qed.
