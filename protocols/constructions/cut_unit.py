"""Attention units on vectors in which queries, keys and values stand side by side."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ccsim.arithmetic import IntArray, Precision
from ccsim.models.affine import Affine, RowMap
from ccsim.models.attention import AttentionUnit


def cut(precision: Precision, width: int, start: int, count: int) -> Affine:
    """The map from vectors to ``count`` of their numbers, from ``start`` on, without rounding."""
    weights: IntArray = np.zeros((width, count), dtype=np.int64)
    weights[start : start + count] = np.eye(count, dtype=np.int64) * precision.scale
    return Affine(precision, weights, np.zeros(count, dtype=np.int64))


def cut_unit(
    precision: Precision, vectors: RowMap, keys: int, values: int, logit_scale: Fraction | int = 1
) -> AttentionUnit:
    """A unit whose ``vectors`` of raw rows are a query and a key of ``keys`` numbers, then ``values`` numbers."""
    places = (0, keys), (keys, keys), (2 * keys, values)
    maps = [cut(precision, 2 * keys + values, *place) for place in places]
    return AttentionUnit(precision, maps[0], maps[1], maps[2], input_map=vectors, logit_scale=Fraction(logit_scale))
