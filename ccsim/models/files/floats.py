"""The same models in float64, as an ordinary forward pass: what quantisation is compared with. They prove nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.models.files.parts import AttentionParts, RecurrentParts
from ccsim.models.float_functions import FLOAT_FUNCTIONS

__all__ = ["float_codes", "float_scores"]

Step = Callable[[Any, Array], tuple[Any, Array]]
sigmoid = FLOAT_FUNCTIONS["sigmoid"]


def float_scores(parts: RecurrentParts | AttentionParts, words: Array) -> Array:
    """The read-out (batch, answers) of words of ranks (batch, N), in float64."""
    return _attention(parts, words) if isinstance(parts, AttentionParts) else _recurrent(parts, words)


def float_codes(parts: RecurrentParts | AttentionParts, words: Array) -> Array:
    """The answer codes (batch,) of words of ranks (batch, N), the first largest score winning."""
    return np.asarray(float_scores(parts, words).argmax(axis=1))


def _recurrent(parts: RecurrentParts, words: Array) -> Array:
    steps = [_STEPS[parts.kind](layer, parts.activation) for layer in parts.layers]
    states: list[Any] = [None] * len(steps)
    numbers = np.zeros((len(words), parts.embedding.shape[1]))
    for position in range(words.shape[1]):
        numbers = parts.embedding[words[:, position]]
        for place, step in enumerate(steps):
            states[place], outputs = step(states[place], numbers)
            numbers = numbers + outputs if parts.residual else outputs
    return np.asarray(numbers @ parts.scores.T + parts.bias)


def _elman(layer: Any, activation: str | None) -> Step:
    function = FLOAT_FUNCTIONS[activation or "tanh"]
    width = layer["weight_hh"].shape[1]

    def step(state: Any, x: Array) -> tuple[Any, Array]:
        h = np.zeros((len(x), width)) if state is None else state
        h = function(x @ layer["weight_ih"].T + layer["bias_ih"] + h @ layer["weight_hh"].T + layer["bias_hh"])
        return h, h

    return step


def _lstm(layer: Any, activation: str | None) -> Step:
    width = layer["weight_hh"].shape[1]

    def step(state: Any, x: Array) -> tuple[Any, Array]:
        h, c = (np.zeros((len(x), width)),) * 2 if state is None else state
        gates = x @ layer["weight_ih"].T + layer["bias_ih"] + h @ layer["weight_hh"].T + layer["bias_hh"]
        i, f, g, o = np.split(gates, 4, axis=1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        return (h, c), h

    return step


def _gru(layer: Any, activation: str | None) -> Step:
    width = layer["weight_hh"].shape[1]

    def step(state: Any, x: Array) -> tuple[Any, Array]:
        h = np.zeros((len(x), width)) if state is None else state
        a_r, a_z, a_n = np.split(x @ layer["weight_ih"].T + layer["bias_ih"], 3, axis=1)
        d_r, d_z, d_n = np.split(h @ layer["weight_hh"].T + layer["bias_hh"], 3, axis=1)
        z, n = sigmoid(a_z + d_z), np.tanh(a_n + sigmoid(a_r + d_r) * d_n)
        h = (1 - z) * n + z * h
        return h, h

    return step


def _diagonal(layer: Any, activation: str | None) -> Step:
    function = FLOAT_FUNCTIONS[activation or "gelu"]

    def step(state: Any, x: Array) -> tuple[Any, Array]:
        s = np.zeros((len(x), *layer["transition"].shape)) if state is None else state
        s = layer["transition"] * s + layer["drive"] * x[:, :, None]
        y = (layer["read"] * s).sum(axis=2).real + layer["skip"] * x
        return s, function(y) @ layer["mixing"].T + layer["mixing_bias"]

    return step


def _mamba(layer: Any, activation: str | None) -> Step:
    channels, window = layer["kernel"].shape

    def step(state: Any, x: Array) -> tuple[Any, Array]:
        carried, s = state or (np.zeros((len(x), window - 1, channels)), np.zeros((len(x), *layer["decay"].shape)))
        inner, gate = np.split(x @ layer["entrance"].T, 2, axis=1)
        held = np.concatenate([carried, inner[:, None]], axis=1)
        u = FLOAT_FUNCTIONS["silu"]((held * layer["kernel"].T).sum(axis=1) + layer["kernel_bias"])
        delta = FLOAT_FUNCTIONS["softplus"](u @ layer["steps"].T + layer["steps_bias"])
        driven = (u @ layer["drive"].T)[:, None, :] * (delta * u)[:, :, None]
        s = np.exp(delta[:, :, None] * layer["decay"]) * s + driven
        y = (s * (u @ layer["read"].T)[:, None, :]).sum(axis=2) + layer["skip"] * u
        return (held[:, 1:], s), (y * FLOAT_FUNCTIONS["silu"](gate)) @ layer["output"].T

    return step


def _linear_attention(layer: Any, activation: str | None) -> Step:
    feature = FLOAT_FUNCTIONS[activation or "elu_plus_one"]

    def step(state: Any, x: Array) -> tuple[Any, Array]:
        query, key, value = (x @ layer[name].T + layer[f"{name}_bias"] for name in ("queries", "keys", "values"))
        query, key = feature(query), feature(key)
        sums, total = state or (np.zeros((len(x), key.shape[1], value.shape[1])), np.zeros_like(key))
        sums, total = sums + key[:, :, None] * value[:, None, :], total + key
        over = (total * query).sum(axis=1, keepdims=True)
        read = (query[:, None, :] @ sums)[:, 0] / np.where(over == 0, 1, over)
        return (sums, total), read @ layer["output"].T + layer["output_bias"]

    return step


def _retnet(layer: Any, activation: str | None) -> Step:
    names = ("queries", "keys", "values", "gate")

    def step(state: Any, x: Array) -> tuple[Any, Array]:
        query, key, value, gate = (x @ layer[name].T + layer[f"{name}_bias"] for name in names)
        kept = 0 if state is None else layer["decay"][:, None] * state
        sums = kept + key[:, :, None] * value[:, None, :]
        gated = FLOAT_FUNCTIONS["silu"](gate) * (query[:, None, :] @ sums)[:, 0]
        return sums, gated @ layer["output"].T + layer["output_bias"]

    return step


_STEPS: dict[str, Callable[[Any, str | None], Step]] = {
    "elman": _elman,
    "lstm": _lstm,
    "gru": _gru,
    "diagonal": _diagonal,
    "mamba": _mamba,
    "linear-attention": _linear_attention,
    "retnet": _retnet,
}


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
