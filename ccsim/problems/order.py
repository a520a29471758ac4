"""Problems about the order of numbers: greater-than and the median."""

from __future__ import annotations

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.problems.arrays import popcount
from ccsim.problems.bit_strings import of_two_strings
from ccsim.problems.function import TwoPartyFunction
from ccsim.problems.listed import Subsets


def greater_than(n: int) -> TwoPartyFunction:
    """GT_n: 1 iff x > y, for two strings of ``n`` bits read as binary numbers.

    D = n + 1 (Kushilevitz and Nisan 1997, chapter 1).

    >>> greater_than(3)("100", "011"), greater_than(3)("011", "011")
    (1, 0)
    """
    return of_two_strings("greater_than", n, lambda x, y: x > y, "1 iff x > y as numbers")


def median(n: int) -> TwoPartyFunction:
    """The lower median of two non-empty subsets of {0, ..., n-1}, taken together as a multiset.

    The lower median is the smallest m such that at least half of all elements, rounded up, are at most m;
    an element in both sets counts twice. The answers are the elements 0, ..., n-1, numbered as in the inputs.
    O(log n) bits are enough (Kushilevitz and Nisan 1997, chapter 1). The 2^n - 1 subsets
    are listed, so ``n`` is at most 22.

    >>> median(5)({0, 4}, {3, 4}), median(5)({0, 1}, {2, 3}), median(5)({2}, {2})
    (3, 1, 2)
    """
    n = require_integer("n", n, low=1, high=22)
    subsets = Subsets(n, range(1, n + 1))

    def evaluate(x: Array, y: Array) -> Array:
        total = popcount(x) + popcount(y)
        answer = np.zeros(total.shape, dtype=np.int8)
        for m in range(n - 1):
            up_to = (2 << m) - 1
            answer += 2 * (popcount(x & up_to) + popcount(y & up_to)) < total
        return answer

    note = "the lower median of the two sets together"
    return TwoPartyFunction(f"median({n})", (subsets, subsets), tuple(range(n)), evaluate, note=note)
