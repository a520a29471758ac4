"""Weights on cells under which no rectangle weighs more than 1: linear programs with a constraint per rectangle."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from ccsim.bounds.clock import Clock
from ccsim.bounds.randomised.look_alikes import alike_by_walks, averaged, look_alikes
from ccsim.bounds.randomised.yao import subset_sums
from ccsim.bounds.rationals import common_integers, solve
from ccsim.bounds.solvers import linear_program
from ccsim.errors import Array

NEAR = 1e-9  # what the solver's floats may be off by
ROUNDS = 400
LEAST = 0.2  # seconds for a linear program: without any there is nothing
LONGEST = 1e9
AT_ONCE = 10  # lines of which all sets are tried in one step


@dataclass
class Weighing:
    """A program: variables are weights on cells; for each label asked about no rectangle weighs more than 1.

    ``gain[v]`` is what variable v adds to the sum that is maximised, ``cell[v]`` where it lies, and
    ``weight[z][v]`` what it adds to that cell for the z-th label; ``free[v]``: it may be negative. If ``alike``,
    variables on cells that look alike are equal, which makes few of many.
    """

    codes: Array
    cell: Array
    gain: list[Fraction]
    weight: list[Array]
    free: Array
    alike: bool = False
    pool: dict[tuple[int, int, int], Array] = field(default_factory=dict)

    def maximise(self, clock: Clock) -> tuple[Array, Array]:
        """Variables, and weights of the rectangles of the pool, as floats."""
        rows, columns = self.codes.shape
        classes = self._classes
        first = np.unique(classes, return_index=True)[1] if self.alike else np.arange(len(classes))
        for which in range(len(self.weight)):
            self._add(which, (1 << rows) - 1, (1 << columns) - 1)
            for row, column in dict.fromkeys(map(tuple, self.cell[first].tolist())):
                self._add(which, 1 << row, 1 << column)
        found, weights = self._rounds(classes, clock)  # few variables, and a good first pool
        if self.alike or classes.max() == len(classes) - 1:
            return found, weights
        found, shares = self._rounds(np.arange(len(classes)), clock, found)
        return found, shares if shares.any() else np.append(weights, np.zeros(len(shares) - len(weights)))

    def _rounds(self, classes: Array, clock: Clock, start: Array | None = None) -> tuple[Array, Array]:
        """The program with equal variables in each class, and rectangles added until none weighs too much."""
        gain = np.array([float(value) for value in self.gain])
        tie = _tie(classes)
        bounds = [(None, None) if self.free[classes == own][0] else (0, None) for own in range(tie.shape[1])]
        best = np.zeros(len(gain)) if start is None else start
        done, marginals = False, np.zeros(0)
        for _ in range(ROUNDS):
            limits = np.array(list(self.pool.values()), dtype=np.float64)
            ones, limit = np.ones(len(limits)), {"time_limit": max(LEAST, clock.left(LONGEST))}
            result = linear_program(
                -gain @ tie, A_ub=limits @ tie, b_ub=ones, bounds=bounds, method="highs-ds", options=limit
            )
            if result.status != 0:
                break
            marginals = result.ineqlin.marginals
            most = tie @ result.x
            for values in (averaged(most, self._classes), most)[self.alike :]:
                heaviest = self._separate(values)
                if float(gain @ values) > float(gain @ best) * heaviest:
                    best = values / heaviest
                done = heaviest <= 1 + NEAR  # as good as the program without the rectangles that are not in it
                if done:
                    best = values
                    break
            if done or gain @ most <= gain @ best + NEAR or clock.over:
                break
        weights = np.maximum(0, -marginals)
        return best, np.append(weights, np.zeros(len(self.pool) - len(weights)))

    def _separate(self, values: Array) -> float:
        heaviest = 0.0
        for which, weight in enumerate(self.weight):
            weights, heavy = _heavy(self._table(weight * values))
            heaviest = max(heaviest, weights)
            for mine, yours in heavy:
                self._add(which, mine, yours)
        return heaviest

    def _table(self, values: Array) -> Array:
        table = np.zeros(self.codes.shape)
        np.add.at(table, tuple(self.cell.T), values)
        return table

    @cached_property
    def _classes(self) -> Array:
        seen = alike_by_walks(self.codes) if self.alike else look_alikes(self.codes)
        classes = seen[tuple(self.cell.T)]
        gains = {gain: place for place, gain in enumerate(self.gain)}
        kinds = np.stack([classes, self.free, [gains[gain] for gain in self.gain], *self.weight])
        return np.unique(kinds, axis=1, return_inverse=True)[1].ravel()

    def _add(self, which: int, mine: int, yours: int) -> None:
        rows, columns = (_as_bits(mask, size) for mask, size in zip((mine, yours), self.codes.shape, strict=True))
        inside = rows[self.cell[:, 0]] * columns[self.cell[:, 1]]
        self.pool[which, mine, yours] = inside * self.weight[which]

    def heaviest(self, values: list[Fraction]) -> Fraction:
        integers = common_integers(values)
        scale = next((Fraction(whole) / value for whole, value in zip(integers, values, strict=True) if value), 1)
        kind = np.int64 if sum(map(abs, integers)) < 1 << 60 else object
        floats, most = np.array([float(value) for value in values]), 0
        for weight in self.weight:
            table = np.zeros(self.codes.shape, dtype=kind)
            for place, whole, sign in zip(self.cell.tolist(), integers, weight.tolist(), strict=True):
                table[tuple(place)] += whole * sign
            near = None if kind is np.int64 else self._table(weight * floats)
            most = max(most, int(_column_gains(table).max()) if near is None else _most_exactly(table, near))
        return Fraction(most) / scale

    def rational(self, values: Array) -> list[Fraction]:
        """Variables near the floats for which no rectangle weighs more than 1, exactly; the best guess of three."""
        classes = self._classes if self.alike else np.arange(len(values))
        limits = np.array(list(self.pool.values()))
        heights = averaged(values, classes)[np.unique(classes, return_index=True)[1]]
        tied = (limits @ _tie(classes)).astype(np.int64) if self.alike else limits
        support = np.flatnonzero(np.abs(heights) > NEAR)
        tight = np.flatnonzero(tied @ heights > 1 - NEAR)
        vertex = solve(tied[np.ix_(tight, support)], np.ones(len(tight), dtype=np.int64))
        guesses = [[Fraction(float(value)).limit_denominator(1 << size) for value in values] for size in (10, 30)]
        if vertex:
            exact = dict(zip(support.tolist(), vertex, strict=True))
            guesses.insert(0, [exact.get(own, Fraction(0)) for own in classes.tolist()])
        feasible = []
        for guess in guesses:
            guess = [value if free else max(value, Fraction(0)) for value, free in zip(guess, self.free, strict=True)]
            heaviest = self.heaviest(guess)
            feasible.append([value / heaviest if heaviest else Fraction(0) for value in guess])
            if heaviest == 1:
                break
        return max(feasible, key=self.sum)

    def sum(self, values: list[Fraction]) -> Fraction:
        return sum((gain * value for gain, value in zip(self.gain, values, strict=True)), Fraction(0))

    def covering(self, weights: Array) -> dict[tuple[int, int, int], Fraction] | None:
        """The other side's vertex, exactly: weights of rectangles that meet every variable's gain; None if unclear."""
        limits = np.array(list(self.pool.values()))
        support = np.flatnonzero(weights > NEAR)
        gain = np.array([float(value) for value in self.gain])
        tight = np.flatnonzero(np.abs(weights @ limits - gain) < NEAR)
        scale = common_integers([*self.gain, Fraction(1)])
        whole, one = np.array([scale[place] for place in tight], dtype=np.int64), scale[-1]
        exact = solve(limits[np.ix_(support, tight)].T, whole)
        if exact is None or min(exact, default=Fraction(0)) < 0:
            return None
        keys = list(self.pool)
        return {keys[place]: value / one for place, value in zip(support.tolist(), exact, strict=True)}


def _column_gains(table: Array) -> Array:
    """For each set of lines of the smaller side, the sum of the positive sums of the other lines."""
    lines = table if table.shape[0] <= table.shape[1] else table.T
    within, beyond = subset_sums(lines[:AT_ONCE]), subset_sums(lines[AT_ONCE:])
    return np.concatenate([np.asarray(np.maximum(within + sums, 0).sum(axis=1)) for sums in beyond])


def _most_exactly(table: Array, near: Array) -> int:
    """The most of what :func:`_column_gains` says, in long integers, for those sets alone which may have it by floats.

    Floats are off by far less than what is allowed here, a billionth of all weight.
    """
    gains = _column_gains(near)
    likely = np.flatnonzero(gains >= gains.max() - NEAR * np.abs(near).sum())
    lines = table if table.shape[0] <= table.shape[1] else table.T
    sets = (likely[:, None] >> np.arange(len(lines)) & 1).astype(object)
    return int(np.maximum(sets @ lines, 0).sum(axis=1).max())


def _as_bits(mask: int, size: int) -> Array:
    digits = np.frombuffer(mask.to_bytes(size // 8 + 1, "little"), dtype=np.uint8)
    return np.unpackbits(digits, bitorder="little")[:size].astype(np.int64)


def _tie(classes: Array) -> Array:
    return np.asarray((classes[:, None] == np.arange(classes.max() + 1)).astype(np.float64))


def _heavy(table: Array, most: int = 12) -> tuple[float, list[tuple[int, int]]]:
    gains = _column_gains(table)
    order = np.argsort(-gains)[:most]
    found = []
    for mask in order[gains[order] > 1 + NEAR].tolist():
        flipped = table.shape[0] > table.shape[1]
        lines = table.T if flipped else table
        sums = lines[[place for place in range(lines.shape[0]) if mask >> place & 1]].sum(axis=0)
        other = sum(1 << place for place, total in enumerate(sums) if total > 0)
        found.append((other, mask) if flipped else (mask, other))
    return float(gains[order[0]]), found
