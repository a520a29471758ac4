"""The rectangle bound (corruption), the smooth one and the partition bound, exactly, for tiny matrices and parts.

Linear programs over all rectangles (Jain and Klauck 2010), at most the number of leaves of a public-coin protocol. The
duals put weights on cells so that no rectangle weighs more than 1; the heaviest one is found by going through the sets
of the smaller side, so rectangles are added as needed. The proofs are in :mod:`ccsim.certificates.verify`.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.bounds.bit_matrix import members
from ccsim.bounds.bracket import (
    NO_ERROR,
    UNKNOWN,
    Bracket,
    Finding,
    Side,
    Witness,
    as_text,
    coins_bound,
    improved,
    last_of,
    require_error,
    timed,
)
from ccsim.bounds.covers import COVER_STEPS
from ccsim.bounds.covers import brackets_of as covers
from ccsim.bounds.rectangles import Rectangle, code_of, strips
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.solvers import PackingProgram, common_integers, solve
from ccsim.bounds.symmetries import (
    Symmetry,
    averaged,
    composed,
    look_alikes,
    moved,
    some_symmetries,
    symmetric_submatrices,
)
from ccsim.bounds.yao import subset_sums
from ccsim.certificates.verify import Refused, check
from ccsim.errors import Array, InputError, require_fraction
from ccsim.matrices import DONT_CARE, CommunicationMatrix, MergedMatrix
from ccsim.problems.function import Subject, matrix_of

MOST_ROWS = 16  # rows, or columns, after merging
FEW_ROWS = 12  # likewise: a table of so many has few rectangles
MOST_CELLS = 512
USUAL = 30.0  # seconds where nobody sets a limit
MOST_WHOLE = 256  # rows, and columns, of a table of which parts are looked at


@timed
def partition_bound(matrix: Subject, error: Fraction | str, seconds: float = 60.0) -> Bracket:
    """prt_error: the least sum of weights of labelled rectangles that answer as an error-prone protocol does.

    Args:
        matrix: Boolean, multi-valued or partial. After merging, with at most 16 rows (or columns) and 512 cells a
            program is solved; with up to 256 rows and columns there is a lower side, by parts in which rows look alike.
        error: at least 0 and below 1.
        seconds: after so long, only the lower bound is given.

    >>> print(partition_bound(CommunicationMatrix.from_array([[1, 0], [0, 1]]), "0"))
    partition-bound = 4 rectangles (weights of cells | weights of rectangles)
    """
    return _solve(matrix_of(matrix), error, None, seconds)


@timed
def rectangle_bound(
    matrix: Subject,
    *,
    label: Hashable = 1,
    error: Fraction | str | int = Fraction(1, 3),
    smooth: bool = False,
    seconds: float | None = 30.0,
) -> Bracket:
    """The rectangle (corruption) bound, or the smooth one, of one answer.

    The least total weight on rectangles with at least 1 - error on every cell of the answer (at most 1 if ``smooth``)
    and at most ``error`` on every other promised cell. With public coins at least log2 of it bits are needed.

    Args:
        matrix: any labels, at most 12 rows or columns and 1024 cells.
        label: the answer.
        error: the error allowed on each input, below 1/2.
        seconds: a limit on the search.

    >>> rectangle_bound([[1, 0], [0, 1]], label=1, error="0").lower
    Fraction(2, 1)
    """
    matrix, allowed = matrix_of(matrix), require_error(error)
    code = code_of(matrix, label)
    if not is_small(matrix):
        raise InputError("matrix", matrix, f"at most {FEW_ROWS} rows or columns, and 1024 cells")
    return _solve(matrix, allowed, code, seconds, smooth)


@timed
def fractional_cover_number(matrix: Subject, label: Hashable = 1, *, seconds: float | None = 30.0) -> Bracket:
    """The least total weight on rectangles of an answer such that each of its entries is in weight 1 at least.

    It is the rectangle bound without error. The cover number is at most 1 + ln(number of entries) times as large
    (Lovász 1975).

    Args:
        matrix: any labels. It is exact up to about 16 different rows or columns; beyond, what bounds the cover number
            bounds it.
        label: the answer.
        seconds: a limit on the search.

    Returns:
        A bracket in rectangles, of fractions. Below: weights on entries; above: weights on rectangles.

    >>> print(fractional_cover_number([[0, 1, 1], [1, 0, 1], [1, 1, 0]]))
    fractional-cover = 3 rectangles (weights of cells | lines)
    """
    matrix = matrix_of(matrix)
    trivial = fractional_trivial(matrix, code_of(matrix, label))
    return last_of(improved(trivial, fractional_findings(matrix, trivial.parameters, Clock.within(seconds))))


def fractional_trivial(matrix: CommunicationMatrix, code: int) -> Bracket:
    """At least 1 if there is an entry; at most a rectangle for each row that has one, or for each column."""
    listed = strips(matrix.codes == code)
    witness = _of_weight_1(code, listed)
    parameters = {"code": code, "label": repr(matrix.labels[code]), **NO_ERROR}
    sides = Side(int(bool(listed)), "trivial"), Side(len(listed), "lines", witness)
    return Bracket("rectangle-bound", *sides, parameters, "rectangles")


def _of_weight_1(code: int, rectangles: Sequence[Rectangle]) -> Witness:
    listed = [[*rectangle.as_data(), code, "1/1"] for rectangle in rectangles]
    return {"kind": "weighted-rectangles", "rectangles": listed}


def fractional_findings(matrix: CommunicationMatrix, given: dict[str, Any], clock: Clock) -> Iterator[Finding | None]:
    """The program, where it is small; else what bounds covers. Weights of a cover's lower bound are checked as such."""
    code = given["code"]
    if not (matrix.codes == code).any():
        return
    turn, small = Clock(), matrix.merge().matrix
    if min(small.shape) <= MOST_ROWS and small.codes.size <= 2 * MOST_CELLS:
        yield None
        found = _solve(matrix, "0", code, clock.left(USUAL) / 2, smooth=False)
        yield "lower", found.lower, *found.below[1:]
        if found.upper is not None:
            yield "upper", found.upper, *found.above[1:]
    for cover in covers(matrix, code, "cover", COVER_STEPS, turn):  # each has what the next one may lose
        if cover is None:
            yield None
            turn.end = Clock.within(clock.share(1) or USUAL / 2).end
            continue
        lower, upper = cover.lower_witness or {}, cover.upper_witness
        lower = lower.get("of", lower)
        if upper is not None:
            whole = [Rectangle(int(rows, 16), int(columns, 16)) for rows, columns in upper["rectangles"]]
            yield "upper", len(whole), "cover", _of_weight_1(code, whole)
        if lower.get("kind") == "fooling-set":
            yield "lower", len(lower["cells"]), "fooling set of the cover, without certificate", None
        if lower.get("kind") == "cover-weights":
            total = Fraction(sum(weight for *_, weight in lower["weights"]), lower["at_most"])
            yield "lower", total, "weights of the cover, without certificate", None


