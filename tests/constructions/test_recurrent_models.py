"""Recurrent models: tables of recall with as few bits as there can be, and networks that run automata."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import Partition
from ccsim.auditing import audit
from ccsim.models import dyck_automaton
from ccsim.models.automata import Automaton, first_difference
from ccsim.problems import SequenceTask, Words, associative_recall, dyck, multi_query_associative_recall
from protocols.constructions import automaton_network, multi_query_recall_table, recall_table
from protocols.papers.checks import one_way_bits
from tests.refusals import refuse


def digits(number):
    return (number - 1).bit_length()


def in_order(task, pairs):
    """The words whose keys come in the order of the alphabet."""
    keys, values = task.positions[:2]
    words = Words((*itertools.chain.from_iterable(((key,), values) for key in keys), *task.positions[2 * pairs :]))
    rank = np.array([task.alphabet.index(symbol) for symbol in words.alphabet])
    return SequenceTask("in order", words, task.answers, lambda rows: task.evaluate(rank[rows]))


def test_recall_in_any_order_on_every_word():
    for case in ((1,), (2,), (3,), (4,), (2, "xy", "abc"), (3, ("k", "l", "m"), (0, 1, 2)), (2, "pq", "a")):
        assert recall_table(*case).mistake(associative_recall(*case)) is None, case


def test_recall_in_order_on_every_word():
    for pairs in (1, 2, 3, 7):
        model = recall_table(pairs, in_order=True)
        assert model.mistake(in_order(associative_recall(pairs), pairs)) is None
        assert model.state_bits == pairs


@pytest.mark.parametrize("pairs", [1, 2, 3])
def test_no_state_has_fewer_bits(pairs):
    """The certified bits of one message, at the worst place to cut, are those of the state."""
    task, length = associative_recall(pairs), 2 * pairs + 1
    found = [one_way_bits(task.split(Partition.prefix(length, cut))) for cut in range(2 * pairs - 1, length)]
    assert all(bracket.exact for bracket in found)
    needed = max(bracket.lower for bracket in found)
    assert recall_table(pairs).state_bits == needed == max(1, pairs - 1 + digits(pairs))
    assert found[-1].lower == pairs  # after all pairs; what index gives


def test_several_queries_on_every_word():
    for pairs, queries in ((1, 1), (2, 1), (2, 2), (3, 2), (3, 3)):
        task = multi_query_associative_recall(pairs, queries)
        model = multi_query_recall_table(pairs, queries)
        assert model.mistake(task) is None, (pairs, queries)
        assert model.length == len(task.positions)
        ordered = multi_query_recall_table(pairs, queries, in_order=True)
        assert ordered.mistake(in_order(task, pairs)) is None, (pairs, queries)
        assert ordered.state_bits == pairs


@pytest.mark.parametrize("pairs", [2, 3])
def test_several_queries_need_the_same_bits(pairs):
    task, length = multi_query_associative_recall(pairs), 3 * pairs
    found = [one_way_bits(task.split(Partition.prefix(length, cut))).lower for cut in (2 * pairs - 1, 2 * pairs)]
    assert multi_query_recall_table(pairs).state_bits == max(found)
    assert multi_query_recall_table(pairs, in_order=True).state_bits == found[1] == pairs


@settings(max_examples=20)
@given(data=st.data(), pairs=st.integers(2, 40))
def test_long_words_against_a_dictionary(data, pairs):
    model = recall_table(pairs)
    keys = data.draw(st.permutations(model.alphabet[:pairs]))
    values = data.draw(st.lists(st.sampled_from("01"), min_size=pairs, max_size=pairs))
    asked = data.draw(st.sampled_from(keys))
    word = (*itertools.chain.from_iterable(zip(keys, values, strict=True)), asked)
    assert model(word) == dict(zip(keys, values, strict=True))[asked]


def test_bad_arguments_are_refused():
    refuse(
        (lambda: automaton_network("parity"), "automaton"),
        (lambda: automaton_network(dyck_automaton(), "tanh"), "one of relu, sigmoid"),
        (lambda: recall_table(0), "pairs = 0"),
        (lambda: recall_table(2, "abc"), "one for each pair"),
        (lambda: recall_table(2, "01", "01"), "no keys"),
        (lambda: multi_query_recall_table(2, 3), "queries = 3"),
        (lambda: multi_query_recall_table(21), "tuples of answers"),
        (lambda: recall_table(2).codes(np.zeros((1, 4), dtype=np.int64)), "5 symbols"),
        (lambda: multi_query_recall_table(2).codes(np.zeros((1, 5), dtype=np.int64)), "6 symbols"),
    )


KINDS = ("relu", "sigmoid")


@pytest.mark.parametrize("activation", KINDS)
@pytest.mark.parametrize(("kinds", "depth"), [(2, 2), (1, 4)])
def test_bounded_brackets_at_every_length(activation, kinds, depth):
    network = automaton_network(dyck_automaton(kinds, depth), activation)
    found = audit(network, dyck(400, kinds, depth))
    assert (found.verdict, found.every_length, found.words) == ("right", True, (2 * kinds) ** 400)
    assert network.units == dyck_automaton(kinds, depth).states * 2 * kinds
    assert network.state_bits == network.units * {"relu": 2, "sigmoid": 9}[activation]


@settings(max_examples=25)
@given(
    st.integers(1, 4).flatmap(
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
