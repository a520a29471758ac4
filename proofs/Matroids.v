(** * Ranks of lists of vectors modulo a prime: submodular, and the rank of dependencies against that of the rest *)
From Coq Require Import List Arith Lia Bool NArith ZArith Znumtheory Permutation.
From Ccsim Require Import Specification Span Elimination TightSplits.
Import ListNotations.
Open Scope Z_scope.

Fixpoint index_of (y : N) (cols : list N) : nat :=
  match cols with [] => O | z :: rest => if N.eqb z y then O else S (index_of y rest) end.

Lemma index_of_nth y cols : In y cols -> nth_error cols (index_of y cols) = Some y.
Proof.
  induction cols as [|z rest IH]; simpl; intros H; [elim H|]. destruct (N.eqb_spec z y) as [->|]; [reflexivity|]. destruct H; [congruence|auto].
Qed.

Section Spans.
Variable q : Z.
Hypothesis q_prime : prime q.

Lemma span_scaled vs (u : nat -> Z) a : ~ (q | a) -> span q vs (fun i => a * u i) -> span q vs u.
Proof.
  intros Na H. destruct (rel_prime_bezout a q) as [x y E].
  { apply rel_prime_sym. now apply prime_rel_prime. }
  eapply span_ext; [|exact (span_comb q _ vs _ _ x 0 H H)]. intros i. cbv beta. exists (- (y * u i)).
  replace (x * (a * u i) - 0 * (a * u i) - u i) with ((x * a + y * q - 1) * u i - y * u i * q) by ring. rewrite E. ring.
Qed.

