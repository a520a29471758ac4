"""Cover numbers and non-deterministic complexity.

The v-cover number of f is the least number of monochromatic rectangles of answer v that together contain every
v-cell; they may overlap, and use free cells. N^v(f) = ceil(log2 of it) (Kushilevitz and Nisan 1997, chapter 2).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable

import numpy as np

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.closed import Rectangle, code_of, maximal_rectangles, members, present_codes, supports
from ccsim.bounds.covering import Sides, fewest_by_integer_program, merged_sides
from ccsim.matrices import CommunicationMatrix

__all__ = ["cover_number", "nondeterministic"]

Solve = Callable[[CommunicationMatrix, int, float | None], Sides]
LISTED = 5_000  # maximal rectangles that an integer program may choose from


def cover_number(
    matrix: CommunicationMatrix, label: Hashable | None = None, *, time_limit: float | None = 60.0
) -> Bracket:
    """The least number of monochromatic rectangles that cover all cells of a label.

    Args:
        matrix: total or partial; free cells need no rectangle and may be in any.
        label: the answer; None: the sum over all answers.
        time_limit: seconds; after that the bracket so far.

    Returns:
        A bracket in rectangles. Below: a fooling set, a crown, weights (the dual of the fractional cover), or a
        branching proof; above: the rectangles.

    >>> print(cover_number(CommunicationMatrix.from_array(np.eye(8, dtype=int)), 0))
    cover = 5 rectangles (crown | rectangles)
    """
    return bracket_of(matrix, label, "cover", _solve, time_limit)


def nondeterministic(matrix: CommunicationMatrix, label: Hashable = 1, *, time_limit: float | None = 60.0) -> Bracket:
    """N^label(f) = ceil(log2 of the cover number), in bits: a prover convinces both parties of this answer.

    >>> nondeterministic(CommunicationMatrix.from_array(np.eye(8, dtype=int)), 0).lower
    3
    """
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
    matrix: CommunicationMatrix, label: Hashable | None, measure: str, solve: Solve, time_limit: float | None
) -> Bracket:
    """The bracket of one answer, or of the sum over all that occur, sharing the time."""
    start = time.monotonic()
    codes = present_codes(matrix) if label is None else [code_of(matrix, label)]
    lower = upper = 0
    pieces: tuple[list[Witness], list[Witness]] = ([], [])
    kinds: tuple[list[str], list[str]] = ([], [])
    for place, code in enumerate(codes):
        now = time.monotonic()
        deadline = None if time_limit is None else now + (start + time_limit - now) / (len(codes) - place)
        found = merged_sides(matrix, lambda small, code=code, end=deadline: solve(small, code, end))
        for side, witness in enumerate((found[1], found[3])):
            witness = witness or {"kind": "fooling-set", "cells": []}
            pieces[side].append(witness)
            kinds[side].append(str(witness.get("of", witness)["kind"]))
        lower, upper = lower + found[0], upper + found[2]
    witnesses: list[Witness] = [{"kind": "parts", "parts": side} for side in pieces]
    if label is not None:
        witnesses = [side[0] for side in pieces]
    method = " | ".join(" and ".join(dict.fromkeys(side)) or "no cell" for side in kinds)
    parameters = {"code": None if label is None else codes[0], "label": repr(label)}
    seconds = time.monotonic() - start
    return Bracket(measure, lower, upper, method, witnesses[0], witnesses[1], parameters, "rectangles", seconds)


def _solve(matrix: CommunicationMatrix, code: int, deadline: float | None) -> Sides:
    sides = Sides(matrix, code, "cover", deadline)
    sides.lines()
    steps: tuple[Callable[[Sides], None], ...] = (Sides.fooling, _from_crown, _from_maximal, Sides.branch)
    for step in steps:
        if not sides.closed:
            step(sides)
    return sides


def _from_crown(sides: Sides) -> None:
    """A crown of m lines is covered by k rectangles: give row i a k/2-subset of k, and column i its complement."""
    crown = sides.crown()
    if not crown:
        return
    size = int(sides.lower)
    allowed = supports(sides.matrix, sides.code)
    subsets = [mask for mask in range(1 << size) if mask.bit_count() == size // 2]
    rectangles = []
    for bit in range(size if len(subsets) >= len(crown) else 0):
        rows = sum(1 << row for (row, _), own in zip(crown, subsets, strict=False) if own >> bit & 1)
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


def _from_maximal(sides: Sides) -> None:
    """Integer program over the maximal rectangles for the upper side, its linear dual for the lower."""
    label = sides.matrix.labels[sides.code]
    rectangles, complete = maximal_rectangles(sides.matrix, label, LISTED)
    _completed(sides, [])
    if not complete:
        return
    sides.fractional(rectangles)
    if not sides.closed:
        cells = [(r, c) for r, c in np.argwhere(sides.matrix.codes == sides.code).tolist()]
        found = fewest_by_integer_program(rectangles, cells, False, sides.seconds(30.0))
        if found:
            sides.offer_rectangles(found)
