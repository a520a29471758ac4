(** * Ordered fields: signs and integers; vectors over them, and what few of these span *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith Field_theory InitialRing Setoid.
From Ccsim Require Import Specification Factors RationalRank.
Import ListNotations.
Close Scope Q_scope.
Open Scope nat_scope.

Declare Scope field_scope.
Delimit Scope field_scope with F.
Notation "0" := zero : field_scope.
Notation "1" := one : field_scope.
Infix "+" := add : field_scope.
Infix "*" := multiply : field_scope.
Infix "<" := below : field_scope.
Notation "- a" := (negative a) : field_scope.
Notation "a - b" := (add a (negative b)) : field_scope.

Section Field.
Variable F : ordered_field.
Add Field numbers : (field_laws F).
Local Open Scope field_scope.

Lemma is_zero (a : F) : a = 0 \/ a <> 0.
Proof.
  destruct (total_order F a 0) as [H|[H|H]]; [right|now left|right]; intros ->; exact (strict_order F _ H).
Qed.

Lemma signs_exclude (a : F) : 0 < a -> a < 0 -> False.
Proof. intros P N. exact (strict_order F _ (transitive_order F _ _ _ P N)). Qed.

Lemma opposite (a : F) : a < 0 -> 0 < - a.
Proof. intros H. pose proof (order_of_sums F a 0 (- a) H) as K. replace (a - a) with (0 : F) in K by ring. now replace (0 - a) with (- a) in K by ring. Qed.

Lemma opposite_back (a : F) : 0 < a -> - a < 0.
Proof. intros H. pose proof (order_of_sums F 0 a (- a) H) as K. replace (a - a) with (0 : F) in K by ring. now replace (0 - a) with (- a) in K by ring. Qed.

Lemma difference (a b : F) : a < b <-> 0 < b - a.
Proof.
  split; intros H.
  - pose proof (order_of_sums F a b (- a) H) as K. now replace (a - a) with (0 : F) in K by ring.
  - pose proof (order_of_sums F 0 (b - a) a H) as K. replace (0 + a) with a in K by ring. now replace (b - a + a) with b in K by ring.
Qed.

Lemma above_sum (a b : F) : 0 < a -> 0 < b -> 0 < a + b.
Proof. intros A B. apply (transitive_order F _ b); [exact B|]. apply difference. now replace (a + b - b) with a by ring. Qed.

Lemma sum_at_least (a b : F) : at_most F 0 a -> at_most F 0 b -> at_most F 0 (a + b).
Proof.
  intros [A|<-] [B|<-]; [left; now apply above_sum|left|left|right].
  - now replace (a + 0) with a by ring.
  - now replace (0 + b) with b by ring.
  - ring.
Qed.

Lemma product_at_least (a b : F) : at_most F 0 a -> at_most F 0 b -> at_most F 0 (a * b).
Proof. intros [A|<-] [B|<-]; [left; now apply order_of_products|right|right|right]; ring. Qed.

Lemma one_above : (0 : F) < 1.
Proof.
  destruct (total_order F 0 1) as [H|[H|H]]; [exact H| |].
  - exfalso. exact (F_1_neq_0 (field_laws F) (eq_sym H)).
  - exfalso. apply opposite in H. pose proof (order_of_products F _ _ H H) as K. replace (- (1) * - (1)) with (1 : F) in K by ring.
    apply opposite_back in H. replace (- - (1)) with (1 : F) in H by ring. exact (signs_exclude _ K H).
Qed.

Lemma inverse_above (a : F) : 0 < a -> 0 < inverse a.
Proof.
  intros H. assert (N : a <> 0) by (intros ->; exact (strict_order F _ H)). destruct (total_order F 0 (inverse a)) as [K|[K|K]]; [exact K| |]; exfalso.
  - apply (F_1_neq_0 (field_laws F)). transitivity (inverse a * a); [field; exact N|rewrite <- K; ring].
  - apply opposite in K. pose proof (order_of_products F _ _ K H) as P. replace (- inverse a * a) with (- (1) : F) in P by (field; exact N).
    apply opposite_back in P. replace (- - (1)) with (1 : F) in P by ring. exact (signs_exclude _ one_above P).
Qed.

(** ** Integers *)
Let whole_morphism : ring_morph (0 : F) 1 add multiply (fun a b => a - b) negative eq 0%Z 1%Z Z.add Z.mul Z.sub Z.opp Zeq_bool (whole F).
Proof. unfold whole. apply gen_phiZ_morph; [apply Eqsth|apply Eq_ext|apply (F_R (field_laws F))]. Qed.

Lemma whole_0 : whole F 0 = 0. Proof. reflexivity. Qed.
Lemma whole_1 : whole F 1 = 1. Proof. reflexivity. Qed.
Lemma whole_add a b : whole F (a + b)%Z = whole F a + whole F b. Proof. apply (morph_add whole_morphism). Qed.
Lemma whole_mul a b : whole F (a * b)%Z = whole F a * whole F b. Proof. apply (morph_mul whole_morphism). Qed.
Lemma whole_opp a : whole F (- a)%Z = - whole F a. Proof. apply (morph_opp whole_morphism). Qed.
Lemma whole_sub a b : whole F (a - b)%Z = whole F a - whole F b. Proof. apply (morph_sub whole_morphism). Qed.

Lemma whole_above n : (0 < n)%Z -> 0 < whole F n.
Proof.
  intros H. rewrite <- (Z2Nat.id n) by lia. assert (P : (0 < Z.to_nat n)%nat) by lia. clear H. revert P. generalize (Z.to_nat n). clear n. intros n.
  induction n as [|[|n] IH]; intros P; [lia|simpl; exact one_above|]. rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite whole_add. apply above_sum; [apply IH; lia|exact one_above].
Qed.

Lemma whole_sign n : (0 < n)%Z /\ 0 < whole F n \/ n = 0%Z /\ whole F n = 0 \/ (n < 0)%Z /\ whole F n < 0.
Proof.
  destruct (Z.lt_trichotomy n 0) as [H|[->|H]]; [right; right|right; left; auto|left; split; [exact H|now apply whole_above]].
  split; [exact H|]. replace n with (- - n)%Z by ring. rewrite whole_opp. apply opposite_back, whole_above. lia.
Qed.

Lemma whole_at_least n : (0 <= n)%Z <-> at_most F 0 (whole F n).
Proof.
  destruct (whole_sign n) as [[H K]|[[-> K]|[H K]]]; split; intros A; try lia; try (left; exact K); try (right; exact (eq_sym K)).
  exfalso. destruct A as [A|A]; [exact (signs_exclude _ A K)|rewrite <- A in K; exact (strict_order F _ K)].
Qed.

Lemma whole_zero n : whole F n = 0 -> n = 0%Z.
Proof. intros E. destruct (whole_sign n) as [[_ K]|[[-> _]|[_ K]]]; [|reflexivity|]; rewrite E in K; now elim (strict_order F _ K). Qed.

Lemma one_less (a b : F) : b = a + b - a. Proof. ring. Qed.
Lemma nothing_more (a : F) : 0 = 0 - a * 0. Proof. ring. Qed.

(** ** What few vectors span *)
Section Vectors.
Variable I : Type.

Fixpoint spanned (vs : list (I -> F)) (v : I -> F) : Prop :=
  match vs with [] => forall i, v i = 0 | w :: ws => exists c, spanned ws (fun i => v i - c * w i) end.

Lemma spanned_eq vs : forall v w, (forall i, v i = w i) -> spanned vs v -> spanned vs w.
Proof.
  induction vs as [|u us IH]; simpl; intros v w E H; [intros i; now rewrite <- E|]. destruct H as [c H]. exists c.
  eapply IH; [|exact H]. intros i. cbv beta. now rewrite E.
Qed.

Lemma spanned_comb vs : forall v w a b, spanned vs v -> spanned vs w -> spanned vs (fun i => a * v i - b * w i).
Proof.
  induction vs as [|u us IH]; simpl; intros v w a b Hv Hw; [intros i; rewrite Hv, Hw; ring|].
  destruct Hv as [c Hv], Hw as [d Hw]. exists (a * c - b * d). eapply spanned_eq; [|exact (IH _ _ a b Hv Hw)]. intros i. cbv beta. ring.
Qed.

Lemma spanned_nothing vs : spanned vs (fun _ => 0).
Proof. induction vs as [|u us IH]; simpl; [reflexivity|]. exists 0. eapply spanned_eq; [|exact IH]. intros i. cbv beta. ring. Qed.

(** Vectors with pivots, newest first: each is not 0 at its own, and 0 at all older ones. *)
Fixpoint stepped (bs : list (I * (I -> F))) : Prop :=
  match bs with [] => True | (i, b) :: rest => b i <> 0 /\ Forall (fun j => b j = 0) (map fst rest) /\ stepped rest end.

Lemma product_zero (a b : F) : a <> 0 -> a * b = 0 -> b = 0.
Proof. intros N E. transitivity (inverse a * (a * b)); [field; exact N|rewrite E; ring]. Qed.

Lemma stepped_subtract u us b c : c <> 0 -> spanned us (fun i => b i - c * u i) -> forall rest,
  stepped rest -> Forall (fun e => spanned (u :: us) (snd e)) rest -> Forall (fun j => b j = 0) (map fst rest) ->
  exists rest', stepped rest' /\ Forall (fun e => spanned us (snd e)) rest' /\ map fst rest' = map fst rest.
Proof.
  intros Nc Hb. induction rest as [|[j d] rest IH]; simpl; intros He Hs Hz.
  - exists []. simpl. auto.
  - destruct He as (N & Z & E). inversion Hs as [|? ? [co Hco] Hs']; subst. inversion Hz as [|? ? Hbj Hz']; subst.
    destruct (IH E Hs' Hz') as (rest' & E' & S' & M). simpl in Hco.
    exists ((j, fun i => c * d i - co * b i) :: rest'). simpl. rewrite M. repeat split; auto.
    + rewrite Hbj. intros H. apply N. apply (product_zero c); [exact Nc|]. rewrite <- H. ring.
    + rewrite Forall_forall in *. intros k Hk. rewrite (Z k Hk), (Hz' k Hk). ring.
    + constructor; [|exact S']. simpl. eapply spanned_eq; [|exact (spanned_comb us _ _ c co Hco Hb)]. intros i. cbv beta. ring.
Qed.

Lemma stepped_exchange u us : forall bs, stepped bs -> Forall (fun e => spanned (u :: us) (snd e)) bs ->
  exists bs', stepped bs' /\ Forall (fun e => spanned us (snd e)) bs' /\ (length bs <= S (length bs'))%nat /\ incl (map fst bs') (map fst bs).
Proof.
  induction bs as [|[i b] rest IH]; intros He Hs.
  - exists []. simpl. repeat split; auto using incl_nil_l.
  - destruct He as (N & Z & E). inversion Hs as [|? ? [c Hc] Hs']; subst. simpl in Hc. destruct (is_zero c) as [->|D].
    + destruct (IH E Hs') as (bs' & E' & S' & L & Q). exists ((i, b) :: bs'). simpl. repeat split; auto.
      * rewrite Forall_forall in *. intros k Hk. apply Z, Q, Hk.
      * constructor; [|exact S']. simpl. eapply spanned_eq; [|exact Hc]. intros k. cbv beta. ring.
      * lia.
      * intros k [->|Hk]; [now left|right; now apply Q].
    + destruct (stepped_subtract u us b c D Hc rest E Hs' Z) as (rest' & E' & S' & M). exists rest'. repeat split; auto.
      * apply (f_equal (@length _)) in M. rewrite !map_length in M. simpl. lia.
      * rewrite M. simpl. intros k Hk. now right.
Qed.

Theorem stepped_span vs : forall bs, stepped bs -> Forall (fun e => spanned vs (snd e)) bs -> (length bs <= length vs)%nat.
Proof.
  induction vs as [|u us IH]; intros bs He Hs.
  - destruct bs as [|[i b] rest]; [simpl; lia|exfalso]. inversion Hs as [|? ? H _]; subst. destruct He as [N _]. apply N. exact (H i).
  - destruct (stepped_exchange _ _ _ He Hs) as (bs' & E' & S' & L & _). specialize (IH bs' E' S'). simpl. lia.
Qed.

(** More vectors than span them are dependent. *)
Definition weighed {T} (vec : T -> I -> F) (ws : list (F * T)) (i : I) : F := fold_right (fun w s => fst w * vec (snd w) i + s) 0 ws.

Lemma weighed_app {T} (vec : T -> I -> F) a b i : weighed vec (a ++ b) i = weighed vec a i + weighed vec b i.
Proof. induction a as [|w a IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Theorem few_are_dependent vs : forall T (vec : T -> I -> F) (ts : list T), Forall (fun t => spanned vs (vec t)) ts ->
  (length vs < length ts)%nat -> exists ws, map snd ws = ts /\ Exists (fun w => fst w <> 0) ws /\ forall i, weighed vec ws i = 0.
Proof.
  induction vs as [|u us IH]; intros T vec ts S L.
  - destruct ts as [|t ts]; [simpl in L; lia|]. exists ((1, t) :: map (fun t => (0, t)) ts). split; [|split].
    + simpl. now rewrite map_map, map_id.
    + constructor. apply (F_1_neq_0 (field_laws F)).
    + intros i. inversion S as [|? ? H _]; subst.
      assert (Z : weighed vec (map (fun t => (0, t)) ts) i = 0) by (clear; induction ts as [|s ts IH]; simpl; [reflexivity|]; rewrite IH; ring).
      transitivity (1 * vec t i + weighed vec (map (fun t => (0, t)) ts) i); [reflexivity|]. rewrite Z, (H i). ring.
  - assert (C : exists cs : list (F * T), map snd cs = ts /\ Forall (fun e => spanned us (fun i => vec (snd e) i - fst e * u i)) cs).
    { clear L. induction S as [|t ts [c H] _ (cs & M & K)]; [exists []; auto|]. exists ((c, t) :: cs). simpl. rewrite M. auto. }
    destruct C as (cs & M & K).
    assert (D : Forall (fun e : F * T => fst e = 0) cs \/ Exists (fun e : F * T => fst e <> 0) cs).
    { clear. induction cs as [|e cs [IH|IH]]; [now left| |right; now right]. destruct (is_zero (fst e)); [left; now constructor|right; now left]. }
    destruct D as [Z|E].
    + apply (IH T vec ts); [|simpl in L; lia]. rewrite <- M. apply Forall_map. rewrite Forall_forall in *. intros e He.
      eapply spanned_eq; [|exact (K e He)]. intros i. cbv beta. rewrite (Z e He). ring.
    + apply Exists_exists in E. destruct E as ([c b] & He & Nc). simpl in Nc. apply in_split in He. destruct He as (l & r & ->).
      apply Forall_app in K. destruct K as [Kl K]. inversion K as [|? ? Kb Kr]; subst. simpl in Kb.
      set (vec' := fun (e : F * T) i => vec (snd e) i - fst e * inverse c * vec b i).
      assert (S' : Forall (fun e => spanned us (vec' e)) (l ++ r)).
      { apply Forall_app. split; (eapply Forall_impl; [|eassumption]); intros e He; (eapply spanned_eq;
          [|exact (spanned_comb _ _ _ 1 (fst e * inverse c) He Kb)]); intros i; unfold vec'; cbv beta; field; exact Nc. }
      destruct (IH _ vec' (l ++ r) S') as (ws & Mw & W & Q).
      { rewrite map_length, app_length in L. simpl in L. rewrite app_length. lia. }
      apply map_eq_app in Mw. destruct Mw as (wl & wr & -> & El & Er).
      set (down := map (fun w : F * (F * T) => (fst w, snd (snd w)))).
      set (gamma := fold_right (fun (w : F * (F * T)) s => fst w * (fst (snd w) * inverse c) + s) 0).
      assert (D : forall ws i, weighed vec (down ws) i = weighed vec' ws i + gamma ws * vec b i).
      { intros ws i. induction ws as [|w ws IHw]; simpl; [ring|]. unfold weighed in *. simpl. rewrite IHw. unfold vec'. ring. }
      exists (down wl ++ (- (gamma wl + gamma wr), b) :: down wr). split; [|split].
      * rewrite !map_app. simpl. f_equal; [|f_equal]; unfold down; rewrite map_map; rewrite <- ?El, <- ?Er, map_map; reflexivity.
      * apply Exists_app in W. apply Exists_app. destruct W as [W|W]; [left|right; right]; unfold down; apply Exists_map; exact W.
      * intros i. rewrite weighed_app. simpl. specialize (Q i). rewrite weighed_app in Q.
        change (fold_right (fun w s => fst w * vec (snd w) i + s) 0 (down wr)) with (weighed vec (down wr) i). rewrite !D. rewrite <- Q. ring.
Qed.
End Vectors.
End Field.
