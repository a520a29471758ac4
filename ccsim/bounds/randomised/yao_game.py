"""Yao's game for one matrix and one number of bits: mixtures of protocol trees against distributions on cells.

Solved as a linear program by column generation, where the best protocol against a distribution comes from
:mod:`ccsim.bounds.randomised.yao`, in integers. Floats only search: the mixture's success on every cell and the best
protocol against the distribution are computed from rationals.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Witness
from ccsim.bounds.randomised.symmetry import averaged, look_alikes
from ccsim.bounds.randomised.yao import MOST_WEIGHT, Leaf, Tree, best_protocol, right_cells, tree_json
from ccsim.bounds.rationals import as_text, common_integers, normalised, solve
from ccsim.bounds.solvers import linear_program
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix, MergedMatrix

__all__ = ["YaoGame"]

Array = npt.NDArray[Any]

NEAR = 1e-9  # what the solver's floats may be off by
CLOSE = 1e-6  # from here on the exact solution may be told from the floats


@dataclass
class YaoGame:
    """Yao's game for one matrix and one number of bits.

    ``lower`` and ``upper`` are proved by ``mixture`` (rational weights of ``trees``) and ``distribution``.
    With a ``target`` the play stops once it is clear on which side of it the value lies.
    """

    matrix: CommunicationMatrix
    bits: int
    deadline: float
    target: Fraction | None = None
    lower: Fraction = Fraction(0)
    upper: Fraction = Fraction(1)
    trees: list[Tree] = field(default_factory=list)
    right: list[Array] = field(default_factory=list)
    mixture: dict[int, Fraction] = field(default_factory=dict)
    distribution: list[Fraction] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.merged: MergedMatrix = self.matrix.merge()
        self.codes = self.merged.matrix.codes.astype(np.int64)
        self.cells = np.argwhere(self.codes != DONT_CARE)
        if not len(self.cells):
            raise InputError("matrix", self.matrix, "at least one promised cell")
        self.alike = look_alikes(self.codes)[tuple(self.cells.T)]

    def play(self) -> None:
        """Add best answers until both sides meet, the target is decided, or time is over; then it may go on."""
        if not self.trees:
            count = len(self.cells)
            self._answer([Fraction(1, count)] * count)
            self._take_mixture([Fraction(1)])
            for label in range(len(self.matrix.labels)):
                self._add(Leaf(label))
        while not self._settled():
            game = self._restricted_game()
            if game is None:
                return
            weights, hard, value = game
            self._take_mixture(normalised(weights))
            if float(self.upper) - value < CLOSE and not self._finish(weights, hard, value):
                return
            best = np.array([float(share) for share in self.distribution])
            for guess in (averaged(hard, self.alike), (hard + best) / 2, hard):  # the first two lead there faster
                if self._settled() or self._answer(normalised(guess), hard, value):
                    break
            if time.monotonic() > self.deadline:
                game = self._restricted_game(at_least=1.0)
                if game is not None:
                    self._take_mixture(normalised(game[0]))
                return

    def _settled(self) -> bool:
        if self.target is not None:
            return self.lower >= self.target or self.upper < self.target
        return self.lower == self.upper

    def _answer(self, shares: list[Fraction], hard: Array | None = None, value: float = 0.0) -> bool:
        """The best protocol against a distribution, exactly; whether it is news to the restricted game."""
        integers = common_integers(shares)
        if sum(integers) >= MOST_WEIGHT:
            return False
        weights = np.zeros(self.codes.shape, dtype=np.int64)
        weights[tuple(self.cells.T)] = integers
        most, tree = best_protocol(weights, self.codes, self.bits)
        if not self.distribution or Fraction(most, sum(integers)) < self.upper:
            self.upper, self.distribution = Fraction(most, sum(integers)), shares
        right = self._add(tree)
        return hard is None or float(right @ hard) > value + NEAR

    def _add(self, tree: Tree) -> Array:
        right = right_cells(tree, self.codes)[tuple(self.cells.T)].astype(np.int64)
        self.trees.append(tree)
        self.right.append(right)
        return right

    def _restricted_game(self, at_least: float = 0.01) -> tuple[Array, Array, float] | None:
        """Mixture, distribution and value when only the protocols found so far may be used (floats); None if late."""
        right = np.array(self.right, dtype=np.float64)
        protocols, cells = right.shape
        result = linear_program(
            np.append(np.zeros(cells), 1.0),
            A_ub=np.column_stack([right, -np.ones(protocols)]),
            b_ub=np.zeros(protocols),
            A_eq=np.append(np.ones(cells), 0.0)[None, :],
            b_eq=[1.0],
            bounds=[(0, None)] * cells + [(None, None)],
            method="highs-ds",
            options={"time_limit": max(at_least, self.deadline - time.monotonic())},
        )
        if result.status != 0:
            return None
        return np.maximum(0, -result.ineqlin.marginals), np.maximum(0, result.x[:-1]), float(result.x[-1])

    def _take_mixture(self, weights: Sequence[Fraction]) -> None:
        chosen = {place: weight for place, weight in enumerate(weights) if weight}
        integers = common_integers(list(chosen.values()))
        sums = np.zeros(len(self.cells), dtype=object)
        for place, weight in zip(chosen, integers, strict=True):
            sums = sums + self.right[place] * weight
        success = Fraction(int(min(sums)), sum(integers))
        if not self.mixture or success > self.lower:
            self.lower, self.mixture = success, chosen

    def _finish(self, weights: Array, hard: Array, value: float) -> bool:
        """The rationals that the floats stand for, where they can be told; whether the game goes on after that."""
        right = np.array(self.right)
        self._take_mixture(_vertex(right.T, weights, value) or self.mixture_as_list())
        before = len({row.tobytes() for row in self.right})
        for shares in (_vertex(right, hard, value), _simple(averaged(hard, self.alike)), normalised(hard)):
            if shares and not self._settled():
                self._answer(shares)
        return len({row.tobytes() for row in self.right}) > before and not self._settled()

    def mixture_as_list(self) -> list[Fraction]:
        """The mixture with a weight for each protocol found so far."""
        return [self.mixture.get(place, Fraction(0)) for place in range(len(self.trees))]

    def mixture_witness(self) -> Witness:
        """The mixture as plain data."""
        classes = (self.merged.row_class, self.merged.column_class)
        trees = [
            {"weight": as_text(weight), "tree": tree_json(self.trees[place], *classes)}
            for place, weight in self.mixture.items()
        ]
        return {"kind": "protocol-mixture", "trees": trees}

    def distribution_witness(self) -> Witness:
        """The distribution as plain data, on one cell for each class of equal rows and columns."""
        rows, columns = self.merged.rows, self.merged.columns
        cells = [
            [int(rows[row]), int(columns[column]), as_text(share)]
            for (row, column), share in zip(self.cells.tolist(), self.distribution, strict=True)
            if share
        ]
        return {"kind": "hard-distribution", "bits": self.bits, "cells": cells}


def _vertex(game: Array, strategy: Array, value: float) -> list[Fraction] | None:
    """The exact strategy with this support that makes all tight rows of ``game`` equal; None if not unique."""
    support = np.flatnonzero(strategy > NEAR)
    tight = np.flatnonzero(np.abs(game[:, support] @ strategy[support] - value) < NEAR)
    system = np.column_stack([game[np.ix_(tight, support)], -np.ones(len(tight), dtype=np.int64)])
    system = np.vstack([system, np.append(np.ones(len(support), dtype=np.int64), 0)])
    exact = solve(system, np.append(np.zeros(len(tight), dtype=np.int64), 1))
    if exact is None or min(exact[:-1]) < 0:
        return None
    shares = [Fraction(0)] * len(strategy)
    for place, share in zip(support.tolist(), exact[:-1], strict=True):
        shares[place] = share
    return shares


def _simple(strategy: Array) -> list[Fraction]:
    """A distribution of small rationals near floats."""
    shares = [Fraction(float(share)).limit_denominator(5040) for share in strategy]
    return [share / sum(shares) for share in shares]
