"""The operations that the steps of models are written in once, for any arithmetic."""

from __future__ import annotations

from typing import Any, Protocol

from ccsim.arrays import Array

__all__ = ["Operations"]


class Operations(Protocol):
    """The operations that the steps of models are written in, on arrays of numbers of one kind."""

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

    def linear(self, inputs: Array, weights: Array, bias: Array | None = None) -> Array:
        """The map of inputs (..., inputs) by a matrix (outputs, inputs) and a bias (outputs,)."""

    def products(self, *pairs: tuple[Array, Array]) -> Array:
        """The sum of products of pairs, entry by entry, from left to right."""

    def apply(self, name: str, values: Array) -> Array:
        """An elementary function."""
