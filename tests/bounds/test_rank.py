"""Rank over finite fields: three eliminations agree, and as many matrices have each rank as is published."""

from __future__ import annotations

import math
from collections import Counter

import flint
import numpy as np
import pytest

from ccsim.bounds.rank import (
    LARGE_PRIME,
    independent_gf2,
    independent_gf3,
    leaf_rank,
    pack_rows,
    rank_modulo,
    rank_witness,
)
from ccsim.engine import draw
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


def test_the_witness_is_nonsingular():
    table = np.random.default_rng(1).integers(0, 2, (30, 40))
    witness = rank_witness(table)
    assert witness.rank == np.linalg.matrix_rank(table)
    assert rank_modulo(table[np.ix_(witness.rows, witness.columns)], witness.prime) == witness.rank


def test_leaf_rank_wants_a_total_matrix():
    with pytest.raises(InputError):
        leaf_rank(CommunicationMatrix.from_array([[0, None]]))


def test_one_party_knows_with_fewer_leaves():
    identity = CommunicationMatrix.from_array(np.eye(8, dtype=int))
    assert [leaf_rank(identity, answer).bits for answer in ("both", "alice", "bob")] == [4, 3, 3]


# OEIS A064230 (Zivkovic 2006) and A286331.
REAL = {4: [1, 225, 6750, 36000, 22560], 5: [1, 961, 118800, 3159750, 17760600, 12514320]}
GF2 = {4: [1, 225, 7350, 37800, 20160]}


def matrices(size, numbers):
    for number in numbers:
        yield np.array([number >> place & 1 for place in range(size * size)]).reshape(size, size)


@pytest.mark.slow
def test_counts_of_all_four_by_four_matrices_by_rational_rank():
    counts = Counter(rank_modulo(table, LARGE_PRIME) for table in matrices(4, range(1 << 16)))
    assert [counts[rank] for rank in range(5)] == REAL[4]


def test_shares_of_five_by_five_matrices_by_rational_rank():
    """4000 matrices from a fixed seed: each share within five standard deviations of the published one."""
    drawn = 4000
    numbers = [draw(1 << 25, 5, "matrix", number) for number in range(drawn)]
    counts = Counter(rank_modulo(table, LARGE_PRIME) for table in matrices(5, numbers))
    for rank, published in enumerate(REAL[5]):
        share = published / 2**25
        spread = math.sqrt(drawn * share * (1 - share))
        assert abs(counts[rank] - drawn * share) <= 5 * spread + 1


def test_counts_of_all_four_by_four_matrices_by_rank_over_two():
    counts = Counter(len(independent_gf2(pack_rows(table))) for table in matrices(4, range(1 << 16)))
    assert [counts[rank] for rank in range(5)] == GF2[4]
