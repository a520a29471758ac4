"""Checks that every family of problems makes on its arguments."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import SupportsIndex

from ccsim.errors import InputError


def require_fraction(argument: str, value: Fraction | str | int) -> Fraction:
    """The argument as a fraction, or an :class:`~ccsim.errors.InputError`; not a float, which is another number.

    >>> require_fraction("error", "1/3")
    Fraction(1, 3)
    """
    if not isinstance(value, Fraction | str | int):
        raise InputError(argument, value, "a fraction, such as '1/3'")
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError) as error:
        raise InputError(argument, value, "a fraction, such as '1/3'") from error


def require_integer(argument: str, value: object, low: int, high: int | None = None) -> int:
    """The argument as an integer from ``low`` to ``high``, or an :class:`~ccsim.errors.InputError`.

    >>> require_integer("n", 3, low=1)
    3
    """
    bounds = f"an integer of at least {low}" if high is None else f"an integer from {low} to {high}"
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise InputError(argument, value, bounds)
    try:
        number = value.__index__()
    except TypeError as error:  # an array has the method, but is no integer unless it has no axes
        raise InputError(argument, value, bounds) from error
    if number < low or (high is not None and number > high):
        raise InputError(argument, value, bounds)
    return number


def require_symbols(argument: str, symbols: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """An alphabet or a set of answers as a tuple: one or more, hashable and all different.

    >>> require_symbols("alphabet", "ab")
    ('a', 'b')
    """
    try:
        given = tuple(symbols)
        different = len(set(given))
    except TypeError as error:
        raise InputError(argument, symbols, "a text or a list of hashable symbols, all different") from error
    if not given or different != len(given):
        raise InputError(argument, given, "one or more symbols, all different")
    return given
