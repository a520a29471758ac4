(** * Crowns: covers from below by Sperner's theorem

    Lines r_1 .. r_m and c_1 .. c_m with an answer at every (r_i, c_j), i <> j, and another one at each (r_i, c_i). In a
    cover by k rectangles let S_i be those that have r_i among their rows. If S_i were a part of S_j, a rectangle that
    has (r_i, c_j) would have (r_j, c_j), too. So the S_i are an antichain, and there are at most C(k, k/2). *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Lines Refutation RefutationSound NodesSound OneMessage.
Import ListNotations.
Open Scope nat_scope.

(** ** Sperner's theorem, by chains

    A number below [length], and a set of n things. Such pairs fall into so many chains: one thing more makes two chains
    of each, one longer by a pair, the other shorter. With length 1 these are C(n, n/2). *)
Fixpoint chains (n length : nat) : nat :=
  match n, length with
  | _, O => 0
  | O, _ => 1
  | S less, S shorter => chains less (S length) + chains less shorter
  end.

Definition spot := (nat * list bool)%type.

Definition below (a b : spot) : Prop := fst a <= fst b /\ Forall2 (fun s s' => s = true -> s' = true) (snd a) (snd b).

Definition antichain (l : list spot) : Prop := ForallOrdPairs (fun a b => ~ below a b /\ ~ below b a) l.

Lemma antichain_part (keep : spot -> bool) (to : spot -> spot) l :
  (forall a b, In a l -> In b l -> keep a = true -> keep b = true -> below (to a) (to b) -> below a b) ->
  antichain l -> antichain (map to (filter keep l)).
Proof.
  intros E H. induction H as [|a l F _ IH]; simpl; [constructor|].
  specialize (IH (fun b c Hb Hc => E b c (or_intror Hb) (or_intror Hc))).
  destruct (keep a) eqn:K; [|exact IH]. simpl. constructor; [|exact IH]. apply Forall_map, Forall_forall.
  intros b Hb. apply filter_In in Hb. destruct Hb as [Hb Kb]. rewrite Forall_forall in F. destruct (F b Hb) as [N1 N2].
  split; intros B; [apply N1|apply N2]; (apply E; [simpl; auto|simpl; auto|assumption|assumption|exact B]).
Qed.

(** Where the first thing of a set is put: at the end of a longer chain, or else on one without the last place. *)
Definition longer (last : nat) (a : spot) : bool := match snd a with true :: _ => fst a =? last | _ => true end.
Definition up (a : spot) : spot := match a with (i, true :: v) => (S i, v) | (i, _ :: v) => (i, v) | (i, []) => (i, []) end.
Definition down (a : spot) : spot := (fst a, tl (snd a)).

Theorem sperner n : forall size l, Forall (fun a => fst a < size /\ length (snd a) = n) l -> antichain l ->
  length l <= chains n size.
Proof.
  induction n as [|n IH]; intros size l F A.
  - destruct l as [|a [|b l]]; [simpl; lia| |exfalso].
    + inversion F as [|? ? [L _] _]; subst. destruct size; simpl; lia.
    + inversion F as [|? ? [_ La] F']; inversion F' as [|? ? [_ Lb] _]; inversion A as [|? ? P _]; inversion P as [|? ? [N1 N2] _]; subst.
      destruct a as [i [|]], b as [j [|]]; simpl in La, Lb; try discriminate.
      destruct (le_lt_dec i j); [apply N1|apply N2]; (split; simpl; [lia|constructor]).
  - destruct size as [|last].
    { destruct l as [|a l]; [simpl; lia|]. inversion F as [|? ? [L _] _]; lia. }
    assert (Both : length l = length (map up (filter (longer last) l)) + length (map down (filter (fun a => negb (longer last a)) l))).
    { rewrite !map_length. clear. induction l as [|a l IHl]; simpl; [reflexivity|]. destruct (longer last a); simpl; lia. }
    rewrite Both. change (chains (S n) (S last)) with (chains n (S (S last)) + chains n last). rewrite Forall_forall in F.
    apply Nat.add_le_mono; apply IH.
    + apply Forall_map, Forall_forall. intros a Ha. apply filter_In in Ha. destruct Ha as [Ha K]. destruct (F a Ha) as [L V].
      destruct a as [i [|[|] v]]; simpl in *; try discriminate; split; lia.
    + apply antichain_part; [|exact A]. intros a b Ha Hb Ka Kb B. destruct (F a Ha) as [L V], (F b Hb) as [L' V'].
      destruct a as [i [|s v]], b as [j [|s' v']]; simpl in V, V'; try discriminate.
      unfold longer in Ka, Kb. simpl in Ka, Kb, L, L'.
      destruct s, s'; rewrite ?Nat.eqb_eq in *; destruct B as [B1 B2]; simpl in B1, B2; (split; [simpl; lia|]);
        constructor; try assumption; simpl; try tauto; discriminate || (exfalso; lia).
    + apply Forall_map, Forall_forall. intros a Ha. apply filter_In in Ha. destruct Ha as [Ha K]. destruct (F a Ha) as [L V].
      destruct a as [i [|[|] v]]; simpl in *; try discriminate. unfold longer in K. simpl in K.
      destruct (Nat.eqb_spec i last); simpl in K; [discriminate|]. split; lia.
    + apply antichain_part; [|exact A]. intros a b Ha Hb Ka Kb B. destruct (F a Ha) as [L V], (F b Hb) as [L' V'].
      destruct a as [i [|s v]], b as [j [|s' v']]; simpl in V, V'; try discriminate.
      unfold longer in Ka, Kb. destruct s, s'; simpl in Ka, Kb; try discriminate. destruct B as [B1 B2]; simpl in B1, B2.
      split; [exact B1|]. simpl. constructor; auto.
Qed.

(** ** The fewest rectangles for which there are enough sets *)
Fixpoint first_enough (count fuel k : nat) : nat :=
  match fuel with
  | O => k
  | S more => if count <=? chains k 1 then k else first_enough count more (S k)
  end.

Lemma first_enough_least count n : count <= chains n 1 -> forall fuel k, (forall j, j < k -> chains j 1 < count) ->
  first_enough count fuel k <= n.
Proof.
  intros E. assert (L : forall k, (forall j, j < k -> chains j 1 < count) -> k <= n).
  { intros k B. destruct (le_lt_dec k n) as [|G]; [assumption|]. specialize (B n G). lia. }
  induction fuel as [|fuel IH]; intros k B; simpl; [now apply L|]. destruct (Nat.leb_spec count (chains k 1)) as [|G]; [now apply L|].
  apply IH. intros j Hj. destruct (Nat.eq_dec j k) as [->|]; [exact G|]. apply B. lia.
Qed.

(** ** Crowns *)
Definition crossing (f : function N N N) (code : N) (c d : N * N) : Prop :=
  f (fst c) (snd d) = Some code /\ f (fst d) (snd c) = Some code.

Definition apart_from (f : function N N N) (code : N) (c : N * N) : Prop := exists a, f (fst c) (snd c) = Some a /\ a <> code.

Theorem crown_bound (f : function N N N) code cells rs : ForallOrdPairs (crossing f code) cells -> Forall (apart_from f code) cells ->
  covers f code rs -> length cells <= chains (length rs) 1.
Proof.
  intros P D [Own Cov]. set (sets := fun c : N * N => (0, map (fun r : rectangle N N => fst r (fst c)) rs)).
  rewrite <- (map_length sets). apply sperner.
  - apply Forall_map, Forall_forall. intros c _. simpl. rewrite map_length. lia.
  - assert (K : forall c d, f (fst c) (snd d) = Some code -> apart_from f code d -> ~ below (sets c) (sets d)).
    { intros c d E (a & Ea & Ne) [_ B]. specialize (Cov _ _ E). apply Exists_exists in Cov. destruct Cov as (r & Hr & I).
      unfold inside in I. apply andb_true_iff in I. destruct I as [Ic Id].
      assert (Ix : fst r (fst d) = true).
      { clear -B Hr Ic. simpl in B. induction rs as [|s l IH]; [elim Hr|]. simpl in B. inversion B; subst.
        destruct Hr as [->|Hr]; [auto|]. now apply IH. }
      rewrite Forall_forall in Own. apply Ne. apply (Own r Hr (fst d) (snd d) a); [|exact Ea].
      unfold inside. now rewrite Ix, Id. }
    induction P as [|c l H _ IH]; simpl; [constructor|]. inversion D as [|? ? Dc Dl]; subst. constructor; [|now apply IH].
    apply Forall_map. rewrite Forall_forall in *. intros d Hd. destruct (H d Hd). split; apply K; auto.
Qed.

Open Scope N_scope.

Definition crown_entry (t : table) (code : N) (L : list line) (c : N * N) : option (N * N) :=
  match cell t (fst c) (snd c), look_up L [fst c] with
  | Some a, Some [l] => if a =? code then None else Some (snd c, plane code l)
  | _, _ => None
  end.

Fixpoint crown_entries (t : table) (code : N) (L : list line) (cells : list (N * N)) : option (list (N * N)) :=
  match cells with
  | [] => Some []
  | c :: rest =>
      match crown_entry t code L c, crown_entries t code L rest with Some e, Some es => Some (e :: es) | _, _ => None end
  end.

Definition crown (t : table) (code : N) (cells : list (N * N)) : option N :=
  match crown_entries t code (row_lines t) cells with
  | Some es =>
      if pairwise (fun e e' => if N.testbit (snd e) (fst e') then N.testbit (snd e') (fst e) else false) es
      then Some (N.of_nat (first_enough (length cells) (length cells) 0)) else None
  | None => None
  end.

Lemma crown_entry_spec t code c e : crown_entry t code (row_lines t) c = Some e ->
  apart_from (cell t) code c /\ fst e = snd c /\ forall y, N.testbit (snd e) y = is_code (cell t (fst c) y) code.
Proof.
  unfold crown_entry. destruct (cell t (fst c) (snd c)) as [a|] eqn:E; [|discriminate]. simpl.
  destruct (find (fun l => fst l =? fst c) (row_lines t)) as [l|] eqn:F; [|discriminate].
  destruct (N.eqb_spec a code) as [|Ne]; [discriminate|]. intros [= <-]. simpl. split; [exists a; auto|]. split; [reflexivity|].
  apply find_some in F. destruct F as [Hl El]. apply N.eqb_eq in El. intros y.
  pose proof (row_lines_good t) as G. rewrite Forall_forall in G. now rewrite (G l Hl), El.
Qed.

Theorem crown_sound t code cells v : crown t code cells = Some v ->
  forall count, rectangles_cover (cell t) (Some code) count -> v <= N.of_nat count.
Proof.
  unfold crown. destruct (crown_entries _ _ _ cells) as [es|] eqn:E; [|discriminate]. destruct (pairwise _ es) eqn:P; [|discriminate].
  intros [= <-] count (rs & C & L). enough (first_enough (length cells) (length cells) 0 <= length rs)%nat by lia.
  apply first_enough_least; [|lia]. apply pairwise_spec in P.
  assert (K : Forall2 (fun c e => crown_entry t code (row_lines t) c = Some e) cells es).
  { clear P. revert es E. induction cells as [|c cells IH]; simpl; intros es E; [injection E as <-; constructor|].
    destruct (crown_entry t code (row_lines t) c) as [e|] eqn:Ee; [|discriminate].
    destruct (crown_entries t code (row_lines t) cells) as [es'|]; [|discriminate]. injection E as <-. constructor; [exact Ee|]. now apply IH. }
  apply (crown_bound (cell t) code cells rs); [|clear P; induction K as [|c e cells es He _ IH]; constructor|exact C].
  - clear E. induction K as [|c e cells es He K IH]; [constructor|]. inversion P as [|? ? H P']; subst. constructor; [|now apply IH].
    clear IH P P'. apply crown_entry_spec in He. destruct He as (_ & Fe & Te). induction K as [|d e' cells es He' _ IH]; constructor.
    + inversion H as [|? ? Q _]; subst. apply crown_entry_spec in He'. destruct He' as (_ & Fe' & Te').
      destruct (N.testbit (snd e) (fst e')) eqn:Q1; [|discriminate]. rewrite Te, Fe' in Q1. rewrite Te', Fe in Q.
      split; now apply is_code_spec.
    + apply IH. now inversion H.
  - exact (proj1 (crown_entry_spec _ _ _ _ He)).
  - apply IH. clear -E. simpl in E. destruct (crown_entry _ _ _ c); [|discriminate]. destruct (crown_entries _ _ _ cells); [|discriminate].
    now injection E as _ <-.
Qed.
