"""What single operations of ONNX do to ids, vectors and scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.onnx_files import Operation
from ccsim.models.files.onnx_state import BATCH, DIRECTION, POSITION, WIDTH, State, Value

__all__ = ["RULES", "SIZES", "constant_of", "size_or_zero"]


def constant_of(operation: Operation) -> Value:
    """The value of a node that has nothing but one."""
    operation.only(value=..., value_int=..., value_ints=..., value_float=..., value_floats=...)
    found = list(operation.attributes.values())
    if len(found) != 1 or isinstance(found[0], str):
        raise InputError("Constant", sorted(operation.attributes), "one value")
    return Value("constant", array=np.asarray(found[0]))


def size_or_zero(operation: Operation, known: list[Value]) -> Value:
    """Zeros stay zeros when they are cut, spread or moved; anything else here is a size."""
    first = known[0] if known else Value("size")
    zero = first.kind == "zero" or (
        first.array is not None and first.array.dtype.kind == "f" and not np.any(first.array)
    )
    return Value("zero" if zero and operation.kind in _MOVES else "size")


def _gather(run: State, operation: Operation) -> Value:
    """An embedding of ids, or one position."""
    operation.only(axis=...)
    axis = operation.integer("axis", 0)
    if run.value(operation, 1).kind == "ids":
        if axis != 0:
            raise InputError("Gather: axis", axis, "0, the rows of an embedding")
        rows = run.tensor(operation, 0, "embedding.weight", 2)
        return Value("stream", (*run.value(operation, 1).axes, WIDTH), width=rows.shape[1])
    given, place = run.stream(operation), run.whole(operation, 1)
    axis = axis % max(1, len(given.axes)) if -len(given.axes) <= axis < len(given.axes) else -1
    name = given.axes[axis] if axis >= 0 else ""
    last = {POSITION: (-1,), DIRECTION: (0, -1)}.get(name, ())
    whole = name == POSITION and len(run.graph.sizes) == 2 and run.graph.sizes[1]
    last = (*last, whole - 1) if whole else last
    scalar = run.constant(operation, 1).ndim == 0
    if not scalar or given.kind == "ids" or place[0] not in last:
        raise InputError("Gather", (name, place), "the last position, as index -1, or the only direction")
    return replace(given, axes=given.axes[:axis] + given.axes[axis + 1 :])


def _transpose(run: State, operation: Operation) -> Value:
    operation.only(perm=...)
    given = run.stream(operation)
    order = operation.integers("perm") or list(reversed(range(len(given.axes))))
    if sorted(order) != list(range(len(given.axes))):
        raise InputError("Transpose: perm", order, f"an order of {len(given.axes)} axes")
    return replace(given, axes=tuple(given.axes[place] for place in order))


def _squeeze(run: State, operation: Operation) -> Value:
    operation.only(axes=...)
    given = run.stream(operation)
    chosen = run.whole(operation, 1) if operation.input(1) else operation.integers("axes")
    places = {place % len(given.axes) for place in chosen or () if -len(given.axes) <= place < len(given.axes)}
    if not places or any(given.axes[place] != DIRECTION for place in places):
        raise InputError("Squeeze: axes", chosen, f"the axis of the only direction, of {given.axes}")
    return replace(given, axes=tuple(name for place, name in enumerate(given.axes) if place not in places))


def _reshape(run: State, operation: Operation) -> Value:
    """Only the axis of the one direction may go, which leaves every number where it is."""
    operation.only(allowzero=...)
    given, shape = run.stream(operation), run.whole(operation, 1)
    axes = tuple(name for name in given.axes if name != DIRECTION)
    sizes = dict(zip((BATCH, POSITION), run.graph.sizes, strict=False)) | {WIDTH: given.width}
    kept = [
        place for place, name in enumerate(axes) if given.axes[place] == name and not operation.integer("allowzero", 0)
    ]
    fits = len(shape) == len(axes) < len(given.axes) and shape.count(-1) <= 1
    if not fits or not all(
        length in (-1, sizes.get(name)) or (length == 0 and place in kept)
        for place, (name, length) in enumerate(zip(axes, shape, strict=True))
    ):
        raise InputError("Reshape", shape, f"the same numbers without the axis of the one direction, of {given.axes}")
    return replace(given, axes=axes)


def _gemm(run: State, operation: Operation) -> Value:
    operation.only(alpha=1.0, beta=1.0, transA=0, transB=...)
    given = _before_map(run, operation)
    weight = run.constant(operation, 1)
    turned = weight if operation.integer("transB", 0) else weight.T
    _keep_map(run, operation, given, turned)
    run.tensors["head.bias"] = np.zeros(len(turned), dtype=turned.dtype)
    if operation.input(2):
        _keep_bias(run, operation, run.constant(operation, 2))
    return replace(given, kind="scores", width=len(turned))


def _matmul(run: State, operation: Operation) -> Value:
    operation.only()
    given = _before_map(run, operation)
    turned = run.constant(operation, 1).T
    _keep_map(run, operation, given, turned)
    run.tensors["head.bias"] = np.zeros(len(turned), dtype=turned.dtype)
    return replace(given, kind="scores", width=len(turned))


def _add(run: State, operation: Operation) -> Value:
    """The bias of the only linear map; nothing else is added."""
    operation.only()
    given = [run.value(operation, place) for place in range(len(operation.inputs))]
    scores = [place for place, value in enumerate(given) if value.kind == "scores"]
    if len(given) != 2 or len(scores) != 1 or np.any(run.tensors["head.bias"]):
        raise InputError("operation", "Add", "one bias after the only linear map")
    _keep_bias(run, operation, run.constant(operation, 1 - scores[0]))
    return given[scores[0]]


def _before_map(run: State, operation: Operation) -> Value:
    given = run.stream(operation)
    after = given.kind == "stream" and given.layer == len(run.cells) > 0 and given.axes[-1:] == (WIDTH,)
    if not after or DIRECTION in given.axes or "head.weight" in run.tensors:
        raise InputError("operation", operation.kind, "one linear map, after the last layer")
    return given


def _keep_map(run: State, operation: Operation, given: Value, turned: Array) -> None:
    if turned.ndim != 2 or turned.dtype.kind != "f" or turned.shape[1] != given.width:
        raise InputError(f"input 1 of {operation.kind}", turned.shape, f"a matrix for a width of {given.width}")
    run.tensors["head.weight"] = turned


def _keep_bias(run: State, operation: Operation, bias: Array) -> None:
    answers = run.tensors["head.weight"].shape[0]
    if bias.shape not in ((answers,), (1, answers)) or bias.dtype.kind != "f":
        raise InputError(f"bias of {operation.kind}", bias.shape, f"{answers} numbers")
    run.tensors["head.bias"] = bias.reshape(-1)


def _cast(run: State, operation: Operation) -> Value:
    """Ids stay ids as whole numbers of 32 or 64 bits."""
    given = run.value(operation, 0)
    if given.kind != "ids" or operation.attributes.get("to") not in (6, 7):
        raise InputError("operation", "Cast", "a cast of ids to whole numbers")
    return given


RULES: Mapping[str, Callable[[State, Operation], Value]] = {
    "Gather": _gather,
    "Transpose": _transpose,
    "Squeeze": _squeeze,
    "Reshape": _reshape,
    "Gemm": _gemm,
    "MatMul": _matmul,
    "Add": _add,
    "Cast": _cast,
}
_MOVES = ("Slice", "Expand", "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Identity", "Tile")
SIZES = (*_MOVES, "Gather", "Concat", "Cast", "Add", "Sub", "Mul", "Div", "Range")
