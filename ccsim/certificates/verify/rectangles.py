"""Covers and partitions by rectangles: rectangles, cover-weights, crown, branch-and-cut.

A rectangle *of a code* has only cells of that code or free ones.
"""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

from .claims import Claim, proves
from .matrices import MOST_CELLS, Matrix, Table, integer, items, mask_of, need


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
        rows, columns = claim.matrix.rectangle(*items(entry, 2))
        for row in claim.matrix.places(rows):
            claim.matrix.spend(8 + 4 * claim.matrix.long[0])
            need(claim.matrix.fits(claim.code, row, columns), "a rectangle with another answer in it")
            need(claim.measure == "cover" or columns & own[row] & ~left[row] == 0, "a cell in two rectangles")
            left[row] &= ~columns
    need(not any(left), "a cell that no rectangle contains")
    return len(rectangles)


@proves("cover-weights", "lower cover", "lower partition")
def check_cover_weights(claim: Claim, at_most: Any, weights: Any) -> int:
    """Weights on cells of the code (dual of the fractional cover): a rectangle weighs at most ``at_most``, all cells
    together ``total``, so that at least total / at_most rectangles are needed, rounded up."""
    table, cells = [[0] * claim.matrix.width for _ in range(claim.matrix.height)], claim.matrix.cells(weights, 1)
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


LANE = 32  # bits for what a rectangle weighs
MOST_MAXIMAL = 20_000


class Inequality(NamedTuple):
    """The coefficients of the rectangles of a cover sum to at least so much: each in its lane, none above ``top``."""

    coefficients: int
    least: int
    top: int


@proves("branch-and-cut", "lower cover", "lower partition")
def check_branch_and_cut(claim: Claim, budget: Any, cases: Any) -> int:
    """No cover has ``budget`` rectangles, or fewer: shown by cases, at the end of each of them by weights.

    Branch and cut (Padberg and Rinaldi 1991) with cuts of half sums (Gomory 1958; Caprara and Fischetti 1996). The
    rectangles of a cover may be taken to be maximal; they are numbered in order of their columns. Inequalities hold
    for those of the cover: first, for each cell with the code, row by row, at least one contains it. Then

    - [[places]], a cut: the sum of these inequalities, where what is odd is rounded up, is one more inequality.
      Larger coefficients make the sum no smaller; if all are even it is even, too, and so more than an odd least;
    - [number] of a rectangle divides a case in two. Either it is in the cover, so that its coefficient alone is at
      least 1, which is one more inequality; this is looked at first. Or it is not allowed;
    - [at_most, weights of its inequalities] ends a case: the coefficients of a rectangle that is allowed weigh at most
      so much together, and all that they must reach weighs more than ``budget`` times that.
    """
    size, rectangles = integer(budget, 0, MOST_CELLS), MaximalRectangles(claim)
    stack = [(rectangles.cells, rectangles.every, len(rectangles.cells))]  # and how many of them others have, too
    for case in map(items, items(cases)):
        need(bool(stack), "more cases than there are")
        inequalities, allowed, shared = stack.pop()
        if len(case) == 2:
            rectangles.weigh(inequalities, allowed, size, *case)
            own = len(inequalities) - shared  # give back the room of those that no other case has
            rectangles.matrix.spend(0, -8 * shared - rectangles.each * own)
        elif isinstance(items(case, 1)[0], list):
            inequalities.append(rectangles.rounded(inequalities, case[0]))
            stack.append((inequalities, allowed, shared))
        else:
            alone = rectangles.alone(inequalities, case[0])
            within = [*inequalities, Inequality(alone, 1, 1)]
            stack += [(inequalities, allowed & ~alone, shared), (within, allowed, len(inequalities))]
    need(not stack, "a case without an end")
    return size + 1


class MaximalRectangles:
    """The maximal rectangles of a code, numbered; a set of them has the first bit of the lane of each."""

    def __init__(self, claim: Claim) -> None:
        self.matrix = matrix = claim.matrix
        allowed, sets = matrix.allowed(claim.code), {(1 << matrix.width) - 1}
        for mask in set(allowed):
            matrix.spend(4 * len(sets) * (2 + matrix.long[0]), len(sets) * (100 + matrix.width // 7))
            sets |= {one & mask for one in sets}
            need(len(sets) <= MOST_MAXIMAL, "too many maximal rectangles")
        columns, self.count = sorted(sets), len(sets)
        self.step, self.room = 6 + (self.count >> 4), 60 + LANE * self.count // 7
        self.each = 300 + 3 * self.room  # for an inequality of a case, and the rectangles that it allows
        lines = matrix.height + matrix.width
        matrix.spend(lines * (self.count * (8 + matrix.long[0]) + self.step), lines * self.room)
        self.every = self._set(range(self.count))
        rows = [self._set(place for place, one in enumerate(columns) if not one & ~mask) for mask in allowed]
        self.cells: list[Inequality] = []
        across = [self._set(place for place, one in enumerate(columns) if one >> column & 1)
                  for column in range(matrix.width)]  # fmt: skip
        for row, own in zip(rows, matrix.masks(claim.code), strict=True):
            for column in matrix.places(own):
                matrix.spend(self.step, 100 + self.room)
                self.cells.append(Inequality(row & across[column], 1, 1))

    def _set(self, places: Any) -> int:
        return mask_of((LANE * place for place in places), LANE * self.count)

    def alone(self, inequalities: list[Inequality], number: Any) -> int:
        self.matrix.spend(100 + len(inequalities) // 4 + 4 * self.step, 8 * len(inequalities) + self.each)
        return 1 << LANE * integer(number, 0, self.count - 1)

    def rounded(self, inequalities: list[Inequality], places: Any) -> Inequality:
        """The sum of some inequalities, where what is odd is rounded up."""
        self.matrix.spend(100 + 4 * self.step, self.each)
        sums = least = top = 0
        for place in items(places):
            self.matrix.spend(20 + 2 * self.step)
            one = inequalities[integer(place, 0, len(inequalities) - 1)]
            sums, least, top = sums + one.coefficients, least + one.least, top + one.top
            need(top < 1 << LANE - 1, "coefficients that are too large")
        return Inequality(sums + (sums & self.every), least + (least & 1), top + 1)

    def weigh(self, inequalities: list[Inequality], allowed: int, budget: int, at_most: Any, weights: Any) -> None:
        """Refuse unless all must reach more than the budget times what a rectangle that is allowed weighs."""
        self.matrix.spend(100 + 4 * self.step + 20 * len(inequalities))
        most = integer(at_most, 0, (1 << LANE - 1) - 1)
        sums = total = top = 0
        for one, weight in zip(inequalities, items(weights, len(inequalities)), strict=True):
            if integer(weight, 0, 1 << LANE):
                self.matrix.spend(2 * self.step)
                sums, total, top = sums + weight * one.coefficients, total + weight * one.least, top + weight * one.top
        need(top < 1 << LANE - 1, "weights that are too large")
        need(total > budget * most, "weights that are too small")
        over = sums + ((1 << LANE - 1) - 1 - most) * self.every
        need(not over >> LANE - 1 & allowed, "a rectangle that weighs more")
