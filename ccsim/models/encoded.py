"""Models on words whose symbols are encoded as vectors: attention on rows, a bare unit, a feed-forward network."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ccsim.arithmetic import Precision, exact_matmul
from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.models.affine import FeedForward, RowMap, mantissa_array
from ccsim.models.attention import AttentionUnit, MultiHeadAttention, TensorAttention
from ccsim.models.model import SequenceModel, blocks, require_words
from ccsim.models.recurrent import RecurrentModel

MOST_SUM = 1 << 61


@dataclass(frozen=True, eq=False)
class EncodedFeedForward(RecurrentModel):
    """g(W x) on words, x being the sum of a vector for each position and symbol, by ``encoding`` (N, symbols, numbers).

    A recurrent model whose state is W x so far: words with equal W x have one answer (Sanford, Hsu and Telgarsky 2023).
    ``function`` is g: from the numerators of W x, integers (batch, k), to answer codes.
    """

    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    network: FeedForward
    encoding: Array = field(repr=False)
    function: RowMap = field(repr=False)
    name: str = "feed-forward network"
    length: int = field(init=False)

    def __post_init__(self) -> None:
        self._require_symbols()
        encoding, shape = np.asarray(self.encoding), (len(self.alphabet), self.network.inputs)
        if encoding.ndim != 3 or encoding.shape[1:] != shape or encoding.dtype.kind not in "iu" or not len(encoding):
            expected = f"integers of shape (N, {shape[0]}, {shape[1]})"
            raise InputError("encoding", (encoding.shape, encoding.dtype.name), expected)
        object.__setattr__(self, "encoding", encoding.astype(np.int64))
        object.__setattr__(self, "length", len(encoding))
        if self.tables.dtype == object:
            raise InputError("network", self.network.width, "weights whose sums fit in 61 bits")

    @cached_property
    def tables(self) -> Array:
        products = np.asarray(exact_matmul(self.encoding, self.network.numerators.T))
        largest = np.abs(products.astype(object)).max(axis=(0, 1)) * len(products)
        return products if max(largest) < MOST_SUM and products.dtype != object else products.astype(object)

    @cached_property
    def state_precisions(self) -> tuple[Precision, ...]:
        low = np.minimum(self.tables.min(axis=1), 0).sum(axis=0)
        high = np.maximum(self.tables.max(axis=1), 0).sum(axis=0)
        return tuple(Precision(1, int(least), int(most)) for least, most in zip(low, high, strict=True))

    def start(self) -> Array:
        return np.zeros(self.network.width, dtype=np.int64)

    def step(self, states: Array, symbols: Array, position: int) -> Array:
        return np.asarray(states + self.tables[position - 1, symbols])

    def read_out(self, states: Array) -> Array:
        codes = np.asarray(self.function(states))
        if codes.shape != (len(states),) or codes.dtype.kind not in "iub":
            raise InputError("function", codes.shape, f"answer codes of shape ({len(states)},)")
        return codes.astype(np.int64)


@dataclass(frozen=True, eq=False)
class EncodedUnit(SequenceModel):
    """An attention unit on encoded words; ``read_out`` makes answer codes of its output row ``row``, from 1."""

    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    unit: AttentionUnit | MultiHeadAttention
    encoding: Array = field(repr=False)
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
        words = np.asarray(words)
        self._require_length(words.shape[-1], "words", words.shape)
        rows = self.encoding[np.arange(len(self.encoding)), words.reshape(-1, words.shape[-1])]
        codes = np.asarray(self.read_out(self.unit.output_row(rows, self.row)), dtype=np.int64)
        return codes.reshape(words.shape[:-1])

    def seen(self) -> Array:
        """Query, key and value of each head in the row that is read, one row for each symbol."""
        rows = self.encoding[self.row - 1]
        parts = [part for unit in self.units for part in (unit.queries(rows), unit.keys(rows), unit.values_from(rows))]
        return np.concatenate(parts, axis=1)


BLOCK_NUMBERS = 1 << 20  # how many logits, and numbers of rows, are held at once
MOST_ROWS = 20  # the longest word of which all rows are read at once
Attention = AttentionUnit | MultiHeadAttention | TensorAttention


@dataclass(frozen=True, eq=False)
class RowLayer:
    """Attention, then a function of each row and what attention gives there.

    Attributes:
        attention: what mixes the rows.
        join: from rows (..., width) and outputs (..., value width), integers, to the next rows (..., next width).
    """

    attention: Attention
    join: Callable[[Array, Array], Array]


@dataclass(frozen=True, eq=False)
class RowModel(SequenceModel):
    """Layers of attention on the rows of a word; the last one's output at a row becomes the answer.

    Attributes:
        name, alphabet, answers: what it is called, the symbols by rank, and the possible answers about one row.
        length: how many symbols a word has.
        rows: from ranks (..., N) to integers (..., rows, width): what represents each symbol, then rows of no symbol.
        layers: one or more; what the last one's ``join`` gives is one number, the code of the answer.
        row: which row is asked, counted from 1; None asks for all N, and the answer is the tuple of theirs.
    """

    name: str
    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    length: int
    rows: Callable[[Array], Array] = field(repr=False)
    layers: tuple[RowLayer, ...] = field(repr=False)
    row: int | None = 1
    _base: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "alphabet", require_symbols("alphabet", self.alphabet))
        object.__setattr__(self, "layers", tuple(self.layers))
        if not self.layers:
            raise InputError("layers", self.layers, "one or more layers")
        require_integer("length", self.length, low=1)
        single = require_symbols("answers", self.answers)
        if self.row is not None:
            require_integer("row", self.row, low=1, high=self.length)
        elif self.length > MOST_ROWS:
            raise InputError("row", self.row, f"one row, as all of {self.length} have too many answers")
        answers = single if self.row is not None else tuple(itertools.product(single, repeat=self.length))
        object.__setattr__(self, "answers", answers)
        object.__setattr__(self, "_base", len(single))

    @property
    def precision(self) -> Precision:
        """Of the first layer."""
        return self.layers[0].attention.precision

    def codes(self, words: Array) -> Array:
        words = require_words(words, len(self.alphabet), self.length)
        flat = words.reshape(-1, self.length)
        codes = np.empty(len(flat), dtype=np.int64)
        for place in blocks(len(flat), max(1, BLOCK_NUMBERS // (self.length + 1) ** 2)):
            codes[place] = self._codes(flat[place])
        return codes.reshape(words.shape[:-1])

    def _codes(self, words: Array) -> Array:
        rows = self.layered(words)
        last = self.layers[-1]
        if self.row is not None:
            outputs = last.attention.output_row(rows, self.row)
            return np.asarray(last.join(rows[:, self.row - 1], outputs)[..., 0])
        single = last.join(rows, last.attention(rows))[:, : self.length, 0]
        powers = self._base ** np.arange(self.length)[::-1]
        return np.asarray(single @ powers)

    def layered(self, words: Array) -> Array:
        """The rows (batch, rows, width) that the last layer is given for words (batch, N)."""
        rows = self.rows(words)
        for layer in self.layers[:-1]:
            rows = layer.join(rows, layer.attention(rows))
        return rows
