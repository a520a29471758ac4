"""What single operations of ONNX compute, in any arithmetic: sums, products, comparisons, and all others by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.graph_constants import CONSTANTS
from ccsim.models.files.graph_functions import FUNCTIONS
from ccsim.models.files.graph_shapes import SHAPES
from ccsim.models.files.graph_values import Given, Inputs, Rule, Run, aligned, divided, reals
from ccsim.models.files.onnx_files import Operation

__all__ = ["RULES"]


def _of_one_kind(run: Run, operation: Operation, given: Inputs) -> tuple[Array, Array, bool]:
    """Two values with as many axes, and whether they are numbers, not whole ones."""
    operation.only()
    one, other = (each for each in given if each is not None)
    if one.real != other.real:
        raise InputError(f"operation {operation.kind}", "numbers and whole numbers", "two inputs of one kind")
    first, second = aligned(one.array, other.array)
    run.spend(np.broadcast_shapes(first.shape, second.shape))
    return first, second, one.real


def _pairwise(real: Callable[[Run, Array, Array], Array], whole: Callable[[Array, Array], Array]) -> Rule:
    """An operation of two values, entry by entry, of numbers or of whole numbers."""

    def rule(run: Run, operation: Operation, given: Inputs) -> Given:
        first, second, are_real = _of_one_kind(run, operation, given)
        return Given(real(run, first, second) if are_real else whole(first, second), are_real)

    return rule


def _whole_quotient(first: Array, second: Array) -> Array:
    if np.any(second == 0):
        raise InputError("operation Div", 0, "no division by 0")
    return np.asarray(np.abs(first) // np.abs(second) * np.sign(first) * np.sign(second))


def _matmul(run: Run, operation: Operation, given: Inputs) -> Given:
    """Sums of products from first to last; by a matrix that is fixed, as a linear map."""
    operation.only()
    first, second = reals(run, operation, given, 2)
    if min(first.ndim, second.ndim) < 3 or first.shape[-1] != second.shape[-2]:
        raise InputError("operation MatMul", (first.shape[1:], second.shape[1:]), "matrices that fit")
    width = first.shape[-1]
    if len(second) == 1 and second.ndim == 3:
        run.spend((*first.shape[:-1], second.shape[-1]), width)
        return Given(run.arithmetic.linear(first, second[0].T), True)
    one, other = aligned(first, second)
    outer = np.broadcast_shapes(one.shape[:-2], other.shape[:-2])
    run.spend((*outer, one.shape[-2], other.shape[-1]), width)
    pairs = ((one[..., :, place, None], other[..., None, place, :]) for place in range(width))
    return Given(run.arithmetic.products(*pairs), True)


def _gemm(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(alpha=1.0, beta=1.0, transA=0, transB=...)
    values, weights, *bias = reals(run, operation, given, len([each for each in given if each is not None]))
    matrix = weights[0] if operation.integer("transB", 0) else weights[0].T
    if len(weights) != 1 or matrix.ndim != 2 or values.ndim != 3 or values.shape[-1] != matrix.shape[1]:
        raise InputError("operation Gemm", (values.shape[1:], matrix.shape), "a fixed matrix that fits")
    if bias and (len(bias[0]) != 1 or bias[0].shape[1:] not in ((len(matrix),), (1, len(matrix)))):
        raise InputError("operation Gemm", bias[0].shape[1:], f"a bias of {len(matrix)} numbers")
    run.spend((*values.shape[:-1], len(matrix)), matrix.shape[1])
    return Given(run.arithmetic.linear(values, matrix, bias[0].reshape(-1) if bias else None), True)


def _compared(compare: Callable[[Array, Array], Array]) -> Rule:
    """A comparison of numbers as they are kept, or a connective of truth values: 0 or 1."""

    def rule(run: Run, operation: Operation, given: Inputs) -> Given:
        first, second, _ = _of_one_kind(run, operation, given)
        return Given(np.asarray(compare(first, second)).astype(np.int64), False)

    return rule


def _not(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only()
    (values,) = (each for each in given if each is not None and not each.real)
    run.spend(values.array.shape)
    return values.of((values.array == 0).astype(np.int64))


def _where(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only()
    which, one, other = (each for each in given if each is not None)
    if which.real or one.real != other.real:
        raise InputError("operation Where", "inputs of two kinds", "a condition and two inputs of one kind")
    found = aligned(which.array, one.array, other.array)
    run.spend(np.broadcast_shapes(*(each.shape for each in found)))
    return Given(np.where(found[0] != 0, found[1], found[2]), one.real)


RULES: Mapping[str, Rule] = {
    **SHAPES,
    **CONSTANTS,
    **FUNCTIONS,
    "Add": _pairwise(lambda run, one, two: run.arithmetic.add(one, two), np.add),
    "Sub": _pairwise(lambda run, one, two: run.arithmetic.subtract(one, two), np.subtract),
    "Mul": _pairwise(lambda run, one, two: run.arithmetic.multiply(one, two), np.multiply),
    "Div": _pairwise(divided, _whole_quotient),
    "MatMul": _matmul,
    "Gemm": _gemm,
    "Not": _not,
    "Equal": _compared(np.equal),
    "Less": _compared(np.less),
    "LessOrEqual": _compared(np.less_equal),
    "Greater": _compared(np.greater),
    "GreaterOrEqual": _compared(np.greater_equal),
    "And": _compared(lambda one, two: (one != 0) & (two != 0)),
    "Or": _compared(lambda one, two: (one != 0) | (two != 0)),
    "Where": _where,
}
"""By the names of operations."""
