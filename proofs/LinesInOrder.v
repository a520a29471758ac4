(** * Lines with numbers in which the chance of an answer is linear

    If it is, for each line of the other party, answers change at most once across, in the order of the numbers; and as they change
    from little chance to much, the numbers are far apart. Both is checked of different lines. *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith Lqa Mergesort Sorted Permutation.
From Ccsim Require Import Specification Lines FewThrows.
Import ListNotations.
Open Scope N_scope.

Module NOrder <: Orders.TotalLeBool.
  Definition t := N.
  Definition leb := N.leb.
  Lemma leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. intros a b. unfold leb. rewrite !N.leb_le. lia. Qed.
End NOrder.
Module NSort := Sort NOrder.

(** ** What is checked *)

(** Masks with their places, each mask once. *)
Module MaskOrder <: Orders.TotalLeBool.
  Definition t := (N * N)%type.
  Definition leb (a b : t) := N.leb (fst a) (fst b).
  Lemma leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. intros a b. unfold leb. rewrite !N.leb_le. lia. Qed.
End MaskOrder.
Module MaskSort := Sort MaskOrder.

Fixpoint numbered (place : N) (masks : list N) : list (N * N) :=
  match masks with [] => [] | m :: rest => (m, place) :: numbered (N.succ place) rest end.

Fixpoint once (l : list (N * N)) : list (N * N) :=
  match l with a :: (b :: _) as rest => if fst a =? fst b then once rest else a :: once rest | _ => l end.

Definition different (masks : list N) : list (N * N) := once (MaskSort.sort (numbered 0 masks)).

(** The least number of the line after one with this number. *)
Definition ratio (e : Q) : Q := Qred ((1 - e) / e).
Definition inverse (e : Q) : Q := Qred (e / (1 - e)).
Definition following (e up down : Q) (place : Q) : Q :=
  if Qeq_bool e 0 then if Qle_bool place 0 then 1 else 2
  else let a := (up * place)%Q in let b := (1 - down * (1 - place))%Q in if Qle_bool a b then b else a.

Fixpoint fit (e up down : Q) (count : nat) (place : Q) : bool :=
  match count with
  | O => true
  | S count => if Qle_bool place 1 then fit e up down count (following e up down place) else false
  end.

(** Lines of the other party as sets of the own lines on which the answer is not that of the first. *)
Definition changes (whole first across : N) : N := if N.testbit across first then N.ldiff whole across else across.

Fixpoint chain (sets : list N) : bool :=
  match sets with a :: (b :: _) as rest => if N.ldiff a b =? 0 then chain rest else false | _ => true end.

Definition in_one_order (e : Q) (whole : N) (own across : list (N * N)) : bool :=
  if fit e (ratio e) (inverse e) (length own) 0
  then existsb (fun first => chain (NSort.sort (map (fun other => changes whole (snd first) (fst other)) across))) own else false.

(** ** Why it holds *)
Lemma numbered_spec masks : forall place e, In e (numbered place masks) -> place <= snd e /\ nth_error masks (N.to_nat (snd e - place)) = Some (fst e).
Proof.
  induction masks as [|m masks IH]; intros place e []; [subst; cbn [fst snd]; rewrite N.sub_diag; split; [lia|reflexivity]|].
  destruct (IH _ _ H) as [L E]. split; [lia|]. replace (snd e - place) with (N.succ (snd e - N.succ place)) by lia. now rewrite N2Nat.inj_succ.
Qed.

Lemma numbered_masks masks : forall place, map fst (numbered place masks) = masks.
Proof. induction masks as [|m masks IH]; intros place; [reflexivity|]. cbn [numbered map fst]. now rewrite IH. Qed.

Lemma once_in l e : In e (once l) -> In e l.
Proof.
  induction l as [|a l IH]; [trivial|]. destruct l as [|b l]; [trivial|]. cbn [once]. destruct (fst a =? fst b); [intros H; right; now apply IH|].
  intros [<-|H]; [now left|right; now apply IH].
Qed.

Lemma once_every l e : In e l -> In (fst e) (map fst (once l)).
Proof.
  revert e. induction l as [|a l IH]; [trivial|]. intros e. destruct l as [|b l]; [intros [<-|[]]; now left|].
  change (once (a :: b :: l)) with (if fst a =? fst b then once (b :: l) else a :: once (b :: l)). intros [<-|H].
  - destruct (N.eqb_spec (fst a) (fst b)) as [E|]; [rewrite E; apply IH; now left|now left].
  - destruct (fst a =? fst b); [now apply IH|right; now apply IH].
Qed.

Lemma once_distinct l : StronglySorted (fun a b => MaskOrder.leb a b = true) l -> NoDup (map fst (once l)).
Proof.
  induction 1 as [|a l S IH F]; [constructor|]. destruct l as [|b l]; [constructor; [intros []|constructor]|].
  change (once (a :: b :: l)) with (if fst a =? fst b then once (b :: l) else a :: once (b :: l)).
  destruct (N.eqb_spec (fst a) (fst b)) as [|Ne]; [exact IH|]. cbn [map]. constructor; [|exact IH]. intros I.
  apply in_map_iff in I. destruct I as (e & E & I). apply once_in in I. inversion F as [|? ? Lab _]; subst. unfold MaskOrder.leb in Lab. apply N.leb_le in Lab.
  destruct I as [<-|I]; [congruence|]. inversion S as [|? ? _ G]; subst. rewrite Forall_forall in G. specialize (G e I). unfold MaskOrder.leb in G. apply N.leb_le in G. lia.
Qed.

Lemma different_spec masks e : In e (different masks) -> nth_error masks (N.to_nat (snd e)) = Some (fst e).
Proof.
  intros H. apply once_in in H. apply (Permutation_in _ (Permutation_sym (MaskSort.Permuted_sort _))) in H.
  apply numbered_spec in H. now rewrite N.sub_0_r in H.
Qed.

Lemma different_distinct masks : NoDup (map fst (different masks)).
Proof.
  apply once_distinct, MaskSort.StronglySorted_sort. intros a b c. unfold is_true, MaskOrder.leb. rewrite !N.leb_le. lia.
Qed.

Lemma different_every masks m : In m masks -> In m (map fst (different masks)).
Proof.
  intros H. rewrite <- (numbered_masks masks 0) in H. apply in_map_iff in H. destruct H as (e & <- & H). apply once_every.
  now apply (Permutation_in _ (MaskSort.Permuted_sort _)).
Qed.

(** Of so many lines one has the least number. *)
Lemma least_of (z : N -> Q) (l : list (N * N)) : l <> [] -> exists l1 m l2, l = l1 ++ m :: l2 /\ forall e, In e l -> (z (snd m) <= z (snd e))%Q.
Proof.
  induction l as [|a l IH]; [congruence|]. intros _. destruct l as [|b l]; [exists [], a, []; split; [reflexivity|intros e [<-|[]]; apply Qle_refl]|].
  destruct (IH ltac:(discriminate)) as (l1 & m & l2 & E & H). destruct (Qlt_le_dec (z (snd m)) (z (snd a))) as [L|L].
  - exists (a :: l1), m, l2. rewrite E. split; [reflexivity|]. intros e [<-|I]; [now apply Qlt_le_weak|]. apply H. now rewrite E.
  - exists [], a, (b :: l). split; [reflexivity|]. intros e [<-|I]; [apply Qle_refl|]. eapply Qle_trans; [exact L|now apply H].
Qed.

Lemma chain_of_comparable l : Sorted (fun a b => N.leb a b = true) l -> (forall a b, In a l -> In b l -> N.ldiff a b = 0 \/ N.ldiff b a = 0) -> chain l = true.
Proof.
  induction 1 as [|a l S IH R]; intros C; [reflexivity|]. destruct l as [|b l]; [reflexivity|]. cbn [chain].
  assert (K : N.ldiff a b = 0).
  { destruct (C a b) as [K|K]; [now left|now right; left|exact K|]. inversion R as [|? ? L]; subst. apply N.ldiff_le in K.
    apply N.leb_le in L. replace b with a by lia. apply N.ldiff_diag. }
  rewrite K. cbn [N.eqb]. apply IH. intros u v Hu Hv. apply C; now right.
Qed.

Section Order.
Variables (e : Q) (whole : N) (own across : list (N * N)) (b : N -> N -> bool).
Variables inside beyond : N -> Prop.
Hypothesis small : (0 <= e)%Q.
Hypothesis half : (2 * e < 1)%Q.
Hypothesis whole_spec : forall x, inside x <-> bits whole x.
Hypothesis b_inside : forall x y, b x y = true -> inside x /\ beyond y.
Hypothesis own_in : forall l, In l own -> inside (snd l) /\ forall y, N.testbit (fst l) y = b (snd l) y.
Hypothesis own_distinct : NoDup (map fst own).
Hypothesis own_every : forall x, inside x -> exists l, In l own /\ forall y, N.testbit (fst l) y = b x y.
Hypothesis across_in : forall l, In l across -> beyond (snd l) /\ forall x, N.testbit (fst l) x = b x (snd l).
Hypothesis some : own <> [].
Variables (z g0 g1 : N -> Q).
Hypothesis z_in : within_one z.
Hypothesis g0_in : within_one g0.
Hypothesis g1_in : within_one g1.
Hypothesis right : forall x y, inside x -> beyond y ->
  let g := ((1 - z x) * g0 y + z x * g1 y)%Q in if b x y then (1 - e <= g)%Q else (g <= e)%Q.

Lemma steep (a c u v : Q) : (0 <= a -> 0 <= u -> u <= v -> a + c * u <= e -> 1 - e <= a + c * v -> (1 - e) * u <= e * v)%Q.
Proof.
  intros A U L Lo Hi. assert (P : (u * (1 - e) <= u * (a + c * v))%Q) by nra. assert (R : (v * (a + c * u) <= v * e)%Q) by nra.
  assert (0 <= (v - u) * a)%Q by nra. nra.
Qed.

(** Two lines that differ somewhere are far apart. *)
Lemma apart l m : In l own -> In m own -> fst l <> fst m -> (z (snd l) <= z (snd m))%Q ->
  ((1 - e) * z (snd l) <= e * z (snd m) /\ (1 - e) * (1 - z (snd m)) <= e * (1 - z (snd l)))%Q.
Proof.
  intros Hl Hm Ne L. destruct (own_in l Hl) as [Il Bl]. destruct (own_in m Hm) as [Im Bm].
  assert (D : exists y, b (snd l) y <> b (snd m) y).
  { destruct (N.eq_dec (N.lxor (fst l) (fst m)) 0) as [E|E]; [apply N.lxor_eq in E; contradiction|]. apply N.bit_log2 in E.
    exists (N.log2 (N.lxor (fst l) (fst m))). rewrite <- Bl, <- Bm. rewrite N.lxor_spec in E. intros F. rewrite F, xorb_nilpotent in E. discriminate. }
  destruct D as (y & D). assert (Y : beyond y).
  { destruct (b (snd l) y) eqn:E; [now apply (b_inside (snd l))|]. destruct (b (snd m) y) eqn:F; [now apply (b_inside (snd m))|congruence]. }
  pose proof (right (snd l) y Il Y) as Rl. pose proof (right (snd m) y Im Y) as Rm. cbv zeta in Rl, Rm.
  destruct (z_in (snd l)) as [Zl0 Zl1]. destruct (z_in (snd m)) as [Zm0 Zm1]. destruct (g0_in y) as [A0 A1]. destruct (g1_in y) as [C0 C1].
  set (s := z (snd l)) in *. set (t := z (snd m)) in *. set (p := g0 y) in *. set (q := g1 y) in *. clearbody s t p q.
  destruct (b (snd l) y), (b (snd m) y); try congruence; split.
  - apply (steep (1 - p) (p - q)); try assumption; lra.
  - apply (steep q (p - q)); try assumption; lra.
  - apply (steep p (q - p)); try assumption; lra.
  - apply (steep (1 - q) (q - p)); try assumption; lra.
Qed.

Lemma ratio_of : (~ e == 0)%Q -> (ratio e * e == 1 - e)%Q.
Proof. intros Ne. unfold ratio. rewrite Qred_correct. field. exact Ne. Qed.

Lemma inverse_of : (inverse e * (1 - e) == e)%Q.
Proof. unfold inverse. rewrite Qred_correct. field. intros E. lra. Qed.

Lemma next_is_after place s t : (place <= s)%Q -> (0 <= s <= 1)%Q -> (0 <= t <= 1)%Q ->
  ((1 - e) * s <= e * t)%Q -> ((1 - e) * (1 - t) <= e * (1 - s))%Q -> (following e (ratio e) (inverse e) place <= t)%Q.
Proof.
  intros P S T L U. unfold following. destruct (Qeq_bool e 0) eqn:E.
  - apply Qeq_bool_iff in E. rewrite E in L, U. destruct (Qle_bool place 0) eqn:F; [lra|].
    assert (~ (place <= 0)%Q) by (intros G; apply Qle_bool_iff in G; congruence). lra.
  - apply Qeq_bool_neq in E. pose proof (ratio_of E) as R. pose proof inverse_of as I. cbv zeta.
    assert (Pos : (0 < e)%Q) by (destruct (Qlt_le_dec 0 e); [assumption|exfalso; apply E; lra]).
    set (u := ratio e) in *. set (d := inverse e) in *. clearbody u d.
    assert (A : (u * place <= t)%Q).
    { assert (0 <= u)%Q by (destruct (Qlt_le_dec u 0); [nra|assumption]). assert (u * place <= u * s)%Q by nra.
      assert (u * s <= t)%Q; [|lra]. apply (Qmult_le_r _ _ e Pos). setoid_replace (u * s * e)%Q with ((u * e) * s)%Q by ring. rewrite R. lra. }
    assert (B : (1 - d * (1 - place) <= t)%Q).
    { assert (Half : (0 < 1 - e)%Q) by lra. assert (0 <= d)%Q by (destruct (Qlt_le_dec d 0); [nra|assumption]).
      assert (d * (1 - s) <= d * (1 - place))%Q by nra. assert (1 - t <= d * (1 - s))%Q; [|lra].
      apply (Qmult_le_r _ _ (1 - e) Half). setoid_replace (d * (1 - s) * (1 - e))%Q with ((d * (1 - e)) * (1 - s))%Q by ring. rewrite I. lra. }
    destruct (Qle_bool _ _); assumption.
Qed.

Lemma lines_fit : forall count l place, length l = count -> incl l own -> NoDup (map fst l) ->
  (forall m, In m l -> (place <= z (snd m))%Q) -> fit e (ratio e) (inverse e) count place = true.
Proof.
  induction count as [|count IH]; intros l place Len Incl D P; [reflexivity|]. cbn [fit].
  assert (Ne : l <> []) by (intros ->; discriminate Len). destruct (least_of z l Ne) as (l1 & m & l2 & E & Least).
  assert (M : In m l) by (rewrite E; apply in_or_app; right; now left).
  assert (One : Qle_bool place 1 = true) by (apply Qle_bool_iff; apply (Qle_trans _ (z (snd m))); [now apply P|apply z_in]). rewrite One.
  apply (IH (l1 ++ l2)).
  - rewrite E, app_length in Len. cbn [length] in Len. rewrite app_length. lia.
  - intros x I. apply Incl. rewrite E. apply in_app_or in I. apply in_or_app. destruct I; [now left|right; now right].
  - rewrite E, map_app in D. cbn [map] in D. rewrite map_app. now apply NoDup_remove_1 in D.
  - intros x I. assert (X : In x l) by (rewrite E; apply in_app_or in I; apply in_or_app; destruct I; [now left|right; now right]).
    assert (Apart : fst m <> fst x).
    { intros F. rewrite E, map_app in D. cbn [map] in D. apply NoDup_remove_2 in D. apply D. rewrite F, <- map_app. now apply in_map. }
    destruct (apart m x (Incl _ M) (Incl _ X) Apart (Least x X)) as [A B].
    exact (next_is_after place (z (snd m)) (z (snd x)) (P m M) (z_in _) (z_in _) A B).
Qed.

(** On which lines across changes are, they stay. *)
Lemma changes_spec (first l : N * N) x : In first own -> In l across -> inside x ->
  N.testbit (changes whole (snd first) (fst l)) x = xorb (b x (snd l)) (b (snd first) (snd l)).
Proof.
  intros F L I. destruct (across_in l L) as [_ B]. unfold changes. rewrite B. destruct (b (snd first) (snd l)).
  - apply whole_spec in I. unfold bits in I. rewrite N.ldiff_spec, I, B. now destruct (b x (snd l)).
  - rewrite B. now destruct (b x (snd l)).
Qed.

Lemma changes_inside (first l : N * N) x : In l across -> N.testbit (changes whole (snd first) (fst l)) x = true -> inside x.
Proof.
  intros L H. destruct (across_in l L) as [_ B]. unfold changes in H. destruct (N.testbit (fst l) (snd first)).
  - apply whole_spec. unfold bits. rewrite N.ldiff_spec in H. now apply andb_true_iff in H.
  - rewrite B in H. now apply b_inside in H.
Qed.

Lemma changes_stay (first l : N * N) x x' : In first own -> In l across -> inside x -> inside x' -> (z (snd first) <= z x)%Q -> (z x <= z x')%Q ->
  b x (snd l) <> b (snd first) (snd l) -> b x' (snd l) <> b (snd first) (snd l).
Proof.
  intros F L I I' Z Z' Ne. destruct (across_in l L) as [Y _]. destruct (own_in first F) as [If _].
  pose proof (right x (snd l) I Y) as R. pose proof (right x' (snd l) I' Y) as R'. pose proof (right (snd first) (snd l) If Y) as Rf.
  cbv zeta in R, R', Rf. set (p := g0 (snd l)) in *. set (q := g1 (snd l)) in *. clearbody p q.
  set (s := z (snd first)) in *. set (t := z x) in *. set (u := z x') in *. clearbody s t u.
  destruct (b x (snd l)), (b (snd first) (snd l)), (b x' (snd l)); try congruence.
  - assert (0 < (q - p) * (t - s))%Q by lra. assert (0 < q - p)%Q by (destruct (Qlt_le_dec 0 (q - p)); [assumption|nra]). nra.
  - assert (0 < (p - q) * (t - s))%Q by lra. assert (0 < p - q)%Q by (destruct (Qlt_le_dec 0 (p - q)); [assumption|nra]). nra.
Qed.

Lemma comparable (first l m : N * N) : In first own -> (forall o, In o own -> (z (snd first) <= z (snd o))%Q) -> In l across -> In m across ->
  N.ldiff (changes whole (snd first) (fst l)) (changes whole (snd first) (fst m)) = 0 \/
  N.ldiff (changes whole (snd first) (fst m)) (changes whole (snd first) (fst l)) = 0.
Proof.
  intros F Least L M.
  assert (Some_line : forall k k', In k across -> In k' across -> N.ldiff (changes whole (snd first) (fst k)) (changes whole (snd first) (fst k')) <> 0 ->
    exists o, In o own /\ b (snd o) (snd k) <> b (snd first) (snd k) /\ b (snd o) (snd k') = b (snd first) (snd k')).
  { intros k k' K K' Ne. apply N.bit_log2 in Ne. set (x := N.log2 _) in Ne. clearbody x. rewrite N.ldiff_spec in Ne. apply andb_true_iff in Ne.
    destruct Ne as [A B]. pose proof (changes_inside first k x K A) as I. rewrite changes_spec in A, B by assumption.
    destruct (own_every x I) as (o & O & E). exists o. split; [exact O|]. destruct (own_in o O) as [_ E'].
    rewrite <- !E', !E. destruct (b x (snd k)), (b (snd first) (snd k)), (b x (snd k')), (b (snd first) (snd k')); try discriminate; split; congruence. }
  destruct (N.eq_dec (N.ldiff (changes whole (snd first) (fst l)) (changes whole (snd first) (fst m))) 0) as [E|E]; [now left|].
  destruct (N.eq_dec (N.ldiff (changes whole (snd first) (fst m)) (changes whole (snd first) (fst l))) 0) as [E'|E']; [now right|]. exfalso.
  destruct (Some_line l m L M E) as (o & O & A & B). destruct (Some_line m l M L E') as (o' & O' & A' & B').
  destruct (own_in o O) as [I _]. destruct (own_in o' O') as [I' _].
  destruct (Qlt_le_dec (z (snd o)) (z (snd o'))) as [Z|Z].
  - apply (changes_stay first l (snd o) (snd o') F L I I' (Least o O) (Qlt_le_weak _ _ Z) A). exact B'.
  - apply (changes_stay first m (snd o') (snd o) F M I' I (Least o' O') Z A'). exact B.
Qed.

Lemma linear_in_one_order : in_one_order e whole own across = true.
Proof.
  unfold in_one_order. rewrite (lines_fit (length own) own 0); [|reflexivity|apply incl_refl|exact own_distinct|intros m _; apply z_in].
  destruct (least_of z own some) as (l1 & first & l2 & E & Least). assert (F : In first own) by (rewrite E; apply in_or_app; right; now left).
  apply existsb_exists. exists first. split; [exact F|]. apply chain_of_comparable; [apply NSort.Sorted_sort|].
  intros u v U V. apply (Permutation_in _ (Permutation_sym (NSort.Permuted_sort _))) in U, V.
  apply in_map_iff in U, V. destruct U as (l & <- & L). destruct V as (m & <- & M). now apply comparable.
Qed.
End Order.
