"""One-layer transformers on all words at once: sets of words are halved until a set has one answer, largest sets first.

What attention gives on all words of a set is in a zonotope, and the rest of the model is worked out on that; what the
task wants comes from the states that the words can lead to. Sets with one answer of each are decided; the others are
halved in one segment; of small ones each word is run. So whenever the time is over, it is known of so many words that
the model is right, and of so many that it is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ccsim.arrays import Array
from ccsim.auditing.accuracy import Accuracy, Bracket, is_hardly_any
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.tried import promised_words
from ccsim.auditing.word_sets import WordSets
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.models.comparison import Comparison
from ccsim.problems.sequence.machine import TaskMachine

__all__ = ["Progress", "bracket_by_branches"]

FEW_WORDS = 1 << 7  # sets of so many words are run
MOST_ENTRIES = 1 << 20  # numbers of generators that are worked out at once
MOST_SETS = 1 << 20
MOST_SYMBOLS = 1 << 20  # of words that are run at once
FEW_SETS = 1 << 12  # by fewer, hardly anything is decided of long words
IDLE = 2  # times in a row that four times as many sets may decide hardly anything, if the verdict is settled


def bracket_by_branches(
    beside: Comparison,
    machine: TaskMachine,
    symbols: list[Array],
    budget: Budget,
    rounds: int | None = None,
    settled: bool = False,
) -> Bracket | None:
    """The interval when the time, or so many rounds, are over; None for a model or a task that cannot be followed.

    If the verdict is ``settled``, it is also the end when many more sets decide hardly any of the words that were
    open, unless words are so few that sets will be small enough to be run.
    """
    try:
        promised = promised_words(beside, machine, budget)
        if promised is None:
            return None
        search = _Search(WordSets.of(beside, machine, symbols, budget))
        settled &= promised > FEW_WORDS * MOST_SETS
        progress, done = Progress(promised), 0
        while len(search.lasts) and done != rounds and budget.spent < budget.seconds:
            search.round()
            done += 1
            if settled and progress.is_over(search.tried, search.right + search.wrong):
                break
    except (OutOfBudgetError, TypeError, InputError):  # an activation, or a norm, that is not known for sets
        return None
    accuracy = Accuracy(promised, search.right, search.wrong, f"by {search.tried} sets of words")
    return Bracket(accuracy, search.first)


@dataclass
class Progress:
    """Whether it goes on, asked whenever there are four times as many sets as when it was asked before."""

    promised: int
    decided: int = 0
    sets: int = FEW_SETS
    idle: int = 0

    def is_over(self, tried: int, decided: int) -> bool:
        """Whether hardly any of the words that were open have been decided, for the second time running."""
        if tried >= self.sets:
            hardly = is_hardly_any(decided - self.decided, self.promised - self.decided)
            self.idle = self.idle + 1 if hardly else 0
            self.sets, self.decided = 4 * tried, decided
        return self.idle >= IDLE


@dataclass(eq=False)
class _Search:
    """The sets that are open: for each the place of its last symbol, its clusters, and how many words it has."""

    sets: WordSets
    lasts: Array = field(init=False)
    clusters: Array = field(init=False)
    counts: Array = field(init=False)
    right: int = 0
    wrong: int = 0
    tried: int = 0
    first: Array | None = None

    def __post_init__(self) -> None:
        self.lasts, self.clusters = self.sets.roots
        self.counts = self.sets.counts(self.clusters)

    def round(self) -> None:
        """Look at the largest open sets."""
        sets = self.sets
        inputs, axes = sets.sums.generators.shape[1:]
        size = max(64, MOST_ENTRIES // (inputs * (axes * self.clusters.shape[1] + inputs)))
        order = np.argsort(-self.counts.astype(np.float64), kind="stable")
        few = self.counts[order[:size]] <= FEW_WORDS
        run = np.cumsum(np.where(few, self.counts[order[:size]], 0).astype(np.int64))
        size = max(1, int(np.searchsorted(run, MOST_SYMBOLS // len(sets.symbols), side="right")))
        chosen, left = order[:size], order[size : size + MOST_SETS]
        lasts, clusters, counts = self.lasts[chosen], self.clusters[chosen], self.counts[chosen]
        small = (counts <= FEW_WORDS).astype(bool)
        fresh = [(self.lasts[left], self.clusters[left])]
        if small.any():
            self._run(sets.words(lasts[small], clusters[small]))
        for last in np.unique(lasts[~small]).tolist():
            mine = ~small & (lasts == last)
            halves = self._looked(last, clusters[mine], counts[mine])
            fresh.append((np.full(len(halves), last), halves))
        self.lasts, self.clusters = (np.concatenate(parts) for parts in zip(*fresh, strict=True))
        self.counts = sets.counts(self.clusters)

    def _run(self, words: Array) -> None:
        beside = self.sets.beside
        promised, wrong = np.asarray(beside.task.evaluate(words)) != DONT_CARE, beside.wrong(words)
        self.right += int((promised & ~wrong).sum())
        self.wrong += int(wrong.sum())
        if self.first is None and wrong.any():
            self.first = words[int(np.argmax(wrong))]

    def _looked(self, last: int, clusters: Array, counts: Array) -> Array:
        """Count the sets with one answer; the halves of the others."""
        sets = self.sets
        given, wanted = sets.given(last, clusters), sets.wanted(last, clusters)
        asked, single = ~wanted[:, -1], np.asarray(wanted.sum(axis=1) == 1)
        meets = np.asarray((given & wanted)[:, :-1].any(axis=1))
        right = asked & single & meets & (given.sum(axis=1) == 1)
        wrong = asked & ~meets
        nothing = single & ~asked
        self.tried += len(clusters)
        self.right += int(counts[right].sum())
        self.wrong += int(counts[wrong].sum())
        if self.first is None and wrong.any():
            self.first = sets.word(last, clusters[int(np.argmax(wrong))])
        left = np.flatnonzero(~(right | wrong | nothing))
        return self._halves(clusters[left], np.asarray(single)[left])

    def _halves(self, clusters: Array, settled: Array) -> Array:
        """Each set in two: where the widest cluster is, or where strings do different things with the task."""
        forest = self.sets.forest
        whole = forest.children[clusters, 0] < 0
        width = np.where(whole, -1.0, self.sets.width[clusters])
        mixed = ~self.sets.leads.pure[clusters] & ~settled[:, None]
        width = np.where(mixed.any(axis=1, keepdims=True) & ~mixed, -1.0, width)
        place, rows = width.argmax(axis=1), np.arange(len(clusters))
        halves = np.repeat(clusters[:, None], 2, axis=1)
        halves[rows, :, place] = forest.children[clusters[rows, place]]
        return halves.reshape(-1, clusters.shape[1])
