(** * The checker: for each kind of witness, the bound that it proves *)
From Coq Require Import List Arith Lia Bool NArith ZArith QArith Qround.
From Ccsim Require Import Specification Trees Lines Elimination Refutation RefutationSound NodesSound TreeWitnesses OneMessage
  FoolingSets VcDimension VcMessages Rectangles CoverWeights Crowns Branching Submatrices Lrat CoverClauses BranchAndCut FoolingSearch Khrapchenko Parts RationalRank CombinedRows EliminatedRank Mixtures MessageCoins Discrepancy DiscrepancyBits RectangleBounds RectangleBits AllRectangles Diagonals DiscrepancyLines NamedTables.
Import ListNotations.
Open Scope N_scope.

Inductive witness :=
| ProtocolTree (p : tree)
| ARefutation (nodes : list node)
| AFoolingSet (cells : list (N * N))
| DifferentLines
| LeafRank (primes : list Z)
| DistinctLines (lines : list N)
| MessageClasses (classes : list N)
| Shattered (places : N)
| VcListing (at_most : N)
| AllPatterns
| SomeRectangles (rectangles : list masks)
| Pivots (prime : Z) (rows columns : N)
| Mixture (trees : list part)
| HardDistribution (bits : nat) (cells : list (N * N * N))
| BitsOf (m : measure) (of : witness)
| AllSets
| ARectangle (rectangle : masks)
| OneDistribution (weights : list (list N)) (of : witness)
| LeaningRectangles (rectangles : list leaning)
| WeightedCells (most : N) (cells : list weighted)
| ACrown (cells : list (N * N))
| MoreMessages (budget : N) (lines : list N)
| Submatrix (rows columns : list N) (of : witness)
| RefutedClauses (size : N) (apart : list (N * N)) (steps : list derivation)
| AFoolingSearch (at_most : N) (cells : list (N * N))
| FoolingOrbits (at_most : N) (cells : list (N * N)) (tree : orbit_tree)
| ByElimination (prime : Z)
| ByCombinations (primes : list Z) (bits : N) (kept : list N) (combinations : list combination)
| KhrapchenkoCells (cells : list (N * N))
| HardForMessages (bits : nat) (cells : list (N * N * N))
| MessageMixture (parts : list message_part)
| CellWeights (own any : list (list Z))
| WeighedRectangles (unit : N) (rectangles : list weighed_rectangle)
| EveryRectangle (rows columns : list N) (size : N) (packs : list N)
| LineWeights (above below : weighed_lines)
| ByBranchAndCut (budget : N) (steps : list case_step)
| Parts (parts : list (N * witness)). (* for each answer that occurs, a witness about it *)

(** The last node is about the whole claim, or about any number of rounds. *)
Definition limit_of (l : option (nat * option party)) : option limit :=
  match l with
  | None => Some None
  | Some (rounds, None) => Some (Some (rounds, None))
  | Some (S more, Some first) => Some (Some (more, Some first))
  | Some (O, Some _) => None
  end.

Definition refuted (t : table) (who : knowing) (l : option (nat * option party)) (nodes : list node) : option N :=
  if regular t then
    if nodes_ok who (codes_of t) (row_lines t) (column_lines t) [] nodes then
      match rev nodes, limit_of l with
      | [], _ => Some 0
      | last :: _, Some claimed => if serves (node_limit last) claimed then Some (N.of_nat (S (bits_refuted last))) else None
      | _, None => None
      end
    else None
  else None.

Definition leaf_rank (t : table) (who : knowing) (primes : list Z) : option N :=
  if regular t
  then leaves_by_rank who (codes_of t) primes (row_lines t) (map fst (pick (full (width t)) (column_lines t))) (full (width t))
  else None.

Definition bits_for (count : N) : N := N.log2_up count.

(** The rectangle and the partition bound need not be natural numbers. *)
Definition fractional (t : table) (m : measure) (s : side) (w : witness) : option Q :=
  match w, m, s with
  | CellWeights own any, RectangleBound code error smooth, Lower => rectangle_by_cells t code error smooth own any
  | CellWeights own any, PartitionBound error, Lower => partition_by_cells t error own any
  | WeighedRectangles unit rectangles, RectangleBound code error smooth, Upper => rectangle_by_weights t code error smooth unit rectangles
  | WeighedRectangles unit rectangles, PartitionBound error, Upper => partition_by_weights t error unit rectangles
  | _, _, _ => None
  end.

