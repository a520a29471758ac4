"""Recurrent layers one number at a time: what they carry and put out after one more input, by the textbook formulas.

A number is a fraction; ``down`` rounds it down to a precision and saturates, as the layers say where they do. What is
read off a layer are its weights and the precisions of what it carries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

from protocols.papers.plain.functions import apply, down

__all__ = ["STEPS", "Numbers", "affine", "carried_by", "real"]

Numbers = list[Fraction]
Step = Callable[[Any, Numbers, Numbers], tuple[Numbers, Numbers]]


def real(precision: Any, mantissas: Any) -> Any:
    """Mantissas, in lists of lists as they are, as fractions."""
    if getattr(mantissas, "ndim", 0):
        return [real(precision, part) for part in mantissas]
    return Fraction(int(mantissas), precision.scale)


def affine(part: Any, x: Numbers) -> Numbers:
    """x W rounded down, plus b, saturating."""
    weights, bias = real(part.precision, part.weights), real(part.precision, part.bias)
    scale = part.precision.scale
    sums = [sum(a * row[place] for a, row in zip(x, weights, strict=True)) for place in range(len(bias))]
    return [down(Fraction(s * scale // 1, scale) + b, part.precision) for s, b in zip(sums, bias, strict=True)]


def _parts(numbers: Numbers, count: int) -> list[Numbers]:
    """So many lists of equal length, one after the other."""
    size = len(numbers) // count
    return [numbers[place * size : (place + 1) * size] for place in range(count)]


def _dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def _elman(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    p = layer.affine.precision
    h = [apply(layer.activation, number, p) for number in affine(layer.affine, x + state)]
    return h, h


def _lstm(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    p, (h, c) = layer.gates.precision, _parts(state, 2)
    i, f, g, o = _parts(affine(layer.gates, x + h), 4)
    i, f, o = ([apply("sigmoid", number, p) for number in gate] for gate in (i, f, o))
    g = [apply("tanh", number, p) for number in g]
    c = [down(f[k] * c[k] + i[k] * g[k], layer.memory) for k in range(len(c))]
    h = [down(o[k] * apply("tanh", c[k], p), p) for k in range(len(c))]
    return h + c, h


def _gru(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    p = layer.input_gates.precision
    (a_r, a_z, a_n), (d_r, d_z, d_n) = (
        _parts(affine(layer.input_gates, x), 3),
        _parts(affine(layer.hidden_gates, state), 3),
    )
    h = []
    for k, old in enumerate(state):
        r, z = apply("sigmoid", down(a_r[k] + d_r[k], p), p), apply("sigmoid", down(a_z[k] + d_z[k], p), p)
        n = apply("tanh", down(a_n[k] + r * d_n[k], p), p)
        h.append(down((1 - z) * n + z * old, p))
    return h, h


def _linear_attention(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    p = layer.queries.precision
    key, query = (
        [apply(layer.feature, number, p) for number in affine(part, x)] for part in (layer.keys, layer.queries)
    )
    value = affine(layer.values, x)
    rows, z = _parts(state[: len(key) * len(value)], len(key)), state[len(key) * len(value) :]
    rows = [
        [down(s + k * v, layer.memory) for s, v in zip(row, value, strict=True)]
        for row, k in zip(rows, key, strict=True)
    ]
    z = [down(total + k, layer.memory) for total, k in zip(z, key, strict=True)]
    below = _dot(query, z)
    read = [down(_dot(query, column) / below if below else Fraction(0), p) for column in zip(*rows, strict=True)]
    return [*chain(*rows), *z], affine(layer.output, read)


def _diagonal(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    p = layer.mixing.precision
    a, b, c = (real(p, part) for part in (layer.transition, layer.drive, layer.read))
    complex_numbers, inputs, states = len(a) == 2, len(a[0]), len(a[0][0])
    old = [_parts(part, inputs) for part in _parts(state, len(a))]
    new: list[list[Numbers]] = [[[] for _ in range(inputs)] for _ in a]
    outputs = []
    for i in range(inputs):
        y = real(p, layer.skip)[i] * x[i]
        for n in range(states):
            re = a[0][i][n] * old[0][i][n] + b[0][i][n] * x[i]
            if complex_numbers:
                im = a[1][i][n] * old[0][i][n] + a[0][i][n] * old[1][i][n] + b[1][i][n] * x[i]
                re -= a[1][i][n] * old[1][i][n]
                new[1][i].append(down(im, layer.memory))
                y -= c[1][i][n] * new[1][i][n]
            new[0][i].append(down(re, layer.memory))
            y += c[0][i][n] * new[0][i][n]
        outputs.append(apply(layer.activation, down(y, p), p))
    return [*chain(*chain(*new))], affine(layer.mixing, outputs)


def _selective(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    p = layer.entrance.precision
    kernel, decay, skip = (real(p, part) for part in (layer.kernel, layer.decay, layer.skip))
    channels, positions = len(kernel), len(kernel[0])
    inputs, gate = _parts(affine(layer.entrance, x), 2)
    held, rest = state[: channels * (positions - 1)], state[channels * (positions - 1) :]
    window = [*(_parts(held, positions - 1) if positions > 1 else []), inputs]
    u = [
        apply("silu", down(_dot(kernel[j], [row[j] for row in window]) + real(p, layer.kernel_bias)[j], p), p)
        for j in range(channels)
    ]
    delta = [apply("softplus", number, p) for number in affine(layer.steps, u)]
    drive, read = affine(layer.drive, u), affine(layer.read, u)
    s, gated = _parts(rest, channels), []
    for j in range(channels):
        driven = down(delta[j] * u[j], p)
        kept = [_fading(delta[j] * a, p) for a in decay[j]]
        s[j] = [down(k * old + b * driven, layer.memory) for k, old, b in zip(kept, s[j], drive, strict=True)]
        y = down(_dot(read, s[j]) + skip[j] * u[j], p)
        gated.append(down(y * apply("silu", gate[j], p), p))
    return [*chain(*window[1:]), *chain(*s)], affine(layer.output, gated)


def _fading(exponent: Fraction, p: Any) -> Fraction:
    """exp of a product that is at most 0, both rounded down to steps of p; neither saturates."""

    class Wide:
        scale, low, high = p.scale, -(1 << 62), 1 << 62

    return apply("exp", down(exponent, Wide), Wide)


STEPS: dict[str, Step] = {
    "ElmanLayer": _elman,
    "LSTMLayer": _lstm,
    "GRULayer": _gru,
    "LinearAttentionLayer": _linear_attention,
    "DiagonalLayer": _diagonal,
    "SelectiveLayer": _selective,
}


def carried_by(layer: Any) -> list[Any]:
    """The precision of each number that a layer carries, counted from the shapes of its weights."""
    kind = type(layer).__name__
    if kind == "ElmanLayer":
        return [layer.affine.precision] * len(layer.affine.bias)
    if kind == "LSTMLayer":
        width = len(layer.gates.bias) // 4
        return [layer.gates.precision] * width + [layer.memory] * width
    if kind == "GRULayer":
        return [layer.input_gates.precision] * (len(layer.input_gates.bias) // 3)
    if kind == "LinearAttentionLayer":
        return [layer.memory] * (len(layer.keys.bias) * len(layer.values.bias) + len(layer.keys.bias))
    if kind == "DiagonalLayer":
        parts, inputs, states = layer.transition.shape
        return [layer.memory] * (parts * inputs * states)
    channels, positions = layer.kernel.shape
    window = [layer.entrance.precision] * (channels * (positions - 1))
    return window + [layer.memory] * (channels * layer.decay.shape[1])
