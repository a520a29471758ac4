"""The forward pass of a transformer on many words, with what is the same for all of them computed once.

A column of the stream is fixed if no symbol changes it: the numbers there come from the position alone. Queries and
keys that are made from fixed columns are the same for all words, and so are the weights of attention. What is fixed is
seen from the model before any word is read. The results are those of the plain forward pass, bit for bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ccsim.arithmetic import IntArray, exact_matmul
from ccsim.models.affine import Affine
from ccsim.models.attention import AttentionUnit
from ccsim.models.tokenwise import Dense
from ccsim.models.transformer.block import Block, causal_mask


@dataclass(frozen=True)
class SharedStream:
    """A stream (batch, N, width), of which some columns are the same in the whole batch.

    Attributes:
        fixed: shape (N, width); what stands in a varying column is not used.
        columns: the varying columns, in any order.
        values: their numbers, shape (batch, N, columns).
    """

    fixed: IntArray
    columns: tuple[int, ...]
    values: IntArray

    @classmethod
    def embedded(cls, tokens: IntArray, positions: IntArray, low: int, high: int, words: IntArray) -> SharedStream:
        """The embedding of words (batch, N): saturated sums of rows of two tables of mantissas."""
        columns = varying_columns(tokens)
        fixed = np.clip(tokens[0] + positions, low, high)
        values = np.clip(tokens[:, columns][words] + positions[:, columns], low, high)
        return cls(fixed, columns, values)

    @cached_property
    def _places(self) -> dict[int, int]:
        return {column: place for place, column in enumerate(self.columns)}

    def part(self, columns: IntArray) -> IntArray:
        """Some columns, shape (batch or 1, N, columns); 1 if all of them are fixed."""
        result = self.fixed[None, :, columns]
        inside = [place for place, column in enumerate(columns.tolist()) if column in self._places]
        if not inside:
            return np.asarray(result)
        result = np.repeat(result, len(self.values), axis=0)
        result[..., inside] = self.values[..., [self._places[int(columns[place])] for place in inside]]
        return np.asarray(result)

    def rows(self, places: IntArray) -> SharedStream:
        """Only these positions, counted from 0."""
        return SharedStream(self.fixed[places], self.columns, self.values[:, places])

    def plus(self, columns: IntArray, numbers: IntArray, low: int, high: int) -> SharedStream:
        """With numbers (batch or 1, N, columns) added to these columns, saturating."""
        total = np.clip(self.part(columns) + numbers, low, high)
        if len(total) == 1 and not set(columns.tolist()) & set(self.columns):
            fixed = self.fixed.copy()
            fixed[:, columns] = total[0]
            return SharedStream(fixed, self.columns, self.values)
        total = np.broadcast_to(total, (len(self.values), *total.shape[1:]))
        kept = [place for place, column in enumerate(self.columns) if column not in set(columns.tolist())]
        names = (*(self.columns[place] for place in kept), *columns.tolist())
        return SharedStream(self.fixed, names, np.concatenate([self.values[..., kept], total], axis=-1))

    def whole(self) -> IntArray:
        """All columns, shape (batch, N, width)."""
        stream = np.repeat(self.fixed[None], len(self.values), axis=0)
        stream[..., list(self.columns)] = self.values
        return stream


def varying_columns(tokens: IntArray) -> tuple[int, ...]:
    """The columns in which the embeddings of two symbols differ."""
    return tuple(np.flatnonzero((tokens != tokens[0]).any(axis=0)).tolist())


def can_share(block: Block) -> bool:
    """Whether a block adds to its stream and does nothing else to all of its columns."""
    layers = _dense_layers(block)
    dense = block.tokenwise is None or 0 < len(layers) == len(block.tokenwise.layers)
    return block.residual and not block.norms.all and dense


def _dense_layers(block: Block) -> tuple[Dense, ...]:
    """Those layers after attention that are dense: all of them in a block that :func:`can_share`."""
    layers = block.tokenwise.layers if block.tokenwise else ()
    return tuple(layer for layer in layers if isinstance(layer, Dense))


def numbers_per_word(blocks: tuple[Block, ...], tokens: IntArray, length: int) -> int:
    """How many numbers each word needs of its own, at most, at one time."""
    varying = set(varying_columns(tokens))
    most = length * max(1, len(varying))
    for block in blocks:
        changed = False
        for query, key, value in block.maps:
            asks, offers, gives = (not varying.isdisjoint(_inputs(part).tolist()) for part in (query, key, value))
            if asks or offers:
                most = max(most, length * max(length, query.outputs))
            changed |= asks or offers or gives
        varying |= set(_outputs(block.output)[0].tolist()) if changed else set()
        layers = _dense_layers(block)
        if layers and not varying.isdisjoint(_inputs(layers[0].affine).tolist()):
            most = max(most, *(length * layer.affine.outputs for layer in layers[:-1]), 0)
            varying |= set(_changed(layers[-1])[0].tolist())
        most = max(most, length * len(varying))
    return most


def run_block(block: Block, stream: SharedStream, causal: bool, places: IntArray | None = None) -> SharedStream:
    """The stream after a block that :func:`can_share`; of ``places`` alone, counted from 0, if they are given."""
    low, high = block.precision.low, block.precision.high
    length = len(stream.fixed)
    asking = stream if places is None else stream.rows(places)
    allowed = causal_mask(length)[slice(None) if places is None else places] if causal else None
    heads = [
        _head(unit, maps, asking, stream, allowed) for unit, maps in zip(block.attention.units, block.maps, strict=True)
    ]
    columns, output = _outputs(block.output)
    sizes = np.cumsum([head.shape[-1] for head in heads])[:-1]
    parts = np.split(output.weights, sizes)
    used = [place for place, part in enumerate(parts) if part.any()] or [0]
    batch = max(len(heads[place]) for place in used)
    together = np.concatenate([np.broadcast_to(heads[i], (batch, *heads[i].shape[1:])) for i in used], axis=-1)
    small = Affine(block.precision, np.concatenate([parts[i] for i in used]), output.bias)
    after = asking.plus(columns, small(together), low, high) if columns.size else asking
    if block.tokenwise is None:
        return after
    *hidden, last = _dense_layers(block)
    columns, outputs = _changed(last)
    if not columns.size:
        return after
    first, *rest = (*hidden, Dense(outputs, last.activation))
    inputs = np.flatnonzero(first.affine.weights.any(axis=1)) if first.affine.weights.any() else np.zeros(1, np.int64)
    reduced = Affine(block.precision, first.affine.weights[inputs], first.affine.bias)
    numbers = Dense(reduced, first.activation)(after.part(inputs))
    for layer in rest:
        numbers = layer(numbers)
    return after.plus(columns, numbers, low, high)


def _head(
    unit: AttentionUnit,
    maps: tuple[Affine, Affine, Affine],
    asking: SharedStream,
    stream: SharedStream,
    allowed: IntArray | None,
) -> IntArray:
    """What a head gives, shape (batch or 1, positions that ask, value width)."""
    queries, keys, values = (_apply(part, of) for part, of in zip(maps, (asking, stream, stream), strict=True))
    weights = unit.weighting.row(unit.logits(queries, keys), allowed)
    if len(weights) == 1 and len(values) > 1:
        batch, length, width = values.shape
        flat = exact_matmul(weights[0], np.moveaxis(values, 0, 1).reshape(length, batch * width))
        return unit.finish(np.moveaxis(flat.reshape(-1, batch, width), 1, 0))
    return unit.finish(exact_matmul(weights, values))


def _apply(affine: Affine, stream: SharedStream) -> IntArray:
    """An affine map of the columns that it reads, shape (batch or 1, N, outputs)."""
    inputs = _inputs(affine)
    if not inputs.size:
        return np.broadcast_to(affine.bias, (1, len(stream.fixed), affine.outputs))
    return Affine(affine.precision, affine.weights[inputs], affine.bias)(stream.part(inputs))


def _inputs(affine: Affine) -> IntArray:
    """The columns that an affine map reads."""
    return np.flatnonzero(affine.weights.any(axis=1))


def _outputs(affine: Affine) -> tuple[IntArray, Affine]:
    """The columns that are not always 0, and the map to these alone (to column 0, if there is none)."""
    outputs = np.flatnonzero(affine.weights.any(axis=0) | (affine.bias != 0))
    kept = outputs if outputs.size else np.zeros(1, dtype=np.int64)
    return outputs, Affine(affine.precision, affine.weights[:, kept], affine.bias[kept])


def _changed(layer: Dense) -> tuple[IntArray, Affine]:
    """As :func:`_outputs`, with every column if the activation of 0 need not be 0."""
    if layer.activation in ("identity", "relu"):
        return _outputs(layer.affine)
    return np.arange(layer.affine.outputs), layer.affine
