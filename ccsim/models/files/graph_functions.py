"""What single operations of ONNX compute, in any arithmetic: functions of numbers and of vectors."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.blocks.pieces import normed, scaled
from ccsim.models.files.graph_values import Given, Inputs, Rule, Run, aligned, divided, reals, soft_maximum, square_root
from ccsim.models.files.onnx_files import Operation

__all__ = ["FUNCTIONS"]


def _function(name: str) -> Rule:
    def rule(run: Run, operation: Operation, given: Inputs) -> Given:
        operation.only()
        (values,) = reals(run, operation, given, 1)
        return Given(run.arithmetic.apply(name, values), True)

    return rule


def _gelu(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(approximate=...)
    names = {"none": "gelu", "tanh": "gelu_tanh"}
    kind = operation.attributes.get("approximate", "none")
    if kind not in names:
        raise InputError("Gelu: approximate", kind, "none or tanh")
    (values,) = reals(run, operation, given, 1)
    return Given(run.arithmetic.apply(names[kind], values), True)


def _negative(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only()
    (values,) = reals(run, operation, given, 1)
    return Given(run.arithmetic.subtract(np.zeros_like(values), values), True)


def _root(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only()
    (values,) = reals(run, operation, given, 1)
    return Given(square_root(run, values), True)


def _require_last(operation: Operation, axis: int, values: Array) -> None:
    if axis not in (-1, values.ndim - 2):
        raise InputError(f"{operation.kind}: axis", axis, "the last axis")


def _softmax(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(axis=...)
    (values,) = reals(run, operation, given, 1)
    _require_last(operation, operation.integer("axis", -1), values)
    run.spend(values.shape)
    return Given(soft_maximum(run.arithmetic, values), True)


def _layer_norm(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(axis=..., epsilon=..., stash_type=1)
    values, gain, *bias = reals(run, operation, given, len([each for each in given if each is not None]))
    _require_last(operation, operation.integer("axis", -1), values)
    epsilon = operation.attributes.get("epsilon", 1e-5)
    if not 0 < epsilon <= 1:
        raise InputError("LayerNormalization: epsilon", epsilon, "a number above 0, and at most 1")
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


def _not_a_number(run: Run, operation: Operation, given: Inputs) -> Given:
    """Where softmax had nothing to look at; never in fixed point."""
    operation.only()
    (values,) = reals(run, operation, given, 1)
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
    (values,) = reals(run, operation, given, 1)
    return Given(divided(run, np.full_like(values, run.numbers(np.array(1.0))), values), True)


def _leaky(run: Run, operation: Operation, given: Inputs) -> Given:
    operation.only(alpha=...)
    (values,) = reals(run, operation, given, 1)
    alpha = run.numbers(np.array(float(operation.attributes.get("alpha", 0.01))))
    return Given(np.where(values < 0, run.arithmetic.multiply(values, np.full_like(values, alpha)), values), True)


def _elu(run: Run, operation: Operation, given: Inputs) -> Given:
    """exp(x) - 1 where x is not above 0."""
    operation.only(alpha=1.0)
    (values,) = reals(run, operation, given, 1)
    one = np.full_like(values, run.numbers(np.array(1.0)))
    below = run.arithmetic.subtract(run.arithmetic.apply("elu_plus_one", values), one)
    return Given(np.where(values > 0, values, below), True)


FUNCTIONS: Mapping[str, Rule] = {
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
    "Softmax": _softmax,
    "LayerNormalization": _layer_norm,
    "ReduceMean": _mean,
    "ReduceSum": _mean,
    "Pow": _power,
    "Reciprocal": _reciprocal,
    "LeakyRelu": _leaky,
    "Elu": _elu,
    "IsNaN": _not_a_number,
}
"""By the names of operations."""
