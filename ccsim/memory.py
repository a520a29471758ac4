"""Asking before allocating: a table that cannot fit is refused with the size that it would need."""

from __future__ import annotations

import os

from ccsim.errors import TableTooLargeError


def available_bytes() -> int:
    """How much memory a table may take: what the system says is free, or 2 GiB where it does not say."""
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 2 << 30
    return free


def format_bytes(count: int) -> str:
    """A number of bytes for people.

    >>> format_bytes(3 << 30), format_bytes(1 << 100)
    ('3.0 GiB', '2^100 bytes')
    """
    if count >= 1 << 70:
        return f"{format_count(count)} bytes"
    for exponent, unit in ((60, "EiB"), (50, "PiB"), (40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
        if count >= 1 << exponent:
            return f"{count / (1 << exponent):.1f} {unit}"
    return f"{count} bytes"


def format_count(count: int) -> str:
    """A number for people: beyond 2^70 only the power of two below it, as Python writes out no more than 4300 digits.

    >>> format_count(1 << 20), format_count(1 << 100_000)
    ('1048576', '2^100000')
    """
    return str(count) if count < 1 << 70 else f"2^{count.bit_length() - 1}"


def require_memory(count: int, what: str) -> None:
    """Raise :class:`~ccsim.errors.TableTooLargeError` if ``count`` bytes are not to be had for ``what``."""
    free = available_bytes()
    if count > free:
        raise TableTooLargeError(f"{what} would need {format_bytes(count)}; {format_bytes(free)} can be had")
