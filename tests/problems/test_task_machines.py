"""Tasks read from left to right: the machine and the function are two ways to the same answer."""

import numpy as np

from ccsim.problems import (
    associative_recall,
    disjointness_of_halves,
    dyck,
    equality_of_halves,
    index_lookup,
    inequality_of_halves,
    intersection_of_halves,
    majority_of_word,
    multi_query_associative_recall,
    parity_of_word,
    regular_language,
)
from tests.cases import cases

HALVES = (equality_of_halves, inequality_of_halves, disjointness_of_halves, intersection_of_halves)
TASKS = [
    *(dyck(length) for length in (1, 2, 5, 6)),
    dyck(6, 1, 3),
    dyck(6, 3, 1),
    dyck(4, 2, 9),
    *(build(length) for build in HALVES for length in (2, 6)),
    index_lookup(1),
    index_lookup(5),
    index_lookup(3, "abc"),
    associative_recall(2),
    associative_recall(3),
    associative_recall(2, keys="abc"),
    multi_query_associative_recall(2),
    multi_query_associative_recall(3, 2),
    multi_query_associative_recall(2, 1, "abc"),
    parity_of_word(6),
    majority_of_word(6),
    regular_language(5, {0: {"a": 0, "b": 1}, 1: {"a": 0}}, 0, {1}),
]


def states_of(task, rows):
    """The states after 0, 1, ... symbols."""
    states = [np.broadcast_to(task.machine.start, (len(rows), len(task.machine.start)))]
    for position in range(task.length):
        states.append(task.machine.step(states[-1], rows[:, position], position + 1))
    return states


@cases("task", TASKS)
def test_the_machine_answers_as_the_task_on_every_word(task):
    rows = task.words.array(task.words.indices())
    assert np.array_equal(task.machine.codes(states_of(task, rows)[-1]), task.evaluate(rows))


@cases("task", [task for task in TASKS if task.machine.separate])
def test_the_end_that_separates_two_states_does(task):
    rows = task.words.array(task.words.indices())
    states, generator = states_of(task, rows), np.random.default_rng(0)
    found = 0
    for _ in range(200):
        read, (one, two) = int(generator.integers(0, task.length)), generator.integers(0, len(rows), 2)
        end = task.machine.separate(states[read][one], states[read][two], read)
        if end is None:
            continue
        found += 1
        words = np.stack([np.concatenate([rows[place][:read], end]) for place in (one, two)])
        codes = task.evaluate(words)
        assert words.shape[1] == task.length
        assert codes[0] != codes[1]
        assert (codes >= 0).all()
    assert found > 5


@cases("build", [*HALVES, index_lookup])
def test_different_states_are_always_separated_where_the_task_is_total(build):
    task = build(6)
    rows = task.words.array(task.words.indices())
    states = states_of(task, rows)
    for read in range(1, task.length):
        different = np.unique(states[read], axis=0)
        for one in different[:6]:
            for two in different[-6:]:
                assert (task.machine.separate(one, two, read) is None) == np.array_equal(one, two)


@cases("build", HALVES)
def test_fooling_words_have_one_answer_and_crossed_ones_the_other(build):
    task = build(8)
    bits = np.arange(16)[:, None] >> np.arange(4) & 1
    words = task.machine.fooling(bits)
    whole = set(task.evaluate(words).tolist())
    assert len(whole) == 1
    for one in words:
        for two in words:
            if not np.array_equal(one, two):
                crossed = np.stack([np.concatenate([one[:4], two[4:]]), np.concatenate([two[:4], one[4:]])])
                assert set(task.evaluate(crossed).tolist()) - whole


@cases("build", [dyck, parity_of_word])
def test_a_machine_for_every_length_is_one(build):
    machine = build(6).machine
    assert machine.every_length
    for length in range(1, 9):
        task = build(length)
        rows = task.words.array(np.random.default_rng(length).integers(0, task.words.size, 200))
        states = np.broadcast_to(machine.start, (len(rows), len(machine.start)))
        for position in range(length):
            states = machine.step(states, rows[:, position], position + 1)
        assert np.array_equal(machine.codes(states), task.evaluate(rows))


def test_long_words_keep_many_digits():
    task = equality_of_halves(300)
    generator = np.random.default_rng(0)
    half = generator.integers(0, 2, (8, 150))
    words = np.concatenate([half, half], axis=1)
    words[4:, 299] ^= 1
    assert task.machine.codes(states_of(task, words)[-1]).tolist() == task.evaluate(words).tolist() == [1] * 4 + [0] * 4
