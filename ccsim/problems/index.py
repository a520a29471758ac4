"""Index: one party holds a string, the other a position in it."""

from __future__ import annotations

from ccsim.arguments import require_integer
from ccsim.problems.function import TwoPartyFunction
from ccsim.problems.inputs import BitStrings, Integers


def index(n: int) -> TwoPartyFunction:
    """INDEX_n: the bit a_i, where Alice holds a string a of ``n`` bits and Bob a position i in 1..n.

    One message from Alice to Bob needs exactly n bits, since the 2^n rows are all different; a message from
    Bob and an answer from Alice take ceil(log2 n) + 1 bits (Kremer, Nisan and Ron 1999).

    >>> index(4)("0100", 2), index(4)("0100", 3)
    (1, 0)
    """
    n = require_integer("n", n, low=1)
    inputs = (BitStrings(n), Integers(n, low=1))
    return TwoPartyFunction(f"index({n})", inputs, (0, 1), lambda a, i: (a >> (n - i)) & 1, note="bit number y of x")
