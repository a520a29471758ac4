"""Rotary positions (RoPE): queries and keys turned as at their positions, by waves that may be scaled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Any, Literal

import lazy_loader as lazy
import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray, Precision, sum_of_products
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.exact_numbers import exact_number

flint = lazy.load("flint")

__all__ = ["Rotary", "Waves", "float_turned", "halves"]

MOST_PRECISION = 1 << 16  # bits of an interval


@dataclass(frozen=True)
class Waves:
    """How pairs of numbers turn: pair k at position i by i * base^(-2k / width) * shares[k].

    Attributes:
        width: how many numbers a vector has, an even number.
        base: the longest wave over 2 pi, above 1; ``rope_theta`` of configurations.
        shares: for each pair a factor of its angle, above 0; empty for 1 everywhere. Scaled positions have such factors
            (linear interpolation; YaRN, Peng et al. 2023; Llama 3.1).
        stretch: what cosine and sine are multiplied by, above 0.
    """

    width: int
    base: Fraction = Fraction(10_000)
    shares: tuple[Fraction, ...] = ()
    stretch: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if require_integer("width", self.width, low=2) % 2:
            raise InputError("width", self.width, "an even number, as pairs are turned")
        object.__setattr__(self, "base", exact_number("base", self.base, 1))
        shares = tuple(exact_number("shares", share) for share in self.shares)
        if len(shares) not in (0, self.width // 2):
            raise InputError("shares", len(shares), f"none, or one for each of {self.width // 2} pairs")
        object.__setattr__(self, "shares", () if set(shares) == {1} else shares)
        object.__setattr__(self, "stretch", exact_number("stretch", self.stretch))

    @property
    def floats(self) -> Array:
        """By how much each pair turns from one position to the next, in float64."""
        turns = float(self.base) ** (-np.arange(0, self.width, 2) / self.width)
        return turns * np.array(self.shares, dtype=np.float64) if self.shares else turns

    def angle(self, pair: int, place: int) -> Any:
        """An interval around the angle of a pair at a position, as narrow as flint's precision."""
        power = -flint.arb(flint.fmpq(2 * pair, self.width))
        share = self.shares[pair] if self.shares else Fraction(1)
        return place * _interval(self.base) ** power * _interval(share)


@dataclass(frozen=True)
class Rotary:
    """Rotary positions (RoPE, Su et al. 2021): pair k of a vector at position i is turned by i * base^(-2k / width).

    With c and s the cosine and sine of the angle, rounded down exactly to the precision, (x, y) becomes
    (floor(x c - y s), floor(y c + x s)), saturated. An angle at a position above 0 is an algebraic number other than 0,
    so neither value is rational (Lindemann and Weierstrass) and intervals tell its floor; rational factors of the angle
    and of both values change nothing of that.

    Attributes:
        precision: of the vectors.
        width, base, shares, stretch: see :class:`Waves`.
        pairing: what makes a pair: number k and number k + width / 2 ("halves", as in Hugging Face's LLaMA), or numbers
            2k and 2k + 1 ("neighbours", as in the paper).

    >>> turn = Rotary(Precision.of(12), 2)  # 1 is 256
    >>> turn(np.array([[256, 0], [256, 0]]), np.array([0, 1])).tolist()  # cos 1 = 0.540, sin 1 = 0.841
    [[256, 0], [138, 215]]
    >>> half = Rotary(Precision.of(12), 2, shares=(Fraction(1, 2),))  # positions count half
    >>> half(np.array([[256, 0]]), np.array([2])).tolist()
    [[138, 215]]
    """

    precision: Precision
    width: int
    base: Fraction = Fraction(10_000)
    pairing: Literal["halves", "neighbours"] = "halves"
    shares: tuple[Fraction, ...] = ()
    stretch: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        waves = Waves(self.width, self.base, self.shares, self.stretch)
        for name in ("base", "shares", "stretch"):
            object.__setattr__(self, name, getattr(waves, name))
        if self.pairing not in ("halves", "neighbours"):
            raise InputError("pairing", self.pairing, "'halves' or 'neighbours'")

    @property
    def waves(self) -> Waves:
        """How pairs turn."""
        return Waves(self.width, self.base, self.shares, self.stretch)

    def __call__(self, vectors: IntArray, places: IntArray) -> IntArray:
        """The vectors (..., width) turned, each as at its place: positions from 0, which broadcast to (...)."""
        vectors, places = np.asarray(vectors), np.asarray(places)
        if vectors.shape[-1] != self.width:
            raise InputError("vectors", vectors.shape, f"an array of shape (..., {self.width})")
        cosine, sine = _turns(self.precision, self.waves, int(places.max(initial=0)) + 1)
        first, second = self._pairs
        x, y, c, s = vectors[..., first], vectors[..., second], cosine[places], sine[places]
        turned = np.empty(np.broadcast_shapes(vectors.shape, (*places.shape, self.width)), dtype=np.int64)
        turned[..., first] = self.precision.round_down(sum_of_products((x, c), (y, -s)))
        turned[..., second] = self.precision.round_down(sum_of_products((y, c), (x, s)))
        return turned

    def of_floats(self, vectors: Array, places: IntArray) -> Array:
        """The same in float64, for the ordinary forward pass; it decides nothing."""
        return float_turned(vectors, places, self.waves, self._pairs)

    @property
    def _pairs(self) -> tuple[slice, slice]:
        return halves(self.width) if self.pairing == "halves" else (slice(0, None, 2), slice(1, None, 2))


