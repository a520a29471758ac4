(** * Why halves of the lines across are missed by no equation, and lines of a side by no vector that is orthogonal to it *)
From Coq Require Import List Arith Lia Bool NArith ZArith Znumtheory Permutation.
From Ccsim Require Import Specification Trees Span Lines Elimination TightSplits Matroids GivenLines.
Import ListNotations.
Open Scope N_scope.

Lemma filter_keeps {T} (p h : T -> bool) W : (forall l, In l W -> p l = true -> h l = true) -> filter p (filter h W) = filter p W.
Proof.
  induction W as [|l W IH]; simpl; intros H; [reflexivity|]. specialize (IH (fun l' Hl => H l' (or_intror Hl))). specialize (H l (or_introl eq_refl)).
  destruct (h l); simpl; destruct (p l); try congruence. now specialize (H eq_refl).
Qed.

(** ** Vectors across are functionals of rows, and halves are functionals of vectors *)
Lemma apply_nowhere u : forall k w, (forall i, w (k + i)%nat = 0%Z) -> apply_to (combine (seq k (length u)) u) w = 0%Z.
Proof.
  induction u as [|a u IH]; simpl; intros k w H; [reflexivity|]. rewrite (IH (S k) w) by (intros i; rewrite <- (H (S i)); f_equal; lia).
  specialize (H O). rewrite Nat.add_0_r in H. rewrite H. ring.
Qed.

Lemma summed_row_from m cols : forall u k w, (forall i, w (k + i)%nat = vec (vector cols m) i) ->
  summed m (entries_of cols u) = apply_to (combine (seq k (length u)) u) w.
Proof.
  induction cols as [|y cols IH]; intros u k w H.
  - symmetry. apply apply_nowhere. intros i. rewrite H. unfold vec. now destruct i.
  - destruct u as [|a u]; [reflexivity|]. simpl. fold (entries_of cols u). fold (summed m (entries_of cols u)).
    rewrite (IH u (S k) w) by (intros i; replace (S k + i)%nat with (k + S i)%nat by lia; rewrite H; reflexivity).
    specialize (H O). rewrite Nat.add_0_r in H. rewrite H. unfold vec, vector. simpl. destruct (N.testbit m y); unfold indicator, apply_to; ring.
Qed.

Lemma summed_row m cols u : summed m (entries_of cols u) = apply_to (combine (seq 0 (length u)) u) (vec (vector cols m)).
Proof. now apply summed_row_from. Qed.

Lemma summed_column_from x cols : forall v k w, (forall i, w (k + i)%nat = vec v i) ->
  summed x (entries_of cols v) = apply_to (combine (seq k (length cols)) (vector cols x)) w.
Proof.
  induction cols as [|y cols IH]; intros v k w H; [reflexivity|]. simpl.
  specialize (IH (tl v) (S k) w). rewrite <- IH by (intros i; replace (S k + i)%nat with (k + S i)%nat by lia; rewrite H; unfold vec; now destruct v; [destruct i|]).
  specialize (H O). rewrite Nat.add_0_r in H. rewrite H. destruct v as [|a v]; unfold vec; simpl.
  - replace (entries_of cols []) with (@nil (N * Z)) by (now destruct cols). simpl. ring.
  - fold (entries_of cols v) (summed x (entries_of cols v)). destruct (N.testbit x y); unfold indicator; ring.
Qed.

Lemma summed_column x cols v : summed x (entries_of cols v) = apply_to (combine (seq 0 (length cols)) (vector cols x)) (vec v).
Proof. now apply summed_column_from. Qed.

Lemma summed_without_zeros m es : summed m (without_zeros es) = summed m es.
Proof.
  induction es as [|[y a] es IH]; [reflexivity|]. unfold without_zeros in *. simpl. fold (summed m es).
  destruct (Z.eqb_spec a 0) as [->|]; simpl; rewrite IH; [now destruct (N.testbit m y)|reflexivity].
Qed.

Lemma summed_inside m x es : summed m (filter (fun e => N.testbit x (fst e)) es) = summed (N.land m x) es.
Proof.
  induction es as [|[y a] es IH]; [reflexivity|]. simpl. fold (summed (N.land m x) es). rewrite N.land_spec.
  destruct (N.testbit x y); simpl; rewrite ?andb_true_r, ?andb_false_r; [|exact IH].
  fold (summed m (filter (fun e => N.testbit x (fst e)) es)). now rewrite IH.
