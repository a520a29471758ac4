"""Protocol trees as JSON: out and back the same, and nothing hostile comes in."""

import copy
import json
import math
import time
from operator import attrgetter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import InputError, Protocol, ProtocolTree
from ccsim.engine.tree import FORMAT, VERSION
from ccsim.matrices import DONT_CARE
from ccsim.problems import TwoPartyFunction, disjointness, equality, greater_than
from protocols.classical import trivial
from tests.cases import cases
from tests.speed import patient
from tests.strategies import (
    DEEP,
    all_say_a_bit,
    caterpillar,
    few_frames,
    function_of_table,
    plans,
    tree_of,
)

FEW = settings(max_examples=12, deadline=None)
PARTS = attrgetter("speaker", "label", "messages", "children", "bits", "rounds")


def through_text(tree, function=None):
    return ProtocolTree.from_json(json.loads(json.dumps(tree.to_json(), allow_nan=False)), function)


def same(one, two):
    """Whether two trees are the same, node by node."""
    assert one.knowing == two.knowing
    assert len(one.nodes) == len(two.nodes)
    for a, b in zip(one.nodes, two.nodes, strict=True):
        assert PARTS(a) == PARTS(b)
        for player in one.function.parties:
            assert a.sets[player].tolist() == b.sets[player].tolist()
        assert set(a.answers) == set(b.answers)
        for role in a.answers:
            size = len(a.sets[role])
            assert (np.broadcast_to(a.answers[role], size) == np.broadcast_to(b.answers[role], size)).all()
    return True


@FEW
@given(st.tuples(plans(), st.just("both")) | st.tuples(plans(agree=False), st.sampled_from(["alice", "bob"])))
def test_trees_come_back_the_same_and_compute_what_their_leaves_say(planned_and_answer):
    tree = tree_of(*planned_and_answer)
    back = through_text(tree)
    assert same(tree, back)
    assert same(tree, through_text(tree, tree.function))
    assert same(tree, ProtocolTree.from_json(tree.to_json()))
    assert back.to_json() == tree.to_json()
    assert isinstance(back.function, TwoPartyFunction)
    assert (back.function.codes == tree.function.codes).all()
    assert Protocol.of_tree(back).explore().correct


def test_a_tree_of_three_parties_comes_back_the_same():
    tree = all_say_a_bit().explore().tree
    assert same(tree, through_text(tree))


def test_answers_of_other_kinds_come_back_as_plain_data():
    function = function_of_table([[0, 1], [2, 3]], ("no", ("a", 1, (True,)), None, 7))
    tree = trivial(function).explore().tree
    back = through_text(tree)
    assert back.function.answers == ("no", ("a", 1, (True,)), None, 7)
    odd = function_of_table([[0, 1]], (frozenset({1}), 0.5))
    assert through_text(trivial(odd).explore().tree).function.answers == ("frozenset({1})", "0.5")


def test_a_deep_tree_comes_back_the_same():
    with few_frames():
        tree = caterpillar(DEEP).explore().tree
        assert same(tree, through_text(tree, tree.function))


def test_a_function_that_does_not_fit_is_refused():
    data = trivial(equality(2)).explore().tree.to_json()
    for other in (equality(3), function_of_table(np.zeros((4, 4), dtype=int), (0,))):
        with pytest.raises(InputError, match=r"sizes|answers"):
            ProtocolTree.from_json(data, other)
    assert not Protocol.of_tree(ProtocolTree.from_json(data, disjointness(2))).explore().correct


# Hostile data

GOOD = trivial(greater_than(2)).explore().tree.to_json()


def changed(**fields):
    return {**copy.deepcopy(GOOD), **fields}


def with_nodes(*nodes, sizes=(2, 2), **fields):
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": "hostile",
        "parties": ["alice", "bob"],
        "sizes": list(sizes),
        "answers": [0, 1],
        "knowing": ["alice", "bob"],
        "nodes": list(nodes),
        **fields,
    }


def inner(speaker="alice", messages=("0", "1"), children=(1, 2), inputs=((0,), (1,)), label=""):
    return {
        "speaker": speaker,
        "label": label,
        "messages": list(messages),
        "children": list(children),
        "inputs": [list(part) for part in inputs],
    }


LEAF = {"answer": 0}


def test_the_plain_example_is_read():
    assert len(ProtocolTree.from_json(with_nodes(inner(), LEAF, LEAF)).leaves) == 2
    assert len(ProtocolTree.from_json(with_nodes(LEAF)).leaves) == 1
    assert ProtocolTree.from_json(copy.deepcopy(GOOD)).depth == 3


