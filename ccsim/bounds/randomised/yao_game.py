"""Yao's game for one matrix and one number of bits: mixtures of protocol trees against distributions on cells.

First both sides learn: cells that are often answered wrong get more weight, and the best protocol answers (Freund and
Schapire 1999). The averages are soon close to the value. Then a linear program over the protocols that were met is
solved, and others are added as they are needed. The best protocols against a distribution come from
:mod:`ccsim.bounds.randomised.yao`, in integers. Floats only search: the mixture's success on every cell and the best
protocol against the distribution are computed from rationals.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Witness
from ccsim.bounds.randomised.symmetry import averaged, look_alikes
from ccsim.bounds.randomised.yao import MOST_WEIGHT, Leaf, best_protocols, right_cells, tree_json
from ccsim.bounds.rationals import as_text, common_integers, normalised, solve
from ccsim.bounds.solvers import matrix_game
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix, MergedMatrix

Array = npt.NDArray[Any]

NEAR = 1e-9  # what the solver's floats may be off by
CLOSE = 1e-6  # from here on the exact solution may be told from the floats
FEW = 25  # cells for which nothing has to be learnt
LESSONS = (
    250,
    1000,
)  # after so many the linear program is tried; 4000 take longer than they save
ANSWERS = 6  # protocols for each distribution that the linear program proposes


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
    trees: list[Any] = field(default_factory=list)
    right: list[Array] = field(default_factory=list)
    mixture: dict[int, Fraction] = field(default_factory=dict)
    distribution: list[Fraction] = field(default_factory=list)
    places: dict[bytes, int] = field(default_factory=dict, repr=False)

    most_weight: ClassVar[int] = MOST_WEIGHT

    def __post_init__(self) -> None:
        self.merged: MergedMatrix = self.matrix.merge()
        self.codes = self.merged.matrix.codes.astype(np.int64)
        self.cells = np.argwhere(self.codes != DONT_CARE)
        if not len(self.cells):
            raise InputError("matrix", self.matrix, "at least one promised cell")
        self.alike = look_alikes(self.codes)[tuple(self.cells.T)]
        self.lessons = _Lessons(len(self.cells))

    def play(self) -> None:
        """Add best answers until both sides meet, the target is decided, or time is over; then it may go on."""
        if not self.trees:
            count = len(self.cells)
            self._answer([Fraction(1, count)] * count)
            self._take_mixture([Fraction(1)])
            for protocol in self._constants():
                self._add(protocol)
        for lessons in LESSONS if len(self.cells) > FEW else ():
            if not self._learn(lessons):
                return
            if self.target is not None and not self._settled() and self._round() is not None:
                break
        while not self._settled():
            if self._round() is not None or self._late():
                return

    def _late(self) -> bool:
        """Whether time is over; then the best mixture so far is taken."""
        if time.monotonic() <= self.deadline:
            return False
        game = self._restricted_game(at_least=1.0)
        if game is not None:
            self._take_mixture(normalised(game[0]))
        return True

    def _learn(self, most: int) -> bool:
        """Answer what the cells have learnt, up to so many lessons; False if time is over."""
        taught = self.lessons
        while taught.count < most and not self._settled():
            if time.monotonic() > self.deadline:
                return False
            shares = normalised(taught.shares())
            place = self._answer(shares)
            taught.hear(place, self.right[place])
            if taught.count in LESSONS:
                self._answer(normalised(taught.average()))
                self._take_mixture(taught.mixture(len(self.trees)))
        return True

    def _round(self) -> bool | None:
        """Solve the restricted game and answer it; None if there may be more to come, else whether it was solved."""
        game = self._restricted_game()
        if game is None:
            return False
        weights, hard, value = game
        self._take_mixture(normalised(weights))
        if float(self.upper) - value < CLOSE and not self._finish(weights, hard, value):
            return True
        best = np.array([float(share) for share in self.distribution])
        for guess in (averaged(hard, self.alike), (hard + best) / 2, hard):  # the first two lead there faster
            if self._settled() or self._is_news(normalised(guess), hard, value):
                break
        return None

    def _settled(self) -> bool:
        if self.target is not None:
            return self.lower >= self.target or self.upper < self.target
        return self.lower == self.upper

    def _answer(self, shares: list[Fraction], count: int = 1) -> int:
        """The best protocols against a distribution, exactly; the place of the first."""
        integers = common_integers(shares)
        weights = np.zeros(self.codes.shape, dtype=np.int64 if sum(integers) < MOST_WEIGHT else object)
        weights[tuple(self.cells.T)] = integers
        most, trees = self._best(weights, count)
        if not self.distribution or Fraction(most, sum(integers)) < self.upper:
            self.upper, self.distribution = Fraction(most, sum(integers)), shares
        places = [self._add(tree) for tree in trees]
        return places[0]

    def _is_news(self, shares: list[Fraction], hard: Array, value: float) -> bool:
        """Whether a best protocol against a distribution is news to the restricted game."""
        place = self._answer(shares, ANSWERS)
        return float(self.right[place] @ hard) > value + NEAR

    def _constants(self) -> list[Any]:
        """Protocols that say the same whatever the inputs are."""
        return [Leaf(label) for label in range(len(self.matrix.labels))]

    def _best(self, weights: Array, count: int) -> tuple[int, list[Any]]:
        """The most weight on which a protocol is right, such a protocol, and others."""
        return best_protocols(weights, self.codes, self.bits, count)

    def _right(self, tree: Any) -> Array:
        """Where a protocol is right."""
        return right_cells(tree, self.codes)

    def _add(self, tree: Any) -> int:
        """The place of the first protocol that is right where this one is."""
        right = self._right(tree)[tuple(self.cells.T)].astype(np.int64)
        place = self.places.setdefault(right.tobytes(), len(self.trees))
        if place == len(self.trees):
            self.trees.append(tree)
            self.right.append(right)
        return place

    def _restricted_game(self, at_least: float = 0.01) -> tuple[Array, Array, float] | None:
        """Mixture, distribution and value when only the protocols found so far may be used (floats); None if late."""
        time_limit = max(at_least, self.deadline - time.monotonic())
        game = matrix_game(np.array(self.right, dtype=np.float64), time_limit=time_limit)
        if game is None:
            return None
        value, distribution, mixture = game
        return mixture, distribution, value

    def _take_mixture(self, weights: Sequence[Fraction]) -> None:
        chosen = {place: weight for place, weight in enumerate(weights) if weight}
        integers = common_integers(list(chosen.values()))
        sums = np.zeros(len(self.cells), dtype=object)
        for place, weight in zip(chosen, integers, strict=True):
            right = self.right[place]
            sums = sums + (right if weight < MOST_WEIGHT else right.astype(object)) * weight
        success = Fraction(int(min(sums)), sum(integers))
        if not self.mixture or success > self.lower:
            self.lower, self.mixture = success, chosen

    def _finish(self, weights: Array, hard: Array, value: float) -> bool:
        """The rationals that the floats stand for, where they can be told; whether the game goes on after that."""
        right = np.array(self.right)
        self._take_mixture(_vertex(right.T, weights, value) or self.mixture_as_list())
        before = len(self.right)
        for shares in (_vertex(right, hard, value), _simple(averaged(hard, self.alike)), normalised(hard)):
            if shares and not self._settled() and sum(common_integers(shares)) < self.most_weight:
                self._answer(shares)
        return len(self.right) > before and not self._settled()

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
        return {"kind": "hard-distribution", "bits": self.bits, "cells": self.shares_of_cells()}

    def shares_of_cells(self) -> list[list[Any]]:
        """The cells that have a share, as witnesses list them."""
        rows, columns = self.merged.rows, self.merged.columns
        return [
            [int(rows[row]), int(columns[column]), as_text(share)]
            for (row, column), share in zip(self.cells.tolist(), self.distribution, strict=True)
            if share
        ]


class _Lessons:
    """What cells learn that want to be answered wrong: exponential weights, whose step shrinks."""

    def __init__(self, cells: int) -> None:
        self.right, self.total, self.count = np.zeros(cells), np.zeros(cells), 0
        self.answers: dict[int, int] = {}

    def shares(self) -> Array:
        """A distribution: the more often a cell was answered right, the less it gets."""
        step = np.sqrt(4 * np.log(len(self.right)) / (self.count + 1))
        weights = np.exp(-step * (self.right - self.right.min()))
        return np.asarray(weights / weights.sum())

    def hear(self, place: int, right: Array) -> None:
        """The answer to it: a protocol, and where that is right."""
        self.total += self.shares()
        self.right += right
        self.count += 1
        self.answers[place] = self.answers.get(place, 0) + 1

    def average(self) -> Array:
        """The mean distribution, which is hard for all protocols alike."""
        return self.total / self.count

    def mixture(self, trees: int) -> list[Fraction]:
        """Each protocol as often as it answered."""
        return [Fraction(self.answers.get(place, 0), self.count) for place in range(trees)]


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
