(** * Covers from below by weights on cells: all weigh more than so many rectangles can *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Lines Refutation RefutationSound FoolingSets.
Import ListNotations.
Open Scope N_scope.

(** A row: its number, the columns of other answers, and what its cells weigh, column by column. *)
Definition row := (N * N * list (N * N))%type.
Definition number (r : row) : N := fst (fst r).
Definition forbidden (r : row) : N := snd (fst r).

Definition weigh (within : N -> bool) (cells : list (N * N)) : N :=
  fold_right (fun c sum => if within (fst c) then snd c + sum else sum) 0 cells.

Definition all_of (C : N) (rows : list row) : N := fold_right (fun r sum => weigh (N.testbit C) (snd r) + sum) 0 rows.

(** The heaviest row that a rectangle may have to leave out, as it has other answers in these columns. *)
Fixpoint heaviest (C : N) (rows : list row) : option (N * row) :=
  match rows with
  | [] => None
  | r :: rest =>
      let later := heaviest C rest in
      if N.land C (forbidden r) =? 0 then later
      else
        let own := weigh (N.testbit C) (snd r) in
        match later with
        | Some (w, s) => if w <? own then Some (own, r) else later
        | None => Some (own, r)
        end
  end.

(** No rectangle of the answer within these rows and columns weighs more: by a search that puts a row outside or inside. *)
Fixpoint none_heavier (fuel : nat) (most : N) (rows : list row) (C : N) : bool :=
  if all_of C rows <=? most then true
  else
    match fuel, heaviest C rows with
    | S more, Some (_, r) =>
        if none_heavier more most (filter (fun s => negb (number s =? number r)) rows) C
        then none_heavier more most rows (N.ldiff C (forbidden r))
        else false
    | _, _ => false
    end.

Lemma heaviest_In C w r : forall rows, heaviest C rows = Some (w, r) -> In r rows.
Proof.
  induction rows as [|s rest IH]; simpl; [discriminate|]. destruct (_ =? 0); [intros H; right; now apply IH|].
  destruct (heaviest C rest) as [[v u]|]; [destruct (v <? _)|]; intros H; try (injection H as _ <-; now left). right. now apply IH.
Qed.

(** What a rectangle weighs. *)
Definition in_rows (rs : rectangle N N) (rows : list row) : N :=
  fold_right (fun r sum => (if fst rs (number r) then weigh (snd rs) (snd r) else 0) + sum) 0 rows.

Lemma weigh_mono (g h : N -> bool) cells : (forall y, g y = true -> h y = true) -> weigh g cells <= weigh h cells.
Proof.
  intros L. induction cells as [|[y w] cells IH]; simpl; [lia|]. specialize (L y). destruct (g y), (h y); try lia.
Qed.

Lemma in_rows_outside rs x rows : fst rs x = false -> in_rows rs rows = in_rows rs (filter (fun s => negb (number s =? x)) rows).
Proof.
  intros O. induction rows as [|r rows IH]; simpl; [reflexivity|]. destruct (N.eqb_spec (number r) x) as [E|E]; simpl.
  - rewrite E, O, IH. reflexivity.
  - now rewrite IH.
Qed.

Lemma none_heavier_sound most rs : forall fuel rows C, none_heavier fuel most rows C = true ->
  (forall y, snd rs y = true -> N.testbit C y = true) ->
  (forall r, In r rows -> fst rs (number r) = true -> forall y, snd rs y = true -> N.testbit (forbidden r) y = false) ->
  in_rows rs rows <= most.
Proof.
  assert (P : forall rows C, (forall y, snd rs y = true -> N.testbit C y = true) -> in_rows rs rows <= all_of C rows).
  { intros rows C L. induction rows as [|r rows IH]; simpl; [lia|]. pose proof (weigh_mono _ _ (snd r) L). destruct (fst rs (number r)); lia. }
  induction fuel as [|fuel IH]; intros rows C H L F; simpl in H; destruct (N.leb_spec (all_of C rows) most) as [B|_].
  1, 3: specialize (P rows C L); lia.
  1: discriminate.
  destruct (heaviest C rows) as [[w r]|] eqn:G; [|discriminate]. apply heaviest_In in G.
  destruct (none_heavier fuel most (filter _ rows) C) eqn:O; [|discriminate].
  destruct (fst rs (number r)) eqn:X.
  - apply (IH _ _ H); [|exact F]. intros y Y. rewrite N.ldiff_spec, (L y Y), (F r G X y Y). reflexivity.
  - rewrite (in_rows_outside _ _ _ X). apply (IH _ _ O L). intros s Hs. apply filter_In in Hs. now apply F.
Qed.

(** ** The witness: cells of the answer with their weights *)
Definition weighted := (N * N * N)%type.

Definition row_of (ks : list N) (code : N) (cells : list weighted) (l : line) : row :=
  (fst l, others ks code l, map (fun c => (snd (fst c), snd c)) (filter (fun c => fst (fst c) =? fst l) cells)).

Definition rows_with (t : table) (code : N) (cells : list weighted) : list row :=
  filter (fun r => match snd r with [] => false | _ => true end) (map (row_of (codes_of t) code cells) (row_lines t)).

Definition total_of (cells : list weighted) : N := fold_right (fun c sum => snd c + sum) 0 cells.

Definition needed (total most : N) : N := (total + (most - 1)) / most.

Definition cover_weights (t : table) (code most : N) (cells : list weighted) : option N :=
  if regular t && (1 <=? most) then
    if forallb (fun c => has_code t (Some code) (fst c)) cells then
      let rows := rows_with t code cells in
      if none_heavier (length rows) most rows (full (width t)) then Some (needed (total_of cells) most) else None
    else None
  else None.

Definition weight_inside (rs : rectangle N N) (cells : list weighted) : N :=
  fold_right (fun c sum => if inside rs (fst (fst c)) (snd (fst c)) then snd c + sum else sum) 0 cells.

Lemma row_weight rs x y w l cells ks code : In x (map fst l) -> (if inside rs x y then w else 0) + in_rows rs (map (row_of ks code cells) l)
  <= in_rows rs (map (row_of ks code ((x, y, w) :: cells)) l).
Proof.
  assert (M : forall m, in_rows rs (map (row_of ks code cells) m) <= in_rows rs (map (row_of ks code ((x, y, w) :: cells)) m)).
  { induction m as [|r m IH]; simpl; [lia|]. unfold number; simpl. destruct (fst rs (fst r)); [|lia]. destruct (x =? fst r); simpl; [|lia].
    destruct (snd rs y); lia. }
  induction l as [|r l IH]; intros H; [destruct H|]. destruct H as [E|H]; simpl; unfold number; simpl.
  - specialize (M l). subst x. rewrite N.eqb_refl. unfold inside. simpl. destruct (fst rs (fst r)); simpl; [|lia]. destruct (snd rs y); lia.
  - specialize (IH H). destruct (fst rs (fst r)); [|lia]. destruct (x =? fst r); simpl; [|lia]. destruct (snd rs y); lia.
Qed.

Lemma weight_by_rows rs ks code l : forall cells, (forall c, In c cells -> In (fst (fst c)) (map fst l)) ->
  weight_inside rs cells <= in_rows rs (map (row_of ks code cells) l).
Proof.
  induction cells as [|[[x y] w] cells IH]; intros H; simpl; [lia|].
  pose proof (row_weight rs x y w l cells ks code (H _ (or_introl eq_refl))). specialize (IH (fun c Hc => H c (or_intror Hc))).
  destruct (inside rs x y); lia.
Qed.

Lemma in_rows_filter rs rows :
  in_rows rs (filter (fun r => match snd r with [] => false | _ => true end) rows) = in_rows rs rows.
Proof.
  induction rows as [|r rows IH]; simpl; [reflexivity|]. destruct (snd r) eqn:E; simpl; rewrite ?E, IH; [|reflexivity].
  destruct (fst rs (number r)); reflexivity.
Qed.

(** Each cell is in some rectangle of a cover. *)
Lemma weight_covered (rs : list (rectangle N N)) most :
  forall cells : list weighted, Forall (fun c => Exists (fun r => inside r (fst (fst c)) (snd (fst c)) = true) rs) cells ->
  (forall r, In r rs -> weight_inside r cells <= most) -> total_of cells <= N.of_nat (length rs) * most.
Proof.
  intros cells E H.
  assert (S : total_of cells <= fold_right (fun r sum => weight_inside r cells + sum) 0 rs).
  { clear H. induction E as [|[[x y] w] cells K _ IH]; simpl; [apply N.le_0_l|]. simpl in K.
    assert (T : w + fold_right (fun r sum => weight_inside r cells + sum) 0 rs
                <= fold_right (fun r sum => (if inside r x y then w + weight_inside r cells else weight_inside r cells) + sum) 0 rs).
    { clear IH. assert (M : forall l, fold_right (fun r sum => weight_inside r cells + sum) 0 l
        <= fold_right (fun r sum => (if inside r x y then w + weight_inside r cells else weight_inside r cells) + sum) 0 l).
      { induction l as [|r l IHl]; simpl; [lia|]. destruct (inside r x y); lia. }
      induction K as [r l I|r l _ IH]; simpl; [rewrite I; specialize (M l); lia|]. destruct (inside r x y); lia. }
    lia. }
  enough (fold_right (fun r sum => weight_inside r cells + sum) 0 rs <= N.of_nat (length rs) * most) by lia.
  clear S E. induction rs as [|r rs IH]; cbn [fold_right length]; [simpl; apply N.le_0_l|]. rewrite Nat2N.inj_succ. pose proof (H r (or_introl eq_refl)).
  specialize (IH (fun s Hs => H s (or_intror Hs))). nia.
Qed.

Theorem cover_weights_bound t code most cells v count : cover_weights t code most cells = Some v ->
  rectangles_cover (cell t) (Some code) count -> v <= N.of_nat count.
Proof.
  unfold cover_weights. intros H (rs & [Own Cov] & L). destruct (regular t) eqn:R; [|discriminate].
  cbn [andb] in H. destruct (N.leb_spec 1 most) as [One|]; [|discriminate].
  destruct (forallb (fun c => has_code t (Some code) (fst c)) cells) eqn:A; [|discriminate]. destruct (none_heavier _ _ _ _) eqn:K; [|discriminate]. injection H as <-.
  assert (C : forall c, In c cells -> cell t (fst (fst c)) (snd (fst c)) = Some code).
  { rewrite forallb_forall in A. intros c Hc. specialize (A c Hc). simpl in A. now apply is_code_spec in A. }
  assert (T : total_of cells <= N.of_nat (length rs) * most).
  { apply weight_covered.
    - apply Forall_forall. intros c Hc. apply Cov. now apply C.
    - intros r Hr. rewrite Forall_forall in Own. specialize (Own r Hr).
      set (shown := ((fun x => fst r x), (fun y => snd r y && N.testbit (full (width t)) y)) : rectangle N N).
      assert (W : weight_inside r cells = weight_inside shown cells).
      { clear -C R. induction cells as [|[[x y] w] cells IH]; simpl; [reflexivity|]. rewrite IH by (intros c Hc; apply C; now right).
        specialize (C _ (or_introl eq_refl)). simpl in C. apply (promised_column t R) in C. unfold bits in C. unfold inside, shown. simpl. rewrite C.
        now rewrite andb_true_r. }
      rewrite W. eapply N.le_trans; [apply (weight_by_rows shown (codes_of t) code (row_lines t))|].
      + intros c Hc. eapply row_lines_all. now apply C.
      + rewrite <- in_rows_filter. apply (none_heavier_sound most shown _ _ _ K).
        * intros y Y. simpl in Y. apply andb_true_iff in Y. tauto.
        * intros s Hs X y Y. apply filter_In in Hs. destruct Hs as [Hs _]. apply in_map_iff in Hs. destruct Hs as (l & <- & Hl).
          unfold number, forbidden in *; simpl in *. apply andb_true_iff in Y. destruct Y as [Y _].
          destruct (N.testbit (others (codes_of t) code l) y) eqn:B; [|reflexivity]. exfalso.
          pose proof (row_lines_good t) as G. rewrite Forall_forall in G. destruct (others_spec (cell t) (codes_of t) code l y (G l Hl) B) as (c & E & N).
          apply N. apply (Own (fst l) y c); [|exact E]. unfold inside. now rewrite X, Y. }
  unfold needed. enough (total_of cells + (most - 1) < most * (N.of_nat count + 1)).
  { pose proof (N.div_lt_upper_bound _ most (N.of_nat count + 1) ltac:(lia) H). lia. }
  assert (N.of_nat (length rs) <= N.of_nat count) by lia. nia.
Qed.
