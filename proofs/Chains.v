(** * Chains of sets, from one to all of [k] elements: how many pass through some sets

    Sets are masks. A chain adds one element after the other; what is counted here is how many there are, by the first. *)
From Coq Require Import FinFun List Arith Lia Bool NArith.
From Ccsim Require Import Specification Lines.
Import ListNotations.
Open Scope N_scope.

Section Sums.
Context {T : Type}.
Definition sum_over (l : list T) (g : T -> N) : N := total (map g l).

Lemma sum_le l g h : (forall x, In x l -> g x <= h x) -> sum_over l g <= sum_over l h.
Proof.
  unfold sum_over. induction l as [|x l IH]; simpl; intros H; [lia|]. pose proof (H x (or_introl eq_refl)).
  specialize (IH (fun y Hy => H y (or_intror Hy))). lia.
Qed.

Lemma sum_ext l g h : (forall x, In x l -> g x = h x) -> sum_over l g = sum_over l h.
Proof. intros H. apply N.le_antisymm; apply sum_le; intros x Hx; rewrite (H x Hx); apply N.le_refl. Qed.

Lemma sum_zero l g : (forall x, In x l -> g x = 0) -> sum_over l g = 0.
Proof. unfold sum_over. induction l as [|x l IH]; simpl; intros H; [reflexivity|]. rewrite (H x), IH; auto. Qed.

Lemma sum_ge l g x : In x l -> g x <= sum_over l g.
Proof. unfold sum_over. induction l as [|y l IH]; simpl; intros H; [elim H|]. destruct H as [->|H]; [lia|]. specialize (IH H). lia. Qed.

