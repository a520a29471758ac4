"""Cells of a matrix as codes: places in a list of labels, and one code for what a promise leaves free."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError

__all__ = ["DONT_CARE", "Cells", "code_type", "coded", "ordered_labels"]

Cells = Array | Sequence[Sequence[Hashable]]

DONT_CARE = -1
"""The code of a cell outside the promise."""


def code_type(labels: int) -> type[np.signedinteger[Any]]:
    """The smallest signed integer type that holds the codes 0..labels-1 and the don't-care code."""
    return next(kind for kind in (np.int8, np.int16, np.int32) if labels - 1 <= np.iinfo(kind).max)


def coded(array: Cells, dont_care: Hashable = None) -> tuple[Array, list[Hashable]]:
    """The codes of rows of labels, with the labels in order; cells equal to ``dont_care`` are free.

    Raises :class:`~ccsim.errors.InputError` for ragged rows, and for cells that cannot be labels.
    """
    if isinstance(array, np.ndarray) and array.ndim != 2:
        raise InputError("array", array.shape, "two dimensions: Alice's inputs by Bob's")
    rows: list[list[Any]] = []
    for number, row in enumerate(array.tolist() if isinstance(array, np.ndarray) else array):
        if not isinstance(row, Iterable):
            raise InputError(f"array row {number}", row, "a row of cells")
        rows.append(list(row))
    width = len(rows[0]) if rows else 0
    seen: set[Any] = set()
    for number, row in enumerate(rows):
        if len(row) != width:
            raise InputError(f"array row {number}", row, f"{width} cells like the first row")
        seen |= _different(row, number)
    labels = ordered_labels({cell for cell in seen if cell != dont_care})
    place: dict[Any, int] = {label: code for code, label in enumerate(labels)}
    place |= {cell: DONT_CARE for cell in seen if cell == dont_care}
    codes = np.array([[place[cell] for cell in row] for row in rows], dtype=code_type(len(labels)))
    return codes.reshape(len(rows), width), labels


def _different(row: list[Any], number: int) -> set[Any]:
    """The labels in a row."""
    try:
        seen = set(row)
    except TypeError:
        bad = next((cell for cell in row if not isinstance(cell, Hashable)), row)
        raise InputError(f"array row {number}", bad, "hashable labels") from None
    odd = next((cell for cell in seen if cell != cell), None)  # NaN
    if odd is not None:
        raise InputError(f"array row {number}", odd, "labels that equal themselves")
    return seen


def ordered_labels(found: set[Any]) -> list[Hashable]:
    """Labels in sorted order; cells of 0 and 1 alone always get (0, 1)."""
    if found <= {0, 1}:
        return [0, 1]
    if all(isinstance(cell, (int, float, np.integer, np.floating)) for cell in found):
        return [int(cell) if cell % 1 == 0 else cell for cell in sorted(found)]
    return sorted(found, key=lambda cell: (str(type(cell)), str(cell)))
