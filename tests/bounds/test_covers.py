"""Cover and partition numbers: ground truth, brute force, relations, and mutated witnesses."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from math import ceil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from ccsim.bounds import cover_number, maximal_rectangles, nondeterministic, partition_number
from ccsim.bounds.covers import CoverBounds, greedy
from ccsim.bounds.scheduler import Clock
from ccsim.certificates.certificate import claim_parameters
from ccsim.certificates.verify import Refused, check
from ccsim.certificates.verify.claims import Matrix, MatrixClaim
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import equality
from tests.bounds.brute_force import checked, fewest
from tests.certificates.truth import TRUTHS


@pytest.mark.parametrize(("size", "cover"), [(2, 2), (4, 4), (8, 5), (16, 6), (32, 7)])
def test_crown(size, cover):
    bracket = cover_number(CommunicationMatrix.from_array(np.eye(size, dtype=int)), 0)
    assert (bracket.lower, bracket.upper) == (cover, cover)
    bits = nondeterministic(CommunicationMatrix.from_array(np.eye(size, dtype=int)), 0)
    assert (bits.lower, bits.upper) == ((cover - 1).bit_length(),) * 2
    checked(bits, CommunicationMatrix.from_array(np.eye(size, dtype=int)))


def test_all_boolean_matrices_of_size_three():
    """One for each set of rows, in whatever order."""
    counts = Counter()
    every = Counter(tuple(sorted(rows)) for rows in itertools.product(itertools.product((0, 1), repeat=3), repeat=3))
    for rows, times in every.items():
        table = [list(row) for row in rows]
        matrix = CommunicationMatrix(np.array(table), (0, 1))
        cover, partition = cover_number(matrix, 1), partition_number(matrix, 1)
        assert cover.lower == cover.upper == fewest(table, 1, False)
        assert partition.lower == partition.upper == fewest(table, 1, True)
        assert TRUTHS["fooling-set"](table, 1, "both") <= cover.lower <= partition.lower
        counts[int(cover.lower)] += times
    assert [counts[value] for value in range(4)] == [1, 49, 306, 156]  # OEIS A355333


def more_than_the_rank(table):
    """What the search proves of a table, or None if it is refused."""
    try:
        return check(table, "partition", "lower", {"code": 1}, {"kind": "rank-search"})
    except Refused:
        return None


def low_rank(draw):
    """Random 0/1 rows, and some that are a sum of two less a third; then columns likewise."""
    table = [[int(draw.random() < 0.5) for _ in range(4)] for _ in range(3)]
    for most in (6, 6):
        for _ in range(20):
            added = [a + b - c for a, b, c in zip(*draw.sample(table, 3), strict=True)]
            if len(table) < most and set(added) <= {0, 1}:
                table.append(added)
        draw.shuffle(table)
        table = [list(column) for column in zip(*table, strict=True)]
    return table


def test_one_more_than_the_rank_is_proved_iff_no_partition_has_as_many_rectangles():
    tables = (low_rank(random.Random(seed)) for seed in range(90))
    counts = Counter()
    for table in (one for one in tables if sum(map(sum, one)) <= 18):
        rank, least = np.linalg.matrix_rank(np.array(table)), fewest(table, 1, True)
        assert more_than_the_rank(table) == (rank + 1 if least > rank else None)
        counts[bool(least > rank)] += 1
    assert min(counts[True], counts[False]) >= 10


SPLIT_LATE = "11001111 00001100 01000111 01011100 01111001 01011010 11110110 10111110"
FEW_IN_ONES = "010001 111011 110010 101101 101010 100100 000000"


def test_the_first_choice_may_be_wrong_and_rectangles_have_ones_alone():
    """A partition into 8 that is found after others fail; and 4 rectangles that are excluded by zeros in them."""
    late, few = ([list(map(int, row)) for row in text.split()] for text in (SPLIT_LATE, FEW_IN_ONES))
    assert (more_than_the_rank(late), partition_number(late, 1).upper) == (None, 8)
    assert more_than_the_rank(few) == fewest(few, 1, True) == 5


@pytest.mark.slow
def test_all_tables_of_four_rows_and_the_rank():
    for table in itertools.combinations_with_replacement(itertools.product((0, 1), repeat=4), 4):
        rank, least = np.linalg.matrix_rank(np.array(table)), fewest(table, 1, True)
        assert more_than_the_rank([list(row) for row in table]) == (rank + 1 if least > rank else None)


def without_cycles(*lengths):
    """A square of ones but for cycles: rows i and i + 1 of each have a zero in column i."""
    size, first = sum(lengths), 0
    table = np.ones((size, size), dtype=int)
    for length in lengths:
        for place in range(length):
            table[first + place, first + place] = table[first + place, first + (place + 1) % length] = 0
        first += length
    return table


@pytest.mark.parametrize("lengths", [(6,), (4, 4), (3, 6), (4, 6)])
def test_complements_of_cycles_need_more_than_their_rank(lengths):
    table = without_cycles(*lengths)
    few = Matrix(table.tolist(), [700_000, 1 << 24])  # about half as much again as it spends; 2,000,000 without b x = 1
    claim = MatrixClaim(few, "partition", "lower", {"code": 1})
    assert claim.proved({"kind": "rank-search"}) == np.linalg.matrix_rank(table) + 1
    assert more_than_the_rank(np.repeat(table, 2, axis=0).T.tolist()) == np.linalg.matrix_rank(table) + 1


def test_a_partition_number_above_the_rank():
    matrix = CommunicationMatrix.from_array(without_cycles(4, 6))
    bracket = partition_number(matrix, 1)
    assert (bracket.lower, bracket.upper, bracket.lower_witness) == (9, 9, {"kind": "rank-search"})
    checked(bracket, matrix)


def test_random_partial_and_many_valued():
    for seed in range(12):
        rng = np.random.default_rng(seed)
        labels, shape = 2 + seed % 2, (4, 4) if seed < 9 else (5, 4)
        matrix = CommunicationMatrix(rng.integers(-(seed % 3 > 0), labels, size=shape), tuple(range(labels)))
        for label in range(labels):
            for solve, once in ((cover_number, False), (partition_number, True)):
                bracket = solve(matrix, label)
                assert bracket.exact
                assert bracket.lower == fewest(matrix.codes.tolist(), label, once)
                checked(bracket, matrix)


def test_false_claims_are_refused():
    matrix = equality(2).matrix
    table, bracket = matrix.codes.tolist(), cover_number(matrix, 0)
    with pytest.raises(Refused):
        check(table, "cover", "lower", claim_parameters(bracket), bracket.upper_witness)
    with pytest.raises(Refused):
        check(table, "cover", "upper", {"code": 1}, bracket.upper_witness)
    with pytest.raises(Refused):
        check(table, "cover", "upper", {"code": None}, bracket.upper_witness)
    overlapping = {"kind": "rectangles", "rectangles": [["1", "3"], ["2", "3"], ["1", "1"]]}
    with pytest.raises(Refused):
        check([[1, 1], [1, 1]], "partition", "upper", {"code": 1}, overlapping)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(st.integers(-1, 1), min_size=4, max_size=4), min_size=1, max_size=6))
def test_relations(rows):
    matrix = CommunicationMatrix(np.array(rows), (0, 1))
    cover, partition = cover_number(matrix, 1), partition_number(matrix, 1)
    assert TRUTHS["fooling-set"](rows, 1, "both") <= cover.lower <= cover.upper <= partition.upper <= min(matrix.shape)
    swapped = cover_number(matrix.transpose, 1)
    assert (swapped.lower, swapped.upper) == (cover.lower, cover.upper)


@pytest.mark.parametrize("measure", ["cover", "partition"])
def test_functions_of_an_xor_have_few_rectangles_soon(measure):
    """A bit at an address: 32 rectangles are enough, one for each address and its bit; single rows are 64."""
    table = [[(x ^ y) >> (2 + ((x ^ y) & 3)) & 1 for y in range(64)] for x in range(64)]
    bounds = CoverBounds(CommunicationMatrix.from_array(table), 1, measure, Clock())
    bounds.offer_trivial()
    for _ in greedy(bounds):
        pass
    assert bounds.upper <= 36


@pytest.mark.parametrize("measure", ["cover", "partition"])
def test_greedy_rectangles_of_partial_matrices_are_right(measure):
    for seed in range(20):
        codes = np.random.default_rng(seed).integers(-1, 2, (7, 6))
        bounds = CoverBounds(CommunicationMatrix(codes, (0, 1)), 1, measure, Clock())
        for _ in greedy(bounds):  # each is checked
            pass
        assert 0 < bounds.upper <= 7


@pytest.mark.parametrize("seed", range(6))
def test_weights_of_entries_are_those_of_the_linear_program(seed):
    matrix = CommunicationMatrix.from_array(np.random.default_rng(seed).integers(0, 2, (7, 8)))
    rectangles, _ = maximal_rectangles(matrix, 1)
    cells = np.argwhere(matrix.codes == 1).tolist()
    inside = np.array([[float(tuple(cell) in set(one.cells())) for cell in cells] for one in rectangles])
    value = -linprog(-np.ones(len(cells)), A_ub=inside, b_ub=np.ones(len(inside))).fun
    bounds = CoverBounds(matrix, 1, "cover", Clock())
    bounds.fractional(rectangles)
    assert (bounds.lower, bounds.lower_witness["kind"]) == (ceil(value - 1e-6), "cover-weights")


@pytest.mark.parametrize("size", [5, 7, 9])
def test_triangles_have_partitions_into_as_many_rectangles_as_their_rank(size):
    with pytest.raises(Refused):
        check(np.tri(size, dtype=int).tolist(), "partition", "lower", {"code": 1}, {"kind": "rank-search"})
