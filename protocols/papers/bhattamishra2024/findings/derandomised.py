"""What is measured about nearly orthogonal vectors that are made without chance: by codes, or one by one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ccsim.claims import Finding
from protocols import constructions
from protocols.papers.checks import Looked, grown

__all__ = ["by_conditional_expectations", "in_logarithmic_space"]

QUARTER = Fraction(1, 4)
DIFFERENCES_UP_TO = 16  # the words of all differences are looked at


def in_logarithmic_space(bits: int) -> Finding:
    """The signs of the code for 2^e vectors and products of at most a quarter."""
    sizes = [size for size in (4, 8, 16, 32, 64, 128, 256) if size < bits]
    return grown([*sizes, bits], _looked)


def _looked(bits: int) -> Looked:
    """The code for so many bits of a number, and how large the sums of its words can be."""
    code, count = constructions.shortest_code(1 << bits, QUARTER), 1 << bits
    most, largest, cases = code.dimension // 4, _proved(code), code.dimension
    if bits <= DIFFERENCES_UP_TO:
        largest, cases = max(largest, code.largest_product), count - 1
    return Looked(code.dimension, cases, cases, [f"a word of sum {largest}"] if largest > most else [])


def _proved(code: constructions.CodeAddresses) -> int:
    """The most that a word but 0 can add up to: all signs where a polynomial is 0, else a spelling of another value."""
    spelt = [sum(_spelt(value, mask) for mask in code.masks) for value in range(1, 1 << code.symbol)]
    zeros = -(-(code.count - 1).bit_length() // code.symbol) - 1
    return zeros * len(code.masks) + (code.points - zeros) * max(spelt)


def _spelt(value: int, mask: int) -> int:
    return 1 - 2 * ((value & mask).bit_count() & 1)


def by_conditional_expectations(length: int, inverse: int) -> Finding:
    """The signs of so many vectors that are chosen one by one, every product looked at."""
    rows = constructions.conditional_vectors(length, Fraction(1, inverse))
    signs, pairs = rows.shape[1], length * (length - 1) // 2
    wrong = [] if rows.shape[0] == length and set(np.unique(rows)) <= {-1, 1} else ["not so many vectors of signs"]
    products = rows.astype(np.int64) @ rows.T.astype(np.int64)
    largest = int(products[~np.eye(length, dtype=bool)].max())
    wrong += [] if largest * inverse <= signs else [f"a product of {largest} of {signs} signs"]
    facts = {"signs for a draw": constructions.hoeffding_dimension(length, Fraction(1, inverse))}
    return Finding(measured=signs, checked=pairs, of=pairs, violations=tuple(wrong), facts=facts)
