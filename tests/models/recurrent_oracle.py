"""Recurrent layers by their textbook formulas, in floating point and with none of the project's arithmetic.

Each function takes a layer and its inputs, an array (positions, inputs), and returns the outputs at every position.
Biases and weights are read off the layer as floats.
"""

import math

import numpy as np

from ccsim.models import (
    GRU,
    LSTM,
    MLSTM,
    RGLRU,
    RWKV,
    DiagonalStateSpace,
    Elman,
    GatedDeltaNet,
    LinearAttention,
    RetNet,
    SelectiveStateSpace,
)

KINDS = {
    "elman": (Elman, {}),
    "elman relu": (Elman, {"activation": "relu"}),
    "lstm": (LSTM, {}),
    "gru": (GRU, {}),
    "linear attention": (LinearAttention, {"key_width": 1}),
    "linear attention relu": (LinearAttention, {"feature": "relu", "memory": 18}),
    "retnet": (RetNet, {}),
    "diagonal complex": (DiagonalStateSpace, {"states": 2}),
    "diagonal real": (DiagonalStateSpace, {"states": 2, "real": True, "activation": "silu"}),
    "selective": (SelectiveStateSpace, {"states": 2, "window": 3}),
    "selective without window": (SelectiveStateSpace, {"window": 1, "channels": 3}),
    "rwkv": (RWKV, {}),
    "rg-lru": (RGLRU, {}),
    "gated delta": (GatedDeltaNet, {"key_width": 3}),
    "mlstm": (MLSTM, {"key_width": 1}),
}
"""A class and options for each kind that is tested."""


def plain(model, words):
    """States and answers of a batch of words, stepped one symbol at a time with nothing merged."""
    states = np.repeat(model.start()[None], len(words), axis=0)
    before = states
    for position in range(1, words.shape[1] + 1):
        before, states = states, model.step(states, words[:, position - 1], position)
    return states, model.last(before, words[:, -1], words.shape[1])


def numbers(layer, mantissas):
    return np.asarray(mantissas, dtype=float) / layer.precision.scale


def affine(layer, part, x):
    return x @ numbers(layer, part.weights) + numbers(layer, part.bias)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu(x):
    return x / 2 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


ACTIVATIONS = {
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
    "silu": lambda x: x * sigmoid(x),
    "gelu": gelu,
    "elu_plus_one": lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))),
}


def elman(layer, inputs):
    h = np.zeros(layer.outputs)
    for x in inputs:
        h = ACTIVATIONS[layer.activation](affine(layer, layer.affine, np.concatenate([x, h])))
        yield h


