"""Cover numbers, partition numbers, and non-deterministic complexity: every method in turn until both bounds meet.

The least number of monochromatic rectangles of an answer v that contain every v-cell, and undefined entries at will;
N^v(f) = ceil(log2 of it) (Kushilevitz and Nisan 1997, chapter 2). In a partition each v-cell lies in exactly one: at
least the rank of the indicator over any field; over all answers they add up to at most 2^D. The first methods are
limited by steps, and slices of time do not depend on the time limit, so that more time never gives a worse bracket.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, count, islice
from math import inf
from typing import Any

import numpy as np

from ccsim.bounds.bit_matrix import members
from ccsim.bounds.bracket import Bracket, Open, Side, Witness, in_bits, last_of, timed, together
from ccsim.bounds.branch_and_cut import more_by_cases
from ccsim.bounds.cliques import maximum_clique
from ccsim.bounds.field_ranks import LARGE_PRIME, pack_rows, rank_witness
from ccsim.bounds.fooling_sets import grow_fooling_set
from ccsim.bounds.largest_fooling_sets import maximum_fooling_set
from ccsim.bounds.rectangles import (
    Rectangle,
    code_of,
    covers_by_local_search,
    incidence,
    maximal_rectangles,
    present_codes,
    supports,
)
from ccsim.bounds.sat_covers import CoverSearch, covers_by_symmetries
from ccsim.bounds.scheduler import Background, Clock, OutOfTimeError
from ccsim.bounds.solvers import linear_program
from ccsim.certificates.verify import Refused, TooLarge, check
from ccsim.certificates.verify.claims import MOST_ROOM, Matrix, MatrixClaim
from ccsim.matrices import DONT_CARE, CommunicationMatrix, MergedMatrix
from ccsim.problems.function import Subject, matrix_of

LONG = 400_000  # characters of a proof for each second that is left, a small part of which is enough to check it
GROWN, STEPS, MOST_GROWN = 5_000, 10, 2_000  # steps in all and for each cell, to grow a fooling set, and of how many
SURE = 1 << 16  # cells beyond which a cover by single rows or columns is not checked again here


@dataclass
class CoverBounds:
    """The best bounds so far on one matrix and code; each is taken only after its checker has agreed."""

    matrix: CommunicationMatrix
    code: int
    measure: str
    clock: Clock
    lower: int = 0
    lower_witness: Witness | None = None
    upper: int = 1 << 30
    upper_witness: Witness | None = None
    fooling_cells: Sequence[tuple[int, int]] = ()

    def __post_init__(self) -> None:
        self.table: list[list[int]] = self.matrix.codes.tolist()

    @property
    def closed(self) -> bool:
        return self.lower >= self.upper or self.clock.over

    @property
    def cells(self) -> list[tuple[int, int]]:
        return [(row, column) for row, column in np.argwhere(self.matrix.codes == self.code).tolist()]

    def maximal_rectangles(self, limit: int) -> list[Rectangle]:
        rectangles, complete = maximal_rectangles(self.matrix, self.matrix.labels[self.code], limit)
        return rectangles if complete else []

    def offer(self, witness: Witness) -> None:
        """Take a witness if it improves its side and checks; what takes long to check only if that is done in time."""
        side = "upper" if witness["kind"] == "rectangles" else "lower"

        def work(send: Callable[[Any], None]) -> None:
            send(int(check(self.table, self.measure, side, {"code": self.code}, witness)))

        values: list[int] = []
        if self.clock.end is None or len(witness.get("proof", "")) < LONG * self.clock.left():
            work(values.append)
        else:
            values += self.clock.run(work)
        for value in values:
            self._take(side, value, witness)

    def _take(self, side: str, value: int, witness: Witness) -> None:
        if side == "lower" and value > self.lower:
            self.lower, self.lower_witness = value, witness
        elif side == "upper" and value < self.upper:
            self.upper, self.upper_witness = value, witness

    def offer_rectangles(self, rectangles: Sequence[Rectangle], sure: bool = False) -> None:
        """Take a cover or partition; without a check if it is ``sure``, so that there is something at once."""
        witness = {"kind": "rectangles", "rectangles": [rectangle.as_data() for rectangle in rectangles]}
        if sure:
            self._take("upper", len(rectangles), witness)
        elif len(rectangles) < self.upper:
            self.offer(witness)

    def offer_trivial(self) -> None:
        for turned, codes in enumerate((self.matrix.codes, self.matrix.codes.T)):
            groups: dict[int, list[int]] = {}  # rows, what they cover, what all of them allow
            allowed = pack_rows((codes == self.code) | (codes == DONT_CARE))
            for place, (mask, free) in enumerate(zip(pack_rows(codes == self.code), allowed, strict=True)):
                if mask:
                    fits = (key for key, (_, own, shared) in groups.items() if (own | mask) & ~(shared & free) == 0)
                    group = groups.setdefault(mask if self.matrix.is_total else next(fits, place), [0, 0, -1])
                    group[:] = [group[0] | 1 << place, group[1] | mask, group[2] & free]
            pairs = ((own, rows) if turned else (rows, own) for rows, own, _ in groups.values())
            rectangles = [Rectangle(*pair) for pair in pairs]
            self.offer_rectangles(rectangles, sure=len(self.table) * len(self.table[0]) > SURE)

    def fooling(self, seconds: float) -> bool:
        """Whether the fooling set is a largest one."""
        largest = maximum_fooling_set(
            self.matrix, self.matrix.labels[self.code], seconds=min(seconds, self.clock.left(seconds))
        )
        self.offer_fooling(largest.cells)
        return largest.exact

    def some_fooling(self) -> None:
        self.fooling(0.0)

    def offer_fooling(self, cells: Sequence[tuple[int, int]]) -> None:
        if len(cells) > len(self.fooling_cells):
            self.fooling_cells = cells
        if len(cells) > self.lower:
            self.offer({"kind": "fooling-set", "cells": [list(cell) for cell in cells]})

    def crown(self) -> list[tuple[int, int]]:
        """Lower bound: a large crown, that is a clique among the cells of other answers."""
        codes = self.matrix.codes
        cells = [(r, c) for r, c in np.argwhere((codes != self.code) & (codes != DONT_CARE)).tolist()]
        if not 1 < len(cells) <= 1200:
            return []
        rows, columns = np.array(cells).T
        across = codes[rows[:, None], columns[None, :]] == self.code
        graph = pack_rows(across & across.T)
        try:
            chosen, _ = maximum_clique(graph, [], Clock.within(self.clock.left(SOON)))
        except OutOfTimeError as stopped:
            chosen, _ = stopped.args
        crown = [cells[vertex] for vertex in chosen]
        self.offer({"kind": "crown", "cells": [list(cell) for cell in crown]})
        return crown

    def fractional(self, rectangles: Sequence[Rectangle]) -> None:
        """The dual of the fractional cover, from floats to integers, checked."""
        cells = self.cells
        if not 0 < len(rectangles) * len(cells) <= 20_000_000:
            return
        inside = incidence(rectangles, cells)
        solved = linear_program(-np.ones(len(cells)), inside, -inf, 1.0, self.clock.left())
        if solved is None:
            return
        owners, places = np.nonzero(inside)
        best: tuple[Fraction, Any, int] | None = None
        for scale in (1, 2, 3, 4, 5, 6, 8, 12, 60, 840, 10_000):
            weights = np.rint(solved[1] * scale).astype(np.int64)
            most = int(np.bincount(owners, weights=weights[places]).max())
            if most and (best is None or Fraction(int(weights.sum()), most) > best[0]):
                best = Fraction(int(weights.sum()), most), weights, most
        if best is not None and best[0] > self.lower:
            listed = [[*cell, int(weight)] for cell, weight in zip(cells, best[1], strict=True) if weight]
            self.offer({"kind": "cover-weights", "at_most": best[2], "weights": listed})


Steps = Sequence[Callable[[CoverBounds], Iterator[None] | None] | None]
"""What improves the bounds; one that takes long pauses after each improvement. None: all before it is quick."""


def brackets_of(
    matrix: CommunicationMatrix, code: int, measure: str, steps: Steps, clock: Clock
) -> Iterator[Bracket | None]:
    """The bracket of one answer, better after each step, with equal rows and columns merged."""
    merged = matrix.merge()
    bounds = CoverBounds(merged.matrix, code, measure, clock)
    bounds.offer_trivial()
    yield _carried_back(matrix, merged, bounds)
    for step in steps:
        if step is None:
            yield None
        elif bounds.lower < bounds.upper and not clock.over:
            for _ in step(bounds) or (None,):
                yield _carried_back(matrix, merged, bounds)


def _carried_back(matrix: CommunicationMatrix, merged: MergedMatrix, bounds: CoverBounds) -> Bracket:
    nothing: Witness = {"kind": "fooling-set", "cells": []}
    lower, upper = bounds.lower_witness or nothing, bounds.upper_witness or nothing
    below, above = lower["kind"], upper["kind"]
    if merged.matrix.shape != matrix.shape and bounds.lower_witness:
        lower = {"kind": "submatrix", "rows": merged.rows.tolist(), "columns": merged.columns.tolist(), "of": lower}
    if merged.matrix.shape != matrix.shape and bounds.upper_witness:
        pairs = (merged.original(int(rows, 16), int(columns, 16)) for rows, columns in upper["rectangles"])
        upper = {**upper, "rectangles": [Rectangle(*pair).as_data() for pair in pairs]}
    parameters = {"code": bounds.code, "label": repr(matrix.labels[bounds.code])}
    sides = Side(bounds.lower, below, lower), Side(bounds.upper, above, upper)
    return Bracket(bounds.measure, *sides, parameters, "rectangles")


USUAL = 60.0  # seconds where nobody sets a limit
TRIES, EXCHANGES, CASES = 8, 100, 100  # of symmetries, pauses of others, before the solver has a process of its own
ROUNDS, SHORT, MOST_HERE = 5, 3, 6_000  # of the solver in this process, likewise before cases; variables at most
FEW_LISTED = 1000  # maximal rectangles of which weights are found at once
SLICE = 0.4  # seconds of the first turns
MOMENT, ALONE = 0.5, 2.0  # seconds of work, of the solver before fooling sets and before all other methods
PATIENCE = 5  # times as many seconds, on a busy machine
LISTED = 5_000  # maximal rectangles that get a weight in each case
EXCHANGED = 10_000  # maximal rectangles that may be exchanged
MOST_SEARCHED = 256  # rows and columns beyond which fooling sets alone are searched for
Turns = Iterator[None]
"""Work that pauses now and then."""


def search_cover(bounds: CoverBounds) -> Turns:
    if bounds.clock.end is None:
        bounds.clock = Clock.within(USUAL)
    if bounds.measure == "partition":
        first, others = [_symmetric(bounds)], [_fooling(bounds)]
    elif max(bounds.matrix.shape) > MOST_SEARCHED:
        first, others = [], [_fooling(bounds)]
    else:
        cases = _cases(bounds)  # decides most, given the time: it has every other turn
        first = [_symmetric(bounds), _local_search(bounds), cases]
        others = [_fooling(bounds), cases]
    search = yield from _quickly(bounds, first)
    if bounds.closed:
        return
    with Background(search, bounds.clock.left()) as solver:
        yield from _wait(bounds, solver, MOMENT)
        yield from _in_turn(bounds, others[:1], SLICE, solver, rounds=1)
        yield from _in_turn(bounds, first[1:], 3 * ALONE, solver, rounds=1)
        yield from _wait(bounds, solver, ALONE)
        yield from _in_turn(bounds, first + others, SLICE, solver)
        yield from _wait(bounds, solver, inf)


def _quickly(bounds: CoverBounds, methods: list[Turns]) -> Generator[None, None, CoverSearch]:
    """What takes little work, counted in steps; the solver's search, which goes on from there."""
    if len(bounds.cells) <= MOST_GROWN:
        steps = min(GROWN, STEPS * len(bounds.cells))
        bounds.offer_fooling(grow_fooling_set(bounds.matrix, bounds.matrix.labels[bounds.code], steps=steps))
    yield
    fooled, cells = bounds.lower, bounds.fooling_cells
    if methods and bounds.measure == "cover" and 0 < len(cells) == fooled < bounds.upper:
        bounds.fractional(bounds.maximal_rectangles(FEW_LISTED))
        yield
    search = CoverSearch(bounds.table, bounds.code, list(cells), int(bounds.lower), bounds.upper, bounds.measure)
    solved = _solved_here(bounds, search)
    here = [(solved, 1), *zip(methods[:1], [TRIES], strict=False), (solved, ROUNDS)]
    here += zip(methods[1:2], [EXCHANGES], strict=False)
    if bounds.lower > fooled:  # weights are better than fooling sets, and are where cases begin
        exchanged, cases = methods[1:]
        here = [(exchanged, EXCHANGES), (solved, SHORT), (cases, CASES), (exchanged, 20 * EXCHANGES), *here]
    for method, steps in here:
        if method in methods[:1] and bounds.upper - bounds.lower == 1:
            continue  # there may be no smaller cover, and a proof of that ends the search
        for _ in islice(method, steps):
            yield
            if bounds.closed:
                return search
    search.know(int(bounds.lower), bounds.upper)
    return search


