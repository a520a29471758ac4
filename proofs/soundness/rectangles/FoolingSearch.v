(** * No fooling set is larger: by a search over all cells, also with symmetries of the matrix *)
From Coq Require Import List Arith Lia Bool NArith.
From Ccsim Require Import Specification Trees Lines Refutation RefutationSound NodesSound OneMessage Parts Submatrices Exclusion.
Import ListNotations.
Open Scope N_scope.

(** Items put into classes, of which each has items that all share leaves: what is left over. *)
Fixpoint left_over (allowed : N) (its : list item) : list item :=
  match its with
  | [] => []
  | i :: rest =>
      if N.testbit allowed (item_place i) then left_over (N.land allowed (item_mask i)) rest else i :: left_over allowed rest
  end.

Fixpoint unclassed (classes : nat) (its : list item) : list item :=
  match classes, its with S fewer, i :: rest => unclassed fewer (left_over (item_mask i) rest) | _, _ => its end.

Definition without (i : item) (its : list item) : list item := filter (fun j => negb (item_place j =? item_place i)) its.
Definition excluded_by (i : item) (its : list item) : list item := filter (fun j => negb (N.testbit (item_mask i) (item_place j))) its.

(** A larger set needs one of what is left over: try each. *)
Fixpoint none_larger (most : nat) (its : list item) : bool :=
  match most with
  | O => match its with [] => true | _ => false end
  | S less =>
      (fix each (rest its : list item) : bool :=
         match rest with
         | [] => true
         | i :: others => let fewer := without i its in if none_larger less (excluded_by i fewer) then each others fewer else false
         end) (rev (unclassed most its)) its
  end.

Definition limited (most : nat) (its : list item) : Prop := forall G, incl G its -> ForallOrdPairs apart_items G -> (length G <= most)%nat.

Lemma item_dec (i j : item) : {i = j} + {i <> j}.
Proof. repeat decide equality. Qed.

Definition among (its : list item) (i : item) : bool := if in_dec item_dec i its then true else false.

Lemma among_spec its i : among its i = true <-> In i its.
Proof. unfold among. destruct (in_dec item_dec i its); split; auto; discriminate. Qed.

Lemma apart_symmetric i j : apart_items i j -> apart_items j i.
Proof. intros (N & A & B). repeat split; auto. Qed.

Lemma FOP_middle G1 i G2 : ForallOrdPairs apart_items (G1 ++ i :: G2) -> ForallOrdPairs apart_items (G1 ++ G2) /\ Forall (apart_items i) (G1 ++ G2).
Proof.
  induction G1 as [|j G1 IH]; simpl; intros H; inversion H as [|? ? F P]; subst; [auto|]. destruct (IH P) as [A B].
  apply Forall_app in F. destruct F as [F1 F2]. inversion F2 as [|? ? J F3]; subst.
  split; [constructor; [now apply Forall_app|exact A]|]. constructor; [now apply apart_symmetric|exact B].
Qed.

Lemma one_out G keep : ForallOrdPairs apart_items G ->
  (forall i j, In i G -> In j G -> apart_items i j -> keep i = false -> keep j = false -> False) -> (length G <= S (length (filter keep G)))%nat.
Proof.
  intros P. induction P as [|i G F P IH]; intros H; simpl; [lia|]. destruct (keep i) eqn:K; simpl.
  - specialize (IH (fun a b Ha Hb => H a b (or_intror Ha) (or_intror Hb))). lia.
  - enough (filter keep G = G) as -> by lia. clear IH P. rewrite Forall_forall in F. assert (A : forall j, In j G -> keep j = true).
    { intros j Hj. apply not_false_is_true. intros Kj. apply (H i j); simpl; auto. }
    clear -A. induction G as [|j G IH]; simpl; [reflexivity|]. rewrite (A j (or_introl eq_refl)), IH; [reflexivity|]. intros k Hk. apply A. now right.
Qed.

Lemma left_over_allowed its : forall allowed i, In i its -> ~ In i (left_over allowed its) -> N.testbit allowed (item_place i) = true.
Proof.
  induction its as [|j its IH]; intros allowed i Hi H; [elim Hi|]. simpl in H. destruct (N.testbit allowed (item_place j)) eqn:B.
  - destruct Hi as [->|Hi]; [exact B|]. specialize (IH _ _ Hi H). rewrite N.land_spec in IH. now apply andb_true_iff in IH.
  - destruct Hi as [->|Hi]; [elim H; now left|]. apply (IH _ _ Hi). intros K. apply H. now right.
