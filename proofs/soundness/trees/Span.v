(** * Rank modulo a prime against the number of leaves *)
From Coq Require Import List Arith Lia Bool ZArith Znumtheory Ring InitialRing.
From Ccsim Require Import Specification.
From Ccsim Require Export Vectors.
Import ListNotations.
Open Scope Z_scope.

Lemma modulo p : null_ideal 0 1 Z.add Z.mul Z.sub Z.opp eq (Z.divide p).
Proof.
  constructor; [exact (Eqsth _)|exact (Eq_ext _ _ _)|exact Zth|now intros a b <-|apply Z.divide_0_r|apply Z.divide_add_r|].
  intros a b. apply Z.divide_mul_r.
Qed.

Lemma modulo_prime p : prime p -> null_prime 1 Z.mul (Z.divide p).
Proof.
  intros P. constructor; [intros a; destruct (Zdivide_dec p a); auto|intros a b; now apply prime_mult|].
  intros D. pose proof (prime_ge_2 p P). apply Z.divide_1_r_nonneg in D; lia.
Qed.

Notation span p := (spans Z.mul Z.sub (Z.divide p)).
Notation echelon p := (pivoted (Z.divide p)).

Section Modulo.
Variable p : Z.
Variable I : Type.

Definition span_ext := spans_ext (modulo p) (I := I).
Definition span_eq := spans_eq (modulo p) (I := I).
Definition span_comb := spans_comb (modulo p) (I := I).
Definition span_zero := spans_nothing (modulo p) (I := I).

Lemma span_add (vs : list (I -> Z)) v w : span p vs v -> span p vs w -> span p vs (fun i => v i + w i).
Proof.
  intros Hv Hw. eapply span_eq; [|exact (span_comb _ _ _ 1 (-1) Hv Hw)]. intros i; cbv beta; ring.
Qed.

Lemma span_app_r (vs : list (I -> Z)) : forall ws v, span p ws v -> span p (vs ++ ws) v.
Proof.
  induction vs as [|u us IH]; simpl; intros ws v H; [exact H|]. exists 0. eapply span_eq; [|apply IH, H].
  intros i; cbv beta; ring.
Qed.

Lemma span_app_l (vs : list (I -> Z)) : forall ws v, span p vs v -> span p (vs ++ ws) v.
Proof.
  induction vs as [|u us IH]; simpl; intros ws v H.
  - eapply span_ext; [|apply span_zero]. intros i. simpl. specialize (H i).
    replace (0 - v i) with (- v i) by ring. now apply Z.divide_opp_r.
  - destruct H as [c H]. exists c. now apply IH.
Qed.

Lemma span_map (vs : list (I -> Z)) : forall v (m : I -> Z),
  span p vs v -> span p (map (fun w i => m i * w i) vs) (fun i => m i * v i).
Proof.
  induction vs as [|u us IH]; simpl; intros v m H.
  - intros i. specialize (H i). now apply Z.divide_mul_r.
  - destruct H as [c H]. exists c. eapply span_eq; [|exact (IH _ m H)]. intros i; cbv beta; ring.
Qed.

End Modulo.

Definition echelon_span p (P : prime p) I := pivoted_few (modulo p) (modulo_prime p P) (I := I).

