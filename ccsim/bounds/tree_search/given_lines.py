"""Sides of a split of which only some lines are known, refuted whatever the others are.

If hardly a leaf may be lost after a split, too, the lines of a side that depend on each other cannot be divided; and
where the other party answers, each line of the side, shown on one half of the answer's split with 0 for the rest, is a
combination of lines of the side. For the lines that are known these are linear equations for the split, with few
solutions of zeros and ones. Each is refuted by the known lines alone, or leaves few other lines that fit. The checker
goes through all this on its own; it is told the lines and the rectangles that are too hard for a half.

A side that fits, both halves of which have protocols, has one itself: so this finds sides, too, that ranks alone do not
tell from millions of others.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ccsim.bounds.rank.over_fields import LARGE_PRIME, rank_modulo, reduced_rows
from ccsim.bounds.tree_search.cells import ALICE, Cells
from ccsim.bounds.tree_search.tight_split import coordinates, grown, ranks_of_first, tables_of

__all__ = ["Given", "Learner", "dependent_lines", "refute_given"]

MOST_STEPS = 200  # lines that are put in a side or left out for one split across, before this is given up

Array = npt.NDArray[Any]
Rectangle = tuple[int, int]


class Given(NamedTuple):
    """All sides with these lines, and at least this sum of ranks, are refuted with the help of some cores."""

    lines: int
    least: int
    cores: list[Rectangle]


class Learner(Protocol):
    """What is asked of a search."""

    cells: Cells

    def look_at_the_clock(self) -> None:
        """Stop if the time is over."""

    def feasible(self, rows: int, columns: int, depth: int) -> bool:
        """Whether a rectangle has a protocol of this depth."""

    def learn(self, rectangle: Rectangle, depth: int, limit: None, party: int) -> Rectangle:
        """A small rectangle inside one that has no protocol of this depth, without such a protocol, too."""


def dependent_lines(cells: Cells, party: int, lines: int, across: int) -> tuple[int, int]:
    """The lines, among some, that others of them depend on for some answer; and the sum of the ranks of all of them."""
    found, rank = 0, 0
    for table in tables_of(cells, party, lines, across):
        own, dual = coordinates(table)
        rank += len(own[0])
        found |= sum(1 << line for line, entries in zip(cells.places(lines), dual, strict=True) if any(entries))
    return found, rank


def refute_given(search: Learner, party: int, masks: Rectangle, depth: int, given: tuple[int, int]) -> Given | int:
    """Refute all sides of a rectangle's splits that have some lines and at least some rank.

    Returned may be one of them instead, as a mask: with these lines, perhaps of less rank, but with a protocol. It is 0
    if this was given up.

    Args:
        search: what decides the halves of such a side.
        party, masks: whose lines have been split; its lines, and those across.
        depth: the bits that a side may still take, at least 2.
        given: some lines, as a mask, and the sum over the answers of the ranks of a side, at least.
    """
    return _Sides(search, party, masks, depth - 1, given).refutation()


class _Sides:
    def __init__(self, search: Learner, party: int, masks: Rectangle, depth: int, given: tuple[int, int]) -> None:
        self.search, self.cells, self.party, self.depth = search, search.cells, party, depth
        self.every, self.across = masks
        self.own, self.least = given
        self.half, labels = 1 << depth, search.cells.labels
        self.spare = 2 * self.half - self.least
        self.places, self.spots = self.cells.places(self.own), self.cells.places(self.across)
        rows = tables_of(self.cells, party, self.own, self.across)
        dependencies = labels * len(self.places) - sum(rank_modulo(table, LARGE_PRIME) for table in rows)
        self.fewest = -(-(self.least + dependencies) // labels)
        self.shown = tables_of(self.cells, party, (1 << self.cells.shape[party]) - 1, self.across)
        self.cores: list[Rectangle] = []
        self._kernels: dict[tuple[int, int, int], tuple[Array, list[int]]] = {}

    def refutation(self) -> Given | int:
        """Or a side that has a protocol, or 0."""
        if not 0 <= self.spare < self.cells.labels or self._divided():
            return 0
        for kept in combinations(range(self.cells.labels), self.cells.labels - self.spare):
            for half in self._solutions(kept):
                self.search.look_at_the_clock()
                open_side = self._open_side(kept, half)
                if open_side is not None:
                    return open_side
        return Given(self.own, self.least, self.cores)

    def _divided(self) -> bool:
        """Whether the given lines can be put on two sides that may both have a protocol."""
        matroids = [coordinates(table)[0] for table in tables_of(self.cells, self.party, self.own, self.across)]
        vectors = [[matroid[at] for matroid in matroids] for at in range(len(self.places))]
        needed, empty = ranks_of_first(vectors), (0, ((),) * self.cells.labels)
        stack: list[Any] = [(0, empty, empty)]
        while stack:
            at, *sides = stack.pop()
            if at == len(self.places):
                if not any(self._too_hard(lines, self.across) for lines, _ in sides):
                    return True
                continue
            for side in (0, 1) if at else (0,):
                wider = list(sides)
                wider[side] = (sides[side][0] | 1 << self.places[at], grown(sides[side][1], vectors[at]))
                ranks = [sum(map(len, bases)) for _, bases in wider]
                if max(ranks) <= self.half and sum(ranks) - needed[at] <= self.spare:
                    stack.append((at + 1, *wider))
        return False

    def _too_hard(self, lines: int, part: int) -> bool:
        """Whether a half has no protocol; if so there is a core for it."""
        if any(core[self.party] & ~lines == 0 == core[1 - self.party] & ~part for core in self.cores):
            return True
        rectangle = (lines, part) if self.party == ALICE else (part, lines)
        if self.search.feasible(*rectangle, self.depth):
            return False
        self.cores.append(self.search.learn(rectangle, self.depth, None, self.party))
        return True

    def _solutions(self, kept: tuple[int, ...]) -> Iterator[int]:
        """All halves of the lines across, without the first of them, for which the given lines may fit."""
        equations = []
        for answer in kept:
            entries, _ = self._kernel(answer, self.every, self.every)
            for line in self.places:
                equations += list((entries * self.shown[answer][line][:, None]).T[:, ::-1])
        count, ends = len(self.spots), {}
        for row in reduced_rows(np.array(equations), LARGE_PRIME) if equations else ():
            last, *places = [count - 1 - at for at, entry in enumerate(row) if entry]
            ends[last] = [(at, row[count - 1 - at]) for at in places]
        stack = [(0, 0)]
        while stack:
            at, bits = stack.pop()
            if at == count:
                if bits:
                    yield sum(1 << self.spots[place] for place in range(count) if bits >> place & 1)
                continue
            values = [0, 1] if at else [0]
            if at in ends:
                value = -sum([entry for place, entry in ends[at] if bits >> place & 1]) % LARGE_PRIME
                values = [value] if value < 2 else []
            stack += [(at + 1, bits | value << at) for value in values]

    def _kernel(self, answer: int, lines: int, within: int) -> tuple[Array, list[int]]:
        """Vectors across, as columns, that are orthogonal to all lines within, or all but one that a side need not
        have; and for each this one, or none."""
        if (answer, lines, within) not in self._kernels:
            single = self.cells.places(within & ~lines)
            table = self.shown[answer][list(self.cells.places(within))].T
            units = np.array([[int(line == other) for other in self.cells.places(within)] for line in single])
            _, dual = coordinates(np.vstack([table, units]) if single else table)
            entries = np.array(dual, dtype=np.int64).reshape(len(table) + len(single), -1)
            across, left = entries[: len(table)], entries[len(table) :] != 0
            good = np.flatnonzero(left.sum(axis=0) <= 1)
            asked = [sum(1 << line for line, one in zip(single, left[:, at], strict=True) if one) for at in good]
            self._kernels[answer, lines, within] = across[:, good], asked
        return self._kernels[answer, lines, within]

    def _narrowed(self, kept: tuple[int, ...], half: int, lines: int, within: int) -> Rectangle:
        """The lines that a side must have, and those that it can have."""
        chosen = np.array([half >> spot & 1 for spot in self.spots])
        while True:
            must, can = lines, within
            for answer in kept:
                entries, asked = self._kernel(answer, lines, within)
                places = self.cells.places(within)
                sums = (self.shown[answer][list(places)] * chosen) @ entries % LARGE_PRIME
                for at, number in zip(*np.nonzero(sums), strict=True):
                    if not asked[number]:
                        can &= ~(1 << places[at])
                    elif lines >> places[at] & 1:
                        must |= asked[number]
            if (must, can) == (lines, within) or must & ~can:
                return must, can
            lines, within = must, can

    def _open_side(self, kept: tuple[int, ...], half: int) -> int | None:
        """A side with a protocol, in which the other party sends whether its input is in this half; 0 if that was not
        decided in time, None if there is none."""
        stack, steps = [(self.own, self.every)], 0
        while stack:
            steps += 1
            lines, within = self._narrowed(kept, half, *stack.pop())
            if within.bit_count() < self.fewest or lines & ~within or self._half_refuted(half, lines):
                continue
            if lines == within:
                return lines
            if steps > MOST_STEPS:
                return 0
            line = within & ~lines & -(within & ~lines)
            stack += [(lines | line, within), (lines, within & ~line)]
        return None

    def _half_refuted(self, half: int, lines: int) -> bool:
        parts = (half, self.across & ~half)
        for part in parts:
            tables = tables_of(self.cells, self.party, lines, part)
            if sum(rank_modulo(table, LARGE_PRIME) for table in tables) > self.half:
                return True
        return any(self._too_hard(lines, part) for part in parts)
