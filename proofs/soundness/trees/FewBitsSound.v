(** * Why three bits, or four, are not enough for a small rectangle *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Trees Span ThreeBits Lines Tries Refutation RefutationSound.
Import ListNotations.
Open Scope N_scope.

Lemma bit_of m : m <> 0 -> exists y, N.testbit m y = true.
Proof. intros H. exists (N.log2 m). now apply N.bit_log2. Qed.

Lemma bit_apart m m' : m <> m' -> exists y, N.testbit m y <> N.testbit m' y.
Proof.
  intros H. destruct (bit_of (N.lxor m m')) as [y Hy].
  - intros E. apply H. now apply N.lxor_eq.
  - exists y. rewrite N.lxor_spec in Hy. destruct (N.testbit m y), (N.testbit m' y); simpl in *; congruence.
Qed.

(** ** The closed form for three bits *)
Section Lines.
Variable f : N -> N -> option N.
Variable L : list line.
Variable C : N.
Variable Cset : N -> Prop.
Hypothesis L_good : Forall (good f) L.
Hypothesis L_binary : binary_lines L C = true.
Hypothesis Cset_bits : forall y, Cset y -> bits C y.
Hypothesis bits_Cset : forall x y, rows_of L x -> bits C y -> f x y <> None -> Cset y.

Definition table_of (x y : N) : N := match f x y with Some a => a | None => 0 end.
Definition shown_by (l : line) : N := N.land (plane 1 l) C.

Lemma good_in l : In l L -> good f l.
Proof. pose proof L_good as G. rewrite Forall_forall in G. apply G. Qed.

Lemma cell_binary l y : In l L -> bits C y -> f (fst l) y = Some 0 \/ f (fst l) y = Some 1.
Proof.
  intros Hl Hy. pose proof L_binary as K. unfold binary_lines in K. rewrite forallb_forall in K. specialize (K l Hl).
  apply N.eqb_eq in K. pose proof (ldiff_subset _ _ K y Hy) as B. unfold bits in B.
  rewrite N.lor_spec in B. apply orb_true_iff in B.
  destruct B as [B|B]; rewrite (good_in l Hl) in B; apply is_code_spec in B; auto.
Qed.

Lemma in_Cset l y : In l L -> bits C y -> Cset y.
Proof.
  intros Hl Hy. apply (bits_Cset (fst l)); [now apply in_map|exact Hy|].
  destruct (cell_binary l y Hl Hy) as [-> | ->]; discriminate.
Qed.

Lemma shown_bit l y : In l L -> bits C y -> table_of (fst l) y = if N.testbit (shown_by l) y then 1 else 0.
Proof.
  intros Hl Hy. unfold shown_by, table_of. rewrite N.land_spec. unfold bits in Hy. rewrite Hy, andb_true_r.
  rewrite (good_in l Hl). destruct (cell_binary l y Hl Hy) as [-> | ->]; reflexivity.
Qed.

Lemma shown_inside l y : N.testbit (shown_by l) y = true -> bits C y.
Proof. unfold shown_by. rewrite N.land_spec. intros H. apply andb_true_iff in H. apply H. Qed.

Lemma shown_differ l l' : In l L -> In l' L -> shown_by l <> shown_by l' ->
  differ Cset (table_of (fst l)) (table_of (fst l')).
Proof.
  intros Hl Hl' H. destruct (bit_apart _ _ H) as [y Hy].
  assert (Cy : bits C y).
  { destruct (N.testbit (shown_by l) y) eqn:B; [now apply (shown_inside l)|].
    destruct (N.testbit (shown_by l') y) eqn:B'; [now apply (shown_inside l')|congruence]. }
  exists y. split; [now apply (in_Cset l)|]. rewrite (shown_bit l y Hl Cy), (shown_bit l' y Hl' Cy).
  destruct (N.testbit (shown_by l) y), (N.testbit (shown_by l') y); congruence.
Qed.

Lemma shown_mixed l : In l L -> shown_by l <> 0 -> shown_by l <> C -> mixed Cset (table_of (fst l)).
Proof.
  intros Hl H0 HC. destruct (bit_of _ H0) as [y Hy]. pose proof (shown_inside l y Hy) as Cy.
  destruct (bit_apart _ _ HC) as [z Hz].
  assert (Cz : bits C z).
  { unfold bits. destruct (N.testbit C z) eqn:B; [reflexivity|].
    destruct (N.testbit (shown_by l) z) eqn:B'; [pose proof (shown_inside l z B'); unfold bits in *; congruence|congruence]. }
  exists y, z. split; [now apply (in_Cset l)|]. split; [now apply (in_Cset l)|].
  rewrite (shown_bit l y Hl Cy), (shown_bit l z Hl Cz), Hy. unfold bits in Cz. rewrite Cz in Hz.
  destruct (N.testbit (shown_by l) z); congruence.
Qed.

Lemma shown_constant l : In l L -> shown_by l = 0 \/ shown_by l = C -> constant Cset (table_of (fst l)).
Proof.
  intros Hl H y y' Hy Hy'. apply Cset_bits in Hy, Hy'. rewrite (shown_bit l y Hl Hy), (shown_bit l y' Hl Hy').
  destruct H as [-> | ->]; [reflexivity|]. unfold bits in *. now rewrite Hy, Hy'.
Qed.

Lemma shown_overlap l l' : In l L -> In l' L -> N.lxor (shown_by l) (shown_by l') <> C ->
  overlap Cset (table_of (fst l)) (table_of (fst l')).
Proof.
  intros Hl Hl' H. destruct (bit_apart _ _ H) as [y Hy]. rewrite N.lxor_spec in Hy.
  assert (Cy : bits C y).
  { destruct (N.testbit (shown_by l) y) eqn:B; [now apply (shown_inside l)|].
    destruct (N.testbit (shown_by l') y) eqn:B'; [now apply (shown_inside l')|].
    unfold bits. simpl in Hy. destruct (N.testbit C y); congruence. }
  exists y. split; [now apply (in_Cset l)|]. rewrite (shown_bit l y Hl Cy), (shown_bit l' y Hl' Cy).
  unfold bits in Cy. rewrite Cy in Hy. destruct (N.testbit (shown_by l) y), (N.testbit (shown_by l') y); simpl in *; congruence.
Qed.

Lemma too_many_lines_sound : too_many_lines L C = true -> too_many Cset (rows_of L) table_of.
Proof.
  unfold too_many_lines. fold shown_by. set (shown := nodup N.eq_dec (map shown_by L)).
  assert (ND : NoDup shown) by apply NoDup_nodup.
  assert (Hs : forall m, In m shown -> exists l, In l L /\ shown_by l = m).
  { intros m Hm. apply nodup_In, in_map_iff in Hm. destruct Hm as (l & E & Hl). eauto. }
  set (mix := filter (fun m => if m =? 0 then false else negb (m =? C)) shown).
  assert (NDm : NoDup mix) by now apply NoDup_filter.
  assert (Hm : forall m, In m mix -> exists l, In l L /\ shown_by l = m /\ mixed Cset (table_of (fst l))).
  { intros m Hm. apply filter_In in Hm. destruct Hm as [Hm B]. destruct (Hs m Hm) as (l & Hl & <-).
    exists l. repeat split; auto. destruct (N.eqb_spec (shown_by l) 0); [discriminate|].
    destruct (N.eqb_spec (shown_by l) C); [discriminate|]. now apply shown_mixed. }
  destruct mix as [|m1 [|m2 [|m3 [|m4 [|m5 rest]]]]]; try discriminate.
  - destruct (existsb _ shown) eqn:K; [|discriminate]. intros O. right.
    apply existsb_exists in K. destruct K as (m0 & H0 & K). destruct (Hs m0 H0) as (l0 & Hl0 & <-).
    assert (K0 : constant Cset (table_of (fst l0))).
    { apply shown_constant; [exact Hl0|]. destruct (N.eqb_spec (shown_by l0) 0); [now left|right]. now apply N.eqb_eq. }
    assert (HO : forall m m', In m [m1; m2; m3; m4] -> In m' [m1; m2; m3; m4] -> N.lxor m m' <> C).
    { intros m m' Hm1 Hm2. rewrite forallb_forall in O. specialize (O m Hm1). rewrite forallb_forall in O.
      specialize (O m' Hm2). now destruct (N.eqb_spec (N.lxor m m') C). }
    destruct (Hm m1) as (l1 & I1 & <- & M1); [simpl; auto|]. destruct (Hm m2) as (l2 & I2 & <- & M2); [simpl; auto|].
    destruct (Hm m3) as (l3 & I3 & <- & M3); [simpl; auto|]. destruct (Hm m4) as (l4 & I4 & <- & M4); [simpl; auto 6|].
    exists (fst l1), (fst l2), (fst l3), (fst l4), (fst l0).
    split; [repeat constructor; now apply in_map|]. split; [repeat constructor; assumption|]. split; [exact K0|].
    repeat match goal with H : NoDup (_ :: _) |- _ => inversion H; clear H; subst end. simpl in *.
    repeat constructor; first [apply shown_differ; auto; intros E; rewrite E in *; tauto | apply shown_overlap; auto; apply HO; tauto].
  - intros _. left.
    destruct (Hm m1) as (l1 & I1 & <- & M1); [simpl; auto|]. destruct (Hm m2) as (l2 & I2 & <- & M2); [simpl; auto|].
    destruct (Hm m3) as (l3 & I3 & <- & M3); [simpl; auto|]. destruct (Hm m4) as (l4 & I4 & <- & M4); [simpl; auto 6|].
    destruct (Hm m5) as (l5 & I5 & <- & M5); [simpl; auto 7|].
    exists (fst l1), (fst l2), (fst l3), (fst l4), (fst l5).
    split; [repeat constructor; now apply in_map|]. split; [repeat constructor; assumption|].
    repeat match goal with H : NoDup (_ :: _) |- _ => inversion H; clear H; subst end. simpl in *.
    repeat constructor; apply shown_differ; auto; intros E; rewrite E in *; tauto.
Qed.
End Lines.

Lemma pick_good g R L : Forall (good g) L -> Forall (good g) (pick R L).
Proof. intros H. rewrite Forall_forall in *. intros l Hl. apply pick_In in Hl. now apply H. Qed.

Lemma pick_rows R L x : rows_of (pick R L) x <-> rows_of L x /\ bits R x.
Proof.
  unfold rows_of. rewrite !in_map_iff. split.
  - intros (l & <- & Hl). apply pick_In in Hl. split; [exists l; tauto|apply Hl].
  - intros [(l & <- & Hl) B]. exists l. rewrite pick_In. auto.
Qed.

Lemma pick_bits R L : Forall (bits R) (map fst (pick R L)).
Proof. apply Forall_forall. intros x Hx. now apply pick_rows in Hx. Qed.

(** ** Four bits *)
Lemma cell_of_binary f L C l y : Forall (good f) L -> binary_lines L C = true -> In l L -> bits C y ->
  f (fst l) y = Some (table_of f (fst l) y) /\ (table_of f (fst l) y = 0 \/ table_of f (fst l) y = 1).
Proof. intros G B H I. unfold table_of. destruct (cell_binary f L C G B l y H I) as [-> | ->]; auto. Qed.

Lemma binary_part (L L' : list line) C C' : incl L' L -> (forall y, bits C' y -> bits C y) -> binary_lines L C = true -> binary_lines L' C' = true.
Proof.
  unfold binary_lines. rewrite !forallb_forall. intros I S H l Hl. apply N.eqb_eq, N.bits_inj. intros y. rewrite N.bits_0, N.ldiff_spec.
  specialize (H l (I l Hl)). apply N.eqb_eq in H. pose proof (ldiff_subset _ _ H y) as K. unfold bits in *.
  destruct (N.testbit C' y) eqn:E; [|reflexivity]. rewrite (K (S y E)). reflexivity.
Qed.

Section Halves.
Variable f : N -> N -> option N.
Variables L K : list line. (* rows of the rectangle, and columns *)
Variables R C : N.
Hypothesis L_good : Forall (good f) L.
Hypothesis K_good : Forall (good (flip f)) K.
Hypothesis L_binary : binary_lines L C = true.
Hypothesis K_binary : binary_lines K R = true.
Hypothesis L_bits : forall x, rows_of L x -> bits R x.
Hypothesis K_bits : forall y, rows_of K y -> bits C y.
Hypothesis K_all : forall x y, rows_of L x -> bits C y -> f x y <> None -> rows_of K y.

Let Cs := rows_of K.

Lemma cell_there x y : rows_of L x -> Cs y -> f x y = Some (table_of f x y) /\ (table_of f x y = 0 \/ table_of f x y = 1).
Proof.
  intros Hx Hy. apply in_map_iff in Hx. destruct Hx as (l & <- & Hl). apply (cell_of_binary f L C); auto.
Qed.

Lemma sub_good (g : N -> N -> option N) (M M' : list line) : incl M' M -> Forall (good g) M -> Forall (good g) M'.
Proof. intros I G. rewrite Forall_forall in *. auto. Qed.

Lemma rows_incl (M M' : list line) x : incl M' M -> rows_of M' x -> rows_of M x.
Proof. intros I H. apply in_map_iff in H. destruct H as (l & <- & Hl). apply in_map. auto. Qed.

Lemma own_lines_many own : incl own L -> too_many_lines own C = true -> no_alice f (rows_of own) Cs.
Proof.
  intros I H. apply (@no_alice_first N N N 0 1 f (rows_of own) Cs (table_of f)).
  - intros x y Hx Hy. apply cell_there; [exact (rows_incl _ _ _ I Hx)|exact Hy].
  - apply (too_many_lines_sound f own C Cs); auto.
    + now apply (sub_good f L).
    + apply (binary_part L own C C); auto.
    + intros x y Hx. apply K_all. exact (rows_incl _ _ _ I Hx).
Qed.

Lemma lines_across some inside : incl some K -> (forall x, bits inside x -> rows_of L x) -> too_many_lines some inside = true ->
  no_bob f (bits inside) Cs.
Proof.
  intros I S H. apply (no_bob_more (R := bits inside) (C := rows_of some)); auto; [intros y; exact (rows_incl _ _ _ I)|].
  apply (@no_bob_first N N N 0 1 f (bits inside) (rows_of some) (table_of f)).
  - intros x y Hx Hy. apply cell_there; [now apply S|exact (rows_incl _ _ _ I Hy)].
  - apply (too_many_lines_sound (flip f) some inside (bits inside)); auto.
    + now apply (sub_good (flip f) K).
    + apply (binary_part K some R inside); auto.
Qed.

Variable table : trie line.
Hypothesis table_lines : all (fun _ l => In l K) table.

Lemma heads_incl parts : incl (heads table parts) K.
Proof.
  induction parts as [|part parts IH]; simpl; [intros l []|]. destruct (lookup 24 _ table) as [l|] eqn:E; [|exact IH].
  intros l' [<-|H]; [exact (all_lookup (fun _ l => In l K) _ _ _ table_lines E)|now apply IH].
Qed.

Definition sound_side (s : placed) : Prop :=
  (forall x, bits (lines_on s) x -> rows_of L x) /\
  match own_lines s with
  | Some lines => incl lines L /\ forall x, rows_of lines x -> bits (lines_on s) x
  | None => no_alice f (bits (lines_on s)) Cs
  end /\
  (parts_across s = None -> no_bob f (bits (lines_on s)) Cs).

Lemma with_line_sound s l : sound_side s -> In l L ->
  match with_line table C s l with
  | Some s' => sound_side s' /\ lines_on s' = N.setbit (lines_on s) (fst l)
  | None => hard (said Both) f 3 None (bits (N.setbit (lines_on s) (fst l))) Cs
  end.
Proof.
  intros (W & A & B) Hl. unfold with_line. set (inside := N.setbit (lines_on s) (fst l)).
  assert (More : forall x, bits (lines_on s) x -> bits inside x) by (intros x H; apply N.setbit_iff; now right).
  assert (W' : forall x, bits inside x -> rows_of L x).
  { intros x H. apply N.setbit_iff in H. destruct H as [<-|H]; [now apply in_map|now apply W]. }
  match goal with |- context [match ?e with Some _ => _ | None => match ?e' with _ => _ end end] => set (lines := e); set (pieces := e') end.
  assert (A' : match lines with Some ls => incl ls L /\ forall x, rows_of ls x -> bits inside x | None => no_alice f (bits inside) Cs end).
  { unfold lines. destruct (own_lines s) as [old|]; [|now apply (no_alice_more More (fun y H => H))]. destruct A as [I S].
    assert (I' : incl (l :: old) L) by (intros m [<-|Hm]; auto).
    assert (S' : forall x, rows_of (l :: old) x -> bits inside x).
    { intros x [<-|Hx]; [apply N.setbit_iff; now left|apply More; now apply S]. }
    destruct (too_many_lines (l :: old) C) eqn:T; [|now split].
    apply (no_alice_more S' (fun y H => H)). now apply own_lines_many. }
  assert (B' : pieces = None -> no_bob f (bits inside) Cs).
  { unfold pieces. destruct (parts_across s) as [old|]; [|intros _; apply (no_bob_more More (fun y H => H)); now apply B].
    destruct (too_many_lines (heads table (cut (plane 1 l) old)) inside) eqn:T; [|discriminate]. intros _.
    apply (lines_across _ _ (heads_incl _) W' T). }
  clearbody lines pieces. destruct lines as [lines|], pieces as [pieces|]; simpl.
  1-3: split; [repeat split; simpl; auto; try apply A'; try discriminate|reflexivity].
  apply nobody_first; auto.
Qed.

End Halves.

Lemma different_incl L C : incl (different L C) L.
Proof.
  unfold different. intros l H. apply in_flat_map in H. destruct H as (m & _ & H). destruct (find _ L) as [l'|] eqn:E; [|elim H].
  destruct H as [<-|[]]. now apply find_some in E.
Qed.

Lemma no_halves_sound f L K R C : Forall (good f) L -> Forall (good (flip f)) K -> binary_lines L C = true -> binary_lines K R = true ->
  (forall x, rows_of L x -> bits R x) -> (forall y, rows_of K y -> bits C y) ->
  (forall x y, rows_of L x -> bits C y -> f x y <> None -> rows_of K y) -> no_halves L K C = true -> forall g : N -> bool,
  hard (said Both) f 3 None (fun x => rows_of L x /\ g x = false) (rows_of K) \/
  hard (said Both) f 3 None (fun x => rows_of L x /\ g x = true) (rows_of K).
Proof.
  intros LG KG LB KB LR KC All H g.
  assert (T : all (fun _ l => In l K) (entered 24 (map (fun l => (fst l, l)) K))) by (apply all_entered, Forall_map, Forall_forall; auto).
  destruct (every_split_sound placed line (with_line (entered 24 (map (fun l => (fst l, l)) K)) C) fst (rows_of L) (fun l => In l L)
    (fun S s => sound_side f L K s /\ forall x, bits (lines_on s) x -> S x) (fun S => hard (said Both) f 3 None S (rows_of K))) with (7 := H) (g := g)
    as [[E _]|D]; try discriminate; [| | | | |exact D].
  - intros l. apply in_map.
  - intros S S' M. apply hard_mono; auto.
  - intros S s l _ Sl Hl [Ss In]. pose proof (with_line_sound f L K R C LG KG LB KB LR KC All _ T s l Ss Hl) as W.
    assert (Add : forall x, bits (N.setbit (lines_on s) (fst l)) x -> S x) by (intros x B; apply N.setbit_iff in B; destruct B as [<-|B]; auto).
    destruct (with_line _ C s l) as [s'|]; [destruct W as [W E]; split; [exact W|now rewrite E]|]. revert W. apply hard_mono; auto.
  - apply Forall_forall. exact (different_incl L C).
  - intros S. assert (None : forall x, ~ bits 0 x) by (intros x B; unfold bits in B; now rewrite N.bits_0 in B).
    split; [|intros x B; now apply None in B]. split; [intros x B; now apply None in B|]. split; [split; [intros m []|intros x []]|discriminate].
Qed.

(** ** Three bits, and four *)
Section Small.
Variable who : knowing.
Variable f : N -> N -> option N.
Variables rows cols : list line.
Hypothesis rows_good : Forall (good f) rows.
Hypothesis cols_good : Forall (good (flip f)) cols.
Hypothesis rows_all : forall x y c, f x y = Some c -> rows_of rows x.
Hypothesis cols_all : forall x y c, f x y = Some c -> rows_of cols y.

Section Masks.
Variables R C : N.
Let Rs := rows_of (pick R rows).
Let Cs := rows_of (pick C cols).

Lemma picked_row x : Rs x -> bits R x.
Proof. intros H. now apply pick_rows in H. Qed.

Lemma picked_column y : Cs y -> bits C y.
Proof. intros H. now apply pick_rows in H. Qed.

Lemma all_columns x y : Rs x -> bits C y -> f x y <> None -> Cs y.
Proof.
  intros _ Hy Hf. apply pick_rows. split; [|exact Hy]. destruct (f x y) as [c|] eqn:F; [|congruence]. now apply (cols_all x y c).
Qed.

Lemma all_rows y x : Cs y -> bits R x -> flip f y x <> None -> Rs x.
Proof.
  intros _ Hx Hf. apply pick_rows. split; [|exact Hx]. unfold flip in Hf.
  destruct (f x y) as [c|] eqn:F; [|congruence]. now apply (rows_all x y c).
Qed.

Lemma three_ok_lines : three_ok who rows cols R C = true -> who = Both /\ binary_lines (pick R rows) C = true /\
  binary_lines (pick C cols) R = true /\ hard (said Both) f 3 None Rs Cs.
Proof.
  unfold three_ok. intros H. destruct who; [|discriminate|discriminate]. decide_if H. decide_if H. decide_if H.
  pose proof (pick_good f R rows rows_good) as G. pose proof (pick_good (flip f) C cols cols_good) as G'.
  do 3 (split; [reflexivity|]). apply (@three_hard N N N 0 1 f Rs Cs (table_of f)).
  - intros x y Hx Hy. apply in_map_iff in Hx. destruct Hx as (l & <- & Hl). apply (cell_of_binary f (pick R rows) C); auto. now apply picked_column.
  - exact (too_many_lines_sound f (pick R rows) C Cs G E picked_column all_columns E1).
  - exact (too_many_lines_sound (flip f) (pick C cols) R Rs G' E0 picked_row all_rows H).
Qed.

Lemma three_ok_sound : three_ok who rows cols R C = true -> hard (said who) f 3 None (bits R) (bits C).
Proof.
  intros H. apply three_ok_lines in H. destruct H as (-> & _ & _ & H).
  apply (@hard_mono N N N _ (said Both) f 3 3 None Rs (bits R) Cs (bits C)); auto using picked_row, picked_column.
Qed.

Lemma four_ok_sound : four_ok who rows cols R C = true -> hard (said who) f 4 None (bits R) (bits C).
Proof.
  unfold four_ok. intros H. decide_if H. decide_if H. apply three_ok_lines in E. destruct E as (-> & B & B' & Three).
  apply (@hard_mono N N N _ (said Both) f 4 4 None Rs (bits R) Cs (bits C)); auto using picked_row, picked_column.
  pose proof (pick_good f R rows rows_good) as G. pose proof (pick_good (flip f) C cols cols_good) as G'.
  apply hard_splits.
  - intros leaf K. pose proof (Three (Output leaf) K I) as D. simpl in D. lia.
  - intros _ g. right. right.
    exact (no_halves_sound f (pick R rows) (pick C cols) R C G G' B B' picked_row picked_column all_columns E0 g).
  - intros _ g. right. right.
    destruct (no_halves_sound (flip f) (pick C cols) (pick R rows) C R G' G B' B picked_column picked_row all_rows H g) as [D|D]; [left|right];
      (eapply hard_swap; [| |exact D]; reflexivity).
Qed.
End Masks.
End Small.
