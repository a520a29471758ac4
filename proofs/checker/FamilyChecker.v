(** * The checker of certificates for every length

    [base] is a number above all states; nothing rests on it but speed. *)
From Coq Require Import List Arith Lia Bool NArith ZArith.
From Ccsim Require Import Specification Lines Families Reaching Recurrences Words PairWords Elimination RegularFooling RegularLines FiniteParties
  Triangular Silent TensorPower TensorShifts Substitution MessageWords.
Import ListNotations.
Open Scope nat_scope.

Inductive family_witness :=
| RegularFoolingSet (words : automaton (nat * nat))
| RegularDistinctLines (lines : automaton nat)
| RegularMessages (lines : automaton nat) (classes : automaton (nat * nat))
| TriangularComplement (code : N) (words : automaton (nat * nat)) (row column : option (list nat))
| TensorPower (prime : Z) (weight : nat -> Z) (basis : list (list (Z * nat) * nat)) (codes : list leaning_code)
| TensorShifts (prime : Z) (weight : nat -> Z) (basis : list (list (Z * nat) * nat)) (code : N) (length : nat)
    (terms : list (Z * (list nat * list nat))) (power : nat)
| FiniteStateParties (speaker : party) (both : parties).

Definition same_growth (found : option growth) (per_block at_end : nat) : bool :=
  match found with Some (Linear p e) => (p =? per_block) && (e =? at_end) | _ => false end.

Definition accepts_plain (F : family) (m : lasting) (s : side) (claimed : growth) (base : N) (w : family_witness) : bool :=
  match w, m, s, claimed with
  | RegularFoolingSet words, LastingDeterministic who, Lower, Counted count => regular_fooling F who None words base count
  | RegularFoolingSet words, LastingFoolingSet who code, Lower, Counted count => regular_fooling F who code words base count
  | RegularDistinctLines lines, LastingMessages sender, Lower, Counted count => regular_lines F sender lines base count
  | RegularDistinctLines lines, LastingOneWay sender, Lower, Counted count => regular_lines F sender lines base count
  | RegularMessages lines classes, LastingMessages sender, Upper, Counted count => regular_messages F sender lines classes base count
  | TriangularComplement code words row column, LastingDeterministic Both, Lower, Counted count =>
      triangular_complement F code words row column base count
  | TensorPower prime weight basis codes, LastingRankModulo field code, Lower, Counted count =>
      if Z.eqb prime field then tensor_rank_shown F weight prime basis code codes count else false
  | TensorPower prime weight basis codes, LastingRankRational code, Lower, Counted count =>
      tensor_rank_shown F weight prime basis code codes count
  | TensorPower prime weight basis codes, LastingDeterministic Both, Lower, Counted count =>
      tensor_leaves_shown F weight prime basis codes count
  | TensorShifts prime weight basis code length terms power, LastingDeterministic Both, Lower, Counted count =>
      tensor_shifts F weight prime basis code length terms power count
  | FiniteStateParties speaker both, LastingDeterministic Both, Upper, Linear p e =>
      same_growth (finite_state_bits F speaker both base) p e
  | FiniteStateParties speaker both, LastingOneWay sender, Upper, Linear p e =>
      match speaker, sender with
      | alice, alice | bob, bob => same_growth (finite_state_message F speaker both base) p e
      | _, _ => false
      end
  | _, _, _, _ => false
  end.

Lemma same_growth_spec found p e : same_growth found p e = true -> found = Some (Linear p e).
Proof.
  destruct found as [[count|p' e']|]; simpl; try discriminate. intros H. apply andb_true_iff in H. destruct H as [H1 H2].
  apply Nat.eqb_eq in H1, H2. now subst.
Qed.

Lemma accepted_plain F m s claimed base w : accepts_plain F m s claimed base w = true -> always_holds F m s claimed.
Proof.
  destruct w as [words|lines|lines classes|code words row column|prime weight basis codes|prime weight basis code k terms power|speaker both]; simpl; intros H.
  - destruct m, s, claimed; try discriminate H.
    + exact (regular_fooling_bits _ _ _ _ _ H).
    + exact (regular_fooling_cells _ _ _ _ _ _ H).
  - destruct m, s, claimed; try discriminate H.
    + exact (regular_lines_messages _ _ _ _ _ H).
    + exact (regular_lines_bits _ _ _ _ _ H).
  - destruct m, s, claimed; try discriminate H. exact (regular_messages_suffice _ _ _ _ _ _ H).
  - destruct m as [[]| | | | |sender], s, claimed; try discriminate H. exact (triangular_complement_bits _ _ _ _ _ _ _ H).
  - destruct m as [[]| | | | |sender], s, claimed; try discriminate H.
    + exact (tensor_power_bits _ _ _ _ _ _ H).
    + destruct (Z.eqb_spec prime prime0) as [->|]; [|discriminate H]. exact (tensor_rank_modulo _ _ _ _ _ _ _ H).
    + exact (tensor_rank_rational _ _ _ _ _ _ _ H).
  - destruct m as [[]| | | | |sender], s, claimed; try discriminate H. exact (tensor_shifts_bits _ _ _ _ _ _ _ _ _ H).
  - destruct m as [[]| | | | |sender], s, claimed; try discriminate H.
    + apply same_growth_spec in H. exact (finite_state_bits_hold _ _ _ _ _ H).
    + assert (E : speaker = sender) by (destruct speaker, sender; congruence || discriminate H). subst.
      apply (finite_state_message_holds F sender both base). apply same_growth_spec. now destruct sender.
