(** * Covers by sets of rectangles: which rectangles each row is in, found by a search *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Lines Elimination Refutation RefutationSound OneMessage.
Import ListNotations.
Open Scope N_scope.

(** A row: its number, the columns in which it has the answer, and those in which it has another one. *)
Notation shown := (N * (N * N))%type.
Definition own (e : shown) : N := fst (snd e).
Definition foreign (e : shown) : N := snd (snd e).

(** Sets of rectangles are numbers, and sets of these masks over them. Some sets with more of the rectangles of the steps. *)
Fixpoint grow (steps : list (N * N)) (sets : N) : N :=
  match steps with
  | [] => sets
  | (p, without) :: rest => grow rest (N.lor sets (N.shiftl (N.land sets without) (N.shiftl 1 p)))
  end.

Definition sets_without (every : list N) (p : N) : N :=
  fold_right (fun s sets => if N.testbit s p then sets else N.setbit sets s) 0 every.

Definition some_sets (l : list N) : N := fold_right (fun s sets => N.setbit sets s) 0 l.

(** How many sets there are decides the order of rows, and nothing else. *)
Fixpoint ones_in (p : positive) : N :=
  match p with xH => 1 | xO rest => ones_in rest | xI rest => N.succ (ones_in rest) end.
Definition count_bits (n : N) : N := match n with N0 => 0 | Npos p => ones_in p end.

Notation open_row := (shown * N)%type. (* and the sets that it may have *)

Fixpoint take_least (left : list open_row) : option (open_row * list open_row) :=
  match left with
  | [] => None
  | e :: rest =>
      match take_least rest with
      | None => Some (e, [])
      | Some (f, others) => if count_bits (snd e) <=? count_bits (snd f) then Some (e, rest) else Some (f, e :: others)
      end
  end.

(** Of rectangles that are alike, those in the set come first. *)
Definition comes_first (s some : N) : bool :=
  let inside := N.land some s in
  if inside =? 0 then true else N.land (N.ldiff some s) (N.ones (N.log2 inside)) =? 0.

Section Search.
Variable steps : list (N * N).
Variable every : list N.

(** Columns with the rectangles that cannot contain them, once a row has a set; and the sets that others cannot have. *)
Fixpoint next_columns (assigned : list (shown * N)) (e : shown) (s : N) (columns : list (N * N)) :
  option (list (N * N) * list (N * (N * N))) :=
  match columns with
  | [] => Some ([], [])
  | (c, barred) :: rest =>
      if N.testbit (N.lor (own e) (foreign e)) c then
        let now := if N.testbit (foreign e) c then N.lor barred s else barred in
        let missing := nodup N.eq_dec (map (fun a => N.ldiff (snd a) now) (filter (fun a => N.testbit (own (fst a)) c) assigned)) in
        if existsb (N.eqb 0) missing then None
        else match next_columns assigned e s rest with
             | Some (others, removed) =>
                 Some ((c, now) :: others,
                       (c, (grow (filter (fun step => N.testbit now (fst step)) steps) 1, grow steps (some_sets missing))) :: removed)
             | None => None
             end
      else match next_columns assigned e s rest with
           | Some (others, removed) => Some ((c, barred) :: others, removed)
           | None => None
           end
  end.

Fixpoint remaining (e : shown) (removed : list (N * (N * N))) (may : N) : N :=
  match removed with
  | [] => may
  | (c, (parts, wholes)) :: rest =>
      let may := if N.testbit (own e) c then N.ldiff may parts else may in
      remaining e rest (if N.testbit (foreign e) c then N.ldiff may wholes else may)
  end.

Fixpoint cut (removed : list (N * (N * N))) (left : list open_row) : option (list open_row) :=
  match left with
  | [] => Some []
  | (e, may) :: rest =>
      let now := remaining e removed may in
      if now =? 0 then None else match cut removed rest with Some others => Some ((e, now) :: others) | None => None end
  end.

Definition halved (alike : list N) (s : N) : list N :=
  filter (fun some => negb (some =? 0)) (map (fun some => N.land some s) alike ++ map (fun some => N.ldiff some s) alike).

(** No sets for the rows that are left go with those of the others. *)
Fixpoint no_sets (fuel : nat) (assigned : list (shown * N)) (columns : list (N * N)) (left : list open_row) (alike : list N) : bool :=
  match fuel, take_least left with
  | S fuel, Some ((e, may), others) =>
      forallb (fun s =>
        if N.testbit may s then
          if forallb (comes_first s) alike then
            match next_columns ((e, s) :: assigned) e s columns with
            | None => true
            | Some (columns', removed) =>
                match cut removed others with
                | None => true
                | Some left' => no_sets fuel ((e, s) :: assigned) columns' left' (halved alike s)
                end
            end
          else true
        else true) every
  | _, _ => false
  end.
End Search.

Lemma grow_spec steps : Forall (fun step => forall s, N.testbit (snd step) s = true -> N.testbit s (fst step) = false) steps ->
  forall sets s, N.testbit (grow steps sets) s = true -> exists u, N.testbit sets u = true /\
    (forall t, N.testbit u t = true -> N.testbit s t = true) /\
    (forall t, N.testbit s t = true -> N.testbit u t = true \/ In t (map fst steps)).
Proof.
  induction 1 as [|[p without] steps W _ IH]; intros sets s H; cbn [grow map fst snd] in *; [exists s; auto|].
  apply IH in H. destruct H as (v & Hv & Up & Down). rewrite N.lor_spec in Hv. destruct (N.testbit sets v) eqn:E.
  - exists v. split; [exact E|]. split; [exact Up|]. intros t Ht. destruct (Down t Ht); simpl; auto.
  - rewrite orb_false_l, N.shiftl_1_l in Hv. destruct (N.lt_ge_cases v (2 ^ p)) as [L|L]; [now rewrite N.shiftl_spec_low in Hv by exact L|].
    rewrite N.shiftl_spec_high' in Hv by exact L. rewrite N.land_spec in Hv. apply andb_true_iff in Hv. destruct Hv as [Hu Wu].
    apply W in Wu. set (u := v - 2 ^ p) in *.
    assert (Z : N.land u (2 ^ p) = 0).
    { apply N.bits_inj. intros t. rewrite N.land_spec, N.pow2_bits_eqb, N.bits_0. destruct (N.eqb_spec p t) as [<-|]; [now rewrite Wu|apply andb_false_r]. }
    assert (V : v = N.lor u (2 ^ p)) by (rewrite <- N.lxor_lor, <- N.add_nocarry_lxor by exact Z; unfold u; lia).
    assert (B : forall t, N.testbit v t = N.testbit u t || (p =? t)) by (intros t; now rewrite V, N.lor_spec, N.pow2_bits_eqb).
    exists u. split; [exact Hu|]. split.
    + intros t Ht. apply Up. now rewrite B, Ht.
    + intros t Ht. destruct (Down t Ht) as [K|K]; [|simpl; auto]. rewrite B in K. apply orb_true_iff in K. destruct K as [K|K]; [auto|].
      apply N.eqb_eq in K. simpl. auto.
Qed.

Lemma some_sets_spec l s : N.testbit (some_sets l) s = true -> In s l.
Proof.
  induction l as [|u l IH]; simpl; [discriminate|]. rewrite N.setbit_eqb, orb_true_iff, N.eqb_eq. intros [H|H]; auto.
Qed.

Lemma sets_without_spec every p s : N.testbit (sets_without every p) s = true -> N.testbit s p = false.
Proof.
  induction every as [|u every IH]; simpl; [discriminate|]. destruct (N.testbit u p) eqn:E; [exact IH|].
  rewrite N.setbit_eqb, orb_true_iff, N.eqb_eq. intros [<-|H]; auto.
Qed.

Lemma take_least_In left : forall e others, take_least left = Some (e, others) -> In e left /\ incl others left.
Proof.
  induction left as [|e left IH]; simpl; intros f others H; [discriminate|]. destruct (take_least left) as [[g rest]|].
  - destruct (IH g rest eq_refl) as [I1 I2]. destruct (_ <=? _); injection H as <- <-.
    + split; [now left|]. intros x Hx. now right.
    + split; [now right|]. intros x [<-|Hx]; [now left|right; auto].
  - injection H as <- <-. split; [now left|]. intros x [].
Qed.

(** *** Numbers from bits *)
Fixpoint number (g : N -> bool) (k : nat) : N :=
  match k with O => 0 | S k => if g (N.of_nat k) then N.setbit (number g k) (N.of_nat k) else number g k end.

Lemma number_spec g k t : N.testbit (number g k) t = (t <? N.of_nat k) && g t.
Proof.
  induction k as [|k IH]; [cbn [number]; rewrite N.bits_0; now destruct t|]. cbn [number].
  destruct (N.ltb_spec t (N.of_nat (S k))) as [L|L].
  - destruct (N.eq_dec t (N.of_nat k)) as [->|Ne].
    + destruct (g (N.of_nat k)) eqn:E; [now rewrite N.setbit_eq|]. rewrite IH. now rewrite andb_false_r.
    + assert (B : (t <? N.of_nat k) = true) by (apply N.ltb_lt; lia). destruct (g (N.of_nat k)); [rewrite N.setbit_neq by congruence|]; now rewrite IH, B.
  - assert (B : (t <? N.of_nat k) = false) by (apply N.ltb_ge; lia). destruct (g (N.of_nat k)); [rewrite N.setbit_neq by lia|]; now rewrite IH, B.
Qed.

Lemma number_below g k : number g k < 2 ^ N.of_nat k.
Proof.
  destruct (N.eq_dec (number g k) 0) as [->|Ne]; [apply N.neq_0_lt_0, N.pow_nonzero; discriminate|].
  apply N.log2_lt_pow2; [lia|]. pose proof (N.bit_log2 _ Ne) as B. rewrite number_spec in B. apply andb_true_iff in B. now apply N.ltb_lt.
Qed.

Lemma less_by_bit a b j : N.testbit a j = false -> N.testbit b j = true -> (forall t, j < t -> N.testbit a t = N.testbit b t) -> a < b.
Proof.
  intros A B H. assert (E : N.shiftr a (N.succ j) = N.shiftr b (N.succ j)).
  { apply N.bits_inj. intros t. rewrite !N.shiftr_spec'. apply H. lia. }
  assert (S : forall n, N.shiftr n j = 2 * N.shiftr n (N.succ j) + N.b2n (N.testbit n j)).
  { intros n. replace (N.shiftr n (N.succ j)) with (N.div2 (N.shiftr n j)) by (rewrite <- N.add_1_r, <- N.shiftr_shiftr; apply N.div2_spec).
    rewrite (N.div2_odd (N.shiftr n j)) at 1. f_equal. f_equal. rewrite <- N.bit0_odd, N.shiftr_spec'. reflexivity. }
  assert (K : N.shiftr b j = N.shiftr a j + 1) by (rewrite !S, A, B, E; simpl; lia).
  rewrite !N.shiftr_div_pow2 in K. assert (P : 2 ^ j <> 0) by (apply N.pow_nonzero; discriminate).
  pose proof (N.div_mod a (2 ^ j) P) as Da. pose proof (N.mod_lt a (2 ^ j) P) as M. pose proof (N.div_mod b (2 ^ j) P) as Db.
  rewrite K, N.mul_add_distr_l, N.mul_1_r in Db. revert Da Db M.
  generalize (a mod 2 ^ j). generalize (b mod 2 ^ j). generalize (2 ^ j * (a / 2 ^ j)). generalize (2 ^ j). clear. intros p m u r -> -> M. lia.
Qed.

(** ** Why the search is right *)
Section Sound.
Variable f : N -> N -> option N.
Variable a : N.
Variable k : nat.

(** Rectangles by number: their rows, their columns. *)
Definition cover_by (R C : N -> N -> bool) : Prop :=
  (forall x y, f x y = Some a -> exists t, t < N.of_nat k /\ R t x = true /\ C t y = true) /\
  (forall t x y b, R t x = true -> C t y = true -> f x y = Some b -> b = a).

Definition set_of (R : N -> N -> bool) (x : N) : N := number (fun t => R t x) k.

Lemma set_of_spec R x t : N.testbit (set_of R x) t = (t <? N.of_nat k) && R t x.
Proof. exact (number_spec (fun t => R t x) k t). Qed.

Definition true_row (e : shown) : Prop :=
  (forall y, N.testbit (own e) y = true -> f (fst e) y = Some a) /\
  (forall y, N.testbit (foreign e) y = true -> exists b, f (fst e) y = Some b /\ b <> a).

Definition agrees (R : N -> N -> bool) (assigned : list (shown * N)) : Prop :=
  Forall (fun d => set_of R (fst (fst d)) = snd d) assigned.

Definition true_rows (assigned : list (shown * N)) : Prop := Forall (fun d => true_row (fst d)) assigned.

(** What is barred from a column. *)
Definition barred_by (assigned : list (shown * N)) (column : N * N) : Prop :=
  forall t, N.testbit (snd column) t = true ->
    exists d, In d assigned /\ N.testbit (foreign (fst d)) (fst column) = true /\ N.testbit (snd d) t = true.

Lemma barred_from R C assigned c b t : cover_by R C -> agrees R assigned -> true_rows assigned -> barred_by assigned (c, b) ->
  N.testbit b t = true -> C t c = false.
Proof.
  intros [_ Own] A T B H. destruct (B t H) as (d & Hd & Fo & St). unfold agrees, true_rows in *. rewrite Forall_forall in A, T.
  destruct (proj2 (T d Hd) c Fo) as (e & E & Ne). destruct (C t c) eqn:Q; [exfalso|reflexivity].
  apply Ne, (Own t (fst (fst d)) c e); [|exact Q|exact E]. rewrite <- (A d Hd), set_of_spec in St. now apply andb_true_iff in St.
Qed.

Lemma in_some_rectangle R C assigned c b e : cover_by R C -> agrees R assigned -> true_rows assigned -> barred_by assigned (c, b) ->
  true_row e -> N.testbit (own e) c = true -> exists t, N.testbit (set_of R (fst e)) t = true /\ C t c = true /\ N.testbit b t = false.
Proof.
  intros V A T B [Own _] H. pose proof (proj1 V _ _ (Own c H)) as (t & L & Hr & Hc). exists t. split; [|split; [exact Hc|]].
  - rewrite set_of_spec, Hr. apply N.ltb_lt in L. now rewrite L.
  - destruct (N.testbit b t) eqn:E; [|reflexivity]. pose proof (barred_from R C assigned c b t V A T B E). congruence.
Qed.

Lemma outside_of_foreign R C e c t : cover_by R C -> true_row e -> N.testbit (foreign e) c = true -> C t c = true ->
  N.testbit (set_of R (fst e)) t = false.
Proof.
  intros [_ V] [_ Fo] H Q. destruct (Fo c H) as (b & E & Ne). rewrite set_of_spec. destruct (R t (fst e)) eqn:K; [|apply andb_false_r].
  exfalso. apply Ne. eapply V; eauto.
Qed.

Variable steps : list (N * N).
Hypothesis steps_good : Forall (fun step => forall s, N.testbit (snd step) s = true -> N.testbit s (fst step) = false) steps.

Lemma fewer_steps (g : N * N -> bool) :
  Forall (fun step => forall s, N.testbit (snd step) s = true -> N.testbit s (fst step) = false) (filter g steps).
Proof. apply Forall_forall. intros s H. apply filter_In in H. rewrite Forall_forall in steps_good. now apply steps_good. Qed.

(** Sets that no other row can have. *)
Definition rightly_removed (assigned : list (shown * N)) (removed : N * (N * N)) : Prop :=
  forall R C e, cover_by R C -> agrees R assigned -> true_row e ->
    (N.testbit (own e) (fst removed) = true -> N.testbit (fst (snd removed)) (set_of R (fst e)) = false) /\
    (N.testbit (foreign e) (fst removed) = true -> N.testbit (snd (snd removed)) (set_of R (fst e)) = false).

Lemma next_columns_sound assigned e s columns : true_rows assigned -> In (e, s) assigned -> Forall (barred_by assigned) columns ->
  match next_columns steps assigned e s columns with
  | None => forall R C, cover_by R C -> agrees R assigned -> False
  | Some (columns', removed) => Forall (barred_by assigned) columns' /\ Forall (rightly_removed assigned) removed
  end.
Proof.
  intros T I. induction 1 as [|[c b] columns B _ IH]; cbn [next_columns]; [split; constructor|].
  destruct (N.testbit (N.lor (own e) (foreign e)) c) eqn:Q.
  2: { destruct (next_columns steps assigned e s columns) as [[others removed]|]; [|exact IH]. destruct IH. split; [now constructor|assumption]. }
  set (now := if N.testbit (foreign e) c then N.lor b s else b) in *.
  set (missing := nodup N.eq_dec _). assert (Bn : barred_by assigned (c, now)).
  { unfold now. destruct (N.testbit (foreign e) c) eqn:Fo; [|exact B]. intros t Ht. cbn [fst snd] in *. rewrite N.lor_spec in Ht.
    apply orb_true_iff in Ht. destruct Ht as [Ht|Ht]; [now apply B|]. exists (e, s). auto. }
  assert (M : forall m, In m missing -> exists d, In d assigned /\ N.testbit (own (fst d)) c = true /\ m = N.ldiff (snd d) now).
  { intros m Hm. apply nodup_In, in_map_iff in Hm. destruct Hm as (d & <- & Hd). apply filter_In in Hd. exists d. tauto. }
  assert (W : forall R C d, cover_by R C -> agrees R assigned -> In d assigned -> N.testbit (own (fst d)) c = true ->
              exists t, N.testbit (N.ldiff (snd d) now) t = true /\ C t c = true).
  { intros R C d V A Hd Ow. unfold true_rows in T. rewrite Forall_forall in T.
    destruct (in_some_rectangle R C assigned c now (fst d) V A ltac:(now apply Forall_forall) Bn (T d Hd) Ow) as (t & St & Ct & Nt).
    exists t. split; [|exact Ct]. unfold agrees in A. rewrite Forall_forall in A. rewrite (A d Hd) in St. rewrite N.ldiff_spec, Nt. now rewrite andb_true_r. }
  destruct (existsb (N.eqb 0) missing) eqn:X.
  - intros R C V A. apply existsb_exists in X. destruct X as (m & Hm & Z). apply N.eqb_eq in Z. subst m.
    destruct (M 0 Hm) as (d & Hd & Ow & E). destruct (W R C d V A Hd Ow) as (t & Ht & _). rewrite <- E, N.bits_0 in Ht. discriminate.
  - destruct (next_columns steps assigned e s columns) as [[others removed]|]; [|exact IH]. destruct IH as [IH1 IH2].
    split; [now constructor|]. constructor; [|exact IH2]. intros R C g V A Tg. cbn [fst snd]. split; intros H.
    + destruct (N.testbit (grow _ 1) _) eqn:G; [exfalso|reflexivity].
      destruct (grow_spec _ (fewer_steps _) _ _ G) as (u & Hu & _ & Down).
      destruct (in_some_rectangle R C assigned c now g V A T Bn Tg H) as (t & St & _ & Nt).
      destruct (Down t St) as [K|K].
      * destruct (N.eq_dec u 0) as [->|Ne]; [now rewrite N.bits_0 in K|].
        change 1 with (2 ^ 0) in Hu. rewrite N.pow2_bits_eqb in Hu. apply N.eqb_eq in Hu. congruence.
      * apply in_map_iff in K. destruct K as (step & <- & K). apply filter_In in K. destruct K as [_ K]. congruence.
    + destruct (N.testbit (grow steps _) _) eqn:G; [exfalso|reflexivity].
      destruct (grow_spec steps steps_good _ _ G) as (u & Hu & Up & _). apply some_sets_spec in Hu.
      destruct (M u Hu) as (d & Hd & Ow & ->). destruct (W R C d V A Hd Ow) as (t & Ht & Ct).
      apply Up in Ht. rewrite (outside_of_foreign R C g c t V Tg H Ct) in Ht. discriminate.
Qed.

Lemma remaining_keeps assigned R C e : cover_by R C -> agrees R assigned -> true_row e -> forall removed may,
  Forall (rightly_removed assigned) removed -> N.testbit may (set_of R (fst e)) = true ->
  N.testbit (remaining e removed may) (set_of R (fst e)) = true.
Proof.
  intros V A T removed. induction removed as [|[c [parts wholes]] removed IH]; intros may F H; [exact H|]. inversion F as [|? ? G F']; subst.
  destruct (G R C e V A T) as [G1 G2]. cbn [fst snd remaining] in *. apply IH; [exact F'|].
  destruct (N.testbit (foreign e) c); [rewrite N.ldiff_spec, G2 by reflexivity; apply andb_true_iff; split; [|reflexivity]|];
    (destruct (N.testbit (own e) c); [rewrite N.ldiff_spec, G1 by reflexivity; now rewrite H|exact H]).
Qed.

Definition open_rows (left : list open_row) : Prop := Forall (fun o => true_row (fst o)) left.
Definition may_have (R : N -> N -> bool) (left : list open_row) : Prop :=
  Forall (fun o => N.testbit (snd o) (set_of R (fst (fst o))) = true) left.

Lemma cut_sound assigned removed : Forall (rightly_removed assigned) removed -> forall left, open_rows left ->
  match cut removed left with
  | None => forall R C, cover_by R C -> agrees R assigned -> may_have R left -> False
  | Some left' => open_rows left' /\ forall R C, cover_by R C -> agrees R assigned -> may_have R left -> may_have R left'
  end.
Proof.
  intros F. induction 1 as [|[e may] left Te _ IH]; cbn [cut]; [split; [constructor|auto]|].
  destruct (N.eqb_spec (remaining e removed may) 0) as [Z|Nz].
  - intros R C V A M. inversion M as [|? ? Hm _]; subst. pose proof (remaining_keeps assigned R C e V A Te removed may F Hm) as K.
    rewrite Z, N.bits_0 in K. discriminate.
  - destruct (cut removed left) as [left'|].
    + destruct IH as [O K]. split; [now constructor|]. intros R C V A M. inversion M as [|? ? Hm M']; subst.
      constructor; [|now apply (K R C)]. exact (remaining_keeps assigned R C e V A Te removed may F Hm).
    + intros R C V A M. inversion M; subst. now apply (IH R C).
Qed.

(** *** Rectangles that are alike may change places *)
Definition not_told_apart (assigned : list (shown * N)) (alike : list N) : Prop :=
  forall some d i j, In some alike -> In d assigned -> N.testbit some i = true -> N.testbit some j = true ->
    N.testbit (snd d) i = N.testbit (snd d) j.

Definition swapped (i j t : N) : N := if t =? i then j else if t =? j then i else t.

Lemma swapped_twice i j t : swapped i j (swapped i j t) = t.
Proof.
  unfold swapped. destruct (N.eqb_spec t i) as [->|]; [rewrite N.eqb_refl; destruct (N.eqb_spec j i); congruence|].
  destruct (N.eqb_spec t j) as [->|]; [now rewrite N.eqb_refl|]. destruct (N.eqb_spec t i); [congruence|]. destruct (N.eqb_spec t j); congruence.
Qed.

Lemma swapped_below i j t n : i < n -> j < n -> t < n -> swapped i j t < n.
Proof. unfold swapped. intros. destruct (t =? i); [assumption|]. now destruct (t =? j). Qed.

Lemma swapped_cover R C i j : i < N.of_nat k -> j < N.of_nat k -> cover_by R C ->
  cover_by (fun t => R (swapped i j t)) (fun t => C (swapped i j t)).
Proof.
  intros Hi Hj [V1 V2]. split.
  - intros x y E. destruct (V1 x y E) as (t & L & Hr & Hc). exists (swapped i j t). rewrite swapped_twice. auto using swapped_below.
  - intros t x y b Hr Hc E. exact (V2 _ x y b Hr Hc E).
Qed.

Lemma swapped_agrees R assigned alike some i j : not_told_apart assigned alike -> In some alike ->
  N.testbit some i = true -> N.testbit some j = true -> i < N.of_nat k -> j < N.of_nat k ->
  agrees R assigned -> agrees (fun t => R (swapped i j t)) assigned.
Proof.
  intros S Hs Bi Bj Li Lj A. apply Forall_forall. intros d Hd. unfold agrees in A. rewrite Forall_forall in A. rewrite <- (A d Hd).
  apply N.bits_inj. intros t. rewrite !set_of_spec. destruct (N.ltb_spec t (N.of_nat k)) as [L|]; [|reflexivity]. simpl.
  pose proof (S some d i j Hs Hd Bi Bj) as E. rewrite <- (A d Hd), !set_of_spec in E. apply N.ltb_lt in Li, Lj. rewrite Li, Lj in E. simpl in E.
  unfold swapped. destruct (N.eqb_spec t i) as [->|]; [now rewrite E|]. destruct (N.eqb_spec t j) as [->|]; [exact E|reflexivity].
Qed.

Lemma not_first s some : comes_first s some = false ->
  exists i j, i < j /\ N.testbit some i = true /\ N.testbit some j = true /\ N.testbit s i = false /\ N.testbit s j = true.
Proof.
  unfold comes_first. destruct (N.eqb_spec (N.land some s) 0) as [|Ne]; [discriminate|]. intros H. apply N.eqb_neq in H.
  pose proof (N.bit_log2 _ Ne) as J. set (j := N.log2 (N.land some s)) in *. rewrite N.land_spec in J. apply andb_true_iff in J.
  pose proof (N.bit_log2 _ H) as I. set (i := N.log2 _) in I. rewrite N.land_spec, N.ldiff_spec in I. rewrite !andb_true_iff in I.
  destruct I as [[I1 I2] I3]. exists i, j. apply negb_true_iff in I2. repeat split; try tauto.
  destruct (N.lt_ge_cases i j) as [L|L]; [exact L|]. rewrite N.ones_spec_high in I3 by exact L. discriminate.
Qed.

Lemma some_come_first assigned alike x : not_told_apart assigned alike -> forall n R C, set_of R x < n -> cover_by R C -> agrees R assigned ->
  exists R' C', cover_by R' C' /\ agrees R' assigned /\ forallb (comes_first (set_of R' x)) alike = true.
Proof.
  intros S n. induction n as [|n IH] using N.peano_ind; intros R C L V A; [lia|].
  destruct (forallb (comes_first (set_of R x)) alike) eqn:E; [exists R, C; auto|].
  assert (K : exists some, In some alike /\ comes_first (set_of R x) some = false).
  { clear -E. induction alike as [|some alike IH]; simpl in E; [discriminate|]. destruct (comes_first (set_of R x) some) eqn:Q.
    - destruct (IH E) as (u & Hu & K). exists u. split; [now right|exact K].
    - exists some. split; [now left|exact Q]. }
  destruct K as (some & Hs & Q). destruct (not_first _ _ Q) as (i & j & Lij & Bi & Bj & Si & Sj).
  assert (Lj : j < N.of_nat k) by (rewrite set_of_spec in Sj; apply andb_true_iff in Sj; now apply N.ltb_lt).
  assert (Li : i < N.of_nat k) by lia.
  apply (IH (fun t => R (swapped i j t)) (fun t => C (swapped i j t))); [|now apply swapped_cover|now apply (swapped_agrees R assigned alike some)].
  enough (set_of (fun t => R (swapped i j t)) x < set_of R x) by lia. apply (less_by_bit _ _ j).
  - rewrite set_of_spec in *. apply N.ltb_lt in Li, Lj. rewrite Li in Si. rewrite Lj. simpl in *. unfold swapped.
    destruct (N.eqb_spec j i); [lia|]. now rewrite N.eqb_refl.
  - exact Sj.
  - intros t Lt. rewrite !set_of_spec. unfold swapped. destruct (N.eqb_spec t i); [lia|]. destruct (N.eqb_spec t j); [lia|reflexivity].
Qed.

Lemma halved_not_told assigned alike e s : not_told_apart assigned alike -> not_told_apart ((e, s) :: assigned) (halved alike s).
Proof.
  intros S some d i j Hs Hd Bi Bj. unfold halved in Hs. apply filter_In in Hs. destruct Hs as [Hs _]. apply in_app_or in Hs.
  destruct Hs as [Hs|Hs]; apply in_map_iff in Hs; destruct Hs as (u & <- & Hu); rewrite ?N.land_spec, ?N.ldiff_spec in *;
    apply andb_true_iff in Bi, Bj; destruct Bi as [Bi Si], Bj as [Bj Sj]; (destruct Hd as [<-|Hd]; [|now apply (S u d)]); cbn [snd].
  - congruence.
  - apply negb_true_iff in Si, Sj. congruence.
Qed.

Variable every : list N.
Hypothesis every_set : forall s, s < 2 ^ N.of_nat k -> In s every.

Theorem no_sets_sound fuel : forall assigned columns left alike, no_sets steps every fuel assigned columns left alike = true ->
  true_rows assigned -> Forall (barred_by assigned) columns -> open_rows left -> not_told_apart assigned alike ->
  (forall R C, cover_by R C -> agrees R assigned -> may_have R left) ->
  forall R C, cover_by R C -> agrees R assigned -> False.
Proof.
  induction fuel as [|fuel IH]; intros assigned columns left alike H T B O S M R0 C0 V0 A0; [discriminate|]. cbn [no_sets] in H.
  destruct (take_least left) as [[[e may] others]|] eqn:Tk; [|discriminate]. apply take_least_In in Tk. destruct Tk as [Ie Io].
  destruct (some_come_first assigned alike (fst e) S (N.succ (set_of R0 (fst e))) R0 C0 ltac:(lia) V0 A0) as (R & C & V & A & First).
  set (s := set_of R (fst e)) in *. rewrite forallb_forall in H. specialize (H s (every_set s (number_below _ _))). cbv beta in H.
  pose proof (M R C V A) as Ml. unfold may_have in Ml. rewrite Forall_forall in Ml. pose proof (Ml (e, may) Ie) as Ms. cbn [fst snd] in Ms. fold s in Ms.
  rewrite Ms, First in H. clear R0 C0 V0 A0. unfold open_rows in O. rewrite Forall_forall in O.
  assert (T' : true_rows ((e, s) :: assigned)) by (constructor; [exact (O _ Ie)|exact T]).
  assert (A' : agrees R ((e, s) :: assigned)) by (constructor; [reflexivity|exact A]).
  assert (B' : Forall (barred_by ((e, s) :: assigned)) columns).
  { eapply Forall_impl; [|exact B]. intros c K t Ht. destruct (K t Ht) as (d & Hd & Q). exists d. split; [now right|exact Q]. }
  assert (O' : open_rows others) by (apply Forall_forall; intros o Ho; apply O, Io, Ho).
  pose proof (next_columns_sound _ e s columns T' (or_introl eq_refl) B') as N1.
  destruct (next_columns steps ((e, s) :: assigned) e s columns) as [[columns' removed]|]; [|exact (N1 R C V A')].
  destruct N1 as [N1 N2]. pose proof (cut_sound _ removed N2 others O') as N3.
  assert (Mo : forall R C, cover_by R C -> agrees R ((e, s) :: assigned) -> may_have R others).
  { intros R1 C1 V1 A1. inversion A1; subst. pose proof (M R1 C1 V1 ltac:(assumption)) as K. unfold may_have in *.
    rewrite Forall_forall in K. apply Forall_forall. auto. }
  destruct (cut removed others) as [left'|]; [|exact (N3 R C V A' (Mo R C V A'))]. destruct N3 as [N3 N4].
  apply (IH _ _ _ _ H T' N1 N3 (halved_not_told assigned alike e s S)) with (R := R) (C := C); auto.
  intros R1 C1 V1 A1. apply (N4 R1 C1 V1 A1). now apply (Mo R1 C1).
Qed.
End Sound.

(** ** The checker *)
Definition line_sets (t : table) (code size : N) : option N :=
  if regular t then
    let k := N.to_nat size in
    let every := indices (2 ^ k) in
    let rows := map (fun l => (fst l, (plane code l, others (codes_of t) code l))) (row_lines t) in
    let left := map (fun e => (e, N.ldiff (N.ones (N.of_nat (2 ^ k))) 1)) (filter (fun e => negb (own e =? 0)) rows) in
    let steps := map (fun p => (p, sets_without every p)) (indices k) in
    if no_sets steps every (S (length left)) [] (map (fun c => (c, 0)) (indices (width t))) left [N.ones size]
    then Some (N.succ size) else None
  else None.

Lemma in_indices n s : In s (indices n) <-> s < N.of_nat n.
Proof.
  unfold indices. rewrite in_map_iff. split.
  - intros (i & <- & Hi). apply in_seq in Hi. lia.
  - intros L. exists (N.to_nat s). split; [lia|]. apply in_seq. lia.
Qed.

Lemma power_of_nat n : N.of_nat (2 ^ n) = 2 ^ N.of_nat n.
Proof. induction n as [|n IH]; [reflexivity|]. rewrite Nat2N.inj_succ, N.pow_succ_r', <- IH. cbn [Nat.pow]. lia. Qed.

Theorem line_sets_bound t code size v : line_sets t code size = Some v ->
  forall count, rectangles_cover (cell t) (Some code) count -> v <= N.of_nat count.
Proof.
  unfold line_sets. intros H count (rs & [Own All] & Len). destruct (regular t) eqn:Reg; [|discriminate].
  set (k := N.to_nat size) in *. destruct (no_sets _ _ _ _ _ _ _) eqn:K in H; [|discriminate]. injection H as <-.
  destruct (N.le_gt_cases (N.succ size) (N.of_nat count)) as [|G]; [assumption|exfalso].
  set (R := fun t x => match nth_error rs (N.to_nat t) with Some r => fst r x | None => false end).
  set (C := fun t y => match nth_error rs (N.to_nat t) with Some r => snd r y | None => false end).
  assert (V : cover_by (cell t) code k R C).
  { split.
    - intros x y E. apply All, Exists_exists in E. destruct E as (r & Hr & I). apply In_nth_error in Hr. destruct Hr as (i & Hi).
      assert (i < length rs)%nat by (apply nth_error_Some; congruence). exists (N.of_nat i). split; [unfold k; lia|].
      unfold R, C. rewrite Nat2N.id, Hi. now apply andb_true_iff.
    - intros i x y b Hr Hc E. unfold R, C in *. destruct (nth_error rs (N.to_nat i)) as [r|] eqn:Hi; [|discriminate].
      rewrite Forall_forall in Own. apply (Own r (nth_error_In _ _ Hi) x y b); [|exact E]. unfold inside. now rewrite Hr, Hc. }
  assert (Good : forall l, In l (row_lines t) -> true_row (cell t) code (fst l, (plane code l, others (codes_of t) code l))).
  { intros l Hl. pose proof (row_lines_good t) as Gd. rewrite Forall_forall in Gd. split; intros y Hy; unfold own, foreign in Hy; cbn [fst snd] in *.
    - rewrite (Gd l Hl) in Hy. now apply is_code_spec.
    - now apply (others_spec (cell t) (codes_of t) code l y (Gd l Hl)). }
  revert K. set (left := map _ (filter _ _)). intros K.
  assert (Open : forall o, In o left -> true_row (cell t) code (fst o) /\ own (fst o) <> 0 /\ snd o = N.ldiff (N.ones (N.of_nat (2 ^ k))) 1).
  { intros o Ho. apply in_map_iff in Ho. destruct Ho as (e & <- & He). apply filter_In in He. destruct He as [He Ne].
    apply in_map_iff in He. destruct He as (l & <- & Hl). cbn [fst snd]. split; [now apply Good|]. split; [|reflexivity].
    now apply negb_true_iff, N.eqb_neq in Ne. }
  refine (no_sets_sound (cell t) code k _ _ _ _ _ _ _ _ _ K _ _ _ _ _ R C V _).
  - apply Forall_forall. intros step Hs. apply in_map_iff in Hs. destruct Hs as (p & <- & _). intros s. apply sets_without_spec.
  - intros s L. apply in_indices. now rewrite power_of_nat.
  - constructor.
  - apply Forall_forall. intros c Hc. apply in_map_iff in Hc. destruct Hc as (y & <- & _). intros i Hi. cbn [snd] in Hi. now rewrite N.bits_0 in Hi.
  - apply Forall_forall. intros o Ho. now apply Open.
  - intros some d i j _ [].
  - intros R1 C1 V1 _. apply Forall_forall. intros o Ho. destruct (Open o Ho) as (To & Ne & ->).
    rewrite N.ldiff_spec, N.ones_spec_low by (rewrite power_of_nat; apply number_below).
    apply negb_true_iff. rewrite (N.pow2_bits_eqb 0 (set_of k R1 (fst (fst o))) : N.testbit 1 _ = _). apply N.eqb_neq. intros Z.
    destruct (proj1 V1 (fst (fst o)) (N.log2 (own (fst o)))) as (i & L & Hr & _); [now apply To, N.bit_log2|].
    assert (N.testbit (set_of k R1 (fst (fst o))) i = true) by (rewrite set_of_spec, Hr; apply N.ltb_lt in L; now rewrite L).
    rewrite <- Z, N.bits_0 in H. discriminate.
  - constructor.
Qed.
