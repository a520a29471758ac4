(** * Matrices that are tensor powers of one block, modulo a prime

    States have weights; a pair of letters multiplies the weight by a number of its own. Then combinations of rows that
    make one block triangular make its powers triangular, too: their products, in lexicographic order. *)
From Coq Require Import List Arith Lia Bool NArith ZArith Znumtheory.
From Ccsim Require Import Specification Trees Span Elimination Families Reaching PairWords.
Import ListNotations.
Open Scope nat_scope.

(** States that are reached by words of one letter or more. *)
Section After.
Variable F : family.

Definition after_letters (q : nat) : list nat :=
  flat_map (fun x => map (step F q x) (seq 0 (bob_letters F))) (seq 0 (alice_letters F)).

Definition after_some : option (list nat) := reached_from Nat.eqb N.of_nat after_letters (after_letters (start F)).

Lemma in_after_letters q x y : x < alice_letters F -> y < bob_letters F -> In (step F q x y) (after_letters q).
Proof. intros Hx Hy. unfold after_letters. apply in_flat_map. exists x. split; [apply in_seq; lia|]. apply in_map, in_seq. lia. Qed.

Lemma after_some_closed found : after_some = Some found ->
  (forall x y, x < alice_letters F -> y < bob_letters F -> In (step F (start F) x y) found) /\
  (forall q x y, In q found -> x < alice_letters F -> y < bob_letters F -> In (step F q x y) found).
Proof.
  intros H. apply (reached_closed (fun a b => proj1 (Nat.eqb_eq a b))) in H. destruct H as [H1 H2]. split.
  - intros x y Hx Hy. apply H1. now apply in_after_letters.
  - intros q x y Hq Hx Hy. apply (H2 q); [exact Hq|]. now apply in_after_letters.
Qed.

Lemma word_cons letters n word : is_word letters (S n) word = true ->
  exists x rest, word = x :: rest /\ x < letters /\ is_word letters n rest = true.
Proof.
  unfold is_word. destruct word as [|x rest]; simpl; [discriminate|]. intros H. apply andb_true_iff in H. destruct H as [L H].
  apply andb_true_iff in H. destruct H as [Hx H]. exists x, rest. rewrite L, H. repeat split. now apply Nat.ltb_lt.
Qed.

Lemma word_empty letters word : is_word letters 0 word = true -> word = [].
Proof. unfold is_word. now destruct word. Qed.

Lemma after_read found : after_some = Some found -> forall n xs ys, 1 <= n ->
  is_word (alice_letters F) n xs = true -> is_word (bob_letters F) n ys = true -> In (read F (start F) xs ys) found.
Proof.
  intros H. destruct (after_some_closed found H) as [H1 H2].
  assert (K : forall n q xs ys, In q found -> is_word (alice_letters F) n xs = true -> is_word (bob_letters F) n ys = true -> In (read F q xs ys) found).
  { induction n as [|n IH]; intros q xs ys Hq Hx Hy.
    - apply word_empty in Hx, Hy. now subst.
    - apply word_cons in Hx, Hy. destruct Hx as (x & xs' & -> & Lx & Hx), Hy as (y & ys' & -> & Ly & Hy). simpl. apply IH; auto. }
  intros n xs ys Hn Hx Hy. destruct n as [|n]; [lia|]. apply word_cons in Hx, Hy.
  destruct Hx as (x & xs' & -> & Lx & Hx), Hy as (y & ys' & -> & Ly & Hy). simpl. apply (K n); auto.
Qed.
End After.

Section Tensor.
Variable F : family.
Variable weight : nat -> Z.
Variable p : Z.
Hypothesis p_prime : prime p.

Definition zero_modulo (z : Z) : bool := Z.eqb (z mod p) 0.

Lemma zero_modulo_spec z : zero_modulo z = true <-> (p | z)%Z.
Proof.
  unfold zero_modulo. rewrite Z.eqb_eq. pose proof (prime_ge_2 p p_prime). apply Z.mod_divide. lia.
Qed.

Definition block (x y : nat) : Z := weight (step F (start F) x y).

Definition multiplies (q : nat) : bool :=
  forallb (fun x => forallb (fun y => zero_modulo (weight (step F q x y) - weight q * block x y)) (seq 0 (bob_letters F)))
    (seq 0 (alice_letters F)).

(** Combinations of rows of the block, each with its pivot. *)
Definition combine_rows (u : list (Z * nat)) (y : nat) : Z := fold_right (fun term sum => (fst term * block (snd term) y + sum)%Z) 0%Z u.

