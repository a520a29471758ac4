"""Norms in exact finite precision: integer means and square roots."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import (
    IntArray,
    Precision,
    floor_divide,
    integer_square_root,
)
from ccsim.errors import InputError
from ccsim.models.affine import mantissa_array

WORD_BOUND = 1 << 62


@dataclass(frozen=True, eq=False)
class LayerNorm:
    """(x - mean) / deviation * gain + bias, with every step rounded down.

    On mantissas x_1..x_m in steps of 1 / s, all divisions rounded down::

        mean      = sum(x) / m                                    in steps of 1 / s
        c_i       = x_i - mean                                    exact
        variance  = sum(c^2) / m + epsilon * s^2                  in steps of 1 / s^2
        deviation = max(1, square root of variance)               in steps of 1 / s
        y_i       = saturate(c_i * s / deviation)
        output_i  = saturate(y_i * gain_i / s + bias_i)

    Attributes:
        precision: of inputs, gains, biases and outputs.
        gain: mantissas, shape (width,).
        bias: mantissas, shape (width,).
        epsilon: what is added to the variance, an exact number of at least 0, rounded down to steps of 1 / s^2.

    >>> norm = LayerNorm.from_arrays(Precision.of(8), 2)
    >>> norm(np.array([[0, 64], [5, 5]])).tolist()  # 1 is 32
    [[-32, 32], [0, 0]]
    """

    precision: Precision
    gain: IntArray
    bias: IntArray
    epsilon: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        gain = mantissa_array(self.precision, "gain", self.gain, (None,))
        object.__setattr__(self, "gain", gain)
        object.__setattr__(self, "bias", mantissa_array(self.precision, "bias", self.bias, gain.shape))
        object.__setattr__(self, "epsilon", _at_least_0(self.epsilon))

    @classmethod
    def from_arrays(
        cls, precision: Precision, width: int, gain: Any = None, bias: Any = None, epsilon: Fraction | float = 0
    ) -> LayerNorm:
        """From real numbers, rounded down; no gain means 1, no bias means 0."""
        width = require_integer("width", width, low=1)
        gains = precision.quantise([1] * width if gain is None else gain, "gain")
        biases = precision.quantise([0] * width if bias is None else bias, "bias")
        for argument, array in (("gain", gains), ("bias", biases)):
            if array.shape != (width,):
                raise InputError(argument, array.shape, f"an array of shape ({width},)")
        return cls(precision, gains, biases, epsilon)  # type: ignore[arg-type]

    @property
    def parameters(self) -> int:
        """How many gains and biases there are."""
        return int(self.gain.size + self.bias.size)

    def __call__(self, values: IntArray) -> IntArray:
        """The normalised vectors, in the type and shape of the inputs (..., width)."""
        exact, width = _wide(self.precision, values, len(self.gain), self.epsilon), len(self.gain)
        centred = exact - floor_divide(exact.sum(axis=-1, keepdims=True), width)
        scaled = _per_deviation(self.precision, centred, self.gain, self.epsilon) + self.bias
        return self.precision.saturate(scaled).astype(values.dtype, copy=False)


@dataclass(frozen=True, eq=False)
class RMSNorm:
    """x / root mean square * gain, with every step rounded down (Zhang and Sennrich 2019; LLaMA, Mistral, Gemma).

    It is :class:`LayerNorm` without the mean and without a bias::

        square    = sum(x^2) / m + epsilon * s^2                  in steps of 1 / s^2
        root      = max(1, square root of square)                 in steps of 1 / s
        output_i  = saturate(saturate(x_i * s / root) * gain_i / s)

    Attributes:
        precision: of inputs, gains and outputs.
        gain: mantissas, shape (width,).
        epsilon: what is added to the mean square, an exact number of at least 0, rounded down to steps of 1 / s^2.

    >>> norm = RMSNorm.from_arrays(Precision.of(8), 2)
    >>> norm(np.array([[0, 64], [5, 5]])).tolist()  # 1 is 32; the root of the first is 45
    [[0, 45], [32, 32]]
    """

    precision: Precision
    gain: IntArray
    epsilon: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "gain", mantissa_array(self.precision, "gain", self.gain, (None,)))
        object.__setattr__(self, "epsilon", _at_least_0(self.epsilon))

    @classmethod
    def from_arrays(cls, precision: Precision, width: int, gain: Any = None, epsilon: Fraction | float = 0) -> RMSNorm:
        """From real numbers, rounded down; no gain means 1."""
        width = require_integer("width", width, low=1)
        gains = precision.quantise([1] * width if gain is None else gain, "gain")
        if gains.shape != (width,):
            raise InputError("gain", gains.shape, f"an array of shape ({width},)")
        return cls(precision, gains, epsilon)  # type: ignore[arg-type]

    @property
    def parameters(self) -> int:
        """How many gains there are."""
        return int(self.gain.size)

    def __call__(self, values: IntArray) -> IntArray:
        """The normalised vectors, in the type and shape of the inputs (..., width)."""
        exact = _wide(self.precision, values, len(self.gain), self.epsilon)
        scaled = _per_deviation(self.precision, exact, self.gain, self.epsilon)
        return self.precision.saturate(scaled).astype(values.dtype, copy=False)


def _at_least_0(epsilon: Any) -> Fraction:
    try:
        number = Fraction(epsilon)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError("epsilon", epsilon, "a rational number of at least 0") from error
    if number < 0:
        raise InputError("epsilon", epsilon, "a rational number of at least 0")
    return number


def _wide(precision: Precision, values: IntArray, width: int, epsilon: Fraction) -> IntArray:
    """The vectors (..., width) in a type in which sums of their squares are exact."""
    if values.shape[-1:] != (width,):
        raise InputError("values", values.shape, f"an array of shape (..., {width})")
    span = precision.high - precision.low + 1
    fits = max(width * span**2, span * precision.scale) + int(epsilon * precision.scale**2) < WORD_BOUND
    return np.asarray(values.astype(np.int64).astype(np.int64 if fits else object))


def _per_deviation(precision: Precision, values: IntArray, gain: IntArray, epsilon: Fraction) -> IntArray:
    """Each vector over the root of its mean square, saturated, times the gain."""
    scale = precision.scale
    square = floor_divide((values * values).sum(axis=-1, keepdims=True), values.shape[-1])
    root = np.maximum(integer_square_root(square + int(epsilon * scale**2)), 1)
    unit = precision.saturate(floor_divide(values * scale, root)).astype(values.dtype)
    return floor_divide(unit * gain, scale)
