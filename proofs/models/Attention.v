(** * One layer of attention, in exact integers, whoever holds which positions

    Scores, exponentials, weights and the read-out are any functions; sums are exact. The exchange of the largest score
    (docs/proofs/softmax_protocol.md) computes it, and takes [exchange_bits]. *)
From Coq Require Import List Arith Lia Bool ZArith.
From Ccsim Require Import Specification Trees Speaking.
Import ListNotations.
Set Implicit Arguments.

(** ** The model

    Symbols, heads, coordinates, positions and answers are numbers from 0. A score may depend on the symbol at the last
    position. The exponential of a score less the largest one is a number of steps, at most [scale] (which stands for 1); a
    weight is any function of it and of the sum of all, such that weights add up to [scale] at most (a softmax, rounded
    down). A coordinate of a value is one of [room] numbers from [least] on, with 0 among them. *)
Record layer := Layer {
  symbols : nat; heads : nat; width : nat; scale : nat; answers : nat;
  score : forall head last position symbol : nat, Z;
  exponential : Z -> nat;
  weight : forall exponential sum : nat, nat;
  value : forall head coordinate position symbol : nat, Z;
  least : Z; room : nat;
  read_out : forall (last : nat) (sums : list Z), nat
}.

Definition sum_of (numbers : list nat) : nat := fold_right Nat.add 0 numbers.
Definition sum_in_Z (numbers : list Z) : Z := fold_right Z.add 0%Z numbers.

Definition exact (m : layer) : Prop :=
  (forall difference, exponential m difference <= scale m) /\
  (forall exponentials, sum_of (map (fun e => weight m e (sum_of exponentials)) exponentials) <= scale m) /\
  (forall head coordinate position symbol,
    (least m <= value m head coordinate position symbol < least m + Z.of_nat (room m))%Z) /\
  (least m <= 0 < least m + Z.of_nat (room m))%Z /\
  (forall last sums, read_out m last sums < answers m).

Section Model.
Variable m : layer.

Fixpoint largest (scores : list Z) : Z :=
  match scores with [] => 0%Z | [one] => one | one :: rest => Z.max one (largest rest) end.

(** A word gives the symbol at each position; [last] is the one at the last position. *)
Definition scores_at (last : nat) (word : nat -> nat) (head : nat) (positions : list nat) : list Z :=
  map (fun i => score m head last i (word i)) positions.

Definition exponentials_at (last : nat) (word : nat -> nat) (head : nat) (most : Z) (positions : list nat) : list nat :=
  map (fun i => exponential m (score m head last i (word i) - most)) positions.

Definition weighted_at (last : nat) (word : nat -> nat) (head coordinate : nat) (most : Z) (sum : nat) (positions : list nat) : Z :=
  sum_in_Z (map (fun i => (Z.of_nat (weight m (exponential m (score m head last i (word i) - most)) sum) *
                           value m head coordinate i (word i))%Z) positions).

Definition head_sum (length : nat) (word : nat -> nat) (head coordinate : nat) : Z :=
  let all := seq 0 length in
  let last := word (length - 1) in
  let most := largest (scores_at last word head all) in
  weighted_at last word head coordinate most (sum_of (exponentials_at last word head most all)) all.

(** The answer of the layer, at the last position: the read-out sees all coordinates of the first head, then those of the
    second, and so on. *)
Definition attend (length : nat) (word : nat -> nat) : nat :=
  read_out m (word (length - 1))
    (map (fun k => head_sum length word (k / width m) (k mod width m)) (seq 0 (heads m * width m))).

(** ** As a function of two parties: Alice holds the positions that [hers] names, Bob the others *)
Variable hers : nat -> bool.

Definition joined (x y : nat -> nat) (i : nat) : nat := if hers i then x i else y i.

Definition attention (length : nat) : function (nat -> nat) (nat -> nat) nat := fun x y =>
  if forallb (fun i => joined x y i <? symbols m) (seq 0 length) then Some (attend length (joined x y)) else None.

