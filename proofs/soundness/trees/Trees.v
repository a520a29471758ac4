(** * Facts on protocol trees: leaves against depth, what the first bit does, fooling sets *)
From Coq Require Import List Arith Lia Bool.
From Ccsim Require Import Specification.
Import ListNotations.
Set Implicit Arguments.

(** Rounds that may still begin, and who spoke last. *)
Definition limit := option (nat * option party).

Definition may_speak (l : limit) (p : party) : bool :=
  match l with None => true | Some (more, last) => speaks_on last p || (1 <=? more) end.

Definition after (l : limit) (p : party) : limit :=
  match l with
  | None => None
  | Some (more, last) => if speaks_on last p then Some (more, last) else Some (more - 1, Some p)
  end.

Section Trees.
Variables X Y A L : Type.
Variable says : L -> X -> Y -> A.
Variable f : function X Y A.

Definition obeys (l : limit) (p : protocol X Y L) : Prop :=
  match l with None => True | Some (more, last) => rounds_after last p <= more end.

(** Right on the promised cells of a rectangle. *)
Definition right_on (R : X -> Prop) (C : Y -> Prop) (p : protocol X Y L) : Prop :=
  forall x y a, R x -> C y -> f x y = Some a -> says (run p x y) x y = a.

(** No protocol of [d] bits within the limit is right on the rectangle. *)
Definition hard (d : nat) (l : limit) (R : X -> Prop) (C : Y -> Prop) : Prop :=
  forall p, right_on R C p -> obeys l p -> d < depth p.