Qed.

(** ** A smaller problem inside *)
Inductive certificate_witness :=
| Plain (w : family_witness)
| Substituted (length : nat) (prefix : two_words) (alice_words bob_words : list (list nat)) (parts : list (two_words * family_witness)).

(** The system whose values are at most the number of leaves. *)
Definition deterministic_system (F : family) (who : knowing) (base : N) (w : family_witness) : option system :=
  match w, who with
  | RegularFoolingSet words, _ => if all_good F words base (has_answer_code None) (fools who) then Some (paths words) else None
  | TriangularComplement code words row column, Both =>
      if complement_fits F code words row column base && inside (paths words) then Some (complement_system words row column) else None
  | TensorPower prime weight basis codes, Both =>
      if different (map fst codes) && tensor_fits F weight prime basis codes
      then Some (power_system basis (length codes) (list_sum (map (lost prime) codes))) else None
  | TensorShifts prime weight basis code length terms power, Both =>
      if shifts_shown F weight prime basis code length terms power then Some (shifts_system (List.length basis) (power + length)) else None
  | _, _ => None
  end.

Lemma deterministic_system_value F who base w W n bits : deterministic_system F who base w = Some W -> 1 <= n ->
  bits_suffice (at_length F n) who None bits -> (value W n (origin W) <= Z.of_nat (2 ^ bits))%Z.
Proof.
  intros H Hn R. destruct w as [words|lines|lines classes|code words row column|prime weight basis codes|prime weight basis code k terms power|speaker both];
    simpl in H; try discriminate.
  - destruct (all_good _ _ _ _ _) eqn:G; [|discriminate]. injection H as <-. exact (regular_fooling_value F who words base n bits G Hn R).
  - destruct who; try discriminate. destruct (complement_fits _ _ _ _ _ _) eqn:C; [|discriminate]. destruct (inside (paths words)) eqn:I; [|discriminate].
    injection H as <-. exact (complement_value F code words row column base n bits C I Hn R).
  - destruct who; try discriminate. destruct (different _) eqn:D; [|discriminate]. destruct (tensor_fits _ _ _ _ _) eqn:T; [|discriminate].
    injection H as <-. exact (tensor_power_value F weight prime basis codes n bits D T Hn R).
  - destruct who; try discriminate. destruct (shifts_shown _ _ _ _ _ _ _ _) eqn:T; [|discriminate].
    injection H as <-. exact (tensor_shifts_value F weight prime basis code k terms power n bits T Hn R).
Qed.

Definition same_system (V W : system) : bool :=
  same_list (same_list (same_pair Z.eqb Nat.eqb)) (rows V) (rows W) && same_list Z.eqb (finals V) (finals W) && (origin V =? origin W).

Lemma same_system_true V W : same_system V W = true -> V = W.
Proof.
  unfold same_system. intros H. apply andb_true_iff in H. destruct H as [H H3]. apply andb_true_iff in H. destruct H as [H1 H2].
  apply same_list_true in H1; [|apply same_list_true, same_pair_true; [intros; now apply Z.eqb_eq|intros; now apply Nat.eqb_eq]].
  apply same_list_true in H2; [|intros; now apply Z.eqb_eq]. apply Nat.eqb_eq in H3. destruct V, W. simpl in *. now subst.
Qed.

Section Parts.
Variable F : family.
Variable who : knowing.
Variable base : N.
Variable k : nat.
Variable prefix : two_words.
Variable alice_words bob_words : list (list nat).

(** Each part has a suffix that is a pair longer than the one before, and the same system. *)
Fixpoint parts_fit (W : system) (shortest : nat) (parts : list (two_words * family_witness)) : bool :=
  match parts with
  | [] => true
  | (suffix, w) :: rest =>
      if word_fits F suffix && (same_length suffix =? shortest) then
        match deterministic_system (smaller F prefix suffix alice_words bob_words) who base w with
        | Some V => if same_system V W then parts_fit W (S shortest) rest else false
        | None => false
        end
      else false
  end.

Definition substituted_system (parts : list (two_words * family_witness)) : option system :=
  match parts with
  | [] => None
  | (suffix, w) :: _ =>
      match deterministic_system (smaller F prefix suffix alice_words bob_words) who base w with
      | None => None
      | Some W =>
          if (0 <? k) && (length parts =? k) && word_fits F prefix && letters_fit F k alice_words bob_words then
            if inside W && inside (affine 1 0 W) then
              if parts_fit W (same_length suffix) parts then Some (slowly k (same_length prefix + same_length suffix) W) else None
            else None
          else None
      end
  end.

