"""Fooling sets that are no larger, by refutations of clauses: fooling-lrat."""

from __future__ import annotations

from typing import Any

from .claims import Claim, proves
from .data import MOST_CELLS, integer, need
from .fooling import grouped, sharing
from .lrat import Clauses, coded


@proves("fooling-lrat", "upper fooling-set")
def check_fooling_lrat(claim: Claim, size: Any, proof: Any) -> int:
    """No fooling set has ``size`` cells of one answer: shown by clauses that follow from what holds for one.

    Two cells of one row can share a leaf, and two of one column: so a fooling set of ``size`` cells leaves out at most
    so many lines of each side that have a cell of the answer, as there are more of these than ``size``. Variables say
    that it has a cell; and that of the first lines of a side at least so many are left out. Clauses: of two cells that
    can share a leaf it has not both; each line has one of its cells, or one line more is left out; no more are left out
    than may be; and what is left out of the first lines is left out of more. They are refuted as covers are (lrat).
    """
    clauses = FoolingClauses(claim, integer(size, 1, MOST_CELLS))
    clauses.refute(proof)
    return clauses.size - 1


class FoolingClauses(Clauses):
    """The clauses of :func:`check_fooling_lrat`, for cells in order, row by row. Literals: a cell's place + 1; then for
    each side (rows first) and each of its lines, in order, that up to it so many are left out: 1, 2, and so on; below
    zero what is denied. Given by number are, for each side and line, those about its cells, then those about what is
    left out before; clauses of two cells are left unsaid."""

    def __init__(self, claim: Claim, size: int) -> None:
        super().__init__(claim.matrix)
        matrix, code, self.size = claim.matrix, claim.code, size
        need(claim.answer == "both", "lines count if both parties know the answer")
        matrix.spend(10 * matrix.height * matrix.width)
        self.cells = [(row, column) for row, own in enumerate(matrix.masks(code)) for column in matrix.places(own)]
        matrix.spend(50 * len(self.cells), len(self.cells) * (200 + len(self.cells) // 7))
        self.together = list(sharing(matrix, "both", self.cells))
        self.given_clauses: list[frozenset[int]] = []
        self.names = len(self.cells)  # of variables
        for side in (0, 1):
            self._count(list(grouped([cell[side] for cell in self.cells]).values()))
        self.begin(len(self.given_clauses), self.names)

    def _count(self, lines: list[list[int]]) -> None:
        """Clauses by which at most so many of the lines have no cell."""
        spare = len(lines) - self.size
        need(spare >= 0, "fewer lines than cells: these alone are a proof")
        total = (spare + 1) * (len(self.cells) + 8 * len(lines))
        self.matrix.spend(20 * total, 100 * total)
        for place, line in enumerate(lines):
            before, now = self.names + (place - 1) * spare, self.names + place * spare  # names of what is left out
            own = [cell + 1 for cell in line]
            for count in range(spare + 1 if place else 1):
                one_less = [-before - count] if count else []
                self.given_clauses.append(frozenset([*own, *one_less, *([now + count + 1] if count < spare else [])]))
            if place:
                self.given_clauses += [frozenset([-before - count, now + count]) for count in range(1, spare + 1)]
        self.names += len(lines) * spare

    def first(self, number: int) -> list[int]:
        """A clause that is given."""
        return [coded(literal) for literal in self.given_clauses[number]]

    def falsified(self, true: int) -> int:
        """The literals that are false once this one is true, by the clauses of two cells."""
        place = (true >> 1) - 1
        others = self.together[place] & ~(1 << place) if place < len(self.cells) and not true & 1 else 0
        self.matrix.spend(100 + 20 * others.bit_count(), 400 + 100 * others.bit_count())
        return self.mask([true ^ 1, *(2 * other + 2 for other in self.matrix.places(others))])
