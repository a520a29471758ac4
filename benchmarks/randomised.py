"""Measures of protocols with coins, each beside a rival in the same run.

Run it with ``python benchmarks/randomised.py [--json] [--seconds 8] [--long]``. Rivals: linear programs over all
rectangles, or over all protocols, in floats (HiGHS by scipy); the semidefinite program of gamma_2 by cvxpy, if it is
installed; for 256 x 256, where programs over rectangles cannot be written down, the spectral norm under equal weights.
They have no certificates; ours are checked, and the seconds of that are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import ceil, log2
from typing import Any

import numpy as np
import numpy.typing as npt
from against_rivals import print_cases
from measures_rivals import MISSING, Case, compared
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack, vstack

from ccsim.bounds import (
    discrepancy,
    gamma2,
    gamma2_bits,
    least_discrepancy,
    one_way_success,
    partition_bits,
    partition_bound,
    public_coin_success,
    randomised_by_least_discrepancy,
    smooth_rectangle_bound,
)
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import disjointness, equality, inner_product

Array = npt.NDArray[Any]
ERROR = Fraction(1, 3)


def random_matrix(size: int) -> CommunicationMatrix:
    """A uniform one."""
    return CommunicationMatrix.from_array(np.random.default_rng(size).integers(0, 2, (size, size)))


def subsets(size: int) -> Array:
    """All sets, as rows of zeros and ones."""
    return np.arange(1 << size)[:, None] >> np.arange(size) & 1


def all_rectangles(shape: tuple[int, ...]) -> csr_array:
    """Which cells each has: a column for each rectangle."""
    rows, columns = (subsets(size)[1:] for size in shape)
    return csr_array(np.einsum("ai,bj->ijab", rows, columns).reshape(shape[0] * shape[1], -1).astype(float))


def by_all_rectangles(matrix: CommunicationMatrix, label: int | None, error: float) -> float:
    """The smooth rectangle bound of a label; without one, the partition bound."""
    inside, cells = all_rectangles(matrix.shape), matrix.codes.ravel()
    if label is None:
        right = hstack([csr_array(inside * (cells == code)[:, None]) for code in (0, 1)])
        every = hstack([inside, inside])
        found = linprog(np.ones(every.shape[1]), A_ub=-right, b_ub=np.full(cells.size, error - 1), A_eq=every,
                        b_eq=np.ones(cells.size))  # fmt: skip
        return float(found.fun)
    own, other = inside[np.flatnonzero(cells == label)], inside[np.flatnonzero(cells != label)]
    limits = [*[error - 1] * own.shape[0], *[1.0] * own.shape[0], *[error] * other.shape[0]]
    return float(linprog(np.ones(inside.shape[1]), A_ub=vstack([-own, own, other]), b_ub=limits).fun)


def least_bias(matrix: CommunicationMatrix) -> float:
    """The least discrepancy over all distributions."""
    signed = csr_array(all_rectangles(matrix.shape).T * (2 * matrix.codes.ravel() - 1)[None, :])
    height = csr_array(np.ones((signed.shape[0], 1)))
    above = vstack([hstack([signed, -height]), hstack([-signed, -height])])
    goal = np.append(np.zeros(matrix.codes.size), 1.0)
    return float(linprog(goal, A_ub=above, b_ub=np.zeros(above.shape[0]), A_eq=1 - goal[None, :], b_eq=[1.0]).fun)


def largest_bias(matrix: CommunicationMatrix) -> float:
    """The discrepancy under equal weights, by all sets of rows at once."""
    sums = subsets(matrix.shape[0]) @ (2 * matrix.codes.astype(np.int64) - 1)
    return float(max(np.maximum(sign * sums, 0).sum(axis=1).max() for sign in (1, -1)) / matrix.codes.size)


def tables_of(shape: tuple[int, int], bits: int) -> Array:
    """The answers of all protocols of so many bits, as rows without repetition."""
    if not bits:
        return np.array([[0] * (shape[0] * shape[1]), [1] * (shape[0] * shape[1])])
    below, found = tables_of(shape, bits - 1).reshape(-1, *shape), []
    for party, size in enumerate(shape):
        for chosen in subsets(size)[: 1 << size - 1]:
            mask = chosen[:, None] if party == 0 else chosen[None, :]
            halves = [np.unique((below * side).reshape(len(below), -1), axis=0) for side in (mask, 1 - mask)]
            found.append((halves[0][:, None] + halves[1][None]).reshape(-1, shape[0] * shape[1]))
    return np.unique(np.concatenate(found), axis=0)


def one_way_tables(shape: tuple[int, int]) -> Array:
    """The answers that the receiver may give after one bit of one message."""
    messages = subsets(shape[0])[: 1 << shape[0] - 1]
    found = []
    for message in messages:  # for each column an answer to each message
        lines = np.unique(np.array([a * message + b * (1 - message) for a in (0, 1) for b in (0, 1)]), axis=0)
        found += [np.array(choice).T.ravel() for choice in product(lines, repeat=shape[1])]
    return np.unique(np.array(found), axis=0)


def best_mixture(matrix: CommunicationMatrix, tables: Callable[[], Array]) -> float:
    """How often the best mixture of deterministic protocols is right, on the worst cell."""
    right = csr_array((tables() == matrix.codes.ravel()[None, :]).astype(float).T)
    above = hstack([-right, csr_array(np.ones((right.shape[0], 1)))])
    goal = np.append(np.zeros(right.shape[1]), -1.0)
    total = np.append(np.ones(right.shape[1]), 0.0)[None, :]
    return -float(linprog(goal, A_ub=above, b_ub=np.zeros(right.shape[0]), A_eq=total, b_eq=[1.0]).fun)


def semidefinite(matrix: CommunicationMatrix, alpha: float) -> Any:
    """gamma_2^alpha by cvxpy."""
    try:
        import cvxpy
    except ImportError:
        return MISSING
    signs, above = 2 * matrix.codes.astype(float) - 1, matrix.shape[0]
    gram = cvxpy.Variable((sum(matrix.shape),) * 2, PSD=True)
    near = cvxpy.multiply(signs, gram[:above, above:])
    program = cvxpy.Problem(cvxpy.Minimize(cvxpy.max(cvxpy.diag(gram))), [near >= 1, near <= alpha])
    program.solve()
    return float(program.value)


def spectral_bias(matrix: CommunicationMatrix) -> float:
    """What the spectral norm says of the discrepancy under equal weights; at most 1."""
    return min(1.0, float(np.linalg.norm(2.0 * matrix.codes - 1, 2)) / np.sqrt(matrix.codes.size))


def spectral_bits(matrix: CommunicationMatrix) -> float:
    """log2 of (1 - 2e) / discrepancy, rounded up; at least 0."""
    return max(0, ceil(log2((1 - 2 * ERROR) / spectral_bias(matrix))))


def small(long: bool) -> Iterator[Case]:
    """Where programs over all rectangles can be written down."""
    for size in (5, 6, *((7, 8) if long else ())):
        matrix = random_matrix(size)
        case, of = f"random {size} x {size}", {"matrix": matrix}
        yield f"smooth rectangle bound, {case}", of, lambda m=matrix: smooth_rectangle_bound(m, error=ERROR), \
            "HiGHS, all rectangles", lambda m=matrix: by_all_rectangles(m, 1, 1 / 3)  # fmt: skip
        yield f"partition bound, {case}", of, lambda m=matrix: partition_bound(m, ERROR), \
            "HiGHS, all rectangles", lambda m=matrix: by_all_rectangles(m, None, 1 / 3)  # fmt: skip
        yield f"least discrepancy, {case}", of, lambda m=matrix: least_discrepancy(m), \
            "HiGHS, all rectangles", lambda m=matrix: least_bias(m)  # fmt: skip
    for size in (12, 16):
        matrix = random_matrix(size)
        yield f"discrepancy, random {size} x {size}", {"matrix": matrix}, lambda m=matrix: discrepancy(m), \
            "numpy, all sets of rows", lambda m=matrix: largest_bias(m)  # fmt: skip
    for size in (4, 5):
        matrix = random_matrix(size)
        yield f"success of 2 bits, public coins, random {size} x {size}", {"matrix": matrix}, \
            lambda m=matrix: public_coin_success(m, 2), "HiGHS, all protocols", \
            lambda m=matrix: best_mixture(m, lambda: tables_of(m.shape, 2))  # fmt: skip
        yield f"success of one message of 1 bit, random {size} x {size}", {"matrix": matrix}, \
            lambda m=matrix: one_way_success(m, 1), "HiGHS, all protocols", \
            lambda m=matrix: best_mixture(m, lambda: one_way_tables(m.shape))  # fmt: skip
    for size in (8, 16, *((32,) if long else ())):
        matrix = random_matrix(size)
        yield f"gamma_2, random {size} x {size}", {"matrix": matrix}, lambda m=matrix: gamma2(m), \
            "cvxpy", lambda m=matrix: semidefinite(m, 1.0)  # fmt: skip


def large(long: bool) -> Iterator[Case]:
    """Bits with error 1/3 where they cannot."""
    named = [("inner product", inner_product), ("disjointness", disjointness), ("equality", equality)]
    tables = [(f"{name} n={n}", of(n).matrix) for name, of in named for n in ((4, 6, 8) if long else (6,))]
    tables += [("random 256 x 256", random_matrix(256))] if long else []
    for case, m in tables:
        bounds: dict[str, Callable[[CommunicationMatrix], Any]] = {
            "least discrepancy": lambda m: randomised_by_least_discrepancy(m, ERROR),
            "gamma_2": lambda m: gamma2_bits(m, ERROR, 10.0),
        }
        if case.startswith("disjointness"):
            bounds["partition bound"] = lambda m: partition_bits(m, ERROR, 20.0)
        for name, bound in bounds.items():
            yield f"bits by {name}, {case}", {"matrix": m}, lambda m=m, bound=bound: bound(m), \
                "numpy, equal weights", lambda m=m: spectral_bits(m)  # fmt: skip
        yield f"least discrepancy, {case}", {"matrix": m}, lambda m=m: least_discrepancy(m, seconds=30.0), \
            "numpy, equal weights", lambda m=m: spectral_bias(m)  # fmt: skip


def cases(long: bool) -> Iterator[Case]:
    """What is compared."""
    yield from small(long)
    yield from large(long)


if __name__ == "__main__":
    print_cases(__doc__, cases, compared)
