"""States with numbers: what a model, or a task, can be in after so many symbols, and where each symbol leads."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ccsim.arrays import Array
from ccsim.auditing.budget import AllApartError, Budget, OutOfBudgetError
from ccsim.models.comparison import Comparison
from ccsim.models.reachability import all_steps, blocks, different_numbers, different_rows
from ccsim.models.recurrent import RecurrentModel
from ccsim.problems.sequence.machine import TaskMachine

MOST_ENTRIES = 1 << 25  # numbers of all states that are held
FARTHER = 1 << 12  # so many states are gone through beyond the length that is asked for


@dataclass(frozen=True, eq=False)
class Rules:
    """Anything that reads words from left to right.

    Attributes:
        starts: the states before the first symbol, shape (states, units); as a rule a single one.
        step: takes states (batch, units), symbols (batch,) as ranks of the task, and the position; the states after.
        last: takes the same at the last position; the answer codes (batch,), in codes of the task.
        dies: takes states; which of them lead nowhere and are to be left out. None: none does.
        whose: what the states are states of, for messages.
    """

    starts: Array
    step: Callable[[Array, Array, int], Array]
    last: Callable[[Array, Array, int], Array]
    dies: Callable[[Array], Array] | None = None
    whose: str = "model"


class Side(Protocol):
    """The different states after so many symbols, numbered from 0."""

    @property
    def count(self) -> int:
        """How many numbers there are."""

    @property
    def rows(self) -> Array:
        """The states, shape (count, units)."""

    def advance(self, symbols: Array, position: int, budget: Budget) -> tuple[Side, Array]:
        """The states after one of these symbols, and their numbers, shape (count, symbols); -1 for what dies."""

    def codes(self, symbols: Array, position: int) -> Array:
        """The answer codes when one of these symbols ends the word, shape (count, symbols)."""


@dataclass(frozen=True, eq=False)
class Layer:
    """The states at one position, each once; stepped whenever they are asked."""

    rules: Rules
    rows: Array

    @classmethod
    def start(cls, rules: Rules) -> Layer:
        """Before the first symbol."""
        return cls(rules, rules.starts)

    @property
    def count(self) -> int:
        """How many states there are."""
        return len(self.rows)

    def advance(self, symbols: Array, position: int, budget: Budget) -> tuple[Layer, Array]:
        """One step of every state with every symbol."""
        reached = f"{self.count} states of the {self.rules.whose} after {position - 1} symbols"

        def step(states: Array, read: Array, position: int) -> Array:
            budget.require_time(reached)
            return self.rules.step(states, read, position)

        rows, _, numbers = all_steps(self.rows, symbols, position, step, different_rows_of)
        if self.rules.dies is not None:
            dead = self.rules.dies(rows)
            places = np.where(dead, -1, np.cumsum(~dead) - 1)
            rows, numbers = rows[~dead], places[numbers]
        most = max(1, MOST_ENTRIES // max(rows.shape[1], 1))
        budget.require_states(len(rows) if len(rows) <= most else max(len(rows), budget.states + 1), "states", reached)
        return Layer(self.rules, rows), numbers.reshape(self.count, len(symbols))

    def codes(self, symbols: Array, position: int) -> Array:
        """One last step of every state with every symbol."""
        parts = [self.rules.last(states, read, position) for states, read in blocks(self.rows, symbols)]
        return np.concatenate(parts).reshape(self.count, len(symbols))


@dataclass(frozen=True, eq=False)
class Table:
    """All states that can be reached, whatever the position, with what every symbol does.

    Attributes:
        rows: the states, the start first.
        table: numbers of the states that follow, shape (states, symbols).
        answers: answer codes of words that end with that symbol, shape (states, symbols).
        depth: up to which length words are answered; None if for every length, no further state being reachable.
    """

    rows: Array
    table: Array
    answers: Array
    depth: int | None

    @property
    def count(self) -> int:
        """How many states there are."""
        return len(self.rows)

    def advance(self, symbols: Array, position: int, budget: Budget) -> tuple[Table, Array]:
        """Look the next states up."""
        return self, self.table[:, symbols]

    def codes(self, symbols: Array, position: int) -> Array:
        """Look the answers up."""
        return self.answers[:, symbols]


def tabulate(rules: Rules, symbols: int, depth: int, budget: Budget) -> Table:
    """Every state that ``depth`` - 1 symbols or fewer lead to, for rules that do not depend on the position.

    Goes on until there are no more, as long as not many more are found: then the table is closed.

    Raises :class:`~ccsim.auditing.budget.OutOfBudgetError` if there are too many up to that depth, and
    :class:`~ccsim.auditing.budget.AllApartError` if no two words were in one state until there were too many at one
    position.
    """
    every, units = np.arange(symbols), max(1, rules.starts.shape[1])
    limit = min(budget.states, MOST_ENTRIES // units)
    numbers = {rules.starts[0].tobytes(): 0}
    fresh = rules.starts[:1]
    known, tables, answers = [fresh], [], []
    position, enough = 0, budget.states
    while True:
        position += 1
        answers.append(Layer(rules, fresh).codes(every, position))
        reached = f"{len(numbers)} states after {position - 1} symbols"
        if position == depth:
            enough = min(budget.states, max(FARTHER, 4 * len(numbers)))
        if position >= depth and len(numbers) + len(fresh) * symbols > enough:
            tables.append(np.zeros((len(fresh), symbols), dtype=np.int64))
            break
        if len(numbers) + len(fresh) * symbols > limit:
            _stop_if_apart(Layer(rules, fresh), every, position, depth, budget)
        after, places = Layer(rules, fresh).advance(every, position, budget)
        before = len(numbers)
        found = np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in after.rows], dtype=np.int64)
        beyond = len(numbers) > limit  # of the numbers that are held, perhaps not of the states
        budget.require_states(max(len(numbers), budget.states + 1) if beyond else len(numbers), "states", reached)
        tables.append(found[places])
        fresh = after.rows[found >= before]  # new rows are numbered in this order
        if not len(fresh):
            return Table(np.concatenate(known), np.concatenate(tables), np.concatenate(answers), None)
        known.append(fresh)
    return Table(np.concatenate(known), np.concatenate(tables), np.concatenate(answers), position)


def _stop_if_apart(layer: Layer, symbols: Array, position: int, depth: int, budget: Budget) -> None:
    """Go on from the states before a position without a table, while each is that of a single word: whether they get
    too many is seen by then, and not before, as the next symbols may put them together."""
    while position < depth and layer.count == len(symbols) ** (position - 1):
        try:
            layer, _ = layer.advance(symbols, position, budget)
        except OutOfBudgetError as error:
            if budget.spent > budget.seconds:
                raise
            told = f"{layer.count} words of {position - 1} symbols, each with a state of its own"
            raise AllApartError(f"too many states, budget {budget.states}: reached {told}") from error
        position += 1


def model_rules(beside: Comparison) -> Rules:
    """A recurrent model on words of a task, in the ranks and codes of the task."""
    model, read = beside.model, beside.read
    assert isinstance(model, RecurrentModel)
    return Rules(
        np.asarray(model.start(), dtype=np.int64)[None],
        lambda states, symbols, position: model.step(states, read(symbols), position),
        lambda states, symbols, position: beside.coded(model.last(states, read(symbols), position)),
    )


def task_rules(machine: TaskMachine) -> Rules:
    """A task that is read from left to right."""
    return Rules(
        np.asarray(machine.start, dtype=np.int64)[None],
        machine.step,
        lambda states, symbols, position: machine.codes(machine.step(states, symbols, position)),
    )


def different_rows_of(rows: Array) -> tuple[Array, Array, Array]:
    """As :func:`~ccsim.models.reachability.different_rows`, by single numbers where these hold a whole row: fast for
    many rows."""
    if len(rows) < 2 or not rows.shape[1]:
        return rows[:1], np.arange(len(rows[:1])), np.zeros(len(rows), dtype=np.int64)
    low = rows.min(axis=0)
    spans = [int(most) - int(least) + 1 for most, least in zip(rows.max(axis=0), low, strict=True)]
    if math.prod(spans) >= 1 << 62:
        return different_rows(np.ascontiguousarray(rows, dtype=np.int64))
    keys = np.zeros(len(rows), dtype=np.int64)
    for column, span in enumerate(spans):
        keys = keys * span + (rows[:, column] - low[column])
    _, first, numbers = different_numbers(keys, math.prod(spans))
    return rows[first], first, numbers
