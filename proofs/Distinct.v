(** * Lists without repetition *)
From Coq Require Import List.
Import ListNotations.

Lemma NoDup_app_both {T} (l l' : list T) : NoDup l -> NoDup l' -> (forall a, In a l -> In a l' -> False) -> NoDup (l ++ l').
Proof.
  intros H H' D. induction H as [|a l Na _ IH]; simpl; [exact H'|]. constructor.
  - intros In. apply in_app_or in In. destruct In as [In|In]; [contradiction|]. apply (D a); [now left|exact In].
  - apply IH. intros b Hb Hb'. apply (D b); [now right|exact Hb'].
Qed.
