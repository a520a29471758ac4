(** * Rank over the rationals: at least that modulo a prime, at most the number of different lines

    Vectors that few rational vectors span are, modulo a prime, spanned by as few of them: if there are more, some integer
    combination is 0, and not all of its coefficients are divisible by the prime. *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith Znumtheory Permutation.
From Ccsim Require Import Specification Span Lines Elimination Refutation RefutationSound NodesSound FoolingSets Rectangles.
From Ccsim Require Export Vectors.
Import ListNotations.
Open Scope Q_scope.

Lemma rationals : null_ideal 0 1 Qplus Qmult Qminus Qopp Qeq (fun q => q == 0).
Proof.
  constructor; [exact Q_Setoid|constructor; [exact Qplus_comp|exact Qmult_comp|exact Qopp_comp]|exact Qsrt|now intros a b <-|reflexivity| |].
  - intros a b -> ->. reflexivity.
  - intros a b ->. ring.
Qed.

Lemma rationals_prime : null_prime 1 Qmult (fun q => q == 0).
Proof. constructor; [intros a; destruct (Qeq_dec a 0); auto|intros a b; apply Qmult_integral|discriminate]. Qed.

Notation rational_span I := (@spans Q Qmult Qminus (fun q => q == 0) I).
Notation combined := (linear_combination 0 Qplus Qmult).

Section Vectors.
Variable I : Type.

Definition rational_span_ext := spans_eq rationals (I := I).

Lemma dependent vs T (vec : T -> I -> Q) (ts : list T) : Forall (fun t => rational_span I vs (vec t)) ts ->
  (length vs < length ts)%nat -> exists ws, map snd ws = ts /\ Exists (fun w => ~ fst w == 0) ws /\ forall i, combined vec ws i == 0.
Proof. exact (few_are_dependent rationals rationals_prime vs T vec ts). Qed.

(** ** In integers, with a coefficient that a prime does not divide *)
Definition combined_in_Z (ws : list (Z * (I -> Z))) (i : I) : Z := fold_right (fun w s => (fst w * snd w i + s)%Z) 0%Z ws.

Lemma in_integers (ws : list (Q * (I -> Z))) : exists (d : positive) (zs : list (Z * (I -> Z))), map snd zs = map snd ws /\
  Forall2 (fun w z => inject_Z (fst z) == inject_Z (Zpos d) * fst w) ws zs.
Proof.
  induction ws as [|[q b] ws (d & zs & M & F)]; [exists 1%positive, []; auto|]. destruct q as [n e].
  exists (e * d)%positive, ((n * Zpos d, b)%Z :: map (fun z => (fst z * Zpos e, snd z)%Z) zs). split.
  - simpl. f_equal. rewrite map_map. simpl. rewrite <- M. reflexivity.
  - constructor.
    + unfold Qeq, Qmult, inject_Z. cbn [Qnum Qden fst snd]. rewrite ?Pos.mul_1_l, ?Pos2Z.inj_mul. ring.
    + clear M. induction F as [|w z ws zs E _ IH]; simpl; constructor; [|exact IH]. simpl. rewrite inject_Z_mult, E.
      unfold Qeq, Qmult, inject_Z. cbn [Qnum Qden fst snd]. rewrite ?Pos.mul_1_l, ?Pos.mul_1_r, ?Pos2Z.inj_mul. ring.
Qed.

Lemma combined_integers (ws : list (Q * (I -> Z))) zs d i : map snd zs = map snd ws ->
  Forall2 (fun w z => inject_Z (fst z) == inject_Z (Zpos d) * fst w) ws zs ->
  inject_Z (combined_in_Z zs i) == inject_Z (Zpos d) * combined (fun b i => inject_Z (b i)) ws i.
Proof.
  unfold combined_in_Z, linear_combination. generalize (inject_Z (Zpos d)) as e. intros e M F. revert M.
  induction F as [|w z ws zs E _ IH]; intros M; cbn [fold_right]; [ring|]. injection M as M1 M2.
  rewrite inject_Z_plus, inject_Z_mult, E, (IH M2), M1. ring.
Qed.

Definition magnitude (zs : list (Z * (I -> Z))) : nat := fold_right (fun z s => (Z.abs_nat (fst z) + s)%nat) 0%nat zs.

Lemma primitive p : prime p -> forall n zs, (magnitude zs <= n)%nat -> Exists (fun z => fst z <> 0%Z) zs ->
  (forall i, combined_in_Z zs i = 0%Z) -> exists zs', map snd zs' = map snd zs /\ Exists (fun z => ~ (p | fst z)%Z) zs' /\
    forall i, combined_in_Z zs' i = 0%Z.
Proof.
  intros P. pose proof (prime_ge_2 p P) as P2. induction n as [|n IH]; intros zs L E K.
  - exfalso. induction E as [z zs Nz|z zs _ IHE]; simpl in L; lia || (apply IHE; [lia|]).
    clear -L K. intros i. specialize (K i). simpl in K. assert (fst z = 0%Z) as Z0 by lia. rewrite Z0 in K. exact K.
  - destruct (Forall_Exists_dec (fun z : Z * (I -> Z) => (p | fst z)%Z) (fun z => Zdivide_dec p (fst z)) zs) as [D|X]; [|now exists zs].
    set (less := map (fun z : Z * (I -> Z) => (fst z / p, snd z)%Z) zs).
    assert (Mul : forall z, In z zs -> fst z = (p * (fst z / p))%Z).
    { intros z Hz. rewrite Forall_forall in D. apply Z_div_exact_2; [lia|]. apply Zdivide_mod. now apply D. }
    destruct (IH less) as (zs' & M & X & K').
    + assert (B : (2 * magnitude less <= magnitude zs)%nat).
      { unfold less. clear -Mul P2. induction zs as [|z zs IH]; simpl; [lia|]. specialize (IH (fun w Hw => Mul w (or_intror Hw))).
        pose proof (Mul z (or_introl eq_refl)) as Mz. set (q := (fst z / p)%Z) in *. assert (2 * Z.abs_nat q <= Z.abs_nat (fst z))%nat; [|lia].
        rewrite Mz, Zabs2Nat.inj_mul. nia. }
      assert (0 < magnitude zs)%nat by (clear -E; induction E; simpl; lia). lia.
    + unfold less. apply Exists_map. clear -E Mul. apply Exists_exists in E. destruct E as (z & Hz & N). apply Exists_exists. exists z. split; [exact Hz|].
      simpl. intros Z. apply N. rewrite (Mul z Hz), Z. ring.
    + intros i. specialize (K i). assert (T : combined_in_Z zs i = (p * combined_in_Z less i)%Z).
      { unfold less, combined_in_Z. clear -Mul. induction zs as [|z zs IH]; cbn [map fold_right fst snd]; [ring|].
        rewrite (IH (fun w Hw => Mul w (or_intror Hw))), (Mul z (or_introl eq_refl)) at 1. ring. }
      rewrite T in K. nia.
    + exists zs'. split; [|now split]. rewrite M. unfold less. now rewrite map_map.
Qed.

Lemma span_unit p vs (c : Z) (v : I -> Z) : prime p -> ~ (p | c)%Z -> span p vs (fun i => (c * v i)%Z) -> span p vs v.
Proof.
  intros P N S. destruct (rel_prime_bezout p c (prime_rel_prime p P c N)) as [a b E].
  eapply span_ext; [|exact (span_comb p I vs _ _ b 0%Z S S)]. intros i. cbv beta.
  exists (- a * v i)%Z. set (w := v i). assert (K : w = ((a * p + b * c) * w)%Z) by (rewrite E; ring).
  transitivity (b * (c * w) - (a * p + b * c) * w)%Z; [rewrite <- K|]; ring.
Qed.

Lemma combined_in_Z_app a b i : combined_in_Z (a ++ b) i = (combined_in_Z a i + combined_in_Z b i)%Z.
Proof. induction a as [|w a IH]; simpl; [ring|]. unfold combined_in_Z in *. rewrite IH. ring. Qed.

Lemma span_combined p vs zs : Forall (fun z => span p vs (snd z)) zs -> span p vs (combined_in_Z zs).
Proof.
  induction 1 as [|z zs H _ IH]; simpl; [apply span_zero|].
  eapply span_eq; [|exact (span_comb p I vs _ _ (fst z) (-1)%Z H IH)]. intros i. cbv beta. unfold combined_in_Z. cbn [fold_right]. ring.
Qed.

Theorem few_modulo p (vs : list (I -> Q)) : prime p -> forall n (rows : list (I -> Z)), (length rows <= n)%nat ->
  Forall (fun b => rational_span I vs (fun i => inject_Z (b i))) rows ->
  exists few, (length few <= length vs)%nat /\ Forall (span p few) rows.
Proof.
  intros P. assert (Own : forall rows : list (I -> Z), Forall (span p rows) rows).
  { intros rows. apply Forall_forall. intros b Hb. apply in_split in Hb. destruct Hb as (l & r & ->).
    apply span_app_r. simpl. exists 1%Z. eapply span_eq; [|apply span_zero]. intros i. cbv beta. ring. }
  induction n as [|n IH]; intros rows L S.
  - exists rows. split; [lia|apply Own].
  - destruct (le_lt_dec (length rows) (length vs)) as [Few|Many]; [exists rows; split; [exact Few|apply Own]|].
    destruct (dependent vs _ (fun (b : I -> Z) i => inject_Z (b i)) rows S Many) as (ws & Mw & W & K).
    destruct (in_integers ws) as (d & zs & Mz & F).
    destruct (primitive p P (magnitude zs) zs (le_n _)) as (zs' & M & X & Z).
    + clear -F W. induction F as [|w z ws zs E _ IHF]; inversion W; subst.
      * left. intros Z0. rewrite Z0 in E. apply H0. change (inject_Z 0) with 0 in E. symmetry in E. apply Qmult_integral in E. destruct E as [E|E]; [discriminate|exact E].
      * right. now apply IHF.
    + intros i. pose proof (combined_integers ws zs d i Mz F) as E. rewrite (K i), Qmult_0_r in E. unfold Qeq in E. simpl in E. lia.
    + apply Exists_exists in X. destruct X as ([c b] & Hc & N). apply in_split in Hc. destruct Hc as (l & r & ->). simpl in N.
      assert (R : rows = map snd l ++ b :: map snd r) by (rewrite <- Mw, <- Mz, <- M, map_app; reflexivity).
      destruct (IH (map snd l ++ map snd r)) as (few & Lf & Sf).
      * rewrite R in L. rewrite app_length in *. simpl in L. lia.
      * rewrite R in S. apply Forall_app in S. destruct S as [Sl Sr]. inversion Sr; subst. now apply Forall_app.
      * exists few. split; [exact Lf|]. rewrite R. apply Forall_app in Sf. destruct Sf as [Sl Sr]. apply Forall_app. split; [exact Sl|].
        constructor; [|exact Sr]. apply (span_unit p few c b P N).
        assert (Sum : span p few (fun i => (- 1 * combined_in_Z l i - 1 * combined_in_Z r i)%Z)).
        { apply span_comb; apply span_combined; now apply Forall_map. }
        eapply span_eq; [|exact Sum]. intros i. specialize (Z i). rewrite combined_in_Z_app in Z. simpl in Z.
        change (fold_right _ 0%Z r) with (combined_in_Z r i) in Z. cbv beta. lia.
Qed.
End Vectors.

(** ** From below: the rank of a part, modulo a prime *)
Theorem rational_rank_of_terms t prime code R C v count : part_rank t prime code R C = Some v ->
  rational_rank_at_most (cell t) code count -> (v <= N.of_nat count)%N.
Proof.
  intros H (terms & L & K). set (cols := map fst (pick C (column_lines t))).
  set (at_column := fun (w : N -> Q) (i : nat) => match nth_error cols i with Some y => w y | None => 0 end).
  set (vs := map (fun term : (N -> Q) * (N -> Q) => at_column (snd term)) terms).
  pose proof H as H'. unfold part_rank in H'. destruct (regular t) eqn:Rg; [|discriminate].
  destruct (is_prime prime) eqn:P; [|discriminate]. destruct (promised _ _ _) eqn:Pr; [|discriminate]. clear H'. apply is_prime_spec in P.
  pose proof (pick_good (cell t) R _ (row_lines_good t)) as G.
  set (rows := map (row (cell t) cols code) (map fst (pick R (row_lines t)))).
  assert (S : Forall (fun b => rational_span _ vs (fun i => inject_Z (b i))) rows).
  { apply Forall_map, Forall_forall. intros x Hx.
    assert (Sp : forall ts, rational_span _ (map (fun term : (N -> Q) * (N -> Q) => at_column (snd term)) ts)
                   (at_column (fun y => sum_of_rational_products ts x y))).
    { induction ts as [|[u w] ts IH]; cbn [map spans].
      - intros i. unfold at_column. destruct (nth_error cols i); reflexivity.
      - exists (u x). eapply rational_span_ext; [|exact IH]. intros i. unfold at_column. cbn [snd]. destruct (nth_error cols i); [|ring].
        unfold sum_of_rational_products. cbn [fold_right fst snd]. ring. }
    eapply rational_span_ext; [|exact (Sp terms)]. intros i. unfold at_column, row. destruct (nth_error cols i) as [y|] eqn:E; [|reflexivity].
    assert (Hy : bits C y).
    { apply nth_error_In in E. unfold cols in E. pose proof (pick_bits C (column_lines t)) as B. rewrite Forall_forall in B. now apply B. }
    pose proof (promised_spec (cell t) (codes_of t) _ _ G Pr x y Hx Hy) as Some'. destruct (K x y) as [K1 K2].
    destruct (cell t x y) as [a|]; [|congruence]. simpl. destruct (N.eqb_spec a code) as [->|Ne]; simpl.
    - now apply K1.
    - apply K2; congruence. }
  destruct (few_modulo _ prime vs P (length rows) rows (le_n _) S) as (few & Lf & Sf).
  pose proof (part_rank_spans t prime code R C v few H) as B.
  assert (v <= N.of_nat (length few))%N; [|unfold vs in Lf; rewrite map_length in Lf; lia].
  apply B. intros x Hx _ Hr. rewrite Forall_forall in Sf. apply Sf. unfold rows. apply in_map. apply pick_rows. now split.
Qed.

(** ** From above: a product for each different line that is not zero *)
Definition line_mask (L : list line) (code x : N) : N := match find (fun l => (fst l =? x)%N) L with Some l => plane code l | None => 0%N end.

Lemma line_mask_spec g L code x y : Forall (good g) L -> (forall x y a, g x y = Some a -> In x (map fst L)) ->
  N.testbit (line_mask L code x) y = is_code (g x y) code.
Proof.
  intros G All. unfold line_mask. destruct (find _ L) as [l|] eqn:F.
  - apply find_some in F. destruct F as [Hl E]. apply N.eqb_eq in E. rewrite Forall_forall in G. now rewrite (G l Hl), E.
  - rewrite N.bits_0. destruct (g x y) as [a|] eqn:E; [|reflexivity]. exfalso. apply All, in_map_iff in E. destruct E as (l & <- & Hl).
    pose proof (find_none _ _ F l Hl) as B. cbv beta in B. now rewrite N.eqb_refl in B.
Qed.

Definition line_terms (L : list line) (code : N) : list ((N -> Z) * (N -> Z)) :=
  map (fun m => ((fun x => indicator (line_mask L code x =? m)%N), (fun y => indicator (N.testbit m y))))
      (nodup N.eq_dec (filter (fun m => negb (m =? 0)%N) (map (plane code) L))).

Lemma line_terms_sum g L code x y : Forall (good g) L -> (forall x y a, g x y = Some a -> In x (map fst L)) ->
  sum_of_products (line_terms L code) x y = indicator (is_code (g x y) code).
Proof.
  intros G All. rewrite <- (line_mask_spec g L code x y G All). unfold line_terms.
  set (ms := nodup N.eq_dec (filter (fun m => negb (m =? 0)%N) (map (plane code) L))).
  assert (ND : NoDup ms) by apply NoDup_nodup.
  assert (Sum : forall l, NoDup l -> sum_of_products (map (fun m => ((fun x => indicator (line_mask L code x =? m)%N), (fun y => indicator (N.testbit m y)))) l) x y
                = if existsb (N.eqb (line_mask L code x)) l then indicator (N.testbit (line_mask L code x) y) else 0%Z).
  { induction 1 as [|m l Nm _ IH]; [reflexivity|]. unfold sum_of_products in *. cbn [map fold_right fst snd existsb]. rewrite IH.
    destruct (N.eqb_spec (line_mask L code x) m) as [->|Ne]; cbn [orb indicator]; [|lia].
    destruct (existsb (N.eqb m) l) eqn:E; [|unfold indicator; lia]. exfalso. apply Nm. apply existsb_exists in E. destruct E as (k & Hk & E).
    apply N.eqb_eq in E. now subst. }
  rewrite (Sum ms ND). destruct (existsb _ ms) eqn:E; [reflexivity|].
  destruct (N.testbit (line_mask L code x) y) eqn:B; [|reflexivity]. exfalso. assert (T : existsb (N.eqb (line_mask L code x)) ms = true); [|congruence].
  apply existsb_exists. exists (line_mask L code x). split; [|apply N.eqb_refl]. apply nodup_In, filter_In. split.
  - unfold line_mask in *. destruct (find _ L) as [l|] eqn:F; [|now rewrite N.bits_0 in B]. apply find_some in F. now apply in_map.
  - destruct (N.eqb_spec (line_mask L code x) 0) as [Z|]; [|reflexivity]. now rewrite Z, N.bits_0 in B.
Qed.

Lemma line_terms_length L code : N.of_nat (length (line_terms L code)) = shown_lines L code.
Proof. unfold line_terms, shown_lines. now rewrite map_length. Qed.

Lemma turned_sum (terms : list ((N -> Z) * (N -> Z))) x y : sum_of_products (map (fun term => (snd term, fst term)) terms) x y = sum_of_products terms y x.
Proof. unfold sum_of_products. induction terms as [|term terms IH]; cbn [map fold_right fst snd]; [reflexivity|]. rewrite IH. ring. Qed.

Theorem few_lines t code v : different_lines t code = Some v -> exists terms, length terms = N.to_nat v /\
  forall x y, sum_of_products terms x y = indicator (is_code (cell t x y) code).
Proof.
  unfold different_lines. intros H. destruct (regular t) eqn:R; [|discriminate]. injection H as <-.
  destruct (N.min_spec (shown_lines (row_lines t) code) (shown_lines (column_lines t) code)) as [[_ ->]|[_ ->]].
  - exists (line_terms (row_lines t) code). split; [rewrite <- line_terms_length; lia|]. intros x y.
    apply (line_terms_sum (cell t)); [apply row_lines_good|]. intros u w a. apply row_lines_all.
  - exists (map (fun term => (snd term, fst term)) (line_terms (column_lines t) code)). split; [rewrite map_length, <- line_terms_length; lia|].
    intros x y. rewrite turned_sum. rewrite (line_terms_sum (flip (cell t))); [reflexivity|now apply column_lines_good|].
    intros u w a. now apply column_lines_all.
Qed.

Lemma few_lines_rank t code v prime : different_lines t code = Some v -> rank_at_most (cell t) prime code (N.to_nat v).
Proof.
  intros H. destruct (few_lines t code v H) as (terms & L & K). exists terms. split; [lia|]. intros x y. rewrite K. split.
  - intros ->. simpl. rewrite N.eqb_refl. apply Z.divide_0_r.
  - intros Ne Some'. destruct (cell t x y) as [a|]; [|congruence]. simpl. destruct (N.eqb_spec a code); [congruence|apply Z.divide_0_r].
Qed.

Lemma few_lines_rational_rank t code v : different_lines t code = Some v -> rational_rank_at_most (cell t) code (N.to_nat v).
Proof.
  intros H. destruct (few_lines t code v H) as (terms & L & K).
  exists (map (fun term : (N -> Z) * (N -> Z) => ((fun x => inject_Z (fst term x)), (fun y => inject_Z (snd term y)))) terms).
  split; [rewrite map_length; lia|].
  assert (E : forall x y, sum_of_rational_products (map (fun term : (N -> Z) * (N -> Z) => ((fun x => inject_Z (fst term x)), (fun y => inject_Z (snd term y)))) terms) x y
              == inject_Z (sum_of_products terms x y)).
  { intros x y. clear. unfold sum_of_rational_products, sum_of_products. induction terms as [|term terms IH]; cbn [map fold_right fst snd]; [reflexivity|].
    now rewrite IH, inject_Z_plus, inject_Z_mult. }
  intros x y. rewrite E, K. split.
  - intros ->. simpl. now rewrite N.eqb_refl.
  - intros Ne Some'. destruct (cell t x y) as [a|]; [|congruence]. simpl. destruct (N.eqb_spec a code); [congruence|reflexivity].
Qed.
