"""Disjointness of small sets: name a shared random set around your own, and the other set halves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import count
from math import ceil, comb
from typing import Any

import numpy as np

from ccsim.bits import Bits
from ccsim.engine import AnswerEach, ArrayParty, Coins, Cost, Protocol, Receive, Said, SendEach, array_party
from ccsim.errors import Array, InputError, require_integer
from ccsim.problems import sparse_disjointness
from protocols.classical.numbers import require_error

MOST_ELEMENTS = 6
"""The largest k: the list of about 2^(k+2) random sets for each message is written out in full."""


def hastad_wigderson(
    n: int,
    k: int,
    error: Fraction | float = Fraction(1, 3),
    *,
    factor: int | None = None,
    sets: int | None = None,
) -> Protocol:
    """Whether two k-subsets of {0, ..., n-1} are disjoint, with public coins and O(k) bits, whatever n is.

    The coins are lists of random subsets of the n elements, a list for each message. The parties speak in
    turn, Alice first. The speaker sends the number of the first random set in the list that contains what is
    left of its own set; the listener keeps only those of its elements that are in it, about half if the sets
    are disjoint, and all shared ones. A speaker with nothing left says so: the sets are disjoint. When the
    budget of c k bits is spent, or does not allow the next message, the answer is that they meet.
    Both know the answer (Håstad and Wigderson 2007).

    Sets that meet are always answered right. Disjoint sets are called meeting with a probability that depends
    only on k, c and the length of the lists: each random set around the speaker's elements leaves each of the
    listener's elements with probability 1/2. It is computed exactly here, and reached when n >= 2k. The
    factor c is the smallest for which it is at most ``error`` unless ``factor`` is given: for 1/3 it is
    9, 8, 7, 7, 7, 7 for k = 1, ..., 6.

    The code for set number i is the Elias gamma code of i + 1, "1" means that nothing is left, and a run of
    zeros longer than those of every code word that the budget still allows means that the speaker gives up.

    Cost: at most c k bits. The lists have ``sets`` random sets each, by default enough for the first message
    to fail with probability at most ``error`` / 4 (2^(k+2) - 2 sets for 1/3). The public coins are
    n * sets * floor(c k / 3) fair bits, and so k is at most 6. Raises :class:`~ccsim.errors.InputError` if
    no budget keeps the error with lists of the given length.

    >>> protocol = hastad_wigderson(2, 1, factor=4, sets=2)
    >>> measured = protocol.measure_error()
    >>> protocol.cost.bits, measured.worst_error, protocol.error
    (4, Fraction(5, 8), Fraction(5, 8))
    """
    function = sparse_disjointness(n, k)
    k = require_integer("k", k, low=1, high=MOST_ELEMENTS)
    bound = require_error("error", error)
    sets = _long_enough(k, bound) if sets is None else require_integer("sets", sets, low=1)
    factor = _smallest_factor(k, sets, bound) if factor is None else require_integer("factor", factor, low=1)
    talk = _Talk(n, sets, factor * k)

    def party(own: int) -> ArrayParty:
        @array_party
        def speak(masks: Any, heard: Any, public: int) -> Any:
            now = talk.replay(heard, public)
            if now.answer is not None:
                return AnswerEach(now.answer)
            if len(heard) % 2 != own:
                return Receive()
            values, widths = talk.messages(masks & now.kept[own], len(heard), now.remaining, public)
            return SendEach(values, widths, "a random set around what is left, or the end")

        return speak

    return Protocol(
        f"hastad_wigderson({n}, {k})",
        function,
        {"alice": party(0), "bob": party(1)},
        cost=Cost("c * k", {"c": factor, "k": k}, exact=False),
        error=_failure(k, k, factor * k, sets),
        public=Coins.bits(n * sets * talk.lists),
        source="Håstad and Wigderson 2007",
    )


@dataclass(frozen=True)
class _Heard:
    """What both parties know: the budget left, the random set that each must keep to, the answer."""

    remaining: int
    kept: tuple[int, int]
    answer: int | None


@dataclass(frozen=True)
class _Talk:
    """The code of the messages, and what they lead to."""

    n: int
    sets: int
    budget: int

    @property
    def lists(self) -> int:
        """How many lists of random sets can be used: a message that names a set takes at least three bits."""
        return self.budget // 3

    def random_set(self, public: int, message: int, number: int) -> int:
        """Random set ``number`` (from 0) in the list for message ``message``, as a mask."""
        return (public >> (self.n * (message * self.sets + number))) & ((1 << self.n) - 1)

    def replay(self, heard: Sequence[Said], public: int) -> _Heard:
        remaining, kept = self.budget, [(1 << self.n) - 1] * 2
        for place, message in enumerate(heard):
            remaining -= len(message.bits)
            value = message.bits.to_unsigned()
            if value <= 1:
                return _Heard(remaining, (kept[0], kept[1]), value)
            kept[1 - place % 2] &= self.random_set(public, place, value - 2)
        return _Heard(remaining, (kept[0], kept[1]), None if remaining else 0)

    def messages(self, masks: Array, place: int, remaining: int, public: int) -> tuple[Array, Array]:
        """For each set that is left, the number to send and its width."""
        zeros = most_zeros(remaining, self.sets)
        if zeros:
            sets = np.array([self.random_set(public, place, number) for number in range(self.sets)])
            around = (masks[:, None] & ~sets) == 0
            codes = np.where(around.any(axis=1), around.argmax(axis=1) + 2, 0)
        else:
            codes = np.zeros(len(masks), dtype=np.int64)
        codes = np.where(masks == 0, 1, codes)
        leading = np.frexp(codes)[1] - 1  # the zeros of the gamma code, floor(log2 code)
        given_up = (codes == 0) | (leading > zeros)
        return np.where(given_up, 0, codes), np.where(given_up, zeros + 1, 2 * leading + 1)


def most_zeros(remaining: int, sets: int) -> int:
    """The most zeros with which a code word can begin that fits into what is left of the budget.

    >>> most_zeros(2, sets=6), most_zeros(3, sets=6), most_zeros(20, sets=6)
    (0, 1, 2)
    """
    return min((remaining - 1) // 2, len(Bits.gamma(sets + 1)) // 2)


@cache
def _failure(mine: int, other: int, remaining: int, sets: int) -> Fraction:
    """The probability that disjoint sets, with these many elements left for speaker and listener, are not found so."""
    if remaining == 0:
        return Fraction(1)
    if mine == 0:
        return Fraction(0)
    miss = 1 - Fraction(1, 1 << mine)  # the chance that one random set does not contain the speaker's elements
    found, failed = Fraction(0), Fraction(0)
    for zeros in range(1, most_zeros(remaining, sets) + 1):
        first, last = (1 << zeros) - 1, min((2 << zeros) - 2, sets)
        chance = miss ** (first - 1) - miss**last
        found += chance
        failed += chance * _after_halving(mine, other, remaining - 2 * zeros - 1, sets)
    return failed + 1 - found


@cache
def _after_halving(mine: int, other: int, remaining: int, sets: int) -> Fraction:
    """The same after the listener has kept each element with probability 1/2, and speaks next."""
    total = sum(comb(other, kept) * _failure(kept, mine, remaining, sets) for kept in range(other + 1))
    return Fraction(total) / (1 << other)


def _long_enough(k: int, error: Fraction) -> int:
    """The shortest list, of 2^j - 2 sets, none of which contains k given elements with chance at most error / 4."""
    lengths = ((1 << j) - 2 for j in count(2))
    return next(length for length in lengths if (1 - Fraction(1, 1 << k)) ** length <= error / 4)


def _smallest_factor(k: int, sets: int, error: Fraction) -> int:
    """The smallest c for which a budget of c k bits keeps the error."""
    for factor in count(1):
        if _failure(k, k, factor * k, sets) <= error:
            return factor
        if factor > 64 + 8 * ceil(1 / error).bit_length():
            break
    raise InputError("sets", sets, f"longer lists of random sets, for an error of {error}")
