(** * Why sides of which only some lines are known are refuted *)
From Coq Require Import List Arith Lia Bool NArith ZArith Znumtheory Permutation.
From Ccsim Require Import Specification Trees Span Lines Elimination TightSplits Matroids GivenLines Refutation RefutationSound.
From Ccsim Require Import SidesSound TightSplitsSound.
From Ccsim Require Export GivenHalves.
Import ListNotations.
Open Scope N_scope.

Lemma vector_inside cols x m : Forall (bits x) cols -> vector cols (N.land m x) = vector cols m.
Proof.
  intros H. unfold vector. apply map_ext_in. intros y Hy. rewrite Forall_forall in H. specialize (H y Hy). unfold bits in H.
  now rewrite N.land_spec, H, andb_true_r.
Qed.

Section Totals.
Variable q : Z.
Hypothesis q_prime : prime q.
Variable ks : list N.

Lemma total_after T (v : N -> T -> list Z) P R : (in_total q ks T v (P ++ R) <= in_total q ks T v P + length ks * length R)%nat.
Proof.
  induction R as [|e R IH] using rev_ind; [rewrite app_nil_r; simpl; lia|]. rewrite app_assoc, (app_length R [e]). simpl length.
  enough (in_total q ks T v ((P ++ R) ++ [e]) <= in_total q ks T v (P ++ R) + length ks)%nat by lia.
  unfold in_total. clear IH. induction ks as [|c l IH]; simpl; [lia|]. destruct (rank_next q T (v c) (P ++ R) e); lia.
Qed.

Lemma total_map S T (v : N -> T -> list Z) (h : S -> T) X : in_total q ks S (fun c e => v c (h e)) X = in_total q ks T v (map h X).
Proof. unfold in_total. f_equal. apply map_ext. intros c. apply (rank_map q S T (v c) h). Qed.

Lemma total_same T (v v' : N -> T -> list Z) X : (forall c e, In e X -> v c e = v' c e) -> in_total q ks T v X = in_total q ks T v' X.
Proof.
  intros H. unfold in_total. f_equal. apply map_ext. intros c. unfold rank, built. f_equal. specialize (H c).
  generalize (@nil (nat * list Z)). induction X as [|e X IH]; simpl; intros b; [reflexivity|]. rewrite H by (now left). apply IH. intros; apply H; now right.
Qed.
End Totals.

(** Leaves of a part of the lines across, by rows that are 0 elsewhere. *)
Lemma part_hard who f ks d lim q cols x (S : N -> Prop) X : who = Both -> prime q -> NoDup ks -> Forall (good f) X -> (forall l, In l X -> S (fst l)) ->
  (forall u y, S u -> bits x y -> f u y <> None) ->
  (2 ^ d < in_total q ks line (fun c l => vector cols (N.land (plane c l) x)) X)%nat -> hard (said who) f d lim S (bits x).
Proof.
  intros W P ND G HS T H. apply (ranks_hard who f d lim S (bits x) ks (map (fun c => rank q line (fun l => vector cols (N.land (plane c l) x)) X) ks) ND);
    [|rewrite W; exact H].
  intros p Hp. clear H ND. induction ks as [|c l IH]; simpl; constructor; [|exact IH]. clear IH.
  set (cut := map (fun (w : N -> Z) y => (Span.indicator (N.testbit x y) * w y)%Z) (columns_of (leaf_columns N.eqb who) c p)).
  replace (length (columns_of (leaf_columns N.eqb who) c p)) with (length (map (restrict cols) cut)) by (unfold cut; now rewrite !map_length).
  apply rank_within; [exact P|]. intros e He.
  eapply span_eq; [|apply span_restrict, (span_map q _ _ _ (fun y => Span.indicator (N.testbit x y)) (rows_in_span (said who) N.eqb _ (leaf_columns_span _ _ _ N.eqb who) q c p (fst e)))].
  intros i. unfold restrict, vector. rewrite vec_vector. destruct (nth_error cols i) as [y|]; [|reflexivity]. rewrite N.land_spec.
  destruct (N.testbit x y) eqn:B; [|rewrite andb_false_r; reflexivity]. rewrite andb_true_r. rewrite Forall_forall in G. rewrite (G e He).
  destruct (f (fst e) y) as [a|] eqn:F; [|elim (T (fst e) y (HS e He) B F)]. rewrite (Hp (fst e) y a (HS e He) B F). simpl.
  destruct (a =? c); reflexivity.
