"""Cells of a matrix as codes: places in a list of labels, and one code for what a promise leaves free."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError

Cells = Array | Sequence[Sequence[Hashable]]

DONT_CARE = -1
"""The code of a cell outside the promise."""

MISSING = re.compile(
    r"[*?]?|[+-]?nan|nat|n/?a|n\.a\.|#n/?a( n/a)?|none|nil|null|[<(](na|none|null)[>)]|\\n|-?1\.#(ind|qnan)",
    re.IGNORECASE,
)
"""How files write an undefined entry."""

AS_ANSWERS = "labels=True (--labels) takes each different cell as an answer"
"""Advice for cells of which it is not plain that they are answers."""

FREE = "None (* in a text file, NaN in .npy) or dont_care=... (--undefined) for an undefined entry"
SCALED = "the nonnegative rank of fractions is that of the matrix times their common denominator, in integers"
"""What to do where the numbers of a matrix are meant, and not its answers."""


def code_type(labels: int) -> type[np.signedinteger[Any]]:
    """The smallest signed integer type that holds the codes 0..labels-1 and the don't-care code."""
    return next(kind for kind in (np.int8, np.int16, np.int32) if labels - 1 <= np.iinfo(kind).max)


def coded(array: Cells, dont_care: Hashable = None, *, labels: bool = False) -> tuple[Array, list[Hashable]]:
    """The codes of rows of labels, with the labels in order; None, NaN and cells equal to ``dont_care`` are free.

    Raises :class:`~ccsim.errors.InputError` for ragged rows, for cells that cannot be labels, and, unless ``labels``
    says that all cells are answers, for those of :func:`require_answers`.
    """
    if hasattr(array, "__array__"):  # a table of pandas or a tensor: its values, not the names of its columns
        array = np.asarray(array)
    if isinstance(array, Mapping | set | frozenset):
        raise InputError("array", array, "rows of cells")
    if isinstance(array, np.ndarray) and array.ndim != 2:
        raise InputError("array", array.shape, "two dimensions: Alice's inputs by Bob's")
    rows: list[list[Any]] = []
    for number, row in enumerate(array.tolist() if isinstance(array, np.ndarray) else array):
        if hasattr(row, "__array__"):
            row = np.asarray(row).tolist()
        if not isinstance(row, Iterable):
            raise InputError(f"array row {number}", row, "a row of cells")
        rows.append(list(row))
    width = len(rows[0]) if rows else 0
    seen: set[Any] = set()
    for number, row in enumerate(rows):
        if len(row) != width:
            raise InputError(f"array row {number}", row, f"{width} cells like the first row")
        seen |= _different(row, number)
    free = {cell for cell in seen if is_missing(cell) or cell == dont_care}
    if not free <= {None, dont_care}:  # one NaN is not equal to another
        rows = [[None if is_missing(cell) else cell for cell in row] for row in rows]
    found = ordered_labels(seen - free)
    if not labels:
        require_answers(found)
    place: dict[Any, int] = {None: DONT_CARE} | dict.fromkeys(free, DONT_CARE)
    place |= {label: code for code, label in enumerate(found)}
    codes = np.array([[place[cell] for cell in row] for row in rows], dtype=code_type(len(found)))
    return codes.reshape(len(rows), width), found


def _different(row: list[Any], number: int) -> set[Any]:
    """The labels in a row."""
    try:
        return set(row)
    except TypeError:
        bad = next((cell for cell in row if not isinstance(cell, Hashable)), row)
        raise InputError(f"array row {number}", bad, "hashable labels") from None


def is_missing(cell: Any) -> bool:
    """Whether a cell is None, NaN, or what pandas puts in their place.

    >>> is_missing(float("nan")), is_missing(None), is_missing("nan")
    (True, True, False)
    """
    return cell is None or type(cell).__name__ == "NAType" or bool(cell != cell)


def require_answers(labels: Iterable[Any]) -> None:
    """An error for cells of which it is not plain that they are answers: fractions, -1, and words for what is missing.

    -1 beside 1 alone is a sign, and beside other negative numbers a number.

    >>> require_answers([-1, 1]), require_answers([0, 1, "red"])
    (None, None)
    >>> require_answers([-1, 0, 1])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ccsim.errors.InputError: cell = -1: expected an answer, or None ...
    """
    found = set(labels)
    numbers = sorted(cell for cell in found if isinstance(cell, Real))
    part = next((number for number in numbers if number % 1 != 0), None)
    if part is not None:
        raise InputError("cell", part, f"an answer, not a real number ({SCALED}); {AS_ANSWERS}")
    if numbers and numbers[0] == -1 and not found <= {-1, 1}:
        raise InputError("cell", -1, f"an answer, or {FREE}: -1 may mean either; {AS_ANSWERS}")
    word = next((cell for cell in found if isinstance(cell, str) and MISSING.fullmatch(cell.strip())), None)
    if word is not None:
        raise InputError("cell", word, f"an answer, or {FREE}; {AS_ANSWERS}")


def ordered_labels(found: set[Any]) -> list[Hashable]:
    """Labels in sorted order; cells of 0 and 1 alone always get (0, 1)."""
    if found <= {0, 1}:
        return [0, 1]
    if all(isinstance(cell, (int, float, np.integer, np.floating)) for cell in found):
        return [int(cell) if cell % 1 == 0 else cell for cell in sorted(found)]
    return sorted(found, key=lambda cell: (str(type(cell)), _text(cell)))


def order_key(value: Any) -> tuple[Any, ...]:
    """A key that puts answers of any kinds in an order that does not depend on hashing.

    By type; numbers and texts by value, tuples by their elements, sets by size and then by their elements in order,
    anything else by its ``repr``.

    >>> sorted([frozenset("b"), frozenset(), frozenset("a"), 2, 10], key=order_key)
    [frozenset(), frozenset({'a'}), frozenset({'b'}), 2, 10]
    """
    kind = str(type(value))
    if isinstance(value, frozenset):
        return kind, len(value), tuple(sorted(map(order_key, value)))
    if isinstance(value, tuple):
        return kind, tuple(map(order_key, value))
    if isinstance(value, Real | str | bytes) and value == value:
        return kind, value
    shown = repr(value)
    return f"{kind} by repr", "" if " object at 0x" in shown else shown  # where it is kept is no order


def _text(cell: Any) -> str:
    """A label as text, with the elements of sets in order."""
    if isinstance(cell, frozenset):
        return f"frozenset({sorted(map(order_key, cell))})"
    if type(cell) is tuple and any(isinstance(part, frozenset | tuple) for part in cell):
        return f"({', '.join(_text(part) if isinstance(part, frozenset | tuple) else repr(part) for part in cell)})"
    return str(cell)
