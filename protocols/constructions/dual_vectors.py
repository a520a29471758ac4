"""Dual vectors: for some of many vectors of signs, one whose product is 1 with these and at most 1/2 with the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import lazy_loader as lazy
import numpy as np

from ccsim.arithmetic import IntArray, exact_matmul, narrow
from ccsim.errors import InputError
from protocols.constructions.vectors import SignVectors

flint = lazy.load("flint")

ROUNDS = 200  # of the search
NEAR = 1e-9  # the search's idea of equality; what it finds is checked without


@dataclass(frozen=True, eq=False)
class DualVector:
    """An exact combination of vectors of signs, the sum of numerators[k] / denominator times vector support[k].

    Attributes:
        subset: the numbers of the vectors whose product with it is 1.
        support: these, then those with product 1/2.
        numerators, denominator: the coefficients.
        norm: m times the square of its length, exact: what the source bounds by 4 q.
    """

    subset: tuple[int, ...]
    support: tuple[int, ...]
    numerators: tuple[int, ...]
    denominator: int
    norm: Fraction


@dataclass(frozen=True, eq=False)
class DualVectors:
    """Dual vectors of the subsets of vectors of signs, found by a search in floating point and proved in rationals.

    With u_i the signs of vector i over sqrt(m) and w = sqrt(m) v, the roots cancel in <u_i, w>, so all products are
    rational. Vector v is the shortest with product 1 on the subset and at most 1/2 elsewhere: a combination of the
    subset and of the vectors for which 1/2 is reached, which an active-set search finds. Its length is at most
    2 sqrt(q) / sqrt(m) where the vectors have the restricted isometry and orthogonality property (q, 1/4) (Candes and
    Tao 2005), but here it is only asked of each subset alone.

    >>> duals = DualVectors(SignVectors(count=16, dimension=24, seed=0))
    >>> dual = duals.of((2, 3, 7))
    >>> dual.support[:3], dual.norm <= 4 * 3
    ((2, 3, 7), True)
    """

    vectors: SignVectors
    _found: dict[tuple[int, ...], DualVector] = field(init=False, default_factory=dict, repr=False)

    @cached_property
    def signs(self) -> IntArray:
        """All vectors of signs, shape (count, dimension)."""
        return self.vectors.rows(np.arange(1, self.vectors.count + 1))

    @cached_property
    def products(self) -> IntArray:
        """The products of all vectors, shape (count, count)."""
        return exact_matmul(self.signs, self.signs.T)

    def of(self, subset: Sequence[int]) -> DualVector:
        """The dual vector of a subset of the numbers 1 .. count, at most 2 sqrt(q) long for q of them.

        Raises :class:`~ccsim.errors.InputError` if none was found: the dimension is too small for this subset.
        """
        key = tuple(sorted({int(number) for number in subset}))
        if not key or key[0] < 1 or key[-1] > self.vectors.count:
            raise InputError("subset", subset, f"some of the numbers 1 .. {self.vectors.count}")
        if key not in self._found:
            support = self._search([number - 1 for number in key])
            dual = None if support is None else self._prove(key, support)
            if dual is None:
                raise InputError("dimension", self.vectors.dimension, f"enough signs for a dual vector of {key}")
            self._found[key] = dual
        return self._found[key]

    def scaled(self, subset: Sequence[int], factor: int) -> IntArray:
        """The dual vector v of a subset times an integer, each entry rounded to the nearest; int64 (dimension,)."""
        dual = self.of(subset)
        rows = self.signs[np.array(dual.support) - 1].astype(object)
        sums = np.array(dual.numerators, dtype=object) @ rows
        return narrow((2 * factor * sums + dual.denominator) // (2 * dual.denominator))

    def _search(self, subset: list[int]) -> list[int] | None:
        """The places of the subset, then of the vectors that are to have product 1/2."""
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
