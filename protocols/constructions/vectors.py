"""Nearly orthogonal vectors of signs, the i-th of which is made on demand, and the dimension that they need.

Attention finds a position by its address: a vector of k signs, whose product with itself is k and with every other
address much less. Random signs do, for k of order log N / g^2 (Bhattamishra, Hahn, Blunsom and Kanade 2024, lemma 2 and
corollary 8.1). Sign j of vector i is one bit of a hash of (seed, i, j), so a vector needs a few 64-bit registers and no
table. Addresses of the same seed are prefixes of each other in both directions: more vectors, or more signs.

The hash is the finaliser of SplitMix64 (Steele, Lea and Flood 2014), modulo 2^64 throughout::

    z = seed * 0x9E3779B97F4A7C15 + i * 0xBF58476D1CE4E5B9 + floor(j / 64) * 0x94D049BB133111EB
    twice:  z = (z xor z >> 30) * 0xBF58476D1CE4E5B9;  z = (z xor z >> 27) * 0x94D049BB133111EB;  z = z xor z >> 31

and sign j is 1 if bit j mod 64 of z, counted from the least, is 1, else -1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Protocol

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.errors import InputError

WORD = (1 << 64) - 1
OF_SEED, OF_VECTOR, OF_BLOCK = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
ROWS = 1 << 11  # how many vectors are multiplied with all others at once
FIRST_ROWS = 1 << 6
MOST_KNOWN = 1 << 10  # how many pairs that were outside are remembered
EXACT_DIMENSION = 1 << 24  # sums of fewer signs are exact in float32, in whatever order they are added up


class Addresses(Protocol):
    """One vector of signs for each number 1, 2, ..., count, all different."""

    @property
    def count(self) -> int:
        """How many there are."""

    @property
    def dimension(self) -> int:
        """How many signs each has."""

    @property
    def seed_bits(self) -> int:
        """How many bits describe the rule that makes them."""

    @property
    def largest_product(self) -> int:
        """The largest product of two different ones, an integer."""

    @property
    def least_product(self) -> int:
        """The least product of two different ones."""

    def rows(self, numbers: Any) -> Array:
        """The vectors with these numbers, int64 of shape (..., dimension)."""


@dataclass(frozen=True)
class SignVectors:
    """Seeded vectors of signs; divided by sqrt(k) they are unit vectors with entries ±1/sqrt(k).

    Attributes:
        count: how many vectors are meant, numbered from 1.
        dimension: k, how many signs each has.
        seed: from 0 to 2^64 - 1.

    >>> vectors = SignVectors(count=8, dimension=12, seed=0)
    >>> vectors.sign(3, 0), vectors.rows([3])[0, :4].tolist(), vectors.largest_product
    (-1, [-1, -1, 1, -1], 6)
    """

    count: int
    dimension: int
    seed: int = 0

    def __post_init__(self) -> None:
        require_integer("count", self.count, low=1, high=1 << 32)
        require_integer("dimension", self.dimension, low=1, high=EXACT_DIMENSION - 1)
        require_integer("seed", self.seed, low=0, high=WORD)

    @property
    def seed_bits(self) -> int:
        """The seed is a word of 64 bits."""
        return 64

    def sign(self, number: int, place: int) -> int:
        """Sign ``place``, counted from 0, of a vector: by integers alone, in logarithmic space."""
        number = require_integer("number", number, low=1, high=self.count)
        place = require_integer("place", place, low=0, high=self.dimension - 1)
        z = self.seed * OF_SEED + number * OF_VECTOR + place // 64 * OF_BLOCK & WORD
        for _ in range(2):
            z = (z ^ z >> 30) * OF_VECTOR & WORD
            z = (z ^ z >> 27) * OF_BLOCK & WORD
            z ^= z >> 31
        return 2 * (z >> place % 64 & 1) - 1

    def rows(self, numbers: Any) -> Array:
        """The vectors with these numbers, int64 of shape (..., dimension)."""
        numbers = np.asarray(numbers, dtype=np.int64)
        if numbers.size and (int(numbers.min()) < 1 or int(numbers.max()) > self.count):
            raise InputError("numbers", numbers, f"numbers from 1 to {self.count}")
        blocks = np.arange(-(-self.dimension // 64), dtype=np.uint64)
        z = numbers.astype(np.uint64)[..., None] * np.uint64(OF_VECTOR) + blocks * np.uint64(OF_BLOCK)
        z += np.uint64(self.seed * OF_SEED & WORD)
        for _ in range(2):
            z = (z ^ z >> np.uint64(30)) * np.uint64(OF_VECTOR)
            z = (z ^ z >> np.uint64(27)) * np.uint64(OF_BLOCK)
            z ^= z >> np.uint64(31)
        bits = z[..., None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
        flat = bits.reshape(*numbers.shape, -1)[..., : self.dimension]
        return np.asarray(2 * flat.astype(np.int64) - 1)

    def within(self, bound: Fraction | int, two_sided: bool = False) -> bool:
        """Whether every product of two different vectors is at most bound * dimension, in magnitude if two-sided.

        Decided in integers; stops at the first block of vectors that fails.
        """
        return self._first_outside(Fraction(bound), two_sided) is None

    def _first_outside(self, bound: Fraction, two_sided: bool) -> tuple[Array, Array] | None:
        """Pairs of numbers with too large a product: all those of the first block that has any."""
        most = int(self.dimension * bound // 1)  # products are integers, so the floor compares as the bound does
        for start, products in self._products():
            wrong = (products > most) | (products < -most) if two_sided else products > most
            if wrong.any():
                later, earlier = np.nonzero(np.tril(wrong, start - 1))
                return later + start + 1, earlier + 1
        return None

    @cached_property
    def largest_product(self) -> int:
        """The largest product of two different vectors; 0 if there is only one."""
        return max((int(products.max()) for _, products in self._products()), default=0)

    @cached_property
    def least_product(self) -> int:
        """The least product of two different vectors; 0 if there is only one."""
        return min((int(products.min()) for _, products in self._products()), default=0)

    def _products(self) -> Iterator[tuple[int, Array]]:
        """Blocks of vectors: how many come before, and the product of each of the block with each before it.

        Rows are filled up with products that occur in them.
        """
        signs = self._floats
        start, size = 1, FIRST_ROWS
        while start < self.count:
            stop = min(start + size, self.count)
            block = signs[start:stop]
            products = block @ signs[:stop].T
            for row in range(len(block)):
                products[row, start + row :] = products[row, 0]
            yield start, products
            start, size = stop, min(2 * size, ROWS)

    @cached_property
    def _floats(self) -> Array:
        return self.rows(np.arange(1, self.count + 1)).astype(np.float32)


@dataclass(frozen=True)
class BinaryAddresses:
    """The shortest addresses: the binary digits of i - 1 as signs. Products are at most k - 2, far from orthogonal.

    They make a model narrower and its queries larger; see :func:`protocols.constructions.growth_table`.

    >>> BinaryAddresses(5).rows([1, 5]).tolist(), BinaryAddresses(5).largest_product
    ([[-1, -1, -1], [-1, -1, 1]], 1)
    """

    count: int

    def __post_init__(self) -> None:
        require_integer("count", self.count, low=1, high=1 << 32)

    @property
    def dimension(self) -> int:
        """ceiling(log2 count), at least 1."""
        return max(1, (self.count - 1).bit_length())

    @property
    def seed_bits(self) -> int:
        """There is no seed."""
        return 0

    @property
    def largest_product(self) -> int:
        """Neighbours differ in one digit."""
        return self.dimension - 2 if self.count > 1 else 0

    @property
    def least_product(self) -> int:
        """All digits differ for 0 and 2^k - 1, if there are so many numbers; -k is a bound in any case."""
        return -self.dimension if self.count > 1 else 0

    def rows(self, numbers: Any) -> Array:
        """The vectors with these numbers, int64 of shape (..., dimension)."""
        numbers = np.asarray(numbers, dtype=np.int64)
        if numbers.size and (int(numbers.min()) < 1 or int(numbers.max()) > self.count):
            raise InputError("numbers", numbers, f"numbers from 1 to {self.count}")
        return np.asarray(2 * (numbers[..., None] - 1 >> np.arange(self.dimension) & 1) - 1)


def smallest_sign_vectors(
    count: int, bound: Fraction | float = Fraction(1, 2), *, seeds: Iterable[int] = (0,), two_sided: bool = False
) -> SignVectors:
    """The vectors of least dimension, among these seeds, of which no two have a product above bound * dimension.

    With ``two_sided`` no product is below -bound * dimension either. Every dimension from 1 on is tried, so for these
    seeds it is the least; each is checked on all pairs, in integers.

    >>> smallest_sign_vectors(64, Fraction(1, 4), seeds=range(4))
    SignVectors(count=64, dimension=125, seed=2)
    """
    count = require_integer("count", count, low=1, high=1 << 20)
    limit = Fraction(bound)
    if not 0 < limit < 1:
        raise InputError("bound", bound, "a number between 0 and 1")
    return _smallest(count, limit, tuple(seeds), two_sided)


@lru_cache(maxsize=256)
def _smallest(count: int, bound: Fraction, seeds: tuple[int, ...], two_sided: bool) -> SignVectors:
    if not seeds:
        raise InputError("seeds", seeds, "one or more seeds")
    found = [_smallest_of_seed(count, bound, seed, two_sided) for seed in seeds]
    return min(found, key=lambda vectors: vectors.dimension)


def _smallest_of_seed(count: int, bound: Fraction, seed: int, two_sided: bool) -> SignVectors:
    """Dimensions in which a pair known from before is outside are passed over, the others are checked on all pairs."""
    dimension, known = 1, np.empty((2, 0), dtype=np.int64)
    while True:
        vectors = SignVectors(count, dimension, seed)
        outside = vectors._first_outside(bound, two_sided)
        if outside is None:
            return vectors
        known = np.hstack([known, np.array(outside)[:, :MOST_KNOWN]])[:, -MOST_KNOWN:]
        dimension = _next_dimension(dimension + 1, known, bound, seed, two_sided)


def _next_dimension(dimension: int, pairs: Array, bound: Fraction, seed: int, two_sided: bool) -> int:
    """The least dimension, from this one on, in which none of these pairs is outside."""
    while True:
        wide = SignVectors(int(pairs.max()), dimension + 63, seed)
        products = np.cumsum(wide.rows(pairs[0]) * wide.rows(pairs[1]), axis=1)[:, dimension - 1 :]
        most = np.array([int(place * bound // 1) for place in range(dimension, dimension + 64)])
        wrong = (np.abs(products) if two_sided else products) > most
        inside = np.flatnonzero(~wrong.any(axis=0))
        if inside.size:
            return dimension + int(inside[0])
        dimension += 64
