(** * Why no split of some lines leaves two halves with few leaves *)
From Coq Require Import List Arith Lia Bool NArith ZArith Znumtheory Permutation.
From Ccsim Require Import Specification Trees Span Lines Elimination TightSplits Matroids Refutation RefutationSound.
From Ccsim Require Export SidesSound.
Import ListNotations.
Open Scope N_scope.

Section Fit.
Variable q : Z.
Hypothesis q_prime : prime q.
Variable ks : list N.
Hypothesis ks_some : ks <> [].
Variables v w : N -> element -> list Z.
Variable all : list element.
Hypothesis all_orthogonal : forall c, In c ks -> orthogonal q (v c) (w c) all = true.
Variable leaves : nat. (* of a half, at most *)
Let tv := in_total q ks element v.
Let tw := in_total q ks element w.
Hypothesis all_ranks : (length ks * length all = tv all + tw all)%nat.
Let side_of := side_of q ks v w.

Definition the_spare : spare :=
  Spare (N.of_nat (length ks)) (N.of_nat leaves) (N.of_nat (length all)) (N.of_nat (tv all)) (N.of_nat (tw all)).

Section Split.
Variable g : element -> bool.
Let left_of (X : list element) := filter (fun e => negb (g e)) X.
Let right_of (X : list element) := filter g X.
Hypothesis left_small : (tv (left_of all) <= leaves)%nat.
Hypothesis right_small : (tv (right_of all) <= leaves)%nat.

Lemma fit_holds P rest a b : all = P ++ rest -> side_of a (left_of P) -> side_of b (right_of P) ->
  fit the_spare (N.of_nat (tv P), N.of_nat (tw P)) a b = true.
Proof.
  intros E (_ & La & Ra & Ea) (_ & Lb & Rb & Eb).
  assert (IL : incl (left_of P) P) by (apply incl_filter). assert (IR : incl (right_of P) P) by (apply incl_filter).
  pose proof (total_excess q q_prime ks element v g rest _ _ _ IL IR) as X1.
  pose proof (total_excess q q_prime ks element w g rest _ _ _ IL IR) as X2.
  unfold left_of, right_of in X1, X2. rewrite <- !filter_app, <- E in X1, X2. fold (left_of P) (right_of P) (left_of all) (right_of all) in X1, X2.
  fold tv tw in X1, X2.
  pose proof (filter_permutation g all) as Q. fold (left_of all) (right_of all) in Q.
  pose proof (total_dual q q_prime ks element v w all all_orthogonal _ _ Q) as D1.
  pose proof (total_dual q q_prime ks element v w all all_orthogonal _ _ (Permutation_trans Q (Permutation_app_comm _ _))) as D2.
  fold tv tw in D1, D2. apply Permutation_length in Q. rewrite app_length in Q.
  assert (SL : incl (left_of P) (left_of all)) by (unfold left_of; rewrite E, filter_app; now apply incl_appl, incl_refl).
  assert (SR : incl (right_of P) (right_of all)) by (unfold right_of; rewrite E, filter_app; now apply incl_appl, incl_refl).
  pose proof (total_mono q q_prime ks element v _ _ SL) as V1. pose proof (total_mono q q_prime ks element v _ _ SR) as V2.
  pose proof (total_mono q q_prime ks element w _ _ SL) as W1. pose proof (total_mono q q_prime ks element w _ _ SR) as W2.
  fold tv tw in V1, V2, W1, W2.
  assert (N1 : (length (left_of P) <= length (left_of all))%nat) by (unfold left_of; rewrite E, filter_app, app_length; lia).
  assert (N2 : (length (right_of P) <= length (right_of all))%nat) by (unfold right_of; rewrite E, filter_app, app_length; lia).
  assert (K : (1 <= length ks)%nat) by (destruct ks; simpl; [congruence|lia]).
  unfold fit, room, the_spare. cbn [half_leaves rows_in_all entries_in_all answers_told lines_in_all fst snd].
  rewrite La, Lb, Ra, Rb, Ea, Eb, !bases_size. fold tv tw.
  assert (M1 : (length ks * length (left_of P) <= length ks * length (left_of all))%nat) by now apply Nat.mul_le_mono_l.
  assert (M2 : (length ks * length (right_of P) <= length ks * length (right_of all))%nat) by now apply Nat.mul_le_mono_l.
  assert (KN : (length ks * length all = length ks * length (right_of all) + length ks * length (left_of all))%nat)
    by (rewrite Q; apply Nat.mul_add_distr_l).
  rewrite !andb_true_iff, !N.leb_le, <- !Nat2N.inj_mul. repeat split; try lia.
  assert (R1 : N.of_nat (length (left_of all)) <= (N.of_nat leaves + N.of_nat (tw all) - N.of_nat (tw (right_of P))) / N.of_nat (length ks))
    by (apply N.div_le_lower_bound; [lia|]; rewrite <- Nat2N.inj_mul; lia).
  assert (R2 : N.of_nat (length (right_of all)) <= (N.of_nat leaves + N.of_nat (tw all) - N.of_nat (tw (left_of P))) / N.of_nat (length ks))
    by (apply N.div_le_lower_bound; [lia|]; rewrite <- Nat2N.inj_mul; lia).
  lia.