Lemma hard_mono d d' l (R R' : X -> Prop) (C C' : Y -> Prop) :
  d' <= d -> (forall x, R x -> R' x) -> (forall y, C y -> C' y) -> hard d l R C -> hard d' l R' C'.
Proof.
  intros Hd HR HC H p Hp Ho. enough (d < depth p) by lia. apply H; [|exact Ho]. intros x y a Hx Hy. apply Hp; auto.
Qed.

Lemma hard_limit d l R C : hard d None R C -> hard d l R C.
Proof. intros H p Hp _. now apply H. Qed.

Lemma leaves_pos (p : protocol X Y L) : 1 <= leaves p.
Proof. induction p; simpl; lia. Qed.

Lemma leaves_depth (p : protocol X Y L) : leaves p <= 2 ^ depth p.
Proof.
  induction p as [|s p1 IH1 p2 IH2|s p1 IH1 p2 IH2]; simpl; try lia;
    pose proof (Nat.pow_le_mono_r 2 (depth p1) (Nat.max (depth p1) (depth p2)) ltac:(lia) ltac:(lia));
    pose proof (Nat.pow_le_mono_r 2 (depth p2) (Nat.max (depth p1) (depth p2)) ltac:(lia) ltac:(lia)); lia.
Qed.

Lemma many_leaves_hard d l R C : (forall p, right_on R C p -> 2 ^ d < leaves p) -> hard d l R C.
Proof.
  intros H p Hp _. specialize (H p Hp). pose proof (leaves_depth p).
  destruct (le_lt_dec (depth p) d) as [D|D]; [|exact D].
  pose proof (Nat.pow_le_mono_r 2 (depth p) d ltac:(lia) D). lia.
Qed.

(** A round more at most, whoever spoke last. *)
Lemma rounds_shift (p : protocol X Y L) : forall last last', rounds_after last p <= S (rounds_after last' p).
Proof.
  destruct p as [|s p0 p1|s p0 p1]; intros last last'; simpl; try lia;
    destruct (speaks_on last _), (speaks_on last' _); lia.
Qed.

Ltac obeyed l speaker p0 p1 :=
  destruct l as [[more last]|]; simpl; [|tauto]; intros H; destruct (speaks_on last speaker) eqn:E;
  [assert (last = Some speaker) by (destruct last as [[]|]; simpl in E; congruence); subst; simpl; repeat split; lia|];
  pose proof (rounds_shift p0 last (Some speaker)); pose proof (rounds_shift p1 last (Some speaker));
  simpl; repeat split; try lia; destruct more; [lia|reflexivity].

Lemma obeys_alice l s p0 p1 : obeys l (Alice s p0 p1) ->
  may_speak l alice = true /\ obeys (after l alice) p0 /\ obeys (after l alice) p1 /\ obeys l p0 /\ obeys l p1.
Proof. obeyed l alice p0 p1. Qed.

Lemma obeys_bob l s p0 p1 : obeys l (Bob s p0 p1) ->
  may_speak l bob = true /\ obeys (after l bob) p0 /\ obeys (after l bob) p1 /\ obeys l p0 /\ obeys l p1.
Proof. obeyed l bob p0 p1. Qed.

(** The first bit that splits: if the rectangle is no leaf, and each split of the rows has a hard half, and so has each
    split of the columns, then one bit more is needed. *)
Lemma hard_splits d l (R : X -> Prop) (C : Y -> Prop) :
  (forall leaf, ~ right_on R C (Output leaf)) ->
  (may_speak l alice = true -> forall g : X -> bool,
     (forall x, R x -> g x = false) \/ (forall x, R x -> g x = true) \/
     hard d (after l alice) (fun x => R x /\ g x = false) C \/ hard d (after l alice) (fun x => R x /\ g x = true) C) ->
  (may_speak l bob = true -> forall g : Y -> bool,
     (forall y, C y -> g y = false) \/ (forall y, C y -> g y = true) \/
     hard d (after l bob) R (fun y => C y /\ g y = false) \/ hard d (after l bob) R (fun y => C y /\ g y = true)) ->
  hard (S d) l R C.
Proof.
  intros NL HA HB p.
  induction p as [b|g p0 IH0 p1 IH1|g p0 IH0 p1 IH1]; intros Hp Ho.
  - now destruct (NL b).
  - destruct (obeys_alice _ _ _ _ Ho) as (M & O0 & O1 & P0 & P1). simpl. destruct (HA M g) as [H|[H|[H|H]]];
      [enough (S d < depth p0) by lia; apply IH0; [|exact P0]|enough (S d < depth p1) by lia; apply IH1; [|exact P1]|
       enough (d < depth p0) by lia; apply H; [|exact O0]|enough (d < depth p1) by lia; apply H; [|exact O1]];
      intros u v c Ru Cv E; try destruct Ru as [Ru G]; rewrite <- (Hp u v c Ru Cv E); simpl; (now rewrite (H u Ru)) || now rewrite G.
  - destruct (obeys_bob _ _ _ _ Ho) as (M & O0 & O1 & P0 & P1). simpl. destruct (HB M g) as [H|[H|[H|H]]];
      [enough (S d < depth p0) by lia; apply IH0; [|exact P0]|enough (S d < depth p1) by lia; apply IH1; [|exact P1]|
       enough (d < depth p0) by lia; apply H; [|exact O0]|enough (d < depth p1) by lia; apply H; [|exact O1]];
      intros u v c Ru Cv E; try destruct Cv as [Cv G]; rewrite <- (Hp u v c Ru Cv E); simpl; (now rewrite (H v Cv)) || now rewrite G.
Qed.

(** No leaf that is right contains both cells. *)
Definition apart (c d : X * Y) : Prop :=
  forall leaf, ~ forall x y a,
    (x = fst c \/ x = fst d) -> (y = snd c \/ y = snd d) -> f x y = Some a -> says leaf x y = a.

Lemma pairs_filter {T} (P : T -> T -> Prop) (g : T -> bool) l : ForallOrdPairs P l -> ForallOrdPairs P (filter g l).
Proof.
  induction 1 as [|a l H _ IH]; simpl; [constructor|]. destruct (g a); [|exact IH]. constructor; [|exact IH].
  rewrite Forall_forall in *. intros b Hb. apply filter_In in Hb. apply H, Hb.
Qed.

Lemma FOP_app {T} (P : T -> T -> Prop) a b : ForallOrdPairs P a -> ForallOrdPairs P b -> (forall c d, In c a -> In d b -> P c d) ->
  ForallOrdPairs P (a ++ b).
Proof.
  intros Ha Hb K. induction Ha as [|c l H _ IH]; simpl; [exact Hb|]. constructor.
  - apply Forall_app. split; [exact H|]. apply Forall_forall. intros d Hd. apply K; [now left|exact Hd].
  - apply IH. intros d e Hd. apply K. now right.
Qed.

Lemma filter_parts {T} (g : T -> bool) l : length l = length (filter (fun c => negb (g c)) l) + length (filter g l).
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. destruct (g a); simpl; lia. Qed.

Theorem fooling_leaves p : forall (R : X -> Prop) (C : Y -> Prop) cells, right_on R C p ->
  Forall (fun c => R (fst c) /\ C (snd c)) cells -> ForallOrdPairs apart cells -> length cells <= leaves p.
Proof.
  induction p as [a|g p0 IH0 p1 IH1|g p0 IH0 p1 IH1]; intros R C cells Hp Hin Hap; simpl.
  - destruct cells as [|c [|c' l]]; simpl; [lia|lia|]. exfalso.
    inversion Hap as [|? ? Ha _]; subst. inversion Ha as [|? ? Ha1 _]; subst.
    inversion Hin as [|? ? [Rc Cc] Hin']; subst. inversion Hin' as [|? ? [Rc' Cc'] _]; subst.
    apply (Ha1 a). intros x y b Hx Hy E. apply (Hp x y b); [destruct Hx; now subst|destruct Hy; now subst|exact E].
  - rewrite (filter_parts (fun c => g (fst c)) cells).
    apply Nat.add_le_mono; [apply (IH0 (fun x => R x /\ g x = false) C)|apply (IH1 (fun x => R x /\ g x = true) C)];
      try (now apply pairs_filter); try (intros u v c [Ru G] Cv E; rewrite <- (Hp u v c Ru Cv E); simpl; now rewrite G);
      rewrite Forall_forall in *; intros c Hc; apply filter_In in Hc; destruct Hc as [Hc G]; apply Hin in Hc;
      destruct (g (fst c)); simpl in G; try discriminate; tauto.
  - rewrite (filter_parts (fun c => g (snd c)) cells).
    apply Nat.add_le_mono; [apply (IH0 R (fun y => C y /\ g y = false))|apply (IH1 R (fun y => C y /\ g y = true))];
      try (now apply pairs_filter); try (intros u v c Ru [Cv G] E; rewrite <- (Hp u v c Ru Cv E); simpl; now rewrite G);
      rewrite Forall_forall in *; intros c Hc; apply filter_In in Hc; destruct Hc as [Hc G]; apply Hin in Hc;
      destruct (g (snd c)); simpl in G; try discriminate; tauto.
Qed.

Theorem fooling_hard d l (R : X -> Prop) (C : Y -> Prop) cells :
  Forall (fun c => R (fst c) /\ C (snd c)) cells -> ForallOrdPairs apart cells -> 2 ^ d < length cells -> hard d l R C.
Proof.
  intros Hin Hap Hl. apply many_leaves_hard. intros p Hp. pose proof (fooling_leaves Hp Hin Hap). lia.
Qed.
End Trees.

(** Alice and Bob change places. *)
Section Swap.
Variables X Y L : Type.

Fixpoint swap (p : protocol X Y L) : protocol Y X L :=
  match p with
  | Output a => Output a
  | Alice s p0 p1 => Bob s (swap p0) (swap p1)
  | Bob s p0 p1 => Alice s (swap p0) (swap p1)
  end.

Lemma run_swap p x y : run (swap p) y x = run p x y.
Proof. induction p; simpl; auto; destruct (send _); auto. Qed.

Lemma depth_swap p : depth (swap p) = depth p.
Proof. induction p; simpl; auto. Qed.

Definition other (p : party) : party := match p with alice => bob | bob => alice end.
Definition swap_limit (l : limit) : limit := option_map (fun e => (fst e, option_map other (snd e))) l.

Lemma rounds_swap p : forall last, rounds_after (option_map other last) (swap p) = rounds_after last p.
Proof.
  induction p as [|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; intros last; simpl; auto;
    [rewrite <- (IH0 (Some alice)), <- (IH1 (Some alice))|rewrite <- (IH0 (Some bob)), <- (IH1 (Some bob))];
    destruct last as [[]|]; reflexivity.
Qed.

Lemma obeys_swap l p : obeys l p -> obeys (swap_limit l) (swap p).
Proof. destruct l as [[more last]|]; simpl; [|tauto]. now rewrite rounds_swap. Qed.

Lemma hard_swap (A : Type) (says : L -> X -> Y -> A) (says' : L -> Y -> X -> A) (f : function X Y A) (g : function Y X A)
    d l R C : (forall leaf x y, says' leaf y x = says leaf x y) ->
  (forall x y, f x y = g y x) -> hard says' g d (swap_limit l) C R -> hard says f d l R C.
Proof.
  intros S E H p Hp Ho. rewrite <- depth_swap. apply H; [|now apply obeys_swap].
  intros y x a Cy Rx. rewrite <- E. rewrite run_swap, S. now apply Hp.
Qed.
End Swap.
