"""Fixed-point arithmetic: precisions, and exact operations on arrays of integers.

Arrays are int64, or Python integers in an object array where a number does not fit. A product goes through float64 only
where every partial sum is below 2^53, whatever the order in which it is added up; that is asserted on every call. The
operations also take an :class:`Enclosure`, a set of arrays, and then return an enclosure of all results.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.errors import Array, InputError, require_integer


class Enclosure(ABC):
    """A set of arrays of integers of one shape; the first axis is a batch of sets."""

    @abstractmethod
    def matmul(self, weights: Any) -> Array:
        """The product of the last axis with a matrix of integers."""

    @abstractmethod
    def plus_product(self, pairs: tuple[tuple[Any, Any], ...]) -> Array:
        """The sum of the products of so many pairs, of which some parts may be arrays; ``self`` is one of the parts."""

    @abstractmethod
    def weighted_mean(self, scale: int, share: Any, one: Any, two: Any) -> Array:
        """(scale - share) one + share two, for shares from 0 to ``scale``; ``self`` is one of the three."""

    @abstractmethod
    def floor_divided(self, divisor: Any) -> Array:
        """The quotients by a positive integer, rounded down."""

    @abstractmethod
    def saturated(self, low: int, high: int) -> Array:
        """Each number moved to the nearest one from ``low`` to ``high``."""

    @abstractmethod
    def mapped(self, function: Callable[[Any], Any], name: str, argument: Any, result: Any) -> Array:
        """An elementary function of that name, from one precision to another; ``function`` works it out on arrays."""


def enclosed(*values: Any) -> Enclosure | None:
    """The first enclosure among these, or None."""
    return next((value for value in values if isinstance(value, Enclosure)), None)


FLOAT_BOUND = 1 << 53  # every integer below this is a float64
WORD_BOUND = 1 << 63
FEW = 1 << 12  # products of two numbers, which integers do sooner than floats are made and looked at
MOST_ALONE = 1 << 24  # products of two numbers, some milliseconds
LARGEST_ROOT = math.isqrt(WORD_BOUND - 1)

_object_root = np.frompyfunc(math.isqrt, 1, 1)


def exact_matmul(a: Array, b: Array) -> Array:
    """The matrix product of integer arrays, with the axes of ``np.matmul``, exact."""
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


def _product(a: Array, b: Array, inner: int) -> Array:
    magnitudes = largest_magnitude(a), largest_magnitude(b)
    bound = magnitudes[0] * magnitudes[1] * inner
    if not bound:
        return np.asarray(np.matmul(np.zeros(a.shape, dtype=np.int64), np.zeros(b.shape, dtype=np.int64)))
    if bound < FLOAT_BOUND and a.size * b.shape[-1] > FEW:
        product: Array = float_product(a.astype(np.float64), b.astype(np.float64)).astype(np.int64)
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
    threads = _threads()
    return threads is None or all(library.num_threads == 1 for library in threads.lib_controllers)


def one_thread() -> AbstractContextManager[Any]:
    """A context in which products of matrices take one thread, as small ones are done before others have begun.

    Without threadpoolctl, which the extra ``files`` brings, they take all threads and are slower; nothing else differs.
    """
    return nullcontext() if _threads() is None else _threads().limit(limits=1, user_api="blas")


@cache
def _threads() -> Any:
    try:
        return import_module("threadpoolctl").ThreadpoolController()
    except ImportError:
        return None


def _halves(values: Array, magnitude: int) -> tuple[Array, Array, int]:
    """low, high and shift with values = low + high * 2^shift and 0 <= low < 2^shift, each about half as wide."""
    shift = magnitude.bit_length() // 2
    return narrow(values & ((1 << shift) - 1)), narrow(values >> shift), shift


def sum_of_products(*pairs: tuple[Array | int, Array | int]) -> Array:
    """The sum of the products of so many pairs of integer arrays, entry by entry, exact; the axes broadcast."""
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


def weighted_mean(scale: int, share: Array, one: Array, two: Array) -> Array:
    """(scale - share) one + share two, exact, for shares from 0 to ``scale``."""
    if (own := enclosed(share, one, two)) is not None:
        return own.weighted_mean(scale, share, one, two)
    return sum_of_products((scale - share, one), (share, two))


def floor_divide(numerators: Array, denominators: Array | int) -> Array:
    """The quotients of integers by positive integers, rounded down (towards minus infinity); the axes broadcast."""
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


def integer_square_root(values: Array) -> Array:
    """The largest integers whose squares are at most these non-negative integers."""
    values = _integers("values", values)
    if values.size and int(values.min()) < 0:
        raise InputError("values", int(values.min()), "non-negative integers")
    if values.dtype == object:
        return narrow(np.asarray(_object_root(values), dtype=object))
    root = np.minimum(np.sqrt(values.astype(np.float64)).astype(np.int64), LARGEST_ROOT)  # off by one at most
    root -= root * root > values
    root += values - root * root > 2 * root
    return np.asarray(root)


def largest_magnitude(values: Array) -> int:
    """The largest absolute value, 0 of an empty array; a Python integer, so that nothing overflows."""
    return max(-int(values.min()), int(values.max())) if values.size else 0


def narrow(values: Array) -> Array:
    """The same integers as int64 if they all fit, else as Python integers in an object array."""
    if values.dtype != object:
        return values
    fits = not values.size or (int(values.min()) >= -WORD_BOUND and int(values.max()) < WORD_BOUND)
    return values.astype(np.int64) if fits else values


def _integers(argument: str, values: Any) -> Array:
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


MOST_MAGNITUDE = 1 << 62
"""Mantissas are at most this large, so that the sum of two is an int64."""


@dataclass(frozen=True)
class Precision:
    """The numbers mantissa / scale for the integer mantissas from ``low`` to ``high``.

    A real number becomes the largest of them that is not above it (it is rounded down); what would lie beyond an end
    becomes that end (it saturates). Arrays hold mantissas, as int64.

    >>> precision = Precision.fixed_point(2, 3)
    >>> precision, precision.bits
    (Precision(scale=8, low=-32, high=31), 6)
    >>> precision.quantise([0.3, -0.3, 3.875]).tolist()
    [2, -3, 31]
    """

    scale: int
    low: int
    high: int

    def __post_init__(self) -> None:
        require_integer("scale", self.scale, low=1, high=MOST_MAGNITUDE)
        require_integer("low", self.low, low=-MOST_MAGNITUDE, high=MOST_MAGNITUDE)
        require_integer("high", self.high, low=self.low, high=min(MOST_MAGNITUDE, self.low + MOST_MAGNITUDE - 1))

    @classmethod
    def fixed_point(cls, integer_bits: int, fraction_bits: int, *, signed: bool = True) -> Precision:
        """Two's complement with so many bits before and after the point; a signed number has one more, in front."""
        integer_bits = require_integer("integer_bits", integer_bits, low=0)
        fraction_bits = require_integer("fraction_bits", fraction_bits, low=0)
        if integer_bits + fraction_bits > 61:
            raise InputError("integer_bits, fraction_bits", (integer_bits, fraction_bits), "at most 61 bits together")
        end = 1 << (integer_bits + fraction_bits)
        return cls(1 << fraction_bits, -end if signed else 0, end - 1)

    @classmethod
    def of(cls, bits: int) -> Precision:
        """The usual format of 3 to 40 bits: a sign, then a third (from 1 to 8 bits) integer, the others fraction."""
        bits = require_integer("bits", bits, low=3, high=40)
        integer_bits = max(1, min(8, (bits - 1) // 3))
        return cls.fixed_point(integer_bits, bits - 1 - integer_bits)

    @classmethod
    def polynomial(cls, length: int, exponent: int) -> Precision:
        """From -N^K to N^K in steps of N^-K, for length N and exponent K: about 2 K log2 N bits.

        This is the precision of Bhattamishra, Hahn, Blunsom and Kanade 2024, appendix B.2.
        """
        length = require_integer("length", length, low=2)
        exponent = require_integer("exponent", exponent, low=1)
        fits = 2 * exponent * (length.bit_length() - 1) < MOST_MAGNITUDE.bit_length()
        end: int = length ** (2 * exponent) if fits else MOST_MAGNITUDE
        if 2 * end >= MOST_MAGNITUDE:
            expected = "at most 2^61 mantissas, not 2 * N^2K + 1"
            raise InputError("length, exponent", (length, exponent), expected)
        return cls(length**exponent, -end, end)

    @property
    def bits(self) -> int:
        """The bits that number all mantissas, ceiling(log2(high - low + 1))."""
        return (self.high - self.low).bit_length()

    def quantise(self, values: Any, argument: str = "values", *, saturate: bool = False) -> Array:
        """Real numbers (floats, integers, Fractions) as mantissas, each rounded down exactly.

        A float counts as the rational number that it stores. Raises :class:`~ccsim.errors.InputError` for NaN and
        infinity, and for numbers out of range, unless these are to be saturated; it states how many bits would do.
        """
        try:
            array = np.asarray(values)
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(argument, values, "an array of real numbers, its rows equally long") from error
        if array.dtype.kind == "f":
            if not np.isfinite(array).all():
                raise InputError(argument, float(array[~np.isfinite(array)].flat[0]), "finite numbers")
            mantissas = self._from_floats(array)
        else:
            mantissas = self._from_rationals(array, argument)
        if not saturate and mantissas.size:
            least, most = int(mantissas.min()), int(mantissas.max())
            if least < self.low or most > self.high:
                self._refuse(least, most, argument)
        return self.saturate(mantissas)

    def _from_floats(self, values: Array) -> Array:
        """Floor(values * scale), exact: by scaling with a power of two where this cannot round, else by fractions."""
        exact = self.scale & (self.scale - 1) == 0 and values.dtype.itemsize <= 8
        if exact and (not values.size or float(np.abs(values).max()) * self.scale < float(MOST_MAGNITUDE)):
            scaled = np.floor(np.ldexp(values.astype(np.float64), self.scale.bit_length() - 1))
            return np.asarray(scaled.astype(np.int64))
        return self._from_rationals(values.astype(object), "values")

    def _from_rationals(self, values: Array, argument: str) -> Array:
        if values.dtype.kind not in "biufO":
            raise InputError(argument, values.dtype.name, "real numbers")
        if values.dtype.kind in "biu":
            return narrow(np.asarray(values.astype(object) * self.scale, dtype=object))
        mantissas = np.empty(values.shape, dtype=object)
        for place, value in np.ndenumerate(values):
            try:
                mantissas[place] = int(Fraction(value) * self.scale // 1)
            except (TypeError, ValueError, OverflowError) as error:
                raise InputError(argument, value, "finite real numbers") from error
        return narrow(mantissas)

    def _refuse(self, least: int, most: int, argument: str) -> None:
        value = Fraction(most if most > self.high else least, self.scale)
        span = f"from {Fraction(self.low, self.scale)} to {Fraction(self.high, self.scale)}"
        needed = (max(most, self.high) - min(least, self.low)).bit_length()
        would_do = f"{needed} bits would do"
        if self.scale & (self.scale - 1) == 0:
            signed = self.low < 0 or least < 0
            whole = (max(most, -least - 1, 0) // self.scale).bit_length()
            total = whole + self.scale.bit_length() - 1 + signed
            would_do = f"{whole} integer bits{' and a sign' if signed else ''} would do, {total} bits in all"
        try:
            shown: object = float(value)
        except OverflowError:
            shown = f"about 2^{abs(int(value)).bit_length()}"
        raise InputError(argument, shown, f"numbers {span} in {self.bits} bits; {would_do}")

    def round_down(self, numerators: Array, scale: int | None = None) -> Array:
        """The mantissas floor(numerators / scale), exact and saturated; ``scale`` is usually that of the precision."""
        return self.saturate(floor_divide(numerators, self.scale if scale is None else scale))

    def saturate(self, mantissas: Array) -> Array:
        """Each mantissa moved to the nearest one from ``low`` to ``high``, as int64."""
        if (own := enclosed(mantissas)) is not None:
            return own.saturated(self.low, self.high)
        array = _integers("mantissas", mantissas)
        return np.asarray(np.clip(array, self.low, self.high)).astype(np.int64, copy=False)

    def require(self, mantissas: Any, argument: str = "mantissas") -> Array:
        """These mantissas as int64, or an :class:`~ccsim.errors.InputError` if one is not in the precision."""
        array = _integers(argument, mantissas)
        if array.size and (int(array.min()) < self.low or int(array.max()) > self.high):
            wrong = int(array.max()) if int(array.max()) > self.high else int(array.min())
            raise InputError(argument, wrong, f"mantissas from {self.low} to {self.high}")
        return array.astype(np.int64, copy=False)

    def codes(self, mantissas: Array) -> Array:
        """What is sent for each mantissa: an unsigned number of :attr:`bits` bits, mantissa - low."""
        return np.asarray(self.require(mantissas) - self.low)

    def from_codes(self, codes: Array) -> Array:
        """The mantissas of unsigned numbers: the inverse of :meth:`codes`."""
        return self.require(_integers("codes", codes) + self.low, "codes + low")

    def floats(self, mantissas: Array) -> npt.NDArray[np.float64]:
        """The numbers as float64, which may round: to look at, not to decide."""
        return np.asarray(np.asarray(mantissas, dtype=np.float64) / float(self.scale))

    def fractions(self, mantissas: Array) -> npt.NDArray[np.object_]:
        """The numbers as exact Fractions in an object array of the same shape."""
        exact = np.frompyfunc(lambda mantissa: Fraction(int(mantissa), self.scale), 1, 1)
        return np.asarray(exact(np.asarray(mantissas)), dtype=object)

    def __str__(self) -> str:
        return f"{self.bits} bits, steps of 1/{self.scale}"


def as_precision(value: int | Precision) -> Precision:
    """A precision as it is, or the usual one of so many bits."""
    return value if isinstance(value, Precision) else Precision.of(require_integer("precision", value, low=3, high=40))
