"""Data that nobody vouches for: integers, lists, fields and rationals, each refused unless it is what it should be."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from hashlib import sha256
from math import isqrt, lcm
from typing import Any

Table = list[list[int]]
Data = dict[str, Any]
Value = int | Fraction
MOST_CELLS = 1 << 22  # of a matrix
MOST_INTEGER = 10**40
MOST_PRIME = (1 << 31) - 1
CODES = 1 << 31


class Refused(ValueError):  # noqa: N818 - the verdict of a checker, not an accident
    """The certificate does not prove its claim."""


class TooLarge(Refused):
    """Whether it does is not looked at: that takes more than the checker spends."""


@contextmanager
def refusing() -> Iterator[None]:
    """Refuse what is malformed in any other way, too."""
    try:
        yield
    except Refused:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, MemoryError) as error:
        raise Refused(f"malformed: {type(error).__name__}") from None


def need(condition: bool, message: str, kind: type[Refused] = Refused) -> None:
    """Refuse unless the condition holds."""
    if not condition:
        raise kind(message)


def integer(value: Any, low: int, high: int) -> int:
    """An integer between two bounds, and no boolean."""
    need(type(value) is int and low <= value <= high, f"expected an integer from {low} to {high}")
    return int(value)


def items(value: Any, count: int | None = None) -> list[Any]:
    """A list, of so many items if a count is given."""
    need(isinstance(value, list) and count in (None, len(value)), f"expected a list of {count or 'some'} items")
    return list(value)


def fields(data: Any, *names: str) -> list[Any]:
    """The values of exactly these fields."""
    need(isinstance(data, dict) and set(data) == set(names), f"expected the fields: {', '.join(names) or 'none'}")
    return [data[name] for name in names]


def rational(text: Any) -> Fraction:
    """A rational from text a/b."""
    good = isinstance(text, str) and len(text) <= 4001 and re.fullmatch("-?[0-9]{1,2000}/[0-9]{1,2000}", text)
    need(bool(good), "expected a rational as text a/b")
    above, below = map(int, text.split("/"))
    need(below > 0, "a denominator above zero")
    return Fraction(above, below)


def common_scale(values: Iterable[Fraction], most_bits: int = 1 << 14) -> int:
    """The least common denominator, refused before it, and so every sum, grows too long."""
    scale = 1
    for value in values:
        scale = lcm(scale, value.denominator)
        need(scale.bit_length() <= most_bits, f"a common denominator of at most {most_bits} bits")
    return scale


def mask_of(places: Iterable[int], size: int) -> int:
    """Places below a size as a mask."""
    data = bytearray(size // 8 + 1)
    for place in places:
        data[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(data, "little")


def is_prime(number: int) -> bool:
    """Whether a number is a prime, by trial."""
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))


def prime_of(field: Any) -> int:
    """The number p of a field that is given as GF(p); 0 if it is another text."""
    good = re.fullmatch(r"GF\(([1-9][0-9]{0,9})\)", field) if isinstance(field, str) else None
    return int(good[1]) if good else 0


def scaled(value: Fraction, scale: int) -> int:
    """A rational in units of a common denominator."""
    return value.numerator * (scale // value.denominator)


def bits_for(count: Value) -> int:
    """The smallest c >= 0 with 2^c >= count."""
    return max(0, -(-count.numerator // count.denominator) - 1).bit_length()


def bits_for_power(base: Fraction, exponent: int) -> int:
    """The smallest c >= 0 with 2^c >= base^exponent, for a base above 0, by powers alone."""
    above, below = int(base.numerator**exponent), int(base.denominator**exponent)
    bits = max(0, above.bit_length() - below.bit_length() - 1)
    while below << bits < above:
        bits += 1
    return bits


def digest(data: Any) -> str:
    """A hash (SHA-256) of plain data: equal for equal data only, for all that anybody knows."""
    return sha256(json.dumps(data, separators=(",", ":")).encode()).hexdigest()
