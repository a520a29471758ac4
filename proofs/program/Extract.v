(** * The checker as OCaml. Natural numbers become OCaml integers (bits, places, lengths), N and Z Zarith's. *)
From Coq Require Import NArith ZArith QArith List.
From Coq Require Extraction.
From Coq Require Import ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZBigInt.
From Ccsim Require Import Specification Elimination Checker NamedTables Relations RelationChecker Factors DifferentRows SignBounds SignPlane FactorChecker
  Families FamilyChecker.

Extract Inlined Constant N.testbit => "Bits.testbit".
Extract Inlined Constant N.setbit => "Bits.setbit".
Extract Inlined Constant N.land => "Bits.logand".
Extract Inlined Constant N.lor => "Bits.logor".
Extract Inlined Constant N.lxor => "Bits.logxor".
Extract Inlined Constant N.ldiff => "Bits.ldiff".
Extract Inlined Constant N.ones => "Bits.ones".
Extract Inlined Constant N.double => "Bits.double".
Extract Inlined Constant N.succ_double => "Bits.succ_double".
Extract Inlined Constant N.shiftl => "Bits.shift_left".
Extract Inlined Constant N.shiftr => "Bits.shift_right".
Extract Inlined Constant N.eqb => "Bits.equal".
Extract Inlined Constant N.ltb => "Bits.lt".
Extract Inlined Constant N.eq_dec => "Bits.equal".
Extract Inlined Constant N.pow => "Bits.pow".
Extract Inlined Constant N.to_nat => "Bits.to_int".
Extract Inlined Constant N.of_nat => "Bits.of_int".
Extract Inlined Constant N.log2 => "Bits.log2".
Extract Inlined Constant Z.to_nat => "Bits.to_nat".
Extract Inlined Constant Z.modulo => "Bits.modulo".
Extract Inlined Constant Z.sqrt => "Bits.sqrt".
Extract Inlined Constant Z.gcd => "Bits.gcd".
Extract Inlined Constant Z.div => "Bits.div".
Extract Inlined Constant N.add => "Bits.add".
Extract Inlined Constant N.mul => "Bits.mul".
Extract Inlined Constant Z.opp => "Bits.neg".
Extract Inlined Constant Z.add => "Bits.add".
Extract Inlined Constant Z.sub => "Bits.sub".
Extract Inlined Constant Z.mul => "Bits.mul".
Extract Inlined Constant count_bits => "Bits.count_bits".

Extraction "kernel.ml" accepts accepts_named table_of_name is_prime
  accepts_relation accepts_factors number_for support
  accepts_always family_of_name dealt.
