(** * Brackets, odd positions against even ones

    The symbols at odd positions of a word of Dyck-(k,2) determine those at even ones, and the other way round
    (docs/proofs/dyck_odd_even.md). *)
From Coq Require Import List Arith Lia Bool FinFun.
From Ccsim Require Import Specification Trees Speaking.
Import ListNotations.
Set Implicit Arguments.

(** ** The task *)
Inductive bracket := Opens (kind : nat) | Closes (kind : nat).

Definition kind_of (b : bracket) : nat := match b with Opens kind | Closes kind => kind end.

(** Whether a word closes all that is open on the stack, and what it opens itself, with never more open than [deepest]. *)
Fixpoint balanced (deepest : nat) (stack : list nat) (word : list bracket) : bool :=
  match word with
  | [] => match stack with [] => true | _ => false end
  | Opens kind :: rest => (length stack <? deepest) && balanced deepest (kind :: stack) rest
  | Closes kind :: rest => match stack with top :: below => (kind =? top) && balanced deepest below rest | [] => false end
  end.

Fixpoint interleaved {T} (odd even : list T) : list T :=
  match odd, even with a :: odd, b :: even => a :: b :: interleaved odd even | _, _ => [] end.

Definition brackets (kinds length : nat) (word : list bracket) : bool :=
  (List.length word =? length) && forallb (fun b => kind_of b <? kinds) word.

(** Alice has the symbols at the odd positions of a word of 2n brackets, Bob those at the even ones. *)
Definition dyck_odd_even (kinds n : nat) : function (list bracket) (list bracket) bool := fun odd even =>
  if brackets kinds n odd && brackets kinds n even then Some (balanced 2 [] (interleaved odd even)) else None.

(** ** After an odd position one bracket is open, [a]; the odd symbols to come determine the even ones *)
Fixpoint partner (a : nat) (odd : list bracket) : list bracket :=
  match odd with
  | [] => [Closes a]
  | Opens b :: rest => Closes a :: partner b rest
  | Closes b :: rest => Opens b :: partner a rest
  end.

Lemma balanced_cons deepest stack b word : balanced deepest stack (b :: word) =
  match b with
  | Opens kind => (length stack <? deepest) && balanced deepest (kind :: stack) word
  | Closes kind => match stack with top :: below => (kind =? top) && balanced deepest below word | [] => false end
  end.
Proof. reflexivity. Qed.

Lemma balanced_partner odd : forall a b even, length even = length odd ->
  balanced 2 [a] (b :: interleaved odd even) = true <-> b :: even = partner a odd.
