"""Exploration level by level, for protocols with a fixed schedule: all nodes of a level at once, in arrays.

A level holds, for every node of the protocol tree at some depth, the inputs of either party that reach it (a node is
still a rectangle: two lists of inputs). A field asks its sender once per node and own input, never once per pair;
each node then falls apart by what was said. A level that grows too large is cut into parts, which are finished one
after the other, so that memory stays bounded.

A sample of the questions at every level is put a second time, in other company, and must be answered alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ccsim.engine.party import ProtocolBase, View
from ccsim.engine.schedule import (
    MOST_BOUND,
    Conclusion,
    Field,
    Known,
    Note,
    Schedule,
    StepFunction,
    outside_message,
    squeezed,
)
from ccsim.engine.walk import MOST_VIOLATIONS, Violation, legal
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE

MOST_PAIRS = 1 << 20  # so many pairs of inputs are handed out at once
OTHER = {"alice": "bob", "bob": "alice"}


@dataclass(frozen=True, eq=False)
class Side:
    """One party's questions: pairs of a node and a view that reaches it, in order of the node; and its notes."""

    nodes: Array
    views: Array
    notes: Mapping[str, Array] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.nodes)

    def at(self, places: Array | slice, nodes: Array) -> Side:
        """The questions at these places, with other node numbers."""
        if isinstance(places, slice):
            return Side(nodes, self.views[places], {name: note[places] for name, note in self.notes.items()})
        notes = {name: note.take(places, axis=0) for name, note in self.notes.items()}
        return Side(nodes, self.views.take(places), notes)


