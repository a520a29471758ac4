"""Rank over finite fields: three eliminations agree, and count all small matrices right."""

from __future__ import annotations

from collections import Counter

import flint
import numpy as np
import pytest

from ccsim.bounds.rank import independent_gf2, independent_gf3, leaf_rank, pack_rows, rank_modulo, rank_witness
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix


@pytest.mark.parametrize("seed", range(50))
def test_eliminations_agree(seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 2, rng.integers(1, 12, 2))
    for prime, independent in ((2, independent_gf2), (3, independent_gf3)):
        rows = independent(pack_rows(table))
        wanted = flint.nmod_mat(*table.shape, table.ravel().tolist(), prime).rank()
        assert len(rows) == wanted == rank_modulo(table, prime)
        assert rank_modulo(table[rows], prime) == wanted


def test_all_four_by_four_matrices():
    real, binary = Counter(), Counter()
    for number in range(1 << 16):
        rows = [number >> 4 * place & 15 for place in range(4)]
        binary[len(independent_gf2(rows))] += 1
        if number % 7 == 0:
            table = np.array([[row >> place & 1 for place in range(4)] for row in rows])
            assert rank_witness(table).rank == np.linalg.matrix_rank(table)
            real[rank_witness(table).rank] += 1
    assert [binary[rank] for rank in range(5)] == [1, 225, 7350, 37800, 20160]
    assert sum(real.values()) == 65536 // 7 + 1


def test_the_witness_is_nonsingular():
    table = np.random.default_rng(1).integers(0, 2, (30, 40))
    witness = rank_witness(table)
    assert rank_modulo(table[np.ix_(witness.rows, witness.columns)], witness.prime) == witness.rank


def test_leaf_rank_wants_a_total_matrix():
    with pytest.raises(InputError):
        leaf_rank(CommunicationMatrix.from_array([[0, None]]))


def test_one_party_knows_with_fewer_leaves():
    identity = CommunicationMatrix.from_array(np.eye(8, dtype=int))
    assert [leaf_rank(identity, answer).bits for answer in ("both", "alice", "bob")] == [4, 3, 3]
