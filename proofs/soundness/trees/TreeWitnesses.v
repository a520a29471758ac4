(** * Protocol trees as data, seen to be right *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Trees Lines Refutation RefutationSound NodesSound.
Import ListNotations.
Open Scope N_scope.

(** The inputs that send 1 are a mask. A leaf has one answer, or one for each line of the party that alone must know. *)
Inductive tree :=
| Leaf (answer : N)
| LeafByLine (answers : list (N * N))
| Node (speaker : party) (ones : N) (zero one : tree).

Definition answer_on (answers : list (N * N)) (line : N) : option N :=
  match find (fun e => fst e =? line) (rev answers) with Some e => Some (snd e) | None => None end.

Definition told (answers : list (N * N)) (line : N) : N :=
  match answer_on answers line with Some a => a | None => 0 end.

Definition constant_leaf (who : knowing) (a : N) : leaf_of who N N N :=
  match who with Both => a | _ => fun _ => a end.

Definition leaf_by_line (who : knowing) (answers : list (N * N)) : leaf_of who N N N :=
  match who with Both => 0 | _ => told answers end.

Fixpoint denote (who : knowing) (t : tree) : protocol N N (leaf_of who N N N) :=
  match t with
  | Leaf a => Output (constant_leaf who a)
  | LeafByLine answers => Output (leaf_by_line who answers)
  | Node alice ones zero one => Alice (N.testbit ones) (denote who zero) (denote who one)
  | Node bob ones zero one => Bob (N.testbit ones) (denote who zero) (denote who one)
  end.

Fixpoint tree_depth (t : tree) : nat :=
  match t with Node _ _ zero one => S (Nat.max (tree_depth zero) (tree_depth one)) | _ => 0 end%nat.

Fixpoint tree_leaves (t : tree) : nat :=
  match t with Node _ _ zero one => (tree_leaves zero + tree_leaves one)%nat | _ => 1%nat end.

Fixpoint tree_rounds (last : option party) (t : tree) : nat :=
  match t with
  | Node speaker _ zero one =>
      ((if speaks_on last speaker then 0 else 1) +
       Nat.max (tree_rounds (Some speaker) zero) (tree_rounds (Some speaker) one))%nat
  | _ => 0%nat
  end.

(** A line has no other answer than [a] across. *)
Definition fits (ks : list N) (a : N) (across : N) (l : line) : bool :=
  forallb (fun c => if c =? a then true else N.land (plane c l) across =? 0) ks.

Definition fits_told (ks : list N) (answers : list (N * N)) (across : N) (l : line) : bool :=
  match answer_on answers (fst l) with Some a => fits ks a across l | None => false end.

Fixpoint tree_right (who : knowing) (ks : list N) (rows cols : list line) (R C : N) (t : tree) : bool :=
  match t with
  | Leaf a => forallb (fits ks a C) (pick R rows)
  | LeafByLine answers =>
      match who with
      | Both => false
      | AliceAlone => forallb (fits_told ks answers C) (pick R rows)
      | BobAlone => forallb (fits_told ks answers R) (pick C cols)
      end
  | Node alice ones zero one =>
      if tree_right who ks rows cols (N.ldiff R ones) C zero then tree_right who ks rows cols (N.land R ones) C one else false
  | Node bob ones zero one =>
      if tree_right who ks rows cols R (N.ldiff C ones) zero then tree_right who ks rows cols R (N.land C ones) one else false
  end.

Lemma denote_depth who t : depth (denote who t) = tree_depth t.
Proof. induction t as [a|l|[] m t0 IH0 t1 IH1]; simpl; congruence. Qed.

Lemma denote_leaves who t : leaves (denote who t) = tree_leaves t.
Proof. induction t as [a|l|[] m t0 IH0 t1 IH1]; simpl; congruence. Qed.

Lemma denote_rounds who t : forall last, rounds_after last (denote who t) = tree_rounds last t.
Proof.
  induction t as [a|l|[] m t0 IH0 t1 IH1]; intros last; try reflexivity; simpl; rewrite IH0, IH1;
    destruct last as [[]|]; reflexivity.
Qed.

Definition tree_within (l : option (nat * option party)) (t : tree) : bool :=
  match l with
  | None => true
  | Some (rounds, None) => Nat.leb (tree_rounds None t) rounds
  | Some (rounds, Some first) => Nat.leb (1 + tree_rounds (Some first) t) rounds
  end.

Lemma tree_within_spec who l t : tree_within l t = true -> within l (denote who t).
Proof. destruct l as [[n [first|]]|]; cbn [tree_within within]; rewrite ?denote_rounds; intros H; try exact I; now apply Nat.leb_le. Qed.

Section Right.
Variable f : N -> N -> option N.
Variable ks : list N.
Variables rows cols : list line.
Hypothesis ks_all : forall x y c, f x y = Some c -> In c ks.
Hypothesis rows_good : Forall (good f) rows.
Hypothesis cols_good : Forall (good (flip f)) cols.
Hypothesis rows_all : forall x y c, f x y = Some c -> rows_of rows x.
Hypothesis cols_all : forall x y c, f x y = Some c -> rows_of cols y.

Lemma fits_sound g a across l y b : good g l -> In b ks -> fits ks a across l = true -> bits across y ->
  g (fst l) y = Some b -> b = a.
Proof.
  intros G Hb H Hy E. unfold fits in H. rewrite forallb_forall in H. specialize (H b Hb).
  destruct (N.eqb_spec b a) as [|Ne]; [assumption|]. apply N.eqb_eq in H. exfalso. apply (no_common_bit _ _ H y); [|exact Hy].
  unfold bits. rewrite G, E. simpl. apply N.eqb_refl.
Qed.

Lemma told_sound g answers across l y b : good g l -> In b ks -> fits_told ks answers across l = true -> bits across y ->
  g (fst l) y = Some b -> told answers (fst l) = b.
Proof.
  unfold fits_told, told. intros G Hb H Hy E. destruct (answer_on answers (fst l)) as [a|]; [|discriminate].
  symmetry. eapply fits_sound; eauto.
Qed.

Lemma picked L x R : rows_of L x -> bits R x -> exists l, In l (pick R L) /\ fst l = x.
Proof.
  intros Hx HR. apply in_map_iff in Hx. destruct Hx as (l & <- & Hl). exists l. split; [apply pick_In; auto|reflexivity].
Qed.

Lemma tree_right_sound who t : forall R C, tree_right who ks rows cols R C t = true ->
  forall x y a, bits R x -> bits C y -> f x y = Some a -> said who (run (denote who t) x y) x y = a.
Proof.
  induction t as [b|answers|[] ones t0 IH0 t1 IH1]; simpl; intros R C H x y a Hx Hy E.
  - destruct (picked rows x R (rows_all _ _ _ E) Hx) as (l & Hl & <-). rewrite forallb_forall in H.
    pose proof (pick_good f R rows rows_good) as G. rewrite Forall_forall in G.
    pose proof (fits_sound f b C l y a (G l Hl) (ks_all _ _ _ E) (H l Hl) Hy E). destruct who; simpl; congruence.
  - destruct who; [discriminate| |].
    + destruct (picked rows x R (rows_all _ _ _ E) Hx) as (l & Hl & <-). rewrite forallb_forall in H.
      pose proof (pick_good f R rows rows_good) as G. rewrite Forall_forall in G.
      exact (told_sound f answers C l y a (G l Hl) (ks_all _ _ _ E) (H l Hl) Hy E).
    + destruct (picked cols y C (cols_all _ _ _ E) Hy) as (l & Hl & <-). rewrite forallb_forall in H.
      pose proof (pick_good (flip f) C cols cols_good) as G. rewrite Forall_forall in G.
      exact (told_sound (flip f) answers R l x a (G l Hl) (ks_all _ _ _ E) (H l Hl) Hx E).
  - decide_if H. destruct (N.testbit ones x) eqn:B.
    + apply (IH1 _ _ H x y a); auto. unfold bits in *. now rewrite N.land_spec, Hx, B.
    + apply (IH0 _ _ E0 x y a); auto. unfold bits in *. now rewrite N.ldiff_spec, Hx, B.
  - decide_if H. destruct (N.testbit ones y) eqn:B.
    + apply (IH1 _ _ H x y a); auto. unfold bits in *. now rewrite N.land_spec, Hy, B.
    + apply (IH0 _ _ E0 x y a); auto. unfold bits in *. now rewrite N.ldiff_spec, Hy, B.
Qed.
End Right.

(** The whole table. *)
Definition tree_computes (who : knowing) (t : table) (p : tree) : bool :=
  if regular t
  then tree_right who (codes_of t) (row_lines t) (column_lines t) (full (length t)) (full (width t)) p else false.

Theorem tree_computes_sound who t p : tree_computes who t p = true -> computes (cell t) who (denote who p).
Proof.
  unfold tree_computes. intros H. decide_if H. intros x y a E'.
  apply (tree_right_sound (cell t) (codes_of t) (row_lines t) (column_lines t)) with (R := full (length t)) (C := full (width t)); auto.
  - intros u v c. apply codes_of_all.
  - apply row_lines_good.
  - now apply column_lines_good.
  - intros u v c. apply row_lines_all.
  - intros u v c. now apply column_lines_all.
  - eapply promised_row; eauto.
  - eapply promised_column; eauto.
Qed.
