(** * Lists and tables whose places are asked for again and again: what is not found in a tree is looked for in the list *)
From Coq Require Import List NArith.
From Ccsim Require Import Specification Tries.
Import ListNotations.
Open Scope N_scope.

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
