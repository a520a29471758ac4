"""The steps of recurrent models in float64, before they are quantised."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.models.files.arithmetics import Double
from ccsim.models.files.parts import RecurrentParts

State = tuple[Array, ...]
"""What a layer carries: arrays with an axis for the words in front."""

Layer = Mapping[str, Any]
"""Arrays, and settings, which are plain numbers and texts."""


@dataclass(frozen=True)
class Kind:
    """An architecture.

    Attributes:
        shapes: what a layer carries for one word.
        step: from arithmetic, layer, activation, state and inputs to the next state and the outputs.
    """

    shapes: Callable[[Layer], tuple[tuple[int, ...], ...]]
    step: Callable[[Double, Layer, str | None, State, Array], tuple[State, Array]]


def real_parts(layer: Layer) -> Layer:
    """The same arrays; if one of a diagonal recurrence is complex, all have an axis of real and imaginary parts."""
    if "transition" not in layer:
        return layer
    names = ("transition", "drive", "read")
    is_complex = any(np.iscomplexobj(layer[name]) for name in names)
    parts = {name: np.stack([layer[name].real, layer[name].imag][: 1 + is_complex]) for name in names}
    return {**layer, **parts}


def _gates(a: Double, layer: Layer, h: Array, x: Array) -> tuple[Array, Array]:
    return (
        a.linear(x, layer["weight_ih"], layer["bias_ih"]),
        a.linear(h, layer["weight_hh"], layer["bias_hh"]),
    )


def _hidden(layer: Layer) -> tuple[int]:
    return (int(layer["weight_hh"].shape[1]),)


def _elman(a: Double, layer: Layer, activation: str | None, state: State, x: Array) -> tuple[State, Array]:
    h = a.apply(activation or "tanh", a.add(*_gates(a, layer, state[0], x)))
    return (h,), h


def _lstm(a: Double, layer: Layer, activation: str | None, state: State, x: Array) -> tuple[State, Array]:
    h, c = state
    arguments = np.split(a.add(*_gates(a, layer, h, x)), 4, axis=1)
    names = ("sigmoid", "sigmoid", "tanh", "sigmoid")
    i, f, g, o = (a.apply(name, one) for name, one in zip(names, arguments, strict=True))
    c = a.add(a.multiply(f, c), a.multiply(i, g))
    h = a.multiply(o, a.apply("tanh", c))
    return (h, c), h


def _gru(a: Double, layer: Layer, activation: str | None, state: State, x: Array) -> tuple[State, Array]:
    (h,) = state
    inner, hidden = (np.split(part, 3, axis=1) for part in _gates(a, layer, h, x))
    r, z = (a.apply("sigmoid", a.add(inner[part], hidden[part])) for part in range(2))
    n = a.apply("tanh", a.add(inner[2], a.multiply(r, hidden[2])))
    h = a.add(a.multiply(a.subtract(a.number(1), z), n), a.multiply(z, h))
    return (h,), h


def _diagonal(a: Double, layer: Layer, activation: str | None, state: State, x: Array) -> tuple[State, Array]:
    u, (s,) = x[:, :, None], state
    transition, drive, read = (layer[name] for name in ("transition", "drive", "read"))
    if len(transition) == 1:
        after = a.products((transition[0], s[:, 0]), (drive[0], u))[:, None]
    else:
        real, imaginary = s[:, 0], s[:, 1]
        re = a.products((transition[0], real), (-transition[1], imaginary), (drive[0], u))
        im = a.products((transition[1], real), (transition[0], imaginary), (drive[1], u))
        after = np.stack([re, im], axis=1)
    signs, places = (1, -1)[: len(transition)], range(read.shape[2])
    terms = [(sign * read[part, :, n], after[:, part, :, n]) for part, sign in enumerate(signs) for n in places]
    y = a.apply(activation or "gelu", a.products(*terms, (layer["skip"], x)))
    return (after,), a.linear(y, layer["mixing"], layer["mixing_bias"])


def _mamba(a: Double, layer: Layer, activation: str | None, state: State, x: Array) -> tuple[State, Array]:
    carried, s = state
    inner, gate = np.split(a.linear(x, layer["entrance"]), 2, axis=1)
    held = np.concatenate([carried, inner[:, None]], axis=1)
    window = [(held[:, place], layer["kernel"][:, place]) for place in range(held.shape[1])]
    u = a.apply("silu", a.products(*window, (layer["kernel_bias"], a.number(1))))
    delta = a.apply("softplus", a.linear(u, layer["steps"], layer["steps_bias"]))
    kept = a.apply("exp", a.multiply(delta[:, :, None], layer["decay"]))
    driven = a.multiply(a.linear(u, layer["drive"])[:, None, :], a.multiply(delta, u)[:, :, None])
    s = a.add(a.multiply(kept, s), driven)
    read = a.linear(u, layer["read"])
    y = a.products(*((s[:, :, n], read[:, n, None]) for n in range(s.shape[2])), (layer["skip"], u))
    return (held[:, 1:], s), a.linear(a.multiply(y, a.apply("silu", gate)), layer["output"])


def _linear_attention(a: Double, layer: Layer, activation: str | None, state: State, x: Array) -> tuple[State, Array]:
    query, key, value = (a.linear(x, layer[name], layer[f"{name}_bias"]) for name in ("queries", "keys", "values"))
    query, key = (a.apply(activation or "elu_plus_one", part) for part in (query, key))
    sums = a.add(state[0], a.multiply(key[:, :, None], value[:, None, :]))
    total = a.add(state[1], key)
    over = a.products(*((total[:, k], query[:, k]) for k in range(key.shape[1])))
    mixed = a.products(*((query[:, k, None], sums[:, k]) for k in range(key.shape[1])))
    return (sums, total), a.linear(a.divide(mixed, over[:, None]), layer["output"], layer["output_bias"])


def _matrix(layer: Layer) -> tuple[int, int]:
    return len(layer["keys"]), len(layer["values"])


def _window(layer: Layer) -> tuple[int, int]:
    channels, positions = layer["kernel"].shape
    return positions - 1, channels


KINDS: Mapping[str, Kind] = {
    "elman": Kind(lambda layer: (_hidden(layer),), _elman),
    "lstm": Kind(lambda layer: (_hidden(layer),) * 2, _lstm),
    "gru": Kind(lambda layer: (_hidden(layer),), _gru),
    "diagonal": Kind(lambda layer: (layer["transition"].shape,), _diagonal),
    "mamba": Kind(lambda layer: (_window(layer), layer["decay"].shape), _mamba),
    "linear-attention": Kind(lambda layer: (_matrix(layer), _matrix(layer)[:1]), _linear_attention),
}
"""By the names of :data:`~ccsim.models.files.ARCHITECTURES`."""


def numbers_carried(parts: RecurrentParts) -> int:
    """How many numbers a recurrent model carries from step to step, all layers."""
    kind = KINDS[parts.kind]
    return sum(prod(shape) for layer in parts.layers for shape in kind.shapes(real_parts(layer)))
