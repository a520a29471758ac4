"""Layer normalisation in exact finite precision: integer mean, variance and square root."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray, Precision, floor_divide, integer_square_root
from ccsim.errors import InputError
from ccsim.models.affine import mantissa_array

__all__ = ["LayerNorm"]

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
        try:
            object.__setattr__(self, "epsilon", Fraction(self.epsilon))
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError("epsilon", self.epsilon, "a rational number of at least 0") from error
        if self.epsilon < 0:
            raise InputError("epsilon", self.epsilon, "a rational number of at least 0")

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
        precision, width = self.precision, len(self.gain)
        if values.shape[-1:] != (width,):
            raise InputError("values", values.shape, f"an array of shape (..., {width})")
        span, scale = precision.high - precision.low + 1, precision.scale
        fits = max(width * span**2, span * scale) + int(self.epsilon * scale**2) < WORD_BOUND
        exact = values.astype(np.int64).astype(np.int64 if fits else object)
        centred = exact - floor_divide(exact.sum(axis=-1, keepdims=True), width)
        variance = floor_divide((centred * centred).sum(axis=-1, keepdims=True), width)
        deviation = np.maximum(integer_square_root(variance + int(self.epsilon * scale**2)), 1)
        unit = precision.saturate(floor_divide(centred * scale, deviation)).astype(exact.dtype)
        scaled = floor_divide(unit * self.gain, scale) + self.bias
        return precision.saturate(scaled).astype(values.dtype, copy=False)
