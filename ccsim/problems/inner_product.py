"""The inner product modulo 2."""

from __future__ import annotations

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.problems.arrays import popcount
from ccsim.problems.function import TwoPartyFunction
from ccsim.problems.inputs import BitStrings

__all__ = ["inner_product"]


def inner_product(n: int) -> TwoPartyFunction:
    """IP_n: the sum of x_i y_i modulo 2, for two strings of ``n`` bits.

    D = n + 1, and Omega(n) bits are needed with randomness too (Chor and Goldreich 1988; Kushilevitz and
    Nisan 1997, chapter 3).

    >>> inner_product(3)("111", "110"), inner_product(3)("111", "010")
    (0, 1)
    """
    n = require_integer("n", n, low=1)

    def evaluate(x: Array, y: Array) -> Array:
        return popcount(x & y) & 1

    inputs = (BitStrings(n), BitStrings(n))
    note = "the parity of the number of common ones"
    return TwoPartyFunction(f"inner_product({n})", inputs, (0, 1), evaluate, note=note)
