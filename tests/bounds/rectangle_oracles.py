"""Brute force for measures of rectangles, by definition; and mutations of witnesses."""

from __future__ import annotations

import copy
import itertools
import json


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


def fooling(table, code):
    own = [(r, c) for r, row in enumerate(table) for c, cell in enumerate(row) if cell == code]
    allowed = (code, -1)

    def grow(chosen, rest):
        best = len(chosen)
        for place, (r, c) in enumerate(rest):
            later = [(s, d) for s, d in rest[place + 1 :] if table[r][d] not in allowed or table[s][c] not in allowed]
            best = max(best, grow([*chosen, (r, c)], later))
        return best

    return grow([], own)


def spots(data, path=()):
    """All places of a piece of JSON."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from spots(value, (*path, key))


def mutated(witness, rng):
    """A copy with one or two places changed."""
    data = copy.deepcopy(witness)
    for _ in range(rng.choice((1, 1, 2))):
        path = rng.choice([p for p in spots(data) if p] or [()])
        if not path:
            return data
        parent = data
        for key in path[:-1]:
            parent = parent[key]
        parent[path[-1]] = _other(parent[path[-1]], rng)
        if isinstance(parent, list) and rng.random() < 0.2:
            del parent[path[-1]]
    return json.loads(json.dumps(data))


def _other(value, rng):
    if isinstance(value, bool) or value is None:
        return rng.choice([True, False, None, 3])
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, 0, -value, 1 << 70, "x"])
    if isinstance(value, str):
        return rng.choice([f"{rng.randrange(64):x}", "0", "1/2", value + "0", value[:-1], 5])
    if isinstance(value, list):
        return rng.choice([value[:-1], value[::-1], [], value * 2, {}])
    return rng.choice([{}, [], 1])
