"""Match2 by one unit, Match3 by third-order attention, and their relatives: right on every word, near every margin."""

import itertools
import math

import numpy as np
import pytest

from ccsim.errors import InputError
from ccsim.problems import match2, match3, match3_bigram, match3_local
from protocols.constructions.addresses import circle_points
from protocols.constructions.matching import (
    assisted_match3,
    assisted_match3_transformer,
    fetches_exactly,
    fetching_unit,
    match2_precision,
    match2_unit,
    match3_bigram_transformer,
    match3_local_unit,
    match3_tensor,
    matching_margin,
    printed_factor,
    triple_margin,
    two_units,
)
from tests.refusals import refuse
from tests.slow import slow

SIZES = [(1, 1), (1, 4), (2, 2), (3, 1), (3, 2), (3, 5), (4, 3), (5, 4), (2, 30)]


def adversarial_words(length, modulus, row=1):
    """Words near the margins: for each symbol in the row, matches from none to all others, and its next neighbours.

    The rest of a word is what comes closest to a match: -x - 1, -x + 1, or both in turn.
    """
    counts = sorted({0, 1, length - 1, length // 2, *(1 << k for k in range(length.bit_length()) if 1 << k < length)})
    words = []
    for symbol in range(modulus):
        for near in ((1,), (-1,), (1, -1)):
            for count in counts:
                rest = [(-symbol + near[place % len(near)]) % modulus for place in range(length - 1 - count)]
                others = [-symbol % modulus] * count + rest
                words.append([*others[: row - 1], symbol, *others[row - 1 :]])
    return np.array(words, dtype=np.int64).reshape(-1, length)


def is_safe(model, length, modulus):
    symbols = np.arange(modulus + 1)[:, None]
    return matching_margin(model.layers[0].attention, length, symbols[:-1], symbols)


def smallest_safe_bits(length, modulus, shifted, start=4):
    for bits in range(start, 61):
        try:
            if is_safe(match2_unit(length, modulus, precision=bits, shifted=shifted), length, modulus):
                return bits
        except InputError:
            pass
    raise AssertionError


@pytest.mark.parametrize("shifted", [True, False])
def test_every_word(shifted):
    for length, modulus in SIZES:
        for row in {1, length, None}:
            model = match2_unit(length, modulus, shifted=shifted, row=row)
            assert model.mistake(match2(length, modulus, row)) is None, (length, modulus, row)


@pytest.mark.parametrize(("length", "modulus"), [(24, 17), slow(100, 31), slow(1024, 20)])
def test_words_near_the_margins_and_random_words(length, modulus):
    random = np.random.default_rng(0).integers(0, modulus, size=(50, length))
    for row in (1, length):
        words = np.concatenate([adversarial_words(length, modulus, row), random])
        wanted = match2(length, modulus, row).evaluate(words)
        assert 0 < wanted.sum() < len(wanted)
        assert (match2_unit(length, modulus, row=row).codes(words) == wanted).all()


@pytest.mark.parametrize("shifted", [True, False])
@pytest.mark.parametrize(("length", "modulus"), [(3, 5), (16, 8), slow(64, 32)])
def test_one_bit_less_than_the_margin_asks_for_breaks_a_word(length, modulus, shifted):
    bits = smallest_safe_bits(length, modulus, shifted)
    words, task = adversarial_words(length, modulus), match2(length, modulus)
    wanted = task.evaluate(words)
    assert (match2_unit(length, modulus, precision=bits, shifted=shifted).codes(words) == wanted).all()
    assert (match2_unit(length, modulus, precision=bits - 1, shifted=shifted).codes(words) != wanted).any()


def test_only_unshifted_logits_need_a_bias_and_the_logits_need_their_bits():
    for shifted in (True, False):
        unit = match2_unit(5, 7, shifted=shifted).layers[0].attention
        assert not unit.query.bias.any()
        assert unit.key.bias.any() == (not shifted)
    assert match2_precision(100, 5).bits == 5


def test_a_safe_margin_means_no_mistake():
    for length, modulus in [(3, 5), (4, 3)]:
        task = match2(length, modulus)
        safe = 0
        for bits in range(6, 13):
            model = match2_unit(length, modulus, precision=bits)
            if is_safe(model, length, modulus):
                safe += 1
                assert model.is_right(task)
        assert safe


@pytest.mark.slow
@pytest.mark.parametrize("length", [16, 1024])
def test_growth_up_to_a_modulus_of_1024(length):
    for exponent in (2, 5, 8, 10):
        start = max(4, 2 * exponent)
        few = smallest_safe_bits(length, 1 << exponent, True, start)
        assert few <= 2 * exponent + math.log2(length) + 4
        many = smallest_safe_bits(length, 1 << exponent, False, max(start, 4 * exponent - 2))
        assert many <= 4 * exponent + math.log2(length) + 4


def test_the_printed_factor_and_a_smaller_one():
    assert printed_factor(4, 7) == math.ceil(49 * math.log(24))
    least = math.ceil(math.log(16) / (1 - math.cos(2 * math.pi / 7))) + 1
    assert least < printed_factor(4, 7) / 15
    assert match2_unit(4, 7, factor=least).is_right(match2(4, 7))
    assert not match2_unit(4, 7, factor=2, precision=20).is_right(match2(4, 7))


def test_circle_points_are_the_nearest():
    assert circle_points(12, 7)[[1, 2, 4, 11]].tolist() == [[6, 4], [4, 6], [-4, 6], [6, -4]]  # halves away from 0
    for count, scale in itertools.product((1, 2, 3, 4, 5, 6, 7, 8, 12, 90), (1, 7, 1000, 1 << 40)):
        points = circle_points(count, scale)
        angles = 2 * np.pi * np.arange(count) / count
        exact = np.stack([np.cos(angles), np.sin(angles)], axis=-1) * scale
        assert np.abs(points - exact).max() <= 0.5 + 1e-3
        mirrored = -np.arange(count) % count
        assert (points[:, 0] == points[mirrored, 0]).all()
        assert (points[:, 1] == -points[mirrored, 1]).all()


TRIPLE_SIZES = [(1, 3), (2, 2), (3, 1), (3, 5), (4, 4), slow(4, 7)]


@pytest.mark.parametrize(("length", "modulus"), TRIPLE_SIZES)
def test_every_word_of_match3_and_of_its_bigrams(length, modulus):
    for row in {1, length, None}:
        task = match3_bigram(length, modulus, row)
        assert match3_bigram_transformer(length, modulus, row=row).mistake(task) is None
        assert match3_tensor(length, modulus, row=row).mistake(match3(length, modulus, row)) is None


@pytest.mark.parametrize(("length", "modulus", "window"), [(4, 4, 1), (4, 3, 2), (5, 3, 0), slow(4, 6, 3), (3, 4, 9)])
def test_every_word_of_match3_local(length, modulus, window):
    for row in {1, (length + 1) // 2, None}:
        task = match3_local(length, modulus, window, row)
        assert match3_local_unit(length, modulus, window, row=row).mistake(task) is None


def test_every_word_of_assisted_match3():
    for length, modulus, row in ((1, 3, 1), (2, 3, 1), (2, 3, 2), (3, 4, 1), (3, 4, 3)):
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


@pytest.mark.parametrize("row", [1, 14])
def test_longer_words(row):
    length, modulus = 14, 16
    words = sparse_matches(length, modulus, row)
    for build, task in [
        (match3_bigram_transformer(length, modulus, row=row), match3_bigram(length, modulus, row)),
        (match3_local_unit(length, modulus, 3, row=row), match3_local(length, modulus, 3, row)),
        (match3_tensor(length, modulus, row=row), match3(length, modulus, row)),
    ]:
        wanted = task.evaluate(words)
        assert 0 < wanted.sum() < len(wanted)
        assert (build.codes(words) == wanted).all()


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
    length, modulus = 4, 10
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


def test_bad_input_names_the_argument():
    refuse(
        (lambda: match2_precision(100, 4), "at least 5 bits"),
        (lambda: match2_unit(4, 7, factor=2), "factor"),
        (lambda: match2_unit(3, 10**9), "modulus"),
        (lambda: match3_tensor(0, 5), "length"),
        (lambda: match3_bigram_transformer(3, 5, precision=3), "precision"),
        (lambda: match3_bigram_transformer(3, 5, row=4), "row"),
        (lambda: match3_local_unit(3, 5, -1), "window"),
        (lambda: assisted_match3(3, 5, row=0), "row"),
        (lambda: match3_local_unit(12, 5, 2, dimension=3).codes(np.zeros((1, 12), dtype=int)), "dimension"),
    )
