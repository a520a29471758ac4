"""The blocks of RWKV-5 and 6 (Eagle and Finch, Peng, Goldstein et al. 2024) and 7 (Goose, Peng, Zhang et al. 2025)."""

from __future__ import annotations

from ccsim.arrays import Array
from ccsim.models.blocks.pieces import Carried, Parts, Shapes, State, heads_of, joined, mixed, normed, scaled
from ccsim.models.operations import Operations

__all__ = [
    "CHANNELS",
    "RWKV5",
    "RWKV6",
    "RWKV7",
    "channels",
    "channels_carry",
    "rwkv5",
    "rwkv6",
    "rwkv7",
    "rwkv_carries",
]

MOST_FADING = -0.606531  # as the reference writes -exp(-1/2)

EAGLE: Shapes = {
    "receptance": ("numbers", "inputs"),
    "keys": ("numbers", "inputs"),
    "values": ("numbers", "inputs"),
    "gate": ("numbers", "inputs"),
    "bonus": ("heads", "numbers of a head"),
    "gain": ("numbers",),
    "gain_bias": ("numbers",),
    "output": ("outputs", "numbers"),
}

RWKV5: Shapes = {"shares": (4, "inputs"), "kept": ("heads", "numbers of a head"), **EAGLE}

RWKV6: Shapes = {
    "share": ("inputs",),
    "shares": (5, "inputs"),
    "shares_in": ("five ranks", "inputs"),
    "shares_out": (5, "inputs", "rank"),
    "fading_in": ("rank of fading", "inputs"),
    "fading_out": ("numbers", "rank of fading"),
    "fading_bias": ("numbers",),
    **EAGLE,
}

RWKV7: Shapes = {
    "shares": (6, "inputs"),
    "receptance": ("numbers", "inputs"),
    "keys": ("numbers", "inputs"),
    "values": ("numbers", "inputs"),
    "fading_in": ("rank of fading", "inputs"),
    "fading_out": ("numbers", "rank of fading"),
    "fading_bias": ("numbers",),
    "strength_in": ("rank of strength", "inputs"),
    "strength_out": ("numbers", "rank of strength"),
    "strength_bias": ("numbers",),
    "gate_in": ("rank of gate", "inputs"),
    "gate_out": ("numbers", "rank of gate"),
    "key_share": ("numbers",),
    "key_strength": ("numbers",),
    "bonus": ("heads", "numbers of a head"),
    "gain": ("numbers",),
    "gain_bias": ("numbers",),
    "output": ("outputs", "numbers"),
}
"""Layers after the first have ``first_in``, ``first_out`` and ``first_bias`` besides."""

CHANNELS: Shapes = {
    "shares": ("shares", "inputs"),
    "keys": ("inner", "inputs"),
    "values": ("outputs", "inner"),
}
"""With ``receptance`` (outputs, inputs), and a second share for it, in RWKV-5 and 6."""


def rwkv_carries(parts: Parts) -> tuple[Carried, ...]:
    """The last input, and for each head a matrix, a row for each number of its key."""
    heads, size = parts["bonus"].shape
    return ((parts["shares"].shape[1],), "numbers"), ((heads, size, size), "memory")


def channels_carry(parts: Parts) -> tuple[Carried, ...]:
    """The last input."""
    return (((parts["shares"].shape[1],), "numbers"),)


def rwkv5(a: Operations, parts: Parts, state: State, x: Array, beside: Array) -> tuple[State, Array, Array]:
    """S' = w S + k v^T and S^T r + (r u k) v for each head, with norm, gate and output map.

    r, k, v and the argument of the gate silu are maps of x mixed with the last x, in a share for each. Rounded are the
    mixtures, maps, each entry of S', r u, its product with k, the sum with S^T r, norm, gain, bias, silu, and product.
    """
    change = a.subtract(state[0], x)
    sources = [mixed(a, x, change, share) for share in parts["shares"]]
    return _eagle(a, parts, state[1], x, sources, parts["kept"][None], beside)


def rwkv6(a: Operations, parts: Parts, state: State, x: Array, beside: Array) -> tuple[State, Array, Array]:
    """As :func:`rwkv5`, with shares and with factors w = exp(-exp(t)) that depend on x by matrices of low rank."""
    change = a.subtract(state[0], x)
    low = a.apply("tanh", a.linear(mixed(a, x, change, parts["share"]), parts["shares_in"]))
    low = heads_of(low, len(parts["shares"]))
    sources = [
        mixed(a, x, change, a.linear(low[:, place], matrix, share))
        for place, (matrix, share) in enumerate(zip(parts["shares_out"], parts["shares"], strict=True))
    ]
    *sources, source = sources
    t = a.linear(a.apply("tanh", a.linear(source, parts["fading_in"])), parts["fading_out"], parts["fading_bias"])
    kept = a.fade((a.apply("exp", t), a.number(-1)))
    return _eagle(a, parts, state[1], x, sources, heads_of(kept, len(parts["bonus"])), beside)


