"""The elementary functions in float64, for the ordinary forward passes that models are compared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import lazy_loader as lazy
import numpy as np

from ccsim.arrays import Array

scipy = lazy.load("scipy")


def _sigmoid(x: Array) -> Array:
    return np.asarray(0.5 * (1 + np.tanh(x / 2)))


FLOAT_FUNCTIONS: Mapping[str, Callable[[Array], Array]] = {
    "identity": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "sign": np.sign,
    "threshold": lambda x: (x > 0).astype(np.float64),
    "exp": np.exp,
    "elu_plus_one": lambda x: np.exp(np.minimum(x, 0)) + np.maximum(x, 0),
    "sigmoid": _sigmoid,
    "tanh": np.tanh,
    "softplus": lambda x: np.logaddexp(0, x),
    "silu": lambda x: x * _sigmoid(x),
    "gelu": lambda x: x * scipy.special.ndtr(x),
    "gelu_tanh": lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    "sin": np.sin,
    "cos": np.cos,
}
"""By the names of :data:`ccsim.arithmetic.FUNCTIONS`, where models use them."""
