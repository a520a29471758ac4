"""How steep elementary functions are: the least and the largest derivative between two mantissas, proved.

Derivatives are enclosed by interval arithmetic (Arb, Johansson 2017) on blocks of neighbouring mantissas; the range
over many blocks comes from a table of the ranges over 1, 2, 4, ... of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import lazy_loader as lazy
import numpy as np

from ccsim.arithmetic.functions import logistic, normal
from ccsim.arithmetic.integers import IntArray

flint = lazy.load("flint")

SLOPE_BITS = 14
"""Slopes are integers over 2^14."""

PARTS_BITS = 7  # a block is at most 1/128 long, where there are not too many
MOST_BLOCKS = 1 << 16


DERIVATIVES: dict[str, Callable[[Any], Any]] = {
    "exp": lambda x: x.exp(),
    "sigmoid": lambda x: logistic(x) * (1 - logistic(x)),
    "tanh": lambda x: 4 * logistic(2 * x) * (1 - logistic(2 * x)),
    "softplus": logistic,
    "silu": lambda x: logistic(x) * (1 + x * (1 - logistic(x))),
    "gelu": lambda x: normal(x) + x * (-x * x / 2).exp() / (2 * flint.arb.pi()).sqrt(),
    "identity": lambda x: flint.arb(1),
    "relu": lambda x: flint.arb(0.5, 0.5) if x.contains(0) else flint.arb(int(x > 0)),
}
"""The derivatives that are known, from a ball of arguments to a ball of values."""


class SlopeTable:
    """The derivative of one function over ranges of mantissas.

    >>> table = slope_table("tanh", 256, -2048, 2047)
    >>> least, most = table.between(np.array([0, 512]), np.array([0, 2000]))
    >>> bool(0.97 < least[0] / 2**SLOPE_BITS < most[0] / 2**SLOPE_BITS < 1.01), bool(most[1] / 2**SLOPE_BITS < 0.08)
    (True, True)
    """

    def __init__(self, name: str, scale: int, low: int, high: int) -> None:
        self.low, self.bits = low, max(0, scale.bit_length() - 1 - PARTS_BITS)
        while (high - low) >> self.bits >= MOST_BLOCKS:
            self.bits += 1
        least, most = _block_slopes(name, scale, low, high, 1 << self.bits)
        self.levels = [(least, most)]
        while len(self.levels[-1][0]) > 1 << len(self.levels) - 1:
            below, above = self.levels[-1]
            step = 1 << len(self.levels) - 1
            self.levels.append((np.minimum(below[:-step], below[step:]), np.maximum(above[:-step], above[step:])))
        self.least = np.concatenate([level[0] for level in self.levels])
        self.most = np.concatenate([level[1] for level in self.levels])
        self.offsets = np.cumsum([0, *(len(level[0]) for level in self.levels)])

    def between(self, first: IntArray, last: IntArray) -> tuple[IntArray, IntArray]:
        """The least and the largest slope from ``first`` to ``last`` (first <= last), over 2^SLOPE_BITS."""
        start, end = (first - self.low) >> self.bits, (last - self.low) >> self.bits
        level = np.frexp((end - start + 1).astype(np.float64))[1] - 1
        base = self.offsets[level]
        one, two = base + start, base + end + 1 - (1 << level)
        return np.minimum(self.least[one], self.least[two]), np.maximum(self.most[one], self.most[two])


@cache
def slope_table(name: str, scale: int, low: int, high: int) -> SlopeTable | None:
    """The table for mantissas from ``low`` to ``high`` over ``scale``; None for a function of unknown derivative."""
    return SlopeTable(name, scale, low, high) if name in DERIVATIVES else None


def _block_slopes(name: str, scale: int, low: int, high: int, size: int) -> tuple[IntArray, IntArray]:
    """For each block of so many mantissas, neighbours' ends included, slopes rounded outwards."""
    derivative, unit = DERIVATIVES[name], 1 << SLOPE_BITS
    least, most = [], []
    for first in range(low, high + 1, size):
        middle, radius = flint.arb(2 * first + size) / (2 * scale), flint.arb(size) / (2 * scale)
        slope = derivative(middle + flint.arb(0, 1) * radius) * unit
        least.append(int(slope.lower().floor().unique_fmpz()))
        most.append(int(slope.upper().ceil().unique_fmpz()))
    return np.array(least, dtype=np.int64), np.array(most, dtype=np.int64)