(** The rows of an answer's 0/1 matrix are combinations of as many functions as there are leaves. *)
Definition indicator (b : bool) : Z := if b then 1 else 0.

Section Leaves.
Variables X Y A L : Type.
Variable says : L -> X -> Y -> A.
Variable same : A -> A -> bool.
Hypothesis same_spec : forall a b, same a b = true <-> a = b.

(** What spans the rows of answer [a] inside of a leaf. *)
Variable of_leaf : A -> L -> list (Y -> Z).
Hypothesis of_leaf_spans : forall p a leaf x, span p (of_leaf a leaf) (fun y => indicator (same (says leaf x y) a)).

Fixpoint columns_of (a : A) (q : protocol X Y L) : list (Y -> Z) :=
  match q with
  | Output leaf => of_leaf a leaf
  | Alice _ q0 q1 => columns_of a q0 ++ columns_of a q1
  | Bob s q0 q1 => map (fun v y => indicator (negb (s y)) * v y) (columns_of a q0) ++
                   map (fun v y => indicator (s y) * v y) (columns_of a q1)
  end.

Lemma rows_in_span p a q : forall x, span p (columns_of a q) (fun y => indicator (same (says (run q x y) x y) a)).
Proof.
  induction q as [b|s q0 IH0 q1 IH1|s q0 IH0 q1 IH1]; intros x; simpl.
  - apply of_leaf_spans.
  - destruct (s x); [now apply span_app_r|now apply span_app_l].
  - eapply span_eq; [|apply span_add; [apply span_app_l, (span_map p _ _ _ (fun y => indicator (negb (s y))) (IH0 x))|
                                      apply span_app_r, (span_map p _ _ _ (fun y => indicator (s y)) (IH1 x))]].
    intros y; cbv beta. destruct (s y); unfold indicator; cbn [negb]; ring.
Qed.

(** If a leaf counts for one answer only, all answers together count the leaves. *)
Lemma columns_of_leaves answers :
  (forall leaf, (list_sum (map (fun a => length (of_leaf a leaf)) answers) <= 1)%nat) ->
  forall q, (list_sum (map (fun a => length (columns_of a q)) answers) <= leaves q)%nat.
Proof.
  intros One. induction q as [b|s q0 IH0 q1 IH1|s q0 IH0 q1 IH1]; simpl.
  - apply One.
  - enough (list_sum (map (fun a => length (columns_of a q0 ++ columns_of a q1)) answers) =
            list_sum (map (fun a => length (columns_of a q0)) answers) +
            list_sum (map (fun a => length (columns_of a q1)) answers))%nat by lia.
    clear. induction answers as [|a l IH]; simpl; [reflexivity|]. rewrite app_length. lia.
  - match goal with |- (?l <= _)%nat => enough (l =
            list_sum (map (fun a => length (columns_of a q0)) answers) +
            list_sum (map (fun a => length (columns_of a q1)) answers))%nat by lia end.
    clear. induction answers as [|a l IH]; simpl; [reflexivity|]. rewrite app_length, !map_length. lia.
Qed.
End Leaves.
Arguments columns_of {X Y A L} of_leaf a q.
Arguments columns_of_leaves {X Y A L} of_leaf answers.
Arguments rows_in_span {X Y A L} says same of_leaf.

(** What a leaf contributes, by who must know the answer. *)
Section Knowing.
Variables X Y A : Type.
Variable same : A -> A -> bool.
Hypothesis same_spec : forall a b, same a b = true <-> a = b.

Definition leaf_columns (who : knowing) (a : A) : leaf_of who X Y A -> list (Y -> Z) :=
  match who with
  | Both => fun b => if same b a then [fun _ => 1] else []
  | AliceAlone => fun _ => [fun _ => 1]
  | BobAlone => fun answer => [fun y => indicator (same (answer y) a)]
  end.

Lemma leaf_columns_span who p a leaf x : span p (leaf_columns who a leaf) (fun y => indicator (same (said who leaf x y) a)).
Proof.
  destruct who; simpl in *.
  - destruct (same leaf a); simpl; [exists 1|]; intros y; apply Z.divide_0_r.
  - exists (indicator (same (leaf x) a)). intros y. rewrite Z.mul_1_r, Z.sub_diag. apply Z.divide_0_r.
  - exists 1. intros y. rewrite Z.mul_1_l, Z.sub_diag. apply Z.divide_0_r.
Qed.

(** All ranks count together if both must know, and one alone otherwise. *)
Definition counted (who : knowing) (sizes : list nat) : nat :=
  match who with Both => list_sum sizes | _ => list_max sizes end.

Lemma columns_counted who (q : protocol X Y (leaf_of who X Y A)) answers : NoDup answers ->
  (counted who (map (fun a => length (columns_of (leaf_columns who) a q)) answers) <= leaves q)%nat.
Proof.
  intros ND. assert (One : forall a, who <> Both -> (length (columns_of (leaf_columns who) a q) <= leaves q)%nat).
  { intros a Ne. pose proof (columns_of_leaves (X:=X) (Y:=Y) (A:=A) (leaf_columns who) [a]) as H. simpl in H.
    rewrite <- (Nat.add_0_r (length _)). apply H. intros leaf. destruct who; simpl; [congruence|lia|lia]. }
  destruct who; unfold counted.
  - apply columns_of_leaves. intros b. simpl. clear q One. induction ND as [|a l H _ IH]; simpl; [lia|].
    destruct (same b a) eqn:E; simpl; [|exact IH]. apply same_spec in E. subst a. clear IH.
    match goal with |- (S ?n <= _)%nat => enough (n = 0)%nat by lia end.
    induction l as [|c l IH]; simpl; [reflexivity|].
    destruct (same b c) eqn:E; simpl.
    + apply same_spec in E. subst. elim H. now left.
    + apply IH. intros In. apply H. now right.
  - apply list_max_le, Forall_map, Forall_forall. intros a _. now apply One.
  - apply list_max_le, Forall_map, Forall_forall. intros a _. now apply One.
Qed.

Lemma counted_mono who : forall small large, Forall2 le small large -> (counted who small <= counted who large)%nat.
Proof.
  intros small large H. destruct who; simpl; induction H; simpl; lia.
Qed.
End Knowing.
Arguments leaf_columns {X Y A} same who a leaf.
