(** * Public coins: mixtures of trees, and distributions that are hard for all trees (Yao 1977) *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Trees Lines TreeWitnesses.
Import ListNotations.
Open Scope N_scope.

(** The promised cells of a table, with their answers. *)
Fixpoint cells_of_row (x y : N) (row : list (option N)) : list (N * N * N) :=
  match row with
  | [] => []
  | Some a :: rest => (x, y, a) :: cells_of_row x (N.succ y) rest
  | None :: rest => cells_of_row x (N.succ y) rest
  end.

Fixpoint cells_from (x : N) (t : table) : list (N * N * N) :=
  match t with [] => [] | row :: rest => cells_of_row x 0 row ++ cells_from (N.succ x) rest end.

Lemma cells_of_row_all x row : forall i y a, nth_error row i = Some (Some a) -> In (x, y + N.of_nat i, a) (cells_of_row x y row).
Proof.
  induction row as [|e row IH]; intros [|i] y a H; cbn [cells_of_row nth_error] in *; try discriminate.
  - injection H as ->. left. change (N.of_nat 0) with 0. now rewrite N.add_0_r.
  - specialize (IH i (N.succ y) a H). replace (y + N.of_nat (S i)) with (N.succ y + N.of_nat i) by lia.
    destruct e; [now right|exact IH].
Qed.

Lemma cells_from_all t : forall x u v a, cell t u v = Some a -> In (x + u, v, a) (cells_from x t).
Proof.
  unfold cell. intros x u v a H. destruct (nth_error t (N.to_nat u)) as [row|] eqn:E; [|discriminate].
  destruct (nth_error row (N.to_nat v)) as [e|] eqn:F; [|discriminate]. subst e.
  rewrite <- (N2Nat.id u). revert x row E F. generalize (N.to_nat u) as i. clear u.
  induction t as [|row' t IH]; intros [|i] x row E F; cbn [cells_from nth_error] in *; try discriminate.
  - injection E as ->. apply in_or_app. left. change (N.of_nat 0) with 0. rewrite N.add_0_r. pose proof (cells_of_row_all x row _ 0 a F) as K.
    now rewrite N.add_0_l, N2Nat.id in K.
  - apply in_or_app. right. replace (x + N.of_nat (S i)) with (N.succ x + N.of_nat i) by lia. now apply (IH i (N.succ x) row).
Qed.

(** ** Mixtures *)
Definition part := (N * tree)%type.
Definition denoted (m : list part) : mixture N N N := map (fun e => (fst e, denote Both (snd e))) m.

Definition mixture_succeeds (t : table) (m : list part) (probability : Q) : bool :=
  let d := denoted m in
  let whole := (probability * fraction (total (map fst d)))%Q in
  if 0 <? total (map fst d) then
    if Qle_bool probability 1 then
      forallb (fun c => match c with (x, y, a) => Qle_bool whole (fraction (right_weight N.eqb d x y a)) end) (cells_from 0 t)
    else false
  else false.

Definition deepest (m : list part) : nat := list_max (map (fun e => tree_depth (snd e)) m).

Theorem mixture_succeeds_sound t m probability bits : mixture_succeeds t m probability = true -> (deepest m <= bits)%nat ->
  succeeds (cell t) N.eqb bits probability.
Proof.
  unfold mixture_succeeds. intros H D. destruct (0 <? _) eqn:P; [|discriminate]. destruct (Qle_bool probability 1); [|discriminate].
  exists (denoted m). split; [now apply N.ltb_lt|]. split.
  - apply list_max_le in D. rewrite Forall_map in D. unfold denoted. apply Forall_map. eapply Forall_impl; [|exact D].
    intros [w p] He. pose proof (denote_depth Both p) as E. cbn [fst snd] in *. unfold leaf_of in E. cbv beta in He. lia.
  - intros x y a E. rewrite forallb_forall in H. specialize (H _ (cells_from_all t 0 x y a E)). now apply Qle_bool_iff in H.
Qed.

(** ** Hard distributions: cells with answers and weights *)
Definition weighed := (N * N * N * N)%type. (* row, column, answer, weight *)
Definition row_of (c : weighed) : N := fst (fst (fst c)).
Definition column_of (c : weighed) : N := snd (fst (fst c)).
Definition answer_of (c : weighed) : N := snd (fst c).

Definition mass (cells : list weighed) : N := total (map snd cells).
Definition members_of (l : list N) (x : N) : bool := existsb (N.eqb x) l.

Fixpoint subsets (l : list N) : list (list N) :=
  match l with [] => [[]] | x :: rest => let s := subsets rest in s ++ map (cons x) s end.

Definition largest (l : list N) : N := fold_right N.max 0 l.

Definition best_answer (cells : list weighed) : N :=
  largest (map (fun a => mass (filter (fun c => answer_of c =? a) cells)) (nodup N.eq_dec (map answer_of cells))).

Definition halves (line : weighed -> N) (value : list weighed -> N) (cells : list weighed) : N :=
  largest (map (fun some => value (filter (fun c => members_of some (line c)) cells) +
                            value (filter (fun c => negb (members_of some (line c))) cells))
               (subsets (nodup N.eq_dec (map line cells)))).

(** The most weight on which a tree of so many bits is right. *)
Fixpoint best (bits : nat) (cells : list weighed) : N :=
  match bits with
  | O => best_answer cells
  | S fewer => N.max (best fewer cells) (N.max (halves row_of (best fewer) cells) (halves column_of (best fewer) cells))
  end.

Definition right (p : protocol N N N) (cells : list weighed) : N :=
  mass (filter (fun c => run p (row_of c) (column_of c) =? answer_of c) cells).

Lemma largest_In l x : In x l -> x <= largest l.
Proof. induction l as [|y l IH]; simpl; intros []; [subst; lia|specialize (IH H); unfold largest in *; lia]. Qed.

Lemma filter_subset (s : N -> bool) l : In (filter s l) (subsets l).
Proof.
  induction l as [|x l IH]; simpl; [now left|]. apply in_or_app. destruct (s x); [right; now apply in_map|now left].
Qed.

Lemma halves_split line value cells (s : N -> bool) :
  value (filter (fun c => s (line c)) cells) + value (filter (fun c => negb (s (line c))) cells) <= halves line value cells.
Proof.
  unfold halves. set (l := nodup N.eq_dec (map line cells)).
  assert (K : forall c, In c cells -> members_of (filter s l) (line c) = s (line c)).
  { intros c Hc. unfold members_of. destruct (s (line c)) eqn:E.
    - apply existsb_exists. exists (line c). rewrite N.eqb_refl. split; [|reflexivity]. apply filter_In. split; [|exact E].
      apply nodup_In. now apply in_map.
    - apply not_true_is_false. intros H. apply existsb_exists in H. destruct H as (x & Hx & Ex). apply N.eqb_eq in Ex. subst x.
      apply filter_In in Hx. destruct Hx. congruence. }
  apply largest_In. apply in_map_iff. exists (filter s l). split; [|apply filter_subset].
  f_equal; f_equal; apply filter_ext_in; intros c Hc; now rewrite K.
Qed.

Lemma mass_parts (g : weighed -> bool) l : mass l = mass (filter g l) + mass (filter (fun c => negb (g c)) l).
Proof.
  induction l as [|c l IH]; [reflexivity|]. unfold mass, total in *. simpl. destruct (g c); simpl; lia.
Qed.

Lemma filter_filter {T} (g h : T -> bool) l : filter g (filter h l) = filter (fun x => if h x then g x else false) l.
Proof. induction l as [|x l IH]; simpl; [reflexivity|]. destruct (h x); simpl; rewrite IH; [|reflexivity]. now destruct (g x). Qed.

Lemma right_parts p p0 p1 (s : weighed -> bool) cells :
  (forall c, run p (row_of c) (column_of c) = if s c then run p1 (row_of c) (column_of c) else run p0 (row_of c) (column_of c)) ->
  right p cells = right p1 (filter s cells) + right p0 (filter (fun c => negb (s c)) cells).
Proof.
  intros H. unfold right. rewrite (mass_parts s). rewrite !filter_filter. f_equal; f_equal; apply filter_ext_in; intros c _; rewrite (H c);
    destruct (s c); simpl; try reflexivity; now destruct (_ =? _).
Qed.

Lemma best_mono cells : forall c d, (c <= d)%nat -> best c cells <= best d cells.
Proof. intros c d L. induction L as [|d L IH]; [lia|]. simpl. lia. Qed.

Lemma answer_best a cells : mass (filter (fun c => answer_of c =? a) cells) <= best_answer cells.
Proof.
  destruct (in_dec N.eq_dec a (map answer_of cells)) as [H|H].
  - apply largest_In. apply in_map_iff. exists a. split; [reflexivity|]. now apply nodup_In.
  - replace (filter (fun c => answer_of c =? a) cells) with (@nil weighed); [unfold mass; simpl; lia|].
    symmetry. induction cells as [|c cells IH]; [reflexivity|]. simpl in *. destruct (N.eqb_spec (answer_of c) a) as [E|]; [tauto|]. tauto.
Qed.

Theorem best_is_best p : forall bits cells, (depth p <= bits)%nat -> right p cells <= best bits cells.
Proof.
  induction p as [a|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1]; intros bits cells D.
  - eapply N.le_trans; [|apply (best_mono cells 0 bits); lia]. simpl. unfold right. simpl.
    rewrite (filter_ext_in _ (fun c => answer_of c =? a)) by (intros c _; apply N.eqb_sym). apply answer_best.
  - destruct bits as [|fewer]; simpl in D; [lia|]. simpl.
    rewrite (right_parts _ p0 p1 (fun c => s (row_of c)) cells) by (intros c; reflexivity).
    pose proof (IH1 fewer (filter (fun c => s (row_of c)) cells) ltac:(lia)).
    pose proof (IH0 fewer (filter (fun c => negb (s (row_of c))) cells) ltac:(lia)).
    pose proof (halves_split row_of (best fewer) cells s). lia.
  - destruct bits as [|fewer]; simpl in D; [lia|]. simpl.
    rewrite (right_parts _ p0 p1 (fun c => s (column_of c)) cells) by (intros c; reflexivity).
    pose proof (IH1 fewer (filter (fun c => s (column_of c)) cells) ltac:(lia)).
    pose proof (IH0 fewer (filter (fun c => negb (s (column_of c))) cells) ltac:(lia)).
    pose proof (halves_split column_of (best fewer) cells s). lia.
Qed.

(** ** The mean over the cells of what a mixture gets right *)
Definition weighed_in (t : table) (c : N * N * N) : option weighed :=
  match cell t (fst (fst c)) (snd (fst c)) with Some a => Some (fst c, a, snd c) | None => None end.

(** Protocols of any kind, by what they answer. *)
Section Means.
Variable P : Type.
Variable answers : P -> N -> N -> N.

Definition got_right (p : P) (cells : list weighed) : N :=
  mass (filter (fun c => answers p (row_of c) (column_of c) =? answer_of c) cells).

Definition weight_right (m : list (N * P)) (x y a : N) : N :=
  total (map (fun part => if answers (snd part) x y =? a then fst part else 0) m).

Lemma right_swap (m : list (N * P)) cells :
  total (map (fun c => snd c * weight_right m (row_of c) (column_of c) (answer_of c)) cells) =
  total (map (fun e => fst e * got_right (snd e) cells) m).
Proof.
  induction m as [|[w p] m IH].
  - simpl. induction cells as [|c cells IH]; simpl; [reflexivity|]. unfold total in *. rewrite IH. unfold weight_right, total. simpl. lia.
  - simpl map at 2. cbn [total fold_right fst snd]. unfold total in IH |- *. rewrite <- IH. clear IH.
    induction cells as [|c cells IH]; simpl.
    + unfold got_right, mass, total. simpl. lia.
    + rewrite IH. unfold weight_right, got_right, mass, total. simpl.
      destruct (answers p (row_of c) (column_of c) =? answer_of c); simpl; lia.
Qed.

(** A mixture is right on some cell no more often than its protocols are on average. *)
Theorem mean_of_mixture (f : N -> N -> option N) (m : list (N * P)) cells most (q : Q) :
  Forall (fun c => f (row_of c) (column_of c) = Some (answer_of c)) cells ->
  0 < total (map fst m) -> Forall (fun part => got_right (snd part) cells <= most) m ->
  (forall x y a, f x y = Some a -> (q * fraction (total (map fst m)) <= fraction (weight_right m x y a))%Q) ->
  (q * fraction (mass cells) <= fraction most)%Q.
Proof.
  intros F Pos D H. set (W := total (map fst m)) in *.
  assert (Z1 : forall w r, ((q * fraction w <= fraction r)%Q <-> (Qnum q * Z.of_N w <= Z.of_N r * QDen q)%Z)).
  { intros w r. unfold fraction, Qle, Qmult, inject_Z. simpl. rewrite Pos.mul_1_r, Z.mul_1_r. reflexivity. }
  apply Z1.
  assert (A : (Qnum q * Z.of_N W * Z.of_N (mass cells) <=
               Z.of_N (total (map (fun c : weighed => (snd c * weight_right m (row_of c) (column_of c) (answer_of c))%N) cells)) * QDen q)%Z).
  { clear -F H Z1. induction F as [|c cells Hc _ IH]; [unfold mass, total; simpl; lia|].
    specialize (H _ _ _ Hc). apply Z1 in H. unfold mass, total in *. simpl. fold W in H.
    set (r := weight_right m (row_of c) (column_of c) (answer_of c)) in *.
    set (s := fold_right N.add 0 (map snd cells)) in *.
    set (v := fold_right N.add 0 (map (fun c0 => snd c0 * weight_right m (row_of c0) (column_of c0) (answer_of c0)) cells)) in *.
    rewrite !N2Z.inj_add, N2Z.inj_mul. pose proof (N2Z.is_nonneg (snd c)). nia. }
  rewrite right_swap in A.
  assert (B : total (map (fun e => fst e * got_right (snd e) cells) m) <= W * most).
  { subst W. clear -D. induction D as [|e m He _ IH]; [unfold total; simpl; lia|]. unfold total in *. simpl. nia. }
  pose proof (N2Z.is_nonneg most). assert (0 < Z.of_N W)%Z by lia.
  assert (Z.of_N (total (map (fun e => (fst e * got_right (snd e) cells)%N) m)) <= Z.of_N W * Z.of_N most)%Z by lia.
  pose proof (Pos2Z.is_pos (Qden q)). nia.
Qed.
End Means.

Theorem yao t cells bits (q : Q) : Forall (fun c => cell t (row_of c) (column_of c) = Some (answer_of c)) cells ->
  succeeds (cell t) N.eqb bits q -> (q * fraction (mass cells) <= fraction (best bits cells))%Q.
Proof.
  intros F (m & P & D & H). apply (mean_of_mixture _ (fun p => run p) (cell t) m); auto.
  eapply Forall_impl; [|exact D]. intros e He. now apply best_is_best.
Qed.

(** Weights on promised cells. *)
Fixpoint all_weighed (t : table) (cells : list (N * N * N)) : option (list weighed) :=
  match cells with
  | [] => Some []
  | c :: rest => match weighed_in t c, all_weighed t rest with Some w, Some ws => Some (w :: ws) | _, _ => None end
  end.

Lemma all_weighed_promised t cells : forall ws, all_weighed t cells = Some ws ->
  Forall (fun c => cell t (row_of c) (column_of c) = Some (answer_of c)) ws.
Proof.
  induction cells as [|c cells IH]; simpl; intros ws H; [injection H as <-; constructor|].
  destruct (weighed_in t c) as [w|] eqn:E; [|discriminate]. destruct (all_weighed t cells) as [ws'|]; [|discriminate].
  injection H as <-. constructor; [|now apply IH]. unfold weighed_in in E. destruct c as [[x y] v]. simpl in E.
  destruct (cell t x y) as [a|] eqn:F; [|discriminate]. injection E as <-. exact F.
Qed.

(** What trees of so many bits cannot exceed, as a sum and the sum of all weights. *)
Definition limit_of_success (t : table) (bits : nat) (cells : list (N * N * N)) : option (N * N) :=
  match all_weighed t cells with
  | Some ws => if 0 <? mass ws then Some (best bits ws, mass ws) else None
  | None => None
  end.

Theorem limit_of_success_sound t bits cells most whole q : limit_of_success t bits cells = Some (most, whole) ->
  0 < whole /\ (succeeds (cell t) N.eqb bits q -> (q * fraction whole <= fraction most)%Q).
Proof.
  unfold limit_of_success. intros H. destruct (all_weighed t cells) as [ws|] eqn:E; [|discriminate].
  destruct (N.ltb_spec 0 (mass ws)) as [P|]; [|discriminate]. injection H as <- <-. split; [exact P|].
  apply yao. now apply (all_weighed_promised t cells).
Qed.