Proof.
  induction odd as [|c odd IH]; intros a b even Len.
  - destruct even; [|discriminate]. destruct b as [t|t]; simpl; [split; congruence|].
    rewrite andb_true_r, Nat.eqb_eq. split; congruence.
  - destruct even as [|b' even]; [discriminate|]. injection Len as Len.
    cbn [interleaved]. rewrite balanced_cons. destruct b as [t|t]; rewrite balanced_cons; destruct c as [u|u];
      cbn [length Nat.ltb Nat.leb partner andb].
    + split; congruence.
    + rewrite andb_true_iff, Nat.eqb_eq, IH by exact Len. split; [intros [-> ->]; reflexivity|]. intros [= -> ->]. auto.
    + rewrite andb_true_iff, Nat.eqb_eq, IH by exact Len. split; [intros [-> ->]; reflexivity|]. intros [= -> ->]. auto.
    + rewrite andb_false_r. split; congruence.
Qed.

Lemma balanced_odd_even a odd even : length even = S (length odd) ->
  balanced 2 [] (interleaved (Opens a :: odd) even) = true <-> even = partner a odd.
Proof. intros Len. destruct even as [|b even]; [discriminate|]. injection Len as Len. simpl. now apply balanced_partner. Qed.

Lemma partner_injective odd : forall a a' odd', length odd = length odd' -> partner a odd = partner a' odd' -> a = a' /\ odd = odd'.
Proof.
  induction odd as [|c odd IH]; intros a a' odd' Len E; destruct odd' as [|c' odd']; try discriminate.
  - injection E as ->. auto.
  - injection Len as Len. destruct c as [u|u], c' as [u'|u']; simpl in E; try discriminate; injection E as -> E;
      apply IH in E; try exact Len; destruct E as [-> ->]; auto.
Qed.

Lemma partner_length odd : forall a, length (partner a odd) = S (length odd).
Proof. induction odd as [|[u|u] odd IH]; intros a; simpl; congruence. Qed.

Lemma partner_kinds kinds odd : forall a, a < kinds -> forallb (fun b => kind_of b <? kinds) odd = true ->
  forallb (fun b => kind_of b <? kinds) (partner a odd) = true.
Proof.
  induction odd as [|c odd IH]; intros a La H; simpl in *; [now rewrite (proj2 (Nat.ltb_lt _ _) La)|].
  apply andb_true_iff in H. destruct H as [Hc H]. destruct c as [u|u]; simpl in *; apply andb_true_iff.
  - split; [now apply Nat.ltb_lt|]. apply IH; [now apply Nat.ltb_lt|exact H].
  - split; [exact Hc|]. now apply IH.
Qed.

Lemma partner_closes odd : forall a, exists b, In (Closes b) (partner a odd).
Proof.
  induction odd as [|[u|u] odd IH]; intros a; simpl; [exists a; now left|exists a; now left|].
  destruct (IH a) as [b Hb]. exists b. now right.
Qed.

(** ** All words of so many symbols *)
Fixpoint words_of {T} (alphabet : list T) (n : nat) : list (list T) :=
  match n with O => [[]] | S n => map (fun p => fst p :: snd p) (list_prod alphabet (words_of alphabet n)) end.

Lemma words_of_length {T} (alphabet : list T) n : length (words_of alphabet n) = length alphabet ^ n.
Proof. induction n as [|n IH]; simpl; [reflexivity|]. now rewrite map_length, prod_length, IH. Qed.

Lemma words_of_In {T} (alphabet : list T) n : forall word, In word (words_of alphabet n) <-> length word = n /\ Forall (fun a => In a alphabet) word.
Proof.
  induction n as [|n IH]; intros word; simpl.
  - split; [intros [<-|[]]; auto|]. intros [H _]. destruct word; [now left|discriminate].
  - rewrite in_map_iff. split.
    + intros ([a w] & <- & H). apply in_prod_iff in H. destruct H as [Ha Hw]. apply IH in Hw. simpl. split; [f_equal; tauto|]. constructor; tauto.
    + intros [Len H]. destruct word as [|a w]; [discriminate|]. injection Len as Len. inversion H; subst.
      exists (a, w). split; [reflexivity|]. apply in_prod_iff. split; [assumption|]. now apply IH.
Qed.

Lemma NoDup_app_both {T} (l l' : list T) : NoDup l -> NoDup l' -> (forall a, In a l -> In a l' -> False) -> NoDup (l ++ l').
Proof.
  intros H H' D. induction H as [|a l Na _ IH]; simpl; [exact H'|]. constructor.
  - intros In. apply in_app_or in In. destruct In as [In|In]; [contradiction|]. apply (D a); [now left|exact In].
  - apply IH. intros b Hb Hb'. apply (D b); [now right|exact Hb'].
Qed.

Lemma NoDup_prod {S T} (l : list S) (m : list T) : NoDup l -> NoDup m -> NoDup (list_prod l m).
Proof.
  intros Hl Hm. induction Hl as [|a l Na _ IH]; simpl; [constructor|].
  apply NoDup_app_both; [|exact IH|].
  - apply Injective_map_NoDup; [intros b c [= E]; exact E|exact Hm].
  - intros [s t] H H'. apply in_map_iff in H. destruct H as (b & [= -> ->] & _). apply in_prod_iff in H'. tauto.
Qed.

Lemma words_of_NoDup {T} (alphabet : list T) n : NoDup alphabet -> NoDup (words_of alphabet n).
Proof.
  intros H. induction n as [|n IH]; simpl; [constructor; [intros []|constructor]|]. apply Injective_map_NoDup; [|now apply NoDup_prod].
  intros [a w] [b v]. simpl. congruence.
Qed.

