(** * What a part of a table needs, the whole needs *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Lines.
Import ListNotations.
Open Scope N_scope.

Definition of_width {T} (w : nat) (t : list (list T)) : bool := forallb (fun row => Nat.eqb (length row) w) t.

Definition taken {T} (lines : list N) (t : list (list T)) : list (list T) := map (fun x => nth (N.to_nat x) t []) lines.

(** Some rows and columns, in any order. *)
Definition submatrix (rows columns : list N) (t : table) : option table :=
  let w := width t in
  let some := taken rows t in
  let turned := taken columns (transpose w some) in
  if of_width w some then if of_width (length rows) turned then Some (transpose (length rows) turned) else None else None.

Definition spot_of (lines : list N) (i : N) : option N := nth_error lines (N.to_nat i).

(** Where lines are, and where others across. *)
Definition seen_through (lines others : N -> option N) (f : N -> N -> option N) : N -> N -> option N := fun i j =>
  match lines i, others j with Some x, Some y => f x y | _, _ => None end.

Lemma chosen_cell lines t i y : cell (taken lines t) i y = match spot_of lines i with Some x => cell t x y | None => None end.
Proof.
  unfold cell, taken, spot_of. rewrite nth_error_map. destruct (nth_error lines (N.to_nat i)) as [x|]; simpl; [|reflexivity].
  destruct (nth_error t (N.to_nat x)) as [row|] eqn:E.
  - now rewrite (nth_error_nth t (N.to_nat x) [] E).
  - rewrite nth_overflow by (now apply nth_error_None). now destruct (N.to_nat y).
Qed.

Lemma of_width_spec {T} w (t : list (list T)) : of_width w t = true -> Forall (fun row => length row = w) t.
Proof. unfold of_width. rewrite forallb_forall, Forall_forall. intros H row Hr. now apply Nat.eqb_eq, H. Qed.

Lemma submatrix_cell rows columns t p : submatrix rows columns t = Some p ->
  forall i j, cell p i j = seen_through (spot_of rows) (spot_of columns) (cell t) i j.
Proof.
  unfold submatrix. destruct (of_width (width t) _) eqn:A; [|discriminate]. destruct (of_width (length rows) _) eqn:B; [|discriminate].
  intros [= <-] i j. apply of_width_spec in A, B. rewrite (cell_transpose (length rows) _ B), chosen_cell. unfold seen_through.
  destruct (spot_of columns j) as [y|]; [|now destruct (spot_of rows i)]. now rewrite (cell_transpose _ _ A), chosen_cell.
Qed.

(** A rectangle, where it meets the part. *)
Definition meeting (rows columns : N -> option N) (r : rectangle N N) : rectangle N N :=
  ((fun i => match rows i with Some x => fst r x | None => false end),
   (fun j => match columns j with Some y => snd r y | None => false end)).

Section Parts.
Variable f g : function N N N.
Variables rows columns : N -> option N.
Hypothesis g_part : forall i j, g i j = seen_through rows columns f i j.

Lemma meeting_inside r i j : inside (meeting rows columns r) i j = true ->
  exists x y, rows i = Some x /\ columns j = Some y /\ inside r x y = true.
Proof.
  unfold inside, meeting. simpl. intros H. apply andb_true_iff in H. destruct (rows i) as [x|], (columns j) as [y|]; try (destruct H; discriminate).
  exists x, y. repeat split. now apply andb_true_iff.
Qed.

Lemma meeting_has a r : has_answer f a r -> has_answer g a (meeting rows columns r).
Proof.
  intros H i j b I E. apply meeting_inside in I. destruct I as (x & y & X & Y & I). rewrite g_part in E. unfold seen_through in E.
  rewrite X, Y in E. exact (H x y b I E).
Qed.

Lemma part_promised i j a : g i j = Some a -> exists x y, rows i = Some x /\ columns j = Some y /\ f x y = Some a /\
  forall r, inside (meeting rows columns r) i j = inside r x y.
Proof.
  rewrite g_part. unfold seen_through. destruct (rows i) as [x|] eqn:X; [|discriminate]. destruct (columns j) as [y|] eqn:Y; [|discriminate].
  intros E. exists x, y. repeat split; auto. intros r. unfold inside, meeting. simpl. now rewrite X, Y.
Qed.

Ltac part_covered := intros [Own Cov]; split; [apply Forall_map; eapply Forall_impl; [|exact Own]; intros r; apply meeting_has|];
  intros i j; intros; match goal with E : g i j = Some _ |- _ => apply part_promised in E; destruct E as (x & y & _ & _ & E & I);
    apply Exists_map; eapply Exists_impl; [|exact (Cov x y _ E) || exact (Cov x y E)]; intros r Hr; cbn [fst snd]; now rewrite I end.

Lemma part_covers a rs : covers f a rs -> covers g a (map (meeting rows columns) rs). Proof. part_covered. Qed.
Lemma part_covers_all rs : covers_all f rs -> covers_all g (map (fun r => (fst r, meeting rows columns (snd r))) rs). Proof. part_covered. Qed.

Lemma apart_map {S T} (P : S -> S -> Prop) (Q : T -> T -> Prop) (h : S -> T) l : (forall a b, P a b -> Q (h a) (h b)) ->
  ForallOrdPairs P l -> ForallOrdPairs Q (map h l).
Proof.
  intros H K. induction K as [|a l F _ IH]; simpl; constructor; auto. apply Forall_map. eapply Forall_impl; [|exact F]. auto.
Qed.

Theorem part_needs_cover code count : rectangles_cover f code count -> rectangles_cover g code count.
Proof.
  destruct code as [a|]; intros (rs & C & L).
  - exists (map (meeting rows columns) rs). split; [now apply part_covers|now rewrite map_length].
  - exists (map (fun r => (fst r, meeting rows columns (snd r))) rs). split; [now apply part_covers_all|now rewrite map_length].
Qed.

Theorem part_needs_partition code count : rectangles_partition f code count -> rectangles_partition g code count.
Proof.
  destruct code as [a|]; intros (rs & [C D] & L).
  - exists (map (meeting rows columns) rs). split; [split; [now apply part_covers|]|now rewrite map_length].
    eapply apart_map; [|exact D]. intros r s H i j E [I J]. apply part_promised in E. destruct E as (x & y & _ & _ & E & K).
    rewrite K in I, J. exact (H x y E (conj I J)).
  - exists (map (fun r => (fst r, meeting rows columns (snd r))) rs). split; [split; [now apply part_covers_all|]|now rewrite map_length].
    eapply apart_map; [|exact D]. intros r s H i j E [I J]. cbn [snd] in I, J. destruct (g i j) as [b|] eqn:G; [|congruence].
    apply part_promised in G. destruct G as (x & y & _ & _ & G & K). rewrite K in I, J. apply (H x y); [congruence|now split].
Qed.
End Parts.