HOSTILE = {
    "nothing": None,
    "no fields": {},
    "a field too many": changed(extra=1),
    "a field too few": {key: value for key, value in GOOD.items() if key != "name"},
    "another format": changed(format="other"),
    "another version": changed(version=2),
    "a version that is true": changed(version=True),
    "one party": changed(parties=["alice"], sizes=[4]),
    "one party twice": changed(parties=["alice", "alice"]),
    "a size too few": changed(sizes=[4]),
    "no inputs": changed(sizes=[0, 4]),
    "a size that is true": changed(sizes=[True, 4]),
    "a huge size": changed(sizes=[1 << 40, 4]),
    "sizes whose table is huge": with_nodes(LEAF, sizes=(1 << 16, 1 << 16)),
    "many parties whose table is huge": with_nodes(
        LEAF, sizes=[1 << 16] * 20, parties=[f"p{i}" for i in range(20)], knowing=[f"p{i}" for i in range(20)]
    ),
    "a wrong size": changed(sizes=[5, 4]),
    "no answers": changed(answers=[]),
    "the same answer twice": changed(answers=[0, 0]),
    "answers equal across kinds": changed(answers=[0, False]),
    "an answer that is a dictionary": changed(answers=[0, {}]),
    "a name that is a number": changed(name=3),
    "a label that is a number": with_nodes(inner(label=3), LEAF, LEAF),
    "knowing a stranger": changed(knowing=["carol"]),
    "knowing in another order": changed(knowing=["bob", "alice"]),
    "an empty node": with_nodes({}),
    "a leaf with two answers": with_nodes({"answer": 0, "answers": {}}),
    "a leaf with more": with_nodes({"answer": 0, "label": "x"}),
    "an answer out of range": with_nodes({"answer": 2}),
    "an answer below": with_nodes({"answer": -2}),
    "an answer that is true": with_nodes({"answer": True}),
    "an answer that is a half": with_nodes({"answer": 0.5}),
    "answers of a stranger": with_nodes({"answers": {"alice": [0, 0], "carol": [0, 0]}}),
    "answers too few": with_nodes({"answers": {"alice": [0], "bob": [0, 0]}}),
    "answers out of range": with_nodes({"answers": {"alice": [0, 7], "bob": [0, 0]}}),
    "answers in a list": with_nodes({"answers": [[0, 0], [0, 0]]}),
    "a child that is its parent": with_nodes(inner(children=(0, 1)), LEAF),
    "a circle": with_nodes(inner(), inner("bob", children=(0, 2)), LEAF),
    "a child with two parents": with_nodes(
        inner(), inner("bob", children=(3, 4)), inner("bob", children=(3, 4)), LEAF, LEAF
    ),
    "one child twice": with_nodes(inner(children=(1, 1)), LEAF),
    "a child beyond the end": with_nodes(inner(children=(1, 9)), LEAF, LEAF),
    "a negative child": with_nodes(inner(children=(1, -1)), LEAF, LEAF),
    "a child that is true": with_nodes(inner(children=(True, 2)), LEAF, LEAF),
    "an orphan": with_nodes(LEAF, LEAF),
    "overlapping inputs": with_nodes(inner(inputs=((0, 1), (1,))), LEAF, LEAF),
    "an empty part": with_nodes(inner(inputs=((0, 1), ())), LEAF, LEAF),
    "an input that is not there": with_nodes(inner(inputs=((0,), (2,))), LEAF, LEAF),
    "an input beyond 64 bits": with_nodes(inner(inputs=((0,), (1 << 70,))), LEAF, LEAF),
    "an input that is true": with_nodes(inner(inputs=((0,), (True,))), LEAF, LEAF),
    "inputs that did not reach the node": with_nodes(
        inner(), inner(children=(3, 4), inputs=((0,), (1,))), LEAF, LEAF, LEAF
    ),
    "inputs too few": with_nodes(inner(inputs=((0, 1),)), LEAF, LEAF),
    "a message too few": with_nodes(inner(messages=("0",)), LEAF, LEAF),
    "no messages": with_nodes(inner(messages=(), children=(), inputs=())),
    "the same message twice": with_nodes(inner(messages=("0", "0")), LEAF, LEAF),
    "messages that are not prefix-free": with_nodes(inner(messages=("0", "01")), LEAF, LEAF),
    "an empty message beside another": with_nodes(inner(messages=("", "1")), LEAF, LEAF),
    "a message of twos": with_nodes(inner(messages=("0", "2")), LEAF, LEAF),
    "a message that is a number": with_nodes(inner(messages=("0", 1)), LEAF, LEAF),
    "a speaker that is a stranger": with_nodes(inner("carol"), LEAF, LEAF),
    "a node with more": with_nodes({**inner(), "bits": 3}, LEAF, LEAF),
    "fields whose names are numbers": {1: 2, "format": FORMAT},
}


@cases("name", list(HOSTILE))
def test_hostile_data_is_refused_with_an_input_error(name):
    with pytest.raises(InputError):
        ProtocolTree.from_json(HOSTILE[name])


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_data_with_one_part_replaced_is_read_or_refused_but_never_crashes(data):
    junk = st.sampled_from([None, True, -1, 0, 1, 2, 99, 0.5, math.nan, "", "0", "alice", [], [0], {}, [[0]], [[]]])
    changing = copy.deepcopy(GOOD)
    here, path = changing, []
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        path.append(key)
        if not isinstance(here[key], (dict, list)) or data.draw(st.integers(0, 3)) == 0:
            here[key] = data.draw(junk)
            break
        here = here[key]
    try:
        tree = ProtocolTree.from_json(changing)
    except InputError:
        return
    covered = np.zeros(tree.function.shape, dtype=int)
    for leaf in tree.leaves:
        covered[np.ix_(*(leaf.sets[player] for player in tree.function.parties))] += 1
    assert (covered == 1).all()
    Protocol.of_tree(tree).explore()


def test_a_wide_node_is_read_quickly():
    size = 1 << 12
    nodes = inner(
        "alice", [f"{number:012b}" for number in range(size)], range(1, size + 1), [(number,) for number in range(size)]
    )
    started = time.perf_counter()
    tree = ProtocolTree.from_json(with_nodes(nodes, *[LEAF] * size, sizes=(size, 2)))
    assert time.perf_counter() - started < patient(30)
    assert len(tree.leaves) == size


def test_disagreement_at_a_leaf_is_outside_the_promise():
    tree = ProtocolTree.from_json(with_nodes({"answers": {"alice": [0, 1], "bob": [0, 1]}}))
    assert tree.function.codes.tolist() == [[0, DONT_CARE], [DONT_CARE, 1]]
