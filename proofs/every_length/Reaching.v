(** * What can be reached: a search that nothing rests on, and a check that what it found is closed *)
From Coq Require Import List Arith Lia Bool NArith FMapAVL OrderedTypeEx.
Import ListNotations.

Module Keyed := FMapAVL.Make N_as_OT.

Section Reaching.
Variable T : Type.
Variable same : T -> T -> bool.
Hypothesis same_true : forall a b, same a b = true -> a = b.
Variable key : T -> N.
Variable follow : T -> list T.

Definition enter (found : Keyed.t T * list T) (t : T) : Keyed.t T * list T :=
  let k := key t in
  if Keyed.mem k (fst found) then found else (Keyed.add k t (fst found), t :: snd found).

(** At most 2^levels places are looked at. *)
Fixpoint search (levels : nat) (found : Keyed.t T * list T) : Keyed.t T * list T :=
  match snd found with
  | [] => found
  | t :: rest =>
      match levels with
      | O => fold_left enter (follow t) (fst found, rest)
      | S fewer => search fewer (search fewer found)
      end
  end.

Definition has (seen : Keyed.t T) (t : T) : bool :=
  match Keyed.find (key t) seen with Some u => same u t | None => false end.

Definition most_levels : nat := 20.

Definition reached_from (starts : list T) : option (list T) :=
  let seen := fst (search most_levels (fold_left enter starts (Keyed.empty T, []))) in
  let places := map snd (Keyed.elements seen) in
  if forallb (has seen) starts then
    if forallb (fun t => forallb (has seen) (follow t)) places then Some places else None
  else None.

Lemma has_In seen t : has seen t = true -> In t (map snd (Keyed.elements seen)).
Proof.
  unfold has. destruct (Keyed.find (key t) seen) as [u|] eqn:E; [|discriminate]. intros S. apply same_true in S. subst u.
  apply Keyed.find_2, Keyed.elements_1, SetoidList.InA_alt in E. destruct E as ([k v] & [_ V] & H). simpl in V. subst v.
  apply in_map_iff. now exists (k, t).
Qed.

Theorem reached_closed starts places : reached_from starts = Some places ->
  (forall t, In t starts -> In t places) /\ (forall t u, In t places -> In u (follow t) -> In u places).
Proof.
  unfold reached_from. set (seen := fst (search _ _)).
  destruct (forallb (has seen) starts) eqn:A; [|discriminate].
  destruct (forallb _ (map snd (Keyed.elements seen))) eqn:B; [|discriminate]. intros [= <-].
  rewrite forallb_forall in A, B. split.
  - intros t Ht. now apply has_In, A.
  - intros t u Ht Hu. apply has_In. specialize (B t Ht). rewrite forallb_forall in B. now apply B.
Qed.
End Reaching.
(* A proof never runs the search. *)
Global Strategy opaque [reached_from].

Arguments reached_from {T} same key follow starts.
Arguments reached_closed {T same} same_true {key follow starts places}.

(** ** Places that are made of numbers *)
Definition same_pair {T U} (f : T -> T -> bool) (g : U -> U -> bool) (a b : T * U) : bool :=
  if f (fst a) (fst b) then g (snd a) (snd b) else false.

Lemma same_pair_true {T U} (f : T -> T -> bool) (g : U -> U -> bool) : (forall a b, f a b = true -> a = b) ->
  (forall a b, g a b = true -> a = b) -> forall a b, same_pair f g a b = true -> a = b.
Proof.
  intros Hf Hg [a1 a2] [b1 b2]. unfold same_pair. simpl. destruct (f a1 b1) eqn:E; [|discriminate]. intros G.
  now rewrite (Hf _ _ E), (Hg _ _ G).
Qed.

Definition same_numbers : nat * nat -> nat * nat -> bool := same_pair Nat.eqb Nat.eqb.

Lemma same_numbers_true a b : same_numbers a b = true -> a = b.
Proof. apply same_pair_true; intros; now apply Nat.eqb_eq. Qed.

(** Digits as one number. *)
Definition digits (base : N) (l : list nat) : N := fold_left (fun k a => (k * base + N.of_nat a + 1)%N) l 0%N.
