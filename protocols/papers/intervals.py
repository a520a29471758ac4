"""Real numbers as intervals (Arb), far narrower than what is read off them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import lazy_loader as lazy

flint = lazy.load("flint")

BITS = 512  # of an interval


def interval(number: Fraction | int) -> Any:
    """A rational number as an interval; to be called under :func:`within`, as all that is computed from it."""
    given = Fraction(number)
    return flint.arb(flint.fmpq(given.numerator, given.denominator))


def within(compute: Any) -> Any:
    """The value of a function, computed with intervals of 512 bits."""
    before = flint.ctx.prec
    try:
        flint.ctx.prec = BITS
        return compute()
    finally:
        flint.ctx.prec = before


def whole_part(value: Any) -> int:
    """The floor of an interval, which must have only one."""
    floor = value.floor().unique_fmpz()
    if floor is None:
        raise ArithmeticError(f"{value} has no floor of its own")
    return int(floor)
