"""Sparse averaging in exact numbers: keys on a curve of moments, so that no width grows with the number of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import lazy_loader as lazy

from ccsim.arguments import require_integer
from ccsim.errors import InputError
from ccsim.models.attention import positive_rational
from protocols.constructions.circle import least_integer_above, natural_logarithm

flint = lazy.load("flint")


@dataclass(frozen=True)
class MomentCurve:
    """An attention unit without rounding, whose row averages the values of the rows that it names.

    Row j has the key (1, j, j^2, ..., j^(2q)). A row that names a set y has as its query the coefficients of the
    polynomial -alpha prod_(i in y) (t - i)^2, so its logits are 0 for the rows in y and -alpha or less for all others.

    Attributes:
        length: N.
        most: q.
        sharpness: alpha.
        value_width: d'.
    """

    length: int
    most: int
    sharpness: int
    value_width: int = 1

    @property
    def width(self) -> int:
        """The query, the key and the value of a row."""
        return 2 * (2 * self.most + 1) + self.value_width

    def key(self, row: int) -> tuple[int, ...]:
        """The powers of a row's number."""
        return tuple(row**power for power in range(2 * self.most + 1))

    def query(self, chosen: Sequence[int]) -> tuple[int, ...]:
        """The coefficients of the polynomial of a set, from the constant one on."""
        if len(set(chosen)) != len(chosen) or not 1 <= len(chosen) <= self.most:
            raise InputError("chosen", chosen, f"at most {self.most} different rows")
        coefficients = [-self.sharpness]
        for row in (*chosen, *chosen):  # times (t - row)
            risen, scaled = [0, *coefficients], [-row * each for each in coefficients] + [0]
            coefficients = [a + b for a, b in zip(risen, scaled, strict=True)]
        return (*coefficients, *[0] * (2 * self.most + 1 - len(coefficients)))

    def row(self, chosen: Sequence[int], number: int, value: Sequence[Fraction | int]) -> tuple[Any, ...]:
        """What stands for a row: its query, its key and its value side by side."""
        if len(value) != self.value_width:
            raise InputError("value", value, f"{self.value_width} numbers")
        return (*self.query(chosen), *self.key(number), *value)

    def weights(self, rows: Sequence[Sequence[Any]], place: int) -> list[Any]:
        """The softmax of the row in a place, counted from 1, over all rows: an interval for each."""
        size = 2 * self.most + 1
        query = rows[place - 1][:size]
        logits = [sum(a * b for a, b in zip(query, other[size : 2 * size], strict=True)) for other in rows]
        top = max(logits)
        exponentials = [flint.arb(logit - top).exp() for logit in logits]
        total = sum(exponentials[1:], exponentials[0])
        return [each / total for each in exponentials]


def moment_curve_averaging(
    length: int, most: int, *, error: Fraction | float | None = None, value_width: int = 1
) -> MomentCurve:
    """A unit of width 4 q + 2 + d' that averages over q rows out of N, to within ``error`` (1/(2q) if None), exactly.

    Sanford, Hsu and Telgarsky 2023 remark that infinite precision makes a factor log N of the width unnecessary; how is
    not in the slides, and this is one way. With alpha = ceiling(ln(2 N / error)) all rows that are not named have
    N exp(-alpha) <= error / 2 of the weight together, and what they have is missing from the others.

    >>> unit = moment_curve_averaging(100, 2)
    >>> unit.width, unit.query((3, 7))[-1] == -unit.sharpness
    (11, True)
    """
    length = require_integer("length", length, low=2)
    most = require_integer("most", most, low=1, high=length)
    accuracy = Fraction(1, 2 * most) if error is None else positive_rational("error", error)
    sharpness = least_integer_above(lambda: natural_logarithm(2 * length / accuracy))
    return MomentCurve(length, most, sharpness, require_integer("value_width", value_width, low=1))
