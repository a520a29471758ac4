"""One rectangle under search: the splits left to each party, and the cores that took the others away."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ccsim.bounds.symmetries import Symmetry, moved
from ccsim.bounds.tree_search.cells import ALICE, BOB, Cells
from ccsim.bounds.tree_search.elementary import leaf_reason
from ccsim.bounds.tree_search.given_lines import Given, Learner, dependent_lines, refute_given
from ccsim.bounds.tree_search.rank_split import RankedSpace
from ccsim.bounds.tree_search.split import SplitSpace, enough_cores
from ccsim.bounds.tree_search.tight_split import TightSpace, leaves_to_spare
from ccsim.bounds.tree_search.turns import Turns, after, normal

__all__ = ["Node", "Rectangle", "SideProof", "Task"]

Rectangle = tuple[int, int]
Task = tuple[int, int, int, Turns | None]
"""Rows, columns, depth, and the limit on rounds."""

RANK_CORES = 400  # after so many cores by rank alone, rank is built into the enumeration
PLAIN_CORES = 60  # after so many cores, each stands for its images under symmetries
FRESH_BELOW = 4  # up to this depth rank is not built in
GIVEN_AFTER = 100  # splits that were proposed, in which some lines are known to be on a side
TIGHT = 4  # up to so many leaves to spare the ranks of both sides are built in


class SideProof(NamedTuple):
    """Why no split of one party's lines will do: every split leaves a core, or (if ranked) a large rank, or (if
    symmetric) the image of a core. If few leaves are to spare, the order in which lines are put on sides, and lines of
    which a side has not all if its rank is large."""

    cores: list[Rectangle]
    ranked: bool
    symmetric: bool = False
    order: list[int] | None = None
    given: tuple[Given, ...] = ()


class Node:
    """A task under search.

    Attributes:
        task: rows, columns, depth, and the limit on rounds.
        symmetries: of the rectangle.
        limits: per party, the limit on rounds once it has sent a bit here.
        spaces: per party, the splits that are left.
    """

    def __init__(
        self,
        cells: Cells,
        task: Task,
        cores: dict[tuple[int, Turns | None], list[Rectangle]],
        tick: Callable[[], None],
        symmetries: list[Symmetry],
    ) -> None:
        rows, columns, depth, turns = task
        self.cells, self.task, self.tick = cells, task, tick
        self.spaces: list[SplitSpace | RankedSpace | TightSpace] = [SplitSpace(rows), SplitSpace(columns)]
        tight = self._is_tight()
        if tight:
            self.spaces = [
                TightSpace(cells, party, *lines, depth - 1, tick)
                for party, lines in enumerate(((rows, columns), (columns, rows)))
            ]
        self.symmetries = [] if tight else symmetries
        self.limits: list[Turns | None] = []
        for party in (ALICE, BOB):
            later = after(turns, party)
            self.spaces[party].exhausted |= later is False
            self.limits.append(normal(None if isinstance(later, bool) else later, depth - 1))
        self._pools = [cores.setdefault((depth - 1, limit), []) for limit in self.limits]
        fresh = depth <= cells.settled + 1
        self._seen = [len(pool) if fresh else 0 for pool in self._pools]
        self._used: tuple[list[Rectangle], list[Rectangle]] = ([], [])
        self._by_rank = [0, 0]
        self._proposed = [0, 0]
        self._given: tuple[dict[tuple[int, int], Given | int], ...] = ({}, {})

    def worth_trying(self, search: Learner, party: int, halves: tuple[int, int]) -> list[tuple[int, int]]:
        """Splits to decide after one was proposed: itself, perhaps after one that is likely to do; none if the larger
        half is refuted, with all that have some of its lines.

        These are the lines that depend on each other; or, if they say too little, those that do with any lines.
        """
        self._proposed[party] += 1
        (rows, columns, depth, _), space = self.task, self.spaces[party]
        if not isinstance(space, TightSpace) or self._proposed[party] <= GIVEN_AFTER:
            return [halves]
        lines, across = (rows, columns) if party == ALICE else (columns, rows)
        own, rank = dependent_lines(self.cells, party, halves[0], across)
        for given in ((own, rank), (halves[0] & space.dependent, rank)):
            if not given[0] or given in self._given[party]:
                continue
            found = self._given[party][given] = refute_given(search, party, (lines, across), depth - 1, given)
            if isinstance(found, Given):
                space.refute(*given)
                return []
            if found not in (0, lines):
                return [(found, lines & ~found), halves]
        return [halves]

    def _is_tight(self) -> bool:
        rows, columns, depth, turns = self.task
        return (
            depth > FRESH_BELOW
            and turns is None
            and self.cells.total
            and self.cells.answer == "both"
            and leaves_to_spare(self.cells, rows, columns, depth) <= TIGHT
        )

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
        if isinstance(self.spaces[party], TightSpace):
            self._used[party].append(core)
            self.spaces[party].forbid(core[party])
            return
        by_rank = self.task[2] > FRESH_BELOW and leaf_reason(self.cells, *core, self.task[2] - 1)
        if by_rank:
            if isinstance(self.spaces[party], RankedSpace):
                return
            self._by_rank[party] += 1
        used = self._used[party]
        used.append(core)
        for half in self.halves(party, used if len(used) == PLAIN_CORES + 1 else [core]):
            self.spaces[party].forbid(half)
        if self._by_rank[party] > RANK_CORES * (1 + len(self.symmetries)):
            self._build_rank_in(party)

    def halves(self, party: int, cores: list[Rectangle]) -> set[int]:
        """A party's lines of some cores, and of their images once there are many."""
        halves = {core[party] for core in cores}
        if self._symmetric(party):
            halves |= {moved(half, symmetry[party]) for half in halves for symmetry in self.symmetries}
        return halves

    def _symmetric(self, party: int) -> bool:
        return bool(self.symmetries) and len(self._used[party]) > PLAIN_CORES

    def _build_rank_in(self, party: int) -> None:
        rows, columns, depth, _ = self.task
        self._by_rank[party] = 0
        self.spaces[party].close()
        lines, across = (rows, columns) if party == ALICE else (columns, rows)
        self.spaces[party] = RankedSpace(self.cells, party, lines, across, depth - 1, self.tick)
        used = self._used[party]
        used[:] = [core for core in used if not leaf_reason(self.cells, *core, depth - 1)]
        for half in self.halves(party, used):
            self.spaces[party].forbid(half)

    def proof(self) -> tuple[SideProof, SideProof]:
        """What forbids every split, once both spaces are exhausted."""
        alice, bob = (self._side_proof(party) for party in (ALICE, BOB))
        return alice, bob

    def _side_proof(self, party: int) -> SideProof:
        used, space = self._used[party], self.spaces[party]
        if isinstance(space, TightSpace):
            given = tuple(one for one in self._given[party].values() if isinstance(one, Given))
            return SideProof([core for core in used if core[party] in space.caught], True, False, space.order, given)
        if isinstance(space, RankedSpace):
            return SideProof(used, True, self._symmetric(party))
        lines = self.task[0] if party == ALICE else self.task[1]
        if lines.bit_count() < 2 or after(self.task[3], party) is False:
            return SideProof([], False)
        kept = enough_cores(lines, [list(self.halves(party, [core])) for core in used])
        return SideProof([used[place] for place in kept], False, self._symmetric(party))
