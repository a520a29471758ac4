(** * Protocols in which a party says a number, and what only pairs tell apart

    [pairs_need_leaves] is a count of both answers: a function that is 1 at the pairs (x_i, y_i) of different lines, and 0
    elsewhere, has as many leaves with 1 as pairs, and one more with 0 if a row and a column are in no pair. *)
From Coq Require Import List Arith Lia Bool.
From Ccsim Require Import Specification Trees.
Import ListNotations.
Set Implicit Arguments.

(** ** A number below 2^bits, bit by bit *)
Section Saying.
Variables X Y L : Type.

Fixpoint alice_says (number : X -> nat) (bits : nat) (known : nat) (continue : nat -> protocol X Y L) : protocol X Y L :=
  match bits with
  | O => continue known
  | S j => Alice (fun x => Nat.testbit (number x) j)
                 (alice_says number j (2 * known) continue) (alice_says number j (2 * known + 1) continue)
  end.

Fixpoint bob_says (number : Y -> nat) (bits : nat) (known : nat) (continue : nat -> protocol X Y L) : protocol X Y L :=
  match bits with
  | O => continue known
  | S j => Bob (fun y => Nat.testbit (number y) j)
               (bob_says number j (2 * known) continue) (bob_says number j (2 * known + 1) continue)
  end.

Lemma shifted_bit n j : n / 2 ^ j = if Nat.testbit n j then 2 * (n / 2 ^ S j) + 1 else 2 * (n / 2 ^ S j).
Proof.
  assert (E : n / 2 ^ S j = n / 2 ^ j / 2) by (rewrite Nat.div_div by (try apply Nat.pow_nonzero; lia); f_equal; simpl; lia).
  rewrite E, Nat.testbit_odd, Nat.shiftr_div_pow2. generalize (n / 2 ^ j) as m. intros m.
  rewrite (Nat.div2_odd m) at 1. rewrite <- Nat.div2_div. destruct (Nat.odd m); simpl Nat.b2n; lia.
Qed.

Lemma alice_says_depth number bits d continue : (forall n, depth (continue n) <= d) ->
  forall known, depth (alice_says number bits known continue) <= bits + d.
Proof. intros H. induction bits as [|j IH]; intros known; simpl; [apply H|]. pose proof (IH (2 * known)). pose proof (IH (2 * known + 1)). simpl in *. lia. Qed.

Lemma bob_says_depth number bits d continue : (forall n, depth (continue n) <= d) ->
  forall known, depth (bob_says number bits known continue) <= bits + d.
Proof. intros H. induction bits as [|j IH]; intros known; simpl; [apply H|]. pose proof (IH (2 * known)). pose proof (IH (2 * known + 1)). simpl in *. lia. Qed.

Ltac said_in_full says value :=
  intros Small; match goal with |- run (_ _ ?bits _ ?continue) ?x ?y = ?whole =>
    assert (K : forall j known, known = value / 2 ^ j -> run (says j known continue) x y = whole);
    [intros j; induction j as [|j IH]; intros known E;
       [simpl; change (2 ^ 0) with 1 in E; rewrite Nat.div_1_r in E; now subst|
        simpl; pose proof (shifted_bit value j) as B; destruct (Nat.testbit value j); apply IH; lia]|
     apply K; now rewrite Nat.div_small by exact Small] end.

Lemma alice_says_run number bits continue x y : number x < 2 ^ bits ->
  run (alice_says number bits 0 continue) x y = run (continue (number x)) x y.
Proof. said_in_full (alice_says number) (number x). Qed.

Lemma bob_says_run number bits continue x y : number y < 2 ^ bits ->
  run (bob_says number bits 0 continue) x y = run (continue (number y)) x y.
Proof. said_in_full (bob_says number) (number y). Qed.
End Saying.

(** ** Leaves of both answers *)
Section Pairs.
Variables X Y : Type.
Variable f : function X Y bool.

(** 1 at the pairs, which are of different lines, and 0 at all other cells of their lines and of [us] and [vs]. *)
Definition only_pairs (pairs : list (X * Y)) (us : list X) (vs : list Y) : Prop :=
  Forall (fun c => f (fst c) (snd c) = Some true) pairs /\
  ForallOrdPairs (fun c d => f (fst c) (snd d) = Some false /\ f (fst d) (snd c) = Some false) pairs /\
  (forall c v, In c pairs -> In v vs -> f (fst c) v = Some false) /\
  (forall u c, In u us -> In c pairs -> f u (snd c) = Some false) /\
  (forall u v, In u us -> In v vs -> f u v = Some false).

Definition right_there (p : protocol X Y bool) (pairs : list (X * Y)) (us : list X) (vs : list Y) : Prop :=
  forall x y a, (In x us \/ In x (map fst pairs)) -> (In y vs \/ In y (map snd pairs)) -> f x y = Some a -> run p x y = a.

