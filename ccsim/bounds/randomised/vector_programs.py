"""Weights of cells for tables with too many rectangles: programs in which vectors stand for rectangles.

A program asks for weights under which no rectangle weighs more than 1. Which rectangle does is too hard to say for
large tables; but a rectangle is a choice of signs of lines, and unit vectors in place of signs (see
:mod:`ccsim.bounds.randomised.line_weights`) are soon found. They are shares of cells, and a constraint, if cells weigh
too much by these shares. Constraints are added until the best weights satisfy all. Cells that look alike weigh the
same, which makes programs small. New constraints are asked for between the best weights of the program and the best
that were found, as the former jump about (Ben-Ameur and Neto 2007).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ccsim.bounds.clock import Clock
from ccsim.bounds.randomised.line_weights import turned
from ccsim.bounds.randomised.symmetry import look_alikes
from ccsim.bounds.solvers import linear_program

Array = npt.NDArray[np.float64]
Classes = npt.NDArray[np.int64]

ROUNDS = 400
TOWARDS = 0.3  # the program's best weights, from the best ones known
NEAR = 2e-3  # how much better weights may be for the program
MOST_CLASSES = 128
HEAVIEST = 1 << 16  # a cell's weight, as an integer


def few_classes(codes: Classes) -> Classes:
    """Cells that look alike, or, if these are too many classes, that have one code; free cells have -1.

    >>> few_classes(np.array([[0, 1], [1, 0]])).tolist()
    [[0, 1], [1, 0]]
    """
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
        limits, best, known = self._simple_limits(), 0.0, np.zeros(len(self.gain))
        starts: dict[int, Array | None] = dict.fromkeys((1, -1) if self.both else (1,))
        for _ in range(ROUNDS):
            found = linear_program(-self.gain, A_ub=np.array(limits), b_ub=np.ones(len(limits)))
            if found.status != 0:
                break
            asked = TOWARDS * found.x + (1 - TOWARDS) * known if best else found.x
            fresh = [self._limit(asked, side, starts, clock) for side in starts]
            heaviest = max(float(limit @ asked) for limit in fresh)
            if heaviest > 0 and self.gain @ asked > best * heaviest:
                best, known = float(self.gain @ asked) / heaviest, asked / heaviest
            if clock.over or -found.fun <= best * (1 + NEAR):
                break
            limits += fresh
        table = self._table(known)
        return np.asarray(np.rint(table * (HEAVIEST / max(np.abs(table).max(), 1e-300))).astype(np.int64))

    def _table(self, values: Array) -> Array:
        """The weight of each cell."""
        totals = np.bincount(self.place, weights=self.sign * values, minlength=self.classes.max() + 1)
        return np.where(self.classes >= 0, totals[self.classes], 0.0)

    def _simple_limits(self) -> list[Array]:
        """All cells, and single ones."""
        sides, sizes = (1, -1) if self.both else (1,), np.bincount(self.classes[self.classes >= 0])
        single = [np.where(self.place == own, side * self.sign, 0.0) for own in range(len(sizes)) for side in sides]
        return [*single, *(side * self.sign * sizes[self.place] for side in sides)]

    def _limit(self, values: Array, side: int, starts: dict[int, Array | None], clock: Clock) -> Array:
        """How much each variable adds to what the vectors that are best for these values weigh."""
        whole, mine, across = turned(side * self._table(values), clock, starts[side])
        starts[side] = across
        shares = (1 + mine @ whole.T + (across @ whole.T).T + mine @ across.T) / 4
        inside = self.classes >= 0
        sums = np.bincount(self.classes[inside], weights=shares[inside], minlength=self.classes.max() + 1)
        return np.asarray(side * self.sign * sums[self.place])
