(** * No fooling set is larger: by integer vectors, as in a theta number (Lovász 1979; Schrijver 1979)

    No square is above t, and vectors of cells that exclude each other have a product of at most -a, below zero. The sum
    of the vectors of a fooling set of s cells has a square, from 0 to s t - s (s - 1) a: so s is at most 1 + t / a. *)
From Coq Require Import List Arith Lia Bool NArith ZArith.
From Ccsim Require Import Specification Trees Lines OneMessage Mixtures Exclusion FoolingSearch.
Import ListNotations.
Open Scope Z_scope.

(** A vector that is shorter than another one goes on with zeros. *)
Fixpoint dot (v w : list Z) : Z := match v, w with a :: v, b :: w => a * b + dot v w | _, _ => 0 end.

Fixpoint plus (v w : list Z) : list Z :=
  match v, w with a :: v, b :: w => a + b :: plus v w | [], _ => w | _, [] => v end.

Lemma dot_symmetric v : forall w, dot v w = dot w v.
Proof. induction v as [|a v IH]; intros [|b w]; simpl; auto. rewrite IH. ring. Qed.

Lemma dot_plus u : forall v w, dot (plus u v) w = dot u w + dot v w.
Proof.
  induction u as [|a u IH]; intros [|b v] [|c w]; simpl; try rewrite IH; ring.
Qed.

Lemma dot_square v : 0 <= dot v v.
Proof. induction v as [|a v IH]; simpl; nia. Qed.

Definition pointed := (item * list Z)%type.

Definition farthest (v : list Z) (i : item) (rest : list pointed) (nearest : Z) : Z :=
  fold_right (fun e m => if N.testbit (item_mask i) (item_place (fst e)) then m else Z.max m (dot v (snd e))) nearest rest.

Fixpoint nearest_product (l : list pointed) : Z :=
  match l with [] => - 2 ^ 90 | (i, v) :: rest => farthest v i rest (nearest_product rest) end.

Definition longest_square (l : list pointed) : Z := fold_right (fun e m => Z.max m (dot (snd e) (snd e))) 0 l.

Definition apart_by (nearest : Z) (e d : pointed) : Prop :=
  N.testbit (item_mask (fst e)) (item_place (fst d)) = true \/ dot (snd e) (snd d) <= nearest.

Lemma farthest_spec v i nearest rest : nearest <= farthest v i rest nearest /\
  Forall (apart_by (farthest v i rest nearest) (i, v)) rest.
Proof.
  induction rest as [|e rest [L F]]; simpl; [split; [lia|constructor]|]. unfold apart_by in *. cbn [fst snd] in *.
  destruct (N.testbit (item_mask i) (item_place (fst e))) eqn:B.
  - split; [exact L|]. constructor; [now left|exact F].
  - split; [lia|]. constructor; [right; lia|]. eapply Forall_impl; [|exact F]. intros d [H|H]; [now left|right; lia].
Qed.

Lemma apart_by_mono n m e d : n <= m -> apart_by n e d -> apart_by m e d.
Proof. intros L [H|H]; [now left|right; lia]. Qed.

Lemma nearest_spec l : ForallOrdPairs (apart_by (nearest_product l)) l.
Proof.
  assert (Mono : forall n m l, n <= m -> ForallOrdPairs (apart_by n) l -> ForallOrdPairs (apart_by m) l).
  { clear l. intros n m l L. induction 1 as [|e l H _ IH]; constructor; [|exact IH]. eapply Forall_impl; [|exact H]. intros d. now apply apart_by_mono. }
  induction l as [|[i v] l IH]; simpl; [constructor|]. destruct (farthest_spec v i (nearest_product l) l) as [L F].
  constructor; [exact F|]. exact (Mono _ _ _ L IH).
Qed.

Lemma longest_spec l e : In e l -> dot (snd e) (snd e) <= longest_square l.
Proof. induction l as [|d l IH]; simpl; intros []; [subst; lia|specialize (IH H); unfold longest_square in *; lia]. Qed.

Section Sum.
Variable T : Type.
Variable vec : T -> list Z.
Variables most apart : Z.

Definition all_together (G : list T) : list Z := fold_right (fun i s => plus (vec i) s) [] G.

Lemma product_with_sum i G : Forall (fun j => dot (vec i) (vec j) <= - apart) G -> dot (vec i) (all_together G) <= - (Z.of_nat (length G) * apart).
Proof.
  induction 1 as [|j G H _ IH]; [rewrite dot_symmetric; simpl; lia|]. cbn [all_together fold_right length]. fold (all_together G).
  rewrite (dot_symmetric (vec i)), dot_plus, (dot_symmetric (vec j)), (dot_symmetric (all_together G)), Nat2Z.inj_succ. lia.
Qed.

Lemma sum_of_vectors G : Forall (fun i => dot (vec i) (vec i) <= most) G -> ForallOrdPairs (fun i j => dot (vec i) (vec j) <= - apart) G ->
  dot (all_together G) (all_together G) <= Z.of_nat (length G) * most - Z.of_nat (length G) * (Z.of_nat (length G) - 1) * apart.
