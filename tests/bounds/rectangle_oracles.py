"""Brute force for measures of rectangles, by definition."""

from __future__ import annotations

import itertools


def subsets(size):
    return [[i for i in range(size) if mask >> i & 1] for mask in range(1, 1 << size)]


def rectangles(table, code):
    """All rectangles of the code, as frozensets of cells."""
    found = set()
    for rows in subsets(len(table)):
        for columns in subsets(len(table[0])):
            if all(table[r][c] in (code, -1) for r in rows for c in columns):
                found.add(frozenset(itertools.product(rows, columns)))
    return found


def fewest(table, code, once):
    """The cover or partition number, by trying one more rectangle after the other (breadth first over cell sets)."""
    own = frozenset((r, c) for r, row in enumerate(table) for c, cell in enumerate(row) if cell == code)
    parts = {found & own for found in rectangles(table, code)} - {frozenset()}
    if not once:
        parts = {part for part in parts if not any(part < other for other in parts)}
    states, count = {own}, 0
    while frozenset() not in states:
        count += 1
        states = {
            state - part
            for state in states
            for part in parts
            if min(state) in part and (part <= state if once else part & state)
        }
    return count
