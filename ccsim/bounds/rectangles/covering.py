"""What covers and partitions have in common: one search of both sides, on the matrix with equal lines merged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import lazy_loader as lazy
import numpy as np

from ccsim.bounds.bracket import Bracket, Side, Witness
from ccsim.bounds.clock import Clock
from ccsim.bounds.fooling_sets import OutOfTimeError, grow_fooling_set, maximum_clique
from ccsim.bounds.largest_fooling_sets import maximum_fooling_set
from ccsim.bounds.rank import pack_rows
from ccsim.bounds.rectangles.closed import Rectangle, members
from ccsim.bounds.solvers import linear_program
from ccsim.certificates.verify import check
from ccsim.matrices import DONT_CARE, CommunicationMatrix, MergedMatrix

scipy = lazy.load("scipy")

LONG = (
    400_000  # characters of a proof for each second that is left, so that a small part of these is enough to check it
)
GROWN, STEPS, MOST_GROWN = 5_000, 10, 2_000  # steps in all and for each cell, to grow a fooling set, and of how many
SURE = 1 << 16  # cells beyond which a cover by single lines is not checked again here


@dataclass
class Sides:
    """The best bounds so far on one matrix and code; each is taken only after its checker has agreed.

    Attributes:
        matrix, code: what is covered.
        measure: ``"cover"`` or ``"partition"``.
        given: when to stop; None: never.
        apart: the largest fooling set so far.
        clock: the same as a clock.
    """

    matrix: CommunicationMatrix
    code: int
    measure: str
    given: Clock | None
    lower: int = 0
    lower_witness: Witness | None = None
    upper: int = 1 << 30
    upper_witness: Witness | None = None
    apart: Witness | None = None
    table: list[list[int]] = field(init=False)
    clock: Clock = field(init=False)

    def __post_init__(self) -> None:
        self.table, self.clock = self.matrix.codes.tolist(), self.given or Clock()

    @property
    def closed(self) -> bool:
        return self.lower >= self.upper or self.clock.over

    @property
    def cells(self) -> list[tuple[int, int]]:
        """What is to be covered, row by row."""
        return [(row, column) for row, column in np.argwhere(self.matrix.codes == self.code).tolist()]

    def offer(self, side: str, witness: Witness) -> None:
        """Take a witness if it improves its side and checks; what takes long to check only if that is done in time."""

        def work(tell: Callable[[Any], None]) -> None:
            tell(int(check(self.table, self.measure, side, {"code": self.code}, witness)))

        values: list[int] = []
        if self.clock.end is None or len(witness.get("proof", "")) < LONG * self.clock.left(1e9):
            work(values.append)
        else:
            values += self.clock.run(work)
        for value in values:
            self._take(side, value, witness)

    def _take(self, side: str, value: int, witness: Witness) -> None:
        if side == "lower" and value > self.lower:
            self.lower, self.lower_witness = value, witness
        elif side == "upper" and value < self.upper:
            self.upper, self.upper_witness = value, witness

    def offer_rectangles(self, rectangles: Sequence[Rectangle], sure: bool = False) -> None:
        """Take a cover or partition; without a check if it is ``sure``, so that there is something at once."""
        data = [r.as_data() for r in rectangles]
        witness = {"kind": "rectangles", "rectangles": data}
        if sure:
            self._take("upper", len(data), witness)
        elif len(data) < self.upper:
            self.offer("upper", witness)

    def lines(self) -> None:
        """Trivial upper bound: each different row of the indicator with all rows equal to it, or likewise columns."""
        codes = self.matrix.codes
        own = pack_rows(codes == self.code)
        free = [row | other for row, other in zip(own, pack_rows(codes == DONT_CARE), strict=True)]
        for turned in (False, True):
            if turned:
                codes = codes.T
                own = pack_rows(codes == self.code)
                free = pack_rows((codes == self.code) | (codes == DONT_CARE))
            groups: list[list[int]] = []  # [lines, what they cover, what all of them allow]
            if self.matrix.is_total:
                equal: dict[int, int] = {}
                for place, mask in enumerate(own):
                    equal[mask] = equal.get(mask, 0) | 1 << place
                groups = [[lines, mask, mask] for mask, lines in equal.items() if mask]
            for place, mask in enumerate(() if self.matrix.is_total else own):
                fits = (g for g in groups if (g[1] | mask) & ~(g[2] & free[place]) == 0)
                group = next(fits, None) if mask else [0, 0, 0]
                if group is None:
                    groups.append([1 << place, mask, free[place]])
                else:
                    group[:] = [group[0] | 1 << place, group[1] | mask, group[2] & free[place]]
            found = [Rectangle(g[1], g[0]) if turned else Rectangle(g[0], g[1]) for g in groups]
            self.offer_rectangles(found, sure=len(self.table) * len(self.table[0]) > SURE)

    def some_fooling(self) -> None:
        self.fooling(0.0)

    def grown_fooling(self) -> None:
        """Lower bound: a fooling set that is grown for so many steps, whatever time they take."""
        if len(self.cells) <= MOST_GROWN:
            steps = min(GROWN, STEPS * len(self.cells))
            self._apart(grow_fooling_set(self.matrix, self.code, steps=steps))

    def fooling(self, seconds: float) -> bool:
        """Lower bound: a fooling set; whether it is a largest one."""
        found = maximum_fooling_set(self.matrix, self.code, time_limit=min(seconds, self.clock.left(seconds)))
        self._apart(found.cells)
        return found.exact

    def _apart(self, cells: Sequence[tuple[int, int]]) -> None:
        witness = {"kind": "fooling-set", "cells": [list(cell) for cell in cells]}
        if not self.apart or len(cells) > len(self.apart["cells"]):
            self.apart = witness
        if len(cells) > self.lower:
            self.offer("lower", witness)

    def crown(self, seconds: float = 2.0) -> list[tuple[int, int]]:
        """Lower bound: a large crown, that is a clique among the cells of other answers, sought for so long."""
        codes = self.matrix.codes
        cells = [(r, c) for r, c in np.argwhere((codes != self.code) & (codes != DONT_CARE)).tolist()]
        if not 1 < len(cells) <= 1200:
            return []
        rows, columns = np.array(cells).T
        across = codes[rows[:, None], columns[None, :]] == self.code
        graph = pack_rows(across & across.T)
        try:
            chosen, _ = maximum_clique(graph, [], Clock.within(self.clock.left(seconds)).end)
        except OutOfTimeError as stopped:
            chosen, _ = stopped.args
        crown = [cells[vertex] for vertex in chosen]
        self.offer("lower", {"kind": "crown", "cells": [list(cell) for cell in crown]})
        return crown

    def fractional(self, rectangles: Sequence[Rectangle]) -> None:
        """Lower bound: the dual of the fractional cover, from floats to integers, checked."""
        cells = self.cells
        if not cells or len(rectangles) * len(cells) > 20_000_000:
            return
        inside = _incidence(rectangles, cells)
        limit = {} if self.clock.end is None else {"time_limit": self.clock.left(1e9)}
        ones = np.ones(len(rectangles))
        found = linear_program(-np.ones(len(cells)), A_ub=inside, b_ub=ones, bounds=(0, None), options=limit)
        if found.x is None:
            return
        best: tuple[Fraction, Any, int] | None = None
        for scale in (1, 2, 3, 4, 5, 6, 8, 12, 60, 840, 10_000):
            weights = np.rint(found.x * scale).astype(np.int64)
            most = int((inside @ weights).max())
            if most and (best is None or Fraction(int(weights.sum()), most) > best[0]):
                best = Fraction(int(weights.sum()), most), weights, most
        if best is not None and best[0] > self.lower:
            listed = [[*cell, int(weight)] for cell, weight in zip(cells, best[1], strict=True) if weight]
            self.offer("lower", {"kind": "cover-weights", "at_most": best[2], "weights": listed})


def _incidence(rectangles: Sequence[Rectangle], cells: Sequence[tuple[int, int]]) -> Any:
    place = {cell: number for number, cell in enumerate(cells)}
    rows, columns = [], []
    for number, rectangle in enumerate(rectangles):
        for cell in rectangle.cells():
            if cell in place:
                rows.append(number)
                columns.append(place[cell])
    ones = np.ones(len(rows), dtype=np.int64)
    return scipy.sparse.csr_matrix((ones, (rows, columns)), shape=(len(rectangles), len(cells)))


Steps = Sequence[Callable[[Sides], Iterator[None] | None] | None]
"""What moves the sides; one that takes long pauses after each move. None: where what is quick ends."""


def brackets_of(
    matrix: CommunicationMatrix, code: int, measure: str, steps: Steps, clock: Clock
) -> Iterator[Bracket | None]:
    """The bracket of one answer, better after each step, with equal lines merged; the clock is looked at between."""
    merged = matrix.merge()
    sides = Sides(merged.matrix, code, measure, clock)
    sides.lines()
    yield _carried_back(matrix, merged, sides)
    for step in steps:
        if step is None:
            yield None
        elif sides.lower < sides.upper and not clock.over:
            for _ in step(sides) or (None,):
                yield _carried_back(matrix, merged, sides)


def _carried_back(matrix: CommunicationMatrix, merged: MergedMatrix, sides: Sides) -> Bracket:
    nothing: Witness = {"kind": "fooling-set", "cells": []}
    lower, upper = sides.lower_witness or nothing, sides.upper_witness or nothing
    below, above = lower["kind"], upper["kind"]
    if merged.matrix.shape != matrix.shape and sides.lower_witness:
        lower = {"kind": "submatrix", "rows": merged.rows.tolist(), "columns": merged.columns.tolist(), "of": lower}
    if merged.matrix.shape != matrix.shape and sides.upper_witness:
        grown = []
        for rows, columns in upper["rectangles"]:
            all_rows = sum(1 << int(row) for row in merged.original_rows(members(int(rows, 16))))
            all_columns = sum(1 << int(c) for c in merged.original_columns(members(int(columns, 16))))
            grown.append(Rectangle(all_rows, all_columns).as_data())
        upper = {**upper, "rectangles": grown}
    parameters = {"code": sides.code, "label": repr(matrix.labels[sides.code])}
    found = Side(sides.lower, below, lower), Side(sides.upper, above, upper)
    return Bracket(sides.measure, *found, parameters, "rectangles")
