"""The unit that averages: its weights, its outputs on the values that are worst, and the vectors behind its queries."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, isqrt
from typing import Any

import numpy as np

from ccsim.claims import Finding, sizes_up_to
from ccsim.errors import InputError
from protocols import constructions
from protocols.papers.checks import Looked, grown

__all__ = [
    "dual_vectors",
    "precision_over_length",
    "sets_of",
    "too_far",
    "weights",
    "width_over_length",
    "width_over_q",
]

MOST_SETS = 130  # up to so many sets of q rows are all looked at
DRAWN = 32  # rows in the sets that are drawn of more
Rows = tuple[int, ...]


def width_over_length(length: int, q: int, values: int) -> Finding:
    """Numbers in a row, for more and more rows."""
    return grown(lengths(length, q), lambda size: _averaged(size, q, values, 2 * q))


def width_over_q(q: int, length: int, values: int = 1) -> Finding:
    """Numbers in a row, for larger and larger sets of as many rows."""
    return grown(sizes_up_to(q), lambda size: _averaged(length, size, values, 2 * size))


def precision_over_length(length: int, q: int, inverse: int, values: int = 1) -> Finding:
    """Bits of a number, for more and more rows and an error of at most 1 / inverse in values of so many numbers."""
    if q * inverse < 8:
        raise InputError("inverse", inverse, "q times it at least 8: for less no constant is declared")
    return grown(lengths(length, q), lambda size: _averaged(size, q, values, inverse, "precision"))


def lengths(length: int, q: int) -> tuple[int, ...]:
    """Numbers of rows, from 4 and q on."""
    least = max(4, q)
    if length < 2 * least:
        raise InputError("length", length, f"at least {2 * least}, so that there are two sizes or more")
    return sizes_up_to(length, low=least)


def _averaged(length: int, q: int, values: int, inverse: int, quantity: str = "width") -> Looked:
    average = constructions.sparse_averaging_unit(length, q, error=Fraction(1, inverse), value_width=values)
    sets = sets_of(length, q)
    width = int(average.unit.embed(_raw(average, sets[0], 1, [1] * length)).shape[-1])
    found = {"width": width, "precision": average.precision.bits}
    return Looked(found[quantity], len(sets), comb(length, q), too_far(average, sets))


def sets_of(length: int, q: int) -> tuple[Rows, ...]:
    """All sets of q rows, or the first, the last, the most spread out and some drawn at random, always the same."""
    if comb(length, q) <= MOST_SETS:
        return tuple(combinations(range(1, length + 1), q))
    generator, rows = np.random.default_rng(0), np.arange(1, length + 1)
    drawn = [generator.choice(rows, q, replace=False) for _ in range(DRAWN // q)]
    ends = [rows[:q], rows[-q:], rows[(np.arange(q) * length) // q]]
    found = ends[: 1 if q > DRAWN // 4 else 3] + drawn
    return tuple(dict.fromkeys(tuple(sorted(int(row) for row in chosen)) for chosen in found))


def too_far(average: constructions.SparseAveraging, sets: Sequence[Rows]) -> list[str]:
    """Sets for which the unit is too far off, in the 2-norm, on values with the signs that are worst."""
    wrong, scale = [], average.precision.scale
    for number, (chosen, given) in enumerate(zip(sets, average.weights(np.array(sets)).tolist(), strict=True)):
        shares = [scale * (place in chosen) for place in range(1, average.length + 1)]
        signs = [1 if weight * len(chosen) >= share else -1 for weight, share in zip(given, shares, strict=True)]
        off = _squared_error(average, chosen, 1 + number % average.length, signs)
        if off > average.error**2:
            wrong.append(f"the square of the distance to the average of the rows {chosen} is {off}")
    return wrong


def _squared_error(average: constructions.SparseAveraging, chosen: Rows, row: int, signs: Sequence[int]) -> Fraction:
    """The squared distance of the output from the average, where all values lie on a diagonal and have these signs."""
    scale = average.precision.scale
    entry = isqrt(scale**2 // average.value_width)  # as long as 1, or a little shorter
    raw = _raw(average, chosen, row, [0] * average.length)
    values = np.array(signs)[:, None] * entry * (-1) ** np.arange(average.value_width)
    raw[:, average.most + 1 :] = values
    output = average.unit.output_row(raw, row)
    wanted = [Fraction(sum(int(values[place - 1, axis]) for place in chosen), len(chosen))
              for axis in range(average.value_width)]  # fmt: skip
    off = (((int(output[axis]) - mean) / scale) ** 2 for axis, mean in enumerate(wanted))
    return sum(off, Fraction(0))


def _raw(average: constructions.SparseAveraging, chosen: Rows, row: int, values: Sequence[int]) -> Any:
    """Rows of which one names a set, and all others the last q rows; the first number of each value is given."""
    length, q = average.length, average.most
    other = np.tile(np.arange(length - q, length) + 1, (length, 1))
    other[row - 1] = chosen
    rest = np.zeros((length, average.value_width), dtype=np.int64)
    rest[:, 0] = np.array(values) * average.precision.scale
    return np.hstack([other, np.arange(1, length + 1)[:, None], rest])


def dual_vectors(length: int, q: int) -> Finding:
    """The largest squared length of a dual vector, of all sets of q rows."""
    sets, duals = tuple(combinations(range(1, length + 1), q)), _unit(length, q).duals
    largest = max(duals.of(chosen).norm for chosen in sets)
    return Finding(measured=largest, checked=len(sets), of=comb(length, q))


def weights(length: int, q: int) -> Finding:
    """How many weights, of all rows under all sets of q rows, are where the slides say."""
    average, inside = _unit(length, q), 0
    sets, error = list(combinations(range(1, length + 1), q)), average.error
    for chosen, row in zip(sets, average.weights(np.array(sets)).tolist(), strict=True):
        for place, weight in enumerate(row, start=1):
            share = Fraction(weight, average.precision.scale)
            named = (1 - error / 2) / q <= share <= (1 + error / 2) / q
            inside += named if place in chosen else share <= error / (2 * length)
    return Finding(measured=inside, checked=length * len(sets), of=length * comb(length, q))


def _unit(length: int, q: int) -> constructions.SparseAveraging:
    return constructions.sparse_averaging_unit(length, q)
