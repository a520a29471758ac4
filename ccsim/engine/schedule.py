"""Protocols with a fixed schedule: who speaks, and how many bits, depends on no input.

A schedule is a list of fields: some numbers that one party computes from its input and the earlier messages. Such a
protocol is explored level by level: for every node of one depth, a level holds the inputs of either party that reach
it. A level that grows too large is cut into parts, finished one after the other, so that memory stays bounded. A sample
of the questions at every level is put a second time, in other company, and must be answered alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np

from ccsim.bits import Bits
from ccsim.engine.model import CommunicationModel, Message
from ccsim.engine.party import (
    AnswerBatch,
    Batch,
    BrokenRuleError,
    Encode,
    Heard,
    Party,
    ProtocolBase,
    Receive,
    SendEach,
    Talks,
    View,
    batch_of_array_step,
)
from ccsim.engine.run import MOST_VIOLATIONS, UNDETERMINED, Violation
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE

MOST_BOUND = 1 << 62  # numbers of a field are int64


class Known(Mapping[str, Array]):
    """What a party knows, by the name of a field, conclusion or own note: one row per question, gathered on demand."""

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
    """Some numbers that one party sends, each below its bound; both parties know them by ``name`` from then on.

    ``numbers`` takes the sender's rows, as its input set makes them, and what is :class:`Known`, one row per question;
    it returns one row per question, with one column per bound (or one value, for a single bound).
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
        return math.prod(self.bounds)

    @property
    def width(self) -> int:
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
    """What both parties compute from the messages, a row per node; ``instead_of`` is not asked for any more."""

    name: str
    value: Callable[[Known], Array] = field(repr=False)
    instead_of: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Note:
    """What one party computes for itself, to save work: it must follow from its input and the messages."""

    owner: str
    name: str
    value: StepFunction = field(repr=False)


Step = Field | Conclusion | Note


@dataclass(frozen=True, eq=False)
class Schedule:
    """The fields in order, with conclusions and notes; ``answers`` takes a party's rows and what it knows."""

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
        return sum(each.width for each in self.fields)

    @property
    def rounds(self) -> int:
        return sum(1 for _ in groupby(each.sender for each in self.fields))

    def parties(self) -> dict[str, Party]:
        return {role: ScheduledParty(self, role) for role in ("alice", "bob")}

    def objection(self, model: CommunicationModel) -> str | None:
        earlier: tuple[Message, ...] = ()
        for step in self.fields:
            receivers = tuple(role for role in model.players if role != step.sender)
            message = Message(step.sender, receivers, Bits.unsigned(0, step.width), step.label)
            objection = model.objection(earlier, message)
            if objection:
                return objection
            earlier = (*earlier, message)
        return None


class ScheduledParty(Party):
    def __init__(self, schedule: Schedule, role: str) -> None:
        self.schedule, self.role = schedule, role

    def ask(self, view: View, indices: Array, heard: Heard, encode: Encode, talks: Talks) -> tuple[Batch, Talks]:
        (rows,), _ = view.rows(indices)
        known = self._known(heard, rows)
        if len(heard) == len(self.schedule.fields):
            codes = -np.ones(len(indices), dtype=np.int64)
            if self.role in self.schedule.answers:
                codes = np.asarray(self.schedule.answers[self.role](rows, known))
            return AnswerBatch(codes), {}
        next_field = self.schedule.fields[len(heard)]
        if next_field.sender != self.role:
            return Receive(width=next_field.width), {}
        numbers = next_field.table(rows, known, len(indices))
        wrong = next_field.outside(numbers)
        if wrong.any():
            note = outside_message(next_field, numbers[wrong][0])
            raise BrokenRuleError("width", note, [indices[int(np.argmax(wrong))]])
        code = next_field.code(numbers)
        step = SendEach(code if next_field.width > 62 else code.astype(np.int64), next_field.width, next_field.label)
        return batch_of_array_step(step, indices), {}

    def _known(self, heard: Heard, rows: Any) -> Known:
        """Messages and conclusions, the same for every question, and the party's own notes."""
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
    schedules = [party.schedule for party in protocol.parties.values() if isinstance(party, ScheduledParty)]
    followed = tuple(protocol.parties) == ("alice", "bob") and len(schedules) == 2 and schedules[0] is schedules[1]
    return schedules[0] if followed else None


