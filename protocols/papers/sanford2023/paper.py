"""The paper, which was read in two slide decks: its authors' talk of 2023, and a lecture on it of 2025."""

from __future__ import annotations

from typing import Any

from ccsim.claims import Claim, Direction, Paper, Parameter

__all__ = ["ONE_NUMBER", "PAPER", "SETS", "WORD", "claim"]

PAPER = Paper("sanford2023", "Sanford, Hsu and Telgarsky 2023")

ONE_NUMBER = "d' = 1: a value is one number"
SETS = Parameter("length", "q", 2, "size of a set: what a row averages")
WORD = (Parameter("length", "N", 4, "numbers in the word"), Parameter("modulus", "M", 7, "the modulus", low=2))


def claim(name: str, source: str, statement: str, direction: Direction, **rest: Any) -> Claim:
    """A claim of the paper, where it stands on the slides, and what it says."""
    return Claim(
        name=f"{PAPER.name}-{name}",
        paper=PAPER,
        source=f"{PAPER.citation}, {source}",
        statement=statement,
        direction=direction,
        **rest,
    )
