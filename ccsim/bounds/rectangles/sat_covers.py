"""Covers and partitions by a SAT solver, and proofs of none: budgets of rectangles from above and below, in turn.

A variable for each line and rectangle says that the rectangle has the line, one for each cell and rectangle that it has
both lines of the cell; in a partition only one rectangle has both. Cells of a fooling set are in different rectangles:
one each, by their numbers; the others are in the order of their first rows. Each solver writes down its proof, which
the checker follows; from above it goes on where that is too long, and only looks for covers. First of all budgets
halfway are asked, as long as each is decided soon: so there are few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from ccsim.bounds.lrat import Lemma, shown, signed, written
from ccsim.bounds.rectangles.closed import Rectangle
from ccsim.bounds.solvers import ProvingSolver
from ccsim.certificates.verify.claims import Claim
from ccsim.certificates.verify.lrat import CoverClauses
from ccsim.certificates.verify.matrices import Matrix

MOST_VARIABLES = 1_000_000
MOST_HALVED = 20_000  # variables with which a solver is soon made for one more budget
MOST_TRACE = 16 << 20  # bytes of a proof as the solver writes it, beyond which it is too long to be shown
BELOW, ABOVE = 500, 250  # conflicts of the first turn; most covers are found by exchanges before

Pair = tuple[int, int]


class CoverSearch:
    """Two budgets, at each of which a solver works now and then: whether so many rectangles are enough.

    Called with a function, it tells it witnesses: covers, each smaller than the one before, and proofs that so few are
    not enough. It ends where both meet. Where a process is forked, it goes on there where it is; elsewhere it travels
    as what it knows, and begins anew.

    Args:
        table: codes, -1 for free cells.
        code: of the cells to cover.
        apart: cells of a fooling set.
        lower, upper: between what it searches; there is a cover by ``upper`` rectangles.
        measure: ``"cover"`` or ``"partition"``.
    """

    def __init__(
        self, table: list[list[int]], code: int, apart: list[Pair], lower: int, upper: int, measure: str = "cover"
    ) -> None:
        self.table, self.code, self.apart, self.measure = table, code, apart, measure
        self.lower, self.upper = max(lower, len(apart)), upper
        self.at: dict[bool, tuple[int, CoverClauses, ProvingSolver]] = {}
        self.halving, self.proving, self.rounds = True, True, 0
        self.least = False  # there is none smaller, as cannot be shown
        self.cells = sum(row.count(code) for row in table)
        self.names = len(table) + len(table[0]) + self.cells

    def __reduce__(self) -> tuple[Any, ...]:
        return CoverSearch, (self.table, self.code, self.apart, self.lower, self.upper, self.measure)

    def __call__(self, tell: Callable[[Any], None]) -> None:
        while self.open:
            for witness in self.round():
                tell(witness)

    @property
    def open(self) -> bool:
        return self._budget(True) is not None or self._budget(False) is not None

    def round(self) -> Iterator[Any]:
        """A turn at each budget, twice as long as those of the round before; witnesses, as they are found."""
        yield from self._halved()
        for below in (False, True):
            budget = self._budget(below)
            if budget is not None:
                yield from self._turn(budget, below, (BELOW if below else ABOVE) << self.rounds)
        self.rounds += 1

    def _halved(self) -> Iterator[Any]:
        while self.halving and self.lower < self.upper - 1:
            between, budget = (self.lower, self.upper), (self.lower + self.upper) // 2
            if self.variables(budget) <= MOST_HALVED:
                yield from self._turn(budget, True, BELOW)
            self.halving = between != (self.lower, self.upper)

    def know(self, lower: int, upper: int) -> None:
        self.lower, self.upper = max(self.lower, lower), min(self.upper, upper)

    def variables(self, budget: int) -> int:
        """How many are needed, with those that keep rectangles of a partition apart."""
        pairs = budget**2 // 2 * self.cells if self.measure == "partition" else 0
        return budget * self.names + pairs

    def _budget(self, below: bool) -> int | None:
        """The budget from below, or from above where that is another one; None if there is nothing to do."""
        if below:
            left = self.proving and self.lower < self.upper - self.least
            return self.lower if left and self._small(self.lower) else None
        if self.least:
            return None
        alone = self.upper - 1 == self.lower == self._budget(True) and not self._forgotten()
        return self.upper - 1 if self._small(self.upper - 1) and not alone else None

    def _small(self, budget: int) -> bool:
        return self.lower < self.upper and self.variables(budget) <= MOST_VARIABLES

    def _forgotten(self) -> bool:
        """Whether the solver from above has come far at its budget, and has forgotten its proof."""
        budget, _, solver = self.at.get(False, (None, None, None))
        return budget == self.upper - 1 and solver is not None and solver.forgotten

    def _ready(self, budget: int, below: bool) -> tuple[int, CoverClauses, ProvingSolver]:
        """The solver at a budget; where both budgets meet, that from above goes on as the one from below."""
        if self.at.get(below, (None,))[0] != budget:
            if below and self.at.get(False, (None,))[0] == budget and not self._forgotten():
                self.at[True] = self.at.pop(False)
            else:
                claim = Claim(Matrix(self.table), self.measure, "lower", {"code": self.code})
                clauses = CoverClauses(claim, budget, len(self.apart))
                every, last = given_clauses(clauses, self.apart), budget == self.lower == self.upper - 1
                self.at[below] = budget, clauses, ProvingSolver(every, True, steady=last)
        return self.at[below]

    def _turn(self, budget: int, below: bool, conflicts: int) -> Iterator[Any]:
        _, clauses, solver = self._ready(budget, below)
        found = solver.solve_within(conflicts)
        if found:
            rectangles = rectangles_of({name for name in solver.get_model() if name > 0}, clauses)
            self.upper = len(rectangles)
            yield {"kind": "rectangles", "rectangles": [rectangle.as_data() for rectangle in rectangles]}
            return
        proof = _proof(solver, clauses, self.apart) if found is False else None
        if proof is not None:
            self.lower = budget + 1
            yield {"kind": "lrat", "budget": budget, "apart": [list(cell) for cell in self.apart], "proof": proof}
        elif found is False and not below:
            self.least = True
        elif found is False or solver.written > MOST_TRACE:  # too long a proof; the search from above goes on
            solver.forget()
            if below:
                if budget == self.upper - 1 and not self._forgotten():
                    self.at[False] = self.at.pop(True)
                self.proving = False


def given_clauses(clauses: CoverClauses, apart: list[Pair]) -> list[list[int]]:
    """All clauses that hold, first those that the checker numbers, in their order."""
    size, cells = clauses.size, range(clauses.lines, clauses.lines + len(clauses.cells))
    found = [[signed(one) for one in clauses.first(number)] for number in range(clauses.given)]
    if clauses.once:
        pairs = list(combinations(range(size), 2))
        for names in (_names(clauses, place) for place in cells):
            found += [[-names[one], -names[other]] for one, other in pairs]
    for place, lines in zip(cells, clauses.cells, strict=True):
        for line in lines:
            found += [[-inside, own] for inside, own in zip(_names(clauses, place), _names(clauses, line), strict=True)]
    for row in range(clauses.matrix.height):
        for column in clauses.foreign[row]:
            found += [[-one, -other] for one, other in zip(_names(clauses, row), _names(clauses, column), strict=True)]
    for number, (row, column) in enumerate(apart):
        found += [[_names(clauses, line)[number]] for line in (row, clauses.matrix.height + column)]
    return found


def _names(clauses: CoverClauses, place: int) -> range:
    first = clauses.variable(place, 0)
    return range(first, first + clauses.size)


def _proof(solver: ProvingSolver, clauses: CoverClauses, apart: list[Pair]) -> str | None:
    if not clauses.size:
        return written([Lemma([], [-1])], 1)  # a cell, and no rectangle
    if solver.forgotten or solver.written > MOST_TRACE:
        return None
    for number, (row, column) in enumerate(apart):
        for line in (row, clauses.matrix.height + column):
            clauses.start &= clauses.kept[2 * clauses.variable(line, number)]
    return shown(solver.proof(), solver.given, clauses)


def rectangles_of(true: set[int], clauses: CoverClauses) -> list[Rectangle]:
    """The rectangles, in covers as wide as may be, without those that cover nothing new."""
    matrix, found = clauses.matrix, []
    across = [sum(1 << column - matrix.height for column in lines) for lines in clauses.foreign[: matrix.height]]
    left = set(clauses.cells)
    for number in range(clauses.size):
        rows = [row for row in range(matrix.height) if clauses.variable(row, number) in true]
        columns = (1 << matrix.width) - 1
        for row in rows:
            columns &= ~across[row]
        if clauses.once:
            lines = range(matrix.height, clauses.lines)
            columns = sum(1 << line - matrix.height for line in lines if clauses.variable(line, number) in true)
        new = {(row, line) for row, line in left if row in rows and columns >> line - matrix.height & 1}
        if new:
            found.append(Rectangle(sum(1 << row for row in rows), columns))
        left -= new
    return found
