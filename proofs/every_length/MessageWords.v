(** * Messages that are words: each word of the sender is paired with one that has the same answers *)
From Coq Require Import List Arith Lia Bool NArith ZArith.
From Ccsim Require Import Specification Families Reaching Words PairWords RegularFooling RegularLines FiniteParties Tensor.
Import ListNotations.
Open Scope nat_scope.

(** Whoever is told the second answer knows the first, if that is promised. *)
Definition tells_answer (one other : option N) : bool :=
  match one, other with None, _ => true | Some a, Some b => (a =? b)%N | Some _, None => false end.

Section Messages.
Variable F : family.
Variable M : automaton nat.
Variable C : automaton (nat * nat).
Variable base : N.

(** All of a list, once each where no two have one key. *)
Definition gathered_all (l : list (nat * nat)) : list (nat * nat) :=
  let found := fold_left (fun m p => Keyed.add (key_of_pair base p) p m) l (Keyed.empty (nat * nat)) in
  if forallb (has (nat * nat) same_numbers (key_of_pair base) found) l then map snd (Keyed.elements found) else l.

Lemma gathered_all_In l p : In p l -> In p (gathered_all l).
Proof.
  unfold gathered_all. destruct (forallb _ l) eqn:A; [|auto]. intros H. rewrite forallb_forall in A.
  exact (has_In _ _ same_numbers_true _ _ _ (A p H)).
Qed.

Definition dead : nat := length (moves M).
Definition next_line (line u : nat) : nat :=
  match find (fun move => fst move =? u) (from M line) with Some move => snd move | None => dead end.

Definition all_pairs_after (set : list (nat * nat)) (x u : nat) : list (nat * nat) :=
  gathered_all (flat_map (fun pq => map (fun y => (step F (fst pq) x y, step F (snd pq) u y)) (seq 0 (bob_letters F))) set).

Definition stage : Type := (nat * nat) * list (nat * nat).

Definition stages_after (now : stage) : list stage :=
  map (fun move => ((snd move, next_line (snd (fst now)) (snd (fst move))), all_pairs_after (snd now) (fst (fst move)) (snd (fst move))))
    (from C (fst (fst now))).

Definition first_stage : stage := ((beginning C, beginning M), [(start F, start F)]).

Definition stages : option (list stage) :=
  reached_from same_sets (fun now => digits base (fst (fst now) :: snd (fst now) :: flat (snd now))) stages_after (stages_after first_stage).

Definition stage_good (now : stage) : bool :=
  if accepts_at C (fst (fst now)) then
    accepts_at M (snd (fst now)) && forallb (fun pq => tells_answer (output F (fst pq)) (output F (snd pq))) (snd now)
  else true.

(** The states of the pairs to which a word of the sender leads. *)
Definition paired (now : list nat) (x : nat) : list nat :=
  map fst (gathered base (flat_map (fun s => map (fun move => (snd move, 0)) (filter (fun move => fst (fst move) =? x) (from C s))) now)).

