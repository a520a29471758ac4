"""Checks that every family of problems makes on its arguments."""

from __future__ import annotations

from typing import SupportsIndex

from ccsim.errors import InputError

__all__ = ["require_integer"]


def require_integer(argument: str, value: object, low: int, high: int | None = None) -> int:
    """The argument as an integer from ``low`` to ``high``, or an :class:`~ccsim.errors.InputError`.

    >>> require_integer("n", 3, low=1)
    3
    """
    bounds = f"an integer of at least {low}" if high is None else f"an integer from {low} to {high}"
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise InputError(argument, value, bounds)
    number = value.__index__()
    if number < low or (high is not None and number > high):
        raise InputError(argument, value, bounds)
    return number
