(** * VC dimension: places on which all patterns are seen, and a search that finds no larger set of them *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Trees Lines Refutation RefutationSound NodesSound OneMessage.
Import ListNotations.
Open Scope N_scope.

(** A line as two masks: where it has 0, and where it has 1. *)
Definition shown := (N * N)%type.
Definition shows (e : shown) (y : N) (b : bool) : bool := N.testbit (if b then snd e else fst e) y.

(** Every pattern on these places is that of a line. *)
Definition all_seen (S : list shown) (places : list N) : Prop :=
  forall pattern : N -> bool, exists e, In e S /\ forall y, In y places -> shows e y (pattern y) = true.

Fixpoint seen_all (S : list shown) (places : list N) : bool :=
  match places with
  | [] => match S with [] => false | _ => true end
  | y :: rest =>
      if seen_all (filter (fun e => shows e y false) S) rest
      then seen_all (filter (fun e => shows e y true) S) rest else false
  end.

Lemma seen_all_sound places : forall S, seen_all S places = true -> all_seen S places.
Proof.
  induction places as [|y rest IH]; simpl; intros S H pattern.
  - destruct S as [|e S]; [discriminate|]. exists e. split; [now left|intros y []].
  - decide_if H. destruct (pattern y) eqn:B.
    + destruct (IH _ H pattern) as (e & He & K). apply filter_In in He. exists e. split; [apply He|].
      intros z [<-|Hz]; [rewrite B; exact (proj2 He)|now apply K].
    + destruct (IH _ E pattern) as (e & He & K). apply filter_In in He. exists e. split; [apply He|].
      intros z [<-|Hz]; [rewrite B; exact (proj2 He)|now apply K].
Qed.

Definition exclusive (e : shown) : Prop := forall y, shows e y false = true -> shows e y true = true -> False.

Lemma seen_part S y b rest : ~ In y rest -> all_seen S (y :: rest) ->
  all_seen (filter (fun e => shows e y b) S) rest.
Proof.
  intros Ny H pattern. destruct (H (fun z => if z =? y then b else pattern z)) as (e & He & K).
  exists e. split.
  - apply filter_In. split; [exact He|]. specialize (K y (or_introl eq_refl)). now rewrite N.eqb_refl in K.
  - intros z Hz. specialize (K z (or_intror Hz)). cbv beta in K. destruct (N.eqb_spec z y) as [E|_]; [subst z; now destruct (Ny Hz)|exact K].
Qed.

Lemma seen_count places : NoDup places -> forall S, Forall exclusive S -> all_seen S places -> (2 ^ length places <= length S)%nat.
Proof.
  induction 1 as [|y rest Ny _ IH]; simpl; intros S X H.
  - destruct (H (fun _ => true)) as (e & He & _). destruct S; [elim He|simpl; lia].
  - assert (F : forall b, Forall exclusive (filter (fun e => shows e y b) S)).
    { intros b. rewrite Forall_forall in *. intros e He. apply filter_In in He. now apply X. }
    pose proof (IH _ (F false) (seen_part S y false rest Ny H)). pose proof (IH _ (F true) (seen_part S y true rest Ny H)).
    enough (length (filter (fun e => shows e y false) S) + length (filter (fun e => shows e y true) S) <= length S)%nat by lia.
    clear -X. induction X as [|e S He _ IH]; simpl; [lia|]. specialize (He y).
    destruct (shows e y false), (shows e y true); simpl; try lia; exfalso; now apply He.
Qed.

(** No [more] of the places [ys] can be added to some that have been chosen: [groups] are the lines with each pattern
    on these. *)
Definition small (more : nat) (groups : list (list shown)) : bool :=
  existsb (fun S => N.of_nat (length S) <? 2 ^ N.of_nat more) groups.

Fixpoint none_larger (more : nat) (ys : list N) (groups : list (list shown)) {struct ys} : bool :=
  if small more groups then true
  else
    match more, ys with
    | O, _ => false
    | _, [] => true
    | S fewer, y :: rest =>
        if none_larger more rest groups
        then none_larger fewer rest (flat_map (fun S => [filter (fun e => shows e y false) S; filter (fun e => shows e y true) S]) groups)
        else false
    end.

Lemma small_sound more groups places : NoDup places -> length places = more -> small more groups = true ->
  Forall (fun S => Forall exclusive S /\ all_seen S places) groups -> False.
Proof.
  intros ND <- H F. apply existsb_exists in H. destruct H as (S & HS & L). apply N.ltb_lt in L.
  rewrite Forall_forall in F. destruct (F S HS) as [X A]. pose proof (seen_count places ND S X A) as K.
  apply (N.lt_irrefl (N.of_nat (length S))). eapply N.lt_le_trans; [exact L|].
  rewrite <- (Nat2N.inj_pow 2). lia.
Qed.

Lemma none_larger_sound ys : forall more groups, none_larger more ys groups = true ->
  forall places, NoDup places -> incl places ys -> length places = more ->
  Forall (fun S => Forall exclusive S /\ all_seen S places) groups -> False.
Proof.
  induction ys as [|y ys IH]; intros more groups H places ND Inc Len F; simpl in H;
    destruct (small more groups) eqn:Sm; try (exact (small_sound more groups places ND Len Sm F)).
  - destruct places as [|z places]; [|now destruct (Inc z (or_introl eq_refl))]. simpl in Len. subst more. discriminate.
  - destruct more as [|fewer]; [discriminate|]. decide_if H. destruct (in_dec N.eq_dec y places) as [Hy|Hy].
    + destruct (in_split _ _ Hy) as (l1 & l2 & ->). apply NoDup_remove in ND. destruct ND as [ND Ny].
      apply (IH fewer _ H (l1 ++ l2) ND).
      * intros z Hz. destruct (Inc z) as [->|]; [|tauto|assumption]. apply in_or_app. apply in_app_or in Hz. simpl. tauto.
      * rewrite app_length in *. simpl in Len. lia.
      * apply Forall_forall. intros S HS. apply in_flat_map in HS. destruct HS as (S0 & H0 & HS). rewrite Forall_forall in F.
        destruct (F S0 H0) as [X A].
        assert (A' : all_seen S0 (y :: l1 ++ l2)).
        { intros pattern. destruct (A pattern) as (e & He & K). exists e. split; [exact He|]. intros z Hz. apply K.
          apply in_or_app. simpl. destruct Hz as [->|Hz]; [tauto|]. apply in_app_or in Hz. tauto. }
        assert (Q : forall b, Forall exclusive (filter (fun e => shows e y b) S0) /\ all_seen (filter (fun e => shows e y b) S0) (l1 ++ l2)).
        { intros b. split; [|now apply seen_part]. rewrite Forall_forall in *. intros e He. apply filter_In in He. now apply X. }
        destruct HS as [<-|[<-|[]]]; apply Q.
    + apply (IH (S fewer) groups E places ND); auto. intros z Hz. destruct (Inc z Hz) as [->|]; [contradiction|assumption].
Qed.

(** ** The checkers *)
Definition shown_of (L : list line) : list shown := map (fun l => (plane 0 l, plane 1 l)) L.

Fixpoint distinct_shown (l : list shown) : list shown :=
  match l with
  | [] => []
  | e :: rest => if existsb (fun e' => if fst e =? fst e' then snd e =? snd e' else false) rest
                 then distinct_shown rest else e :: distinct_shown rest
  end.

Definition places_across (t : table) (sender : party) : nat := match sender with alice => width t | bob => length t end.

Definition members (n : nat) (mask : N) : list N := filter (N.testbit mask) (indices n).

Definition shattered_places (t : table) (sender : party) (mask : N) : option N :=
  if regular t then
    let places := members (places_across t sender) mask in
    if seen_all (shown_of (sent t sender)) places then Some (N.of_nat (length places)) else None
  else None.

Definition vc_listing (t : table) (sender : party) (at_most : N) : option N :=
  if regular t then
    if none_larger (S (N.to_nat at_most)) (indices (places_across t sender)) [distinct_shown (shown_of (sent t sender))]
    then Some at_most else None
  else None.

Lemma NoDup_front {T} (a b : list T) : NoDup (a ++ b) -> NoDup a.
Proof.
  induction a as [|x a IH]; simpl; intros H; [constructor|]. inversion H as [|? ? N1 N2]; subst. constructor; [|now apply IH].
  intros In. apply N1, in_or_app. now left.
Qed.

Definition shattered_by (g : N -> N -> option N) (places : list N) : Prop :=
  NoDup places /\ forall pattern : N -> bool, exists x, forall y, In y places -> g x y = Some (if pattern y then 1 else 0).

Lemma shattered_seen t sender places : shattered (sent_by sender (cell t)) 0 1 places <-> shattered_by (seen t sender) places.
Proof. destruct sender; simpl; reflexivity. Qed.

Section Bounds.
Variable t : table.
Variable sender : party.
Hypothesis t_regular : regular t = true.

Lemma shows_spec l y b : In l (sent t sender) ->
  shows (plane 0 l, plane 1 l) y b = true <-> seen t sender (fst l) y = Some (if b then 1 else 0).
Proof.
  intros Hl. pose proof (sent_good t sender t_regular) as G. rewrite Forall_forall in G. unfold shows. destruct b; simpl;
    rewrite (G l Hl); apply is_code_spec.
Qed.

Lemma in_places x y a : seen t sender x y = Some a -> In y (indices (places_across t sender)).
Proof.
  intros E. unfold indices. apply in_map_iff. exists (N.to_nat y). split; [apply N2Nat.id|]. apply in_seq.
  assert (B : bits (full (places_across t sender)) y).
  { destruct sender; simpl in *; [eapply promised_column; eauto|unfold flip in E; eapply promised_row; eauto]. }
  apply full_spec in B. lia.
Qed.

Lemma distinct_shown_In e l : In e (distinct_shown l) <-> In e l.
Proof.
  induction l as [|e' l IH]; simpl; [tauto|].
  match goal with |- context [existsb ?g l] => destruct (existsb g l) eqn:E end; simpl; rewrite IH; [|tauto].
  split; [tauto|]. intros [<-|H]; [|exact H]. apply existsb_exists in E. destruct E as (e2 & H2 & E).
  destruct (N.eqb_spec (fst e') (fst e2)); [|discriminate]. apply N.eqb_eq in E. destruct e', e2; simpl in *; subst. exact H2.
Qed.

Lemma vc_upper at_most v places : vc_listing t sender at_most = Some v ->
  shattered_by (seen t sender) places -> N.of_nat (length places) <= v.
Proof.
  unfold vc_listing. rewrite t_regular. intros H [ND A]. destruct (none_larger _ _ _) eqn:Q; [|discriminate]. injection H as <-.
  destruct (N.le_gt_cases (N.of_nat (length places)) at_most) as [|G]; [assumption|exfalso].
  apply (none_larger_sound _ _ _ Q (firstn (S (N.to_nat at_most)) places)).
  - rewrite <- (firstn_skipn (S (N.to_nat at_most)) places) in ND. exact (NoDup_front _ _ ND).
  - intros y Hy. destruct (A (fun _ => true)) as (x & K). eapply in_places. apply K.
    rewrite <- (firstn_skipn (S (N.to_nat at_most)) places). apply in_or_app. now left.
  - apply firstn_length_le. lia.
  - constructor; [|constructor]. split.
    + apply Forall_forall. intros e He. apply (proj1 (distinct_shown_In _ _)) in He. apply in_map_iff in He. destruct He as (l & <- & Hl).
      intros y H0 H1. apply (shows_spec l y false Hl) in H0. apply (shows_spec l y true Hl) in H1. congruence.
    + intros pattern. destruct (A pattern) as (x & K). destruct places as [|y0 places]; [simpl in G; lia|].
      pose proof (K y0 (or_introl eq_refl)) as E0. pose proof (sent_all t sender t_regular _ _ _ E0) as Hx.
      apply in_map_iff in Hx. destruct Hx as (l & <- & Hl). exists (plane 0 l, plane 1 l). split.
      * apply (proj2 (distinct_shown_In _ _)). now apply (in_map (fun l => (plane 0 l, plane 1 l))).
      * intros y Hy. apply shows_spec; [exact Hl|]. apply K.
        rewrite <- (firstn_skipn (S (N.to_nat at_most)) (y0 :: places)). apply in_or_app. now left.
Qed.

Lemma vc_lower mask v : shattered_places t sender mask = Some v ->
  exists places, shattered_by (seen t sender) places /\ v = N.of_nat (length places).
Proof.
  unfold shattered_places. rewrite t_regular. intros H. destruct (seen_all _ _) eqn:Q; [|discriminate]. injection H as <-.
  exists (members (places_across t sender) mask). split; [|reflexivity]. split.
  - apply NoDup_filter, indices_NoDup.
  - intros pattern. destruct (seen_all_sound _ _ Q pattern) as (e & He & K). apply in_map_iff in He. destruct He as (l & <- & Hl).
    exists (fst l). intros y Hy. apply shows_spec; auto.
Qed.
End Bounds.

Theorem shattered_places_bound t sender mask v : shattered_places t sender mask = Some v ->
  exists places, shattered (sent_by sender (cell t)) 0 1 places /\ v = N.of_nat (length places).
Proof.
  intros H. assert (R : regular t = true) by (unfold shattered_places in H; destruct (regular t); congruence).
  destruct (vc_lower t sender R mask v H) as (places & A & B). exists places. split; [now apply shattered_seen|exact B].
Qed.

Theorem vc_listing_bound t sender at_most v : vc_listing t sender at_most = Some v ->
  forall places, shattered (sent_by sender (cell t)) 0 1 places -> N.of_nat (length places) <= v.
Proof.
  intros H places A. assert (R : regular t = true) by (unfold vc_listing in H; destruct (regular t); congruence).
  apply shattered_seen in A. exact (vc_upper t sender R at_most v places H A).
Qed.

(** INDEX of every length: its rows are all words, so they show every pattern on its n places. *)
Fixpoint word_of (pattern : N -> bool) (n : N) (k : nat) : N :=
  match k with
  | O => 0
  | S j => let rest := word_of pattern n j in if pattern (n - 1 - N.of_nat j) then N.setbit rest (N.of_nat j) else rest
  end.

Lemma word_of_spec pattern n k : forall i, N.testbit (word_of pattern n k) i = (i <? N.of_nat k) && pattern (n - 1 - i).
Proof.
  induction k as [|k IH]; intros i.
  - cbn [word_of]. rewrite N.bits_0. now destruct i.
  - cbn [word_of]. destruct (N.eq_dec i (N.of_nat k)) as [->|Ne].
    + replace (N.of_nat k <? N.of_nat (S k)) with true by (symmetry; apply N.ltb_lt; lia). simpl.
      destruct (pattern _) eqn:B; [apply N.setbit_eq|]. rewrite IH, N.ltb_irrefl. reflexivity.
    + assert (E : (i <? N.of_nat (S k)) = (i <? N.of_nat k)).
      { destruct (N.ltb_spec i (N.of_nat k)), (N.ltb_spec i (N.of_nat (S k))); try reflexivity; lia. }
      rewrite E, <- IH. destruct (pattern (n - 1 - N.of_nat k)); [apply N.setbit_neq; lia|reflexivity].
Qed.

Theorem index_shatters n : exists places, shattered (named Index n) 0 1 places /\ length places = N.to_nat n.
Proof.
  exists (indices (N.to_nat n)). split; [|unfold indices; now rewrite map_length, seq_length].
  split; [apply indices_NoDup|]. intros pattern. exists (word_of pattern n (N.to_nat n)). intros y Hy.
  assert (Ly : y < n). { unfold indices in Hy. apply in_map_iff in Hy. destruct Hy as (i & <- & Hi). apply in_seq in Hi. lia. }
  unfold named. cbn [columns_of_name value_of].
  replace (word_of pattern n (N.to_nat n) <? 2 ^ n) with true.
  - replace (y <? n) with true by (symmetry; now apply N.ltb_lt). simpl. rewrite word_of_spec, N2Nat.id.
    replace (n - 1 - y <? n) with true by (symmetry; apply N.ltb_lt; lia).
    replace (n - 1 - (n - 1 - y)) with y by lia. simpl. unfold truth. now destruct (pattern y).
  - symmetry. apply N.ltb_lt. destruct (N.eq_dec (word_of pattern n (N.to_nat n)) 0) as [->|Nz].
    + apply N.neq_0_lt_0. now apply N.pow_nonzero.
    + apply N.log2_lt_pow2; [lia|]. destruct (N.lt_ge_cases (N.log2 (word_of pattern n (N.to_nat n))) n) as [|G]; [assumption|].
      pose proof (N.bit_log2 _ Nz) as B. rewrite word_of_spec, N2Nat.id in B.
      replace (N.log2 (word_of pattern n (N.to_nat n)) <? n) with false in B by (symmetry; now apply N.ltb_ge). discriminate.
Qed.
