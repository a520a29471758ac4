"""Errors that name the argument, and the checks that raise them: of numbers, symbols, shapes and memory."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable
from fractions import Fraction
from operator import index

from ccsim.lazy import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    import numpy.typing as npt

__all__ = ["InputError", "NotInstalledError", "PartyError", "PluginWarning", "ProtocolError", "TableTooLargeError"]


class InputError(ValueError):
    """An argument that cannot be used: names the argument, the value, and what was expected."""

    def __init__(self, argument: str, value: object, expected: str) -> None:
        try:
            shown = repr(value)
        except ValueError:  # an integer of thousands of digits is not written out
            shown = f"a {type(value).__name__}"
        if " object at 0x" in shown:  # nothing but where it is kept
            shown = f"a {type(value).__name__}"
        if "\n" in shown:  # one line
            shown = " ".join(shown.split())
        if len(shown) > 120:
            shown = shown[:117] + "..."
        super().__init__(f"{argument} = {shown}: expected {expected}")
        self.argument, self.value, self.expected = argument, value, expected

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.argument, self.value, self.expected))


class NotInstalledError(ImportError, ValueError):
    """A library that only a part of ccsim needs; names the extra that brings it."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is not installed: pip install 'ccsim[{extra}]'", name=library)
        self.extra = extra

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.name, self.extra))


class TableTooLargeError(ValueError):
    """A table that would not fit in memory; names how much it would need. Nothing was allocated."""


class ProtocolError(ValueError):
    """A protocol that broke the rules of its communication model, or disagreed with itself, in a run."""


class PluginWarning(UserWarning):
    """Something that a package names in an entry point cannot be used."""


class PartyError(RuntimeError):
    """A party raised an error or ended the program, or its process died or stalled; no process is left behind."""


def require_fraction(argument: str, value: Fraction | str | float) -> Fraction:
    """A float is the decimal number that it is printed as: 0.1 is 1/10."""
    if not isinstance(value, Fraction | str | int | float):
        raise InputError(argument, value, "a fraction, such as '1/3'")
    try:
        return Fraction(repr(float(value)) if isinstance(value, float) else value)
    except (ValueError, ZeroDivisionError) as error:
        raise InputError(argument, value, "a fraction, such as '1/3'") from error


def require_integer(argument: str, value: Any, low: int, high: int | None = None) -> int:
    try:
        number = None if isinstance(value, bool) else index(value)
    except TypeError:
        number = None
    if number is None or number < low or (high is not None and number > high):
        bounds = f"an integer of at least {low}" if high is None else f"an integer from {low} to {high}"
        raise InputError(argument, value, bounds)
    return number


def require_symbols(argument: str, symbols: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """An alphabet or a set of answers as a tuple: one or more, hashable and all different."""
    try:
        given = tuple(symbols)
        different = len(set(given))
    except TypeError as error:
        raise InputError(argument, symbols, "a text or a list of hashable symbols, all different") from error
    if not given or different != len(given):
        raise InputError(argument, given, "one or more symbols, all different")
    return given


Array: TypeAlias = "npt.NDArray[Any]"  # of numbers of any kind; a text, as errors are read where numpy is not


def require_shape(argument: str, array: Any, shape: tuple[int | None, ...]) -> None:
    fits = len(array.shape) == len(shape) and all(
        size >= 1 if wanted is None else size == wanted for size, wanted in zip(array.shape, shape, strict=True)
    )
    if not fits:
        wanted_shape = "(" + ", ".join("any" if size is None else str(size) for size in shape) + ")"
        raise InputError(argument, array.shape, f"an array of shape {wanted_shape}")


def available_bytes() -> int:
    """How much memory a table may take: what the system reports as available, or 2 GiB where it reports nothing."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 2 << 30


def format_bytes(count: int) -> str:
    if count >= 1 << 70:
        return f"{format_count(count)} bytes"
    for exponent, unit in ((60, "EiB"), (50, "PiB"), (40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
        if count >= 1 << exponent:
            return f"{count / (1 << exponent):.1f} {unit}"
    return f"{count} bytes"


def format_count(count: int) -> str:
    """A number for people: beyond 2^70 a power of two, as Python writes out no more than 4300 digits."""
    return str(count) if count < 1 << 70 else f"2^{count.bit_length() - 1}"


def require_memory(count: int, what: str) -> None:
    available = available_bytes()
    if count > available:
        raise TableTooLargeError(f"{what} would need {format_bytes(count)}; {format_bytes(available)} can be had")
