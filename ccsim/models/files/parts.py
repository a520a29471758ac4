"""What an architecture is made of, as float64 arrays in one layout, whatever file they are from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.description import Description
from ccsim.models.files.tensors import Tensors

Named = Mapping[str, Any]
"""Arrays by name; and settings, which are plain numbers and texts and are never rounded."""


@dataclass(frozen=True, eq=False)
class RecurrentParts:
    """A recurrent model.

    Attributes:
        kind: the architecture.
        embedding: shape (symbols, inputs).
        layers: for each layer its arrays, named and laid out as the ``from_arrays`` of its kind takes them.
        scores: shape (answers, outputs), and ``bias`` of shape (answers,); of two answers perhaps the second's alone.
        bias: see ``scores``.
        activation: of the layers, where they have a choice.
        residual: whether inputs are added to outputs.
        threshold: above which a single score is the second answer.
    """

    kind: str
    embedding: Array
    layers: tuple[Named, ...]
    scores: Array
    bias: Array
    activation: str | None = None
    residual: bool = False
    threshold: float = 0.0


@dataclass(frozen=True, eq=False)
class NormParts:
    """A norm.

    Attributes:
        gain: shape (width,), and ``bias`` too.
        bias: see ``gain``.
    """

    gain: Array
    bias: Array


@dataclass(frozen=True, eq=False)
class LayerParts:
    """A layer of a transformer.

    Attributes:
        query, key, value: shape (heads, width, head width).
        query_bias, key_bias, value_bias: shape (heads, head width).
        output: shape (heads * head width, width), and its bias (width,).
        output_bias: see ``output``.
        inner: the layers after attention: weights (inputs, outputs), bias, activation.
        norms: the norms that there are, by their places in :class:`~ccsim.models.transformer.Norms`.
    """

    query: Array
    key: Array
    value: Array
    query_bias: Array
    key_bias: Array
    value_bias: Array
    output: Array
    output_bias: Array
    inner: tuple[tuple[Array, Array, str], ...]
    norms: Mapping[str, NormParts]

    @property
    def scale(self) -> float:
        """The factor of products of queries and keys."""
        return 1 / sqrt(self.query.shape[2])


@dataclass(frozen=True, eq=False)
class AttentionParts:
    """A transformer of one layer, read out at the last position.

    Attributes:
        tokens: shape (symbols, width).
        positions: shape (N, width).
        layer: between them and the read-out.
        epsilon: of the norms.
        scores: shape (width, answers), and ``bias`` of shape (answers,); of two answers perhaps the second's alone.
        bias: see ``scores``.
        threshold: above which a single score is the second answer.
    """

    tokens: Array
    positions: Array
    layer: LayerParts
    epsilon: float
    scores: Array
    bias: Array
    threshold: float = 0.0


def embedding_of(description: Description, tensors: Tensors, usual: str, width: int | None = None) -> Array:
    """The rows of the embedding that belong to symbols, shape (symbols, width)."""
    name = description.embedding
    if name == "one-hot":
        count = len(description.tokens)
        if width not in (None, count):
            raise InputError("tokens", count, f"{width} ids, as many as the first layer has inputs")
        return np.eye(count)[description.ids]
    name = name or description.prefix + usual
    count = tensors[name].shape[0] if name in tensors and tensors[name].shape else 0
    if 0 < count <= max(description.ids):
        raise InputError("tokens", max(description.ids), f"ids below {count}, the rows of the embedding")
    return tensors.take(name, None, width, rows=description.ids)


def scores_of(description: Description, tensors: Tensors, width: int) -> tuple[Array, Array]:
    """The read-out: weights (answers, width) and bias (answers,).

    Of two answers there may be a single row w: the first answer wins unless w x + b is above a threshold.
    """
    read_out, answers = description.read_out, len(description.answers)
    rows = read_out.rows
    count = tensors[read_out.weight].shape[0] if read_out.weight in tensors and tensors[read_out.weight].shape else 0
    if rows is not None and max(rows, default=-1) >= count > 0:
        raise InputError("read_out.rows", max(rows), f"rows below {count}")
    weight = tensors.take(read_out.weight, None, width, rows=rows)
    bias = np.zeros(len(weight)) if read_out.bias is None else tensors.take(read_out.bias, count, rows=rows)
    if len(weight) != answers and (len(weight), answers) != (1, 2):
        raise InputError(f"tensor {read_out.weight!r}", len(weight), f"{answers} rows, one for each answer")
    return weight, bias
