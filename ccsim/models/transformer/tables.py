"""What a one-layer transformer looks up: queries, logits and values by symbol and position.

With one layer, keys and values at a position depend on its symbol alone, and the only query that matters is that of the
last position. So all of attention is a sum of entries of small tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ccsim.arithmetic import IntArray, Precision, exact_matmul
from ccsim.memory import require_memory
from ccsim.models.transformer.block import Block
from ccsim.models.weighting import Weighting

FLOAT_BOUND = 1 << 53
MOST_EXPONENTIALS = 1 << 18  # the longest table of exponentials that is worth its time
MOST_COLUMNS = 512  # up to so many pairs of position and symbol, values are added up by one matrix product


@dataclass(frozen=True, eq=False)
class AttentionTables:
    """The tables of a model with H heads, S symbols, length N; all mantissas, int64.

    Attributes:
        weighting: how logits become weights.
        query: the queries at position N for each symbol there, shape (H, S, key width).
        logit: for each symbol at position N, the logit of each position and symbol, shape (H, S, N, S).
        value: the value of each position and symbol, shape (H, N, S, head width).
    """

    weighting: Weighting
    query: IntArray
    logit: IntArray
    value: IntArray

    @property
    def precision(self) -> Precision:
        """Of everything."""
        return self.weighting.precision

    @property
    def heads(self) -> int:
        """How many heads there are."""
        return int(self.logit.shape[0])

    @property
    def length(self) -> int:
        """How many positions there are."""
        return int(self.logit.shape[2])

    @property
    def symbols(self) -> int:
        """How many symbols there are."""
        return int(self.logit.shape[3])

    @cached_property
    def largest_value(self) -> int:
        """The largest magnitude of a mantissa of a value."""
        return int(np.abs(self.value).max())

    @property
    def largest_head_sum(self) -> int:
        """No sum of weights times values, over any set of positions, is larger in magnitude."""
        return self.precision.scale * self.largest_value

    @property
    def exact_in_floats(self) -> bool:
        """Whether float64 holds all weights, sums and quotients by the scale exactly, rounded down."""
        scale = self.precision.scale
        return max(self.largest_head_sum + scale, scale * scale + self.length * scale) < FLOAT_BOUND

    def head_sums(self, words: IntArray) -> IntArray:
        """The exact sums (batch, H, head width), over scale^2, of words (batch, N), which should fit in a cache.

        They come as float64 where :attr:`exact_in_floats` holds, else as integers.
        """
        symbols = np.ascontiguousarray(words.T).astype(np.intp)
        places = symbols + (np.arange(self.length) * self.symbols)[:, None]
        logits_at = places + symbols[-1] * (self.length * self.symbols)
        add_up = self._sum_in_floats if self.exact_in_floats else self._sum_in_integers
        sums = [
            add_up(head, self._weights(self._flat_logits[head].take(logits_at)), symbols, places)
            for head in range(self.heads)
        ]
        return np.stack(sums, axis=1)

    def _weights(self, logits: IntArray) -> IntArray:
        """The weights of logits (N, batch), rows being columns here, as mantissas; float64 where that is exact."""
        if self._exponentials is None:
            rows = self.weighting.row(logits.T.astype(np.int64)).T
            return rows.astype(np.float64) if self.exact_in_floats else rows
        logits -= logits.max(axis=0)
        if self._is_cut:
            np.maximum(logits, 1 - len(self._exponentials), out=logits)
        exponentials = self._exponentials.take(logits)
        normalisers = exponentials.sum(axis=0)
        exponentials *= self.precision.scale
        exponentials /= normalisers  # exact after rounding down: numerator + denominator are below 2^53
        return np.asarray(np.floor(exponentials, out=exponentials))

    @cached_property
    def _exponentials(self) -> IntArray | None:
        """As floats, at place -d the exponential for a difference of -d; None where no such table can be used."""
        ties = getattr(self.weighting, "ties", "average")
        if not self.exact_in_floats or ties != "average" or self._reach >= MOST_EXPONENTIALS:
            return None
        differences = -np.arange(self._reach + 1)
        return np.roll(self.weighting.exponentials(differences)[::-1], 1).astype(np.float64)

    @cached_property
    def _spread(self) -> int:
        return int(self.logit.max()) - int(self.logit.min())

    @property
    def _reach(self) -> int:
        return min(self._spread, self.weighting.reach)

    @cached_property
    def _is_cut(self) -> bool:
        """Whether some difference lies beyond the table, where the exponential is 0 as at its end."""
        return self._spread > self._reach

    @cached_property
    def _flat_logits(self) -> IntArray:
        kind = np.int32 if self._spread < 1 << 31 and int(np.abs(self.logit).max()) < 1 << 31 else np.int64
        return self.logit.reshape(self.heads, -1).astype(kind)

    @cached_property
    def _float_values(self) -> IntArray:
        return self.value.astype(np.float64)

    def _sum_in_floats(self, head: int, weights: IntArray, symbols: IntArray, places: IntArray) -> IntArray:
        """Partial sums are whole numbers of at most :attr:`largest_head_sum`, so their order does not matter."""
        assert self.largest_head_sum < FLOAT_BOUND
        columns, values = self.length * self.symbols, self._float_values[head]
        if columns <= MOST_COLUMNS:
            spread = np.zeros((weights.shape[1], columns))
            spread.reshape(-1)[places + np.arange(weights.shape[1]) * columns] = weights
            return np.asarray(spread @ values.reshape(columns, -1))
        sums = np.zeros((weights.shape[1], values.shape[-1]))
        for position in range(self.length):
            sums += weights[position][:, None] * values[position].take(symbols[position], axis=0)
        return sums

    def _sum_in_integers(self, head: int, weights: IntArray, symbols: IntArray, places: IntArray) -> IntArray:
        values = self.value[head].reshape(self.length * self.symbols, -1)[places.T]
        return np.asarray(exact_matmul(weights.T[:, None, :], values)[:, 0, :])


def attention_tables(block: Block, embedding: IntArray) -> AttentionTables:
    """The tables of a block on embeddings of shape (N, symbols, width).

    Raises :class:`~ccsim.errors.TableTooLargeError` if they do not fit in memory.
    """
    length, symbols = embedding.shape[:2]
    entries = block.attention.heads * length * symbols * (symbols + max(block.head_widths))
    require_memory(16 * entries, f"the tables of attention on {symbols} symbols at {length} positions")
    rows = block.attended(embedding)
    queries, logits, values = [], [], []
    for unit in block.attention.units:
        queries.append(unit.queries(rows[-1]))
        logits.append(np.swapaxes(unit.logits(queries[-1], unit.keys(rows)), 0, 1))  # (N, S, S') to (S, N, S')
        values.append(unit.values_from(rows))
    parts = [np.stack(part) for part in (queries, logits, values)]
    for part in parts:
        part.setflags(write=False)
    return AttentionTables(block.attention.units[0].weighting, *parts)
