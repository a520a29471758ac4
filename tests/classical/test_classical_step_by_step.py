"""Generator forms do exactly what the array forms do."""

from itertools import product

import numpy as np
import pytest

from ccsim.problems import clique_independent_set, disjointness, equality, gap_hamming, index, median
from protocols.classical import (
    inner_product_equality,
    inner_product_equality_step_by_step,
    trivial,
    trivial_step_by_step,
    two_way_index,
    two_way_index_step_by_step,
)


def shape(protocol):
    """The tree as nested tuples: at each node who may say what, meaning what, on which inputs, with which answers."""
    tree = protocol.explore().raise_if_wrong().tree

    def below(node):
        inputs = tuple(tuple(part.tolist()) for part in node.sets.values())
        answers = {role: np.unique(codes).tolist() for role, codes in node.answers.items()}
        parts = zip(map(str, node.messages), tree.children(node), strict=True)
        return (node.speaker, node.label, inputs, answers, {message: below(child) for message, child in parts})

    return below(tree.root)


FUNCTIONS = [equality(3), disjointness(3), index(4), median(3), gap_hamming(3)]


@pytest.mark.parametrize("sender", ["alice", "bob"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_trivial(function, sender):
    assert shape(trivial(function, sender)) == shape(trivial_step_by_step(function, sender))


def test_trivial_on_a_graph():
    import networkx

    function = clique_independent_set(networkx.cycle_graph(5))
    assert shape(trivial(function)) == shape(trivial_step_by_step(function))


@pytest.mark.parametrize("n", [1, 2, 5, 6])
def test_two_way_index(n):
    assert shape(two_way_index(n)) == shape(two_way_index_step_by_step(n))


def test_inner_product_equality():
    arrays, generators = inner_product_equality(3, 2), inner_product_equality_step_by_step(3, 2)
    first, second = arrays.measure_error(), generators.measure_error()
    assert not second.violations
    assert (first.wrong == second.wrong).all()
    assert (first.bits == second.bits).all()
    for x, y, public in product(("000", "011", "110"), ("011", "101"), range(0, 64, 7)):
        runs = [protocol.run(x, y, public=public) for protocol in (arrays, generators)]
        assert runs[0].transcript == runs[1].transcript