Lemma ordered_pairs {T} (P : T -> T -> Prop) l : (forall a b, P a b -> P b a) -> ForallOrdPairs P l ->
  forall a b g, In a l -> In b l -> g a = true -> g b = false -> P a b.
Proof.
  intros Sym H. induction H as [|c l Hc _ IH]; intros a b g Ha Hb Ga Gb; [destruct Ha|].
  rewrite Forall_forall in Hc. destruct Ha as [<-|Ha], Hb as [<-|Hb]; [congruence|now apply Hc|now apply Sym, Hc|now apply (IH a b g)].
Qed.

(** What a bit of Alice leaves: her pairs and rows; the columns of the other pairs are in no pair any more. *)
Lemma only_pairs_rows g pairs us vs : only_pairs pairs us vs ->
  only_pairs (filter (fun c => g (fst c)) pairs) (filter g us) (map snd (filter (fun c => negb (g (fst c))) pairs) ++ vs).
Proof.
  intros (H1 & H2 & H3 & H4 & H5). repeat split.
  - rewrite Forall_forall in *. intros c Hc. apply filter_In in Hc. now apply H1.
  - now apply pairs_filter.
  - intros c v Hc Hv. apply filter_In in Hc. destruct Hc as [Hc Gc]. apply in_app_or in Hv. destruct Hv as [Hv|Hv]; [|now apply H3].
    apply in_map_iff in Hv. destruct Hv as (d & <- & Hd). apply filter_In in Hd. destruct Hd as [Hd Gd].
    apply negb_true_iff in Gd. apply (@ordered_pairs _ _ _ (fun a b both => conj (proj2 both) (proj1 both)) H2 c d (fun c => g (fst c))); auto.
  - intros u c Hu Hc. apply filter_In in Hu, Hc. now apply H4.
  - intros u v Hu Hv. apply filter_In in Hu. apply in_app_or in Hv. destruct Hv as [Hv|Hv]; [|now apply H5].
    apply in_map_iff in Hv. destruct Hv as (d & <- & Hd). apply filter_In in Hd. now apply H4.
Qed.

Lemma right_there_rows g s zero one pairs us vs (b : bool) : (forall x, g x = Bool.eqb (s x) b) -> right_there (Alice s zero one) pairs us vs ->
  right_there (if b then one else zero) (filter (fun c => g (fst c)) pairs) (filter g us)
    (map snd (filter (fun c => negb (g (fst c))) pairs) ++ vs).
Proof.
  intros Hg H x y a Hx Hy E.
  assert (K : g x = true /\ (In x us \/ In x (map fst pairs))).
  { destruct Hx as [Hx|Hx]; [apply filter_In in Hx; tauto|]. apply in_map_iff in Hx. destruct Hx as (c & <- & Hc).
    apply filter_In in Hc. split; [tauto|right]. apply in_map. tauto. }
  assert (M : In y vs \/ In y (map snd pairs)).
  { destruct Hy as [Hy|Hy]; [apply in_app_or in Hy; destruct Hy as [Hy|Hy]; [|now left]|];
      apply in_map_iff in Hy; destruct Hy as (c & <- & Hc); apply filter_In in Hc; right; apply in_map; tauto. }
  destruct K as [Gx K]. specialize (H x y a K M E). simpl in H. rewrite Hg in Gx. apply Bool.eqb_prop in Gx. rewrite Gx in H.
  now destruct b.
Qed.

Definition some {T} (l : list T) : nat := match l with [] => 0 | _ => 1 end.

(** One pair, and no other line: the only case in which no cell is 0. *)
Definition lone (pairs : list (X * Y)) (us : list X) (vs : list Y) : nat :=
  match pairs, us, vs with [_], [], [] => 1 | _, _, _ => 0 end.

Lemma some_app {T} (a b : list T) : some (a ++ b) = Nat.max (some a) (some b).
Proof. now destruct a; destruct b. Qed.

Lemma some_filter {T} (g : T -> bool) l : some l <= some (filter g l) + some (filter (fun a => negb (g a)) l).
Proof. destruct l as [|a l]; simpl; [lia|]. destruct (g a); simpl; lia. Qed.

End Pairs.

Definition turned {X Y A} (f : function X Y A) : function Y X A := fun y x => f x y.

Lemma only_pairs_turned {X Y} (f : function X Y bool) pairs us vs : only_pairs f pairs us vs ->
  only_pairs (turned f) (map (fun c => (snd c, fst c)) pairs) vs us.
