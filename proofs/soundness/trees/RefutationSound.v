(** * Why what [Refutation.v] accepts is true *)
From Coq Require Import FinFun List Arith Lia Bool NArith ZArith Znumtheory.
From Ccsim Require Import Specification Trees Span ThreeBits Lines Elimination EliminationModulo2 Refutation.
Import ListNotations.
Open Scope N_scope.

Ltac decide_if H := match type of H with (if ?c then _ else _) = true => let E := fresh "E" in destruct c eqn:E; [|discriminate] end.

Lemma pick_In R L l : In l (pick R L) <-> In l L /\ N.testbit R (fst l) = true.
Proof. apply filter_In. Qed.

Lemma all_some_In {T} (l : list (option T)) : forall m, all_some l = Some m -> forall a, In a m -> In (Some a) l.
Proof.
  induction l as [|[b|] l IH]; simpl; intros m H a Ha; [injection H as <-; elim Ha| |discriminate].
  destruct (all_some l) as [m'|]; [|discriminate]. injection H as <-. destruct Ha as [->|Ha]; [now left|right]. now apply (IH m').
Qed.

Lemma pow_nat d n : N.pow 2 (N.of_nat d) < N.of_nat n -> (2 ^ d < n)%nat.
Proof. intros H. rewrite <- (Nat2N.inj_pow 2) in H. lia. Qed.

Lemma sum_lengths_nat {T} (l : list (list T)) : sum_lengths l = N.of_nat (list_sum (map (@length T) l)).
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. fold (sum_lengths l). rewrite IH. lia. Qed.

Lemma max_lengths_nat {T} (l : list (list T)) : longest l = N.of_nat (list_max (map (@length T) l)).
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. fold (longest l). rewrite IH. lia. Qed.

Lemma sizes_nat {T} who (l : list (list T)) : sizes who l = N.of_nat (counted who (map (@length T) l)).
Proof. destruct who; simpl; [apply sum_lengths_nat|apply max_lengths_nat|apply max_lengths_nat]. Qed.

Lemma total_size_nat who l : total_size who l = N.of_nat (counted who l).
Proof. destruct who; simpl; induction l as [|a l IH]; simpl; auto; rewrite IH; lia. Qed.

Lemma indices_nth n i : nth_error (indices n) i = if (i <? n)%nat then Some (N.of_nat i) else None.
Proof.
  unfold indices. rewrite nth_error_map. destruct (Nat.ltb_spec i n) as [H|H].
  - rewrite nth_error_nth' with (d := 0%nat) by now rewrite seq_length. now rewrite seq_nth by exact H.
  - replace (nth_error (seq 0 n) i) with (@None nat); [reflexivity|]. symmetry. apply nth_error_None. now rewrite seq_length.
Qed.

Lemma indices_NoDup n : NoDup (indices n).
Proof. apply Injective_map_NoDup; [|apply seq_NoDup]. intros a b H. now apply Nat2N.inj. Qed.

Section Sound.
Variable who : knowing.
Variable f : N -> N -> option N.
Variable ks : list N.
Hypothesis ks_distinct : NoDup ks.
Hypothesis ks_all : forall x y c, f x y = Some c -> In c ks.

Definition rows_of (L : list line) (x : N) : Prop := In x (map fst L).

