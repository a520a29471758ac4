"""Formulas in sympy's syntax, and their values: exact, compared exactly, shown in a few characters."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import lazy_loader as lazy

from ccsim.errors import InputError

sympy = lazy.load("sympy")

__all__ = ["Value", "compare", "evaluate", "number", "short_text", "written"]

MOST_BITS = 14_000  # of an integer that is written out

Value = Any
"""An int, a Fraction, or a real number that sympy knows exactly, such as ``3*log(3)/log(2)``."""


@lru_cache(maxsize=4096)
def _expression(formula: str, names: tuple[str, ...]) -> Any:
    known: dict[str, Any] = {name: sympy.Symbol(name, positive=True, integer=name != "c") for name in names}
    known["L"] = lambda k: sympy.ceiling(sympy.log(k, 2))
    try:
        return sympy.sympify(formula, locals=known)
    except (sympy.SympifyError, TypeError, AttributeError) as error:
        raise InputError("formula", formula, f"a formula in sympy's syntax ({error})") from error


def evaluate(formula: str, values: Mapping[str, Any]) -> Value:
    """The value of a formula, where ``L(k)`` is ceiling(log2 k); an int or a Fraction where it is one.

    Values that are no numbers are not looked at. Raises :class:`~ccsim.errors.InputError` unless the value is a
    finite real number.

    >>> evaluate("3*m*(p + log(N, 2))", {"m": 8, "p": 16, "N": 256}), evaluate("L(n) + 1", {"n": 5})
    (576, 4)
    """
    expression = _expression(formula, tuple(sorted(values)))
    numbers = {
        symbol: sympy.sympify(values[symbol.name])
        for symbol in expression.free_symbols
        if symbol.name in values and not isinstance(values[symbol.name], str)
    }
    found = sympy.expand_log(expression.subs(numbers))  # log(4)/log(2) is 2
    if found.free_symbols or not (found.is_real and found.is_finite):
        raise InputError("formula", formula, f"a real number, not {found}, at {dict(values)}")
    if found.is_Integer:
        return int(found)
    return Fraction(int(found.p), int(found.q)) if found.is_Rational else found


def compare(first: Value, second: Value) -> int:
    """-1, 0 or 1 as the first value is less than, equal to, or more than the second; never by floating point.

    >>> compare(Fraction(1, 3), 1), compare(evaluate("log(9, 2)", {}), evaluate("2*log(3, 2)", {}))
    (-1, 0)
    """
    if isinstance(first, (int, Fraction)) and isinstance(second, (int, Fraction)):
        return (first > second) - (first < second)
    difference = sympy.sympify(first) - sympy.sympify(second)
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
