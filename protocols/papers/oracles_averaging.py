"""Attention, averages and matches a second time, in plain Python: integers, fractions, and intervals for exp and cos.

Nothing here uses the arithmetic, the models or the tasks of :mod:`ccsim`: the measuring functions of this project's
claims compare what those give with what is computed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import lazy_loader as lazy

from protocols.papers.plain.intervals import exponential_down as exponential
from protocols.papers.plain.intervals import interval, whole_part, within

__all__ = [
    "Steps",
    "attended",
    "average",
    "circle",
    "clipped",
    "exponential",
    "least_above",
    "match2",
    "match3",
    "meet",
    "nearest",
    "rank_modulo",
    "weights",
]

flint = lazy.load("flint")

Bits = Sequence[int]


class Steps(NamedTuple):
    """Numbers of finite precision: so many steps to 1, and the least and the largest number of steps."""

    scale: int
    low: int
    high: int

    @classmethod
    def of(cls, precision: Any) -> Steps:
        """Those of a precision of :mod:`ccsim`."""
        return cls(precision.scale, precision.low, precision.high)

    @property
    def bits(self) -> int:
        """The bits that tell all of them apart."""
        return (self.high - self.low).bit_length()


def clipped(number: int, steps: Steps) -> int:
    """The nearest number of steps that there is."""
    return max(steps.low, min(steps.high, number))


def nearest(number: Fraction) -> int:
    """The nearest integer, the larger one of two."""
    return (2 * number.numerator + number.denominator) // (2 * number.denominator)


@lru_cache(maxsize=1 << 10)
def least_above(factor: Fraction, argument: Fraction) -> int:
    """ceil(factor * ln(argument)), for an argument whose logarithm is irrational.

    >>> least_above(Fraction(2), Fraction(3))  # 2.197
    3
    """
    floor: int = within(lambda: whole_part(-interval(argument).log() * interval(factor)))
    return -floor


@lru_cache(maxsize=256)
def circle(count: int, scale: int) -> tuple[tuple[int, int], ...]:
    """(cos, sin) of 2 pi x / count in steps, each the nearest, for an even number of steps to 1.

    >>> circle(8, 100)[:3]
    ((100, 0), (71, 71), (0, 100))
    """

    def rounded(function: Any, place: int) -> int:
        return whole_part(function(flint.fmpq(2 * place, count)) * scale + flint.arb(1) / 2)

    def points() -> list[tuple[int, int]]:
        cos, sin = flint.arb.cos_pi_fmpq, flint.arb.sin_pi_fmpq
        return [(rounded(cos, place), rounded(sin, place)) for place in range(count)]

    return tuple(within(points))


def weights(logits: Sequence[int], scale: int) -> list[int]:
    """Softmax in steps: the largest logit is taken off, exponentials are rounded down, and so is each share of their
    sum.

    >>> weights([0, -32, 0], 32)  # exponentials 32, 11, 32
    [13, 4, 13]
    """
    top = max(logits)
    exponentials = [exponential(logit - top, scale) for logit in logits]
    total = sum(exponentials)
    return [each * scale // total for each in exponentials]


def attended(
    query: Sequence[int], keys: Sequence[Sequence[int]], values: Sequence[Sequence[int]], steps: Steps, factor: Any = 1
) -> tuple[list[int], list[int]]:
    """The weights that one query gives, and the output: logits are factor * <q, k>, rounded down and cut off."""
    scale, whole = steps.scale, Fraction(factor)
    products = [sum(int(q) * int(k) for q, k in zip(query, key, strict=True)) for key in keys]
    logits = [clipped(product * whole.numerator // (scale * whole.denominator), steps) for product in products]
    given = weights(logits, scale)
    sums = [
        sum(weight * int(value[place]) for weight, value in zip(given, values, strict=True))
        for place in range(len(values[0]))
    ]
    return given, [clipped(each // scale, steps) for each in sums]


def average(chosen: Iterable[int], numbers: Sequence[Any]) -> Fraction:
    """The average of the numbers in these places, counted from 1."""
    held = [Fraction(numbers[place - 1]) for place in chosen]
    return sum(held, Fraction(0)) / len(held)


def meet(first: Bits, second: Bits) -> int:
    """DISJ of the source: 1 if some place has a 1 in both."""
    return int(any(int(a) and int(b) for a, b in zip(first, second, strict=True)))


def match2(word: Sequence[int], modulus: int, row: int) -> int:
    """Whether some number completes the one in a row, counted from 1, to a multiple of the modulus."""
    return int(any((word[row - 1] + other) % modulus == 0 for other in word))


def match3(word: Sequence[int], modulus: int, row: int, window: int | None = None) -> int:
    """Whether two numbers, of all or of those at most ``window`` away, complete the one in a row to a multiple."""
    near = [x for place, x in enumerate(word, start=1) if window is None or abs(place - row) <= window]
    return int(any((word[row - 1] + one + other) % modulus == 0 for one in near for other in near))


def bigram(word: Sequence[int], modulus: int, row: int) -> int:
    """Whether two neighbours complete the number in a row to a multiple of the modulus."""
    return int(any((word[row - 1] + word[j] + word[j + 1]) % modulus == 0 for j in range(len(word) - 1)))


def assisted(word: Sequence[tuple[int, int]], modulus: int, row: int) -> int:
    """Whether some number completes the one in a row and the one that its hint names to a multiple of the modulus."""
    number, hint = word[row - 1]
    return int(any((number + word[hint - 1][0] + other) % modulus == 0 for other, _ in word))


def rank_modulo(matrix: Sequence[Sequence[int]], prime: int) -> int:
    """The rank of a matrix of integers modulo a prime, which is at most its rank over the rational numbers.

    >>> rank_modulo([[1, 2], [2, 4]], 7), rank_modulo([[1, 2], [3, 4]], 7)
    (1, 2)
    """
    return int(flint.nmod_mat([list(row) for row in matrix], prime).rank())


def root_of_unity(order: int, prime: int) -> int:
    """A number of this order modulo a prime that is 1 more than a multiple of it."""
    factors = [int(factor) for factor, _ in flint.fmpz(order).factor()]
    roots = (pow(candidate, (prime - 1) // order, prime) for candidate in range(2, prime))
    return next(root for root in roots if all(pow(root, order // factor, prime) != 1 for factor in factors))


def prime_above(least: int, order: int) -> int:
    """The least prime above a number that is 1 more than a multiple of an order."""
    number = (least // order + 1) * order + 1
    while not flint.fmpz(number).is_prime():
        number += order
    return number
