"""Elementary functions between numbers of a floating-point format, every value rounded to nearest exactly.

The value is the true one rounded once, ties to even (no value at another argument than 0 is a tie: they are irrational,
see :mod:`ccsim.arithmetic.functions`). A format of 16 bits has 65,536 numbers; the value at each that is asked for is
proved by interval arithmetic (Arb), and kept. In single precision the arguments are cut into cells of one sign, one
exponent and the next eight bits. In a cell the function is a polynomial, whose coefficients and whose remainder Arb
gives with bounds; it is evaluated in float64 with a bound on all roundings, and where the numbers that the bound allows
do not round to one value, Arb decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import lazy_loader as lazy
import numpy as np

from ccsim.arithmetic.formats import FloatFormat, Floats
from ccsim.arithmetic.functions import FUNCTIONS, KNOWN, PIECEWISE, branches
from ccsim.arrays import Array
from ccsim.errors import InputError

flint = lazy.load("flint")

__all__ = ["Nearest", "nearest"]

DEGREE = 10
CELL = 15  # bits of a pattern of single precision that do not tell the cell
FAR = 1 << 12  # beyond it every function is 0, infinite, or what it tends to, to far more bits than a format has
BLOCK = 1 << 14  # arguments at once
CELL_PRECISION = 256  # bits, so that a remainder of 2^-149 beside 1 is seen
MOST_PRECISION = 1 << 14
ROUNDING = 2.0**-46
"""Horner's rule of degree 10 on coefficients that are rounded themselves: 2 * 10 + 3 roundings of 2^-53, and room."""
UNDERFLOW = 2.0**-1000


