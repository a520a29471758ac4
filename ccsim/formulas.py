"""Formulas as text: a small grammar that is read node by node, so that no text is ever executed.

Numbers, names, ``+ - * /``, powers (``**`` or ``^``), and the functions of :data:`FUNCTIONS`. Values are exact: an
integer or a fraction where they are rational, else a real number that sympy knows exactly.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import ceil, comb, floor, isinf
from numbers import Rational
from typing import Any

from ccsim import lazy
from ccsim.errors import InputError

sympy = lazy.load("sympy")

LONGEST = 2000  # characters of a formula
MOST_BITS = 1 << 20  # of a number on the way
GRAMMAR = "numbers, names, + - * / ^ and functions such as log2, floor, ceil, min, max, binomial"


class _UnreadError(Exception):
    """What cannot be read or computed, in words."""


@lru_cache(maxsize=4096)
def parse(formula: str) -> ast.expr:
    """The syntax tree of a formula, all of whose nodes belong to the grammar."""
    if not isinstance(formula, str) or not 0 < len(formula) <= LONGEST:
        raise InputError("formula", formula, f"a text of 1 to {LONGEST} characters: {GRAMMAR}")
    try:
        tree = ast.parse(formula.strip().replace("^", "**"), mode="eval").body
        for node in ast.walk(tree):
            _look_at(node)
    except (SyntaxError, ValueError, RecursionError, MemoryError, _UnreadError) as error:
        reason = f" ({error})" if isinstance(error, _UnreadError) else ""
        raise InputError("formula", formula, GRAMMAR + reason) from error
    return tree


def _look_at(node: ast.AST) -> None:
    match node:
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=float() as value) if isinf(value):
            raise _UnreadError("finite numbers")
        case ast.Constant(value=int() | float()) | ast.Name() | ast.Load() | ast.operator() | ast.unaryop():
            return  # an operator is that of a node that is looked at
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.Pow()):
            return
        case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
            return
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            if name not in FUNCTIONS:
                raise _UnreadError(f"{name} is no function that is known: {', '.join(sorted(FUNCTIONS))}")
            if any(isinstance(argument, ast.Starred) for argument in arguments):
                raise _UnreadError("arguments are written one by one")
            return
    raise _UnreadError(f"no {type(node).__name__}")


def exact_value(formula: str, values: Mapping[str, Any]) -> Any:
    """The finite real value of a formula: an int or a Fraction where it is one, else a number of sympy."""
    numbers = {}
    for name, value in values.items():
        if isinstance(value, Rational):
            numbers[name] = _tidy(Fraction(int(value.numerator), int(value.denominator)))
        elif hasattr(value, "free_symbols"):
            numbers[name] = _tidy(value)
    result = _tidy(_computed(formula, numbers))
    if not isinstance(result, (int, Fraction)):
        result = _tidy(sympy.expand_log(result))
    if isinstance(result, (int, Fraction)):
        return result
    if result.free_symbols or not (result.is_real and result.is_finite):
        raise InputError("formula", formula, f"a real number, not {result}, at {dict(values)}")
    return result


def symbolic(formula: str, names: Mapping[str, Any]) -> Any:
    return sympy.sympify(_computed(formula, names), strict=True)


def _computed(formula: str, names: Mapping[str, Any]) -> Any:
    try:
        return _value(parse(formula), names)
    except (_UnreadError, ZeroDivisionError, OverflowError, RecursionError) as error:
        expected = "no division by 0" if isinstance(error, ZeroDivisionError) else str(error)
        raise InputError("formula", formula, expected) from error


def _tidy(value: Any) -> Any:
    if isinstance(value, int):
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else value
    if value.is_Rational and value.is_finite:
        return _tidy(Fraction(int(value.p), int(value.q)))
    return value


def _value(node: ast.AST, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return _tidy(Fraction(repr(value)))  # a decimal fraction is what is written
        case ast.Name(id=name):
            if name not in names:
                known = f"only {', '.join(sorted(names))}" if names else "no name"
                raise _UnreadError(f"{known}, not {name}, as a number")
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, names)
        case ast.UnaryOp(operand=inner):
            return _value(inner, names)
        case ast.BinOp(left=left, op=op, right=right):
            return _small(_tidy(OPERATORS[type(op)](_value(left, names), _value(right, names))))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            least, most, function = FUNCTIONS[name]
            if not least <= len(arguments) <= most:
                raise _UnreadError(f"{name} with {least if least == most else f'{least} to {most}'} arguments")
            return _small(_tidy(function(*(_value(argument, names) for argument in arguments))))
    raise _UnreadError(f"no {type(node).__name__}")


def _bits(value: Any) -> int:
    if isinstance(value, (int, Fraction)):
        return max(value.numerator.bit_length(), value.denominator.bit_length())
    return 0


def _small(value: Any) -> Any:
    if _bits(value) > MOST_BITS:
        raise _UnreadError(f"numbers of at most {MOST_BITS} bits")
    return value


def _is_rational(*values: Any) -> bool:
    return all(isinstance(value, (int, Fraction)) for value in values)


def _quotient(first: Any, second: Any) -> Any:
    return Fraction(first, second) if _is_rational(first, second) else first / second


def _power(base: Any, exponent: Any) -> Any:
    if _is_rational(exponent) and abs(exponent) * max(1, _bits(base)) > MOST_BITS:
        raise _UnreadError(f"numbers of at most {MOST_BITS} bits")
    if _is_rational(base) and isinstance(exponent, int):
        return Fraction(base) ** exponent
    if _is_rational(base) and not _is_rational(exponent) and exponent.is_number and abs(exponent) > MOST_BITS:
        raise _UnreadError(f"numbers of at most {MOST_BITS} bits")
    return sympy.Pow(base, exponent)


def _log(value: Any, base: Any = None) -> Any:
    """To the given base, else the natural one; rational where both are powers of one integer."""
    if isinstance(value, int) and isinstance(base, int) and value > 0 and base > 1:
        exponent, left = 0, value
        while left % base == 0:
            exponent, left = exponent + 1, left // base
        if left == 1:
            return exponent
    if (_is_rational(value) and value <= 0) or (base is not None and _is_rational(base) and (base <= 0 or base == 1)):
        raise _UnreadError("logarithms of positive numbers, to a positive base other than 1")
    return sympy.log(value) if base is None else sympy.log(value, base)


def _numbering(things: Any) -> Any:
    if isinstance(things, int) and things > 0:
        return (things - 1).bit_length()
    return _ceiling(_log(things, 2))


def _either(exact: Callable[..., Any], name: str) -> Callable[..., Any]:
    return lambda *values: exact(*values) if _is_rational(*values) else getattr(sympy, name)(*values)


_ceiling = _either(ceil, "ceiling")
_least = _either(lambda *values: min(values), "Min")
_most = _either(lambda *values: max(values), "Max")


def _exponential(value: Any) -> Any:
    if not hasattr(value, "free_symbols") and abs(value) > LONGEST:
        raise _UnreadError(f"exponents of at most {LONGEST}")
    return sympy.exp(value)


def _binomial(n: Any, k: Any) -> Any:
    if _is_rational(n, k):
        if not (isinstance(n, int) and isinstance(k, int) and abs(n) <= MOST_BITS >> 4):
            raise _UnreadError(f"binomials of integers up to {MOST_BITS >> 4}")
        if n >= 0:
            return comb(n, k) if k >= 0 else 0
    return sympy.binomial(n, k)


OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _quotient,
    ast.Pow: _power,
}

FUNCTIONS: Mapping[str, tuple[int, int, Callable[..., Any]]] = {
    "L": (1, 1, _numbering),
    "log": (1, 2, _log),
    "log2": (1, 1, lambda value: _log(value, 2)),
    "floor": (1, 1, _either(floor, "floor")),
    "ceil": (1, 1, _ceiling),
    "ceiling": (1, 1, _ceiling),
    "min": (1, 100, _least),
    "Min": (1, 100, _least),
    "max": (1, 100, _most),
    "Max": (1, 100, _most),
    "sqrt": (1, 1, lambda value: _power(value, Fraction(1, 2))),
    "exp": (1, 1, _exponential),
    "binomial": (2, 2, _binomial),
    "Rational": (2, 2, _quotient),
}
"""The functions of the grammar: the least and the largest number of arguments, and what computes them.

``L(k)`` is log2 k rounded up, the bits that number k things; ``log`` is the natural logarithm unless it has a base.
"""