Definition held_by_alice (length : nat) : list nat := filter hers (seq 0 length).
Definition held_by_bob (length : nat) : list nat := filter (fun i => negb (hers i)) (seq 0 length).
End Model.

(** The last symbol; for all heads together where each party's largest score is, its sum of exponentials, one party's sums
    of weights times values; the answer back. *)
Definition exchange_bits (m : layer) (mine yours : nat) : nat :=
  Nat.log2_up (symbols m) +
  Nat.log2_up (Nat.max 1 (mine * symbols m) ^ heads m) + Nat.log2_up (Nat.max 1 (yours * symbols m) ^ heads m) +
  Nat.log2_up ((mine * scale m + 1) ^ heads m) + Nat.log2_up ((yours * scale m + 1) ^ heads m) +
  Nat.log2_up ((scale m * (room m - 1) + 1) ^ (heads m * width m)) +
  Nat.log2_up (answers m).

(** ** Numbers below a base, as one number *)
Fixpoint packed (base : nat) (digits : list nat) : nat :=
  match digits with [] => 0 | d :: rest => d + base * packed base rest end.

Fixpoint unpacked (base count number : nat) : list nat :=
  match count with O => [] | S count => number mod base :: unpacked base count (number / base) end.

Lemma packed_small base digits : Forall (fun d => d < base) digits -> packed base digits < base ^ length digits.
Proof. induction 1 as [|d rest Hd _ IH]; simpl; [lia|]. nia. Qed.

Lemma unpacked_packed base digits : Forall (fun d => d < base) digits -> unpacked base (length digits) (packed base digits) = digits.
Proof.
  induction 1 as [|d rest Hd _ IH]; simpl; [reflexivity|]. rewrite (Nat.mul_comm base), Nat.mod_add, Nat.mod_small by lia.
  rewrite Nat.div_add, Nat.div_small by lia. simpl. now rewrite IH.
Qed.

Lemma fits count bits : Nat.log2_up count <= bits -> forall number, number < count -> number < 2 ^ bits.
Proof.
  intros H number Small. destruct (le_lt_dec count 1) as [|Big]; [pose proof (Nat.pow_nonzero 2 bits); lia|].
  pose proof (Nat.log2_up_spec count Big) as [_ K]. pose proof (Nat.pow_le_mono_r 2 _ _ ltac:(lia) H). lia.
Qed.

(** ** Protocols in which some party says numbers *)
Definition own {X Y T : Type} (who : party) (number : X -> Y -> T) : Prop :=
  match who with
  | alice => forall x y y', number x y = number x y'
  | bob => forall x x' y, number x y = number x' y
  end.

Section Turns.
Variables X Y L : Type.
Variables (x0 : X) (y0 : Y).

Definition says (who : party) (count : nat) (number : X -> Y -> nat) (continue : nat -> protocol X Y L) : protocol X Y L :=
  match who with
  | alice => alice_says (fun x => number x y0) (Nat.log2_up count) 0 continue
  | bob => bob_says (fun y => number x0 y) (Nat.log2_up count) 0 continue
  end.

Lemma says_run who count number continue x y : own who number -> number x y < count ->
  run (says who count number continue) x y = run (continue (number x y)) x y.
Proof.
  destruct who; simpl; intros Own Small.
  - rewrite alice_says_run; rewrite (Own x y0 y); [reflexivity|]. now apply (@fits _ _ (le_n _)).
  - rewrite bob_says_run; rewrite (Own x0 x y); [reflexivity|]. now apply (@fits _ _ (le_n _)).
Qed.

Lemma says_depth who count number continue d : (forall n, depth (continue n) <= d) ->
  depth (says who count number continue) <= Nat.log2_up count + d.
Proof. destruct who; simpl; intros H; [now apply alice_says_depth|now apply bob_says_depth]. Qed.

(** So many numbers below a base. *)
Definition tells (who : party) (base count : nat) (number : X -> Y -> nat -> nat) (continue : (nat -> nat) -> protocol X Y L) :
    protocol X Y L :=
  says who (base ^ count) (fun x y => packed base (map (number x y) (seq 0 count)))
    (fun said => continue (fun k => nth k (unpacked base count said) 0)).

