"""Automata: minimal, from regular expressions, from tasks, from brackets; against brute force."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import SequenceTask
from ccsim.matrices import DONT_CARE
from ccsim.models import Automaton, dyck_automaton, first_difference, from_task
from ccsim.problems import (
    Partition,
    Words,
    associative_recall,
    dyck,
    equality_of_halves,
    index_lookup,
    inequality_of_halves,
    majority_of_word,
    match2,
    parity_of_word,
    regular_language,
)
from tests.refusals import refused


def words_up_to(alphabet, length):
    return [word for size in range(length + 1) for word in itertools.product(alphabet, repeat=size)]


@st.composite
def automata(draw, most=6):
    states, symbols = draw(st.integers(1, most)), draw(st.integers(1, 3))
    table = draw(
        st.lists(
            st.lists(st.integers(0, states - 1), min_size=symbols, max_size=symbols), min_size=states, max_size=states
        )
    )
    outputs = draw(st.lists(st.integers(0, 1), min_size=states, max_size=states))
    return Automaton.of("abc"[:symbols], table, outputs, draw(st.integers(0, states - 1)))


def classes_by_brute_force(automaton):
    """How many different futures the reachable states have; suffixes shorter than the states tell them apart."""
    states, futures = {automaton.first}, words_up_to(range(len(automaton.alphabet)), automaton.states - 1)
    for _ in range(automaton.states):
        states |= {int(after) for state in states for after in automaton.table[state]}

    def answer(state, word):
        for symbol in word:
            state = int(automaton.table[state, symbol])
        return int(automaton.outputs[state])

    return len({tuple(answer(state, word) for word in futures) for state in states})


@settings(max_examples=30, deadline=None)
@given(automata(most=5))
def test_minimal_automata_are_least_and_equivalent(automaton):
    small = automaton.minimise()
    assert small.states == classes_by_brute_force(automaton)
    for length in range(1, 2 * automaton.states):
        assert first_difference(automaton, small, length) is None
    assert small.minimise() == small


@settings(max_examples=30, deadline=None)
@given(automata(), st.randoms())
def test_minimal_automata_do_not_depend_on_how_states_are_numbered(automaton, random):
    order = random.sample(range(automaton.states), automaton.states)
    place = np.argsort(order)
    renamed = Automaton.of(
        automaton.alphabet, place[automaton.table[order]], automaton.outputs[order], int(place[automaton.first])
    )
    assert renamed.minimise() == automaton.minimise()
    assert hash(renamed.minimise()) == hash(automaton.minimise())


def test_automata_are_equal_only_if_everything_is():
    one = Automaton.of("ab", [[0, 1], [1, 0]], [0, 1])
    assert one == Automaton.of("ab", [[0, 1], [1, 0]], [0, 1])
    assert one != Automaton.of("ab", [[0, 1], [1, 0]], [1, 1])
    assert one != Automaton.of("ba", [[0, 1], [1, 0]], [0, 1])
    assert one != "ab"


def test_missing_transitions_lead_to_a_state_of_failure():
    automaton = Automaton.from_transitions({"even": {"a": "odd"}, "odd": {"a": "even"}}, "even", ["even"], "ab")
    assert (automaton.states, automaton("aa"), automaton("aba"), automaton("")) == (3, 1, 0, 1)


def test_bad_transitions_are_refused_by_name():
    for arguments, words in [
        (({0: {"a": 1}}, 0, [0]), r"transitions\[0\]\['a'\] = 1"),
        (({0: {"a": 0}}, 1, [0]), "start"),
        (({0: {"a": 0}}, 0, [2]), "accepting"),
        (({0: {"a": 0}}, 0, [0], "b"), r"transitions\[0\] = 'a'"),
    ]:
        with refused(words):
            Automaton.from_transitions(*arguments)


def test_bounded_brackets_have_a_state_for_each_stack_and_one_for_failure():
    for brackets, depth, states in [(1, 1, 3), (1, 4, 6), (2, 1, 4), (2, 2, 8), (2, 3, 16), (3, 2, 14), (5, 1, 7)]:
        automaton = dyck_automaton(brackets, depth)
        assert automaton.states == states == automaton.minimise().states, (brackets, depth)
        for length in range(1, 9 if brackets < 3 else 5):
            assert automaton.is_right(dyck(length, brackets, depth)), (brackets, depth)


TASKS = [
    parity_of_word(6),
    majority_of_word(7),
    dyck(6),
    dyck(7),
    equality_of_halves(8),
    inequality_of_halves(6),
    match2(5, 4),
    index_lookup(4, "abc"),
    regular_language(6, {0: {"a": 0, "b": 1}, 1: {"a": 0, "b": 1}}, 0, {1}),
]


def test_machines_of_total_tasks_are_right_and_least():
    for task in TASKS:
        machine = from_task(task)
        assert machine.is_right(task), task.name
        for split in range(1, task.length):
            matrix = task.split(Partition.prefix(task.length, split)).codes
            assert len(machine.tables[split]) == len(np.unique(matrix, axis=0)), task.name
        assert len(machine.tables[0]) == 1, task.name


def random_task(seed, free):
    random = np.random.default_rng(seed)
    positions = tuple(tuple("abc"[: random.integers(1, 4)]) for _ in range(4))
    words = Words(positions)
    codes = random.choice([DONT_CARE, 0, 1, 2], words.size, p=[free, *[(1 - free) / 3] * 3])
    return SequenceTask("random", words, ("x", "y", "z"), lambda rows: codes[words.places(rows)])


def test_machines_of_partial_tasks_are_right_wherever_something_is_promised():
    for seed in range(8):
        for free in [0.0, 0.3, 0.8, 1.0]:
            task = random_task(seed, free)
            machine = from_task(task)
            assert machine.is_right(task), (seed, free)
            for split in range(1, task.length):
                matrix = task.split(Partition.prefix(task.length, split)).codes
                assert len(machine.tables[split]) <= len(np.unique(matrix, axis=0)), (seed, free)


def test_a_promise_is_made_use_of():
    task = associative_recall(2)
    machine = from_task(task)
    assert machine.is_right(task)
    matrix = task.split(Partition.prefix(5, 4)).codes
    assert len(machine.tables[4]) == 4 < len(np.unique(matrix, axis=0))


def test_prefixes_that_are_settled_in_different_places_share_a_state():
    codes = {"aa": 0, "bb": 1}
    words = Words.over("ab", 2)
    table = np.array([codes.get(word, DONT_CARE) for word in words])
    task = SequenceTask("two words", words, (0, 1), lambda rows: table[words.places(rows)])
    machine = from_task(task)
    assert [len(rows) for rows in machine.tables] == [1, 1]
    assert machine.is_right(task)
