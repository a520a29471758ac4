"""Parties, written in two ways with one meaning.

A *generator party* handles one input at a time and reads like the protocol in a textbook::

    def bob(y):
        x = yield Receive()
        equal = x == y
        yield Send(Bits.unsigned(equal, 1), "x = y")
        return int(equal)

An *array party* handles all its inputs that are still possible at once, and keeps no memory: it is asked anew
at each step with the messages that it has sent and heard so far::

    @array_party
    def bob(ys, heard):
        if len(heard) == 0:
            return Receive()
        if len(heard) == 1:
            return SendEach(ys == heard[0].bits.to_unsigned(), 1, "x = y")
        return AnswerEach(heard[1].bits.to_unsigned())

Shared coins come as the keyword ``public`` and a party's own coins as the keyword ``private``; a party is
given neither unless the protocol grants them.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.engine.batches import (
    AnswerBatch,
    Batch,
    BrokenRuleError,
    SendBatch,
    batch_of_array_step,
    batch_of_steps,
    told,
)
from ccsim.engine.steps import Answer, AnswerEach, Receive, Send, SendEach, Step
from ccsim.engine.transcript import Said
from ccsim.engine.views import View
from ccsim.errors import InputError

Heard = tuple[Said, ...]
Encode = Callable[[Hashable], int]


class Conversation(ABC):
    """One party in one run."""

    @abstractmethod
    def advance(self, received: Said | None = None) -> Step:
        """The next step: after the start or a send with nothing, after a receive with the message."""

    def close(self) -> None:
        """Give back what the party holds."""
        return


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation that stands at ``step``, after ``told`` messages were sent or heard."""

    conversation: Conversation
    step: Step
    told: int


Talks = dict[int, Talk]


class Party(ABC):
    """Somebody who takes part in a protocol; what it may see is a :class:`~ccsim.engine.views.View`.

    Attributes:
        remembers: whether a question goes on from where the last one stopped, so that determinism has to be
            checked by playing from the start again, once at the end.
    """

    remembers: bool = False

    @abstractmethod
    def converse(self, view: View, index: int, decode: Callable[[int], Hashable]) -> Conversation:
        """Begin a run with one view; ``decode`` gives the answer for an answer code."""

    @abstractmethod
    def ask(self, view: View, indices: Array, heard: Heard, encode: Encode, talks: Talks) -> tuple[Batch, Talks]:
        """The next step for each of these views after what was sent and heard.

        ``talks`` holds conversations that can be gone on with; those that are used are taken out of it, and
        come back, as they then stand, beside the steps.
        """

    def needs(self, coins: str) -> bool:
        """Whether the party is a function that cannot be called without ``public`` or ``private`` coins."""
        function = getattr(self, "function", None)
        try:
            given = list(inspect.signature(function).parameters.values())[1:] if function else []
        except (TypeError, ValueError):  # of some callables nothing is known
            return False
        return any(one.name == coins and one.default is inspect.Parameter.empty for one in given)


class GeneratorParty(Party):
    """A party written as a generator function of its input."""

    remembers = True

    def __init__(self, function: Callable[..., Generator[Send | Receive, Any, Any]]) -> None:
        self.function = function

    def converse(self, view: View, index: int, decode: Callable[[int], Hashable]) -> Conversation:
        """Start the generator."""
        return GeneratorConversation(self.function, *view.arguments(index))

    def ask(self, view: View, indices: Array, heard: Heard, encode: Encode, talks: Talks) -> tuple[Batch, Talks]:
        """Go on with a conversation that stands there, or play it from the start; what was said must come again."""
        after = {index: self._catch_up(view, index, heard, talks.pop(index, None)) for index in indices.tolist()}
        return batch_of_steps([talk.step for talk in after.values()], indices, encode), after

    def _catch_up(self, view: View, index: int, heard: Heard, talk: Talk | None) -> Talk:
        if talk is None:
            conversation = GeneratorConversation(self.function, *view.arguments(index))
            talk = Talk(conversation, conversation.advance(), 0)
        step, role = talk.step, view.role
        for message in heard[talk.told :]:
            own = message.sender == role
            if own and not (isinstance(step, Send) and step.bits == message.bits):
                note = f"{role} sent {message.bits} and, asked again, wants to {told(step)}"
                raise BrokenRuleError("determinism", note, [index])
            if not own and not isinstance(step, Receive):
                note = f"{role} received and, asked again, wants to {told(step)}"
                raise BrokenRuleError("determinism", note, [index])
            step = talk.conversation.advance(None if own else message)
        return Talk(talk.conversation, step, len(heard))

    def __repr__(self) -> str:
        return f"GeneratorParty({getattr(self.function, '__name__', self.function)})"


