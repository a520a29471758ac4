(** * Private coins: each party throws its own. What they do in so many bits, public coins do in as many

    The same coins can be thrown in public: a number below a common denominator, for each node, says whether a message is 1. *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification RectangleBits.
Import ListNotations.

Section Private.
Context {X Y A : Type}.

(** ** Thrown in public *)
Definition denominator {T} (s : T -> Q) (l : list T) : positive := fold_right (fun a d => (Qden (s a) * d)%positive) 1%positive l.

Definition says_one {T} (s : T -> Q) (unit : positive) (throw : nat) (a : T) : bool :=
  (Z.of_nat throw * Zpos (Qden (s a)) <? Qnum (s a) * Zpos unit)%Z.

Definition joined_by {node} (join : node -> node -> node) (m0 m1 : list (N * node)) : list (N * node) :=
  flat_map (fun e0 => map (fun e1 => ((fst e0 * fst e1)%N, join (snd e0) (snd e1))) m1) m0.

Variables (xs : list X) (ys : list Y).

Fixpoint in_public (p : private_protocol X Y A) : mixture X Y A :=
  match p with
  | Known b => [(1%N, Output b)]
  | AliceThrows s zero one =>
      let unit := denominator s xs in
      flat_map (fun throw => joined_by (Alice (says_one s unit throw)) (in_public zero) (in_public one)) (seq 0 (Pos.to_nat unit))
  | BobThrows s zero one =>
      let unit := denominator s ys in
      flat_map (fun throw => joined_by (Bob (says_one s unit throw)) (in_public zero) (in_public one)) (seq 0 (Pos.to_nat unit))
  end.

(** *** Its weights *)
Definition weight {node} (g : node -> bool) (m : list (N * node)) : N := total (map (fun e => if g (snd e) then fst e else 0%N) m).

Lemma weight_app {node} (g : node -> bool) m m' : weight g (m ++ m') = (weight g m + weight g m')%N.
Proof. unfold weight. now rewrite map_app, total_app. Qed.

Lemma weight_all {node} (m : list (N * node)) : weight (fun _ => true) m = total (map fst m).
Proof. reflexivity. Qed.

Lemma weight_flat {node T} (g : node -> bool) (h : T -> list (N * node)) l : weight g (flat_map h l) = total (map (fun a => weight g (h a)) l).
Proof. induction l as [|a l IH]; [reflexivity|]. cbn [flat_map map]. rewrite weight_app, IH. reflexivity. Qed.

Lemma weight_times {node} (g h : node -> bool) (join : node -> node) w (m : list (N * node)) : (forall b, g (join b) = h b) ->
  weight g (map (fun e => ((w * fst e)%N, join (snd e))) m) = (w * weight h m)%N.
Proof.
  intros E. unfold weight. induction m as [|e m IH]; [cbn; lia|]. unfold total in *. cbn [map fold_right fst snd]. rewrite IH, E. destruct (h (snd e)); lia.
Qed.

Lemma weight_second {node} (g h : node -> bool) join (m0 m1 : list (N * node)) : (forall a b, g (join a b) = h b) ->
  weight g (joined_by join m0 m1) = (total (map fst m0) * weight h m1)%N.
Proof.
  intros E. unfold joined_by. induction m0 as [|e m0 IH]; [reflexivity|]. cbn [flat_map map]. rewrite weight_app, IH, (weight_times g h) by auto.
  unfold total. cbn [fold_right]. lia.
Qed.

Lemma weight_first {node} (g h : node -> bool) join (m0 m1 : list (N * node)) : (forall a b, g (join a b) = h a) ->
  weight g (joined_by join m0 m1) = (weight h m0 * total (map fst m1))%N.
Proof.
  intros E. unfold joined_by. induction m0 as [|e m0 IH]; [reflexivity|]. cbn [flat_map]. rewrite weight_app, IH, (weight_times g (fun _ => h (snd e))) by auto.
  assert (C : weight (fun _ => h (snd e)) m1 = if h (snd e) then total (map fst m1) else 0%N).
  { destruct (h (snd e)); [reflexivity|]. clear. unfold weight, total. induction m1 as [|b m1 IH]; [reflexivity|]. cbn [map fold_right]. now rewrite IH. }
  rewrite C. unfold weight, total. cbn [map fold_right]. destruct (h (snd e)); lia.
Qed.

Lemma total_same {T} (l : list T) a : total (map (fun _ => a) l) = (N.of_nat (length l) * a)%N.
Proof. induction l as [|b l IH]; [reflexivity|]. unfold total in *. cbn [map fold_right length]. rewrite IH. lia. Qed.

Lemma total_below k r (a b : N) : total (map (fun t => if (t <? k)%nat then a else b) (seq 0 (k + r))) = (N.of_nat k * a + N.of_nat r * b)%N.
Proof.
  rewrite seq_app, map_app, total_app. f_equal.
  - rewrite (map_ext_in _ (fun _ => a)), total_same, seq_length; [reflexivity|]. intros t T. apply in_seq in T. destruct (Nat.ltb_spec t k); [reflexivity|lia].
  - rewrite (map_ext_in _ (fun _ => b)), total_same, seq_length; [reflexivity|]. intros t T. apply in_seq in T. destruct (Nat.ltb_spec t k); [lia|reflexivity].
Qed.

(** How many throws say one: as many as the chance has in the common denominator. *)
Lemma denominator_of {T} (s : T -> Q) l a : In a l -> (Zpos (Qden (s a)) | Zpos (denominator s l))%Z.
Proof.
  induction l as [|b l IH]; cbn [In denominator fold_right]; [tauto|]. rewrite Pos2Z.inj_mul. intros [->|H]; [apply Z.divide_factor_l|].
  apply Z.divide_mul_r. now apply IH.
Qed.

Lemma throws_of {T} (s : T -> Q) l a : In a l -> (0 <= s a <= 1)%Q -> let unit := denominator s l in
  exists k r, Pos.to_nat unit = (k + r)%nat /\ (fraction (N.of_nat k) == s a * fraction (N.pos unit))%Q /\
    forall t, says_one s unit t a = (t <? k)%nat.
Proof.
  intros I [L U] unit. destruct (denominator_of s l a I) as [c C]. fold unit in C. unfold says_one. destruct (s a) as [n d] eqn:E. cbn [Qnum Qden] in *.
  unfold Qle in L, U. cbn [Qnum Qden] in L, U. assert (P : (0 < c)%Z) by nia.
  exists (Z.to_nat (n * c)), (Pos.to_nat unit - Z.to_nat (n * c))%nat. repeat split.
  - enough (Z.to_nat (n * c) <= Pos.to_nat unit)%nat by lia. nia.
  - unfold fraction. rewrite nat_N_Z, Z2Nat.id by nia. unfold Qeq, inject_Z, Qmult. cbn [Qnum Qden Z.of_N]. rewrite C. rewrite ?Pos.mul_1_r. lia.
  - intros t. rewrite C. destruct (Nat.ltb_spec t (Z.to_nat (n * c))) as [B|B]; [apply Z.ltb_lt|apply Z.ltb_ge]; nia.
Qed.

Lemma fraction_add a b : (fraction (a + b) == fraction a + fraction b)%Q.
Proof. unfold fraction. now rewrite N2Z.inj_add, inject_Z_plus. Qed.

Lemma fraction_mul a b : (fraction (a * b) == fraction a * fraction b)%Q.
Proof. unfold fraction. now rewrite N2Z.inj_mul, inject_Z_mult. Qed.

(** A throw that says one as often as its chance: what is right after one message and after the other. *)
Lemma thrown {T} (s : T -> Q) l a (join : nat -> protocol X Y A -> protocol X Y A -> protocol X Y A) (g : protocol X Y A -> bool) m0 m1 c0 c1 :
  In a l -> (0 <= s a <= 1)%Q -> let unit := denominator s l in
  (forall t p0 p1, g (join t p0 p1) = if says_one s unit t a then g p1 else g p0) ->
  (fraction (weight g m0) == c0 * fraction (total (map fst m0)))%Q -> (fraction (weight g m1) == c1 * fraction (total (map fst m1)))%Q ->
  let m := flat_map (fun t => joined_by (join t) m0 m1) (seq 0 (Pos.to_nat unit)) in
  (fraction (weight g m) == ((1 - s a) * c0 + s a * c1) * fraction (total (map fst m)))%Q.
Proof.
  intros I B unit G E0 E1 m. destruct (throws_of s l a I B) as (k & r & D & K & Says). fold unit in D, K, Says.
  assert (W : total (map fst m) = (N.pos unit * (total (map fst m0) * total (map fst m1)))%N).
  { rewrite <- weight_all. unfold m. rewrite weight_flat. rewrite (map_ext _ (fun _ => (total (map fst m0) * total (map fst m1))%N)).
    - rewrite total_same, seq_length, positive_nat_N. reflexivity.
    - intros t. exact (weight_second (fun _ => true) (fun _ => true) (join t) m0 m1 (fun _ _ => eq_refl)). }
  rewrite W. unfold m. rewrite weight_flat, D.
  rewrite (map_ext _ (fun t => if (t <? k)%nat then (total (map fst m0) * weight g m1)%N else (weight g m0 * total (map fst m1))%N)).
  - rewrite total_below, fraction_add, !fraction_mul, E0, E1.
    assert (R : (fraction (N.of_nat r) == (1 - s a) * fraction (N.pos unit))%Q).
    { assert (S : (fraction (N.pos unit) == fraction (N.of_nat k) + fraction (N.of_nat r))%Q).
      { rewrite <- fraction_add, <- Nat2N.inj_add, <- D. rewrite positive_nat_N. reflexivity. }
      rewrite K in S. rewrite <- (Qplus_inj_l _ _ (s a * fraction (N.pos unit))), <- S. ring. }
    rewrite K, R. ring.
  - intros t. specialize (G t). rewrite Says in G. destruct (t <? k)%nat; [apply weight_second|apply weight_first]; intros p0 p1; apply G.
Qed.

Lemma in_public_right same p : are_chances p -> forall x y a, In x xs -> In y ys ->
  (fraction (right_weight same (in_public p) x y a) == chance_of same p x y a * fraction (total (map fst (in_public p))))%Q.
Proof.
  intros C x y a Hx Hy. set (g := fun q : protocol X Y A => same (run q x y) a). change (right_weight same (in_public p) x y a) with (weight g (in_public p)).
  induction p as [b|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; cbn [are_chances in_public chance_of] in *.
  - unfold weight, g. cbn. destruct (same b a); reflexivity.
  - destruct C as (B & C0 & C1). refine (thrown s xs x (fun t => Alice (says_one s (denominator s xs) t)) g _ _ _ _ Hx (B x) _ (IH0 C0) (IH1 C1)).
    intros t q0 q1. unfold g. cbn [run]. now destruct (says_one _ _ _ _).
  - destruct C as (B & C0 & C1). refine (thrown s ys y (fun t => Bob (says_one s (denominator s ys) t)) g _ _ _ _ Hy (B y) _ (IH0 C0) (IH1 C1)).
    intros t q0 q1. unfold g. cbn [run]. now destruct (says_one _ _ _ _).
Qed.

Lemma in_public_depth p : Forall (fun part => (depth (snd part) <= throws p)%nat) (in_public p).
Proof.
  assert (J : forall (join : protocol X Y A -> protocol X Y A -> protocol X Y A) m0 m1 n0 n1, (forall q0 q1, depth (join q0 q1) = S (Nat.max (depth q0) (depth q1))) ->
    Forall (fun part : N * protocol X Y A => (depth (snd part) <= n0)%nat) m0 -> Forall (fun part : N * protocol X Y A => (depth (snd part) <= n1)%nat) m1 ->
    Forall (fun part => (depth (snd part) <= S (Nat.max n0 n1))%nat) (joined_by join m0 m1)).
  { intros join m0 m1 n0 n1 D F0 F1. apply Forall_flat_map. eapply Forall_impl; [|exact F0]. intros e0 L0. apply Forall_map.
    eapply Forall_impl; [|exact F1]. intros e1 L1. cbn [snd]. rewrite D. cbv beta in L0, L1. lia. }
  induction p as [b|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; cbn [in_public throws]; [constructor; [cbn; lia|constructor]|..];
    apply Forall_flat_map, Forall_forall; intros t _; apply J; auto.
Qed.

Lemma in_public_some p : (0 < total (map fst (in_public p)))%N.
Proof.
  assert (S : forall (T : Type) (s : T -> Q) l (join : nat -> protocol X Y A -> protocol X Y A -> protocol X Y A) m0 m1,
    (0 < total (map fst m0))%N -> (0 < total (map fst m1))%N ->
    (0 < total (map fst (flat_map (fun t => joined_by (join t) m0 m1) (seq 0 (Pos.to_nat (denominator s l))))))%N).
  { intros T s l join m0 m1 P0 P1. rewrite <- weight_all, weight_flat. rewrite (map_ext _ (fun _ => (total (map fst m0) * total (map fst m1))%N)).
    - rewrite total_same, seq_length, positive_nat_N. nia.
    - intros t. exact (weight_second (fun _ => true) (fun _ => true) (join t) m0 m1 (fun _ _ => eq_refl)). }
  induction p as [b|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; cbn [in_public]; [reflexivity|..]; now apply S.
Qed.
End Private.

(** What private coins do, public coins do, if each promised cell is in one of some rows and columns. *)
Theorem private_coins_in_public {X Y A : Type} (xs : list X) (ys : list Y) (f : function X Y A) same bits probability :
  (forall x y a, f x y = Some a -> In x xs /\ In y ys) -> succeeds_privately f same bits probability -> succeeds f same bits probability.
Proof.
  intros Finite (p & C & D & Right). exists (in_public xs ys p). split; [apply in_public_some|]. split.
  - eapply Forall_impl; [|apply in_public_depth]. intros part L. cbv beta in L. lia.
  - intros x y a E. destruct (Finite x y a E) as [Hx Hy]. rewrite (in_public_right xs ys same p C x y a Hx Hy).
    apply Qmult_le_compat_r; [now apply Right|]. unfold fraction. change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. lia.
Qed.

(** So bits of public coins from below are bits of private ones. *)
Theorem public_bits_from_below (t : table) (error : Q) (value : Q) : holds (cell t) (Randomised error) Lower value ->
  holds (cell t) (PrivateCoins error) Lower value.
Proof.
  intros H q (bits & Hq & S). apply H. exists bits. split; [exact Hq|].
  apply (private_coins_in_public (indices (length t)) (indices (fold_right Nat.max 0%nat (map (@length _) t)))); [|exact S].
  intros x y a E. unfold cell in E. destruct (nth_error t (N.to_nat x)) as [row|] eqn:R; [|discriminate].
  destruct (nth_error row (N.to_nat y)) as [c|] eqn:F; [|discriminate].
  assert (Place : forall n (z : N), (N.to_nat z < n)%nat -> In z (indices n)).
  { intros n z L. unfold indices. rewrite <- (N2Nat.id z). apply in_map, in_seq. lia. }
  split; apply Place; [apply nth_error_Some; congruence|]. apply Nat.lt_le_trans with (length row); [apply nth_error_Some; congruence|].
  apply nth_error_In in R. clear - R. induction t as [|r t IH]; cbn [In map fold_right] in *; [contradiction|]. destruct R as [->|R]; [lia|]. specialize (IH R). lia.
Qed.

(** ** Without any coins *)
Fixpoint without_coins {X Y A : Type} (p : protocol X Y A) : private_protocol X Y A :=
  match p with
  | Output a => Known a
  | Alice send zero one => AliceThrows (fun x => if send x then 1 else 0)%Q (without_coins zero) (without_coins one)
  | Bob send zero one => BobThrows (fun y => if send y then 1 else 0)%Q (without_coins zero) (without_coins one)
  end.

Lemma without_coins_chances {X Y A : Type} (p : protocol X Y A) : are_chances (without_coins p).
Proof.
  induction p as [a|send p0 IH0 p1 IH1|send p0 IH0 p1 IH1]; cbn [without_coins are_chances]; [exact I|..]; (split; [|split; assumption]);
    intros z; destruct (send z); split; discriminate.
Qed.

Lemma without_coins_throws {X Y A : Type} (p : protocol X Y A) : throws (without_coins p) = depth p.
Proof. induction p as [a|send p0 IH0 p1 IH1|send p0 IH0 p1 IH1]; cbn [without_coins throws depth]; congruence. Qed.

Lemma without_coins_answer {X Y A : Type} same (p : protocol X Y A) x y a :
  (chance_of same (without_coins p) x y a == if same (run p x y) a then 1 else 0)%Q.
Proof.
  induction p as [b|send p0 IH0 p1 IH1|send p0 IH0 p1 IH1]; cbn [without_coins chance_of run]; [reflexivity|..];
    rewrite IH0, IH1; destruct (send _); ring.
Qed.

Theorem bits_without_coins (f : function N N N) (bits : nat) (probability : Q) : (probability <= 1)%Q -> bits_suffice f Both None bits ->
  succeeds_privately f N.eqb bits probability.
Proof.
  intros P (p & C & _ & D). cbn [leaf_of] in p. exists (without_coins p). split; [apply without_coins_chances|]. split; [now rewrite without_coins_throws|].
  intros x y a E. rewrite without_coins_answer. assert (R : run p x y = a) by exact (C x y a E). rewrite R, N.eqb_refl. exact P.
Qed.
