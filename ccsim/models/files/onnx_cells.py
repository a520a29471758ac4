"""Layers of LSTM, GRU and RNN in graphs of ONNX: one direction, first states of zeros, the usual functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.errors import InputError
from ccsim.models.files.onnx_files import Operation
from ccsim.models.files.onnx_state import BATCH, DIRECTION, POSITION, WIDTH, State, Value

__all__ = ["CELLS", "follow_cell"]

CELLS = {"LSTM": "lstm", "GRU": "gru", "RNN": "elman"}


def follow_cell(run: State, operation: Operation) -> None:
    """One layer: its tensors, and the axes of what it puts out."""
    kind, number = CELLS[operation.kind], len(run.cells)
    layout = operation.integer("layout", 0)
    _require_plain(operation)
    activation = _activation(operation)
    given, order = run.stream(operation), (BATCH, POSITION) if layout else (POSITION, BATCH)
    if given.kind != "stream" or given.axes != (*order, WIDTH) or given.layer != number:
        expected = f"what the layer before it puts out, with the axes {(*order, WIDTH)}"
        raise InputError(f"input of {operation.kind}", (given.axes, f"layer {given.layer}"), expected)
    run.tensor(operation, 1, f"{number}.W", 3)
    width = run.tensor(operation, 2, f"{number}.R", 3).shape[2]
    if operation.integer("hidden_size", width) != width:
        raise InputError(f"{operation.kind}: hidden_size", operation.integer("hidden_size", 0), f"{width}, as in R")
    if operation.input(3):
        run.tensor(operation, 3, f"{number}.B", 2)
    for place in range(4, len(operation.inputs)):
        _require_zero(run, operation, place)
    run.cells.append((kind, activation))
    whole = (BATCH, POSITION, DIRECTION, WIDTH) if layout else (POSITION, DIRECTION, BATCH, WIDTH)
    last = (BATCH, DIRECTION, WIDTH) if layout else (DIRECTION, BATCH, WIDTH)
    run.set(operation, Value("stream", whole, width=width, layer=number + 1))
    run.set(operation, Value("stream", last, width=width, layer=number + 1), 1)


def _require_zero(run: State, operation: Operation, place: int) -> None:
    """Whether an input is left out, or is a first state of zeros."""
    names = {4: "sequence_lens", 5: "initial_h", 6: "initial_c", 7: "P"}
    if not operation.input(place):
        return
    found = run.value(operation, place)
    zero = found.kind == "zero" or (found.array is not None and not np.any(found.array))
    if place not in (5, 6) or not zero:
        expected = "nothing, or zeros" if place in (5, 6) else "nothing"
        raise InputError(f"{operation.kind}: {names.get(place, place)}", operation.input(place), expected)
    run.used.add(found.source)


def _require_plain(operation: Operation) -> None:
    """No attribute that changes what is computed, other than those that are modelled."""
    allowed: dict[str, Any] = {"hidden_size": ..., "layout": ..., "direction": "forward", "activations": ...}
    if operation.kind == "LSTM":
        allowed["input_forget"] = 0
    if operation.kind == "GRU":
        allowed["linear_before_reset"] = 1
        if operation.attributes.get("linear_before_reset", 0) != 1:
            expected = "1, as PyTorch exports it: the other variant resets before the linear map and is not modelled"
            raise InputError("GRU: linear_before_reset", operation.attributes.get("linear_before_reset", 0), expected)
    operation.only(**allowed)


def _activation(operation: Operation) -> str:
    usual = {"LSTM": ("Sigmoid", "Tanh", "Tanh"), "GRU": ("Sigmoid", "Tanh"), "RNN": ("Tanh",)}[operation.kind]
    found = operation.attributes.get("activations", usual)
    if found == usual:
        return "tanh"
    if operation.kind == "RNN" and found == ("Relu",):
        return "relu"
    raise InputError(f"{operation.kind}: activations", found, f"{usual}")
