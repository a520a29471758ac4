"""Points of the circle as mantissas, each coordinate the nearest one to the exact number."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import lazy_loader as lazy
import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray
from ccsim.errors import InputError

flint = lazy.load("flint")

RATIONAL_COSINES = {
    Fraction(0): Fraction(1),
    Fraction(1, 6): Fraction(1, 2),
    Fraction(1, 4): Fraction(0),
    Fraction(1, 3): Fraction(-1, 2),
    Fraction(1, 2): Fraction(-1),
}
"""Of parts of a full turn up to one half; the cosine of no other rational part is rational (Niven 1956)."""


@lru_cache(maxsize=64)
def circle_points(count: int, scale: int) -> IntArray:
    """cos and sin of 2 pi x / count times scale for x = 0 .. count - 1, rounded to the nearest: shape (count, 2).

    Halves are rounded away from 0, so that points of x and -x are mirror images. The rounding is proved by intervals.

    >>> circle_points(8, 100).tolist()[:3]
    [[100, 0], [71, 71], [0, 100]]
    """
    count, scale = require_integer("count", count, low=1), require_integer("scale", scale, low=1)
    quarter = Fraction(1, 4)
    points = [
        [_cosine(Fraction(place, count) - shift, scale) for shift in (Fraction(0), quarter)] for place in range(count)
    ]
    table = np.array(points, dtype=np.int64)
    table.setflags(write=False)
    return table


def _cosine(turns: Fraction, scale: int) -> int:
    """The cosine of a part of a full turn times scale, rounded to the nearest."""
    turns %= 1
    turns = min(turns, 1 - turns)
    if turns > Fraction(1, 4):
        return -_cosine(Fraction(1, 2) - turns, scale)
    known = RATIONAL_COSINES.get(turns)
    if known is not None:
        return int((2 * known * scale + 1) // 2)
    angle = flint.fmpq(2 * turns.numerator, turns.denominator)
    return _unique(lambda: (flint.arb.cos_pi_fmpq(angle) * scale + flint.arb(1) / 2).floor())  # noqa: PLW0108


def least_integer_above(number: Any) -> int:
    """The least integer not below an irrational number, given as a function that computes an interval for it.

    >>> from flint import arb
    >>> least_integer_above(lambda: arb(10).log())
    3
    """
    return _unique(lambda: number().ceil())


def natural_logarithm(number: Fraction | int) -> Any:
    """An interval around ln of a positive number, as narrow as the precision of the moment allows."""
    number = Fraction(number)
    return flint.arb(flint.fmpq(number.numerator, number.denominator)).log()


def _unique(interval: Any) -> int:
    """The one integer of an interval, computed with more and more bits."""
    before, bits = flint.ctx.prec, 64
    try:
        while bits <= 1 << 14:
            flint.ctx.prec = bits
            found = interval().unique_fmpz()
            if found is not None:
                return int(found)
            bits *= 2
    finally:
        flint.ctx.prec = before
    raise InputError("number", interval, "an irrational number")
