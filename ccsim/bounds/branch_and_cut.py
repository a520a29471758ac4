"""Lower bounds on cover numbers by branch and cut: branches on maximal rectangles, and inequalities rounded up.

A case is closed by weights on cells, the dual of its fractional cover, or cut, or divided by the rectangle that raises
the fractional covers of both branches most (see :mod:`ccsim.certificates.verify.rectangles`). The cuts are zero-half
cuts (Caprara and Fischetti 1996): a sum of inequalities with an odd right-hand side, halved and rounded up, is violated
iff their slacks, and the values at odd coefficients, add up to less than 1. Two inequalities are added at a time.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ccsim.arithmetic.fixed_point import one_thread
from ccsim.bounds.bracket import Witness
from ccsim.bounds.rectangles import Rectangle, incidence, intersections, supports
from ccsim.bounds.solvers import CoveringProgram
from ccsim.errors import Array
from ccsim.matrices import CommunicationMatrix

NEARLY = 0.5  # slack of an inequality that is looked at
MOST_TIGHT, MOST_PAIRS = 200, 1000  # inequalities, and pairs of them, of least slack
ROUNDS = 3  # pairs that are added
VIOLATED = 0.02
USED = 1e-7  # least share of a rectangle that counts


def half_cuts(coefficients: Array, shares: Array, most: int) -> list[list[int]]:
    """The inequalities of each of at most so many cuts, in order, those that ``shares`` violate most first."""
    used = np.flatnonzero(shares > USED)
    slack = coefficients[:, used] @ shares[used] - 1
    tight = np.argsort(slack, kind="stable")[:MOST_TIGHT]
    tight = np.sort(tight[slack[tight] < NEARLY])
    if len(tight) < 3:
        return []
    share, slack = shares[used].astype(np.float32), slack[tight].astype(np.float32)
    odd = coefficients[np.ix_(tight, used)] > 0
    first, second = np.triu_indices(len(tight), 1)
    both = _both(odd, odd, share)
    own = np.diag(both)
    slack_of_pairs = own[first] + own[second] - 2 * both[first, second] + slack[first] + slack[second]
    least = np.argsort(slack_of_pairs, kind="stable")[:MOST_PAIRS]
    first, second = first[least], second[least]
    pairs, beyond = odd[first] ^ odd[second], slack[first] + slack[second]
    sums, weights, sets = odd.copy(), slack.copy(), np.eye(len(tight), dtype=bool)
    total = weights + own
    for _ in range(ROUNDS):
        after = (pairs @ share + beyond)[None, :] - 2 * _both(sums, pairs, share) + (sums @ share + weights)[:, None]
        best = after.argmin(axis=1)
        better = np.flatnonzero(after[np.arange(len(tight)), best] < total - 1e-5)
        pair = best[better]
        sums[better] ^= pairs[pair]
        weights[better] += beyond[pair]
        sets[better, first[pair]] ^= True
        sets[better, second[pair]] ^= True
        total = weights + sums @ share
    violated = [number for number in np.argsort(total, kind="stable").tolist() if total[number] < 1 - VIOLATED]
    cuts = dict.fromkeys(tuple(tight[sets[number]].tolist()) for number in violated)
    return [list(cut) for cut in list(cuts)[:most]]


def _both(first: Array, second: Array, share: Array) -> Array:
    return np.asarray((first * share) @ second.T.astype(np.float32))


TRIED, STEPS = 6, 25  # rectangles in each case, and steps of the solver to see what each brings
OFTEN = 3  # as many times as that was seen, its mean is taken
FIRST = 40, 60, 0.002  # rounds of cuts before the first division, cuts of each, and how much the bound must grow
LATER = 1, 20, 0.05  # likewise in other cases
ENOUGH = 0.03  # above the budget, so that weights in integers show it
SCALES = (10, 30, 100, 1000, 10_000, 1_000_000)  # of weights, from floats to integers
HIGHEST = (1 << 31) - 1  # that weights may come to
LEAST, SURE = 0.05, 1e-6  # how far a share is from 0 and from 1: to be worth a try, and at all
MOST_CASES = 100_000
MOST_ENTRIES = 2_000_000  # rectangles times cells


class _Case(NamedTuple):
    """A set of inequalities beyond those of cells, and the result of the program with them."""

    more: tuple[int, ...]  # cuts, as rows of the program, and rectangles in the cover, as ~number
    without: tuple[int, ...]  # rectangles that are not allowed
    rows: int  # of the program
    value: float
    basis: Any
    shares: Array
    weights: Array


def more_by_cases(
    matrix: CommunicationMatrix, code: int, rectangles: Sequence[Rectangle], budget: int
) -> Iterator[Witness | None]:
    """None while it searches; then a proof that ``budget`` rectangles are no cover, or a cover."""
    cells = list(zip(*map(np.ndarray.tolist, np.nonzero(matrix.codes == code)), strict=True))
    if not cells or len(rectangles) * len(cells) > MOST_ENTRIES:
        return
    columns, _ = intersections(supports(matrix, code), (1 << matrix.shape[1]) - 1, MOST_ENTRIES)
    numbers = {one: number for number, one in enumerate(sorted(columns))}  # as the checker numbers rectangles
    search = _CaseSearch(incidence(rectangles, cells).T > 0, budget, [numbers[one.columns] for one in rectangles])
    yield None
    while search.open and len(search.cases) < MOST_CASES and not search.erred:
        yield from search.look()
        if search.cover is not None:
            chosen = [rectangles[place].as_data() for place in search.cover]
            yield {"kind": "rectangles", "rectangles": chosen}
            return
    if not search.open and not search.erred:
        yield {"kind": "branch-and-cut", "budget": budget, "cases": search.cases}


class _Gains:
    """How much fractional covers grew where a rectangle was taken out, or in, for each whole share that changed."""

    def __init__(self, count: int) -> None:
        self.sums, self.times = np.zeros((count, 2)), [0] * count

    def learn(self, place: int, share: float, gains: Sequence[float]) -> None:
        if np.isfinite(gains).all():
            self.times[place] += 1
            self.sums[place] += np.maximum(gains, 0) / np.maximum((share, 1 - share), LEAST)

    def expected(self, place: int, share: float) -> list[float] | None:
        times = self.times[place]
        return None if times < OFTEN else (self.sums[place] / times * (share, 1 - share)).tolist()


class _CaseSearch:
    """The open cases, the last one next, and what the certificate has of all others."""

    def __init__(self, inside: Array, budget: int, numbers: list[int]) -> None:
        self.count, self.budget, self.numbers = len(inside), budget, numbers
        self.cells = _fewest_rectangles(inside)  # by their places; each has a row in the program
        self.coefficients = inside[self.cells].astype(np.int64)
        self.least, self.top = (np.ones(len(self.cells), dtype=np.int64) for _ in range(2))
        self.program = CoveringProgram(self.coefficients)
        self.cases: list[list[Any]] = []
        self.cover: list[int] | None = None
        self.erred = False  # whether floats came to no decision
        self.gains = _Gains(inside.shape[1])
        self.open = [self._solved((), ())]

    def look(self) -> Iterator[None]:
        case = self.open.pop()
        self._remove(np.arange(case.rows, self.program.rows))
        if self._is_closed(case):
            return
        case = yield from self._cut(case)
        self._round(case.shares)
        if self.cover is None and not self._is_closed(case):
            yield from self._divide(case)

    def _solved(self, more: tuple[int, ...], without: tuple[int, ...], basis: Any = None) -> _Case:
        self._enter(more, without)
        value = self.program.solve(basis, above=self.budget + ENOUGH)
        return _Case(more, without, self.program.rows, value, *self.program.solution())

    def _enter(self, more: tuple[int, ...], without: tuple[int, ...]) -> None:
        self.program.allow([~one for one in more if one < 0], without)

    def _remove(self, rows: Array) -> None:
        self.program.remove(rows)
        self.coefficients = np.delete(self.coefficients, rows, axis=0)
        self.least, self.top = np.delete(self.least, rows), np.delete(self.top, rows)

    def _cut(self, case: _Case) -> Generator[None, None, _Case]:
        """The case with those cuts that matter, which enter the certificate."""
        rounds, most, worth = LATER if self.cases else FIRST
        start, cuts = case.rows, list[list[int]]()
        self._enter(case.more, case.without)
        self.program.resume(case.basis)
        while rounds and case.value <= self.budget:
            with one_thread():
                new = half_cuts(self.coefficients[: len(self.cells)], case.shares, most)
            if not new:
                break
            for places in new:  # the sums of these rows, where what is odd is rounded up
                sums, least = self.coefficients[places].sum(axis=0), int(self.least[places].sum())
                self.coefficients = np.vstack([self.coefficients, sums + sums % 2])
                self.least, self.top = np.append(self.least, least + least % 2), np.append(self.top, len(places) + 1)
                self.program.add(self.coefficients[-1], int(self.least[-1]))
            before, case = case.value, self._solved(case.more, case.without)
            yield
            if case.value < float("inf"):
                loose = case.weights[start:] < 1e-9
                self._remove(start + np.flatnonzero(loose))
                cuts = [places for places, out in zip(cuts + new, loose, strict=True) if not out]
                case = self._solved(case.more, case.without)
            rounds = rounds - 1 if case.value > before + worth else 0
        self.cases += [[[self.cells[place] for place in places]] for places in cuts]
        return case._replace(more=(*case.more, *range(start, self.program.rows)))

    def _is_closed(self, case: _Case) -> bool:
        allowed = np.ones(self.program.count, dtype=bool)
        allowed[list(case.without)] = False
        lost = np.logical_not(self.coefficients[:, allowed].any(axis=1))
        if lost.any():
            return self._is_proved(case, (np.arange(len(lost)) == lost.argmax()).astype(np.int64), allowed)
        return case.value > self.budget and any(
            self._is_proved(case, np.floor(case.weights * scale + 1e-6).astype(np.int64), allowed) for scale in SCALES
        )

    def _is_proved(self, case: _Case, weights: Array, allowed: Array) -> bool:
        """Whether weights of the rows close the case: a rectangle in the cover weighs what is left to the most."""
        loads = weights @ self.coefficients
        most = int(loads[allowed].max(initial=0))
        left = {one: most - int(loads[~one]) for one in case.more if one < 0}
        if int(weights @ self.least) + sum(left.values()) <= self.budget * most:
            return False
        if int(weights @ self.top) + sum(left.values()) > HIGHEST:
            return False
        listed = np.zeros(self.count, dtype=np.int64)
        listed[self.cells] = weights[: len(self.cells)]
        self.cases.append([most, listed.tolist() + [left[one] if one < 0 else int(weights[one]) for one in case.more]])
        return True

    def _round(self, shares: Array) -> None:
        """Take the rectangles of largest shares, until all cells are inside, for a cover if they are few."""
        chosen, missing = list[int](), np.ones(len(self.cells), dtype=bool)
        for place in np.argsort(-shares, kind="stable").tolist():
            if not missing.any() or len(chosen) > self.budget:
                break
            inside = self.coefficients[: len(self.cells), place] > 0
            if (missing & inside).any():
                chosen.append(place)
                missing &= ~inside
        if not missing.any() and len(chosen) <= self.budget:
            self.cover = chosen

    def _divide(self, case: _Case) -> Iterator[None]:
        best, chosen, room = -1.0, -1, self.budget + 0.1 - case.value
        doubt = np.minimum(case.shares, 1 - case.shares)
        for place in np.argsort(-doubt, kind="stable")[:TRIED].tolist():
            if doubt[place] < (LEAST if chosen >= 0 else SURE):
                break
            gains = self.gains.expected(place, float(case.shares[place]))
            if gains is None:
                gains = self._probe(case, place)
                yield
            worth = math.prod(max(0.0, min(gain, room)) + 1e-3 for gain in gains)
            if worth > best:
                best, chosen = worth, place
        if chosen < 0:  # all is whole, and yet neither a cover nor a proof: the solver erred
            self.erred = True
            return
        self.cases.append([self.numbers[chosen]])
        branches = [self._solved(*branch, case.basis) for branch in self._branches(case, chosen)]
        self.gains.learn(chosen, float(case.shares[chosen]), [branch.value - case.value for branch in branches])
        self.open += branches

    def _probe(self, case: _Case, place: int) -> list[float]:
        gains = list[float]()
        for more, without in self._branches(case, place):
            self._enter(more, without)
            gains.append(self.program.solve(case.basis, STEPS, self.budget + ENOUGH) - case.value)
        self.gains.learn(place, float(case.shares[place]), gains)
        return gains

    def _branches(self, case: _Case, place: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        return [(case.more, (*case.without, place)), ((*case.more, ~place), case.without)]


def _fewest_rectangles(inside: Array) -> list[int]:
    """The places of the cells such that no other one is in fewer of the rectangles."""
    sets, first = np.unique(inside, axis=0, return_index=True)
    numbers = sets.astype(np.float32)
    parts = numbers @ numbers.T == numbers.sum(axis=1)[:, None]  # whether one is a part of another
    np.fill_diagonal(parts, False)
    return sorted(first[~parts.any(axis=0)].tolist())
