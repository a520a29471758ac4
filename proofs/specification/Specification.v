(** * What certificates claim

    This file has definitions and nothing else. Whoever agrees that they say what communication complexity says need
    not read any other file of proofs: what the checker accepts is true in the sense of this file ([Theorems.v]). *)
From Coq Require Import List Arith NArith ZArith QArith Bool.
Import ListNotations.
Open Scope nat_scope.
Set Implicit Arguments.

(** ** Functions of two parties

    Alice has [x], Bob has [y]. The answer is [None] where it is free: these inputs are never given (outside of the
    promise), or any answer will do. *)
Definition function (X Y A : Type) := X -> Y -> option A.

(** ** Protocols

    A tree. The party whose turn it is sends one bit, any function of its own input (and of all that was said before,
    as another node follows each message). *)
Inductive party := alice | bob.

Section Protocols.
Variables X Y L : Type.

Inductive protocol : Type :=
| Output (leaf : L)
| Alice (send : X -> bool) (zero one : protocol)
| Bob (send : Y -> bool) (zero one : protocol).

(** The leaf that two inputs reach. *)
Fixpoint run (p : protocol) (x : X) (y : Y) : L :=
  match p with
  | Output leaf => leaf
  | Alice send zero one => if send x then run one x y else run zero x y
  | Bob send zero one => if send y then run one x y else run zero x y
  end.

(** Bits in the worst case. *)
Fixpoint depth (p : protocol) : nat :=
  match p with
  | Output _ => 0
  | Alice _ zero one | Bob _ zero one => S (Nat.max (depth zero) (depth one))
  end.

Fixpoint leaves (p : protocol) : nat :=
  match p with
  | Output _ => 1
  | Alice _ zero one | Bob _ zero one => leaves zero + leaves one
  end.

(** Rounds in the worst case, once [last] has spoken: a round is a stretch of one speaker. *)
Definition speaks_on (last : option party) (speaker : party) : bool :=
  match last, speaker with Some alice, alice | Some bob, bob => true | _, _ => false end.

Fixpoint rounds_after (last : option party) (p : protocol) : nat :=
  match p with
  | Output _ => 0
  | Alice _ zero one =>
      (if speaks_on last alice then 0 else 1) + Nat.max (rounds_after (Some alice) zero) (rounds_after (Some alice) one)
  | Bob _ zero one =>
      (if speaks_on last bob then 0 else 1) + Nat.max (rounds_after (Some bob) zero) (rounds_after (Some bob) one)
  end.
End Protocols.
Arguments Output {X Y L}.

(** ** Who must know the answer

    If both must, the leaf tells it: what was said settles the answer. If one party alone must, the leaf tells it how
    the answer depends on its own input. *)
Inductive knowing := Both | AliceAlone | BobAlone.

Definition leaf_of (who : knowing) (X Y A : Type) : Type :=
  match who with Both => A | AliceAlone => X -> A | BobAlone => Y -> A end.

Definition said (who : knowing) (X Y A : Type) : leaf_of who X Y A -> X -> Y -> A :=
  match who with
  | Both => fun answer _ _ => answer
  | AliceAlone => fun answer x _ => answer x
  | BobAlone => fun answer _ y => answer y
  end.
Arguments said who {X Y A}.

Section Measures.
Variables X Y A : Type.
Variable f : function X Y A.

(** The protocol gives the right answer wherever one is promised. *)
Definition computes (who : knowing) (p : protocol X Y (leaf_of who X Y A)) : Prop :=
  forall x y a, f x y = Some a -> said who (run p x y) x y = a.

(** *** Deterministic complexity, also within so many rounds of which, it may be said, [first] has the first one *)
Definition within (limit : option (nat * option party)) (L : Type) (p : protocol X Y L) : Prop :=
  match limit with
  | None => True
  | Some (rounds, None) => rounds_after None p <= rounds
  | Some (rounds, Some first) => 1 + rounds_after (Some first) p <= rounds
  end.

