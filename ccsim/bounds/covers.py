"""Cover numbers, partition numbers, and non-deterministic complexity: every method in turn until both sides meet.

The v-cover number of f is the least number of monochromatic rectangles of answer v that together contain every
v-cell; they may overlap, and use undefined entries. N^v(f) = ceil(log2 of it) (Kushilevitz and Nisan 1997, chapter 2).

The v-partition number is the least number of them such that each v-cell lies in exactly one. Undefined entries may lie
in any number. For total Boolean functions it is the unambiguous cover number (the binary rank of the indicator matrix),
at least its rank over any field. Rectangles of different answers never share a promised cell, so for all answers
together the partition number is the sum; log2 of it is a lower bound on D.

At first all work is counted in steps and conflicts, never in seconds: fooling sets, weights, symmetries, a SAT solver
in this process, exchanges. Then the solver goes on in a process of its own, from the largest fooling set and the
smallest cover so far. Slices of time do not depend on the time limit, so that more time never gives a worse bracket.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, count, islice
from typing import Any

import lazy_loader as lazy
import numpy as np

from ccsim.bounds.bracket import Bracket, Open, Side, Witness, last_of, logarithm_of, timed, together
from ccsim.bounds.branch_and_cut import more_by_cases
from ccsim.bounds.fooling_sets import OutOfTimeError, grow_fooling_set, maximum_clique
from ccsim.bounds.largest_fooling_sets import maximum_fooling_set
from ccsim.bounds.rank import LARGE_PRIME, pack_rows, rank_witness
from ccsim.bounds.rectangles import (
    Rectangle,
    code_of,
    covers_by_exchanges,
    maximal_rectangles,
    members,
    present_codes,
    supports,
)
from ccsim.bounds.sat_covers import CoverSearch, covers_by_symmetries
from ccsim.bounds.scheduler import Background, Clock
from ccsim.bounds.solvers import linear_program
from ccsim.certificates.verify import Refused, TooLarge, check
from ccsim.certificates.verify.claims import bits_for
from ccsim.matrices import DONT_CARE, CommunicationMatrix, MergedMatrix
from ccsim.problems.function import Subject, matrix_of

scipy = lazy.load("scipy")

LONG = (
    400_000  # characters of a proof for each second that is left, so that a small part of these is enough to check it
)
GROWN, STEPS, MOST_GROWN = 5_000, 10, 2_000  # steps in all and for each cell, to grow a fooling set, and of how many
SURE = 1 << 16  # cells beyond which a cover by single lines is not checked again here


@dataclass
class Sides:
    """The best bounds so far on one matrix and code; each is taken only after its checker has agreed.

    Attributes:
        matrix, code: what is covered.
        measure: ``"cover"`` or ``"partition"``.
        given: when to stop; None: never.
        apart: the largest fooling set so far.
        clock: the same as a clock.
    """

    matrix: CommunicationMatrix
    code: int
    measure: str
    given: Clock | None
    lower: int = 0
    lower_witness: Witness | None = None
    upper: int = 1 << 30
    upper_witness: Witness | None = None
    apart: Witness | None = None
    table: list[list[int]] = field(init=False)
    clock: Clock = field(init=False)

    def __post_init__(self) -> None:
        self.table, self.clock = self.matrix.codes.tolist(), self.given or Clock()

    @property
    def closed(self) -> bool:
        return self.lower >= self.upper or self.clock.over

    @property
    def cells(self) -> list[tuple[int, int]]:
        """What is to be covered, row by row."""
        return [(row, column) for row, column in np.argwhere(self.matrix.codes == self.code).tolist()]

    def offer(self, side: str, witness: Witness) -> None:
        """Take a witness if it improves its side and checks; what takes long to check only if that is done in time."""

        def work(tell: Callable[[Any], None]) -> None:
            tell(int(check(self.table, self.measure, side, {"code": self.code}, witness)))

        values: list[int] = []
        if self.clock.end is None or len(witness.get("proof", "")) < LONG * self.clock.left(1e9):
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
        data = [r.as_data() for r in rectangles]
        witness = {"kind": "rectangles", "rectangles": data}
        if sure:
            self._take("upper", len(data), witness)
        elif len(data) < self.upper:
            self.offer("upper", witness)

    def lines(self) -> None:
        """Trivial upper bound: each different row of the indicator with all rows equal to it, or likewise columns."""
        codes = self.matrix.codes
        own = pack_rows(codes == self.code)
        free = [row | other for row, other in zip(own, pack_rows(codes == DONT_CARE), strict=True)]
        for turned in (False, True):
            if turned:
                codes = codes.T
                own = pack_rows(codes == self.code)
                free = pack_rows((codes == self.code) | (codes == DONT_CARE))
            groups: list[list[int]] = []  # [lines, what they cover, what all of them allow]
            if self.matrix.is_total:
                equal: dict[int, int] = {}
                for place, mask in enumerate(own):
                    equal[mask] = equal.get(mask, 0) | 1 << place
                groups = [[lines, mask, mask] for mask, lines in equal.items() if mask]
            for place, mask in enumerate(() if self.matrix.is_total else own):
                fits = (g for g in groups if (g[1] | mask) & ~(g[2] & free[place]) == 0)
                group = next(fits, None) if mask else [0, 0, 0]
                if group is None:
                    groups.append([1 << place, mask, free[place]])
                else:
                    group[:] = [group[0] | 1 << place, group[1] | mask, group[2] & free[place]]
            found = [Rectangle(g[1], g[0]) if turned else Rectangle(g[0], g[1]) for g in groups]
            self.offer_rectangles(found, sure=len(self.table) * len(self.table[0]) > SURE)

    def some_fooling(self) -> None:
        self.fooling(0.0)

    def grown_fooling(self) -> None:
        """Lower bound: a fooling set that is grown for so many steps, whatever time they take."""
        if len(self.cells) <= MOST_GROWN:
            steps = min(GROWN, STEPS * len(self.cells))
            self._apart(grow_fooling_set(self.matrix, self.code, steps=steps))

    def fooling(self, seconds: float) -> bool:
        """Lower bound: a fooling set; whether it is a largest one."""
        found = maximum_fooling_set(self.matrix, self.code, time_limit=min(seconds, self.clock.left(seconds)))
        self._apart(found.cells)
        return found.exact

    def _apart(self, cells: Sequence[tuple[int, int]]) -> None:
        witness = {"kind": "fooling-set", "cells": [list(cell) for cell in cells]}
        if not self.apart or len(cells) > len(self.apart["cells"]):
            self.apart = witness
        if len(cells) > self.lower:
            self.offer("lower", witness)

    def crown(self, seconds: float = 2.0) -> list[tuple[int, int]]:
        """Lower bound: a large crown, that is a clique among the cells of other answers, sought for so long."""
        codes = self.matrix.codes
        cells = [(r, c) for r, c in np.argwhere((codes != self.code) & (codes != DONT_CARE)).tolist()]
        if not 1 < len(cells) <= 1200:
            return []
        rows, columns = np.array(cells).T
        across = codes[rows[:, None], columns[None, :]] == self.code
        graph = pack_rows(across & across.T)
        try:
            chosen, _ = maximum_clique(graph, [], Clock.within(self.clock.left(seconds)).end)
        except OutOfTimeError as stopped:
            chosen, _ = stopped.args
        crown = [cells[vertex] for vertex in chosen]
        self.offer("lower", {"kind": "crown", "cells": [list(cell) for cell in crown]})
        return crown

    def fractional(self, rectangles: Sequence[Rectangle]) -> None:
        """Lower bound: the dual of the fractional cover, from floats to integers, checked."""
        cells = self.cells
        if not cells or len(rectangles) * len(cells) > 20_000_000:
            return
        inside = _incidence(rectangles, cells)
        limit = {} if self.clock.end is None else {"time_limit": self.clock.left(1e9)}
        ones = np.ones(len(rectangles))
        found = linear_program(-np.ones(len(cells)), A_ub=inside, b_ub=ones, bounds=(0, None), options=limit)
        if found.x is None:
            return
        best: tuple[Fraction, Any, int] | None = None
        for scale in (1, 2, 3, 4, 5, 6, 8, 12, 60, 840, 10_000):
            weights = np.rint(found.x * scale).astype(np.int64)
            most = int((inside @ weights).max())
            if most and (best is None or Fraction(int(weights.sum()), most) > best[0]):
                best = Fraction(int(weights.sum()), most), weights, most
        if best is not None and best[0] > self.lower:
            listed = [[*cell, int(weight)] for cell, weight in zip(cells, best[1], strict=True) if weight]
            self.offer("lower", {"kind": "cover-weights", "at_most": best[2], "weights": listed})


def _incidence(rectangles: Sequence[Rectangle], cells: Sequence[tuple[int, int]]) -> Any:
    place = {cell: number for number, cell in enumerate(cells)}
    rows, columns = [], []
    for number, rectangle in enumerate(rectangles):
        for cell in rectangle.cells():
            if cell in place:
                rows.append(number)
                columns.append(place[cell])
    ones = np.ones(len(rows), dtype=np.int64)
    return scipy.sparse.csr_matrix((ones, (rows, columns)), shape=(len(rectangles), len(cells)))


Steps = Sequence[Callable[[Sides], Iterator[None] | None] | None]
"""What moves the sides; one that takes long pauses after each move. None: where what is quick ends."""


def brackets_of(
    matrix: CommunicationMatrix, code: int, measure: str, steps: Steps, clock: Clock
) -> Iterator[Bracket | None]:
    """The bracket of one answer, better after each step, with equal lines merged; the clock is looked at between."""
    merged = matrix.merge()
    sides = Sides(merged.matrix, code, measure, clock)
    sides.lines()
    yield _carried_back(matrix, merged, sides)
    for step in steps:
        if step is None:
            yield None
        elif sides.lower < sides.upper and not clock.over:
            for _ in step(sides) or (None,):
                yield _carried_back(matrix, merged, sides)


def _carried_back(matrix: CommunicationMatrix, merged: MergedMatrix, sides: Sides) -> Bracket:
    nothing: Witness = {"kind": "fooling-set", "cells": []}
    lower, upper = sides.lower_witness or nothing, sides.upper_witness or nothing
    below, above = lower["kind"], upper["kind"]
    if merged.matrix.shape != matrix.shape and sides.lower_witness:
        lower = {"kind": "submatrix", "rows": merged.rows.tolist(), "columns": merged.columns.tolist(), "of": lower}
    if merged.matrix.shape != matrix.shape and sides.upper_witness:
        grown = []
        for rows, columns in upper["rectangles"]:
            all_rows = sum(1 << int(row) for row in merged.original_rows(members(int(rows, 16))))
            all_columns = sum(1 << int(c) for c in merged.original_columns(members(int(columns, 16))))
            grown.append(Rectangle(all_rows, all_columns).as_data())
        upper = {**upper, "rectangles": grown}
    parameters = {"code": sides.code, "label": repr(matrix.labels[sides.code])}
    found = Side(sides.lower, below, lower), Side(sides.upper, above, upper)
    return Bracket(sides.measure, *found, parameters, "rectangles")


USUAL = 60.0  # seconds where nobody sets a limit
TRIES, EXCHANGES, CASES = 8, 100, 100  # of symmetries, pauses of others, before the solver has a process of its own
ROUNDS, SHORT, MOST_HERE = 5, 3, 6_000  # of the solver in this process, likewise before cases; variables at most
FEW_LISTED = 1000  # maximal rectangles of which weights are found at once
SLICE = 0.4  # seconds of the first turns
MOMENT, ALONE = 0.5, 2.0  # seconds of work, of the solver before fooling sets and before all other methods
PATIENCE = 5  # times as many seconds, on a busy machine
LISTED = 5_000  # maximal rectangles that get a weight in each case
EXCHANGED = 10_000  # maximal rectangles that may be exchanged
MOST_SEARCHED = 256  # beyond, neither method has a chance
Turns = Iterator[None]
"""Work that pauses now and then."""


def settle(sides: Sides) -> Iterator[None]:
    """Pauses whenever a side may have moved."""
    end = sides.clock.end if sides.clock.end is not None else time.monotonic() + USUAL
    if sides.measure == "partition":
        first, others = [_symmetric(sides)], [_fooling(sides)]
    elif max(sides.matrix.shape) > MOST_SEARCHED:
        first, others = [], [_fooling(sides)]
    else:
        cases = _cases(sides)  # what settles most, given the time: it has every other turn
        first = [_symmetric(sides), _exchanged(sides), cases]
        others = [_fooling(sides), _crown(sides), cases]
    search = yield from _quickly(sides, first, end)
    if not sides.closed:
        yield from _beside(sides, search, first, others, end)


def _beside(sides: Sides, search: CoverSearch, first: list[Turns], others: list[Turns], end: float) -> Turns:
    """All methods in turn, for longer and longer, with the solver in a process of its own."""
    with Background(search, max(0.0, end - time.monotonic())) as solver:
        yield from _alone(sides, solver, MOMENT)
        yield from _in_turn(sides, others[:1], end, SLICE, solver, rounds=1)
        yield from _in_turn(sides, first[1:], end, 3 * ALONE, solver, rounds=1)
        yield from _alone(sides, solver, ALONE)
        yield from _in_turn(sides, first + others, end, SLICE, solver)
        while not sides.closed and not solver.done and time.monotonic() < end:
            _take(sides, solver.news(min(1.0, max(0.0, end - time.monotonic()))))
            yield


def _quickly(sides: Sides, methods: list[Turns], end: float) -> Generator[None, None, CoverSearch]:
    """What takes little work, counted in steps; the solver's search, which goes on from there."""
    sides.grown_fooling()
    yield
    fooled = sides.lower
    if methods and sides.measure == "cover" and sides.apart and len(sides.apart["cells"]) == fooled < sides.upper:
        _weights(sides)
        yield
    apart = [(row, column) for row, column in (sides.apart or {"cells": []})["cells"]]
    search = CoverSearch(sides.table, sides.code, apart, int(sides.lower), sides.upper, sides.measure)
    solved = _solved_here(sides, search)
    here = [(solved, 1), *zip(methods[:1], [TRIES], strict=False), (solved, ROUNDS)]
    here += zip(methods[1:2], [EXCHANGES], strict=False)
    if sides.lower > fooled:  # weights say much, and are where cases begin
        exchanged, cases = methods[1:]
        here = [(exchanged, EXCHANGES), (solved, SHORT), (cases, CASES), (exchanged, 20 * EXCHANGES), *here]
    for method, steps in here:
        if method in methods[:1] and sides.upper - sides.lower == 1:
            continue  # there may be no smaller cover to be found, but a proof that there is none ends it all
        for _ in islice(method, steps):
            yield
            if sides.closed or time.monotonic() > end:
                return search
    search.know(int(sides.lower), sides.upper)
    return search


