"""Formats and functions of floating point: each result is the exact one, rounded once."""

from fractions import Fraction

import numpy as np
import pytest

from ccsim import InputError
from ccsim.arithmetic import FORMATS, FUNCTIONS, as_format, nearest
from tests.arithmetic import float_oracle

SMALL = ("fp16", "bf16")


def drawn(name, count, seed=0):
    """Numbers of a format: all exponents alike, some ends, and some near each other."""
    format_ = FORMATS[name]
    generator = np.random.default_rng(seed)
    patterns = generator.integers(0, 1 << format_.bits, count)
    values = format_.values(patterns)
    values = values[np.isfinite(values)]
    ends = [0, format_.largest, -format_.largest, 2.0**format_.least_exponent, 1, -1, 1.5]
    return np.concatenate([values, np.float32(ends), format_.round(generator.normal(size=count).astype(np.float32))])


def exact(value):
    return value if np.isinf(value) else Fraction(float(value))


@pytest.mark.parametrize("name", FORMATS)
def test_numbers_are_rounded_once(name):
    format_ = FORMATS[name]
    generator = np.random.default_rng(1)
    wide = np.concatenate(
        [
            generator.normal(size=200) * 2.0 ** generator.integers(-160, 140, 200),
            drawn(name, 60).astype(np.float64) * (1 + 2.0**-format_.precision),  # close to the middle of two
            (drawn(name, 60).astype(np.float64) + np.roll(drawn(name, 60), 1)) / 2,
        ]
    )
    wanted = [float_oracle.nearest(Fraction(value), name) for value in wide.tolist()]
    assert [exact(value) for value in format_.nearest(wide)] == wanted
    dyadic = [Fraction(value) for value in wide.tolist()]
    given = [format_.nearest_dyadic(v.numerator, -(v.denominator.bit_length() - 1)) for v in dyadic]
    assert [exact(value) for value in given] == wanted
    single = FORMATS["fp32"].nearest(wide)
    single = single[np.isfinite(single)]
    wanted = [float_oracle.nearest(Fraction(value), name) for value in single.tolist()]
    assert [exact(value) for value in format_.round(single)] == wanted


@pytest.mark.parametrize("name", FORMATS)
def test_operations_are_exact_and_then_rounded_once(name):
    """By single precision, though 16 bits are rounded again: the second rounding does no harm."""
    format_, given = FORMATS[name], drawn(name, 120, 2)
    one, two = np.concatenate([given, given]), np.concatenate([given[::-1], np.roll(given, 7)])
    with np.errstate(all="ignore"):
        made = {"add": one + two, "subtract": one - two, "multiply": one * two, "divide": one / two}
    operations = {
        "add": lambda x, y: x + y,
        "subtract": lambda x, y: x - y,
        "multiply": lambda x, y: x * y,
        "divide": lambda x, y: x / y,
    }
    for operation, apply in operations.items():
        for place, (x, y) in enumerate(zip(one.tolist(), two.tolist(), strict=True)):
            if operation == "divide" and not y:
                continue
            wanted = float_oracle.nearest(apply(Fraction(x), Fraction(y)), name)
            assert exact(format_.round(made[operation][place : place + 1])[0]) == wanted, (operation, x, y)


@pytest.mark.parametrize("name", SMALL)
def test_every_pattern_of_16_bits_is_a_number_and_back(name):
    format_, patterns = FORMATS[name], np.arange(1 << 16)
    values = format_.values(patterns)
    back = format_.patterns(values)
    odd = np.isnan(values) | (values == 0)
    assert np.array_equal(back[~odd], patterns[~odd])
    assert set(back[values == 0].tolist()) == {0}
    assert len(set(back[np.isnan(values)].tolist())) == 1
    assert np.array_equal(format_.round(values)[~np.isnan(values)], values[~np.isnan(values)])
    assert format_.largest == values[np.isfinite(values)].max()
    assert 2.0**format_.least_exponent == values[values > 0].min()


def test_half_precision_is_that_of_numpy():
    patterns = np.arange(1 << 16).astype(np.uint16)
    assert np.array_equal(
        FORMATS["fp16"].values(patterns), patterns.view(np.float16).astype(np.float32), equal_nan=True
    )


def test_what_is_beyond_the_range_is_infinite_and_nan_goes_through():
    for name, format_ in FORMATS.items():
        values = np.array([np.inf, -np.inf, np.nan, 1e300, -1e300])
        with np.errstate(all="raise"):
            rounded = format_.nearest(values)
        assert rounded.tolist()[3:] == [np.inf, -np.inf]
        assert np.array_equal(format_.round(rounded), rounded, equal_nan=True)
        for function, ends in {"tanh": [1, -1], "exp": [np.inf, 0], "sigmoid": [1, 0], "softplus": [np.inf, 0]}.items():
            given = nearest(function, format_)(rounded)
            assert given.tolist()[:2] == ends, (name, function)
            assert np.isnan(given[2])


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("function", ["exp", "sigmoid", "tanh", "softplus", "silu", "gelu"])
def test_functions_have_their_true_value_rounded_once(function, name):
    format_, values = FORMATS[name], np.float32([-104.2, -88.5, -17.3, -9.0, 1e-6, 0.0, 2**-24, 8.9, 16.7, 88.6])
    generator = np.random.default_rng(4)
    values = format_.round(np.concatenate([values, 3 * generator.normal(size=60).astype(np.float32)]))
    wanted = [float_oracle.function(function, Fraction(value), name) for value in values.tolist()]
    assert [exact(value) for value in nearest(function, format_)(values)] == wanted


@pytest.mark.slow
@pytest.mark.parametrize(
    "function", [name for name in FUNCTIONS if name not in ("identity", "relu", "sign", "threshold")]
)
def test_polynomials_and_intervals_agree_in_single_precision(function):
    """At every exponent, and close to 0 and to 1."""
    format_, generator = FORMATS["fp32"], np.random.default_rng(5)
    patterns = generator.integers(0, 1 << 32, 3000)
    values = np.concatenate([format_.values(patterns), 4 * generator.normal(size=3000).astype(np.float32)])
    made = nearest(function, format_)
    proved = np.array([made.proved(value) for value in values.tolist()], dtype=np.float32)
    assert np.array_equal(made(values), proved, equal_nan=True)


def test_unknown_names_are_refused():
    with pytest.raises(InputError, match="one of fp32, fp16, bf16"):
        as_format("fp8")
    with pytest.raises(InputError, match="name"):
        nearest("logarithm", FORMATS["fp32"])
