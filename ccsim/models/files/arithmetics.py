"""In what arithmetic a model is run: float64 as it comes, or formats in which every step is rounded as it is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ccsim.arithmetic import FORMATS, FloatFormat, float_product, nearest
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.float_functions import FLOAT_FUNCTIONS

__all__ = ["ARITHMETICS", "Double", "FloatArithmetic", "as_arithmetic"]

LARGEST_INT8 = 127
BLOCK_ENTRIES = 1 << 18  # sums that are made at once: they should stay in a processor's cache


class Double:
    """Float64 as NumPy computes it: what models are compared with. It decides nothing."""

    @property
    def memory(self) -> Double:
        """The same."""
        return self

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

    def root(self, values: Array) -> Array:
        """The square root; 0 where rounding has made it negative."""
        return np.asarray(np.sqrt(np.maximum(values, 0)))

    def contracted(self, vectors: Array, matrices: Array) -> Array:
        """The sums of products."""
        return np.asarray((vectors[..., None, :] @ matrices)[..., 0, :])

    def fade(self, *pairs: tuple[Array, Array]) -> Array:
        """exp of the sum of the products."""
        return np.asarray(np.exp(self.products(*pairs)))

    def normalised(self, vectors: Array, epsilon: float, count: int = 1) -> Array:
        """Vectors divided by the root."""
        square = (vectors * vectors).sum(axis=-1, keepdims=True) / count
        return self.divide(vectors, np.asarray(np.sqrt(square + epsilon)))

    def centred(self, vectors: Array) -> Array:
        """Vectors less their means."""
        return np.asarray(vectors - vectors.mean(axis=-1, keepdims=True))

    def apply(self, name: str, values: Array) -> Array:
        """As NumPy and SciPy have it."""
        return FLOAT_FUNCTIONS[name](values)


@dataclass(frozen=True)
class FloatArithmetic:
    """Floating point, rounded to nearest with ties to even, in this order and no other.

    - Weights are rounded to the format; with ``weights`` = "int8" those of linear maps are whole numbers from -127 to
      127 times a scale for each row, the row's largest magnitude / 127 in single precision, and that product rounded.
    - A sum of products, such as each number of a linear map, is made in the format ``sums``: each product is rounded,
      and then added to the sum of those on its left, which is rounded; at last the bias is added; then the sum is
      rounded to the format.
    - Every other sum, product and quotient of two numbers is rounded to the format; a quotient by 0 is 0.
    - Elementary functions have their true value, rounded once. Libraries may be off in the last place.
    - What is beyond the range becomes infinite, numbers below the normal ones keep the bits that are left, and NaN
      goes through, as in IEEE 754; a read-out with NaN is no answer.

    Attributes:
        name: what it is called, such as "bf16" or "int8".
        format: of all numbers.
        sums: of sums of products on the way.
        weights: "rounded", or "int8".

    >>> print(as_arithmetic("bf16"))
    bf16 (sums of products in fp32 from left to right, each step rounded to nearest even)
    """

    name: str
    format: FloatFormat
    sums: FloatFormat
    weights: str = "rounded"

    @property
    def bits(self) -> int:
        """The bits of a number."""
        return self.format.bits

    def __str__(self) -> str:
        whole = ", weights of linear maps in int8 with a scale for each row" if self.weights == "int8" else ""
        return (
            f"{self.format} (sums of products in {self.sums} from left to right, "
            f"each step rounded to nearest even{whole})"
        )

    def rounded(self, values: Array) -> Array:
        """Real numbers in the format."""
        return self.format.nearest(values)

    def weights_of(self, matrix: Array) -> Array:
        """The matrix (outputs, inputs) of a linear map, in the format."""
        if self.weights == "rounded":
            return self.rounded(matrix)
        single = FORMATS["fp32"]
        scales = single.nearest(np.abs(matrix).max(axis=-1, keepdims=True) / LARGEST_INT8)
        whole = np.rint(matrix / np.where(scales > 0, scales, 1).astype(np.float64))
        return self.rounded(np.clip(whole, -LARGEST_INT8, LARGEST_INT8) * scales.astype(np.float64))

    def number(self, value: float) -> Any:
        """A number, rounded."""
        return np.float32(self.format.nearest(np.asarray(value)))

    def add(self, first: Array, *rest: Array) -> Array:
        """The sum from left to right, entry by entry, rounded at each step."""
        for other in rest:
            with _as_in_ieee():
                first = self.format.round(np.asarray(first + other))
        return first

    def subtract(self, first: Array, second: Array) -> Array:
        """The difference, entry by entry, rounded."""
        with _as_in_ieee():
            return self.format.round(np.asarray(first - second))

    def multiply(self, first: Array, second: Array) -> Array:
        """The product, entry by entry, rounded."""
        with _as_in_ieee():
            return self.format.round(np.asarray(first * second))

    def divide(self, first: Array, second: Array) -> Array:
        """The quotient, entry by entry, rounded; by 0 it is 0."""
        with _as_in_ieee():
            return self.format.round(np.where(second == 0, np.float32(0), np.asarray(first / second)))

    def root(self, values: Array) -> Array:
        """The square root, rounded."""
        with _as_in_ieee():
            return self.format.round(np.sqrt(values))

    def linear(self, inputs: Array, weights: Array, bias: Array | None = None) -> Array:
        """Each output by a sum of products, inputs from first to last, then the bias."""
        rows = inputs.reshape(-1, inputs.shape[-1])
        outputs = np.empty((len(rows), len(weights)), dtype=np.float32)
        columns, size = np.ascontiguousarray(weights.T), max(1, BLOCK_ENTRIES // len(weights))
        for first in range(0, len(rows), size):
            block = np.ascontiguousarray(rows[first : first + size].T)[:, :, None]
            pairs = ((block[place], columns[place]) for place in range(len(columns)))
            outputs[first : first + size] = self._sum(pairs, bias)
        return outputs.reshape(*inputs.shape[:-1], len(weights))

    def products(self, *pairs: tuple[Array, Array]) -> Array:
        """The sum of products of pairs, entry by entry, from left to right."""
        return self._sum(pairs, None)

    def _sum(self, pairs: Any, bias: Array | None) -> Array:
        total = None
        with _as_in_ieee():
            for one, other in pairs:
                product = self.sums.round(one * other)
                total = product if total is None else self.sums.round(np.asarray(total + product))
            if bias is not None:
                total = self.sums.round(np.asarray(total + bias))
        return self.format.round(np.asarray(total))

    def contracted(self, vectors: Array, matrices: Array) -> Array:
        """The sums of products, rows from first to last."""
        rows = range(vectors.shape[-1])
        return self.products(*((vectors[..., row, None], matrices[..., row, :]) for row in rows))

    def fade(self, *pairs: tuple[Array, Array]) -> Array:
        """exp of a sum of products."""
        return self.apply("exp", self.products(*pairs))

    def normalised(self, vectors: Array, epsilon: float, count: int = 1) -> Array:
        """Vectors divided by the root, each step rounded in the format of sums, and the quotient to the format."""
        inside = self._inside
        columns = np.moveaxis(vectors, -1, 0)
        square = inside.divide(inside.products(*((column, column) for column in columns)), inside.number(count))
        root = inside.root(inside.add(square, inside.number(epsilon)))
        return self.format.round(inside.divide(vectors, root[..., None]))

    def centred(self, vectors: Array) -> Array:
        """Vectors less their means, in the format of sums, in which they stay."""
        inside = self._inside
        mean = inside.divide(inside.add(*np.moveaxis(vectors, -1, 0)), inside.number(vectors.shape[-1]))
        return inside.subtract(vectors, mean[..., None])

    @property
    def memory(self) -> FloatArithmetic:
        """The same: all that is carried has the format of the numbers."""
        return self

    @property
    def _inside(self) -> FloatArithmetic:
        """The arithmetic of norms."""
        return replace(self, format=self.sums)

    def apply(self, name: str, values: Array) -> Array:
        """The true value of the function, rounded once."""
        return nearest(name, self.format)(values)

    def capped(self, values: Array, cap: float) -> Array:
        """cap * tanh(values / cap), each step rounded: what is far above the cap becomes equal."""
        return self.multiply(self.apply("tanh", self.divide(values, self.number(cap))), self.number(cap))


def _as_in_ieee() -> Any:
    """Infinities and NaN are values and no errors."""
    return np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore")


def _arithmetics() -> Mapping[str, FloatArithmetic]:
    single = FORMATS["fp32"]
    plain = [FloatArithmetic(name, format_, single) for name, format_ in FORMATS.items()]
    narrow = [FloatArithmetic(f"{each.name}-only", each, each) for each in FORMATS.values() if each != single]
    whole = [
        replace(each, name="int8" if each.format == single else f"int8-{each.name}", weights="int8") for each in plain
    ]
    return {each.name: each for each in (*plain, *narrow, *whole)}


ARITHMETICS = _arithmetics()
"""By their names: fp32, fp16 and bf16 make sums of products in single precision, fp16-only and bf16-only in the format
itself; int8, int8-fp16 and int8-bf16 have the weights of linear maps in whole numbers."""


def as_arithmetic(name: str) -> FloatArithmetic:
    """The arithmetic of this name, one of :data:`ARITHMETICS`."""
    if not isinstance(name, str) or name not in ARITHMETICS:
        raise InputError("arithmetic", name, f"one of {', '.join(ARITHMETICS)}")
    return ARITHMETICS[name]