def _solved_here(sides: Sides, search: CoverSearch) -> Turns:
    search.know(int(sides.lower), sides.upper)
    while search.open and search.variables(sides.upper - 1) <= MOST_HERE:
        for witness in search.round():
            _take(sides, [witness])
        yield
        search.know(int(sides.lower), sides.upper)


def _weights(sides: Sides) -> None:
    rectangles, complete = maximal_rectangles(sides.matrix, sides.matrix.labels[sides.code], FEW_LISTED)
    if complete:
        sides.fractional(rectangles)


def _in_turn(
    sides: Sides,
    methods: list[Turns],
    end: float,
    first: float,
    solver: Background,
    rounds: int | None = None,
) -> Turns:
    """Each method for a first slice of time, then each for twice as long; those that are at their end are left out.

    What the solver tells meanwhile is taken.
    """
    for number in count() if rounds is None else range(rounds):
        if sides.closed:
            return
        for method in list(methods):
            late = time.process_time() + first * 2**number  # of work, however busy the machine is
            for _ in method:
                if solver.waiting:
                    _take(sides, solver.news())
                    yield
                if _over(sides, late, end):
                    break
            else:
                methods.remove(method)
            yield
            if sides.closed or time.monotonic() > end:
                return
        if not methods:
            return


def _alone(sides: Sides, solver: Background, work: float) -> Turns:
    """The solver until it has worked so long, enough for what is small; others would be in its way if all is busy."""
    late = time.monotonic() + PATIENCE * work
    while not sides.closed and not solver.done and solver.worked < work and time.monotonic() < late:
        _take(sides, solver.news(0.1))
        yield


