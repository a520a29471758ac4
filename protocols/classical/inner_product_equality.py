"""Equality with public coins: compare inner products with shared random strings."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.engine import AnswerEach, Coins, Cost, Protocol, Receive, SendEach, array_party
from ccsim.problems import equality
from protocols.classical.inner_products import inner_products, strings_of

__all__ = ["inner_product_equality"]


def inner_product_equality(n: int, repetitions: int = 2) -> Protocol:
    """EQ_n with public coins: Alice sends inner products of x with shared random strings, Bob compares.

    With t = ``repetitions`` strings of n bits. Both know the answer. Cost: exactly t + 1 bits in two rounds,
    whatever n is. Equal strings are always told so; two different strings are called equal with probability
    exactly 2^-t, when all t inner products of their difference vanish
    (Kushilevitz and Nisan 1997, chapter 3).

    >>> protocol = inner_product_equality(3, repetitions=2)
    >>> measured = protocol.measure_error()
    >>> measured.worst_error, measured.exact, measured.worst_bits
    (Fraction(1, 4), True, 3)
    """
    function = equality(n)
    t = require_integer("repetitions", repetitions, low=1)

    @array_party
    def alice(xs: Any, heard: Any, public: int) -> Any:
        if not heard:
            return SendEach(inner_products(xs, strings_of(public, n, t)), t, "inner products of x")
        return Receive(width=1) if len(heard) == 1 else AnswerEach(heard[1].bits.to_unsigned())

    @array_party
    def bob(ys: Any, heard: Any, public: int) -> Any:
        if not heard:
            return Receive(width=t)
        if len(heard) == 2:
            return AnswerEach(heard[1].bits.to_unsigned())
        same = inner_products(ys, strings_of(public, n, t)) == np.array(list(heard[0].bits))
        return SendEach(same.all(axis=1), 1, "the same inner products")

    return Protocol(
        f"inner_product_equality({n}, {t})",
        function,
        {"alice": alice, "bob": bob},
        cost=Cost("t + 1", {"t": t}),
        error=Fraction(1, 1 << t),
        public=Coins.bits(n * t),
        source="Kushilevitz and Nisan 1997, chapter 3",
    )
