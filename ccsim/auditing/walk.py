"""All words of a length at once: the pairs of a model's and a task's state that they lead to, with how many do."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ccsim.arrays import Array
from ccsim.auditing.budget import Budget
from ccsim.auditing.sides import Layer, Rules, Side, Table
from ccsim.matrices import DONT_CARE
from ccsim.models.reachability import History, different_numbers, way_back

OTHER_BRANCH = -3
"""What a model's rules answer on words that are not theirs."""

WORD_BITS = 62
POSITIONS = 32  # so many times the states of one position are held in the history


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs at one position.

    Attributes:
        left, right: the states of the model and of the task.
        keys: the pairs in order, each left number * right.count + right number.
        counts: for each pair how many words lead to it: int64, or Python integers where these do not fit.
        read: how many symbols were read.
        history: where each pair came from.
    """

    left: Side
    right: Side
    keys: Array
    counts: Array
    read: int = 0
    history: History = field(default=(), repr=False)

    @classmethod
    def start(cls, left: Side, right: Side, starts: int, words: int) -> Pairs:
        """Before the first symbol; ``words`` is how many there will be in all."""
        kind = np.int64 if words.bit_length() <= WORD_BITS else object
        return cls(left, right, np.arange(starts) * right.count, np.ones(starts, dtype=kind))

    @property
    def numbers(self) -> tuple[Array, Array]:
        """The left and the right number of each pair."""
        left, right = np.divmod(self.keys, self.right.count)
        return left, right

    def after(self, symbols: Array, budget: Budget) -> Pairs:
        """The pairs after one more symbol, any of these."""
        position = self.read + 1
        budget.require_time(f"{len(self.keys)} pairs after {self.read} symbols")
        mine, theirs = self.numbers
        left, ours = self.left.advance(symbols, position, budget)
        right, its = self.right.advance(symbols, position, budget)
        ours = ours[mine]
        keys = (ours * right.count + its[theirs]).reshape(-1)
        ways = np.arange(len(keys)) if ours.min(initial=0) >= 0 else np.flatnonzero(ours.reshape(-1) >= 0)
        different, first, places = different_numbers(keys[ways], left.count * right.count)
        counts = np.zeros(len(different), dtype=self.counts.dtype)
        np.add.at(counts, places, self.counts[ways // len(symbols)])
        budget.require_states(len(different), "pairs of states", f"{len(self.keys)} pairs after {self.read} symbols")
        held = sum(len(came_from) for came_from, _ in self.history) + len(different)
        budget.require_states(held // POSITIONS, f"pairs over {POSITIONS} at all positions", f"{self.read} symbols")
        return Pairs(left, right, different, counts, position, (*self.history, (ways[first], symbols)))

    def prefix(self, pair: int) -> Array:
        """A word that leads to a pair, by its place: ranks of the task, shape (read,)."""
        return way_back(self.history, pair)

    def verdicts(self, symbols: Array) -> Verdicts:
        """What comes out when one of these symbols ends the word."""
        mine, theirs = self.numbers
        given = self.left.codes(symbols, self.read + 1)[mine]
        wanted = self.right.codes(symbols, self.read + 1)[theirs]
        own = given != OTHER_BRANCH
        promised = own & (wanted != DONT_CARE)
        wrong = promised & (given != wanted)
        first = None
        if wrong.any():
            first = way_back((*self.history, (np.flatnonzero(wrong), symbols)), 0)
        exact = self.counts.astype(object)
        return Verdicts(
            int((exact * own.sum(axis=1)).sum()),
            int((exact * promised.sum(axis=1)).sum()),
            int((exact * wrong.sum(axis=1)).sum()),
            first,
        )


@dataclass(frozen=True, eq=False)
class Verdicts:
    """How many words were gone through, are promised, and are answered wrongly; and a word of the last kind."""

    words: int
    promised: int
    wrong: int
    first: Array | None


def walk(
    left: Side | Rules,
    right: Side | Rules,
    symbols: list[Array],
    budget: Budget,
    look: Callable[[Pairs], None] | None = None,
) -> Verdicts:
    """Go through all words with these symbols at each position; ``look`` sees the pairs before each symbol.

    Raises :class:`~ccsim.auditing.budget.OutOfBudgetError` if there are too many states.
    """
    words = math.prod(len(choices) for choices in symbols)
    starts = len(left.starts) if isinstance(left, Rules) else 1
    first = Layer.start(left) if isinstance(left, Rules) else left
    second = Layer.start(right) if isinstance(right, Rules) else right
    pairs = Pairs.start(first, second, starts, words * starts)
    for choices in symbols[:-1]:
        pairs = pairs.after(choices, budget)
        if look is not None:
            look(pairs)
        if not len(pairs.keys):
            return Verdicts(0, 0, 0, None)
    budget.require_time(f"{len(pairs.keys)} pairs after {pairs.read} symbols")
    return pairs.verdicts(symbols[-1])


def shortest_mistake(left: Table, right: Table, budget: Budget, longest: int | None = None) -> Array | None:
    """The shortest word on which two machines that do not depend on the position differ, or None if there is none.

    The answer None is a proof for words of up to ``longest`` symbols; of every length, if no limit is given. The tables
    must answer words of such lengths.
    """
    size, symbols = right.count, np.arange(left.table.shape[1])
    seen = np.zeros(left.count * size, dtype=bool)
    seen[0] = True
    pairs = Pairs(left, right, np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64))
    while len(pairs.keys) and (longest is None or pairs.read < longest):
        budget.require_time(f"words of {pairs.read} symbols")
        found = pairs.verdicts(symbols).first
        if found is not None:
            return found
        mine, theirs = pairs.numbers
        keys = (left.table[mine] * size + right.table[theirs]).reshape(-1)
        different, first, _ = different_numbers(keys, len(seen))
        new = ~seen[different]
        seen[different] = True
        history = (*pairs.history, (first[new], symbols))
        fresh = different[new]
        pairs = Pairs(left, right, fresh, np.ones(len(fresh), dtype=np.int64), pairs.read + 1, history)
    return None
