(** * Covers by chains of sets of rectangles: lines with few cells of another answer *)
From Coq Require Import FinFun List Arith Lia Bool NArith ZArith.
From Ccsim Require Import Specification Lines Refutation RefutationSound NodesSound OneMessage FoolingClauses Chains.
Import ListNotations.
Open Scope N_scope.

(** ** How many chains pass through a set of a size, and through two *)
Section Sizes.
Variable k : nat.

Definition size_of (A : N) : nat := length (filter (N.testbit A) (indices k)).
Definition gap (A S : N) : nat := length (filter (N.testbit S) (left_of k A)).

Lemma indices_distinct : NoDup (indices k).
Proof. apply Injective_map_NoDup; [exact Nat2N.inj|apply seq_NoDup]. Qed.

Lemma left_and_size A : (length (left_of k A) + size_of A = k)%nat.
Proof.
  unfold left_of, size_of. replace k with (length (indices k)) at 3 by (unfold indices; now rewrite map_length, seq_length).
  generalize (indices k) as l. induction l as [|i l IH]; simpl; [reflexivity|]. destruct (N.testbit A i); simpl; lia.
Qed.

Lemma gap_sizes A S : inside_of A S = true -> (size_of A + gap A S = size_of S)%nat.
Proof.
  rewrite inside_spec. intros H. unfold gap, left_of, size_of. generalize (indices k) as l.
  induction l as [|i l IH]; simpl; [reflexivity|]. destruct (N.testbit A i) eqn:E; simpl.
  - rewrite (H i E). simpl. lia.
  - destruct (N.testbit S i); simpl; lia.
Qed.

Lemma size_next A i : In i (left_of k A) -> size_of (N.setbit A i) = S (size_of A).
Proof. intros H. pose proof (left_next k A i H). pose proof (left_and_size A). pose proof (left_and_size (N.setbit A i)). lia. Qed.

Lemma sum_if {T} (p : T -> bool) c l : sum_over l (fun i => if p i then c else 0) = N.of_nat (length (filter p l)) * c.
Proof.
  induction l as [|i l IH]; [reflexivity|]. change (sum_over (i :: l) (fun i => if p i then c else 0)) with ((if p i then c else 0) + sum_over l (fun i => if p i then c else 0)).
  rewrite IH. simpl filter. destruct (p i); cbn [length]; lia.
Qed.

Lemma through_value S value : bounded k S -> forall n A, n = length (left_of k A) -> inside_of A S = true ->
  through k S value n A = factorial (gap A S) * value (n - gap A S)%nat S.
