(** * No rectangle has more: weights of lines that bound the sum over every rectangle

    Let a sign be 1 on the lines of a rectangle, else -1. Four times the sum over it is a form in these signs; it is at most the
    sum of all weights, if a matrix with the weights on its diagonal is positive on signs. That shows when it is nearly [L L^T]:
    what is left has so much more on its diagonal than elsewhere. *)
From Coq Require Import List Arith Lia Bool NArith ZArith.
From Ccsim Require Import Specification Discrepancy DiscrepancyBits.
Import ListNotations.
Open Scope Z_scope.

(** ** Forms in signs *)
Fixpoint dot (a b : list Z) : Z := match a, b with x :: a, y :: b => x * y + dot a b | _, _ => 0 end.

Fixpoint plus (a b : list Z) : list Z :=
  match a, b with
  | x :: a, y :: b => x + y :: plus a b
  | [], b => b
  | a, [] => a
  end.

Lemma dot_comm a : forall b, dot a b = dot b a.
Proof. induction a as [|x a IH]; intros [|y b]; simpl; try reflexivity. rewrite IH. ring. Qed.

Lemma dot_plus a : forall b c, dot (plus a b) c = dot a c + dot b c.
Proof. induction a as [|x a IH]; intros [|y b] [|z c]; simpl; try ring. rewrite IH. ring. Qed.

Lemma dot_scale k a : forall b, dot (map (Z.mul k) a) b = k * dot a b.
Proof. induction a as [|x a IH]; intros [|y b]; simpl; try ring. rewrite IH. ring. Qed.

Lemma dot_square a : 0 <= dot a a.
Proof. induction a as [|x a IH]; simpl; [lia|]. nia. Qed.

Section Forms.
Variable T : Type.
Variable v : T -> Z.
Hypothesis signs : forall p, v p = 1 \/ v p = -1.

Fixpoint form (diagonal : T -> Z) (off : T -> T -> Z) (l : list T) : Z :=
  match l with
  | [] => 0
  | p :: rest => diagonal p + 2 * (v p * sum (map (fun q => off p q * v q) rest)) + form diagonal off rest
  end.

(** What the diagonal has more. *)
Fixpoint slack (diagonal : T -> Z) (off : T -> T -> Z) (l : list T) : Z :=
  match l with
  | [] => 0
  | p :: rest => diagonal p - 2 * sum (map (fun q => Z.abs (off p q)) rest) + slack diagonal off rest
  end.

Lemma slack_below diagonal off l : slack diagonal off l <= form diagonal off l.
Proof.
  induction l as [|p l IH]; cbn [slack form]; [lia|].
  enough (- sum (map (fun q => Z.abs (off p q)) l) <= v p * sum (map (fun q => off p q * v q) l)) by lia. clear IH.
  rewrite <- sum_scale, <- sum_opposite. apply sum_le. intros q _. destruct (signs p) as [-> | ->], (signs q) as [-> | ->]; lia.
Qed.