Lemma tells_run who base count number continue x y : own who number -> (forall k, k < count -> number x y k < base) ->
  exists heard, (forall k, k < count -> heard k = number x y k) /\ run (tells who base count number continue) x y = run (continue heard) x y.
Proof.
  intros Own Small. assert (F : Forall (fun d => d < base) (map (number x y) (seq 0 count))).
  { apply Forall_map, Forall_forall. intros k Hk. apply in_seq in Hk. apply Small. lia. }
  assert (Len : length (map (number x y) (seq 0 count)) = count) by (now rewrite map_length, seq_length).
  exists (fun k => nth k (unpacked base count (packed base (map (number x y) (seq 0 count)))) 0). split.
  - intros k Hk. rewrite <- Len at 1. rewrite unpacked_packed by exact F.
    rewrite (nth_indep _ 0 (number x y 0)) by lia. rewrite map_nth, seq_nth by exact Hk. reflexivity.
  - unfold tells. rewrite says_run; [reflexivity| |].
    + destruct who; simpl in *; intros; f_equal; f_equal; apply Own.
    + pose proof (packed_small F) as P. now rewrite Len in P.
Qed.

Lemma tells_depth who base count number continue d : (forall heard, depth (continue heard) <= d) ->
  depth (tells who base count number continue) <= Nat.log2_up (base ^ count) + d.
Proof. intros H. apply says_depth. intros n. apply H. Qed.
End Turns.

(** ** The largest of two lists, and sums over two parts *)
Lemma largest_In a : a <> [] -> In (largest a) a /\ Forall (fun b => (b <= largest a)%Z) a.
Proof.
  induction a as [|one a IH]; [congruence|]. intros _. destruct a as [|two a]; [simpl; split; [auto|]; constructor; [lia|constructor]|].
  destruct (IH ltac:(discriminate)) as [K F]. change (largest (one :: two :: a)) with (Z.max one (largest (two :: a))). split.
  - destruct (Z.max_spec one (largest (two :: a))) as [[_ ->]|[_ ->]]; [now right|now left].
  - constructor; [lia|]. eapply Forall_impl; [|exact F]. simpl. intros. lia.
Qed.

Lemma largest_split {T} (g : T -> Z) (h : T -> bool) l : filter h l <> [] -> filter (fun a => negb (h a)) l <> [] ->
  largest (map g l) = Z.max (largest (map g (filter h l))) (largest (map g (filter (fun a => negb (h a)) l))).
Proof.
  intros Ha Hb. assert (N : forall u : list T, u <> [] -> map g u <> []) by (intros [|? ?]; simpl; congruence).
  assert (Nl : l <> []) by (intros ->; now apply Ha).
  destruct (largest_In (N _ Nl)) as [I F], (largest_In (N _ Ha)) as [Ia Fa], (largest_In (N _ Hb)) as [Ib Fb].
  rewrite Forall_map, Forall_forall in F, Fa, Fb.
  apply in_map_iff in I, Ia, Ib. destruct I as (i & E & I), Ia as (j & Ea & Ia), Ib as (k & Eb & Ib).
  assert (Sa : (g j <= largest (map g l))%Z) by (apply F; now apply filter_In in Ia).
  assert (Sb : (g k <= largest (map g l))%Z) by (apply F; now apply filter_In in Ib).
  assert (Or : (g i <= largest (map g (filter h l)))%Z \/ (g i <= largest (map g (filter (fun a => negb (h a)) l)))%Z).
  { destruct (h i) eqn:Hi; [left; apply Fa|right; apply Fb]; apply filter_In; split; auto. now rewrite Hi. }
  lia.
Qed.

Lemma sum_split {T} (g : T -> nat) (h : T -> bool) l :
  sum_of (map g l) = sum_of (map g (filter h l)) + sum_of (map g (filter (fun a => negb (h a)) l)).
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. destruct (h a); simpl; lia. Qed.

