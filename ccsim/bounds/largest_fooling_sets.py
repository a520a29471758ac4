"""Largest fooling sets: searches that the checker repeats, by cells, rows or orbits of symmetries.

Cells are divided into classes, of each of which a fooling set has at most one cell, and those left over are branched
on. By orbits: if no large set goes through a cell, none goes through any cell of its orbit.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ccsim.bounds.bracket import Bracket, Side
from ccsim.bounds.cliques import degenerate_order, library, maximum_clique, renumbered
from ccsim.bounds.fooling_sets import (
    Cell,
    excluding,
    exclusion_graph,
    first_clash,
    local_search,
)
from ccsim.bounds.rectangles import code_of
from ccsim.bounds.scheduler import Clock, OutOfTimeError
from ccsim.bounds.symmetries import Permutation, fixing, orbit, some_symmetries
from ccsim.certificates.verify import Refused, check
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.function import Subject, matrix_of


def search_witness(table: list[list[int]], graph: list[int], cells: Sequence[Cell], by_rows: bool) -> dict[str, Any]:
    """The witness, but for the size: cells that exclude few others come last, or rows with such cells."""
    if not by_rows:
        return {"kind": "fooling-search", "cells": [list(cells[place]) for place in degenerate_order(graph)]}
    degrees: dict[int, list[int]] = {row: [] for row in range(len(table))}
    for (row, _), neighbours in zip(cells, graph, strict=True):
        degrees[row].append(neighbours.bit_count())
    order = sorted(degrees, key=lambda row: -float(np.mean(degrees[row] or [0])))
    return {"kind": "fooling-rows", "rows": order}


def is_shown(claim: tuple[Any, ...], clock: Clock) -> bool:
    """Whether the checker accepts it in time, and without too much work."""
    try:
        return bool(list(clock.run(lambda report: report(check(*claim)))))
    except Refused:
        return False


MOST_ROWS = 256
DEEPEST = 12  # levels of symmetries


class _LargerError(Exception):
    """A larger set; its cells are the argument."""


def largest_by_orbits(
    table: Sequence[Sequence[int]], cells: Sequence[Cell], graph: list[int], start: list[int], clock: Clock
) -> tuple[list[int], Any]:
    """A largest clique, better than ``start``, and the symmetries that prove it. Cells that exclude few come last."""
    if max(len(table), len(table[0])) > MOST_ROWS:
        return start, None
    rng = random.Random(0)
    moves = some_symmetries(np.array(table), rng, clock)
    while moves:
        try:
            return start, _OrbitSearch(len(table), cells, graph, rng, clock).tree(moves, len(start))
        except _LargerError as larger:
            start = larger.args[0]
        except OutOfTimeError:
            break
    return start, None


class _OrbitSearch:
    """Points are rows, then columns, then cells; a permutation moves all."""

    def __init__(self, height: int, cells: Sequence[Cell], graph: list[int], rng: random.Random, clock: Clock) -> None:
        self.height, self.cells, self.graph, self.rng, self.clock = height, cells, graph, rng, clock
        self.strangers = [~neighbours for neighbours in graph]

    def tree(self, symmetries: Sequence[tuple[Permutation, Permutation]], most: int) -> Any:
        places, moves = {cell: place for place, cell in enumerate(self.cells)}, []
        for rows, columns in symmetries:
            images = [places[rows[row], columns[column]] for row, column in self.cells]
            both = [*rows, *(self.height + column for column in columns)]
            moves.append((*images, *(len(images) + place for place in both)))
        return self._node((1 << len(self.cells)) - 1, most, moves, [])

    def _node(self, fitting: int, more: int, moves: Sequence[Permutation], chosen: list[int]) -> Any:
        rest = self._left_over(fitting, more, chosen)
        if not rest:
            return [[], []]
        if not moves or len(chosen) > DEEPEST:
            self._plainly(fitting, more, chosen)
            return None
        branches = []
        while rest:
            place = rest.bit_length() - 1
            images = orbit(moves, place)
            inner = fixing(moves, place, self.rng)
            branches.append(self._node(fitting & self.graph[place], more - 1, inner, [*chosen, place]))
            for image in images:
                fitting &= ~(1 << image)
            rest = self._left_over(fitting, more, chosen)
        return [[self._images(move) for move in moves], branches]

    def _images(self, move: Permutation) -> list[list[int]]:
        first, second = len(self.cells), len(self.cells) + self.height
        return [[row - first for row in move[first:second]], [column - second for column in move[second:]]]

    def _plainly(self, fitting: int, more: int, chosen: list[int]) -> None:
        stack = [(fitting, self._left_over(fitting, more, chosen), more, chosen)]
        while stack:
            fitting, rest, more, chosen = stack.pop()
            if rest:
                place = rest.bit_length() - 1
                fitting ^= 1 << place
                stack.append((fitting, rest ^ 1 << place, more, chosen))
                inner = fitting & self.graph[place]
                left = self._left_over(inner, more - 1, [*chosen, place])
                stack.append((inner, left, more - 1, [*chosen, place]))

    def _left_over(self, fitting: int, more: int, chosen: list[int]) -> int:
        if more < 0:
            raise _LargerError(chosen)
        if self.clock.over:
            raise OutOfTimeError
        rest = fitting
        for _ in range(more):
            if not rest:
                break
            members = rest
            while members:
                low = members & -members
                rest ^= low
                members &= self.strangers[low.bit_length() - 1] & ~low
        return rest


LONG = 20.0  # seconds for a first search, by symmetries or compiled, where nobody sets a limit
LOOK, PARTS = 0.5, 8  # seconds for a first search in Python, at most; and of how many parts of the time it gets one
SWAPS, FEWER, SEEDS = 20_000, 1_000, 8  # of a longer local search, of one among many cells, and how many of them
MOST_SEARCHED = 640  # cells up to which a longer local search takes so many steps
LOOKS = 1 << 24  # at cells, whatever the time
MOST_VERTICES = 4096  # of the exclusion graph; beyond, a set is grown without it


@dataclass(frozen=True)
class FoolingBracket:
    """A fooling set that was checked, and an upper bound on the largest one with the methods that prove it."""

    cells: tuple[Cell, ...]
    upper: int
    upper_by: str
    code: int | None
    answer: str
    symmetries: Any = None
    witness: dict[str, Any] | None = None

    @property
    def lower(self) -> int:
        return len(self.cells)

    @property
    def exact(self) -> bool:
        return self.lower == self.upper


def maximum_fooling_set(
    matrix: Subject,
    label: Hashable | None = None,
    *,
    answer: str = "both",
    seconds: float | None = None,
    seed: int = 0,
) -> FoolingBracket:
    """A largest fooling set, proved so by branch and bound, or a bracket if the time (seconds) runs out.

    The other arguments are those of :func:`grow_fooling_set`, which comes first.

    >>> found = maximum_fooling_set(CommunicationMatrix.from_array([[1, 0], [1, 1]]))
    >>> found.lower, found.upper, found.exact
    (3, 3, True)
    """
    matrix = matrix_of(matrix)
    if label is None and answer == "both":
        return _union(matrix, seconds, seed)
    clock, codes, code = Clock.within(seconds), matrix.codes, None if label is None else code_of(matrix, label)
    if np.count_nonzero(codes != DONT_CARE if code is None else codes == code) > MOST_VERTICES:
        chosen = tuple(sorted(_one_by_one(matrix, code, answer, clock)))
        return FoolingBracket(chosen, *_cheap_upper(matrix, code), code, answer)
    search = FoolingSetSearch(matrix, code, answer, clock, seed)
    for step in (search.by_orbits, search.by_a_look, search.by_swaps, search.by_the_checker, search.by_branching):
        if len(search.best) < search.upper and not clock.over:
            step()
    return search.bracket()


class FoolingSetSearch:
    """What is known of a largest fooling set (``best``: the places of its cells), and ways to know more."""

    def __init__(self, matrix: CommunicationMatrix, code: int | None, answer: str, clock: Clock, seed: int) -> None:
        self.matrix, self.code, self.answer, self.clock = matrix, code, answer, clock
        self.cells, self.graph = exclusion_graph(matrix, code, answer)
        places = {cell: place for place, cell in enumerate(self.cells)}
        one_by_one = sorted(places[cell] for cell in _one_by_one(matrix, code, answer, clock))
        self.best = max(local_search(self.graph, random.Random(seed), 300), one_by_one, key=len)
        self.upper, self.upper_by = _cheap_upper(matrix, code)
        self.symmetries: Any = None
        self.witness: dict[str, Any] | None = None
        self.seed = seed

    def by_swaps(self) -> None:
        clock = Clock.within(self.clock.share(PARTS))
        for number in range(1, SEEDS + 1):
            if len(self.best) < self.upper and not clock.over:
                steps = SWAPS if len(self.cells) <= MOST_SEARCHED else FEWER
                self.best = max(self.best, local_search(self.graph, random.Random(self.seed + number), steps), key=len)

    def by_the_checker(self) -> None:
        """Its search for one cell more, in half of the time: sooner done than branching in Python."""
        if library() is not None:
            return
        table, by_rows = self.matrix.codes.tolist(), self.code is not None and self.answer == "both"
        witness = {**search_witness(table, self.graph, self.cells, by_rows), "at_most": len(self.best)}
        claim = (table, "fooling-set", "upper", {"code": self.code, "answer": self.answer}, witness)
        if is_shown(claim, Clock.within(self.clock.share(2))):
            self.upper, self.upper_by, self.witness = len(self.best), "search", witness

    def by_orbits(self) -> None:
        order = degenerate_order(self.graph)
        place = {vertex: number for number, vertex in enumerate(order)}
        clique, self.symmetries = largest_by_orbits(
            self.matrix.codes.tolist(),
            [self.cells[vertex] for vertex in order],
            renumbered(self.graph, order),
            [place[vertex] for vertex in self.best],
            Clock.within(self.clock.share(2) or LONG),
        )
        self.best = sorted(order[vertex] for vertex in clique)
        if self.symmetries is not None:
            self.upper, self.upper_by = len(clique), "symmetries"

    def by_a_look(self) -> None:
        if library() is None:
            self.by_branching(Clock.within(min(LOOK, self.clock.share(PARTS) or LOOK)))
        else:
            self.by_branching(Clock.within(self.clock.share(4) or LONG))

    def by_branching(self, clock: Clock | None = None) -> None:
        try:
            self.best, proved = maximum_clique(self.graph, self.best, clock or self.clock, self.upper)
        except OutOfTimeError as stopped:
            self.best, proved = stopped.args
        if proved < self.upper:
            self.upper, self.upper_by, self.witness = proved, "search", None

    def bracket(self) -> FoolingBracket:
        chosen = tuple(sorted(self.cells[vertex] for vertex in self.best))
        clash = first_clash(self.matrix, chosen, self.answer)
        if clash is not None:
            raise AssertionError(f"{clash} are in one leaf")
        known = (self.upper, self.upper_by, self.code, self.answer, self.symmetries, self.witness)
        return FoolingBracket(chosen, *known)


def _one_by_one(matrix: CommunicationMatrix, code: int | None, answer: str, clock: Clock) -> list[Cell]:
    """A fooling set: again and again the cell whose row and column agree with it least, of those that fit."""
    codes = matrix.codes
    allowed = (codes != DONT_CARE) if code is None else (codes == code)
    like = codes == DONT_CARE if code is None else (codes == code) | (codes == DONT_CARE)
    agreeing = np.multiply.outer(like.sum(axis=1), like.sum(axis=0))
    order = np.argsort(agreeing[allowed], kind="stable")
    rows, columns = (places[order] for places in np.nonzero(allowed))
    chosen, work = list[Cell](), LOOKS
    while len(rows) and (work > 0 or not clock.over):
        row, column = int(rows[0]), int(columns[0])
        chosen.append((row, column))
        work -= len(rows)
        cells = codes[rows, columns], codes[row, columns], codes[rows, column]
        fits = excluding(codes[row, column], *cells, answer)
        rows, columns = rows[fits], columns[fits]
    return chosen


def _union(matrix: CommunicationMatrix, seconds: float | None, seed: int) -> FoolingBracket:
    """Cells of different answers exclude each other: a largest mixed set is a union of largest ones."""
    share = None if seconds is None else seconds / max(len(matrix.labels), 1)
    parts = [maximum_fooling_set(matrix, label, seconds=share, seed=seed) for label in matrix.labels]
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


def proved_fooling_set(
    matrix: CommunicationMatrix, code: int | None, answer: str, seconds: float | None
) -> Iterator[Bracket]:
    """A largest fooling set as a bracket, before its upper side is proved, if that may take long, and after it."""
    clock, label = Clock.within(seconds), None if code is None else matrix.labels[code]
    found = maximum_fooling_set(matrix, label, answer=answer, seconds=seconds)
    parameters, cells = {"code": code, "answer": answer}, [list(cell) for cell in found.cells]
    below = Side(found.lower, "fooling set", {"kind": "fooling-set", "cells": cells} if cells else None)
    unproved = Side(found.upper, f"{found.upper_by}, without certificate")
    bracket = Bracket("fooling-set", below, unproved, parameters, "cells")
    witness = found.witness
    if found.upper_by in ("rows", "columns", "cells") and code is not None:
        witness = {"kind": "lines"}
    elif witness is None:
        yield bracket
        (every, graph), table = exclusion_graph(matrix, code, answer), matrix.codes.tolist()
        by_rows = found.symmetries is None and code is not None and answer == "both"
        witness = {**search_witness(table, graph, every, by_rows), "at_most": found.upper}
        if found.symmetries is not None:
            witness |= {"kind": "fooling-orbits", "symmetries": found.symmetries}
        if not is_shown((table, "fooling-set", "upper", parameters, witness), clock):
            return
    yield replace(bracket, above=Side(found.upper, found.upper_by, witness))
