"""The least discrepancy over all distributions: exact by linear programming on small tables, else from above."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import numpy as np

from ccsim.bounds.bracket import Bracket, Side, Witness, coins_bound, timed
from ccsim.bounds.clock import Clock
from ccsim.bounds.randomised.discrepancy import MOST_WEIGHT, distribution_weights
from ccsim.bounds.randomised.rectangle_bounds import grown, is_small
from ccsim.bounds.randomised.vectors import MOST_LINES, VectorProgram, few_classes, line_weights
from ccsim.bounds.randomised.weighing import Weighing
from ccsim.bounds.rationals import as_text, common_integers, normalised, require_error
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.function import Subject, matrix_of

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
