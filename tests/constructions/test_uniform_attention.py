"""The explicit transformers are right on every word, in linear width and logarithmic precision."""

from __future__ import annotations

import numpy as np
import pytest

from ccsim.errors import InputError
from ccsim.problems import disjointness_of_halves, dyck, equality_of_halves
from protocols.constructions.averaging import (
    disjointness_by_uniform_attention,
    dyck_by_uniform_attention,
    equality_by_uniform_attention,
)
from tests.models.transformer_oracle import Oracle

CASES = [
    *[(dyck_by_uniform_attention(n), dyck(n)) for n in (2, 3, 4, 5, 6, 8)],
    *[(dyck_by_uniform_attention(n, 1, d), dyck(n, 1, d)) for n in (2, 6, 10) for d in (1, 3)],
    (dyck_by_uniform_attention(4, 3, 1), dyck(4, 3, 1)),
    (dyck_by_uniform_attention(6, 2, 3), dyck(6, 2, 3)),
    *[(equality_by_uniform_attention(n), equality_of_halves(n)) for n in (2, 4, 8, 12)],
    *[(disjointness_by_uniform_attention(n), disjointness_of_halves(n)) for n in (2, 4, 8, 12)],
]


@pytest.mark.parametrize(("model", "task"), CASES, ids=[task.name for _, task in CASES])
def test_right_on_every_word(model, task):
    assert model.alphabet == task.alphabet
    assert model.mistake(task) is None


@pytest.mark.parametrize(("model", "task"), CASES, ids=[task.name for _, task in CASES])
def test_linear_width_and_logarithmic_precision(model, task):
    length = task.length
    assert (model.layers, model.heads, model.width, model.head_width) == (1, 1, 2 * length, length)
    assert model.precision.bits <= (2 * length * max(2, len(task.alphabet) - 1) + 1).bit_length()
    assert not model.logit_table.any()
    assert model.weights(np.array([length]), np.array([length * length])).tolist() == [1]  # 1/N exactly


@pytest.mark.parametrize(("model", "task"), CASES[2::7], ids=[task.name for _, task in CASES[2::7]])
def test_the_oracle_agrees(model, task):
    oracle = Oracle(model)
    for index in np.random.default_rng(0).integers(0, task.words.size, 5):
        word = task.words.array(np.array([index]))
        assert model.outputs(word)[0].tolist() == oracle.outputs(word[0].tolist())


def test_long_words_chosen_to_be_hard():
    model, task = dyck_by_uniform_attention(40), dyck(40)
    right = "[()]" * 10
    assert (model(right), task(right)) == (1, 1)
    for place in range(40):
        for symbol in "()[]":
            word = right[:place] + symbol + right[place + 1 :]
            assert model(word) == task(word) == int(word == right)


def test_bad_input():
    for call in (
        lambda: equality_by_uniform_attention(5),
        lambda: disjointness_by_uniform_attention(0),
        lambda: dyck_by_uniform_attention(1),
        lambda: dyck_by_uniform_attention(4, 0),
        lambda: dyck_by_uniform_attention(4, 2, 0),
    ):
        with pytest.raises(InputError):
            call()
