"""Equality by two layers: right on every word, for every balanced partition, in no more bits than it needs."""

from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pytest

from ccsim import InputError, Partition
from ccsim.arithmetic import Precision
from ccsim.problems import equality_of_halves, inequality_of_halves
from protocols.constructions import (
    BinaryAddresses,
    equality_of_parts,
    equality_transformer,
    size_of,
    smallest_sign_vectors,
)
from protocols.constructions.assembling import weight_of_target
from tests.refusals import refuse
from tests.slow import slow


@pytest.mark.parametrize("length", [2, 4, 6, 8, slow(12)])
def test_right_on_every_word(length):
    for addresses, heads in product((None, BinaryAddresses(length)), (1, 2)):
        equal = equality_transformer(length, heads=heads, addresses=addresses)
        unequal = equality_transformer(length, heads=heads, addresses=addresses, unequal=True)
        assert equal.mistake(equality_of_halves(length)) is None
        assert unequal.mistake(inequality_of_halves(length)) is None
        assert (equal.layers, equal.heads) == (2, heads)


@pytest.mark.parametrize(("alphabet", "length"), [("abc", 6), (range(9), 4), ("a", 4), (range(40), 2)])
def test_right_on_every_word_over_other_alphabets(alphabet, length):
    for heads, partition in ((1, Partition.prefix(length, length // 2)), (2, Partition.odd_even(length))):
        for unequal in (False, True):
            model = equality_transformer(length, partition=partition, heads=heads, alphabet=alphabet, unequal=unequal)
            assert model.mistake(equality_of_parts(partition, alphabet=alphabet, unequal=unequal)) is None


def test_long_words_over_many_symbols_that_differ_in_one_digit_of_one_code():
    length, symbols = 64, range(64)
    generator = np.random.default_rng(0)
    half = generator.integers(0, 64, length // 2)
    words = np.tile(np.concatenate([half, half]), (length // 2 + 1, 1))
    places = np.arange(length // 2)
    words[places, places] ^= 1 << generator.integers(0, 6, length // 2)
    model = equality_transformer(length, alphabet=symbols)
    assert model.codes(words).tolist() == [0] * (length // 2) + [1]
    assert model.width == equality_transformer(length).width + 3 * 5  # three codes of six signs in place of one


def check_words(length, random=64):
    """Single differences and a word without, extreme words, random ones, and equal halves.

    Halves are random, and with one bit unlike all others.
    """
    generator, places = np.random.default_rng(0), np.arange(length // 2)
    single = np.tile(generator.integers(0, 2, length // 2), (length // 2 + 1, 2))
    single[places, places + generator.integers(0, 2, length // 2) * (length // 2)] ^= 1
    halves = generator.integers(0, 2, (random, length // 2))
    extreme = np.repeat([[0, 0], [1, 1], [0, 1], [1, 0]], length // 2, axis=1)
    noise = generator.integers(0, 2, (random, length))
    alone = np.eye(length // 2, dtype=np.int64)[:random]
    halves = np.concatenate([halves, alone, 1 - alone])
    return np.concatenate([single, extreme, noise, np.hstack([halves, halves])])


@pytest.mark.parametrize("length", [64, slow(1024)])
def test_right_on_long_words_with_a_single_difference_and_on_random_ones(length):
    words = check_words(length)
    wanted = equality_of_halves(length).evaluate(words)
    assert wanted[length // 2] == 1
    assert not wanted[: length // 2].any()
    np.testing.assert_array_equal(equality_transformer(length).codes(words), wanted)


def test_right_for_every_balanced_partition():
    for partition in (partition for partition in Partition.all(6) if len(partition.alice) == 3):
        model = equality_transformer(6, partition=partition)
        assert model.mistake(equality_of_parts(partition)) is None, partition
        assert model.causal  # the later of two positions looks at the earlier one


def test_with_the_printed_scaling_the_weight_is_one_or_nearly_one():
    length, precision = 64, Precision.polynomial(64, 2)
    printed = Fraction(log(64) + 2 * log(128)).limit_denominator(10**6)
    words = check_words(length, random=4)
    wanted = equality_of_halves(length).evaluate(words)
    quarter, half = (smallest_sign_vectors(length, bound) for bound in (Fraction(1, 4), Fraction(1, 2)))
    model = equality_transformer(length, precision=precision, addresses=quarter, strength=printed)
    np.testing.assert_array_equal(model.codes(words), wanted)
    assert weight_of_target(precision, half, int(printed * precision.scale), length - 1) < precision.scale
    with pytest.raises(InputError, match="at least 66590 steps"):  # with products up to a half it is not
        equality_transformer(length, precision=precision, addresses=half, strength=printed)
    loose = equality_transformer(length, precision=precision, addresses=half, strength=printed, verify=False)
    np.testing.assert_array_equal(loose.codes(words), wanted)  # weights near 1 do no harm here


def fewest_bits(build, is_right):
    """The first number of bits of which some two's complement format makes a model that is right; formats are tried."""
    for bits in range(1, 24):
        for integer_bits in range(bits):
            try:
                model = build(Precision.fixed_point(integer_bits, bits - 1 - integer_bits))
            except InputError:  # a precision that is refused is too small
                continue
            if is_right(model):
                return bits
    raise AssertionError


@pytest.mark.parametrize(
    ("length", "binary", "bits"),
    [(16, False, 8), slow(64, False, 11), slow(256, True, 14)],
)
def test_the_default_precision_of_equality_is_the_smallest(length, binary, bits):
    words, addresses = check_words(length), BinaryAddresses(length) if binary else None
    wanted, default = equality_of_halves(length).evaluate(words), equality_transformer(length, addresses=addresses)

    def build(precision):
        return equality_transformer(length, precision=precision, addresses=addresses, verify=False)

    assert fewest_bits(build, lambda model: np.array_equal(model.codes(words), wanted)) == default.precision.bits
    assert bits == default.precision.bits


def test_sizes():
    size = size_of(equality_transformer(64))
    signs = smallest_sign_vectors(64).dimension
    assert (size.width, size.heads, size.layers) == (2 * signs + 5, 2, 2)
    assert size.stored_bits - size.representation_bits == 64 * size.width * size.precision - 64
    assert size_of(equality_transformer(64, heads=1)).width == 2 * signs + 4
    assert "Theorem 6" in size.source


def test_bad_arguments_are_refused():
    refuse(
        (lambda: equality_transformer(5), "even"),
        (lambda: equality_transformer(4, partition=Partition("ABBB")), "as many positions"),
        (lambda: equality_transformer(4, partition=Partition.odd_even(6)), "partition of 4"),
        (lambda: equality_transformer(4, heads=3), "heads"),
        (lambda: equality_transformer(16, precision=Precision.fixed_point(6, 3)), "steps of at most 1/16"),
        (lambda: equality_transformer(16, precision=Precision.fixed_point(2, 6)), "holds queries"),
        (lambda: equality_transformer(16, precision=Precision.fixed_point(4, 6), strength=2), "at least"),
        (lambda: equality_transformer(4, strength="x"), "strength"),
        (lambda: equality_transformer(4, addresses=5), "addresses"),
        (lambda: equality_of_parts("AAAB"), "as many positions"),
        (lambda: equality_of_parts(5), "partition"),
    )
