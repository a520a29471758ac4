"""The blocks of xLSTM (Beck, Pöppel, Spanring et al. 2024), with exponential gates and a running maximum of them."""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.models.blocks.pieces import (
    Carried,
    Parts,
    Shapes,
    State,
    convolved,
    heads_of,
    joined,
    normed,
    scaled,
    stabilised,
)
from ccsim.models.operations import Operations

__all__ = ["MLSTM", "SLSTM", "mlstm", "mlstm_carries", "slstm", "slstm_carries"]

SLSTM: Shapes = {
    "kernel": ("inputs", "window"),
    "kernel_bias": ("inputs",),
    "early_gates": ("two gates", "inputs"),
    "late_gates": ("two gates", "inputs"),
    "recurrent": ("four gates", "outputs"),
    "recurrent_bias": ("four gates",),
    "gain": ("heads", "numbers of a head"),
}

MLSTM: Shapes = {
    "entrance": ("entrance", "inputs"),
    "entrance_bias": ("entrance",),
    "kernel": ("inner", "window"),
    "kernel_bias": ("inner",),
    "queries": ("inner", "inner"),
    "queries_bias": ("inner",),
    "keys": ("inner", "inner"),
    "keys_bias": ("inner",),
    "values": ("inner", "inner"),
    "values_bias": ("inner",),
    "input_gate": ("heads", "three"),
    "input_gate_bias": ("heads",),
    "forget_gate": ("heads", "three"),
    "forget_gate_bias": ("heads",),
    "gain": ("heads", "numbers of a head"),
    "skip": ("inner",),
    "output": ("outputs", "inner"),
    "output_bias": ("outputs",),
}


def slstm_carries(parts: Parts) -> tuple[Carried, ...]:
    """The window of the convolution; then h, c, n and the running maximum m, a number of each for each unit."""
    inputs, positions = parts["kernel"].shape
    units = ((parts["gain"].size,),)
    return (
        ((positions - 1, inputs), "numbers"),
        (*units, "numbers"),
        (*units, "memory"),
        (*units, "memory"),
        (
            *units,
            "numbers",
        ),
    )


def slstm(a: Operations, parts: Parts, state: State, x: Array, beside: Array) -> tuple[State, Array, Array]:
    """c' = f c + i tanh(z), n' = f n + i, h' = o c' / n', with norm of h' in each head.

    i = exp and f = sigmoid of their arguments, both divided by exp(m') with m' = max(log i, log f + m), and m' = log i
    at first; o is a sigmoid. Arguments are maps of x and of h; those of i and f see silu of a convolution of x in place
    of x, if there is one. Rounded are: convolution, silu; each map of x and of h, and not their sum; log f = -softplus;
    i and f once (their exponents are whole steps); tanh, o; c', n', c' / n', its product with o; norm and gain.
    """
    carried, h, c, n, m = state
    window, u = convolved(a, carried, x, parts["kernel"], parts["kernel_bias"])
    u = a.apply("silu", u) if parts["activation"] == "silu" else u
    early, late = a.linear(u, parts["early_gates"]), a.linear(x, parts["late_gates"])
    again = a.linear(h, parts["recurrent"], parts["recurrent_bias"])
    enter, forget, z, o = np.split(a.add(np.concatenate([early, late], axis=1), again), 4, axis=1)
    m, admit, keep = stabilised(a, enter, forget, m, n == 0)
    c = a.memory.products((keep, c), (admit, a.apply("tanh", z)))
    n = a.memory.products((keep, n), (admit, a.number(1)))
    h = a.multiply(a.apply("sigmoid", o), a.divide(c, n))
    y = scaled(a, normed(a, heads_of(h, len(parts["gain"])), parts["epsilon"], centred=True), parts["gain"])
    return (window, h, c, n, m), joined(y), beside


def mlstm_carries(parts: Parts) -> tuple[Carried, ...]:
    """The window of the convolution; for each head C, a row for each number of its key, n, and the running maximum."""
    inner, positions = parts["kernel"].shape
    heads, size = parts["gain"].shape
    return (
        ((positions - 1, inner), "numbers"),
        ((heads, size, size), "memory"),
        ((heads, size), "memory"),
        (
            (heads,),
            "numbers",
        ),
    )


def mlstm(a: Operations, parts: Parts, state: State, x: Array, beside: Array) -> tuple[State, Array, Array]:
    """C' = f C + i k v^T, n' = f n + i k and C'^T q / max(|n'^T q|, exp(-m')) for each head, with norm, skip and gate.

    q and k are maps of u, silu of a convolution of a map of x, v is a map of that map; k is divided by the root of its
    size. Gates i = exp and f = sigmoid of maps of (q, k, v), divided by exp(m') with m' = max(log i, log f + m). The
    quotient, with its norm, plus a share of u, times silu of another map of x goes through the output map.
    """
    carried, matrix, total, m = state
    heads, size = parts["gain"].shape
    inner, gate = np.split(a.linear(x, parts["entrance"], parts["entrance_bias"]), 2, axis=1)
    window, u = convolved(a, carried, inner, parts["kernel"], parts["kernel_bias"])
    u = a.apply("silu", u)
    q, k, v = (
        a.linear(source, parts[name], parts[f"{name}_bias"])
        for name, source in (("queries", u), ("keys", u), ("values", inner))
    )
    every = np.concatenate([q, k, v], axis=1)
    enter, forget = (a.linear(every, parts[name], parts[f"{name}_bias"]) for name in ("input_gate", "forget_gate"))
    m, admit, keep = stabilised(a, enter, forget, m, np.zeros_like(m, dtype=bool))
    q, k, v = (heads_of(part, heads) for part in (q, k, v))
    k = a.memory.multiply(admit[:, :, None], a.multiply(k, a.number(size**-0.5)))
    matrix = a.memory.products((keep[:, :, None, None], matrix), (k[:, :, :, None], v[:, :, None, :]))
    total = a.memory.products((keep[:, :, None], total), (k, a.number(1)))
    below = np.abs(a.memory.contracted(q, total[..., None])[..., 0])
    least = a.apply("exp", a.subtract(a.number(0), m))
    below = a.memory.add(np.maximum(below, least), a.number(parts["epsilon_below"]))
    y = a.memory.divide(a.memory.contracted(q, matrix), below[:, :, None])
    y = joined(scaled(a, normed(a, y, parts["epsilon"], centred=True), parts["gain"]))
    y = a.products((y, a.number(1)), (parts["skip"], u))
    told = a.multiply(y, a.apply("silu", gate))
    return (window, matrix, total, m), a.linear(told, parts["output"], parts["output_bias"]), beside
