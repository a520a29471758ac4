(** * Claims about all answers, by one about each: rectangles of different answers are different, and the cells of one
    answer in a fooling set are one, so these add up *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Trees Lines OneMessage.
Import ListNotations.
Open Scope N_scope.

Fixpoint different (codes : list N) : bool :=
  match codes with [] => true | c :: rest => if existsb (N.eqb c) rest then false else different rest end.

(** Codes that are different, and all that occur. *)
Definition complete (t : table) (codes : list N) : bool :=
  if different codes then forallb (fun c => existsb (N.eqb c) codes) (codes_of t) else false.

Lemma existsb_In c l : existsb (N.eqb c) l = true <-> In c l.
Proof.
  rewrite existsb_exists. split; [intros (d & H & E); apply N.eqb_eq in E; now subst|]. intros H. exists c. split; [exact H|apply N.eqb_refl].
Qed.

Lemma complete_spec t codes : complete t codes = true -> NoDup codes /\ forall x y c, cell t x y = Some c -> In c codes.
Proof.
  unfold complete. intros H. destruct (different codes) eqn:D; [|discriminate]. split.
  - clear H. induction codes as [|c rest IH]; simpl in D; [constructor|]. destruct (existsb (N.eqb c) rest) eqn:E; [discriminate|].
    constructor; [|now apply IH]. intros In. apply existsb_In in In. congruence.
  - intros x y c E. rewrite forallb_forall in H. apply existsb_In, H. eapply codes_of_all; eauto.
Qed.

(** Items of different codes are at most all items. *)
Lemma filters_add {T} (code_of : T -> N) codes : NoDup codes -> forall l,
  (fold_right Nat.add 0 (map (fun c => length (filter (fun a => (code_of a =? c)%N) l)) codes) <= length l)%nat.
Proof.
  induction 1 as [|c codes Nc _ IH]; intros l; simpl; [lia|].
  set (others := filter (fun a => negb (code_of a =? c)) l).
  assert (E : map (fun d => length (filter (fun a => (code_of a =? d)%N) l)) codes = map (fun d => length (filter (fun a => (code_of a =? d)%N) others)) codes).
  { apply map_ext_in. intros d Hd. f_equal. unfold others. clear -Nc Hd. induction l as [|a l IHl]; simpl; [reflexivity|].
    destruct (N.eqb_spec (code_of a) c) as [Ec|Ec]; simpl.
    - destruct (N.eqb_spec (code_of a) d) as [Ed|Ed]; [exfalso; apply Nc; congruence|exact IHl].
    - destruct (code_of a =? d); simpl; congruence. }
  rewrite E. specialize (IH others). pose proof (filter_parts (fun a => code_of a =? c) l) as L. cbv beta in L. fold others in L. lia.
Qed.

Lemma filters_all {T} (code_of : T -> N) codes l : (forall a, In a l -> In (code_of a) codes) ->
  (length l <= fold_right Nat.add 0 (map (fun c => length (filter (fun a => (code_of a =? c)%N) l)) codes))%nat.
Proof.
  revert l. induction codes as [|c codes IH]; intros l H.
  - destruct l as [|a l]; [simpl; lia|]. destruct (H a (or_introl eq_refl)).
  - simpl. set (others := filter (fun a => negb (code_of a =? c)) l).
    pose proof (filter_parts (fun a => code_of a =? c) l) as L. cbv beta in L. fold others in L.
    assert (O : forall a, In a others -> In (code_of a) codes).
    { intros a Ha. apply filter_In in Ha. destruct Ha as [Ha N]. destruct (H a Ha) as [E|]; [|assumption].
      rewrite E, N.eqb_refl in N. discriminate. }
    specialize (IH others O).
    assert (M : (fold_right Nat.add 0 (map (fun d => length (filter (fun a => (code_of a =? d)%N) others)) codes) <=
                 fold_right Nat.add 0 (map (fun d => length (filter (fun a => (code_of a =? d)%N) l)) codes))%nat).
    { clear. induction codes as [|d codes IH]; simpl; [lia|]. assert (length (filter (fun a => (code_of a =? d)%N) others) <= length (filter (fun a => (code_of a =? d)%N) l))%nat; [|lia].
      unfold others. clear. induction l as [|a l IH]; simpl; [lia|]. destruct (code_of a =? c); simpl; destruct (code_of a =? d); simpl; lia. }
    lia.
Qed.

Section Parts.
Variable f : function N N N.

(** What the rectangles of one answer are, among those of all. *)
Definition with_answer (rs : list (N * rectangle N N)) (c : N) : list (rectangle N N) := map snd (filter (fun r => fst r =? c) rs).

Lemma covers_part rs c : covers_all f rs -> covers f c (with_answer rs c).
Proof.
  intros [Own Cov]. split.
  - apply Forall_map, Forall_forall. intros r Hr. apply filter_In in Hr. destruct Hr as [Hr E]. apply N.eqb_eq in E. subst.
    rewrite Forall_forall in Own. now apply Own.
  - intros x y E. specialize (Cov x y c E). apply Exists_exists in Cov. destruct Cov as (r & Hr & <- & I). apply Exists_exists.
    exists (snd r). split; [|exact I]. apply in_map, filter_In. split; [exact Hr|apply N.eqb_refl].
Qed.

Lemma partitions_part rs c : partitions_all f rs -> partitions f c (with_answer rs c).
Proof.
  intros [C D]. split; [now apply covers_part|]. unfold with_answer. clear C. induction D as [|r l H _ IH]; simpl; [constructor|].
  destruct (fst r =? c); [|exact IH]. simpl. constructor; [|exact IH]. apply Forall_map. rewrite Forall_forall in *.
  intros s Hs x y E. apply filter_In in Hs. apply (H s); [tauto|congruence].
Qed.

Lemma with_answer_length rs c : length (with_answer rs c) = length (filter (fun r => fst r =? c) rs).
Proof. apply map_length. Qed.

(** From rectangles of each answer to those of all. *)
Definition labelled (c : N) (rs : list (rectangle N N)) : list (N * rectangle N N) := map (fun r => (c, r)) rs.

Lemma covers_together parts : Forall (fun part => covers f (fst part) (snd part)) parts ->
  (forall x y c, f x y = Some c -> In c (map fst parts)) -> covers_all f (concat (map (fun part => labelled (fst part) (snd part)) parts)).
Proof.
  intros P All. rewrite Forall_forall in P. split.
  - apply Forall_forall. intros r Hr. apply in_concat in Hr. destruct Hr as (l & Hl & Hr). apply in_map_iff in Hl.
    destruct Hl as (part & <- & Hp). apply in_map_iff in Hr. destruct Hr as (s & <- & Hs). simpl.
    destruct (P part Hp) as [Own _]. rewrite Forall_forall in Own. now apply Own.
  - intros x y a E. specialize (All x y a E). apply in_map_iff in All. destruct All as (part & <- & Hp).
    destruct (P part Hp) as [_ Cov]. specialize (Cov x y E). apply Exists_exists in Cov. destruct Cov as (r & Hr & I).
    apply Exists_exists. exists (fst part, r). split; [|now split]. apply in_concat. exists (labelled (fst part) (snd part)).
    split; [now apply (in_map (fun part => labelled (fst part) (snd part)))|]. unfold labelled. now apply in_map.
Qed.

Lemma partitions_together parts : Forall (fun part => partitions f (fst part) (snd part)) parts -> NoDup (map fst parts) ->
  (forall x y c, f x y = Some c -> In c (map fst parts)) -> partitions_all f (concat (map (fun part => labelled (fst part) (snd part)) parts)).
Proof.
  intros P ND All. split; [apply covers_together; [|exact All]; eapply Forall_impl; [|exact P]; intros part [C _]; exact C|].
  clear All. induction parts as [|part parts IH]; simpl; [constructor|]. inversion P as [|? ? Hp Ps]; subst. inversion ND as [|? ? Np NDs]; subst.
  apply FOP_app; [|now apply IH|].
  - destruct Hp as [[Own _] D]. unfold labelled. clear -Own D. revert Own. induction D as [|r l H _ IH]; intros Own; simpl; [constructor|].
    inversion Own as [|? ? Or Ol]; subst. constructor; [|now apply IH]. apply Forall_map. eapply Forall_impl; [|exact H]. intros s K x y E [Ix Is]. simpl in Ix, Is.
    destruct (f x y) as [b|] eqn:F; [|congruence]. pose proof (Or x y b Ix F) as ->. apply (K x y F). auto.
  - intros r s Hr Hs x y E [Ir Is]. apply in_map_iff in Hr. destruct Hr as (r' & <- & Hr). apply in_concat in Hs.
    destruct Hs as (l & Hl & Hs). apply in_map_iff in Hl. destruct Hl as (other & <- & Ho). apply in_map_iff in Hs. destruct Hs as (s' & <- & Hs).
    simpl in Ir, Is. destruct (f x y) as [b|] eqn:F; [|congruence]. destruct Hp as [[Own _] _]. rewrite Forall_forall in Own, Ps.
    destruct (Ps other Ho) as [[Own' _] _]. rewrite Forall_forall in Own'. pose proof (Own r' Hr x y b Ir F). pose proof (Own' s' Hs x y b Is F).
    apply Np. replace (fst part) with (fst other) by congruence. now apply in_map.
Qed.

Lemma together_length (parts : list (N * list (rectangle N N))) :
  length (concat (map (fun part => labelled (fst part) (snd part)) parts)) = fold_right Nat.add 0%nat (map (fun part => length (snd part)) parts).
Proof. induction parts as [|part parts IH]; simpl; [reflexivity|]. rewrite app_length, IH. unfold labelled. now rewrite map_length. Qed.

(** The cells of one answer in a fooling set. *)
Definition cell_code (c : N * N) : N := match f (fst c) (snd c) with Some a => a | None => 0 end.

Lemma fooling_part who cells c : fooling_set f who None cells -> fooling_set f who (Some c) (filter (fun a => cell_code a =? c) cells).
Proof.
  intros [P D]. split.
  - rewrite Forall_forall in *. intros a Ha. apply filter_In in Ha. destruct Ha as [Ha E]. specialize (P a Ha). simpl in *.
    unfold cell_code in E. destruct (f (fst a) (snd a)); [|congruence]. apply N.eqb_eq in E. now subst.
  - clear P. induction D as [|a l H _ IH]; simpl; [constructor|]. destruct (cell_code a =? c); [|exact IH]. constructor; [|exact IH].
    rewrite Forall_forall in *. intros b Hb. apply filter_In in Hb. now apply H.
Qed.
End Parts.
