(** * Leaves and bits from below by all rectangles: one that is no leaf is split in two, by either party, and costs what both
    halves do. For functions and for relations *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Trees Lines SplitSets.
Import ListNotations.
Open Scope N_scope.

(** What is counted: leaves, or bits. *)
Definition joined (leaves : bool) (v w : N) : N := if leaves then v + w else N.succ (N.max v w).
Definition of_leaf (leaves : bool) : N := if leaves then 1 else 0.
Definition far : N := 8192.

(** ** The program *)
Fixpoint finish (leaves : bool) (leaf : lines_set -> bool) (halved : values N) (sets : list lines_set) (known : values N) : option (values N) :=
  match sets with
  | [] => Some known
  | c :: rest =>
      let open := put c far known in
      match half_split (joined leaves) N.min c open with
      | Some best => finish leaves leaf halved rest (put c (if leaf c then of_leaf leaves else N.min best (at_set halved c)) known)
      | None => None
      end
  end.

Fixpoint fill (leaves : bool) (leaf : lines_set -> lines_set -> bool) (n : nat) (sets : list lines_set) (known : values (values N)) :
    option (values (values N)) :=
  match sets with
  | [] => Some known
  | r :: rest =>
      let open := put r (everywhere_value n far) known in
      match half_split (together (joined leaves)) (together N.min) r open with
      | Some halved =>
          match finish leaves (leaf r) halved (tl (all_sets_of n)) (put (none_of n) far Nothing) with
          | Some row => fill leaves leaf n rest (put r row known)
          | None => None
          end
      | None => None
      end
  end.

Definition least_of_all (leaves : bool) (leaf : lines_set -> lines_set -> bool) (m n : nat) : option N :=
  match fill leaves leaf n (tl (all_sets_of m)) (put (none_of m) (everywhere_value n far) Nothing) with
  | Some known => match get (all_lines m) known with Some row => get (all_lines n) row | None => None end
  | None => None
  end.

(** ** Its values are no larger than what a protocol takes *)
Section Sound.
Variable who : knowing.
Variable allows : N -> N -> N -> bool. (* whether an answer is right on a cell *)
Variables own across : list N.
Variable counts_leaves : bool.
Variable leaf : lines_set -> lines_set -> bool.

Notation protocol := (protocol N N (leaf_of who N N N)).
Definition cost (p : protocol) : N := N.of_nat (if counts_leaves then leaves p else depth p).

Definition right_within (R C : N -> Prop) (p : protocol) : Prop := forall x y, R x -> C y -> allows (said who (run p x y) x y) x y = true.

Definition right (r c : lines_set) : protocol -> Prop := right_within (fun x => In x (chosen own r)) (fun y => In y (chosen across c)).

Hypothesis leaf_seen : forall r c l, right r c (Output l) -> leaf r c = true.

Let m := length own.
Let n := length across.

Lemma least_cost p : of_leaf counts_leaves <= cost p.
Proof. unfold of_leaf, cost. destruct counts_leaves; [|lia]. induction p; simpl; lia. Qed.

Lemma cost_alice s p0 p1 : cost (Alice s p0 p1) = joined counts_leaves (cost p0) (cost p1).
Proof. unfold cost, joined. destruct counts_leaves; cbn [leaves depth]; lia. Qed.

Lemma cost_bob s p0 p1 : cost (Bob s p0 p1) = joined counts_leaves (cost p0) (cost p1).
Proof. unfold cost, joined. destruct counts_leaves; cbn [leaves depth]; lia. Qed.

Lemma joined_le v w v' w' : v <= v' -> w <= w' -> joined counts_leaves v w <= joined counts_leaves v' w'.
Proof. unfold joined. destruct counts_leaves; lia. Qed.

Lemma joined_comm v w : joined counts_leaves v w = joined counts_leaves w v.
Proof. unfold joined. destruct counts_leaves; lia. Qed.

Lemma joined_first v w : v <= joined counts_leaves v w.
Proof. unfold joined. destruct counts_leaves; lia. Qed.

Lemma joined_second v w : w <= joined counts_leaves v w.
Proof. unfold joined. destruct counts_leaves; lia. Qed.

Definition valid (r c : lines_set) (v : N) : Prop := forall p, right r c p -> v <= cost p.

Definition good_row (r : lines_set) (row : values N) : Prop :=
  forall c v, length c = n -> c <> none_of n -> get c row = Some v -> valid r c v.

Definition good_table (known : values (values N)) : Prop :=
  forall r row, length r = m -> r <> none_of m -> get r known = Some row -> good_row r row.

Definition halved_well (r : lines_set) (halved : values N) : Prop :=
  forall c a b p0 p1, length c = n -> c <> none_of n -> split_in r a b -> a <> none_of m -> b <> none_of m ->
    right a c p0 -> right b c p1 -> at_set halved c <= joined counts_leaves (cost p0) (cost p1).

Lemma right_zero_alice r c s p0 p1 : right r c (Alice s p0 p1) -> right (where_ (fun x => negb (s x)) own r) c p0.
Proof. intros H x y X Y. apply chosen_where in X. destruct X as [X S]. apply negb_true_iff in S. specialize (H x y X Y). simpl in H. now rewrite S in H. Qed.

Lemma right_one_alice r c s p0 p1 : right r c (Alice s p0 p1) -> right (where_ s own r) c p1.
Proof. intros H x y X Y. apply chosen_where in X. destruct X as [X S]. specialize (H x y X Y). simpl in H. now rewrite S in H. Qed.

Lemma right_zero_bob r c s p0 p1 : right r c (Bob s p0 p1) -> right r (where_ (fun y => negb (s y)) across c) p0.
Proof. intros H x y X Y. apply chosen_where in Y. destruct Y as [Y S]. apply negb_true_iff in S. specialize (H x y X Y). simpl in H. now rewrite S in H. Qed.

Lemma right_one_bob r c s p0 p1 : right r c (Bob s p0 p1) -> right r (where_ s across c) p1.
Proof. intros H x y X Y. apply chosen_where in Y. destruct Y as [Y S]. specialize (H x y X Y). simpl in H. now rewrite S in H. Qed.

(** If no line goes one way, all go the other. *)
Lemma none_left g l s k x : where_ g l s = none_of k -> In x (chosen l s) -> g x = false.
Proof.
  intros E X. destruct (g x) eqn:G; [|reflexivity]. exfalso.
  assert (K : In x (chosen l (where_ g l s))) by (apply chosen_where; now split). rewrite E, chosen_none in K. exact K.
Qed.

Lemma value_of_rectangle r c halved known best : length r = m -> length c = n -> c <> none_of n ->
  halved_well r halved -> good_row r known ->
  half_split (joined counts_leaves) N.min c (put c far known) = Some best ->
  valid r c (if leaf r c then of_leaf counts_leaves else N.min best (at_set halved c)).
Proof.
  intros Lr Lc Nc Half Good Best p Right. destruct (leaf r c) eqn:Leaf; [apply least_cost|].
  induction p as [l|s p0 IH0 p1 IH1|s p0 IH0 p1 IH1].
  - rewrite (leaf_seen r c l Right) in Leaf. discriminate.
  - rewrite cost_alice. set (a := where_ (fun x => negb (s x)) own r). set (b := where_ s own r).
    destruct (list_eq_dec bool_dec a (none_of m)) as [A|A].
    { eapply N.le_trans; [|apply joined_second]. apply IH1. intros x y X Y. specialize (Right x y X Y). simpl in Right.
      assert (S := none_left _ _ _ _ _ A X). cbv beta in S. apply negb_false_iff in S. now rewrite S in Right. }
    destruct (list_eq_dec bool_dec b (none_of m)) as [B|B].
    { eapply N.le_trans; [|apply joined_first]. apply IH0. intros x y X Y. specialize (Right x y X Y). simpl in Right.
      assert (S := none_left _ _ _ _ _ B X). now rewrite S in Right. }
    eapply N.le_trans; [apply N.le_min_r|]. apply (Half c a b p0 p1 Lc Nc); auto.
    + now apply where_split.
    + eapply right_zero_alice; eauto.
    + eapply right_one_alice; eauto.
  - rewrite cost_bob. set (a := where_ (fun y => negb (s y)) across c). set (b := where_ s across c).
    destruct (list_eq_dec bool_dec a (none_of n)) as [A|A].
    { eapply N.le_trans; [|apply joined_second]. apply IH1. intros x y X Y. specialize (Right x y X Y). simpl in Right.
      assert (S := none_left _ _ _ _ _ A Y). cbv beta in S. apply negb_false_iff in S. now rewrite S in Right. }
    destruct (list_eq_dec bool_dec b (none_of n)) as [B|B].
    { eapply N.le_trans; [|apply joined_first]. apply IH0. intros x y X Y. specialize (Right x y X Y). simpl in Right.
      assert (S := none_left _ _ _ _ _ B Y). now rewrite S in Right. }
    eapply N.le_trans; [apply N.le_min_l|]. assert (Sp : split_in c a b) by now apply where_split.
    destruct (split_proper _ _ _ Sp) as (La & Lb & Pa & Pb). rewrite Lc in *. fold n in Pa, Pb.
    assert (Da : a <> c) by tauto. assert (Db : b <> c) by tauto.
    destruct (half_split_sound N (joined counts_leaves) N.min N.le N.le_trans N.le_min_l N.le_min_r N.le_refl joined_comm c a b Sp _ _ Best) as (v & w & V & W & L).
    rewrite get_put_other in V by (congruence || exact Da). rewrite get_put_other in W by (congruence || exact Db).
    eapply N.le_trans; [exact L|]. apply joined_le.
    + apply (Good a v La A V). eapply right_zero_bob; eauto.
    + apply (Good b w Lb B W). eapply right_one_bob; eauto.
Qed.

Lemma finish_good r halved : length r = m -> halved_well r halved -> forall sets known row,
  Forall (fun c => length c = n /\ c <> none_of n) sets -> good_row r known ->
  finish counts_leaves (leaf r) halved sets known = Some row -> good_row r row.
Proof.
  intros Lr Half. induction sets as [|c sets IH]; intros known row F Good H; cbn [finish] in H; [now injection H as <-|].
  inversion F as [|? ? [Lc Nc] F']; subst. destruct (half_split _ _ _ _) as [best|] eqn:B; [|discriminate].
  apply (IH _ _ F') in H; [exact H|]. clear H. intros d v Ld Nd G. destruct (list_eq_dec bool_dec d c) as [->|D].
  - rewrite get_put in G. injection G as <-. eapply value_of_rectangle; eauto.
  - rewrite get_put_other in G by congruence. eapply Good; eauto.
Qed.

Lemma tail_of_sets k : Forall (fun c => length c = k /\ c <> none_of k) (tl (all_sets_of k)).
Proof.
  assert (L : forall k, Forall (fun c => length c = k) (all_sets_of k)).
  { clear k. induction k as [|k IH]; cbn [all_sets_of]; [now constructor|]. apply Forall_app.
    split; apply Forall_map; (eapply Forall_impl; [|exact IH]); intros c E; cbn [length]; congruence. }
  assert (S : forall k, exists rest, all_sets_of k = none_of k :: rest /\ Forall (fun c => c <> none_of k) rest).
  { clear k. induction k as [|k (rest & E & F)]; cbn [all_sets_of]; [now exists []|].
    exists (map (cons false) rest ++ map (cons true) (all_sets_of k)). rewrite E at 1. split; [reflexivity|]. apply Forall_app.
    split; apply Forall_map; [|apply Forall_forall; intros c _ Ec; discriminate Ec].
    eapply Forall_impl; [|exact F]. intros c N Ec. apply N. now injection Ec. }
  destruct (S k) as (rest & E & F). specialize (L k). rewrite E in *. cbn [tl]. inversion L as [|? ? _ L']; subst.
  rewrite Forall_forall in *. intros c Hc. split; auto.
Qed.

Lemma first_only {V} k (v w : V) c : length c = k -> c <> none_of k -> get c (put (none_of k) v Nothing) = Some w -> False.
Proof.
  intros L D G. rewrite get_put_other in G; [|unfold none_of; now rewrite repeat_length|exact D]. now rewrite get_nothing in G.
Qed.

Lemma fill_good : forall sets known table, Forall (fun r => length r = m /\ r <> none_of m) sets -> good_table known ->
  fill counts_leaves leaf n sets known = Some table -> good_table table.
Proof.
  induction sets as [|r sets IH]; intros known table F Good H; cbn [fill] in H; [now injection H as <-|].
  inversion F as [|? ? [Lr Nr] F']; subst. destruct (half_split _ _ _ _) as [halved|] eqn:B; [|discriminate].
  destruct (finish _ _ _ _ _) as [row|] eqn:E; [|discriminate]. apply (IH _ _ F') in H; [exact H|]. clear H.
  assert (Row : good_row r row).
  { apply (finish_good r halved) in E; auto.
    - intros c a b p0 p1 Lc Nc Sp A A' R0 R1. destruct (split_proper _ _ _ Sp) as (La & Lb & Pa & Pb). rewrite Lr in *.
      assert (Da : a <> r) by tauto. assert (Db : b <> r) by tauto.
      destruct (half_split_sound (values N) (together (joined counts_leaves)) (together N.min) (fun v w => at_set v c <= at_set w c)
        ltac:(intros u v w K K'; cbv beta in *; lia)
        ltac:(intros v w; eapply N.le_trans; [apply at_together|apply N.le_min_l])
        ltac:(intros v w; eapply N.le_trans; [apply at_together|apply N.le_min_r])
        ltac:(intros v; apply N.le_refl) (together_comm _ joined_comm) r a b Sp _ _ B) as (v & w & V & W & L).
      rewrite get_put_other in V by (congruence || exact Da). rewrite get_put_other in W by (congruence || exact Db).
      eapply N.le_trans; [exact L|]. eapply N.le_trans; [apply at_together|]. apply joined_le; unfold at_set.
      + destruct (get c v) as [i|] eqn:Gv; [|lia]. now apply (Good a v La A V c i Lc Nc Gv).
      + destruct (get c w) as [i|] eqn:Gw; [|lia]. now apply (Good b w Lb A' W c i Lc Nc Gw).
    - apply tail_of_sets.
    - intros c v Lc Nc G. destruct (first_only _ _ _ _ Lc Nc G). }
  intros d table' Ld Nd G. destruct (list_eq_dec bool_dec d r) as [->|D].
  - rewrite get_put in G. now injection G as <-.
  - rewrite get_put_other in G by congruence. eapply Good; eauto.
Qed.

Lemma some_line {T} (l : list T) : l <> [] -> all_lines (length l) <> none_of (length l).
Proof. destruct l; [contradiction|]. intros _ E. discriminate E. Qed.

Lemma all_chosen {T} (l : list T) : chosen l (all_lines (length l)) = l.
Proof. induction l as [|a l IH]; [reflexivity|]. cbn. f_equal. exact IH. Qed.

Theorem least_of_all_sound v : own <> [] -> across <> [] -> least_of_all counts_leaves leaf m n = Some v ->
  forall p, right_within (fun x => In x own) (fun y => In y across) p -> v <= cost p.
Proof.
  unfold least_of_all. intros No Na H p Right. destruct (fill _ _ _ _ _) as [known|] eqn:F; [|discriminate].
  destruct (get (all_lines m) known) as [row|] eqn:R; [|discriminate].
  assert (Good : good_table known).
  { apply fill_good in F; [exact F|apply tail_of_sets|]. intros r t Lr Nr G. destruct (first_only _ _ _ _ Lr Nr G). }
  apply (Good (all_lines m) row) with (c := all_lines n); auto.
  - unfold all_lines. apply repeat_length.
  - now apply some_line.
  - unfold all_lines. apply repeat_length.
  - now apply some_line.
  - unfold m, n. intros x y X Y. rewrite all_chosen in X, Y. now apply Right.
Qed.
End Sound.

(** ** Leaves *)
Fixpoint subset_of (c ok : lines_set) : bool :=
  match c, ok with one :: c, good :: ok => (negb one || good) && subset_of c ok | _, _ => true end.

Fixpoint merged (f : bool -> bool -> bool) (c d : lines_set) : lines_set :=
  match c, d with a :: c, b :: d => f a b :: merged f c d | _, _ => [] end.

(** Where across a set of lines has an answer alone, for each answer. *)
Definition common (n : nat) (by_code : list (list lines_set)) (r : lines_set) : list lines_set :=
  map (fun lines => fold_right (merged andb) (all_lines n) (chosen lines r)) by_code.

Definition is_leaf (who : knowing) (n : nat) (by_code : list (list lines_set)) (by_line : list (list lines_set)) (r : lines_set) : lines_set -> bool :=
  match who with
  | Both => let shared := common n by_code r in fun c => existsb (subset_of c) shared
  | AliceAlone => let lines := chosen by_line r in fun c => forallb (existsb (subset_of c)) lines
  | BobAlone => let any := fold_right (merged orb) (none_of n) (common n by_code r) in fun c => subset_of c any
  end.

Lemma within_map (g : N -> bool) l : forall c, (forall y, In y (chosen l c) -> g y = true) -> subset_of c (map g l) = true.
Proof.
  induction l as [|y l IH]; intros [|one c] H; cbn [map subset_of]; try reflexivity. apply andb_true_iff. cbn [chosen] in H. destruct one.
  - split; [rewrite (H y (or_introl eq_refl)); reflexivity|]. apply IH. intros z Hz. apply H. now right.
  - split; [reflexivity|]. now apply IH.
Qed.

Lemma merged_map h (g g' : N -> bool) l : merged h (map g l) (map g' l) = map (fun y => h (g y) (g' y)) l.
Proof. induction l as [|y l IH]; cbn [map merged]; [reflexivity|]. now rewrite IH. Qed.

Lemma fold_merged {T} h (first : bool) (g : T -> N -> bool) (xs : list T) l :
  fold_right (merged h) (repeat first (length l)) (map (fun x => map (g x) l) xs) = map (fun y => fold_right h first (map (fun x => g x y) xs)) l.
Proof.
  induction xs as [|x xs IH]; cbn [map fold_right].
  - induction l as [|y l IH]; cbn [length repeat map]; [reflexivity|]. now rewrite IH.
  - now rewrite IH, merged_map.
Qed.

Section Leaves.
Variable allows : N -> N -> N -> bool.
Variable codes : list N.
Variables own across : list N.

Definition by_code : list (list lines_set) := map (fun code => map (fun x => map (allows code x) across) own) codes.
Definition by_line : list (list lines_set) := map (fun x => map (fun code => map (allows code x) across) codes) own.

Hypothesis some_code : forall a, exists z, In z codes /\ forall x y, allows a x y = true -> allows z x y = true.

Lemma common_is r : common (length across) by_code r = map (fun code => map (fun y => fold_right andb true (map (fun x => allows code x y) (chosen own r))) across) codes.
Proof.
  unfold common, by_code. rewrite map_map. apply map_ext. intros code. rewrite chosen_map.
  exact (fold_merged andb true (fun x => allows code x) (chosen own r) across).
Qed.

Lemma all_true {T} (g : T -> bool) l : (forall x, In x l -> g x = true) -> fold_right andb true (map g l) = true.
Proof. induction l as [|x l IH]; intros H; [reflexivity|]. cbn [map fold_right]. rewrite (H x (or_introl eq_refl)). apply IH. intros y Hy. apply H. now right. Qed.

Lemma some_true {T} (g : T -> bool) l x : In x l -> g x = true -> fold_right orb false (map g l) = true.
Proof. induction l as [|y l IH]; intros H G; [destruct H|]. cbn [map fold_right]. destruct H as [->|H]; [now rewrite G|]. rewrite (IH H G). apply orb_true_r. Qed.

Lemma leaf_is_seen who r c (l : leaf_of who N N N) : right who allows own across r c (Output l) -> is_leaf who (length across) by_code by_line r c = true.
Proof.
  intros H. unfold right, right_within in H. simpl in H. destruct who; cbn [said leaf_of is_leaf] in *.
  - destruct (some_code l) as (z & Z & Good). rewrite common_is. apply existsb_exists. eexists. split; [apply in_map, Z|].
    apply within_map. intros y Y. apply all_true. intros x X. apply Good. exact (H x y X Y).
  - unfold by_line. rewrite chosen_map. apply forallb_forall. intros lines L. apply in_map_iff in L. destruct L as (x & <- & X).
    destruct (some_code (l x)) as (z & Z & Good). apply existsb_exists. eexists. split; [apply in_map, Z|].
    apply within_map. intros y Y. apply Good. exact (H x y X Y).
  - rewrite common_is. unfold none_of. rewrite (fold_merged orb false (fun code y => fold_right andb true (map (fun x => allows code x y) (chosen own r))) codes across).
    apply within_map. intros y Y. destruct (some_code (l y)) as (z & Z & Good).
    apply (some_true (fun code => fold_right andb true (map (fun x => allows code x y) (chosen own r))) codes z Z).
    apply all_true. intros x X. apply Good. exact (H x y X Y).
Qed.
End Leaves.

(** ** The witness: the rows and columns, of which all rectangles are gone through *)
Definition rectangles_of (allows : N -> N -> N -> bool) (codes : list N) (who : knowing) (leaves : bool) (rows columns : list N) : option N :=
  match rows, columns with
  | [], _ | _, [] => None
  | _, _ =>
      let n := length columns in
      let of_codes := by_code allows codes rows columns in
      let of_lines := by_line allows codes rows columns in
      least_of_all leaves (is_leaf who n of_codes of_lines) (length rows) n
  end.

Theorem rectangles_of_bound allows codes who counts_leaves rows columns v :
  (forall a, exists z, In z codes /\ forall x y, allows a x y = true -> allows z x y = true) ->
  rectangles_of allows codes who counts_leaves rows columns = Some v ->
  forall p : protocol N N (leaf_of who N N N), (forall x y, allows (said who (run p x y) x y) x y = true) ->
    v <= N.of_nat (if counts_leaves then leaves p else depth p).
Proof.
  unfold rectangles_of. intros Some_code H p Right. destruct rows as [|x rows]; [discriminate|]. destruct columns as [|y columns]; [discriminate|].
  apply (least_of_all_sound who allows (x :: rows) (y :: columns) counts_leaves _ (leaf_is_seen allows codes (x :: rows) (y :: columns) Some_code who) v);
    try discriminate; [exact H|]. intros u w _ _. apply Right.
Qed.

(** ** Functions: what is right on a cell is its answer, and anything if it is free *)
Definition may_have (f : function N N N) (code x y : N) : bool := match f x y with Some a => a =? code | None => true end.

Definition some_codes (t : table) : list N := match codes_of t with [] => [0] | codes => codes end.

(** An answer that is right, if none is promised too, is one of the codes. *)
Lemma some_code t a : exists z, In z (some_codes t) /\ forall x y, may_have (cell t) a x y = true -> may_have (cell t) z x y = true.
Proof.
  assert (Some' : exists first, In first (some_codes t)).
  { unfold some_codes. destruct (codes_of t) as [|c l]; [exists 0|exists c]; now left. }
  destruct (in_dec N.eq_dec a (some_codes t)) as [I|I]; [now exists a|].
  destruct Some' as [first F]. exists first. split; [exact F|]. unfold may_have. intros x y H. destruct (cell t x y) as [b|] eqn:E; [|reflexivity].
  apply N.eqb_eq in H. subst b. exfalso. apply I. pose proof (codes_of_all t x y a E) as K. unfold some_codes. now destruct (codes_of t).
Qed.

Definition all_rectangles (t : table) : knowing -> bool -> list N -> list N -> option N := rectangles_of (may_have (cell t)) (some_codes t).

Theorem all_rectangles_bound t who counts_leaves rows columns v : all_rectangles t who counts_leaves rows columns = Some v ->
  forall p : protocol N N (leaf_of who N N N), computes (cell t) who p -> v <= N.of_nat (if counts_leaves then leaves p else depth p).
Proof.
  intros H p Right. apply (rectangles_of_bound (may_have (cell t)) (some_codes t) who counts_leaves rows columns v (some_code t) H).
  intros x y. unfold may_have. destruct (cell t x y) as [a|] eqn:E; [|reflexivity]. apply N.eqb_eq. symmetry. now apply Right.
Qed.