Qed.

Section Given.
Variable who : knowing.
Hypothesis both_know : who = Both.
Variable f : N -> N -> option N.
Variable ks : list N.
Hypothesis ks_distinct : NoDup ks.
Variable d : nat.
Variable q : Z.
Hypothesis q_prime : prime q.
Variable E : list line.
Variable C : N.
Hypothesis E_good : Forall (good f) E.
Hypothesis all_promised : forall x y, rows_of E x -> bits C y -> f x y <> None.
Variable cols : list N.
Hypothesis cols_all : forall y, In y cols <-> bits C y.
Variable cores : list (N * N).
Hypothesis cores_hard : Forall (fun rc => hard (said who) f d None (bits (fst rc)) (bits (snd rc))) cores.
Hypothesis cores_across : forall rc y, In rc cores -> bits (snd rc) y -> bits C y.
Variables A least : N.
Let known_lines := filter (fun l => N.testbit A (fst l)) E.
Let s := Sides q E cols ks cores (N.pow 2 (N.of_nat d)) known_lines least.
Let v (m : N) (c : N) (l : line) := vector cols (N.land (plane c l) m).
Let full (c : N) (l : line) := vector cols (plane c l).
Let r := in_total q ks line full.

(** A side. *)
Variable g : N -> bool.
Let side (x : N) : Prop := rows_of E x /\ g x = true.
Let X := filter (fun l => g (fst l)) E.
Hypothesis given_inside : forall x, bits A x -> side x.
Hypothesis heavy_enough : least <= N.of_nat (r X).

Lemma side_promised x y : side x -> bits C y -> f x y <> None.
Proof. intros [H _]. now apply all_promised. Qed.

Lemma X_good : Forall (good f) X.
Proof. rewrite Forall_forall in *. intros l Hl. apply filter_In in Hl. now apply E_good. Qed.

Lemma X_side l : In l X -> side (fst l).
Proof. intros Hl. apply filter_In in Hl. split; [now apply in_map|tauto]. Qed.

Lemma known_in_X : incl known_lines X.
Proof.
  intros l Hl. apply filter_In in Hl. destruct Hl as [Hl B]. apply filter_In. split; [exact Hl|]. now destruct (given_inside _ B).
Qed.

Lemma cols_in y : In y cols -> N.testbit C y = true.
Proof. intros H. now apply cols_all. Qed.

Lemma full_is c l : vector cols (N.land (plane c l) C) = full c l.
Proof. apply vector_inside, Forall_forall. intros y. now apply cols_in. Qed.