Proof.
  intros M P. induction P as [|i G H P IH]; [simpl; lia|]. inversion M as [|? ? Mi MG]; subst. specialize (IH MG). pose proof (product_with_sum i G H).
  cbn [all_together fold_right length]. fold (all_together G). set (s := all_together G) in *. rewrite dot_plus.
  rewrite (dot_symmetric (vec i) (plus _ _)), (dot_symmetric s (plus _ _)), !dot_plus, (dot_symmetric s (vec i)), Nat2Z.inj_succ. nia.
Qed.

Lemma few_vectors G : 0 < apart -> 0 <= most -> Forall (fun i => dot (vec i) (vec i) <= most) G ->
  ForallOrdPairs (fun i j => dot (vec i) (vec j) <= - apart) G -> Z.of_nat (length G) <= 1 + most / apart.
Proof.
  intros A T0 M P. pose proof (sum_of_vectors G M P). pose proof (dot_square (all_together G)). set (s := Z.of_nat (length G)) in *.
  destruct (Z.eq_dec s 0) as [->|N]; [pose proof (Z.div_pos most apart T0 A); lia|].
  enough (s - 1 <= most / apart) by lia. apply Z.div_le_lower_bound; [exact A|]. assert (0 < s) by (unfold s in *; lia). nia.
Qed.
End Sum.

Open Scope N_scope.

(** The cells that the claim is about, row by row. *)
Definition claimed_cells (t : table) (code : option N) : list (N * N) :=
  map fst (filter (fun c => match code with Some a => snd c =? a | None => true end) (cells_from 0 t)).

Definition theta (t : table) (who : knowing) (code : option N) (vectors : list (list Z)) : option N :=
  let cells := claimed_cells t code in
  if Nat.eqb (length vectors) (length cells) then
    match items_of t who code cells with
    | Some its =>
        let l := combine its vectors in
        let nearest := nearest_product l in
        if (nearest <? 0)%Z then
          if Nat.eqb (length its) (length vectors)
          then Some (N.min (Z.to_N (1 + longest_square l / - nearest)%Z) (N.of_nat (length cells))) else None
        else None
    | None => None
    end
  else None.

Theorem theta_bound t who code vectors v : theta t who code vectors = Some v ->
  forall F, fooling_set (cell t) who code F -> N.of_nat (length F) <= v.
Proof.
  unfold theta. destruct (Nat.eqb_spec (length vectors) (length (claimed_cells t code))) as [Lv|]; [|discriminate].
  destruct (items_of t who code _) as [its|] eqn:E; [|discriminate]. set (l := combine its vectors). destruct (Z.ltb_spec (nearest_product l) 0) as [A|]; [|discriminate].
  destruct (Nat.eqb_spec (length its) (length vectors)) as [Li|]; [|discriminate]. intros H F K.
  assert (E' : v = N.min (Z.to_N (1 + longest_square l / - nearest_product l)%Z) (N.of_nat (length (claimed_cells t code)))) by (symmetry; now injection H).
  rewrite E'. clear E' H. enough (length F <= N.to_nat (N.min (Z.to_N (1 + longest_square l / - nearest_product l)%Z) (N.of_nat (length (claimed_cells t code)))))%nat by lia.
  apply (items_bound t who code _ its _ E); [|exact K]. clear F K. intros G I P.
  assert (Len : (length G <= length its)%nat).
  { apply NoDup_incl_length; [|exact I]. clear -P. induction P as [|i G H _ IH]; constructor; auto. intros Hi. rewrite Forall_forall in H.
    destruct (H i Hi) as [Ne _]. congruence. }
  assert (V : exists vec : item -> list Z, forall i, In i its -> In (i, vec i) l).
  { exists (fun i => match find (fun e => if item_dec (fst e) i then true else false) l with Some e => snd e | None => [] end). intros i Hi.
    destruct (combine_all its vectors (eq_sym Li) i Hi) as (e & He & Ee). destruct (find _ l) as [d|] eqn:Fd.
    - apply find_some in Fd. destruct Fd as [Hd Q]. destruct (item_dec (fst d) i) as [<-|]; [now destruct d|discriminate].
    - pose proof (find_none _ _ Fd e He) as Q. cbv beta in Q. destruct (item_dec (fst e) i); [discriminate|contradiction]. }
  destruct V as [vec V]. pose proof (few_vectors item vec (longest_square l) (- nearest_product l) G) as B.
  assert (Z.of_nat (length G) <= 1 + longest_square l / - nearest_product l)%Z; [|lia]. apply B; [lia| | |].
  - clear. induction l as [|e l IH]; simpl; unfold longest_square in *; lia.
  - apply Forall_forall. intros i Hi. exact (longest_spec l (i, vec i) (V i (I i Hi))).
  - clear B Len. induction P as [|i G H _ IH]; [constructor|]. assert (IG : incl G its) by (intros j Hj; apply I; now right).
    constructor; [|now apply IH]. rewrite Forall_forall in *. intros j Hj. destruct (H j Hj) as (Ne & X & Y). rewrite Z.opp_involutive.
    destruct (FOP_any _ _ (nearest_spec l) (i, vec i) (j, vec j) (V i (I i (or_introl eq_refl))) (V j (IG j Hj))) as [Q|[[Q|Q]|[Q|Q]]]; cbn [fst snd] in Q.
    + injection Q as -> _. congruence.
    + congruence.
    + exact Q.
    + congruence.
    + now rewrite dot_symmetric.
Qed.
