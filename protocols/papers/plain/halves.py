"""Boolean tasks of the constructed models, word by word, from the symbols alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["chain_of_clauses", "halves_agree", "halves_meet", "mostly_ones"]

Word = Sequence[Any]


def halves_agree(word: Word) -> int:
    """1 if the second half repeats the first."""
    half = len(word) // 2
    return int(tuple(word[:half]) == tuple(word[half:]))


def halves_meet(word: Word) -> int:
    """1 if some bit is 1 at the same place of both halves."""
    half = len(word) // 2
    return int(any(one == other == "1" for one, other in zip(word[:half], word[half:], strict=True)))


def mostly_ones(word: Word) -> int:
    """1 if more than half of the bits are 1."""
    return int(2 * list(word).count("1") > len(word))


def chain_of_clauses(word: Word) -> int:
    """1 if no 0 comes right before a 1: all clauses (x_i or not x_{i+1}) are true."""
    return int("01" not in "".join(word))
