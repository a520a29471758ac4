"""Nonnegative, sign and approximate rank: factors, minor, support, forster, plane, vc, signs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import isqrt
from typing import Any

from .claims import Claim, proves
from .data import MOST_PRIME, Table, Value, common_scale, integer, is_prime, items, mask_of, need, rational, scaled
from .matrices import Matrix
from .norms import most_bits_of, sign
from .ranks import indicator


@proves("lines", "upper rank", "upper fooling-set", "upper nonnegative-rank", "upper sign-rank",
        "upper approximate-rank")  # fmt: skip
def check_lines(claim: Claim) -> int:
    """The rank is at most the number of different rows (or columns) of the 0/1 matrix that are not zero. So is a
    fooling set of the answer: two cells in equal such rows never exclude each other. The nonnegative rank is at most
    that of the numbers' different rows that are not zero, sign rank and approximate rank that of the signs' different
    rows: each row is a vector of its own, times one of ones and zeros."""
    if claim.measure in ("rank", "fooling-set"):
        if claim.measure == "rank":
            indicator(claim.matrix, claim.code)
        return min(len(set(claim.matrix.masks(claim.code, party)) - {0}) for party in (0, 1))
    known = claim.measure == "nonnegative-rank"
    table = numbers(claim, claim.parameters["values"]) if known else sign_rows(claim)
    sides: list[list[tuple[int, ...]]] = [[tuple(row) for row in table], list(zip(*table, strict=True))]
    claim.matrix.spend(4 * claim.matrix.height * claim.matrix.width, 18 * claim.matrix.height * claim.matrix.width)
    return min(len({line for line in lines if any(line)}) for lines in sides)


def lines_of_rationals(matrix: Matrix, listed: Any, count: int, size: int) -> tuple[Table, int]:
    """So many lists of so many rationals, in units of a common denominator of at most 1024 bits, and that."""
    matrix.spend(150 * count * (size + 1))
    lines = [[rational(text) for text in items(line, size)] for line in items(listed, count)]
    scale = common_scale((value for line in lines for value in line), 1 << 10)
    whole = [[scaled(value, scale) for value in line] for line in lines]
    need(most_bits_of([*whole, [0]]) <= 1 << 11, "numbers that get too long")
    return whole, scale


def numbers(claim: Claim, values: list[int]) -> Table:
    """The matrix with a number for each answer."""
    matrix = claim.matrix
    matrix.spend(3 * matrix.height * matrix.width, 9 * matrix.height * matrix.width)
    need(all(0 <= code < len(values) for row in matrix.table for code in set(row)), "a number for every cell")
    return [[values[cell] for cell in row] for row in matrix.table]


@proves("factors", "upper nonnegative-rank", "upper sign-rank", "upper approximate-rank")
def check_factors(claim: Claim, rows: Any, columns: Any) -> int:
    """Vectors u_i of the rows and v_j of the columns, in so many dimensions as the matrix B = <u_i, v_j> has rank at
    most. Nonnegative rank: no entry is below 0, and B is the matrix itself. Sign rank: B is above 0 on cells of the
    label, and below 0 on others. Approximate rank: there B is within e of 1, of -1; |B| <= 1 + e off the promise."""
    matrix = claim.matrix
    size = len(items(items(rows, matrix.height)[0]))
    (left, one), (right, other) = (lines_of_rationals(matrix, listed, count, size) for listed, count in
                                   ((rows, matrix.height), (columns, matrix.width)))  # fmt: skip
    long = max((abs(entry).bit_length() for line in left + right for entry in line), default=0)
    matrix.spend(matrix.height * matrix.width * (25 + size * (4 + (long >> 6) + (long >> 7) ** 2)))
    unit, allowed = one * other, check_entry(claim)
    for line, cells in zip(left, matrix.table, strict=True):
        for vector, cell in zip(right, cells, strict=True):
            allowed(sum([a * b for a, b in zip(line, vector, strict=True)]), cell, unit)
    if claim.measure == "nonnegative-rank":
        need(min((entry for line in left + right for entry in line), default=0) >= 0, "an entry below 0")
    return size


def check_entry(claim: Claim) -> Callable[[int, int, int], None]:
    """Whether a number, in some units, may stand in place of an answer."""
    values, error = claim.parameters.get("values", []), claim.error

    def equal(entry: int, cell: int, unit: int) -> None:
        need(0 <= cell < len(values) and entry == values[cell] * unit, "another matrix")

    def signed_right(entry: int, cell: int, unit: int) -> None:
        need(cell < 0 or sign(claim, cell) * entry > 0, "an entry of the wrong sign")

    def near(entry: int, cell: int, unit: int) -> None:
        most = (error.denominator + error.numerator) * unit
        own = sign(claim, cell) * entry * error.denominator
        need(abs(entry) * error.denominator <= most, "an entry that is too large")
        need(cell < 0 or own >= (error.denominator - error.numerator) * unit, "an entry too far away")

    return {"nonnegative-rank": equal, "sign-rank": signed_right, "approximate-rank": near}[claim.measure]


@proves("minor", "lower nonnegative-rank")
def check_minor(claim: Claim, prime: Any, rows: Any, columns: Any) -> int:
    """The rank modulo a prime of a submatrix, which is at most the rational rank, and so the nonnegative rank."""
    claim.matrix.spend(100 + 3 * isqrt(integer(prime, 2, MOST_PRIME)))
    need(is_prime(prime), "expected a prime")
    part = claim.matrix.part(rows, columns)
    left = [[entry % prime for entry in row] for row in numbers(claim.on(part), claim.parameters["values"])]
    found = 0
    while left and left[0]:
        claim.matrix.spend(40 + 9 * len(left) * len(left[0]))
        pivot = next((row for row in left if row[0]), None)
        if pivot is not None:
            left.remove(pivot)
            found, inverse = found + 1, pow(pivot[0], -1, prime)
            scaled_pivot = [entry * inverse % prime for entry in pivot]
            left = [[(a - row[0] * b) % prime for a, b in zip(row, scaled_pivot, strict=True)] for row in left]
        left = [row[1:] for row in left]
    return found


@proves("support", "lower nonnegative-rank")
def check_support(claim: Claim, of: Any) -> Value:
    """Where a sum of nonnegative matrices of rank one is not 0, one of them is not: so the rectangles of these cover
    the cells that are not 0, and there are as many as such a cover needs."""
    table = [[int(entry > 0) for entry in row] for row in numbers(claim, claim.parameters["values"])]
    return claim.other(of, matrix=Matrix(table, claim.matrix.left), measure="cover", parameters={"code": 1})


def sign_rows(claim: Claim) -> Table:
    """The matrix of signs, which must be total."""
    claim.matrix.spend(4 * claim.matrix.height * claim.matrix.width, 9 * claim.matrix.height * claim.matrix.width)
    need(-1 not in map(min, claim.matrix.table), "free cells have no sign")
    return [[sign(claim, cell) for cell in row] for row in claim.matrix.table]


@proves("forster", "lower sign-rank")
def check_forster(claim: Claim, doublings: Any, rows: Any, columns: Any) -> int:
    """The sign rank is at least sqrt(X Y) / ||A|| (Forster 2002), A the signs on X rows and Y columns; of the norm,
    ||A||^2k <= the largest absolute row sum of (A A^T)^k: the least d with d^2k times that at
    least (X Y)^k."""
    power, part = integer(doublings, 0, 5), claim.matrix.part(rows, columns)
    values = sign_rows(claim.on(part))
    size = part.height * part.width
    if part.height > part.width:
        values = [list(column) for column in zip(*values, strict=True)]
    claim.matrix.spend(4 * len(values) ** 2 * (len(values[0]) + power * len(values) << power))
    for _ in range(power + 1):
        values = [[sum([a * b for a, b in zip(row, other, strict=True)]) for other in values] for row in values]
    norm, dimension = max(sum(map(abs, row)) for row in values), 1
    while dimension ** (2 << power) * norm < size ** (1 << power):
        dimension += 1
    return dimension


@proves("plane", "lower sign-rank")
def check_plane(claim: Claim) -> int:
    """Whether one dimension is enough, or two; if not, three are needed. (Off a promise: one, if there is a cell.)

    In one, all rows are equal or opposite to the first. In two, turn the plane so that u_0 = (0, 1): then v_j is, but
    for a positive factor, A_0j (t_j, 1), where all t_j may be taken to be different. So A_ij A_0j, in the order of the
    t_j, changes its sign at most once in each row. Of each row or its opposite take the places of +1 that do not have
    the first column: in this order they are ends, of which one contains the other. So some column is such that these
    sets are a chain.
    """
    if -1 in map(min, claim.matrix.table):
        return int(bool(claim.matrix.codes))
    table, width = sign_rows(claim), claim.matrix.width
    claim.matrix.spend(5 * claim.matrix.height * width)
    sets = {mask_of((j for j, entry in enumerate(row) if entry != table[0][j]), width) for row in table}
    whole = (1 << width) - 1
    if sets <= {0, whole}:
        return 1
    claim.matrix.spend(width * len(sets) * (40 + (width >> 6)))
    for column in range(width):
        chain = sorted({whole ^ own if own >> column & 1 else own for own in sets}, key=int.bit_count)
        if all(one & ~other == 0 for one, other in pairwise(chain)):
            return 2
    return 3


@proves("vc", "lower sign-rank")
def check_vc(claim: Claim, direction: Any, of: Any) -> Value:
    """Signs of <u_i, v_j> show all patterns on k vectors v_j only if these are independent (if a sum of c_j v_j is 0,
    no u has <u, v_j> of the sign of c_j for all j): in k dimensions or more. Likewise with rows and columns exchanged.
    """
    shown = {*claim.matrix.codes, claim.parameters["label"]}  # a label that is neither has one sign on all cells
    need(shown <= {0, 1} and -1 not in map(min, claim.matrix.table), "answers 0 and 1")
    return claim.other(of, measure="vc-dimension", parameters={"direction": direction})


@proves("signs", "lower approximate-rank")
def check_signs(claim: Claim, of: Any) -> Value:
    """What is within less than 1 of a sign has this sign: so the sign rank is no larger."""
    return claim.other(of, measure="sign-rank", parameters={"label": claim.parameters["label"]})
