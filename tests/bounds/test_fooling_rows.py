"""Searches in which sets of cells go abreast: they say what one set after the other says, and how long they take."""

import random
from itertools import combinations

import numpy as np
import pytest

from ccsim.bounds.fooling_sets import exclusion_graph, first_clash
from ccsim.bounds.largest_fooling_sets import by_repeated_search, search_witness
from ccsim.bounds.scheduler import Clock
from ccsim.certificates.verify import Refused, TooLarge, check
from ccsim.certificates.verify.claims import Matrix, MatrixClaim
from ccsim.certificates.verify.fooling import SetsAbreast, bits_transposed, byte_halves
from ccsim.matrices import CommunicationMatrix

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


@pytest.mark.parametrize("seed", range(40))
def test_exactly_what_is_true_is_accepted(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, 3, rng.integers(1, 5, 2))
    matrix, rows = CommunicationMatrix(codes, (0, 1, 2)), rng.permutation(len(codes)).tolist()
    for code in range(3):
        true, claim = largest(matrix, code), {"code": code, "answer": "both"}
        assert [accepted(codes.tolist(), most, rows, claim) for most in range(true + 3)] == [False] * true + [True] * 3


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


@pytest.mark.parametrize("seed", range(5))
def test_what_is_left_over_of_many_sets_is_what_is_left_over_of_each(seed):
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


@pytest.mark.parametrize("rows", [[0, 1], [0, 1, 1], [0, 1, 3], [0, 1, -1], [0, 1, 2, 2], [0, 1, True], "012", None])
def test_what_are_not_all_rows_is_refused(rows):
    table = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert proved(table, 3, [2, 0, 1]) == 3
    with pytest.raises(Refused):
        proved(table, 3, rows)


@pytest.mark.parametrize("changed", [{"answer": "alice"}, {"answer": "bob"}, {"code": None}])
def test_it_is_about_one_answer_that_both_know(changed):
    with pytest.raises(Refused):
        proved([[1, 0], [0, 1]], 2, [0, 1], {**ONES, **changed})


def test_the_least_size_that_can_be_shown_is():
    table = (np.random.default_rng(50).random((12, 12)) < 0.5).astype(int).tolist()
    cells, graph = exclusion_graph(CommunicationMatrix(np.array(table), (0, 1)), 1)
    witness = search_witness(table, graph, cells, by_rows=True)
    found = by_repeated_search(table, ONES, witness, range(5, 12), Clock())
    assert found is not None
    assert accepted(table, found["at_most"], witness["rows"])
    assert not accepted(table, found["at_most"] - 1, witness["rows"])
    assert by_repeated_search(table, ONES, witness, range(2, 4), Clock()) is None
