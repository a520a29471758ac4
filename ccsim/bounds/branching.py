"""Search for a cover or partition within a budget of rectangles; failing that, a proof that there is none.

At each node a cell that is left is chosen; some rectangle must contain it, and each gives a child. A leaf is a
fooling set, or (for partitions of total tables) a rank, among the cells that are left. The proof is the tree:
``["fooling", cells]``, ``["rank", prime]`` or ``["cell", [row, column], children]``.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ccsim.bounds.closed import members
from ccsim.bounds.rank import LARGE_PRIME, independent_gf2, independent_gf3, rank_modulo
from ccsim.certificates.verify import Refused, through

__all__ = ["Branching", "BranchingStopped"]


class BranchingStopped(Exception):  # noqa: N818 - a state of the search, not an error
    """Out of time, of nodes, or too many rectangles through a cell."""


class Branching:
    """A search on a table in masks per row.

    Attributes:
        own: per row, the cells to cover; free: the free cells; usable: what a rectangle of a cover may use.
        once: whether a partition is wanted.
    """

    def __init__(
        self, own: list[int], free: list[int], width: int, once: bool, deadline: float | None, nodes: int
    ) -> None:
        self.own, self.free, self.width, self.once = own, free, width, once
        self.usable = [a | b for a, b in zip(own, free, strict=True)]
        self.deadline, self.nodes = deadline, nodes

    def decide(self, budget: int) -> tuple[Any, list[tuple[int, ...]] | None]:
        """(proof, None) if no such cover has at most ``budget`` rectangles, else (None, what each covers)."""
        return self._node(self.own, budget)

    def _node(self, left: list[int], budget: int) -> tuple[Any, list[tuple[int, ...]] | None]:
        self.nodes -= 1
        if self.nodes < 0 or (self.deadline is not None and time.monotonic() > self.deadline):
            raise BranchingStopped
        if not any(left):
            return None, []
        allowed = [a | b for a, b in zip(left, self.free, strict=True)] if self.once else self.usable
        leaf = self._leaf(left, allowed, budget)
        if leaf is not None:
            return leaf, None
        row, column = self._cell(left, allowed)
        children = []
        try:
            options = through(lambda steps: None, allowed, left, row, column, self.once)
        except Refused as error:
            raise BranchingStopped from error
        for option in options:
            proof, cover = self._node([a & ~b for a, b in zip(left, option, strict=True)], budget - 1)
            if cover is not None:
                return None, [option, *cover]
            children.append(proof)
        return ["cell", [row, column], children], None

    def _leaf(self, left: list[int], allowed: list[int], budget: int) -> Any:
        cells = self._fooling(left, allowed, budget + 1)
        if len(cells) > budget:
            return ["fooling", [list(cell) for cell in cells]]
        if self.once and not any(self.free):
            if len(independent_gf2(left, budget + 1)) > budget:
                return ["rank", 2]
            if len(independent_gf3(left, budget + 1)) > budget:
                return ["rank", 3]
            indicator = [[row >> column & 1 for column in range(self.width)] for row in left]
            if rank_modulo(np.array(indicator), LARGE_PRIME) > budget:
                return ["rank", LARGE_PRIME]
        return None

    def _fooling(self, left: list[int], allowed: list[int], wanted: int) -> list[tuple[int, int]]:
        """A fooling set taken greedily, cells with few rectangles first, with a few starts."""
        cells = [(row, column) for row, mask in enumerate(left) for column in members(mask)]
        tall = [sum(mask >> column & 1 for mask in allowed) for column in range(self.width)]
        cells.sort(key=lambda cell: allowed[cell[0]].bit_count() * tall[cell[1]])
        best: list[tuple[int, int]] = []
        for start in range(min(len(cells), 6)):
            chosen: list[tuple[int, int]] = []
            for row, column in [cells[start], *cells]:
                if all(not (allowed[row] >> c & 1 and allowed[r] >> column & 1) for r, c in chosen):
                    chosen.append((row, column))
            best = max(best, chosen, key=len)
            if len(best) >= wanted:
                return best[:wanted]
        return best

    def _cell(self, left: list[int], allowed: list[int]) -> tuple[int, int]:
        """A cell that lies in few rectangles: its row and column have few cells that it can be joined with."""
        tall = [sum(mask >> column & 1 for mask in allowed) for column in range(self.width)]
        cells = ((row, column) for row, mask in enumerate(left) for column in members(mask))
        return min(cells, key=lambda cell: ((allowed[cell[0]].bit_count()) * tall[cell[1]], cell))
