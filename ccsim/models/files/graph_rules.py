"""What single operations of ONNX compute, in any arithmetic: numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.blocks.pieces import normed, scaled
from ccsim.models.files.graph_shapes import SHAPES
from ccsim.models.files.graph_values import Given, Run, aligned, soft_maximum
from ccsim.models.files.onnx_files import Operation

__all__ = ["RULES"]

Inputs = list[Given | None]
Rule = Callable[[Run, Operation, Inputs], Given | list[Given]]


def _reals(run: Run, operation: Operation, given: Inputs, count: int) -> list[Array]:
    """The first inputs, which have to be numbers, and the last of which may be left out if it is the bias."""
    found = [each for each in given if each is not None]
    if len(found) != count or not all(each.real for each in found):
        raise InputError(f"operation {operation.kind}", f"{len(found)} inputs", f"{count} of floating-point numbers")
    run.spend(found[0].array.shape)
    return [each.array for each in found]


def _function(name: str) -> Rule:
    def rule(run: Run, operation: Operation, given: Inputs) -> Given:
        operation.only()
        (values,) = _reals(run, operation, given, 1)
        return Given(run.arithmetic.apply(name, values), True)

    return rule


def _gelu(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(approximate=...)
    names = {"none": "gelu", "tanh": "gelu_tanh"}
    kind = operation.attributes.get("approximate", "none")
    if kind not in names:
        raise InputError("Gelu: approximate", kind, "none or tanh")
    (values,) = _reals(run, operation, given, 1)
    return Given(run.arithmetic.apply(names[kind], values), True)


def _pairwise(real: Callable[[Run, Array, Array], Array], whole: Callable[[Array, Array], Array]) -> Rule:
    """An operation of two values, entry by entry, of numbers or of whole numbers."""

    def rule(run: Run, operation: Operation, given: Inputs) -> Given:
        operation.only()
        one, other = (each for each in given if each is not None)
        if one.real != other.real:
            raise InputError(f"operation {operation.kind}", "numbers and whole numbers", "two inputs of one kind")
        first, second = aligned(one.array, other.array)
        run.spend(np.broadcast_shapes(first.shape, second.shape))
        return Given(real(run, first, second) if one.real else whole(first, second), one.real)

    return rule


def _divide(run: Run, first: Array, second: Array) -> Array:
    """The quotient, also by negative numbers."""
    return run.arithmetic.divide(np.where(second < 0, -first, first), np.abs(second))


def _whole_quotient(first: Array, second: Array) -> Array:
    if np.any(second == 0):
        raise InputError("operation Div", 0, "no division by 0")
    return np.asarray(np.abs(first) // np.abs(second) * np.sign(first) * np.sign(second))


def _negative(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only()
    (values,) = _reals(run, operation, given, 1)
    return Given(run.arithmetic.subtract(np.zeros_like(values), values), True)


def _root(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only()
    (values,) = _reals(run, operation, given, 1)
    return Given(run.arithmetic.root(np.maximum(values, 0)), True)


def _matmul(run: Run, operation: Operation, given: Inputs) -> Given:
    """Sums of products from first to last; by a matrix that is fixed, as a linear map."""
    operation.only()
    first, second = _reals(run, operation, given, 2)
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
    values, weights, *bias = _reals(run, operation, given, len([each for each in given if each is not None]))
    matrix = weights[0] if operation.integer("transB", 0) else weights[0].T
    if len(weights) != 1 or matrix.ndim != 2 or values.ndim != 3 or values.shape[-1] != matrix.shape[1]:
        raise InputError("operation Gemm", (values.shape[1:], matrix.shape), "a fixed matrix that fits")
    if bias and (len(bias[0]) != 1 or bias[0].shape[1:] not in ((len(matrix),), (1, len(matrix)))):
        raise InputError("operation Gemm", bias[0].shape[1:], f"a bias of {len(matrix)} numbers")
    run.spend((*values.shape[:-1], len(matrix)), matrix.shape[1])
    return Given(run.arithmetic.linear(values, matrix, bias[0].reshape(-1) if bias else None), True)


def _require_last(operation: Operation, axis: int, values: Array) -> None:
    if axis not in (-1, values.ndim - 2):
        raise InputError(f"{operation.kind}: axis", axis, "the last axis")


def _softmax(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(axis=...)
    (values,) = _reals(run, operation, given, 1)
    _require_last(operation, operation.integer("axis", -1), values)
    run.spend(values.shape)
    return Given(soft_maximum(run.arithmetic, values), True)


def _layer_norm(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(axis=..., epsilon=..., stash_type=1)
    values, gain, *bias = _reals(run, operation, given, len([each for each in given if each is not None]))
    _require_last(operation, operation.integer("axis", -1), values)
    epsilon = operation.attributes.get("epsilon", 1e-5)
    if not 0 <= epsilon <= 1:
        raise InputError("LayerNormalization: epsilon", epsilon, "a number from 0 to 1")
    run.spend(values.shape)
    unit = normed(run.arithmetic, values, float(epsilon), True)
    return Given(scaled(run.arithmetic, *aligned(unit, gain, *bias)), True)


def _mean(run: Run, operation: Operation, given: Inputs) -> Given:
    """The mean or the sum along one axis, from left to right."""
    operation.only(axes=..., keepdims=..., noop_with_empty_axes=0)
    if given[0] is None or not given[0].real:
        raise InputError(f"operation {operation.kind}", "whole numbers", "floating-point numbers")
    values = given[0].array
    axes = given[1].whole() if len(given) > 1 and given[1] is not None else operation.integers("axes")
    if axes is None or len(axes) != 1 or not 1 - values.ndim <= axes[0] < values.ndim - 1:
        raise InputError(f"{operation.kind}: axes", axes, "one axis")
    place = 1 + axes[0] % (values.ndim - 1)
    total = run.arithmetic.add(*np.moveaxis(values, place, 0))
    if operation.kind == "ReduceMean":
        total = run.arithmetic.divide(total, run.numbers(np.full((1,) * total.ndim, float(values.shape[place]))))
    return Given(np.expand_dims(total, place) if operation.integer("keepdims", 1) else total, True)


def _compared(compare: Callable[[Array, Array], Array]) -> Rule:
    """A comparison of numbers as they are kept, or a connective of truth values: 0 or 1."""

    def rule(run: Run, operation: Operation, given: Inputs) -> Given:
        operation.only()
        one, other = (each for each in given if each is not None)
        if one.real != other.real:
            raise InputError(f"operation {operation.kind}", "numbers and whole numbers", "two inputs of one kind")
        first, second = aligned(one.array, other.array)
        run.spend(np.broadcast_shapes(first.shape, second.shape))
        return Given(np.asarray(compare(first, second)).astype(np.int64), False)

    return rule


def _not(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only()
    (values,) = (each for each in given if each is not None and not each.real)
    run.spend(values.array.shape)
    return values.of((values.array == 0).astype(np.int64))


def _not_a_number(run: Run, operation: Operation, given: Inputs) -> Given:
    """Where softmax had nothing to look at; never in fixed point."""
    operation.only()
    (values,) = _reals(run, operation, given, 1)
    return Given((values != values).astype(np.int64), False)


def _power(run: Run, operation: Operation, given: Inputs) -> Given:
    """The square or the cube, one product after the other."""
    operation.only()
    values, exponent = (each for each in given if each is not None)
    found = [count for count in (2, 3) if (exponent.fixed() == _number(run, exponent, count)).all()]
    if not values.real or exponent.fixed().size != 1 or not found:
        raise InputError("Pow", exponent.fixed().tolist(), "an exponent of 2 or 3")
    product = run.arithmetic.multiply(values.array, values.array)
    return Given(product if found == [2] else run.arithmetic.multiply(product, values.array), True)


def _number(run: Run, like: Given, value: float) -> Array:
    return run.numbers(np.array(float(value))) if like.real else np.array(value)


def _reciprocal(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only()
    (values,) = _reals(run, operation, given, 1)
    return Given(_divide(run, np.full_like(values, run.numbers(np.array(1.0))), values), True)


def _leaky(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(alpha=...)
    (values,) = _reals(run, operation, given, 1)
    alpha = run.numbers(np.array(float(operation.attributes.get("alpha", 0.01))))
    return Given(np.where(values < 0, run.arithmetic.multiply(values, np.full_like(values, alpha)), values), True)


def _where(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only()
    which, one, other = (each for each in given if each is not None)
    if which.real or one.real != other.real:
        raise InputError("operation Where", "inputs of two kinds", "a condition and two inputs of one kind")
    found = aligned(which.array, one.array, other.array)
    run.spend(np.broadcast_shapes(*(each.shape for each in found)))
    return Given(np.where(found[0] != 0, found[1], found[2]), one.real)


def _elu(run: Run, operation: Operation, given: Inputs) -> Given:
    """exp(x) - 1 where x is not above 0."""
    operation.only(alpha=1.0)
    (values,) = _reals(run, operation, given, 1)
    one = np.full_like(values, run.numbers(np.array(1.0)))
    below = run.arithmetic.subtract(run.arithmetic.apply("elu_plus_one", values), one)
    return Given(np.where(values > 0, values, below), True)


RULES: Mapping[str, Rule] = {
    **SHAPES,
    "Relu": _function("relu"),
    "Tanh": _function("tanh"),
    "Sigmoid": _function("sigmoid"),
    "Softplus": _function("softplus"),
    "Exp": _function("exp"),
    "Sin": _function("sin"),
    "Cos": _function("cos"),
    "Gelu": _gelu,
    "Neg": _negative,
    "Sqrt": _root,
    "Add": _pairwise(lambda run, one, two: run.arithmetic.add(one, two), np.add),
    "Sub": _pairwise(lambda run, one, two: run.arithmetic.subtract(one, two), np.subtract),
    "Mul": _pairwise(lambda run, one, two: run.arithmetic.multiply(one, two), np.multiply),
    "Div": _pairwise(_divide, _whole_quotient),
    "MatMul": _matmul,
    "Gemm": _gemm,
    "Softmax": _softmax,
    "LayerNormalization": _layer_norm,
    "ReduceMean": _mean,
    "ReduceSum": _mean,
    "Pow": _power,
    "Reciprocal": _reciprocal,
    "LeakyRelu": _leaky,
    "Elu": _elu,
    "IsNaN": _not_a_number,
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
"""By the names of operations; those that only move numbers are in :mod:`~ccsim.models.files.graph_shapes`."""