def squeezed(step: Field, numbers: Array) -> Array:
    return numbers[:, 0] if len(step.bounds) == 1 else numbers


def outside_message(step: Field, numbers: Array) -> str:
    return f"{step.sender} sends {numbers.tolist()} as {step.label!r}, whose bounds are {list(step.bounds)}"


MOST_PAIRS = 1 << 20  # so many pairs of inputs are handed out at once
OTHER = {"alice": "bob", "bob": "alice"}


@dataclass(frozen=True, eq=False)
class Questions:
    """One party's questions: pairs of a node and a view that reaches it, in order of the node; and its notes."""

    nodes: Array
    views: Array
    notes: Mapping[str, Array] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.nodes)

    def at(self, places: Array, nodes: Array) -> Questions:
        notes = {name: note.take(places, axis=0) for name, note in self.notes.items()}
        return Questions(nodes, self.views.take(places), notes)


@dataclass(frozen=True, eq=False)
class Level:
    """Nodes at one step of the schedule, each a rectangle, with what is known at each of them."""

    step: int
    count: int
    sides: Mapping[str, Questions]
    known: Mapping[str, Array]

    def cut(self) -> list[Level]:
        size = np.zeros(self.count, dtype=np.int64)
        for side in self.sides.values():
            size += np.bincount(side.nodes, minlength=self.count)
        total = np.cumsum(size)
        middle = int(np.clip(np.searchsorted(total, total[-1] // 2) + 1, 1, self.count - 1))
        halves = []
        for start, stop in ((0, middle), (middle, self.count)):
            sides = {}
            for role, side in self.sides.items():
                low, high = np.searchsorted(side.nodes, [start, stop])
                sides[role] = side.at(np.arange(low, high), side.nodes[low:high] - start)
            known = {name: column[start:stop] for name, column in self.known.items()}
            halves.append(Level(self.step, stop - start, sides, known))
        return halves

    def split(self, speaker: str, order: Array, starts: Array, added: Mapping[str, Array]) -> Level:
        """The children: the speaker's questions, in this order, with a new node at each of these starts."""
        mine, theirs = self.sides[speaker], self.sides[OTHER[speaker]]
        count = int(np.count_nonzero(starts))
        if count == self.count:
            return replace(self, step=self.step + 1, known={**self.known, **added})
        parents = mine.nodes[order[starts]]
        spoken = mine.at(order, np.cumsum(starts) - 1)
        children, places = _questions_at(parents, theirs, self.count)
        listener = theirs.at(places, children)
        known = {name: column.take(parents, axis=0) for name, column in self.known.items()}
        return Level(self.step + 1, count, {speaker: spoken, OTHER[speaker]: listener}, {**known, **added})


def _questions_at(nodes: Array, side: Questions, count: int) -> tuple[Array, Array]:
    """The questions at each of some nodes, one node after the other: the place of the node, and of the question."""
    sizes = np.bincount(side.nodes, minlength=count)
    begin = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    lengths = sizes[nodes]
    stops = np.cumsum(lengths)
    places = np.repeat(begin[nodes] - (stops - lengths), lengths) + np.arange(int(stops[-1]))
    return np.repeat(np.arange(len(nodes)), lengths), places


def groups(nodes: Array, numbers: Array, step: Field, count: int) -> tuple[Array, Array]:
    """An order of the questions by node, then by number, and where each group starts; ``nodes`` is already in order."""
    order = np.arange(len(nodes))
    starts = np.ones(len(nodes), dtype=bool)
    if len(nodes) == count:
        return order, starts
    before = nodes[1:] == nodes[:-1]
    crowded = np.flatnonzero(np.concatenate([before, [False]]) | np.concatenate([[False], before]))
    own, rows = nodes[crowded], numbers[crowded]
    keys = (own, step.code(rows, np.int64)) if step.values <= MOST_BOUND else (own, *rows.T)
    sort = np.lexsort(keys[::-1])
    order[crowded] = crowded[sort]
    starts[crowded[1:]] = np.logical_or.reduce([key[sort[1:]] != key[sort[:-1]] for key in keys])
    return order, starts


def pairs_of_inputs(level: Level) -> Iterator[dict[str, Array]]:
    """For every pair of inputs at every node, in blocks: the places of Alice's and of Bob's question."""
    alice, bob = level.sides["alice"], level.sides["bob"]
    if len(alice) == len(bob) == level.count:
        yield {"alice": np.arange(level.count), "bob": np.arange(level.count)}
        return
    stops = np.cumsum(np.bincount(bob.nodes, minlength=level.count)[alice.nodes])
    start = 0
    while start < len(alice):
        done = int(stops[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(stops, done + MOST_PAIRS, side="right")))
        rows, columns = _questions_at(alice.nodes[start:stop], bob, level.count)
        yield {"alice": start + rows, "bob": columns}
        start = stop


MOST_QUESTIONS = 1 << 15  # a level with more questions is cut into parts
ASKED_AGAIN = 64  # how many questions of each field, in each part, are put a second time


class LevelExploration:
    """A scheduled protocol on all inputs: the sums that an exploration reports, and violations."""

    def __init__(self, protocol: ProtocolBase, schedule: Schedule, progress: Callable[[int], None] | None) -> None:
        self.protocol, self.schedule, self.table = protocol, schedule, protocol.function.codes
        self.progress = progress or (lambda done: None)
        self.views: dict[str, View] = {view.role: view for view in protocol.views()}
        self.rows = {role: view.rows(np.arange(view.size))[0][0] for role, view in self.views.items()}
        self.leaves = self.questions = self.pairs = self.total_bits = self.visited = 0
        self.worst_bits = self.worst_rounds = 0
        self.violations: list[Violation] = []

    def go(self) -> None:
        objection = self.schedule.objection(self.protocol.model)
        if objection:
            self.violations.append(Violation("model", objection))
            return
        sides = {
            role: Questions(np.zeros(view.size, np.int64), np.arange(view.size)) for role, view in self.views.items()
        }
        stack = [Level(0, 1, sides, {})]
        while stack and len(self.violations) < MOST_VIOLATIONS:
            level = stack.pop()
            if level.count > 1 and max(map(len, level.sides.values())) > MOST_QUESTIONS:
                stack += level.cut()[::-1]
            elif level.step == len(self.schedule.steps):
                self._leaves(level)
            else:
                stack += self._advance(level)

    def _advance(self, level: Level) -> list[Level]:
        step = self.schedule.steps[level.step]
        self.visited += level.count
        self.progress(self.visited)
        if isinstance(step, Conclusion):
            value = np.asarray(step.value(Known(level.known)))
            kept = {name: column for name, column in level.known.items() if name not in step.instead_of}
            return [replace(level, step=level.step + 1, known={**kept, step.name: value})]
        if isinstance(step, Note):
            side = level.sides[step.owner]
            note = self._ask(step.value, step.owner, side, level)
            noted = replace(side, notes={**side.notes, step.name: note})
            return [replace(level, step=level.step + 1, sides={**level.sides, step.owner: noted})]
        side = level.sides[step.sender]
        self.questions += len(side)
        numbers = self._numbers(step, side, level)
        if numbers is None:
            return []
        order, starts = groups(side.nodes, numbers, step, level.count)
        return [level.split(step.sender, order, starts, {step.name: squeezed(step, numbers[order[starts]])})]

    def _ask(self, what: StepFunction, role: str, side: Questions, level: Level) -> Array:
        return np.asarray(what(self.rows[role].take(side.views, axis=0), Known(level.known, side.nodes, side.notes)))

    def _numbers(self, step: Field, side: Questions, level: Level) -> Array | None:
        """What the sender sends on each question, or None after a violation."""
        numbers = self._ask_twice(lambda rows, known: step.table(rows, known, len(rows)), step.sender, side, level)
        wrong = np.zeros(0) if numbers is None else step.outside(numbers)
        if numbers is not None and wrong.any():
            place = int(np.argmax(wrong))
            self._report("width", outside_message(step, numbers[place]), side, place, step.sender)
            return None
        return numbers

    def _ask_twice(self, what: StepFunction, role: str, side: Questions, level: Level) -> Array | None:
        """The values, if they are the same again at some places, backwards and evenly spread; else a violation."""
        again = np.arange(len(side))[:: max(1, len(side) // ASKED_AGAIN)][::-1]
        try:
            answers = self._ask(what, role, side, level)
            repeated = self._ask(what, role, side.at(again, side.nodes[again]), level)
            if len(answers) != len(side):
                raise InputError("answers", answers.shape, f"one for each of {len(side)} inputs")
        except (Exception, SystemExit) as error:
            self._report("crash", f"{role} raises {type(error).__name__}: {error}", side, 0, role)
            return None
        if not np.array_equal(repeated, answers[again]):
            same = [np.array_equal(*pair) for pair in zip(repeated, answers[again], strict=True)]
            note = f"{role} does not do the same when asked again about the same input and messages"
            self._report("determinism", note, side, int(again[same.index(False)]), role)
            return None
        return answers

    def _leaves(self, level: Level) -> None:
        self.leaves += level.count
        codes: dict[str, Array] = {}
        for role in self.protocol.knowing:
            self.questions += len(level.sides[role])
            answers = self._ask_twice(self.schedule.answers[role], role, level.sides[role], level)
            if answers is None:
                return
            codes[role] = answers
        fixed = np.full(level.count, DONT_CARE, dtype=np.int64)
        for places in pairs_of_inputs(level):
            if not self._check_pairs(level, places, codes, fixed):
                return

    def _check_pairs(self, level: Level, places: dict[str, Array], codes: dict[str, Array], fixed: Array) -> bool:
        """Check some pairs; ``fixed`` holds, for each node, an answer that is right on one of its pairs."""
        x, y = (level.sides[role].views[places[role]] for role in ("alice", "bob"))
        cells = self.table[x, y]
        promised = cells != DONT_CARE
        count = int(np.count_nonzero(promised))
        if count:
            self.worst_bits, self.worst_rounds = self.schedule.bits, self.schedule.rounds
        self.pairs += count
        self.total_bits += count * self.schedule.bits
        for role in self.protocol.knowing:
            given = codes[role][places[role]]
            wrong = promised & (given != cells)
            if wrong.any():
                place, text = int(np.argmax(wrong)), self.protocol.answer_text
                note = f"{role} answers {text(int(given[place]))}, expected {text(int(cells[place]))}"
                self.violations.append(Violation("answer", note, (self._shown(int(x[place]), int(y[place])),)))
                return False
        if self.protocol.answer != "both" or not count:
            return True
        nodes, right = level.sides["alice"].nodes[places["alice"]][promised], cells[promised]
        new = fixed[nodes] == DONT_CARE
        fixed[nodes[new]] = right[new]
        other = fixed[nodes] != right
        if other.any():
            place = int(np.flatnonzero(promised)[np.argmax(other)])
            shown = self._shown(int(x[place]), int(y[place]))
            self.violations.append(Violation("monochromatic", UNDETERMINED, (shown,)))
        return not other.any()

    def _shown(self, x: int, y: int) -> dict[str, Any]:
        return {**self.views["alice"].show(x), **self.views["bob"].show(y)}

    def _report(self, kind: str, note: str, side: Questions, place: int, role: str) -> None:
        self.violations.append(Violation(kind, note, (self.views[role].show(int(side.views[place])),)))