@dataclass(frozen=True, eq=False)
class Level:
    """Nodes at one step of the schedule, each a rectangle, with what was said at each of them."""

    step: int
    count: int
    sides: Mapping[str, Side]
    known: Mapping[str, Array]

    def cut(self) -> list[Level]:
        """Two halves of the nodes, about equal in questions."""
        size = np.zeros(self.count, dtype=np.int64)
        for side in self.sides.values():
            size += np.bincount(side.nodes, minlength=self.count)
        total = np.cumsum(size)
        middle = int(np.clip(np.searchsorted(total, total[-1] // 2) + 1, 1, self.count - 1))
        return [self._range(0, middle), self._range(middle, self.count)]

    def _range(self, start: int, stop: int) -> Level:
        sides = {}
        for role, side in self.sides.items():
            low, high = np.searchsorted(side.nodes, [start, stop])
            sides[role] = side.at(slice(low, high), side.nodes[low:high] - start)
        known = {name: column[start:stop] for name, column in self.known.items()}
        return Level(self.step, stop - start, sides, known)

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


def _questions_at(nodes: Array, side: Side, count: int) -> tuple[Array, Array]:
    """The questions at each of some nodes, one node after the other: the place of the node, and of the question."""
    sizes = np.bincount(side.nodes, minlength=count)
    begin = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    lengths = sizes[nodes]
    ends = np.cumsum(lengths)
    places = np.repeat(begin[nodes] - (ends - lengths), lengths) + np.arange(int(ends[-1]))
    return np.repeat(np.arange(len(nodes)), lengths), places


def groups(nodes: Array, numbers: Array, step: Field, count: int) -> tuple[Array, Array]:
    """An order of the questions in which equal numbers at one node stand together, and where each group starts.

    ``nodes`` is in order, and stays so. Most nodes far down hold one question; only the others are sorted.
    """
    order = np.arange(len(nodes))
    starts = np.ones(len(nodes), dtype=bool)
    if len(nodes) == count:
        return order, starts
    before = nodes[1:] == nodes[:-1]
    crowded = np.flatnonzero(np.concatenate([before, [False]]) | np.concatenate([[False], before]))
    own, said = nodes[crowded], numbers[crowded]
    keys = step.code(said, np.int64) if step.values <= MOST_BOUND else _mixed_keys(said)
    sort = np.lexsort((keys, own))
    same = (own[sort][1:] == own[sort][:-1]) & (keys[sort][1:] == keys[sort][:-1])
    if step.values > MOST_BOUND and (said[sort[1:][same]] != said[sort[:-1][same]]).any():
        keys = np.unique(said, axis=0, return_inverse=True)[1].ravel()
        sort = np.lexsort((keys, own))
        same = (own[sort][1:] == own[sort][:-1]) & (keys[sort][1:] == keys[sort][:-1])
    order[crowded] = crowded[sort]
    starts[crowded[1:]] = ~same
    return order, starts


def _mixed_keys(numbers: Array) -> Array:
    """One integer per row, equal for equal rows, and hardly ever for others."""
    keys = np.zeros(len(numbers), dtype=np.uint64)
    for column in range(numbers.shape[1]):
        keys = (keys ^ numbers[:, column].astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(29)
    return keys


def pairs_of_inputs(level: Level) -> Iterator[dict[str, Array]]:
    """For every pair of inputs at every node, in blocks: the places of Alice's and of Bob's question."""
    alice, bob = level.sides["alice"], level.sides["bob"]
    if len(alice) == len(bob) == level.count:
        yield {"alice": np.arange(level.count), "bob": np.arange(level.count)}
        return
    ends = np.cumsum(np.bincount(bob.nodes, minlength=level.count)[alice.nodes])
    start = 0
    while start < len(alice):
        done = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + MOST_PAIRS, side="right")))
        rows, columns = _questions_at(alice.nodes[start:stop], bob, level.count)
        yield {"alice": start + rows, "bob": columns}
        start = stop


MOST_QUESTIONS = 1 << 15  # a level with more questions is cut into parts
ASKED_AGAIN = 64  # how many questions of each field, in each part, are put a second time


class LevelExploration:
    """A scheduled protocol on all inputs: the sums that an exploration reports, and what was found wrong."""

    def __init__(
        self, protocol: ProtocolBase, schedule: Schedule, table: Array, progress: Callable[[int], None] | None = None
    ) -> None:
        self.protocol, self.schedule, self.table, self.progress = protocol, schedule, table, progress
        views = protocol.views()
        self.views: dict[str, View] = {view.role: view for view in views}
        self.rows = {role: view.rows(np.arange(view.size))[0][0] for role, view in self.views.items()}
        self.leaves = self.questions = self.pairs = self.total_bits = self.visited = 0
        self.violations: list[Violation] = []

    @property
    def worst_bits(self) -> int:
        """Bits of the longest transcript on a promised input."""
        return self.schedule.bits if self.pairs else 0

    @property
    def worst_rounds(self) -> int:
        return self.schedule.rounds if self.pairs else 0

    def go(self) -> None:
        objection = self.schedule.objection(self.protocol.model)
        if objection:
            self.violations.append(Violation("model", objection))
            return
        sides = {role: Side(np.zeros(view.size, np.int64), np.arange(view.size)) for role, view in self.views.items()}
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
        if self.progress:
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

    def _ask(self, what: StepFunction, role: str, side: Side, level: Level) -> Array:
        return np.asarray(what(self.rows[role].take(side.views, axis=0), Known(level.known, side.nodes, side.notes)))

    def _numbers(self, step: Field, side: Side, level: Level) -> Array | None:
        """What the sender sends on each question, or None after a violation."""
        numbers = self._ask_twice(lambda rows, known: step.table(rows, known, len(rows)), step.sender, side, level)
        wrong = np.zeros(0) if numbers is None else step.outside(numbers)
        if numbers is not None and wrong.any():
            place = int(np.argmax(wrong))
            self._report("width", outside_message(step, numbers[place]), side, place, step.sender)
            return None
        return numbers

    def _ask_twice(self, what: StepFunction, role: str, side: Side, level: Level) -> Array | None:
        """What is found, if the same is found again at some places, backwards and evenly spread; else a violation."""
        again = np.arange(len(side))[:: max(1, len(side) // ASKED_AGAIN)][::-1]
        try:
            found = self._ask(what, role, side, level)
            repeated = self._ask(what, role, side.at(again, side.nodes[again]), level)
            if len(found) != len(side):
                raise InputError("answers", found.shape, f"one for each of {len(side)} inputs")
        except (Exception, SystemExit) as error:
            self._report("crash", f"{role} raises {type(error).__name__}: {error}", side, 0, role)
            return None
        if not np.array_equal(repeated, found[again]):
            place = again[[not np.array_equal(*pair) for pair in zip(repeated, found[again], strict=True)].index(True)]
            note = f"{role} does not do the same when asked again about the same input and messages"
            self._report("determinism", note, side, int(place), role)
            return None
        return found

    def _leaves(self, level: Level) -> None:
        self.leaves += level.count
        codes: dict[str, Array] = {}
        for role in self.protocol.knowing:
            self.questions += len(level.sides[role])
            answers = self._ask_twice(self.schedule.answers[role], role, level.sides[role], level)
            if answers is None:
                return
            codes[role] = answers
        settled = np.full(level.count, DONT_CARE, dtype=np.int64)
        for places in pairs_of_inputs(level):
            if not self._check_pairs(level, places, codes, settled):
                return

    def _check_pairs(self, level: Level, places: dict[str, Array], codes: dict[str, Array], settled: Array) -> bool:
        """Check some pairs; ``settled`` holds, for each node, an answer that is right on one of its pairs."""
        x, y = (level.sides[role].views[places[role]] for role in ("alice", "bob"))
        cells = self.table[x, y]
        promised = legal(cells)
        found = int(np.count_nonzero(promised))
        self.pairs += found
        self.total_bits += found * self.schedule.bits
        for role in self.protocol.knowing:
            given = codes[role][places[role]]
            wrong = promised & (given != cells)
            if wrong.any():
                place = int(np.argmax(wrong))
                self._wrong_answer(role, int(given[place]), (int(x[place]), int(y[place])), int(cells[place]))
                return False
        if self.protocol.answer != "both" or not found:
            return True
        nodes, right = level.sides["alice"].nodes[places["alice"]][promised], cells[promised]
        new = settled[nodes] == DONT_CARE
        settled[nodes[new]] = right[new]
        other = settled[nodes] != right
        if other.any():
            place = int(np.flatnonzero(promised)[np.argmax(other)])
            note = "the answer is not settled by what was said: the leaf holds inputs with different answers"
            self.violations.append(Violation("monochromatic", note, (self._shown(int(x[place]), int(y[place])),)))
        return not other.any()

    def _wrong_answer(self, role: str, code: int, inputs: tuple[int, int], expected: int) -> None:
        note = f"{role} answers {self.protocol.told(code)}, expected {self.protocol.told(expected)}"
        self.violations.append(Violation("answer", note, (self._shown(*inputs),)))

    def _shown(self, x: int, y: int) -> dict[str, Any]:
        return {**self.views["alice"].show(x), **self.views["bob"].show(y)}

    def _report(self, kind: str, note: str, side: Side, place: int, role: str) -> None:
        self.violations.append(Violation(kind, note, (self.views[role].show(int(side.views[place])),)))
