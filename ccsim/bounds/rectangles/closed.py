"""Monochromatic rectangles as closed pairs: no row and no column can be added to either side."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ccsim.bounds.rank import pack_rows
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.function import Subject, matrix_of


@dataclass(frozen=True, order=True)
class Rectangle:
    """A set of rows times a set of columns, both as masks (bit i is line i)."""

    rows: int
    columns: int

    def as_data(self) -> list[str]:
        return [f"{self.rows:x}", f"{self.columns:x}"]

    def cells(self) -> Iterator[tuple[int, int]]:
        return ((row, column) for row in members(self.rows) for column in members(self.columns))


def members(mask: int) -> list[int]:
    """The lines in a mask.

    >>> members(0b1010)
    [1, 3]
    """
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def code_of(matrix: CommunicationMatrix, label: Hashable) -> int:
    """The code of a label of the matrix.

    Raises:
        InputError: if the matrix has no such label.
    """
    if label not in matrix.labels:
        raise InputError("label", label, f"one of {matrix.labels}")
    return matrix.labels.index(label)


def present_codes(matrix: CommunicationMatrix) -> list[int]:
    return sorted({int(code) for code in matrix.codes.ravel()} - {DONT_CARE})


def supports(matrix: CommunicationMatrix, code: int) -> list[int]:
    """Per row, the columns that a rectangle of this code may use: its own cells and the free ones."""
    codes = matrix.codes
    return pack_rows((codes == code) | (codes == DONT_CARE))


def intersections(sets: Iterable[int], everything: int, limit: int) -> tuple[set[int], bool]:
    """All intersections of some of the sets, and whether these are all (else the limit was reached)."""
    closed = {everything}
    for one in dict.fromkeys(sets):
        closed |= {one & other for other in closed}
        if len(closed) > limit:
            return closed, False
    return closed, True


def maximal_rectangles(matrix: Subject, label: Hashable, limit: int = 100_000) -> tuple[list[Rectangle], bool]:
    """The maximal monochromatic rectangles of one label, and whether the list is complete.

    A rectangle of a label has only cells of that label or free ones, and at least one cell of the label; it is
    maximal if no line can be added. Without free cells these are the formal concepts of the indicator matrix.

    Args:
        matrix: the function, total or partial.
        label: the answer.
        limit: stop once more closed column sets than this were found; the rectangles returned are maximal anyway.

    >>> found, complete = maximal_rectangles(CommunicationMatrix.from_array([[1, 1], [0, 1]]), 1)
    >>> [sorted(rectangle.cells()) for rectangle in found], complete
    ([[(0, 0), (0, 1)], [(0, 1), (1, 1)]], True)
    """
    matrix = matrix_of(matrix)
    code = code_of(matrix, label)
    by_row, by_column = supports(matrix, code), supports(matrix.transpose, code)
    turned = len(by_column) < len(by_row)
    lines, across = (by_column, by_row) if turned else (by_row, by_column)
    closed, complete = intersections(lines, (1 << len(across)) - 1, limit)
    own = pack_rows(matrix.codes == code)
    found = set()
    for one in closed:
        if one:
            other = _shared(lines, one)
            pair = Rectangle(one, other) if turned else Rectangle(other, one)
            if any(own[row] & pair.columns for row in members(pair.rows)):
                found.add(pair)
    return sorted(found), complete


def _shared(lines: Sequence[int], wanted: int) -> int:
    return sum(1 << place for place, line in enumerate(lines) if wanted & ~line == 0)