def _solved_here(bounds: CoverBounds, search: CoverSearch) -> Turns:
    search.know(int(bounds.lower), bounds.upper)
    while search.open and search.variables(bounds.upper - 1) <= MOST_HERE:
        _offer_all(bounds, search.round())
        yield
        search.know(int(bounds.lower), bounds.upper)


def _in_turn(
    bounds: CoverBounds, methods: list[Turns], first: float, solver: Background, rounds: int | None = None
) -> Turns:
    """Each method for a first slice of time, then each for twice as long; those that are at their end are left out."""
    for number in count() if rounds is None else range(rounds):
        for method in list(methods):
            if bounds.closed:
                return
            late = time.process_time() + first * 2**number  # of work, however busy the machine is
            for _ in method:
                if results := solver.results():
                    _offer_all(bounds, results)
                    yield
                if bounds.closed or time.process_time() > late:
                    break
            else:
                methods.remove(method)
            yield
        if not methods:
            return


def _wait(bounds: CoverBounds, solver: Background, work: float) -> Turns:
    """Until the solver has worked so long, enough for what is small; others would be in its way if all is busy."""
    late = time.monotonic() + PATIENCE * work
    while not bounds.closed and not solver.done and solver.worked < work and time.monotonic() < late:
        _offer_all(bounds, solver.results(0.1))
        yield


