"""Mamba-2 as Hugging Face's transformers keeps it (Mamba2ForCausalLM)."""

from __future__ import annotations

import numpy as np

from ccsim.arguments import require_integer
from ccsim.errors import InputError
from ccsim.models.files.blocks.common import Block, blocks_of, divided, kernel_of, last_norm, linear, norm_first
from ccsim.models.files.description import Description
from ccsim.models.files.tensors import Tensors

__all__ = ["mamba2_blocks"]


def mamba2_blocks(description: Description, tensors: Tensors, width: int) -> list[Block]:
    """``layers.0.norm``, ``layers.0.mixer`` and so on, then ``norm_f``; ``options.groups`` says how many groups.

    Times t of a step are not clamped (``time_step_limit`` of the library, whose default does not clamp either).
    """
    if "groups" not in description.options:
        raise InputError("options", dict(description.options), "an entry groups (n_groups): tensors do not tell")
    groups = require_integer("options.groups", description.options["groups"], low=1)
    prefix, epsilon = description.prefix, description.epsilon
    blocks: list[Block] = [
        norm_first(tensors, f"{block}norm", width, epsilon) | _mixer(tensors, f"{block}mixer.", width, groups, epsilon)
        for block in blocks_of(tensors, f"{prefix}layers.")
    ]
    return [*blocks, last_norm(tensors, f"{prefix}norm_f", width, epsilon)]


def _mixer(tensors: Tensors, prefix: str, width: int, groups: int, epsilon: float) -> Block:
    logarithm = tensors.take(f"{prefix}A_log", None)
    heads, output = len(logarithm), linear(tensors, f"{prefix}out_proj", "output", width, None)
    inner = output["output"].shape[1]
    divided("options.groups", heads, groups, "the heads")
    divided(f"tensor {prefix + 'A_log'!r}", inner, heads, "the numbers inside")
    part = divided("options.groups", inner, groups, "the numbers inside")
    kernel = kernel_of(tensors, f"{prefix}conv1d", None)
    channels = len(kernel["kernel"])
    if channels <= inner or (channels - inner) % (2 * groups):
        expected = f"{inner} channels and some more, as many for keys as for queries in each of {groups} groups"
        raise InputError(f"tensor {prefix + 'conv1d.weight'!r}", channels, expected)
    return {
        "kind": "mamba2",
        **linear(tensors, f"{prefix}in_proj", "entrance", inner + channels + heads, width),
        **kernel,
        "steps_bias": tensors.take(f"{prefix}dt_bias", heads),
        "decay": -np.exp(logarithm),
        "skip": tensors.take(f"{prefix}D", heads),
        "gain": tensors.take(f"{prefix}norm.weight", inner).reshape(groups, part),
        "epsilon": epsilon,
        **output,
    }
