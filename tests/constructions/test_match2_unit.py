"""Match2 by one attention unit: right on every word, near every margin, and with how few bits."""

import math

import numpy as np
import pytest

from ccsim.errors import InputError
from ccsim.problems import match2
from protocols.constructions.addresses import circle_points
from protocols.constructions.matching import (
    match2_unit,
    matching_margin,
    printed_factor,
)
from tests.slow import slow

SIZES = [(1, 1), (1, 4), (2, 2), (3, 1), (3, 2), (3, 5), (4, 3), (4, 7), (5, 4), (6, 3), (2, 30)]


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
@pytest.mark.parametrize(("length", "modulus"), SIZES)
def test_every_word(length, modulus, shifted):
    for row in {1, length, None}:
        model = match2_unit(length, modulus, shifted=shifted, row=row)
        assert model.mistake(match2(length, modulus, row)) is None


@pytest.mark.parametrize(("length", "modulus"), [(16, 16), (100, 31), slow(1024, 20)])
def test_words_near_the_margins_and_random_words(length, modulus):
    random = np.random.default_rng(0).integers(0, modulus, size=(200, length))
    for row in (1, length):
        words = np.concatenate([adversarial_words(length, modulus, row), random])
        wanted = match2(length, modulus, row).evaluate(words)
        assert 0 < wanted.sum() < len(wanted)
        assert (match2_unit(length, modulus, row=row).codes(words) == wanted).all()


@pytest.mark.parametrize("shifted", [True, False])
@pytest.mark.parametrize(("length", "modulus"), [(3, 5), (4, 7), (5, 3), (16, 8), (64, 32)])
def test_one_bit_less_than_the_margin_asks_for_breaks_a_word(length, modulus, shifted):
    bits = smallest_safe_bits(length, modulus, shifted)
    words, task = adversarial_words(length, modulus), match2(length, modulus)
    wanted = task.evaluate(words)
    assert (match2_unit(length, modulus, precision=bits, shifted=shifted).codes(words) == wanted).all()
    assert (match2_unit(length, modulus, precision=bits - 1, shifted=shifted).codes(words) != wanted).any()


def test_a_safe_margin_means_no_mistake():
    for length, modulus in [(3, 5), (4, 3), (3, 7)]:
        task = match2(length, modulus)
        safe = 0
        for bits in range(6, 16):
            model = match2_unit(length, modulus, precision=bits)
            if is_safe(model, length, modulus):
                safe += 1
                assert model.is_right(task)
        assert safe


@pytest.mark.slow
@pytest.mark.parametrize("length", [16, 64, 1024])
def test_growth_up_to_a_modulus_of_1024(length):
    for exponent in range(2, 11):
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
    with pytest.raises(InputError, match="factor"):
        match2_unit(4, 7, factor=2)
    assert not match2_unit(4, 7, factor=2, precision=20).is_right(match2(4, 7))


def test_halves_are_rounded_away_from_zero():
    assert circle_points(12, 7)[[1, 2, 4, 11]].tolist() == [[6, 4], [4, 6], [-4, 6], [6, -4]]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 7, 8, 12, 360])
def test_circle_points_are_the_nearest(count):
    for scale in (1, 7, 1000, 1 << 40):
        points = circle_points(count, scale)
        angles = 2 * np.pi * np.arange(count) / count
        exact = np.stack([np.cos(angles), np.sin(angles)], axis=-1) * scale
        assert np.abs(points - exact).max() <= 0.5 + 1e-3
        mirrored = -np.arange(count) % count
        assert (points[:, 0] == points[mirrored, 0]).all()
        assert (points[:, 1] == -points[mirrored, 1]).all()


def test_huge_moduli_are_refused():
    with pytest.raises(InputError, match="modulus"):
        match2_unit(3, 10**9)
