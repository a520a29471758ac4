(** * Nonnegative rank, at least: the rank of a part modulo a prime

    Integer vectors that few vectors over an ordered field span are spanned by as few integer vectors, over the rationals,
    and so by as few modulo a prime. *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith Znumtheory.
From Ccsim Require Import Specification Span Lines Elimination Submatrices RationalRank Factors Fields.
Import ListNotations.
Open Scope nat_scope.

(** ** Elimination in integers *)
Definition in_Q (v : nat -> Z) (i : nat) : Q := inject_Z (v i).

Fixpoint stairs (bs : list (nat * (nat -> Z))) : Prop :=
  match bs with [] => True | (i, b) :: rest => b i <> 0%Z /\ Forall (fun j => b j = 0%Z) (map fst rest) /\ stairs rest end.

Lemma span_scaled (vs : list (nat -> Q)) v c : rational_span nat vs v -> rational_span nat vs (fun i => c * v i)%Q.
Proof.
  intros H. eapply rational_span_ext; [|exact (spans_comb rationals vs v v c 0%Q H H)]. intros i. cbv beta. ring.
Qed.

Section Stairs.
Variable F : ordered_field.
Variable vs : list (nat -> F).
Variable size : nat.

Definition spanned_here (b : nat -> Z) : Prop := spanned F nat vs (fun i => whole F (b i)).
Definition ends (b : nat -> Z) : Prop := forall i, size <= i -> b i = 0%Z.

Lemma spanned_here_comb v w (a b : Z) : spanned_here v -> spanned_here w -> spanned_here (fun i => a * v i - b * w i)%Z.
Proof.
  intros V W. eapply spanned_eq; [|exact (spanned_comb F nat vs _ _ (whole F a) (whole F b) V W)].
  intros i. cbv beta. now rewrite whole_sub, !whole_mul.
Qed.

(** A vector less what stairs say of it: 0 at their places. *)
Lemma reduced bs : stairs bs -> Forall (fun e => spanned_here (snd e) /\ ends (snd e)) bs -> forall v, spanned_here v -> ends v ->
  exists (m : Z) (w : nat -> Z), m <> 0%Z /\ spanned_here w /\ ends w /\ Forall (fun j => w j = 0%Z) (map fst bs) /\
    rational_span nat (map (fun e => in_Q (snd e)) bs) (fun i => inject_Z m * in_Q v i - in_Q w i)%Q.
Proof.
  induction bs as [|[j b] rest IH]; intros St S v V E.
  - exists 1%Z, v. split; [lia|]. do 2 (split; [assumption|]). split; [constructor|]. intros i. ring.
  - destruct St as (N & Z & St). inversion S as [|? ? [Sb Eb] S']; subst. cbn [snd] in Sb, Eb. destruct (IH St S' v V E) as (m & w & Nm & W & Ew & Zw & R).
    exists (b j * m)%Z, (fun i => b j * w i - w j * b i)%Z. cbn [map fst snd]. split; [|split; [|split; [|split]]].
    + intros H. apply Z.mul_eq_0 in H. tauto.
    + now apply spanned_here_comb.
    + intros i Hi. rewrite (Ew i Hi), (Eb i Hi). ring.
    + constructor; [ring|]. apply Forall_forall. intros k Hk. rewrite (proj1 (Forall_forall _ _) Zw k Hk), (proj1 (Forall_forall _ _) Z k Hk). ring.
    + exists (inject_Z (w j)). eapply rational_span_ext; [|exact (span_scaled _ _ (inject_Z (b j)) R)].
      intros i. unfold in_Q. cbv beta. rewrite inject_Z_mult. unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp, !inject_Z_mult. ring.
Qed.

Lemma not_zero_somewhere (w : nat -> Z) : ends w -> (forall i, w i = 0%Z) \/ exists i, w i <> 0%Z.
Proof.
  intros E. assert (K : forall n, (forall i, i < n -> w i = 0%Z) \/ exists i, w i <> 0%Z).
  { induction n as [|n [IH|IH]]; [left; lia| |now right]. destruct (Z.eq_dec (w n) 0) as [Z|Z]; [left|right; now exists n].
    intros i Hi. destruct (Nat.eq_dec i n) as [->|]; [exact Z|apply IH; lia]. }
  destruct (K size) as [Z|X]; [left|now right]. intros i. destruct (le_lt_dec size i) as [L|L]; [now apply E|now apply Z].
Qed.

Lemma divided bs (m : Z) (v w : nat -> Z) : m <> 0%Z ->
  rational_span nat bs (fun i => inject_Z m * in_Q v i - in_Q w i)%Q -> rational_span nat bs (fun i => in_Q v i - / inject_Z m * in_Q w i)%Q.
Proof.
  intros N R. eapply rational_span_ext; [|exact (span_scaled _ _ (/ inject_Z m) R)]. intros i. cbv beta. field.
  intros H. apply N. unfold Qeq in H. simpl in H. lia.
Qed.

Lemma integer_stairs (rows : list (nat -> Z)) : Forall (fun b => spanned_here b /\ ends b) rows ->
  exists bs, stairs bs /\ Forall (fun e => spanned_here (snd e) /\ ends (snd e)) bs /\
    Forall (fun b => rational_span nat (map (fun e => in_Q (snd e)) bs) (in_Q b)) rows.
Proof.
  induction 1 as [|v rows [V E] _ (bs & St & S & R)]; [exists []; simpl; auto|].
  destruct (reduced bs St S v V E) as (m & w & Nm & W & Ew & Zw & D). apply divided in D; [|exact Nm].
  destruct (not_zero_somewhere w Ew) as [Z|[i Ni]].
  - exists bs. repeat split; auto. constructor; [|exact R]. eapply rational_span_ext; [|exact D]. intros i. cbv beta. unfold in_Q at 2. rewrite Z. change (inject_Z 0) with 0%Q. ring.
  - exists ((i, w) :: bs). split; [now simpl|]. split; [now constructor|]. constructor.
    + exists (/ inject_Z m)%Q. exact D.
    + eapply Forall_impl; [|exact R]. intros b Hb. exists 0%Q. eapply rational_span_ext; [|exact Hb]. intros k. cbv beta. ring.
Qed.

Lemma stairs_stepped bs : stairs bs -> stepped F nat (map (fun e => (fst e, fun i => whole F (snd e i))) bs).
Proof.
  induction bs as [|[i b] rest IH]; simpl; [auto|]. intros (N & Z & St). split; [|split; [|now apply IH]].
  - intros H. apply N. now apply (whole_zero F).
  - rewrite map_map. simpl. eapply Forall_impl; [|exact Z]. intros k Hk. cbv beta in *. now rewrite Hk.
Qed.

Theorem few_of_field_modulo p (rows : list (nat -> Z)) : prime p -> Forall (fun b => spanned_here b /\ ends b) rows ->
  exists few, length few <= length vs /\ Forall (span p few) rows.
Proof.
  intros P H. destruct (integer_stairs rows H) as (bs & St & S & R).
  assert (L : length bs <= length vs).
  { rewrite <- (map_length (fun e => (fst e, fun i => whole F (snd e i))) bs). apply (stepped_span F nat); [now apply stairs_stepped|].
    apply Forall_map. eapply Forall_impl; [|exact S]. intros e [He _]. exact He. }
  destruct (few_modulo nat p _ P (length rows) rows (le_n _) R) as (few & Lf & Sf). exists few. split; [|exact Sf].
  rewrite map_length in Lf. lia.
Qed.
End Stairs.

(** ** The checker *)
Fixpoint listed {A B} (g : A -> option B) (l : list A) : option (list B) :=
  match l with
  | [] => Some []
  | a :: rest => match g a with Some b => match listed g rest with Some bs => Some (b :: bs) | None => None end | None => None end
  end.

Lemma listed_nth {A B} (g : A -> option B) l : forall bs, listed g l = Some bs ->
  length bs = length l /\ forall i a, nth_error l i = Some a -> exists b, g a = Some b /\ nth_error bs i = Some b.
Proof.
  induction l as [|a l IH]; intros bs H; simpl in H.
  - injection H as <-. split; [reflexivity|]. intros [|i] a E; discriminate.
  - destruct (g a) as [b|] eqn:G; [|discriminate]. destruct (listed g l) as [rest|]; [|discriminate]. injection H as <-.
    destruct (IH rest eq_refl) as [L K]. split; [simpl; now rewrite L|]. intros [|i] c E; simpl in *; [injection E as <-; now exists b|now apply K].
Qed.

(** The matrix of numbers; each cell has one. *)
Definition number_of (values : list N) (e : option N) : option Z :=
  match e with Some a => option_map Z.of_N (nth_error values (N.to_nat a)) | None => None end.

Definition filled (g : option N -> option Z) (t : table) : option (list (list Z)) := listed (listed g) t.
Definition entry (zs : list (list Z)) (x y : N) : Z := nth (N.to_nat y) (nth (N.to_nat x) zs []) 0%Z.

Lemma filled_cell g t zs : g None = None -> filled g t = Some zs -> length zs = length t /\
  (forall x y v, nth_error (nth (N.to_nat x) zs []) (N.to_nat y) = Some v -> exists a, cell t x y = Some a /\ g (Some a) = Some v) /\
  (forall x y a, cell t x y = Some a -> g (Some a) = Some (entry zs x y)).
Proof.
  unfold filled. intros No H. destruct (listed_nth _ _ _ H) as [L K]. split; [exact L|].
  assert (R : forall x line, nth_error t (N.to_nat x) = Some line -> exists row, listed g line = Some row /\ nth (N.to_nat x) zs [] = row).
  { intros x line T. destruct (K _ line T) as (row & R & E). exists row. split; [exact R|]. now apply nth_error_nth. }
  split; intros x y.
  - intros v E. destruct (nth_error t (N.to_nat x)) as [line|] eqn:T.
    + destruct (R x line T) as (row & G & En). rewrite En in E. destruct (listed_nth _ _ _ G) as [L' K'].
      assert (B : N.to_nat y < length line) by (rewrite <- L'; apply nth_error_Some; congruence).
      destruct (nth_error line (N.to_nat y)) as [c|] eqn:T'; [|apply nth_error_None in T'; lia]. destruct (K' _ c T') as (v' & V & E').
      assert (v' = v) by congruence. subst v'. destruct c as [a|]; [|congruence]. exists a. split; [|exact V]. unfold cell. now rewrite T, T'.
    + apply nth_error_None in T. rewrite <- L in T. rewrite nth_overflow in E by exact T. now destruct (N.to_nat y).
  - intros a C. unfold cell in C. destruct (nth_error t (N.to_nat x)) as [line|] eqn:T; [|discriminate].
    destruct (nth_error line (N.to_nat y)) as [c|] eqn:T'; [|discriminate]. subst c. destruct (R x line T) as (row & G & En).
    destruct (listed_nth _ _ _ G) as [_ K']. destruct (K' _ _ T') as (v & V & E'). unfold entry. rewrite En. now rewrite (nth_error_nth row _ 0%Z E').
Qed.

Definition rank_basis (prime : Z) (rows : list (list Z)) : basis := fold_left (extend prime) rows [].

Definition minor (t : table) (values : list N) (prime : Z) (rows columns : list N) : option N :=
  if is_prime prime then
    match submatrix rows columns t with
    | Some part => 
        match filled (number_of values) part with
        | Some found =>
            if forallb (fun line => Nat.eqb (length line) (length columns)) found then Some (N.of_nat (length (rank_basis prime found))) else None
        | None => None
        end
    | None => None
    end
  else None.

Lemma rank_basis_spec p few rows : prime p -> Forall (fun v => span p few (vec v)) rows ->
  length (rank_basis p rows) <= length few.
Proof.
  intros P. unfold rank_basis. intros H.
  assert (K : forall bs, echelon p (functions bs) -> Forall (fun e => span p few (vec (snd e))) bs -> length (fold_left (extend p) rows bs) <= length few).
  { induction H as [|v rows V _ IH]; intros bs E S; simpl; [now apply (basis_length p P)|].
    apply IH; [now apply extend_echelon|now apply extend_span]. }
  apply K; [exact Logic.I|constructor].
Qed.

Theorem minor_bound t values prime rows columns v : minor t values prime rows columns = Some v ->
  forall F count, nonnegative_rank_at_most F (cell t) values count -> (v <= N.of_nat count)%N.
Proof.
  unfold minor. intros H F count (terms & L & _ & K). destruct (is_prime prime) eqn:P; [|discriminate]. apply is_prime_spec in P.
  destruct (submatrix rows columns t) as [part|] eqn:S; [|discriminate]. destruct (filled (number_of values) part) as [zs|] eqn:Z; [|discriminate].
  destruct (forallb _ zs) eqn:W; [|discriminate]. injection H as <-.
  pose proof (submatrix_cell rows columns t part S) as C. destruct (filled_cell _ part zs eq_refl Z) as (_ & Known & _).
  set (at_place := fun (w : N -> F) (i : nat) => match nth_error columns i with Some y => w y | None => zero end).
  set (vs := map (fun term : (N -> F) * (N -> F) => at_place (snd term)) terms).
  enough (Forall (fun b => spanned_here F vs (vec b) /\ ends (length columns) (vec b)) zs) as A.
  { destruct (few_of_field_modulo F vs (length columns) prime (map vec zs) P) as (few & Lf & Sf); [now apply Forall_map|].
    pose proof (rank_basis_spec prime few zs P) as B. rewrite Forall_map in Sf. specialize (B Sf). unfold vs in Lf. rewrite map_length in Lf. lia. }
  apply Forall_forall. intros row Hr. apply In_nth_error in Hr. destruct Hr as [x Ex]. pose proof (nth_error_nth zs x [] Ex) as Own.
  assert (Q : forall i v, nth_error row i = Some v -> exists x' y a, spot_of rows (N.of_nat x) = Some x' /\ nth_error columns i = Some y /\
    cell t x' y = Some a /\ v = Z.of_N (nth (N.to_nat a) values 0%N)).
  { intros i v Ei. destruct (Known (N.of_nat x) (N.of_nat i) v) as (a & Ca & Va); [now rewrite !Nat2N.id, Own|]. cbn [number_of] in Va.
    assert (Va' : v = Z.of_N (nth (N.to_nat a) values 0%N)).
    { destruct (nth_error values (N.to_nat a)) as [u|] eqn:U; [|discriminate]. injection Va as <-. now rewrite (nth_error_nth values _ 0%N U). }
    rewrite C in Ca. unfold seen_through, spot_of in *. rewrite !Nat2N.id in *.
    destruct (nth_error rows x) as [x'|]; [|discriminate]. destruct (nth_error columns i) as [y|]; [|discriminate]. now exists x', y, a. }
  rewrite forallb_forall in W. specialize (W row (nth_error_In _ _ Ex)). apply Nat.eqb_eq in W. split.
  - assert (Sp : forall x' ts, spanned F nat (map (fun term : (N -> F) * (N -> F) => at_place (snd term)) ts) (at_place (fun y => sum_of_factors F ts x' y))).
    { intros x'. induction ts as [|[u w] ts IH]; cbn [map spans].
      - intros i. unfold at_place. destruct (nth_error columns i); reflexivity.
      - exists (u x'). eapply spanned_eq; [|exact IH]. intros i. unfold at_place. cbn [snd]. destruct (nth_error columns i); [|exact (nothing_more F (u x'))].
        exact (one_less F _ _). }
    destruct (nth_error rows x) as [x'|] eqn:Ex'.
    + eapply spanned_eq; [|exact (Sp x' terms)]. intros i. unfold at_place, vec. destruct (nth_error columns i) as [y|] eqn:Ey.
      * assert (B : i < length row) by (rewrite W; apply nth_error_Some; congruence).
        destruct (nth_error row i) as [v|] eqn:Ei; [|apply nth_error_None in Ei; lia]. destruct (Q i v Ei) as (x2 & y2 & a & X2 & Y2 & Ca & ->).
        unfold spot_of in X2. rewrite Nat2N.id in X2. assert (x2 = x') by congruence. assert (y2 = y) by congruence. subst x2 y2.
        rewrite (nth_error_nth row i 0%Z Ei). now rewrite (K x' y a Ca).
      * rewrite nth_overflow; [reflexivity|]. rewrite W. now apply nth_error_None.
    + assert (Empty : row = []).
      { destruct row as [|v row]; [reflexivity|]. destruct (Q 0 v eq_refl) as (x2 & _ & _ & X2 & _). unfold spot_of in X2. rewrite Nat2N.id in X2. congruence. }
      rewrite Empty. eapply spanned_eq; [|exact (spanned_nothing F nat vs)]. intros i. now destruct i.
  - intros i Hi. unfold vec. apply nth_overflow. lia.
Qed.
