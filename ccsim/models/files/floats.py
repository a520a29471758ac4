"""The same models in float64, as an ordinary forward pass: what quantisation is compared with. They prove nothing."""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.models.files.arithmetics import Double
from ccsim.models.files.parts import AttentionParts, RecurrentParts
from ccsim.models.files.steps import KINDS, real_parts
from ccsim.models.float_functions import FLOAT_FUNCTIONS

__all__ = ["float_codes", "float_scores"]

DOUBLE = Double()


def float_scores(parts: RecurrentParts | AttentionParts, words: Array) -> Array:
    """The read-out (batch, answers) of words of ranks (batch, N), in float64."""
    return _attention(parts, words) if isinstance(parts, AttentionParts) else _recurrent(parts, words)


def float_codes(parts: RecurrentParts | AttentionParts, words: Array) -> Array:
    """The answer codes (batch,) of words of ranks (batch, N), the first largest score winning."""
    return np.asarray(float_scores(parts, words).argmax(axis=1))


def _recurrent(parts: RecurrentParts, words: Array) -> Array:
    kind, layers = KINDS[parts.kind], [real_parts(layer) for layer in parts.layers]
    states = [tuple(np.zeros((len(words), *shape)) for shape in kind.shapes(layer)) for layer in layers]
    numbers = np.zeros((len(words), parts.embedding.shape[1]))
    for position in range(words.shape[1]):
        numbers = parts.embedding[words[:, position]]
        for place, layer in enumerate(layers):
            states[place], outputs = kind.step(DOUBLE, layer, parts.activation, states[place], numbers)
            numbers = numbers + outputs if parts.residual else outputs
    scores = np.asarray(numbers @ parts.scores.T + parts.bias)
    return scores if parts.soft_cap is None else np.asarray(parts.soft_cap * np.tanh(scores / parts.soft_cap))


def _attention(parts: AttentionParts, words: Array) -> Array:
    stream = parts.tokens[words] + parts.positions
    inner = _norm(parts, "before_attention", stream)
    query, key, value = (
        np.einsum("...m,hmd->...hd", rows, matrix) + bias
        for rows, matrix, bias in (
            (inner[:, -1], parts.query, parts.query_bias),
            (inner, parts.key, parts.key_bias),
            (inner, parts.value, parts.value_bias),
        )
    )
    logits = np.einsum("bhd,bnhd->bhn", query, key) / np.sqrt(parts.query.shape[2])
    weights = np.exp(logits - logits.max(axis=2, keepdims=True))
    weights /= weights.sum(axis=2, keepdims=True)
    heads = np.einsum("bhn,bnhd->bhd", weights, value).reshape(len(words), -1)
    last = _norm(parts, "after_attention", stream[:, -1] + heads @ parts.output + parts.output_bias)
    if parts.inner:
        hidden = _norm(parts, "before_tokenwise", last)
        for weight, bias, activation in parts.inner:
            hidden = FLOAT_FUNCTIONS[activation](hidden @ weight + bias)
        last = last + hidden
    last = _norm(parts, "last", _norm(parts, "after_tokenwise", last))
    return np.asarray(last @ parts.scores + parts.bias)


def _norm(parts: AttentionParts, place: str, rows: Array) -> Array:
    if place not in parts.norms:
        return rows
    gain, bias = parts.norms[place]
    centred = rows - rows.mean(axis=-1, keepdims=True)
    variance = (centred * centred).mean(axis=-1, keepdims=True)
    return np.asarray(centred / np.sqrt(variance + parts.epsilon) * gain + bias)
