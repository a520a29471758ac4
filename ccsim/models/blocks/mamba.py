"""The blocks of Mamba (Gu and Dao 2023) and of Mamba-2 (Dao and Gu 2024), whose decay is one number for each head."""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.models.blocks.pieces import Carried, Parts, Shapes, State, convolved, heads_of, joined, normed, scaled
from ccsim.models.operations import Operations

__all__ = ["MAMBA", "MAMBA2", "mamba", "mamba2", "mamba2_carries", "mamba_carries"]

MAMBA: Shapes = {
    "entrance": ("both", "inputs"),
    "entrance_bias": ("both",),
    "kernel": ("channels", "window"),
    "kernel_bias": ("channels",),
    "selection": ("selected", "channels"),
    "steps": ("channels", "rank"),
    "steps_bias": ("channels",),
    "decay": ("channels", "states"),
    "skip": ("channels",),
    "output": ("outputs", "channels"),
    "output_bias": ("outputs",),
}

MAMBA2: Shapes = {
    "entrance": ("entrance", "inputs"),
    "entrance_bias": ("entrance",),
    "kernel": ("convolved", "window"),
    "kernel_bias": ("convolved",),
    "steps_bias": ("heads",),
    "decay": ("heads",),
    "skip": ("heads",),
    "gain": ("groups", "numbers of a group"),
    "output": ("outputs", "inner"),
    "output_bias": ("outputs",),
}


def mamba_carries(parts: Parts) -> tuple[Carried, ...]:
    """The window of the convolution, and the states of each channel."""
    channels, positions = parts["kernel"].shape
    return ((positions - 1, channels), "numbers"), (parts["decay"].shape, "memory")


def mamba(a: Operations, parts: Parts, state: State, x: Array, beside: Array) -> tuple[State, Array, Array]:
    """s' = exp(t A) s + t u b and y = c s' + D u for each channel, then y silu(z).

    u, before the convolution, and z are maps of x; u is silu of the convolution; what t is made of, b and c are a map
    of u, and t is softplus of a map of the first of them, whose matrix therefore is a product of two. Rounded are, in
    this order: the maps; the convolution; silu; the map of u; that to t; softplus; t A with its exp; t u; each entry
    of s'; c s'; y; silu(z), its product with y; the output.
    """
    channels, rank, states = len(parts["kernel"]), parts["steps"].shape[1], parts["decay"].shape[1]
    entered, gate = np.split(a.linear(x, parts["entrance"], parts["entrance_bias"]), [channels], axis=1)
    window, u = convolved(a, state[0], entered, parts["kernel"], parts["kernel_bias"])
    u = a.apply("silu", u)
    steps, b, c = np.split(a.linear(u, parts["selection"]), [rank, rank + states], axis=1)
    steps = a.apply("softplus", a.linear(steps, parts["steps"], parts["steps_bias"]))
    kept = a.fade((steps[:, :, None], parts["decay"]))
    driven = a.multiply(steps, u)
    sums = a.memory.products((kept, state[1]), (driven[:, :, None], b[:, None, :]))
    read = a.memory.contracted(c, np.swapaxes(sums, 1, 2))
    y = a.memory.products((read, a.number(1)), (parts["skip"], u))
    y = a.memory.multiply(y, a.apply("silu", gate))
    return (window, sums), a.linear(y, parts["output"], parts["output_bias"]), beside


def mamba2_carries(parts: Parts) -> tuple[Carried, ...]:
    """The window of the convolution, and for each head a matrix, a row for each of its numbers."""
    channels, positions = parts["kernel"].shape
    heads, inner, groups = len(parts["decay"]), parts["gain"].size, len(parts["gain"])
    states = (channels - inner) // (2 * groups)
    return ((positions - 1, channels), "numbers"), ((heads, inner // heads, states), "memory")


def mamba2(a: Operations, parts: Parts, state: State, x: Array, beside: Array) -> tuple[State, Array, Array]:
    """S' = exp(t A) S + t v k^T and y = S' q + D v for each head, then y silu(z) with norm.

    z, (v, k, q) before the convolution, and t before softplus are maps of x; v, k, q are silu of the convolution; k and
    q are shared by the heads of a group. Rounded are, in this order: the maps; the convolution; silu; t; t A with its
    exp; t v; each entry of S'; y; silu(z), its product with y, the norm of each group and its gain; the output.
    """
    heads, inner, groups = len(parts["decay"]), parts["gain"].size, len(parts["gain"])
    channels = len(parts["kernel"])
    entered = a.linear(x, parts["entrance"], parts["entrance_bias"])
    gate, entered, steps = np.split(entered, [inner, inner + channels], axis=1)
    window, u = convolved(a, state[0], entered, parts["kernel"], parts["kernel_bias"])
    v, k, q = np.split(a.apply("silu", u), [inner, (inner + channels) // 2], axis=1)
    v = heads_of(v, heads)
    k, q = (np.repeat(heads_of(part, groups), heads // groups, axis=1) for part in (k, q))
    steps = a.apply("softplus", a.add(steps, parts["steps_bias"]))
    kept = a.fade((steps, parts["decay"]))[:, :, None, None]
    driven = a.multiply(steps[:, :, None], v)
    sums = a.memory.products((kept, state[1]), (driven[:, :, :, None], k[:, :, None, :]))
    read = a.memory.contracted(q, np.swapaxes(sums, 2, 3))
    y = a.memory.products((read, a.number(1)), (parts["skip"][:, None], v))
    y = a.memory.multiply(joined(y), a.apply("silu", gate))
    y = scaled(a, normed(a, heads_of(y, groups), parts["epsilon"], centred=False), parts["gain"])
    return (window, sums), a.linear(joined(y), parts["output"], parts["output_bias"]), beside
