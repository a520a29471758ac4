"""Two inputs that a feed-forward network with too narrow a first layer cannot distinguish.

All that a network z -> g(W z) sees of z is W z. Two choices of z in a kernel of W give the same W z and different
averages (Sanford, Hsu and Telgarsky 2023: a first layer of width below N d' / 2 cannot compute q-sparse averaging).
Further inputs, such as the subsets y, are the same in both: take the columns of W that read z.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

import lazy_loader as lazy
import numpy as np

from ccsim.errors import InputError, require_integer
from ccsim.models.affine import FeedForward

flint = lazy.load("flint")

Vector = tuple[Fraction, ...]


@dataclass(frozen=True)
class KernelCollision:
    """Two inputs with the same W z whose q-sparse averages in one row differ; made by :func:`feedforward_kernel`.

    Attributes:
        weights: W, row by row.
        subset: y of the row that is asked for: the positions to average, counted from 1.
        vectors: z_1..z_N of the first and of the second input, each in the unit ball.
        image: W z, the same for both.
        averages: the right answers: the mean of z_j over j in ``subset``.
    """

    weights: tuple[Vector, ...]
    subset: tuple[int, ...]
    vectors: tuple[tuple[Vector, ...], tuple[Vector, ...]]
    image: Vector
    averages: tuple[Vector, Vector]

    @property
    def inputs(self) -> tuple[Vector, Vector]:
        """What the network reads: the coordinates of z_1, then of z_2, and so on."""
        first, second = (tuple(entry for z in vectors for entry in z) for vectors in self.vectors)
        return first, second

    @property
    def squared_error(self) -> Fraction:
        """Whatever g answers, on one of the two inputs its squared Euclidean distance to the average is no less."""
        return _inner(*[[a - b for a, b in zip(*self.averages, strict=True)]] * 2) / 4

    @property
    def is_too_much(self) -> bool:
        """Whether the error is above 1 / (2 q), so that the network does not even approximate the average so well."""
        return self.squared_error > Fraction(1, 4 * len(self.subset) ** 2)

    def verify(self) -> bool:
        """Whether everything stated here holds, recomputed with exact fractions from W and the two inputs alone."""
        chosen = set(self.subset)
        if not chosen or len(chosen) < len(self.subset) or not chosen <= set(range(1, len(self.vectors[0]) + 1)):
            return False
        for x, vectors, average in zip(self.inputs, self.vectors, self.averages, strict=True):
            if any(_inner(z, z) > 1 for z in vectors):
                return False
            if _product(self.weights, x) != self.image or _average(vectors, self.subset) != average:
                return False
        return self.averages[0] != self.averages[1]


def feedforward_kernel(network: FeedForward, *, length: int, q: int, dimension: int = 1) -> KernelCollision:
    """Two inputs to q-sparse averaging on which the network must answer the same, though their averages differ.

    With z and -z in the kernel, whatever the network answers is off by at least the length of the average of one of
    them. For N >= 2q this error is above 1/(2q) for *every* kernel vector, so that every width below N d' fails, which
    is twice the printed N d' / 2. For let the longest z_j have length 1, and look at all parts in its direction: so
    d' = 1 and z_j = 1. If at least q entries are not negative, q of them with z_j add up to 1 or more. Otherwise let t
    be the size of the largest negative entry among the q greatest entries: these add up to at least 1 - (q-1) t, the q
    least ones to at most -q t, and one of 1 - (q-1) t and q t is at least q / (2q-1) > 1/2.

    Args:
        network: g(W z) with exact W of N d' columns; g does not matter.
        length, q: N, how many vectors there are, and how many of them are averaged, at most N.
        dimension: d', the coordinates of each vector.

    Raises :class:`~ccsim.errors.InputError` if sizes do not fit, W has no kernel, or q = N and all its averages are 0.

    >>> collision = feedforward_kernel(FeedForward.random(inputs=6, width=5, seed=0), length=6, q=2)
    >>> collision.verify(), collision.is_too_much
    (True, True)
    """
    if not isinstance(network, FeedForward):
        raise InputError("network", network, "a FeedForward network")
    length, q = require_integer("length", length, low=1), require_integer("q", q, low=1, high=length)
    size = length * require_integer("dimension", dimension, low=1)
    if network.inputs != size:
        raise InputError("network", network.inputs, f"{size} inputs, the columns of W that read z")
    best: tuple[Fraction, list[Fraction], tuple[int, ...]] | None = None
    for vector in _kernel(network.numerators):
        scaled = _into_ball(vector, dimension)
        subset, sum_ = _subset(scaled, dimension, q)
        if sum_ and (best is None or sum_ > best[0]):
            best = (sum_, scaled, subset)
    if best is None:
        expected = f"a kernel in which {q} of {length} vectors do not always cancel; "
        raise InputError("network", network.width, expected + f"a width below {size} gives a kernel")
    _, scaled, subset = best
    first, second = (tuple(tuple(sign * z for z in part) for part in _parts(scaled, dimension)) for sign in (1, -1))
    weights = tuple(tuple(Fraction(int(entry), network.denominator) for entry in row) for row in network.numerators)
    averages = (_average(first, subset), _average(second, subset))
    collision = KernelCollision(weights, subset, (first, second), _product(weights, scaled), averages)
    if not collision.verify():
        raise ArithmeticError("the two inputs do not have what was to be shown")
    return collision


def _kernel(matrix: Any) -> list[list[int]]:
    rows = flint.fmpz_mat([[int(entry) for entry in row] for row in matrix])
    basis, count = rows.nullspace()
    vectors = [[int(basis[place, column]) for place in range(matrix.shape[1])] for column in range(count)]
    for vector in vectors:
        if any(sum(int(a) * b for a, b in zip(row, vector, strict=True)) for row in matrix) or not any(vector):
            raise ArithmeticError("a vector outside the kernel")
    return vectors


def _parts(vector: Sequence[Any], dimension: int) -> list[Sequence[Any]]:
    return [vector[start : start + dimension] for start in range(0, len(vector), dimension)]


def _into_ball(vector: list[int], dimension: int) -> list[Fraction]:
    longest = max(sum(entry * entry for entry in part) for part in _parts(vector, dimension))
    root = isqrt(longest << 40)  # in steps of 2^-20
    root += root * root < longest << 40
    return [Fraction(entry << 20, root) for entry in vector]


def _subset(vector: list[Fraction], dimension: int, q: int) -> tuple[tuple[int, ...], Fraction]:
    parts = _parts(vector, dimension)
    units = [[Fraction(place == other) for other in range(dimension)] for place in range(dimension)]
    best: tuple[tuple[int, ...], Fraction] = ((), Fraction(-1))
    for direction in (*units, max(parts, key=lambda part: _inner(part, part))):
        order = np.argsort(np.array([_inner(part, direction) for part in parts], dtype=object), kind="stable")
        for chosen in (order[:q], order[-q:]):
            total = [sum((parts[place][axis] for place in chosen), Fraction(0)) for axis in range(dimension)]
            if (size := _inner(total, total)) > best[1]:
                best = (tuple(sorted(int(place) + 1 for place in chosen)), size)
    return best


def _inner(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(first, second, strict=True)), Fraction(0))


def _product(weights: tuple[Vector, ...], vector: Sequence[Fraction]) -> Vector:
    return tuple(_inner(row, vector) for row in weights)


def _average(vectors: tuple[Vector, ...], subset: tuple[int, ...]) -> Vector:
    chosen = [vectors[place - 1] for place in subset]
    return tuple(sum(entries, Fraction(0)) / len(subset) for entries in zip(*chosen, strict=True))
