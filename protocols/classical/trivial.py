"""The trivial protocol: one party sends its whole input, the other the answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.engine import AnswerEach, Cost, Protocol, Receive, SendEach, array_party
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems import TwoPartyFunction
from protocols.classical.widths import width_of

__all__ = ["trivial"]


def trivial(function: TwoPartyFunction, sender: str = "alice") -> Protocol:
    """``sender`` sends the index of its input, the other party replies with the code of the answer.

    Works for every two-party function, total or partial. Both know the answer. Cost: L(inputs) + L(answers)
    bits in two rounds, where L(k) = ceiling(log2 k) (Kushilevitz and Nisan 1997, chapter 1).

    >>> from ccsim.problems import disjointness
    >>> trivial(disjointness(3)).explore().worst_bits
    4
    """
    if sender not in ("alice", "bob"):
        raise InputError("sender", sender, "'alice' or 'bob'")
    listener = "bob" if sender == "alice" else "alice"
    sent = function.alice if sender == "alice" else function.bob
    width, answer_width = width_of(sent.size), width_of(len(function.answers))

    @array_party
    def speaking(inputs: Any, heard: Any) -> Any:
        if not heard:
            return SendEach(sent.places(inputs), width, "input")
        return Receive(width=answer_width) if len(heard) == 1 else AnswerEach(heard[1].bits.to_unsigned())

    @array_party
    def listening(inputs: Any, heard: Any) -> Any:
        if not heard:
            return Receive(width=width)
        if len(heard) == 2:
            return AnswerEach(heard[1].bits.to_unsigned())
        received = sent.array(np.array([heard[0].bits.to_unsigned()], dtype=np.int64 if width <= 62 else object))
        pair = (received, inputs) if sender == "alice" else (inputs, received)
        codes = np.asarray(function.evaluate(*pair))
        return SendEach(np.where(codes == DONT_CARE, 0, codes), answer_width, "answer")

    return Protocol(
        f"trivial from {sender} for {function.name}",
        function,
        {sender: speaking, listener: listening},
        cost=Cost("L(inputs) + L(answers)", {"inputs": sent.size, "answers": len(function.answers)}),
        source="Kushilevitz and Nisan 1997, chapter 1",
    )