Lemma sum_single l g x : NoDup l -> (forall y, In y l -> y <> x -> g y = 0) -> sum_over l g <= g x.
Proof.
  unfold sum_over. induction 1 as [|y l N D IH]; simpl; intros H; [lia|].
  assert (K : (forall z, In z l -> z <> x -> g z = 0)) by auto.
  destruct (N.eq_dec (g y) 0) as [Z|Z]; [rewrite Z; specialize (IH K); lia|].
  assert (Z' : sum_over l g = 0).
  { apply sum_zero. intros z Hz. apply K; [exact Hz|]. intros ->. apply Z, H; [now left|]. intros ->. contradiction. }
  unfold sum_over in Z'. rewrite Z'. destruct (N.eq_dec (g y) (g x)) as [->|Ne]; [lia|]. exfalso. apply Z, H; [now left|]. intros ->. now apply Ne.
Qed.

Lemma sum_add l g h : sum_over l (fun x => g x + h x) = sum_over l g + sum_over l h.
Proof. unfold sum_over. induction l as [|x l IH]; simpl; [reflexivity|]. rewrite IH. lia. Qed.

Lemma sum_constant l c : sum_over l (fun _ => c) = N.of_nat (length l) * c.
Proof. unfold sum_over. induction l as [|x l IH]; [reflexivity|]. cbn [map total fold_right length]. unfold total in IH. rewrite IH. lia. Qed.

Lemma sum_times l c g : sum_over l (fun x => c * g x) = c * sum_over l g.
Proof. unfold sum_over. induction l as [|x l IH]; simpl; [lia|]. rewrite IH. lia. Qed.

Lemma sum_append l m g : sum_over (l ++ m) g = sum_over l g + sum_over m g.
Proof. unfold sum_over. induction l as [|x l IH]; simpl; [reflexivity|]. rewrite IH. lia. Qed.
End Sums.

Lemma sum_map {S T} (f : S -> T) l g : sum_over (map f l) g = sum_over l (fun x => g (f x)).
Proof. unfold sum_over. now rewrite map_map. Qed.

Lemma sum_swap {S T} (l : list S) (m : list T) g : sum_over l (fun x => sum_over m (g x)) = sum_over m (fun y => sum_over l (fun x => g x y)).
Proof.
  induction l as [|x l IH].
  - symmetry. apply sum_zero. reflexivity.
  - change (sum_over (x :: l) (fun x => sum_over m (g x))) with (sum_over m (g x) + sum_over l (fun x => sum_over m (g x))). rewrite IH, <- sum_add.
    apply sum_ext. reflexivity.
Qed.

Fixpoint factorial (n : nat) : N := match n with O => 1 | S m => N.of_nat n * factorial m end.

Section Chains.
Variable k : nat.

(** What a set has not, and one set in another. *)
Definition left_of (A : N) : list N := filter (fun i => negb (N.testbit A i)) (indices k).
Definition inside_of (A S : N) : bool := N.ldiff A S =? 0.
Definition bounded (A : N) : Prop := forall i, N.testbit A i = true -> In i (indices k).

Lemma inside_spec A S : inside_of A S = true <-> forall i, N.testbit A i = true -> N.testbit S i = true.
Proof.
  unfold inside_of. rewrite N.eqb_eq. split; [intros H; exact (ldiff_subset A S H)|]. intros H. apply N.bits_inj. intros i.
  rewrite N.bits_0, N.ldiff_spec. destruct (N.testbit A i) eqn:E; [|reflexivity]. now rewrite (H i E).
Qed.

Lemma inside_both A S : inside_of A S = true -> inside_of S A = true -> A = S.
Proof.
  rewrite !inside_spec. intros H K. apply N.bits_inj. intros i. destruct (N.testbit A i) eqn:E; [symmetry; auto|].
  destruct (N.testbit S i) eqn:F; [|reflexivity]. rewrite (K i F) in E. discriminate.
Qed.

Lemma inside_setbit A S i : inside_of (N.setbit A i) S = true -> inside_of A S = true.
Proof. rewrite !inside_spec. intros H j Hj. apply H, N.setbit_iff. now right. Qed.

(** The chains from [A], with [n] elements left, that pass through [S], each counted as often as [value] says there. *)
Section Through.
Variable S : N.
Variable value : nat -> N -> N.

Fixpoint through (n : nat) (A : N) : N :=
  if A =? S then value n A
  else match n with O => 0 | Datatypes.S m => sum_over (left_of A) (fun i => through m (N.setbit A i)) end.

Lemma through_none n : forall A, inside_of A S = false -> through n A = 0.
Proof.
  induction n as [|n IH]; intros A H; simpl; (destruct (N.eqb_spec A S) as [->|];
    [exfalso; assert (inside_of S S = true) by (now apply inside_spec); congruence|]); [reflexivity|].
  apply sum_zero. intros i _. apply IH. apply not_true_is_false. intros K. apply inside_setbit in K. congruence.
Qed.

Lemma through_there n : through n S = value n S.
Proof. destruct n; simpl; now rewrite N.eqb_refl. Qed.

Lemma through_next n A : A <> S -> through (Datatypes.S n) A = sum_over (left_of A) (fun i => through n (N.setbit A i)).
Proof. intros H. cbn [through]. destruct (N.eqb_spec A S); [contradiction|reflexivity]. Qed.

Lemma through_last A : A <> S -> through 0 A = 0.
Proof. intros H. cbn [through]. destruct (N.eqb_spec A S); [contradiction|reflexivity]. Qed.
End Through.

Definition all_chains (n : nat) (A : N) : N := factorial n.
Definition passing (S : N) : nat -> N -> N := through S all_chains.
Definition passing_both (S B : N) : nat -> N -> N := through S (passing B).

Lemma left_next A i : In i (left_of A) -> length (left_of A) = S (length (left_of (N.setbit A i))).
Proof.
  unfold left_of, indices. assert (D : NoDup (map N.of_nat (seq 0 k))).
  { apply FinFun.Injective_map_NoDup; [exact Nat2N.inj|apply seq_NoDup]. }
  revert D. generalize (map N.of_nat (seq 0 k)) as l. induction 1 as [|j l N D IH]; simpl; intros H; [elim H|].
  destruct (N.eq_dec j i) as [->|Ne].
  - rewrite N.setbit_eq. simpl. destruct (N.testbit A i) eqn:E; simpl in *.
    + apply filter_In in H. rewrite E in H. destruct H; discriminate.
    + f_equal. f_equal. apply filter_ext_in. intros a Ha. rewrite N.setbit_neq; [reflexivity|]. intros ->. contradiction.
  - rewrite N.setbit_neq by congruence. destruct (N.testbit A j); simpl in *; [now apply IH|].
    destruct H as [H|H]; [congruence|]. f_equal. now apply IH.
Qed.

(** ** Rows and columns: their sets *)
Variables Row Column : Type.
Variable rows : list Row.
Variable columns : list Column.
Hypothesis rows_distinct : NoDup rows.
Hypothesis columns_distinct : NoDup columns.
Variable has : Row -> N. (* of a row: which rectangles have it *)
Variable lacks : Column -> N. (* of a column: which have it not *)
Variable other : Row -> Column -> bool. (* another answer at a crossing *)
Hypothesis nested : forall r c, In r rows -> In c columns -> other r c = inside_of (has r) (lacks c).
Hypothesis rows_apart : forall r r', In r rows -> In r' rows -> inside_of (has r) (has r') = true -> r = r'.
Hypothesis columns_apart : forall c c', In c columns -> In c' columns -> inside_of (lacks c) (lacks c') = true -> c = c'.
Hypothesis columns_cross : forall c, In c columns -> exists r, In r rows /\ other r c = true.

(** Steps of a chain, from a set to that and one element more, such that no chain with one of them meets any set. *)
Variable missing : N -> N -> bool.
Hypothesis rows_missed : forall A i r, missing A i = true -> In r rows -> inside_of (has r) A = false /\ inside_of (N.setbit A i) (has r) = false.
Hypothesis columns_missed : forall A i c, missing A i = true -> In c columns -> inside_of (lacks c) A = false /\ inside_of (N.setbit A i) (lacks c) = false.

(** The chains from [A], with [n] elements left, that have one of these steps. *)
Fixpoint lost (n : nat) (A : N) : N :=
  match n with O => 0 | S m => sum_over (left_of A) (fun i => if missing A i then factorial m else lost m (N.setbit A i)) end.

Definition crossing (n : nat) (A : N) : N :=
  sum_over rows (fun r => sum_over columns (fun c => if other r c then passing_both (has r) (lacks c) n A else 0)).

Lemma self_inside A : inside_of A A = true.
Proof. now apply inside_spec. Qed.

Lemma inside_trans A S B : inside_of A S = true -> inside_of S B = true -> inside_of A B = true.
Proof. rewrite !inside_spec. auto. Qed.

Lemma not_through A S value n : inside_of A S = true \/ through S value n A = 0.
Proof. destruct (inside_of A S) eqn:E; [now left|right; now apply through_none]. Qed.

Lemma crossing_next n A : (forall r, In r rows -> A <> has r) -> crossing (S n) A = sum_over (left_of A) (fun i => crossing n (N.setbit A i)).
Proof.
  intros H. unfold crossing.
  rewrite <- (sum_swap rows (left_of A) (fun r i => sum_over columns (fun c => if other r c then passing_both (has r) (lacks c) n (N.setbit A i) else 0))).
  apply sum_ext. intros r Hr.
  rewrite <- (sum_swap columns (left_of A) (fun c i => if other r c then passing_both (has r) (lacks c) n (N.setbit A i) else 0)).
  apply sum_ext. intros c _. destruct (other r c); [apply through_next; now apply H|]. symmetry. now apply sum_zero.
Qed.

Lemma inside_more A i : inside_of A (N.setbit A i) = true.
Proof. apply inside_spec. intros j Hj. apply N.setbit_iff. now right. Qed.

Lemma none_lost B n : (forall A i, inside_of B A = true -> missing A i = false) -> forall A, inside_of B A = true -> lost n A = 0.
Proof.
  intros H. induction n as [|n IH]; intros A I; [reflexivity|]. apply sum_zero. intros i _. rewrite (H A i I). apply IH.
  eapply inside_trans; [exact I|apply inside_more].
Qed.

Lemma row_not_lost r n : In r rows -> lost n (has r) = 0.
Proof.
  intros Hr. apply (none_lost (has r)); [|apply self_inside]. intros A i I. apply not_true_is_false. intros M.
  destruct (rows_missed A i r M Hr). congruence.
Qed.

Lemma column_not_lost c n : In c columns -> lost n (lacks c) = 0.
Proof.
  intros Hc. apply (none_lost (lacks c)); [|apply self_inside]. intros A i I. apply not_true_is_false. intros M.
  destruct (columns_missed A i c M Hc). congruence.
Qed.

(** A chain meets at most one row's set, and at most one column's; both only at another answer. Lost ones meet none. *)
Theorem chains_bound n : forall A, n = length (left_of A) ->
  sum_over rows (fun r => passing (has r) n A) + sum_over columns (fun c => passing (lacks c) n A) + lost n A <= factorial n + crossing n A.
Proof.
  induction n as [|n IH]; intros A L.
  all: destruct (existsb (fun r => A =? has r) rows) eqn:ER.
  1, 3: apply existsb_exists in ER; destruct ER as (r & Hr & E); apply N.eqb_eq in E; subst A;
    match goal with |- _ <= factorial ?m + _ =>
      assert (R : sum_over rows (fun r' => passing (has r') m (has r)) <= factorial m);
      [eapply N.le_trans; [apply (sum_single rows _ r rows_distinct)|unfold passing; rewrite through_there; apply N.le_refl];
       intros r' Hr' Ne; destruct (not_through (has r) (has r') all_chains m) as [I|Z]; [elim Ne; symmetry; now apply rows_apart|exact Z]|];
      assert (K : sum_over columns (fun c => passing (lacks c) m (has r)) <= crossing m (has r)); [|rewrite (row_not_lost r m Hr); lia];
      unfold crossing; eapply N.le_trans; [|apply (sum_ge rows (fun r' => sum_over columns (fun c => if other r' c then passing_both (has r') (lacks c) m (has r) else 0)) r Hr)];
      apply sum_le; intros c Hc; rewrite (nested r c Hr Hc); destruct (inside_of (has r) (lacks c)) eqn:I;
      [unfold passing_both; rewrite through_there; apply N.le_refl|unfold passing; rewrite through_none by exact I; lia]
    end.
  all: assert (NR : forall r, In r rows -> A <> has r) by
    (intros r Hr E; assert (existsb (fun r => A =? has r) rows = true) by (apply existsb_exists; exists r; split; [exact Hr|now apply N.eqb_eq]); congruence).
  all: destruct (existsb (fun c => A =? lacks c) columns) eqn:EC.
  1, 3: apply existsb_exists in EC; destruct EC as (c & Hc & E); apply N.eqb_eq in E;
    match goal with |- _ <= factorial ?m + _ =>
      assert (R : sum_over rows (fun r => passing (has r) m A) = 0);
      [apply sum_zero; intros r Hr; destruct (not_through A (has r) all_chains m) as [I|Z]; [|exact Z]; exfalso;
       destruct (columns_cross c Hc) as (r' & Hr' & O); rewrite (nested r' c Hr' Hc), <- E in O; pose proof (inside_trans _ _ _ O I) as J;
       apply (rows_apart r' r Hr' Hr) in J; subst r'; exact (NR r Hr (inside_both _ _ I O))|];
      assert (K : sum_over columns (fun c' => passing (lacks c') m A) <= factorial m); [|rewrite E, (column_not_lost c m Hc), <- E; lia];
      eapply N.le_trans; [apply (sum_single columns _ c columns_distinct)|unfold passing; rewrite E, through_there; apply N.le_refl];
      intros c' Hc' Ne; destruct (not_through A (lacks c') all_chains m) as [I|Z]; [elim Ne; symmetry; rewrite E in I; now apply columns_apart|exact Z]
    end.
  all: assert (NC : forall c, In c columns -> A <> lacks c) by
    (intros c Hc E; assert (existsb (fun c => A =? lacks c) columns = true) by (apply existsb_exists; exists c; split; [exact Hc|now apply N.eqb_eq]); congruence).
  - rewrite (sum_zero rows), (sum_zero columns); [simpl; lia| |]; intros x Hx; apply through_last; auto.
  - rewrite (crossing_next n A NR).
    rewrite (sum_ext rows _ (fun r => sum_over (left_of A) (fun i => passing (has r) n (N.setbit A i)))) by (intros r Hr; apply through_next; auto).
    rewrite (sum_ext columns _ (fun c => sum_over (left_of A) (fun i => passing (lacks c) n (N.setbit A i)))) by (intros c Hc; apply through_next; auto).
    rewrite (sum_swap rows), (sum_swap columns). cbn [factorial lost]. rewrite L at 1. rewrite <- sum_constant, <- !sum_add. apply sum_le.
    intros i Hi. destruct (missing A i) eqn:M; [|apply IH; pose proof (left_next A i Hi); lia].
    rewrite (sum_zero rows), (sum_zero columns); [lia| |]; intros x Hx; apply through_none; [apply (columns_missed A i x M Hx)|apply (rows_missed A i x M Hx)].
Qed.

(** The chains through a column's set meet at most one of the rows' sets inside of it. *)
Theorem column_bound c : In c columns -> forall n A, n = length (left_of A) ->
  sum_over rows (fun r => if other r c then passing_both (has r) (lacks c) n A else 0) <= passing (lacks c) n A.
Proof.
  intros Hc. induction n as [|n IH]; intros A L.
  all: destruct (existsb (fun r => other r c && (A =? has r)) rows) eqn:ER.
  1, 3: apply existsb_exists in ER; destruct ER as (r & Hr & E); apply andb_true_iff in E; destruct E as [O E]; apply N.eqb_eq in E; subst A;
    match goal with |- _ <= passing _ ?m _ =>
      eapply N.le_trans; [apply (sum_single rows _ r rows_distinct)|cbv beta; rewrite O; unfold passing_both; rewrite through_there; apply N.le_refl];
      intros r' Hr' Ne; destruct (other r' c); [|reflexivity];
      destruct (not_through (has r) (has r') (passing (lacks c)) m) as [I|Z]; [elim Ne; symmetry; now apply rows_apart|exact Z]
    end.
  all: assert (NR : forall r, In r rows -> other r c = true -> A <> has r) by
    (intros r Hr O E; assert (existsb (fun r => other r c && (A =? has r)) rows = true) by
      (apply existsb_exists; exists r; split; [exact Hr|rewrite O; now apply N.eqb_eq]); congruence).
  - rewrite sum_zero; [lia|]. intros r Hr. destruct (other r c) eqn:O; [|reflexivity]. apply through_last. auto.
  - destruct (N.eq_dec A (lacks c)) as [E|E].
    + rewrite sum_zero; [lia|]. intros r Hr. destruct (other r c) eqn:O; [|reflexivity].
      destruct (not_through A (has r) (passing (lacks c)) (S n)) as [I|Z]; [exfalso|exact Z].
      pose proof O as O'. rewrite (nested r c Hr Hc), <- E in O'. exact (NR r Hr O (inside_both _ _ I O')).
    + unfold passing at 1. rewrite through_next by exact E. fold (passing (lacks c)).
      rewrite (sum_ext rows _ (fun r => sum_over (left_of A) (fun i => if other r c then passing_both (has r) (lacks c) n (N.setbit A i) else 0))).
      2: { intros r Hr. destruct (other r c) eqn:O; [apply through_next; auto|]. symmetry. now apply sum_zero. }
      rewrite sum_swap. apply sum_le. intros i Hi. apply IH. pose proof (left_next A i Hi). lia.
Qed.
End Chains.