Definition bits_suffice (who : knowing) (limit : option (nat * option party)) (bits : nat) : Prop :=
  exists p : protocol X Y (leaf_of who X Y A), computes who p /\ within limit p /\ depth p <= bits.

Definition leaves_suffice (who : knowing) (count : nat) : Prop :=
  exists p : protocol X Y (leaf_of who X Y A), computes who p /\ leaves p <= count.

(** *** One message: the sender's input decides it, one of [count]; the message and the receiver's input the answer *)
Definition messages_suffice (sender : party) (count : nat) : Prop :=
  match sender with
  | alice => exists (message : X -> nat) (answer : nat -> Y -> A),
      (forall x, message x < count) /\ forall x y a, f x y = Some a -> answer (message x) y = a
  | bob => exists (message : Y -> nat) (answer : nat -> X -> A),
      (forall y, message y < count) /\ forall x y a, f x y = Some a -> answer (message y) x = a
  end.

(** *** Fooling sets: promised cells of which no leaf that is right contains two *)
Definition share_a_leaf (who : knowing) (c d : X * Y) : Prop :=
  exists leaf : leaf_of who X Y A, forall x y a,
    (x = fst c \/ x = fst d) -> (y = snd c \/ y = snd d) -> f x y = Some a -> said who leaf x y = a.

Definition of_code (code : option A) (c : X * Y) : Prop :=
  match code with None => f (fst c) (snd c) <> None | Some a => f (fst c) (snd c) = Some a end.

Definition fooling_set (who : knowing) (code : option A) (cells : list (X * Y)) : Prop :=
  Forall (of_code code) cells /\ ForallOrdPairs (fun c d => ~ share_a_leaf who c d) cells.

(** *** Rectangles of an answer: all cells in them have it or are free. Covers, and partitions of its cells *)
Definition rectangle := ((X -> bool) * (Y -> bool))%type.
Definition inside (r : rectangle) (x : X) (y : Y) : bool := fst r x && snd r y.
Definition has_answer (a : A) (r : rectangle) : Prop := forall x y b, inside r x y = true -> f x y = Some b -> b = a.

Definition covers (a : A) (rs : list rectangle) : Prop :=
  Forall (has_answer a) rs /\ forall x y, f x y = Some a -> Exists (fun r => inside r x y = true) rs.

Definition partitions (a : A) (rs : list rectangle) : Prop :=
  covers a rs /\
  ForallOrdPairs (fun r s => forall x y, f x y = Some a -> ~ (inside r x y = true /\ inside s x y = true)) rs.

(** Of all answers together: each rectangle has one of them. *)
Definition covers_all (rs : list (A * rectangle)) : Prop :=
  Forall (fun r => has_answer (fst r) (snd r)) rs /\
  forall x y a, f x y = Some a -> Exists (fun r => fst r = a /\ inside (snd r) x y = true) rs.

Definition partitions_all (rs : list (A * rectangle)) : Prop :=
  covers_all rs /\
  ForallOrdPairs (fun r s => forall x y, f x y <> None -> ~ (inside (snd r) x y = true /\ inside (snd s) x y = true)) rs.

Definition rectangles_cover (code : option A) (count : nat) : Prop :=
  match code with
  | Some a => exists rs, covers a rs /\ length rs <= count
  | None => exists rs, covers_all rs /\ length rs <= count
  end.

Definition rectangles_partition (code : option A) (count : nat) : Prop :=
  match code with
  | Some a => exists rs, partitions a rs /\ length rs <= count
  | None => exists rs, partitions_all rs /\ length rs <= count
  end.

(** *** Rank of the 0/1 matrix of an answer modulo a prime: as few products of a column and a row as add up to it *)
Definition sum_of_products (terms : list ((X -> Z) * (Y -> Z))) (x : X) (y : Y) : Z :=
  fold_right (fun term sum => fst term x * snd term y + sum)%Z 0%Z terms.

Definition rank_at_most (prime : Z) (a : A) (count : nat) : Prop :=
  exists terms, length terms <= count /\
    forall x y, (f x y = Some a -> (prime | sum_of_products terms x y - 1)%Z) /\
                (f x y <> Some a -> f x y <> None -> (prime | sum_of_products terms x y)%Z).

