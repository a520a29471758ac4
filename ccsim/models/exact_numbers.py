"""Rational numbers that are given as anything that a fraction can be made of."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ccsim.errors import InputError

__all__ = ["exact_number"]

LARGEST = 1 << 30


def exact_number(argument: str, value: Any, low: Fraction | int = 0) -> Fraction:
    """An exact number above ``low``, or an :class:`~ccsim.errors.InputError`."""
    expected = f"a rational number above {low} and at most {LARGEST}"
    try:
        number = Fraction(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(argument, value, expected) from error
    if not low < number <= LARGEST:
        raise InputError(argument, value, expected)
    return number
