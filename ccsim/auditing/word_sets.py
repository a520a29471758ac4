"""Sets of words of a one-layer transformer: a last symbol, and for each segment a cluster of its strings."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ccsim.arithmetic import Zonotopes
from ccsim.arrays import Array
from ccsim.auditing.attended import Ranges, Sums, attended
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.forest import Forest, grown
from ccsim.auditing.leads import Leads, kinds_of
from ccsim.auditing.outranked import Outranking
from ccsim.auditing.segments import Entries, Segment, attention_entries, cut, task_classes
from ccsim.matrices import DONT_CARE
from ccsim.models.comparison import Comparison
from ccsim.models.transformer import OneLayerTransformer
from ccsim.problems.sequence.machine import TaskMachine

__all__ = ["WordSets"]

MOST_STRINGS = 1 << 10  # of a segment
MOST_POINTS = 1 << 15  # strings of all segments with all last symbols
AXES = 8
WORD = 64  # bits


@dataclass(frozen=True, eq=False)
class WordSets:
    """All clusters of strings, for every segment and last symbol, in one forest.

    A set is named by the place of its last symbol among those that are allowed and the number of a cluster for each
    segment.

    Attributes:
        beside: the model and the task.
        symbols: at each position the ranks of the task that are allowed there.
        segments: where words are cut.
        entries, ranges: for each last symbol, what the positions add.
        strings: for each point of the forest which string of its segment it is.
        forest: a tree for each last symbol and segment, in that order.
        sums: of each cluster.
        leads: what the strings of each cluster do with the task's states.
        codes: the task's, shape (states before the last symbol, symbols that may be last).
    """

    beside: Comparison
    symbols: list[Array]
    segments: list[Segment]
    entries: list[Entries]
    ranges: list[Ranges]
    strings: Array
    forest: Forest
    sums: Sums
    leads: Leads
    codes: Array

    @classmethod
    def of(cls, beside: Comparison, machine: TaskMachine, symbols: list[Array], budget: Budget) -> WordSets:
        """Raises :class:`~ccsim.auditing.budget.OutOfBudgetError` if the task has too many states or sums are long."""
        model = beside.model
        assert isinstance(model, OneLayerTransformer)
        own, positions = [beside.read(choices) for choices in symbols], len(symbols)
        segments = cut(symbols, min(MOST_STRINGS, max(2, 8 * MOST_POINTS // (len(symbols[-1]) * positions))))
        if not segments:
            raise OutOfBudgetError("words of one symbol")
        tables, codes = task_classes(machine, segments, symbols, budget)
        entries = [attention_entries(model, int(last), own) for last in own[-1]]
        ranges = [Ranges.of(part, [*own[:-1], own[-1][[place]]]) for place, part in enumerate(entries)]
        sums = [part.sums(one.places, beside.read(one.strings)) for part in entries for one in segments]
        points, largest = (np.concatenate(parts) for parts in zip(*sums, strict=True))
        sizes = [len(one.strings) for one in segments] * len(entries)
        rows, kinds_of_strings = kinds_of(tables)
        kinds = np.concatenate(kinds_of_strings * len(entries))
        width = model.heads * model.head_width
        scales = np.where(np.arange(points.shape[1]) < width, 1.0, 1 / entries[0].spread)
        forest = grown(points, np.repeat(np.arange(len(sizes)), sizes), kinds, scales, AXES)
        weights = forest.least(points[:, width:]), forest.most(points[:, width:])
        return cls(
            beside=beside,
            symbols=symbols,
            segments=segments,
            entries=entries,
            ranges=ranges,
            strings=np.concatenate([np.arange(size) for size in sizes]),
            forest=forest,
            sums=Sums(forest.centre, forest.radius, forest.generators, *weights, forest.most(largest)),
            leads=Leads.of(rows, kinds, forest),
            codes=codes,
        )

    @property
    def roots(self) -> tuple[Array, Array]:
        """All words, as a set for each last symbol: places (sets,), clusters (sets, segments)."""
        return np.arange(len(self.entries)), self.forest.roots.reshape(len(self.entries), -1)

    @cached_property
    def width(self) -> Array:
        """How far the sums of each cluster reach, for a choice between clusters."""
        outputs = self.ranges[0].least.shape[1]
        return np.asarray(np.abs(self.sums.generators[:, :outputs]).sum(axis=(1, 2)), dtype=np.float64)

    def counts(self, clusters: Array) -> Array:
        """How many words are in each set (batch, segments): int64, or Python integers where these might not fit."""
        words = math.prod(len(one.strings) for one in self.segments)
        sizes = self.forest.sizes[clusters]
        return np.asarray((sizes if words.bit_length() < WORD - 1 else sizes.astype(object)).prod(axis=1))

    def given(self, last: int, clusters: Array) -> Array:
        """Which answers the model can give on sets with one last symbol, shaped as :meth:`wanted`."""
        rank, answers = self._last_rank(last), len(self.beside.task.answers)
        stream = np.repeat(self.model.embedding_table[-1][[rank]].astype(np.int64), len(clusters), axis=0)
        heads = self.model.precision.saturate(self.heads(last, clusters))  # type: ignore[arg-type]
        return self.end.possible(stream, heads, self.beside.renamed, answers)

    def heads(self, last: int, clusters: Array) -> Zonotopes:
        """What the heads give on sets with one last symbol, before it saturates."""
        entries, place = self.entries[last], len(self.symbols) - 1
        own, largest = entries.sums(np.array([place]), np.array([[self._last_rank(last)]]))
        return attended(self.model, entries, self.ranges[last], self._sums(clusters, own, largest))

    def _last_rank(self, last: int) -> int:
        return int(self.beside.read(self.symbols[-1][[last]])[0])

    def _sums(self, clusters: Array, own: Array, largest: Array) -> Sums:
        """Over all positions, the last one's parts being known."""
        parts, width = clusters.T, self.ranges[0].least.shape[1]
        centre, radius, least, most = (
            np.asarray(sum(every[part] for part in parts))
            for every in (self.sums.centre, self.sums.radius, self.sums.least, self.sums.most)
        )
        generators = np.concatenate([self.sums.generators[part] for part in parts], axis=2)
        far = np.maximum(np.maximum.reduce([self.sums.largest[part] for part in parts]), largest)
        return Sums(centre + own, radius, generators, least + own[:, width:], most + own[:, width:], far)

    @property
    def model(self) -> OneLayerTransformer:
        """The model."""
        assert isinstance(self.beside.model, OneLayerTransformer)
        return self.beside.model

    @cached_property
    def end(self) -> Outranking:
        """What follows the heads."""
        return Outranking(self.model)

    def wanted(self, last: int, clusters: Array) -> Array:
        """Which answers the task can want on sets with one last symbol, shape (batch, answers and one for none)."""
        states = np.zeros((len(clusters), self.leads.states), dtype=bool)
        states[:, 0] = True
        for part in clusters.T:
            states = self.leads.after(states, part)
        codes, answers = self.codes[:, last], len(self.beside.task.answers)
        table = np.where(codes == DONT_CARE, answers, codes)[:, None] == np.arange(answers + 1)
        return np.asarray((states[:, : len(codes), None] & table).any(axis=1))

    def word(self, last: int, clusters: Array) -> Array:
        """One word of a set."""
        points = self.forest.order[self.forest.starts[clusters]]
        parts = [one.strings[self.strings[point]] for one, point in zip(self.segments, points, strict=True)]
        return np.concatenate([*parts, self.symbols[-1][[last]]])

    def words(self, lasts: Array, clusters: Array) -> Array:
        """All words of some sets, as ranks of the task, one set after the other."""
        sizes = self.forest.sizes[clusters]
        counts = sizes.prod(axis=1)
        sets = np.repeat(np.arange(len(counts)), counts)
        left = np.arange(len(sets)) - np.repeat(np.cumsum(counts) - counts, counts)
        rows = np.empty((len(sets), len(self.symbols)), dtype=np.int64)
        rows[:, -1] = self.symbols[-1][lasts[sets]]
        for place, segment in enumerate(self.segments):
            left, chosen = np.divmod(left, sizes[sets, place])
            points = self.forest.order[self.forest.starts[clusters[sets, place]] + chosen]
            rows[:, segment.places] = segment.strings[self.strings[points]]
        return rows
