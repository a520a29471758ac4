"""All nodes of a protocol tree at one depth, in arrays: each still a rectangle, two lists of inputs that reach it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ccsim.arrays import Array
from ccsim.engine.schedule import MOST_BOUND, Field

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
        listener = _copies(theirs, parents, self.count)
        known = {name: column.take(parents, axis=0) for name, column in self.known.items()}
        return Level(self.step + 1, count, {speaker: spoken, OTHER[speaker]: listener}, {**known, **added})


def _copies(side: Side, parents: Array, count: int) -> Side:
    """For each child, the questions of its parent."""
    sizes = np.bincount(side.nodes, minlength=count)
    begin = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    lengths = sizes[parents]
    ends = np.cumsum(lengths)
    places = np.repeat(begin[parents] - (ends - lengths), lengths) + np.arange(int(ends[-1]))
    return side.at(places, np.repeat(np.arange(len(parents)), lengths))


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
    keys = _exact_keys(said, step) if step.values <= MOST_BOUND else _mixed_keys(said)
    sort = np.lexsort((keys, own))
    same = (own[sort][1:] == own[sort][:-1]) & (keys[sort][1:] == keys[sort][:-1])
    if step.values > MOST_BOUND and (said[sort[1:][same]] != said[sort[:-1][same]]).any():
        keys = np.unique(said, axis=0, return_inverse=True)[1].ravel()
        sort = np.lexsort((keys, own))
        same = (own[sort][1:] == own[sort][:-1]) & (keys[sort][1:] == keys[sort][:-1])
    order[crowded] = crowded[sort]
    starts[crowded[1:]] = ~same
    return order, starts


def _exact_keys(numbers: Array, step: Field) -> Array:
    """One integer per row, equal exactly for equal rows: the row in mixed radix."""
    keys = np.zeros(len(numbers), dtype=np.int64)
    for column, bound in enumerate(step.bounds):
        keys = keys * bound + numbers[:, column]
    return keys


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
    widths = np.bincount(bob.nodes, minlength=level.count)
    begin = np.concatenate([[0], np.cumsum(widths)[:-1]])
    lengths = widths[alice.nodes]
    ends = np.cumsum(lengths)
    start = 0
    while start < len(alice):
        done = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + MOST_PAIRS, side="right")))
        part = slice(start, stop)
        columns = np.repeat(begin[alice.nodes[part]] - (ends[part] - lengths[part] - done), lengths[part])
        yield {
            "alice": np.repeat(np.arange(start, stop), lengths[part]),
            "bob": columns + np.arange(int(ends[stop - 1]) - done),
        }
        start = stop
