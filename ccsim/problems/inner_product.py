"""The inner product modulo 2."""

from __future__ import annotations

from ccsim.problems.arrays import popcount
from ccsim.problems.bit_strings import of_two_strings
from ccsim.problems.function import TwoPartyFunction


def inner_product(n: int) -> TwoPartyFunction:
    """IP_n: the sum of x_i y_i modulo 2, for two strings of ``n`` bits.

    D = n + 1, and Omega(n) bits are needed with randomness too (Chor and Goldreich 1988; Kushilevitz and
    Nisan 1997, chapter 3).

    >>> inner_product(3)("111", "110"), inner_product(3)("111", "010")
    (0, 1)
    """
    note = "the parity of the number of common ones"
    return of_two_strings("inner_product", n, lambda x, y: popcount(x & y) & 1, note)
