(** * Triangular sets as witnesses: deterministic complexity with silent lines *)
From Coq Require Import List Arith Lia Bool NArith ZArith Znumtheory.
From Ccsim Require Import Specification Trees Elimination Families Reaching Recurrences Words PairWords RegularFooling Triangular.
Import ListNotations.
Open Scope nat_scope.

(** ** Silent lines: letters, the last of which is repeated for ever *)
Definition next_place (line : list nat) (i : nat) : nat := if S i <? length line then S i else i.

Fixpoint line_from (line : list nat) (i n : nat) : list nat :=
  match n with O => [] | S m => nth i line 0 :: line_from line (next_place line i) m end.

Definition line_letters (letters : nat) (line : list nat) : bool := (0 <? length line) && forallb (fun letter => letter <? letters) line.

Lemma next_inside line i : i < length line -> next_place line i < length line.
Proof. unfold next_place. destruct (Nat.ltb_spec (S i) (length line)); lia. Qed.

Lemma line_word letters line n : line_letters letters line = true -> forall i, i < length line -> is_word letters n (line_from line i n) = true.
Proof.
  unfold line_letters, is_word. intros H. apply andb_true_iff in H. destruct H as [_ H]. rewrite forallb_forall in H.
  induction n as [|n IH]; intros i Hi; simpl; [reflexivity|]. specialize (IH (next_place line i) (next_inside line i Hi)).
  apply andb_true_iff in IH. destruct IH as [L A]. rewrite L, A, H by now apply nth_In. reflexivity.
Qed.

Section Silent.
Variable F : family.
Variable code : N.
Variable M : automaton (nat * nat).
Variable base : N.

