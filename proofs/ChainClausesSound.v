(** * Why clauses on sets of rectangles hold of those that lines have *)
From Coq Require Import List Arith Lia Bool NArith ZArith.
From Ccsim Require Import Specification Lines Chains ChainCovers Counting Tries Lrat ChainClauses CoverClausesSound.
Import ListNotations.
Open Scope N_scope.

(** ** Lists *)
Lemma distinct_images {S T} (g : S -> T) l : NoDup l -> (forall x y, In x l -> In y l -> g x = g y -> x = y) -> NoDup (map g l).
Proof.
  induction 1 as [|x l N D IH]; intros H; constructor.
  - intros I. apply in_map_iff in I. destruct I as (y & E & Hy). assert (y = x) by (apply H; simpl; auto). subst. contradiction.
  - apply IH. intros a b Ha Hb. apply H; now right.
Qed.

Lemma same_image {S T} (g : S -> T) l : NoDup (map g l) -> forall x y, In x l -> In y l -> g x = g y -> x = y.
Proof.
  induction l as [|a l IH]; simpl; intros D x y Hx Hy E; [elim Hx|]. inversion D as [|? ? N D']; subst.
  destruct Hx as [<-|Hx], Hy as [<-|Hy]; auto; exfalso; apply N; [rewrite E|rewrite <- E]; now apply in_map.
Qed.

Lemma choices_right {T} : forall (l some : list T) n, In some (choices n l) -> length some = n /\ incl some l /\ (NoDup l -> NoDup some).
Proof.
  induction l as [|x l IH]; intros some [|n] H; cbn [choices] in H.
  1, 3: destruct H as [<-|[]]; split; [reflexivity|]; split; [intros y []|intros _; constructor].
  - elim H.
  - destruct (Nat.ltb _ _); [elim H|]. apply in_app_iff in H. destruct H as [H|H].
    + apply in_map_iff in H. destruct H as (rest & <- & H). destruct (IH _ _ H) as (Len & I & D). split; [simpl; lia|]. split.
      * intros y [<-|Hy]; [now left|right; now apply I].
      * intros N. inversion N as [|? ? N1 N2]; subst. constructor; [|now apply D]. intros Hx. now apply N1, I.
    + destruct (IH _ _ H) as (Len & I & D). split; [exact Len|]. split; [intros y Hy; right; now apply I|].
      intros N. inversion N; subst. now apply D.
Qed.

(** Of more than are chosen some are left. *)
Lemma leavings_right {T} (dec : forall x y : T, {x = y} + {x <> y}) : forall (l rest : list T) n, In rest (leavings n l) ->
  forall W, NoDup W -> incl W l -> (n < length W)%nat -> exists w, In w W /\ In w rest.
Proof.
  induction l as [|x l IH]; intros rest [|n] H W D I Len; cbn [leavings] in H.
  1, 3: destruct H as [<-|[]]; destruct W as [|w W]; [simpl in Len; lia|]; exists w; split; [now left|apply I; now left].
  - elim H.
  - destruct (Nat.ltb _ _); [elim H|]. destruct (in_dec dec x W) as [Hx|Hx].
    + destruct (in_split _ _ Hx) as (W1 & W2 & ->). pose proof (NoDup_remove_1 _ _ _ D) as D1. pose proof (NoDup_remove_2 _ _ _ D) as D2.
      apply in_app_iff in H. destruct H as [H|H].
      * destruct (IH _ _ H (W1 ++ W2) D1) as (w & Hw & R).
        -- intros y Hy. destruct (I y) as [<-|Q]; [apply in_app_iff; apply in_app_iff in Hy; simpl; tauto|contradiction|exact Q].
        -- rewrite app_length in *. simpl in Len. lia.
        -- exists w. split; [|exact R]. apply in_app_iff. apply in_app_iff in Hw. simpl. tauto.
      * apply in_map_iff in H. destruct H as (rest' & <- & _). exists x. split; [exact Hx|now left].
    + assert (I' : incl W l) by (intros y Hy; destruct (I y Hy) as [<-|Q]; [contradiction|exact Q]).
      apply in_app_iff in H. destruct H as [H|H]; [apply (IH _ _ H W D I'); lia|].
      apply in_map_iff in H. destruct H as (rest' & <- & H). destruct (IH _ _ H W D I' Len) as (w & Hw & R). exists w. split; [exact Hw|now right].
Qed.

Lemma nth_listed {T} (default : T) l : map (fun i => nth i l default) (seq 0 (length l)) = l.
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [length seq map nth]. f_equal. rewrite <- seq_shift, map_map. exact IH.
Qed.

Lemma mask_bit {T} (p : T -> bool) l i : N.testbit (mask_of 0 (map (fun x => if p x then Some 0 else None) l)) i = true ->
  exists x, nth_error l (N.to_nat i) = Some x /\ p x = true.
Proof.
  rewrite mask_of_spec, nth_error_map. destruct (nth_error l (N.to_nat i)) as [x|]; simpl; [|discriminate].
  destruct (p x) eqn:E; [eauto|discriminate].
Qed.

Lemma filter_map_length {S T} (p : T -> bool) (g : S -> T) l : length (filter p (map g l)) = length (filter (fun x => p (g x)) l).
Proof. induction l as [|x l IH]; simpl; [reflexivity|]. destruct (p (g x)); simpl; now rewrite IH. Qed.

Lemma filter_length_le {T} (p q : T -> bool) l : (forall x, In x l -> p x = true -> q x = true) -> (length (filter p l) <= length (filter q l))%nat.
Proof.
  induction l as [|x l IH]; simpl; intros H; [lia|]. specialize (IH (fun y Hy => H y (or_intror Hy))). specialize (H x (or_introl eq_refl)).
  destruct (p x); [rewrite H by reflexivity; simpl; lia|]. destruct (q x); simpl; lia.
Qed.

(** If a number of units is only told where there are so many, as many are told at most. *)
Lemma units_told (p : nat -> bool) unit amount n : (forall i, p i = true -> N.of_nat i * unit <= amount) ->
  N.of_nat (length (filter p (seq 1 n))) * unit <= amount.
Proof.
  intros H. induction n as [|n IH]; [simpl; lia|]. rewrite seq_S, filter_app, app_length. simpl. destruct (p (S n)) eqn:E; simpl length; [|now rewrite Nat.add_0_r].
  assert (L : (length (filter p (seq 1 n)) <= n)%nat).
  { replace n with (length (seq 1 n)) at 2 by apply seq_length. generalize (seq 1 n) as l. clear. induction l as [|x l IH]; simpl; [lia|]. destruct (p x); simpl; lia. }
  specialize (H (S n) E). nia.
Qed.

(** ** Lines with sets, which have entries *)
Section Items.
Variables k d e : nat.
Variable pairs : list (sizes * Z).
Variable entries : list entry.
Context {item : Type}.
Variable items : list item.
Variable side : item -> bool.
Variable its : item -> N.

Definition present (column : bool) (A : N) : bool := existsb (fun p => Bool.eqb (side p) column && (its p =? A)) items.
Definition there (a : entry) : bool := present (of_column a) (the_set a).
Definition crosses (p q : item) : bool :=
  negb (Bool.eqb (side p) (side q)) && (if side p then inside_of (its q) (its p) else inside_of (its p) (its q)).
Definition sizes_at (p q : item) : sizes := if side p then (size_of k (its q), size_of k (its p)) else (size_of k (its p), size_of k (its q)).
Definition is_of (a : entry) (p : item) : bool := Bool.eqb (side p) (of_column a) && (its p =? the_set a).

Hypothesis names_right : forall n a, nth_error entries n = Some a -> label a = N.of_nat n.
Hypothesis many_right : forall a, In a entries -> many a = size_of k (the_set a).
Hypothesis entries_once : NoDup (map (fun a => (of_column a, the_set a)) entries).
Hypothesis entries_all : forall p, In p items -> exists a, In a entries /\ is_of a p = true.
Hypothesis items_distinct : NoDup items.
Hypothesis apart : forall p q, In p items -> In q items -> side p = side q -> inside_of (its p) (its q) = true -> p = q.
Hypothesis never : forall p q, In p items -> In q items -> side p = false -> side q = true -> inside_of (its q) (its p) = false.
Hypothesis degrees : forall p, In p items -> length (filter (crosses p) items) = degree d e (side p).
Hypothesis several : forall column, (1 < degree d e column)%nat.
Variable price : sizes -> Z.
Hypothesis prices : forall x, In x pairs -> snd x = price (fst x).
Hypothesis crossings_priced : forall p q, In p items -> In q items -> crosses p q = true -> exists x, In x pairs /\ fst x = sizes_at p q.

Variable spare : Z.
Variable usual : list sizes.
Variable loss : item -> N.
Hypothesis loss_least : forall p x, In p items ->
  (forall q, In q items -> crosses p q = true ->
     (Z.of_N x <= Z.of_nat (degree d e (side p)) * share_of usual (side p) (sizes_at p q) (price (sizes_at p q)))%Z) -> x <= loss p.

Lemma is_of_spec a p : is_of a p = true <-> side p = of_column a /\ its p = the_set a.
Proof. unfold is_of. now rewrite andb_true_iff, N.eqb_eq, eqb_true_iff. Qed.

Lemma there_spec a : there a = true <-> exists p, In p items /\ is_of a p = true.
Proof. unfold there, present. rewrite existsb_exists. reflexivity. Qed.

Lemma one_entry a b p : In a entries -> In b entries -> is_of a p = true -> is_of b p = true -> a = b.
Proof.
  intros Ha Hb A B. apply is_of_spec in A, B. apply (same_image (fun a => (of_column a, the_set a)) entries); auto. f_equal; destruct A, B; congruence.
Qed.

Lemma one_item a p q : In p items -> In q items -> is_of a p = true -> is_of a q = true -> p = q.
Proof.
  intros Hp Hq P Q. apply is_of_spec in P, Q. destruct P, Q. apply apart; auto; [congruence|]. apply inside_spec. intros i. congruence.
Qed.

Lemma one_name a b : In a entries -> In b entries -> label a = label b -> a = b.
Proof.
  intros Ha Hb E. apply In_nth_error in Ha, Hb. destruct Ha as [n Hn], Hb as [m Hm]. pose proof (names_right _ _ Hn). pose proof (names_right _ _ Hm).
  assert (n = m) by lia. subst. congruence.
Qed.

Lemma name_below a : In a entries -> label a < N.of_nat (length entries).
Proof.
  intros Ha. apply In_nth_error in Ha. destruct Ha as [n Hn]. rewrite (names_right _ _ Hn).
  assert (nth_error entries n <> None) as B by congruence. apply nth_error_Some in B. lia.
Qed.

Lemma price_of_crossing a b p q : In a entries -> In b entries -> In p items -> In q items -> is_of a p = true -> is_of b q = true -> crosses p q = true ->
  crossing_price pairs a b = Some (price (sizes_at p q)).
Proof.
  intros Ha Hb Hp Hq A B C. destruct (crossings_priced p q Hp Hq C) as (x & Hx & Ex). apply is_of_spec in A, B. destruct A as [A1 A2], B as [B1 B2].
  unfold crosses in C. apply andb_true_iff in C. destruct C as [C1 C2]. unfold crossing_price, part_of_column. rewrite <- A1, <- A2, <- B1, <- B2.
  apply negb_true_iff in C1. rewrite C1, C2. assert (S : sizes_of a b = sizes_at p q).
  { unfold sizes_of, sizes_at. rewrite <- A1, (many_right a Ha), (many_right b Hb), <- A2, <- B2. reflexivity. }
  rewrite S. destruct (find _ pairs) as [y|] eqn:F.
  - apply find_some in F. destruct F as [Hy Ey]. unfold same_sizes in Ey. apply andb_true_iff in Ey. destruct Ey as [E1 E2].
    apply Nat.eqb_eq in E1, E2. simpl. f_equal. rewrite (prices y Hy). f_equal. destruct (fst y), (sizes_at p q). simpl in *. congruence.
  - exfalso. apply (find_none _ _ F) in Hx. rewrite Ex in Hx. unfold same_sizes in Hx. now rewrite !Nat.eqb_refl in Hx.
Qed.

Lemma crossing_of_price a b p q c : is_of a p = true -> is_of b q = true -> crossing_price pairs a b = Some c -> crosses p q = true.
Proof.
  intros A B. apply is_of_spec in A, B. destruct A as [A1 A2], B as [B1 B2]. unfold crossing_price, part_of_column, crosses. rewrite A1, A2, B1, B2.
  destruct (Bool.eqb _ _); [discriminate|]. simpl. destruct (if of_column a then _ else _); [reflexivity|discriminate].
Qed.

Lemma near_spec a b c : In (b, c) (near pairs entries a) <-> In b entries /\ crossing_price pairs a b = Some c.
Proof.
  unfold near. rewrite in_flat_map. split.
  - intros (x & Hx & H). destruct (crossing_price pairs a x) as [y|] eqn:E; [|elim H]. destruct H as [[= <- <-]|[]]. auto.
  - intros [Hb E]. exists b. rewrite E. split; [exact Hb|now left].
Qed.

(** Two sets that exclude each other are not both there. *)
Lemma excluded_not_there a b : In a entries -> In b entries -> there a = true -> excluded pairs a b = true -> there b = false.
Proof.
  intros Ha Hb T X. apply not_true_is_false. intros T'. apply there_spec in T, T'. destruct T as (p & Hp & A), T' as (q & Hq & B).
  unfold excluded in X. rewrite !andb_true_iff, negb_true_iff, N.eqb_neq in X. destruct X as [[I Ne] C].
  pose proof A as A'. pose proof B as B'. apply is_of_spec in A', B'. destruct A' as [A1 A2], B' as [B1 B2]. rewrite <- A2, <- B2 in I.
  destruct (Bool.eqb (side p) (side q)) eqn:S.
  - apply eqb_prop in S. assert (p = q).
    { apply orb_true_iff in I. destruct I as [I|I]; [now apply apart|symmetry; now apply apart]. }
    subst q. apply Ne. f_equal. now apply (one_entry a b p).
  - assert (K : crosses p q = true).
    { unfold crosses. rewrite S. simpl. apply orb_true_iff in I. destruct (side p) eqn:P, (side q) eqn:Q; try discriminate;
        destruct I as [I|I]; try exact I; exfalso; [rewrite (never q p) in I|rewrite (never p q) in I]; auto; discriminate. }
    rewrite (price_of_crossing a b p q Ha Hb Hp Hq A B K) in C. discriminate.
Qed.

(** ** A value for each name *)
Section Value.
Variable value : N -> bool.
Hypothesis value_right : forall a, In a entries -> value (label a) = there a.

Lemma crossed_names a p : In a entries -> In p items -> is_of a p = true -> exists W, NoDup W /\ length W = degree d e (of_column a) /\
  (forall n, In n W -> exists b c, In (b, c) (near pairs entries a) /\ label b = n /\ there b = true) /\
  (forall b c, In (b, c) (near pairs entries a) -> there b = true -> In (label b) W).
Proof.
  intros Ha Hp A. set (entry_of q := match find (fun b => is_of b q) entries with Some b => b | None => a end).
  assert (E : forall q, In q items -> In (entry_of q) entries /\ is_of (entry_of q) q = true).
  { intros q Hq. unfold entry_of. destruct (find _ entries) as [b|] eqn:F; [now apply find_some in F|]. exfalso.
    destruct (entries_all q Hq) as (b & Hb & B). pose proof (find_none _ _ F b Hb) as N. cbv beta in N. congruence. }
  exists (map (fun q => label (entry_of q)) (filter (crosses p) items)). split; [|split; [|split]].
  - apply distinct_images; [now apply NoDup_filter|]. intros q q' Hq Hq' N. apply filter_In in Hq, Hq'. destruct Hq as [Hq _], Hq' as [Hq' _].
    destruct (E q Hq) as [E1 E2], (E q' Hq') as [E3 E4]. rewrite <- (one_name _ _ E1 E3 N) in E4. exact (one_item _ q q' Hq Hq' E2 E4).
  - rewrite map_length, degrees by exact Hp. apply is_of_spec in A. destruct A. congruence.
  - intros n Hn. apply in_map_iff in Hn. destruct Hn as (q & <- & Hq). apply filter_In in Hq. destruct Hq as [Hq C]. destruct (E q Hq) as [E1 E2].
    exists (entry_of q), (price (sizes_at p q)). split; [|split; [reflexivity|apply there_spec; eauto]]. apply near_spec. split; [exact E1|].
    now apply price_of_crossing.
  - intros b c H T. apply near_spec in H. destruct H as [Hb C]. apply there_spec in T. destruct T as (q & Hq & B). destruct (E q Hq) as [E1 E2].
    rewrite (one_entry b (entry_of q) q Hb E1 B E2). apply in_map_iff. exists q. split; [reflexivity|]. apply filter_In. split; [exact Hq|].
    exact (crossing_of_price a b p q c A B C).
Qed.

Lemma near_names_distinct a : NoDup (map (fun x => label (fst x)) (near pairs entries a)).
Proof.
  unfold near. assert (D : NoDup entries) by exact (NoDup_map_inv _ _ entries_once).
  assert (I : incl entries entries) by apply incl_refl. revert D I. generalize entries at 1 2 4 as l. induction l as [|b l IH]; intros D I; [constructor|].
  inversion D as [|? ? N D']; subst. specialize (IH D' (fun x Hx => I x (or_intror Hx))). cbn [flat_map]. destruct (crossing_price pairs a b) as [c|]; [|exact IH].
  cbn [app map fst]. constructor; [|exact IH]. intros H. apply in_map_iff in H. destruct H as ((b' & c') & E & H). apply in_flat_map in H.
  destruct H as (x & Hx & H). destruct (crossing_price pairs a x); [|elim H]. destruct H as [[= <- <-]|[]]. cbn [fst] in E.
  assert (x = b) by (apply one_name; [apply I; now right|apply I; now left|exact E]). subst. contradiction.
Qed.

Lemma crossings_hold a : In a entries -> Forall (holds_in value) (about_crossings k d e usual a (near pairs entries a)).
Proof.
  intros Ha. destruct (there a) eqn:T.
  2: { apply Forall_forall. intros clause H. exists (no (label a)). split; [|simpl; now rewrite value_right].
       unfold about_crossings in H. apply in_app_iff in H. destruct H as [H|H].
       - apply in_map_iff in H. destruct H as (rest & <- & _). now left.
       - apply in_flat_map in H. destruct H as (n & _ & H). apply in_map_iff in H. destruct H as (some & <- & _). now left. }
  pose proof T as T'. apply there_spec in T. destruct T as (p & Hp & A). destruct (crossed_names a p Ha Hp A) as (W & D & Len & W1 & W2).
  pose proof (several (of_column a)) as S. apply Forall_app. split; apply Forall_forall; intros clause H.
  - apply in_map_iff in H. destruct H as (rest & <- & H).
    destruct (leavings_right N.eq_dec _ _ _ H W D) as (w & Hw & R); [| |].
    + intros n Hn. destruct (W1 n Hn) as (b & c & Hb & <- & _). exact (in_map (fun x => label (fst x)) _ _ Hb).
    + lia.
    + exists (yes w). split; [right; now apply in_map|]. simpl. destruct (W1 w Hw) as (b & c & Hb & <- & Tb).
      apply near_spec in Hb. rewrite value_right by apply Hb. exact Tb.
  - apply in_flat_map in H. destruct H as (n & _ & H). apply in_map_iff in H. destruct H as (some & <- & H).
    apply choices_right in H. destruct H as (Ls & I & Ds).
    assert (NoDup some).
    { apply Ds. pose proof (near_names_distinct a) as N. revert N. generalize (near pairs entries a) as l. clear. induction l as [|x l IH]; simpl; [intros; constructor|].
      intros N. inversion N as [|? ? N1 N2]; subst. destruct (Nat.eqb _ _); [|now apply IH]. simpl. constructor; [|now apply IH].
      intros H. apply N1. apply in_map_iff in H. destruct H as (y & E & H). apply filter_In in H. apply in_map_iff. exists y. split; [exact E|apply H]. }
    destruct (forallb value some) eqn:F.
    + exfalso. assert (length some <= length W)%nat; [|lia]. apply NoDup_incl_length; [assumption|]. intros w Hw. rewrite forallb_forall in F. specialize (F w Hw).
      apply I, in_map_iff in Hw. destruct Hw as ((b & c) & <- & Hb). apply filter_In in Hb. destruct Hb as [Hb _]. apply (W2 b c Hb).
      apply near_spec in Hb. cbn [fst] in F. rewrite value_right in F by apply Hb. exact F.
    + assert (X : existsb (fun w => negb (value w)) some = true).
      { clear -F. induction some as [|w some IH]; simpl in *; [discriminate|]. destruct (value w); [now apply IH|reflexivity]. }
      apply existsb_exists in X. destruct X as (w & Hw & Vw). exists (no w). split; [right; now apply in_map|]. simpl. now apply negb_true_iff.
Qed.

(** ** Numbers of rectangles *)
Lemma named_value column A n : named entries column A = Some n -> value n = present column A.
Proof.
  unfold named. destruct (find _ entries) as [a|] eqn:F; [|discriminate]. intros [= <-]. apply find_some in F. destruct F as [Ha F].
  apply andb_true_iff in F. destruct F as [F1 F2]. apply eqb_prop in F1. apply N.eqb_eq in F2. subst. now apply value_right.
Qed.

(** Of rectangles that are alike so far, the first one is in a set if any is. *)
Definition first_of (column : bool) (A : N) (alike : list N) : Prop :=
  match alike with [] => True | first :: others => forall i, In i others -> present column (flip_bit A i) = true -> present column (flip_bit A first) = true end.

Fixpoint numbered_well (inside outside : list N) (A B : N) : Prop :=
  match inside, outside with
  | i :: inside', o :: outside' => first_of true A outside /\ first_of false B inside /\ numbered_well inside' outside' (flip_bit B i) (flip_bit A o)
  | _, _ => True
  end.

Lemma preferred_hold column A alike : first_of column A alike -> Forall (holds_in value) (preferred entries column A alike).
Proof.
  destruct alike as [|first others]; simpl; intros H; [constructor|]. destruct (named entries column (flip_bit A first)) as [one|] eqn:E; [|constructor].
  apply Forall_forall. intros clause C. apply in_flat_map in C. destruct C as (i & Hi & C). destruct (named entries column (flip_bit A i)) as [other|] eqn:E'; [|elim C].
  destruct C as [<-|[]]. destruct (value other) eqn:V; [|exists (no other); split; [now left|exact V]].
  exists (yes one). split; [right; now left|]. simpl. rewrite (named_value _ _ _ E). apply (H i Hi). now rewrite <- (named_value _ _ _ E').
Qed.

Lemma in_turn_hold : forall inside outside A B, numbered_well inside outside A B -> Forall (holds_in value) (in_turn entries inside outside A B).
Proof.
  induction inside as [|i inside IH]; intros [|o outside] A B H; try (now constructor). cbn [in_turn numbered_well] in *. destruct H as (H1 & H2 & H3).
  apply Forall_app. split; [now apply preferred_hold|]. apply Forall_app. split; [now apply preferred_hold|]. now apply IH.
Qed.

Lemma numbers_hold p : present false (N.ones (N.of_nat (fst p))) = true -> present true (N.ones (N.of_nat (snd p))) = true ->
  numbered_well (indices (fst p)) (skipn (snd p) (indices k)) (N.ones (N.of_nat (fst p))) (N.ones (N.of_nat (snd p))) ->
  Forall (holds_in value) (about_numbers k entries p).
Proof.
  intros PA PB W. unfold about_numbers. cbv zeta.
  assert (One : forall column A, present column A = true -> Forall (holds_in value) (match named entries column A with Some n => [[yes n]] | None => [] end)).
  { intros column A H. destruct (named entries column A) as [n|] eqn:E; [|constructor]. constructor; [|constructor]. exists (yes n). split; [now left|].
    simpl. now rewrite (named_value _ _ _ E). }
  apply Forall_app. split; [now apply One|]. apply Forall_app. split; [now apply One|]. now apply in_turn_hold.
Qed.

(** ** What is lost *)
Definition fails (tail : list literal) : bool := forallb (fun l => negb (Bool.eqb (value (snd l)) (fst l))) tail.

Definition step_lost (s : N * N) : bool := forallb (fun p => negb (around s (its p))) items.

Lemma steps_failing steps : (length (filter fails (map (step_kept entries) steps)) <= length (filter step_lost steps))%nat.
Proof.
  rewrite filter_map_length. apply filter_length_le. intros s _ F. unfold fails in F. rewrite forallb_forall in F. apply forallb_forall. intros p Hp.
  destruct (entries_all p Hp) as (a & Ha & A). destruct (around s (its p)) eqn:R; [exfalso|reflexivity].
  specialize (F (yes (label a))). cbn [fst snd yes] in F. rewrite value_right in F by exact Ha.
  assert (T : there a = true) by (apply there_spec; eauto). rewrite T in F. discriminate F. apply (in_map (fun a => yes (label a))). apply filter_In.
  split; [exact Ha|]. apply is_of_spec in A. destruct A as [_ A]. now rewrite <- A.
Qed.

Lemma line_failing unit a : In a entries -> (0 <= unit)%Z ->
  N.of_nat (length (filter fails (lines_lose d e spare usual unit a (near pairs entries a)))) * Z.to_N unit <= sum_over items (fun p => if is_of a p then loss p else 0).
Proof.
  intros Ha U. unfold lines_lose. rewrite filter_map_length. apply units_told. intros i F. unfold fails in F. cbn [line_loses forallb] in F.
  apply andb_true_iff in F. destruct F as [F1 F2]. cbn [no fst snd] in F1. rewrite value_right in F1 by exact Ha.
  assert (T : there a = true) by (now destruct (there a)). apply there_spec in T. destruct T as (p & Hp & A).
  eapply N.le_trans; [|apply (sum_ge items _ p Hp)]. cbv beta. rewrite A. apply loss_least; [exact Hp|]. intros q Hq C.
  destruct (entries_all q Hq) as (b & Hb & B). pose proof (price_of_crossing a b p q Ha Hb Hp Hq A B C) as Price.
  destruct (Z.ltb (answers_for d e usual a (b, price (sizes_at p q))) (Z.of_nat i * unit)) eqn:Less.
  - exfalso. rewrite forallb_forall in F2. specialize (F2 (yes (label b))). cbn [yes fst snd] in F2. rewrite value_right in F2 by exact Hb.
    assert (T : there b = true) by (apply there_spec; eauto). rewrite T in F2. discriminate F2.
    apply (in_map (fun x => yes (label (fst x))) _ (b, price (sizes_at p q))). apply filter_In. split; [|exact Less]. now apply near_spec.
  - apply Z.ltb_ge in Less. unfold answers_for in Less. cbn [fst snd] in Less. apply is_of_spec in A, B. destruct A as [A1 A2], B as [B1 B2].
    assert (S : sizes_of a b = sizes_at p q).
    { unfold sizes_of, sizes_at. rewrite <- A1, (many_right a Ha), (many_right b Hb), <- A2, <- B2. reflexivity. }
    rewrite S, <- A1 in Less. rewrite N2Z.inj_mul, Z2N.id, nat_N_Z by exact U. exact Less.
Qed.

Lemma lines_failing unit : (0 <= unit)%Z ->
  N.of_nat (length (filter fails (flat_map (fun x => lines_lose d e spare usual unit (fst x) (snd x)) (map (fun a => (a, near pairs entries a)) entries)))) * Z.to_N unit <=
  sum_over items loss.
Proof.
  intros U. eapply N.le_trans with (sum_over entries (fun a => sum_over items (fun p => if is_of a p then loss p else 0))).
  - assert (I : incl entries entries) by apply incl_refl. revert I. generalize entries at 1 4 5 as l. induction l as [|a l IH]; intros I; [simpl; lia|].
    cbn [map flat_map fst snd]. rewrite filter_app, app_length, Nat2N.inj_add, N.mul_add_distr_r.
    change (sum_over (a :: l) (fun a => sum_over items (fun p => if is_of a p then loss p else 0))) with
      (sum_over items (fun p => if is_of a p then loss p else 0) + sum_over l (fun a => sum_over items (fun p => if is_of a p then loss p else 0))).
    apply N.add_le_mono; [apply line_failing; [apply I; now left|exact U]|]. apply IH. intros x Hx. apply I. now right.
  - rewrite sum_swap. apply sum_le. intros p Hp. destruct (entries_all p Hp) as (a & Ha & A).
    eapply N.le_trans; [apply (sum_single entries _ a (NoDup_map_inv _ _ entries_once))|].
    + intros b Hb Ne. destruct (is_of b p) eqn:B; [|reflexivity]. elim Ne. now apply (one_entry b a p).
    + cbv beta. destruct (is_of a p); lia.
Qed.
End Value.

(** ** The clauses of a pair that is the first *)
Let level := level_of pairs.
Let unit := unit_of k d e level.
Let nears := map (fun a => (a, near pairs entries a)) entries.
Let tails := unless_lost k d e spare usual entries level unit nears.
Let first := N.of_nat (length entries).
Hypothesis unit_some : (0 < unit)%Z.
Hypothesis spare_some : (0 <= spare)%Z.
Hypothesis in_all : N.of_nat (length (filter step_lost (steps_at k level))) * Z.to_N unit + sum_over items loss <= Z.to_N spare.
Definition first_is_right (pairs : list (sizes * Z)) : Prop :=
  match pairs with
  | [] => True
  | (p, _) :: _ => present false (N.ones (N.of_nat (fst p))) = true /\ present true (N.ones (N.of_nat (snd p))) = true /\
      numbered_well (indices (fst p)) (skipn (snd p) (indices k)) (N.ones (N.of_nat (fst p))) (N.ones (N.of_nat (snd p)))
  end.
Hypothesis first_right : first_is_right pairs.

Definition of_set (n : N) : bool := existsb (fun a => (label a =? n) && there a) entries.
Definition with_lost (v : N) : bool := if v <? first then of_set v else fails of_set (nth (N.to_nat (v - first)) tails []).

Lemma of_set_right a : In a entries -> of_set (label a) = there a.
Proof.
  intros Ha. apply eq_true_iff_eq. unfold of_set. rewrite existsb_exists. split.
  - intros (b & Hb & H). apply andb_true_iff in H. destruct H as [E T]. apply N.eqb_eq in E. now rewrite <- (one_name b a Hb Ha E).
  - intros T. exists a. rewrite N.eqb_refl. auto.
Qed.

Lemma tails_below tail l : In tail tails -> In l tail -> snd l < first.
Proof.
  intros Ht Hl. unfold tails, unless_lost in Ht. apply in_app_iff in Ht. destruct Ht as [Ht|Ht].
  - apply in_map_iff in Ht. destruct Ht as (s & <- & _). apply in_map_iff in Hl. destruct Hl as (a & <- & Ha). apply filter_In in Ha. apply name_below, Ha.
  - apply in_flat_map in Ht. destruct Ht as (x & Hx & Ht). unfold nears in Hx. apply in_map_iff in Hx. destruct Hx as (a & <- & Ha).
    apply in_map_iff in Ht. destruct Ht as (i & <- & _). destruct Hl as [<-|Hl]; [now apply name_below|].
    apply in_map_iff in Hl. destruct Hl as ((b & c) & <- & Hb). apply filter_In in Hb. destruct Hb as [Hb _]. cbn [fst snd] in *. apply near_spec in Hb. now apply name_below.
Qed.

Lemma few_lost : (length (filter (fails of_set) tails) <= Z.to_nat (spare / unit))%nat.
Proof.
  unfold tails, unless_lost. rewrite filter_app, app_length.
  pose proof (steps_failing of_set of_set_right (steps_at k level)) as S. pose proof (lines_failing of_set of_set_right unit ltac:(lia)) as Lines. fold nears in Lines.
  set (x := length (filter (fails of_set) (map _ _))) in *. set (y := length (filter (fails of_set) (flat_map _ _))) in *.
  set (z := length (filter step_lost (steps_at k level))) in *.
  assert (T : (Z.of_nat (x + y) * unit <= spare)%Z).
  { assert (N.of_nat x * Z.to_N unit <= N.of_nat z * Z.to_N unit) by (apply N.mul_le_mono_r; lia).
    assert (Q : (N.of_nat x + N.of_nat y) * Z.to_N unit <= Z.to_N spare) by lia. apply N2Z.inj_le in Q.
    rewrite N2Z.inj_mul, N2Z.inj_add, !nat_N_Z, !Z2N.id in Q by lia. lia. }
  apply Nat2Z.inj_le. rewrite Z2Nat.id by (apply Z.div_pos; lia). apply Z.div_le_lower_bound; lia.
Qed.

Lemma lost_true : true_ones with_lost (fresh first (length tails)) = length (filter (fails of_set) tails).
Proof.
  unfold true_ones, fresh. rewrite filter_map_length. rewrite <- (nth_listed [] tails) at 2. rewrite filter_map_length. f_equal. apply filter_ext.
  intros i. unfold with_lost. destruct (N.ltb_spec (first + N.of_nat i) first); [lia|]. now replace (N.to_nat (first + N.of_nat i - first)) with i by lia.
Qed.

Lemma clauses_hold : exists value, (forall a, In a entries -> value (label a) = there a) /\
  first <= snd (numbered_clauses k d e spare usual pairs entries) /\ Forall (holds_in value) (fst (numbered_clauses k d e spare usual pairs entries)).
Proof.
  destruct (at_most_holds (Z.to_nat (spare / unit)) (fresh first (length tails)) (first + N.of_nat (length tails)) with_lost) as (Le & value & A & F).
  { apply fresh_below. }
  { rewrite lost_true. apply few_lost. }
  assert (V : forall v, v < first -> value v = of_set v).
  { intros v H. rewrite A by lia. unfold with_lost. apply N.ltb_lt in H. now rewrite H. }
  assert (R : forall a, In a entries -> value (label a) = there a).
  { intros a Ha. rewrite V by now apply name_below. now apply of_set_right. }
  exists value. split; [exact R|]. unfold numbered_clauses. cbv zeta. fold level. fold unit. fold nears. fold tails. fold first.
  destruct (at_most _ _ _) as [few variables]. cbn [fst snd] in *. split; [lia|]. apply Forall_app. split; [|apply Forall_app; split; [|apply Forall_app; split]].
  - apply Forall_map, Forall_forall. intros [x tail] H. cbn [fst snd]. apply (In_nth _ _ (0, [])) in H. destruct H as (i & Li & E).
    rewrite combine_nth in E by apply fresh_length. rewrite combine_length, fresh_length in Li. injection E as <- <-.
    change (nth i (fresh first (length tails)) 0) with (place (fresh first (length tails)) i). rewrite place_fresh by lia.
    assert (Ht : In (nth i tails []) tails) by (apply nth_In; lia).
    destruct (fails of_set (nth i tails [])) eqn:F'.
    + exists (yes (first + N.of_nat i)). split; [now left|]. cbn [yes fst snd]. rewrite A by lia. unfold with_lost.
      destruct (N.ltb_spec (first + N.of_nat i) first); [lia|]. now replace (N.to_nat (first + N.of_nat i - first)) with i by lia.
    + assert (X : existsb (fun l => Bool.eqb (of_set (snd l)) (fst l)) (nth i tails []) = true).
      { revert F'. generalize (nth i tails []) as tail. clear. induction tail as [|l tail IH]; simpl; [discriminate|]. destruct (Bool.eqb _ _); [reflexivity|exact IH]. }
      apply existsb_exists in X. destruct X as (l & Hl & E). exists l. split; [now right|]. rewrite V by now apply (tails_below (nth i tails [])). now apply eqb_prop.
  - apply Forall_forall. intros clause H. apply in_flat_map in H. destruct H as (x & Hx & H). unfold nears in Hx. apply in_map_iff in Hx. destruct Hx as (a & <- & Ha).
    pose proof (crossings_hold value R a Ha) as C. rewrite Forall_forall in C. now apply C.
  - assert (K : forall ps, first_is_right ps -> Forall (holds_in value) (match ps with [] => [] | p :: _ => about_numbers k entries (fst p) end)).
    { intros [|[p c] ps]; [constructor|]. intros (P1 & P2 & P3). now apply numbers_hold. }
    now apply K.
  - exact F.
Qed.

Theorem pair_not_refuted steps : pair_refuted k d e spare usual entries pairs steps = false.
Proof.
  unfold pair_refuted. destruct clauses_hold as (value & R & Le & H). destruct (numbered_clauses _ _ _ _ _ _ _) as [clauses variables]. cbn [fst snd] in *.
  destruct (forallb (forallb (fun l : literal => snd l <? variables)) clauses) eqn:B; [|reflexivity]. cbn [andb]. rewrite forallb_forall in B.
  set (masks := numbered long 0 (map (excluded_by pairs entries) entries)).
  assert (M : all (fun n mask => exists a, nth_error entries (N.to_nat n) = Some a /\ mask = excluded_by pairs entries a) masks).
  { apply all_numbered. intros n mask E. rewrite nth_error_map in E. destruct (nth_error entries n) as [a|] eqn:Ea; [|discriminate]. injection E as <-.
    exists a. split; [|reflexivity]. now replace (N.to_nat (0 + N.of_nat n)) with n by lia. }
  assert (Set_at : forall n a, nth_error entries (N.to_nat n) = Some a -> In a entries /\ true_one variables value n = there a).
  { intros n a E. pose proof (nth_error_In _ _ E) as Ha. split; [exact Ha|]. pose proof (names_right _ _ E) as N. rewrite N2Nat.id in N.
    pose proof (name_below a Ha). unfold true_one. destruct (N.ltb_spec n variables); [|unfold first in Le; lia]. rewrite <- N. now apply R. }
  destruct (follows _ _ _ _ _ _ _) eqn:F; [|reflexivity]. exfalso. revert F. apply (follows_sound variables _ _ value).
  - intros literal T. unfold falsified_by_set. apply all_false_lor.
    + destruct (N.ltb_spec literal (2 * variables)) as [L|]; [|intros b K; now rewrite N.bits_0 in K].
      intros b K. apply bit_of in K. subst b. now rewrite true_denied, T.
    + destruct (lookup long literal masks) as [mask|] eqn:E; [|intros b K; now rewrite N.bits_0 in K].
      eapply all_lookup in E; [|exact M]. destruct E as (a & Ea & ->). intros b K. apply mask_bit in K. destruct K as (x & Ex & X).
      destruct (Set_at _ _ Ea) as [Ha Ta], (Set_at _ _ Ex) as [Hx Tx]. rewrite Tx. rewrite Ta in T. now apply (excluded_not_there a x).
  - intros number clause. apply (all_lookup (fun _ clause => satisfied variables value clause)). apply all_numbered. intros n clause' E.
    rewrite nth_error_map in E. destruct (nth_error clauses n) as [ls|] eqn:En; [|discriminate]. injection E as <-. apply nth_error_In in En.
    specialize (B ls En). rewrite forallb_forall in B. rewrite Forall_forall in H. destruct (H ls En) as (l & Hl & V). specialize (B l Hl). apply N.ltb_lt in B.
    apply Exists_exists. exists (coded variables l). split; [now apply in_map|]. unfold coded, true_one. destruct (fst l).
    + apply N.ltb_lt in B. now rewrite B.
    + destruct (N.ltb_spec (snd l + variables) variables); [lia|]. rewrite N.add_sub, V. reflexivity.
  - intros b K. now rewrite N.bits_0 in K.
  - exact I.
Qed.
End Items.
