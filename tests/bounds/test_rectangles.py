"""Maximal rectangles, and covers by exchanging them one by one: against brute force, and the same each time."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from ccsim.bounds import brackets_of, fractional_cover_number, main_bracket
from ccsim.bounds.bracket import Bracket, Side
from ccsim.bounds.rectangles import Rectangle, covers_by_local_search, maximal_rectangles
from ccsim.certificates.verify import check
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import disjointness, equality
from tests.bounds.brute_force import fewest, rectangles_of
from tests.slow import slow


def random_matrix(rng, rows, columns, low=-1, labels=3):
    return CommunicationMatrix(rng.integers(low, labels, size=(rows, columns)), tuple(range(labels)))


def test_maximal_rectangles_by_brute_force():
    for seed in range(8):
        matrix = random_matrix(np.random.default_rng(seed), 4, 5, labels=2)
        table = matrix.codes.tolist()
        found, complete = maximal_rectangles(matrix, 1)
        every = {one for one in rectangles_of(table, 1) if any(table[r][c] == 1 for r, c in one)}
        assert complete
        assert {frozenset(one.cells()) for one in found} == {a for a in every if not any(a < b for b in every)}


def test_enumeration_stops_at_the_limit():
    _, complete = maximal_rectangles(CommunicationMatrix.from_array(np.eye(20, dtype=int)), 0, limit=100)
    assert not complete


def smallest(table, turns, known=1 << 30):
    """The last cover within so many turns, each smaller than the one before."""
    table = np.array(table)
    rectangles, complete = maximal_rectangles(CommunicationMatrix(table.astype(np.int8), (0, 1)), 1)
    assert complete
    sizes, best = [known], []
    for _, found in zip(range(turns), covers_by_local_search(rectangles, ones(table), lambda: sizes[-1]), strict=False):
        if found:
            data = {"kind": "rectangles", "rectangles": [one.as_data() for one in found]}
            assert check(table.tolist(), "cover", "upper", {"code": 1}, data) == len(found) < sizes[-1]
            sizes.append(len(found))
            best = found
    return best


def ones(table):
    return [tuple(cell) for cell in np.argwhere(table == 1).tolist()]


def random_table(percent, size=20):
    return (np.random.default_rng(percent).random((size, size)) < percent / 100).astype(int)


def test_small_covers_are_smallest():
    source = random.Random(0)
    for _ in range(25):
        height, width = source.randint(1, 5), source.randint(1, 5)
        table = [source.choices([-1, 0, 1], [1, 3, 5], k=width) for _ in range(height)]
        if any(1 in row for row in table):
            assert len(smallest(table, 30)) == fewest(table, 1, False)


@pytest.mark.parametrize(
    ("percent", "turns", "size"), [(30, 20, 20), (40, 600, 20), slow(90, 500, 7), slow(50, 2000, 19)]
)
def test_random_matrices_have_small_covers(percent, turns, size):
    assert len(smallest(random_table(percent), turns)) == size


def test_the_same_is_found_each_time():
    assert smallest(random_table(60), 30) == smallest(random_table(60), 30)


def test_it_goes_on_from_a_cover_that_somebody_else_has_found():
    assert len(smallest(random_table(30), 20, known=21)) == 20
    assert smallest([[1, 0], [0, 1]], 30, known=2) == []


def test_nothing_is_left_to_look_for():
    assert list(covers_by_local_search([Rectangle(1, 1)], [(0, 0)], lambda: 1)) == []
    assert list(covers_by_local_search([], [], lambda: 5)) == []


def test_too_many_rectangles_are_refused(monkeypatch):
    monkeypatch.setattr("ccsim.bounds.rectangles.MOST_ENTRIES", 1)
    assert list(covers_by_local_search([Rectangle(1, 1), Rectangle(2, 2)], [(0, 0), (1, 1)], lambda: 5)) == []


def test_the_fractional_cover_number_is_between_its_bounds():
    """The 0-cover of EQ needs few rectangles, the fractional one fewer (its dual: weights on entries)."""
    assert fractional_cover_number(equality(2), 0).lower == fractional_cover_number(equality(2), 0).upper == 3
    zeros = fractional_cover_number(equality(3), 0)
    assert (zeros.lower, zeros.upper) == (Fraction(7, 2), Fraction(7, 2))
    for side, witness in (("lower", zeros.lower_witness), ("upper", zeros.upper_witness)):
        parameters = {"code": 0, "error": "0/1", "smooth": False}
        assert check(equality(3).matrix.codes.tolist(), "rectangle-bound", side, parameters, witness) == Fraction(7, 2)
    wide = fractional_cover_number(equality(5), 1)  # too large for the program over all rectangles
    assert (wide.lower, wide.upper) == (32, 32)
    assert "fractional-cover" in wide.name
    assert fractional_cover_number([[0, 0]], 1).upper == 0


def test_weights_of_a_cover_bound_the_fractional_one(monkeypatch):
    weights = {"kind": "cover-weights", "weights": [[0, 0, 3], [1, 1, 4]], "at_most": 2}
    cover = Bracket("cover", Side(4, "weights", weights), Side(9, "trivial"))
    monkeypatch.setattr("ccsim.bounds.rectangle_bounds.covers", lambda *_: iter([None, cover]))
    assert fractional_cover_number(equality(5), 1).lower == Fraction(7, 2)


def test_a_fooling_set_of_a_cover_is_kept_when_another_proof_replaces_it(monkeypatch):
    fooling = {"kind": "fooling-set", "cells": [[place, place] for place in range(6)]}
    covers = [Bracket("cover", Side(6, "set", fooling)), None, Bracket("cover", Side(7, "proof", {"kind": "lrat"}))]
    monkeypatch.setattr("ccsim.bounds.rectangle_bounds.covers", lambda *_: iter(covers))
    assert fractional_cover_number(equality(5), 1).lower == 6


def test_the_fractional_cover_is_a_measure_of_the_shell():
    main = main_bracket("fractional-cover", brackets_of(disjointness(2), "fractional-cover"))
    assert (main.name, main.lower, main.upper) == ("fractional-cover (label 1)", 4, 4)
