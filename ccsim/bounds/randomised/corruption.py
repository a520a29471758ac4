"""The rectangle (corruption) bound and the smooth rectangle bound, by linear programs that are checked exactly."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.arguments import require_fraction
from ccsim.bounds.bracket import Bracket, Witness, timed
from ccsim.bounds.clock import Clock
from ccsim.bounds.randomised.rectangle_programs import (
    DENOMINATORS,
    LINES,
    MOST,
    best_of,
    best_rectangles,
    coins_bound,
    indicator,
    integers,
    is_small,
    options_for,
)
from ccsim.bounds.rationals import as_text, cell_weights, require_error
from ccsim.bounds.rectangles.closed import Rectangle, code_of
from ccsim.bounds.solvers import linear_program
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.function import Subject, matrix_of

Array = npt.NDArray[Any]


@timed
def rectangle_bound(
    matrix: Subject,
    *,
    label: Hashable = 1,
    error: Fraction | str | int = Fraction(1, 3),
    smooth: bool = False,
    time_limit: float | None = 30.0,
) -> Bracket:
    """The rectangle (corruption) bound, or the smooth one (Jain and Klauck 2010), of one answer.

    The least total weight on rectangles with at least 1 - error on every cell of the answer (at most 1 if smooth) and
    at most ``error`` on every other promised cell. With public coins at least log2 of it bits are needed.

    Args:
        matrix: any labels, at most 12 lines on one side and 1024 cells.
        label: the answer z.
        error: the error allowed on each input, below 1/2.
        smooth: whether the weight on z-cells is at most 1.
        time_limit: seconds.

    >>> rectangle_bound(CommunicationMatrix.from_array([[1, 0], [0, 1]]), label=1, error="0").lower
    Fraction(2, 1)
    """
    matrix = matrix_of(matrix)
    clock, error = Clock.within(time_limit), require_error(require_fraction("error", error))
    code, table = code_of(matrix, label), matrix.codes.tolist()
    if not is_small(matrix):
        raise InputError("matrix", matrix, f"at most {LINES} rows or columns, and 1024 cells")
    own = matrix.codes == code
    singles = [Rectangle(1 << int(r), 1 << int(c)) for r, c in np.argwhere(own)]
    values, shares, terms = _searched(matrix, code, float(error), singles, smooth, clock)
    parameters = {
        "code": code,
        "label": repr(label),
        "error": as_text(error),
        "smooth": smooth,
    }
    lowers, uppers = [], []
    for denominator in DENOMINATORS:
        flat = iter(integers(values.ravel(), denominator))
        lowers.append(cell_weights({cell: value for cell in np.ndindex(own.shape) if (value := next(flat))}, own))
        weights = [max(Fraction(0), Fraction(float(s)).limit_denominator(denominator)) for s in shares]
        weights += [Fraction(0)] * (len(terms) - len(weights))  # for terms that came too late
        uppers.append(_repaired(weights, terms, singles, table, code, error, smooth))
    return best_of(table, "rectangle-bound", parameters, lowers, uppers, None)


def _searched(
    matrix: CommunicationMatrix, code: int, error: float, singles: list[Rectangle], smooth: bool, clock: Clock
) -> tuple[Array, Array, list[Rectangle]]:
    """In floats: values of the cells, and a share for each of the rectangles, in which rectangles are made as needed.

    A rectangle whose values add up to more than 1 is one that the linear program lacks.
    """
    codes, shape = matrix.codes, matrix.shape
    own, other = codes == code, (codes != code) & (codes != DONT_CARE)
    terms = [*singles]
    values, shares = np.where(own, 1.0, 0.0), np.full(len(terms), 1 - error)
    for _ in range(MOST):
        fresh = [r for r in best_rectangles(values, 1.0) if r not in terms]
        if not fresh or clock.over:
            break
        terms += fresh
        inside = np.array([indicator(term, shape) for term in terms])
        a, b = inside[:, own], inside[:, other]
        gains = [np.full(a.shape[1], 1 - error), np.full(b.shape[1], -error), np.full(a.shape[1], -1.0)]
        blocks = [a, -b, -a]
        parts = 3 if smooth else 2
        found = linear_program(
            -np.concatenate(gains[:parts]),
            A_ub=np.hstack(blocks[:parts]),
            b_ub=np.ones(len(terms)),
            options=options_for(clock),
        )
        if found.status != 0:
            break
        values = np.zeros(shape)
        values[own] = found.x[: a.shape[1]]
        values[other] = -found.x[a.shape[1] : a.shape[1] + b.shape[1]]
        if smooth:
            values[own] -= found.x[a.shape[1] + b.shape[1] :]
        shares = -found.ineqlin.marginals
    return values, shares, terms


def _repaired(
    weights: list[Fraction],
    terms: list[Rectangle],
    singles: list[Rectangle],
    table: Any,
    code: int,
    error: Fraction,
    smooth: bool,
) -> Witness:
    """Make rounded weights feasible: shrink them until no cell has too much, then add single cells."""
    on: dict[tuple[int, int], Fraction] = {}
    for weight, term in zip(weights, terms, strict=True):
        for cell in term.cells() if weight else ():
            on[cell] = on.get(cell, Fraction(0)) + weight
    shrink = Fraction(1)
    for (row, column), weight in on.items():
        most = (
            error
            if table[row][column] not in (code, -1)
            else Fraction(1)
            if smooth and table[row][column] == code
            else None
        )
        if most is not None and weight > most:
            shrink = min(shrink, most / weight)
    total = {term: weight * shrink for term, weight in zip(terms, weights, strict=True)}
    for single in singles:
        missing = 1 - error - shrink * on.get(next(single.cells()), Fraction(0))
        if missing > 0:
            total[single] += missing
    listed = [[*term.as_data(), code, as_text(weight)] for term, weight in total.items() if weight]
    return {"kind": "weighted-rectangles", "rectangles": listed}


@timed
def randomised_by_corruption(
    matrix: Subject,
    *,
    label: Hashable = 1,
    error: Fraction | str | int = Fraction(1, 3),
    smooth: bool = True,
    time_limit: float | None = 30.0,
) -> Bracket:
    """log2 of the rectangle bound, rounded up: a lower bound on public-coin communication with this error, in bits.

    >>> randomised_by_corruption(CommunicationMatrix.from_array([[1, 0], [0, 1]]), label=1, error="0").lower
    1
    """
    matrix = matrix_of(matrix)
    found = rectangle_bound(matrix, label=label, error=error, smooth=smooth, time_limit=time_limit)
    claim = {name: found.parameters[name] for name in ("code", "smooth")}
    allowed = Fraction(found.parameters["error"])
    return coins_bound("rectangle bound", allowed, found.lower, found.measure, found.lower_witness, **claim)
