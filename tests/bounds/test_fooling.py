"""Fooling sets: a largest clique, searches that the checker repeats by rows of cells, and symmetries of matrices."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.bounds import brackets_of
from ccsim.bounds.cliques import degenerate_order, maximum_clique
from ccsim.bounds.fooling_sets import (
    exclusion_graph,
    first_clash,
    grow_fooling_set,
)
from ccsim.bounds.largest_fooling_sets import (
    FoolingSetSearch,
    is_shown,
    largest_by_orbits,
    maximum_fooling_set,
    search_witness,
)
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.symmetries import fixing, orbit, some_symmetries, symmetries
from ccsim.certificates.verify import Refused, TooLarge, check
from ccsim.certificates.verify.claims import Matrix, MatrixClaim
from ccsim.certificates.verify.fooling import SetsAbreast, bits_transposed, byte_halves
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import inner_product
from tests.bounds.brute_force import named
from tests.certificates.truth import TRUTHS
from tests.speed import patient


def test_maximum_is_a_maximum_clique():
    for answer in ["both", "alice", "bob"]:
        for seed in range(10):
            rng = np.random.default_rng(seed)
            codes = rng.integers(-1, 3, (5, 6))
            matrix = CommunicationMatrix(codes, (0, 1, 2))
            for code in (None, 0, 2):
                cells, graph = exclusion_graph(matrix, code, answer)
                other = networkx.Graph()
                other.add_nodes_from(range(len(cells)))
                other.add_edges_from((i, j) for i in range(len(cells)) for j in range(i) if graph[i] >> j & 1)
                wanted = networkx.max_weight_clique(other, weight=None)[1] if cells else 0
                assert maximum_clique(graph, [], Clock())[1] == wanted
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
    found = maximum_fooling_set(CommunicationMatrix.from_array(named("IP", 5)), 1, seconds=0.2)
    assert 13 <= found.lower <= found.upper <= 31


def test_swaps_and_the_checkers_own_search_meet(monkeypatch):
    monkeypatch.setattr("ccsim.bounds.largest_fooling_sets.SWAPS", 500)
    monkeypatch.setattr(FoolingSetSearch, "by_a_look", lambda search: None)
    monkeypatch.setattr("ccsim.bounds.largest_fooling_sets.library", lambda: None)
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


ONES = {"code": 1, "answer": "both"}


def proved(table, most, rows, parameters=ONES):
    witness = {"kind": "fooling-rows", "at_most": most, "rows": rows}
    return check(table, "fooling-set", "upper", parameters, witness)


def accepted(table, most, rows, parameters=ONES):
    try:
        return proved(table, most, rows, parameters) == most
    except TooLarge:
        raise
    except Refused:
        return False


def largest(matrix, code):
    """By going through all sets of cells."""
    cells = exclusion_graph(matrix, code)[0]
    size = 0
    while any(first_clash(matrix, some) is None for some in combinations(cells, size + 1)):
        size += 1
    return size


def test_exactly_what_is_true_is_accepted():
    for seed in range(15):
        rng = np.random.default_rng(seed)
        codes = rng.integers(-1, 3, rng.integers(1, 5, 2))
        matrix, rows = CommunicationMatrix(codes, (0, 1, 2)), rng.permutation(len(codes)).tolist()
        for code in range(3):
            true, claim = largest(matrix, code), {"code": code, "answer": "both"}
            found = [accepted(codes.tolist(), most, rows, claim) for most in range(true + 3)]
            assert found == [False] * true + [True] * 3, seed


@pytest.mark.parametrize("abreast", [1, 7, 64, 1 << 14])
def test_sets_that_go_abreast_are_those_that_go_one_after_the_other(abreast, monkeypatch):
    monkeypatch.setattr("ccsim.certificates.verify.fooling.ABREAST", abreast)
    rng = np.random.default_rng(abreast)
    table = rng.choice([-1, 0, 0, 0, 1, 1, 1], (11, 9)).tolist()
    cells, graph = exclusion_graph(CommunicationMatrix(np.array(table), (0, 1)), 1)
    rows = search_witness(table, graph, cells, by_rows=True)["rows"]
    listed = [[row, column] for row in rows for column in range(9) if table[row][column] == 1]
    for most in range(1, 9):
        plain = {"kind": "fooling-search", "at_most": most, "cells": listed}
        try:
            wanted = check(table, "fooling-set", "upper", ONES, plain) == most
        except Refused:
            wanted = False
        assert accepted(table, most, rows) == wanted


def test_what_is_left_over_of_many_sets_is_what_is_left_over_of_each():
    for seed in range(3):
        rng, order = np.random.default_rng(seed), random.Random(seed)
        table = rng.choice([-1, 0, 0, 0, 1, 1, 1, 2], (10, 8)).tolist()
        rows = rng.permutation(10).tolist()
        search = SetsAbreast(MatrixClaim(Matrix(table), "fooling-set", "upper", ONES), rows)
        every = search.search.every
        sets = [every & order.getrandbits(80) & (order.getrandbits(80) | every * (k % 2)) for k in range(61)]
        for more in range(5):
            found = dict(search.sets(sets, search.unclassed(sets, more)))
            assert found == {cells: rest for cells in sets if (rest := search.search.unclassed(cells, more))}


def test_bits_of_eight_numbers_are_turned():
    rng = random.Random(0)
    eight = [rng.getrandbits(24) for _ in range(8)]
    found = bits_transposed(eight, byte_halves(3))
    bits = [(byte, one, other) for byte in range(3) for one in range(8) for other in range(8)]
    assert all(eight[k] >> 8 * byte + i & 1 == found[i] >> 8 * byte + k & 1 for byte, i, k in bits)
    assert bits_transposed(found, byte_halves(3)) == eight


def test_what_are_not_all_rows_is_refused():
    for rows in [[0, 1], [0, 1, 1], [0, 1, 3], [0, 1, -1], [0, 1, 2, 2], [0, 1, True], "012", None]:
        table = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        assert proved(table, 3, [2, 0, 1]) == 3
        with pytest.raises(Refused):
            proved(table, 3, rows)


def test_it_is_about_one_answer_that_both_know():
    for changed in [{"answer": "alice"}, {"answer": "bob"}, {"code": None}]:
        with pytest.raises(Refused):
            proved([[1, 0], [0, 1]], 2, [0, 1], {**ONES, **changed})


@pytest.mark.parametrize("by_rows", [False, True])
def test_sizes_are_shown_from_the_largest_set_on(by_rows):
    table = (np.random.default_rng(50).random((12, 12)) < 0.5).astype(int).tolist()
    matrix = CommunicationMatrix(np.array(table), (0, 1))
    (cells, graph), largest = exclusion_graph(matrix, 1), maximum_fooling_set(matrix, 1).lower
    witness = search_witness(table, graph, cells, by_rows)
    claims = [(table, "fooling-set", "upper", ONES, {**witness, "at_most": size}) for size in range(12)]
    assert [is_shown(claim, Clock()) for claim in claims] == [size >= largest for size in range(12)]


CROWN = (1 - np.eye(5, dtype=int)).tolist()
CIRCULANTS = st.lists(st.integers(-1, 1), min_size=2, max_size=5).map(
    lambda first: [[first[(column - row) % len(first)] for column in range(len(first))] for row in range(len(first))]
)


@settings(max_examples=20, deadline=None)
@given(CIRCULANTS)
def test_symmetries_prove_what_brute_force_finds(table):
    matrix = CommunicationMatrix(np.array(table), (0, 1))
    cells, graph = exclusion_graph(matrix, 1)
    found, tree = largest_by_orbits(table, cells, graph, [], Clock())
    if tree is None:
        assert len({cell for row in table for cell in row}) > 1 or not cells
        return
    assert len(found) == TRUTHS["fooling-set"](table, 1, "both")
    witness = {"kind": "fooling-orbits", "at_most": len(found), "cells": [*map(list, cells)], "symmetries": tree}
    assert check(table, "fooling-set", "upper", {"code": 1, "answer": "both"}, witness) == len(found)
    if found:
        smaller = {**witness, "at_most": len(found) - 1}
        with pytest.raises(Refused):
            check(table, "fooling-set", "upper", {"code": 1, "answer": "both"}, smaller)


@pytest.mark.parametrize(
    ("table", "count"), [(CROWN, 120), ([[0, 1], [1, 0]], 2), ([[1, 2], [3, 4]], 1), ([[1, 1], [1, 1]], 4)]
)
def test_symmetries_are_those_that_there_are(table, count):
    every = {
        (rows, columns)
        for rows in permutations(range(len(table)))
        for columns in permutations(range(len(table)))
        if all(table[rows[r]][columns[c]] == cell for r, line in enumerate(table) for c, cell in enumerate(line))
    }
    found = some_symmetries(np.array(table), random.Random(1), Clock())
    assert len(every) == count
    assert set(found) <= every
    assert bool(found) == (count > 1)
    listed, identity = symmetries(np.array(table)), (tuple(range(len(table))),) * 2
    assert len(set(listed)) == len(listed)
    assert set(listed) <= every - {identity}
    assert len(listed) == count - 1 or count > 100, "all, unless there are many"


def test_what_fixes_a_point_does():
    generators = [(1, 2, 3, 4, 0), (1, 0, 2, 3, 4)]
    assert sorted(orbit(generators, 2)) == [0, 1, 2, 3, 4]
    fixed = fixing(generators, 2, random.Random(0))
    assert fixed
    assert all(one[2] == 2 and sorted(one) == [0, 1, 2, 3, 4] for one in fixed)


@pytest.mark.parametrize(("code", "value"), [(0, 10), (1, 11)])
def test_inner_product_of_four_bits(code, value):
    found = maximum_fooling_set(inner_product(4), code, seconds=patient(600))
    assert (found.lower, found.upper, found.upper_by) == (value, value, "symmetries")


@pytest.mark.slow
def test_inner_product_of_five_bits_is_exact_and_proved():
    zeros, ones, mixed = brackets_of(inner_product(5), "fooling")
    assert [(one.lower, one.upper) for one in (zeros, ones, mixed)] == [(18, 18), (21, 21), (39, 39)]
    for bracket in (zeros, ones, mixed):
        assert bracket.certificate.verify()


def test_without_time_there_is_no_proof():
    matrix = inner_product(3).matrix
    cells, graph = exclusion_graph(matrix, 0)
    assert largest_by_orbits(matrix.codes.tolist(), cells, graph, [0], Clock(0.0)) == ([0], None)


SPOILED = [
    [[[[0, 1, 2, 3, 4], [1, 0, 2, 3, 4]]], []],
    [[[[0, 0, 2, 3, 4], [0, 0, 2, 3, 4]]], []],
    [[[[0, 1], [0, 1]]], []],
    [[], [None] * 30],
    [[], []],
    [[]],
    [],
    "no tree",
    0,
]


def test_trees_that_prove_nothing_are_refused():
    for tree in SPOILED:
        cells = [[row, column] for row in range(5) for column in range(5) if row != column]
        witness = {"kind": "fooling-orbits", "at_most": 2, "cells": cells, "symmetries": tree}
        with pytest.raises((Refused, LookupError, TypeError)):
            check(CROWN, "fooling-set", "upper", {"code": 1, "answer": "both"}, witness)


def test_what_exchanges_free_cells_and_others_is_no_symmetry():
    witness = {
        "kind": "fooling-orbits",
        "at_most": 2,
        "cells": [[0, 0], [1, 1]],
        "symmetries": [[[[1, 0], [1, 0]]], []],
    }
    claim = ("fooling-set", "upper", {"code": 1, "answer": "both"}, witness)
    assert check([[1, 0], [0, 1]], *claim) == 2
    with pytest.raises(Refused):
        check([[1, -1], [0, 1]], *claim)
