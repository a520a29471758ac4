"""Vectors that positions are found by: points of the circle, nearly orthogonal signs, and their dual vectors.

An address has k signs: its product with itself is k and with others at most g k, for k of order log N / g^2. *Random
signs* (Bhattamishra, Hahn, Blunsom and Kanade 2024, lemma 2 and corollary 8.1): over k, a product is a mean of k
independent signs, and P[mean >= g] <= exp(-k g^2 / 2) (Hoeffding 1963), so half of the printed k = (8 / g^2) ln 2N do.
*Conditional expectations* and *codes of small bias* need no seed, where the paper cites a derandomised lemma (Sivakumar
2002); they are proved in ``docs/proofs/derandomised_vectors.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from math import comb
from typing import Any, ClassVar, Protocol

import numpy as np

from ccsim import lazy
from ccsim.arithmetic import exact_matmul, narrow
from ccsim.errors import Array, InputError, require_integer
from ccsim.models.attention import positive_rational

flint = lazy.load("flint")

WORD = (1 << 64) - 1
OF_SEED, OF_VECTOR, OF_BLOCK = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
ROWS = 1 << 11  # how many vectors are multiplied with all others at once
FIRST_ROWS = 1 << 6
MOST_KNOWN = 1 << 10  # how many pairs that were outside are remembered
EXACT_DIMENSION = 1 << 24  # sums of fewer signs are exact in float32, in whatever order they are added up
ROUNDS = 200  # of the search for dual vectors
NEAR = 1e-9  # the search's idea of equality; its result is checked in rationals
MOST_SYMBOL = 9  # bits of a symbol: a field of 512 elements
FIELDS = (0, 0, 7, 11, 19, 37, 67, 131, 285, 529)  # irreducible polynomials over GF(2) by degree, as bit masks
MOST_SPELT = 300  # signs that spell a symbol
WORDS = 1 << 12  # words at once

RATIONAL_COSINES = {
    Fraction(0): Fraction(1),
    Fraction(1, 6): Fraction(1, 2),
    Fraction(1, 4): Fraction(0),
    Fraction(1, 3): Fraction(-1, 2),
    Fraction(1, 2): Fraction(-1),
}
"""Of parts of a full turn up to one half; the cosine of no other rational part is rational (Niven 1956)."""


@lru_cache(maxsize=64)
def circle_points(count: int, scale: int) -> Array:
    """cos and sin of 2 pi x / count times scale, to the nearest, halves away from 0: shape (count, 2)."""
    count, scale = require_integer("count", count, low=1), require_integer("scale", scale, low=1)
    shifts = 0, Fraction(1, 4)
    points = [[_cosine(Fraction(place, count) - shift, scale) for shift in shifts] for place in range(count)]
    table = np.array(points, dtype=np.int64)
    table.setflags(write=False)
    return table


def _cosine(turns: Fraction, scale: int) -> int:
    turns %= 1
    turns = min(turns, 1 - turns)
    if turns > Fraction(1, 4):
        return -_cosine(Fraction(1, 2) - turns, scale)
    known = RATIONAL_COSINES.get(turns)
    if known is not None:
        return int((2 * known * scale + 1) // 2)
    angle = flint.fmpq(2 * turns.numerator, turns.denominator)
    return _unique(lambda: (flint.arb.cos_pi_fmpq(angle) * scale + flint.arb(1) / 2).floor())  # noqa: PLW0108


def least_integer_above(number: Any) -> int:
    """The least integer not below an irrational number, given as a function that computes an interval for it."""
    return _unique(lambda: number().ceil())


def natural_logarithm(number: Fraction | int) -> Any:
    """An interval around ln of a positive number, as narrow as the precision of the moment allows."""
    number = Fraction(number)
    return flint.arb(flint.fmpq(number.numerator, number.denominator)).log()


def _unique(interval: Any) -> int:
    before, bits = flint.ctx.prec, 64
    try:
        while bits <= 1 << 14:
            flint.ctx.prec = bits
            integer = interval().unique_fmpz()
            if integer is not None:
                return int(integer)
            bits *= 2
    finally:
        flint.ctx.prec = before
    raise InputError("number", interval, "an irrational number")


def lemma_dimension(count: int, bound: Fraction | float) -> int:
    """The printed k = (8 / g^2) ln 2N, rounded up.

    >>> lemma_dimension(1024, Fraction(1, 4))
    976
    """
    count, limit = require_integer("count", count, low=1), require_share(bound)
    return above_logarithm(8 / limit**2, 2 * count)


def hoeffding_dimension(count: int, bound: Fraction | float) -> int:
    """The least k with N(N-1)/2 exp(-k g^2 / 2) < 1: for it, some N vectors have no product above g k.

    >>> hoeffding_dimension(1024, Fraction(1, 4))
    422
    """
    count, limit = require_integer("count", count, low=1), require_share(bound)
    return above_logarithm(2 / limit**2, comb(count, 2)) if count > 2 else 1


def union_dimension(count: int, bound: Fraction | float) -> int:
    """The least k for which the exact expected number of pairs with a product above g k is below 1.

    >>> union_dimension(1024, Fraction(1, 4))
    333
    """
    return least_dimension(comb(require_integer("count", count, low=1), 2), require_share(bound))


def least_dimension(times: int, bound: Fraction) -> int:
    """The least k for which fewer than 2^k of all sequences of k signs, so many times, have a sum above bound * k."""
    dimension = 1
    while heavy(dimension, int(dimension * bound // 1)) * times >= 1 << dimension:
        dimension += 1
    return dimension


@cache
def heavy(length: int, most: int) -> int:
    return sum(comb(length, ones) for ones in range((length + most) // 2 + 1, length + 1))


def require_share(bound: Fraction | float) -> Fraction:
    limit = positive_rational("bound", bound)
    if limit >= 1:
        raise InputError("bound", bound, "a number between 0 and 1")
    return limit


def above_logarithm(factor: Fraction, argument: int) -> int:
    """The least integer above factor * ln(argument), which is irrational for arguments of at least 2."""
    exact = flint.fmpq(factor.numerator, factor.denominator)
    return least_integer_above(lambda: natural_logarithm(argument) * exact)


class Addresses(Protocol):
    """Different vectors of signs for 1, ..., count; products are of two different ones, ``seed_bits`` make the rule."""

    @property
    def count(self) -> int: ...

    @property
    def dimension(self) -> int: ...

    @property
    def seed_bits(self) -> int: ...

    @property
    def largest_product(self) -> int: ...

    @property
    def least_product(self) -> int: ...

    def rows(self, numbers: Any) -> Array:
        """The vectors with these numbers, int64 of shape (..., dimension)."""


def require_numbers(numbers: Any, count: int) -> Array:
    given: Array = np.asarray(numbers, dtype=np.int64)
    if given.size and (int(given.min()) < 1 or int(given.max()) > count):
        raise InputError("numbers", numbers, f"numbers from 1 to {count}")
    return given


@dataclass(frozen=True)
class SignVectors:
    """Seeded vectors of signs; divided by sqrt(k) they are unit vectors with entries ±1/sqrt(k).

    Sign j of vector i is 1 if bit j mod 64, from the least, of a hash of (seed, i, j div 64) is 1: there is no table,
    and vectors of one seed are prefixes of each other in both directions. The hash is the finaliser of SplitMix64
    (Steele, Lea and Flood 2014) mod 2^64::

        z = seed * 0x9E3779B97F4A7C15 + i * 0xBF58476D1CE4E5B9 + floor(j / 64) * 0x94D049BB133111EB
        twice:  z = (z xor z >> 30) * 0xBF58476D1CE4E5B9;  z = (z xor z >> 27) * 0x94D049BB133111EB;  z ^= z >> 31

    Attributes:
        count: how many vectors are meant, numbered from 1.
        dimension: k, how many signs each has.
        seed: from 0 to 2^64 - 1.

    >>> vectors = SignVectors(count=8, dimension=12, seed=0)
    >>> vectors.rows([3])[0, :4].tolist(), vectors.largest_product
    ([-1, -1, 1, -1], 6)
    """

    count: int
    dimension: int
    seed: int = 0
    seed_bits: ClassVar[int] = 64

    def __post_init__(self) -> None:
        require_integer("count", self.count, low=1, high=1 << 32)
        require_integer("dimension", self.dimension, low=1, high=EXACT_DIMENSION - 1)
        require_integer("seed", self.seed, low=0, high=WORD)

    def rows(self, numbers: Any) -> Array:
        """The vectors with these numbers, int64 of shape (..., dimension)."""
        numbers = require_numbers(numbers, self.count)
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
        """Whether every product of two different vectors is at most bound * dimension, in magnitude if two-sided."""
        return self._first_outside(Fraction(bound), two_sided) is None

    def _first_outside(self, bound: Fraction, two_sided: bool) -> tuple[Array, Array] | None:
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
        """Blocks: how many vectors come before, and products with all before, filled up with products of the row."""
        signs = self.rows(np.arange(1, self.count + 1)).astype(np.float32)
        start, size = 1, FIRST_ROWS
        while start < self.count:
            stop = min(start + size, self.count)
            block = signs[start:stop]
            products = block @ signs[:stop].T
            for row in range(len(block)):
                products[row, start + row :] = products[row, 0]
            yield start, products
            start, size = stop, min(2 * size, ROWS)


@dataclass(frozen=True)
class BinaryAddresses:
    """The shortest addresses: the binary digits of i - 1 as signs. Products are at most k - 2, far from orthogonal.

    They make a model narrower and its queries larger; see :func:`protocols.constructions.growth_table`.

    Args:
        count: how many addresses there are.

    >>> BinaryAddresses(5).rows([1, 5]).tolist(), BinaryAddresses(5).largest_product
    ([[-1, -1, -1], [-1, -1, 1]], 1)
    """

    count: int
    seed_bits: ClassVar[int] = 0

    def __post_init__(self) -> None:
        require_integer("count", self.count, low=1, high=1 << 32)

    @property
    def dimension(self) -> int:
        """ceiling(log2 count), at least 1."""
        return max(1, (self.count - 1).bit_length())

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
        numbers = require_numbers(numbers, self.count)
        return np.asarray(2 * (numbers[..., None] - 1 >> np.arange(self.dimension) & 1) - 1)


def smallest_sign_vectors(
    count: int, bound: Fraction | float = Fraction(1, 2), *, seed: int = 0, two_sided: bool = False
) -> SignVectors:
    """The vectors of least dimension, of this seed, of which no two have a product above bound * dimension.

    With ``two_sided`` nor below -bound * dimension. Every dimension from 1 on is checked on all pairs, in integers.

    >>> min((smallest_sign_vectors(64, Fraction(1, 4), seed=seed) for seed in range(4)), key=lambda v: v.dimension)
    SignVectors(count=64, dimension=125, seed=2)
    """
    count = require_integer("count", count, low=1, high=1 << 20)
    return _smallest(count, require_share(bound), seed, two_sided)


@lru_cache(maxsize=256)
def _smallest(count: int, bound: Fraction, seed: int, two_sided: bool) -> SignVectors:
    dimension, known = 1, np.empty((2, 0), dtype=np.int64)
    while True:
        vectors = SignVectors(count, dimension, seed)
        outside = vectors._first_outside(bound, two_sided)
        if outside is None:
            return vectors
        known = np.hstack([known, np.array(outside)[:, :MOST_KNOWN]])[:, -MOST_KNOWN:]
        dimension = _next_dimension(dimension + 1, known, bound, seed, two_sided)


def _next_dimension(dimension: int, pairs: Array, bound: Fraction, seed: int, two_sided: bool) -> int:
    while True:
        wide = SignVectors(int(pairs.max()), dimension + 63, seed)
        products = np.cumsum(wide.rows(pairs[0]) * wide.rows(pairs[1]), axis=1)[:, dimension - 1 :]
        most = np.array([int(place * bound // 1) for place in range(dimension, dimension + 64)])
        wrong = (np.abs(products) if two_sided else products) > most
        inside = np.flatnonzero(~wrong.any(axis=0))
        if inside.size:
            return dimension + int(inside[0])
        dimension += 64


@dataclass(frozen=True, eq=False)
class DualVector:
    """The sum of numerators[k] / denominator times vector support[k]; ``norm`` is m times its squared length."""

    subset: tuple[int, ...]
    support: tuple[int, ...]
    numerators: tuple[int, ...]
    denominator: int
    norm: Fraction


@dataclass(frozen=True, eq=False)
class DualVectors:
    """Dual vectors of the subsets of vectors of signs, found by a search in floating point and proved in rationals.

    With u_i the signs of vector i over sqrt(m) and w = sqrt(m) v, all products <u_i, w> are rational. Vector v is the
    shortest with product 1 on the subset and at most 1/2 elsewhere, which an active-set search finds. Its length is at
    most 2 sqrt(q) / sqrt(m) where the vectors have the restricted isometry and orthogonality property (q, 1/4) (Candes
    and Tao 2005), which is only asked of each subset alone here.

    >>> duals = DualVectors(SignVectors(count=16, dimension=24, seed=0))
    >>> dual = duals.of((2, 3, 7))
    >>> dual.support[:3], dual.norm <= 4 * 3
    ((2, 3, 7), True)
    """

    vectors: SignVectors
    _duals: dict[tuple[int, ...], DualVector] = field(init=False, default_factory=dict, repr=False)

    @cached_property
    def signs(self) -> Array:
        """All vectors of signs, shape (count, dimension)."""
        return self.vectors.rows(np.arange(1, self.vectors.count + 1))

    @cached_property
    def products(self) -> Array:
        """The products of all vectors, shape (count, count)."""
        return exact_matmul(self.signs, self.signs.T)

    def of(self, subset: Sequence[int]) -> DualVector:
        """The dual vector of a subset of the numbers 1 .. count, at most 2 sqrt(q) long for q of them.

        Raises :class:`~ccsim.errors.InputError` if the search has none: the dimension is too small for this subset.
        """
        key = tuple(sorted({int(number) for number in subset}))
        if not key or key[0] < 1 or key[-1] > self.vectors.count:
            raise InputError("subset", subset, f"some of the numbers 1 .. {self.vectors.count}")
        if key not in self._duals:
            support = self._search([number - 1 for number in key])
            dual = None if support is None else self._prove(key, support)
            if dual is None:
                raise InputError("dimension", self.vectors.dimension, f"enough signs for a dual vector of {key}")
            self._duals[key] = dual
        return self._duals[key]

    def scaled(self, subset: Sequence[int], factor: int) -> Array:
        """The dual vector v of a subset times an integer, each entry rounded to the nearest; int64 (dimension,)."""
        dual = self.of(subset)
        rows = self.signs[np.array(dual.support) - 1].astype(object)
        sums = np.array(dual.numerators, dtype=object) @ rows
        return narrow((2 * factor * sums + dual.denominator) // (2 * dual.denominator))

    def _search(self, subset: list[int]) -> list[int] | None:
        reached: list[int] = []
        inside = set(subset)
        for _ in range(ROUNDS):
            support = subset + reached
            wanted = np.array([1.0] * len(subset) + [0.5] * len(reached))
            try:
                weights = np.linalg.solve(self.products[np.ix_(support, support)].astype(np.float64), wanted)
            except np.linalg.LinAlgError:
                return None
            products = self.products[:, support] @ weights
            pulling = {place for place, weight in zip(reached, weights[len(subset) :], strict=True) if weight > NEAR}
            above = [int(place) for place in np.flatnonzero(products > 0.5 + NEAR) if place not in inside]
            above = sorted(set(above) - set(reached), key=lambda place: -products[place])
            if not pulling and not above:
                return support
            # One vector alone comes in, or some that pull the wrong way go out.
            reached = [place for place in reached if place not in pulling] + above[:2]
        return None

    def _prove(self, subset: tuple[int, ...], support: list[int]) -> DualVector | None:
        """The exact combination with product 1 on the subset and 1/2 on the rest of the support, if it is a dual."""
        gram = self.products[np.ix_(support, support)]
        wanted = [[2 if place < len(subset) else 1] for place in range(len(support))]
        try:
            solution: Any = flint.fmpz_mat(gram.tolist()).solve(flint.fmpz_mat(wanted))
        except ZeroDivisionError:
            return None
        numerators, denominator = solution.numer_denom()
        weights, whole = [int(numerators[place, 0]) for place in range(len(support))], 2 * int(denominator)
        column = np.array(weights, dtype=object)
        products = self.products[:, support].astype(object) @ column
        members = np.zeros(self.vectors.count, dtype=bool)
        members[np.array(subset) - 1] = True
        if not (products[members] == whole).all() or not (2 * products[~members] <= whole).all():
            return None
        norm = Fraction(self.vectors.dimension * int(column @ gram.astype(object) @ column), whole**2)
        numbers = tuple(place + 1 for place in support)
        return DualVector(subset, numbers, tuple(weights), whole, norm) if norm <= 4 * len(subset) else None


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
    vectors = np.ones((count, k), dtype=np.int64)
    for number in range(1, count):
        earlier, sums = vectors[:number], np.zeros(number, dtype=np.int64)
        for place in range(k):
            column = earlier[:, place]
            plus, minus = (above[k - place - 1][sums + sign * column + k].sum() for sign in (1, -1))
            vectors[number, place] = 1 if plus <= minus else -1
            sums += vectors[number, place] * column
        if sums.max() > most:
            raise ArithmeticError(f"vector {number + 1} has a product of {sums.max()} of {k}")
    return vectors


def _chances(length: int, most: int) -> list[Array]:
    """[left][sum + length]: the chance that ``left`` more signs bring a sum above ``most`` (a guide in floats)."""
    chances = [(np.arange(-length, length + 1) > most).astype(np.float64)]
    for _ in range(length):
        last = np.concatenate([[0.0], chances[-1], [1.0]])
        chances.append((last[:-2] + last[2:]) / 2)
    return chances


@dataclass(frozen=True)
class CodeAddresses:
    """The words of a Reed-Solomon code, each symbol spelt in signs, as addresses: no seed, and no table of vectors.

    The digits of i - 1 to base 2^m are the coefficients of a polynomial over the field of 2^m elements. Its values at
    ``points`` elements are spelt: sign j of a symbol is 1 if its bits under mask j are even in number.

    Attributes:
        count: how many vectors are meant, numbered from 1.
        symbol: m, the bits of a symbol.
        points: at how many elements the polynomials are evaluated, at most 2^m.
        masks: one of m bits for each sign that spells a symbol.

    >>> vectors = shortest_code(1 << 16, Fraction(1, 4))
    >>> vectors.dimension, vectors.proved_product
    (2453, 613)
    """

    count: int
    symbol: int
    points: int
    masks: tuple[int, ...] = field(repr=False)
    seed_bits: ClassVar[int] = 0

    def __post_init__(self) -> None:
        require_integer("count", self.count, low=1)
        require_integer("symbol", self.symbol, low=2, high=MOST_SYMBOL)
        require_integer("points", self.points, low=self.digits, high=1 << self.symbol)

    @property
    def digits(self) -> int:
        """How many coefficients a polynomial has."""
        return max(1, -(-(self.count - 1).bit_length() // self.symbol))

    @property
    def dimension(self) -> int:
        """How many signs a vector has."""
        return self.points * len(self.masks)

    @property
    def proved_product(self) -> int:
        """No product of two different vectors is larger: polynomials agree at fewer points than they have digits."""
        heaviest = int(spelt_signs(self.symbol, self.masks)[1:].sum(axis=1).max())
        agree = self.digits - 1
        return agree * len(self.masks) + (self.points - agree) * heaviest

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
        for start in range(1, words, WORDS):
            yield sums[self.values(np.arange(start, min(start + WORDS, words)))].sum(axis=1)

    def values(self, words: Array) -> Array:
        """The symbols of the words with these numbers, counted from 0: shape (words, points)."""
        times = products_of_field(self.symbol)
        values = np.zeros((len(words), self.points), dtype=np.int64)
        for digit in reversed(range(self.digits)):
            coefficient = words >> self.symbol * digit & (1 << self.symbol) - 1
            values = times[values, np.arange(self.points)] ^ coefficient[:, None]
        return values

    def rows(self, numbers: Any) -> Array:
        """The vectors with these numbers, int64 of shape (..., dimension)."""
        numbers = require_numbers(numbers, self.count)
        values = self.values(numbers.ravel() - 1)
        return np.asarray(spelt_signs(self.symbol, self.masks)[values].reshape(*numbers.shape, -1))


def shortest_code(count: int, bound: Fraction) -> CodeAddresses:
    """The addresses of balanced words with the fewest signs, O(log count), whose products are proved within the bound.

    Args:
        count: how many vectors.
        bound: on products, in parts of the length.

    >>> shortest_code(1 << 16, Fraction(1, 4)).dimension
    2453
    """
    limit, count = require_share(bound), require_integer("count", count, low=2)
    best: tuple[int, ...] = ()
    for symbol in range(2, MOST_SYMBOL + 1):
        agree = -(-(count - 1).bit_length() // symbol) - 1
        for spelt in range(1, MOST_SPELT):
            most = balanced_bound(symbol, spelt)
            left = limit * spelt - most
            if left > 0:
                points = max(agree + 1, -(-agree * (spelt - most) // left))
                if points <= 1 << symbol and (not best or points * spelt < best[0]):
                    best = (int(points * spelt), symbol, int(points), spelt)
    if not best:
        raise InputError("bound", bound, f"one that symbols of {MOST_SYMBOL} bits keep for {count} vectors")
    _, symbol, points, spelt = best
    return CodeAddresses(count, symbol, points, balanced_masks(symbol, spelt))


@cache
def balanced_bound(symbol: int, spelt: int) -> int:
    """The least B such that fewer than 2^k of all sequences of k signs, times 2^m - 1, have a sum above B."""
    above, ones = 0, spelt
    while ones >= 0 and (above + comb(spelt, ones)) * ((1 << symbol) - 1) < 1 << spelt:
        above, ones = above + comb(spelt, ones), ones - 1
    return 2 * ones - spelt


@cache
def balanced_masks(symbol: int, spelt: int) -> tuple[int, ...]:
    """Masks under which no word but 0 has a sum above the bound, chosen by conditional expectations."""
    size, most, masks = 1 << symbol, balanced_bound(symbol, spelt), list[int]()
    sums, above = np.zeros(size, dtype=np.int64), _chances(spelt, most)
    parities = spelt_signs(symbol, tuple(range(size)))
    for place in range(spelt):
        chances = above[spelt - place - 1]
        change = chances[np.minimum(sums + 1 + spelt, 2 * spelt)] - chances[np.maximum(sums - 1 + spelt, 0)]
        mask = int((parities[:, 1:] @ change[1:]).argmin())
        masks.append(mask)
        sums += parities[:, mask]
    if int(sums[1:].max()) > most:
        raise ArithmeticError(f"a word of sum {sums[1:].max()} of {spelt}, above {most}")
    return tuple(masks)


@cache
def spelt_signs(symbol: int, masks: tuple[int, ...]) -> Array:
    bits = np.bitwise_count(np.arange(1 << symbol)[:, None] & np.array(masks)[None, :]).astype(np.int64)
    return np.asarray(1 - 2 * (bits & 1))


@cache
def products_of_field(symbol: int) -> Array:
    size = 1 << symbol
    table, shifted = np.zeros((size, size), dtype=np.int64), np.arange(size)
    for bit in range(symbol):
        table ^= np.where(np.arange(size) >> bit & 1, shifted[:, None], 0)
        shifted = shifted << 1
        shifted = np.where(shifted >> symbol & 1, shifted ^ FIELDS[symbol], shifted)
    return table