Proof.
  intros (H1 & H2 & H3 & H4 & H5). unfold turned. repeat split.
  - now apply Forall_map.
  - clear -H2. induction H2 as [|c l Hc _ IH]; simpl; constructor; [|exact IH]. apply Forall_map. eapply Forall_impl; [|exact Hc].
    simpl. tauto.
  - intros c u Hc Hu. apply in_map_iff in Hc. destruct Hc as (d & <- & Hd). now apply H4.
  - intros v c Hv Hc. apply in_map_iff in Hc. destruct Hc as (d & <- & Hd). now apply H3.
  - auto.
Qed.

Lemma right_there_turned {X Y} (f : function X Y bool) p pairs us vs : right_there f p pairs us vs ->
  right_there (turned f) (swap p) (map (fun c => (snd c, fst c)) pairs) vs us.
Proof.
  intros H y x a Hy Hx E. rewrite run_swap. rewrite !map_map in *. simpl in *. now apply H.
Qed.

Lemma leaves_swap {X Y L} (p : protocol X Y L) : leaves (swap p) = leaves p.
Proof. induction p as [|s p1 IH1 p2 IH2|s p1 IH1 p2 IH2]; simpl; congruence. Qed.

Definition enough {X Y} (p : protocol X Y bool) (pairs : list (X * Y)) (us : list X) (vs : list Y) : Prop :=
  pairs <> [] -> 2 * length pairs + Nat.min (some us) (some vs) <= leaves p + lone pairs us vs.

Lemma lone_turned {X Y} (pairs : list (X * Y)) us vs : lone (map (fun c => (snd c, fst c)) pairs) vs us = lone pairs us vs.
Proof. destruct pairs as [|c [|d pairs]]; destruct us, vs; reflexivity. Qed.

Lemma lone_column {X Y} (pairs : list (X * Y)) us v vs : lone pairs us (v :: vs) = 0.
Proof. destruct pairs as [|c [|d pairs]]; destruct us; reflexivity. Qed.

Lemma filter_all {T} (g : T -> bool) l : filter (fun a => negb (g a)) l = [] -> filter g l = l.
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. destruct (g a); simpl; [|discriminate]. intros H. now rewrite IH. Qed.

(** If a bit of Alice sends all pairs one way, there is a leaf more; else each half has columns in no pair. *)
Lemma enough_alice {X Y} s (zero one : protocol X Y bool) pairs us vs :
  (forall b, let g := fun x => Bool.eqb (s x) b in
     enough (if b then one else zero) (filter (fun c => g (fst c)) pairs) (filter g us)
       (map snd (filter (fun c => negb (g (fst c))) pairs) ++ vs)) -> enough (Alice s zero one) pairs us vs.
Proof.
  intros H Any. pose proof (H true) as H1. pose proof (H false) as H0. cbv zeta in H0, H1.
  set (g := fun x => Bool.eqb (s x) true) in *.
  assert (E : forall x, Bool.eqb (s x) false = negb (g x)) by (intros x; unfold g; now destruct (s x)).
  rewrite !(filter_ext _ _ (fun c : X * Y => E (fst c))) in H0. rewrite (filter_ext _ _ E) in H0.
  rewrite (filter_ext (fun c : X * Y => negb (Bool.eqb (s (fst c)) false)) (fun c => g (fst c))) in H0
    by (intros c; rewrite E; apply negb_involutive).
  pose proof (filter_parts (fun c : X * Y => g (fst c)) pairs) as Len.
  pose proof (some_filter g us) as Us. cbn [leaves].
  pose proof (leaves_pos zero). pose proof (leaves_pos one).
  set (ones := filter (fun c => g (fst c)) pairs) in *. set (zeros := filter (fun c => negb (g (fst c))) pairs) in *.
  destruct ones as [|c more] eqn:O, zeros as [|d less] eqn:Z.
  - simpl in Len. destruct pairs; [congruence|discriminate].
  - assert (P : pairs = d :: less).
    { rewrite <- Z. unfold zeros in *. symmetry. apply (filter_all (fun c : X * Y => negb (g (fst c)))).
      rewrite (filter_ext _ (fun c => g (fst c))) by (intros; apply negb_involutive). exact O. }
    specialize (H0 ltac:(discriminate)). simpl app in H0. rewrite P.
    assert (Lo : lone (d :: less) us vs = 0 \/ lone (d :: less) us vs = 1) by (destruct less, us, vs; simpl; auto).
    destruct less as [|d' less']; simpl lone in *; simpl length in *; destruct vs; simpl some in *;
      destruct (filter (fun x => negb (g x)) us) eqn:F; simpl in *; lia.
  - assert (P : pairs = c :: more).
    { rewrite <- O. unfold ones in *. symmetry. apply (filter_all (fun c : X * Y => g (fst c))). exact Z. }
    specialize (H1 ltac:(discriminate)). simpl app in H1. rewrite P.
    destruct more as [|c' more']; simpl lone in *; simpl length in *; destruct vs; simpl some in *;
      destruct (filter g us) eqn:F; simpl in *; lia.
  - specialize (H0 ltac:(discriminate)). specialize (H1 ltac:(discriminate)).
    assert (L0 : lone (d :: less) (filter (fun x => negb (g x)) us) (map snd (c :: more) ++ vs) = 0)
      by apply lone_column.
    assert (L1 : lone (c :: more) (filter g us) (map snd (d :: less) ++ vs) = 0)
      by apply lone_column.
    rewrite L0 in H0. rewrite L1 in H1. rewrite !some_app in *. simpl some in *. rewrite Len.
    pose proof (Nat.le_min_l (some us) (some vs)). assert (forall T (l : list T), some l <= 1) as B by (intros T [|? ?]; simpl; lia).
    pose proof (B _ vs). pose proof (B _ us). pose proof (B _ (filter g us)). pose proof (B _ (filter (fun x => negb (g x)) us)). lia.
