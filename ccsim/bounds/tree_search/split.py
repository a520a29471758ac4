"""The 2-partitions of a party's inputs that no known core forbids."""

from __future__ import annotations

from ccsim.bounds.solvers import SatSolver
from ccsim.bounds.tree_search.cells import bits_of


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