@timed
def randomised_by_corruption(
    matrix: Subject,
    *,
    label: Hashable = 1,
    error: Fraction | str | int = Fraction(1, 3),
    smooth: bool = True,
    seconds: float | None = 30.0,
) -> Bracket:
    """log2 of the rectangle bound, rounded up: a lower bound on public-coin communication with this error, in bits.

    >>> randomised_by_corruption(CommunicationMatrix.from_array([[1, 0], [0, 1]]), label=1, error="0").lower
    1
    """
    bound = rectangle_bound(matrix, label=label, error=error, smooth=smooth, seconds=seconds)
    return _in_bits(bound, "rectangle bound")


@timed
def smooth_rectangle_bound(
    matrix: Subject,
    *,
    label: Hashable = 1,
    error: Fraction | str | int = Fraction(1, 3),
    seconds: float = 60.0,
) -> Bracket:
    """srec_error of one answer; the other arguments are as for :func:`partition_bound`.

    It is never more than the partition bound.

    >>> print(smooth_rectangle_bound(CommunicationMatrix.from_array([[1, 0], [0, 1]]), label=1, error="0"))
    rectangle-bound = 2 rectangles (weights of cells | weights of rectangles)
    """
    matrix = matrix_of(matrix)
    return _solve(matrix, require_fraction("error", error), code_of(matrix, label), seconds)


