"""Recurrent networks from files: LSTM, GRU and simple networks in the gate orders of PyTorch and of ONNX."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.description import Description
from ccsim.models.files.parts import RecurrentParts, embedding_of, scores_of
from ccsim.models.files.tensors import Tensors

__all__ = ["ONNX_ORDER", "recurrent_parts"]

GATES = {"lstm": 4, "gru": 3, "elman": 1}

ONNX_ORDER = {"lstm": (0, 2, 3, 1), "gru": (1, 0, 2), "elman": (0,)}
"""For each gate in PyTorch's order (i f g o; r z n) its place in that of ONNX (i o f c; z r h)."""


def recurrent_parts(description: Description, tensors: Tensors) -> RecurrentParts:
    """The layers in PyTorch's gate order.

    PyTorch names the tensors ``weight_ih_l0``, ``weight_hh_l0``, ``bias_ih_l0``, ``bias_hh_l0`` and so on for each
    layer; ONNX has ``W``, ``R``, ``B`` with an axis for the direction, found behind the prefix of each layer.

    Raises :class:`~ccsim.errors.InputError` for shapes that do not fit, and for what is no part of these models: a
    second direction, a projection, the variant of GRU that resets before its linear map.
    """
    if description.convention == "onnx":
        layers = [_onnx(description, tensors, description.prefix + prefix) for prefix in description.layers]
    else:
        layers = _pytorch(description, tensors)
    for place, (before, layer) in enumerate(itertools.pairwise(layers), start=1):
        found, wanted = layer["weight_ih"].shape[1], before["weight_hh"].shape[1]
        if found != wanted:
            raise InputError(f"weight_ih of layer {place}", found, f"{wanted} columns, the width of the layer before")
    inputs = layers[0]["weight_ih"].shape[1]
    embedding = embedding_of(description, tensors, "embedding.weight", inputs)
    scores, bias = scores_of(description, tensors, layers[-1]["weight_hh"].shape[1])
    activation = description.activation if description.architecture == "elman" else None
    return RecurrentParts(
        description.architecture, embedding, tuple(layers), scores, bias, activation, description.residual
    )


def _pytorch(description: Description, tensors: Tensors) -> list[Mapping[str, Array]]:
    gates, prefix = GATES[description.architecture], description.prefix
    layers: list[Mapping[str, Array]] = []
    for name in tensors:
        if name.startswith(prefix) and re.search(r"(_reverse|weight_hr_l\d+)$", name):
            expected = "a network that reads in one direction and has no projection"
            raise InputError(f"tensor {name!r}", tensors[name].shape, expected)
    while not layers or f"{prefix}weight_ih_l{len(layers)}" in tensors:
        number = len(layers)
        hidden = tensors.take(f"{prefix}weight_hh_l{number}", None, None)
        width = _width(f"{prefix}weight_hh_l{number}", hidden, gates)
        layer = {
            "weight_ih": tensors.take(f"{prefix}weight_ih_l{number}", gates * width, None),
            "weight_hh": hidden,
        }
        for part in ("bias_ih", "bias_hh"):
            layer[part] = tensors.bias(f"{prefix}{part}_l{number}", gates * width)
        layers.append(layer)
    return layers


def _onnx(description: Description, tensors: Tensors, prefix: str) -> Mapping[str, Array]:
    kind = description.architecture
    gates, order = GATES[kind], ONNX_ORDER[kind]
    if kind == "gru" and description.options.get("linear_before_reset", 0) != 1:
        expected = "1, as PyTorch exports it: the other variant resets before the linear map and is not modelled"
        raise InputError(
            "options.linear_before_reset", description.options.get("linear_before_reset", "missing"), expected
        )
    directions = tensors.take(f"{prefix}R", None, None, None)
    if len(directions) != 1:
        raise InputError(f"tensor {prefix + 'R'!r}", len(directions), "one direction")
    hidden = directions[0]
    width = _width(f"{prefix}R", hidden, gates)
    if f"{prefix}P" in tensors:
        raise InputError(f"tensor {prefix + 'P'!r}", tensors[f"{prefix}P"].shape, "no peepholes")
    both = tensors.bias(f"{prefix}B", 1, 2 * gates * width)[0]
    given = {
        "weight_ih": tensors.take(f"{prefix}W", 1, gates * width, None)[0],
        "weight_hh": hidden,
        "bias_ih": both[: gates * width],
        "bias_hh": both[gates * width :],
    }
    return {name: np.concatenate([np.split(array, gates)[place] for place in order]) for name, array in given.items()}


def _width(name: str, hidden: Array, gates: int) -> int:
    """How many units there are, from the matrix that takes them to their gates."""
    rows, width = hidden.shape
    if rows != gates * width:
        expected = f"{gates} rows for each of {width} columns" if gates > 1 else "a square matrix"
        raise InputError(f"tensor {name!r}", hidden.shape, expected)
    return int(width)
