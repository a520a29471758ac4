"""External solvers, all called from here: linear programs, SAT solvers and the proofs that these write (LRAT).

They search, in silence, and decide nothing. Each step of a proof is a clause that follows from earlier ones by unit
propagation, and names these (Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp 2017).
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pysolvers
from pysat.solvers import Cadical195, Solver

from ccsim import lazy
from ccsim.certificates.verify.rectangles import BASE_64
from ccsim.engine.processes import FOREVER
from ccsim.errors import Array
from ccsim.silence import silence

flint = lazy.load("flint")
highspy = lazy.load("highspy")
scipy = lazy.load("scipy")


def made_ready() -> None:
    """Import now what is imported at its first use: it takes longer than a small problem."""
    highspy.Highs, flint.nmod_mat  # noqa: B018


def linear_program(
    costs: Array, rows: Array, low: Array | float, high: Array | float, seconds: float = FOREVER, free: int = 0
) -> tuple[float, Array, Array] | None:
    """The least sum of costs times variables, all but so many last ones at least 0, for row sums from low to high.

    With it: the variables, and what each row weighs in the dual. None if there is none, or it takes longer.
    """
    lower = np.zeros(len(costs))
    lower[len(costs) - free :] = -highspy.kHighsInf
    solver = quiet_simplex(_stated(costs, rows, low, high, lower))
    solver.setOptionValue("time_limit", seconds)
    with silence():
        solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    solution, value = solver.getSolution(), float(solver.getInfo().objective_function_value)
    return value, np.array(solution.col_value), np.array(solution.row_dual)


def _stated(costs: Array, rows: Array, low: Array | float, high: Array | float, lower: Array) -> Any:
    program, no_limit = highspy.HighsLp(), np.full(len(costs), highspy.kHighsInf)
    program.num_row_, program.num_col_ = rows.shape
    program.col_cost_, program.col_lower_, program.col_upper_ = costs.astype(float), lower, no_limit
    program.row_lower_, program.row_upper_ = (np.broadcast_to(side, len(rows)).astype(float) for side in (low, high))
    matrix = program.a_matrix_
    matrix.start_, matrix.index_, matrix.value_ = _sparse(rows.T)
    return program


def _sparse(table: Array) -> tuple[Array, Array, Array]:
    """Where each row begins in the others; the column and the value of each entry that is not 0."""
    rows, columns = np.nonzero(table)
    starts = np.searchsorted(rows, np.arange(len(table) + 1))
    return starts.astype(np.int32), columns.astype(np.int32), table[rows, columns].astype(float)


def matrix_game(losses: Array, seconds: float = FOREVER) -> tuple[float, Array, Array] | None:
    """Its value, the mixture of columns of least loss on the worst row, a distribution on rows; None if unsolved."""
    count, columns = losses.shape
    rows = np.vstack([np.column_stack([losses, -np.ones(count)]), np.append(np.ones(columns), 0.0)])
    sums = np.append(np.zeros(count), 1.0)
    low = np.where(sums, sums, -highspy.kHighsInf)
    solved = linear_program(np.append(np.zeros(columns), 1.0), rows, low, sums, seconds, free=1)
    return solved and (solved[0], np.maximum(0, solved[1][:-1]), np.maximum(0, -solved[2][:-1]))


def least_by_gradient(value_and_gradient: Any, start: Any, **options: Any) -> Any:
    """:func:`scipy.optimize.minimize`, by L-BFGS."""
    with silence():
        return scipy.optimize.minimize(value_and_gradient, start, jac=True, method="L-BFGS-B", options=options)


def quiet_simplex(program: Any = None) -> Any:
    """HiGHS, which goes on from its last solution when rows are added."""
    with silence():
        solver = highspy.Highs()
        solver.silent()
        for option, choice in (("presolve", "off"), ("solver", "simplex"), ("threads", 1)):
            solver.setOptionValue(option, choice)
        if program is not None:
            solver.passModel(program)
    return solver


class PackingProgram:
    """The largest gain of variables (at least 0 unless free) such that rows with coefficients are at most 1."""

    def __init__(self, gain: Array, free: Array) -> None:
        self.solver, count = quiet_simplex(), len(gain)
        with silence():
            self.solver.addVars(count, np.where(free, -highspy.kHighsInf, 0.0), np.full(count, highspy.kHighsInf))
            self.solver.changeColsCost(count, np.arange(count, dtype=np.int32), -gain.astype(float))

    @property
    def rows(self) -> int:
        return int(self.solver.getNumRow())

    def add(self, rows: Array) -> None:
        (starts, places, values), count = _sparse(rows), len(rows)
        below = np.full(count, -highspy.kHighsInf)
        self.solver.addRows(count, below, np.ones(count), len(places), starts[:-1], places, values)

    def solve(self, seconds: float) -> tuple[Array, Array] | None:
        """The variables, and what each row weighs in the dual; None if that takes longer."""
        self.solver.setOptionValue("time_limit", self.solver.getRunTime() + seconds)
        with silence():
            self.solver.run()
        if self.solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        solution = self.solver.getSolution()
        return np.array(solution.col_value), np.maximum(0.0, -np.array(solution.row_dual))


class CoveringProgram:
    """Fewest shares whose sums, with coefficients in rows, are at least 1; HiGHS goes on from earlier solutions."""

    def __init__(self, coefficients: Array) -> None:
        self.count = coefficients.shape[1]
        none = np.zeros(self.count)
        self.solver = quiet_simplex(_stated(none + 1, coefficients, 1.0, highspy.kHighsInf, none))

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
        lower, upper = np.zeros(self.count), np.full(self.count, highspy.kHighsInf)
        lower[list(whole)], upper[list(none)] = 1.0, 0.0
        self.solver.changeColsBounds(self.count, np.arange(self.count, dtype=np.int32), lower, upper)

    def resume(self, basis: Any) -> None:
        self.solver.setBasis(basis)

    def solve(self, basis: Any = None, steps: int = 1_000_000, above: float = float("inf")) -> float:
        """The sum of all shares, infinite if there are none; it comes from below, to stop at ``above``."""
        self.solver.setOptionValue("simplex_iteration_limit", steps)
        self.solver.setOptionValue("objective_bound", above)
        with silence():
            if basis is not None:
                self.resume(basis)
            self.solver.run()
        infeasible = self.solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible
        return float("inf") if infeasible else float(self.solver.getInfo().objective_function_value)

    def solution(self) -> tuple[Any, Array, Array]:
        """The basis, all shares, and what each row weighs in the dual."""
        solution = self.solver.getSolution()
        return self.solver.getBasis(), np.array(solution.col_value), np.maximum(0.0, np.array(solution.row_dual))


class SatSolver(Solver):  # type: ignore[misc]
    """A solver of python-sat, by its name there."""

    def solve(self, *arguments: Any, **options: Any) -> Any:
        with silence():
            return super().solve(*arguments, **options)


class ProvingSolver(Cadical195):  # type: ignore[misc]
    """CaDiCaL, with a proof in binary LRAT; ``steady``, few restarts, refutes sooner, but finds solutions later."""

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
            satisfiable: bool | None = self.solve_limited()
        return satisfiable

    @property
    def written(self) -> int:
        pysolvers.flushpr(self.prfp)
        return os.fstat(self.prfile.fileno()).st_size

    def forget(self) -> None:
        self.forgotten = True
        pysolvers.flushpr(self.prfp)
        os.ftruncate(self.prfile.fileno(), 0)
        os.ftruncate(self.prfile.fileno(), self.prfile.seek(0, os.SEEK_CUR))

    def proof(self) -> bytes:
        pysolvers.flushpr(self.prfp)
        self.prfile.seek(0)
        return bytes(self.prfile.read())


ADDED = ord("a")
MOST_PROOF = 3_900_000  # characters, as it is shown
Numbers = npt.NDArray[np.int64]


class Lemma(NamedTuple):
    """A clause and the numbers of those that it follows from: below 0 for given ones (-1 is the first), else steps."""

    clause: list[int]
    hints: list[int]


class _Flat(NamedTuple):
    literals: Numbers
    clause_ends: Numbers  # in the literals, for each step
    hints: Numbers
    hint_ends: Numbers

    def lemmas(self) -> list[Lemma]:
        literals, hints = self.literals.tolist(), self.hints.tolist()
        clauses, stops = [0, *self.clause_ends.tolist()], [0, *self.hint_ends.tolist()]
        return [
            Lemma(literals[a:b], hints[c:d])
            for a, b, c, d in zip(clauses[:-1], clauses[1:], stops[:-1], stops[1:], strict=True)
        ]


def read_proof(data: bytes, given: int, named: int) -> _Flat:
    """The steps of a proof in binary LRAT on which the first empty clause depends.

    The solver numbers the ``given`` clauses and its steps together, as they came; hints are kept to the first
    ``named`` of the given ones.
    """
    numbers = _numbers(data)
    halves, (starts, middles, stops) = numbers >> 1, _steps(numbers)
    count = len(starts)
    places = np.full(int(halves.max(initial=0)) + given + count + 1, count, dtype=np.int64)  # by name
    places[halves[starts - 1]] = np.arange(count)
    others = np.flatnonzero(places[1:] == count)[:given] + 1
    places[others] = -1 - np.arange(len(others))
    inside = np.zeros(len(numbers) + 1, dtype=np.int64)  # 1 more where hints begin, 1 less where they end
    inside[middles + 1], inside[stops] = 1, inside[stops] - 1
    at = np.flatnonzero(np.cumsum(inside)[:-1])
    hints, owners = places[halves[at]], np.searchsorted(stops, at)
    wanted = _needed(hints, owners, count)
    kept = wanted[owners] & (hints >= -named)
    hints, owners = hints[kept], owners[kept]
    hints = np.where(hints >= 0, (np.cumsum(wanted) - 1)[np.maximum(hints, 0)], hints)  # numbered anew
    inside[:] = 0
    inside[starts[wanted]] = 1
    inside[middles[wanted]] -= 1
    at = np.flatnonzero(np.cumsum(inside)[:-1])
    literals = np.where(numbers[at] & 1, -halves[at], halves[at])
    lengths = (middles - starts)[wanted], np.bincount(owners, minlength=count)[wanted]
    return _Flat(literals, np.cumsum(lengths[0]), hints, np.cumsum(lengths[1]))


def _needed(hints: Numbers, owners: Numbers, count: int) -> npt.NDArray[np.bool_]:
    steps = hints >= 0
    before, stops = hints[steps].tolist(), np.searchsorted(owners[steps], np.arange(count + 1)).tolist()
    wanted = bytearray(count + 1)  # one more for what is no step
    wanted[count - 1] = 1
    for place in range(count - 1, -1, -1):
        if wanted[place]:
            for one in before[stops[place] : stops[place + 1]]:
                wanted[one] = 1
    return np.frombuffer(wanted, dtype=np.bool_)[:count]


def _steps(numbers: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Where clauses of steps begin and end, and hints end, to the first empty one; marks of added clauses are odd."""
    zeros = np.flatnonzero(numbers == 0)
    starts = np.concatenate(([0], zeros + 1))[:-1]
    added = np.flatnonzero(numbers[starts] == ADDED)
    added = added[added + 1 < len(zeros)]
    empty = np.flatnonzero(starts[added] + 2 == zeros[added])
    added = added[: int(empty[0]) + 1] if empty.size else added
    return starts[added] + 2, zeros[added], zeros[added + 1]


