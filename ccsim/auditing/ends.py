"""A task's states before the last symbols of a word, with how many words lead to each: so its answers are counted."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ccsim.arrays import Array
from ccsim.auditing.budget import Budget
from ccsim.auditing.sides import Layer, task_rules
from ccsim.matrices import DONT_CARE
from ccsim.models.reachability import History, way_back
from ccsim.problems.sequence.machine import TaskMachine

MOST_STATES = 1 << 14  # of the task at one position


@dataclass(frozen=True, eq=False)
class Ends:
    """All words but for their last symbols.

    Attributes:
        counts: how many lead to each state, Python integers.
        codes: the answer codes after each ending, shape (states, endings).
        last: the symbols that may stand at each of the last positions, ranks of the task: endings are all words of
            these, in order.
        history: where each state came from.
    """

    counts: Array
    codes: Array
    last: list[Array]
    history: History = field(repr=False)

    @classmethod
    def of(
        cls, machine: TaskMachine, symbols: list[Array], budget: Budget, long: int = 1, most: int = MOST_STATES
    ) -> Ends:
        """With endings of ``long`` symbols.

        Raises :class:`~ccsim.auditing.budget.OutOfBudgetError` if there are too many states, or time is over.
        """
        limit = replace(budget.part(), states=max(1, min(most, MOST_STATES, budget.states)))
        layer, counts = Layer.start(task_rules(machine)), np.ones(1, dtype=object)
        history: list[tuple[Array, Array]] = []
        for position, choices in enumerate(symbols[:-long], start=1):
            limit.require_time(f"{position} symbols")
            layer, leads = layer.advance(choices, position, limit)
            before, counts = counts, np.zeros(layer.count, dtype=object)
            np.add.at(counts, leads, before[:, None])
            came_from = np.empty(layer.count, dtype=np.int32)
            came_from[leads.reshape(-1)] = np.arange(leads.size)
            history.append((came_from, choices))
        rows, count = layer.rows, layer.count
        for position, choices in enumerate(symbols[-long:-1], start=len(symbols) - long + 1):
            limit.require_time(f"{position} symbols")
            rows = machine.step(np.repeat(rows, len(choices), axis=0), np.tile(choices, len(rows)), position)
        codes = Layer(layer.rules, rows).codes(symbols[-1], len(symbols)).reshape(count, -1)
        return cls(counts, codes, symbols[-long:], tuple(history))

    @cached_property
    def promised(self) -> int:
        """How many words have an answer."""
        return int((self.counts[:, None] * (self.codes != DONT_CARE)).sum())

    def differing(self, given: Array) -> tuple[int, Array | None]:
        """How many words want another answer than is ``given`` for their last symbol (symbols,), and one of them."""
        bad = (self.codes != DONT_CARE) & (self.codes != given)
        if not bad.any():
            return 0, None
        return int((self.counts[:, None] * bad).sum()), self.word(bad)

    def word(self, chosen: Array) -> Array:
        """One of the words that lead to a chosen state and end with a chosen ending, of booleans (states, endings)."""
        state, ending = divmod(int(np.argmax(chosen)), self.codes.shape[1])
        places = np.unravel_index(ending, [len(choices) for choices in self.last])
        end = [choices[place] for choices, place in zip(self.last, places, strict=True)]
        return np.concatenate([way_back(self.history, state), np.array(end, dtype=np.int64)])