Qed.

End Split.

(** The rank of a side is at least what its lines need, and what the other side leaves to it. *)
Lemma heavy_sound refuted (g : element -> bool) P rest a b : all = P ++ rest -> (tv (filter g all) <= leaves)%nat ->
  (tv (filter (fun e => negb (g e)) all) <= leaves)%nat ->
  side_of a (filter (fun e => negb (g e)) P) -> side_of b (filter g P) -> heavy the_spare refuted a b = true ->
  exists r, In r refuted /\ (forall x, bits (fst r) x -> In x (numbers (filter (fun e => negb (g e)) all))) /\
            snd r <= N.of_nat (tv (filter (fun e => negb (g e)) all)).
Proof.
  intros E B2 B1 (Ma & La & Ra & Ea) (_ & Lb & Rb & Eb) H. apply existsb_exists in H. destruct H as (r & Hr & H).
  destruct (N.eqb_spec (N.ldiff (fst r) (mask_held a)) 0) as [D|]; [|discriminate]. apply N.leb_le in H.
  set (S := filter (fun e => negb (g e)) all) in *. set (T := filter g all) in *.
  assert (IS : incl (filter (fun e => negb (g e)) P) S) by (unfold S; rewrite E, filter_app; now apply incl_appl, incl_refl).
  assert (IT : incl (filter g P) T) by (unfold T; rewrite E, filter_app; now apply incl_appl, incl_refl).
  exists r. split; [exact Hr|]. split.
  - intros x Hx. specialize (Ma x (ldiff_subset _ _ D x Hx)). unfold numbers in *. apply in_map_iff in Ma. destruct Ma as (e & <- & He).
    apply (in_map (fun e => fst (snd e))). auto.
  - pose proof (filter_permutation g all) as Q. fold T S in Q.
    pose proof (total_dual q q_prime ks element v w all all_orthogonal _ _ Q) as D1.
    pose proof (total_dual q q_prime ks element v w all all_orthogonal _ _ (Permutation_trans Q (Permutation_app_comm _ _))) as D2.
    pose proof (total_mono q q_prime ks element v _ _ IS) as V1. pose proof (total_mono q q_prime ks element w _ _ IS) as W1.
    pose proof (total_mono q q_prime ks element w _ _ IT) as W2. fold tv tw in D1, D2, V1, W1, W2.
    assert (K : (1 <= length ks)%nat) by (clear -ks_some; destruct ks; simpl; [congruence|lia]).
    unfold room, the_spare in H. cbn [half_leaves rows_in_all entries_in_all answers_told lines_in_all] in H.
    rewrite Ra, Ea, Eb, !bases_size in H. fold tv tw in H.
    set (SP := filter (fun e => negb (g e)) P) in *. set (TP := filter g P) in *.
    assert (KN : (length ks * length all = length ks * length T + length ks * length S)%nat).
    { apply Permutation_length in Q. rewrite app_length in Q. rewrite Q. apply Nat.mul_add_distr_l. }
    assert (R1 : N.of_nat (length T) <= (N.of_nat leaves + N.of_nat (tw all) - N.of_nat (tw SP)) / N.of_nat (length ks))
      by (apply N.div_le_lower_bound; [lia|]; rewrite <- Nat2N.inj_mul; lia).
    assert (R2 : N.of_nat (length ks * length T) <= N.of_nat (length ks) * ((N.of_nat leaves + N.of_nat (tw all) - N.of_nat (tw SP)) / N.of_nat (length ks)))
      by (rewrite Nat2N.inj_mul; now apply N.mul_le_mono_l).
    rewrite <- Nat2N.inj_mul in H. lia.
