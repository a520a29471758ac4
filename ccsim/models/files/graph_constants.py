"""What single operations of ONNX compute: constants, sizes, and numbers of another kind."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.graph_values import Given, Inputs, Rule, Run, first_of, second_of
from ccsim.models.files.onnx_files import Operation

__all__ = ["CONSTANTS"]

TO_REAL, TO_WHOLE = (
    (1, 10, 11, 16),
    (6, 7, 9),
)  # ONNX's numbers of types: float, half, double, bfloat16; int32, int64, bool


def _shape(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(start=..., end=...)
    sizes = np.array(first_of(operation, given).array.shape[1:], dtype=np.int64)
    end = operation.attributes.get("end")
    return Given(sizes[operation.integer("start", 0) : end if isinstance(end, int) else None][None], False)


def _constant(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(value=..., value_int=..., value_ints=..., value_float=..., value_floats=...)
    found = [np.asarray(each) for each in operation.attributes.values()]
    if len(found) != 1 or found[0].dtype.kind not in "if":
        raise InputError("Constant", sorted(operation.attributes), "one value")
    return _made(run, found[0])


def _made(run: Run, array: Array) -> Given:
    real = array.dtype.kind == "f"
    return Given((run.numbers(array) if real else array.astype(np.int64))[None], real)


def _filled(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(value=...)
    shape, value = first_of(operation, given).whole(), np.asarray(operation.attributes.get("value", np.float32(0)))
    if value.size != 1 or value.dtype.kind not in "if" or any(size < 0 for size in shape):
        raise InputError("ConstantOfShape", (shape, value.shape), "one value, and sizes of at least 0")
    run.spend((1, *shape))
    one = _made(run, value.reshape(()))
    return one.of(np.broadcast_to(one.array.reshape((1,) * (1 + len(shape))), (1, *shape)))


def _range(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only()
    limits = [each.whole() for each in given if each is not None]
    if len(limits) != 3 or any(len(each) != 1 for each in limits) or limits[2] == [0]:
        raise InputError("operation Range", limits, "a start, a limit and a step other than 0")
    (start,), (end,), (step,) = limits
    run.spend((1, max(0, -((start - end) // step))))
    return Given(np.arange(start, end, step, dtype=np.int64)[None], False)


def _triangle(run: Run, operation: Operation, given: Inputs) -> Given:
    """The entries above or below a diagonal; the others become 0."""
    operation.only(upper=...)
    values, k = first_of(operation, given), given[1].whole() if len(given) > 1 and given[1] is not None else [0]
    if values.array.ndim < 3 or len(k) != 1 or abs(k[0]) >= 1 << 31:
        raise InputError("operation Trilu", (values.array.shape[1:], k), "a matrix, and the number of a diagonal")
    run.spend(values.array.shape)
    return values.of((np.triu if operation.integer("upper", 1) else np.tril)(values.array, k[0]))


def _cast(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(to=..., saturate=1)
    values, to = first_of(operation, given), operation.attributes.get("to")
    run.spend(values.array.shape)
    if to in TO_REAL:
        return values if values.real else Given(run.numbers(values.array.astype(np.float64)), True)
    if to not in TO_WHOLE or values.real:
        raise InputError("operation Cast", to, "floating-point numbers, or whole numbers of whole numbers")
    return values.of((values.array != 0).astype(np.int64)) if to == 9 else values


def _cast_like(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(saturate=1)
    values, like = first_of(operation, given), second_of(operation, given)
    run.spend(values.array.shape)
    if like.real and not values.real:
        return Given(run.numbers(values.array.astype(np.float64)), True)
    if values.real and not like.real:
        raise InputError("operation CastLike", "floating-point numbers", "no cast to whole numbers")
    return values


CONSTANTS: Mapping[str, Rule] = {
    "Shape": _shape,
    "Constant": _constant,
    "ConstantOfShape": _filled,
    "Range": _range,
    "Trilu": _triangle,
    "Cast": _cast,
    "CastLike": _cast_like,
}
"""By the names of operations."""
