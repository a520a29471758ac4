(** * Rectangles of an answer that cover its cells, or divide them *)
From Coq Require Import List Arith Lia Bool NArith ZArith.
From Ccsim Require Import Specification Trees Span Lines Elimination Refutation RefutationSound NodesSound TreeWitnesses.
Import ListNotations.
Open Scope N_scope.

(** Rows and columns as masks. *)
Definition masks := (N * N)%type.
Definition meant (r : masks) : rectangle N N := (N.testbit (fst r), N.testbit (snd r)).

Definition own_rectangle (ks : list N) (rows : list line) (code : N) (r : masks) : bool :=
  forallb (fits ks code (snd r)) (pick (fst r) rows).

Definition through (rs : list masks) (x : N) : list N := map snd (filter (fun r => N.testbit (fst r) x) rs).

Definition line_covered (code : N) (rs : list masks) (l : line) : bool :=
  N.ldiff (plane code l) (fold_right N.lor 0 (through rs (fst l))) =? 0.

Fixpoint disjoint (m : N) (parts : list N) : bool :=
  match parts with
  | [] => true
  | p :: rest => if N.land m (N.land p (fold_right N.lor 0 rest)) =? 0 then disjoint m rest else false
  end.

Definition covering (t : table) (code : N) (rs : list masks) : option N :=
  if regular t then
    if forallb (own_rectangle (codes_of t) (row_lines t) code) rs then
      if forallb (line_covered code rs) (row_lines t) then Some (N.of_nat (length rs)) else None
    else None
  else None.

Definition dividing (t : table) (code : N) (rs : list masks) : option N :=
  if forallb (fun l => disjoint (plane code l) (through rs (fst l))) (row_lines t) then covering t code rs else None.

Lemma union_bit ms y : N.testbit (fold_right N.lor 0 ms) y = true <-> exists m, In m ms /\ N.testbit m y = true.
Proof.
  induction ms as [|m ms IH]; cbn [fold_right]; [rewrite N.bits_0; split; [discriminate|intros (m & [] & _)]|].
  rewrite N.lor_spec, orb_true_iff, IH. split.
  - intros [H|(k & Hk & B)]; [exists m|exists k]; (split; [|assumption]); [now left|now right].
  - intros (k & [<-|Hk] & B); [now left|right; now exists k].
Qed.

Lemma through_In rs x c : In c (through rs x) <-> exists r, In r rs /\ N.testbit (fst r) x = true /\ snd r = c.
Proof.
  unfold through. rewrite in_map_iff. split.
  - intros (r & E & H). apply filter_In in H. exists r. tauto.
  - intros (r & H & B & E). exists r. split; [exact E|]. apply filter_In. tauto.
Qed.

Lemma inside_meant r x y : inside (meant r) x y = true <-> N.testbit (fst r) x = true /\ N.testbit (snd r) y = true.
Proof. unfold inside, meant. simpl. apply andb_true_iff. Qed.

Lemma covering_covers t code rs v : covering t code rs = Some v ->
  covers (cell t) code (map meant rs) /\ v = N.of_nat (length rs).
Proof.
  unfold covering. intros H. destruct (regular t) eqn:R; [|discriminate]. destruct (forallb (own_rectangle _ _ _) rs) eqn:O; [|discriminate].
  destruct (forallb (line_covered _ _) _) eqn:L; [|discriminate]. injection H as <-. split; [|reflexivity].
  rewrite forallb_forall in O, L. pose proof (row_lines_good t) as G. rewrite Forall_forall in G. split.
  - apply Forall_map, Forall_forall. intros r Hr x y b I E. apply inside_meant in I. destruct I as [Ix Iy].
    destruct (picked (row_lines t) x (fst r) (row_lines_all t _ _ _ E) Ix) as (l & Hl & <-).
    specialize (O r Hr). unfold own_rectangle in O. rewrite forallb_forall in O.
    assert (Gl : good (cell t) l) by (apply pick_In in Hl; apply G, Hl).
    exact (fits_sound (codes_of t) (cell t) code (snd r) l y b Gl (codes_of_all _ _ _ _ E) (O l Hl) Iy E).
  - intros x y E. pose proof (row_lines_all t _ _ _ E) as Hx. apply in_map_iff in Hx. destruct Hx as (l & <- & Hl).
    specialize (L l Hl). apply N.eqb_eq in L. pose proof (ldiff_subset _ _ L y) as S. unfold bits in S.
    rewrite (G l Hl), E in S. simpl in S. specialize (S (N.eqb_refl _)). apply union_bit in S. destruct S as (m & Hm & B).
    apply through_In in Hm. destruct Hm as (r & Hr & Bx & <-). apply Exists_exists. exists (meant r).
    split; [now apply in_map|]. now apply inside_meant.
Qed.

Theorem covering_bound t code rs v : covering t code rs = Some v -> rectangles_cover (cell t) (Some code) (N.to_nat v).
Proof.
  intros H. destruct (covering_covers _ _ _ _ H) as [C ->]. exists (map meant rs). split; [exact C|]. rewrite map_length. lia.
