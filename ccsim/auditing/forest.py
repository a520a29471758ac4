"""Trees of clusters: halves of halves of points that belong together, with a zonotope around each cluster.

Which points are put together, and the axes, are chosen in floating point; what is around them is worked out in
integers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ccsim.arrays import Array

__all__ = ["Forest", "grown"]

STEP_BITS = 14
STEP = 1 << STEP_BITS
"""A point lies at so many steps of a generator from the centre, rounded."""


@dataclass(frozen=True, eq=False)
class Forest:
    """All clusters of several sets of points, numbered; a set's root comes before what is inside it.

    A cluster holds the points ``order[starts]`` to ``order[ends - 1]``. Each of these is centre + sum of generators_k
    e_k + rest, for some e in [-1, 1] and some rest of at most ``radius`` in each place.

    Attributes:
        order: numbers of points.
        starts, ends: shape (clusters,).
        children: shape (clusters, 2); -1 for a single point.
        roots: of each set.
        centre, radius: shape (clusters, dimensions), integers.
        generators: shape (clusters, dimensions, K), integers.
    """

    order: Array
    starts: Array
    ends: Array
    children: Array
    roots: Array
    centre: Array
    radius: Array
    generators: Array

    @property
    def sizes(self) -> Array:
        """How many points are in each."""
        return np.asarray(self.ends - self.starts)

    def least(self, values: Array) -> Array:
        """The least of values (points, ...) in each cluster."""
        return self._reduced(np.minimum, values)

    def most(self, values: Array) -> Array:
        """The largest of values (points, ...) in each cluster."""
        return self._reduced(np.maximum, values)

    def _reduced(self, operation: np.ufunc, values: Array) -> Array:
        """Places of ranges and of what is between them take turns; the latter are left out."""
        bounds = np.stack([self.starts, self.ends], axis=1).reshape(-1)
        padded = values[np.append(self.order, 0)]
        return np.array(operation.reduceat(padded, bounds, axis=0)[::2])


def grown(points: Array, sets: Array, classes: Array, scales: Array, count: int) -> Forest:
    """The trees over points (points, dimensions) that are in sets 0, 1, ..., each of which has consecutive points.

    As long as a cluster has members of several classes it is split between these, else in the middle, always along its
    main axis, for which the columns are divided by ``scales``. So many generators are kept.
    """
    order, first = np.arange(len(points)), np.flatnonzero(np.diff(sets, prepend=-1))
    starts, ends = [first], [np.append(first[1:], len(points))]
    enclosed, children, total = [], [], len(first)
    while len(starts[-1]):
        begin, end = starts[-1], ends[-1]
        axes, parts = _main_axes(points, order, begin, end, scales, count)
        enclosed.append(_around(points, order, begin, end, axes, scales))
        middle = _split(order, begin, end, classes, parts)
        split = middle > begin
        numbers = np.full((len(begin), 2), -1)
        numbers[split] = total + np.arange(2 * int(split.sum())).reshape(-1, 2)
        children.append(numbers)
        total += 2 * int(split.sum())
        starts.append(np.stack([begin[split], middle[split]], axis=1).reshape(-1))
        ends.append(np.stack([middle[split], end[split]], axis=1).reshape(-1))
    centre, generators, radius = (np.concatenate(part) for part in zip(*enclosed, strict=True))
    return Forest(
        order=order,
        starts=np.concatenate(starts),
        ends=np.concatenate(ends),
        children=np.concatenate(children),
        roots=np.arange(len(first)),
        centre=centre,
        radius=radius,
        generators=generators,
    )


def _members(order: Array, begin: Array, end: Array) -> tuple[Array, Array, Array]:
    """Members of clusters one after the other, their clusters, and where each cluster begins."""
    sizes = end - begin
    groups = np.repeat(np.arange(len(begin)), sizes)
    offsets = np.cumsum(sizes) - sizes
    places = np.arange(len(groups)) - offsets[groups] + begin[groups]
    return order[places], groups, offsets


def _main_axes(points: Array, order: Array, begin: Array, end: Array, scales: Array, count: int) -> tuple[Array, Array]:
    """Axes (clusters, dimensions, count), about orthonormal where columns are scaled, and places on the first one."""
    members, groups, offsets = _members(order, begin, end)
    scaled = points[members] / scales
    away = scaled - (np.add.reduceat(scaled, offsets) / (end - begin)[:, None])[groups]
    moments = np.add.reduceat(away[:, :, None] * away[:, None, :], offsets)
    axes = np.zeros((len(begin), points.shape[1], min(count, points.shape[1])))
    several = end - begin > 1
    axes[several] = np.linalg.eigh(moments[several])[1][:, :, ::-1][:, :, :count]
    return axes * scales[:, None], np.asarray((away * axes[groups, :, 0]).sum(axis=1))


def _split(order: Array, begin: Array, end: Array, classes: Array, parts: Array) -> Array:
    """Sort each cluster along its axis, class by class, and tell where its second half begins; ``begin`` if nowhere."""
    members, groups, offsets = _members(order, begin, end)
    kinds = int(classes.max()) + 1
    pairs, numbers = np.unique(groups * kinds + classes[members], return_inverse=True)
    means = np.bincount(numbers, parts) / np.bincount(numbers)
    mixed = np.bincount(pairs // kinds, minlength=len(begin)) > 1
    by_class = np.where(mixed[groups], means[numbers], 0)
    arranged = np.lexsort((members, parts, np.where(mixed[groups], numbers, 0), by_class, groups))
    order[np.repeat(begin - offsets, end - begin) + np.arange(len(groups))] = members[arranged]
    middle, sizes = (begin + end) >> 1, end - begin
    place, ordered = np.arange(len(groups)) - offsets[groups], numbers[arranged]
    edge = (place > 0) & (ordered != np.roll(ordered, 1))
    far = np.where(edge, np.abs(2 * place - sizes[groups]), 1 << 60)
    nearest = np.lexsort((far, groups))[offsets]
    middle = np.where(mixed, begin + place[nearest], middle)
    return np.where(sizes > 1, middle, begin)


def _around(
    points: Array, order: Array, begin: Array, end: Array, axes: Array, scales: Array
) -> tuple[Array, Array, Array]:
    """Centre, generators and radius, in integers, along axes that are only a proposal."""
    members, groups, offsets = _members(order, begin, end)
    own = points[members]
    centre = np.rint(np.add.reduceat(own.astype(np.float64), offsets) / (end - begin)[:, None]).astype(np.int64)
    along = ((own - centre[groups])[:, :, None] * (axes / scales[:, None] ** 2)[groups]).sum(axis=1)
    least, most = np.minimum.reduceat(along, offsets), np.maximum.reduceat(along, offsets)
    half = np.maximum((most - least) / 2, 1e-300)
    generators = np.rint(axes * half[:, None, :] / STEP).astype(np.int64)
    steps = np.rint(np.clip((along - ((most + least) / 2)[groups]) / half[groups], -1, 1) * STEP).astype(np.int64)
    centre = centre + np.rint((axes * ((most + least) / 2)[:, None, :]).sum(axis=2)).astype(np.int64)
    rest = own - centre[groups] - (generators[groups] * steps[:, None, :]).sum(axis=2)
    low, high = np.minimum.reduceat(rest, offsets), np.maximum.reduceat(rest, offsets)
    return centre + ((low + high) >> 1), generators * STEP, (high - low + 1) >> 1
