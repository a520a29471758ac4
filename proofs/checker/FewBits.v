(** * Small rectangles of answers 0 and 1 that both are to know: whether three or four bits are enough *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Lines Tries.
From Ccsim Require Export Splits.
Import ListNotations.
Open Scope N_scope.

Definition pick (R : N) (L : list line) : list line := filter (fun l => N.testbit R (fst l)) L.

(** The closed form for three bits. *)
Definition too_many_lines (L : list line) (C : N) : bool :=
  let shown := nodup N.eq_dec (map (fun l => N.land (plane 1 l) C) L) in
  let mixed := filter (fun m => if m =? 0 then false else negb (m =? C)) shown in
  match mixed with
  | _ :: _ :: _ :: _ :: _ :: _ => true
  | [_; _; _; _] =>
      if existsb (fun m => if m =? 0 then true else m =? C) shown
      then forallb (fun m => forallb (fun m' => negb (N.lxor m m' =? C)) mixed) mixed else false
  | _ => false
  end.

Definition binary_lines (L : list line) (C : N) : bool :=
  forallb (fun l => N.ldiff C (N.lor (plane 0 l) (plane 1 l)) =? 0) L.

Definition three_ok (who : knowing) (rows cols : list line) (R C : N) : bool :=
  match who with
  | Both =>
      if binary_lines (pick R rows) C then
        if binary_lines (pick C cols) R then
          if too_many_lines (pick R rows) C then too_many_lines (pick C cols) R else false
        else false
      else false
  | _ => false
  end.

(** Four bits: a side of a split of the lines of one party is caught once three bits are not enough for it: neither if its own lines are told first, nor those across. *)
Record placed := Placed { lines_on : N; own_lines : option (list line); parts_across : option (list N) }.

(** The lines across fall into parts that are equal on a side: a line of each. *)
Fixpoint heads (across : trie line) (parts : list N) : list line :=
  match parts with
  | [] => []
  | part :: rest => match lookup 24 (N.log2 part) across with Some l => l :: heads across rest | None => heads across rest end
  end.

Definition cut (m : N) (parts : list N) : list N :=
  filter (fun part => negb (part =? 0)) (flat_map (fun part => [N.land part m; N.ldiff part m]) parts).

Section Sides.
Variable across : trie line.
Variable C : N.

Definition with_line (s : placed) (l : line) : option placed :=
  let inside := N.setbit (lines_on s) (fst l) in
  let lines := match own_lines s with Some lines => if too_many_lines (l :: lines) C then None else Some (l :: lines) | None => None end in
  let pieces := match parts_across s with
                | Some old => let new := cut (plane 1 l) old in if too_many_lines (heads across new) inside then None else Some new
                | None => None
                end in
  match lines, pieces with None, None => None | _, _ => Some (Placed inside lines pieces) end.
End Sides.

(** Different lines, each of which tells apart as many of the parts as it can. This only makes it fast. *)
Definition told_apart (parts : list N) (m : N) : nat :=
  length (filter (fun part => let both := N.land part m in if both =? 0 then false else negb (both =? part)) parts).

Fixpoint telling_first (fuel : nat) (parts left : list N) : list N :=
  match fuel, left with
  | S fuel, first :: _ =>
      let better best m := let told := told_apart parts m in if Nat.ltb (fst best) told then (told, m) else best in
      let best := snd (fold_left better left (0%nat, first)) in
      best :: telling_first fuel (filter (fun part => negb (N.land part (N.pred part) =? 0)) (cut best parts))
                            (filter (fun m => negb (m =? best)) left)
  | _, _ => left
  end.

Definition different (L : list line) (C : N) : list line :=
  let shown := nodup N.eq_dec (map (fun l => N.land (plane 1 l) C) L) in
  flat_map (fun m => match find (fun l => N.land (plane 1 l) C =? m) L with Some l => [l] | None => [] end)
           (telling_first (length shown) [C] shown).

(** No split of these lines leaves two halves for which three bits are enough. *)
Definition no_halves (own across : list line) (C : N) : bool :=
  every_split (with_line (entered 24 (map (fun l => (fst l, l)) across)) C) (Placed 0 (Some []) (Some [C])) false (different own C).

Definition four_ok (who : knowing) (rows cols : list line) (R C : N) : bool :=
  if three_ok who rows cols R C then
    if no_halves (pick R rows) (pick C cols) C then no_halves (pick C cols) (pick R rows) R else false
  else false.
