"""Search for a cover or partition within a budget of rectangles; failing that, a proof that there is none.

Cell after cell is put into each class of cells that it may join, or is the first of a class: cells of one class span a
rectangle with no other answer in it, and in a partition the rectangles of two classes have no cell of the answer in
common. The proof lists the cells of the tree, depth first: which choices each has is no matter of opinion.
"""

from __future__ import annotations

import time

from ccsim.bounds.rectangles.closed import members

__all__ = ["Branching", "BranchingStopped"]

Cell = tuple[int, int]
Classes = tuple[Cell, ...]  # of each: rows and columns that it spans


class BranchingStopped(Exception):  # noqa: N818 - a state of the search, not an error
    """Out of time, or of nodes."""


class Branching:
    """A search on a table in masks per row.

    Attributes:
        own: per row, the cells to cover; usable: those and the free cells; tall: the same per column.
        once: whether a partition is wanted.
    """

    def __init__(
        self, own: list[int], free: list[int], width: int, once: bool, deadline: float | None, nodes: int
    ) -> None:
        self.own, self.once, self.deadline, self.nodes = own, once, deadline, nodes
        self.usable = [a | b for a, b in zip(own, free, strict=True)]
        self.tall = [sum(1 << row for row, mask in enumerate(self.usable) if mask >> c & 1) for c in range(width)]
        cells = [(row, column) for row, mask in enumerate(own) for column in members(mask)]
        self.cells = sorted(cells, key=lambda cell: self.usable[cell[0]].bit_count() * self.tall[cell[1]].bit_count())

    def decide(self, budget: int) -> tuple[list[list[int]], list[tuple[int, ...]] | None]:
        """(proof, None) if no such cover has at most ``budget`` rectangles, else (part of it, what each covers)."""
        proof: list[list[int]] = []
        stack: list[Classes] = [()]
        while stack:
            self.nodes -= 1
            if self.nodes < 0 or (self.deadline is not None and time.monotonic() > self.deadline):
                raise BranchingStopped
            classes = stack.pop()
            cell, options = self._hardest(classes, budget)
            if cell is None:
                return proof, [self._covered(*rectangle) for rectangle in classes]
            proof.append(list(cell))
            stack += options[::-1]
        return proof, None

    def _covered(self, rows: int, columns: int) -> tuple[int, ...]:
        return tuple(mask & columns if rows >> row & 1 else 0 for row, mask in enumerate(self.own))

    def _hardest(self, classes: Classes, budget: int) -> tuple[Cell | None, list[Classes]]:
        """The cell that is left with the fewest choices, and these; None if none is left."""
        best: tuple[Cell | None, list[Classes]] = (None, [])
        for row, column in self.cells:
            if any(rows >> row & 1 and columns >> column & 1 for rows, columns in classes):
                continue
            options = []
            for place in range(min(len(classes) + 1, budget)):
                joined = self._joined(classes, place, row, column)
                if joined is not None:
                    options.append(joined)
            if best[0] is None or len(options) < len(best[1]):
                best = (row, column), options
                if len(options) < 2:
                    break
        return best

    def _joined(self, classes: Classes, place: int, row: int, column: int) -> Classes | None:
        """The classes with one more cell in one of them (perhaps a new one), if that may be."""
        rows, columns = (*classes, (0, 0))[place]
        rows, columns = rows | 1 << row, columns | 1 << column
        if columns & ~self.usable[row] or rows & ~self.tall[column]:
            return None
        if self.once:
            for other, (above, across) in enumerate(classes):
                if other != place and any(self.own[r] & columns & across for r in members(rows & above)):
                    return None
        return (*classes[:place], (rows, columns), *classes[place + 1 :])