Lemma span_trans ws : forall vs (u : nat -> Z), (forall w, In w ws -> span q vs w) -> span q ws u -> span q vs u.
Proof.
  induction ws as [|w ws IH]; simpl; intros vs u H S.
  - eapply span_ext; [|apply span_zero]. intros i. specialize (S i). cbv beta. replace (0 - u i) with (- u i) by ring. now apply Z.divide_opp_r.
  - destruct S as [c S]. assert (K : span q vs (fun i => u i - c * w i)) by (apply IH; [intros w' Hw; auto|exact S]).
    eapply span_eq; [|exact (span_comb q _ vs _ _ 1 (- c) K (H w (or_introl eq_refl)))]. intros i. cbv beta. ring.
Qed.

Lemma span_member vs (w : nat -> Z) : In w vs -> span q vs w.
Proof.
  induction vs as [|u us IH]; simpl; intros H; [elim H|]. destruct H as [->|H].
  - exists 1. eapply span_eq; [|apply span_zero]. intros i. cbv beta. ring.
  - exists 0. eapply span_eq; [|exact (IH H)]. intros i. cbv beta. ring.
Qed.

Definition vectors (bs : basis) : list (nat -> Z) := map snd (functions bs).

(** A vector less what is left of it is a combination. *)
Lemma reduce_covers bs v : echelon q (functions bs) ->
  exists a, ~ (q | a) /\ span q (vectors bs) (fun i => a * vec v i - vec (reduce q bs v) i).
Proof.
  unfold vectors. induction bs as [|[i b] rest IH]; simpl; intros E.
  - exists 1. split; [|intros j; exists 0; ring]. intros D. pose proof (prime_ge_2 q q_prime). apply Z.divide_1_r in D. lia.
  - destruct E as (Ni & _ & E). destruct (IH E) as (a & Na & S). set (v' := reduce q rest v) in *.
    destruct (Z.eqb_spec (vec v' i) 0).
    + exists a. split; [exact Na|]. exists 0. eapply span_eq; [|exact S]. intros j. cbv beta. ring.
    + exists (vec b i * a). split.
      { intros D. destruct (prime_mult q q_prime _ _ D); tauto. }
      exists (vec v' i). eapply span_ext; [|exact (span_comb q _ _ _ _ (vec b i) 0 S S)]. intros j. cbv beta.
      destruct (combine_rows_spec q q_prime (vec b i) (vec v' i) v' b j) as [k K]. exists k. lia.
Qed.

Lemma nothing_left v : first_entry q 0 v = None -> forall i, (q | vec v i).
Proof.
  generalize 0%nat. induction v as [|x v IH]; intros n H i.
  - unfold vec. destruct i; apply Z.divide_0_r.
  - simpl in H. destruct (Z.eqb_spec (x mod q) 0) as [D|]; [|discriminate]. destruct i as [|i]; [|exact (IH _ H i)].
    unfold vec. simpl. apply Zmod_divide; [pose proof (prime_ge_2 q q_prime); lia|exact D].
Qed.

(** ** The rank of vectors of some elements *)
Section Rank.
Variable T : Type.
Variable v : T -> list Z.

Definition built (X : list T) : basis := fold_left (fun b e => extend q b (v e)) X [].
Definition rank (X : list T) : nat := length (built X).
Definition spanned (X : list T) : (nat -> Z) -> Prop := span q (map (fun e => vec (v e)) X).

Lemma built_last X e : built (X ++ [e]) = extend q (built X) (v e).
Proof. unfold built. now rewrite fold_left_app. Qed.

Lemma built_echelon X : echelon q (functions (built X)).
Proof.
  induction X as [|e X IH] using rev_ind; [exact I|]. rewrite built_last. now apply extend_echelon.
Qed.

Lemma spanned_incl X Y u : incl X Y -> spanned X u -> spanned Y u.
Proof.
  intros H. apply span_trans. intros w Hw. apply in_map_iff in Hw. destruct Hw as (e & <- & He). apply span_member.
  apply (in_map (fun e => vec (v e))). auto.
Qed.

Lemma built_spanned X : Forall (fun e => spanned X (vec (snd e))) (built X).
Proof.
  induction X as [|e X IH] using rev_ind; [constructor|]. rewrite built_last. apply extend_span; [exact q_prime| |].
  - eapply Forall_impl; [|exact IH]. intros b. apply spanned_incl. apply incl_appl, incl_refl.
  - apply span_member. apply (in_map (fun e => vec (v e))), in_or_app. simpl. auto.
Qed.

Lemma covered X e : In e X -> span q (vectors (built X)) (vec (v e)).
Proof.
  induction X as [|x X IH] using rev_ind; [intros []|]. rewrite built_last. intros H. unfold extend.
  destruct (reduce_covers (built X) (v x) (built_echelon X)) as (a & Na & S).
  destruct (first_entry q 0 (reduce q (built X) (v x))) as [i|] eqn:F; apply in_app_or in H.
  - set (r := reduce q (built X) (v x)) in *. change (span q (vec r :: vectors (built X)) (vec (v e))). destruct H as [H|[->|[]]].
    + exists 0. eapply span_eq; [|exact (IH H)]. intros j. cbv beta. ring.
    + apply (span_scaled _ _ a Na). exists 1. eapply span_eq; [|exact S]. intros j. cbv beta. ring.
  - destruct H as [H|[->|[]]]; [now apply IH|]. apply (span_scaled _ _ a Na). eapply span_ext; [|exact S].
    intros j. cbv beta. pose proof (nothing_left _ F j) as D. replace (a * vec (v e) j - vec (reduce q (built X) (v e)) j - a * vec (v e) j)
      with (- vec (reduce q (built X) (v e)) j) by ring. now apply Z.divide_opp_r.
Qed.

Lemma spanned_built X u : spanned X u -> span q (vectors (built X)) u.
Proof.
  apply span_trans. intros w Hw. apply in_map_iff in Hw. destruct Hw as (e & <- & He). now apply covered.
Qed.

Lemma built_spans X u : span q (vectors (built X)) u -> spanned X u.
Proof.
  apply span_trans. intros w Hw. unfold vectors, functions in Hw. rewrite map_map in Hw. apply in_map_iff in Hw. destruct Hw as (e & <- & He).
  pose proof (built_spanned X) as B. rewrite Forall_forall in B. exact (B e He).
Qed.

Lemma rank_mono X Y : incl X Y -> (rank X <= rank Y)%nat.
Proof.
  intros H. unfold rank. replace (length (built Y)) with (length (vectors (built Y))) by (unfold vectors, functions; now rewrite !map_length).
  apply (basis_length q q_prime _ _ (built_echelon X)). eapply Forall_impl; [|apply built_spanned].
  intros e He. apply spanned_built. now apply (spanned_incl X Y).
Qed.

(** Vectors that some others span have no larger rank than these are. *)
Lemma rank_within vs X : (forall e, In e X -> span q vs (vec (v e))) -> (rank X <= length vs)%nat.
Proof.
  intros H. apply (basis_length q q_prime _ _ (built_echelon X)). eapply Forall_impl; [|apply built_spanned].
  intros b. apply span_trans. intros w Hw. apply in_map_iff in Hw. destruct Hw as (e & <- & He). auto.
Qed.

Lemma rank_next X e : rank (X ++ [e]) = rank X \/ rank (X ++ [e]) = S (rank X).
Proof. unfold rank. rewrite built_last. unfold extend. destruct (first_entry _ _ _); auto. Qed.

Lemma rank_same X e : rank (X ++ [e]) = rank X -> spanned X (vec (v e)).
Proof.
  unfold rank. intros H. apply built_spans. replace (built X) with (built (X ++ [e])); [apply covered, in_or_app; simpl; auto|].
  rewrite built_last in *. unfold extend in *. destruct (first_entry _ _ _); [simpl in H; lia|reflexivity].
Qed.

Lemma rank_spanned X e : spanned X (vec (v e)) -> rank (X ++ [e]) = rank X.
Proof.
  intros H. destruct (rank_next X e) as [E|E]; [exact E|exfalso]. assert (rank (X ++ [e]) <= rank X)%nat; [|lia].
  unfold rank. replace (length (built X)) with (length (vectors (built X))) by (unfold vectors, functions; now rewrite !map_length).
  apply (basis_length q q_prime _ _ (built_echelon _)). eapply Forall_impl; [|apply built_spanned].
  intros b Hb. eapply span_trans; [|exact Hb]. intros w Hw. apply in_map_iff in Hw. destruct Hw as (x & <- & Hx).
  apply spanned_built. apply in_app_or in Hx. destruct Hx as [Hx|[<-|[]]]; [|exact H].
  apply span_member. now apply (in_map (fun e => vec (v e))).
Qed.

(** What a further element adds is less the more there is. *)
Lemma rank_marginal A P e : incl A P -> (rank (P ++ [e]) + rank A <= rank (A ++ [e]) + rank P)%nat.
Proof.
  intros H. destruct (rank_next A e) as [E|E].
  - rewrite (rank_spanned P e) by (apply (spanned_incl A P); [exact H|now apply rank_same]). lia.
  - destruct (rank_next P e); lia.
Qed.
End Rank.

Lemma rank_map S T (v : T -> list Z) (h : S -> T) X : rank S (fun e => v (h e)) X = rank T v (map h X).
Proof.
  unfold rank, built. f_equal. generalize (@nil (nat * list Z)). induction X as [|e X IH]; simpl; intros b; [reflexivity|apply IH].
Qed.

(** Fewer columns have no larger rank. *)
Lemma span_composed (place : nat -> nat) vs : forall u, span q vs u -> span q (map (fun w i => w (place i)) vs) (fun i => u (place i)).
Proof.
  induction vs as [|w vs IH]; simpl; intros u H; [intros i; apply H|]. destruct H as [c H]. exists c. exact (IH _ H).
Qed.

Lemma rank_restricted T (v v' : T -> list Z) (place : nat -> nat) X :
  (forall e i, In e X -> vec (v e) i = vec (v' e) (place i)) -> (rank T v X <= rank T v' X)%nat.
Proof.
  intros H. unfold rank at 2. replace (length (built T v' X)) with (length (map (fun w i => w (place i)) (vectors (built T v' X))))
    by (unfold vectors, functions; now rewrite !map_length).
  apply rank_within. intros e He. eapply span_eq; [|exact (span_composed place _ _ (covered T v' X e He))].
  intros i. cbv beta. now rewrite H.
Qed.

(** ** Functionals: what vanishes on a basis, and not on what it does not span *)
Definition functional := list (nat * Z).
Definition apply_to (phi : functional) (u : nat -> Z) : Z := fold_right (fun e s => snd e * u (fst e) + s) 0 phi.

Lemma apply_comb phi u w a b : apply_to phi (fun i => a * u i - b * w i) = a * apply_to phi u - b * apply_to phi w.
Proof. induction phi as [|[k c] phi IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma apply_ext phi u w : (forall i, (q | u i - w i)) -> (q | apply_to phi u - apply_to phi w).
Proof.
  intros H. induction phi as [|[k c] phi IH]; simpl; [exists 0; ring|].
  replace (c * u k + apply_to phi u - (c * w k + apply_to phi w)) with (c * (u k - w k) + (apply_to phi u - apply_to phi w)) by ring.
  apply Z.divide_add_r; [now apply Z.divide_mul_r|exact IH].
Qed.

Lemma apply_zero phi u : (forall i, (q | u i)) -> (q | apply_to phi u).
Proof.
  intros H. induction phi as [|[k c] phi IH]; simpl; [exists 0; ring|]. apply Z.divide_add_r; [now apply Z.divide_mul_r|exact IH].
Qed.

Lemma apply_span phi vs : (forall w, In w vs -> (q | apply_to phi w)) -> forall u, span q vs u -> (q | apply_to phi u).
Proof.
  intros H. induction vs as [|w vs IH]; simpl; intros u S; [now apply apply_zero|].
  destruct S as [c S]. specialize (IH (fun w' Hw => H w' (or_intror Hw)) _ S).
  replace (apply_to phi u) with (apply_to phi (fun i => u i - c * w i) + c * apply_to phi w).
  - apply Z.divide_add_r; [exact IH|]. apply Z.divide_mul_r. apply H. simpl. auto.
  - clear. induction phi as [|[k d] phi IH]; simpl; [ring|]. rewrite <- IH. ring.
Qed.

Lemma vanishing (bs : list (nat * (nat -> Z))) : echelon q bs -> forall psi, exists phi,
  (forall b, In b bs -> (q | apply_to phi (snd b))) /\
  (forall u, Forall (fun j => (q | u j)) (map fst bs) -> (q | apply_to phi u - apply_to psi u)).
Proof.
  induction bs as [|[i b] rest IH]; intros E psi.
  - exists psi. split; [intros b []|intros u _; exists 0; ring].
  - destruct E as (Ni & Z & E). destruct (rel_prime_bezout (b i) q) as [x y B].
    { apply rel_prime_sym. now apply prime_rel_prime. }
    destruct (IH E ((i, - (x * apply_to psi b)) :: psi)) as (phi & K & A). exists phi. split.
    + intros e [<-|He]; [|now apply K]. cbn [snd]. specialize (A b Z). simpl in A. destruct A as [k A].
      exists (k + y * apply_to psi b).
      replace (apply_to phi b) with (k * q + (- (x * apply_to psi b) * b i + apply_to psi b)) by lia.
      replace (k * q + (- (x * apply_to psi b) * b i + apply_to psi b)) with (k * q + apply_to psi b * (1 - (x * b i + y * q)) + y * apply_to psi b * q) by ring.
      rewrite B. ring.
    + intros u Hu. simpl in Hu. inversion Hu as [|? ? Hi Hr]; subst. specialize (A u Hr). simpl in A.
      replace (apply_to phi u - apply_to psi u) with (apply_to phi u - (- (x * apply_to psi b) * u i + apply_to psi u) + - (x * apply_to psi b) * u i) by ring.
      apply Z.divide_add_r; [exact A|]. now apply Z.divide_mul_r.
Qed.

(** ** Dependencies *)
Section Dual.
Variable T : Type.
Variables v w : T -> list Z.

Definition combined (coefficient : T -> Z) (X : list T) (i : nat) : Z :=
  fold_right (fun e s => coefficient e * vec (v e) i + s) 0 X.

Lemma combined_app g X Y i : combined g (X ++ Y) i = combined g X i + combined g Y i.
Proof. induction X as [|e X IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma combined_permutation g X Y i : Permutation X Y -> combined g X i = combined g Y i.
Proof. induction 1; simpl; lia. Qed.

Lemma combined_spanned g X : spanned T v X (combined g X).
Proof.
  unfold spanned. induction X as [|e X IH]; simpl; [intros i; exists 0; ring|]. exists (g e). eapply span_eq; [|exact IH].
  intros i. cbv beta. ring.
Qed.

Lemma combined_zero g X i : (forall e, In e X -> (q | g e)) -> (q | combined g X i).
Proof.
  induction X as [|e X IH]; simpl; intros H; [exists 0; ring|]. apply Z.divide_add_r; [apply Z.divide_mul_l; auto|auto].
Qed.

Variable L : list T.
Hypothesis dependent : forall k i, (q | combined (fun e => vec (w e) k) L i).

Lemma dependent_apply phi i : (q | combined (fun e => apply_to phi (vec (w e))) L i).
Proof.
  induction phi as [|[k c] phi IH].
  - apply combined_zero. intros e _. simpl. exists 0. ring.
  - replace (combined (fun e => apply_to ((k, c) :: phi) (vec (w e))) L i)
      with (c * combined (fun e => vec (w e) k) L i + combined (fun e => apply_to phi (vec (w e))) L i).
    + apply Z.divide_add_r; [now apply Z.divide_mul_r|exact IH].
    + clear. induction L as [|e X IH]; simpl; [ring|]. simpl in IH. rewrite <- IH. ring.
Qed.

Lemma dual_step A e R : Permutation L (A ++ e :: R) -> rank T w (A ++ [e]) = S (rank T w A) -> spanned T v R (vec (v e)).
Proof.
  intros P H. unfold rank in H. rewrite built_last in H. unfold extend in H.
  destruct (first_entry q 0 (reduce q (built T w A) (w e))) as [i|] eqn:F; [|lia]. clear H.
  destruct (first_entry_spec q q_prime _ _ _ F) as (k & -> & Nk). simpl in Nk.
  pose proof (built_echelon T w A) as E. destruct (vanishing _ E [(k, 1)]) as (phi & K & V).
  pose proof (reduce_zero q q_prime (built T w A) (w e) E) as Z0. rewrite <- (map_functions (built T w A)) in Z0.
  specialize (V _ Z0). unfold apply_to in V at 2. simpl in V.
  assert (KA : forall u, span q (vectors (built T w A)) u -> (q | apply_to phi u)).
  { apply apply_span. intros u Hu. unfold vectors in Hu. apply in_map_iff in Hu. destruct Hu as (b & <- & Hb). now apply K. }
  assert (Ne : ~ (q | apply_to phi (vec (w e)))).
  { intros D. destruct (reduce_covers (built T w A) (w e) E) as (a & _ & S). apply KA in S.
    set (r := vec (reduce q (built T w A) (w e))) in *.
    replace (apply_to phi (fun i => a * vec (w e) i - r i)) with (a * apply_to phi (vec (w e)) - apply_to phi r) in S
      by (clear; induction phi as [|[j c] phi IH]; simpl; [ring|]; rewrite <- IH; ring).
    apply Nk. fold r in V. change (q | r k).
    replace (r k) with (a * apply_to phi (vec (w e)) - (a * apply_to phi (vec (w e)) - apply_to phi r) - (apply_to phi r - (1 * r k + 0))) by ring.
    apply Z.divide_sub_r; [apply Z.divide_sub_r; [now apply Z.divide_mul_r|exact S]|exact V]. }
  apply (span_scaled _ _ _ Ne). eapply span_ext; [|exact (span_comb q _ _ _ _ (-1) 0
    (combined_spanned (fun x => apply_to phi (vec (w x))) R) (combined_spanned (fun x => apply_to phi (vec (w x))) R))].
  intros j. cbv beta. pose proof (dependent_apply phi j) as D. rewrite (combined_permutation _ _ _ j P), combined_app in D. simpl in D.
  assert (DA : (q | combined (fun x => apply_to phi (vec (w x))) A j)).
  { apply combined_zero. intros x Hx. apply KA. now apply covered. }
  destruct D as [d D], DA as [a DA]. exists (a - d). lia.
Qed.

Lemma dual_chain B : forall A R, Permutation L (A ++ B ++ R) ->
  (rank T w (A ++ B) + rank T v (B ++ R) <= rank T w A + rank T v R + length B)%nat.
Proof.
  induction B as [|e B IH]; intros A R P; [rewrite app_nil_r; simpl; lia|].
  specialize (IH (A ++ [e]) R). rewrite <- !app_assoc in IH. simpl in IH. specialize (IH P).
  pose proof (rank_mono T v ((e :: B) ++ R) ((B ++ R) ++ [e])) as M. simpl in M.
  assert (I : incl (e :: B ++ R) ((B ++ R) ++ [e])) by (intros x [<-|Hx]; apply in_or_app; simpl; auto). specialize (M I). clear I.
  simpl. destruct (rank_next T w A e) as [E|E].
  - destruct (rank_next T v (B ++ R) e); lia.
  - rewrite (rank_spanned T v (B ++ R) e (dual_step A e (B ++ R) P E)) in M. lia.
Qed.

(** The dependencies that a set needs, against the rank of the others. *)
Theorem dual_rank B R : Permutation L (B ++ R) -> (rank T w B + rank T v L <= rank T v R + length B)%nat.
Proof.
  intros P. pose proof (dual_chain B [] R P) as H. simpl in H. replace (rank T w []) with 0%nat in H by reflexivity.
  assert (incl L (B ++ R)) by (intros x; apply Permutation_in; exact P). pose proof (rank_mono T v L (B ++ R) H0). lia.
Qed.
End Dual.

Lemma combined_map {T U} (h : T -> U) v g es i : combined U v g (map h es) i = combined T (fun e => v (h e)) (fun e => g (h e)) es i.
Proof. induction es as [|e es IH]; simpl; [reflexivity|]. now rewrite IH. Qed.

Notation pair_of_vectors := (list Z * list Z)%type.

Lemma added_spec (es : list pair_of_vectors) i : (q | vec (added q es) i - combined pair_of_vectors fst (fun e => vec (snd e) 0) es i).
Proof.
  induction es as [|e es IH]; simpl; [exists 0; unfold vec, combined; simpl; now destruct i|].
  replace (hd 0 (snd e)) with (vec (snd e) 0) by (unfold vec; now destruct (snd e)). fold (added q es).
  fold (combined pair_of_vectors fst (fun e => vec (snd e) 0) es i).
  pose proof (combine_rows_spec q q_prime 1 (- vec (snd e) 0) (added q es) (fst e) i) as A.
  replace (vec (combine_rows q 1 (added q es) (- vec (snd e) 0) (fst e)) i - (vec (snd e) 0 * vec (fst e) i + combined _ fst (fun e => vec (snd e) 0) es i))
    with (vec (combine_rows q 1 (added q es) (- vec (snd e) 0) (fst e)) i - (1 * vec (added q es) i - - vec (snd e) 0 * vec (fst e) i)
          + (vec (added q es) i - combined _ fst (fun e => vec (snd e) 0) es i)) by ring.
  now apply Z.divide_add_r.
Qed.

Lemma orthogonal_to_spec n : forall es, orthogonal_to q n es = true ->
  forall k i, (q | combined pair_of_vectors fst (fun e => vec (snd e) k) es i).
Proof.
  induction n as [|n IH]; simpl; intros es H k i.
  - apply combined_zero. intros e He. rewrite forallb_forall in H. specialize (H e He). destruct (snd e); [|discriminate].
    exists 0. unfold vec. now destruct k.
  - destruct (forallb _ (added q es)) eqn:Z0; [|discriminate]. destruct k as [|k].
    + destruct (added_spec es i) as [a A]. rewrite forallb_forall in Z0.
      assert (D : (q | vec (added q es) i)).
      { unfold vec. destruct (nth_in_or_default i (added q es) 0) as [M| ->]; [|exists 0; ring].
        specialize (Z0 _ M). apply Z.eqb_eq in Z0. apply Zmod_divide; [pose proof (prime_ge_2 q q_prime); lia|exact Z0]. }
      destruct D as [d D]. exists (d - a). lia.
    + specialize (IH _ H k i). rewrite combined_map in IH. cbn [fst snd] in IH.
      replace (combined _ fst (fun e => vec (snd e) (S k)) es i) with (combined pair_of_vectors (fun e => fst e) (fun e => vec (tl (snd e)) k) es i); [exact IH|].
      clear. induction es as [|e es IH]; simpl; [reflexivity|]. rewrite IH. unfold vec. now destruct (snd e); [destruct k|].
Qed.

Lemma orthogonal_spec {T} (v w : T -> list Z) es : orthogonal q v w es = true -> forall k i, (q | combined T v (fun e => vec (w e) k) es i).
Proof.
  intros H k i. pose proof (orthogonal_to_spec _ _ H k i) as D. rewrite combined_map in D. exact D.
Qed.
End Spans.
