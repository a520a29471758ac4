"""Nearly orthogonal vectors of signs without chance: by conditional expectations, and by codes in logarithmic space.

Lemma 2 of Bhattamishra, Hahn, Blunsom and Kanade 2024 draws signs at random; for its models the i-th vector is to be
made in logarithmic space and polynomial time, for which a derandomisation of the Johnson-Lindenstrauss lemma is cited
(Sivakumar 2002). Two ways are built here, both with every step proved in ``docs/proofs/derandomised_vectors.md``:

- *conditional expectations*: sign after sign of the next vector is chosen so that the expected number of earlier
  vectors with too large a product does not rise. It starts below 1, so it ends at 0. All earlier vectors must be kept;
- *a code of small bias*: the words of a Reed-Solomon code over 2^m symbols, each symbol spelt by a short code whose
  words are about balanced. The product of two vectors is the sum of the word of their difference, and no word but 0
  has a large sum. A sign is made from i and its place, with some words of log N bits in memory and no seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np

from ccsim.errors import Array, InputError, require_integer
from protocols.constructions.addresses import least_dimension, require_numbers, require_share

MOST_SYMBOL = 9  # bits of a symbol: a field of 512 elements
FIELDS = (0, 0, 7, 11, 19, 37, 67, 131, 285, 529)  # irreducible polynomials over GF(2) by degree, as bit masks
MOST_SPELT = 300  # signs that spell a symbol
BLOCK = 1 << 12  # words at once
SPELLINGS = ("balanced", "biorthogonal")


def conditional_dimension(count: int, bound: Fraction) -> int:
    """The least k for which fewer than 2^k of all sequences of k signs, times count - 1, have a sum above bound * k.

    >>> conditional_dimension(256, Fraction(1, 4))
    104
    """
    return least_dimension(require_integer("count", count, low=1) - 1, require_share(bound))


def conditional_vectors(count: int, bound: Fraction) -> Array:
    """That many vectors of so few signs, no two with a product above the bound times their length: shape (count, k).

    >>> vectors = conditional_vectors(16, Fraction(1, 4))
    >>> products = vectors @ vectors.T - vectors.shape[1] * np.eye(16, dtype=int)
    >>> vectors.shape, int(products.max()) <= vectors.shape[1] // 4
    ((16, 32), True)
    """
    k = conditional_dimension(count, bound)
    most = int(k * require_share(bound) // 1)
    above = _chances(k, most)
    found = np.ones((count, k), dtype=np.int64)
    for number in range(1, count):
        earlier, sums = found[:number], np.zeros(number, dtype=np.int64)
        for place in range(k):
            column = earlier[:, place]
            plus, minus = (above[k - place - 1][sums + sign * column + k].sum() for sign in (1, -1))
            found[number, place] = 1 if plus <= minus else -1
            sums += found[number, place] * column
        if sums.max() > most:
            raise ArithmeticError(f"vector {number + 1} has a product of {sums.max()} of {k}")
    return found


def _chances(length: int, most: int) -> list[Array]:
    """Entry [left][sum + length]: how likely ``left`` more signs bring a sum above ``most``. These floats only lead."""
    sums = np.arange(-length, length + 1)
    found = [(sums > most).astype(np.float64)]
    for _ in range(length):
        last = np.concatenate([[0.0], found[-1], [1.0]])
        found.append((last[:-2] + last[2:]) / 2)
    return found


@dataclass(frozen=True)
class CodeAddresses:
    """The words of a Reed-Solomon code, each symbol spelt in signs, as addresses: no seed, and no table of vectors.

    The digits of i - 1 to base 2^m are the coefficients of a polynomial over the field of 2^m elements. Its values at
    ``points`` elements are spelt one after the other: sign j of a symbol is 1 if its bits under mask j are even in
    number.

    Attributes:
        count: how many vectors are meant, numbered from 1.
        symbol: m, the bits of a symbol.
        points: at how many elements the polynomials are evaluated, at most 2^m.
        masks: one of m bits for each sign that spells a symbol.

    >>> vectors = shortest_code(1 << 16, Fraction(1, 4), "biorthogonal")
    >>> vectors.dimension, vectors.largest_product, vectors.proved_product
    (96, 24, 24)
    """

    count: int
    symbol: int
    points: int
    masks: tuple[int, ...] = field(repr=False)

    def __post_init__(self) -> None:
        require_integer("count", self.count, low=1)
        require_integer("symbol", self.symbol, low=2, high=MOST_SYMBOL)
        require_integer("points", self.points, low=self.digits, high=1 << self.symbol)

    @property
    def spelt(self) -> int:
        """How many signs spell a symbol."""
        return len(self.masks)

    @property
    def digits(self) -> int:
        """How many coefficients a polynomial has."""
        return max(1, -(-(self.count - 1).bit_length() // self.symbol))

    @property
    def dimension(self) -> int:
        """How many signs a vector has."""
        return self.points * self.spelt

    @property
    def seed_bits(self) -> int:
        """There is no seed."""
        return 0

    @property
    def proved_product(self) -> int:
        """No product of two different vectors is larger: polynomials agree at fewer points than they have digits."""
        heaviest = int(spelt_signs(self.symbol, self.masks)[1:].sum(axis=1).max())
        agree = self.digits - 1
        return agree * self.spelt + (self.points - agree) * heaviest

    @property
    def largest_product(self) -> int:
        """The largest product of two different vectors, by looking at the word of each difference."""
        return max((int(sums.max()) for sums in self._differences()), default=0)

    @property
    def least_product(self) -> int:
        """The least one."""
        return min((int(sums.min()) for sums in self._differences()), default=0)

    def _differences(self) -> Iterator[Array]:
        """The sums of the words of all numbers but 0 that are differences: those with as many bits as the numbers."""
        sums, words = spelt_signs(self.symbol, self.masks).sum(axis=1), 1 << (self.count - 1).bit_length()
        for start in range(1, words, BLOCK):
            yield sums[self.values(np.arange(start, min(start + BLOCK, words)))].sum(axis=1)

    def values(self, words: Array) -> Array:
        """The symbols of the words with these numbers, counted from 0: shape (words, points)."""
        times = products_of_field(self.symbol)
        found = np.zeros((len(words), self.points), dtype=np.int64)
        for digit in reversed(range(self.digits)):
            coefficient = words >> self.symbol * digit & (1 << self.symbol) - 1
            found = times[found, np.arange(self.points)] ^ coefficient[:, None]
        return found

    def rows(self, numbers: Any) -> Array:
        """The vectors with these numbers, int64 of shape (..., dimension)."""
        numbers = require_numbers(numbers, self.count)
        values = self.values(numbers.ravel() - 1)
        return np.asarray(spelt_signs(self.symbol, self.masks)[values].reshape(*numbers.shape, -1))


def shortest_code(count: int, bound: Fraction, spelling: str = "balanced") -> CodeAddresses:
    """The addresses of this kind with the fewest signs of which the proof says that no product is above the bound.

    Args:
        count: how many vectors.
        bound: on products, in parts of the length.
        spelling: ``"balanced"``, for which the signs are O(log count) however large it is; or ``"biorthogonal"``, where
            m bits are spelt by 2^(m - 1) signs with no sum above 0: fewer signs for any count that is met.

    >>> shortest_code(1 << 16, Fraction(1, 4)).dimension
    2453
    """
    limit, count = require_share(bound), require_integer("count", count, low=2)
    if spelling not in SPELLINGS:
        raise InputError("spelling", spelling, f"one of {', '.join(SPELLINGS)}")
    best: tuple[int, ...] = ()
    for symbol in range(2, MOST_SYMBOL + 1):
        agree = -(-(count - 1).bit_length() // symbol) - 1
        for spelt in (1 << symbol - 1,) if spelling == "biorthogonal" else range(1, MOST_SPELT):
            most = 0 if spelling == "biorthogonal" else balanced_bound(symbol, spelt)
            left = limit * spelt - most
            if left > 0:
                points = max(agree + 1, -(-agree * (spelt - most) // left))
                if points <= 1 << symbol and (not best or points * spelt < best[0]):
                    best = (int(points * spelt), symbol, int(points), spelt)
    if not best:
        raise InputError("bound", bound, f"one that symbols of {MOST_SYMBOL} bits keep for {count} vectors")
    _, symbol, points, spelt = best
    if spelling == "balanced":
        return CodeAddresses(count, symbol, points, balanced_masks(symbol, spelt))
    # Only the symbols 0 and 1 are not balanced; 1 has all signs -1.
    return CodeAddresses(count, symbol, points, tuple(2 * place + 1 for place in range(spelt)))


@cache
def balanced_bound(symbol: int, spelt: int) -> int:
    """The least B such that fewer than 2^k of all sequences of k signs, times 2^m - 1, have a sum above B."""
    heavy, ones = 0, spelt
    while ones >= 0 and (heavy + comb(spelt, ones)) * ((1 << symbol) - 1) < 1 << spelt:
        heavy, ones = heavy + comb(spelt, ones), ones - 1
    return 2 * ones - spelt


@cache
def balanced_masks(symbol: int, spelt: int) -> tuple[int, ...]:
    """Masks of m bits, such that the signs of every word but 0 under them have a sum of at most the bound.

    Mask after mask is the one for which the expected number of words with a larger sum is least, were the rest drawn.
    """
    size, most, found = 1 << symbol, balanced_bound(symbol, spelt), list[int]()
    sums, above = np.zeros(size, dtype=np.int64), _chances(spelt, most)
    parities = spelt_signs(symbol, tuple(range(size)))
    for place in range(spelt):
        chances = above[spelt - place - 1]
        change = chances[np.minimum(sums + 1 + spelt, 2 * spelt)] - chances[np.maximum(sums - 1 + spelt, 0)]
        mask = int((parities[:, 1:] @ change[1:]).argmin())
        found.append(mask)
        sums += parities[:, mask]
    if int(sums[1:].max()) > most:
        raise ArithmeticError(f"a word of sum {sums[1:].max()} of {spelt}, above {most}")
    return tuple(found)


@cache
def spelt_signs(symbol: int, masks: tuple[int, ...]) -> Array:
    """For each symbol the signs that spell it."""
    bits = np.bitwise_count(np.arange(1 << symbol)[:, None] & np.array(masks)[None, :]).astype(np.int64)
    return np.asarray(1 - 2 * (bits & 1))


@cache
def products_of_field(symbol: int) -> Array:
    """The table of products in the field of 2^m elements."""
    size = 1 << symbol
    found, shifted = np.zeros((size, size), dtype=np.int64), np.arange(size)
    for bit in range(symbol):
        found ^= np.where(np.arange(size) >> bit & 1, shifted[:, None], 0)
        shifted = shifted << 1
        shifted = np.where(shifted >> symbol & 1, shifted ^ FIELDS[symbol], shifted)
    return found