def _offer_all(bounds: CoverBounds, witnesses: Iterable[Witness]) -> None:
    for witness in witnesses:
        with suppress(TooLarge):  # it takes the checker too long
            bounds.offer(witness)


def _fooling(bounds: CoverBounds) -> Turns:
    for seconds in (SLICE, 1.0, 5.0):
        if bounds.fooling(seconds):
            return
        yield


def _symmetric(bounds: CoverBounds) -> Turns:
    budgets = lambda: range(bounds.lower, bounds.upper)  # noqa: E731
    for cover in covers_by_symmetries(bounds.table, bounds.code, budgets, bounds.measure, bounds.clock):
        if cover:
            bounds.offer_rectangles(cover)
        yield


def _local_search(bounds: CoverBounds) -> Turns:
    rectangles = bounds.maximal_rectangles(EXCHANGED)
    yield
    for cover in covers_by_local_search(rectangles, bounds.cells, lambda: bounds.upper) if rectangles else ():
        if cover:
            bounds.offer_rectangles(cover)
        yield


def _cases(bounds: CoverBounds) -> Turns:
    """Weights, the dual of the fractional cover; then, one budget after the other, weights in each of many cases."""
    rectangles = bounds.maximal_rectangles(LISTED)
    yield
    if rectangles:
        bounds.fractional(rectangles)
        yield
    budget = -1
    while rectangles and budget < bounds.lower < bounds.upper:
        budget = bounds.lower
        for witness in more_by_cases(bounds.matrix, bounds.code, rectangles, budget):
            if witness:
                try:
                    bounds.offer(witness)
                except Refused:  # it takes the checker too long
                    return
            yield
            if bounds.lower > budget:
                break