Lemma union_spec l y : good f l -> N.testbit (union ks l) y = true -> exists c, f (fst l) y = Some c.
Proof.
  intros G. unfold union. clear ks_distinct ks_all. induction ks as [|k l' IH]; simpl; intros H; [discriminate|].
  rewrite N.lor_spec in H. apply orb_true_iff in H. destruct H as [H|H]; [|now apply IH].
  rewrite G in H. apply is_code_spec in H. eauto.
Qed.

Lemma promised_spec L C : Forall (good f) L -> promised ks L C = true ->
  forall x y, rows_of L x -> bits C y -> f x y <> None.
Proof.
  unfold promised, rows_of. intros G H x y Hx Hy. apply in_map_iff in Hx. destruct Hx as (l & <- & Hl).
  rewrite forallb_forall in H. specialize (H l Hl). apply N.eqb_eq in H. rewrite Forall_forall in G.
  destruct (union_spec l y (G l Hl) (ldiff_subset _ _ H y Hy)) as [c E]. congruence.
Qed.

(** ** Rank *)

Lemma rank_basis_derived q cols c (S : N -> Prop) L : prime q -> Forall (good f) L -> (forall l, In l L -> S (fst l)) ->
  derived f cols q c S (rank_basis q cols c L).
Proof.
  intros P. unfold rank_basis. assert (H0 : derived f cols q c S []) by now apply derived_empty. revert H0.
  generalize (@nil (nat * list Z)) as b. induction L as [|l L IH]; simpl; intros b Hb G HS; [exact Hb|].
  inversion G; subst. apply IH; auto. apply derived_extend; auto.
Qed.

Lemma ranks_hard' d l (S : N -> Prop) (C : N) cols (primes : list Z) (bs : list basis) (cs : list N) :
  length primes = length cs -> length bs = length cs ->
  (forall x y, S x -> bits C y -> f x y <> None) -> Forall (bits C) cols -> NoDup cs ->
  (forall i q c b, nth_error primes i = Some q -> nth_error cs i = Some c -> nth_error bs i = Some b ->
     derived f cols q c S b) ->
  N.pow 2 (N.of_nat d) < sizes who bs -> hard (said who) f d l S (bits C).
Proof.
  intros L1 L2 T HC ND HD H. rewrite sizes_nat in H. apply pow_nat in H.
  apply (ranks_hard who f d l S (bits C) cs (map (@length _) bs) ND); [|exact H]. intros p Hp. clear ND H.
  revert primes bs L1 L2 HD. induction cs as [|c cs IH]; intros [|q primes] [|b bs] L1 L2 HD; simpl in *; try discriminate; constructor.
  - apply (derived_leaves f cols who q c S (bits C) b p T HC); [|exact Hp]. exact (HD 0%nat q c b eq_refl eq_refl eq_refl).
  - apply (IH primes); [lia|lia|]. intros i q' c' b' H1 H2 H3. exact (HD (Datatypes.S i) q' c' b' H1 H2 H3).
Qed.

Lemma map2_length {A B D} (g : A -> B -> D) l m : length l = length m -> length (map2 g l m) = length m.
Proof. revert m. induction l as [|a l IH]; intros [|b m] H; simpl in *; try discriminate; auto. Qed.

Lemma map2_nth {A B D} (g : A -> B -> D) l : forall m i d, nth_error (map2 g l m) i = Some d ->
  exists a b, nth_error l i = Some a /\ nth_error m i = Some b /\ d = g a b.
Proof.
  induction l as [|a l IH]; intros [|b m] [|i] d H; simpl in *; try discriminate; eauto.
  injection H as <-. eauto.
Qed.

Lemma map2_forall2 {S T U} (g : S -> T -> U) (P : T -> U -> Prop) l : forall m, length l = length m ->
  (forall a b, In a l -> In b m -> P b (g a b)) -> Forall2 P m (map2 g l m).
Proof.
  induction l as [|a l IH]; intros [|b m] Len H; simpl in *; try discriminate; constructor; auto.
Qed.

Lemma indices_length n : length (indices n) = n.
Proof. unfold indices. now rewrite map_length, seq_length. Qed.

Lemma rank_size_leaves q cols c C L (p : protocol N N (leaf_of who N N N)) : prime q -> Forall (good f) L ->
  Forall (bits C) cols -> promised ks L C = true -> right_on (said who) f (rows_of L) (bits C) p ->
  (rank_size q cols c C L <= length (columns_of (leaf_columns N.eqb who) c p))%nat.
Proof.
  intros Pq G HC HP Hp. unfold rank_size. destruct (Z.eqb_spec q 2) as [->|_].
  - apply (basis2_leaves f C who c L p (rows_of L) G); auto; [intros l Hl; now apply in_map|now apply promised_spec].
  - apply (derived_leaves f cols who q c (rows_of L) (bits C) _ p); auto; [now apply promised_spec|].
    apply rank_basis_derived; auto. intros l Hl. now apply in_map.
Qed.

Lemma leaves_by_rank_sound primes L cols C count : Forall (good f) L -> Forall (bits C) cols ->
  leaves_by_rank who ks primes L cols C = Some count ->
  forall p, right_on (said who) f (rows_of L) (bits C) p -> count <= N.of_nat (leaves p).
