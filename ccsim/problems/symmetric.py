"""Symmetric functions of all the bits that two parties hold together."""

from __future__ import annotations

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.problems.arrays import popcount
from ccsim.problems.function import TwoPartyFunction
from ccsim.problems.inputs import BitStrings

__all__ = ["majority", "parity"]


def parity(n: int) -> TwoPartyFunction:
    """The parity of all 2n bits of two strings of ``n`` bits: 1 iff the number of ones is odd.

    D = 2: each party tells the parity of its own bits.

    >>> parity(2)("10", "11"), parity(2)("11", "11")
    (1, 0)
    """
    n = require_integer("n", n, low=1)

    def evaluate(x: Array, y: Array) -> Array:
        return popcount(x ^ y) & 1

    inputs = (BitStrings(n), BitStrings(n))
    note = "1 iff the number of ones in x and y together is odd"
    return TwoPartyFunction(f"parity({n})", inputs, (0, 1), evaluate, note=note)


def majority(n: int) -> TwoPartyFunction:
    """1 iff strictly more than half of all 2n bits of two strings of ``n`` bits are ones.

    One party tells how many ones it has, the other answers: D <= ceil(log2(n + 1)) + 1.

    >>> majority(2)("11", "10"), majority(2)("11", "00")
    (1, 0)
    """
    n = require_integer("n", n, low=1)

    def evaluate(x: Array, y: Array) -> Array:
        return np.asarray(popcount(x) + popcount(y) > n, dtype=np.int8)

    inputs = (BitStrings(n), BitStrings(n))
    note = "1 iff more than half of the bits of x and y together are ones"
    return TwoPartyFunction(f"majority({n})", inputs, (0, 1), evaluate, note=note)
