"""Is there a cover by so many rectangles? Give each row a set of them, row after row; failing that, there is none.

Of k rectangles of an answer let S(r) be those with row r among their rows. Column c is in none of the rectangles of a
row that shows another answer there, so that it is barred from the union B(c) of these S(r), and need be barred from no
other. So there is a cover iff sets S(r) exist such that S(r) is no part of B(c) for each cell (r, c) with the answer.
The sets that are left to each row are one long integer, a bit for each of 2^k; rectangles that are in the same sets so
far are alike. That is quick where covers are small, as they are for crowns and their like, where no cell tells much.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ccsim.bounds.rectangles.closed import Rectangle, members

__all__ = ["MOST_SETS", "covers_by_line_sets"]

MOST_SETS = 12
"""Rectangles up to which the sets of them are gone through."""


class _Node(NamedTuple):
    """A set for some of the rows.

    Attributes:
        chosen: the set of each row that has one.
        barred: per column, the rectangles that it cannot be in.
        left: per other row, the sets that it may have.
        alike: classes of rectangles that are in the same sets.
    """

    chosen: dict[int, int]
    barred: list[int]
    left: dict[int, int]
    alike: list[int]


def covers_by_line_sets(own: list[int], other: list[int], width: int, budget: int) -> Iterator[list[Rectangle] | None]:
    """None again and again while it searches, then a cover by at most ``budget`` rectangles if there is one.

    Args:
        own, other: per row, the columns where the answer is this one, and those where it is another.
        width: how many columns.
        budget: how many rectangles, from 0 to :data:`MOST_SETS`.

    >>> crown = [0b110, 0b101, 0b011], [0b001, 0b010, 0b100], 3
    >>> [len(found) for found in covers_by_line_sets(*crown, 3) if found], any(covers_by_line_sets(*crown, 2))
    ([3], False)
    """
    search = _Search(own, other, width, budget)
    stack = [search.children(search.root())]
    while stack:
        yield None
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
        elif not node.left:
            yield search.rectangles(node)
            return
        else:
            stack.append(search.children(node))


class _Search:
    def __init__(self, own: list[int], other: list[int], width: int, budget: int) -> None:
        self.own, self.other, self.width, self.budget = own, other, width, budget
        self.parts, self.wholes = cache(self._parts), cache(self._wholes)

    def _parts(self, rectangles: int) -> int:
        """The sets that are part of this one, as a mask over all sets."""
        found = 1
        for place in members(rectangles):
            found |= found << (1 << place)
        return found

    def _wholes(self, rectangles: int) -> int:
        """The sets that this one is part of."""
        found = 1 << rectangles
        for place in members((1 << self.budget) - 1 & ~rectangles):
            found |= found << (1 << place)
        return found

    def root(self) -> _Node:
        """Any set for each row; one that has the answer is in some rectangle."""
        every = (1 << (1 << self.budget)) - 1
        left = {row: every & ~1 if mask else every for row, mask in enumerate(self.own)}
        return _Node({}, [0] * self.width, left, [(1 << self.budget) - 1] if self.budget else [])

    def children(self, node: _Node) -> Iterator[_Node]:
        """The row with the fewest sets left, with each of them but for those that are alike."""
        row = min(node.left, key=lambda other: node.left[other].bit_count())
        for chosen in members(node.left[row]):
            alike = []
            for mask in node.alike:
                inside, outside = mask & chosen, mask & ~chosen
                if inside > outside & -outside > 0:  # another one of them should come first
                    break
                alike += [part for part in (inside, outside) if part]
            else:
                child = self._with(node, row, chosen, alike)
                if child is not None:
                    yield child

    def _with(self, node: _Node, row: int, rectangles: int, alike: list[int]) -> _Node | None:
        """The node with a set for one more row; None if a cell is in no rectangle then, or a row has no set left."""
        chosen, barred = {**node.chosen, row: rectangles}, list(node.barred)
        left = {other: sets for other, sets in node.left.items() if other != row}
        for column in members(self.own[row] | self.other[row]):
            if self.other[row] >> column & 1:
                if not rectangles & ~barred[column]:
                    continue
                barred[column] |= rectangles
            needed = {sets & ~barred[column] for line, sets in chosen.items() if self.own[line] >> column & 1}
            if 0 in needed:
                return None
            taken, hidden = 0, self.parts(barred[column])
            for missing in needed:
                taken |= self.wholes(missing)
            for other in left:
                if self.own[other] >> column & 1:
                    left[other] &= ~hidden
                elif self.other[other] >> column & 1:
                    left[other] &= ~taken
                if not left[other]:
                    return None
        return _Node(chosen, barred, left, alike)

    def rectangles(self, node: _Node) -> list[Rectangle]:
        """The cover that the sets of all rows stand for."""
        found = []
        for place in range(self.budget):
            rows = sum(1 << row for row, mask in node.chosen.items() if mask >> place & 1)
            columns = sum(1 << column for column, mask in enumerate(node.barred) if not mask >> place & 1)
            found.append(Rectangle(rows, columns))
        return found
