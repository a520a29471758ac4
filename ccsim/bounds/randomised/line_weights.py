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

Array = npt.NDArray[Any]

MOST_LINES = 256
TURNS, DIMENSIONS = 2000, 24
NEAR = 1e-7  # of the whole, by which turning has to change it
MARGIN = 1e-9
BESIDE = 0.03


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
    lengths = np.linalg.norm(form @ np.concatenate(turned(table, clock)), axis=1) / 2
    lengths = _enough(lengths, form) + MARGIN * max(1.0, np.abs(form).max()) * size
    return [f"{ceil(length * scale)}/{scale}" for length in lengths.tolist()]


def _enough(lengths: Array, form: Array) -> Array:
    """A little more, so that twice the lengths, as a diagonal, less the form is positive: by a sum or by a factor."""
    lengths = lengths + 1e-6 * lengths.max()  # lines without any weight
    short = float(np.linalg.eigvalsh(2 * np.diag(lengths) - form)[0]) / 2
    added = lengths + max(0.0, -short)
    if not lengths.all():  # no weight at all
        return added
    factor = float(np.linalg.eigvalsh(form / np.sqrt(np.outer(lengths, lengths)))[-1]) / 2
    grown = lengths * max(1.0, factor)
    return np.asarray(added if added.sum() < grown.sum() else grown)


def turned(table: Array, clock: Clock, across: Array | None = None) -> tuple[Array, Array, Array]:
    """Unit vectors for the whole, the rows and the columns, for which the sum is as large as turning makes it; those
    of the columns may begin near some, not there, as turning might not get away."""
    rows, columns = table.sum(axis=1)[:, None], table.sum(axis=0)[:, None]
    whole = np.eye(DIMENSIONS)[:1]
    draw = np.random.default_rng(0).standard_normal((table.shape[1], DIMENSIONS))
    across = _unit(draw if across is None else across + BESIDE * draw)
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
    return whole, mine, across


def _unit(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1))
