"""Float64 in place of mantissas: a model of these numbers computes as its owner does, and decides nothing.

Models are written in exact operations that take an :class:`~ccsim.arithmetic.Enclosure` in place of integers. Arrays of
real numbers are one, of a single point, and nothing is rounded but by the processor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import lazy_loader as lazy
import numpy as np

from ccsim.arithmetic import Enclosure, Precision, float_product
from ccsim.errors import Array

scipy = lazy.load("scipy")


FLOAT_FUNCTIONS: Mapping[str, Callable[[Array], Array]] = {
    "identity": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "sign": np.sign,
    "threshold": lambda x: (x > 0).astype(np.float64),
    "exp": np.exp,
    "elu_plus_one": lambda x: np.exp(np.minimum(x, 0)) + np.maximum(x, 0),
    "sigmoid": lambda x: scipy.special.expit(x),  # noqa: PLW0108 - loads SciPy when it is used
    "tanh": np.tanh,
    "softplus": lambda x: np.logaddexp(0, x),
    "silu": lambda x: x * scipy.special.expit(x),
    "gelu": lambda x: x * scipy.special.ndtr(x),
    "gelu_tanh": lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    "sin": np.sin,
    "cos": np.cos,
}
"""By the names of :data:`ccsim.arithmetic.FUNCTIONS`, where models use them."""


class Reals(Enclosure, np.ndarray):
    """An array of float64 on which the exact operations are the ordinary ones.

    >>> from ccsim.arithmetic import sum_of_products
    >>> REAL.round_down(sum_of_products((REAL.quantise([0.5]), 3))).tolist()
    [1.5]
    """

    __array_priority__ = 1.0  # so that joined to integers it stays what it is

    def matmul(self, weights: Any) -> Array:
        return float_product(np.asarray(self), np.asarray(weights)).view(Reals)

    def plus_product(self, pairs: tuple[tuple[Any, Any], ...]) -> Array:
        return np.asanyarray(sum(one * two for one, two in pairs))

    def weighted_mean(self, scale: int, share: Any, one: Any, two: Any) -> Array:
        return np.asanyarray((scale - share) * one + share * two)

    def floor_divided(self, divisor: Any) -> Array:
        return np.asanyarray(self / divisor)

    def saturated(self, low: int, high: int) -> Array:
        return self

    def mapped(self, function: Callable[[Any], Any], name: str, argument: Any, result: Any) -> Array:
        return np.asarray(FLOAT_FUNCTIONS[name](np.asarray(self))).view(Reals)


class _Unrounded(Precision):
    """The precision of :class:`Reals`, which are their own mantissas."""

    def quantise(self, values: Any, argument: str = "values", *, saturate: bool = False) -> Array:
        return np.asarray(values, dtype=np.float64).view(Reals)

    def require(self, mantissas: Any, argument: str = "mantissas") -> Array:
        array = np.asarray(mantissas)
        return array if array.dtype.kind == "i" else self.quantise(array)


REAL = _Unrounded(1, 0, 0)