def _over(sides: Sides, late: float, end: float) -> bool:
    return sides.closed or time.process_time() > late or time.monotonic() > end


def _take(sides: Sides, witnesses: list[Any]) -> None:
    for witness in witnesses:
        with suppress(TooLarge):  # it takes the checker too long
            sides.offer("upper" if witness["kind"] == "rectangles" else "lower", witness)


def _fooling(sides: Sides) -> Turns:
    for seconds in (SLICE, 1.0, 5.0):
        if sides.fooling(seconds):
            return
        yield


def _symmetric(sides: Sides) -> Turns:
    left = covers_by_symmetries(
        sides.table, sides.code, lambda: range(sides.lower, sides.upper), sides.measure, sides.clock
    )
    for found in left:
        if found:
            sides.offer_rectangles(found)
        yield


def _exchanged(sides: Sides) -> Turns:
    rectangles, complete = maximal_rectangles(sides.matrix, sides.matrix.labels[sides.code], EXCHANGED)
    yield
    for found in covers_by_exchanges(rectangles, sides.cells, lambda: sides.upper) if complete else ():
        if found:
            sides.offer_rectangles(found)
        yield


def _crown(sides: Sides) -> Turns:
    for seconds in (1.0, 5.0):
        sides.crown(seconds)
        yield


