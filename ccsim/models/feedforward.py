"""Feed-forward networks whose first layer is an exact rational matrix: any function of W x."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from numbers import Integral
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray, Precision, as_precision, exact_matmul, narrow
from ccsim.errors import InputError
from ccsim.models.random_weights import random_mantissas
from ccsim.models.tokenwise import Dense


def _identity(values: IntArray) -> IntArray:
    return values


@dataclass(frozen=True, eq=False)
class FeedForward:
    """x -> g(W x), where all that g ever sees of x is W x.

    Attributes:
        numerators: integers, shape (k, n): W is numerators / denominator.
        denominator: a positive integer.
        function: g, any function of arrays (batch, k): of integers, or of Fractions in an object array where W or
            the inputs are not all integers.

    >>> network = FeedForward.of([[1, 1, 0], [0, 1, Fraction(1, 2)]])
    >>> network(np.array([[1, 2, 4]])).tolist()
    [[Fraction(3, 1), Fraction(4, 1)]]
    """

    numerators: IntArray
    denominator: int = 1
    function: Callable[[IntArray], IntArray] = _identity

    def __post_init__(self) -> None:
        numerators = np.asarray(self.numerators)
        if numerators.ndim != 2 or 0 in numerators.shape or numerators.dtype.kind not in "iuO":
            raise InputError("numerators", self.numerators, "integers of shape (k, n)")
        if numerators.dtype == object and not all(isinstance(entry, int) for entry in numerators.flat):
            raise InputError("numerators", self.numerators, "integers of shape (k, n)")
        require_integer("denominator", self.denominator, low=1)
        if not callable(self.function):
            raise InputError("function", self.function, "a function of W x")
        numerators = narrow(numerators.astype(object))
        numerators.setflags(write=False)
        object.__setattr__(self, "numerators", numerators)

    @classmethod
    def of(cls, weights: Any, function: Callable[[IntArray], IntArray] = _identity) -> FeedForward:
        """From a matrix of integers and Fractions; a float counts as the rational number that it stores.

        Raises :class:`~ccsim.errors.InputError` for anything else, NaN and infinity included.
        """
        matrix = _fractions("weights", weights)
        if matrix.ndim != 2 or not matrix.size:
            raise InputError("weights", matrix.shape, "a matrix of shape (k, n)")
        denominator = lcm(*(entry.denominator for entry in matrix.flat))
        numerators = np.array([[int(entry * denominator) for entry in row] for row in matrix], dtype=object)
        return cls(numerators, denominator, function)

    @classmethod
    def from_layers(cls, weights: Any, precision: int | Precision, layers: Sequence[Dense]) -> FeedForward:
        """W x, rounded down to a precision and saturated, then dense layers of that precision."""
        precision, layers = as_precision(precision), tuple(layers)
        for number, layer in enumerate(layers, start=1):
            if not isinstance(layer, Dense) or layer.precision != precision:
                raise InputError("layers", layer, f"layer {number} as a dense layer of {precision}")

        def function(values: IntArray) -> IntArray:
            mantissas = precision.quantise(values, "W x", saturate=True)
            for layer in layers:
                mantissas = layer(mantissas)
            return mantissas

        return cls.of(weights, function)

    @classmethod
    def random(cls, *, inputs: int, width: int, seed: int | str, largest: int = 9) -> FeedForward:
        """Integer weights from -largest to largest, drawn from a seed, and nothing after the first layer."""
        shape = (require_integer("width", width, low=1), require_integer("inputs", inputs, low=1))
        end = require_integer("largest", largest, low=1, high=1 << 31)
        return cls(random_mantissas(shape, -end, end, seed, "first layer"))

    @property
    def width(self) -> int:
        """The rows of W: k."""
        return int(self.numerators.shape[0])

    @property
    def inputs(self) -> int:
        """The columns of W: n."""
        return int(self.numerators.shape[1])

    def first_layer(self, inputs: Any) -> IntArray:
        """W x, shape (..., k), for integers or Fractions x of shape (..., n): integers, or Fractions, always exact."""
        array = np.asarray(inputs)
        if array.ndim == 0 or array.shape[-1] != self.inputs:
            raise InputError("inputs", array.shape, f"an array of shape (..., {self.inputs})")
        whole = array.dtype.kind in "iu"
        if whole and self.denominator == 1:
            return exact_matmul(array, self.numerators.T)
        exact = _fractions("inputs", array)
        common = lcm(*(entry.denominator for entry in exact.flat)) if exact.size else 1
        scaled = np.array([int(entry * common) for entry in exact.flat], dtype=object).reshape(exact.shape)
        products = np.asarray(exact_matmul(scaled, self.numerators.T))
        quotients = np.empty(products.shape, dtype=object)
        for place, product in np.ndenumerate(products):
            quotients[place] = Fraction(int(product), common * self.denominator)
        return quotients

    def __call__(self, inputs: Any) -> IntArray:
        """g(W x) for integers or Fractions x of shape (..., n)."""
        return np.asarray(self.function(self.first_layer(inputs)))


def _fractions(argument: str, values: Any) -> IntArray:
    """The same numbers as exact Fractions in an object array."""
    array = np.asarray(values)
    if array.dtype.kind not in "iufO":
        raise InputError(argument, values, "integers and Fractions")
    exact = np.empty(array.shape, dtype=object)
    for place, value in np.ndenumerate(array):
        try:
            exact[place] = Fraction(int(value) if isinstance(value, Integral) else value)
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(argument, value, "integers and Fractions") from error
    return exact
