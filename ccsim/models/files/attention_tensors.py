"""What the layouts of attention in files have in common: linear maps, heads side by side, positions, norms."""

from __future__ import annotations

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.description import Description
from ccsim.models.files.parts import NormParts
from ccsim.models.files.tensors import Tensors

Inner = tuple[tuple[Array, Array, str], ...]
"""Layers after attention: weights (inputs, outputs), bias, activation."""


def linear_map(tensors: Tensors, name: str, inputs: int, outputs: int | None, turned: bool) -> tuple[Array, Array]:
    """The matrix (inputs, outputs) and the bias of a linear map, kept the other way round if ``turned``."""
    shape = (outputs, inputs) if turned else (inputs, outputs)
    weight = tensors.take(f"{name}.weight", *shape)
    weight = weight.T if turned else weight
    return weight, tensors.bias(f"{name}.bias", weight.shape[1])


def heads_of(description: Description, width: int) -> int:
    """How many heads the description says, a divisor of the width."""
    if description.heads is None:
        raise InputError("heads", None, "how many heads share the width; the tensors do not tell")
    heads = require_integer("heads", description.heads, low=1)
    if width % heads:
        raise InputError("heads", heads, f"a divisor of the width {width}")
    return heads


def per_head(matrix: Array, heads: int) -> Array:
    """A matrix (width, heads * head width) as (heads, width, head width)."""
    return np.moveaxis(matrix.reshape(len(matrix), heads, -1), 1, 0)


def first_rows(tensors: Tensors, name: str, length: int, width: int) -> Array:
    """The embeddings (length, width) of the first positions; the table may have an axis of size 1 for the batch."""
    shape = tensors[name].shape if name in tensors else ()
    table = (
        tensors.take(name, *(None,) * len(shape[:-1]), width) if len(shape) == 3 else tensors.take(name, None, width)
    )
    if table.ndim == 3:
        if 1 not in table.shape[:2]:
            raise InputError(f"tensor {name!r}", table.shape, "a row for each position")
        table = table.reshape(-1, width)
    if len(table) < length:
        raise InputError(f"tensor {name!r}", len(table), f"a row for each of {length} positions")
    return table[:length]


def norm_of(tensors: Tensors, name: str, width: int, gain: str, bias: str) -> NormParts | None:
    """A norm of ``width`` numbers, or None if there is none."""
    if f"{name}.{gain}" not in tensors:
        return None
    return NormParts(tensors.take(f"{name}.{gain}", width), tensors.bias(f"{name}.{bias}", width))