Fixpoint basis_ok (basis : list (list (Z * nat) * nat)) : bool :=
  match basis with
  | [] => true
  | (u, y) :: rest =>
      if (y <? bob_letters F) && forallb (fun term => snd term <? alice_letters F) u then
        if negb (zero_modulo (combine_rows u y)) then
          if forallb (fun other => zero_modulo (combine_rows u (snd other))) rest then basis_ok rest else false
        else false
      else false
  end.

Definition tensor_ok (found : list nat) (basis : list (list (Z * nat) * nat)) : bool :=
  Z.eqb (weight (start F)) 1 && forallb multiplies (start F :: found) && basis_ok basis.

(** ** Words, and the product of the blocks *)
Fixpoint product_of (xs ys : list nat) : Z :=
  match xs, ys with x :: xs', y :: ys' => (block x y * product_of xs' ys')%Z | _, _ => 1%Z end.

Definition combination_row (value : list nat -> list nat -> Z) (c : list (Z * list nat)) (ys : list nat) : Z :=
  fold_right (fun term sum => (fst term * value (snd term) ys + sum)%Z) 0%Z c.

Definition times (u : list (Z * nat)) (c : list (Z * list nat)) : list (Z * list nat) :=
  flat_map (fun a => map (fun b => ((fst a * fst b)%Z, snd a :: snd b)) c) u.

Variable basis : list (list (Z * nat) * nat).

Fixpoint powers (n : nat) : list (list (Z * list nat) * list nat) :=
  match n with
  | O => [([(1%Z, [])], [])]
  | S m => flat_map (fun e => map (fun d => (times (fst e) (fst d), snd e :: snd d)) (powers m)) basis
  end.

Lemma powers_length n : length (powers n) = length basis ^ n.
Proof.
  induction n as [|n IH]; [reflexivity|]. cbn [powers Nat.pow]. rewrite <- IH. clear IH. generalize (powers n) as l. intros l.
  induction basis as [|e b IHb]; simpl; [reflexivity|]. now rewrite app_length, map_length, IHb.
Qed.

Lemma row_times u c y ys : combination_row product_of (times u c) (y :: ys) = (combine_rows u y * combination_row product_of c ys)%Z.
Proof.
  unfold times, combination_row, combine_rows. induction u as [|a u IH]; simpl; [reflexivity|].
  rewrite fold_right_app.
  assert (K : forall z l, fold_right (fun term sum => (fst term * product_of (snd term) (y :: ys) + sum)%Z) z
      (map (fun b : Z * list nat => ((fst a * fst b)%Z, snd a :: snd b)) l) =
    (fst a * block (snd a) y * fold_right (fun term sum => (fst term * product_of (snd term) ys + sum)%Z) 0%Z l + z)%Z).
  { intros z l. induction l as [|b l IHl]; simpl; [ring|]. rewrite IHl. ring. }
  rewrite K, IH. ring.
Qed.

Lemma basis_parts : basis_ok basis = true ->
  Forall (fun e => snd e < bob_letters F /\ Forall (fun term => snd term < alice_letters F) (fst e) /\ ~ (p | combine_rows (fst e) (snd e))%Z) basis /\
  ForallOrdPairs (fun e d => (p | combine_rows (fst e) (snd d))%Z) basis.
Proof.
  induction basis as [|[u y] rest IH]; simpl; intros H; [split; constructor|].
  destruct (_ && _) eqn:L in H; [|discriminate]. destruct (negb _) eqn:N in H; [|discriminate]. destruct (forallb _ rest) eqn:A in H; [|discriminate].
  destruct (IH H) as [I1 I2]. apply andb_true_iff in L. destruct L as [L1 L2]. split; constructor; auto; simpl.
  - split; [now apply Nat.ltb_lt|]. split.
    + rewrite forallb_forall in L2. apply Forall_forall. intros t Ht. apply Nat.ltb_lt. now apply L2.
    + intros D. apply zero_modulo_spec in D. rewrite D in N. discriminate.
  - rewrite forallb_forall in A. apply Forall_forall. intros d Hd. apply zero_modulo_spec. now apply A.
Qed.

Hypothesis basis_good : basis_ok basis = true.

Theorem powers_triangular n :
  Forall (fun e => ~ (p | combination_row product_of (fst e) (snd e))%Z) (powers n) /\
  ForallOrdPairs (fun e d => (p | combination_row product_of (fst e) (snd d))%Z) (powers n).
