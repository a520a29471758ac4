"""Tables of functions against mpmath, which shares no code with the library that makes them."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccsim import InputError
from ccsim.arithmetic import FUNCTIONS, Precision, elementary, exponential
from ccsim.arithmetic import functions as module
from tests.cases import cases

ORACLES = {
    "exp": mpmath.exp,
    "elu_plus_one": lambda x: mpmath.exp(x) if x < 0 else x + 1,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "tanh": mpmath.tanh,
    "softplus": lambda x: mpmath.log1p(mpmath.exp(x)),
    "silu": lambda x: x / (1 + mpmath.exp(-x)),
    "gelu": lambda x: x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2,
    "gelu_tanh": lambda x: x / 2 * (1 + mpmath.tanh(mpmath.sqrt(2 / mpmath.pi) * (x + x**3 * 44715 / 10**6))),
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "identity": lambda x: x,
    "relu": lambda x: max(x, 0),
    "sign": mpmath.sign,
    "threshold": lambda x: int(x > 0),
}
FORMATS = [Precision.of(6), Precision.fixed_point(1, 6), Precision.polynomial(2, 2)]


def floor_by_mpmath(name, mantissa, argument, result):
    """The value rounded down, at 200 digits, with whole numbers allowed only where they are exact."""
    with mpmath.workdps(200):
        x = mpmath.mpf(mantissa) / argument.scale
        value = ORACLES[name](x) * result.scale
        return min(max(int(mpmath.floor(value)), result.low), result.high)


def test_every_function_has_an_oracle():
    assert set(ORACLES) == set(FUNCTIONS)


@cases("name", FUNCTIONS)
@cases("argument", FORMATS)
def test_tables_are_rounded_down_exactly(name, argument):
    result = Precision.of(10)
    mantissas = np.arange(argument.low, argument.high + 1)
    expected = [floor_by_mpmath(name, int(mantissa), argument, result) for mantissa in mantissas]
    assert elementary(name, argument, result)(mantissas).tolist() == expected


@cases(
    "precision",
    [Precision.of(4), Precision.of(8), Precision.of(12), Precision.of(16), Precision.polynomial(8, 2)],
)
def test_the_whole_table_of_exp_is_rounded_down_exactly(precision):
    exp, scale = exponential(precision), precision.scale
    with mpmath.workdps(40):
        expected = [int(mpmath.floor(mpmath.exp(mpmath.mpf(-n) / scale) * scale)) for n in range(len(exp.table))]
        assert mpmath.exp(-mpmath.mpf(len(exp.table) - 2) / scale) * scale >= 1
    assert exp.table.tolist() == expected
    assert exp.table[0] == scale
    assert exp.table[-1] == 0
    assert (np.diff(exp.table) <= 0).all()
    assert exp(np.array([[0, -1], [-len(exp.table), -(1 << 60)]])).tolist() == [expected[:2], [0, 0]]


@pytest.mark.parametrize("name", ["sigmoid", "softplus", "silu", "gelu", "elu_plus_one", "tanh", "sin"])
def test_beyond_the_largest_table_values_are_found_one_by_one(monkeypatch, name):
    argument, result = Precision.of(11), Precision.of(13)
    mantissas = np.arange(argument.low, argument.high + 1)
    by_table = elementary(name, argument, result)(mantissas)
    monkeypatch.setattr(module, "MOST_ENTRIES", 5)
    random = np.random.default_rng(1)
    chosen = random.choice(mantissas, (40, 3))
    assert np.array_equal(elementary(name, argument, result)(chosen), by_table[chosen - argument.low])


@given(st.lists(st.integers(-(1 << 36), 0), min_size=1, max_size=5))
def test_exp_of_forty_bits(mantissas):
    found = exponential(Precision.of(40))(np.array(mantissas))
    with mpmath.workdps(60):
        expected = [int(mpmath.floor(mpmath.exp(mpmath.mpf(m) / (1 << 31)) * (1 << 31))) for m in mantissas]
    assert found.tolist() == expected


@cases("name", FUNCTIONS)
def test_huge_arguments_saturate_and_tiny_remainders_round_down(name):
    precision = Precision.fixed_point(50, 2)
    ends = np.array([precision.low, -400_000, 400_000, precision.high])
    found = elementary(name, precision, precision)(ends)
    limits = {
        "silu": [-1, -1, 399_999, precision.high - 1],
        "gelu": [-1, -1, 399_999, precision.high - 1],
        "gelu_tanh": [-1, -1, 399_999, precision.high - 1],
        "softplus": [0, 0, 400_000, precision.high],
        "elu_plus_one": [0, 0, 400_004, precision.high],
        "sigmoid": [0, 0, 3, 3],
        "tanh": [-4, -4, 3, 3],
        "exp": [0, 0, precision.high, precision.high],
        "relu": [0, 0, 400_000, precision.high],
        "identity": ends.tolist(),
        "sign": [-4, -4, 4, 4],
        "threshold": [0, 0, 4, 4],
    }
    if name in limits:
        assert found.tolist() == limits[name]
    else:
        assert (abs(found) <= 4).all()


def test_tables_are_made_once_and_cannot_be_changed():
    precision = Precision.of(8)
    tanh = elementary("tanh", precision, precision)
    assert elementary("tanh", precision, precision) is tanh
    with pytest.raises(ValueError, match="read-only"):
        tanh.table[0] = 3


def test_a_table_that_cannot_fit_is_refused_before_it_is_made(monkeypatch):
    monkeypatch.setattr("ccsim.errors.available_bytes", lambda: 1000)
    function = module.Elementary("tanh", Precision.of(14), Precision.of(14))
    with pytest.raises(ValueError, match="the table of tanh on 16384 mantissas would need"):
        function(np.zeros(1, dtype=np.int64))


@cases(
    "make",
    [
        lambda: elementary("tangent", Precision.of(8), Precision.of(8)),
        lambda: elementary("tanh", Precision.of(8), Precision.of(8))(np.array([128])),
        lambda: elementary("relu", Precision.of(8), Precision.of(8))(np.array([-129])),
        lambda: elementary("tanh", Precision.of(8), Precision.of(8))(np.array([0.5])),
        lambda: exponential(Precision.of(8))(np.array([0, 1])),
    ],
)
def test_arguments_outside_the_precision_are_refused(make):
    with pytest.raises(InputError):
        make()


def test_exponentials_take_whatever_is_an_integer():
    exp = exponential(Precision.of(8))
    assert exp(np.array([-(2**63), 0])).tolist() == [0, 32]
    assert exp(np.array([-(10**30), -32], dtype=object)).tolist() == [0, 11]
    for wrong in (np.array([-1.0]), np.array([None])):
        with pytest.raises(InputError, match="mantissas"):
            exp(wrong)
    with pytest.raises(InputError, match="argument"):
        elementary("exp", 8, 8)


def test_single_exponentials_of_many_bits_need_no_table():
    exp = module.Exponential(Precision.of(26).scale)
    assert exp.first_zero >= module.MOST_EXPONENTIALS
    for mantissa in (0, -1, -12345, -exp.first_zero + 1, -exp.first_zero):
        wanted = mpmath.floor(mpmath.exp(mpmath.mpf(mantissa) / exp.scale) * exp.scale)
        assert int(exp(np.array([mantissa]))[0]) == int(wanted)
    assert "table" not in exp.__dict__
