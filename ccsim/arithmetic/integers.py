"""Exact operations on arrays of integers: products of matrices, quotients, square roots.

Arrays are int64, or Python integers in an object array where a number does not fit. Nothing is ever rounded in
floating point: a product goes through float64 only where every partial sum is below 2^53, whatever the order in which
it is added up, and that bound is computed and asserted on every call.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import threadpoolctl

from ccsim.arithmetic.enclosure import enclosed
from ccsim.errors import Array, InputError

IntArray = Array

FLOAT_BOUND = 1 << 53  # every integer below this is a float64
WORD_BOUND = 1 << 63
FEW = 1 << 12  # products of two numbers, which integers do sooner than floats are made and looked at
MOST_ALONE = 1 << 24  # products of two numbers, some milliseconds
LARGEST_ROOT = math.isqrt(WORD_BOUND - 1)

_object_root = np.frompyfunc(math.isqrt, 1, 1)


def exact_matmul(a: IntArray, b: IntArray) -> IntArray:
    """The matrix product of integer arrays, with the axes of ``np.matmul``, exact.

    The result is int64, or Python integers in an object array if some entry does not fit.

    >>> exact_matmul(np.array([[1 << 40, 1]]), np.array([[1 << 30], [3]])).tolist() == [[(1 << 70) + 3]]
    True
    """
    if (own := enclosed(a)) is not None:
        return own.matmul(b)
    a, b = _integers("a", a), _integers("b", b)
    if a.ndim == 0 or b.ndim == 0:
        raise InputError("a, b", (a.shape, b.shape), "at least one axis each")
    inner, other = a.shape[-1], b.shape[-2 if b.ndim > 1 else -1]
    if inner != other:
        raise InputError("a, b", (a.shape, b.shape), f"as many columns of a as rows of b, not {inner} and {other}")
    try:
        np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError as error:
        raise InputError("a, b", (a.shape, b.shape), "axes before the last two that broadcast") from error
    return narrow(_product(a, b, int(inner)))


def _product(a: IntArray, b: IntArray, inner: int) -> IntArray:
    magnitudes = largest_magnitude(a), largest_magnitude(b)
    bound = magnitudes[0] * magnitudes[1] * inner
    if not bound:
        return np.asarray(np.matmul(np.zeros(a.shape, dtype=np.int64), np.zeros(b.shape, dtype=np.int64)))
    if bound < FLOAT_BOUND and a.size * b.shape[-1] > FEW:
        product: IntArray = float_product(a.astype(np.float64), b.astype(np.float64)).astype(np.int64)
        assert largest_magnitude(product) <= bound < FLOAT_BOUND
        return product
    if bound < WORD_BOUND:
        return np.asarray(np.matmul(a.astype(np.int64), b.astype(np.int64)))
    if magnitudes[0] >= magnitudes[1]:
        low, high, shift = _halves(a, magnitudes[0])
        parts = _product(low, b, inner), _product(high, b, inner)
    else:
        low, high, shift = _halves(b, magnitudes[1])
        parts = _product(a, low, inner), _product(a, high, inner)
    return np.asarray(parts[0].astype(object) + (parts[1].astype(object) << shift), dtype=object)


def float_product(a: Array, b: Array) -> Array:
    """The product of float64 matrices; a small one by one thread, as others would wait for longer than it takes."""
    if a.size * b.shape[-1] > MOST_ALONE or _has_one_thread():
        return np.asarray(np.matmul(a, b))
    with one_thread():
        return np.asarray(np.matmul(a, b))


@cache
def _has_one_thread() -> bool:
    """Whether there was one thread from the beginning; to limit it again takes longer than a small product."""
    return all(library.num_threads == 1 for library in _threads().lib_controllers)


def one_thread() -> Any:
    """A context in which products of matrices take one thread, as small ones are done before others have begun.

    >>> with one_thread():
    ...     float(np.ones((2, 2)).dot(np.ones((2, 2)))[0, 0])
    2.0
    """
    return _threads().limit(limits=1, user_api="blas")


@cache
def _threads() -> Any:
    return threadpoolctl.ThreadpoolController()


def _halves(values: IntArray, magnitude: int) -> tuple[IntArray, IntArray, int]:
    """low, high and shift with values = low + high * 2^shift and 0 <= low < 2^shift, each about half as wide."""
    shift = magnitude.bit_length() // 2
    return narrow(values & ((1 << shift) - 1)), narrow(values >> shift), shift


def sum_of_products(*pairs: tuple[IntArray | int, IntArray | int]) -> IntArray:
    """The sum of the products of so many pairs of integer arrays, entry by entry, exact; the axes broadcast.

    The result is int64, or Python integers in an object array if some entry does not fit.

    >>> sum_of_products((np.array([3, -4]), 5), (np.array([1, 1]), np.array([7, 8]))).tolist()
    [22, -12]
    """
    if (own := enclosed(*(part for pair in pairs for part in pair))) is not None:
        return own.plus_product(pairs)
    arrays = [(narrow(_integers("pairs", a)), narrow(_integers("pairs", b))) for a, b in pairs]
    try:
        np.broadcast_shapes(*(part.shape for pair in arrays for part in pair))
    except ValueError as error:
        raise InputError("pairs", [(a.shape, b.shape) for a, b in arrays], "axes that broadcast") from error
    bound = sum(largest_magnitude(a) * largest_magnitude(b) for a, b in arrays)
    wide = bound >= WORD_BOUND or any(object in (a.dtype, b.dtype) for a, b in arrays)
    kind = object if wide else np.int64
    total: Any = 0
    for a, b in arrays:
        total = total + a.astype(kind, copy=False) * b.astype(kind, copy=False)
    return narrow(np.asarray(total))


def weighted_mean(scale: int, share: IntArray, one: IntArray, two: IntArray) -> IntArray:
    """(scale - share) one + share two, exact, for shares from 0 to ``scale``: ``scale`` times a number between the two.

    >>> weighted_mean(4, np.array([0, 1]), np.array([10, 10]), np.array([2, 2])).tolist()
    [40, 32]
    """
    if (own := enclosed(share, one, two)) is not None:
        return own.weighted_mean(scale, share, one, two)
    return sum_of_products((scale - share, one), (share, two))


def floor_divide(numerators: IntArray, denominators: IntArray | int) -> IntArray:
    """The quotients of integers by positive integers, rounded down (towards minus infinity); the axes broadcast.

    >>> floor_divide(np.array([7, -7]), 2).tolist()
    [3, -4]
    """
    if (own := enclosed(numerators)) is not None:
        return own.floor_divided(denominators)
    above, below = _integers("numerators", numerators), _integers("denominators", denominators)
    if below.size and int(below.min()) < 1:
        raise InputError("denominators", int(below.min()), "positive integers")
    if below.ndim == 0:
        divisor = int(below)
        if divisor & (divisor - 1) == 0 and divisor < WORD_BOUND:
            return np.asarray(above >> (divisor.bit_length() - 1))
    return narrow(above // below)


def integer_square_root(values: IntArray) -> IntArray:
    """The largest integers whose squares are at most these non-negative integers.

    >>> integer_square_root(np.array([0, 8, 9, 2**63 - 1])).tolist()
    [0, 2, 3, 3037000499]
    """
    values = _integers("values", values)
    if values.size and int(values.min()) < 0:
        raise InputError("values", int(values.min()), "non-negative integers")
    if values.dtype == object:
        return narrow(np.asarray(_object_root(values), dtype=object))
    root = np.minimum(np.sqrt(values.astype(np.float64)).astype(np.int64), LARGEST_ROOT)  # off by one at most
    root -= root * root > values
    root += values - root * root > 2 * root
    return np.asarray(root)


def largest_magnitude(values: IntArray) -> int:
    """The largest absolute value, 0 of an empty array; a Python integer, so that nothing overflows.

    >>> largest_magnitude(np.array([-(2**63), 5]))
    9223372036854775808
    """
    return max(-int(values.min()), int(values.max())) if values.size else 0


def narrow(values: IntArray) -> IntArray:
    """The same integers as int64 if they all fit, else as Python integers in an object array."""
    if values.dtype != object:
        return values
    fits = not values.size or (int(values.min()) >= -WORD_BOUND and int(values.max()) < WORD_BOUND)
    return values.astype(np.int64) if fits else values


def _integers(argument: str, values: Any) -> IntArray:
    """An array of int64, or of Python integers."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(argument, values, "an array of integers, its rows equally long") from error
    if array.dtype.kind in "bi" or array.dtype in (np.uint8, np.uint16, np.uint32):
        return array.astype(np.int64, copy=False)
    if array.dtype == np.uint64:
        return narrow(array.astype(object))
    if array.dtype == object and all(isinstance(value, int) for value in array.flat):
        return array
    raise InputError(argument, array.dtype.name, "an array of integers")