Lemma sum_in_Z_split {T} (g : T -> Z) (h : T -> bool) l :
  sum_in_Z (map g l) = (sum_in_Z (map g (filter h l)) + sum_in_Z (map g (filter (fun a => negb (h a)) l)))%Z.
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. destruct (h a); simpl; lia. Qed.

Lemma sum_bound l most : Forall (fun a => a <= most) l -> sum_of l <= length l * most.
Proof. induction 1; simpl; lia. Qed.

(** ** The exchange *)
Section Exchange.
Variable m : layer.
Hypothesis m_exact : exact m.
Variable hers : nat -> bool.
Variable length : nat.
Hypothesis some_position : 1 <= length.

Let mine := held_by_alice hers length.
Let yours := held_by_bob hers length.
Let all := seq 0 length.

(** All scores that some word has at these positions. *)
Definition possible (last head : nat) (positions : list nat) : list Z :=
  map (fun place => score m head last (fst place) (snd place)) (list_prod positions (seq 0 (symbols m))).

Fixpoint place_in (z : Z) (l : list Z) : nat :=
  match l with [] => 0 | a :: rest => if Z.eq_dec a z then 0 else S (place_in z rest) end.

Lemma place_in_spec z l : In z l -> place_in z l < List.length l /\ nth (place_in z l) l 0%Z = z.
Proof.
  induction l as [|a l IH]; simpl; [tauto|]. intros H. destruct (Z.eq_dec a z) as [->|Ne]; [split; [lia|reflexivity]|].
  destruct H as [H|H]; [contradiction|]. apply IH in H. split; [lia|tauto].
Qed.

Definition place_of_largest (last : nat) (word : nat -> nat) (positions : list nat) (head : nat) : nat :=
  place_in (largest (scores_at m last word head positions)) (possible last head positions).

Definition places (positions : list nat) : nat := Nat.max 1 (List.length positions * symbols m).

Lemma possible_length last head positions : List.length (possible last head positions) = List.length positions * symbols m.
Proof. unfold possible. now rewrite map_length, prod_length, seq_length. Qed.

Lemma largest_possible last word head positions : positions <> [] -> (forall i, In i positions -> word i < symbols m) ->
  In (largest (scores_at m last word head positions)) (possible last head positions).
Proof.
  intros Any Good. assert (N : scores_at m last word head positions <> []) by (destruct positions; simpl; congruence).
  destruct (largest_In N) as [H _]. unfold scores_at in H at 2. apply in_map_iff in H. destruct H as (i & <- & Hi).
  apply in_map_iff. exists (i, word i). split; [reflexivity|]. apply in_prod_iff. split; [exact Hi|]. apply in_seq. specialize (Good i Hi). lia.
Qed.

Lemma place_small last word head positions : (forall i, In i positions -> word i < symbols m) ->
  place_of_largest last word positions head < places positions.
Proof.
  intros Good. unfold place_of_largest, places. destruct positions as [|i rest]; [simpl; lia|].
  destruct (place_in_spec _ _ (@largest_possible last word head (i :: rest) ltac:(discriminate) Good)) as [K _].
  rewrite possible_length in K. lia.
Qed.

(** The largest score of all, from the place of each party's. *)
Definition most_of (last head mine_at yours_at : nat) : Z :=
  let a := nth mine_at (possible last head mine) 0%Z in
  let b := nth yours_at (possible last head yours) 0%Z in
  match mine, yours with [], _ => b | _, [] => a | _, _ => Z.max a b end.

Lemma scores_same last word word' head positions : (forall i, In i positions -> word i = word' i) ->
  scores_at m last word head positions = scores_at m last word' head positions.
Proof. intros H. apply map_ext_in. intros i Hi. now rewrite H. Qed.

Lemma in_mine i x y : In i mine -> joined hers x y i = x i.
Proof. intros H. apply filter_In in H. unfold joined. now rewrite (proj2 H). Qed.

Lemma in_yours i x y : In i yours -> joined hers x y i = y i.
Proof. intros H. apply filter_In in H. unfold joined. destruct (hers i); [now destruct H|reflexivity]. Qed.

Lemma mine_in_all i : In i mine -> In i all.
Proof. intros H. now apply filter_In in H. Qed.
Lemma yours_in_all i : In i yours -> In i all.
Proof. intros H. now apply filter_In in H. Qed.

