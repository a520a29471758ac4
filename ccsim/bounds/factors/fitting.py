"""Matrices of low rank between two others, entry by entry: searched for in floats, then rounded to rationals.

What is found here is only proposed: the checker decides whether its entries are where they should be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Witness
from ccsim.bounds.clock import Clock
from ccsim.bounds.rationals import as_text
from ccsim.bounds.solvers import least_by_gradient
from ccsim.matrices import MergedMatrix

Array = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
Vectors = list[list[Fraction]]

STARTS = 4
NEAR = 1e-9
UNITS = (1, 2, 4, 16, 64, 1024, 1 << 20)
LARGE = 1 << 26  # products of two such numbers, and sums of them, fit in 64 bits


def fitted(low: Array, high: Array, rank: int, clock: Clock) -> Iterator[tuple[Array, Array]]:
    """Factors U, V of which the product of U and the transpose of V is between two matrices, from several starts.

    Args:
        low, high: bounds of each entry, minus and plus infinity where there are none.
        rank: the columns of U and V.

    >>> low, high = np.array([[1.0, -np.inf], [-np.inf, 1.0]]), np.array([[np.inf, -1.0], [-1.0, np.inf]])
    >>> u, v = next(fitted(low, high, 1, Clock()))
    >>> np.sign(np.round(u @ v.T)).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    (height, width), generator = low.shape, np.random.default_rng(0)

    def violation(values: Array) -> tuple[float, Array]:
        left, right = values[: height * rank].reshape(height, rank), values[height * rank :].reshape(width, rank)
        product = left @ right.T
        excess = np.maximum(product - high, 0) - np.maximum(low - product, 0)
        gradient = np.concatenate([(excess @ right).ravel(), (excess.T @ left).ravel()])
        return float((excess**2).sum() / 2), gradient

    for _ in range(STARTS):
        if clock.over:
            return
        start = generator.normal(size=(height + width) * rank)
        found = least_by_gradient(violation, start, maxiter=400, ftol=0)
        if found.fun < NEAR:
            yield found.x[: height * rank].reshape(height, rank), found.x[height * rank :].reshape(width, rank)


def least_fitting(
    low: Array, high: Array, below: int, least: int, accepted: Callable[[Whole, int], bool], clock: Clock
) -> Iterator[tuple[Vectors, Vectors]]:
    """Factors of fewer and fewer columns, from one less than ``below`` to ``least``, as long as some are accepted.

    ``accepted`` looks at their product, as integers and in what units they are.
    """
    for rank in range(below - 1, least - 1, -1):
        tries = (
            (left, right, unit) for found in fitted(low, high, rank, clock) for left, right, unit in rounded(*found)
        )
        good = next((one for one in tries if accepted(one[0] @ one[1].T, one[2] ** 2)), None)
        if good is None:
            return
        left, right, unit = good
        yield _fractions(left, unit), _fractions(right, unit)


def rounded(left: Array, right: Array) -> Iterator[tuple[Whole, Whole, int]]:
    """Integers near two factors, in units of which there are so many in 1, simple ones first; the lengths of their
    columns are made alike."""
    balance = np.sqrt((np.abs(right).max(axis=0) + NEAR) / (np.abs(left).max(axis=0) + NEAR))
    pair = left * balance, right / balance
    for unit in UNITS:
        if max(np.abs(side).max() for side in pair) * unit < LARGE:
            yield *(np.rint(side * unit).astype(np.int64) for side in pair), unit


def _fractions(whole: Whole, unit: int) -> Vectors:
    return [[Fraction(entry, unit) for entry in row] for row in whole.tolist()]


def factors(rows: Vectors, columns: Vectors, merged: MergedMatrix) -> Witness:
    """The witness: a vector for each line, from those for the lines that differ."""
    sides = ((rows, merged.row_class), (columns, merged.column_class))
    left, right = ([[as_text(entry) for entry in side[place]] for place in classes] for side, classes in sides)
    return {"kind": "factors", "rows": left, "columns": right}
