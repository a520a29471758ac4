"""The search for protocols with private coins: all chances are moved together, by gradients, and then made exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.clock import Clock
from ccsim.bounds.private_coins.exact import exact_chances
from ccsim.bounds.private_coins.shapes import PrivateTree, Shape, shapes
from ccsim.bounds.solvers import least_by_gradient

__all__ = ["private_tree", "tree_of_shape"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]

STARTS, STEPS = 4, 400
NEAR = 1e-5  # half the sum of squares of what is missing on all cells


def private_tree(codes: Array, bits: int, success: Fraction, clock: Clock) -> PrivateTree | None:
    """A tree of so many bits that is right so often on every promised cell, if one is found.

    >>> tree = private_tree(np.eye(2, dtype=np.int64), 2, Fraction(2, 3), Clock())
    >>> tree.shape.speakers
    (0, 1, 1)
    """
    generator = np.random.default_rng(0)
    for shape in shapes(bits, int(codes.max()) + 1, generator):
        tree = tree_of_shape(codes, shape, success, clock, generator, STARTS)
        if tree is not None:
            return tree
    return None


def tree_of_shape(
    codes: Array, shape: Shape, success: Fraction, clock: Clock, generator: np.random.Generator, starts: int
) -> PrivateTree | None:
    """The same for a tree of one shape, from so many starts."""
    for _ in range(starts):
        if clock.over:
            return None
        near = Moving(shape, codes, float(success)).found(generator)
        exact = exact_chances(shape, codes, near, success) if near is not None else None
        if exact is not None:
            return PrivateTree(shape, exact)
    return None


class Moving:
    """What is missing on all cells, as a function of the logits of all chances."""

    def __init__(self, shape: Shape, codes: Array, success: float) -> None:
        self.success = success
        self.turns = [[shape.turns(party, bit).astype(float) for bit in (0, 1)] for party in (0, 1)]
        self.sizes = [(len(turns[0]), lines) for turns, lines in zip(self.turns, codes.shape, strict=True)]
        self.own = [(codes == label, np.array(shape.answers) == label) for label in sorted(set(shape.answers))]

    def found(self, generator: np.random.Generator) -> list[Floats] | None:
        """Chances of both parties with which almost nothing is missing, from a start of the generator's."""
        start = generator.normal(scale=1.5, size=sum(nodes * lines for nodes, lines in self.sizes))
        found = least_by_gradient(self.missing, start, maxiter=STEPS, ftol=0, gtol=1e-9)
        return [_chance(logits) for logits in self._sides(found.x)] if found.fun < NEAR else None

    def _sides(self, values: Floats) -> list[Floats]:
        cut = self.sizes[0][0] * self.sizes[0][1]
        return [part.reshape(size) for part, size in zip((values[:cut], values[cut:]), self.sizes, strict=True)]

    def missing(self, values: Floats) -> tuple[float, Floats]:
        """Half the sum of squares of what each cell has too little, and its gradient."""
        sides, total = self._sides(values), 0.0
        reached = [np.exp(one.T @ _log(logits) + zero.T @ _log(-logits))
                   for (zero, one), logits in zip(self.turns, sides, strict=True)]  # fmt: skip
        slopes = [np.zeros_like(plan) for plan in reached]
        for cells, leaves in self.own:
            right = reached[0][leaves].T @ reached[1][leaves]
            lost = np.where(cells, np.maximum(0, self.success - right), 0)
            total += float((lost**2).sum()) / 2
            slopes[0][leaves] -= reached[1][leaves] @ lost.T
            slopes[1][leaves] -= reached[0][leaves] @ lost
        parts = []
        for (zero, one), logits, slope, plan in zip(self.turns, sides, slopes, reached, strict=True):
            weight = slope * plan
            parts.append(one @ weight - _chance(logits) * ((zero + one) @ weight))
        return total, np.concatenate([part.ravel() for part in parts])


def _log(logits: Floats) -> Floats:
    """The logarithms of chances."""
    return np.asarray(-np.logaddexp(0, -logits))


def _chance(logits: Floats) -> Floats:
    return np.asarray(np.exp(_log(logits)))
