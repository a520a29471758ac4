(** * Claims are about the values of a function alone *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith.
From Ccsim Require Import Specification Submatrices.
Import ListNotations.

Section Same.
Variables X Y A : Type.
Variables f g : function X Y A.
Hypothesis same : forall x y, f x y = g x y.

Lemma same_computes who p : computes f who p -> computes g who p.
Proof. intros H x y a E. apply H. now rewrite same. Qed.

Lemma same_fooling who code cells : fooling_set f who code cells -> fooling_set g who code cells.
Proof.
  intros [A1 A2]. split.
  - eapply Forall_impl; [|exact A1]. intros c. unfold of_code. rewrite <- same. auto.
  - clear A1. induction A2 as [|c l H _ IH]; constructor; auto. eapply Forall_impl; [|exact H].
    intros d N (leaf & S). apply N. exists leaf. intros x y a Hx Hy E. apply S; auto. now rewrite <- same.
Qed.

Lemma same_messages sender count : messages_suffice f sender count -> messages_suffice g sender count.
Proof.
  destruct sender; intros (m & a & H & K); exists m, a; (split; [exact H|]); intros x y b E; apply K; now rewrite same.
Qed.

Lemma same_succeeds eq bits p : succeeds f eq bits p -> succeeds g eq bits p.
Proof.
  intros (m & H1 & H2 & H3). exists m. split; [exact H1|]. split; [exact H2|]. intros x y a E. apply H3. now rewrite same.
Qed.

Lemma same_messages_succeed eq count p : messages_succeed f eq count p -> messages_succeed g eq count p.
Proof.
  intros (m & H1 & H2 & H3). exists m. split; [exact H1|]. split; [exact H2|]. intros x y a E. apply H3. now rewrite same.
Qed.

Lemma same_shattered zero one places : shattered f zero one places -> shattered g zero one places.
Proof.
  intros [A1 A2]. split; [exact A1|]. intros pattern. destruct (A2 pattern) as (x & H). exists x. intros y Hy.
  rewrite <- same. now apply H.
Qed.
End Same.

Lemma same_bias f g weights rows columns r : (forall x y, f x y = g x y) ->
  bias f weights rows columns r = bias g weights rows columns r.
Proof.
  intros S. unfold bias. do 2 f_equal. apply map_ext. intros x. f_equal. apply map_ext. intros y.
  unfold signed_weight. now rewrite S.
Qed.

Lemma same_reached f g m q : (forall x y, f x y = g x y) -> reached f m q -> reached g m q.
Proof.
  intros S. destruct m as [who limit|who|who code|code|code|code|prime code|code|sender|sender|sender|weights| |bits|error|sender bits|sender error|code error smooth|error]; simpl;
    try (intros (n & H & K); exists n; split; [exact H|];
      first [now apply (same_fooling _ _ _ f g S)|now apply (part_needs_cover f g Some Some (fun x y => eq_sym (S x y)))|
        now apply (part_needs_partition f g Some Some (fun x y => eq_sym (S x y)))|
        now apply (same_messages _ _ _ f g S)|now apply (same_succeeds _ _ _ f g S)]).
  - intros (n & H & p & C & W & D). exists n. split; [exact H|]. exists p. split; [|now split]. now apply (same_computes _ _ _ f g S).
  - intros (n & H & p & C & D). exists n. split; [exact H|]. exists p. split; [|exact D]. now apply (same_computes _ _ _ f g S).
  - intros (n & H & terms & L & K). exists n. split; [exact H|]. exists terms. split; [exact L|]. intros x y. rewrite <- S. apply K.
  - intros (n & H & terms & L & K). exists n. split; [exact H|]. exists terms. split; [exact L|]. intros x y. rewrite <- S. apply K.
  - intros (n & H & K). exists n. split; [exact H|]. apply (same_shattered _ _ _ (sent_by sender f)); [|exact K].
    intros x y. destruct sender; apply S.
  - intros (P & r & K). split; [exact P|]. exists r. now rewrite <- (same_bias f g).
  - intros (weights & P & R & On & B). exists weights. split; [exact P|]. split; [exact R|]. split.
    + intros x y W. rewrite <- S. now apply On.
    + intros r. rewrite <- (same_bias f g) by exact S. apply B.
  - now apply (same_succeeds _ _ _ f g S).
  - apply same_messages_succeed. intros x y. destruct sender; apply S.
  - intros (n & H & K). exists n. split; [exact H|]. revert K. apply same_messages_succeed. intros x y. destruct sender; apply S.
  - intros (unit & w & P & E & Own & H). exists unit, w. do 3 (split; [assumption|]). intros x y a K. apply (H x y a). now rewrite S.
  - intros (unit & w & P & E & Own & H). exists unit, w. do 3 (split; [assumption|]). intros x y a K. apply H. now rewrite S.
Qed.

Theorem same_claims f g m s v : (forall x y, f x y = g x y) -> holds f m s v -> holds g m s v.
Proof.
  intros S. assert (S' : forall x y, g x y = f x y) by (intros x y; now rewrite S).
  unfold holds. destruct (sort_of m), s.
  - intros H q R. apply H. now apply (same_reached g f).
  - intros (q & R & L). exists q. split; [now apply (same_reached f g)|exact L].
  - intros (q & R & L). exists q. split; [now apply (same_reached f g)|exact L].
  - intros H q R. apply H. now apply (same_reached g f).
Qed.
