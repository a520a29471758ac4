(** * A table from numbers to values, by the bits of the number. Nothing is proved of where a value is found, only that
    what is found was put in under this number: entries bear their numbers. *)
From Coq Require Import List Bool NArith.
From Ccsim Require Import Specification.
Import ListNotations.
Open Scope N_scope.
Set Implicit Arguments.

Section Tries.
Variable T : Type.

Inductive trie := Empty | Entry (key : N) (value : T) | Fork (zero one : trie).

Fixpoint insert (depth : nat) (key : N) (value : T) (t : trie) : trie :=
  match depth with
  | O => Entry key value
  | S depth =>
      match t with
      | Fork zero one =>
          if N.testbit key (N.of_nat depth) then Fork zero (insert depth key value one) else Fork (insert depth key value zero) one
      | _ =>
          if N.testbit key (N.of_nat depth) then Fork Empty (insert depth key value Empty) else Fork (insert depth key value Empty) Empty
      end
  end.

Fixpoint lookup (depth : nat) (key : N) (t : trie) {struct t} : option T :=
  match t with
  | Empty => None
  | Entry own value => if own =? key then Some value else None
  | Fork zero one =>
      match depth with O => None | S depth => if N.testbit key (N.of_nat depth) then lookup depth key one else lookup depth key zero end
  end.

Variable P : N -> T -> Prop.

Fixpoint all (t : trie) : Prop :=
  match t with Empty => True | Entry key value => P key value | Fork zero one => all zero /\ all one end.

Lemma all_insert depth key value : P key value -> forall t, all t -> all (insert depth key value t).
Proof.
  intros H. induction depth as [|depth IH]; intros t A; [exact H|].
  destruct t as [| |zero one]; simpl in *; destruct (N.testbit _ _); simpl; intuition (apply IH; simpl; auto).
Qed.

Lemma all_lookup key value : forall depth t, all t -> lookup depth key t = Some value -> P key value.
Proof.
  intros depth t. revert depth. induction t as [|own v|zero IHz one IHo]; intros depth A H; simpl in *.
  - discriminate.
  - destruct (N.eqb_spec own key) as [<-|]; [now injection H as <-|discriminate].
  - destruct depth; [discriminate|]. destruct (N.testbit _ _); [eapply IHo|eapply IHz]; try exact H; apply A.
Qed.

(** A list by the numbers of its places. *)
Fixpoint numbered (depth : nat) (first : N) (l : list T) : trie :=
  match l with [] => Empty | a :: rest => insert depth first a (numbered depth (N.succ first) rest) end.

Lemma all_numbered depth l : forall first, (forall n a, nth_error l n = Some a -> P (first + N.of_nat n) a) -> all (numbered depth first l).
Proof.
  induction l as [|a l IH]; intros first H; simpl; [exact I|]. apply all_insert.
  - specialize (H 0%nat a eq_refl). now rewrite N.add_0_r in H.
  - apply IH. intros n b E. specialize (H (S n) b E). now rewrite Nat2N.inj_succ, N.add_succ_r, <- N.add_succ_l in H.
Qed.

(** Pairs of a number and what belongs to it. *)
Definition entered (depth : nat) (l : list (N * T)) : trie := fold_right (fun e t => insert depth (fst e) (snd e) t) Empty l.

Lemma all_entered depth l : Forall (fun e => P (fst e) (snd e)) l -> all (entered depth l).
Proof. induction 1 as [|e l H _ IH]; simpl; [exact I|]. now apply all_insert. Qed.
End Tries.
Arguments Empty {T}.

(** ** Lists and tables whose places are asked for again and again: what is not found in a tree is looked for in the list *)
Section Finders.
Variable T : Type.

Definition finder (l : list T) (default : T) : N -> T :=
  let depth := S (N.to_nat (N.log2 (N.of_nat (length l)))) in
  let t := numbered depth 0 l in
  fun n => match lookup depth n t with Some a => a | None => nth (N.to_nat n) l default end.

Lemma finder_is l default n : finder l default n = nth (N.to_nat n) l default.
Proof.
  unfold finder. set (depth := S _). destruct (lookup depth n (numbered depth 0 l)) as [a|] eqn:L; [|reflexivity].
  symmetry. apply nth_error_nth.
  apply (all_lookup (fun n a => nth_error l (N.to_nat n) = Some a) n depth (numbered depth 0 l)); [|exact L].
  apply all_numbered. intros i b E. now rewrite N.add_0_l, Nat2N.id.
Qed.
End Finders.
Arguments finder {T}.

Definition table_finder {T} (t : list (list T)) (default : T) : N -> N -> T :=
  finder (map (fun row => finder row default) t) (finder [] default).

Lemma table_finder_is {T} (t : list (list T)) default x y : table_finder t default x y = nth (N.to_nat y) (nth (N.to_nat x) t []) default.
Proof. unfold table_finder. rewrite finder_is. rewrite (map_nth (fun row : list T => finder row default) t []). apply finder_is. Qed.

Definition cell_finder (t : table) : function N N N := table_finder t None.

Lemma cell_finder_is t x y : cell_finder t x y = cell t x y.
Proof.
  unfold cell_finder. rewrite table_finder_is. unfold cell. destruct (nth_error t (N.to_nat x)) as [row|] eqn:R.
  - rewrite (nth_error_nth _ _ _ R). destruct (nth_error row (N.to_nat y)) as [c|] eqn:C; [now apply nth_error_nth|].
    apply nth_overflow. now apply nth_error_None.
  - rewrite (nth_overflow t) by (now apply nth_error_None). now destruct (N.to_nat y).
Qed.
