(** * Two parties with finitely many states: a protocol for every n

    At each block the speaker, here Alice, says a symbol, by her state and her letter; Bob replies, by his own, and by what
    was said; both go to their next states. After the last block she says one symbol more, from which he knows the answer. *)
From Coq Require Import List Arith Lia Bool NArith ZArith.
From Ccsim Require Import Specification Trees Speaking Families Reaching RegularFooling RegularLines Tensor Silent.
Import ListNotations.
Open Scope nat_scope.

Record parties := Parties {
  says : nat -> nat -> nat;
  replies : nat -> nat -> nat -> nat;
  hears : nat -> nat -> nat -> nat;
  keeps : nat -> nat -> nat -> nat;
  last_word : nat -> nat;
  tells : nat -> nat -> N;
  said_bits : nat; heard_bits : nat; end_bits : nat; answer_bits : nat
}.

Section Parties.
Variable F : family.
Variable P : parties.
Variable base : N.

Definition block_after (now : beside) (x y : nat) : beside :=
  let '(a, (b, q)) := now in
  let m := says P a x in
  (hears P a x (replies P b y m), (keeps P b y m, step F q x y)).

Definition blocks_after (now : beside) : list beside :=
  flat_map (fun x => map (block_after now x) (seq 0 (bob_letters F))) (seq 0 (alice_letters F)).

Definition block_fits (now : beside) : bool :=
  let '(a, (b, q)) := now in
  forallb (fun x => (says P a x <? 2 ^ said_bits P) &&
    forallb (fun y => replies P b y (says P a x) <? 2 ^ heard_bits P) (seq 0 (bob_letters F))) (seq 0 (alice_letters F)).

Definition end_fits (now : beside) : bool :=
  let '(a, (b, q)) := now in
  match output F q with
  | None => true
  | Some c => (last_word P a <? 2 ^ end_bits P) && (tells P b (last_word P a) =? c)%N && (N.to_nat c <? 2 ^ answer_bits P)
  end.

Definition first_stand : beside := (0, (0, start F)).

Definition parties_right : bool :=
  match reached_from same_beside (fun now => digits base [fst now; fst (snd now); snd (snd now)]) blocks_after (blocks_after first_stand) with
  | None => false
  | Some stands => if block_fits first_stand then forallb (fun now => block_fits now && end_fits now) stands else false
  end.

Lemma parties_closed : parties_right = true -> exists stands,
  (forall x y, x < alice_letters F -> y < bob_letters F -> In (block_after first_stand x y) stands) /\
  (forall now x y, In now stands -> x < alice_letters F -> y < bob_letters F -> In (block_after now x y) stands) /\
  block_fits first_stand = true /\ (forall now, In now stands -> block_fits now = true /\ end_fits now = true).
Proof.
  unfold parties_right. destruct (reached_from _ _ _ _) as [stands|] eqn:R; [|discriminate]. destruct (block_fits first_stand) eqn:B; [|discriminate].
  intros A. rewrite forallb_forall in A. apply (reached_closed same_beside_true) in R. destruct R as [R1 R2]. exists stands.
  assert (K : forall now x y, x < alice_letters F -> y < bob_letters F -> In (block_after now x y) (blocks_after now)).
  { intros now x y Hx Hy. unfold blocks_after. apply in_flat_map. exists x. split; [apply in_seq; lia|]. apply in_map, in_seq. lia. }
  repeat split; auto.
  - intros now x y H Hx Hy. apply (R2 now); auto.
  - apply A in H. now apply andb_true_iff in H.
  - apply A in H. now apply andb_true_iff in H.
Qed.

Lemma fits_symbol a b q x y : block_fits (a, (b, q)) = true -> x < alice_letters F -> y < bob_letters F ->
  says P a x < 2 ^ said_bits P /\ replies P b y (says P a x) < 2 ^ heard_bits P.
