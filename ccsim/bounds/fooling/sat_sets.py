"""Larger fooling sets by a SAT solver: variables for cells, and for classes of which a set has one cell at most.

Where nearly every line has a cell of the set, few of many choices are right, and clauses that are learnt lead there
sooner than swaps. The solver says nothing here of sets that it does not find.
"""

from __future__ import annotations

from collections.abc import Sequence

from ccsim.bounds.clock import Clock
from ccsim.bounds.solvers import SatSolver, at_least

__all__ = ["larger_by_sat"]

CONFLICTS, SLICE = 8_000, 1_000  # for a size, and between looks at the clock


def larger_by_sat(
    graph: list[int], classes: Sequence[Sequence[int]], best: list[int], most: int, clock: Clock
) -> list[int]:
    """A clique that is larger than one that is known, or this.

    Args:
        graph: per vertex, the mask of its neighbours.
        classes: all vertices, in classes of which no two are adjacent.
        best: a clique.
        most: a size that is not exceeded.
        clock: when to stop.

    >>> larger_by_sat([0b0110, 0b0101, 0b1011, 0b0100], [[0, 3], [1], [2]], [2, 3], 3, Clock())
    [0, 1, 2]
    """
    size = len(graph)
    taken = list(range(size + 1, size + 1 + len(classes)))
    clauses = [[-name, *(vertex + 1 for vertex in one)] for name, one in zip(taken, classes, strict=True)]
    for vertex, neighbours in enumerate(graph):
        clauses += [[-vertex - 1, -other - 1] for other in range(vertex) if not neighbours >> other & 1]
    while len(best) < min(most, len(classes)) and not clock.over:
        found = _solved(clauses + at_least(taken, len(best) + 1, taken[-1]), size, clock)
        if len(found) <= len(best):
            break
        best = found
    return best


def _solved(clauses: list[list[int]], size: int, clock: Clock) -> list[int]:
    """The vertices of a model, or none if there is none, or it takes too long."""
    with SatSolver("glucose4", bootstrap_with=clauses) as solver:
        for _ in range(0, CONFLICTS, SLICE):
            solver.conf_budget(SLICE)
            answer = solver.solve_limited()
            if answer is not None or clock.over:
                break
        return [literal - 1 for literal in solver.get_model()[:size] if literal > 0] if answer else []
