"""Partition numbers: the fewest disjoint monochromatic rectangles.

The v-partition number of f is the least number of monochromatic rectangles of answer v such that each v-cell lies
in exactly one. Free cells may lie in any number of rectangles: rectangles are disjoint on the promise. For total
Boolean functions it is the unambiguous cover number (the binary rank of the indicator matrix), at least its rank
over any field. Rectangles of different answers never share a promised cell, so for all answers together the
partition number is the sum; log2 of it is a lower bound on D.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from ccsim.bounds.bracket import Bracket, timed
from ccsim.bounds.rank import LARGE_PRIME, rank_witness
from ccsim.bounds.rectangles.cover import bracket_of
from ccsim.bounds.rectangles.covering import Sides, Steps
from ccsim.bounds.rectangles.settling import settle
from ccsim.problems.function import Subject, matrix_of

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
