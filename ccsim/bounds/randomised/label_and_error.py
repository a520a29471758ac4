"""An answer and an error as bounds on rectangles are asked for them: by keyword, so that none is taken for the other.

Once they stood side by side, in one function the label first, in the other the error. A call of that kind is still
understood, with a warning, where it can be meant in one way only.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any

from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix

__all__ = ["Error", "label_and_error"]

Error = Fraction | str | int


def label_and_error(
    matrix: CommunicationMatrix,
    by_place: Sequence[Any],
    order: tuple[str, str],
    label: Hashable,
    error: Error,
    below: Fraction,
) -> tuple[Hashable, Fraction]:
    """The label and the error that a call means.

    Args:
        matrix: whose labels are meant.
        by_place: what an old call gives by place.
        order: what that was: ``"error"``, and ``"label"`` or the ``"place"`` of a label.
        label, error: what is given by keyword, or by default.
        below: errors are at least 0 and below this.

    Raises:
        InputError: for what is no label or no such error, and for an old call that can be meant the other way round.
    """
    named = {"label": label, "error": error} | _of_old(matrix, by_place, order, below)
    if not _is_label(matrix, named["label"]):
        raise InputError("label", named["label"], f"one of {matrix.labels}")
    allowed = _as_error(named["error"], below)
    if allowed is None:
        raise InputError("error", named["error"], f"at least 0 and below {below}, exactly")
    return named["label"], allowed


def _of_old(
    matrix: CommunicationMatrix, given: Sequence[Any], order: tuple[str, str], below: Fraction
) -> dict[str, Any]:
    if not given:
        return {}
    may_be: dict[str, Callable[[Any], bool]] = {
        "label": lambda value: _is_label(matrix, value),
        "place": lambda value: type(value) is int and 0 <= value < len(matrix.labels),
        "error": lambda value: _as_error(value, below) is not None,
    }
    meant, swapped = (
        len(given) <= 2 and all(may_be[name](value) for name, value in zip(names, given, strict=False))
        for names in (order, order[::-1])
    )
    if swapped or not meant:
        raise InputError("arguments", tuple(given), "the label and the error by keyword: label=..., error=...")
    warnings.warn("give the label and the error by keyword: label=..., error=...", DeprecationWarning, stacklevel=4)
    named = dict(zip(order, given, strict=False))
    if "place" in named:
        named["label"] = matrix.labels[named["place"]]
    return named


def _is_label(matrix: CommunicationMatrix, value: Any) -> bool:
    return isinstance(value, Hashable) and value in matrix.labels


def _as_error(value: Any, below: Fraction) -> Fraction | None:
    """The error as a fraction; a float is none, for it is not the fraction that is meant."""
    if not isinstance(value, (Fraction, str, int)) or isinstance(value, bool):
        return None
    try:
        error = Fraction(value)
    except (ValueError, ZeroDivisionError):
        return None
    return error if 0 <= error < below else None
