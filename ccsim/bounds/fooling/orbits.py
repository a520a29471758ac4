"""A largest fooling set where a matrix has symmetries: of cells that these exchange, one is tried for all.

The search goes the way of the checker, which is told the symmetries alone: cells are put into classes of which a
fooling set has one each, and those that are left over are branched on. Once no set through one of them is large enough,
no set through any cell of its orbit is, and the whole orbit is left out.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ccsim.bounds.clock import Clock
from ccsim.bounds.fooling.clique import OutOfTimeError
from ccsim.bounds.symmetries import Permutation, fixing, orbit, some_symmetries

MOST_LINES = 256
DEEPEST = 12  # levels of symmetries

Cell = tuple[int, int]


class _LargerError(Exception):
    """A larger set; its cells are the argument."""


def largest_by_orbits(
    table: Sequence[Sequence[int]], cells: Sequence[Cell], graph: list[int], start: list[int], deadline: float | None
) -> tuple[list[int], Any]:
    """A largest clique of the exclusion graph of some cells, and the symmetries that prove it (None: none are known).

    Args:
        table: the matrix.
        cells: the vertices; the best order for a search is one in which those that exclude fewest come last.
        graph: per vertex, the mask of those that it excludes.
        start: a clique to improve on.
        deadline: ``time.monotonic()`` after which the best clique so far comes back with None.
    """
    if max(len(table), len(table[0])) > MOST_LINES:
        return start, None
    rng, clock = random.Random(0), Clock(deadline)
    moves = some_symmetries(np.array(table), rng, clock)
    while moves:
        try:
            return start, _Search(len(table), cells, graph, rng, deadline).tree(moves, len(start))
        except _LargerError as larger:
            start = larger.args[0]
        except OutOfTimeError:
            break
    return start, None


class _Search:
    """Points are rows, then columns, then cells; a permutation moves all."""

    def __init__(
        self, height: int, cells: Sequence[Cell], graph: list[int], rng: random.Random, deadline: float | None
    ) -> None:
        self.height, self.cells, self.graph, self.rng, self.deadline = height, cells, graph, rng, deadline
        self.strangers = [~neighbours for neighbours in graph]

    def tree(self, symmetries: Sequence[tuple[Permutation, Permutation]], most: int) -> Any:
        """The tree of symmetries by which no clique is larger."""
        places, moves = {cell: place for place, cell in enumerate(self.cells)}, []
        for rows, columns in symmetries:
            images = [places[rows[row], columns[column]] for row, column in self.cells]
            lines = [*rows, *(self.height + column for column in columns)]
            moves.append((*images, *(len(images) + line for line in lines)))
        return self._node((1 << len(self.cells)) - 1, most, moves, [])

    def _node(self, fitting: int, more: int, moves: Sequence[Permutation], chosen: list[int]) -> Any:
        rest = self._left_over(fitting, more, chosen)
        if not rest:
            return [[], []]
        if not moves or len(chosen) > DEEPEST:
            self._plainly(fitting, more, chosen)
            return None
        branches = []
        while rest:
            place = rest.bit_length() - 1
            images = orbit(moves, place)
            inner = fixing(moves, place, self.rng)
            branches.append(self._node(fitting & self.graph[place], more - 1, inner, [*chosen, place]))
            for image in images:
                fitting &= ~(1 << image)
            rest = self._left_over(fitting, more, chosen)
        return [[self._lines(move) for move in moves], branches]

    def _lines(self, move: Permutation) -> list[list[int]]:
        """Where a permutation takes rows and columns."""
        first, second = len(self.cells), len(self.cells) + self.height
        return [[row - first for row in move[first:second]], [column - second for column in move[second:]]]

    def _plainly(self, fitting: int, more: int, chosen: list[int]) -> None:
        stack = [(fitting, self._left_over(fitting, more, chosen), more, chosen)]
        while stack:
            fitting, rest, more, chosen = stack.pop()
            if rest:
                place = rest.bit_length() - 1
                fitting ^= 1 << place
                stack.append((fitting, rest ^ 1 << place, more, chosen))
                inner = fitting & self.graph[place]
                left = self._left_over(inner, more - 1, [*chosen, place])
                stack.append((inner, left, more - 1, [*chosen, place]))

    def _left_over(self, fitting: int, more: int, chosen: list[int]) -> int:
        """The cells that are left over once there are so many classes."""
        if more < 0:
            raise _LargerError(chosen)
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise OutOfTimeError
        rest = fitting
        for _ in range(more):
            if not rest:
                break
            members = rest
            while members:
                low = members & -members
                rest ^= low
                members &= self.strangers[low.bit_length() - 1] & ~low
        return rest
