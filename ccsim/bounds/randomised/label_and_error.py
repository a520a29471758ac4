"""The answer and the error that bounds on rectangles are asked for, by keyword: neither is taken for the other."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix

Error = Fraction | str | int


def label_and_error(
    matrix: CommunicationMatrix, label: Hashable, error: Error, below: Fraction
) -> tuple[Hashable, Fraction]:
    """The label, one of the matrix, and the error, at least 0 and below ``below``, as an exact fraction.

    Raises :class:`~ccsim.errors.InputError` for what is no label or no such error.
    """
    if not (isinstance(label, Hashable) and label in matrix.labels):
        raise InputError("label", label, f"one of {matrix.labels}")
    allowed = _as_error(error, below)
    if allowed is None:
        raise InputError("error", error, f"at least 0 and below {below}, exactly")
    return label, allowed


def _as_error(value: Any, below: Fraction) -> Fraction | None:
    """The error as a fraction; a float is none, for it is not the fraction that is meant."""
    if not isinstance(value, (Fraction, str, int)) or isinstance(value, bool):
        return None
    try:
        error = Fraction(value)
    except (ValueError, ZeroDivisionError):
        return None
    return error if 0 <= error < below else None
