"""Rank over finite fields: three eliminations agree, and as many matrices have each rank as is published."""

from __future__ import annotations

from collections import Counter

import flint
import numpy as np
import pytest

from ccsim.bounds import brackets_of, main_bracket
from ccsim.bounds import rank as rank_of
from ccsim.bounds.field_ranks import (
    LARGE_PRIME,
    independent_gf2,
    independent_gf3,
    leaf_rank,
    leaf_rank_bracket,
    matrix_rank,
    pack_rows,
    rank_modulo,
    rank_witness,
)
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from tests.bounds.brute_force import checked
from tests.cases import cases


def test_eliminations_agree():
    for seed in range(25):
        rng = np.random.default_rng(seed)
        table = rng.integers(0, 2, rng.integers(1, 12, 2))
        for prime, independent in ((2, independent_gf2), (3, independent_gf3)):
            rows = independent(pack_rows(table))
            wanted = flint.nmod_mat(*table.shape, table.ravel().tolist(), prime).rank()
            assert len(rows) == wanted == rank_modulo(table, prime)
            assert rank_modulo(table[np.ix_(list(rows), list(rows.values()))], prime) == wanted


def test_the_witness_is_nonsingular():
    rng = np.random.default_rng(1)
    few, more = rng.integers(0, 2, (20, 7)), rng.integers(0, 3, (9, 20))
    for table in (rng.integers(0, 2, (30, 40)), few @ more[:7], few @ few.T, more.T @ more):
        witness = rank_witness(table)
        assert len(witness["rows"]) == len(witness["columns"]) == np.linalg.matrix_rank(table)
        assert rank_modulo(table[np.ix_(witness["rows"], witness["columns"])], witness["prime"]) == len(witness["rows"])


def test_ranks_over_the_rationals_alone_are_exact():
    for size in range(3, 9):  # J - I: its determinant is 1 - size or size - 1, and a prime that divides it is no good
        found = rank_of(1 - np.eye(size, dtype=int))
        assert checked(found, CommunicationMatrix.from_array(1 - np.eye(size, dtype=int)))
        assert found.lower == found.upper == size
        assert rank_modulo(1 - np.eye(size, dtype=int), 2) == size - size % 2


def test_leaf_rank_wants_a_total_matrix():
    with pytest.raises(InputError):
        leaf_rank(CommunicationMatrix.from_array([[0, None]]))


def test_one_party_knows_with_fewer_leaves():
    identity = CommunicationMatrix.from_array(np.eye(8, dtype=int))
    assert [leaf_rank(identity, answer).bits for answer in ("both", "alice", "bob")] == [4, 3, 3]


def test_incomplete_ranks_give_as_many_bits():
    rng = np.random.default_rng(3)
    for _ in range(200):
        height, width, labels = rng.integers(1, 8, 3)
        table = rng.integers(0, labels, (height, width)) * rng.integers(0, 2, width)
        matrix = CommunicationMatrix(table, tuple(range(labels)))
        for answer in ("both", "alice"):
            for primes in ((2,), ()):
                complete = leaf_rank(matrix, answer, primes)
                found = leaf_rank(matrix, answer, primes, only_bits=True)
                assert found.bits == complete.bits
                assert all(one <= other for one, other in zip(found.ranks, complete.ranks, strict=True))
                checked(leaf_rank_bracket(matrix, answer, primes), matrix)


def test_a_second_field_is_left_once_it_gives_a_bit_more():
    """Hamming distance at most 3 of ten bits: of each answer 496 over GF(2), and 848 over GF(3)."""
    words = np.arange(1 << 10)
    matrix = CommunicationMatrix.from_array((np.bitwise_count(words[:, None] ^ words) <= 3).astype(np.int8))
    complete, found = leaf_rank(matrix), leaf_rank(matrix, only_bits=True)
    assert found.bits == complete.bits
    assert sum(found.ranks) == (1 << complete.bits - 1) + 1 < sum(complete.ranks)


def test_counts_of_all_matrices_of_size_three_by_rank():
    """OEIS A064230 (Zivkovic 2006) and A286331."""
    tables = [np.array([number >> place & 1 for place in range(9)]).reshape(3, 3) for number in range(1 << 9)]
    real = Counter(rank_modulo(table, LARGE_PRIME) for table in tables)
    over_two = Counter(len(independent_gf2(pack_rows(table))) for table in tables)
    assert [real[rank] for rank in range(4)] == [1, 49, 288, 174]
    assert [over_two[rank] for rank in range(4)] == [1, 49, 294, 168]


@cases(
    ("table", "rank"),
    [
        ([[1, 2, 3], [2, 4, 6], [0, 1, 5]], 2),
        ([[3, -1], [-1, 3]], 2),
        ([[0, 0], [0, 0]], 0),
        ([[10**30, 1], [1, 0]], 2),
    ],
)
def test_the_rank_of_a_matrix_of_whole_numbers(table, rank):
    matrix = CommunicationMatrix.from_array(table, labels=True)
    assert (matrix_rank(matrix).lower, matrix_rank(matrix).upper) == (rank, rank)
    if matrix.labels != (0, 1):
        assert rank_of(matrix).lower == rank
        assert rank_of(matrix, matrix.labels[-1]).measure == "rank"
    if not matrix.is_boolean:
        main = main_bracket("rank", brackets_of(matrix, "rank"))
        assert (main.measure, main.lower, main.upper) == ("matrix-rank", rank, rank)


@cases("table", [[["a", "b"]], [[1, None]]])
def test_other_matrices_have_no_rank(table):
    with pytest.raises(InputError):
        matrix_rank(table)
