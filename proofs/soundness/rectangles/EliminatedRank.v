(** * Rank from above: all rows are combinations of those that elimination keeps

    Over GF(p), found here; over the rationals, as a witness says. And what a rank says of fooling sets
    (Dietzfelbinger, Hromkovic, Schnitger 1996). *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith Znumtheory.
From Ccsim Require Import Specification Span Lines Elimination Refutation RefutationSound NodesSound OneMessage FoolingSets Parts Rectangles RationalRank CombinedRows.
Import ListNotations.
Open Scope Z_scope.

(** ** Coefficients for each of some rows, as functions *)
Lemma choices {T} (P : N -> T -> Prop) (d : T) xs : (forall x, In x xs -> exists c, P x c) -> exists c : N -> T, forall x, In x xs -> P x (c x).
Proof.
  induction xs as [|x xs IH]; intros H; [exists (fun _ => d); intros x []|]. destruct IH as [c Hc]; [intros y Hy; apply H; now right|].
  destruct (H x (or_introl eq_refl)) as [e He]. exists (fun y => if N.eq_dec y x then e else c y). intros y Hy.
  destruct (N.eq_dec y x) as [->|Ne]; [exact He|]. destruct Hy as [<-|Hy]; [contradiction|now apply Hc].
Qed.

Definition weighed_sum (cs : list (N -> Z)) (vs : list (nat -> Z)) (x : N) (i : nat) : Z :=
  fold_right (fun term s => fst term x * snd term i + s) 0 (combine cs vs).

Lemma coefficients q (vs : list (nat -> Z)) xs : forall rows : N -> nat -> Z, (forall x, In x xs -> span q vs (rows x)) ->
  exists cs, length cs = length vs /\ forall x i, In x xs -> (q | rows x i - weighed_sum cs vs x i).
Proof.
  induction vs as [|w vs IH]; intros rows H.
  - exists []. split; [reflexivity|]. intros x i Hx. cbn. rewrite Z.sub_0_r. exact (H x Hx i).
  - destruct (choices (fun x c => span q vs (fun i => rows x i - c * w i)) 0 xs H) as [c Hc].
    destruct (IH (fun x i => rows x i - c x * w i) Hc) as (cs & L & K). exists (c :: cs). split; [simpl; now rewrite L|].
    intros x i Hx. specialize (K x i Hx). unfold weighed_sum in *. cbn [combine fold_right fst snd].
    replace (rows x i - (c x * w i + fold_right (fun term s => fst term x * snd term i + s) 0 (combine cs vs)))
      with (rows x i - c x * w i - fold_right (fun term s => fst term x * snd term i + s) 0 (combine cs vs)) by ring. exact K.
Qed.

(** ** Modulo a prime *)
Section Modulo.
Variable q : Z.
Hypothesis q_prime : prime q.

Definition vectors (bs : basis) : list (nat -> Z) := map (fun e => vec (snd e)) bs.

Lemma span_more (vs : list (nat -> Z)) w v : span q vs v -> span q (w :: vs) v.
Proof. intros H. exists 0. eapply span_eq; [|exact H]. intros i. cbv beta. ring. Qed.

Lemma reduce_back bs v : echelon q (functions bs) -> exists c, ~ (q | c) /\ span q (vectors bs) (fun i => c * vec v i - vec (reduce q bs v) i).
Proof.
  induction bs as [|[p b] rest IH]; simpl; intros E.
  - exists 1. split; [intros D; apply Z.divide_1_r in D; pose proof (prime_ge_2 q q_prime); lia|]. intros i. exists 0. ring.
  - destruct E as (Np & _ & E). destruct (IH E) as (c & Nc & S). destruct (vec (reduce q rest v) p =? 0).
    + exists c. split; [exact Nc|]. now apply span_more.
    + exists (vec b p * c). split; [intros D; destruct (prime_mult q q_prime _ _ D); contradiction|].
      exists (vec (reduce q rest v) p). eapply span_ext; [|exact (span_comb q nat (vectors rest) _ _ (vec b p) 0 S S)].
      intros i. cbv beta. cbn [snd]. set (w := reduce q rest v). pose proof (combine_rows_spec q q_prime (vec b p) (vec w p) w b i) as [k K].
      exists k. lia.
Qed.

Lemma extend_spans bs v : echelon q (functions bs) -> span q (vectors (extend q bs v)) (vec v) /\
  forall w, span q (vectors bs) w -> span q (vectors (extend q bs v)) w.
Proof.
  intros E. destruct (reduce_back bs v E) as (c & Nc & S). unfold extend. destruct (first_entry q 0 (reduce q bs v)) as [p|] eqn:F.
  - split; [|intros w; apply span_more]. apply (span_unit nat q _ c _ q_prime Nc). exists 1. eapply span_eq; [|exact S]. intros i. cbv beta. cbn [snd]. ring.
  - split; [|auto]. apply (span_unit nat q _ c _ q_prime Nc). eapply span_ext; [|exact S]. intros i. cbv beta.
    assert (Z : (q | vec (reduce q bs v) i)).
    { clear -F. revert F. generalize 0%nat. generalize (reduce q bs v) as u. intros u. revert i. induction u as [|a u IH]; intros i n F; [unfold vec; destruct i; apply Z.divide_0_r|].
      simpl in F. destruct (a mod q =? 0) eqn:T; [|discriminate]. destruct i as [|i]; [|exact (IH i _ F)]. unfold vec. simpl. apply Z.eqb_eq in T.
      destruct (Z.eq_dec q 0) as [->|N0]; [exists a|now apply Z.mod_divide]. rewrite Zmod_0_r in T. subst. ring. }
    destruct Z as [k K]. exists (- k). lia.
Qed.

Lemma all_rows_spanned (vector_of : line -> list Z) L : forall bs, echelon q (functions bs) ->
  let final := fold_left (fun b l => extend q b (vector_of l)) L bs in
  (forall l, In l L -> span q (vectors final) (vec (vector_of l))) /\ forall w, span q (vectors bs) w -> span q (vectors final) w.
Proof.
  induction L as [|l L IH]; intros bs E; simpl; [split; [intros l []|auto]|].
  destruct (extend_spans bs (vector_of l) E) as [Own Old]. destruct (IH _ (extend_echelon q q_prime bs (vector_of l) E)) as [A B].
  split; [intros l' [<-|Hl]; auto|auto].
Qed.
End Modulo.

Lemma full_pick_rows t x y a : cell t x y = Some a -> In x (map fst (pick (full (length t)) (row_lines t))).
Proof.
  intros E. pose proof (row_lines_all t x y a E) as H. apply in_map_iff in H. destruct H as (l & <- & Hl). apply in_map, pick_In.
  split; [exact Hl|]. exact (promised_row t _ _ _ E).
Qed.

Lemma full_pick_columns t x y a : regular t = true -> cell t x y = Some a -> In y (map fst (pick (full (width t)) (column_lines t))).
Proof.
  intros R E. pose proof (column_lines_all t R x y a E) as H. apply in_map_iff in H. destruct H as (l & <- & Hl). apply in_map, pick_In.
  split; [exact Hl|]. exact (promised_column t R _ _ _ E).
Qed.

Definition whole_rank (t : table) (prime : Z) (code : N) : option N := part_rank t prime code (full (length t)) (full (width t)).

Theorem whole_rank_bound t prime code v : whole_rank t prime code = Some v -> rank_at_most (cell t) prime code (N.to_nat v).
Proof.
  unfold whole_rank, part_rank. intros H. destruct (regular t) eqn:R; [|discriminate]. destruct (is_prime prime) eqn:P; [|discriminate].
  destruct (promised _ _ _); [|discriminate]. apply is_prime_spec in P. set (cols := map fst (pick (full (width t)) (column_lines t))) in *.
  set (L := pick (full (length t)) (row_lines t)) in *. set (bs := rank_basis prime cols code L) in *.
  assert (E' : v = N.of_nat (length bs)) by (now injection H). subst v. clear H. rewrite Nat2N.id.
  pose proof (pick_good (cell t) (full (length t)) _ (row_lines_good t)) as G. fold L in G. rewrite Forall_forall in G.
  destruct (all_rows_spanned prime P (fun l => vector cols (plane code l)) L [] Logic.I) as [S _].
  destruct (coefficients prime (vectors bs) (map fst L) (fun x => row (cell t) cols code x)) as (cs & Lc & K).
  { intros x Hx. apply in_map_iff in Hx. destruct Hx as (l & <- & Hl). eapply span_eq; [|exact (S l Hl)]. intros i. now rewrite (vector_row (cell t) cols code l i (G l Hl)). }
  exists (combine cs (map (fun v y => v (place y cols)) (vectors bs))). split.
  - rewrite combine_length, map_length. unfold vectors in *. rewrite map_length in *. lia.
  - intros x y.
    assert (Sum : forall cs vs, sum_of_products (combine cs (map (fun (v : nat -> Z) y => v (place y cols)) vs)) x y = weighed_sum cs vs x (place y cols)).
    { intros cs0. unfold sum_of_products, weighed_sum. induction cs0 as [|c cs0 IH]; intros [|u us]; cbn [map combine fold_right fst snd]; try reflexivity. now rewrite IH. }
    assert (B : forall a, cell t x y = Some a -> (prime | indicator (a =? code)%N - weighed_sum cs (vectors bs) x (place y cols))).
    { intros a E. specialize (K x (place y cols) (full_pick_rows t x y a E)). unfold row in K.
      rewrite (place_nth y cols (full_pick_columns t x y a R E)), E in K. exact K. }
    rewrite Sum. split.
    + intros E. specialize (B code E). rewrite N.eqb_refl in B. cbn [indicator] in B. destruct B as [k B]. exists (- k). lia.
    + intros Ne Some'. destruct (cell t x y) as [a|] eqn:E; [|congruence]. specialize (B a eq_refl). destruct (N.eqb_spec a code); [congruence|].
      cbn [indicator] in B. destruct B as [k B]. exists (- k). lia.
Qed.

(** ** Over the rationals: by combinations of rows, which are found elsewhere *)

(** As many primes as Hadamard's inequality asks for, if that is the rank: (k + 1)^((k + 1) / 2) / 2^k is below their product, k = rank + 1. *)
Definition enough_primes (primes : list Z) (rank : N) : bool :=
  let product := (Z.to_N (fold_right Z.mul 1%Z primes) * 2 ^ (rank + 1))%N in
  if (N.log2 product <? 1048575)%N then ((rank + 2) ^ (rank + 2) <? product * product)%N else false.

(** A certificate names primes; they are looked at only as the format asks. *)
Definition eliminated (t : table) (code : N) (primes : list Z) (bits : N) (kept : list N) (combinations : list combination) : option N :=
  if forallb is_prime primes && enough_primes primes (N.of_nat (length kept)) then rank_by_rows t code bits kept combinations else None.

Lemma eliminated_bound t code primes bits kept combinations v : eliminated t code primes bits kept combinations = Some v ->
  rational_rank_at_most (cell t) code (N.to_nat v).
Proof. unfold eliminated. destruct (_ && _); [|discriminate]. apply rank_by_rows_bound. Qed.
