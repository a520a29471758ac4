"""Leaves, formulas and ranks of nearby matrices, each beside a rival in the same run.

Run it with ``python benchmarks/new_measures.py [--json] [--seconds 8] [--long]``. Rivals: recursion over all rectangles
or boxes (the definition, with memory); all formulas in the order of their sizes; and for what no recursion finds, the
optimisers of scipy from random starts, whose numbers are upper sides without a certificate. Ours are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from against_rivals import print_cases
from measures_rivals import Case, compared
from scipy.optimize import minimize

from ccsim.bounds import (
    approximate_rank,
    brackets_of,
    least_leaves,
    nonnegative_rank,
    sign_rank,
)
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import disjointness, equality, karchmer_wigderson
from ccsim.problems.textbook import truth_table

Array = npt.NDArray[Any]
Objective = Callable[[Array], tuple[float, Array]]
ERROR = Fraction(1, 3)
STARTS = 10
NEAR = 1e-8


def random_matrix(size: int) -> CommunicationMatrix:
    """A uniform one."""
    return CommunicationMatrix.from_array(np.random.default_rng(size).integers(0, 2, (size, size)))


def by_all_boxes(table: Array, join: Callable[[int, int], int], leaf: int) -> int:
    """The best tree, by its definition: boxes are divided in two along any axis; ``join`` puts two values together."""

    @cache
    def best(box: tuple[frozenset[int], ...]) -> int:
        if len(np.unique(table[np.ix_(*map(sorted, box))])) == 1:
            return leaf
        values = []
        for axis, lines in enumerate(box):
            listed = sorted(lines)
            for mask in range(1, 1 << len(listed) - 1):
                part = frozenset(line for place, line in enumerate(listed) if mask >> place & 1)
                halves = ((*box[:axis], half, *box[axis + 1 :]) for half in (part, lines - part))
                values.append(join(*map(best, halves)))
        return min(values)

    return best(tuple(frozenset(range(size)) for size in table.shape))


def smallest_formula(values: str) -> int:
    """The literals of a least formula of AND, OR and literals: all functions in the order of their sizes."""
    size, goal = len(values), int(values, 2)
    n, full = size.bit_length() - 1, (1 << size) - 1
    ones = [sum(1 << x for x in range(size) if x >> place & 1) for place in range(n)]
    found: list[set[int]] = [set(), {*ones, *(full ^ one for one in ones)}]
    seen = set(found[1])
    while goal not in seen:
        fresh: set[int] = set()
        for left in range(1, len(found) // 2 + 1):
            for a, b in product(found[left], found[len(found) - left]):
                fresh |= {a & b, a | b}
        found.append(fresh - seen)
        seen |= fresh
    return next(count for count, functions in enumerate(found) if goal in functions)


def least_size(objective: Callable[[int], tuple[int, Objective, Any]], most: int) -> int:
    """The least rank (or number of bits) at which some random start ends without any violation."""
    draw = np.random.default_rng(0)
    for size in range(1, most):
        count, violation, bounds = objective(size)
        for _ in range(STARTS):
            start = draw.standard_normal(count) if bounds is None else draw.random(count)
            if minimize(violation, start, jac=True, bounds=bounds, options={"maxiter": 500}).fun < NEAR:
                return size
    return most


def by_factors(low: Array, high: Array, nonnegative: bool = False) -> int:
    """The least rank of a matrix between two others, as far as random starts find it."""
    height, width = low.shape

    def objective(rank: int) -> tuple[int, Objective, Any]:
        def violation(flat: Array) -> tuple[float, Array]:
            left, right = flat[: height * rank].reshape(height, rank), flat[height * rank :].reshape(rank, width)
            entries = left @ right
            off = entries - np.clip(entries, low, high)
            return float((off**2).sum()), 2 * np.append((off @ right.T).ravel(), (left.T @ off).ravel())

        count = (height + width) * rank
        return count, violation, [(0, None)] * count if nonnegative else None

    return least_size(objective, min(low.shape))


def sides_of(signs: Array) -> tuple[Array, Array]:
    """Numbers of these signs, at least 1 from 0."""
    return np.where(signs > 0, 1, -np.inf), np.where(signs < 0, -1, np.inf)


def trees(long: bool) -> Iterator[Case]:
    """Leaves and formulas."""
    for size in (5, 6, *((8, 10) if long else ())):
        m = random_matrix(size)
        yield f"leaves, random {size} x {size}", {"matrix": m}, lambda m=m: least_leaves(m), "all rectangles", \
            lambda m=m: by_all_boxes(m.codes, lambda a, b: a + b, 1)  # fmt: skip
    named: list[tuple[int, str, Callable[[int], int]]] = [
        (3, "parity", lambda ones: ones & 1),
        (3, "majority", lambda ones: int(ones > 1)),
        (4, "at least two", lambda ones: int(ones > 1)),
    ]
    named += [(4, "parity", lambda ones: ones & 1)] if long else []
    for n, name, value in named:
        values = truth_table(n, value)
        game = karchmer_wigderson(values)
        yield f"formula size, {name} of {n} bits", {"relation": game}, \
            lambda game=game: brackets_of(game, "leaves", seconds=20.0)[0], "all formulas", \
            lambda values=values: smallest_formula(values)  # fmt: skip


def numbers(long: bool) -> Iterator[Case]:
    """Ranks of nearby matrices."""
    tables = [("random 6 x 6", random_matrix(6)), ("equality n=3", equality(3).matrix)]
    tables += [("disjointness n=3", disjointness(3).matrix), ("random 10 x 10", random_matrix(10))] if long else []
    for case, m in tables:
        signs, cells = 2.0 * m.codes - 1, m.codes.astype(float)
        yield f"nonnegative rank, {case}", {"matrix": m}, lambda m=m: nonnegative_rank(m), "L-BFGS, random starts", \
            lambda cells=cells: by_factors(cells, cells, True)  # fmt: skip
        yield f"sign rank, {case}", {"matrix": m}, lambda m=m: sign_rank(m), "L-BFGS, random starts", \
            lambda signs=signs: by_factors(*sides_of(signs))  # fmt: skip
        yield f"approximate rank 1/3, {case}", {"matrix": m}, lambda m=m: approximate_rank(m, ERROR), \
            "L-BFGS, random starts", lambda signs=signs: by_factors(signs - 1 / 3, signs + 1 / 3)  # fmt: skip


def cases(long: bool) -> Iterator[Case]:
    """What is compared."""
    yield from trees(long)
    yield from numbers(long)


if __name__ == "__main__":
    print_cases(__doc__, cases, compared)
