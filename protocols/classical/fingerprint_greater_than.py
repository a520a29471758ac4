"""Greater-than: a binary search for the first difference, by fingerprints of prefixes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from ccsim.engine import AnswerEach, Coins, Cost, Protocol, Receive, Said, SendEach, array_party
from ccsim.problems import greater_than
from protocols.classical.arguments import require_error
from protocols.classical.inner_products import inner_products, strings_of
from protocols.classical.widths import width_of

__all__ = ["fingerprint_greater_than"]


def fingerprint_greater_than(n: int, error: Fraction | float = Fraction(1, 3)) -> Protocol:
    """GT_n with public coins: search for the first place at which x and y differ, then compare it.

    L(n) times, Alice sends t inner products of a prefix of x with shared random strings and Bob replies
    whether they fit y, which halves the places where the first difference can be. At the place that is left
    Alice sends her bit, and Bob replies with the answer, so both know it.

    The same t strings of n bits serve in every step. A step goes wrong only if two different prefixes have the
    same t inner products, with probability 2^-t, so the error is at most L(n) / 2^t (a bound, by the sum over
    the steps); equal strings are always answered right. The number t is the smallest for which the bound is at
    most ``error``.

    Cost: exactly (t + 1) L(n) + 2 bits, O(log n log log n) for a constant error
    (Kushilevitz and Nisan 1997, chapter 3; Nisan 1993 has O(log n)).

    >>> protocol = fingerprint_greater_than(3, error=Fraction(1, 2))
    >>> measured = protocol.measure_error()
    >>> protocol.cost.bits, measured.worst_bits, measured.worst_error <= protocol.error
    (8, 8, True)
    """
    function, steps = greater_than(n), width_of(n)
    t = width_of(ceil(steps / require_error("error", error))) if steps else 0

    def fingerprints(numbers: Any, length: int, public: int) -> Any:
        prefix = ((1 << length) - 1) << (n - length)
        return inner_products(numbers, [string & prefix for string in strings_of(public, n, t)])

    def bits_at(numbers: Any, place: int) -> Any:
        return (numbers >> (n - 1 - place)) & 1

    @array_party
    def alice(xs: Any, heard: Any, public: int) -> Any:
        low, high, answer = _search(n, heard)
        if answer is not None:
            return AnswerEach(answer)
        if len(heard) % 2:
            return Receive(width=1)
        if high - low == 1:
            return SendEach(bits_at(xs, low), 1, f"bit {low + 1} of x")
        length = (low + high) // 2
        return SendEach(fingerprints(xs, length, public), t, f"inner products of the first {length} bits of x")

    @array_party
    def bob(ys: Any, heard: Any, public: int) -> Any:
        low, high, answer = _search(n, heard)
        if answer is not None:
            return AnswerEach(answer)
        if high - low == 1:
            return SendEach(heard[-1].bits[0] > bits_at(ys, low), 1, "x > y") if len(heard) % 2 else Receive(width=1)
        if len(heard) % 2 == 0:
            return Receive(width=t)
        same = fingerprints(ys, (low + high) // 2, public) == np.array(list(heard[-1].bits))
        return SendEach(same.all(axis=1), 1, "the same inner products")

    return Protocol(
        f"fingerprint_greater_than({n})",
        function,
        {"alice": alice, "bob": bob},
        cost=Cost("(t + 1) * L(n) + 2", {"n": n, "t": t}),
        error=Fraction(steps, 1 << t),
        public=Coins.bits(n * t),
        source="Kushilevitz and Nisan 1997, chapter 3",
    )


def _search(n: int, heard: Sequence[Said]) -> tuple[int, int, int | None]:
    """The first difference, if any, is at a place from low to high - 1; and the answer, once it was said."""
    low, high = 0, n
    for reply in heard[1::2]:
        if high - low == 1:
            return low, high, reply.bits[0]
        middle = (low + high) // 2
        low, high = (middle, high) if reply.bits[0] else (low, middle)
    return low, high, None
