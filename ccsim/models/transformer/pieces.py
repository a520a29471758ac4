"""The pieces of a one-layer transformer that a protocol runs apart: tables, exponentials, weights, and the finish."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np

from ccsim.arithmetic import IntArray, largest_magnitude
from ccsim.errors import InputError
from ccsim.models.model import require_words
from ccsim.models.tokenwise import Tokenwise
from ccsim.models.transformer.base import EmbeddedModel, first_largest
from ccsim.models.transformer.block import Block
from ccsim.models.transformer.embedding import blocks, embedding_table
from ccsim.models.transformer.tables import AttentionTables, attention_tables

FLOAT_BOUND = 1 << 53
BLOCK_WORDS = 1 << 12  # how many words are evaluated at once: what they need should stay in a processor's cache


@dataclass(frozen=True, eq=False, kw_only=True)
class OneLayerPieces(EmbeddedModel):
    """What a one-layer transformer computes at each position apart, and what it does with the sums over all of them."""

    position_embedding: IntArray = field(repr=False)
    block: Block = field(repr=False)
    length: int = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        for argument, widths in (("head_width", self.block.head_widths), ("key_width", self._key_widths)):
            if len(set(widths)) > 1:
                raise InputError(argument, widths, "the same for all heads")
        rules = {unit.weighting for unit in self.block.attention.units}
        if len(rules) > 1:
            raise InputError("weighting", rules, "one rule for all heads")

    @classmethod
    def of_blocks(cls, blocks: tuple[Block, ...], **rest: Any) -> Self:
        """The model with this layer."""
        if len(blocks) != 1:
            raise InputError("layers", len(blocks), "one layer")
        return cls(block=blocks[0], **rest)

    @property
    def all_blocks(self) -> tuple[Block, ...]:
        """The one layer."""
        return (self.block,)

    @property
    def head_width(self) -> int:
        """How many numbers a value has."""
        return self.block.head_widths[0]

    @property
    def key_width(self) -> int:
        """How many numbers a query and a key have."""
        return self._key_widths[0]

    @property
    def _key_widths(self) -> tuple[int, ...]:
        return tuple(query.outputs for query, _, _ in self.block.maps)

    @property
    def tokenwise(self) -> Tokenwise | None:
        """What is done to the last position after attention."""
        return self.block.tokenwise

    @cached_property
    def embedding_table(self) -> IntArray:
        """The vector of each position and symbol, mantissas of shape (N, symbols, width)."""
        return embedding_table(self.precision, self.token_embedding, self.position_embedding)

    @cached_property
    def tables(self) -> AttentionTables:
        """Queries, logits and values by symbol and position."""
        return attention_tables(self.block, self.embedding_table)

    @property
    def logit_table(self) -> IntArray:
        """The logit of each position and symbol, for each last symbol: shape (H, symbols, N, symbols)."""
        return self.tables.logit

    @property
    def value_table(self) -> IntArray:
        """The value of each position and symbol: shape (H, N, symbols, head width)."""
        return self.tables.value

    @property
    def largest_value(self) -> int:
        """The largest magnitude of a mantissa of a value."""
        return self.tables.largest_value

    @property
    def largest_head_sum(self) -> int:
        """No sum of weights times values over any positions is larger in magnitude: scale * largest value."""
        return self.tables.largest_head_sum

    def exponentials(self, differences: IntArray) -> IntArray:
        """Mantissas from 0 to the scale, for logits less the maximum over all positions."""
        return self.block.attention.units[0].exponentials(differences)

    def weights(self, exponentials: IntArray, normalisers: IntArray) -> IntArray:
        """floor(e * scale / Z) for exponentials e and their sum Z over all positions; the axes broadcast."""
        return self.block.attention.units[0].weights(exponentials, normalisers)

    def finish(self, last_symbols: IntArray, head_sums: IntArray) -> IntArray:
        """The answer codes (batch,), from the symbols at the last position (batch,) and exact sums S.

        ``head_sums`` (batch, H, head width) are the sums over all positions of weights times values, over scale^2.
        """
        return first_largest(self.finish_outputs(last_symbols, head_sums))

    def finish_outputs(self, last_symbols: IntArray, head_sums: IntArray) -> IntArray:
        """The read-out (batch, answers), mantissas, from what :meth:`finish` takes."""
        last_symbols = require_words(np.asarray(last_symbols)[:, None], len(self.alphabet), 1)[:, 0]
        head_sums, expected = np.asarray(head_sums), (len(last_symbols), self.heads, self.head_width)
        if head_sums.shape != expected:
            raise InputError("head_sums", head_sums.shape, f"an array of shape {expected}")
        outputs = np.empty((len(last_symbols), len(self.answers)), dtype=np.int64)
        in_floats = self._ends_in_floats and largest_magnitude(head_sums) < FLOAT_BOUND - self.precision.scale
        for block in blocks(len(last_symbols), BLOCK_WORDS):
            sums = head_sums[block].astype(np.float64) if in_floats else head_sums[block]
            outputs[block] = self._finish(last_symbols[block], sums)
        return outputs

    def _finish(self, last_symbols: IntArray, sums: IntArray) -> IntArray:
        """The read-out for one block of exact sums, in their type; as float64 only where that is exact."""
        rows = sums.reshape(len(sums), -1)
        if sums.dtype == np.float64:
            rows = np.floor(rows / self.precision.scale)  # below 2^53 - scale, so rounding passes no integer
            heads = np.clip(rows, float(self.precision.low), float(self.precision.high))
            stream = self._last_rows.take(last_symbols, axis=0)
        else:
            heads = self.precision.round_down(rows)
            stream = self.embedding_table[-1][last_symbols]
        return self.scores(self.block.finish(stream, heads))

    @cached_property
    def _last_rows(self) -> IntArray:
        return np.asarray(self.embedding_table[-1], dtype=np.float64)

    @cached_property
    def _ends_in_floats(self) -> bool:
        return self.block.exact_in_floats and self.read_out.exact_in_floats
