"""Equality: do two parties, or three, hold the same string?"""

from __future__ import annotations

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.problems.bit_strings import of_two_strings
from ccsim.problems.function import MultipartyFunction, TwoPartyFunction
from ccsim.problems.inputs import BitStrings


def equality(n: int) -> TwoPartyFunction:
    """EQ_n: 1 iff x = y, for two strings of ``n`` bits.

    Both parties learn the answer at a cost of exactly D = n + 1 bits; with public coins and constant error
    O(1) bits are enough (Kushilevitz and Nisan 1997, chapters 1 and 3).

    >>> equality(2).matrix.codes.tolist()
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    """
    return of_two_strings("equality", n, lambda x, y: x == y, "1 iff x = y")


def equality_of_three(n: int) -> MultipartyFunction:
    """1 iff x = y = z, for three strings of ``n`` bits, held by Alice, Bob and Carol.

    >>> equality_of_three(2)("01", "01", "01"), equality_of_three(2)("01", "01", "11")
    (1, 0)
    """
    n = require_integer("n", n, low=1)

    def evaluate(x: Array, y: Array, z: Array) -> Array:
        return np.asarray((x == y) & (y == z), dtype=np.int8)

    parties = ("alice", "bob", "carol")
    return MultipartyFunction(f"equality_of_three({n})", (BitStrings(n),) * 3, (0, 1), evaluate, parties, "x = y = z")
