"""The rectangle bound of tables with too many rectangles for a program: weights of cells, under weights of lines."""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.clock import Clock
from ccsim.bounds.randomised.line_weights import MOST_LINES, line_weights
from ccsim.bounds.rationals import as_text
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix

__all__ = ["rectangle_bound_by_lines"]

PARTS = (Fraction(3, 5), Fraction(7, 10), Fraction(4, 5), Fraction(9, 10))
UNIT = 1 << 10


def rectangle_bound_by_lines(
    matrix: CommunicationMatrix, code: int, error: Fraction, smooth: bool, clock: Clock
) -> Bracket:
    """A lower side of the rectangle bound, to 256 x 256: equal weights on the cells of the answer, and on the others.

    The others have a part of what makes the bound nothing; the best of a few parts is taken. ``smooth`` bounds are no
    less than plain ones.

    >>> from ccsim.problems import inner_product
    >>> 1.7 < rectangle_bound_by_lines(inner_product(4).matrix, 1, Fraction(1, 3), False, Clock()).lower < 1.8
    True
    """
    start = time.monotonic()
    if max(matrix.shape) > MOST_LINES:
        raise InputError("matrix", matrix, f"at most {MOST_LINES} rows and columns")
    parameters = {"code": code, "label": repr(matrix.labels[code]), "error": as_text(error), "smooth": smooth}
    claim, table = {name: parameters[name] for name in ("code", "error", "smooth")}, matrix.codes.tolist()
    best: tuple[Fraction, Witness | None] = Fraction(0), None
    for witness in _proposed(matrix, code, error, clock):
        try:
            value = Fraction(check(table, "rectangle-bound", "lower", claim, witness))
        except Refused:  # weights of lines that floats have wrong
            continue
        best = max(best, (value, witness), key=lambda found: found[0])
    method = "weights of lines | trivial"
    return Bracket("rectangle-bound", best[0], None, method, best[1], None, parameters, "", time.monotonic() - start)


def _proposed(matrix: CommunicationMatrix, code: int, error: Fraction, clock: Clock) -> Iterator[Witness]:
    """Witnesses with more and more weight on the other answers."""
    own, other = matrix.codes == code, (matrix.codes >= 0) & (matrix.codes != code)
    if not own.any():
        return
    shares = (0.0, *map(float, PARTS)) if error and other.any() else (0.0,)
    for part in shares[1:] or shares:
        if clock.over:
            return
        each = UNIT * part * float((1 - error) / error) * own.sum() / other.sum() if part else UNIT
        weights = np.where(own, UNIT, np.where(other, round(each), 0)).astype(np.int64)
        lines = line_weights(np.where(own, weights, -weights), clock)
        yield {"kind": "corruption", "weights": weights.tolist(), "lines": lines}
