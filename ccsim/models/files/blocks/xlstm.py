"""xLSTM as NX-AI's package xlstm keeps it (xLSTMLMModel)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.blocks.common import (
    Block,
    blocks_of,
    divided,
    kernel_of,
    last_norm,
    linear,
    norm_first,
    side_by_side,
)
from ccsim.models.files.description import Description
from ccsim.models.files.tensors import Tensors

__all__ = ["xlstm_blocks"]

EPSILON = 1e-5  # of all norms
EPSILON_BELOW = 1e-6  # added to what mLSTM divides by


def xlstm_blocks(description: Description, tensors: Tensors, width: int) -> list[Block]:
    """``blocks.0.xlstm_norm``, ``xlstm`` and perhaps ``ffn_norm``, ``ffn``, and so on; then ``post_blocks_norm``.

    A block with an ``slstm_cell`` is one of sLSTM, with an ``mlstm_cell`` one of mLSTM. In the package the tensor
    ``fgate`` of sLSTM makes the argument of the *input* gate and ``igate`` that of the forget gate, and so it is here.
    """
    prefix = f"{description.prefix}xlstm_block_stack."
    blocks: list[Block] = []
    for block in blocks_of(tensors, f"{prefix}blocks."):
        norm = norm_first(tensors, f"{block}xlstm_norm", width, EPSILON, centred=True, above=1.0)
        small = any(name.startswith(f"{block}xlstm.slstm_cell.") for name in tensors)
        blocks.append(norm | (_slstm if small else _mlstm)(tensors, f"{block}xlstm.", width))
        if f"{block}ffn_norm.weight" in tensors:
            norm = norm_first(tensors, f"{block}ffn_norm", width, EPSILON, centred=True, above=1.0)
            blocks.append(norm | _feed_forward(tensors, f"{block}ffn.", width, description.activation or "gelu"))
    if f"{prefix}post_blocks_norm.weight" in tensors:
        blocks.append(last_norm(tensors, f"{prefix}post_blocks_norm", width, EPSILON, centred=True, above=1.0))
    return blocks


def _headwise(tensors: Tensors, prefix: str, inputs: int) -> Array:
    """A linear map of each part of the inputs on its own, as one matrix."""
    matrices = tensors.take(f"{prefix}.weight", None, None, None)
    if matrices.shape[1] != matrices.shape[2] or matrices.shape[0] * matrices.shape[2] != inputs:
        raise InputError(
            f"tensor {prefix + '.weight'!r}", matrices.shape, f"square matrices for {inputs} numbers together"
        )
    return side_by_side(matrices)


def _gain(tensors: Tensors, prefix: str, heads: int, width: int) -> Array:
    size = divided(f"tensor {prefix + '.weight'!r}", width, heads, "the units")
    return 1 + tensors.take(f"{prefix}.weight", width).reshape(heads, size)


def _slstm(tensors: Tensors, prefix: str, width: int) -> dict[str, Any]:
    gates = {name: _headwise(tensors, f"{prefix}{name}", width) for name in ("fgate", "igate", "zgate", "ogate")}
    recurrent, bias, heads = _cell(tensors, f"{prefix}slstm_cell.", width)
    kernel = {"kernel": np.ones((width, 1)), "kernel_bias": np.zeros(width)}
    active = f"{prefix}conv1d.conv.weight" in tensors
    return {
        "kind": "slstm",
        **(kernel_of(tensors, f"{prefix}conv1d.conv", width) if active else kernel),
        "activation": "silu" if active else "identity",
        "early_gates": np.concatenate([gates["fgate"], gates["igate"]]),
        "late_gates": np.concatenate([gates["zgate"], gates["ogate"]]),
        "recurrent": recurrent,
        "recurrent_bias": bias,
        "gain": _gain(tensors, f"{prefix}group_norm", heads, width),
        "epsilon": EPSILON,
    }


def _cell(tensors: Tensors, prefix: str, width: int) -> tuple[Array, Array, int]:
    """Recurrent weights (4 width, width) and biases, gates i, f, z, o, from either layout; and how many heads."""
    name = f"{prefix}_recurrent_kernel_"
    kernel = tensors.take(name, None, None, None)
    heads, rows, columns = kernel.shape
    size, bias = width // heads, tensors.take(f"{prefix}_bias_", 4 * width)
    if (rows, columns) == (4 * size, size) and heads * size == width:  # of the plain backend
        each, biases = kernel.reshape(heads, 4, size, size), bias.reshape(4, width)
    elif (rows, columns) == (size, 4 * size) and heads * size == width:  # of the one for graphics cards
        each = kernel.reshape(heads, size, 4, size).transpose(0, 2, 3, 1)
        biases = bias.reshape(heads, 4, size).swapaxes(0, 1).reshape(4, width)
    else:
        expected = f"(heads, four times {width} / heads, {width} / heads), or the last two exchanged"
        raise InputError(f"tensor {name!r}", kernel.shape, expected)
    return np.concatenate([side_by_side(each[:, gate]) for gate in range(4)]), biases.reshape(-1), heads


def _mlstm(tensors: Tensors, prefix: str, width: int) -> dict[str, Any]:
    output = linear(tensors, f"{prefix}proj_down", "output", width, None)
    inner = output["output"].shape[1]
    gate = linear(tensors, f"{prefix}mlstm_cell.igate", "input_gate", None, 3 * inner)
    heads, maps = len(gate["input_gate"]), {}
    for name, theirs in (("queries", "q_proj"), ("keys", "k_proj"), ("values", "v_proj")):
        maps[name] = _headwise(tensors, f"{prefix}{theirs}", inner)
        maps[f"{name}_bias"] = tensors.bias(f"{prefix}{theirs}.bias", inner)
    return {
        "kind": "mlstm",
        **linear(tensors, f"{prefix}proj_up", "entrance", 2 * inner, width),
        **kernel_of(tensors, f"{prefix}conv1d.conv", inner),
        **maps,
        **gate,
        **linear(tensors, f"{prefix}mlstm_cell.fgate", "forget_gate", heads, 3 * inner),
        "gain": _gain(tensors, f"{prefix}mlstm_cell.outnorm", heads, inner),
        "skip": tensors.take(f"{prefix}learnable_skip", inner),
        "epsilon": EPSILON,
        "epsilon_below": EPSILON_BELOW,
        **output,
    }


def _feed_forward(tensors: Tensors, prefix: str, width: int, activation: str) -> dict[str, Any]:
    output = linear(tensors, f"{prefix}proj_down", "output", width, None)
    both = linear(tensors, f"{prefix}proj_up", "both", 2 * output["output"].shape[1], width)
    (gate, values), (gate_bias, values_bias) = np.split(both["both"], 2), np.split(both["both_bias"], 2)
    maps = {"gate": gate, "gate_bias": gate_bias, "values": values, "values_bias": values_bias}
    return {"kind": "gated", "activation": activation, **maps, **output}
