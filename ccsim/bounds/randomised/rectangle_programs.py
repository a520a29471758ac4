"""What linear programs over all rectangles share: the best rectangles for given values, rounding, and checking.

Columns are generated: floats search; the solution is rounded to rationals and each side is then computed exactly.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket, Side, Value, Witness, logarithm_of
from ccsim.bounds.clock import Clock
from ccsim.bounds.rationals import as_text, bits_for
from ccsim.bounds.rectangles.closed import Rectangle
from ccsim.certificates.verify import check
from ccsim.certificates.verify.claims import PARAMETERS
from ccsim.matrices import CommunicationMatrix

Array = npt.NDArray[Any]
LINES = 12
DENOMINATORS = (12, 60, 500, 10_000, 10**6, 10**9)
MOST = 400  # rounds


def best_rectangles(values: Array, above: float) -> list[Rectangle]:
    """The rectangles of largest sum, a few that exceed ``above``."""
    turned = values.shape[0] > values.shape[1]
    small = values.T if turned else values
    sets = (np.arange(1 << len(small))[:, None] >> np.arange(len(small))) & 1
    sums = sets @ small
    gains = np.where(sums > 0, sums, 0).sum(axis=1)
    chosen = [int(place) for place in np.argsort(-gains, kind="stable")[:8] if gains[place] > above + 1e-9]
    pairs = [(place, sum(1 << c for c, value in enumerate(sums[place]) if value > 0)) for place in chosen]
    return [Rectangle(b, a) if turned else Rectangle(a, b) for a, b in pairs]


def indicator(rectangle: Rectangle, shape: tuple[int, int]) -> Array:
    """The rectangle as a table of zeros and ones."""
    rows = [rectangle.rows >> row & 1 for row in range(shape[0])]
    return np.outer(rows, [rectangle.columns >> column & 1 for column in range(shape[1])]).astype(float)


def integers(numbers: Array, denominator: int) -> list[int]:
    """Numbers rounded to fractions of small denominator, over their common denominator."""
    rounded = [Fraction(float(number)).limit_denominator(denominator) for number in numbers]
    common = lcm(*(number.denominator for number in rounded))
    if common >= 1 << 60:
        return [round(float(number) * denominator) for number in numbers]
    return [int(number * common) for number in rounded]


def options_for(clock: Clock) -> dict[str, float]:
    """What makes a linear program stop on time."""
    return {} if clock.end is None else {"time_limit": clock.left(1e9)}


def is_small(matrix: CommunicationMatrix) -> bool:
    """Whether a table has so few rectangles that a program can choose from them."""
    return min(matrix.shape) <= LINES and matrix.shape[0] * matrix.shape[1] <= 1024


def coins_bound(by: str, error: Fraction, value: Value, measure: str, of: Witness | None, **given: Any) -> Bracket:
    """What a bound says of the bits of protocols with public coins: its logarithm, rounded up; nothing from above."""
    below = Side(bits_for(value), by, logarithm_of(measure, of, **given)) if of else Side(0, "trivial")
    return Bracket("randomised", below, parameters={"answer": "both", "coins": "public", "error": as_text(error)})


def best_of(
    table: list[list[int]],
    measure: str,
    parameters: dict[str, Any],
    lowers: Any,
    uppers: Any,
    trivial: Any,
) -> Bracket:
    """The best of the witnesses on each side, by what their checkers derive."""
    claim = {name: value for name, value in parameters.items() if name in PARAMETERS[measure]}
    best = Bracket(measure, Side(Fraction(0)), Side(trivial), parameters, "")
    for side, witnesses in (("lower", lowers), ("upper", uppers)):
        for witness in witnesses:
            with suppress(ValueError):
                value = check(table, measure, side, claim, witness)
                better = best.at_least if side == "lower" else best.at_most
                best = better(value, "linear program, rounded", witness)
    return best