Lemma parts_fit_spec W parts : forall shortest, parts_fit W shortest parts = true -> forall j, j < length parts -> exists suffix w,
  word_fits F suffix = true /\ same_length suffix = shortest + j /\
  deterministic_system (smaller F prefix suffix alice_words bob_words) who base w = Some W.
Proof.
  induction parts as [|[suffix w] parts IH]; simpl; intros shortest H j Hj; [lia|].
  destruct (word_fits F suffix) eqn:Wf; [|discriminate]. destruct (Nat.eqb_spec (same_length suffix) shortest) as [Ls|]; [|discriminate].
  cbn [andb] in H. destruct (deterministic_system _ _ _ w) as [V|] eqn:D; [|discriminate]. destruct (same_system V W) eqn:E; [|discriminate].
  apply same_system_true in E. subst V. destruct j as [|j].
  - exists suffix, w. rewrite Nat.add_0_r. auto.
  - destruct (IH (S shortest) H j ltac:(lia)) as (s' & w' & A & B & C). exists s', w'. repeat split; auto. lia.
Qed.

Lemma substituted_value parts W n bits : substituted_system parts = Some W -> 1 <= n ->
  bits_suffice (at_length F n) who None bits -> (value W n (origin W) <= Z.of_nat (2 ^ bits))%Z.
Proof.
  unfold substituted_system. destruct parts as [|[suffix w] rest]; [discriminate|]. set (parts := (suffix, w) :: rest).
  destruct (deterministic_system _ _ _ w) as [V|]; [|discriminate]. destruct (_ && _ && _ && _) eqn:C; [|discriminate].
  destruct (_ && _) eqn:I in |- *; [|discriminate]. destruct (parts_fit V _ parts) eqn:Pf; [|discriminate]. intros [= <-] Hn R.
  apply andb_true_iff in C. destruct C as [C Lf]. apply andb_true_iff in C. destruct C as [C Wp]. apply andb_true_iff in C. destruct C as [Kp Len].
  apply Nat.ltb_lt in Kp. apply Nat.eqb_eq in Len. apply andb_true_iff in I. destruct I as [I1 I2].
  rewrite slowly_counts by assumption. cbv zeta. set (before := same_length prefix + same_length suffix).
  destruct (Nat.leb_spec before n) as [L|]; [|simpl; lia]. set (m := (n - before) / k). destruct (Nat.leb_spec 1 m) as [Lm|]; [|simpl; lia]. cbn [andb].
  pose proof (Nat.mod_upper_bound (n - before) k ltac:(lia)) as Ph. destruct (parts_fit_spec V parts _ Pf ((n - before) mod k) ltac:(lia)) as (s & v & A & B & D).
  apply (deterministic_system_value _ _ _ _ _ m bits D Lm). apply smaller_bits with (k := k); auto.
  replace (same_length prefix + (m * k + same_length s)) with n; [exact R|]. rewrite B. unfold m. pose proof (Nat.div_mod (n - before) k ltac:(lia)). unfold before in *. nia.
Qed.
End Parts.

Definition substitution_shown (F : family) (who : knowing) (base : N) (k : nat) (prefix : two_words) (alice_words bob_words : list (list nat))
  (parts : list (two_words * family_witness)) (count : list Z * list Z) : bool :=
  match substituted_system F who base k prefix alice_words bob_words parts with
  | Some W => if inside W then recurs W count else false
  | None => false
  end.

Theorem substitution_bits F who base k prefix alice_words bob_words parts count :
  substitution_shown F who base k prefix alice_words bob_words parts count = true -> always_holds F (LastingDeterministic who) Lower (Counted count).
Proof.
  unfold substitution_shown. destruct (substituted_system _ _ _ _ _ _ _ _) as [W|] eqn:E; [|discriminate]. destruct (inside W) eqn:I; [|discriminate].
  intros C n Hn bits R. apply bits_of_count. rewrite (recurs_for_ever I C n Hn). exact (substituted_value _ _ _ _ _ _ _ _ _ n bits E Hn R).
Qed.

Definition accepts_always (F : family) (m : lasting) (s : side) (claimed : growth) (base : N) (w : certificate_witness) : bool :=
  match w, m, s, claimed with
  | Plain w, _, _, _ => accepts_plain F m s claimed base w
  | Substituted k prefix alice_words bob_words parts, LastingDeterministic who, Lower, Counted count =>
      substitution_shown F who base k prefix alice_words bob_words parts count
  | _, _, _, _ => false
  end.

Lemma accepted_always F m s claimed base w : accepts_always F m s claimed base w = true -> always_holds F m s claimed.
Proof.
  destruct w as [w|k prefix alice_words bob_words parts]; [apply accepted_plain|]. simpl. intros H.
  destruct m, s, claimed; try discriminate H. exact (substitution_bits _ _ _ _ _ _ _ _ _ H).
Qed.
