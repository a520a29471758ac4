"""The recurrent block of Griffin (De, Smith, Fernando et al. 2024), around the real-gated linear recurrent unit."""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.models.blocks.pieces import Carried, Parts, Shapes, State, convolved
from ccsim.models.operations import Operations

__all__ = ["GRIFFIN", "griffin", "griffin_carries"]

GRIFFIN: Shapes = {
    "branch": ("width", "inputs"),
    "branch_bias": ("width",),
    "entrance": ("width", "inputs"),
    "entrance_bias": ("width",),
    "kernel": ("width", "window"),
    "kernel_bias": ("width",),
    "admission": ("width", "width"),
    "admission_bias": ("width",),
    "recurrence": ("width", "width"),
    "recurrence_bias": ("width",),
    "rate": ("width",),
    "output": ("outputs", "width"),
    "output_bias": ("outputs",),
}


def griffin_carries(parts: Parts) -> tuple[Carried, ...]:
    """The window of the convolution, h, and one bit: whether there was a symbol before."""
    width, positions = parts["kernel"].shape
    return ((positions - 1, width), "numbers"), ((width,), "memory"), ((1,), "flag")


def griffin(a: Operations, parts: Parts, state: State, x: Array, beside: Array) -> tuple[State, Array, Array]:
    """h' = f h + sqrt(1 - f^2) (i u), and h' times gelu of a branch; without the root at the first symbol.

    u is the convolution of a map of x; f = exp(c r) with gates i and r, sigmoids of maps of u. Rounded are, in this
    order: maps, convolution, gates; c r with its exp; f^2, 1 - f^2 not, its root; i u, its product with the root, each
    number of h'; gelu (by tanh) of the branch, its product with h', the output.
    """
    window, u = convolved(
        a, state[0], a.linear(x, parts["entrance"], parts["entrance_bias"]), parts["kernel"], parts["kernel_bias"]
    )
    admit, gate = (
        a.apply("sigmoid", a.linear(u, parts[name], parts[f"{name}_bias"])) for name in ("admission", "recurrence")
    )
    kept = a.fade((gate, parts["rate"]))
    root = a.root(a.subtract(a.number(1), a.multiply(kept, kept)))
    admitted = a.multiply(admit, u)
    admitted = np.where(state[2] == 0, admitted, a.multiply(root, admitted))
    h = a.memory.products((kept, state[1]), (admitted, a.number(1)))
    branch = a.apply("gelu_tanh", a.linear(x, parts["branch"], parts["branch_bias"]))
    return (
        (window, h, np.ones_like(state[2])),
        a.linear(a.multiply(h, branch), parts["output"], parts["output_bias"]),
        beside,
    )
