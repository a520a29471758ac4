"""Weights as mantissas: selections, heads and layers of the constructions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from ccsim.arithmetic import IntArray, Precision
from ccsim.models import Affine, AttentionUnit, Dense, MultiHeadAttention, Tokenwise
from ccsim.models.transformer import Block


class Slots:
    """Names for consecutive parts of the stream.

    >>> slots = Slots(bit=1, address=3)
    >>> slots.width, slots["address"]
    (4, slice(1, 4, None))
    """

    def __init__(self, **sizes: int) -> None:
        ends = [int(end) for end in np.cumsum([0, *sizes.values()])]
        self._places = {name: slice(ends[i], ends[i + 1]) for i, name in enumerate(sizes)}
        self.width: int = ends[-1]

    def __getitem__(self, name: str) -> slice:
        return self._places[name]

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def size(self, name: str) -> int:
        """How many numbers a part has."""
        return self._places[name].stop - self._places[name].start


def whole(precision: Precision, numbers: object) -> IntArray:
    """Whole numbers as mantissas; saturated, so that a precision too small for them makes another model."""
    return precision.saturate(np.asarray(numbers) * precision.scale)


def placed(width: int, parts: Iterable[tuple[slice, int]], columns: int) -> IntArray:
    """A matrix (width, columns) that adds up parts of the stream, each times a mantissa, or puts them side by side.

    Parts follow each other along the columns.
    """
    matrix = np.zeros((width, columns), dtype=np.int64)
    column = 0
    for place, mantissa in parts:
        size = place.stop - place.start
        matrix[place, column : column + size] = mantissa * np.eye(size, dtype=np.int64)
        column += size
    assert column == columns
    return matrix


def affine(precision: Precision, weights: IntArray, bias: IntArray | None = None) -> Affine:
    """An affine map of mantissas, saturated; no bias means 0."""
    given = np.zeros(weights.shape[1], dtype=np.int64) if bias is None else np.asarray(bias)
    return Affine(precision, precision.saturate(weights), precision.saturate(given))


def head(
    precision: Precision,
    width: int,
    query: Sequence[tuple[slice, int]],
    key: Sequence[tuple[slice, int]],
    value: slice,
    logit_scale: Fraction,
) -> AttentionUnit:
    """A head: queries and keys are parts of the stream side by side, each times a mantissa; the value is one part.

    No parts make one number, always 0, so that attention is uniform.
    """
    one = min(precision.scale, precision.high)
    columns = max(1, sum(place.stop - place.start for place, _ in query))
    matrices = [
        placed(width, parts, columns) if parts else np.zeros((width, 1), dtype=np.int64) for parts in (query, key)
    ]
    values = placed(width, [(value, one)], value.stop - value.start)
    asks, offers, gives = (affine(precision, matrix) for matrix in (*matrices, values))
    return AttentionUnit(precision, asks, offers, gives, logit_scale=logit_scale)


def block(
    precision: Precision,
    width: int,
    heads: Sequence[tuple[AttentionUnit, slice]],
    layers: Sequence[tuple[IntArray, IntArray, str]] = (),
) -> Block:
    """Heads, each with the part of the stream to which its output is added, and dense layers of mantissas."""
    one = min(precision.scale, precision.high)
    output = np.vstack([placed(width, [(place, one)], place.stop - place.start).T for _, place in heads])
    attention = MultiHeadAttention(tuple(unit for unit, _ in heads), affine(precision, output))
    dense = tuple(Dense(affine(precision, weights, bias), activation) for weights, bias, activation in layers)
    return Block(attention, Tokenwise(precision, width, dense) if dense else None)
