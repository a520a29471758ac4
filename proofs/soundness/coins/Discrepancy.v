(** * Discrepancy: one rectangle, all sets of lines, and weights of rectangles that no distribution escapes *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith Lqa.
From Ccsim Require Import Specification Lines Rectangles Mixtures.
Import ListNotations.
Open Scope Z_scope.

(** Weights of the size of the table, and none but on answers 0 and 1. *)
Fixpoint weights_fit_row (row : list (option N)) (weights : list N) : bool :=
  match row, weights with
  | [], [] => true
  | c :: row, w :: weights =>
      if (match c with Some a => (a <? 2)%N | None => (w =? 0)%N end) then weights_fit_row row weights else false
  | _, _ => false
  end.

Fixpoint weights_fit (t : table) (weights : list (list N)) : bool :=
  match t, weights with
  | [], [] => true
  | row :: t, line :: weights => if weights_fit_row row line then weights_fit t weights else false
  | _, _ => false
  end.

(** ** Sums over lists *)
Lemma sum_add {T} (g h : T -> Z) l : sum (map (fun a => g a + h a) l) = sum (map g l) + sum (map h l).
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. unfold sum in *. simpl. lia. Qed.

Lemma sum_scale {T} c (g : T -> Z) l : sum (map (fun a => c * g a) l) = c * sum (map g l).
Proof. induction l as [|a l IH]; simpl; [ring|]. unfold sum in *. simpl. rewrite IH. ring. Qed.

Lemma sum_zero {T} (l : list T) : sum (map (fun _ => 0) l) = 0.
Proof. induction l as [|a l IH]; simpl; auto. Qed.

Lemma sum_ext {T} (g h : T -> Z) l : (forall a, In a l -> g a = h a) -> sum (map g l) = sum (map h l).
Proof. intros H. f_equal. now apply map_ext_in. Qed.

Lemma sum_le {T} (g h : T -> Z) l : (forall a, In a l -> g a <= h a) -> sum (map g l) <= sum (map h l).
Proof.
  induction l as [|a l IH]; simpl; intros H; [lia|]. pose proof (H a (or_introl eq_refl)). specialize (IH (fun b Hb => H b (or_intror Hb))).
  unfold sum in *. simpl. lia.
Qed.

Lemma sum_swap {S T} (g : S -> T -> Z) l m : sum (map (fun a => sum (map (g a) m)) l) = sum (map (fun b => sum (map (fun a => g a b) l)) m).
Proof.
  induction l as [|a l IH]; simpl.
  - now rewrite sum_zero.
  - change (sum (map (g a) m) + sum (map (fun a => sum (map (g a) m)) l) = sum (map (fun b => g a b + sum (map (fun a => g a b) l)) m)).
    rewrite IH, sum_add. reflexivity.
Qed.

(** ** All sets of lines: with each, the lines across whose sum is positive *)
Fixpoint heaviest (lines : list (list Z)) (sums : list Z) : Z :=
  match lines with
  | [] => sum (map (Z.max 0) sums)
  | line :: rest =>
      if forallb (Z.eqb 0) line then heaviest rest sums
      else Z.max (heaviest rest sums) (heaviest rest (map (fun e => fst e + snd e) (combine sums line)))
  end.

Lemma combine_map {T} (g h : T -> Z) l : map (fun e => fst e + snd e) (combine (map g l) (map h l)) = map (fun a => g a + h a) l.
Proof. induction l as [|a l IH]; simpl; congruence. Qed.

Lemma heaviest_bound {S T} (value : S -> T -> Z) (A : S -> bool) (B : T -> bool) across lines : forall sums,
  sum (map (fun b => if B b then sums b + sum (map (fun a => if A a then value a b else 0) lines) else 0) across) <=
  heaviest (map (fun a => map (value a) across) lines) (map sums across).
Proof.
  induction lines as [|a lines IH]; intros sums; cbn [map heaviest].
  - rewrite map_map. apply sum_le. intros b _. destruct (B b); unfold sum; cbn [map fold_right]; lia.
  - destruct (forallb (Z.eqb 0) (map (value a) across)) eqn:Zero.
    { eapply Z.le_trans; [|exact (IH sums)]. rewrite forallb_forall in Zero. apply sum_le. intros b Hb.
      assert (E : value a b = 0) by (symmetry; apply Z.eqb_eq, Zero; now apply in_map).
      destruct (B b); [|lia]. unfold sum. cbn [map fold_right]. rewrite E. destruct (A a); lia. }
    rewrite combine_map. destruct (A a) eqn:E.
    + eapply Z.le_trans; [|apply Z.le_max_r]. eapply Z.le_trans; [|exact (IH (fun b => sums b + value a b))].
      apply sum_le. intros b _. destruct (B b); [|lia]. unfold sum. cbn [map fold_right]. lia.
    + eapply Z.le_trans; [|apply Z.le_max_l]. eapply Z.le_trans; [|exact (IH sums)].
      apply sum_le. intros b _. destruct (B b); [|lia]. unfold sum. cbn [map fold_right]. lia.
Qed.

(** The largest sum over a rectangle. *)
Definition heaviest_rectangle {S T} (value : S -> T -> Z) (lines : list S) (across : list T) : Z :=
  heaviest (map (fun a => map (value a) across) lines) (map (fun _ => 0) across).

Lemma heaviest_rectangle_bound {S T} (value : S -> T -> Z) lines across (A : S -> bool) (B : T -> bool) :
  sum (map (fun a => sum (map (fun b => if A a && B b then value a b else 0) across)) lines) <= heaviest_rectangle value lines across.
Proof.
  rewrite sum_swap. eapply Z.le_trans; [|exact (heaviest_bound value A B across lines (fun _ => 0))]. apply sum_le. intros b _.
  destruct (B b).
  - rewrite Z.add_0_l. apply Z.eq_le_incl, sum_ext. intros a _. now rewrite andb_true_r.
  - apply Z.eq_le_incl. transitivity (sum (map (fun _ => 0) lines)); [|apply sum_zero]. apply sum_ext. intros a _. now rewrite andb_false_r.
Qed.

Definition most_biased (f : function N N N) (weights : list (list N)) (rows columns : nat) : Z :=
  let value := signed_weight f weights in
  let turned := fun y x => signed_weight f weights x y in
  if (rows <=? columns)%nat
  then Z.max (heaviest_rectangle value (indices rows) (indices columns)) (heaviest_rectangle (fun x y => - value x y) (indices rows) (indices columns))
  else Z.max (heaviest_rectangle turned (indices columns) (indices rows)) (heaviest_rectangle (fun y x => - turned y x) (indices columns) (indices rows)).

Lemma sum_opposite {T} (g : T -> Z) l : sum (map (fun a => - g a) l) = - sum (map g l).
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. unfold sum in *. simpl. lia. Qed.

Theorem most_biased_bound f weights rows columns r : bias f weights rows columns r <= most_biased f weights rows columns.
Proof.
  unfold bias, most_biased, inside. set (total := sum _).
  assert (Neg : - total = sum (map (fun x => sum (map (fun y => if fst r x && snd r y then - signed_weight f weights x y else 0) (indices columns))) (indices rows))).
  { unfold total. rewrite <- sum_opposite. apply sum_ext. intros x _. rewrite <- sum_opposite. apply sum_ext. intros y _. destruct (_ && _); lia. }
  assert (Turn : forall g : N -> N -> Z, sum (map (fun x => sum (map (fun y => if fst r x && snd r y then g x y else 0) (indices columns))) (indices rows)) =
    sum (map (fun y => sum (map (fun x => if snd r y && fst r x then g x y else 0) (indices rows))) (indices columns))).
  { intros g. rewrite sum_swap. apply sum_ext. intros y _. apply sum_ext. intros x _. now rewrite andb_comm. }
  destruct (rows <=? columns)%nat.
  - pose proof (heaviest_rectangle_bound (signed_weight f weights) (indices rows) (indices columns) (fst r) (snd r)) as P. fold total in P.
    pose proof (heaviest_rectangle_bound (fun x y => - signed_weight f weights x y) (indices rows) (indices columns) (fst r) (snd r)) as M.
    cbv beta in M. rewrite <- Neg in M. lia.
  - unfold total in *. rewrite Turn in Neg. rewrite (Turn (fun x y => - signed_weight f weights x y)) in Neg. rewrite Turn.
    pose proof (heaviest_rectangle_bound (fun y x => signed_weight f weights x y) (indices columns) (indices rows) (snd r) (fst r)) as P.
    pose proof (heaviest_rectangle_bound (fun y x => - signed_weight f weights x y) (indices columns) (indices rows) (snd r) (fst r)) as M.
    cbv beta in P, M. rewrite <- Neg in M. lia.
Qed.

(** ** The checks *)
Definition bias_at_most (t : table) (weights : list (list N)) (claimed : Q) : bool :=
  if weights_fit t weights then
    if (0 <? all_weight weights)%N then
      Qle_bool (inject_Z (most_biased (cell t) weights (length weights) (length (hd [] weights)))) (claimed * fraction (all_weight weights))
    else false
  else false.

Definition bias_at_least (t : table) (weights : list (list N)) (claimed : Q) (rectangle : masks) : bool :=
  if weights_fit t weights then
    if (0 <? all_weight weights)%N then
      Qle_bool (claimed * fraction (all_weight weights))
        (inject_Z (bias (cell t) weights (length weights) (length (hd [] weights)) (meant rectangle)))
    else false
  else false.

Lemma fraction_above n : (0 < n)%N -> (0 < fraction n)%Q.
Proof. intros H. unfold fraction. change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. lia. Qed.

Lemma bias_at_most_all t weights claimed : bias_at_most t weights claimed = true ->
  weights_fit t weights = true /\ (0 < all_weight weights)%N /\
  forall r, (inject_Z (bias (cell t) weights (length weights) (length (hd [] weights)) r) <= claimed * fraction (all_weight weights))%Q.
Proof.
  unfold bias_at_most. intros H. destruct (weights_fit t weights); [|discriminate]. destruct (N.ltb_spec 0 (all_weight weights)); [|discriminate].
  apply Qle_bool_iff in H. split; [reflexivity|]. split; [assumption|]. intros r. eapply Qle_trans; [|exact H]. rewrite <- Zle_Qle. apply most_biased_bound.
Qed.

Theorem bias_at_most_holds t weights claimed : bias_at_most t weights claimed = true -> holds (cell t) (Discrepancy weights) Upper claimed.
Proof.
  intros H. apply bias_at_most_all in H. destruct H as (_ & P & B). unfold holds; simpl. intros q (_ & r & E).
  apply (Qmult_le_r _ _ _ (fraction_above _ P)). rewrite E. apply B.
Qed.

Theorem bias_at_least_holds t weights claimed rectangle : bias_at_least t weights claimed rectangle = true ->
  holds (cell t) (Discrepancy weights) Lower claimed.
Proof.
  unfold bias_at_least. intros H. destruct (weights_fit t weights); [|discriminate]. destruct (N.ltb_spec 0 (all_weight weights)) as [P|]; [|discriminate].
  apply Qle_bool_iff in H. pose proof (fraction_above _ P) as F. unfold holds; simpl.
  exists (inject_Z (bias (cell t) weights (length weights) (length (hd [] weights)) (meant rectangle)) / fraction (all_weight weights))%Q.
  split; [|apply (Qmult_le_r _ _ _ F); eapply Qle_trans; [exact H|]; apply Qle_lteq; right; field; intros Z; rewrite Z in F; discriminate].
  split; [exact P|]. exists (meant rectangle). field. intros Z. rewrite Z in F. discriminate.
Qed.

(** ** The least of all distributions, at most: one of them *)
Lemma weights_fit_rows t weights : weights_fit t weights = true -> forall i,
  weights_fit_row (nth i t []) (nth i weights []) = true /\ (nth_error t i = None -> nth i weights [] = []).
Proof.
  revert weights. induction t as [|row t IH]; intros [|line weights] H i; simpl in H; try discriminate.
  - destruct i; simpl; auto.
  - destruct (weights_fit_row row line) eqn:R; [|discriminate]. destruct i as [|i]; simpl; [split; [exact R|discriminate]|]. now apply IH.
Qed.

Lemma weights_fit_cells row weights : weights_fit_row row weights = true -> forall i, nth i weights 0%N <> 0%N ->
  exists a, nth_error row i = Some (Some a) /\ (a < 2)%N.
Proof.
  revert weights. induction row as [|c row IH]; intros [|w weights] H i W; simpl in H; try discriminate.
  - destruct i; simpl in W; congruence.
  - destruct (match c with Some a => (a <? 2)%N | None => (w =? 0)%N end) eqn:C; [|discriminate].
    destruct i as [|i]; simpl in *; [|now apply (IH weights)]. destruct c as [a|].
    + exists a. split; [reflexivity|]. now apply N.ltb_lt.
    + apply N.eqb_eq in C. contradiction.
Qed.

Lemma weights_on_answers t weights x y : weights_fit t weights = true -> weight_at weights x y <> 0%N ->
  cell t x y = Some 0%N \/ cell t x y = Some 1%N.
Proof.
  intros H W. unfold weight_at in W. destruct (weights_fit_rows t weights H (N.to_nat x)) as [R Out].
  destruct (weights_fit_cells _ _ R _ W) as (a & E & L). unfold cell.
  destruct (nth_error t (N.to_nat x)) as [row|] eqn:T.
  - rewrite (nth_error_nth _ _ _ T) in E. rewrite E. assert (a = 0 \/ a = 1)%N as [->| ->] by lia; auto.
  - rewrite (Out eq_refl) in W. exfalso. apply W. now destruct (N.to_nat y).
Qed.

Lemma weights_fit_length row weights : weights_fit_row row weights = true -> length weights = length row.
Proof.
  revert weights. induction row as [|c row IH]; intros [|w weights] H; simpl in *; try discriminate; [reflexivity|].
  destruct (match c with Some a => (a <? 2)%N | None => (w =? 0)%N end); [|discriminate]. f_equal. now apply IH.
Qed.

Lemma weights_fit_regular t weights : regular t = true -> weights_fit t weights = true ->
  Forall (fun line => length line = length (hd [] weights)) weights.
Proof.
  intros R H. apply regular_spec in R. assert (K : Forall (fun line => length line = width t) weights).
  { revert weights H. generalize (width t) R. intros w R'. clear R. induction R' as [|row t L _ IH]; intros [|line weights] H; simpl in H; try discriminate; [constructor|].
    destruct (weights_fit_row row line) eqn:E; [|discriminate]. constructor; [|now apply IH]. rewrite <- L. now apply weights_fit_length. }
  destruct weights as [|line weights]; [constructor|]. simpl. inversion K as [|? ? L _]; subst. now rewrite L.
Qed.

Definition some_bias_at_most (t : table) (weights : list (list N)) (claimed : Q) : bool :=
  if regular t then bias_at_most t weights claimed else false.

Theorem some_bias_at_most_holds t weights claimed : some_bias_at_most t weights claimed = true -> holds (cell t) LeastDiscrepancy Upper claimed.
Proof.
  unfold some_bias_at_most. intros H. destruct (regular t) eqn:R; [|discriminate]. apply bias_at_most_all in H. destruct H as (F & P & B).
  unfold holds; simpl. exists claimed. split; [|apply Qle_refl]. exists weights. split; [exact P|]. split; [now apply (weights_fit_regular t)|].
  split; [|exact B]. intros x y. now apply weights_on_answers.
Qed.

(** ** At least: rectangles with answers, such that on each cell the right ones weigh more *)
Definition leaning := (masks * bool * N)%type. (* a rectangle, whether its answer is 1, and its weight *)

Definition signed_share (e : leaning) : Z := if snd (fst e) then Z.of_N (snd e) else - Z.of_N (snd e).
Definition pull (es : list leaning) (x y : N) : Z :=
  sum (map (fun e => if inside (meant (fst (fst e))) x y then signed_share e else 0) es).
Definition all_shares (es : list leaning) : N := total (map snd es).

Definition leans_right (es : list leaning) (claimed : Q) (c : N * N * N) : bool :=
  let force := pull es (fst (fst c)) (snd (fst c)) in
  match snd c with
  | 0%N => Qle_bool (claimed * fraction (all_shares es)) (inject_Z (- force))
  | 1%N => Qle_bool (claimed * fraction (all_shares es)) (inject_Z force)
  | _ => false
  end.

Definition every_bias_at_least (t : table) (es : list leaning) (claimed : Q) : bool :=
  if (0 <? all_shares es)%N then
    if forallb (fun c => (snd c <? 2)%N) (cells_from 0 t) then
      if Qle_bool claimed 0 then true else forallb (leans_right es claimed) (cells_from 0 t)
    else false
  else false.

Lemma total_sum l : Z.of_N (total l) = sum (map Z.of_N l).
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. unfold total, sum in *. simpl. lia. Qed.

Lemma all_shares_sum es : Z.of_N (all_shares es) = sum (map (fun e : leaning => Z.of_N (snd e)) es).
Proof. unfold all_shares. rewrite total_sum, map_map. reflexivity. Qed.

Lemma nth_places {T} (l : list T) d : map (fun x => nth (N.to_nat x) l d) (indices (length l)) = l.
Proof.
  unfold indices. rewrite map_map. rewrite (map_ext _ (fun i => nth i l d)) by (intros i; now rewrite Nat2N.id).
  induction l as [|a l IH]; simpl; [reflexivity|]. f_equal. rewrite <- seq_shift, map_map. exact IH.
Qed.

Lemma all_weight_sum weights : Forall (fun line => length line = length (hd [] weights)) weights ->
  Z.of_N (all_weight weights) =
  sum (map (fun x => sum (map (fun y => Z.of_N (weight_at weights x y)) (indices (length (hd [] weights))))) (indices (length weights))).
Proof.
  intros R. unfold all_weight. rewrite total_sum, map_map. rewrite <- (nth_places weights []) at 1. rewrite map_map.
  apply sum_ext. intros x Hx. rewrite total_sum.
  assert (L : length (nth (N.to_nat x) weights []) = length (hd [] weights)).
  { rewrite Forall_forall in R. apply R, nth_In. unfold indices in Hx. apply in_map_iff in Hx. destruct Hx as (i & <- & Hi). apply in_seq in Hi. lia. }
  rewrite <- (nth_places (nth (N.to_nat x) weights []) 0%N) at 1. rewrite map_map, L. reflexivity.
Qed.

Definition plain_bias (f : function N N N) weights rows columns (r : rectangle N N) : Z :=
  sum (map (fun x => sum (map (fun y => if inside r x y then signed_weight f weights x y else 0) (indices columns))) (indices rows)).

Lemma pulls_add f weights rows columns es :
  sum (map (fun e => signed_share e * plain_bias f weights rows columns (meant (fst (fst e)))) es) =
  sum (map (fun x => sum (map (fun y => signed_weight f weights x y * pull es x y) (indices columns))) (indices rows)).
Proof.
  unfold plain_bias, pull.
  transitivity (sum (map (fun e => sum (map (fun x => sum (map (fun y => if inside (meant (fst (fst e))) x y then signed_share e * signed_weight f weights x y else 0)
    (indices columns))) (indices rows))) es)).
  - apply sum_ext. intros e _. rewrite <- sum_scale. apply sum_ext. intros x _. rewrite <- sum_scale. apply sum_ext. intros y _.
    destruct (inside _ x y); ring.
  - rewrite sum_swap. apply sum_ext. intros x _. rewrite sum_swap. apply sum_ext. intros y _. rewrite <- sum_scale. apply sum_ext. intros e _.
    destruct (inside _ x y); ring.
Qed.

Theorem every_bias_at_least_holds t es claimed : every_bias_at_least t es claimed = true -> holds (cell t) LeastDiscrepancy Lower claimed.
Proof.
  unfold every_bias_at_least. intros H. destruct (N.ltb_spec 0 (all_shares es)) as [Some'|]; [|discriminate].
  destruct (forallb _ _) in H; [|discriminate]. unfold holds; simpl. intros q (weights & P & R & On & B).
  set (rows := length weights) in *. set (columns := length (hd [] weights)) in *.
  destruct (Qle_bool claimed 0) eqn:Z.
  - apply Qle_bool_iff in Z. eapply Qle_trans; [exact Z|]. specialize (B ((fun _ => false), (fun _ => false))).
    apply (Qmult_le_r _ _ _ (fraction_above _ P)). rewrite Qmult_0_l. eapply Qle_trans; [|exact B]. change 0%Q with (inject_Z 0). rewrite <- Zle_Qle.
    unfold bias. lia.
  - rewrite forallb_forall in H. destruct claimed as [n d]. destruct q as [a b].
    assert (Cell : forall x y, n * Z.of_N (all_shares es) * Z.of_N (weight_at weights x y) <= Zpos d * (signed_weight (cell t) weights x y * pull es x y)).
    { intros x y. destruct (N.eq_dec (weight_at weights x y) 0) as [W|W].
      - unfold signed_weight. rewrite W. destruct (cell t x y) as [[|[?|?|]]|]; simpl; lia.
      - pose proof (On x y W) as Or. assert (Hc : forall c, cell t x y = Some c -> leans_right es (n # d) (x, y, c) = true).
        { intros c E. apply H. exact (cells_from_all t 0 x y c E). }
        unfold signed_weight. destruct Or as [E|E]; rewrite E; specialize (Hc _ E); unfold leans_right in Hc; cbn [fst snd] in Hc; apply Qle_bool_iff in Hc;
          unfold Qle, Qmult, fraction, inject_Z in Hc; cbn [Qnum Qden] in Hc; rewrite Pos.mul_1_r in Hc; nia. }
    assert (Low : n * Z.of_N (all_shares es) * Z.of_N (all_weight weights) <=
                  Zpos d * sum (map (fun e => signed_share e * plain_bias (cell t) weights rows columns (meant (fst (fst e)))) es)).
    { rewrite pulls_add, (all_weight_sum weights R). fold rows columns. rewrite <- !sum_scale. apply sum_le. intros x _. rewrite <- !sum_scale. apply sum_le. intros y _. apply Cell. }
    assert (High : Zpos b * sum (map (fun e => signed_share e * plain_bias (cell t) weights rows columns (meant (fst (fst e)))) es) <=
                   a * Z.of_N (all_shares es) * Z.of_N (all_weight weights)).
    { assert (E : sum (map (fun e : leaning => (a * Z.of_N (all_weight weights)) * Z.of_N (snd e)) es) = a * Z.of_N (all_shares es) * Z.of_N (all_weight weights)).
      { rewrite sum_scale, all_shares_sum. ring. }
      rewrite <- E. clear E.
      rewrite <- sum_scale. apply sum_le. intros e _. specialize (B (meant (fst (fst e)))). unfold bias in B.
      change (sum (map (fun x => sum (map (fun y => if inside (meant (fst (fst e))) x y then signed_weight (cell t) weights x y else 0) (indices columns))) (indices rows)))
        with (plain_bias (cell t) weights rows columns (meant (fst (fst e)))) in B.
      unfold Qle, Qmult, fraction, inject_Z in B. cbn [Qnum Qden] in B. rewrite Pos.mul_1_r, Z.mul_1_r in B. set (w := plain_bias _ _ _ _ _) in *.
      assert (Up : w * Zpos b <= a * Z.of_N (all_weight weights)) by (eapply Z.le_trans; [|exact B]; apply Z.mul_le_mono_nonneg_r; lia).
      assert (Down : (- w) * Zpos b <= a * Z.of_N (all_weight weights)) by (eapply Z.le_trans; [|exact B]; apply Z.mul_le_mono_nonneg_r; lia).
      pose proof (N2Z.is_nonneg (snd e)) as S. apply (Z.mul_le_mono_nonneg_r _ _ _ S) in Up, Down. unfold signed_share. destruct (snd (fst e)); lia. }
    unfold Qle. cbn [Qnum Qden]. assert (0 < Z.of_N (all_shares es) * Z.of_N (all_weight weights)) by nia. nia.
Qed.
