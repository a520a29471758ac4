"""Fooling sets of one answer by a SAT solver, where nearly every line has a cell of the set: larger ones, and none.

Where few of many choices are right, clauses that are learnt lead there sooner than swaps, and show sooner that there is
no way than a search for cliques does. Sizes from below are tried for larger sets, those from above are refuted, in
turn. The clauses are those of the checker, which follows the proof that the solver writes.
"""

from __future__ import annotations

from typing import Any

from ccsim.bounds.clock import Clock
from ccsim.bounds.lrat import shown
from ccsim.bounds.solvers import ProvingSolver
from ccsim.certificates.verify.claims import Claim
from ccsim.certificates.verify.fooling_lrat import FoolingClauses
from ccsim.certificates.verify.matrices import Matrix

__all__ = ["SatSets"]

FIRST, SLICE = 1_000, 1_000  # conflicts of the first turn, and between looks at the clock
MOST_TRACE = 16 << 20  # bytes of a proof as the solver writes it, beyond which it is too long to be shown

Pair = tuple[int, int]


class SatSets:
    """A search between a set that is known and a bound.

    Attributes:
        best: cells of a largest set that is known.
        upper: no set is larger.
        witness: of the bound, once it has been lowered.
        turn: how many turns there have been.

    >>> search = SatSets([[1, 1, 0], [0, 1, 1], [1, 0, 1]], 1, [(0, 0)], 3)
    >>> search.run(Clock(), turns=2)
    >>> search.best, search.upper
    ([(0, 0), (1, 1), (2, 2)], 3)
    """

    def __init__(self, table: list[list[int]], code: int, best: list[Pair], upper: int) -> None:
        self.table, self.code, self.best, self.upper = table, code, best, upper
        self.witness: dict[str, Any] | None = None
        self.turn = 0
        self._none = upper + 1  # of this size there is none, as is left to be proved if it is not above the bound
        self._proving = True
        self._at: dict[bool, tuple[int, FoolingClauses, ProvingSolver]] = {}

    def run(self, clock: Clock, turns: int) -> None:
        """Go on for so many turns, each twice as long as the one before."""
        for _ in range(turns):
            for proving in (False, True):
                while self._decided(proving, FIRST << self.turn, clock):
                    pass
            self.turn += 1

    def _size(self, proving: bool) -> int | None:
        """The size to be refuted, or to be found; None if there is nothing to do."""
        above, below = min(self.upper, self._none), len(self.best) + 1
        if below > self.upper or (proving and not self._proving):
            return None
        if proving:
            return above
        return None if below == above and (self._proving or below == self._none) else below

    def _decided(self, proving: bool, conflicts: int, clock: Clock) -> bool:
        """Whether a size was, within so many conflicts."""
        size = self._size(proving)
        if size is None or clock.over:
            return False
        if self._at.get(proving, (None,))[0] != size:
            claim = Claim(Matrix(self.table), "fooling-set", "upper", {"code": self.code, "answer": "both"})
            clauses = FoolingClauses(claim, size)
            self._at[proving] = size, clauses, ProvingSolver(_clauses_of(clauses), proving)
        _, clauses, solver = self._at[proving]
        found = _solved(solver, conflicts, clock, proving)
        if found:
            true = {literal for literal in solver.get_model() if literal > 0}
            self.best = [cell for place, cell in enumerate(clauses.cells) if place + 1 in true]
        elif found is False and not proving:
            self._none = size
        elif found is False:
            self._take(size, shown(solver.proof(), solver.given, clauses))
        elif proving and solver.written > MOST_TRACE:
            self._proving = False
        return found is not None

    def _take(self, size: int, proof: str | None) -> None:
        if proof is None:
            self._proving, self._none = False, min(self._none, size)
        else:
            self.upper, self.witness = size - 1, {"kind": "fooling-lrat", "size": size, "proof": proof}


def _solved(solver: ProvingSolver, conflicts: int, clock: Clock, proving: bool) -> bool | None:
    """Whether the clauses can be satisfied; None if that takes more conflicts, time, or room for a proof."""
    for _ in range(0, conflicts, SLICE):
        found = solver.solve_within(SLICE)
        if found is not None or clock.over or (proving and solver.written > MOST_TRACE):
            return found
    return None


def _clauses_of(clauses: FoolingClauses) -> list[list[int]]:
    """All clauses that hold, first those that the checker numbers, in their order."""
    found = [sorted(clause) for clause in clauses.given_clauses]
    for place, together in enumerate(clauses.together):
        found += [[-place - 1, -other - 1] for other in clauses.matrix.places(together & ((1 << place) - 1))]
    return found
