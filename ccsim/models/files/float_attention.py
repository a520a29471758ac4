"""Transformers from files in float64, as an ordinary forward pass. It decides nothing."""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.models.files.parts import AttentionParts, LayerParts
from ccsim.models.float_functions import FLOAT_FUNCTIONS
from ccsim.models.rotary import float_turned

__all__ = ["attention_scores"]


def attention_scores(parts: AttentionParts, words: Array) -> Array:
    """The read-out (batch, answers) at the last position of words of ranks (batch, N)."""
    stream = parts.tokens[words] + parts.positions
    for layer in parts.layers[:-1]:
        stream = _layer(layer, parts.epsilon, stream, words.shape[1])
    last = _layer(parts.layers[-1], parts.epsilon, stream, 1)[:, -1]
    scores = last @ parts.scores + parts.bias
    return np.asarray(scores if parts.output_cap is None else _capped(scores, parts.output_cap))


def _layer(layer: LayerParts, epsilon: float, stream: Array, count: int) -> Array:
    """The stream (batch, count, width) at the last positions, so many of them."""

    def norm(place: str, rows: Array) -> Array:
        return _norm(layer, place, rows, epsilon)

    stream = norm("first", stream)
    heads = _heads(layer, norm("before_attention", stream), count)
    attended = norm("of_attention", heads @ layer.output + layer.output_bias)
    last = norm("after_attention", stream[:, -count:] + attended)
    if layer.inner:
        hidden = before = norm("before_tokenwise", last)
        for place, (weight, bias, activation) in enumerate(layer.inner):
            hidden = FLOAT_FUNCTIONS[activation](hidden @ weight + bias)
            if layer.up is not None and not place:
                hidden = hidden * (before @ layer.up[0] + layer.up[1])
        last = last + norm("of_tokenwise", hidden)
    return norm("last", norm("after_tokenwise", last))


def _heads(layer: LayerParts, rows: Array, count: int) -> Array:
    """What the heads give side by side at the last positions, shape (batch, count, heads * head width)."""
    scoring, length = layer.scoring, rows.shape[1]
    places, last = np.arange(length), np.arange(length - count, length)
    query, key, value = (
        np.einsum("bnm,hmd->bhnd", of, matrix) + bias[:, None]
        for of, matrix, bias in (
            (rows[:, -count:], layer.query, layer.query_bias),
            (rows, layer.key, layer.key_bias),
            (rows, layer.value, layer.value_bias),
        )
    )
    if scoring.waves is not None:
        query, key = float_turned(query, last, scoring.waves), float_turned(key, places, scoring.waves)
    key, value = np.repeat(key, layer.group, axis=1), np.repeat(value, layer.group, axis=1)
    logits = np.einsum("bhqd,bhnd->bhqn", query, key) * layer.scale
    if scoring.soft_cap is not None:
        logits = _capped(logits, scoring.soft_cap)
    distances = last[:, None] - places
    if scoring.slopes is not None:
        logits = logits - np.array(scoring.slopes, dtype=np.float64)[:, None, None] * distances
    seen = (distances >= 0) & (distances < (scoring.window or length))
    weights = np.where(seen, np.exp(logits - np.where(seen, logits, -np.inf).max(axis=3, keepdims=True)), 0)
    weights /= weights.sum(axis=3, keepdims=True)
    return np.asarray(np.einsum("bhqn,bhnd->bqhd", weights, value).reshape(len(rows), count, -1))


def _capped(values: Array, cap: float) -> Array:
    return np.asarray(cap * np.tanh(values / cap))


def _norm(layer: LayerParts, place: str, rows: Array, epsilon: float) -> Array:
    if place not in layer.norms:
        return rows
    norm = layer.norms[place]
    centred = rows if norm.bias is None else rows - rows.mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + epsilon) * (norm.offset + norm.gain)
    return np.asarray(scaled if norm.bias is None else scaled + norm.bias)
