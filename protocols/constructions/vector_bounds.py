"""How many signs nearly orthogonal vectors need: what is printed, what Hoeffding gives, what exact counting gives, and
what is found.

For two random vectors of k signs the product, divided by k, is the mean of k independent signs. Hoeffding (1963) gives
P[mean >= g] <= exp(-k g^2 / 2). Bhattamishra, Hahn, Blunsom and Kanade 2024, lemma 2, print 2 exp(-k g^2 / 4) for both
signs together: true, but not the best exponent, and their k = (8 / g^2) ln 2N is twice what the same argument needs.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb
from typing import Any

import lazy_loader as lazy

from ccsim.arguments import require_integer
from ccsim.errors import InputError
from ccsim.models.attention import positive_rational
from protocols.constructions.circle import least_integer_above, natural_logarithm
from protocols.constructions.vectors import smallest_sign_vectors

flint = lazy.load("flint")


def lemma_dimension(count: int, bound: Fraction | float) -> int:
    """The printed k = (8 / g^2) ln 2N, rounded up.

    >>> lemma_dimension(1024, Fraction(1, 4))
    976
    """
    count, limit = _checked(count, bound)
    return above_logarithm(8 / limit**2, 2 * count)


def hoeffding_dimension(count: int, bound: Fraction | float) -> int:
    """The least k with N(N-1)/2 exp(-k g^2 / 2) < 1: for it, some N vectors have no product above g k.

    >>> hoeffding_dimension(1024, Fraction(1, 4))
    422
    """
    count, limit = _checked(count, bound)
    return above_logarithm(2 / limit**2, comb(count, 2)) if count > 2 else 1


def union_dimension(count: int, bound: Fraction | float) -> int:
    """The least k for which the exact expected number of pairs with a product above g k is below 1.

    >>> union_dimension(1024, Fraction(1, 4))
    333
    """
    count, limit = _checked(count, bound)
    dimension = 1
    while _tail(dimension, limit) * comb(count, 2) >= 1 << dimension:
        dimension += 1
    return dimension


def dimension_table(
    lengths: Iterable[int], bound: Fraction | float = Fraction(1, 4), seeds: Iterable[int] = (0,)
) -> list[dict[str, Any]]:
    """For each N: k by the lemma, by Hoeffding, by exact counting, and the least that some of these seeds have.

    >>> dimension_table([256])[0]["printed"], dimension_table([256])[0]["found"]
    (799, 296)
    """
    rows = []
    for count in lengths:
        found = smallest_sign_vectors(count, bound, seeds=tuple(seeds))
        printed = lemma_dimension(count, bound)
        rows.append(
            {
                "N": count,
                "bound": _checked(count, bound)[1],
                "printed": printed,
                "hoeffding": hoeffding_dimension(count, bound),
                "union": union_dimension(count, bound),
                "found": found.dimension,
                "seed": found.seed,
                "found/printed": found.dimension / printed,
            }
        )
    return rows


def _checked(count: int, bound: Fraction | float) -> tuple[int, Fraction]:
    limit = positive_rational("bound", bound)
    if limit >= 1:
        raise InputError("bound", bound, "a number between 0 and 1")
    return require_integer("count", count, low=1), limit


def above_logarithm(factor: Fraction, argument: int) -> int:
    """The least integer above factor * ln(argument), which is irrational for arguments of at least 2.

    >>> above_logarithm(Fraction(2), 3)  # 2.197
    3
    """
    exact = flint.fmpq(factor.numerator, factor.denominator)
    return least_integer_above(lambda: natural_logarithm(argument) * exact)


def _tail(dimension: int, bound: Fraction) -> int:
    """How many of the 2^k sequences of k signs have a sum above bound * k."""
    least = (dimension + int(dimension * bound // 1)) // 2 + 1
    return sum(comb(dimension, place) for place in range(least, dimension + 1))