def _eagle(
    a: Operations, parts: Parts, sums: Array, x: Array, sources: list[Array], kept: Array, beside: Array
) -> tuple[State, Array, Array]:
    names, heads = ("receptance", "keys", "values", "gate"), len(parts["bonus"])
    r, k, v, gate = (a.linear(source, parts[name]) for name, source in zip(names, sources, strict=True))
    r, k, v = (heads_of(part, heads) for part in (r, k, v))
    now = a.memory.contracted(a.multiply(r, parts["bonus"]), k[..., None])
    read = a.memory.products((a.memory.contracted(r, sums), a.number(1)), (now, v))
    after = a.memory.products((kept[..., None], sums), (k[:, :, :, None], v[:, :, None, :]))
    y = joined(normed(a, read, parts["epsilon"], centred=True))
    y = a.multiply(scaled(a, y, parts["gain"], parts["gain_bias"]), a.apply("silu", gate))
    return (x, after), a.linear(y, parts["output"]), beside


def rwkv7(a: Operations, parts: Parts, state: State, x: Array, beside: Array) -> tuple[State, Array, Array]:
    """S' = w S - (b l) (S^T l)^T + k v^T and S'^T r + (r u k) v for each head, with norm, gate and output map.

    r, w, k, v, b and the gate g are made of x mixed with the last x, in a share for each: w = exp(-e sigmoid(t)) with
    e = exp(-1/2) and b = sigmoid(t) with t by matrices of low rank, l is a multiple of k of length 1, and k becomes
    k (1 + (b - 1) s) then. The first layer puts its v beside x; in later layers v goes towards it in a share that
    depends on x. S^T l is rounded, and b l, and each entry of S'; else as in :func:`rwkv5`.
    """
    change, one = a.subtract(state[0], x), a.number(1)
    for_r, for_w, for_k, for_v, for_b, for_g = (mixed(a, x, change, share) for share in parts["shares"])
    r, k, v = (
        a.linear(source, parts[name]) for name, source in (("receptance", for_r), ("keys", for_k), ("values", for_v))
    )
    t = a.linear(a.apply("tanh", a.linear(for_w, parts["fading_in"])), parts["fading_out"], parts["fading_bias"])
    kept = a.fade((a.apply("sigmoid", t), a.number(MOST_FADING)))
    strength = a.apply("sigmoid", _low_rank(a, parts, "strength", for_b))
    gate = a.linear(a.apply("sigmoid", a.linear(for_g, parts["gate_in"])), parts["gate_out"])
    if "first_in" in parts:
        v = mixed(a, v, a.subtract(beside, v), a.apply("sigmoid", _low_rank(a, parts, "first", for_v)))
    else:
        beside = v
    heads, m = len(parts["bonus"]), a.memory
    along = a.normalised(heads_of(a.multiply(k, parts["key_share"]), heads), 0.0)
    k = a.multiply(k, a.products((one, one), (a.subtract(strength, one), parts["key_strength"])))
    r, k, v, kept, strength = (heads_of(part, heads) for part in (r, k, v, kept, strength))
    found = a.multiply(along, strength)
    erased = m.contracted(along, state[1])
    after = m.products(
        (kept[..., None], state[1]), (-found[..., None], erased[:, :, None, :]), (k[..., None], v[:, :, None, :])
    )
    y = joined(normed(a, m.contracted(r, after), parts["epsilon"], centred=True))
    now = a.memory.contracted(a.multiply(r, parts["bonus"]), k[..., None])
    y = a.add(scaled(a, y, parts["gain"], parts["gain_bias"]), joined(a.multiply(now, v)))
    return (x, after), a.linear(a.multiply(y, gate), parts["output"]), beside


def _low_rank(a: Operations, parts: Parts, name: str, inputs: Array) -> Array:
    return a.linear(a.linear(inputs, parts[f"{name}_in"]), parts[f"{name}_out"], parts[f"{name}_bias"])


def channels(a: Operations, parts: Parts, state: State, x: Array, beside: Array) -> tuple[State, Array, Array]:
    """The values of relu(k)^2, times a sigmoid if there is a receptance; of x mixed with the last x."""
    change = a.subtract(state[0], x)
    for_k, *for_r = (mixed(a, x, change, share) for share in parts["shares"])
    k = a.apply("relu", a.linear(for_k, parts["keys"]))
    y = a.linear(a.multiply(k, k), parts["values"])
    if "receptance" in parts:
        y = a.multiply(a.apply("sigmoid", a.linear(for_r[0], parts["receptance"])), y)
    return (x,), y, beside
