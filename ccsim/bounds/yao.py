"""The best deterministic protocols of k bits under weights on the cells, by dynamic programming, and Yao's game.

V_k(R, C), the most weight of R x C on which a protocol of k bits is right, is the best of V_(k-1) on both halves over
Alice's splits and over Bob's; V_1 is, for the best two answers, the sum over the speaker's inputs of the larger weight.
Weights are integers. In the game (Yao 1977) cells answered wrong first gain weight (Freund and Schapire 1999); then a
linear program over the protocols met so far is solved, and others are added. Floats only search.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from ccsim.bounds.bit_matrix import members, proper_parts
from ccsim.bounds.bracket import SPEAKERS, Witness, as_text
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.solvers import common_integers, matrix_game, normalised, solve
from ccsim.bounds.symmetries import averaged, look_alikes
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE, CommunicationMatrix, MergedMatrix

MOST_WORK = 500_000_000  # additions of one call
MOST_ROWS = 16  # and columns
MOST_ROOM = 1 << 24  # rectangles of a table
MOST_WEIGHT = 1 << 62


Tree = dict[str, Any]
"""An ``answer``; or a ``speaker``, whose bit is 1 on the inputs of the mask ``ones``, and trees ``zero``, ``one``."""

Valued = tuple[int, Tree]


def work(shape: tuple[int, int], bits: int) -> int:
    """About how many additions :func:`best_protocols` makes per pair of answers."""
    rows, columns = shape
    first = (columns << rows) + (rows << columns)
    if bits < 3:
        return first
    full = 3**rows * 2**columns + 2**rows * 3**columns
    return int(first + (bits - 3) * full + 3**rows + 3**columns + (4 << (rows + columns)))


def best_protocols(weights: Array, codes: Array, bits: int, count: int = 1) -> tuple[int, list[Tree]]:
    """The most weight on which a protocol of ``bits`` bits is right, and the best for each of ``count`` first bits."""
    shape = (int(weights.shape[0]), int(weights.shape[1]))
    fits = bits < 3 or 1 << sum(shape) <= MOST_ROOM
    if not 0 < min(shape) <= max(shape) <= MOST_ROWS or not fits or work(shape, bits) > MOST_WORK:
        expected = f"from 1 to {MOST_ROWS} rows and columns, and at most {MOST_WORK} additions"
        raise InputError("matrix, bits", (shape, bits), expected)
    if int(weights.sum(dtype=object)) >= MOST_WEIGHT:
        raise InputError("weights", int(weights.sum(dtype=object)), "a sum below 2^62")
    best = _Program(weights.astype(np.int64), codes, bits).solve(count)
    return best[0][0], [tree for _, tree in best]


class _Program:
    def __init__(self, weights: Array, codes: Array, bits: int) -> None:
        self.codes, self.bits = codes, bits
        self.every = ((1 << weights.shape[0]) - 1, (1 << weights.shape[1]) - 1)
        labels = range(max(0, int(codes.max())) + 1)
        self.tables = [np.where(codes == label, weights, 0) for label in labels]
        self.pairs = list(combinations(labels, 2)) or [(0, 0)]
        self.layers = [self._last_bit()] if bits > 2 else []
        while len(self.layers) < bits - 2:
            self.layers.append(self._one_bit_more(self.layers[-1]))

    def _last_bit(self) -> Array:
        """V_1 of every rectangle."""
        best: Array = np.zeros((self.every[0] + 1, self.every[1] + 1), dtype=np.int64)
        for pair in self.pairs:
            for axis in (0, 1):
                across = (subset_sums(self.tables[label] if axis else self.tables[label].T) for label in pair)
                sums = subset_sums(np.maximum(*across).T)
                np.maximum(best, sums.T if axis else sums, out=best)
        return best

    def _one_bit_more(self, values: Array) -> Array:
        rows = np.stack([_best_split(values, mask) for mask in range(self.every[0] + 1)])
        flipped = np.ascontiguousarray(values.T)
        columns = np.stack([_best_split(flipped, mask) for mask in range(self.every[1] + 1)])
        return np.asarray(np.maximum(rows, columns.T))

    def solve(self, count: int) -> list[Valued]:
        rows, columns = self.every
        if self.bits < 2:
            return [self._tree(rows, columns, self.bits)]
        splits = []
        for axis, mask in enumerate(self.every):
            values = self._along(axis, rows, columns, self.bits - 1)
            half = 1 << mask.bit_length() - 1  # a split and its complement are one
            sums = (values + values[::-1])[:half]
            chosen = np.argpartition(-sums, min(count, half) - 1)[:count]
            splits += [(int(sums[ones]), axis, int(ones)) for ones in chosen]
        splits.sort(reverse=True)
        return [(value, self._split(axis, ones, *self.every, self.bits)) for value, axis, ones in splits[:count]]

    def _along(self, axis: int, rows: int, columns: int, bits: int) -> Array:
        if not self.layers:
            return self._last_bit_of_all(axis)
        values = self.layers[min(bits, len(self.layers)) - 1]
        along = values[:, columns] if axis == 0 else values[rows, :]
        if bits <= len(self.layers):
            return along
        other = columns if axis == 0 else rows  # one layer above the tables: only what is asked for
        parts, best = _parts(other), every_split(np.ascontiguousarray(along))
        if len(parts):
            both = (parts, other ^ parts)
            one, two = (values[:, part] if axis == 0 else values[part].T for part in both)
            np.maximum(best, (one + two).max(axis=1), out=best)
        return best

    def _last_bit_of_all(self, axis: int) -> Array:
        """V_1 for every set of inputs of one party, with all inputs of the other."""
        best = np.zeros(self.every[axis] + 1, dtype=np.int64)
        for pair in self.pairs:
            one, two = (self.tables[label].T if axis else self.tables[label] for label in pair)
            np.maximum(best, np.maximum(subset_sums(one), subset_sums(two)).sum(axis=1), out=best)
            own = np.maximum(one.sum(axis=1), two.sum(axis=1))
            np.maximum(best, subset_sums(own[:, None])[:, 0], out=best)
        return best

    def _tree(self, rows: int, columns: int, bits: int) -> Valued:
        cells = np.ix_(members(rows), members(columns))
        inside = [table[cells] for table in self.tables]
        sums = [int(table.sum()) for table in inside]
        leaf: Valued = max(sums), {"answer": sums.index(max(sums))}
        if bits == 0 or leaf[0] == sum(sums):
            return leaf
        if bits == 1:
            return max((self._answers(inside, rows, columns), leaf), key=lambda valued: valued[0])
        best, speaker, ones = leaf[0], -1, 0
        for axis, mask in enumerate((rows, columns)):
            values, parts = self._along(axis, rows, columns, bits - 1), _parts(mask)
            if len(parts):
                sums = values[parts] + values[mask ^ parts]
                place = int(np.argmax(sums))
                if int(sums[place]) > best:
                    best, speaker, ones = int(sums[place]), axis, int(mask ^ parts[place])
        return (best, self._split(speaker, ones, rows, columns, bits)) if speaker >= 0 else leaf

    def _split(self, axis: int, ones: int, rows: int, columns: int, bits: int) -> Tree:
        zero, one = (
            self._tree(*((rows & half, columns) if axis == 0 else (rows, columns & half)), bits - 1)[1]
            for half in (~ones, ones)
        )
        return {"speaker": SPEAKERS[axis], "ones": ones, "zero": zero, "one": one}

    def _answers(self, inside: list[Array], rows: int, columns: int) -> Valued:
        """The last bit chooses which of two answers is likelier, for each input of the speaker."""
        best: Valued = -1, {}
        for pair in self.pairs:
            for axis, mask in enumerate((rows, columns)):
                zero, one = (inside[label].sum(axis=1 - axis) for label in pair)
                value = int(np.maximum(zero, one).sum())
                if value > best[0]:
                    ones = sum(1 << place for place, more in zip(members(mask), one > zero, strict=True) if more)
                    leaves = {name: {"answer": label} for name, label in zip(("zero", "one"), pair, strict=True)}
                    best = value, {"speaker": SPEAKERS[axis], "ones": ones, **leaves}
        return best


def subset_sums(table: Array) -> Array:
    """The sum of every set of rows: one entry per mask."""
    sums = np.zeros((1 << len(table), table.shape[1]), dtype=table.dtype)
    for place, row in enumerate(table):
        np.add(sums[: 1 << place], row, out=sums[1 << place : 2 << place])
    return sums


def _best_split(values: Array, mask: int) -> Array:
    parts = _parts(mask)
    if not len(parts):
        return np.asarray(values[mask])
    return np.asarray(np.maximum(values[mask], (values[parts] + values[mask ^ parts]).max(axis=0)))


def every_split(values: Array) -> Array:
    """For every mask, the best sum of two parts of it, or the whole with nobody speaking."""
    parts, others, starts = _all_parts(len(values))
    best = values.copy()
    if len(parts):
        some = values[parts] + values[others]
        masks = np.flatnonzero(np.diff(starts))
        np.maximum.at(best, masks, np.maximum.reduceat(some, starts[masks]))
    return best


@cache
def _all_parts(count: int) -> tuple[Array, Array, Array]:
    """The parts of every mask below ``count``, what is left of it, and where those of each mask begin."""
    parts = [_parts(mask) for mask in range(count)]
    starts = np.cumsum([0, *map(len, parts)])
    others = [mask ^ part for mask, part in enumerate(parts)]
    return np.concatenate(parts), np.concatenate(others), starts


_parts = cache(proper_parts)


def right_cells(tree: Tree, codes: Array) -> Array:
    answers = np.full(codes.shape, -2, dtype=np.int64)
    stack = [(tree, (1 << codes.shape[0]) - 1, (1 << codes.shape[1]) - 1)]
    while stack:
        node, rows, columns = stack.pop()
        if "answer" in node:
            answers[np.ix_(members(rows), members(columns))] = node["answer"]
            continue
        for child, half in ((node["zero"], ~node["ones"]), (node["one"], node["ones"])):
            alice = node["speaker"] == "alice"
            stack.append((child, rows & half, columns) if alice else (child, rows, columns & half))
    return np.asarray(answers == codes)


def tree_json(tree: Tree, merged: MergedMatrix) -> Tree:
    """A tree of a merged matrix for the matrix that it came from; masks are hexadecimal."""
    if "answer" in tree:
        return tree
    rows, columns = merged.original(*((tree["ones"], 0) if tree["speaker"] == "alice" else (0, tree["ones"])))
    zero, one = (tree_json(tree[child], merged) for child in ("zero", "one"))
    return {"speaker": tree["speaker"], "ones": f"{rows | columns:x}", "zero": zero, "one": one}


NEAR = 1e-9  # what the solver's floats may be off by
CLOSE = 1e-6  # from here on the exact solution may be seen from the floats
FEW = 25  # cells for which nothing has to be learnt
LESSONS = (250, 1000)  # after so many the linear program is tried; 4000 take longer than they save
LAST = 0.1  # seconds for a last program over the protocols met
ANSWERS = 6  # protocols for each distribution that the linear program proposes


@dataclass
class YaoGame:
    """Yao's game, with proofs of both sides; with a ``target`` it stops once the side of the value is clear."""

    matrix: CommunicationMatrix
    bits: int
    clock: Clock
    target: Fraction | None = None
    lower: Fraction = Fraction(0)
    upper: Fraction = Fraction(1)
    trees: list[Any] = field(default_factory=list)
    right: list[Array] = field(default_factory=list)
    mixture: dict[int, Fraction] = field(default_factory=dict)
    distribution: list[Fraction] = field(default_factory=list)
    places: dict[bytes, int] = field(default_factory=dict, repr=False)
    longest: float = 0.0  # seconds that an answer took

    most_weight: ClassVar[int] = MOST_WEIGHT

    def __post_init__(self) -> None:
        self.merged: MergedMatrix = self.matrix.merge()
        self.codes = self.merged.matrix.codes.astype(np.int64)
        self.cells = np.argwhere(self.codes != DONT_CARE)
        if not len(self.cells):
            raise InputError("matrix", self.matrix, "at least one promised cell")
        self.lessons = _Lessons(len(self.cells))

    @cached_property
    def alike(self) -> Array:
        """A class for each cell: see :func:`look_alikes`."""
        return look_alikes(self.codes)[tuple(self.cells.T)]

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
            if self.target is not None and not self._is_decided() and self._round() is not None:
                break
        while not self._is_decided():
            if self._round() is not None or self._late():
                return

    @property
    def over(self) -> bool:
        """Whether no time is left for another answer."""
        return self.clock.over or self.clock.left(self.longest) < self.longest

    def _late(self) -> bool:
        if not self.over:
            return False
        game = self._restricted_game(at_least=LAST)
        if game is not None:
            self._take_mixture(normalised(game[0]))
        return True

    def _learn(self, most: int) -> bool:
        """Answer what the cells have learnt, up to so many lessons; False if time is over."""
        taught = self.lessons
        while taught.count < most and not self._is_decided():
            if self.over:
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
        for guess in (averaged(hard, self.alike), (hard + best) / 2, hard):  # the first two get there faster
            if self._is_decided() or self.over:
                break
            if float(self.right[self._answer(normalised(guess), ANSWERS)] @ hard) > value + NEAR:
                break
        return None

    def _is_decided(self) -> bool:
        if self.target is not None:
            return self.lower >= self.target or self.upper < self.target
        return self.lower == self.upper

    def _answer(self, shares: list[Fraction], count: int = 1) -> int:
        integers = common_integers(shares)
        weights = np.zeros(self.codes.shape, dtype=np.int64 if sum(integers) < MOST_WEIGHT else object)
        weights[tuple(self.cells.T)] = integers
        start = time.monotonic()
        most, trees = self._best(weights, count)
        self.longest = max(self.longest, time.monotonic() - start)
        if not self.distribution or Fraction(most, sum(integers)) < self.upper:
            self.upper, self.distribution = Fraction(most, sum(integers)), shares
        places = [self._add(tree) for tree in trees]
        return places[0]

    def _constants(self) -> list[Any]:
        return [{"answer": label} for label in range(len(self.matrix.labels))]

    def _best(self, weights: Array, count: int) -> tuple[int, list[Any]]:
        return best_protocols(weights, self.codes, self.bits, count)

    def _right(self, tree: Any) -> Array:
        return right_cells(tree, self.codes)

    def _add(self, tree: Any) -> int:
        right = self._right(tree)[tuple(self.cells.T)].astype(np.int64)
        place = self.places.setdefault(right.tobytes(), len(self.trees))
        if place == len(self.trees):
            self.trees.append(tree)
            self.right.append(right)
        return place

    def _restricted_game(self, at_least: float = 0.01) -> tuple[Array, Array, float] | None:
        seconds = max(at_least, self.clock.left())
        game = matrix_game(np.array(self.right, dtype=np.float64), seconds=seconds)
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
        """The rationals that the floats represent, where these are clear; whether the game goes on after that."""
        right = np.array(self.right)
        known = [self.mixture.get(place, Fraction(0)) for place in range(len(self.trees))]
        self._take_mixture(exact_strategy(right.T, weights, value) or known)
        before = len(self.right)
        simple = [Fraction(share).limit_denominator(5040) for share in averaged(hard, self.alike).tolist()]
        near = [share / sum(simple) for share in simple]
        for shares in (exact_strategy(right, hard, value), near, normalised(hard)):
            if shares and not self._is_decided() and not self.over and sum(common_integers(shares)) < self.most_weight:
                self._answer(shares)
        return len(self.right) > before and not self._is_decided()

    def mixture_witness(self) -> Witness:
        trees = [
            {"weight": as_text(weight), "tree": tree_json(self.trees[place], self.merged)}
            for place, weight in self.mixture.items()
        ]
        return {"kind": "protocol-mixture", "trees": trees}

    def distribution_witness(self) -> Witness:
        return {"kind": "hard-distribution", "bits": self.bits, "cells": self.shares_of_cells()}

    def shares_of_cells(self) -> list[list[Any]]:
        """The distribution as plain data, on one cell for each class of equal rows and columns."""
        rows, columns = self.merged.rows, self.merged.columns
        return [
            [int(rows[row]), int(columns[column]), as_text(share)]
            for (row, column), share in zip(self.cells.tolist(), self.distribution, strict=True)
            if share
        ]


class _Lessons:
    """The distribution learns to be answered wrong: exponential weights on cells, whose step shrinks."""

    def __init__(self, cells: int) -> None:
        self.right, self.total, self.count = np.zeros(cells), np.zeros(cells), 0
        self.answers: dict[int, int] = {}

    def shares(self) -> Array:
        step = np.sqrt(4 * np.log(len(self.right)) / (self.count + 1))
        weights = np.exp(-step * (self.right - self.right.min()))
        return np.asarray(weights / weights.sum())

    def hear(self, place: int, right: Array) -> None:
        self.total += self.shares()
        self.right += right
        self.count += 1
        self.answers[place] = self.answers.get(place, 0) + 1

    def average(self) -> Array:
        return self.total / self.count

    def mixture(self, trees: int) -> list[Fraction]:
        return [Fraction(self.answers.get(place, 0), self.count) for place in range(trees)]


def exact_strategy(game: Array, strategy: Array, value: float) -> list[Fraction] | None:
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
