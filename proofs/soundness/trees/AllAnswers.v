(** * Why bounds for each answer add up *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Trees Lines Submatrices Parts RectangleBits Checker Soundness.
Import ListNotations.
Open Scope N_scope.

Definition sum_of (l : list N) : N := fold_right N.add 0 l.

(** Each part proves its bound. *)
Definition proves (t : table) (m : measure) (s : side) (code value : N) : Prop :=
  exists one, part_of m s code = Some one /\ holds (cell t) one s (fraction value).

Lemma added_each t m s parts : forall v, added t m s parts = Some v ->
  part_of m s 0 <> None /\ exists values, Forall2 (proves t m s) (map fst parts) values /\ v = sum_of values.
Proof.
  induction parts as [|[code w] rest IH]; intros v H; simpl in H.
  - destruct (part_of m s 0); [|discriminate]. injection H as <-. split; [discriminate|]. exists []. split; [constructor|reflexivity].
  - destruct (part_of m s code) as [one|] eqn:P; [|discriminate]. destruct (added t m s rest) as [sum|]; [|discriminate].
    destruct (proved t one s w) as [u|] eqn:E; [|discriminate]. injection H as <-. destruct (IH sum eq_refl) as (S & values & F & ->).
    split; [exact S|]. exists (u :: values). split; [|apply N.add_comm]. constructor; [|exact F]. exists one. split; [exact P|]. eapply proved_holds; eauto.
Qed.

Lemma sum_below (size : N -> nat) codes values : Forall2 (fun code value => value <= N.of_nat (size code)) codes values ->
  sum_of values <= N.of_nat (fold_right Nat.add 0%nat (map size codes)).
Proof. induction 1; simpl; lia. Qed.

Lemma sum_above (size : N -> nat) codes values : Forall2 (fun code value => N.of_nat (size code) <= value) codes values ->
  N.of_nat (fold_right Nat.add 0%nat (map size codes)) <= sum_of values.
Proof. induction 1; simpl; lia. Qed.

Lemma forall2_weaken {S T} (P Q : S -> T -> Prop) l m : (forall a b, P a b -> Q a b) -> Forall2 P l m -> Forall2 Q l m.
Proof. intros H. induction 1; constructor; auto. Qed.

Lemma lower_at (f : function N N N) m n value : sort_of m = Least -> holds f m Lower (fraction value) ->
  reached f m (fraction (N.of_nat n)) -> value <= N.of_nat n.
Proof. unfold holds. intros -> H R. apply fraction_le. now apply H. Qed.

Lemma upper_at (f : function N N N) m n value : sort_of m = Largest -> holds f m Upper (fraction value) ->
  reached f m (fraction (N.of_nat n)) -> N.of_nat n <= value.
Proof. unfold holds. intros -> H R. apply fraction_le. now apply H. Qed.

(** From above: for each answer a list that is short enough. *)
Lemma lists_for {T} (good : N -> list T -> Prop) codes values :
  Forall2 (fun code value => exists l, good code l /\ N.of_nat (length l) <= value) codes values ->
  exists parts, map fst parts = codes /\ Forall (fun part => good (fst part) (snd part)) parts /\
    N.of_nat (fold_right Nat.add 0%nat (map (fun part => length (snd part)) parts)) <= sum_of values.
Proof.
  induction 1 as [|code value codes values (l & G & L) _ (parts & M & F & K)]; [exists []; simpl; split; [reflexivity|]; split; [constructor|lia]|].
  exists ((code, l) :: parts). simpl. split; [now rewrite M|]. split; [now constructor|lia].
Qed.

Lemma upper_of (f : function N N N) m value (good : nat -> Prop) : sort_of m = Least -> holds f m Upper (fraction value) ->
  (forall q, reached f m q -> exists n, natural q n /\ good n) -> exists n, good n /\ N.of_nat n <= value.
Proof.
  unfold holds. intros -> (q & R & L) H. destruct (H q R) as (n & E & G). exists n. split; [exact G|].
  apply natural_fraction in E. subst. now apply fraction_le.
Qed.

(** ** The leaves of a protocol divide all cells into rectangles of one answer each *)
Lemma leaf_inside p : forall A C e x y, In e (leaf_rectangles p A C) -> inside (snd e) x y = true ->
  A x = true /\ C y = true /\ run p x y = fst e.
Proof.
  induction p as [a|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; intros A C e x y He I; cbn [leaf_rectangles run] in *.
  - destruct He as [<-|[]]. apply andb_true_iff in I. cbn [fst snd] in *. tauto.
  - apply in_app_or in He. destruct He as [He|He]; [destruct (IH0 _ _ _ _ _ He I) as (K & Cy & <-)|destruct (IH1 _ _ _ _ _ He I) as (K & Cy & <-)];
      apply andb_true_iff in K; destruct K as [Ax S]; [apply negb_true_iff in S|]; rewrite S; auto.
  - apply in_app_or in He. destruct He as [He|He]; [destruct (IH0 _ _ _ _ _ He I) as (Ax & K & <-)|destruct (IH1 _ _ _ _ _ He I) as (Ax & K & <-)];
      apply andb_true_iff in K; destruct K as [Cy S]; [apply negb_true_iff in S|]; rewrite S; auto.
Qed.

Lemma leaf_reached p : forall A C x y, A x = true -> C y = true ->
  Exists (fun e => fst e = run p x y /\ inside (snd e) x y = true) (leaf_rectangles p A C).
Proof.
  induction p as [a|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; intros A C x y Ax Cy; cbn [leaf_rectangles run].
  - constructor. split; [reflexivity|]. unfold inside. cbn [fst snd]. now rewrite Ax, Cy.
  - apply Exists_app. destruct (s x) eqn:S; [right; apply IH1|left; apply IH0]; try exact Cy; now rewrite Ax, S.
  - apply Exists_app. destruct (s y) eqn:S; [right; apply IH1|left; apply IH0]; try exact Ax; now rewrite Cy, S.
Qed.

Lemma leaves_apart p : forall A C,
  ForallOrdPairs (fun r s => forall x y, ~ (inside (snd r) x y = true /\ inside (snd s) x y = true)) (leaf_rectangles p A C).
Proof.
  induction p as [a|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; intros A C; cbn [leaf_rectangles]; [repeat constructor| |];
    (apply FOP_app; [apply IH0|apply IH1|]); intros e d He Hd x y [Ie Id].
  - destruct (leaf_inside _ _ _ _ _ _ He Ie) as (K & _ & _), (leaf_inside _ _ _ _ _ _ Hd Id) as (L & _ & _).
    apply andb_true_iff in K, L. destruct (s x); simpl in *; destruct K, L; discriminate.
  - destruct (leaf_inside _ _ _ _ _ _ He Ie) as (_ & K & _), (leaf_inside _ _ _ _ _ _ Hd Id) as (_ & L & _).
    apply andb_true_iff in K, L. destruct (s y); simpl in *; destruct K, L; discriminate.
Qed.

Theorem leaves_divide (f : function N N N) count : leaves_suffice f Both count -> rectangles_partition f None count.
Proof.
  intros (p & Hp & L). cbn [leaf_of] in p. exists (leaf_rectangles p (fun _ => true) (fun _ => true)). split; [|now rewrite leaf_rectangles_length].
  split; [split|].
  - apply Forall_forall. intros e He x y b I E. destruct (leaf_inside _ _ _ _ _ _ He I) as (_ & _ & <-). symmetry. exact (Hp x y b E).
  - intros x y a E. rewrite <- (Hp x y a E). now apply leaf_reached.
  - pose proof (leaves_apart p (fun _ => true) (fun _ => true)) as D. induction D as [|e l H _ IH]; constructor; [|exact IH].
    eapply Forall_impl; [|exact H]. intros d K x y _. apply K.
Qed.

Section Claims.
Variable t : table.
Variable codes values : list N.
Hypothesis distinct : NoDup codes.
Hypothesis occurring : forall x y c, cell t x y = Some c -> In c codes.

(** The rectangles of each answer are enough for its cells ([part]), and all together are those of all answers. *)
Ltac lower_by_parts one part :=
  intros F; unfold holds; simpl; intros q (n & Hq & rs & C & L); apply natural_fraction in Hq; subst q; apply fraction_le;
  pose proof (filters_add (fun r : N * rectangle N N => fst r) codes distinct rs) as K;
  enough (sum_of values <= N.of_nat (fold_right Nat.add 0%nat (map (fun c => length (filter (fun a : N * rectangle N N => (fst a =? c)%N) rs)) codes))) by lia;
  apply (sum_below (fun c => length (filter (fun a : N * rectangle N N => fst a =? c) rs)));
  eapply forall2_weaken; [|exact F]; intros code value (m & [= <-] & H); apply (lower_at (cell t) (one (Some code))); [reflexivity|exact H|];
  exists (length (filter (fun a : N * rectangle N N => fst a =? code) rs)); split; [apply natural_nat|]; exists (with_answer rs code);
  split; [now apply part|]; now rewrite with_answer_length.

Lemma covers_lower : Forall2 (proves t (Cover None) Lower) codes values -> holds (cell t) (Cover None) Lower (fraction (sum_of values)).
Proof. lower_by_parts Cover covers_part. Qed.

Lemma partitions_lower : Forall2 (proves t (Partition None) Lower) codes values ->
  holds (cell t) (Partition None) Lower (fraction (sum_of values)).
Proof. lower_by_parts Partition partitions_part. Qed.

Lemma leaves_lower : Forall2 (proves t (Leaves Both) Lower) codes values -> holds (cell t) (Leaves Both) Lower (fraction (sum_of values)).
Proof.
  intros F. apply partitions_lower in F. unfold holds in *; simpl in *. intros q (n & Hq & S). apply F. exists n. split; [exact Hq|]. now apply leaves_divide.
Qed.

Lemma fooling_upper who : Forall2 (proves t (FoolingSet who None) Upper) codes values ->
  holds (cell t) (FoolingSet who None) Upper (fraction (sum_of values)).
Proof.
  intros F. unfold holds; simpl. intros q (cells & Hq & K). apply natural_fraction in Hq. subst q. apply fraction_le.
  assert (All : forall a, In a cells -> In (cell_code (cell t) a) codes).
  { intros a Ha. destruct K as [P _]. rewrite Forall_forall in P. specialize (P a Ha). simpl in P. unfold cell_code.
    destruct (cell t (fst a) (snd a)) eqn:E; [eapply occurring; eauto|congruence]. }
  pose proof (filters_all (cell_code (cell t)) codes cells All) as L.
  enough (N.of_nat (fold_right Nat.add 0%nat (map (fun c => length (filter (fun a => (cell_code (cell t) a =? c)%N) cells)) codes)) <= sum_of values) by lia.
  apply (sum_above (fun c => length (filter (fun a => cell_code (cell t) a =? c) cells))).
  eapply forall2_weaken; [|exact F]. intros code value (one & [= <-] & H). apply (upper_at (cell t) (FoolingSet who (Some code))); [reflexivity|exact H|].
  exists (filter (fun a => cell_code (cell t) a =? code) cells). split; [apply natural_nat|]. now apply fooling_part.
Qed.

Ltac upper_by_parts one some suffices together :=
  intros F; unfold holds; simpl; destruct (lists_for (fun code l => some (cell t) code l) codes values) as (parts & M & G & L);
  [eapply forall2_weaken; [|exact F]; intros code value (m & [= <-] & H);
   destruct (upper_of (cell t) (one (Some code)) value (fun n => suffices (cell t) (Some code) n) eq_refl H) as (n & (rs & C & K) & B);
   [intros q (n & Hq & R); eauto|exists rs; split; [exact C|lia]]|];
  exists (fraction (sum_of values)); split; [|apply Qle_refl]; exists (N.to_nat (sum_of values)); split; [apply fraction_natural|];
  exists (concat (map (fun part => labelled (fst part) (snd part)) parts)); rewrite together_length; split; [|lia];
  apply together; try exact G; now rewrite M.

Lemma covers_upper : Forall2 (proves t (Cover None) Upper) codes values -> holds (cell t) (Cover None) Upper (fraction (sum_of values)).
Proof. upper_by_parts Cover (@covers N N N) (@rectangles_cover N N N) covers_together. Qed.

Lemma partitions_upper : Forall2 (proves t (Partition None) Upper) codes values ->
  holds (cell t) (Partition None) Upper (fraction (sum_of values)).
Proof. upper_by_parts Partition (@partitions N N N) (@rectangles_partition N N N) partitions_together. Qed.

End Claims.

Theorem all_answers_hold t m s parts v : all_answers t m s parts = Some v -> holds (cell t) m s (fraction v).
Proof.
  unfold all_answers. intros H. destruct (complete t (map fst parts)) eqn:C; [|discriminate]. apply complete_spec in C. destruct C as [ND All].
  apply added_each in H. destruct H as (P & values & F & ->).
  destruct m, s; try match goal with code : option N |- _ => destruct code as [code|] end; try (now destruct P); try (destruct who; now destruct P).
  - destruct who; try (now destruct P). eapply leaves_lower; eauto.
  - eapply fooling_upper; eauto.
  - eapply covers_lower; eauto.
  - eapply covers_upper; eauto.
  - eapply partitions_lower; eauto.
  - eapply partitions_upper; eauto.
Qed.

Lemma proved_together_holds w : forall t m s v, proved_together t m s w = Some v -> holds (cell t) m s (fraction v).
Proof.
  induction w; intros t' m' s' v H; try (apply proved_holds with (1 := H)); [|now apply all_answers_hold with (1 := H)].
  destruct m'; try match goal with code : option N |- _ => destruct code end; try (apply proved_holds with (1 := H)); destruct s'; try (apply proved_holds with (1 := H));
    cbn [proved_together] in H; (destruct (submatrix rows columns t') as [p|] eqn:E; [|discriminate]); apply IHw in H;
    pose proof (submatrix_cell rows columns t' p E) as K; unfold holds in *; simpl in *; least_lower; apply fraction_le; apply H;
    exists n; (split; [apply natural_nat|]).
  - exact (part_needs_cover (cell t') (cell p) _ _ K None n Hn).
  - exact (part_needs_partition (cell t') (cell p) _ _ K None n Hn).
Qed.

Lemma proved_any_holds w t m s v : proved_any t m s w = Some v -> holds (cell t) m s (fraction v).
Proof.
  intros H. assert (K : proved_together t m s w = Some v \/
    (exists l, m = Deterministic Both l /\ s = Lower /\ exists u, v = bits_for u /\ holds (cell t) (Leaves Both) Lower (fraction u)) \/
    m = Nondeterministic None /\ exists u, v = bits_for u /\ holds (cell t) (Cover None) s (fraction u)).
  { destruct w; try (left; exact H). rename m0 into m', w into of. destruct m'; try (left; exact H).
    - destruct who; try (left; exact H). destruct of; try (left; exact H). destruct m; try (left; exact H). destruct who; try (left; exact H).
      destruct s; try (left; exact H). right. left. exists limit. split; [reflexivity|]. split; [reflexivity|]. cbn [proved_any] in H.
      destruct (all_answers t (Leaves Both) Lower parts) as [u|] eqn:P; [|discriminate]. injection H as <-.
      exists u. split; [reflexivity|]. now apply all_answers_hold with (1 := P).
    - destruct code; try (left; exact H). destruct m; try (left; exact H). destruct code; try (left; exact H). right. right. split; [reflexivity|].
      cbn [proved_any] in H. destruct (proved_together t (Cover None) s of) as [u|] eqn:P; [|discriminate]. injection H as <-.
      exists u. split; [reflexivity|]. now apply proved_together_holds with (1 := P). }
  destruct K as [K|[(l & -> & -> & u & -> & P)|(-> & u & -> & P)]]; [now apply proved_together_holds with (1 := K)| |].
  { unfold holds in *; simpl in *. least_lower. destruct Hn as (p & Hp & _ & D). apply bits_for_at_most, fraction_le, P. exists (2 ^ n)%nat.
    split; [apply natural_nat|]. exists p. split; [exact Hp|]. eapply Nat.le_trans; [apply leaves_depth|]. apply Nat.pow_le_mono_r; lia. }
  clear H. unfold holds in *; destruct s; simpl in *.
  - intros q (n & Hq & Hn). apply natural_fraction in Hq. subst q. apply fraction_le, bits_for_at_most, fraction_le. apply P. exists (2 ^ n)%nat.
    split; [apply natural_nat|exact Hn].
  - destruct P as (q & (n & Hq & Hn) & L). exists (fraction (bits_for u)). split; [|apply Qle_refl]. exists (N.to_nat (bits_for u)).
    split; [apply fraction_natural|]. apply natural_fraction in Hq. subst q. apply fraction_le in L.
    apply (cover_mono _ None n); [|exact Hn]. pose proof (bits_for_enough u). lia.
Qed.
