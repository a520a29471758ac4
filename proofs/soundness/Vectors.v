(** * Vectors, and what few of them span: over the rationals, any ordered field, or the integers modulo a prime

    Elementary: no vector spaces, only lists of functions into a commutative ring, of which some elements count as null. *)
From Coq Require Import List Arith Lia Ring Setoid Morphisms.
Import ListNotations.

Section Spans.
Context {K : Type}.
Variables zero one : K.
Variables add mul sub : K -> K -> K.
Variable opp : K -> K.
Variable same : K -> K -> Prop.
Variable null : K -> Prop.

Record null_ideal : Prop := {
  equivalence : Equivalence same;
  extension : ring_eq_ext add mul opp same;
  laws : ring_theory zero one add mul sub opp same;
  null_same : forall a b, same a b -> null a -> null b;
  null_zero : null zero;
  null_sum : forall a b, null a -> null b -> null (add a b);
  null_product : forall a b, null b -> null (mul a b)
}.

Record null_prime : Prop := {
  null_or_not : forall a, null a \/ ~ null a;
  null_factor : forall a b, null (mul a b) -> null a \/ null b;
  one_not_null : ~ null one
}.

(** [v] is a linear_combination of [vs]. *)
Fixpoint spans {I} (vs : list (I -> K)) (v : I -> K) : Prop :=
  match vs with [] => forall i, null (v i) | w :: ws => exists c, spans ws (fun i => sub (v i) (mul c (w i))) end.

(** Vectors with pivots, newest first: each is not null at its own, and null at all older ones. *)
Fixpoint pivoted {I} (bs : list (I * (I -> K))) : Prop :=
  match bs with [] => True | (i, b) :: rest => ~ null (b i) /\ Forall (fun j => null (b j)) (map fst rest) /\ pivoted rest end.

Definition linear_combination {I T} (vec : T -> I -> K) (ws : list (K * T)) (i : I) : K := fold_right (fun w s => add (mul (fst w) (vec (snd w) i)) s) zero ws.

Section Ideal.
Hypothesis D : null_ideal.
Local Instance same_equivalence : Equivalence same := equivalence D.
Local Instance add_same : Proper (same ==> same ==> same) add := Radd_ext (extension D).
Local Instance mul_same : Proper (same ==> same ==> same) mul := Rmul_ext (extension D).
Local Instance opp_same : Proper (same ==> same) opp := Ropp_ext (extension D).
Add Ring scalars : (laws D) (setoid (equivalence D) (extension D)).

Lemma null_by a b x y z : null x -> null y -> same (add (mul a x) (mul b y)) z -> null z.
Proof. intros X Y E. apply (null_same D _ _ E), (null_sum D); now apply (null_product D). Qed.

Lemma spans_ext {I} (vs : list (I -> K)) : forall v w, (forall i, null (sub (v i) (w i))) -> spans vs v -> spans vs w.
Proof.
  induction vs as [|u us IH]; simpl; intros v w E H; [intros i; apply (null_by one (opp one) _ _ _ (H i) (E i)); ring|].
  destruct H as [c H]. exists c. apply (IH _ _) with (2 := H). intros i. apply (null_by one zero _ _ _ (E i) (E i)). ring.
Qed.

Lemma spans_eq {I} (vs : list (I -> K)) v w : (forall i, same (v i) (w i)) -> spans vs v -> spans vs w.
Proof. intros E. apply spans_ext. intros i. apply (null_same D zero); [|apply (null_zero D)]. rewrite (Rsub_def (laws D)), (E i). ring. Qed.

Lemma spans_comb {I} (vs : list (I -> K)) : forall v w a b, spans vs v -> spans vs w -> spans vs (fun i => sub (mul a (v i)) (mul b (w i))).
Proof.
  induction vs as [|u us IH]; simpl; intros v w a b Hv Hw; [intros i; apply (null_by a (opp b) _ _ _ (Hv i) (Hw i)); ring|].
  destruct Hv as [c Hv], Hw as [d Hw]. exists (sub (mul a c) (mul b d)). eapply spans_eq; [|exact (IH _ _ a b Hv Hw)]. intros i. cbv beta. ring.
Qed.

Lemma spans_nothing {I} (vs : list (I -> K)) : spans vs (fun _ => zero).
Proof. induction vs as [|u us IH]; simpl; [intros _; apply (null_zero D)|]. exists zero. eapply spans_eq; [|exact IH]. intros i. cbv beta. ring. Qed.

Lemma linear_combination_app {I T} (vec : T -> I -> K) a b i : same (linear_combination vec (a ++ b) i) (add (linear_combination vec a i) (linear_combination vec b i)).
Proof. induction a as [|w a IH]; simpl; [ring|]. fold (linear_combination vec (a ++ b) i) (linear_combination vec a i). rewrite IH. ring. Qed.

