"""Exact chances near those that were found in floats: one party's are rounded, and the other's solved for.

If all chances of one party are known, those of the other are a linear program for each of its lines on its own, over
the chances to reach each node (as von Stengel 1996); its corners are simple where the numbers in it are.
"""

from __future__ import annotations

from fractions import Fraction
from operator import mul
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.private_coins.shapes import Chances, Shape
from ccsim.bounds.solvers import linear_program

__all__ = ["exact_chances"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Plans = list[list[Fraction]]
"""For each line and each leaf, the product of a party's chances on the way."""

SLACK = 1e-7
DENOMINATORS = (1, 2, 3, 4, 6, 12, 60, 1024, 1 << 20)


def exact_chances(shape: Shape, codes: Array, near: list[Floats], success: Fraction) -> tuple[Chances, Chances] | None:
    """Chances of both parties that are right so often on every promised cell, in simple fractions first."""
    for below in DENOMINATORS:
        for party in (0, 1):
            simple = [[Fraction(chance).limit_denominator(below) for chance in node] for node in near[party].tolist()]
            plans = _plans(shape, party, simple, codes.shape[party])
            other = _answering(shape, 1 - party, plans, codes if party == 0 else codes.T, success)
            if other is not None:
                return (simple, other) if party == 0 else (other, simple)
    return None


def _plans(shape: Shape, party: int, chances: Chances, count: int) -> Plans:
    turns = [shape.turns(party, bit).tolist() for bit in (0, 1)]
    found = []
    for line in range(count):
        plan = [Fraction(1)] * len(shape.answers)
        for node, zeros, ones in zip(chances, *turns, strict=True):
            plan = [value * (node[line] if one else 1 - node[line] if zero else 1)
                    for value, zero, one in zip(plan, zeros, ones, strict=True)]  # fmt: skip
        found.append(plan)
    return found


def _answering(shape: Shape, party: int, plans: Plans, codes: Array, success: Fraction) -> Chances | None:
    """The chances of a party which are enough for every line of its own (a column here), given the other's plans."""
    lines = []
    for wanted in codes.T.tolist():
        right = [[value if answer == cell else Fraction(0) for value, answer in zip(plan, shape.answers, strict=True)]
                 for plan, cell in zip(plans, wanted, strict=True) if cell >= 0]  # fmt: skip
        line = _line(shape, party, right, success)
        if line is None:
            return None
        lines.append(line)
    return [list(node) for node in zip(*lines, strict=True)]


def _line(shape: Shape, party: int, right: Plans, success: Fraction) -> list[Fraction] | None:
    """Chances of one line. ``right``: for each line of the other and each leaf, its chance if the answer is right."""
    if not right:
        return [Fraction(0)] * shape.speakers.count(party)
    found, often = _best(shape, party, np.array(right, dtype=float))
    if often < float(success) - SLACK:
        return None
    for below in DENOMINATORS:
        chances = [Fraction(chance).limit_denominator(below) for chance in found]
        (plan,) = _plans(shape, party, [[chance] for chance in chances], 1)
        if all(sum(map(mul, plan, line)) >= success for line in right):
            return chances
    return None


def _best(shape: Shape, party: int, right: Floats) -> tuple[list[float], float]:
    """Chances that are right most often on the worst line, and how often that is: the last variable of a program."""
    count = len(shape.speakers)
    size, equations = 2 * count + 2, []
    for node, speaker in enumerate(shape.speakers):
        zero, one = 2 * node + 1, 2 * node + 2
        for children in [[zero, one]] if speaker == party else [[zero], [one]]:
            equations.append(np.zeros(size))
            equations[-1][[node, *children]] = [1] + [-1] * len(children)
    equations.append(np.eye(size)[0])
    program = linear_program(
        -np.eye(size)[-1],
        A_ub=np.column_stack([np.zeros((len(right), count)), -right, np.ones(len(right))]),
        b_ub=np.zeros(len(right)),
        A_eq=np.array(equations),
        b_eq=[0] * (len(equations) - 1) + [1],
        method="highs-ds",
    )
    if program.x is None:
        return [], 0.0
    reach = program.x.tolist()
    chances = [reach[2 * node + 2] / reach[node] if reach[node] > SLACK else 0.0
               for node, speaker in enumerate(shape.speakers) if speaker == party]  # fmt: skip
    return [min(1.0, max(0.0, chance)) for chance in chances], reach[-1]
