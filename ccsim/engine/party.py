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
from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bits import Bits
from ccsim.engine.steps import Answer, AnswerEach, Receive, Send, SendEach, Step
from ccsim.engine.transcript import Said
from ccsim.engine.views import View
from ccsim.errors import InputError

__all__ = [
    "AnswerBatch",
    "ArrayParty",
    "Batch",
    "BrokenRuleError",
    "Conversation",
    "GeneratorParty",
    "Party",
    "SendBatch",
    "array_party",
    "as_party",
]

Array = npt.NDArray[Any]
Heard = tuple[Said, ...]
Encode = Callable[[Hashable], int]

MOST_WIDTH = 62


class BrokenRuleError(Exception):
    """A party broke a rule while it was asked about many views: which rule, and the views that show it."""

    def __init__(self, kind: str, message: str, views: Sequence[int]) -> None:
        super().__init__(message)
        self.kind, self.message, self.views = kind, message, tuple(int(view) for view in views)
        self.role: str | None = None

    def by(self, role: str) -> BrokenRuleError:
        """The same, with the role that broke the rule."""
        self.role = role
        return self


@dataclass(eq=False)
class SendBatch:
    """A message for each of many views: ``words[keys[i]]`` is what view number i sends."""

    keys: Array
    words: Sequence[Bits]
    label: str
    to: str | None

    def same(self, other: SendBatch) -> Array:
        """For each view, whether both batches send the same bits."""
        if self.words == other.words:
            return np.asarray(self.keys == other.keys)
        place = {word: key for key, word in enumerate(self.words)}
        translation = np.array([place.get(word, -1) for word in other.words], dtype=np.int64)
        return np.asarray(translation[other.keys] == self.keys)

    def prefix_clash(self) -> tuple[int, int] | None:
        """Two keys whose messages are different and one a prefix of the other, if there are any."""
        if isinstance(self.words, UnsignedWords) or len({len(word) for word in self.words}) <= 1:
            return None
        order = sorted(range(len(self.words)), key=lambda key: str(self.words[key]))
        for shorter, longer in pairwise(order):
            if self.words[longer].starts_with(self.words[shorter]):
                return shorter, longer
        return None


@dataclass(eq=False)
class AnswerBatch:
    """An answer code for each of many views."""

    codes: Array


Batch = SendBatch | Receive | AnswerBatch


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
        return _gather([talk.step for talk in after.values()], indices, encode), after

    def _catch_up(self, view: View, index: int, heard: Heard, talk: Talk | None) -> Talk:
        if talk is None:
            conversation = GeneratorConversation(self.function, *view.arguments(index))
            talk = Talk(conversation, conversation.advance(), 0)
        step, role = talk.step, view.role
        for message in heard[talk.told :]:
            own = message.sender == role
            if own and not (isinstance(step, Send) and step.bits == message.bits):
                note = f"{role} sent {message.bits} and, asked again, wants to {_told(step)}"
                raise BrokenRuleError("determinism", note, [index])
            if not own and not isinstance(step, Receive):
                note = f"{role} received and, asked again, wants to {_told(step)}"
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
        step = self.function(*arrays, heard, **coins)
        if isinstance(step, Receive):
            return step, {}
        if isinstance(step, AnswerEach):
            codes = np.asarray(-1 if step.codes is None else step.codes)
            return AnswerBatch(np.broadcast_to(_integers(codes, "AnswerEach.codes"), (len(indices),))), {}
        if isinstance(step, SendEach):
            return _send_batch(step, indices), {}
        raise InputError("returned step", step, "SendEach(...), Receive() or AnswerEach(...)")

    def __repr__(self) -> str:
        return f"ArrayParty({getattr(self.function, '__name__', self.function)})"


class ArrayConversation(Conversation):
    """A run of an array party: it is asked about its one view with what was said so far."""

    def __init__(self, party: ArrayParty, view: View, index: int, decode: Callable[[int], Hashable]) -> None:
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


