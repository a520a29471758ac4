(** * So many messages are not enough, by branching

    Line after line joins each class that it may join, or is the first of one more class; a branch ends where there is no
    choice. *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Lines Refutation RefutationSound NodesSound TreeWitnesses OneMessage Rectangles FoolingSets.
Import ListNotations.
Open Scope N_scope.

Section Branching.
Variables Class Item : Type.
Variable nothing : Class.
Variable join : Class -> list Class -> Item -> option Class. (* the class, the others *)
Variable size : nat.

(** The classes after each choice for an item, in order. *)
Fixpoint choices (before after : list Class) (room : bool) (i : Item) : list (list Class) :=
  match after with
  | [] => if room then match join nothing before i with Some c => [before ++ [c]] | None => [] end else []
  | own :: rest =>
      let later := choices (before ++ [own]) rest room i in
      match join own (before ++ rest) i with Some c => (before ++ c :: rest) :: later | None => later end
  end.

(** What is left of the items, depth first, once every branch has ended. *)
Fixpoint branch (fuel : nat) (classes : list Class) (items : list Item) : option (list Item) :=
  match fuel, items with
  | S more, i :: rest =>
      (fix each (options : list (list Class)) (left : list Item) : option (list Item) :=
         match options with
         | [] => Some left
         | o :: others => match branch more o left with Some left' => each others left' | None => None end
         end) (choices [] classes (Nat.ltb (length classes) size) i) rest
  | _, _ => None
  end.

Definition branches (items : list Item) : bool :=
  match branch (S (length items)) [] items with Some [] => true | _ => false end.

(** Suppose each item belongs to one of [count] groups, and that whatever is in one group may be in one class. *)
Variable count : nat.
Variable of_group : Class -> nat -> Prop.
Variable belongs : Item -> nat -> Prop.
Variable valid : Item -> Prop.
Hypothesis enough : (count <= size)%nat.
Hypothesis some_group : forall i, valid i -> exists m, (m < count)%nat /\ belongs i m.
Hypothesis nothing_in : forall m, (m < count)%nat -> of_group nothing m.
Hypothesis joins : forall own others m ms i, valid i -> belongs i m -> of_group own m -> Forall2 of_group others ms -> ~ In m ms ->
  exists c, join own others i = Some c /\ of_group c m.

Lemma some_choice i m before after ms ms' room : valid i -> belongs i m -> (m < count)%nat ->
  Forall2 of_group before ms -> Forall2 of_group after ms' -> NoDup (ms ++ ms') ->
  (~ In m (ms ++ ms') -> room = true) -> ~ In m ms ->
  exists o ms'', In o (choices before after room i) /\ Forall2 of_group o ms'' /\ NoDup ms'' /\ incl ms'' (m :: ms ++ ms').
Proof.
  intros V B Lm Hb Ha. revert before ms Hb. induction Ha as [|own m' after ms' Ho Ha IH]; intros before ms Hb ND Room Nm; simpl.
  - rewrite app_nil_r in *. rewrite (Room Nm). destruct (joins nothing before m ms i V B (nothing_in m Lm) Hb Nm) as (c & -> & G).
    exists (before ++ [c]), (ms ++ [m]). split; [now left|]. split; [now apply Forall2_app; [|constructor; [|constructor]]|]. split.
    + apply (NoDup_Add (a := m) (l := ms)); [rewrite <- (app_nil_r ms) at 1; apply Add_app|]. auto.
    + intros k Hk. apply in_app_iff in Hk. simpl in *. tauto.
  - assert (Nt : ~ In m' (ms ++ ms')) by now apply NoDup_remove_2.
    destruct (Nat.eq_dec m' m) as [->|Ne].
    + destruct (joins own (before ++ after) m (ms ++ ms') i V B Ho (Forall2_app Hb Ha) Nt) as (c & -> & G).
      exists (before ++ c :: after), (ms ++ m :: ms'). split; [now left|]. split; [apply Forall2_app; [exact Hb|now constructor]|].
      split; [exact ND|]. intros k Hk. now right.
    + destruct (IH (before ++ [own]) (ms ++ [m'])) as (o & ms'' & Ho'' & F & ND' & I).
      * apply Forall2_app; [exact Hb|]. constructor; [exact Ho|constructor].
      * now rewrite <- app_assoc.
      * rewrite <- app_assoc. exact Room.
      * intros H. apply in_app_iff in H. simpl in H. destruct H as [H|[H|[]]]; auto.
      * exists o, ms''. split; [destruct (join own _ i); [now right|exact Ho'']|]. split; [exact F|]. split; [exact ND'|].
        rewrite <- app_assoc in I. exact I.
Qed.

Lemma branch_sound fuel : forall classes ms items left, Forall valid items -> Forall2 of_group classes ms -> NoDup ms ->
  Forall (fun m => m < count)%nat ms -> branch fuel classes items = Some left -> False.
Proof.
  induction fuel as [|fuel IH]; intros classes ms items left V G ND L H; [discriminate|]. simpl in H.
  destruct items as [|i rest]; [discriminate|]. inversion V as [|? ? Vi Vr]; subst. destruct (some_group i Vi) as (m & Lm & B).
  destruct (some_choice i m [] classes [] ms (Nat.ltb (length classes) size) Vi B Lm) as (o & ms'' & Ho & F & ND' & I); simpl; auto.
  { intros N. apply Nat.ltb_lt. enough (S (length classes) <= count)%nat by lia. rewrite <- (seq_length count 0).
    replace (length classes) with (length ms) by (clear -G; induction G; simpl; lia). change (S (length ms)) with (length (m :: ms)). apply NoDup_incl_length; [now constructor|].
    intros k Hk. apply in_seq. rewrite Forall_forall in L. destruct Hk as [<-|Hk]; [lia|]. specialize (L k Hk). lia. }
  assert (K : forall options rest, Forall valid rest -> (forall o' rest', Forall valid rest' -> In o' options ->
    forall left', branch fuel o' rest' = Some left' -> Forall valid left') -> In o options ->
    (fix each (options : list (list Class)) (left : list Item) : option (list Item) :=
       match options with
       | [] => Some left
       | o :: others => match branch fuel o left with Some left' => each others left' | None => None end
       end) options rest = Some left -> False).
  { clear H. induction options as [|o' options IHo]; intros rest' Vr' P Hin H; [elim Hin|].
    destruct (branch fuel o' rest') as [left'|] eqn:E; [|discriminate]. destruct Hin as [->|Hin].
    - apply (IH o ms'' rest' left'); auto. apply Forall_forall. intros k Hk. apply I in Hk. rewrite Forall_forall in L.
      destruct Hk as [<-|Hk]; auto.
    - apply (IHo left'); auto.
      + eapply P; eauto. now left.
      + intros o1 r1 V1 H1. apply P; [exact V1|now right]. }
  apply (K _ _ Vr) in H; auto. clear -nothing. intros o' rest' V' _ left' E. revert o' rest' V' left' E.
  induction fuel as [|fuel IH]; intros o' rest' V' left' E; [discriminate|]. simpl in E. destruct rest' as [|i' rest']; [discriminate|].
  inversion V' as [|? ? _ Vr]; subst. clear V'. revert rest' Vr E. generalize (choices [] o' (Nat.ltb (length o') size) i').
  induction l as [|o1 l IHl]; intros rest' V' E; [now injection E as <-|].
  destruct (branch fuel o1 rest') as [left1|] eqn:B; [|discriminate]. apply (IHl left1); [eapply IH; eauto|exact E].
Qed.

Theorem branches_sound items : Forall valid items -> branches items = true -> False.
Proof.
  unfold branches. intros V H. destruct (branch _ [] items) as [left|] eqn:E; [|discriminate].
  eapply (branch_sound _ [] []); eauto; constructor.
Qed.
End Branching.

Lemma all_some_each {S T} (g : S -> option T) (P : T -> Prop) l m : (forall a b, g a = Some b -> P b) ->
  all_some (map g l) = Some m -> Forall P m.
Proof.
  intros H E. apply Forall_forall. intros b Hb. pose proof (all_some_In _ _ E b Hb) as K. apply in_map_iff in K.
  destruct K as (a & K & _). now apply (H a).
Qed.

(** ** One message: lines with one message are never in conflict *)
Definition join_line (ks : list N) (own : list line) (_ : list (list line)) (l : line) : option (list line) :=
  if existsb (conflict ks l) own then None else Some (l :: own).

Definition line_of (L : list line) (x : N) : option line := find (fun l => fst l =? x) L.

Definition more_messages (t : table) (sender : party) (budget : N) (lines : list N) : option N :=
  if regular t then
    match all_some (map (line_of (sent t sender)) lines) with
    | Some items => if branches _ _ [] (join_line (codes_of t)) (N.to_nat budget) items then Some (N.succ budget) else None
    | None => None
    end
  else None.

Theorem more_messages_bound t sender budget lines v : more_messages t sender budget lines = Some v ->
  forall count, messages_suffice (cell t) sender count -> v <= N.of_nat count.
Proof.
  unfold more_messages. intros H count K. destruct (regular t) eqn:R; [|discriminate].
  destruct (all_some _) as [items|] eqn:A; [|discriminate]. destruct (branches _ _ _ _ _ items) eqn:B; [|discriminate].
  injection H as <-. apply seen_suffice in K. destruct K as (message & answer & Hm & Ha).
  destruct (le_lt_dec count (N.to_nat budget)) as [E|G]; [exfalso|lia].
  pose proof (sent_good t sender R) as Good. rewrite Forall_forall in Good.
  refine (branches_sound _ _ [] (join_line (codes_of t)) (N.to_nat budget) count
    (fun own m => Forall (fun l => good (seen t sender) l /\ message (fst l) = m) own)
    (fun l m => message (fst l) = m) (good (seen t sender)) E _ _ _ items _ B).
  - intros l _. exists (message (fst l)). auto.
  - intros m _. constructor.
  - intros own others m ms l Gl Ml Own _ _. unfold join_line. destruct (existsb (conflict _ l) own) eqn:X; [exfalso|exists (l :: own); auto].
    apply existsb_exists in X. destruct X as (l' & Hl' & X). rewrite Forall_forall in Own. destruct (Own l' Hl') as [Gl' Ml'].
    apply (conflict_spec (seen t sender) (codes_of t) (sent_codes t sender) l l' Gl Gl') in X.
    destruct X as (y & a & b & Fa & Fb & Ne). apply Ne. rewrite <- (Ha _ _ _ Fa), <- (Ha _ _ _ Fb). congruence.
  - eapply all_some_each with (2 := A). intros x l F. apply find_some in F. now apply Good.
Qed.
