"""The least discrepancy over all distributions: exact by linear programming on small tables, else from above."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket, Side, Witness, timed
from ccsim.bounds.clock import Clock
from ccsim.bounds.randomised.discrepancy import distribution_weights
from ccsim.bounds.randomised.line_weights import MOST_LINES, line_weights
from ccsim.bounds.randomised.rectangle_programs import (
    DENOMINATORS,
    MOST,
    best_of,
    best_rectangles,
    coins_bound,
    indicator,
    integers,
    is_small,
    options_for,
)
from ccsim.bounds.randomised.vector_programs import VectorProgram, few_classes
from ccsim.bounds.rationals import as_text, require_error
from ccsim.bounds.rectangles.closed import Rectangle
from ccsim.bounds.solvers import linear_program
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.function import Subject, matrix_of

Array = npt.NDArray[Any]

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
    codes, table = matrix.codes, matrix.codes.tolist()
    promised = np.argwhere(codes != DONT_CARE)
    sign = np.where(codes == 1, 1.0, -1.0)
    rows: list[Array] = []
    terms: list[tuple[int, Rectangle]] = []
    weights = (codes != DONT_CARE) / len(promised)
    height, shares = -1.0, np.zeros(0)
    for _ in range(MOST):
        fresh = [(s, r) for s in (1, -1) for r in best_rectangles(s * sign * weights, height)]
        fresh = [term for term in fresh if term not in terms]
        if not fresh or (len(shares) and clock.over):
            break
        terms += fresh
        rows += [s * (sign * indicator(r, matrix.shape))[codes != DONT_CARE] for s, r in fresh]
        above = np.hstack([np.array(rows), -np.ones((len(rows), 1))])
        total = [[1.0] * len(promised) + [0.0]]
        bounds = [(0, None)] * len(promised) + [(None, None)]
        found = linear_program(
            [0.0] * len(promised) + [1.0], A_ub=above, b_ub=np.zeros(len(rows)), A_eq=total, b_eq=[1.0], bounds=bounds,
            options=options_for(clock),
        )  # fmt: skip
        if found.status != 0:
            break
        weights = np.zeros(matrix.shape)
        weights[codes != DONT_CARE] = np.maximum(found.x[:-1], 0)
        height, shares = float(found.x[-1]), -found.ineqlin.marginals
    lowers, uppers = [], []
    for denominator in DENOMINATORS:
        flat = iter(integers(weights.ravel(), denominator))
        uppers.append(
            {
                "kind": "distribution",
                "weights": [[next(flat) for _ in row] for row in table],
                "of": {"kind": "all-sets"},
            }
        )
        mixed = zip(integers(shares, denominator), terms, strict=False)  # some terms came too late
        listed = [[*r.as_data(), int(s > 0), as_text(q)] for q, (s, r) in mixed if q > 0]
        lowers.append({"kind": "weighted-rectangles", "rectangles": listed})
    return best_of(table, "least-discrepancy", {}, lowers, uppers, Fraction(1))


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
