"""How positions and soft caps change logits: rotated queries and keys, costs of distance, windows, tanh."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any, Literal

import lazy_loader as lazy
import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import FloatFormat, Floats, IntArray, Precision, elementary, floor_divide, sum_of_products
from ccsim.arrays import Array
from ccsim.errors import InputError

flint = lazy.load("flint")

__all__ = [
    "PLAIN",
    "Rotary",
    "Scoring",
    "alibi_slopes",
    "exact_number",
    "float_turned",
    "halves",
    "mpt_slopes",
    "nearest_turns",
    "soft_capped",
]

MOST_PRECISION = 1 << 16  # bits of an interval
LARGEST = 1 << 30
SLOPE_BITS = 53


def exact_number(argument: str, value: Any, low: Fraction | int = 0) -> Fraction:
    """An exact number above ``low``, or an :class:`~ccsim.errors.InputError`."""
    expected = f"a rational number above {low} and at most {LARGEST}"
    try:
        number = Fraction(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(argument, value, expected) from error
    if not low < number <= LARGEST:
        raise InputError(argument, value, expected)
    return number


@dataclass(frozen=True)
class Rotary:
    """Rotary positions (RoPE, Su et al. 2021): pair k of a vector at position i is turned by i * base^(-2k / width).

    With c and s the cosine and sine of the angle, rounded down exactly to the precision, (x, y) becomes
    (floor(x c - y s), floor(y c + x s)), saturated. An angle at a position above 0 is an algebraic number other than 0,
    so neither value is rational (Lindemann and Weierstrass) and intervals tell its floor.

    Attributes:
        precision: of the vectors.
        width: how many numbers a vector has, an even number.
        base: the longest wave over 2 pi, above 1; ``rope_theta`` of configurations.
        pairing: what makes a pair: number k and number k + width / 2 ("halves", as in Hugging Face's LLaMA), or numbers
            2k and 2k + 1 ("neighbours", as in the paper).

    >>> turn = Rotary(Precision.of(12), 2)  # 1 is 256
    >>> turn(np.array([[256, 0], [256, 0]]), np.array([0, 1])).tolist()  # cos 1 = 0.540, sin 1 = 0.841
    [[256, 0], [138, 215]]
    """

    precision: Precision
    width: int
    base: Fraction = Fraction(10_000)
    pairing: Literal["halves", "neighbours"] = "halves"

    def __post_init__(self) -> None:
        if require_integer("width", self.width, low=2) % 2:
            raise InputError("width", self.width, "an even number, as pairs are turned")
        object.__setattr__(self, "base", exact_number("base", self.base, 1))
        if self.pairing not in ("halves", "neighbours"):
            raise InputError("pairing", self.pairing, "'halves' or 'neighbours'")

    def __call__(self, vectors: IntArray, places: IntArray) -> IntArray:
        """The vectors (..., width) turned, each as at its place: positions from 0, which broadcast to (...)."""
        vectors, places = np.asarray(vectors), np.asarray(places)
        if vectors.shape[-1] != self.width:
            raise InputError("vectors", vectors.shape, f"an array of shape (..., {self.width})")
        cosine, sine = _turns(self.precision, self.width, self.base, int(places.max(initial=0)) + 1)
        first, second = self._pairs
        x, y, c, s = vectors[..., first], vectors[..., second], cosine[places], sine[places]
        turned = np.empty(np.broadcast_shapes(vectors.shape, (*places.shape, self.width)), dtype=np.int64)
        turned[..., first] = self.precision.round_down(sum_of_products((x, c), (y, -s)))
        turned[..., second] = self.precision.round_down(sum_of_products((y, c), (x, s)))
        return turned

    def of_floats(self, vectors: Array, places: IntArray) -> Array:
        """The same in float64, for the ordinary forward pass; it decides nothing."""
        return float_turned(vectors, places, float(self.base), self._pairs)

    @property
    def _pairs(self) -> tuple[slice, slice]:
        return halves(self.width) if self.pairing == "halves" else (slice(0, None, 2), slice(1, None, 2))


def halves(width: int) -> tuple[slice, slice]:
    """Both halves of a vector, whose numbers make pairs in the order in which they stand."""
    return slice(0, width // 2), slice(width // 2, width)


def float_turned(vectors: Array, places: IntArray, base: float, pairs: tuple[slice, slice] | None = None) -> Array:
    """Vectors (..., N, width) of float64, turned as at these N positions; of both halves if pairs are not given."""
    width = vectors.shape[-1]
    angles = places[:, None] * base ** (-np.arange(0, width, 2) / width)
    first, second = pairs or halves(width)
    turned, x, y = np.empty(vectors.shape), vectors[..., first], vectors[..., second]
    turned[..., first] = x * np.cos(angles) - y * np.sin(angles)
    turned[..., second] = y * np.cos(angles) + x * np.sin(angles)
    return turned


@lru_cache(maxsize=64)
def _turns(precision: Precision, width: int, base: Fraction, length: int) -> tuple[IntArray, IntArray]:
    """Cosines and sines (length, width / 2), mantissas, rounded down."""
    table = np.zeros((2, length, width // 2), dtype=np.int64)
    table[0, 0] = min(precision.scale, precision.high)
    for place in range(1, length):
        for pair in range(width // 2):
            table[:, place, pair] = _turn(precision, base, Fraction(2 * pair, width), place)
    table.setflags(write=False)
    return table[0], table[1]


def _turn(precision: Precision, base: Fraction, exponent: Fraction, place: int) -> tuple[int, int]:
    def floored(value: Any) -> int | None:
        floor = (value * precision.scale).floor().unique_fmpz()
        return None if floor is None else min(max(int(floor), precision.low), precision.high)

    return _decided(base, exponent, place, floored, 64 + 2 * precision.scale.bit_length())


@lru_cache(maxsize=64)
def nearest_turns(format_: FloatFormat, width: int, base: Fraction, length: int) -> tuple[Floats, Floats]:
    """Cosines and sines (length, width / 2) of :class:`Rotary`, each rounded once to a floating-point format."""

    def rounded(value: Any) -> float | None:
        ends = [(int(end.man_exp()[0]), int(end.man_exp()[1])) for end in (value.lower(), value.upper())]
        below, above = (format_.nearest_dyadic(*end) for end in ends)
        return below if below == above else None

    table = np.zeros((2, length, width // 2), dtype=np.float32)
    table[0, 0] = 1
    for place in range(1, length):
        for pair in range(width // 2):
            table[:, place, pair] = _decided(base, Fraction(2 * pair, width), place, rounded, 128)
    table.setflags(write=False)
    return table[0], table[1]


def _decided(base: Fraction, exponent: Fraction, place: int, told: Callable[[Any], Any], bits: int) -> tuple[Any, Any]:
    """What is told of cosine and sine of place * base^-exponent by intervals, narrow enough that it can be told."""
    before = flint.ctx.prec
    try:
        flint.ctx.prec = bits
        while flint.ctx.prec <= MOST_PRECISION:
            power = flint.arb(flint.fmpq(base.numerator, base.denominator))
            angle = place * power ** (-flint.arb(flint.fmpq(exponent.numerator, exponent.denominator)))
            cosine, sine = told(angle.cos()), told(angle.sin())
            if cosine is not None and sine is not None:
                return cosine, sine
            flint.ctx.prec *= 2
        raise ArithmeticError(f"the turn at position {place} does not let itself be rounded")
    finally:
        flint.ctx.prec = before


def alibi_slopes(heads: int) -> tuple[Fraction, ...]:
    """The slopes of ALiBi (Press, Smith and Lewis 2022) for so many heads, exact where they are rational.

    For a power of two they are 2^(-8h / heads), h from 1; for other numbers those of the power of two below, and
    then every second one of the power of two above. Those that are irrational (beyond 8 heads) are rounded down to
    steps of 2^-53.

    >>> [str(slope) for slope in alibi_slopes(3)]
        ['1/16', '1/256', '1/4']
    """
    heads = require_integer("heads", heads, low=1, high=1 << 16)
    below = 1 << (heads.bit_length() - 1)

    def powers(count: int) -> list[Fraction]:
        return [_power_of_two(Fraction(8 * head, count)) for head in range(1, count + 1)]

    return tuple((powers(below) + powers(2 * below)[::2])[:heads])


def mpt_slopes(heads: int, largest: int = 8) -> tuple[Fraction, ...]:
    """The slopes of MPT: as :func:`alibi_slopes` for powers of two, in another order for other numbers of heads.

    >>> [str(slope) for slope in mpt_slopes(3)]
    ['1/16', '1/256', '1/4']
    """
    count = 1 << (require_integer("heads", heads, low=1, high=1 << 16) - 1).bit_length()
    slopes = [_power_of_two(Fraction(largest * head, count)) for head in range(1, count + 1)]
    return tuple(slopes if count == heads else (slopes[1::2] + slopes[::2])[:heads])


def _power_of_two(exponent: Fraction) -> Fraction:
    """2^-exponent, the exponent over a power of two; rounded down to steps of 2^-53 if it is irrational."""
    if exponent.denominator == 1:
        return Fraction(1, 1 << exponent.numerator)
    root = 1 << (SLOPE_BITS * exponent.denominator - exponent.numerator)
    for _ in range(exponent.denominator.bit_length() - 1):
        root = isqrt(root)
    return Fraction(root, 1 << SLOPE_BITS)


def soft_capped(precision: Precision, mantissas: IntArray, cap: Fraction) -> IntArray:
    """floor(cap * tanh(x / cap)) in steps of the precision, rounded down exactly; it never falls where x rises.

    >>> soft_capped(Precision.of(12), np.array([-512, 0, 64, 512]), Fraction(1)).tolist()  # tanh of -2, 0, 1/4, 2
    [-247, 0, 62, 246]
    """
    steps = cap * precision.scale
    if steps.denominator != 1:
        raise InputError("soft_cap", str(cap), f"a whole number of steps of 1/{precision.scale}")
    end = int(steps)
    tanh = elementary("tanh", Precision(end, precision.low, precision.high), Precision(end, -end, end))
    return precision.saturate(tanh(mantissas))


@dataclass(frozen=True)
class Scoring:
    """What is done to queries, keys and logits beside their product, in this order.

    - Queries and keys are turned as at their positions (``rotary``).
    - A logit becomes floor(cap * tanh(logit / cap)) (``soft_cap``, Gemma 2): it keeps the order of logits, but equal
      ones can come of different ones.
    - At distance d, floor(-slope * d) is added, saturating (``slope``, ALiBi).
    - Only positions at a distance below ``window`` are seen.

    All of it is a function of one query, one key and their positions, so whoever holds a position can work out the
    logit there from the query at the last position.

    >>> scoring = Scoring(slope=Fraction(1, 2), window=3)
    >>> scoring.logits(Precision.of(12), np.zeros((1, 4), dtype=int), np.array([[3, 2, 1, 0]])).tolist()
    [[-384, -256, -128, 0]]
    >>> scoring.seen(np.array([[3, 2, 1, 0]])).tolist()
    [[False, True, True, True]]
    """

    rotary: Rotary | None = None
    soft_cap: Fraction | None = None
    slope: Fraction | None = None
    window: int | None = None

    def __post_init__(self) -> None:
        if self.rotary is not None and not isinstance(self.rotary, Rotary):
            raise InputError("rotary", self.rotary, "a Rotary, or None")
        for argument in ("soft_cap", "slope"):
            if getattr(self, argument) is not None:
                object.__setattr__(self, argument, exact_number(argument, getattr(self, argument)))
        if self.window is not None:
            require_integer("window", self.window, low=1)

    @property
    def is_plain(self) -> bool:
        """Whether logits are products of queries and keys and nothing else."""
        return self == PLAIN

    def rotated(self, vectors: IntArray, places: IntArray) -> IntArray:
        """Queries or keys (..., width) as at their positions, counted from 0."""
        return vectors if self.rotary is None else self.rotary(vectors, places)

    def logits(self, precision: Precision, logits: IntArray, distances: IntArray) -> IntArray:
        """Logits after the soft cap and the cost of the distances between query and key, which broadcast."""
        if self.soft_cap is not None:
            logits = soft_capped(precision, logits, self.soft_cap)
        if self.slope is None:
            return logits
        factor = -self.slope * precision.scale
        costs = floor_divide(np.asarray(distances).astype(object) * factor.numerator, factor.denominator)
        return precision.saturate(logits + np.maximum(costs, precision.low - precision.high).astype(np.int64))

    def of_floats(self, logits: Array, distances: IntArray) -> Array:
        """The same in float64, -infinity where nothing is seen; it decides nothing."""
        if self.soft_cap is not None:
            logits = float(self.soft_cap) * np.tanh(logits / float(self.soft_cap))
        logits = logits - float(self.slope or 0) * distances
        return logits if self.window is None else np.where(distances < self.window, logits, -np.inf)

    def seen(self, distances: IntArray) -> IntArray | None:
        """Which of these distances are seen; None if all are."""
        return None if self.window is None else np.asarray(distances) < self.window


PLAIN = Scoring()
"""Products of queries and keys, and nothing else."""
