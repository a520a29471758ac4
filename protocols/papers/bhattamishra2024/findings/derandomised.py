"""What is measured about nearly orthogonal vectors that are made without chance: by codes, or one by one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ccsim.claims import Finding
from protocols import constructions
from protocols.papers.growing import Looked, grown
from protocols.papers.plain import constructed

__all__ = ["by_conditional_expectations", "in_logarithmic_space"]

QUARTER = Fraction(1, 4)
PAIRS_UP_TO = 8  # bits of a number: all pairs of vectors are multiplied
SIGNS = 64  # of a vector, made one by one
DIFFERENCES_UP_TO = 16  # the words of all differences are looked at


def in_logarithmic_space(bits: int) -> Finding:
    """The signs of the code for 2^e vectors and products of at most a quarter."""
    sizes = [size for size in (4, 8, 16, 32, 64, 128, 256) if size < bits]
    return grown([*sizes, bits], _looked)


def _looked(bits: int) -> Looked:
    """The code for so many bits of a number: its words by definition, and how large their sums can be."""
    code, count = constructions.shortest_code(1 << bits, QUARTER), 1 << bits
    wrong, cases = _sign_faults(code, count), code.dimension
    most = code.dimension // 4
    if (proved := _proved(code)) > most:
        wrong.append(f"a sum of {proved} of {code.dimension} signs is not ruled out")
    if bits <= PAIRS_UP_TO:
        largest, cases = constructed.largest_products(code.rows(np.arange(1, count + 1)))[1], count * (count - 1) // 2
        wrong += [] if largest <= most else [f"a product of {largest} of {code.dimension} signs"]
    elif bits <= DIFFERENCES_UP_TO:
        cases = count - 1
        wrong += [] if code.largest_product <= most else [f"a word of sum {code.largest_product}"]
    return Looked(code.dimension, cases, cases, wrong)


def _proved(code: constructions.CodeAddresses) -> int:
    """The most that a word but 0 can add up to: all signs where a polynomial is 0, else a spelling of another value."""
    spelt = [sum(_spelt(value, mask) for mask in code.masks) for value in range(1, 1 << code.symbol)]
    zeros = -(-(code.count - 1).bit_length() // code.symbol) - 1
    return zeros * len(code.masks) + (code.points - zeros) * max(spelt)


def _spelt(value: int, mask: int) -> int:
    return 1 - 2 * ((value & mask).bit_count() & 1)


def _sign_faults(code: constructions.CodeAddresses, count: int) -> list[str]:
    """Some vectors sign by sign: a polynomial at each point, and a few bits of its value under each mask."""
    wrong, step = [], max(1, code.dimension // SIGNS)
    for number in {1, 2, count // 3 + 1, count}:
        values = [_value(code, number - 1, point) for point in range(code.points)]
        row = [_spelt(value, mask) for value in values for mask in code.masks]
        if [code.sign(number, place) for place in range(0, code.dimension, step)] != row[::step]:
            wrong.append(f"other signs in vector {number}")
        if count < 1 << 62 and code.rows([number])[0].tolist() != row:
            wrong.append(f"another vector {number}")
    return wrong


def _value(code: constructions.CodeAddresses, word: int, point: int) -> int:
    """A polynomial whose coefficients are the digits of a number, from the highest on."""
    digits = [word >> start & (1 << code.symbol) - 1 for start in range(0, max(1, word.bit_length()), code.symbol)]
    value = 0
    for digit in reversed(digits):
        value = _times(value, point, code.symbol) ^ digit
    return value


FIELDS = {2: 0b111, 3: 0b1011, 4: 0b10011, 5: 0b100101, 6: 0b1000011, 7: 0b10000011, 8: 0b100011101, 9: 0b1000010001}


def _times(a: int, b: int, symbol: int) -> int:
    """The product of two polynomials over GF(2), and its remainder."""
    product = 0
    for place in range(symbol):
        product ^= (a << place) * (b >> place & 1)
    for place in range(2 * symbol - 2, symbol - 1, -1):
        product ^= (FIELDS[symbol] << place - symbol) * (product >> place & 1)
    return product


def by_conditional_expectations(length: int, inverse: int) -> Finding:
    """The signs of so many vectors that are chosen one by one, every product looked at."""
    rows = constructions.conditional_vectors(length, Fraction(1, inverse))
    signs, pairs = rows.shape[1], length * (length - 1) // 2
    wrong = [] if rows.shape[0] == length and set(np.unique(rows)) <= {-1, 1} else ["not so many vectors of signs"]
    largest = constructed.largest_products(rows)[1]
    wrong += [] if largest * inverse <= signs else [f"a product of {largest} of {signs} signs"]
    facts = {"signs for a draw": constructions.hoeffding_dimension(length, Fraction(1, inverse))}
    return Finding(measured=signs, checked=pairs, of=pairs, violations=tuple(wrong), facts=facts)
