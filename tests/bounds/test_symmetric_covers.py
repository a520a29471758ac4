"""Covers that a symmetry takes to themselves: they are covers, symmetric, and as small as is known."""

from __future__ import annotations

import numpy as np
import pytest

from ccsim.bounds import cover_number
from ccsim.bounds.rectangles import members
from ccsim.bounds.sat_covers import covers_by_symmetries, cycles_of, invariant_cover, powers
from ccsim.bounds.scheduler import Clock
from ccsim.certificates.certificate import claim_parameters
from ccsim.certificates.verify import check
from ccsim.matrices import CommunicationMatrix
from tests.slow import slow


def cycle(n):
    """Zeros at j = i and j = i + 1 modulo n."""
    rows = np.arange(n)
    table = np.ones((n, n), dtype=int)
    table[rows, rows] = table[rows, (rows + 1) % n] = 0
    return table


def shift(n, step):
    return (tuple((line + step) % n for line in range(n)),) * 2


@pytest.mark.parametrize(("n", "value"), [(13, 7), slow(20, 7)])
def test_cycles_are_exact_and_proved(n, value):
    found = cover_number(CommunicationMatrix(cycle(n), (0, 1)), 1)
    assert (found.lower, found.upper) == (value, value)
    for side, witness in (("lower", found.lower_witness), ("upper", found.upper_witness)):
        assert check(cycle(n).tolist(), "cover", side, claim_parameters(found), witness) == value


@pytest.mark.parametrize("measure", ["cover", "partition"])
def test_what_is_found_is_symmetric(measure):
    """Eight lines, turned by two: the rectangles of the four are one cycle, and those of the two another."""
    table, (rows, columns) = cycle(8).tolist(), shift(8, 2)
    found = invariant_cover(table, 1, (rows, columns), (4, 4), measure, 1000, Clock())
    data = {"kind": "rectangles", "rectangles": [one.as_data() for one in found]}
    assert check(table, measure, "upper", {"code": 1}, data) == len(found) <= 8
    if measure == "partition":  # in covers each has all columns that it may have, and what is not needed is left out
        moved = {
            (frozenset(rows[r] for r in members(one.rows)), frozenset(columns[c] for c in members(one.columns)))
            for one in found
        }
        assert moved == {(frozenset(members(one.rows)), frozenset(members(one.columns))) for one in found}


def test_none_is_found_where_there_is_none():
    """Two rectangles that a turn exchanges have half of the cells each; one that it keeps has all lines or none."""
    table = cycle(8).tolist()
    assert invariant_cover(table, 1, shift(8, 1), (2, 2), "cover", 1000, Clock()) == []
    assert invariant_cover(table, 1, shift(8, 4), (2, 2), "cover", 10_000, Clock()) == []  # 6 are needed


@pytest.mark.parametrize("seed", range(3))
def test_symmetries_that_are_found_keep_every_cell(seed):
    half = np.random.default_rng(seed).integers(-1, 2, (3, 4))
    table = np.block([[half, 1 - half**2], [1 - half**2, half]])
    found = powers(table.tolist(), Clock())
    assert found
    for order, (rows, columns) in found:
        assert (table[np.ix_(rows, columns)] == table).all()
        assert order > 1


def test_the_search_ends_with_its_time():
    assert (
        invariant_cover(cycle(30).tolist(), 1, shift(30, 15), (2, 2, 2, 2), "cover", 10**9, Clock.within(0.0)) is None
    )


def test_no_matrix_without_symmetries_is_tried():
    table = np.triu(np.ones((5, 5), dtype=int)).tolist()
    assert list(covers_by_symmetries(table, 1, lambda: range(3, 5), "cover", Clock())) == []


def test_cycles_divide_the_order():
    assert cycles_of(7, 2) == [(2, 2, 2, 1), (2, 2, 1, 1, 1), (2, 1, 1, 1, 1, 1)]
    assert cycles_of(0, 2) == cycles_of(1, 5) == []
    assert all(sum(one) == 9 and all(8 % length == 0 for length in one) for one in cycles_of(9, 8))
