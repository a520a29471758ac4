"""Any transition at all, as a table."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ccsim.arguments import require_integer, require_symbols
from ccsim.arithmetic import Precision
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.random_weights import random_mantissas
from ccsim.models.recurrent.base import RecurrentModel
from ccsim.plain_data import counted


@dataclass(frozen=True, eq=False)
class TransitionTable(RecurrentModel):
    """A recurrent model given by its transitions, the same at every position or a table for each position.

    Attributes:
        alphabet: the symbols.
        answers: every possible answer.
        tables: ``tables[t][state, symbol]`` is the next state at position t + 1, states and symbols being numbers
            from 0; a single table, if ``length`` is None, holds at every position.
        outputs: for each state the code of the answer on a word that ends there.
        first: the state before the first symbol.
        length: how many symbols a word has, or None for any number.
        name: what it is called.

    >>> parity = TransitionTable("01", (0, 1), [[[0, 1], [1, 0]]], [0, 1])
    >>> parity("1101"), parity.state_bits
    (1, 1)
    """

    steps_are_cheap: ClassVar[bool] = True

    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    tables: tuple[Array, ...] = field(repr=False)
    outputs: Array = field(repr=False)
    first: int = 0
    length: int | None = None
    name: str = "transition table"

    def __post_init__(self) -> None:
        object.__setattr__(self, "alphabet", require_symbols("alphabet", self.alphabet))
        object.__setattr__(self, "answers", require_symbols("answers", self.answers))
        if self.length is not None:
            require_integer("length", self.length, low=1)
        tables = tuple(_table(f"tables[{place}]", table, len(self.alphabet)) for place, table in enumerate(self.tables))
        if len(tables) != (self.length or 1):
            raise InputError("tables", len(tables), f"{self.length or 1} tables, one for each position or one for all")
        after = [*map(len, tables[1:]), len(np.asarray(self.outputs))]
        for place, (table, states) in enumerate(zip(tables, after, strict=True)):
            _require_below(f"tables[{place}]", table, states)
        outputs = _numbers("outputs", self.outputs, 1)
        _require_below("outputs", outputs, len(self.answers))
        require_integer("first", self.first, low=0, high=len(tables[0]) - 1)
        object.__setattr__(self, "tables", tables)
        object.__setattr__(self, "outputs", outputs)

    @classmethod
    def random(
        cls,
        alphabet: Iterable[Hashable],
        *,
        states: int,
        seed: int | str,
        answers: Iterable[Hashable] = (0, 1),
        length: int | None = None,
    ) -> TransitionTable:
        """Random transitions and answers; with a length, other transitions at each position.

        >>> TransitionTable.random("ab", states=8, seed=0).state_bits
        3
        """
        symbols, labels = require_symbols("alphabet", alphabet), require_symbols("answers", answers)
        states = require_integer("states", states, low=1)
        tables = [
            random_mantissas((states, len(symbols)), 0, states - 1, seed, f"table/{place}")
            for place in range(1 if length is None else require_integer("length", length, low=1))
        ]
        outputs = random_mantissas((states,), 0, len(labels) - 1, seed, "outputs")
        name = f"random transition table, {counted(states, 'state')}" + (
            "" if length is None else ", another at each position"
        )
        return cls(symbols, labels, tuple(tables), outputs, 0, length, name)

    @property
    def states(self) -> int:
        """How many states there are, at the position that has most of them."""
        return max(*map(len, self.tables), len(self.outputs))

    @property
    def is_stationary(self) -> bool:
        """Whether there is one table for every position."""
        return self.length is None

    @cached_property
    def state_precisions(self) -> tuple[Precision, ...]:
        """One unit: the number of the state."""
        return (Precision(1, 0, self.states - 1),)

    def start(self) -> Array:
        """The first state."""
        return np.array([self.first], dtype=np.int64)

    def step(self, states: Array, symbols: Array, position: int) -> Array:
        """Look the next states up."""
        table = self.tables[0 if self.length is None else position - 1]
        return table[states[:, 0], symbols][:, None]

    def read_out(self, states: Array) -> Array:
        """Look the answers up."""
        return self.outputs[states[:, 0]]


def _numbers(argument: str, values: Any, axes: int) -> Array:
    array = np.asarray(values)
    if array.ndim != axes or array.dtype.kind not in "iub" or 0 in array.shape:
        raise InputError(argument, (array.shape, array.dtype.name), f"integers along {axes} axes, at least one")
    numbers = array.astype(np.int64)
    numbers.setflags(write=False)
    return numbers


def _table(argument: str, values: Any, symbols: int) -> Array:
    table = _numbers(argument, values, 2)
    if table.shape[1] != symbols:
        raise InputError(argument, table.shape, f"a column for each of {symbols} symbols")
    return table


def _require_below(argument: str, numbers: Array, bound: int) -> None:
    wrong = numbers[(numbers < 0) | (numbers >= bound)]
    if wrong.size:
        raise InputError(argument, int(wrong[0]), f"numbers from 0 to {bound - 1}")
