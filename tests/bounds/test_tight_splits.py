"""Splits by the ranks of both sides: against all splits, in the search and in the checker, and forged."""

from __future__ import annotations

import numpy as np
import pytest

from ccsim.bounds.rank.over_fields import LARGE_PRIME, rank_modulo
from ccsim.bounds.tree_search import node as node_module
from ccsim.bounds.tree_search import solve_deterministic
from ccsim.bounds.tree_search.cells import Cells
from ccsim.bounds.tree_search.search import Search
from ccsim.bounds.tree_search.tight_split import TightSpace, leaves_to_spare
from ccsim.certificates.verify import Refused, check
from ccsim.certificates.verify.claims import Claim
from ccsim.certificates.verify.matrices import Matrix
from ccsim.certificates.verify.tight_splits import every_tight_split
from ccsim.matrices import CommunicationMatrix
from tests.bounds.test_four_bits import balanced_tree

CLAIM = {"answer": "both", "rounds": None, "first": None}


def proved(table, nodes, claim=CLAIM):
    return check(table, "deterministic", "lower", claim, {"kind": "refutation", "nodes": nodes})


def accepted(table, nodes, claim=CLAIM):
    try:
        proved(table, nodes, claim)
    except Refused:
        return False
    return True


def random_table(seed):
    """Of few dependencies, or of many; of two answers, or of three."""
    rng = np.random.default_rng(seed)
    height, width = rng.integers(2, 8, 2)
    inner, labels = int(rng.integers(1, 7)), 2 + seed % 2
    return rng.integers(0, 2, (height, inner)) @ rng.integers(0, 2, (inner, width)) % labels


def leaves(table):
    return sum(rank_modulo((table == code).astype(int), LARGE_PRIME) for code in range(3))


def splits_by_rank(table, depth):
    """All ways to split the rows, as masks without the first row, after which ranks leave enough leaves."""
    height = len(table)
    for other in range(2, 1 << height, 2):
        own = [bool(other >> row & 1) for row in range(height)]
        if max(leaves(table[own]), leaves(table[np.logical_not(own)])) <= 1 << depth:
            yield other


def proposed(table, depth, cores=()):
    cells = Cells(CommunicationMatrix.from_array(table), "both")
    space = TightSpace(cells, 0, cells.everything[0], cells.everything[1], depth, lambda: None)
    for core in cores:
        space.forbid(core)
    found = []
    while (split := space.propose()) is not None:
        found.append(next(side for side in split if not side & 1))
    return sorted(found), space


@pytest.mark.parametrize("seed", range(24))
def test_all_splits_that_ranks_allow_are_proposed(seed):
    table = random_table(seed)
    for depth in range(4):
        expected = sorted(splits_by_rank(table, depth))
        assert proposed(table, depth)[0] == expected
        core = 0b11 if seed % 3 else 0b10
        free = [other for other in expected if core & other not in (0, core)] if core == 0b11 else []
        assert proposed(table, depth, [core])[0] == free


@pytest.mark.parametrize("seed", range(24))
def test_the_checker_refuses_iff_ranks_allow_a_split(seed):
    table = random_table(seed)
    height, width = table.shape
    sides = [[list(range(height))[::-1], []], [list(range(width)), []]]
    for depth in range(1, 5):
        node = [depth, None, format((1 << height) - 1, "x"), format((1 << width) - 1, "x"), "tight", 7919, *sides]
        free = any(any(splits_by_rank(part, depth - 1)) for part in (table, table.T))
        assert accepted(table.tolist(), [node]) == (not free and len(set(table.ravel().tolist())) > 1)


@pytest.mark.parametrize("party", [0, 1])
def test_sets_of_lines_are_charged_by_how_many_lines_there_are(party):
    """Not by how long a line is: of few columns and many rows, it is sets of rows that take long."""
    spent, table = [], (1 - np.eye(6, dtype=int)).tolist()
    for long in (0, 1000):
        matrix = Matrix(table)
        matrix.long = (0, long) if party == 0 else (long, 0)
        before, node = matrix.left[0], (3, None, (63, 63))
        every_tight_split(Claim(matrix, "deterministic", "lower", CLAIM), [], node, party, 7919, [[*range(6)], []], [])
        spent.append(before - matrix.left[0])
    assert spent[1] - spent[0] >= 2 * 1000


@pytest.fixture
def eager(monkeypatch):
    """At every depth the ranks of both sides are asked, however many leaves are to spare."""
    monkeypatch.setattr(node_module, "FRESH_BELOW", 0)
    monkeypatch.setattr(node_module, "TIGHT", 64)
    monkeypatch.setattr("ccsim.bounds.tree_search.search.FOUR", -1)


@pytest.mark.parametrize("seed", range(20))
def test_the_search_and_the_oracle_agree(eager, oracle, seed):
    table = random_table(seed)[:5, :5]
    found = solve_deterministic(CommunicationMatrix.from_array(table))
    assert found.lower == found.upper == oracle(table.tolist())
    if found.refutation:
        assert proved(table.tolist(), found.refutation["nodes"]) == found.lower


def a_proof_with_cores():
    """Ranks alone do not refute what this needs."""
    table = random_table(39).tolist()
    nodes = solve_deterministic(CommunicationMatrix.from_array(table)).refutation["nodes"]
    assert nodes[-1][4] == "tight"
    assert nodes[-1][6][1]
    assert nodes[-1][7][1]
    return table, nodes


def test_what_is_left_out_of_a_proof_or_spoilt_is_refused(eager):
    table, nodes = a_proof_with_cores()
    assert accepted(table, nodes)
    *before, last = nodes
    prime, rows, columns = last[5:]
    spoilt = [
        [prime, [rows[0], []], columns],
        [prime, rows, [columns[0], []]],
        [prime, [rows[0][1:], rows[1]], columns],
        [prime, [[*rows[0][1:], rows[0][1]], rows[1]], columns],
        [prime, [rows[0], [len(nodes)]], columns],
        [4, rows, columns],
        [2, rows, columns],
        [prime, rows],
    ]
    for data in spoilt:
        assert not accepted(table, [*before, [*last[:5], *data]])
    assert not accepted(table, [*before, [last[0], [2, -1], *last[2:]]], {**CLAIM, "rounds": 2})
    assert not accepted(table, nodes, {**CLAIM, "answer": "alice"})
    assert not accepted([[*row[:-1], -1] for row in table], nodes)


def test_a_core_whose_lines_are_divided_forbids_nothing():
    core = [1, None, "3", "3", "rank", [3, 3]]
    assert proved([[0, 1], [1, 0]], [core]) == 2
    assert not accepted([[0, 1], [1, 0]], [core, [2, None, "3", "3", "tight", 5, [[0, 1], [0]], [[0, 1], [0]]]])


def test_leaves_to_spare():
    cells = Cells(CommunicationMatrix.from_array(np.eye(4, dtype=int)), "both")
    assert leaves_to_spare(cells, *cells.everything, 3) == 8 - 4 - 4
    assert leaves_to_spare(cells, 0b11, 0b11, 3) == 8 - 2 - 2


@pytest.mark.slow
def test_a_tree_of_depth_seven_needs_seven_bits():
    """Ranks say that six bits would need 63 of their 64 leaves."""
    matrix = balanced_tree(19, 7, 36)
    search = Search(Cells(matrix.merge().matrix, "both"))
    assert not search.feasible(*search.cells.everything, 6)
