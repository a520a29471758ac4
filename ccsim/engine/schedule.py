"""Protocols with a fixed schedule: who speaks, and how many bits, is settled before anybody looks at an input.

Such a protocol is a list of fields. A field has a sender, a label, and some numbers, each below a bound that both
parties know; it takes as many bits as it takes to number all its values. Because widths never depend on inputs, the
cost is one closed formula and every transcript is exactly as long as it says.

A field's numbers are computed from the sender's own inputs and from what was said, for many inputs at once. Parties
made from a schedule run and are explored like any others; a protocol all of whose parties follow one schedule is also
explored level by level in arrays (:mod:`ccsim.engine.level`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np

from ccsim.bits import Bits
from ccsim.engine.model import CommunicationModel, Message
from ccsim.engine.party import Encode, Heard, Party, ProtocolBase, Talks, View
from ccsim.engine.steps import AnswerBatch, Batch, BrokenRuleError, Receive, SendEach, batch_of_array_step
from ccsim.errors import Array, InputError

MOST_BOUND = 1 << 62  # numbers of a field are int64


class Known(Mapping[str, Array]):
    """What a party knows by now, by the name of the field, conclusion or note; one row per question.

    Fields and conclusions are known to both parties, notes to the one that made them. Rows are gathered only for names
    that are asked for.
    """

    def __init__(
        self, columns: Mapping[str, Array], nodes: Array | None = None, notes: Mapping[str, Array] | None = None
    ) -> None:
        self._columns, self._nodes, self._notes = columns, nodes, notes or {}
        self._gathered: dict[str, Array] = {}

    def __getitem__(self, name: str) -> Array:
        if name in self._notes:
            return self._notes[name]
        if self._nodes is None:
            return self._columns[name]
        if name not in self._gathered:
            self._gathered[name] = self._columns[name].take(self._nodes, axis=0)
        return self._gathered[name]

    def __iter__(self) -> Iterator[str]:
        return iter((*self._columns, *self._notes))

    def __len__(self) -> int:
        return len(self._columns) + len(self._notes)


StepFunction = Callable[[Any, Known], Array]


@dataclass(frozen=True, eq=False)
class Field:
    """Some numbers that one party sends.

    Attributes:
        sender: who sends them.
        name: under which both parties know them from then on.
        label: what they mean, for people.
        bounds: each number is at least 0 and below its bound.
        numbers: takes the sender's rows (as its input set makes them) and what is :class:`Known`, one row per
            question, and returns the numbers: one row per question, one column per bound (or one value, if there
            is one bound).
    """

    sender: str
    name: str
    label: str
    bounds: tuple[int, ...]
    numbers: StepFunction = field(repr=False)

    def __post_init__(self) -> None:
        if any(not 1 <= bound <= MOST_BOUND for bound in self.bounds):
            raise InputError("bounds", self.bounds, "bounds from 1 to 2^62")

    @cached_property
    def values(self) -> int:
        """How many different messages the field has room for."""
        return math.prod(self.bounds)

    @property
    def width(self) -> int:
        """Bits: as many as number all values."""
        return (self.values - 1).bit_length()

    def table(self, rows: Any, known: Known, count: int) -> Array:
        """The numbers, one row per question, checked."""
        numbers = np.asarray(self.numbers(rows, known))
        if numbers.ndim == 1:
            numbers = numbers[:, None]
        if numbers.shape != (count, len(self.bounds)) or numbers.dtype.kind not in "iub":
            raise InputError(
                f"numbers of {self.label!r}", (numbers.shape, numbers.dtype), f"integers {(count, len(self.bounds))}"
            )
        return numbers.astype(np.int64, copy=False)

    def outside(self, numbers: Array) -> Array:
        """For each row, whether some number is not within its bound."""
        bounds = np.array(self.bounds, dtype=np.uint64)
        wrong = np.ascontiguousarray(numbers).view(np.uint64) >= bounds  # what is negative becomes very large
        return np.asarray(wrong.any(axis=1)) if wrong.any() else np.zeros(len(numbers), dtype=bool)

    def code(self, numbers: Array, kind: type = object) -> Array:
        """Rows of numbers in mixed radix, the first number most significant: integers of this kind."""
        total: Array = np.zeros(len(numbers), dtype=kind)
        for column, bound in enumerate(self.bounds):
            total = total * bound + numbers[:, column].astype(kind, copy=False)
        return total

    def decode(self, code: int) -> Array:
        """The numbers that a message carries, as a row; a message beyond all values is refused."""
        if code >= self.values:
            raise InputError(f"message {self.label!r}", code, f"a number below {self.values}")
        digits = []
        for bound in reversed(self.bounds):
            code, digit = divmod(code, bound)
            digits.append(digit)
        return np.array([digits[::-1]], np.int64)


@dataclass(frozen=True, eq=False)
class Conclusion:
    """What both parties work out from what was said, without sending anything.

    ``value`` takes what is :class:`Known`, one row per node, and returns one row per node. The names in
    ``instead_of`` are not asked for any more after it.
    """

    name: str
    value: Callable[[Known], Array] = field(repr=False)
    instead_of: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Note:
    """What one party works out for itself at this point and keeps in mind; the other never sees it.

    ``value`` takes the party's rows and what it has :class:`Known`, and returns one row per question. Nothing but work
    is saved: it must follow from the party's input and from what was said.
    """

    owner: str
    name: str
    value: StepFunction = field(repr=False)


Step = Field | Conclusion | Note


@dataclass(frozen=True, eq=False)
class Schedule:
    """The fields of a protocol in order, and how each party answers in the end.

    Attributes:
        steps: fields, conclusions that everybody can draw from them, and notes that one party takes.
        answers: for each party that must know the answer, the answer codes from its rows and what is known.
    """

    steps: tuple[Step, ...]
    answers: Mapping[str, StepFunction] = field(repr=False)

    def __post_init__(self) -> None:
        names = [step.name for step in self.steps]
        if len(set(names)) != len(names):
            raise InputError("steps", names, "steps with different names")

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        return tuple(step for step in self.steps if isinstance(step, Field))

    @property
    def bits(self) -> int:
        return sum(said.width for said in self.fields)

    @property
    def rounds(self) -> int:
        """Rounds of every transcript; a message of no bits is a message."""
        return sum(1 for _ in groupby(said.sender for said in self.fields))

    def parties(self) -> dict[str, Party]:
        return {role: ScheduledParty(self, role) for role in ("alice", "bob")}

    def objection(self, model: CommunicationModel) -> str | None:
        said: tuple[Message, ...] = ()
        for step in self.fields:
            receivers = tuple(role for role in model.players if role != step.sender)
            message = Message(step.sender, receivers, Bits.unsigned(0, step.width), step.label)
            objection = model.objection(said, message)
            if objection:
                return objection
            said = (*said, message)
        return None

    def table(self) -> list[dict[str, Any]]:
        """One row per field: who, what, how many numbers, how many bits."""
        return [
            {"sender": said.sender, "meaning": said.label, "numbers": len(said.bounds), "bits": said.width}
            for said in self.fields
        ]


class ScheduledParty(Party):
    """One of the two parties of a schedule; it keeps no memory and is asked anew at each step."""

    def __init__(self, schedule: Schedule, role: str) -> None:
        self.schedule, self.role = schedule, role

    def ask(self, view: View, indices: Array, heard: Heard, encode: Encode, talks: Talks) -> tuple[Batch, Talks]:
        """The next field, if it is this party's; else wait for it; after the last one, answer."""
        (rows,), _ = view.rows(indices)
        known = self._known(heard, rows)
        if len(heard) == len(self.schedule.fields):
            codes = -np.ones(len(indices), dtype=np.int64)
            if self.role in self.schedule.answers:
                codes = np.asarray(self.schedule.answers[self.role](rows, known))
            return AnswerBatch(codes), {}
        said = self.schedule.fields[len(heard)]
        if said.sender != self.role:
            return Receive(width=said.width), {}
        numbers = said.table(rows, known, len(indices))
        wrong = said.outside(numbers)
        if wrong.any():
            raise BrokenRuleError("width", outside_message(said, numbers[wrong][0]), [indices[int(np.argmax(wrong))]])
        code = said.code(numbers)
        step = SendEach(code if said.width > 62 else code.astype(np.int64), said.width, said.label)
        return batch_of_array_step(step, indices), {}

    def _known(self, heard: Heard, rows: Any) -> Known:
        """What was said and concluded, the same for every question, and the party's own notes."""
        columns: dict[str, Array] = {}
        notes: dict[str, Array] = {}
        waiting = iter(heard)
        same = np.zeros(len(rows), dtype=np.int64)
        for step in self.schedule.steps:
            if isinstance(step, Conclusion):
                concluded = np.asarray(step.value(Known(columns)))
                columns = {name: column for name, column in columns.items() if name not in step.instead_of}
                columns[step.name] = concluded
            elif isinstance(step, Note):
                if step.owner == self.role:
                    notes[step.name] = np.asarray(step.value(rows, Known(columns, same, notes)))
            else:
                message = next(waiting, None)
                if message is None:
                    break
                columns[step.name] = squeezed(step, step.decode(message.bits.to_unsigned()))
        return Known(columns, same, notes)

    def __repr__(self) -> str:
        return f"ScheduledParty({self.role}, {len(self.schedule.fields)} fields)"


def schedule_of(protocol: ProtocolBase) -> Schedule | None:
    parties = list(protocol.parties.values())
    if len(parties) == 2 and all(isinstance(party, ScheduledParty) for party in parties):
        schedules = {id(party.schedule): party.schedule for party in parties if isinstance(party, ScheduledParty)}
        if len(schedules) == 1 and tuple(protocol.parties) == ("alice", "bob"):
            return next(iter(schedules.values()))
    return None


def squeezed(step: Field, numbers: Array) -> Array:
    """Numbers as others see them: a plain column where there is one number."""
    return numbers[:, 0] if len(step.bounds) == 1 else numbers


def outside_message(step: Field, numbers: Array) -> str:
    return f"{step.sender} sends {numbers.tolist()} as {step.label!r}, whose bounds are {list(step.bounds)}"
