(** * Elimination modulo 2 with rows as masks: the same theorem, much faster *)
From Coq Require Import List Arith Lia Bool NArith ZArith Znumtheory.
From Ccsim Require Import Specification Trees Span Lines.
Import ListNotations.
Open Scope N_scope.

Definition basis2 := list (N * N).

Fixpoint reduce2 (bs : basis2) (v : N) : N :=
  match bs with
  | [] => v
  | (i, b) :: rest => let v' := reduce2 rest v in if N.testbit v' i then N.lxor v' b else v'
  end.

Definition extend2 (bs : basis2) (v : N) : basis2 :=
  let r := reduce2 bs v in if r =? 0 then bs else (N.log2 r, r) :: bs.

Definition vec2 (m y : N) : Z := indicator (N.testbit m y).
Definition functions2 (bs : basis2) : list (N * (N -> Z)) := map (fun e => (fst e, vec2 (snd e))) bs.

Lemma xor_vec a b y : (2 | vec2 (N.lxor a b) y - (1 * vec2 a y - 1 * vec2 b y))%Z.
Proof.
  unfold vec2. rewrite N.lxor_spec. destruct (N.testbit a y), (N.testbit b y); simpl;
    [exists 0%Z|exists 0%Z|exists 1%Z|exists 0%Z]; reflexivity.
Qed.

Lemma vec2_zero m y : (2 | vec2 m y)%Z <-> N.testbit m y = false.
Proof.
  unfold vec2. destruct (N.testbit m y); simpl; split; try congruence; intros H.
  - destruct H as [k H]. lia.
  - apply Z.divide_0_r.
Qed.

Lemma reduce2_zero bs v : echelon 2 (functions2 bs) -> Forall (fun j => (2 | vec2 (reduce2 bs v) j)%Z) (map fst bs).
Proof.
  induction bs as [|[i b] rest IH]; simpl; [constructor|]. intros (Nb & F & E). specialize (IH E).
  unfold functions2 in F. rewrite map_map in F. cbn [fst snd] in F. rewrite vec2_zero in Nb. apply not_false_is_true in Nb.
  destruct (N.testbit (reduce2 rest v) i) eqn:T.
  - constructor; [apply vec2_zero; rewrite N.lxor_spec, T, Nb; reflexivity|].
    rewrite Forall_forall in *. intros j Hj. specialize (IH j Hj). specialize (F j Hj). cbv beta in IH, F.
    rewrite vec2_zero in *. rewrite N.lxor_spec, IH, F. reflexivity.
  - constructor; [now apply vec2_zero|exact IH].
Qed.

Lemma reduce2_span vs bs v : Forall (fun e => span 2 vs (vec2 (snd e))) bs -> span 2 vs (vec2 v) ->
  span 2 vs (vec2 (reduce2 bs v)).
Proof.
  induction bs as [|[i b] rest IH]; simpl; intros Hb Hv; [exact Hv|]. inversion Hb as [|? ? H1 H2]; subst.
  specialize (IH H2 Hv). destruct (N.testbit (reduce2 rest v) i); [|exact IH].
  eapply span_ext; [|exact (span_comb 2 _ vs _ _ 1 1 IH H1)]. intros y. cbv beta.
  destruct (xor_vec (reduce2 rest v) b y) as [k E]. exists (- k)%Z. cbn [snd]. lia.
Qed.

Lemma extend2_echelon bs v : echelon 2 (functions2 bs) -> echelon 2 (functions2 (extend2 bs v)).
Proof.
  intros E. unfold extend2. destruct (N.eqb_spec (reduce2 bs v) 0) as [|Ne]; [exact E|]. simpl. split; [|split; [|exact E]].
  - rewrite vec2_zero. rewrite N.bit_log2 by exact Ne. discriminate.
  - unfold functions2. rewrite map_map. cbn [fst]. now apply reduce2_zero.
Qed.

Lemma extend2_span vs bs v : Forall (fun e => span 2 vs (vec2 (snd e))) bs -> span 2 vs (vec2 v) ->
  Forall (fun e => span 2 vs (vec2 (snd e))) (extend2 bs v).
Proof.
  intros Hb Hv. unfold extend2. destruct (N.eqb_spec (reduce2 bs v) 0); [exact Hb|]. constructor; [|exact Hb].
  now apply reduce2_span.
Qed.

Definition basis2_of (c : N) (C : N) (L : list line) : basis2 :=
  fold_left (fun b l => extend2 b (N.land (plane c l) C)) L [].

Section Rows.
Variable f : N -> N -> option N.
Variable C : N.

Definition restrict2 (w : N -> Z) (y : N) : Z := if N.testbit C y then w y else 0%Z.

Lemma span_restrict2 vs : forall v, span 2 vs v -> span 2 (map restrict2 vs) (restrict2 v).
Proof.
  induction vs as [|u us IH]; simpl; intros v H.
  - intros y. unfold restrict2. destruct (N.testbit C y); [apply H|apply Z.divide_0_r].
  - destruct H as [c H]. exists c. eapply span_eq; [|exact (IH _ H)]. intros y. unfold restrict2. destruct (N.testbit C y); ring.
Qed.

Lemma basis2_leaves who c L (p : protocol N N (leaf_of who N N N)) (S : N -> Prop) :
  Forall (good f) L -> (forall l, In l L -> S (fst l)) -> right_on (said who) f S (bits C) p ->
  (forall x y, S x -> bits C y -> f x y <> None) ->
  (length (basis2_of c C L) <= length (columns_of (leaf_columns N.eqb who) c p))%nat.
Proof.
  intros G HS Hp T. set (vs := map restrict2 (columns_of (leaf_columns N.eqb who) c p)).
  assert (Hrow : forall l, In l L -> span 2 vs (vec2 (N.land (plane c l) C))).
  { intros l Hl. eapply span_eq; [|apply span_restrict2, (rows_in_span (said who) N.eqb _ (leaf_columns_span _ _ _ N.eqb who) 2 c p (fst l))].
    intros y. unfold restrict2, vec2. rewrite N.land_spec. rewrite Forall_forall in G. rewrite (G l Hl).
    destruct (N.testbit C y) eqn:B; [rewrite andb_true_r|rewrite andb_false_r; reflexivity].
    specialize (T (fst l) y (HS l Hl) B). destruct (f (fst l) y) as [a|] eqn:F; [|congruence].
    rewrite (Hp _ _ _ (HS l Hl) B F). reflexivity. }
  assert (I : forall L' b, (forall l, In l L' -> In l L) -> echelon 2 (functions2 b) -> Forall (fun e => span 2 vs (vec2 (snd e))) b ->
     echelon 2 (functions2 (fold_left (fun b l => extend2 b (N.land (plane c l) C)) L' b)) /\
     Forall (fun e => span 2 vs (vec2 (snd e))) (fold_left (fun b l => extend2 b (N.land (plane c l) C)) L' b)).
  { induction L' as [|l L' IH]; simpl; intros b Hin E Hb; [auto|]. apply IH.
    - auto.
    - now apply extend2_echelon.
    - apply extend2_span; auto. }
  destruct (I L [] ltac:(auto) Logic.I ltac:(constructor)) as [E Hb]. fold (basis2_of c C L) in E, Hb.
  replace (length (basis2_of c C L)) with (length (functions2 (basis2_of c C L))) by apply map_length.
  rewrite <- (map_length restrict2). fold vs. apply (echelon_span 2 prime_2 _ vs _ E).
  unfold functions2. rewrite Forall_map. exact Hb.
Qed.

End Rows.
