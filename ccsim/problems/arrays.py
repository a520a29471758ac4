"""Array operations that several families of problems share."""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.problems.derived import Pairs

_object_popcount = np.frompyfunc(int.bit_count, 1, 1)


def popcount(numbers: Array) -> Array:
    """How many bits are 1, of each non-negative number (int64, or Python integers in an object array).

    >>> popcount(np.array([0, 5])).tolist(), popcount(np.array([1 << 100], dtype=object)).tolist()
    ([0, 2], [1])
    """
    count = _object_popcount(numbers) if numbers.dtype == object else np.bitwise_count(numbers)
    return np.asarray(count, dtype=np.int64)


def select(rows: Array, places: Array) -> Array:
    """From each row (the last axis), the entry at one place; the other axes broadcast.

    >>> select(np.array([[5, 6, 7], [8, 9, 10]]), np.array([2, 0])).tolist()
    [7, 8]
    """
    shape = np.broadcast_shapes(rows.shape[:-1], places.shape)
    wide = np.broadcast_to(rows, (*shape, rows.shape[-1]))
    return np.take_along_axis(wide, np.broadcast_to(places, shape)[..., None], axis=-1)[..., 0]


def part_rows(pairs: Pairs, indices: Array) -> list[Array]:
    """For each part of a set of tuples, the array rows of these inputs, in the shape of the indices.

    >>> from ccsim.problems.inputs import BitStrings, Integers
    >>> pairs = Pairs((BitStrings(1), Integers(3, low=1)))
    >>> [rows.tolist() for rows in part_rows(pairs, np.array([[4], [2]]))]
    [[[1], [0]], [[2], [3]]]
    """
    rows = []
    for part, digits in zip(pairs.parts, pairs.split(indices), strict=True):
        flat = part.array(digits.ravel())
        rows.append(flat.reshape(indices.shape + flat.shape[1:]))
    return rows
