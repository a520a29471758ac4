"""D exactly: against known values, the definition and four bits by splits, and every witness through the checker."""

from __future__ import annotations

import itertools
import json
import random
import re
from types import SimpleNamespace

import networkx
import numpy as np
import pytest

from ccsim.bounds import deterministic, split_search
from ccsim.bounds.bit_matrix import ALICE, BOB, Cells, bits_of, reduced
from ccsim.bounds.bracket import Open, depth_of, timed
from ccsim.bounds.leaves import found_trees, game_of
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.small_depths import four_bit_split, three_bits_suffice, two_bits_suffice
from ccsim.bounds.tree_search import DeterministicSearch
from ccsim.certificates.verify import Refused, check
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import clique_independent_set, median
from tests.bounds.brute_force import deterministic_by_definition, named
from tests.certificates.mutations import mutated_witness
from tests.slow import slow

CLAIM = {"answer": "both", "rounds": None, "first": None}


@timed
def solve_deterministic(matrix, *, seconds=None, **options):
    *_, best = DeterministicSearch(matrix, clock=Clock.within(seconds), **options).stages()
    return best


def accepted(table, found):
    """Both witnesses, written as JSON and read again, through the checker."""
    table = np.asarray(table).tolist()
    if found.upper is not None:
        witness = json.loads(json.dumps(found.upper_witness))
        assert check(table, "deterministic", "upper", found.parameters, witness) == found.upper
        assert depth_of(witness["tree"]) == found.upper
    if found.lower:
        witness = json.loads(json.dumps(found.lower_witness))
        assert check(table, "deterministic", "lower", found.parameters, witness) == found.lower
    return found


KNOWN = [
    *[(name, n, n + 1) for name in ("EQ", "DISJ", "GT", "IP") for n in (1, 2, 4)],
    *[
        ("SIZE", n, bits) for n, bits in ((1, 2), (2, 4), (3, 5), (4, 6))
    ],  # Tamm, Discrete Applied Mathematics 61 (1995)
    *[("INDEX", n, bits) for n, bits in ((2, 2), (3, 3), (4, 3))],
]


def test_known_values():
    for name, n, bits in KNOWN:
        table = named(name, n)
        found = accepted(table, solve_deterministic(CommunicationMatrix.from_array(table)))
        assert (found.lower, found.upper) == (bits, bits)


def random_task(rng, largest):
    height, width = rng.randint(1, largest), rng.randint(1, largest)
    labels, free, dense = rng.choice([2, 2, 2, 3, 4]), rng.choice([0, 0, 0.3]), rng.random()
    table = [
        [
            -1 if rng.random() < free else int(rng.random() < dense) if labels == 2 else rng.randrange(labels)
            for _ in range(width)
        ]
        for _ in range(height)
    ]
    rounds = rng.choice([None, None, 1, 2, 3])
    return table, labels, {
        "answer": rng.choice(["both", "alice", "bob"]),
        "rounds": rounds,
        "first": rng.choice([None, "alice", "bob"]) if rounds else None,
    }  # fmt: skip


def agrees_with_definition(seed, count, largest):
    rng = random.Random(seed)
    for _ in range(count):
        table, labels, task = random_task(rng, largest)
        matrix = CommunicationMatrix(np.array(table), tuple(range(labels)))
        found = accepted(table, solve_deterministic(matrix, **task))
        wanted = deterministic_by_definition(table, **task)
        assert found.upper == (wanted if wanted < 99 else None), (table, task)
        assert found.upper is None or found.exact


@pytest.mark.parametrize("seed", [0, slow(1)])
def test_agrees_with_the_definition(seed):
    agrees_with_definition(seed, 100, 5)


@pytest.mark.slow
def test_agrees_with_the_definition_often():
    agrees_with_definition(1000, 1_500, 6)
    agrees_with_definition(2000, 300, 7)


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


def test_twelve_by_twelve():
    for seed in range(12):
        matrix = balanced_tree(seed, 5, 12)
        assert accepted(matrix.codes, solve_deterministic(matrix)).exact, seed


def test_large_functions_need_no_search():
    for name in ("DISJ", "IP"):
        table = named(name, 8)
        found = accepted(table, solve_deterministic(CommunicationMatrix.from_array(table)))
        assert (found.lower, found.upper, found.below.by) == (9, 9, "leaf-rank")


