(** * The checker of certificates about nonnegative, sign and approximate rank, and why it is sound *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Lines Factors Fields Minors Products DifferentRows SignBounds SignPlane Submatrices Checker Soundness.
Import ListNotations.
Open Scope N_scope.

Inductive factor_witness :=
| DifferentRows (own : party) (kept : list (list Z)) (classes : list (option N))
| Factored (one other : Z) (rows columns : list (list Z)) (* vectors of integers, in these units *)
| Minor (prime : Z) (rows columns : list N)
| Support (of : witness) (* of the cover of the cells that are not 0 *)
| InAPlane
| ShatteredSigns (sender : party) (of : witness) (* of the VC dimension *)
| PartOfSigns (rows columns : list N) (of : factor_witness)
| SignsNear (of : factor_witness). (* of the sign rank *)

(** The bound that a witness proves. *)
Fixpoint factors_proved (t : table) (m : factor_measure) (s : side) (w : factor_witness) : option N :=
  match w, m, s with
  | DifferentRows own kept classes, _, Upper => different_rows t m own kept classes
  | Factored one other rows columns, _, Upper => by_factors t m one other rows columns
  | Minor prime rows columns, NonnegativeRank values, Lower => minor t values prime rows columns
  | Support of, NonnegativeRank values, Lower =>
      match support values t with Some cells => proved cells (Cover (Some 1)) Lower of | None => None end
  | InAPlane, SignRank label, Lower => plane_bound t label
  | ShatteredSigns sender of, SignRank label, Lower => if label <? 2 then proved t (VcDimension sender) Lower of else None
  | PartOfSigns rows columns of, SignRank _, Lower =>
      match submatrix rows columns t with Some part => factors_proved part m Lower of | None => None end
  | SignsNear of, ApproximateRank label error, Lower =>
      if Z.ltb (Qnum error) (Zpos (Qden error)) then factors_proved t (SignRank label) Lower of else None
  | _, _, _ => None
  end.

Definition accepts_factors (t : table) (m : factor_measure) (s : side) (claimed : Q) (w : factor_witness) : bool :=
  as_good s claimed (option_map fraction (factors_proved t m s w)).

Lemma factors_bounded w : forall t m s v, factors_proved t m s w = Some v -> forall F,
  match s with
  | Lower => forall n, factors_suffice F (cell t) m n -> v <= N.of_nat n
  | Upper => factors_suffice F (cell t) m (N.to_nat v)
  end.
Proof.
  induction w as [own kept classes|one other rows columns|prime rows columns|of| |sender of|rows columns of IH|of IH]; intros t m s v H F; destruct m as [values|label|label error], s; try discriminate H; cbn [factors_proved] in H; intros;
    try exact (different_rows_bound t _ _ _ _ v H F); try exact (by_factors_bound t _ _ _ _ _ v H F).
  - eapply minor_bound; eauto.
  - destruct (support values t) as [cells|] eqn:E; [|discriminate]. apply proved_holds in H. apply fraction_le, H. exists n.
    split; [unfold natural, fraction; now rewrite nat_N_Z|]. exact (factors_cover F values t cells n E H0).
  - eapply plane_bound_sound; eauto.
  - destruct (N.ltb_spec label 2); [|discriminate]. apply proved_holds in H. destruct H as (q & (places & Hq & S) & L).
    apply natural_fraction in Hq. subst q. apply fraction_le in L.
    pose proof (shattered_signs F _ label places n ltac:(lia) S (sign_rank_turned F sender _ _ _ H0)). lia.
  - destruct (submatrix rows columns t) as [part|] eqn:P; [|discriminate]. apply (IH _ _ _ _ H F).
    exact (part_sign_rank F _ _ _ _ label n (submatrix_cell rows columns t part P) H0).
  - destruct (Z.ltb_spec (Qnum error) (Zpos (Qden error))) as [L|]; [|discriminate]. apply (IH _ _ _ _ H F). exact (near_signs F _ label error n L H0).
Qed.

Lemma accepted_factors t m s claimed w : accepts_factors t m s claimed w = true -> factors_hold (cell t) m s claimed.
Proof.
  unfold accepts_factors. destruct (factors_proved t m s w) as [v|] eqn:P; [|discriminate]. intros H F. pose proof (factors_bounded w t m s v P F) as B.
  assert (E : forall n, inject_Z (Z.of_nat n) = fraction (N.of_nat n)) by (intros n; unfold fraction; now rewrite nat_N_Z).
  destruct s; apply Qle_bool_iff in H.
  - intros n Hn. rewrite E. eapply Qle_trans; [exact H|]. now apply fraction_le, B.
  - exists (N.to_nat v). split; [exact B|]. rewrite E, N2Nat.id. exact H.
Qed.
