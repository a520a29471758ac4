"""Covers and partitions by a SAT solver, and proofs of none: budgets of rectangles from above and below, in turn.

A variable for each row, column or cell and rectangle that has it. Cells of a fooling set are in the rectangles numbered
like them; the others are in the order of their first rows. With a symmetry that permutes the rectangles of a cover in
cycles, the variables of a cycle are the same: few are left. That no such cover is found shows nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations, islice
from typing import Any

import numpy as np

from ccsim.bounds.rectangles import Rectangle
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.solvers import ProvingSolver, checkable, signed
from ccsim.bounds.symmetries import Symmetry, composed, some_symmetries
from ccsim.certificates.verify.claims import Matrix, MatrixClaim
from ccsim.certificates.verify.rectangles import CoverClauses

MOST_VARIABLES = 1_000_000
MOST_HALVED = 20_000  # variables with which one more solver costs little
MOST_TRACE = 16 << 20  # bytes of a proof as the solver writes it, beyond which it is given up
BELOW, ABOVE = 500, 250  # conflicts of the first turn; most covers are found by exchanges before

Pair = tuple[int, int]


class CoverSearch:
    """Two budgets, at each of which a solver works now and then: whether so many rectangles are enough.

    Called with a function, it sends it smaller and smaller covers, and proofs that so few are not enough.
    """

    def __init__(
        self, table: list[list[int]], code: int, fooling: list[Pair], lower: int, upper: int, measure: str = "cover"
    ) -> None:
        self.table, self.code, self.fooling, self.measure = table, code, fooling, measure
        self.lower, self.upper = max(lower, len(fooling)), upper
        self.at: dict[bool, tuple[int, CoverClauses, ProvingSolver]] = {}
        self.halving, self.proving, self.rounds = True, True, 0
        self.least = False  # no cover is smaller, but the proof is too long
        self.cells = sum(row.count(code) for row in table)
        self.names = len(table) + len(table[0]) + self.cells

    def __reduce__(self) -> tuple[Any, ...]:
        return CoverSearch, (self.table, self.code, self.fooling, self.lower, self.upper, self.measure)

    def __call__(self, send: Callable[[Any], None]) -> None:
        while self.open:
            for witness in self.round():
                send(witness)

    @property
    def open(self) -> bool:
        return self._budget(True) is not None or self._budget(False) is not None

    def round(self) -> Iterator[Any]:
        """A turn at each budget, twice as long as those of the round before; witnesses, as they are found."""
        while self.halving and self.lower < self.upper - 1:
            between, middle = (self.lower, self.upper), (self.lower + self.upper) // 2
            if self.variables(middle) <= MOST_HALVED:
                yield from self._turn(middle, True, BELOW)
            self.halving = between != (self.lower, self.upper)
        for below in (False, True):
            budget = self._budget(below)
            if budget is not None:
                yield from self._turn(budget, below, (BELOW if below else ABOVE) << self.rounds)
        self.rounds += 1

    def know(self, lower: int, upper: int) -> None:
        self.lower, self.upper = max(self.lower, lower), min(self.upper, upper)

    def variables(self, budget: int) -> int:
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
                claim = MatrixClaim(Matrix(self.table), self.measure, "lower", {"code": self.code})
                clauses = CoverClauses(claim, budget, len(self.fooling))
                every, last = given_clauses(clauses, self.fooling), budget == self.lower == self.upper - 1
                self.at[below] = budget, clauses, ProvingSolver(every, True, steady=last)
        return self.at[below]

    def _turn(self, budget: int, below: bool, conflicts: int) -> Iterator[Any]:
        _, clauses, solver = self._ready(budget, below)
        satisfiable = solver.solve_within(conflicts)
        if satisfiable:
            rectangles = rectangles_of({name for name in solver.get_model() if name > 0}, clauses)
            self.upper = len(rectangles)
            yield {"kind": "rectangles", "rectangles": [rectangle.as_data() for rectangle in rectangles]}
            return
        proof = _proof(solver, clauses) if satisfiable is False else None
        if proof is not None:
            self.lower = budget + 1
            yield {"kind": "lrat", "budget": budget, "apart": [list(cell) for cell in self.fooling], "proof": proof}
        elif satisfiable is False and not below:
            self.least = True
        elif satisfiable is False or solver.written > MOST_TRACE:  # too long a proof; the search from above goes on
            solver.forget()
            if below:
                if budget == self.upper - 1 and not self._forgotten():
                    self.at[False] = self.at.pop(True)
                self.proving = False


def given_clauses(clauses: CoverClauses, fooling: list[Pair]) -> list[list[int]]:
    """All clauses that hold, first those that the checker numbers, in their order."""
    size, cells = clauses.size, range(clauses.both, clauses.both + len(clauses.cells))
    known = [[signed(one) for one in clauses.first(number)] for number in range(clauses.given)]
    if clauses.once:
        pairs = list(combinations(range(size), 2))
        for names in (_names(clauses, place) for place in cells):
            known += [[-names[one], -names[other]] for one, other in pairs]
    for place, cell in zip(cells, clauses.cells, strict=True):
        for side in cell:
            known += [[-inside, own] for inside, own in zip(_names(clauses, place), _names(clauses, side), strict=True)]
    for row in range(clauses.matrix.height):
        for column in clauses.foreign[row]:
            known += [[-one, -other] for one, other in zip(_names(clauses, row), _names(clauses, column), strict=True)]
    for number, (row, column) in enumerate(fooling):
        known += [[_names(clauses, place)[number]] for place in (row, clauses.matrix.height + column)]
    return known


def _names(clauses: CoverClauses, place: int) -> range:
    first = clauses.variable(place, 0)
    return range(first, first + clauses.size)


def _proof(solver: ProvingSolver, clauses: CoverClauses) -> str | None:
    if not clauses.size:
        return "ABA"  # a cell, and no rectangle: the first clause is empty
    if solver.forgotten or solver.written > MOST_TRACE:
        return None
    return checkable(solver.proof(), solver.given, clauses.given)


def rectangles_of(true: set[int], clauses: CoverClauses) -> list[Rectangle]:
    """The rectangles of a model; in covers as wide as possible, and none that covers nothing new."""
    matrix, rectangles = clauses.matrix, []
    across = [sum(1 << column - matrix.height for column in foreign) for foreign in clauses.foreign[: matrix.height]]
    left = set(clauses.cells)
    for number in range(clauses.size):
        rows = [row for row in range(matrix.height) if clauses.variable(row, number) in true]
        columns = (1 << matrix.width) - 1
        for row in rows:
            columns &= ~across[row]
        if clauses.once:
            places = range(matrix.height, clauses.both)
            columns = sum(1 << place - matrix.height for place in places if clauses.variable(place, number) in true)
        new = {(row, place) for row, place in left if row in rows and columns >> place - matrix.height & 1}
        if new:
            rectangles.append(Rectangle(sum(1 << row for row in rows), columns))
        left -= new
    return rectangles


MOST_POWERS = 12
MOST_CYCLES = 24  # ways to divide the rectangles into cycles, of each symmetry
MOST_NAMES = 100_000  # variables
FIRST, SLICE = 300, 500  # conflicts of the first turn, and between looks at the clock

Table = list[list[int]]
_Try = tuple[Symmetry, tuple[int, ...]]


def covers_by_symmetries(
    table: Table, code: int, budgets: Callable[[], range], measure: str, clock: Clock
) -> Iterator[list[Rectangle] | None]:
    """None again and again while it searches, and smaller and smaller covers, for the largest of ``budgets()`` next."""
    symmetries, hopeless, conflicts = powers(table, clock), set[_Try](), FIRST
    cells = sum(row.count(code) for row in table)
    while symmetries and budgets() and (len(table) + len(table[0]) + cells) * budgets()[-1] <= MOST_NAMES:
        tries = [one for one in _tries(symmetries, budgets()) if one not in hopeless]
        for symmetry, cycles in tries:
            if sum(cycles) in budgets():
                cover = invariant_cover(table, code, symmetry, cycles, measure, conflicts, clock)
                if cover == []:
                    hopeless.add((symmetry, cycles))
                yield cover or None
        conflicts *= 2
        if not tries:
            return


def _tries(symmetries: list[tuple[int, Symmetry]], budgets: range) -> list[_Try]:
    """Symmetries with cycles, of the fewest and the most rectangles: first those of long cycles, for each symmetry."""
    tries = [
        (rank, sum(cycles), symmetry, cycles)
        for order, symmetry in symmetries
        for size in {budgets[0], budgets[-1]}
        for rank, cycles in enumerate(cycles_of(size, order))
    ]
    return [(symmetry, cycles) for *_, symmetry, cycles in sorted(tries)]


def powers(table: Table, clock: Clock) -> list[tuple[int, Symmetry]]:
    """A few symmetries and powers of them, each after its order, but for the trivial one."""
    orders: dict[Symmetry, int] = {}
    for symmetry in some_symmetries(np.array(table), random.Random(0), clock):
        turns = [symmetry]
        while any(list(images) != sorted(images) for images in turns[-1]):
            turns.append(Symmetry(*(composed(*images) for images in zip(turns[-1], symmetry, strict=True))))
        order = len(turns)
        orders |= {turns[order // divisor - 1]: divisor for divisor in range(2, order + 1) if order % divisor == 0}
    return sorted(((order, symmetry) for symmetry, order in orders.items()), reverse=True)[:MOST_POWERS]


def cycles_of(size: int, order: int) -> list[tuple[int, ...]]:
    """How rectangles may be divided into cycles whose lengths divide the order, not all of one; long ones first."""
    lengths = [length for length in range(min(size, order), 0, -1) if order % length == 0]
    return list(islice((cycles for cycles in _divided(size, lengths) if cycles[:1] > (1,)), MOST_CYCLES))


def _divided(size: int, lengths: list[int]) -> Iterator[tuple[int, ...]]:
    if not size:
        yield ()
    for place, length in enumerate(lengths):
        if length <= size:
            yield from ((length, *rest) for rest in _divided(size - length, lengths[place:]))


def invariant_cover(
    table: Table, code: int, symmetry: Symmetry, cycles: tuple[int, ...], measure: str, conflicts: int, clock: Clock
) -> list[Rectangle] | None:
    """A cover that a symmetry permutes in such cycles; empty if there is none, None if out of conflicts or time."""
    clauses = CoverClauses(MatrixClaim(Matrix(table), measure, "lower", {"code": code}), sum(cycles))
    same = _same(clauses, symmetry, cycles)
    mapped = {
        frozenset(same[one] if one > 0 else -same[-one] for one in clause) for clause in given_clauses(clauses, [])
    }
    solver = ProvingSolver(sorted(map(sorted, mapped)), False)
    satisfiable = None
    for done in range(0, conflicts, SLICE):
        satisfiable = solver.solve_within(min(SLICE, conflicts - done))
        if satisfiable is not None or clock.over:
            break
    if not satisfiable:
        return None if satisfiable is None else []
    true = {name for name in solver.get_model() if name > 0}
    return rectangles_of({name for name in range(1, clauses.most + 1) if same[name] in true}, clauses)


def _same(clauses: CoverClauses, symmetry: Symmetry, cycles: tuple[int, ...]) -> list[int]:
    """For each variable, the first one that is equal in covers which the symmetry permutes in such cycles."""
    rows, columns = symmetry
    height = clauses.matrix.height
    numbers = {cell: clauses.both + number for number, cell in enumerate(clauses.cells)}
    both = [*rows, *(height + column for column in columns)]
    places = [*both, *(numbers[both[row], both[column]] for row, column in clauses.cells)]
    moves: list[int] = []
    for length in cycles:
        moves += [*range(len(moves) + 1, len(moves) + length), len(moves)]
    same = [0] * (clauses.most + 1)
    for name in range(1, clauses.most + 1):
        place, number = divmod(name - 1, clauses.size)
        while not same[here := clauses.variable(place, number)]:
            same[here], place, number = name, places[place], moves[number]
    return same