class GeneratorConversation(Conversation):
    """A running generator."""

    def __init__(self, function: Callable[..., Any], inputs: tuple[Any, ...], coins: dict[str, int]) -> None:
        self._generator = function(*inputs, **coins)
        if not inspect.isgenerator(self._generator):
            raise InputError("party", function, "a generator function, or a function marked @array_party")

    def advance(self, received: Said | None = None) -> Step:
        """Run to the next yield or return."""
        try:
            step = self._generator.send(received.bits if received else None)
        except StopIteration as finished:
            return Answer(finished.value)
        if not isinstance(step, (Send, Receive)):
            raise InputError("yielded step", step, "Send(...) or Receive()")
        return step

    def close(self) -> None:
        """Close the generator."""
        self._generator.close()


class ArrayParty(Party):
    """A party written as a function of an array of inputs and the messages so far."""

    def __init__(self, function: Callable[..., SendEach | Receive | AnswerEach]) -> None:
        self.function = function

    def converse(self, view: View, index: int, decode: Callable[[int], Hashable]) -> Conversation:
        """A run asks about an array of one view."""
        return ArrayConversation(self, view, index, decode)

    def ask(self, view: View, indices: Array, heard: Heard, encode: Encode, talks: Talks) -> tuple[Batch, Talks]:
        """Call the function once for all views."""
        arrays, coins = view.rows(indices)
        return batch_of_array_step(self.function(*arrays, heard, **coins), indices), {}

    def __repr__(self) -> str:
        return f"ArrayParty({getattr(self.function, '__name__', self.function)})"


class ArrayConversation(Conversation):
    """A run of an array party: it is asked about its one view with what was said so far."""

    def __init__(self, party: Party, view: View, index: int, decode: Callable[[int], Hashable]) -> None:
        self._party, self._view, self._decode = party, view, decode
        self._index = np.array([index], dtype=np.int64 if view.size < 1 << 62 else object)
        self._heard: Heard = ()
        self._last: Step | None = None

    def advance(self, received: Said | None = None) -> Step:
        """Ask the party again with one message more."""
        if isinstance(self._last, Send):
            self._heard += (Said(self._view.role, self._last.bits),)
        if received is not None:
            self._heard += (received,)
        batch, _ = self._party.ask(self._view, self._index, self._heard, lambda answer: 0, {})
        if isinstance(batch, SendBatch):
            self._last = Send(batch.words[int(batch.keys[0])], batch.label, batch.to)
        elif isinstance(batch, AnswerBatch):
            self._last = Answer(self._decode(int(batch.codes[0])))
        else:
            self._last = batch
        return self._last


def array_party(function: Callable[..., SendEach | Receive | AnswerEach]) -> ArrayParty:
    """Mark a function ``(inputs, heard, [public=], [private=])`` as an array party; see the module's text."""
    return ArrayParty(function)


def as_party(party: Party | Callable[..., Any]) -> Party:
    """A party as it is, or a generator function made into one."""
    if isinstance(party, Party):
        return party
    if callable(party):
        return GeneratorParty(party)
    raise InputError("party", party, "a generator function, or a function marked @array_party")