def test_a_tree_lists_the_fewer_inputs_of_each_node():
    """Of equality, those of all nodes together are n 2^n inputs and not 4^n."""
    table = named("EQ", 6)
    nodes = [accepted(table, solve_deterministic(CommunicationMatrix.from_array(table))).upper_witness["tree"]]
    for node in nodes:
        nodes += [node[half] for half in ("zero", "one") if "speaker" in node]
    assert sum(len(node.get("ones", ())) for node in nodes) <= 7 * 64


def test_protocols_that_are_found_by_trying_splits_count(monkeypatch):
    """Also in turns that are over at once; none is worse than what is known."""
    monkeypatch.setattr(DeterministicSearch, "_decide", lambda *_: False)
    matrix, depths = median(5).matrix, []

    def trees(small, turn):
        for tree in found_trees(game_of(small, "both"), turn):
            depths.extend([] if tree is None else [depth_of(tree)])
            yield tree
            yield None

    stages = DeterministicSearch(matrix, clock=Clock(), trees=trees).stages()
    found = next(bracket for bracket in stages if bracket.upper < 7)
    assert (found.upper, min(depths)) == (6, 6)
    accepted(matrix.codes, found)
    late = found_trees(game_of(matrix, "both"), turn := Clock(0.0))
    assert next(late) is None
    turn.end = None
    assert depth_of(next(late)) == 7


def test_a_time_limit_gives_a_bracket():
    table = np.random.default_rng(0).integers(0, 2, (40, 24)) @ np.random.default_rng(1).integers(0, 2, (24, 40)) % 2
    found = solve_deterministic(CommunicationMatrix.from_array(table), seconds=0.2)
    assert found.lower <= found.upper <= 7
    assert found.seconds < 5
    accepted(table, found)


@pytest.fixture(scope="module")
def searched():
    for seed in range(2000):
        matrix = balanced_tree(seed, 5, 12)
        found = solve_deterministic(matrix)
        if found.lower == 5 and found.lower_witness["nodes"][-1][4] == "four":
            return matrix.codes.tolist(), found
    raise AssertionError


def by_cores(matrix):
    """A refutation of four bits by all least sets of rows, and of columns, for which three bits do not suffice."""
    cells, sides = Cells(matrix, "both"), []
    for party, across in enumerate(cells.everything[::-1]):
        cores = []
        for own in sorted(range(1, cells.everything[party] + 1), key=int.bit_count):
            pair = (own, across) if party == ALICE else (across, own)
            if not any(core[party] & own == core[party] for core in cores) and not three_bits_suffice(cells, *pair):
                cores.append(pair)
        sides.append([[], [], " ".join(f"{rows:x}:{columns:x}" for rows, columns in cores)])
    return [[4, None, *(f"{mask:x}" for mask in cells.everything), "splits", *sides]]


def test_no_mutation_makes_a_false_claim_pass(searched):
    table, found = searched
    rng, refused = random.Random(1), 0
    nodes = by_cores(CommunicationMatrix.from_array(table))
    assert check(table, "deterministic", "lower", CLAIM, {"kind": "refutation", "nodes": nodes}) == 5
    for _ in range(60):
        proof = {"kind": "refutation", "nodes": mutated_witness(nodes, rng)}
        try:
            assert check(table, "deterministic", "lower", CLAIM, proof) <= found.upper
        except Refused:
            refused += 1
    assert refused > 20


def test_a_proof_does_not_fit_another_matrix(searched):
    table, found = searched
    with pytest.raises(Refused):
        check([[0] * 12] * 12, "deterministic", "lower", CLAIM, found.lower_witness)
    other = [[1 - cell for cell in row] for row in table]
    with pytest.raises(Refused):
        check(other, "deterministic", "upper", CLAIM, found.upper_witness)


