"""Dyck languages of bounded depth by a stack, and by writing their words down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

__all__ = ["CLOSING", "OPENING", "balanced", "bracket_table", "listed_words", "stack_after"]

OPENING, CLOSING = "([{<", ")]}>"


def stack_after(word: str, depth: int) -> str | None:
    """What is open after a word, or None if it cannot go on: a wrong bracket was closed, or it went too deep."""
    stack = ""
    for symbol in word:
        if symbol in OPENING:
            stack += symbol
            if len(stack) > depth:
                return None
        elif stack and OPENING.index(stack[-1]) == CLOSING.index(symbol):
            stack = stack[:-1]
        else:
            return None
    return stack


def balanced(word: str, depth: int = 2) -> int:
    """Whether a word is in the language."""
    return int(stack_after(word, depth) == "")


def bracket_table(length: int, alice: Sequence[int], kinds: int = 2, depth: int = 2) -> list[list[int]]:
    """Rows are what Alice holds at her positions, counted from 1, columns what Bob holds; symbols are ()[]..."""
    symbols = [symbol for pair in zip(OPENING[:kinds], CLOSING[:kinds], strict=True) for symbol in pair]
    bob = [place for place in range(1, length + 1) if place not in alice]
    order = sorted(range(length), key=lambda place: [*alice, *bob][place])
    columns = list(product(symbols, repeat=len(bob)))
    return [
        [balanced("".join([(*x, *y)[place] for place in order]), depth) for y in columns]
        for x in product(symbols, repeat=len(alice))
    ]


def listed_words(length: int, kinds: int = 2, depth: int = 2) -> Iterator[str]:
    """The words of the language: a block of each even length in brackets of each kind, and what follows it."""
    if length == 0:
        yield ""
    for inside in range(0, length - 1, 2) if depth else ():
        for word, rest in product(
            list(listed_words(inside, kinds, depth - 1)), list(listed_words(length - inside - 2, kinds, depth))
        ):
            for opened, closed in zip(OPENING[:kinds], CLOSING[:kinds], strict=True):
                yield f"{opened}{word}{closed}{rest}"
