"""What a party can do next: send, receive, or answer; one input at a time or for many at once."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from ccsim.arrays import Array
from ccsim.bits import Bits
from ccsim.errors import InputError


@dataclass(frozen=True, slots=True, init=False)
class Send:
    """Send ``bits`` (Bits, or a text of 0 and 1), with a label that says what they mean.

    ``to`` names the receiver where the communication model has channels between pairs; a label costs
    nothing and no party ever sees it.
    """

    bits: Bits
    label: str = ""
    to: str | None = None

    def __init__(self, bits: Bits | str, label: str = "", to: str | None = None) -> None:
        if isinstance(bits, str):
            bits = Bits(bits)
        if not isinstance(bits, Bits):
            raise InputError("Send.bits", bits, "Bits or a text of 0 and 1")
        object.__setattr__(self, "bits", bits)
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "to", to)


@dataclass(frozen=True, slots=True)
class Receive:
    """Wait for a message: from ``sender`` where there are channels between pairs.

    With ``width``, a message of any other number of bits is an error.
    """

    sender: str | None = None
    width: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The party has finished, with this answer (what a generator party returns)."""

    value: Hashable


@dataclass(frozen=True, slots=True, eq=False)
class SendEach:
    """Send one message for each input of an array party.

    ``values`` holds an unsigned integer per input, written in ``width`` bits (at most 62; one width, or one
    per input); or a row of 0 and 1 per input, which is then the message itself.
    """

    values: Array
    width: int | Array | None = None
    label: str = ""
    to: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", np.asarray(self.values))


@dataclass(frozen=True, slots=True, eq=False)
class AnswerEach:
    """An array party has finished: one answer *code* (place among the function's answers) per input, or one for all."""

    codes: Array | int | bool | None


Step = Send | Receive | Answer