Proof.
  intros B. induction n as [|n IH]; intros A L I; destruct (N.eq_dec A S) as [->|Ne].
  - rewrite through_there. assert (G : gap S S = 0%nat) by (pose proof (gap_sizes S S I); lia). rewrite G. cbn [Nat.sub factorial]. lia.
  - exfalso. apply Ne, inside_both; [exact I|]. apply inside_spec. intros i Hi. destruct (N.testbit A i) eqn:E; [reflexivity|].
    assert (K : In i (left_of k A)) by (apply filter_In; rewrite E; split; [now apply B|reflexivity]). destruct (left_of k A); [elim K|discriminate].
  - rewrite through_there. assert (G : gap S S = 0%nat) by (pose proof (gap_sizes S S I); lia). rewrite G. simpl factorial. rewrite Nat.sub_0_r. lia.
  - rewrite through_next by exact Ne.
    rewrite (sum_ext _ _ (fun i => if N.testbit S i then factorial (gap A S - 1) * value (Datatypes.S n - gap A S)%nat S else 0)).
    + rewrite sum_if. fold (gap A S). destruct (gap A S) as [|g] eqn:G.
      * exfalso. apply Ne, inside_both; [exact I|]. apply inside_spec. intros i Hi. destruct (N.testbit A i) eqn:E; [reflexivity|].
        assert (K : In i (filter (N.testbit S) (left_of k A))).
        { apply filter_In. split; [|exact Hi]. apply filter_In. rewrite E. split; [now apply B|reflexivity]. }
        unfold gap in G. destruct (filter (N.testbit S) (left_of k A)); [elim K|discriminate].
      * replace (Datatypes.S g - 1)%nat with g by lia. cbn [factorial]. lia.
    + intros i Hi. destruct (N.testbit S i) eqn:E.
      * assert (I' : inside_of (N.setbit A i) S = true).
        { apply inside_spec. intros j Hj. apply N.setbit_iff in Hj. destruct Hj as [<-|Hj]; [exact E|]. rewrite inside_spec in I. now apply I. }
        pose proof (gap_sizes _ _ I) as G1. pose proof (gap_sizes _ _ I') as G2. pose proof (size_next A i Hi). pose proof (left_next k A i Hi).
        rewrite IH by (auto; lia). replace (gap (N.setbit A i) S) with (gap A S - 1)%nat by lia. f_equal. f_equal. lia.
      * apply through_none. apply not_true_is_false. intros K. rewrite inside_spec in K. rewrite (K i) in E; [discriminate|]. apply N.setbit_iff. now left.
Qed.

Definition chains_of (s : nat) : N := factorial s * factorial (k - s).
Definition chains_of_both (s b : nat) : N := factorial s * (factorial (b - s) * factorial (k - b)).

Lemma left_of_nothing : length (left_of k 0) = k.
Proof. pose proof (left_and_size 0). assert (size_of 0 = 0%nat); [|lia]. unfold size_of. generalize (indices k) as l. induction l as [|i l IH]; [reflexivity|exact IH]. Qed.

Lemma nothing_inside S : inside_of 0 S = true.
Proof. reflexivity. Qed.

Lemma passing_value S : bounded k S -> passing k S k 0 = chains_of (size_of S).
Proof.
  intros B. unfold passing. rewrite through_value; [|exact B|now rewrite left_of_nothing|apply nothing_inside].
  pose proof (gap_sizes 0 S (nothing_inside S)) as G. pose proof (left_and_size 0). rewrite left_of_nothing in *.
  unfold chains_of, all_chains. replace (gap 0 S) with (size_of S) by lia. reflexivity.
Qed.

Lemma passing_both_value S B : bounded k S -> bounded k B -> inside_of S B = true ->
  passing_both k S B k 0 = chains_of_both (size_of S) (size_of B).
Proof.
  intros BS BB I. unfold passing_both. rewrite through_value; [|exact BS|now rewrite left_of_nothing|apply nothing_inside].
  pose proof (gap_sizes 0 S (nothing_inside S)) as G. pose proof (left_and_size 0) as L0. rewrite left_of_nothing in *.
  pose proof (left_and_size S) as LS. pose proof (gap_sizes S B I) as GB. pose proof (left_and_size B) as LB.
  unfold chains_of_both. replace (gap 0 S) with (size_of S) by lia. f_equal. unfold passing.
  rewrite through_value; [|exact BB|lia|exact I]. unfold all_chains. replace (gap S B) with (size_of B - size_of S)%nat by lia. f_equal. f_equal. lia.
Qed.
End Sizes.

(** ** What a column counts at least: its set and those of rows inside, of any sizes that they may have *)
Definition units : N := 720720.

Definition minimum (default : Z) (l : list Z) : Z := match l with [] => default | x :: rest => fold_left Z.min rest x end.

Lemma minimum_le default l x : In x l -> (minimum default l <= x)%Z.
Proof.
  assert (K : forall rest y, (fold_left Z.min rest y <= y)%Z /\ forall z, In z rest -> (fold_left Z.min rest y <= z)%Z).
  { induction rest as [|a rest IH]; intros y; simpl; [split; [lia|tauto]|]. destruct (IH (Z.min y a)) as [A B]. split; [lia|].
    intros z [<-|Hz]; [lia|now apply B]. }
  destruct l as [|a rest]; intros H; [elim H|]. simpl. destruct (K rest a) as [A B]. destruct H as [<-|H]; [exact A|now apply B].
Qed.

Section Columns.
Variable k : nat.

Definition share (s : nat) (degree : N) : Z := Z.of_N (units * chains_of k s / degree).
Definition left_share (s b : nat) (degree : N) : Z := (share s degree - Z.of_N (units * chains_of_both k s b))%Z.

Definition sizes_below (alone : bool) (b : nat) : list nat := seq 1 (if alone then b else b - 1).

Definition of_sizes (degrees : list N) (alone : bool) (b : nat) : Z :=
  let sizes := sizes_below alone b in
  let least := sum (map (fun d => minimum 0 (map (fun s => share s d) sizes)) degrees) in
  let rest := sum (map (fun d => minimum 0 (map (fun s => left_share s b d) sizes)) degrees) in
  Z.max least (rest + Z.of_N (units * chains_of k b)).

Definition of_column (degrees : list N) : Z :=
  let alone := match degrees with [d] => d =? 1 | _ => false end in
  minimum (Z.of_N (units * factorial k) + 1) (map (of_sizes degrees alone) (if alone then seq 1 (k - 1) else seq 2 (k - 2))).
End Columns.

(** ** The checker *)
Section Check.
Variable ks : list N.
Variable code : N.

Definition other_at (l m : line) : bool := N.testbit (others ks code l) (fst m).

(** Neither of two lines' sets is part of the other's. *)
Definition never_nest (l m : line) : bool :=
  if N.land (plane code l) (others ks code m) =? 0 then false else negb (N.land (plane code m) (others ks code l) =? 0).

Fixpoint none_nest (L : list line) : bool :=
  match L with [] => true | l :: rest => if forallb (never_nest l) rest then none_nest rest else false end.

Definition degrees_of (L K : list line) (m : line) : list N :=
  map (fun l => N.of_nat (length (filter (other_at l) K))) (filter (fun l => other_at l m) L).

Definition chains_needed (k : nat) (L K : list line) : bool :=
  (Z.of_N (units * factorial k) <? sum (map (fun m => of_column k (degrees_of L K m)) K))%Z.
End Check.

Definition no_cover_by_chains (t : table) (code budget : N) (R C : N) : option N :=
  let ks := codes_of t in
  let L := pick R (row_lines t) in
  let K := pick C (column_lines t) in
  if regular t && (budget <=? 64) then
    match L, K with
    | _ :: _ :: _, _ :: _ :: _ =>
        if none_nest ks code L && none_nest ks code K && promised ks L C && forallb (fun m => existsb (fun l => other_at ks code l m) L) K then
          if chains_needed ks code (N.to_nat budget) L K then Some (budget + 1) else None
        else None
    | _, _ => None
    end
  else None.

(** ** Why: the sets of rectangles that have a row, or lack a column *)
Lemma sum_of_naturals {T} (g : T -> N) l : Z.of_N (sum_over l g) = sum (map (fun x => Z.of_N (g x)) l).
Proof. induction l as [|x l IH]; [reflexivity|]. change (sum_over (x :: l) g) with (g x + sum_over l g). rewrite N2Z.inj_add, IH. reflexivity. Qed.

Lemma sum_map_le {T} (g h : T -> Z) l : (forall x, In x l -> (g x <= h x)%Z) -> (sum (map g l) <= sum (map h l))%Z.
Proof.
  induction l as [|x l IH]; simpl; intros H; [lia|]. pose proof (H x (or_introl eq_refl)). specialize (IH (fun y Hy => H y (or_intror Hy))). lia.
Qed.

Lemma sum_map_add {T} (g h : T -> Z) l : sum (map (fun x => g x + h x)%Z l) = (sum (map g l) + sum (map h l))%Z.
Proof. induction l as [|x l IH]; simpl; [reflexivity|]. rewrite IH. lia. Qed.

Lemma sum_filter {T} (p : T -> bool) g l : sum_over l (fun x => if p x then g x else 0) = sum_over (filter p l) g.
Proof.
  induction l as [|x l IH]; [reflexivity|]. change (sum_over (x :: l) (fun x => if p x then g x else 0)) with ((if p x then g x else 0) + sum_over l (fun x => if p x then g x else 0)).
  rewrite IH. simpl. destruct (p x); [reflexivity|lia].
Qed.

Lemma only_one {T} (l : list T) x : NoDup l -> In x l -> (forall y, In y l -> y = x) -> l = [x].
Proof.
  intros D Hx A. destruct l as [|a [|b l]]; [elim Hx|now rewrite (A a (or_introl eq_refl))|]. exfalso. inversion D as [|? ? N _]; subst.
  apply N. rewrite (A a), (A b) by (simpl; auto). now left.
Qed.

Section Sizes2.
Variable k : nat.

Lemma size_none A X : bounded k A -> size_of k A = 0%nat -> inside_of A X = true.
Proof.
  intros B E. apply inside_spec. intros i Hi. exfalso. assert (K : In i (filter (N.testbit A) (indices k))) by (apply filter_In; auto).
  unfold size_of in E. destruct (filter (N.testbit A) (indices k)); [elim K|discriminate].
Qed.

Lemma size_all A X : bounded k X -> size_of k A = k -> inside_of X A = true.
Proof.
  intros B E. apply inside_spec. intros i Hi. destruct (N.testbit A i) eqn:T; [reflexivity|]. exfalso. pose proof (left_and_size k A).
  assert (K : In i (left_of k A)) by (apply filter_In; rewrite T; auto). destruct (left_of k A); [elim K|simpl in *; lia].
Qed.

Lemma size_le A : (size_of k A <= k)%nat.
Proof. pose proof (left_and_size k A). lia. Qed.

Lemma same_size A S : bounded k S -> inside_of A S = true -> size_of k A = size_of k S -> A = S.
Proof.
  intros B I E. apply inside_both; [exact I|]. apply inside_spec. intros i Hi. destruct (N.testbit A i) eqn:T; [reflexivity|]. exfalso.
  pose proof (gap_sizes k A S I). assert (K : In i (filter (N.testbit S) (left_of k A))).
  { apply filter_In. split; [|exact Hi]. apply filter_In. rewrite T. auto. }
  assert (G : gap k A S = 0%nat) by lia. unfold gap in G. destruct (filter (N.testbit S) (left_of k A)); [elim K|discriminate].
Qed.
End Sizes2.

Lemma nest_pairs ks code L : none_nest ks code L = true -> ForallOrdPairs (fun l m => never_nest ks code l m = true) L.
Proof.
  induction L as [|l L IH]; simpl; intros H; [constructor|]. destruct (forallb _ L) eqn:F; [|discriminate].
  constructor; [now apply Forall_forall, forallb_forall|now apply IH].
Qed.

Lemma line_dec (l m : line) : {l = m} + {l <> m}.
Proof. repeat decide equality. Qed.

Section NoNest.
Variable g : N -> N -> option N.
Variable ks : list N.
Variable code : N.
Variable L : list line.
Hypothesis L_good : Forall (good g) L.
Hypothesis L_none : none_nest ks code L = true.

Lemma meets l m : In l L -> In m L -> N.land (plane code l) (others ks code m) =? 0 = false ->
  exists y b, g (fst l) y = Some code /\ g (fst m) y = Some b /\ b <> code.
Proof.
  intros Hl Hm H. apply N.eqb_neq in H. destruct (bit_of _ H) as [y Hy]. rewrite N.land_spec in Hy. apply andb_true_iff in Hy. destruct Hy as [P O].
  rewrite Forall_forall in L_good. rewrite (L_good l Hl) in P. apply is_code_spec in P.
  destruct (others_spec g ks code m y (L_good m Hm) O) as (b & E & Ne). exists y, b. auto.
Qed.

Lemma crossing_lines l m : In l L -> In m L -> l <> m -> exists y b, g (fst l) y = Some code /\ g (fst m) y = Some b /\ b <> code.
Proof.
  intros Hl Hm Ne. destruct (pairs_In _ L (nest_pairs ks code L L_none) l m Hl Hm) as [E|[H|H]]; [contradiction| |]; unfold never_nest in H.
  - destruct (N.land (plane code l) (others ks code m) =? 0) eqn:E; [discriminate|]. now apply meets.
  - destruct (N.land (plane code m) (others ks code l) =? 0); [discriminate|]. apply meets; auto. now apply negb_true_iff.
Qed.

Lemma lines_distinct : NoDup L.
Proof.
  pose proof (nest_pairs ks code L L_none) as P. clear L_none. induction P as [|l L F P IH]; constructor.
  - intros H. rewrite Forall_forall in F. specialize (F l H). unfold never_nest in F.
    destruct (N.land (plane code l) (others ks code l) =? 0) eqn:E; [discriminate|]. apply N.eqb_neq in E. destruct (bit_of _ E) as [y Hy].
    rewrite N.land_spec in Hy. apply andb_true_iff in Hy. destruct Hy as [A B]. inversion L_good as [|? ? G _]; subst.
    rewrite G in A. apply is_code_spec in A. destruct (others_spec g ks code l y G B) as (b & E' & Ne). congruence.
  - apply IH. now inversion L_good.
Qed.
End NoNest.

Lemma another_one {T} (l : list T) x : NoDup l -> (2 <= length l)%nat -> In x l -> exists y, In y l /\ y <> x.
Proof.
  intros D H I. destruct l as [|a [|b l]]; simpl in H; [lia|lia|]. inversion D as [|? ? N _]; subst. destruct I as [->|I].
  - exists b. split; [simpl; auto|]. intros ->. apply N. now left.
  - exists a. split; [now left|]. intros ->. contradiction.
Qed.

Section Sound.
Variable f : N -> N -> option N.
Variable ks : list N.
Hypothesis ks_all : forall x y c, f x y = Some c -> In c ks.
Variable code : N.
Variables L K : list line.
Hypothesis L_good : Forall (good f) L.
Hypothesis K_good : Forall (good (flip f)) K.
Hypothesis L_none : none_nest ks code L = true.
Hypothesis K_none : none_nest ks code K = true.
Hypothesis L_two : (2 <= length L)%nat.
Hypothesis K_two : (2 <= length K)%nat.
Hypothesis no_free : forall l m, In l L -> In m K -> f (fst l) (fst m) <> None.
Hypothesis crossed : forall m, In m K -> exists l, In l L /\ other_at ks code l m = true.
Variable rs : list (rectangle N N).
Hypothesis cover : covers f code rs.
Let k := length rs.

Definition has (l : line) : N := mask_of 0 (map (fun r : rectangle N N => if fst r (fst l) then Some 0 else None) rs).
Definition lacks (m : line) : N := mask_of 0 (map (fun r : rectangle N N => if snd r (fst m) then None else Some 0) rs).

Lemma has_bit l i : N.testbit (has l) i = true <-> exists r, nth_error rs (N.to_nat i) = Some r /\ fst r (fst l) = true.
Proof.
  unfold has. rewrite mask_of_spec, nth_error_map. destruct (nth_error rs (N.to_nat i)) as [r|]; simpl.
  - destruct (fst r (fst l)) eqn:E; simpl; split; intros H; [eauto|reflexivity|discriminate|]. destruct H as (r' & [= <-] & H). congruence.
  - split; [discriminate|]. intros (r & H & _). discriminate.
Qed.

Lemma lacks_bit m i : N.testbit (lacks m) i = true <-> exists r, nth_error rs (N.to_nat i) = Some r /\ snd r (fst m) = false.
Proof.
  unfold lacks. rewrite mask_of_spec, nth_error_map. destruct (nth_error rs (N.to_nat i)) as [r|]; simpl.
  - destruct (snd r (fst m)) eqn:E; simpl; split; intros H; [discriminate| |eauto|reflexivity]. destruct H as (r' & [= <-] & H). congruence.
  - split; [discriminate|]. intros (r & H & _). discriminate.
Qed.

Lemma index_there i r : nth_error rs (N.to_nat i) = Some r -> In i (indices k).
Proof.
  intros H. unfold indices. apply in_map_iff. exists (N.to_nat i). split; [lia|]. apply in_seq.
  assert (nth_error rs (N.to_nat i) <> None) as B by congruence. apply nth_error_Some in B. unfold k. lia.
Qed.

Lemma has_bounded l : bounded k (has l).
Proof. intros i H. apply has_bit in H. destruct H as (r & H & _). eapply index_there; eauto. Qed.

Lemma lacks_bounded m : bounded k (lacks m).
Proof. intros i H. apply lacks_bit in H. destruct H as (r & H & _). eapply index_there; eauto. Qed.

Lemma covered_by x y : f x y = Some code -> exists i r, nth_error rs (N.to_nat i) = Some r /\ fst r x = true /\ snd r y = true.
Proof.
  intros E. destruct cover as [_ Cov]. specialize (Cov x y E). apply Exists_exists in Cov. destruct Cov as (r & Hr & I).
  apply In_nth_error in Hr. destruct Hr as [n Hn]. exists (N.of_nat n), r. rewrite Nat2N.id. split; [exact Hn|]. now apply andb_true_iff in I.
Qed.

Lemma not_both i r x y b : nth_error rs (N.to_nat i) = Some r -> f x y = Some b -> b <> code -> fst r x = true -> snd r y = true -> False.
Proof.
  intros H E Ne X Y. destruct cover as [Own _]. rewrite Forall_forall in Own. apply Ne. apply (Own r (nth_error_In _ _ H) x y b); [|exact E].
  unfold inside. now rewrite X, Y.
Qed.

Lemma sets_nested l m : In l L -> In m K -> other_at ks code l m = inside_of (has l) (lacks m).
Proof.
  intros Hl Hm. pose proof L_good as G. rewrite Forall_forall in G. specialize (G l Hl). unfold other_at. destruct (N.testbit (others ks code l) (fst m)) eqn:O; symmetry.
  - destruct (others_spec f ks code l _ G O) as (b & E & Ne). apply inside_spec. intros i Hi. apply has_bit in Hi. destruct Hi as (r & H & X).
    apply lacks_bit. exists r. split; [exact H|]. destruct (snd r (fst m)) eqn:Y; [|reflexivity]. destruct (not_both i r _ _ b H E Ne X Y).
  - apply not_true_is_false. intros I. pose proof (no_free l m Hl Hm) as F. destruct (f (fst l) (fst m)) as [b|] eqn:E; [|congruence].
    destruct (N.eq_dec b code) as [->|Ne].
    + destruct (covered_by _ _ E) as (i & r & H & X & Y). rewrite inside_spec in I. assert (T : N.testbit (has l) i = true) by (apply has_bit; eauto).
      apply I, lacks_bit in T. destruct T as (r' & H' & Y'). congruence.
    + rewrite (others_complete f ks ks_all code l (fst m) b G E Ne) in O. discriminate.
Qed.

Lemma rows_apart l l' : In l L -> In l' L -> inside_of (has l) (has l') = true -> l = l'.
Proof.
  intros Hl Hl' I. destruct (line_dec l l') as [E|Ne]; [exact E|exfalso].
  destruct (crossing_lines f ks code L L_good L_none l l' Hl Hl' Ne) as (y & b & E & E' & Nb).
  destruct (covered_by _ _ E) as (i & r & H & X & Y). rewrite inside_spec in I. assert (T : N.testbit (has l) i = true) by (apply has_bit; eauto).
  apply I, has_bit in T. destruct T as (r' & H' & X'). assert (r' = r) by congruence. subst r'. exact (not_both i r _ _ b H E' Nb X' Y).
Qed.

Lemma columns_apart m m' : In m K -> In m' K -> inside_of (lacks m) (lacks m') = true -> m = m'.
Proof.
  intros Hm Hm' I. destruct (line_dec m m') as [E|Ne]; [exact E|exfalso].
  destruct (crossing_lines (flip f) ks code K K_good K_none m' m Hm' Hm ltac:(congruence)) as (x & b & E & E' & Nb). unfold flip in E, E'.
  destruct (covered_by _ _ E) as (i & r & H & X & Y). assert (T : N.testbit (lacks m) i = true).
  { apply lacks_bit. exists r. split; [exact H|]. destruct (snd r (fst m)) eqn:Y'; [|reflexivity]. destruct (not_both i r _ _ b H E' Nb X Y'). }
  rewrite inside_spec in I. apply I, lacks_bit in T. destruct T as (r' & H' & Y'). congruence.
Qed.

Let L_distinct := lines_distinct f ks code L L_good L_none.
Let K_distinct := lines_distinct (flip f) ks code K K_good K_none.

(** ** Sizes that sets may have *)
Let s (l : line) : nat := size_of k (has l).
Let b (m : line) : nat := size_of k (lacks m).
Let inner (m : line) : list line := filter (fun l => other_at ks code l m) L.
Let degree (l : line) : N := N.of_nat (length (filter (other_at ks code l) K)).

Lemma row_size l : In l L -> (1 <= s l)%nat.
Proof.
  intros Hl. destruct (another_one L l L_distinct L_two Hl) as (l' & Hl' & Ne). unfold s. destruct (size_of k (has l)) eqn:E; [exfalso|lia].
  apply Ne. symmetry. apply rows_apart; auto. apply (size_none k); [apply has_bounded|exact E].
Qed.

Lemma column_size m : In m K -> (b m < k)%nat.
Proof.
  intros Hm. destruct (another_one K m K_distinct K_two Hm) as (m' & Hm' & Ne). pose proof (size_le k (lacks m)) as Le. unfold b.
  destruct (Nat.eq_dec (size_of k (lacks m)) k) as [E|]; [exfalso|lia]. apply Ne, columns_apart; auto. apply (size_all k); [apply lacks_bounded|exact E].
Qed.

Lemma inner_spec l m : In m K -> In l (inner m) -> In l L /\ inside_of (has l) (lacks m) = true.
Proof. intros Hm H. apply filter_In in H. destruct H as [Hl O]. split; [exact Hl|]. now rewrite <- sets_nested. Qed.

Lemma size_inner l m : In m K -> In l (inner m) -> (s l <= b m)%nat.
Proof. intros Hm H. destruct (inner_spec l m Hm H) as [_ I]. pose proof (gap_sizes k _ _ I). unfold s, b. lia. Qed.

Lemma alone_sizes l m : In m K -> In l (inner m) -> s l = b m -> map degree (inner m) = [1].
Proof.
  intros Hm H E. destruct (inner_spec l m Hm H) as [Hl I]. pose proof (same_size k _ _ (lacks_bounded m) I E) as Same.
  assert (One : inner m = [l]).
  { apply only_one; [now apply NoDup_filter|exact H|]. intros l' H'. destruct (inner_spec l' m Hm H') as [Hl' I']. rewrite <- Same in I'. now apply rows_apart. }
  assert (Deg : filter (other_at ks code l) K = [m]).
  { apply only_one; [now apply NoDup_filter| |].
    - apply filter_In. split; [exact Hm|]. now rewrite sets_nested.
    - intros m' H'. apply filter_In in H'. destruct H' as [Hm' O]. rewrite (sets_nested l m' Hl Hm') in O. rewrite Same in O. symmetry. now apply columns_apart. }
  rewrite One. simpl. unfold degree. rewrite Deg. reflexivity.
Qed.

Definition single (degrees : list N) : bool := match degrees with [d] => d =? 1 | _ => false end.

Lemma sizes_there m : In m K -> In (b m) (if single (map degree (inner m)) then seq 1 (k - 1) else seq 2 (k - 2)).
Proof.
  intros Hm. destruct (crossed m Hm) as (l & Hl & O). assert (H : In l (inner m)) by (apply filter_In; auto).
  pose proof (row_size l Hl). pose proof (size_inner l m Hm H). pose proof (column_size m Hm).
  destruct (single (map degree (inner m))) eqn:A; apply in_seq; [lia|].
  assert (s l <> b m); [|lia]. intros E. rewrite (alone_sizes l m Hm H E) in A. discriminate.
Qed.

Lemma size_there l m : In m K -> In l (inner m) -> In (s l) (sizes_below (single (map degree (inner m))) (b m)).
Proof.
  intros Hm H. destruct (inner_spec l m Hm H) as [Hl _]. pose proof (row_size l Hl). pose proof (size_inner l m Hm H).
  unfold sizes_below. apply in_seq. destruct (single (map degree (inner m))) eqn:A; [lia|].
  assert (s l <> b m); [|lia]. intros E. rewrite (alone_sizes l m Hm H E) in A. discriminate.
Qed.

(** ** What columns count, and in all *)
Let both (l m : line) : N := chains_of_both k (s l) (b m).

Lemma crossing_both l m : In l L -> In m K -> (if other_at ks code l m then passing_both k (has l) (lacks m) k 0 else 0) = if other_at ks code l m then both l m else 0.
Proof.
  intros Hl Hm. destruct (other_at ks code l m) eqn:O; [|reflexivity]. apply passing_both_value; [apply has_bounded|apply lacks_bounded|].
  now rewrite <- sets_nested.
Qed.

Lemma column_counts m : In m K ->
  (of_column k (map degree (inner m)) + Z.of_N (units * sum_over (inner m) (fun l => both l m)) <=
   Z.of_N (units * chains_of k (b m)) + sum (map (fun l => share k (s l) (degree l)) (inner m)))%Z.
Proof.
  intros Hm. set (ds := map degree (inner m)).
  assert (B : (of_column k ds <= of_sizes k ds (single ds) (b m))%Z).
  { unfold of_column. fold (single ds). apply minimum_le, in_map. now apply sizes_there. }
  assert (U : sum_over (inner m) (fun l => both l m) <= chains_of k (b m)).
  { pose proof (column_bound k line line L K L_distinct has lacks (other_at ks code) sets_nested rows_apart m Hm k 0) as Q.
    rewrite left_of_nothing in Q. specialize (Q eq_refl). rewrite (passing_value k _ (lacks_bounded m)) in Q.
    rewrite (sum_ext L _ (fun l => if other_at ks code l m then both l m else 0)) in Q by (intros l Hl; now apply crossing_both).
    now rewrite sum_filter in Q. }
  assert (Least : (sum (map (fun d => minimum 0 (map (fun s => share k s d) (sizes_below (single ds) (b m)))) ds) <=
                   sum (map (fun l => share k (s l) (degree l)) (inner m)))%Z).
  { unfold ds at 2. rewrite map_map. apply sum_map_le. intros l Hl. apply minimum_le. apply (in_map (fun s => share k s (degree l))). now apply size_there. }
  assert (Rest : (sum (map (fun d => minimum 0 (map (fun s => left_share k s (b m) d) (sizes_below (single ds) (b m)))) ds) +
                  Z.of_N (units * sum_over (inner m) (fun l => both l m)) <= sum (map (fun l => share k (s l) (degree l)) (inner m)))%Z).
  { assert (R : (sum (map (fun d => minimum 0 (map (fun s => left_share k s (b m) d) (sizes_below (single ds) (b m)))) ds) <=
                 sum (map (fun l => left_share k (s l) (b m) (degree l)) (inner m)))%Z).
    { unfold ds at 2. rewrite map_map. apply sum_map_le. intros l Hl. apply minimum_le. apply (in_map (fun s => left_share k s (b m) (degree l))). now apply size_there. }
    assert (E : (sum (map (fun l => left_share k (s l) (b m) (degree l)) (inner m)) + Z.of_N (units * sum_over (inner m) (fun l => both l m)) =
                 sum (map (fun l => share k (s l) (degree l)) (inner m)))%Z).
    { rewrite N2Z.inj_mul, sum_of_naturals. generalize (inner m) as ls. unfold both, left_share.
      induction ls as [|l ls IH]; cbn [map sum fold_right] in *; [lia|]. unfold sum in IH. rewrite <- IH. rewrite N2Z.inj_mul. lia. }
    lia. }
  pose proof (proj1 (N2Z.inj_le _ _) (N.mul_le_mono_l _ _ units U)) as Most. unfold of_sizes in B. cbv zeta in B. lia.
Qed.

Lemma shares_bound : (sum (map (fun m => sum (map (fun l => share k (s l) (degree l)) (inner m))) K) <= Z.of_N (units * sum_over L (fun l => chains_of k (s l))))%Z.
Proof.
  assert (E : sum (map (fun m => sum (map (fun l => share k (s l) (degree l)) (inner m))) K) =
    Z.of_N (sum_over K (fun m => sum_over L (fun l => if other_at ks code l m then units * chains_of k (s l) / degree l else 0)))).
  { rewrite sum_of_naturals. f_equal. apply map_ext. intros m. now rewrite sum_filter, sum_of_naturals. }
  rewrite E. rewrite <- (sum_swap L K (fun l m => if other_at ks code l m then units * chains_of k (s l) / degree l else 0)).
  assert (M : units * sum_over L (fun l => chains_of k (s l)) = sum_over L (fun l => units * chains_of k (s l))).
  { generalize L as ls. induction ls as [|l ls IH]; [reflexivity|].
    change (units * (chains_of k (s l) + sum_over ls (fun l => chains_of k (s l))) = units * chains_of k (s l) + sum_over ls (fun l => units * chains_of k (s l))). lia. }
  rewrite M. apply N2Z.inj_le, sum_le. intros l _. rewrite sum_if. fold (degree l).
  destruct (N.eq_dec (degree l) 0) as [Z|Z]; [rewrite Z; lia|]. now apply N.mul_div_le.
Qed.

Theorem chains_fit : chains_needed ks code k L K = false.
Proof.
  unfold chains_needed. apply Z.ltb_ge.
  pose proof (chains_bound k line line L K L_distinct K_distinct has lacks (other_at ks code) sets_nested rows_apart columns_apart crossed
    (fun _ _ => false) ltac:(discriminate) ltac:(discriminate) k 0) as Q.
  rewrite left_of_nothing in Q. specialize (Q eq_refl).
  rewrite (sum_ext L _ (fun l => chains_of k (s l))) in Q by (intros l _; apply passing_value, has_bounded).
  rewrite (sum_ext K _ (fun m => chains_of k (b m))) in Q by (intros m _; apply passing_value, lacks_bounded).
  assert (X : crossing k line line L K has lacks (other_at ks code) k 0 = sum_over K (fun m => sum_over (inner m) (fun l => both l m))).
  { unfold crossing. rewrite (sum_ext L _ (fun l => sum_over K (fun m => if other_at ks code l m then both l m else 0))).
    - rewrite sum_swap. apply sum_ext. intros m _. apply sum_filter.
    - intros l Hl. apply sum_ext. intros m Hm. now apply crossing_both. }
  rewrite X in Q. pose proof shares_bound as S.
  assert (All : (sum (map (fun m => of_column k (degrees_of ks code L K m)) K) + Z.of_N (units * sum_over K (fun m => sum_over (inner m) (fun l => both l m))) <=
    Z.of_N (units * sum_over K (fun m => chains_of k (b m))) + sum (map (fun m => sum (map (fun l => share k (s l) (degree l)) (inner m))) K))%Z).
  { rewrite !N2Z.inj_mul, !sum_of_naturals.
    assert (P : forall ms, incl ms K -> (sum (map (fun m => of_column k (degrees_of ks code L K m)) ms) +
      Z.of_N units * sum (map (fun m => Z.of_N (sum_over (inner m) (fun l => both l m))) ms) <=
      Z.of_N units * sum (map (fun m => Z.of_N (chains_of k (b m))) ms) + sum (map (fun m => sum (map (fun l => share k (s l) (degree l)) (inner m))) ms))%Z).
    { induction ms as [|m ms IH]; intros I; [cbn [map sum fold_right]; rewrite !Z.mul_0_r; lia|]. specialize (IH (fun a Ha => I a (or_intror Ha))). pose proof (column_counts m (I m (or_introl eq_refl))) as C.
      rewrite !N2Z.inj_mul in C. cbn [map sum fold_right]. change (degrees_of ks code L K m) with (map degree (inner m)).
      unfold sum in *. rewrite !Z.mul_add_distr_l. lia. }
    apply P, incl_refl. }
  unfold units in *. lia.
Qed.
End Sound.

(** ** The bound *)
Definition no_lines : rectangle N N := ((fun _ => false), (fun _ => false)).

(** Rectangles may be empty, so that there are just so many. *)
Lemma cover_of_size (f : N -> N -> option N) code rs n : covers f code rs -> (length rs <= n)%nat -> exists rs', covers f code rs' /\ length rs' = n.
Proof.
  intros [Own Cov] Le. exists (rs ++ repeat no_lines (n - length rs)). split; [|rewrite app_length, repeat_length; lia]. split.
  - apply Forall_app. split; [exact Own|]. apply Forall_forall. intros r Hr. apply repeat_spec in Hr. subst r. intros x y b I. discriminate.
  - intros x y E. apply Exists_app. left. now apply Cov.
Qed.

Theorem no_cover_by_chains_bound t code budget R C v : no_cover_by_chains t code budget R C = Some v ->
  forall count, rectangles_cover (cell t) (Some code) count -> v <= N.of_nat count.
Proof.
  unfold no_cover_by_chains. cbv zeta. intros H count (rs & Covered & Le). destruct (regular t) eqn:Reg; [|discriminate].
  destruct (budget <=? 64); [|discriminate]. cbn [andb] in H.
  pose proof (pick_good (cell t) R _ (row_lines_good t)) as LG. pose proof (pick_good (flip (cell t)) C _ (column_lines_good t Reg)) as KG.
  assert (KB : forall m, In m (pick C (column_lines t)) -> bits C (fst m)) by (intros m Hm; now apply pick_In in Hm).
  set (L := pick R (row_lines t)) in *. set (K := pick C (column_lines t)) in *.
  destruct (N.lt_ge_cases budget (N.of_nat count)) as [Lt|Ge].
  { destruct L as [|? [|? ?]], K as [|? [|? ?]]; try discriminate. destruct (_ && _) in H; [|discriminate]. destruct (chains_needed _ _ _ _ _) in H; [|discriminate].
    injection H as <-. lia. }
  exfalso. destruct (cover_of_size (cell t) code rs (N.to_nat budget) Covered ltac:(lia)) as (all_rs & Cover & Len).
  assert (Sized : (2 <= length L)%nat /\ (2 <= length K)%nat).
  { destruct L as [|? [|? ?]], K as [|? [|? ?]]; try discriminate. simpl. lia. }
  assert (Q : none_nest (codes_of t) code L && none_nest (codes_of t) code K && promised (codes_of t) L C &&
    forallb (fun m => existsb (fun l => other_at (codes_of t) code l m) L) K = true /\ chains_needed (codes_of t) code (N.to_nat budget) L K = true).
  { destruct L as [|? [|? ?]], K as [|? [|? ?]]; try discriminate. destruct (_ && _) in H |- *; [|discriminate].
    destruct (chains_needed _ _ _ _ _) in H |- *; [|discriminate]. auto. }
  destruct Q as [Q N]. rewrite !andb_true_iff in Q. destruct Q as (((NL & NK) & P) & X). rewrite forallb_forall in X.
  rewrite <- Len in N. rewrite (chains_fit (cell t) (codes_of t) (codes_of_all t) code L K LG KG NL NK) in N; [discriminate|apply Sized|apply Sized| | |exact Cover].
  - intros l m Hl Hm. apply (promised_spec (cell t) (codes_of t) L C LG P); [now apply in_map|now apply KB].
  - intros m Hm. specialize (X m Hm). apply existsb_exists in X. destruct X as (l & Hl & O). eauto.
Qed.
