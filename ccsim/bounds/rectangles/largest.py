"""Largest monochromatic rectangles, by number of cells or by weight: exact, or bracketed within the time.

Branch and bound over the rows of the smaller side as bit masks, best bound first, so that a search that is stopped
still has a proved upper bound: the largest bound among the nodes that are open. (The problem is maximum-edge
biclique, NP-hard: Peeters, Discrete Applied Mathematics 131, 2003.)
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Hashable, Sequence
from typing import Any

import lazy_loader as lazy
import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.rectangles.closed import Rectangle, code_of, present_codes, supports
from ccsim.certificates.verify import check
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.subject import Subject, matrix_of

networkx = lazy.load("networkx")

__all__ = ["heaviest", "largest_rectangle"]

Array = npt.NDArray[Any]
NODES = 60_000  # a checker may take 200,000 steps; one node here is at most two of its own


def largest_rectangle(
    matrix: Subject,
    label: Hashable | None = None,
    *,
    weights: str | Sequence[Sequence[int]] | Array = "label",
    time_limit: float | None = None,
) -> Bracket:
    """The weight of a heaviest monochromatic rectangle.

    Args:
        matrix: the function. Free cells may lie in a rectangle of any label.
        label: of this answer; None: of any.
        weights: ``"label"``: the number of cells with the label (free cells count nothing); ``"all"``: the number
            of all cells, free ones too; or a table of integers >= 0, one per cell (a distribution times its common
            denominator).
        time_limit: seconds.

    Returns:
        A bracket in cells (or in units of the weights); below, the rectangle; above, a bound that a search of the
        checker's own repeats, or a matching of cells that no rectangle may contain.

    >>> largest_rectangle(CommunicationMatrix.from_array([[1, 1, 0], [1, 1, 1]]), 1).lower
    4
    """
    matrix = matrix_of(matrix)
    start = time.monotonic()
    deadline = None if time_limit is None else start + time_limit
    if isinstance(weights, str):
        if weights not in ("label", "all"):
            raise InputError("weights", weights, "'label', 'all', or a table of integers")
        given: Any = weights
    else:
        table = np.asarray(weights, dtype=object)
        if table.shape != matrix.shape or any(int(w) != w or not 0 <= w < 1 << 63 for w in table.ravel()):
            raise InputError("weights", weights, f"a {matrix.shape} table of integers >= 0")
        given = [[int(weight) for weight in row] for row in table]
    codes = (present_codes(matrix) or [0]) if label is None else [code_of(matrix, label)]
    parts = [_of_code(matrix, code, given, deadline) for code in codes]
    parameters = {"code": None if label is None else codes[0], "label": repr(label), "weights": given}
    unit = "cells" if isinstance(given, str) else "weight"
    seconds = time.monotonic() - start
    best = max(parts, key=lambda part: part[0])
    upper = max(part[2] for part in parts)
    lower, above = parts[0][1], parts[0][3]
    if label is None:
        lower, above = ({"kind": "parts", "parts": [part[place] for part in parts]} for place in (1, 3))
    method = f"branch and bound | {' and '.join(dict.fromkeys(part[3]['kind'] for part in parts))}"
    return Bracket("rectangle", best[0], upper, method, lower, above, parameters, unit, seconds)


def _of_code(
    matrix: CommunicationMatrix, code: int, given: Any, deadline: float | None
) -> tuple[int, Witness, int, Witness]:
    """Lower bound and witness, upper bound and witness, for one answer."""
    codes = matrix.codes
    inside = (codes == code) | (codes == DONT_CARE)
    if isinstance(given, str):
        weights = (inside if given == "all" else codes == code).astype(np.int64).tolist()
    else:
        weights = np.where(inside, np.array(given, dtype=object), 0).tolist()
    allowed = supports(matrix, code)
    value, best, bound = heaviest(allowed, weights, matrix.shape[1], deadline)
    lower = {"kind": "rectangle", "rectangle": best.as_data()}
    upper: Witness = {"kind": "rectangle-search", "at_most": bound}
    parameters = {"code": code, "weights": given}
    table = codes.tolist()
    if check(table, "rectangle", "lower", parameters, lower) != value:
        raise AssertionError("a rectangle of another weight")
    if check(table, "rectangle", "upper", parameters, upper) != bound:
        raise AssertionError("an upper bound that does not check")
    return value, lower, bound, upper


def heaviest(
    allowed: list[int], weights: list[list[int]], width: int, deadline: float | None = None, nodes: int = NODES
) -> tuple[int, Rectangle, int]:
    """A heavy rectangle, and a proved upper bound on the weight of every rectangle; equal if the search ends.

    Args:
        allowed: per row, the columns that a rectangle may use in it.
        weights: a table of integers >= 0, zero off the allowed cells.
        width: the number of columns.
        deadline: ``time.monotonic()`` after which to stop.
        nodes: at most so many steps.
    """
    planes = [
        [
            (bit, sum(1 << c for c, weight in enumerate(row) if weight >> bit & 1))
            for bit in range(max(row).bit_length())
        ]
        for row in weights
    ]

    def gain(row: int, columns: int) -> int:
        return sum((columns & plane).bit_count() << bit for bit, plane in planes[row])

    def weigh(columns: int) -> tuple[int, Rectangle]:
        rows = [row for row in range(len(allowed)) if columns & ~allowed[row] == 0]
        return sum(gain(row, columns) for row in rows), Rectangle(sum(1 << row for row in rows), columns)

    value, best = _climb(allowed, weigh)
    heap: list[tuple[int, int, list[int], int]] = [
        (-sum(map(sum, weights)), 0, list(range(len(allowed))), (1 << width) - 1)
    ]
    count = 0
    while heap and -heap[0][0] > value:
        if count >= nodes or (deadline is not None and time.monotonic() > deadline):
            return value, best, -heap[0][0]
        _, _, rows, columns = heapq.heappop(heap)
        gains = {row: gain(row, columns) for row in rows}
        heavy = 0
        for row in rows:
            for _, plane in planes[row]:
                heavy |= plane
        columns &= heavy
        undecided = [(gains[row], -row) for row in rows if columns & ~allowed[row]]
        if not undecided:
            value, best = max((value, best), weigh(columns))
            continue
        row = -max(undecided)[1]
        for lines, width_left in (
            ([other for other in rows if other != row], columns),
            (rows, columns & allowed[row]),
        ):
            left = {other: gain(other, width_left) for other in lines}
            bound = sum(left.values())
            if bound > value:
                count += 1
                heapq.heappush(heap, (-bound, -count, [other for other in lines if left[other]], width_left))
    return value, best, value


def _climb(allowed: list[int], weigh: Any) -> tuple[int, Rectangle]:
    """From each row, take in the row that helps most while it helps."""
    best: tuple[int, Rectangle] = (0, Rectangle(0, 0))
    for first in allowed[:64]:
        here = weigh(first)
        while True:
            outside = [row for row in range(len(allowed)) if not here[0] or not here[1].rows >> row & 1]
            step = max((weigh(here[1].columns & allowed[row]) for row in outside[:64]), default=here)
            if step[0] <= here[0]:
                break
            here = step
        best = max(best, here)
    return best