Proof.
  unfold leaves_by_rank. intros G HC H p Hp.
  destruct (forallb is_prime primes) eqn:E; [|discriminate]. destruct (promised ks L C) eqn:E0; [|discriminate].
  injection H as <-. rewrite total_size_nat.
  pose proof (columns_counted _ _ _ N.eqb N.eqb_eq who p (indices (length primes)) (indices_NoDup _)) as K.
  assert (M : Forall2 le (map2 (fun q c => rank_size q cols c C L) primes (indices (length primes)))
                         (map (fun a => length (columns_of (leaf_columns N.eqb who) a p)) (indices (length primes)))).
  { rewrite forallb_forall in E.
    assert (F : Forall2 (fun c size => (size <= length (columns_of (leaf_columns N.eqb who) c p))%nat) (indices (length primes))
                  (map2 (fun q c => rank_size q cols c C L) primes (indices (length primes)))).
    { apply map2_forall2; [now rewrite indices_length|]. intros q c Hq _. apply rank_size_leaves; auto. apply is_prime_spec. auto. }
    clear -F. induction F; simpl; constructor; auto. }
  pose proof (counted_mono who _ _ M). lia.
Qed.

Lemma too_many_leaves_sound d l primes L cols C : Forall (good f) L -> Forall (bits C) cols ->
  too_many_leaves who d ks primes L cols C = true -> hard (said who) f d l (rows_of L) (bits C).
Proof.
  unfold too_many_leaves. intros G HC H. destruct (leaves_by_rank _ _ _ _ _ _) as [count|] eqn:E; [|discriminate].
  apply N.ltb_lt in H. apply many_leaves_hard. intros p Hp. pose proof (leaves_by_rank_sound primes L cols C count G HC E p Hp).
  apply pow_nat. lia.
Qed.

(** ** Fooling sets *)

Definition entry_good (e : entry) (p : N * N) : Prop :=
  match e with
  | (x, y, a, m) => x = fst p /\ y = snd p /\ f x y = Some a /\
                    forall y', N.testbit m y' = true -> exists c, f x y' = Some c /\ c <> a
  end.

