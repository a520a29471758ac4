"""A task's states before the last symbol of a word, with how many words lead to each: so its answers are counted."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ccsim.arrays import Array
from ccsim.auditing.budget import Budget
from ccsim.auditing.sides import Layer, task_rules
from ccsim.auditing.walk import way_back
from ccsim.matrices import DONT_CARE
from ccsim.problems.sequence.machine import TaskMachine

__all__ = ["Ends"]

MOST_STATES = 1 << 14  # of the task at one position


@dataclass(frozen=True, eq=False)
class Ends:
    """All words but for their last symbol.

    Attributes:
        counts: how many lead to each state, Python integers.
        codes: the answer codes after one more symbol, shape (states, symbols).
        last: the symbols that may end a word, ranks of the task.
        history: where each state came from, as in :class:`~ccsim.auditing.walk.Pairs`.
    """

    counts: Array
    codes: Array
    last: Array
    history: tuple[tuple[Array, Array], ...] = field(repr=False)

    @classmethod
    def of(cls, machine: TaskMachine, symbols: list[Array], budget: Budget) -> Ends:
        """Raises :class:`~ccsim.auditing.budget.OutOfBudgetError` if there are too many states, or time is over."""
        limit = replace(budget.part(), states=min(MOST_STATES, budget.states))
        layer, counts = Layer.start(task_rules(machine)), np.ones(1, dtype=object)
        history: list[tuple[Array, Array]] = []
        for position, choices in enumerate(symbols[:-1], start=1):
            limit.require_time(f"{position} symbols")
            layer, leads = layer.advance(choices, position, limit)
            before, counts = counts, np.zeros(layer.count, dtype=object)
            np.add.at(counts, leads, before[:, None])
            came_from = np.empty(layer.count, dtype=np.int32)
            came_from[leads.reshape(-1)] = np.arange(leads.size)
            history.append((came_from, choices))
        return cls(counts, layer.codes(symbols[-1], len(symbols)), symbols[-1], tuple(history))

    @cached_property
    def promised(self) -> int:
        """How many words have an answer."""
        return int((self.counts[:, None] * (self.codes != DONT_CARE)).sum())

    def differing(self, given: Array) -> tuple[int, Array | None]:
        """How many words want another answer than is ``given`` for their last symbol (symbols,), and one of them."""
        bad = (self.codes != DONT_CARE) & (self.codes != given)
        if not bad.any():
            return 0, None
        state, symbol = divmod(int(np.argmax(bad)), len(self.last))
        first = np.concatenate([way_back(self.history, state), self.last[symbol : symbol + 1]])
        return int((self.counts[:, None] * bad).sum()), first
