"""Parties: what each of them sees, what it may do next, and the two ways to write one.

A *generator party* handles one input at a time, as the one in :class:`~ccsim.engine.protocol.Protocol`. An *array
party* handles all its inputs that are still possible at once, and keeps no memory: it is asked anew at each step with
the messages that it has sent and heard so far::

    @array_party
    def bob(ys, heard):
        if len(heard) == 0:
            return Receive()
        if len(heard) == 1:
            return SendEach(ys == heard[0].bits.to_unsigned(), 1, "x = y")
        return AnswerEach(heard[1].bits.to_unsigned())

Coins come as the keywords ``public`` and ``private`` (a party's own), each only if the protocol grants them.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from ccsim.bits import Bits
from ccsim.engine.model import Coins, CommunicationModel, Cost, Received, two_way
from ccsim.errors import Array, InputError, require_fraction, require_memory
from ccsim.matrices import DONT_CARE
from ccsim.problems.function import MultipartyFunction, as_function
from ccsim.problems.inputs import InputSet, Pairs


@dataclass(frozen=True, slots=True, init=False)
class Send:
    """Send ``bits``: Bits, a text or a list of 0 and 1, or one bit (0, 1, True or False, from numpy too).

    ``to`` names the receiver where channels are between pairs. ``label`` gives the meaning of the bits. It costs
    nothing, and no party ever sees it.

    >>> Send(True) == Send([1]) == Send("1")
    True
    """

    bits: Bits
    label: str = ""
    to: str | None = None

    def __init__(self, bits: Bits | str | int | Sequence[int], label: str = "", to: str | None = None) -> None:
        if not isinstance(bits, Bits):
            given = bits.tolist() if isinstance(bits, (np.ndarray, np.generic)) else bits
            try:
                bits = Bits([given] if isinstance(given, int) else given)
            except InputError:
                expected = "0 or 1, a text or a list of them, or Bits (a number: Bits.unsigned(5, 3))"
                raise InputError("Send.bits", bits, expected) from None
        object.__setattr__(self, "bits", bits)
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "to", to)


@dataclass(frozen=True, slots=True)
class Receive:
    """Wait for a message: from ``sender`` where channels are between pairs, and of ``width`` bits, if that is given."""

    sender: str | None = None
    width: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a generator party returns."""

    value: Hashable


@dataclass(frozen=True, slots=True, eq=False)
class SendEach:
    """Send one message for each input of an array party.

    ``values`` holds an unsigned integer per input, written in ``width`` bits (at most 62; one width, or one
    per input); or a row of 0 and 1 per input, which is then the message itself.

    Args:
        values, width: the messages, shape (inputs,) of numbers or (inputs, bits) of bits.
        label: what it is, for people.
        to: its receiver, where each message has one.
    """

    values: Array
    width: int | Array | None = None
    label: str = ""
    to: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", np.asarray(self.values))


@dataclass(frozen=True, slots=True, eq=False)
class AnswerEach:
    """An array party has finished: one answer *code* (place among the function's answers) per input, or one for all.

    Args:
        codes: an array of shape (inputs of the party,), or one code; None where the party need not answer.
    """

    codes: Array | int | bool | None


Step = Send | Receive | Answer
MOST_WIDTH = 62


class BrokenRuleError(Exception):
    """A party broke a rule while it was asked about many views; some of them show it."""

    def __init__(self, kind: str, message: str, views: Sequence[int]) -> None:
        super().__init__(message)
        self.kind, self.message, self.views = kind, message, tuple(int(view) for view in views)
        self.role: str | None = None

    def by(self, role: str) -> BrokenRuleError:
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
        if self.words == other.words:
            return np.asarray(self.keys == other.keys)
        pairs = zip(self.keys.tolist(), other.keys.tolist(), strict=True)
        return np.array([self.words[mine] == other.words[yours] for mine, yours in pairs])

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
    codes: Array


Batch = SendBatch | Receive | AnswerBatch


