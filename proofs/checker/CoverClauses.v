(** * Covers and partitions as clauses

    Variables say that a rectangle has a line, and that it contains a cell with the answer. Clauses are written here from
    the table; a proof only tells the steps. *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Lines Refutation FoolingSets Tries Lrat.
Import ListNotations.
Open Scope N_scope.

Definition cells_of (t : table) (code : N) : list (N * N) :=
  flat_map (fun l : line => map (pair (fst l)) (filter (N.testbit (plane code l)) (indices (width t)))) (row_lines t).

Section Clauses.
Variable t : table.
Variable code : N.
Variable size : N. (* how many rectangles there are *)
Variable once : bool. (* no cell of the answer is in two of them *)
Variable named : N. (* how many, the first ones, are told apart; the others are in the order of their first rows *)
Variable cells : list (N * N). (* those with the answer *)

(** A place is a row, or the height and a column, or all lines and the number of a cell with the answer. *)
Variables height lines count : N.
Definition places : N := lines + count.
Definition variables : N := size * places.

(** The cells in some lines, as a mask of places. *)
Definition cells_in (some : N) : N :=
  N.shiftl (mask_of 0 (map (fun c => if N.testbit some (fst c) || N.testbit some (height + snd c) then Some 0 else None) cells)) lines.

Definition with_cells (some : N) : N := N.land (N.lor some (cells_in some)) (N.ones places).

(** For a line: what a rectangle with it has not, namely the lines that cross it at another answer, and their cells; and
    what one without it has not. *)
Definition of_line (place across : N) : N * (N * N) := (place, (with_cells across, with_cells (N.setbit 0 place))).

Definition line_masks : trie (N * N) :=
  entered long (map (fun l => of_line (fst l) (N.shiftl (others (codes_of t) code l) height)) (row_lines t)
                ++ map (fun l => of_line (height + fst l) (others (codes_of t) code l)) (column_lines t)).

Definition cell_table : trie (N * N) := numbered long 0 cells.

(** Some place in every rectangle. *)
Definition everywhere : N := fold_right (fun number mask => N.setbit mask (number * places)) 0 (indices (N.to_nat size)).

Section Literals.
Variable masks : trie (N * N).
Variable table : trie (N * N).
Variable every : N.

Definition falsified_by_having (place first : N) : N :=
  let without place mask := N.setbit mask (first + place + variables) in
  if place <? lines then
    match lookup long place masks with
    | Some (has_not, _) => without place (N.shiftl has_not first)
    | None => 0
    end
  else
    match lookup long (place - lines) table with
    | Some (x, y) =>
        match lookup long x masks, lookup long (height + y) masks with
        | Some (one, _), Some (other, _) =>
            N.lor (without place (without x (without (height + y) (N.shiftl (N.lor one other) first))))
                  (if once then N.ldiff (N.shiftl every place) (N.setbit 0 (first + place)) else 0)
        | _, _ => 0
        end
    | None => 0
    end.

Definition falsified_by_not_having (place first : N) : N :=
  if place <? lines then
    match lookup long place masks with Some (_, has_not) => N.shiftl has_not first | None => 0 end
  else N.setbit 0 (first + place).

Definition falsified (literal : N) : N :=
  if literal <? variables then falsified_by_having (literal mod places) (literal / places * places)
  else
    let variable := literal - variables in
    if variable <? variables then falsified_by_not_having (variable mod places) (variable / places * places) else 0.

(** If a rectangle has a row, then the one before it, which is not told apart either, has that row or one before it. *)
Definition in_order (number : N) : option (list N) :=
  let after := named + number / height in
  let row := number mod height in
  if (N.succ after <? size) && (row <? height)
  then Some (N.succ after * places + row + variables :: map (fun r => after * places + r) (indices (N.to_nat (N.succ row))))
  else None.

(** How many clauses there are before these. *)
Definition unordered : N := if once then count * N.succ size else count.

(** A cell is in some rectangle; in a partition one with both of its lines contains it. *)
Definition given (number : N) : option (list N) :=
  if unordered <=? number then in_order (number - unordered)
  else if number <? count then Some (map (fun r => r * places + (lines + number)) (indices (N.to_nat size)))
  else if once then
    let first := (number - count) mod size * places in
    match lookup long ((number - count) / size) table with
    | Some (x, y) =>
        if (number - count) mod size <? size
        then Some [first + x + variables; first + (height + y) + variables; first + (lines + (number - count) / size)]
        else None
    | None => None
    end
  else None.
End Literals.
End Clauses.

(** Cells of which no rectangle has two: the first is in the first rectangle, and so on. *)
Fixpoint lines_of_cells (height places number : N) (apart : list (N * N)) : list N :=
  match apart with
  | [] => []
  | (x, y) :: rest => number * places + x :: number * places + (height + y) :: lines_of_cells height places (N.succ number) rest
  end.

Definition no_cover_of (t : table) (code : N) (once : bool) (size : N) (apart : list (N * N)) (steps : list derivation) : option N :=
  match fooling_cells t Both (Some code) apart with
  | Some fixed =>
      let cells := cells_of t code in
      let height := N.of_nat (length t) in
      let lines := height + N.of_nat (width t) in
      let count := N.of_nat (length cells) in
      let places := lines + count in
      let false_ones := falsified size once height lines count (line_masks t code cells height lines count)
                                  (cell_table cells) (everywhere size lines count) in
      let start := fold_right (fun literal mask => N.lor (false_ones literal) mask) 0 (lines_of_cells height places 0 apart) in
      if (fixed <=? size) && (1 <=? places) then
        if follows (size * places) false_ones (given size once fixed height lines count (cell_table cells)) start Empty 0 steps
        then Some (size + 1) else None
      else None
  | None => None
  end.
