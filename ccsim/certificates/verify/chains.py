"""Covers, by chains of sets of rectangles: chains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import factorial
from typing import Any

from .claims import Claim, proves
from .data import Table, integer, need

MOST_RECTANGLES = 64
UNITS = 720720  # parts of a chain that are counted: a share among up to 16 lines is a whole number of them


@proves("chains", "lower cover", "lower partition")
def check_chains(claim: Claim, budget: Any, rows: Any, columns: Any) -> int:
    """No cover has ``budget`` rectangles, or fewer: the sets of them that belong to some lines would be in too many
    chains.

    Of k rectangles let S(r) be those that have row r, and B(c) those that do not have column c. At a cell (r, c) with
    another code S(r) is part of B(c); at one with the code it is not, as some rectangle covers it. So S(r) is no part
    of S(r') if some column has the code at r and another at r', and B(c) is no part of B(c') if some row has the code
    at c' and another at c. The checker sees that this holds for any two of the rows, and of the columns, that are
    listed; that no cell at which these cross is free; and that each of them has another code at such a cell.

    A chain adds one rectangle after the other, from none to all: there are k! of them. As no S is part of another, a
    chain has at most one S, and at most one B. If it has S(r) and B(c), then S(r) is part of B(c), and there is another
    code at (r, c): else B(c) is part of S(r), and so is S(r') for a row r' with another code at c. So the chains with
    an S, and those with a B, less those with S(r) and B(c) for each such (r, c), are at most k!; see
    :func:`fewest_chains`.
    """
    size, matrix = integer(budget, 0, MOST_RECTANGLES), claim.matrix
    _, crossing = crossing_lines(claim, rows, columns)
    matrix.spend(50 + (50 + 30 * size**2) * sum(map(len, crossing)), 100 * sum(map(len, crossing)))
    need(fewest_chains(size, crossing) > UNITS * factorial(size), "there are chains enough")
    return size + 1


def crossing_lines(claim: Claim, rows: Any, columns: Any) -> tuple[Table, Table]:
    """The rows and columns that are listed, and for each of the columns the rows that have another code there.

    No row nests in another, no column does, no cell is free where they cross in another code, and each line does."""
    matrix, code = claim.matrix, claim.code
    lists = [matrix.places(mask) for mask in matrix.rectangle(rows, columns)]
    for party, lines in enumerate(lists):
        own, allowed = matrix.masks(code, party), matrix.allowed(code, party)
        every = (1 << (matrix.height if party else matrix.width)) - 1
        matrix.spend(len(lines) ** 2 * (5 + matrix.long[party]), len(own) * (44 + every.bit_length() // 7))
        other = [every & ~mask for mask in allowed]
        need(len(lines) > 1 and all(own[a] & other[b] for a in lines for b in lines if a != b), "lines that may nest")
    matrix.spend(10 * len(lists[0]) * len(lists[1]))
    crossing = [[row for row in lists[0] if matrix.table[row][column] != code] for column in lists[1]]
    need(all(matrix.table[r][c] >= 0 for c, found in zip(lists[1], crossing, strict=True) for r in found), "free cells")
    need(set().union(*crossing) == set(lists[0]) and all(crossing), "a line without another code")
    return lists, crossing


def fewest_chains(size: int, crossing: Iterable[Iterable[int]]) -> int:
    """At least so many chains have a set of a row or column, in units of a part of a chain.

    Per column, the rows r with S(r) inside its B(c). A set of s is in p(s) = s! (k - s)! chains, and sets of s and b,
    the first inside the other, are together in s! (b - s)! (k - b)!. What the set of a row is in is shared equally
    among its columns. Then a column counts p(b), and for each of its rows that share, less what both are in. Those of
    its rows are in different chains, so that together they take away no more than p(b). Each column is counted with
    the sizes for which this is least. No set is empty or of all k, since of two of a kind none is part of the other;
    and S(r) = B(c) only if these cross no others.
    """
    columns = [list(rows) for rows in crossing]
    degrees = Counter(row for rows in columns for row in rows)
    alike = Counter(tuple(sorted(degrees[row] for row in rows)) for rows in columns)
    none = UNITS * factorial(size) + 1  # where there are no such sets
    return sum(
        count * min([of_column(size, b, shown) for b in range(1 + (shown != (1,)), size)], default=none)
        for shown, count in alike.items()
    )


def of_column(size: int, b: int, degrees: tuple[int, ...]) -> int:
    """What a column counts whose set has b rectangles and contains those of rows with so many columns each."""
    least = rest = 0
    for degree, count in Counter(degrees).items():
        parts = []
        for s in range(1, b + (degrees == (1,))):
            share = UNITS * factorial(s) * factorial(size - s) // degree
            parts.append((share, share - UNITS * factorial(s) * factorial(b - s) * factorial(size - b)))
        least += count * min(share for share, _ in parts)
        rest += count * min(left for _, left in parts)
    return max(least, rest + UNITS * factorial(b) * factorial(size - b))