def _cases(sides: Sides) -> Turns:
    """Weights, the dual of the fractional cover; then, one budget after the other, weights in each of many cases."""
    rectangles, complete = maximal_rectangles(sides.matrix, sides.matrix.labels[sides.code], LISTED)
    yield
    if complete:
        sides.fractional(rectangles)
        yield
    budget = -1
    while complete and budget < sides.lower < sides.upper:
        budget = sides.lower
        for witness in more_by_cases(sides.matrix, sides.code, rectangles, budget):
            if witness:
                try:
                    sides.offer("upper" if witness["kind"] == "rectangles" else "lower", witness)
                except Refused:  # it takes the checker too long
                    return
            yield
            if sides.lower > budget:
                break


SOON = 0.1  # seconds for a crown before all else; a crown that there is shows at once


@timed
def cover_number(matrix: Subject, label: Hashable | None = None, *, time_limit: float | None = 60.0) -> Bracket:
    """The least number of monochromatic rectangles that cover all cells of a label.

    Args:
        matrix: total or partial; free cells need no rectangle and may be in any.
        label: the answer; None: the sum over all answers.
        time_limit: seconds; after that the bracket so far.

    Returns:
        A bracket in rectangles. Below: a fooling set, a crown, weights (the dual of the fractional cover, also in
        each of many cases), or a proof by a SAT solver; above: the rectangles.

    >>> print(cover_number(CommunicationMatrix.from_array(np.eye(8, dtype=int)), 0))
    cover = 5 rectangles (crown | rectangles)
    """
    matrix = matrix_of(matrix)
    return bracket_of(matrix, label, "cover", COVER_STEPS, time_limit)


