(** * Elimination modulo a prime, line by line, and what it proves about leaves *)
From Coq Require Import List Arith Lia Bool NArith ZArith Znumtheory.
From Ccsim Require Import Specification Trees Span Lines.
Import ListNotations.
Open Scope Z_scope.

(** Primality by trial division. *)
Fixpoint no_divisor (q d : Z) (n : nat) : bool :=
  match n with O => true | S n' => if q mod d =? 0 then false else no_divisor q (d + 1) n' end.

Definition is_prime (q : Z) : bool := if 1 <? q then no_divisor q 2 (Z.to_nat (Z.sqrt q - 1)) else false.

Lemma no_divisor_spec q n : forall d, 0 < d -> no_divisor q d n = true ->
  forall k, d <= k < d + Z.of_nat n -> ~ (k | q).
Proof.
  induction n as [|n IH]; intros d Hd H k Hk D; [lia|]. simpl in H. destruct (q mod d =? 0) eqn:E; [discriminate|].
  apply Z.eqb_neq in E. destruct (Z.eq_dec k d) as [->|N].
  - apply E. now apply Zdivide_mod.
  - apply (IH (d + 1) ltac:(lia) H k); [lia|exact D].
Qed.

Lemma is_prime_spec q : is_prime q = true -> prime q.
Proof.
  unfold is_prime. destruct (1 <? q) eqn:H1; [|discriminate]. apply Z.ltb_lt in H1. intros H.
  apply prime_alt. split; [exact H1|]. intros n Hn [m Hm].
  assert (0 < m) by nia. assert (1 < m) by nia.
  destruct (Z.sqrt_spec q ltac:(lia)) as [S1 S2].
  assert (Hs : 1 <= Z.sqrt q) by nia.
  assert (R : forall k, 2 <= k <= Z.sqrt q -> ~ (k | q)).
  { intros k Hk. apply (no_divisor_spec q _ 2 ltac:(lia) H k). rewrite Z2Nat.id by lia. lia. }
  destruct (Z_le_dec n (Z.sqrt q)).
  - apply (R n); [lia|]. now exists m.
  - apply (R m); [nia|]. exists n. lia.
Qed.

(** Vectors are lists; a basis has vectors with the place of a pivot, newest first. *)
Definition vec (v : list Z) (i : nat) : Z := nth i v 0.
Definition basis := list (nat * list Z).

Fixpoint combine_rows (q a : Z) (v : list Z) (b : Z) (w : list Z) : list Z :=
  match v, w with
  | x :: v', y :: w' => (a * x - b * y) mod q :: combine_rows q a v' b w'
  | [], _ => map (fun y => (- (b * y)) mod q) w
  | _, [] => map (fun x => (a * x) mod q) v
  end.

Fixpoint reduce (q : Z) (bs : basis) (v : list Z) : list Z :=
  match bs with
  | [] => v
  | (i, b) :: rest =>
      let v' := reduce q rest v in
      let t := vec v' i in
      if t =? 0 then v' else combine_rows q (vec b i) v' t b
  end.

Fixpoint first_entry (q : Z) (i : nat) (v : list Z) : option nat :=
  match v with [] => None | x :: v' => if x mod q =? 0 then first_entry q (S i) v' else Some i end.

Definition extend (q : Z) (bs : basis) (v : list Z) : basis :=
  let r := reduce q bs v in
  match first_entry q 0 r with None => bs | Some i => (i, r) :: bs end.

Definition functions (bs : basis) : list (nat * (nat -> Z)) := map (fun e => (fst e, vec (snd e))) bs.

Section Prime.
Variable q : Z.
Hypothesis q_prime : prime q.

Lemma mod_same a : (q | a mod q - a).
Proof. pose proof (prime_ge_2 q q_prime). exists (- (a / q)). rewrite Z.mod_eq by lia. ring. Qed.

Lemma vec_map (g : Z -> Z) w i : g 0 = 0 -> vec (map g w) i = g (vec w i).
Proof. unfold vec. intros H. rewrite <- (map_nth g), H. reflexivity. Qed.

Lemma combine_rows_spec a b v : forall w i, (q | vec (combine_rows q a v b w) i - (a * vec v i - b * vec w i)).
Proof.
  pose proof (prime_ge_2 q q_prime).
  induction v as [|x v IH]; intros w i.
  - simpl. rewrite vec_map by (rewrite Z.mul_0_r; apply Z.mod_0_l; lia).
    replace (vec [] i) with 0 by (unfold vec; now destruct i).
    destruct (mod_same (- (b * vec w i))) as [k E]. exists k. lia.
  - destruct w as [|y w].
    + cbn [combine_rows]. rewrite vec_map by (rewrite Z.mul_0_r; apply Z.mod_0_l; lia).
      replace (vec [] i) with 0 by (unfold vec; now destruct i).
      destruct (mod_same (a * vec (x :: v) i)) as [k E]. exists k. lia.
    + destruct i as [|i]; [|exact (IH w i)]. unfold vec. simpl. destruct (mod_same (a * x - b * y)) as [k E]. exists k. lia.
