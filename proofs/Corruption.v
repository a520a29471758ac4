(** * The rectangle bound by weights of cells that weights of lines bound over every rectangle *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Lines Discrepancy DiscrepancyBits RectangleBounds Diagonals.
Import ListNotations.
Open Scope Z_scope.

(** A cell's weight, which counts against a rectangle where the answer is another. *)
Definition leaned (t : table) (code : N) (weights : list (list Z)) (x y : N) : Z :=
  match cell t x y with
  | Some a => if (a =? code)%N then number_at weights x y else - number_at weights x y
  | None => - number_at weights x y
  end.

(** The same in two parts, as [RectangleBounds] has them; below zero, a weight of the answer is of the smooth bound. *)
Definition own_part (t : table) (code : N) (weights : list (list Z)) (unit : Z) (x y : N) : Z :=
  match cell t x y with
  | Some a => 4 * (unit * (if (a =? code)%N then Z.max 0 (number_at weights x y) else number_at weights x y))
  | None => 0
  end.

Definition any_part (t : table) (code : N) (weights : list (list Z)) (unit : Z) (x y : N) : Z :=
  match cell t x y with
  | Some a => 4 * (unit * (if (a =? code)%N then Z.min 0 (number_at weights x y) else - number_at weights x y))
  | None => 4 * (unit * - number_at weights x y)
  end.

Definition corruption (t : table) (code : N) (error : Q) (smooth : bool) (weights : list (list Z)) (unit zoom : Z) (lines : list line_weight) : option Q :=
  match rectangles_below (leaned t code weights) (length t) (width t) unit zoom lines with
  | Some most => rectangle_gained t code error smooth (own_part t code weights unit) (any_part t code weights unit) most
  | None => None
  end.

Theorem corruption_bound t code error smooth weights unit zoom lines v : corruption t code error smooth weights unit zoom lines = Some v ->
  forall q, rectangle_bound_reached (cell t) code error smooth q -> (v <= q)%Q.
Proof.
  unfold corruption. destruct (rectangles_below _ _ _ _ _ _) as [most|] eqn:B; [|discriminate]. intros H.
  apply (rectangle_gained_bound _ _ _ _ _ _ _ _ H). intros A C.
  eapply Z.le_trans; [|exact (rectangles_below_sound _ _ _ _ _ _ _ A C B)]. rewrite <- !over_scale. apply Z.eq_le_incl, over_ext. intros x y.
  unfold gain, own_part, any_part, leaned. destruct (cell t x y) as [a|]; [|reflexivity]. destruct (a =? code)%N; [|reflexivity].
  rewrite <- !Z.mul_add_distr_l. do 2 f_equal. lia.
Qed.
