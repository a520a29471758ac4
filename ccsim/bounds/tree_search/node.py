"""One rectangle under search: who may speak, the splits left to each party, and the cores that took the others away."""

from __future__ import annotations

from typing import NamedTuple

from ccsim.bounds.solvers import SatSolver
from ccsim.bounds.tree_search.cells import ALICE, BOB, Cells, bits_of


class Turns(NamedTuple):
    """A limit on the rounds: maximal stretches of a path on which one party speaks.

    Attributes:
        left: how many more rounds may begin.
        last: who spoke last and may go on within the round (0 Alice, 1 Bob), or -1 before the first bit.
    """

    left: int
    last: int


def after(turns: Turns | None, party: int) -> Turns | bool | None:
    """The limit once this party has sent a bit; ``False`` if it may not speak. ``None`` is no limit."""
    if turns is None or turns.last == party:
        return turns
    return Turns(turns.left - 1, party) if turns.left else False


def normal(turns: Turns | None, depth: int) -> Turns | None:
    """No limit at all if as many rounds may begin as bits are left."""
    return None if turns is None or turns.left >= depth else turns


class SplitSpace:
    """Splits of a set of lines in two, as models of a growing set of clauses.

    A core is a set of lines that must not all be on one side. The first line is always on the sending side:
    the two sides are alike.
    """

    def __init__(self, lines: int) -> None:
        self.lines = lines
        places = bits_of(lines)
        self.exhausted = len(places) < 2
        self._solver = SatSolver("glucose4")
        if places:
            self._solver.add_clause([places[0] + 1])
            for place in places:
                self._solver.add_clause([place + 1, -place - 1])
            self._solver.add_clause([-place - 1 for place in places])

    def forbid(self, core: int) -> None:
        """Never again all these lines on one side."""
        literals = [place + 1 for place in bits_of(core)]
        self._solver.add_clause(literals)
        self._solver.add_clause([-literal for literal in literals])

    def propose(self) -> tuple[int, int] | None:
        """Some split that is not forbidden, the larger side first; None, for good, if there is none."""
        if self.exhausted or not self._solver.solve():
            self.exhausted = True
            return None
        side = sum(1 << (literal - 1) for literal in self._solver.get_model() if literal > 0) & self.lines
        other = self.lines & ~side
        return (side, other) if side.bit_count() >= other.bit_count() else (other, side)

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()


MANY = 3000  # cores, of which it takes long to say which are enough


def enough_cores(lines: int, cores: list[int], rounds: int = 3) -> list[int]:
    """The places of some cores that forbid every split already, by the solver's own unsatisfiable core."""
    kept = list(range(len(cores)))
    if len(cores) > MANY:
        return kept
    first = bits_of(lines)[0] + 1
    for _ in range(rounds):
        with SatSolver("glucose4") as solver:
            base = lines.bit_length() + 1
            solver.add_clause([first])
            solver.add_clause([-place - 1 for place in bits_of(lines)])
            for place in kept:
                literals = [line + 1 for line in bits_of(cores[place])]
                solver.add_clause([*literals, -base - place])
                solver.add_clause([*(-literal for literal in literals), -base - place])
            if solver.solve(assumptions=[base + place for place in kept]):
                raise AssertionError("the cores do not forbid every split")
            fewer = sorted(literal - base for literal in (solver.get_core() or []))
        if len(fewer) == len(kept):
            break
        kept = fewer
    return kept


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