def batch_of_steps(steps: list[Step], indices: Array, encode: Callable[[Hashable], int]) -> Batch:
    """The steps of many views as one batch, if they are of one kind."""
    first, kind = steps[0], _kind(steps[0])
    for place, step in enumerate(steps):
        if _kind(step) != kind:
            note = f"whose turn it is depends on the input: {step_text(first)} on one, {step_text(step)} on another"
            raise BrokenRuleError("turn", note, [indices[0], indices[place]])
    if isinstance(first, Receive):
        return first
    if isinstance(first, Answer):
        return AnswerBatch(np.array([encode(step.value) for step in steps if isinstance(step, Answer)]))
    messages = [step.bits for step in steps if isinstance(step, Send)]
    return SendBatch(*_code_book(messages), first.label, first.to)


def _kind(step: Step) -> tuple[object, ...]:
    if isinstance(step, Send):
        return (Send, step.to)
    if isinstance(step, Receive):
        return (Receive, step.sender, step.width)
    return (Answer,)


def step_text(step: Step) -> str:
    if isinstance(step, Send):
        return f"send {step.bits}" + (f" to {step.to}" if step.to else "")
    if isinstance(step, Receive):
        return "receive" + (f" from {step.sender}" if step.sender else "")
    return f"answer {step.value!r}"


def batch_of_array_step(step: Any, indices: Array) -> Batch:
    if isinstance(step, Receive):
        return step
    if isinstance(step, AnswerEach):
        codes = np.asarray(-1 if step.codes is None else step.codes)
        return AnswerBatch(_one_each(codes, "AnswerEach.codes", len(indices)))
    if not isinstance(step, SendEach):
        raise InputError("returned step", step, "SendEach(...), Receive() or AnswerEach(...)")
    values = np.asarray(step.values)
    if values.ndim == 2:
        return _rows_batch(step, values, indices)
    if values.dtype == object and isinstance(step.width, int) and step.width > MOST_WIDTH:
        messages = [Bits.unsigned(value, step.width) for value in np.broadcast_to(values, (len(indices),)).tolist()]
        return SendBatch(*_code_book(messages), step.label, step.to)
    values = _one_each(values, "SendEach.values", len(indices))
    widths = _one_each(np.asarray(-1 if step.width is None else step.width), "SendEach.width", len(indices))
    if not 0 <= int(widths.min()) <= int(widths.max()) <= MOST_WIDTH:
        raise InputError("SendEach.width", step.width, f"from 0 to {MOST_WIDTH} bits (rows of 0 and 1 beyond)")
    wrong = (values < 0) | (values >> widths != 0)
    if wrong.any():
        place = int(np.argmax(wrong))
        raise InputError("SendEach.values", int(values[place]), f"an unsigned integer of {widths[place]} bits")
    if (widths == widths[0]).all():
        return SendBatch(values, UnsignedWords(int(widths[0])), step.label, step.to)
    messages = [Bits.unsigned(value, width) for value, width in zip(values.tolist(), widths.tolist(), strict=True)]
    return SendBatch(*_code_book(messages), step.label, step.to)


def _one_each(values: Array, name: str, count: int) -> Array:
    """One integer for each of ``count`` inputs, or one for all."""
    values = _integers(values, name)
    if values.shape not in ((count,), ()):
        raise InputError(name, values.shape, f"one value for each of {count} inputs")
    return values if values.shape else np.full(count, values)


def _code_book(messages: list[Bits]) -> tuple[Array, list[Bits]]:
    words = sorted(set(messages), key=str)
    places = {word: place for place, word in enumerate(words)}
    return np.array([places[message] for message in messages]), words


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
    if values.dtype.kind not in "iubO":
        raise InputError(name, values.dtype, "integers or booleans")
    return values if values.dtype.kind in "iu" else values.astype(np.int64)


@dataclass(frozen=True)
class UnsignedWords(Sequence[Bits]):
    width: int

    def __len__(self) -> int:
        return 1 << self.width

    def __getitem__(self, key: Any) -> Any:
        return Bits.unsigned(key, self.width)


MOST_KNOWN = 1 << 16  # views whose values are kept


