(** * What certificates claim of relations: of an answer in each cell any may be given that is right there

    Definitions and nothing else, beside those of [Specification.v]. *)
From Coq Require Import List Arith NArith ZArith QArith.
From Ccsim Require Import Specification.
Import ListNotations.
Open Scope nat_scope.
Set Implicit Arguments.

(** The answers that are right; [None] where these inputs are never given. *)
Definition relation (X Y A : Type) := X -> Y -> option (A -> bool).

Section Measures.
Variables X Y A : Type.
Variable r : relation X Y A.

(** The protocol gives a right answer on all inputs. *)
Definition solves (who : knowing) (p : protocol X Y (leaf_of who X Y A)) : Prop :=
  forall x y right, r x y = Some right -> right (said who (run p x y) x y) = true.

Definition bits_solve (who : knowing) (limit : option (nat * option party)) (bits : nat) : Prop :=
  exists p : protocol X Y (leaf_of who X Y A), solves who p /\ within limit p /\ depth p <= bits.

Definition leaves_solve (who : knowing) (count : nat) : Prop :=
  exists p : protocol X Y (leaf_of who X Y A), solves who p /\ leaves p <= count.
End Measures.

(** A table of sets of labels: bit k of a cell says whether label k is right there. *)
Definition table_of_sets := list (list N).

Definition labels_at (t : table_of_sets) : relation N N N := fun x y =>
  match nth_error t (N.to_nat x) with
  | Some row => match nth_error row (N.to_nat y) with Some labels => Some (N.testbit labels) | None => None end
  | None => None
  end.

(** ** Claims *)
Inductive relation_measure :=
| RelationBits (who : knowing) (limit : option (nat * option party))
| RelationLeaves (who : knowing).

Definition solved_with (r : relation N N N) (m : relation_measure) (n : nat) : Prop :=
  match m with
  | RelationBits who limit => bits_solve r who limit n
  | RelationLeaves who => leaves_solve r who n
  end.

(** The claim that the least number is at least ([Lower]) or at most ([Upper]) a value. *)
Definition relation_holds (r : relation N N N) (m : relation_measure) (s : side) (value : Q) : Prop :=
  match s with
  | Lower => forall n, solved_with r m n -> (value <= inject_Z (Z.of_nat n))%Q
  | Upper => exists n, solved_with r m n /\ (inject_Z (Z.of_nat n) <= value)%Q
  end.
