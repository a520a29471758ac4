"""Cells that look alike, and parts of a table with few lines on one side that do: what a part needs, the whole needs.

A symmetric game has a symmetric solution, which is a good guess to begin with. A symmetric function looks the same from
many lines. Seen from one line that is singled out, the lines across fall into classes (all sets of three elements, say,
without a given one); a class of few lines, with all different lines of the other side, is a part of which all
rectangles can be tried, and whose weights may be equal on cells that look alike.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ccsim.bounds.clock import Clock
from ccsim.errors import Array


def averaged(values: Array, classes: Array) -> Array:
    """The values made equal on each class.

    >>> averaged(np.array([1.0, 2.0, 5.0]), np.array([0, 0, 1])).tolist()
    [1.5, 1.5, 5.0]
    """
    return np.asarray((np.bincount(classes, weights=values) / np.maximum(np.bincount(classes), 1))[classes])


def look_alikes(codes: Array) -> Array:
    """A class for each cell, refined until cells of a class see the same classes along their row and column.

    Cells that a symmetry of the matrix maps to each other are in one class; the converse need not hold.

    >>> look_alikes(np.eye(3, dtype=np.int64)).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    classes = codes - codes.min()
    while True:
        rows = np.unique(np.sort(classes, axis=1), axis=0, return_inverse=True)[1].ravel()
        columns = np.unique(np.sort(classes, axis=0), axis=1, return_inverse=True)[1].ravel()
        seen = np.stack([classes.ravel(), np.repeat(rows, codes.shape[1]), np.tile(columns, codes.shape[0])])
        finer = np.unique(seen, axis=1, return_inverse=True)[1].reshape(codes.shape)
        if finer.max() == classes.max():
            return np.asarray(classes)
        classes = finer


def alike_by_walks(codes: Array) -> Array:
    """Finer classes: also walks from row to column over two other lines see the same classes, in sum.

    For disjointness all cells of two sizes of sets look alike that meet; walks see in how many elements.

    >>> from ccsim.problems import disjointness
    >>> cells = disjointness(4).matrix.codes.astype(np.int64)
    >>> int(look_alikes(cells).max()), int(alike_by_walks(cells).max())
    (30, 34)
    """
    draw = np.random.default_rng(0)
    classes = look_alikes(codes)
    while True:
        first, middle, last = (draw.integers(1 << 40, size=classes.max() + 1)[classes] for _ in range(3))
        walks = first @ middle.T @ last  # modulo 2^64: a sum that happens to be equal keeps classes together, no more
        seen = np.stack([classes.ravel(), walks.ravel()])
        finer = np.unique(seen, axis=1, return_inverse=True)[1].reshape(codes.shape)
        if finer.max() == classes.max():
            return np.asarray(classes)
        classes = finer


FOREVER = Clock()
Part = tuple[Array, Array]
"""Rows and columns."""

FEWEST = 2  # lines that are worth a program
MOST = 20  # lines of which all sets are tried
MOST_WORK = 1 << 28  # steps of the checker for one sum over all rectangles
LITTLE_WORK = 1 << 22  # for which a part stands for all that have fewer lines on both sides
MOST_SEEN = 16  # lines that are singled out, on each side
MOST_CLASSES = 30  # of cells, for the variables of a program


def parts(codes: Array, clock: Clock = FOREVER) -> Iterator[Part]:
    """Parts with few lines on one side, those first whose rectangles are soon tried; at the end of time, those so far.

    >>> from ccsim.problems import disjointness
    >>> [(len(rows), len(columns)) for rows, columns in parts(disjointness(6).matrix.codes.astype(np.int64))]
    [(6, 64), (9, 50), (12, 34), (15, 23), (15, 58), (20, 43)]
    """
    found: dict[tuple[int, ...], Part] = {}
    for turned in (False, True) if not np.array_equal(codes, codes.T) else (False,):
        table = codes.T if turned else codes
        for lines in _classes_of_rows(table):
            across = np.unique(table[lines], axis=1, return_index=True)[1]
            own = table[np.ix_(lines, across)]
            sums = (*np.sort(own.sum(axis=1)).tolist(), *np.sort(own.sum(axis=0)).tolist())
            if _work(own.shape) <= MOST_WORK and own.min() < own.max():
                found.setdefault((*own.shape, *sums), (across, lines) if turned else (lines, across))
            if found and clock.over:
                break
    shapes = [(len(rows), len(columns)) for rows, columns in found.values()]
    for rows, columns in sorted(found.values(), key=lambda part: _work((len(part[0]), len(part[1])))):
        mine, yours = len(rows), len(columns)
        larger = [(m, y) for m, y in shapes if m >= mine and y >= yours and (m, y) != (mine, yours)]
        if any(_work(shape) <= LITTLE_WORK for shape in larger):
            continue
        if alike_by_walks(codes[np.ix_(rows, columns)]).max() < MOST_CLASSES:
            yield rows, columns


def _work(shape: tuple[int, ...]) -> int:
    """Steps of the checker for all sets of lines of the smaller side."""
    return (2 * max(shape) + 15) << min(shape)


def _classes_of_rows(codes: Array) -> Iterator[Array]:
    seen = look_alikes(codes)
    if seen.max() >= seen.size // FEWEST:  # nothing looks like anything else
        return
    _, first = np.unique(np.sort(seen, axis=0), axis=1, return_index=True)
    for column in [None, *first[:MOST_SEEN].tolist()]:
        single = codes.copy()
        if column is not None:
            single[:, column] += 1 + codes.max() - codes.min()
        alike = np.unique(np.sort(look_alikes(single), axis=1), axis=0, return_inverse=True)[1].ravel()
        for own in range(alike.max() + 1):
            lines = np.flatnonzero(alike == own)
            if FEWEST <= len(lines) <= MOST:
                yield lines
