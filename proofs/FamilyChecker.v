(** * The checker of certificates for every length

    [base] is a number above all states; nothing rests on it but speed. *)
From Coq Require Import List Arith Bool NArith ZArith.
From Ccsim Require Import Specification Families Words Elimination RegularFooling RegularLines FiniteParties
  Triangular Silent TensorPower TensorShifts.
Import ListNotations.

Inductive family_witness :=
| RegularFoolingSet (words : automaton (nat * nat))
| RegularDistinctLines (lines : automaton nat)
| TriangularSet (words : automaton (nat * nat))
| TriangularComplement (code : N) (words : automaton (nat * nat)) (row column : option (list nat))
| TensorPower (prime : Z) (weight : nat -> Z) (basis : list (list (Z * nat) * nat)) (codes : list leaning_code)
| TensorShifts (prime : Z) (weight : nat -> Z) (basis : list (list (Z * nat) * nat)) (code : N) (length : nat)
    (terms : list (Z * (list nat * list nat))) (power : nat)
| FiniteStateParties (speaker : party) (both : parties).

Definition same_growth (found : option growth) (per_block at_end : nat) : bool :=
  match found with Some (Linear p e) => (p =? per_block) && (e =? at_end) | _ => false end.

Definition accepts_always (F : family) (m : lasting) (s : side) (claimed : growth) (base : N) (w : family_witness) : bool :=
  match w, m, s, claimed with
  | RegularFoolingSet words, LastingDeterministic who, Lower, Counted count => regular_fooling F who None words base count
  | RegularFoolingSet words, LastingFoolingSet who code, Lower, Counted count => regular_fooling F who code words base count
  | RegularDistinctLines lines, LastingMessages sender, Lower, Counted count => regular_lines F sender lines base count
  | RegularDistinctLines lines, LastingOneWay sender, Lower, Counted count => regular_lines F sender lines base count
  | TriangularSet words, LastingRankModulo prime code, Lower, Counted count =>
      if is_prime prime then triangular_rank F code words base count else false
  | TriangularSet words, LastingRankRational code, Lower, Counted count => triangular_rank F code words base count
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

Lemma accepted_always F m s claimed base w : accepts_always F m s claimed base w = true -> always_holds F m s claimed.
Proof.
  destruct w as [words|lines|words|code words row column|prime weight basis codes|prime weight basis code k terms power|speaker both]; simpl; intros H.
  - destruct m, s, claimed; try discriminate H.
    + exact (regular_fooling_bits _ _ _ _ _ H).
    + exact (regular_fooling_cells _ _ _ _ _ _ H).
  - destruct m, s, claimed; try discriminate H.
    + exact (regular_lines_messages _ _ _ _ _ H).
    + exact (regular_lines_bits _ _ _ _ _ H).
  - destruct m, s, claimed; try discriminate H.
    + destruct (is_prime prime) eqn:P; [|discriminate H]. exact (triangular_rank_modulo _ _ _ _ _ _ P H).
    + exact (triangular_rank_rational _ _ _ _ _ H).
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
