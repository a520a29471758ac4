"""Three protocols written as generators, one input at a time, as a textbook tells them.

Each does exactly what its namesake does that is written for many inputs at once: tests compare the two.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from ccsim.bits import Bits
from ccsim.engine import Protocol, Receive, Send
from ccsim.errors import InputError
from ccsim.problems import TwoPartyFunction
from protocols.classical.index import two_way_index
from protocols.classical.inner_product_equality import inner_product_equality
from protocols.classical.inner_products import strings_of
from protocols.classical.trivial import trivial
from protocols.classical.widths import width_of

__all__ = ["inner_product_equality_step_by_step", "trivial_step_by_step", "two_way_index_step_by_step"]

Talk = Generator[Send | Receive, Any, Any]


def trivial_step_by_step(function: TwoPartyFunction, sender: str = "alice") -> Protocol:
    """:func:`~protocols.classical.trivial.trivial` with generator parties: L(inputs) + L(answers) bits, exactly.

    ``sender`` sends its input, the other party replies with the answer; both know it.

    >>> from ccsim.problems import equality
    >>> print(trivial_step_by_step(equality(2)).run("01", "11"))
    #  channel       bits  total  message  meaning
    1  alice → bob      2      2  01       input
    2  bob → alice      1      3  0        answer
    3 bits in 2 messages, 2 rounds
    answer 0 (expected 0)
    """
    if sender not in ("alice", "bob"):
        raise InputError("sender", sender, "'alice' or 'bob'")
    listener = "bob" if sender == "alice" else "alice"
    sent = function.alice if sender == "alice" else function.bob
    width, answer_width = width_of(sent.size), width_of(len(function.answers))

    def speaking(own: Any) -> Talk:
        yield Send(Bits.unsigned(sent.index(own), width), "input")
        reply = yield Receive(width=answer_width)
        return function.answers[reply.to_unsigned()]

    def listening(own: Any) -> Talk:
        message = yield Receive(width=width)
        other = sent.value(message.to_unsigned())
        answer = function(other, own) if sender == "alice" else function(own, other)
        code = 0 if answer is None else function.code(answer)
        yield Send(Bits.unsigned(code, answer_width), "answer")
        return function.answers[code]

    return replace(trivial(function, sender), parties={sender: speaking, listener: listening})


def two_way_index_step_by_step(n: int) -> Protocol:
    """:func:`~protocols.classical.index.two_way_index` with generator parties: L(n) + 1 bits, exactly.

    Bob sends his position, Alice replies with the bit there; both know it.

    >>> two_way_index_step_by_step(4).run("0100", 2).answer
    1
    """
    width = width_of(n)

    def alice(string: Bits) -> Talk:
        position = (yield Receive(width=width)).to_unsigned() + 1
        bit = string[position - 1]
        yield Send(Bits([bit]), f"bit {position} of x")
        return bit

    def bob(position: int) -> Talk:
        yield Send(Bits.unsigned(position - 1, width), "position, counted from 0")
        return (yield Receive(width=1))[0]

    return replace(two_way_index(n), parties={"alice": alice, "bob": bob})


def inner_product_equality_step_by_step(n: int, repetitions: int = 2) -> Protocol:
    """The inner-product protocol for EQ_n with generator parties: t + 1 bits and error 2^-t, both exactly.

    See :func:`~protocols.classical.inner_product_equality.inner_product_equality`, with t = ``repetitions``.
    Both know the answer.

    >>> inner_product_equality_step_by_step(4).run("0110", "0110", seed=1).answer
    1
    """

    def fingerprint(string: Bits, public: int) -> Bits:
        strings = strings_of(public, n, repetitions)
        return Bits([(string.to_unsigned() & shared).bit_count() & 1 for shared in strings])

    def alice(x: Bits, public: int) -> Talk:
        yield Send(fingerprint(x, public), "inner products of x")
        return (yield Receive(width=1))[0]

    def bob(y: Bits, public: int) -> Talk:
        same = (yield Receive(width=repetitions)) == fingerprint(y, public)
        yield Send(Bits([same]), "the same inner products")
        return int(same)

    return replace(inner_product_equality(n, repetitions), parties={"alice": alice, "bob": bob})
