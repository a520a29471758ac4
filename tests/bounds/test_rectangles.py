"""Largest rectangles: against brute force, known values, and mutated witnesses."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ccsim.bounds import largest_rectangle, maximal_rectangles
from ccsim.certificates.certificate import claim_parameters
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import disjointness, equality, greater_than, inner_product
from tests.bounds.rectangle_oracles import mutated, rectangles
from tests.speed import patient


def random_matrix(rng, rows, columns, low=-1, labels=3):
    return CommunicationMatrix(rng.integers(low, labels, size=(rows, columns)), tuple(range(labels)))


@pytest.mark.parametrize("seed", range(30))
def test_largest_by_brute_force(seed):
    rng = np.random.default_rng(seed)
    matrix = random_matrix(rng, int(rng.integers(1, 6)), int(rng.integers(1, 6)), labels=2 + seed % 2)
    table = matrix.codes.tolist()
    weights = rng.integers(0, 9, size=matrix.shape).tolist()
    for code in range(len(matrix.labels)):
        found = rectangles(table, code)
        for kind, weigh in (
            ("label", lambda r, c, code=code: int(table[r][c] == code)),
            ("all", lambda r, c: 1),
            (weights, lambda r, c: weights[r][c]),
        ):
            best = max((sum(weigh(r, c) for r, c in one) for one in found), default=0)
            bracket = largest_rectangle(matrix, code, weights=kind)
            assert bracket.exact
            assert bracket.lower == best
    every = largest_rectangle(matrix)
    assert every.exact
    assert every.lower == max((largest_rectangle(matrix, label).lower for label in matrix.labels), default=0)


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


@pytest.mark.parametrize(
    ("function", "n", "label", "cells"),
    [
        (equality, 4, 1, 1),
        (disjointness, 4, 1, 16),
        (greater_than, 4, 1, 64),
        (inner_product, 4, 0, 16),  # Lindsey's lemma allows 2^n
        (inner_product, 4, 1, 8),
    ],
)
def test_known(function, n, label, cells):
    bracket = largest_rectangle(function(n).matrix, label, time_limit=patient(5))
    assert (bracket.lower, bracket.upper) == (cells, cells)


def test_a_bracket_when_time_is_short():
    rng = np.random.default_rng(1)
    bracket = largest_rectangle(
        CommunicationMatrix.from_array((rng.random((40, 40)) < 0.8).astype(int)), 1, time_limit=0
    )
    assert 0 < bracket.lower <= bracket.upper <= 1600


def test_mutations_never_prove_what_is_false():
    rng = random.Random(5)
    for seed in range(6):
        matrix = random_matrix(np.random.default_rng(seed), 4, 5, labels=2)
        table = matrix.codes.tolist()
        for label in (1, None):
            bracket = largest_rectangle(matrix, label)
            for _ in range(150):
                for side in ("lower", "upper"):
                    try:
                        value = check(
                            table,
                            "rectangle",
                            side,
                            claim_parameters(bracket),
                            mutated(getattr(bracket, f"{side}_witness"), rng),
                        )
                    except Refused:
                        continue
                    assert value <= bracket.lower if side == "lower" else value >= bracket.lower


def test_errors():
    matrix = CommunicationMatrix.from_array([[1, 0]])
    with pytest.raises(InputError):
        largest_rectangle(matrix, 7)
    with pytest.raises(InputError):
        largest_rectangle(matrix, 1, weights=[[1]])
    with pytest.raises(InputError):
        largest_rectangle(matrix, 1, weights="other")
