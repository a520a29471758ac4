"""Formulas about the past of a position: they define the star-free languages (Kamp 1968)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Always:
    """True at every position."""


@dataclass(frozen=True)
class Symbol:
    """True where this symbol stands."""

    symbol: str


@dataclass(frozen=True)
class Position:
    """True at the positions, counted from 1, that leave this remainder."""

    modulus: int
    remainder: int


@dataclass(frozen=True)
class Not:
    """True where a formula is not."""

    formula: Formula


@dataclass(frozen=True)
class And:
    """True where both are."""

    left: Formula
    right: Formula


@dataclass(frozen=True)
class Since:
    """True at i if ``then`` holds at some j < i and ``held`` at every position between j and i, neither included."""

    held: Formula
    then: Formula


Formula = Always | Symbol | Position | Not | And | Since


def previous(formula: Formula) -> Formula:
    """True where the position just before exists and has this."""
    return Since(Not(Always()), formula)


def before(formula: Formula) -> Formula:
    """True where some earlier position has this."""
    return Since(Always(), formula)


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """The formulas that it is made of at once."""
    match formula:
        case Not(inner):
            return (inner,)
        case And(left, right):
            return (left, right)
        case Since(held, then):
            return (held, then)
    return ()


def nesting(formula: Formula) -> int:
    """How many times ``Since`` stands within ``Since``.

    >>> nesting(before(And(Symbol("b"), previous(Symbol("a")))))
    2
    """
    return max(map(nesting, parts_of(formula)), default=0) + isinstance(formula, Since)
