"""Public coins: Newman's theorem replaces them by private ones; with them, disjointness of small sets is cheap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import count
from math import ceil, comb
from typing import Any

import numpy as np

from ccsim.bits import Bits
from ccsim.engine import (
    AnswerEach,
    ArrayParty,
    Coins,
    Cost,
    GeneratorParty,
    Party,
    Protocol,
    Receive,
    Received,
    Send,
    SendEach,
    array_party,
    draw,
)
from ccsim.errors import Array, InputError, require_integer
from ccsim.problems import sparse_disjointness
from protocols.classical.deterministic import width_of
from protocols.classical.fingerprints import require_error


def newman(protocol: Protocol, extra_error: Fraction | float, seed: int = 0) -> Protocol:
    """A protocol with public coins as one with private coins, at L(t) more bits and a little more error.

    The first party to speak draws one of t fixed outcomes of the public coins by its private coins and announces its
    number; then the old protocol runs, at L(t) bits more, with an error of at most the old claim plus ``extra_error``:
    t = O(n / extra_error^2) outcomes are enough for inputs of n bits (Newman 1991; Kushilevitz and Nisan 1997, chapter
    3).

    Outcomes are drawn from ``seed``, with repetitions, for t = 1, 2, 4, ..., and the error is *verified* exactly on
    every input, so inputs must be few enough to be explored. Works with generator and array parties, with or without
    private coins, in the models in which all hear every message.

    Raises :class:`~ccsim.errors.InputError` if the protocol has no public coins or the wrong model, or if so many
    outcomes would be needed that their errors could not be verified.

    >>> from protocols.classical import inner_product_equality
    >>> private = newman(inner_product_equality(3, repetitions=2), Fraction(1, 4))
    >>> private.public, private.private["alice"], str(private.cost), private.error
    (None, Coins(size=4), 't + 1 + L(choices)', Fraction(1, 2))
    """
    if protocol.public is None:
        raise InputError("protocol", protocol.name, "a protocol with public coins")
    if protocol.model.channels != "broadcast" or protocol.model.forehead:
        raise InputError("protocol", protocol.model.name, "inputs in hand, and a model in which all hear every message")
    goal = protocol.error + require_error("extra_error", extra_error)
    drawn: list[int] = []
    while True:  # measuring refuses too many coins
        numbers = range(len(drawn), max(1, 2 * len(drawn)))
        drawn += [draw(protocol.public.size, seed, "newman", number) for number in numbers]
        candidate = announcing(protocol, drawn, goal)
        measured = candidate.measure_error()
        if measured.within_claim:
            cost = candidate.cost
            return replace(candidate, cost=cost and replace(cost, exact=measured.worst_bits == cost.bits))


def announcing(protocol: Protocol, outcomes: Sequence[int], goal: Fraction) -> Protocol:
    model, fixed = protocol.model, tuple(outcomes)
    speaker = model.first or (model.speakers or model.players)[0]
    old_coins = protocol.private[speaker].size if speaker in protocol.private else None
    parties = {
        role: _announced(protocol.party(role), fixed, role == speaker, old_coins if role == speaker else None)
        for role in model.roles
    }
    cost = protocol.cost
    return replace(
        protocol,
        name=f"newman({protocol.name}, {len(fixed)} outcomes)",
        parties=parties,
        cost=cost and Cost(f"{cost} + L(choices)", {**cost.parameters, "choices": len(fixed)}, cost.exact),
        error=goal,
        public=None,
        private={**protocol.private, speaker: Coins(len(fixed) * (old_coins or 1))},
        source="Newman 1991",
    )


def _announced(party: Party, outcomes: Sequence[int], speaks: bool, old_coins: int | None) -> Party:
    """A party that first draws and announces an outcome, its own old coins being the low part; or that hears one."""
    width, label, each = width_of(len(outcomes)), "which outcome of the public coins", old_coins or 1

    def coins_for(coins: dict[str, Any]) -> dict[str, Any]:
        if not speaks:
            return coins
        return {} if old_coins is None else {"private": coins["private"] % old_coins}

    def public(announced: Bits) -> int:
        return outcomes[announced.to_unsigned()]

    if isinstance(party, ArrayParty):

        @array_party
        def in_arrays(*arguments: Any, **coins: Any) -> Any:
            *inputs, heard = arguments
            if heard:
                return party.function(*inputs, heard[1:], public=public(heard[0].bits), **coins_for(coins))
            return SendEach(coins["private"] // each, width, label) if speaks else Receive(width=width)

        return in_arrays
    if not isinstance(party, GeneratorParty):
        raise InputError("protocol", party, "generator parties and array parties")

    def one_by_one(*inputs: Any, **coins: int) -> Any:
        if speaks:
            announced = Bits.unsigned(coins["private"] // each, width)
            yield Send(announced, label)
        else:
            announced = yield Receive(width=width)
        return (yield from party.function(*inputs, public=public(announced), **coins_for(coins)))

    return GeneratorParty(one_by_one)


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

    The coins are lists of random subsets of the n elements, a list for each message. The speaker, Alice first, sends
    the number of the first random set in the list that contains what is left of its own set; the listener keeps only
    those of its elements that are in it, about half if the sets are disjoint, and all shared ones. A speaker with
    nothing left sends so: the sets are disjoint. When the budget of c k bits is spent, or does not allow the next
    message, the answer is that they meet. Both know the answer (Håstad and Wigderson 2007).

    Sets that meet are always answered right. Disjoint sets are called meeting with a probability that depends only on
    k, c and the length of the lists, computed exactly here and reached when n >= 2k. The factor c is the smallest for
    which it is at most ``error`` unless ``factor`` is given: for 1/3 it is 9, 8, 7, 7, 7, 7 for k = 1, ..., 6.

    The code for set number i is the Elias gamma code of i + 1, "1" means that nothing is left, and a run of zeros
    longer than those of every code word that the budget still allows means that the speaker gives up.

    Cost: at most c k bits. The lists have ``sets`` random sets each, by default enough for the first message to fail
    with probability at most ``error`` / 4 (2^(k+2) - 2 sets for 1/3). The public coins are n * sets * floor(c k / 3)
    fair bits, and so k is at most 6. Raises :class:`~ccsim.errors.InputError` if no budget keeps the error with such
    lists.

    >>> protocol = hastad_wigderson(2, 1, factor=4, sets=2)
    >>> protocol.cost.bits, protocol.measure_error().worst_error, protocol.error
    (4, Fraction(5, 8), Fraction(5, 8))
    """
    function = sparse_disjointness(n, k)
    k = require_integer("k", k, low=1, high=MOST_ELEMENTS)
    bound = require_error("error", error)
    if sets is None:  # the shortest list of 2^j - 2 sets none of which contains k given elements with chance error / 4
        lengths = ((1 << j) - 2 for j in count(2))
        sets = next(length for length in lengths if (1 - Fraction(1, 1 << k)) ** length <= bound / 4)
    sets = require_integer("sets", sets, low=1)
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
    kept: Sequence[int]
    answer: int | None


