(** * Refutations of clauses, step by step

    A step of a proof is a clause that follows from clauses before it by unit propagation, and which these are: LRAT
    (Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp 2017), without deletions and without resolution on asymmetric
    tautologies. What the variables mean, and which clauses hold of them, is told by who uses this: clauses of two
    literals by [falsified], for each literal those that are false once it is true, as a mask; longer ones by [given]. *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Tries.
Import ListNotations.
Open Scope N_scope.

(** How many bits the numbers of steps may have. *)
Definition long : nat := 24.

Inductive hint := Given (number : N) | Before (number : N).
Definition derivation := (list N * list hint)%type.

Opaque long.
Section Steps.
(** A literal is the number of a variable below [variables], or that and [variables] more if it is denied. *)
Variable variables : N.
Variable falsified : N -> N.
Variable given : N -> option (list N).

Definition denied (literal : N) : N := if literal <? variables then literal + variables else literal - variables.

(** Whether a clause has no literal left, or one, or more. *)
Inductive remaining := Nothing | One (literal : N) | More.

Fixpoint what_is_left (false_ones : N) (clause : list N) (found : remaining) : remaining :=
  match clause with
  | [] => found
  | literal :: rest =>
      if N.testbit false_ones literal then what_is_left false_ones rest found
      else match found with Nothing => what_is_left false_ones rest (One literal) | _ => More end
  end.

(** Some variable is neither true nor false. *)
Definition contradictory (false_ones : N) : bool :=
  negb (N.land (N.land false_ones (N.ones variables)) (N.shiftr false_ones variables) =? 0).

Definition clause_of (lemmas : trie (list N)) (h : hint) : option (list N) :=
  match h with Given number => given number | Before number => lookup long number lemmas end.

Fixpoint refuted_by (lemmas : trie (list N)) (false_ones : N) (hints : list hint) : bool :=
  match hints with
  | [] => contradictory false_ones
  | h :: rest =>
      match clause_of lemmas h with
      | None => false
      | Some clause =>
          match what_is_left false_ones clause Nothing with
          | Nothing => true
          | One literal =>
              refuted_by lemmas (if N.testbit false_ones (denied literal) then false_ones
                                 else N.lor false_ones (falsified literal)) rest
          | More => false
          end
      end
  end.

Definition assumed (start : N) (clause : list N) : N :=
  fold_left (fun false_ones literal => N.lor false_ones (falsified (denied literal))) clause start.

(** Each step follows, and the last clause is empty. *)
Fixpoint follows (start : N) (lemmas : trie (list N)) (number : N) (steps : list derivation) : bool :=
  match steps with
  | [] => false
  | (clause, hints) :: rest =>
      if forallb (fun literal => literal <? 2 * variables) clause then
        if refuted_by lemmas (assumed start clause) hints then
          match rest, clause with
          | [], [] => true
          | _, _ => follows start (insert long number clause lemmas) (N.succ number) rest
          end
        else false
      else false
  end.

(** Nothing is like that. *)
Variable value : N -> bool.

Definition true_one (literal : N) : bool := if literal <? variables then value literal else negb (value (literal - variables)).
Definition all_false (mask : N) : Prop := forall literal, N.testbit mask literal = true -> true_one literal = false.
Definition satisfied (clause : list N) : Prop := Exists (fun literal => true_one literal = true) clause.

Hypothesis falsified_false : forall literal, true_one literal = true -> all_false (falsified literal).
Hypothesis given_hold : forall number clause, given number = Some clause -> satisfied clause.

Lemma all_false_lor a b : all_false a -> all_false b -> all_false (N.lor a b).
Proof. intros A B l H. rewrite N.lor_spec, orb_true_iff in H. destruct H; auto. Qed.

Lemma true_denied l : l < 2 * variables -> true_one (denied l) = negb (true_one l).
Proof.
  intros H. unfold true_one, denied. destruct (N.ltb_spec l variables) as [L|L].
  - destruct (N.ltb_spec (l + variables) variables); [lia|]. now replace (l + variables - variables) with l by lia.
  - destruct (N.ltb_spec (l - variables) variables); [|lia]. now rewrite negb_involutive.
Qed.

Lemma left_nothing m c : all_false m -> what_is_left m c Nothing = Nothing -> ~ satisfied c.
Proof.
  intros A. induction c as [|l c IH]; intros H S; [inversion S|]. simpl in H. destruct (N.testbit m l) eqn:E.
  - apply IH; [exact H|]. inversion S as [? ? T|]; subst; [|assumption]. rewrite (A l E) in T. discriminate.
  - exfalso. clear -H. assert (K : forall c l, what_is_left m c (One l) <> Nothing).
    { induction c0 as [|a c0 IH]; simpl; intros b; [discriminate|]. destruct (N.testbit m a); [apply IH|discriminate]. }
    exact (K c l H).
Qed.

Lemma left_one m l c : all_false m -> forall found, what_is_left m c found = One l ->
  satisfied c \/ found = One l /\ true_one l = true -> true_one l = true.
Proof.
  intros A. induction c as [|a c IH]; simpl; intros found H S.
  - destruct S as [S|[_ S]]; [inversion S|exact S].
  - destruct (N.testbit m a) eqn:E.
    + apply (IH _ H). destruct S as [S|S]; [left|now right]. inversion S as [? ? T|]; subst; [|assumption].
      rewrite (A a E) in T. discriminate.
    + destruct found; try discriminate. apply (IH _ H). destruct S as [S|[S _]]; [|discriminate].
      inversion S as [? ? T|]; subst; [|now left]. right. split; [|].
      * assert (K : forall c a, what_is_left m c (One a) = One l -> a = l).
        { clear. induction c as [|b c IH]; simpl; intros a; [congruence|]. destruct (N.testbit m b); [apply IH|discriminate]. }
        f_equal. exact (K c a H).
      * assert (K : forall c a, what_is_left m c (One a) = One l -> a = l).
        { clear. induction c as [|b c IH]; simpl; intros a; [congruence|]. destruct (N.testbit m b); [apply IH|discriminate]. }
        now rewrite <- (K c a H).
Qed.

Lemma not_contradictory m : all_false m -> contradictory m = false.
Proof.
  intros A. unfold contradictory. apply negb_false_iff, N.eqb_eq, N.bits_inj. intros v. rewrite N.bits_0, !N.land_spec, N.shiftr_spec'.
  destruct (N.testbit m v) eqn:E; [|reflexivity]. simpl. destruct (N.lt_ge_cases v variables) as [L|L].
  - rewrite N.ones_spec_low by exact L. destruct (N.testbit m (v + variables)) eqn:D; [|reflexivity]. exfalso.
    apply A in E, D. unfold true_one in *. destruct (N.ltb_spec v variables); [|lia].
    destruct (N.ltb_spec (v + variables) variables); [lia|]. replace (v + variables - variables) with v in D by lia.
    rewrite E in D. discriminate.
  - now rewrite N.ones_spec_high by exact L.
Qed.

Lemma refuted_by_sound lemmas : all (fun _ clause => satisfied clause) lemmas -> forall hints m,
  refuted_by lemmas m hints = true -> ~ all_false m.
Proof.
  intros L. induction hints as [|h hints IH]; simpl; intros m H A; [rewrite not_contradictory in H by exact A; discriminate|].
  destruct (clause_of lemmas h) as [c|] eqn:E; [|discriminate].
  assert (S : satisfied c).
  { destruct h; simpl in E; [eapply given_hold; eauto|eapply (all_lookup (fun _ c => satisfied c)); [exact L|exact E]]. }
  destruct (what_is_left m c Nothing) eqn:W; [eapply left_nothing; eauto| |discriminate].
  apply (IH _ H). destruct (N.testbit m (denied literal)); [exact A|]. apply all_false_lor; [exact A|].
  apply falsified_false. eapply left_one; eauto.
Qed.

Lemma assumed_false clause : forallb (fun literal => literal <? 2 * variables) clause = true -> forall start,
  all_false start -> (forall l, In l clause -> true_one l = false) -> all_false (assumed start clause).
Proof.
  unfold assumed. induction clause as [|l clause IH]; simpl; intros K start A F; [exact A|]. apply andb_true_iff in K. destruct K as [K1 K2].
  apply IH; [exact K2| |auto]. apply all_false_lor; [exact A|]. apply falsified_false. apply N.ltb_lt in K1.
  rewrite true_denied by exact K1. now rewrite F by auto.
Qed.

Theorem follows_sound start : all_false start -> forall steps lemmas number,
  all (fun _ clause => satisfied clause) lemmas -> follows start lemmas number steps = true -> False.
Proof.
  intros A. induction steps as [|[clause hints] steps IH]; simpl; intros lemmas number L H; [discriminate|].
  destruct (forallb _ clause) eqn:K; [|discriminate]. destruct (refuted_by _ _ hints) eqn:R; [|discriminate].
  assert (S : satisfied clause).
  { destruct (existsb true_one clause) eqn:X; [apply Exists_exists, existsb_exists, X|]. exfalso.
    apply (refuted_by_sound _ L _ _ R). apply assumed_false; [exact K|exact A|]. intros l Hl. destruct (true_one l) eqn:T; [|reflexivity].
    assert (existsb true_one clause = true) by (apply existsb_exists; eauto). congruence. }
  assert (Next : follows start (insert long number clause lemmas) (N.succ number) steps = true -> False).
  { apply IH. exact (all_insert (fun _ c => satisfied c) long number clause S lemmas L). }
  destruct steps as [|next steps]; [destruct clause|]; auto. inversion S.
Qed.
End Steps.
