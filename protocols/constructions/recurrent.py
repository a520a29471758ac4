"""Recurrent models made by hand."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ccsim.arguments import require_integer, require_symbols
from ccsim.arithmetic import Precision
from ccsim.arrays import Array
from ccsim.models.recurrent import RecurrentModel
from ccsim.problems import index_lookup


@dataclass(frozen=True, eq=False)
class ShiftRegister(RecurrentModel):
    """Index lookup by keeping every symbol: s_1 ... s_N p has the answer s_p. Made by :func:`shift_register`.

    The state holds the last N symbols, oldest first, each in ceiling(log2 of their number) bits; a position symbol
    moves nothing in, and the answer to it is read from its place. (Where it does not belong, before the end of the
    word, it stands for the first symbol.)

    Attributes:
        alphabet: the symbols, then the positions 1, ..., N, as :func:`~ccsim.problems.index_lookup` orders them.
        answers: the symbols.
        stored: N, how many symbols are kept.
        length: N + 1.
        name: what it is called.
    """

    steps_are_cheap: ClassVar[bool] = True

    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    stored: int
    length: int
    name: str

    @cached_property
    def state_precisions(self) -> tuple[Precision, ...]:
        """One unit for each symbol that is kept."""
        return (Precision(1, 0, len(self.answers) - 1),) * self.stored

    def start(self) -> Array:
        """The first symbol everywhere."""
        return np.zeros(self.stored, dtype=np.int64)

    def step(self, states: Array, symbols: Array, position: int) -> Array:
        """One symbol in at the end, one out in front."""
        entering = self._numbers({symbol: code for code, symbol in enumerate(self.answers)})[symbols]
        return np.concatenate([states[:, 1:], entering[:, None]], axis=1)

    def last(self, states: Array, symbols: Array, position: int) -> Array:
        """The symbol at the place that the last symbol names."""
        places = self._numbers({place + 1: place for place in range(self.stored)})[symbols]
        return states[np.arange(len(states)), places]

    def read_out(self, states: Array) -> Array:
        """Nothing was asked for: the first symbol that is kept."""
        return states[:, 0]

    def _numbers(self, number: dict[Any, int]) -> Array:
        """For each rank in the alphabet the number of its symbol, 0 where it has none."""
        return np.array([number.get(symbol, 0) for symbol in self.alphabet], dtype=np.int64)


def shift_register(length: int, alphabet: Iterable[Hashable] = "01") -> ShiftRegister:
    """A recurrent model for ``index_lookup(length, alphabet)`` whose state has exactly as many bits as it must have.

    Over two symbols that is N = ``length`` bits, which INDEX with one-way complexity N shows to be least
    (Bhattamishra, Hahn, Blunsom and Kanade 2024, theorem 3).

    >>> model = shift_register(5)
    >>> model.state_bits, model(("0", "1", "1", "0", "1", 3)), model.is_right(index_lookup(5))
    (5, '1', True)
    """
    length = require_integer("length", length, low=1)
    symbols = require_symbols("alphabet", alphabet)
    task = index_lookup(length, symbols)
    name = f"shift_register({length}, {len(symbols)} symbols)"
    return ShiftRegister(task.alphabet, symbols, length, length + 1, name)
