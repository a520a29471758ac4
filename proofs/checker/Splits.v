(** * Every split is caught: all ways to put lines on two sides, one after the other

    A branch ends once one of the sides is caught. The first line may be taken to be on the first side. *)
From Coq Require Import List Bool NArith.
Import ListNotations.

Section Splits.
Variables Side Item : Type.
Variable put : Side -> Item -> option Side. (* none if the side is caught *)

Fixpoint all_splits (mine yours : Side) (trivial : bool) (items : list Item) : bool :=
  match items with
  | [] => trivial
  | i :: rest =>
      if match put mine i with None => true | Some mine' => all_splits mine' yours trivial rest end
      then match put yours i with None => true | Some yours' => all_splits mine yours' false rest end
      else false
  end.

(** [trivial]: whether all lines may be on one side without its being caught. *)
Definition every_split (nothing : Side) (trivial : bool) (items : list Item) : bool :=
  match items with
  | i :: rest => match put nothing i with None => true | Some mine => all_splits mine nothing trivial rest end
  | [] => false
  end.

(** What is known of a side stays true as it gets more lines of some set, or whatever has this set is caught. *)
Variable name : Item -> N.
Variable whole : N -> Prop.
Variable valid : Item -> Prop.
Variable within : (N -> Prop) -> Side -> Prop.
Variable caught : (N -> Prop) -> Prop.
Hypothesis valid_whole : forall i, valid i -> whole (name i).
Hypothesis caught_more : forall S S' : N -> Prop, (forall x, S x -> S' x) -> caught S -> caught S'.
Hypothesis put_sound : forall (S : N -> Prop) s i, (forall x, S x -> whole x) -> S (name i) -> valid i -> within S s ->
  match put s i with None => caught S | Some s' => within S s' end.

Definition part (g : N -> bool) (one : bool) (x : N) : Prop := whole x /\ g x = one.

Lemma put_part g one s i : g (name i) = one -> valid i -> within (part g one) s ->
  match put s i with None => caught (part g one) | Some s' => within (part g one) s' end.
Proof. intros G V. apply put_sound; [intros x H; apply H|split; auto|exact V]. Qed.

Lemma all_splits_sound g items : Forall valid items -> forall mine yours trivial, within (part g false) mine -> within (part g true) yours ->
  all_splits mine yours trivial items = true ->
  caught (part g false) \/ caught (part g true) \/ trivial = true /\ forall x, In x (map name items) -> g x = false.
Proof.
  induction 1 as [|i items V _ IH]; intros mine yours trivial M Y H; simpl in *; [tauto|].
  destruct (match put mine i with None => true | Some mine' => all_splits mine' yours trivial items end) eqn:A; [|discriminate].
  destruct (g (name i)) eqn:G.
  - pose proof (put_part g true yours i G V Y) as P. destruct (put yours i) as [yours'|]; [|tauto].
    destruct (IH mine yours' false M P H) as [K|[K|[K _]]]; [tauto|tauto|discriminate].
  - pose proof (put_part g false mine i G V M) as P. destruct (put mine i) as [mine'|]; [|tauto].
    destruct (IH mine' yours trivial P Y A) as [K|[K|[K F]]]; [tauto|tauto|]. right. right. split; [exact K|]. intros x [<-|Hx]; auto.
Qed.

Theorem every_split_sound nothing trivial items : Forall valid items -> (trivial = true -> forall x, whole x -> In x (map name items)) ->
  (forall S, within S nothing) -> every_split nothing trivial items = true -> forall g,
  trivial = true /\ ((forall x, whole x -> g x = false) \/ forall x, whole x -> g x = true) \/ caught (part g false) \/ caught (part g true).
Proof.
  unfold every_split. intros V All N H. destruct items as [|i rest]; [discriminate|]. inversion V as [|? ? Vi Vr]; subst.
  assert (K : forall g, g (name i) = false ->
    caught (part g false) \/ caught (part g true) \/ trivial = true /\ forall x, whole x -> g x = false).
  { intros g G. pose proof (put_part g false nothing i G Vi (N _)) as P. destruct (put nothing i) as [mine|]; [|tauto].
    destruct (all_splits_sound g rest Vr mine nothing trivial P (N _) H) as [C|[C|[T F]]]; [tauto|tauto|].
    right. right. split; [exact T|]. intros x Hx. destruct (All T x Hx) as [<-|Hx']; auto. }
  intros g. destruct (g (name i)) eqn:G; [|destruct (K g G) as [C|[C|C]]; tauto].
  destruct (K (fun x => negb (g x))) as [C|[C|[T F]]]; [now rewrite G| | |].
  - right. right. revert C. apply caught_more. intros x [Hx E]. split; [exact Hx|now apply negb_false_iff].
  - right. left. revert C. apply caught_more. intros x [Hx E]. split; [exact Hx|now apply negb_true_iff].
  - left. split; [exact T|]. right. intros x Hx. apply negb_false_iff. auto.
Qed.
End Splits.
Arguments every_split {Side Item}.
