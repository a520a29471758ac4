"""Tasks read from left to right: what of the symbols so far can still matter, as a row of integers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ccsim.arrays import Array


@dataclass(frozen=True, eq=False)
class TaskMachine:
    """A task as a deterministic machine: equal states mean that every end of the word has the same answer.

    States are int64 rows. So a task is followed on all words at once as long as its states are few, however many
    words there are (Myhill 1957, Nerode 1958).

    Attributes:
        start: the state before the first symbol, shape (units,).
        step: takes states (batch, units), symbols (batch,) as ranks in the task's alphabet, and the position 1, 2, ...
            of that symbol; returns the states after it.
        codes: the answer codes (batch,) of states after the last symbol, ``DONT_CARE`` (-1) off the promise.
        every_length: whether steps do not depend on the position, and words of every other length get the right
            answer in the same way.
        separate: takes two states (units,) and how many symbols were read; returns the ranks of an end of the word on
            which the two answers are given and differ, or None if it finds none. None if there is no such function.
        fooling: takes bits (batch, :attr:`fooling_bits`) and returns words (batch, N) of ranks, all with one answer,
            such that first halves and second halves of two different ones, put together, do not have it.
        fooling_bits: how many bits name a word of that set; 0 if there is none.
    """

    start: Array
    step: Callable[[Array, Array, int], Array] = field(repr=False)
    codes: Callable[[Array], Array] = field(repr=False)
    every_length: bool = False
    separate: Callable[[Array, Array, int], Array | None] | None = field(default=None, repr=False)
    fooling: Callable[[Array], Array] | None = field(default=None, repr=False)
    fooling_bits: int = 0


def table_machine(table: Array, start: int, outputs: Array) -> TaskMachine:
    """An automaton: ``table[state, symbol]`` is the next state, ``outputs[state]`` the answer code."""
    return TaskMachine(
        np.array([start], dtype=np.int64),
        lambda states, symbols, position: np.asarray(table[states[:, 0], symbols], dtype=np.int64)[:, None],
        lambda states: np.asarray(outputs[states[:, 0]], dtype=np.int64),
        True,
    )


@dataclass(frozen=True)
class Digits:
    """Digits of one base, many in each number: how machines keep what they have read.

    Attributes:
        base: digits are 0, ..., base - 1.
        count: how many digits there are.

    >>> digits = Digits(3, 4)
    >>> held = digits.put(digits.zeros(1), 2, np.array([2]))
    >>> held.tolist(), digits.get(held, 2).tolist(), digits.rows(held).tolist()
    ([[18]], [2], [[0, 0, 2, 0]])
    """

    base: int
    count: int

    @cached_property
    def each(self) -> int:
        """How many digits one number holds."""
        fit = 1
        while fit < self.count and self.base ** (fit + 1) < 1 << 62:
            fit += 1
        return fit

    @property
    def units(self) -> int:
        """How many numbers there are."""
        return max(1, -(-self.count // self.each))

    def zeros(self, batch: int) -> Array:
        """Rows in which every digit is 0."""
        return np.zeros((batch, self.units), dtype=np.int64)

    def get(self, rows: Array, place: int | Array) -> Array:
        """The digit at a place, or at a place for each row."""
        each = self.each
        if isinstance(place, int):
            return np.asarray(rows[:, place // each] // self.base ** (place % each) % self.base)
        powers = np.array([self.base**power for power in range(each)], dtype=np.int64)
        return np.asarray(rows[np.arange(len(rows)), place // each] // powers[place % each] % self.base)

    def put(self, rows: Array, place: int, digits: Array) -> Array:
        """The rows with these digits added at a place that holds 0."""
        result = rows.copy()
        result[:, place // self.each] += digits * self.base ** (place % self.each)
        return result

    def clear(self, rows: Array, place: int) -> Array:
        """The rows with 0 at a place."""
        return self.put(rows, place, -self.get(rows, place))

    def rows(self, rows: Array) -> Array:
        """All digits, shape (batch, count)."""
        powers = np.array([self.base**power for power in range(self.each)], dtype=np.int64)
        digits = rows[:, : self.units, None] // powers % self.base
        return np.asarray(digits.reshape(len(rows), -1)[:, : self.count])
