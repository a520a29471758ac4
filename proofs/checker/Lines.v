(** * Tables: their lines as bit masks *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification.
Import ListNotations.
Open Scope N_scope.

Fixpoint same_list {T} (same : T -> T -> bool) (l l' : list T) : bool :=
  match l, l' with [], [] => true | a :: r, b :: r' => if same a b then same_list same r r' else false | _, _ => false end.

Lemma same_list_true {T} (same : T -> T -> bool) : (forall a b, same a b = true -> a = b) -> forall l l', same_list same l l' = true -> l = l'.
Proof.
  intros S. induction l as [|a l IH]; intros [|b l']; simpl; try discriminate; [reflexivity|]. destruct (same a b) eqn:E; [|discriminate].
  intros H. now rewrite (S _ _ E), (IH _ H).
Qed.

Definition is_code (e : option N) (c : N) : bool := match e with Some d => d =? c | None => false end.

Lemma is_code_spec e c : is_code e c = true <-> e = Some c.
Proof. destruct e; simpl; [rewrite N.eqb_eq|]; split; congruence. Qed.

Fixpoint bit_by_bit (c : N) (row : list (option N)) : N :=
  match row with
  | [] => 0
  | e :: rest => if is_code e c then N.succ_double (bit_by_bit c rest) else N.double (bit_by_bit c rest)
  end.

Lemma bit_by_bit_spec c row : forall y,
  N.testbit (bit_by_bit c row) y = match nth_error row (N.to_nat y) with Some e => is_code e c | None => false end.
Proof.
  induction row as [|e rest IH]; intros y; simpl.
  - now destruct (N.to_nat y).
  - destruct (N.eq_dec y 0) as [->|H].
    + simpl. destruct (is_code e c) eqn:E; rewrite ?N.succ_double_spec, ?N.double_spec;
        [now rewrite N.testbit_odd_0|now rewrite N.testbit_even_0].
    + destruct (N.succ_pred y H). rewrite N2Nat.inj_succ. simpl. rewrite <- IH.
      destruct (is_code e c); rewrite ?N.succ_double_spec, ?N.double_spec;
        [rewrite N.testbit_odd_succ by lia|rewrite N.testbit_even_succ by lia]; reflexivity.
Qed.

(** The same, word by word: numbers stay short until so many bits are together. *)
Fixpoint word_by_word (c : N) (row : list (option N)) (more : nat) (bit word : N) : N :=
  match row with
  | [] => word
  | e :: rest =>
      let longer := if is_code e c then word + bit else word in
      match more with
      | O => longer + N.double bit * word_by_word c rest 47 1 0
      | S more => word_by_word c rest more (N.double bit) longer
      end
  end.

Definition mask_of (c : N) (row : list (option N)) : N := word_by_word c row 47 1 0.

Lemma word_by_word_value c row : forall more bit word, word_by_word c row more bit word = word + bit * bit_by_bit c row.
Proof.
  induction row as [|e rest IH]; intros more bit word; simpl; [lia|].
  destruct more; rewrite IH; destruct (is_code e c); rewrite ?N.succ_double_spec, ?N.double_spec; lia.
Qed.

Lemma mask_of_spec c row y :
  N.testbit (mask_of c row) y = match nth_error row (N.to_nat y) with Some e => is_code e c | None => false end.
Proof. unfold mask_of. rewrite word_by_word_value, N.mul_1_l. apply bit_by_bit_spec. Qed.

(** A line: its number, and a mask for each code. *)
Notation line := (N * list (N * N))%type.

Fixpoint plane_of (c : N) (ms : list (N * N)) : N :=
  match ms with [] => 0 | (d, m) :: rest => if d =? c then m else plane_of c rest end.

Definition plane (c : N) (l : line) : N := plane_of c (snd l).

Fixpoint lines_from (ks : list N) (i : N) (t : table) : list line :=
  match t with
  | [] => []
  | row :: rest => (i, map (fun c => (c, mask_of c row)) ks) :: lines_from ks (N.succ i) rest
  end.

Definition good (f : N -> N -> option N) (l : line) : Prop :=
  forall c y, N.testbit (plane c l) y = is_code (f (fst l) y) c.

Lemma plane_of_map row c : forall ks, plane_of c (map (fun d => (d, mask_of d row)) ks) =
  if existsb (N.eqb c) ks then mask_of c row else 0.
Proof.
  induction ks as [|d ks IH]; simpl; [reflexivity|]. destruct (N.eqb_spec d c) as [->|H].
  - now rewrite N.eqb_refl.
  - destruct (N.eqb_spec c d); [congruence|]. exact IH.
Qed.

Lemma lines_from_good ks f t : forall i,
  (forall x y, f (i + x) y = cell t x y) -> (forall x y c, f x y = Some c -> In c ks) ->
  Forall (good f) (lines_from ks i t).
Proof.
  induction t as [|row rest IH]; intros i E Hk; simpl; [constructor|]. constructor.
  - intros c y. unfold plane. simpl. rewrite plane_of_map. specialize (E 0 y). rewrite N.add_0_r in E.
    rewrite E. unfold cell. simpl. destruct (existsb (N.eqb c) ks) eqn:X.
    + rewrite mask_of_spec. destruct (nth_error row (N.to_nat y)); reflexivity.
    + rewrite N.bits_0. symmetry. apply not_true_is_false. intros H.
      assert (C : f i y = Some c).
      { rewrite E. unfold cell. simpl. now apply is_code_spec. }
      apply Hk in C. assert (existsb (N.eqb c) ks = true) by (apply existsb_exists; exists c; rewrite N.eqb_refl; auto).
      congruence.
  - apply IH; [|exact Hk]. intros x y. specialize (E (N.succ x) y). rewrite N.add_succ_r, <- N.add_succ_l in E.
    rewrite E. unfold cell. rewrite N2Nat.inj_succ. reflexivity.
Qed.

Lemma lines_from_all ks t : forall i x y c, cell t x y = Some c -> In (i + x) (map fst (lines_from ks i t)).
Proof.
  induction t as [|row rest IH]; intros i x y c H.
  - unfold cell in H. destruct (N.to_nat x); discriminate.
  - simpl. destruct (N.eq_dec x 0) as [->|Hx]; [left; lia|right].
    destruct (N.lt_exists_pred 0 x ltac:(lia)) as (z & -> & _). rewrite N.add_succ_r, <- N.add_succ_l. apply (IH _ _ y c).
    unfold cell in *. rewrite N2Nat.inj_succ in H. exact H.
Qed.

(** The table with rows and columns exchanged. *)
Fixpoint zip_cons {T} (row : list T) (rows : list (list T)) : list (list T) :=
  match row, rows with
  | e :: row', r :: rows' => (e :: r) :: zip_cons row' rows'
  | _, _ => []
  end.

Fixpoint transpose {T} (width : nat) (t : list (list T)) : list (list T) :=
  match t with [] => repeat [] width | row :: rest => zip_cons row (transpose width rest) end.

Lemma zip_cons_nth {T} (row : list T) : forall rows n, length row = length rows ->
  nth_error (zip_cons row rows) n =
  match nth_error row n, nth_error rows n with Some e, Some r => Some (e :: r) | _, _ => None end.
Proof.
  induction row as [|e row IH]; intros [|r rows] n H; simpl in *; try discriminate; [now destruct n|].
  destruct n; simpl; [reflexivity|]. apply IH. lia.
Qed.

Lemma zip_cons_length {T} (row : list T) : forall rows, length row = length rows -> length (zip_cons row rows) = length rows.
Proof. induction row as [|e row IH]; intros [|r rows] H; simpl in *; try discriminate; auto. Qed.

Lemma transpose_length {T} w (t : list (list T)) : Forall (fun r => length r = w) t -> length (transpose w t) = w.
Proof.
  induction 1 as [|r t H _ IH]; simpl; [apply repeat_length|]. rewrite zip_cons_length; congruence.
Qed.

Lemma cell_transpose w t : Forall (fun r => length r = w) t -> forall x y, cell (transpose w t) y x = cell t x y.
Proof.
  induction 1 as [|r t H HF IH]; intros x y; unfold cell in *; simpl.
  - assert (E : nth_error (@repeat (list (option N)) [] w) (N.to_nat y) = None \/
                nth_error (@repeat (list (option N)) [] w) (N.to_nat y) = Some []).
    { destruct (nth_error (repeat [] w) (N.to_nat y)) as [e|] eqn:E; [right|now left].
      apply nth_error_In, repeat_spec in E. now subst. }
    destruct E as [-> | ->]; destruct (N.to_nat x); reflexivity.
  - rewrite zip_cons_nth by (rewrite transpose_length; congruence).
    specialize (IH (N.pred x) y). destruct (N.eq_dec x 0) as [->|Hx].
    + simpl. destruct (nth_error r (N.to_nat y)) as [e|] eqn:E; [|reflexivity].
      destruct (nth_error (transpose w t) (N.to_nat y)) eqn:E'; [reflexivity|].
      apply nth_error_None in E'. rewrite transpose_length in E' by assumption.
      assert (nth_error r (N.to_nat y) <> None) by congruence. apply nth_error_Some in H0. lia.
    + destruct (N.lt_exists_pred 0 x ltac:(lia)) as (z & -> & _). rewrite N.pred_succ in IH. rewrite N2Nat.inj_succ. simpl. rewrite <- IH.
      destruct (nth_error r (N.to_nat y)) as [e|] eqn:E.
      * now destruct (nth_error (transpose w t) (N.to_nat y)).
      * destruct (nth_error (transpose w t) (N.to_nat y)) eqn:E'; [|reflexivity].
        assert (nth_error (transpose w t) (N.to_nat y) <> None) by congruence.
        apply nth_error_Some in H0. rewrite transpose_length in H0 by assumption.
        apply nth_error_None in E. lia.
Qed.

Lemma cell_width w t x y c : Forall (fun r => length r = w) t -> cell t x y = Some c -> (y < N.of_nat w).
Proof.
  unfold cell. intros H E. destruct (nth_error t (N.to_nat x)) as [row|] eqn:Hx; [|discriminate].
  destruct (nth_error row (N.to_nat y)) as [e|] eqn:Hy; [|discriminate].
  assert (nth_error row (N.to_nat y) <> None) by congruence. apply nth_error_Some in H0.
  rewrite Forall_forall in H. rewrite (H row (nth_error_In _ _ Hx)) in H0. lia.
Qed.

(** Sets of lines as masks. *)
Definition bits (m : N) (x : N) : Prop := N.testbit m x = true.

Lemma no_common_bit a b : N.land a b = 0 -> forall y, bits a y -> bits b y -> False.
Proof.
  unfold bits. intros H y A B. assert (N.testbit (N.land a b) y = true) by (rewrite N.land_spec, A, B; reflexivity).
  rewrite H, N.bits_0 in H0. discriminate.
Qed.

Lemma ldiff_subset a b : N.ldiff a b = 0 -> forall y, bits a y -> bits b y.
Proof.
  unfold bits. intros H y A. destruct (N.testbit b y) eqn:B; [reflexivity|].
  assert (N.testbit (N.ldiff a b) y = true) by (rewrite N.ldiff_spec, A, B; reflexivity).
  rewrite H, N.bits_0 in H0. discriminate.
Qed.


(** What checkers read: the codes that occur, the rows and the columns as masks. *)
Fixpoint codes_of_row (row : list (option N)) (known : list N) : list N :=
  match row with
  | [] => known
  | Some c :: rest => codes_of_row rest (if existsb (N.eqb c) known then known else c :: known)
  | None :: rest => codes_of_row rest known
  end.

Definition codes_of (t : table) : list N := fold_left (fun known row => codes_of_row row known) t [].

Lemma codes_of_row_spec row : forall known, NoDup known ->
  NoDup (codes_of_row row known) /\ incl known (codes_of_row row known) /\
  forall c, In (Some c) row -> In c (codes_of_row row known).
Proof.
  induction row as [|[c|] row IH]; intros known ND; simpl; [repeat split; auto using incl_refl; tauto| |].
  - destruct (existsb (N.eqb c) known) eqn:E.
    + destruct (IH known ND) as (A & B & D). repeat split; auto. intros c' [H|H]; [|auto]. injection H as <-.
      apply existsb_exists in E. destruct E as (d & Hd & E). apply N.eqb_eq in E. subst. now apply B.
    + assert (ND' : NoDup (c :: known)).
      { constructor; [|exact ND]. intros H. assert (existsb (N.eqb c) known = true); [|congruence].
        apply existsb_exists. exists c. rewrite N.eqb_refl. auto. }
      destruct (IH _ ND') as (A & B & D). repeat split; auto.
      * intros d Hd. apply B. now right.
      * intros c' [H|H]; [|auto]. injection H as <-. apply B. now left.
  - destruct (IH known ND) as (A & B & D). repeat split; auto. intros c [H|H]; [discriminate|auto].
Qed.

Lemma codes_of_from t : forall known, NoDup known ->
  NoDup (fold_left (fun known row => codes_of_row row known) t known) /\
  incl known (fold_left (fun known row => codes_of_row row known) t known) /\
  forall row c, In row t -> In (Some c) row -> In c (fold_left (fun known row => codes_of_row row known) t known).
Proof.
  induction t as [|row t IH]; intros known ND; simpl; [repeat split; auto using incl_refl; tauto|].
  destruct (codes_of_row_spec row known ND) as (A & B & D). destruct (IH _ A) as (A' & B' & D').
  repeat split; auto.
  - intros c Hc. apply B', B, Hc.
  - intros r c [<-|Hr] Hc; [apply B', D, Hc|now apply (D' r)].
Qed.

Definition width (t : table) : nat := length (hd [] t).
Definition full (n : nat) : N := N.ones (N.of_nat n).
Definition regular (t : table) : bool := forallb (fun row => Nat.eqb (length row) (width t)) t.
Definition row_lines (t : table) : list line := lines_from (codes_of t) 0 t.
Definition column_lines (t : table) : list line := lines_from (codes_of t) 0 (transpose (width t) t).

(** The table with the parties exchanged. *)
Definition flip (f : N -> N -> option N) (y x : N) := f x y.

Lemma codes_of_distinct t : NoDup (codes_of t).
Proof. apply (codes_of_from t []). constructor. Qed.

Lemma codes_of_all t x y c : cell t x y = Some c -> In c (codes_of t).
Proof.
  unfold cell. destruct (nth_error t (N.to_nat x)) as [row|] eqn:E; [|discriminate].
  destruct (nth_error row (N.to_nat y)) as [e|] eqn:E'; [|discriminate]. intros ->.
  destruct (codes_of_from t [] ltac:(constructor)) as (_ & _ & H).
  apply (H row c); [eapply nth_error_In; eauto|eapply nth_error_In; eauto].
Qed.

Lemma regular_spec t : regular t = true -> Forall (fun r => length r = width t) t.
Proof. unfold regular. rewrite forallb_forall, Forall_forall. intros H r Hr. now apply Nat.eqb_eq, H. Qed.

Section Views.
Variable t : table.
Hypothesis t_regular : regular t = true.

Lemma cell_turned x y : cell (transpose (width t) t) y x = cell t x y.
Proof. apply cell_transpose. now apply regular_spec. Qed.

Lemma row_lines_good : Forall (good (cell t)) (row_lines t).
Proof. apply lines_from_good; [reflexivity|]. intros x y c. apply codes_of_all. Qed.

Lemma column_lines_good : Forall (good (flip (cell t))) (column_lines t).
Proof.
  apply lines_from_good.
  - intros y x. rewrite N.add_0_l. unfold flip. now rewrite cell_turned.
  - intros y x c. apply codes_of_all.
Qed.

Lemma row_lines_all x y c : cell t x y = Some c -> In x (map fst (row_lines t)).
Proof. intros H. exact (lines_from_all (codes_of t) t 0 x y c H). Qed.

Lemma column_lines_all x y c : cell t x y = Some c -> In y (map fst (column_lines t)).
Proof. intros H. apply (lines_from_all (codes_of t) _ 0 y x c). now rewrite cell_turned. Qed.

Lemma full_spec n x : bits (full n) x <-> (N.to_nat x < n)%nat.
Proof.
  unfold bits, full. destruct (N.lt_ge_cases x (N.of_nat n)) as [H|H].
  - rewrite N.ones_spec_low by exact H. split; [lia|reflexivity].
  - rewrite N.ones_spec_high by exact H. split; [discriminate|lia].
Qed.

Lemma promised_row x y c : cell t x y = Some c -> bits (full (length t)) x.
Proof.
  unfold cell. intros H. apply full_spec. destruct (nth_error t (N.to_nat x)) as [row|] eqn:E; [|discriminate].
  apply nth_error_Some. congruence.
Qed.

Lemma promised_column x y c : cell t x y = Some c -> bits (full (width t)) y.
Proof.
  intros H. apply full_spec. pose proof (cell_width (width t) t x y c (regular_spec t t_regular) H). lia.
Qed.
End Views.
