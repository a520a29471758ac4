"""Numbers that classical protocols need: error probabilities, fields of bits, primes."""

from __future__ import annotations

from fractions import Fraction
from itertools import count, islice, takewhile
from math import isqrt

import lazy_loader as lazy
import numpy as np

from ccsim.errors import Array, InputError


def require_error(argument: str, value: Fraction | float) -> Fraction:
    """A probability strictly between 0 and 1 as an exact fraction (a float counts as the rational it stores).

    Raises :class:`~ccsim.errors.InputError` for anything else.

    >>> require_error("error", 0.25)
    Fraction(1, 4)
    """
    try:
        error = Fraction(value)
    except (TypeError, ValueError, OverflowError) as problem:
        raise InputError(argument, value, "a number between 0 and 1") from problem
    if not 0 < error < 1:
        raise InputError(argument, value, "a number strictly between 0 and 1")
    return error


def width_of(count: int) -> int:
    """L(count): the bits that number ``count`` things, ceiling(log2 count).

    >>> [width_of(count) for count in (1, 2, 3, 8, 9)]
    [0, 1, 2, 3, 4]
    """
    return (count - 1).bit_length()


def bit_rows(numbers: Array, width: int) -> Array:
    """Each row of ``numbers`` as one row of bits: every number in ``width`` bits, most significant first.

    ``numbers`` has two axes, int64 or Python integers in an object array; the result, int8, is a message per
    row for :class:`~ccsim.engine.SendEach`.

    >>> bit_rows(np.array([[1, 2], [3, 0]]), 2).tolist()
    [[0, 1, 1, 0], [1, 1, 0, 0]]
    """
    places = np.array(range(width - 1, -1, -1), dtype=object if numbers.dtype == object else np.int64)
    bits = (numbers[:, :, None] >> places) & 1
    return np.asarray(bits.reshape(len(numbers), numbers.shape[1] * width), dtype=np.int8)


flint = lazy.load("flint")


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
