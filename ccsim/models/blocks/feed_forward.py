"""What stands between the recurrent blocks of a network, position by position."""

from __future__ import annotations

from ccsim.arrays import Array
from ccsim.models.blocks.pieces import Carried, Parts, Shapes, State, normed, scaled
from ccsim.models.operations import Operations

__all__ = ["GATED", "LAST_NORM", "carries_nothing", "gated", "last_norm"]

GATED: Shapes = {
    "gate": ("inner", "inputs"),
    "gate_bias": ("inner",),
    "values": ("inner", "inputs"),
    "values_bias": ("inner",),
    "output": ("outputs", "inner"),
    "output_bias": ("outputs",),
}

LAST_NORM: Shapes = {"gain": ("inputs",), "bias": ("inputs",)}


def carries_nothing(parts: Parts) -> tuple[Carried, ...]:
    """Nothing."""
    return ()


def gated(a: Operations, parts: Parts, state: State, x: Array, beside: Array) -> tuple[State, Array, Array]:
    """The output map of an activation of one map of x times another map of x; each rounded."""
    gate, values = (a.linear(x, parts[name], parts[f"{name}_bias"]) for name in ("gate", "values"))
    inner = a.multiply(a.apply(parts["activation"], gate), values)
    return (), a.linear(inner, parts["output"], parts["output_bias"]), beside


def last_norm(a: Operations, parts: Parts, state: State, x: Array, beside: Array) -> tuple[State, Array, Array]:
    """The norm of x, gain and bias."""
    y = scaled(a, normed(a, x, parts["epsilon"], parts["centred"]), parts["gain"], parts["bias"])
    return (), y, beside