Proof.
  intros H Hx Hy. unfold block_fits in H. rewrite forallb_forall in H. specialize (H x ltac:(apply in_seq; lia)).
  apply andb_true_iff in H. destruct H as [H1 H2]. rewrite forallb_forall in H2. specialize (H2 y ltac:(apply in_seq; lia)).
  split; now apply Nat.ltb_lt.
Qed.

(** ** The protocol: from what each knows of itself, its state and the letters that are left *)
Definition known : Type := list nat -> nat * list nat.

Fixpoint talk (n : nat) (A B : known) : protocol (list nat) (list nat) N :=
  match n with
  | O => alice_says (fun x => last_word P (fst (A x))) (end_bits P) 0 (fun e =>
           bob_says (fun y => N.to_nat (tells P (fst (B y)) e)) (answer_bits P) 0 (fun c => Output (N.of_nat c)))
  | S less => alice_says (fun x => says P (fst (A x)) (hd 0 (snd (A x)))) (said_bits P) 0 (fun m =>
           bob_says (fun y => replies P (fst (B y)) (hd 0 (snd (B y))) m) (heard_bits P) 0 (fun r =>
             talk less (fun x => (hears P (fst (A x)) (hd 0 (snd (A x))) r, tl (snd (A x))))
                       (fun y => (keeps P (fst (B y)) (hd 0 (snd (B y))) m, tl (snd (B y))))))
  end.

Lemma talk_depth n : forall A B, depth (talk n A B) <= (said_bits P + heard_bits P) * n + (end_bits P + answer_bits P).
Proof.
  induction n as [|n IH]; intros A B; cbn [talk].
  - rewrite Nat.mul_0_r, Nat.add_0_l. apply alice_says_depth. intros e.
    pose proof (bob_says_depth (X := list nat) (L := N) (fun y => N.to_nat (tells P (fst (B y)) e)) (answer_bits P) (d := 0)
      (fun c => Output (N.of_nat c)) (fun c => le_n 0) 0). lia.
  - replace ((said_bits P + heard_bits P) * S n + (end_bits P + answer_bits P)) with
      (said_bits P + (heard_bits P + ((said_bits P + heard_bits P) * n + (end_bits P + answer_bits P)))) by lia.
    apply alice_says_depth. intros m. apply bob_says_depth. intros r. apply IH.
Qed.

Section Right.
Variable stands : list beside.
Hypothesis closed : forall now x y, In now stands -> x < alice_letters F -> y < bob_letters F -> In (block_after now x y) stands.
Hypothesis fitting : forall now, In now stands -> block_fits now = true /\ end_fits now = true.

Definition ready (n : nat) (a b q : nat) : Prop :=
  In (a, (b, q)) stands \/ (0 < n /\ block_fits (a, (b, q)) = true /\
    forall x y, x < alice_letters F -> y < bob_letters F -> In (block_after (a, (b, q)) x y) stands).

Lemma ready_next n a b q x y : ready (S n) a b q -> x < alice_letters F -> y < bob_letters F ->
  block_fits (a, (b, q)) = true /\
  ready n (hears P a x (replies P b y (says P a x))) (keeps P b y (says P a x)) (step F q x y).
Proof.
  intros [R|(_ & B & R)] Hx Hy; (split; [|left]); try exact B.
  - apply (fitting _ R).
  - exact (closed _ x y R Hx Hy).
  - exact (R x y Hx Hy).
Qed.

Lemma talk_right n : forall A B x y a b q xs ys c, A x = (a, xs) -> B y = (b, ys) -> ready n a b q ->
  is_word (alice_letters F) n xs = true -> is_word (bob_letters F) n ys = true ->
  output F (read F q xs ys) = Some c -> run (talk n A B) x y = c.
