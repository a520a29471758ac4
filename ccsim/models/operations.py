"""The operations that the steps of models are written in once, for any arithmetic; and what they are in fixed point."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from ccsim.arithmetic import (
    Precision,
    elementary,
    exact_matmul,
    exponential,
    floor_divide,
    integer_square_root,
    sum_of_products,
)
from ccsim.arrays import Array

__all__ = ["FixedPoint", "Operations"]


class Operations(Protocol):
    """The operations that the steps of models are written in, on arrays of numbers of one kind."""

    @property
    def memory(self) -> Operations:
        """The arithmetic of what is carried from step to step, where it has a precision of its own."""

    def number(self, value: float) -> Any:
        """A number."""

    def add(self, first: Array, *rest: Array) -> Array:
        """The sum from left to right, entry by entry."""

    def subtract(self, first: Array, second: Array) -> Array:
        """The difference, entry by entry."""

    def multiply(self, first: Array, second: Array) -> Array:
        """The product, entry by entry."""

    def divide(self, first: Array, second: Array) -> Array:
        """The quotient by numbers that are not negative, entry by entry; by 0 it is 0."""

    def root(self, values: Array) -> Array:
        """The square root, entry by entry."""

    def linear(self, inputs: Array, weights: Array, bias: Array | None = None) -> Array:
        """The map of inputs (..., inputs) by a matrix (outputs, inputs) and a bias (outputs,)."""

    def products(self, *pairs: tuple[Array, Array]) -> Array:
        """The sum of products of pairs, entry by entry, from left to right."""

    def contracted(self, vectors: Array, matrices: Array) -> Array:
        """The sum of products (..., columns) of vectors (..., rows) with the rows of matrices (..., rows, columns)."""

    def fade(self, *pairs: tuple[Array, Array]) -> Array:
        """exp of a sum of products that is at most 0."""

    def normalised(self, vectors: Array, epsilon: float, count: int = 1) -> Array:
        """Vectors along the last axis, divided by the root of (their sum of squares / count + epsilon); 0 / 0 is 0."""

    def centred(self, vectors: Array) -> Array:
        """Vectors along the last axis less their means."""

    def apply(self, name: str, values: Array) -> Array:
        """An elementary function."""


@dataclass(frozen=True)
class FixedPoint:
    """Fixed point: every operation has its exact value, rounded down once, and saturates.

    Only two things on the way are rounded besides: the exponent of :meth:`fade`, which does not saturate, and in
    :meth:`normalised` the mean of squares (in steps of 1 / scale^2) and its root (in steps of 1 / scale).

    Attributes:
        precision: of the results.
        held: of what is carried, with the same steps.

    >>> a = FixedPoint(Precision.of(8), Precision.of(8))  # steps of 1/32
    >>> a.multiply(np.array([3, -3]), np.array([16, 16])).tolist()
    [1, -2]
    >>> a.normalised(np.array([96, 128]), 0.0).tolist()  # 3 and 4, divided by 5
    [19, 25]
    """

    precision: Precision
    held: Precision

    @property
    def memory(self) -> FixedPoint:
        """The same operations, with results in the precision of what is carried."""
        return FixedPoint(self.held, self.held)

    def number(self, value: float) -> Any:
        """A number, rounded down; it need not be in range, as it only stands in products."""
        return np.int64(Fraction(value) * self.precision.scale // 1)

    def add(self, first: Array, *rest: Array) -> Array:
        """The sum, exact but for saturation."""
        return self.precision.saturate(sum_of_products(*((part, 1) for part in (first, *rest))))

    def subtract(self, first: Array, second: Array) -> Array:
        """The difference, exact but for saturation."""
        return self.precision.saturate(sum_of_products((first, 1), (second, -1)))

    def multiply(self, first: Array, second: Array) -> Array:
        """The product, rounded down."""
        return self.products((first, second))

    def divide(self, first: Array, second: Array) -> Array:
        """The quotient, rounded down; by 0 it is 0."""
        above = sum_of_products((first, self.precision.scale))
        return self.precision.saturate(np.where(second > 0, floor_divide(above, np.maximum(second, 1)), 0))

    def root(self, values: Array) -> Array:
        """The square root, rounded down."""
        return self.precision.saturate(integer_square_root(sum_of_products((values, self.precision.scale))))

    def linear(self, inputs: Array, weights: Array, bias: Array | None = None) -> Array:
        """The product rounded down, and then the bias."""
        product = floor_divide(exact_matmul(inputs, weights.T), self.precision.scale)
        return self.precision.saturate(product if bias is None else product + bias)

    def products(self, *pairs: tuple[Array, Array]) -> Array:
        """The exact sum of the products, rounded down."""
        return self.precision.round_down(sum_of_products(*pairs))

    def contracted(self, vectors: Array, matrices: Array) -> Array:
        """The exact sums of products, rounded down."""
        return self.precision.round_down(exact_matmul(vectors[..., None, :], matrices)[..., 0, :])

    def fade(self, *pairs: tuple[Array, Array]) -> Array:
        """exp of the exact sum rounded down, rounded down: from 0 to 1."""
        return exponential(self.precision)(floor_divide(sum_of_products(*pairs), self.precision.scale))

    def normalised(self, vectors: Array, epsilon: float, count: int = 1) -> Array:
        """Each entry divided by the root, rounded down; a root below one step is one."""
        scale = self.precision.scale
        columns = [vectors[..., place : place + 1] for place in range(vectors.shape[-1])]
        square = floor_divide(sum_of_products(*((column, column) for column in columns)), count)
        root = integer_square_root(sum_of_products((square, 1), (int(Fraction(epsilon) * scale**2), 1)))
        return self.precision.saturate(floor_divide(sum_of_products((vectors, scale)), np.maximum(root, 1)))

    def centred(self, vectors: Array) -> Array:
        """Each entry less the mean rounded down; the difference does not saturate."""
        columns = [vectors[..., place : place + 1] for place in range(vectors.shape[-1])]
        mean = floor_divide(sum_of_products(*((column, 1) for column in columns)), len(columns))
        return sum_of_products((vectors, 1), (mean, -1))

    def apply(self, name: str, values: Array) -> Array:
        """The function, rounded down."""
        return elementary(name, self.precision, self.precision)(values)
