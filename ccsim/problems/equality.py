"""Equality: do the two parties hold the same string?"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.problems.arguments import require_integer
from ccsim.problems.function import TwoPartyFunction
from ccsim.problems.inputs import BitStrings

__all__ = ["equality"]

Array = npt.NDArray[Any]


def equality(n: int) -> TwoPartyFunction:
    """EQ_n: 1 iff x = y, for two strings of ``n`` bits.

    Both parties learn the answer at a cost of exactly D = n + 1 bits; with public coins and constant error
    O(1) bits are enough (Kushilevitz and Nisan 1997, chapters 1 and 3).

    >>> equality(2).matrix.codes.tolist()
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    """
    n = require_integer("n", n, low=1)

    def evaluate(x: Array, y: Array) -> Array:
        return np.asarray(x == y, dtype=np.int8)

    return TwoPartyFunction(f"equality({n})", (BitStrings(n), BitStrings(n)), (0, 1), evaluate, note="1 iff x = y")