Lemma nothing {T} (h : T -> bool) l : filter h l = [] -> filter (fun a => negb (h a)) l = l.
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. destruct (h a); simpl; [discriminate|]. intros H. now rewrite IH. Qed.

Lemma most_of_is_largest last x y head : (forall i, In i all -> joined hers x y i < symbols m) ->
  most_of last head (place_of_largest last x mine head) (place_of_largest last y yours head) =
  largest (scores_at m last (joined hers x y) head all).
Proof.
  intros Good. set (w := joined hers x y) in *.
  assert (A : mine <> [] -> nth (place_of_largest last x mine head) (possible last head mine) 0%Z = largest (scores_at m last w head mine)).
  { intros Any. rewrite (@scores_same last w x) by (intros i Hi; now apply in_mine).
    apply place_in_spec, largest_possible; [exact Any|]. intros i Hi. rewrite <- (in_mine i x y Hi). now apply Good, mine_in_all. }
  assert (B : yours <> [] -> nth (place_of_largest last y yours head) (possible last head yours) 0%Z = largest (scores_at m last w head yours)).
  { intros Any. rewrite (@scores_same last w y) by (intros i Hi; now apply in_yours).
    apply place_in_spec, largest_possible; [exact Any|]. intros i Hi. rewrite <- (in_yours i x y Hi). now apply Good, yours_in_all. }
  unfold most_of. destruct mine as [|i rest] eqn:M; [|destruct yours as [|j rest'] eqn:Y].
  - assert (E : yours = all) by (apply nothing; exact M). rewrite B by (rewrite E; unfold all; destruct length; [lia|discriminate]).
    now rewrite E.
  - rewrite A by discriminate. assert (E : mine = all).
    { unfold mine, yours, held_by_alice, held_by_bob in *. transitivity (filter (fun a => negb (negb (hers a))) all).
      - apply filter_ext. intros a. now rewrite negb_involutive.
      - apply (nothing (fun a => negb (hers a))). exact Y. }
    now rewrite <- M, E.
  - rewrite A, B by discriminate. unfold scores_at. rewrite <- M, <- Y. symmetry. apply largest_split.
    + change (mine <> []). now rewrite M.
    + change (yours <> []). now rewrite Y.
Qed.

(** *** Sums *)
Lemma exponentials_same last word word' head most positions : (forall i, In i positions -> word i = word' i) ->
  exponentials_at m last word head most positions = exponentials_at m last word' head most positions.
Proof. intros H. apply map_ext_in. intros i Hi. now rewrite H. Qed.

Lemma weighted_same last word word' head coordinate most sum positions : (forall i, In i positions -> word i = word' i) ->
  weighted_at m last word head coordinate most sum positions = weighted_at m last word' head coordinate most sum positions.
Proof. intros H. unfold weighted_at. f_equal. apply map_ext_in. intros i Hi. now rewrite H. Qed.

Lemma exponentials_small last word head most positions :
  sum_of (exponentials_at m last word head most positions) < List.length positions * scale m + 1.
Proof.
  assert (F : Forall (fun a => a <= scale m) (exponentials_at m last word head most positions)).
  { apply Forall_map, Forall_forall. intros i _. apply m_exact. }
  apply sum_bound in F. assert (E : List.length (exponentials_at m last word head most positions) = List.length positions) by apply map_length.
  rewrite E in F. lia.
Qed.

Lemma exponentials_parts last x y head most :
  sum_of (exponentials_at m last (joined hers x y) head most all) =
  sum_of (exponentials_at m last x head most mine) + sum_of (exponentials_at m last y head most yours).
Proof.
  rewrite (@exponentials_same last x (joined hers x y)) by (intros i Hi; symmetry; now apply in_mine).
  rewrite (@exponentials_same last y (joined hers x y)) by (intros i Hi; symmetry; now apply in_yours).
  apply sum_split.
Qed.

