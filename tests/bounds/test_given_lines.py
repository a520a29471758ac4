"""Sides of which only some lines are known: against all sides, in the search and in the checker, and forged."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from ccsim.bounds.rank.over_fields import rank_modulo
from ccsim.bounds.tree_search import node as node_module
from ccsim.bounds.tree_search import solve_deterministic
from ccsim.bounds.tree_search.cells import Cells
from ccsim.bounds.tree_search.given_lines import Given, dependent_lines, refute_given
from ccsim.bounds.tree_search.search import Search
from ccsim.certificates.verify import Refused
from ccsim.certificates.verify.given_lines import every_side_with
from ccsim.certificates.verify.matrices import Matrix
from ccsim.matrices import CommunicationMatrix
from tests.bounds.test_tight_splits import accepted, proved, random_table


def complexity_of(table):
    """D of a rectangle, by all splits."""

    @cache
    def bits(rows, columns):
        if len({table[row][column] for row in rows for column in columns}) < 2:
            return 0
        return 1 + min(
            max(bits(*one), bits(*other))
            for lines, part in ((rows, lambda half: (half, columns)), (columns, lambda half: (rows, half)))
            for size in range(1, len(lines))
            for half in combinations(lines, size)
            for one, other in [(part(half), part(tuple(line for line in lines if line not in half)))]
        )

    return bits


def is_refuted(table, depth, mask, least, proved, party=0, prime=7):
    matrix = Matrix(table)
    node = (depth, None, ((1 << matrix.height) - 1, (1 << matrix.width) - 1))
    given = [format(mask, "x"), least, list(range(len(proved)))]
    try:
        every_side_with(SimpleNamespace(matrix=matrix, answer="both"), proved, node, party, prime, given)
    except Refused:
        return False
    return True


def sides_of_rank(table, mask, least):
    """All sets of rows with some rows and at least this rank, with the rank."""
    codes = np.unique(table)
    for side in range(1, 1 << len(table)):
        rows = [row for row in range(len(table)) if side >> row & 1]
        rank = sum(rank_modulo((table[rows] == code).astype(int), 7) for code in codes)
        if side & mask == mask and rank >= least:
            yield tuple(rows), rank


def half_proved(table, bits, depth):
    """Rectangles of half the rows that have no protocol of two bits less."""
    rows, columns = range(len(table)), tuple(range(len(table[0])))
    for half in combinations(rows, (len(table) + 1) // 2):
        if bits(half, columns) > depth - 2:
            yield depth - 2, None, (sum(1 << row for row in half), (1 << len(columns)) - 1)


@pytest.mark.parametrize("seed", [21, 43, 53])
def test_no_side_that_is_refuted_has_a_protocol(seed):
    table = random_table(seed)[:5, :5]
    bits, columns, by_more_than_rank = complexity_of(table.tolist()), tuple(range(table.shape[1])), 0
    for depth in (2, 3):
        known = list(half_proved(table, bits, depth))
        for mask in range(1, 1 << len(table)):
            for least in ((1 << depth - 1) - 1, 1 << depth - 1):
                if is_refuted(table.tolist(), depth, mask, least, known):
                    sides = list(sides_of_rank(table, mask, least))
                    assert all(bits(rows, columns) >= depth for rows, _ in sides)
                    by_more_than_rank += any(rank <= 1 << depth - 1 for _, rank in sides)
    assert by_more_than_rank


FEW_LINES = ((0, 0, 0, 0), (0, 0, 2, 1), (2, 1, 1, 2), (2, 1, 1, 1), (2, 0, 2, 2))
MORE_LINES = ((2, 0, 1, 1, 1), (1, 0, 2, 1, 2), (1, 1, 0, 0, 0), (2, 1, 0, 2, 2), (2, 0, 2, 2, 1))


@pytest.mark.parametrize(
    ("table", "depth", "mask", "least"), [(FEW_LINES, 4, 23, 6), (FEW_LINES, 3, 20, 2), (MORE_LINES, 4, 18, 8)]
)
def test_sides_that_have_a_protocol_are_not_refuted(table, depth, mask, least):
    """With the help of all rectangles that have no protocol of two bits less."""
    bits, columns = complexity_of(table), tuple(range(len(table[0])))
    assert any(bits(rows, columns) < depth for rows, _ in sides_of_rank(np.array(table), mask, least))
    parts = [
        [half for size in range(1, count + 1) for half in combinations(range(count), size)]
        for count in (5, len(columns))
    ]
    known = [
        (depth - 2, None, tuple(sum(1 << line for line in lines) for lines in (rows, across)))
        for rows in parts[0]
        for across in parts[1]
        if bits(rows, across) > depth - 2
    ]
    assert not is_refuted([list(row) for row in table], depth, mask, least, known)


@pytest.fixture
def eager(monkeypatch):
    """The ranks of both sides, and given lines, at every depth."""
    monkeypatch.setattr(node_module, "FRESH_BELOW", 0)
    monkeypatch.setattr(node_module, "TIGHT", 64)
    monkeypatch.setattr(node_module, "GIVEN_AFTER", 0)
    monkeypatch.setattr("ccsim.bounds.tree_search.search.FOUR", -1)


def low_rank(seed):
    rng = np.random.default_rng(seed)
    height, width = rng.integers(5, 10, 2)
    inner = int(rng.integers(3, 7))
    return rng.integers(0, 2, (height, inner)) @ rng.integers(0, 2, (inner, width)) % 2


@pytest.mark.parametrize(("seed", "rank"), [(461, 7), (2242, 8)])
def test_a_proof_by_given_lines_is_accepted_and_a_spoilt_one_is_not(eager, seed, rank):
    """Of eight leaves one may be lost, or none."""
    table = low_rank(seed)
    nodes = solve_deterministic(CommunicationMatrix.from_array(table)).refutation["nodes"]
    assert proved(table.tolist(), nodes) == 5
    place, side = next(
        (place, side) for place, node in enumerate(nodes) for side in (6, 7) if node[4] == "given" and node[side][2]
    )
    order, numbers, given = nodes[place][side]
    assert [least for _, least, _ in given] == [rank]
    for spoilt in spoilt_lists(given):
        wrong = [*nodes[place][:side], [order, numbers, *spoilt], *nodes[place][side + 1 :]]
        assert not accepted(table.tolist(), [*nodes[:place], wrong, *nodes[place + 1 :]])


def spoilt_lists(given):
    yield []
    yield [[]]
    for number, (lines, least, cores) in enumerate(given):
        others = [*given[:number], *given[number + 1 :]]
        yield [others]
        for wrong in (
            ["0", least, cores],
            ["1ff", least, cores],
            [lines, 0, cores],
            [lines, least - 2, cores],
            [lines, 9, cores],
            [lines, least, [99]],
            [lines, least],
        ):
            yield [[*others, wrong]]


def bits_of_rows(table, mask):
    rows = [row for row in range(len(table)) if mask >> row & 1]
    return solve_deterministic(CommunicationMatrix.from_array(table[rows])).upper


@pytest.mark.parametrize(("seed", "refuted", "found"), [(8, 13, 2), (454, 0, 4), (2242, 1, 0)])
def test_sides_with_the_lines_of_one_are_refuted_or_one_with_a_protocol_is_found(seed, refuted, found):
    table, outcomes, asked = low_rank(seed), [], set()
    search = Search(Cells(CommunicationMatrix.from_array(table), "both"))
    everything = search.cells.everything
    for side in range(1, 1 << len(table)):
        lines, rank = given = dependent_lines(search.cells, 0, side, everything[1])
        depth = (rank - 1).bit_length()
        if not lines or depth < 2 or given in asked:
            continue
        asked.add(given)
        outcome = refute_given(search, 0, everything, depth, given)
        outcomes.append(outcome)
        if isinstance(outcome, Given):
            assert bits_of_rows(table, side) > depth
        elif outcome:
            assert outcome & lines == lines
            assert bits_of_rows(table, outcome) <= depth
    assert sum(isinstance(outcome, Given) for outcome in outcomes) == refuted
    assert sum(isinstance(outcome, int) and outcome > 0 for outcome in outcomes) == found
