(** * Ordered fields: signs and integers; vectors over them, and what few of these span *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith Field_theory InitialRing Setoid.
From Ccsim Require Import Specification Factors RationalRank.
From Ccsim Require Export Vectors.
Import ListNotations.
Close Scope Q_scope.
Open Scope nat_scope.

Declare Scope field_scope.
Delimit Scope field_scope with F.
Notation "0" := zero : field_scope.
Notation "1" := one : field_scope.
Infix "+" := add : field_scope.
Infix "*" := multiply : field_scope.
Infix "<" := below : field_scope.
Notation "- a" := (negative a) : field_scope.
Notation "a - b" := (add a (negative b)) : field_scope.

Section Field.
Variable F : ordered_field.
Add Field numbers : (field_laws F).
Local Open Scope field_scope.

Lemma is_zero (a : F) : a = 0 \/ a <> 0.
Proof.
  destruct (total_order F a 0) as [H|[H|H]]; [right|now left|right]; intros ->; exact (strict_order F _ H).
Qed.

Lemma signs_exclude (a : F) : 0 < a -> a < 0 -> False.
Proof. intros P N. exact (strict_order F _ (transitive_order F _ _ _ P N)). Qed.

Lemma opposite (a : F) : a < 0 -> 0 < - a.
Proof. intros H. pose proof (order_of_sums F a 0 (- a) H) as K. replace (a - a) with (0 : F) in K by ring. now replace (0 - a) with (- a) in K by ring. Qed.

Lemma opposite_back (a : F) : 0 < a -> - a < 0.
Proof. intros H. pose proof (order_of_sums F 0 a (- a) H) as K. replace (a - a) with (0 : F) in K by ring. now replace (0 - a) with (- a) in K by ring. Qed.

Lemma difference (a b : F) : a < b <-> 0 < b - a.
Proof.
  split; intros H.
  - pose proof (order_of_sums F a b (- a) H) as K. now replace (a - a) with (0 : F) in K by ring.
  - pose proof (order_of_sums F 0 (b - a) a H) as K. replace (0 + a) with a in K by ring. now replace (b - a + a) with b in K by ring.
Qed.

Lemma above_sum (a b : F) : 0 < a -> 0 < b -> 0 < a + b.
Proof. intros A B. apply (transitive_order F _ b); [exact B|]. apply difference. now replace (a + b - b) with a by ring. Qed.

Lemma sum_at_least (a b : F) : at_most F 0 a -> at_most F 0 b -> at_most F 0 (a + b).
Proof.
  intros [A|<-] [B|<-]; [left; now apply above_sum|left|left|right].
  - now replace (a + 0) with a by ring.
  - now replace (0 + b) with b by ring.
  - ring.
Qed.

Lemma product_at_least (a b : F) : at_most F 0 a -> at_most F 0 b -> at_most F 0 (a * b).
Proof. intros [A|<-] [B|<-]; [left; now apply order_of_products|right|right|right]; ring. Qed.

Lemma one_above : (0 : F) < 1.
Proof.
  destruct (total_order F 0 1) as [H|[H|H]]; [exact H| |].
  - exfalso. exact (F_1_neq_0 (field_laws F) (eq_sym H)).
  - exfalso. apply opposite in H. pose proof (order_of_products F _ _ H H) as K. replace (- (1) * - (1)) with (1 : F) in K by ring.
    apply opposite_back in H. replace (- - (1)) with (1 : F) in H by ring. exact (signs_exclude _ K H).
Qed.

Lemma inverse_above (a : F) : 0 < a -> 0 < inverse a.
Proof.
  intros H. assert (N : a <> 0) by (intros ->; exact (strict_order F _ H)). destruct (total_order F 0 (inverse a)) as [K|[K|K]]; [exact K| |]; exfalso.
  - apply (F_1_neq_0 (field_laws F)). transitivity (inverse a * a); [field; exact N|rewrite <- K; ring].
  - apply opposite in K. pose proof (order_of_products F _ _ K H) as P. replace (- inverse a * a) with (- (1) : F) in P by (field; exact N).
    apply opposite_back in P. replace (- - (1)) with (1 : F) in P by ring. exact (signs_exclude _ one_above P).
Qed.

(** ** Integers *)
Let whole_morphism : ring_morph (0 : F) 1 add multiply (fun a b => a - b) negative eq 0%Z 1%Z Z.add Z.mul Z.sub Z.opp Zeq_bool (whole F).
Proof. unfold whole. apply gen_phiZ_morph; [apply Eqsth|apply Eq_ext|apply (F_R (field_laws F))]. Qed.

Lemma whole_0 : whole F 0 = 0. Proof. reflexivity. Qed.
Lemma whole_1 : whole F 1 = 1. Proof. reflexivity. Qed.
Lemma whole_add a b : whole F (a + b)%Z = whole F a + whole F b. Proof. apply (morph_add whole_morphism). Qed.
Lemma whole_mul a b : whole F (a * b)%Z = whole F a * whole F b. Proof. apply (morph_mul whole_morphism). Qed.
Lemma whole_opp a : whole F (- a)%Z = - whole F a. Proof. apply (morph_opp whole_morphism). Qed.
Lemma whole_sub a b : whole F (a - b)%Z = whole F a - whole F b. Proof. apply (morph_sub whole_morphism). Qed.

Lemma whole_above n : (0 < n)%Z -> 0 < whole F n.
Proof.
  intros H. rewrite <- (Z2Nat.id n) by lia. assert (P : (0 < Z.to_nat n)%nat) by lia. clear H. revert P. generalize (Z.to_nat n). clear n. intros n.
  induction n as [|[|n] IH]; intros P; [lia|simpl; exact one_above|]. rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite whole_add. apply above_sum; [apply IH; lia|exact one_above].
Qed.

Lemma whole_sign n : (0 < n)%Z /\ 0 < whole F n \/ n = 0%Z /\ whole F n = 0 \/ (n < 0)%Z /\ whole F n < 0.
Proof.
  destruct (Z.lt_trichotomy n 0) as [H|[->|H]]; [right; right|right; left; auto|left; split; [exact H|now apply whole_above]].
  split; [exact H|]. replace n with (- - n)%Z by ring. rewrite whole_opp. apply opposite_back, whole_above. lia.
Qed.

Lemma whole_at_least n : (0 <= n)%Z <-> at_most F 0 (whole F n).
Proof.
  destruct (whole_sign n) as [[H K]|[[-> K]|[H K]]]; split; intros A; try lia; try (left; exact K); try (right; exact (eq_sym K)).
  exfalso. destruct A as [A|A]; [exact (signs_exclude _ A K)|rewrite <- A in K; exact (strict_order F _ K)].
Qed.

Lemma whole_zero n : whole F n = 0 -> n = 0%Z.
Proof. intros E. destruct (whole_sign n) as [[_ K]|[[-> _]|[_ K]]]; [|reflexivity|]; rewrite E in K; now elim (strict_order F _ K). Qed.

Lemma one_less (a b : F) : b = a + b - a. Proof. ring. Qed.
Lemma nothing_more (a : F) : 0 = 0 - a * 0. Proof. ring. Qed.

(** ** What few vectors span *)
Lemma product_zero (a b : F) : a <> 0 -> a * b = 0 -> b = 0.
Proof. intros N E. transitivity (inverse a * (a * b)); [field; exact N|rewrite E; ring]. Qed.

Lemma null_is_zero : null_ideal 0 1 add multiply (fun a b : F => a - b) negative eq (fun a => a = 0).
Proof.
  constructor; [exact (Eqsth _)|exact (Eq_ext _ _ _)|exact (F_R (field_laws F))|now intros a b <-|reflexivity| |].
  - intros a b -> ->. ring.
  - intros a b ->. ring.
Qed.

Lemma null_is_prime : null_prime 1 multiply (fun a : F => a = 0).
Proof.
  constructor; [exact is_zero| |exact (F_1_neq_0 (field_laws F))]. intros a b E. destruct (is_zero a) as [Z|N]; [now left|right].
  exact (product_zero a b N E).
Qed.

Section Vectors.
Variable I : Type.

Definition spanned_eq := spans_eq null_is_zero (I := I).
Definition spanned_comb := spans_comb null_is_zero (I := I).
Definition spanned_nothing := spans_nothing null_is_zero (I := I).
Definition stepped_span := pivoted_few null_is_zero null_is_prime (I := I).
Definition spanned_dependent := few_are_dependent null_is_zero null_is_prime (I := I).
End Vectors.
End Field.

Notation spanned F I := (@spans (number F) multiply (fun a b => add a (negative b)) (fun a => a = zero) I).
Notation stepped F I := (@pivoted (number F) (fun a => a = zero) I).