def _numbers(data: bytes) -> Numbers:
    """Seven bits in a byte, the least first; the top bit is 1 if there is more. Marks are read as numbers, too."""
    raw = np.frombuffer(data, dtype=np.uint8)
    stops = np.flatnonzero(raw < 128)
    starts = np.concatenate(([0], stops[:-1] + 1))
    numbers = (raw[starts] & 127).astype(np.int64)
    longer, place = np.flatnonzero(stops > starts), 1
    while longer.size:
        numbers[longer] |= (raw[starts[longer] + place].astype(np.int64) & 127) << 7 * place
        longer = longer[stops[longer] > starts[longer] + place]
        place += 1
    return numbers


def _written(steps: _Flat, given: int) -> str:
    """A proof as the checker reads it (see :func:`ccsim.certificates.verify.rectangles.steps_of`), with so many given
    clauses, whose numbers it knows."""
    order = np.arange(len(steps.hint_ends))
    owners, hinted = (np.repeat(order, np.diff(stops, prepend=0)) for stops in (steps.clause_ends, steps.hint_ends))
    numbers = np.zeros(len(steps.literals) + len(steps.hints) + 2 * len(order), dtype=np.int64)
    codes = 2 * abs(steps.literals) + (steps.literals < 0)
    ascending = np.sort(codes + (owners << 40)) & (1 << 40) - 1
    first = np.diff(owners, prepend=-1) != 0
    before = np.concatenate(([0], steps.hint_ends[:-1]))
    places = np.arange(len(codes)) + (before + 2 * order)[owners]
    numbers[places] = ascending - np.where(first, 0, np.roll(ascending, 1))
    backwards = np.where(steps.hints >= 0, given + hinted - steps.hints, -steps.hints)
    numbers[np.arange(len(backwards)) + (steps.clause_ends + 2 * order + 1)[hinted]] = backwards
    return _text(numbers)


