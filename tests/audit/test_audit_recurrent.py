"""Audits of recurrent models: exact counts against brute force, proofs for long words, words that must fail."""

from fractions import Fraction

import numpy as np
import pytest

import ccsim as cc
from ccsim.matrices import DONT_CARE
from ccsim.models import (
    GRU,
    LSTM,
    Automaton,
    DiagonalStateSpace,
    Elman,
    LinearAttention,
    SelectiveStateSpace,
    TransitionTable,
    dyck_automaton,
    from_task,
)
from ccsim.problems import (
    associative_recall,
    disjointness_of_halves,
    dyck,
    equality_of_halves,
    index_lookup,
    intersection_of_halves,
    majority_of_word,
    match3,
    parity_of_word,
    regular_language,
)
from ccsim.problems.inputs import Words
from ccsim.problems.sequence_tasks import SequenceTask, table_machine
from protocols.constructions import shift_register
from tests.oracles.every_word import brute_force
from tests.slow import slow
from tests.speed import patient

KINDS = (Elman, LSTM, GRU, LinearAttention, DiagonalStateSpace, SelectiveStateSpace)
SMALL = [
    lambda: dyck(6),
    lambda: equality_of_halves(10),
    lambda: disjointness_of_halves(8),
    lambda: index_lookup(7),
    lambda: associative_recall(3),
    lambda: majority_of_word(9),
    lambda: match3(4, 5),
]


def test_counts_are_those_of_brute_force():
    for seed in range(14):
        task = SMALL[seed % len(SMALL)]()
        kind = KINDS[seed % len(KINDS)]
        model = kind.random(task.alphabet, width=1 + seed % 2, precision=5, seed=seed, answers=task.answers)
        found = cc.audit(model, task)
        promised, wrong = brute_force(model, task)
        assert (found.words, found.wrong_words) == (promised, len(wrong)), seed
        assert found.error_rate == Fraction(len(wrong), promised), seed
        assert found.verdict == ("wrong" if wrong else "right"), seed
        if wrong:
            assert task.words.index(task.words.word(found.failure.word)) in wrong, seed
            assert found.verify(), seed


def test_tables_that_differ_at_every_position_are_counted_too():
    task = equality_of_halves(8)
    model = TransitionTable.random("01", states=12, seed=3, length=8)
    found = cc.audit(model, task)
    assert (found.words, found.wrong_words) == (256, len(brute_force(model, task)[1]))


def test_right_models_are_proved_right():
    for model, task, every in [
        (lambda: dyck_automaton(2, 2), lambda: dyck(12), True),
        (lambda: dyck_automaton(3, 4), lambda: dyck(14, 3, 4), True),
        (lambda: shift_register(9), lambda: index_lookup(9), False),
        (lambda: from_task(equality_of_halves(10)), lambda: equality_of_halves(10), False),
        (lambda: from_task(associative_recall(3)), lambda: associative_recall(3), False),
        (lambda: Automaton.of("01", [[0, 1], [1, 0]], [0, 1]), lambda: parity_of_word(20), True),
    ]:
        found = cc.audit(model(), task())
        assert (found.verdict, found.failure, found.shortest, found.wrong_words) == ("right", None, None, 0), (
            task().name
        )
        assert found.every_length is every, task().name
        assert not found.need.excluded, task().name


def test_a_deeper_automaton_is_wrong_on_exactly_the_deeper_words():
    found = cc.audit(dyck_automaton(2, 3), dyck(40))
    deep = cc.audit(dyck_automaton(2, 2), dyck(40, 2, 3))
    assert found.wrong_words == deep.wrong_words > 0
    assert "".join(found.shortest) == "((()))"
    accepted = cc.audit(Automaton.of("()[]", [[0] * 4], [0]), dyck(40)).wrong_words  # it rejects every word
    assert accepted == 2**39


def test_the_shortest_wrong_word_is_the_shortest():
    model = GRU.random("()[]", width=1, precision=6, seed=2)
    found = cc.audit(model, dyck(8))
    size = len(found.shortest)
    assert model(found.shortest) != dyck(size)("".join(found.shortest))
    for length in range(1, size):
        assert model.is_right(dyck(length))


def test_the_proof_for_every_length_does_not_rest_on_this_length():
    # Right on words of up to 5 symbols only: it counts them, and says 1 from six on.
    table = [[min(state + 1, 6)] * 2 for state in range(7)]
    model = Automaton.of("01", table, [0, 0, 0, 0, 0, 0, 1])
    never = Automaton.of("01", [[0, 0]], [0])
    assert model.is_right(never.task(5))
    short = cc.audit(model, regular_language(5, {0: {"0": 0, "1": 0}}, 0, []))
    assert (short.verdict, short.every_length) == ("right", False)
    assert len(short.shortest) == 6


