"""Fooling sets: known maxima, an independent clique, and the bound that they give."""

from __future__ import annotations

import networkx
import numpy as np
import pytest

from ccsim.bounds.fooling_sets import degenerate_order, exclusion_graph, first_clash, grow_fooling_set
from ccsim.bounds.largest_fooling_sets import _Search, maximum_fooling_set
from ccsim.certificates.verify import Refused, check
from ccsim.matrices import CommunicationMatrix
from tests.bounds.brute_force import named

KNOWN = {
    "EQ": [(2, 2), (4, 3), (8, 3), (16, 3), (32, 3)],
    "DISJ": [(2, 1), (4, 2), (8, 3), (16, 4), (32, 5)],
    "GT": [(1, 2), (3, 4), (7, 8), (15, 16), (31, 32)],
    "IP": [(1, 2), (3, 3), (7, 7), (11, 10)],
}


@pytest.mark.parametrize(("name", "n"), [(name, n + 1) for name, row in KNOWN.items() for n in range(len(row))])
def test_known_maxima(name, n):
    matrix = CommunicationMatrix.from_array(named(name, n))
    found = [maximum_fooling_set(matrix, code) for code in (1, 0)]
    assert tuple(bracket.lower for bracket in found) == KNOWN[name][n - 1]
    assert all(bracket.exact for bracket in found)


@pytest.mark.parametrize("answer", ["both", "alice", "bob"])
@pytest.mark.parametrize("seed", range(30))
def test_maximum_is_a_maximum_clique(seed, answer):
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, 3, (5, 6))
    matrix = CommunicationMatrix(codes, (0, 1, 2))
    for code in (None, 0, 2):
        cells, graph = exclusion_graph(matrix, code, answer)
        other = networkx.Graph()
        other.add_nodes_from(range(len(cells)))
        other.add_edges_from((i, j) for i in range(len(cells)) for j in range(i) if graph[i] >> j & 1)
        wanted = networkx.max_weight_clique(other, weight=None)[1] if cells else 0
        found = maximum_fooling_set(matrix, code, answer=answer)
        assert (found.lower, found.upper) == (wanted, wanted)
        assert first_clash(matrix, found.cells, answer) is None


def test_two_cells_of_one_rectangle_are_a_clash():
    assert first_clash([[1, 1, 0], [1, 1, 0], [0, 0, 1]], [(2, 2), (0, 0), (1, 1)]) == ((0, 0), (1, 1))


def test_grown_sets_are_fooling_sets_and_repeat():
    matrix = CommunicationMatrix.from_array(np.random.default_rng(3).integers(0, 3, (20, 20)))
    grown = grow_fooling_set(matrix, None, seed=5)
    assert grown == grow_fooling_set(matrix, None, seed=5)
    assert first_clash(matrix, grown) is None


def test_out_of_time_is_a_bracket():
    found = maximum_fooling_set(CommunicationMatrix.from_array(named("IP", 5)), 1, time_limit=0.5)
    assert 15 <= found.lower <= found.upper <= 31


def test_swaps_and_the_checkers_own_search_meet(monkeypatch):
    monkeypatch.setattr("ccsim.bounds.largest_fooling_sets.SWAPS", 500)
    monkeypatch.setattr(_Search, "by_a_look", lambda search: None)
    table = (np.random.default_rng(50).random((14, 14)) < 0.5).astype(int)
    found = maximum_fooling_set(CommunicationMatrix.from_array(table), 1)
    assert (found.lower, found.upper, found.witness["kind"]) == (10, 10, "fooling-rows")
    claim = (table.tolist(), "fooling-set", "upper", {"code": 1, "answer": "both"})
    assert check(*claim, found.witness) == 10
    with pytest.raises(Refused):
        check(*claim, {**found.witness, "at_most": 9})


@pytest.mark.slow
def test_a_long_search_is_followed_within_what_the_checker_spends():
    table = (np.random.default_rng(50).random((28, 28)) < 0.5).astype(int)
    cells, graph = exclusion_graph(CommunicationMatrix.from_array(table), 1)
    ordered = [list(cells[place]) for place in degenerate_order(graph)]
    witness = {"kind": "fooling-search", "at_most": 18, "cells": ordered}
    assert check(table.tolist(), "fooling-set", "upper", {"code": 1, "answer": "both"}, witness) == 18