(** Over the rationals. *)
Definition sum_of_rational_products (terms : list ((X -> Q) * (Y -> Q))) (x : X) (y : Y) : Q :=
  fold_right (fun term sum => fst term x * snd term y + sum)%Q 0%Q terms.

Definition rational_rank_at_most (a : A) (count : nat) : Prop :=
  exists terms, length terms <= count /\
    forall x y, (f x y = Some a -> (sum_of_rational_products terms x y == 1)%Q) /\
                (f x y <> Some a -> f x y <> None -> (sum_of_rational_products terms x y == 0)%Q).

(** *** VC dimension: inputs of the receiver, here Bob, on which the sender's inputs show every pattern of two answers *)
Definition shattered (zero one : A) (places : list Y) : Prop :=
  NoDup places /\ forall pattern : Y -> bool,
    exists x, forall y, In y places -> f x y = Some (if pattern y then one else zero).

(** *** Public coins: a finite mixture of protocols, each with a weight. Both know the answer *)
Definition mixture := list (N * protocol X Y A).
Definition total (weights : list N) : N := fold_right N.add 0%N weights.
Definition fraction (n : N) : Q := inject_Z (Z.of_N n).

(** The weight of the protocols that are right on a cell whose answer is [a]. *)
Definition right_weight (same : A -> A -> bool) (m : mixture) (x : X) (y : Y) (a : A) : N :=
  total (map (fun part => if same (run (snd part) x y) a then fst part else 0%N) m).

(** With so many bits, on each promised cell the right answer has at least this probability. *)
Definition succeeds (same : A -> A -> bool) (bits : nat) (probability : Q) : Prop :=
  exists m : mixture, (0 < total (map fst m))%N /\ Forall (fun part => depth (snd part) <= bits) m /\
    forall x y a, f x y = Some a ->
      (probability * fraction (total (map fst m)) <= fraction (right_weight same m x y a))%Q.

(** *** One message with public coins: a finite mixture of such protocols, here of Alice's *)
Definition one_message := ((X -> nat) * (nat -> Y -> A))%type.
Definition received (p : one_message) (x : X) (y : Y) : A := snd p (fst p x) y.

Definition right_weight_of_messages (same : A -> A -> bool) (m : list (N * one_message)) (x : X) (y : Y) (a : A) : N :=
  total (map (fun part => if same (received (snd part) x y) a then fst part else 0%N) m).

Definition messages_succeed (same : A -> A -> bool) (count : nat) (probability : Q) : Prop :=
  exists m : list (N * one_message), (0 < total (map fst m))%N /\
    Forall (fun part => forall x, fst (snd part) x < count) m /\
    forall x y a, f x y = Some a ->
      (probability * fraction (total (map fst m)) <= fraction (right_weight_of_messages same m x y a))%Q.
End Measures.

(** The same function for a sender who is called Alice. *)
Definition sent_by {X A : Type} (sender : party) (f : function X X A) : function X X A :=
  match sender with alice => f | bob => fun y x => f x y end.

(** ** Tables: a matrix of codes, [None] where the answer is free. Rows are Alice's inputs, columns Bob's *)
Definition table := list (list (option N)).

Definition cell (t : table) : function N N N := fun x y =>
  match nth_error t (N.to_nat x) with
  | Some row => match nth_error row (N.to_nat y) with Some c => c | None => None end
  | None => None
  end.

(** ** Functions that certificates name, of n bits each *)
Inductive name := Equality | Disjointness | Intersection | GreaterThan | InnerProduct | Index.

Fixpoint parity (bits : positive) : bool :=
  match bits with xH => true | xO rest => parity rest | xI rest => negb (parity rest) end.

Definition truth (b : bool) : N := if b then 1%N else 0%N.

(** The value; for [Index] place 0 is the most significant of the n bits. *)
Definition value_of (f : name) (n : N) (x y : N) : N :=
  match f with
  | Equality => truth (x =? y)%N
  | Disjointness => truth (N.land x y =? 0)%N
  | Intersection => truth (negb (N.land x y =? 0)%N)
  | GreaterThan => truth (y <? x)%N
  | InnerProduct => truth (match N.land x y with N0 => false | Npos bits => parity bits end)
  | Index => truth (N.testbit x (n - 1 - y))
  end.

Definition columns_of_name (f : name) (n : N) : N := match f with Index => n | _ => (2 ^ n)%N end.

Definition named (f : name) (n : N) : function N N N := fun x y =>
  if (x <? 2 ^ n)%N && (y <? columns_of_name f n)%N then Some (value_of f n x y) else None.

(** ** Discrepancy: a rectangle's weight of 1s less that of 0s, without its sign, over all weight

    The weights are a table of the size of the matrix; [indices n] are the numbers below [n]. *)
Definition indices (n : nat) : list N := map N.of_nat (seq 0 n).

Definition weight_at (weights : list (list N)) (x y : N) : N := nth (N.to_nat y) (nth (N.to_nat x) weights []) 0%N.

Definition all_weight (weights : list (list N)) : N := total (map total weights).

Definition signed_weight (f : function N N N) (weights : list (list N)) (x y : N) : Z :=
  match f x y with
  | Some 1%N => Z.of_N (weight_at weights x y)
  | _ => - Z.of_N (weight_at weights x y)
  end.

Definition sum (values : list Z) : Z := fold_right Z.add 0%Z values.

Definition bias (f : function N N N) (weights : list (list N)) (rows columns : nat) (r : rectangle N N) : Z :=
  Z.abs (sum (map (fun x => sum (map (fun y => if inside r x y then signed_weight f weights x y else 0%Z)
                                     (indices columns))) (indices rows))).

(** Numbers that the discrepancy under some distribution does not exceed; all its weight is on answers 0 and 1. *)
Definition some_discrepancy_at_most (f : function N N N) (q : Q) : Prop :=
  exists weights, (0 < all_weight weights)%N /\ Forall (fun line => length line = length (hd [] weights)) weights /\
    (forall x y, weight_at weights x y <> 0%N -> f x y = Some 0%N \/ f x y = Some 1%N) /\
    forall r, (inject_Z (bias f weights (length weights) (length (hd [] weights)) r) <= q * fraction (all_weight weights))%Q.

(** ** Rectangles with weights and answers: the rectangle bound, and the partition bound, of public coins

    The weight of the rectangles over a cell, of those of them that have an answer, and of all. *)
Definition weighing := list (N * N * rectangle N N). (* weight, answer, rectangle *)

Definition weight_over (w : weighing) (x y : N) : N := total (map (fun e => if inside (snd e) x y then fst (fst e) else 0%N) w).

Definition weight_with (w : weighing) (a x y : N) : N :=
  total (map (fun e => if (snd (fst e) =? a)%N && inside (snd e) x y then fst (fst e) else 0%N) w).

Definition whole_weight (w : weighing) : N := total (map (fun e => fst (fst e)) w).

(** Of one answer: its cells are in weight [1 - error] or more (and, for the smooth bound, in weight 1 at most), others that
    are promised in [error] or less. The weight 1 is so many units. *)
Definition rectangle_bound_reached (f : function N N N) (code : N) (error : Q) (smooth : bool) (q : Q) : Prop :=
  exists (unit : N) (w : weighing), (0 < unit)%N /\ (q * fraction unit == fraction (whole_weight w))%Q /\
    Forall (fun e => snd (fst e) = code) w /\
    forall x y a, f x y = Some a ->
      (a = code -> ((1 - error) * fraction unit <= fraction (weight_over w x y))%Q /\ (smooth = true -> (weight_over w x y <= unit)%N)) /\
      (a <> code -> (fraction (weight_over w x y) <= error * fraction unit)%Q).

(** Of all answers: any two inputs are in weight 1, and if promised with their answer in [1 - error] or more. *)
Definition partition_bound_reached (f : function N N N) (error : Q) (q : Q) : Prop :=
  exists (unit : N) (w : weighing), (0 < unit)%N /\ (q * fraction unit == fraction (whole_weight w))%Q /\
    (forall x y, weight_over w x y = unit) /\
    forall x y a, f x y = Some a -> ((1 - error) * fraction unit <= fraction (weight_with w a x y))%Q.

(** ** Claims: what a certificate says of a function *)
Inductive measure :=
| Deterministic (who : knowing) (limit : option (nat * option party))
| Leaves (who : knowing)
| FoolingSet (who : knowing) (code : option N)
| Cover (code : option N)
| Partition (code : option N)
| Nondeterministic (code : option N)
| RankModulo (prime : Z) (code : N)
| RankRational (code : N)
| OneWayMessages (sender : party)
| OneWay (sender : party)
| VcDimension (sender : party)
| Discrepancy (weights : list (list N))
| LeastDiscrepancy
| Success (bits : nat)
| Randomised (error : Q)
| OneWaySuccess (sender : party) (bits : nat)
| OneWayRandomised (sender : party) (error : Q)
| RectangleBound (code : N) (error : Q) (smooth : bool)
| PartitionBound (error : Q).

Definition natural (q : Q) (n : nat) : Prop := q = inject_Z (Z.of_nat n).

(** The numbers that are reached: by a protocol, a cover, a set of cells ... *)
Definition reached (f : function N N N) (m : measure) (q : Q) : Prop :=
  match m with
  | Deterministic who limit => exists bits, natural q bits /\ bits_suffice f who limit bits
  | Leaves who => exists count, natural q count /\ leaves_suffice f who count
  | FoolingSet who code => exists cells, natural q (length cells) /\ fooling_set f who code cells
  | Cover code => exists count, natural q count /\ rectangles_cover f code count
  | Partition code => exists count, natural q count /\ rectangles_partition f code count
  | Nondeterministic code => exists bits, natural q bits /\ rectangles_cover f code (2 ^ bits)
  | RankModulo prime code => exists count, natural q count /\ rank_at_most f prime code count
  | RankRational code => exists count, natural q count /\ rational_rank_at_most f code count
  | OneWayMessages sender => exists count, natural q count /\ messages_suffice f sender count
  | OneWay sender => exists bits, natural q bits /\ messages_suffice f sender (2 ^ bits)
  | VcDimension sender => exists places, natural q (length places) /\ shattered (sent_by sender f) 0%N 1%N places
  | Discrepancy weights => (0 < all_weight weights)%N /\ exists r, (q * fraction (all_weight weights) ==
      inject_Z (bias f weights (length weights) (length (hd [] weights)) r))%Q
  | LeastDiscrepancy => some_discrepancy_at_most f q
  | Success bits => succeeds f N.eqb bits q
  | Randomised error => exists bits, natural q bits /\ succeeds f N.eqb bits (1 - error)
  | OneWaySuccess sender bits => messages_succeed (sent_by sender f) N.eqb (2 ^ bits) q
  | OneWayRandomised sender error => exists bits, natural q bits /\ messages_succeed (sent_by sender f) N.eqb (2 ^ bits) (1 - error)
  | RectangleBound code error smooth => rectangle_bound_reached f code error smooth q
  | PartitionBound error => partition_bound_reached f error q
  end.

(** Whether the measure is the least or the largest of the numbers that are reached. *)
Inductive sort := Least | Largest.

Definition sort_of (m : measure) : sort :=
  match m with FoolingSet _ _ | VcDimension _ | Discrepancy _ | Success _ | OneWaySuccess _ _ => Largest | _ => Least end.

Inductive side := Lower | Upper.

(** The claim that a measure is at least ([Lower]) or at most ([Upper]) a value. *)
Definition holds (f : function N N N) (m : measure) (s : side) (value : Q) : Prop :=
  match sort_of m, s with
  | Least, Lower => forall q, reached f m q -> (value <= q)%Q
  | Least, Upper => exists q, reached f m q /\ (q <= value)%Q
  | Largest, Lower => exists q, reached f m q /\ (value <= q)%Q
  | Largest, Upper => forall q, reached f m q -> (q <= value)%Q
  end.
