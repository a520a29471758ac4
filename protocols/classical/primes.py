"""Prime numbers for fingerprints and codes."""

from __future__ import annotations

from itertools import count, islice, takewhile
from math import isqrt

import lazy_loader as lazy

flint = lazy.load("flint")

__all__ = ["first_primes", "most_prime_factors", "prime_from"]


def first_primes(number: int) -> list[int]:
    """The first ``number`` primes.

    >>> first_primes(5)
    [2, 3, 5, 7, 11]
    """
    primes: list[int] = []

    def has_no_divisor(candidate: int) -> bool:
        return all(candidate % prime for prime in takewhile(lambda prime: prime <= isqrt(candidate), primes))

    for candidate in islice(filter(has_no_divisor, count(2)), number):
        primes.append(candidate)
    return primes


def most_prime_factors(n: int) -> int:
    """The largest number of different primes that can divide a positive integer below 2^n.

    It is the largest k such that the product of the first k primes is below 2^n: any k different primes have
    at least that product, and the product itself is an integer with exactly these factors.

    >>> [most_prime_factors(n) for n in (1, 2, 3, 5, 8, 12)]
    [0, 1, 2, 3, 4, 5]
    """
    product, factors = 1, 0
    for prime in first_primes(n + 1):
        product *= prime
        if product >= 1 << n:
            break
        factors += 1
    return factors


def prime_from(low: int) -> int:
    """The smallest prime that is at least ``low``, proved prime; below 2 low for low >= 2 (Bertrand's postulate).

    >>> [prime_from(2**b) for b in (1, 2, 3, 8)], prime_from(2**64) - 2**64
    ([2, 5, 11, 257], 13)
    """
    return next(candidate for candidate in count(max(low, 2)) if flint.fmpz(candidate).is_prime())
