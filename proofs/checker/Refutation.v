(** * Refutations: rectangles that have no protocol of so many bits, one after the other *)
From Coq Require Import List Arith Lia Bool NArith ZArith Znumtheory.
From Ccsim Require Import Specification Trees Span ThreeBits Lines Elimination EliminationModulo2.
From Ccsim Require Export FewBits.
Import ListNotations.
Open Scope N_scope.

Definition sum_lengths {T} (l : list (list T)) : N := fold_right (fun b n => N.of_nat (length b) + n) 0 l.

Fixpoint map2 {S T U} (g : S -> T -> U) (l : list S) (m : list T) : list U :=
  match l, m with a :: l', b :: m' => g a b :: map2 g l' m' | _, _ => [] end.

Definition union (ks : list N) (l : line) : N := fold_right (fun c m => N.lor (plane c l) m) 0 ks.

(** All cells of these lines across [C] are promised. *)
Definition promised (ks : list N) (L : list line) (C : N) : bool :=
  forallb (fun l => N.ldiff C (union ks l) =? 0) L.

(** Bases count together if both must know, and the largest alone otherwise. *)
Definition longest {T} (l : list (list T)) : N := fold_right (fun b n => N.max (N.of_nat (length b)) n) 0 l.

Definition sizes {T} (who : knowing) (l : list (list T)) : N :=
  match who with Both => sum_lengths l | _ => longest l end.

(** Leaves by rank: a prime for each answer. Modulo 2 rows are masks. *)
Definition rank_basis (q : Z) (cols : list N) (c : N) (L : list line) : basis :=
  fold_left (fun b l => extend q b (vector cols (plane c l))) L [].

Definition rank_size (q : Z) (cols : list N) (c : N) (C : N) (L : list line) : nat :=
  if Z.eqb q 2 then length (basis2_of c C L) else length (rank_basis q cols c L).

Definition total_size (who : knowing) (l : list nat) : N :=
  match who with Both => fold_right (fun n s => N.of_nat n + s) 0 l | _ => fold_right (fun n s => N.max (N.of_nat n) s) 0 l end.

Definition leaves_by_rank (who : knowing) (ks : list N) (primes : list Z) (L : list line) (cols : list N) (C : N) : option N :=
  if forallb is_prime primes then
    if promised ks L C then
      Some (total_size who (map2 (fun q c => rank_size q cols c C L) primes (indices (length primes))))
    else None
  else None.

Definition too_many_leaves (who : knowing) (d : nat) (ks : list N) (primes : list Z) (L : list line) (cols : list N) (C : N) : bool :=
  match leaves_by_rank who ks primes L cols C with Some count => N.pow 2 (N.of_nat d) <? count | None => false end.

(** A fooling set: row, column, answer, and where the row has other answers. *)
Definition entry := (N * N * N * N)%type.

Definition others (ks : list N) (a : N) (l : line) : N :=
  fold_right (fun c m => if c =? a then m else N.lor (plane c l) m) 0 ks.

Definition enter (ks : list N) (L : list line) (p : N * N) : option entry :=
  match find (fun l => fst l =? fst p) L with
  | Some l => match find (fun c => N.testbit (plane c l) (snd p)) ks with
              | Some a => Some (fst p, snd p, a, others ks a l)
              | None => None
              end
  | None => None
  end.

