"""What every measure of a tiny matrix really is, by brute force and linear programs; nothing from the checker."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

import numpy as np
from scipy.optimize import linprog

from ccsim.bounds.gamma2_norm import _alternate
from ccsim.bounds.scheduler import Clock
from tests.bounds.brute_force import (
    deterministic_by_definition,
    fewest,
    game_value,
    leaves_by_definition,
    partition_value,
    rectangles,
    smooth_value,
    success,
)

NEAR = 1e-6


def holds(table, measure, parameters, side, value):
    """Whether a claim about a table (a tuple of rows) is true; within rounding for what a program in floats gives."""
    truth = _truth(table, measure, _frozen(parameters))
    if isinstance(truth, tuple):  # the truth is between these
        return value <= truth[1] if side == "lower" else value >= truth[0]
    if isinstance(truth, float):
        return value <= truth + NEAR if side == "lower" else value >= truth - NEAR
    return value <= truth if side == "lower" else value >= truth


def _frozen(data):
    if isinstance(data, dict):
        return tuple(sorted((name, _frozen(value)) for name, value in data.items()))
    return tuple(map(_frozen, data)) if isinstance(data, list) else data


@cache
def _truth(table, measure, frozen):
    return TRUTHS[measure](table, **dict(frozen))


def _bits(count):
    return max(0, count - 1).bit_length()


def _codes(table):
    return sorted({cell for row in table for cell in row} - {-1})


def _deterministic(table, answer, rounds, first):
    return deterministic_by_definition(table, answer, rounds, first)


def _rank(table, code, field):
    rows = [[Fraction(int(cell == code)) for cell in row] for row in table]
    prime = None if field == "rational" else int(field[3:-1])
    rank = 0
    for column in range(len(rows[0])):
        pivot = next((row for row in rows[rank:] if row[column]), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        rows.insert(rank, pivot)
        rank += 1
        for place in range(rank, len(rows)):
            factor = rows[place][column] / pivot[column]
            if prime:
                factor = Fraction(int(rows[place][column]) * pow(int(pivot[column]), -1, prime) % prime)
            line = [a - factor * b for a, b in zip(rows[place], pivot, strict=True)]
            rows[place] = [Fraction(int(entry) % prime) for entry in line] if prime else line
    return rank


def _fooling_set(table, code, answer):
    cells = [(r, c) for r, row in enumerate(table) for c, cell in enumerate(row) if cell >= 0 and code in (None, cell)]

    def together(p, q):
        """Whether one leaf may contain both: then it contains the two other corners as well."""
        corners = [(p, q), (q, p), (p, p), (q, q)]
        shown = [(x[0], y[1], table[x[0]][y[1]]) for x, y in corners]
        groups = {}
        for row, column, cell in shown:
            key = {"both": 0, "alice": row, "bob": column}[answer]
            groups.setdefault(key, set()).add(cell)
        return all(len(group - {-1}) <= 1 for group in groups.values())

    def grow(size, rest):
        best = size
        for place, cell in enumerate(rest):
            best = max(best, grow(size + 1, [other for other in rest[place + 1 :] if not together(cell, other)]))
        return best

    return grow(0, cells)


def _fewest(once):
    def value(table, code):
        return sum(fewest(table, own, once) for own in (_codes(table) if code is None else [code]))

    return value


def _messages(table, direction):
    """The fewest classes of lines that agree, place by place, where promised: by trying all."""
    lines = table if direction == "alice-to-bob" else list(zip(*table, strict=True))

    def fits(group):
        return all(len(set(column) - {-1}) <= 1 for column in zip(*group, strict=True))

    def place(left, groups):
        if not left:
            return len(groups)
        best = len(lines)
        for number, group in enumerate(groups):
            if fits([*group, left[0]]):
                best = min(best, place(left[1:], [*groups[:number], [*group, left[0]], *groups[number + 1 :]]))
        return min(best, place(left[1:], [*groups, [left[0]]])) if len(groups) < best else best

    return place(lines, [])


def _one_way_randomised(table, direction, error):
    """The fewest bits of a mixture of one-way protocols."""
    allowed = float(Fraction(error))
    return next(bits for bits in range(4) if one_way_success(table, direction, bits) >= 1 - allowed - 1e-9)


def one_way_success(table, direction, bits):
    """The value of a game between one-way protocols and cells."""
    lines, rows = np.array(table if direction == "alice-to-bob" else list(zip(*table, strict=True))), set()
    promised = (lines >= 0).ravel()
    if not promised.any():
        return 1.0
    for classes in product(range(1 << min(bits, 3)), repeat=len(lines)):
        if list(dict.fromkeys(classes)) != list(range(len(set(classes)))):
            continue  # messages in order of first use
        # the receiver's answers at different places do not touch each other
        options = []
        for place in range(lines.shape[1]):
            seen = {
                tuple(answers[message] == lines[i][place] for i, message in enumerate(classes))
                for answers in product(_codes(table), repeat=len(set(classes)))
            }
            options.append(seen)
        rows |= {tuple(np.array(choice).T.ravel().tolist()) for choice in product(*options)}
    return game_value(np.unique(np.array(sorted(rows))[:, promised], axis=0).astype(float))


def _vc(table, direction):
    lines = table if direction == "alice-to-bob" else list(zip(*table, strict=True))
    best = 0
    for size in range(1, len(lines[0]) + 1):
        for places in combinations(range(len(lines[0])), size):
            shown = {tuple(line[place] for place in places) for line in lines}
            best = size if shown >= set(product((0, 1), repeat=size)) else best
    return best


def _signs(table):
    codes = np.array(table)
    return np.where(codes < 0, 0, np.where(codes == 1, 1, -1))


def _discrepancy(table, weights):
    values = _signs(table) * np.array(weights)
    return Fraction(max(abs(int((values * shape).sum())) for shape in rectangles(values.shape)), int(np.sum(weights)))


def _least_discrepancy(table):
    signs = _signs(table)
    biases = np.array([(signs * shape)[signs != 0] for shape in rectangles(signs.shape)], dtype=float)
    return -game_value(-np.hstack([biases.T, -biases.T]))


def _rectangle_bound(table, code, error, smooth):
    codes, e = np.array(table), float(Fraction(error))
    if smooth:
        return float(smooth_value(codes, e, code))
    shapes = np.array([shape.ravel() for shape in rectangles(codes.shape)], dtype=float).T
    inside, outside = codes.ravel() == code, (codes.ravel() >= 0) & (codes.ravel() != code)
    limits = [e - 1.0] * inside.sum() + [e] * outside.sum()
    found = linprog(np.ones(shapes.shape[1]), A_ub=np.vstack([-shapes[inside], shapes[outside]]), b_ub=limits)
    return float(found.fun)


def _gamma2(table, label, alpha):
    codes, most = np.array(table), float(Fraction(alpha))
    signs = np.where(codes < 0, 0, np.where(codes == label, 1, -1))
    low = np.where(signs == 0, -most, np.minimum(signs, signs * most))
    high = np.where(signs == 0, most, np.maximum(signs, signs * most))
    return float(np.diag(_alternate(low, high, Clock())[0]).max())


def _quantum(table, error):
    """What the norm proves."""
    e = Fraction(error)
    if e >= Fraction(1, 2):
        return 0
    most = max([_gamma2(table, label, 1 / (1 - 2 * e)) for label in _codes(table)], default=1.0)
    least = _deterministic(table, "both", None, None)
    return (min(1, least), max(0, math.ceil(math.log2(max(1.0, float(1 - 2 * e) * most)) - 1e-9)))


def _nonnegative(table, values):
    """Up to three lines on a side, the rank; and always if that is at most two (Cohen and Rothblum 1993)."""
    rows = [[Fraction(values[cell]) for cell in row] for row in table]
    rank = int(np.linalg.matrix_rank(np.array(rows, dtype=float)))
    least = min(len(rows), len(rows[0]))
    return rank if rank <= 2 or least <= 3 else (rank, least)


def _sign_rank(table, label):
    """One if all rows are equal or opposite; two if some order and turning of the columns leaves one change in each."""
    codes = np.array(table)
    if (codes < 0).any():
        signs = np.where(codes < 0, 0, np.where(codes == label, 1, -1))
        if not signs.any():
            return 0
        turned = (signs * columns for columns in product((1, -1), repeat=codes.shape[1]))
        line = any((rows.min(axis=1) * rows.max(axis=1) >= 0).all() for rows in turned)
        return 1 if line else (2, min(codes.shape))
    signs = np.where(codes == label, 1, -1)
    if len({tuple(row * row[0]) for row in signs.tolist() for row in [np.array(row)]}) == 1:
        return 1
    if min(codes.shape) <= 2 or any(
        (np.count_nonzero(np.diff((signs * turned)[:, order], axis=1), axis=1) <= 1).all()
        for turned in product((1, -1), repeat=codes.shape[1])
        for order in permutations(range(codes.shape[1]))
    ):
        return 2
    return (3, min(codes.shape))


def _approximate_rank(table, label, error):
    """Of three rows and columns, less than three if and only if the determinant, which is linear in each entry, has
    both signs at corners of the box."""
    codes, e = np.array(table), float(Fraction(error))
    signs = np.where(codes < 0, 0, np.where(codes == label, 1, -1))
    if not signs.any():
        return 0
    low = _low(_sign_rank(table, label))
    if low < 3 and signs.shape == (3, 3) and (signs != 0).all():
        values = [np.linalg.det(signs + e * np.array(shift).reshape(3, 3)) for shift in product((1, -1), repeat=9)]
        if min(values) > 1e-9 or max(values) < -1e-9:
            return 3
        return (low, 2)
    return (low, min(signs.shape))


def _low(truth):
    return truth[0] if isinstance(truth, tuple) else truth


def _randomised(table, error, **_):
    allowed = float(Fraction(error))
    return next(bits for bits in range(9) if _success(table, bits) >= 1 - allowed - 1e-9)


def _success(table, bits):
    return float(success(np.array(table), bits)) if _codes(table) else 1.0


TRUTHS = {
    "deterministic": _deterministic,
    "leaves": leaves_by_definition,
    "rank": _rank,
    "fooling-set": _fooling_set,
    "cover": _fewest(False),
    "partition": _fewest(True),
    "nondeterministic": lambda table, code: _bits(_fewest(False)(table, code)),
    "one-way-messages": _messages,
    "one-way": lambda table, direction: _bits(_messages(table, direction)),
    "one-way-randomised": _one_way_randomised,
    "one-way success": one_way_success,
    "vc-dimension": _vc,
    "discrepancy": _discrepancy,
    "least-discrepancy": _least_discrepancy,
    "rectangle-bound": _rectangle_bound,
    "smooth-rectangle": lambda table, error, label, **_: _rectangle_bound(table, label, error, True),
    "partition-bound": lambda table, error, **_: float(partition_value(np.array(table), float(Fraction(error)))),
    "gamma_2": _gamma2,
    "public-coin success": lambda table, bits, **_: _success(table, bits),
    "randomised": _randomised,
    "quantum": _quantum,
    "nonnegative-rank": _nonnegative,
    "sign-rank": _sign_rank,
    "approximate-rank": _approximate_rank,
}
