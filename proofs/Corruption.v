(** * The rectangle bound by weights of cells that weights of lines bound over every rectangle *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Lines Finders Discrepancy DiscrepancyBits RectangleBounds Diagonals.
Import ListNotations.
Open Scope Z_scope.

(** A cell's weight, which counts against a rectangle where the answer is another. *)
Definition leaned (f : function N N N) (code : N) (weight : N -> N -> Z) (x y : N) : Z :=
  match f x y with
  | Some a => if (a =? code)%N then weight x y else - weight x y
  | None => - weight x y
  end.

(** The same in two parts, as [RectangleBounds] has them; below zero, a weight of the answer is of the smooth bound. *)
Definition own_part (f : function N N N) (code : N) (weight : N -> N -> Z) (unit : Z) (x y : N) : Z :=
  match f x y with
  | Some a => 4 * (unit * (if (a =? code)%N then Z.max 0 (weight x y) else weight x y))
  | None => 0
  end.

Definition any_part (f : function N N N) (code : N) (weight : N -> N -> Z) (unit : Z) (x y : N) : Z :=
  match f x y with
  | Some a => 4 * (unit * (if (a =? code)%N then Z.min 0 (weight x y) else - weight x y))
  | None => 4 * (unit * - weight x y)
  end.

Definition corruption (t : table) (code : N) (error : Q) (smooth : bool) (weights : list (list Z)) (unit zoom : Z) (lines : list line_weight) : option Q :=
  let f := cell_finder t in
  let weight := table_finder weights 0 in
  match rectangles_below (leaned f code weight) (length t) (width t) unit zoom lines with
  | Some most => rectangle_gained t code error smooth (own_part f code weight unit) (any_part f code weight unit) most
  | None => None
  end.

Theorem corruption_bound t code error smooth weights unit zoom lines v : corruption t code error smooth weights unit zoom lines = Some v ->
  forall q, rectangle_bound_reached (cell t) code error smooth q -> (v <= q)%Q.
Proof.
  unfold corruption. cbv zeta. destruct (rectangles_below _ _ _ _ _ _) as [most|] eqn:B; [|discriminate]. intros H.
  apply (rectangle_gained_bound _ _ _ _ _ _ _ _ H). intros A C.
  eapply Z.le_trans; [|exact (rectangles_below_sound _ _ _ _ _ _ _ A C B)]. rewrite <- !over_scale. apply Z.eq_le_incl, over_ext. intros x y.
  unfold gain, own_part, any_part, leaned. rewrite cell_finder_is. destruct (cell t x y) as [a|]; [|reflexivity]. destruct (a =? code)%N; [|reflexivity].
  rewrite <- !Z.mul_add_distr_l. do 2 f_equal. lia.
Qed.
