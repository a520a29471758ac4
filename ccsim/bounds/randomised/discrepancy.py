"""Discrepancy of a Boolean function under a distribution, and the randomised lower bound that it gives.

disc_mu(f) = max over rectangles R of |mu(R with f = 1) - mu(R with f = 0)|. With public coins and error e at least
log2((1 - 2e) / disc_mu(f)) bits are needed, for every mu (Kushilevitz and Nisan 1997, section 3.5).
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.bounds.bracket import Bracket, Side, Value, Witness, coins_bound, timed
from ccsim.bounds.clock import Clock
from ccsim.bounds.randomised.vectors import MOST_LINES, line_weights
from ccsim.bounds.rationals import require_error
from ccsim.bounds.rectangles.closed import Rectangle
from ccsim.certificates.verify import Refused, check
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.function import Subject, matrix_of

Distribution = Sequence[Sequence[int | Fraction]] | Array
ALL_SETS = 4_000_000  # sets of lines times lines across
SOON = 64  # lines of which weights are soon to be had
MOST_WEIGHT = 1 << 80  # that a checker accepts


def distribution_weights(matrix: CommunicationMatrix, distribution: Distribution | None) -> list[list[int]]:
    """Integer weights of a distribution: by default uniform on the promise.

    Args:
        matrix: of at most two labels, with at least one promised cell.
        distribution: integers or Fractions >= 0 per cell, of any sum above 0, zero off the promise.
    """
    if len(matrix.labels) > 2:
        raise InputError("matrix", matrix, "at most two labels")
    codes = matrix.codes
    if (codes == DONT_CARE).all():
        raise InputError("matrix", matrix, "at least one promised cell")
    if distribution is None:
        distribution = (codes != DONT_CARE).astype(np.int64)
    rows = [[_exact(cell) for cell in row] for row in distribution]
    if [len(row) for row in rows] != [matrix.shape[1]] * matrix.shape[0] or any(c < 0 for row in rows for c in row):
        raise InputError("distribution", distribution, f"a {matrix.shape} table of numbers >= 0")
    free = any(rows[r][c] for r, c in np.argwhere(codes == DONT_CARE).tolist())
    if free or not any(map(any, rows)):
        raise InputError("distribution", distribution, "some weight, and none off the promise")
    common = np.lcm.reduce([cell.denominator for row in rows for cell in row], dtype=object)
    weights = [[int(cell * common) for cell in row] for row in rows]
    if max(map(max, weights)) > MOST_WEIGHT:
        raise InputError("distribution", str(common), f"weights of at most {MOST_WEIGHT} over a common denominator")
    return weights


def _exact(weight: object) -> Fraction:
    if isinstance(weight, (int, np.integer, np.bool_)):
        return Fraction(int(weight))
    if not isinstance(weight, Fraction):
        raise InputError("distribution", weight, "integers or Fractions")
    return weight


@timed
def discrepancy(
    matrix: Subject,
    distribution: Distribution | None = None,
    *,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bracket:
    """The discrepancy under a distribution: a pure number from 0 to 1.

    Args:
        matrix: of at most two labels (the second is 1), total or partial.
        distribution: see :func:`distribution_weights`; by default uniform on the promise.
        seed: of the local search for a biased rectangle in large tables.
        time_limit: seconds.

    Returns:
        A bracket of Fractions. Exact up to about 16 lines on the smaller side (all sets of lines are tried);
        beyond, a biased rectangle below, and above, up to 256 lines, weights of lines (see
        :mod:`ccsim.bounds.randomised.vectors`).

    >>> print(discrepancy(CommunicationMatrix.from_array([[0, 0], [0, 1]])))
    discrepancy = 1/2 (biased-rectangle | all-sets)
    """
    matrix = matrix_of(matrix)
    clock = Clock.within(time_limit)
    weights = distribution_weights(matrix, distribution)
    parameters = {"weights": weights}
    table = matrix.codes.tolist()
    values = np.array(weights, dtype=object) * np.where(matrix.codes == 1, 1, -1).astype(object)
    turned = values.shape[0] > values.shape[1]
    small = values.T if turned else values
    exhaustive = len(small) <= 20 and len(small[0]) << len(small) <= ALL_SETS
    rows, columns = _all_sets(small) if exhaustive else _climb(small, seed, clock)
    best = Rectangle(columns, rows) if turned else Rectangle(rows, columns)
    lower: Witness = {"kind": "biased-rectangle", "rectangle": best.as_data()}
    upper: Witness = {"kind": "all-sets"} if exhaustive else {}
    low = check(table, "discrepancy", "lower", parameters, lower)
    high = check(table, "discrepancy", "upper", parameters, upper) if upper else Fraction(1)
    if not exhaustive and max(matrix.shape) <= (SOON if clock.over else MOST_LINES):
        upper, high = _by_line_weights(values, clock, table, parameters)
    below, above = Side(low, "biased-rectangle", lower), Side(high, upper.get("kind", "trivial"), upper or None)
    return Bracket("discrepancy", below, above, parameters, "")


def _by_line_weights(
    values: Array, clock: Clock, table: list[list[int]], parameters: dict[str, Any]
) -> tuple[Witness, Value]:
    sides = {name: line_weights(sign * values, clock) for name, sign in (("most", 1), ("least", -1))}
    witness: Witness = {"kind": "diagonals", **sides}
    try:
        high = check(table, "discrepancy", "upper", parameters, witness)
    except Refused:  # weights of cells that are too unlike for floats
        return {}, Fraction(1)
    return (witness, high) if high < 1 else ({}, Fraction(1))


def _all_sets(values: Array) -> tuple[int, int]:
    """A most biased rectangle as masks (lines of the first side, of the second), over all sets of the first."""
    exact = values.astype(np.int64) if int(np.abs(values).sum()) < 1 << 62 else values
    best: tuple[int, int, int] = (-1, 0, 0)
    for low in range(0, 1 << len(values), 4096):
        sets = np.arange(low, min(low + 4096, 1 << len(values)))
        inside = (sets[:, None] >> np.arange(len(values))) & 1
        sums = inside.astype(exact.dtype) @ exact
        for sign in (1, -1):
            gains = np.where(sums * sign > 0, sums * sign, 0).sum(axis=1)
            place = int(np.argmax(gains))
            if int(gains[place]) > best[0]:
                columns = sum(1 << c for c, value in enumerate(sums[place]) if value * sign > 0)
                best = (int(gains[place]), int(sets[place]), columns)
    return best[1], best[2]


def _climb(values: Array, seed: int, clock: Clock) -> tuple[int, int]:
    began = time.monotonic()
    rng, best = random.Random(seed), (-1, 0, 0)
    exact = values.astype(np.int64) if int(np.abs(values).sum()) < 1 << 62 else values
    for attempt in range(len(values) + 40):
        if attempt and clock.left(1e9) < 0.5 * (time.monotonic() - began):  # the rest is for the other side
            break
        start = [int(attempt == i or (attempt >= len(values) and rng.random() < 0.5)) for i in range(len(values))]
        for sign in (1, -1):
            rows, found = np.array(start, dtype=exact.dtype), -1
            while True:
                columns = ((rows @ exact) * sign > 0).astype(exact.dtype)
                rows = ((exact @ columns) * sign > 0).astype(exact.dtype)
                gain = int((rows @ exact @ columns) * sign)
                if gain <= found:
                    break
                found = gain
            if found > best[0]:
                masks = [sum(1 << i for i, one in enumerate(side) if one) for side in (rows, columns)]
                best = (found, masks[0], masks[1])
    return best[1], best[2]


@timed
def randomised_by_discrepancy(
    matrix: Subject,
    error: Fraction | str = Fraction(1, 3),
    distribution: Distribution | None = None,
    *,
    time_limit: float | None = None,
) -> Bracket:
    """A lower bound on the randomised complexity (public coins, error on every input, both parties answer), in bits.

    log2((1 - 2 error) / disc), rounded up to whole bits. Nothing is claimed above.

    >>> found = randomised_by_discrepancy(CommunicationMatrix.from_array([[0, 0], [0, 1]]), Fraction(1, 8))
    >>> found.lower, found.upper
    (1, None)
    """
    allowed = require_error(error)
    found = discrepancy(matrix, distribution, time_limit=time_limit)
    value = (1 - 2 * allowed) / Fraction(found.upper or 1)
    return coins_bound("discrepancy", allowed, value, found.measure, found.upper_witness, **found.parameters)