def test_nothing_is_called_exact_that_the_checker_refuses(monkeypatch):
    """A refutation that is too much work to check proves nothing; a smaller one still does."""

    def strict(table, measure, side, parameters, witness):
        if witness["nodes"][-1][4] == "four":
            raise Refused("too much work to check")
        return check(table, measure, side, parameters, witness)

    table = np.random.default_rng(3).integers(0, 2, (9, 9))
    found = solve_deterministic(CommunicationMatrix.from_array(table))
    assert found.lower_witness["nodes"][-1][4] == "four"
    monkeypatch.setattr("ccsim.bounds.tree_search.SURE", 0.0)
    monkeypatch.setattr("ccsim.bounds.tree_search.check", strict)
    open_still = solve_deterministic(CommunicationMatrix.from_array(table))
    assert open_still.lower < found.lower == open_still.upper
    assert open_still.open is Open.REACH
    accepted(table, open_still)


def test_clique_against_independent_set_on_cycles():
    for vertices in [6, 7]:
        matrix = clique_independent_set(networkx.cycle_graph(vertices)).matrix
        found = accepted(matrix.codes, solve_deterministic(matrix))
        assert (found.lower, found.upper) == (5, 5)
        assert len(json.dumps(found.lower_witness)) < 1 << 20


def test_few_bits_of_partial_matrices():
    """The closed form says the same as the definition."""
    for depth in [1, 2]:
        rng = random.Random(depth)
        for _ in range(150):
            height, width = rng.randint(1, 5), rng.randint(1, 5)
            table = [[rng.choice((-1, -1, 0, 0, 0, 1)) for _ in range(width)] for _ in range(height)]
            cells = Cells(CommunicationMatrix(np.array(table), (0, 1)), "both")
            if any(-1 in row for row in table):
                assert two_bits_suffice(cells, *cells.everything, depth) == (
                    deterministic_by_definition(table) <= depth
                ), table


def test_partial_matrices_of_nine_lines():
    rng = np.random.default_rng(0)
    for _ in range(2):
        table = np.where(rng.random((9, 9)) < 0.3, -1, rng.integers(0, 2, (9, 9)))
        assert accepted(table, solve_deterministic(CommunicationMatrix(table, (0, 1)))).exact


@pytest.mark.parametrize("seed", range(12))
def test_four_bits_suffice_iff_the_search_finds_a_tree(seed, monkeypatch):
    matrix = balanced_tree(seed, 5, 10 + seed % 4).merge().matrix
    cells = Cells(matrix, "both")
    rows, columns = reduced(cells.axes, *cells.everything)[0]
    split = four_bit_split(cells, rows, columns, lambda: None)
    monkeypatch.setattr(split_search, "FOUR", -1)
    assert (split is not None) == split_search.SplitSearch(cells).feasible(rows, columns, 4)
    if split is not None:
        party, side = split
        for part in (side, (rows, columns)[party] & ~side):
            assert three_bits_suffice(cells, *((part, columns) if party == ALICE else (rows, part)))


@pytest.mark.parametrize("seed", [32, 49])
def test_hard_trees_of_depth_six_are_settled_and_proved(seed):
    matrix = balanced_tree(seed, 6, 20)
    assert accepted(matrix.codes, deterministic(matrix)).exact


@pytest.mark.parametrize("size", [12, 23, 42, 60])
def test_a_core_is_still_refuted_and_no_line_can_be_left_out(size):
    table = np.random.default_rng(size).integers(0, 2, (11, size))
    cells = Cells(CommunicationMatrix.from_array(table).merge().matrix, "both")
    tried = split_search.SplitSearch(cells)
    core = tried._minimal(*reduced(cells.axes, *cells.everything)[0], 4, None, BOB)
    assert not split_search.SplitSearch(cells).feasible(*core, 4)
    for party in (ALICE, BOB):
        for line in bits_of(core[party]):
            fewer = [core[side] & ~(1 << line) if side == party else core[side] for side in (ALICE, BOB)]
            assert tried.feasible(*fewer, 4)


def test_a_search_says_how_far_it_is(monkeypatch):
    monkeypatch.setattr(split_search, "time", SimpleNamespace(monotonic=itertools.count(0, 2).__next__))
    lines = []
    table = np.random.default_rng(3).integers(0, 2, (9, 9))
    assert deterministic(CommunicationMatrix.from_array(table), progress=lines.append).exact
    assert any(re.fullmatch(r"[\d,]+ rectangles? searched, [\d,]+ cores? learnt", line) for line in lines), lines[:5]
