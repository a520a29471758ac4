"""The rectangle bound (corruption), the smooth one and the partition bound, exactly, for tiny matrices and parts.

All are linear programs over all rectangles (Jain and Klauck 2010), and at most the number of leaves of a public-coin
protocol, so that their logarithm bounds its bits from below. The duals put rational weights on cells so that no
rectangle weighs more than 1; the heaviest rectangle for given weights is found exactly by going through the sets of
lines of the smaller side, so rectangles are added only as they are needed. Why the duals prove their bounds is said in
:mod:`ccsim.certificates.verify`.
"""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.bounds.bracket import UNKNOWN, Bracket, Side, Witness, coins_bound, timed
from ccsim.bounds.clock import Clock
from ccsim.bounds.randomised.look_alikes import parts
from ccsim.bounds.randomised.weighing import Weighing
from ccsim.bounds.rationals import as_text, cell_weights, require_error
from ccsim.bounds.rectangles.closed import code_of
from ccsim.certificates.verify import Refused, check
from ccsim.errors import Array, InputError, require_fraction
from ccsim.matrices import DONT_CARE, CommunicationMatrix, MergedMatrix
from ccsim.problems.function import Subject, matrix_of

MOST_LINES = 16  # of the smaller side, after merging
MOST_CELLS = 512
MOST_WHOLE = 256  # lines of a table of which parts are looked at


@timed
def partition_bound(matrix: Subject, error: Fraction | str, seconds: float = 60.0) -> Bracket:
    """prt_error: the least sum of weights of labelled rectangles that answer as an error-prone protocol does.

    Args:
        matrix: Boolean, multi-valued or partial. After merging, with at most 16 lines on one side and 512 cells a
            program is solved; to 256 lines there is a lower side, by parts of lines that look alike.
        error: at least 0 and below 1.
        seconds: after so long, only the lower bound is given.

    >>> print(partition_bound(CommunicationMatrix.from_array([[1, 0], [0, 1]]), "0"))
    partition-bound = 4 rectangles (weights of cells | weights of rectangles)
    """
    matrix = matrix_of(matrix)
    return _solve(matrix, error, None, seconds)


