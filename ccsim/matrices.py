"""Communication matrices of functions, with any finite labels and undefined entries, and relations.

A function has one right answer for a pair of inputs, a relation one or more. Both are immutable.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.errors import Array, InputError
from ccsim.tables import DONT_CARE, Cells, Reading, code_type, coded, order_key, read_table

__all__ = ["DONT_CARE", "CommunicationMatrix", "MergedMatrix", "Relation"]


class CommunicationMatrix:
    """The table of a two-party function: rows are Alice's inputs, columns are Bob's.

    A cell holds a code: a place in ``labels``, or ``DONT_CARE`` off the promise. Cells of at most two labels are stored
    as bits, with a second one only if some are off the promise; :attr:`codes` unpacks. Immutable, with value equality.

    Args:
        codes: rows of equal length of integers, shape (Alice's inputs, Bob's inputs). Cells that are answers of any
            kind are read by :meth:`from_array`.
        labels: the answer of each code, all different.

    >>> identity = CommunicationMatrix.from_array([[1, 0], [0, 1]])
    >>> identity.shape, identity.labels, identity[0, 0]
    ((2, 2), (0, 1), 1)
    """

    def __init__(self, codes: Cells, labels: Sequence[Hashable] = (0, 1)) -> None:
        try:
            codes = np.asarray(codes)
        except ValueError:
            raise InputError("codes", codes, "rows of equal length") from None
        if codes.ndim != 2 or not np.issubdtype(codes.dtype, np.integer):
            expected = "a two-dimensional array of integers; CommunicationMatrix.from_array takes other cells"
            raise InputError("codes", (codes.shape, codes.dtype), expected)
        try:
            different = len(set(labels)) == len(labels)
        except TypeError:
            different = False
        if not different:
            raise InputError("labels", labels, "all different, hashable and one for each code")
        if codes.size and not DONT_CARE <= int(codes.min()) <= int(codes.max()) < len(labels):
            worst = codes.flat[int(np.argmax((codes < DONT_CARE) | (codes >= len(labels))))]
            raise InputError("codes", worst, f"from {DONT_CARE} (don't care) to {len(labels) - 1}")
        self.shape: tuple[int, int] = (codes.shape[0], codes.shape[1])
        self.labels: tuple[Hashable, ...] = tuple(labels)
        care = codes != DONT_CARE
        self._care = None if bool(care.all()) else np.packbits(care, axis=1)
        self._cells = np.packbits(codes == 1, axis=1) if len(labels) <= 2 else codes.astype(code_type(len(labels)))
        self._cells.setflags(write=False)

    # Ways in

    @classmethod
    def from_array(cls, array: Cells, *, dont_care: Hashable = None, labels: bool = False) -> CommunicationMatrix:
        """A matrix of any hashable labels; None, NaN and cells equal to ``dont_care`` are undefined.

        Labels are the distinct cells in sorted order; cells of 0 and 1 (or True and False) alone always get (0, 1).
        Errors are ragged rows and, without ``labels=True``, cells of which it is not plain that they are answers: real
        numbers, -1, and words such as ``"*"`` and ``"nan"``.
        """
        return cls(*coded(array, dont_care, labels=labels))

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        header: str | None = None,
        delimiter: str | None = None,
        labels: bool = False,
        dont_care: Hashable = None,
    ) -> CommunicationMatrix:
        """A matrix from a file: ``.npy`` (no pickles), ``.csv`` or ``.txt`` (labels, or rows of 0 and 1).

        ``*``, ``?``, an empty cell, NaN, None, NA, N/A, null (and, beside numbers only, dashes and dots) are undefined,
        and so is ``dont_care``. What may mean two things is refused with the argument that decides:
        ``header`` (``"none"``, ``"row"``, ``"column"``, ``"both"``), ``delimiter`` (``"comma"``, ``"semicolon"``,
        ``"tab"``, ``"space"`` or a character), ``labels=True`` (real numbers and -1 are answers, too). A ``.npy`` file
        that cannot fit into memory is refused before anything is allocated.
        """
        undefined = None if dont_care is None else str(dont_care)
        table = read_table(Path(path), Reading(header, delimiter, labels, undefined))
        return cls(table.codes, table.labels)

    # Looking

    @property
    def is_boolean(self) -> bool:
        """Whether the labels are exactly 0 and 1."""
        return self.labels == (0, 1)

    @property
    def is_total(self) -> bool:
        """Whether there is no don't-care cell."""
        return self._care is None

    @property
    def codes(self) -> Array:
        """All cells as an array of codes, ``DONT_CARE`` where undefined; unpacked afresh at each call."""
        if len(self.labels) > 2:
            return self._cells.copy()
        codes = np.unpackbits(self._cells, axis=1, count=self.shape[1]).view(np.int8)
        if self._care is not None:
            codes[np.unpackbits(self._care, axis=1, count=self.shape[1]) == 0] = DONT_CARE
        return codes

    def indicator(self, label: Hashable) -> CommunicationMatrix:
        """The Boolean matrix of the cells with this label; don't-care cells stay so."""
        if label not in self.labels:
            raise InputError("label", label, f"one of {self.labels}")
        codes = self.codes
        return CommunicationMatrix(
            np.where(codes == DONT_CARE, DONT_CARE, codes == self.labels.index(label)).astype(np.int8), (0, 1)
        )

    def __getitem__(self, cell: tuple[int, int]) -> Hashable:
        row, column = cell
        if len(self.labels) > 2:
            code = int(self._cells[row, column])
            return None if code == DONT_CARE else self.labels[code]
        row, column = range(self.shape[0])[row], range(self.shape[1])[column]
        if self._care is not None and not _bit(self._care, row, column):
            return None
        return self.labels[_bit(self._cells, row, column)]

    # Making others

    def restrict(self, rows: Iterable[int], columns: Iterable[int]) -> CommunicationMatrix:
        """The submatrix of these rows and columns, with the same labels."""
        codes = self.codes[np.ix_(np.fromiter(rows, np.int64), np.fromiter(columns, np.int64))]
        return CommunicationMatrix(codes, self.labels)

    @property
    def transpose(self) -> CommunicationMatrix:
        """The same function with the parties changed round."""
        return CommunicationMatrix(self.codes.T, self.labels)

    def merge(self) -> MergedMatrix:
        """Equal rows and equal columns taken together, with the way back."""
        return self._merged

    @cached_property
    def _merged(self) -> MergedMatrix:
        codes = self.codes
        rows, row_class = _different(codes)
        columns, column_class = _different(codes[rows].T)
        small = CommunicationMatrix(codes[np.ix_(rows, columns)], self.labels)
        return MergedMatrix(small, row_class, column_class, rows, columns)

    # A value

    @cached_property
    def _key(self) -> tuple[object, ...]:
        care = None if self._care is None else self._care.tobytes()
        return (self.shape, self.labels, self._cells.tobytes(), care)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CommunicationMatrix):
            return NotImplemented
        return self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        labels = ", ".join(map(repr, self.labels[:6])) + (f", ... ({len(self.labels)})" if len(self.labels) > 6 else "")
        kind = "" if self.is_total else ", partial"
        return f"<CommunicationMatrix {self.shape[0]} x {self.shape[1]}, labels {labels}{kind}>"

    def __str__(self) -> str:
        """The cells as text, up to 32 x 64 of them: ``*`` is an undefined entry."""
        codes = self.codes[:32, :64]
        names = [str(label) for label in self.labels] + ["*"]
        width = max(map(len, names))
        gap = "" if width == 1 else " "
        rows = [gap.join(names[code].rjust(width) for code in row) for row in codes]
        if codes.shape != self.shape:
            rows.append(f"... ({self.shape[0]} x {self.shape[1]} in all)")
        return "\n".join(rows)