@dataclass(frozen=True)
class View:
    """All that one party sees before the first message; in its index, private coins are a second part of its input."""

    role: str
    seen: tuple[InputSet, ...]
    together: bool  # on the forehead: the inputs that are seen come as one tuple
    private: Coins | None = None
    public: int | None = field(default=None, compare=False)

    @cached_property
    def inputs(self) -> Pairs:
        return Pairs(self.seen)

    @cached_property
    def coins(self) -> int:
        return self.private.size if self.private else 1

    @property
    def size(self) -> int:
        return self.inputs.size * self.coins

    @cached_property
    def values(self) -> Callable[[int], tuple[Any, ...]]:
        return lru_cache(MOST_KNOWN)(lambda index: self.inputs.value(index // self.coins))

    def arguments(self, index: int) -> tuple[tuple[Any, ...], dict[str, int]]:
        """How a generator party is called: positional inputs, and coins by keyword."""
        values = self.values(index)
        return ((values,) if self.together else values), self._granted(index % self.coins)

    def _granted(self, private: Any) -> dict[str, Any]:
        public = {} if self.public is None else {"public": self.public}
        return public | ({"private": private} if self.private else {})

    def rows(self, indices: Array) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """How an array party is called for these views: arrays, and coins by keyword."""
        inputs = indices // self.coins if self.private else indices
        arrays: tuple[Any, ...] = tuple(
            _read_only(rows[digit] if rows is not None else part.array(digit).copy())
            for part, rows, digit in zip(self.seen, self._tables, self.inputs.split(inputs), strict=True)
        )
        return ((arrays,) if self.together else arrays), self._granted(_read_only(indices % self.coins))

    @cached_property
    def _tables(self) -> list[Array | None]:
        sizes = [part.size if part.size <= 1 << 22 else 0 for part in self.seen]
        require_memory(64 * sum(sizes), f"the inputs that {self.role} sees")
        return [part.array(np.arange(size)) if size else None for part, size in zip(self.seen, sizes, strict=True)]

    def show(self, index: int) -> dict[str, Any]:
        """The view for a report: inputs as text, and the private coin if there is one."""
        values = [part.show(value) for part, value in zip(self.seen, self.values(index), strict=True)]
        shown: dict[str, Any] = {self.role: values[0] if len(values) == 1 else values}
        if self.private:
            shown[f"{self.role}'s coin"] = index % self.coins
        return shown


def views_of(
    function: MultipartyFunction,
    model: CommunicationModel,
    private: Mapping[str, Coins],
    public: int | None = None,
) -> tuple[View, ...]:
    views = []
    for place, role in enumerate(model.roles):
        seen: tuple[InputSet, ...] = ()  # by a referee
        if role in model.players:
            seen = tuple(part for other, part in enumerate(function.inputs) if (other != place) == model.forehead)
        views.append(View(role, seen, model.forehead, private.get(role), public))
    return tuple(views)


def _read_only(array: Array) -> Array:
    array.setflags(write=False)
    return array


Heard = tuple[Received, ...]
Encode = Callable[[Hashable], int]


class Conversation(ABC):
    @abstractmethod
    def advance(self, received: Received | None = None) -> Step:
        """The next step: after the start or a send with nothing, after a receive with the message."""

    def close(self) -> None:
        return


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation at ``step``, after ``messages`` messages were sent or heard."""

    conversation: Conversation
    step: Step
    messages: int


Talks = dict[int, Talk]


class Party(ABC):
    """Somebody who takes part in a protocol; what it may see is a :class:`~ccsim.engine.party.View`."""

    remembers: bool = False  # a question goes on where the last one stopped: determinism is checked by playing again
    function: Any = None

    def converse(self, view: View, index: int, decode: Callable[[int], Hashable]) -> Conversation:
        """Begin a run with one view; ``decode`` gives the answer for an answer code."""
        return ArrayConversation(self, view, index, decode)

    @abstractmethod
    def ask(self, view: View, indices: Array, heard: Heard, encode: Encode, talks: Talks) -> tuple[Batch, Talks]:
        """The next step for each of these views after what was sent and heard.

        ``talks`` holds conversations to go on with; those that are used are taken out of it, and come back, as they
        then stand, with the steps.
        """

    def needs(self, coins: str) -> bool:
        """Whether the party is a function that cannot be called without ``public`` or ``private`` coins."""
        try:
            given = list(inspect.signature(self.function).parameters.values())[1:] if self.function else []
        except (TypeError, ValueError):  # of some callables nothing is known
            return False
        return any(one.name == coins and one.default is inspect.Parameter.empty for one in given)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({getattr(self.function, '__name__', self.function)})"


class GeneratorParty(Party):
    """A party written as a generator function of its input."""

    remembers = True

    def __init__(self, function: Callable[..., Generator[Send | Receive, Any, Any]]) -> None:
        self.function = function

    def converse(self, view: View, index: int, decode: Callable[[int], Hashable]) -> Conversation:
        return GeneratorConversation(self.function, *view.arguments(index))

    def ask(self, view: View, indices: Array, heard: Heard, encode: Encode, talks: Talks) -> tuple[Batch, Talks]:
        """Go on with a conversation at that step, or play it from the start: the messages must come again."""
        after = {index: self._catch_up(view, index, heard, talks.pop(index, None)) for index in indices.tolist()}
        return batch_of_steps([talk.step for talk in after.values()], indices, encode), after

    def _catch_up(self, view: View, index: int, heard: Heard, talk: Talk | None) -> Talk:
        if talk is None:
            conversation = GeneratorConversation(self.function, *view.arguments(index))
            talk = Talk(conversation, conversation.advance(), 0)
        step, role = talk.step, view.role
        for message in heard[talk.messages :]:
            own = message.sender == role
            if not (isinstance(step, Send) and step.bits == message.bits if own else isinstance(step, Receive)):
                before = f"sent {message.bits}" if own else "received"
                note = f"{role} {before} and, asked again, wants to {step_text(step)}"
                raise BrokenRuleError("determinism", note, [index])
            step = talk.conversation.advance(None if own else message)
        return Talk(talk.conversation, step, len(heard))


class GeneratorConversation(Conversation):
    def __init__(self, function: Callable[..., Any], inputs: tuple[Any, ...], coins: dict[str, int]) -> None:
        self._generator = function(*inputs, **coins)
        if not inspect.isgenerator(self._generator):
            raise InputError("party", function, "a generator function, or a function marked @array_party")

    def advance(self, received: Received | None = None) -> Step:
        try:
            step = self._generator.send(received.bits if received else None)
        except StopIteration as finished:
            return Answer(finished.value)
        if not isinstance(step, (Send, Receive)):
            raise InputError("yielded step", step, "Send(...) or Receive()")
        return step

    def close(self) -> None:
        self._generator.close()


class ArrayParty(Party):
    """A party written as a function of an array of inputs and the messages so far."""

    def __init__(self, function: Callable[..., SendEach | Receive | AnswerEach]) -> None:
        self.function = function

    def ask(self, view: View, indices: Array, heard: Heard, encode: Encode, talks: Talks) -> tuple[Batch, Talks]:
        arrays, coins = view.rows(indices)
        return batch_of_array_step(self.function(*arrays, heard, **coins), indices), {}


class ArrayConversation(Conversation):
    """A run of a party that is asked about its one view with all messages so far."""

    def __init__(self, party: Party, view: View, index: int, decode: Callable[[int], Hashable]) -> None:
        self._party, self._view, self._decode = party, view, decode
        self._index = np.array([index], dtype=np.int64 if view.size < 1 << 62 else object)
        self._heard: Heard = ()
        self._last: Step | None = None

    def advance(self, received: Received | None = None) -> Step:
        if isinstance(self._last, Send):
            self._heard += (Received(self._view.role, self._last.bits),)
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
    if not callable(party) and not isinstance(party, Party):
        raise InputError("party", party, "a generator function, or a function marked @array_party")
    return party if isinstance(party, Party) else GeneratorParty(party)


@dataclass(frozen=True, eq=False)
class ProtocolBase:
    """The parts of a :class:`~ccsim.engine.protocol.Protocol`, which names each of them, and runs it."""

    name: str
    function: MultipartyFunction
    parties: Mapping[str, Party | Callable[..., Any]] = field(repr=False)
    model: CommunicationModel = field(default_factory=two_way)
    answer: str = "both"
    cost: Cost | None = None
    error: Fraction = Fraction(0)
    public: Coins | None = None
    private: Mapping[str, Coins] = field(default_factory=dict)
    source: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "function", as_function(self.function))
        object.__setattr__(self, "error", require_fraction("error", self.error))
        if not isinstance(self.model, CommunicationModel):
            raise InputError("model", self.model, "a communication model, such as two_way() or one_way()")
        if not isinstance(self.parties, Mapping) or set(self.parties) != set(self.model.roles):
            raise InputError("parties", self.parties, f"a mapping with a party for each of {self.model.roles}")
        if self.function.parties != self.model.players:
            raise InputError("function", self.function.parties, f"a function of {self.model.players}, as the model has")
        if self.answer not in ("both", *self.model.roles):
            raise InputError("answer", self.answer, f"'both' or one of {self.model.roles}")
        if self.cost is not None and not isinstance(self.cost, Cost):
            raise InputError("cost", self.cost, 'a formula with its values, such as Cost("n + 1", {"n": 3})')
        if self.public is not None and not isinstance(self.public, Coins):
            raise InputError("public", self.public, "coins, such as Coins(8) for 8 outcomes or Coins.bits(3)")
        if not isinstance(self.private, Mapping) or not all(isinstance(c, Coins) for c in self.private.values()):
            raise InputError("private", self.private, 'coins by party, such as {"alice": Coins(4)}')
        if set(self.private) - set(self.model.players):
            raise InputError("private", sorted(self.private), f"coins of some of {self.model.players}")
        ordered = {role: as_party(self.parties[role]) for role in self.model.roles}
        object.__setattr__(self, "parties", ordered)
        for role, party in ordered.items():
            if self.public is None and party.needs("public"):
                raise InputError("public", None, f"coins, such as Coins(8): {role} is a function of public=")
            if role not in self.private and party.needs("private"):
                raise InputError("private", dict(self.private), f"coins for {role}, which is a function of private=")

    @property
    def knowing(self) -> tuple[str, ...]:
        """The roles that must know the answer."""
        return self.model.players if self.answer == "both" else (self.answer,)

    @property
    def deterministic(self) -> bool:
        """Whether no party is granted any coins."""
        return self.public is None and not self.private

    def party(self, role: str) -> Party:
        return as_party(self.parties[role])

    def views(self, public: int | None = None) -> tuple[View, ...]:
        """What each role sees, given the outcome of the public coins."""
        return views_of(self.function, self.model, self.private, public)

    def places(self, inputs: tuple[Hashable, ...]) -> list[int]:
        """The indices of inputs, one for each player, given as values or as text."""
        sets = self.function.inputs
        if len(inputs) != len(sets):
            raise InputError("inputs", inputs, f"{len(sets)} inputs, one for each of {self.model.players}")
        places = []
        for player, part, value in zip(self.model.players, sets, inputs, strict=True):
            try:
                places.append(part.index(part.parse(value) if isinstance(value, str) else value))
            except InputError as error:
                raise InputError(f"input of {player}", value, error.expected) from None
        return places

    def weights(self, distribution: Array) -> Array:
        """Whole numbers, one for each input, as Python integers that are 0 outside of the promise."""
        weights = np.asarray(distribution)
        shape = self.function.shape
        if weights.shape != shape or weights.dtype.kind not in "iuO" or (weights < 0).any():
            raise InputError("distribution", weights.shape, f"non-negative integers of shape {shape}")
        weights = np.where(self.function.codes != DONT_CARE, weights, 0).astype(object)
        if not weights.any():
            raise InputError("distribution", shape, "some weight inside the promise")
        return weights

    def encode(self, answer: Hashable) -> int:
        """The code of an answer: -1 for None (no answer), -2 for one that the function never gives."""
        if answer is None:
            return DONT_CARE
        try:
            return self.function.places.get(answer, -2)
        except TypeError:  # not hashable, so surely not an answer
            return -2

    def decode(self, code: int) -> Hashable:
        """The answer of a code; None for -1."""
        return self.function.answers[code] if 0 <= code < len(self.function.answers) else None

    def answer_text(self, code: int) -> str:
        known = -1 <= code < len(self.function.answers)
        return repr(self.decode(code)) if known else "an answer that the function never gives"
