"""Lower bounds of covers by cases: whether some rectangle has both of two cells, or is in the cover itself.

Each case ends with weights, the dual of the fractional cover, where maximal rectangles that are not allowed are left
out, and cells together are one. A case is divided by what brings the fractional covers of its two parts up most, of
those few that the fractional cover says least about. See the chapter of the checker.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any, NamedTuple

import lazy_loader as lazy
import numpy as np

from ccsim.arrays import Array
from ccsim.bounds.bracket import Witness
from ccsim.bounds.rectangles.closed import Rectangle, intersections, supports
from ccsim.bounds.rectangles.exchanges import incidence
from ccsim.bounds.solvers import linear_program
from ccsim.matrices import CommunicationMatrix

scipy = lazy.load("scipy")

__all__ = ["more_by_pairs"]

PAIRS, RECTANGLES = 1, 4  # that are tried in each case
SCALES = (10, 30, 100, 1000, 100_000)  # of weights, from floats to integers
LEAST = 0.05  # of a pair, how far from being together or apart
MOST_CASES = 100_000
MOST_ENTRIES = 1_000_000  # rectangles times cells


class _Case(NamedTuple):
    """Elements (for each rectangle, whether it has the whole element), rectangles allowed, and the fractional cover."""

    elements: Array
    allowed: Array
    value: float
    weights: Array
    shares: Array  # of the rectangles


def more_by_pairs(
    matrix: CommunicationMatrix, code: int, rectangles: Sequence[Rectangle], budget: int
) -> Iterator[Witness | None]:
    """None again and again while it searches; then a proof that so few are no cover, or a cover.

    Args:
        matrix: a function, total or partial.
        code: of the cells to be covered.
        rectangles: all maximal ones.
        budget: how many rectangles.

    Nothing follows where there are too many rectangles, or cases.

    >>> crown = CommunicationMatrix.from_array([[1, 0, 1], [1, 1, 0], [0, 1, 1]])
    >>> rectangles = [Rectangle(3, 1), Rectangle(6, 2), Rectangle(5, 4)]  # any two of three rows have a column
    >>> [*_, found] = more_by_pairs(crown, 1, rectangles, 2)
    >>> found["kind"], found["budget"], len(found["cases"])
    ('pair-branching', 2, 1)
    """
    cells = list(zip(*map(np.ndarray.tolist, np.nonzero(matrix.codes == code)), strict=True))
    if not cells or len(rectangles) * len(cells) > MOST_ENTRIES:
        return
    inside = incidence(rectangles, cells).T > 0
    numbers = _numbers(matrix, code, rectangles)
    stack, cases = [_solved(inside, np.ones(len(rectangles), dtype=bool))], list[list[Any]]()
    while stack and len(cases) < MOST_CASES:
        case = stack.pop()
        end = _end(case, budget)
        if end is not None:
            cases.append(end)
            continue
        division = yield from _best_division(case, budget)
        if division is None:
            chosen = [rectangles[place] for place in _rounded(case)]
            if len(chosen) <= budget:
                yield {"kind": "rectangles", "rectangles": [one.as_data() for one in chosen]}
            return
        places, children = division
        cases.append([numbers[place] for place in places] if len(places) == 1 else places)
        stack += children
    if not stack:
        yield {"kind": "pair-branching", "budget": budget, "cases": cases}


def _numbers(matrix: CommunicationMatrix, code: int, rectangles: Sequence[Rectangle]) -> list[int]:
    """Of each rectangle, the number that the checker gives it: in order of their columns."""
    columns, _ = intersections(supports(matrix, code), (1 << matrix.shape[1]) - 1, MOST_ENTRIES)
    numbers = {one: number for number, one in enumerate(sorted(columns))}
    return [numbers[rectangle.columns] for rectangle in rectangles]


def _solved(elements: Array, allowed: Array) -> _Case:
    """A case with its fractional cover, worth more than any if an element is in no rectangle."""
    lost = ~elements[:, allowed].any(axis=1)
    shares = np.zeros(len(allowed))
    if lost.any():
        return _Case(elements, allowed, float("inf"), lost.astype(float), shares)
    inside = scipy.sparse.csr_matrix(elements[:, allowed].T.astype(float))
    found = linear_program(-np.ones(len(elements)), A_ub=inside, b_ub=np.ones(inside.shape[0]), bounds=(0, None))
    if found.x is None:
        return _Case(elements, allowed, 0.0, np.zeros(len(elements)), shares)
    shares[allowed] = -found.ineqlin.marginals
    return _Case(elements, allowed, -found.fun, found.x, shares)


def _end(case: _Case, budget: int) -> list[Any] | None:
    """What at most a rectangle weighs, and weights of elements in integers, if that ends the case."""
    for scale in SCALES if case.value > budget else ():
        weights = np.floor(case.weights * scale + 1e-6).astype(np.int64)
        most = int((weights @ case.elements[:, case.allowed]).max(initial=0))
        if weights.sum() > budget * most:
            return [most, weights.tolist()]
    return None


def _best_division(case: _Case, budget: int) -> Generator[None, None, Any]:
    """Places of two elements, or of a rectangle, and the two cases, that where they are together, or it is in the
    cover, last; None if all is decided."""
    best: tuple[float, Any] = -1.0, None
    for places, others, one in [*_pairs(case), *_singles(case)]:
        joined = np.vstack([others, one])
        children = [_solved(case.elements, case.allowed & ~one), _solved(joined, case.allowed)]
        yield None
        gains = [min(child.value, budget + 0.1) - case.value + 1e-3 for child in children]
        best = max(best, (gains[0] * gains[1], (places, children)), key=lambda found: found[0])
    return best[1]


def _pairs(case: _Case) -> Iterator[tuple[list[int], Array, Array]]:
    """Two elements, all others, and the rectangles that have both."""
    used = np.flatnonzero(case.shares > 1e-9)
    parts = case.elements[:, used].astype(float)
    both = (parts * case.shares[used]) @ parts.T
    above = np.triu_indices(len(parts), 1)
    for number in _doubtful(both[above], PAIRS):
        pair = [int(above[0][number]), int(above[1][number])]
        yield pair, np.delete(case.elements, pair, axis=0), np.logical_and(*case.elements[pair])


def _singles(case: _Case) -> Iterator[tuple[list[int], Array, Array]]:
    """A rectangle, all elements, and this rectangle alone."""
    for place in _doubtful(case.shares, RECTANGLES):
        yield [place], case.elements, np.arange(len(case.shares)) == place


def _doubtful(shares: Array, most: int) -> list[int]:
    """The places of some shares that are farthest from 0 and from 1."""
    doubt = np.minimum(shares, 1 - shares)
    return [place for place in np.argsort(-doubt, kind="stable")[:most].tolist() if doubt[place] > LEAST]


def _rounded(case: _Case) -> list[int]:
    """Rectangles of the largest shares that have all elements."""
    chosen, left = list[int](), np.ones(len(case.elements), dtype=bool)
    for place in np.argsort(-case.shares, kind="stable").tolist():
        if case.allowed[place] and (left & case.elements[:, place]).any():
            chosen.append(place)
            left &= ~case.elements[:, place]
    return chosen
