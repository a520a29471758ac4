"""Boxes of states that no word leads out of, and in which every answer is right: a proof for words of every length.

A box belongs to a state of the task. The first state is in one of the task's first state; and from each box every word
of at most so many symbols is answered rightly and comes, at its end or before, into a box of the state of the task that
it leads to. So by induction on its length every word is answered rightly: it is read from box to box, and its last
symbols are among those words. Whoever checks this goes through the boxes one by one, in exact integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.arithmetic import Zonotopes
from ccsim.arrays import Array
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.cover import is_followed
from ccsim.auditing.outranked import possible_answers
from ccsim.auditing.sides import Table, tabulate, task_rules
from ccsim.auditing.words import machine_of
from ccsim.matrices import DONT_CARE
from ccsim.models.comparison import Comparison
from ccsim.models.model import SequenceModel
from ccsim.models.recurrent import RecurrentStack
from ccsim.problems.sequence.task import SequenceTask

__all__ = ["Followed", "Invariant", "followed", "is_proved_by"]

BLOCK_ENTRIES = 1 << 21  # numbers of generators that are stepped at once
MOST_AHEAD = 64
LARGEST = 1 << 24


@dataclass(frozen=True, eq=False)
class Invariant:
    """Boxes of states.

    Attributes:
        low, high: the least and the largest of each number in each box, mantissas: int64, shape (boxes, units).
        wanted: the state of the task that each box belongs to, shape (boxes,): numbers from 0, the first state, in the
            order in which words of growing length lead to them, those of one length by the order of the alphabet.
        ahead: how many symbols it may take from one box to the next.
    """

    low: Array
    high: Array
    wanted: Array
    ahead: int

    def holds(self, beside: Comparison, task: Table, budget: Budget) -> bool:
        """Whether it is as it says, of this model and the table of this task.

        Raises :class:`~ccsim.auditing.budget.OutOfBudgetError` if the time is over.
        """
        model = beside.model
        if not isinstance(model, RecurrentStack) or not is_followed(model):
            return False  # its numbers might not fit in 64 bits
        if task.depth is not None or not self._fits(model, task):
            return False
        start = model.start()[None]
        if not self.hold(start, start, np.zeros(1, dtype=np.int64)).all():
            return False
        sets: Zonotopes = Zonotopes.boxes(self.low, self.high)
        wanted = self.wanted
        for _ in range(self.ahead):
            step = followed(sets, wanted, beside, task, budget)
            if not step.right.all():
                return False
            out = ~self.hold(step.states.low, step.states.high, step.wanted)
            if not out.any():
                return True
            sets, wanted = step.states[out].with_rest_as_generators(), step.wanted[out]
        return False

    def _fits(self, model: RecurrentStack, task: Table) -> bool:
        """Whether the numbers are such as the model's state has, and the states such as the task has."""
        precisions = model.state_precisions
        least, most = (np.array([getattr(each, end) for each in precisions]) for end in ("low", "high"))
        shape = len(self.wanted), len(precisions)
        if self.low.shape != shape or self.high.shape != shape or not 1 <= self.ahead <= MOST_AHEAD:
            return False
        inside = (least <= self.low) & (self.low <= self.high) & (self.high <= most)
        return bool(inside.all() and ((self.wanted >= 0) & (self.wanted < task.count)).all())

    def hold(self, low: Array, high: Array, wanted: Array) -> Array:
        """Which of some sets with these bounds (sets, units) are within a box of these states (sets,) of the task."""
        held = np.zeros(len(wanted), dtype=bool)
        for state in np.unique(wanted):
            boxes, sets = np.flatnonzero(self.wanted == state), np.flatnonzero(wanted == state)
            for box in boxes:
                held[sets] |= ((self.low[box] <= low[sets]) & (high[sets] <= self.high[box])).all(axis=1)
        return held

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        arrays = {name: getattr(self, name).tolist() for name in ("low", "high", "wanted")}
        return {**arrays, "ahead": self.ahead}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Invariant:
        """From plain data; raises ``TypeError`` and ``ValueError`` for what is none."""
        low, high = (_integers(data[name], 2) for name in ("low", "high"))
        if type(data["ahead"]) is not int:
            raise TypeError("a whole number of symbols")
        return cls(low, high, _integers(data["wanted"], 1), data["ahead"])


def is_proved_by(invariant: Invariant, model: SequenceModel, task: SequenceTask) -> bool:
    """Whether boxes prove a model right on all words of a task, of every length, by going through them.

    Raises :class:`~ccsim.errors.InputError` for a model that does not read the symbols of the task.
    """
    beside, machine = Comparison.of(model, task), machine_of(task)
    alphabet, symbols = len(task.alphabet), beside.symbols()
    if machine is None or not machine.every_length or any(len(choices) < alphabet for choices in symbols):
        return False
    budget = Budget(seconds=float("inf"))
    try:
        return invariant.holds(beside, tabulate(task_rules(machine), alphabet, len(symbols), budget), budget)
    except OutOfBudgetError:
        return False


@dataclass(frozen=True, eq=False)
class Followed:
    """Sets of states after one more symbol, set by set, each with every symbol.

    Attributes:
        states: the sets.
        wanted: the states of the task.
        right: whether a word that ends there has the right answer, whatever its state in the set, or needs none.
    """

    states: Zonotopes
    wanted: Array
    right: Array


def followed(sets: Zonotopes, wanted: Array, beside: Comparison, task: Table, budget: Budget) -> Followed:
    """One step of every set with every symbol of the task."""
    model, alphabet = beside.model, task.table.shape[1]
    assert isinstance(model, RecurrentStack)
    numbers, symbols = np.repeat(np.arange(len(sets)), alphabet), np.tile(np.arange(alphabet), len(sets))
    size = max(1, BLOCK_ENTRIES // (4 * sets.shape[1] * sets.count))
    states, right = [], []
    for first in range(0, len(numbers), size):
        budget.require_time(f"{len(sets)} sets of states")
        part, read = numbers[first : first + size], symbols[first : first + size]
        held: Any = sets[part]
        states.append(model.step(held, beside.read(read), 1))
        possible = possible_answers(model.scored(held, beside.read(read)), beside.renamed, len(beside.task.answers))
        codes = task.answers[wanted[part], read]
        only = possible[np.arange(len(codes)), np.maximum(codes, 0)] & (possible.sum(axis=1) == 1)
        right.append(only | (codes == DONT_CARE))
    after: Any = np.concatenate(states, axis=0)
    return Followed(after, task.table[wanted[numbers], symbols], np.concatenate(right))


def _integers(data: Any, depth: int) -> Array:
    """Lists of integers of moderate size as an array of so many axes."""
    array = np.array(data, dtype=object)
    if array.ndim != depth or not all(type(one) is int and abs(one) <= LARGEST for one in array.flat):
        raise ValueError("lists of whole numbers, all of one length")
    return array.astype(np.int64)
