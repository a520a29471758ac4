"""Covers and partitions that a symmetry of the matrix takes to themselves, by a SAT solver: few variables are left.

A symmetry moves rows and columns so that no cell changes, and so takes rectangles to rectangles. If it also permutes
the rectangles of a cover, in cycles whose lengths divide its order, then what one rectangle has tells what the next one
of its cycle has: their variables are the same. A large matrix with symmetries then is no harder than a small one. What
is found is a cover like any other; that none is found says nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

from ccsim.bounds.clock import Clock
from ccsim.bounds.rectangles.closed import Rectangle
from ccsim.bounds.rectangles.sat_covers import given_clauses, rectangles_of
from ccsim.bounds.solvers import ProvingSolver
from ccsim.bounds.symmetries import Permutation, Symmetry, some_symmetries
from ccsim.certificates.verify.claims import Claim
from ccsim.certificates.verify.lrat import CoverClauses
from ccsim.certificates.verify.matrices import Matrix

MOST_POWERS = 12
MOST_CYCLES = 24  # ways to divide the rectangles into cycles, of each symmetry
MOST_NAMES = 100_000  # variables
FIRST, SLICE = 300, 500  # conflicts of the first turn, and between looks at the clock

Table = list[list[int]]
_Try = tuple[Symmetry, tuple[int, ...]]


def covers_by_symmetries(
    table: Table, code: int, budgets: Callable[[], range], measure: str, clock: Clock
) -> Iterator[list[Rectangle] | None]:
    """None again and again while it searches, and covers, each smaller than the one before.

    Args:
        table: codes, -1 for free cells.
        code: of the cells to cover.
        budgets: tells the numbers of rectangles that are left to be looked for; the largest one is the next.
        measure: ``"cover"`` or ``"partition"``.
    """
    found, hopeless, conflicts = powers(table, clock), set[_Try](), FIRST
    cells = sum(row.count(code) for row in table)
    while found and budgets() and (len(table) + len(table[0]) + cells) * budgets()[-1] <= MOST_NAMES:
        tries = [one for one in _tries(found, budgets()) if one not in hopeless]
        for symmetry, cycles in tries:
            if sum(cycles) in budgets():
                cover = invariant_cover(table, code, symmetry, cycles, measure, conflicts, clock)
                if cover == []:
                    hopeless.add((symmetry, cycles))
                yield cover or None
        conflicts *= 2
        if not tries:
            return


def _tries(found: list[tuple[int, Symmetry]], budgets: range) -> list[_Try]:
    """Symmetries with cycles, of the fewest and the most rectangles: first those of long cycles, for each symmetry."""
    tries = [
        (rank, sum(cycles), symmetry, cycles)
        for order, symmetry in found
        for size in {budgets[0], budgets[-1]}
        for rank, cycles in enumerate(cycles_of(size, order))
    ]
    return [(symmetry, cycles) for *_, symmetry, cycles in sorted(tries)]


def powers(table: Table, clock: Clock) -> list[tuple[int, Symmetry]]:
    """A few symmetries and powers of them, each after its order, but for the trivial one.

    >>> {order for order, _ in powers([[0, 1, 1], [1, 0, 1], [1, 1, 0]], Clock())}
    {2, 3}
    """
    found: dict[Symmetry, int] = {}
    for symmetry in some_symmetries(np.array(table), random.Random(0), clock):
        turns = [symmetry]
        while any(list(lines) != sorted(lines) for lines in turns[-1]):
            turns.append(Symmetry(*(_after(*lines) for lines in zip(symmetry, turns[-1], strict=True))))
        order = len(turns)
        found |= {turns[order // divisor - 1]: divisor for divisor in range(2, order + 1) if order % divisor == 0}
    return sorted(((order, symmetry) for symmetry, order in found.items()), reverse=True)[:MOST_POWERS]


def _after(symmetry: Permutation, first: Permutation) -> Permutation:
    return tuple([symmetry[place] for place in first])


def cycles_of(size: int, order: int) -> list[tuple[int, ...]]:
    """How rectangles may be divided into cycles whose lengths divide the order, not all of one; long ones first.

    >>> cycles_of(4, 6)
    [(3, 1), (2, 2), (2, 1, 1)]
    """
    lengths = [length for length in range(min(size, order), 0, -1) if order % length == 0]
    return list(islice((found for found in _divided(size, lengths) if found[:1] > (1,)), MOST_CYCLES))


def _divided(size: int, lengths: list[int]) -> Iterator[tuple[int, ...]]:
    if not size:
        yield ()
    for place, length in enumerate(lengths):
        if length <= size:
            yield from ((length, *rest) for rest in _divided(size - length, lengths[place:]))


def invariant_cover(
    table: Table, code: int, symmetry: Symmetry, cycles: tuple[int, ...], measure: str, conflicts: int, clock: Clock
) -> list[Rectangle] | None:
    """A cover by rectangles that a symmetry permutes in such cycles; empty if there is none, None after so many
    conflicts, or out of time.

    >>> crown = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> len(invariant_cover(crown, 1, Symmetry((1, 2, 0), (1, 2, 0)), (3,), "cover", 100, Clock()))
    3
    """
    clauses = CoverClauses(Claim(Matrix(table), measure, "lower", {"code": code}), sum(cycles))
    same = _same(clauses, symmetry, cycles)
    mapped = {
        frozenset(same[one] if one > 0 else -same[-one] for one in clause) for clause in given_clauses(clauses, [])
    }
    solver = ProvingSolver(sorted(map(sorted, mapped)), False)
    found = None
    for done in range(0, conflicts, SLICE):
        found = solver.solve_within(min(SLICE, conflicts - done))
        if found is not None or clock.over:
            break
    if not found:
        return None if found is None else []
    true = {name for name in solver.get_model() if name > 0}
    return rectangles_of({name for name in range(1, clauses.most + 1) if same[name] in true}, clauses)


def _same(clauses: CoverClauses, symmetry: Symmetry, cycles: tuple[int, ...]) -> list[int]:
    """For each variable, the first one that says the same in covers which the symmetry permutes in such cycles."""
    rows, columns = symmetry
    height = clauses.matrix.height
    numbers = {cell: clauses.lines + number for number, cell in enumerate(clauses.cells)}
    lines = [*rows, *(height + column for column in columns)]
    places = [*lines, *(numbers[lines[row], lines[column]] for row, column in clauses.cells)]
    moves: list[int] = []
    for length in cycles:
        moves += [*range(len(moves) + 1, len(moves) + length), len(moves)]
    same = [0] * (clauses.most + 1)
    for name in range(1, clauses.most + 1):
        place, number = divmod(name - 1, clauses.size)
        while not same[here := clauses.variable(place, number)]:
            same[here], place, number = name, places[place], moves[number]
    return same