@timed
def partition_bits(matrix: Subject, error: Fraction | str, seconds: float = 60.0) -> Bracket:
    """R_error^pub is at least the logarithm of the partition bound, rounded up: bits are whole.

    Public coins, both parties know the answer, worst-case bits. There is no upper bound.

    >>> partition_bits(CommunicationMatrix.from_array([[1, 0], [0, 1]]), "0").lower
    2
    """
    return _in_bits(partition_bound(matrix, error, seconds), "logarithm of the partition bound")


@timed
def smooth_rectangle_bits(matrix: Subject, error: Fraction | str, seconds: float = 60.0) -> Bracket:
    """R_error^pub is at least the logarithm of the smooth rectangle bound of any label; the best of them."""
    matrix = matrix_of(matrix)
    share = seconds / max(1, len(matrix.labels))
    bounds = [smooth_rectangle_bound(matrix, label=label, error=error, seconds=share) for label in matrix.labels]
    return _in_bits(max(bounds, key=lambda bound: bound.lower), "logarithm of the smooth rectangle bound")


def _in_bits(bound: Bracket, by: str) -> Bracket:
    given = {name: value for name, value in bound.parameters.items() if name in ("code", "smooth")}
    error = Fraction(bound.parameters["error"])
    return coins_bound(by, error, bound.lower, bound.measure, bound.lower_witness, **given)


def is_small(matrix: CommunicationMatrix) -> bool:
    """Whether a table has so few rectangles that a program can choose from them."""
    return min(matrix.shape) <= FEW_ROWS and matrix.codes.size <= 2 * MOST_CELLS


def _solve(
    matrix: CommunicationMatrix, error: Fraction | str, label: int | None, seconds: float | None, smooth: bool = True
) -> Bracket:
    clock, allowed, merged = Clock.within(seconds), require_error(error, 1), matrix.merge()
    codes = merged.matrix.codes.astype(np.int64)
    if not (codes != DONT_CARE).any():
        raise InputError("matrix", matrix, "at least one promised cell")
    if not 0 < min(codes.shape) <= max(codes.shape) <= MOST_WHOLE:
        raise InputError("matrix", codes.shape, f"1 to {MOST_WHOLE} rows and as many columns")
    kind = "partition-bound" if label is None else "rectangle-bound"
    parameters: dict[str, Any] = {"answer": "both", "coins": "public", "error": as_text(allowed)}
    if label is not None:
        parameters = {"code": label, "error": as_text(allowed), "smooth": smooth}
    if min(codes.shape) > MOST_ROWS or codes.size > (MOST_CELLS if label is None else 2 * MOST_CELLS):
        value, witness = _of_parts(merged, allowed, label, clock)
        below = Side(value, "weights of cells of a part", witness)
        return Bracket(kind, below, UNKNOWN, parameters, "rectangles")
    program = _program(codes, allowed, label, smooth)
    values, weights = program.maximise(clock)
    exact, cover = program.rational(values), program.covering(weights)
    witness = _cell_witness(program, (merged.rows, merged.columns), exact, label)
    bracket = Bracket(kind, Side(program.sum(exact), "weights of cells", witness), UNKNOWN, parameters, "rectangles")
    if cover is not None:
        witness = weighted_rectangles(merged, cover, range(len(program.weight)) if label is None else (label,))
        with suppress(Refused):  # the floats were off: no upper bound, then
            upper = check(matrix.codes.tolist(), kind, "upper", parameters, witness)
            return bracket.at_most(upper, "weights of rectangles", witness)
    return bracket


def _of_parts(merged: MergedMatrix, error: Fraction, label: int | None, clock: Clock) -> tuple[Fraction, Witness]:
    codes = merged.matrix.codes.astype(np.int64)
    bounds: list[tuple[Fraction, Witness]] = []
    for rows, columns in symmetric_submatrices(codes, clock):
        if bounds and clock.over:
            break
        program = _program(codes[np.ix_(rows, columns)], error, label)
        program.alike = True
        exact = program.rational(program.maximise(clock)[0])
        places = merged.rows[rows], merged.columns[columns]
        bounds.append((program.sum(exact), _cell_witness(program, places, exact, label)))
    if not bounds:
        expected = f"at most {MOST_ROWS} rows or columns and {MOST_CELLS} cells, or parts in which rows look alike"
        raise InputError("matrix", codes.shape, expected)
    return max(bounds, key=lambda pair: pair[0])


