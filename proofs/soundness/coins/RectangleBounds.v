(** * The rectangle bound and the partition bound: weights of rectangles, weights of cells, and why they bound bits *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith Qround.
From Ccsim Require Import Specification Trees Lines Tries Rectangles Mixtures Discrepancy DiscrepancyBits.
Import ListNotations.
Open Scope Z_scope.

(** ** From below, by weights of cells: what a rectangle has of [own], where it is right, and of [any] *)
Section Gains.
Variable f : function N N N.
Variables rows columns : nat.
Variables own any : N -> N -> Z.

Definition gain (a : N) (x y : N) : Z :=
  match f x y with Some b => if (b =? a)%N then own x y + any x y else any x y | None => any x y end.

Definition gathered (w : weighing) (x y : N) : Z :=
  sum (map (fun e => if inside (snd e) x y then Z.of_N (fst (fst e)) * gain (snd (fst e)) x y else 0) w).

Definition everywhere (g : N -> N -> Z) : Z := over rows columns (fun _ => true) (fun _ => true) g.

Lemma gathered_promised w x y a : f x y = Some a ->
  gathered w x y = own x y * Z.of_N (weight_with w a x y) + any x y * Z.of_N (weight_over w x y).
Proof.
  intros E. unfold gathered, weight_with, weight_over, gain. rewrite E. clear E.
  induction w as [|[[u z] r] w IH]; [unfold sum, total; simpl; ring|]. unfold sum, total in *. cbn [map fold_right fst snd]. rewrite IH.
  rewrite (N.eqb_sym z a). destruct (a =? z)%N; cbn [andb]; destruct (inside r x y); lia.
Qed.

Lemma gathered_free w x y : f x y = None -> gathered w x y = any x y * Z.of_N (weight_over w x y).
Proof.
  intros E. unfold gathered, weight_over, gain. rewrite E. clear E.
  induction w as [|[[u z] r] w IH]; [unfold sum, total; simpl; ring|]. unfold sum, total in *. cbn [map fold_right fst snd]. rewrite IH.
  destruct (inside r x y); lia.
Qed.

Lemma gathered_all w most : Forall (fun e => over rows columns (fst (snd e)) (snd (snd e)) (gain (snd (fst e))) <= most) w ->
  everywhere (gathered w) <= Z.of_N (whole_weight w) * most.
Proof.
  intros H.
  assert (E : everywhere (gathered w) = sum (map (fun e : N * N * rectangle N N => Z.of_N (fst (fst e)) * over rows columns (fst (snd e)) (snd (snd e)) (gain (snd (fst e)))) w)).
  { unfold everywhere, gathered, over. cbn [andb].
    transitivity (sum (map (fun e : N * N * rectangle N N => sum (map (fun x => sum (map (fun y => if inside (snd e) x y then Z.of_N (fst (fst e)) * gain (snd (fst e)) x y else 0)
      (indices columns))) (indices rows))) w)).
    - symmetry. rewrite sum_swap. apply sum_ext. intros x _. apply sum_swap.
    - apply sum_ext. intros e _. rewrite <- sum_scale. apply sum_ext. intros x _. rewrite <- sum_scale. apply sum_ext. intros y _.
      unfold inside. destruct (_ && _); ring. }
  rewrite E. clear E. induction H as [|e w He _ IH]; [unfold sum, whole_weight, total; simpl; lia|].
  unfold sum, whole_weight, total in *. cbn [map fold_right]. rewrite N2Z.inj_add, Z.mul_add_distr_r. apply Z.add_le_mono; [|exact IH].
  apply Z.mul_le_mono_nonneg_l; [lia|exact He].
Qed.

Lemma everywhere_le g h : (forall x y, In x (indices rows) -> In y (indices columns) -> g x y <= h x y) -> everywhere g <= everywhere h.
Proof. intros H. unfold everywhere, over. apply sum_le. intros x Hx. apply sum_le. intros y Hy. cbn [andb]. now apply H. Qed.

Lemma everywhere_add g h : everywhere (fun x y => g x y + h x y) = everywhere g + everywhere h.
Proof. unfold everywhere, over. cbn [andb]. rewrite <- sum_add. apply sum_ext. intros x _. apply sum_add. Qed.

Lemma everywhere_scale c g : everywhere (fun x y => c * g x y) = c * everywhere g.
Proof. apply over_scale. Qed.

(** If on each cell so much is gathered. *)
Lemma gain_over_most w (unit : N) (p : Z) (d : positive) most :
  Forall (fun e => over rows columns (fst (snd e)) (snd (snd e)) (gain (snd (fst e))) <= most) w ->
  (forall x y, In x (indices rows) -> In y (indices columns) ->
    Z.of_N unit * (p * own x y + Zpos d * any x y) <= Zpos d * gathered w x y) ->
  Z.of_N unit * (p * everywhere own + Zpos d * everywhere any) <= Zpos d * (Z.of_N (whole_weight w) * most).
Proof.
  intros H K. rewrite <- !everywhere_scale, <- everywhere_add, <- everywhere_scale.
  transitivity (everywhere (fun x y => Zpos d * gathered w x y)); [now apply everywhere_le|].
  rewrite everywhere_scale. apply Z.mul_le_mono_nonneg_l; [lia|]. now apply gathered_all.
Qed.
End Gains.

(** ** The largest sum over a rectangle, by all sets of the lines of the side that has fewer which are not zero *)
Definition some_value {S T} (value : S -> T -> Z) (across : list T) (a : S) : bool := existsb (fun b => negb (value a b =? 0)) across.

Definition largest_sum (value : N -> N -> Z) (rows columns : nat) : Z :=
  let turned := fun y x => value x y in
  let lines := filter (some_value value (indices columns)) (indices rows) in
  let across := filter (some_value turned lines) (indices columns) in
  if (length lines <=? length across)%nat then heaviest_rectangle value lines across else heaviest_rectangle turned across lines.

Lemma sum_filter {T} (h : T -> bool) (g : T -> Z) l : (forall a, In a l -> h a = false -> g a = 0) ->
  sum (map g (filter h l)) = sum (map g l).
Proof.
  induction l as [|a l IH]; intros H; [reflexivity|]. specialize (IH (fun b Hb => H b (or_intror Hb))). specialize (H a (or_introl eq_refl)).
  unfold sum in *. cbn [filter map fold_right]. destruct (h a); cbn [map fold_right]; rewrite IH; [reflexivity|]. rewrite H; reflexivity.
Qed.

Lemma no_value {S T} (value : S -> T -> Z) across a b : some_value value across a = false -> In b across -> value a b = 0.
Proof.
  intros H Hb. destruct (Z.eqb_spec (value a b) 0) as [|N]; [assumption|]. exfalso.
  assert (some_value value across a = true); [|congruence]. apply existsb_exists. exists b. split; [exact Hb|]. now destruct (Z.eqb_spec (value a b) 0).
Qed.

Lemma largest_sum_bound value rows columns A C : over rows columns A C value <= largest_sum value rows columns.
Proof.
  unfold largest_sum. set (lines := filter _ (indices rows)). set (across := filter _ (indices columns)).
  assert (E : over rows columns A C value = sum (map (fun x => sum (map (fun y => if A x && C y then value x y else 0) across)) lines)).
  { unfold over. rewrite <- (sum_filter (some_value value (indices columns))).
    - apply sum_ext. intros x Hx. symmetry. apply sum_filter. intros y _ Hy. destruct (_ && _); [|reflexivity].
      exact (no_value (fun y x => value x y) lines y x Hy Hx).
    - intros x _ Hx. transitivity (sum (map (fun _ : N => 0) (indices columns))); [|apply sum_zero]. apply sum_ext. intros y Hy. destruct (_ && _); [|reflexivity].
      exact (no_value value _ x y Hx Hy). }
  rewrite E. destruct (_ <=? _)%nat.
  - apply heaviest_rectangle_bound.
  - rewrite sum_swap. eapply Z.le_trans; [|apply (heaviest_rectangle_bound (fun y x => value x y) across lines C A)].
    apply Z.eq_le_incl, sum_ext. intros y _. apply sum_ext. intros x _. now rewrite andb_comm.
Qed.

(** ** The checks from below *)
Definition number_at (table : list (list Z)) (x y : N) : Z := nth (N.to_nat y) (nth (N.to_nat x) table []) 0.

Definition each_cell (rows columns : nat) (good : N -> N -> bool) : bool :=
  forallb (fun x => forallb (good x) (indices columns)) (indices rows).

Lemma each_cell_spec rows columns good : each_cell rows columns good = true ->
  forall x y, In x (indices rows) -> In y (indices columns) -> good x y = true.
Proof. unfold each_cell. intros H x y Hx Hy. rewrite forallb_forall in H. specialize (H x Hx). rewrite forallb_forall in H. now apply H. Qed.

(** So much is gained with a weight of 1, if no rectangle has more than [most]. *)
Definition gained_bound (t : table) (error : Q) (own any : N -> N -> Z) (most : Z) : Q :=
  let everything := everywhere (length t) (width t) in
  let all_gain := ((1 - error) * inject_Z (everything own) + inject_Z (everything any))%Q in
  if 0 <? most then if Qle_bool 0 all_gain then (all_gain / inject_Z most)%Q else 0%Q else 0%Q.

Definition zero_or_right (t : table) (own : list (list Z)) (x y : N) : bool :=
  match cell t x y with Some _ => 0 <=? number_at own x y | None => number_at own x y =? 0 end.

Definition partition_by_cells (t : table) (error : Q) (own any : list (list Z)) : option Q :=
  if each_cell (length t) (width t) (zero_or_right t own) then
    let sum_of a := largest_sum (gain (cell t) (number_at own) (number_at any) a) (length t) (width t) in
    let none := largest_sum (number_at any) (length t) (width t) in
    Some (gained_bound t error (number_at own) (number_at any) (fold_right Z.max none (map sum_of (codes_of t))))
  else None.

(** On a cell of the answer [any] is zero, or below in the smooth bound; elsewhere it takes away what is [own]. *)
Definition may_weigh (f : function N N N) (code : N) (smooth : bool) (own any : N -> N -> Z) (x y : N) : bool :=
  let mine := own x y in
  let all := any x y in
  match f x y with
  | Some a => if (a =? code)%N then (0 <=? mine) && (all <=? 0) && (smooth || (all =? 0)) else (0 <=? mine) && (mine <=? - all)
  | None => (mine =? 0) && (all =? 0)
  end.

Definition rectangle_gained (t : table) (code : N) (error : Q) (smooth : bool) (own any : N -> N -> Z) (most : Z) : option Q :=
  if Qle_bool error 1 && each_cell (length t) (width t) (may_weigh (cell_finder t) code smooth own any) then Some (gained_bound t error own any most) else None.

Definition rectangle_by_cells (t : table) (code : N) (error : Q) (smooth : bool) (own any : list (list Z)) : option Q :=
  rectangle_gained t code error smooth (number_at own) (number_at any)
    (largest_sum (gain (cell t) (number_at own) (number_at any) code) (length t) (width t)).

Lemma reached_positive q unit w : (0 < unit)%N -> (q * fraction unit == fraction (whole_weight w))%Q -> (0 <= q)%Q.
Proof.
  intros P E. pose proof (fraction_above _ P) as U. apply (Qmult_le_r _ _ _ U). rewrite E, Qmult_0_l. unfold fraction. change 0%Q with (inject_Z 0).
  rewrite <- Zle_Qle. lia.
Qed.

Lemma gained_bound_holds t error own any most q unit w : (0 < unit)%N -> (q * fraction unit == fraction (whole_weight w))%Q ->
  Forall (fun e => over (length t) (width t) (fst (snd e)) (snd (snd e)) (gain (cell t) own any (snd (fst e))) <= most) w ->
  (forall x y, In x (indices (length t)) -> In y (indices (width t)) ->
    Z.of_N unit * (Qnum (1 - error) * own x y + Zpos (Qden (1 - error)) * any x y) <=
    Zpos (Qden (1 - error)) * gathered (cell t) own any w x y) ->
  (gained_bound t error own any most <= q)%Q.
Proof.
  intros P E H K. pose proof (reached_positive _ _ _ P E) as Pos. unfold gained_bound. cbv zeta.
  destruct (Z.ltb_spec 0 most) as [M|]; [|exact Pos]. destruct (Qle_bool 0 _); [|exact Pos].
  pose proof (gain_over_most (cell t) (length t) (width t) _ _ w unit _ _ most H K) as G. clear H K.
  set (own' := everywhere _ _ own) in *. set (any' := everywhere _ _ any) in *.
  pose proof (fraction_above _ P) as U. assert (Mq : (0 < inject_Z most)%Q) by (change 0%Q with (inject_Z 0); now rewrite <- Zlt_Qlt).
  apply (Qmult_le_r _ _ _ Mq). unfold Qdiv. rewrite <- Qmult_assoc, (Qmult_comm (/ _)), Qmult_inv_r, Qmult_1_r by (intros Z; rewrite Z in Mq; discriminate).
  apply (Qmult_le_r _ _ _ U). rewrite <- (Qmult_assoc q), (Qmult_comm (inject_Z most)), Qmult_assoc, E.
  destruct (1 - error)%Q as [p d]. cbn [Qnum Qden] in G. unfold Qle, Qplus, Qmult, fraction, inject_Z. cbn [Qnum Qden].
  rewrite ?Pos.mul_1_r, ?Z.mul_1_r. lia.
Qed.

Lemma fraction_reading (n : Z) (d : positive) (unit v : N) : ((n # d) * fraction unit <= fraction v)%Q -> n * Z.of_N unit <= Zpos d * Z.of_N v.
Proof. unfold Qle, Qmult, fraction, inject_Z. cbn [Qnum Qden]. rewrite ?Pos.mul_1_r, ?Z.mul_1_r. lia. Qed.

Lemma fraction_reading_above (n : Z) (d : positive) (unit v : N) : (fraction v <= (n # d) * fraction unit)%Q -> Zpos d * Z.of_N v <= n * Z.of_N unit.
Proof. unfold Qle, Qmult, fraction, inject_Z. cbn [Qnum Qden]. rewrite ?Pos.mul_1_r, ?Z.mul_1_r. lia. Qed.

Lemma whole_number q : (Qnum q # Qden q) = q.
Proof. now destruct q. Qed.

Lemma max_of_all (l : list Z) first a : In a l -> a <= fold_right Z.max first l.
Proof. induction l as [|b l IH]; cbn [In fold_right]; [tauto|]. intros [->|H]; [lia|]. specialize (IH H). lia. Qed.

Lemma max_of_first (l : list Z) first : first <= fold_right Z.max first l.
Proof. induction l as [|b l IH]; cbn [fold_right]; lia. Qed.

Theorem partition_by_cells_bound t error own any v : partition_by_cells t error own any = Some v ->
  forall q, partition_bound_reached (cell t) error q -> (v <= q)%Q.
Proof.
  unfold partition_by_cells. destruct (each_cell _ _ _) eqn:C; [|discriminate]. intros [= <-] q (unit & w & P & E & One & Right).
  pose proof (each_cell_spec _ _ _ C) as Good. apply (gained_bound_holds t error (number_at own) (number_at any) _ q unit w P E).
  - apply Forall_forall. intros e _. destruct (in_dec N.eq_dec (snd (fst e)) (codes_of t)) as [I|I].
    + eapply Z.le_trans; [apply largest_sum_bound|]. apply max_of_all.
      apply (in_map (fun a => largest_sum (gain (cell t) (number_at own) (number_at any) a) (length t) (width t))). exact I.
    + eapply Z.le_trans; [|apply max_of_first]. eapply Z.le_trans; [|apply largest_sum_bound]. apply Z.eq_le_incl, over_ext.
      intros x y. unfold gain. destruct (cell t x y) as [b|] eqn:B; [|reflexivity]. destruct (N.eqb_spec b (snd (fst e))) as [Eb|]; [|reflexivity].
      exfalso. apply I. rewrite <- Eb. eapply codes_of_all; eauto.
  - intros x y Hx Hy. specialize (Good x y Hx Hy). unfold zero_or_right in Good. destruct (cell t x y) as [a|] eqn:B.
    + rewrite (gathered_promised _ _ _ _ _ _ _ B), One. apply Z.leb_le in Good. specialize (Right x y a B). rewrite <- (whole_number (1 - error)) in Right.
      apply fraction_reading in Right. nia.
    + rewrite (gathered_free _ _ _ _ _ _ B), One. apply Z.eqb_eq in Good. rewrite Good. lia.
Qed.

Theorem rectangle_gained_bound t code error smooth own any most v : rectangle_gained t code error smooth own any most = Some v ->
  (forall A C, over (length t) (width t) A C (gain (cell t) own any code) <= most) ->
  forall q, rectangle_bound_reached (cell t) code error smooth q -> (v <= q)%Q.
Proof.
  unfold rectangle_gained. intros H Most. revert H. destruct (Qle_bool error 1) eqn:Small; [|discriminate]. destruct (each_cell _ _ _) eqn:C; [|discriminate].
  intros [= <-] q (unit & w & P & E & Own & Right).
  pose proof (each_cell_spec _ _ _ C) as Good. apply (gained_bound_holds t error own any _ q unit w P E).
  - assert (Own' : forall A C z, z = code -> over (length t) (width t) A C (gain (cell t) own any z) <= most) by (intros ? ? ? ->; apply Most).
    eapply Forall_impl; [|exact Own]. intros e He. now apply Own'.
  - assert (Same : forall x y, weight_with w code x y = weight_over w x y).
    { intros x y. unfold weight_with, weight_over. clear -Own. induction Own as [|e w He _ IH]; [reflexivity|]. unfold total in *. cbn [map fold_right].
      rewrite IH, He, N.eqb_refl. reflexivity. }
    assert (Other : forall x y a, a <> code -> weight_with w a x y = 0%N).
    { intros x y a Na. unfold weight_with. clear -Own Na. induction Own as [|e w He _ IH]; [reflexivity|]. unfold total in *. cbn [map fold_right].
      rewrite IH, He. destruct (N.eqb_spec code a) as [->|]; [contradiction|reflexivity]. }
    apply Qle_bool_iff in Small. intros x y Hx Hy. specialize (Good x y Hx Hy). unfold may_weigh in Good. rewrite cell_finder_is in Good.
    set (p := Qnum (1 - error)). set (d := Zpos (Qden (1 - error))).
    assert (p0 : 0 <= p).
    { assert (L : (0 <= 1 - error)%Q) by (apply (Qplus_le_l _ _ error); ring_simplify; exact Small). unfold p. revert L. generalize (1 - error)%Q. intros [a b]. unfold Qle. cbn. lia. }
    destruct (cell t x y) as [a|] eqn:B; [|rewrite andb_true_iff, !Z.eqb_eq in Good; destruct Good as [G1 G2]; rewrite (gathered_free _ _ _ _ _ _ B), G1, G2; lia].
    rewrite (gathered_promised _ _ _ _ _ _ _ B). destruct (Right x y a B) as [Mine Yours]. destruct (N.eqb_spec a code) as [->|Na].
    + rewrite Same. rewrite !andb_true_iff, orb_true_iff, !Z.leb_le, Z.eqb_eq in Good. destruct Good as [[M0 A0] S]. destruct (Mine eq_refl) as [L U].
      rewrite <- (whole_number (1 - error)) in L. apply fraction_reading in L. fold p d in L. set (W := Z.of_N (weight_over w x y)) in *.
      assert (K : Z.of_N unit * any x y <= any x y * W).
      { destruct S as [S|S]; [specialize (U S); fold W; assert (W <= Z.of_N unit) by (unfold W; lia); nia|rewrite S; lia]. }
      assert (0 < d) by (unfold d; lia). nia.
    + rewrite (Other x y a Na). rewrite andb_true_iff, !Z.leb_le in Good. destruct Good as [M0 A0]. specialize (Yours Na).
      set (W := Z.of_N (weight_over w x y)) in *.
      assert (Y : d * W <= (d - p) * Z.of_N unit).
      { assert (Er : (error == (Zpos (Qden (1 - error)) - Qnum (1 - error)) # Qden (1 - error))%Q).
        { destruct error as [n e]. unfold Qeq, Qminus, Qplus, Qopp. cbn [Qnum Qden]. rewrite Pos.mul_1_l. ring. }
        rewrite Er in Yours. apply fraction_reading_above in Yours. exact Yours. }
      change (Z.of_N 0) with 0. nia.
Qed.

Theorem rectangle_by_cells_bound t code error smooth own any v : rectangle_by_cells t code error smooth own any = Some v ->
  forall q, rectangle_bound_reached (cell t) code error smooth q -> (v <= q)%Q.
Proof. intros H. apply (rectangle_gained_bound _ _ _ _ _ _ _ _ H). intros A C. apply largest_sum_bound. Qed.
