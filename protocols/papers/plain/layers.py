"""Recurrent layers one number at a time: what they carry and put out after one more input, by the textbook formulas.

A number is a fraction; ``down`` rounds it down to a precision and saturates, as the layers say where they do. What is
read off a layer are its weights and the precisions of what it carries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import chain
from math import isqrt
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


def _retention(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    p, decay = layer.queries.precision, real(layer.queries.precision, layer.decay)
    query, key, value = (affine(part, x) for part in (layer.queries, layer.keys, layer.values))
    rows = [
        [down(g * s + k * v, layer.memory) for s, v in zip(row, value, strict=True)]
        for row, g, k in zip(_parts(state, len(key)), decay, key, strict=True)
    ]
    read = [down(_dot(query, column), p) for column in zip(*rows, strict=True)]
    gates = [apply("silu", number, p) for number in affine(layer.gate, x)]
    return list(chain(*rows)), affine(layer.output, [down(g * r, p) for g, r in zip(gates, read, strict=True)])


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


def _rwkv(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    p, width = layer.receptance.precision, len(layer.bonus)
    before, a, c = state[: len(x)], state[len(x) : len(x) + width], state[len(x) + width :]
    mixed = [
        [down(m * new + (1 - m) * old, p) for m, new, old in zip(row, x, before, strict=True)]
        for row in real(p, layer.mixtures)
    ]
    r, k, v = (affine(part, own) for part, own in zip((layer.receptance, layer.keys, layer.values), mixed, strict=True))
    bonus, fade, gated = real(p, layer.bonus), real(p, layer.fade), []
    for j in range(width):
        now, weight = apply("exp", down(k[j] + bonus[j], p), p), apply("exp", k[j], p)
        above = Fraction((a[j] + now * v[j]) * p.scale // 1, p.scale)
        mean = down(above / (c[j] + now) if c[j] + now else Fraction(0), p)
        a[j], c[j] = down(fade[j] * a[j] + weight * v[j], layer.memory), down(fade[j] * c[j] + weight, layer.memory)
        gated.append(down(apply("sigmoid", r[j], p) * mean, p))
    return [*x, *a, *c], affine(layer.output, gated)


def _rg_lru(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    p, rate, h = layer.entrance.precision, real(layer.entrance.precision, layer.rate), []
    u = affine(layer.entrance, x)
    gates = (affine(part, u) for part in (layer.recurrence, layer.admission))
    r, i = ([apply("sigmoid", number, p) for number in gate] for gate in gates)
    for j, before in enumerate(state):
        a = min(apply("exp", down(rate[j] * r[j], p), p), Fraction(1))
        kept = down(Fraction(isqrt(int((1 - a * a) * p.scale**2)), p.scale), p)
        h.append(down(a * before + kept * down(i[j] * u[j], p), layer.memory))
    return h, affine(layer.output, [down(number, p) for number in h])


def _of_length_one(vector: Numbers, p: Any) -> Numbers:
    length = max(isqrt(int(sum(number * number for number in vector) * p.scale**2)), 1)
    return [down(number * p.scale / length, p) for number in vector]


def _gated_delta(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    p, memory = layer.keys.precision, layer.memory
    query, key = (_of_length_one(affine(part, x), p) for part in (layer.queries, layer.keys))
    value, rows = affine(layer.values, x), _parts(state, len(key))
    strength, times = (apply(name, affine(part, x)[0], p) for name, part in
                       (("sigmoid", layer.strength), ("softplus", layer.fading)))  # fmt: skip
    fade, drawn = min(apply("exp", down(real(p, layer.rate)[0] * times, p), p), Fraction(1)), []
    for j, wanted in enumerate(value):
        read = down(_dot(key, [row[j] for row in rows]), memory)
        drawn.append(down(strength * (wanted - down(fade * read, memory)), memory))
    rows = [[down(fade * s + k * d, memory) for s, d in zip(row, drawn, strict=True)]
            for k, row in zip(key, rows, strict=True)]  # fmt: skip
    told = [down(_dot(query, [row[j] for row in rows]), p) for j in range(len(value))]
    return list(chain(*rows)), affine(layer.output, told)


def _mlstm(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    p, memory, size = layer.keys.precision, layer.memory, len(layer.keys.bias)
    admit = apply("exp", affine(layer.input_gate, x)[0], p)
    keep = apply("sigmoid", affine(layer.forget_gate, x)[0], p)
    query, value = affine(layer.queries, x), affine(layer.values, x)
    key = [down(admit * number, memory) for number in affine(layer.keys, x)]
    rows, total = _parts(state[: size * len(value)], size), state[size * len(value) :]
    rows = [[down(keep * c + k * v, memory) for c, v in zip(row, value, strict=True)]
            for k, row in zip(key, rows, strict=True)]  # fmt: skip
    total = [down(keep * n + k, memory) for n, k in zip(total, key, strict=True)]
    below = max(abs(_dot(query, total)), Fraction(1))
    told = []
    for j, gate in enumerate(affine(layer.output_gate, x)):
        read = down(_dot(query, [row[j] for row in rows]) / below, p)
        told.append(down(apply("sigmoid", gate, p) * read, p))
    return [*chain(*rows), *total], affine(layer.output, told)


STEPS: dict[str, Step] = {
    "ElmanLayer": _elman,
    "LSTMLayer": _lstm,
    "GRULayer": _gru,
    "LinearAttentionLayer": _linear_attention,
    "RetentionLayer": _retention,
    "DiagonalLayer": _diagonal,
    "SelectiveLayer": _selective,
    "RWKVLayer": _rwkv,
    "RGLRULayer": _rg_lru,
    "GatedDeltaLayer": _gated_delta,
    "MLSTMLayer": _mlstm,
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
    if kind == "RGLRULayer":
        return [layer.memory] * len(layer.rate)
    if kind in ("LinearAttentionLayer", "MLSTMLayer"):
        return [layer.memory] * (len(layer.keys.bias) * len(layer.values.bias) + len(layer.keys.bias))
    if kind in ("RetentionLayer", "GatedDeltaLayer"):
        return [layer.memory] * (len(layer.keys.bias) * len(layer.values.bias))
    if kind == "DiagonalLayer":
        parts, inputs, states = layer.transition.shape
        return [layer.memory] * (parts * inputs * states)
    if kind == "SelectiveLayer":
        channels, positions = layer.kernel.shape
        window = [layer.entrance.precision] * (channels * (positions - 1))
        return window + [layer.memory] * (channels * layer.decay.shape[1])
    width = len(layer.bonus)
    return [layer.receptance.precision] * layer.mixtures.shape[1] + [layer.memory] * (2 * width)
