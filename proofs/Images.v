(** * Where permutations take rectangles: what has no protocol is taken to what has none *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Trees Lines.
Import ListNotations.
Open Scope N_scope.

(** What some lines are moved to, in their order; and where that takes a line, and a set of lines. *)
Definition shifts (L : list line) (images : list N) : list (N * N) := map (fun e => (fst (fst e), snd e)) (combine L images).

Fixpoint image_of (ms : list (N * N)) (x : N) : N :=
  match ms with [] => x | (a, b) :: rest => if a =? x then b else image_of rest x end.

Definition image_mask (ms : list (N * N)) (m : N) : N :=
  fold_right (fun e mask => if N.testbit m (fst e) then N.setbit mask (snd e) else mask) 0 ms.

(** Each line goes to one that has the same codes where its columns go. *)
Definition keeps_line (ks : list N) (rows : list line) (across : list (N * N)) (l : line) (x : N) : bool :=
  match find (fun l' => fst l' =? x) rows with
  | Some l' => forallb (fun k => N.ldiff (image_mask across (plane k l)) (plane k l') =? 0) ks
  | None => false
  end.

(** For some rows of a rectangle and its columns, the images of both. *)
Definition keeps_codes (ks : list N) (rows own across : list line) (s : list N * list N) : bool :=
  if Nat.eqb (length (fst s)) (length own) then
    if Nat.eqb (length (snd s)) (length across) then
      let ms := shifts across (snd s) in forallb (fun e => keeps_line ks rows ms (fst e) (snd e)) (combine own (fst s))
    else false
  else false.

Lemma image_in ms x : In x (map fst ms) -> In (x, image_of ms x) ms.
Proof.
  induction ms as [|[a b] ms IH]; simpl; intros H; [elim H|]. destruct (N.eqb_spec a x) as [->|Ne]; [now left|]. right. apply IH. tauto.
Qed.

Lemma image_mask_bit ms m x y : In (x, y) ms -> bits m x -> bits (image_mask ms m) y.
Proof.
  intros H B. induction ms as [|e ms IH]; [elim H|]. destruct H as [->|H]; simpl.
  - unfold bits in B. rewrite B. apply N.setbit_iff. now left.
  - specialize (IH H). destruct (N.testbit m (fst e)); [|exact IH]. apply N.setbit_iff. now right.
Qed.

Lemma shifts_domain L images : length images = length L -> map fst (shifts L images) = map fst L.
Proof.
  unfold shifts. rewrite map_map. simpl. revert images. induction L as [|l L IH]; intros [|i images] H; simpl in *; try discriminate; [reflexivity|].
  rewrite IH by lia. reflexivity.
Qed.

(** A protocol for the images is one for what they are images of. *)
Section Moved.
Variable who : knowing.
Variables g h : N -> N.

Definition moved_leaf : leaf_of who N N N -> leaf_of who N N N :=
  match who with
  | Both => fun answer => answer
  | AliceAlone => fun answer x => answer (g x)
  | BobAlone => fun answer y => answer (h y)
  end.

Fixpoint moved_protocol (p : protocol N N (leaf_of who N N N)) : protocol N N (leaf_of who N N N) :=
  match p with
  | Output leaf => Output (moved_leaf leaf)
  | Alice send zero one => Alice (fun x => send (g x)) (moved_protocol zero) (moved_protocol one)
  | Bob send zero one => Bob (fun y => send (h y)) (moved_protocol zero) (moved_protocol one)
  end.

Lemma moved_run p x y : said who (run (moved_protocol p) x y) x y = said who (run p (g x) (h y)) (g x) (h y).
Proof.
  induction p as [leaf|send p0 IH0 p1 IH1|send p0 IH0 p1 IH1]; simpl; [|now destruct (send (g x))|now destruct (send (h y))].
  unfold moved_leaf. now destruct who.
Qed.

Lemma moved_depth p : depth (moved_protocol p) = depth p.
Proof. induction p; simpl; auto. Qed.