Lemma form_difference k d d' o o' l : form (fun p => k * d p - d' p) (fun p q => k * o p q - o' p q) l = k * form d o l - form d' o' l.
Proof.
  induction l as [|p l IH]; cbn [form]; [ring|]. rewrite IH.
  assert (E : sum (map (fun q => (k * o p q - o' p q) * v q) l) = k * sum (map (fun q => o p q * v q) l) - sum (map (fun q => o' p q * v q) l)).
  { clear IH. induction l as [|q l IH]; unfold sum in *; cbn [map fold_right]; [ring|]. rewrite IH. ring. }
  rewrite E. ring.
Qed.

Variable row : T -> list Z.

Fixpoint gathered_rows (l : list T) : list Z := match l with [] => [] | p :: rest => plus (map (Z.mul (v p)) (row p)) (gathered_rows rest) end.

Lemma dot_gathered a l : dot a (gathered_rows l) = sum (map (fun q => dot a (row q) * v q) l).
Proof.
  induction l as [|q l IH]; cbn [gathered_rows map]; [now destruct a|]. unfold sum in *. cbn [fold_right].
  rewrite dot_comm, dot_plus, dot_scale, (dot_comm (row q)), (dot_comm (gathered_rows l)), IH. ring.
Qed.

Lemma form_of_rows l : form (fun p => dot (row p) (row p)) (fun p q => dot (row p) (row q)) l = dot (gathered_rows l) (gathered_rows l).
Proof.
  induction l as [|p l IH]; cbn [form gathered_rows]; [reflexivity|]. rewrite IH, <- dot_gathered.
  rewrite !dot_plus, !dot_scale, !(dot_comm _ (plus _ _)), !dot_plus, !dot_scale, (dot_comm (gathered_rows l) (row p)).
  assert (S : v p * v p = 1) by (destruct (signs p) as [-> | ->]; reflexivity).
  replace (v p * (v p * dot (row p) (row p) + dot (row p) (gathered_rows l))) with (v p * v p * dot (row p) (row p) + v p * dot (row p) (gathered_rows l)) by ring.
  rewrite S. ring.
Qed.

(** If so much is left once the squares are taken away. *)
Lemma form_positive zoom d o l : 0 < zoom ->
  0 <= slack (fun p => zoom * d p - dot (row p) (row p)) (fun p q => zoom * o p q - dot (row p) (row q)) l -> 0 <= form d o l.
Proof.
  intros Z S. pose proof (slack_below (fun p => zoom * d p - dot (row p) (row p)) (fun p q => zoom * o p q - dot (row p) (row q)) l) as B.
  rewrite form_difference, form_of_rows in B. pose proof (dot_square (gathered_rows l)). nia.
Qed.
End Forms.

(** ** The form of a table *)
Inductive place := Whole | Row (x : N) | Column (y : N).

Section Tables.
Variable value : N -> N -> Z.
Variables rows columns : nat.
Variable unit : Z.

Definition across_row (x : N) : Z := sum (map (value x) (indices columns)).
Definition down_column (y : N) : Z := sum (map (fun x => value x y) (indices rows)).

Definition between (p q : place) : Z :=
  match p, q with
  | Row x, Whole => - (unit * across_row x)
  | Column y, Whole => - (unit * down_column y)
  | Row x, Column y => - (unit * value x y)
  | _, _ => 0
  end.

(** The whole comes last: it meets all lines, so that before it L has a zero where two rows meet. *)
Definition places : list place := (map Row (indices rows) ++ map Column (indices columns)) ++ [Whole].

(** A place with its weight, and the row of L. *)
Definition line_weight := (place * (Z * list Z))%type.

Fixpoint same_places (l : list line_weight) (ps : list place) : bool :=
  match l, ps with
  | [], [] => true
  | (Whole, _) :: l, Whole :: ps => same_places l ps
  | (Row x, _) :: l, Row y :: ps | (Column x, _) :: l, Column y :: ps => (x =? y)%N && same_places l ps
  | _, _ => false
  end.

Lemma same_places_spec l : forall ps, same_places l ps = true -> map fst l = ps.
Proof.
  induction l as [|[p w] l IH]; intros [|q ps] H; cbn [same_places] in H; try discriminate; [reflexivity|destruct p; discriminate|].
  destruct p, q; try discriminate; cbn [map fst]; [f_equal; auto| |]; apply andb_true_iff in H; destruct H as [E H]; apply N.eqb_eq in E; subst; f_equal; auto.
Qed.

Definition positive_on_signs (zoom : Z) (l : list line_weight) : bool :=
  0 <=? slack line_weight (fun e => zoom * (2 * fst (snd e)) - dot (snd (snd e)) (snd (snd e)))
    (fun e e' => zoom * between (fst e) (fst e') - dot (snd (snd e)) (snd (snd e'))) l.

Definition everything : Z := sum (map across_row (indices rows)).

(** In these units, four times the sum over a rectangle is at most this. *)
Definition rectangles_below (zoom : Z) (l : list line_weight) : option Z :=
  if (0 <? unit) && (0 <? zoom) && same_places l places && positive_on_signs zoom l
  then Some (unit * everything + sum (map (fun e : line_weight => fst (snd e)) l)) else None.

Definition sign (A : N -> bool) (x : N) : Z := if A x then 1 else -1.
Definition signs_of (A C : N -> bool) (p : place) : Z := match p with Whole => 1 | Row x => sign A x | Column y => sign C y end.

Lemma signs_are A C p : signs_of A C p = 1 \/ signs_of A C p = -1.
Proof. destruct p; cbn; unfold sign; [now left| |]; [destruct (A x)|destruct (C y)]; auto. Qed.

Lemma sum_cons a l : sum (a :: l) = a + sum l.
Proof. reflexivity. Qed.

(** The form, without its diagonal. *)
Fixpoint crossed (v : place -> Z) (ps : list place) : Z :=
  match ps with [] => 0 | p :: rest => v p * sum (map (fun q => between p q * v q) rest) + crossed v rest end.

Lemma form_crossed (v : place -> Z) (l : list line_weight) :
  form line_weight (fun e => v (fst e)) (fun e => 2 * fst (snd e)) (fun e e' => between (fst e) (fst e')) l =
  2 * sum (map (fun e : line_weight => fst (snd e)) l) + 2 * crossed v (map fst l).
Proof.
  induction l as [|e l IH]; [reflexivity|]. cbn [form map crossed]. rewrite IH, map_map, sum_cons. fold line_weight. ring.
Qed.

Lemma sum_app l l' : sum (l ++ l') = sum l + sum l'.
Proof. induction l as [|a l IH]; [reflexivity|]. unfold sum in *. cbn [app fold_right]. rewrite IH. ring. Qed.

Lemma crossed_columns v ys : crossed v (map Column ys) = 0.
Proof.
  induction ys as [|y ys IH]; [reflexivity|]. cbn [map crossed]. rewrite IH, map_map. cbn [between].
  rewrite (sum_ext _ (fun _ => 0)) by reflexivity. rewrite sum_zero. ring.
Qed.

Lemma crossed_lines v xs ys : crossed v (map Row xs ++ map Column ys) =
  - (unit * sum (map (fun x => v (Row x) * sum (map (fun y => value x y * v (Column y)) ys)) xs)).
Proof.
  induction xs as [|x xs IH]; cbn [map app crossed]; [rewrite crossed_columns; unfold sum; cbn; ring|].
  rewrite IH, map_app, sum_app, !map_map. cbn [between]. rewrite (sum_ext _ (fun _ => 0)) by reflexivity. rewrite sum_zero.
  rewrite (sum_ext (fun y => - (unit * value x y) * v (Column y)) (fun y => - unit * (value x y * v (Column y)))) by (intros; ring).
  rewrite sum_scale, sum_cons. ring.
Qed.

Lemma crossed_last v p ps : crossed v (ps ++ [p]) = crossed v ps + sum (map (fun q => v q * between q p) ps) * v p.
Proof.
  induction ps as [|q ps IH]; [unfold sum; cbn; ring|]. cbn [app crossed map]. rewrite IH, map_app, sum_app, sum_cons. unfold sum. cbn [map fold_right]. ring.
Qed.

Lemma crossed_all v : v Whole = 1 -> crossed v places = - (unit * (
  sum (map (fun x => across_row x * v (Row x)) (indices rows)) + sum (map (fun y => down_column y * v (Column y)) (indices columns)) +
  sum (map (fun x => v (Row x) * sum (map (fun y => value x y * v (Column y)) (indices columns))) (indices rows)))).
Proof.
  intros E. unfold places. rewrite crossed_last, crossed_lines, E, map_app, sum_app, !map_map. cbn [between].
  rewrite (sum_ext (fun x => v (Row x) * - (unit * across_row x)) (fun x => - unit * (across_row x * v (Row x)))) by (intros; ring).
  rewrite (sum_ext (fun y => v (Column y) * - (unit * down_column y)) (fun y => - unit * (down_column y * v (Column y)))) by (intros; ring).
  rewrite !sum_scale. ring.
Qed.

Lemma four_times A C : 4 * over rows columns A C value = everything +
  sum (map (fun x => across_row x * sign A x) (indices rows)) + sum (map (fun y => down_column y * sign C y) (indices columns)) +
  sum (map (fun x => sign A x * sum (map (fun y => value x y * sign C y) (indices columns))) (indices rows)).
Proof.
  unfold everything, down_column, across_row, over.
  assert (Down : sum (map (fun y => sum (map (fun x => value x y) (indices rows)) * sign C y) (indices columns)) =
                 sum (map (fun x => sum (map (fun y => value x y * sign C y) (indices columns))) (indices rows))).
  { rewrite <- sum_swap. apply sum_ext. intros y _. rewrite Z.mul_comm, <- sum_scale. apply sum_ext. intros x _. ring. }
  rewrite Down, <- !sum_add, <- sum_scale. apply sum_ext. intros x _. rewrite Z.mul_comm with (m := sign A x), <- !sum_scale, <- !sum_add.
  apply sum_ext. intros y _. unfold sign. destruct (A x), (C y); cbn [andb]; ring.
Qed.

Theorem rectangles_below_sound zoom l most A C : rectangles_below zoom l = Some most -> 4 * (unit * over rows columns A C value) <= most.
Proof.
  unfold rectangles_below. destruct (Z.ltb_spec 0 unit) as [U|]; [|discriminate]. destruct (Z.ltb_spec 0 zoom) as [P|]; [|discriminate].
  destruct (same_places l places) eqn:S; [|discriminate]. destruct (positive_on_signs zoom l) eqn:Pos; [|discriminate]. intros [= <-].
  apply same_places_spec in S. apply Z.leb_le in Pos.
  pose proof (form_positive line_weight (fun e => signs_of A C (fst e)) (fun e => signs_are A C (fst e)) (fun e => snd (snd e)) zoom
    (fun e => 2 * fst (snd e)) (fun e e' => between (fst e) (fst e')) l P Pos) as F.
  rewrite form_crossed, S, crossed_all in F by reflexivity. cbn [signs_of] in F.
  replace (4 * (unit * over rows columns A C value)) with (unit * (4 * over rows columns A C value)) by ring. rewrite four_times. lia.
Qed.
End Tables.
