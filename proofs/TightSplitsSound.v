(** * Why no split of some lines leaves two halves with few leaves *)
From Coq Require Import List Arith Lia Bool NArith ZArith Znumtheory Permutation.
From Ccsim Require Import Specification Trees Span Lines Elimination TightSplits Matroids Refutation RefutationSound.
Import ListNotations.
Open Scope N_scope.

Lemma filter_permutation {T} (g : T -> bool) X : Permutation X (filter g X ++ filter (fun e => negb (g e)) X).
Proof.
  induction X as [|e X IH]; simpl; [constructor|]. destruct (g e); simpl; [now constructor|]. now apply Permutation_cons_app.
Qed.

Lemma of_pow d : N.pow 2 (N.of_nat d) = N.of_nat (2 ^ d).
Proof. induction d as [|d IH]; [reflexivity|]. rewrite Nat2N.inj_succ, N.pow_succ_r', IH. cbn [Nat.pow]. lia. Qed.

Section Ranks.
Variable q : Z.
Hypothesis q_prime : prime q.
Variable ks : list N.
Variable T : Type.

Definition in_total (v : N -> T -> list Z) (X : list T) : nat := list_sum (map (fun c => rank q T (v c) X) ks).
Definition bases_of (v : N -> T -> list Z) (X : list T) : list basis := map (fun c => built q T (v c) X) ks.

Lemma bases_next v X e : map2 (extend q) (bases_of v X) (map (fun c => v c e) ks) = bases_of v (X ++ [e]).
Proof.
  unfold bases_of. induction ks as [|c l IH]; simpl; [reflexivity|]. now rewrite IH, built_last.
Qed.

Lemma bases_size v X : sum_lengths (bases_of v X) = N.of_nat (in_total v X).
Proof. rewrite sum_lengths_nat. unfold bases_of, in_total. now rewrite map_map. Qed.

Lemma total_mono v X Y : incl X Y -> (in_total v X <= in_total v Y)%nat.
Proof. intros H. unfold in_total. induction ks as [|c l IH]; simpl; [lia|]. pose proof (rank_mono q q_prime T (v c) X Y H). lia. Qed.

Lemma total_marginal v A P e : incl A P -> (in_total v (P ++ [e]) + in_total v A <= in_total v (A ++ [e]) + in_total v P)%nat.
Proof. intros H. unfold in_total. induction ks as [|c l IH]; simpl; [lia|]. pose proof (rank_marginal q q_prime T (v c) A P e H). lia. Qed.

Lemma total_excess v (g : T -> bool) rest : forall A B P, incl A P -> incl B P ->
  (in_total v A + in_total v B + in_total v (P ++ rest) <=
   in_total v (A ++ filter (fun e => negb (g e)) rest) + in_total v (B ++ filter g rest) + in_total v P)%nat.
Proof.
  induction rest as [|e rest IH]; intros A B P HA HB; simpl; [rewrite !app_nil_r; lia|].
  destruct (g e); simpl.
  - specialize (IH A (B ++ [e]) (P ++ [e])). rewrite <- !app_assoc in IH. simpl in IH.
    specialize (IH (incl_appl _ HA) (incl_app (incl_appl _ HB) (incl_appr _ (incl_refl _)))).
    pose proof (total_marginal v B P e HB). lia.
  - specialize (IH (A ++ [e]) B (P ++ [e])). rewrite <- !app_assoc in IH. simpl in IH.
    specialize (IH (incl_app (incl_appl _ HA) (incl_appr _ (incl_refl _))) (incl_appl _ HB)).
    pose proof (total_marginal v A P e HA). lia.
Qed.

Variables v w : N -> T -> list Z.
Variable all : list T.
Hypothesis all_orthogonal : forall c, In c ks -> orthogonal q (v c) (w c) all = true.

Lemma total_dual B R : Permutation all (B ++ R) ->
  (in_total w B + in_total v all <= in_total v R + length ks * length B)%nat.
Proof.
  intros H. unfold in_total. revert all_orthogonal. induction ks as [|c l IH]; intros O; simpl; [lia|].
  pose proof (dual_rank q q_prime T (v c) (w c) all (orthogonal_spec q q_prime (v c) (w c) all (O c (or_introl eq_refl))) B R H).
  specialize (IH (fun c' Hc => O c' (or_intror Hc))). lia.
Qed.
End Ranks.

Notation element := (nat * line)%type.

Definition numbers (X : list element) : list N := map (fun e => fst (snd e)) X.

Section Search.
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
Variable cores : list N.

