"""Values of formulas: exact, compared exactly, shown in a few characters."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import lazy_loader as lazy

from ccsim.formulas import exact_value

sympy = lazy.load("sympy")

__all__ = ["Value", "compare", "evaluate", "number", "short_text", "written"]

MOST_BITS = 14_000  # of an integer that is written out

Value = Any
"""An int, a Fraction, or a real number that sympy knows exactly, such as ``3*log(3)/log(2)``."""


def evaluate(formula: str, values: Mapping[str, Any]) -> Value:
    """The value of a formula of :mod:`ccsim.formulas`; an int or a Fraction where it is one.

    Values that are no numbers are not looked at. Raises :class:`~ccsim.errors.InputError` unless the value is a
    finite real number.

    >>> evaluate("3*m*(p + log(N, 2))", {"m": 8, "p": 16, "N": 256}), evaluate("L(n) + 1", {"n": 5})
    (576, 4)
    """
    return exact_value(formula, {name: value for name, value in values.items() if not isinstance(value, str)})


def compare(first: Value, second: Value) -> int:
    """-1, 0 or 1 as the first value is less than, equal to, or more than the second; never by floating point.

    >>> compare(Fraction(1, 3), 1), compare(evaluate("log(9, 2)", {}), evaluate("2*log(3, 2)", {}))
    (-1, 0)
    """
    if isinstance(first, (int, Fraction)) and isinstance(second, (int, Fraction)):
        return (first > second) - (first < second)
    difference = sympy.sympify(first, strict=True) - sympy.sympify(second, strict=True)
    near = difference.evalf(60)  # with errors accounted for
    if abs(near) > sympy.Rational(1, 10**40):
        return 1 if near > 0 else -1
    if difference.equals(0):
        return 0
    return 1 if bool(difference > 0) else -1


def number(value: Value) -> int | float | None:
    """A value as JSON knows it: an integer if it is one, else the nearest floating-point number."""
    if value is None or isinstance(value, int):
        return written(value)
    return written(int(value)) if value == int(value) else float(value)


def written(count: int | None) -> int | None:
    """An integer, or None if it has more digits than Python reads and writes as text (4300)."""
    return None if count is None or abs(count) >= 1 << MOST_BITS else count


def short_text(value: Value) -> str:
    """A value for a table: exact if short, else to three digits.

    >>> short_text(Fraction(1, 3)), short_text(evaluate("log(3, 2)", {})), short_text(None)
    ('1/3', '≈1.58', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**12 else f"≈2^{value.bit_length() - 1}"
    exact = str(value)
    return exact if isinstance(value, Fraction) and len(exact) <= 7 else f"≈{float(value):.3g}"
