"""Refutations by going through all splits: against the search, and forged."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ccsim.bounds.bit_matrix import Cells, reduced
from ccsim.bounds.small_depths import four_bit_split
from ccsim.bounds.split_search import SplitSearch
from ccsim.bounds.symmetries import symmetries
from ccsim.certificates.verify import Refused, TooLarge, check
from ccsim.certificates.verify.claims import Matrix, MatrixClaim, mask_of
from ccsim.certificates.verify.trees import all_refuted, every_split, last_and_absent, leaves_by_rank
from ccsim.matrices import CommunicationMatrix

CLAIM = {"answer": "both", "rounds": None, "first": None}


def proved(table, nodes):
    return check(table, "deterministic", "lower", CLAIM, {"kind": "refutation", "nodes": nodes})


def accepted(table, nodes):
    try:
        proved(table, nodes)
    except Refused:
        return False
    return True


def whole(table, depth, *reason):
    return [depth, None, format((1 << len(table)) - 1, "x"), format((1 << len(table[0])) - 1, "x"), *reason]


def table_of_low_rank(seed, height, width, rank):
    rng = np.random.default_rng(seed)
    return (rng.integers(0, 2, (height, rank)) @ rng.integers(0, 2, (rank, width)) % 2).tolist()


def test_four_bits_are_refused_iff_a_split_is_found():
    for seed in range(0, 8, 2):
        said = set()
        for number in range(12):
            table = table_of_low_rank(100 * seed + number, 5 + seed, 4 + number, 3 + number % 4)
            cells = Cells(CommunicationMatrix.from_array(table), "both")
            rows, columns = reduced(cells.axes, *cells.everything)[0]
            found = SplitSearch(cells).feasible(rows, columns, 4)
            settled = found if min(rows.bit_count(), columns.bit_count()) < 2 else None
            if settled is None and cells.boolean:
                settled = four_bit_split(cells, rows, columns, lambda: None) is not None
            assert accepted(table, [whole(table, 4, "four")]) == (not settled), (table, found)
            said.add(settled)
        assert said == {False, True} or seed < 4


def test_what_four_bits_settle_is_not_refuted_by_them():
    for table in [
        [[0]],
        [[0, 0], [0, 0]],
        [[0, 1]],
        [[0], [1]],
        [[0, 1, 2], [1, 2, 0]],
        [[0, -1], [1, 0]],
        np.eye(8, dtype=int).tolist(),
    ]:
        assert not accepted(table, [whole(table, 4, "four")])


def test_all_splits_are_for_depth_four_only():
    table = np.eye(12, dtype=int).tolist()
    assert proved(table, [whole(table, 4, "four")]) == 5
    for depth in (3, 5):
        assert not accepted(table, [whole(table, depth, "four")])


def test_a_reason_that_is_gone_names_what_checks_it():
    for reason in ["orbits", "tight", "given"]:
        table = np.eye(3, dtype=int).tolist()
        with pytest.raises(Refused, match=f"reason '{reason}' is no longer checked; ccsim of commit"):
            proved(table, [whole(table, 2, reason, [], [], [])])


def circulant(line):
    return [[line[(column - row) % len(line)] for column in range(len(line))] for row in range(len(line))]


def test_symmetries_keep_every_cell():
    for seed in range(8):
        rng = np.random.default_rng(seed)
        codes = np.array(circulant(rng.integers(0, 2, 5 + seed % 4).tolist()))
        for found in symmetries(codes):
            assert np.array_equal(codes, codes[np.ix_(found.rows, found.columns)])
        different = len(set(map(tuple, codes.tolist()))) == len(codes)
        assert len(symmetries(codes)) >= len(codes) - 1 or not different


def test_all_ways_to_put_lines_on_two_sides_are_refuted_iff_none_is_free():
    """What is left out because of a branch's reasons is refuted, too: against all splits, one by one."""
    for seed in range(100):
        rng = random.Random(seed)
        count = rng.randint(2, 7)
        least = rng.choice((1, 2, 2))
        few = [rng.sample(range(count), rng.randint(least, min(3, count))) for _ in range(rng.randint(1, 16))]
        sets = {tuple(sorted(half)) for half in few}
        masks = [sum(1 << line for line in half) for half in sorted(sets)]
        splits = [(side, ((1 << count) - 1) ^ side) for side in range(1, (1 << count) - 1)]
        free = any(not any(mask & part == mask for mask in masks for part in split) for split in splits)
        last, without = last_and_absent(Matrix([[0]]), sorted(sets), count)

        try:
            all_refuted(Matrix([[0]]), last, without, masks)
            refused = False
        except Refused as refusal:
            refused = "a split that nothing forbids" in str(refusal)
            assert refused
        assert refused == free, seed


FANO = [(0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5)]  # a side has one of them


def test_two_lines_that_nothing_keeps_together_can_be_split():
    table, nothing = [[0, 0], [1, 1]], [[], [], ""]
    assert not accepted(table, [whole(table, 1, "splits", nothing, nothing)])


def test_lines_that_are_not_to_blame_are_not_tried_on_the_other_side():
    halves, matrix = [tuple(place + 40 for place in line) for line in FANO], Matrix([[0]], [10_000, 100_000])
    last, without = last_and_absent(matrix, halves, 47)
    all_refuted(matrix, last, without, [sum(1 << place for place in half) for half in halves])
    with pytest.raises(TooLarge):
        all_refuted(Matrix([[0]], [100, 100_000]), last, without, [])


@pytest.mark.parametrize("primes", [[], [2], [3], [2, 3]])
def test_splits_by_cores_and_ranks_are_those_of_all_splits(primes):
    """Whatever the order in which lines are put, and whatever their names."""
    rng, said = random.Random(3), set()
    for _ in range(30):
        matrix = Matrix([[rng.randint(0, 1) for _ in range(4)] for _ in range(6)])
        rows = rng.sample(range(6), 5)
        cores = [(2, None, (mask_of(rng.sample(rows, rng.randint(2, 3)), 6), 15)) for _ in range(rng.randint(0, 9))]
        node = (3, None, (mask_of(rows, 6), 15))
        sides = [mask_of([row for row in rows if side >> row & 1], 6) for side in range(64)]

        def refuted(side, matrix=matrix, cores=cores):
            leaves = [leaves_by_rank(matrix, "both", (side, 15), [prime] * len(matrix.codes)) for prime in primes]
            return max(leaves, default=0) > 4 or any(core & ~side == 0 for _, _, (core, _) in cores)

        every = all(refuted(side) or refuted(node[2][0] ^ side) for side in sides if side not in (0, node[2][0]))
        try:
            given = [primes, list(range(len(cores))), ""]
            every_split(MatrixClaim(matrix, "deterministic", "lower", CLAIM), cores, node, 0, given)
            said.add(True)
            assert every
        except Refused:
            said.add(False)
            assert not every
    assert said == {False, True}


def test_room_is_spent_on_sets_of_lines_that_grow():
    """Where ranks say nothing, each line that is put on a side makes a set of one more."""
    matrix = Matrix([[line % 2, 1 - line % 2] for line in range(6000)])
    before, node = matrix.left[1], [5, None, "f" * 1500, "3", "splits", [[2], [], ""], [[], [], ""]]
    with pytest.raises(Refused, match="nothing forbids"):
        MatrixClaim(matrix, "deterministic", "lower", CLAIM).proved({"kind": "refutation", "nodes": [node]})
    assert before - matrix.left[1] > sum((1 << line).__sizeof__() for line in range(6000))
