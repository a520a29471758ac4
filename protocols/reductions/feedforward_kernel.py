"""Two inputs that a feed-forward network with too narrow a first layer cannot tell apart.

All that a network x -> g(W x) sees of x is W x. If the columns of W that read the vectors z_1..z_N have a kernel, two
choices of z in it give the same W x and different averages (Sanford, Hsu and Telgarsky 2023, the bound for
feed-forward networks: a first layer of width below N d' / 2 cannot compute q-sparse averaging).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from numbers import Integral
from typing import Any

import lazy_loader as lazy
import numpy as np

from ccsim.errors import InputError, require_integer
from ccsim.models.affine import FeedForward

flint = lazy.load("flint")

Vector = tuple[Fraction, ...]


@dataclass(frozen=True)
class KernelCollision:
    """Two inputs with the same W x whose q-sparse averages in one row differ; made by :func:`feedforward_kernel`.

    Attributes:
        weights: W, row by row.
        columns: which columns of W read z: the coordinates of z_1, then of z_2, and so on, counted from 0.
        subset: y of the row that is asked for: the positions to average, counted from 1.
        vectors: z_1..z_N of the first and of the second input, each in the unit ball.
        inputs: the two x; they agree outside ``columns``.
        image: W x, the same for both.
        averages: the right answers: the mean of z_j over j in ``subset``.
    """

    weights: tuple[Vector, ...]
    columns: tuple[int, ...]
    subset: tuple[int, ...]
    vectors: tuple[tuple[Vector, ...], tuple[Vector, ...]]
    inputs: tuple[Vector, Vector]
    image: Vector
    averages: tuple[Vector, Vector]

    @property
    def squared_error(self) -> Fraction:
        """Whatever g answers, on one of the two inputs its squared Euclidean distance to the average is no less."""
        distance = sum(((a - b) ** 2 for a, b in zip(*self.averages, strict=True)), Fraction(0))
        return distance / 4

    @property
    def is_too_much(self) -> bool:
        """Whether the error is above 1 / (2 q), so that the network does not even approximate the average so well."""
        return self.squared_error > Fraction(1, 4 * len(self.subset) ** 2)

    def verify(self) -> bool:
        """Whether everything stated here holds, recomputed with exact fractions from W and the two inputs alone."""
        length, places = len(self.vectors[0]), set(self.columns)
        if not self.subset or len(set(self.subset)) < len(self.subset):
            return False
        if not all(1 <= place <= length for place in self.subset):
            return False
        for x, vectors, average in zip(self.inputs, self.vectors, self.averages, strict=True):
            if [x[column] for column in self.columns] != [entry for z in vectors for entry in z]:
                return False
            if any(sum(entry * entry for entry in z) > 1 for z in vectors):
                return False
            if _product(self.weights, x) != self.image or _average(vectors, self.subset) != average:
                return False
        differ = {place for place, (a, b) in enumerate(zip(*self.inputs, strict=True)) if a != b}
        return differ <= places and self.averages[0] != self.averages[1]


def feedforward_kernel(
    network: FeedForward,
    *,
    length: int,
    q: int,
    dimension: int = 1,
    columns: Sequence[int] | None = None,
    others: Sequence[Fraction | int] | None = None,
) -> KernelCollision:
    """Two inputs to q-sparse averaging on which the network must answer the same, though their averages differ.

    With z and -z in the kernel, whatever the network answers is off by at least the length of the average of one of
    them. For N >= 2q this error is above 1/(2q) for *every* kernel vector, so that every width below N d' fails, which
    is twice the printed N d' / 2. For let the longest z_j have length 1, and look at all parts in its direction: so
    d' = 1 and z_j = 1. If at least q entries are not negative, q of them with z_j add up to 1 or more. Otherwise let t
    be the size of the largest negative entry among the q greatest entries: these add up to at least 1 - (q-1) t, the q
    least ones to at most -q t, and one of 1 - (q-1) t and q t is at least q / (2q-1) > 1/2.

    Args:
        network: g(W x) with exact W; g does not matter.
        length: N, how many vectors there are.
        q: how many of them are averaged, at most N.
        dimension: d', the coordinates of each vector.
        columns: the N d' columns of W that read z_1..z_N; all of them in order if None.
        others: what the two inputs have in the other columns (the subsets y, the same in both); 0 if None.

    Raises :class:`~ccsim.errors.InputError` if those columns have no kernel or if sizes do not fit; q = N with a
    kernel of vectors whose sum is 0 has no pair either.

    >>> collision = feedforward_kernel(FeedForward.random(inputs=6, width=5, seed=0), length=6, q=2)
    >>> collision.verify(), collision.is_too_much
    (True, True)
    """
    if not isinstance(network, FeedForward):
        raise InputError("network", network, "a FeedForward network")
    length, q = require_integer("length", length, low=1), require_integer("q", q, low=1, high=length)
    size = length * require_integer("dimension", dimension, low=1)
    places = _columns(network, columns, size)
    rest = _others(network, others)
    best: tuple[Fraction, list[Fraction], tuple[int, ...]] | None = None
    for vector in _kernel(network.numerators[:, places]):
        scaled = _into_ball(vector, dimension)
        subset, sum_ = _subset(scaled, dimension, q)
        if sum_ and (best is None or sum_ > best[0]):
            best = (sum_, scaled, subset)
    if best is None:
        expected = f"columns for z with a kernel in which {q} of {length} vectors do not always cancel; "
        raise InputError("network", network.width, expected + f"a width below {size} gives a kernel")
    return _collision(network, places, rest, best[1], best[2], dimension)


def _columns(network: FeedForward, columns: Sequence[int] | None, size: int) -> list[int]:
    if columns is None and network.inputs != size:
        raise InputError("columns", columns, f"which {size} of {network.inputs} columns of W read z")
    expected = f"{size} different columns from 0 to {network.inputs - 1}"
    try:
        given = list(range(size) if columns is None else columns)
    except TypeError as error:
        raise InputError("columns", columns, expected) from error
    places = [require_integer("columns", column, low=0, high=network.inputs - 1) for column in given]
    if len(set(places)) != size or len(places) != size:
        raise InputError("columns", columns, expected)
    return places


def _others(network: FeedForward, others: Any) -> list[Fraction]:
    if others is None:
        return [Fraction(0)] * network.inputs
    expected = f"{network.inputs} numbers; those in the columns of z do not count"
    try:
        values = [Fraction(int(value) if isinstance(value, Integral) else value) for value in others]
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError("others", others, expected) from error
    if len(values) != network.inputs:
        raise InputError("others", others, expected)
    return values


def _kernel(matrix: Any) -> list[list[int]]:
    """A basis of the integer kernel, exact."""
    rows = flint.fmpz_mat([[int(entry) for entry in row] for row in matrix])
    basis, count = rows.nullspace()
    vectors = [[int(basis[place, column]) for place in range(matrix.shape[1])] for column in range(count)]
    for vector in vectors:
        if any(sum(int(a) * b for a, b in zip(row, vector, strict=True)) for row in matrix) or not any(vector):
            raise ArithmeticError("the kernel that was found is not one")
    return vectors


def _parts(vector: Sequence[Any], dimension: int) -> list[Sequence[Any]]:
    return [vector[start : start + dimension] for start in range(0, len(vector), dimension)]


def _into_ball(vector: list[int], dimension: int) -> list[Fraction]:
    """The vector times a rational factor that brings the longest of its parts to length 1, or just below it."""
    longest = max(sum(entry * entry for entry in part) for part in _parts(vector, dimension))
    root = isqrt(longest << 40)  # in steps of 2^-20
    root += root * root < longest << 40
    return [Fraction(entry << 20, root) for entry in vector]


def _subset(vector: list[Fraction], dimension: int, q: int) -> tuple[tuple[int, ...], Fraction]:
    """The q positions whose sum is greatest in a direction, up to sign, and the squared length of that sum.

    Directions are those of the coordinates and that of the longest part.
    """
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


def _collision(
    network: FeedForward,
    places: list[int],
    rest: list[Fraction],
    vector: list[Fraction],
    subset: tuple[int, ...],
    dimension: int,
) -> KernelCollision:
    inputs, parts = [], []
    for sign in (1, -1):
        x = list(rest)
        for place, entry in zip(places, vector, strict=True):
            x[place] = sign * entry
        inputs.append(tuple(x))
        parts.append(tuple(tuple(sign * entry for entry in part) for part in _parts(vector, dimension)))
    weights = tuple(tuple(Fraction(int(entry), network.denominator) for entry in row) for row in network.numerators)
    averages = (_average(parts[0], subset), _average(parts[1], subset))
    image = _product(weights, inputs[0])
    collision = KernelCollision(
        weights, tuple(places), subset, (parts[0], parts[1]), (inputs[0], inputs[1]), image, averages
    )
    if not collision.verify():
        raise ArithmeticError("the two inputs do not have what was to be shown")
    return collision


def _product(weights: tuple[Vector, ...], vector: Vector) -> Vector:
    return tuple(sum((a * b for a, b in zip(row, vector, strict=True)), Fraction(0)) for row in weights)


def _average(vectors: tuple[Vector, ...], subset: tuple[int, ...]) -> Vector:
    chosen = [vectors[place - 1] for place in subset]
    return tuple(sum(entries, Fraction(0)) / len(subset) for entries in zip(*chosen, strict=True))