Qed.

Lemma left_over_together its : forall allowed i j, In i its -> In j its -> i <> j -> ~ In i (left_over allowed its) -> ~ In j (left_over allowed its) ->
  N.testbit (item_mask i) (item_place j) = true \/ N.testbit (item_mask j) (item_place i) = true.
Proof.
  induction its as [|h its IH]; intros allowed i j Hi Hj Ne A B; [elim Hi|]. simpl in A, B. destruct (N.testbit allowed (item_place h)) eqn:T.
  - destruct Hi as [->|Hi], Hj as [->|Hj]; [congruence| | |eapply IH; eauto].
    + left. pose proof (left_over_allowed _ _ _ Hj B) as K. rewrite N.land_spec in K. now apply andb_true_iff in K.
    + right. pose proof (left_over_allowed _ _ _ Hi A) as K. rewrite N.land_spec in K. now apply andb_true_iff in K.
  - destruct Hi as [->|Hi]; [elim A; now left|]. destruct Hj as [->|Hj]; [elim B; now left|].
    apply (IH allowed i j Hi Hj Ne); [intros K; apply A|intros K; apply B]; now right.
Qed.

Lemma left_over_incl its : forall allowed, incl (left_over allowed its) its.
Proof.
  induction its as [|h its IH]; intros allowed i H; simpl in *; [elim H|]. destruct (N.testbit _ _); [right; eapply IH; eauto|].
  destruct H as [->|H]; [now left|right; eapply IH; eauto].
Qed.

Lemma unclassed_incl classes : forall its, incl (unclassed classes its) its.
Proof.
  induction classes as [|fewer IH]; intros [|i its]; simpl; try apply incl_refl.
  intros j Hj. right. eapply left_over_incl. eapply IH. exact Hj.
Qed.

Lemma unclassed_limited classes : forall its G, incl G its -> ForallOrdPairs apart_items G -> (forall i, In i G -> ~ In i (unclassed classes its)) ->
  (length G <= classes)%nat.
Proof.
  induction classes as [|fewer IH]; intros its G I P U.
  - destruct G as [|i G]; [simpl; lia|]. elim (U i (or_introl eq_refl)). destruct its; apply I; now left.
  - destruct its as [|h its]; [destruct G as [|i G]; [simpl; lia|elim (I i (or_introl eq_refl))]|]. simpl in U.
    set (left := left_over (item_mask h) its) in *.
    assert (O : (length G <= S (length (filter (among left) G)))%nat).
    { apply one_out; [exact P|]. intros i j Hi Hj (Ne & A & B) Ki Kj.
      assert (Ni : ~ In i left) by (intros K; apply among_spec in K; congruence). assert (Nj : ~ In j left) by (intros K; apply among_spec in K; congruence).
      destruct (I i Hi) as [<-|Ii], (I j Hj) as [<-|Ij].
      - congruence.
      - rewrite (left_over_allowed _ _ _ Ij Nj) in A. discriminate.
      - rewrite (left_over_allowed _ _ _ Ii Ni) in B. discriminate.
      - destruct (left_over_together _ _ i j Ii Ij ltac:(congruence) Ni Nj); congruence. }
    enough (length (filter (among left) G) <= fewer)%nat by lia. apply (IH left).
    + intros i Hi. apply filter_In in Hi. now apply among_spec.
    + now apply pairs_filter.
    + intros i Hi. apply filter_In in Hi. now apply U.
Qed.

Definition unique (its : list item) : Prop := forall i j, In i its -> In j its -> item_place i = item_place j -> i = j.

(** With an item: the others are of those that it excludes. *)
Lemma limited_with most i its : limited most (excluded_by i its) -> forall G, incl G its -> ForallOrdPairs apart_items G -> In i G -> (length G <= S most)%nat.
Proof.
  intros L G I P H. apply in_split in H. destruct H as (G1 & G2 & ->). apply FOP_middle in P. destruct P as [P F].
  rewrite app_length. simpl. enough (length (G1 ++ G2) <= most)%nat by (rewrite app_length in *; lia). apply L; [|exact P].
  intros j Hj. rewrite Forall_forall in F. destruct (F j Hj) as (_ & A & _). apply filter_In. rewrite A. split; [|reflexivity].
  apply I. apply in_app_iff in Hj. apply in_app_iff. simpl. tauto.
