(** * Trees of private coins as data, seen to be right often enough

    At a node each line of the speaker has two weights, of the messages 0 and 1. They are so large that what follows either is told
    in the same units: with [a] and [b] of a line, and units [u] and [v] of the two children, [a * u + b * v] is the unit of the node. *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Lines Discrepancy PrivateCoins.
Import ListNotations.
Open Scope N_scope.

Inductive coin_tree :=
| Says (answer : N)
| Throws (speaker : party) (weights : list (N * N)) (zero one : coin_tree).

Definition whole (u v : N) (line : N * N) : N := fst line * u + snd line * v.

(** What 1 is in the units of a tree; all lines must agree on it. *)
Fixpoint unit_of (p : coin_tree) : option N :=
  match p with
  | Says _ => Some 1
  | Throws _ weights zero one =>
      match weights, unit_of zero, unit_of one with
      | line :: more, Some u, Some v =>
          let unit := whole u v line in
          if (0 <? unit) && forallb (fun other => whole u v other =? unit) more then Some unit else None
      | _, _, _ => None
      end
  end.

Fixpoint coin_depth (p : coin_tree) : nat :=
  match p with Says _ => O | Throws _ _ zero one => S (Nat.max (coin_depth zero) (coin_depth one)) end.

(** In these units, the weight of right answers on each cell of the first row. *)
Definition added (a b : N) (us vs : list N) : list N :=
  map (fun e => a * fst e + b * snd e) (combine us vs).

Definition added_across (weights : list (N * N)) (us vs : list N) : list N :=
  map (fun e => fst (fst e) * fst (snd e) + snd (fst e) * snd (snd e)) (combine weights (combine us vs)).

Fixpoint right_on (p : coin_tree) (cells : list (option N)) : list N :=
  match p with
  | Says answer => map (fun e => if is_code e answer then 1 else 0) cells
  | Throws alice weights zero one =>
      match weights with
      | [] => []
      | (a, b) :: _ =>
          if a =? 0 then map (N.mul b) (right_on one cells)
          else if b =? 0 then map (N.mul a) (right_on zero cells)
          else added a b (right_on zero cells) (right_on one cells)
      end
  | Throws bob weights zero one => added_across weights (right_on zero cells) (right_on one cells)
  end.

(** The tree on the other rows. *)
Fixpoint next_row (p : coin_tree) : coin_tree :=
  match p with
  | Says answer => Says answer
  | Throws alice weights zero one => Throws alice (tl weights) (next_row zero) (next_row one)
  | Throws bob weights zero one => Throws bob weights (next_row zero) (next_row one)
  end.

Fixpoint enough (least : Q) (cells : list (option N)) (found : list N) : bool :=
  match cells, found with
  | [], _ => true
  | None :: cells, _ :: found => enough least cells found
  | Some _ :: cells, n :: found => if Qle_bool least (fraction n) then enough least cells found else false
  | _ :: _, [] => false
  end.

Fixpoint rows_enough (least : Q) (p : coin_tree) (t : table) : bool :=
  match t with
  | [] => true
  | cells :: more => if enough least cells (right_on p cells) then rows_enough least (next_row p) more else false
  end.

Definition private_tree (t : table) (error : Q) (p : coin_tree) : option N :=
  match unit_of p with
  | Some unit => if rows_enough ((1 - error) * fraction unit) p t then Some (N.of_nat (coin_depth p)) else None
  | None => None
  end.

(** ** The protocol *)
Definition weights_at (weights : list (N * N)) (line : N) : N * N := nth (N.to_nat line) weights (0, 0).

(** What a tree is in units of, or 1. *)
Definition unit_or_one (p : coin_tree) : N := match unit_of p with Some u => u | None => 1 end.

Definition chance_at (p : coin_tree) (u v : N) (weights : list (N * N)) (line : N) : Q :=
  (fraction (snd (weights_at weights line) * v) / fraction (unit_or_one p))%Q.

Fixpoint denote_coins (p : coin_tree) : private_protocol N N N :=
  match p with
  | Says answer => Known answer
  | Throws speaker weights zero one =>
      let chance := chance_at p (unit_or_one zero) (unit_or_one one) weights in
      match speaker with
      | alice => AliceThrows chance (denote_coins zero) (denote_coins one)
      | bob => BobThrows chance (denote_coins zero) (denote_coins one)
      end
  end.

Lemma denote_coins_throws p : throws (denote_coins p) = coin_depth p.
Proof. induction p as [a|[] weights zero IH0 one IH1]; cbn [denote_coins throws coin_depth]; congruence. Qed.

Lemma unit_of_node speaker weights zero one unit : unit_of (Throws speaker weights zero one) = Some unit ->
  exists u v, unit_of zero = Some u /\ unit_of one = Some v /\ 0 < unit /\ forall line, In line weights -> whole u v line = unit.
Proof.
  cbn [unit_of]. destruct weights as [|line more]; [discriminate|]. destruct (unit_of zero) as [u|]; [|discriminate].
  destruct (unit_of one) as [v|]; [|discriminate]. destruct (_ && _) eqn:E; [|discriminate]. intros [= <-].
  apply andb_true_iff in E. destruct E as [P E]. apply N.ltb_lt in P. rewrite forallb_forall in E.
  exists u, v. do 3 (split; [auto|]). intros l [<-|I]; [reflexivity|]. now apply N.eqb_eq, E.
Qed.

Lemma weights_of_line u v unit weights : (forall line, In line weights -> whole u v line = unit) -> forall x,
  weights_at weights x = (0, 0) \/ whole u v (weights_at weights x) = unit.
Proof.
  intros H x. unfold weights_at. destruct (nth_in_or_default (N.to_nat x) weights (0, 0)) as [I|E]; [right; now apply H|now left].
Qed.

Lemma fraction_at_least_zero n : (0 <= fraction n)%Q.
Proof. unfold fraction. change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. lia. Qed.

Lemma fraction_mono a b : a <= b -> (fraction a <= fraction b)%Q.
Proof. intros H. unfold fraction. rewrite <- Zle_Qle. lia. Qed.

Section Node.
Variables (speaker : party) (weights : list (N * N)) (zero one : coin_tree) (unit u v : N).
Hypothesis node : unit_of (Throws speaker weights zero one) = Some unit.
Hypothesis of_zero : unit_of zero = Some u.
Hypothesis of_one : unit_of one = Some v.
Hypothesis positive : 0 < unit.
Hypothesis agree : forall line, In line weights -> whole u v line = unit.

Let chance (x : N) : Q := chance_at (Throws speaker weights zero one) (unit_or_one zero) (unit_or_one one) weights x.

Lemma chance_of_unit x : (chance x * fraction unit == fraction (snd (weights_at weights x) * v))%Q.
Proof.
  unfold chance, chance_at. unfold unit_or_one at 1 2. rewrite node, of_one. field. intros E. pose proof (fraction_above unit positive) as P.
  rewrite E in P. discriminate.
Qed.

Lemma chance_is_one x : (0 <= chance x <= 1)%Q.
Proof.
  pose proof (fraction_above unit positive) as P. pose proof (chance_of_unit x) as C. split.
  - apply (Qmult_le_r _ _ _ P). rewrite C. setoid_replace (0 * fraction unit)%Q with 0%Q by ring. apply fraction_at_least_zero.
  - apply (Qmult_le_r _ _ _ P). rewrite C. setoid_replace (1 * fraction unit)%Q with (fraction unit) by ring. apply fraction_mono.
    destruct (weights_of_line u v unit weights agree x) as [E|E]; [rewrite E; cbn [fst snd]; lia|rewrite <- E; unfold whole; lia].
Qed.

(** Weights of right answers below the chances of the children are so at the node. *)
Lemma mixed x a0 a1 (c0 c1 : Q) : (0 <= c0)%Q -> (0 <= c1)%Q ->
  (fraction a0 <= c0 * fraction u)%Q -> (fraction a1 <= c1 * fraction v)%Q ->
  (fraction (fst (weights_at weights x) * a0 + snd (weights_at weights x) * a1) <= ((1 - chance x) * c0 + chance x * c1) * fraction unit)%Q.
Proof.
  intros P0 P1 L0 L1. pose proof (chance_of_unit x) as C. pose proof (chance_is_one x) as [C0 C1].
  destruct (weights_of_line u v unit weights agree x) as [E|E].
  - rewrite E. cbn [fst snd]. change (0 * a0 + 0 * a1) with 0. unfold fraction at 1. cbn [Z.of_N]. change (inject_Z 0) with 0%Q.
    pose proof (fraction_above unit positive) as P. apply Qmult_le_0_compat; [|now apply Qlt_le_weak].
    apply (Qle_trans _ (0 + 0)%Q); [apply Qle_refl|apply Qplus_le_compat; apply Qmult_le_0_compat; auto].
    apply (Qplus_le_l _ _ (chance x)). setoid_replace (0 + chance x)%Q with (chance x) by ring. now setoid_replace (1 - chance x + chance x)%Q with 1%Q by ring.
  - set (a := fst (weights_at weights x)) in *. set (b := snd (weights_at weights x)) in *.
    setoid_replace (((1 - chance x) * c0 + chance x * c1) * fraction unit)%Q
      with (c0 * (fraction unit - chance x * fraction unit) + c1 * (chance x * fraction unit))%Q by ring.
    rewrite C. assert (S : (fraction unit == fraction a * fraction u + fraction b * fraction v)%Q).
    { rewrite <- !fraction_mul, <- fraction_add. unfold whole in E. fold a b in E. now rewrite E. }
    rewrite S, fraction_add, !fraction_mul.
    setoid_replace (c0 * (fraction a * fraction u + fraction b * fraction v - fraction b * fraction v) + c1 * (fraction b * fraction v))%Q
      with ((c0 * fraction u) * fraction a + (c1 * fraction v) * fraction b)%Q by ring.
    rewrite (Qmult_comm (fraction a)), (Qmult_comm (fraction b)).
    apply Qplus_le_compat; apply Qmult_le_compat_r; auto using fraction_at_least_zero.
Qed.
End Node.

Lemma denote_coins_chances p : forall unit, unit_of p = Some unit -> are_chances (denote_coins p).
Proof.
  induction p as [a|speaker weights zero IH0 one IH1]; intros unit H; [exact I|].
  pose proof (unit_of_node _ _ _ _ _ H) as (u & v & Hu & Hv & P & Agree).
  destruct speaker; cbn [denote_coins are_chances]; (split; [|split; [now apply (IH0 u)|now apply (IH1 v)]]);
    intros x; exact (chance_is_one _ _ _ _ unit u v H Hv P Agree x).
Qed.

Lemma chance_of_positive (p : private_protocol N N N) x y a : are_chances p -> (0 <= chance_of N.eqb p x y a)%Q.
Proof.
  induction p as [b|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; cbn [are_chances chance_of].
  - intros _. destruct (b =? a); discriminate.
  - intros (B & C0 & C1). destruct (B x) as [L U]. apply (Qle_trans _ (0 + 0)%Q); [apply Qle_refl|].
    apply Qplus_le_compat; apply Qmult_le_0_compat; auto. now apply (Qplus_le_l _ _ (s x)); ring_simplify.
  - intros (B & C0 & C1). destruct (B y) as [L U]. apply (Qle_trans _ (0 + 0)%Q); [apply Qle_refl|].
    apply Qplus_le_compat; apply Qmult_le_0_compat; auto. now apply (Qplus_le_l _ _ (s y)); ring_simplify.
Qed.

(** ** Row by row *)
Fixpoint row_at (x : nat) (p : coin_tree) : coin_tree := match x with O => p | S x => row_at x (next_row p) end.

Lemma row_at_says x : forall a, row_at x (Says a) = Says a.
Proof. induction x as [|x IH]; intros a; [reflexivity|]. cbn [row_at next_row]. apply IH. Qed.

Lemma row_at_bob x : forall w p0 p1, row_at x (Throws bob w p0 p1) = Throws bob w (row_at x p0) (row_at x p1).
Proof. induction x as [|x IH]; intros w p0 p1; [reflexivity|]. cbn [row_at next_row]. apply IH. Qed.

Lemma row_at_alice x : forall w p0 p1, row_at x (Throws alice w p0 p1) = Throws alice (skipn x w) (row_at x p0) (row_at x p1).
Proof.
  induction x as [|x IH]; intros w p0 p1; [reflexivity|]. cbn [row_at next_row]. rewrite IH. f_equal.
  destruct w as [|e w]; [now destruct x|reflexivity].
Qed.

Lemma skipn_nth {T} x : forall (l : list T) d, nth 0 (skipn x l) d = nth x l d.
Proof. induction x as [|x IH]; intros [|e l] d; cbn [skipn nth]; auto. Qed.

Lemma nth_error_combine {S T} (l : list S) : forall (m : list T) i e, nth_error (combine l m) i = Some e ->
  nth_error l i = Some (fst e) /\ nth_error m i = Some (snd e).
Proof.
  induction l as [|a l IH]; intros [|b m] [|i] e H; cbn [combine nth_error] in *; try discriminate; [now injection H as <-|now apply IH].
Qed.

Lemma nth_error_map_some {S T} (g : S -> T) l i b : nth_error (map g l) i = Some b -> exists a, nth_error l i = Some a /\ b = g a.
Proof. rewrite nth_error_map. destruct (nth_error l i) as [a|]; cbn; [|discriminate]. intros [= <-]. now exists a. Qed.

Lemma right_on_below p : forall unit, unit_of p = Some unit -> forall x y cells a n, nth_error cells (N.to_nat y) = Some (Some a) ->
  nth_error (right_on (row_at (N.to_nat x) p) cells) (N.to_nat y) = Some n ->
  (fraction n <= chance_of N.eqb (denote_coins p) x y a * fraction unit)%Q.
Proof.
  induction p as [b|speaker weights zero IH0 one IH1]; intros unit H x y cells a n Cell R.
  - injection H as <-. rewrite row_at_says in R. cbn [right_on] in R. apply nth_error_map_some in R. destruct R as (e & E & ->).
    rewrite Cell in E. injection E as <-. cbn [is_code denote_coins chance_of]. rewrite (N.eqb_sym b). destruct (a =? b); discriminate.
  - pose proof (unit_of_node _ _ _ _ _ H) as (u & v & Hu & Hv & P & Agree).
    pose proof (denote_coins_chances _ _ H) as C.
    assert (P0 : (0 <= chance_of N.eqb (denote_coins zero) x y a)%Q) by (apply chance_of_positive, (denote_coins_chances _ _ Hu)).
    assert (P1 : (0 <= chance_of N.eqb (denote_coins one) x y a)%Q) by (apply chance_of_positive, (denote_coins_chances _ _ Hv)).
    specialize (IH0 u Hu x y cells a). specialize (IH1 v Hv x y cells a).
    pose proof (fun line k0 k1 => mixed speaker weights zero one unit u v H Hv P Agree line k0 k1 _ _ P0 P1) as Mixed.
    destruct speaker.
    + rewrite row_at_alice in R. cbn [right_on] in R. destruct (skipn (N.to_nat x) weights) as [|[p q] rest] eqn:E; [now destruct (N.to_nat y)|].
      assert (W : weights_at weights x = (p, q)) by (unfold weights_at; now rewrite <- skipn_nth, E).
      cbn [denote_coins chance_of]. specialize (Mixed x). rewrite W in Mixed. cbn [fst snd] in Mixed.
      assert (Z0 : (fraction 0 <= chance_of N.eqb (denote_coins zero) x y a * fraction u)%Q) by (apply Qmult_le_0_compat; [assumption|apply fraction_at_least_zero]).
      assert (Z1 : (fraction 0 <= chance_of N.eqb (denote_coins one) x y a * fraction v)%Q) by (apply Qmult_le_0_compat; [assumption|apply fraction_at_least_zero]).
      destruct (N.eqb_spec p 0) as [->|_]; [|destruct (N.eqb_spec q 0) as [->|_]].
      * apply nth_error_map_some in R. destruct R as (k & K & ->). specialize (Mixed 0 k Z0 (IH1 k Cell K)). now rewrite N.mul_0_l, N.add_0_l in Mixed.
      * apply nth_error_map_some in R. destruct R as (k & K & ->). specialize (Mixed k 0 (IH0 k Cell K) Z1). now rewrite N.mul_0_l, N.add_0_r in Mixed.
      * apply nth_error_map_some in R. destruct R as ([k0 k1] & K & ->). apply nth_error_combine in K. destruct K as [K0 K1]. cbn [fst snd] in *.
        exact (Mixed k0 k1 (IH0 k0 Cell K0) (IH1 k1 Cell K1)).
    + rewrite row_at_bob in R. cbn [right_on] in R. unfold added_across in R. apply nth_error_map_some in R. destruct R as ([[p q] [k0 k1]] & K & ->).
      apply nth_error_combine in K. destruct K as [W K]. apply nth_error_combine in K. destruct K as [K0 K1]. cbn [fst snd] in *.
      assert (E : weights_at weights y = (p, q)) by (unfold weights_at; now apply nth_error_nth).
      cbn [denote_coins chance_of]. specialize (Mixed y). rewrite E in Mixed. exact (Mixed k0 k1 (IH0 k0 Cell K0) (IH1 k1 Cell K1)).
Qed.

Lemma enough_spec least cells : forall found y a, enough least cells found = true -> nth_error cells y = Some (Some a) ->
  exists n, nth_error found y = Some n /\ (least <= fraction n)%Q.
Proof.
  induction cells as [|e cells IH]; intros found y a H E; [now destruct y|].
  destruct found as [|n found]; [destruct e; discriminate|]. destruct y as [|y]; cbn [nth_error] in *.
  - injection E as ->. cbn [enough] in H. destruct (Qle_bool least (fraction n)) eqn:L; [|discriminate]. exists n. split; [reflexivity|]. now apply Qle_bool_iff.
  - destruct e; cbn [enough] in H; [destruct (Qle_bool least (fraction n)); [|discriminate]|]; eauto.
Qed.

Lemma rows_enough_spec least t : forall p x cells, rows_enough least p t = true -> nth_error t x = Some cells ->
  enough least cells (right_on (row_at x p) cells) = true.
Proof.
  induction t as [|row t IH]; intros p x cells H E; [now destruct x|]. cbn [rows_enough] in H. destruct (enough _ _ _) eqn:F in H; [|discriminate].
  destruct x as [|x]; cbn [nth_error row_at] in *; [now injection E as <-|now apply IH].
Qed.

Theorem private_tree_sound t error p bits : private_tree t error p = Some bits ->
  succeeds_privately (cell t) N.eqb (N.to_nat bits) (1 - error).
Proof.
  unfold private_tree. destruct (unit_of p) as [unit|] eqn:U; [|discriminate]. destruct (rows_enough _ _ _) eqn:R; [|discriminate]. intros [= <-].
  exists (denote_coins p). split; [now apply denote_coins_chances with unit|]. split; [rewrite denote_coins_throws; lia|].
  intros x y a E. unfold cell in E. destruct (nth_error t (N.to_nat x)) as [cells|] eqn:Row; [|discriminate].
  destruct (nth_error cells (N.to_nat y)) as [e|] eqn:Cell; [|discriminate]. subst e.
  destruct (enough_spec _ _ _ _ _ (rows_enough_spec _ _ _ _ _ R Row) Cell) as (n & F & L).
  assert (P : 0 < unit).
  { destruct p as [b|speaker weights zero one]; [injection U as <-; lia|]. now destruct (unit_of_node _ _ _ _ _ U) as (_ & _ & _ & _ & P & _). }
  apply (Qmult_le_r _ _ _ (fraction_above unit P)). eapply Qle_trans; [exact L|]. now apply (right_on_below p unit U x y cells a n).
Qed.
