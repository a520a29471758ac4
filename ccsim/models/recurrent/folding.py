"""Many words read at once: what is in the same state and reads the same symbol is stepped once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ccsim.arrays import Array
from ccsim.models.reachability import different_numbers, different_rows

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
            different, _, numbers = different_rows(states)
            return cls(different, np.broadcast_to(numbers, count))
        return cls(np.broadcast_to(states, (count, states.shape[1])), None)

    def questions(self, symbols: Array, alphabet: int) -> tuple[Array, Array, Array | None]:
        """Different pairs of a state and a symbol, as states and symbols, and for each word the number of its pair."""
        if self.numbers is None:
            return self.states, symbols, None
        keys = self.numbers * alphabet + symbols
        pairs, _, numbers = different_numbers(keys, len(self.states) * alphabet)
        if 2 * len(pairs) > len(keys):  # hardly any two words are alike any more
            return self.states[self.numbers], symbols, None
        return self.states[pairs // alphabet], pairs % alphabet, numbers

    def step(self, symbols: Array, alphabet: int, step: Callable[[Array, Array], Array]) -> Folded:
        """After one more symbol of each word."""
        states, read, numbers = self.questions(symbols, alphabet)
        after = step(states, read)
        if numbers is None:
            return Folded(after, None)
        different, _, places = different_rows(after)
        return Folded(different, places[numbers])

    def last(self, symbols: Array, alphabet: int, answer: Callable[[Array, Array], Array]) -> Array:
        """What is answered on one more symbol of each word."""
        states, read, numbers = self.questions(symbols, alphabet)
        codes = answer(states, read)
        return codes if numbers is None else codes[numbers]

    def unfolded(self) -> Array:
        """The state of each word, shape (words, units)."""
        return np.array(self.states) if self.numbers is None else self.states[self.numbers]
