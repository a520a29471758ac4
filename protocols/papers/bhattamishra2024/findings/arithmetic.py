"""Appendix B.2, and what appendix D says of sums: finite precision, each operation against exact numbers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import floor
from typing import Any

import numpy as np

from ccsim import models
from ccsim.arithmetic import Exponential, Precision
from ccsim.claims import Finding
from ccsim.models import affine
from protocols.papers.plain.intervals import exponential_down

__all__ = ["OPERATIONS", "associative", "bits_of_numbers", "how_many_numbers", "rounded_down"]

OPERATIONS = ("numbers", "products", "exponentials", "weights", "sums")
PARTS = 6  # how many reals are looked at from one step to the next
Case = tuple[int, int]  # what ccsim has, and what it must be, both in steps


def _precision(length: int, exponent: int) -> Any:
    return Precision.polynomial(length, exponent)


def _listed(length: int, exponent: int) -> list[Fraction]:
    """From -N^K on in steps of N^-K, as long as it is at most N^K."""
    end, step = Fraction(length**exponent), Fraction(1, length**exponent)
    numbers, number = [], -end
    while number <= end:
        numbers.append(number)
        number += step
    return numbers


def how_many_numbers(length: int, exponent: int) -> Finding:
    """The numbers of appendix B.2, listed one after the other; the library must have the same."""
    numbers, precision = _listed(length, exponent), _precision(length, exponent)
    own = [Fraction(mantissa, precision.scale) for mantissa in range(precision.low, precision.high + 1)]
    wrong = () if own == numbers else ("Precision.polynomial has other numbers",)
    return Finding(measured=len(numbers), checked=len(numbers), of=len(numbers), violations=wrong)


def bits_of_numbers(length: int, exponent: int) -> Finding:
    """The least p with 2^p texts of p bits or more, enough to name each number differently."""
    count, bits = len(_listed(length, exponent)), 0
    while 2**bits < count:
        bits += 1
    named = _precision(length, exponent).bits
    wrong = () if named == bits else (f"Precision.polynomial says {named} bits",)
    return Finding(measured=bits, checked=count, of=count, violations=wrong)


def rounded_down(length: int, exponent: int, operation: str) -> Finding:
    """The share of the cases of an operation in which ccsim has the exact value, rounded down and kept in range."""
    precision = _precision(length, exponent)
    cases = list(_CASES[operation](precision, length))
    wrong = [place for place, (own, exact) in enumerate(cases) if own != exact]
    share = Fraction(len(cases) - len(wrong), len(cases))
    note = f"case {wrong[0]}: {cases[wrong[0]][0]} steps, not {cases[wrong[0]][1]}" if wrong else ""
    expected = _counts(precision, length)[operation]
    missing = () if len(cases) == expected else (f"{len(cases)} cases gone through of {expected}",)
    return Finding(measured=share, checked=len(cases), of=len(cases), violations=missing, note=note)


def _counts(precision: Any, length: int) -> dict[str, int]:
    """How many cases each operation has, by a formula."""
    size, scale = precision.high - precision.low + 1, precision.scale
    return {
        "numbers": 3 * (PARTS * (size + 1) + 1),
        "products": size**2,
        "exponentials": 2 * size,
        "weights": sum(length * scale - max(e, 1) + 1 for e in range(scale + 1)),
        "sums": size**2,
    }


def _kept(value: Fraction, precision: Any) -> int:
    """A real number rounded down to a step, between the lowest number and the highest."""
    return int(min(max(floor(value * precision.scale), precision.low), precision.high))


def _numbers(precision: Any, length: int) -> Iterator[Case]:
    """Reals from a step below the range to a step above it: as Fractions, as floats, as quotients."""
    step = Fraction(1, PARTS * precision.scale)
    reals = [place * step for place in range(PARTS * (precision.low - 1), PARTS * (precision.high + 1) + 1)]
    exact = [_kept(real, precision) for real in reals]
    yield from zip(precision.quantise(np.array(reals, dtype=object), saturate=True).tolist(), exact, strict=True)
    floats = [float(real) for real in reals]
    kept = [_kept(Fraction(real), precision) for real in floats]
    yield from zip(precision.quantise(np.array(floats), saturate=True).tolist(), kept, strict=True)
    tops = np.array([real.numerator * (PARTS * precision.scale // real.denominator) for real in reals])
    yield from zip(precision.round_down(tops, PARTS).tolist(), exact, strict=True)


def _pairs(precision: Any) -> list[tuple[int, int]]:
    steps = range(precision.low, precision.high + 1)
    return list(product(steps, steps))


def _products(precision: Any, length: int) -> Iterator[Case]:
    """Products of two numbers, by a layer of one weight."""
    steps = np.arange(precision.low, precision.high + 1)
    own = models.Affine.linear(precision, steps[None, :])(steps[:, None]).ravel().tolist()
    for found, (a, b) in zip(own, _pairs(precision), strict=True):
        yield found, min(max(a * b // precision.scale, precision.low), precision.high)


def _sums(precision: Any, length: int) -> Iterator[Case]:
    """Sums of two numbers, as a residual stream adds them up."""
    steps = np.arange(precision.low, precision.high + 1)
    own = np.asarray(affine.saturate(precision, steps[:, None] + steps)).ravel().tolist()
    for found, (a, b) in zip(own, _pairs(precision), strict=True):
        yield found, min(max(a + b, precision.low), precision.high)


def _exponentials(precision: Any, length: int) -> Iterator[Case]:
    """exp of every difference of a logit to the largest, from the table and as a new one; each by Arb's intervals."""
    differences = np.arange(precision.low - precision.high, 1)
    exact = [exponential_down(int(each), precision.scale) for each in differences]
    yield from zip(models.Softmax(precision).exponentials(differences).tolist(), exact, strict=True)
    yield from zip(Exponential(precision.scale)(differences).tolist(), exact, strict=True)


