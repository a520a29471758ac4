"""Trees made from trees: binary form and the balancing lemma compute what they should at their price."""

import numpy as np
import pytest
from hypothesis import given, settings

from ccsim import InputError, Protocol, Receive, Send
from ccsim.engine import balanced, binary
from ccsim.matrices import DONT_CARE
from ccsim.problems import gap_hamming
from protocols.classical import trivial
from tests.cases import cases
from tests.slow import slow
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
)

FEW = settings(max_examples=12, deadline=None)


def assert_binary(tree):
    for node in tree.nodes:
        assert node.is_leaf or [str(message) for message in node.messages] == ["0", "1"]


def assert_as_good(made, tree):
    """A sound binary tree for the same function."""
    assert_consistent(made)
    assert_binary(made)
    assert_computes_its_function(made)
    assert made.function is tree.function
    assert made.knowing == tree.knowing


def assert_balanced(made, tree):
    leaves = len(binary(tree).leaves)
    depth = made.depth
    assert 3**depth <= leaves**2 * 2**depth, (depth, leaves)


@FEW
@given(plans(most_depth=6))
def test_the_binary_form_is_never_deeper_and_computes_the_same(planned):
    tree = tree_of(planned)
    made = binary(tree)
    assert_as_good(made, tree)
    assert made.depth <= tree.depth
    assert len(made.leaves) <= len(tree.leaves)
    assert Protocol.of_tree(made).explore().correct


@FEW
@given(plans(most_depth=7, most_inputs=8))
def test_a_balanced_random_tree_is_as_shallow_as_the_lemma_says(planned):
    tree = tree_of(planned)
    made = balanced(tree)
    assert_as_good(made, tree)
    assert_balanced(made, tree)
    assert Protocol.of_tree(made).explore().correct


@cases("leaves", [2, 3, 5, 10, 120])
def test_a_balanced_caterpillar_is_as_shallow_as_the_lemma_says(leaves):
    tree = caterpillar(leaves).explore().raise_if_wrong().tree
    made = balanced(tree)
    assert_as_good(made, tree)
    assert_balanced(made, tree)
    if leaves == 120:
        assert tree.depth >= 119
        assert made.depth <= 2 * np.log(120) / np.log(1.5)
        assert made.depth < 24


def test_a_leaf_is_balanced_as_it_is():
    parties = dict.fromkeys(PLAYERS[:2], script(answer=5))
    tree = Protocol("five", function_of_table([[0]], (5,)), parties).explore().tree
    for made in (binary(tree), balanced(tree)):
        assert (len(made.nodes), made.depth) == (1, 0)
        assert made.answer(made.root) == 5


def test_free_cells_stay_free():
    tree = trivial(gap_hamming(4)).explore().tree
    assert (balanced(tree).function.codes == DONT_CARE).any()
    assert Protocol.of_tree(balanced(tree)).explore().correct


def test_trees_of_three_parties_take_binary_form_but_are_not_balanced():
    tree = all_say_a_bit().explore().tree
    assert_as_good(binary(tree), tree)
    with pytest.raises(InputError, match="two parties"):
        balanced(tree)


def test_answers_that_depend_on_the_input_are_refused():
    def own(value):
        return value
        yield

    function = function_of_table([[0, 0], [1, 1]])
    tree = Protocol("own", function, {"alice": own, "bob": own}, answer="alice").explore().tree
    for change in (binary, balanced):
        with pytest.raises(InputError, match="all agree"):
            change(tree)


@pytest.mark.parametrize("size", [40, slow(1100)])
def test_a_message_in_unary_is_sent_bit_by_bit(size):
    alice = script(lambda x: Send("1" * x + "0" * (x < size - 1)), answer=0)
    zero = function_of_table(np.zeros((size, 1), dtype=int))
    tree = Protocol("unary", zero, {"alice": alice, "bob": script(Receive(), answer=0)}).explore().tree
    made = binary(tree)
    assert made.depth == size - 1
    assert len(made.leaves) == size
    assert balanced(tree).depth <= 2 * np.log(size) / np.log(1.5)


def test_a_deep_tree_is_put_in_binary_form_without_recursion():
    with few_frames():
        tree = caterpillar(DEEP).explore().tree
        made = binary(tree)
    assert made.depth == tree.depth >= DEEP - 1


def test_a_tree_with_a_silent_speaker_loses_the_silence_in_binary_form():
    parties = {"alice": script(Send("101"), Send(""), answer=0), "bob": script(Receive(), Receive(), answer=0)}
    tree = Protocol("words", function_of_table([[0, 0]]), parties).explore().tree
    assert tree.depth == 3
    assert binary(tree).depth == 0
