"""Models of vectors on words: a feed-forward network and a bare attention unit whose inputs are encoded symbols."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ccsim.arithmetic import IntArray, Precision, exact_matmul
from ccsim.errors import Array, InputError, require_integer
from ccsim.models.affine import FeedForward, RowMap, mantissa_array
from ccsim.models.attention import AttentionUnit, MultiHeadAttention
from ccsim.models.model import SequenceModel
from ccsim.models.recurrent import RecurrentModel

MOST_SUM = 1 << 61


@dataclass(frozen=True, eq=False)
class EncodedFeedForward(RecurrentModel):
    """g(W x) on words, x being the sum of a vector for each position and symbol.

    All that g sees is W x, which can be added up position by position: so this is a recurrent model whose state is the
    sum so far, and two words with equal W x have one answer (Sanford, Hsu and Telgarsky 2023: a first layer that is
    too narrow has a kernel). Vectors that are 0 outside a block of their own are an ordinary concatenation.

    Attributes:
        alphabet, answers: the symbols and the answers.
        network: its W has as many columns as vectors have numbers; its own function is not used.
        encoding: integers, shape (N, symbols, numbers).
        function: g: takes the numerators of W x, integers of shape (batch, k), and returns answer codes.
        name: what it is called.
    """

    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    network: FeedForward
    encoding: IntArray = field(repr=False)
    function: RowMap = field(repr=False)
    name: str = "feed-forward network"
    length: int = field(init=False)

    def __post_init__(self) -> None:
        self._require_symbols()
        encoding = np.asarray(self.encoding)
        expected = f"integers of shape (N, {len(self.alphabet)}, {self.network.inputs})"
        if encoding.ndim != 3 or encoding.shape[1:] != (len(self.alphabet), self.network.inputs):
            raise InputError("encoding", encoding.shape, expected)
        if encoding.dtype.kind not in "iu" or not len(encoding):
            raise InputError("encoding", encoding.dtype.name, expected)
        object.__setattr__(self, "encoding", encoding.astype(np.int64))
        object.__setattr__(self, "length", len(encoding))
        if self.tables.dtype == object:
            raise InputError("network", self.network.width, "weights whose sums fit in 61 bits")

    @cached_property
    def tables(self) -> IntArray:
        """What each symbol at each position adds to the numerators of W x: shape (N, symbols, k)."""
        products = np.asarray(exact_matmul(self.encoding, self.network.numerators.T))
        largest = np.abs(products.astype(object)).max(axis=(0, 1)) * len(products)
        return products if max(largest) < MOST_SUM and products.dtype != object else products.astype(object)

    @cached_property
    def state_precisions(self) -> tuple[Precision, ...]:
        """For each number of W x the range that its partial sums have."""
        low = np.minimum(self.tables.min(axis=1), 0).sum(axis=0)
        high = np.maximum(self.tables.max(axis=1), 0).sum(axis=0)
        return tuple(Precision(1, int(least), int(most)) for least, most in zip(low, high, strict=True))

    def start(self) -> Array:
        return np.zeros(self.network.width, dtype=np.int64)

    def step(self, states: Array, symbols: Array, position: int) -> Array:
        return np.asarray(states + self.tables[position - 1, symbols])

    def read_out(self, states: Array) -> Array:
        """g of the numerators of W x."""
        codes = np.asarray(self.function(states))
        if codes.shape != (len(states),) or codes.dtype.kind not in "iub":
            raise InputError("function", codes.shape, f"answer codes of shape ({len(states)},)")
        return codes.astype(np.int64)


@dataclass(frozen=True, eq=False)
class EncodedUnit(SequenceModel):
    """One row of what a bare attention unit, or several heads, put out on words whose symbols are encoded as rows.

    Attributes:
        alphabet, answers: the symbols and the answers.
        unit: the unit of Sanford, Hsu and Telgarsky 2023, or several.
        encoding: mantissas, shape (N, symbols, row width): the row of each position and symbol.
        row: which row is read, counted from 1.
        read_out: takes output rows (batch, value width), mantissas, and returns answer codes (batch,).
        name: what it is called.
    """

    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    unit: AttentionUnit | MultiHeadAttention
    encoding: IntArray = field(repr=False)
    row: int
    read_out: RowMap = field(repr=False)
    name: str = "attention unit"
    length: int = field(init=False)

    def __post_init__(self) -> None:
        self._require_symbols()
        shape = (None, len(self.alphabet), None)
        object.__setattr__(self, "encoding", mantissa_array(self.unit.precision, "encoding", self.encoding, shape))
        object.__setattr__(self, "length", len(self.encoding))
        require_integer("row", self.row, low=1, high=len(self.encoding))

    @property
    def units(self) -> tuple[AttentionUnit, ...]:
        return self.unit.units if isinstance(self.unit, MultiHeadAttention) else (self.unit,)

    def codes(self, words: Array) -> Array:
        """The answer codes (...) of words of ranks (..., N)."""
        words = np.asarray(words)
        self._require_length(words.shape[-1], "words", words.shape)
        rows = self.encoding[np.arange(len(self.encoding)), words.reshape(-1, words.shape[-1])]
        codes = np.asarray(self.read_out(self.unit.output_row(rows, self.row)), dtype=np.int64)
        return codes.reshape(words.shape[:-1])

    def seen(self) -> IntArray:
        """All that the unit sees of the symbol in its row: query, key and value of each head, one row per symbol."""
        rows = self.encoding[self.row - 1]
        parts = [part for unit in self.units for part in (unit.queries(rows), unit.keys(rows), unit.values_from(rows))]
        return np.concatenate(parts, axis=1)