(** ** The words of the language, each as its odd part and its even part *)
Section Words.
Variables kinds n : nat. (* words of 2 (n + 1) brackets *)
Hypothesis some_kind : 1 <= kinds.

Definition alphabet : list bracket := map Opens (seq 0 kinds) ++ map Closes (seq 0 kinds).
Definition odd_parts : list (nat * list bracket) := list_prod (seq 0 kinds) (words_of alphabet n).
Definition halves_of (part : nat * list bracket) : list bracket * list bracket :=
  (Opens (fst part) :: snd part, partner (fst part) (snd part)).
Definition dyck_words : list (list bracket * list bracket) := map halves_of odd_parts.

Lemma alphabet_In b : In b alphabet <-> kind_of b < kinds.
Proof.
  unfold alphabet. rewrite in_app_iff, !in_map_iff. split.
  - intros [(t & <- & H)|(t & <- & H)]; apply in_seq in H; simpl; lia.
  - destruct b as [t|t]; simpl; intros H; [left|right]; exists t; (split; [reflexivity|]); apply in_seq; lia.
Qed.

Lemma dyck_words_length : 2 * length dyck_words = (2 * kinds) ^ S n.
Proof.
  unfold dyck_words, odd_parts. rewrite map_length, prod_length, words_of_length. unfold alphabet.
  rewrite app_length, !map_length, seq_length. replace (kinds + kinds) with (2 * kinds) by lia. cbn [Nat.pow]. lia.
Qed.

Lemma alphabet_NoDup : NoDup alphabet.
Proof.
  unfold alphabet. apply NoDup_app_both.
  1, 2: apply Injective_map_NoDup; [congruence|apply seq_NoDup].
  intros b H H'. apply in_map_iff in H, H'. destruct H as (t & <- & _), H' as (u & E & _). discriminate.
Qed.

Lemma odd_parts_NoDup : NoDup odd_parts.
Proof. apply NoDup_prod; [apply seq_NoDup|]. apply words_of_NoDup, alphabet_NoDup. Qed.

Lemma odd_parts_In a odd : In (a, odd) odd_parts <-> a < kinds /\ length odd = n /\ forallb (fun b => kind_of b <? kinds) odd = true.
Proof.
  unfold odd_parts. rewrite in_prod_iff, in_seq, words_of_In, forallb_forall, Forall_forall.
  assert (E : forall b, In b alphabet <-> (kind_of b <? kinds) = true) by (intros b; now rewrite alphabet_In, Nat.ltb_lt).
  split; intros (H1 & H2 & H3); (split; [lia|]); (split; [exact H2|]); intros b Hb; apply E; auto.
Qed.

Lemma value_of_parts odd even : brackets kinds (S n) odd = true -> brackets kinds (S n) even = true ->
  dyck_odd_even kinds (S n) odd even = Some (balanced 2 [] (interleaved odd even)).
Proof. intros H H'. unfold dyck_odd_even. now rewrite H, H'. Qed.

Lemma brackets_halves part : In part odd_parts ->
  brackets kinds (S n) (fst (halves_of part)) = true /\ brackets kinds (S n) (snd (halves_of part)) = true.
Proof.
  destruct part as [a odd]. intros H. apply odd_parts_In in H. destruct H as (La & Len & K). unfold brackets, halves_of.
  cbn [fst snd length forallb kind_of]. rewrite partner_length, Len, Nat.eqb_refl, K, (proj2 (Nat.ltb_lt _ _) La).
  rewrite partner_kinds by assumption. auto.
Qed.

Lemma value_of_two part part' : In part odd_parts -> In part' odd_parts ->
  exists b, dyck_odd_even kinds (S n) (fst (halves_of part)) (snd (halves_of part')) = Some b /\ (b = true <-> part = part').
Proof.
  intros H H'. eexists. split; [apply value_of_parts; now apply brackets_halves|].
  destruct part as [a odd], part' as [a' odd']. apply odd_parts_In in H, H'. simpl fst. simpl snd.
  rewrite balanced_odd_even by (rewrite partner_length; lia). split; [|intros [= -> ->]; reflexivity].
  intros E. apply partner_injective in E; [|lia]. destruct E as [-> ->]. reflexivity.
Qed.

Lemma dyck_words_pairs (P : list bracket * list bracket -> list bracket * list bracket -> Prop) : (forall part part', In part odd_parts -> In part' odd_parts -> part <> part' -> P (halves_of part) (halves_of part')) ->
  ForallOrdPairs P dyck_words.
