"""Nonnegative factors of a table of nonnegative integers, exactly: found in floats, one side rounded, the other solved.

A side is rounded to simple fractions, which is right where a solution has such; then each line of the other is a
corner of a linear program, and so the solution of a linear system, which is solved in rationals.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.clock import Clock
from ccsim.bounds.factors.fitting import Vectors
from ccsim.bounds.rationals import solve
from ccsim.bounds.solvers import linear_program

Table = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]

STARTS, BEST = 40, 4
SWEEPS, MORE = 300, 2000  # for each start, and for those that come near
PROMISING, NEAR = 0.2, 1e-4  # the largest error of an entry, where the largest entry is 1
DENOMINATORS = (1, 2, 3, 4, 6, 12)


def in_a_plane(table: Table, rank: int) -> tuple[Vectors, Vectors] | None:
    """Factors of a table of rank one or two: in a plane all rows are in the cone of the two that are farthest apart.

    >>> rows, columns = in_a_plane(np.array([[1, 2], [2, 1], [3, 3]]), 2)
    >>> [[str(entry) for entry in row] for row in rows], [[str(entry) for entry in column] for column in columns]
    ([['1', '0'], ['0', '1'], ['1', '1']], [['1', '2'], ['2', '1']])
    """
    rows = table[table.any(axis=1)].astype(float)
    unit = rows / np.linalg.norm(rows, axis=1)[:, None]
    farthest = divmod(int(np.argmin(unit @ unit.T)), len(rows))[:rank]
    columns = table[table.any(axis=1)][list(farthest)].T
    exact = [[Fraction(int(entry)) for entry in column] for column in columns]
    found = solved(exact, table)
    return None if found is None else (found, exact)


def nonnegative_factors(table: Table, size: int, clock: Clock) -> tuple[Vectors, Vectors] | None:
    """Factors of so many columns, if a start leads to some whose entries are simple on one side.

    >>> hexagon = np.array([[(0, 1, 2, 2, 1, 0)[(column - row) % 6] for column in range(6)] for row in range(6)])
    >>> rows, columns = nonnegative_factors(hexagon, 5, Clock())
    >>> all(sum(map(lambda a, b: a * b, rows[i], columns[j])) == hexagon[i, j] for i in range(6) for j in range(6))
    True
    """
    numbers, generator = table / max(1, table.max()), np.random.default_rng(0)
    left, right = (generator.random((STARTS, lines, size)) for lines in table.shape)
    for sweeps, enough in ((SWEEPS, PROMISING), (MORE, NEAR)):
        left, right = alternated(numbers, left, right, sweeps, clock)
        good = np.abs(left @ right.swapaxes(1, 2) - numbers).max(axis=(1, 2)) < enough
        left, right = left[good][:BEST], right[good][:BEST]
    for one, other in zip(left, right, strict=True):
        for side, lines, turned in ((one, table.T, False), (other, table, True)):
            for simple in simplified(side):
                exact = None if clock.over else solved(simple, lines)
                if exact is not None:
                    return (exact, simple) if turned else (simple, exact)
    return None


def alternated(numbers: Floats, left: Floats, right: Floats, sweeps: int, clock: Clock) -> tuple[Floats, Floats]:
    """Hierarchical alternating least squares (Cichocki and others 2007), from all starts at once: column after column,
    the best one that is not negative."""
    left, right = left.copy(), right.copy()
    for _ in range(sweeps):
        if clock.over:
            break
        for own, other, target in ((left, right, numbers), (right, left, numbers.T)):
            wanted, gram = target @ other, other.swapaxes(1, 2) @ other
            for place in range(own.shape[2]):
                size = np.maximum(gram[:, place, place], 1e-12)[:, None]
                step = wanted[:, :, place] - (own @ gram[:, :, place, None])[:, :, 0]
                own[:, :, place] = np.maximum(0, own[:, :, place] + step / size)
    return left, right


def simplified(side: Floats) -> Iterator[Vectors]:
    """Fractions near the numbers of a side, once the largest of each column is 1."""
    scaled = side / np.maximum(side.max(axis=0), 1e-12)
    for below in DENOMINATORS:
        yield [[Fraction(entry).limit_denominator(below) for entry in row] for row in scaled.tolist()]


def solved(side: Vectors, lines: Table) -> Vectors | None:
    """For each line the nonnegative weights with which the columns of a side add up to it; None if there are none."""
    scale = lcm(*(entry.denominator for row in side for entry in row))
    whole = np.array([[int(entry * scale) for entry in row] for row in side], dtype=np.int64)
    found = []
    for line in lines:
        program = linear_program(np.ones(whole.shape[1]), A_eq=whole, b_eq=line * scale, method="highs-ds")
        if program.x is None:
            return None
        used = np.flatnonzero(program.x > 1e-9)
        weights = solve(whole[:, used], line * scale) if len(used) else []
        if weights is None or min(weights, default=0) < 0 or (not len(used) and line.any()):
            return None
        known = dict(zip(used.tolist(), weights, strict=True))
        found.append([known.get(place, Fraction(0)) for place in range(whole.shape[1])])
    return found
