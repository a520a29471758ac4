"""Match3Bigram, Match3Local, assisted Match3 and Match3 by attention of third order."""

import numpy as np
import pytest

from ccsim.errors import InputError
from ccsim.problems import match3, match3_bigram, match3_local
from protocols.constructions.matching import (
    assisted_match3,
    assisted_match3_transformer,
    fetches_exactly,
    fetching_unit,
    match3_bigram_transformer,
    match3_local_unit,
    match3_tensor,
    triple_margin,
    two_units,
)

SIZES = [(1, 3), (2, 2), (3, 1), (3, 5), (4, 4), (5, 3), (4, 7)]


@pytest.mark.parametrize(("length", "modulus"), SIZES)
def test_every_word_of_match3_bigram(length, modulus):
    for row in {1, length, None}:
        task = match3_bigram(length, modulus, row)
        assert match3_bigram_transformer(length, modulus, row=row).mistake(task) is None


@pytest.mark.parametrize(("length", "modulus"), SIZES)
def test_every_word_of_match3(length, modulus):
    for row in {1, length, None}:
        assert match3_tensor(length, modulus, row=row).mistake(match3(length, modulus, row)) is None


@pytest.mark.parametrize(
    ("length", "modulus", "window"), [(2, 4, 1), (4, 5, 1), (5, 4, 2), (6, 3, 1), (5, 3, 0), (4, 6, 3), (3, 4, 9)]
)
def test_every_word_of_match3_local(length, modulus, window):
    for row in {1, (length + 1) // 2, length, None}:
        task = match3_local(length, modulus, window, row)
        assert match3_local_unit(length, modulus, window, row=row).mistake(task) is None


@pytest.mark.parametrize(("length", "modulus"), [(1, 3), (2, 3), (3, 4), (3, 5)])
def test_every_word_of_assisted_match3(length, modulus):
    for row in {1, length}:
        task = assisted_match3(length, modulus, row)
        assert assisted_match3_transformer(length, modulus, row=row).mistake(task) is None


def test_a_true_hint_gives_match3_and_no_hint_a_false_one():
    length, modulus = 3, 5
    task, plain = assisted_match3(length, modulus), match3(length, modulus)
    for word in plain.words:
        answers = [task(tuple(zip(word, (hint, 1, 1), strict=True))) for hint in range(1, length + 1)]
        assert max(answers) == plain(word)


def sparse_matches(length, modulus, row):
    """Words with at most few matches of a row: odd symbols, of which no three sum to 0, and an even one near by.

    In every other word it makes a triple with the row and the next position.
    """
    generator = np.random.default_rng(row)
    words = generator.integers(0, modulus // 2, size=(60, length)) * 2 + 1
    place = row - 3 if row > 2 else row
    triple = -words[:, row - 1] - words[:, place + 1]
    words[:, place] = np.where(np.arange(60) % 2, triple, 2 * generator.integers(0, modulus // 2, size=60)) % modulus
    return words


@pytest.mark.parametrize("row", [1, 20, 40])
def test_longer_words(row):
    length, modulus = 40, 16
    words = sparse_matches(length, modulus, row)
    for build, task in [
        (match3_bigram_transformer(length, modulus, row=row), match3_bigram(length, modulus, row)),
        (match3_local_unit(length, modulus, 3, row=row), match3_local(length, modulus, 3, row)),
    ]:
        wanted = task.evaluate(words)
        assert 0 < wanted.sum() < len(wanted)
        assert (build.codes(words) == wanted).all()


@pytest.mark.parametrize("row", [1, 5, 10])
def test_longer_words_of_match3(row):
    words = sparse_matches(10, 20, row)
    wanted = match3(10, 20, row).evaluate(words)
    assert 0 < wanted.sum() < len(wanted)
    assert (match3_tensor(10, 20, row=row).codes(words) == wanted).all()


def test_longer_words_with_hints():
    length, modulus = 64, 24
    symbols, hints = sparse_matches(length, modulus, 9), np.random.default_rng(6).integers(0, length, size=(60, length))
    hints[:40, 8] = 7 - 1  # the even symbol near row 9, counted from 0
    words, task = symbols * length + hints, assisted_match3(length, modulus, 9)
    wanted = task.evaluate(words)
    assert 0 < wanted.sum() < len(wanted)
    assert (assisted_match3_transformer(length, modulus, row=9).codes(words) == wanted).all()


def test_words_that_match_as_often_as_can_be():
    """All pairs of a row match: its weight is spread over N^2 of them."""
    length, modulus = 12, 10
    words = np.zeros((2, length), dtype=np.int64)
    words[1] = modulus // 2  # 5 + 5 + 5 is not 0 modulo 10
    assert match3_tensor(length, modulus).codes(words).tolist() == [1, 0]
    assert match3_bigram_transformer(length, modulus).codes(words).tolist() == [1, 0]
    assert match3_local_unit(length, modulus, 2).codes(words).tolist() == [1, 0]


def test_margins_are_kept_by_the_default_and_not_by_a_few_bits():
    fetch, _ = two_units(9, 7, None)
    assert fetches_exactly(fetch, 10)
    coarse = match3_tensor(4, 7, precision=8)
    assert not triple_margin(coarse.layers[0].attention, 4, 7)
    assert not coarse.is_right(match3(4, 7))
    assert triple_margin(match3_tensor(4, 7).layers[0].attention, 4, 7)


def test_what_is_fetched_is_exact():
    precision = two_units(20, 50, None)[0].precision
    unit = fetching_unit(21, precision)
    generator = np.random.default_rng(0)
    targets, numbers = generator.integers(1, 22, size=(5, 21)), generator.integers(0, 52, size=(5, 21))
    rows = np.stack([numbers, targets, np.broadcast_to(np.arange(1, 22), (5, 21))], axis=-1)
    assert (unit(rows)[..., 0] == np.take_along_axis(numbers, targets - 1, axis=1)).all()


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: match3_tensor(0, 5), "length"),
        (lambda: match3_bigram_transformer(3, 5, precision=3), "precision"),
        (lambda: match3_bigram_transformer(3, 5, row=4), "row"),
        (lambda: match3_local_unit(3, 5, -1), "window"),
        (lambda: assisted_match3(3, 5, row=0), "row"),
        (lambda: match3_local_unit(12, 5, 2, dimension=3).codes(np.zeros((1, 12), dtype=int)), "dimension"),
    ],
)
def test_bad_input_names_the_argument(call, argument):
    with pytest.raises(InputError, match=argument):
        call()