@dataclass(frozen=True)
class Nearest:
    """A function of one number of a format, with values in the same format; made by :func:`nearest`.

    Attributes:
        name: which function, one of :data:`~ccsim.arithmetic.FUNCTIONS`.
        format: of argument and value.
    """

    name: str
    format: FloatFormat

    def __post_init__(self) -> None:
        if self.name not in FUNCTIONS:
            raise InputError("name", self.name, f"one of {', '.join(FUNCTIONS)}")

    def __call__(self, values: Floats) -> Floats:
        """The values, in the same shape; NaN stays NaN, and at an infinity the value is the limit."""
        if self.name in PIECEWISE:
            return _piecewise(self.name, values)
        patterns = self.format.patterns(values)
        if self.format.bits <= 16:
            return self._looked_up(patterns.reshape(-1)).reshape(values.shape)
        return self._by_cells(patterns.reshape(-1)).reshape(values.shape)

    @cached_property
    def _table(self) -> tuple[Floats, Array]:
        """The value of every pattern, and whether it was asked for before."""
        size = 1 << self.format.bits
        return np.zeros(size, dtype=np.float32), np.zeros(size, dtype=bool)

    def _looked_up(self, patterns: Array) -> Floats:
        table, known = self._table
        fresh = np.unique(patterns[~known[patterns]])
        if len(fresh):
            table[fresh] = [self.proved(value) for value in self.format.values(fresh).tolist()]
            known[fresh] = True
        return np.asarray(table[patterns])

    @cached_property
    def _cells(self) -> tuple[Array, list[Array]]:
        """For each cell the number of its polynomial, or -1; and the polynomials, by their columns."""
        return np.full(1 << (self.format.bits - CELL), -1, dtype=np.int64), [np.zeros(0)] * (DEGREE + 3)

    def _by_cells(self, patterns: Array) -> Floats:
        """The values at numbers of single precision."""
        numbers, columns = self._cells
        cells = patterns >> CELL
        present = np.zeros(len(numbers), dtype=bool)
        present[cells] = True
        fresh = np.flatnonzero(present & (numbers < 0))
        if len(fresh):
            numbers[fresh] = len(columns[0]) + np.arange(len(fresh))
            made = np.stack([self._polynomial(cell) for cell in fresh.tolist()], axis=1)
            columns[:] = [np.concatenate([known, more]) for known, more in zip(columns, made, strict=True)]
        values = np.empty(len(patterns), dtype=np.float32)
        for first in range(0, len(patterns), BLOCK):
            block = slice(first, first + BLOCK)
            values[block] = self._by_polynomials(self.format.values(patterns[block]), numbers[cells[block]])
        return values

    def _by_polynomials(self, arguments: Floats, numbers: Array) -> Floats:
        """The values by polynomials of these numbers, where that proves them; else by intervals."""
        _, columns = self._cells
        with np.errstate(invalid="ignore", over="ignore"):
            distance, total = arguments - columns[0][numbers], columns[-1][numbers]
            for column in range(DEGREE + 1, 1, -1):
                total *= distance
                total += columns[column][numbers]
            error = columns[1][numbers]
            low, high = self.format.nearest(total - error), self.format.nearest(total + error)
        for place in np.flatnonzero(~(low == high)).tolist():
            high[place] = self.proved(float(arguments[place]))
        return high

    def _polynomial(self, cell: int) -> Array:
        """The middle of a cell, a bound on the error there, and the coefficients around the middle, the constant first.

        The bound is infinite where nothing is gained by a polynomial.
        """
        row = np.full(DEGREE + 3, np.inf)
        first, last = (
            float(self.format.values(np.array([pattern]))[0]) for pattern in (cell << CELL, ((cell + 1) << CELL) - 1)
        )
        if not abs(last) <= FAR or 0.0 in (first, last):
            return row
        middle, radius = (first + last) / 2, abs(last - first) / 2  # both are exact
        lower, upper = branches(self.name)
        branch = lower if middle < 0 else upper
        before = flint.ctx.prec, flint.ctx.cap
        try:
            flint.ctx.prec, flint.ctx.cap = CELL_PRECISION, DEGREE + 2
            exact, wide = (
                branch.slope * x + branch.offset + branch.remainder(x)
                for x in (flint.arb_series([flint.arb(middle, ball), 1]) for ball in (0, radius))
            )
            coefficients = [float(exact[power]) for power in range(DEGREE + 1)]
            spread = sum(abs(exact[power]) * flint.arb(radius) ** power for power in range(DEGREE + 1))
            left = abs(wide[DEGREE + 1]) * flint.arb(radius) ** (DEGREE + 1)
            error = float((spread * ROUNDING + left).abs_upper()) * 1.001 + UNDERFLOW
        except ValueError:  # a quotient by an interval around 0, where the cell is long
            return row
        finally:
            flint.ctx.prec, flint.ctx.cap = before
        row[:] = [middle, error if np.isfinite(error) else np.inf, *coefficients]
        return row

    def proved(self, argument: float) -> float:
        """The value at one number, by intervals of more and more bits until both ends round to one number."""
        if np.isnan(argument):
            return float("nan")
        if argument == 0 and self.name in KNOWN:
            return float(KNOWN[self.name])
        lower, upper = branches(self.name)
        branch = lower if argument < 0 else upper
        far = argument if self.name in ("sin", "cos") else max(-FAR, min(argument, FAR))
        if np.isinf(argument):
            return argument if branch.slope else float("nan") if np.isinf(far) else self.proved(far)
        before, flint.ctx.prec = flint.ctx.prec, 64
        try:
            while flint.ctx.prec <= MOST_PRECISION:
                value = flint.arb(argument) * branch.slope + branch.offset + branch.remainder(flint.arb(far))
                ends = [self._rounded(end) for end in (value.lower(), value.upper())]
                if ends[0] == ends[1]:
                    return ends[0] + 0.0
                flint.ctx.prec *= 2
        finally:
            flint.ctx.prec = before
        raise ArithmeticError(f"{self.name}({argument}) is too close to the middle of two numbers of {self.format}")

    def _rounded(self, end: Any) -> float:
        if not end.is_finite():
            return float("nan")
        significand, exponent = (int(part) for part in end.mid().man_exp())
        return self.format.nearest_dyadic(significand, exponent)


@cache
def nearest(name: str, format_: FloatFormat) -> Nearest:
    """The function of that name in a format; what it has worked out is kept.

    >>> from ccsim.arithmetic import FORMATS
    >>> nearest("tanh", FORMATS["fp32"])(np.float32([-1, 0, 1])).tolist()
    [-0.7615941762924194, 0.0, 0.7615941762924194]
    """
    return Nearest(name, format_)


def _piecewise(name: str, values: Floats) -> Floats:
    """Functions without rounding."""
    zero, one = np.float32(0), np.float32(1)
    if name == "relu":
        return np.maximum(values, zero)
    if name == "sign":
        return np.sign(values)
    return values if name == "identity" else np.where(values > 0, one, zero)
