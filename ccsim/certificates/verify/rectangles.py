"""Covers and partitions by rectangles: rectangles, cover-weights, crown.

A rectangle *of a code* has only cells of that code or free ones.
"""

from __future__ import annotations

from math import comb
from typing import Any

from .claims import Claim, proves
from .data import Table, integer, items, mask_of, need
from .matrices import Matrix


def own_rectangle(claim: Claim, entry: Any) -> tuple[int, int]:
    """A rectangle of the code that is claimed, as two masks."""
    rows, columns = claim.matrix.rectangle(*items(entry, 2))
    good = all(claim.matrix.fits(claim.code, row, columns) for row in claim.matrix.places(rows))
    need(good, "a rectangle with another answer in it")
    return rows, columns


def inside(matrix: Matrix, table: Table, rows: int, columns: int) -> int:
    """The sum of a table over a rectangle."""
    across = matrix.places(columns)
    matrix.spend(4 * rows.bit_count() * len(across))
    return sum(sum([table[row][column] for column in across]) for row in matrix.places(rows))


def none_heavier(claim: Claim, weights: Table, at_most: int) -> None:
    """Refuse unless every rectangle of this code weighs at most so much, by a search.

    Branch on a row: inside the rectangle (its columns shrink) or outside. A branch ends when all rows that are left,
    each with all its columns that are left, weigh no more than the bound. Weights are kept as bit planes.
    """
    matrix, allowed = claim.matrix, claim.matrix.allowed(claim.code)
    planes = [bit_planes(matrix, row) for row in weights]
    stack = [(list(range(matrix.height)), (1 << matrix.width) - 1)]
    while stack:
        rows, columns = stack.pop()
        matrix.spend(
            30 + len(rows) * (60 + matrix.long[0]) + sum([len(planes[row]) for row in rows]) * (12 + matrix.long[0])
        )
        gains = [(sum((columns & plane).bit_count() << b for b, plane in enumerate(planes[r])), -r) for r in rows]
        gains = [gain for gain in gains if gain[0]]
        if sum(gain for gain, _ in gains) <= at_most:
            continue
        rows, heavy = [-place for _, place in gains], 0
        for place in rows:
            for plane in planes[place]:
                heavy |= plane
        columns &= heavy
        undecided = [gain for gain in gains if columns & ~allowed[-gain[1]]]
        need(bool(undecided), "a heavier rectangle exists")
        chosen = -max(undecided)[1]
        stack += [([place for place in rows if place != chosen], columns), (rows, columns & allowed[chosen])]


def bit_planes(matrix: Matrix, weights: list[int]) -> list[int]:
    """The weights of a row in binary: for each bit, the columns whose weight has it."""
    top = max(weights).bit_length()
    matrix.spend(5 * matrix.width + top * (90 + matrix.width // 30), 8 * top * (5 + matrix.width // 60))
    heavy = [(column, weight) for column, weight in enumerate(weights) if weight]
    matrix.spend(top * 4 * len(heavy))
    return [mask_of((column for column, weight in heavy if weight >> bit & 1), matrix.width) for bit in range(top)]


@proves("rectangles", "upper cover", "upper partition")
def check_rectangles(claim: Claim, rectangles: Any) -> int:
    """Rectangles of the code that together contain each of its cells; for a partition exactly once (free cells any
    number of times)."""
    own = claim.matrix.masks(claim.code)
    left = list(own)
    for entry in items(rectangles):
        rows, columns = own_rectangle(claim, entry)
        for row in claim.matrix.places(rows):
            claim.matrix.spend(8 + 4 * claim.matrix.long[0])
            need(claim.measure == "cover" or columns & own[row] & ~left[row] == 0, "a cell in two rectangles")
            left[row] &= ~columns
    need(not any(left), "a cell that no rectangle contains")
    return len(rectangles)


@proves("cover-weights", "lower cover", "lower partition")
def check_cover_weights(claim: Claim, at_most: Any, weights: Any) -> int:
    """Weights on cells of the code (dual of the fractional cover): a rectangle weighs at most ``at_most``, all cells
    together ``total``, so that at least total / at_most rectangles are needed, rounded up."""
    table, cells = [[0] * claim.matrix.width for _ in range(claim.matrix.height)], claim.matrix.cells(weights, 1)
    need(len({cell[:2] for cell in cells}) == len(cells), "different cells")
    for row, column, weight in cells:
        need(claim.matrix.table[row][column] == claim.code, "weight on a cell of another answer")
        table[row][column] = integer(weight, 0, 1 << 64)
    none_heavier(claim, table, integer(at_most, 1, 1 << 64))
    return -(-sum(map(sum, table)) // int(at_most))


@proves("crown", "lower cover", "lower partition")
def check_crown(claim: Claim, cells: Any) -> int:
    """Lines r_1..r_m and c_1..c_m with the code at every (r_i, c_j), i != j, and another at each (r_i, c_i).

    In a cover by k rectangles let S_i be those with r_i among their rows, T_j those with c_j among their columns:
    S_i and T_j meet iff i != j. By Bollobás's inequality (1965) m <= C(k, floor(k/2)). The least such k is proved.
    """
    code, listed, table = claim.code, claim.matrix.cells(cells), claim.matrix.table
    claim.matrix.spend(3 * len(listed) ** 2)
    for place, (row, column) in enumerate(listed):
        need(table[row][column] not in (code, -1), "the diagonal of a crown has other answers")
        good = all(table[row][c] == code == table[r][column] for r, c in listed[:place])
        need(good, "not a crown")
    return next(k for k in range(len(listed) + 1) if len(listed) < 2 or comb(k, k // 2) >= len(listed))


def integer_table(matrix: Matrix, given: Any, low: int) -> Table:
    """A table of integers, one per cell."""
    matrix.spend(10 * matrix.height * matrix.width + 30 * matrix.height)
    rows = [items(row, matrix.width) for row in items(given, matrix.height)]
    return [[integer(value, low, 1 << 80) for value in row] for row in rows]
