"""The best division of a sender's inputs into so many messages, in integers: bounds, a search, proofs by branching.

Everything is said in terms of *costs*: the weight on which the receiver is wrong. A message's inputs cost what the
best strategy of the receiver leaves wrong on them.
"""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array

NEVER = 1 << 60
MOST_CHOSEN = 4  # so many messages, or fewer, are proved by going through all sets of strategies
MOST_CHOICES = 1_000_000  # sets of strategies
MOST_CLASSES = 200_000  # classes of inputs
MOST_NODES = 1_000_000  # partial divisions into classes
STARTS = 24

Class = tuple[int, int, int]
"""Some inputs as a mask, what they cost as one message, how many there are."""


def least_costs(costs: Array) -> Array:
    """For t = 0, 1, ..., the least that t of the sender's inputs can cost as one message, exactly.

    ``costs`` holds what each strategy (row) leaves wrong on each input (column).

    >>> least_costs(np.array([[0, 1, 5], [2, 0, 0]])).tolist()
    [0, 0, 0, 2]
    """
    sums = np.cumsum(np.sort(costs, axis=1), axis=1).min(axis=0)
    return np.concatenate([[0], sums]).astype(np.int64)


def partition_bound(least: Array, messages: int) -> Array:
    """Row k, column s: no division of s inputs into k messages costs less, as far as sizes alone can tell."""
    size = len(least)
    table = np.full((messages + 1, size), NEVER, dtype=np.int64)
    table[0, 0] = 0
    for k in range(1, messages + 1):
        table[k] = table[k - 1]
        for taken in range(1, size):
            np.minimum(table[k, taken:], table[k - 1, : size - taken] + least[taken], out=table[k, taken:])
    return table


class Division:
    """A search for the cheapest division; ``lower`` and ``upper`` are proved, ``strategies`` reach ``upper``."""

    def __init__(self, costs: Array, messages: int) -> None:
        self.costs, self.messages = costs, min(messages, costs.shape[1])
        self.least = least_costs(costs)
        self.bound = partition_bound(self.least, self.messages)
        self.lower = int(self.bound[self.messages, -1])
        self.strategies = self._local_search()
        self.upper = self._cost(self.strategies)

    def _cost(self, strategies: list[int]) -> int:
        return int(self.costs[strategies].min(axis=0).sum())

    def prove(self) -> None:
        """Close the gap, if one of two ways of going through all cases is short enough."""
        if self.lower < self.upper and not self._choose_strategies():
            self._choose_classes()

    # Finding

    def _local_search(self) -> list[int]:
        """Change one strategy for another as long as that helps, from several starts drawn from a fixed seed."""
        generator = np.random.Generator(np.random.PCG64(0))
        best: list[int] = []
        for _ in range(STARTS):
            chosen = generator.choice(len(self.costs), self.messages, replace=len(self.costs) < self.messages).tolist()
            self._improve(chosen)
            if not best or self._cost(chosen) < self._cost(best):
                best = chosen
            if self._cost(best) == self.lower:
                break
        return best

    def _improve(self, chosen: list[int]) -> None:
        current, improved = self._cost(chosen), True
        while improved:
            improved = False
            for place in range(len(chosen)):
                others = self.costs[chosen[:place] + chosen[place + 1 :]]
                rest = others.min(axis=0, initial=NEVER)
                totals = np.minimum(self.costs, rest).sum(axis=1)
                candidate = int(totals.argmin())
                if int(totals[candidate]) < current:
                    chosen[place], current, improved = candidate, int(totals[candidate]), True

    # Proving: all sets of strategies

    def _choose_strategies(self) -> bool:
        """Go through all sets of strategies in rising order; False if there are too many to look at."""
        self.budget = MOST_CHOICES
        nothing = np.full(self.costs.shape[1], int(self.costs.max()) + 1, dtype=np.int64)
        if self.messages > MOST_CHOSEN or not self._extend(nothing, [], 0):
            return False
        self.lower = self.upper
        return True

    def _extend(self, current: Array, chosen: list[int], first: int) -> bool:
        """All ways to complete a choice with strategies from ``first`` on; False when the budget is spent."""
        self.budget -= 1
        left, value = self.messages - len(chosen), int(current.sum())
        gains = value - np.minimum(self.costs[first:], current).sum(axis=1)
        if self.budget < 0:
            return False
        if left == 1:
            place = int(gains.argmax())
            if value - int(gains[place]) < self.upper:
                self.upper, self.strategies = value - int(gains[place]), [*chosen, first + place]
            return True
        others = int(np.sort(gains)[-(left - 1) :].sum())  # what the other strategies gain at most
        for place in np.flatnonzero(value - gains - others < self.upper).tolist():
            if place + left > len(gains) or value - int(gains[place]) - others >= self.upper:
                continue
            follow = np.minimum(current, self.costs[first + place])
            if not self._extend(follow, [*chosen, first + place], first + place + 1):
                return False
        return True

    # Proving: all divisions into classes

    def _choose_classes(self) -> bool:
        """Go through all divisions into classes that sizes alone do not rule out; False if there are too many."""
        self.budget = MOST_CLASSES
        rest = self.bound[self.messages - 1, ::-1]  # what the other classes cost at least, by the size of this one
        self.limits = self.upper - 1 - rest
        promising = np.where(self.least <= self.limits, self.limits, -1)
        self.reach = np.append(np.maximum.accumulate(promising[::-1])[::-1], -1)
        self.classes: list[list[Class]] = []
        for first in range(self.costs.shape[1]):
            self.classes.append([])
            if not self._grow((1 << first, 0, 1), self.costs[:, first], first + 1):
                return False
        self.budget = MOST_NODES
        self.rests = self.bound.tolist()
        if not self._cover((1 << self.costs.shape[1]) - 1, []):
            return False
        self.lower = self.upper
        return True

    def _grow(self, group: Class, sums: Array, start: int) -> bool:
        """List a class, if it may be of use, and all larger ones with more inputs from ``start`` on."""
        mask, _, size = group
        self.budget -= 1
        if self.budget < 0:
            return False
        cost = int(sums.min())
        if cost <= self.limits[size]:
            self.classes[-1].append((mask, cost, size))
        more = self.costs[:, start:] + sums[:, None]
        for place in np.flatnonzero(more.min(axis=0) <= self.reach[size + 1]).tolist():
            larger = mask | 1 << (start + place), 0, size + 1
            if not self._grow(larger, more[:, place], start + place + 1):
                return False
        return True

    def _cover(self, left: int, taken: list[Class]) -> bool:
        """All divisions of the inputs in ``left`` that are cheaper than what is known, by the class of the first."""
        self.budget -= 1
        if self.budget < 0:
            return False
        spent = sum(cost for _, cost, _ in taken)
        if not left:
            self.upper = spent
            self.strategies = [self._strategy(mask) for mask, _, _ in taken]
            return True
        if len(taken) == self.messages:
            return True
        first, size, others = (left & -left).bit_length() - 1, left.bit_count(), self.messages - len(taken) - 1
        for group in self.classes[first]:
            mask, cost, count = group
            hopeful = not mask & ~left and spent + cost + self.rests[others][size - count] < self.upper
            if hopeful and not self._cover(left & ~mask, [*taken, group]):
                return False
        return True

    def _strategy(self, mask: int) -> int:
        """The strategy that is best on these inputs."""
        held = [place for place in range(self.costs.shape[1]) if mask >> place & 1]
        return int(self.costs[:, held].sum(axis=1).argmin())
