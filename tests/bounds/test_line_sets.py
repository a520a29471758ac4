"""Covers by sets of rectangles for lines: the search, its proofs, the solver beside it, and why a bracket is open."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.bounds import brackets_of, cover_number
from ccsim.bounds.limited import Beside
from ccsim.bounds.rectangles.closed import Rectangle
from ccsim.bounds.rectangles.covering import Sides
from ccsim.bounds.rectangles.line_sets import covers_by_line_sets
from ccsim.certificates import verify
from ccsim.certificates.certificate import claim_parameters
from ccsim.certificates.verify import Refused, TooLarge, check
from ccsim.matrices import CommunicationMatrix
from tests.bounds.rectangle_oracles import fewest
from tests.slow import slow
from tests.speed import patient

MATRICES = st.integers(1, 5).flatmap(
    lambda columns: st.lists(st.lists(st.integers(-1, 1), min_size=columns, max_size=columns), min_size=1, max_size=5)
)


def cycle(n):
    """Zeros at j = i and j = i + 1 modulo n."""
    rows = np.arange(n)
    table = np.ones((n, n), dtype=int)
    table[rows, rows] = table[rows, (rows + 1) % n] = 0
    return CommunicationMatrix.from_array(table)


def masks(table):
    own, other = ([sum(1 << c for c, cell in enumerate(row) if cell == code) for row in table] for code in (1, 0))
    return own, other, len(table[0])


def covers(table, cover):
    """Whether rectangles are of the answer 1 and contain all its cells."""
    inside = [set(Rectangle(*pair).cells()) for pair in cover]
    ones = {(r, c) for r, row in enumerate(table) for c, cell in enumerate(row) if cell == 1}
    zeros = {(r, c) for r, row in enumerate(table) for c, cell in enumerate(row) if cell == 0}
    return ones <= set().union(*inside) and not any(cells & zeros for cells in inside)


@settings(max_examples=60, deadline=None)
@given(MATRICES)
def test_line_sets_find_the_cover_number_and_prove_it(table):
    least = fewest(table, 1, False)
    for budget in range(least + 1):
        found = [cover for cover in covers_by_line_sets(*masks(table), budget) if cover is not None]
        assert bool(found) == (budget == least)
        assert all(covers(table, [(one.rows, one.columns) for one in cover]) for cover in found)
        witness = {"kind": "line-sets", "budget": budget}
        if budget < least:
            assert check(table, "cover", "lower", {"code": 1}, witness) == budget + 1
        else:
            with pytest.raises(Refused):
                check(table, "cover", "lower", {"code": 1}, witness)


@pytest.mark.parametrize(("n", "value"), [(5, 5), (8, 6), (9, 6), (10, 7), slow(13, 7), slow(16, 7)])
def test_cycles_are_exact_and_proved(n, value):
    """On 10 to 16 lines the other methods stopped at 6, with their time unspent."""
    matrix = cycle(n)
    found = cover_number(matrix, 1)
    assert (found.lower, found.upper) == (value, value)
    for side, witness in (("lower", found.lower_witness), ("upper", found.upper_witness)):
        assert check(matrix.codes.tolist(), "cover", side, claim_parameters(found), witness) == value


@pytest.mark.slow
def test_a_proof_of_a_large_cycle_is_checked_at_once():
    assert check(cycle(40).codes.tolist(), "cover", "lower", {"code": 1}, {"kind": "line-sets", "budget": 6}) == 7


def test_a_search_that_is_too_long_for_the_checker_is_refused(monkeypatch):
    monkeypatch.setattr(verify.matrices, "MOST_WORK", 1 << 24)
    table = np.random.default_rng(0).integers(0, 2, (40, 40)).tolist()
    with pytest.raises(TooLarge):
        check(table, "cover", "lower", {"code": 1}, {"kind": "line-sets", "budget": 14})


@pytest.mark.parametrize("budget", [-1, 15, "3", None, True, 3.0])
def test_budgets_that_are_none_are_refused(budget):
    with pytest.raises(Refused):
        check([[0, 1], [1, 0]], "cover", "lower", {"code": 1}, {"kind": "line-sets", "budget": budget})


@pytest.mark.parametrize("measure", ["cover", "partition"])
def test_an_open_bracket_says_why(measure):
    table = np.random.default_rng(1).integers(0, 2, (18, 18))
    for bracket in brackets_of(CommunicationMatrix.from_array(table), measure, seconds=1.0):
        assert bracket.exact or "out of time" in bracket.method or "out of reach" in bracket.method


def test_a_method_that_can_go_no_further_says_so(monkeypatch):
    matrix = cycle(10)
    monkeypatch.setattr("ccsim.bounds.rectangles.settling.MOST_LINES", 4)
    monkeypatch.setattr("ccsim.bounds.lrat.MOST_PROOF", 10_000)
    found = cover_number(matrix, 1, time_limit=patient(30))
    assert not found.exact
    assert found.method.endswith("fooling sets and proofs of a SAT solver that are short enough to show")


def test_work_beside_is_heard_while_something_else_is_done():
    def work(tell):
        for number in range(3):
            tell(number)

    heard = []
    with Beside(work, 30.0) as process:
        while not process.done:
            heard += process.news(30.0)
    assert heard == [0, 1, 2]


def test_sides_are_found_with_equal_lines_merged():
    table = np.repeat(np.repeat(cycle(10).codes, 2, axis=0), 3, axis=1)
    found = cover_number(CommunicationMatrix.from_array(table), 1)
    assert (found.lower, found.upper) == (7, 7)
    assert found.lower_witness["kind"] == "submatrix"
    assert check(table.tolist(), "cover", "lower", {"code": 1}, found.lower_witness) == 7
    assert Sides(cycle(10), 1, "cover", None).reason == ""
