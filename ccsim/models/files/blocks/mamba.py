"""Mamba as Hugging Face's transformers keeps it (MambaForCausalLM)."""

from __future__ import annotations

import numpy as np

from ccsim.errors import InputError
from ccsim.models.files.blocks.common import Block, blocks_of, kernel_of, last_norm, linear, norm_first
from ccsim.models.files.description import Description
from ccsim.models.files.tensors import Tensors

__all__ = ["mamba_blocks"]


def mamba_blocks(description: Description, tensors: Tensors, width: int) -> list[Block]:
    """``layers.0.norm``, ``layers.0.mixer`` and so on, then ``norm_f``."""
    prefix, epsilon = description.prefix, description.epsilon
    blocks: list[Block] = [
        norm_first(tensors, f"{block}norm", width, epsilon) | _mixer(tensors, f"{block}mixer.", width)
        for block in blocks_of(tensors, f"{prefix}layers.")
    ]
    return [*blocks, last_norm(tensors, f"{prefix}norm_f", width, epsilon)]


def _mixer(tensors: Tensors, prefix: str, width: int) -> Block:
    logarithm = tensors.take(f"{prefix}A_log", None, None)
    channels, states = logarithm.shape
    steps = tensors.take(f"{prefix}dt_proj.weight", channels, None)
    if f"{prefix}x_proj.bias" in tensors:
        raise InputError(f"tensor {prefix + 'x_proj.bias'!r}", tensors[f"{prefix}x_proj.bias"].shape, "no bias there")
    return {
        "kind": "mamba",
        **linear(tensors, f"{prefix}in_proj", "entrance", 2 * channels, width),
        **kernel_of(tensors, f"{prefix}conv1d", channels),
        "selection": tensors.take(f"{prefix}x_proj.weight", steps.shape[1] + 2 * states, channels),
        "steps": steps,
        "steps_bias": tensors.take(f"{prefix}dt_proj.bias", channels),
        "decay": -np.exp(logarithm),
        "skip": tensors.take(f"{prefix}D", channels),
        **linear(tensors, f"{prefix}out_proj", "output", width, channels),
    }
