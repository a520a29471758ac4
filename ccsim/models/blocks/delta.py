"""The block of gated DeltaNet (Yang, Kautz and Hatamizadeh 2024)."""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.models.blocks.pieces import Carried, Parts, Shapes, State, convolved, heads_of, joined, normed, scaled
from ccsim.models.operations import Operations

__all__ = ["GATED_DELTA", "gated_delta", "gated_delta_carries"]

GATED_DELTA: Shapes = {
    "entrance": ("convolved", "inputs"),
    "kernel": ("convolved", "window"),
    "kernel_bias": ("convolved",),
    "strength": ("heads", "inputs"),
    "fading": ("heads", "inputs"),
    "fading_bias": ("heads",),
    "decay": ("heads",),
    "gate": ("inner", "inputs"),
    "gain": ("numbers of a head",),
    "output": ("outputs", "inner"),
}


def gated_delta_carries(parts: Parts) -> tuple[Carried, ...]:
    """The window of the convolution, and for each head a matrix, a row for each number of its key."""
    channels, positions = parts["kernel"].shape
    heads, values = len(parts["decay"]), len(parts["gain"])
    keys = (channels - heads * values) // (2 * parts["key_heads"])
    return ((positions - 1, channels), "numbers"), ((heads, keys, values), "memory")


def gated_delta(a: Operations, parts: Parts, state: State, x: Array, beside: Array) -> tuple[State, Array, Array]:
    """S' = f S + k b (v - f S^T k)^T and S'^T q for each head, with norm, gate silu(g) and output map.

    q, k, v are silu of a convolution of maps of x, q and k divided by their lengths; b is the sigmoid of a map of x,
    or twice that, if eigenvalues may be negative; f = exp(A softplus(a map of x)). Rounded are, in this order: maps,
    convolution, silu, q and k once divided, q once more times the root of its size; b; softplus, and A times it with
    its exp; S^T k, f S^T k, the difference, b times it, each entry of S'; S'^T q; its norm, gain and product with
    silu(g); the output.
    """
    heads, values, key_heads = len(parts["decay"]), len(parts["gain"]), parts["key_heads"]
    channels = len(parts["kernel"])
    window, u = convolved(a, state[0], a.linear(x, parts["entrance"]), parts["kernel"], parts["kernel_bias"])
    keys = (channels - heads * values) // 2
    q, k, v = np.split(a.apply("silu", u), [keys, 2 * keys], axis=1)
    q, k = (a.normalised(heads_of(part, key_heads), parts["length_epsilon"]) for part in (q, k))
    q, k = (np.repeat(part, heads // key_heads, axis=1) for part in (q, k))
    q, v = a.multiply(q, a.number(q.shape[2] ** -0.5)), heads_of(v, heads)
    strength = a.apply("sigmoid", a.linear(x, parts["strength"]))[:, :, None]
    strength = a.add(strength, strength) if parts["allow_negative"] else strength
    times = a.apply("softplus", a.linear(x, parts["fading"], parts["fading_bias"]))
    kept = a.fade((times, parts["decay"]))[:, :, None]
    m = a.memory
    found = m.subtract(v, m.multiply(kept, m.contracted(k, state[1])))
    drawn = m.multiply(strength, found)
    sums = m.products((kept[:, :, :, None], state[1]), (k[:, :, :, None], drawn[:, :, None, :]))
    y = scaled(a, normed(a, m.contracted(q, sums), parts["epsilon"], centred=False), parts["gain"])
    y = a.multiply(joined(y), a.apply("silu", a.linear(x, parts["gate"])))
    return (window, sums), a.linear(y, parts["output"]), beside