def _weights(precision: Any, length: int) -> Iterator[Case]:
    """Shares of exponentials e in sums Z, for every e up to 1 and every Z from e to N; at least a step."""
    scale = precision.scale
    for e in range(scale + 1):
        sums = np.arange(max(e, 1), length * scale + 1)
        own = models.Softmax(precision).weights(np.full(len(sums), e), sums).tolist()
        yield from zip(own, [floor(Fraction(e, int(z)) * scale) for z in sums], strict=True)


_CASES = {
    "numbers": _numbers,
    "products": _products,
    "exponentials": _exponentials,
    "weights": _weights,
    "sums": _sums,
}


def associative(length: int, exponent: int) -> Finding:
    """The triples of non-negative numbers whose saturating sum is the same with either brackets: the exact one, kept.

    So a sum of non-negative numbers is the exact one, kept in range, however it is divided. With signs it need not be:
    the note has a triple.
    """
    precision = _precision(length, exponent)
    steps = np.arange(precision.high + 1)
    a, b, c = steps[:, None, None], steps[None, :, None], steps[None, None, :]
    left = affine.saturate(precision, affine.saturate(precision, a + b) + c)
    right = affine.saturate(precision, a + affine.saturate(precision, b + c))
    exact = np.minimum(a + b + c, precision.high)
    good, high = int(((left == right) & (left == exact)).sum()), precision.high
    one = np.array([1, high, -high])
    signed = [int(affine.saturate(precision, affine.saturate(precision, one[:1] + one[1:2]) + one[2:])[0])]
    signed.append(int(affine.saturate(precision, one[:1] + affine.saturate(precision, one[1:2] + one[2:]))[0]))
    wrong = () if signed == [0, 1] else (f"with signs: {signed}, not 0 and 1 steps",)
    note = "with signs it fails: (d + N^K) - N^K is 0, d + (N^K - N^K) is d, for a step d"
    return Finding(measured=good, checked=len(steps) ** 3, of=len(steps) ** 3, violations=wrong, note=note)
