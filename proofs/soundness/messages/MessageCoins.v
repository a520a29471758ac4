(** * One message with public coins: mixtures of messages, and distributions that are hard for all (Yao 1977) *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Trees Lines SplitSets OneMessage Mixtures.
Import ListNotations.
Open Scope N_scope.

(** The table with the lines of the sender as rows. *)
Definition lines_of (t : table) (sender : party) : table := match sender with alice => t | bob => transpose (width t) t end.

Lemma lines_of_cell t sender : regular t = true -> forall x y, cell (lines_of t sender) x y = sent_by sender (cell t) x y.
Proof.
  intros R x y. destruct sender; [reflexivity|]. simpl. apply cell_transpose. now apply regular_spec.
Qed.

(** ** Mixtures: a weight, the message of each line, and for each message the answers of the receiver *)
Definition message_part := (N * (list N * list (list N)))%type.

Definition message_of (p : list N * list (list N)) : one_message N N N :=
  (fun x => N.to_nat (nth (N.to_nat x) (fst p) 0), fun k y => nth (N.to_nat y) (nth k (snd p) []) 0).

Definition denoted_messages (m : list message_part) : list (N * one_message N N N) := map (fun e => (fst e, message_of (snd e))) m.

Definition answer_told (e : message_part) (i j : nat) : N := nth j (nth (N.to_nat (nth i (fst (snd e)) 0)) (snd (snd e)) []) 0.

Fixpoint cells_right (whole : Q) (row : list (option N)) (told : list (N * list N)) : bool :=
  match row with
  | [] => true
  | e :: rest =>
      if match e with
         | None => true
         | Some a => Qle_bool whole (fraction (total (map (fun p => if hd 0 (snd p) =? a then fst p else 0) told)))
         end
      then cells_right whole rest (map (fun p => (fst p, tl (snd p))) told) else false
  end.

Fixpoint lines_right (whole : Q) (rows : table) (m : list message_part) : bool :=
  match rows with
  | [] => true
  | row :: rest =>
      if cells_right whole row (map (fun e => (fst e, nth (N.to_nat (hd 0 (fst (snd e)))) (snd (snd e)) [])) m)
      then lines_right whole rest (map (fun e => (fst e, (tl (fst (snd e)), snd (snd e)))) m) else false
  end.

Lemma nth_hd {T} (l : list T) d : nth 0 l d = hd d l.
Proof. now destruct l. Qed.

Lemma nth_tl {T} (l : list T) i d : nth (S i) l d = nth i (tl l) d.
Proof. destruct l; [now destruct i|reflexivity]. Qed.

Lemma cells_right_sound whole row : forall told i a, cells_right whole row told = true -> nth_error row i = Some (Some a) ->
  (whole <= fraction (total (map (fun p : N * list N => if nth i (snd p) 0%N =? a then fst p else 0%N) told)))%Q.
Proof.
  induction row as [|e row IH]; intros told i a H E; [now destruct i|]. cbn [cells_right] in H.
  destruct (match e with None => true | Some _ => _ end) eqn:K in H; [|discriminate]. destruct i as [|i].
  - injection E as ->. apply Qle_bool_iff in K. erewrite map_ext; [exact K|]. intros p. cbv beta. now rewrite nth_hd.
  - specialize (IH _ i a H E). rewrite map_map in IH. erewrite map_ext; [exact IH|]. intros p. cbv beta. now rewrite nth_tl.
Qed.

Lemma lines_right_sound whole rows : forall m i j row a, lines_right whole rows m = true ->
  nth_error rows i = Some row -> nth_error row j = Some (Some a) ->
  (whole <= fraction (total (map (fun e => if answer_told e i j =? a then fst e else 0%N) m)))%Q.
Proof.
  induction rows as [|r rows IH]; intros m i j row a H E F; [now destruct i|]. cbn [lines_right] in H.
  destruct (cells_right whole r _) eqn:K in H; [|discriminate]. destruct i as [|i].
  - injection E as ->. apply (cells_right_sound _ _ _ j a K) in F. rewrite map_map in F.
    erewrite map_ext; [exact F|]. intros e. unfold answer_told. cbv beta. now rewrite nth_hd.
  - specialize (IH _ i j row a H E F). rewrite map_map in IH. erewrite map_ext; [exact IH|]. intros e. unfold answer_told.
    cbn [fst snd]. now rewrite nth_tl.
Qed.

(** Each line has one of the messages for which there are answers. *)
Definition messages_known (e : message_part) : bool :=
  let count := N.of_nat (length (snd (snd e))) in if 0 <? count then forallb (fun k => k <? count) (fst (snd e)) else false.

Definition most_messages (m : list message_part) : N := largest (map (fun e => N.of_nat (length (snd (snd e)))) m).

Definition messages_right (t : table) (sender : party) (m : list message_part) (probability : Q) : bool :=
  if regular t then
    if forallb messages_known m then
      if 0 <? total (map fst m) then
        if Qle_bool probability 1
        then lines_right (probability * fraction (total (map fst m)))%Q (lines_of t sender) m else false
      else false
    else false
  else false.

Lemma known_messages e x : messages_known e = true -> (fst (message_of (snd e)) x < length (snd (snd e)))%nat.
Proof.
  unfold messages_known, message_of. cbn [fst]. destruct (N.ltb_spec 0 (N.of_nat (length (snd (snd e))))) as [Some|]; [|discriminate].
  intros H. rewrite forallb_forall in H. destruct (nth_in_or_default (N.to_nat x) (fst (snd e)) 0) as [I| ->]; [|lia].
  apply H, N.ltb_lt in I. lia.
Qed.

Theorem messages_right_sound t sender m q count : messages_right t sender m q = true -> most_messages m <= N.of_nat count ->
  messages_succeed (sent_by sender (cell t)) N.eqb count q.
Proof.
  unfold messages_right. intros H L. destruct (regular t) eqn:R; [|discriminate]. destruct (forallb _ m) eqn:K; [|discriminate].
  destruct (0 <? _) eqn:Pos; [|discriminate]. destruct (Qle_bool q 1); [|discriminate].
  assert (M : map fst (denoted_messages m) = map fst m) by (unfold denoted_messages; rewrite map_map; now apply map_ext).
  exists (denoted_messages m). rewrite M. split; [now apply N.ltb_lt|]. split.
  - apply Forall_map, Forall_forall. intros e He x. rewrite forallb_forall in K. pose proof (known_messages e x (K e He)) as B.
    assert (N.of_nat (length (snd (snd e))) <= most_messages m); [|cbn [snd] in *; lia].
    apply largest_In. now apply (in_map (fun e : message_part => N.of_nat (length (snd (snd e))))).
  - intros x y a E. rewrite <- (lines_of_cell t sender R) in E. unfold cell in E.
    destruct (nth_error (lines_of t sender) (N.to_nat x)) as [row|] eqn:Er; [|discriminate].
    destruct (nth_error row (N.to_nat y)) as [c|] eqn:Ec; [|discriminate]. subst c.
    unfold right_weight_of_messages, denoted_messages. rewrite map_map. exact (lines_right_sound _ _ _ _ _ _ _ H Er Ec).
Qed.

(** ** Hard distributions: a number for each set of lines, and the most that two parts of a set have *)
Definition at_set (t : values N) (s : lines_set) : N := match get s t with Some v => v | None => 0 end.

Definition most_in_halves (t : values N) (s : lines_set) : N :=
  match half_split N.add N.max s t with Some v => v | None => at_set t s + at_set t s end.

Definition in_halves (n : nat) (t : values N) : values N := fst (tree_of n (map (most_in_halves t) (all_sets_of n))).

Definition shaped (n : nat) (t : values N) : Prop := forall s, length s = n -> get s t <> None.

Lemma shaped_fork n t : shaped (S n) t -> exists z o, t = Fork z o /\ shaped n z /\ shaped n o.
Proof.
  intros H. destruct t as [|v|z o]; [destruct (H (all_lines (S n))); [apply repeat_length|reflexivity]..|].
  exists z, o. split; [reflexivity|]. split; intros s L; [apply (H (false :: s))|apply (H (true :: s))]; simpl; congruence.
Qed.

Lemma best_split_total n : forall s t u, length s = n -> shaped n t -> shaped n u -> exists v, best_split N.add N.max s t u = Some v.
Proof.
  induction n as [|n IH]; intros [|one s] t u L T U; try discriminate.
  - specialize (T [] L). specialize (U [] L). destruct t, u; try contradiction. now eexists.
  - injection L as L. destruct (shaped_fork _ _ T) as (z & o & -> & Z & O), (shaped_fork _ _ U) as (z' & o' & -> & Z' & O').
    destruct one; cbn [best_split]; [|now apply IH]. destruct (IH s o z' L O Z') as [v ->], (IH s z o' L Z O') as [w ->]. now eexists.
Qed.

Lemma most_in_halves_spec s a b : split_in s a b -> forall t, shaped (length s) t -> at_set t a + at_set t b <= most_in_halves t s.
Proof.
  induction 1 as [|s a b _ IH|s a b S _|s a b S _]; intros t T; [unfold most_in_halves; simpl; lia|..]; cbn [length] in T;
    destruct (shaped_fork _ _ T) as (z & o & -> & Z & O); [exact (IH z Z)|pose proof (SplitFirst _ _ _ S) as Sp|pose proof (SplitSecond _ _ _ S) as Sp];
    destruct (best_split_total _ s o z eq_refl O Z) as [best E]; unfold most_in_halves; cbn [half_split]; rewrite E;
    destruct (half_split_sound N N.add N.max (fun u v => v <= u) (fun u v w A B => N.le_trans _ _ _ B A) N.le_max_l N.le_max_r N.le_refl
      N.add_comm _ _ _ Sp (Fork z o) best E) as (v & w & V & W & K); unfold at_set; now rewrite V, W.
Qed.

Lemma in_halves_get n t s : length s = n -> get s (in_halves n t) = Some (most_in_halves t s).
Proof. intros L. unfold in_halves. rewrite tree_of_get by exact L. exact (map_nth_error _ _ _ (all_sets_place n s L)). Qed.

(** Two sets are the parts of a third, on these lines. *)
Definition parts_of (lines : list N) (s s1 s2 : N -> bool) : Prop :=
  forall x, In x lines -> s x = orb (s1 x) (s2 x) /\ andb (s1 x) (s2 x) = false.

Lemma parts_split lines s s1 s2 : parts_of lines s s1 s2 -> split_in (map s lines) (map s1 lines) (map s2 lines).
Proof.
  induction lines as [|x l IH]; intros H; [constructor|]. destruct (H x (or_introl eq_refl)) as [E D]. specialize (IH (fun y Hy => H y (or_intror Hy))).
  cbn [map]. rewrite E. destruct (s1 x), (s2 x); try discriminate; now constructor.
Qed.

Lemma all_of {T} (l : list T) : map (fun _ => true) l = all_lines (length l).
Proof. induction l as [|a l IH]; [reflexivity|]. cbn [map length]. now rewrite IH. Qed.

(** *** Tables of weights: for each place of the receiver, and each answer *)
Fixpoint add_lists (u v : list N) : list N :=
  match u, v with a :: u', b :: v' => a + b :: add_lists u' v' | _, _ => [] end.

Fixpoint add_tables (u v : list (list N)) : list (list N) :=
  match u, v with a :: u', b :: v' => add_lists a b :: add_tables u' v' | _, _ => [] end.

Fixpoint sets_of_lines (lines : list (list (list N))) (together : list (list N)) : values N :=
  match lines with
  | [] => Value (total (map largest together))
  | line :: rest => Fork (sets_of_lines rest together) (sets_of_lines rest (add_tables line together))
  end.

Definition weights_of_line (cells : list weighed) (places answers : list N) (x : N) : list (list N) :=
  let own := filter (fun c => row_of c =? x) cells in
  map (fun y => let mine := filter (fun c => column_of c =? y) own in
                map (fun a => mass (filter (fun c => answer_of c =? a) mine)) answers) places.

(** The most weight on which one message of so many bits is right. *)
Fixpoint messages_of_bits (n bits : nat) (u : values N) : values N :=
  match bits with O => u | S fewer => in_halves n (messages_of_bits n fewer u) end.

Definition best_messages (bits : nat) (cells : list weighed) : N :=
  let lines := nodup N.eq_dec (map row_of cells) in
  let places := nodup N.eq_dec (map column_of cells) in
  let answers := nodup N.eq_dec (map answer_of cells) in
  let u := sets_of_lines (map (weights_of_line cells places answers) lines) (map (fun _ => map (fun _ => 0) answers) places) in
  match Nat.min bits (Nat.log2_up (length lines)) with
  | O => at_set u (all_lines (length lines))
  | S fewer => most_in_halves (messages_of_bits (length lines) fewer u) (all_lines (length lines))
  end.

Lemma total_map_add {T} (f g : T -> N) l : total (map (fun x => f x + g x) l) = total (map f l) + total (map g l).
Proof. unfold total. induction l as [|x l IH]; simpl; [reflexivity|]. rewrite IH. lia. Qed.

Lemma total_map_le {T} (f g : T -> N) l : (forall x, In x l -> f x <= g x) -> total (map f l) <= total (map g l).
Proof.
  unfold total. induction l as [|x l IH]; simpl; intros H; [lia|]. specialize (IH (fun y Hy => H y (or_intror Hy))).
  pose proof (H x (or_introl eq_refl)). lia.
Qed.

Lemma total_map_In {T} (f : T -> N) l x : In x l -> f x <= total (map f l).
Proof. unfold total. induction l as [|y l IH]; simpl; intros []; [subst; lia|specialize (IH H); lia]. Qed.

Section Hard.
Variable cells : list weighed.
Variables lines places answers : list N.

Definition table_of (w : N -> N -> N) : list (list N) := map (fun y => map (w y) answers) places.

Lemma add_lists_of (f g : N -> N) (l : list N) : add_lists (map f l) (map g l) = map (fun a => f a + g a) l.
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. now rewrite IH. Qed.

Lemma add_tables_of v w : add_tables (table_of v) (table_of w) = table_of (fun y a => v y a + w y a).
Proof. unfold table_of. induction places as [|y ys IH]; simpl; [reflexivity|]. now rewrite IH, add_lists_of. Qed.

(** What a receiver gets right who answers so. *)
Definition told_by (h : N -> N) (w : N -> N -> N) : N :=
  total (map (fun y => if members_of answers (h y) then w y (h y) else 0) places).

Lemma told_add h v w : told_by h (fun y a => v y a + w y a) = told_by h v + told_by h w.
Proof. unfold told_by. rewrite <- total_map_add. f_equal. apply map_ext. intros y. now destruct (members_of _ _). Qed.

Lemma told_at_most h w : told_by h w <= total (map largest (table_of w)).
Proof.
  unfold told_by, table_of. rewrite map_map. apply total_map_le. intros y _. unfold members_of.
  destruct (existsb _ _) eqn:E; [|lia]. apply existsb_exists in E. destruct E as (a & Ha & E). apply N.eqb_eq in E. rewrite E.
  apply largest_In. now apply in_map.
Qed.

Definition weight_of (cs : list weighed) (x y a : N) : N :=
  mass (filter (fun c => answer_of c =? a) (filter (fun c => column_of c =? y) (filter (fun c => row_of c =? x) cs))).

Notation w := (weight_of cells).

(** *** What a protocol gets right, line by line *)
Lemma weight_of_cons c cs x y a : weight_of (c :: cs) x y a =
  (if row_of c =? x then if column_of c =? y then if answer_of c =? a then snd c else 0 else 0 else 0) + weight_of cs x y a.
Proof.
  unfold weight_of. simpl. destruct (row_of c =? x); simpl; [|lia]. destruct (column_of c =? y); simpl; [|lia].
  destruct (answer_of c =? a); simpl; [|lia]. reflexivity.
Qed.

Lemma right_by_lines (p : one_message N N N) cs : Forall (fun c => In (row_of c) lines /\ In (column_of c) places /\ In (answer_of c) answers) cs ->
  got_right _ (received (A := N)) p cs <= total (map (fun x => told_by (snd p (fst p x)) (weight_of cs x)) lines).
Proof.
  induction 1 as [|c cs (Hx & Hy & Ha) _ IH]; [unfold got_right, mass, total; simpl; lia|].
  set (one := fun x y a => if row_of c =? x then if column_of c =? y then if answer_of c =? a then snd c else 0 else 0 else 0).
  assert (E : total (map (fun x => told_by (snd p (fst p x)) (weight_of (c :: cs) x)) lines) =
              total (map (fun x => told_by (snd p (fst p x)) (one x)) lines) + total (map (fun x => told_by (snd p (fst p x)) (weight_of cs x)) lines)).
  { rewrite <- total_map_add. f_equal. apply map_ext. intros x. rewrite <- told_add. unfold told_by. f_equal. apply map_ext. intros y.
    destruct (members_of _ _); [|reflexivity]. now rewrite weight_of_cons. }
  rewrite E. clear E. unfold got_right in *. simpl. destruct (N.eqb_spec (received p (row_of c) (column_of c)) (answer_of c)) as [R|]; [|lia].
  enough (snd c <= total (map (fun x => told_by (snd p (fst p x)) (one x)) lines)).
  { unfold mass in *. cbn [map total fold_right] in *. unfold total in *. lia. }
  eapply N.le_trans; [|apply (total_map_In (fun x => told_by (snd p (fst p x)) (one x)) lines (row_of c) Hx)].
  unfold told_by. eapply N.le_trans; [|apply (total_map_In (fun y => if members_of answers (snd p (fst p (row_of c)) y)
    then one (row_of c) y (snd p (fst p (row_of c)) y) else 0) places (column_of c) Hy)].
  unfold received in R. cbv beta. rewrite R. unfold one. rewrite !N.eqb_refl.
  assert (M : members_of answers (answer_of c) = true) by (apply existsb_exists; exists (answer_of c); now rewrite N.eqb_refl). rewrite M. lia.
Qed.

(** *** Sets of lines with one message, and with 2^bits *)
Definition got (m : N -> nat) (g : nat -> N -> N) (s : N -> bool) (ls : list N) : N :=
  total (map (fun x => if s x then told_by (g (m x)) (w x) else 0) ls).

Definition enough (bits : nat) (u : values N) : Prop :=
  forall s m g, (forall x, In x lines -> s x = true -> (m x < 2 ^ bits)%nat) -> got m g s lines <= at_set u (map s lines).

Lemma sets_of_lines_shaped ls : forall v, shaped (length ls) (sets_of_lines (map (fun x => table_of (w x)) ls) v).
Proof. induction ls as [|x ls IH]; intros v [|[] s] L; try discriminate; simpl in *; apply IH; congruence. Qed.

Lemma sets_of_lines_spec (h : N -> N) (s : N -> bool) ls : forall v, told_by h v + total (map (fun x => if s x then told_by h (w x) else 0) ls) <=
  at_set (sets_of_lines (map (fun x => table_of (w x)) ls) (table_of v)) (map s ls).
Proof.
  induction ls as [|x ls IH]; intros v.
  - change (told_by h v + 0 <= total (map largest (table_of v))). pose proof (told_at_most h v). lia.
  - cbn [map sets_of_lines]. rewrite add_tables_of. unfold total. cbn [fold_right]. fold (total (map (fun x => if s x then told_by h (w x) else 0) ls)).
    unfold at_set in *. cbn [get]. destruct (s x); [|now rewrite N.add_0_l].
    pose proof (IH (fun y a => w x y a + v y a)) as K. rewrite told_add in K. lia.
Qed.

Lemma one_message_enough : enough 0 (sets_of_lines (map (fun x => table_of (w x)) lines) (table_of (fun _ _ => 0))).
Proof.
  intros s m g H. pose proof (sets_of_lines_spec (g 0%nat) s lines (fun _ _ => 0)) as K. eapply N.le_trans; [|exact K].
  assert (E : got m g s lines <= total (map (fun x => if s x then told_by (g 0%nat) (w x) else 0) lines)); [|lia].
  apply total_map_le. intros x Hx. destruct (s x) eqn:E; [|lia]. specialize (H x Hx E). simpl in H. replace (m x) with 0%nat by lia. lia.
Qed.

(** The messages below 2^bits, and the others. *)
Lemma got_in_halves bits u s m g : enough bits u -> (forall x, In x lines -> s x = true -> (m x < 2 ^ S bits)%nat) ->
  exists s1 s2, parts_of lines s s1 s2 /\ got m g s lines <= at_set u (map s1 lines) + at_set u (map s2 lines).
Proof.
  intros En H. set (half := (2 ^ bits)%nat).
  exists (fun x => s x && Nat.ltb (m x) half), (fun x => s x && negb (Nat.ltb (m x) half)). split.
  - intros x _. destruct (s x), (Nat.ltb _ _); auto.
  - pose proof (En (fun x => s x && Nat.ltb (m x) half) m g) as E1.
    pose proof (En (fun x => s x && negb (Nat.ltb (m x) half)) (fun x => (m x - half)%nat) (fun k => g (k + half)%nat)) as E2.
    cbv beta in *.
    assert (got m g s lines <= got m g (fun x => s x && Nat.ltb (m x) half) lines +
      got (fun x => (m x - half)%nat) (fun k => g (k + half)%nat) (fun x => s x && negb (Nat.ltb (m x) half)) lines).
    { unfold got. rewrite <- total_map_add. apply total_map_le. intros x _. destruct (s x); simpl; [|lia].
      destruct (Nat.ltb_spec (m x) half); simpl; [lia|]. replace (m x - half + half)%nat with (m x) by lia. lia. }
    eapply N.le_trans; [eassumption|]. apply N.add_le_mono; [apply E1|apply E2]; intros x Hx B; apply andb_true_iff in B; destruct B as [B C].
    + now apply Nat.ltb_lt.
    + apply negb_true_iff, Nat.ltb_ge in C. specialize (H x Hx B). simpl in H. fold half in H. lia.
Qed.

Lemma divided_in_two bits u s m g : shaped (length lines) u -> enough bits u -> (forall x, In x lines -> s x = true -> (m x < 2 ^ S bits)%nat) ->
  got m g s lines <= most_in_halves u (map s lines).
Proof.
  intros S En H. destruct (got_in_halves bits u s m g En H) as (s1 & s2 & P & L). eapply N.le_trans; [exact L|].
  apply most_in_halves_spec; [now apply parts_split|now rewrite map_length].
Qed.

Lemma messages_of_bits_enough u bits : shaped (length lines) u -> enough 0 u ->
  shaped (length lines) (messages_of_bits (length lines) bits u) /\ enough bits (messages_of_bits (length lines) bits u).
Proof.
  intros S En. induction bits as [|bits [IS IE]]; cbn [messages_of_bits]; [auto|]. split.
  - intros s L. now rewrite in_halves_get.
  - intros s m g H. unfold at_set. rewrite in_halves_get by apply map_length. now apply (divided_in_two bits).
Qed.

(** More messages than lines are of no use. *)
Definition renamed (m : N -> nat) (g : nat -> N -> N) (k : nat) : N -> N :=
  match nth_error lines k with Some x => g (m x) | None => fun _ => 0 end.

Lemma got_renamed m g : got m g (fun _ => true) lines = got (fun x => place x lines) (renamed m g) (fun _ => true) lines.
Proof.
  unfold got. f_equal. apply map_ext_in. intros x Hx. unfold renamed. now rewrite place_nth.
Qed.

Lemma place_below x : In x lines -> (place x lines < length lines)%nat.
Proof. intros H. apply nth_error_Some. rewrite place_nth; [discriminate|exact H]. Qed.

Lemma few_messages bits m g : (forall x, (m x < 2 ^ bits)%nat) ->
  exists m' g', (forall x, In x lines -> (m' x < 2 ^ Nat.min bits (Nat.log2_up (length lines)))%nat) /\
    got m g (fun _ => true) lines = got m' g' (fun _ => true) lines.
Proof.
  intros H. destruct (Nat.min_spec bits (Nat.log2_up (length lines))) as [[_ ->]|[_ ->]]; [exists m, g; auto|].
  exists (fun x => place x lines), (renamed m g). split; [|apply got_renamed]. intros x Hx. apply place_below in Hx.
  destruct (Nat.le_gt_cases (length lines) 1) as [L|L]; [rewrite Nat.log2_up_eqn0 by exact L; simpl; lia|].
  pose proof (Nat.log2_up_spec (length lines) L). lia.
Qed.

Lemma got_by_bits u bits m g : shaped (length lines) u -> enough 0 u -> (forall x, In x lines -> (m x < 2 ^ bits)%nat) ->
  got m g (fun _ => true) lines <= match bits with
    | O => at_set u (all_lines (length lines))
    | S fewer => most_in_halves (messages_of_bits (length lines) fewer u) (all_lines (length lines))
    end.
Proof.
  intros S En H. rewrite <- all_of. destruct bits as [|fewer]; [apply En; auto|].
  destruct (messages_of_bits_enough u fewer S En) as [S' En']. apply (divided_in_two fewer); auto.
Qed.
End Hard.

Theorem best_messages_is_best bits (p : one_message N N N) cells : (forall x, (fst p x < 2 ^ bits)%nat) ->
  got_right _ (received (A := N)) p cells <= best_messages bits cells.
Proof.
  intros H. unfold best_messages. set (lines := nodup N.eq_dec (map row_of cells)). set (places := nodup N.eq_dec (map column_of cells)).
  set (answers := nodup N.eq_dec (map answer_of cells)).
  change (map (weights_of_line cells places answers) lines) with (map (fun x => table_of places answers (weight_of cells x)) lines).
  change (map (fun _ : N => map (fun _ : N => 0) answers) places) with (table_of places answers (fun _ _ : N => 0)).
  eapply N.le_trans; [apply (right_by_lines lines places answers)|].
  - apply Forall_forall. intros c Hc. unfold lines, places, answers. rewrite !nodup_In. auto using in_map.
  - destruct (few_messages cells lines places answers bits (fst p) (snd p) H) as (m & g & B & E).
    unfold got at 1 in E. cbv beta iota in E. rewrite E. apply got_by_bits; [apply sets_of_lines_shaped|apply one_message_enough|exact B].
Qed.

Definition cell_sent (sender : party) (c : N * N * N) : N * N * N :=
  match sender with alice => c | bob => (snd (fst c), fst (fst c), snd c) end.

(** What messages of so many bits cannot exceed, as a sum and the sum of all weights. *)
Definition limit_of_messages (t : table) (sender : party) (bits : nat) (cells : list (N * N * N)) : option (N * N) :=
  if regular t then
    match all_weighed (lines_of t sender) (map (cell_sent sender) cells) with
    | Some ws => if 0 <? mass ws then Some (best_messages bits ws, mass ws) else None
    | None => None
    end
  else None.

Theorem limit_of_messages_sound t sender bits cells most whole q : limit_of_messages t sender bits cells = Some (most, whole) ->
  0 < whole /\ (messages_succeed (sent_by sender (cell t)) N.eqb (2 ^ bits) q -> (q * fraction whole <= fraction most)%Q).
Proof.
  unfold limit_of_messages. intros H. destruct (regular t) eqn:R; [|discriminate].
  destruct (all_weighed _ _) as [ws|] eqn:E; [|discriminate]. destruct (N.ltb_spec 0 (mass ws)) as [P|]; [|discriminate].
  injection H as <- <-. split; [exact P|]. intros (m & Pos & D & Right). apply all_weighed_promised in E.
  apply (mean_of_mixture _ (received (A := N)) (cell (lines_of t sender)) m); [exact E|exact Pos| |].
  - eapply Forall_impl; [|exact D]. intros e He. now apply best_messages_is_best.
  - intros x y a F. apply Right. now rewrite <- lines_of_cell.
Qed.

(** A protocol without coins is a mixture. *)
Theorem messages_without_coins (f : function N N N) sender count (q : Q) : (q <= 1)%Q -> messages_suffice f sender count ->
  messages_succeed (sent_by sender f) N.eqb count q.
Proof.
  intros L K.
  assert (S : exists p : one_message N N N, (forall x, (fst p x < count)%nat) /\
            forall x y a, sent_by sender f x y = Some a -> received p x y = a).
  { destruct sender; destruct K as (m & g & B & C); exists (m, g); (split; [exact B|]); intros x y a E; now apply C. }
  destruct S as (p & B & C). exists [(1, p)]. split; [reflexivity|]. split; [constructor; [exact B|constructor]|].
  intros x y a E. apply C in E. unfold right_weight_of_messages. cbn [map fst snd]. rewrite E, N.eqb_refl.
  change (fraction (total [1])) with 1%Q. now rewrite Qmult_1_r.
Qed.