Lemma others_spec a l y : good f l -> N.testbit (others ks a l) y = true -> exists c, f (fst l) y = Some c /\ c <> a.
Proof.
  intros G. unfold others. clear ks_distinct ks_all. induction ks as [|k l' IH]; simpl; intros H; [discriminate|].
  destruct (N.eqb_spec k a); [now apply IH|]. rewrite N.lor_spec in H. apply orb_true_iff in H.
  destruct H as [H|H]; [|now apply IH]. rewrite G in H. apply is_code_spec in H. eauto.
Qed.

Lemma enter_good L p e : Forall (good f) L -> enter ks L p = Some e -> entry_good e p.
Proof.
  unfold enter. intros G H. match type of H with context [find ?g L] => destruct (find g L) as [l|] eqn:F; [|discriminate] end.
  apply find_some in F. destruct F as [Hl E]. apply N.eqb_eq in E. rewrite Forall_forall in G. specialize (G l Hl).
  match type of H with context [find ?g ks] => destruct (find g ks) as [a|] eqn:F'; [|discriminate] end. apply find_some in F'. destruct F' as [_ B].
  injection H as <-. simpl. rewrite G in B. apply is_code_spec in B. rewrite <- E. repeat split; auto.
  intros y' H. now apply others_spec.
Qed.

Lemma enter_all_good L cells : Forall (good f) L -> forall es, enter_all ks L cells = Some es -> Forall2 entry_good es cells.
Proof.
  intros G. induction cells as [|p cells IH]; simpl; intros es H; [injection H as <-; constructor|].
  destruct (enter ks L p) as [e|] eqn:E; [|discriminate]. destruct (enter_all ks L cells) as [es'|]; [|discriminate].
  injection H as <-. constructor; [eapply enter_good; eauto|]. now apply IH.
Qed.

End Sound.

Lemma exclude_apart who f e e' p p' : who <> BobAlone -> entry_good f e p -> entry_good f e' p' ->
  exclude who e e' = true -> apart (said who) f p p'.
Proof.
  destruct e as [[[x y] a] m], e' as [[[x' y'] a'] m'], p as [px py], p' as [px' py'].
  intros NB (-> & -> & E & M) (-> & -> & E' & M') H leaf K. simpl in *.
  pose proof (K _ _ _ (or_introl eq_refl) (or_introl eq_refl) E) as K1.
  pose proof (K _ _ _ (or_intror eq_refl) (or_intror eq_refl) E') as K2.
  assert (X : (if N.testbit m py' then true else N.testbit m' py) = true -> who = Both \/ who = AliceAlone -> False).
  { intros X W. destruct (N.testbit m py') eqn:B.
    - destruct (M _ B) as (c & Ec & Nc). pose proof (K _ _ _ (or_introl eq_refl) (or_intror eq_refl) Ec) as K3.
      destruct W; subst who; simpl in *; congruence.
    - destruct (M' _ X) as (c & Ec & Nc). pose proof (K _ _ _ (or_intror eq_refl) (or_introl eq_refl) Ec) as K3.
      destruct W; subst who; simpl in *; congruence. }
  destruct who; [|now apply X; auto|congruence].
  destruct (N.eqb_spec a a') as [<-|Ne]; [apply X; auto|]. simpl in *. congruence.
Qed.

Lemma all_apart_sound who f es cells : who <> BobAlone -> Forall2 (entry_good f) es cells -> all_apart who es = true ->
  ForallOrdPairs (apart (said who) f) cells.
Proof.
  intros NB. induction 1 as [|e p es cells He Hes IH]; simpl; intros H; [constructor|].
  destruct (forallb (exclude who e) es) eqn:E; [|discriminate]. constructor; [|now apply IH].
  clear -NB He Hes E. induction Hes as [|e' p' es cells He' _ IH]; simpl in *; [constructor|].
  apply andb_true_iff in E. destruct E as [E1 E2]. constructor; [|now apply IH]. eapply exclude_apart; eauto.
Qed.


Lemma apart_flip f p q : apart (said AliceAlone) (flip f) (turn p) (turn q) -> apart (said BobAlone) f p q.
Proof.
  intros H leaf K. apply (H leaf). intros y x a Hy Hx E. now apply (K x y a).
Qed.

Lemma apart_list_flip f cells : ForallOrdPairs (apart (said AliceAlone) (flip f)) (map turn cells) ->
  ForallOrdPairs (apart (said BobAlone) f) cells.
Proof.
  induction cells as [|p cells IH]; simpl; intros H; [constructor|]. inversion H as [|? ? Hp Hr]; subst.
  constructor; [|now apply IH]. rewrite Forall_map in Hp. eapply Forall_impl; [|exact Hp]. intros q. apply apart_flip.
Qed.

Lemma are_apart_sound who f ks rows cols cells : Forall (good f) rows -> Forall (good (flip f)) cols ->
  are_apart who ks rows cols cells = true ->
  ForallOrdPairs (apart (said who) f) cells /\ Forall (fun p => f (fst p) (snd p) <> None) cells.
Proof.
  intros G G' H. assert (P : forall g es cs, Forall2 (entry_good g) es cs -> Forall (fun p => g (fst p) (snd p) <> None) cs).
  { intros g es cs. induction 1 as [|[[[x y] a] m] p es cs He _ IH]; constructor; auto. destruct He as (-> & -> & E & _). congruence. }
  destruct who; unfold are_apart in H;
    match type of H with context [enter_all ?k ?l ?c] => destruct (enter_all k l c) as [es|] eqn:F; [|discriminate] end.
  - assert (K := enter_all_good _ _ _ _ G _ F). split; [|now apply (P f es)]. now apply (all_apart_sound Both f es).
  - assert (K := enter_all_good _ _ _ _ G _ F). split; [|now apply (P f es)]. now apply (all_apart_sound AliceAlone f es).
  - assert (K := enter_all_good _ _ _ _ G' _ F). split.
    + apply apart_list_flip. now apply (all_apart_sound AliceAlone (flip f) es).
    + pose proof (P _ _ _ K) as Q. rewrite Forall_map in Q. exact Q.
Qed.

Lemma is_fooling_sound who f ks d l rows cols R C cells : Forall (good f) rows -> Forall (good (flip f)) cols ->
  is_fooling who d ks rows cols R C cells = true -> hard (said who) f d l (bits R) (bits C).
Proof.
  unfold is_fooling. intros G G' H. decide_if H. decide_if H. destruct (are_apart_sound _ _ _ _ _ _ G G' H) as [K _].
  apply (@fooling_hard N N N _ (said who) f d l (bits R) (bits C) cells); [|exact K|].
  - rewrite forallb_forall in E. apply Forall_forall. intros p Hp. specialize (E p Hp).
    destruct (N.testbit R (fst p)) eqn:B; [|discriminate]. split; [exact B|exact E].
  - apply N.ltb_lt in E0. now apply pow_nat.
Qed.

(** ** Splits *)

Section AllSplits.
Variable who : knowing.
Variable f : N -> N -> option N.
Variable ks : list N.
Hypothesis ks_distinct : NoDup ks.
Variable lim : limit.

Section Splits.
Variable L : list line.
Variable cols : list N.
Variable C : N.
Variable d : nat.
Hypothesis L_good : Forall (good f) L.
Hypothesis cols_in : Forall (bits C) cols.

Definition side_good (S : N -> Prop) (s : laid) : Prop :=
  (forall x, bits (fst s) x -> S x) /\
  Forall (fun e => length (snd e) = length ks /\
                   forall i c b, nth_error ks i = Some c -> nth_error (snd e) i = Some b -> derived f cols (fst e) c S b) (snd s).

Variable primes : list Z.
Hypothesis all_promised : primes = [] \/ (forall x y, rows_of L x -> bits C y -> f x y <> None).

Definition item_good (i : item) : Prop :=
  exists l, In l L /\ fst (fst i) = fst l /\
    snd (fst i) = match primes with [] => [] | _ => map (fun c => vector cols (plane c l)) ks end /\
    Forall (fun core => hard (said who) f d lim (bits core) (bits C)) (snd i).

Lemma put_sound (S : N -> Prop) s i : length (snd s) = length primes -> side_good S s -> item_good i -> S (fst (fst i)) ->
  (forall x, S x -> rows_of L x) ->
  match put who d s i with
  | None => hard (said who) f d lim S (bits C)
  | Some s' => side_good S s' /\ length (snd s') = length primes
  end.
Proof.
  intros Hlen [Hm Hb] (l & Hl & Hx & Hv & Hc) HS HR. destruct s as [mask bases], i as [[x vectors] cores]. simpl in *. subst x.
  assert (Hin : forall z, bits (N.setbit mask (fst l)) z -> S z).
  { intros z Hz. unfold bits in Hz. apply N.setbit_iff in Hz. destruct Hz as [<-|Hz]; auto. }
  destruct (existsb (fun core => N.ldiff core (N.setbit mask (fst l)) =? 0) cores) eqn:E.
  - apply existsb_exists in E. destruct E as (core & Hcore & E). apply N.eqb_eq in E.
    rewrite Forall_forall in Hc. apply (hard_mono (l := lim) (d := d) (R := bits core) (C := bits C)); auto.
    intros z Hz. apply Hin. exact (ldiff_subset _ _ E z Hz).
  - set (longer := map _ bases).
    assert (Hlong : Forall (fun e => length (snd e) = length ks /\ forall i c b, nth_error ks i = Some c ->
                              nth_error (snd e) i = Some b -> derived f cols (fst e) c S b) longer).
    { subst longer. apply Forall_map. rewrite Forall_forall in *. intros [q bs] He. specialize (Hb _ He). simpl in *.
      assert (primes <> []) by (destruct primes; [destruct bases; [elim He|discriminate]|discriminate]).
      destruct Hb as [Lb Hb]. assert (Hv' : vectors = map (fun c => vector cols (plane c l)) ks) by (rewrite Hv; now destruct primes).
      split.
      - rewrite Hv'. rewrite map2_length; rewrite map_length; [reflexivity|exact Lb].
      - intros i c b Hk Hn. rewrite Hv' in Hn. destruct (map2_nth _ _ _ _ _ Hn) as (b0 & v & H1 & H2 & ->).
        rewrite nth_error_map, Hk in H2. simpl in H2. injection H2 as <-. apply derived_extend; auto.
        now apply (Hb i). }
    match goal with |- match (if existsb ?g longer then _ else _) with _ => _ end => destruct (existsb g longer) eqn:E' end.
    + apply existsb_exists in E'. destruct E' as ([q bs] & He & B). apply N.ltb_lt in B. simpl in B.
      rewrite Forall_forall in Hlong. destruct (Hlong _ He) as [Lb Hd]. simpl in *.
      apply ranks_hard' with (cs := ks) (primes := map (fun _ => q) ks) (bs := bs) (cols := cols); auto.
      * now rewrite map_length.
      * destruct all_promised as [->|AP]; [|intros; apply AP; auto].
        subst longer. destruct bases; [elim He|discriminate].
      * intros i q' c b H1 H2 H3. rewrite nth_error_map, H2 in H1. simpl in H1. injection H1 as <-. now apply (Hd i).
    + split; [split; [exact Hin|exact Hlong]|]. simpl. subst longer. now rewrite map_length.
Qed.

Lemma item_row i : item_good i -> rows_of L (fst (fst i)).
Proof. intros (l & Hl & -> & _). now apply in_map. Qed.

End Splits.

Lemma dependent_last_In q v : forall L b later l, In l (dependent_last q v b L later) -> In l L \/ In l later.
Proof.
  induction L as [|m L IH]; simpl; intros b later l H; [right; now apply in_rev|].
  destruct (rev (v m)) as [|w ?].
  - destruct H as [->|H]; auto. destruct (IH _ _ _ H); auto.
  - destruct (Nat.eqb _ _).
    + destruct (IH _ _ _ H) as [|[->|]]; auto.
    + destruct H as [->|H]; auto. destruct (IH _ _ _ H); auto.
Qed.

Lemma with_cores_spec v cores : forall L i, In i (snd (with_cores v cores L)) ->
  exists l, In l L /\ fst (fst i) = fst l /\ snd (fst i) = v l /\ incl (snd i) cores.
Proof.
  induction L as [|l L IH]; simpl; intros i H; [elim H|].
  destruct (with_cores v cores L) as [after items]. simpl in *. destruct H as [<-|H].
  - exists l. simpl. repeat split; auto. intros c Hc. now apply filter_In in Hc.
  - destruct (IH i H) as (m & Hm & E). exists m. auto.
Qed.

Theorem split_ok_sound d primes L cols C cores : Forall (good f) L -> Forall (bits C) cols ->
  Forall (fun core => hard (said who) f d lim (bits core) (bits C)) cores ->
  split_ok who d ks primes L cols C cores = true ->
  forall g : N -> bool, (forall x, rows_of L x -> g x = false) \/ (forall x, rows_of L x -> g x = true) \/
    hard (said who) f d lim (fun x => rows_of L x /\ g x = false) (bits C) \/ hard (said who) f d lim (fun x => rows_of L x /\ g x = true) (bits C).
Proof.
  unfold split_ok. intros G HC Hcores H. decide_if H. decide_if H. decide_if H.
  set (v := fun l : line => match primes with [] => [] | _ :: _ => map (fun c => vector cols (plane c l)) ks end) in *.
  set (fresh := map (fun q => (q, map (fun _ => @nil (nat * list Z)) ks)) primes) in *.
  set (order := dependent_last 3 v [] L []) in *. set (items := snd (with_cores v cores order)) in *.
  assert (AP : primes = [] \/ (forall x y, rows_of L x -> bits C y -> f x y <> None)).
  { destruct primes; [now left|right]. now apply (promised_spec f ks). }
  assert (Hitems : Forall (item_good L cols C d primes) items).
  { apply Forall_forall. intros i Hi. destruct (with_cores_spec _ _ _ _ Hi) as (l & Hl & E2 & E3 & E4).
    destruct (dependent_last_In _ _ _ _ _ _ Hl) as [HlL|[]]. exists l. repeat split; auto.
    rewrite Forall_forall in *. auto. }
  assert (Hall : forall x, rows_of L x -> In x (map (fun i : item => fst (fst i)) items)).
  { intros x Hx. apply in_map_iff in Hx. destruct Hx as (l & <- & Hl). rewrite forallb_forall in E1.
    specialize (E1 l Hl). apply existsb_exists in E1. destruct E1 as (i & Hi & Ei). apply N.eqb_eq in Ei.
    rewrite <- Ei. now apply (in_map (fun i : item => fst (fst i))). }
  assert (Hfresh : forall S, side_good cols S (0, fresh)).
  { intros S. split; [intros x Hx; unfold bits in Hx; simpl in Hx; discriminate|]. simpl. subst fresh. apply Forall_map.
    apply Forall_forall. intros q Hq. simpl. rewrite map_length. split; [reflexivity|]. intros i c b Hi Hb.
    rewrite nth_error_map, Hi in Hb. simpl in Hb. injection Hb as <-. apply derived_empty.
    rewrite forallb_forall in E. now apply is_prime_spec, E. }
  assert (Lf : length (snd (0, fresh)) = length primes) by (simpl; subst fresh; now rewrite map_length).
  intros g. destruct (every_split_sound laid item (put who d) (fun i => fst (fst i)) (rows_of L) (item_good L cols C d primes)
    (fun S s => side_good cols S s /\ length (snd s) = length primes) (fun S => hard (said who) f d lim S (bits C))) with (7 := H) (g := g)
    as [[_ K]|K]; [apply item_row| | |exact Hitems|auto|auto|tauto|tauto].
  - intros S S' M. apply hard_mono; auto.
  - intros S s i HS Si Hi [Gs Ls]. exact (put_sound L cols C d G HC primes AP S s i Ls Gs Hi Si HS).
Qed.

End AllSplits.
