"""The forward pass that anybody would write: float64, batched, every position embedded and projected.

It is what the exact evaluation and the protocols are timed against. It decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.arithmetic import IntArray, Precision
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine
from ccsim.models.float_functions import FLOAT_FUNCTIONS
from ccsim.models.scoring import Scoring
from ccsim.models.tokenwise import Dense, Gated, Tokenwise
from ccsim.models.transformer.embedding import blocks
from ccsim.models.transformer.normalisation import LayerNorm, RMSNorm
from ccsim.models.transformer.pieces import OneLayerPieces
from ccsim.models.weighting import Softmax

__all__ = ["FloatForward"]

Floats = npt.NDArray[np.float64]
Map = Callable[[Floats], Floats]

BLOCK_WORDS = 1 << 10


@dataclass(frozen=True, eq=False)
class FloatForward:
    """Parameters of a one-layer transformer as float64, and its forward pass.

    Attributes:
        tokens, positions: embeddings, shapes (symbols, width) and (N, width).
        query, keys_values: projections of all heads side by side; keys come before values.
        output, read_out: affine maps (weights, bias).
        heads, key_width: how the projections are cut.
        logit_scale: a factor of the logits, per head.
        scorings: what positions and soft caps do to the logits of each head.
        output_cap: the soft cap of the read-out; infinite if there is none.
        before_attention, after_heads: what is done to each position before, and after attention.
    """

    tokens: Floats
    positions: Floats
    query: Floats
    keys_values: Floats
    output: Floats
    read_out: tuple[Floats, Floats]
    heads: int
    key_width: int
    logit_scale: Floats
    scorings: tuple[Scoring, ...]
    output_cap: float
    before_attention: Map
    after_heads: Callable[[Floats, Floats], Floats]

    @classmethod
    def of(cls, model: OneLayerPieces) -> FloatForward:
        """The parameters of a model with softmax attention."""
        block, numbers = model.block, model.precision.floats
        if not isinstance(block.attention.units[0].weighting, Softmax):
            raise InputError("weighting", block.attention.units[0].weighting, "softmax, for the floating-point pass")
        query, key, value = (
            np.hstack([numbers(part.weights) for part in parts]) for parts in zip(*block.maps, strict=True)
        )
        norms = block.norms
        first, after_attention, of_attention = map(_norm, (norms.first, norms.after_attention, norms.of_attention))
        before_tokenwise, of_tokenwise = _norm(norms.before_tokenwise), _norm(norms.of_tokenwise)
        after_tokenwise, last, before_attention = map(
            _norm, (norms.after_tokenwise, norms.last, norms.before_attention)
        )
        tokenwise = _tokenwise(block.tokenwise)

        def after_heads(stream: Floats, attended: Floats) -> Floats:
            attended = of_attention(attended)
            stream = after_attention(first(stream) + attended if block.residual else attended)
            if tokenwise is not None:
                part = of_tokenwise(tokenwise(before_tokenwise(stream)))
                stream = stream + part if block.residual else part
            return last(after_tokenwise(stream))

        return cls(
            numbers(model.token_embedding),
            numbers(model.position_embedding),
            query,
            np.hstack([key, value]),
            numbers(block.output.weights),
            (numbers(model.read_out.weights), numbers(model.read_out.bias)),
            model.heads,
            model.key_width,
            np.array([float(unit.logit_scale) for unit in block.attention.units]),
            tuple(unit.scoring for unit in block.attention.units),
            inf if model.output_cap is None else float(model.output_cap),
            lambda stream: before_attention(first(stream)),
            after_heads,
        )

    def __call__(self, words: Array) -> Floats:
        """The read-out (..., answers) of words (..., N)."""
        rows = words.reshape(-1, words.shape[-1])
        weights, bias = self.read_out
        outputs = np.empty((len(rows), len(bias)))
        for block in blocks(len(rows), BLOCK_WORDS):
            stream = self.tokens.take(rows[block], axis=0)
            stream += self.positions
            last = self.after_heads(stream[:, -1], self._attention(self.before_attention(stream)))
            np.matmul(last, weights, out=outputs[block])
            outputs[block] += bias
        if isfinite(self.output_cap):
            outputs = self.output_cap * np.tanh(outputs / self.output_cap)
        return outputs.reshape(*words.shape[:-1], -1)

    def _attention(self, stream: Floats) -> Floats:
        """What the heads give at the last position (batch, width), for streams (batch, N, width)."""
        batch, length, width = stream.shape
        query = (stream[:, -1] @ self.query).reshape(batch, self.heads, self.key_width, 1)
        query *= self.logit_scale[:, None, None]
        query = self._turned(query[..., 0][:, :, None], np.array([length - 1]))[:, :, 0, :, None]
        both = (stream.reshape(-1, width) @ self.keys_values).reshape(batch, length, -1)
        cut = self.heads * self.key_width
        keys = both[:, :, :cut].reshape(batch, length, self.heads, -1).transpose(0, 2, 1, 3)
        values = both[:, :, cut:].reshape(batch, length, self.heads, -1).transpose(0, 2, 1, 3)
        logits = self._scored((self._turned(keys, np.arange(length)) @ query)[..., 0])  # (batch, heads, N)
        logits -= logits.max(axis=-1, keepdims=True)
        weights = np.exp(logits, out=logits)
        weights /= weights.sum(axis=-1, keepdims=True)
        heads = weights[:, :, None, :] @ values
        return np.asarray(heads.reshape(batch, -1) @ self.output)

    def _turned(self, vectors: Floats, places: IntArray) -> Floats:
        """Queries or keys (batch, heads, N, key width) at these positions."""
        if all(one.rotary is None for one in self.scorings):
            return vectors
        each = [one.rotary.of_floats if one.rotary else None for one in self.scorings]
        heads = [vectors[:, head] if turn is None else turn(vectors[:, head], places) for head, turn in enumerate(each)]
        return np.stack(heads, axis=1)

    def _scored(self, logits: Floats) -> Floats:
        """Logits (batch, heads, N) of the last position, after what each head does to them."""
        distances = np.arange(logits.shape[-1])[::-1]
        for head, scoring in enumerate(self.scorings):
            logits[:, head] = scoring.of_floats(logits[:, head], distances)
        return logits


def _norm(norm: LayerNorm | RMSNorm | None) -> Map:
    if norm is None:
        return lambda values: values
    gain, epsilon, least = norm.precision.floats(norm.gain), float(norm.epsilon), 1 / norm.precision.scale
    bias = norm.precision.floats(norm.bias) if isinstance(norm, LayerNorm) else None

    def apply(values: Floats) -> Floats:
        centred = values if bias is None else values - values.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + epsilon)
        scaled = centred / np.maximum(deviation, least) * gain
        return np.asarray(scaled if bias is None else scaled + bias)

    return apply


def _tokenwise(tokenwise: Tokenwise | None) -> Map | None:
    if tokenwise is None:
        return None
    if tokenwise.function is not None:
        return _on_mantissas(tokenwise.precision, tokenwise.function)
    layers = [_dense(layer) for layer in tokenwise.layers]

    def apply(values: Floats) -> Floats:
        for layer in layers:
            values = layer(values)
        return values

    return apply


def _dense(layer: Dense | Gated) -> Map:
    if isinstance(layer, Gated):
        gate, up = _dense(layer.gate), _dense(Dense(layer.up))
        return lambda values: np.asarray(gate(values) * up(values))
    affine: Affine = layer.affine
    weights, bias = layer.precision.floats(affine.weights), layer.precision.floats(affine.bias)
    name = layer.activation
    activation = FLOAT_FUNCTIONS[name] if isinstance(name, str) else _on_mantissas(layer.precision, name)

    def apply(values: Floats) -> Floats:
        result = values @ weights
        result += bias
        return activation(result)

    return apply


def _on_mantissas(precision: Precision, function: Callable[[Any], Any]) -> Map:
    """A declared function, which only knows mantissas, on the nearest ones from below."""

    def apply(values: Floats) -> Floats:
        floors = np.floor(values * precision.scale).clip(precision.low, precision.high)
        return precision.floats(function(floors.astype(np.int64)))

    return apply
