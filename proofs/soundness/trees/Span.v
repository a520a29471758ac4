(** * Rank modulo a prime against the number of leaves

    Elementary: no vector spaces, only spans of lists of functions. *)
From Coq Require Import List Arith Lia Bool ZArith Znumtheory.
From Ccsim Require Import Specification.
Import ListNotations.
Open Scope Z_scope.

Section Modulo.
Variable p : Z.
Hypothesis p_prime : prime p.
Variable I : Type.

Local Notation "a == b" := (Z.divide p (a - b)) (at level 70).

(** [v] is a combination of [vs]. *)
Fixpoint span (vs : list (I -> Z)) (v : I -> Z) : Prop :=
  match vs with
  | [] => forall i, (p | v i)
  | w :: ws => exists c, span ws (fun i => v i - c * w i)
  end.

Lemma span_ext vs : forall v w, (forall i, v i == w i) -> span vs v -> span vs w.
Proof.
  induction vs as [|u us IH]; simpl; intros v w E H.
  - intros i. replace (w i) with (v i - (v i - w i)) by ring. now apply Z.divide_sub_r.
  - destruct H as [c H]. exists c. eapply IH; [|exact H]. intros i. simpl.
    replace (v i - c * u i - (w i - c * u i)) with (v i - w i) by ring. apply E.
Qed.

Lemma span_eq vs v w : (forall i, v i = w i) -> span vs v -> span vs w.
Proof. intros E. apply span_ext. intros i. rewrite E, Z.sub_diag. apply Z.divide_0_r. Qed.

Lemma span_comb vs : forall v w a b, span vs v -> span vs w -> span vs (fun i => a * v i - b * w i).
Proof.
  induction vs as [|u us IH]; simpl; intros v w a b Hv Hw.
  - intros i. specialize (Hv i). specialize (Hw i).
    apply Z.divide_sub_r; now apply Z.divide_mul_r.
  - destruct Hv as [c Hv], Hw as [d Hw]. exists (a * c - b * d). eapply span_eq; [|exact (IH _ _ a b Hv Hw)].
    intros i; cbv beta; ring.
Qed.

Lemma span_zero vs : span vs (fun _ => 0).
Proof.
  induction vs as [|u us IH]; simpl.
  - intros _. apply Z.divide_0_r.
  - exists 0. eapply span_eq; [|exact IH]. intros i; cbv beta; ring.
Qed.

Lemma span_add vs v w : span vs v -> span vs w -> span vs (fun i => v i + w i).
Proof.
  intros Hv Hw. eapply span_eq; [|exact (span_comb _ _ _ 1 (-1) Hv Hw)]. intros i; cbv beta; ring.
Qed.

Lemma span_app_r vs : forall ws v, span ws v -> span (vs ++ ws) v.
Proof.
  induction vs as [|u us IH]; simpl; intros ws v H; [exact H|]. exists 0. eapply span_eq; [|apply IH, H].
  intros i; cbv beta; ring.
Qed.

Lemma span_app_l vs : forall ws v, span vs v -> span (vs ++ ws) v.
Proof.
  induction vs as [|u us IH]; simpl; intros ws v H.
  - eapply span_ext; [|apply span_zero]. intros i. simpl. specialize (H i).
    replace (0 - v i) with (- v i) by ring. now apply Z.divide_opp_r.
  - destruct H as [c H]. exists c. now apply IH.
Qed.

Lemma span_map vs : forall v (m : I -> Z),
  span vs v -> span (map (fun w i => m i * w i) vs) (fun i => m i * v i).
Proof.
  induction vs as [|u us IH]; simpl; intros v m H.
  - intros i. specialize (H i). now apply Z.divide_mul_r.
  - destruct H as [c H]. exists c. eapply span_eq; [|exact (IH _ m H)]. intros i; cbv beta; ring.
Qed.