Proof.
  destruct (basis_parts basis_good) as [B1 B2]. induction n as [|n [IH1 IH2]].
  - split; repeat constructor. unfold combination_row. simpl. intros D. pose proof (prime_ge_2 p p_prime).
    apply Z.divide_1_r_nonneg in D; lia.
  - cbn [powers]. revert IH1 IH2. generalize (powers n) as before. intros before IH1 IH2. clear basis_good. induction B2 as [|e b Hd _ IHb]; simpl; [split; constructor|].
    inversion B1 as [|? ? (_ & _ & Ne) B1']; subst. destruct (IHb B1') as [I1 I2]. split.
    + apply Forall_app. split; [|exact I1]. apply Forall_map. eapply Forall_impl; [|exact IH1]. intros d Nd. cbv beta. cbn [fst snd].
      rewrite row_times. intros D. apply prime_mult in D; [|exact p_prime]. destruct D as [D|D]; [exact (Ne D)|exact (Nd D)].
    + apply FOP_app; [|exact I2|].
      * apply pairs_map. clear -IH2. induction IH2 as [|d l Hl _ IH]; constructor; [|exact IH]. eapply Forall_impl; [|exact Hl].
        intros d' D. cbn [fst snd] in *. rewrite row_times. now apply Z.divide_mul_r.
      * intros x y Hx Hy. apply in_map_iff in Hx. destruct Hx as (d & <- & _). apply in_flat_map in Hy. destruct Hy as (e' & He' & Hy).
        apply in_map_iff in Hy. destruct Hy as (d' & <- & _). cbn [fst snd]. rewrite row_times. apply Z.divide_mul_l.
        rewrite Forall_forall in Hd. exact (Hd e' He').
Qed.

Lemma powers_words n : Forall (fun e => is_word (bob_letters F) n (snd e) = true /\
  Forall (fun term => is_word (alice_letters F) n (snd term) = true) (fst e)) (powers n).
Proof.
  destruct (basis_parts basis_good) as [B1 _]. rewrite Forall_forall in B1. induction n as [|n IH].
  - repeat constructor.
  - cbn [powers]. apply Forall_forall. intros e' H. apply in_flat_map in H. destruct H as (e & He & H). apply in_map_iff in H. destruct H as (d & <- & Hd).
    rewrite Forall_forall in IH. destruct (IH d Hd) as [W1 W2]. destruct (B1 e He) as (Ly & Lx & _).
    assert (Cons : forall letters x w, x < letters -> is_word letters n w = true -> is_word letters (S n) (x :: w) = true).
    { intros letters x w Hx Hw. unfold is_word in *. apply andb_true_iff in Hw. destruct Hw as [H1 H2]. simpl. rewrite H1, H2.
      apply Nat.ltb_lt in Hx. now rewrite Hx. }
    cbn [fst snd]. split; [now apply Cons|]. unfold times. apply Forall_forall. intros t Ht. apply in_flat_map in Ht. destruct Ht as (a & Ha & Ht).
    apply in_map_iff in Ht. destruct Ht as (b & <- & Hb). cbn [snd]. rewrite Forall_forall in Lx, W2. apply Cons; auto.
Qed.

(** ** The weight of the last state is the product *)
Variable found : list nat.
Hypothesis after : after_some F = Some found.
Hypothesis start_one : weight (start F) = 1%Z.
Hypothesis all_multiply : forall q, In q (start F :: found) -> multiplies q = true.

Definition last_weight (xs ys : list nat) : Z := weight (read F (start F) xs ys).

Lemma weight_read n xs ys : is_word (alice_letters F) n xs = true -> is_word (bob_letters F) n ys = true ->
  (p | last_weight xs ys - product_of xs ys)%Z.
Proof.
  destruct (after_some_closed F found after) as [H1 H2].
  assert (K : forall n q xs ys, In q (start F :: found) -> is_word (alice_letters F) n xs = true -> is_word (bob_letters F) n ys = true ->
    (p | weight (read F q xs ys) - weight q * product_of xs ys)%Z).
  { clear n xs ys. induction n as [|n IH]; intros q xs ys Hq Hx Hy.
    - apply word_empty in Hx, Hy. subst. simpl. rewrite Z.mul_1_r, Z.sub_diag. apply Z.divide_0_r.
    - apply word_cons in Hx, Hy. destruct Hx as (x & xs' & -> & Lx & Hx), Hy as (y & ys' & -> & Ly & Hy).
      assert (N : In (step F q x y) (start F :: found)) by (right; destruct Hq as [<-|Hq]; auto).
      specialize (IH _ _ _ N Hx Hy). pose proof (all_multiply q Hq) as Mq. unfold multiplies in Mq. rewrite forallb_forall in Mq.
      specialize (Mq x ltac:(apply in_seq; lia)). rewrite forallb_forall in Mq. specialize (Mq y ltac:(apply in_seq; lia)).
      apply zero_modulo_spec in Mq. simpl.
      replace (weight (read F (step F q x y) xs' ys') - weight q * (block x y * product_of xs' ys'))%Z with
        (weight (read F (step F q x y) xs' ys') - weight (step F q x y) * product_of xs' ys' +
         (weight (step F q x y) - weight q * block x y) * product_of xs' ys')%Z by ring.
      apply Z.divide_add_r; [exact IH|]. now apply Z.divide_mul_l. }
  intros Hx Hy. pose proof (K n (start F) xs ys (or_introl eq_refl) Hx Hy) as D. rewrite start_one, Z.mul_1_l in D. exact D.
Qed.

(** So combinations of the rows of the matrix of last weights are an echelon of [length basis ^ n] vectors. *)
Theorem tensor_echelon n : echelon p (map (fun e => (snd e, combination_row last_weight (fst e))) (powers n)).
Proof.
  destruct (powers_triangular n) as [A P]. pose proof (powers_words n) as W.
  assert (Same : forall c ys, Forall (fun term => is_word (alice_letters F) n (snd term) = true) c -> is_word (bob_letters F) n ys = true ->
    (p | combination_row last_weight c ys - combination_row product_of c ys)%Z).
  { intros c ys Hc Hy. unfold combination_row. induction Hc as [|t c Ht _ IH]; simpl; [apply Z.divide_0_r|].
    match goal with |- (p | ?a * ?b + ?s - (?a * ?c + ?t))%Z => replace (a * b + s - (a * c + t))%Z with (a * (b - c) + (s - t))%Z by ring end.
    apply Z.divide_add_r; [apply Z.divide_mul_r; now apply (weight_read n)|exact IH]. }
  revert A P W. generalize (powers n) as l. induction l as [|e l IH]; intros A P W; simpl; [exact I|].
  inversion A as [|? ? Ae A']; subst. inversion P as [|? ? Pe P']; subst. inversion W as [|? ? [We1 We2] W']; subst. split; [|split].
  - intros D. apply Ae. replace (combination_row product_of (fst e) (snd e)) with
      (combination_row last_weight (fst e) (snd e) - (combination_row last_weight (fst e) (snd e) - combination_row product_of (fst e) (snd e)))%Z by ring.
    apply Z.divide_sub_r; [exact D|]. now apply Same.
  - rewrite map_map. apply Forall_map. rewrite Forall_forall in *. intros d Hd. cbn [fst]. destruct (W' d Hd) as [Wd _].
    replace (combination_row last_weight (fst e) (snd d)) with
      (combination_row product_of (fst e) (snd d) + (combination_row last_weight (fst e) (snd d) - combination_row product_of (fst e) (snd d)))%Z by ring.
    apply Z.divide_add_r; [exact (Pe d Hd)|]. apply Same; [now apply Forall_forall|exact Wd].
  - now apply IH.
Qed.

(** Whatever spans the rows modulo the prime has at least so many vectors. *)
Theorem tensor_spans n vs : (forall xs, is_word (alice_letters F) n xs = true -> span p vs (fun ys => if is_word (bob_letters F) n ys then last_weight xs ys else 0%Z)) ->
  length basis ^ n <= length vs.
Proof.
  intros S. rewrite <- powers_length. pose proof (tensor_echelon n) as E. pose proof (powers_words n) as W.
  set (row := fun c ys => if is_word (bob_letters F) n ys then combination_row last_weight c ys else 0%Z).
  rewrite <- (map_length (fun e => (snd e, row (fst e))) (powers n)). apply (echelon_span p p_prime).
  - revert E W. generalize (powers n) as l. induction l as [|e l IH]; simpl; intros E W; [exact I|]. destruct E as (E1 & E2 & E3).
    inversion W as [|? ? [We _] W']; subst. unfold row at 1 2. rewrite We. split; [exact E1|]. split; [|now apply IH].
    rewrite map_map in *. apply Forall_map. rewrite Forall_map in E2. rewrite Forall_forall in *. intros d Hd. cbn [fst].
    destruct (W' d Hd) as [Wd _]. rewrite Wd. exact (E2 d Hd).
  - apply Forall_map. eapply Forall_impl; [|exact W]. intros e [_ We]. cbn [snd]. unfold row. clear -S We. revert We. generalize (fst e) as c.
    induction c as [|t c IH]; intros We.
    + eapply span_eq; [|apply span_zero]. intros ys. cbv beta. now destruct (is_word _ _ _).
    + inversion We as [|? ? Wt We']; subst.
      eapply span_eq; [|apply (span_comb p _ vs _ _ (fst t) (-1) (S (snd t) Wt) (IH We'))]. intros ys. cbv beta.
      destruct (is_word _ _ ys); [|ring]. unfold combination_row. cbn [fold_right]. ring.
Qed.
End Tensor.
