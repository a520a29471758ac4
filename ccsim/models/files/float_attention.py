"""Transformers from files in float64, as an ordinary forward pass. It decides nothing."""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.models.files.parts import AttentionParts, LayerParts
from ccsim.models.float_functions import FLOAT_FUNCTIONS


def attention_scores(parts: AttentionParts, words: Array) -> Array:
    """The read-out (batch, answers) at the last position of words of ranks (batch, N)."""
    last = _layer(parts.layer, parts.epsilon, parts.tokens[words] + parts.positions)
    return np.asarray(last @ parts.scores + parts.bias)


def _layer(layer: LayerParts, epsilon: float, stream: Array) -> Array:
    """The stream (batch, width) at the last position."""

    def norm(place: str, rows: Array) -> Array:
        return _norm(layer, place, rows, epsilon)

    attended = _heads(layer, norm("before_attention", stream)) @ layer.output + layer.output_bias
    last = norm("after_attention", stream[:, -1] + attended)
    if layer.inner:
        hidden = norm("before_tokenwise", last)
        for weight, bias, activation in layer.inner:
            hidden = FLOAT_FUNCTIONS[activation](hidden @ weight + bias)
        last = last + hidden
    return norm("last", norm("after_tokenwise", last))


def _heads(layer: LayerParts, rows: Array) -> Array:
    """What the heads give side by side at the last position, shape (batch, heads * head width)."""
    query = np.einsum("bm,hmd->bhd", rows[:, -1], layer.query) + layer.query_bias
    key, value = (
        np.einsum("bnm,hmd->bhnd", rows, matrix) + bias[:, None]
        for matrix, bias in ((layer.key, layer.key_bias), (layer.value, layer.value_bias))
    )
    logits = np.einsum("bhd,bhnd->bhn", query, key) * layer.scale
    weights = np.exp(logits - logits.max(axis=2, keepdims=True))
    weights /= weights.sum(axis=2, keepdims=True)
    return np.asarray(np.einsum("bhn,bhnd->bhd", weights, value).reshape(len(rows), -1))


def _norm(layer: LayerParts, place: str, rows: Array, epsilon: float) -> Array:
    if place not in layer.norms:
        return rows
    norm = layer.norms[place]
    centred = rows - rows.mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + epsilon) * norm.gain
    return np.asarray(scaled + norm.bias)
