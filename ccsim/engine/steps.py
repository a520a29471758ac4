"""What a party can do next: send, receive, or answer; one input at a time, or for many views at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ccsim.bits import Bits
from ccsim.errors import Array, InputError


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


MOST_WIDTH = 62


class BrokenRuleError(Exception):
    """A party broke a rule while it was asked about many views: which rule, and the views that show it."""

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
    kinds = [_kind(step) for step in steps]
    for place, kind in enumerate(kinds):
        if kind != kinds[0]:
            raise BrokenRuleError(
                "turn",
                f"whose turn it is depends on the input: {told(steps[0])} on one, {told(steps[place])} on another",
                [indices[0], indices[place]],
            )
    first = steps[0]
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


def told(step: Step) -> str:
    if isinstance(step, Send):
        return f"send {step.bits}" + (f" to {step.to}" if step.to else "")
    if isinstance(step, Receive):
        return "receive" + (f" from {step.sender}" if step.sender else "")
    return f"answer {step.value!r}"


def batch_of_array_step(step: Any, indices: Array) -> Batch:
    """What an array party returned, checked."""
    if isinstance(step, Receive):
        return step
    if isinstance(step, AnswerEach):
        codes = np.asarray(-1 if step.codes is None else step.codes)
        return AnswerBatch(_one_each(codes, "AnswerEach.codes", len(indices)))
    if isinstance(step, SendEach):
        return _send_batch(step, indices)
    raise InputError("returned step", step, "SendEach(...), Receive() or AnswerEach(...)")


def _send_batch(step: SendEach, indices: Array) -> SendBatch:
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
    if values.shape == (count,):
        return values
    if values.shape != ():
        raise InputError(name, values.shape, f"one value for each of {count} inputs")
    return np.full(count, values)


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
    if values.dtype == object:
        values = values.astype(np.int64)
    if values.dtype == bool:
        return values.astype(np.int64)
    if values.dtype.kind not in "iu":
        raise InputError(name, values.dtype, "integers or booleans")
    return values


@dataclass(frozen=True)
class UnsignedWords(Sequence[Bits]):
    """All numbers of one width as bits, made when asked for."""

    width: int

    def __len__(self) -> int:
        return 1 << self.width

    def __getitem__(self, key: Any) -> Any:
        return Bits.unsigned(key, self.width)
