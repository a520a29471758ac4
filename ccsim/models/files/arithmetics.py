"""Float64, in which models are run before they are quantised."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.arithmetic import float_product
from ccsim.arrays import Array
from ccsim.models.float_functions import FLOAT_FUNCTIONS


class Double:
    """Float64 as NumPy computes it: what models are compared with. It decides nothing."""

    def number(self, value: float) -> Any:
        """As it is."""
        return np.float64(value)

    def add(self, first: Array, *rest: Array) -> Array:
        """The sum."""
        return np.asarray(sum(rest, first))

    def subtract(self, first: Array, second: Array) -> Array:
        """The difference."""
        return np.asarray(first - second)

    def multiply(self, first: Array, second: Array) -> Array:
        """The product."""
        return np.asarray(first * second)

    def divide(self, first: Array, second: Array) -> Array:
        """The quotient; by 0 it is 0."""
        return np.asarray(np.where(second == 0, 0, first / np.where(second == 0, 1, second)))

    def linear(self, inputs: Array, weights: Array, bias: Array | None = None) -> Array:
        """The product of matrices, and the bias."""
        product = float_product(inputs, weights.T)
        return np.asarray(product if bias is None else product + bias)

    def products(self, *pairs: tuple[Array, Array]) -> Array:
        """The sum of the products."""
        return np.asarray(sum(first * second for first, second in pairs))

    def apply(self, name: str, values: Array) -> Array:
        """As NumPy and SciPy have it."""
        return FLOAT_FUNCTIONS[name](values)
