(** * Weights of rectangles: the rectangle and the partition bound from above. The leaves of a protocol with public coins are
    such rectangles, weighed with the probabilities of the trees: so the bounds are at most 2^c, where c bits suffice *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith Qround.
From Ccsim Require Import Specification Trees Lines Rectangles Mixtures Discrepancy RectangleBounds.
Import ListNotations.
Open Scope N_scope.

Lemma indices_In n x : In x (indices n) <-> (N.to_nat x < n)%nat.
Proof.
  unfold indices. rewrite in_map_iff. split; [intros (k & <- & H); apply in_seq in H; lia|]. intros H. exists (N.to_nat x). rewrite in_seq. lia.
Qed.

(** The weight over a cell of the rectangles whose answers count. *)
Definition counted (counts : N -> bool) (w : weighing) (x y : N) : N :=
  total (map (fun e => if counts (snd (fst e)) && inside (snd e) x y then fst (fst e) else 0) w).

Lemma total_app l m : total (l ++ m) = total l + total m.
Proof. induction l as [|a l IH]; [reflexivity|]. unfold total in *. simpl. rewrite IH. lia. Qed.

Lemma counted_app counts v w x y : counted counts (v ++ w) x y = counted counts v x y + counted counts w x y.
Proof. unfold counted. now rewrite map_app, total_app. Qed.

Lemma whole_weight_app v w : whole_weight (v ++ w) = whole_weight v + whole_weight w.
Proof. unfold whole_weight. now rewrite map_app, total_app. Qed.

Lemma counted_over w x y : counted (fun _ => true) w x y = weight_over w x y.
Proof. reflexivity. Qed.

Lemma counted_right w a x y : counted (fun z => z =? a) w x y = weight_with w a x y.
Proof. reflexivity. Qed.

(** ** The leaves of a tree, and of a mixture of trees *)
Fixpoint leaf_rectangles (p : protocol N N N) (A C : N -> bool) : list (N * rectangle N N) :=
  match p with
  | Output a => [(a, (A, C))]
  | Alice s zero one => leaf_rectangles zero (fun x => A x && negb (s x)) C ++ leaf_rectangles one (fun x => A x && s x) C
  | Bob s zero one => leaf_rectangles zero A (fun y => C y && negb (s y)) ++ leaf_rectangles one A (fun y => C y && s y)
  end.

Definition of_weight (u : N) (leaves : list (N * rectangle N N)) : weighing := map (fun e => (u, fst e, snd e)) leaves.

Definition leaves_of (m : mixture N N N) : weighing :=
  flat_map (fun part => of_weight (fst part) (leaf_rectangles (snd part) (fun _ => true) (fun _ => true))) m.

Lemma leaf_rectangles_length p : forall A C, length (leaf_rectangles p A C) = leaves p.
Proof. induction p as [a|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; intros A C; cbn [leaf_rectangles leaves]; [reflexivity| |]; now rewrite app_length, IH0, IH1. Qed.

Lemma leaf_cell counts u p x y : forall A C, counted counts (of_weight u (leaf_rectangles p A C)) x y =
  if A x && C y then (if counts (run p x y) then u else 0) else 0.
Proof.
  induction p as [a|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; intros A C; cbn [leaf_rectangles run].
  - unfold counted, of_weight, total, inside. cbn [map fold_right fst snd]. destruct (counts a), (A x && C y); cbn; lia.
  - unfold of_weight. rewrite map_app, counted_app. fold (of_weight u (leaf_rectangles p0 (fun x => A x && negb (s x)) C)).
    fold (of_weight u (leaf_rectangles p1 (fun x => A x && s x) C)). rewrite IH0, IH1.
    destruct (A x), (s x), (C y); cbn [andb negb]; lia.
  - unfold of_weight. rewrite map_app, counted_app. fold (of_weight u (leaf_rectangles p0 A (fun y => C y && negb (s y)))).
    fold (of_weight u (leaf_rectangles p1 A (fun y => C y && s y))). rewrite IH0, IH1.
    destruct (A x), (s y), (C y); cbn [andb negb]; lia.
Qed.

Lemma leaves_cell counts m x y : counted counts (leaves_of m) x y = total (map (fun part => if counts (run (snd part) x y) then fst part else 0) m).
Proof.
  unfold leaves_of. induction m as [|[u p] m IH]; [reflexivity|]. cbn [flat_map]. rewrite counted_app, IH. cbn [fst snd]. rewrite leaf_cell.
  reflexivity.
Qed.

Lemma of_weight_whole u l : whole_weight (of_weight u l) = u * N.of_nat (length l).
Proof.
  unfold whole_weight, of_weight, total. induction l as [|e l IH]; cbn [map fold_right length fst snd]; [lia|]. rewrite IH, Nat2N.inj_succ. lia.
Qed.

Lemma power_for_leaves bits : N.of_nat (2 ^ bits) = 2 ^ N.of_nat bits.
Proof. induction bits as [|n IH]; [reflexivity|]. rewrite Nat2N.inj_succ, N.pow_succ_r', <- IH. cbn [Nat.pow]. lia. Qed.

Lemma leaves_whole m bits : Forall (fun part => (depth (snd part) <= bits)%nat) m ->
  whole_weight (leaves_of m) <= total (map fst m) * 2 ^ N.of_nat bits.
Proof.
  unfold leaves_of. induction 1 as [|[u p] m D _ IH]; [unfold whole_weight, total; simpl; lia|]. cbn [flat_map].
  rewrite whole_weight_app, of_weight_whole, leaf_rectangles_length. cbn [fst snd] in *. unfold total in *. cbn [map fold_right fst].
  pose proof (leaves_depth p) as L. assert (N.of_nat (leaves p) <= 2 ^ N.of_nat bits).
  { rewrite <- power_for_leaves. assert (2 ^ depth p <= 2 ^ bits)%nat by (apply Nat.pow_le_mono_r; lia). lia. }
  nia.
Qed.

Lemma leaves_over m x y : weight_over (leaves_of m) x y = total (map fst m).
Proof. rewrite <- counted_over, leaves_cell. reflexivity. Qed.

Lemma leaves_right m a x y : weight_with (leaves_of m) a x y = right_weight N.eqb m x y a.
Proof. rewrite <- counted_right, leaves_cell. reflexivity. Qed.

Definition only (code : N) (w : weighing) : weighing := filter (fun e => snd (fst e) =? code) w.

Lemma only_over code w x y : weight_over (only code w) x y = weight_with w code x y.
Proof.
  unfold weight_over, weight_with, only, total. induction w as [|e w IH]; [reflexivity|]. cbn [filter map fold_right].
  destruct (snd (fst e) =? code); cbn [map fold_right andb]; rewrite IH; lia.
Qed.

Lemma only_whole code w : whole_weight (only code w) <= whole_weight w.
Proof.
  unfold whole_weight, only, total. induction w as [|e w IH]; [reflexivity|]. cbn [filter map fold_right].
  destruct (snd (fst e) =? code); cbn [map fold_right]; lia.
Qed.

Lemma two_answers (m : mixture N N N) x y a b : a <> b -> right_weight N.eqb m x y a + right_weight N.eqb m x y b <= total (map fst m).
Proof.
  intros D. unfold right_weight, total. induction m as [|[u p] m IH]; cbn [map fold_right fst snd]; [lia|].
  destruct (N.eqb_spec (run p x y) a), (N.eqb_spec (run p x y) b); lia.
Qed.

Lemma reached_number whole unit : (0 < unit) -> (fraction whole / fraction unit * fraction unit == fraction whole)%Q.
Proof. intros P. pose proof (fraction_above _ P) as U. field. intros Z. rewrite Z in U. discriminate. Qed.

Lemma number_below whole unit most : 0 < unit -> whole <= unit * most -> (fraction whole / fraction unit <= fraction most)%Q.
Proof.
  intros P L. pose proof (fraction_above _ P) as U. apply (Qmult_le_r _ _ _ U). rewrite reached_number by exact P.
  unfold Qle, Qmult, fraction, inject_Z. cbn [Qnum Qden]. rewrite ?Pos.mul_1_r, ?Z.mul_1_r. nia.
Qed.

Theorem rectangle_bound_of_protocols f code error smooth bits : succeeds f N.eqb bits (1 - error) ->
  exists q, rectangle_bound_reached f code error smooth q /\ (q <= fraction (2 ^ N.of_nat bits))%Q.
Proof.
  intros (m & P & D & S). set (w := only code (leaves_of m)). exists (fraction (whole_weight w) / fraction (total (map fst m)))%Q.
  pose proof (leaves_whole m bits D) as L. pose proof (only_whole code (leaves_of m)) as K. split; [|apply number_below; [exact P|]; fold w in K; lia].
  exists (total (map fst m)), w. split; [exact P|]. split; [now apply reached_number|]. split.
  - unfold w, only. apply Forall_forall. intros e He. apply filter_In in He. now apply N.eqb_eq.
  - intros x y a E. specialize (S x y a E). unfold w. rewrite only_over, leaves_right. split.
    + intros ->. split; [exact S|]. intros _. unfold right_weight, total. clear. induction m as [|[u p] m IH]; cbn [map fold_right fst snd]; [lia|].
      destruct (_ =? _); lia.
    + intros Na. pose proof (two_answers m x y a code Na) as T. set (whole := total (map fst m)) in *.
      assert (X : (fraction (right_weight N.eqb m x y a) + fraction (right_weight N.eqb m x y code) <= fraction whole)%Q).
      { unfold fraction. rewrite <- inject_Z_plus, <- Zle_Qle. lia. }
      apply (Qplus_le_r _ _ (fraction (right_weight N.eqb m x y a))). eapply Qle_trans; [exact X|].
      apply (Qplus_le_l _ _ (- (error * fraction whole))). eapply Qle_trans; [|eapply Qle_trans; [exact S|]]; apply Qle_lteq; right; ring.
Qed.

Theorem partition_bound_of_protocols f error bits : succeeds f N.eqb bits (1 - error) ->
  exists q, partition_bound_reached f error q /\ (q <= fraction (2 ^ N.of_nat bits))%Q.
Proof.
  intros (m & P & D & S). exists (fraction (whole_weight (leaves_of m)) / fraction (total (map fst m)))%Q.
  pose proof (leaves_whole m bits D) as L. split; [|now apply number_below].
  exists (total (map fst m)), (leaves_of m). split; [exact P|]. split; [now apply reached_number|]. split; [intros x y; apply leaves_over|].
  intros x y a E. rewrite leaves_right. now apply S.
Qed.

(** The number of leaves that a bound asks for. *)
Definition leaves_for (bound : Q) : N := Z.to_N (Qceiling bound).

Lemma leaves_for_below bound bits : (bound <= fraction (2 ^ N.of_nat bits))%Q -> leaves_for bound <= 2 ^ N.of_nat bits.
Proof.
  unfold fraction, leaves_for. intros H. apply Qceiling_resp_le in H. rewrite Qceiling_Z in H. lia.
Qed.

(** ** From above: rectangles with their answers and weights *)
Definition weighed_rectangle := (masks * N * N)%type. (* rectangle, answer, weight *)

Definition weighing_of (shape : masks -> rectangle N N) (es : list weighed_rectangle) : weighing :=
  map (fun e => (snd e, snd (fst e), shape (fst (fst e)))) es.

Definition well_weighed (code : N) (error : Q) (smooth : bool) (unit : N) (w : weighing) (c : N * N * N) : bool :=
  let own := weight_over w (fst (fst c)) (snd (fst c)) in
  if snd c =? code then Qle_bool ((1 - error) * fraction unit) (fraction own) && (negb smooth || (own <=? unit))
  else Qle_bool (fraction own) (error * fraction unit).

Definition rectangle_by_weights (t : table) (code : N) (error : Q) (smooth : bool) (unit : N) (es : list weighed_rectangle) : option Q :=
  let w := weighing_of meant es in
  if (0 <? unit) && forallb (fun e => snd (fst e) =? code) w && forallb (well_weighed code error smooth unit w) (cells_from 0 t)
  then Some (fraction (whole_weight w) / fraction unit)%Q else None.

Theorem rectangle_by_weights_reached t code error smooth unit es v : rectangle_by_weights t code error smooth unit es = Some v ->
  rectangle_bound_reached (cell t) code error smooth v.
Proof.
  unfold rectangle_by_weights. cbv zeta. set (w := weighing_of meant es). destruct (N.ltb_spec 0 unit) as [P|]; [|discriminate].
  destruct (forallb _ w) eqn:Own; [|discriminate]. destruct (forallb _ (cells_from 0 t)) eqn:C; [|discriminate]. intros [= <-].
  exists unit, w. split; [exact P|]. split; [now apply reached_number|]. split.
  - apply Forall_forall. rewrite forallb_forall in Own. intros e He. now apply N.eqb_eq, Own.
  - intros x y a E. rewrite forallb_forall in C. specialize (C _ (cells_from_all t 0 x y a E)). unfold well_weighed in C. cbn [fst snd] in C.
    rewrite N.add_0_l in C. destruct (N.eqb_spec a code) as [Ea|Na]; (split; intros H; try contradiction); [|now apply Qle_bool_iff].
    apply andb_true_iff in C. destruct C as [L S]. split; [now apply Qle_bool_iff|]. intros Sm. rewrite Sm in S. simpl in S. now apply N.leb_le.
Qed.

(** Inputs beyond the table are given the first line's. *)
Definition nearest (n : nat) (x : N) : N := if x <? N.of_nat n then x else 0.

Definition stretched (t : table) (r : masks) : rectangle N N :=
  (fun x => N.testbit (fst r) (nearest (length t) x), fun y => N.testbit (snd r) (nearest (width t) y)).

Definition right_enough (error : Q) (unit : N) (w : weighing) (c : N * N * N) : bool :=
  Qle_bool ((1 - error) * fraction unit) (fraction (weight_with w (snd c) (fst (fst c)) (snd (fst c)))).

Definition partition_by_weights (t : table) (error : Q) (unit : N) (es : list weighed_rectangle) : option Q :=
  let w := weighing_of (stretched t) es in
  if (0 <? unit) && (0 <? N.of_nat (length t)) && (0 <? N.of_nat (width t)) &&
     each_cell (length t) (width t) (fun x y => weight_over w x y =? unit) && forallb (right_enough error unit w) (cells_from 0 t)
  then Some (fraction (whole_weight w) / fraction unit)%Q else None.

Lemma nearest_near n x : 0 < N.of_nat n -> In (nearest n x) (indices n) /\ nearest n (nearest n x) = nearest n x.
Proof.
  intros P. unfold nearest. destruct (N.ltb_spec x (N.of_nat n)) as [L|L].
  - split; [apply indices_In; lia|]. now apply N.ltb_lt in L as ->.
  - split; [apply indices_In; lia|]. now destruct (_ <? _).
Qed.

Theorem partition_by_weights_reached t error unit es v : partition_by_weights t error unit es = Some v -> partition_bound_reached (cell t) error v.
Proof.
  unfold partition_by_weights. cbv zeta. set (w := weighing_of (stretched t) es). destruct (N.ltb_spec 0 unit) as [P|]; [|discriminate].
  destruct (N.ltb_spec 0 (N.of_nat (length t))) as [R|]; [|discriminate]. destruct (N.ltb_spec 0 (N.of_nat (width t))) as [C|]; [|discriminate].
  destruct (each_cell _ _ _) eqn:One; [|discriminate]. destruct (forallb _ (cells_from 0 t)) eqn:Right; [|discriminate]. intros [= <-].
  exists unit, w. split; [exact P|]. split; [now apply reached_number|]. split.
  - intros x y. destruct (nearest_near (length t) x R) as [Rx Ex]. destruct (nearest_near (width t) y C) as [Cy Ey].
    pose proof (each_cell_spec _ _ _ One _ _ Rx Cy) as K. apply N.eqb_eq in K. rewrite <- K. unfold weight_over, w, weighing_of. rewrite !map_map.
    f_equal. apply map_ext. intros e. unfold inside, stretched. cbn [fst snd]. now rewrite Ex, Ey.
  - intros x y a E. rewrite forallb_forall in Right. specialize (Right _ (cells_from_all t 0 x y a E)). unfold right_enough in Right. cbn [fst snd] in Right.
    rewrite N.add_0_l in Right. now apply Qle_bool_iff in Right.
Qed.
