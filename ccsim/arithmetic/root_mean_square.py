"""Vectors of a zonotope over their root mean square, to first order, with what is left bounded.

For integers c_1, ..., c_m, a scale s and a whole number E, what is worked out is s c_i / D, D the integer root of
floor(sum of c^2 / m) + E. With X = sum of c^2, D is less than one below the root of X / m + E. The function X to
1 / root of (X / m + E) is convex: above each of its tangents, and of all lines that it exceeds nowhere but between two
points at most what it is there. So with X as a sum of multiples of the generators, so is the factor s / D, and its
product with c_i as well; what is of second order is a rest. Everything is in integers; those of which there is one in
each vector are Python's, which do not overflow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.arithmetic.integers import IntArray

__all__ = ["over_root_mean_square"]

PLACES = 20
"""Factors are integers over 2^20."""

LARGEST = 1 << 61

LEAST_ROOT = 4  # below it D is too coarse for this

_root = np.frompyfunc(math.isqrt, 1, 1)


@dataclass(frozen=True, eq=False)
class _Factor:
    """s / D as (middle + sum of parts_k e_k + rest) / 2^PLACES, with a rest of at most ``radius``."""

    middle: IntArray
    parts: IntArray
    radius: IntArray


def over_root_mean_square(
    centre: IntArray, generators: IntArray, radius: IntArray, squares: tuple[IntArray, IntArray], **rest: Any
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Centre, generators and radius of s c / D before it is rounded down, and for each vector whether they hold.

    Args:
        centre, generators, radius: of the vectors (batch, m), in steps of 1 / unit.
        squares: bounds of X from elsewhere, in whole numbers, shape (batch, 1).
        rest: ``scale`` s, ``extra`` E and ``unit``.

    Where they do not hold, D may be too small.
    """
    reach = np.abs(generators).sum(axis=2) + radius
    factor, holds = _factor(centre, generators, radius, reach, squares, **rest)
    middle, parts, lost = factor.middle[:, None], factor.parts[:, None, :], factor.radius[:, None]
    moved = np.abs(factor.parts).sum(axis=1)[:, None] + lost
    half = 1 << (PLACES - 1)
    spread = (generators * middle[:, :, None] + centre[:, :, None] * parts + half) >> PLACES
    remaining = ((radius * middle + reach * moved + np.abs(centre) * lost) >> PLACES) + 3 + (spread.shape[2] + 1) // 2
    return (centre * middle) >> PLACES, spread, remaining, holds


def _factor(
    centre: IntArray,
    generators: IntArray,
    radius: IntArray,
    reach: IntArray,
    squares: tuple[IntArray, IntArray],
    scale: int,
    extra: int,
    unit: int,
) -> tuple[_Factor, IntArray]:
    width = centre.shape[1]
    start = (centre * centre).sum(axis=1).astype(object)
    parts = 2 * (centre[:, :, None] * generators).sum(axis=1)
    below = 2 * (np.abs(centre) * radius).sum(axis=1).astype(object)
    above = below + (reach.astype(object) ** 2).sum(axis=1)
    moved = np.abs(parts).sum(axis=1).astype(object)
    shift = extra * width * unit * unit  # X and E together, in steps of 1 / unit^2
    floor = (LEAST_ROOT * unit) ** 2 * width
    least, most = (bound[:, 0].astype(object) * unit * unit for bound in squares)
    least, most = np.maximum(start - moved - below, least) + shift, np.minimum(start + moved + above, most) + shift
    holds = np.asarray(least >= floor, dtype=bool)
    least = np.maximum(least, floor)
    most = np.maximum(most, least)
    numerator = (scale * unit << PLACES) ** 2 * width
    middle = (least + most) >> 1

    def value(x: Any) -> Any:  # at most one below the true one
        return _root(numerator // x)

    at_middle = value(middle)

    def line(x: Any) -> Any:
        return at_middle - (at_middle * (x - middle)) // (2 * middle)

    over = np.maximum(value(least) + 1 - line(least), value(most) + 1 - line(most)) + 1
    root = _root(least // (unit * unit * width)) - 1  # D is at least this
    up, down = over + (value(least) + 1) // root + 1, 3
    up, down = up + at_middle * below // (2 * middle) + 1, down + at_middle * above // (2 * middle) + 1
    own = -((at_middle[:, None] * parts.astype(object)) // (2 * middle)[:, None])
    centred = line(start + shift) + ((up - down) >> 1)
    half = ((up + down) >> 1) + 2 + parts.shape[1]
    largest = int((np.abs(centre) + reach).max())
    fits = np.abs(own).sum(axis=1) + np.abs(centred) + half < LARGEST // (2 * largest + 2)
    fits &= 2 * width * largest * largest < LARGEST
    kept = holds & np.asarray(fits, dtype=bool)
    whole = [np.where(kept, part.T, 0).T.astype(np.int64) for part in (centred, own, half)]
    return _Factor(*whole), kept
