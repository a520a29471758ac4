"""Many words read at once: what is in the same state and reads the same symbol is stepped once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ccsim.arrays import Array

FEWEST = 256  # words; fewer are not worth sorting


@dataclass(frozen=True, eq=False)
class Folded:
    """The states of many words, each different state once.

    Attributes:
        states: shape (states, units).
        numbers: for each word the number of its state; None if every word has a row of its own.
    """

    states: Array
    numbers: Array | None

    @classmethod
    def of(cls, states: Array, count: int, merge: bool) -> Folded:
        """The states of ``count`` words: a row for each, or one for all."""
        if states.ndim == 1:
            states = states[None]
        if merge and count >= FEWEST:
            return cls(*different_rows(states) if len(states) > 1 else (states, np.zeros(count, dtype=np.intp)))
        return cls(np.broadcast_to(states, (count, states.shape[1])), None)

    def questions(self, symbols: Array, alphabet: int) -> tuple[Array, Array, Array | None]:
        """Different pairs of a state and a symbol, as states and symbols, and for each word the number of its pair."""
        if self.numbers is None:
            return self.states, symbols, None
        keys = self.numbers * alphabet + symbols
        pairs, numbers = _different_keys(keys, len(self.states) * alphabet)
        if 2 * len(pairs) > len(keys):  # hardly any two words are alike any more
            return self.states[self.numbers], symbols, None
        return self.states[pairs // alphabet], pairs % alphabet, numbers

    def step(self, symbols: Array, alphabet: int, step: Callable[[Array, Array], Array]) -> Folded:
        """After one more symbol of each word."""
        states, read, numbers = self.questions(symbols, alphabet)
        after = step(states, read)
        if numbers is None:
            return Folded(after, None)
        different, places = different_rows(after)
        return Folded(different, places[numbers])

    def last(self, symbols: Array, alphabet: int, answer: Callable[[Array, Array], Array]) -> Array:
        """What is answered on one more symbol of each word."""
        states, read, numbers = self.questions(symbols, alphabet)
        codes = answer(states, read)
        return codes if numbers is None else codes[numbers]

    def unfolded(self) -> Array:
        """The state of each word, shape (words, units)."""
        return np.array(self.states) if self.numbers is None else self.states[self.numbers]


def _different_keys(keys: Array, bound: int) -> tuple[Array, Array]:
    """The different ones among numbers below a bound, in order, and for each number its place among them."""
    if bound > 4 * len(keys):
        different, places = np.unique(keys, return_inverse=True)
        return different, places
    present = np.zeros(bound, dtype=bool)
    present[keys] = True
    return np.flatnonzero(present), (np.cumsum(present) - 1)[keys]


def different_rows(rows: Array) -> tuple[Array, Array]:
    """The different rows of an int64 matrix, in an order that is the same on every machine, and each row's place."""
    if rows.shape[1] == 1:
        column, places = np.unique(rows[:, 0], return_inverse=True)
        return column[:, None], places
    whole = np.ascontiguousarray(rows.astype(">i8")).view(np.dtype((np.void, 8 * rows.shape[1])))[:, 0]
    _, first, places = np.unique(whole, return_index=True, return_inverse=True)
    return rows[first], places
