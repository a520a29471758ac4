(** * One message with public coins needs bits for shattered places, by counting

    Each message answers on all places, so few patterns are near to it; and the mean of what is counted is at least what
    it is at the mean number of errors. No entropy: means of products, of natural numbers alone. *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification SplitSets VcDimension.
Import ListNotations.
Open Scope nat_scope.

(** ** The geometric mean is at most the arithmetic one *)
Lemma bernoulli n p q : S n * p * q ^ n <= p ^ S n + n * q ^ S n.
Proof.
  induction n as [|n IH]; [simpl; lia|]. cbn [Nat.pow] in *. set (Q := q ^ n) in *. set (P := p ^ n) in *. clearbody P Q.
  assert (H : 2 * (p * q) <= p * p + q * q) by (destruct (le_lt_dec p q) as [L|L]; [replace q with (p + (q - p)) by lia|replace p with (q + (p - q)) by lia]; nia).
  pose proof (Nat.mul_le_mono_l _ _ (S n * Q) H) as H1. pose proof (Nat.mul_le_mono_l _ _ p IH) as H2. nia.
Qed.

Lemma mean_step n s x : S n ^ S n * x * s ^ n <= n ^ n * (s + x) ^ S n.
Proof.
  destruct (Nat.eq_dec n 0) as [->|Nz]; [simpl; lia|].
  apply (Nat.mul_le_mono_pos_l _ _ n); [lia|]. pose proof (bernoulli n (n * (s + x)) (S n * s)) as B.
  rewrite !Nat.pow_mul_l in B. cbn [Nat.pow] in *. set (A := S n ^ n) in *. set (D := s ^ n) in *. set (E := n ^ n) in *.
  set (F := (s + x) ^ n) in *. clearbody A D E F. nia.
Qed.

Definition product (l : list nat) : nat := fold_right Nat.mul 1 l.

Lemma means l : length l ^ length l * product l <= list_sum l ^ length l.
Proof.
  induction l as [|x l IH]; [simpl; lia|]. change (list_sum (x :: l)) with (x + list_sum l). change (product (x :: l)) with (x * product l). cbn [length].
  set (n := length l) in *. assert (Pos : 0 < n ^ n) by (destruct (Nat.eq_dec n 0) as [->|]; [simpl; lia|apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia]).
  apply (Nat.mul_le_mono_pos_l _ _ (n ^ n) Pos). pose proof (mean_step n (list_sum l) x) as M. rewrite (Nat.add_comm (list_sum l) x) in M.
  eapply Nat.le_trans; [|exact M]. pose proof (Nat.mul_le_mono_l _ _ (S n ^ S n * x) IH). nia.
Qed.

(** ** Sums *)
Definition sum_of {T} (g : T -> nat) (l : list T) : nat := list_sum (map g l).

Lemma sum_add {T} (g h : T -> nat) l : sum_of (fun e => g e + h e) l = sum_of g l + sum_of h l.
Proof. unfold sum_of. induction l as [|e l IH]; simpl; lia. Qed.

Lemma sum_scale {T} k (g : T -> nat) l : sum_of (fun e => k * g e) l = k * sum_of g l.
Proof. unfold sum_of. induction l as [|e l IH]; simpl; lia. Qed.

Lemma sum_le {T} (g h : T -> nat) l : (forall e, In e l -> g e <= h e) -> sum_of g l <= sum_of h l.
Proof.
  unfold sum_of. induction l as [|e l IH]; simpl; intros H; [lia|]. pose proof (H e (or_introl eq_refl)).
  specialize (IH (fun e' He => H e' (or_intror He))). lia.
Qed.

Lemma sum_ext {T} (g h : T -> nat) l : (forall e, In e l -> g e = h e) -> sum_of g l = sum_of h l.
Proof. intros H. apply Nat.le_antisymm; apply sum_le; intros e He; rewrite (H e He); lia. Qed.

Lemma sum_const {T} k (l : list T) : sum_of (fun _ => k) l = k * length l.
Proof. unfold sum_of. induction l as [|e l IH]; simpl; lia. Qed.

Lemma sum_swap {S T} (g : S -> T -> nat) l m : sum_of (fun a => sum_of (g a) m) l = sum_of (fun b => sum_of (fun a => g a b) l) m.
Proof.
  induction l as [|a l IH]; [change (0 = sum_of (fun _ : T => 0) m); now rewrite sum_const|].
  change (sum_of (g a) m + sum_of (fun a => sum_of (g a) m) l = sum_of (fun b => g a b + sum_of (fun a => g a b) l) m).
  rewrite IH, sum_add. reflexivity.
Qed.

Lemma sum_pairs {S T} (g : S * T -> nat) l m : sum_of g (list_prod l m) = sum_of (fun a => sum_of (fun b => g (a, b)) m) l.
Proof.
  unfold sum_of. induction l as [|a l IH]; simpl; [reflexivity|]. rewrite map_app, list_sum_app, IH, map_map. reflexivity.
Qed.

Lemma sum_member {T} (g : T -> nat) l e : In e l -> g e <= sum_of g l.
Proof. unfold sum_of. induction l as [|e' l IH]; simpl; intros H; [elim H|]. destruct H as [<-|H]; [lia|]. specialize (IH H). lia. Qed.

(** The same mean, with weights and of powers of two numbers. *)
Lemma weighed_means {T} u v (w k r : T -> nat) l :
  sum_of w l ^ sum_of w l * (u ^ sum_of (fun e => w e * k e) l * v ^ sum_of (fun e => w e * r e) l) <=
  sum_of (fun e => w e * (u ^ k e * v ^ r e)) l ^ sum_of w l.
Proof.
  pose proof (means (flat_map (fun e => repeat (u ^ k e * v ^ r e) (w e)) l)) as M.
  assert (R : forall x n, length (repeat x n) = n /\ list_sum (repeat x n) = n * x /\ product (repeat x n) = x ^ n).
  { intros x n. induction n as [|n (A & B & C)]; [auto|]. split; [simpl; lia|]. split; [simpl; lia|].
    change (x * product (repeat x n) = x * x ^ n). now rewrite C. }
  assert (E : length (flat_map (fun e => repeat (u ^ k e * v ^ r e) (w e)) l) = sum_of w l /\
              list_sum (flat_map (fun e => repeat (u ^ k e * v ^ r e) (w e)) l) = sum_of (fun e => w e * (u ^ k e * v ^ r e)) l /\
              product (flat_map (fun e => repeat (u ^ k e * v ^ r e) (w e)) l) = u ^ sum_of (fun e => w e * k e) l * v ^ sum_of (fun e => w e * r e) l).
  { clear M. unfold sum_of. induction l as [|e l (A & B & C)]; [simpl; auto|]. simpl.
    destruct (R (u ^ k e * v ^ r e) (w e)) as (R1 & R2 & R3). rewrite app_length, list_sum_app, A, B, R1, R2.
    split; [reflexivity|]. split; [reflexivity|].
    assert (F : forall x y, product (x ++ y) = product x * product y)
      by (intros x y; induction x as [|z x IH]; [simpl; lia|]; change (z * product (x ++ y) = z * product x * product y); rewrite IH; lia).
    rewrite F, C, R3, Nat.pow_mul_l, <- !Nat.pow_mul_r, !Nat.pow_add_r, (Nat.mul_comm (k e)), (Nat.mul_comm (r e)). nia. }
  destruct E as (E1 & E2 & E3). rewrite E1, E2, E3 in M. exact M.
Qed.

(** ** Patterns, and how often an answer on all places errs and is right *)
Fixpoint errors (A z : list bool) : nat :=
  match A, z with a :: A, b :: z => (if Bool.eqb a b then 0 else 1) + errors A z | _, _ => 0 end.
Fixpoint rights (A z : list bool) : nat :=
  match A, z with a :: A, b :: z => (if Bool.eqb a b then 1 else 0) + rights A z | _, _ => 0 end.

Lemma errors_rights A : forall z, length z = length A -> errors A z + rights A z = length A.
Proof. induction A as [|a A IH]; intros [|b z] H; simpl in *; try lia. specialize (IH z ltac:(lia)). destruct (Bool.eqb a b); lia. Qed.

Lemma set_length d : forall z, In z (all_sets_of d) -> length z = d.
Proof.
  induction d as [|d IH]; simpl; intros z H; [destruct H as [<-|[]]; reflexivity|].
  apply in_app_or in H. destruct H as [H|H]; apply in_map_iff in H; destruct H as (z' & <- & H); simpl; f_equal; auto.
Qed.

Lemma pattern_sum u v A : sum_of (fun z => u ^ errors A z * v ^ rights A z) (all_sets_of (length A)) = (u + v) ^ length A.
Proof.
  induction A as [|a A IH]; [reflexivity|]. cbn [length all_sets_of]. unfold sum_of in *. rewrite map_app, list_sum_app, !map_map.
  pose proof (sum_scale v (fun z => u ^ errors A z * v ^ rights A z) (all_sets_of (length A))) as V.
  pose proof (sum_scale u (fun z => u ^ errors A z * v ^ rights A z) (all_sets_of (length A))) as U. unfold sum_of in *.
  rewrite IH in U, V. simpl. destruct a; simpl;
    (replace (map (fun z => u ^ errors A z * (v * v ^ rights A z)) (all_sets_of (length A)))
       with (map (fun z => v * (u ^ errors A z * v ^ rights A z)) (all_sets_of (length A))) by (apply map_ext; intros z; nia));
    (replace (map (fun z => u * u ^ errors A z * v ^ rights A z) (all_sets_of (length A)))
       with (map (fun z => u * (u ^ errors A z * v ^ rights A z)) (all_sets_of (length A))) by (apply map_ext; intros z; nia));
    rewrite U, V; nia.
Qed.

Lemma choice {T U} (P : T -> U -> Prop) l : (forall z, In z l -> exists x, P z x) ->
  exists xs : list (T * U), map fst xs = l /\ forall e, In e xs -> P (fst e) (snd e).
Proof.
  induction l as [|z l IH]; intros H; [exists []; split; [reflexivity|intros e []]|].
  destruct (H z (or_introl eq_refl)) as (x & Hx). destruct (IH (fun z' Hz => H z' (or_intror Hz))) as (xs & <- & K).
  exists ((z, x) :: xs). split; [reflexivity|]. intros e [<-|He]; auto.
Qed.

(** Few patterns are near to the answers of few messages. *)
Lemma messages_sum {X} u v d count (answers : nat -> list bool) (message : X -> nat) (xs : list (list bool * X)) :
  map fst xs = all_sets_of d -> (forall j, length (answers j) = d) -> (forall x, message x < count) ->
  sum_of (fun e => u ^ errors (answers (message (snd e))) (fst e) * v ^ rights (answers (message (snd e))) (fst e)) xs <= count * (u + v) ^ d.
Proof.
  intros E A M. set (g := fun j z => u ^ errors (answers j) z * v ^ rights (answers j) z).
  apply Nat.le_trans with (sum_of (fun e : list bool * X => sum_of (fun j => g j (fst e)) (seq 0 count)) xs).
  - apply sum_le. intros e _. apply (sum_member (fun j => g j (fst e))). apply in_seq. specialize (M (snd e)). lia.
  - rewrite sum_swap. rewrite (sum_ext _ (fun _ => (u + v) ^ d)); [rewrite sum_const, seq_length; lia|].
    intros j _. rewrite <- (A j) at 1. rewrite <- pattern_sum, (A j). unfold sum_of. rewrite <- E, map_map. reflexivity.
Qed.

(** ** Exponents *)
Lemma exponents u v a b c K R D : u <= v -> b = a + c -> b * K <= a * D -> K + R = D ->
  (u ^ a * v ^ c) ^ D <= (u ^ K * v ^ R) ^ b.
Proof.
  intros L E H S. rewrite !Nat.pow_mul_l, <- !Nat.pow_mul_r. replace (a * D) with (K * b + (a * D - K * b)) by nia.
  replace (R * b) with ((a * D - K * b) + c * D) by nia. rewrite !Nat.pow_add_r, <- Nat.mul_assoc.
  apply Nat.mul_le_mono_l, Nat.mul_le_mono_r. now apply Nat.pow_le_mono_l.
Qed.

Lemma root x y n : 0 < n -> x ^ n <= y ^ n -> x <= y.
Proof.
  intros P H. destruct (le_lt_dec x y) as [|L]; [assumption|exfalso]. pose proof (Nat.pow_lt_mono_l y x n ltac:(lia) L). lia.
Qed.

Lemma named_pattern places : NoDup places -> forall z : list bool, length z = length places -> exists pattern : N -> bool, map pattern places = z.
Proof.
  induction 1 as [|y ys Ny _ IH]; intros [|one z] L; simpl in L; try discriminate; [exists (fun _ => true); reflexivity|].
  destruct (IH z ltac:(lia)) as (pattern & E). exists (fun y' => if N.eqb y' y then one else pattern y'). simpl. rewrite N.eqb_refl. f_equal.
  rewrite <- E. apply map_ext_in. intros y' Hy. destruct (N.eqb_spec y' y) as [->|]; [now destruct Ny|reflexivity].
Qed.

Lemma shown_pattern (f : N -> N -> option N) x (pattern : N -> bool) places :
  (forall y, In y places -> f x y = Some (if pattern y then 1 else 0)%N) ->
  Forall2 (fun y (one : bool) => f x y = Some (if one then 1 else 0)%N) places (map pattern places).
Proof.
  induction places as [|y ys IH]; simpl; intros H; constructor; [apply H; now left|]. apply IH. intros y' Hy. apply H. now right.
Qed.

Lemma all_weight_nat {T} (m : list (N * T)) : sum_of (fun e => N.to_nat (fst e)) m = N.to_nat (total (map fst m)).
Proof. unfold sum_of. induction m as [|e m IH]; simpl; [reflexivity|]. rewrite IH. now rewrite N2Nat.inj_add. Qed.

(** ** Public coins *)
Section Coins.
Variable f : N -> N -> option N.
Variable places : list N.
Hypothesis places_shattered : shattered f 0%N 1%N places.
Variable m : list (N * one_message N N N).
Variables a b c count : nat. (* the error is a/b *)
Hypothesis b_some : 0 < b.
Hypothesis b_parts : b = a + c.
Hypothesis at_most_half : a <= c.
Hypothesis some_weight : (0 < total (map fst m))%N.
Hypothesis messages : forall e, In e m -> forall x, fst (snd e) x < count.
Let weight (e : N * one_message N N N) : nat := N.to_nat (fst e).
Hypothesis right : forall x y r, f x y = Some r -> c * sum_of weight m <= b * N.to_nat (right_weight_of_messages N.eqb m x y r).

Let answers (p : one_message N N N) (j : nat) : list bool := map (fun y => N.eqb (snd p j y) 1) places.
Let truth (x : N) (z : list bool) : Prop := Forall2 (fun y (one : bool) => f x y = Some (if one then 1 else 0)%N) places z.

Lemma pattern_shown z : length z = length places -> exists x, truth x z.
Proof.
  intros L. destruct places_shattered as [ND S]. destruct (named_pattern places ND z L) as (pattern & <-). destruct (S pattern) as (x & Hx).
  exists x. now apply shown_pattern.
Qed.

Lemma wrong_weight x y r : sum_of (fun e => weight e * (if N.eqb (received (snd e) x y) r then 0 else 1)) m +
  N.to_nat (right_weight_of_messages N.eqb m x y r) = sum_of weight m.
Proof.
  unfold sum_of, weight, right_weight_of_messages. clear. induction m as [|e l IH]; simpl; [reflexivity|].
  destruct (N.eqb _ r); rewrite ?N2Nat.inj_add; simpl; lia.
Qed.

Lemma few_errors x z : truth x z -> b * sum_of (fun e => weight e * errors (answers (snd e) (fst (snd e) x)) z) m <= length places * (a * sum_of weight m).
Proof.
  unfold truth, answers. clear truth answers places_shattered. induction 1 as [|y b' ys z E _ IH]; simpl.
  - rewrite (sum_ext _ (fun _ => 0)) by (intros; lia). rewrite sum_const. lia.
  - pose proof (right _ _ _ E) as Ri. pose proof (wrong_weight x y (if b' then 1 else 0)%N) as W.
    eapply Nat.le_trans.
    + apply Nat.mul_le_mono_l. apply sum_le with (h := fun e : N * one_message N N N => weight e * (if N.eqb (received (snd e) x y) (if b' then 1 else 0)%N then 0 else 1) +
        weight e * errors (map (fun y => N.eqb (snd (snd e) (fst (snd e) x) y) 1) ys) z).
      intros e _. unfold received. destruct (N.eqb_spec (snd (snd e) (fst (snd e) x) y) 1) as [->|Ne], b'; simpl; try lia.
      destruct (N.eqb_spec (snd (snd e) (fst (snd e) x) y) 1); [contradiction|lia].
    + rewrite sum_add. apply (f_equal (Nat.mul b)) in W. rewrite Nat.mul_add_distr_l in *.
      assert (B : b * sum_of weight m = a * sum_of weight m + c * sum_of weight m) by (rewrite b_parts; apply Nat.mul_add_distr_r). lia.
Qed.

Theorem shattered_messages : (2 ^ b * a ^ a * c ^ c) ^ length places <= count ^ b * (b ^ b) ^ length places.
Proof.
  set (d := length places). destruct (choice (fun z x => truth x z) (all_sets_of d)) as (xs & E & T).
  { intros z Hz. apply pattern_shown. now apply set_length. }
  set (W := sum_of weight m) in *. assert (Wp : 0 < W).
  { unfold W, weight. rewrite all_weight_nat. lia. }
  set (es := list_prod m xs).
  set (w := fun e : (N * one_message N N N) * (list bool * N) => weight (fst e)).
  set (k := fun e : (N * one_message N N N) * (list bool * N) => errors (answers (snd (fst e)) (fst (snd (fst e)) (snd (snd e)))) (fst (snd e))).
  set (r := fun e : (N * one_message N N N) * (list bool * N) => rights (answers (snd (fst e)) (fst (snd (fst e)) (snd (snd e)))) (fst (snd e))).
  assert (Lx : length xs = 2 ^ d) by (rewrite <- all_sets_length, <- E, map_length; reflexivity).
  assert (SW : sum_of w es = W * 2 ^ d).
  { unfold es, w. rewrite sum_pairs. cbn [fst]. rewrite (sum_ext _ (fun e => 2 ^ d * weight e)); [rewrite sum_scale; fold W; lia|].
    intros e _. rewrite sum_const, Lx. lia. }
  assert (SK : b * sum_of (fun e => w e * k e) es <= a * (d * (W * 2 ^ d))).
  { unfold es, w, k. rewrite sum_pairs, sum_swap. cbn [fst snd]. rewrite <- sum_scale.
    eapply Nat.le_trans; [apply sum_le with (h := fun _ => d * (a * W)); intros e He; exact (few_errors _ _ (T e He))|].
    rewrite sum_const, Lx. nia. }
  assert (SR : sum_of (fun e => w e * k e) es + sum_of (fun e => w e * r e) es = d * (W * 2 ^ d)).
  { rewrite <- (sum_add (fun e => w e * k e) (fun e => w e * r e)). transitivity (d * sum_of w es); [|now rewrite SW].
    rewrite <- (sum_scale d w). apply sum_ext. intros e He. unfold es in He. destruct e as [p e]. apply in_prod_iff in He.
    destruct He as [_ He]. assert (In (fst e) (all_sets_of d)) by (rewrite <- E; now apply in_map). apply set_length in H.
    pose proof (errors_rights (answers (snd p) (fst (snd p) (snd e))) (fst e)) as ER. unfold answers in ER at 1 4. rewrite map_length in ER. fold d in ER.
    specialize (ER H). unfold k, r. cbn [fst snd]. nia. }
  assert (ST : sum_of (fun e => w e * (a ^ k e * c ^ r e)) es <= W * (count * b ^ d)).
  { unfold es, w, k, r. rewrite sum_pairs. cbn [fst snd]. rewrite (Nat.mul_comm W). unfold W. rewrite <- (sum_scale (count * b ^ d) weight m). apply sum_le. intros p Hp.
    rewrite sum_scale. rewrite (Nat.mul_comm (count * b ^ d)). apply Nat.mul_le_mono_l. rewrite b_parts.
    apply (messages_sum a c d count (answers (snd p)) (fst (snd p)) xs E); [intros j; unfold answers; now rewrite map_length|now apply messages]. }
  pose proof (weighed_means a c w k r es) as M. rewrite SW in M. set (K := sum_of (fun e => w e * k e) es) in *. set (R := sum_of (fun e => w e * r e) es) in *.
  set (n := W * 2 ^ d) in *. assert (Np : 0 < n) by (unfold n; assert (0 < 2 ^ d) by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia); nia).
  assert (M' : (2 ^ d) ^ n * (a ^ K * c ^ R) <= (count * b ^ d) ^ n).
  { assert (Wn : 0 < W ^ n) by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia). apply (Nat.mul_le_mono_pos_l _ _ (W ^ n) Wn).
    rewrite Nat.mul_assoc, <- !Nat.pow_mul_l. fold n. eapply Nat.le_trans; [exact M|]. now apply Nat.pow_le_mono_l. }
  apply (root _ _ n Np). pose proof (exponents a c a b c K R (d * n) at_most_half b_parts SK SR) as X.
  apply (Nat.pow_le_mono_l _ _ b) in M'. rewrite Nat.pow_mul_l in M'.
  eapply Nat.le_trans; [|eapply Nat.le_trans; [exact M'|]].
  - replace (((2 ^ b * a ^ a * c ^ c) ^ d) ^ n) with (((2 ^ d) ^ n) ^ b * (a ^ a * c ^ c) ^ (d * n)).
    + now apply Nat.mul_le_mono_l.
    + rewrite <- Nat.mul_assoc. generalize (a ^ a * c ^ c). intros y. rewrite !Nat.pow_mul_l, <- !Nat.pow_mul_r.
      replace (b * (d * n)) with (d * (n * b)) by ring. reflexivity.
  - rewrite !Nat.pow_mul_l, <- !Nat.pow_mul_r. replace (n * b) with (b * n) by ring.
    replace (b * (d * n)) with (d * (b * n)) by ring. lia.
Qed.
End Coins.

(** ** The checker: bits for so many shattered places. Fewer messages than 2^bits answer them too badly. *)
Open Scope N_scope.

Definition vc_bits (error : Q) (d : N) : option N :=
  let e := Qred error in
  let a := Z.to_N (Qnum e) in
  let b := Npos (Qden e) in
  if (0 <=? Qnum e)%Z && (2 * a <=? b) && (b <=? 1000) then
    let most := (b ^ b) ^ d in
    let messages := ((2 ^ b * a ^ a * (b - a) ^ (b - a)) ^ d + most - 1) / most in
    Some ((N.log2_up messages + b - 1) / b)
  else None.

Lemma below_power x y z n : 0 < y -> x <= z * y -> z = 2 ^ n -> N.log2_up ((x + y - 1) / y) <= n.
Proof.
  intros P L ->. rewrite <- (N.log2_up_pow2 n) by lia. apply N.log2_up_le_mono.
  assert ((x + y - 1) / y < 2 ^ n + 1); [|lia]. apply N.div_lt_upper_bound; lia.
Qed.

Lemma shattered_part (f : N -> N -> option N) places n : shattered f 0 1 places -> shattered f 0 1 (firstn n places).
Proof.
  intros [ND S]. rewrite <- (firstn_skipn n places) in ND. split; [exact (NoDup_front _ _ ND)|]. intros pattern.
  destruct (S pattern) as (x & Hx). exists x. intros y Hy. apply Hx. rewrite <- (firstn_skipn n places). apply in_or_app. now left.
Qed.

Theorem vc_bits_bound (f : N -> N -> option N) error places d v n : vc_bits error d = Some v -> shattered f 0 1 places ->
  d <= N.of_nat (length places) -> messages_succeed f N.eqb (2 ^ n) (1 - error) -> v <= N.of_nat n.
Proof.
  unfold vc_bits. intros H Sh Ld (m & Pos & M & Ri). apply (shattered_part f places (N.to_nat d)) in Sh.
  assert (Len : length (firstn (N.to_nat d) places) = N.to_nat d) by (apply firstn_length_le; lia).
  assert (Ri' : forall x y r, f x y = Some r ->
            ((1 - Qred error) * fraction (total (map fst m)) <= fraction (right_weight_of_messages N.eqb m x y r))%Q).
  { intros x y r E. rewrite Qred_correct. now apply Ri. }
  clear Ri. destruct (Qred error) as [num den]. cbv zeta in H. cbn [Qnum Qden] in H.
  set (a := Z.to_nat num). set (b := Pos.to_nat den). assert (Ea : Z.to_N num = N.of_nat a) by (unfold a; now rewrite Z_nat_N).
  assert (Eb : N.pos den = N.of_nat b) by (unfold b; now rewrite positive_nat_N). rewrite Ea, Eb in H. clear Ea Eb.
  destruct ((0 <=? num)%Z && (2 * N.of_nat a <=? N.of_nat b) && (N.of_nat b <=? 1000)) eqn:G; [|discriminate].
  apply (f_equal (fun o => match o with Some u => u | None => v end)) in H. cbv beta iota in H. subst v.
  rewrite !andb_true_iff, Z.leb_le, !N.leb_le in G. destruct G as ((G1 & G2) & _).
  assert (Bp : (0 < b)%nat) by (unfold b; lia).
  pose proof (shattered_messages f (firstn (N.to_nat d) places) Sh m a b (b - a) (2 ^ n) Bp) as K. rewrite Len in K.
  assert (T : ((2 ^ b * a ^ a * (b - a) ^ (b - a)) ^ N.to_nat d <= (2 ^ n) ^ b * (b ^ b) ^ N.to_nat d)%nat).
  { apply K; [lia|lia|exact Pos|intros e He x; rewrite Forall_forall in M; exact (M e He x)|].
    intros x y r E. specialize (Ri' x y r E). rewrite all_weight_nat. set (W := total (map fst m)) in *.
    set (R := right_weight_of_messages N.eqb m x y r) in *. unfold Qle, fraction in Ri'. cbn -[Z.mul Z.add] in Ri'.
    assert (Z.of_nat b = Zpos den) by (unfold b; lia). assert (Z.of_nat a = num) by (unfold a; lia).
    apply Nat2Z.inj_le. rewrite !Nat2Z.inj_mul, Nat2Z.inj_sub by lia. rewrite !N_nat_Z. rewrite H, H0. clear -Ri'. rewrite ?Pos.mul_1_r in Ri'. nia. }
  clear K. set (p := (2 ^ b * a ^ a * (b - a) ^ (b - a))%nat) in *. set (q := (b ^ b)%nat) in *.
  assert (Ep : 2 ^ N.of_nat b * N.of_nat a ^ N.of_nat a * (N.of_nat b - N.of_nat a) ^ (N.of_nat b - N.of_nat a) = N.of_nat p)
    by (unfold p; rewrite !Nat2N.inj_mul, !Nat2N.inj_pow, Nat2N.inj_sub; reflexivity).
  assert (Eq : N.of_nat b ^ N.of_nat b = N.of_nat q) by (unfold q; now rewrite Nat2N.inj_pow).
  rewrite Ep, Eq. replace d with (N.of_nat (N.to_nat d)) by apply N2Nat.id. rewrite <- !Nat2N.inj_pow.
  assert (Qp : (0 < q ^ N.to_nat d)%nat) by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; unfold q; apply Nat.pow_nonzero; lia).
  pose proof (below_power (N.of_nat (p ^ N.to_nat d)) (N.of_nat (q ^ N.to_nat d)) (N.of_nat ((2 ^ n) ^ b)) (N.of_nat (n * b)) ltac:(lia)
    ltac:(rewrite <- Nat2N.inj_mul; lia) ltac:(rewrite <- Nat.pow_mul_r, Nat2N.inj_pow; reflexivity)) as B.
  assert ((N.log2_up ((N.of_nat (p ^ N.to_nat d) + N.of_nat (q ^ N.to_nat d) - 1) / N.of_nat (q ^ N.to_nat d)) + N.of_nat b - 1) / N.of_nat b < N.of_nat n + 1);
    [|lia]. apply N.div_lt_upper_bound; [lia|]. rewrite Nat2N.inj_mul in B. lia.
Qed.