Proof. intros H. apply map_pairs; [exact H|exact odd_parts_NoDup]. Qed.

Definition no_odd : list bracket := repeat (Closes 0) (S n).
Definition no_even : list bracket := repeat (Opens 0) (S n).

Lemma brackets_repeat b : kind_of b = 0 -> brackets kinds (S n) (repeat b (S n)) = true.
Proof.
  intros H. unfold brackets. rewrite repeat_length, Nat.eqb_refl. apply forallb_forall. intros c Hc. apply repeat_spec in Hc.
  subst. apply Nat.ltb_lt. lia.
Qed.

Lemma no_word_ends_open a odd : length odd = n -> balanced 2 [] (interleaved (Opens a :: odd) no_even) = false.
Proof.
  intros Len. destruct (balanced _ _ _) eqn:B; [|reflexivity]. exfalso.
  apply balanced_odd_even in B; [|unfold no_even; rewrite repeat_length; lia].
  destruct (partner_closes odd a) as [b Hb]. rewrite <- B in Hb. apply repeat_spec in Hb. discriminate.
Qed.

Lemma only_dyck_words : only_pairs (dyck_odd_even kinds (S n)) dyck_words [no_odd] [no_even].
Proof.
  assert (All : forall c, In c dyck_words -> exists part, In part odd_parts /\ c = halves_of part).
  { intros c Hc. apply in_map_iff in Hc. destruct Hc as (part & <- & H). eauto. }
  pose proof (brackets_repeat (Closes 0) eq_refl) as B. pose proof (brackets_repeat (Opens 0) eq_refl) as B'.
  repeat split.
  - apply Forall_forall. intros c Hc. destruct (All c Hc) as (part & H & ->).
    destruct (value_of_two part part H H) as (b & E & K). rewrite E. f_equal. now apply K.
  - apply dyck_words_pairs. intros part part' H H' Ne.
    destruct (value_of_two part part' H H') as (b & E & K), (value_of_two part' part H' H) as (b' & E' & K'). rewrite E, E'.
    split; f_equal; apply not_true_iff_false; intros T; [apply Ne, K, T|apply Ne; symmetry; apply K', T].
  - intros c v Hc [<-|[]]. destruct (All c Hc) as (part & H & ->). rewrite value_of_parts by (try exact B'; now apply brackets_halves).
    f_equal. destruct part as [a odd]. apply odd_parts_In in H. now apply no_word_ends_open.
  - intros u c [<-|[]] Hc. destruct (All c Hc) as (part & H & ->). rewrite value_of_parts by (try exact B; now apply brackets_halves).
    destruct part as [a odd]. simpl. destruct (partner a odd) eqn:E; [|reflexivity]. pose proof (partner_length odd a) as L. now rewrite E in L.
  - intros u v [<-|[]] [<-|[]]. rewrite value_of_parts by assumption. reflexivity.
Qed.

Lemma dyck_lower bits : bits_suffice (dyck_odd_even kinds (S n)) Both None bits -> (2 * kinds) ^ S n + 1 <= 2 ^ bits.
Proof.
  intros (p & Hp & _ & D). pose proof (leaves_depth p) as L.
  pose proof (Nat.pow_le_mono_r 2 (depth p) bits ltac:(lia) D).
  assert (E : enough p dyck_words [no_odd] [no_even]).
  { apply (pairs_need_leaves (f := dyck_odd_even kinds (S n)) (size := leaves p)); [apply le_n|exact only_dyck_words|].
    intros x y a _ _ F. now apply Hp. }
  assert (Len := dyck_words_length). assert (Any : dyck_words <> []).
  { intros None. rewrite None in Len. apply (Nat.pow_nonzero (2 * kinds) (S n)); [lia|now rewrite <- Len]. }
  specialize (E Any). simpl some in E. rewrite lone_column in E. change (Nat.min 1 1) with 1 in E. rewrite <- Len. eapply Nat.le_trans; [|eapply Nat.le_trans; [exact L|assumption]]. rewrite Nat.add_0_r in E. exact E.
Qed.

(** Alice sends which odd part of a word she has, or that she has none; Bob compares. *)
Definition same_word : forall x y : list bracket, {x = y} + {x <> y}.
Proof. apply list_eq_dec. intros [t|t] [u|u]; try (right; congruence); destruct (Nat.eq_dec t u); (now left; subst) || (right; congruence). Defined.

Fixpoint place_of (x : list bracket) (pairs : list (list bracket * list bracket)) : nat :=
  match pairs with [] => 0 | c :: rest => if same_word (fst c) x then 0 else S (place_of x rest) end.

Lemma place_of_small x pairs : place_of x pairs <= length pairs.
Proof. induction pairs as [|c rest IH]; simpl; [lia|]. destruct (same_word _ _); lia. Qed.

Lemma place_of_nth x pairs : match nth_error pairs (place_of x pairs) with Some c => In c pairs /\ fst c = x | None => ~ In x (map fst pairs) end.
Proof.
  induction pairs as [|c rest IH]; simpl; [tauto|]. destruct (same_word (fst c) x) as [E|Ne]; simpl; [auto|].
  destruct (nth_error rest _); [tauto|]. intros [E|H]; tauto.
Qed.

Definition compare (m : nat) : protocol (list bracket) (list bracket) bool :=
  Bob (fun y => match nth_error dyck_words m with Some c => if same_word (snd c) y then true else false | None => false end)
      (Output false) (Output true).

Lemma word_of_odd odd even : brackets kinds (S n) odd = true -> brackets kinds (S n) even = true ->
  balanced 2 [] (interleaved odd even) = true -> exists part, In part odd_parts /\ halves_of part = (odd, even).
Proof.
  intros B B' W. unfold brackets in B, B'. apply andb_true_iff in B, B'. destruct B as [Len K], B' as [Len' _].
  apply Nat.eqb_eq in Len, Len'. destruct odd as [|[a|a] odd]; [discriminate| |].
  - injection Len as Len. simpl in K. apply andb_true_iff in K. destruct K as [La K]. apply Nat.ltb_lt in La.
    apply balanced_odd_even in W; [|lia]. exists (a, odd). split; [now apply odd_parts_In|]. unfold halves_of. simpl. now rewrite W.
  - destruct even; simpl in W; discriminate.
Qed.

Lemma dyck_upper bits : length dyck_words < 2 ^ bits -> bits_suffice (dyck_odd_even kinds (S n)) Both None (S bits).
Proof.
  intros Small. exists (alice_says (fun x => place_of x dyck_words) bits 0 compare). split; [|split; [exact I|]].
  - intros x y a E. simpl. rewrite alice_says_run by (pose proof (place_of_small x dyck_words); lia). simpl.
    pose proof (place_of_nth x dyck_words) as P. unfold dyck_odd_even in E.
    destruct (brackets kinds (S n) x) eqn:B, (brackets kinds (S n) y) eqn:B'; try discriminate. injection E as <-.
    destruct (nth_error dyck_words (place_of x dyck_words)) as [c|].
    + destruct P as [P <-]. apply in_map_iff in P. destruct P as ([b odd] & <- & P). apply odd_parts_In in P. simpl fst. simpl snd.
      assert (Len : length y = S (length odd)).
      { unfold brackets in B'. apply andb_true_iff in B'. destruct B' as [L _]. apply Nat.eqb_eq in L. lia. }
      pose proof (balanced_odd_even b odd y Len) as Iff.
      destruct (same_word (partner b odd) y) as [<-|Ne]; symmetry; [now apply Iff|]. apply not_true_iff_false. intros T. apply Ne. symmetry. now apply Iff.
    + symmetry. apply not_true_iff_false. intros T. destruct (word_of_odd x y B B' T) as (part & H & E). apply P.
      apply in_map_iff. exists (halves_of part). split; [now rewrite E|]. now apply in_map.
  - replace (S bits) with (bits + 1) by lia. apply alice_says_depth. intros m. simpl. lia.
Qed.
End Words.
