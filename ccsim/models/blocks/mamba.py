"""The block of Mamba-2 (Dao and Gu 2024): a state space whose decay is one number for each head."""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.models.blocks.pieces import Carried, Parts, Shapes, State, convolved, heads_of, joined, normed, scaled
from ccsim.models.operations import Operations

__all__ = ["MAMBA2", "mamba2", "mamba2_carries"]

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