Qed.

Lemma map_functions bs : map fst (functions bs) = map fst bs.
Proof. unfold functions. rewrite map_map. reflexivity. Qed.

Lemma reduce_zero bs v : echelon q (functions bs) -> Forall (fun j => (q | vec (reduce q bs v) j)) (map fst bs).
Proof.
  induction bs as [|[i b] rest IH]; simpl; [constructor|]. intros (N & F & E). specialize (IH E).
  rewrite map_functions in F. destruct (vec (reduce q rest v) i =? 0) eqn:T.
  - apply Z.eqb_eq in T. constructor; [rewrite T; apply Z.divide_0_r|exact IH].
  - set (v' := reduce q rest v) in *. constructor.
    + destruct (combine_rows_spec (vec b i) (vec v' i) v' b i) as [k E']. exists k. lia.
    + rewrite Forall_forall in *. intros j Hj. specialize (IH j Hj). specialize (F j Hj). cbv beta in IH, F.
      pose proof (combine_rows_spec (vec b i) (vec v' i) v' b j) as D.
      assert (D' : (q | vec b i * vec v' j - vec v' i * vec b j)) by (apply Z.divide_sub_r; apply Z.divide_mul_r; assumption).
      destruct D as [k D], D' as [k' D']. exists (k + k'). lia.
Qed.

Lemma reduce_span vs bs v : Forall (fun e => span q vs (vec (snd e))) bs -> span q vs (vec v) ->
  span q vs (vec (reduce q bs v)).
Proof.
  induction bs as [|[i b] rest IH]; simpl; intros Hb Hv; [exact Hv|]. inversion Hb as [|? ? H1 H2]; subst.
  specialize (IH H2 Hv). destruct (vec (reduce q rest v) i =? 0); [exact IH|].
  eapply span_ext; [|exact (span_comb q _ vs _ _ (vec b i) (vec (reduce q rest v) i) IH H1)].
  intros j. cbv beta.
  pose proof (combine_rows_spec (vec b i) (vec (reduce q rest v) i) (reduce q rest v) b j) as D.
  destruct D as [k D]. exists (- k). cbn [snd]. lia.
Qed.

Lemma first_entry_spec v : forall i j, first_entry q i v = Some j -> exists k, j = (i + k)%nat /\ ~ (q | vec v k).
Proof.
  pose proof (prime_ge_2 q q_prime).
  induction v as [|x v IH]; simpl; intros i j E; [discriminate|]. destruct (x mod q =? 0) eqn:T.
  - destruct (IH _ _ E) as (k & -> & N). exists (S k). split; [lia|exact N].
  - inversion E; subst. exists 0%nat. split; [lia|]. intros D. apply Z.eqb_neq in T. apply T.
    apply Zdivide_mod. exact D.
Qed.

Lemma extend_echelon bs v : echelon q (functions bs) -> echelon q (functions (extend q bs v)).
Proof.
  intros E. unfold extend. destruct (first_entry q 0 (reduce q bs v)) as [i|] eqn:F; [|exact E].
  destruct (first_entry_spec _ _ _ F) as (k & -> & N). simpl. split; [exact N|]. split; [|exact E].
  rewrite map_functions. now apply reduce_zero.
Qed.

Lemma extend_span vs bs v : Forall (fun e => span q vs (vec (snd e))) bs -> span q vs (vec v) ->
  Forall (fun e => span q vs (vec (snd e))) (extend q bs v).
Proof.
  intros Hb Hv. unfold extend. destruct (first_entry q 0 (reduce q bs v)); [|exact Hb].
  constructor; [|exact Hb]. now apply reduce_span.
Qed.

Lemma basis_length vs bs : echelon q (functions bs) -> Forall (fun e => span q vs (vec (snd e))) bs ->
  (length bs <= length vs)%nat.
Proof.
  intros E H. replace (length bs) with (length (functions bs)) by apply map_length.
  apply (echelon_span q q_prime _ vs (functions bs) E). unfold functions. rewrite Forall_map. exact H.
Qed.

End Prime.

(** Rows of an answer's 0/1 matrix on some columns. *)
Section Rows.
Variable f : N -> N -> option N.
Variable cols : list N.

Definition row (c x : N) (i : nat) : Z :=
  match nth_error cols i with Some y => indicator (is_code (f x y) c) | None => 0 end.

Definition vector (m : N) : list Z := map (fun y => indicator (N.testbit m y)) cols.

Lemma vec_vector (g : N -> bool) i :
  vec (map (fun y => indicator (g y)) cols) i = match nth_error cols i with Some y => indicator (g y) | None => 0 end.
Proof.
  unfold vec. revert i. induction cols as [|y l IH]; intros [|i]; simpl; auto.
Qed.

Lemma vector_row c (l : line) i : good f l -> vec (vector (plane c l)) i = row c (fst l) i.
Proof.
  intros G. unfold vector, row. rewrite vec_vector. destruct (nth_error cols i); [|reflexivity]. now rewrite G.
Qed.

(** A basis that was found from rows in [S] only. *)
Definition derived (q : Z) (c : N) (S : N -> Prop) (b : basis) : Prop :=
  prime q /\ echelon q (functions b) /\
  forall vs, (forall x, S x -> span q vs (row c x)) -> Forall (fun e => span q vs (vec (snd e))) b.

Lemma derived_empty q c S : prime q -> derived q c S [].
Proof. intros P. split; [exact P|]. split; [exact Logic.I|]. intros. constructor. Qed.

Lemma derived_mono q c (S S' : N -> Prop) b : (forall x, S x -> S' x) -> derived q c S b -> derived q c S' b.
Proof. intros H (P & E & D). split; [exact P|]. split; [exact E|]. intros vs Hv. apply D. auto. Qed.

Lemma derived_extend q c (S : N -> Prop) b (l : line) : good f l -> S (fst l) -> derived q c S b ->
  derived q c S (extend q b (vector (plane c l))).
Proof.
  intros G Hl (P & E & D). split; [exact P|]. split; [now apply extend_echelon|]. intros vs Hv.
  apply extend_span; [exact P|now apply D|].
  eapply span_eq; [|exact (Hv _ Hl)]. intros i. cbv beta. symmetry. now apply vector_row.
Qed.

Definition restrict (w : N -> Z) (i : nat) : Z := match nth_error cols i with Some y => w y | None => 0 end.

Lemma span_restrict q vs : forall v, span q vs v -> span q (map restrict vs) (restrict v).
Proof.
  induction vs as [|u us IH]; simpl; intros v H.
  - intros i. unfold restrict. destruct (nth_error cols i); [apply H|apply Z.divide_0_r].
  - destruct H as [c H]. exists c. eapply span_eq; [|exact (IH _ H)]. intros i. unfold restrict.
    destruct (nth_error cols i); ring.
Qed.

Lemma derived_leaves who q c (S C : N -> Prop) b (p : protocol N N (leaf_of who N N N)) :
  (forall x y, S x -> C y -> f x y <> None) -> Forall C cols -> derived q c S b -> right_on (said who) f S C p ->
  (length b <= length (columns_of (leaf_columns N.eqb who) c p))%nat.
Proof.
  intros T HC (P & E & D) Hp. rewrite <- (map_length restrict). apply (basis_length q P); [exact E|]. apply D.
  intros x Sx. eapply span_eq; [|apply span_restrict, (rows_in_span (said who) N.eqb _ (leaf_columns_span _ _ _ N.eqb who) q c p x)].
  intros i. unfold restrict, row. destruct (nth_error cols i) as [y|] eqn:Hy; [|reflexivity].
  rewrite Forall_forall in HC. specialize (HC y (nth_error_In _ _ Hy)). specialize (T x y Sx HC).
  destruct (f x y) as [a|] eqn:F; [|congruence]. rewrite (Hp x y a Sx HC F). reflexivity.
Qed.
End Rows.

(** Ranks over several fields, counted together or the largest of them, against leaves. *)
Theorem ranks_hard who f d l (S : N -> Prop) (C : N -> Prop) (codes : list N) (sizes : list nat) :
  NoDup codes ->
  (forall p : protocol N N (leaf_of who N N N), right_on (said who) f S C p ->
     Forall2 (fun c size => (size <= length (columns_of (leaf_columns N.eqb who) c p))%nat) codes sizes) ->
  (2 ^ d < counted who sizes)%nat -> hard (said who) f d l S C.
Proof.
  intros ND H K. apply many_leaves_hard. intros p Hp. eapply Nat.lt_le_trans; [exact K|].
  eapply Nat.le_trans; [|exact (columns_counted _ _ _ N.eqb N.eqb_eq who p _ ND)].
  apply counted_mono. specialize (H p Hp). clear -H. induction H; simpl; constructor; auto.
Qed.