Lemma weighted_parts last x y head coordinate most sum :
  weighted_at m last (joined hers x y) head coordinate most sum all =
  (weighted_at m last x head coordinate most sum mine + weighted_at m last y head coordinate most sum yours)%Z.
Proof.
  rewrite (@weighted_same last x (joined hers x y)) by (intros i Hi; symmetry; now apply in_mine).
  rewrite (@weighted_same last y (joined hers x y)) by (intros i Hi; symmetry; now apply in_yours).
  apply sum_in_Z_split.
Qed.

Definition lowest : Z := (Z.of_nat (scale m) * least m)%Z.

(** Weights add up to 1 at most, so a sum of weights times values lies between the least and the greatest value, or 0. *)
Lemma weighted_range last x y head coordinate most : let sum := sum_of (exponentials_at m last (joined hers x y) head most all) in
  (lowest <= weighted_at m last x head coordinate most sum mine < lowest + Z.of_nat (scale m * (room m - 1) + 1))%Z.
Proof.
  intros sum. destruct m_exact as (_ & W & V & Zero & _). set (w := joined hers x y) in *.
  rewrite (@weighted_same last x w) by (intros i Hi; symmetry; now apply in_mine).
  set (share := fun i => weight m (exponential m (score m head last i (w i) - most)) sum).
  assert (Few : sum_of (map share mine) <= scale m).
  { specialize (W (exponentials_at m last w head most all)). fold sum in W. unfold exponentials_at in W. rewrite map_map in W.
    fold share in W. rewrite (sum_split share hers) in W. fold mine in W. unfold mine, held_by_alice. unfold all in W. lia. }
  assert (Range : (Z.of_nat (sum_of (map share mine)) * least m <= weighted_at m last w head coordinate most sum mine
    <= Z.of_nat (sum_of (map share mine)) * (least m + Z.of_nat (room m) - 1))%Z).
  { unfold weighted_at. fold share. clear Few. generalize mine. intros l. induction l as [|i l IH]; simpl; [lia|].
    change (weight m (exponential m (score m head last i (w i) - most)) sum) with (share i). specialize (V head coordinate i (w i)). nia. }
  unfold lowest. nia.
Qed.
(** *** The protocol, and why it is right *)
Section Protocol.
Variables x0 y0 : nat -> nat.

Definition weighted_with (last : nat) (most : nat -> Z) (sum : nat -> nat) (word : nat -> nat) (positions : list nat) (k : nat) : Z :=
  weighted_at m last word (k / width m) (k mod width m) (most (k / width m)) (sum (k / width m)) positions.

Definition exchange : protocol (nat -> nat) (nat -> nat) nat :=
  says x0 y0 (if hers (length - 1) then alice else bob) (symbols m) (fun x y => joined hers x y (length - 1)) (fun last =>
  tells x0 y0 alice (places mine) (heads m) (fun x _ => place_of_largest last x mine) (fun u =>
  tells x0 y0 bob (places yours) (heads m) (fun _ y => place_of_largest last y yours) (fun v =>
  let most head := most_of last head (u head) (v head) in
  tells x0 y0 alice (List.length mine * scale m + 1) (heads m) (fun x _ h => sum_of (exponentials_at m last x h (most h) mine)) (fun e =>
  tells x0 y0 bob (List.length yours * scale m + 1) (heads m) (fun _ y h => sum_of (exponentials_at m last y h (most h) yours)) (fun e' =>
  let sum head := e head + e' head in
  tells x0 y0 alice (scale m * (room m - 1) + 1) (heads m * width m)
    (fun x _ k => Z.to_nat (weighted_with last most sum x mine k - lowest)) (fun s =>
  says x0 y0 bob (answers m)
    (fun _ y => read_out m last (map (fun k => weighted_with last most sum y yours k + (Z.of_nat (s k) + lowest))%Z (seq 0 (heads m * width m))))
    (fun answer => Output answer))))))).

Lemma exchange_depth : depth exchange <= exchange_bits m (List.length mine) (List.length yours).
Proof.
  unfold exchange, exchange_bits. eapply Nat.le_trans.
  - apply says_depth. intros last. apply tells_depth. intros u. apply tells_depth. intros v. apply tells_depth. intros e.
    apply tells_depth. intros e'. apply tells_depth. intros s. apply says_depth with (d := 0). intros answer. apply le_n.
  - fold (places mine) (places yours). lia.
