"""Deterministic protocols are correct on every input, and cost what they say."""

from itertools import product
from math import ceil, floor, log2

import networkx
import pytest

from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems import (
    clique_independent_set,
    disjointness,
    equality,
    equality_of_three,
    gap_hamming,
    greater_than,
    index,
    median,
)
from protocols.classical import (
    blackboard_equality,
    forehead_equality,
    intersection_size,
    median_search,
    point_to_point_equality,
    pointer_chasing_in_turn,
    pointer_chasing_one_round_fewer,
    trivial,
    two_way_index,
    yannakakis,
)


def width(count):
    return ceil(log2(count))


# build(n), the claimed worst case at n written out again here, rounds
EXACT = {
    "trivial equality": (lambda n: trivial(equality(n)), lambda n: n + 1, lambda n: 2),
    "trivial disjointness, Bob": (lambda n: trivial(disjointness(n), "bob"), lambda n: n + 1, lambda n: 2),
    "trivial greater-than": (lambda n: trivial(greater_than(n)), lambda n: n + 1, lambda n: 2),
    "trivial gap-Hamming": (lambda n: trivial(gap_hamming(n)), lambda n: n + 1, lambda n: 2),
    "trivial index": (lambda n: trivial(index(n)), lambda n: n + 1, lambda n: 2),
    "trivial index, Bob": (lambda n: trivial(index(n), "bob"), lambda n: width(n) + 1, lambda n: 2),
    "trivial median": (lambda n: trivial(median(n)), lambda n: width(2**n - 1) + width(n), lambda n: 2),
    "two-way index": (two_way_index, lambda n: width(n) + 1, lambda n: 2),
    "intersection size": (intersection_size, lambda n: n + width(n + 1), lambda n: 2),
    "equality of three, foreheads": (forehead_equality, lambda n: 2, lambda n: 2),
    "equality of three, blackboard": (blackboard_equality, lambda n: n + 2, lambda n: 3),
    "equality of three, by hand": (point_to_point_equality, lambda n: 2 * n + 3, lambda n: 3),
    "median search": (median_search, lambda n: width(n) * (width(n + 1) + 2), lambda n: 1 + 2 * width(n) - (n > 1)),
    "four pointers": (lambda n: pointer_chasing_in_turn(n, 4), lambda n: 4 * width(n), lambda n: 4),
    "five pointers": (lambda n: pointer_chasing_in_turn(n, 5), lambda n: 5 * width(n), lambda n: 5),
    "3 in 2 rounds": (lambda n: pointer_chasing_one_round_fewer(n, 3), lambda n: (n + 1) * width(n), lambda n: 2),
    "5 in 4 rounds": (lambda n: pointer_chasing_one_round_fewer(n, 5), lambda n: (n + 3) * width(n), lambda n: 4),
}


@pytest.mark.parametrize("name", EXACT)
def test_the_worst_case_is_the_formula_and_the_rounds_are_right(name):
    build, expected, rounds = EXACT[name]
    most = 3 if "pointers" in name or "rounds" in name or "three" in name else 4
    for n in range(2 if "gap" in name else 1, most + 1):
        protocol = build(n)
        explored = protocol.explore().raise_if_wrong()
        assert explored.worst_rounds == rounds(n), n
        assert explored.worst_bits == expected(n) == protocol.cost.bits, n
        assert protocol.cost.exact
        assert explored.pairs == (protocol.function.codes != DONT_CARE).sum()


def test_one_round_fewer_is_shorter_by_one_round_and_dearer():
    for n, k in product((2, 3, 4), (3, 4, 6)):
        slow, fast = pointer_chasing_in_turn(n, k), pointer_chasing_one_round_fewer(n, k)
        assert slow.model.most_rounds == k == fast.model.most_rounds + 1
        assert fast.cost.bits - slow.cost.bits == (n - 2) * width(n)


def test_saving_a_round_takes_three_pointers():
    with pytest.raises(InputError, match="k = 2: expected at least 3 pointers"):
        pointer_chasing_one_round_fewer(3, 2)


def test_trivial_refuses_a_third_party():
    with pytest.raises(InputError, match="sender = 'carol'"):
        trivial(equality(2), "carol")


GRAPHS = {
    **{f"path {n}": networkx.path_graph(n) for n in (1, 2, 4)},
    **{f"cycle {n}": networkx.cycle_graph(n) for n in (3, 5, 8)},
    "complete": networkx.complete_graph(7),
    "empty": networkx.empty_graph(7),
    "star": networkx.star_graph(6),
    "Petersen": networkx.petersen_graph(),
    "bipartite": networkx.complete_bipartite_graph(4, 4),
    "half graph": networkx.Graph([(f"a{i}", f"b{j}") for i in range(5) for j in range(i, 5)]),
    "letters": networkx.Graph([("c", "a"), ("a", "t"), ("t", "x")]),
    **{f"random {seed}": networkx.gnp_random_graph(8 + seed % 3, 0.5, seed=seed) for seed in range(3)},
}


def test_clique_against_independent_set():
    for name, graph in GRAPHS.items():
        protocol, n = yannakakis(graph), len(graph)
        found = protocol.explore(keep_tree=False).raise_if_wrong()
        assert found.worst_bits <= protocol.cost.bits == floor(log2(n + 1)) * (2 * width(n + 1) + 1), name
        assert found.pairs == clique_independent_set(graph).codes.size
        assert not protocol.cost.exact


def test_all_three_know():
    function = equality_of_three(2)
    assert function.codes.sum() == 4 == sum(function.codes[x, x, x] for x in range(4))
    for build in (forehead_equality, blackboard_equality, point_to_point_equality):
        for last, answer in (("01", 1), ("10", 0)):
            run = build(30).run("01" * 15, "01" * 15, last * 15)
            assert run.answers == dict.fromkeys(("alice", "bob", "carol"), answer)


def test_long_inputs_run():
    assert intersection_size(200).run("01" * 100, "11" * 100).answer == 100
    assert two_way_index(200).run("01" * 100, 200).bits == 9
    assert trivial(equality(200)).run("1" * 200, "1" * 199 + "0").answer == 0