Definition same_states (l l' : list nat) : bool := if list_eq_dec Nat.eq_dec l l' then true else false.

Definition wholes : option (list (list nat)) :=
  let follow := fun now => map (paired now) (seq 0 (alice_letters F)) in
  reached_from same_states (digits base) follow (follow [beginning C]).

Definition messages_good : bool :=
  if (0 <? alice_letters F) && (length (accepting M) <=? dead) && forallb (forallb (fun move => fst move <? alice_letters F)) (moves M) then
    match stages, wholes with
    | Some found, Some whole => forallb stage_good found && forallb (existsb (accepts_at C)) whole
    | _, _ => false
    end
  else false.

Lemma dead_words n : length (accepting M) <= dead -> words M n dead = [].
Proof.
  intros L. destruct n as [|n]; cbn [words].
  - unfold accepts_at. now rewrite nth_overflow.
  - unfold from, dead. now rewrite nth_overflow.
Qed.

Section Sound.
Hypothesis good : messages_good = true.

Lemma messages_parts : 0 < alice_letters F /\ length (accepting M) <= dead /\
  (forall n s w, In w (words M n s) -> is_word (alice_letters F) n w = true) /\
  exists found whole, stages = Some found /\ wholes = Some whole /\ (forall now, In now found -> stage_good now = true) /\
    (forall now, In now whole -> existsb (accepts_at C) now = true).
Proof.
  pose proof good as G. unfold messages_good in G. destruct (_ && _ && _) eqn:P in G; [|discriminate].
  apply andb_true_iff in P. destruct P as [P L]. apply andb_true_iff in P. destruct P as [P1 P2]. apply Nat.ltb_lt in P1. apply Nat.leb_le in P2.
  destruct stages as [found|]; [|discriminate]. destruct wholes as [whole|]; [|discriminate]. apply andb_true_iff in G. destruct G as [G1 G2].
  rewrite forallb_forall in G1, G2, L. split; [exact P1|]. split; [exact P2|]. split; [|exists found, whole; auto].
  unfold is_word. induction n as [|n IH]; intros s w H; simpl in H.
  - destruct (accepts_at M s); [|elim H]. destruct H as [<-|[]]. reflexivity.
  - apply in_flat_map in H. destruct H as (m & Hm & H). apply in_map_iff in H. destruct H as (w' & <- & H).
    specialize (IH _ _ H). apply andb_true_iff in IH. destruct IH as [L1 H1]. unfold from in Hm.
    destruct (nth_in_or_default s (moves M) []) as [E|E]; [|rewrite E in Hm; elim Hm].
    specialize (L _ E). rewrite forallb_forall in L. specialize (L _ Hm). simpl. now rewrite L, L1, H1.
Qed.

(** A pair that is accepted: a message, and what it tells. *)
Theorem pair_good n : 1 <= n -> forall pw, In pw (accepted C n) -> In (ys pw) (accepted M n) /\
  forall zs, is_word (bob_letters F) n zs = true ->
    tells_answer (output F (read F (start F) (xs pw) zs)) (output F (read F (start F) (ys pw) zs)) = true.
Proof.
  destruct messages_parts as (_ & Short & _ & found & whole & St & _ & G & _). unfold stages in St.
  apply (reached_closed same_sets_true) in St. destruct St as [S1 S2].
  assert (Next : forall s line set m, In m (from C s) -> In ((snd m, next_line line (snd (fst m))), all_pairs_after set (fst (fst m)) (snd (fst m)))
    (stages_after ((s, line), set))).
  { intros s line set m Hm. unfold stages_after. apply in_map_iff. now exists m. }
  assert (Written : forall k line u w, In w (words M k (next_line line u)) -> In (u :: w) (words M (S k) line)).
  { intros k line u w H. unfold next_line in H. destruct (find _ _) as [m|] eqn:E; [|rewrite dead_words in H by exact Short; elim H].
    apply find_some in E. destruct E as [Hm E]. apply Nat.eqb_eq in E. simpl. apply in_flat_map. exists m. split; [exact Hm|].
    apply in_map_iff. exists w. now rewrite E. }
  assert (Led : forall set x u p q y, In (p, q) set -> y < bob_letters F -> In (step F p x y, step F q u y) (all_pairs_after set x u)).
  { intros set x u p q y H Hy. unfold all_pairs_after. apply gathered_all_In, in_flat_map. exists (p, q). split; [exact H|].
    apply in_map_iff. exists y. split; [reflexivity|]. apply in_seq. lia. }
  assert (K : forall k s line set, In ((s, line), set) found -> forall pw, In pw (words C k s) -> In (ys pw) (words M k line) /\
    forall p q zs, In (p, q) set -> is_word (bob_letters F) k zs = true ->
      tells_answer (output F (read F p (xs pw) zs)) (output F (read F q (ys pw) zs)) = true).
  { induction k as [|k IH]; intros s line set H pw Hw; simpl in Hw.
    - destruct (accepts_at C s) eqn:E; [|elim Hw]. destruct Hw as [<-|[]]. specialize (G _ H). unfold stage_good in G. cbn [fst snd] in G.
      rewrite E in G. apply andb_true_iff in G. destruct G as [G1 G2]. split; [simpl; rewrite G1; now left|].
      intros p q zs Hpq _. rewrite forallb_forall in G2. exact (G2 _ Hpq).
    - apply in_flat_map in Hw. destruct Hw as (m & Hm & Hw). apply in_map_iff in Hw. destruct Hw as (pw' & <- & Hw).
      destruct (IH _ _ _ (S2 _ _ H (Next s line set m Hm)) pw' Hw) as [I1 I2]. split; [exact (Written _ _ _ _ I1)|].
      intros p q zs Hpq Hz. apply word_cons in Hz. destruct Hz as (y & rest & -> & Ly & Hz). exact (I2 _ _ rest (Led _ _ _ _ _ _ Hpq Ly) Hz). }
  intros Hn pw Hw. destruct n as [|n]; [lia|]. unfold accepted in Hw. simpl in Hw. apply in_flat_map in Hw. destruct Hw as (m & Hm & Hw).
  apply in_map_iff in Hw. destruct Hw as (pw' & <- & Hw). destruct (K n _ _ _ (S1 _ (Next _ _ _ m Hm)) pw' Hw) as [I1 I2].
  split; [exact (Written _ _ _ _ I1)|]. intros zs Hz. apply word_cons in Hz. destruct Hz as (y & rest & -> & Ly & Hz).
  exact (I2 _ _ rest (Led [(start F, start F)] _ _ (start F) (start F) _ (or_introl eq_refl) Ly) Hz).
Qed.

(** Each word of the sender is paired. *)
Theorem word_paired n w : 1 <= n -> is_word (alice_letters F) n w = true -> exists pw, In pw (accepted C n) /\ xs pw = w.
Proof.
  destruct messages_parts as (_ & _ & _ & found & whole & _ & Wh & _ & A). unfold wholes in Wh.
  assert (Same : forall a b, same_states a b = true -> a = b) by (intros a b; unfold same_states; now destruct (list_eq_dec _ a b)).
  apply (reached_closed Same) in Wh. destruct Wh as [W1 W2].
  assert (Back : forall now x s', In s' (paired now x) -> exists s u, In s now /\ In ((x, u), s') (from C s)).
  { intros now x s' H. unfold paired in H. apply in_map_iff in H. destruct H as ([t z] & E & H). simpl in E. subst t. apply gathered_In, in_flat_map in H.
    destruct H as (s & Hs & H). apply in_map_iff in H. destruct H as (m & [= E _] & H). apply filter_In in H. destruct H as [H Ex].
    apply Nat.eqb_eq in Ex. destruct m as [[x' u] t]. simpl in *. subst. exists s, u. auto. }
  assert (Step : forall k now x w', In (paired now x) whole -> (forall v, is_word (alice_letters F) k v = true -> exists s pw, In s (paired now x) /\ In pw (words C k s) /\ xs pw = v) ->
    is_word (alice_letters F) k w' = true -> exists s pw, In s now /\ In pw (words C (S k) s) /\ xs pw = x :: w').
  { intros k now x w' _ IH Hw. destruct (IH w' Hw) as (s' & pw & Hs & Hp & E). destruct (Back _ _ _ Hs) as (s & u & Hs' & Hm).
    exists s, ((x, u) :: pw). split; [exact Hs'|]. split; [|simpl; now rewrite E]. simpl. apply in_flat_map. exists ((x, u), s').
    split; [exact Hm|]. apply in_map_iff. now exists pw. }
  assert (K : forall k now, In now whole -> forall v, is_word (alice_letters F) k v = true -> exists s pw, In s now /\ In pw (words C k s) /\ xs pw = v).
  { induction k as [|k IH]; intros now H v Hv.
    - apply word_empty in Hv. subst. specialize (A _ H). apply existsb_exists in A. destruct A as (s & Hs & E). exists s, [].
      split; [exact Hs|]. split; [simpl; rewrite E; now left|reflexivity].
    - apply word_cons in Hv. destruct Hv as (x & v' & -> & Lx & Hv).
      assert (N : In (paired now x) whole) by (apply (W2 _ _ H), in_map, in_seq; lia). apply (Step k now x v' N); [apply IH; exact N|exact Hv]. }
  intros Hn Hw. destruct n as [|n]; [lia|]. apply word_cons in Hw. destruct Hw as (x & w' & -> & Lx & Hw).
  assert (N : In (paired [beginning C] x) whole) by (apply W1, in_map, in_seq; lia).
  destruct (Step n [beginning C] x w' N (K n _ N) Hw) as (s & pw & [<-|[]] & Hp & E). exists pw. auto.
Qed.

(** ** The message is the place of its word *)
Fixpoint place_of (u : list nat) (l : list (list nat)) : nat :=
  match l with [] => 0 | v :: rest => if same_states u v then 0 else S (place_of u rest) end.

Lemma place_of_In u l : In u l -> place_of u l < length l /\ nth_error l (place_of u l) = Some u.
Proof.
  induction l as [|v l IH]; simpl; intros H; [elim H|]. unfold same_states. destruct (list_eq_dec Nat.eq_dec u v) as [->|Ne]; simpl; [split; [lia|reflexivity]|].
  destruct H as [E|H]; [congruence|]. destruct (IH H). split; [lia|assumption].
Qed.

Definition partner (n : nat) (w : list nat) : list nat :=
  match find (fun pw => same_states (xs pw) w) (accepted C n) with Some pw => ys pw | None => [] end.

Theorem words_are_messages n : 1 <= n -> messages_suffice (at_length F n) alice (length (accepted M n)).
Proof.
  intros Hn. destruct messages_parts as (Pos & _ & In_range & _).
  assert (Partner : forall w, is_word (alice_letters F) n w = true -> In (partner n w) (accepted M n) /\
    forall zs, is_word (bob_letters F) n zs = true -> tells_answer (output F (read F (start F) w zs)) (output F (read F (start F) (partner n w) zs)) = true).
  { intros w Hw. destruct (word_paired n w Hn Hw) as (pw & Hp & E). unfold partner. destruct (find _ _) as [pw'|] eqn:Fd.
    - apply find_some in Fd. destruct Fd as [Hp' E']. unfold same_states in E'. destruct (list_eq_dec Nat.eq_dec (xs pw') w) as [<-|]; [|discriminate].
      now apply pair_good.
    - pose proof (find_none _ _ Fd pw Hp) as N. cbv beta in N. unfold same_states in N. destruct (list_eq_dec Nat.eq_dec (xs pw) w); congruence. }
  assert (Some_word : is_word (alice_letters F) n (repeat 0 n) = true).
  { unfold is_word. rewrite repeat_length, Nat.eqb_refl. apply forallb_forall. intros a Ha. apply repeat_spec in Ha. subst. now apply Nat.ltb_lt. }
  exists (fun w => if is_word (alice_letters F) n w then place_of (partner n w) (accepted M n) else 0),
    (fun m zs => match nth_error (accepted M n) m with
                 | Some u => match at_length F n u zs with Some a => a | None => 0%N end
                 | None => 0%N end). split.
  - intros w. destruct (is_word (alice_letters F) n w) eqn:Hw.
    + apply place_of_In. now apply Partner.
    + destruct (Partner _ Some_word) as [H _]. destruct (accepted M n); [elim H|simpl; lia].
  - intros w zs a E. unfold at_length in E. destruct (is_word (alice_letters F) n w) eqn:Hw; [|discriminate].
    destruct (is_word (bob_letters F) n zs) eqn:Hz; [|discriminate]. cbn [andb] in E. destruct (Partner w Hw) as [Hp T].
    destruct (place_of_In _ _ Hp) as [_ ->]. unfold at_length. rewrite (In_range n _ _ Hp), Hz. cbn [andb]. specialize (T zs Hz). rewrite E in T.
    simpl in T. destruct (output F (read F (start F) (partner n w) zs)); [|discriminate]. apply N.eqb_eq in T. now symmetry.
Qed.
End Sound.
End Messages.

Definition regular_messages (F : family) (sender : party) (M : automaton nat) (C : automaton (nat * nat)) (base : N)
  (count : list Z * list Z) : bool :=
  if messages_good (family_of_sender sender F) M C base then counts M count else false.

Theorem regular_messages_suffice F sender M C base count : regular_messages F sender M C base count = true ->
  always_holds F (LastingMessages sender) Upper (Counted count).
Proof.
  unfold regular_messages. destruct (messages_good _ _ _ _) eqn:G; [|discriminate]. intros H n Hn. exists (length (accepted M n)). split.
  - apply sender_message. exact (words_are_messages _ _ _ _ G n Hn).
  - simpl. rewrite (counts_for_ever H Hn). lia.
Qed.
