"""Recurrent networks from files: LSTM, GRU and simple networks in the gate order of PyTorch."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.description import Description
from ccsim.models.files.parts import RecurrentParts, embedding_of, scores_of
from ccsim.models.files.tensors import Tensors

GATES = {"lstm": 4, "gru": 3, "elman": 1}


def recurrent_parts(description: Description, tensors: Tensors) -> RecurrentParts:
    """The layers in PyTorch's gate order.

    PyTorch names the tensors ``weight_ih_l0``, ``weight_hh_l0``, ``bias_ih_l0``, ``bias_hh_l0`` and so on for each
    layer.

    Raises :class:`~ccsim.errors.InputError` for shapes that do not fit, and for what is no part of these models: a
    second direction, a projection.
    """
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


def _width(name: str, hidden: Array, gates: int) -> int:
    """How many units there are, from the matrix that takes them to their gates."""
    rows, width = hidden.shape
    if rows != gates * width:
        expected = f"{gates} rows for each of {width} columns" if gates > 1 else "a square matrix"
        raise InputError(f"tensor {name!r}", hidden.shape, expected)
    return int(width)
