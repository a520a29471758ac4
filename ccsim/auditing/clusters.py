"""Which zonotopes to put together, and one zonotope around each cluster of them.

The choice is a heuristic in floating point. What is put around a cluster is worked out in integers: a parallelotope
along the main axes of its members, with every rounding added to its radius.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ccsim.arithmetic import Zonotopes, exact_matmul, floor_divide
from ccsim.arithmetic.zonotopes import UNIT
from ccsim.arrays import Array

AXIS_BITS = 12
AXIS = 1 << AXIS_BITS
LEAST_SHARE = 0.05  # clusters narrower than this part of the widest are not split in the same round


@dataclass(frozen=True, eq=False)
class Grouping:
    """Members in the order of their groups.

    Attributes:
        order: the members, group by group.
        starts: where each group starts in that order.
        groups: for each member in that order the number of its group.
    """

    order: Array
    starts: Array
    groups: Array

    @classmethod
    def of(cls, numbers: Array) -> Grouping:
        """From the number of the group of each member."""
        order = np.argsort(numbers, kind="stable")
        starts = np.flatnonzero(np.diff(numbers[order], prepend=-1))
        sizes = np.diff(starts, append=len(order))
        return cls(order, starts, np.repeat(np.arange(len(starts)), sizes))

    @property
    def single(self) -> Array:
        """For each member in order whether it is alone in its group."""
        return np.asarray(np.diff(self.starts, append=len(self.order)) == 1)[self.groups]


def cluster_numbers(low: Array, high: Array, classes: Array, weights: Array, most: int) -> Array:
    """Numbers of at most ``most`` clusters (or as many as classes), none of which has members of two classes.

    The clusters that are widest, the more so if they weigh much, are cut in their middle again and again.

    Args:
        low, high: bounds of each member, shape (members, units).
        classes: numbers of classes from 0 on.
        weights: of each member, floats.
        most: how many clusters there may be.
    """
    middles, numbers, count = (low + high) / 2, classes.copy(), int(classes.max()) + 1
    while count < most:
        grouping = Grouping.of(numbers)
        order, starts = grouping.order, grouping.starts
        least, largest = np.minimum.reduceat(middles[order], starts), np.maximum.reduceat(middles[order], starts)
        width = largest - least
        unit, places = width.argmax(axis=1), np.arange(count)
        worth = width[places, unit] * np.sqrt(np.add.reduceat(weights[order], starts))
        chosen = np.argsort(-worth, kind="stable")[: most - count]
        chosen = chosen[worth[chosen] > LEAST_SHARE * worth[chosen[0]]]
        if not len(chosen):
            break
        fresh = np.full(count, -1)
        fresh[chosen] = count + np.arange(len(chosen))
        cuts = _cuts(middles[np.arange(len(numbers)), unit[numbers]], grouping)
        beyond = middles[np.arange(len(numbers)), unit[numbers]] > cuts[numbers]
        numbers = np.where((fresh[numbers] >= 0) & beyond, fresh[numbers], numbers)
        count += len(chosen)
    return np.asarray(np.unique(numbers, return_inverse=True)[1]).reshape(-1)


def _cuts(values: Array, grouping: Grouping) -> Array:
    """For each group the value up to which members are left of the cut that leaves least variance (Otsu 1979)."""
    order = np.lexsort((values, _of_members(grouping)))
    ordered, starts, groups = values[order], grouping.starts, grouping.groups
    sizes = np.diff(starts, append=len(order))
    place = np.arange(len(order)) - starts[groups]
    centred = ordered - np.add.reduceat(ordered, starts)[groups] / sizes[groups]
    sums = np.cumsum(centred)
    sums = sums - (sums - centred)[starts][groups]
    left = place + 1.0
    between = np.where(left < sizes[groups], sums**2 / np.maximum(left * (sizes[groups] - left), 1), -1)
    between[:-1] = np.where(ordered[1:] == ordered[:-1], -1, between[:-1])
    best = np.maximum.reduceat(between, starts)
    first = np.flatnonzero(between == best[groups])
    cuts = np.empty(len(starts))
    cuts[groups[first]] = ordered[first]
    return cuts


def _of_members(grouping: Grouping) -> Array:
    groups = np.empty_like(grouping.groups)
    groups[grouping.order] = grouping.groups
    return groups


def joined(zonotopes: Zonotopes, numbers: Array, kept: int) -> tuple[Zonotopes, Grouping]:
    """One zonotope around each group of a batch (members, units), with as many generators as units and ``kept`` more.

    Those that are alone keep so many of their own generators, the longest, and only the rest is enclosed.
    """
    grouping = Grouping.of(numbers)
    members, alone = zonotopes[grouping.order], grouping.single
    own, rest = _longest(_with_rest(members), kept)
    least = np.minimum.reduceat(members.low, grouping.starts)
    most = np.maximum.reduceat(members.high, grouping.starts)
    middle = _middles(members, least, most, grouping, alone)
    away = members.centre - middle[grouping.groups]
    spread = np.concatenate([np.where(alone[:, None, None], 0, own), rest], axis=2)
    axes = _axes(away, spread, grouping)
    centre, generators, radius = _enclosed(away, spread, axes, grouping)
    held = np.where(alone[grouping.starts][:, None, None], own[grouping.starts], 0)
    return Zonotopes(middle + centre, np.concatenate([held, generators], axis=2), radius, least, most), grouping


def _middles(members: Zonotopes, least: Array, most: Array, grouping: Grouping, alone: Array) -> Array:
    """A point in the middle of each group; the centre of a member that is alone."""
    first = grouping.starts
    return np.where(alone[first][:, None], members.centre[first], (least + most) * (UNIT // 2))


def _with_rest(members: Zonotopes) -> Array:
    """The generators (members, units, K + units), those of the rest behind the others."""
    units = members.shape[1]
    rest = members.radius[:, :, None] * np.eye(units, dtype=np.int64)
    return np.concatenate([members.generators, rest], axis=2)


def _longest(generators: Array, kept: int) -> tuple[Array, Array]:
    """The longest generators of each member, and the others."""
    order = np.argsort(-np.abs(generators).sum(axis=1), axis=1, kind="stable")
    ordered = np.take_along_axis(generators, order[:, None, :], axis=2)
    return ordered[:, :, :kept], ordered[:, :, kept:]


def _axes(away: Array, spread: Array, grouping: Grouping) -> Array:
    """The main axes of each group as columns, over AXIS, about orthonormal."""
    parts = spread.astype(np.float64)
    moments = np.matmul(parts, parts.transpose(0, 2, 1)) + away[:, :, None].astype(np.float64) * away[:, None, :]
    total = np.add.reduceat(moments, grouping.starts)
    total += np.eye(total.shape[1])
    return np.asarray(np.rint(np.linalg.eigh(total)[1] * AXIS), dtype=np.int64)


def _enclosed(away: Array, spread: Array, axes: Array, grouping: Grouping) -> tuple[Array, Array, Array]:
    """Centre, generators and radius of a parallelotope P y around the members, for the axes P of each group.

    With Q the transposed of P, v is P (Q v) and (1 - P Q) v: the first part gives the sides, the second, which is small
    whatever P is, goes to the radius. P and Q are integers over AXIS.
    """
    across = axes.transpose(0, 2, 1)[grouping.groups]
    places = exact_matmul(across, away[:, :, None])[:, :, 0]
    reach = np.abs(exact_matmul(across, spread)).sum(axis=2)
    least = np.minimum.reduceat(places - reach, grouping.starts)
    most = np.maximum.reduceat(places + reach, grouping.starts)
    middle, half = (least + most) >> 1, (most - least + 2) >> 1
    unit = AXIS * AXIS
    centre = floor_divide(exact_matmul(axes, middle[:, :, None])[:, :, 0], unit)
    generators = floor_divide(axes * half[:, None, :] + unit // 2, unit)
    left = unit * np.eye(axes.shape[1], dtype=np.int64) - exact_matmul(axes, axes.transpose(0, 2, 1))
    far = np.maximum.reduceat(np.abs(away) + np.abs(spread).sum(axis=2), grouping.starts)
    lost = exact_matmul(np.abs(left), far[:, :, None])[:, :, 0]
    return centre, generators, floor_divide(lost, unit) + 2 + axes.shape[1]
