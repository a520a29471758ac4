"""Small covers by a SAT solver, smaller and smaller: what it finds is checked, what it denies proves nothing.

A variable for each line and rectangle says that the rectangle has the line, one for each cell and rectangle that it has
both lines of the cell. Cells of a fooling set are in different rectangles: one each, by their numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from ccsim.bounds.limited import Work
from ccsim.bounds.rectangles.closed import members
from ccsim.bounds.solvers import SatSolver

__all__ = ["MOST_VARIABLES", "sat_covers"]

SOLVER = "cadical153"
MOST_VARIABLES = 1_000_000

Pair = tuple[int, int]


def sat_covers(own: list[int], other: list[int], width: int, apart: list[Pair], most: int) -> Work:
    """Work that tells covers, each smaller than the one before, as pairs of masks; None once there is none smaller.

    Args:
        own, other: per row, the columns where the answer is this one, and those where it is another.
        width: how many columns.
        apart: cells of a fooling set.
        most: how many rectangles to begin with.
    """

    def work(tell: Callable[[Any], None]) -> None:
        budget = most
        while budget >= 0:
            cover = _cover(own, other, width, apart, budget)
            tell(cover)
            if cover is None:
                return
            budget = len(cover) - 1

    return work


def _cover(own: list[int], other: list[int], width: int, apart: list[Pair], budget: int) -> list[Pair] | None:
    if len(apart) > budget or budget == 0:
        return None if any(own) else []
    names = count(1)
    rows = [[next(names) for _ in range(budget)] for _ in own]
    columns = [[next(names) for _ in range(budget)] for _ in range(width)]
    with SatSolver(SOLVER) as solver:
        for place, (row, column) in enumerate(apart):
            solver.add_clause([rows[row][place]])
            solver.add_clause([columns[column][place]])
        for row, mine in enumerate(rows):
            for column in members(other[row]):
                for one, two in zip(mine, columns[column], strict=True):
                    solver.add_clause([-one, -two])
            for column in members(own[row]):
                inside = [next(names) for _ in mine]
                solver.add_clause(inside)
                for both, one, two in zip(inside, mine, columns[column], strict=True):
                    solver.add_clause([-both, one])
                    solver.add_clause([-both, two])
        if not solver.solve():
            return None
        true = {name for name in solver.get_model() if name > 0}
    return _rectangles([[name in true for name in mine] for mine in rows], own, other, width)


def _rectangles(inside: list[list[bool]], own: list[int], other: list[int], width: int) -> list[Pair]:
    """The rectangles, as wide as may be, without those that cover nothing new."""
    found, left = [], list(own)
    for place in range(len(inside[0])):
        rows = [row for row, mine in enumerate(inside) if mine[place]]
        columns = (1 << width) - 1
        for row in rows:
            columns &= ~other[row]
        if any(left[row] & columns for row in rows):
            found.append((sum(1 << row for row in rows), columns))
        for row in rows:
            left[row] &= ~columns
    return found
