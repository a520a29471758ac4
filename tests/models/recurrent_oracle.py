"""Recurrent layers by their textbook formulas, in floating point and with none of the project's arithmetic.

Each function takes a layer and its inputs, an array (positions, inputs), and returns the outputs at every position.
Biases and weights are read off the layer as floats.
"""

import math

import numpy as np

from ccsim.models import GRU, LSTM, DiagonalStateSpace, Elman, LinearAttention, SelectiveStateSpace

KINDS = {
    "elman": (Elman, {}),
    "elman relu": (Elman, {"activation": "relu"}),
    "lstm": (LSTM, {}),
    "gru": (GRU, {}),
    "linear attention": (LinearAttention, {"key_width": 1}),
    "linear attention relu": (LinearAttention, {"feature": "relu", "memory": 18}),
    "diagonal complex": (DiagonalStateSpace, {"states": 2}),
    "diagonal real": (DiagonalStateSpace, {"states": 2, "real": True, "activation": "silu"}),
    "selective": (SelectiveStateSpace, {"states": 2, "window": 3}),
    "selective without window": (SelectiveStateSpace, {"window": 1, "channels": 3}),
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


ORACLES = {
    "ElmanLayer": elman,
    "LSTMLayer": lstm,
    "GRULayer": gru,
    "LinearAttentionLayer": linear_attention,
    "DiagonalLayer": diagonal,
    "SelectiveLayer": selective,
}
