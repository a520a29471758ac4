(** * What is claimed for every length

    Definitions and nothing else, beside those of [Specification.v]: families of functions, one for each n, and what a
    certificate says of all n at once. *)
From Coq Require Import List Arith Bool NArith ZArith.
From Ccsim Require Import Specification.
Import ListNotations.

(** ** Families

    An automaton reads n blocks of Alice and n blocks of Bob side by side, pair by pair. The answer is that of its last
    state; [None] where it is free. Blocks, here letters, are the numbers below [alice_letters] and [bob_letters]. *)
Record family := Family {
  alice_letters : nat;
  bob_letters : nat;
  start : nat;
  step : nat -> nat -> nat -> nat;
  output : nat -> option N
}.

Fixpoint read (F : family) (state : nat) (xs ys : list nat) : nat :=
  match xs, ys with
  | x :: xs', y :: ys' => read F (step F state x y) xs' ys'
  | _, _ => state
  end.

Definition is_word (letters n : nat) (word : list nat) : bool :=
  (length word =? n) && forallb (fun letter => letter <? letters) word.

(** The function for words of n letters each: the cells of its matrix. *)
Definition at_length (F : family) (n : nat) : function (list nat) (list nat) N := fun xs ys =>
  if is_word (alice_letters F) n xs && is_word (bob_letters F) n ys then output F (read F (start F) xs ys) else None.

(** *** A language whose words are dealt

    [turn] says for each position who has it, and is repeated n times. A block of a party is its letters in one turn, as
    digits of a number, the first one most significant. *)
Definition turns_of (owner : party) (turn : list party) : nat :=
  length (filter (fun p => match owner, p with alice, alice | bob, bob => true | _, _ => false end) turn).

Fixpoint deal (symbols : nat) (next : nat -> nat -> nat) (turn : list party) (state x y : nat) : nat :=
  match turn with
  | [] => state
  | owner :: rest =>
      let block := match owner with alice => x | bob => y end in
      deal symbols next rest (next state ((block / symbols ^ turns_of owner rest) mod symbols)) x y
  end.

Definition dealt (symbols : nat) (next : nat -> nat -> nat) (turn : list party) (first : nat) (answer : nat -> option N) :
  family :=
  {| alice_letters := symbols ^ turns_of alice turn; bob_letters := symbols ^ turns_of bob turn;
     start := first; step := deal symbols next turn; output := answer |}.

(** *** Functions that certificates name, bit by bit, the most significant one first *)
Definition bitwise (step : nat -> nat -> nat -> nat) (one : nat -> bool) : family :=
  {| alice_letters := 2; bob_letters := 2; start := 0; step := step; output := fun state => Some (truth (one state)) |}.

Definition both_one (x y : nat) : bool := (x =? 1) && (y =? 1).

Definition family_of_name (f : name) : option family :=
  match f with
  | Equality => Some (bitwise (fun q x y => if (q =? 0) && (x =? y) then 0 else 1) (fun q => q =? 0))
  | Disjointness => Some (bitwise (fun q x y => if both_one x y then 1 else q) (fun q => q =? 0))
  | Intersection => Some (bitwise (fun q x y => if both_one x y then 1 else q) (fun q => q =? 1))
  | GreaterThan => Some (bitwise (fun q x y => if q =? 0 then (if x =? y then 0 else if y <? x then 2 else 1) else q) (fun q => q =? 2))
  | InnerProduct => Some (bitwise (fun q x y => if both_one x y then 1 - q else q) (fun q => q =? 1))
  | Index => None
  end.

(** ** Numbers for every n *)

(** The numbers c(1), c(2), ...: the first ones, and the factors by which each other one follows from those before it, the
    nearest first. The window has as many of them as there are first ones. *)
Definition next_value (back window : list Z) : Z :=
  fold_right (fun pair sum => (fst pair * snd pair + sum)%Z) 0%Z (combine back (rev window)).

Definition shift (back window : list Z) : list Z := tl window ++ [next_value back window].

Definition count_at (count : list Z * list Z) (n : nat) : Z := hd 0%Z (Nat.iter (n - 1) (shift (snd count)) (fst count)).

(** What is said of n: from below a count, or the bits that number so many; from above bits for each block, and at the
    end. *)
Inductive growth := Counted (count : list Z * list Z) | Linear (per_block at_end : nat).

(** ** Claims *)
Inductive lasting :=
| LastingDeterministic (who : knowing)
| LastingFoolingSet (who : knowing) (code : option N)
| LastingRankModulo (prime : Z) (code : N)
| LastingRankRational (code : N)
| LastingMessages (sender : party)
| LastingOneWay (sender : party).

(** The bound at n: bits where the measure is in bits. *)
Definition in_bits (m : lasting) : bool :=
  match m with LastingDeterministic _ | LastingOneWay _ => true | _ => false end.

Definition bound_at (m : lasting) (g : growth) (n : nat) : N :=
  match g with
  | Counted count => if in_bits m then N.log2_up (Z.to_N (count_at count n)) else Z.to_N (count_at count n)
  | Linear per_block at_end => N.of_nat (per_block * n + at_end)
  end.

(** The numbers that are reached at n. *)
Definition reached_at (F : family) (n : nat) (m : lasting) (value : nat) : Prop :=
  match m with
  | LastingDeterministic who => bits_suffice (at_length F n) who None value
  | LastingFoolingSet who code => exists cells, length cells = value /\ fooling_set (at_length F n) who code cells
  | LastingRankModulo prime code => rank_at_most (at_length F n) prime code value
  | LastingRankRational code => rational_rank_at_most (at_length F n) code value
  | LastingMessages sender => messages_suffice (at_length F n) sender value
  | LastingOneWay sender => messages_suffice (at_length F n) sender (2 ^ value)
  end.

(** The claim that for every n the measure is at least, or at most, the bound at n. *)
Definition always_holds (F : family) (m : lasting) (s : side) (g : growth) : Prop := forall n, 1 <= n ->
  match m, s with
  | LastingFoolingSet _ _, Lower => exists value, reached_at F n m value /\ (bound_at m g n <= N.of_nat value)%N
  | LastingFoolingSet _ _, Upper => forall value, reached_at F n m value -> (N.of_nat value <= bound_at m g n)%N
  | _, Lower => forall value, reached_at F n m value -> (bound_at m g n <= N.of_nat value)%N
  | _, Upper => exists value, reached_at F n m value /\ (N.of_nat value <= bound_at m g n)%N
  end.