SOON = 0.1  # seconds for a crown before all else: if there is a large one it is seen at once


@timed
def cover_number(matrix: Subject, label: Hashable | None = None, *, seconds: float | None = 60.0) -> Bracket:
    """The least number of monochromatic rectangles that cover all cells of a label.

    Args:
        matrix: total or partial; undefined entries need no rectangle and may be in any.
        label: the answer; None: the sum over all answers.
        seconds: a limit on the search; after that the bracket so far.

    Returns:
        A bracket in rectangles. Below: a fooling set, a crown, weights (the dual of the fractional cover, also in
        each of many cases), or a proof by a SAT solver; above: the rectangles.

    >>> print(cover_number(np.eye(8, dtype=int), 0))
    cover = 5 rectangles (crown | rectangles)
    """
    return bracket_of(matrix_of(matrix), label, "cover", COVER_STEPS, seconds)


@timed
def nondeterministic(matrix: Subject, label: Hashable = 1, *, seconds: float | None = 60.0) -> Bracket:
    """N^label(f) = ceil(log2 of the cover number), in bits: a prover convinces both parties of this answer.

    >>> nondeterministic(CommunicationMatrix.from_array(np.eye(8, dtype=int)), 0).lower
    3
    """
    return in_bits(cover_number(matrix, label, seconds=seconds), "nondeterministic")