@timed
def rectangle_bound(
    matrix: Subject,
    *,
    label: Hashable = 1,
    error: Fraction | str | int = Fraction(1, 3),
    smooth: bool = False,
    time_limit: float | None = 30.0,
) -> Bracket:
    """The rectangle (corruption) bound, or the smooth one, of one answer.

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
    matrix, allowed = matrix_of(matrix), require_error(require_fraction("error", error))
    code = code_of(matrix, label)
    if not is_small(matrix):
        raise InputError("matrix", matrix, f"at most {LINES} rows or columns, and 1024 cells")
    return _solve(matrix, allowed, code, time_limit, smooth)


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
    bound = rectangle_bound(matrix, label=label, error=error, smooth=smooth, time_limit=time_limit)
    return _in_bits(bound, "rectangle bound")


@timed
def smooth_rectangle_bound(
    matrix: Subject,
    *,
    label: Hashable = 1,
    error: Fraction | str | int = Fraction(1, 3),
    seconds: float = 60.0,
) -> Bracket:
    """srec_error of one answer; the other arguments are as for :func:`partition_bound`.

    It is never more than the partition bound.

    >>> print(smooth_rectangle_bound(CommunicationMatrix.from_array([[1, 0], [0, 1]]), label=1, error="0"))
    rectangle-bound = 2 rectangles (weights of cells | weights of rectangles)
    """
    matrix = matrix_of(matrix)
    return _solve(matrix, require_fraction("error", error), code_of(matrix, label), seconds)


@timed
def partition_bits(matrix: Subject, error: Fraction | str, seconds: float = 60.0) -> Bracket:
    """R_error^pub is at least the logarithm of the partition bound, rounded up: bits are whole.

    Public coins, both parties know the answer, worst-case bits. There is no upper bound.

    >>> partition_bits(CommunicationMatrix.from_array([[1, 0], [0, 1]]), "0").lower
    2
    """
    matrix = matrix_of(matrix)
    return _in_bits(partition_bound(matrix, error, seconds), "logarithm of the partition bound")


@timed
def smooth_rectangle_bits(matrix: Subject, error: Fraction | str, seconds: float = 60.0) -> Bracket:
    """R_error^pub is at least the logarithm of the smooth rectangle bound of any label; the best of them."""
    matrix = matrix_of(matrix)
    share = seconds / max(1, len(matrix.labels))
    bounds = [smooth_rectangle_bound(matrix, label=label, error=error, seconds=share) for label in matrix.labels]
    return _in_bits(max(bounds, key=lambda bound: bound.lower), "logarithm of the smooth rectangle bound")


def _in_bits(bound: Bracket, by: str) -> Bracket:
    given = {name: value for name, value in bound.parameters.items() if name in ("code", "smooth")}
    error = Fraction(bound.parameters["error"])
    return coins_bound(by, error, bound.lower, bound.measure, bound.lower_witness, **given)


LINES = 12  # few enough that a table of so many has few rectangles


def is_small(matrix: CommunicationMatrix) -> bool:
    """Whether a table has so few rectangles that a program can choose from them."""
    return min(matrix.shape) <= LINES and matrix.shape[0] * matrix.shape[1] <= 2 * MOST_CELLS


def _solve(
    matrix: CommunicationMatrix,
    error: Fraction | str | int,
    label: int | None,
    seconds: float | None,
    smooth: bool = True,
) -> Bracket:
    clock, allowed, merged = Clock.within(seconds), require_error(error, 1), matrix.merge()
    codes = merged.matrix.codes.astype(np.int64)
    if not (codes != DONT_CARE).any():
        raise InputError("matrix", matrix, "at least one promised cell")
    if not 0 < min(codes.shape) <= max(codes.shape) <= MOST_WHOLE:
        raise InputError("matrix", codes.shape, f"1 to {MOST_WHOLE} lines on a side")
    kind = "partition-bound" if label is None else "rectangle-bound"
    parameters: dict[str, Any] = {"answer": "both", "coins": "public", "error": as_text(allowed)}
    if label is not None:
        parameters = {"code": label, "error": as_text(allowed), "smooth": smooth}
    if min(codes.shape) > MOST_LINES or codes.size > (MOST_CELLS if label is None else 2 * MOST_CELLS):
        value, witness = _of_parts(merged, allowed, label, clock)
        below = Side(value, "weights of cells of a part", witness)
        return Bracket(kind, below, UNKNOWN, parameters, "rectangles")
    program = _program(codes, allowed, label, smooth)
    values, weights = program.maximise(clock)
    exact, cover = program.rational(values), program.covering(weights)
    witness = _cell_witness(program, (merged.rows, merged.columns), exact, label)
    bracket = Bracket(kind, Side(program.sum(exact), "weights of cells", witness), UNKNOWN, parameters, "rectangles")
    if cover is not None:
        witness = _cover_witness(merged, cover, label)
        with suppress(Refused):  # the floats were off: no upper bound, then
            upper = check(matrix.codes.tolist(), kind, "upper", parameters, witness)
            return bracket.at_most(upper, "weights of rectangles", witness)
    return bracket


def _of_parts(merged: MergedMatrix, error: Fraction, label: int | None, clock: Clock) -> tuple[Fraction, Witness]:
    codes = merged.matrix.codes.astype(np.int64)
    found: list[tuple[Fraction, Witness]] = []
    for rows, columns in parts(codes, clock):
        if found and clock.over:
            break
        program = _program(codes[np.ix_(rows, columns)], error, label)
        program.alike = True
        exact = program.rational(program.maximise(clock)[0])
        lines = merged.rows[rows], merged.columns[columns]
        found.append((program.sum(exact), _cell_witness(program, lines, exact, label)))
    if not found:
        expected = f"{MOST_LINES} lines on a side and {MOST_CELLS} cells at most, or parts of lines that look alike"
        raise InputError("matrix", codes.shape, expected)
    return max(found, key=lambda pair: pair[0])


def _program(codes: Array, error: Fraction, label: int | None, smooth: bool = True) -> Weighing:
    if label is not None:
        inside, outside = np.argwhere(codes == label), np.argwhere((codes != label) & (codes != DONT_CARE))
        less = inside[: len(inside) * smooth]  # the weight is at most 1
        gain = [1 - error] * len(inside) + [Fraction(-1)] * len(less) + [-error] * len(outside)
        signs = np.repeat([1, -1, -1], [len(inside), len(less), len(outside)])
        cells = np.concatenate([inside, less, outside])
        return Weighing(codes, cells, gain, [signs], np.zeros(len(gain), dtype=bool))
    promised, every = np.argwhere(codes != DONT_CARE), np.argwhere(codes == codes)
    free = np.arange(len(promised) + len(every)) >= len(promised)
    own = np.append(codes[tuple(promised.T)], np.full(len(every), DONT_CARE))
    labels = range(max(1, int(codes.max()) + 1))
    gain = [1 - error] * len(promised) + [Fraction(1)] * len(every)
    weight = [(free | (own == label)).astype(np.int64) for label in labels]
    return Weighing(codes, np.concatenate([promised, every]), gain, weight, free)


def _cell_witness(program: Weighing, lines: tuple[Array, Array], values: list[Fraction], label: int | None) -> Witness:
    totals: dict[tuple[int, int], list[Fraction]] = {}
    signs = np.ones(len(values), dtype=np.int64) if label is None else program.weight[0]
    for place, value, free, sign in zip(program.cell.tolist(), values, program.free, signs.tolist(), strict=True):
        totals.setdefault(tuple(place), [Fraction(0), Fraction(0)])[int(free)] += value * sign
    if label is None:
        cells: list[Any] = [[*place, *map(as_text, pair)] for place, pair in totals.items() if any(pair)]
    else:
        worth = {place: value for place, (value, _) in totals.items() if value}
        cells = cell_weights(worth, program.codes == label)["cells"]
    listed = [[int(lines[0][row]), int(lines[1][column]), mu, phi] for row, column, mu, phi in cells]
    return {"kind": "cell-weights", "cells": listed}


def _cover_witness(merged: MergedMatrix, cover: dict[tuple[int, int, int], Fraction], label: int | None) -> Witness:
    rectangles = [
        [*grown(merged, mine, yours), which if label is None else label, as_text(value)]
        for (which, mine, yours), value in cover.items()
        if value
    ]
    return {"kind": "weighted-rectangles", "rectangles": rectangles}


def grown(merged: MergedMatrix, mine: int, yours: int) -> list[str]:
    """A rectangle of a merged matrix with all lines that are equal to its own, as witnesses store it."""
    sides = zip((mine, yours), (merged.row_class.tolist(), merged.column_class.tolist()), strict=True)
    return [f"{sum(1 << line for line, own in enumerate(classes) if mask >> own & 1):x}" for mask, classes in sides]
