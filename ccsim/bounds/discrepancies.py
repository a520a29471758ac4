"""Discrepancy of a Boolean function, under one distribution and the least over all, and the randomised bounds from it.

disc_mu(f) = max over rectangles R of |mu(R with f = 1) - mu(R with f = 0)|. With public coins and error e at least
log2((1 - 2e) / disc_mu(f)) bits are needed, for every mu (Kushilevitz and Nisan 1997, section 3.5).

Small tables: all rectangles, and linear programs over them. Large tables: the sum over a rectangle is a quadratic form
in signs of rows and columns; with unit vectors in place of signs it is a semidefinite program (as for cuts of graphs:
Goemans and Williamson 1995), solved by turning one vector after the other (the mixing method: Wang, Chang and Kolter
2017). The lengths of the sums, made a little larger, are weights of rows and columns that bound every rectangle.
The best distribution is found by adding constraints, asked for between the best weights of the program and the best
found so far, as the former jump about (Ben-Ameur and Neto 2007).
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket, Side, Value, Witness, as_text, coins_bound, require_error, timed
from ccsim.bounds.rectangle_bounds import Weighing, grown, is_small
from ccsim.bounds.rectangles import Rectangle
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.solvers import common_integers, linear_program, normalised
from ccsim.bounds.symmetries import look_alikes
from ccsim.certificates.verify import Refused, check
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.function import Subject, matrix_of

MOST_LINES = 256
TURNS, DIMENSIONS = 2000, 24
NEAR = 1e-7  # of the whole, by which turning has to change it
MARGIN = 1e-9
BESIDE = 0.03


def line_weights(values: Array, clock: Clock) -> list[str]:
    """Weights for the whole, each row and each column, with which no rectangle of a table has a larger sum.

    >>> from ccsim.certificates.verify.claims import Matrix
    >>> from ccsim.certificates.verify.randomised import no_rectangle_above
    >>> signs = [[1, 1], [1, -1]]
    >>> weights = line_weights(np.array(signs), Clock())
    >>> 2 <= no_rectangle_above(Matrix([[0, 0], [0, 0]]), signs, weights) < 2.3
    True
    """
    size = 1 + sum(values.shape)
    scale = 1 << max(0, 24 - int(np.abs(values).max()).bit_length())
    table = values.astype(np.float64)
    form = np.zeros((size, size))
    form[1 : 1 + len(table), 1 + len(table) :] = table
    form[0, 1:] = [*table.sum(axis=1), *table.sum(axis=0)]
    form += form.T
    lengths = np.linalg.norm(form @ np.concatenate(turned(table, clock)), axis=1) / 2
    lengths = _enough(lengths, form) + MARGIN * max(1.0, np.abs(form).max()) * size
    return [f"{ceil(length * scale)}/{scale}" for length in lengths.tolist()]


def _enough(lengths: Array, form: Array) -> Array:
    """A little more, so that twice the lengths, as a diagonal, less the form is positive: by a sum or by a factor."""
    lengths = lengths + 1e-6 * lengths.max()  # lines without any weight
    short = float(np.linalg.eigvalsh(2 * np.diag(lengths) - form)[0]) / 2
    added = lengths + max(0.0, -short)
    if not lengths.all():  # no weight at all
        return added
    factor = float(np.linalg.eigvalsh(form / np.sqrt(np.outer(lengths, lengths)))[-1]) / 2
    grown = lengths * max(1.0, factor)
    return np.asarray(added if added.sum() < grown.sum() else grown)


def turned(table: Array, clock: Clock, across: Array | None = None) -> tuple[Array, Array, Array]:
    """Unit vectors for the whole, the rows and the columns, for which the sum is as large as turning makes it; those
    of the columns may begin near some, not there, as turning might not get away."""
    rows, columns = table.sum(axis=1)[:, None], table.sum(axis=0)[:, None]
    whole = np.eye(DIMENSIONS)[:1]
    draw = np.random.default_rng(0).standard_normal((table.shape[1], DIMENSIONS))
    across = _unit(draw if across is None else across + BESIDE * draw)
    before = -np.inf
    for _ in range(TURNS):
        mine = _unit(rows @ whole + table @ across)
        across = _unit(columns @ whole + table.T @ mine)
        pull = rows.T @ mine + columns.T @ across
        whole = _unit(pull)
        now = float((pull * whole).sum() + (mine * (table @ across)).sum())
        if now - before < NEAR * abs(now) or clock.over:
            break
        before = now
    return whole, mine, across


def _unit(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1))


Classes = npt.NDArray[np.int64]

ROUNDS = 400
TOWARDS = 0.3  # the program's best weights, from the best ones known
BETTER = 2e-3  # how much better weights may be for the program
MOST_CLASSES = 128
HEAVIEST = 1 << 16  # a cell's weight, as an integer


def few_classes(codes: Classes) -> Classes:
    """Cells that look alike, or, if these are too many classes, that have one code; free cells have -1."""
    alike = look_alikes(codes)
    classes = np.unique(alike if alike.max() < MOST_CLASSES else codes, return_inverse=True)[1].reshape(codes.shape)
    free = codes < 0
    return np.where(free, -1, np.unique(np.where(free, classes.max() + 1, classes), return_inverse=True)[1].reshape(
        codes.shape))  # fmt: skip


@dataclass
class VectorProgram:
    """Variables are at least 0; the sum of their gains is to be as large as it can.

    Each adds itself to the cells of a class, or takes itself from them; under the table that comes out (and its
    opposite, if ``both``) no rectangle may weigh more than 1.

    Attributes:
        classes: of the cells; -1 for cells without any weight.
        place: the class of each variable.
        sign: 1 or -1 for each.
        gain: what each adds to the sum.
        both: whether the opposite table counts, too.
    """

    classes: Classes
    place: Classes
    sign: Array
    gain: Array
    both: bool = False

    def weights(self, clock: Clock) -> Classes:
        """The best table that is found until the time is over, in integers; no rectangle is looked at exactly."""
        sides, sizes = (1, -1) if self.both else (1,), np.bincount(self.classes[self.classes >= 0])
        limits = [np.where(self.place == own, side * self.sign, 0.0) for own in range(len(sizes)) for side in sides]
        limits += [side * self.sign * sizes[self.place] for side in sides]
        best, known = 0.0, np.zeros(len(self.gain))
        starts: dict[int, Array | None] = dict.fromkeys(sides)
        for _ in range(ROUNDS):
            found = linear_program(-self.gain, A_ub=np.array(limits), b_ub=np.ones(len(limits)))
            if found.status != 0:
                break
            asked = TOWARDS * found.x + (1 - TOWARDS) * known if best else found.x
            fresh = [self._limit(asked, side, starts, clock) for side in starts]
            heaviest = max(float(limit @ asked) for limit in fresh)
            if heaviest > 0 and self.gain @ asked > best * heaviest:
                best, known = float(self.gain @ asked) / heaviest, asked / heaviest
            if clock.over or -found.fun <= best * (1 + BETTER):
                break
            limits += fresh
        table = self._table(known)
        return np.asarray(np.rint(table * (HEAVIEST / max(np.abs(table).max(), 1e-300))).astype(np.int64))

    def _table(self, values: Array) -> Array:
        totals = np.bincount(self.place, weights=self.sign * values, minlength=self.classes.max() + 1)
        return np.where(self.classes >= 0, totals[self.classes], 0.0)

    def _limit(self, values: Array, side: int, starts: dict[int, Array | None], clock: Clock) -> Array:
        """How much each variable adds to what the vectors that are best for these values weigh."""
        whole, mine, across = turned(side * self._table(values), clock, starts[side])
        starts[side] = across
        shares = (1 + mine @ whole.T + (across @ whole.T).T + mine @ across.T) / 4
        inside = self.classes >= 0
        sums = np.bincount(self.classes[inside], weights=shares[inside], minlength=self.classes.max() + 1)
        return np.asarray(side * self.sign * sums[self.place])


Distribution = Sequence[Sequence[int | Fraction]] | Array
ALL_SETS = 4_000_000  # sets of lines times lines across
SOON = 64  # lines of which weights are soon to be had
MOST_WEIGHT = 1 << 80  # that a checker accepts


def distribution_weights(matrix: CommunicationMatrix, distribution: Distribution | None) -> list[list[int]]:
    """Integer weights of a distribution: by default uniform on the promise.

    Args:
        matrix: of at most two labels, with at least one promised cell.
        distribution: integers or Fractions >= 0 per cell, of any sum above 0, zero off the promise.
    """
    if len(matrix.labels) > 2:
        raise InputError("matrix", matrix, "at most two labels")
    codes = matrix.codes
    if (codes == DONT_CARE).all():
        raise InputError("matrix", matrix, "at least one promised cell")
    if distribution is None:
        distribution = (codes != DONT_CARE).astype(np.int64)
    rows = [[_exact(cell) for cell in row] for row in distribution]
    if [len(row) for row in rows] != [matrix.shape[1]] * matrix.shape[0] or any(c < 0 for row in rows for c in row):
        raise InputError("distribution", distribution, f"a {matrix.shape} table of numbers >= 0")
    free = any(rows[r][c] for r, c in np.argwhere(codes == DONT_CARE).tolist())
    if free or not any(map(any, rows)):
        raise InputError("distribution", distribution, "some weight, and none off the promise")
    common = np.lcm.reduce([cell.denominator for row in rows for cell in row], dtype=object)
    weights = [[int(cell * common) for cell in row] for row in rows]
    if max(map(max, weights)) > MOST_WEIGHT:
        raise InputError("distribution", str(common), f"weights of at most {MOST_WEIGHT} over a common denominator")
    return weights


def _exact(weight: object) -> Fraction:
    if isinstance(weight, (int, np.integer, np.bool_)):
        return Fraction(int(weight))
    if not isinstance(weight, Fraction):
        raise InputError("distribution", weight, "integers or Fractions")
    return weight


@timed
def discrepancy(
    matrix: Subject,
    distribution: Distribution | None = None,
    *,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bracket:
    """The discrepancy under a distribution: a pure number from 0 to 1.

    Args:
        matrix: of at most two labels (the second is 1), total or partial.
        distribution: see :func:`distribution_weights`; by default uniform on the promise.
        seed: of the local search for a biased rectangle in large tables.
        time_limit: seconds.

    Returns:
        A bracket of Fractions. Exact up to about 16 lines on the smaller side (all sets of lines are tried);
        beyond, a biased rectangle below, and above, up to 256 lines, weights of lines (see
        :mod:`ccsim.bounds.discrepancies`).

    >>> print(discrepancy(CommunicationMatrix.from_array([[0, 0], [0, 1]])))
    discrepancy = 1/2 (biased-rectangle | all-sets)
    """
    matrix = matrix_of(matrix)
    clock = Clock.within(time_limit)
    weights = distribution_weights(matrix, distribution)
    parameters = {"weights": weights}
    table = matrix.codes.tolist()
    values = np.array(weights, dtype=object) * np.where(matrix.codes == 1, 1, -1).astype(object)
    turned = values.shape[0] > values.shape[1]
    small = values.T if turned else values
    exhaustive = len(small) <= 20 and len(small[0]) << len(small) <= ALL_SETS
    rows, columns = _all_sets(small) if exhaustive else _climb(small, seed, clock)
    best = Rectangle(columns, rows) if turned else Rectangle(rows, columns)
    lower: Witness = {"kind": "biased-rectangle", "rectangle": best.as_data()}
    upper: Witness = {"kind": "all-sets"} if exhaustive else {}
    low = check(table, "discrepancy", "lower", parameters, lower)
    high = check(table, "discrepancy", "upper", parameters, upper) if upper else Fraction(1)
    if not exhaustive and max(matrix.shape) <= (SOON if clock.over else MOST_LINES):
        upper, high = _by_line_weights(values, clock, table, parameters)
    below, above = Side(low, "biased-rectangle", lower), Side(high, upper.get("kind", "trivial"), upper or None)
    return Bracket("discrepancy", below, above, parameters, "")


def _by_line_weights(
    values: Array, clock: Clock, table: list[list[int]], parameters: dict[str, Any]
) -> tuple[Witness, Value]:
    sides = {name: line_weights(sign * values, clock) for name, sign in (("most", 1), ("least", -1))}
    witness: Witness = {"kind": "diagonals", **sides}
    try:
        high = check(table, "discrepancy", "upper", parameters, witness)
    except Refused:  # weights of cells that are too unlike for floats
        return {}, Fraction(1)
    return (witness, high) if high < 1 else ({}, Fraction(1))


def _all_sets(values: Array) -> tuple[int, int]:
    """A most biased rectangle as masks (lines of the first side, of the second), over all sets of the first."""
    exact = values.astype(np.int64) if int(np.abs(values).sum()) < 1 << 62 else values
    best: tuple[int, int, int] = (-1, 0, 0)
    for low in range(0, 1 << len(values), 4096):
        sets = np.arange(low, min(low + 4096, 1 << len(values)))
        inside = (sets[:, None] >> np.arange(len(values))) & 1
        sums = inside.astype(exact.dtype) @ exact
        for sign in (1, -1):
            gains = np.where(sums * sign > 0, sums * sign, 0).sum(axis=1)
            place = int(np.argmax(gains))
            if int(gains[place]) > best[0]:
                columns = sum(1 << c for c, value in enumerate(sums[place]) if value * sign > 0)
                best = (int(gains[place]), int(sets[place]), columns)
    return best[1], best[2]


def _climb(values: Array, seed: int, clock: Clock) -> tuple[int, int]:
    began = time.monotonic()
    rng, best = random.Random(seed), (-1, 0, 0)
    exact = values.astype(np.int64) if int(np.abs(values).sum()) < 1 << 62 else values
    for attempt in range(len(values) + 40):
        if attempt and clock.left(1e9) < 0.5 * (time.monotonic() - began):  # the rest is for the other side
            break
        start = [int(attempt == i or (attempt >= len(values) and rng.random() < 0.5)) for i in range(len(values))]
        for sign in (1, -1):
            rows, found = np.array(start, dtype=exact.dtype), -1
            while True:
                columns = ((rows @ exact) * sign > 0).astype(exact.dtype)
                rows = ((exact @ columns) * sign > 0).astype(exact.dtype)
                gain = int((rows @ exact @ columns) * sign)
                if gain <= found:
                    break
                found = gain
            if found > best[0]:
                masks = [sum(1 << i for i, one in enumerate(side) if one) for side in (rows, columns)]
                best = (found, masks[0], masks[1])
    return best[1], best[2]


@timed
def randomised_by_discrepancy(
    matrix: Subject,
    error: Fraction | str = Fraction(1, 3),
    distribution: Distribution | None = None,
    *,
    time_limit: float | None = None,
) -> Bracket:
    """A lower bound on the randomised complexity (public coins, error on every input, both parties answer), in bits.

    log2((1 - 2 error) / disc), rounded up to whole bits. Nothing is claimed above.

    >>> found = randomised_by_discrepancy(CommunicationMatrix.from_array([[0, 0], [0, 1]]), Fraction(1, 8))
    >>> found.lower, found.upper
    (1, None)
    """
    allowed = require_error(error)
    found = discrepancy(matrix, distribution, time_limit=time_limit)
    value = (1 - 2 * allowed) / Fraction(found.upper or 1)
    return coins_bound("discrepancy", allowed, value, found.measure, found.upper_witness, **found.parameters)


SEARCH = 0.6  # of the time for a distribution; the rest is for weights of lines, twice


@timed
def least_discrepancy(matrix: Subject, *, time_limit: float | None = 30.0) -> Bracket:
    """The least discrepancy over all distributions on the promise: the best that the method can give.

    Args:
        matrix: Boolean; with at most 12 lines on one side a linear program is solved. To 256 lines there is an upper
            side, by a distribution under which cells that look alike weigh the same, and weights of lines.
        time_limit: seconds.

    Returns:
        A bracket of Fractions: above, a distribution (hence a bound on randomised communication); below, a mixture of
        signed rectangles that is biased under every distribution (linear programming duality).

    >>> least_discrepancy([[0, 0], [0, 1]]).upper
    Fraction(1, 3)
    """
    matrix = matrix_of(matrix)
    clock = Clock.within(time_limit)
    distribution_weights(matrix, None)
    if not is_small(matrix):
        return least_discrepancy_by_vectors(matrix, clock)
    merged, table = matrix.merge(), matrix.codes.tolist()
    codes = merged.matrix.codes.astype(np.int64)
    cells = np.argwhere(codes != DONT_CARE)
    sign = np.where(codes[tuple(cells.T)] == 1, 1, -1)
    program = Weighing(codes, cells, [Fraction(1)] * len(cells), [sign, -sign], np.zeros(len(cells), dtype=bool))
    values, shares = program.maximise(clock)
    weights = [[0] * matrix.shape[1] for _ in table]
    lines = merged.rows[cells[:, 0]].tolist(), merged.columns[cells[:, 1]].tolist()
    exact = common_integers(program.rational(values))
    spare = max(0, max(exact).bit_length() - MOST_WEIGHT.bit_length() + 1)  # digits that no checker reads
    for row, column, weight in zip(*lines, exact, strict=True):
        weights[row][column] = weight >> spare
    upper: Witness = {"kind": "distribution", "weights": weights, "of": {"kind": "all-sets"}}
    best = Bracket("least-discrepancy", Side(0, "trivial"), Side(Fraction(1), "trivial"), unit="")
    if any(map(any, weights)):
        best = best.at_most(check(table, best.measure, "upper", {}, upper), "weights of cells", upper)
    rounded = zip(program.pool, normalised(shares) if shares.any() else (), strict=False)
    for mixed in (program.covering(shares) or {}, dict(rounded)):
        listed = [
            [*grown(merged, mine, yours), 1 - which, as_text(share)]
            for (which, mine, yours), share in mixed.items()
            if share
        ]
        lower: Witness = {"kind": "weighted-rectangles", "rectangles": listed}
        with suppress(Refused):  # the floats were off, or the vertex is too long to be read
            best = best.at_least(check(table, best.measure, "lower", {}, lower), "weights of rectangles", lower)
    return best


def least_discrepancy_by_vectors(matrix: CommunicationMatrix, clock: Clock) -> Bracket:
    """From above: as much weight as can be, such that vectors in place of rectangles find no bias above 1."""
    if max(matrix.shape) > MOST_LINES:
        raise InputError("matrix", matrix, f"at most {MOST_LINES} rows and columns")
    codes = matrix.codes.astype(np.int64)
    classes = few_classes(codes)
    sizes = np.bincount(classes[classes >= 0]).astype(np.float64)
    ones = np.bincount(classes[codes == 1], minlength=len(sizes)) > 0
    program = VectorProgram(classes, np.arange(len(sizes)), np.where(ones, 1.0, -1.0), sizes, both=True)
    share = clock.share(1)
    values = program.weights(Clock.within(share and SEARCH * share))
    of = {"kind": "diagonals", "most": line_weights(values, clock), "least": line_weights(-values, clock)}
    witness: Witness = {"kind": "distribution", "weights": np.abs(values).tolist(), "of": of}
    best = Bracket("least-discrepancy", Side(0, "trivial"), Side(Fraction(1), "trivial"), unit="")
    with suppress(Refused):  # weights of lines that floats have wrong
        value = check(matrix.codes.tolist(), "least-discrepancy", "upper", {}, witness)
        if value < 1:
            best = best.at_most(value, "weights of lines", witness)
    return best


@timed
def randomised_by_least_discrepancy(
    matrix: Subject, error: Fraction | str = Fraction(1, 3), *, time_limit: float | None = 30.0
) -> Bracket:
    """log2((1 - 2 error) / disc), rounded up, under the distribution that is found for the least discrepancy, in bits.

    A lower bound on protocols with public coins that err at most so often on every input. Nothing is claimed above.

    >>> from ccsim.problems import inner_product
    >>> randomised_by_least_discrepancy(inner_product(4), "1/3").lower
    3
    """
    allowed = require_error(error)
    found = least_discrepancy(matrix, time_limit=time_limit)
    value, proof = (1 - 2 * allowed) / Fraction(found.upper or 1), found.upper_witness or {}
    weights = proof.get("weights")
    return coins_bound("least discrepancy", allowed, value, "discrepancy", proof.get("of"), weights=weights)
