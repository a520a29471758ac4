"""The gamma_2 norm of the signs A, which are 1 on cells of a label, -1 on others, and 0 off the promise: gamma2-dual,
gamma2-gram.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import zip_longest
from math import isqrt
from typing import Any

from .claims import Claim, proves
from .data import Table, common_scale, integer, items, need, rational, scaled
from .matrices import Matrix


def positive(matrix: Matrix, triangle: Any) -> list[list[Fraction]]:
    """A symmetric rational matrix, from its rows up to the diagonal, once it is seen to be positive semidefinite: up to
    80 lines by elimination in integers (Bareiss 1968). Pivots stay positive multiples of those of L D L^T, and a zero
    pivot must head a zero row. For more lines, see :func:`nearly_factorised`."""
    size = len(items(triangle))
    need(0 < size <= 520, "at most 520 lines of a Gram matrix")
    matrix.spend(400 * size**2, 400 * size**2)
    lower = [[rational(text) for text in items(row, place + 1)] for place, row in enumerate(triangle)]
    full = [[lower[max(i, j)][min(i, j)] for j in range(size)] for i in range(size)]
    scale = common_scale(entry for row in lower for entry in row)
    if size > 80:
        nearly_factorised(matrix, [[scaled(entry, scale) for entry in row] for row in lower])
        return full
    rows, previous = [[int(entry * scale) for entry in row] for row in full], 1
    need(size * most_bits_of(rows) <= 1 << 14, "numbers that get too long")
    matrix.spend(size**3 * (30 + ((size * most_bits_of(rows)) ** 2 >> 18)))
    while rows:
        pivot, *head = rows[0]
        need(pivot > 0 or (pivot == 0 and not any(head)), "a matrix that is not positive semidefinite")
        rest = [row[1:] for row in rows[1:]]
        if pivot:
            rest = [
                [(pivot * entry - top * left) // previous for entry, top in zip(row, head, strict=True)]
                for row, left in zip(rest, head, strict=True)
            ]
            previous = pivot
        rows = rest
    return full


def nearly_factorised(matrix: Matrix, lower: Table) -> tuple[Table, int]:
    """Refuse unless a symmetric integer matrix, given up to its diagonal, is seen to be positive semidefinite; else its
    factor, and the power of 2 by which it was multiplied before.

    Cholesky's factor L is computed in integers, each entry rounded. What is left, S - L L^T, has entries of at most
    half a diagonal entry of L. Diagonal entries of L are so small that on each diagonal place at least the sum of all
    that is left in its row remains: a symmetric matrix of this kind is positive semidefinite, and so is S. Before, S
    is multiplied by a power of 4, so that little is lost."""
    size, factor, lost = len(lower), Table([] for _ in lower), [0] * len(lower)
    used = max(most_bits_of(lower), 1)
    need(used <= 256, "shorter numbers")
    shift = 2 * max(0, 64 - used // 2)
    matrix.spend(size**3 * (1 + (used >> 7)), 80 * size**2)
    width = (
        used + shift + 2
    )  # bits of a digit: what is left of a row is one long number, as products of these are quick
    half, mask = 1 << width - 1, (1 << width) - 1
    left = [row[-1] << shift for row in lower]  # on the diagonal
    rows = [packed([(entry << shift) + half for entry in row[:-1]], width) for row in lower]
    for place, line in enumerate(factor):
        rest = left[place]
        rest -= lost[place] + (size - place) * (isqrt(max(rest, 0)) // 2 + 1)
        need(rest > 0, "a matrix that is not seen to be positive semidefinite")
        pivot, column, end = isqrt(rest), 0, 0
        line.append(pivot)
        for below in range(place + 1, size):
            row = rows[below]
            rest = (row & mask) - half
            near = (2 * rest + pivot) // (2 * pivot)
            factor[below].append(near)
            lost[below] += abs(rest - near * pivot)
            row >>= width
            if near:  # squares in a row stay below its diagonal: so digits stay below one half (Cauchy and Schwarz)
                left[below] -= near * near
                need(left[below] > 0, "a matrix that is not seen to be positive semidefinite")
                row -= near * column
                column += near << end
            rows[below] = row
            end += width
    return factor, shift


def packed(digits: list[int], width: int) -> int:
    """A number with these digits of so many bits, the lowest first."""
    while len(digits) > 1:
        digits = [low + (high << width) for low, high in zip_longest(digits[::2], digits[1::2], fillvalue=0)]
        width *= 2
    return sum(digits)


def most_bits_of(rows: Table) -> int:
    """The bits of the longest number."""
    return max(entry.bit_length() for row in rows for entry in row)


def sign(claim: Claim, cell: int) -> int:
    """The sign of an answer."""
    return 0 if cell < 0 else 1 if cell == claim.parameters["label"] else -1


@proves("gamma2-dual", "lower gamma_2")
def check_gamma2_dual(claim: Claim, gram: Any, rows: Any, columns: Any) -> Fraction:
    """A matrix W on some rows and columns, and diagonals D, E with [[D, -W], [-W^T, E]] positive semidefinite.

    If B = <x_i, y_j> with |x_i|^2, |y_j|^2 <= g, then 2 sum W B <= sum D_i |x_i|^2 + sum E_j |y_j|^2 <= g (tr D + tr
    E): so gamma_2(B) >= 2 <W, B> / (tr D + tr E). A matrix B with 1 <= A B <= alpha (|B| <= alpha off the promise) has
    <W, B> >= the sum of (A W)^+ - alpha (A W)^-, and off the promise -alpha |W|.
    """
    full, part, value = positive(claim.matrix, gram), claim.matrix.part(rows, columns), Fraction(0)
    above, alpha, size = part.height, rational(claim.parameters["alpha"]), len(full)
    need(part.height + part.width == size, "one line of the block matrix per row and column")
    blocks = [range(above), range(above, size)]
    need(not any(full[i][j] for block in blocks for i in block for j in block if i != j), "D and E are diagonal")
    total = sum((full[i][i] for i in range(size)), Fraction(0))
    need(total > 0, "diagonals that are not zero")
    for cells, line in zip(part.table, full, strict=False):
        for cell, entry in zip(cells, line[above:], strict=True):
            product = -sign(claim, cell) * entry
            value += product if product > 0 else alpha * (product if product else -abs(entry))
    return 2 * value / total


@proves("gamma2-gram", "upper gamma_2")
def check_gamma2_gram(claim: Claim, gram: Any, rows: Any, columns: Any) -> Fraction:
    """A positive semidefinite [[P, B], [B^T, Q]] is the Gram matrix of vectors x_i, y_j with <x_i, y_j> = B_ij.

    With 1 <= A B <= alpha on promised cells and |B| <= alpha off them, gamma_2^alpha(A) is at most the largest entry
    of the diagonal. ``rows`` and ``columns`` say which line of the matrix each row and column has.
    """
    full, matrix, alpha = positive(claim.matrix, gram), claim.matrix, rational(claim.parameters["alpha"])
    mine, yours = ([integer(line, 0, len(full) - 1) for line in items(lines, count)]
                   for lines, count in ((rows, matrix.height), (columns, matrix.width)))  # fmt: skip
    matrix.spend(10 * matrix.height * matrix.width)
    lines = [zip([i] * matrix.width, yours, cells, strict=True) for i, cells in zip(mine, matrix.table, strict=True)]
    for i, j, cell in {entry for line in lines for entry in line}:
        own, entry = sign(claim, cell), full[i][j]
        need(1 <= own * entry <= alpha if own else abs(entry) <= alpha, "an entry outside its bounds")
    return max(full[place][place] for place in range(len(full)))
