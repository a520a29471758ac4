"""Exact products, quotients and roots, against Python's own integers."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import InputError
from ccsim.arithmetic import exact_matmul, floor_divide, integer_square_root, narrow, sum_of_products
from ccsim.arithmetic import fixed_point as module
from tests.cases import cases

FEW = settings(max_examples=30, deadline=None)

SIZES = st.integers(1, 4)


def product_of(a, b):
    """The product of two matrices by Python integers."""
    return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]


@st.composite
def matrices(draw, largest):
    rows, inner, columns = draw(SIZES), draw(SIZES), draw(SIZES)
    numbers = st.integers(-largest, largest)
    a = [[draw(numbers) for _ in range(inner)] for _ in range(rows)]
    b = [[draw(numbers) for _ in range(columns)] for _ in range(inner)]
    return a, b


@cases("bits", [3, 25, 26, 27, 30, 31, 32, 63, 100])
def test_products_are_exact_at_every_size(bits):
    @settings(max_examples=15, deadline=None)
    @given(matrices(1 << bits))
    def check(pair):
        a, b = pair
        kind = np.int64 if bits < 63 else object
        found = exact_matmul(np.array(a, dtype=kind), np.array(b, dtype=kind))
        expected = product_of(a, b)
        assert found.tolist() == expected
        fits = all(-(1 << 63) <= number < 1 << 63 for row in expected for number in row)
        assert (found.dtype == np.int64) == fits

    check()


@pytest.mark.parametrize(("inner", "a", "b"), [(1, 1 << 26, 1 << 27), (1, (1 << 53) - 1, 1), (8, 1 << 25, 1 << 25)])
def test_at_the_bound_of_float64_products_are_exact(monkeypatch, inner, a, b):
    """One below the bound goes through floats, the bound itself does not; both are exact."""
    through_floats = []
    real = np.matmul

    def spying(x, y):
        through_floats.append(x.dtype == np.float64)
        return real(x, y)

    monkeypatch.setattr(module.np, "matmul", spying)
    monkeypatch.setattr(module, "FEW", 0)  # small ones may go through floats, too
    for magnitude in (a - 1, a, a + 1):
        left = np.full((2, inner), magnitude)
        right = np.full((inner, 2), -b)
        assert exact_matmul(left, right).tolist() == [[-inner * magnitude * b] * 2] * 2
        assert through_floats.pop() == (inner * magnitude * b < 1 << 53)


def test_a_product_that_floats_would_get_wrong():
    a, b = np.array([[(1 << 53) + 1, 1]]), np.array([[1], [2]])
    assert exact_matmul(a, b).tolist() == [[(1 << 53) + 3]]
    assert int((a.astype(float) @ b.astype(float))[0, 0]) != (1 << 53) + 3


@cases(
    ("left", "right"),
    [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((5, 1, 2, 3), (4, 3, 2)), ((0, 3), (3, 2)), ((2, 0), (0, 2))],
)
def test_axes_are_those_of_matmul(left, right):
    random = np.random.default_rng(0)
    a, b = random.integers(-9, 9, left), random.integers(-9, 9, right)
    for bits in (0, 28, 40):
        found = exact_matmul(a << bits, b << bits)
        assert found.shape == np.matmul(a, b).shape
        assert np.array_equal(found.astype(object), np.matmul(a, b).astype(object) << (2 * bits))


@FEW
@given(st.data(), st.integers(1, 3), st.sampled_from([5, 31, 32, 61, 90]))
def test_sums_of_products_are_exact(data, terms, bits):
    numbers = st.lists(st.integers(-(1 << bits), 1 << bits), min_size=3, max_size=3)
    pairs = [(data.draw(numbers), data.draw(numbers)) for _ in range(terms)]
    expected = [sum(a[place] * b[place] for a, b in pairs) for place in range(3)]
    arrays = [tuple(np.array(one, dtype=object if bits > 62 else np.int64) for one in pair) for pair in pairs]
    assert sum_of_products(*arrays).tolist() == expected


def test_sums_of_products_broadcast():
    outer = sum_of_products((np.arange(3)[:, None], np.arange(4)[None, :]), (np.ones((3, 4), dtype=int), 7))
    assert outer.tolist() == [[i * j + 7 for j in range(4)] for i in range(3)]


@FEW
@given(st.lists(st.integers(-(1 << 63), (1 << 63) - 1), min_size=1), st.integers(1, (1 << 66)))
def test_quotients_are_floors(numerators, denominator):
    array = np.array(numerators, dtype=np.int64)
    assert floor_divide(array, denominator).tolist() == [number // denominator for number in numerators]
    wide = np.array(numerators, dtype=object) * 3**50
    assert floor_divide(wide, denominator).tolist() == [number * 3**50 // denominator for number in numerators]
    each = np.array([abs(number) + 1 for number in numerators], dtype=object)
    expected = [number // (abs(number) + 1) for number in numerators]
    assert floor_divide(array, each).tolist() == expected


@FEW
@given(st.lists(st.one_of(st.integers(0, 1 << 62), st.integers(0, 3037000499).map(lambda r: r * r)), min_size=1))
def test_roots_are_floors(values):
    around = sorted({max(value + d, 0) for value in values for d in (-1, 0, 1)} | {(1 << 63) - 1})
    assert integer_square_root(np.array(around, dtype=np.int64)).tolist() == [math.isqrt(value) for value in around]
    wide = np.array([value << 40 for value in around], dtype=object)
    assert integer_square_root(wide).tolist() == [math.isqrt(value << 40) for value in around]


def test_numbers_are_narrowed_only_if_all_fit():
    assert narrow(np.array([1, -(1 << 63)], dtype=object)).dtype == np.int64
    assert narrow(np.array([1, 1 << 63], dtype=object)).dtype == object


@cases(
    "make",
    [
        lambda: exact_matmul(np.ones((2, 2)), np.ones((2, 2), dtype=int)),
        lambda: exact_matmul(np.ones((2, 3), dtype=int), np.ones((2, 3), dtype=int)),
        lambda: exact_matmul(np.int64(3), np.ones(1, dtype=int)),
        lambda: exact_matmul(np.ones((2, 3, 4), dtype=int), np.ones((3, 4, 2), dtype=int)),
        lambda: sum_of_products((np.ones(3, dtype=int), np.ones(2, dtype=int))),
        lambda: floor_divide(np.array([1]), 0),
        lambda: floor_divide(np.array([1]), np.array([1, -1])),
        lambda: integer_square_root(np.array([4, -1])),
        lambda: integer_square_root(np.array([4.0])),
        lambda: floor_divide(np.array([None], dtype=object), 1),
    ],
)
def test_what_is_not_an_integer_or_does_not_fit_is_refused(make):
    with pytest.raises(InputError):
        make()
