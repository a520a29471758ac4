"""How many states a task demands of every recurrent model, and what goes wrong in one that has fewer."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import InputError, Partition
from ccsim.models import Automaton, TransitionTable, dyck_automaton, from_regular_expression, from_task
from ccsim.problems import (
    associative_recall,
    dyck,
    equality_of_halves,
    index_lookup,
    inequality_of_halves,
    multi_query_associative_recall,
    parity_of_word,
)
from protocols.constructions.recurrent import shift_register
from protocols.reductions.recurrent import automaton_bits, confusion, state_bound


def classes_by_brute_force(task):
    """The different rows of the matrix at every split."""
    splits = range(1, task.length)
    return tuple(len(np.unique(task.split(Partition.prefix(task.length, k)).codes, axis=0)) for k in splits)


@pytest.mark.parametrize(
    ("task", "bits"),
    [
        (parity_of_word(6), 1),
        (dyck(8), 3),
        (dyck(9), 0),
        *((inequality_of_halves(2 * bits), bits) for bits in range(1, 7)),  # theorem 11: half of the length
        (equality_of_halves(10), 5),
        (index_lookup(5), 5),
        (index_lookup(3, "abc"), 5),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_total_tasks_are_counted_exactly(task, bits):
    bound = state_bound(task)
    assert bound.classes == classes_by_brute_force(task)
    assert bound.bits == bits
    bracket = bound.bracket()
    assert (bracket.lower, bracket.upper) == (bits, bits)
    assert from_task(task).state_bits >= bits


@pytest.mark.parametrize(
    ("task", "bits"),
    [(associative_recall(2), 2), (associative_recall(3), 3), (multi_query_associative_recall(2), 2)],
    ids=lambda value: getattr(value, "name", value),
)
def test_recall_needs_a_bit_for_each_pair(task, bits):
    """Proposition 9 and theorem 8; both tasks have a promise."""
    bound = state_bound(task)
    assert bound.bits >= bits
    rows = task.split(Partition.prefix(task.length, bound.split)).codes
    assert bound.states <= len(np.unique(rows, axis=0))
    assert len(from_task(task).tables[bound.split]) >= bound.states


def test_automata_need_a_number_for_each_state():
    assert automaton_bits(dyck_automaton(2, 2)) == 3
    assert automaton_bits(from_regular_expression("(a|b)*a(a|b){4}", "ab")) == 5
    assert automaton_bits(Automaton.of("ab", [[1, 1], [0, 0]], [1, 1])) == 0
    doubled = Automaton.of("01", [[0, 1], [1, 2], [2, 3], [3, 0]], [0, 1, 0, 1])
    assert automaton_bits(doubled) == 1


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from([equality_of_halves(6), index_lookup(3), dyck(6), associative_recall(2)]),
    st.integers(1, 16),
)
def test_models_with_too_few_states_show_two_prefixes_that_they_confuse(seed, task, states):
    model = TransitionTable.random(task.alphabet, states=states, seed=seed, answers=task.answers)
    found = confusion(model, task)
    if states < state_bound(task).states:
        assert found is not None
    if found is None:
        return
    first, second = found.words
    assert len(found.prefixes[0]) == len(found.prefixes[1])
    assert found.prefixes[0] != found.prefixes[1]
    assert (task(task.words.word(first)), task(task.words.word(second))) == found.answers
    assert found.answers[0] != found.answers[1]
    assert None not in found.answers
    assert model(first) == model(second)
    assert not model.is_right(task)
    held = [model.run(model.ranks(prefix)[None]) for prefix in found.prefixes]
    assert np.array_equal(*held)


def test_right_models_confuse_nothing():
    for task, model in [
        (index_lookup(4), shift_register(4)),
        (dyck(6), dyck_automaton(2, 2)),
        (dyck(6), from_task(dyck(6))),
        (associative_recall(2), from_task(associative_recall(2))),
    ]:
        assert model.is_right(task)
        assert confusion(model, task) is None


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: confusion(from_task(dyck(4)), dyck(6)), "words of 6 symbols"),
        (lambda: confusion(dyck_automaton(2, 2), dyck(6), split=7), "split"),
        (lambda: confusion(dyck_automaton(1, 2), dyck(6)), "symbol"),
        (lambda: confusion(5, dyck(4)), "model"),
        (lambda: confusion(dyck_automaton(2, 2), 5), "task"),
        (lambda: state_bound(5), "task"),
    ],
)
def test_only_tasks_and_models_that_fit_are_taken(call, told):
    with pytest.raises(InputError, match=told):
        call()
