"""The paper, which was read in two slide decks: its authors' talk of 2023, and a lecture on it of 2025."""

from __future__ import annotations

from functools import partial

from ccsim.claims import Paper, Parameter
from protocols.papers.stated import stated

__all__ = ["BLANK", "LARGER", "ONE_NUMBER", "PAPER", "VALUES", "WORD", "claim", "modulus", "numbers", "rows", "subset"]

PAPER = Paper("sanford2023", "Sanford, Hsu and Telgarsky 2023")

ONE_NUMBER = "d' = 1: a value is one number"
BLANK = "a blank row at the end"

VALUES = Parameter("values", "d", 1, "d', numbers in a value")

claim = partial(stated, PAPER)
"""A claim of the paper, where it stands on the slides, and what it says."""


def rows(default: int, low: int = 2) -> Parameter:
    """How many rows are averaged."""
    return Parameter("length", "N", default, "rows", low)


def subset(default: int, low: int = 1) -> Parameter:
    """How many of them one row names."""
    return Parameter("q", "q", default, "size of a set", low)


def numbers(default: int, low: int = 1) -> Parameter:
    """How long the words are in which numbers match."""
    return Parameter("length", "N", default, "numbers in the word", low)


def modulus(default: int, low: int = 2) -> Parameter:
    """Modulo what they do."""
    return Parameter("modulus", "M", default, "the modulus", low)


WORD = (numbers(4), modulus(7))
LARGER = ({"length": 3, "modulus": 11}, {"length": 4, "modulus": 7}, {"length": 5, "modulus": 5})
"""The words of which all are gone through, and how large they are."""
