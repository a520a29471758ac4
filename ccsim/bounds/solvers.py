"""The solvers of other people, all of them, and all called from here: they search, in silence, and decide nothing."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from typing import Any

import lazy_loader as lazy
import numpy as np
import pysolvers
from pysat.solvers import Cadical195, Solver

from ccsim.errors import Array
from ccsim.silence import silence

flint = lazy.load("flint")
highspy = lazy.load("highspy")
scipy = lazy.load("scipy")


def made_ready() -> None:
    """Open what is opened at its first use, before anybody's time is measured: it takes longer than a small problem."""
    scipy.optimize, flint.nmod_mat  # noqa: B018


def linear_program(*arguments: Any, **options: Any) -> Any:
    """:func:`scipy.optimize.linprog`, whose HiGHS prints what no option keeps it from."""
    with silence():
        return scipy.optimize.linprog(*arguments, **options)


def matrix_game(losses: Array, **options: Any) -> tuple[float, Array, Array] | None:
    """The value of a game, a mixture of columns and a distribution on rows (floats); None if it was not solved.

    Columns want the mixture whose loss is least on the worst row. ``options`` are those of the solver.

    >>> matrix_game(np.array([[0.0, 1.0], [1.0, 0.0]]))[0]
    0.5
    """
    rows, columns = losses.shape
    result = linear_program(
        np.append(np.zeros(columns), 1.0),
        A_ub=np.column_stack([losses, -np.ones(rows)]),
        b_ub=np.zeros(rows),
        A_eq=np.append(np.ones(columns), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * columns + [(None, None)],
        method="highs-ds",
        options=options,
    )
    if result.status != 0:
        return None
    return float(result.x[-1]), np.maximum(0, result.x[:-1]), np.maximum(0, -result.ineqlin.marginals)


def least_by_gradient(value_and_gradient: Any, start: Any, **options: Any) -> Any:
    """:func:`scipy.optimize.minimize`, by L-BFGS."""
    with silence():
        return scipy.optimize.minimize(value_and_gradient, start, jac=True, method="L-BFGS-B", options=options)


class CoveringProgram:
    """Fewest shares such that sums of them are large enough (floats), for HiGHS, which goes on from earlier solutions.

    Args:
        coefficients: of each sum, a row; all at least 0. Each must be at least 1.

    Attributes:
        value: the sum of all shares, as far as the last search came.
        count: how many shares.
    """

    def __init__(self, coefficients: Array) -> None:
        self.value, (rows, self.count) = 0.0, coefficients.shape
        columns = scipy.sparse.csc_matrix(coefficients.astype(float))
        program = highspy.HighsLp()
        program.num_row_, program.num_col_ = rows, self.count
        program.col_cost_, program.col_lower_ = np.ones(self.count), np.zeros(self.count)
        program.row_lower_ = np.ones(rows)
        program.col_upper_, program.row_upper_ = (np.full(size, highspy.kHighsInf) for size in (self.count, rows))
        matrix = program.a_matrix_
        matrix.start_, matrix.index_, matrix.value_ = columns.indptr, columns.indices, columns.data
        with silence():
            self.solver = highspy.Highs()
            self.solver.silent()
            for option, choice in (("presolve", "off"), ("solver", "simplex"), ("threads", 1)):
                self.solver.setOptionValue(option, choice)
            self.solver.passModel(program)

    @property
    def rows(self) -> int:
        return int(self.solver.getNumRow())

    def add(self, coefficients: Array, least: int) -> None:
        places = np.flatnonzero(coefficients).astype(np.int32)
        values = coefficients[places].astype(float)
        self.solver.addRow(float(least), highspy.kHighsInf, len(places), places, values)

    def remove(self, rows: Array) -> None:
        if len(rows):
            self.solver.deleteRows(len(rows), np.asarray(rows, dtype=np.int32))

    def allow(self, whole: Sequence[int], none: Sequence[int]) -> None:
        """Some shares are at least 1, and some are 0."""
        lower, upper = np.zeros(self.count), np.full(self.count, highspy.kHighsInf)
        lower[list(whole)], upper[list(none)] = 1.0, 0.0
        self.solver.changeColsBounds(self.count, np.arange(self.count, dtype=np.int32), lower, upper)

    def resume(self, basis: Any) -> None:
        """Go on from this basis, of an earlier solution with as many sums."""
        self.solver.setBasis(basis)

    def solve(self, basis: Any = None, steps: int = 1_000_000, above: float = float("inf")) -> float:
        """The value, after so many steps at most, infinite if there are no such shares; more than enough is not needed.

        Args:
            basis: of an earlier solution, with as many sums, that it goes on from.
            steps: of the dual simplex algorithm, which comes to the value from below.
            above: what is enough.
        """
        self.solver.setOptionValue("simplex_iteration_limit", steps)
        self.solver.setOptionValue("objective_bound", above)
        with silence():
            if basis is not None:
                self.resume(basis)
            self.solver.run()
        infeasible = self.solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible
        self.value = float("inf") if infeasible else float(self.solver.getInfo().objective_function_value)
        return self.value

    def solution(self) -> tuple[Any, Array, Array]:
        """The basis, all shares, and what each sum weighs in the dual."""
        found = self.solver.getSolution()
        return self.solver.getBasis(), np.array(found.col_value), np.maximum(0.0, np.array(found.row_dual))


class SatSolver(Solver):  # type: ignore[misc]
    """A solver of python-sat, by its name there."""

    def solve(self, *arguments: Any, **options: Any) -> Any:
        with silence():
            return super().solve(*arguments, **options)


class ProvingSolver(Cadical195):  # type: ignore[misc]
    """CaDiCaL on some clauses, which may write down why they cannot be satisfied, in the binary form of LRAT.

    Args:
        clauses: all that it is given.
        proving: whether it writes.
        steady: whether it keeps to where it is, with few restarts: that refutes sooner, but finds solutions later.

    Attributes:
        forgotten: whether it has given up what it had written.

    >>> with ProvingSolver([[1], [-1, 2], [-2]], True) as solver:
    ...     solver.solve_within(1000), solver.written > 0
    (False, True)
    """

    def __init__(self, clauses: list[list[int]], proving: bool, steady: bool = False) -> None:
        super().__init__()
        self.given, self.forgotten = len(clauses), False
        if steady:
            self.configure({"stabilizeonly": 1})
        if proving:  # its own way writes another form, which names no clauses
            self.configure({"lrat": 1, "binary": 1})
            self.prfile = tempfile.TemporaryFile()  # noqa: SIM115, as long as the solver
            self.prfp = pysolvers.cadical195_tracepr(self.cadical, self.prfile)
        for clause in clauses:
            pysolvers.cadical195_add_cl(self.cadical, clause)

    def solve_within(self, conflicts: int) -> bool | None:
        """Whether the clauses can be satisfied; None after so many conflicts. It goes on where it was."""
        self.conf_budget(conflicts)
        with silence():
            found: bool | None = self.solve_limited()
        return found

    @property
    def written(self) -> int:
        """How many bytes."""
        pysolvers.flushpr(self.prfp)
        return os.fstat(self.prfile.fileno()).st_size

    def forget(self) -> None:
        """Give up what it has written, which takes no room then; it still counts as written."""
        self.forgotten = True
        pysolvers.flushpr(self.prfp)
        os.ftruncate(self.prfile.fileno(), 0)
        os.ftruncate(self.prfile.fileno(), self.prfile.seek(0, os.SEEK_CUR))

    def proof(self) -> bytes:
        pysolvers.flushpr(self.prfp)
        self.prfile.seek(0)
        return bytes(self.prfile.read())
