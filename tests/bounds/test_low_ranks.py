"""Protocols that begin with sides of low rank: what is found is right and short, and refuted matrices are given up."""

from __future__ import annotations

import numpy as np
import pytest

from ccsim.bounds.clock import Clock
from ccsim.bounds.tree_search.beside import finished
from ccsim.bounds.tree_search.cells import Cells
from ccsim.bounds.tree_search.low_ranks import decided, low_ranks
from ccsim.bounds.tree_search.search import Search
from ccsim.certificates.verify import check
from ccsim.matrices import CommunicationMatrix
from tests.bounds.test_four_bits import balanced_tree

PLAIN = {"answer": "both", "rounds": None, "first": None}


def found(table, depth):
    """The bits of a protocol that is found, as the checker counts them; None if there is none."""
    matrix = CommunicationMatrix.from_array(table).merge().matrix
    tree = finished(low_ranks(Search(Cells(matrix, "both")), depth, Clock()))
    if tree is None:
        return None
    return check(matrix.codes.tolist(), "deterministic", "upper", PLAIN, {"kind": "protocol-tree", "tree": tree})


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("seed", "size"), [(30, 19), (3, 22), (54, 26), (139, 26)])
def test_more_lines_than_can_be_named(seed, size, turned):
    table = balanced_tree(seed, 5, size).merge().matrix.codes
    assert min(table.shape) > 16
    assert found(table.T if turned else table, 5) == 5


@pytest.mark.parametrize("seed", range(30))
def test_no_protocol_is_wrong_or_too_deep(seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 2, rng.integers(2, 9, 2))
    for depth in range(2, 5):
        bits = found(table, depth)
        assert bits is None or bits <= depth


def test_ranks_that_no_split_makes_small_enough_are_given_up():
    assert found(np.eye(60, dtype=int), 6) is None
    assert found(np.eye(17, dtype=int), 5) is None


@pytest.mark.parametrize("party", [0, 1])
def test_a_split_is_kept_only_if_both_sides_have_protocols(party):
    search = Search(Cells(CommunicationMatrix.from_array(np.eye(6, dtype=int)), "both"))
    assert decided(search, 3, party, 0b000001, 10_000, Clock()) is None
    assert decided(search, 3, party, 0b111110, 10_000, Clock()) is None
    assert decided(search, 4, party, 0b000111, 10_000, Clock()) is not None
