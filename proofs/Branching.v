(** * So many messages or rectangles are not enough, by branching

    Line after line, or cell after cell, joins each class that it may join, or is the first of one more class; a branch
    ends where there is no choice. *)
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

(** ** Rectangles: cells in one span one of the answer; in a partition, no two have a cell of the answer in common *)
Definition block := (N * N * list line)%type. (* rows, columns, and these rows *)

Definition join_cell (ks : list N) (code : N) (once : bool) (own : block) (others : list block) (i : line * N) : option block :=
  let '(R, C, ls) := own in
  let R' := N.setbit R (fst (fst i)) in
  let C' := N.setbit C (snd i) in
  let ls' := if N.testbit R (fst (fst i)) then ls else fst i :: ls in
  let meets (b : block) := existsb (fun l => if N.testbit (fst (fst b)) (fst l) then negb (N.land (plane code l) (N.land C' (snd (fst b))) =? 0) else false) ls' in
  if forallb (fits ks code C') ls' then if (if once then existsb meets others else false) then None else Some (R', C', ls') else None.

Definition cell_of (L : list line) (code : N) (c : N * N) : option (line * N) :=
  match line_of L (fst c) with Some l => if N.testbit (plane code l) (snd c) then Some (l, snd c) else None | None => None end.

Definition more_rectangles (t : table) (code : N) (once : bool) (budget : N) (cells : list (N * N)) : option N :=
  match all_some (map (cell_of (row_lines t) code) cells) with
  | Some items => if branches _ _ (0, 0, []) (join_cell (codes_of t) code once) (N.to_nat budget) items then Some (N.succ budget) else None
  | None => None
  end.

Section Rectangles.
Variable t : table.
Variable code : N.
Variable rs : list (rectangle N N).
Hypothesis covering_rs : covers (cell t) code rs.

Definition within_rectangle (b : block) (m : nat) : Prop := exists r, nth_error rs m = Some r /\
  (forall x, bits (fst (fst b)) x -> fst r x = true) /\ (forall y, bits (snd (fst b)) y -> snd r y = true) /\
  Forall (fun l => good (cell t) l /\ fst r (fst l) = true) (snd b).

Definition covered_by (i : line * N) (m : nat) : Prop := exists r, nth_error rs m = Some r /\ inside r (fst (fst i)) (snd i) = true.

Definition own_cell (i : line * N) : Prop := good (cell t) (fst i) /\ cell t (fst (fst i)) (snd i) = Some code.

Lemma zero_mask m : (forall y, N.testbit m y = true -> False) -> m = 0.
Proof. intros H. destruct (N.eq_dec m 0) as [|Ne]; [assumption|]. destruct (bit_of m Ne) as [y Hy]. destruct (H y Hy). Qed.

Lemma rectangles_join once own others m ms i :
  (once = true -> ForallOrdPairs (fun r s => forall x y, cell t x y = Some code -> ~ (inside r x y = true /\ inside s x y = true)) rs) ->
  own_cell i -> covered_by i m -> within_rectangle own m -> Forall2 within_rectangle others ms -> ~ In m ms ->
  exists b, join_cell (codes_of t) code once own others i = Some b /\ within_rectangle b m.
Proof.
  intros Once [Gi Ei] (r & Hr & I) (r' & Hr' & HR & HC & HL) Others Nm. assert (r' = r) by congruence. subst r'.
  unfold inside in I. apply andb_true_iff in I. destruct I as [Ix Iy]. destruct own as [[R C] ls]. cbn [fst snd] in *.
  set (C' := N.setbit C (snd i)). set (ls' := if N.testbit R (fst (fst i)) then ls else fst i :: ls).
  assert (HC' : forall y, bits C' y -> snd r y = true).
  { intros y Hy. unfold C', bits in Hy. apply N.setbit_iff in Hy. destruct Hy as [<-|Hy]; auto. }
  assert (HL' : Forall (fun l => good (cell t) l /\ fst r (fst l) = true) ls').
  { unfold ls'. destruct (N.testbit R _); [exact HL|]. constructor; auto. }
  destruct covering_rs as [Own _]. rewrite Forall_forall in Own. pose proof (nth_error_In _ _ Hr) as InR.
  assert (Fit : forallb (fits (codes_of t) code C') ls' = true).
  { apply forallb_forall. intros l Hl. rewrite Forall_forall in HL'. destruct (HL' l Hl) as [Gl Il]. unfold fits. apply forallb_forall.
    intros c _. destruct (N.eqb_spec c code) as [|Ne]; [reflexivity|]. apply N.eqb_eq, zero_mask. intros y Hy.
    rewrite N.land_spec in Hy. apply andb_true_iff in Hy. destruct Hy as [Py Cy]. rewrite Gl in Py. apply is_code_spec in Py.
    apply Ne. apply (Own r InR (fst l) y c); [|exact Py]. unfold inside. rewrite Il. now apply HC'. }
  unfold join_cell. fold C'. fold ls'. rewrite Fit.
  match goal with |- context [if ?c then None else _] => assert (Z : c = false) end.
  { destruct once; [|reflexivity]. apply not_true_is_false. intros X. apply existsb_exists in X. destruct X as (b & Hb & X).
    apply existsb_exists in X. destruct X as (l & Hl & X). destruct (N.testbit (fst (fst b)) (fst l)) eqn:Bl; [|discriminate].
    destruct (N.eqb_spec (N.land (plane code l) (N.land C' (snd (fst b)))) 0) as [|Ne]; [discriminate|]. destruct (bit_of _ Ne) as [y Hy].
    rewrite !N.land_spec in Hy. apply andb_true_iff in Hy. destruct Hy as [Py Hy]. apply andb_true_iff in Hy. destruct Hy as [Cy Dy].
    assert (K : exists m', In m' ms /\ within_rectangle b m').
    { clear -Others Hb. induction Others as [|b' m' others ms H _ IH]; [elim Hb|]. destruct Hb as [->|Hb]; [exists m'; simpl; auto|].
      destruct (IH Hb) as (k & Hk & W). exists k. simpl. auto. }
    destruct K as (m' & Hm' & s & Hs & SR & SC & _). rewrite Forall_forall in HL'. destruct (HL' l Hl) as [Gl Il].
    rewrite Gl in Py. apply is_code_spec in Py.
    assert (Both : inside r (fst l) y = true /\ inside s (fst l) y = true).
    { unfold inside. rewrite Il, (HC' y Cy), (SR _ Bl), (SC _ Dy). auto. }
    assert (Nmm : m <> m') by congruence. clear -Once Hr Hs Both Py Nmm. specialize (Once eq_refl). revert m m' Hr Hs Nmm.
    induction Once as [|a l' H _ IH]; intros [|m] [|m'] Hr Hs Nmm; simpl in *; try discriminate; try lia.
    - injection Hr as <-. apply nth_error_In in Hs. rewrite Forall_forall in H. exact (H s Hs _ _ Py Both).
    - injection Hs as <-. apply nth_error_In in Hr. rewrite Forall_forall in H. apply (H r Hr _ _ Py). tauto.
    - apply (IH m m'); auto. }
  rewrite Z. eexists. split; [reflexivity|]. exists r. cbn [fst snd]. split; [exact Hr|]. split; [|split; [exact HC'|exact HL']].
  intros x Hx. unfold bits in Hx. apply N.setbit_iff in Hx. destruct Hx as [<-|Hx]; auto.
Qed.

Theorem rectangles_branch once budget cells v : more_rectangles t code once budget cells = Some v ->
  (once = true -> ForallOrdPairs (fun r s => forall x y, cell t x y = Some code -> ~ (inside r x y = true /\ inside s x y = true)) rs) ->
  v <= N.of_nat (length rs).
Proof.
  unfold more_rectangles. intros H Once. destruct (all_some _) as [items|] eqn:A; [|discriminate].
  destruct (branches _ _ _ _ _ items) eqn:B; [|discriminate]. injection H as <-.
  destruct (le_lt_dec (length rs) (N.to_nat budget)) as [E|G]; [exfalso|lia].
  refine (branches_sound _ _ (0, 0, []) (join_cell (codes_of t) code once) (N.to_nat budget) (length rs)
    within_rectangle covered_by own_cell E _ _ _ items _ B).
  - intros i [_ Ei]. destruct covering_rs as [_ Cov]. specialize (Cov _ _ Ei). apply Exists_exists in Cov. destruct Cov as (r & Hr & I).
    apply In_nth_error in Hr. destruct Hr as [m Hm]. exists m. split; [|now exists r]. apply nth_error_Some. congruence.
  - intros m Lm. apply nth_error_Some in Lm. destruct (nth_error rs m) as [r|] eqn:E'; [|congruence]. exists r. cbn [fst snd].
    split; [exact E'|]. unfold bits. split; [|split; [|constructor]]; intros k Hk; now rewrite N.bits_0 in Hk.
  - intros own others m ms i V. now apply rectangles_join.
  - eapply all_some_each with (2 := A). intros c i F. unfold cell_of, line_of in F.
    destruct (find _ (row_lines t)) as [l|] eqn:Fl; [|discriminate]. destruct (N.testbit (plane code l) (snd c)) eqn:Tb; [|discriminate].
    injection F as <-. apply find_some in Fl. destruct Fl as [Hl _]. pose proof (row_lines_good t) as Gd. rewrite Forall_forall in Gd.
    split; [now apply Gd|]. cbn [fst snd]. rewrite (Gd l Hl) in Tb. now apply is_code_spec.
Qed.
End Rectangles.

Theorem more_rectangles_cover t code budget cells v : more_rectangles t code false budget cells = Some v ->
  forall count, rectangles_cover (cell t) (Some code) count -> v <= N.of_nat count.
Proof.
  intros H count (rs & C & L). pose proof (rectangles_branch t code rs C false budget cells v H ltac:(discriminate)). lia.
Qed.

Theorem more_rectangles_partition t code budget cells v : more_rectangles t code true budget cells = Some v ->
  forall count, rectangles_partition (cell t) (Some code) count -> v <= N.of_nat count.
Proof.
  intros H count (rs & [C D] & L). pose proof (rectangles_branch t code rs C true budget cells v H (fun _ => D)). lia.
Qed.
