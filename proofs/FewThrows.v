(** * Protocols of at most two bits with private coins

    With one bit, only one input matters. With two one party has a number from 0 to 1 for each of its lines such that the chance of
    an answer is, for each line of the other, linear in it. *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith Lqa.
From Ccsim Require Import Specification.
Import ListNotations.
Open Scope N_scope.

Section Shapes.
Context {X Y : Type}.

Definition within_one {T} (s : T -> Q) : Prop := forall a, (0 <= s a <= 1)%Q.

(** On one input alone, or linear in a number of one party. *)
Definition of_one (g : X -> Y -> Q) : Prop :=
  (exists k, within_one k /\ forall x y, (g x y == k x)%Q) \/ (exists k, within_one k /\ forall x y, (g x y == k y)%Q).

Definition linear_in (z : X -> Q) (g : X -> Y -> Q) : Prop :=
  within_one z /\ exists g0 g1 : Y -> Q, within_one g0 /\ within_one g1 /\ forall x y, (g x y == (1 - z x) * g0 y + z x * g1 y)%Q.
End Shapes.

Lemma between (s a b : Q) : (0 <= s <= 1 -> 0 <= a <= 1 -> 0 <= b <= 1 -> 0 <= (1 - s) * a + s * b <= 1)%Q.
Proof. intros S A B. split; nra. Qed.

Lemma chances_within (p : private_protocol N N N) a : are_chances p -> forall x y, (0 <= chance_of N.eqb p x y a <= 1)%Q.
Proof.
  induction p as [b|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; cbn [are_chances chance_of].
  - intros _ x y. destruct (b =? a); split; discriminate.
  - intros (B & C0 & C1) x y. now apply between; [|apply IH0|apply IH1].
  - intros (B & C0 & C1) x y. now apply between; [|apply IH0|apply IH1].
Qed.

Lemma two_answers (p : private_protocol N N N) a b : a <> b -> are_chances p -> forall x y,
  (chance_of N.eqb p x y a + chance_of N.eqb p x y b <= 1)%Q.
Proof.
  intros Ne. induction p as [c|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; cbn [are_chances chance_of].
  - intros _ x y. destruct (N.eqb_spec c a); destruct (N.eqb_spec c b); try congruence; discriminate.
  - intros (B & C0 & C1) x y. specialize (B x). specialize (IH0 C0 x y). specialize (IH1 C1 x y). nra.
  - intros (B & C0 & C1) x y. specialize (B y). specialize (IH0 C0 x y). specialize (IH1 C1 x y). nra.
Qed.

(** The parties exchanged. *)
Fixpoint swapped (p : private_protocol N N N) : private_protocol N N N :=
  match p with
  | Known b => Known b
  | AliceThrows s zero one => BobThrows s (swapped zero) (swapped one)
  | BobThrows s zero one => AliceThrows s (swapped zero) (swapped one)
  end.

Lemma swapped_chances p : are_chances p -> are_chances (swapped p).
Proof. induction p; cbn [are_chances swapped]; tauto. Qed.

Lemma swapped_throws p : throws (swapped p) = throws p.
Proof. induction p; cbn [throws swapped]; congruence. Qed.

Lemma swapped_chance p x y a : chance_of N.eqb (swapped p) y x a = chance_of N.eqb p x y a.
Proof. induction p; cbn [chance_of swapped]; congruence. Qed.

Lemma without_a_bit (p : private_protocol N N N) a : throws p = 0%nat -> forall x y x' y', chance_of N.eqb p x y a = chance_of N.eqb p x' y' a.
Proof. destruct p; cbn [throws]; intros D; [reflexivity|discriminate|discriminate]. Qed.

Lemma one_bit p a : are_chances p -> (throws p <= 1)%nat -> of_one (fun x y : N => chance_of N.eqb p x y a).
Proof.
  destruct p as [b|s p0 p1|s p0 p1]; cbn [are_chances throws].
  - intros _ _. left. exists (fun _ => if b =? a then 1 else 0)%Q. split; [|reflexivity]. intros x. destruct (b =? a); split; discriminate.
  - intros (B & C0 & C1) D. destruct p0 as [b0| |]; cbn [throws] in D; try lia. destruct p1 as [b1| |]; cbn [throws] in D; try lia.
    left. exists (fun x : N => chance_of N.eqb (AliceThrows s (Known b0) (Known b1)) x (0 : N) a). split; [|reflexivity].
    intros x. apply chances_within. now split.
  - intros (B & C0 & C1) D. destruct p0 as [b0| |]; cbn [throws] in D; try lia. destruct p1 as [b1| |]; cbn [throws] in D; try lia.
    right. exists (fun y : N => chance_of N.eqb (BobThrows s (Known b0) (Known b1)) (0 : N) y a). split; [|reflexivity].
    intros y. apply (chances_within (BobThrows s (Known b0) (Known b1)) a); now split.
Qed.

Definition linear (g : N -> N -> Q) : Prop := (exists z, linear_in z g) \/ (exists z, linear_in z (fun y x => g x y)).

Lemma two_from_alice s p0 p1 a : are_chances (AliceThrows s p0 p1) -> (throws p0 <= 1)%nat -> (throws p1 <= 1)%nat ->
  linear (fun x y : N => chance_of N.eqb (AliceThrows s p0 p1) x y a).
Proof.
  intros (B & C0 & C1) D0 D1. cbn [chance_of].
  destruct (one_bit p0 a C0 D0) as [(k & K & E)|(k & K & E)]; destruct (one_bit p1 a C1 D1) as [(l & L & F)|(l & L & F)].
  - left. exists (fun x => (1 - s x) * k x + s x * l x)%Q. split; [intros x; now apply between|].
    exists (fun _ => 0%Q), (fun _ => 1%Q). split; [intros y; split; discriminate|]. split; [intros y; split; discriminate|].
    intros x y. rewrite E, F. ring.
  - right. exists l. split; [exact L|]. exists (fun x => (1 - s x) * k x)%Q, (fun x => (1 - s x) * k x + s x)%Q.
    split; [|split]; try (intros x; specialize (B x); specialize (K x); split; nra). intros y x. rewrite E, F. ring.
  - right. exists k. split; [exact K|]. exists (fun x => s x * l x)%Q, (fun x => s x * l x + (1 - s x))%Q.
    split; [|split]; try (intros x; specialize (B x); specialize (L x); split; nra). intros y x. rewrite E, F. ring.
  - left. exists s. split; [exact B|]. exists k, l. split; [exact K|]. split; [exact L|]. intros x y. now rewrite E, F.
Qed.

Lemma linear_swapped g h : (forall x y, (h y x == g x y)%Q) -> linear h -> linear g.
Proof.
  intros E [(z & Z & g0 & g1 & G0 & G1 & F)|(z & Z & g0 & g1 & G0 & G1 & F)]; [right|left]; exists z; (split; [exact Z|]); exists g0, g1;
    (split; [exact G0|]); (split; [exact G1|]); intros x y; [rewrite <- (E y x)|rewrite <- (E x y)]; apply F.
Qed.

Lemma two_bits_are_linear p a : are_chances p -> (throws p <= 2)%nat -> linear (fun x y : N => chance_of N.eqb p x y a).
Proof.
  destruct p as [b|s p0 p1|s p0 p1]; intros C D; cbn [throws] in D.
  - left. exists (fun _ => 0%Q). split; [intros x; split; discriminate|]. exists (fun _ => if b =? a then 1 else 0)%Q, (fun _ => 0)%Q.
    split; [intros y; destruct (b =? a); split; discriminate|]. split; [intros y; split; discriminate|]. intros x y. cbn [chance_of]. ring.
  - apply two_from_alice; [exact C|lia|lia].
  - apply (linear_swapped _ (fun y x : N => chance_of N.eqb (AliceThrows s (swapped p0) (swapped p1)) y x a)).
    + intros x y. rewrite <- (swapped_chance (BobThrows s p0 p1)). reflexivity.
    + apply two_from_alice; [exact (swapped_chances _ C)|rewrite swapped_throws; lia|rewrite swapped_throws; lia].
Qed.
