"""Scores of hard attention. Only their order matters, and it is decided on integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ccsim.arithmetic import IntArray


class Score(Protocol):
    """A score of a query and a key, known by the order in which it puts two keys."""

    def order(self, query: IntArray, first: IntArray, second: IntArray) -> IntArray:
        """The sign (-1, 0, 1) of score(query, first) - score(query, second); axes before the last one broadcast."""


@dataclass(frozen=True)
class RootCosine:
    """The inner product of unit vectors (sqrt(a / (a + b)), sqrt(b / (a + b))), given by integers a, b >= 0.

    The largest score is 1, and only a key that is a multiple of the query has it (Cauchy and Schwarz). Differences of
    sums of roots are compared by squaring, so nothing is rounded.

    >>> score = RootCosine()
    >>> int(score.order(np.array([1, 10**9]), np.array([1, 10**9]), np.array([1, 10**9 + 1])))
    1
    """

    def order(self, query: IntArray, first: IntArray, second: IntArray) -> IntArray:
        """The sign of sqrt(q1 f1 |s|) + sqrt(q2 f2 |s|) - sqrt(q1 s1 |f|) - sqrt(q2 s2 |f|), with |k| = k1 + k2."""
        query, first, second = (np.asarray(part).astype(object) for part in (query, first, second))
        left = query * first * second.sum(axis=-1, keepdims=True)
        right = query * second * first.sum(axis=-1, keepdims=True)
        # Both sides squared: a + sqrt(b) against sqrt(c).
        whole = left.sum(axis=-1) - right.sum(axis=-1)
        return _sign_of_roots(whole, 4 * left.prod(axis=-1), 4 * right.prod(axis=-1))


def _sign_of_roots(whole: IntArray, plus: IntArray, minus: IntArray) -> IntArray:
    """The sign of a + sqrt(b) - sqrt(c) for integers a and b, c >= 0."""
    one, other = _sign(whole), _sign(plus - minus)
    rest = whole * whole - plus - minus  # |a| > |sqrt b - sqrt c| where rest + 2 sqrt(b c) > 0
    product = 4 * plus * minus
    stronger = np.where(_sign(rest) >= 0, np.maximum(_sign(rest), _sign(product)), _sign(product - rest * rest))
    opposed = np.where(stronger > 0, one, np.where(stronger < 0, other, 0))
    return np.where(one * other < 0, opposed, np.sign(one + other))


def _sign(values: IntArray) -> IntArray:
    return np.asarray(np.asarray(values > 0).astype(np.int64) - np.asarray(values < 0).astype(np.int64))


@dataclass(frozen=True)
class CappedProduct:
    """min(<query, key>, 0) for integer vectors: every product of 0 or more is as good as the next.

    >>> score = CappedProduct()
    >>> [int(score.order(np.array([1]), np.array([key]), np.array([-1]))) for key in (-2, -1, 0)]
    [-1, 0, 1]
    """

    def order(self, query: IntArray, first: IntArray, second: IntArray) -> IntArray:
        """The sign of min(<q, f>, 0) - min(<q, s>, 0)."""
        query, first, second = (np.asarray(part).astype(object) for part in (query, first, second))
        products = [np.minimum((query * key).sum(axis=-1), 0) for key in (first, second)]
        return _sign(products[0] - products[1])
