(** * Leaves from below by cells of which no two in a line share a right answer (Khrapchenko 1971, for formulas)

    With k of them in a leaf of a rows and b columns, k is at most a and at most b. If k0^2 <= L0 a0 b and k1^2 <= L1 a1 b,
    then (k0 + k1)^2 <= (L0 + L1) (a0 + a1) b: so it goes on from the leaves to the root. *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Trees Lines FoolingSearch.
Import ListNotations.
Open Scope nat_scope.

Lemma squares_add k0 k1 l0 l1 a0 a1 b : k0 * k0 <= l0 * a0 * b -> k1 * k1 <= l1 * a1 * b -> (k0 + k1) * (k0 + k1) <= (l0 + l1) * (a0 + a1) * b.
Proof.
  intros H0 H1. enough (2 * (k0 * k1) <= (l0 * a1 + l1 * a0) * b) by nia.
  destruct (le_lt_dec (2 * (k0 * k1)) ((l0 * a1 + l1 * a0) * b)) as [|G]; [assumption|exfalso].
  assert (P : (k0 * k0) * (k1 * k1) <= (l0 * a0 * b) * (l1 * a1 * b)) by now apply Nat.mul_le_mono.
  assert (Q : 4 * ((l0 * a1) * (l1 * a0)) <= (l0 * a1 + l1 * a0) * (l0 * a1 + l1 * a0)).
  { generalize (l0 * a1) (l1 * a0). intros m n. destruct (le_lt_dec m n); nia. }
  assert (R : ((l0 * a1 + l1 * a0) * b) * ((l0 * a1 + l1 * a0) * b) < (2 * (k0 * k1)) * (2 * (k0 * k1))) by (apply Nat.mul_lt_mono; assumption).
  set (u := l0 * a1) in *. set (w := l1 * a0) in *. assert (E : (l0 * a0 * b) * (l1 * a1 * b) = u * w * (b * b)) by (unfold u, w; ring).
  rewrite E in P. assert (S : 4 * (u * w) * (b * b) <= (u + w) * (u + w) * (b * b)) by now apply Nat.mul_le_mono_r.
  replace ((u + w) * b * ((u + w) * b)) with ((u + w) * (u + w) * (b * b)) in R by ring.
  replace (2 * (k0 * k1) * (2 * (k0 * k1))) with (4 * (k0 * k0 * (k1 * k1))) in R by ring. lia.
Qed.

Section Leaves.
Variable allows : N -> N * N -> bool. (* whether an answer is right on a cell *)

(** Of those that share an answer no two are in a line. *)
Definition scattered (cells : list (N * N)) : Prop :=
  forall a, NoDup (map fst (filter (allows a) cells)) /\ NoDup (map snd (filter (allows a) cells)).

Lemma filter_swap {T} (g h : T -> bool) l : filter g (filter h l) = filter h (filter g l).
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. destruct (g a) eqn:G, (h a) eqn:H; simpl; rewrite ?G, ?H, IH; reflexivity. Qed.

Lemma scattered_part keep cells : scattered cells -> scattered (filter keep cells).
Proof. intros S a. destruct (S a). rewrite filter_swap. split; now apply NoDup_map_filter. Qed.

Lemma filter_all {T} (g : T -> bool) l : (forall a, In a l -> g a = true) -> filter g l = l.
Proof. induction l as [|a l IH]; simpl; intros H; [reflexivity|]. rewrite (H a), IH; auto. Qed.

Lemma few_leaves (p : protocol N N N) : forall cells xs ys, (forall c, In c cells -> In (fst c) xs /\ In (snd c) ys) -> scattered cells ->
  (forall c, In c cells -> allows (run p (fst c) (snd c)) c = true) -> length cells * length cells <= leaves p * length xs * length ys.
Proof.
  induction p as [a|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; intros cells xs ys I S R.
  - simpl in *. destruct (S a) as [Dx Dy]. rewrite (filter_all _ _ R) in Dx, Dy.
    assert (length cells <= length xs) by (rewrite <- (map_length fst); apply NoDup_incl_length; [exact Dx|]; intros x Hx; apply in_map_iff in Hx; destruct Hx as (c & <- & Hc); now apply I).
    assert (length cells <= length ys) by (rewrite <- (map_length snd); apply NoDup_incl_length; [exact Dy|]; intros y Hy; apply in_map_iff in Hy; destruct Hy as (c & <- & Hc); now apply I).
    rewrite Nat.add_0_r. now apply Nat.mul_le_mono.
  - rewrite (filter_parts (fun c => s (fst c)) cells), (filter_parts s xs). cbn [leaves]. apply squares_add; [apply IH0|apply IH1];
      try (now apply scattered_part); intros c Hc; apply filter_In in Hc; destruct Hc as [Hc B]; destruct (I c Hc) as [Ix Iy].
    + split; [|exact Iy]. apply filter_In. now split.
    + specialize (R c Hc). cbn [run] in R. apply negb_true_iff in B. now rewrite B in R.
    + split; [|exact Iy]. apply filter_In. now split.
    + specialize (R c Hc). cbn [run] in R. now rewrite B in R.
  - rewrite (filter_parts (fun c => s (snd c)) cells), (filter_parts s ys). cbn [leaves].
    replace ((leaves p0 + leaves p1) * length xs * (length (filter (fun a => negb (s a)) ys) + length (filter s ys)))
      with ((leaves p0 + leaves p1) * (length (filter (fun a => negb (s a)) ys) + length (filter s ys)) * length xs) by ring.
    apply squares_add; (rewrite <- Nat.mul_assoc, (Nat.mul_comm (length (filter _ ys))), Nat.mul_assoc); [apply IH0|apply IH1];
      try (now apply scattered_part); intros c Hc; apply filter_In in Hc; destruct Hc as [Hc B]; destruct (I c Hc) as [Ix Iy].
    + split; [exact Ix|]. apply filter_In. now split.
    + specialize (R c Hc). cbn [run] in R. apply negb_true_iff in B. now rewrite B in R.
    + split; [exact Ix|]. apply filter_In. now split.
    + specialize (R c Hc). cbn [run] in R. now rewrite B in R.
Qed.
End Leaves.

Open Scope N_scope.

(** So many leaves are needed by cells of which no two in a line share an answer: k^2 over the rows and columns of them, rounded up. *)
Definition leaves_for (cells : list (N * N)) : N :=
  let area := N.of_nat (length (nodup N.eq_dec (map fst cells)) * length (nodup N.eq_dec (map snd cells))) in
  let count := N.of_nat (length cells) in (count * count + (area - 1)) / area.

Lemma leaves_for_bound allows (p : protocol N N N) cells count : cells <> [] -> scattered allows cells ->
  (forall c, In c cells -> allows (run p (fst c) (snd c)) c = true) -> (leaves p <= count)%nat -> leaves_for cells <= N.of_nat count.
Proof.
  intros Ne S R L. unfold leaves_for. set (xs := nodup N.eq_dec (map fst cells)). set (ys := nodup N.eq_dec (map snd cells)).
  pose proof (few_leaves allows p cells xs ys) as B. specialize (B ltac:(intros c Hc; split; apply nodup_In; now apply in_map) S R).
  set (area := N.of_nat (length xs * length ys)). assert (Pos : 0 < area).
  { destruct cells as [|c0 cells0]; [congruence|]. unfold area. assert (In (fst c0) xs) by (apply nodup_In; now left). assert (In (snd c0) ys) by (apply nodup_In; now left).
    destruct xs; [contradiction|]. destruct ys; [contradiction|]. simpl. lia. }
  assert (C : N.of_nat (length cells) * N.of_nat (length cells) <= N.of_nat count * area).
  { unfold area. rewrite <- !Nat2N.inj_mul. assert (length cells * length cells <= count * (length xs * length ys))%nat; [|lia].
    eapply Nat.le_trans; [exact B|]. rewrite <- Nat.mul_assoc. apply Nat.mul_le_mono_r. exact L. }
  apply N.lt_succ_r, N.div_lt_upper_bound; [lia|]. rewrite N.mul_succ_r, (N.mul_comm area).
  set (n := N.of_nat (length cells) * N.of_nat (length cells)) in *. set (m := N.of_nat count * area) in *. lia.
Qed.

Definition allowed (t : table) (a : N) (c : N * N) : bool := match cell t (fst c) (snd c) with Some b => b =? a | None => true end.

(** Of those that share this answer no two are in a line. *)
Definition apart_by (allows : N -> N * N -> bool) (cells : list (N * N)) (a : N) : bool :=
  let shared := filter (allows a) cells in if all_new 0 (map fst shared) then all_new 0 (map snd shared) else false.

Lemma apart_by_spec allows cells a : apart_by allows cells a = true ->
  NoDup (map fst (filter (allows a) cells)) /\ NoDup (map snd (filter (allows a) cells)).
Proof.
  unfold apart_by. cbv zeta. intros A. destruct (all_new 0 (map fst _)) eqn:X; [|discriminate]. apply all_new_spec in X, A. split; [apply X|apply A].
Qed.

Definition khrapchenko (t : table) (cells : list (N * N)) : option N :=
  match codes_of t, cells with
  | [], _ | _, [] => None
  | ks, _ => if forallb (apart_by (allowed t) cells) ks then Some (leaves_for cells) else None
  end.

Theorem khrapchenko_bound t cells v : khrapchenko t cells = Some v -> forall count, leaves_suffice (cell t) Both count -> v <= N.of_nat count.
Proof.
  unfold khrapchenko. destruct (codes_of t) as [|k ks] eqn:K; [discriminate|]. destruct cells as [|c0 cells0]; [discriminate|]. set (cells := c0 :: cells0).
  destruct (forallb _ (k :: ks)) eqn:A; [|discriminate]. rewrite <- K in A. rewrite forallb_forall in A.
  intros [= <-] count (p & Hp & L). apply (leaves_for_bound (allowed t) p); [discriminate| | |exact L].
  - intros a. destruct (in_dec N.eq_dec a (codes_of t)) as [Ha|Na]; [now apply apart_by_spec, A|].
    assert (E : filter (allowed t a) cells = filter (allowed t a) (filter (allowed t k) cells)).
    { clear -Na. induction cells as [|c l IH]; simpl; [reflexivity|]. destruct (allowed t a c) eqn:B.
      - assert (allowed t k c = true) as ->; [|simpl; now rewrite B, IH]. unfold allowed in *. destruct (cell t (fst c) (snd c)) as [b|] eqn:F; [|reflexivity].
        apply N.eqb_eq in B. subst b. elim Na. eapply codes_of_all; eauto.
      - destruct (allowed t k c); simpl; [now rewrite B, IH|exact IH]. }
    rewrite E. destruct (apart_by_spec _ _ k (A k ltac:(rewrite K; now left))) as [Ox Oy]. split; now apply NoDup_map_filter.
  - intros c _. unfold allowed. destruct (cell t (fst c) (snd c)) as [b|] eqn:F; [|reflexivity]. apply N.eqb_eq. symmetry. exact (Hp _ _ _ F).
Qed.
