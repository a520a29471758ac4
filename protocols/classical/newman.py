"""Newman's theorem: a few outcomes of the public coins are enough, and one of them can be announced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any

from ccsim.bits import Bits
from ccsim.engine import (
    ArrayParty,
    Coins,
    Cost,
    GeneratorParty,
    Party,
    Protocol,
    Receive,
    Send,
    SendEach,
    array_party,
    draw,
)
from ccsim.errors import InputError
from protocols.classical.numbers import require_error, width_of


def newman(
    protocol: Protocol,
    extra_error: Fraction | float,
    seed: int = 0,
    outcomes: Iterable[int] | None = None,
) -> Protocol:
    """A protocol with public coins as one with private coins, at L(t) more bits and a little more error.

    The first party to speak draws one of t fixed outcomes of the public coins by its private coins and
    announces its number in L(t) bits; then the old protocol runs with this outcome. Who knows the answer does
    not change. The cost is that of the old protocol plus L(t) bits, and the error at most the old claim plus
    ``extra_error``: t = O(n / extra_error^2) outcomes are enough for inputs of n bits
    (Newman 1991; Kushilevitz and Nisan 1997, chapter 3).

    The theorem says that good outcomes exist; here they are drawn from ``seed``, with repetitions, for
    t = 1, 2, 4, ..., or given as ``outcomes``, and the error is *verified* exactly on every input, so inputs
    must be few enough to be explored. Works with generator and array parties, and with a protocol that has
    private coins already, in the models in which all hear every message.

    Raises :class:`~ccsim.errors.InputError` if the protocol has no public coins or the wrong model, if the
    given outcomes do not keep the error, or if so many would be needed that their errors could not be
    verified.

    >>> from protocols.classical import inner_product_equality
    >>> public = inner_product_equality(3, repetitions=2)
    >>> private = newman(public, Fraction(1, 4))
    >>> private.public, private.private["alice"], str(private.cost), private.error
    (None, Coins(size=4), 't + 1 + L(choices)', Fraction(1, 2))
    >>> private.measure_error().worst_error <= private.error
    True
    """
    if protocol.public is None:
        raise InputError("protocol", protocol.name, "a protocol with public coins")
    if protocol.model.channels != "broadcast" or protocol.model.forehead:
        raise InputError("protocol", protocol.model.name, "inputs in hand, and a model in which all hear every message")
    goal = protocol.error + require_error("extra_error", extra_error)
    if outcomes is not None:
        chosen = [protocol.public.check(outcome, "outcomes") for outcome in outcomes]
        if not chosen:
            raise InputError("outcomes", chosen, "one or more outcomes of the public coins")
        verified = _verified(_announcing(protocol, chosen, goal))
        if verified is None:
            raise InputError("outcomes", chosen, f"outcomes with an error of at most {goal} on every input")
        return verified
    drawn: list[int] = []
    for doubling in count():
        drawn += [draw(protocol.public.size, seed, "newman", number) for number in range(len(drawn), 1 << doubling)]
        verified = _verified(_announcing(protocol, drawn, goal))
        if verified is not None:
            return verified
    raise AssertionError("measuring refuses too many coins before this")


def _verified(candidate: Protocol) -> Protocol | None:
    """The protocol if it keeps its error on every input, with its cost called exact only if it is reached."""
    measured = candidate.measure_error()
    if not measured.within_claim:
        return None
    if candidate.cost is None:
        return candidate
    reached = measured.worst_bits == candidate.cost.bits
    return replace(candidate, cost=replace(candidate.cost, exact=reached))


def _announcing(protocol: Protocol, outcomes: Sequence[int], goal: Fraction) -> Protocol:
    """The protocol in which one of these outcomes is announced."""
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
            said = Bits.unsigned(coins["private"] // each, width)
            yield Send(said, label)
        else:
            said = yield Receive(width=width)
        return (yield from party.function(*inputs, public=public(said), **coins_for(coins)))

    return GeneratorParty(one_by_one)
