"""Equality with private coins: compare residues modulo a random prime."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from ccsim.engine import AnswerEach, Coins, Cost, Protocol, Receive, SendEach, array_party
from ccsim.problems import equality
from protocols.classical.arguments import require_error
from protocols.classical.primes import first_primes, most_prime_factors
from protocols.classical.widths import width_of

__all__ = ["fingerprint_equality"]


def fingerprint_equality(n: int, error: Fraction | float = Fraction(1, 3)) -> Protocol:
    """EQ_n with Alice's private coins: she sends a random prime's number and the residue of x; Bob compares.

    The prime is one of the first P = ceiling(k / error), where k is the largest number of different primes
    that divide a positive integer below 2^n: the largest k whose primorial is below 2^n. Both know the answer.

    Equal strings are always told so. Different strings, as numbers, differ by a positive integer below 2^n;
    they are called equal when the prime divides it, which at most k of the P primes do. The difference can be
    the product of the first k primes, so the worst-case error is exactly k / P, at most ``error``.

    Cost: exactly L(P) + L(p) + 1 bits in two rounds, where p is the P-th prime: O(log n) for a constant error
    (Kushilevitz and Nisan 1997, chapter 3).

    >>> protocol = fingerprint_equality(5)
    >>> measured = protocol.measure_error()
    >>> protocol.cost.bits, measured.worst_bits, protocol.error, measured.worst_error
    (10, 10, Fraction(1, 3), Fraction(1, 3))
    """
    function = equality(n)
    factors = most_prime_factors(n)
    primes = first_primes(max(1, ceil(factors / require_error("error", error))))
    number_width, residue_width = width_of(len(primes)), width_of(primes[-1])
    table = np.array(primes, dtype=np.int64 if n <= 62 else object)

    @array_party
    def alice(xs: Any, heard: Any, private: Any) -> Any:
        if not heard:
            place = private.astype(np.int64)
            residues = (xs % table[place]).astype(np.int64)
            return SendEach((place << residue_width) | residues, number_width + residue_width, "prime, x modulo it")
        return Receive(width=1) if len(heard) == 1 else AnswerEach(heard[1].bits.to_unsigned())

    @array_party
    def bob(ys: Any, heard: Any) -> Any:
        if not heard:
            return Receive(width=number_width + residue_width)
        if len(heard) == 2:
            return AnswerEach(heard[1].bits.to_unsigned())
        place, residue = divmod(heard[0].bits.to_unsigned(), 1 << residue_width)
        return SendEach(ys % primes[place] == residue, 1, f"x = y modulo {primes[place]}")

    return Protocol(
        f"fingerprint_equality({n})",
        function,
        {"alice": alice, "bob": bob},
        cost=Cost("L(P) + L(p) + 1", {"P": len(primes), "p": primes[-1]}),
        error=Fraction(factors, len(primes)),
        private={"alice": Coins(len(primes))},
        source="Kushilevitz and Nisan 1997, chapter 3",
    )