@dataclass(frozen=True)
class _Talk:
    n: int
    sets: int
    budget: int

    @property
    def lists(self) -> int:
        """How many lists of random sets can be used: a message that names a set takes at least three bits."""
        return self.budget // 3

    def random_set(self, public: int, message: int, number: int) -> int:
        return (public >> (self.n * (message * self.sets + number))) & ((1 << self.n) - 1)

    def replay(self, heard: Sequence[Received], public: int) -> _Heard:
        remaining, kept = self.budget, [(1 << self.n) - 1] * 2
        for place, message in enumerate(heard):
            remaining -= len(message.bits)
            value = message.bits.to_unsigned()
            if value <= 1:
                return _Heard(remaining, kept, value)
            kept[1 - place % 2] &= self.random_set(public, place, value - 2)
        return _Heard(remaining, kept, None if remaining else 0)

    def messages(self, masks: Array, place: int, remaining: int, public: int) -> tuple[Array, Array]:
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
    """The most zeros with which a code word can begin that fits into what is left of the budget."""
    return min((remaining - 1) // 2, len(Bits.gamma(sets + 1)) // 2)


@cache
def _failure(mine: int, other: int, remaining: int, sets: int) -> Fraction:
    """The probability that disjoint sets, with these many elements left for speaker and listener, are not found so."""
    if remaining == 0:
        return Fraction(1)
    if mine == 0:
        return Fraction(0)
    miss = 1 - Fraction(1, 1 << mine)  # the chance that one random set does not contain the speaker's elements
    named, failed = Fraction(0), Fraction(0)
    for zeros in range(1, most_zeros(remaining, sets) + 1):
        first, last = (1 << zeros) - 1, min((2 << zeros) - 2, sets)
        chance = miss ** (first - 1) - miss**last
        named += chance
        failed += chance * _after_halving(mine, other, remaining - 2 * zeros - 1, sets)
    return failed + 1 - named


@cache
def _after_halving(mine: int, other: int, remaining: int, sets: int) -> Fraction:
    """The same after the listener has kept each element with probability 1/2, and speaks next."""
    total = sum(comb(other, kept) * _failure(kept, mine, remaining, sets) for kept in range(other + 1))
    return Fraction(total) / (1 << other)


def _smallest_factor(k: int, sets: int, error: Fraction) -> int:
    for factor in range(1, 66 + 8 * ceil(1 / error).bit_length()):
        if _failure(k, k, factor * k, sets) <= error:
            return factor
    raise InputError("sets", sets, f"longer lists of random sets, for an error of {error}")
