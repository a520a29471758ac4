"""A largest fooling set, by several searches; and what bounds it from above: lines, and a search."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.clock import Clock
from ccsim.bounds.fooling.clique import OutOfTimeError, degenerate_order, maximum_clique
from ccsim.bounds.fooling.fooling_sets import Cell, exclusion_graph, first_clash, local_search
from ccsim.bounds.fooling.orbits import largest_by_orbits
from ccsim.bounds.fooling.repeated import by_repeated_search, search_witness
from ccsim.bounds.symmetries import moved
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.subject import Subject, matrix_of

Array = npt.NDArray[Any]
ORBITS = 20.0  # seconds for a search by symmetries where nobody sets a limit
LOOK, PARTS = 0.5, 8  # seconds for a first search, at most; and of how many parts of the time it gets one
SWAPS, FEWER, SEEDS = 20_000, 1_000, 8  # of a longer local search, of one among many cells, and how many of them
MOST_SEARCHED = 640  # cells up to which a longer local search takes so many steps
FEWEST = 32  # cells that are taken whatever the time
MOST_VERTICES = 4096  # of the exclusion graph; beyond, a set is grown without it


@dataclass(frozen=True)
class FoolingBracket:
    """The size of a largest fooling set, between a set that was checked and an upper bound that is proved.

    Attributes:
        cells: the set; its size is the lower bound.
        upper: no fooling set of the kind is larger.
        upper_by: what proves that: ``"search"``, ``"symmetries"``, ``"rows"``, ``"columns"``, ``"cells"``; several for
            a mixed set.
        code: the answer code, or None for mixed sets.
        answer: who knows the answer.
        symmetries: by which a search proves it, if it does.
        witness: that of the upper side, where it is known already.
    """

    cells: tuple[Cell, ...]
    upper: int
    upper_by: str
    code: int | None
    answer: str
    symmetries: Any = None
    witness: dict[str, Any] | None = None

    @property
    def lower(self) -> int:
        """The size of the set."""
        return len(self.cells)

    @property
    def exact(self) -> bool:
        """Whether the set is known to be a largest one."""
        return self.lower == self.upper


def maximum_fooling_set(
    matrix: Subject,
    code: int | None = None,
    *,
    answer: str = "both",
    time_limit: float | None = None,
    seed: int = 0,
) -> FoolingBracket:
    """A largest fooling set, proved so by branch and bound, or a bracket if the time runs out.

    Args:
        matrix: the function.
        code: the answer code of its cells, or None for mixed sets.
        answer: who knows the answer.
        time_limit: seconds.
        seed: of the local search that comes first.

    >>> found = maximum_fooling_set(CommunicationMatrix.from_array([[1, 0], [1, 1]]))
    >>> found.lower, found.upper, found.exact
    (3, 3, True)
    """
    matrix = matrix_of(matrix)
    if code is None and answer == "both":
        return _union(matrix, time_limit, seed)
    clock, codes = Clock.within(time_limit), matrix.codes
    if np.count_nonzero(codes != DONT_CARE if code is None else codes == code) > MOST_VERTICES:
        return _without_graph(matrix, code, answer, clock)
    known = _Search(matrix, code, answer, clock, seed)
    quick = (known.by_orbits, known.by_a_look, known.by_swaps, known.by_closing)
    for step in (*quick, known.by_the_checker, known.by_half, known.by_branching):
        if len(known.best) < known.upper and not clock.over:
            step()
    return known.bracket()


class _Search:
    """What is known of a largest fooling set, and ways to know more.

    Attributes:
        best: the places of a set among the cells.
        upper, upper_by: see :class:`FoolingBracket`.
    """

    def __init__(self, matrix: CommunicationMatrix, code: int | None, answer: str, clock: Clock, seed: int) -> None:
        self.matrix, self.code, self.answer, self.clock = matrix, code, answer, clock
        self.cells, self.graph = exclusion_graph(matrix, code, answer)
        self.best = local_search(self.graph, random.Random(seed), 300)
        self.upper, self.upper_by = _cheap_upper(matrix, code)
        self.symmetries: Any = None
        self.witness: dict[str, Any] | None = None
        self.seed = seed

    def by_swaps(self) -> None:
        """A larger set by longer local searches."""
        clock = Clock.within(self.clock.share(PARTS))
        for number in range(1, SEEDS + 1):
            if len(self.best) < self.upper and not clock.over:
                steps = SWAPS if len(self.cells) <= MOST_SEARCHED else FEWER
                self.best = max(self.best, local_search(self.graph, random.Random(self.seed + number), steps), key=len)

    def by_closing(self) -> None:
        """That no set is larger than the one that is known, by the checker's own search, if there seems to be time."""
        self._by_the_checker(self.clock, closing=True)

    def by_the_checker(self) -> None:
        """A lower upper side by the checker's own search, in half of the time."""
        self._by_the_checker(Clock.within(self.clock.share(2)), closing=False)

    def _by_the_checker(self, clock: Clock, closing: bool) -> None:
        table, by_rows = self.matrix.codes.tolist(), self.code is not None and self.answer == "both"
        witness = search_witness(table, self.graph, self.cells, by_rows)
        parameters, sizes = {"code": self.code, "answer": self.answer}, range(len(self.best), self.upper)
        found = by_repeated_search(table, parameters, witness, sizes, clock, closing)
        if found is not None:
            self.upper, self.upper_by, self.witness = found["at_most"], "search", found

    def by_orbits(self) -> None:
        """A largest set by the symmetries of the matrix, for half of the time; and the symmetries, if they prove it."""
        order = degenerate_order(self.graph)
        place = {vertex: number for number, vertex in enumerate(order)}
        found, self.symmetries = largest_by_orbits(
            self.matrix.codes.tolist(),
            [self.cells[vertex] for vertex in order],
            [moved(self.graph[vertex], place) for vertex in order],
            [place[vertex] for vertex in self.best],
            time.monotonic() + (self.clock.share(2) or ORBITS),
        )
        self.best = sorted(order[vertex] for vertex in found)
        if self.symmetries is not None:
            self.upper, self.upper_by = len(found), "symmetries"

    def by_a_look(self) -> None:
        """Branching for a short time, before longer searches."""
        self.by_branching(time.monotonic() + min(LOOK, self.clock.share(PARTS) or LOOK))

    def by_half(self) -> None:
        """Branching for half of the time, if there is a limit."""
        share = self.clock.share(2)
        self.by_branching(None if share is None else time.monotonic() + share)

    def by_branching(self, end: float | None = None) -> None:
        """A largest set by branch and bound, or what is known of it at the end of the time."""
        try:
            self.best, found = maximum_clique(self.graph, self.best, end or self.clock.end, self.upper)
        except OutOfTimeError as stopped:
            self.best, found = stopped.args
        if found < self.upper:
            self.upper, self.upper_by, self.witness = found, "search", None

    def bracket(self) -> FoolingBracket:
        """What is known, looked at once more."""
        chosen = tuple(sorted(self.cells[vertex] for vertex in self.best))
        clash = first_clash(self.matrix, chosen, self.answer)
        if clash is not None:
            raise AssertionError(f"{clash} are in one leaf")
        known = (self.upper, self.upper_by, self.code, self.answer, self.symmetries, self.witness)
        return FoolingBracket(chosen, *known)