Hypothesis P : null_prime.

Lemma factor_out a b : ~ null a -> null (mul a b) -> null b.
Proof. intros N H. destruct (null_factor P _ _ H); tauto. Qed.

Lemma spans_subtract {I} u us (b : I -> K) c : ~ null c -> spans us (fun i => sub (b i) (mul c (u i))) -> forall rest,
  pivoted rest -> Forall (fun e => spans (u :: us) (snd e)) rest -> Forall (fun j => null (b j)) (map fst rest) ->
  exists rest', pivoted rest' /\ Forall (fun e => spans us (snd e)) rest' /\ map fst rest' = map fst rest.
Proof.
  intros Nc Hb. induction rest as [|[j d] rest IH]; simpl; intros He Hs Hz.
  - exists []. simpl. auto.
  - destruct He as (N & Z & E). inversion Hs as [|? ? [co Hco] Hs']; subst. inversion Hz as [|? ? Hbj Hz']; subst.
    destruct (IH E Hs' Hz') as (rest' & E' & S' & M). simpl in Hco.
    exists ((j, fun i => sub (mul c (d i)) (mul co (b i))) :: rest'). simpl. rewrite M. repeat split; auto.
    + intros H. apply N, (factor_out c); [exact Nc|]. apply (null_by one co _ _ _ H Hbj). ring.
    + rewrite Forall_forall in *. intros k Hk. apply (null_by c (opp co) _ _ _ (Z k Hk) (Hz' k Hk)). ring.
    + constructor; [|exact S']. simpl. eapply spans_eq; [|exact (spans_comb us _ _ c co Hco Hb)]. intros i. cbv beta. ring.
Qed.

(** One spanning vector less costs at most one vector with a pivot. *)
Lemma spans_exchange {I} u us : forall bs : list (I * (I -> K)), pivoted bs -> Forall (fun e => spans (u :: us) (snd e)) bs ->
  exists bs', pivoted bs' /\ Forall (fun e => spans us (snd e)) bs' /\ length bs <= S (length bs') /\ incl (map fst bs') (map fst bs).
Proof.
  induction bs as [|[i b] rest IH]; intros He Hs.
  - exists []. simpl. repeat split; auto using incl_nil_l.
  - destruct He as (N & Z & E). inversion Hs as [|? ? [c Hc] Hs']; subst. simpl in Hc. destruct (null_or_not P c) as [C|C].
    + destruct (IH E Hs') as (bs' & E' & S' & L & Q). exists ((i, b) :: bs'). simpl. repeat split; auto.
      * rewrite Forall_forall in *. intros k Hk. apply Z, Q, Hk.
      * constructor; [|exact S']. simpl. eapply spans_ext; [|exact Hc]. intros k. apply (null_by (opp (u k)) zero _ _ _ C C). ring.
      * lia.
      * intros k [->|Hk]; [now left|right; now apply Q].
    + destruct (spans_subtract u us b c C Hc rest E Hs' Z) as (rest' & E' & S' & M). exists rest'. repeat split; auto.
      * apply (f_equal (@length _)) in M. rewrite !map_length in M. simpl. lia.
      * rewrite M. simpl. intros k Hk. now right.
Qed.

Theorem pivoted_few {I} vs : forall bs : list (I * (I -> K)), pivoted bs -> Forall (fun e => spans vs (snd e)) bs -> length bs <= length vs.
Proof.
  induction vs as [|u us IH]; intros bs He Hs.
  - destruct bs as [|[i b] rest]; [simpl; lia|exfalso]. inversion Hs as [|? ? H _]; subst. destruct He as [N _]. apply N. exact (H i).
  - destruct (spans_exchange _ _ _ He Hs) as (bs' & E' & S' & L & _). specialize (IH bs' E' S'). simpl. lia.
Qed.

(** More vectors than span them are dependent. *)
Theorem few_are_dependent {I} vs : forall T (vec : T -> I -> K) (ts : list T), Forall (fun t => spans vs (vec t)) ts ->
  length vs < length ts -> exists ws, map snd ws = ts /\ Exists (fun w => ~ null (fst w)) ws /\ forall i, null (linear_combination vec ws i).
Proof.
  induction vs as [|u us IH]; intros T vec ts S L.
  - destruct ts as [|t ts]; [simpl in L; lia|]. exists ((one, t) :: map (fun t => (zero, t)) ts). split; [|split].
    + simpl. now rewrite map_map, map_id.
    + constructor. exact (one_not_null P).
    + intros i. inversion S as [|? ? H _]; subst. specialize (H i). clear S L. apply (null_by one zero _ _ _ H H).
      transitivity (add (vec t i) zero); [ring|]. simpl.
      enough (same (linear_combination vec (map (fun t => (zero, t)) ts) i) zero) as E by (unfold linear_combination in E; rewrite E; ring).
      induction ts as [|s ts IH]; simpl; [reflexivity|]. unfold linear_combination in IH. rewrite IH. ring.
  - assert (C : exists cs : list (K * T), map snd cs = ts /\ Forall (fun e => spans us (fun i => sub (vec (snd e) i) (mul (fst e) (u i)))) cs).
    { clear L. induction S as [|t ts [c H] _ (cs & M & F)]; [exists []; auto|]. exists ((c, t) :: cs). simpl. rewrite M. auto. }
    destruct C as (cs & M & F).
    assert (C : Forall (fun e : K * T => null (fst e)) cs \/ Exists (fun e : K * T => ~ null (fst e)) cs).
    { clear -P. induction cs as [|e cs [IH|IH]]; [now left| |right; now right]. destruct (null_or_not P (fst e)); [left; now constructor|right; now left]. }
    destruct C as [Z|E].
    + apply (IH T vec ts); [|simpl in L; lia]. rewrite <- M. apply Forall_map. rewrite Forall_forall in *. intros e He.
      eapply spans_ext; [|exact (F e He)]. intros i. apply (null_by (opp (u i)) zero _ _ _ (Z e He) (Z e He)). ring.
    + apply Exists_exists in E. destruct E as ([c b] & He & Nc). simpl in Nc. apply in_split in He. destruct He as (l & r & ->).
      apply Forall_app in F. destruct F as [Fl F]. inversion F as [|? ? Fb Fr]; subst. simpl in Fb.
      set (vec' := fun (e : K * T) i => sub (mul c (vec (snd e) i)) (mul (fst e) (vec b i))).
      assert (S' : Forall (fun e => spans us (vec' e)) (l ++ r)).
      { apply Forall_app. split; (eapply Forall_impl; [|eassumption]); intros e He; (eapply spans_eq;
          [|exact (spans_comb _ _ _ c (fst e) He Fb)]); intros i; unfold vec'; cbv beta; ring. }
      destruct (IH _ vec' (l ++ r) S') as (ws & Mw & W & Q).
      { rewrite map_length, app_length in L. simpl in L. rewrite app_length. lia. }
      apply map_eq_app in Mw. destruct Mw as (wl & wr & -> & El & Er).
      set (down := map (fun w : K * (K * T) => (mul c (fst w), snd (snd w)))).
      set (gamma := fold_right (fun (w : K * (K * T)) s => add (mul (fst w) (fst (snd w))) s) zero).
      assert (Down : forall ws i, same (linear_combination vec (down ws) i) (add (linear_combination vec' ws i) (mul (gamma ws) (vec b i)))).
      { intros ws i. induction ws as [|w ws IHw]; simpl; [ring|]. unfold linear_combination in *. rewrite IHw. unfold vec'. ring. }
      exists (down wl ++ (opp (add (gamma wl) (gamma wr)), b) :: down wr). split; [|split].
      * rewrite !map_app. simpl. f_equal; [|f_equal]; unfold down; rewrite map_map; rewrite <- ?El, <- ?Er, map_map; reflexivity.
      * assert (Keep : forall ws, Exists (fun w => ~ null (fst w)) ws -> Exists (fun w => ~ null (fst w)) (down ws)).
        { intros ws X. unfold down. apply Exists_map. eapply Exists_impl; [|exact X]. intros w N H. exact (N (factor_out _ _ Nc H)). }
        apply Exists_app in W. apply Exists_app. destruct W as [W|W]; [left|right; right]; now apply Keep.
      * intros i. apply (null_same D) with (2 := Q i). rewrite !linear_combination_app. simpl. fold (linear_combination vec (down wr) i). rewrite !Down. ring.
Qed.
End Ideal.
End Spans.
Arguments spans {K} mul sub null {I}.
Arguments pivoted {K} null {I}.
Arguments spans_ext {K zero one add mul sub opp same null} D {I}.
Arguments spans_eq {K zero one add mul sub opp same null} D {I}.
Arguments spans_comb {K zero one add mul sub opp same null} D {I}.
Arguments spans_nothing {K zero one add mul sub opp same null} D {I}.
Arguments linear_combination_app {K zero one add mul sub opp same null} D {I T}.
Arguments pivoted_few {K zero one add mul sub opp same null} D P {I}.
Arguments few_are_dependent {K zero one add mul sub opp same null} D P {I}.
