"""Cells that look alike: a symmetric game has a symmetric solution, which is a good guess to begin with."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


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