def _text(numbers: Numbers) -> str:
    """Five bits to a digit, the least first, and 32 more if there is another one."""
    letters, left, place = np.frombuffer(BASE_64.encode(), dtype=np.uint8), numbers, 0
    lengths = np.ones(len(numbers), dtype=np.int64)
    for bits in range(5, 60, 5):
        lengths += numbers >= 1 << bits
    starts = np.cumsum(lengths) - lengths
    text = np.zeros(int(lengths.sum()), dtype=np.uint8)
    while left.size:
        more = left >= 32
        text[starts + place] = letters[(left & 31) + 32 * more]
        left, starts, place = left[more] >> 5, starts[more], place + 1
    return text.tobytes().decode()


def signed(coded: int) -> int:
    """A literal as solvers write it, by its number in proofs."""
    return -(coded >> 1) if coded & 1 else coded >> 1


def checkable(data: bytes, given: int, named: int) -> str | None:
    """A complete proof for the checker, which numbers the clauses that were given first; None if it is too long."""
    proof = _written(read_proof(data, given, named), named)
    return proof if len(proof) <= MOST_PROOF else None


def common_integers(values: Sequence[Fraction]) -> list[int]:
    """The same proportions as integers: all values times their least common denominator."""
    scale = lcm(*(value.denominator for value in values))
    return [value.numerator * (scale // value.denominator) for value in values]


def normalised(values: npt.NDArray[np.float64]) -> list[Fraction]:
    """Non-negative rationals near non-negative floats, with sum exactly 1."""
    whole = [max(0, round(float(value) * (1 << 30))) for value in values]
    total = sum(whole)
    return [Fraction(value, total) for value in whole]


def solve(matrix: npt.NDArray[np.int64], right: npt.NDArray[np.int64]) -> list[Fraction] | None:
    """The only solution of an integer system, exactly; None if there is none, or more than one."""
    columns = matrix.shape[1]
    augmented = flint.fmpz_mat(np.column_stack([matrix, right]).tolist())
    reduced, denominator, rank = augmented.rref()
    if rank != columns or any(int(reduced[row, row]) == 0 for row in range(rank)):
        return None
    return [Fraction(int(reduced[row, columns]), int(denominator)) for row in range(columns)]
