(** * Values for sets of lines, in a tree, and the best of all ways to split a set in two. A set of lines is a list of booleans *)
From Coq Require Import List Arith Lia Bool NArith.
Import ListNotations.
Open Scope N_scope.

Definition lines_set := list bool.

(** ** Values of sets, and the best of all splits of one *)
Section Values.
Variable V : Type.

Inductive values := Nothing | Value (v : V) | Fork (without within : values).

Fixpoint get (set : lines_set) (t : values) : option V :=
  match set, t with
  | [], Value v => Some v
  | one :: rest, Fork z o => get rest (if one then o else z)
  | _, _ => None
  end.

Variables both least : V -> V -> V.

(** Of all ways to split a set in two, each half has a value in one of two trees. *)
Fixpoint best_split (set : lines_set) (t u : values) : option V :=
  match set, t, u with
  | [], Value v, Value w => Some (both v w)
  | false :: rest, Fork z _, Fork z' _ => best_split rest z z'
  | true :: rest, Fork z o, Fork z' o' =>
      match best_split rest o z', best_split rest z o' with
      | Some v, Some w => Some (least v w)
      | _, _ => None
      end
  | _, _, _ => None
  end.

(** Of one tree: the first line is in the first half. *)
Fixpoint half_split (set : lines_set) (t : values) : option V :=
  match set, t with
  | false :: rest, Fork z _ => half_split rest z
  | true :: rest, Fork z o => best_split rest o z
  | _, _ => None
  end.

Inductive split_in : lines_set -> lines_set -> lines_set -> Prop :=
| SplitEnd : split_in [] [] []
| SplitNone s a b : split_in s a b -> split_in (false :: s) (false :: a) (false :: b)
| SplitFirst s a b : split_in s a b -> split_in (true :: s) (true :: a) (false :: b)
| SplitSecond s a b : split_in s a b -> split_in (true :: s) (false :: a) (true :: b).

Variable P : V -> V -> Prop. (* at most *)
Hypothesis P_trans : forall u v w, P u v -> P v w -> P u w.
Hypothesis least_first : forall v w, P (least v w) v.
Hypothesis least_second : forall v w, P (least v w) w.
Hypothesis P_refl : forall v, P v v.

Lemma best_split_sound s a b : split_in s a b -> forall t u best, best_split s t u = Some best ->
  exists v w, get a t = Some v /\ get b u = Some w /\ P best (both v w).
