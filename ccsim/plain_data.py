"""Values as JSON knows them."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any

__all__ = ["plain", "printable"]


def plain(value: Any) -> Any:
    """A value as plain data: tuples as lists, numpy's integers as integers, fractions and other exact objects as text.

    >>> from fractions import Fraction
    >>> import numpy as np
    >>> plain({1: (Fraction(1, 2), np.int64(3), None)})
    {'1': ['1/2', 3, None]}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return int(value) if isinstance(value, Integral) else str(value)


def printable(line: str) -> str:
    r"""A line as it can be printed, whatever stands in it: line feeds and escape sequences are written out.

    >>> printable("odd\nright: proved"), printable("\x1b[31mred")
    ('odd\\nright: proved', '\\x1b[31mred')
    """
    return line if line.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)