def _program(codes: Array, error: Fraction, label: int | None, smooth: bool = True) -> RectangleWeightLP:
    if label is not None:
        inside, outside = np.argwhere(codes == label), np.argwhere((codes != label) & (codes != DONT_CARE))
        less = inside[: len(inside) * smooth]  # the weight is at most 1
        gain = [1 - error] * len(inside) + [Fraction(-1)] * len(less) + [-error] * len(outside)
        signs = np.repeat([1, -1, -1], [len(inside), len(less), len(outside)])
        cells = np.concatenate([inside, less, outside])
        return RectangleWeightLP(codes, cells, gain, [signs], np.zeros(len(gain), dtype=bool))
    promised, every = np.argwhere(codes != DONT_CARE), np.argwhere(codes == codes)
    free = np.arange(len(promised) + len(every)) >= len(promised)
    own = np.append(codes[tuple(promised.T)], np.full(len(every), DONT_CARE))
    labels = range(max(1, int(codes.max()) + 1))
    gain = [1 - error] * len(promised) + [Fraction(1)] * len(every)
    weight = [(free | (own == label)).astype(np.int64) for label in labels]
    return RectangleWeightLP(codes, np.concatenate([promised, every]), gain, weight, free)


def _cell_witness(
    program: RectangleWeightLP, places: tuple[Array, Array], values: list[Fraction], label: int | None
) -> Witness:
    totals: dict[tuple[int, int], list[Fraction]] = {}
    signs = np.ones(len(values), dtype=np.int64) if label is None else program.weight[0]
    for place, value, free, sign in zip(program.cell.tolist(), values, program.free, signs.tolist(), strict=True):
        totals.setdefault(tuple(place), [Fraction(0), Fraction(0)])[int(free)] += value * sign
    cells = []
    for (row, column), (mu, phi) in totals.items():
        if label is not None:  # above 0 on cells of the answer alone; off it, mu is -phi
            mu, phi = max(mu, Fraction(0)) if program.codes[row, column] == label else -mu, min(mu, Fraction(0))
        if mu or phi:
            cells.append([int(places[0][row]), int(places[1][column]), as_text(mu), as_text(phi)])
    return {"kind": "cell-weights", "cells": cells}


def weighted_rectangles(
    merged: MergedMatrix, weights: dict[tuple[int, int, int], Fraction], answers: Sequence[int]
) -> Witness:
    listed = [
        [*Rectangle(*merged.original(mine, yours)).as_data(), answers[which], as_text(weight)]
        for (which, mine, yours), weight in weights.items()
        if weight
    ]
    return {"kind": "weighted-rectangles", "rectangles": listed}


NEAR = 1e-9  # what the solver's floats may be off by
ROUNDS = 400
LEAST = 0.2  # seconds for a linear program: without any there is nothing
AT_ONCE = 10  # rows of which all sets are tried in one step
IMAGES = 3  # of rectangles, for each cell
STEADY = 0.5  # of the best variables so far, where those of the program are not yet good
ADDED = 12  # rectangles at most that are added for each label, once weights are found


