"""The construction of appendix G.2 as it is printed: exact inner products, softmax by intervals.

Embeddings (equation 9) are [x, 0, 1, T(2i-1), T(2i), 0] for points and [0, y, -2, T(2i), T(2i), 0] for labels; queries
are [x, third, -10 own address], keys [x, 3 third, own address]: keys have 1·3 and -2·3 where the text prints "3" and
"-2.3". Numbers are fractions, exponentials intervals; nothing here calls the constructions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import isqrt
from typing import Any

from protocols.papers.plain.constructed import interval
from protocols.papers.plain.constructed import natural_logarithm as ln
from protocols.papers.plain.words import nearest

__all__ = ["TASKS", "Embedded", "dot", "embedded", "first_weights", "orthogonal", "prompts", "two_layers", "worst"]

Vector = tuple[Fraction, ...]

POINT, LABEL, QUERY, KEY, OWN = 1, -2, 1, 3, -10  # third entries, what queries and keys make of them; of addresses
SHRINKING = 100  # products of addresses are within margin / 100
TASKS: dict[str, tuple[int, tuple[tuple[int, int], ...]]] = {
    "compass": (1, ((1, 0), (0, 1), (-1, 0), (0, -1))),
    "triples": (25, ((3, 4), (4, 3), (-3, 4), (0, -5))),
}
"""Squared norms and points. Products differ by 1 or more, so that the margins are 1 and 1/25."""


@dataclass(frozen=True)
class Embedded:
    """What a position has in the stream, by its printed parts."""

    point: Vector
    label: int
    third: int
    own: Vector
    behind: Vector

    @property
    def query(self) -> Vector:
        """[x, third, -10 own]."""
        return (*self.point, Fraction(self.third * QUERY), *(OWN * entry for entry in self.own))

    @property
    def key(self) -> Vector:
        """[x, 3 third, own]."""
        return (*self.point, Fraction(self.third * KEY), *self.own)


def dot(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction:
    """The inner product, exact."""
    return sum((a * b for a, b in zip(first, second, strict=True)), Fraction(0))


def embedded(word: Sequence[Any], norm: int, addresses: Sequence[Vector]) -> list[Embedded]:
    """The stream of x_1 y_1 ... x: points are divided by their norm, whose square is given."""
    root, stream = isqrt(norm), []
    for place, symbol in enumerate(word):
        is_point = place % 2 == 0
        point = tuple(Fraction(entry, root) for entry in symbol) if is_point else (Fraction(0),) * 2
        third, label = (POINT, 0) if is_point else (LABEL, int(symbol))
        behind = addresses[place + 1 if is_point else place]
        stream.append(Embedded(point, label, third, addresses[place], behind))
    return stream


def orthogonal(count: int) -> list[Vector]:
    """Rows of a matrix of Sylvester with 4^j signs, divided by 2^j: at least so many, orthogonal, of norm 1."""
    size = 4
    while size < count:
        size *= 4
    return [tuple(Fraction(1 - 2 * ((i & j).bit_count() % 2), isqrt(size)) for j in range(size)) for i in range(size)]


def worst(margin: Fraction) -> list[Embedded]:
    """A query, the point opposite to it and a label, with addresses as bad as the text allows.

    The query's address has the product 1 - g/100 with itself, g/100 with the point's and -g/100 with the label's.
    """
    noise = margin / SHRINKING
    own = _of_norm(1 - noise)
    towards = [noise / (1 - noise) * entry for entry in own]
    zero, one, off = (Fraction(0),) * (len(own) + 2), Fraction(1), Fraction(0)
    query, point, label = (*own, off, off), (*towards, one, off), (*(-entry for entry in towards), off, one)
    return [
        Embedded((one, off), 0, POINT, query, zero),
        Embedded((-one, off), 0, POINT, point, label),
        Embedded((off, off), 1, LABEL, label, label),
    ]


def _of_norm(square: Fraction) -> Vector:
    """Four fractions whose squares add up to this one, which exist by Lagrange's theorem."""
    whole, below = square.numerator * square.denominator, square.denominator
    for a in range(isqrt(whole), -1, -1):
        for b in range(min(a, isqrt(whole - a * a)), -1, -1):
            rest = whole - a * a - b * b
            for c in range(min(b, isqrt(rest)), -1, -1):
                if isqrt(rest - c * c) ** 2 == rest - c * c:
                    return tuple(Fraction(each, below) for each in (a, b, c, isqrt(rest - c * c)))
    raise ArithmeticError(f"{square} is no sum of four squares")


def prompts(task: str, pairs: int) -> Iterator[tuple[Any, ...]]:
    """All words of so many pairs and a query for which one point is the nearest."""
    _, points = TASKS[task]
    for word in product(*([points, "01"] * pairs), points):
        if nearest(word) is not None:
            yield word


def first_weights(stream: Sequence[Embedded], margin: Fraction, count: int) -> list[Any]:
    """The weights of the query at eta = (5/(4g)) ln 18N, as intervals; to be called under ``within``."""
    eta = interval(5 / (4 * margin)) * ln(18 * count)
    return _softmax([eta * interval(dot(stream[-1].query, other.key)) for other in stream])


def _softmax(logits: list[Any]) -> list[Any]:
    exponentials = [logit.exp() for logit in logits]
    return [each / sum(exponentials) for each in exponentials]


def two_layers(stream: Sequence[Embedded], margin: Fraction, count: int) -> int | None:
    """The label that the two layers give, sigma included; None if intervals leave a sign or the label open."""
    root = isqrt(len(stream[0].own))
    weights, found = first_weights(stream, margin, count), []
    for place in range(root**2):
        value = sum(weight * 2 * int(other.behind[place] * root) for weight, other in zip(weights, stream, strict=True))
        if not (value >= 1 or value <= -1):  # between -1 and 1, sigma would not make a sign of it
            return None
        found.append(1 if value >= 1 else -1)
    query = [Fraction(sign, root) for sign in found]  # 1/sqrt(k), where the text prints 1/k
    scale = ln(18 * count) / interval(1 - 2 * margin / SHRINKING)
    weights = _softmax([scale * interval(dot(query, other.own)) for other in stream])
    label = sum(weight * other.label for weight, other in zip(weights, stream, strict=True))
    return 1 if label >= interval(Fraction(9, 10)) else 0 if label <= interval(Fraction(1, 10)) else None
