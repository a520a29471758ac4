"""Largest fooling sets: searches that the checker repeats, by cells, rows or orbits of symmetries.

The size of a search tree is estimated by random descents (Knuth, Estimating the efficiency of backtrack programs,
1975), so that no time is spent on bounds out of reach. By orbits: cells are divided into classes, of each of which a
fooling set has at most one cell, and those left over are branched on; if no large set goes through a cell, none goes
through any cell of its orbit.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
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
from ccsim.certificates.verify.claims import MOST_WORK, Matrix, MatrixClaim
from ccsim.certificates.verify.fooling import CellSearch
from ccsim.errors import Array
from ccsim.matrices import DONT_CARE, CommunicationMatrix
from ccsim.problems.function import Subject, matrix_of

PROBES = 1000
STEP = 12e-9  # seconds for a step of the checker, where it has a processor of its own
SURE_PARTS = (0.04, 0.2)  # of the time, for sizes that are surely in reach
SET = 80  # steps for a set of cells that goes abreast with others
LONGEST = 3600.0  # seconds where nobody sets a limit; a search ends sooner by itself


def search_witness(table: list[list[int]], graph: list[int], cells: Sequence[Cell], by_rows: bool) -> dict[str, Any]:
    """The witness, but for the size: cells that exclude few others come last, or rows with such cells."""
    if not by_rows:
        return {"kind": "fooling-search", "cells": [list(cells[place]) for place in degenerate_order(graph)]}
    degrees: dict[int, list[int]] = {row: [] for row in range(len(table))}
    for (row, _), neighbours in zip(cells, graph, strict=True):
        degrees[row].append(neighbours.bit_count())
    order = sorted(degrees, key=lambda row: -float(np.mean(degrees[row] or [0])))
    return {"kind": "fooling-rows", "rows": order}


def by_repeated_search(
    table: list[list[int]],
    parameters: dict[str, Any],
    witness: dict[str, Any],
    sizes: range,
    clock: Clock,
    closing: bool = False,
) -> dict[str, Any] | None:
    """The witness of the least size that the checker shows in time; if ``closing``, of the least of all or none."""

    def work(report: Callable[[Any], None]) -> None:
        claim = MatrixClaim(Matrix(table), "fooling-set", "upper", parameters)
        rows, code = witness.get("rows", ()), parameters["code"]
        by_rows = [[row, column] for row in rows for column, own in enumerate(table[row]) if own == code]
        search = CellSearch(claim, witness.get("cells") or by_rows)
        reached = sizes.stop
        for most in _in_turn(search, "rows" in witness, sizes, clock.left(LONGEST) / STEP, closing):
            if most < reached:
                with suppress(Refused):
                    report({**witness, "at_most": claim.on(Matrix(table)).proved({**witness, "at_most": most})})
                    reached = most

    shown = None
    with suppress(Refused):
        for shown in clock.run(work):
            if shown["at_most"] == sizes.start:
                break
    return shown


def _in_turn(search: CellSearch, abreast: bool, sizes: range, steps: float, closing: bool) -> list[int]:
    """Which sizes to try: those that take a part of the steps; then, upwards, from the least that takes no more."""
    least = _least_in_reach(search, abreast, sizes, min(steps * (1 - sum(SURE_PARTS)), MOST_WORK))
    if closing and least > sizes.start:
        return []
    above = range(least, sizes.stop)
    first = [_least_in_reach(search, abreast, above, steps * part) for part in SURE_PARTS]
    return list(dict.fromkeys([*(most for most in first if most in above), *above]))


def _least_in_reach(search: CellSearch, abreast: bool, sizes: range, work: float) -> int:
    """The least size that seems to take no more than this work; that after the last one if there is none."""

    def within(most: int) -> bool:
        rng = random.Random(0)
        return sum(_probe(search, most, abreast, rng) for _ in range(PROBES)) / PROBES <= work

    return bisect_left(range(sizes.stop), True, sizes.start, key=within)


def _probe(search: CellSearch, more: int, abreast: bool, rng: random.Random) -> int:
    fitting, branches, total, spent = search.every, 1, 0, search.matrix.left
    while more >= 0:
        before = spent[0]
        rest = search.unclassed(fitting, more)
        total += branches * (SET if abreast else before - spent[0])
        spent[0] = before
        if not rest:
            break
        count = rest.bit_count()
        for _ in range(1 + rng.randrange(count)):
            own = rest & -rest
            rest ^= own
            fitting ^= own
        fitting &= ~search.fellows[own.bit_length()]
        more, branches = more - 1, branches * count
    return total


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
FEWEST = 32  # cells that are taken whatever the time
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
        return _without_graph(matrix, code, answer, clock)
    search = FoolingSetSearch(matrix, code, answer, clock, seed)
    quick = (search.by_orbits, search.by_a_look, search.by_swaps, partial(search.by_the_checker, closing=True))
    for step in (*quick, search.by_the_checker, search.by_branching):
        if len(search.best) < search.upper and not clock.over:
            step()
    return search.bracket()


class FoolingSetSearch:
    """What is known of a largest fooling set (``best``: the places of its cells), and ways to know more."""

    def __init__(self, matrix: CommunicationMatrix, code: int | None, answer: str, clock: Clock, seed: int) -> None:
        self.matrix, self.code, self.answer, self.clock = matrix, code, answer, clock
        self.cells, self.graph = exclusion_graph(matrix, code, answer)
        self.best = local_search(self.graph, random.Random(seed), 300)
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

    def by_the_checker(self, closing: bool = False) -> None:
        clock = self.clock if closing else Clock.within(self.clock.share(2))
        table, by_rows = self.matrix.codes.tolist(), self.code is not None and self.answer == "both"
        witness = search_witness(table, self.graph, self.cells, by_rows)
        parameters, sizes = {"code": self.code, "answer": self.answer}, range(len(self.best), self.upper)
        shown = by_repeated_search(table, parameters, witness, sizes, clock, closing)
        if shown is not None:
            self.upper, self.upper_by, self.witness = shown["at_most"], "search", shown

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


def _without_graph(matrix: CommunicationMatrix, code: int | None, answer: str, clock: Clock) -> FoolingBracket:
    """Too many cells for a graph: again and again the cell whose row and column agree with it least, of those that
    fit."""
    codes = matrix.codes
    allowed = (codes != DONT_CARE) if code is None else (codes == code)
    like = codes == DONT_CARE if code is None else (codes == code) | (codes == DONT_CARE)
    agreeing = np.multiply.outer(like.sum(axis=1), like.sum(axis=0))
    order = np.argsort(agreeing[allowed], kind="stable")
    cells = np.argwhere(allowed)[order]
    chosen: list[Cell] = []
    while len(cells):
        if len(chosen) >= FEWEST and clock.over:
            break
        row, column = cells[0].tolist()
        chosen.append((row, column))
        if code is not None and answer == "both":
            allowed[np.ix_(like[:, column], like[row])] = False
        else:
            allowed &= excluding(codes[row, column], codes, codes[row][None, :], codes[:, column][:, None], answer)
        cells = cells[_first_allowed(allowed, cells) :]
    upper, reason = _cheap_upper(matrix, code)
    return FoolingBracket(tuple(sorted(chosen)), upper, reason, code, answer)


def _first_allowed(allowed: Array, cells: Array, some: int = 4096) -> int:
    for start in range(0, len(cells), some):
        left = allowed[tuple(cells[start : start + some].T)]
        if left.any():
            return start + int(left.argmax())
    return len(cells)


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
        claim = (table, "fooling-set", "upper", parameters, witness)
        try:
            if not list(clock.run(lambda report: report(check(*claim)))):
                return
        except Refused:  # too much work
            return
    yield replace(bracket, above=Side(found.upper, found.upper_by, witness))
