"""Hamming distance, exactly and with a gap."""

from __future__ import annotations

import math

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.matrices import DONT_CARE
from ccsim.problems.arrays import popcount
from ccsim.problems.bit_strings import of_two_strings
from ccsim.problems.function import TwoPartyFunction
from ccsim.problems.inputs import BitStrings


def hamming_distance(n: int) -> TwoPartyFunction:
    """In how many places two strings of ``n`` bits differ; the answers are 0, ..., n.

    The pairs (x, x) are a fooling set for the answer 0, so D >= n.

    >>> hamming_distance(4)("0011", "1010")
    2
    """
    n = require_integer("n", n, low=1)
    note = "the number of places that differ"
    return of_two_strings("hamming_distance", n, lambda x, y: popcount(x ^ y), note, tuple(range(n + 1)))


def gap_hamming(n: int, gap: int | None = None) -> TwoPartyFunction:
    """GHD: 1 if the distance of two strings of ``n`` >= 2 bits is at least n/2 + gap, 0 if at most n/2 - gap.

    Every other pair is outside the promise. The gap is from 1 to n/2; the default is ceil(sqrt n), the case
    that needs Omega(n) bits with randomness too (Chakrabarti and Regev 2012), or n // 2 where this is
    smaller.

    >>> gap_hamming(4)("0000", "1111"), gap_hamming(4)("0000", "0000"), gap_hamming(4)("0000", "0111")
    (1, 0, None)
    """
    n = require_integer("n", n, low=2)
    if gap is None:
        gap = min(math.isqrt(n - 1) + 1, n // 2)
    gap = require_integer("gap", gap, low=1, high=n // 2)

    def evaluate(x: Array, y: Array) -> Array:
        twice = 2 * popcount(x ^ y)
        return np.where(twice >= n + 2 * gap, 1, np.where(twice <= n - 2 * gap, 0, DONT_CARE)).astype(np.int8)

    inputs = (BitStrings(n), BitStrings(n))
    note = f"1 if the distance is at least n/2 + {gap}, 0 if it is at most n/2 - {gap}"
    return TwoPartyFunction(f"gap_hamming({n}, {gap})", inputs, (0, 1), evaluate, note=note)
