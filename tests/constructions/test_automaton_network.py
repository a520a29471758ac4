"""Simple recurrent networks that run automata: the same answers as theirs, at every length."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccsim import InputError
from ccsim.auditing import audit
from ccsim.models import Affine, ElmanLayer, dyck_automaton
from ccsim.models.automata import Automaton, from_regular_expression
from ccsim.models.recurrent.compare import first_difference
from ccsim.problems import dyck
from protocols.constructions import automaton_network

KINDS = ("relu", "sigmoid")


@pytest.mark.parametrize("activation", KINDS)
@pytest.mark.parametrize(("kinds", "depth"), [(1, 1), (2, 2), (1, 4), (3, 2), (2, 3)])
def test_bounded_brackets_at_every_length(activation, kinds, depth):
    network = automaton_network(dyck_automaton(kinds, depth), activation)
    found = audit(network, dyck(400, kinds, depth))
    assert (found.verdict, found.every_length, found.words) == ("right", True, (2 * kinds) ** 400)
    assert network.units == dyck_automaton(kinds, depth).states * 2 * kinds
    assert network.state_bits == network.units * {"relu": 2, "sigmoid": 9}[activation]


@given(
    st.integers(1, 5).flatmap(
        lambda states: st.tuples(
            st.lists(st.lists(st.integers(0, states - 1), min_size=3, max_size=3), min_size=states, max_size=states),
            st.lists(st.integers(0, 2), min_size=states, max_size=states),
            st.integers(0, states - 1),
        )
    ),
    st.sampled_from(KINDS),
)
def test_any_automaton_on_words_of_every_length(made, activation):
    table, outputs, first = made
    automaton = Automaton.of("abc", table, outputs, first, answers=("x", "y", "z"))
    network = automaton_network(automaton, activation)
    for length in (1, 2, 9):
        assert first_difference(network, automaton, length) is None


def test_a_regular_expression():
    automaton = from_regular_expression("(ab|b)*a?", "ab")
    for activation in KINDS:
        assert first_difference(automaton_network(automaton, activation), automaton, 30) is None


@pytest.mark.parametrize("activation", KINDS)
def test_a_unit_that_sees_one_state_too_few_is_found_out(activation):
    network = automaton_network(dyck_automaton(2, 2), activation)
    layer = network.layers[0]
    weights = layer.affine.weights.copy()
    row = next(row for row in range(4, len(weights)) if (weights[row] > 0).any())
    weights[row, np.flatnonzero(weights[row] > 0)] = 0
    spoiled = ElmanLayer(Affine(network.precision, weights, layer.affine.bias), activation)
    assert audit(replace(network, layers=(spoiled,)), dyck(12)).verdict == "wrong"


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="automaton"):
        automaton_network("parity")
    with pytest.raises(InputError, match="one of relu, sigmoid"):
        automaton_network(dyck_automaton(), "tanh")