(** Vectors with pivots, newest first: each has a pivot where it is not 0, and is 0 at all older pivots. *)
Fixpoint echelon (bs : list (I * (I -> Z))) : Prop :=
  match bs with
  | [] => True
  | (i, b) :: rest => ~ (p | b i) /\ Forall (fun j => (p | b j)) (map fst rest) /\ echelon rest
  end.

Lemma subtract u us b c : ~ (p | c) -> span us (fun i => b i - c * u i) -> forall rest,
  echelon rest -> Forall (fun e => span (u :: us) (snd e)) rest -> Forall (fun j => (p | b j)) (map fst rest) ->
  exists rest', echelon rest' /\ Forall (fun e => span us (snd e)) rest' /\ map fst rest' = map fst rest.
Proof.
  intros Nc Hb. induction rest as [|[j d] rest IH]; simpl; intros He Hs Hz.
  - exists []. simpl. auto.
  - destruct He as (N & F & E). inversion Hs as [|? ? [co Hco] Hs']; subst. inversion Hz as [|? ? Hbj Hz']; subst.
    destruct (IH E Hs' Hz') as (rest' & E' & S' & M). simpl in Hco.
    exists ((j, fun i => c * d i - co * b i) :: rest'). simpl. rewrite M. repeat split; auto.
    + intros H. assert (H' : (p | c * d j)).
      { replace (c * d j) with (c * d j - co * b j + co * b j) by ring.
        apply Z.divide_add_r; [exact H|]. now apply Z.divide_mul_r. }
      destruct (prime_mult p p_prime _ _ H'); tauto.
    + rewrite Forall_forall in *. intros k Hk. apply Z.divide_sub_r; apply Z.divide_mul_r; auto.
    + constructor; [|exact S']. simpl. eapply span_eq; [|exact (span_comb us _ _ c co Hco Hb)].
      intros i; cbv beta; ring.
Qed.

(** One spanning vector less costs at most one vector of an echelon. *)
Lemma exchange u us : forall bs, echelon bs -> Forall (fun e => span (u :: us) (snd e)) bs ->
  exists bs', echelon bs' /\ Forall (fun e => span us (snd e)) bs' /\ (length bs <= S (length bs'))%nat /\
    incl (map fst bs') (map fst bs).
Proof.
  induction bs as [|[i b] rest IH]; intros He Hs.
  - exists []. simpl. repeat split; auto using incl_nil_l.
  - destruct He as (N & F & E). inversion Hs as [|? ? [c Hc] Hs']; subst. simpl in Hc.
    destruct (Zdivide_dec p c) as [D|D].
    + destruct (IH E Hs') as (bs' & E' & S' & L & Q). exists ((i, b) :: bs'). simpl. repeat split; auto.
      * rewrite Forall_forall in *. intros k Hk. apply F, Q, Hk.
      * constructor; [|exact S']. simpl. eapply span_ext; [|exact Hc]. intros k. simpl.
        replace (b k - c * u k - b k) with (- (c * u k)) by ring. apply Z.divide_opp_r. now apply Z.divide_mul_l.
      * lia.
      * intros k [->|Hk]; [now left|right; now apply Q].
    + destruct (subtract u us b c D Hc rest E Hs' F) as (rest' & E' & S' & M).
      exists rest'. repeat split; auto.
      * apply (f_equal (@length _)) in M. rewrite !map_length in M. simpl. lia.
      * rewrite M. simpl. intros k Hk. now right.
Qed.

Theorem echelon_span vs : forall bs, echelon bs -> Forall (fun e => span vs (snd e)) bs -> (length bs <= length vs)%nat.
Proof.
  induction vs as [|u us IH]; intros bs He Hs.
  - destruct bs as [|[i b] rest]; [simpl; lia|exfalso]. inversion Hs as [|? ? H _]; subst. simpl in *.
    destruct He as [N _]. apply N. exact (H i).
  - destruct (exchange _ _ _ He Hs) as (bs' & E' & S' & L & _). specialize (IH bs' E' S'). simpl. lia.
Qed.

End Modulo.
Arguments span p {I}.
Arguments echelon p {I}.

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
