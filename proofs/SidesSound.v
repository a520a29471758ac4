(** * Why a search that puts line after line on one of two sides misses no split *)
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

Lemma in_all_line v X : in_all q ks v X = N.of_nat (in_total v X).
Proof. exact (bases_size v X). Qed.

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
Variables v w : N -> element -> list Z.
Variable all : list element.
Variable cores : list N.
Let tv := in_total q ks element v.
Let tw := in_total q ks element w.

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

Lemma caught_incl X Y : incl X Y -> caught X -> caught Y.
Proof.
  intros H (core & Hc & Hx). exists core. split; [exact Hc|]. intros x B. specialize (Hx x B). unfold numbers in *.
  apply in_map_iff in Hx. destruct Hx as (e & <- & He). apply (in_map (fun e => fst (snd e))). auto.
Qed.

Variable g : element -> bool.
Let left_of (X : list element) := filter (fun e => negb (g e)) X.
Let right_of (X : list element) := filter g X.

(** What a search may be asked, and what it may stop for. *)
Variable fits : N * N -> tight_side -> tight_side -> bool.
Variable last : tight_side -> bool.
Variable other_reason : Prop.
Hypothesis fits_sound : forall P rest a b, all = P ++ rest -> side_of a (left_of P) -> side_of b (right_of P) ->
  fits (N.of_nat (tv P), N.of_nat (tw P)) a b = true \/ other_reason.
Hypothesis last_sound : forall b, side_of b (right_of all) -> last b = true -> other_reason.

Lemma search_sound rest lines : Forall2 offered rest lines -> forall P a b, all = P ++ rest -> side_of a (left_of P) -> side_of b (right_of P) ->
  no_tight_split q fits last a b (with_ranks q (bases_of q ks element v P) (bases_of q ks element w P) lines) = true ->
  caught (left_of all) \/ caught (right_of all) \/ other_reason.
Proof.
  induction 1 as [|e l rest lines O _ IH]; intros P a b E SA SB H; simpl in H.
  - rewrite app_nil_r in E. subst P. right. right. exact (last_sound b SB H).
  - assert (E' : all = (P ++ [e]) ++ rest) by (now rewrite <- app_assoc). destruct O as (Lo & Lr & Ls & Lc).
    rewrite Lr, Ls, !bases_next, !bases_size in H. fold tv tw in H.
    assert (Inc : forall h : element -> bool, incl (filter h (P ++ [e])) (filter h all)) by (intros h; rewrite E', (filter_app h (P ++ [e]) rest); now apply incl_appl, incl_refl).
    assert (OL : offered e l) by (repeat split; assumption).
    pose proof (filter_app g P [e]) as F1. pose proof (filter_app (fun e => negb (g e)) P [e]) as F2. simpl in F1, F2.
    fold (left_of P) (left_of (P ++ [e])) in F2. fold (right_of P) (right_of (P ++ [e])) in F1.
    destruct (g e); simpl in F1, F2; [rewrite app_nil_r in F2|rewrite app_nil_r in F1].
    + destruct (match joined q a l with Some _ => _ | None => _ end); [|discriminate].
      pose proof (joined_sound b _ e l SB OL) as J. rewrite <- F1 in J. rewrite <- F2 in SA. destruct (joined q b l) as [b'|].
      * destruct (fits_sound (P ++ [e]) rest a b' E' SA J) as [F|F]; [|tauto]. rewrite F in H. exact (IH _ _ _ E' SA J H).
      * right. left. eapply caught_incl; [apply Inc|exact J].
    + destruct (match joined q a l with Some _ => _ | None => _ end) eqn:H'; [|discriminate]. clear H.
      pose proof (joined_sound a _ e l SA OL) as J. rewrite <- F2 in J. rewrite <- F1 in SB. destruct (joined q a l) as [a'|].
      * destruct (fits_sound (P ++ [e]) rest a' b E' J SB) as [F|F]; [|tauto]. rewrite F in H'. exact (IH _ _ _ E' J SB H').
      * left. eapply caught_incl; [apply Inc|exact J].
Qed.

Definition no_lines : tight_side := Held 0 0 (map (fun _ => []) ks) (map (fun _ => []) ks).

Lemma start_sound lines : (forall e, hd_error all = Some e -> g e = false) -> Forall2 offered all lines ->
  no_split_of q fits last no_lines (with_ranks q (map (fun _ => []) ks) (map (fun _ => []) ks) lines) = true ->
  caught (left_of all) \/ caught (right_of all) \/ other_reason.
Proof.
  intros G OA H. destruct all as [|e rest] eqn:E0; [inversion OA; subst; discriminate|]. inversion OA as [|e1 l es1 lines' O OR]; subst e1 es1 lines.
  clear OA. specialize (G e eq_refl).
  change (map (fun _ => []) ks) with (bases_of q ks element v []) in H at 1.
  change (map (fun _ => []) ks) with (bases_of q ks element w []) in H. simpl in H.
  assert (S0 : side_of no_lines []) by (split; [intros x Hx; unfold bits in Hx; simpl in Hx; discriminate|repeat split]).
  pose proof O as (Lo & Lr & Ls & Lc). rewrite Lr, Ls, !bases_next, !bases_size in H. fold tv tw in H. simpl in H.
  pose proof (joined_sound no_lines [] e l S0 O) as J. simpl in J.
  assert (FL : left_of [e] = [e]) by (unfold left_of; simpl; now rewrite G). assert (FR : right_of [e] = []) by (unfold right_of; simpl; now rewrite G).
  rewrite <- E0 in *. destruct (joined q no_lines l) as [mine|].
  - assert (SA : side_of mine (left_of [e])) by (now rewrite FL). assert (SB : side_of no_lines (right_of [e])) by (now rewrite FR).
    destruct (fits_sound [e] rest mine no_lines E0 SA SB) as [F|F]; [|tauto].
    rewrite F in H. exact (search_sound rest lines' OR [e] mine no_lines E0 SA SB H).
  - left. eapply caught_incl; [|exact J]. rewrite E0. unfold left_of. simpl. rewrite G. simpl. intros x [<-|[]]. now left.
Qed.
End Search.

Lemma catching_offered offer cores es : Forall2 (fun e l => exists cs, incl cs cores /\ l = offer e cs) es (snd (catching offer cores es)).
Proof.
  induction es as [|e es IH]; simpl; [constructor|]. destruct (catching offer cores es) as [after lines]. simpl in *.
  constructor; [|exact IH]. eexists. split; [|reflexivity]. intros c Hc. now apply filter_In in Hc.
Qed.

