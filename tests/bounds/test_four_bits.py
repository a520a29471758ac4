"""Depth four by going through the splits says the same as the search that learns, and its proofs check."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ccsim.bounds import deterministic, split_search
from ccsim.bounds.bit_matrix import ALICE, BOB, Cells
from ccsim.bounds.small_depths import four_bit_split, three_bit_cores, three_bits_suffice
from ccsim.certificates.verify import check
from ccsim.matrices import CommunicationMatrix


def balanced_tree(seed, depth, size):
    """The table of a random protocol tree whose splits are nearly balanced."""
    rng = random.Random(seed)
    table = np.zeros((size, size), dtype=int)

    def fill(rows, columns, left):
        if left == 0 or len(rows) == len(columns) == 1:
            table[np.ix_(rows, columns)] = rng.randrange(2)
            return
        alice = len(columns) < 2 or (len(rows) > 1 and rng.random() < 0.5)
        own = list(rows if alice else columns)
        rng.shuffle(own)
        middle = max(1, min(len(own) - 1, len(own) // 2 + rng.choice((-1, 0, 0, 1))))
        for part in (own[:middle], own[middle:]):
            fill(part, columns, left - 1) if alice else fill(rows, part, left - 1)

    fill(range(size), range(size), depth)
    return CommunicationMatrix.from_array(table)


@pytest.mark.parametrize("seed", range(60))
def test_four_bits_suffice_iff_the_search_finds_a_tree(seed, monkeypatch):
    matrix = balanced_tree(seed, 5, 10 + seed % 4).merge().matrix
    cells = Cells(matrix, "both")
    rows, columns = cells.reduce(*cells.everything)
    split = four_bit_split(cells, rows, columns, lambda: None)
    monkeypatch.setattr(split_search, "FOUR", -1)
    assert (split is not None) == split_search.Search(cells).feasible(rows, columns, 4)
    if split is not None:
        party, side = split
        for part in (side, (rows, columns)[party] & ~side):
            assert three_bits_suffice(cells, *((part, columns) if party == ALICE else (rows, part)))
        return
    for party, lines, across in ((0, rows, columns), (1, columns, rows)):
        cores = three_bit_cores(cells, party, lines, across, lambda: None)
        assert not any(three_bits_suffice(cells, *((c, across) if party == ALICE else (across, c))) for c in cores)
        for side in range(1 << lines.bit_length()):
            part = side & lines
            assert any(core & part == core or not core & part for core in cores)


@pytest.mark.parametrize("seed", [30, 32, 37, 49, 87])
def test_hard_trees_of_depth_six_are_settled_and_proved(seed):
    matrix = balanced_tree(seed, 6, 20)
    found = deterministic(matrix)
    assert found.exact
    for side, witness in (("lower", found.lower_witness), ("upper", found.upper_witness)):
        assert check(matrix.codes.tolist(), "deterministic", side, found.parameters, witness) == found.lower


@pytest.mark.parametrize("size", [12, 23, 42, 60])
def test_a_core_is_still_refuted_and_no_line_can_be_left_out(size):
    table = np.random.default_rng(size).integers(0, 2, (11, size))
    cells = Cells(CommunicationMatrix.from_array(table).merge().matrix, "both")
    tried = split_search.Search(cells)
    core = tried._minimal(*cells.reduce(*cells.everything), 4, None, BOB)
    assert not split_search.Search(cells).feasible(*core, 4)
    for party in (ALICE, BOB):
        for line in cells.places(core[party]):
            fewer = [core[side] & ~(1 << line) if side == party else core[side] for side in (ALICE, BOB)]
            assert tried.feasible(*fewer, 4)