Qed.

Ltac hear heard name := match goal with |- run (tells _ _ ?who ?base ?count ?number ?continue) ?x ?y = _ =>
  let K := fresh in
  assert (K := @tells_run _ _ nat x0 y0 who base count number continue x y); cbv beta in K;
  destruct K as (heard & name & K); [intros ? ? ?; reflexivity| |rewrite K; clear K; cbv beta zeta] end.

Lemma exchange_computes : computes (attention m hers length) Both exchange.
Proof.
  intros x y a E. change (run exchange x y = a). unfold attention in E. fold all in E.
  destruct (forallb _ all) eqn:G in E; [|discriminate]. injection E as <-. rewrite forallb_forall in G.
  assert (Good : forall i, In i all -> joined hers x y i < symbols m) by (intros i Hi; apply Nat.ltb_lt; now apply G). clear G.
  assert (Last : In (length - 1) all) by (apply in_seq; lia).
  assert (GoodX : forall i, In i mine -> x i < symbols m) by (intros i Hi; rewrite <- (in_mine i x y Hi); now apply Good, mine_in_all).
  assert (GoodY : forall i, In i yours -> y i < symbols m) by (intros i Hi; rewrite <- (in_yours i x y Hi); now apply Good, yours_in_all).
  unfold exchange. rewrite says_run; [|unfold joined; destruct (hers (length - 1)); intros ? ? ?; reflexivity|now apply Good].
  unfold attend. set (w := joined hers x y) in *. set (last := w (length - 1)).
  hear u Hu. { intros k _. now apply place_small. }
  hear v Hv. { intros k _. now apply place_small. }
  assert (Most : forall h, h < heads m -> most_of last h (u h) (v h) = largest (scores_at m last w h all)).
  { intros h Hh. rewrite Hu, Hv by exact Hh. now apply most_of_is_largest. }
  hear e He. { intros k _. apply exponentials_small. }
  hear e' He'. { intros k _. apply exponentials_small. }
  assert (Sum : forall h, h < heads m ->
    e h + e' h = sum_of (exponentials_at m last w h (largest (scores_at m last w h all)) all)).
  { intros h Hh. rewrite He, He', <- Most by exact Hh. symmetry. apply exponentials_parts. }
  assert (Head : forall k, k < heads m * width m -> k / width m < heads m).
  { intros k Hk. apply Nat.div_lt_upper_bound; [intros Z; rewrite Z in Hk|]; lia. }
  assert (Range : forall k, k < heads m * width m ->
    (lowest <= weighted_with last (fun h => most_of last h (u h) (v h)) (fun h => (e h + e' h)%nat) x mine k
      < lowest + Z.of_nat (scale m * (room m - 1) + 1))%Z).
  { intros k Hk. unfold weighted_with. rewrite Sum, Most by now apply Head. apply weighted_range. }
  hear s Hs. { intros k Hk. specialize (Range k Hk). lia. }
  rewrite says_run; [|intros ? ? ?; reflexivity|apply m_exact]. simpl. f_equal. apply map_ext_in. intros k Hk.
  apply in_seq in Hk. assert (Lk : k < heads m * width m) by lia. rewrite Hs by exact Lk. specialize (Range k Lk).
  rewrite Z2Nat.id by lia. unfold head_sum. cbv zeta. fold all last. unfold weighted_with in *. rewrite Sum, Most in * by now apply Head.
  pose proof (fun most sum => weighted_parts last x y (k / width m) (k mod width m) most sum) as Parts. fold w in Parts.
  rewrite Parts. lia.
Qed.

Theorem exchange_suffices : bits_suffice (attention m hers length) Both None (exchange_bits m (List.length mine) (List.length yours)).
Proof. exists exchange. split; [exact exchange_computes|]. split; [exact I|exact exchange_depth]. Qed.
End Protocol.
End Exchange.
