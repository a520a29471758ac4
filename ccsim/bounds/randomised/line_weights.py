"""No rectangle weighs more: weights of lines that prove it for tables whose rectangles are too many to try.

The sum of a table over a rectangle is a quadratic form in signs of lines. With unit vectors in place of the signs it is
a semidefinite program (as for cuts of graphs: Goemans and Williamson 1995). Here the vectors are turned one side after
the other, each to where it is best (the mixing method: Wang, Chang and Kolter 2017); the lengths that they have then,
made a little larger, are weights that the checker accepts.
"""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.clock import Clock

__all__ = ["MOST_LINES", "line_weights"]

Array = npt.NDArray[Any]

MOST_LINES = 256
TURNS, DIMENSIONS = 2000, 24
NEAR = 1e-7  # of the whole, by which turning has to change it
MARGIN = 1e-9


def line_weights(values: Array, clock: Clock) -> list[str]:
    """Weights for the whole, each row and each column, with which no rectangle of a table has a larger sum.

    >>> from ccsim.certificates.verify.matrices import Matrix
    >>> from ccsim.certificates.verify.weights import no_rectangle_above
    >>> signs = [[1, 1], [1, -1]]
    >>> weights = line_weights(np.array(signs), Clock())
    >>> 2 <= no_rectangle_above(Matrix([[0, 0], [0, 0]]), signs, weights) < 2.3
    True
    """
    size = 1 + sum(values.shape)
    scale = 1 << max(0, 24 - int(np.abs(values).max()).bit_length())
    table = values.astype(np.float64)
    form = np.zeros((size, size))
    form[1 : 1 + len(table), 1 + len(table) :] = table
    form[0, 1:] = [*table.sum(axis=1), *table.sum(axis=0)]
    form += form.T
    lengths = np.linalg.norm(form @ _turned(table, form[0, 1:], clock), axis=1) / 2
    lengths += 1e-6 * lengths.max()  # lines without any weight
    short = np.linalg.eigvalsh(2 * np.diag(lengths) - form)[0] / 2
    lengths += max(0.0, -short) + MARGIN * max(1.0, np.abs(form).max()) * size
    return [f"{ceil(length * scale)}/{scale}" for length in lengths.tolist()]


def _turned(table: Array, sums: Array, clock: Clock) -> Array:
    """Unit vectors for the whole, the rows and the columns, for which the sum is as large as turning makes it."""
    rows, columns = sums[: len(table), None], sums[len(table) :, None]
    draw = np.random.default_rng(0)
    whole, across = np.eye(DIMENSIONS)[:1], _unit(draw.standard_normal((table.shape[1], DIMENSIONS)))
    before = -np.inf
    for _ in range(TURNS):
        mine = _unit(rows @ whole + table @ across)
        across = _unit(columns @ whole + table.T @ mine)
        pull = rows.T @ mine + columns.T @ across
        whole = _unit(pull)
        now = float((pull * whole).sum() + (mine * (table @ across)).sum())
        if now - before < NEAR * abs(now) or clock.over:
            break
        before = now
    return np.concatenate([whole, mine, across])


def _unit(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1))
