"""Least leaves, or least bits, of every rectangle of a small table, by dynamic programming over all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.leaves.game import Game
from ccsim.bounds.tree_search.cells import ALICE, BOB, bits_of
from ccsim.bounds.tree_search.tree import SPEAKERS, Tree

Array = npt.NDArray[np.uint16]
Flags = npt.NDArray[np.bool_]

FAR = 1 << 14  # more than any rectangle here takes, and twice that still fits
HALVES = {"leaves": np.add, "bits": np.maximum}


def work_of(rows: int, columns: int) -> int:
    """How many splits of rectangles a table of so many lines has, about."""
    return int(3**rows * 2**columns + 2**rows * 3**columns)


class Program:
    """The least leaves, or bits, of each rectangle within one, given as sets of lines.

    A rectangle that is no leaf is first split by one party or by the other: its leaves are those of the halves
    together, its bits one more than those of the worse half. Sets of rows are done in the order of their size, for all
    sets of columns at once, and then, for all rows of a size at once, the splits of columns.

    Attributes:
        counted: ``leaves`` or ``bits``.
        values: for each set of the rows and each set of the columns, what that rectangle takes.
    """

    def __init__(self, game: Game, rows: int, columns: int, counted: str) -> None:
        self.game, self.counted = game, counted
        self.lines = (bits_of(rows), bits_of(columns))
        self._join: Callable[..., Any] = HALVES[counted]
        self._more = int(counted == "bits")
        self.values = self._filled()

    @property
    def value(self) -> int:
        """What the whole takes."""
        return int(self.values[-1, -1])

    def _filled(self) -> Array:
        m, n = map(len, self.lines)
        values = np.full((1 << m, 1 << n), FAR, dtype=np.uint16)
        values[self._leaves()] = 1 - self._more
        sizes = np.array([mask.bit_count() for mask in range(1 << m)])
        for size in range(1, m + 1):
            group = np.flatnonzero(sizes == size)
            for mask in group.tolist() if size > 1 else []:
                values[mask] = np.minimum(values[mask], self._split(values, mask))
            block = values[group].T.copy()
            for mask in range(1, 1 << n):
                if mask & mask - 1:
                    block[mask] = np.minimum(block[mask], self._split(block, mask))
            values[group] = block.T
        return values

    def _split(self, values: Array, mask: int) -> Array:
        """What the best split of these lines takes, for everything across."""
        parts = _halves(mask)
        best: Array = self._join(values[parts], values[mask ^ parts]).min(axis=0) + self._more
        return best

    def _leaves(self) -> Flags:
        """Which rectangles are leaves."""
        party = self.game.knower
        own, across = self.lines[party], self.lines[1 - party]
        right = [[_parts_of(lines[line], across) for line in own] for lines in self.game.allowed[party]]
        if self.game.answer != "both":
            right = [[np.logical_or.reduce(options) for options in zip(*right, strict=True)]]
        leaves = np.zeros((1 << len(own), 1 << len(across)), dtype=bool)
        for options in right:
            every = np.ones((1, 1 << len(across)), dtype=bool)
            for option in options:
                every = np.concatenate([every, every & option])
            leaves |= every
        leaves[0, :] = leaves[:, 0] = False
        return leaves.T if party == BOB else leaves

    def tree(self) -> Tree:
        """A best protocol, as a tree."""
        return self._tree(len(self.values) - 1, self.values.shape[1] - 1)

    def _tree(self, rows: int, columns: int) -> Tree:
        leaf = self.game.leaf(self._lines(ALICE, rows), self._lines(BOB, columns))
        if leaf is not None:
            return leaf
        for party, mask in ((ALICE, rows), (BOB, columns)):
            values = self.values[:, columns] if party == ALICE else self.values[rows]
            parts = _halves(mask)
            costs = self._join(values[parts], values[mask ^ parts]) + self._more
            if len(parts) and costs.min() == self.values[rows, columns]:
                one = int(parts[np.argmin(costs)])
                break
        halves = [(part, columns) if party == ALICE else (rows, part) for part in (mask ^ one, one)]
        zero, other = (self._tree(*half) for half in halves)
        ones = list(bits_of(self._lines(party, one)))
        return {"speaker": SPEAKERS[party], "ones": ones, "zero": zero, "one": other}

    def _lines(self, party: int, mask: int) -> int:
        return sum(1 << self.lines[party][place] for place in bits_of(mask))


def _halves(mask: int) -> npt.NDArray[np.int64]:
    """The half with the highest line, of each split in two."""
    parts = np.zeros(1, dtype=np.int64)
    high = 1 << mask.bit_length() - 1
    for place in bits_of(mask ^ high):
        parts = np.concatenate([parts, parts | 1 << place])
    return (parts | high)[:-1]


def _parts_of(mask: int, lines: tuple[int, ...]) -> Flags:
    """For each set of these lines, whether all of it is within a mask."""
    outside = sum(1 << place for place, line in enumerate(lines) if not mask >> line & 1)
    flags: Flags = (np.arange(1 << len(lines)) & outside) == 0
    return flags
