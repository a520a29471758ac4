"""Random weights that are the same on every machine: the bytes of SHAKE-256, read as numbers."""

from __future__ import annotations

import hashlib
import math

import numpy as np

from ccsim.arithmetic import IntArray, Precision
from ccsim.errors import InputError, require_memory


def random_mantissas(shape: tuple[int, ...], low: int, high: int, seed: int | str, name: str) -> IntArray:
    """Integers from ``low`` to ``high``, int64: 64-bit words of SHAKE-256 of ``seed/name``, reduced.

    Each number is ``low + word mod (high - low + 1)``, with little-endian words, in row-major order.

    >>> random_mantissas((2, 3), -9, 9, 0, "query").tolist()
    [[-6, 9, -5], [9, -6, -9]]
    """
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise InputError("seed", seed, "an integer or a text")
    size = math.prod(shape)
    require_memory(24 * size, f"{size} random numbers")
    words = np.frombuffer(hashlib.shake_256(f"{seed}/{name}".encode()).digest(8 * size), dtype="<u8")
    return low + (words % np.uint64(high - low + 1)).astype(np.int64).reshape(shape)


def random_matrix(precision: Precision, shape: tuple[int, ...], fan_in: int, seed: int | str, name: str) -> IntArray:
    """Uniform mantissas from -b to b with b / scale = sqrt(3 / fan_in) rounded down, at least 1, as far as they fit.

    The variance of a number is then about 1 / fan_in, so that sums of ``fan_in`` of them have variance 1.
    """
    end = max(1, math.isqrt(3 * precision.scale**2 // fan_in))
    return random_mantissas(shape, max(-end, precision.low), min(end, precision.high), seed, name)