Qed.

Lemma disjoint_pairs m rs x : disjoint m (through rs x) = true ->
  ForallOrdPairs (fun r s => forall y, N.testbit m y = true -> ~ (inside (meant r) x y = true /\ inside (meant s) x y = true)) rs.
Proof.
  induction rs as [|r rs IH]; intros H; [constructor|]. unfold through in H. simpl in H.
  destruct (N.testbit (fst r) x) eqn:B.
  - simpl in H. decide_if H. constructor; [|now apply IH]. apply Forall_forall. intros s Hs y My [Ir Is].
    apply inside_meant in Ir, Is. apply N.eqb_eq in E.
    assert (T : N.testbit (N.land m (N.land (snd r) (fold_right N.lor 0 (through rs x)))) y = true).
    { rewrite !N.land_spec, My. simpl. apply andb_true_iff. split; [tauto|]. apply union_bit. exists (snd s). split; [|tauto].
      apply through_In. exists s. tauto. }
    unfold through in T. rewrite E, N.bits_0 in T. discriminate.
  - constructor; [|now apply IH]. apply Forall_forall. intros s _ y _ [Ir _]. apply inside_meant in Ir. destruct Ir. congruence.
Qed.

Lemma pairs_of_all {S T} (P : T -> S -> S -> Prop) l : (forall x, ForallOrdPairs (P x) l) -> ForallOrdPairs (fun a b => forall x, P x a b) l.
Proof.
  induction l as [|a l IH]; intros H; [constructor|]. constructor.
  - apply Forall_forall. intros b Hb x. specialize (H x). inversion H as [|? ? F _]; subst. rewrite Forall_forall in F. now apply F.
  - apply IH. intros x. specialize (H x). now inversion H.
Qed.

Theorem dividing_bound t code rs v : dividing t code rs = Some v -> rectangles_partition (cell t) (Some code) (N.to_nat v).
Proof.
  unfold dividing. intros H. destruct (forallb _ (row_lines t)) eqn:D; [|discriminate].
  destruct (covering_covers _ _ _ _ H) as [C ->]. exists (map meant rs). split; [|rewrite map_length; lia]. split; [exact C|].
  rewrite forallb_forall in D. pose proof (row_lines_good t) as G. rewrite Forall_forall in G.
  assert (K : ForallOrdPairs (fun r s => forall x y, cell t x y = Some code -> ~ (inside (meant r) x y = true /\ inside (meant s) x y = true)) rs).
  { apply pairs_of_all. intros x. destruct (in_dec N.eq_dec x (map fst (row_lines t))) as [Hx|Hx].
    - apply in_map_iff in Hx. destruct Hx as (l & <- & Hl). pose proof (disjoint_pairs _ _ _ (D l Hl)) as P.
      clear -P G Hl. induction P as [|r rs H _ IH]; constructor; auto. eapply Forall_impl; [|exact H]. intros s Q y E. apply Q.
      rewrite (G l Hl), E. simpl. apply N.eqb_refl.
    - clear -Hx. induction rs as [|r rs IH]; constructor; auto. apply Forall_forall. intros s _ y E. exfalso. apply Hx. eapply row_lines_all; eauto. }
  clear -K. induction K as [|r rs H _ IH]; simpl; constructor; auto. now apply Forall_map.
Qed.

(** ** The rank of a part, modulo a prime, against rectangles that divide *)
Definition part_rank (t : table) (prime : Z) (code : N) (R C : N) : option N :=
  if regular t then
    if is_prime prime then
      if promised (codes_of t) (pick R (row_lines t)) C then
        Some (N.of_nat (length (rank_basis prime (map fst (pick C (column_lines t))) code (pick R (row_lines t)))))
      else None
    else None
  else None.

Section PartRank.
Variable t : table.
Variable prime : Z.
Variable code : N.

Lemma part_rank_spans R C v (vs : list (nat -> Z)) : part_rank t prime code R C = Some v ->
  (forall x, bits R x -> (forall y, bits C y -> rows_of (row_lines t) x -> cell t x y <> None) -> rows_of (row_lines t) x ->
     span prime vs (row (cell t) (map fst (pick C (column_lines t))) code x)) ->
  v <= N.of_nat (length vs).
Proof.
  unfold part_rank. intros H S. destruct (regular t) eqn:Rg; [|discriminate]. destruct (is_prime prime) eqn:P; [|discriminate].
  destruct (promised _ _ _) eqn:Pr; [|discriminate]. injection H as <-. apply is_prime_spec in P.
  pose proof (pick_good (cell t) R _ (row_lines_good t)) as G.
  pose proof (rank_basis_derived (cell t) prime (map fst (pick C (column_lines t))) code (rows_of (pick R (row_lines t)))
    (pick R (row_lines t)) P G (fun l Hl => in_map fst _ l Hl)) as (_ & E & D).
  enough (length (rank_basis prime (map fst (pick C (column_lines t))) code (pick R (row_lines t))) <= length vs)%nat by lia.
  apply (basis_length prime P); [exact E|]. apply D. intros x Hx. pose proof Hx as Hx'. apply pick_rows in Hx'. destruct Hx' as [Hx1 Hx2].
  apply S; auto. intros y Hy _. exact (promised_spec (cell t) (codes_of t) _ _ G Pr x y Hx Hy).
