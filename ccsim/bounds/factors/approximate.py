"""The approximate rank: the least rank of a matrix that is near the signs of a function, entry by entry.

Bounded from below by the sign rank, from above by factors that are
found in floats and rounded. Its logarithm, halved, is a lower bound on quantum communication without entanglement.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.clock import Clock
from ccsim.bounds.factors.findings import Finding, improved
from ccsim.bounds.factors.fitting import Whole, factors, least_fitting
from ccsim.bounds.factors.signs import label_of, sign_bounds, signs_of
from ccsim.bounds.rationals import as_text
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.subject import Subject, matrix_of

MOST_LINES = 40  # different ones, up to which factors are searched for
INSIDE = 0.98  # of the error is what the search in floats allows itself


def approximate_rank(
    matrix: Subject, error: Fraction | str = Fraction(1, 3), label: int = 1, *, time_limit: float | None = 20.0
) -> Bracket:
    """The least rank of a real matrix within an error of 1 where the answer has a label, and of -1 where it has not.

    Args:
        matrix: total, or partial: off the promise entries are from -(1 + error) to 1 + error.
        error: at least 0 and below 1.
        label: its place in ``matrix.labels``.
        time_limit: seconds for the search.

    Returns:
        A pure number. Below: the sign rank; above: factors, or different lines.

    >>> from ccsim.problems import equality
    >>> print(approximate_rank(equality(2), "1/3"))
    approximate-rank in [3, 4] (plane | lines)
    """
    matrix, allowed = matrix_of(matrix), Fraction(error)
    if not 0 <= allowed < 1:
        raise InputError("error", error, "at least 0 and below 1")
    *_, best = approximate_stages(matrix, allowed, label_of(matrix, label), Clock.within(time_limit))
    return replace(best, matrix=matrix)


def trivial_approximate(matrix: CommunicationMatrix, error: Fraction, label: int) -> Bracket:
    """At least 1 if a cell is promised, and at most the number of rows, or of columns."""
    lower, parameters = int((matrix.codes >= 0).any()), {"label": label, "error": as_text(error)}
    below = {"kind": "signs", "of": {"kind": "plane"}} if lower else None
    above = {"kind": "lines"} if matrix.is_total else None
    return Bracket("approximate-rank", lower, min(matrix.shape), "trivial | lines", below, above, parameters, "")


def approximate_stages(matrix: CommunicationMatrix, error: Fraction, label: int, clock: Clock) -> Iterator[Bracket]:
    """The bracket, whenever more is known."""
    yield from improved(trivial_approximate(matrix, error, label), _findings(matrix, error, label, clock))


def _findings(matrix: CommunicationMatrix, error: Fraction, label: int, clock: Clock) -> Iterator[Finding]:
    """What each method proves, quick ones first."""
    merged = matrix.indicator(matrix.labels[label]).merge()
    signs, least = signs_of(merged.matrix, 1), 1
    if matrix.is_total:
        yield "upper", min(signs.shape), "lines", {"kind": "lines"}
    for value, method, witness in sign_bounds(matrix, label, clock):
        yield "lower", value, method, {"kind": "signs", "of": witness}
        least = max(least, value)
    if max(signs.shape) > MOST_LINES:
        return
    half = Clock.within(None if clock.end is None else clock.left(60.0) / 2)
    near, most = float(error) * INSIDE, float(1 + error)
    low = np.where(signs == 0, -most, signs - near)
    high = np.where(signs == 0, most, signs + near)

    def right(product: Whole, unit: int) -> bool:
        product = product.astype(object)  # integers of any length
        below, above = ((1 + side * error) * unit for side in (-1, 1))
        inside = (abs(product) * above.denominator <= above.numerator).all()
        return bool(inside and (product * signs * below.denominator >= below.numerator)[signs != 0].all())

    for pair in least_fitting(low, high, min(signs.shape), least, right, half):
        yield "upper", len(pair[0][0]), "factors", factors(*pair, merged)
