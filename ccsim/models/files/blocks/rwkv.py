"""RWKV-5 to 7 as the package rwkv reads them: the files of its author."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.blocks.common import Block, blocks_of, last_norm, norm_first, vector
from ccsim.models.files.description import Description
from ccsim.models.files.tensors import Tensors

__all__ = ["normed_embedding", "rwkv_blocks"]

EPSILON = 1e-5
HEAD_EPSILON = 64e-5


def normed_embedding(tensors: Tensors, prefix: str, embedding: Array) -> Array:
    """The embedding after the norm in front of the first block, which sees nothing but a symbol."""
    width = embedding.shape[1]
    gain, bias = (tensors.take(f"{prefix}blocks.0.ln0.{name}", width) for name in ("weight", "bias"))
    centred = embedding - embedding.mean(axis=1, keepdims=True)
    deviation = np.sqrt((centred * centred).mean(axis=1, keepdims=True) + EPSILON)
    return np.asarray(centred / deviation * gain + bias)


def rwkv_blocks(description: Description, tensors: Tensors, width: int) -> list[Block]:
    """``blocks.0.ln1``, ``att``, ``ln2``, ``ffn`` and so on, then ``ln_out``; ``ln0`` is in the embedding.

    RWKV-5 in its second version, with a factor for each number of a head. Raises
    :class:`~ccsim.errors.InputError` for shapes that do not fit, such as those of other versions.
    """
    prefix, kind = description.prefix, description.architecture
    mixing = {"rwkv5": _eagle, "rwkv6": _finch, "rwkv7": _goose}[kind]
    blocks: list[Block] = []
    for place, block in enumerate(blocks_of(tensors, f"{prefix}blocks.")):
        norm = norm_first(tensors, f"{block}ln1", width, EPSILON, centred=True)
        own = {"kind": kind, "epsilon": HEAD_EPSILON, **mixing(tensors, f"{block}att.", width)}
        norm_after = norm_first(tensors, f"{block}ln2", width, EPSILON, centred=True)
        after = {"kind": "rwkv-channels", **_channels(tensors, f"{block}ffn.", width, kind)}
        if kind == "rwkv7":
            numbers = len(own["values"])
            own |= {"beside": numbers if place else 0, "beside_after": numbers}
            after |= {"beside": numbers, "beside_after": numbers}
        blocks += [norm | own, norm_after | after]
    last = last_norm(tensors, f"{prefix}ln_out", width, EPSILON, centred=True)
    return [*blocks, last | {"beside": blocks[-1].get("beside_after", 0)}]


def _common(tensors: Tensors, prefix: str, width: int, bonus: str) -> dict[str, Any]:
    u = tensors.take(f"{prefix}{bonus}", None, None)
    numbers = u.size
    maps = {name: tensors.take(f"{prefix}{theirs}.weight", numbers, width) for name, theirs in
            (("receptance", "receptance"), ("keys", "key"), ("values", "value"))}  # fmt: skip
    norm = {
        "gain": tensors.take(f"{prefix}ln_x.weight", numbers),
        "gain_bias": tensors.take(f"{prefix}ln_x.bias", numbers),
    }
    return maps | norm | {"bonus": u, "output": tensors.take(f"{prefix}output.weight", width, numbers)}


def _shares(tensors: Tensors, prefix: str, names: str, width: int) -> Array:
    return np.stack([vector(tensors, f"{prefix}{name}", width) for name in names])


def _eagle(tensors: Tensors, prefix: str, width: int) -> dict[str, Any]:
    common = _common(tensors, prefix, width, "time_faaaa")
    shape = common["bonus"].shape
    return common | {
        "shares": 1 - _shares(tensors, f"{prefix}time_mix_", "rkvg", width),  # of the last input, here
        "kept": np.exp(-np.exp(tensors.take(f"{prefix}time_decay", *shape))),
        "gate": tensors.take(f"{prefix}gate.weight", common["bonus"].size, width),
    }


def _finch(tensors: Tensors, prefix: str, width: int) -> dict[str, Any]:
    common = _common(tensors, prefix, width, "time_faaaa")
    numbers = common["bonus"].size
    inside, outside = (
        tensors.take(f"{prefix}time_maa_w1", width, None),
        tensors.take(f"{prefix}time_maa_w2", 5, None, width),
    )
    rank = outside.shape[1]
    if inside.shape[1] != 5 * rank:
        raise InputError(f"tensor {prefix + 'time_maa_w1'!r}", inside.shape, f"5 times {rank} columns")
    order = [3, 1, 2, 4, 0]  # the file has w, k, v, r, g
    fading = tensors.take(f"{prefix}time_decay_w1", width, None)
    return common | {
        "share": vector(tensors, f"{prefix}time_maa_x", width),
        "shares": _shares(tensors, f"{prefix}time_maa_", "rkvgw", width),
        "shares_in": np.concatenate([inside.T[place * rank : (place + 1) * rank] for place in order]),
        "shares_out": np.swapaxes(outside, 1, 2)[order],
        "fading_in": fading.T,
        "fading_out": tensors.take(f"{prefix}time_decay_w2", fading.shape[1], numbers).T,
        "fading_bias": vector(tensors, f"{prefix}time_decay", numbers),
        "gate": tensors.take(f"{prefix}gate.weight", numbers, width),
    }


def _goose(tensors: Tensors, prefix: str, width: int) -> dict[str, Any]:
    common = _common(tensors, prefix, width, "r_k")
    numbers = common["bonus"].size
    found = {"shares": _shares(tensors, f"{prefix}x_", "rwkvag", width)}
    pairs = {"fading": "w", "strength": "a", "gate": "g", "first": "v"}
    first = ".0.att." in prefix
    if first:  # some files have these tensors where nothing uses them
        tensors.known |= {f"{prefix}v{part}" for part in range(3)}
        del pairs["first"]
    for name, letter in pairs.items():
        inside = tensors.take(f"{prefix}{letter}1", width, None)
        found[f"{name}_in"] = inside.T
        found[f"{name}_out"] = tensors.take(f"{prefix}{letter}2", inside.shape[1], numbers).T
        if name != "gate":
            found[f"{name}_bias"] = vector(tensors, f"{prefix}{letter}0", numbers)
    found["key_share"], found["key_strength"] = (vector(tensors, f"{prefix}{name}", numbers) for name in ("k_k", "k_a"))
    return common | found


def _channels(tensors: Tensors, prefix: str, width: int, kind: str) -> dict[str, Any]:
    keys = tensors.take(f"{prefix}key.weight", None, width)
    found = {"keys": keys, "values": tensors.take(f"{prefix}value.weight", width, len(keys))}
    if kind == "rwkv7":
        return found | {"shares": _shares(tensors, f"{prefix}x_", "k", width)}
    shares = _shares(tensors, f"{prefix}time_{'mix' if kind == 'rwkv5' else 'maa'}_", "kr", width)
    found["receptance"] = tensors.take(f"{prefix}receptance.weight", width, width)
    return found | {"shares": 1 - shares if kind == "rwkv5" else shares}