@dataclass
class RectangleWeightLP:
    """Weights on cells (variables) of the largest sum such that for no label a rectangle weighs more than 1.

    ``gain[v]`` is what variable v adds to the sum, ``cell[v]`` where it lies, ``weight[z][v]`` what it adds there for
    the z-th label; ``free[v]``: it may be negative. If ``alike``, variables on cells that look alike are equal.
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
        values, weights = self._rounds(classes, clock)  # few variables, and a good first pool
        if self.alike or classes.max() == len(classes) - 1:
            return values, weights
        self._add_images(weights, clock)
        values, shares = self._rounds(np.arange(len(classes)), clock, values)
        return values, shares if shares.any() else np.append(weights, np.zeros(len(shares) - len(weights)))

    def _rounds(self, classes: Array, clock: Clock, start: Array | None = None) -> tuple[Array, Array]:
        """Equal variables in each class, and rectangles added until none weighs too much."""
        gain = np.array([float(value) for value in self.gain])
        tie = _tie(classes)
        best = np.zeros(len(gain)) if start is None else start
        program = PackingProgram(gain @ tie, self.free[np.unique(classes, return_index=True)[1]])
        done, weights = False, np.zeros(0)
        for _ in range(ROUNDS):
            program.add(np.array(list(self.pool.values())[program.rows :]) @ tie)
            solved = program.solve(max(LEAST, clock.left()))
            if solved is None:
                break
            most, weights = tie @ solved[0], solved[1]
            for values in (averaged(most, self._classes), STEADY * best + (1 - STEADY) * most, most)[self.alike :]:
                heaviest = self._separate(values)
                if float(gain @ values) > float(gain @ best) * heaviest:
                    best = values / heaviest
                done = heaviest <= 1 + NEAR and gain @ values >= gain @ most - NEAR  # as good as with fewer rectangles
                if done:
                    best = values
                    break
            if done or gain @ most <= gain @ best + NEAR or clock.over:
                break
        return best, np.append(weights, np.zeros(len(self.pool) - len(weights)))

    def _add_images(self, weights: Array, clock: Clock) -> None:
        """Add the images, by symmetries, of rectangles with weight: so many that they may average over all cells."""
        rng = random.Random(0)
        generators = some_symmetries(self.codes, rng, clock)
        heavy = [key for key, weight in zip(list(self.pool), weights.tolist(), strict=True) if weight > NEAR]
        if not generators:
            return
        image = generators[0]
        for _ in range(IMAGES * len(self.cell) // max(1, len(heavy))):
            for which, mine, yours in heavy:
                self._add(which, moved(mine, image.rows), moved(yours, image.columns))
            step = rng.choice(generators)
            image = Symmetry(composed(image.rows, step.rows), composed(image.columns, step.columns))

    def _separate(self, values: Array) -> float:
        heaviest = 0.0
        for which, weight in enumerate(self.weight):
            table = self._table(weight * values)
            gains, own = _column_gains(table), _smaller_side(table)
            order = np.argsort(-gains)[:ADDED]
            heaviest = max(heaviest, float(gains[order[0]]))
            for mask in order[gains[order] > 1 + NEAR].tolist():
                sums = own[members(mask)].sum(axis=0)
                other = sum(1 << place for place, total in enumerate(sums) if total > 0)
                self._add(which, *((mask, other) if own is table else (other, mask)))
        return heaviest

    def _table(self, values: Array) -> Array:
        table = np.zeros(self.codes.shape)
        np.add.at(table, tuple(self.cell.T), values)
        return table

    @cached_property
    def _classes(self) -> Array:
        classes = look_alikes(self.codes, walks=True)[tuple(self.cell.T)]
        gains = {gain: place for place, gain in enumerate(self.gain)}
        kinds = np.stack([classes, self.free, [gains[gain] for gain in self.gain], *self.weight])
        return np.unique(kinds, axis=1, return_inverse=True)[1].ravel()

    def _add(self, which: int, mine: int, yours: int) -> None:
        inside = np.ones(len(self.cell), dtype=np.int64)
        for mask, size, places in zip((mine, yours), self.codes.shape, self.cell.T, strict=True):
            digits = np.frombuffer(mask.to_bytes(size // 8 + 1, "little"), dtype=np.uint8)
            inside *= np.unpackbits(digits, bitorder="little")[places]
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


def _smaller_side(table: Array) -> Array:
    return table if table.shape[0] <= table.shape[1] else table.T


def _column_gains(table: Array) -> Array:
    """For each set of rows, or of columns if these are fewer, the sum of the positive sums across."""
    own = _smaller_side(table)
    within, beyond = subset_sums(own[:AT_ONCE]), subset_sums(own[AT_ONCE:])
    return np.concatenate([np.asarray(np.maximum(within + sums, 0).sum(axis=1)) for sums in beyond])


def _most_exactly(table: Array, near: Array) -> int:
    """The largest of :func:`_column_gains`, exactly, among those near it by floats (off by far less than allowed)."""
    gains, own = _column_gains(near), _smaller_side(table)
    likely = np.flatnonzero(gains >= gains.max() - NEAR * np.abs(near).sum())
    sets = (likely[:, None] >> np.arange(len(own)) & 1).astype(object)
    return int(np.maximum(sets @ own, 0).sum(axis=1).max())


def _tie(classes: Array) -> Array:
    return np.asarray((classes[:, None] == np.arange(classes.max() + 1)).astype(np.float64))
