"""Covers, by whether a rectangle is one of it, and by inequalities rounded up: branch-and-cut."""

from __future__ import annotations

from typing import Any, NamedTuple

from .claims import Claim, proves
from .data import MOST_CELLS, integer, items, mask_of, need

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
            rectangles.forget(len(inequalities), shared)
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
        """The rectangle of this number."""
        self.matrix.spend(100 + len(inequalities) // 4 + 4 * self.step, 8 * len(inequalities) + self.each)
        return 1 << LANE * integer(number, 0, self.count - 1)

    def forget(self, count: int, shared: int) -> None:
        """Give back the room of a case that is at its end, but for the inequalities that another one has, too."""
        self.matrix.spend(0, -8 * shared - self.each * (count - shared))

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
