(** * Sign rank, at least: what signs fit in a line, or in a plane

    In one dimension all rows are equal or opposite; of a partial table, columns have signs that each row shows or
    reverses. In two, order the columns by the angle that their vectors have to the first row's, on its side: where a row
    differs from the first is then an end of that order, or all but an end. *)
From Coq Require Import List Arith Lia Bool NArith Field Orders Mergesort Permutation.
From Ccsim Require Import Specification Lines Factors Fields Minors Products SignBounds.
Import ListNotations.
Open Scope N_scope.

(** How many bits a mask has. *)
Fixpoint ones_in (p : positive) : N :=
  match p with xH => 1 | xO rest => ones_in rest | xI rest => N.succ (ones_in rest) end.
Definition count_bits (n : N) : N := match n with N0 => 0 | Npos p => ones_in p end.

Module BySize <: TotalLeBool.
  Definition t := N.
  Definition leb (a b : N) : bool := count_bits a <=? count_bits b.
  Theorem leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. intros a b. unfold leb. destruct (N.leb_spec (count_bits a) (count_bits b)); [now left|right]. apply N.leb_le. lia. Qed.
End BySize.
Module Sizes := Sort BySize.

Definition comparable (a b : N) : bool := if N.ldiff a b =? 0 then true else N.ldiff b a =? 0.

Fixpoint broken (sets : list N) : bool :=
  match sets with
  | a :: rest => match rest with b :: _ => if comparable a b then broken rest else true | [] => false end
  | [] => false
  end.

(** No chain: neighbours of which none contains the other, as the sets come, or by their sizes. *)
Definition no_chain (sets : list N) : bool := if broken sets then true else broken (Sizes.sort sets).

(** Without the column: the set, or the others. *)
Definition turned_from (whole column : N) (set : N) : N := if N.testbit set column then N.lxor whole set else set.

Definition all_promised (t : table) : bool := forallb (forallb (fun c => match c with Some _ => true | None => false end)) t.

Definition some_promised (t : table) : bool := existsb (existsb (fun c => match c with Some _ => true | None => false end)) t.

(** The columns where a row has the label, and where it has another answer. *)
Definition own_sign (label : N) (c : option N) : option N := option_map (fun a => if a =? label then 1 else 0) c.
Definition sides_of (label : N) (row : list (option N)) : N * N := let signs := map (own_sign label) row in (mask_of 1 signs, mask_of 0 signs).

Definition meets (a b : N) : bool := negb (N.land a b =? 0).
Definition crossed (a b : N * N) : bool := meets (fst a) (snd b) || meets (snd a) (fst b).
Definition turned_round (a : N * N) : N * N := (snd a, fst a).

(** A row together with all sets that it meets, which may be turned round, and the others; none if one disagrees both ways. *)
Fixpoint joined (own : N * N) (sets : list (N * N)) : option (N * N * list (N * N)) :=
  match sets with
  | [] => Some (own, [])
  | set :: rest =>
      let set := if crossed own set then turned_round set else set in
      if crossed own set then None
      else if crossed own (turned_round set) then joined (N.lor (fst own) (fst set), N.lor (snd own) (snd set)) rest
      else match joined own rest with Some (all, apart) => Some (all, set :: apart) | None => None end
  end.

Fixpoint in_a_line (rows sets : list (N * N)) : bool :=
  match rows with
  | [] => true
  | row :: rest => match joined row sets with Some (all, apart) => in_a_line rest (all :: apart) | None => false end
  end.

Definition plane_bound (t : table) (label : N) : option N :=
  if regular t then
    match some_promised t, map (plane label) (row_lines t) with
    | true, first :: rest =>
        if all_promised t then
          let sets := nodup N.eq_dec (map (N.lxor first) rest) in
          let whole := full (width t) in
          if forallb (fun set => (set =? 0) || (set =? whole)) sets then Some 1
          else if forallb (fun column => no_chain (map (turned_from whole column) sets)) (indices (width t)) then Some 3 else Some 2
        else if in_a_line (map (sides_of label) t) [] then Some 1 else Some 2
    | _, _ => Some 0
    end
  else None.

Lemma broken_incomparable sets : broken sets = true -> exists a b, In a sets /\ In b sets /\ comparable a b = false.
Proof.
  induction sets as [|a [|b rest] IH]; cbn [broken]; intros H; try discriminate. destruct (comparable a b) eqn:C.
  - destruct (IH H) as (u & v & U & V & K). exists u, v. simpl in *. tauto.
  - exists a, b. simpl. tauto.
Qed.