Qed.
End Fit.

Section Tight.
Variable who : knowing.
Hypothesis both_know : who = Both.
Variable f : N -> N -> option N.
Variable ks : list N.
Hypothesis ks_distinct : NoDup ks.
Hypothesis ks_some : ks <> [].
Variable lim : limit.
Variable d : nat.
Variable L : list line.
Variable C : N.
Hypothesis L_good : Forall (good f) L.
Hypothesis all_promised : forall x y, rows_of L x -> bits C y -> f x y <> None.

Lemma total_hard q (plan : N -> list N * list (list Z)) (X : list element) (S : N -> Prop) : prime q ->
  (forall c, In c ks -> Forall (bits C) (fst (plan c))) -> (forall e, In e X -> In (snd e) L /\ S (fst (snd e))) ->
  (forall x, S x -> rows_of L x) -> (2 ^ d < in_total q ks element (row_at plan) X)%nat -> hard (said who) f d lim S (bits C).
Proof.
  intros P PC HX HS H. apply (ranks_hard who f d lim S (bits C) ks (map (fun c => rank q element (row_at plan c) X) ks) ks_distinct); [|rewrite both_know; exact H].
  intros p Hp. clear H ks_distinct ks_some. induction ks as [|c l IH]; simpl; constructor; [|apply IH; intros; apply PC; now right].
  apply (derived_leaves f (fst (plan c)) who q c S (bits C) (built q element (row_at plan c) X) p); [intros; apply all_promised; auto| | |exact Hp].
  - apply PC. now left.
  - clear IH. revert HX. induction X as [|e X IHX] using rev_ind; intros HX; [now apply derived_empty|]. rewrite built_last.
    destruct (HX e) as [He Se]; [apply in_or_app; simpl; auto|]. rewrite Forall_forall in L_good.
    apply derived_extend; [now apply L_good|exact Se|]. apply IHX. intros e' He'. apply HX, in_or_app. auto.
Qed.

