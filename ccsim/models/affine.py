"""Affine maps in exact finite precision: an integer matrix product, divided by the scale and rounded down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.arithmetic import IntArray, Precision, enclosed, exact_matmul, float_product, floor_divide
from ccsim.arrays import require_shape
from ccsim.errors import InputError

RowMap = Callable[[IntArray], IntArray]
"""A function of mantissas that treats every vector along the last axis alone."""

FLOAT_BOUND = 1 << 53  # every integer below this is a float64
WORD_BOUND = 1 << 62


def saturate(precision: Precision, values: IntArray) -> IntArray:
    """Whole numbers moved to the nearest mantissas, in the type in which they came: float64 or integers.

    >>> saturate(Precision.of(3), np.array([5.0, -7.0, 1.0])).tolist()
    [3.0, -4.0, 1.0]
    """
    if values.dtype == np.float64:
        return np.asarray(np.clip(values, float(precision.low), float(precision.high)))
    return precision.saturate(values)


def mantissa_array(precision: Precision, argument: str, values: Any, shape: tuple[int | None, ...]) -> IntArray:
    """Integers of this shape (None: any size of at least 1) that are mantissas of the precision, not to be changed.

    Raises :class:`~ccsim.errors.InputError`, which names the argument, for another shape and for other numbers.
    """
    array = np.asarray(values)
    require_shape(argument, array, shape)
    if array.dtype.kind not in "iuO":
        raise InputError(argument, array.dtype.name, "integer mantissas; quantise real numbers first")
    mantissas = precision.require(array, argument).copy()
    mantissas.setflags(write=False)
    return mantissas


def apply_declared(precision: Precision, function: RowMap, values: IntArray, width: int | None = None) -> IntArray:
    """A user's function on int64 mantissas; what it returns is checked and comes in the type of ``values``."""
    whole = values.astype(np.int64) if values.dtype == np.float64 else values
    result = np.asarray(function(whole))
    expected = (*values.shape[:-1], result.shape[-1] if width is None and result.ndim else width)
    if result.shape != expected:
        raise InputError("function", result.shape, f"an array of shape {expected} for {values.shape}")
    return precision.require(result, "function").astype(values.dtype, copy=False)


@dataclass(frozen=True, eq=False)
class Affine:
    """x -> floor(x W) + b on mantissas, saturating: one rounding for each entry, of the exact product.

    It takes integers, or float64 arrays of whole numbers, and answers in kind. The latter is faster, and allowed
    where :attr:`exact_in_floats` holds: then every partial sum is below 2^53 in whatever order it is added up.

    Attributes:
        precision: of the inputs, weights, biases and outputs.
        weights: mantissas, shape (inputs, outputs).
        bias: mantissas, shape (outputs,).

    >>> precision = Precision.of(8)  # steps of 1/32
    >>> half = Affine.from_arrays(precision, [[0.5]], [1])
    >>> half(np.array([[3], [-3]])).tolist()  # floor(1.5) + 32, floor(-1.5) + 32
    [[33], [30]]
    """

    precision: Precision
    weights: IntArray
    bias: IntArray

    def __post_init__(self) -> None:
        weights = mantissa_array(self.precision, "weights", self.weights, (None, None))
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "bias", mantissa_array(self.precision, "bias", self.bias, (weights.shape[1],)))

    @classmethod
    def from_arrays(cls, precision: Precision, weights: Any, bias: Any = None, argument: str = "weights") -> Affine:
        """From real numbers (floats, integers, Fractions), each rounded down to the precision; no bias means 0.

        Raises :class:`~ccsim.errors.InputError` for shapes that do not fit, NaN, infinity, and numbers out of range.
        """
        matrix = precision.quantise(weights, argument)
        if matrix.ndim != 2 or 0 in matrix.shape:
            raise InputError(argument, matrix.shape, "a matrix of shape (inputs, outputs)")
        if bias is None:
            return cls(precision, matrix, np.zeros(matrix.shape[1], dtype=np.int64))
        vector = precision.quantise(bias, f"{argument} bias")
        if vector.shape != matrix.shape[1:]:
            raise InputError(f"{argument} bias", vector.shape, f"an array of shape {matrix.shape[1:]}")
        return cls(precision, matrix, vector)

    @classmethod
    def linear(cls, precision: Precision, weights: IntArray) -> Affine:
        """From a matrix of mantissas, with no bias."""
        return cls(precision, weights, np.zeros(np.shape(weights)[-1], dtype=np.int64))

    @property
    def inputs(self) -> int:
        """How many numbers go in."""
        return int(self.weights.shape[0])

    @property
    def outputs(self) -> int:
        """How many numbers come out."""
        return int(self.weights.shape[1])

    @property
    def parameters(self) -> int:
        """How many weights and biases there are."""
        return int(self.weights.size + self.bias.size)

    @cached_property
    def bound(self) -> int:
        """No numerator, and no partial sum of one, is larger in magnitude on any input."""
        largest = max(abs(self.precision.low), abs(self.precision.high))
        column_sums = np.abs(self.weights.astype(object)).sum(axis=0)
        return int(max(column_sums)) * largest + int(np.abs(self.bias).max()) * self.precision.scale

    @property
    def exact_in_floats(self) -> bool:
        """Whether float64 holds every number on the way exactly, the quotient's floor included."""
        return self.bound + self.precision.scale < FLOAT_BOUND

    def __call__(self, values: IntArray) -> IntArray:
        """The outputs, shape (..., outputs), for inputs of shape (..., inputs)."""
        if enclosed(values) is not None:
            return self._on_integers(values)
        values = np.asarray(values)
        if values.ndim == 0 or values.shape[-1] != self.inputs:
            raise InputError("values", values.shape, f"an array of shape (..., {self.inputs})")
        rows = values.reshape(-1, self.inputs)
        result = self._on_floats(rows) if values.dtype == np.float64 else self._on_integers(rows)
        return result.reshape(*values.shape[:-1], self.outputs)

    def _on_integers(self, rows: IntArray) -> IntArray:
        quotients = floor_divide(exact_matmul(rows, self.weights), self.precision.scale)
        if self.bound >= WORD_BOUND and enclosed(quotients) is None:
            quotients = quotients.astype(object)
        return self.precision.saturate(quotients + self.bias)

    def _on_floats(self, rows: IntArray) -> IntArray:
        """A quotient a / s of whole numbers with a + s < 2^53 rounds to an integer only if it is one: floors agree."""
        assert self.exact_in_floats
        weights, bias, divisor = self._float_parameters
        result = float_product(rows, weights)
        result += bias
        if divisor != 1:
            result /= divisor
        np.floor(result, out=result)
        return np.asarray(np.clip(result, float(self.precision.low), float(self.precision.high), out=result))

    @cached_property
    def _float_parameters(self) -> tuple[IntArray, IntArray, float]:
        """Weights, bias, divisor as floats; a scale that is a power of two goes into the weights, which is exact."""
        scale = self.precision.scale
        weights, bias = self.weights.astype(np.float64), self.bias.astype(np.float64)
        if scale & (scale - 1) == 0:
            return weights / scale, bias, 1.0
        return weights, bias * scale, float(scale)
