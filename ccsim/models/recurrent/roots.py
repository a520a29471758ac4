"""Square roots of integers, rounded down, for arrays."""

from __future__ import annotations

from math import isqrt

import numpy as np

from ccsim.arrays import Array

__all__ = ["normalised", "root"]

SAFE = 1 << 52  # below it a float has every integer


def root(numbers: Array) -> Array:
    """The square roots of integers of at least 0, rounded down exactly.

    >>> root(np.array([0, 1, 15, 16, 17])).tolist()
    [0, 1, 3, 4, 4]
    """
    if numbers.dtype != object and (not numbers.size or int(numbers.max()) < SAFE):
        near: Array = np.sqrt(numbers.astype(float)).astype(np.int64)
        near -= near * near > numbers
        near += (near + 1) * (near + 1) <= numbers
        return near
    flat = np.array([isqrt(int(number)) for number in numbers.ravel()], dtype=numbers.dtype)
    return flat.reshape(numbers.shape)


def normalised(vectors: Array, scale: int) -> Array:
    """Vectors of mantissas, divided by their lengths, which are rounded down first; each quotient is rounded down.

    A vector of zeros stays one.

    >>> normalised(np.array([[3, 4], [0, 0]]), 16).tolist()
    [[9, 12], [0, 0]]
    """
    wide = vectors.astype(object) if vectors.size and int(np.abs(vectors).max()) >= 1 << 24 else vectors
    lengths = np.maximum(root((wide * wide).sum(axis=-1, keepdims=True)), 1)
    found: Array = wide * scale // lengths
    return found.astype(np.int64)