@timed
def nondeterministic(matrix: Subject, label: Hashable = 1, *, time_limit: float | None = 60.0) -> Bracket:
    """N^label(f) = ceil(log2 of the cover number), in bits: a prover convinces both parties of this answer.

    >>> nondeterministic(CommunicationMatrix.from_array(np.eye(8, dtype=int)), 0).lower
    3
    """
    matrix = matrix_of(matrix)
    cover = cover_number(matrix, label, time_limit=time_limit)
    below, above = (
        Side(bits_for(side.value or 0), side.by, logarithm_of("cover", side.witness))
        for side in (cover.below, cover.above)
    )
    return replace(cover, measure="nondeterministic", below=below, above=above, unit="bits")


def bracket_of(
    matrix: CommunicationMatrix, label: Hashable | None, measure: str, steps: Steps, time_limit: float | None
) -> Bracket:
    """The bracket of one answer, or of the sum over all that occur, sharing the time."""
    whole, found = Clock.within(time_limit), []
    codes = present_codes(matrix) if label is None else [code_of(matrix, label)]
    for place, code in enumerate(codes):
        clock = Clock.within(whole.share(len(codes) - place))
        best = last_of(brackets_of(matrix, code, measure, steps, clock))
        found.append(replace(best, open=Open.TIME if clock.over else Open.REACH))
    return sum_of(measure, found) if label is None else found[0]


