"""Graphs of ONNX as recurrent networks: each operation is followed, and what is not known is refused by its name.

What is followed are ids of tokens, a stream of vectors, and scores, each as the meaning of its axes: ``batch``,
``position``, ``direction`` (always one) and ``width``. Values beside them are constants, zeros for the first state, and
sizes, which are computed from shapes and can only be those that fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.onnx_cells import CELLS, follow_cell
from ccsim.models.files.onnx_files import Graph, Operation
from ccsim.models.files.onnx_rules import RULES, SIZES, constant_of, size_or_zero
from ccsim.models.files.onnx_state import BATCH, POSITION, WIDTH, State, Value

__all__ = ["Translated", "translate"]

HINT = "any module of PyTorch can be run as it is, as file.py:name"


@dataclass(frozen=True, eq=False)
class Translated:
    """A graph in the names of :mod:`~ccsim.models.files.recurrent_parts`.

    Attributes:
        tensors: ``embedding.weight``, ``0.W``, ``0.R``, ``0.B`` and so on for each layer, ``head.weight``,
            ``head.bias``, and initializers that nothing uses under their own names.
        told: the entries of a description that the graph tells.
        notes: the texts in the file's metadata.
    """

    tensors: Mapping[str, Array]
    told: Mapping[str, Any]
    notes: Mapping[str, str]


def translate(graph: Graph) -> Translated:
    """The recurrent network in a graph of ONNX.

    Known are an embedding (Gather), layers of LSTM, GRU or RNN in one direction whose first states are zero, the
    choice of the last position before or after one linear map (Gemm, or MatMul and Add), and what only moves axes.
    Raises :class:`~ccsim.errors.InputError` that names any other operation, input or attribute.
    """
    state = State(graph)
    for operation in graph.operations:
        if not operation.outputs:
            raise InputError("operation", operation.kind, "an output")
        _follow(state, operation)
    return _result(state)


def _result(run: State) -> Translated:
    if run.graph.output not in run.values or run.values[run.graph.output].kind != "scores":
        raise InputError("output", run.graph.output, "scores that a linear map makes of the last layer's outputs")
    axes = run.values[run.graph.output].axes
    if axes not in ((BATCH, WIDTH), (BATCH, POSITION, WIDTH)):
        raise InputError("output", axes, "scores (batch, answers), or (batch, N, answers) for every position")
    if len(run.graph.sizes) not in (0, 2):
        raise InputError("input", run.graph.sizes, "ids of shape (batch, N)")
    if len(set(run.cells)) != 1:
        raise InputError("layers", run.cells, "one layer or more of LSTM, GRU or RNN, all of one kind")
    architecture, activation = run.cells[0]
    told: dict[str, Any] = {"architecture": architecture, "convention": "onnx", "embedding": "embedding.weight"}
    told["layers"] = [f"{place}." for place in range(len(run.cells))]
    told["read_out"] = {"weight": "head.weight", "bias": "head.bias"}
    if architecture == "elman":
        told["activation"] = activation
    if architecture == "gru":
        told["options"] = {"linear_before_reset": 1}
    rest = {name: array for name, array in run.graph.arrays.items() if name not in run.used}
    for name in sorted(set(rest) & set(run.tensors)):
        raise InputError(f"tensor {name!r}", name, "a tensor that is used, as the description names it")
    return Translated(rest | run.tensors, told, run.graph.notes)


def _follow(run: State, operation: Operation) -> None:
    """One operation: by its own rule, or as a size or as zeros where nothing else goes in."""
    known = [run.value(operation, place) for place in range(len(operation.inputs)) if operation.inputs[place]]
    followed = [value for value in known if value.kind in ("ids", "stream", "scores")]
    if operation.kind in CELLS:
        follow_cell(run, operation)
    elif operation.kind in ("Identity", "Dropout"):
        run.set(operation, run.unchanged(operation))
    elif operation.kind == "Shape" or (known and not followed and operation.kind in SIZES):
        run.set(operation, size_or_zero(operation, known))
        run.used |= {value.source for value in known}
    elif operation.kind == "Constant":
        run.set(operation, constant_of(operation))
    elif operation.kind == "ConstantOfShape":
        filled = operation.attributes.get("value", np.zeros(1))
        run.set(operation, Value("size" if np.any(filled) else "zero"))
        run.used |= {value.source for value in known}
    elif operation.kind in RULES and len(followed) == 1:
        run.set(operation, RULES[operation.kind](run, operation))
    else:
        known_kinds = sorted({*CELLS, *RULES, "Identity", "Dropout"})
        expected = f"one of {', '.join(known_kinds)}, as a recurrent network of PyTorch is exported"
        raise InputError("operation", operation.kind, f"{expected}; {HINT}")
