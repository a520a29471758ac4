"""What single operations of ONNX compute: those that only choose, move or repeat numbers."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.graph_values import Given, Inputs, Rule, Run, first_of, second_of
from ccsim.models.files.onnx_files import Operation

__all__ = ["SHAPES"]


def _places(operation: Operation, axes: list[int], count: int) -> list[int]:
    """Axes, as they are counted with that of the words in front; all different."""
    if not all(-count <= axis < count for axis in axes) or len({axis % count for axis in axes}) != len(axes):
        raise InputError(f"{operation.kind}: axes", axes, f"axes of {count}, each once")
    return [1 + axis % count for axis in axes]


def _axes(operation: Operation, given: Inputs) -> list[int] | None:
    """Axes that are told by an input or, as earlier, by an attribute."""
    if len(given) > 1 and given[1] is not None:
        return given[1].whole()
    return operation.integers("axes")


def _gather(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(axis=...)
    table, ids = first_of(operation, given), second_of(operation, given)
    (place,) = _places(operation, [operation.integer("axis", 0)], table.array.ndim - 1)
    count = table.array.shape[place]
    if ids.real or not ((ids.array >= -count) & (ids.array < count)).all():
        raise InputError("operation Gather", "ids out of range", f"whole numbers below {count}")
    shape = table.array.shape
    run.spend((1, *shape[1:place], *ids.array.shape[1:], *shape[place + 1 :]))
    if len(ids.array) == 1:
        return table.of(np.take(table.array, ids.array[0], axis=place))
    return table.of(np.moveaxis(np.take(table.fixed(), ids.array, axis=place - 1), place - 1, 0))


def _transpose(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(perm=...)
    values = first_of(operation, given)
    count = values.array.ndim - 1
    order = operation.integers("perm") or list(reversed(range(count)))
    if len(order) != count:
        raise InputError("Transpose: perm", order, f"an order of {count} axes")
    return values.of(values.array.transpose(0, *_places(operation, order, count)))


def _reshape(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(allowzero=...)
    values, shape = first_of(operation, given), second_of(operation, given).whole()
    before = values.array.shape[1:]
    if not operation.integer("allowzero", 0):
        shape = [before[place] if not size and place < len(before) else size for place, size in enumerate(shape)]
    return values.of(_shaped(values.array, shape))


def _shaped(array: Array, shape: list[int]) -> Array:
    """The same numbers for each word in another shape, in which one size may be -1."""
    held, rest = prod(array.shape[1:]), prod(size for size in shape if size != -1)
    sizes = [held // rest if size == -1 and rest else size for size in shape]
    if shape.count(-1) > 1 or any(size < 0 for size in sizes) or prod(sizes) != held:
        raise InputError("operation Reshape", (array.shape[1:], tuple(shape)), f"a shape of {held} numbers")
    return array.reshape(len(array), *sizes)


def _flatten(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(axis=...)
    values, axis = first_of(operation, given), operation.integer("axis", 1)
    sizes = values.array.shape[1:]
    if not -len(sizes) <= axis <= len(sizes):
        raise InputError("Flatten: axis", axis, f"one of {len(sizes)}")
    axis = axis % len(sizes) if axis < 0 else axis
    return values.of(values.array.reshape(len(values.array), prod(sizes[:axis]), prod(sizes[axis:])))


def _unsqueeze(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(axes=...)
    values, axes = first_of(operation, given), _axes(operation, given) or []
    return values.of(np.expand_dims(values.array, tuple(_places(operation, axes, values.array.ndim - 1 + len(axes)))))


def _squeeze(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(axes=...)
    values, axes = first_of(operation, given), _axes(operation, given)
    sizes = values.array.shape[1:]
    chosen = [place for place, size in enumerate(sizes) if size == 1] if axes is None else axes
    places = _places(operation, chosen, len(sizes))
    if any(values.array.shape[place] != 1 for place in places):
        raise InputError("operation Squeeze", sizes, f"length 1 in the axes {chosen}")
    return values.of(values.array.reshape(*(s for at, s in enumerate(values.array.shape) if at not in places)))


def _concat(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(axis=...)
    parts = [each for each in given if each is not None]
    if not parts or len({each.real for each in parts}) != 1 or len({each.array.ndim for each in parts}) != 1:
        raise InputError("operation Concat", len(parts), "inputs of one kind, with as many axes each")
    (place,) = _places(operation, [operation.integer("axis", 0)], parts[0].array.ndim - 1)
    words = max(len(each.array) for each in parts)
    wide = [np.broadcast_to(each.array, (words, *each.array.shape[1:])) for each in parts]
    run.spend((1, sum(prod(each.shape[1:]) for each in wide)))
    return parts[0].of(np.concatenate(wide, axis=place))


def _slice(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only()
    values, axes_in = first_of(operation, given), [each.whole() for each in given[1:] if each is not None]
    if len(axes_in) < 2 or len({len(each) for each in axes_in}) != 1 or any(each is None for each in given[1:]):
        raise InputError("operation Slice", len(given), "starts, ends, and as many axes and steps, if they are given")
    starts, ends = axes_in[:2]
    axes = axes_in[2] if len(axes_in) > 2 else list(range(len(starts)))
    steps = axes_in[3] if len(axes_in) > 3 else [1] * len(starts)
    cut = [slice(None)] * values.array.ndim
    for place, start, end, step in zip(
        _places(operation, axes, values.array.ndim - 1), starts, ends, steps, strict=True
    ):
        if step < 1:
            raise InputError("Slice: steps", step, "1 or more")
        cut[place] = slice(start, end, step)
    return values.of(values.array[tuple(cut)])


def _split(run: Run, operation: Operation, given: Inputs) -> list[Given]:
    operation.only(axis=..., num_outputs=...)
    values = first_of(operation, given)
    (place,) = _places(operation, [operation.integer("axis", 0)], values.array.ndim - 1)
    sizes, count = values.array.shape[place], len(operation.outputs)
    even = [min(-(-sizes // count), sizes - at * -(-sizes // count)) for at in range(count)]
    parts = given[1].whole() if len(given) > 1 and given[1] is not None else even
    if len(parts) != count or sum(parts) != sizes or min(parts) < 0:
        raise InputError("operation Split", parts, f"{count} parts of {sizes}")
    return [values.of(part) for part in np.split(values.array, np.cumsum(parts)[:-1], axis=place)]


def _expand(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only()
    values, shape = first_of(operation, given), second_of(operation, given).whole()
    if any(size < 0 for size in shape):
        raise InputError("operation Expand", shape, "sizes of at least 0")
    whole = np.broadcast_shapes(values.array.shape[1:], tuple(shape))
    run.spend((1, *whole))
    front = values.array.reshape(
        len(values.array), *(1,) * (len(whole) + 1 - values.array.ndim), *values.array.shape[1:]
    )
    return values.of(np.broadcast_to(front, (len(front), *whole)))


def _same(run: Run, operation: Operation, given: Inputs) -> Given:
    """Identity, and Dropout in a network that is not trained."""
    if any(each is not None for each in given[2:]):
        raise InputError("operation", operation.kind, "no mode of training")
    return first_of(operation, given)


SHAPES: Mapping[str, Rule] = {
    "Gather": _gather,
    "Transpose": _transpose,
    "Reshape": _reshape,
    "Flatten": _flatten,
    "Unsqueeze": _unsqueeze,
    "Squeeze": _squeeze,
    "Concat": _concat,
    "Slice": _slice,
    "Split": _split,
    "Expand": _expand,
    "Identity": _same,
    "Dropout": _same,
}
"""By the names of operations."""
