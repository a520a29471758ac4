"""Largest rectangles: against brute force, known values, and mutated witnesses."""

from __future__ import annotations

import numpy as np
import pytest

from ccsim.bounds import maximal_rectangles
from ccsim.matrices import CommunicationMatrix
from tests.bounds.rectangle_oracles import rectangles


def random_matrix(rng, rows, columns, low=-1, labels=3):
    return CommunicationMatrix(rng.integers(low, labels, size=(rows, columns)), tuple(range(labels)))


@pytest.mark.parametrize("seed", range(20))
def test_maximal_rectangles_by_brute_force(seed):
    matrix = random_matrix(np.random.default_rng(seed), 4, 5, labels=2)
    table = matrix.codes.tolist()
    found, complete = maximal_rectangles(matrix, 1)
    every = {one for one in rectangles(table, 1) if any(table[r][c] == 1 for r, c in one)}
    assert complete
    assert {frozenset(one.cells()) for one in found} == {a for a in every if not any(a < b for b in every)}


def test_enumeration_stops_at_the_limit():
    _, complete = maximal_rectangles(CommunicationMatrix.from_array(np.eye(20, dtype=int)), 0, limit=100)
    assert not complete
