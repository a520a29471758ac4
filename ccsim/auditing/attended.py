"""What attention gives the last position, for whole sets of words at once, as zonotopes.

With t_i = exp(A_i / s) for the logits A_i in steps of 1 / s, m the largest logit, tau = exp(m / s), T the sum of all
t_i and v_i the values, a one-layer transformer works out e_i = s t_i / tau - f_i, Z = sum of e_i, and
S = sum of floor(s e_i / Z) v_i = sum of (s e_i / Z - g_i) v_i, where f_i and g_i are from 0 to 1 and not 1, and f_i = 0
at a largest logit. As the sum of f_i is s T / tau - Z, with M = (sum of t_i v_i) / T it follows that

    S / s = M + (1 / Z) sum of f_i (M - v_i) - (1 / s) sum of g_i v_i.

M is a quotient of two sums to which each position adds its part. What rounding does is bounded by Z, which is at least
s, and at least s T / tau - (N - 1). All numbers here are integers, every step rounds outwards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ccsim.arithmetic import IntArray, Zonotopes, floor_divide
from ccsim.arithmetic.zonotopes import UNIT
from ccsim.arrays import Array
from ccsim.auditing.segments import Entries
from ccsim.models.transformer import OneLayerTransformer

__all__ = ["Ranges", "Sums", "attended"]

LARGEST = 1 << 62
LEAST_WHOLE = 1 << 6  # steps of T for each position, so that what was rounded off in it is little


@dataclass(frozen=True, eq=False)
class Sums:
    """Sets of words by what their positions add up to: a batch of zonotopes in the steps of :class:`Entries`.

    Attributes:
        centre, radius: shape (batch, heads * head width + heads): sums of t v, then of t.
        generators: shape (batch, heads * head width + heads, K).
        least, most: of the sums of t alone, shape (batch, heads).
        largest: no t is larger, shape (batch, heads).
    """

    centre: Array
    radius: Array
    generators: Array
    least: Array
    most: Array
    largest: Array


@dataclass(frozen=True, eq=False)
class Ranges:
    """Of one model and last symbol: between what the values v are at each position, shape (N, heads * head width)."""

    least: Array
    most: Array

    @classmethod
    def of(cls, entries: Entries, allowed: list[Array]) -> Ranges:
        """Over the symbols (ranks of the model) that may stand at each position."""
        values = np.moveaxis(entries.values, 0, 2)  # (N, symbols, heads, head width)
        rows = [row[choices].reshape(len(choices), -1) for row, choices in zip(values, allowed, strict=True)]
        return cls(np.stack([row.min(axis=0) for row in rows]), np.stack([row.max(axis=0) for row in rows]))


def attended(model: OneLayerTransformer, entries: Entries, ranges: Ranges, sums: Sums) -> Zonotopes:
    """The mantissas that the heads give, side by side, before they saturate."""
    length, scale, middle = model.length, model.precision.scale, entries.middle.reshape(-1)
    known = sums.least >= LEAST_WHOLE * length
    least = np.where(known, sums.least, LEAST_WHOLE * length)
    most = np.maximum(sums.most + length, least)  # as each t was rounded down
    mean = _Mean.of(sums, least, most, entries, np.repeat(known, model.head_width, axis=1), ranges)
    normaliser = np.where(known, floor_divide(scale * least, sums.largest + 1) - (length - 1), 0)
    wide = np.repeat(np.maximum(scale, normaliser), model.head_width, axis=1)
    down, up = _rounding(mean, ranges, wide, middle, scale)
    centre = mean.centre + ((down + up) >> 1) + middle * UNIT - UNIT // 2
    radius = mean.radius + ((up - down) >> 1) + 2 + UNIT // 2
    rest = radius[:, :, None] * np.eye(len(middle), dtype=np.int64)
    return Zonotopes(centre, np.concatenate([mean.generators, rest], axis=2), np.zeros_like(radius))


@dataclass(frozen=True, eq=False)
class _Mean:
    """M less the middle value, which need not be whole: centre, generators and radius in steps of 1 / UNIT, bounds."""

    centre: Array
    generators: Array
    radius: Array
    low: Array
    high: Array

    @classmethod
    def of(cls, sums: Sums, least: Array, most: Array, entries: Entries, known: Array, ranges: Ranges) -> _Mean:
        """A whole number near it, and the sum of t times what is left of v, over T from ``least`` to ``most``.

        Where it is not known, and where numbers would not fit, it is somewhere between the values.
        """
        width, each = known.shape[1], entries.values.shape[-1]
        least, most, total = (np.repeat(part, each, axis=1) for part in (least, most, sums.centre[:, width:]))
        weights = [np.repeat(part[:, width:], each, axis=1) for part in (sums.generators, sums.radius)]
        middle = (least + most) >> 1
        near = np.clip(floor_divide(sums.centre[:, :width], middle), -entries.spread, entries.spread)
        centre = sums.centre[:, :width] - near * total
        generators = sums.generators[:, :width] - near[:, :, None] * weights[0]
        lost = 2 * entries.weights.shape[1] * entries.spread  # as each t was rounded down
        radius = sums.radius[:, :width] + np.abs(near) * weights[1] + lost
        reach = np.abs(generators).sum(axis=2) + radius + np.abs(centre)
        known = known & (reach < LARGEST // UNIT)
        centre, radius, reach = (np.where(known, part, 0) for part in (centre, radius, reach))
        generators = np.where(known[:, :, None], generators, 0)
        other = floor_divide(
            (floor_divide(reach * UNIT, least) + 1) * np.maximum(most - middle, middle - least), middle
        )
        centre = floor_divide(centre * UNIT, middle) + near * UNIT
        generators = floor_divide(generators * UNIT + (middle >> 1)[:, :, None], middle[:, :, None])
        radius = floor_divide(radius * UNIT, middle) + other + 3 + (generators.shape[2] + 1) // 2
        return cls._clipped(centre, generators, radius, known, ranges)

    @classmethod
    def _clipped(cls, centre: Array, generators: Array, radius: Array, known: Array, ranges: Ranges) -> _Mean:
        low, high = (
            np.broadcast_to(part, centre.shape) for part in (ranges.least.min(axis=0), ranges.most.max(axis=0))
        )
        centre = np.where(known, centre, (low + high) * (UNIT // 2))
        radius = np.where(known, radius, (high - low) * (UNIT // 2))
        reach = np.abs(generators).sum(axis=2) + radius
        least, most = floor_divide(centre - reach, UNIT), -floor_divide(-(centre + reach), UNIT)
        return cls(centre, generators, radius, np.clip(least, low, high), np.clip(most, low, high))


def _rounding(mean: _Mean, ranges: Ranges, normaliser: Array, middle: IntArray, scale: int) -> tuple[Array, Array]:
    """Bounds of what f_i and g_i add, in steps of 1 / UNIT."""
    up = np.maximum(mean.high[:, None] - ranges.least, 0).sum(axis=1)
    down = np.minimum(mean.low[:, None] - ranges.most, 0).sum(axis=1)
    lost = np.maximum(ranges.most + middle, 0).sum(axis=0)
    won = -np.minimum(ranges.least + middle, 0).sum(axis=0)
    return (
        floor_divide(down * UNIT, normaliser) + floor_divide(-lost * UNIT, scale),
        -floor_divide(-up * UNIT, normaliser) - floor_divide(-won * UNIT, scale),
    )