@dataclass(frozen=True, eq=False)
class MergedMatrix:
    """A matrix without repeated rows or columns: the class of each original one, and the first of each class."""

    matrix: CommunicationMatrix
    row_class: Array
    column_class: Array
    rows: Array
    columns: Array

    def original(self, rows: int, columns: int) -> tuple[int, int]:
        """All original rows and columns that are equal to those of two masks, as masks."""
        return _expanded(rows, self.row_class), _expanded(columns, self.column_class)


def _expanded(mask: int, classes: Array) -> int:
    digits = np.frombuffer(mask.to_bytes(len(classes) // 8 + 1, "little"), dtype=np.uint8)
    inside = np.unpackbits(digits, bitorder="little")[classes]
    return int.from_bytes(np.packbits(inside, bitorder="little").tobytes(), "little")


def _different(rows: Array) -> tuple[Array, Array]:
    numbers: dict[bytes, int] = {}
    classes = [numbers.setdefault(row.tobytes(), len(numbers)) for row in rows]
    _, first = np.unique(np.array(classes, dtype=np.int64), return_index=True)
    return first, np.array(classes, dtype=np.int64)


def _bit(packed: Array, row: int, column: int) -> int:
    return (int(packed[row, column // 8]) >> (7 - column % 8)) & 1


MOST_LABELS = 62


class Relation:
    """The answers that are right for each pair of inputs: rows are Alice's inputs, columns are Bob's.

    Attributes:
        labels: all answers, all different.
        allowed: for each cell, the answers that are right as a mask: bit k is label k. At least one is.
        name: for people.

    An undefined entry of a function allows all answers. Immutable, with value equality.

    >>> differ = Relation.from_sets([[{"first"}, {"first", "second"}]])
    >>> differ.shape, differ.labels, sorted(differ[0, 1])
    ((1, 2), ('first', 'second'), ['first', 'second'])
    """

    def __init__(
        self, allowed: npt.NDArray[Any] | Sequence[Sequence[int]], labels: Sequence[Hashable], name: str = "relation"
    ) -> None:
        masks = np.array(allowed, dtype=np.int64)
        if masks.ndim != 2 or 0 in masks.shape:
            raise InputError("allowed", masks.shape, "at least one row and one column of masks")
        if not 0 < len(set(labels)) == len(labels) <= MOST_LABELS:
            raise InputError("labels", labels, f"from 1 to {MOST_LABELS} different answers")
        if masks.min() < 1 or masks.max() >> len(labels):
            raise InputError("allowed", (int(masks.min()), int(masks.max())), "one right answer or more in each cell")
        masks.setflags(write=False)
        self.allowed, self.labels, self.name = masks, tuple(labels), name
        self.shape: tuple[int, int] = (masks.shape[0], masks.shape[1])

    @classmethod
    def from_sets(cls, cells: Iterable[Iterable[Iterable[Hashable]]], name: str = "relation") -> Relation:
        """A relation from the set of right answers in each cell; its labels are those that occur, in order."""
        try:
            listed = [list(row) for row in cells]
        except TypeError as error:
            raise InputError("cells", cells, "rows of sets of right answers") from error
        rows = [[_right(cell, f"cell ({r}, {c})") for c, cell in enumerate(row)] for r, row in enumerate(listed)]
        labels = sorted(dict.fromkeys(label for row in rows for cell in row for label in cell), key=order_key)
        places = {label: 1 << place for place, label in enumerate(labels)}
        if len({len(row) for row in rows}) != 1:
            raise InputError("cells", [len(row) for row in rows], "rows of one length")
        return cls([[sum(places[label] for label in cell) for cell in row] for row in rows], labels, name)

    def right(self, code: int) -> npt.NDArray[np.bool_]:
        """The cells in which an answer is right, by its place among the labels."""
        cells: npt.NDArray[np.bool_] = (self.allowed >> code & 1).astype(bool)
        return cells

    def __getitem__(self, cell: tuple[int, int]) -> frozenset[Hashable]:
        mask = int(self.allowed[cell])
        return frozenset(label for place, label in enumerate(self.labels) if mask >> place & 1)

    @cached_property
    def _key(self) -> tuple[object, ...]:
        return self.shape, self.labels, self.allowed.tobytes()

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Relation) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"<Relation {self.name}, {self.shape[0]} x {self.shape[1]}, {len(self.labels)} answers>"


def _right(cell: Any, where: str) -> set[Hashable]:
    try:
        if isinstance(cell, str | bytes):
            raise TypeError("a text is one answer")
        return set(cell)
    except TypeError as error:
        raise InputError(where, cell, "a set of right answers that can be hashed, such as {1} or {1, 2}") from error
