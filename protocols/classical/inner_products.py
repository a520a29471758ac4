"""Inner products with random strings: the fingerprint that public coins give to a string.

Two different strings have the same inner product modulo 2 with a uniformly random string with probability
exactly 1/2, because the inner product of their difference with it is a fair coin
(Kushilevitz and Nisan 1997, chapter 3).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ccsim.arrays import Array
from ccsim.problems.arrays import popcount

__all__ = ["inner_products", "strings_of"]


def strings_of(outcome: int, length: int, count: int) -> list[int]:
    """An outcome of ``length * count`` coins as ``count`` strings of ``length`` bits, written as numbers.

    The first string is the most significant part of the outcome.

    >>> strings_of(0b0111, 2, 2)
    [1, 3]
    """
    mask = (1 << length) - 1
    return [(outcome >> (length * place)) & mask for place in range(count - 1, -1, -1)]


def inner_products(numbers: Array, strings: Sequence[int]) -> Array:
    """Row i, column j: the inner product modulo 2 of the bits of number i and of string j, as int8.

    >>> inner_products(np.array([0b11, 0b10]), [0b01, 0b11]).tolist()
    [[1, 0], [0, 1]]
    """
    products = np.empty((len(numbers), len(strings)), dtype=np.int8)
    for place, string in enumerate(strings):
        products[:, place] = popcount(numbers & string) & 1
    return products
