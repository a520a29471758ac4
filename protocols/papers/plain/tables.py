"""Functions of two inputs as rows of answers, and what they cost, by brute force where they are tiny."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product

__all__ = ["TABLES", "Table", "boolean_tables", "largest_fooling_set", "least_bits", "orders"]

Table = tuple[tuple[int, ...], ...]


def _strings(n: int) -> list[tuple[int, ...]]:
    """All strings of n bits, in the order of the numbers that they write."""
    return list(product((0, 1), repeat=n))


def _table(n: int, answer: Callable[[tuple[int, ...], tuple[int, ...]], int]) -> Table:
    return tuple(tuple(int(answer(x, y)) for y in _strings(n)) for x in _strings(n))


def _common(x: tuple[int, ...], y: tuple[int, ...]) -> int:
    """How many elements two sets have in common."""
    return sum(a and b for a, b in zip(x, y, strict=True))


TABLES: dict[str, Callable[[int], Table]] = {
    "equality": lambda n: _table(n, lambda x, y: x == y),
    "intersection": lambda n: _table(n, lambda x, y: _common(x, y) > 0),
    "disjointness": lambda n: _table(n, lambda x, y: _common(x, y) == 0),
    "greater-than": lambda n: _table(n, lambda x, y: x > y),
    "inner-product": lambda n: _table(n, lambda x, y: _common(x, y) % 2),
    "set-intersection-size": lambda n: _table(n, _common),
    "index": lambda n: tuple(_strings(n)),
}
"""By name: a row for each input of Alice, a column for each of Bob; the places of INDEX count from the left."""


def boolean_tables(rows: int, columns: int) -> Iterator[Table]:
    """One table of 0 and 1 out of each class of those that become one another when rows and columns are reordered."""
    seen: set[Table] = set()
    for table in combinations_with_replacement(_strings(columns), rows):
        least = min(tuple(sorted(zip(*order, strict=True))) for order in permutations(list(zip(*table, strict=True))))
        if least not in seen:
            seen.add(least)
            yield table


def orders(table: Table) -> int:
    """How many tables a table becomes when rows and columns are reordered, itself included."""
    columns = permutations(list(zip(*table, strict=True)))
    return len({rows for order in columns for rows in permutations(list(zip(*order, strict=True)))})


def largest_fooling_set(table: Table) -> int:
    """The most cells of one answer of which any two have another answer at one of their crossings."""
    cells = list(product(range(len(table)), range(len(table[0]))))

    def apart(one: tuple[int, int], other: tuple[int, int]) -> bool:
        wanted = table[one[0]][one[1]]
        return table[one[0]][other[1]] != wanted or table[other[0]][one[1]] != wanted

    def grow(chosen: int, left: list[tuple[int, int]]) -> int:
        return max(
            (
                grow(chosen + 1, [other for other in left[place + 1 :] if apart(cell, other)])
                for place, cell in enumerate(left)
            ),
            default=chosen,
        )

    return max(grow(0, [(r, c) for r, c in cells if table[r][c] == answer]) for answer in (0, 1))


def least_bits(table: Table, knowing: str) -> int:
    """The bits of the best deterministic protocol after which both, Alice or Bob must know the answer."""

    @cache
    def cost(rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
        if _known(table, rows, columns, knowing):
            return 0
        splits = [(part, columns, rest, columns) for part, rest in _halves(rows)]
        splits += [(rows, part, rows, rest) for part, rest in _halves(columns)]
        return 1 + min(max(cost(a, b), cost(c, d)) for a, b, c, d in splits)

    return cost(tuple(range(len(table))), tuple(range(len(table[0]))))


def _known(table: Table, rows: tuple[int, ...], columns: tuple[int, ...], knowing: str) -> bool:
    by_row = [{table[r][c] for c in columns} for r in rows]
    by_column = [{table[r][c] for r in rows} for c in columns]
    if knowing == "both":
        return len(set().union(*by_row)) == 1
    return all(len(answers) == 1 for answers in (by_row if knowing == "alice" else by_column))


def _halves(lines: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Each way to split some lines in two, once."""
    for size in range(len(lines) - 1):
        for others in combinations(lines[1:], size):
            part = (lines[0], *others)
            yield part, tuple(line for line in lines if line not in part)
