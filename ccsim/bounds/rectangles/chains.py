"""Lines whose sets of rectangles are in too many chains, so that covers need more: see the checker's chapter of chains.

That is strong where the cells of other answers are few in every line, as in cycles and other sparse patterns.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial

import numpy as np

from ccsim.bounds.bracket import Witness
from ccsim.bounds.rank.over_fields import pack_rows
from ccsim.certificates.verify.chains import MOST_RECTANGLES, UNITS, fewest_chains
from ccsim.matrices import DONT_CARE, CommunicationMatrix

__all__ = ["crossings_of_few", "most_by_chains"]

MOST_LINES = 512
FEW = 8  # cells of other answers; where lines have more, chains tell less than fooling sets do


def most_by_chains(matrix: CommunicationMatrix, code: int, lower: int) -> Witness | None:
    """Proof by chains that covers need more than ``lower`` rectangles, and as many more as that shows; or None.

    Args:
        matrix: without equal lines.
        code: of the cells that are covered.
        lower: what is known already.

    >>> crown = CommunicationMatrix.from_array([[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]])
    >>> most_by_chains(crown, 1, 2)
    {'kind': 'chains', 'budget': 3, 'rows': 'f', 'columns': 'f'}
    """
    best: Witness | None = None
    for listed in crossings_of_few(matrix, code):
        crossed = set().union(*listed.values())
        budget = lower
        while min(len(listed), len(crossed)) > 1 and budget <= MOST_RECTANGLES and _too_many(budget, listed):
            budget += 1
        if budget > lower:
            lower = budget
            masks = [f"{sum(1 << line for line in lines):x}" for lines in (crossed, listed)]
            best = {"kind": "chains", "budget": lower - 1, "rows": masks[0], "columns": masks[1]}
    return best


def crossings_of_few(matrix: CommunicationMatrix, code: int) -> Iterator[dict[int, list[int]]]:
    """Lines that do not nest, with few cells of other answers, then with more: of each column the rows that it crosses.

    Args:
        matrix: without equal lines; one with very many has none here.
        code: of the cells that are covered.
    """
    if max(matrix.shape) > MOST_LINES:
        return
    rows, columns = (_apart(lines, code) for lines in (matrix.codes, matrix.codes.T))
    before: dict[int, list[int]] = {}
    for most in range(1, FEW + 1):
        chosen = ([line for line, few in lines if few <= most] for lines in (rows, columns))
        listed = _crossing(matrix, code, *chosen)
        if listed != before:
            yield listed
        before = listed


def _too_many(budget: int, crossing: dict[int, list[int]]) -> bool:
    """Whether so few rectangles have too few chains."""
    return fewest_chains(budget, crossing.values()) > UNITS * factorial(budget)


def _apart(codes: np.ndarray, code: int) -> list[tuple[int, int]]:
    """Lines of which none nests in another, those first that have the fewest cells of other answers, with these."""
    own, other = pack_rows(codes == code), pack_rows((codes != code) & (codes != DONT_CARE))
    chosen: list[int] = []
    for line in sorted(range(len(own)), key=lambda line: other[line].bit_count()):
        if 0 < other[line].bit_count() <= FEW and all(own[a] & other[line] and own[line] & other[a] for a in chosen):
            chosen.append(line)
    return [(line, other[line].bit_count()) for line in chosen]


def _crossing(matrix: CommunicationMatrix, code: int, rows: list[int], columns: list[int]) -> dict[int, list[int]]:
    """Of each of the columns that are free at none of the rows, the rows with another answer there, if there are."""
    found = {}
    for column in columns:
        cells = matrix.codes[rows, column]
        if cells.size and (cells != DONT_CARE).all() and (cells != code).any():
            found[column] = [row for row, cell in zip(rows, cells.tolist(), strict=True) if cell != code]
    return found