Qed.

Lemma summed_equation x m cols : forall u, summed x (entries_of cols (equation cols m u)) = summed (N.land m x) (entries_of cols u).
Proof.
  induction cols as [|y cols IH]; intros [|a u]; try reflexivity. unfold entries_of, equation. simpl.
  fold (equation cols m u) (entries_of cols (equation cols m u)) (entries_of cols u).
  fold (summed x (entries_of cols (equation cols m u))) (summed (N.land m x) (entries_of cols u)). rewrite IH, N.land_spec.
  destruct (N.testbit m y), (N.testbit x y); simpl; reflexivity.
Qed.

Lemma summed_agree x x' es : (forall y, In y (map fst es) -> N.testbit x y = N.testbit x' y) -> summed x es = summed x' es.
Proof.
  induction es as [|e es IH]; simpl; intros H; [reflexivity|]. fold (summed x es) (summed x' es). rewrite H, IH; auto.
Qed.

Section Vanishing.
Variable q : Z.
Hypothesis q_prime : prime q.

Lemma vanishes_spec m es : vanishes q m es = true <-> (q | summed m es)%Z.
Proof. pose proof (prime_ge_2 q q_prime). unfold vanishes. rewrite Z.eqb_eq. rewrite Z.mod_divide by lia. reflexivity. Qed.

Variable cols : list N.
Let row (c : N) (l : line) := vector cols (plane c l).

(** Vectors for each answer that are orthogonal to these lines. *)
Definition valid (W : list line) (found : list (N * list (list Z))) : Prop :=
  forall d u l, In d found -> In u (snd d) -> In l W -> (q | summed (plane (fst d) l) (entries_of cols u))%Z.

Lemma all_normals_valid ks W : valid W (all_normals q cols ks W).
Proof.
  intros d u l Hd Hu Hl. apply in_map_iff in Hd. destruct Hd as (c & <- & _). unfold normals in Hu. apply filter_In in Hu. destruct Hu as [_ H].
  rewrite forallb_forall in H. specialize (H l Hl). apply vanishes_spec in H. now rewrite summed_without_zeros in H.
Qed.

Lemma valid_incl W W' found : incl W' W -> valid W found -> valid W' found.
Proof. intros I V d u l Hd Hu Hl. apply (V d u l); auto. Qed.

(** Each line of a side, on one half, is a combination of the side's lines. *)
Definition closed (X : list line) (x c : N) : Prop :=
  forall l, In l X -> spanned q line (row c) X (vec (vector cols (N.land (plane c l) x))).

Lemma closed_vanishes X W found x d u l : valid W found -> incl X W -> In d found -> In u (snd d) -> closed X x (fst d) -> In l X ->
  (q | summed (N.land (plane (fst d) l) x) (entries_of cols u))%Z.
Proof.
  intros V I Hd Hu K Hl. rewrite summed_row. apply (apply_span q _ _) with (2 := K l Hl). intros w Hw.
  apply in_map_iff in Hw. destruct Hw as (l' & <- & Hl'). unfold row. rewrite <- summed_row. apply (V d u l'); auto.
Qed.

Lemma members_may_be X W found x l : valid W found -> incl X W -> (forall d, In d found -> closed X x (fst d)) -> In l X ->
  may_be q (inside cols x found) l = true.
Proof.
  intros V I K Hl. unfold may_be, inside. apply forallb_forall. intros d' Hd. apply in_map_iff in Hd. destruct Hd as (d & <- & Hd). cbn [fst snd].
  apply forallb_forall. intros es He. apply in_map_iff in He. destruct He as (u & <- & Hu). apply vanishes_spec.
  rewrite summed_inside, summed_without_zeros. apply (closed_vanishes X W found); auto.
Qed.

(** ** If no leaf is lost *)
Section Loss.
Variables C x c : N.
Hypothesis cols_in : forall y, In y cols -> N.testbit C y = true.
Let on (m : N) (l : line) := vector cols (N.land (plane c l) m).

Lemma parts_sum l i : vec (row c l) i = (vec (on x l) i + vec (on (N.ldiff C x) l) i)%Z.
Proof.
  unfold row, on, vector. rewrite !vec_vector. destruct (nth_error cols i) as [y|] eqn:E; [|reflexivity].
  rewrite !N.land_spec, N.ldiff_spec, (cols_in y (nth_error_In _ _ E)). destruct (N.testbit (plane c l) y), (N.testbit x y); reflexivity.
Qed.

Lemma in_parts X l : In l X -> span q (vectors (built q line (on x) X) ++ vectors (built q line (on (N.ldiff C x)) X)) (vec (row c l)).
Proof.
  intros Hl. eapply span_eq; [|apply span_add; [apply span_app_l, (covered q q_prime line (on x) X l Hl)|
    apply span_app_r, (covered q q_prime line (on (N.ldiff C x)) X l Hl)]]. intros i. cbv beta. now rewrite parts_sum.
Qed.

Lemma parts_length X : length (vectors (built q line (on x) X) ++ vectors (built q line (on (N.ldiff C x)) X)) =
  (rank q line (on x) X + rank q line (on (N.ldiff C x)) X)%nat.
Proof. rewrite app_length. unfold vectors, functions, rank. now rewrite !map_length. Qed.

Lemma rank_parts X : (rank q line (row c) X <= rank q line (on x) X + rank q line (on (N.ldiff C x)) X)%nat.
Proof. rewrite <- parts_length. apply rank_within; [exact q_prime|]. intros l Hl. now apply in_parts. Qed.

Lemma nothing_lost X : (rank q line (on x) X + rank q line (on (N.ldiff C x)) X <= rank q line (row c) X)%nat -> closed X x c.
Proof.
  intros H l Hl. set (id := fun v : list Z => v). set (Y := map (row c) X).
  assert (RY : rank q (list Z) id Y = rank q line (row c) X) by (symmetry; apply (rank_map q line (list Z) id (row c))).
  assert (M : (rank q (list Z) id (Y ++ [on x l]) <= rank q (list Z) id Y)%nat).
  { rewrite RY. eapply Nat.le_trans; [|exact H]. rewrite <- parts_length. apply rank_within; [exact q_prime|]. intros e He.
    apply in_app_or in He. destruct He as [He|[<-|[]]].
    - apply in_map_iff in He. destruct He as (l' & <- & Hl'). now apply in_parts.
    - apply span_app_l. exact (covered q q_prime line (on x) X l Hl). }
  assert (E : rank q (list Z) id (Y ++ [on x l]) = rank q (list Z) id Y) by (destruct (rank_next q (list Z) id Y (on x l)); lia).
  apply rank_same in E; [|exact q_prime]. unfold spanned, Y in E. rewrite map_map in E. exact E.
Qed.
End Loss.

(** ** Equations for a half *)
Definition holds_for (target : N) (e : N * list (N * Z)) : Prop :=
  (forall y, In y (map fst (snd e)) -> N.testbit (fst e) y = true) /\ (q | summed target (snd e))%Z.

Lemma equations_hold A found target :
  (forall d u l, In d found -> In u (snd d) -> In l A -> (q | summed (N.land (plane (fst d) l) target) (entries_of cols u))%Z) ->
  Forall (holds_for target) (equations q cols A found).
Proof.
  intros H. unfold equations. cbv zeta.
  match goal with |- context [fold_left (extend q) ?r []] => set (raw := r) end.
  apply Forall_map. pose proof (built_spanned q q_prime (list Z) (fun v => v) raw) as B. unfold built in B.
  eapply Forall_impl; [|exact B]. intros b S. split; cbn [fst snd].
  - intros y Hy. induction (without_zeros (entries_of cols (snd b))) as [|e es IH]; simpl in *; [elim Hy|].
    rewrite N.setbit_iff. destruct Hy as [->|Hy]; auto.
  - rewrite summed_without_zeros, summed_column. apply (apply_span q _ _) with (2 := S). intros w Hw. apply in_map_iff in Hw.
    destruct Hw as (r & <- & Hr). rewrite <- summed_column. apply in_flat_map in Hr. destruct Hr as (d & Hd & Hr).
    apply in_flat_map in Hr. destruct Hr as (l & Hl & Hr). apply in_map_iff in Hr. destruct Hr as (u & <- & Hu).
    rewrite summed_equation. auto.
Qed.

Lemma all_halves_sound refuted target eqs : Forall (holds_for target) eqs -> target <> 0 -> forall later before x,
  (forall y, N.testbit x y = N.testbit target y && N.testbit before y) ->
  (forall y, N.testbit target y = true -> N.testbit before y = true \/ In y later) ->
  all_halves q refuted (attached eqs before later) x = true -> refuted target = true.
Proof.
  intros HE Ne. induction later as [|y later IH]; intros before x Hx Ht H; simpl in H.
  - assert (x = target).
    { apply N.bits_inj. intros y. rewrite Hx. destruct (N.testbit target y) eqn:T; [|reflexivity]. now destruct (Ht y T) as [->|[]]. }
    subst x. destruct (N.eqb_spec target 0); [congruence|exact H].
  - set (now := N.setbit before y) in *.
    assert (Ht' : forall z, N.testbit target z = true -> N.testbit now z = true \/ In z later).
    { intros z T. unfold now. rewrite N.setbit_iff. destruct (Ht z T) as [B|[->|I]]; auto. }
    assert (V : forall x', (forall z, N.testbit x' z = N.testbit target z && N.testbit now z) ->
      forallb (vanishes q x') (map snd (filter (fun e => if N.testbit (fst e) y then N.ldiff (fst e) now =? 0 else false) eqs)) = true).
    { intros x' Hx'. apply forallb_forall. intros es He. apply in_map_iff in He. destruct He as (e & <- & He). apply filter_In in He.
      destruct He as [He F]. destruct (N.testbit (fst e) y); [|discriminate]. apply N.eqb_eq in F. apply vanishes_spec.
      rewrite Forall_forall in HE. destruct (HE e He) as [S D]. rewrite (summed_agree x' target); [exact D|]. intros z Hz. rewrite Hx'.
      rewrite (ldiff_subset _ _ F z (S z Hz)). apply andb_true_r. }
    assert (N0 : forall z, N.testbit now z = (y =? z) || N.testbit before z) by (intros z; unfold now; now rewrite N.setbit_eqb).
    destruct (N.testbit target y) eqn:T.
    + destruct (if forallb (vanishes q x) _ then _ else _); [|discriminate].
      assert (Hm : forall z, N.testbit (N.setbit x y) z = N.testbit target z && N.testbit now z).
      { intros z. rewrite N.setbit_eqb, N0, Hx. destruct (N.eqb_spec y z) as [<-|]; [now rewrite T|reflexivity]. }
      rewrite (V _ Hm) in H. exact (IH now _ Hm Ht' H).
    + assert (Hm : forall z, N.testbit x z = N.testbit target z && N.testbit now z).
      { intros z. rewrite N0, Hx. destruct (N.eqb_spec y z) as [<-|]; [now rewrite T|reflexivity]. }
      rewrite (V _ Hm) in H. destruct (all_halves q refuted (attached eqs now later) x) eqn:A; [|discriminate]. exact (IH now _ Hm Ht' A).
Qed.
End Vanishing.

Lemma every_choice_sound {T} (holds : list T -> bool) (good : T -> bool) l : forall out kept,
  (length (filter (fun a => negb (good a)) l) <= out <= length l)%nat -> every_choice holds l out kept = true ->
  exists found, holds found = true /\ forall a, In a found -> In a kept \/ (In a l /\ good a = true).
Proof.
  induction l as [|a l IH]; simpl; intros out kept B H; [exists kept; auto|].
  destruct (if Nat.leb out (length l) then _ else _) eqn:H1; [|discriminate].
  assert (K : forall more o, (length (filter (fun a => negb (good a)) l) <= o <= length l)%nat -> (forall b, In b more -> In b kept \/ (b = a /\ good a = true)) ->
    every_choice holds l o more = true -> exists found, holds found = true /\ forall b, In b found -> In b kept \/ ((a = b \/ In b l) /\ good b = true)).
  { intros more o Bo Hm He. destruct (IH o more Bo He) as (found & Hf & Hi). exists found. split; [exact Hf|]. intros b Hb.
    destruct (Hi b Hb) as [Hb'|[Hb' Gb]]; [|auto]. destruct (Hm b Hb') as [|[-> Ga]]; auto. }
  assert (F : (length (filter (fun a => negb (good a)) l) <= length l)%nat) by (clear; induction l as [|b l IH]; simpl; [lia|]; destruct (good b); simpl; lia).
  destruct (good a) eqn:G; simpl in B.
  - destruct (Nat.leb_spec out (length l)) as [Le|Gt].
    + apply (K (a :: kept) out); [lia| |exact H1]. intros b [<-|Hb]; auto.
    + destruct out as [|out]; [lia|]. apply (K kept out); [lia|auto|exact H].
  - destruct out as [|out]; [lia|]. apply (K kept out); [lia|auto|exact H].
Qed.