Definition bits_of_bound (bound : option Q) : option N := option_map (fun b => bits_for (leaves_for b)) bound.

(** The bound that a witness proves for one side of a measure; all of these are natural numbers. *)
Fixpoint proved (t : table) (m : measure) (s : side) (w : witness) : option N :=
  match w, m, s with
  | ProtocolTree p, Deterministic who l, Upper =>
      if tree_computes who t p then if tree_within l p then Some (N.of_nat (tree_depth p)) else None else None
  | ProtocolTree p, Leaves who, Upper => if tree_computes who t p then Some (N.of_nat (tree_leaves p)) else None
  | ARefutation nodes, Deterministic who l, Lower => refuted t who l nodes
  | LeafRank primes, Leaves who, Lower => leaf_rank t who primes
  | EveryRectangle rows columns size packs, Leaves who, Lower => all_rectangles t who true rows columns size packs
  | EveryRectangle rows columns size packs, Deterministic who _, Lower => all_rectangles t who false rows columns size packs
  | KhrapchenkoCells cells, Leaves Both, Lower => khrapchenko t cells
  | AFoolingSet cells, FoolingSet who code, Lower => fooling_cells t who code cells
  | AFoolingSet cells, Leaves who, Lower => fooling_cells t who None cells
  | AFoolingSet cells, Cover code, Lower => fooling_cells t Both code cells
  | AFoolingSet cells, Partition code, Lower => fooling_cells t Both code cells
  | DifferentLines, FoolingSet who (Some code), Upper => different_lines t code
  | DifferentLines, RankModulo _ code, Upper => different_lines t code
  | DifferentLines, RankRational code, Upper => different_lines t code
  | ByBranchAndCut budget steps, Cover (Some code), Lower => no_cover_by_cases t code budget steps
  | ByBranchAndCut budget steps, Partition (Some code), Lower => no_cover_by_cases t code budget steps
  | AFoolingSearch at_most cells, FoolingSet who code, Upper => fooling_search t who code at_most cells
  | FoolingOrbits at_most cells tree, FoolingSet who code, Upper => fooling_orbits t who code at_most cells tree
  | ByElimination prime, RankModulo prime' code, Upper => if Z.eqb prime prime' then whole_rank t prime code else None
  | ByCombinations primes bits kept combinations, RankRational code, Upper => eliminated t code primes bits kept combinations
  | DistinctLines lines, OneWayMessages sender, Lower => distinct_lines t sender lines
  | MessageClasses classes, OneWayMessages sender, Upper => message_classes t sender classes
  | Shattered places, VcDimension sender, Lower => shattered_places t sender places
  | VcListing at_most, VcDimension sender, Upper => vc_listing t sender at_most
  | SomeRectangles rectangles, Cover (Some code), Upper => covering t code rectangles
  | SomeRectangles rectangles, Partition (Some code), Upper => dividing t code rectangles
  | WeightedCells most cells, Cover (Some code), Lower => cover_weights t code most cells
  | WeightedCells most cells, Partition (Some code), Lower => cover_weights t code most cells
  | ACrown cells, Cover (Some code), Lower => crown t code cells
  | ACrown cells, Partition (Some code), Lower => crown t code cells
  | MoreMessages budget lines, OneWayMessages sender, Lower => more_messages t sender budget lines
  | Submatrix rows columns of, Cover _, Lower | Submatrix rows columns of, Partition _, Lower =>
      match submatrix rows columns t with Some part => proved part m s of | None => None end
  | RefutedClauses size apart steps, Cover (Some code), Lower => no_cover_of t code false size apart steps
  | RefutedClauses size apart steps, Partition (Some code), Lower => no_cover_of t code true size apart steps
  | Pivots prime rows columns, Partition (Some code), Lower => part_rank t prime code rows columns
  | Pivots prime rows columns, RankModulo prime' code, Lower =>
      if Z.eqb prime prime' then part_rank t prime code rows columns else None
  | Pivots prime rows columns, RankRational code, Lower => part_rank t prime code rows columns
  | Mixture trees, Randomised error, Upper =>
      if mixture_succeeds t trees (1 - error) then Some (N.of_nat (deepest trees)) else None
  | HardDistribution bits cells, Randomised error, Lower =>
      match limit_of_success t bits cells with
      | Some (most, whole) =>
          if Qle_bool ((1 - error) * fraction whole) (fraction most) then None else Some (N.of_nat (S bits))
      | None => None
      end
  | MessageMixture parts, OneWayRandomised sender error, Upper =>
      if messages_right t sender parts (1 - error) then Some (bits_for (most_messages parts)) else None
  | HardForMessages bits cells, OneWayRandomised sender error, Lower =>
      match limit_of_messages t sender bits cells with
      | Some (most, whole) =>
          if Qle_bool ((1 - error) * fraction whole) (fraction most) then None else Some (N.of_nat (S bits))
      | None => None
      end
  | BitsOf (Leaves who') of, Deterministic who _, Lower =>
      match who, who' with
      | Both, Both | AliceAlone, AliceAlone | BobAlone, BobAlone => option_map bits_for (proved t (Leaves who') Lower of)
      | _, _ => None
      end
  | BitsOf (OneWayMessages sender') of, OneWay sender, _ =>
      match sender, sender' with
      | alice, alice | bob, bob => option_map bits_for (proved t (OneWayMessages sender') s of)
      | _, _ => None
      end
  | BitsOf (OneWayMessages sender') of, OneWayRandomised sender error, Upper =>
      match sender, sender' with
      | alice, alice | bob, bob =>
          if Qle_bool (1 - error) 1 then option_map bits_for (proved t (OneWayMessages sender') Upper of) else None
      | _, _ => None
      end
  | BitsOf (VcDimension sender') of, OneWayRandomised sender error, Lower =>
      match sender, sender' with
      | alice, alice | bob, bob =>
          match proved t (VcDimension sender') Lower of with Some places => vc_bits error places | None => None end
      | _, _ => None
      end
  | BitsOf (Cover (Some code')) of, Nondeterministic (Some code), _ =>
      if code =? code' then option_map bits_for (proved t (Cover (Some code')) s of) else None
  | BitsOf (RectangleBound code _ smooth) of, Randomised error, Lower => bits_of_bound (fractional t (RectangleBound code error smooth) Lower of)
  | BitsOf (PartitionBound _) of, Randomised error, Lower => bits_of_bound (fractional t (PartitionBound error) Lower of)
  | BitsOf (Discrepancy weights) (LineWeights above below), Randomised error, Lower => option_map bits_for (leaves_by_lines t weights error above below)
  | BitsOf (Discrepancy weights) AllSets, Randomised error, Lower => option_map bits_for (leaves_by_discrepancy t weights error)
  | _, _, _ => None
  end.

(** A claim about all answers, by one about each that occurs; leaves divide the cells of each. *)
Definition part_of (m : measure) (s : side) (code : N) : option measure :=
  match m, s with
  | Leaves Both, Lower => Some (Partition (Some code))
  | FoolingSet who None, Upper => Some (FoolingSet who (Some code))
  | Cover None, _ => Some (Cover (Some code))
  | Partition None, _ => Some (Partition (Some code))
  | _, _ => None
  end.

Fixpoint added (t : table) (m : measure) (s : side) (parts : list (N * witness)) : option N :=
  match parts with
  | [] => match part_of m s 0 with Some _ => Some 0 | None => None end
  | (code, w) :: rest =>
      match part_of m s code, added t m s rest with
      | Some one, Some sum => option_map (N.add sum) (proved t one s w)
      | _, _ => None
      end
  end.

Definition all_answers (t : table) (m : measure) (s : side) (parts : list (N * witness)) : option N :=
  if complete t (map fst parts) then added t m s parts else None.

(** Parts, also inside of what is about a part of the table. *)
Fixpoint proved_together (t : table) (m : measure) (s : side) (w : witness) : option N :=
  match w, m, s with
  | Parts parts, _, _ => all_answers t m s parts
  | Submatrix rows columns of, Cover None, Lower | Submatrix rows columns of, Partition None, Lower =>
      match submatrix rows columns t with Some part => proved_together part m s of | None => None end
  | _, _, _ => proved t m s w
  end.

Definition proved_any (t : table) (m : measure) (s : side) (w : witness) : option N :=
  match w, m, s with
  | BitsOf (Cover None) of, Nondeterministic None, _ => option_map bits_for (proved_together t (Cover None) s of)
  | BitsOf (Leaves Both) (Parts parts), Deterministic Both _, Lower => option_map bits_for (all_answers t (Leaves Both) Lower parts)
  | _, _, _ => proved_together t m s w
  end.

(** Success with public coins is no natural number, and compared at once. *)
Definition success_shown (t : table) (bits : nat) (s : side) (claimed : Q) (w : witness) : bool :=
  match w, s with
  | Mixture trees, Lower => if Nat.leb (deepest trees) bits then mixture_succeeds t trees claimed else false
  | HardDistribution more cells, Upper =>
      if Nat.leb bits more then
        match limit_of_success t more cells with
        | Some (most, whole) => Qle_bool (fraction most) (claimed * fraction whole)
        | None => false
        end
      else false
  | _, _ => false
  end.

Definition message_success_shown (t : table) (sender : party) (bits : nat) (s : side) (claimed : Q) (w : witness) : bool :=
  match w, s with
  | MessageMixture parts, Lower =>
      if most_messages parts <=? 2 ^ N.of_nat bits then messages_right t sender parts claimed else false
  | HardForMessages more cells, Upper =>
      if Nat.leb bits more then
        match limit_of_messages t sender more cells with
        | Some (most, whole) => Qle_bool (fraction most) (claimed * fraction whole)
        | None => false
        end
      else false
  | _, _ => false
  end.

Definition discrepancy_shown (t : table) (weights : list (list N)) (s : side) (claimed : Q) (w : witness) : bool :=
  match w, s with
  | AllSets, Upper => bias_at_most t weights claimed
  | LineWeights above below, Upper => bias_at_most_by t weights claimed above below
  | ARectangle rectangle, Lower => bias_at_least t weights claimed rectangle
  | _, _ => false
  end.

Definition least_discrepancy_shown (t : table) (s : side) (claimed : Q) (w : witness) : bool :=
  match w, s with
  | OneDistribution weights AllSets, Upper => some_bias_at_most t weights claimed
  | OneDistribution weights (LineWeights above below), Upper => some_bias_at_most_by t weights claimed above below
  | LeaningRectangles rectangles, Lower => every_bias_at_least t rectangles claimed
  | _, _ => false
  end.

(** Whether the bound that is proved is as good as the claim. *)
Definition as_good (s : side) (claimed : Q) (bound : option Q) : bool :=
  match bound with
  | Some value => match s with Lower => Qle_bool claimed value | Upper => Qle_bool value claimed end
  | None => false
  end.

Definition accepts (t : table) (m : measure) (s : side) (claimed : Q) (w : witness) : bool :=
  match m with
  | Success bits => success_shown t bits s claimed w
  | OneWaySuccess sender bits => message_success_shown t sender bits s claimed w
  | Discrepancy weights => discrepancy_shown t weights s claimed w
  | LeastDiscrepancy => least_discrepancy_shown t s claimed w
  | RectangleBound _ _ _ | PartitionBound _ => as_good s claimed (fractional t m s w)
  | _ => as_good s claimed (option_map fraction (proved_any t m s w))
  end.

(** The same for a function that is named. Only what its definition alone proves needs no table. *)
Definition accepts_named (f : name) (n : N) (m : measure) (s : side) (claimed : Q) (w : witness) : bool :=
  match w with
  | AllPatterns =>
      match f, m, s with
      | Index, VcDimension alice, Lower => Qle_bool claimed (fraction n)
      | _, _, _ => false
      end
  | BitsOf (VcDimension alice) AllPatterns =>
      match f, m, s with
      | Index, OneWayRandomised alice error, Lower => as_good Lower claimed (option_map fraction (vc_bits error n))
      | _, _, _ => false
      end
  | _ => accepts (table_of_name f n) m s claimed w
  end.
