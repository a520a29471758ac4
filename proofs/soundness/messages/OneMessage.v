(** * One message: lines that need different messages, and messages that are enough *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Trees Lines Refutation RefutationSound NodesSound.
Import ListNotations.
Open Scope N_scope.

(** Whether two lines have different answers somewhere. *)
Definition conflict (ks : list N) (l l' : line) : bool :=
  existsb (fun c => negb (N.land (plane c l) (others ks c l') =? 0)) ks.

Fixpoint pairwise {T} (g : T -> T -> bool) (l : list T) : bool :=
  match l with [] => true | a :: rest => if forallb (g a) rest then pairwise g rest else false end.

Fixpoint look_up (L : list line) (xs : list N) : option (list line) :=
  match xs with
  | [] => Some []
  | x :: rest => match find (fun l => fst l =? x) L, look_up L rest with
                 | Some l, Some ls => Some (l :: ls) | _, _ => None end
  end.

Definition agree (ks : list N) (e e' : line * N) : bool :=
  if snd e =? snd e' then negb (conflict ks (fst e) (fst e')) else true.

Section Sound.
Variable f : N -> N -> option N.
Variable ks : list N.
Hypothesis ks_all : forall x y c, f x y = Some c -> In c ks.

Lemma others_complete a l y b : good f l -> f (fst l) y = Some b -> b <> a -> N.testbit (others ks a l) y = true.
Proof.
  intros G E Ne. pose proof (ks_all _ _ _ E) as Hb. unfold others. clear ks_all. induction ks as [|k rest IH]; [elim Hb|].
  simpl. destruct Hb as [->|Hb].
  - destruct (N.eqb_spec b a); [congruence|]. rewrite N.lor_spec, G, E. simpl. now rewrite N.eqb_refl.
  - destruct (k =? a); [now apply IH|]. rewrite N.lor_spec. apply orb_true_iff. right. now apply IH.
Qed.

Lemma conflict_spec l l' : good f l -> good f l' ->
  conflict ks l l' = true <-> exists y a b, f (fst l) y = Some a /\ f (fst l') y = Some b /\ a <> b.
Proof.
  intros G G'. unfold conflict. rewrite existsb_exists. split.
  - intros (c & Hc & B). destruct (N.eqb_spec (N.land (plane c l) (others ks c l')) 0) as [|Ne]; [discriminate|].
    destruct (bit_of _ Ne) as [y Hy]. rewrite N.land_spec in Hy. apply andb_true_iff in Hy. destruct Hy as [H1 H2].
    rewrite G in H1. apply is_code_spec in H1. destruct (others_spec f ks c l' y G' H2) as (b & H3 & H4).
    exists y, c, b. auto.
  - intros (y & a & b & H1 & H2 & Ne). exists a. split; [eapply ks_all; eauto|].
    destruct (N.eqb_spec (N.land (plane a l) (others ks a l')) 0) as [Z|]; [|reflexivity]. exfalso.
    apply (no_common_bit _ _ Z y); unfold bits.
    + rewrite G, H1. simpl. apply N.eqb_refl.
    + apply (others_complete a l' y b G' H2). congruence.
Qed.

Lemma pairwise_spec {T} (g : T -> T -> bool) l : pairwise g l = true -> ForallOrdPairs (fun a b => g a b = true) l.
Proof.
  induction l as [|a l IH]; simpl; intros H; [constructor|]. destruct (forallb (g a) l) eqn:E; [|discriminate].
  constructor; [|now apply IH]. apply Forall_forall. intros b Hb. rewrite forallb_forall in E. now apply E.
Qed.

Lemma look_up_In L : forall xs ls, look_up L xs = Some ls -> (forall l, In l ls -> In l L) /\ length ls = length xs.
Proof.
  induction xs as [|x xs IH]; simpl; intros ls H; [injection H as <-; split; [now intros l []|reflexivity]|].
  match type of H with context [find ?g L] => destruct (find g L) as [l|] eqn:F; [|discriminate] end.
  destruct (look_up L xs) as [ls'|]; [|discriminate]. injection H as <-. destruct (IH ls' eq_refl) as [H1 H2].
  apply find_some in F. split; [|simpl; congruence]. intros m [<-|Hm]; [apply F|now apply H1].
Qed.

(** The sender has [x]. *)
Definition suffice (g : N -> N -> option N) (count : nat) : Prop :=
  exists (message : N -> nat) (answer : nat -> N -> N),
    (forall x, (message x < count)%nat) /\ forall x y a, g x y = Some a -> answer (message x) y = a.

Lemma distinct_lines_sound ls : Forall (good f) ls -> ForallOrdPairs (fun l l' => conflict ks l l' = true) ls ->
  forall k, suffice f k -> (length ls <= k)%nat.
Proof.
  intros G H k (message & answer & Hk & Hc).
  assert (ND : NoDup (map (fun l => message (fst l)) ls)).
  { revert G. induction H as [|l ls Hl _ IH]; simpl; intros G; [constructor|]. inversion G as [|? ? Gl G']; subst.
    constructor; [|now apply IH]. intros In. apply in_map_iff in In. destruct In as (l' & E & Hl').
    rewrite Forall_forall in Hl, G'. specialize (Hl l' Hl'). apply (conflict_spec l l' Gl (G' l' Hl')) in Hl.
    destruct Hl as (y & a & b & H1 & H2 & Ne). apply Ne. rewrite <- (Hc _ _ _ H1), <- (Hc _ _ _ H2), E. reflexivity. }
  assert (Inc : incl (map (fun l => message (fst l)) ls) (seq 0 k)).
  { intros m Hm. apply in_map_iff in Hm. destruct Hm as (l & <- & _). apply in_seq. specialize (Hk (fst l)). lia. }
  pose proof (NoDup_incl_length ND Inc) as L. rewrite map_length, seq_length in L. exact L.
Qed.

(** The answer of the first line with that message that has one there. *)
Section Classes.
Variable e : list (line * N).

Definition class_of (x : N) : option N :=
  match find (fun p => fst (fst p) =? x) e with Some p => Some (snd p) | None => None end.

Definition answer_in (c y : N) : N :=
  match find (fun p => if snd p =? c then match f (fst (fst p)) y with Some _ => true | None => false end else false) e with
  | Some p => match f (fst (fst p)) y with Some a => a | None => 0 end
  | None => 0
  end.

Hypothesis e_good : forall p, In p e -> good f (fst p).
Hypothesis e_all : forall x y a, f x y = Some a -> exists p, In p e /\ fst (fst p) = x.
Hypothesis e_agree : ForallOrdPairs (fun p q => agree ks p q = true) e.

Lemma agreeing p q y a b : In p e -> In q e -> snd p = snd q -> f (fst (fst p)) y = Some a -> f (fst (fst q)) y = Some b -> a = b.
Proof.
  intros Hp Hq S Fp Fq. destruct (N.eq_dec a b) as [|Ne]; [assumption|exfalso].
  assert (K : forall p q a b, In p e -> In q e -> snd p = snd q -> f (fst (fst p)) y = Some a ->
              f (fst (fst q)) y = Some b -> a <> b -> agree ks p q = true -> False).
  { clear p q a b Hp Hq S Fp Fq Ne. intros p q a b Hp Hq S Fp Fq Ne A. unfold agree in A. rewrite S, N.eqb_refl in A.
    apply negb_true_iff in A. assert (conflict ks (fst p) (fst q) = true); [|congruence].
    apply conflict_spec; auto. exists y, a, b. auto. }
  destruct (ForallOrdPairs_In e_agree p q Hp Hq) as [->|[A|A]]; [congruence|now apply (K p q a b)|now apply (K q p b a); auto].
Qed.

Lemma classes_answer x y a : f x y = Some a -> exists c, class_of x = Some c /\ answer_in c y = a.
Proof.
  intros E. destruct (e_all x y a E) as (p0 & Hp0 & E0). unfold class_of.
  destruct (find (fun p => fst (fst p) =? x) e) as [p|] eqn:F.
  - apply find_some in F. destruct F as [Hp Ex]. apply N.eqb_eq in Ex. exists (snd p). split; [reflexivity|].
    unfold answer_in. match goal with |- context [find ?g e] => destruct (find g e) as [q|] eqn:F' end.
    + apply find_some in F'. destruct F' as [Hq Eq]. cbv beta in Eq. destruct (N.eqb_spec (snd q) (snd p)) as [Em|]; [|discriminate].
      destruct (f (fst (fst q)) y) as [b|] eqn:Fq; [|discriminate]. rewrite <- Ex in E. exact (agreeing q p y b a Hq Hp Em Fq E).
    + exfalso. pose proof (find_none _ _ F' p Hp) as B. cbv beta in B. rewrite N.eqb_refl, Ex, E in B. discriminate.
  - exfalso. pose proof (find_none _ _ F p0 Hp0) as B. cbv beta in B. rewrite E0, N.eqb_refl in B. discriminate.
Qed.
End Classes.
End Sound.

(** Messages are numbered by their place among the different ones. *)
Fixpoint place (c : N) (l : list N) : nat :=
  match l with [] => 0%nat | d :: rest => if c =? d then 0%nat else S (place c rest) end.

Lemma place_nth c l : In c l -> nth_error l (place c l) = Some c.
Proof.
  induction l as [|d l IH]; simpl; intros H; [elim H|]. destruct (N.eqb_spec c d) as [->|Ne]; [reflexivity|].
  destruct H as [H|H]; [congruence|]. now apply IH.
Qed.

Lemma class_of_In e x c : class_of e x = Some c -> In c (map snd e).
Proof.
  unfold class_of. destruct (find _ e) as [p|] eqn:F; [|discriminate]. apply find_some in F. intros [= <-]. now apply in_map.
Qed.

Lemma combine_snd {T U} (l : list T) : forall m : list U, length m = length l -> map snd (combine l m) = m.
Proof. induction l as [|a l IH]; intros [|b m] H; simpl in *; try discriminate; auto. f_equal. apply IH. lia. Qed.

Lemma combine_all {T U} (l : list T) : forall m : list U, length m = length l -> forall a, In a l -> exists p, In p (combine l m) /\ fst p = a.
Proof.
  induction l as [|b l IH]; intros [|c m] H a Ha; simpl in *; try discriminate; [elim Ha|].
  destruct Ha as [->|Ha]; [exists (a, c); auto|]. destruct (IH m ltac:(lia) a Ha) as (p & Hp & E). exists p. auto.
Qed.

Lemma classes_suffice f ks L classes : (forall x y c, f x y = Some c -> In c ks) -> Forall (good f) L ->
  (forall x y a, f x y = Some a -> In x (map fst L)) -> length classes = length L -> classes <> [] ->
  ForallOrdPairs (fun p q => agree ks p q = true) (combine L classes) ->
  suffice f (length (nodup N.eq_dec classes)).
Proof.
  intros Hk G All Len Ne H. set (e := combine L classes) in *. set (l := nodup N.eq_dec classes).
  exists (fun x => match class_of e x with Some c => place c l | None => 0%nat end),
         (fun m y => match nth_error l m with Some c => answer_in f e c y | None => 0 end). split.
  - intros x. assert (Pos : (0 < length l)%nat).
    { destruct classes as [|c classes]; [congruence|]. assert (Hc : In c l) by (apply nodup_In; now left).
      destruct l; [elim Hc|simpl; lia]. }
    destruct (class_of e x) as [c|] eqn:E; [|exact Pos].
    apply class_of_In in E. subst e. rewrite combine_snd in E by exact Len.
    apply nth_error_Some. rewrite place_nth; [discriminate|]. now apply nodup_In.
  - intros x y a E. rewrite Forall_forall in G.
    assert (e_good : forall p, In p e -> good f (fst p)).
    { intros [p c] Hp. apply in_combine_l in Hp. now apply G. }
    assert (e_all : forall x y a, f x y = Some a -> exists p, In p e /\ fst (fst p) = x).
    { intros u v b F. apply All, in_map_iff in F. destruct F as (p & <- & Hp).
      destruct (combine_all L classes Len p Hp) as (q & Hq & <-). eauto. }
    destruct (classes_answer f ks Hk e e_good e_all H x y a E) as (c & Ec & Ea). rewrite Ec.
    rewrite place_nth; [exact Ea|]. apply class_of_In in Ec. subst e. rewrite combine_snd in Ec by exact Len.
    now apply nodup_In.
Qed.

(** ** The checkers *)
Definition sent (t : table) (sender : party) : list line := match sender with alice => row_lines t | bob => column_lines t end.
Definition seen (t : table) (sender : party) : N -> N -> option N := match sender with alice => cell t | bob => flip (cell t) end.

Definition distinct_lines (t : table) (sender : party) (xs : list N) : option N :=
  if regular t then
    match look_up (sent t sender) xs with
    | Some ls => if pairwise (conflict (codes_of t)) ls then Some (N.of_nat (length xs)) else None
    | None => None
    end
  else None.

Definition message_classes (t : table) (sender : party) (classes : list N) : option N :=
  let L := sent t sender in
  if regular t then
    if Nat.eqb (length classes) (length L) then
      match classes with
      | [] => None
      | _ => if pairwise (agree (codes_of t)) (combine L classes) then Some (N.of_nat (length (nodup N.eq_dec classes))) else None
      end
    else None
  else None.

Lemma seen_suffice t sender count : suffice (seen t sender) count <-> messages_suffice (cell t) sender count.
Proof. destruct sender; simpl; [reflexivity|]. unfold flip. split; intros (m & a & H1 & H2); exists m, a; auto. Qed.

Section Sent.
Variable t : table.
Variable sender : party.
Hypothesis t_regular : regular t = true.

Lemma sent_good : Forall (good (seen t sender)) (sent t sender).
Proof. destruct sender; [apply row_lines_good|now apply column_lines_good]. Qed.

Lemma sent_all x y a : seen t sender x y = Some a -> In x (map fst (sent t sender)).
Proof. destruct sender; simpl; intros H; [eapply row_lines_all|eapply column_lines_all]; eauto. Qed.

Lemma sent_codes x y c : seen t sender x y = Some c -> In c (codes_of t).
Proof. destruct sender; simpl; [|unfold flip]; apply codes_of_all. Qed.
End Sent.

Theorem distinct_lines_bound t sender xs v : distinct_lines t sender xs = Some v ->
  forall count, messages_suffice (cell t) sender count -> v <= N.of_nat count.
Proof.
  unfold distinct_lines. intros H count K. destruct (regular t) eqn:R; [|discriminate].
  destruct (look_up (sent t sender) xs) as [ls|] eqn:F; [|discriminate].
  destruct (pairwise _ ls) eqn:P; [|discriminate]. injection H as <-.
  destruct (look_up_In _ _ _ F) as [Hin Len]. apply seen_suffice in K.
  pose proof (sent_good t sender R) as G. rewrite Forall_forall in G.
  assert (length ls <= count)%nat; [|lia].
  apply (distinct_lines_sound (seen t sender) (codes_of t) (sent_codes t sender) ls); [|now apply pairwise_spec|exact K].
  apply Forall_forall. auto.
Qed.

Theorem message_classes_bound t sender classes v : message_classes t sender classes = Some v ->
  messages_suffice (cell t) sender (N.to_nat v).
Proof.
  unfold message_classes. intros H. destruct (regular t) eqn:R; [|discriminate].
  destruct (Nat.eqb_spec (length classes) (length (sent t sender))) as [Len|]; [|discriminate].
  destruct classes as [|c classes]; [discriminate|]. destruct (pairwise _ _) eqn:P in H; [|discriminate].
  assert (Nz : N.to_nat v = length (nodup N.eq_dec (c :: classes))) by (injection H as <-; now rewrite Nat2N.id). rewrite Nz.
  apply seen_suffice. apply (classes_suffice (seen t sender) (codes_of t) (sent t sender)); auto.
  - intros x y c'. now apply sent_codes.
  - now apply sent_good.
  - intros x y a. now apply sent_all.
  - discriminate.
  - now apply pairwise_spec.
Qed.