Qed.

Theorem pairs_need_leaves : forall size X Y (f : function X Y bool) (p : protocol X Y bool) pairs us vs, leaves p <= size ->
  only_pairs f pairs us vs -> right_there f p pairs us vs -> enough p pairs us vs.
Proof.
  assert (Step : forall size, (forall X Y (f : function X Y bool) p pairs us vs, leaves p <= size ->
      only_pairs f pairs us vs -> right_there f p pairs us vs -> enough p pairs us vs) ->
    forall X Y (f : function X Y bool) s zero one pairs us vs, leaves zero <= size -> leaves one <= size ->
      only_pairs f pairs us vs -> right_there f (Alice s zero one) pairs us vs -> enough (Alice s zero one) pairs us vs).
  { intros size IH X Y f s zero one pairs us vs L0 L1 O R. apply enough_alice. intros b g. apply (IH X Y f).
    - now destruct b.
    - now apply only_pairs_rows.
    - apply (@right_there_rows X Y f g s zero one pairs us vs b); [reflexivity|exact R]. }
  induction size as [|size IH]; intros X Y f p pairs us vs L O R; [pose proof (leaves_pos p); lia|].
  destruct p as [a|s zero one|s zero one].
  - intros Any. destruct O as (H1 & H2 & H3 & H4 & H5). destruct pairs as [|c pairs]; [congruence|].
    inversion H1 as [|? ? Hc _]; subst. assert (a = true) as -> by (apply (R (fst c) (snd c)); simpl; auto).
    assert (No : forall x y, f x y = Some false -> (In x us \/ In x (map fst (c :: pairs))) -> (In y vs \/ In y (map snd (c :: pairs))) -> False).
    { intros x y E Hx Hy. now specialize (R x y false Hx Hy E). }
    destruct pairs as [|d pairs].
    + destruct us as [|u us]; [|exfalso; apply (No u (snd c)); [apply H4| |]; simpl; auto].
      destruct vs as [|v vs]; [|exfalso; apply (No (fst c) v); [apply H3| |]; simpl; auto]. simpl. lia.
    + exfalso. inversion H2 as [|? ? K _]; subst. inversion K as [|? ? [E _] _]; subst. apply (No _ _ E); simpl; auto.
  - simpl in L. pose proof (leaves_pos zero). pose proof (leaves_pos one). apply (Step size IH X Y f); auto; lia.
  - simpl in L. pose proof (leaves_pos zero). pose proof (leaves_pos one).
    assert (E : enough (Alice s (swap zero) (swap one)) (map (fun c => (snd c, fst c)) pairs) vs us).
    { apply (Step size IH Y X (turned f)); rewrite ?leaves_swap; try lia; [now apply only_pairs_turned|].
      change (Alice s (swap zero) (swap one)) with (swap (Bob s zero one)). now apply right_there_turned. }
    intros Any. assert (Any' : map (fun c => (snd c, fst c)) pairs <> []) by (destruct pairs; simpl; congruence).
    specialize (E Any'). rewrite map_length, lone_turned in E. cbn [leaves] in *. rewrite !leaves_swap in E. lia.
Qed.

Lemma map_pairs {S T} (P : T -> T -> Prop) (g : S -> T) l : (forall a b, In a l -> In b l -> a <> b -> P (g a) (g b)) ->
  NoDup l -> ForallOrdPairs P (map g l).
Proof.
  intros H. induction 1 as [|a l Na _ IH]; simpl; constructor.
  - apply Forall_map, Forall_forall. intros b Hb. apply H; [now left|now right|]. intros ->. contradiction.
  - apply IH. intros c d Hc Hd. apply H; now right.
Qed.
