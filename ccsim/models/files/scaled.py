"""Weights that are kept as whole numbers of 8 bits with a scale, for a whole tensor or for each of its rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError

__all__ = ["SCALE", "ZERO", "is_whole", "unscaled"]

SCALE, ZERO = "_scale", "_zero_point"
"""What is behind the name of a tensor in those of its scales and of the numbers that stand for 0."""


def is_whole(kind: np.dtype[np.generic]) -> bool:
    """Whether these are whole numbers of 8 bits."""
    return kind.kind in "iu" and kind.itemsize == 1


def unscaled(
    name: str, whole: Array, rows: Sequence[int] | None, count: int, scale: Array, zero: Array | None
) -> Array:
    """(whole number - zero) * scale in float64, which is exact where scales are in single precision or shorter.

    Args:
        name: of the tensor.
        whole: what was read of it: all rows, or those of ``rows``.
        rows: which rows were read; all if None.
        count: how many rows the tensor has.
        scale: one number, or one for each row of the tensor: shape (), (1,), (rows,) or (rows, 1).
        zero: whole numbers of the same shape, or None for 0.

    Raises :class:`~ccsim.errors.InputError` for scales of another shape, and for those that are not above 0.
    """
    factors = _each_row(name + SCALE, scale, whole.ndim, rows, count)
    if scale.dtype.kind != "f" or not (np.isfinite(factors).all() and (factors > 0).all()):
        raise InputError(f"tensor {name + SCALE!r}", scale.dtype.name, "finite floating-point numbers above 0")
    if zero is None:
        return whole.astype(np.float64) * factors
    if zero.shape != scale.shape or zero.dtype.kind not in "iu" or (np.abs(zero.astype(np.float64)) > 255).any():
        expected = f"whole numbers from -255 to 255 of the shape {scale.shape} of the scales"
        raise InputError(f"tensor {name + ZERO!r}", (zero.dtype.name, zero.shape), expected)
    return (whole.astype(np.float64) - _each_row(name + ZERO, zero, whole.ndim, rows, count)) * factors


def _each_row(name: str, given: Array, axes: int, rows: Sequence[int] | None, count: int) -> Array:
    """A number, or one for each row, shaped to be multiplied with the rows that were read."""
    if given.size == 1 and given.ndim <= 1:
        return given.astype(np.float64).reshape(())
    if axes < 2 or given.shape not in ((count,), (count, 1)):
        expected = f"one number, or one for each of {count} rows" if axes > 1 else "one number"
        raise InputError(f"tensor {name!r}", given.shape, expected)
    numbers = given.astype(np.float64).reshape(count, *(1,) * (axes - 1))
    return numbers if rows is None else numbers[list(rows)]
