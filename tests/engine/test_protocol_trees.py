"""Protocol trees: what they hold together, drawings, graphs, and trees that run again."""

from itertools import product

import numpy as np
from hypothesis import given, settings

from ccsim import Protocol, Receive, Send, simultaneous
from ccsim.problems import disjointness, equality
from protocols.classical import trivial
from tests.strategies import (
    DEEP,
    PLAYERS,
    all_say_a_bit,
    assert_computes_its_function,
    assert_consistent,
    caterpillar,
    few_frames,
    function_of_table,
    plans,
    script,
    tree_of,
    walk_plan,
)

FEW = settings(max_examples=10, deadline=None)


def leaf_set(tree):
    return {
        (
            *(tuple(leaf.sets[player].tolist()) for player in tree.function.parties),
            leaf.bits,
            leaf.rounds,
            tree.answer(leaf),
        )
        for leaf in tree.leaves
    }


@FEW
@given(plans())
def test_children_partition_their_speakers_inputs_and_leaves_all_pairs(planned):
    tree = tree_of(planned)
    assert_consistent(tree)
    assert_computes_its_function(tree)


@FEW
@given(plans())
def test_a_tree_run_as_a_protocol_explores_to_the_same_tree(planned):
    tree = tree_of(planned)
    explored = Protocol.of_tree(tree, "again").explore()
    assert explored.correct
    again = explored.tree
    assert leaf_set(again) == leaf_set(tree)
    assert_consistent(again)


@FEW
@given(plans(agree=False))
def test_a_tree_whose_answers_depend_on_the_input_runs_as_before(planned):
    for answer in ("alice", "bob"):
        tree = tree_of(planned, answer)
        protocol = Protocol.of_tree(tree)
        assert protocol.answer == answer
        assert protocol.explore().correct
        for inputs in product(*map(range, planned.sizes)):
            assert protocol.run(*inputs).answer == walk_plan(planned.plan, inputs)[1][PLAYERS.index(answer)]


def test_a_tree_of_three_parties_is_consistent_and_runs_again():
    tree = all_say_a_bit().explore().tree
    assert_consistent(tree)
    assert leaf_set(Protocol.of_tree(tree).explore().tree) == leaf_set(tree)


def test_a_tree_with_a_referee_has_its_answers():
    def referee():
        return int((yield Receive("alice")) == (yield Receive("bob")))

    parties = {"alice": script(Send), "bob": script(Send), "referee": referee}
    tree = Protocol("referee", equality(1), parties, simultaneous(), "referee").explore().tree
    assert len(tree.leaves) == 4
    assert [tree.answer(leaf) for leaf in tree.leaves] == [1, 0, 0, 1]


@FEW
@given(plans())
def test_a_drawing_has_a_line_for_each_node(planned):
    tree = tree_of(planned)
    lines = tree.draw().splitlines()
    assert len(lines) == len(tree.nodes)
    assert sum(" sends " in line for line in lines) == len(tree.nodes) - len(tree.leaves)


def test_a_wrong_protocol_keeps_its_tree_unless_the_walk_broke_off():
    wrong = Protocol("wrong", equality(1), dict.fromkeys(("alice", "bob"), script(answer=0))).explore()
    assert not wrong.correct
    assert len(wrong.tree.leaves) == 1

    broken = Protocol("broken", equality(1), {"alice": script(answer=0), "bob": script(Receive())}).explore()
    assert broken.tree is None


def test_a_tree_that_is_not_wanted_is_not_kept():
    explored = trivial(disjointness(4)).explore(keep_tree=False)
    assert explored.tree is None
    assert (explored.worst_bits, explored.leaves) == (5, 31)


def test_average_bits_of_an_input_outside_the_promise_do_not_count():
    function = function_of_table([[0, -1]], (0, 1))

    bob = script(lambda y: Send("111" if y else "0"), answer=0)
    protocol = Protocol("free", function, {"alice": script(Receive(), answer=0), "bob": bob})
    weights = np.array([[1, 1]])
    assert protocol.measure_error().average_bits(weights) == 1


def test_an_answer_that_differs_on_a_leaf_is_none():
    def own(value):
        return value
        yield

    function = function_of_table([[0, 0], [1, 1]])
    tree = Protocol("own", function, {"alice": own, "bob": own}, answer="alice").explore().tree
    assert tree.answer(tree.root) is None
    assert tree.draw() == "answer None: 2 x 2 inputs"


def test_a_deep_tree_is_drawn_and_run_without_recursion():
    with few_frames():
        tree = caterpillar(DEEP).explore().raise_if_wrong().tree
        assert tree.depth >= DEEP - 1
        assert len(tree.draw().splitlines()) == len(tree.nodes)
        assert Protocol.of_tree(tree).run(3, DEEP // 3).answer == 1
