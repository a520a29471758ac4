(** * Whether two bits are enough with private coins, for total matrices of two answers *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith Lqa.
From Ccsim Require Import Specification Lines FewThrows LinesInOrder.
Import ListNotations.
Open Scope N_scope.

Definition most_denominator : Z := 2 ^ 64.

Definition told_all (t : table) : bool := forallb (forallb (fun e => match e with Some _ => true | None => false end)) t.

Definition two_bits (t : table) (e : Q) : option N :=
  if regular t && told_all t && Qle_bool 0 e && negb (Qle_bool 1 (2 * e)) then
    match codes_of t with
    | [] | [_] => Some 0
    | [c; _] =>
        let rows := different (map (mask_of c) t) in
        let columns := different (map (mask_of c) (transpose (width t) t)) in
        if Nat.leb (length rows) 1 || Nat.leb (length columns) 1 then
          if existsb (fun e => negb (fst e =? 0)) rows && existsb (fun e => negb (fst e =? full (width t))) rows then Some 1 else Some 0
        else if Z.leb (Zpos (Qden (Qred e))) most_denominator then
          if in_one_order e (full (length t)) rows columns then Some 2
          else if in_one_order e (full (width t)) columns rows then Some 2 else Some 3
        else None
    | _ => None
    end
  else None.

(** ** The table *)
Lemma lines_in t c l : In l (different (map (mask_of c) t)) ->
  bits (full (length t)) (snd l) /\ forall y, N.testbit (fst l) y = is_code (cell t (snd l) y) c.
Proof.
  intros H. apply different_spec in H. rewrite nth_error_map in H.
  destruct (nth_error t (N.to_nat (snd l))) as [row|] eqn:E; [|discriminate]. injection H as <-. split.
  - apply full_spec, nth_error_Some. congruence.
  - intros y. rewrite mask_of_spec. unfold cell. rewrite E. now destruct (nth_error row (N.to_nat y)).
Qed.

Lemma lines_every t c x : bits (full (length t)) x ->
  exists l, In l (different (map (mask_of c) t)) /\ forall y, N.testbit (fst l) y = is_code (cell t x y) c.
Proof.
  intros H. apply full_spec in H. destruct (nth_error t (N.to_nat x)) as [row|] eqn:E; [|apply nth_error_None in E; lia].
  pose proof (different_every (map (mask_of c) t) (mask_of c row) (in_map _ _ _ (nth_error_In _ _ E))) as A.
  apply in_map_iff in A. destruct A as (l & F & I). exists l. split; [exact I|]. intros y. rewrite F, mask_of_spec. unfold cell. rewrite E.
  now destruct (nth_error row (N.to_nat y)).
Qed.

Lemma lines_differ (own : list (N * N)) (b : N -> N -> bool) : NoDup (map fst own) -> (forall l, In l own -> forall y, N.testbit (fst l) y = b (snd l) y) ->
  (1 < length own)%nat -> exists l m y, In l own /\ In m own /\ b (snd l) y = true /\ b (snd m) y = false.
Proof.
  intros D B L. destruct own as [|l [|m own]]; cbn [length] in L; try lia. inversion D as [|? ? Ne _]; subst.
  assert (X : N.lxor (fst l) (fst m) <> 0) by (intros E; apply N.lxor_eq in E; apply Ne; rewrite E; now left).
  apply N.bit_log2 in X. set (y := N.log2 _) in X. clearbody y. rewrite N.lxor_spec, (B l), (B m) in X by (cbn; tauto).
  destruct (b (snd l) y) eqn:E, (b (snd m) y) eqn:F; try discriminate X; [exists l, m, y|exists m, l, y]; cbn [In]; auto.
Qed.

Section Table.
Variables (t : table) (e : Q) (c d : N).
Hypothesis t_regular : regular t = true.
Hypothesis total_table : told_all t = true.
Hypothesis small : (0 <= e)%Q.
Hypothesis half : (2 * e < 1)%Q.
Hypothesis codes : codes_of t = [c; d].

Let b (x y : N) : bool := is_code (cell t x y) c.
Let rows := different (map (mask_of c) t).
Let columns := different (map (mask_of c) (transpose (width t) t)).

Lemma b_promised x y : b x y = true -> bits (full (length t)) x /\ bits (full (width t)) y.
Proof. intros H. apply is_code_spec in H. split; [now apply promised_row with y c|now apply promised_column with x c]. Qed.

Lemma told_cell x y : bits (full (length t)) x -> bits (full (width t)) y -> cell t x y = Some c \/ cell t x y = Some d.
Proof.
  intros Hx Hy. assert (T : exists a, cell t x y = Some a).
  { apply full_spec in Hx, Hy. unfold cell. destruct (nth_error t (N.to_nat x)) as [row|] eqn:E; [|apply nth_error_None in E; lia].
    pose proof (regular_spec t t_regular) as W. rewrite Forall_forall in W. specialize (W row (nth_error_In _ _ E)).
    destruct (nth_error row (N.to_nat y)) as [a|] eqn:F; [|apply nth_error_None in F; lia].
    pose proof total_table as T. unfold told_all in T. rewrite forallb_forall in T. specialize (T row (nth_error_In _ _ E)).
    rewrite forallb_forall in T. specialize (T a (nth_error_In _ _ F)). destruct a as [a|]; [now exists a|discriminate]. }
  destruct T as (a & T). pose proof (codes_of_all t x y a T) as I. rewrite codes in I. destruct I as [<-|[<-|[]]]; auto.
Qed.

Lemma columns_in l : In l columns -> bits (full (width t)) (snd l) /\ forall x, N.testbit (fst l) x = b x (snd l).
Proof.
  intros H. apply lines_in in H. rewrite (transpose_length (width t) t) in H by now apply regular_spec. destruct H as [A B]. split; [exact A|].
  intros x. rewrite B. unfold b. now rewrite cell_turned.
Qed.

Lemma columns_every y : bits (full (width t)) y -> exists l, In l columns /\ forall x, N.testbit (fst l) x = b x y.
Proof.
  intros H. destruct (lines_every (transpose (width t) t) c y) as (l & I & B); [rewrite transpose_length; [exact H|now apply regular_spec]|].
  exists l. split; [exact I|]. intros x. rewrite B. unfold b. now rewrite cell_turned.
Qed.

Variable p : private_protocol N N N.
Hypothesis chances : are_chances p.
Hypothesis succeeds : forall x y a, cell t x y = Some a -> (1 - e <= chance_of N.eqb p x y a)%Q.

Lemma succeeds_twice x y : bits (full (length t)) x -> bits (full (width t)) y ->
  if b x y then (1 - e <= chance_of N.eqb p x y c)%Q else (chance_of N.eqb p x y c <= e)%Q.
Proof.
  intros Hx Hy. assert (Ne : c <> d).
  { pose proof (codes_of_distinct t) as D. rewrite codes in D. inversion D as [|? ? I _]. intros ->. apply I. now left. }
  unfold b. destruct (told_cell x y Hx Hy) as [E|E]; rewrite E; cbn [is_code].
  - rewrite N.eqb_refl. now apply succeeds.
  - destruct (N.eqb_spec d c); [congruence|]. pose proof (succeeds x y d E). pose proof (two_answers p c d Ne chances x y). lra.
Qed.

Lemma different_answers x y x' y' : b x y = true -> b x' y' = false -> bits (full (length t)) x' -> bits (full (width t)) y' ->
  ~ (chance_of N.eqb p x y c == chance_of N.eqb p x' y' c)%Q.
Proof.
  intros A B Hx Hy E. destruct (b_promised x y A) as [Ix Iy]. pose proof (succeeds_twice x y Ix Iy) as S. rewrite A in S.
  pose proof (succeeds_twice x' y' Hx Hy) as S'. rewrite B in S'. lra.
Qed.

Lemma some_bit : existsb (fun l => negb (fst l =? 0)) rows && existsb (fun l => negb (fst l =? full (width t))) rows = true -> (0 < throws p)%nat.
Proof.
  intros H. apply andb_true_iff in H. destruct H as [H H']. apply existsb_exists in H, H'. destruct H as (l & L & Nz). destruct H' as (m & M & Nw).
  apply negb_true_iff, N.eqb_neq in Nz, Nw. apply lines_in in L, M. destruct L as [_ Bl]. destruct M as [Im Bm].
  apply N.bit_log2 in Nz. rewrite Bl in Nz. set (y := N.log2 (fst l)) in Nz. clearbody y.
  assert (X : N.lxor (fst m) (full (width t)) <> 0) by (intros E; apply N.lxor_eq in E; contradiction).
  apply N.bit_log2 in X. set (y' := N.log2 _) in X. clearbody y'. rewrite N.lxor_spec, Bm in X.
  assert (Y : b (snd m) y' = false /\ bits (full (width t)) y').
  { unfold bits, b. destruct (is_code (cell t (snd m) y') c) eqn:E; [|now rewrite xorb_false_l in X]. apply b_promised in E. destruct E as [_ E].
    unfold bits in E. rewrite E in X. discriminate. }
  destruct Y as [Y Iy]. destruct (throws p) eqn:Silent; [exfalso|lia].
  apply (different_answers (snd l) y (snd m) y' Nz Y Im Iy). now rewrite (without_a_bit p c Silent (snd l) y (snd m) y').
Qed.

Lemma two_needed : (1 < length rows)%nat -> (1 < length columns)%nat -> (1 < throws p)%nat.
Proof.
  intros R C. destruct (le_lt_dec (throws p) 1) as [L|L]; [exfalso|exact L].
  destruct (one_bit p c chances L) as [(k & _ & E)|(k & _ & E)].
  - destruct (lines_differ columns (fun y x => b x y) (different_distinct _) (fun l H => proj2 (columns_in l H)) C) as (l & m & x & Il & Im & A & B).
    apply (different_answers x (snd l) x (snd m) A B); [now apply (b_promised x (snd l))|now apply columns_in|]. now rewrite !E.
  - destruct (lines_differ rows b (different_distinct _) (fun l H => proj2 (lines_in t c l H)) R) as (l & m & y & Il & Im & A & B).
    apply (different_answers (snd l) y (snd m) y A B); [now apply (lines_in t c m)|now apply (b_promised (snd l) y)|]. now rewrite !E.
Qed.

Lemma three_needed : (1 < length rows)%nat -> (1 < length columns)%nat -> in_one_order e (full (length t)) rows columns = false ->
  in_one_order e (full (width t)) columns rows = false -> (2 < throws p)%nat.
Proof.
  intros R C FR FC. destruct (le_lt_dec (throws p) 2) as [L|L]; [exfalso|exact L].
  destruct (two_bits_are_linear p c chances L) as [(z & Z & g0 & g1 & G0 & G1 & E)|(z & Z & g0 & g1 & G0 & G1 & E)].
  - enough (in_one_order e (full (length t)) rows columns = true) by congruence.
    apply (linear_in_one_order e (full (length t)) rows columns b (bits (full (length t))) (bits (full (width t)))) with (z := z) (g0 := g0) (g1 := g1);
      try assumption; try tauto; [exact b_promised|exact (lines_in t c)|apply different_distinct|exact (lines_every t c)|exact columns_in|
      intros Nil; rewrite Nil in R; cbn in R; lia|].
    intros x y Hx Hy. pose proof (succeeds_twice x y Hx Hy) as S. cbv zeta. destruct (b x y); now rewrite <- E.
  - enough (in_one_order e (full (width t)) columns rows = true) by congruence.
    apply (linear_in_one_order e (full (width t)) columns rows (fun y x => b x y) (bits (full (width t))) (bits (full (length t)))) with (z := z) (g0 := g0) (g1 := g1);
      try assumption; try tauto; [intros y x H; now apply and_comm, b_promised|exact columns_in|apply different_distinct|exact columns_every|exact (lines_in t c)|
      intros Nil; rewrite Nil in C; cbn in C; lia|].
    intros y x Hy Hx. pose proof (succeeds_twice x y Hx Hy) as S. cbv zeta. destruct (b x y); now rewrite <- E.
Qed.
End Table.

Theorem two_bits_bound t e v : two_bits t e = Some v -> forall n, succeeds_privately (cell t) N.eqb n (1 - e) -> v <= N.of_nat n.
Proof.
  unfold two_bits. intros H n (p & C & D & S). destruct (_ && _) eqn:G in H; [|discriminate].
  apply andb_true_iff in G. destruct G as [G Half]. apply andb_true_iff in G. destruct G as [G Small]. apply andb_true_iff in G. destruct G as [R T].
  apply Qle_bool_iff in Small. assert (L : (2 * e < 1)%Q).
  { apply Qnot_le_lt. intros K. apply Qle_bool_iff in K. rewrite K in Half. discriminate. }
  destruct (codes_of t) as [|c [|d [|]]] eqn:Codes; try discriminate; try (injection H as <-; lia).
  destruct (_ || _) eqn:Few in H.
  - destruct (_ && _) eqn:B in H; injection H as <-; [|lia]. pose proof (some_bit t e c d R T L Codes p C S B). lia.
  - apply orb_false_iff in Few. destruct Few as [Fr Fc]. apply Nat.leb_gt in Fr, Fc. destruct (Z.leb _ _) in H; [|discriminate].
    pose proof (two_needed t e c d R T L Codes p C S Fr Fc) as Two.
    destruct (in_one_order _ _ _ _) eqn:A in H; [injection H as <-; lia|]. destruct (in_one_order _ _ _ _) eqn:B in H; [injection H as <-; lia|].
    injection H as <-. pose proof (three_needed t e c d R T Small L Codes p C S Fr Fc A B). lia.
Qed.