@pytest.mark.parametrize(
    ("kind", "task", "options"),
    [
        (LSTM, lambda: equality_of_halves(60), {"width": 1, "precision": 12}),
        slow(GRU, lambda: index_lookup(100), {"width": 2, "precision": 16}),
        (Elman, lambda: disjointness_of_halves(80), {"width": 3, "precision": 8}),
        slow(DiagonalStateSpace, lambda: intersection_of_halves(80), {"width": 1, "precision": 16}),
        slow(SelectiveStateSpace, lambda: associative_recall(24), {"width": 1, "precision": 8}),
    ],
)
def test_large_states_collide_in_a_structured_family(kind, task, options):
    task = task()
    model = kind.random(task.alphabet, seed=5, answers=task.answers, **options)
    found = cc.audit(model, task, states=1 << 9, words=1 << 10)
    assert (found.verdict, found.words) == ("wrong", None)
    assert "too many states" in found.reason
    assert "reached" in found.reason
    collision = found.failure.collision
    assert collision is not None
    first, second = (task(task.words.word(word)) for word in collision.words)
    assert first != second
    assert model(collision.words[0]) == model(collision.words[1])
    assert found.verify()


def test_what_cannot_be_decided_is_said_to_be_undecided():
    found = cc.audit(shift_register(40), index_lookup(40), states=1 << 8, words=1 << 8, seconds=patient(5))
    assert (found.verdict, found.failure, found.wrong_words) == ("undecided", None, None)
    assert "256" in found.reason
    with pytest.raises(cc.InputError, match="failing word"):
        found.verify()


def test_bounds_name_the_best_prefix_and_the_length_from_which_a_size_is_excluded():
    tables = TransitionTable.random("01", states=8, seed=0)
    need = cc.audit(tables, equality_of_halves(10)).need
    assert (need.bits, need.partition, need.has, need.excluded) == (5, "a prefix of 5", 3, True)
    assert (need.excluded_from, need.multiples_of) == (8, 2)  # 2^4 prefixes of four symbols in three bits
    need = cc.audit(shift_register(6), index_lookup(6)).need
    assert (need.bits, need.has, need.excluded, need.excluded_from) == (6, 6, False, 7)
    need = cc.audit(TransitionTable.random("()", states=2, seed=0), dyck(6, 1, 2)).need
    assert (need.excluded, need.excluded_from) == (True, None)


def too_small(number):
    """One of many models that are too small for their task, and the task."""
    task = [
        lambda: index_lookup(12),
        lambda: equality_of_halves(24),
        lambda: disjointness_of_halves(20),
        lambda: associative_recall(8),
        lambda: index_lookup(40),
        lambda: equality_of_halves(60),
    ][number % 6]()
    kind = KINDS[number % len(KINDS)]
    return kind.random(task.alphabet, width=1, precision=4, seed=number, answers=task.answers), task


def fails(number):
    model, task = too_small(number)
    found = cc.audit(model, task, states=1 << 13, words=1 << 12, seconds=patient(10))
    assert found.verdict == "wrong", found
    word = found.failure.word
    assert model(word) != task(task.words.word(word))
    assert found.verify()
    return found


def test_a_failing_word_is_found_for_models_that_are_too_small():
    for number in range(0, 210, 35):
        fails(number)


@pytest.mark.slow
def test_a_failing_word_is_found_for_each_of_300_recurrent_models():
    found = [fails(number) for number in range(300)]
    assert sum(audit.need.excluded for audit in found) > 200
    # How many of them a search finds before its time is over depends on the machine: 191 of 300 on a slow one.
    searched = [audit for audit in found if audit.failure.found_by != "bounds of all states"]
    assert len(searched) > 100
    assert all(audit.failure.collision is not None for audit in searched)


def test_bad_input_is_named():
    with pytest.raises(cc.InputError, match="symbol"):
        cc.audit(LSTM.random("ab", width=1, precision=6, seed=0), dyck(4))
    with pytest.raises(cc.InputError, match="words of 9 symbols"):
        cc.audit(shift_register(4), index_lookup(8))
    with pytest.raises(cc.InputError, match="seconds"):
        cc.audit(dyck_automaton(), dyck(4), seconds=0)
    with pytest.raises(cc.InputError, match="model"):
        cc.audit("lstm", dyck(4))


def test_words_without_an_answer_are_not_counted():
    """All words but those with a single 1 have the answer 0."""
    table, outputs = np.array([[0, 1], [1, 2], [2, 2]]), np.array([0, DONT_CARE, 0])

    def evaluate(words):
        return np.where(np.asarray(words).sum(axis=-1) == 1, DONT_CARE, 0)

    for length in (6, 14, 50):
        words = Words.over("01", length)
        task = SequenceTask("partial", words, (0, 1), evaluate, machine=table_machine(table, 0, outputs))
        found = cc.audit(Automaton.of("01", [[0, 0]], [0]), task)
        assert (found.verdict, found.words, found.wrong_words) == ("right", 2**length - length, 0)
        assert found.accuracy.right == 2**length - length
