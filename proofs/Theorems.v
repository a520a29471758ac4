(** * The theorems

    Each is about the definitions of [Specification.v] alone. *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Checker Soundness AllAnswers NamedTables VcDimension VcMessages Extensionality Relations RelationChecker Factors FactorChecker Families FamilyChecker.
Open Scope N_scope.

Lemma holds_weaker f m s (strong weak : Q) : holds f m s strong ->
  match s with Lower => (weak <= strong)%Q | Upper => (strong <= weak)%Q end -> holds f m s weak.
Proof.
  unfold holds. destruct (sort_of m), s; intros H L.
  - intros q R. eapply Qle_trans; [exact L|]. now apply H.
  - destruct H as (q & R & K). exists q. split; [exact R|]. eapply Qle_trans; eauto.
  - destruct H as (q & R & K). exists q. split; [exact R|]. eapply Qle_trans; eauto.
  - intros q R. eapply Qle_trans; [|exact L]. now apply H.
Qed.

(** ** Certificates

    What the checker accepts is true of every protocol, cover, set of cells ..., whoever made the witness. *)
Theorem accepted_claims_hold : forall (t : table) (m : measure) (s : side) (claimed : Q) (w : witness),
  accepts t m s claimed w = true -> holds (cell t) m s claimed.
Proof.
  intros t m s claimed w H.
  assert (K : forall bound, as_good s claimed bound = true -> (forall v, bound = Some v -> holds (cell t) m s v) -> holds (cell t) m s claimed).
  { clear H. intros [v|] H K; [|discriminate]. apply (holds_weaker _ _ _ v); [now apply K|]. destruct s; now apply Qle_bool_iff. }
  assert (Whole : as_good s claimed (option_map fraction (proved_any t m s w)) = true -> holds (cell t) m s claimed).
  { intros G. apply (K _ G). intros v E. destruct (proved_any t m s w) as [u|] eqn:P; [|discriminate]. injection E as <-.
    exact (proved_any_holds w t m s u P). }
  destruct m; try exact (Whole H); try exact (K _ H (fun v E => fractional_holds t _ s w v E));
    [exact (discrepancy_shown_holds _ _ _ _ _ H)|exact (least_discrepancy_shown_holds _ _ _ _ H)|exact (success_shown_holds _ _ _ _ _ H)|
     exact (message_success_shown_holds _ _ _ _ _ _ H)].
Qed.

(** A named function has the table that is made of it. *)
Theorem named_tables_are_right : forall f n x y, cell (table_of_name f n) x y = named f n x y.
Proof. exact table_of_name_cell. Qed.

(** INDEX of every length has the VC dimension that the witness [all-patterns] claims. *)
Theorem index_vc_dimension : forall n, holds (named Index n) (VcDimension alice) Lower (fraction n).
Proof.
  intros n. unfold holds; simpl. destruct (index_shatters n) as (places & S & L). exists (fraction n). split; [|apply Qle_refl].
  exists places. split; [|exact S]. rewrite L. apply fraction_natural.
Qed.

Lemma index_randomised : forall n error v, vc_bits error n = Some v -> holds (named Index n) (OneWayRandomised alice error) Lower (fraction v).
Proof.
  intros n error v H q (bits & Hq & M). apply natural_fraction in Hq. subst q. apply fraction_le.
  destruct (index_shatters n) as (places & S & L). apply (vc_bits_bound (named Index n) error places n v bits H S); [lia|exact M].
Qed.

Theorem accepted_named_claims_hold : forall (f : name) (n : N) (m : measure) (s : side) (claimed : Q) (w : witness),
  accepts_named f n m s claimed w = true -> holds (named f n) m s claimed.
Proof.
  intros f n m s claimed w H.
  assert (P : accepts (table_of_name f n) m s claimed w = true -> holds (named f n) m s claimed).
  { intros A. apply (same_claims (cell (table_of_name f n))); [apply named_tables_are_right|]. now apply accepted_claims_hold with (w := w). }
  destruct w; try exact (P H).
  - simpl in H. destruct f; try discriminate H. destruct m; try discriminate H.
    destruct sender; try discriminate H. destruct s; [|discriminate H]. apply Qle_bool_iff in H.
    apply (holds_weaker _ _ _ (fraction n)); [apply index_vc_dimension|exact H].
  - destruct m0; try exact (P H). destruct sender; try exact (P H). destruct w; try exact (P H). cbn [accepts_named] in H.
    destruct f; try discriminate H. destruct m; try discriminate H. destruct sender; try discriminate H. destruct s; try discriminate H.
    destruct (vc_bits error n) as [v|] eqn:E; [|discriminate H]. apply Qle_bool_iff in H.
    apply (holds_weaker _ _ _ (fraction v)); [now apply index_randomised|exact H].
Qed.

(** Certificates about relations: what the checker accepts is true of every protocol that gives right answers. *)
Theorem accepted_claims_on_relations_hold : forall (t : table_of_sets) (m : relation_measure) (s : side) (claimed : Q) (w : relation_witness),
  accepts_relation t m s claimed w = true -> relation_holds (labels_at t) m s claimed.
Proof. exact accepted_relation. Qed.

(** Certificates about nonnegative, sign and approximate rank: what the checker accepts is true of factors over every ordered
    field, and so of real ones. *)
Theorem accepted_claims_on_factors_hold : forall (t : table) (m : factor_measure) (s : side) (claimed : Q) (w : factor_witness),
  accepts_factors t m s claimed w = true -> factors_hold (cell t) m s claimed.
Proof. exact accepted_factors. Qed.

(** ** Certificates for every length

    What the checker accepts is true at every n. *)
Theorem accepted_for_every_length : forall (F : family) (m : lasting) (s : side) (claimed : growth) (base : N) (w : certificate_witness),
  accepts_always F m s claimed base w = true -> always_holds F m s claimed.
Proof. exact accepted_always. Qed.