Lemma in_order_In order l : In l (in_order L order) -> In l L.
Proof.
  unfold in_order. intros H. apply in_flat_map in H. destruct H as (x & _ & H). destruct (find _ L) as [l'|] eqn:F; [|elim H].
  destruct H as [<-|[]]. now apply find_some in F.
Qed.

Lemma in_all_total q (v : N -> element -> list Z) es : in_all q ks v es = N.of_nat (in_total q ks element v es).
Proof. exact (bases_size q ks element v es). Qed.

(** Refuted sides: with these lines, and the rank that goes with them on all columns. *)
Definition refutes (q : Z) (cols : list N) (r : N * N) : Prop := (forall y, bits C y -> In y cols) /\ forall g : N -> bool,
  (forall x, bits (fst r) x -> rows_of L x /\ g x = true) ->
  snd r <= N.of_nat (in_total q ks line (fun c l => vector cols (plane c l)) (filter (fun l => g (fst l)) L)) ->
  hard (said who) f d lim (fun x => rows_of L x /\ g x = true) (bits C).

Lemma rank_on_all q (plan : N -> list N * list (list Z)) cols (g : N -> bool) X : prime q ->
  (forall c y, In c ks -> In y (fst (plan c)) -> In y cols) -> (forall e, In e X -> In (snd e) L /\ g (fst (snd e)) = true) ->
  (in_total q ks element (row_at plan) X <= in_total q ks line (fun c l => vector cols (plane c l)) (filter (fun l => g (fst l)) L))%nat.
Proof.
  intros P PC HX. unfold in_total. clear ks_distinct ks_some. induction ks as [|c l IH]; simpl; [lia|].
  assert (K : (rank q element (row_at plan c) X <= rank q line (fun l => vector cols (plane c l)) (filter (fun l => g (fst l)) L))%nat).
  { eapply Nat.le_trans; [apply (rank_restricted q P element (row_at plan c) (fun e => vector cols (plane c (snd e)))
      (fun i => match nth_error (fst (plan c)) i with Some y => index_of y cols | None => length cols end))|].
    - intros e i He. unfold row_at, vector. rewrite !vec_vector. destruct (nth_error (fst (plan c)) i) as [y|] eqn:Y.
      + rewrite index_of_nth; [reflexivity|]. apply (PC c); [now left|]. now apply nth_error_In in Y.
      + replace (nth_error cols (length cols)) with (@None N); [reflexivity|]. symmetry. now apply nth_error_None.
    - rewrite (rank_map q element line (fun l => vector cols (plane c l)) snd X). apply rank_mono; [exact P|].
      intros l0 Hl. apply in_map_iff in Hl. destruct Hl as (e & <- & He). apply filter_In. now apply HX. }
  specialize (IH (fun c' y Hc => PC c' y (or_intror Hc))). lia.
Qed.

Theorem tight_ok_sound q order cols all_columns cores refuted : prime q ->
  Forall (fun core => hard (said who) f d lim (bits core) (bits C)) cores -> Forall (refutes q all_columns) refuted ->
  tight_ok d ks q order L cols C cores refuted = true ->
  forall g : N -> bool, (forall x, rows_of L x -> g x = false) \/ (forall x, rows_of L x -> g x = true) \/
    hard (said who) f d lim (fun x => rows_of L x /\ g x = false) (bits C) \/ hard (said who) f d lim (fun x => rows_of L x /\ g x = true) (bits C).
Proof.
  unfold tight_ok. cbv zeta. intros P HC HR H. set (es := combine (seq 0 (length (in_order L order))) (in_order L order)) in *.
  set (plans := map (fun c => (c, plan_of q cols es c)) ks) in *. set (v := row_at (planned plans)) in *. set (w := entries_at (planned plans)) in *.
  rewrite !andb_true_iff in H. destruct H as (((((_ & AL) & PC) & OR) & RE) & H).
  rewrite forallb_forall in AL, PC, OR. apply N.eqb_eq in RE. cbn [answers_told lines_in_all rows_in_all entries_in_all] in RE.
  rewrite !in_all_total, of_pow in *.
  assert (RE' : (length ks * length es = in_total q ks element v es + in_total q ks element w es)%nat) by (rewrite <- Nat2N.inj_mul in RE; lia).
  assert (EL : forall e, In e es -> In (snd e) L) by (intros [i l] He; apply in_combine_r in He; now apply in_order_In in He).
  assert (PC' : forall c, In c ks -> Forall (bits C) (fst (planned plans c))).
  { intros c Hc. specialize (PC c Hc). rewrite forallb_forall in PC. apply Forall_forall. exact PC. }
  assert (AL' : forall x, rows_of L x -> exists e, In e es /\ fst (snd e) = x).
  { intros x Hx. apply in_map_iff in Hx. destruct Hx as (l & <- & Hl). specialize (AL l Hl). apply existsb_exists in AL.
    destruct AL as (e & He & E). apply N.eqb_eq in E. eauto. }
  match type of H with context [catching ?o cores es] => pose proof (catching_offered o cores es) as CO; set (lines := snd (catching o cores es)) in * end.
  assert (O : Forall2 (offered ks v w cores) es lines).
  { clearbody lines v w. clear -CO. clearbody es. induction CO as [|e l es' ls (cs & Hcs & ->) _ IH]; [constructor|]. constructor; [|exact IH]. repeat split; assumption. }
  clear CO. clearbody lines plans.
  assert (HL : forall (g : N -> bool) b X, (forall e, In e X -> In e es /\ g (fst (snd e)) = b) ->
            forall e, In e X -> In (snd e) L /\ (rows_of L (fst (snd e)) /\ g (fst (snd e)) = b)).
  { intros g b X HX e He. destruct (HX e He) as [He' G]. pose proof (EL e He'). repeat split; auto. now apply in_map. }
  (* for the split that has the first line on the left *)
  assert (K : forall g : N -> bool, (forall e, hd_error es = Some e -> g (fst (snd e)) = false) -> (forall x, rows_of L x -> g x = false) \/
    hard (said who) f d lim (fun x => rows_of L x /\ g x = false) (bits C) \/ hard (said who) f d lim (fun x => rows_of L x /\ g x = true) (bits C)).
  { intros g G. set (ge := fun e : element => g (fst (snd e))).
    assert (HF : forall e, In e (filter (fun e => negb (ge e)) es) -> In (snd e) L /\ (rows_of L (fst (snd e)) /\ g (fst (snd e)) = false)).
    { apply HL. intros e He. apply filter_In in He. destruct He as [He B]. unfold ge in B. now destruct (g _). }
    assert (HT : forall e, In e (filter ge es) -> In (snd e) L /\ (rows_of L (fst (snd e)) /\ g (fst (snd e)) = true)).
    { apply HL. intros e He. now apply filter_In in He. }
    destruct (le_lt_dec (in_total q ks element v (filter (fun e => negb (ge e)) es)) (2 ^ d)) as [B1|B1];
      [|right; left; apply (total_hard q (planned plans) _ _ P PC' HF); [tauto|exact B1]].
    destruct (le_lt_dec (in_total q ks element v (filter ge es)) (2 ^ d)) as [B2|B2];
      [|right; right; apply (total_hard q (planned plans) _ _ P PC' HT); [tauto|exact B2]].
    rewrite Forall_forall in HC.
    assert (CF : forall b X, (forall e, In e X -> In (snd e) L /\ (rows_of L (fst (snd e)) /\ g (fst (snd e)) = b)) -> caught cores X ->
              hard (said who) f d lim (fun x => rows_of L x /\ g x = b) (bits C)).
    { intros b X HX (core & Hcore & Hin). apply (hard_mono (l := lim) (d := d) (R := bits core) (C := bits C)); auto.
      intros x Hx. apply Hin in Hx. apply in_map_iff in Hx. destruct Hx as (e & <- & He). now apply HX. }
    assert (HH : forall b X r, (forall e, In e X -> In e es /\ g (fst (snd e)) = b) -> In r refuted -> (forall x, bits (fst r) x -> In x (numbers X)) ->
              snd r <= N.of_nat (in_total q ks element v X) -> hard (said who) f d lim (fun x => rows_of L x /\ g x = b) (bits C)).
    { intros b X r HX Hr HA HB. rewrite Forall_forall in HR. destruct (HR r Hr) as [CA HR']. specialize (HR' (fun x => Bool.eqb (g x) b)).
      eapply hard_mono; [reflexivity| |intros y Hy; exact Hy|apply HR'].
      - intros x [Hx E]. split; [exact Hx|]. now apply eqb_prop in E.
      - intros x Hx. apply HA in Hx. apply in_map_iff in Hx. destruct Hx as (e & <- & He). destruct (HL g b X HX e He) as [Hl [Hr' E]].
        split; [exact Hr'|]. now apply eqb_true_iff.
      - eapply N.le_trans; [exact HB|]. enough (in_total q ks element v X <= in_total q ks line (fun c l => vector all_columns (plane c l))
          (filter (fun l => Bool.eqb (g (fst l)) b) L))%nat by lia.
        apply (rank_on_all q (planned plans) all_columns (fun x => Bool.eqb (g x) b) X P).
        + intros c y Hc Hy. specialize (PC' c Hc). rewrite Forall_forall in PC'. auto.
        + intros e He. destruct (HL g b X HX e He) as [Hl [_ E]]. split; [exact Hl|]. now apply eqb_true_iff. }
    destruct (start_sound q ks v w es cores ge (may_go_on (the_spare q ks v w es (2 ^ d)) refuted) (fun yours => lines_held yours =? 0)
      (hard (said who) f d lim (fun x => rows_of L x /\ g x = false) (bits C) \/ hard (said who) f d lim (fun x => rows_of L x /\ g x = true) (bits C) \/
       filter ge es = [])) with (lines := lines) as [A|[A|[A|[A|A]]]].
    - intros Q rest a b E SA SB. unfold may_go_on. rewrite (fit_holds q P ks ks_some v w es OR (2 ^ d) RE' ge B1 B2 Q rest a b E SA SB).
      destruct refuted as [|r0 refuted']; [now left|]. set (rs := r0 :: refuted') in *.
      destruct (heavy _ rs a b) eqn:H1; [|destruct (heavy _ rs b a) eqn:H2; [|now left]]; right.
      + left. destruct (heavy_sound q P ks ks_some v w es OR (2 ^ d) RE' rs ge Q rest a b E B2 B1 SA SB H1) as (r & Hr & HA & HB).
        apply (HH false _ r) in HB; auto. intros e He. apply filter_In in He. destruct He as [He Bg]. unfold ge in Bg. now destruct (g _).
      + right. left. assert (N0 : forall X, filter (fun e => negb (negb (ge e))) X = filter ge X) by (intros X; apply filter_ext; intros e; apply negb_involutive).
        destruct (heavy_sound q P ks ks_some v w es OR (2 ^ d) RE' rs (fun e => negb (ge e)) Q rest b a E B1) as (r & Hr & HA & HB); try rewrite !N0 in *; auto.
        apply (HH true _ r) in HB; auto. intros e He. now apply filter_In in He.
    - intros b (_ & Lb & _) H0. right. right. apply N.eqb_eq in H0. destruct (filter ge es); [reflexivity|]. simpl in Lb. lia.
    - exact G.
    - exact O.
    - exact H.
    - right. left. exact (CF false _ HF A).
    - right. right. exact (CF true _ HT A).
    - tauto.
    - tauto.
    - left. intros x Hx. destruct (AL' x Hx) as (e' & He & <-). destruct (g (fst (snd e'))) eqn:Gx; [|reflexivity].
      assert (In e' (filter ge es)) by (apply filter_In; auto). rewrite A in H0. elim H0. }
  intros g. destruct (hd_error es) as [e0|] eqn:E0; [|destruct (K g) as [A|[A|A]]; [discriminate|auto|auto|auto]].
  destruct (g (fst (snd e0))) eqn:G0.
  - destruct (K (fun x => negb (g x))) as [A|[A|A]].
    + intros e [= <-]. now rewrite G0.
    + right. left. intros x Hx. specialize (A x Hx). now destruct (g x).
    + right. right. right. eapply hard_mono; [reflexivity| |intros y Hy; exact Hy|exact A].
      intros z [Hz Gz]. split; [exact Hz|]. now destruct (g z).
    + right. right. left. eapply hard_mono; [reflexivity| |intros y Hy; exact Hy|exact A].
      intros z [Hz Gz]. split; [exact Hz|]. now destruct (g z).
  - destruct (K g) as [A|[A|A]]; auto. intros e [= <-]. exact G0.
Qed.
End Tight.
