"""One rectangle under search: the splits left to each party, and the cores that took the others away."""

from __future__ import annotations

from ccsim.bounds.tree_search.cells import ALICE, BOB, Cells
from ccsim.bounds.tree_search.split import SplitSpace, enough_cores
from ccsim.bounds.tree_search.turns import Turns, after, normal

Rectangle = tuple[int, int]
Task = tuple[int, int, int, Turns | None]
"""Rows, columns, depth, and the limit on rounds."""


class Node:
    """A task under search.

    Attributes:
        task: rows, columns, depth, and the limit on rounds.
        limits: per party, the limit on rounds once it has sent a bit here.
        spaces: per party, the splits that are left.
    """

    def __init__(
        self,
        cells: Cells,
        task: Task,
        cores: dict[tuple[int, Turns | None], list[Rectangle]],
    ) -> None:
        rows, columns, depth, turns = task
        self.task = task
        self.spaces = [SplitSpace(rows), SplitSpace(columns)]
        self.limits: list[Turns | None] = []
        for party in (ALICE, BOB):
            later = after(turns, party)
            self.spaces[party].exhausted |= later is False
            self.limits.append(normal(None if isinstance(later, bool) else later, depth - 1))
        self._pools = [cores.setdefault((depth - 1, limit), []) for limit in self.limits]
        fresh = depth <= cells.settled + 1
        self._seen = [len(pool) if fresh else 0 for pool in self._pools]
        self._used: tuple[list[Rectangle], list[Rectangle]] = ([], [])

    def take_new_cores(self) -> None:
        """Forbid what has been learnt since, as far as it lies within this rectangle."""
        for party in (ALICE, BOB):
            if self.spaces[party].exhausted:
                continue
            pool = self._pools[party]
            while self._seen[party] < len(pool):
                core = pool[self._seen[party]]
                self._seen[party] += 1
                if self.task[0] & core[0] == core[0] and self.task[1] & core[1] == core[1]:
                    self._take(party, core)

    def _take(self, party: int, core: Rectangle) -> None:
        self._used[party].append(core)
        self.spaces[party].forbid(core[party])

    def proof(self) -> tuple[list[Rectangle], list[Rectangle]]:
        """For Alice and for Bob, cores of which every split leaves one whole, once both spaces are exhausted."""
        return self._side_proof(ALICE), self._side_proof(BOB)

    def _side_proof(self, party: int) -> list[Rectangle]:
        used, lines = self._used[party], self.task[0] if party == ALICE else self.task[1]
        if lines.bit_count() < 2 or after(self.task[3], party) is False:
            return []
        return [used[place] for place in enough_cores(lines, [core[party] for core in used])]
