"""The nonnegative rank: how few nonnegative matrices of rank one add up to a matrix of numbers that are not negative.

Bounded from below by the rank and by covers of the cells that are not 0 (Yannakakis 1991), from above by factors: of
a partition, of rank two, or found in floats and made exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.clock import Clock
from ccsim.bounds.factors.factoring import in_a_plane, nonnegative_factors
from ccsim.bounds.factors.findings import Finding, improved
from ccsim.bounds.factors.fitting import factors
from ccsim.bounds.fooling.diagonals import diagonals
from ccsim.bounds.rank.over_fields import LARGE_PRIME, rank_witness
from ccsim.bounds.rectangles.cover import cover_number
from ccsim.bounds.rectangles.partition import partition_number
from ccsim.certificates.verify.data import CODES
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.subject import Subject, matrix_of

Table = npt.NDArray[Any]

MOST_LINES = 40  # different ones, up to which covers and factors are searched for
MOST_RANK = 600  # beyond, the checker does not eliminate


def nonnegative_rank(
    matrix: Subject, values: Sequence[int] | None = None, *, time_limit: float | None = 20.0
) -> Bracket:
    """The least r such that a matrix is a product of a nonnegative matrix of r columns and one of r rows.

    Args:
        matrix: total.
        values: a number, at least 0, for each of ``matrix.labels``; by default the labels themselves.
        time_limit: seconds for the search.

    Returns:
        A pure number. Below: the rank, or a cover of the cells that are not 0; above: factors, or lines.

    >>> print(nonnegative_rank([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]]))  # of rank 3
    nonnegative-rank = 4 (cover by fooling-set | lines)
    """
    matrix = matrix_of(matrix)
    numbers = numbers_of(matrix) if values is None else list(values)
    if not numbers or len(numbers) != len(matrix.labels):
        raise InputError("values", values, f"a nonnegative integer for each of the labels {matrix.labels}")
    if not all(isinstance(value, int) and 0 <= value < CODES for value in numbers):
        raise InputError("values", values, "integers from 0 to 2^31 - 1")
    *_, best = nonnegative_stages(matrix, numbers, Clock.within(time_limit))
    return replace(best, matrix=matrix)


def numbers_of(matrix: CommunicationMatrix) -> list[int] | None:
    """The labels of a matrix as numbers, if they are nonnegative integers."""
    whole = [int(label) for label in matrix.labels if isinstance(label, (int, np.integer)) and 0 <= label < CODES]
    return whole if len(whole) == len(matrix.labels) else None


def trivial_nonnegative(matrix: CommunicationMatrix, numbers: list[int]) -> Bracket:
    """At least 1 if some number is not 0, and at most the rows, or the columns, that are not all 0."""
    if not matrix.is_total or 0 in matrix.shape:
        raise InputError("matrix", matrix, "a total matrix, of at least one cell: free cells have no rank")
    table = _table(matrix, numbers)
    upper, below = int(min((table != 0).any(axis=axis).sum() for axis in (0, 1))), None
    if upper:
        row, column = divmod(int(np.argmax(table != 0)), matrix.shape[1])
        prime = LARGE_PRIME if table[row, column] % LARGE_PRIME else 2
        below = {"kind": "minor", "prime": prime, "rows": [row], "columns": [column]}
    lines = {"kind": "lines"}
    return Bracket("nonnegative-rank", int(upper > 0), upper, "trivial | lines", below, lines, {"values": numbers}, "")


def nonnegative_stages(matrix: CommunicationMatrix, numbers: list[int], clock: Clock) -> Iterator[Bracket]:
    """The bracket, whenever more is known."""
    yield from improved(trivial_nonnegative(matrix, numbers), _findings(_table(matrix, numbers), clock))


def _table(matrix: CommunicationMatrix, numbers: list[int]) -> Table:
    return np.asarray(np.array(numbers, dtype=np.int64)[matrix.codes])


def _findings(whole: Table, clock: Clock) -> Iterator[Finding]:
    """What each method proves, quick ones first."""
    values, codes = np.unique(whole, return_inverse=True)
    merged = CommunicationMatrix(codes.reshape(whole.shape), tuple(values.tolist())).merge()
    table = values[merged.matrix.codes]
    different = min(int((table != 0).any(axis=axis).sum()) for axis in (0, 1))
    yield "upper", different, "lines", {"kind": "lines"}
    support = CommunicationMatrix((whole != 0).astype(np.int8), (0, 1))
    cells = [[*cell] for cell in diagonals(support)[1].cells]
    yield "lower", len(cells), "diagonal", {"kind": "support", "of": {"kind": "fooling-set", "cells": cells}}
    pivots = rank_witness(table, LARGE_PRIME)
    rows, columns = merged.rows[list(pivots.rows)].tolist(), merged.columns[list(pivots.columns)].tolist()
    if pivots.rank <= MOST_RANK:
        minor = {"kind": "minor", "prime": LARGE_PRIME, "rows": rows, "columns": columns}
        yield "lower", pivots.rank, "rank", minor
    if max(table.shape) > MOST_LINES or not different:
        return
    if pivots.rank <= 2 and (pair := in_a_plane(table, pivots.rank)):
        yield "upper", len(pair[1][0]), "factors", factors(*pair, merged)
    lower, upper = pivots.rank, different
    covers = cover_number(support, 1, time_limit=clock.left(60) / 3)
    if covers.lower_witness is not None:
        method = f"cover by {covers.method.partition(' | ')[0]}"
        yield "lower", int(covers.lower), method, {"kind": "support", "of": covers.lower_witness}
        lower = max(lower, int(covers.lower))
    if len(values) == 2 and not values[0]:
        parts = partition_number(support, 1, time_limit=clock.left(60) / 2)
        if parts.upper is not None and parts.upper_witness is not None:
            yield "upper", int(parts.upper), "partition", _of_partition(parts, int(values[1]), whole.shape)
            upper = min(upper, int(parts.upper))
    for size in range(upper - 1, lower - 1, -1):
        found = nonnegative_factors(table, size, clock)
        if found is None:
            return
        yield "upper", size, "factors", factors(*found, merged)


def _of_partition(parts: Bracket, value: int, shape: tuple[int, ...]) -> dict[str, Any]:
    """Disjoint rectangles as factors of ones and zeros, and of the number that is on them."""
    assert parts.upper_witness is not None
    sides = []
    for axis, worth in ((0, 1), (1, value)):
        masks = [int(entry[axis], 16) for entry in parts.upper_witness["rectangles"]]
        sides.append([[f"{(mask >> line & 1) * worth}/1" for mask in masks] for line in range(shape[axis])])
    return {"kind": "factors", "rows": sides[0], "columns": sides[1]}
