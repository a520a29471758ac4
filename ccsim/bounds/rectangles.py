"""Monochromatic rectangles: the maximal ones as closed pairs, and covers by exchanging them one by one.

The local search exchanges the rectangle that is missed least for one with an uncovered cell; cells that stay uncovered
weigh more and more (row weighting: Gao, Weise and Li 2015).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ccsim.bounds.bit_matrix import members
from ccsim.bounds.field_ranks import pack_rows
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.function import Subject, matrix_of


@dataclass(frozen=True, order=True)
class Rectangle:
    rows: int
    columns: int

    def as_data(self) -> list[str]:
        return [f"{self.rows:x}", f"{self.columns:x}"]

    def cells(self) -> Iterator[tuple[int, int]]:
        return ((row, column) for row in members(self.rows) for column in members(self.columns))


def code_of(matrix: CommunicationMatrix, label: Hashable) -> int:
    if label not in matrix.labels:
        raise InputError("label", label, f"one of {matrix.labels}")
    return matrix.labels.index(label)


def present_codes(matrix: CommunicationMatrix) -> list[int]:
    return sorted({int(code) for code in matrix.codes.ravel()} - {DONT_CARE})


def supports(matrix: CommunicationMatrix, code: int) -> list[int]:
    """Per row, the columns that a rectangle of this code may use: its own cells and undefined entries."""
    codes = matrix.codes
    return pack_rows((codes == code) | (codes == DONT_CARE))


def strips(own: Array) -> list[Rectangle]:
    """The cells that are marked, those of each row as a rectangle, or those of each column if these are fewer."""
    turned = own.any(axis=0).sum() < own.any(axis=1).sum()
    listed = [(1 << place, mask) for place, mask in enumerate(pack_rows(own.T if turned else own)) if mask]
    return [Rectangle(*(pair[::-1] if turned else pair)) for pair in listed]


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

    A rectangle of a label has only cells of that label or undefined entries, and at least one cell of the label; it is
    maximal if no row or column can be added. In a total matrix these are the formal concepts of the indicator matrix.

    Args:
        matrix: the function, total or partial.
        label: the answer.
        limit: stop at more closed column sets than this; the rectangles returned are maximal anyway.

    >>> rectangles, complete = maximal_rectangles(CommunicationMatrix.from_array([[1, 1], [0, 1]]), 1)
    >>> [sorted(rectangle.cells()) for rectangle in rectangles], complete
    ([[(0, 0), (0, 1)], [(0, 1), (1, 1)]], True)
    """
    matrix = matrix_of(matrix)
    code = code_of(matrix, label)
    by_row, by_column = supports(matrix, code), supports(matrix.transpose, code)
    turned = len(by_column) < len(by_row)
    own, across = (by_column, by_row) if turned else (by_row, by_column)
    closed, complete = intersections(own, (1 << len(across)) - 1, limit)
    cells = pack_rows(matrix.codes == code)
    maximal = set()
    for one in closed - {0}:
        other = sum(1 << place for place, support in enumerate(own) if one & ~support == 0)
        pair = Rectangle(one, other) if turned else Rectangle(other, one)
        if any(cells[row] & pair.columns for row in members(pair.rows)):
            maximal.add(pair)
    return sorted(maximal), complete


LOOK = 20  # exchanges between pauses
MOST_ENTRIES = 5_000_000  # rectangles times cells

Cell = tuple[int, int]


def covers_by_local_search(
    rectangles: Sequence[Rectangle], cells: Sequence[Cell], known: Callable[[], int]
) -> Iterator[list[Rectangle] | None]:
    """None again and again while it searches, and covers by fewer rectangles than ``known()``, without end."""
    if not cells or len(rectangles) * len(cells) > MOST_ENTRIES:
        return
    search = _LocalSearch(incidence(rectangles, cells).astype(np.float32))
    while known() > 1:
        search.leave(known() - 1)
        for _ in range(LOOK):
            if search.depth.all():
                break
            search.exchange()
        yield [rectangles[place] for place in search.chosen] if search.depth.all() else None


def incidence(rectangles: Sequence[Rectangle], cells: Sequence[Cell]) -> Array:
    rows, columns = np.array(cells).T
    above = _bits([one.rows for one in rectangles], int(rows.max()) + 1)
    across = _bits([one.columns for one in rectangles], int(columns.max()) + 1)
    return np.asarray(above[:, rows] & across[:, columns])


def _bits(masks: Sequence[int], size: int) -> Array:
    width = max(size, *(mask.bit_length() for mask in masks)) // 8 + 1
    digits = np.frombuffer(b"".join(mask.to_bytes(width, "little") for mask in masks), dtype=np.uint8)
    return np.unpackbits(digits.reshape(len(masks), width), axis=1, bitorder="little")[:, :size]


class _LocalSearch:
    """Some rectangles, how many of them contain each cell, and what an uncovered cell weighs."""

    def __init__(self, inside: Array) -> None:
        self.inside, self.around = inside, np.ascontiguousarray(inside.T)
        self.having = [np.flatnonzero(row) for row in self.around]  # for each cell, the rectangles with it
        self.random = random.Random(0)
        self.weights = np.ones(inside.shape[1], dtype=np.float32)
        self.moved = np.zeros(len(inside), dtype=np.int64)  # when each came or went
        self.chosen: list[int] = []
        self.depth, self.step = 0 * self.weights, 0
        while not self.depth.all():
            self._come(int((inside @ (self.depth == 0).astype(np.float32)).argmax()))

    def leave(self, size: int) -> None:
        while len(self.chosen) > size:
            self._go(self._least_missed(len(self.chosen)))

    def exchange(self) -> None:
        """One goes that is missed least, but not the last that came; one comes that has a cell without any."""
        self.step += 1
        gone = self._go(self._least_missed(max(len(self.chosen) - 1, 1)))
        bare = (self.depth == 0).nonzero()[0]
        able = self.having[bare[self.random.randrange(len(bare))]]
        gains = (self.weights[bare] @ self.around[bare])[able]
        gains[able == gone] = 0
        best = able[gains == gains.max()]
        self._come(int(best[self.moved[best].argmin()]))
        self.weights[self.depth == 0] += 1

    def _least_missed(self, number: int) -> int:
        """The place, among so many that came first, of what leaves least behind; of several, what came first."""
        chosen = self.chosen[:number]
        losses = self.inside[chosen] @ (self.weights * (self.depth == 1))
        return min(zip(losses.tolist(), self.moved[chosen].tolist(), range(number), strict=True))[2]

    def _come(self, number: int) -> None:
        self.chosen.append(number)
        self.depth += self.inside[number]
        self.moved[number] = self.step

    def _go(self, place: int) -> int:
        number = self.chosen.pop(place)
        self.depth -= self.inside[number]
        self.moved[number] = self.step
        return number
