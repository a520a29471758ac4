"""Intervals for the accuracy: beside all words one by one, on many models."""

import math
from dataclasses import replace
from types import SimpleNamespace

import pytest

import ccsim as cc
from ccsim.auditing import Accuracy, Audit, Budget, state_sets
from ccsim.auditing.product_reachability import Subject
from ccsim.auditing.result import AccuracyBounds, Outcome
from ccsim.auditing.state_sets import bound_by_covers, count_by_cover, is_followed
from ccsim.models import GRU, LSTM, DiagonalStateSpace, Elman, LinearAttention, SelectiveStateSpace, TransitionTable
from ccsim.problems import dyck, index_lookup, majority_of_word, parity_of_word, regular_language
from protocols.trained import trained_model
from tests.oracles.every_word import brute_force

KINDS = (Elman, LSTM, GRU, DiagonalStateSpace, SelectiveStateSpace)
TASKS = (parity_of_word(6), majority_of_word(7), index_lookup(4), dyck(4))


def intervals(kinds, seeds, mosts, bits=(6, 9, 16)):
    for kind in kinds:
        for seed in seeds:
            task = TASKS[seed % len(TASKS)]
            sizes = {"width": 2 + seed % 2, "layers": 1 + seed % 3 // 2, "precision": bits[seed % len(bits)]}
            model = kind.random(task.alphabet, answers=task.answers, seed=seed, **sizes)
            pair = Subject.of(model, task)
            for most in mosts:
                found = count_by_cover(pair, most, Budget(), seed % 3 == 0)
                yield pair, most, found


def check(pair, most, found):
    told, (promised, wrong) = found.accuracy, brute_force(pair.model, pair.task)
    assert told.words == promised
    assert told.right <= promised - len(wrong) <= promised - told.wrong, (pair.model.name, pair.task.name, most)
    if most >= math.prod(map(len, pair.symbols)):
        assert told.is_exact
    if told.wrong:
        assert pair.wrong(found.first[None]).all()


def test_the_true_accuracy_is_inside():
    decided = []
    for pair, most, found in intervals(KINDS, range(2), (4, 1 << 10)):
        check(pair, most, found)
        if most == 4:
            decided.append(float((found.accuracy.right + found.accuracy.wrong) / found.accuracy.words))
    assert sum(decided) / len(decided) > 0.3  # it also says something


@pytest.mark.slow
def test_the_true_accuracy_is_inside_for_thousands_of_models():
    for one in intervals(KINDS, range(100, 220), (3, 9, 30)):
        check(*one)


@pytest.mark.slow
def test_numbers_of_23_bits_are_followed():
    model = trained_model("dyck-mamba").model
    assert model.state_precisions[0].bits == 23
    pair = Subject.of(model, dyck(4))
    found = count_by_cover(pair, 64, Budget(seconds=1000))
    check(pair, 64, found)
    assert found.accuracy.wrong == 2


def test_more_sets_say_more_until_all_is_said():
    pair = Subject.of(trained_model("dyck-lstm").model, dyck(6))
    first = count_by_cover(pair, 20, Budget())
    found = bound_by_covers(pair, Budget(states=1 << 6, seconds=1000))
    assert first.accuracy.right + first.accuracy.wrong < found.accuracy.right + found.accuracy.wrong
    assert found.accuracy.joined(first.accuracy) == found.accuracy


def test_sets_after_different_last_symbols_are_tried_apart_before_the_time_is_over(monkeypatch):
    """Each round takes 12 seconds of 20, and that one alone decides all words."""
    now = SimpleNamespace(time=0.0)

    def slow(pair, most, budget, by_symbol):
        now.time += 12.0
        budget.require_time("sets")
        return AccuracyBounds(Accuracy(1 << 30, (1 << 30) - (not by_symbol), 0, "sets"), None)

    monkeypatch.setattr(state_sets, "count_by_cover", slow)
    pair = Subject.of(GRU.random("01", width=2, precision=8, seed=0), majority_of_word(30))
    found = bound_by_covers(pair, Budget(seconds=20.0, clock=lambda: now.time))
    assert found.accuracy.is_exact


def latched(answers=(0, 1)):
    """A network of one unit that holds whether a 1 was read, and forgets by little what it held."""
    return Elman.from_arrays(
        "01",
        precision=16,
        embedding=[[0.0], [3.0]],
        layers=[Elman.layer_kind.from_arrays(16, [[1.0]], [[2.0]])],
        scores=[[-1.0], [1.0]],
        scores_bias=[0.5, 0.0],
        answers=answers,
    )


def some_one(length):
    return regular_language(length, {0: {"0": 0, "1": 1}, 1: {"0": 1, "1": 1}}, 0, [1])


def test_a_model_is_proved_right_by_few_sets_on_very_many_words():
    pair = Subject.of(latched(), some_one(40))
    found = count_by_cover(pair, 8, Budget())
    assert (found.accuracy.right, found.accuracy.words) == (1 << 40, 1 << 40)
    turned = count_by_cover(Subject.of(latched((1, 0)), some_one(40)), 8, Budget())
    assert (turned.accuracy.right, turned.accuracy.wrong) == (0, 1 << 40)


def test_a_failing_word_is_counted_where_sets_prove_none_wrong():
    task = parity_of_word(9)
    pair = Subject.of(TransitionTable.random("01", states=3, seed=0), task)
    failure = cc.audit(pair.model, task).failure
    found = Outcome("wrong", "out of time", failure=failure)
    none, some = (AccuracyBounds(Accuracy(512, 9, wrong, "sets"), None) for wrong in (0, 7))
    assert found.narrowed(pair, none).accuracy == Accuracy(512, 9, 1, "sets")
    assert found.narrowed(pair, some).accuracy.wrong == 7
    assert replace(found, verdict="undecided", failure=None).narrowed(pair, none).accuracy.wrong == 0


def test_all_words_counted_is_an_interval_of_one_point():
    found = cc.audit(TransitionTable.random("01", states=3, seed=0), parity_of_word(9))
    assert found.accuracy.is_exact
    assert found.accuracy.at_most == 1 - found.error_rate
    old = found.to_json()
    del old["accuracy"]  # as audits were written before
    assert Audit.from_json(old, parity_of_word(9)).accuracy == found.accuracy


def test_audits_that_contradict_themselves_are_refused():
    for change in [{"right": 3}, {"wrong": 1 << 30}, {"words": 7}, {"right": -1}, {"right": 1.5}, {"how": 3}]:
        found = cc.audit(TransitionTable.random("01", states=3, seed=0), parity_of_word(9)).to_json()
        found["accuracy"] |= change
        with pytest.raises(cc.InputError, match="an audit of"):
            Audit.from_json(found, parity_of_word(9))


def test_audits_of_before_load_unless_boxes_of_states_prove_them():
    found = cc.audit(TransitionTable.random("01", states=3, seed=0), parity_of_word(9))
    assert Audit.from_json(found.to_json() | {"invariant": None}, parity_of_word(9)) == found
    with pytest.raises(cc.InputError, match="boxes of states were checked up to commit"):
        Audit.from_json(found.to_json() | {"invariant": {"ahead": 1}}, parity_of_word(9))


def test_what_is_not_known_for_sets_is_not_followed():
    assert is_followed(GRU.random("01", width=2, precision=8, seed=0))
    assert not is_followed(LinearAttention.random("01", width=2, precision=8, seed=0))
    assert not is_followed(GRU.random("01", width=2, precision=30, seed=0))
    assert not is_followed(TransitionTable.random("01", states=3, seed=0))


def test_two_intervals_that_contradict_each_other_are_an_error():
    one = Accuracy(10, 6, 1, "a")
    assert one.joined(Accuracy(10, 2, 4, "b")) == Accuracy(10, 6, 4, "a")
    with pytest.raises(ArithmeticError, match="contradicts"):
        one.joined(replace(one, right=1, wrong=5))