(** A side's halves, refuted by few of its lines. *)
Lemma half_refuted_sound part L Y : (forall y, bits part y -> bits C y) -> (forall x, bits L x -> side x) -> incl Y X ->
  half_refuted s part L Y = true -> hard (said who) f d None side (bits part).
Proof.
  intros HP HL HY H. unfold half_refuted in H. destruct (existsb _ (too_hard s)) eqn:K.
  - apply existsb_exists in K. destruct K as (rc & Hrc & K). destruct (N.eqb_spec (N.ldiff (fst rc) L) 0) as [D|]; [|discriminate].
    apply N.eqb_eq in K. rewrite Forall_forall in cores_hard. eapply hard_mono; [reflexivity| | |exact (cores_hard rc Hrc)].
    + intros x Hx. apply HL. exact (ldiff_subset _ _ D x Hx).
    + exact (ldiff_subset _ _ K).
  - apply N.ltb_lt in H. unfold rank_of in H. cbn [leaves_of_half field answers places s] in H. rewrite in_all_line, of_pow in H.
    apply (part_hard who f ks d None q (filter (N.testbit part) cols) part side Y both_know q_prime ks_distinct).
    + eapply Forall_forall. intros l Hl. pose proof X_good as G. rewrite Forall_forall in G. auto.
    + intros l Hl. apply X_side. auto.
    + intros u y Hu Hy. apply side_promised; auto.
    + erewrite total_same; [|intros c e _; apply vector_inside, Forall_forall; intros y Hy; now apply filter_In in Hy]. lia.
Qed.

Lemma enough_lines : least + N.of_nat (length ks) * N.of_nat (length known_lines) <= N.of_nat (length ks) * N.of_nat (length X) + N.of_nat (r known_lines).
Proof.
  assert (F : filter (fun l => N.testbit A (fst l)) X = known_lines).
  { unfold X, known_lines. apply filter_keeps. intros l Hl B. now destruct (given_inside _ B). }
  pose proof (filter_permutation (fun l => N.testbit A (fst l)) X) as Q. rewrite F in Q. set (R := filter (fun e => negb (N.testbit A (fst e))) X) in *.
  assert (M : (r X <= r (known_lines ++ R))%nat) by (apply total_mono; [exact q_prime|]; intros l; now apply Permutation_in).
  pose proof (total_after q ks line full known_lines R) as T. fold r in T. apply Permutation_length in Q. rewrite app_length in Q.
  assert ((length ks * length X = length ks * length known_lines + length ks * length R)%nat) by (rewrite Q; apply Nat.mul_add_distr_l). lia.
Qed.

Section Half.
Variables x rest : N.
Hypothesis x_in : forall y, bits x y -> bits C y.
Hypothesis rest_in : forall y, bits rest y -> bits C y.

Lemma no_side_sound fuel : forall found L W, filter (fun l => g (fst l)) W = X -> incl W E -> (forall z, bits L z -> side z) -> valid q cols W found ->
  (forall e, In e found -> closed q cols X x (fst e)) -> no_side s (N.of_nat (r known_lines)) x rest fuel found L W = true ->
  hard (said who) f d None side (bits x) \/ hard (said who) f d None side (bits rest).
Proof.
  induction fuel as [|fuel IH]; intros found L W HW WE HL V K H; [discriminate|]. cbn [no_side] in H. cbv zeta in H. cbn [field places s] in H.
  set (possible := may_be q (inside cols x found)) in *.
  assert (XW : incl X W) by (rewrite <- HW; apply incl_filter).
  assert (PX : forall l, In l X -> possible l = true) by (intros l Hl; apply (members_may_be q q_prime cols X W); auto).
  assert (XL : forall l, In l W -> N.testbit L (fst l) = true -> In l X).
  { intros l Hl B. rewrite <- HW. apply filter_In. split; [exact Hl|]. now destruct (HL _ B). }
  destruct (existsb _ W) eqn:X1.
  { apply existsb_exists in X1. destruct X1 as (l & Hl & X1). destruct (N.testbit L (fst l)) eqn:B; [|discriminate]. now rewrite (PX l (XL l Hl B)) in X1. }
  set (W' := filter possible W) in *.
  assert (HW' : filter (fun l => g (fst l)) W' = X).
  { rewrite <- HW. apply filter_keeps. intros l Hl Gl. apply PX. rewrite <- HW. now apply filter_In. }
  assert (IW : incl W' W) by apply incl_filter. assert (WE' : incl W' E) by (intros l Hl; auto).
  destruct (too_few s _ W') eqn:F.
  { exfalso. unfold too_few in F. apply N.ltb_lt in F. cbn [answers rank_at_least lines_known s] in F. pose proof enough_lines as N0.
    assert (LX : (length X <= length W')%nat) by (rewrite <- HW'; clear; induction W' as [|l W0 IH0]; simpl; [lia|]; destruct (g (fst l)); simpl; lia).
    assert (N.of_nat (length ks) * N.of_nat (length X) <= N.of_nat (length ks) * N.of_nat (length W')) by (apply N.mul_le_mono_l; lia). lia. }
  assert (XW' : incl (filter (fun l => N.testbit L (fst l)) W') X) by (intros l Hl; apply filter_In in Hl; destruct Hl; auto).
  destruct (half_refuted s x L _) eqn:H1; [left; exact (half_refuted_sound x L _ x_in HL XW' H1)|].
  destruct (half_refuted s rest L _) eqn:H2; [right; exact (half_refuted_sound rest L _ rest_in HL XW' H2)|].
  assert (AK : forall Y e, In e (all_normals q cols (map fst found) Y) -> closed q cols X x (fst e)).
  { intros Y e He. apply in_map_iff in He. destruct He as (c & <- & Hc). apply in_map_iff in Hc. destruct Hc as (e' & <- & He'). exact (K e' He'). }
  destruct (Nat.ltb (length W') (length W)).
  { apply (IH _ L W' HW' WE' HL) in H; auto; [now apply all_normals_valid|apply AK]. }
  destruct (find _ W') as [l|] eqn:Fd; [|discriminate]. destruct (find_some _ _ Fd) as [Hl _].
  destruct (no_side s _ x rest fuel found (N.setbit L (fst l)) W') eqn:H3; [|discriminate].
  destruct (g (fst l)) eqn:Gl.
  - apply (IH found (N.setbit L (fst l)) W' HW' WE'); auto; [|now apply (valid_incl q cols W W')].
    intros z Hz. unfold bits in Hz. apply N.setbit_iff in Hz. destruct Hz as [<-|Hz]; [|now apply HL]. split; [|exact Gl]. apply in_map. auto.
  - assert (HF : filter (fun l => g (fst l)) (filter (fun l' => negb (fst l' =? fst l)) W') = X).
    { rewrite <- HW'. apply filter_keeps. intros l' _ G'. destruct (N.eqb_spec (fst l') (fst l)) as [Q|]; [congruence|reflexivity]. }
    apply (IH _ L _ HF) in H; auto; [intros l' Hl'; apply filter_In in Hl'; destruct Hl'; auto|now apply all_normals_valid|apply AK].
Qed.
End Half.

(** The other party divides its lines. *)
Let loses (x c : N) : bool := Nat.ltb (rank q line (full c) X) (rank q line (v x c) X + rank q line (v (N.ldiff C x) c) X).

Lemma few_lose x : (length (filter (loses x) ks) + r X <= in_total q ks line (v x) X + in_total q ks line (v (N.ldiff C x)) X)%nat.
Proof.
  unfold r, in_total. clear s ks_distinct heavy_enough. induction ks as [|c l IH]; simpl; [lia|]. cbv zeta in IH.
  assert (P : (rank q line (full c) X <= rank q line (v x c) X + rank q line (v (N.ldiff C x) c) X)%nat)
    by exact (rank_parts q q_prime cols C x c cols_in X).
  destruct (loses x c) eqn:Lo; unfold loses in Lo; [apply Nat.ltb_lt in Lo|]; simpl; lia.
Qed.

Lemma answer_sound first later x : least <= 2 * N.pow 2 (N.of_nat d) -> 2 * N.pow 2 (N.of_nat d) - least < N.of_nat (length ks) ->
  (forall y, bits x y -> In y later) -> (forall y, In y later -> In y cols) -> x <> 0 -> N.testbit x first = false ->
  every_choice (every_half_refuted s A C first later) (all_normals q cols ks E) (N.to_nat (2 * N.pow 2 (N.of_nat d) - least)) [] = true ->
  hard (said who) f d None side (bits x) \/ hard (said who) f d None side (bits (N.ldiff C x)).
Proof.
  intros Le Lt Hx Hl Ne Nf H. rewrite of_pow in *.
  assert (x_in : forall y, bits x y -> bits C y) by (intros y Hy; apply cols_all; auto).
  assert (rest_in : forall y, bits (N.ldiff C x) y -> bits C y) by (intros y Hy; unfold bits in *; rewrite N.ldiff_spec in Hy; now apply andb_true_iff in Hy).
  destruct (le_lt_dec (in_total q ks line (v x) X) (2 ^ d)) as [B1|B1];
    [|left; apply (part_hard who f ks d None q cols x side X both_know q_prime ks_distinct X_good X_side); [intros u y Hu Hy; apply side_promised; auto|exact B1]].
  destruct (le_lt_dec (in_total q ks line (v (N.ldiff C x)) X) (2 ^ d)) as [B2|B2];
    [|right; apply (part_hard who f ks d None q cols (N.ldiff C x) side X both_know q_prime ks_distinct X_good X_side); [intros u y Hu Hy; apply side_promised; auto|exact B2]].
  pose proof (few_lose x) as F.
  destruct (every_choice_sound (every_half_refuted s A C first later) (fun e => negb (loses x (fst e))) (all_normals q cols ks E)
    (N.to_nat (2 * N.of_nat (2 ^ d) - least)) []) with (2 := H)
    as (kept & Hk & Hi).
  { unfold all_normals. rewrite map_length. split; [|lia].
    replace (length (filter _ (map _ ks))) with (length (filter (loses x) ks)); [lia|].
    clear. induction ks as [|c l IH]; simpl; [reflexivity|]. rewrite negb_involutive. destruct (loses x c); simpl; congruence. }
  assert (KC : forall e, In e kept -> In e (all_normals q cols ks E) /\ closed q cols X x (fst e)).
  { intros e He. destruct (Hi e He) as [[]|[Ha Gd]]. split; [exact Ha|]. apply (nothing_lost q q_prime cols C x (fst e) cols_in).
    unfold loses in Gd. apply negb_true_iff, Nat.ltb_ge in Gd. exact Gd. }
  assert (VE : valid q cols E kept) by (intros e u l He Hu Hl'; apply (all_normals_valid q q_prime cols ks E e u l); auto; now apply KC).
  assert (XE : incl X E) by apply incl_filter.
  unfold every_half_refuted in Hk. cbv zeta in Hk. cbn [field places lines_known every_line s] in Hk.
  apply (all_halves_sound q q_prime _ x) in Hk.
  - unfold rank_of in Hk. cbn [field places answers s] in Hk. rewrite in_all_line in Hk.
    apply (no_side_sound x (N.ldiff C x) x_in rest_in (S (length E)) kept A E eq_refl (incl_refl E) given_inside VE) in Hk; [exact Hk|]. intros e He. now apply KC.
  - apply (equations_hold q q_prime cols). intros e u l He Hu Hl'. apply (closed_vanishes q cols X E kept); auto; [now apply KC|]. now apply known_in_X.
  - exact Ne.
  - intros y. rewrite N.bits_0, N.setbit_eqb, N.bits_0, orb_false_r. destruct (N.eqb_spec first y) as [<-|]; [now rewrite Nf|now rewrite andb_false_r].
  - intros y Hy. right. now apply Hx.
Qed.

(** The party itself goes on. *)
Lemma undivided_sound (h : N -> bool) : undivided s = true -> (forall l, hd_error known_lines = Some l -> h (fst l) = false) ->
  hard (said who) f d None (fun x => side x /\ h x = false) (bits C) \/ hard (said who) f d None (fun x => side x /\ h x = true) (bits C).
Proof.
  intros H Hh. set (lines_of (b : bool) := filter (fun l => Bool.eqb (h (fst l)) b) X).
  assert (HB : forall b, (2 ^ d < r (lines_of b))%nat -> hard (said who) f d None (fun x => side x /\ h x = b) (bits C)).
  { intros b Hb. apply (part_hard who f ks d None q cols C _ (lines_of b) both_know q_prime ks_distinct).
    - apply Forall_forall. intros l Hl. apply filter_In in Hl. pose proof X_good as G. rewrite Forall_forall in G. now apply G.
    - intros l Hl. apply filter_In in Hl. destruct Hl as [Hl Q]. split; [now apply X_side|now apply eqb_prop in Q].
    - intros u y [Hu _] Hy. now apply side_promised.
    - erewrite total_same; [exact Hb|]. intros c l _. apply full_is. }
  destruct (le_lt_dec (r (lines_of false)) (2 ^ d)) as [B1|B1]; [|left; now apply HB].
  destruct (le_lt_dec (r (lines_of true)) (2 ^ d)) as [B2|B2]; [|right; now apply HB]. clear HB.
  unfold undivided in H. cbv zeta in H. cbn [field places answers too_hard lines_known s] in H.
  set (es := combine (seq 0 (length known_lines)) known_lines) in *.
  assert (EK : forall e, In e es -> In (snd e) known_lines) by (intros [i l] He; now apply in_combine_r in He).
  set (ve := fun c (e : element) => full c (snd e)). set (we := fun (_ : N) (_ : element) => @nil Z).
  set (ge := fun e : element => h (fst (snd e))).
  assert (TE : forall Y, in_total q ks element ve Y = r (map snd Y)) by (intros Y; exact (total_map q ks element line full snd Y)).
  assert (IB : forall b P, incl P es -> incl (map snd (filter (fun e => Bool.eqb (ge e) b) P)) (lines_of b)).
  { intros b P HP l Hl. apply in_map_iff in Hl. destruct Hl as (e & <- & He). apply filter_In in He. destruct He as [He Q].
    apply filter_In. split; [|exact Q]. apply known_in_X. auto. }
  assert (FF : forall P, filter (fun e => negb (ge e)) P = filter (fun e => Bool.eqb (ge e) false) P)
    by (intros P; apply filter_ext; intros e; now destruct (ge e)).
  assert (FT : forall P, filter ge P = filter (fun e => Bool.eqb (ge e) true) P) by (intros P; apply filter_ext; intros e; now destruct (ge e)).
  match type of H with context [catching ?o ?cs es] => pose proof (catching_offered o cs es) as CO; set (lines := snd (catching o cs es)) in *; set (names := cs) in * end.
  assert (O : Forall2 (offered ks ve we names) es lines).
  { clearbody lines. clear -CO. clearbody es. induction CO as [|e l es' ls (cs & Hcs & ->) _ IH]; [constructor|]. constructor; [|exact IH]. repeat split; assumption. }
  assert (CF : forall b P, incl P es -> caught names (filter (fun e => Bool.eqb (ge e) b) P) ->
            hard (said who) f d None (fun x => side x /\ h x = b) (bits C)).
  { intros b P HP (core & Hcore & Hin). apply nodup_In, in_map_iff in Hcore. destruct Hcore as (rc & <- & Hrc). rewrite Forall_forall in cores_hard.
    eapply hard_mono; [reflexivity| |intros y; exact (cores_across rc y Hrc)|exact (cores_hard rc Hrc)]. intros z Hz. apply Hin in Hz.
    apply in_map_iff in Hz. destruct Hz as (e & <- & He). assert (Hl : In (snd e) (lines_of b)) by (apply (IB b P HP), in_map_iff; eauto).
    apply filter_In in Hl. destruct Hl as [Hl Q]. split; [now apply X_side|now apply eqb_prop in Q]. }
  destruct (start_sound q ks ve we es names ge (near s) (fun _ => false) False) with (lines := lines) as [K|[K|[]]].
  - intros P rest a b Q (_ & _ & Ra & _) (_ & _ & Rb & _). left. unfold near. cbn [leaves_of_half rank_at_least s fst].
    rewrite Ra, Rb, !bases_size, of_pow, !TE. assert (HP : incl P es) by (rewrite Q; now apply incl_appl, incl_refl). rewrite FF, FT.
    set (a' := map snd (filter (fun e => Bool.eqb (ge e) false) P)). set (b' := map snd (filter (fun e => Bool.eqb (ge e) true) P)).
    pose proof (IB false P HP) as IA. pose proof (IB true P HP) as IBt. fold a' in IA. fold b' in IBt.
    assert (AP : incl a' (map snd P)) by (apply incl_map, incl_filter). assert (BP : incl b' (map snd P)) by (apply incl_map, incl_filter).
    pose proof (total_excess q q_prime ks line full (fun l => h (fst l)) X a' b' (map snd P) AP BP) as T. fold r in T.
    assert (M1 : (r (a' ++ filter (fun e => negb (h (fst e))) X) <= r (lines_of false))%nat).
    { apply total_mono; [exact q_prime|]. apply incl_app; [exact IA|]. intros l Hl. apply filter_In in Hl. apply filter_In. split; [tauto|]. now destruct (h (fst l)). }
    assert (M2 : (r (b' ++ filter (fun l => h (fst l)) X) <= r (lines_of true))%nat).
    { apply total_mono; [exact q_prime|]. apply incl_app; [exact IBt|]. intros l Hl. apply filter_In in Hl. apply filter_In. split; [tauto|]. now destruct (h (fst l)). }
    assert (M3 : (r X <= r (map snd P ++ X))%nat) by (apply total_mono; [exact q_prime|]; now apply incl_appr, incl_refl).
    assert (M4 : (r a' <= r (lines_of false))%nat) by (now apply total_mono). assert (M5 : (r b' <= r (lines_of true))%nat) by (now apply total_mono).
    rewrite !andb_true_iff, !N.leb_le. lia.
  - intros b _ F. discriminate.
  - intros e He. apply Hh. destruct known_lines as [|l k]; [discriminate|]. simpl in He. now injection He as <-.
  - exact O.
  - exact H.
  - left. rewrite FF in K. exact (CF false es (incl_refl es) K).
  - right. rewrite FT in K. exact (CF true es (incl_refl es) K).
Qed.
End Given.

Definition chosen (h : N -> bool) (cols : list N) : N := fold_right (fun y m => if h y then N.setbit m y else m) 0 cols.

Lemma chosen_spec h cols y : bits (chosen h cols) y <-> In y cols /\ h y = true.
Proof.
  unfold bits. induction cols as [|z cols IH]; simpl; [split; [discriminate|tauto]|]. destruct (h z) eqn:Hz.
  - rewrite N.setbit_iff, IH. split; [intros [->|[]]; auto|intros [[->|I] B]; auto].
  - rewrite IH. split; [intros []; auto|intros [[->|I] B]; [congruence|auto]].
Qed.

(** A split that is named the other way round. *)
Lemma hard_renamed who (f : N -> N -> option N) d lim (S : N -> Prop) (C : N -> Prop) (h : N -> bool) :
  hard (said who) f d lim (fun x => S x /\ negb (h x) = false) C \/ hard (said who) f d lim (fun x => S x /\ negb (h x) = true) C ->
  hard (said who) f d lim (fun x => S x /\ h x = false) C \/ hard (said who) f d lim (fun x => S x /\ h x = true) C.
Proof.
  intros [H|H]; [right|left]; (eapply hard_mono; [reflexivity| |intros y Hy; exact Hy|exact H]); intros x [Hx G]; (split; [exact Hx|]); now destruct (h x).
Qed.

Theorem given_ok_sound who f ks d q E C cols cores A least : who = Both -> NoDup ks -> prime q -> Forall (good f) E ->
  (forall x y, rows_of E x -> bits C y -> f x y <> None) -> Forall (bits C) cols ->
  Forall (fun rc => hard (said who) f d None (bits (fst rc)) (bits (snd rc))) cores -> (forall rc y, In rc cores -> bits (snd rc) y -> bits C y) ->
  (forall leaf, ~ right_on (said who) f (rows_of (pick A E)) (bits C) (Output leaf)) ->
  given_ok d ks q E cols C cores A least = true -> refutes who f ks None (S d) E C q (rev cols) (A, least).
Proof.
  intros W ND P G T CC HC CA NL H. unfold given_ok in H. destruct cols as [|first later]; [discriminate|]. set (cols := first :: later) in *.
  cbv zeta in H. rewrite !andb_true_iff in H. destruct H as (((((_ & HD) & Le) & Lt) & HU) & HE). apply N.eqb_eq in HD. apply N.leb_le in Le. apply N.ltb_lt in Lt.
  assert (CI : forall y, In y (rev cols) <-> bits C y).
  { intros y. rewrite <- in_rev. rewrite Forall_forall in CC. split; [apply CC|]. intros Hy. apply (ldiff_subset _ _ HD) in Hy.
    assert (Hc : bits (chosen (fun _ => true) cols) y) by exact Hy. now apply chosen_spec in Hc. }
  split; [intros y; apply CI|]. intros g HA HR. cbn [fst snd] in HA, HR. set (side := fun x => rows_of E x /\ g x = true).
  apply hard_splits.
  - intros leaf K. apply (NL leaf). intros x y a Hx Hy F. apply (K x y a); auto. apply in_map_iff in Hx. destruct Hx as (l & <- & Hl).
    apply filter_In in Hl. now apply HA.
  - intros _ h. right. right.
    assert (U : forall h : N -> bool, (forall l, hd_error (filter (fun l => N.testbit A (fst l)) E) = Some l -> h (fst l) = false) ->
      hard (said who) f d None (fun x => side x /\ h x = false) (bits C) \/ hard (said who) f d None (fun x => side x /\ h x = true) (bits C)).
    { intros h' Hh. exact (undivided_sound who W f ks ND d q P E C G T (rev cols) CI cores HC CA A least g HA HR h' HU Hh). }
    destruct (hd_error (filter (fun l => N.testbit A (fst l)) E)) as [l0|] eqn:E0; [|apply U; discriminate].
    destruct (h (fst l0)) eqn:H0; [|apply U; intros l [= <-]; exact H0]. apply hard_renamed, U. intros l [= <-]. now rewrite H0.
  - intros _ h.
    assert (U : forall h : N -> bool, h first = false -> (forall y, bits C y -> h y = false) \/
      hard (said who) f d None side (fun y => bits C y /\ h y = false) \/ hard (said who) f d None side (fun y => bits C y /\ h y = true)).
    { clear h. intros h Hf. set (x := chosen h later).
      assert (Hx : forall y, bits x y <-> In y later /\ h y = true) by (intros y; apply chosen_spec).
      assert (HI : forall y, bits C y -> h y = true -> bits x y).
      { intros y Hy B. apply CI, in_rev in Hy. apply Hx. split; [|exact B]. destruct Hy as [<-|Hy]; [congruence|exact Hy]. }
      destruct (N.eq_dec x 0) as [Z0|Ne].
      { left. intros y Hy. destruct (h y) eqn:B; [|reflexivity]. apply HI in B; [|exact Hy]. rewrite Z0 in B. unfold bits in B. now rewrite N.bits_0 in B. }
      right. assert (Nf : N.testbit x first = false) by (destruct (N.testbit x first) eqn:B; [|reflexivity]; apply Hx in B; destruct B; congruence).
      destruct (answer_sound who W f ks ND d q P E C G T (rev cols) CI cores HC A least g HA HR first later x Le Lt) as [K|K]; auto.
      - intros y Hy. now apply Hx in Hy.
      - intros y Hy. rewrite <- in_rev. now right.
      - right. eapply hard_mono; [reflexivity|intros z Hz; exact Hz| |exact K]. intros y Hy. apply Hx in Hy. destruct Hy as [Hy B].
        split; [|exact B]. apply CI. rewrite <- in_rev. now right.
      - left. eapply hard_mono; [reflexivity|intros z Hz; exact Hz| |exact K]. intros y Hy. unfold bits in Hy. rewrite N.ldiff_spec in Hy.
        apply andb_true_iff in Hy. destruct Hy as [Hy B]. split; [exact Hy|]. destruct (h y) eqn:Q; [|reflexivity]. apply HI in Q; [|exact Hy].
        unfold bits in Q. now rewrite Q in B. }
    destruct (h first) eqn:Hf; [|destruct (U h Hf) as [K|[K|K]]; auto].
    destruct (U (fun y => negb (h y))) as [K|[K|K]]; [now rewrite Hf| | |].
    + right. left. intros y Hy. specialize (K y Hy). now destruct (h y).
    + right. right. right. eapply hard_mono; [reflexivity|intros z Hz; exact Hz| |exact K]. intros y [Hy B]. split; [exact Hy|]. now destruct (h y).
    + right. right. left. eapply hard_mono; [reflexivity|intros z Hz; exact Hz| |exact K]. intros y [Hy B]. split; [exact Hy|]. now destruct (h y).
Qed.
