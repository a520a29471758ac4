"""Zonotopes of integers: a centre, multiples of generators, and a rest of bounded size; and slopes of functions.

A zonotope over e_1, ..., e_K in [-1, 1] holds the arrays v with
``v = (centre + sum of generators_k e_k + rest) / UNIT`` for some e and some rest of at most ``radius`` in each place,
and with ``low <= v <= high`` (Singh, Gehr, Mirman, Püschel and Vechev 2018). All parts are integers, and every step
rounds outwards. Bounds of derivatives are by interval arithmetic (Arb, Johansson 2017).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ccsim import lazy
from ccsim.arithmetic.fixed_point import Enclosure, exact_matmul, floor_divide
from ccsim.arithmetic.functions import RISING, logistic, normal
from ccsim.errors import Array

flint = lazy.load("flint")

SLOPE_BITS = 14
SLOPE = 1 << SLOPE_BITS
"""Slopes are integers over 2^14."""

PARTS_BITS = 7  # a block is at most 1/128 long, where there are not too many
MOST_BLOCKS = 1 << 16


DERIVATIVES: dict[str, Callable[[Any], Any]] = {
    "exp": lambda x: x.exp(),
    "sigmoid": lambda x: logistic(x) * (1 - logistic(x)),
    "tanh": lambda x: 4 * logistic(2 * x) * (1 - logistic(2 * x)),
    "softplus": logistic,
    "silu": lambda x: logistic(x) * (1 + x * (1 - logistic(x))),
    "gelu": lambda x: normal(x) + x * (-x * x / 2).exp() / (2 * flint.arb.pi()).sqrt(),
    "identity": lambda x: flint.arb(1),
    "relu": lambda x: flint.arb(0.5, 0.5) if x.contains(0) else flint.arb(int(x > 0)),
}
"""The derivatives that are known, from a ball of arguments to a ball of values."""


class SlopeTable:
    def __init__(self, name: str, scale: int, low: int, high: int) -> None:
        self.low, self.bits = low, max(0, scale.bit_length() - 1 - PARTS_BITS)
        while (high - low) >> self.bits >= MOST_BLOCKS:
            self.bits += 1
        least, most, size = [], [], 1 << self.bits
        for first in range(low, high + 1, size):  # a block with its neighbours' ends, rounded outwards
            middle, radius = flint.arb(2 * first + size) / (2 * scale), flint.arb(size) / (2 * scale)
            slope = DERIVATIVES[name](middle + flint.arb(0, 1) * radius) * SLOPE
            least.append(int(slope.lower().floor().unique_fmpz()))
            most.append(int(slope.upper().ceil().unique_fmpz()))
        levels = [(np.array(least, dtype=np.int64), np.array(most, dtype=np.int64))]
        while len(levels[-1][0]) > 1 << len(levels) - 1:
            (below, above), step = levels[-1], 1 << len(levels) - 1
            levels.append((np.minimum(below[:-step], below[step:]), np.maximum(above[:-step], above[step:])))
        self.least, self.most = (np.concatenate(level) for level in zip(*levels, strict=True))
        self.offsets = np.cumsum([0, *(len(level[0]) for level in levels)])

    def between(self, first: Array, last: Array) -> tuple[Array, Array]:
        """The least and the largest slope from ``first`` to ``last`` (first <= last), over 2^SLOPE_BITS."""
        start, end = (first - self.low) >> self.bits, (last - self.low) >> self.bits
        level = np.frexp((end - start + 1).astype(np.float64))[1] - 1
        base = self.offsets[level]
        one, two = base + start, base + end + 1 - (1 << level)
        return np.minimum(self.least[one], self.least[two]), np.maximum(self.most[one], self.most[two])


@cache
def slope_table(name: str, scale: int, low: int, high: int) -> SlopeTable | None:
    """The table for mantissas from ``low`` to ``high`` over ``scale``; None for a function of unknown derivative."""
    return SlopeTable(name, scale, low, high) if name in DERIVATIVES else None


UNIT_BITS = 6
UNIT = 1 << UNIT_BITS
"""Centres, generators and radii are integers over 64."""

LARGEST = 1 << 62
FEW_GENERATORS = 64


class Zonotopes(Enclosure):
    """A batch of zonotopes: int64, the batch as first axis, generators along a last one, in steps of 1 / UNIT.

    ``reach`` is how far numbers may be from the centre; their bounds ``low`` and ``high`` are whole numbers.
    """

    def __init__(self, centre: Any, generators: Any, radius: Any, low: Any = None, high: Any = None) -> None:
        self.centre, self.generators, self.radius = centre, generators, radius
        sizes = np.abs(generators)
        few = sizes.flags.c_contiguous and sizes.shape[-1] <= FEW_GENERATORS
        # short rows that lie side by side are added faster by einsum than by sum
        self.reach = reach = (np.einsum("...k->...", sizes) if few else sizes.sum(axis=-1)) + radius
        least, most = -((reach - centre) >> UNIT_BITS), (centre + reach) >> UNIT_BITS
        self.low = least if low is None else np.maximum(least, low)
        self.high = most if high is None else np.minimum(most, high)

    @classmethod
    def points(cls, values: Array, generators: int) -> Zonotopes:
        values = np.asarray(values, dtype=np.int64)
        zeros = np.zeros((*values.shape, generators), dtype=np.int64)
        return cls(values * UNIT, zeros, np.zeros_like(values), values, values)

    @classmethod
    def _of(cls, *parts: Array) -> Zonotopes:
        zonotopes = cls.__new__(cls)
        names = "centre", "generators", "radius", "low", "high", "reach"
        vars(zonotopes).update(zip(names, parts, strict=True))
        return zonotopes

    dtype = np.dtype(np.int64)

    def astype(self, kind: Any, copy: bool = True) -> Zonotopes:
        return self

    __array_ufunc__ = None  # so that an array plus zonotopes is left to them

    def __array__(self, *arguments: Any, **named: Any) -> Any:
        """No operation that is written for numbers alone gets any."""
        raise TypeError("zonotopes are no array")

    @property
    def shape(self) -> tuple[int, ...]:
        shape: tuple[int, ...] = self.centre.shape
        return shape

    @property
    def count(self) -> int:
        return int(self.generators.shape[-1])

    def __len__(self) -> int:
        return len(self.centre)

    @property
    def _parts(self) -> tuple[Array, ...]:
        return self.centre, self.generators, self.radius, self.low, self.high, self.reach

    def __getitem__(self, index: Any) -> Zonotopes:
        return Zonotopes._of(*(part[index] for part in self._parts))

    def reshape(self, *shape: int) -> Zonotopes:
        wanted = self.centre.reshape(*shape).shape
        centre, generators, *others = self._parts
        rest = (part.reshape(wanted) for part in others)
        return Zonotopes._of(centre.reshape(wanted), generators.reshape(*wanted, self.count), *rest)

    def __array_function__(self, function: Any, types: Any, arguments: Any, named: Any) -> Any:
        if function is np.split:
            pieces = [np.split(part, *arguments[1:], **named) for part in self._parts]
            return [Zonotopes._of(*parts) for parts in zip(*pieces, strict=True)]
        if function in (np.concatenate, np.stack):
            given = (
                each if isinstance(each, Zonotopes) else Zonotopes.points(each, self.count) for each in arguments[0]
            )
            parts = zip(*(each._parts for each in given), strict=True)
            return Zonotopes._of(*(function(own, *arguments[1:], **named) for own in parts))
        return NotImplemented

    def __add__(self, other: Any) -> Zonotopes:
        if isinstance(other, Zonotopes):
            return Zonotopes(*(mine + its for mine, its in zip(self._parts[:5], other._parts[:5], strict=True)))
        by = np.asarray(other, dtype=np.int64)
        centre = self.centre + by * UNIT
        shape = centre.shape
        generators = np.broadcast_to(self.generators, (*shape, self.count))
        radius, reach = np.broadcast_to(self.radius, shape), np.broadcast_to(self.reach, shape)
        return Zonotopes._of(centre, generators, radius, self.low + by, self.high + by, reach)

    __radd__ = __add__

    def __neg__(self) -> Zonotopes:
        return Zonotopes._of(-self.centre, -self.generators, self.radius, -self.high, -self.low, self.reach)

    def __sub__(self, other: Any) -> Zonotopes:
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> Zonotopes:
        return (-self).__add__(other)

    def matmul(self, weights: Array) -> Any:
        positive, negative = np.maximum(weights, 0), np.minimum(weights, 0)
        generators = np.moveaxis(exact_matmul(np.moveaxis(self.generators, -1, -2), weights), -1, -2)
        return Zonotopes(
            exact_matmul(self.centre, weights),
            generators,
            exact_matmul(self.radius, np.abs(weights)),
            exact_matmul(self.low, positive) + exact_matmul(self.high, negative),
            exact_matmul(self.high, positive) + exact_matmul(self.low, negative),
        )

    def plus_product(self, pairs: tuple[tuple[Any, Any], ...]) -> Any:
        total: Any = 0
        for one, two in pairs:
            total = total + _product(one, two)
        return total

    def weighted_mean(self, scale: int, share: Any, one: Any, two: Any) -> Any:
        """As one product, scale one + share (two - one), with the bounds of a mean, which lies between the two."""
        total = _product(share, two - one) + _product(one, np.int64(scale))
        parts = [each if isinstance(each, Zonotopes) else Zonotopes.points(each, 0) for each in (share, one, two)]
        shares = [np.clip(end, 0, scale) for end in (parts[0].low, parts[0].high)]
        low = np.minimum.reduce([(scale - each) * parts[1].low + each * parts[2].low for each in shares])
        high = np.maximum.reduce([(scale - each) * parts[1].high + each * parts[2].high for each in shares])
        low, high = np.maximum(low, total.low), np.minimum(high, total.high)
        return Zonotopes(total.centre, total.generators, total.radius, low, high)

    def floor_divided(self, divisor: Any) -> Any:
        """The quotients by a positive integer, rounded down: the quotient less something from 0 to 1."""
        if not isinstance(divisor, int):
            raise TypeError(f"an integer to divide by, not {type(divisor).__name__}")
        centre = floor_divide(self.centre, divisor) - UNIT // 2
        generators = floor_divide(self.generators + divisor // 2, divisor)
        lost = 1 + UNIT // 2 + (self.count + 1) // 2  # of the centre, of the floor, of the generators
        radius = -floor_divide(-self.radius, divisor) + lost
        low, high = floor_divide(self.low, divisor), floor_divide(self.high, divisor)
        return Zonotopes(centre, generators, radius, low, high)._tidied()

    def _tidied(self) -> Zonotopes:
        """The interval in its place where the zonotope alone would be twice as wide."""
        tight = self.reach <= (self.high - self.low) * UNIT
        return self if tight.all() else self._kept(tight, self.low, self.high)

    def saturated(self, low: int, high: int) -> Any:
        """Each number moved to the nearest one; where that changes something, only bounds are kept."""
        inside = (self.low >= low) & (self.high <= high)
        if inside.all():
            return self
        return self._kept(inside, np.clip(self.low, low, high), np.clip(self.high, low, high))

    def _kept(self, kept: Array, low: Array, high: Array) -> Zonotopes:
        return Zonotopes(
            np.where(kept, self.centre, (low + high) * (UNIT // 2)),
            np.where(kept[..., None], self.generators, 0),
            np.where(kept, self.radius, (high - low) * (UNIT // 2)),
            low,
            high,
        )

    def mapped(self, function: Callable[[Any], Any], name: str, argument: Any, result: Any) -> Any:
        """An elementary function, as a linear function with a rest (see :func:`_linear_bounds`)."""
        slope, least, most, low, high = _linear_bounds(function, name, argument, result, self.low, self.high)
        centre = floor_divide(self.centre * slope, SLOPE) + floor_divide((least + most) * (UNIT // 2), SLOPE)
        generators = (self.generators * slope[..., None] + SLOPE // 2) >> SLOPE_BITS
        rest = -floor_divide(-(self.radius * np.abs(slope) + (most - least) * (UNIT // 2)), SLOPE)
        return Zonotopes(centre, generators, rest + 2 + (self.count + 1) // 2, low, high)._tidied()


def _product(one: Any, two: Any) -> Any:
    """x y = m y + n x - m n + (x - m) (y - n), with m and n in the middle."""
    if not isinstance(one, Zonotopes):
        one, two = two, one
    if not isinstance(one, Zonotopes):
        return np.asarray(one) * np.asarray(two)
    if not isinstance(two, Zonotopes):
        by = np.asarray(two, dtype=np.int64)
        sides, generators = (one.low * by, one.high * by), one.generators * by[..., None]
        return Zonotopes(one.centre * by, generators, one.radius * np.abs(by), np.minimum(*sides), np.maximum(*sides))
    corners = [one.low * two.low, one.low * two.high, one.high * two.low, one.high * two.high]
    m, n = (one.low + one.high) >> 1, (two.low + two.high) >> 1
    far = np.maximum(one.high - m, m - one.low) * np.maximum(two.high - n, n - two.low)
    return Zonotopes(
        m * two.centre + n * one.centre - m * n * UNIT,
        m[..., None] * two.generators + n[..., None] * one.generators,
        np.abs(m) * two.radius + np.abs(n) * one.radius + far * UNIT,
        np.minimum.reduce(corners),
        np.maximum.reduce(corners),
    )


def _linear_bounds(
    function: Callable[[Any], Any], name: str, argument: Any, result: Any, first: Array, last: Array
) -> tuple[Array, ...]:
    """A slope s, and numbers with ``least <= (f(x) - s x / SLOPE) SLOPE <= most``; and bounds of f(x) itself.

    For all integers x from ``first`` to ``last``. The function f rounds a real one down, whose slopes lie between known
    ones. With the least slope, what is left rises from one end to the other; with that of the middle, it leaves its
    value there no faster than slopes differ from it; with none, it stays in its bounds. The best of the three is taken.
    """
    middle = (first + last) >> 1
    at_first, at_middle, at_last = function(first), function(middle), function(last)
    table = slope_table(name, argument.scale, argument.low, argument.high) if argument.scale == result.scale else None
    if table is None:
        low, high = (at_first, at_last) if name in RISING else (0 * at_first + result.low, 0 * at_first + result.high)
        return 0 * low, low * SLOPE, high * SLOPE, low, high
    (l1, h1), (l2, h2), (near, far) = (
        table.between(*pair) for pair in ((first, middle), (middle, last), (middle, middle))
    )
    slope, none = np.minimum(l1, l2), np.zeros_like(l1)
    if name in RISING:
        low, high, slope = at_first, at_last, np.maximum(slope, 0)
    else:
        low, high = _bounds(at_first, at_last, last - first, slope, np.maximum(h1, h2), result)
    bounds = [
        (none, low * SLOPE, high * SLOPE),
        (slope, (at_first - 1) * SLOPE - slope * first, (at_last + 1) * SLOPE - slope * last),
    ]
    slope = (near + far) >> 1
    up = np.maximum.reduce([none, (h2 - slope) * (last - middle), (slope - l1) * (middle - first)])
    down = np.minimum.reduce([none, (l2 - slope) * (last - middle), (slope - h1) * (middle - first)])
    start = at_middle * SLOPE - slope * middle
    bounds.append((slope, start - SLOPE + down, start + SLOPE + up))
    if name == "relu":
        bounds.append(_chord(first, last))
    cut = (low <= result.low) | (high >= result.high)  # there f may saturate, and has no slope
    best = np.argmin([np.where(cut & (place > 0), LARGEST, each[2] - each[1]) for place, each in enumerate(bounds)], 0)
    return *(np.choose(best, parts) for parts in zip(*bounds, strict=True)), low, high


def _chord(first: Array, last: Array) -> tuple[Array, Array, Array]:
    """The chord of relu from one end to the other: a convex function is below it, and least of all at 0."""
    above, width = np.maximum(last, 0), np.maximum(last - first, 1)
    slope = np.where(first >= 0, SLOPE, above * SLOPE // width)
    rests = np.maximum(first, 0) * SLOPE - slope * first, above * SLOPE - slope * last
    crosses = (first < 0) & (last > 0)
    return slope, np.where(crosses, 0, np.minimum(*rests)), np.maximum(*rests)


def _bounds(
    at_first: Array, at_last: Array, width: Array, least: Array, most: Array, result: Any
) -> tuple[Array, Array]:
    """Bounds of a function that rounds down, from its values at both ends and its slopes between them."""
    falls, rises = np.minimum(least, 0), np.maximum(most, 0)
    span, product = np.maximum(rises - falls, 1), falls * rises * width
    turns = (least < 0) & (most > 0) & (width > 0)
    low = np.where(turns, floor_divide(rises * at_first - falls * at_last + product // SLOPE, span) - 2, 0)
    high = np.where(turns, floor_divide(rises * at_last - falls * at_first - product // SLOPE, span) + 3, 0)
    least, most = np.minimum(at_first, at_last), np.maximum(at_first, at_last)
    low, high = np.where(turns, np.minimum(low, least), least), np.where(turns, np.maximum(high, most), most)
    return np.maximum(low, result.low), np.minimum(high, result.high)
