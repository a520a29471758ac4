"""Fixed-width fields: how many bits number some things, and numbers written out as rows of bits."""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array

__all__ = ["bit_rows", "width_of"]


def width_of(count: int) -> int:
    """L(count): the bits that number ``count`` things, ceiling(log2 count).

    >>> [width_of(count) for count in (1, 2, 3, 8, 9)]
    [0, 1, 2, 3, 4]
    """
    return (count - 1).bit_length()


def bit_rows(numbers: Array, width: int) -> Array:
    """Each row of ``numbers`` as one row of bits: every number in ``width`` bits, most significant first.

    ``numbers`` has two axes, int64 or Python integers in an object array; the result, int8, is a message per
    row for :class:`~ccsim.engine.SendEach`.

    >>> bit_rows(np.array([[1, 2], [3, 0]]), 2).tolist()
    [[0, 1, 1, 0], [1, 1, 0, 0]]
    """
    places = np.array(range(width - 1, -1, -1), dtype=object if numbers.dtype == object else np.int64)
    bits = (numbers[:, :, None] >> places) & 1
    return np.asarray(bits.reshape(len(numbers), numbers.shape[1] * width), dtype=np.int8)
