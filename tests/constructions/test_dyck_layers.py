"""Bounded Dyck languages by two and three layers: recognised, and modelled symbol by symbol."""

import random
from dataclasses import replace
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import InputError
from ccsim.arithmetic import Precision
from ccsim.auditing import audit
from ccsim.problems import dyck
from ccsim.problems.languages import bracket_symbols
from protocols.constructions import dyck_transformer, next_brackets, next_brackets_transformer, size_of
from tests.models.transformer_oracle import Oracle
from tests.oracles.brackets import balanced, stack_after
from tests.refusals import refuse
from tests.slow import slow

SMALL = [(2, 1, 5), (1, 2, 8), (2, 2, 6), (5, 2, 4), (1, 3, 8), (2, 3, 6), (1, 4, 10)]
LONGER = [slow(2, 3, 9), slow(2, 4, 8), slow(1, 5, 14), slow(3, 3, 6)]


@pytest.mark.parametrize(("kinds", "depth", "length"), SMALL + LONGER)
def test_right_on_every_word(kinds, depth, length):
    for layers in (2, 3) if depth <= 3 else (3,):
        found = audit(dyck_transformer(length, kinds, depth, layers=layers), dyck(length, kinds, depth))
        assert (found.verdict, found.words) == ("right", (2 * kinds) ** length), layers


def test_next_symbols_after_every_prefix():
    for kinds, depth, length in SMALL:
        found = audit(next_brackets_transformer(length, kinds, depth), next_brackets(length, kinds, depth))
        assert found.verdict == "right", (kinds, depth)
        assert found.words > 0


def walk(generator, length, kinds, depth):
    """A word of the language, of even length."""
    word, stack = [], []
    while len(word) < length:
        if stack and (len(stack) == min(depth, length - len(word)) or generator.random() < 0.5):
            word.append(2 * stack.pop() + 1)
        else:
            stack.append(generator.randrange(kinds))
            word.append(2 * stack[-1])
    return word


@pytest.mark.parametrize(("kinds", "depth"), [(4, 2), (5, 3), (3, 9)])
def test_long_words_and_words_that_miss_by_a_symbol(kinds, depth):
    generator, length = random.Random(kinds * depth), 80
    model, task, rows = dyck_transformer(length, kinds, depth), dyck(length, kinds, depth), []
    for _ in range(12):
        word = walk(generator, length, kinds, depth)
        place = generator.randrange(length)
        rows += [word, [*word[:place], generator.randrange(2 * kinds), *word[place + 1 :]]]
    codes = model.codes(np.array(rows))
    assert codes.tolist() == task.evaluate(np.array(rows)).tolist()
    assert set(codes.tolist()) == {0, 1}


@settings(max_examples=30)
@given(st.integers(1, 3), st.integers(1, 4), st.lists(st.integers(0, 5), min_size=1, max_size=20))
def test_a_word_belongs_if_every_symbol_may_come_next(kinds, depth, letters):
    letters = [letter % (2 * kinds) for letter in letters]
    model, symbols = next_brackets_transformer(len(letters), kinds, depth), bracket_symbols(kinds)
    word = "".join(symbols[letter] for letter in letters)
    outputs = model.outputs_at(np.array([letters]), np.arange(len(letters)))[0]
    allowed = [symbols[::2], *(model.answers[place] for place in outputs.argmax(axis=-1))]
    follows = [symbol in may for symbol, may in zip([*word, "[EOS]"], allowed, strict=True)]
    assert all(follows) == balanced(word, depth)
    valid = next((place for place in range(len(word)) if stack_after(word[: place + 1], depth) is None), len(word))
    assert all(follows[:valid])  # the first symbol that is not allowed is the first one that is wrong
    assert valid == len(word) or not follows[valid]


@pytest.mark.parametrize(("depth", "layers"), [(2, 2), (3, 2), (2, 3), (4, 3)])
def test_outputs_are_those_of_a_second_computation(depth, layers):
    model = dyck_transformer(10, 2, depth, layers=layers)
    words = np.array([walk(random.Random(seed), 10, 2, depth) for seed in range(4)] + [[0, 1, 3, 2] + [0] * 6])
    assert model.outputs(words).tolist() == [Oracle(model).outputs(word) for word in words.tolist()]


@pytest.mark.parametrize("depth", [2, 3])
def test_the_same_weights_are_right_on_shorter_words(depth):
    model = dyck_transformer(8, depth=depth)
    for length in (1, 2, 3, 5, 6):
        shorter = replace(model, position_embedding=model.position_embedding[:length])
        assert shorter.mistake(dyck(length, 2, depth)) is None, length


def test_the_width_does_not_grow_and_the_precision_is_logarithmic():
    for length in (8, 64, 512):
        models = dyck_transformer(length), dyck_transformer(length, depth=3), next_brackets_transformer(length)
        for model, width in zip(models, (11, 13, 10), strict=True):
            size, bits = size_of(model), model.precision.bits
            assert (size.width, size.layers, size.precision) == (model.width, 2, bits) == (width, 2, bits)
            assert bits <= 4 * log2(length)
            assert size.representation_bits < 4000 * log2(length)


def test_a_precision_that_is_too_small_is_refused():
    least = dyck_transformer(8).precision
    coarse = Precision(4, least.low, least.high)
    short = Precision(least.scale, least.low // 2, least.high // 2)
    for build in (dyck_transformer, next_brackets_transformer):
        with pytest.raises(InputError, match="steps of at most 1/8"):
            build(8, precision=coarse)
        with pytest.raises(InputError, match="one that holds"):
            build(8, precision=short)


def test_bad_input_is_refused():
    refuse(
        (lambda: dyck_transformer(0), "length"),
        (lambda: dyck_transformer(4, brackets=0), "brackets"),
        (lambda: dyck_transformer(4, depth=0), "depth"),
        (lambda: dyck_transformer(4, layers=1), "layers"),
        (lambda: dyck_transformer(4, layers=4), "layers"),
        (lambda: dyck_transformer(4, depth=4, layers=2), "depth of more than 3"),
        (lambda: next_brackets(4, depth=0), "depth"),
    )
