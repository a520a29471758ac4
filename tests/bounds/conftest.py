"""An oracle: deterministic complexity by its definition, recursion over subrectangles and nothing else."""

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


@pytest.fixture
def oracle():
    return deterministic_by_definition
