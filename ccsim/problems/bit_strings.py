"""Functions of two strings of equally many bits: what most textbook problems are."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from ccsim.errors import Array, require_integer
from ccsim.matrices import DONT_CARE
from ccsim.problems.function import MultipartyFunction, TwoPartyFunction
from ccsim.problems.inputs import BitStrings, Integers, Subsets, popcount


def of_two_strings(
    name: str, n: int, rule: Callable[[Array, Array], Any], note: str, answers: tuple[Hashable, ...] = (0, 1)
) -> TwoPartyFunction:
    """The function that ``rule`` gives the codes of, from two strings of ``n`` >= 1 bits as numbers."""
    n = require_integer("n", n, low=1)

    def evaluate(x: Array, y: Array) -> Array:
        codes = np.asarray(rule(x, y))
        return codes.astype(np.int8) if codes.dtype == bool else codes

    inputs = (BitStrings(n), BitStrings(n))
    return TwoPartyFunction(f"{name}({n})", inputs, answers, evaluate, note=note, returns="codes")


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


def inner_product(n: int) -> TwoPartyFunction:
    """IP_n: the sum of x_i y_i modulo 2, for two strings of ``n`` bits.

    D = n + 1, and Omega(n) bits are needed with randomness too (Chor and Goldreich 1988; Kushilevitz and
    Nisan 1997, chapter 3).

    >>> inner_product(3)("111", "110"), inner_product(3)("111", "010")
    (0, 1)
    """
    note = "the parity of the number of common ones"
    return of_two_strings("inner_product", n, lambda x, y: popcount(x & y) & 1, note)


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
