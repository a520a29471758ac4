(** * Triangular sets for every n: the leaves of an answer and of all others

    The words of an automaton in their order: each has the answer, and above the diagonal there is another one. *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith Znumtheory.
From Ccsim Require Import Specification Trees Span Elimination RationalRank Families Reaching Recurrences Words PairWords RegularFooling.
Import ListNotations.
Open Scope nat_scope.

Definition other_answer (code : N) (answer : option N) : bool :=
  match answer with Some a => negb (a =? code)%N | None => false end.

Definition above (code : N) (codes : four (option N)) : bool := let '(_, (three, _)) := codes in other_answer code three.

Definition triangular (F : family) (code : N) (M : automaton (nat * nat)) (base : N) : bool :=
  all_good F M base (has_answer_code (Some code)) (above code).

Section Triangle.
Variable F : family.
Variable code : N.
Variable M : automaton (nat * nat).
Variable base : N.
Hypothesis good : triangular F code M base = true.
Variable n : nat.
Hypothesis positive : 1 <= n.

Definition corner_cells : list (list nat * list nat) := map cell_of (accepted M n).

Lemma other_answer_spec o : other_answer code o = true -> exists a, o = Some a /\ a <> code.
Proof. destruct o as [a|]; simpl; [|discriminate]. intros H. exists a. split; [reflexivity|]. intros ->. now rewrite N.eqb_refl in H. Qed.

Theorem triangle : Forall (fun c => at_length F n (fst c) (snd c) = Some code) corner_cells /\
  ForallOrdPairs (fun c d => exists a, at_length F n (fst c) (snd d) = Some a /\ a <> code) corner_cells.
Proof.
  pose proof (pairs_in_function F M base _ _ good n positive) as [A P]. cbv zeta in A, P. split.
  - eapply Forall_impl; [|exact A]. intros c Hc. cbv beta in Hc. simpl in Hc. destruct (at_length F n (fst c) (snd c)) as [a|]; [|discriminate].
    apply N.eqb_eq in Hc. now subst.
  - unfold corner_cells. clear A. induction P as [|c l Hc _ IH]; constructor; [|exact IH]. eapply Forall_impl; [|exact Hc].
    intros d Hd. now apply other_answer_spec.
Qed.

(** Rows that agree with the answer on the diagonal and above it are an echelon. *)
Lemma triangle_echelon p (rows : list nat -> list nat -> Z) :
  (forall x y, In x (map fst corner_cells) -> In y (map snd corner_cells) -> at_length F n x y = Some code -> ~ (p | rows x y)%Z) ->
  (forall x y a, In x (map fst corner_cells) -> In y (map snd corner_cells) -> at_length F n x y = Some a -> a <> code -> (p | rows x y)%Z) ->
  forall more, echelon p more -> (forall x y, In x (map fst corner_cells) -> In y (map fst more) -> (p | rows x y)%Z) ->
  echelon p (map (fun c => (snd c, rows (fst c))) corner_cells ++ more).
Proof.
  destruct triangle as [A P]. intros One Other more E Z.
  assert (K : forall l, incl l corner_cells -> Forall (fun c => at_length F n (fst c) (snd c) = Some code) l ->
    ForallOrdPairs (fun c d => exists a, at_length F n (fst c) (snd d) = Some a /\ a <> code) l ->
    echelon p (map (fun c => (snd c, rows (fst c))) l ++ more)).
  { intros l Inc Al Pl. induction Pl as [|c l Hc _ IH]; simpl; [exact E|]. inversion Al as [|? ? Ac Al']; subst.
    assert (Hcc : In c corner_cells) by (apply Inc; now left). split; [|split].
    - apply One; auto using in_map.
    - rewrite map_app. apply Forall_app. split.
      + rewrite map_map. apply Forall_map. rewrite Forall_forall in *. intros d Hd. destruct (Hc d Hd) as (a & Ea & Na). simpl.
        apply (Other (fst c) (snd d) a); auto using in_map. apply in_map, Inc. now right.
      + apply Forall_forall. intros y Hy. apply Z; auto using in_map.
    - apply IH; [|exact Al']. intros d Hd. apply Inc. now right. }
  apply K; auto. apply incl_refl.
Qed.

(** ** Leaves of the answer, and of all others

    A silent line of a party has other answers wherever it meets the other party's parts of the words, and, if both have
    one, where they meet. *)
Section Leaves.
Variable silent_row silent_column : option (list nat).
Hypothesis row_silent : forall x y, silent_row = Some x -> In y (map snd corner_cells) -> other_answer code (at_length F n x y) = true.
Hypothesis column_silent : forall x y, silent_column = Some y -> In x (map fst corner_cells) -> other_answer code (at_length F n x y) = true.
Hypothesis both_silent : forall x y, silent_row = Some x -> silent_column = Some y -> other_answer code (at_length F n x y) = true.

Variable p : protocol (list nat) (list nat) N.
Hypothesis right : forall x y a, at_length F n x y = Some a -> run p x y = a.

Definition is_it (leaf : N) (x y : list nat) : bool := (leaf =? code)%N.
Definition leaf_column (answer : bool) (leaf : N) : list (list nat -> Z) := if Bool.eqb (leaf =? code)%N answer then [fun _ => 1%Z] else [].
Definition row_of (answer : bool) (x y : list nat) : Z := indicator (Bool.eqb (is_it (run p x y) x y) answer).

Lemma rows_spanned q answer x : span q (columns_of leaf_column answer p) (row_of answer x).
Proof.
  apply (rows_in_span is_it Bool.eqb leaf_column). clear. intros q a leaf x. unfold is_it, leaf_column.
  destruct (Bool.eqb _ a); simpl; [exists 1%Z|]; intros y; apply Z.divide_0_r.
Qed.

Lemma leaves_of_both : length (columns_of leaf_column true p) + length (columns_of leaf_column false p) <= leaves p.
Proof.
  pose proof (columns_of_leaves (X := list nat) leaf_column [true; false]) as H. simpl in H. rewrite <- (Nat.add_0_r (length (columns_of leaf_column false p))).
  apply H. intros leaf. unfold leaf_column. destruct (leaf =? code)%N; simpl; lia.
Qed.

Lemma row_where answer x y a : at_length F n x y = Some a -> row_of answer x y = indicator (Bool.eqb (a =? code)%N answer).
Proof. intros E. unfold row_of, is_it. now rewrite (right _ _ _ E). Qed.

Lemma row_other x y : other_answer code (at_length F n x y) = true -> row_of false x y = 1%Z.
Proof.
  intros H. apply other_answer_spec in H. destruct H as (a & E & Ne). rewrite (row_where _ _ _ _ E). apply N.eqb_neq in Ne. now rewrite Ne.
Qed.

Lemma not_one : ~ (2 | 1)%Z.
Proof. intros D. apply Z.divide_1_r_nonneg in D; lia. Qed.

Lemma leaves_of_answer : length corner_cells <= length (columns_of leaf_column true p).
Proof.
  rewrite <- (map_length (fun c => (snd c, row_of true (fst c))) corner_cells). rewrite <- (app_nil_r (map _ corner_cells)).
  apply (echelon_span 2 prime_2).
  - apply triangle_echelon; [| |exact I|intros x y _ []].
    + intros x y _ _ E. rewrite (row_where _ _ _ _ E), N.eqb_refl. exact not_one.
    + intros x y a _ _ E Ne. rewrite (row_where _ _ _ _ E). apply N.eqb_neq in Ne. rewrite Ne. apply Z.divide_0_r.
  - rewrite app_nil_r. apply Forall_map, Forall_forall. intros c _. apply rows_spanned.
Qed.

Definition some_line (line : option (list nat)) : nat := match line with Some _ => 1 | None => 0 end.

Definition ones : list nat -> Z := match silent_row with Some x => row_of false x | None => fun _ => 1%Z end.
Definition spanning : list (list nat -> Z) :=
  match silent_row with Some _ => columns_of leaf_column false p | None => (fun _ => 1%Z) :: columns_of leaf_column false p end.

Lemma spanning_length : length spanning + some_line silent_row = S (length (columns_of leaf_column false p)).
Proof. unfold spanning. destruct silent_row; simpl; lia. Qed.

Lemma in_spanning q v : span q (columns_of leaf_column false p) v -> span q spanning v.
Proof.
  intros H. unfold spanning. destruct silent_row; [exact H|]. exists 0%Z. eapply span_eq; [|exact H]. intros y. cbv beta. ring.
Qed.

Lemma ones_spanned q : span q spanning ones.
Proof.
  unfold ones, spanning. destruct silent_row as [x|]; [apply rows_spanned|]. exists 1%Z. eapply span_eq; [|apply span_zero].
  intros y. cbv beta. ring.
Qed.

Lemma ones_there y : In y (map snd corner_cells) \/ silent_column = Some y -> ones y = 1%Z.
Proof. intros H. unfold ones. destruct silent_row as [x|] eqn:E; [|reflexivity]. apply row_other. destruct H; auto. Qed.

Lemma leaves_of_others : length corner_cells + some_line silent_column <= length spanning.
Proof.
  set (more := match silent_column with Some y => [(y, ones)] | None => [] end).
  assert (Cases : (silent_column = None /\ more = []) \/ exists y, silent_column = Some y /\ more = [(y, ones)]).
  { unfold more. destruct silent_column; eauto. }
  assert (Len : length corner_cells + some_line silent_column = length (map (fun c => (snd c, fun y => (ones y - row_of false (fst c) y)%Z)) corner_cells ++ more)).
  { rewrite app_length, map_length. unfold more. destruct silent_column; reflexivity. }
  rewrite Len. apply (echelon_span 2 prime_2).
  - apply (triangle_echelon 2 (fun x y => (ones y - row_of false x y)%Z)).
    + intros x y _ Hy E. rewrite ones_there by auto. rewrite (row_where _ _ _ _ E), N.eqb_refl. exact not_one.
    + intros x y a _ Hy E Ne. rewrite ones_there by auto. rewrite (row_where _ _ _ _ E). apply N.eqb_neq in Ne. rewrite Ne. apply Z.divide_0_r.
    + destruct Cases as [[_ ->]|(y & E & ->)]; [exact I|]. simpl. repeat split; [|constructor]. rewrite ones_there by auto. exact not_one.
    + intros x y Hx Hy. destruct Cases as [[_ Em]|(y' & E & Em)]; rewrite Em in Hy; [elim Hy|]. destruct Hy as [<-|[]]. cbn [fst].
      rewrite ones_there by auto. rewrite row_other by auto. apply Z.divide_0_r.
  - apply Forall_app. split.
    + apply Forall_map, Forall_forall. intros c _. cbn [snd]. eapply span_eq; [|apply (span_comb 2 _ spanning ones (row_of false (fst c)) 1 1);
        [apply ones_spanned|apply in_spanning, rows_spanned]]. intros y. cbv beta. ring.
    + destruct Cases as [[_ ->]|(y & _ & ->)]; repeat constructor. apply ones_spanned.
Qed.

Theorem leaves_of_all : 2 * length corner_cells + some_line silent_row + some_line silent_column <= S (leaves p).
Proof. pose proof leaves_of_both. pose proof leaves_of_answer. pose proof leaves_of_others. pose proof spanning_length. lia. Qed.
End Leaves.
End Triangle.