Proof.
  induction 1 as [|s a b _ IH|s a b _ IH|s a b _ IH]; intros t u best H; cbn [best_split get] in *.
  - destruct t, u; try discriminate. injection H as <-. eexists _, _. repeat split; auto.
  - destruct t, u; try discriminate. now apply IH.
  - destruct t as [| |z o], u as [| |z' o']; try discriminate. destruct (best_split s o z') as [p|] eqn:A; [|discriminate].
    destruct (best_split s z o') as [q|]; [|discriminate]. injection H as <-. destruct (IH _ _ _ A) as (v & w & G & K & L). exists v, w. repeat split; eauto.
  - destruct t as [| |z o], u as [| |z' o']; try discriminate. destruct (best_split s o z') as [p|]; [|discriminate].
    destruct (best_split s z o') as [q|] eqn:A; [|discriminate]. injection H as <-. destruct (IH _ _ _ A) as (v & w & G & K & L). exists v, w. repeat split; eauto.
Qed.

Hypothesis both_comm : forall v w, both v w = both w v.

Lemma split_other s a b : split_in s a b -> split_in s b a.
Proof. induction 1; now constructor. Qed.

Lemma half_split_sound s a b : split_in s a b -> forall t best, half_split s t = Some best ->
  exists v w, get a t = Some v /\ get b t = Some w /\ P best (both v w).
Proof.
  induction 1 as [|s a b _ IH|s a b S _|s a b S _]; intros t best H; cbn [half_split get] in *; try discriminate; destruct t as [| |z o]; try discriminate.
  - now apply IH.
  - now apply (best_split_sound s a b S).
  - apply (best_split_sound s b a (split_other _ _ _ S)) in H. destruct H as (v & w & G & K & L). exists w, v. rewrite both_comm. auto.
Qed.
End Values.
Arguments Nothing {V}.
Arguments Value {V}.
Arguments Fork {V}.
Arguments get {V}.
Arguments best_split {V}.
Arguments half_split {V}.

Fixpoint all_sets_of (n : nat) : list lines_set :=
  match n with O => [[]] | S n => let rest := all_sets_of n in map (cons false) rest ++ map (cons true) rest end.

Definition none_of (n : nat) : lines_set := repeat false n.
Definition all_lines (n : nat) : lines_set := repeat true n.

(** ** The lines of a set *)
Fixpoint chosen {T} (l : list T) (s : lines_set) : list T :=
  match l, s with
  | a :: l, one :: s => if one then a :: chosen l s else chosen l s
  | _, _ => []
  end.

Fixpoint where_ (g : N -> bool) (l : list N) (s : lines_set) : lines_set :=
  match l, s with
  | a :: l, one :: s => (one && g a) :: where_ g l s
  | _, _ => []
  end.

Lemma chosen_where g l : forall s x, In x (chosen l (where_ g l s)) <-> In x (chosen l s) /\ g x = true.
Proof.
  induction l as [|a l IH]; intros [|one s] x; cbn [where_ chosen]; try (simpl; tauto).
  destruct one; cbn [andb]; [|apply IH]. destruct (g a) eqn:G; cbn [In]; rewrite IH; [intuition congruence|]. intuition congruence.
Qed.

Lemma where_split g l : forall s, length s = length l -> split_in s (where_ (fun x => negb (g x)) l s) (where_ g l s).
Proof.
  induction l as [|a l IH]; intros [|one s] L; try discriminate; [constructor|]. injection L as L. cbn [where_]. specialize (IH s L).
  destruct one, (g a); cbn [andb negb]; now constructor.
Qed.

Lemma chosen_map {S T} (h : S -> T) l : forall s, chosen (map h l) s = map h (chosen l s).
Proof. induction l as [|a l IH]; intros [|one s]; cbn [chosen map]; try reflexivity. destruct one; cbn [map]; now rewrite IH. Qed.

(** A half without lines leaves the other one whole. *)
Lemma split_proper s a b : split_in s a b -> length a = length s /\ length b = length s /\
  (a = none_of (length s) \/ b <> s) /\ (b = none_of (length s) \/ a <> s).
Proof.
  induction 1 as [|s a b _ IH|s a b _ IH|s a b _ IH]; cbn [length none_of repeat] in *; [repeat split; now left|..];
    destruct IH as (L & M & A & B); (split; [congruence|split; [congruence|]]); fold (none_of (length s)) in *.
  - split; [destruct A as [->|A]; [now left|right; congruence]|destruct B as [->|B]; [now left|right; congruence]].
  - split; [right; discriminate|destruct B as [->|B]; [now left|right; congruence]].
  - split; [destruct A as [->|A]; [now left|right; congruence]|right; discriminate].
Qed.

Lemma chosen_none {T} (l : list T) n : chosen l (none_of n) = [].
Proof. revert n. induction l as [|a l IH]; intros [|n]; cbn; try reflexivity. apply IH. Qed.

(** ** The place of a set among all, and a tree of what stands there *)
Fixpoint place_of (s : lines_set) : nat := match s with [] => O | one :: s => ((if one then 2 ^ length s else 0) + place_of s)%nat end.

Fixpoint tree_of {V} (n : nat) (l : list V) : values V * list V :=
  match n with
  | O => match l with v :: rest => (Value v, rest) | [] => (Nothing, []) end
  | S n => let (z, rest) := tree_of n l in let (o, rest) := tree_of n rest in (Fork z o, rest)
  end.

Lemma skipped_twice {V} b : forall a (l : list V), skipn a (skipn b l) = skipn (b + a) l.
Proof. induction b as [|b IH]; intros a [|v l]; cbn [skipn Nat.add]; try reflexivity; [now rewrite skipn_nil|apply IH]. Qed.

Lemma nth_skipped {V} k : forall (l : list V) i, nth_error (skipn k l) i = nth_error l (k + i).
Proof. induction k as [|k IH]; intros [|v l] i; cbn [skipn Nat.add nth_error]; try reflexivity; [now destruct i|apply IH]. Qed.

Lemma tree_of_rest {V} n : forall l : list V, snd (tree_of n l) = skipn (2 ^ n) l.
Proof.
  induction n as [|n IH]; intros l; cbn [tree_of]; [destruct l as [|v [|]]; reflexivity|].
  pose proof (IH l) as A. destruct (tree_of n l) as [z rest]. cbn [snd] in A. subst rest. pose proof (IH (skipn (2 ^ n) l)) as B.
  destruct (tree_of n (skipn (2 ^ n) l)) as [o rest]. cbn [snd] in *. rewrite B, skipped_twice. f_equal. simpl. lia.
Qed.

Lemma tree_of_get {V} n : forall (l : list V) s, length s = n -> get s (fst (tree_of n l)) = nth_error l (place_of s).
Proof.
  induction n as [|n IH]; intros l [|one s] L; try discriminate; [destruct l as [|v l]; reflexivity|]. injection L as L.
  cbn [tree_of place_of]. pose proof (tree_of_rest n l) as R. pose proof (IH l s L) as A. destruct (tree_of n l) as [z rest]. cbn [fst snd] in *. subst rest.
  pose proof (IH (skipn (2 ^ n) l) s L) as B. destruct (tree_of n (skipn (2 ^ n) l)) as [o rest]. cbn [fst get] in *.
  destruct one; [|exact A]. rewrite B, nth_skipped, L. reflexivity.
Qed.

Lemma place_below s : (place_of s < 2 ^ length s)%nat.
Proof. induction s as [|one s IH]; cbn [place_of length]; [simpl; lia|]. rewrite Nat.pow_succ_r'. destruct one; lia. Qed.

Lemma all_sets_length n : length (all_sets_of n) = (2 ^ n)%nat.
Proof. induction n as [|n IH]; [reflexivity|]. cbn [all_sets_of]. unfold lines_set in *. rewrite app_length, !map_length, IH. simpl. lia. Qed.

Lemma all_sets_place n : forall s, length s = n -> nth_error (all_sets_of n) (place_of s) = Some s.
Proof.
  induction n as [|n IH]; intros [|one s] L; try discriminate; [reflexivity|]. injection L as L. cbn [all_sets_of place_of].
  pose proof (place_below s) as B. rewrite L in *. specialize (IH s L). destruct one.
  - rewrite nth_error_app2 by (rewrite map_length, all_sets_length; lia). rewrite map_length, all_sets_length.
    replace (2 ^ n + place_of s - 2 ^ n)%nat with (place_of s) by lia. exact (map_nth_error _ _ _ IH).
  - rewrite nth_error_app1 by (rewrite map_length, all_sets_length; exact B). exact (map_nth_error _ _ _ IH).
Qed.
