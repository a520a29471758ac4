"""Symmetries of matrices, and largest fooling sets by them: as large as by brute force, and followed by the checker."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.bounds import brackets_of, maximum_fooling_set
from ccsim.bounds.fooling_sets import exclusion_graph
from ccsim.bounds.largest_fooling_sets import largest_by_orbits
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.symmetries import fixing, orbit, some_symmetries, symmetries
from ccsim.certificates.verify import Refused, check
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import inner_product
from tests.certificates.truth import TRUTHS
from tests.speed import patient

CROWN = (1 - np.eye(5, dtype=int)).tolist()
CIRCULANTS = st.lists(st.integers(-1, 1), min_size=2, max_size=5).map(
    lambda first: [[first[(column - row) % len(first)] for column in range(len(first))] for row in range(len(first))]
)


@settings(max_examples=60, deadline=None)
@given(CIRCULANTS)
def test_symmetries_prove_what_brute_force_finds(table):
    matrix = CommunicationMatrix(np.array(table), (0, 1))
    cells, graph = exclusion_graph(matrix, 1)
    found, tree = largest_by_orbits(table, cells, graph, [], None)
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
    found = maximum_fooling_set(inner_product(4), code, time_limit=patient(600))
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
    assert largest_by_orbits(matrix.codes.tolist(), cells, graph, [0], 0.0) == ([0], None)


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


@pytest.mark.parametrize("tree", SPOILED)
def test_trees_that_prove_nothing_are_refused(tree):
    cells = [[row, column] for row in range(5) for column in range(5) if row != column]
    witness = {"kind": "fooling-orbits", "at_most": 2, "cells": cells, "symmetries": tree}
    with pytest.raises((Refused, LookupError, TypeError)):
        check(CROWN, "fooling-set", "upper", {"code": 1, "answer": "both"}, witness)


def test_no_spoiled_tree_shows_what_is_false():
    """The largest fooling set of the ones of inner product of 3 bits has 7 cells: nothing shows 6."""
    matrix = inner_product(3).matrix
    cells, graph = exclusion_graph(matrix, 0)
    found, tree = largest_by_orbits(matrix.codes.tolist(), cells, graph, [], None)
    rng = random.Random(0)
    for _ in range(200):
        spoiled = _spoiled(tree, rng)
        witness = {
            "kind": "fooling-orbits",
            "at_most": len(found) - 1,
            "cells": [*map(list, cells)],
            "symmetries": spoiled,
        }
        with pytest.raises((Refused, LookupError, TypeError)):
            check(matrix.codes.tolist(), "fooling-set", "upper", {"code": 0, "answer": "both"}, witness)


def _spoiled(tree, rng):
    """A copy with one thing changed: a branch left out or made plain, or two images exchanged."""
    if tree is None or rng.random() < 0.2:
        return rng.choice([None, [[], []], [[], [None]]])
    moves, branches = [[list(lines) for lines in move] for move in tree[0]], list(tree[1])
    if branches and rng.random() < 0.7:
        place = rng.randrange(len(branches))
        branches[place : place + 1] = rng.choice([[], [_spoiled(branches[place], rng)], [branches[place]] * 2])
    elif moves:
        lines = rng.choice(rng.choice(moves))
        one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[one], lines[two] = lines[two], lines[one]
    return [moves, branches]


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
