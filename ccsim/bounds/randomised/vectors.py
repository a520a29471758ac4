"""Vectors in place of rectangles, where these are too many to try: weights of lines, and of cells.

The sum of a table over a rectangle is a quadratic form in signs of lines. With unit vectors in place of the signs it is
a semidefinite program (as for cuts of graphs: Goemans and Williamson 1995). Here the vectors are turned one side after
the other, each to where it is best (the mixing method: Wang, Chang and Kolter 2017); the lengths that they have then,
made a little larger, are weights of lines that the checker accepts: no rectangle weighs more.

A program asks for weights of cells under which no rectangle weighs more than 1. The vectors are shares of cells, and a
constraint, if cells weigh too much by these shares. Constraints are added until the best weights satisfy all. Cells
that look alike weigh the same, which makes programs small. New constraints are asked for between the best weights of
the program and the best that were found, as the former jump about (Ben-Ameur and Neto 2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
import numpy.typing as npt

from ccsim.bounds.clock import Clock
from ccsim.bounds.randomised.look_alikes import look_alikes
from ccsim.bounds.solvers import linear_program
from ccsim.errors import Array

MOST_LINES = 256
TURNS, DIMENSIONS = 2000, 24
NEAR = 1e-7  # of the whole, by which turning has to change it
MARGIN = 1e-9
BESIDE = 0.03


def line_weights(values: Array, clock: Clock) -> list[str]:
    """Weights for the whole, each row and each column, with which no rectangle of a table has a larger sum.

    >>> from ccsim.certificates.verify.matrices import Matrix
    >>> from ccsim.certificates.verify.weights import no_rectangle_above
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
