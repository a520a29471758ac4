"""Models on words whose symbols are encoded as vectors, the rows of layers of attention."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.models.attention import AttentionUnit, MultiHeadAttention, TensorAttention
from ccsim.models.model import SequenceModel, blocks, require_words

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
        rows = self.rows(words)
        for layer in self.layers[:-1]:
            rows = layer.join(rows, layer.attention(rows))
        last = self.layers[-1]
        if self.row is not None:
            outputs = last.attention.output_row(rows, self.row)
            return np.asarray(last.join(rows[:, self.row - 1], outputs)[..., 0])
        single = last.join(rows, last.attention(rows))[:, : self.length, 0]
        powers = self._base ** np.arange(self.length)[::-1]
        return np.asarray(single @ powers)
