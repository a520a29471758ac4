"""From floats that a solver found to rationals that can be checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import lazy_loader as lazy
import numpy as np
import numpy.typing as npt

from ccsim.errors import InputError

flint = lazy.load("flint")


def as_text(value: Fraction | int) -> str:
    """A rational as witnesses write it.

    >>> as_text(Fraction(3, 6)), as_text(2)
    ('1/2', '2/1')
    """
    return f"{Fraction(value).numerator}/{Fraction(value).denominator}"


def cell_weights(values: Mapping[Any, Fraction | int], own: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """The witness of a rectangle bound: what cells are worth, above 0 only where ``own``, on cells of the answer.

    A checker wants two numbers: mu, of at least 0, and phi, of at most 0; off the answer one is less the other.

    >>> cell_weights({(0, 0): 2, (0, 1): -1}, np.array([[True, False]]))["cells"]
    [[0, 0, '2/1', '0/1'], [0, 1, '1/1', '-1/1']]
    """
    cells = [
        [*cell, as_text(max(value, 0) if own[cell] else -value), as_text(min(value, 0))]
        for cell, value in values.items()
    ]
    return {"kind": "cell-weights", "cells": cells}


def bits_for(leaves: Fraction | int) -> int:
    """The smallest number of bits c >= 0 with 2^c >= leaves, exactly.

    >>> bits_for(8), bits_for(Fraction(17, 2)), bits_for(Fraction(1, 2))
    (3, 4, 0)
    """
    value = Fraction(leaves)
    return max(0, (-(-value.numerator // value.denominator) - 1).bit_length()) if value > 1 else 0


def require_error(error: Fraction | str | int, below: Fraction | int = Fraction(1, 2)) -> Fraction:
    """The error as a fraction, or an :class:`~ccsim.errors.InputError` unless it is at least 0 and below a bound."""
    allowed = Fraction(error)
    if not 0 <= allowed < below:
        raise InputError("error", error, f"at least 0 and below {below}")
    return allowed


def common_integers(values: Sequence[Fraction]) -> list[int]:
    """The same proportions as integers: all values times their least common denominator."""
    scale = lcm(*(value.denominator for value in values))
    return [value.numerator * (scale // value.denominator) for value in values]


def normalised(values: npt.NDArray[np.float64], denominator: int = 1 << 30) -> list[Fraction]:
    """Non-negative rationals near non-negative floats, with sum exactly 1."""
    whole = [max(0, round(float(value) * denominator)) for value in values]
    total = sum(whole)
    return [Fraction(value, total) for value in whole]


def solve(matrix: npt.NDArray[np.int64], right: npt.NDArray[np.int64]) -> list[Fraction] | None:
    """The only solution of an integer system, exactly; None if there is none, or more than one."""
    columns = matrix.shape[1]
    augmented = flint.fmpz_mat(np.column_stack([matrix, right]).tolist())
    reduced, denominator, rank = augmented.rref()
    if rank != columns or any(int(reduced[row, row]) == 0 for row in range(rank)):
        return None
    return [Fraction(int(reduced[row, columns]), int(denominator)) for row in range(columns)]
