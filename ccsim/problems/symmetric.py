"""Symmetric functions of all the bits that two parties hold together."""

from __future__ import annotations

from ccsim.problems.arrays import popcount
from ccsim.problems.bit_strings import of_two_strings
from ccsim.problems.function import TwoPartyFunction


def parity(n: int) -> TwoPartyFunction:
    """The parity of all 2n bits of two strings of ``n`` bits: 1 iff the number of ones is odd.

    D = 2: each party tells the parity of its own bits.

    >>> parity(2)("10", "11"), parity(2)("11", "11")
    (1, 0)
    """
    note = "1 iff the number of ones in x and y together is odd"
    return of_two_strings("parity", n, lambda x, y: popcount(x ^ y) & 1, note)


def majority(n: int) -> TwoPartyFunction:
    """1 iff strictly more than half of all 2n bits of two strings of ``n`` bits are ones.

    One party tells how many ones it has, the other answers: D <= ceil(log2(n + 1)) + 1.

    >>> majority(2)("11", "10"), majority(2)("11", "00")
    (1, 0)
    """
    note = "1 iff more than half of the bits of x and y together are ones"
    return of_two_strings("majority", n, lambda x, y: popcount(x) + popcount(y) > n, note)