(** If both know, cells with different answers exclude each other, too. *)
Definition exclude (who : knowing) (e e' : entry) : bool :=
  match e, e' with
  | (x, y, a, m), (x', y', a', m') =>
      let crossed := if N.testbit m y' then true else N.testbit m' y in
      match who with Both => if a =? a' then crossed else true | _ => crossed end
  end.

Fixpoint all_apart (who : knowing) (l : list entry) : bool :=
  match l with [] => true | e :: rest => if forallb (exclude who e) rest then all_apart who rest else false end.

Fixpoint enter_all (ks : list N) (L : list line) (cells : list (N * N)) : option (list entry) :=
  match cells with
  | [] => Some []
  | p :: rest => match enter ks L p, enter_all ks L rest with Some e, Some es => Some (e :: es) | _, _ => None end
  end.

Definition turn {S T} (p : S * T) : T * S := (snd p, fst p).

(** Told by rows, or by columns if Bob alone must know. *)
Definition are_apart (who : knowing) (ks : list N) (rows cols : list line) (cells : list (N * N)) : bool :=
  match who with
  | BobAlone => match enter_all ks cols (map turn cells) with Some es => all_apart AliceAlone es | None => false end
  | _ => match enter_all ks rows cells with Some es => all_apart who es | None => false end
  end.

Definition is_fooling (who : knowing) (d : nat) (ks : list N) (rows cols : list line) (R C : N) (cells : list (N * N)) : bool :=
  if forallb (fun p => if N.testbit R (fst p) then N.testbit C (snd p) else false) cells then
    if N.pow 2 (N.of_nat d) <? N.of_nat (length cells) then are_apart who ks rows cols cells else false
  else false.

(** A side of a split of some lines: what is put there already, as a mask, with a basis for each prime and answer. *)
Definition laid := (N * list (Z * list basis))%type.
Definition item := (N * list (list Z) * list N)%type. (* a line, a vector for each answer, cores that may end here *)

Definition put (who : knowing) (d : nat) (s : laid) (i : item) : option laid :=
  let '(mask, bases) := s in
  let '(x, vectors, cores) := i in
  let inside := N.setbit mask x in
  if existsb (fun core => N.ldiff core inside =? 0) cores then None
  else
    let longer := map (fun e : Z * list basis => (fst e, map2 (extend (fst e)) (snd e) vectors)) bases in
    if existsb (fun e : Z * list basis => N.pow 2 (N.of_nat d) <? sizes who (snd e)) longer then None
    else Some (inside, longer).

(** Independent lines first, so that ranks grow early; each core where its last line is. This only makes it fast. *)
Fixpoint dependent_last (q : Z) (vectors : line -> list (list Z)) (b : basis) (L : list line) (later : list line) : list line :=
  match L with
  | [] => rev later
  | l :: rest =>
      match rev (vectors l) with
      | v :: _ => let b' := extend q b v in
                  if Nat.eqb (length b') (length b) then dependent_last q vectors b rest (l :: later)
                  else l :: dependent_last q vectors b' rest later
      | [] => l :: dependent_last q vectors b rest later
      end
  end.

Fixpoint with_cores (vectors : line -> list (list Z)) (cores : list N) (L : list line) : N * list item :=
  match L with
  | [] => (0, [])
  | l :: rest =>
      let '(after, items) := with_cores vectors cores rest in
      (N.setbit after (fst l),
       (fst l, vectors l, filter (fun core => if N.testbit core (fst l) then N.land core after =? 0 else false) cores) :: items)
  end.

Definition split_ok (who : knowing) (d : nat) (ks : list N) (primes : list Z) (L : list line) (cols : list N) (C : N)
    (cores : list N) : bool :=
  let vectors (l : line) := match primes with [] => [] | _ => map (fun c => vector cols (plane c l)) ks end in
  let fresh := map (fun q => (q, map (fun _ => []) ks)) primes in
  if forallb is_prime primes then
    if match primes with [] => true | _ => promised ks L C end then
      let order := dependent_last 3 vectors [] L [] in
      let items := snd (with_cores vectors cores order) in
      if forallb (fun l => existsb (fun i : item => fst (fst i) =? fst l) items) L then
        every_split (put who d) (0, fresh) true items
      else false
    else false
  else false.

(** The nodes of a refutation. *)
Definition half := (list Z * list nat * list (N * N))%type. (* primes, earlier nodes, rectangles of the closed form *)

Inductive reason :=
| ByRank (primes : list Z)
| ByFooling (cells : list (N * N))
| ByThree
| ByFour
| BySplits (alice bob : half).

Record node := Refute { bits_refuted : nat; node_limit : limit; rows_mask : N; columns_mask : N; why : reason }.

(** Rectangles refuted before: for protocols of so many bits, within a limit. *)
Definition past := list (nat * limit * N * N).

Definition same_party (p q : option party) : bool :=
  match p, q with None, None | Some alice, Some alice | Some bob, Some bob => true | _, _ => false end.

Definition serves (l l' : limit) : bool :=
  match l, l' with
  | None, _ => true
  | Some (n, p), Some (n', p') => if Nat.eqb n n' then same_party p p' else false
  | _, _ => false
  end.

(** Rectangles inside of which there is no protocol of [d] bits: from earlier nodes, or by the closed form. *)
Definition core_of_node (p : past) (d : nat) (l : limit) (n : nat) : option (N * N) :=
  match nth_error p n with
  | Some (d', l', R, C) => if Nat.leb d d' then if serves l' l then Some (R, C) else None else None
  | None => None
  end.

Fixpoint all_some {T} (l : list (option T)) : option (list T) :=
  match l with
  | [] => Some []
  | Some a :: rest => match all_some rest with Some m => Some (a :: m) | None => None end
  | None :: _ => None
  end.

Definition cores_of (who : knowing) (rows cols : list line) (p : past) (d : nat) (l : limit) (h : half) : option (list (N * N)) :=
  let '(_, numbers, closed) := h in
  match all_some (map (core_of_node p d l) numbers) with
  | Some given =>
      match closed with
      | [] => Some given
      | _ => if Nat.eqb d 3 then
               if forallb (fun rc => three_ok who rows cols (fst rc) (snd rc)) closed then Some (given ++ closed) else None
             else None
      end
  | None => None
  end.

Definition two_answers (ks : list N) (L : list line) (C : N) : bool :=
  match filter (fun c => existsb (fun l => negb (N.land (plane c l) C =? 0)) L) ks with _ :: _ :: _ => true | _ => false end.

(** No leaf is right: two answers, on one line if one party alone must know. *)
Definition no_leaf (who : knowing) (ks : list N) (own across : list line) (R C : N) : bool :=
  match who with
  | Both => two_answers ks own C
  | AliceAlone => existsb (fun l => two_answers ks [l] C) own
  | BobAlone => existsb (fun l => two_answers ks [l] R) across
  end.

Definition inside_mask (side : N * N -> N) (whole : N) (cores : list (N * N)) : bool :=
  forallb (fun rc => N.ldiff (side rc) whole =? 0) cores.

(** Who must know, with the parties exchanged. *)
Definition flip_who (who : knowing) : knowing :=
  match who with Both => Both | AliceAlone => BobAlone | BobAlone => AliceAlone end.

(** One speaker's splits: nothing to see if it may not speak. *)
Definition splits_ok (who : knowing) (d : nat) (l : limit) (p : past) (ks : list N) (rows cols : list line) (R C : N)
    (speaker : party) (h : half) : bool :=
  if may_speak l speaker then
    match cores_of who rows cols p d (after l speaker) h with
    | Some cores =>
        match speaker with
        | alice => if inside_mask snd C cores
                   then split_ok who d ks (fst (fst h)) (pick R rows) (map fst (pick C cols)) C (map fst cores) else false
        | bob => if inside_mask fst R cores
                 then split_ok (flip_who who) d ks (fst (fst h)) (pick C cols) (map fst (pick R rows)) R (map snd cores) else false
        end
    | None => false
    end
  else true.

Definition node_ok (who : knowing) (ks : list N) (rows cols : list line) (p : past) (n : node) : bool :=
  let d := bits_refuted n in
  let R := rows_mask n in
  let C := columns_mask n in
  match why n with
  | ByRank primes => too_many_leaves who d ks primes (pick R rows) (map fst (pick C cols)) C
  | ByFooling cells => is_fooling who d ks rows cols R C cells
  | ByThree => if Nat.eqb d 3 then three_ok who rows cols R C else false
  | ByFour => if Nat.eqb d 4 then four_ok who rows cols R C else false
  | BySplits by_alice by_bob =>
      match d with
      | O => false
      | S e =>
          if no_leaf who ks (pick R rows) (pick C cols) R C then
            if splits_ok who e (node_limit n) p ks rows cols R C alice by_alice
            then splits_ok who e (node_limit n) p ks rows cols R C bob by_bob else false
          else false
      end
  end.

Fixpoint nodes_ok (who : knowing) (ks : list N) (rows cols : list line) (p : past) (ns : list node) : bool :=
  match ns with
  | [] => true
  | n :: rest =>
      if node_ok who ks rows cols p n
      then nodes_ok who ks rows cols (p ++ [(bits_refuted n, node_limit n, rows_mask n, columns_mask n)]) rest else false
  end.
