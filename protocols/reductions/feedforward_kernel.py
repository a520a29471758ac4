"""Two inputs that a feed-forward network with too narrow a first layer cannot distinguish.

All that a network z -> g(W z) sees of z is W z. Two choices of z in a kernel of W give the same W z and different
averages (Sanford, Hsu and Telgarsky 2023: a first layer of width below N d' / 2 cannot compute q-sparse averaging).
Further inputs, such as the subsets y, are the same in both: take the columns of W that read z.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm
from typing import Any

import numpy as np

from ccsim import lazy
from ccsim.errors import Array, InputError, require_integer

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
        return sum(((a - b) ** 2 for a, b in zip(*self.averages, strict=True)), Fraction(0)) / 4

    @property
    def is_too_much(self) -> bool:
        """Whether the error is above 1 / (2 q), so that the network does not even approximate the average so well."""
        return self.squared_error > Fraction(1, 4 * len(self.subset) ** 2)

    def verify(self) -> bool:
        """Whether everything stated here holds, recomputed with exact fractions from W and the two inputs alone."""
        chosen, (weights, below) = set(self.subset), _whole(self.weights)
        if not chosen or len(chosen) < len(self.subset) or not chosen <= set(range(1, len(self.vectors[0]) + 1)):
            return False
        for vectors, average in zip(self.vectors, self.averages, strict=True):
            parts, scale = _whole(vectors)
            if ((parts**2).sum(axis=1) > scale**2).any() or _average(parts, self.subset, scale) != average:
                return False
            if _over(weights @ parts.ravel(), below * scale) != self.image:
                return False
        return self.averages[0] != self.averages[1]


def feedforward_kernel(weights: Any, *, length: int, q: int, dimension: int = 1) -> KernelCollision:
    """Two inputs to q-sparse averaging on which the network must answer the same, though their averages differ.

    With z and -z in the kernel, whatever the network answers is off by at least the length of the average of one of
    them. For N >= 2q this error is above 1/(2q) for *every* kernel vector, so that every width below N d' fails, which
    is twice the printed N d' / 2. For let the longest z_j have length 1, and look at all parts in its direction: so
    d' = 1 and z_j = 1. If at least q entries are not negative, q of them with z_j add up to 1 or more. Otherwise let t
    be the size of the largest negative entry among the q greatest entries: these add up to at least 1 - (q-1) t, the q
    least ones to at most -q t, and one of 1 - (q-1) t and q t is at least q / (2q-1) > 1/2.

    Args:
        weights: W, rows of N d' integers, Fractions or floats, each the rational number that it stores; whatever the
            network does with W z does not matter.
        length, q: N, how many vectors there are, and how many of them are averaged, at most N.
        dimension: d', the coordinates of each vector.

    Raises :class:`~ccsim.errors.InputError` if sizes do not fit, W has no kernel, or q = N and all its averages are 0.

    >>> collision = feedforward_kernel(np.random.default_rng(0).integers(-9, 10, (5, 6)), length=6, q=2)
    >>> collision.verify(), collision.is_too_much
    (True, True)
    """
    length, q = require_integer("length", length, low=1), require_integer("q", q, low=1, high=length)
    size = length * require_integer("dimension", dimension, low=1)
    try:
        rows = [tuple(Fraction(entry) for entry in row) for row in np.asarray(weights).tolist()]
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError("weights", weights, "rows of integers, Fractions or finite floats") from error
    if {*map(len, rows)} != {size}:
        raise InputError("weights", np.shape(weights), f"rows of {size} numbers, the columns of W that read z")
    matrix, below = _whole(rows)
    found = [_best_subset(vector.reshape(length, -1), q) for vector in _kernel(matrix)]
    best = max(found, key=lambda each: each[0], default=None)
    if best is None or not best[0]:
        expected = f"a kernel in which {q} of {length} vectors do not always cancel; "
        raise InputError("weights", f"{len(rows)} rows", expected + f"fewer than {size} give a kernel")
    _, subset, parts = best
    scale = _of_ball(parts)
    first, second = (tuple(_over(sign * part, scale) for part in parts) for sign in (1, -1))
    image, averages = (
        _over(matrix @ parts.ravel(), below * scale),
        [_average(each, subset, scale) for each in (parts, -parts)],
    )
    collision = KernelCollision(tuple(rows), subset, (first, second), image, (averages[0], averages[1]))
    if not collision.verify():
        raise ArithmeticError("the two inputs do not have what was to be shown")
    return collision


def _kernel(matrix: Array) -> Array:
    basis, count = flint.fmpz_mat(matrix.tolist()).nullspace()
    vectors = np.array([[int(entry) for entry in row[:count]] for row in basis.tolist()], dtype=object).T
    if (matrix @ vectors.T).any() or not vectors.any(axis=1).all():
        raise ArithmeticError("a vector outside the kernel")
    return vectors


def _of_ball(parts: Array) -> Fraction:
    """A number over which the longest part has length 1, or just below it."""
    longest = int((parts**2).sum(axis=1).max())
    root = isqrt(longest << 40)  # in steps of 2^-20
    root += root * root < longest << 40
    return Fraction(root, 1 << 20)


def _best_subset(parts: Array, q: int) -> tuple[Fraction, tuple[int, ...], Array]:
    """The squared length and the places of q parts whose sum is longest along a coordinate or the longest part."""
    best: tuple[int, tuple[int, ...]] = (-1, ())
    longest = parts[(parts**2).sum(axis=1).argmax()]
    for direction in (*np.eye(parts.shape[1], dtype=np.int64).astype(object), longest):
        order = np.argsort(parts @ direction, kind="stable")
        for chosen in (order[:q], order[-q:]):
            size = (parts[chosen].sum(axis=0) ** 2).sum()
            if size > best[0]:
                best = size, tuple(sorted((chosen + 1).tolist()))
    return best[0] / _of_ball(parts) ** 2, best[1], parts


def _whole(rows: Sequence[Vector]) -> tuple[Array, int]:
    """Rows of fractions as integers over one denominator."""
    below = lcm(*(entry.denominator for row in rows for entry in row))
    whole = [[entry.numerator * (below // entry.denominator) for entry in row] for row in rows]
    return np.array(whole, dtype=object), below


def _over(numbers: Array, below: Fraction | int) -> Vector:
    return tuple(number / Fraction(below) for number in numbers)


def _average(parts: Array, subset: tuple[int, ...], below: Fraction | int) -> Vector:
    return _over(parts[np.array(subset) - 1].sum(axis=0), len(subset) * below)
