"""n-gram probabilities from the text itself, scores of positions by intervals, and floating point written out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from protocols.papers.plain.intervals import interval, within

__all__ = ["first_lost_position", "probability", "strictly_largest"]

SIGNIFICANT = {"float16": 11, "float32": 24}


def probability(text: Sequence[str], order: int, string: str) -> Fraction:
    """The product, over a string's symbols and its end, of how often each follows the n - 1 before it in a text."""
    followed = _counts(tuple(text), order)
    result, marked = Fraction(1), [None] * (order - 1) + list(string) + [""]
    for end in range(order - 1, len(marked)):
        follows = followed.get(tuple(marked[end - order + 1 : end]), Counter({"": 1}))
        result *= Fraction(follows[marked[end]], sum(follows.values()))
    return result


@cache
def _counts(text: tuple[str, ...], order: int) -> dict[Any, Counter[Any]]:
    found: dict[Any, Counter[Any]] = {}
    for paragraph in text:
        marked = [None] * (order - 1) + list(paragraph) + [""]
        for end in range(order - 1, len(marked)):
            found.setdefault(tuple(marked[end - order + 1 : end]), Counter())[marked[end]] += 1
    return found


def strictly_largest(position: int, back: int, second: Fraction) -> int | None:
    """The place j <= t with the largest product of (sqrt(1/t), sqrt(second)) and (sqrt(1/(j+h)), sqrt(1 - 1/(j+h))).

    For t = ``position`` and h = ``back``. None if intervals do not tell which place it is.
    """

    def best() -> int | None:
        first, last = interval(Fraction(1, position)).sqrt(), interval(second).sqrt()
        shares = [Fraction(1, place + back) for place in range(1, position + 1)]
        scores = [first * interval(share).sqrt() + last * interval(1 - share).sqrt() for share in shares]
        most = max(range(position), key=lambda place: scores[place].mid())
        alone = all(scores[most] > score for place, score in enumerate(scores) if place != most)
        return most + 1 if alone else None

    found: int | None = within(best)
    return found


def first_lost_position(kind: str) -> int:
    """The first t where some j < t scores as much as t itself, each operation rounded to nearest, ties to even."""
    bits, position = SIGNIFICANT[kind], 1
    vectors: list[tuple[Fraction, Fraction]] = []
    while True:
        share = nearest(Fraction(1, position), bits)
        vectors.append((nearest_root(share, bits), nearest_root(nearest(1 - share, bits), bits)))
        own = _score(vectors[-1], vectors[-1], bits)
        if any(_score(vectors[-1], other, bits) >= own for other in vectors[:-1]):
            return position
        position += 1


def _score(one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction], bits: int) -> Fraction:
    return nearest(nearest(one[0] * other[0], bits) + nearest(one[1] * other[1], bits), bits)


def nearest(number: Fraction, bits: int) -> Fraction:
    """The nearest number with so many significant bits; of two, the even one."""
    if number == 0:
        return number
    exponent = number.numerator.bit_length() - number.denominator.bit_length() - bits
    exponent += number >= Fraction(2) ** (exponent + bits)
    return round(number / Fraction(2) ** exponent) * Fraction(2) ** exponent


def nearest_root(number: Fraction, bits: int) -> Fraction:
    """The same of a square root: from an integer root with far more bits, and a mark that it was cut."""
    shift = 4 * bits + 2 * number.denominator.bit_length()
    scaled = (number.numerator << 2 * shift) // number.denominator
    root = math.isqrt(scaled)
    exact = root * root == scaled and scaled * number.denominator == number.numerator << 2 * shift
    return nearest(Fraction(2 * root + (not exact), 2 << shift), bits)