def _without_graph(matrix: CommunicationMatrix, code: int | None, answer: str, clock: Clock) -> FoolingBracket:
    """Too many cells for a graph: again and again the cell whose lines agree with it least, of those that fit."""
    codes = matrix.codes
    free = (codes != DONT_CARE) if code is None else (codes == code)
    like = codes == DONT_CARE if code is None else (codes == code) | (codes == DONT_CARE)
    agreeing = np.multiply.outer(like.sum(axis=1), like.sum(axis=0))
    order = np.argsort(agreeing[free], kind="stable")
    cells = np.argwhere(free)[order]
    chosen: list[Cell] = []
    while len(cells):
        if len(chosen) >= FEWEST and clock.over:
            break
        row, column = cells[0].tolist()
        chosen.append((row, column))
        if code is not None and answer == "both":
            free[np.ix_(like[:, column], like[row])] = False
        else:
            free &= _excluded(codes, row, column, answer)
        cells = cells[_first_free(free, cells) :]
    upper, reason = _cheap_upper(matrix, code)
    found = tuple(sorted(chosen))
    return FoolingBracket(found, upper, reason, code, answer)


def _first_free(free: Array, cells: Array, some: int = 4096) -> int:
    """The place of the first cell that is free, or how many cells there are."""
    for start in range(0, len(cells), some):
        left = free[tuple(cells[start : start + some].T)]
        if left.any():
            return start + int(left.argmax())
    return len(cells)


def _excluded(codes: Array, row: int, column: int, answer: str) -> Array:
    """Which cells cannot share a leaf with this one (see :func:`ccsim.bounds.fooling.fooling_sets.exclusion`)."""
    mine, along, across = codes[row, column], codes[row][None, :], codes[:, column][:, None]

    def differs(cells: Array, code: Array) -> Array:
        return np.asarray((cells != DONT_CARE) & (cells != code))

    if answer == "alice":
        return np.asarray(differs(along, mine) | differs(across, codes))
    if answer == "bob":
        return np.asarray(differs(across, mine) | differs(along, codes))
    return np.asarray((codes != mine) | differs(along, mine) | differs(across, mine))


def _union(matrix: CommunicationMatrix, time_limit: float | None, seed: int) -> FoolingBracket:
    """Cells of different answers exclude each other: a largest mixed set is a union of largest ones."""
    share = None if time_limit is None else time_limit / max(len(matrix.labels), 1)
    parts = [maximum_fooling_set(matrix, code, time_limit=share, seed=seed) for code in range(len(matrix.labels))]
    cells = tuple(sorted(cell for part in parts for cell in part.cells))
    reasons = dict.fromkeys(part.upper_by for part in parts)
    return FoolingBracket(cells, sum(part.upper for part in parts), " and ".join(reasons), None, "both")


def _cheap_upper(matrix: CommunicationMatrix, code: int | None) -> tuple[int, str]:
    """Bounds without search. For one answer: two cells of a row never exclude each other."""
    chosen = matrix.codes != DONT_CARE if code is None else matrix.codes == code
    bounds = [(int(chosen.sum()), "cells")]
    if code is not None:
        bounds.append((int(chosen.any(axis=1).sum()), "rows"))
        bounds.append((int(chosen.any(axis=0).sum()), "columns"))
    return min(bounds, key=lambda bound: bound[0])
