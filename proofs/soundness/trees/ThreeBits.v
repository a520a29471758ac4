(** * The closed form for three bits

    too many different rows that are not constant, and too many columns. *)
From Coq Require Import List Arith Lia Bool.
From Ccsim Require Import Specification Trees.
Import ListNotations.
Set Implicit Arguments.

Section Three.
Variables X Y A : Type.
Variables zero one : A.
Variable C : Y -> Prop.

Definition binary (r : Y -> A) : Prop := forall y, C y -> r y = zero \/ r y = one.
Definition differ (r r' : Y -> A) : Prop := exists y, C y /\ r y <> r' y.
Definition mixed (r : Y -> A) : Prop := exists y y', C y /\ C y' /\ r y <> r y'.
Definition constant (r : Y -> A) : Prop := forall y y', C y -> C y' -> r y = r y'.
Definition overlap (r r' : Y -> A) : Prop := exists y, C y /\ r y = r' y.

Lemma one_bit (p : protocol X Y A) : depth p <= 1 ->
  (exists h : Y -> A, forall x y, run p x y = h y) \/ (exists s : X -> A, forall x y, run p x y = s x).
Proof.
  destruct p as [a|g [a| |] [b| |]|g [a| |] [b| |]]; simpl; intros L; try (exfalso; lia).
  - left. now exists (fun _ => a).
  - right. exists (fun x => if g x then b else a). intros x y. now destruct (g x).
  - left. exists (fun y => if g y then b else a). intros x y. now destruct (g y).
Qed.

Section TwoBits.
Variable p : protocol X Y A.
Hypothesis two : depth p <= 2.
Notation row x := (run p x).

(** Two bits: Alice first, or Bob first, and what each half is then. *)
Lemma two_bits :
  (exists a, forall x y, row x y = a) \/
  (exists g : X -> bool, exists q0 q1 : protocol X Y A, depth q0 <= 1 /\ depth q1 <= 1 /\
     forall x y, row x y = if g x then run q1 x y else run q0 x y) \/
  (exists g : Y -> bool, exists q0 q1 : protocol X Y A, depth q0 <= 1 /\ depth q1 <= 1 /\
     forall x y, row x y = if g y then run q1 x y else run q0 x y).
Proof.
  destruct p as [a|g q0 q1|g q0 q1]; simpl in two.
  - left. now exists a.
  - right. left. exists g, q0, q1. repeat split; auto; lia.
  - right. right. exists g, q0, q1. repeat split; auto; lia.
Qed.

(** On one side of one bit, two rows that are mixed do not differ, and a constant row goes with no mixed one. *)
Lemma one_side (q : protocol X Y A) x x' : depth q <= 1 -> mixed (run q x) -> differ (run q x) (run q x') -> False.
Proof.
  intros L (y & y' & _ & _ & M) (z & _ & D). destruct (one_bit q L) as [[h H]|[s H]]; rewrite !H in *; congruence.
Qed.

Lemma one_side_constant (q : protocol X Y A) x x0 : depth q <= 1 -> mixed (run q x) -> constant (run q x0) -> False.
Proof.
  intros L (y & y' & Cy & Cy' & M) K. destruct (one_bit q L) as [[h H]|[s H]].
  - specialize (K y y' Cy Cy'). rewrite !H in *. congruence.
  - rewrite !H in M. congruence.
Qed.

(** When Bob speaks first, a row is one of two values on each half, or the half does not depend on it. *)
Lemma bob_first (g : Y -> bool) (q0 q1 : protocol X Y A) : depth q0 <= 1 -> depth q1 <= 1 ->
  (forall x y, row x y = if g y then run q1 x y else run q0 x y) ->
  (* all rows are equal on one half, and constant on the other *)
  (exists (b : bool) (s : X -> A), (forall x x' y, C y -> g y <> b -> row x y = row x' y) /\
     (forall x y, C y -> g y = b -> row x y = s x)) \/
  (* or constant on both *)
  (exists s0 s1 : X -> A, forall x y, C y -> row x y = if g y then s1 x else s0 x) \/
  (forall x x' y, C y -> row x y = row x' y).
Proof.
  intros L0 L1 E. destruct (one_bit q0 L0) as [[h0 H0]|[s0 H0]], (one_bit q1 L1) as [[h1 H1]|[s1 H1]].
  - right. right. intros x x' y _. rewrite !E, !H0, !H1. now destruct (g y).
  - left. exists true, s1. split.
    + intros x x' y _ G. rewrite !E. destruct (g y); [congruence|]. now rewrite !H0.
    + intros x y _ G. rewrite E, G. apply H1.
  - left. exists false, s0. split.
    + intros x x' y _ G. rewrite !E. destruct (g y); [|congruence]. now rewrite !H1.
    + intros x y _ G. rewrite E, G. apply H0.
  - right. left. exists s0, s1. intros x y _. rewrite E, H0, H1. now destruct (g y).
Qed.

Lemma values_of_three (a b c : A) : (a = zero \/ a = one) -> (b = zero \/ b = one) -> (c = zero \/ c = one) ->
  a <> b -> b <> c -> a <> c -> False.
Proof. intros [->| ->] [->| ->] [->| ->]; congruence. Qed.

Lemma differ_half (g : Y -> bool) b (s : X -> A) x x' :
  (forall x x' y, C y -> g y <> b -> row x y = row x' y) -> (forall x y, C y -> g y = b -> row x y = s x) ->
  differ (row x) (row x') -> binary (row x) -> binary (row x') ->
  s x <> s x' /\ (s x = zero \/ s x = one) /\ (s x' = zero \/ s x' = one).
Proof.
  intros H0 H1 (y & Cy & D) B B'. destruct (bool_dec (g y) b) as [G|G].
  - rewrite !(H1 _ y Cy G) in D. rewrite <- (H1 x y Cy G), <- (H1 x' y Cy G). repeat split; auto.
    now rewrite !(H1 _ y Cy G).
  - elim D. now apply H0.
Qed.

Lemma mixed_halves (g : Y -> bool) (s0 s1 : X -> A) x :
  (forall x y, C y -> row x y = if g y then s1 x else s0 x) -> mixed (row x) -> binary (row x) ->
  s0 x <> s1 x /\ (s0 x = zero \/ s0 x = one) /\ (s1 x = zero \/ s1 x = one).
Proof.
  intros H (y & y' & Cy & Cy' & M) B. pose proof (B y Cy) as V. pose proof (B y' Cy') as V'.
  rewrite (H _ y Cy) in *. rewrite (H _ y' Cy') in *. destruct (g y), (g y'); try congruence; repeat split; auto.
Qed.

(** When Alice speaks first, each row is that of one half; two that are mixed and in one half do not differ. *)
Lemma half_of (g : X -> bool) (q0 q1 : protocol X Y A) : (forall x y, row x y = if g x then run q1 x y else run q0 x y) ->
  forall x, (forall y, row x y = run q1 x y) \/ (forall y, row x y = run q0 x y).
Proof. intros E x. destruct (g x) eqn:G; [left|right]; intros y; now rewrite E, G. Qed.

Lemma same_half x x' (q : protocol X Y A) : depth q <= 1 -> (forall y, row x y = run q x y) -> (forall y, row x' y = run q x' y) ->
  mixed (row x) -> differ (row x) (row x') -> False.
Proof.
  intros L Hx Hx' (y & y' & Cy & Cy' & M) (z & Cz & D). apply (one_side q x x' L); [exists y, y'|exists z]; rewrite <- ?Hx, <- ?Hx'; auto.
Qed.

Lemma no_three x1 x2 x3 : binary (row x1) -> binary (row x2) -> binary (row x3) ->
  mixed (row x1) -> mixed (row x2) -> mixed (row x3) ->
  differ (row x1) (row x2) -> differ (row x2) (row x3) -> differ (row x1) (row x3) -> False.
Proof.
  intros B1 B2 B3 M1 M2 M3 D12 D23 D13. destruct two_bits as [[a H]|[(g & q0 & q1 & L0 & L1 & E)|(g & q0 & q1 & L0 & L1 & E)]].
  - destruct D12 as (y & _ & D). rewrite !H in D. congruence.
  - destruct (half_of g q0 q1 E x1) as [R1|R1], (half_of g q0 q1 E x2) as [R2|R2], (half_of g q0 q1 E x3) as [R3|R3];
      first [exact (same_half x1 x2 q1 L1 R1 R2 M1 D12)|exact (same_half x1 x2 q0 L0 R1 R2 M1 D12)|
             exact (same_half x2 x3 q1 L1 R2 R3 M2 D23)|exact (same_half x2 x3 q0 L0 R2 R3 M2 D23)|
             exact (same_half x1 x3 q1 L1 R1 R3 M1 D13)|exact (same_half x1 x3 q0 L0 R1 R3 M1 D13)].
  - destruct (bob_first g q0 q1 L0 L1 E) as [(b & s & H0 & H1)|[(s0 & s1 & H)|H]].
    + destruct (differ_half g s x1 x2 H0 H1 D12 B1 B2) as (N12 & V1 & V2).
      destruct (differ_half g s x2 x3 H0 H1 D23 B2 B3) as (N23 & _ & V3).
      destruct (differ_half g s x1 x3 H0 H1 D13 B1 B3) as (N13 & _ & _).
      exact (values_of_three V1 V2 V3 N12 N23 N13).
    + destruct (mixed_halves g s0 s1 x1 H M1 B1) as (N1 & U1 & W1).
      destruct (mixed_halves g s0 s1 x2 H M2 B2) as (N2 & U2 & W2).
      destruct (mixed_halves g s0 s1 x3 H M3 B3) as (N3 & U3 & W3).
      destruct D12 as (y & Cy & D12), D23 as (z & Cz & D23), D13 as (w & Cw & D13).
      rewrite !(H _ _ Cy) in D12. rewrite !(H _ _ Cz) in D23. rewrite !(H _ _ Cw) in D13.
      destruct U1, U2, U3, W1, W2, W3, (g y), (g z), (g w); congruence.
    + destruct D12 as (y & Cy & D). elim D. now apply H.
Qed.

Lemma no_two_and_constant x1 x2 x0 : binary (row x1) -> binary (row x2) -> binary (row x0) ->
  mixed (row x1) -> mixed (row x2) -> constant (row x0) ->
  differ (row x1) (row x2) -> overlap (row x1) (row x2) -> False.
Proof.
  intros B1 B2 B0 M1 M2 K D12 O. destruct two_bits as [[a H]|[(g & q0 & q1 & L0 & L1 & E)|(g & q0 & q1 & L0 & L1 & E)]].
  - destruct D12 as (y & _ & D). rewrite !H in D. congruence.
  - assert (U : forall x q, depth q <= 1 -> (forall y, row x y = run q x y) -> (forall y, row x0 y = run q x0 y) ->
                mixed (row x) -> False).
    { intros x q L Hx Hx0 (y & y' & Cy & Cy' & M). apply (one_side_constant q x x0 L).
      - exists y, y'. rewrite <- !Hx. auto.
      - intros z z' Cz Cz'. rewrite <- !Hx0. now apply K. }
    destruct (half_of g q0 q1 E x1) as [R1|R1], (half_of g q0 q1 E x2) as [R2|R2], (half_of g q0 q1 E x0) as [R0|R0];
      first [exact (same_half x1 x2 q1 L1 R1 R2 M1 D12)|exact (same_half x1 x2 q0 L0 R1 R2 M1 D12)|
             exact (U x1 q1 L1 R1 R0 M1)|exact (U x1 q0 L0 R1 R0 M1)|
             exact (U x2 q1 L1 R2 R0 M2)|exact (U x2 q0 L0 R2 R0 M2)].
  - destruct (bob_first g q0 q1 L0 L1 E) as [(b & s & H0 & H1)|[(s0 & s1 & H)|H]].
    + destruct (differ_half g s x1 x2 H0 H1 D12 B1 B2) as (N12 & V1 & V2).
      assert (V0 : s x0 = zero \/ s x0 = one).
      { destruct D12 as (y & Cy & D). destruct (bool_dec (g y) b) as [G|G].
        - rewrite <- (H1 x0 y Cy G). now apply B0.
        - elim D. now apply H0. }
      assert (Z : forall x, mixed (row x) -> s x <> s x0).
      { intros x (y & y' & Cy & Cy' & M) Es. apply M.
        transitivity (row x0 y); [|transitivity (row x0 y'); [now apply K|]].
        - destruct (bool_dec (g y) b) as [G|G]; [rewrite !(H1 _ y Cy G); exact Es|now apply H0].
        - destruct (bool_dec (g y') b) as [G|G]; [rewrite !(H1 _ y' Cy' G); now symmetry|now apply H0]. }
      pose proof (Z x1 M1). pose proof (Z x2 M2). destruct V0, V1, V2; congruence.
    + destruct (mixed_halves g s0 s1 x1 H M1 B1) as (N1 & U1 & W1).
      destruct (mixed_halves g s0 s1 x2 H M2 B2) as (N2 & U2 & W2).
      destruct D12 as (y & Cy & D12), O as (z & Cz & O). rewrite !(H _ _ Cy) in D12. rewrite !(H _ _ Cz) in O.
      destruct U1, U2, W1, W2, (g y), (g z); congruence.
    + destruct D12 as (y & Cy & D). elim D. now apply H.
Qed.
End TwoBits.

(** Rows that two halves of two bits each cannot hold. *)
Definition too_many (R : X -> Prop) (r : X -> Y -> A) : Prop :=
  (exists x1 x2 x3 x4 x5, Forall R [x1; x2; x3; x4; x5] /\ Forall (fun x => mixed (r x)) [x1; x2; x3; x4; x5] /\
     ForallOrdPairs (fun x x' => differ (r x) (r x')) [x1; x2; x3; x4; x5]) \/
  (exists x1 x2 x3 x4 x0, Forall R [x1; x2; x3; x4; x0] /\ Forall (fun x => mixed (r x)) [x1; x2; x3; x4] /\
     constant (r x0) /\ ForallOrdPairs (fun x x' => differ (r x) (r x') /\ overlap (r x) (r x')) [x1; x2; x3; x4]).

Lemma too_many_rows (R : X -> Prop) (g : X -> bool) (q0 q1 : protocol X Y A) : depth q0 <= 2 -> depth q1 <= 2 ->
  (forall x, R x -> binary (run (Alice g q0 q1) x)) -> too_many R (run (Alice g q0 q1)) -> False.
Proof.
  intros L0 L1 HB.
  assert (S : forall x, (run (Alice g q0 q1) x = run q1 x) \/ (run (Alice g q0 q1) x = run q0 x)).
  { intros x. simpl. destruct (g x) eqn:G; [left|right]; reflexivity. }
  assert (T3 : forall x1 x2 x3 q, depth q <= 2 -> R x1 -> R x2 -> R x3 ->
    run (Alice g q0 q1) x1 = run q x1 -> run (Alice g q0 q1) x2 = run q x2 -> run (Alice g q0 q1) x3 = run q x3 ->
    mixed (run (Alice g q0 q1) x1) -> mixed (run (Alice g q0 q1) x2) -> mixed (run (Alice g q0 q1) x3) ->
    differ (run (Alice g q0 q1) x1) (run (Alice g q0 q1) x2) -> differ (run (Alice g q0 q1) x2) (run (Alice g q0 q1) x3) ->
    differ (run (Alice g q0 q1) x1) (run (Alice g q0 q1) x3) -> False).
  { intros x1 x2 x3 q L R1 R2 R3 E1 E2 E3. pose proof (HB x1 R1) as B1. pose proof (HB x2 R2) as B2.
    pose proof (HB x3 R3) as B3. rewrite E1 in *. rewrite E2 in *. rewrite E3 in *. now apply no_three. }
  assert (T2 : forall x1 x2 x0 q, depth q <= 2 -> R x1 -> R x2 -> R x0 ->
    run (Alice g q0 q1) x1 = run q x1 -> run (Alice g q0 q1) x2 = run q x2 -> run (Alice g q0 q1) x0 = run q x0 ->
    mixed (run (Alice g q0 q1) x1) -> mixed (run (Alice g q0 q1) x2) -> constant (run (Alice g q0 q1) x0) ->
    differ (run (Alice g q0 q1) x1) (run (Alice g q0 q1) x2) -> overlap (run (Alice g q0 q1) x1) (run (Alice g q0 q1) x2) ->
    False).
  { intros x1 x2 x0 q L R1 R2 R0 E1 E2 E0. pose proof (HB x1 R1) as B1. pose proof (HB x2 R2) as B2.
    pose proof (HB x0 R0) as B0. rewrite E1 in *. rewrite E2 in *. rewrite E0 in *. now apply no_two_and_constant. }
  generalize dependent (run (Alice g q0 q1)). intros r HB S T3 T2.
  intros [(x1 & x2 & x3 & x4 & x5 & HR & HM & HD)|(x1 & x2 & x3 & x4 & x0 & HR & HM & HK & HD)].
  - repeat match goal with
    | H : Forall _ (_ :: _) |- _ => inversion H; clear H; subst
    | H : ForallOrdPairs _ (_ :: _) |- _ => inversion H; clear H; subst end.
    destruct (S x1) as [E1|E1], (S x2) as [E2|E2], (S x3) as [E3|E3], (S x4) as [E4|E4], (S x5) as [E5|E5];
    first [exact (T3 x1 x2 x3 _ ltac:(assumption) ltac:(assumption) ltac:(assumption) ltac:(assumption) E1 E2 E3 ltac:(assumption) ltac:(assumption) ltac:(assumption) ltac:(assumption) ltac:(assumption) ltac:(assumption)) | idtac];
    first [ match goal with
    | A : r ?a = run ?q ?a, B : r ?b = run ?q ?b, D : r ?c = run ?q ?c, D1 : differ (r ?a) (r ?b), D2 : differ (r ?b) (r ?c), D3 : differ (r ?a) (r ?c) |- _ =>
        solve [apply (T3 a b c q); assumption] end ].
  - repeat match goal with
    | H : Forall _ (_ :: _) |- _ => inversion H; clear H; subst
    | H : ForallOrdPairs _ (_ :: _) |- _ => inversion H; clear H; subst
    | H : _ /\ _ |- _ => destruct H end.
    destruct (S x1) as [E1|E1], (S x2) as [E2|E2], (S x3) as [E3|E3], (S x4) as [E4|E4], (S x0) as [E0|E0];
    first [ match goal with
    | A : r ?a = run ?q ?a, B : r ?b = run ?q ?b, D : r ?c = run ?q ?c, D1 : differ (r ?a) (r ?b), D2 : differ (r ?b) (r ?c), D3 : differ (r ?a) (r ?c) |- _ =>
        solve [apply (T3 a b c q); assumption] end
    | match goal with
    | A : r ?a = run ?q ?a, B : r ?b = run ?q ?b, Z : r x0 = run ?q x0, D1 : differ (r ?a) (r ?b) |- _ =>
        solve [apply (T2 a b x0 q); assumption] end ].
Qed.

End Three.

Section Extension.
Variables X Y A : Type.

Lemma too_many_ext (R : X -> Prop) (C : Y -> Prop) (r r' : X -> Y -> A) :
  (forall x y, R x -> C y -> r x y = r' x y) -> too_many C R r -> too_many C R r'.
Proof.
  intros E.
  assert (M : forall x, R x -> mixed C (r x) -> mixed C (r' x)).
  { intros x Rx (y & y' & Cy & Cy' & M). exists y, y'. rewrite <- !E; auto. }
  assert (K : forall x, R x -> constant C (r x) -> constant C (r' x)).
  { intros x Rx H y y' Cy Cy'. rewrite <- !E; auto. }
  assert (D : forall x x', R x -> R x' -> differ C (r x) (r x') -> differ C (r' x) (r' x')).
  { intros x x' Rx Rx' (y & Cy & H). exists y. rewrite <- !E; auto. }
  assert (O : forall x x', R x -> R x' -> overlap C (r x) (r x') -> overlap C (r' x) (r' x')).
  { intros x x' Rx Rx' (y & Cy & H). exists y. rewrite <- !E; auto. }
  intros [(x1 & x2 & x3 & x4 & x5 & HR & HM & HD)|(x1 & x2 & x3 & x4 & x0 & HR & HM & HK & HD)];
    [left; exists x1, x2, x3, x4, x5|right; exists x1, x2, x3, x4, x0];
    repeat match goal with
    | H : Forall _ (_ :: _) |- _ => inversion H; clear H; subst
    | H : ForallOrdPairs _ (_ :: _) |- _ => inversion H; clear H; subst
    | H : _ /\ _ |- _ => destruct H end;
    repeat first [split | constructor]; auto.
Qed.

End Extension.

(** Three bits of which the first is Alice's, or Bob's. *)
Section Closed.
Variables X Y A : Type.
Variables zero one : A.
Variable f : function X Y A.
Notation says := (fun (answer : A) (_ : X) (_ : Y) => answer).

Definition no_alice (R : X -> Prop) (C : Y -> Prop) : Prop :=
  forall g q0 q1, depth q0 <= 2 -> depth q1 <= 2 -> ~ right_on says f R C (Alice g q0 q1).

Definition no_bob (R : X -> Prop) (C : Y -> Prop) : Prop :=
  forall g q0 q1, depth q0 <= 2 -> depth q1 <= 2 -> ~ right_on says f R C (Bob g q0 q1).

Lemma nobody_first R C : no_alice R C -> no_bob R C -> hard says f 3 None R C.
Proof.
  intros NA NB p Hp _. destruct (Compare_dec.le_lt_dec (depth p) 3) as [D|D]; [exfalso|exact D].
  destruct p as [a|g q0 q1|g q0 q1]; simpl in D.
  - apply (NA (fun _ => false) (Output a) (Output a)); simpl; [lia|lia|]. intros x y c Rx Cy E. exact (Hp x y c Rx Cy E).
  - apply (NA g q0 q1); [lia|lia|exact Hp].
  - apply (NB g q0 q1); [lia|lia|exact Hp].
Qed.

Lemma no_alice_more (R R' : X -> Prop) (C C' : Y -> Prop) : (forall x, R x -> R' x) -> (forall y, C y -> C' y) ->
  no_alice R C -> no_alice R' C'.
Proof. intros S T H g q0 q1 D0 D1 K. apply (H g q0 q1 D0 D1). intros x y a Rx Cy. apply K; auto. Qed.

Lemma no_bob_more (R R' : X -> Prop) (C C' : Y -> Prop) : (forall x, R x -> R' x) -> (forall y, C y -> C' y) ->
  no_bob R C -> no_bob R' C'.
Proof. intros S T H g q0 q1 D0 D1 K. apply (H g q0 q1 D0 D1). intros x y a Rx Cy. apply K; auto. Qed.

(** Stated for the table [r] of the answers on the rectangle, which all are promised and 0 or 1. *)
Variable R : X -> Prop.
Variable C : Y -> Prop.
Variable r : X -> Y -> A.
Hypothesis table : forall x y, R x -> C y -> f x y = Some (r x y) /\ (r x y = zero \/ r x y = one).

Lemma no_alice_first : too_many C R r -> no_alice R C.
Proof.
  intros H g q0 q1 D0 D1 K.
  assert (E : forall x y, R x -> C y -> r x y = run (Alice g q0 q1) x y).
  { intros x y Rx Cy. symmetry. apply (K x y); auto. now apply table. }
  apply (@too_many_rows X Y A zero one C R g q0 q1 D0 D1); [|eapply too_many_ext; [exact E|exact H]].
  intros x Rx y Cy. rewrite <- (E x y Rx Cy). now apply table.
Qed.

Lemma no_bob_first : too_many R C (fun y x => r x y) -> no_bob R C.
Proof.
  intros H g q0 q1 D0 D1 K.
  assert (E : forall y x, C y -> R x -> r x y = run (swap (Bob g q0 q1)) y x).
  { intros y x Cy Rx. rewrite run_swap. symmetry. apply (K x y); auto. now apply table. }
  apply (@too_many_rows Y X A zero one R C g (swap q0) (swap q1)); [now rewrite depth_swap|now rewrite depth_swap| |].
  - intros y Cy x Rx. change (Alice g (swap q0) (swap q1)) with (swap (Bob g q0 q1)). rewrite <- (E y x Cy Rx). now apply table.
  - eapply too_many_ext; [exact E|exact H].
Qed.

Theorem three_hard : too_many C R r -> too_many R C (fun y x => r x y) -> hard says f 3 None R C.
Proof. intros HA HB. apply nobody_first; [now apply no_alice_first|now apply no_bob_first]. Qed.
End Closed.
