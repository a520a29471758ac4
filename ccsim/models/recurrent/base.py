"""What every recurrent model is: a state of so many bits, a transition, and a read-out; and how two of them differ."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.errors import Array, InputError, require_integer
from ccsim.models.model import SequenceModel, renamed_codes, require_words
from ccsim.models.reachability import all_steps, different_numbers, different_rows, side_by_side, way_back

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
        states, read, numbers = self.questions(symbols, alphabet)
        after = step(states, read)
        if numbers is None:
            return Folded(after, None)
        different, _, places = different_rows(after)
        return Folded(different, places[numbers])

    def last(self, symbols: Array, alphabet: int, answer: Callable[[Array, Array], Array]) -> Array:
        states, read, numbers = self.questions(symbols, alphabet)
        codes = answer(states, read)
        return codes if numbers is None else codes[numbers]

    def unfolded(self) -> Array:
        """The state of each word, shape (words, units)."""
        return np.array(self.states) if self.numbers is None else self.states[self.numbers]


MOST_ENTRIES = 1 << 24  # units times words that are read at once
WORD_BITS = 62  # as many bits of a packed state are put together in int64


class RecurrentModel(SequenceModel):
    """A model that reads a word from left to right and carries a state of finitely many bits.

    At position t = 1, 2, ... the state h becomes g_t(s_t, h); any transition g_t is allowed (Bhattamishra, Hahn,
    Blunsom and Kanade 2024, section 3). The answer is made at the last symbol, from that symbol and the state before
    it. Many models make it from the state after it alone, by :meth:`read_out`; in those whose layers put out something
    that depends on the symbol as well (a gate, a skip connection), that is not part of what is carried, and
    :attr:`state_bits` does not count it.

    States are int64 mantissas, one column for each unit of everything that is carried from step to step, all layers.
    """

    steps_are_cheap: ClassVar[bool] = False
    """Whether a step costs no more than finding out which states are equal."""

    @property
    def is_stationary(self) -> bool:
        """Whether steps are known not to depend on the position."""
        return False

    @property
    @abstractmethod
    def state_precisions(self) -> tuple[Precision, ...]:
        """The precision of each unit of the state."""

    @abstractmethod
    def start(self) -> Array:
        """The state before the first symbol, shape (units,)."""

    @abstractmethod
    def step(self, states: Array, symbols: Array, position: int) -> Array:
        """The states (batch, units) after one more symbol each, ``symbols`` (batch,) at ``position`` = 1, 2, ..."""

    @abstractmethod
    def read_out(self, states: Array) -> Array:
        """The answer codes (batch,) of words that end in these states (batch, units).

        Raises :class:`~ccsim.errors.InputError` if the answer is not made from the state alone.
        """

    def last(self, states: Array, symbols: Array, position: int) -> Array:
        """The answer codes (batch,) of words that end with one more symbol after these states (batch, units)."""
        return self.read_out(self.step(states, symbols, position))

    @property
    def units(self) -> int:
        """How many numbers the state has."""
        return len(self.state_precisions)

    @cached_property
    def state_bits(self) -> int:
        """The bits of everything that is carried from step to step: all units of all layers."""
        return sum(precision.bits for precision in self.state_precisions)

    # Many words at once

    def run(self, words: Array, states: Array | None = None, read: int = 0) -> Array:
        """The states (batch, units) after these words (batch, symbols) of ranks, equal states being stepped once.

        The words go on from ``states``, (units,) or (batch, units), after ``read`` symbols; at first from the start.
        """
        words = self._required(words)
        parts = [self._fold(words[part], _part(states, part), read) for part in self._parts(len(words))]
        return np.concatenate([part.unfolded() for part in parts])

    def finish(self, words: Array, states: Array | None = None, read: int = 0) -> Array:
        """The answer codes (batch,) when these words (batch, symbols) end; they go on from states as in :meth:`run`."""
        words = self._required(words)
        return np.concatenate(
            [self._finish(words[part], _part(states, part), read) for part in self._parts(len(words))]
        )

    def codes(self, words: Array) -> Array:
        """The answer codes on words of ranks (..., symbols); on empty words, what the state at the start says."""
        words = np.asarray(words)
        if words.ndim == 0:
            raise InputError("words", words.shape, "an array of shape (..., symbols)")
        self._require_length(words.shape[-1], "words", words.shape)
        shape = words.shape[:-1]
        return self.finish(words.reshape(math.prod(shape), words.shape[-1])).reshape(shape)

    def _required(self, words: Array) -> Array:
        """Words (batch, symbols) of ranks; they may be empty, since other symbols may come before or after."""
        words = np.asarray(words)
        if words.ndim != 2:
            raise InputError("words", words.shape, "an array of shape (batch, symbols)")
        if not words.shape[1]:
            return words.astype(np.int64)
        return require_words(words, len(self.alphabet), None)

    def _finish(self, words: Array, states: Array | None, read: int) -> Array:
        count, symbols = words.shape
        if not symbols:
            return self.read_out(self._fold(words, states, read).unfolded())
        before = self._fold(words[:, :-1], states, read)
        answer = partial(self.last, position=read + symbols)
        return np.asarray(before.last(words[:, -1], len(self.alphabet), answer), dtype=np.int64).reshape(count)

    def _fold(self, words: Array, states: Array | None, read: int) -> Folded:
        held = self.start() if states is None else np.asarray(states)
        folded = Folded.of(held, len(words), not self.steps_are_cheap)
        for position, symbols in enumerate(words.T, start=read + 1):
            folded = folded.step(symbols, len(self.alphabet), partial(self.step, position=position))
        return folded

    def _parts(self, count: int) -> list[slice]:
        """Runs of words that are read together, so that memory stays bounded."""
        size = max(1024, MOST_ENTRIES // max(self.units, 1))
        return [slice(first, first + size) for first in range(0, max(count, 1), size)]

    # The state as bits

    def pack(self, states: Array) -> Array:
        """Each state (batch, units) as one number of exactly :attr:`state_bits` bits, the first unit in front.

        The numbers are int64, or Python integers in an object array if there are more than 62 bits.
        """
        states = np.asarray(states)
        if states.ndim != 2 or states.shape[1] != self.units:
            raise InputError("states", states.shape, f"an array of shape (batch, {self.units})")
        total = np.zeros(len(states), dtype=np.int64 if self.state_bits <= WORD_BITS else object)
        for unit, precision in enumerate(self.state_precisions):
            total = (total << precision.bits) | precision.codes(states[:, unit])
        return total

    def unpack(self, numbers: Array) -> Array:
        """The states (batch, units) of packed numbers (batch,): the inverse of :meth:`pack`.

        Raises :class:`~ccsim.errors.InputError` for a number that no state packs to.
        """
        rest = np.asarray(numbers)
        states = np.empty((len(rest), self.units), dtype=np.int64)
        for unit in range(self.units - 1, -1, -1):
            precision = self.state_precisions[unit]
            states[:, unit] = precision.from_codes(np.asarray(rest & ((1 << precision.bits) - 1)).astype(np.int64))
            rest = np.asarray(rest >> precision.bits)
        if rest.any():
            raise InputError("numbers", int(np.asarray(numbers).max()), f"unsigned numbers of {self.state_bits} bits")
        return states


def _part(states: Array | None, part: slice) -> Array | None:
    return states if states is None or states.ndim == 1 else states[part]


def first_difference(
    left: RecurrentModel, right: RecurrentModel, length: int, *, most_pairs: int = 1 << 20
) -> tuple[Any, ...] | None:
    """A word of so many symbols on which two models answer differently, or None if there is none.

    Pairs of states that can be reached at a position are gone through once, so that models whose states are few are
    compared on every word of any length: the answer None is a proof. It takes about ``length`` * pairs * symbols
    steps. The models have one alphabet; answers are compared as values.

    Raises :class:`~ccsim.errors.InputError` if more than ``most_pairs`` pairs can be reached at one position.

    >>> from ccsim.models.automata import Automaton, dyck_automaton
    >>> deep, flat = dyck_automaton(2, 3), dyck_automaton(2, 2)
    >>> "".join(first_difference(deep, flat, 6)), first_difference(deep, flat, 4)
    ('((()))', None)
    """
    length = require_integer("length", length, low=1)
    if left.alphabet != right.alphabet:
        raise InputError("right", right.alphabet, f"the alphabet {left.alphabet}")
    for model in (left, right):
        if model.length not in (None, length):
            raise InputError("length", length, f"{model.length}, as {model.name} reads no other words")
    units, symbols = left.units, np.arange(len(left.alphabet))
    step = side_by_side(units, left.step, right.step)
    pairs, history = np.concatenate([left.start(), right.start()])[None], list[tuple[Array, Array]]()
    for position in range(1, length):
        pairs, came_from, _ = all_steps(pairs, symbols, position, step)
        if len(pairs) > most_pairs:
            raise InputError("most_pairs", most_pairs, f"at least the {len(pairs)} pairs of states after {position}")
        history.append((came_from, symbols))
    states, read = np.repeat(pairs, len(symbols), axis=0), np.tile(symbols, len(pairs))
    theirs = renamed_codes(right.codes_among(left.answers), right.last(states[:, units:], read, length))
    ways = np.flatnonzero(left.last(states[:, :units], read, length) != theirs)
    if not len(ways):
        return None
    return tuple(left.alphabet[symbol] for symbol in way_back([*history, (ways, symbols)], 0))