Proof.
  induction n as [|n IH]; intros A B x y a b q xs ys c EA EB R Hx Hy E.
  - apply word_empty in Hx, Hy. subst xs ys. simpl in E. destruct R as [R|[R _]]; [|lia]. apply fitting in R. destruct R as [_ R].
    unfold end_fits in R. rewrite E in R. apply andb_true_iff in R. destruct R as [R R3]. apply andb_true_iff in R. destruct R as [R1 R2].
    apply Nat.ltb_lt in R1, R3. apply N.eqb_eq in R2. cbn [talk]. rewrite alice_says_run by (rewrite EA; exact R1).
    rewrite bob_says_run; rewrite EA, EB; cbn [fst]; rewrite R2; [|exact R3]. simpl. apply N2Nat.id.
  - apply word_cons in Hx, Hy. destruct Hx as (x0 & xs' & -> & Lx & Hx), Hy as (y0 & ys' & -> & Ly & Hy).
    destruct (ready_next n a b q x0 y0 R Lx Ly) as [Fit Next]. destruct (fits_symbol a b q x0 y0 Fit Lx Ly) as [S1 S2].
    cbn [talk]. rewrite alice_says_run by (rewrite EA; exact S1). rewrite bob_says_run by (rewrite EA, EB; exact S2).
    eapply IH; [| |exact Next|exact Hx|exact Hy|exact E]; cbv beta; rewrite ?EA, ?EB; reflexivity.
Qed.

(** ** One message, if there are no replies: all symbols as the digits of one number *)
Fixpoint noted (n a : nat) (xs : list nat) : nat :=
  match n with
  | O => last_word P a
  | S less => says P a (hd 0 xs) + 2 ^ said_bits P * noted less (hears P a (hd 0 xs) 0) (tl xs)
  end.

Fixpoint understood (n b : nat) (ys : list nat) (message : nat) : N :=
  match n with
  | O => tells P b message
  | S less => understood less (keeps P b (hd 0 ys) (message mod 2 ^ said_bits P)) (tl ys) (message / 2 ^ said_bits P)
  end.

Lemma noted_right n : heard_bits P = 0 -> forall a b q xs ys c, ready n a b q ->
  is_word (alice_letters F) n xs = true -> is_word (bob_letters F) n ys = true ->
  output F (read F q xs ys) = Some c ->
  noted n a xs < 2 ^ (said_bits P * n + end_bits P) /\ understood n b ys (noted n a xs) = c.
