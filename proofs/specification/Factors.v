(** * What certificates claim of factors: nonnegative rank, sign rank and approximate rank

    Definitions and nothing else, beside those of [Specification.v]. How few products of a function of the row and one of
    the column add up to a matrix of numbers, of signs, or nearly so. The numbers are those of any ordered field: what is
    proved for all of them is true of the real numbers, and of the rational ones. *)
From Coq Require Import List Arith NArith ZArith QArith Field_theory InitialRing.
From Ccsim Require Import Specification.
Import ListNotations.
Open Scope nat_scope.

Record ordered_field := {
  number :> Type;
  zero : number;
  one : number;
  add : number -> number -> number;
  multiply : number -> number -> number;
  negative : number -> number;
  inverse : number -> number;
  below : number -> number -> Prop;
  field_laws : field_theory zero one add multiply (fun a b => add a (negative b)) negative (fun a b => multiply a (inverse b)) inverse eq;
  total_order : forall a b, below a b \/ a = b \/ below b a;
  strict_order : forall a, ~ below a a;
  transitive_order : forall a b c, below a b -> below b c -> below a c;
  order_of_sums : forall a b c, below a b -> below (add a c) (add b c);
  order_of_products : forall a b, below zero a -> below zero b -> below zero (multiply a b)
}.
Arguments zero {_}. Arguments one {_}. Arguments add {_}. Arguments multiply {_}. Arguments negative {_}.
Arguments inverse {_}. Arguments below {_}.

Section Measures.
Variable F : ordered_field.
Variable f : function N N N.

Definition at_most (a b : F) : Prop := below a b \/ a = b.

(** An integer and a rational number as numbers of the field. *)
Definition whole (n : Z) : F := gen_phiZ zero one add multiply negative n.
Definition ratio (q : Q) : F := multiply (whole (Qnum q)) (inverse (whole (Zpos (Qden q)))).

(** A row's number times a column's, added up. *)
Definition product_terms := list ((N -> F) * (N -> F)).
Definition sum_of_factors (terms : product_terms) (x y : N) : F :=
  fold_right (fun term sum => add (multiply (fst term x) (snd term y)) sum) zero terms.

(** *** Nonnegative rank: no number is below 0, and the sum is the number that belongs to the answer *)
Definition value_at (values : list N) (a : N) : F := whole (Z.of_N (nth (N.to_nat a) values 0%N)).

Definition nonnegative_rank_at_most (values : list N) (count : nat) : Prop :=
  exists terms : product_terms, length terms <= count /\
    Forall (fun term => (forall x, at_most zero (fst term x)) /\ (forall y, at_most zero (snd term y))) terms /\
    forall x y a, f x y = Some a -> sum_of_factors terms x y = value_at values a.

(** *** Sign rank: the sum is above 0 where the answer is [label], below 0 where it is another one *)
Definition sign_rank_at_most (label : N) (count : nat) : Prop :=
  exists terms : product_terms, length terms <= count /\
    forall x y a, f x y = Some a ->
      if (a =? label)%N then below zero (sum_of_factors terms x y) else below (sum_of_factors terms x y) zero.

(** *** Approximate rank: the sum is within [error] of 1, or of -1; where the answer is free, it is between -(1 + error) and 1 + error *)
Definition approximate_rank_at_most (label : N) (error : Q) (count : nat) : Prop :=
  exists terms : product_terms, length terms <= count /\
    (forall x y, at_most (ratio (- (1 + error))) (sum_of_factors terms x y) /\ at_most (sum_of_factors terms x y) (ratio (1 + error))) /\
    forall x y a, f x y = Some a ->
      if (a =? label)%N then at_most (ratio (1 - error)) (sum_of_factors terms x y)
      else at_most (sum_of_factors terms x y) (ratio (- (1 - error))).
End Measures.

(** ** Claims *)
Inductive factor_measure :=
| NonnegativeRank (values : list N) (* the number for each answer; 0 for answers beyond the list *)
| SignRank (label : N)
| ApproximateRank (label : N) (error : Q).

Definition factors_suffice (F : ordered_field) (f : function N N N) (m : factor_measure) (count : nat) : Prop :=
  match m with
  | NonnegativeRank values => nonnegative_rank_at_most F f values count
  | SignRank label => sign_rank_at_most F f label count
  | ApproximateRank label error => approximate_rank_at_most F f label error count
  end.

(** The claim that over every ordered field the least number of products is at least ([Lower]) or at most ([Upper]) a value. *)
Definition factors_hold (f : function N N N) (m : factor_measure) (s : side) (value : Q) : Prop := forall F : ordered_field,
  match s with
  | Lower => forall n, factors_suffice F f m n -> (value <= inject_Z (Z.of_nat n))%Q
  | Upper => exists n, factors_suffice F f m n /\ (inject_Z (Z.of_nat n) <= value)%Q
  end.