def bracket_of(
    matrix: CommunicationMatrix, label: Hashable | None, measure: str, steps: Steps, seconds: float | None
) -> Bracket:
    """The bracket of one answer, or of the sum over all that occur, sharing the time."""
    whole, clock = Clock.within(seconds), Clock()
    codes = present_codes(matrix) if label is None else [code_of(matrix, label)]
    searches = [brackets_of(matrix, code, measure, steps, clock) for code in codes]
    brackets = [last_of(iter(search.__next__, None)) for search in searches]  # what is quick of all comes first
    for place, search in enumerate(searches):
        clock.end = Clock.within(whole.share(len(codes) - place)).end
        best = last_of([brackets[place], *search])
        brackets[place] = replace(best, open=Open.TIME if clock.over else Open.REACH)
    return sum_of(measure, brackets) if label is None else brackets[0]


def sum_of(measure: str, parts: Sequence[Bracket]) -> Bracket:
    return Bracket(
        measure,
        together(part.below for part in parts),
        together(part.above for part in parts),
        {"code": None, "label": repr(None)},
        "rectangles",
        open=next((part.open for part in parts if part.open and not part.exact), None),
    )


def _from_crown(bounds: CoverBounds) -> None:
    """A crown of m rows is covered by k rectangles: give row i a k/2-subset of k, and column i its complement."""
    crown = bounds.crown()
    if not crown:
        return
    size = int(bounds.lower)
    allowed = supports(bounds.matrix, bounds.code)
    subsets = list(islice(combinations(range(size), size // 2), len(crown)))
    rectangles = []
    for number in range(size if len(subsets) == len(crown) else 0):
        rows = sum(1 << row for (row, _), own in zip(crown, subsets, strict=True) if number in own)
        columns = -1
        for row in members(rows):
            columns &= allowed[row]
        if rows:
            rectangles.append(Rectangle(sum(1 << r for r, a in enumerate(allowed) if columns & ~a == 0), columns))
    _completed(bounds, rectangles)


def _completed(bounds: CoverBounds, rectangles: list[Rectangle]) -> None:
    allowed = supports(bounds.matrix, bounds.code)
    left = [sum(1 << int(c) for c in np.flatnonzero(row)) for row in bounds.matrix.codes == bounds.code]
    for rectangle in rectangles:
        _cross_out(left, rectangle)
    for row in range(len(left)):
        while left[row]:
            if len(rectangles) >= bounds.upper or bounds.clock.over:
                return
            columns, lowest = allowed[row], left[row] & -left[row]
            for other, mask in enumerate(allowed):
                both = columns & mask
                if mask & lowest and both & left[other] and 2 * both.bit_count() >= columns.bit_count():
                    columns = both
            rows = sum(1 << other for other, mask in enumerate(allowed) if columns & ~mask == 0)
            rectangles.append(Rectangle(rows, columns))
            _cross_out(left, rectangles[-1])
    bounds.offer_rectangles(rectangles)


STARTS, MOST_GREEDY = (1, 4, 8), 128  # rows in which a rectangle begins; rows and columns of a matrix


def greedy(bounds: CoverBounds) -> Turns:
    """Upper bound: again and again the rectangle that is found to cover most, by intersecting rows one by one."""
    own, free = (pack_rows(bounds.matrix.codes == code) for code in (bounds.code, DONT_CARE))
    for starts in STARTS if max(bounds.matrix.shape) <= MOST_GREEDY else ():
        left, rectangles = own.copy(), list[Rectangle]()
        while any(left) and len(rectangles) < bounds.upper - 1 and not bounds.clock.over:
            usable = left if bounds.measure == "partition" else own
            allowed = [cells | others for cells, others in zip(usable, free, strict=True)]
            best = 0, Rectangle(0, 0)
            for row in sorted(range(len(left)), key=lambda row: -left[row].bit_count())[:starts]:
                now = _gain(left, allowed, allowed[row])
                while now[0]:
                    best, columns = max(best, now), now[1].columns
                    fewer = {columns & mask for mask in allowed} - {columns}
                    now = max((_gain(left, allowed, some) for some in fewer), default=(0, best[1]))
            rectangles.append(best[1])
            _cross_out(left, best[1])
        if not any(left):
            bounds.offer_rectangles(rectangles)
        yield


def _gain(left: list[int], allowed: list[int], columns: int) -> tuple[int, Rectangle]:
    """How many cells that are left the largest rectangle on these columns covers."""
    rows = [row for row, mask in enumerate(allowed) if columns & ~mask == 0]
    return sum([(left[row] & columns).bit_count() for row in rows]), Rectangle(sum([1 << row for row in rows]), columns)


def _cross_out(left: list[int], rectangle: Rectangle) -> None:
    for row in members(rectangle.rows):
        left[row] &= ~rectangle.columns


COVER_STEPS: Steps = (
    CoverBounds.some_fooling,
    lambda bounds: _completed(bounds, []) if max(bounds.matrix.shape) <= MOST_SEARCHED else None,
    None,
    lambda bounds: _completed(bounds, []) if max(bounds.matrix.shape) > MOST_SEARCHED else None,
    _from_crown,
    greedy,
    search_cover,
)
"""From quick to slow; those before None are quick on every matrix."""

FEW_ROWS = 256  # up to which a checker can eliminate modulo a large prime
MOST_ROWS = 2048  # and modulo a small one
SECONDS = 1.5e-9  # to find pivots modulo 3 and check them, for rows to the third power


@timed
def partition_number(matrix: Subject, label: Hashable | None = None, *, seconds: float | None = 60.0) -> Bracket:
    """The fewest disjoint monochromatic rectangles that contain all cells of a label.

    Arguments are those of :func:`cover_number`. Below: rank modulo a prime (total functions), or one more if no
    partition has as many rectangles; a fooling set, or a proof by a SAT solver; above: the rectangles.

    >>> cycle = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]]
    >>> print(partition_number(cycle, 1))
    partition = 4 rectangles (fooling-set | rectangles)
    """
    return bracket_of(matrix_of(matrix), label, "partition", PARTITION_STEPS, seconds)


def _rank(*primes: int) -> Callable[[CoverBounds], None]:
    """The rank of the indicator over these fields, on pivot rows and columns."""

    def offer(bounds: CoverBounds) -> None:
        rows, few = max(bounds.matrix.shape), min(bounds.matrix.shape) <= FEW_ROWS
        for prime in primes if bounds.matrix.is_total and rows <= MOST_ROWS else ():
            if prime == 2 or ((few or prime < LARGE_PRIME) and rows**3 * SECONDS < bounds.clock.left()):
                bounds.offer(rank_witness((bounds.matrix.codes == bounds.code).astype(np.int64), prime))

    return offer


SHARE = 2_500_000  # steps of the checker for each second that is left: a twentieth of the time


def excess(bounds: CoverBounds) -> None:
    """Lower bound: one more than the rank, if that is the best so far and no partition is so small."""
    if bounds.lower_witness and bounds.lower_witness["kind"] == "pivots":
        matrix = Matrix(bounds.table, [int(SHARE * bounds.clock.left(USUAL)), MOST_ROOM])
        claim, witness = MatrixClaim(matrix, "partition", "lower", {"code": bounds.code}), {"kind": "rank-search"}
        with suppress(Refused):
            bounds._take("lower", claim.proved(witness), witness)


PARTITION_STEPS: Steps = (_rank(2), None, _rank(3, LARGE_PRIME), CoverBounds.some_fooling, greedy, excess, search_cover)
"""From quick to slow."""
