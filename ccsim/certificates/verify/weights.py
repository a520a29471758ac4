"""Weights on cells and on rectangles: biased-rectangle, all-sets, spectral, diagonals, distribution,
weighted-rectangles, cell-weights.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from operator import add
from typing import Any

from .claims import Claim, proves
from .matrices import CODES, Matrix, Table, Value, common_scale, indices, integer, items, need, rational, scaled
from .ranks import nearly_factorised
from .trees import weighted


def extremes(matrix: Matrix, values: Table) -> tuple[int, int]:
    """The largest sum over a rectangle, and that of the opposite values: for each set of lines of the smaller side (in
    Gray code, so that one line comes or goes at a time), the lines across whose sum is positive (negative) are best.
    At least 0: no lines."""
    matrix.spend(2 * matrix.size)
    lines = [list(row) for row in values if any(row)]
    across = [list(column) for column in zip(*lines, strict=True) if any(column)]
    lines = across if len(across) < len(lines) else [list(row) for row in zip(*across, strict=True)]
    if not lines:
        return 0, 0
    need(len(lines) <= 24, "too many lines to try all sets of")
    bits = max(abs(value) for line in lines for value in line).bit_length()
    matrix.spend((len(lines[0]) * (2 + 2 * (bits > 30) + (bits >> 7)) + 15) << len(lines))
    sums, chosen, total, most, least = [0] * len(lines[0]), 0, 0, 0, 0
    totals, opposite = list(map(sum, lines)), [[-value for value in line] for line in lines]
    for step in range(1, 1 << len(lines)):
        place = (step & -step).bit_length() - 1
        chosen ^= 1 << place
        come = chosen >> place & 1
        sums = list(map(add, sums, lines[place] if come else opposite[place]))
        total += totals[place] if come else -totals[place]
        both = sum(map(abs, sums))  # positive sums less negative ones; the total is positive ones and negative ones
        most, least = max(most, both + total), max(least, both - total)
    return most // 2, least // 2


def signed(claim: Claim) -> tuple[Table, int]:
    """The weights of a distribution with the sign of the answer (1: +, 0: -), and their sum."""
    need(set(claim.matrix.codes) <= {0, 1}, "answers 0 and 1")
    matrix = claim.matrix
    matrix.spend(10 * matrix.size + 30 * matrix.height)
    rows = items(claim.parameters["weights"], matrix.height)
    table = [indices(row, (1 << 80) + 1, matrix.width) for row in rows]
    pairs = [list(zip(row, line, strict=True)) for row, line in zip(claim.matrix.table, table, strict=True)]
    need(any(map(any, table)), "some weight")
    need(not any(weight for row in pairs for cell, weight in row if cell < 0), "a weight off the promise")
    return [[weight if cell == 1 else -weight for cell, weight in row] for row in pairs], sum(map(sum, table))


@proves("biased-rectangle", "lower discrepancy")
def check_biased_rectangle(claim: Claim, rectangle: Any) -> Fraction:
    """One rectangle: the discrepancy, the largest |weight of 1s less weight of 0s|, is at least its own."""
    values, total = signed(claim)
    rows, columns = map(claim.matrix.places, claim.matrix.rectangle(*items(rectangle, 2)))
    claim.matrix.spend(4 * len(rows) * len(columns))
    return Fraction(abs(sum(sum([values[row][column] for column in columns]) for row in rows)), total)


@proves("all-sets", "upper discrepancy")
def check_all_sets(claim: Claim) -> Fraction:
    """The checker tries all rectangles: the discrepancy itself."""
    values, total = signed(claim)
    return Fraction(max(extremes(claim.matrix, values)), total)


@proves("diagonals", "upper discrepancy")
def check_diagonals(claim: Claim, most: Any, least: Any) -> Fraction:
    """Weights of lines that bound the sum over every rectangle, see :func:`no_rectangle_above`, and the same for the
    opposite values. These sums are integers."""
    values, total = signed(claim)
    opposite = [[-value for value in row] for row in values]
    sides = zip((values, opposite), (most, least), strict=True)
    return Fraction(max(floor(no_rectangle_above(claim.matrix, table, given)) for table, given in sides), total)


def no_rectangle_above(matrix: Matrix, values: Table, diagonal: Any) -> Fraction:
    """At most so much is the sum of a table V over any rectangle, by a weight d for the whole and one for each line.

    Let s and t be 1 on the lines of the rectangle, else -1. With the sums a of rows of V, b of columns, and c of all,
    four times the sum is c + a s + b t + s V t. If [[2d, -a, -b], [-a, 2D, -V], [-b, -V^T, 2E]] is positive
    semidefinite, then its form at (1, s, t) says that this is at most c + d + sum of D + sum of E."""
    size = 1 + matrix.height + matrix.width
    need(size <= 520, "at most 519 lines")
    weights = [rational(text) for text in items(diagonal, size)]
    scale = common_scale(weights, 256)
    matrix.spend(10 * size**2, 120 * size**2)
    nearly_factorised(matrix, bordered(values, weights, scale))
    return (sum(map(sum, values)) + sum(weights, Fraction(0))) / 4


def bordered(values: Table, weights: list[Fraction], scale: int) -> Table:
    """The matrix of :func:`no_rectangle_above` up to its diagonal, in units of which so many are 1: rows, columns and,
    last, the whole, as it would fill what is 0."""
    whole, *lines = weights
    lower = [[0] * place for place in range(len(lines))]
    lower.append([-scale * total for total in [*map(sum, values), *map(sum, zip(*values, strict=True))]])
    for row, line in enumerate(values):
        for column, value in enumerate(line, len(values)):
            lower[column][row] = -scale * value
    for above, weight in zip(lower, [*lines, whole], strict=True):
        above.append(2 * scaled(weight, scale))
    return lower


@proves("distribution", "upper least-discrepancy")
def check_distribution(claim: Claim, weights: Any, of: Any) -> Value:
    """The least discrepancy of all distributions is at most that under the one given."""
    return claim.other(of, measure="discrepancy", parameters={"weights": weights})


@proves("weighted-rectangles", "upper rectangle-bound", "upper partition-bound", "lower least-discrepancy")
def check_weighted_rectangles(claim: Claim, rectangles: Any) -> Fraction:
    """Weights of rectangles with answers. Either bound is the least sum of weights such that, for the partition bound,
    each cell is in weight 1, and promised ones in weight at least 1 - e with their answer; for the rectangle bound of
    an answer, its cells are in weight at least 1 - e (at most 1 if smooth), others that are promised in at most e.

    For the least discrepancy: under a distribution mu, the sum of weight w times the bias of each rectangle towards
    its answer is the mean over mu of (weight with the answer of the cell, less weight without). If that is always at
    least b, then some rectangle has at least the bias b / (sum of w).
    """
    matrix, partition = claim.matrix, claim.measure == "partition-bound"
    entries = [items(entry, 4) for entry in items(rectangles)]
    weights = [rational(weight) for *_, weight in entries]
    scale = common_scale(weights)
    shares = [scaled(weight, scale) for weight in weights]
    listed = [(*matrix.rectangle(rows, columns), integer(code, 0, CODES), share)
              for (rows, columns, code, _), share in zip(entries, shares, strict=True)]  # fmt: skip
    every, right = weighted(matrix, listed, sum(map(abs, shares)))
    total = Fraction(sum(shares), scale)
    triples = (cell for lines in zip(matrix.table, every, right, strict=True) for cell in zip(*lines, strict=True))
    if claim.measure == "least-discrepancy":
        need(total > 0 and {*matrix.codes, *(code for _, _, code, _ in listed)} <= {0, 1}, "some weight, answers 0, 1")
        need(bool(matrix.codes), "a distribution on promised cells")
        worst = min(2 * own - all_ for cell, all_, own in triples if cell >= 0)
        return max(Fraction(0), Fraction(worst, sum(shares)))
    need(partition or all(code == claim.code for _, _, code, _ in listed), "a rectangle of another answer")
    least, most = (1 - claim.error) * scale, claim.error * scale
    matrix.spend((30 + (scale.bit_length() >> 6)) * matrix.size)
    for cell, weight, own in triples:
        if partition:
            need(weight == scale and (cell < 0 or own >= least), "a cell with other weight than 1, or too much error")
        elif cell == claim.code:
            need(least <= weight and (weight <= scale or not claim.parameters["smooth"]), "too little or much weight")
        else:
            need(cell < 0 or weight <= most, "too much weight on another answer")
    return total


@proves("cell-weights", "lower rectangle-bound", "lower partition-bound")
def check_cell_weights(claim: Claim, cells: Any) -> Fraction:
    """Weights mu >= 0 of promised cells and phi of any: the partition bound, and the rectangle bound of an answer z
    (Yao 1983; Jain and Klauck 2010).

    For a protocol of error e let w(z, R) be the probability that rectangle R is a leaf with answer z. Each cell is in
    leaves of total weight 1, a promised one in leaves with its answer of weight at least 1 - e. If for every R and z
    the mu of R's z-cells and the phi of R add up to at most M, then M sum of w >= sum over R, z of w(z, R) (mu(R, z) +
    phi(R)) >= gain = (1 - e) sum of mu + sum of phi, and the sum of w is the mean number of leaves, at most 2^c.

    The rectangle bound counts leaves of one answer z only. A z-cell is in weight W from 1 - e to 1 ("at most 1" is
    for the smooth bound only), so there (mu + phi) W >= (1 - e) mu + phi if phi <= 0, and = 0 if not smooth. Another
    promised cell is in weight W <= e, so there phi W >= e phi >= (1 - e) mu + phi if mu <= -phi. Free cells have 0.
    """
    matrix, listed = claim.matrix, claim.matrix.cells(cells, 2)
    given = {(row, column): (rational(mu), rational(phi)) for row, column, mu, phi in listed}
    scale, most = common_scale(value for pair in given.values() for value in pair), 0
    weights = {cell: (scaled(mu, scale), scaled(phi, scale)) for cell, (mu, phi) in given.items()}
    for (row, column), (mu, phi) in weights.items():
        cell = matrix.table[row][column]
        need(mu == 0 or (mu > 0 and cell >= 0), "mu >= 0 is for promised cells")
        if claim.measure == "rectangle-bound":
            negative = claim.parameters["smooth"] if cell == claim.code else cell >= 0
            need(phi == 0 or (phi < 0 and negative), "phi is 0, or below 0 where it may be")
            need(cell == claim.code or mu <= -phi, "mu is at most -phi on other answers")
    for answer in [claim.code] if claim.measure == "rectangle-bound" else [-1, *matrix.codes]:
        matrix.spend(matrix.height * (10 + matrix.width // 2) + 20 * len(weights))
        values = [[0] * matrix.width for _ in range(matrix.height)]
        for (row, column), (mu, phi) in weights.items():
            values[row][column] = mu + phi if matrix.table[row][column] == answer else phi
        most = max(most, extremes(matrix, values)[0])
    gain = (1 - claim.error) * sum(mu for mu, _ in weights.values()) + sum(phi for _, phi in weights.values())
    return max(Fraction(0), gain / most) if most else Fraction(0)
