"""Files of ONNX, by onnx's own reader: what is in them is checked, and nothing is run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.onnx_outside import require_inside
from ccsim.models.files.tensors import MOST_BYTES

__all__ = ["Graph", "Operation", "open_onnx"]

MOST_NODES = 1 << 12
DOMAINS = ("", "ai.onnx")
KINDS = ("FLOAT", "DOUBLE", "FLOAT16", "BFLOAT16", "INT64", "INT32", "BOOL")
WHOLE = ("INT64", "INT32", "BOOL")
INSTALL = "the package onnx to be installed (pip install 'ccsim[onnx]'), or the same tensors as .safetensors or .npz"


@dataclass(frozen=True)
class Operation:
    """One node: what it does, the names of what goes in and comes out ("" for what is left out), and its attributes."""

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Any]

    def input(self, place: int) -> str:
        """The name of one input; "" if it is left out."""
        return self.inputs[place] if place < len(self.inputs) else ""

    def integer(self, name: str, usual: int) -> int:
        """An attribute that is a whole number, or its usual value."""
        found = self.attributes.get(name, usual)
        if type(found) is not int:
            raise InputError(f"{self.kind}: {name}", found, "a whole number")
        return found

    def integers(self, name: str) -> list[int] | None:
        """An attribute that is a list of whole numbers, or None."""
        found = self.attributes.get(name)
        if found is not None and not (isinstance(found, tuple) and all(type(each) is int for each in found)):
            raise InputError(f"{self.kind}: {name}", found, "whole numbers")
        return None if found is None else list(found)

    def only(self, **expected: Any) -> None:
        """Raises :class:`~ccsim.errors.InputError` for an attribute that is not among these, or has another value."""
        for name, value in self.attributes.items():
            if name not in expected or (expected[name] is not ... and value != expected[name]):
                wanted = f"{expected[name]!r}" if name in expected else "no such attribute: it is not modelled"
                raise InputError(f"{self.kind}: {name}", value, wanted)


@dataclass(frozen=True, eq=False)
class Graph:
    """What a file of ONNX holds.

    Attributes:
        source: the name of the file.
        input: the name of the only input that is no initializer.
        whole: whether it has whole numbers.
        sizes: of its axes, None where a size is open.
        output: the name of the only output.
        arrays: the initializers.
        operations: the nodes, in order.
        notes: the texts in its metadata.
    """

    source: str
    input: str
    sizes: tuple[int | None, ...]
    output: str
    arrays: Mapping[str, Array]
    operations: tuple[Operation, ...]
    notes: Mapping[str, str]
    whole: bool = True


def open_onnx(path: Path) -> Graph:
    """The graph in a file.

    Raises :class:`~ccsim.errors.InputError` without the package onnx, for a file that is damaged or larger than a GiB,
    for tensors that lie in other folders or have sizes that do not fit, for operations of other domains than ONNX's,
    functions, subgraphs, and more than one input or output.
    """
    try:
        onnx: Any = import_module("onnx")
    except ImportError as error:
        raise InputError("file", path.name, INSTALL) from error
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise InputError("file", path.name, f"at most {MOST_BYTES} bytes, not {size}")
    try:
        model = onnx.load_model(path, format="protobuf", load_external_data=False)
    except Exception as error:  # the reader of protocol buffers has errors of its own
        raise InputError("file", path.name, f"a whole file of ONNX ({type(error).__name__})") from error
    graph = model.graph
    if model.functions or model.training_info or graph.sparse_initializer:
        raise InputError("file", path.name, "a graph without functions, training or sparse tensors")
    if len(graph.node) > MOST_NODES:
        raise InputError("file", path.name, f"at most {MOST_NODES} operations, not {len(graph.node)}")
    held = require_inside([each for each in graph.initializer if _is_outside(onnx, each)], path)
    arrays = {each.name: _array(onnx, each, size + held) for each in graph.initializer}
    given = [each for each in graph.input if each.name not in arrays]
    if len(arrays) != len(graph.initializer) or len(given) != 1 or len(graph.output) != 1:
        found = f"{len(given)} inputs and {len(graph.output)} outputs"
        raise InputError("file", found, "one input, the ids of tokens, one output, the scores, and every name once")
    opset = min((each.version for each in model.opset_import if each.domain in DOMAINS), default=1)
    operations = tuple(_operation(onnx, node, size, opset) for node in graph.node)
    notes = {each.key: each.value for each in model.metadata_props}
    sizes = tuple(each.dim_value or None for each in given[0].type.tensor_type.shape.dim)
    whole = given[0].type.tensor_type.elem_type in _kinds(onnx, WHOLE)
    return Graph(path.name, given[0].name, sizes, graph.output[0].name, arrays, operations, notes, whole)


def _operation(onnx: Any, node: Any, size: int, opset: int) -> Operation:
    if node.domain not in DOMAINS:
        raise InputError("operation", f"{node.domain}.{node.op_type}", "one of ONNX's own")
    return Operation(
        node.op_type,
        tuple(node.input),
        tuple(node.output),
        _usual(node.op_type, opset)
        | {each.name: _attribute(onnx, node.op_type, each, size) for each in node.attribute},
    )


def _usual(kind: str, opset: int) -> dict[str, Any]:
    """What older versions of an operation mean where an attribute is left out, if later ones mean something else.

    Softmax was once of all axes from the second on; so it is the same where the last axis is named.
    """
    return {"axis": 1} if kind == "Softmax" and opset < 13 else {}


def _attribute(onnx: Any, kind: str, given: Any, size: int) -> Any:
    """A number, a text, a list of these, or an array."""
    names = onnx.AttributeProto
    if given.type == names.TENSOR:
        return _array(onnx, given.t, size)
    if given.type in (names.FLOAT, names.INT):
        return given.f if given.type == names.FLOAT else given.i
    if given.type in (names.INTS, names.FLOATS):
        return tuple(given.ints if given.type == names.INTS else given.floats)
    if given.type == names.STRING:
        return given.s.decode("utf-8", "replace")
    if given.type == names.STRINGS:
        return tuple(text.decode("utf-8", "replace") for text in given.strings)
    raise InputError(f"{kind}: {given.name}", "a graph or another value", "a number, a text or a tensor")


def _is_outside(onnx: Any, tensor: Any) -> bool:
    return tensor.data_location == onnx.TensorProto.EXTERNAL or bool(tensor.external_data)


def _kinds(onnx: Any, names: tuple[str, ...]) -> dict[int, str]:
    return {onnx.TensorProto.DataType.Value(name): name for name in names}


def _array(onnx: Any, tensor: Any, size: int) -> Array:
    """A tensor as an array; it cannot have more numbers than the files have bytes."""
    kinds = _kinds(onnx, KINDS)
    if _is_outside(onnx, tensor):
        raise InputError(f"tensor {tensor.name!r}", "external data", "numbers in the file itself")
    if tensor.data_type not in kinds:
        raise InputError(f"tensor {tensor.name!r}", tensor.data_type, f"numbers: {', '.join(KINDS)}")
    shape = tuple(tensor.dims)
    if any(length < 0 for length in shape) or math.prod(shape) > size:
        raise InputError(f"tensor {tensor.name!r}", shape, f"a shape that fits in {size} bytes")
    try:
        found = onnx.numpy_helper.to_array(tensor)
    except Exception as error:  # whatever it raises for numbers that do not fit the shape
        raise InputError(f"tensor {tensor.name!r}", shape, f"as many numbers ({type(error).__name__})") from error
    if found.shape != shape:
        raise InputError(f"tensor {tensor.name!r}", shape, "as many numbers")
    whole = kinds[tensor.data_type] in WHOLE
    return np.asarray(found, dtype=np.int64 if whole else np.float64 if found.dtype == np.float64 else np.float32)
