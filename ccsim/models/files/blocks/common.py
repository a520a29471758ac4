"""What the layouts of several libraries have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.memory import require_memory
from ccsim.models.files.tensors import Tensors

__all__ = ["Block", "blocks_of", "kernel_of", "linear", "norm_first", "side_by_side", "vector"]

Block = dict[str, Any]
"""Arrays and settings of one block, as :func:`ccsim.models.blocks.formula.block` takes them."""


def blocks_of(tensors: Tensors, prefix: str) -> Iterator[str]:
    """The prefixes of the blocks, numbered from 0 on, that there are; at least one."""
    number = 0
    while not number or any(name.startswith(f"{prefix}{number}.") for name in tensors):
        yield f"{prefix}{number}."
        number += 1


def linear(tensors: Tensors, prefix: str, name: str, outputs: int | None, inputs: int | None) -> dict[str, Array]:
    """The matrix and the bias of a linear map of PyTorch, under a name of our own; no bias is one of zeros."""
    weight = tensors.take(f"{prefix}.weight", outputs, inputs)
    return {name: weight, f"{name}_bias": tensors.bias(f"{prefix}.bias", len(weight))}


def kernel_of(tensors: Tensors, prefix: str, channels: int | None) -> dict[str, Array]:
    """The kernel and the bias of a convolution of each channel on its own."""
    kernel = tensors.take(f"{prefix}.weight", channels, 1, None)[:, 0]
    return {"kernel": kernel, "kernel_bias": tensors.bias(f"{prefix}.bias", len(kernel))}


def vector(tensors: Tensors, name: str, size: int | None) -> Array:
    """Numbers, however many axes of length 1 the file has in front of them."""
    if name in tensors:
        shape = tensors[name].shape
        if len(shape) > 1 and set(shape[:-1]) == {1}:
            return tensors.take(name, *shape[:-1], size).reshape(-1)
    return tensors.take(name, size)


def side_by_side(matrices: Array) -> Array:
    """One matrix of matrices (blocks, outputs, inputs), each of which sees inputs of its own."""
    blocks, outputs, inputs = matrices.shape
    require_memory(8 * blocks**2 * outputs * inputs, f"a matrix of {blocks * outputs} by {blocks * inputs} numbers")
    whole = np.zeros((blocks * outputs, blocks * inputs))
    for place, matrix in enumerate(matrices):
        whole[place * outputs : (place + 1) * outputs, place * inputs : (place + 1) * inputs] = matrix
    return whole


def norm_first(
    tensors: Tensors, prefix: str, width: int, epsilon: float, *, centred: bool = False, above: float = 0.0
) -> dict[str, Any]:
    """A norm before a block, whose result is added to its inputs; ``above`` is what the file leaves off its gain."""
    return {
        "norm": above + tensors.take(f"{prefix}.weight", width),
        "norm_bias": tensors.bias(f"{prefix}.bias", width),
        "norm_epsilon": epsilon,
        "norm_centred": centred,
        "residual": True,
    }


def last_norm(
    tensors: Tensors, prefix: str, width: int, epsilon: float, *, centred: bool = False, above: float = 0.0
) -> dict[str, Any]:
    """The norm after the last block."""
    gain, bias = above + tensors.take(f"{prefix}.weight", width), tensors.bias(f"{prefix}.bias", width)
    return {"kind": "norm", "gain": gain, "bias": bias, "epsilon": epsilon, "centred": centred}


def divided(name: str, size: int, parts: int, what: str) -> int:
    """The size of each of so many equal parts, or an :class:`~ccsim.errors.InputError`."""
    if parts < 1 or size % parts:
        raise InputError(name, parts, f"a divisor of {size}, {what}")
    return size // parts
