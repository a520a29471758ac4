"""Covers by exchanging maximal rectangles one by one, as a local search: it finds small ones soon, and shows nothing.

With one rectangle fewer than the best cover has, one that is missed least is exchanged for one that has a cell which
none contains now. Cells that stay without any weigh more and more, so that it does not go round in circles (row
weighting: Gao, Weise and Li 2015).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ccsim.bounds.rectangles.closed import Rectangle
from ccsim.errors import Array

LOOK = 20  # exchanges between pauses
MOST_ENTRIES = 5_000_000  # rectangles times cells

Cell = tuple[int, int]


def covers_by_exchanges(
    rectangles: Sequence[Rectangle], cells: Sequence[Cell], known: Callable[[], int]
) -> Iterator[list[Rectangle] | None]:
    """None again and again while it searches, and covers by fewer rectangles than are known; it never ends by itself.

    Args:
        rectangles: those to choose from, which together contain all cells; if there are too many, it gives up.
        cells: to be covered.
        known: tells the size of the smallest cover so far.

    >>> rectangles = [Rectangle(1, 3), Rectangle(2, 3), Rectangle(3, 3)]
    >>> next(covers_by_exchanges(rectangles, [(0, 0), (1, 1)], lambda: 2))
    [Rectangle(rows=3, columns=3)]
    """
    if not cells or len(rectangles) * len(cells) > MOST_ENTRIES:
        return
    search = _Exchanges(incidence(rectangles, cells))
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
    return (above[:, rows] & across[:, columns]).astype(np.float32)


def _bits(masks: Sequence[int], size: int) -> Array:
    width = max(size, *(mask.bit_length() for mask in masks)) // 8 + 1
    digits = np.frombuffer(b"".join(mask.to_bytes(width, "little") for mask in masks), dtype=np.uint8)
    return np.unpackbits(digits.reshape(len(masks), width), axis=1, bitorder="little")[:, :size]


class _Exchanges:
    """Some rectangles, how many of them contain each cell, and what a cell without any weighs."""

    def __init__(self, inside: Array) -> None:
        self.inside, self.around = inside, np.ascontiguousarray(inside.T)
        self.having = [np.flatnonzero(line) for line in self.around]  # for each cell, the rectangles with it
        self.random = random.Random(0)
        self.weights = np.ones(inside.shape[1], dtype=np.float32)
        self.moved = np.zeros(len(inside), dtype=np.int64)  # when each came or went
        self.chosen: list[int] = []
        self.depth, self.step = 0 * self.weights, 0
        while not self.depth.all():
            self._come(int((inside @ (self.depth == 0).astype(np.float32)).argmax()))

    def leave(self, size: int) -> None:
        """All but so many, each time one that is missed least."""
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
