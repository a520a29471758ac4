"""Elementary functions between finite precisions, every value rounded down exactly.

The value at a mantissa is floor(f(mantissa / scale) * scale of the result). It is proved by interval arithmetic
(Arb, Johansson 2017) whose precision is raised until the whole interval has one floor. That ends, as at a rational
argument the value is irrational except at the arguments listed in ``KNOWN``: for exp, sigmoid, tanh, softplus, silu,
sin and cos by the theorem of Lindemann and Weierstrass, for gelu by that of Siegel and Shidlovskii; for the
approximation ``gelu_tanh`` nobody has proved it, and a value that no precision determines would raise an error.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ccsim import lazy
from ccsim.arithmetic.fixed_point import Precision, _integers, enclosed, floor_divide, largest_magnitude
from ccsim.errors import Array, InputError, require_memory

flint = lazy.load("flint")

MOST_ENTRIES = 1 << 22
"""The largest table; a function on more arguments is evaluated at those that occur."""

MOST_EXPONENTIALS = 1 << 18
"""The largest table of :class:`Exponential`: up to 22 of the usual bits, so that a first word does not take seconds."""

BYTES_PER_ENTRY = 64
RUN = 16  # steps between the arguments at which a rising function is evaluated first

FAR = 1 << 12
"""Beyond it remainders are smaller than 2^-5000 but not 0, and exp saturates: floors are what they are there."""

MOST_PRECISION = 1 << 16  # bits of an interval, far beyond what any argument of 62 bits needs

PIECEWISE: dict[str, Callable[[Array, int, int], Array]] = {
    "identity": lambda mantissas, scale, new: floor_divide(_wide(mantissas, new) * new, scale),
    "relu": lambda mantissas, scale, new: floor_divide(_wide(np.maximum(mantissas, 0), new) * new, scale),
    "sign": lambda mantissas, scale, new: np.sign(mantissas) * new,
    "threshold": lambda mantissas, scale, new: (mantissas > 0) * new,
}
"""Functions that need no table: exact on the integers. ``threshold`` is 1 above 0, else 0."""

KNOWN: dict[str, Fraction] = {
    "exp": Fraction(1),
    "elu_plus_one": Fraction(1),
    "sigmoid": Fraction(1, 2),
    "tanh": Fraction(0),
    "silu": Fraction(0),
    "gelu": Fraction(0),
    "gelu_tanh": Fraction(0),
    "sin": Fraction(0),
    "cos": Fraction(1),
}
"""The rational values, all of them at the argument 0 (``elu_plus_one`` is exp below 0 and x + 1 from there on)."""


RISING = ("exp", "elu_plus_one", "sigmoid", "tanh", "softplus")


@dataclass(frozen=True)
class Branch:
    """A function on numbers of one sign: slope * x + offset, which it tends to, and a remainder, by intervals."""

    slope: int
    offset: int
    remainder: Callable[[Any], Any]


def logistic(x: Any) -> Any:
    return 1 / (1 + (-x).exp())


def normal(x: Any) -> Any:
    """The distribution function of the normal distribution, of an interval."""
    return (-x / flint.arb(2).sqrt()).erfc() / 2


@cache
def branches() -> dict[str, tuple[Branch, Branch]]:
    def near_normal(x: Any) -> Any:
        return logistic((8 / flint.arb.pi()).sqrt() * (x + x**3 * 44715 / 1_000_000))

    def gate(weight: Callable[[Any], Any]) -> tuple[Branch, Branch]:
        return Branch(0, 0, lambda x: x * weight(x)), Branch(1, 0, lambda x: -x * weight(-x))

    return {
        "exp": (Branch(0, 0, lambda x: x.exp()),) * 2,
        "elu_plus_one": (Branch(0, 0, lambda x: x.exp()), Branch(1, 1, lambda x: flint.arb(0))),
        "sigmoid": (Branch(0, 0, logistic), Branch(0, 1, lambda x: -logistic(-x))),
        "tanh": (Branch(0, -1, lambda x: 2 * logistic(2 * x)), Branch(0, 1, lambda x: -2 * logistic(-2 * x))),
        "softplus": (Branch(0, 0, lambda x: x.exp().log1p()), Branch(1, 0, lambda x: (-x).exp().log1p())),
        "silu": gate(logistic),
        "gelu": gate(normal),
        "gelu_tanh": gate(near_normal),
        "sin": (Branch(0, 0, lambda x: x.sin()),) * 2,
        "cos": (Branch(0, 0, lambda x: x.cos()),) * 2,
    }


FUNCTIONS: tuple[str, ...] = (*PIECEWISE, *KNOWN, "softplus")
"""The names that :func:`elementary` knows."""


def _wide(mantissas: Array, factor: int) -> Array:
    return mantissas if largest_magnitude(mantissas) * factor < 1 << 63 else mantissas.astype(object)


def _floors(name: str, arguments: Sequence[int], scale: int, result: Precision) -> list[int]:
    """For each argument / scale the value times the result's scale, rounded down and saturated."""
    pair, known = branches()[name], KNOWN.get(name)
    far = FAR * scale if name not in ("sin", "cos") else abs(max(arguments, key=abs, default=0))
    before, start = flint.ctx.prec, 32 + scale.bit_length() + result.scale.bit_length()
    floors: list[int] = []
    try:
        for argument in arguments:
            if argument == 0 and known is not None:
                floors.append(min(max(known.numerator * result.scale // known.denominator, result.low), result.high))
                continue
            branch = pair[argument >= 0]
            whole, rest = divmod((branch.slope * argument + branch.offset * scale) * result.scale, scale)
            flint.ctx.prec, floor = start, None
            while floor is None:
                x = flint.arb(max(-far, min(argument, far))) / scale
                floor = _floor(whole, branch.remainder(x) * result.scale + flint.arb(rest) / scale, result)
                flint.ctx.prec *= 2
                if flint.ctx.prec > MOST_PRECISION:
                    raise ArithmeticError(f"{name}({argument}/{scale}) * {result.scale} is too close to an integer")
            floors.append(floor)
    finally:
        flint.ctx.prec = before
    return floors


def _floor(whole: int, interval: Any, result: Precision) -> int | None:
    """The floor of an integer and an interval, saturated; None if the interval has several floors."""
    if not -(1 << 64) < interval < 1 << 64:  # never write out the floor of an astronomical number
        if whole + interval >= result.high:
            return result.high
        return result.low if whole + interval < result.low else None
    floor = interval.floor().unique_fmpz()
    return None if floor is None else min(max(whole + int(floor), result.low), result.high)


@dataclass(frozen=True)
class Elementary:
    """A function from the mantissas of one precision to those of another, rounded down exactly; values saturate.

    Attributes:
        name: one of the elementary functions, such as ``"tanh"``.
        argument, result: both precisions.
        most: a table of more entries is not made.
    """

    name: str
    argument: Precision
    result: Precision
    most: int = MOST_ENTRIES

    def __post_init__(self) -> None:
        if self.name not in FUNCTIONS:
            raise InputError("name", self.name, f"one of {', '.join(FUNCTIONS)}")
        for argument in ("argument", "result"):
            if not isinstance(getattr(self, argument), Precision):
                raise InputError(argument, getattr(self, argument), "a Precision, such as Precision.of(8)")

    def __call__(self, mantissas: Array) -> Array:
        if (own := enclosed(mantissas)) is not None:
            return own.mapped(self, self.name, self.argument, self.result)
        mantissas = self.argument.require(mantissas)
        if self.name in PIECEWISE:
            return self.result.saturate(PIECEWISE[self.name](mantissas, self.argument.scale, self.result.scale))
        if self.argument.high - self.argument.low < self.most:
            return np.asarray(self.table[mantissas - self.argument.low])
        different, places = np.unique(mantissas, return_inverse=True)
        return _values(self.name, different.tolist(), self.argument.scale, self.result)[places].reshape(mantissas.shape)

    @cached_property
    def table(self) -> Array:
        """The value for each mantissa from the least one on, int64."""
        low, high = self.argument.low, self.argument.high
        require_memory(BYTES_PER_ENTRY * (high - low + 1), f"the table of {self.name} on {high - low + 1} mantissas")
        table = _values(self.name, range(low, high + 1), self.argument.scale, self.result)
        table.setflags(write=False)
        return table


def _values(name: str, arguments: Sequence[int], scale: int, result: Precision) -> Array:
    """The values at arguments in rising order; a rising function is asked only where it is not known to be constant."""
    if name not in RISING:
        return np.array(_floors(name, arguments, scale, result), dtype=np.int64)
    places = sorted({*range(0, len(arguments), RUN), len(arguments) - 1}) if len(arguments) else []
    floors = np.empty(len(arguments), dtype=np.int64)
    floors[places] = _floors(name, [arguments[place] for place in places], scale, result)
    for first, last in pairwise(places):
        inside = slice(first + 1, last)
        moves = floors[first] != floors[last]
        floors[inside] = _floors(name, arguments[inside], scale, result) if moves else floors[first]
    return floors


@cache
def elementary(name: str, argument: Precision, result: Precision) -> Elementary:
    """The function of that name from one precision to another; its table is made once and kept."""
    return Elementary(name, argument, result)


@dataclass(frozen=True)
class Exponential:
    """exp on numbers that are not positive, in steps of 1 / scale, with values from 0 to 1 in the same steps."""

    scale: int

    def __call__(self, mantissas: Array) -> Array:
        """floor(exp(mantissa / scale) * scale) for int64 mantissas of at most 0, in the same shape."""
        if (own := enclosed(mantissas)) is not None:
            return self._function(own.saturated(-self.first_zero, 0))
        mantissas = _integers("mantissas", mantissas)
        if mantissas.size and int(mantissas.max()) > 0:
            raise InputError("mantissas", int(mantissas.max()), "arguments of exp that are not positive")
        return self._function(np.maximum(mantissas, -self.first_zero))

    @cached_property
    def _function(self) -> Elementary:
        return Elementary("exp", Precision(self.scale, -self.first_zero, 0), self._result, MOST_EXPONENTIALS)

    @property
    def table(self) -> Array:
        """The value at 0, -1, -2, ... over ``scale``, up to the first that is 0, int64."""
        return self._function.table[::-1]

    @cached_property
    def first_zero(self) -> int:
        """The least n with exp(-n / scale) * scale below 1, found by halving."""
        most = self.scale * self.scale.bit_length()  # 2^-b < e^(-b log 2) ... < 1 / scale at this end
        return bisect_left(range(most), True, key=lambda n: not _floors("exp", [-n], self.scale, self._result)[0])

    @property
    def _result(self) -> Precision:
        return Precision(self.scale, 0, self.scale)


@cache
def exponential(precision: Precision) -> Exponential:
    """exp for the differences to a maximum, in the steps of a precision: values round down, and exp(0) is 1 exactly."""
    return Exponential(precision.scale)
