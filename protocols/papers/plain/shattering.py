"""VC dimensions of tables, and the largest over all ways to deal out the positions of a word, by brute force."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product
from typing import Any

__all__ = ["dealt", "shattered_columns", "splitting_dimension"]


def shattered_columns(table: Sequence[Sequence[int]]) -> int:
    """The most columns on which the rows show every pattern of 0 and 1."""
    lines = {tuple(row) for row in table}
    size = 0
    while 1 << size + 1 <= len(lines) and any(
        len({tuple(line[place] for place in places) for line in lines}) == 1 << size + 1
        for places in combinations(range(len(table[0])), size + 1)
    ):
        size += 1
    return size


def dealt(
    positions: Sequence[Sequence[Any]], solve: Callable[[Sequence[Any]], int], alice: Sequence[int]
) -> list[list[int]]:
    """The answers on all words: a row for what Alice holds at her positions (from 0), a column for what Bob holds."""
    bob = [place for place in range(len(positions)) if place not in alice]

    def answer(own: Sequence[Any], other: Sequence[Any]) -> int:
        held = {**dict(zip(alice, own, strict=True)), **dict(zip(bob, other, strict=True))}
        return solve([held[place] for place in range(len(positions))])

    rows, columns = (list(product(*[positions[place] for place in part])) for part in (alice, bob))
    return [[answer(own, other) for other in columns] for own in rows]


def splitting_dimension(positions: Sequence[Sequence[Any]], solve: Callable[[Sequence[Any]], int]) -> int:
    """The largest VC dimension over all partitions of the positions into two parts, neither of them empty."""
    places = range(len(positions))
    parts = (part for size in range(1, len(positions)) for part in combinations(places, size))
    return max(shattered_columns(dealt(positions, solve, part)) for part in parts)
