"""Binary floating point as IEEE 754 has it: fp32, fp16 and bf16, every operation rounded to nearest, ties to even."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ccsim.arrays import Array
from ccsim.errors import InputError

__all__ = ["FORMATS", "FloatFormat", "Floats", "as_format"]

Floats = npt.NDArray[np.float32]
"""Numbers of a format; all formats here are parts of single precision."""

QUIET_NAN = np.uint32(0x7FC00000)


@dataclass(frozen=True)
class FloatFormat:
    """Numbers ± m 2^q of so many bits: with subnormal ones, infinities and one NaN.

    Sums, products and quotients of two numbers are made in single precision and then rounded to the format, and that is
    the exact result rounded once: single precision has at least 2 p + 2 bits (Figueroa 1995) for formats of p = 8 and
    11, and where a result is subnormal in the format, a sum is exact in single precision; so is a product that is not
    below half of the least number, and one below it becomes 0 either way.

    Attributes:
        name: fp32, fp16 or bf16.
        exponent_bits: bits of the exponent.
        precision: bits of the significand, the one in front that is not stored included.

    >>> FORMATS["bf16"].bits, FORMATS["bf16"].round(np.float32([1.00390625, 1.01171875])).tolist()  # two ties
    (16, [1.0, 1.015625])
    """

    name: str
    exponent_bits: int
    precision: int

    @property
    def bits(self) -> int:
        """The bits of a number: sign, exponent, and the significand without its first bit."""
        return self.exponent_bits + self.precision

    @property
    def least_exponent(self) -> int:
        """The q of the subnormal numbers, so that 2^q is the least positive number."""
        return 3 - (1 << (self.exponent_bits - 1)) - self.precision

    @property
    def largest(self) -> float:
        """The largest finite number."""
        return (2 - 2.0 ** (1 - self.precision)) * 2.0 ** ((1 << (self.exponent_bits - 1)) - 1)

    def nearest(self, values: Array) -> Floats:
        """Any float64 numbers, each rounded once."""
        wide = np.asarray(values, dtype=np.float64)
        if self.name == "fp32":
            with np.errstate(over="ignore"):
                return wide.astype(np.float32)
        _, exponents = np.frexp(wide)
        quanta = np.maximum(exponents - self.precision, self.least_exponent)
        rounded = np.ldexp(np.rint(np.ldexp(wide, -quanta)), quanta)
        beyond = np.abs(rounded) > self.largest
        with np.errstate(over="ignore"):
            return np.asarray(np.where(beyond, np.copysign(np.inf, wide), rounded).astype(np.float32))

    def nearest_dyadic(self, significand: int, exponent: int) -> float:
        """significand * 2^exponent rounded once, for integers of any size."""
        magnitude, sign = abs(significand), -1.0 if significand < 0 else 1.0
        quantum = max(exponent + magnitude.bit_length() - self.precision, self.least_exponent)
        shift = quantum - exponent
        if quantum > 1 << self.exponent_bits:
            return sign * float("inf")
        if shift > magnitude.bit_length():  # below a half of the least number
            return sign * 0.0
        if shift <= 0:
            whole = magnitude << -shift
        else:
            whole, rest = divmod(magnitude, 1 << shift)
            whole += 2 * rest > 1 << shift or (2 * rest == 1 << shift and whole % 2 == 1)
        value = float(whole) * 2.0**quantum
        return sign * (value if value <= self.largest else float("inf"))

    def round(self, values: Floats) -> Floats:
        """Numbers of single precision, each rounded once; of this format they stay as they are."""
        if self.name == "fp32":
            return values
        if self.name == "fp16":
            with np.errstate(over="ignore"):
                return values.astype(np.float16).astype(np.float32)
        bits = np.ascontiguousarray(values).view(np.uint32)
        up = ((bits >> np.uint32(16)) & np.uint32(1)) + np.uint32(0x7FFF)
        rounded = (bits + up) & np.uint32(0xFFFF0000)
        return np.asarray(np.where(np.isnan(values), QUIET_NAN, rounded).view(np.float32)).reshape(values.shape)

    def patterns(self, values: Floats) -> Array:
        """The bits of numbers of this format, as integers from 0 to 2^bits - 1.

        Both zeros have the pattern 0, and every NaN the same one: nothing here tells them apart.
        """
        plain = np.where(np.isnan(values), np.float32(np.nan), np.where(values == 0, np.float32(0), values))
        if self.name == "fp16":
            return np.asarray(plain.astype(np.float16).view(np.uint16).astype(np.int64))
        bits = np.ascontiguousarray(plain.astype(np.float32)).view(np.uint32)
        return np.asarray((bits >> np.uint32(32 - self.bits)).astype(np.int64))

    def values(self, patterns: Array) -> Floats:
        """The numbers of bit patterns: the inverse of :meth:`patterns`."""
        if self.name == "fp16":
            return np.asarray(patterns.astype(np.uint16).view(np.float16).astype(np.float32))
        return np.asarray((patterns.astype(np.uint32) << np.uint32(32 - self.bits)).view(np.float32))

    def __str__(self) -> str:
        return self.name


FORMATS: Mapping[str, FloatFormat] = {
    each.name: each for each in (FloatFormat("fp32", 8, 24), FloatFormat("fp16", 5, 11), FloatFormat("bf16", 8, 8))
}
"""Single precision, half precision, and the upper half of single precision."""


def as_format(name: str) -> FloatFormat:
    """The format of this name, or an :class:`~ccsim.errors.InputError`."""
    if name not in FORMATS:
        raise InputError("format", name, f"one of {', '.join(FORMATS)}")
    return FORMATS[name]