Qed.

Theorem none_larger_sound most : forall its, unique its -> none_larger most its = true -> limited most its.
Proof.
  induction most as [|less IH]; intros its Uni H G I P.
  - destruct its; [|discriminate]. destruct G as [|i G]; [simpl; lia|]. elim (I i (or_introl eq_refl)).
  - cbn [none_larger] in H. assert (K : forall rest cur, incl rest its -> incl cur its ->
      (fix each (rest its : list item) : bool :=
         match rest with
         | [] => true
         | i :: others => let fewer := without i its in if none_larger less (excluded_by i fewer) then each others fewer else false
         end) rest cur = true ->
      forall G, incl G cur -> ForallOrdPairs apart_items G -> (forall i, In i G -> In i (unclassed (S less) its) -> In i rest) -> (length G <= S less)%nat).
    { clear G I P H. induction rest as [|i rest IHr]; intros cur Ir Ic H G I P U.
      - apply (unclassed_limited (S less) its); auto. exact (incl_tran I Ic).
      - cbv zeta in H. destruct (none_larger less (excluded_by i (without i cur))) eqn:E; [|discriminate]. apply IH in E;
          [|intros a b Ha Hb; apply filter_In in Ha, Hb; destruct Ha as [Ha _], Hb as [Hb _]; apply filter_In in Ha, Hb; apply Uni; apply Ic; tauto].
        destruct (in_dec item_dec i G) as [Hi|Ni].
        + apply in_split in Hi. destruct Hi as (G1 & G2 & ->). pose proof (FOP_middle _ _ _ P) as [P' F].
          rewrite app_length. simpl. enough (length (G1 ++ G2) <= less)%nat by (rewrite app_length in *; lia). apply E; [|exact P'].
          intros j Hj. rewrite Forall_forall in F. destruct (F j Hj) as (Nj & A & _). apply filter_In. rewrite A. split; [|reflexivity].
          apply filter_In. split; [|destruct (N.eqb_spec (item_place j) (item_place i)); [congruence|reflexivity]].
          apply I. apply in_app_iff in Hj. apply in_app_iff. simpl. tauto.
        + apply (IHr (without i cur)); auto.
          * intros j Hj. apply Ir. now right.
          * intros j Hj. apply filter_In in Hj. now apply Ic.
          * intros j Hj. apply filter_In. split; [now apply I|]. destruct (N.eqb_spec (item_place j) (item_place i)) as [Q|]; [|reflexivity].
            exfalso. apply Ni. assert (j = i) as <-; [|exact Hj]. apply Uni; [apply Ic, I, Hj|apply Ir; now left|exact Q].
          * intros j Hj Uj. destruct (U j Hj Uj) as [->|R]; [contradiction|exact R]. }
    apply (K (rev (unclassed (S less) its)) its) with (G := G); auto using incl_refl.
    + intros i Hi. apply in_rev in Hi. now apply unclassed_incl in Hi.
    + intros i _ U. now apply -> in_rev.
Qed.

(** ** Symmetries: where rows and columns are moved, such that no cell changes *)
Definition symmetry := (list N * list N)%type.
Inductive orbit_tree := NoSymmetries | ByOrbits (symmetries : list symmetry) (branches : list orbit_tree).

(** Items in their rows. *)
Definition by_rows (height : nat) (its : list item) : list (list item) := map (fun u => filter (fun j => fst (item_cell j) =? u) its) (indices height).

Definition image (rows : list (list item)) (s : symmetry) (i : item) : option item :=
  match spot_of (fst s) (fst (item_cell i)), spot_of (snd s) (snd (item_cell i)) with
  | Some u, Some v =>
      match nth_error rows (N.to_nat u) with
      | Some row => find (fun j => if fst (item_cell j) =? u then snd (item_cell j) =? v else false) row
      | None => None
      end
  | _, _ => None
  end.

(** Where a symmetry moves items: to items, and no two to one. *)
Definition motion := list (item * item).

Fixpoint all_new (seen : N) (places : list N) : bool :=
  match places with [] => true | p :: rest => if N.testbit seen p then false else all_new (N.setbit seen p) rest end.

Definition moves_of (its : list item) (s : symmetry) : option motion :=
  let rows := by_rows (length (fst s)) its in
  match all_some (map (fun i => option_map (pair i) (image rows s i)) its) with
  | Some m => if all_new 0 (map (fun p => item_place (snd p)) m) then Some m else None
  | None => None
  end.

Definition moved (m : motion) (i : item) : item :=
  match find (fun p => item_place (fst p) =? item_place i) m with Some p => snd p | None => i end.

(** Once some places are left out, none of the others goes to one of these. *)
Definition outside (orbit : N) (i : item) : bool := negb (N.testbit orbit (item_place i)).
Definition moves_left (orbit : N) (m : motion) : motion := filter (fun p => outside orbit (fst p)) m.
Definition closed (orbit : N) (m : motion) : bool := forallb (fun p => outside orbit (snd p)) m.

Definition reach (i : item) (state : N * list item) (m : motion) : N * list item :=
  let j := moved m i in
  if N.testbit (fst state) (item_place j) then state else (N.setbit (fst state) (item_place j), j :: snd state).

Fixpoint orbit (fuel : nat) (ms : list motion) (found : N) (queue : list item) : N :=
  match fuel, queue with
  | S more, i :: rest =>
      let '(found, queue) := fold_left (reach i) ms (found, rest) in orbit more ms found queue
  | _, _ => found
  end.

(** The last of what is left over is in no large set, nor is any to which it is moved: all of these are left out. *)
Fixpoint by_orbits (valid : symmetry -> bool) (most : nat) (tree : orbit_tree) (its : list item) : bool :=
  match tree with
  | NoSymmetries => none_larger most its
  | ByOrbits symmetries branches =>
      if forallb valid symmetries then
        match all_some (map (moves_of its) symmetries) with
        | Some ms =>
            (fix each (branches : list orbit_tree) (its : list item) (ms : list motion) : bool :=
               match branches with
               | [] => match unclassed most its with [] => true | _ => false end
               | branch :: others =>
                   match rev (unclassed most its), most with
                   | i :: _, S less =>
                       if by_orbits valid less branch (excluded_by i its) then
                         let found := orbit (S (length its)) ms (N.setbit 0 (item_place i)) [i] in
                         let ms := map (moves_left found) ms in
                         if forallb (closed found) ms then each others (filter (outside found) its) ms else false
                       else false
                   | _, _ => false
                   end
               end) branches its ms
        | None => false
        end
      else false
  end.

Lemma all_new_spec places : forall seen, all_new seen places = true -> NoDup places /\ forall p, In p places -> N.testbit seen p = false.
Proof.
  induction places as [|p rest IH]; simpl; intros seen H; [split; [constructor|intros p []]|]. destruct (N.testbit seen p) eqn:E; [discriminate|].
  destruct (IH _ H) as [D F]. assert (K : forall q, In q rest -> q <> p /\ N.testbit seen q = false).
  { intros q Hq. specialize (F q Hq). split; [intros ->|apply not_true_is_false; intros T].
    - assert (N.testbit (N.setbit seen p) p = true) by (apply N.setbit_iff; now left). congruence.
    - assert (N.testbit (N.setbit seen p) q = true) by (apply N.setbit_iff; now right). congruence. }
  split; [constructor; [intros Hp; now destruct (K p Hp)|exact D]|]. intros q [<-|Hq]; [exact E|now apply K].
Qed.

Lemma NoDup_map_filter {S T} (g : S -> T) (keep : S -> bool) l : NoDup (map g l) -> NoDup (map g (filter keep l)).
Proof.
  induction l as [|a l IH]; simpl; intros H; [constructor|]. inversion H as [|? ? N D]; subst. destruct (keep a); simpl; auto. constructor; auto.
  intros Hi. apply N. apply in_map_iff in Hi. destruct Hi as (b & <- & Hb). apply filter_In in Hb. now apply in_map.
Qed.

Section Symmetries.
Variable who : knowing.
Variable f : N -> N -> option N.

Definition symmetric (s : symmetry) : Prop := forall x y u v, spot_of (fst s) x = Some u -> spot_of (snd s) y = Some v -> f u v = f x y.

Lemma faithful_part its keep : faithful who f its -> faithful who f (filter keep its).
Proof.
  intros [A B]. split; [now apply NoDup_map_filter|]. intros i j Hi Hj. apply filter_In in Hi, Hj. now apply B.
Qed.

(** What motions are. *)
Definition moving (its : list item) (s : symmetry) (m : motion) : Prop :=
  map fst m = its /\ NoDup (map (fun p => item_place (snd p)) m) /\
  forall i j, In (i, j) m -> In j its /\ exists u v,
    spot_of (fst s) (fst (item_cell i)) = Some u /\ spot_of (snd s) (snd (item_cell i)) = Some v /\ item_cell j = (u, v).

Lemma moves_of_moving its s m : moves_of its s = Some m -> moving its s m.
Proof.
  unfold moves_of. destruct (all_some _) as [m'|] eqn:E; [|discriminate]. destruct (all_new 0 _) eqn:D; [|discriminate]. intros [= ->].
  apply all_new_spec in D. split; [|split; [apply D|]].
  - clear D. assert (K : forall l m, all_some (map (fun i => option_map (pair i) (image (by_rows (length (fst s)) its) s i)) l) = Some m -> map fst m = l).
    { induction l as [|i l IH]; simpl; intros m0 H; [now injection H as <-|]. destruct (image _ s i); simpl in H; [|discriminate].
      match type of H with context [all_some ?l] => destruct (all_some l) as [m1|] eqn:A; [|discriminate] end.
      injection H as <-. simpl. f_equal. now apply IH. }
    now apply K.
  - intros i j H. apply (all_some_In _ _ E) in H. apply in_map_iff in H. destruct H as (i' & H & _).
    destruct (image _ s i') as [j'|] eqn:Im; [|discriminate]. simpl in H. injection H as -> ->. unfold image in Im.
    destruct (spot_of (fst s) _) as [u|]; [|discriminate]. destruct (spot_of (snd s) _) as [v|]; [|discriminate].
    destruct (nth_error _ (N.to_nat u)) as [row|] eqn:R; [|discriminate]. apply find_some in Im. destruct Im as [Hj Q]. split.
    + apply nth_error_In in R. unfold by_rows in R. apply in_map_iff in R. destruct R as (w & <- & _). apply filter_In in Hj. apply Hj.
    + exists u, v. repeat split. destruct (N.eqb_spec (fst (item_cell j)) u) as [<-|]; [|discriminate]. apply N.eqb_eq in Q. subst v. now destruct (item_cell j).
Qed.

Lemma moving_left found its s m : moving its s m -> closed found (moves_left found m) = true -> moving (filter (outside found) its) s (moves_left found m).
Proof.
  intros (F & D & P) C. unfold moves_left, closed in *. split; [|split].
  - rewrite <- F. clear. induction m as [|[i j] m IH]; simpl; [reflexivity|]. destruct (outside found i); simpl; congruence.
  - now apply NoDup_map_filter.
  - intros i j H. rewrite forallb_forall in C. pose proof (C _ H) as O. apply filter_In in H. destruct H as [H _]. destruct (P i j H) as [Hj X].
    split; [|exact X]. apply filter_In. auto.
Qed.

Definition bad (most : nat) (its : list item) (i : item) : Prop :=
  forall G, incl G its -> ForallOrdPairs apart_items G -> In i G -> (length G <= most)%nat.

Variable its : list item.
Hypothesis its_faithful : faithful who f its.

Lemma its_unique : unique its.
Proof. intros i j. apply NoDup_map_inj, its_faithful. Qed.

Lemma moved_In s m i : moving its s m -> In i its -> In (i, moved m i) m.
Proof.
  intros (F & _ & _) Hi. assert (P : exists p, In p m /\ fst p = i) by (rewrite <- F in Hi; apply in_map_iff in Hi; destruct Hi as (p & E & Hp); eauto).
  destruct P as (p & Hp & Ep). unfold moved. destruct (find _ m) as [q|] eqn:Q.
  - apply find_some in Q. destruct Q as [Hq E]. apply N.eqb_eq in E. assert (fst q = i) as <-; [|now destruct q].
    apply its_unique; [rewrite <- F; now apply in_map|exact Hi|exact E].
  - pose proof (find_none _ _ Q p Hp) as N. cbv beta in N. rewrite Ep, N.eqb_refl in N. discriminate.
Qed.

Lemma moved_apart s m i j : symmetric s -> moving its s m -> In i its -> In j its ->
  N.testbit (item_mask (moved m i)) (item_place (moved m j)) = N.testbit (item_mask i) (item_place j).
Proof.
  intros Sy M Hi Hj. destruct its_faithful as [_ B]. pose proof (moved_In s m i M Hi) as Mi. pose proof (moved_In s m j M Hj) as Mj.
  destruct M as (_ & _ & P). destruct (P _ _ Mi) as (Ii & u & v & U & V & C), (P _ _ Mj) as (Ij & u' & v' & U' & V' & C').
  rewrite (B i j Hi Hj), (B _ _ Ii Ij). f_equal. apply excludes_moved; rewrite ?C, ?C'; simpl; now apply Sy.
Qed.

Lemma moved_bad most s m i : symmetric s -> moving its s m -> In i its -> bad most its i -> In (moved m i) its /\ bad most its (moved m i).
Proof.
  intros Sy M Hi Bad. pose proof M as (F & D & P).
  split; [exact (proj1 (P _ _ (moved_In s m i M Hi)))|]. intros G I Q Hg.
  assert (Inj : forall a b, In a its -> In b its -> moved m a = moved m b -> a = b).
  { intros a b Ha Hb E. pose proof (moved_In s m a M Ha) as Ma. pose proof (moved_In s m b M Hb) as Mb.
    pose proof (NoDup_map_inj _ _ D _ _ Ma Mb) as K. cbv beta in K. cbn [snd] in K. rewrite E in K. specialize (K eq_refl). congruence. }
  assert (On : incl its (map (moved m) its)).
  { apply NoDup_length_incl; [|now rewrite map_length|].
    - pose proof (proj1 its_faithful) as N. apply NoDup_map_inv in N. clear -N Inj. induction N as [|a l Na _ IH]; simpl; constructor.
      + intros H. apply in_map_iff in H. destruct H as (b & E & Hb). apply Na. rewrite (Inj a b); simpl; auto.
      + apply IH. intros b c Hb Hc. apply Inj; now right.
    - intros j Hj. apply in_map_iff in Hj. destruct Hj as (h & <- & Hh). exact (proj1 (P _ _ (moved_In s m h M Hh))). }
  assert (Pre : exists G', incl G' its /\ map (moved m) G' = G).
  { clear Hg Q. induction G as [|g G IH]; [exists []; split; [intros j []|reflexivity]|]. destruct IH as (G' & I' & E').
    - intros j Hj. apply I. now right.
    - pose proof (On g (I g (or_introl eq_refl))) as Hg. apply in_map_iff in Hg. destruct Hg as (h & E & Hh). exists (h :: G').
      split; [intros j [<-|Hj]; auto|]. simpl. now rewrite E, E'. }
  destruct Pre as (G' & I' & <-). rewrite map_length. apply Bad; [exact I'| |].
  - clear -Q I' Sy M its_faithful. induction G' as [|h G' IH]; [constructor|]. simpl in Q. inversion Q as [|? ? A Q']; subst.
    assert (I2 : incl G' its) by (intros j Hj; apply I'; now right). constructor; [|now apply IH]. rewrite Forall_map in A. rewrite Forall_forall in *.
    intros j Hj. destruct (A j Hj) as (Ne & X & Y). pose proof (I' h (or_introl eq_refl)) as Hh. pose proof (I2 j Hj) as Ij.
    rewrite (moved_apart s m h j) in X by auto. rewrite (moved_apart s m j h) in Y by auto. split; [|split; assumption].
    intros E. apply Ne. apply (its_unique h j Hh Ij) in E. now subst.
  - apply in_map_iff in Hg. destruct Hg as (h & E & Hh). assert (h = i) as <-; [|exact Hh]. apply Inj; auto.
Qed.

Lemma orbit_bad most symmetries ms : Forall symmetric symmetries -> Forall2 (moving its) symmetries ms -> forall fuel found queue,
  (forall i, In i its -> N.testbit found (item_place i) = true -> bad most its i) -> Forall (fun i => In i its /\ bad most its i) queue ->
  forall i, In i its -> N.testbit (orbit fuel ms found queue) (item_place i) = true -> bad most its i.
Proof.
  intros Sy M. assert (St : forall m i, In m ms -> In i its -> bad most its i -> In (moved m i) its /\ bad most its (moved m i)).
  { intros m i Hm. assert (X : exists s, symmetric s /\ moving its s m).
    { clear -Sy M Hm. induction M as [|s m' ss ms Ms _ IH]; [elim Hm|]. inversion Sy; subst. destruct Hm as [->|Hm]; eauto. }
    destruct X as (s & Ss & Ms). now apply (moved_bad most s m). }
  induction fuel as [|fuel IH]; intros found queue F Q; [exact F|]. destruct queue as [|i queue]; [exact F|]. cbn [orbit].
  inversion Q as [|? ? [Hi Bi] Q']; subst.
  assert (K : forall some state, incl some ms ->
    (forall j, In j its -> N.testbit (fst state) (item_place j) = true -> bad most its j) -> Forall (fun j => In j its /\ bad most its j) (snd state) ->
    let state' := fold_left (reach i) some state in
    (forall j, In j its -> N.testbit (fst state') (item_place j) = true -> bad most its j) /\ Forall (fun j => In j its /\ bad most its j) (snd state')).
  { clear F Q Q' IH. induction some as [|m some IH]; intros state Inc F Q; [simpl; auto|]. cbn [fold_left].
    destruct (St m i (Inc m (or_introl eq_refl)) Hi Bi) as [Im Bm]. apply IH; [intros r Hr; apply Inc; now right| |];
      unfold reach; destruct (N.testbit (fst state) (item_place (moved m i))) eqn:T; auto; simpl.
    - intros j Hj B. apply N.setbit_iff in B. destruct B as [B|B]; [|now apply F]. now rewrite (its_unique j _ Hj Im (eq_sym B)).
    - constructor; [now split|exact Q]. }
  specialize (K ms (found, queue) (incl_refl _) F Q'). cbv zeta in K. destruct (fold_left (reach i) ms (found, queue)) as [found' queue'].
  now apply IH.
Qed.
End Symmetries.

Theorem by_orbits_sound who f valid : (forall s, valid s = true -> symmetric f s) -> forall most tree its, faithful who f its ->
  by_orbits valid most tree its = true -> limited most its.
Proof.
  intros V. assert (None : forall most its, faithful who f its -> none_larger most its = true -> limited most its)
    by (intros most its Fa; apply none_larger_sound; exact (its_unique who f its Fa)).
  assert (Empty : forall most its, match unclassed most its with [] => true | _ => false end = true -> limited most its).
  { intros most its H G I P. apply (unclassed_limited most its G I P). intros i _. destruct (unclassed most its); [auto|discriminate]. }
  assert (Moves : forall its symmetries ms, all_some (map (moves_of its) symmetries) = Some ms -> Forall2 (moving its) symmetries ms).
  { intros its. induction symmetries as [|s symmetries IH]; simpl; intros ms H; [injection H as <-; constructor|].
    destruct (moves_of its s) as [m|] eqn:E; [|discriminate]. destruct (all_some _); [|discriminate]. injection H as <-.
    constructor; [now apply moves_of_moving|now apply IH]. }
  induction most as [|less IH]; intros [|symmetries branches] its Fa H; [now apply None| |now apply None|];
    cbn [by_orbits] in H; (destruct (forallb valid symmetries) eqn:Va; [|discriminate]);
    (destruct (all_some (map (moves_of its) symmetries)) as [ms|] eqn:Ms; [|discriminate]).
  - destruct branches as [|b branches]; [now apply Empty|]. destruct (rev _); discriminate.
  - assert (Sym : Forall (symmetric f) symmetries) by (apply Forall_forall; intros s Hs; rewrite forallb_forall in Va; auto).
    apply Moves in Ms. revert its ms Fa Ms H. induction branches as [|b branches IHb]; intros its ms Fa Ms H; [now apply Empty|].
    destruct (rev (unclassed (S less) its)) as [|i rest] eqn:E; [discriminate|]. destruct (by_orbits valid less b _) eqn:B; [|discriminate].
    cbv zeta in H. set (found := orbit _ ms _ _) in H. destruct (forallb (closed found) _) eqn:Cl; [|discriminate].
    assert (Hi : In i its) by (apply (unclassed_incl (S less)); apply in_rev; rewrite E; now left).
    apply IH in B; [|now apply faithful_part]. assert (Bad : bad (S less) its i) by exact (limited_with less i its B).
    assert (Orb : forall j, In j its -> N.testbit found (item_place j) = true -> bad (S less) its j).
    { apply (orbit_bad who f its Fa (S less) symmetries ms Sym Ms); [|constructor; [now split|constructor]].
      intros j Hj T. apply N.setbit_iff in T. rewrite N.bits_0 in T. destruct T as [T|T]; [|discriminate].
      now rewrite <- (its_unique who f its Fa i j Hi Hj T). }
    apply IHb in H; [|now apply faithful_part|].
    + intros G I P. destruct (existsb (fun j => N.testbit found (item_place j)) G) eqn:X.
      * apply existsb_exists in X. destruct X as (j & Hj & T). exact (Orb j (I j Hj) T G I P Hj).
      * apply H; [|exact P]. intros j Hj. apply filter_In. split; [now apply I|]. unfold outside. apply negb_true_iff, not_true_is_false. intros T.
        assert (existsb (fun j => N.testbit found (item_place j)) G = true); [|congruence]. apply existsb_exists. eauto.
    + rewrite forallb_forall in Cl. clear -Ms Cl. clearbody found. induction Ms as [|s m symmetries ms M _ IH]; simpl; constructor.
      * apply moving_left; [exact M|]. apply Cl. now left.
      * apply IH. intros m' Hm. apply Cl. now right.
Qed.

(** ** The checkers *)
(** A symmetry moves rows and columns so that no cell changes; seen from Bob, columns and rows. *)
Definition same_cell (e e' : option N) : bool := match e, e' with Some a, Some b => a =? b | None, None => true | _, _ => false end.
Definition same_table : table -> table -> bool := same_list (same_list same_cell).

Lemma same_table_spec t t' : same_table t t' = true -> t = t'.
Proof.
  apply same_list_true, same_list_true. intros [a|] [b|]; simpl; try discriminate; [|reflexivity]. intros E. now apply N.eqb_eq in E as ->.
Qed.

Definition is_symmetry (t : table) (who : knowing) (s : symmetry) : bool :=
  let s := match who with BobAlone => turn s | _ => s end in
  match submatrix (fst s) (snd s) t with Some t' => same_table t t' | None => false end.

Lemma is_symmetry_spec t who s : is_symmetry t who s = true -> symmetric (read_from who (cell t)) s.
Proof.
  assert (K : forall rows columns, match submatrix rows columns t with Some t' => same_table t t' | None => false end = true ->
    forall x y u v, spot_of rows x = Some u -> spot_of columns y = Some v -> cell t u v = cell t x y).
  { intros rows columns H x y u v U V. destruct (submatrix rows columns t) as [t'|] eqn:E; [|discriminate]. apply same_table_spec in H. subst t'.
    rewrite (submatrix_cell rows columns t t E x y). unfold seen_through. now rewrite U, V. }
  unfold is_symmetry, symmetric. intros H x y u v U V. destruct who; simpl in *; [eapply K; eauto|eapply K; eauto|unfold flip; eapply K; eauto].
Qed.

Fixpoint turned_tree (tree : orbit_tree) : orbit_tree :=
  match tree with
  | NoSymmetries => NoSymmetries
  | ByOrbits symmetries branches => ByOrbits (map turn symmetries) (map turned_tree branches)
  end.

Definition fooling_orbits (t : table) (who : knowing) (code : option N) (at_most : N) (cells : list (N * N)) (tree : orbit_tree) : option N :=
  match items_of t who code cells with
  | Some its =>
      let tree := match who with BobAlone => turned_tree tree | _ => tree end in
      if by_orbits (is_symmetry t who) (N.to_nat at_most) tree its then Some at_most else None
  | None => None
  end.

Theorem fooling_orbits_bound t who code at_most cells tree v : fooling_orbits t who code at_most cells tree = Some v ->
  forall F, fooling_set (cell t) who code F -> N.of_nat (length F) <= v.
Proof.
  unfold fooling_orbits. destruct (items_of t who code cells) as [its|] eqn:E; [|discriminate]. set (read := match who with BobAlone => _ | _ => _ end).
  cbv zeta. destruct (by_orbits _ _ read its) eqn:H; [|discriminate].
  intros [= <-] F K. enough (length F <= N.to_nat at_most)%nat by lia. apply (items_bound t who code cells its _ E); [|exact K].
  apply (by_orbits_sound (read_as who) (read_from who (cell t)) (is_symmetry t who)) with (tree := read); [|now apply (items_faithful t who code cells)|exact H].
  apply is_symmetry_spec.
Qed.

Definition fooling_search (t : table) (who : knowing) (code : option N) (at_most : N) (cells : list (N * N)) : option N :=
  fooling_orbits t who code at_most cells NoSymmetries.

Theorem fooling_search_bound t who code at_most cells v : fooling_search t who code at_most cells = Some v ->
  forall F, fooling_set (cell t) who code F -> N.of_nat (length F) <= v.
Proof. apply fooling_orbits_bound. Qed.
