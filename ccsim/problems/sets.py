"""Problems about two sets: disjointness under both sign conventions, and the size of the intersection."""

from __future__ import annotations

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.problems.arrays import popcount
from ccsim.problems.bit_strings import of_two_strings
from ccsim.problems.function import TwoPartyFunction
from ccsim.problems.inputs import NUMBER_BITS
from ccsim.problems.listed import Subsets


def _disjoint(x: Array, y: Array) -> Array:
    return np.asarray((x & y) == 0, dtype=np.int8)


def _meet(x: Array, y: Array) -> Array:
    return np.asarray((x & y) != 0, dtype=np.int8)


def disjointness(n: int) -> TwoPartyFunction:
    """DISJ_n as in textbooks: 1 iff no position has a 1 in both of two strings of ``n`` bits.

    A string is the indicator of a subset of the ``n`` positions. D = n + 1 (Kushilevitz and Nisan 1997,
    chapter 1); Omega(n) bits are needed with randomness too (Kalyanasundaram and Schnitger 1992).
    :func:`intersection` is its negation, which several papers on transformers call DISJ.

    >>> disjointness(3)("101", "010"), disjointness(3)("101", "001")
    (1, 0)
    """
    return of_two_strings("disjointness", n, _disjoint, "1 iff the sets do not meet")


def intersection(n: int) -> TwoPartyFunction:
    """1 iff some position has a 1 in both of two strings of ``n`` bits: max_i x_i y_i.

    This is what Bhattamishra, Hahn, Blunsom and Kanade 2024 and Sanford, Hsu and Telgarsky 2023 call DISJ;
    :func:`disjointness` is its negation. D = n + 1.

    >>> intersection(3)("101", "010"), intersection(3)("101", "001")
    (0, 1)
    """
    return of_two_strings("intersection", n, lambda x, y: (x & y) != 0, "1 iff the sets meet")


def sparse_disjointness(n: int, k: int) -> TwoPartyFunction:
    """1 iff two subsets of {0, ..., n-1} of exactly ``k`` elements each do not meet.

    The deterministic cost is Theta(log C(n, k)) for k <= n/2, and O(k) bits are enough with public coins
    (Håstad and Wigderson 2007). ``n`` is at most 62, and the subsets are listed: at most 2^22 of them.

    >>> sparse_disjointness(5, 2)({0, 1}, {3, 4}), sparse_disjointness(5, 2)({0, 1}, {1, 4})
    (1, 0)
    """
    n = require_integer("n", n, low=1, high=NUMBER_BITS)
    k = require_integer("k", k, low=1, high=n)
    inputs = (Subsets(n, [k]),) * 2
    note = f"1 iff two {k}-subsets of {n} elements do not meet"
    return TwoPartyFunction(f"sparse_disjointness({n}, {k})", inputs, (0, 1), _disjoint, note=note)


def set_intersection_size(n: int) -> TwoPartyFunction:
    """How many positions have a 1 in both of two strings of ``n`` bits; the answers are 0, ..., n.

    D is n + ceil(log2(n + 1)) or one less (Tamm 1995).

    >>> set_intersection_size(4)("1101", "0111")
    2
    """
    n = require_integer("n", n, low=1)
    note = "the number of common elements"
    return of_two_strings("set_intersection_size", n, lambda x, y: popcount(x & y), note, tuple(range(n + 1)))
