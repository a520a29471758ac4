"""What graphs of ONNX compute with, word by word: arrays with an axis for the words in front, of one or of all of them.

A graph is followed with whatever batch it was exported for; the axis in front is ours, so that shapes within the graph
are those that it was written for. What does not depend on the words has this axis with length 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.arithmetics import FloatArithmetic
from ccsim.models.files.onnx_files import Operation
from ccsim.models.operations import FixedPoint, Operations

__all__ = [
    "MOST_ENTRIES",
    "MOST_PRODUCTS",
    "Given",
    "Inputs",
    "Rule",
    "Run",
    "aligned",
    "divided",
    "first_of",
    "reals",
    "second_of",
    "soft_maximum",
    "square_root",
]

MOST_ENTRIES = 1 << 22  # numbers that are computed for one batch of words
MOST_PRODUCTS = 1 << 26  # and products for it


@dataclass(frozen=True, eq=False)
class Given:
    """A value in a graph.

    Attributes:
        array: shape (words, ...): numbers as the arithmetic keeps them, or int64.
        real: whether these are numbers of the arithmetic.
    """

    array: Array
    real: bool

    def fixed(self) -> Array:
        """What is the same for all words, without their axis."""
        if len(self.array) != 1:
            raise InputError("graph", "a shape or place that depends on the word", "one that is the same for all words")
        return np.asarray(self.array[0])

    def whole(self) -> list[int]:
        """Whole numbers that are the same for all words, as a list."""
        found = self.fixed()
        if self.real or found.ndim > 1:
            raise InputError("graph", found.shape, "a list of whole numbers")
        return [int(each) for each in found.reshape(-1)]

    def of(self, array: Array) -> Given:
        """Another array of the same kind."""
        return replace(self, array=array)


@dataclass
class Run:
    """One evaluation.

    Attributes:
        arithmetic: of the numbers.
        numbers: makes real numbers those of the arithmetic.
        entries: how many numbers may still be computed for a word, and how many products.
        products: see ``entries``.
    """

    arithmetic: Operations
    numbers: Callable[[Array], Array] = field(repr=False)
    entries: int = MOST_ENTRIES
    products: int = MOST_PRODUCTS

    def spend(self, shape: tuple[int, ...], inner: int = 1) -> None:
        """Raises :class:`~ccsim.errors.InputError` if an array (words, ...) of this shape is too much."""
        count = prod(int(length) for length in shape[1:])
        self.entries -= count
        self.products -= count * inner
        if min(self.entries, self.products) < 0:
            raise InputError("graph", shape[1:], f"at most {MOST_ENTRIES} numbers and {MOST_PRODUCTS} products a word")


def aligned(*values: Array) -> tuple[Array, ...]:
    """Arrays (words, ...) with as many axes each: new ones of length 1 come behind that of the words."""
    axes = max(each.ndim for each in values)
    return tuple(each.reshape(each.shape[0], *(1,) * (axes - each.ndim), *each.shape[1:]) for each in values)


def soft_maximum(a: Operations, values: Array) -> Array:
    """exp of each entry less the largest, divided by their sum, along the last axis.

    In fixed point the sum is exact and does not saturate; in floating point powers, sum and quotient have the format of
    sums, as libraries do it, and the weights are then rounded.
    """
    largest = values.max(axis=-1, keepdims=True)
    inside: Any = replace(a, format=a.sums) if isinstance(a, FloatArithmetic) else a
    powers = inside.apply("exp", inside.subtract(values, largest))
    columns = np.moveaxis(powers, -1, 0)
    total = np.sum(columns, axis=0) if isinstance(a, FixedPoint) else inside.add(*columns)
    weights = inside.divide(powers, np.asarray(total)[..., None])
    return a.format.round(weights) if isinstance(a, FloatArithmetic) else np.asarray(weights)


Inputs = list[Given | None]
"""What goes into an operation; None for what is left out."""

Rule = Callable[[Run, Operation, Inputs], Given | list[Given]]
"""What an operation computes."""


def first_of(operation: Operation, given: Inputs) -> Given:
    """The first input, which must not be left out."""
    if not given or given[0] is None:
        raise InputError(f"operation {operation.kind}", "no input", "an input")
    return given[0]


def second_of(operation: Operation, given: Inputs) -> Given:
    """The second one, which must not be left out."""
    if len(given) < 2 or given[1] is None:
        raise InputError(f"operation {operation.kind}", "one input", "two inputs")
    return given[1]


def reals(run: Run, operation: Operation, given: Inputs, count: int) -> list[Array]:
    """All inputs, so many of them, which have to be numbers."""
    found = [each for each in given if each is not None]
    if len(found) != count or not all(each.real for each in found):
        raise InputError(f"operation {operation.kind}", f"{len(found)} inputs", f"{count} of floating-point numbers")
    run.spend(found[0].array.shape)
    return [each.array for each in found]


def divided(run: Run, first: Array, second: Array) -> Array:
    """The quotient, also by negative numbers; by 0 it is 0 in fixed point, else infinite or NaN, as in IEEE 754."""
    a = run.arithmetic
    if isinstance(a, FixedPoint):
        return a.divide(np.where(second < 0, -first, first), np.abs(second))
    with np.errstate(all="ignore"):
        quotient: Array = np.asarray(first / second)
    return a.format.round(quotient) if isinstance(a, FloatArithmetic) else quotient


def square_root(run: Run, values: Array) -> Array:
    """The square root; of negative numbers it is 0 in fixed point, else NaN, as in IEEE 754."""
    a = run.arithmetic
    if isinstance(a, FixedPoint):
        return a.root(np.maximum(values, 0))
    if isinstance(a, FloatArithmetic):
        return a.root(values)
    with np.errstate(all="ignore"):
        return np.asarray(np.sqrt(values))
