"""Covers by sets of lines, one for each: line-sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .claims import Claim, proves
from .data import integer, need


@proves("line-sets", "lower cover", "lower partition")
def check_line_sets(claim: Claim, budget: Any) -> int:
    """No cover has ``budget`` rectangles, or fewer: shown by a search of the checker's own, so that one more is needed.

    Of k rectangles let S(r) be those with row r among their rows, and B(c) the union of S(r) over the rows with another
    code at (r, c), none of which contains column c. A cell (r, c) with the code is in a rectangle of S(r), so that S(r)
    is no part of B(c); free cells ask for nothing. Rows get such sets one after the other, the row that may have the
    fewest first; rectangles that are in the same sets so far are alike, so that of a class the first ones are chosen.
    """
    search, matrix = LineSets(claim, integer(budget, 0, 14)), claim.matrix
    stack = [search.children(*search.start())]
    while stack:
        deeper = next(stack[-1], None)
        if deeper is None:
            stack.pop()
        else:
            stack.append(search.children(*deeper))
        matrix.spend(10, search.room if deeper is not None else -search.room)
    return search.size + 1


class LineSets:
    """The search of :func:`check_line_sets`. Sets over k rectangles are numbers below 2^k, and what a row may have, a
    mask over these. A node has the sets of some rows, B of each column, and what each other row may have."""

    def __init__(self, claim: Claim, size: int) -> None:
        self.matrix, self.size = claim.matrix, size
        own, allowed, every = (
            self.matrix.masks(claim.code),
            self.matrix.allowed(claim.code),
            (1 << claim.matrix.width) - 1,
        )
        self.shown = [(mine, every & ~fitting) for mine, fitting in zip(own, allowed, strict=True)]
        self.families: tuple[dict[int, int], dict[int, int]] = ({}, {})  # parts of a set, and sets that it is part of
        self.step = 8 + (1 << size >> 8)
        self.room = 200 * (self.matrix.height + self.matrix.width) + (self.matrix.height << size) // 7 + (44 << size)

    def start(self) -> tuple[Any, list[int]]:
        """The node without any sets, and all rectangles, which are alike."""
        self.matrix.spend(self.matrix.height * self.step, 2 * self.room)
        left = {row: (1 << (1 << self.size)) - 1 - (mine > 0) for row, (mine, _) in enumerate(self.shown)}
        return ({}, [0] * self.matrix.width, left), [(1 << self.size) - 1]

    def family(self, known: dict[int, int], first: int, more: int) -> int:
        """All sets that are a first one and some of the rectangles ``more``."""
        key = first | more << self.size
        if key not in known:
            self.matrix.spend(2 * self.size * self.step + (1 << self.size >> 2), 200 + (1 << self.size) // 7)
            known[key] = 1 << first
            for place in self.matrix.places(more):
                known[key] |= known[key] << (1 << place)
        return known[key]

    def longer(self, node: Any, row: int, chosen: int) -> Any:
        """The node once this row has this set; None if some row has no set left."""
        sets, barred, left = {**node[0], row: chosen}, list(node[1]), {r: may for r, may in node[2].items() if r != row}
        (mine, foreign), shown, step = self.shown[row], self.shown, self.step
        self.matrix.spend(self.matrix.width + len(shown) * (1 << self.size >> 3))  # so many bytes at least
        for column in self.matrix.places(mine | foreign):
            if foreign >> column & 1:
                barred[column] |= chosen
            self.matrix.spend(len(shown) * (10 + step + 3 * self.matrix.long[0]))
            missing = {s & ~barred[column] for r, s in sets.items() if shown[r][0] >> column & 1}
            if 0 in missing:
                return None
            parts, wholes = self.family(self.families[0], 0, barred[column]), 0
            for some in missing:
                wholes |= self.family(self.families[1], some, (1 << self.size) - 1 & ~some)
            for r in left:
                left[r] &= ~((parts if shown[r][0] >> column & 1 else 0) | (wholes if shown[r][1] >> column & 1 else 0))
        return (sets, barred, left) if all(left.values()) else None

    def children(self, node: Any, alike: list[int]) -> Iterator[Any]:
        """The nodes one row further, each with what is alike there."""
        need(bool(node[2]), "a cover by so few rectangles")
        row = min(node[2], key=lambda r: node[2][r].bit_count())
        self.matrix.spend(len(node[2]) * self.step + node[2][row].bit_count() * (20 + 10 * len(alike)))
        for chosen in self.matrix.places(node[2][row]):
            halves = [(some & chosen, some & ~chosen) for some in alike]
            if all(inside <= outside & -outside or not outside for inside, outside in halves):
                child = self.longer(node, row, chosen)
                if child is not None:
                    yield child, [some for pair in halves for some in pair if some]
