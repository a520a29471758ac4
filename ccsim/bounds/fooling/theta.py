"""How large a fooling set can be at most by vectors: the theta number of the cells that may share a leaf.

If each cell has a vector, none longer than sqrt(t), and vectors of cells that exclude each other have products of at
most -1, a fooling set of s cells has 0 <= |sum of its vectors|^2 <= s t - s (s - 1), so that s <= 1 + t. The least such
bound is Schrijver's variant of the theta number (Lovász, IEEE Transactions on Information Theory 25, 1979; Schrijver,
the same volume). It is at most the number of lines, and any other bound by sets of cells that pairwise share a leaf.

Gram matrices of such vectors are searched in floats, by alternating directions in the dual semidefinite program (Wen,
Goldfarb and Yin, Mathematical Programming Computation 2, 2010). Vectors are then rounded to integers, and count as they
are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ccsim.arithmetic.integers import one_thread
from ccsim.bounds.clock import Clock

__all__ = ["by_vectors"]

ROUNDS, LOOK = 600, 10  # at most so many; after every so many the vectors are looked at
SCALES = (1 << 8, 1 << 11, 1 << 14, 1 << 16)  # vectors are multiplied by one of these and rounded
PATIENCE = 20  # times what the last rounds improved must be enough for a bound that is lower by one

Reals = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]


def by_vectors(apart: Booleans, clock: Clock, enough: int = 1) -> tuple[int, list[list[int]]]:
    """A bound on how many cells exclude each other pairwise, and vectors of integers that prove it.

    Args:
        apart: which cells exclude which, for at least one cell.
        clock: when to stop.
        enough: a bound that need not be improved on.

    Returns:
        The bound, and for each cell a vector; a shorter one is to be filled with zeros.

    >>> pentagon = np.array([[abs(a - b) in (2, 3) for a in range(5)] for b in range(5)])
    >>> by_vectors(pentagon, Clock())[0]
    2
    """
    with one_thread():
        best, vectors = _best_vectors(apart, clock, enough)
    return best, [row[: place + 1].tolist() for place, row in enumerate(vectors)]


def _best_vectors(apart: Booleans, clock: Clock, enough: int) -> tuple[int, Integers]:
    size, last = len(apart), math.inf
    best, vectors = size, _rounded((size + 0.5) * np.eye(size) - 1.0, SCALES[-1])
    for gram in _gram_matrices(apart):
        gram[np.diag_indices_from(gram)] += max(0.0, -np.linalg.eigvalsh(gram)[0]) + 1e-9 * size
        told = 1 + gram.diagonal().max() / -gram.max(where=apart, initial=-1.0)
        for scale in SCALES if told < best else ():
            rounded = _rounded(gram, scale)
            if (bound := _proved(rounded, apart)) < best:
                best, vectors = bound, rounded
        if best <= enough or clock.over or best < told - PATIENCE * (last - told) <= told <= best + 1:
            break
        last = told
    return best, vectors


def _rounded(gram: Reals, scale: int) -> Integers:
    """Vectors with nearly these products, times the square of a scale: a row for each, zero above the diagonal."""
    return np.asarray(np.rint(scale * np.linalg.cholesky(gram)), dtype=np.int64)


def _proved(vectors: Integers, apart: Booleans) -> int:
    """The bound that vectors prove; no bound but the number of cells, if two that exclude each other are not apart."""
    products = vectors.astype(float) @ vectors.T  # below 2^53, and so exact
    nearest = int(products.max(where=apart, initial=-(1 << 62)))
    return 1 + int(products.diagonal().max()) // -nearest if nearest < 0 else len(vectors)


def _gram_matrices(apart: Booleans) -> Iterator[Reals]:
    """Matrices, nearly positive semidefinite, with -1 or less for what is apart, for smaller and smaller bounds.

    The dual is: the least t with S = t I + Z - J - N positive semidefinite, Z zero but where cells share a leaf, N >= 0
    and zero but where they are apart. ``primal`` is its multiplier.
    """
    size, off = len(apart), apart.astype(float)
    shared = 1.0 - off - np.eye(size)
    primal, slack, negative, weight = np.eye(size) / size, np.zeros((size, size)), np.zeros((size, size)), 1.0 / size
    for number in range(1, ROUNDS + 1):
        aim = 1.0 + slack + negative + primal / weight
        value = (np.trace(aim) - 1.0 / weight) / size
        dual = shared * aim + value * np.eye(size) - 1.0
        negative = off * np.maximum(dual - slack - primal / weight, 0.0)
        gap = dual - negative - primal / weight
        slack = _positive_part(gap)
        primal = weight * (slack - gap)
        if number % LOOK == 0:
            yield dual - negative
            outside = float(np.linalg.norm(shared * primal)) + abs(float(np.trace(primal)) - 1.0)
            missed = float(np.linalg.norm(dual - negative - slack)) / size
            weight *= 1.3 if 3 * outside < missed else 1 / 1.3 if 3 * missed < outside else 1.0


def _positive_part(matrix: Reals) -> Reals:
    """The nearest positive semidefinite matrix."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    kept = vectors[:, values > 0]
    return np.asarray((kept * values[values > 0]) @ kept.T)