Definition the_spare : spare :=
  Spare (N.of_nat (length ks)) (N.of_nat leaves) (N.of_nat (length all)) (N.of_nat (tv all)) (N.of_nat (tw all)).

Definition side_of (s : tight_side) (X : list element) : Prop :=
  (forall x, bits (mask_held s) x -> In x (numbers X)) /\ lines_held s = N.of_nat (length X) /\
  rows_held s = bases_of q ks element v X /\ entries_held s = bases_of q ks element w X.

Definition offered (e : element) (l : tight_line) : Prop :=
  line_offered l = fst (snd e) /\ its_rows l = map (fun c => v c e) ks /\ its_entries l = map (fun c => w c e) ks /\
  incl (may_catch l) cores.

Definition caught (X : list element) : Prop := exists core, In core cores /\ forall x, bits core x -> In x (numbers X).

Lemma joined_sound s X e l : side_of s X -> offered e l ->
  match joined q s l with None => caught (X ++ [e]) | Some s' => side_of s' (X ++ [e]) end.
Proof.
  intros (M & Le & Ro & En) (Lo & Lr & Ls & Lc). unfold joined.
  assert (Hin : forall x, bits (N.setbit (mask_held s) (line_offered l)) x -> In x (numbers (X ++ [e]))).
  { intros x Hx. unfold bits in Hx. apply N.setbit_iff in Hx. unfold numbers. rewrite map_app. apply in_or_app. simpl.
    destruct Hx as [<-|Hx]; [right; left; congruence|left; now apply M]. }
  destruct (existsb _ (may_catch l)) eqn:E.
  - apply existsb_exists in E. destruct E as (core & Hc & E). apply N.eqb_eq in E. exists core. split; [now apply Lc|].
    intros x Hx. apply Hin. exact (ldiff_subset _ _ E x Hx).
  - split; [exact Hin|]. simpl. rewrite Le, Ro, En, Lr, Ls, !bases_next, app_length. simpl. repeat split; lia.
Qed.

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

Lemma caught_incl X Y : incl X Y -> caught X -> caught Y.
Proof.
  intros H (core & Hc & Hx). exists core. split; [exact Hc|]. intros x B. specialize (Hx x B). unfold numbers in *.
  apply in_map_iff in Hx. destruct Hx as (e & <- & He). apply (in_map (fun e => fst (snd e))). auto.
Qed.

Lemma search_sound rest lines : Forall2 offered rest lines -> forall P a b, all = P ++ rest -> side_of a (left_of P) -> side_of b (right_of P) ->
  no_tight_split q the_spare a b (with_ranks q (bases_of q ks element v P) (bases_of q ks element w P) lines) = true ->
  caught (left_of all) \/ caught (right_of all) \/ right_of all = [].
