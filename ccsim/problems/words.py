"""Words: one symbol at each position, each position with symbols of its own."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.arguments import require_symbols
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.plain_data import counted
from ccsim.problems.inputs import NUMBER_BITS, InputSet, sample


@dataclass(frozen=True)
class Words(InputSet):
    """All words with a given set of symbols at each position.

    Values are strings if every symbol is a single character, else tuples of symbols. Array rows hold, for
    each position, the symbol's place in :attr:`alphabet`, the symbols of all positions in order of first
    appearance. The first position is the most significant one of the index.

    >>> words = Words.over("ab", 2)
    >>> list(words), words.array(np.array([2])).tolist()
    (['aa', 'ab', 'ba', 'bb'], [[1, 0]])
    """

    positions: tuple[tuple[Hashable, ...], ...]

    @classmethod
    def over(cls, alphabet: Iterable[Hashable], length: int) -> Words:
        """All words of one length over one alphabet."""
        return cls((require_symbols("alphabet", alphabet),) * length)

    def __post_init__(self) -> None:
        for symbols in set(self.positions):
            if not symbols or len(set(symbols)) != len(symbols):
                raise InputError("positions", symbols, "at each position one or more symbols, all different")

    @cached_property
    def alphabet(self) -> tuple[Hashable, ...]:
        """Every symbol of some position, in order of first appearance."""
        return tuple(dict.fromkeys(itertools.chain.from_iterable(self.positions)))

    @cached_property
    def is_text(self) -> bool:
        """Whether words are written as strings: every symbol is a single character."""
        return all(isinstance(symbol, str) and len(symbol) == 1 for symbol in self.alphabet)

    @cached_property
    def size(self) -> int:
        """The product of the alphabet sizes."""
        return math.prod(len(symbols) for symbols in self.positions)

    @cached_property
    def _ranks(self) -> dict[Hashable, int]:
        return {symbol: rank for rank, symbol in enumerate(self.alphabet)}

    @cached_property
    def _digits(self) -> list[Array]:
        """For each position, the alphabet rank of each of its symbols."""
        return [np.array([self._ranks[symbol] for symbol in symbols]) for symbols in self.positions]

    def value(self, index: int) -> Any:
        """The word with this index in mixed radix."""
        index = self._check(index)
        symbols: list[Hashable] = []
        for choices in reversed(self.positions):
            index, digit = divmod(index, len(choices))
            symbols.append(choices[digit])
        return self.word(reversed(symbols))

    def word(self, symbols: Iterable[Any]) -> Any:
        """These symbols as a value: a string if all symbols are characters, else a tuple."""
        return "".join(symbols) if self.is_text else tuple(symbols)

    def index(self, value: Hashable) -> int:
        """The index of a word; the error names the first position that does not fit."""
        index = 0
        for choices, digit in zip(self.positions, self._places_of(value), strict=True):
            index = index * len(choices) + digit
        return index

    def ranks(self, value: Hashable) -> Array:
        """The row of one word, as in :meth:`array`; errors as of :meth:`index`, whose number is long for a long word.

        >>> Words.over("ab", 3).ranks("abb").tolist()
        [0, 1, 1]
        """
        places = self._places_of(value)
        return np.array([digits[place] for digits, place in zip(self._digits, places, strict=True)], dtype=self._kind)

    def _places_of(self, value: Hashable) -> list[int]:
        """For each position the place of the symbol among those that it may have."""
        if not isinstance(value, Sequence):
            raise InputError("word", value, self.describe())
        if len(value) != len(self.positions):
            raise InputError("word", value, f"{counted(len(self.positions), 'symbol')}, not {len(value)}")
        places = []
        for position, (symbol, choices) in enumerate(zip(value, self.positions, strict=True)):
            if symbol not in choices:
                expected = f"at position {position + 1} one of {sample(choices)}, not {symbol!r}"
                raise InputError("word", value, expected)
            places.append(choices.index(symbol))
        return places

    @property
    def _kind(self) -> type:
        return np.uint8 if len(self.alphabet) <= 256 else np.int32

    def array(self, indices: Array) -> Array:
        """One row per word, one column per position: ranks in the alphabet."""
        rest = np.asarray(indices)
        ranks: Array = np.empty((len(rest), len(self.positions)), dtype=self._kind)
        for position in range(len(self.positions) - 1, -1, -1):
            choices = len(self.positions[position])
            rest, digits = rest // choices, np.asarray(rest % choices)
            ranks[:, position] = self._digits[position][digits.astype(np.int64)]
        return ranks

    def places(self, rows: Array) -> Array:
        """Mixed radix, the first position most significant."""
        places = np.zeros(rows.shape[:-1], dtype=np.int64 if self.size <= 1 << NUMBER_BITS else object)
        for position, symbols in enumerate(self.positions):
            digit_of = np.zeros(len(self.alphabet), dtype=np.int64)
            digit_of[self._digits[position]] = np.arange(len(symbols))
            places = places * len(symbols) + digit_of[rows[..., position]]
        return places

    def parse(self, text: str) -> Any:
        """A word as text: its characters, or its symbols separated by spaces or commas."""
        if self.is_text:
            return self.value(self.index(text))
        by_name = {str(symbol): symbol for symbol in self.alphabet}
        symbols = [by_name.get(token, token) for token in text.replace(",", " ").split()]
        return self.value(self.index(tuple(symbols)))

    def show(self, value: Any) -> str:
        """A word as text."""
        return str(value) if self.is_text else " ".join(map(str, value))

    def describe(self) -> str:
        """In words."""
        return f"a word of {counted(len(self.positions), 'symbol')} from {sample(self.alphabet)}"
