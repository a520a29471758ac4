(** * Tensor powers as witnesses: rank, and the leaves of all answers

    Where the weight of the last state is w for an answer and w' for all others, the matrix of weights is w' in all cells
    and w - w' times the 0/1 matrix of the answer: so the rank of that is the power's, less one if w' is not 0. *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith Znumtheory.
From Ccsim Require Import Specification Trees Span Elimination RationalRank Families Reaching Recurrences RegularFooling Tensor.
Import ListNotations.
Open Scope nat_scope.

(** ** The numbers r^n *)
Definition power (r : Z) : system := {| rows := [[(r, 0)]]; finals := [1%Z]; origin := 0 |}.
Definition nothing : system := {| rows := [[]]; finals := [0%Z]; origin := 0 |}.

Lemma power_value r n : value (power r) n 0 = (r ^ Z.of_nat n)%Z.
Proof.
  induction n as [|n IH]; [reflexivity|]. cbn [value]. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. rewrite <- IH.
  unfold row, power. cbn [rows nth weighted_sum fold_right fst snd]. ring.
Qed.

Lemma nothing_value n : 1 <= n -> value nothing n 0 = 0%Z.
Proof. destruct n as [|n]; [lia|reflexivity]. Qed.

(** An answer, and the weights of the states that have it and of those that do not. *)
Definition leaning_code : Type := N * (Z * Z).

Section Power.
Variable F : family.
Variable weight : nat -> Z.
Variable p : Z.
Variable basis : list (list (Z * nat) * nat).

Definition leans (found : list nat) (one : leaning_code) : bool :=
  let '(code, (own, others)) := one in
  negb (zero_modulo p (own - others)) &&
  forallb (fun q => match output F q with
                    | Some a => zero_modulo p (weight q - (if (a =? code)%N then own else others))
                    | None => false
                    end) found.

Definition lost (one : leaning_code) : nat := if zero_modulo p (snd (snd one)) then 0 else 1.

Definition tensor_fits (codes : list leaning_code) : bool :=
  match after_some F with
  | None => false
  | Some found => is_prime p && tensor_ok F weight p found basis && forallb (leans found) codes
  end.

Section Rank.
Variable codes : list leaning_code.
Hypothesis good : tensor_fits codes = true.
Variable n : nat.
Hypothesis positive : 1 <= n.

Lemma p_prime : prime p.
Proof.
  unfold tensor_fits in good. destruct (after_some F); [|discriminate]. apply andb_true_iff in good. destruct good as [G _].
  apply andb_true_iff in G. now apply is_prime_spec.
Qed.

Definition mask (ys : list nat) : Z := indicator (is_word (bob_letters F) n ys).
Definition has (code : N) (xs ys : list nat) : Z :=
  match at_length F n xs ys with Some a => indicator (a =? code)%N | None => 0%Z end.

Lemma promised_there xs ys : is_word (alice_letters F) n xs = true -> is_word (bob_letters F) n ys = true -> codes <> [] ->
  at_length F n xs ys <> None.
Proof.
  intros Hx Hy Ne. pose proof good as G. unfold tensor_fits in G. destruct (after_some F) as [found|] eqn:A; [|discriminate].
  apply andb_true_iff in G. destruct G as [_ G]. destruct codes as [|one l]; [congruence|]. simpl in G. apply andb_true_iff in G. destruct G as [G _].
  unfold leans in G. destruct one as [code [own others]]. apply andb_true_iff in G. destruct G as [_ G]. rewrite forallb_forall in G.
  specialize (G _ (after_read F found A n xs ys positive Hx Hy)). unfold at_length. rewrite Hx, Hy. simpl. now destruct (output F _).
Qed.

(** What spans the 0/1 matrix of an answer has as many vectors as the power's rank, less what is lost. *)
Theorem code_rank one vs : In one codes ->
  (forall xs, is_word (alice_letters F) n xs = true -> span p vs (fun ys => (mask ys * has (fst one) xs ys)%Z)) ->
  length basis ^ n <= length vs + lost one.
Proof.
  intros H1 Sp. pose proof p_prime as Pr. pose proof good as G. unfold tensor_fits in G. destruct (after_some F) as [found|] eqn:A; [|discriminate].
  apply andb_true_iff in G. destruct G as [G Gc]. apply andb_true_iff in G. destruct G as [_ G]. unfold tensor_ok in G.
  apply andb_true_iff in G. destruct G as [G Gb]. apply andb_true_iff in G. destruct G as [Gs Gm]. apply Z.eqb_eq in Gs. rewrite forallb_forall in Gm, Gc.
  specialize (Gc one H1). destruct one as [code [own others]]. unfold leans in Gc. apply andb_true_iff in Gc. destruct Gc as [_ Gc]. rewrite forallb_forall in Gc.
  cbn [fst] in Sp.
  assert (T : forall xs ys, is_word (alice_letters F) n xs = true ->
    (p | (if is_word (bob_letters F) n ys then last_weight F weight xs ys else 0) - (others * mask ys + (own - others) * (mask ys * has code xs ys)))%Z).
  { intros xs ys Hx. unfold mask. destruct (is_word (bob_letters F) n ys) eqn:Hy; cbn [indicator].
    - specialize (Gc _ (after_read F found A n xs ys positive Hx Hy)). unfold has, at_length. rewrite Hx, Hy. cbn [andb].
      destruct (output F _) as [a|]; [|discriminate]. apply (zero_modulo_spec p Pr) in Gc. unfold last_weight.
      destruct (a =? code)%N; cbn [indicator];
        match goal with |- (p | ?a)%Z => match type of Gc with (p | ?b)%Z => replace a with b by ring end end; exact Gc.
    - replace (0 - (others * 0 + (own - others) * (0 * has code xs ys)))%Z with 0%Z by ring. apply Z.divide_0_r. }
  set (vs' := if zero_modulo p others then vs else mask :: vs).
  assert (Len : length vs + lost (code, (own, others)) = length vs').
  { unfold vs', lost. cbn [snd]. destruct (zero_modulo p others); simpl; lia. }
  rewrite Len. apply (tensor_spans F weight p Pr basis Gb found A Gs Gm n). intros xs Hx. unfold vs'.
  destruct (zero_modulo p others) eqn:Z0.
  - apply (zero_modulo_spec p Pr) in Z0. eapply span_ext; [|exact (span_comb p _ vs _ _ (own - others) 0 (Sp xs Hx) (Sp xs Hx))].
    intros ys. cbv beta. specialize (T xs ys Hx). apply Z.divide_opp_r in T.
    match type of T with (p | - (?t - (?o + ?d)))%Z => replace ((own - others) * (mask ys * has code xs ys) - 0 * (mask ys * has code xs ys) - t)%Z
      with (- (t - (o + d)) - o)%Z by ring end.
    apply Z.divide_sub_r; [exact T|]. now apply Z.divide_mul_l.
  - exists others. eapply span_ext; [|exact (span_comb p _ vs _ _ (own - others) 0 (Sp xs Hx) (Sp xs Hx))].
    intros ys. cbv beta. specialize (T xs ys Hx). apply Z.divide_opp_r in T.
    match type of T with (p | - (?t - (?o + ?d)))%Z => replace ((own - others) * (mask ys * has code xs ys) - 0 * (mask ys * has code xs ys) - (t - o))%Z
      with (- (t - (o + d)))%Z by ring end. exact T.
Qed.

Lemma masked vs v : span p vs v -> span p (map (fun w ys => (mask ys * w ys)%Z) vs) (fun ys => (mask ys * v ys)%Z).
Proof. apply span_map. Qed.

Theorem power_rank one count : In one codes -> rank_at_most (at_length F n) p (fst one) count -> length basis ^ n <= count + lost one.
Proof.
  intros H1 (terms & L & K). rewrite <- (map_length snd) in L.
  rewrite <- (map_length (fun w ys => (mask ys * w ys)%Z)) in L. transitivity (length (map (fun w ys => (mask ys * w ys)%Z) (map snd terms)) + lost one); [|lia].
  apply code_rank; [exact H1|]. intros xs Hx.
  assert (Sp : span p (map snd terms) (sum_of_products terms xs)).
  { clear. induction terms as [|[u v] terms IH]; simpl; [intros y; apply Z.divide_0_r|].
    exists (u xs). eapply span_eq; [|exact IH]. intros y. cbv beta. unfold sum_of_products. cbn [fold_right fst snd]. ring. }
  eapply span_ext; [|exact (masked _ _ Sp)]. intros ys. cbv beta. unfold mask.
  destruct (is_word (bob_letters F) n ys) eqn:Hy; cbn [indicator]; [|replace (_ - _)%Z with 0%Z by ring; apply Z.divide_0_r].
  assert (Ne : at_length F n xs ys <> None) by (apply promised_there; auto; intros E; rewrite E in H1; elim H1).
  unfold has. destruct (K xs ys) as [K1 K2]. destruct (at_length F n xs ys) as [a|]; [|congruence].
  destruct (N.eqb_spec a (fst one)) as [->|Na]; cbn [indicator].
  - replace (1 * sum_of_products terms xs ys - 1 * 1)%Z with (sum_of_products terms xs ys - 1)%Z by ring. now apply K1.
  - replace (1 * sum_of_products terms xs ys - 1 * 0)%Z with (sum_of_products terms xs ys) by ring. apply K2; congruence.
Qed.

(** All words, for the rationals. *)
Fixpoint all_words (letters m : nat) : list (list nat) :=
  match m with O => [[]] | S less => flat_map (fun x => map (cons x) (all_words letters less)) (seq 0 letters) end.

Lemma all_words_In letters m : forall xs, is_word letters m xs = true -> In xs (all_words letters m).
Proof.
  induction m as [|m IH]; intros xs H; [apply word_empty in H; subst; now left|]. apply word_cons in H. destruct H as (x & rest & -> & L & H).
  simpl. apply in_flat_map. exists x. split; [apply in_seq; lia|]. now apply in_map, IH.
Qed.

Lemma all_words_are letters m : forall xs, In xs (all_words letters m) -> is_word letters m xs = true.
Proof.
  induction m as [|m IH]; simpl; intros xs H; [destruct H as [<-|[]]; reflexivity|]. apply in_flat_map in H. destruct H as (x & Hx & H).
  apply in_map_iff in H. destruct H as (rest & <- & H). apply in_seq in Hx. specialize (IH rest H). unfold is_word in *.
  apply andb_true_iff in IH. destruct IH as [L A]. simpl. rewrite L, A. replace (x <? letters) with true by (symmetry; apply Nat.ltb_lt; lia). reflexivity.
Qed.

Theorem power_rational_rank one count : In one codes -> rational_rank_at_most (at_length F n) (fst one) count -> length basis ^ n <= count + lost one.
Proof.
  intros H1 (terms & L & K). set (qmask := fun ys => inject_Z (mask ys)).
  set (vs := map (fun term : (list nat -> Q) * (list nat -> Q) => fun ys => (qmask ys * snd term ys)%Q) terms).
  set (rows_of := map (fun xs ys => (mask ys * has (fst one) xs ys)%Z) (all_words (alice_letters F) n)).
  assert (Sp : Forall (fun b => rational_span _ vs (fun ys => inject_Z (b ys))) rows_of).
  { apply Forall_map, Forall_forall. intros xs Hx. apply all_words_are in Hx.
    assert (S0 : rational_span _ vs (fun ys => (qmask ys * sum_of_rational_products terms xs ys)%Q)).
    { unfold vs. clear. induction terms as [|[u v] terms IH]; cbn [map spans].
      - intros ys. unfold sum_of_rational_products. simpl. ring.
      - exists (u xs). eapply rational_span_ext; [|exact IH]. intros ys. cbv beta. unfold sum_of_rational_products. cbn [fold_right fst snd]. ring. }
    eapply rational_span_ext; [|exact S0]. intros ys. cbv beta. unfold qmask, mask.
    destruct (is_word (bob_letters F) n ys) eqn:Hy; cbn [indicator]; [|change (inject_Z 0) with 0%Q; replace (0 * has (fst one) xs ys)%Z with 0%Z by ring; change (inject_Z 0) with 0%Q; ring].
    assert (Ne : at_length F n xs ys <> None) by (apply promised_there; auto; intros E; rewrite E in H1; elim H1).
    unfold has. destruct (K xs ys) as [K1 K2]. destruct (at_length F n xs ys) as [a|]; [|congruence].
    destruct (N.eqb_spec a (fst one)) as [->|Na]; cbn [indicator].
    - rewrite K1 by reflexivity. reflexivity.
    - rewrite K2 by congruence. reflexivity. }
  destruct (few_modulo _ p vs p_prime (length rows_of) rows_of (le_n _) Sp) as (few & Lf & Sf).
  transitivity (length few + lost one); [|unfold vs in Lf; rewrite map_length in Lf; lia].
  apply code_rank; [exact H1|]. intros xs Hx. rewrite Forall_forall in Sf. apply Sf. unfold rows_of. apply in_map_iff. exists xs.
  split; [reflexivity|]. now apply all_words_In.
Qed.

(** ** Leaves *)
Lemma sum_each {T} (r : nat) (h less : T -> nat) l : Forall (fun c => r <= h c + less c) l ->
  length l * r <= list_sum (map h l) + list_sum (map less l).
Proof. induction 1 as [|c l H _ IH]; simpl; lia. Qed.

Theorem power_leaves q : NoDup (map fst codes) -> computes (at_length F n) Both q ->
  (Z.of_nat (length codes) * Z.of_nat (length basis ^ n) - Z.of_nat (list_sum (map lost codes)) <= Z.of_nat (leaves q))%Z.
Proof.
  intros ND Hq. pose proof (columns_counted (list nat) (list nat) N N.eqb N.eqb_eq Both q (map fst codes) ND) as C. simpl in C.
  assert (Each : Forall (fun one => length basis ^ n <= length (columns_of (leaf_columns N.eqb Both) (fst one) q) + lost one) codes).
  { apply Forall_forall. intros one H1. rewrite <- (map_length (fun w ys => (mask ys * w ys)%Z) (columns_of _ _ q)). apply code_rank; [exact H1|]. intros xs Hx.
    pose proof (rows_in_span (said Both) N.eqb (leaf_columns N.eqb Both) (leaf_columns_span (list nat) (list nat) N N.eqb Both) p (fst one) q xs) as Sp.
    eapply span_eq; [|exact (masked _ _ Sp)]. intros ys. cbv beta. unfold mask.
    destruct (is_word (bob_letters F) n ys) eqn:Hy; cbn [indicator]; [|ring].
    assert (Ne : at_length F n xs ys <> None) by (apply promised_there; auto; intros E; rewrite E in H1; elim H1).
    unfold has. destruct (at_length F n xs ys) as [a|] eqn:E; [|congruence]. now rewrite (Hq xs ys a E). }
  rewrite map_map in C. pose proof (sum_each _ (fun one => length (columns_of (leaf_columns N.eqb Both) (fst one) q)) lost codes Each) as Sum.
  cbv beta in C, Sum. rewrite <- Nat2Z.inj_mul. apply Nat2Z.inj_le in C, Sum. rewrite Nat2Z.inj_add in Sum.
  apply Z.le_sub_le_add_r. eapply Z.le_trans; [exact Sum|]. apply Z.add_le_mono_r. exact C.
Qed.
End Rank.

(** ** What is claimed *)
Definition power_system (many less : nat) : system :=
  match basis with [] => nothing | _ => affine (Z.of_nat many) (- Z.of_nat less) (power (Z.of_nat (length basis))) end.

Lemma power_system_value many less n : 1 <= n -> (value (power_system many less) n (origin (power_system many less)) <=
  Z.max 0 (Z.of_nat many * Z.of_nat (length basis ^ n) - Z.of_nat less))%Z.
Proof.
  intros Hn. unfold power_system. destruct basis as [|e b]; [rewrite nothing_value by exact Hn; lia|].
  rewrite affine_value by (reflexivity || exact Hn). rewrite power_value, Nat2Z.inj_pow. lia.
Qed.

Definition tensor_counts (many less : nat) (count : list Z * list Z) : bool :=
  let W := power_system many less in if inside W then recurs W count else false.

Lemma tensor_counts_spec many less count n : tensor_counts many less count = true -> 1 <= n ->
  (count_at count n <= Z.max 0 (Z.of_nat many * Z.of_nat (length basis ^ n) - Z.of_nat less))%Z.
Proof.
  unfold tensor_counts. intros H Hn. destruct (inside _) eqn:I; [|discriminate]. rewrite (recurs_for_ever I H n Hn). now apply power_system_value.
Qed.

Definition one_code (code : N) (codes : list leaning_code) : bool :=
  match codes with [one] => (fst one =? code)%N | _ => false end.

Definition tensor_rank_shown (code : N) (codes : list leaning_code) (count : list Z * list Z) : bool :=
  if one_code code codes then if tensor_fits codes then tensor_counts 1 (list_sum (map lost codes)) count else false else false.

Fixpoint different (codes : list N) : bool :=
  match codes with [] => true | c :: rest => negb (existsb (N.eqb c) rest) && different rest end.

Lemma different_NoDup codes : different codes = true -> NoDup codes.
Proof.
  induction codes as [|c l IH]; simpl; intros H; constructor; apply andb_true_iff in H; destruct H as [H1 H2]; [|now apply IH].
  intros In. apply negb_true_iff in H1. assert (existsb (N.eqb c) l = true); [|congruence]. apply existsb_exists. exists c. split; [exact In|apply N.eqb_refl].
Qed.

Definition tensor_leaves_shown (codes : list leaning_code) (count : list Z * list Z) : bool :=
  if different (map fst codes) then
    if tensor_fits codes then tensor_counts (length codes) (list_sum (map lost codes)) count else false
  else false.
End Power.

Lemma rank_shown_code F weight p basis code codes count : tensor_rank_shown F weight p basis code codes count = true ->
  exists one, codes = [one] /\ fst one = code /\ tensor_fits F weight p basis codes = true /\
    tensor_counts basis 1 (lost p one) count = true.
Proof.
  unfold tensor_rank_shown, one_code. destruct codes as [|one [|]]; try discriminate. destruct (N.eqb_spec (fst one) code) as [E|]; [|discriminate].
  destruct (tensor_fits _ _ _ _ _) eqn:T; [|discriminate]. intros C. exists one. repeat split; auto.
  unfold list_sum in C. cbn [map fold_right] in C. now rewrite Nat.add_0_r in C.
Qed.

Theorem tensor_rank_modulo F weight p basis code codes count : tensor_rank_shown F weight p basis code codes count = true ->
  always_holds F (LastingRankModulo p code) Lower (Counted count).
Proof.
  intros H n Hn k R. destruct (rank_shown_code _ _ _ _ _ _ _ H) as (one & -> & <- & T & C).
  pose proof (power_rank F weight p basis _ T n Hn one k (or_introl eq_refl) R). pose proof (tensor_counts_spec basis _ _ _ n C Hn).
  simpl bound_at. lia.
Qed.

Theorem tensor_rank_rational F weight p basis code codes count : tensor_rank_shown F weight p basis code codes count = true ->
  always_holds F (LastingRankRational code) Lower (Counted count).
Proof.
  intros H n Hn k R. destruct (rank_shown_code _ _ _ _ _ _ _ H) as (one & -> & <- & T & C).
  pose proof (power_rational_rank F weight p basis _ T n Hn one k (or_introl eq_refl) R). pose proof (tensor_counts_spec basis _ _ _ n C Hn).
  simpl bound_at. lia.
Qed.

Theorem tensor_power_value F weight p basis codes n bits : different (map fst codes) = true -> tensor_fits F weight p basis codes = true -> 1 <= n ->
  bits_suffice (at_length F n) Both None bits ->
  let W := power_system basis (length codes) (list_sum (map (lost p) codes)) in (value W n (origin W) <= Z.of_nat (2 ^ bits))%Z.
Proof.
  intros D T Hn (q & Hq & _ & Dq) W. pose proof (power_leaves F weight p basis _ T n Hn q (different_NoDup _ D) Hq) as L.
  pose proof (power_system_value basis (length codes) (list_sum (map (lost p) codes)) n Hn) as V.
  pose proof (leaves_depth q). pose proof (Nat.pow_le_mono_r 2 (depth q) bits ltac:(lia) Dq).
  eapply Z.le_trans; [exact V|]. apply Z.max_lub; [lia|]. eapply Z.le_trans; [exact L|]. apply Nat2Z.inj_le.
  eapply Nat.le_trans; eassumption.
Qed.

Theorem tensor_power_bits F weight p basis codes count : tensor_leaves_shown F weight p basis codes count = true ->
  always_holds F (LastingDeterministic Both) Lower (Counted count).
Proof.
  unfold tensor_leaves_shown, tensor_counts. destruct (different _) eqn:D; [|discriminate]. destruct (tensor_fits _ _ _ _ _) eqn:T; [|discriminate].
  destruct (inside _) eqn:I; [|discriminate]. intros C n Hn bits R. apply bits_of_count. rewrite (recurs_for_ever I C n Hn).
  exact (tensor_power_value _ _ _ _ _ n bits D T Hn R).
Qed.
