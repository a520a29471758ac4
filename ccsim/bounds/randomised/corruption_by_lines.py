"""The rectangle bound of tables with too many rectangles: weights of cells, under weights of lines."""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.clock import Clock
from ccsim.bounds.randomised.line_weights import MOST_LINES, line_weights
from ccsim.bounds.randomised.vector_programs import VectorProgram, few_classes
from ccsim.bounds.rationals import as_text
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix

__all__ = ["rectangle_bound_by_lines"]

SEARCH = 0.7  # of the time for weights of cells; the rest is for those of lines


def rectangle_bound_by_lines(
    matrix: CommunicationMatrix, code: int, error: Fraction, smooth: bool, clock: Clock
) -> Bracket:
    """A lower side of the rectangle bound, to 256 x 256, also of the smooth one: no less, of cells that look alike.

    >>> from ccsim.problems import inner_product
    >>> 2.5 < rectangle_bound_by_lines(inner_product(4).matrix, 1, Fraction(1, 3), False, Clock()).lower < 2.6
    True
    """
    start = time.monotonic()
    if max(matrix.shape) > MOST_LINES:
        raise InputError("matrix", matrix, f"at most {MOST_LINES} rows and columns")
    parameters = {"code": code, "label": repr(matrix.labels[code]), "error": as_text(error), "smooth": smooth}
    claim, table = {name: parameters[name] for name in ("code", "error", "smooth")}, matrix.codes.tolist()
    value, witness = Fraction(0), None
    own = matrix.codes == code
    if own.any():
        share = clock.share(1)
        weights = _program(matrix, code, float(error), smooth).weights(Clock.within(share and SEARCH * share))
        lines = line_weights(weights, clock)
        witness = {"kind": "corruption", "weights": np.where(own, weights, -weights).tolist(), "lines": lines}
        try:
            value = Fraction(check(table, "rectangle-bound", "lower", claim, witness))
        except Refused:  # weights of lines that floats have wrong
            witness = None
    method = f"{'weights of lines' if witness else 'trivial'} | trivial"
    return Bracket("rectangle-bound", value, None, method, witness, None, parameters, "", time.monotonic() - start)


def _program(matrix: CommunicationMatrix, code: int, error: float, smooth: bool) -> VectorProgram:
    """Cells of the answer add to a rectangle's weight, others take from it; so may those, in the smooth bound."""
    codes = matrix.codes.astype(np.int64)
    classes = few_classes(codes)
    sizes = np.bincount(classes[classes >= 0]).astype(np.float64)
    own = np.bincount(classes[codes == code], minlength=len(sizes)) > 0
    place, sign = np.arange(len(sizes)), np.where(own, 1.0, -1.0)
    gain = np.where(own, 1 - error, -error) * sizes
    if not smooth:
        return VectorProgram(classes, place, sign, gain)
    more = np.flatnonzero(own)
    signs, gains = np.append(sign, np.full(len(more), -1.0)), np.append(gain, -sizes[more])
    return VectorProgram(classes, np.append(place, more), signs, gains)