Lemma no_chain_incomparable sets : no_chain sets = true -> exists a b, In a sets /\ In b sets /\ comparable a b = false.
Proof.
  unfold no_chain. destruct (broken sets) eqn:B; intros H; [now apply broken_incomparable|].
  destruct (broken_incomparable _ H) as (a & b & A & A' & C). exists a, b.
  pose proof (Permutation_sym (Sizes.Permuted_sort sets)) as P. repeat split; [| |exact C]; eapply Permutation_in; eauto.
Qed.

Lemma not_within a b : N.ldiff a b =? 0 = false -> exists y, N.testbit a y = true /\ N.testbit b y = false.
Proof.
  intros H. apply N.eqb_neq in H. exists (N.log2 (N.ldiff a b)). pose proof (N.bit_log2 _ H) as B. rewrite N.ldiff_spec in B.
  apply andb_true_iff in B. destruct B as [B1 B2]. split; [exact B1|]. now apply negb_true_iff.
Qed.

Lemma incomparable a b : comparable a b = false -> exists y z, N.testbit a y = true /\ N.testbit b y = false /\ N.testbit b z = true /\ N.testbit a z = false.
Proof.
  unfold comparable. destruct (N.ldiff a b =? 0) eqn:A; [discriminate|]. intros B. destruct (not_within _ _ A) as (y & Y1 & Y2), (not_within _ _ B) as (z & Z1 & Z2).
  now exists y, z.
Qed.

Section Plane.
Variable F : ordered_field.
Add Field numbers_of_the_plane : (field_laws F).
Local Open Scope field_scope.

Lemma product_sign (a b : F) : a <> 0 -> b <> 0 -> (0 < a * b <-> (0 < a <-> 0 < b)).
Proof.
  intros A B. destruct (total_order F 0 a) as [P|[P|P]]; [|congruence|]; (destruct (total_order F 0 b) as [Q|[Q|Q]]; [|congruence|]).
  - split; [tauto|]. intros _. now apply order_of_products.
  - pose proof (opposite_back F _ (order_of_products F _ _ P (opposite F _ Q))) as K. replace (- (a * - b)) with (a * b) in K by ring.
    split; intros H; exfalso; [exact (signs_exclude F _ H K)|]. apply (signs_exclude F b); tauto.
  - pose proof (opposite_back F _ (order_of_products F _ _ (opposite F _ P) Q)) as K. replace (- (- a * b)) with (a * b) in K by ring.
    split; intros H; exfalso; [exact (signs_exclude F _ H K)|]. apply (signs_exclude F a); tauto.
  - pose proof (order_of_products F _ _ (opposite F _ P) (opposite F _ Q)) as K. replace (- a * - b) with (a * b) in K by ring.
    split; [intros _|tauto]. split; intros H; exfalso; [exact (signs_exclude F _ H P)|exact (signs_exclude F _ H Q)].
Qed.

Lemma one_line (a b t : F) : 0 < a * b + 0 * 0 + (0 * b - a * 0) * t <-> 0 < a * b.
Proof. replace (a * b + 0 * 0 + (0 * b - a * 0) * t) with (a * b) by ring. tauto. Qed.

Lemma no_product_before (a b c : F) : a * b + 0 * c = a * b.
Proof. ring. Qed.

Lemma product_not_zero (a b : F) : a <> 0 -> b <> 0 -> a * b <> 0.
Proof. intros A B E. exact (B (product_zero F a b A E)). Qed.

(** The least of finitely many numbers. *)
Lemma least_of (u : N -> F) n : exists z, (z < N.of_nat (S n))%N /\ forall y, (y < N.of_nat (S n))%N -> at_most F (u z) (u y).
Proof.
  induction n as [|n (z & Z & H)].
  - exists 0%N. split; [lia|]. intros y Y. replace y with 0%N by lia. now right.
  - assert (D : at_most F (u z) (u (N.of_nat (S n))) \/ at_most F (u (N.of_nat (S n))) (u z)).
    { destruct (total_order F (u z) (u (N.of_nat (S n)))) as [K|[K|K]]; [left; now left|left; now right|right; now left]. }
    destruct D as [D|D].
    + exists z. split; [lia|]. intros y Y. destruct (N.eq_dec y (N.of_nat (S n))) as [->|]; [exact D|apply H; lia].
    + exists (N.of_nat (S n)). split; [lia|]. intros y Y. destruct (N.eq_dec y (N.of_nat (S n))) as [->|]; [now right|].
      assert (K : at_most F (u z) (u y)) by (apply H; lia). destruct D as [D|D], K as [K|K].
      * left. exact (transitive_order F _ _ _ D K).
      * left. now rewrite <- K.
      * left. now rewrite D.
      * right. congruence.
Qed.

(** A number that grows from p to q along a line, and is below 0 at q, but not at p, is below 0 further on. *)
Lemma further (alpha beta p q r : F) : at_most F p q -> at_most F q r ->
  0 < alpha + beta * p -> alpha + beta * q < 0 -> alpha + beta * r < 0.
Proof.
  intros [P|<-] Q A B; [|exfalso; exact (signs_exclude F _ A B)].
  assert (Beta : beta < 0).
  { destruct (total_order F 0 beta) as [K|[K|K]]; [| |exact K]; exfalso.
    - apply difference in P. pose proof (above_sum F _ _ A (order_of_products F _ _ K P)) as H.
      replace (alpha + beta * p + beta * (q - p)) with (alpha + beta * q) in H by ring. exact (signs_exclude F _ H B).
    - rewrite <- K in *. replace (alpha + 0 * p) with (alpha + 0 * q) in A by ring. exact (signs_exclude F _ A B). }
  destruct Q as [Q|<-]; [|exact B]. apply difference in Q. pose proof (order_of_products F _ _ (opposite F _ Beta) Q) as H.
  pose proof (above_sum F _ _ (opposite F _ B) H) as K. replace (- (alpha + beta * q) + - beta * (r - q)) with (- (alpha + beta * r)) in K by ring.
  apply opposite_back in K. now replace (- - (alpha + beta * r)) with (alpha + beta * r) in K by ring.
Qed.

Lemma further_any (alpha beta p q r : F) : at_most F p q -> at_most F q r -> alpha + beta * p <> 0 -> alpha + beta * q <> 0 -> alpha + beta * r <> 0 ->
  ~ (0 < alpha + beta * p <-> 0 < alpha + beta * q) -> ~ (0 < alpha + beta * p <-> 0 < alpha + beta * r).
Proof.
  intros P Q Np Nq Nr H. destruct (total_order F 0 (alpha + beta * p)) as [A|[A|A]]; [|congruence|].
  - destruct (total_order F 0 (alpha + beta * q)) as [B|[B|B]]; [tauto|congruence|]. pose proof (further _ _ _ _ _ P Q A B) as K.
    intros E. apply (signs_exclude F _ (proj1 E A) K).
  - destruct (total_order F 0 (alpha + beta * q)) as [B|[B|B]]; [|congruence|exfalso; apply H; split; intros X; exfalso; eauto using signs_exclude].
    assert (A' : 0 < - alpha + - beta * p) by (replace (- alpha + - beta * p) with (- (alpha + beta * p)) by ring; now apply opposite).
    assert (B' : - alpha + - beta * q < 0) by (replace (- alpha + - beta * q) with (- (alpha + beta * q)) by ring; now apply opposite_back).
    pose proof (opposite F _ (further _ _ _ _ _ P Q A' B')) as K. replace (- (- alpha + - beta * r)) with (alpha + beta * r) in K by ring.
    intros E. exact (signs_exclude F _ (proj2 E K) A).
Qed.

(** *** In two dimensions *)
Section Two.
Variables a b c d : N -> F.
Variables height wide : nat.
Variable bit : N -> N -> bool.
Definition sum_of_two (x y : N) : F := a x * c y + b x * d y.
Hypothesis signs : forall x y, (N.to_nat x < height)%nat -> (N.to_nat y < wide)%nat ->
  if bit x y then 0 < sum_of_two x y else sum_of_two x y < 0.
Hypothesis some_row : (0 < height)%nat.

Lemma not_zero x y : (N.to_nat x < height)%nat -> (N.to_nat y < wide)%nat -> sum_of_two x y <> 0.
Proof. intros X Y E. pose proof (signs x y X Y) as S. rewrite E in S. destruct (bit x y); exact (strict_order F _ S). Qed.

Lemma bit_above x y : (N.to_nat x < height)%nat -> (N.to_nat y < wide)%nat -> (bit x y = true <-> 0 < sum_of_two x y).
Proof.
  intros X Y. pose proof (signs x y X Y) as S. destruct (bit x y); [tauto|]. split; [discriminate|]. intros P. exfalso. exact (signs_exclude F _ P S).
Qed.

Definition turn (y : N) : F := (a 0%N * d y - b 0%N * c y) * inverse (sum_of_two 0%N y).

(** The row's sum, divided by the first row's, times a positive number, is linear in the turn. *)
Lemma linear x y : (N.to_nat x < height)%nat -> (N.to_nat y < wide)%nat ->
  (bit x y = bit 0 y <-> 0 < (a x * a 0%N + b x * b 0%N) + (b x * a 0%N - a x * b 0%N) * turn y) /\
  (a x * a 0%N + b x * b 0%N) + (b x * a 0%N - a x * b 0%N) * turn y <> 0.
Proof.
  intros X Y. assert (O : (N.to_nat 0 < height)%nat) by exact some_row. pose proof (not_zero 0%N y O Y) as N0. pose proof (not_zero x y X Y) as Nx.
  set (norm := a 0%N * a 0%N + b 0%N * b 0%N).
  assert (E : (a x * a 0%N + b x * b 0%N) + (b x * a 0%N - a x * b 0%N) * turn y = (norm * inverse (sum_of_two 0%N y * sum_of_two 0%N y)) * (sum_of_two x y * sum_of_two 0%N y)).
  { unfold turn, norm. unfold sum_of_two in *. field. exact N0. }
  assert (Square : forall u : F, u <> 0 -> 0 < u * u) by (intros u U; apply product_sign; tauto).
  assert (Norm : 0 < norm).
  { unfold norm. destruct (is_zero F (a 0%N)) as [A|A], (is_zero F (b 0%N)) as [B|B].
    - exfalso. apply N0. unfold sum_of_two. rewrite A, B. ring.
    - rewrite A. replace (0 * 0 + b 0%N * b 0%N) with (b 0%N * b 0%N) by ring. now apply Square.
    - rewrite B. replace (a 0%N * a 0%N + 0 * 0) with (a 0%N * a 0%N) by ring. now apply Square.
    - apply above_sum; now apply Square. }
  assert (P : 0 < norm * inverse (sum_of_two 0%N y * sum_of_two 0%N y)) by (apply order_of_products; [exact Norm|now apply inverse_above, Square]).
  assert (NP : norm * inverse (sum_of_two 0%N y * sum_of_two 0%N y) <> 0) by (intros Z; rewrite Z in P; exact (strict_order F _ P)).
  pose proof (product_not_zero _ _ Nx N0) as Ns. rewrite E. split; [|now apply product_not_zero].
  rewrite (product_sign _ _ NP Ns), (product_sign _ _ Nx N0), <- (bit_above x y X Y), <- (bit_above 0%N y O Y).
  split; intros H; [rewrite H; tauto|]. destruct H as [H _]. specialize (H P). destruct H as [H1 H2].
  destruct (bit x y), (bit 0 y); try reflexivity; [discriminate (H1 eq_refl)|discriminate (H2 eq_refl)].
Qed.

(** Where the answer to the question "as in the first row" is another one than at a column. *)
Definition other_than (z x y : N) : Prop := ~ (bit x z = bit 0 z <-> bit x y = bit 0 y).

Lemma ends_of_an_order : (0 < wide)%nat -> exists z, (N.to_nat z < wide)%nat /\ forall x x' y y',
  (N.to_nat x < height)%nat -> (N.to_nat x' < height)%nat -> (N.to_nat y < wide)%nat -> (N.to_nat y' < wide)%nat ->
  other_than z x y -> other_than z x' y' -> other_than z x y' \/ other_than z x' y.
Proof.
  intros W. destruct wide as [|n] eqn:Wide; [lia|]. destruct (least_of turn n) as (z & Z & Least). rewrite <- Wide in *. exists z. split; [lia|].
  intros x x' y y' X X' Y Y' D D'.
  assert (K : forall u v w, (N.to_nat u < height)%nat -> (N.to_nat v < wide)%nat -> (N.to_nat w < wide)%nat -> at_most F (turn v) (turn w) -> other_than z u v -> other_than z u w).
  { intros u v w U V V' Le Dv. assert (Zw : (N.to_nat z < wide)%nat) by lia. destruct (linear u z U Zw) as [Ez Nz], (linear u v U V) as [Ev Nv], (linear u w U V') as [Ew Nw].
    unfold other_than in *. rewrite Ez, Ew. rewrite Ez, Ev in Dv. apply (further_any _ _ (turn z) (turn v) (turn w)); try assumption. apply Least. lia. }
  destruct (total_order F (turn y) (turn y')) as [L|[L|L]].
  - left. apply (K x y y'); auto. now left.
  - left. apply (K x y y'); auto. now right.
  - right. apply (K x' y' y); auto. now left.
Qed.
End Two.

(** Few terms as two. *)
Lemma two_terms (terms : product_terms F) : (length terms <= 2)%nat ->
  exists a b c d : N -> F, (forall x y, sum_of_factors F terms x y = sum_of_two a b c d x y) /\ ((length terms <= 1)%nat -> forall x, b x = 0).
Proof.
  unfold sum_of_factors, sum_of_two. destruct terms as [|[u v] [|[w z] [|? ?]]]; simpl; intros L; try lia.
  - exists (fun _ => 0), (fun _ => 0), (fun _ => 0), (fun _ => 0). split; [intros; ring|auto].
  - exists u, (fun _ => 0), v, (fun _ => 0). split; [intros; ring|auto].
  - exists u, w, v, z. split; [intros; ring|lia].
Qed.
End Plane.

Lemma all_promised_spec t x y : regular t = true -> all_promised t = true -> (N.to_nat x < length t)%nat -> (N.to_nat y < width t)%nat -> cell t x y <> None.
Proof.
  intros R H X Y. unfold cell. destruct (nth_error t (N.to_nat x)) as [line|] eqn:T; [|apply nth_error_None in T; lia].
  pose proof (nth_error_In _ _ T) as I. unfold all_promised in H. rewrite forallb_forall in H. specialize (H line I). rewrite forallb_forall in H.
  pose proof (regular_spec t R) as W. rewrite Forall_forall in W. specialize (W line I).
  destruct (nth_error line (N.to_nat y)) as [c|] eqn:L; [|apply nth_error_None in L; lia]. specialize (H c (nth_error_In _ _ L)). destruct c; [congruence|discriminate].
Qed.

Lemma row_lines_nth ks t : forall start x l, nth_error (lines_from ks start t) x = Some l -> fst l = (start + N.of_nat x)%N /\ (x < length t)%nat.
Proof.
  induction t as [|row t IH]; intros start [|x] l H; simpl in H; try discriminate.
  - injection H as <-. simpl. split; [lia|lia].
  - destruct (IH _ _ _ H) as [E L]. simpl. split; [rewrite E; lia|lia].
Qed.

Lemma some_promised_spec t : some_promised t = true -> exists x y a, cell t x y = Some a.
Proof.
  unfold some_promised. intros H. apply existsb_exists in H. destruct H as (line & L & H). apply existsb_exists in H. destruct H as (c & C & H).
  destruct c as [a|]; [|discriminate]. apply In_nth_error in L, C. destruct L as [x X], C as [y Y]. exists (N.of_nat x), (N.of_nat y), a.
  unfold cell. now rewrite !Nat2N.id, X, Y.
Qed.

Section Bound.
Variable F : ordered_field.
Variable t : table.
Variable label : N.
Hypothesis t_regular : regular t = true.
Hypothesis t_total : all_promised t = true.

Definition sign_bit (x y : N) : bool := is_code (cell t x y) label.

Lemma mask_bits m : In m (map (plane label) (row_lines t)) -> exists x, (N.to_nat x < length t)%nat /\ forall y, N.testbit m y = sign_bit x y.
Proof.
  intros H. apply in_map_iff in H. destruct H as (l & <- & Hl). pose proof (row_lines_good t) as G. rewrite Forall_forall in G. exists (fst l).
  apply In_nth_error in Hl. destruct Hl as [x Hx]. destruct (row_lines_nth _ _ _ _ _ Hx) as [E L]. split; [rewrite E; lia|]. intros y.
  apply (G l). eapply nth_error_In; eauto.
Qed.

Lemma first_bits first rest : map (plane label) (row_lines t) = first :: rest -> forall y, N.testbit first y = sign_bit 0 y.
Proof.
  intros H y. destruct (row_lines t) as [|l ls] eqn:E; [discriminate|]. injection H as <- _. pose proof (row_lines_good t) as G. rewrite E in G.
  inversion G as [|? ? Gl _]; subst. unfold row_lines in E. assert (L : nth_error (lines_from (codes_of t) 0 t) 0 = Some l) by now rewrite E.
  destruct (row_lines_nth _ _ _ _ _ L) as [Z _]. pose proof (Gl label y) as K. simpl in Z. now rewrite Z in K.
Qed.

Lemma beyond_width x y : (width t <= N.to_nat y)%nat -> sign_bit x y = false.
Proof.
  intros W. unfold sign_bit. destruct (cell t x y) as [a|] eqn:E; [|reflexivity]. pose proof (promised_column t t_regular x y a E) as B. apply full_spec in B. lia.
Qed.

Lemma full_bit n y : N.testbit (full n) y = Nat.ltb (N.to_nat y) n.
Proof.
  destruct (Nat.ltb_spec (N.to_nat y) n) as [L|L].
  - exact (proj2 (full_spec n y) L).
  - destruct (N.testbit (full n) y) eqn:B; [|reflexivity]. apply full_spec in B. lia.
Qed.

Section Terms.
Variable terms : product_terms F.
Hypothesis terms_right : forall x y a, cell t x y = Some a ->
  if (a =? label)%N then below zero (sum_of_factors F terms x y) else below (sum_of_factors F terms x y) zero.

Lemma terms_signs a b c d : (forall x y, sum_of_factors F terms x y = sum_of_two F a b c d x y) -> forall x y, (N.to_nat x < length t)%nat -> (N.to_nat y < width t)%nat ->
  if sign_bit x y then below zero (sum_of_two F a b c d x y) else below (sum_of_two F a b c d x y) zero.
Proof.
  intros E x y X Y. rewrite <- E. pose proof (all_promised_spec t x y t_regular t_total X Y) as P. unfold sign_bit, is_code.
  destruct (cell t x y) as [v|] eqn:C; [|congruence]. exact (terms_right x y v C).
Qed.

Lemma set_bits first rest set : map (plane label) (row_lines t) = first :: rest -> In set (map (N.lxor first) rest) ->
  exists x, (N.to_nat x < length t)%nat /\ forall y, N.testbit set y = xorb (sign_bit 0 y) (sign_bit x y).
Proof.
  intros H I. apply in_map_iff in I. destruct I as (m & <- & Hm). destruct (mask_bits m) as (x & X & B); [rewrite H; now right|].
  exists x. split; [exact X|]. intros y. now rewrite N.lxor_spec, (first_bits first rest H), B.
Qed.

Lemma one_dimension first rest set : (length terms <= 1)%nat -> map (plane label) (row_lines t) = first :: rest -> In set (map (N.lxor first) rest) ->
  set = 0 \/ set = full (width t).
Proof.
  intros L H I. destruct (set_bits first rest set H I) as (x & X & B). destruct (two_terms F terms) as (a & b & c & d & E & Zb); [lia|]. specialize (Zb L).
  pose proof (terms_signs a b c d E) as S. assert (O : (0 < length t)%nat) by lia.
  assert (Lin : forall y, (N.to_nat y < width t)%nat -> (sign_bit x y = sign_bit 0 y <-> below zero (multiply (a x) (a 0%N)))).
  { intros y Y. destruct (linear F a b c d (length t) (width t) sign_bit S O x y X Y) as [K _]. rewrite K, !Zb.
    apply one_line. }
  assert (Out : forall y, (width t <= N.to_nat y)%nat -> N.testbit set y = false) by (intros y Y; rewrite B, !beyond_width by exact Y; reflexivity).
  destruct (total_order F zero (multiply (a x) (a 0%N))) as [P|P]; [left|right]; apply N.bits_inj; intros y.
  - rewrite N.bits_0. destruct (le_lt_dec (width t) (N.to_nat y)) as [W|W]; [now apply Out|]. rewrite B, (proj2 (Lin y W) P). apply xorb_nilpotent.
  - rewrite full_bit. destruct (Nat.ltb_spec (N.to_nat y) (width t)) as [W|W]; [|now apply Out]. rewrite B.
    assert (Ne : sign_bit x y <> sign_bit 0 y).
    { intros Q. apply (Lin y W) in Q. destruct P as [P|P]; [rewrite <- P in Q; exact (strict_order F _ Q)|exact (signs_exclude F _ Q P)]. }
    destruct (sign_bit x y), (sign_bit 0 y); try reflexivity; congruence.
Qed.

Lemma two_dimensions first rest : (length terms <= 2)%nat -> map (plane label) (row_lines t) = first :: rest -> (0 < width t)%nat -> (0 < length t)%nat ->
  exists column, In column (indices (width t)) /\
    forall u v, In u (map (N.lxor first) rest) -> In v (map (N.lxor first) rest) -> comparable (turned_from (full (width t)) column u) (turned_from (full (width t)) column v) = true.
Proof.
  intros L H W O. destruct (two_terms F terms L) as (a & b & c & d & E & _). pose proof (terms_signs a b c d E) as S.
  destruct (ends_of_an_order F a b c d (length t) (width t) sign_bit S O W) as (z & Z & Ends). exists z. split.
  - unfold indices. apply in_map_iff. exists (N.to_nat z). split; [lia|]. apply in_seq. lia.
  - intros u v U V. destruct (set_bits first rest u H U) as (x & X & Bu), (set_bits first rest v H V) as (x' & X' & Bv).
    destruct (comparable _ _) eqn:C; [reflexivity|exfalso]. destruct (incomparable _ _ C) as (y & y' & Y1 & Y2 & Y3 & Y4).
    assert (Turned : forall set w, (N.to_nat w < length t)%nat -> (forall y, N.testbit set y = xorb (sign_bit 0 y) (sign_bit w y)) -> forall y,
      (N.testbit (turned_from (full (width t)) z set) y = true <-> (N.to_nat y < width t)%nat /\ other_than sign_bit z w y)).
    { intros set w Hw B k. unfold turned_from, other_than. rewrite (B z). assert (Bk : N.testbit set k = xorb (sign_bit 0 k) (sign_bit w k)) by apply B.
      destruct (le_lt_dec (width t) (N.to_nat k)) as [K|K].
      - assert (N.testbit set k = false) as Off by (rewrite Bk, !beyond_width by exact K; reflexivity). split; [|lia]. intros Q. exfalso. revert Q.
        destruct (xorb (sign_bit 0 z) (sign_bit w z)); cbv iota; [rewrite N.lxor_spec, full_bit, Off; destruct (Nat.ltb_spec (N.to_nat k) (width t)); [lia|discriminate]|rewrite Off; discriminate].
      - assert (Fk : N.testbit (full (width t)) k = true) by (rewrite full_bit; now apply Nat.ltb_lt).
        destruct (sign_bit 0 z), (sign_bit w z); cbn [xorb]; rewrite ?N.lxor_spec, ?Fk, Bk; destruct (sign_bit 0 k), (sign_bit w k); cbn [xorb]; 
          (split; [intros Q; first [discriminate Q|split; [exact K|intros [R1 R2]; first [discriminate (R1 eq_refl)|discriminate (R2 eq_refl)]]]|
                   intros [_ Q]; first [reflexivity|exfalso; apply Q; split; congruence]]). }
    pose proof (Turned u x X Bu) as Tu. pose proof (Turned v x' X' Bv) as Tv.
    apply Tu in Y1. apply Tv in Y3. destruct Y1 as [Yw Y1], Y3 as [Yw' Y3].
    destruct (Ends x x' y y' X X' Yw Yw' Y1 Y3) as [D|D].
    + assert (N.testbit (turned_from (full (width t)) z u) y' = true) by (apply Tu; now split). congruence.
    + assert (N.testbit (turned_from (full (width t)) z v) y = true) by (apply Tv; now split). congruence.
Qed.
End Terms.
End Bound.

(** *** In one dimension, where entries may be undefined *)
Section Line.
Variable F : ordered_field.
Add Field numbers_of_the_line : (field_laws F).
Local Open Scope field_scope.
Variables u v : N -> F.

Definition agrees (s : bool) (set : N * N) : Prop := forall y,
  (N.testbit (fst set) y = true -> has_sign F s (v y)) /\ (N.testbit (snd set) y = true -> has_sign F (negb s) (v y)).

Lemma one_sign s s' a : has_sign F s a -> has_sign F s' a -> s = s'.
Proof. destruct s, s'; simpl; intros H K; try reflexivity; exfalso; eauto using signs_exclude. Qed.

Lemma agrees_turned s set : agrees s set -> agrees (negb s) (turned_round set).
Proof. intros H y. destruct (H y) as [P M]. simpl. rewrite negb_involutive. tauto. Qed.

Lemma meets_spec a b : meets a b = true -> exists y, N.testbit a y = true /\ N.testbit b y = true.
Proof.
  unfold meets. intros H. apply negb_true_iff, N.eqb_neq in H. exists (N.log2 (N.land a b)). pose proof (N.bit_log2 _ H) as B.
  rewrite N.land_spec in B. now apply andb_true_iff.
Qed.

Lemma crossed_signs s s' a b : agrees s a -> agrees s' b -> crossed a b = true -> s = negb s'.
Proof.
  intros A B H. apply orb_true_iff in H. destruct H as [H|H]; apply meets_spec in H; destruct H as (y & Ya & Yb); destruct (A y) as [A1 A2], (B y) as [B1 B2].
  - exact (one_sign _ _ _ (A1 Ya) (B2 Yb)).
  - rewrite <- (negb_involutive s). f_equal. exact (one_sign _ _ _ (A2 Ya) (B1 Yb)).
Qed.

Lemma joined_agrees sets : forall s own, agrees s own -> Forall (fun set => exists r, agrees r set) sets ->
  exists all apart, joined own sets = Some (all, apart) /\ agrees s all /\ Forall (fun set => exists r, agrees r set) apart.
Proof.
  induction sets as [|set rest IH]; intros s own A H; cbn [joined]; [now exists own, []|].
  inversion H as [|? ? [r R] Rest]; subst. cbv zeta.
  assert (Turned : exists r', agrees r' (if crossed own set then turned_round set else set) /\ (crossed own set = true -> r' = s)).
  { destruct (crossed own set) eqn:C; [|now exists r]. exists (negb r). split; [now apply agrees_turned|]. intros _. symmetry. exact (crossed_signs _ _ _ _ A R C). }
  destruct Turned as (r' & R' & Same). destruct (crossed own (if crossed own set then turned_round set else set)) eqn:C'.
  { exfalso. destruct (crossed own set) eqn:C; [|congruence]. pose proof (crossed_signs _ _ _ _ A R' C') as K. rewrite (Same eq_refl) in K. now destruct s. }
  set (other := if crossed own set then turned_round set else set) in *. destruct (crossed own (turned_round other)) eqn:M.
  - pose proof (crossed_signs _ _ _ _ A (agrees_turned _ _ R') M) as K. rewrite negb_involutive in K. subst r'. apply IH; [|exact Rest].
    intros y. cbn [fst snd]. rewrite !N.lor_spec, !orb_true_iff. destruct (A y), (R' y). tauto.
  - destruct (IH s own A Rest) as (all & apart & -> & All & Ap). exists all, (other :: apart). split; [reflexivity|]. split; [exact All|]. constructor; [now exists r'|exact Ap].
Qed.

Lemma line_agrees rows : Forall (fun row => exists r, agrees r row) rows -> forall sets, Forall (fun set => exists r, agrees r set) sets -> in_a_line rows sets = true.
Proof.
  induction 1 as [|row rows [s R] _ IH]; intros sets H; cbn [in_a_line]; [reflexivity|].
  destruct (joined_agrees sets s row R H) as (all & apart & -> & All & Ap). apply IH. constructor; [now exists s|exact Ap].
Qed.

Lemma row_agrees (t : table) label x row : nth_error t (N.to_nat x) = Some row ->
  (forall y a, cell t x y = Some a -> if (a =? label)%N then 0 < u x * v y else u x * v y < 0) -> exists r, agrees r (sides_of label row).
Proof.
  intros Row S.
  assert (Side : forall y b, N.testbit (mask_of (if b : bool then 1%N else 0%N) (map (own_sign label) row)) y = true -> has_sign F b (u x * v y)).
  { intros y b B. rewrite mask_of_spec, nth_error_map in B. destruct (nth_error row (N.to_nat y)) as [[a|]|] eqn:E; try discriminate B.
    assert (C : cell t x y = Some a) by (unfold cell; now rewrite Row, E). specialize (S y a C). cbn [option_map own_sign is_code] in B. apply N.eqb_eq in B.
    destruct (a =? label)%N, b; try discriminate B; exact S. }
  destruct (total_order F 0 (u x)) as [P|[P|P]]; [exists true|exists true|exists false]; intros y; (split; intros B; [pose proof (Side y true B) as K|pose proof (Side y false B) as K]); cbn [has_sign negb] in *.
  - destruct (total_order F 0 (v y)) as [Q|[Q|Q]]; [exact Q| |]; exfalso.
    + rewrite <- Q in K. replace (u x * 0) with (0 : F) in K by ring. exact (strict_order F _ K).
    + pose proof (order_of_products F _ _ P (opposite F _ Q)) as L. apply opposite_back in L. replace (- (u x * - v y)) with (u x * v y) in L by ring. exact (signs_exclude F _ K L).
  - destruct (total_order F 0 (v y)) as [Q|[Q|Q]]; [| |exact Q]; exfalso.
    + exact (signs_exclude F _ (order_of_products F _ _ P Q) K).
    + rewrite <- Q in K. replace (u x * 0) with (0 : F) in K by ring. exact (strict_order F _ K).
  - exfalso. rewrite <- P in K. replace (0 * v y) with (0 : F) in K by ring. exact (strict_order F _ K).
  - exfalso. rewrite <- P in K. replace (0 * v y) with (0 : F) in K by ring. exact (strict_order F _ K).
  - destruct (total_order F 0 (v y)) as [Q|[Q|Q]]; [| |exact Q]; exfalso.
    + pose proof (order_of_products F _ _ (opposite F _ P) Q) as L. apply opposite_back in L. replace (- (- u x * v y)) with (u x * v y) in L by ring. exact (signs_exclude F _ K L).
    + rewrite <- Q in K. replace (u x * 0) with (0 : F) in K by ring. exact (strict_order F _ K).
  - destruct (total_order F 0 (v y)) as [Q|[Q|Q]]; [exact Q| |]; exfalso.
    + rewrite <- Q in K. replace (u x * 0) with (0 : F) in K by ring. exact (strict_order F _ K).
    + pose proof (order_of_products F _ _ (opposite F _ P) (opposite F _ Q)) as L. replace (- u x * - v y) with (u x * v y) in L by ring. exact (signs_exclude F _ L K).
Qed.
End Line.

Lemma in_a_line_of_few F t label (terms : product_terms F) : (length terms <= 1)%nat -> (forall x y a, cell t x y = Some a ->
  if (a =? label) then below zero (sum_of_factors F terms x y) else below (sum_of_factors F terms x y) zero) -> in_a_line (map (sides_of label) t) [] = true.
Proof.
  intros L S. destruct (two_terms F terms) as (a & b & c & d & E & Zb); [lia|]. specialize (Zb L). apply (line_agrees F a c); [|constructor].
  apply Forall_map, Forall_forall. intros row Hr. apply In_nth_error in Hr. destruct Hr as [x X]. apply (row_agrees F a c t label (N.of_nat x)); [now rewrite Nat2N.id|].
  intros y e C. specialize (S _ _ _ C). rewrite E in S. unfold sum_of_two in S. rewrite Zb, no_product_before in S. exact S.
Qed.

Theorem plane_bound_sound t label v : plane_bound t label = Some v -> forall F count, sign_rank_at_most F (cell t) label count -> v <= N.of_nat count.
Proof.
  unfold plane_bound. intros H F count (terms & L & S). destruct (regular t) eqn:R; [|discriminate].
  destruct (some_promised t) eqn:Some'; [|injection H as <-; lia].
  destruct (map (plane label) (row_lines t)) as [|first rest] eqn:M; [injection H as <-; lia|].
  assert (Known : exists x y a, cell t x y = Some a) by now apply some_promised_spec.
  destruct Known as (x & y & a & A). assert (One : (1 <= length terms)%nat).
  { destruct terms; [exfalso|simpl; lia]. specialize (S x y a A). unfold sum_of_factors in S. simpl in S. destruct (a =? label); exact (strict_order F _ S). }
  assert (X : (0 < length t)%nat) by (pose proof (promised_row t x y a A) as P; apply full_spec in P; lia).
  assert (W : (0 < width t)%nat) by (pose proof (promised_column t R x y a A) as P; apply full_spec in P; lia).
  destruct (all_promised t) eqn:T.
  2: { destruct (in_a_line _ _) eqn:Line in H; injection H as <-; [lia|]. destruct (le_lt_dec 2 (length terms)) as [|Few]; [lia|exfalso].
       rewrite (in_a_line_of_few F t label terms) in Line; [discriminate|lia|exact S]. }
  cbv zeta in H.
  destruct (forallb _ _) eqn:Line in H; [injection H as <-; lia|].
  assert (Two : (2 <= length terms)%nat).
  { destruct (le_lt_dec 2 (length terms)) as [|Few]; [assumption|exfalso]. assert (K : forallb (fun set => (set =? 0) || (set =? full (width t))) (nodup N.eq_dec (map (N.lxor first) rest)) = true); [|congruence].
    apply forallb_forall. intros set I. apply nodup_In in I. apply orb_true_iff. destruct (one_dimension F t label R T terms S first rest set) as [->| ->]; try assumption; try lia; [left|right]; apply N.eqb_refl. }
  destruct (forallb _ _) eqn:Plane in H; injection H as <-; [|lia].
  destruct (le_lt_dec 3 (length terms)) as [|Few]; [lia|exfalso].
  destruct (two_dimensions F t label R T terms S first rest) as (column & C & K); try assumption; try lia.
  rewrite forallb_forall in Plane. specialize (Plane column C). apply no_chain_incomparable in Plane. destruct Plane as (u & v & U & V & I).
  apply in_map_iff in U, V. destruct U as (u' & <- & U), V as (v' & <- & V). apply nodup_In in U, V. rewrite (K u' v' U V) in I. discriminate.
Qed.