Qed.
End PartRank.

Lemma rank_of_terms t prime code R C v count : part_rank t prime code R C = Some v ->
  rank_at_most (cell t) prime code count -> v <= N.of_nat count.
Proof.
  intros H (terms & L & K). set (cols := map fst (pick C (column_lines t))).
  set (vs := map (fun (term : (N -> Z) * (N -> Z)) (i : nat) => match nth_error cols i with Some y => snd term y | None => 0%Z end) terms).
  enough (v <= N.of_nat (length vs)) by (unfold vs in *; rewrite map_length in *; lia).
  apply (part_rank_spans t prime code R C v vs H). intros x Hx Pr Hr.
  assert (Sp : forall ts, span prime (map (fun (term : (N -> Z) * (N -> Z)) (i : nat) => match nth_error cols i with Some y => snd term y | None => 0%Z end) ts)
                 (fun i => match nth_error cols i with Some y => sum_of_products ts x y | None => 0%Z end)).
  { induction ts as [|[u w] ts IH]; cbn [map spans].
    - intros i. destruct (nth_error cols i); apply Z.divide_0_r.
    - exists (u x). eapply span_eq; [|exact IH]. intros i. cbn [snd]. destruct (nth_error cols i); unfold sum_of_products; cbn [fold_right fst snd]; ring. }
  eapply span_ext; [|exact (Sp terms)]. intros i. unfold row. fold cols. destruct (nth_error cols i) as [y|] eqn:E; [|apply Z.divide_0_r].
  assert (Hy : bits C y).
  { apply nth_error_In in E. unfold cols in E. pose proof (pick_bits C (column_lines t)) as B. rewrite Forall_forall in B. now apply B. }
  destruct (K x y) as [K1 K2]. specialize (Pr y Hy Hr). destruct (cell t x y) as [a|]; [|congruence]. simpl.
  destruct (N.eqb_spec a code) as [->|Ne]; simpl.
  - now apply K1.
  - rewrite Z.sub_0_r. apply K2; congruence.
Qed.

(** Rectangles that divide the cells of an answer are products of a column and a row that add up to it. *)
Lemma division_rank (f : function N N N) prime code rs : partitions f code rs -> rank_at_most f prime code (length rs).
Proof.
  intros [[Own Cov] Dis].
  exists (map (fun r : rectangle N N => ((fun x => indicator (fst r x)), (fun y => indicator (snd r y)))) rs).
  split; [now rewrite map_length|]. intros x y.
  assert (Sum : forall l : list (rectangle N N), sum_of_products (map (fun r : rectangle N N => ((fun x => indicator (fst r x)), (fun y => indicator (snd r y)))) l) x y =
                Z.of_nat (length (filter (fun r => inside r x y) l))).
  { induction l as [|r l IH]; [reflexivity|]. unfold sum_of_products in *. simpl. rewrite IH. unfold inside, indicator.
    destruct (fst r x), (snd r y); cbn [andb length]; lia. }
  rewrite Sum. split; intros E.
  - enough (length (filter (fun r => inside r x y) rs) = 1%nat) as -> by (rewrite Z.sub_diag; apply Z.divide_0_r).
    specialize (Cov x y E). clear Own Sum. induction Dis as [|r l H _ IH]; [inversion Cov|]. simpl. destruct (inside r x y) eqn:I.
    + simpl. f_equal. replace (filter (fun s => inside s x y) l) with (@nil (rectangle N N)); [reflexivity|].
      symmetry. clear IH Cov. induction H as [|s l K _ IH]; [reflexivity|]. simpl. destruct (inside s x y) eqn:J; [|exact IH].
      exfalso. apply (K x y E). auto.
    + apply IH. inversion Cov; [congruence|assumption].
  - intros T. replace (filter (fun r => inside r x y) rs) with (@nil (rectangle N N)); [simpl; apply Z.divide_0_r|].
    symmetry. clear Sum Cov Dis. destruct (f x y) as [b|] eqn:F; [|congruence]. induction Own as [|r l H _ IH]; [reflexivity|]. simpl.
    destruct (inside r x y) eqn:I; [|exact IH]. exfalso. apply E. f_equal. exact (H x y b I F).
Qed.

Theorem part_rank_bounds_partitions t prime code R C v count : part_rank t prime code R C = Some v ->
  rectangles_partition (cell t) (Some code) count -> v <= N.of_nat count.
Proof.
  intros H (rs & P & L). pose proof (rank_of_terms t prime code R C v _ H (division_rank _ prime code rs P)). lia.
Qed.
