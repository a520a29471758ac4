"""Griffin's recurrent blocks as Hugging Face's transformers keeps them (RecurrentGemmaForCausalLM)."""

from __future__ import annotations

import numpy as np

from ccsim.arithmetic import FORMATS
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.blocks.common import (
    Block,
    blocks_of,
    kernel_of,
    last_norm,
    linear,
    norm_first,
    side_by_side,
)
from ccsim.models.files.description import Description
from ccsim.models.files.tensors import Tensors

__all__ = ["embedding_factor", "griffin_blocks"]

RATE = -8.0


def embedding_factor(width: int) -> float:
    """What embeddings are multiplied by: the root of their width in bfloat16."""
    return float(FORMATS["bf16"].nearest(np.array([width**0.5]))[0])


def griffin_blocks(description: Description, tensors: Tensors, width: int) -> list[Block]:
    """``layers.0.temporal_pre_norm``, ``temporal_block``, ``channel_pre_norm``, ``mlp_block``; then ``final_norm``.

    Raises :class:`~ccsim.errors.InputError` for a block of attention.
    """
    prefix, epsilon = description.prefix, description.epsilon
    blocks: list[Block] = []
    for block in blocks_of(tensors, f"{prefix}layers."):
        if f"{block}temporal_block.q_proj.weight" in tensors:
            raise InputError("tensors", f"{block}temporal_block.q_proj.weight", "recurrent blocks, not attention")
        norm = norm_first(tensors, f"{block}temporal_pre_norm", width, epsilon, above=1.0)
        blocks.append(norm | _recurrent(tensors, f"{block}temporal_block.", width))
        norm = norm_first(tensors, f"{block}channel_pre_norm", width, epsilon, above=1.0)
        blocks.append(norm | _gated(tensors, f"{block}mlp_block.", width, description.activation or "gelu_tanh"))
    return [*blocks, last_norm(tensors, f"{prefix}final_norm", width, epsilon, above=1.0)]


def _recurrent(tensors: Tensors, prefix: str, width: int) -> Block:
    branch = linear(tensors, f"{prefix}linear_y", "branch", None, width)
    inner = len(branch["branch"])
    gates: dict[str, Array] = {}
    for name, theirs in (("admission", "input_gate"), ("recurrence", "recurrent_gate")):
        matrices = tensors.take(f"{prefix}rg_lru.{theirs}_weight", None, None, None)
        heads, rows, columns = matrices.shape
        if rows != columns or heads * rows != inner:
            expected = f"square matrices for {inner} numbers together"
            raise InputError(f"tensor {prefix + 'rg_lru.' + theirs + '_weight'!r}", matrices.shape, expected)
        gates[name] = side_by_side(np.swapaxes(matrices, 1, 2))
        gates[f"{name}_bias"] = tensors.take(f"{prefix}rg_lru.{theirs}_bias", heads, rows).reshape(inner)
    return {
        "kind": "griffin",
        **branch,
        **linear(tensors, f"{prefix}linear_x", "entrance", inner, width),
        **kernel_of(tensors, f"{prefix}conv_1d", inner),
        **gates,
        "rate": RATE * np.logaddexp(0, tensors.take(f"{prefix}rg_lru.recurrent_param", inner)),
        **linear(tensors, f"{prefix}linear_out", "output", width, inner),
    }


def _gated(tensors: Tensors, prefix: str, width: int, activation: str) -> Block:
    gate = linear(tensors, f"{prefix}gate_proj", "gate", None, width)
    inner = len(gate["gate"])
    values = linear(tensors, f"{prefix}up_proj", "values", inner, width)
    output = linear(tensors, f"{prefix}down_proj", "output", width, inner)
    return {"kind": "gated", "activation": activation, **gate, **values, **output}
