"""Protocols of few turns: what is found is right and short, and it is found where naming a line takes a bit more."""

from __future__ import annotations

import numpy as np
import pytest

from ccsim.bounds.tree_search.beside import finished
from ccsim.bounds.tree_search.cells import Cells
from ccsim.bounds.tree_search.one_reply import few_turns
from ccsim.bounds.tree_search.search import Search
from ccsim.bounds.tree_search.tree import depth_of
from ccsim.certificates.verify import check
from ccsim.matrices import CommunicationMatrix

PLAIN = {"answer": "both", "rounds": None, "first": None}


def two_sides(seed, lines, names, width):
    """Lines that have so many names on one half of the columns, and so many on the other."""
    rng = np.random.default_rng(seed)
    parts = [rng.integers(0, 2, (names, width))[rng.integers(0, names, lines)] for _ in range(2)]
    table = np.hstack(parts)[:, rng.permutation(2 * width)]
    return CommunicationMatrix.from_array(table).merge().matrix


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("seed", "names", "depth"), [(1, 4, 4), (2, 4, 4), (3, 8, 5), (4, 8, 5)])
def test_what_has_few_names_on_two_sides_has_a_tree_of_few_turns(seed, names, depth, turned):
    matrix = two_sides(seed, 2 * names + 3, names, 8)
    codes = matrix.codes.T if turned else matrix.codes
    matrix = CommunicationMatrix(codes.copy(), (0, 1))
    tree = finished(few_turns(Search(Cells(matrix, "both")), depth))
    assert tree is not None
    assert depth_of(tree) <= depth
    witness = {"kind": "protocol-tree", "tree": tree}
    assert check(matrix.codes.tolist(), "deterministic", "upper", PLAIN, witness) <= depth


@pytest.mark.parametrize("seed", range(30))
def test_no_tree_is_wrong_or_too_deep(seed):
    rng = np.random.default_rng(seed)
    matrix = CommunicationMatrix.from_array(rng.integers(0, 2, (rng.integers(2, 9), rng.integers(2, 9)))).merge().matrix
    for depth in range(1, 5):
        tree = finished(few_turns(Search(Cells(matrix, "both")), depth))
        if tree is not None:
            witness = {"kind": "protocol-tree", "tree": tree}
            assert check(matrix.codes.tolist(), "deterministic", "upper", PLAIN, witness) <= depth
