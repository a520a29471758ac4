"""Precisions: formats with known values, exact rounding, saturation, and errors that say what would do."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import InputError
from ccsim.arithmetic import Precision, as_precision
from tests.cases import cases

FEW = settings(max_examples=30, deadline=None)

FORMATS = [
    (Precision.fixed_point(2, 3), 8, -32, 31, 6),
    (Precision.fixed_point(0, 4, signed=False), 16, 0, 15, 4),
    (Precision.fixed_point(3, 0), 1, -8, 7, 4),
    (Precision.of(3), 2, -4, 3, 3),
    (Precision.of(8), 32, -128, 127, 8),
    (Precision.of(16), 1 << 10, -(1 << 15), (1 << 15) - 1, 16),
    (Precision.of(40), 1 << 31, -(1 << 39), (1 << 39) - 1, 40),
    (Precision.polynomial(8, 2), 64, -4096, 4096, 14),
    (Precision.polynomial(10, 3), 1000, -(10**6), 10**6, 21),
]
PRECISIONS = st.builds(
    lambda scale, low, size: Precision(scale, low, low + size),
    st.integers(1, 1 << 30),
    st.integers(-(1 << 61), 1 << 60),
    st.integers(0, 1 << 60),
)


@cases(("precision", "scale", "low", "high", "bits"), FORMATS)
def test_formats_have_the_mantissas_that_their_names_say(precision, scale, low, high, bits):
    assert (precision.scale, precision.low, precision.high, precision.bits) == (scale, low, high, bits)


@cases("bits", range(3, 41))
def test_a_precision_of_so_many_bits_has_them(bits):
    assert as_precision(bits).bits == bits
    assert as_precision(as_precision(bits)) == Precision.of(bits)


@FEW
@given(st.lists(st.one_of(st.floats(-4, 3), st.integers(-4, 3), st.fractions(-4, 3)), max_size=6), st.data())
def test_quantising_rounds_down_exactly(values, data):
    scale = data.draw(st.sampled_from([1, 2, 8, 1000, 7, 1 << 40]))
    precision = Precision(scale, -4 * scale, 4 * scale)
    expected = [math.floor(Fraction(value) * scale) for value in values]
    assert precision.quantise(np.array(values, dtype=object)).tolist() == expected
    floats = np.array([float(value) for value in values])
    assert precision.quantise(floats).tolist() == [math.floor(Fraction(value) * scale) for value in floats.tolist()]


def test_quantising_keeps_shapes_and_takes_every_kind_of_number():
    precision = Precision.of(8)
    assert precision.quantise(np.ones((2, 0, 3))).shape == (2, 0, 3)
    assert precision.quantise(1.5) == 48
    assert precision.quantise(np.array([1, -1], dtype=np.int8)).tolist() == [32, -32]
    assert precision.quantise(np.array([0.5, -0.03], dtype=np.float32)).tolist() == [16, -1]
    assert precision.quantise([100.0, -100.0], saturate=True).tolist() == [127, -128]


@cases(
    ("values", "words"),
    [
        ([0.0, math.nan], "finite"),
        ([math.inf], "finite"),
        ([Fraction(1, 2), None], "finite real numbers"),
        (["1"], "real numbers"),
        ([1j], "real numbers"),
        ([4.0], "3 integer bits and a sign would do, 9 bits in all"),
        ([100.0], "7 integer bits and a sign would do, 13 bits in all"),
        ([-4.04], "3 integer bits and a sign would do, 9 bits in all"),
        ([1e300], "997 integer bits and a sign would do"),
        ([10**400], "embedding"),
        ([10**5000], "embedding"),
        ([[1], [1, 2]], "embedding"),
        ([object()], "embedding"),
    ],
)
def test_what_cannot_be_held_is_refused_and_the_error_says_what_would_do(values, words):
    with pytest.raises(InputError, match=words) as caught:
        Precision.of(8).quantise(values, "embedding")
    assert caught.value.argument == "embedding"


@cases("value", [4.0, 100.0, -4.04, -5.5, 1e6])
def test_the_bits_that_would_do_do(value):
    with pytest.raises(InputError) as caught:
        Precision.of(8).quantise(value)
    integer_bits = int(caught.value.expected.split("; ")[1].split()[0])
    assert Precision.fixed_point(integer_bits, 5).quantise(value) == math.floor(value * 32)
    with pytest.raises(InputError):
        Precision.fixed_point(integer_bits - 1, 5).quantise(value)


@FEW
@given(PRECISIONS, st.lists(st.integers(-(1 << 80), 1 << 80), max_size=5), st.integers(1, 1 << 70))
def test_rounding_down_is_the_floor_and_saturates(precision, numerators, scale):
    expected = [min(max(number // scale, precision.low), precision.high) for number in numerators]
    given = np.array(numerators, dtype=object)
    assert precision.round_down(given, scale).tolist() == expected
    small = np.array([number >> 20 for number in numerators], dtype=np.int64)
    expected = [min(max(int(number) // scale, precision.low), precision.high) for number in small]
    assert precision.round_down(small, scale).tolist() == expected


@FEW
@given(PRECISIONS, st.data())
def test_codes_number_the_mantissas(precision, data):
    mantissas = np.array(data.draw(st.lists(st.integers(precision.low, precision.high), min_size=1)), dtype=np.int64)
    codes = precision.codes(mantissas)
    assert codes.min() >= 0
    assert int(codes.max()) < 1 << precision.bits
    assert precision.from_codes(codes).tolist() == mantissas.tolist()
    assert precision.fractions(mantissas).tolist() == [Fraction(int(m), precision.scale) for m in mantissas]


@cases(
    "make",
    [
        lambda: Precision(0, 0, 1),
        lambda: Precision(1, 2, 1),
        lambda: Precision(1, 0, 1 << 62),
        lambda: Precision(1, -(1 << 63), 0),
        lambda: Precision.of(2),
        lambda: Precision.of(41),
        lambda: Precision.of(8.0),
        lambda: Precision.fixed_point(-1, 4),
        lambda: Precision.fixed_point(40, 40),
        lambda: Precision.polynomial(1, 2),
        lambda: Precision.polynomial(256, 4),
        lambda: Precision.polynomial(10**6, 10**12),  # not written out
        lambda: Precision.of(8).codes(np.array([128])),
        lambda: Precision.of(8).from_codes(np.array([256])),
        lambda: Precision.of(8).saturate(np.array([0.5])),
        lambda: as_precision("8"),
        lambda: as_precision(True),
    ],
)
def test_bad_precisions_and_mantissas_are_refused(make):
    with pytest.raises(InputError):
        make()
