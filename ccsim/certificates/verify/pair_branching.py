"""Covers, by whether some rectangle has both of two cells, or is one of it: pair-branching."""

from __future__ import annotations

from typing import Any

from .claims import Claim, proves
from .data import MOST_CELLS, integer, items, mask_of, need

LANE = 32  # bits for what a rectangle weighs
MOST_MAXIMAL = 20_000


@proves("pair-branching", "lower cover", "lower partition")
def check_pair_branching(claim: Claim, budget: Any, cases: Any) -> int:
    """No cover has ``budget`` rectangles, or fewer: shown by cases, at the end of each of them by weights.

    The rectangles of a cover may be taken to be maximal. Elements are sets of cells that some rectangle contains: first
    each cell with the code, row by row. Two elements, by their places, divide a case in two (Ryan and Foster 1981).
    Either some rectangle contains both: then their union, which comes last, is an element in place of the two. This
    is looked at first. Or none does: then those are not allowed. So does [number] of a rectangle, in order of the
    columns: it is in the cover, so that all of it is one more element; or it is not allowed. A case ends with
    [at_most, weights of its elements]: a rectangle that is allowed weighs at most so much with all elements inside, all
    elements together more than ``budget`` times that.
    """
    size, pairs = integer(budget, 0, MOST_CELLS), PairCases(claim)
    stack = [(pairs.cells, pairs.every)]
    for case in map(items, items(cases)):
        need(bool(stack), "more cases than there are")
        elements, allowed = stack.pop()
        if len(case) == 2 and isinstance(case[1], list):
            at_most = integer(case[0], 0, (1 << LANE - 1) - 1)
            pairs.weigh(elements, allowed, size * at_most, case[1], at_most)
        else:
            divided = pairs.chosen(elements, *case) if len(case) == 1 else pairs.joined(elements, *items(case, 2))
            together, both = divided
            stack += [(elements, allowed & ~both), (together, allowed)]
    need(not stack, "a case without an end")
    return size + 1


class PairCases:
    """The maximal rectangles of a code, numbered; a set of them has the first bit of the lane of each. An element is
    the set of those that contain it."""

    def __init__(self, claim: Claim) -> None:
        self.matrix = matrix = claim.matrix
        allowed, sets = matrix.allowed(claim.code), {(1 << matrix.width) - 1}
        for mask in set(allowed):
            matrix.spend(4 * len(sets) * (2 + matrix.long[0]), len(sets) * (100 + matrix.width // 7))
            sets |= {one & mask for one in sets}
            need(len(sets) <= MOST_MAXIMAL, "too many maximal rectangles")
        columns, self.count = sorted(sets), len(sets)
        self.step, self.room = 6 + (self.count >> 4), 60 + LANE * self.count // 7
        lines = matrix.height + matrix.width
        matrix.spend(lines * (self.count * (8 + matrix.long[0]) + self.step), lines * self.room)
        self.every = self._set(range(self.count))
        rows = [self._set(place for place, one in enumerate(columns) if not one & ~mask) for mask in allowed]
        self.cells: list[int] = []
        across = [self._set(place for place, one in enumerate(columns) if one >> column & 1)
                  for column in range(matrix.width)]  # fmt: skip
        for row, own in zip(rows, matrix.masks(claim.code), strict=True):
            for column in matrix.places(own):
                matrix.spend(self.step, self.room)
                self.cells.append(row & across[column])

    def _set(self, places: Any) -> int:
        return mask_of((LANE * place for place in places), LANE * self.count)

    def joined(self, elements: list[int], first: Any, second: Any) -> tuple[list[int], int]:
        """The elements if two of them are one, and that one."""
        low, high = integer(first, 0, len(elements)), integer(second, 0, len(elements) - 1)
        need(low < high, "two different elements, in order")
        self.matrix.spend(100 + len(elements) // 4 + 4 * self.step, 200 + 8 * len(elements) + 3 * self.room)
        both = elements[low] & elements[high]
        return [*elements[:low], *elements[low + 1 : high], *elements[high + 1 :], both], both

    def chosen(self, elements: list[int], number: Any) -> tuple[list[int], int]:
        """The elements if this rectangle is in the cover, and it alone."""
        self.matrix.spend(100 + len(elements) // 4 + 4 * self.step, 200 + 8 * len(elements) + 3 * self.room)
        alone = 1 << LANE * integer(number, 0, self.count - 1)
        return [*elements, alone], alone

    def weigh(self, elements: list[int], allowed: int, below: int, weights: Any, at_most: int) -> None:
        """Refuse unless all weigh more than ``below``, and those in a rectangle that is allowed at most so much."""
        self.matrix.spend(100 + 4 * self.step + 20 * len(elements))
        total = sums = 0
        for element, weight in zip(elements, items(weights, len(elements)), strict=True):
            if integer(weight, 0, 1 << LANE):
                self.matrix.spend(2 * self.step)
                sums, total = sums + weight * element, total + weight
        need(below < total < 1 << LANE - 1, "weights that are too small, or too large")
        over = sums + ((1 << LANE - 1) - 1 - at_most) * self.every
        need(not over >> LANE - 1 & allowed, "a rectangle that weighs more")
