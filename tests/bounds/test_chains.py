"""Covers by chains of sets of rectangles: known values, brute force, and what is refused."""

from __future__ import annotations

from contextlib import suppress
from itertools import permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.bounds.rectangles.chains import most_by_chains
from ccsim.certificates.verify import Refused, check
from ccsim.certificates.verify.chains import UNITS, fewest_chains, of_column
from ccsim.matrices import CommunicationMatrix
from tests.bounds.rectangle_oracles import fewest

SPARSE = st.integers(2, 4).flatmap(
    lambda columns: st.lists(
        st.lists(st.sampled_from([0, 1, 1, 1, -1]), min_size=columns, max_size=columns), min_size=2, max_size=5
    )
)


def circulant(n, zeros):
    """Zeros at so many places from the diagonal on, modulo n."""
    rows = np.arange(n)
    table = np.ones((n, n), dtype=int)
    for step in range(zeros):
        table[rows, (rows + step) % n] = 0
    return table.tolist()


def proved(table, lower=0):
    """What chains show, as the checker sees it."""
    witness = most_by_chains(CommunicationMatrix(np.array(table), (0, 1)), 1, lower)
    return check(table, "cover", "lower", {"code": 1}, witness) if witness else lower


@pytest.mark.parametrize("n", [3, 6, 7, 10, 11, 20, 21, 35, 36])
def test_crowns_need_what_bollobas_says(n):
    assert proved(circulant(n, 1)) == next(k for k in range(n + 1) if comb(k, k // 2) >= n)


@pytest.mark.parametrize(
    ("n", "value"), [(4, 4), (5, 5), (7, 5), (8, 6), (12, 6), (13, 7), (23, 7), (24, 8), (40, 8), (41, 9)]
)
def test_cycles_need_so_many(n, value):
    assert proved(circulant(n, 2)) == value


@settings(max_examples=25, deadline=None)
@given(SPARSE)
def test_chains_show_no_more_than_covers_have(table):
    assert proved(table) <= fewest(table, 1, False)


@settings(max_examples=60, deadline=None)
@given(SPARSE, st.integers(0, 5), st.integers(0, 31), st.integers(0, 31))
def test_no_lines_show_more(table, budget, rows, columns):
    witness = {"kind": "chains", "budget": budget, "rows": f"{rows:x}", "columns": f"{columns:x}"}
    with suppress(Refused):
        assert check(table, "cover", "lower", {"code": 1}, witness) <= fewest(table, 1, False)


def test_equal_sets_are_for_lines_that_cross_no_others():
    """One row and one column at each crossing: the row's set may be all that the column has not."""
    assert fewest_chains(2, [[0], [1]]) == 2 * UNITS
    assert fewest_chains(2, [[0, 1], [0]]) > 2 * UNITS
    assert of_column(7, 6, (1, 1)) == (720 + 2 * (144 - 48)) * UNITS  # four rectangles of seven for the rows
    assert fewest_chains(7, [[i, (i + 1) % 24] for i in range(24)]) == 24 * 216 * UNITS


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"budget": 7}, "chains enough"),
        ({"rows": "1", "columns": "1"}, "may nest"),
        ({"columns": "2"}, "may nest"),
        ({"rows": "3", "columns": "27"}, "without another code"),
        ({"rows": "f", "columns": "1c0"}, "without another code"),
        ({"budget": 65}, "an integer from 0 to 64"),
        ({"rows": "3ff"}, "a set of lines"),
    ],
)
def test_other_witnesses_are_refused(change, reason):
    witness = {"kind": "chains", "budget": 5, "rows": "1ff", "columns": "1ff"}
    table = circulant(9, 2)
    assert check(table, "cover", "lower", {"code": 1}, witness) == 6
    with pytest.raises(Refused, match=reason):
        check(table, "cover", "lower", {"code": 1}, {**witness, **change})


@pytest.mark.parametrize("turned", [False, True])
def test_a_line_that_nests_in_no_other_but_has_others_in_it_is_refused(turned):
    table = [*circulant(9, 2), [0, 0, 0, 1, 1, 1, 1, 1, 1]]
    table = np.array(table).T.tolist() if turned else table
    lines = {"rows": "1ff" if turned else "3ff", "columns": "3ff" if turned else "1ff"}
    with pytest.raises(Refused, match="may nest"):
        check(table, "cover", "lower", {"code": 1}, {"kind": "chains", "budget": 5, **lines})


def test_as_many_chains_as_there_are_show_nothing():
    witness = {"kind": "chains", "budget": 3, "rows": "7", "columns": "7"}
    with pytest.raises(Refused, match="chains enough"):
        check(circulant(3, 1), "cover", "lower", {"code": 1}, witness)


@pytest.mark.parametrize("b", range(2, 5))
@pytest.mark.parametrize("degrees", [(2, 2), (1, 3), (3, 3, 3)])
def test_chains_of_a_column_are_counted_as_they_are(b, degrees):
    """All orders of five rectangles are gone through: which have the first b, and which the first s, of them."""
    having = [{frozenset(order[:size]) for size in range(6)} for order in permutations(range(5))]
    sets = [frozenset(range(size)) for size in range(6)]
    shares, rests = [], []
    for degree in degrees:
        counts = [
            (sum(sets[s] in one for one in having), sum({sets[s], sets[b]} <= one for one in having))
            for s in range(1, b)
        ]
        shares.append(min(UNITS * one // degree for one, _ in counts))
        rests.append(min(UNITS * one // degree - UNITS * both for one, both in counts))
    across = UNITS * sum(sets[b] in one for one in having)
    assert of_column(5, b, degrees) == max(sum(shares), across + sum(rests))


def test_free_cells_where_listed_lines_cross_are_refused():
    table = circulant(9, 2)
    table[0][4] = -1
    witness = {"kind": "chains", "budget": 5, "rows": "1ff", "columns": "1ff"}
    with pytest.raises(Refused, match="free cells"):
        check(table, "cover", "lower", {"code": 1}, witness)
