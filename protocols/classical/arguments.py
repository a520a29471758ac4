"""Checks that several protocols make on their arguments."""

from __future__ import annotations

from fractions import Fraction

from ccsim.errors import InputError

__all__ = ["require_error"]


def require_error(argument: str, value: Fraction | float) -> Fraction:
    """A probability strictly between 0 and 1 as an exact fraction (a float counts as the rational it stores).

    Raises :class:`~ccsim.errors.InputError` for anything else.

    >>> require_error("error", 0.25)
    Fraction(1, 4)
    """
    try:
        error = Fraction(value)
    except (TypeError, ValueError, OverflowError) as problem:
        raise InputError(argument, value, "a number between 0 and 1") from problem
    if not 0 < error < 1:
        raise InputError(argument, value, "a number strictly between 0 and 1")
    return error
