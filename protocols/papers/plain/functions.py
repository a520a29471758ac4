"""Rounding down, and elementary functions rounded down, one number at a time by intervals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from protocols.papers.plain.intervals import interval, whole_part, within

__all__ = ["apply", "down"]


def down(number: Fraction, precision: Any) -> Fraction:
    """The largest multiple of 1 / scale that is not above a number, kept between the ends of a precision."""
    mantissa = number * precision.scale // 1
    return Fraction(min(max(mantissa, precision.low), precision.high), precision.scale)


def apply(name: str, number: Fraction, precision: Any) -> Fraction:
    """A function of a number, rounded down to a precision."""
    return _value(name, number, precision.scale, precision.low, precision.high)


@cache
def _value(name: str, number: Fraction, scale: int, low: int, high: int) -> Fraction:
    exact = EXACT[name](number) if name in EXACT else AT_ZERO.get(name) if number == 0 else None
    mantissa = exact * scale // 1 if exact is not None else _floor(name, number, scale)
    return Fraction(min(max(mantissa, low), high), scale)


def _floor(name: str, number: Fraction, scale: int) -> int:
    return int(within(lambda: whole_part(_functions()[name](interval(number)) * scale)))


@cache
def _functions() -> dict[str, Callable[[Any], Any]]:
    """On intervals of real numbers."""

    def sigmoid(x: Any) -> Any:
        return (1 + (x / 2).tanh()) / 2

    return {
        "exp": lambda x: x.exp(),
        "elu_plus_one": lambda x: x + 1 if x > 0 else x.exp(),
        "sigmoid": sigmoid,
        "tanh": lambda x: x.tanh(),
        "softplus": lambda x: (1 + x.exp()).log(),
        "silu": lambda x: x * sigmoid(x),
        "gelu": lambda x: x * (1 + (x / interval(2).sqrt()).erf()) / 2,
    }


EXACT: dict[str, Callable[[Fraction], Fraction]] = {
    "relu": lambda x: max(x, Fraction(0)),
    "identity": lambda x: x,
}
AT_ZERO = {
    "exp": Fraction(1),
    "elu_plus_one": Fraction(1),
    "sigmoid": Fraction(1, 2),
    "tanh": Fraction(0),
    "silu": Fraction(0),
    "gelu": Fraction(0),
}
