(** * Discrepancy from above by weights of lines: on no rectangle is there more of one answer, or of the other *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Lines Discrepancy DiscrepancyBits Diagonals.
Import ListNotations.
Open Scope Z_scope.

Definition weighed_lines := (Z * Z * list line_weight)%type. (* what 1 is in their units, what the matrix is multiplied by, lines *)

Definition below_by (value : N -> N -> Z) (rows columns : nat) (w : weighed_lines) : option Z :=
  match rectangles_below value rows columns (fst (fst w)) (snd (fst w)) (snd w) with
  | Some most => Some (most / (4 * fst (fst w)))
  | None => None
  end.

Definition most_by_lines (t : table) (weights : list (list N)) (above below : weighed_lines) : option Z :=
  let value := signed_weight (cell t) weights in
  match below_by value (length weights) (length (hd [] weights)) above,
        below_by (fun x y => - value x y) (length weights) (length (hd [] weights)) below with
  | Some most, Some least => Some (Z.max most least)
  | _, _ => None
  end.

Definition few_biased (t : table) (weights : list (list N)) (claimed : Q) (most : Z) : bool :=
  weights_fit t weights && (0 <? all_weight weights)%N && Qle_bool (inject_Z most) (claimed * fraction (all_weight weights)).

Definition bias_at_most_by (t : table) (weights : list (list N)) (claimed : Q) (above below : weighed_lines) : bool :=
  match most_by_lines t weights above below with Some most => few_biased t weights claimed most | None => false end.

Definition some_bias_at_most_by (t : table) (weights : list (list N)) (claimed : Q) (above below : weighed_lines) : bool :=
  regular t && bias_at_most_by t weights claimed above below.

Definition leaves_by_lines (t : table) (weights : list (list N)) (error : Q) (above below : weighed_lines) : option N :=
  match most_by_lines t weights above below with Some most => leaves_by_most t weights error most | None => None end.

Lemma below_by_bound value rows columns w most A C : below_by value rows columns w = Some most -> over rows columns A C value <= most.
Proof.
  destruct w as [[unit zoom] lines]. unfold below_by. cbn [fst snd].
  destruct (rectangles_below value rows columns unit zoom lines) as [whole|] eqn:B; [|discriminate]. intros [= <-].
  pose proof (rectangles_below_sound _ _ _ _ _ _ _ A C B) as S. rewrite Z.mul_assoc in S.
  assert (U : 0 < unit) by (unfold rectangles_below in B; destruct (Z.ltb_spec 0 unit); [assumption|discriminate]).
  exact (Z.div_le_lower_bound _ (4 * unit) _ ltac:(lia) S).
Qed.

Theorem most_by_lines_bound t weights above below most : most_by_lines t weights above below = Some most ->
  forall r, bias (cell t) weights (length weights) (length (hd [] weights)) r <= most.
Proof.
  unfold most_by_lines. destruct (below_by _ _ _ above) as [a|] eqn:Above; [|discriminate].
  destruct (below_by _ _ _ below) as [b|] eqn:Below; [|discriminate]. intros [= <-] r.
  apply (below_by_bound _ _ _ _ _ (fst r) (snd r)) in Above. apply (below_by_bound _ _ _ _ _ (fst r) (snd r)) in Below.
  rewrite over_opposite in Below. change (Z.abs (over (length weights) (length (hd [] weights)) (fst r) (snd r) (signed_weight (cell t) weights)) <= Z.max a b). lia.
Qed.

Lemma bias_at_most_by_all t weights claimed above below : bias_at_most_by t weights claimed above below = true ->
  weights_fit t weights = true /\ (0 < all_weight weights)%N /\
  forall r, (inject_Z (bias (cell t) weights (length weights) (length (hd [] weights)) r) <= claimed * fraction (all_weight weights))%Q.
Proof.
  unfold bias_at_most_by, few_biased. destruct (most_by_lines t weights above below) as [most|] eqn:M; [|discriminate].
  rewrite !andb_true_iff. intros [[F P] L]. apply N.ltb_lt in P. apply Qle_bool_iff in L. split; [exact F|]. split; [exact P|]. intros r.
  eapply Qle_trans; [|exact L]. rewrite <- Zle_Qle. eapply most_by_lines_bound; eauto.
Qed.

Theorem bias_at_most_by_holds t weights claimed above below : bias_at_most_by t weights claimed above below = true ->
  holds (cell t) (Discrepancy weights) Upper claimed.
Proof.
  intros H. apply bias_at_most_by_all in H. destruct H as (_ & P & B). unfold holds; simpl. intros q (_ & r & E).
  apply (Qmult_le_r _ _ _ (fraction_above _ P)). rewrite E. apply B.
Qed.

Theorem some_bias_at_most_by_holds t weights claimed above below : some_bias_at_most_by t weights claimed above below = true ->
  holds (cell t) LeastDiscrepancy Upper claimed.
Proof.
  unfold some_bias_at_most_by. intros H. apply andb_true_iff in H. destruct H as [R H]. apply bias_at_most_by_all in H. destruct H as (F & P & B).
  unfold holds; simpl. exists claimed. split; [|apply Qle_refl]. exists weights. split; [exact P|]. split; [now apply (weights_fit_regular t)|].
  split; [|exact B]. intros x y. now apply weights_on_answers.
Qed.

Theorem bits_by_lines_bound t weights error above below v bits : leaves_by_lines t weights error above below = Some v ->
  succeeds (cell t) N.eqb bits (1 - error) -> (v <= 2 ^ N.of_nat bits)%N.
Proof.
  unfold leaves_by_lines. destruct (most_by_lines t weights above below) as [most|] eqn:M; [|discriminate]. intros H.
  exact (leaves_by_most_bound t weights error most v bits (most_by_lines_bound _ _ _ _ _ M) H).
Qed.