(** The owner's letter in a pair becomes that of the line. *)
Definition put (owner : party) (letter : nat) (pair : nat * nat) : nat * nat :=
  match owner with alice => (letter, snd pair) | bob => (fst pair, letter) end.

Definition step_of (q : nat) (pair : nat * nat) : nat := step F q (fst pair) (snd pair).

Definition beside : Type := nat * (nat * nat).
Definition same_beside : beside -> beside -> bool := same_pair Nat.eqb same_numbers.

Lemma same_beside_true a b : same_beside a b = true -> a = b.
Proof. apply same_pair_true; [intros; now apply Nat.eqb_eq|apply same_numbers_true]. Qed.

Definition follow_line (owner : party) (line : list nat) (now : beside) : list beside :=
  let '(s, (q, i)) := now in
  map (fun move => (snd move, (step_of q (put owner (nth i line 0) (fst move)), next_place line i))) (from M s).

Definition silent_on (owner : party) (line : list nat) : bool :=
  match reached_from same_beside (fun now => digits base [fst now; fst (snd now); snd (snd now)]) (follow_line owner line)
          (follow_line owner line (beginning M, (start F, 0))) with
  | None => false
  | Some found => forallb (fun now => if accepts_at M (fst now) then other_answer code (output F (fst (snd now))) else true) found
  end.

Definition mixed (owner : party) (line w : list nat) : list nat * list nat :=
  match owner with alice => (line, w) | bob => (w, line) end.

Definition part_of_word (owner : party) (w : list (nat * nat)) : list nat := match owner with alice => ys w | bob => xs w end.

Definition read_mixed (owner : party) (q : nat) (line : list nat) (w : list (nat * nat)) : nat :=
  let '(a, b) := mixed owner line (part_of_word owner w) in read F q a b.

Theorem silent_words owner line n : silent_on owner line = true -> 1 <= n -> forall w, In w (accepted M n) ->
  other_answer code (output F (read_mixed owner (start F) (line_from line 0 n) w)) = true.
Proof.
  unfold silent_on. destruct (reached_from _ _ _ _) as [found|] eqn:R; [|discriminate]. intros A. rewrite forallb_forall in A.
  apply (reached_closed same_beside_true) in R. destruct R as [R1 R2].
  assert (Next : forall s q i m, In m (from M s) -> In (snd m, (step_of q (put owner (nth i line 0) (fst m)), next_place line i)) (follow_line owner line (s, (q, i)))).
  { intros s q i m Hm. unfold follow_line. apply in_map_iff. now exists m. }
  assert (Step : forall q l rest m w', read_mixed owner q (l :: rest) (m :: w') = read_mixed owner (step_of q (put owner l m)) rest w').
  { intros. destruct owner; reflexivity. }
  assert (K : forall n s q i, In (s, (q, i)) found -> forall w, In w (words M n s) -> other_answer code (output F (read_mixed owner q (line_from line i n) w)) = true).
  { clear n. induction n as [|n IH]; intros s q i H w Hw; simpl in Hw.
    - destruct (accepts_at M s) eqn:E; [|elim Hw]. destruct Hw as [<-|[]]. specialize (A _ H). cbn [fst snd] in A. rewrite E in A.
      destruct owner; exact A.
    - apply in_flat_map in Hw. destruct Hw as (m & Hm & Hw). apply in_map_iff in Hw. destruct Hw as (w' & <- & Hw).
      cbn [line_from]. rewrite Step. apply (IH (snd m)); [|exact Hw]. apply (R2 _ _ H). now apply Next. }
  intros Hn w Hw. destruct n as [|n]; [lia|]. unfold accepted in Hw. simpl in Hw. apply in_flat_map in Hw. destruct Hw as (m & Hm & Hw).
  apply in_map_iff in Hw. destruct Hw as (w' & <- & Hw). cbn [line_from]. rewrite Step. apply (K n (snd m)); [|exact Hw]. apply R1. now apply Next.
Qed.

(** Two lines. *)
Definition follow_lines (one two : list nat) (now : beside) : list beside :=
  let '(q, (i, j)) := now in [(step F q (nth i one 0) (nth j two 0), (next_place one i, next_place two j))].

Definition silent_together (one two : list nat) : bool :=
  match reached_from same_beside (fun now => digits base [fst now; fst (snd now); snd (snd now)]) (follow_lines one two)
          (follow_lines one two (start F, (0, 0))) with
  | None => false
  | Some found => forallb (fun now => other_answer code (output F (fst now))) found
  end.

Theorem silent_lines one two n : silent_together one two = true -> 1 <= n ->
  other_answer code (output F (read F (start F) (line_from one 0 n) (line_from two 0 n))) = true.
Proof.
  unfold silent_together. destruct (reached_from _ _ _ _) as [found|] eqn:R; [|discriminate]. intros A. rewrite forallb_forall in A.
  apply (reached_closed same_beside_true) in R. destruct R as [R1 R2].
  assert (K : forall n q i j, In (q, (i, j)) found -> other_answer code (output F (read F q (line_from one i n) (line_from two j n))) = true).
  { clear n. induction n as [|n IH]; intros q i j H; [exact (A _ H)|]. simpl. apply IH. apply (R2 _ _ H). now left. }
  intros Hn. destruct n as [|n]; [lia|]. simpl. apply K. apply R1. now left.
Qed.
End Silent.

(** ** Leaves of the answer and of all others *)
Definition some_silent {T} (line : option T) : nat := match line with Some _ => 1 | None => 0 end.

Definition complement_fits (F : family) (code : N) (M : automaton (nat * nat)) (row column : option (list nat)) (base : N) : bool :=
  let fits := fun owner letters line =>
    match line with Some l => line_letters letters l && silent_on F code M base owner l | None => true end in
  if triangular F code M base then
    if fits alice (alice_letters F) row && fits bob (bob_letters F) column then
      match row, column with Some one, Some two => silent_together F code base one two | _, _ => true end
    else false
  else false.

Definition complement_system (M : automaton (nat * nat)) (row column : option (list nat)) : system :=
  affine 2 (Z.of_nat (some_silent row + some_silent column) - 1) (paths M).

Definition triangular_complement (F : family) (code : N) (M : automaton (nat * nat)) (row column : option (list nat)) (base : N)
  (count : list Z * list Z) : bool :=
  let W := complement_system M row column in
  if complement_fits F code M row column base then
    if inside (paths M) && inside W then recurs W count else false
  else false.

Theorem complement_value F code M row column base n bits : complement_fits F code M row column base = true -> inside (paths M) = true ->
  1 <= n -> bits_suffice (at_length F n) Both None bits ->
  (value (complement_system M row column) n (origin (complement_system M row column)) <= Z.of_nat (2 ^ bits))%Z.
Proof.
  unfold complement_fits. intros H I Hn R. destruct (triangular F code M base) eqn:T; [|discriminate].
  destruct (_ && _) eqn:S in H; [|discriminate]. rename H into B.
  apply andb_true_iff in S. destruct S as [S1 S2].
  set (words_of := corner_cells M n).
  assert (Cells : forall w, In w (accepted M n) -> is_word (alice_letters F) n (xs w) = true /\ is_word (bob_letters F) n (ys w) = true)
    by (intros w Hw; exact (words_letters F M base _ _ T n _ w Hw)).
  set (x0 := option_map (fun line => line_from line 0 n) row). set (y0 := option_map (fun line => line_from line 0 n) column).
  destruct R as (p & Hp & _ & D).
  assert (L : 2 * length words_of + some_line x0 + some_line y0 <= Datatypes.S (leaves p)).
  { apply (leaves_of_all F code M base T n Hn x0 y0).
    - intros x y E Hy. unfold x0 in E. destruct row as [line|]; [|discriminate]. injection E as <-. apply andb_true_iff in S1. destruct S1 as [Lt So].
      unfold corner_cells in Hy. rewrite map_map in Hy. apply in_map_iff in Hy. destruct Hy as (w & <- & Hw). destruct (Cells w Hw) as [_ Wy].
      apply andb_true_iff in Lt as Lt'. destruct Lt' as [Pos _]. apply Nat.ltb_lt in Pos. unfold at_length. simpl.
      rewrite Wy, (line_word _ _ n Lt 0 Pos). exact (silent_words F code M base alice line n So Hn w Hw).
    - intros x y E Hx. unfold y0 in E. destruct column as [line|]; [|discriminate]. injection E as <-. apply andb_true_iff in S2. destruct S2 as [Lt So].
      unfold corner_cells in Hx. rewrite map_map in Hx. apply in_map_iff in Hx. destruct Hx as (w & <- & Hw). destruct (Cells w Hw) as [Wx _].
      apply andb_true_iff in Lt as Lt'. destruct Lt' as [Pos _]. apply Nat.ltb_lt in Pos. unfold at_length. simpl.
      rewrite Wx, (line_word _ _ n Lt 0 Pos). exact (silent_words F code M base bob line n So Hn w Hw).
    - intros x y Ex Ey. unfold x0, y0 in *. destruct row as [one|]; [|discriminate]. destruct column as [two|]; [|discriminate].
      injection Ex as <-. injection Ey as <-. apply andb_true_iff in S1, S2. destruct S1 as [L1 _], S2 as [L2 _].
      apply andb_true_iff in L1 as P1. apply andb_true_iff in L2 as P2. destruct P1 as [P1 _], P2 as [P2 _]. apply Nat.ltb_lt in P1, P2.
      unfold at_length. rewrite (line_word _ _ n L1 0 P1), (line_word _ _ n L2 0 P2). exact (silent_lines F code base one two n B Hn).
    - intros x y a E. exact (Hp x y a E). }
  unfold complement_system. rewrite affine_value by assumption. change (origin (paths M)) with (beginning M).
  rewrite <- number_of_words. fold (accepted M n).
  assert (E0 : length words_of = length (accepted M n)) by apply map_length.
  assert (E1 : some_line x0 = some_silent row) by (unfold x0; now destruct row).
  assert (E2 : some_line y0 = some_silent column) by (unfold y0; now destruct column).
  pose proof (leaves_depth p). pose proof (Nat.pow_le_mono_r 2 (depth p) bits ltac:(lia) D). lia.
Qed.

Theorem triangular_complement_bits F code M row column base count : triangular_complement F code M row column base count = true ->
  always_holds F (LastingDeterministic Both) Lower (Counted count).
Proof.
  unfold triangular_complement. intros H n Hn bits R. destruct (complement_fits _ _ _ _ _ _) eqn:C; [|discriminate].
  destruct (inside (paths M)) eqn:I; [|discriminate]. destruct (inside (complement_system _ _ _)) eqn:I2 in H; [|discriminate]. simpl in H.
  apply bits_of_count. rewrite (recurs_for_ever I2 H n Hn). exact (complement_value _ _ _ _ _ _ n bits C I Hn R).
Qed.
