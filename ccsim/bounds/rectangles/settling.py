"""The last step of a cover or partition: every method in turn, for longer and longer, until both sides meet.

At first all is counted in steps and conflicts, never in seconds: fooling sets, weights, symmetries, a SAT solver in
this process, exchanges. That settles what is small. Then the solver goes on in a process beside this one, from the
largest fooling set and the smallest cover so far, looking for smaller ones and for proofs that there are none; it is
left alone for a moment before others begin. Slices of time do not depend on the time that is given, so that more of it
never leads to less.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from itertools import count, islice
from typing import Any

from ccsim.bounds.clock import Background
from ccsim.bounds.rectangles.branch_and_cut import more_by_cases
from ccsim.bounds.rectangles.closed import maximal_rectangles
from ccsim.bounds.rectangles.covering import Sides
from ccsim.bounds.rectangles.exchanges import covers_by_exchanges
from ccsim.bounds.rectangles.sat_covers import CoverSearch
from ccsim.bounds.rectangles.symmetric_covers import covers_by_symmetries
from ccsim.certificates.verify import Refused, TooLarge

USUAL = 60.0  # seconds where nobody sets a limit
TRIES, EXCHANGES, CASES = 8, 100, 100  # of symmetries, pauses of others, before the solver has a process of its own
ROUNDS, SHORT, MOST_HERE = 5, 3, 6_000  # of the solver in this process, likewise before cases; variables at most
FEW_LISTED = 1000  # maximal rectangles of which weights are found at once
SLICE = 0.4  # seconds of the first turns
MOMENT, ALONE = 0.5, 2.0  # seconds of work, of the solver before fooling sets and before all other methods
PATIENCE = 5  # times as many seconds, on a busy machine
LISTED = 5_000  # maximal rectangles that get a weight in each case
EXCHANGED = 10_000  # maximal rectangles that may be exchanged
MOST_LINES = 256  # beyond, neither method has a chance
Turns = Iterator[None]
"""Work that pauses now and then."""


def settle(sides: Sides) -> Iterator[None]:
    """Pauses whenever a side may have moved."""
    end = sides.clock.end if sides.clock.end is not None else time.monotonic() + USUAL
    if sides.measure == "partition":
        first, others = [_symmetric(sides)], [_fooling(sides)]
    elif max(sides.matrix.shape) > MOST_LINES:
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