def _gather(steps: list[Step], indices: Array, encode: Encode) -> Batch:
    """The steps of many views as one batch, if they are of one kind."""
    kinds = [_kind(step) for step in steps]
    for place, kind in enumerate(kinds):
        if kind != kinds[0]:
            raise BrokenRuleError(
                "turn",
                f"whose turn it is depends on the input: {_told(steps[0])} on one, {_told(steps[place])} on another",
                [indices[0], indices[place]],
            )
    first = steps[0]
    if isinstance(first, Receive):
        return first
    if isinstance(first, Answer):
        return AnswerBatch(np.array([encode(step.value) for step in steps if isinstance(step, Answer)]))
    book: dict[Bits, int] = {}
    keys = [book.setdefault(step.bits, len(book)) for step in steps if isinstance(step, Send)]
    return SendBatch(np.array(keys), list(book), first.label, first.to)


def _kind(step: Step) -> tuple[object, ...]:
    if isinstance(step, Send):
        return (Send, step.to)
    if isinstance(step, Receive):
        return (Receive, step.sender, step.width)
    return (Answer,)


def _told(step: Step) -> str:
    if isinstance(step, Send):
        return f"send {step.bits}" + (f" to {step.to}" if step.to else "")
    if isinstance(step, Receive):
        return "receive" + (f" from {step.sender}" if step.sender else "")
    return f"answer {step.value!r}"


def _send_batch(step: SendEach, indices: Array) -> SendBatch:
    """An array of values as keys into a code book of messages."""
    values = np.asarray(step.values)
    if values.ndim == 2:
        return _rows_batch(step, values, indices)
    if values.dtype == object and isinstance(step.width, int) and step.width > MOST_WIDTH:
        words = [Bits.unsigned(value, step.width) for value in np.broadcast_to(values, (len(indices),)).tolist()]
        book = {word: key for key, word in enumerate(dict.fromkeys(words))}
        return SendBatch(np.array([book[word] for word in words]), list(book), step.label, step.to)
    if values.shape not in ((), (len(indices),)):
        raise InputError("SendEach.values", values.shape, f"one value for each of {len(indices)} inputs")
    values = np.broadcast_to(_integers(values, "SendEach.values"), (len(indices),))
    widths = np.broadcast_to(np.asarray(-1 if step.width is None else step.width), (len(indices),))
    low, high = int(widths.min()), int(widths.max())
    if not 0 <= low <= high <= MOST_WIDTH:
        raise InputError("SendEach.width", step.width, f"from 0 to {MOST_WIDTH} bits (rows of 0 and 1 beyond)")
    wrong = (values < 0) | (values >> widths != 0)
    if wrong.any():
        place = int(np.argmax(wrong))
        raise InputError("SendEach.values", int(values[place]), f"an unsigned integer of {widths[place]} bits")
    if low == high <= 12:
        return SendBatch(values, UnsignedWords(low), step.label, step.to)
    packed, keys = np.unique(np.stack([widths, values]), axis=1, return_inverse=True)
    words = [Bits.unsigned(int(value), int(width)) for width, value in packed.T]
    return SendBatch(keys.ravel(), words, step.label, step.to)


def _rows_batch(step: SendEach, values: Array, indices: Array) -> SendBatch:
    values = _integers(values, "SendEach.values")
    if len(values) != len(indices) or (values.size and not 0 <= values.min() <= values.max() <= 1):
        raise InputError("SendEach.values", values.shape, f"a row of 0 and 1 for each of {len(indices)} inputs")
    if step.width is not None and step.width != values.shape[1]:
        raise InputError("SendEach.width", step.width, f"the {values.shape[1]} bits of each row")
    packed, keys = np.unique(np.packbits(values.astype(np.uint8), axis=1), axis=0, return_inverse=True)
    words = [Bits.from_bytes(row.tobytes(), values.shape[1]) for row in packed]
    return SendBatch(keys.ravel(), words, step.label, step.to)


def _integers(values: Array, name: str) -> Array:
    if values.dtype == object:
        values = values.astype(np.int64)
    if values.dtype == bool:
        return values.astype(np.int64)
    if not np.issubdtype(values.dtype, np.integer):
        raise InputError(name, values.dtype, "integers or booleans")
    return values


class UnsignedWords(Sequence[Bits]):
    """All numbers of one width as bits, made when asked for."""

    def __init__(self, width: int) -> None:
        self.width = width

    def __len__(self) -> int:
        return 1 << self.width

    def __getitem__(self, key: Any) -> Any:
        return Bits.unsigned(key, self.width)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnsignedWords) and self.width == other.width

    def __hash__(self) -> int:
        return hash((UnsignedWords, self.width))
