(** * The words of a finite automaton: how many there are of each length

    From each state an automaton has moves: a letter, and the next state. Its words are its paths. *)
From Coq Require Import List Arith Lia Bool NArith ZArith.
From Ccsim Require Import Specification Families Recurrences.
Import ListNotations.
Open Scope nat_scope.

Record automaton (L : Type) := Automaton { moves : list (list (L * nat)); accepting : list bool; beginning : nat }.
Arguments Automaton {L}.
Arguments moves {L}.
Arguments accepting {L}.
Arguments beginning {L}.

Section Words.
Variable L : Type.
Variable M : automaton L.

Definition from (s : nat) : list (L * nat) := nth s (moves M) [].
Definition accepts_at (s : nat) : bool := nth s (accepting M) false.

Fixpoint words (n s : nat) : list (list L) :=
  match n with
  | O => if accepts_at s then [[]] else []
  | S m => flat_map (fun move => map (cons (fst move)) (words m (snd move))) (from s)
  end.

Definition accepted (n : nat) : list (list L) := words n (beginning M).

(** The system in which each move counts once. *)
Definition paths : system :=
  {| rows := map (map (fun move => (1%Z, snd move))) (moves M);
     finals := map (fun accepted : bool => if accepted then 1%Z else 0%Z) (accepting M); origin := beginning M |}.

Lemma number_of_words n : forall s, Z.of_nat (length (words n s)) = value paths n s.
Proof.
  induction n as [|n IH]; intros s; cbn [words value].
  - unfold accepts_at, paths. cbn [finals]. rewrite (map_nth (fun accepted : bool => if accepted then 1%Z else 0%Z) (accepting M) false).
    now destruct (nth s (accepting M) false).
  - assert (R : row paths s = map (fun move => (1%Z, snd move)) (from s)).
    { unfold row, paths, from. cbn [rows]. change (@nil (Z * nat)) with (map (fun move : L * nat => (1%Z, snd move)) []).
      now rewrite map_nth. }
    rewrite R. generalize (from s) as l. induction l as [|m l IHl]; [reflexivity|]. cbn [flat_map map weighted_sum fold_right fst snd].
    unfold weighted_sum in IHl. rewrite app_length, map_length, Nat2Z.inj_add, IHl, IH. ring.
Qed.

Definition counts (count : list Z * list Z) : bool := if inside paths then recurs paths count else false.

Theorem counts_for_ever count n : counts count = true -> 1 <= n -> count_at count n = Z.of_nat (length (accepted n)).
Proof.
  unfold counts. destruct (inside paths) eqn:I; [|discriminate]. intros R Hn. unfold accepted. rewrite number_of_words.
  exact (recurs_for_ever I R n Hn).
Qed.
End Words.
Arguments from {L}.
Arguments accepts_at {L}.
Arguments words {L}.
Arguments accepted {L}.
Arguments paths {L}.
Arguments counts {L}.
Arguments counts_for_ever {L M count n}.
