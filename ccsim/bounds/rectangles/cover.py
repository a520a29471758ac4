"""Cover numbers and non-deterministic complexity.

The v-cover number of f is the least number of monochromatic rectangles of answer v that together contain every
v-cell; they may overlap, and use free cells. N^v(f) = ceil(log2 of it) (Kushilevitz and Nisan 1997, chapter 2).
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations, islice

import numpy as np

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.clock import Clock
from ccsim.bounds.rectangles.closed import Rectangle, code_of, members, present_codes, supports
from ccsim.bounds.rectangles.covering import Sides, StepOfSides, merged_sides
from ccsim.bounds.rectangles.settling import settle
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.function import Subject, matrix_of

Steps = Sequence[StepOfSides]
SOON = 0.1  # seconds for a crown before all else; a crown that there is shows at once


def cover_number(matrix: Subject, label: Hashable | None = None, *, time_limit: float | None = 60.0) -> Bracket:
    """The least number of monochromatic rectangles that cover all cells of a label.

    Args:
        matrix: total or partial; free cells need no rectangle and may be in any.
        label: the answer; None: the sum over all answers.
        time_limit: seconds; after that the bracket so far.

    Returns:
        A bracket in rectangles. Below: a fooling set, a crown, weights (the dual of the fractional cover, also in
        each of many cases), or a proof by a SAT solver; above: the rectangles.

    >>> print(cover_number(CommunicationMatrix.from_array(np.eye(8, dtype=int)), 0))
    cover = 5 rectangles (crown | rectangles)
    """
    matrix = matrix_of(matrix)
    return bracket_of(matrix, label, "cover", COVER_STEPS, time_limit)


def nondeterministic(matrix: Subject, label: Hashable = 1, *, time_limit: float | None = 60.0) -> Bracket:
    """N^label(f) = ceil(log2 of the cover number), in bits: a prover convinces both parties of this answer.

    >>> nondeterministic(CommunicationMatrix.from_array(np.eye(8, dtype=int)), 0).lower
    3
    """
    matrix = matrix_of(matrix)
    cover = cover_number(matrix, label, time_limit=time_limit)
    lower, upper = (
        {"kind": "bits-of", "measure": "cover", "given": {}, "of": witness} if witness else None
        for witness in (cover.lower_witness, cover.upper_witness)
    )
    bits = [max(int(value) - 1, 0).bit_length() for value in (cover.lower, cover.upper or 0)]
    return Bracket(
        "nondeterministic", bits[0], bits[1], cover.method, lower, upper, cover.parameters, "bits", cover.seconds
    )


def bracket_of(
    matrix: CommunicationMatrix, label: Hashable | None, measure: str, steps: Steps, time_limit: float | None
) -> Bracket:
    """The bracket of one answer, or of the sum over all that occur, sharing the time."""
    whole = Clock.within(time_limit)
    if label is not None:
        return last(brackets_of(matrix, code_of(matrix, label), measure, steps, whole))
    codes, found = present_codes(matrix), []
    for place, code in enumerate(codes):
        clock = Clock.within(whole.share(len(codes) - place))
        found.append(last(brackets_of(matrix, code, measure, steps, clock)))
    return sum_of(measure, found)


def brackets_of(matrix: CommunicationMatrix, code: int, measure: str, steps: Steps, clock: Clock) -> Iterator[Bracket]:
    """The bracket of one answer, better after each step; the clock is looked at between steps, too."""
    start = time.monotonic()
    parameters = {"code": code, "label": repr(matrix.labels[code])}
    for lower, below, upper, above, reason in merged_sides(matrix, code, measure, steps, clock):
        below, above = (witness or {"kind": "fooling-set", "cells": []} for witness in (below, above))
        method = " | ".join(str(side.get("of", side)["kind"]) for side in (below, above)) + reason
        seconds = time.monotonic() - start
        yield Bracket(measure, lower, upper, method, below, above, parameters, "rectangles", seconds)


def last(brackets: Iterator[Bracket]) -> Bracket:
    """The best one of them."""
    *_, best = brackets
    return best


def sum_of(measure: str, parts: Sequence[Bracket]) -> Bracket:
    """All answers together: rectangles of different answers are different."""
    lower, upper = sum(part.lower for part in parts), sum(part.upper or 0 for part in parts)
    present = [part for part in parts if part.upper]
    below: Witness = {"kind": "parts", "parts": [part.lower_witness for part in present]}
    above: Witness = {"kind": "parts", "parts": [part.upper_witness for part in present]}
    methods = [dict.fromkeys(part.method.split(" | ")[side] for part in parts) for side in (0, 1)]
    return Bracket(
        measure,
        lower,
        upper,
        " | ".join(" and ".join(one) or "no cell" for one in methods),
        below,
        above,
        {"code": None, "label": repr(None)},
        "rectangles",
        sum(part.seconds for part in parts),
    )


def _from_crown(sides: Sides) -> None:
    """A crown of m lines is covered by k rectangles: give row i a k/2-subset of k, and column i its complement."""
    crown = sides.crown(SOON)
    if not crown:
        return
    size = int(sides.lower)
    allowed = supports(sides.matrix, sides.code)
    subsets = list(islice(combinations(range(size), size // 2), len(crown)))
    rectangles = []
    for number in range(size if len(subsets) == len(crown) else 0):
        rows = sum(1 << row for (row, _), own in zip(crown, subsets, strict=True) if number in own)
        columns = -1
        for row in members(rows):
            columns &= allowed[row]
        if rows:
            rectangles.append(Rectangle(sum(1 << r for r, a in enumerate(allowed) if columns & ~a == 0), columns))
    _completed(sides, rectangles)


def _completed(sides: Sides, rectangles: list[Rectangle]) -> None:
    """Cover what is left greedily, and offer the whole."""
    allowed = supports(sides.matrix, sides.code)
    left = [sum(1 << int(c) for c in np.flatnonzero(line)) for line in sides.matrix.codes == sides.code]
    for rectangle in rectangles:
        _cross_out(left, rectangle)
    for row in range(len(left)):
        while left[row]:
            if len(rectangles) >= sides.upper or sides.clock.over:
                return
            columns, lowest = allowed[row], left[row] & -left[row]
            for other, mask in enumerate(allowed):
                both = columns & mask
                if mask & lowest and both & left[other] and 2 * both.bit_count() >= columns.bit_count():
                    columns = both
            rows = sum(1 << other for other, mask in enumerate(allowed) if columns & ~mask == 0)
            rectangles.append(Rectangle(rows, columns))
            _cross_out(left, rectangles[-1])
    sides.offer_rectangles(rectangles)


def _cross_out(left: list[int], rectangle: Rectangle) -> None:
    for row in members(rectangle.rows):
        left[row] &= ~rectangle.columns


def _greedily(sides: Sides) -> None:
    """A greedy cover, also of large matrices."""
    _completed(sides, [])


COVER_STEPS: Steps = (Sides.some_fooling, _greedily, _from_crown, settle)
"""From quick to slow; the first two are quick on every matrix."""
