(** * The largest rectangle of an answer, of all cells or by weights: one from below; a search, or a matching, from above *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Lines Refutation RefutationSound NodesSound TreeWitnesses Rectangles CoverWeights.
Import ListNotations.
Open Scope N_scope.

(** Weights of the size of the table, row by row without zeros. *)
Fixpoint entries (y : N) (weights : list N) : list (N * N) :=
  match weights with
  | [] => []
  | w :: rest => if w =? 0 then entries (N.succ y) rest else (y, w) :: entries (N.succ y) rest
  end.

Definition weighed (ks : list N) (code : N) (e : line * list N) : row := (fst (fst e), others ks code (fst e), entries 0 (snd e)).

Definition weighed_rows (t : table) (code : N) (weights : list (list N)) : list row :=
  map (weighed (codes_of t) code) (combine (row_lines t) weights).

Definition of_size (t : table) (weights : list (list N)) : bool :=
  regular t && Nat.eqb (length weights) (length t) && forallb (fun line => Nat.eqb (length line) (width t)) weights.

Definition one_rectangle (t : table) (code : N) (weights : list (list N)) (r : masks) : option N :=
  if of_size t weights then
    if own_rectangle (codes_of t) (row_lines t) code r then Some (in_rows (meant r) (weighed_rows t code weights)) else None
  else None.

Definition all_at_most (t : table) (code : N) (weights : list (list N)) (most : N) : option N :=
  if of_size t weights then
    let rows := filter (fun r : row => match snd r with [] => false | _ => true end) (weighed_rows t code weights) in
    if none_heavier (length rows) most rows (full (width t)) then Some most else None
  else None.

(** ** What a rectangle weighs, by rows *)
Lemma indices_succ n : indices (S n) = 0 :: map N.succ (indices n).
Proof. unfold indices. cbn [seq map]. f_equal. rewrite <- seq_shift, !map_map. apply map_ext. intros i. lia. Qed.

Lemma entries_weight (g : N -> bool) weights : forall y, weigh g (entries y weights) =
  total (map (fun i => if g (y + i) then nth (N.to_nat i) weights 0 else 0) (indices (length weights))).
Proof.
  induction weights as [|w weights IH]; intros y; [reflexivity|]. cbn [length]. rewrite indices_succ. cbn [map]. unfold total. cbn [fold_right].
  fold (total (map (fun i => if g (y + i) then nth (N.to_nat i) (w :: weights) 0 else 0) (map N.succ (indices (length weights))))).
  rewrite map_map, N.add_0_r. change (nth (N.to_nat 0) (w :: weights) 0) with w.
  assert (E : map (fun i => if g (y + N.succ i) then nth (N.to_nat (N.succ i)) (w :: weights) 0 else 0) (indices (length weights)) =
              map (fun i => if g (N.succ y + i) then nth (N.to_nat i) weights 0 else 0) (indices (length weights))).
  { apply map_ext. intros i. rewrite N2Nat.inj_succ. cbn [nth]. now replace (y + N.succ i) with (N.succ y + i) by lia. }
  rewrite E, <- IH. cbn [entries]. destruct (N.eqb_spec w 0) as [->|]; [destruct (g y); reflexivity|]. unfold weigh. cbn [fold_right fst snd].
  destruct (g y); reflexivity.
Qed.

Lemma total_zero {T} (l : list T) : total (map (fun _ => 0) l) = 0.
Proof. induction l; [reflexivity|]. unfold total in *. simpl. exact IHl. Qed.

Lemma rows_weight ks code rs t : forall weights i, length weights = length t ->
  in_rows rs (map (weighed ks code) (combine (lines_from ks i t) weights)) =
  total (map (fun x => if fst rs (i + x) then weigh (snd rs) (entries 0 (nth (N.to_nat x) weights [])) else 0) (indices (length weights))).
Proof.
  induction t as [|row t IH]; intros [|ws weights] i L; try discriminate; [reflexivity|]. cbn [length]. rewrite indices_succ.
  cbn [lines_from combine map]. unfold in_rows. cbn [fold_right]. fold (in_rows rs (map (weighed ks code) (combine (lines_from ks (N.succ i) t) weights))).
  rewrite IH by now injection L. unfold total. cbn [fold_right]. rewrite N.add_0_r. unfold number, weighed at 1 2. cbn [fst snd]. f_equal.
  rewrite map_map. f_equal. apply map_ext. intros x. rewrite N2Nat.inj_succ. cbn [nth]. now replace (i + N.succ x) with (N.succ i + x) by lia.
Qed.

Lemma weight_of_rows t code weights rs : of_size t weights = true ->
  in_rows rs (weighed_rows t code weights) = rectangle_weight weights (length weights) (length (hd [] weights)) rs.
Proof.
  unfold of_size. rewrite !andb_true_iff. intros [[_ L] W]. apply Nat.eqb_eq in L. rewrite forallb_forall in W.
  unfold weighed_rows, row_lines. rewrite rows_weight by exact L. unfold rectangle_weight. f_equal. apply map_ext_in. intros x Hx.
  rewrite N.add_0_l. unfold inside. destruct (fst rs x); [|symmetry; apply total_zero]. rewrite entries_weight.
  assert (E : length (nth (N.to_nat x) weights []) = length (hd [] weights)).
  { apply in_map_iff in Hx. destruct Hx as (k & <- & Hk). apply in_seq in Hk. rewrite Nat2N.id.
    assert (A : length (nth k weights []) = width t) by (apply Nat.eqb_eq, W, nth_In; lia). rewrite A. symmetry.
    destruct weights as [|w weights]; [simpl in Hk; lia|]. apply Nat.eqb_eq, W. now left. }
  rewrite E. f_equal.
Qed.

Lemma own_rectangle_answer t code r : own_rectangle (codes_of t) (row_lines t) code r = true -> has_answer (cell t) code (meant r).
Proof.
  unfold own_rectangle. rewrite forallb_forall. intros O x y b I E. apply inside_meant in I. destruct I as [Ix Iy].
  pose proof (row_lines_good t) as G. rewrite Forall_forall in G.
  destruct (picked (row_lines t) x (fst r) (row_lines_all t _ _ _ E) Ix) as (l & Hl & <-).
  assert (Gl : good (cell t) l) by (apply pick_In in Hl; apply G, Hl).
  exact (fits_sound (codes_of t) (cell t) code (snd r) l y b Gl (codes_of_all _ _ _ _ E) (O l Hl) Iy E).
Qed.

Theorem one_rectangle_bound t code weights r v : one_rectangle t code weights r = Some v -> exists s, has_answer (cell t) code s /\
  v = rectangle_weight weights (length weights) (length (hd [] weights)) s.
Proof.
  unfold one_rectangle. intros H. destruct (of_size t weights) eqn:S; [|discriminate]. destruct (own_rectangle _ _ _ _) eqn:O; [|discriminate].
  injection H as <-. exists (meant r). split; [now apply own_rectangle_answer|]. now apply weight_of_rows.
Qed.

(** ** The search *)
Lemma inside_table t code weights rs : of_size t weights = true ->
  in_rows rs (weighed_rows t code weights) = in_rows (fst rs, fun y => snd rs y && N.testbit (full (width t)) y) (weighed_rows t code weights).
Proof.
  intros S. unfold weighed_rows. unfold of_size in S. rewrite !andb_true_iff in S. destruct S as [_ W]. rewrite forallb_forall in W.
  assert (W' : forall e, In e (combine (row_lines t) weights) -> length (snd e) = width t).
  { intros [l ws] He. apply in_combine_r in He. now apply Nat.eqb_eq, W. }
  clear W. induction (combine (row_lines t) weights) as [|e l IH]; [reflexivity|]. cbn [map]. unfold in_rows. cbn [fold_right].
  fold (in_rows rs (map (weighed (codes_of t) code) l)).
  fold (in_rows (fst rs, fun y => snd rs y && N.testbit (full (width t)) y) (map (weighed (codes_of t) code) l)).
  rewrite IH by (intros a Ha; apply W'; now right). f_equal. cbn [fst]. destruct (fst rs _); [|reflexivity].
  unfold weighed. cbn [fst snd]. rewrite !entries_weight. f_equal. apply map_ext_in. intros y Hy. rewrite N.add_0_l.
  rewrite (W' e (or_introl eq_refl)) in Hy. apply in_map_iff in Hy. destruct Hy as (k & <- & Hk). apply in_seq in Hk.
  assert (B : bits (full (width t)) (N.of_nat k)) by (apply full_spec; lia). unfold bits in B. rewrite B, andb_true_r. reflexivity.
Qed.

Theorem all_at_most_bound t code weights most v : all_at_most t code weights most = Some v -> forall r, has_answer (cell t) code r ->
  rectangle_weight weights (length weights) (length (hd [] weights)) r <= v.
Proof.
  unfold all_at_most. intros H r Own. destruct (of_size t weights) eqn:S; [|discriminate]. destruct (none_heavier _ _ _ _) eqn:K; [|discriminate].
  injection H as <-. rewrite <- (weight_of_rows t code) by exact S. rewrite inside_table by exact S. rewrite <- in_rows_filter.
  apply (none_heavier_sound most _ _ _ _ K).
  - intros y Y. simpl in Y. apply andb_true_iff in Y. tauto.
  - intros s Hs X y Y. apply filter_In in Hs. destruct Hs as [Hs _]. apply in_map_iff in Hs. destruct Hs as ([l ws] & <- & Hl).
    apply in_combine_l in Hl. unfold number, forbidden, weighed in *; simpl in *. apply andb_true_iff in Y. destruct Y as [Y _].
    destruct (N.testbit (others (codes_of t) code l) y) eqn:B; [|reflexivity]. exfalso.
    pose proof (row_lines_good t) as G. rewrite Forall_forall in G. destruct (others_spec (cell t) (codes_of t) code l y (G l Hl) B) as (c & E & N).
    apply N. apply (Own (fst l) y c); [|exact E]. unfold inside. now rewrite X, Y.
Qed.

(** ** A matching: cells of other answers, no two in a line (König). A rectangle misses the row or the column of each *)
Fixpoint all_new (l : list N) : bool := match l with [] => true | a :: rest => negb (existsb (N.eqb a) rest) && all_new rest end.

Definition other_answer (t : table) (code : N) (c : N * N) : bool :=
  match cell t (fst c) (snd c) with Some a => negb (a =? code) | None => false end.

Definition largest_area (lines : N) (height width : nat) : N :=
  fold_right N.max 0 (map (fun rows => N.min (lines - rows) (N.of_nat width) * rows) (indices (S height))).

Definition may_be (code : N) (c : option N) : bool := match c with Some a => a =? code | None => true end.

Definition heaviest_in (code : N) (row : list (option N)) (weights : list N) : N :=
  fold_right N.max 0 (map (fun e => if may_be code (fst e) then snd e else 0) (combine row weights)).

Definition heaviest_cell (t : table) (code : N) (weights : list (list N)) : N :=
  fold_right N.max 0 (map (fun e => heaviest_in code (fst e) (snd e)) (combine t weights)).

Definition by_matching (t : table) (code : N) (weights : list (list N)) (cells : list (N * N)) : option N :=
  if of_size t weights && forallb (other_answer t code) cells && all_new (map fst cells) && all_new (map snd cells) then
    Some (largest_area (N.of_nat (length t) + N.of_nat (width t) - N.of_nat (length cells)) (length t) (width t) * heaviest_cell t code weights)
  else None.

Lemma all_new_NoDup l : all_new l = true -> NoDup l.
Proof.
  induction l as [|a l IH]; intros H; [constructor|]. simpl in H. apply andb_true_iff in H. destruct H as [H K]. constructor; [|auto].
  intros I. apply negb_true_iff in H. assert (existsb (N.eqb a) l = true) by (apply existsb_exists; exists a; rewrite N.eqb_refl; auto). congruence.
Qed.

Lemma max_In a l : In a l -> a <= fold_right N.max 0 l.
Proof. induction l as [|b l IH]; simpl; [tauto|]. intros [->|H]; [lia|]. specialize (IH H). lia. Qed.

Lemma indices_In n x : In x (indices n) <-> (N.to_nat x < n)%nat.
Proof.
  unfold indices. rewrite in_map_iff. split; [intros (k & <- & H); apply in_seq in H; lia|]. intros H. exists (N.to_nat x). rewrite in_seq. lia.
Qed.

Lemma combine_nth_In {S T} (l : list S) (m : list T) n a b : nth_error l n = Some a -> nth_error m n = Some b -> In (a, b) (combine l m).
Proof.
  revert l m. induction n as [|n IH]; intros [|c l] [|d m] H K; simpl in *; try discriminate.
  - injection H as <-. injection K as <-. now left.
  - right. auto.
Qed.

Lemma heaviest_cell_bound t code weights x y : of_size t weights = true -> may_be code (cell t x y) = true ->
  (N.to_nat x < length t)%nat -> (N.to_nat y < width t)%nat -> weight_at weights x y <= heaviest_cell t code weights.
Proof.
  intros S M X Y. unfold of_size in S. rewrite !andb_true_iff in S. destruct S as [[R L] W]. apply Nat.eqb_eq in L. rewrite forallb_forall in W.
  pose proof (regular_spec t R) as Rg. rewrite Forall_forall in Rg.
  destruct (nth_error t (N.to_nat x)) as [row|] eqn:Ex; [|apply nth_error_None in Ex; lia].
  destruct (nth_error weights (N.to_nat x)) as [ws|] eqn:Ew; [|apply nth_error_None in Ew; lia].
  assert (Lr : length row = width t) by (apply Rg; eapply nth_error_In; eauto).
  assert (Lw : length ws = width t) by (apply Nat.eqb_eq, W; eapply nth_error_In; eauto).
  destruct (nth_error row (N.to_nat y)) as [c|] eqn:Ec; [|apply nth_error_None in Ec; lia].
  destruct (nth_error ws (N.to_nat y)) as [w|] eqn:E; [|apply nth_error_None in E; lia].
  unfold weight_at. rewrite (nth_error_nth _ _ _ Ew), (nth_error_nth _ _ _ E).
  unfold cell in M. rewrite Ex, Ec in M. eapply N.le_trans; [|apply max_In, in_map; eapply combine_nth_In; eauto]. cbn [fst snd].
  unfold heaviest_in. apply max_In, in_map_iff. exists (c, w). cbn [fst snd]. rewrite M. split; [reflexivity|]. eapply combine_nth_In; eauto.
Qed.

Lemma total_at_most (g : N -> bool) (h : N -> N) l bound : (forall a, In a l -> g a = true -> h a <= bound) ->
  total (map (fun a => if g a then h a else 0) l) <= N.of_nat (length (filter g l)) * bound.
Proof.
  induction l as [|a l IH]; intros H; [unfold total; simpl; lia|]. specialize (IH (fun b Hb => H b (or_intror Hb))).
  unfold total in *. cbn [map fold_right filter]. pose proof (H a (or_introl eq_refl)) as B. destruct (g a); [|lia]. specialize (B eq_refl).
  cbn [length]. rewrite Nat2N.inj_succ. lia.
Qed.

Lemma filter_both {T} (g : T -> bool) l : (length (filter g l) + length (filter (fun a => negb (g a)) l) = length l)%nat.
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. destruct (g a); simpl; lia. Qed.

Lemma new_in_filter (g : N -> bool) n l : NoDup l -> (forall a, In a l -> (N.to_nat a < n)%nat /\ g a = false) ->
  (length l + length (filter g (indices n)) <= n)%nat.
Proof.
  intros ND H. pose proof (filter_both g (indices n)) as B. assert (Li : length (indices n) = n) by (unfold indices; now rewrite map_length, seq_length).
  enough (length l <= length (filter (fun a => negb (g a)) (indices n)))%nat by lia. apply NoDup_incl_length; [exact ND|].
  intros a Ha. destruct (H a Ha) as [L F]. apply filter_In. rewrite F. split; [now apply indices_In|reflexivity].
Qed.

Lemma NoDup_map_filter {T} (f : T -> N) (g : T -> bool) l : NoDup (map f l) -> NoDup (map f (filter g l)).
Proof.
  induction l as [|a l IH]; simpl; intros H; [constructor|]. inversion H as [|? ? N D]; subst. destruct (g a); simpl; [|auto].
  constructor; [|auto]. intros I. apply N. apply in_map_iff in I. destruct I as (b & E & Hb). apply filter_In in Hb. rewrite <- E. apply in_map. tauto.
Qed.

Theorem by_matching_bound t code weights cells v : by_matching t code weights cells = Some v -> forall r, has_answer (cell t) code r ->
  rectangle_weight weights (length weights) (length (hd [] weights)) r <= v.
Proof.
  unfold by_matching. intros H r Own. destruct (of_size t weights) eqn:S; [|discriminate]. cbn [andb] in H.
  destruct (forallb (other_answer t code) cells) eqn:O; [|discriminate]. destruct (all_new (map fst cells)) eqn:N1; [|discriminate].
  destruct (all_new (map snd cells)) eqn:N2; [|discriminate]. injection H as <-. apply all_new_NoDup in N1, N2. rewrite forallb_forall in O.
  pose proof S as S'. unfold of_size in S'. rewrite !andb_true_iff in S'. destruct S' as [[R L] W]. apply Nat.eqb_eq in L.
  set (a := length (filter (fst r) (indices (length t)))). set (b := length (filter (snd r) (indices (width t)))).
  assert (Few : (length cells + a + b <= length t + width t)%nat).
  { pose proof (filter_both (fun c : N * N => fst r (fst c)) cells) as B.
    assert (Bound : forall c, In c cells -> (N.to_nat (fst c) < length t)%nat /\ (N.to_nat (snd c) < width t)%nat /\ inside r (fst c) (snd c) = false).
    { intros c Hc. specialize (O c Hc). unfold other_answer in O. destruct (cell t (fst c) (snd c)) as [d|] eqn:E; [|discriminate].
      pose proof (promised_row t _ _ _ E) as P1. pose proof (promised_column t R _ _ _ E) as P2. apply full_spec in P1, P2. split; [exact P1|].
      split; [exact P2|]. destruct (inside r (fst c) (snd c)) eqn:I; [|reflexivity]. rewrite (Own _ _ _ I E), N.eqb_refl in O. discriminate. }
    assert (A1 : (length (map fst (filter (fun c : N * N => negb (fst r (fst c))) cells)) + a <= length t)%nat).
    { apply new_in_filter; [now apply NoDup_map_filter|]. intros x Hx. apply in_map_iff in Hx. destruct Hx as (c & <- & Hc).
      apply filter_In in Hc. destruct Hc as [Hc F]. apply negb_true_iff in F. split; [now apply Bound|exact F]. }
    assert (A2 : (length (map snd (filter (fun c : N * N => fst r (fst c)) cells)) + b <= width t)%nat).
    { apply new_in_filter; [now apply NoDup_map_filter|]. intros y Hy. apply in_map_iff in Hy. destruct Hy as (c & <- & Hc).
      apply filter_In in Hc. destruct Hc as [Hc F]. destruct (Bound c Hc) as (_ & B2 & I). split; [exact B2|].
      unfold inside in I. now rewrite F in I. }
    rewrite map_length in A1, A2. lia. }
  assert (Weigh : rectangle_weight weights (length weights) (length (hd [] weights)) r <= N.of_nat a * (N.of_nat b * heaviest_cell t code weights)).
  { unfold rectangle_weight. rewrite L. destruct (Nat.eq_dec (length t) 0) as [Z|Z]; [rewrite Z; unfold indices, total; simpl; lia|].
    assert (Hd : length (hd [] weights) = width t).
    { rewrite forallb_forall in W. destruct weights as [|line rest]; [simpl in L; lia|]. apply Nat.eqb_eq, W. now left. }
    rewrite Hd.
    eapply N.le_trans; [|apply (total_at_most (fst r) (fun x => total (map (fun y => if snd r y then weight_at weights x y else 0) (indices (width t)))))].
    - apply N.eq_le_incl. f_equal. apply map_ext. intros x. unfold inside. destruct (fst r x); [reflexivity|]. apply total_zero.
    - intros x Hx Fx. apply (total_at_most (snd r) (fun y => weight_at weights x y)). intros y Hy Fy. apply indices_In in Hx, Hy.
      apply heaviest_cell_bound; auto. unfold may_be. destruct (cell t x y) as [c|] eqn:E; [|reflexivity].
      rewrite (Own x y c); [apply N.eqb_refl| |exact E]. unfold inside. now rewrite Fx, Fy. }
  eapply N.le_trans; [exact Weigh|]. rewrite N.mul_assoc. apply N.mul_le_mono_r.
  assert (Aa : (a <= length t)%nat).
  { unfold a. pose proof (filter_both (fst r) (indices (length t))). assert (length (indices (length t)) = length t) by (unfold indices; now rewrite map_length, seq_length). lia. }
  assert (Bb : (b <= width t)%nat).
  { unfold b. pose proof (filter_both (snd r) (indices (width t))). assert (length (indices (width t)) = width t) by (unfold indices; now rewrite map_length, seq_length). lia. }
  unfold largest_area. eapply N.le_trans; [|apply max_In, in_map with (x := N.of_nat a), indices_In; lia]. cbv beta. nia.
Qed.
