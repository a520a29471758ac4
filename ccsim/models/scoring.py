"""How positions and soft caps change logits: rotated queries and keys, costs of distance, windows, tanh."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray, Precision, elementary, floor_divide
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.exact_numbers import exact_number
from ccsim.models.rotary import Rotary

__all__ = ["PLAIN", "Scoring", "alibi_slopes", "mpt_slopes", "soft_capped"]

SLOPE_BITS = 53


def alibi_slopes(heads: int) -> tuple[Fraction, ...]:
    """The slopes of ALiBi (Press, Smith and Lewis 2022) for so many heads, exact where they are rational.

    For a power of two they are 2^(-8h / heads), h from 1; for other numbers those of the power of two below, and
    then every second one of the power of two above. Those that are irrational (beyond 8 heads) are rounded down to
    steps of 2^-53.

    >>> [str(slope) for slope in alibi_slopes(3)]
        ['1/16', '1/256', '1/4']
    """
    heads = require_integer("heads", heads, low=1, high=1 << 16)
    below = 1 << (heads.bit_length() - 1)

    def powers(count: int) -> list[Fraction]:
        return [_power_of_two(Fraction(8 * head, count)) for head in range(1, count + 1)]

    return tuple((powers(below) + powers(2 * below)[::2])[:heads])


def mpt_slopes(heads: int, largest: int = 8) -> tuple[Fraction, ...]:
    """The slopes of MPT: as :func:`alibi_slopes` for powers of two, in another order for other numbers of heads.

    >>> [str(slope) for slope in mpt_slopes(3)]
    ['1/16', '1/256', '1/4']
    """
    count = 1 << (require_integer("heads", heads, low=1, high=1 << 16) - 1).bit_length()
    slopes = [_power_of_two(Fraction(largest * head, count)) for head in range(1, count + 1)]
    return tuple(slopes if count == heads else (slopes[1::2] + slopes[::2])[:heads])


def _power_of_two(exponent: Fraction) -> Fraction:
    """2^-exponent, the exponent over a power of two; rounded down to steps of 2^-53 if it is irrational."""
    if exponent.denominator == 1:
        return Fraction(1, 1 << exponent.numerator)
    root = 1 << (SLOPE_BITS * exponent.denominator - exponent.numerator)
    for _ in range(exponent.denominator.bit_length() - 1):
        root = isqrt(root)
    return Fraction(root, 1 << SLOPE_BITS)


def soft_capped(precision: Precision, mantissas: IntArray, cap: Fraction) -> IntArray:
    """floor(cap * tanh(x / cap)) in steps of the precision, rounded down exactly; it never falls where x rises.

    >>> soft_capped(Precision.of(12), np.array([-512, 0, 64, 512]), Fraction(1)).tolist()  # tanh of -2, 0, 1/4, 2
    [-247, 0, 62, 246]
    """
    steps = cap * precision.scale
    if steps.denominator != 1:
        raise InputError("soft_cap", str(cap), f"a whole number of steps of 1/{precision.scale}")
    end = int(steps)
    tanh = elementary("tanh", Precision(end, precision.low, precision.high), Precision(end, -end, end))
    return precision.saturate(tanh(mantissas))


@dataclass(frozen=True)
class Scoring:
    """What is done to queries, keys and logits beside their product, in this order.

    - Queries and keys are turned as at their positions (``rotary``).
    - A logit becomes floor(cap * tanh(logit / cap)) (``soft_cap``, Gemma 2): it keeps the order of logits, but equal
      ones can come of different ones.
    - At distance d, floor(-slope * d) is added, saturating (``slope``, ALiBi).
    - Only positions at a distance below ``window`` are seen.

    All of it is a function of one query, one key and their positions, so whoever holds a position can work out the
    logit there from the query at the last position.

    >>> scoring = Scoring(slope=Fraction(1, 2), window=3)
    >>> scoring.logits(Precision.of(12), np.zeros((1, 4), dtype=int), np.array([[3, 2, 1, 0]])).tolist()
    [[-384, -256, -128, 0]]
    >>> scoring.seen(np.array([[3, 2, 1, 0]])).tolist()
    [[False, True, True, True]]
    """

    rotary: Rotary | None = None
    soft_cap: Fraction | None = None
    slope: Fraction | None = None
    window: int | None = None

    def __post_init__(self) -> None:
        if self.rotary is not None and not isinstance(self.rotary, Rotary):
            raise InputError("rotary", self.rotary, "a Rotary, or None")
        for argument in ("soft_cap", "slope"):
            if getattr(self, argument) is not None:
                object.__setattr__(self, argument, exact_number(argument, getattr(self, argument)))
        if self.window is not None:
            require_integer("window", self.window, low=1)

    @property
    def is_plain(self) -> bool:
        """Whether logits are products of queries and keys and nothing else."""
        return self == PLAIN

    def rotated(self, vectors: IntArray, places: IntArray) -> IntArray:
        """Queries or keys (..., width) as at their positions, counted from 0."""
        return vectors if self.rotary is None else self.rotary(vectors, places)

    def logits(self, precision: Precision, logits: IntArray, distances: IntArray) -> IntArray:
        """Logits after the soft cap and the cost of the distances between query and key, which broadcast."""
        if self.soft_cap is not None:
            logits = soft_capped(precision, logits, self.soft_cap)
        if self.slope is None:
            return logits
        factor = -self.slope * precision.scale
        costs = floor_divide(np.asarray(distances).astype(object) * factor.numerator, factor.denominator)
        return precision.saturate(logits + np.maximum(costs, precision.low - precision.high).astype(np.int64))

    def of_floats(self, logits: Array, distances: IntArray) -> Array:
        """The same in float64, -infinity where nothing is seen; it decides nothing."""
        if self.soft_cap is not None:
            logits = float(self.soft_cap) * np.tanh(logits / float(self.soft_cap))
        logits = logits - float(self.slope or 0) * distances
        return logits if self.window is None else np.where(distances < self.window, logits, -np.inf)

    def seen(self, distances: IntArray) -> IntArray | None:
        """Which of these distances are seen; None if all are."""
        return None if self.window is None else np.asarray(distances) < self.window


PLAIN = Scoring()
"""Products of queries and keys, and nothing else."""
