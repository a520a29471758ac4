"""Integers of thousands of digits as text: Python refuses to write or to read them unless it is told to."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

MOST_DIGITS = 1 << 17


@contextmanager
def long_integers() -> Iterator[None]:
    """Within it, integers of up to 2^17 digits are written and read; more would take seconds each.

    >>> with long_integers():
    ...     len(str(4**20000))
    12042
    """
    before = sys.get_int_max_str_digits()
    if before:  # 0 means that there is no limit
        sys.set_int_max_str_digits(max(before, MOST_DIGITS))
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)
