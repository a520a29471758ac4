"""Gated DeltaNet as flash-linear-attention keeps it (GatedDeltaNetForCausalLM)."""

from __future__ import annotations

import numpy as np

from ccsim.arguments import require_integer
from ccsim.errors import InputError
from ccsim.models.files.blocks.common import Block, blocks_of, divided, kernel_of, last_norm, linear, norm_first
from ccsim.models.files.description import Description
from ccsim.models.files.tensors import Tensors

__all__ = ["gated_delta_blocks"]

LENGTH_EPSILON = 1e-6  # under the root of the length of queries and keys


def gated_delta_blocks(description: Description, tensors: Tensors, width: int) -> list[Block]:
    """``layers.0.attn_norm``, ``attn``, ``mlp_norm``, ``mlp`` and so on, then ``norm``.

    ``heads`` are those of queries and keys, at first as many as of values (``num_heads``, ``num_v_heads``). With
    short convolutions and an output gate by silu, as by default; ``options.allow_neg_eigval`` doubles the strengths.
    """
    prefix, epsilon = description.prefix, description.epsilon
    blocks: list[Block] = []
    for block in blocks_of(tensors, f"{prefix}layers."):
        norm = norm_first(tensors, f"{block}attn_norm", width, epsilon)
        blocks.append(norm | _mixer(description, tensors, f"{block}attn.", width))
        norm = norm_first(tensors, f"{block}mlp_norm", width, epsilon)
        gate = linear(tensors, f"{block}mlp.gate_proj", "gate", None, width)
        inner = len(gate["gate"])
        values = linear(tensors, f"{block}mlp.up_proj", "values", inner, width)
        output = linear(tensors, f"{block}mlp.down_proj", "output", width, inner)
        blocks.append(norm | {"kind": "gated", "activation": "silu"} | gate | values | output)
    return [*blocks, last_norm(tensors, f"{prefix}norm", width, epsilon)]


def _mixer(description: Description, tensors: Tensors, prefix: str, width: int) -> Block:
    logarithm, gain = tensors.take(f"{prefix}A_log", None), tensors.take(f"{prefix}o_norm.weight", None)
    heads, inner = len(logarithm), len(logarithm) * len(gain)
    key_heads = heads if description.heads is None else require_integer("heads", description.heads, low=1)
    divided("heads", heads, key_heads, "the heads of values")
    queries = tensors.take(f"{prefix}q_proj.weight", None, width)
    divided("heads", len(queries), key_heads, "the numbers of queries")
    maps = [
        queries,
        tensors.take(f"{prefix}k_proj.weight", len(queries), width),
        tensors.take(f"{prefix}v_proj.weight", inner, width),
    ]
    kernels = [
        kernel_of(tensors, f"{prefix}{name}_conv1d", len(matrix)) for name, matrix in zip("qkv", maps, strict=True)
    ]
    if len({kernel["kernel"].shape[1] for kernel in kernels}) > 1:
        shapes = [kernel["kernel"].shape for kernel in kernels]
        raise InputError(f"convolutions of {prefix!r}", shapes, "kernels of one length")
    return {
        "kind": "gated-delta",
        "key_heads": key_heads,
        "allow_negative": description.options.get("allow_neg_eigval") is True,
        "entrance": np.concatenate(maps),
        **{name: np.concatenate([kernel[name] for kernel in kernels]) for name in ("kernel", "kernel_bias")},
        "strength": tensors.take(f"{prefix}b_proj.weight", heads, width),
        "fading": tensors.take(f"{prefix}a_proj.weight", heads, width),
        "fading_bias": tensors.take(f"{prefix}dt_bias", heads),
        "decay": -np.exp(logarithm),
        "gate": tensors.take(f"{prefix}g_proj.weight", inner, width),
        "gain": gain,
        "epsilon": description.epsilon,
        "length_epsilon": LENGTH_EPSILON,
        "output": tensors.take(f"{prefix}o_proj.weight", width, inner),
    }
