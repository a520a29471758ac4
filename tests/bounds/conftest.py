"""Oracles: deterministic complexity and least leaves by definition, recursion over subrectangles and nothing else."""

from __future__ import annotations

from functools import cache

import pytest

INFINITE = 99


def deterministic_by_definition(table, answer="both", rounds=None, first=None):
    """D of a list of rows of codes (-1 is free), in bits; INFINITE if the rounds do not suffice."""
    height, width = len(table), len(table[0])

    def lines(mask):
        return [i for i in range(max(height, width)) if mask >> i & 1]

    def is_leaf(rows, columns):
        if answer == "both":
            return len({table[r][c] for r in lines(rows) for c in lines(columns)} - {-1}) <= 1
        if answer == "alice":
            return all(len({table[r][c] for c in lines(columns)} - {-1}) <= 1 for r in lines(rows))
        return all(len({table[r][c] for r in lines(rows)} - {-1}) <= 1 for c in lines(columns))

    @cache
    def depth(rows, columns, left, last):
        if is_leaf(rows, columns):
            return 0
        best = INFINITE
        for party, mask in ((0, rows), (1, columns)):
            later = left
            if left is not None and last != party:
                if left == 0:
                    continue
                later = left - 1
            lowest = mask & -mask
            side = (mask - 1) & mask
            while side:
                if side & lowest:
                    parts = (side, mask & ~side)
                    worst = 0
                    for part in parts:
                        rectangle = (part, columns) if party == 0 else (rows, part)
                        worst = max(worst, depth(*rectangle, later, None if later is None else party))
                        if worst + 1 >= best:
                            break
                    best = min(best, worst + 1)
                side = (side - 1) & mask
        return best

    left, last = rounds, None
    if rounds is not None and first is not None:
        left, last = rounds - 1, 0 if first == "alice" else 1
    return depth((1 << height) - 1, (1 << width) - 1, left, last)


def leaves_by_definition(table, answer="both"):
    """The fewest leaves of a tree: tables cut in two again and again, as tuples of rows, and nothing else."""

    @cache
    def fewest(part):
        columns = tuple(zip(*part, strict=True))
        if answer == "both":
            groups = [[cell for row in part for cell in row]]
        else:
            groups = part if answer == "alice" else columns
        if all(len(set(group) - {-1}) <= 1 for group in groups):
            return 1
        best = INFINITE
        for lines, turn in ((part, tuple), (columns, lambda half: tuple(zip(*half, strict=True)))):
            for chosen in range(1, 1 << len(lines) - 1):
                halves = [tuple(line for i, line in enumerate(lines) if chosen >> i & 1 == side) for side in (0, 1)]
                best = min(best, sum(fewest(turn(half)) for half in halves))
        return best

    return fewest(tuple(map(tuple, table)))


@pytest.fixture
def oracle():
    return deterministic_by_definition
