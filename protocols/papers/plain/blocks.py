"""Blocks of the recurrent models of today one number at a time, as :mod:`protocols.papers.plain.layers` has the others.

Every operation has its exact value, is rounded down, and saturates; what else is rounded is said where it is.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import chain
from math import isqrt
from typing import Any

from protocols.papers.plain.functions import apply, down
from protocols.papers.plain.layers import Numbers, real

__all__ = ["BLOCKS", "carried_by_block"]

Step = Callable[[Any, Numbers, Numbers], tuple[Numbers, Numbers]]
Rows = list[list[Fraction]]


class _Wide:
    """Steps of a precision, without its ends."""

    low, high = -(1 << 62), 1 << 62

    def __init__(self, scale: int) -> None:
        self.scale = scale


class _Block:
    """The arrays of a layer as fractions, and how it rounds."""

    def __init__(self, layer: Any) -> None:
        self.p, self.memory, self.parts = layer.numbers, layer.memory, layer.parts
        self.wide = _Wide(self.p.scale)

    def __getitem__(self, name: str) -> Any:
        return real(self.p, self.parts[name])

    def down(self, number: Fraction) -> Fraction:
        return down(number, self.p)

    def held(self, number: Fraction) -> Fraction:
        return down(number, self.memory)

    def apply(self, name: str, numbers: Numbers) -> Numbers:
        return [apply(name, number, self.p) for number in numbers]

    def map(self, matrix: Rows, x: Numbers, bias: Numbers | None = None) -> Numbers:
        """The matrix times x rounded down; then the bias."""
        products = [down(_dot(row, x), self.wide) for row in matrix]
        return [self.down(a + b) for a, b in zip(products, bias or [Fraction(0)] * len(products), strict=True)]

    def fade(self, exponent: Fraction) -> Fraction:
        """exp of a number that is at most 0, rounded down first without saturating."""
        return apply("exp", down(exponent, self.wide), self.wide)

    def unit(self, x: Numbers, count: int, epsilon: float) -> Numbers:
        """x divided by the root of its sum of squares / count + epsilon, rounded in steps of 1 / s^2, then of 1 / s."""
        square = sum(number * number for number in x) * self.p.scale**2 // count + int(
            Fraction(epsilon) * self.p.scale**2
        )
        root = Fraction(max(isqrt(int(square)), 1), self.p.scale)
        return [self.down(number / root) for number in x]

    def norm(self, x: Numbers, centred: bool) -> Numbers:
        """x less its mean rounded down, if it is centred, with mean square 1."""
        mean = down(sum(x, Fraction(0)) / len(x), self.wide) if centred else Fraction(0)
        return self.unit([number - mean for number in x], len(x), self.parts["epsilon"])

    def gained(self, x: Numbers) -> Numbers:
        """x times its gain plus its bias, rounded down once."""
        return [self.down(a * g + c) for a, g, c in zip(x, self["gain"], self["gain_bias"], strict=True)]

    def times(self, x: Numbers, y: Numbers) -> Numbers:
        return [self.down(a * b) for a, b in zip(x, y, strict=True)]

    def plus(self, x: Numbers, y: Numbers) -> Numbers:
        return [self.down(a + b) for a, b in zip(x, y, strict=True)]


def _dot(x: Numbers, y: Numbers) -> Fraction:
    return sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0))


def _cut(numbers: Numbers, size: int) -> Rows:
    return [numbers[first : first + size] for first in range(0, len(numbers), size)]


def _convolved(b: _Block, held: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    """The inputs to carry, and the convolution of the last ones with this one."""
    rows = [*_cut(held, len(x)), x]
    kernel, bias = b["kernel"], b["kernel_bias"]
    sums = [b.down(_dot(kernel[j], [row[j] for row in rows]) + bias[j]) for j in range(len(x))]
    return list(chain(*rows[1:])), sums


def _mamba2(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    b, gain, decay, skip = _Block(layer), layer.parts["gain"], layer.parts["decay"], layer.parts["skip"]
    heads, inner, groups, channels = len(decay), gain.size, len(gain), len(layer.parts["kernel"])
    entered = b.map(b["entrance"], x, b["entrance_bias"])
    gate, entered, steps = entered[:inner], entered[inner : inner + channels], entered[inner + channels :]
    size = channels * (layer.parts["kernel"].shape[1] - 1)
    window, u = _convolved(b, state[:size], entered)
    u = b.apply("silu", u)
    states, numbers = (channels - inner) // (2 * groups), inner // heads
    keys, queries = _cut(u[inner : inner + groups * states], states), _cut(u[inner + groups * states :], states)
    steps = b.apply("softplus", b.plus(steps, b["steps_bias"]))
    rows, y = _cut(state[size:], states), []
    for j in range(inner):
        head = j // numbers
        group = head // (heads // groups)
        kept = b.fade(steps[head] * real(b.p, decay[head]))
        driven = b.down(steps[head] * u[j])
        rows[j] = [b.held(kept * s + driven * k) for s, k in zip(rows[j], keys[group], strict=True)]
        told = b.held(b.held(_dot(queries[group], rows[j])) + real(b.p, skip[head]) * u[j])
        y.append(b.held(told * apply("silu", gate[j], b.p)))
    normed = chain(*(b.norm(part, centred=False) for part in _cut(y, inner // groups)))
    y = b.times(list(normed), list(chain(*b["gain"])))
    return [*window, *chain(*rows)], b.map(b["output"], y, b["output_bias"])


def _mixed(b: _Block, x: Numbers, before: Numbers, share: Numbers) -> Numbers:
    """x and a share of what the last x differs from it, which is kept in range before."""
    return [b.down(new + b.down(old - new) * m) for new, old, m in zip(x, before, share, strict=True)]


def _heads(b: _Block, state: Numbers, r: Numbers, k: Numbers, v: Numbers) -> tuple[Rows, Rows, Rows, list[Rows]]:
    """r, k, v for each head, and its matrix, a row for each number of its key."""
    size = b.parts["bonus"].shape[1]
    return _cut(r, size), _cut(k, size), _cut(v, size), [_cut(part, size) for part in _cut(state, size * size)]


def _eagle(b: _Block, state: Numbers, sources: Rows, kept: Numbers) -> tuple[Numbers, Numbers]:
    names = ("receptance", "keys", "values", "gate")
    r, k, v, gate = (b.map(b[name], source) for name, source in zip(names, sources, strict=True))
    size, after, y = b.parts["bonus"].shape[1], [], []
    for r_, k_, v_, s, u, w in zip(*_heads(b, state, r, k, v), b["bonus"], _cut(kept, size), strict=True):
        now = b.held(_dot(b.times(r_, u), k_))
        read = [b.held(b.held(_dot(r_, [row[j] for row in s])) + now * v_[j]) for j in range(size)]
        after += [b.held(w[i] * s[i][j] + k_[i] * v_[j]) for i in range(size) for j in range(size)]
        y += b.norm(read, centred=True)
    y = b.gained(y)
    return after, b.map(b["output"], b.times(y, b.apply("silu", gate)))


def _rwkv5(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    b = _Block(layer)
    sources = [_mixed(b, x, state[: len(x)], share) for share in b["shares"]]
    after, y = _eagle(b, state[len(x) :], sources, list(chain(*b["kept"])))
    return [*x, *after], y


def _rwkv6(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    b, before = _Block(layer), state[: len(x)]
    low = b.apply("tanh", b.map(b["shares_in"], _mixed(b, x, before, b["share"])))
    shares = [
        b.map(matrix, own, bias)
        for matrix, own, bias in zip(b["shares_out"], _cut(low, len(low) // 5), b["shares"], strict=True)
    ]
    *sources, source = [_mixed(b, x, before, share) for share in shares]
    t = b.map(b["fading_out"], b.apply("tanh", b.map(b["fading_in"], source)), b["fading_bias"])
    after, y = _eagle(b, state[len(x) :], sources, [b.fade(-number) for number in b.apply("exp", t)])
    return [*x, *after], y


def _rwkv7(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    b, before = _Block(layer), state[: len(x)]
    for_r, for_w, for_k, for_v, for_b, for_g = (_mixed(b, x, before, share) for share in b["shares"])
    r, k, v = b.map(b["receptance"], for_r), b.map(b["keys"], for_k), b.map(b["values"], for_v)
    most = Fraction(Fraction(-0.606531) * b.p.scale // 1, b.p.scale)
    t = b.map(b["fading_out"], b.apply("tanh", b.map(b["fading_in"], for_w)), b["fading_bias"])
    kept = [b.fade(number * most) for number in b.apply("sigmoid", t)]
    strong = b.apply("sigmoid", b.map(b["strength_out"], b.map(b["strength_in"], for_b), b["strength_bias"]))
    gate = b.map(b["gate_out"], b.apply("sigmoid", b.map(b["gate_in"], for_g)))
    size = b.parts["bonus"].shape[1]
    after: Numbers = []
    along = _cut(b.times(k, b["key_share"]), size)
    k = [b.down(n * b.down(1 + b.down(a - 1) * s)) for n, a, s in zip(k, strong, b["key_strength"], strict=True)]
    y, added = [], []
    parts = (*_heads(b, state[len(x) :], r, k, v), b["bonus"], _cut(kept, size), _cut(strong, size), along)
    for r_, k_, v_, s, u, w, a, l_ in zip(*parts, strict=True):
        l_ = b.unit(l_, 1, 0.0)
        found, erased = b.times(l_, a), [b.held(_dot(l_, [row[j] for row in s])) for j in range(size)]
        s = [[b.held(w[i] * s[i][j] - found[i] * erased[j] + k_[i] * v_[j]) for j in range(size)] for i in range(size)]
        y += b.norm([b.held(_dot(r_, [row[j] for row in s])) for j in range(size)], centred=True)
        now = b.held(_dot(b.times(r_, u), k_))
        added += [b.down(now * number) for number in v_]
        after += chain(*s)
    y = b.plus(b.gained(y), added)
    return [*x, *after], b.map(b["output"], b.times(y, gate))


def _slstm(layer: Any, state: Numbers, x: Numbers) -> tuple[Numbers, Numbers]:
    b, width = _Block(layer), layer.parts["gain"].size
    size = len(x) * (layer.parts["kernel"].shape[1] - 1)
    h, c, n, m = _cut(state[size:], width)
    window, u = _convolved(b, state[:size], x)
    early, late = b.map(b["early_gates"], b.apply("silu", u)), b.map(b["late_gates"], x)
    again = b.map(b["recurrent"], h, b["recurrent_bias"])
    enter, forget, z, o = _cut(b.plus(early + late, again), width)
    for j in range(width):
        kept = b.down(-apply("softplus", b.down(-forget[j]), b.p))
        largest = max(enter[j], b.down(kept + m[j])) if n[j] else enter[j]
        admit, keep = b.fade(enter[j] - largest), b.fade(kept + m[j] - largest) if n[j] else Fraction(1)
        m[j] = largest
        c[j] = b.held(keep * c[j] + admit * apply("tanh", z[j], b.p))
        n[j] = b.held(keep * n[j] + admit)
        h[j] = b.down(apply("sigmoid", o[j], b.p) * (b.down(c[j] / n[j]) if n[j] > 0 else 0))
    heads = len(layer.parts["gain"])
    y = list(chain(*(b.norm(part, centred=True) for part in _cut(h, width // heads))))
    return [*window, *h, *c, *n, *m], b.times(y, list(chain(*b["gain"])))


BLOCKS: dict[str, Step] = {
    "Mamba2Layer": _mamba2,
    "RWKV5Layer": _rwkv5,
    "RWKV6Layer": _rwkv6,
    "RWKV7Layer": _rwkv7,
    "SLSTMLayer": _slstm,
}


def carried_by_block(layer: Any) -> list[Any]:
    """The precision of each number that a block carries, counted from the shapes of its weights."""
    p, parts = layer.numbers, layer.parts
    if type(layer).__name__ == "Mamba2Layer":
        channels, positions = parts["kernel"].shape
        inner = parts["gain"].size
        states = (channels - inner) // (2 * len(parts["gain"]))
        return [p] * (channels * (positions - 1)) + [layer.memory] * (inner * states)
    if type(layer).__name__ == "SLSTMLayer":
        inputs, positions = parts["kernel"].shape
        width = parts["gain"].size
        return [p] * (inputs * (positions - 1) + width) + [layer.memory] * (2 * width) + [p] * width
    heads, size = parts["bonus"].shape
    return [p] * parts["shares"].shape[1] + [layer.memory] * (heads * size * size)
