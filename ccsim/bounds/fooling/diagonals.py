"""Fooling sets that show at a glance: along a diagonal of the matrix, straight or turned, on it or beside it.

Many functions have one there: equality and greater-than on the diagonal and beside it, disjointness on the turned one,
where each set stands by its complement, and intersection where single elements meet. Where cells on one side of such a
diagonal all have other answers, the rows and columns of the set make a triangular matrix, of full rank over any field.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ccsim.bounds.fooling.fooling_sets import Cell
from ccsim.matrices import DONT_CARE, CommunicationMatrix

BLOCK = 64  # rows that are looked at together; the first few refute most diagonals

Lines = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Diagonal:
    """A fooling set of one answer along a diagonal.

    Attributes:
        cells: in order.
        triangular: whether on one side of it no cell of its rows and columns has the answer, or is free.
    """

    cells: tuple[Cell, ...] = ()
    triangular: bool = False

    @property
    def lines(self) -> tuple[list[int], list[int]]:
        """Its rows and its columns."""
        return [row for row, _ in self.cells], [column for _, column in self.cells]


def diagonals(matrix: CommunicationMatrix) -> tuple[Diagonal, ...]:
    """For each answer the largest fooling set that is found so; no cell if it does not occur.

    >>> from ccsim.problems import disjointness
    >>> [(len(found.cells), found.triangular) for found in diagonals(disjointness(3).matrix)]
    [(3, True), (8, True)]
    """
    codes = matrix.codes
    return tuple(_largest(codes, code) for code in range(len(matrix.labels)))


def _largest(codes: npt.NDArray[np.int8], code: int) -> Diagonal:
    best = Diagonal()
    for rows, columns in _candidates(*codes.shape):
        own = codes[rows, columns] == code
        if own.sum() <= len(best.cells):
            continue
        rows, columns = rows[own], columns[own]
        sides = _sides(codes, code, rows, columns)
        if sides is not None:
            best = Diagonal(tuple(zip(rows.tolist(), columns.tolist(), strict=True)), not all(sides))
    return best if best.cells else _one_cell(codes, code)


def _candidates(height: int, width: int) -> Iterator[tuple[Lines, Lines]]:
    """The rows and columns of diagonals: longest first, then of the lines whose numbers are powers of 2."""
    size = min(height, width)
    straight, powers = np.arange(size), 1 << np.arange(max(0, (size - 1).bit_length()))
    for lines in (straight, powers[powers < size]):
        yield lines, lines
        yield lines, width - 1 - lines
    for shift in (straight[:-1], straight[1:]), (straight[1:], straight[:-1]):
        yield shift
        yield shift[0], width - 1 - shift[1]


def _sides(codes: npt.NDArray[np.int8], code: int, rows: Lines, columns: Lines) -> tuple[bool, bool] | None:
    """Whether there are cells that a leaf may contain right of a diagonal, and left of it; None if it fools nobody."""
    right = left = False
    for start in range(0, len(rows), BLOCK):
        block = slice(start, start + BLOCK)
        along, back = codes[np.ix_(rows[block], columns)], codes[np.ix_(rows, columns[block])].T
        along, back = ((part == code) | (part == DONT_CARE) for part in (along, back))
        if np.count_nonzero(along & back) > len(along):  # the diagonal itself, and more
            return None
        after = np.arange(len(rows)) > np.arange(start, start + len(along))[:, None]
        right, left = right or bool((along & after).any()), left or bool((back & after).any())
    return right, left


def _one_cell(codes: npt.NDArray[np.int8], code: int) -> Diagonal:
    place = int(np.argmax(codes == code))
    cell = divmod(place, codes.shape[1])
    return Diagonal((cell,), True) if codes[cell] == code else Diagonal()