Lemma moved_rounds p : forall last, rounds_after last (moved_protocol p) = rounds_after last p.
Proof. induction p as [leaf|send p0 IH0 p1 IH1|send p0 IH0 p1 IH1]; intros last; simpl; [reflexivity| |]; now rewrite IH0, IH1. Qed.

Lemma hard_moved (f : function N N N) d l (R R' C C' : N -> Prop) :
  (forall x y a, R x -> C y -> f x y = Some a -> R' (g x) /\ C' (h y) /\ f (g x) (h y) = Some a) ->
  hard (said who) f d l R C -> hard (said who) f d l R' C'.
Proof.
  intros K H p Hp O. rewrite <- moved_depth. apply H.
  - intros x y a Rx Cy E. rewrite moved_run. destruct (K x y a Rx Cy E) as (Rg & Ch & E'). now apply Hp.
  - destruct l as [[more last]|]; simpl in *; [now rewrite moved_rounds|exact I].
Qed.
End Moved.

Section Images.
Variable who : knowing.
Variable f : N -> N -> option N.
Variable ks : list N.
Hypothesis ks_all : forall x y c, f x y = Some c -> In c ks.
Variables rows own across : list line.
Hypothesis rows_good : Forall (good f) rows.
Hypothesis own_good : Forall (good f) own.
Variables R C : N.
Hypothesis own_all : forall x y c, f x y = Some c -> bits R x -> In x (map fst own).
Hypothesis across_all : forall x y c, f x y = Some c -> bits C y -> In y (map fst across).

Theorem image_hard s d l R' C' : keeps_codes ks rows own across s = true ->
  (forall x, bits R' x -> bits R x) -> (forall y, bits C' y -> bits C y) ->
  hard (said who) f d l (bits R') (bits C') ->
  hard (said who) f d l (bits (image_mask (shifts own (fst s)) R')) (bits (image_mask (shifts across (snd s)) C')).
Proof.
  intros K SR SC. unfold keeps_codes in K. destruct (Nat.eqb_spec (length (fst s)) (length own)) as [L1|]; [|discriminate].
  destruct (Nat.eqb_spec (length (snd s)) (length across)) as [L2|]; [|discriminate]. rewrite forallb_forall in K.
  apply (hard_moved who (image_of (shifts own (fst s))) (image_of (shifts across (snd s)))). intros x y a Rx Cy E.
  pose proof (own_all x y a E (SR x Rx)) as Ox. rewrite <- (shifts_domain _ _ L1) in Ox. apply image_in in Ox.
  pose proof (across_all x y a E (SC y Cy)) as Oy. rewrite <- (shifts_domain _ _ L2) in Oy. apply image_in in Oy.
  split; [exact (image_mask_bit _ _ _ _ Ox Rx)|]. split; [exact (image_mask_bit _ _ _ _ Oy Cy)|].
  unfold shifts at 2 in Ox. apply in_map_iff in Ox. destruct Ox as ([l0 x'] & Q & Hl). cbn [fst snd] in Q. injection Q as Ex Ex'.
  specialize (K _ Hl). cbn [fst snd] in K. unfold keeps_line in K. destruct (find _ rows) as [l'|] eqn:F; [|discriminate].
  apply find_some in F. destruct F as [Hl' El']. apply N.eqb_eq in El'. rewrite forallb_forall in K. specialize (K a (ks_all _ _ _ E)).
  apply N.eqb_eq in K. pose proof (ldiff_subset _ _ K) as S. rewrite Forall_forall in rows_good, own_good.
  rewrite <- Ex', <- El'. apply is_code_spec. rewrite <- (rows_good l' Hl'). apply (S (image_of (shifts across (snd s)) y)).
  apply (image_mask_bit _ _ _ _ Oy). unfold bits. rewrite (own_good l0 (in_combine_l _ _ _ _ Hl)), Ex, E. apply N.eqb_refl.
Qed.
End Images.
