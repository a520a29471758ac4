"""Cover numbers, partition numbers, and non-deterministic complexity.

The v-cover number of f is the least number of monochromatic rectangles of answer v that together contain every
v-cell; they may overlap, and use free cells. N^v(f) = ceil(log2 of it) (Kushilevitz and Nisan 1997, chapter 2).

The v-partition number is the least number of them such that each v-cell lies in exactly one. Free cells may lie in any
number of rectangles: rectangles are disjoint on the promise. For total Boolean functions it is the unambiguous cover
number (the binary rank of the indicator matrix), at least its rank over any field. Rectangles of different answers
never share a promised cell, so for all answers together the partition number is the sum; log2 of it is a lower bound
on D.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import combinations, islice

import numpy as np

from ccsim.bounds.bracket import Bracket, Open, Side, last_of, logarithm_of, timed, together
from ccsim.bounds.clock import Clock
from ccsim.bounds.rank import LARGE_PRIME, rank_witness
from ccsim.bounds.rationals import bits_for
from ccsim.bounds.rectangles.closed import Rectangle, code_of, members, present_codes, supports
from ccsim.bounds.rectangles.covering import Sides, Steps, brackets_of
from ccsim.bounds.rectangles.settling import settle
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.function import Subject, matrix_of

SOON = 0.1  # seconds for a crown before all else; a crown that there is shows at once


@timed
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


@timed
def nondeterministic(matrix: Subject, label: Hashable = 1, *, time_limit: float | None = 60.0) -> Bracket:
    """N^label(f) = ceil(log2 of the cover number), in bits: a prover convinces both parties of this answer.

    >>> nondeterministic(CommunicationMatrix.from_array(np.eye(8, dtype=int)), 0).lower
    3
    """
    matrix = matrix_of(matrix)
    cover = cover_number(matrix, label, time_limit=time_limit)
    below, above = (
        Side(bits_for(side.value or 0), side.by, logarithm_of("cover", side.witness))
        for side in (cover.below, cover.above)
    )
    return replace(cover, measure="nondeterministic", below=below, above=above, unit="bits")


def bracket_of(
    matrix: CommunicationMatrix, label: Hashable | None, measure: str, steps: Steps, time_limit: float | None
) -> Bracket:
    """The bracket of one answer, or of the sum over all that occur, sharing the time."""
    whole, found = Clock.within(time_limit), []
    codes = present_codes(matrix) if label is None else [code_of(matrix, label)]
    for place, code in enumerate(codes):
        clock = Clock.within(whole.share(len(codes) - place))
        best = last_of(brackets_of(matrix, code, measure, steps, clock))
        found.append(replace(best, open=Open.TIME if clock.over else Open.REACH))
    return sum_of(measure, found) if label is None else found[0]


def sum_of(measure: str, parts: Sequence[Bracket]) -> Bracket:
    """All answers together: rectangles of different answers are different."""
    return Bracket(
        measure,
        together(part.below for part in parts),
        together(part.above for part in parts),
        {"code": None, "label": repr(None)},
        "rectangles",
        open=next((part.open for part in parts if part.open and not part.exact), None),
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


COVER_STEPS: Steps = (Sides.some_fooling, lambda sides: _completed(sides, []), None, _from_crown, settle)
"""From quick to slow; those before None are quick on every matrix."""


FEW_LINES = 256  # up to which a checker can eliminate modulo a large prime
MOST_LINES = 2048  # and modulo a small one


@timed
def partition_number(matrix: Subject, label: Hashable | None = None, *, time_limit: float | None = 60.0) -> Bracket:
    """The fewest disjoint monochromatic rectangles that contain all cells of a label.

    Args:
        matrix: total or partial.
        label: the answer; None: all answers together, the sum.
        time_limit: seconds; after that the bracket so far.

    Returns:
        A bracket in rectangles. Below: rank modulo a prime (total functions), a fooling set, or a proof by a SAT
        solver; above: the rectangles.

    >>> cycle = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]]
    >>> print(partition_number(cycle, 1))
    partition = 4 rectangles (fooling-set | rectangles)
    """
    matrix = matrix_of(matrix)
    return bracket_of(matrix, label, "partition", PARTITION_STEPS, time_limit)


def _rank(sides: Sides) -> None:
    """The rank of the indicator over three fields, on pivot rows and columns."""
    if not sides.matrix.is_total or max(sides.matrix.shape) > MOST_LINES:
        return
    indicator = (sides.matrix.codes == sides.code).astype(np.int64)
    primes = (2, 3, LARGE_PRIME) if min(sides.matrix.shape) <= FEW_LINES else (2, 3)
    best = max((rank_witness(indicator, prime) for prime in primes), key=lambda found: found.rank)
    rows, columns = list(best.rows), list(best.columns)
    sides.offer("lower", {"kind": "pivots", "prime": best.prime, "rows": rows, "columns": columns})


PARTITION_STEPS: Steps = (_rank, None, Sides.some_fooling, settle)
"""From quick to slow."""