def sum_of(measure: str, parts: Sequence[Bracket]) -> Bracket:
    """All answers together: rectangles of different answers are different."""
    return Bracket(
        measure,
        together(part.below for part in parts),
        together(part.above for part in parts),
        {"code": None, "label": repr(None)},
        "rectangles",
        open=next((part.open for part in parts if part.open and not part.exact), None),
    )


def _from_crown(sides: Sides) -> None:
    """A crown of m lines is covered by k rectangles: give row i a k/2-subset of k, and column i its complement."""
    crown = sides.crown(SOON)
    if not crown:
        return
    size = int(sides.lower)
    allowed = supports(sides.matrix, sides.code)
    subsets = list(islice(combinations(range(size), size // 2), len(crown)))
    rectangles = []
    for number in range(size if len(subsets) == len(crown) else 0):
        rows = sum(1 << row for (row, _), own in zip(crown, subsets, strict=True) if number in own)
        columns = -1
        for row in members(rows):
            columns &= allowed[row]
        if rows:
            rectangles.append(Rectangle(sum(1 << r for r, a in enumerate(allowed) if columns & ~a == 0), columns))
    _completed(sides, rectangles)


def _completed(sides: Sides, rectangles: list[Rectangle]) -> None:
    allowed = supports(sides.matrix, sides.code)
    left = [sum(1 << int(c) for c in np.flatnonzero(line)) for line in sides.matrix.codes == sides.code]
    for rectangle in rectangles:
        _cross_out(left, rectangle)
    for row in range(len(left)):
        while left[row]:
            if len(rectangles) >= sides.upper or sides.clock.over:
                return
            columns, lowest = allowed[row], left[row] & -left[row]
            for other, mask in enumerate(allowed):
                both = columns & mask
                if mask & lowest and both & left[other] and 2 * both.bit_count() >= columns.bit_count():
                    columns = both
            rows = sum(1 << other for other, mask in enumerate(allowed) if columns & ~mask == 0)
            rectangles.append(Rectangle(rows, columns))
            _cross_out(left, rectangles[-1])
    sides.offer_rectangles(rectangles)


def _cross_out(left: list[int], rectangle: Rectangle) -> None:
    for row in members(rectangle.rows):
        left[row] &= ~rectangle.columns


COVER_STEPS: Steps = (Sides.some_fooling, lambda sides: _completed(sides, []), None, _from_crown, settle)
"""From quick to slow; those before None are quick on every matrix."""


FEW_LINES = 256  # up to which a checker can eliminate modulo a large prime
MOST_LINES = 2048  # and modulo a small one


@timed
def partition_number(matrix: Subject, label: Hashable | None = None, *, time_limit: float | None = 60.0) -> Bracket:
    """The fewest disjoint monochromatic rectangles that contain all cells of a label.

    Args:
        matrix: total or partial.
        label: the answer; None: all answers together, the sum.
        time_limit: seconds; after that the bracket so far.

    Returns:
        A bracket in rectangles. Below: rank modulo a prime (total functions), a fooling set, or a proof by a SAT
        solver; above: the rectangles.

    >>> cycle = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]]
    >>> print(partition_number(cycle, 1))
    partition = 4 rectangles (fooling-set | rectangles)
    """
    matrix = matrix_of(matrix)
    return bracket_of(matrix, label, "partition", PARTITION_STEPS, time_limit)


def _rank(sides: Sides) -> None:
    """The rank of the indicator over three fields, on pivot rows and columns."""
    if not sides.matrix.is_total or max(sides.matrix.shape) > MOST_LINES:
        return
    indicator = (sides.matrix.codes == sides.code).astype(np.int64)
    primes = (2, 3, LARGE_PRIME) if min(sides.matrix.shape) <= FEW_LINES else (2, 3)
    best = max((rank_witness(indicator, prime) for prime in primes), key=lambda found: found.rank)
    rows, columns = list(best.rows), list(best.columns)
    sides.offer("lower", {"kind": "pivots", "prime": best.prime, "rows": rows, "columns": columns})


PARTITION_STEPS: Steps = (_rank, None, Sides.some_fooling, settle)
"""From quick to slow."""