def halves(width: int) -> tuple[slice, slice]:
    """Both halves of a vector, whose numbers make pairs in the order in which they stand."""
    return slice(0, width // 2), slice(width // 2, width)


def float_turned(vectors: Array, places: IntArray, waves: Waves, pairs: tuple[slice, slice] | None = None) -> Array:
    """Vectors (..., N, width) of float64, turned as at these N positions; of both halves if pairs are not given."""
    angles, stretch = places[:, None] * waves.floats, float(waves.stretch)
    cosine, sine = stretch * np.cos(angles), stretch * np.sin(angles)
    first, second = pairs or halves(waves.width)
    turned, x, y = np.empty(vectors.shape), vectors[..., first], vectors[..., second]
    turned[..., first] = x * cosine - y * sine
    turned[..., second] = y * cosine + x * sine
    return turned


@lru_cache(maxsize=64)
def _turns(precision: Precision, waves: Waves, length: int) -> tuple[IntArray, IntArray]:
    """Cosines and sines (length, width / 2), mantissas, rounded down."""

    def floored(value: Any) -> int | None:
        below = (value * precision.scale).floor().unique_fmpz()
        return None if below is None else min(max(int(below), precision.low), precision.high)

    table = np.zeros((2, length, waves.width // 2), dtype=np.int64)
    table[0, 0] = min(floor(waves.stretch * precision.scale), precision.high)
    for place in range(1, length):
        for pair in range(waves.width // 2):
            table[:, place, pair] = _decided(waves, pair, place, floored, 64 + 2 * precision.scale.bit_length())
    table.setflags(write=False)
    return table[0], table[1]


def _decided(waves: Waves, pair: int, place: int, told: Callable[[Any], Any], bits: int) -> tuple[Any, Any]:
    """What is told of stretched cosine and sine of an angle by intervals, narrow enough that it can be told."""
    before = flint.ctx.prec
    try:
        flint.ctx.prec = bits
        while flint.ctx.prec <= MOST_PRECISION:
            angle, stretch = waves.angle(pair, place), _interval(waves.stretch)
            cosine, sine = told(stretch * angle.cos()), told(stretch * angle.sin())
            if cosine is not None and sine is not None:
                return cosine, sine
            flint.ctx.prec *= 2
        raise ArithmeticError(f"the turn at position {place} does not let itself be rounded")
    finally:
        flint.ctx.prec = before


def _interval(number: Fraction) -> Any:
    return flint.arb(flint.fmpq(number.numerator, number.denominator))