Proof.
  induction 1 as [|e l rest lines O _ IH]; intros P a b E SA SB H; simpl in H.
  - rewrite app_nil_r in E. subst P. destruct SB as (_ & Lb & _). right. right. apply N.eqb_eq in H.
    destruct (right_of all); [reflexivity|]. simpl in Lb. lia.
  - assert (E' : all = (P ++ [e]) ++ rest) by (now rewrite <- app_assoc). destruct O as (Lo & Lr & Ls & Lc).
    rewrite Lr, Ls, !bases_next, !bases_size in H. fold tv tw in H.
    assert (Inc : forall h : element -> bool, incl (filter h (P ++ [e])) (filter h all)) by (intros h; rewrite E', (filter_app h (P ++ [e]) rest); now apply incl_appl, incl_refl).
    assert (OL : offered e l) by (repeat split; assumption).
    pose proof (filter_app g P [e]) as F1. pose proof (filter_app (fun e => negb (g e)) P [e]) as F2. simpl in F1, F2.
    fold (left_of P) (left_of (P ++ [e])) in F2. fold (right_of P) (right_of (P ++ [e])) in F1.
    destruct (g e); simpl in F1, F2; [rewrite app_nil_r in F2|rewrite app_nil_r in F1].
    + destruct (match joined q a l with Some _ => _ | None => _ end); [|discriminate].
      pose proof (joined_sound b _ e l SB OL) as J. rewrite <- F1 in J. rewrite <- F2 in SA. destruct (joined q b l) as [b'|].
      * rewrite (fit_holds (P ++ [e]) rest a b' E' SA J) in H. exact (IH _ _ _ E' SA J H).
      * right. left. eapply caught_incl; [apply Inc|exact J].
    + destruct (match joined q a l with Some _ => _ | None => _ end) eqn:H'; [|discriminate]. clear H.
      pose proof (joined_sound a _ e l SA OL) as J. rewrite <- F2 in J. rewrite <- F1 in SB. destruct (joined q a l) as [a'|].
      * rewrite (fit_holds (P ++ [e]) rest a' b E' J SB) in H'. exact (IH _ _ _ E' J SB H').
      * left. eapply caught_incl; [apply Inc|exact J].
Qed.

Definition no_lines : tight_side := Held 0 0 (map (fun _ => []) ks) (map (fun _ => []) ks).

Lemma start_sound e rest l lines : all = e :: rest -> g e = false -> offered e l -> Forall2 offered rest lines ->
  match with_ranks q (map (fun _ => []) ks) (map (fun _ => []) ks) (l :: lines) with
  | (l, ranks) :: rest =>
      match joined q no_lines l with
      | None => true
      | Some mine => if fit the_spare ranks mine no_lines then no_tight_split q the_spare mine no_lines rest else true
      end
  | [] => false
  end = true -> caught (left_of all) \/ caught (right_of all) \/ right_of all = [].
Proof.
  intros E G O OR H. change (map (fun _ => []) ks) with (bases_of q ks element v []) in H at 1.
  change (map (fun _ => []) ks) with (bases_of q ks element w []) in H. simpl in H.
  assert (S0 : side_of no_lines []) by (split; [intros x Hx; unfold bits in Hx; simpl in Hx; discriminate|repeat split]).
  pose proof O as (Lo & Lr & Ls & Lc). rewrite Lr, Ls, !bases_next, !bases_size in H. fold tv tw in H. simpl in H.
  pose proof (joined_sound no_lines [] e l S0 O) as J. simpl in J.
  assert (FL : left_of [e] = [e]) by (unfold left_of; simpl; now rewrite G). assert (FR : right_of [e] = []) by (unfold right_of; simpl; now rewrite G).
  destruct (joined q no_lines l) as [mine|].
  - assert (SA : side_of mine (left_of [e])) by (now rewrite FL). assert (SB : side_of no_lines (right_of [e])) by (now rewrite FR).
    rewrite (fit_holds [e] rest mine no_lines E SA SB) in H. exact (search_sound rest lines OR [e] mine no_lines E SA SB H).
  - left. eapply caught_incl; [|exact J]. rewrite E. unfold left_of. simpl. rewrite G. simpl. intros x [<-|[]]. now left.
Qed.
End Split.
End Search.

Lemma catching_offered offer cores es : Forall2 (fun e l => exists cs, incl cs cores /\ l = offer e cs) es (snd (catching offer cores es)).
Proof.
  induction es as [|e es IH]; simpl; [constructor|]. destruct (catching offer cores es) as [after lines]. simpl in *.
  constructor; [|exact IH]. eexists. split; [|reflexivity]. intros c Hc. now apply filter_In in Hc.
Qed.

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

Theorem tight_ok_sound q order cols cores : Forall (fun core => hard (said who) f d lim (bits core) (bits C)) cores ->
  tight_ok d ks q order L cols C cores = true ->
  forall g : N -> bool, (forall x, rows_of L x -> g x = false) \/ (forall x, rows_of L x -> g x = true) \/
    hard (said who) f d lim (fun x => rows_of L x /\ g x = false) (bits C) \/ hard (said who) f d lim (fun x => rows_of L x /\ g x = true) (bits C).
Proof.
  unfold tight_ok. cbv zeta. intros HC H. set (es := combine (seq 0 (length (in_order L order))) (in_order L order)) in *.
  set (plans := map (fun c => (c, plan_of q cols es c)) ks) in *. set (v := row_at (planned plans)) in *. set (w := entries_at (planned plans)) in *.
  rewrite !andb_true_iff in H. destruct H as ((((((P & _) & AL) & PC) & OR) & RE) & H). apply is_prime_spec in P.
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
    destruct O as [|e l rest lines' O1 O2]; [discriminate|].
    destruct (start_sound q P ks ks_some v w (e :: rest) OR (2 ^ d) RE' cores ge B1 B2 e rest l lines' eq_refl (G e eq_refl) O1 O2 H) as [A|[A|A]].
    - right. left. exact (CF false _ HF A).
    - right. right. exact (CF true _ HT A).
    - left. intros x Hx. destruct (AL' x Hx) as (e' & He & <-). destruct (g (fst (snd e'))) eqn:Gx; [|reflexivity].
      assert (In e' (filter ge (e :: rest))) by (apply filter_In; auto). rewrite A in H0. elim H0. }
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
