"""INDEX by one message and public coins, as well as it can be done: the nearest word of a Hamming code."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.engine import AnswerEach, Coins, Cost, Protocol, Receive, SendEach, array_party
from ccsim.problems import index

MOST_CHECKS = 4  # the words of 2^5 - 1 bits are too many to explore


def syndrome_index(checks: int) -> Protocol:
    """INDEX_N for N = 2^r - 1 by one message of N - r bits that is wrong with probability 1 / (N + 1) on each input.

    A word has the syndrome that is the exclusive or of the numbers of its places with a 1; those of syndrome 0 are the
    Hamming code, and each other word is one flip from one of them. The public coins name a place z to be flipped, or
    none. Alice flips it in her word, and sends the bits of the nearest code word but for those at the places 1, 2, 4,
    ..., which Bob restores; he flips z back. He is wrong at the place that Alice's syndrome names after the flip, which
    is each of 0, ..., N for one z. No message of so many bits errs less (``docs/proofs/index_with_coins.md``).

    Args:
        checks: r, from 2 to 4.

    >>> found = syndrome_index(2).measure_error()
    >>> found.worst_error, found.exact, found.worst_bits
    (Fraction(1, 4), True, 1)
    """
    checks = require_integer("checks", checks, low=2, high=MOST_CHECKS)
    n = (1 << checks) - 1

    @array_party
    def alice(words: Any, heard: Any, public: int) -> Any:
        if heard:
            return AnswerEach(None)
        return SendEach(nearest_words(flipped(words, public, n), checks), n - checks, "the nearest code word")

    @array_party
    def bob(positions: Any, heard: Any, public: int) -> Any:
        if not heard:
            return Receive(width=n - checks)
        word = restored_words(np.array([heard[0].bits.to_unsigned()]), checks)
        return AnswerEach(flipped(word, public, n) >> (n - positions) & 1)

    return Protocol(
        f"syndrome index({n})",
        index(n),
        {"alice": alice, "bob": bob},
        answer="bob",
        cost=Cost("N - r", {"N": n, "r": checks}),
        error=Fraction(1, n + 1),
        public=Coins.bits(checks),
        source="Hamming 1950",
    )


def flipped(words: Array, place: int, n: int) -> Array:
    """Words with the bit at a place, counted from 1 at the front, turned over; 0 is no place."""
    return words ^ (1 << (n - place)) if place else words


def syndromes(words: Array, n: int) -> Array:
    """The exclusive or of the numbers of places with a 1."""
    found = np.zeros_like(words)
    for place in range(1, n + 1):
        found ^= place * (words >> (n - place) & 1)
    return found


def nearest_words(words: Array, checks: int) -> Array:
    """The bits of the nearest code words at places that are no powers of 2, in order."""
    n = (1 << checks) - 1
    found, wrong = np.asarray(words), syndromes(np.asarray(words), n)
    found = np.where(wrong > 0, found ^ (1 << (n - wrong)), found)
    said = np.zeros_like(found)
    for place in _told(n):
        said = said << 1 | found >> (n - place) & 1
    return said


def restored_words(said: Array, checks: int) -> Array:
    """The code words with these bits at places that are no powers of 2.

    >>> [format(word, "03b") for word in restored_words(np.array([0, 1]), 2)]
    ['000', '111']
    """
    n, words = (1 << checks) - 1, np.zeros_like(said)
    for number, place in enumerate(reversed(_told(n))):
        words |= (said >> number & 1) << (n - place)
    wrong = syndromes(words, n)
    for check in range(checks):
        words |= (wrong >> check & 1) << (n - (1 << check))
    return words


def _told(n: int) -> list[int]:
    return [place for place in range(1, n + 1) if place & (place - 1)]
