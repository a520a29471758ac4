"""Nonnegative factors of a matrix of whole numbers: exact, by folding it or from a search in floats.

A fold along a vector w: columns that differ by multiples of w are one column of a smaller matrix, which has the least
of them in rows where w is at least 0, and the greatest in the others. What is left over are two nonnegative matrices of
rank one. No symmetry is needed, but a reflection of a polytope folds its slack matrix best (Kaibel and Pashkovich 2011;
Fiorini, Rothvoss and Tiwary 2012).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import gcd, lcm
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim import lazy
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.solvers import common_integers

flint = lazy.load("flint")

Table = npt.NDArray[Any]
Vectors = list[list[Fraction]]
Factors = tuple[Vectors, Vectors]
"""A vector for each row and one for each column, of as many entries as there are factors."""


# Folds

MOST_FOLDS = 24  # of a matrix, and of its transpose, that are tried
DETOURS = (1, 2, 4, 8, 16, 32)  # how many better folds may be passed over, on the way to the smallest matrix


class Fold(NamedTuple):
    """Columns of a class are one; ``lifts`` are the steps along the vector from the first, and to the last of it."""

    turned: bool
    vector: Table
    classes: Table
    ends: tuple[Table, Table]
    lifts: tuple[Table, Table]

    @property
    def cost(self) -> int:
        return int(self.vector.max() > 0) + int(self.vector.min() < 0)

    def half(self, table: Table) -> Table:
        first, last = (table[:, end] for end in self.ends)
        return np.where(self.vector[:, None] >= 0, first, last)

    @property
    def rest(self) -> tuple[Table, Table]:
        """Factors of what is left over."""
        pairs = zip((self.vector, -self.vector), self.lifts, strict=True)
        left, right = zip(*((np.maximum(0, vector), lift) for vector, lift in pairs if vector.max() > 0), strict=True)
        return np.column_stack(left), np.column_stack(right)


Known = tuple[int, list[Fold]]


def by_folding(table: Table, clock: Clock) -> Iterator[Factors | None]:
    """Factors of fewer and fewer columns, from more and more detours; None before there are more."""
    best = min(table.shape)
    for detours in DETOURS:
        size, folds = _fewest(table, detours, {}, clock)
        if size < best:
            best = size
            left, right = _unfolded(table, folds)
            yield left.tolist(), right.tolist()
        yield None


def _fewest(table: Table, detours: int, seen: dict[Any, Known], clock: Clock) -> Known:
    """How many factors are enough, and the folds that show it."""
    small = _merged(table)[0]
    key = (*small.shape, small.tobytes(), detours)
    if key in seen:
        return seen[key]
    size, best = min(small.shape), list[Fold]()
    halves: dict[Any, tuple[Fold, Table]] = {}
    for fold in [*_folds(small, False), *_folds(small.T, True)] if size > 2 else []:
        half = fold.half(small.T if fold.turned else small)
        if not half.any():  # of rank two
            continue
        left = _merged(half)[0]
        alike = min(np.sort(np.sort(one, axis=1), axis=0).tobytes() for one in (left, left.T))
        halves.setdefault((fold.cost + min(left.shape), sum(left.shape), fold.cost, alike), (fold, half))
    for passed, (_, (fold, half)) in enumerate(sorted(halves.items(), key=itemgetter(0))[: detours + 1]):
        if clock.over:
            break
        if fold.cost + np.linalg.matrix_rank(half) < size:
            less, folds = _fewest(half, detours - passed, seen, clock)
            if fold.cost + less < size:
                size, best = fold.cost + less, [fold, *folds]
    seen[key] = size, best
    return size, best


def _merged(table: Table) -> tuple[Table, list[tuple[Table, Table]]]:
    """The table without rows and columns that are 0 or multiples of others; of which one each is what multiple."""
    sides = []
    for _ in range(2):
        sizes = np.gcd.reduce(table, axis=1)
        units = table // np.maximum(sizes, 1)[:, None]
        _, first, classes = np.unique(units, axis=0, return_index=True, return_inverse=True)
        zeros = int((sizes[first] == 0).sum())  # they are the first class
        table, places = table[first[zeros:]].T, np.maximum(0, classes.ravel() - zeros)
        multiples = [
            Fraction(int(size), int(unit)) for size, unit in zip(sizes, sizes[first[zeros:]][places], strict=True)
        ]
        sides.append((places, np.array(multiples, dtype=object)[:, None]))
    return table, sides


def _folds(table: Table, turned: bool) -> Iterator[Fold]:
    """Along the vectors of the most pairs of columns, if the columns that are saved are as many as it costs."""
    one, other = np.triu_indices(table.shape[1], 1)
    steps = table[:, other] - table[:, one]
    sizes = np.gcd.reduce(steps, axis=0) * np.sign(steps[np.argmax(steps != 0, axis=0), np.arange(len(one))])
    vectors, kinds, pairs = np.unique(steps // sizes, axis=1, return_inverse=True, return_counts=True)
    for kind in np.argsort(-pairs)[:MOST_FOLDS].tolist():
        firsts, places = np.arange(table.shape[1]), np.zeros(table.shape[1], dtype=np.int64)
        for pair in np.flatnonzero(kinds.ravel() == kind).tolist():
            if firsts[one[pair]] == one[pair]:  # the first column of all that differ so
                firsts[other[pair]], places[other[pair]] = one[pair], sizes[pair]
        classes = np.unique(firsts, return_inverse=True)[1].ravel()
        order = np.lexsort((places, classes))
        least, most = (order[np.flatnonzero(np.diff(classes[order], **{end: -1}))] for end in ("prepend", "append"))
        lifts = places - places[least][classes], places[most][classes] - places
        fold = Fold(turned, vectors[:, kind], classes, (least, most), lifts)
        if len(least) + fold.cost <= len(classes):
            yield fold


def _unfolded(table: Table, folds: list[Fold]) -> tuple[Table, Table]:
    """Factors of a table, from those of what is left of it after all folds."""
    small, sides = _merged(table)
    if not folds:
        one = np.identity(min(small.shape), dtype=np.int64)
        pair = (one, small.T) if len(small) <= small.shape[1] else (small, one)
    else:
        fold = folds[0]
        left, right = _unfolded(fold.half(small.T if fold.turned else small), folds[1:])
        vectors, lifts = fold.rest
        left, right = np.column_stack([left, vectors]), np.column_stack([right[fold.classes], lifts])
        pair = (right, left) if fold.turned else (left, right)
    left, right = (own[places] * multiples for own, (places, multiples) in zip(pair, sides, strict=True))
    return left, right


# A search in floats

STEPS, MOST_DAMPED = 80, 1e4
NEAR, ZERO, EXACT = 1e-8, 1e-5, 1e-11  # where the largest entry is 1
MOST_BITS = 2000
MOST_PARTS = 10_000  # a denominator that is recognised
FINENESS = (2, 16, 256, 4096)  # denominators where there is room


def by_search(table: Table, size: int, number: int, clock: Clock) -> Factors | None:
    """Factors of so many columns, found in floats from the start of a number, and made exact."""
    generator = np.random.default_rng((number, size))
    left, right = (generator.random((length, size)) for length in table.shape)
    near = polished(table / table.max(), left, right, clock)
    pair = None if near is None else in_the_span(table, *near) or recognised(table, *near)
    return pair if pair and all(map(_short, pair)) else None


def _short(side: Vectors) -> bool:
    """Whether the checker reads it."""
    scale = lcm(*(entry.denominator for row in side for entry in row))
    return max(scale**2, *(int(entry * scale) for row in side for entry in row)).bit_length() < MOST_BITS


def polished(numbers: Table, left: Table, right: Table, clock: Clock) -> tuple[Table, Table] | None:
    """A product as near as floats allow, by projected Levenberg-Marquardt steps; None if there is none near these."""
    height, damping = len(left), 1e-3
    both: Table = np.concatenate([left, right])
    over: Table = left @ right.T - numbers
    for _ in range(STEPS):
        if np.abs(over).max() < NEAR:
            break
        slopes = _slopes(both[:height], both[height:])
        free = np.flatnonzero((both.ravel() > 1e-9) | (slopes.T @ over.ravel() < 0))
        slopes, before = slopes[:, free], (over**2).sum()
        gram, less = slopes @ slopes.T, before
        while less > before * (1 - 1e-4):
            if clock.over or damping > MOST_DAMPED:
                return None
            moved = both.ravel().copy()
            step = slopes.T @ np.linalg.solve(gram + damping * np.identity(len(gram)), over.ravel())
            moved[free] = np.maximum(0, moved[free] - step)
            beyond = moved[: left.size].reshape(left.shape) @ moved[left.size :].reshape(right.shape).T - numbers
            less, damping = (beyond**2).sum(), damping * 4
        both, over, damping = moved.reshape(both.shape), beyond, max(damping / 20, 1e-12)
    else:
        return None
    both[both < ZERO] = 0
    free = np.flatnonzero(both)
    for _ in range(3):  # by Newton's method, where what is 0 stays so
        over = both[:height] @ both[height:].T - numbers
        step = np.linalg.lstsq(_slopes(both[:height], both[height:])[:, free], over.ravel(), rcond=1e-10)[0]
        both.ravel()[free] -= step
    if np.abs(over).max() > EXACT or both[:height].max(axis=0).min() <= 0 or both.min() < 0:
        return None
    scale = both[:height].max(axis=0)
    return both[:height] / scale, both[height:] * scale


def _slopes(left: Table, right: Table) -> Table:
    """The derivatives of the entries of the product by those of both factors."""
    (height, size), width = left.shape, len(right)
    slopes = np.zeros((height, width, height + width, size))
    slopes[range(height), :, range(height)] = right
    slopes[:, range(width), range(height, height + width)] = left[:, None]
    return slopes.reshape(height * width, -1)


def recognised(table: Table, left: Table, right: Table) -> Factors | None:
    """Both sides as simple fractions, if these are exact factors."""
    pair = [
        [[Fraction(entry).limit_denominator(MOST_PARTS) for entry in row] for row in side.tolist()]
        for side in (left, right * table.max())
    ]
    rows, columns = (np.array(side, dtype=object) for side in pair)
    return (pair[0], pair[1]) if np.array_equal(rows @ columns.T, table) else None


def in_the_span(table: Table, left: Table, right: Table) -> Factors | None:
    """Where there are as many factors as the rank, those of the rows are in the span of the columns, and vice versa.

    With the columns B of a basis and all as its combinations B C, factors are B q_k and C^T p_k where q_k and p_l are
    orthogonal if k and l are different. What is 0 in floats is kept so, in one q_k or p_l after the other.
    """
    reduced, scale, rank = flint.fmpz_mat(table.tolist()).rref()
    if rank != left.shape[1]:
        return None
    reduced, scale = (-reduced, -scale) if scale < 0 else (reduced, scale)
    across = np.array([[int(entry) for entry in row] for row in reduced.tolist()[:rank]], dtype=object)
    frames = table[:, [np.flatnonzero(row)[0] for row in across]].astype(object), across.T
    near = np.linalg.lstsq(frames[0].astype(float), left, rcond=None)[0]
    nears = near.T, np.linalg.pinv(near)
    zeros = [
        [frame[side[:, k] < ZERO].tolist() for k in range(rank)]
        for frame, side in zip(frames, (left, right / right.max(axis=0)), strict=True)
    ]
    both = [(side, k) for side in (0, 1) for k in range(rank)]
    both.sort(key=lambda one: -len(zeros[one[0]][one[1]]))  # those first that have the least room
    for below in FINENESS:
        known: tuple[dict[int, list[int]], dict[int, list[int]]] = {}, {}
        for side, k in both:
            apart = [vector for other, vector in known[1 - side].items() if other != k]
            known[side][k] = _orthogonal([*zeros[side][k], *apart], nears[side][k], below)
        first, second = (np.array([own[k] for k in range(rank)], dtype=object) for own in known)
        units = (first * second).sum(axis=1)
        if min(units) > 0:
            rows, columns = frames[0] @ first.T, frames[1] @ second.T
            if min(rows.min(), columns.min()) >= 0:
                common = [gcd(*factor) for factor in rows.T]
                weights = [Fraction(int(unit * scale), one) for unit, one in zip(units, common, strict=True)]
                return (rows // common + Fraction(0)).tolist(), (columns / np.array(weights, dtype=object)).tolist()
    return None


def _orthogonal(vectors: list[list[int]], near: Table, below: int) -> list[int]:
    """Integers in the direction of such floats, but orthogonal to these vectors; zeros if there is none."""
    reduced, scale, rank = flint.fmpz_mat([*vectors, [0] * len(near)]).rref()
    pivots = [next(place for place in range(len(near)) if reduced[row, place]) for row in range(rank)]
    free = [place for place in range(len(near)) if place not in pivots]
    if not free:
        return [0] * len(near)
    largest = np.abs(near[free]).max()
    exact = [Fraction(0)] * len(near)
    for place in free:
        exact[place] = Fraction(float(near[place] / largest)).limit_denominator(below)
    for row, pivot in enumerate(pivots):
        exact[pivot] = -sum(
            (Fraction(int(reduced[row, place]), int(scale)) * exact[place] for place in free), Fraction(0)
        )
    return common_integers(exact)
