"""The solvers of other people, all of them, and all called from here: they search, in silence, and decide nothing."""

from __future__ import annotations

from typing import Any

import lazy_loader as lazy
from pysat.solvers import Solver

from ccsim.silence import silence

scipy = lazy.load("scipy")

__all__ = ["SatSolver", "integer_program", "least_by_gradient", "linear_program", "made_ready"]


def made_ready() -> None:
    """Open what is opened at its first use, before anybody's time is measured: it takes longer than a small problem."""
    scipy.optimize  # noqa: B018


def linear_program(*arguments: Any, **options: Any) -> Any:
    """:func:`scipy.optimize.linprog`, whose HiGHS prints what no option keeps it from."""
    with silence():
        return scipy.optimize.linprog(*arguments, **options)


def integer_program(*arguments: Any, **options: Any) -> Any:
    """:func:`scipy.optimize.milp`."""
    with silence():
        return scipy.optimize.milp(*arguments, **options)


def least_by_gradient(value_and_gradient: Any, start: Any, **options: Any) -> Any:
    """:func:`scipy.optimize.minimize`, by L-BFGS."""
    with silence():
        return scipy.optimize.minimize(value_and_gradient, start, jac=True, method="L-BFGS-B", options=options)


class SatSolver(Solver):  # type: ignore[misc]
    """A solver of python-sat, by its name there.

    >>> with SatSolver("minisat22") as solver:
    ...     solver.add_clause([1])
    ...     solver.solve()
    True
    """

    def solve(self, *arguments: Any, **options: Any) -> Any:
        """Whether the clauses can be satisfied, under assumptions."""
        with silence():
            return super().solve(*arguments, **options)

    def solve_limited(self, *arguments: Any, **options: Any) -> Any:
        """Likewise, or None if the limits that were set are reached."""
        with silence():
            return super().solve_limited(*arguments, **options)