Proof.
  intros Silent. induction n as [|n IH]; intros a b q xs ys c R Hx Hy E.
  - apply word_empty in Hx, Hy. subst xs ys. simpl in E. destruct R as [R|[R _]]; [|lia]. apply fitting in R. destruct R as [_ R].
    unfold end_fits in R. rewrite E in R. apply andb_true_iff in R. destruct R as [R R3]. apply andb_true_iff in R. destruct R as [R1 R2].
    apply Nat.ltb_lt in R1. apply N.eqb_eq in R2. rewrite Nat.mul_0_r. split; [exact R1|exact R2].
  - apply word_cons in Hx, Hy. destruct Hx as (x0 & xs' & -> & Lx & Hx), Hy as (y0 & ys' & -> & Ly & Hy).
    destruct (ready_next n a b q x0 y0 R Lx Ly) as [Fit Next]. destruct (fits_symbol a b q x0 y0 Fit Lx Ly) as [S1 S2].
    rewrite Silent in S2. change (2 ^ 0) with 1 in S2. assert (Z0 : replies P b y0 (says P a x0) = 0) by lia. rewrite Z0 in Next.
    simpl in E. destruct (IH _ _ _ _ _ _ Next Hx Hy E) as [L U]. cbn [noted understood hd tl].
    set (rest := noted n (hears P a x0 0) xs') in *. set (size := 2 ^ said_bits P) in *.
    assert (Pos : size <> 0) by (apply Nat.pow_nonzero; lia). split.
    + replace (said_bits P * S n + end_bits P) with (said_bits P + (said_bits P * n + end_bits P)) by lia.
      rewrite Nat.pow_add_r. fold size. nia.
    + rewrite (Nat.mul_comm size), Nat.mod_add, Nat.mod_small by assumption.
      rewrite Nat.div_add, Nat.div_small by assumption. exact U.
Qed.
End Right.

Theorem parties_bits n : parties_right = true -> 1 <= n ->
  bits_suffice (at_length F n) Both None ((said_bits P + heard_bits P) * n + (end_bits P + answer_bits P)).
Proof.
  intros H Hn. destruct (parties_closed H) as (stands & S1 & S2 & B & Fit).
  exists (talk n (fun x => (0, x)) (fun y => (0, y))). split; [|split; [exact I|apply talk_depth]].
  intros x y c E. unfold at_length in E. destruct (is_word _ n x) eqn:Wx; [|discriminate]. destruct (is_word _ n y) eqn:Wy; [|discriminate].
  simpl in E. apply (talk_right stands S2 Fit n _ _ x y 0 0 (start F) x y c); auto. right. repeat split; auto; lia.
Qed.

Theorem parties_message n : parties_right = true -> heard_bits P = 0 -> 1 <= n ->
  messages_suffice (at_length F n) alice (2 ^ (said_bits P * n + end_bits P)).
Proof.
  intros H Silent Hn. destruct (parties_closed H) as (stands & S1 & S2 & B & Fit). set (size := 2 ^ (said_bits P * n + end_bits P)).
  assert (Pos : size <> 0) by (apply Nat.pow_nonzero; lia).
  exists (fun x => noted n 0 x mod size), (fun m y => understood n 0 y m). split.
  - intros x. now apply Nat.mod_upper_bound.
  - intros x y c E. unfold at_length in E. destruct (is_word _ n x) eqn:Wx; [|discriminate]. destruct (is_word _ n y) eqn:Wy; [|discriminate].
    simpl in E. destruct (noted_right stands S2 Fit n Silent 0 0 (start F) x y c) as [L U]; auto.
    + right. repeat split; auto; lia.
    + fold size in L. now rewrite Nat.mod_small.
Qed.
End Parties.

(** ** Either party may be the speaker *)
Lemma sender_bits F n sender bits : bits_suffice (at_length (family_of_sender sender F) n) Both None bits ->
  bits_suffice (at_length F n) Both None bits.
Proof.
  destruct sender; simpl; [auto|]. intros (p & Hp & _ & D). exists (swap p). split; [|split; [exact I|now rewrite depth_swap]].
  intros x y a E. simpl. rewrite run_swap. apply (Hp y x a). now rewrite turned_at.
Qed.

Lemma sender_message F n sender count : messages_suffice (at_length (family_of_sender sender F) n) alice count ->
  messages_suffice (at_length F n) sender count.
Proof.
  destruct sender; simpl; [auto|]. intros (message & answer & H & K). exists message, answer. split; [exact H|].
  intros x y a E. apply K. now rewrite turned_at.
Qed.

Definition finite_state_bits (F : family) (speaker : party) (P : parties) (base : N) : option growth :=
  if parties_right (family_of_sender speaker F) P base
  then Some (Linear (said_bits P + heard_bits P) (end_bits P + answer_bits P)) else None.

Definition finite_state_message (F : family) (speaker : party) (P : parties) (base : N) : option growth :=
  if heard_bits P =? 0 then
    if parties_right (family_of_sender speaker F) P base then Some (Linear (said_bits P) (end_bits P)) else None
  else None.

Theorem finite_state_bits_hold F speaker P base g : finite_state_bits F speaker P base = Some g ->
  always_holds F (LastingDeterministic Both) Upper g.
Proof.
  unfold finite_state_bits. destruct (parties_right _ _ _) eqn:R; [|discriminate]. intros [= <-] n Hn.
  eexists. split; [apply (sender_bits F n speaker), (parties_bits _ _ _ n R Hn)|]. simpl. lia.
Qed.

Theorem finite_state_message_holds F speaker P base g : finite_state_message F speaker P base = Some g ->
  always_holds F (LastingOneWay speaker) Upper g.
Proof.
  unfold finite_state_message. destruct (Nat.eqb_spec (heard_bits P) 0); [|discriminate]. destruct (parties_right _ _ _) eqn:R; [|discriminate].
  intros [= <-] n Hn. eexists. split; [apply sender_message, (parties_message _ _ _ n R); assumption|]. simpl. lia.
Qed.
