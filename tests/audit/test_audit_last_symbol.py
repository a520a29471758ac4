"""Models whose answer is told by their last symbol: counted on all words at once, and only these."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ccsim as cc
from ccsim.auditing.product_reachability import Budget, Subject
from ccsim.auditing.state_sets import answers_by_last_symbol, bound_by_last_symbol
from ccsim.models import GRU, LSTM, DiagonalStateSpace, Elman, ElmanLayer, SelectiveStateSpace, Transformer
from ccsim.problems import dyck, index_lookup, majority_of_word, multi_query_associative_recall
from ccsim.problems.sequence_tasks import SequenceTask
from tests.oracles.every_word import brute_force

KINDS = (LSTM, GRU, Elman, DiagonalStateSpace, SelectiveStateSpace)
TASKS = (majority_of_word(7), dyck(4), index_lookup(2))


def biased(model: cc.models.RecurrentModel, seed: int) -> cc.models.RecurrentModel:
    """The model with smaller weights of its read-out and a bias, so that the last symbol may tell its answer."""
    generator, scores = np.random.default_rng(seed), model.scores
    bias = model.precision.saturate(generator.integers(-40, 41, len(scores.bias)) * int(generator.integers(0, 4)))
    return replace(model, scores=replace(scores, weights=scores.weights // int(generator.integers(1, 40)), bias=bias))


def check(model: cc.models.SequenceModel, task: SequenceTask) -> bool:
    """Whether the count is made; it is compared with running every word."""
    pair = Subject.of(model, task)
    found = bound_by_last_symbol(pair, Budget())
    if found is None:
        return False
    promised, wrong = brute_force(model, task)
    assert (found.accuracy.words, found.accuracy.wrong, found.accuracy.is_exact) == (promised, len(wrong), True)
    assert (found.first is None) == (not wrong)
    assert found.first is None or pair.wrong(found.first[None])[0]
    return True


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_as_running_all_words(kind: type) -> None:
    made = 0
    for seed in range(24):
        task = TASKS[seed % len(TASKS)]
        sizes = {"width": 1 + seed % 3, "precision": 6 + seed % 5, "layers": 1 + seed % 2}
        model = kind.random(task.alphabet, answers=task.answers, seed=seed, **sizes)
        made += check(biased(model, seed), task)
    assert 2 < made < 24


def test_of_some_models() -> None:
    task = majority_of_word(7)
    models = [biased(GRU.random("01", width=2, precision=8, seed=seed), seed) for seed in range(6)]
    made = [check(model, task) for model in models]
    assert any(made)
    assert not all(made)


def test_an_answer_told_by_the_symbol_before_the_last() -> None:
    layer = ElmanLayer.from_arrays(12, weight_ih=[[4, 0], [0, 0]], weight_hh=[[0, 0], [4, 0]])
    scores = {"precision": 12, "embedding": [[-1, 0], [1, 0]], "layers": [layer]}
    before = Elman.from_arrays("01", scores=[[0, -1], [0, 1]], **scores)
    last = Elman.from_arrays("01", scores=[[-1, 0], [1, 0]], **scores)
    assert (before("0110"), before("0101"), last("0101"), last("0110")) == (1, 0, 1, 0)
    assert not check(before, majority_of_word(7))
    assert check(last, majority_of_word(7))
    either = Elman.from_arrays("01", scores=[[0, 0], [1, 1]], scores_bias=[0, 0.5], **scores)
    assert (either("0101"), either("0110"), either("0100")) == (1, 1, 0)  # a 1 at the end tells it, a 0 does not
    assert not check(either, majority_of_word(7))


def test_words_without_an_answer_are_not_counted() -> None:
    task = multi_query_associative_recall(2)
    model = LSTM.random(task.alphabet, width=2, precision=8, seed=0, answers=task.answers)
    assert check(replace(model, scores=replace(model.scores, weights=0 * model.scores.weights)), task)


def test_words_that_are_too_many_to_count_show_one_that_is_wrong() -> None:
    task = majority_of_word(61)
    model = GRU.random("01", width=2, precision=8, seed=0)
    model = replace(model, scores=replace(model.scores, weights=0 * model.scores.weights))
    pair = Subject.of(model, task)
    found = bound_by_last_symbol(pair, Budget(states=4))
    assert found is not None
    assert (found.accuracy.words, found.accuracy.right, found.accuracy.wrong) == (1 << 61, 0, 1)
    assert pair.wrong(found.first[None])[0]
    assert bound_by_last_symbol(pair, Budget(seconds=1e-9)) is not None
    never = SequenceTask("zero", task.words, (0, 1), lambda rows: np.zeros(len(rows), int), machine=task.machine)
    alike = Subject.of(model, never)
    given = answers_by_last_symbol(alike)
    found = bound_by_last_symbol(alike, Budget(states=4))
    assert (found is None) == (given.tolist() == [0, 0])


def test_a_deep_transformer_with_a_read_out_of_zeros() -> None:
    model = Transformer.random("01", length=41, width=4, heads=2, layers=2, precision=8, seed=1)
    blank = replace(model, read_out=replace(model.read_out, weights=0 * model.read_out.weights))
    found = cc.audit(blank, majority_of_word(41))
    code = int(np.argmax(model.read_out.bias))
    assert (found.wrong_words, found.failure.answer, found.verify()) == (2**40, code, True)


def test_an_answer_that_the_task_does_not_have() -> None:
    model = LSTM.random("01", width=4, precision=8, seed=0, answers=("no", 0, 1))
    scores = replace(model.scores, weights=0 * model.scores.weights, bias=np.array([9, 0, 0]))
    found = cc.audit(replace(model, scores=scores), majority_of_word(31))
    assert (found.wrong_words, found.failure.answer) == (2**31, "no")


def test_a_constant_answer_is_told_without_running_the_model(monkeypatch) -> None:
    model = GRU.random("01", width=2, precision=8, seed=0)
    blank = replace(model, scores=replace(model.scores, weights=0 * model.scores.weights))

    def run(*_):
        raise AssertionError("a long word takes long")

    failures = []
    monkeypatch.setattr(GRU, "finish", run)
    for limits in ({}, {"states": 4}):
        found = cc.audit(blank, majority_of_word(61), **limits)
        assert (found.verdict, found.reason != "") == ("wrong", True)
        assert {found.failure.answer, found.failure.right} == {0, 1}
        failures.append(found)
    monkeypatch.undo()
    assert all(found.verify() for found in failures)
