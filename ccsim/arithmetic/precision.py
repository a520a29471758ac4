"""Numbers of finite precision: integer mantissas over one scale, rounded down and saturating."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.arithmetic.enclosure import enclosed
from ccsim.arithmetic.integers import IntArray, _integers, floor_divide, narrow
from ccsim.errors import Array, InputError, require_integer

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
        """Two's complement with so many bits before and after the point; a signed number has one more, in front.

        >>> Precision.fixed_point(0, 4, signed=False)
        Precision(scale=16, low=0, high=15)
        """
        integer_bits = require_integer("integer_bits", integer_bits, low=0)
        fraction_bits = require_integer("fraction_bits", fraction_bits, low=0)
        if integer_bits + fraction_bits > 61:
            raise InputError("integer_bits, fraction_bits", (integer_bits, fraction_bits), "at most 61 bits together")
        end = 1 << (integer_bits + fraction_bits)
        return cls(1 << fraction_bits, -end if signed else 0, end - 1)

    @classmethod
    def of(cls, bits: int) -> Precision:
        """A usual format of 3 to 40 bits: a sign, a third of the rest (from 1 to 8 bits) integer, the others fraction.

        >>> Precision.of(12) == Precision.fixed_point(3, 8), Precision.of(40) == Precision.fixed_point(8, 31)
        (True, True)
        """
        bits = require_integer("bits", bits, low=3, high=40)
        integer_bits = max(1, min(8, (bits - 1) // 3))
        return cls.fixed_point(integer_bits, bits - 1 - integer_bits)

    @classmethod
    def polynomial(cls, length: int, exponent: int) -> Precision:
        """From -N^K to N^K in steps of N^-K, for length N and exponent K.

        This is the precision of Bhattamishra, Hahn, Blunsom and Kanade 2024 (appendix B.2): about 2 K log2 N bits.

        >>> Precision.polynomial(8, 2)
        Precision(scale=64, low=-4096, high=4096)
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

    def quantise(self, values: Any, argument: str = "values", *, saturate: bool = False) -> IntArray:
        """Real numbers (floats, integers, Fractions) as mantissas, each rounded down exactly.

        A float counts as the rational number that it stores. Raises :class:`~ccsim.errors.InputError` for NaN and
        infinity, and for numbers out of range, unless these are to be saturated; it says how many bits would do.
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

    def _from_floats(self, values: Array) -> IntArray:
        """Floor(values * scale), exact: by scaling with a power of two where this cannot round, else by fractions."""
        exact = self.scale & (self.scale - 1) == 0 and values.dtype.itemsize <= 8
        if exact and (not values.size or float(np.abs(values).max()) * self.scale < float(MOST_MAGNITUDE)):
            scaled = np.floor(np.ldexp(values.astype(np.float64), self.scale.bit_length() - 1))
            return np.asarray(scaled.astype(np.int64))
        return self._from_rationals(values.astype(object), "values")

    def _from_rationals(self, values: Array, argument: str) -> IntArray:
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

    def round_down(self, numerators: IntArray, scale: int | None = None) -> IntArray:
        """The mantissas floor(numerators / scale), saturated; ``scale`` is, unless given, that of the precision.

        The product of two mantissas is a numerator over ``scale`` of the mantissa of the product. Numerators may be
        int64, or Python integers in an object array; the division is exact in both.

        >>> Precision.of(8).round_down(np.array([5 * 7, -1])).tolist()
        [1, -1]
        """
        return self.saturate(floor_divide(numerators, self.scale if scale is None else scale))

    def saturate(self, mantissas: IntArray) -> IntArray:
        """Each mantissa moved to the nearest one from ``low`` to ``high``, as int64."""
        if (own := enclosed(mantissas)) is not None:
            return own.saturated(self.low, self.high)
        array = _integers("mantissas", mantissas)
        return np.asarray(np.clip(array, self.low, self.high)).astype(np.int64, copy=False)

    def require(self, mantissas: Any, argument: str = "mantissas") -> IntArray:
        """These mantissas as int64, or an :class:`~ccsim.errors.InputError` if one is not in the precision."""
        array = _integers(argument, mantissas)
        if array.size and (int(array.min()) < self.low or int(array.max()) > self.high):
            wrong = int(array.max()) if int(array.max()) > self.high else int(array.min())
            raise InputError(argument, wrong, f"mantissas from {self.low} to {self.high}")
        return array.astype(np.int64, copy=False)

    def codes(self, mantissas: IntArray) -> IntArray:
        """What is sent for each mantissa: an unsigned number of :attr:`bits` bits, mantissa - low."""
        return np.asarray(self.require(mantissas) - self.low)

    def from_codes(self, codes: IntArray) -> IntArray:
        """The mantissas of unsigned numbers: the inverse of :meth:`codes`."""
        return self.require(_integers("codes", codes) + self.low, "codes + low")

    def floats(self, mantissas: IntArray) -> npt.NDArray[np.float64]:
        """The numbers as float64, which may round: to look at, not to decide."""
        return np.asarray(np.asarray(mantissas, dtype=np.float64) / float(self.scale))

    def fractions(self, mantissas: IntArray) -> npt.NDArray[np.object_]:
        """The numbers as exact Fractions in an object array of the same shape."""
        fractions = np.empty(np.shape(mantissas), dtype=object)
        for place, mantissa in np.ndenumerate(np.asarray(mantissas)):
            fractions[place] = Fraction(int(mantissa), self.scale)
        return fractions

    def __str__(self) -> str:
        return f"{self.bits} bits, steps of 1/{self.scale}"


def as_precision(value: int | Precision) -> Precision:
    """A precision as it is, or the usual one of so many bits.

    >>> as_precision(8) == Precision.of(8)
    True
    """
    return value if isinstance(value, Precision) else Precision.of(require_integer("precision", value, low=3, high=40))
