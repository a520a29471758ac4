"""Words that were run: each is counted once, and every audit that decides nothing has an interval."""

import dataclasses
import json

import numpy as np
import pytest

import ccsim as cc
from ccsim.auditing import Audit, Budget, function_task
from ccsim.auditing.product_reachability import Subject
from ccsim.auditing.sampled_words import Sampled, distinguished_pairs, promised_words, run_words
from ccsim.matrices import DONT_CARE
from ccsim.models import LSTM, LinearAttention, OneLayerTransformer, Transformer, TransitionTable
from ccsim.problems import associative_recall, dyck, equality_of_halves, index_lookup, majority_of_word, parity_of_word


def blocks_of(task, generator, count=4, size=40):
    every = task.words.array(task.words.indices()).astype(np.int64)
    return [every[generator.integers(0, len(every), size)] for _ in range(count)]


def test_each_word_is_counted_once():
    for seed in range(6):
        task = (parity_of_word(6), dyck(4), associative_recall(2))[seed % 3]
        pair = Subject.of(TransitionTable.random(task.alphabet, states=3, answers=task.answers, seed=seed), task)
        blocks = blocks_of(task, np.random.default_rng(seed))
        found = run_words(pair, blocks, Budget())
        used, rows = 0, set()
        while used < found.words:
            rows |= set(map(tuple, blocks[used // 40].tolist()))
            used += 40
        different = np.array(sorted(rows))
        promised, wrong = np.asarray(task.evaluate(different)) != DONT_CARE, pair.wrong(different)
        assert (found.right, found.wrong) == (int((promised & ~wrong).sum()), int(wrong.sum())), seed
        assert (found.first is None) == (not found.wrong), seed
        assert found.first is None or pair.wrong(found.first[None]).all(), seed


def test_promised_words_are_counted_by_the_machine():
    for task in [parity_of_word(6), dyck(6), associative_recall(2), index_lookup(4)]:
        pair = Subject.of(TransitionTable.random(task.alphabet, states=2, answers=task.answers, seed=0), task)
        every = task.words.array(task.words.indices())
        assert promised_words(pair, Budget()) == int((task.evaluate(every) != DONT_CARE).sum()), task.name
        assert promised_words(pair, Budget(states=1)) is None, task.name


def test_without_a_count_of_the_promise_all_words_bound_it():
    task = function_task(lambda word: None if word[0] == "a" else word.count("b"), "ab", 5)
    pair = Subject.of(TransitionTable.random("ab", states=2, answers=task.answers, seed=0), task)
    found = Sampled(9, 3, 2, None).accuracy(pair, Budget())
    assert (found.words, found.right, found.wrong) == (32, 3, 2)
    assert "; all words, as" in found.how


def models():
    task = equality_of_halves(24)
    sizes = {"length": 24, "width": 4, "heads": 2, "precision": 10, "seed": 1}
    yield OneLayerTransformer.random(task.alphabet, **sizes), task
    yield Transformer.random(task.alphabet, layers=2, **sizes), task
    yield LinearAttention.random("01", width=2, precision=8, seed=0), task
    yield LSTM.random("01", width=3, precision=16, seed=3), majority_of_word(30)
    yield (lambda ids: np.ones((len(ids), 2))), task
    yield (lambda ids: np.ones((len(ids), 2))), function_task(lambda word: int("b" in word), "ab", 40, (0, 1))


@pytest.mark.parametrize("case", range(6))
def test_every_audit_has_an_interval(case):
    model, task = list(models())[case]
    found = cc.audit(model, task, words=16, states=16, seconds=0.1)
    assert found.wrong_words is None
    told = found.accuracy
    assert (told.wrong > 0) == (found.verdict == "wrong")
    assert str(told) in str(found)
    assert Audit.from_json(json.loads(json.dumps(found.to_json())), task).accuracy == told


def test_all_promised_words_run_is_a_proof():
    task = parity_of_word(9)
    parity = lambda ids: np.stack([ids.sum(axis=1) % 2 == 0, ids.sum(axis=1) % 2], axis=1)  # noqa: E731
    found = cc.audit(parity, task, words=16, seconds=1000)
    assert (found.verdict, found.words, found.wrong_words) == ("right", 512, 0)
    assert (found.accuracy.words, found.accuracy.right) == (512, 512)
    assert "run, not proved: all 512 words, by running 512 different words" in found.reason


def test_words_that_take_too_long_are_not_begun():
    ticks = iter(range(100))
    task, model = parity_of_word(8192), TransitionTable.random("01", states=3, seed=0)
    pair = Subject.of(model, task)
    budget = Budget(seconds=100, clock=lambda: next(ticks))
    found = run_words(pair, [np.zeros((4, 8192), dtype=np.int64)], budget)
    assert (found.words, found.too_long) == (0, 8192 / 64)  # a second for 64 symbols
    longer = Budget(seconds=200, clock=lambda: next(ticks))
    assert run_words(pair, [np.zeros((4, 8192), dtype=np.int64)], longer).words == 4


def test_a_failing_word_found_elsewhere_decides():
    model = Transformer.random("01", length=40, width=4, heads=2, layers=2, precision=8, seed=3)
    task = parity_of_word(40)
    found = cc.audit(model, task, words=1)
    undecided = dataclasses.replace(found, verdict="undecided", failure=None)
    right, wrong = sorted((tuple("0" * 40), tuple("0" * 39 + "1")), key=lambda word: model(word) != task(word))
    assert model(wrong) != task(wrong)
    assert undecided.with_failure(right, "elsewhere").verdict == "undecided"
    decided = undecided.with_failure(wrong, "elsewhere")
    assert (decided.verdict, decided.failure.word, decided.accuracy.wrong >= 1) == ("wrong", wrong, True)


def test_pairs_have_one_end_and_two_answers():
    for task in [equality_of_halves(8), dyck(6), majority_of_word(7), index_lookup(3)]:
        pairs = np.concatenate(list(distinguished_pairs(task, 100, np.random.default_rng(0))))
        first, second = pairs[::2], pairs[1::2]
        assert len(first) > 5, task.name
        assert (task.evaluate(first) != task.evaluate(second)).all(), task.name
        assert (first[:, -1] == second[:, -1]).all(), task.name