def lstm(layer, inputs):
    h = c = np.zeros(layer.outputs)
    for x in inputs:
        i, f, g, o = np.split(affine(layer, layer.gates, np.concatenate([x, h])), 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        yield h


def gru(layer, inputs):
    h = np.zeros(layer.outputs)
    for x in inputs:
        a_r, a_z, a_n = np.split(affine(layer, layer.input_gates, x), 3)
        d_r, d_z, d_n = np.split(affine(layer, layer.hidden_gates, h), 3)
        r, z = sigmoid(a_r + d_r), sigmoid(a_z + d_z)
        h = (1 - z) * np.tanh(a_n + r * d_n) + z * h
        yield h


def linear_attention(layer, inputs):
    """By the sum over all earlier positions, as attention is written, and not by a state."""
    feature = ACTIVATIONS[layer.feature]
    for place in range(len(inputs)):
        query = feature(affine(layer, layer.queries, inputs[place]))
        weights = [query @ feature(affine(layer, layer.keys, x)) for x in inputs[: place + 1]]
        total = sum(w * affine(layer, layer.values, x) for w, x in zip(weights, inputs, strict=False))
        yield affine(layer, layer.output, total / sum(weights) if sum(weights) else 0 * total)


def retnet(layer, inputs):
    """By the sum over all earlier positions with their decays."""
    decay = numbers(layer, layer.decay)
    for place, x in enumerate(inputs):
        query = affine(layer, layer.queries, x)
        total = 0
        for earlier, other in enumerate(inputs[: place + 1]):
            key = affine(layer, layer.keys, other)
            total = total + (query @ (decay ** (place - earlier) * key)) * affine(layer, layer.values, other)
        yield affine(layer, layer.output, ACTIVATIONS["silu"](affine(layer, layer.gate, x)) * total)


def diagonal(layer, inputs):
    """By the convolution with the powers of a."""

    def parts(array):
        values = numbers(layer, array)
        return values[0] + (1j * values[1] if len(values) == 2 else 0)

    a, b, c = parts(layer.transition), parts(layer.drive), parts(layer.read)
    for place in range(len(inputs)):
        s = sum(a ** (place - earlier) * b * inputs[earlier][:, None] for earlier in range(place + 1))
        y = (c * s).real.sum(axis=1) + numbers(layer, layer.skip) * inputs[place]
        yield affine(layer, layer.mixing, ACTIVATIONS[layer.activation](y))


def selective(layer, inputs):
    kernel = numbers(layer, layer.kernel)
    channels, window = kernel.shape
    s = np.zeros(layer.decay.shape)
    split = [np.split(affine(layer, layer.entrance, x), 2) for x in inputs]
    padded = [np.zeros(channels)] * (window - 1) + [x for x, _ in split]
    for place, (_, gate) in enumerate(split):
        u = sum(kernel[:, lag] * padded[place + lag] for lag in range(window)) + numbers(layer, layer.kernel_bias)
        u = ACTIVATIONS["silu"](u)
        delta = np.log1p(np.exp(affine(layer, layer.steps, u)))
        s = np.exp(delta[:, None] * numbers(layer, layer.decay)) * s
        s = s + (delta * u)[:, None] * affine(layer, layer.drive, u)[None, :]
        y = s @ affine(layer, layer.read, u) + numbers(layer, layer.skip) * u
        yield affine(layer, layer.output, y * ACTIVATIONS["silu"](gate))


def rwkv(layer, inputs):
    """By the sum over all earlier positions with their weights."""
    mixtures, fade, bonus = numbers(layer, layer.mixtures), numbers(layer, layer.fade), numbers(layer, layer.bonus)
    before = [np.zeros(layer.inputs), *inputs[:-1]]
    mixed = [m * np.array(inputs) + (1 - m) * np.array(before) for m in mixtures]
    r, k, v = (
        affine(layer, part, rows)
        for part, rows in zip((layer.receptance, layer.keys, layer.values), mixed, strict=True)
    )
    for t in range(len(inputs)):
        weights = [fade ** (t - 1 - j) * np.exp(k[j]) for j in range(t)] + [np.exp(bonus + k[t])]
        mean = sum(w * v[j] for j, w in enumerate(weights)) / sum(weights)
        yield affine(layer, layer.output, sigmoid(r[t]) * mean)


def rg_lru(layer, inputs):
    """By the sum over all earlier positions with the products of what is kept between."""
    gates = []
    for x in inputs:
        u = affine(layer, layer.entrance, x)
        a = np.exp(numbers(layer, layer.rate) * sigmoid(affine(layer, layer.recurrence, u)))
        gates.append((a, np.sqrt(1 - a**2) * sigmoid(affine(layer, layer.admission, u)) * u))
    for t in range(len(inputs)):
        h = sum(np.prod([a for a, _ in gates[j + 1 : t + 1]], axis=0) * gates[j][1] for j in range(t + 1))
        yield affine(layer, layer.output, h)


def gated_delta(layer, inputs):
    """With S as a matrix of values by keys, and the product with I - b k k^T, as the paper writes it."""
    s = np.zeros((layer.values.outputs, layer.keys.outputs))
    for x in inputs:
        q, k = (affine(layer, part, x) for part in (layer.queries, layer.keys))
        q, k = q / np.linalg.norm(q), k / np.linalg.norm(k)
        b = sigmoid(affine(layer, layer.strength, x))[0]
        a = np.exp(numbers(layer, layer.rate) * np.log1p(np.exp(affine(layer, layer.fading, x))))[0]
        s = s @ (a * (np.eye(len(k)) - b * np.outer(k, k))) + b * np.outer(affine(layer, layer.values, x), k)
        yield affine(layer, layer.output, s @ q)


def mlstm(layer, inputs):
    """By the sum over all earlier positions with their gates."""
    admitted = [np.exp(affine(layer, layer.input_gate, x))[0] for x in inputs]
    kept = [sigmoid(affine(layer, layer.forget_gate, x))[0] for x in inputs]
    for t, x in enumerate(inputs):
        q = affine(layer, layer.queries, x)
        weights = [
            admitted[j] * np.prod(kept[j + 1 : t + 1]) * (q @ affine(layer, layer.keys, inputs[j]))
            for j in range(t + 1)
        ]
        above = sum(w * affine(layer, layer.values, inputs[j]) for j, w in enumerate(weights))
        told = sigmoid(affine(layer, layer.output_gate, x)) * above / max(abs(sum(weights)), 1)
        yield affine(layer, layer.output, told)


ORACLES = {
    "ElmanLayer": elman,
    "LSTMLayer": lstm,
    "GRULayer": gru,
    "LinearAttentionLayer": linear_attention,
    "RetentionLayer": retnet,
    "DiagonalLayer": diagonal,
    "SelectiveLayer": selective,
    "RWKVLayer": rwkv,
    "RGLRULayer": rg_lru,
    "GatedDeltaLayer": gated_delta,
    "MLSTMLayer": mlstm,
}
