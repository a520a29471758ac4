"""The 2-partitions whose halves the leaf-rank bound does not refute, where hardly a leaf may be lost.

Let r(X) be the sum, over the answers, of the ranks of some lines X. Halves S and T of a set E, of which each may have
at most h leaves, have r(S) + r(T) - r(E) <= 2h - r(E), the *spare* leaves. The left side only grows as lines are put
on two sides: for those put there so far, A and B, r(A) + r(B) - r(A + B) is at most that, too. The same holds for the
ranks of the dual matroids, where a set is independent if the other lines still have full rank. And they say how many
lines a side can have at most, because lines that are put on one side end the dependencies that need them on the
other. If few leaves are to spare, most branches end early.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim.bounds.rank.over_fields import LARGE_PRIME, combinations_of_rows, rank_modulo
from ccsim.bounds.tree_search.cells import Cells, bits_of

__all__ = ["TightSpace", "coordinates", "grown", "leaves_to_spare", "ranks_of_first", "tables_of"]

ORDERS = 5  # in which dependencies are looked for

Array = npt.NDArray[Any]
Vector = list[int]
Basis = tuple[tuple[int, Vector], ...]  # each with the place of its first entry, a 1


def leaves_to_spare(cells: Cells, rows: int, columns: int, depth: int) -> int:
    """How many leaves more than the ranks of the answers need a protocol of so many bits has for a total rectangle."""
    return (1 << depth) - sum(rank_modulo(table, LARGE_PRIME) for table in tables_of(cells, 0, rows, columns))


def tables_of(cells: Cells, party: int, lines: int, across: int) -> list[Array]:
    """The 0/1 matrix of each answer, with the lines of a party as rows."""
    codes = cells.codes.T if party else cells.codes
    part = codes[np.ix_(cells.places(lines), cells.places(across))]
    return [np.asarray(part == code, dtype=np.int64) for code in range(cells.labels)]


class _Side(NamedTuple):
    """Lines on one side, and a basis per answer of their span, in the matroid and in its dual."""

    lines: int
    own: tuple[Basis, ...]
    dual: tuple[Basis, ...]


class TightSpace:
    """Like :class:`~ccsim.bounds.tree_search.split.SplitSpace`, with the ranks of both sides built in.

    Args:
        cells: a total matrix, of whose answers both parties know.
        party, lines, across: whose lines are split, which, and the other party's inputs.
        depth: the bits that a half may still take.
        tick: called now and then; may raise to stop.

    Attributes:
        order: the lines as they are put on sides.
        dependent: those that are part of a linear dependency, for some answer, as a mask.
        caught: the cores, as masks of lines, that ruled something out.
    """

    def __init__(self, cells: Cells, party: int, lines: int, across: int, depth: int, tick: Callable[[], None]) -> None:
        self.exhausted = False
        self._most, self._tick, self._labels = 1 << depth, tick, cells.labels
        places = cells.places(lines)
        tables = tables_of(cells, party, lines, across)
        first = _order(tables)
        self.order = [places[place] for place in first]
        matroids = [coordinates(table[first]) for table in tables]
        self._own = [[own[place] for own, _ in matroids] for place in range(len(first))]
        self._dual = [[dual[place] for _, dual in matroids] for place in range(len(first))]
        self.dependent = sum(1 << line for line, own in zip(self.order, self._dual, strict=True) if any(map(any, own)))
        self._needed, self._freed = ranks_of_first(self._own), ranks_of_first(self._dual)
        self._spare = 2 * self._most - self._needed[-1]
        self._place = {line: place for place, line in enumerate(self.order)}
        self._ending: list[list[int]] = [[] for _ in self.order]
        self.caught: set[int] = set()
        self._refuted: list[tuple[int, int]] = []  # given lines as places, and the least rank
        empty = _Side(0, ((),) * cells.labels, ((),) * cells.labels)
        self._stack: list[tuple[int, _Side, _Side]] = []
        self._last = (0, 0)  # the split proposed last
        self._push(1, self._with(empty, 0), empty)

    def _with(self, side: _Side, place: int) -> _Side | None:
        """The side with one more line, or None if a core rules it out."""
        lines = side.lines | 1 << place
        for core in self._ending[place]:
            if core & lines == core:
                self.caught.add(self._mask(core))
                return None
        return _Side(lines, grown(side.own, self._own[place]), grown(side.dual, self._dual[place]))

    def _push(self, place: int, left: _Side | None, right: _Side | None) -> None:
        if left is None or right is None:
            return
        own = [sum(map(len, side.own)) for side in (left, right)]
        dual = [sum(map(len, side.dual)) for side in (left, right)]
        if max(own) > self._most or sum(own) - self._needed[place - 1] > self._spare:
            return
        if sum(dual) - self._freed[place - 1] > self._spare:
            return
        room = [(self._most + self._freed[-1] - other) // self._labels for other in reversed(dual)]
        fits = left.lines.bit_count() <= room[0] and right.lines.bit_count() <= room[1]
        if fits and sum(room) >= len(self.order) and not (self._has_rank(left, right) or self._has_rank(right, left)):
            self._stack.append((place, left, right))

    def refute(self, lines: int, least: int) -> None:
        """Never again a side with all these lines whose ranks add up to at least so much."""
        self._refuted.append((sum(1 << self._place[line] for line in bits_of(lines)), least))
        self._stack, before = [], self._stack
        for entry in before:
            self._push(*entry)

    def _has_rank(self, side: _Side, other: _Side) -> bool:
        """Whether a side has the lines of one of these pairs, and at least the rank when all lines are placed.

        The other side has no more lines than there is room for; the dependencies within the side do not need the other.
        """
        room = (self._most + self._freed[-1] - sum(map(len, side.dual))) // self._labels
        fewest = self._labels * (len(self.order) - room) - self._freed[-1] + sum(map(len, other.dual))
        rank = max(sum(map(len, side.own)), fewest)
        return any(least <= rank and own & ~side.lines == 0 for own, least in self._refuted)

    def forbid(self, core: int) -> None:
        """Never again all these lines on one side."""
        mask = sum(1 << self._place[line] for line in bits_of(core))
        self._ending[mask.bit_length() - 1].append(mask)
        left = [entry for entry in self._stack if not any(mask & side.lines == mask for side in entry[1:])]
        if len(left) < len(self._stack) or self._proposed(mask):
            self.caught.add(core)
        self._stack = left

    def _proposed(self, mask: int) -> bool:
        """Whether the last split that was proposed has all these lines on one side."""
        return any(mask & side == mask for side in self._last)

    def propose(self) -> tuple[int, int] | None:
        """Some split that is not ruled out, the larger side first; None, for good, if there is none."""
        count = 0
        while self._stack:
            count += 1
            if count % 64 == 0:
                self._tick()
            place, left, right = self._stack.pop()
            if place < len(self.order):
                options = [(self._with(left, place), right), (left, self._with(right, place))]
                if left.lines.bit_count() < right.lines.bit_count():
                    options.reverse()  # the smaller side is tried first
                for one, other in options:
                    self._push(place + 1, one, other)
            elif right.lines:
                self._last = (left.lines, right.lines)
                fewer, more = sorted((self._mask(left.lines), self._mask(right.lines)), key=int.bit_count)
                return more, fewer
        self.exhausted = True
        return None

    def _mask(self, places: int) -> int:
        return sum(1 << self.order[place] for place in bits_of(places))

    def close(self) -> None:
        """Nothing to free."""


def coordinates(table: Array) -> tuple[list[Vector], list[Vector]]:
    """For each row a vector, such that the same linear dependencies hold; and its entries in a basis of these."""
    basis, own = combinations_of_rows(table, LARGE_PRIME)
    others = [place for place in range(len(table)) if place not in set(basis)]
    dual = [[int(place == other) for other in others] for place in range(len(table))]
    for number, place in enumerate(basis):
        dual[place] = [-own[other][number] % LARGE_PRIME for other in others]
    return own, dual


def _order(tables: list[Array]) -> list[int]:
    """The lines of few small dependencies first, of the matroids and of their duals: those end branches."""
    count, source, listed = len(tables[0]), random.Random(0), set[int]()
    order = list(range(count))
    for _ in range(ORDERS):
        for _, dual in (coordinates(table[order]) for table in tables):
            for entries in zip(*dual, strict=True):
                listed.add(sum(1 << order[place] for place, entry in enumerate(entries) if entry))
        source.shuffle(order)
    first: list[int] = []
    placed = 0
    while left := [mask & ~placed for mask in sorted(listed) if mask & ~placed]:
        new = min(left, key=int.bit_count)
        first += bits_of(new)
        placed |= new
    return first + [place for place in range(count) if not placed >> place & 1]


def ranks_of_first(vectors: list[list[Vector]]) -> list[int]:
    """For each line, the sum of the ranks of the lines up to it."""
    bases: tuple[Basis, ...] = ((),) * len(vectors[0])
    ranks = []
    for line in vectors:
        bases = grown(bases, line)
        ranks.append(sum(map(len, bases)))
    return ranks


def grown(bases: Iterable[Basis], vectors: Iterable[Vector]) -> tuple[Basis, ...]:
    """Echelon forms, each with one more vector."""
    return tuple([_extended(basis, vector) for basis, vector in zip(bases, vectors, strict=True)])


def _extended(basis: Basis, vector: Vector) -> Basis:
    """An echelon form with one more vector; itself if the vector depends on it."""
    for place, pivot in basis:
        head = vector[place]
        if head:
            vector = [(entry - head * other) % LARGE_PRIME for entry, other in zip(vector, pivot, strict=True)]
    place = next((place for place, entry in enumerate(vector) if entry), -1)
    if place < 0:
        return basis
    inverse = pow(vector[place], -1, LARGE_PRIME)
    return (*basis, (place, [entry * inverse % LARGE_PRIME for entry in vector]))
