(** * The tables of the functions that certificates name *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification VcDimension RefutationSound.
Import ListNotations.
Open Scope N_scope.

Definition table_of_name (f : name) (n : N) : table :=
  let columns := indices (N.to_nat (columns_of_name f n)) in
  map (fun x => map (fun y => Some (value_of f n x y)) columns) (indices (N.to_nat (2 ^ n))).

Theorem table_of_name_cell f n x y : cell (table_of_name f n) x y = named f n x y.
Proof.
  unfold cell, table_of_name, named. rewrite nth_error_map, indices_nth.
  destruct (N.ltb_spec x (2 ^ n)) as [Lx|Lx].
  - replace (N.to_nat x <? N.to_nat (2 ^ n))%nat with true by (symmetry; apply Nat.ltb_lt; lia). simpl.
    rewrite nth_error_map, indices_nth. destruct (N.ltb_spec y (columns_of_name f n)) as [Ly|Ly].
    + replace (N.to_nat y <? N.to_nat (columns_of_name f n))%nat with true by (symmetry; apply Nat.ltb_lt; lia).
      simpl. now rewrite !N2Nat.id.
    + replace (N.to_nat y <? N.to_nat (columns_of_name f n))%nat with false by (symmetry; apply Nat.ltb_ge; lia). reflexivity.
  - replace (N.to_nat x <? N.to_nat (2 ^ n))%nat with false by (symmetry; apply Nat.ltb_ge; lia). reflexivity.
Qed.
