"""Audits of one-layer transformers: sums against brute force, crossed words, and models that are right."""

from math import comb

import numpy as np
import pytest

import ccsim as cc
from ccsim.auditing.attention import transcripts
from ccsim.models import HardMaximum, OneLayerTransformer
from ccsim.problems import (
    Partition,
    associative_recall,
    disjointness_of_halves,
    dyck,
    equality_of_halves,
    index_lookup,
    majority_of_word,
)
from protocols.constructions import (
    disjointness_by_uniform_attention,
    dyck_by_uniform_attention,
    equality_by_uniform_attention,
)
from protocols.reductions import max_logit_softmax
from tests.speed import patient


def random_model(task, number, **options):
    sizes = {"width": 1 + number % 3, "heads": 1 + number % 2, "precision": 3 + number % 3} | options
    return OneLayerTransformer.random(task.alphabet, length=task.length, seed=number, answers=task.answers, **sizes)


def test_sums_go_beyond_words_one_by_one():
    task = majority_of_word(40)
    model = random_model(task, 0, width=1, heads=1, precision=3)
    found = cc.audit(model, task, words=1 << 12)
    assert found.words == 2**40
    assert found.verdict == "wrong"
    assert found.verify()
    answered = model.task(40)
    always = len({int(code) for code in answered.evaluate(np.random.default_rng(0).integers(0, 2, (500, 40)))}) == 1
    if always:
        ones = sum(comb(40, k) for k in range(21, 41))
        assert found.wrong_words in (ones, 2**40 - ones)


def test_weights_that_depend_on_places_are_not_added_up():
    task = equality_of_halves(6)
    from ccsim.arithmetic import Precision

    model = random_model(task, 1, precision=6, weighting=HardMaximum(Precision.of(6), "last"))
    found = cc.audit(model, task)
    assert found.words == 64
    assert (found.verdict == "wrong") == (not model.is_right(task))


def test_equal_transcripts_mean_equal_answers_when_crossed():
    for seed, length, width, heads, precision, owners in [
        *((seed, 6, 1 + seed % 2, 1 + seed % 2, 3 + seed % 4, "ABABAB") for seed in range(8)),
        *((seed, 6, 1 + seed % 2, 1 + seed % 2, 3 + seed % 4, "BBBAAA") for seed in range(8)),
        (3, 8, 1, 1, 5, "ABABABAB"),  # goes wrong without Bob's sum of exponentials
    ]:
        task = equality_of_halves(length)
        model = random_model(task, seed, width=width, heads=heads, precision=precision, hidden=0)
        rows = task.words.array(task.words.indices()).astype(np.int64)
        outputs, alice = model.outputs(rows), np.array([owner == "A" for owner in owners])
        _, groups = np.unique(transcripts(model, rows, owners), axis=0, return_inverse=True)
        for group in range(groups.max() + 1):
            members = rows[groups.reshape(-1) == group]
            first, second = (np.repeat(members, len(members), axis=0), np.tile(members, (len(members), 1)))
            crossed = model.outputs(np.where(alice, first, second))
            assert np.array_equal(crossed, outputs[task.words.places(second)]), (seed, owners)


def test_the_transcript_is_that_of_the_protocol():
    task = equality_of_halves(6)
    model = random_model(task, 2, width=2, heads=1, precision=4)
    partition = Partition.prefix(6, 3)
    protocol = max_logit_softmax(model, partition, task=task)
    rows = task.words.array(np.arange(0, 64, 5)).astype(np.int64)
    said = transcripts(model, rows, str(partition))
    for row, numbers in zip(rows, said, strict=True):
        word = "".join(model.alphabet[rank] for rank in row)
        run = protocol.run(*protocol.function.split(word))
        assert run.answer == model(word)
        assert numbers[0] == row[-1]
        logits = model.logit_table[0, row[-1], np.arange(6), row]
        assert (numbers[1], numbers[2]) == (logits[:3].max(), logits[3:].max())


def test_crossed_words_are_wrong_and_say_why():
    task = equality_of_halves(16)
    found = cc.audit(random_model(task, 3, width=1, heads=1, precision=3), task, words=1 << 10)
    assert found.verdict == "wrong"
    assert found.failure.found_by == "equal transcripts"
    collision = found.failure.collision
    assert collision.answers[0] == collision.answers[1] != collision.answers[2]
    assert found.verify()


def test_right_models_never_get_a_failing_word():
    for build, task, length in [
        (dyck_by_uniform_attention, dyck, 6),
        (dyck_by_uniform_attention, dyck, 8),
        (equality_by_uniform_attention, equality_of_halves, 12),
        (disjointness_by_uniform_attention, disjointness_of_halves, 12),
    ]:
        whole = cc.audit(build(length), task(length))
        assert (whole.verdict, whole.wrong_words, whole.failure) == ("right", 0, None), (build, length)
        some = cc.audit(build(length), task(length), words=16, states=16, seconds=0.1)
        assert (some.verdict, some.failure) == ("right" if some.accuracy.is_exact else "undecided", None), (
            build,
            length,
        )
        assert not whole.need.excluded, (build, length)


def test_what_a_size_is_excluded_by():
    task = dyck(400)
    model = OneLayerTransformer.random(task.alphabet, length=400, width=2, heads=1, precision=4, seed=0)
    found = cc.audit(model, task, words=1 << 10, states=1 << 12, seconds=1)
    assert (found.need.bits, found.need.excluded) == (401, True)
    assert found.need.has < 401 <= 400 + 1
    assert found.need.excluded_from <= 400
    assert found.verdict == "wrong"
    assert found.verify()


def fails(number):
    build = [
        lambda: equality_of_halves(10 + 10 * (number % 5)),
        lambda: disjointness_of_halves(40),
        lambda: dyck(12 + 20 * (number % 3)),
        lambda: index_lookup(20),
        lambda: associative_recall(8),
    ]
    task = build[number % 5]()
    model = random_model(task, number)
    found = cc.audit(model, task, states=1 << 10, words=1 << 12, seconds=patient(20))
    assert found.verdict == "wrong", found
    word = found.failure.word
    ranks = np.array([[model.alphabet.index(symbol) for symbol in word]])
    assert model.answers[int(model.codes_plain(ranks)[0])] != task(task.words.word(word))
    assert found.verify()
    return found


def test_a_failing_word_is_found_for_small_transformers():
    for number in range(0, 300, 30):
        fails(number)


@pytest.mark.slow
def test_a_failing_word_is_found_for_each_of_200_transformers():
    found = [fails(number) for number in range(200)]
    assert sum(audit.failure.collision is not None for audit in found) > 90
