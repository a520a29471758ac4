"""Exact sums of logarithms: rational combinations of log2 of primes, with enclosures by integers alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

import lazy_loader as lazy

sympy = lazy.load("sympy")


@cache
def log2_enclosure(number: int, places: int) -> tuple[Fraction, Fraction]:
    """Rationals low <= log2(number) <= high at most 2^-places apart.

    Binary digit after binary digit: squaring the mantissa doubles its logarithm. The mantissa is kept between two
    integers over a power of two, so that nothing rests on rounding.

    >>> low, high = log2_enclosure(3, 4)
    >>> str(low), str(high), 2**25 <= 3**16 <= 2**26
    ('25/16', '13/8', True)
    """
    whole = number.bit_length() - 1
    if number == 1 << whole:
        return Fraction(whole), Fraction(whole)
    precision = 2 * places + 16
    while True:
        low = high = number << precision >> whole if whole <= precision else number >> (whole - precision)
        high += 1
        digits = 0
        for done in range(places):
            low, high = low * low >> precision, -(-high * high >> precision)
            if low >> (precision + 1):
                digits = 2 * digits + 1
                low, high = low >> 1, -(-high >> 1)
            elif high >> (precision + 1) == 0:
                digits *= 2
            else:  # too close to 2 to tell: begin again with more digits
                break
            if done == places - 1:
                start = whole + Fraction(digits, 1 << places)
                return start, start + Fraction(1, 1 << places)
        precision *= 2


def _prime_powers(number: int) -> dict[int, int]:
    return {int(prime): int(power) for prime, power in sympy.factorint(number).items()}


@dataclass(frozen=True)
class LogSum:
    """The number sum of c_p log2(p) over primes p, with rational c_p: exact, and compared exactly.

    The logarithms of the primes are independent over the rationals, so two sums are equal iff their coefficients
    are; unequal ones are told apart by enclosures that get finer.

    Attributes:
        coefficients: c_p for each prime p that occurs; c_2 is the rational part.

    >>> value = LogSum.log2(Fraction(9, 8)) + LogSum.of(3)
    >>> str(value), value == LogSum.log2(3).times(2), value.decimal(12)
    ('2 log2(3)', True, '3.169925001442')
    """

    coefficients: Mapping[int, Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kept = {prime: Fraction(value) for prime, value in sorted(self.coefficients.items()) if value}
        object.__setattr__(self, "coefficients", kept)

    @classmethod
    def of(cls, value: Fraction | int) -> LogSum:
        """A rational number."""
        return cls({2: Fraction(value)})

    @classmethod
    def log2(cls, value: Fraction | int) -> LogSum:
        """log2 of a positive rational."""
        ratio = Fraction(value)
        if ratio <= 0:
            raise ValueError(f"value = {value}: expected a positive rational")
        powers = {prime: Fraction(power) for prime, power in _prime_powers(ratio.numerator).items()}
        for prime, power in _prime_powers(ratio.denominator).items():
            powers[prime] = powers.get(prime, Fraction(0)) - power
        return cls(powers)

    def __add__(self, other: LogSum) -> LogSum:
        primes = {*self.coefficients, *other.coefficients}
        zero = Fraction(0)
        return LogSum({p: self.coefficients.get(p, zero) + other.coefficients.get(p, zero) for p in primes})

    def __sub__(self, other: LogSum) -> LogSum:
        return self + other.times(-1)

    def times(self, factor: Fraction | int) -> LogSum:
        """The sum times a rational."""
        return LogSum({prime: value * factor for prime, value in self.coefficients.items()})

    @property
    def is_zero(self) -> bool:
        """Whether the number is 0, exactly."""
        return not self.coefficients

    @property
    def rational(self) -> Fraction | None:
        """The number, if it is rational."""
        return self.coefficients.get(2, Fraction(0)) if set(self.coefficients) <= {2} else None

    def enclosure(self, digits: int = 30) -> tuple[Fraction, Fraction]:
        """Rationals around the number, at most 10^-digits apart."""
        size = sum((abs(value) for value in self.coefficients.values()), Fraction(1))
        places = (int(size * 10**digits) + 1).bit_length() + 1
        low = high = Fraction(0)
        for prime, value in self.coefficients.items():
            ends = [value * end for end in log2_enclosure(prime, places)]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def decimal(self, digits: int = 12) -> str:
        """The number to this many decimals, rounded down (towards minus infinity) and every digit right."""
        scale, extra = 10**digits, digits + 5
        while True:
            low, high = (end * scale for end in self.enclosure(extra))
            if low.__floor__() == high.__floor__():
                whole = low.__floor__()
                shown = str(abs(whole)).rjust(digits + 1, "0")
                point = f"{shown[:-digits]}.{shown[-digits:]}" if digits else shown
                return f"-{point}" if whole < 0 else point
            extra *= 2

    def sign(self) -> int:
        """-1, 0 or 1, exactly."""
        digits = 10
        while not self.is_zero:
            low, high = self.enclosure(digits)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            digits *= 2
        return 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (int, Fraction)):
            other = LogSum.of(other)
        return self.coefficients == other.coefficients if isinstance(other, LogSum) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.coefficients.items()))

    def __lt__(self, other: LogSum | Fraction | int) -> bool:
        return (self - (other if isinstance(other, LogSum) else LogSum.of(other))).sign() < 0

    def __le__(self, other: LogSum | Fraction | int) -> bool:
        return (self - (other if isinstance(other, LogSum) else LogSum.of(other))).sign() <= 0

    def __float__(self) -> float:
        low, high = self.enclosure(25)
        return float((low + high) / 2)

    def __str__(self) -> str:
        parts = [str(value) if prime == 2 else _term(prime, value) for prime, value in self.coefficients.items()]
        return " + ".join(parts).replace("+ -", "- ") or "0"


def _term(prime: int, value: Fraction) -> str:
    return f"log2({prime})" if value == 1 else f"{value} log2({prime})"
