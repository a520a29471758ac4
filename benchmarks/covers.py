"""Cover and partition numbers beside a plain encoding for python-sat that is given the same seconds.

Run it with ``python benchmarks/covers.py [--json] [--seconds 20] [--long]``. The rival asks a SAT solver whether
k rectangles are enough, for k from a fooling set upwards, with the cells of that set in different rectangles; what it
says has no certificate. Then it is asked again, with the solver's proofs (LRAT) written down, trimmed and followed step
by step. A line says what each found in that time, how long each took, also in seconds of processors, and how many
times slower the rival without proofs was (at least, if it was stopped; at most, if we were).
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from against_rivals import print_cases
from pysat.solvers import Solver

from ccsim.bounds import cover_number, maximum_fooling_set, partition_number
from ccsim.bounds.rectangles import Cell
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.solvers import ProvingSolver, made_ready, read_proof
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import disjointness


def cycle(n: int) -> CommunicationMatrix:
    """Zeros at j = i and j = i + 1 modulo n."""
    table, rows = np.ones((n, n), dtype=int), np.arange(n)
    table[rows, rows] = table[rows, (rows + 1) % n] = 0
    return CommunicationMatrix.from_array(table)


def crown(n: int) -> CommunicationMatrix:
    """Zeros on the diagonal."""
    return CommunicationMatrix.from_array(1 - np.eye(n, dtype=int))


def random_matrix(percent: int, size: int = 20) -> CommunicationMatrix:
    """Ones with this probability."""
    return CommunicationMatrix.from_array(
        (np.random.default_rng(percent).random((size, size)) < percent / 100).astype(int)
    )


def encoded(matrix: CommunicationMatrix, code: int, once: bool, apart: Sequence[Cell], k: int) -> list[list[int]]:
    """Clauses that hold if k rectangles are enough."""
    codes = matrix.codes
    height, width = codes.shape
    rows = np.arange(height * k).reshape(height, k) + 1
    columns = np.arange(width * k).reshape(width, k) + 1 + height * k
    last, clauses = (height + width) * k, list[list[int]]()
    for place, (row, column) in enumerate(apart):
        clauses += [[int(rows[row, place])], [int(columns[column, place])]]
    for row, column in np.ndindex(codes.shape):
        pairs = [(int(a), int(b)) for a, b in zip(rows[row], columns[column], strict=True)]
        if codes[row, column] == code:
            clauses.append([last + 1 + place for place in range(k)])
            for place, (a, b) in enumerate(pairs):
                clauses += [[-(last + 1 + place), a], [-(last + 1 + place), b]]
                if once:
                    clauses.append([-a, -b, last + 1 + place])
            clauses += [[-one, -other] for one, other in combinations(range(last + 1, last + 1 + k) if once else (), 2)]
            last += k
        elif codes[row, column] >= 0:
            clauses += [[-a, -b] for a, b in pairs]
    return clauses


def plain_sat(matrix: CommunicationMatrix, code: int, once: bool, proving: bool, tell: Any) -> None:
    """Tells ("lower", k) and at the end ("upper", k)."""
    apart = maximum_fooling_set(matrix, code, seconds=1.0).cells
    k = len(apart)
    while True:
        tell(("lower", k))
        if (with_proof if proving else without_proof)(encoded(matrix, code, once, apart, k)):
            tell(("upper", k))
            return
        k += 1


def without_proof(clauses: list[list[int]]) -> bool:
    """Whether clauses can be satisfied."""
    with Solver("cadical153", clauses) as solver:
        return bool(solver.solve())


def with_proof(clauses: list[list[int]]) -> bool:
    """Whether clauses can be satisfied; if not, the proof of the solver is followed."""
    with ProvingSolver(clauses, True) as solver:
        if solver.solve():
            return True
        known = {-1 - number: clause for number, clause in enumerate(clauses)}
        for number, (clause, hints) in enumerate(read_proof(solver.proof(), solver.given, solver.given).lemmas()):
            true, left = {-literal for literal in clause}, [0]
            for hint in hints:
                left = [literal for literal in known[hint] if -literal not in true]
                if len(left) != 1:
                    break
                true.add(left[0])
            if left:
                raise ValueError("a step that does not follow")
            known[number] = clause
    return False


def rival(matrix: CommunicationMatrix, code: int, once: bool, proving: bool, seconds: float) -> tuple[float, str, bool]:
    """Seconds, what it found, and whether it was done."""
    start, found = time.perf_counter(), {"lower": 0}
    for side, value in Clock.within(seconds).run(lambda tell: plain_sat(matrix, code, once, proving, tell)):
        found[side] = value
    done = "upper" in found
    return time.perf_counter() - start, f"[{found['lower']}, {found.get('upper', '?')}]", done


def worked() -> float:
    """Seconds of processors so far, with those of processes that are over."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def compared(case: str, matrix: CommunicationMatrix, code: int, once: bool, seconds: float) -> dict[str, Any]:
    """One line."""
    alone = CommunicationMatrix((matrix.codes == code).astype(np.int8), (0, 1))
    start, first = time.perf_counter(), worked()
    bracket = (partition_number if once else cover_number)(alone, 1, seconds=seconds)
    ours, second = time.perf_counter() - start, worked()
    theirs, result, done = rival(alone, 1, once, False, seconds)
    third = worked()
    slower, proved, _ = rival(alone, 1, once, True, seconds)
    sign = "" if bracket.exact == done else "> " if bracket.exact else "< "
    return {
        "case": case,
        "result": f"[{bracket.lower}, {bracket.upper}]",
        "seconds": round(ours, 2),
        "processor": round(second - first, 2),
        "rival result": result,
        "rival seconds": round(theirs, 2),
        "rival processor": round(third - second, 2),
        "with proof": proved,
        "with proof seconds": round(slower, 2),
        "with proof processor": round(worked() - third, 2),
        "ratio": f"{sign}{theirs / max(ours, 1e-3):.1f}",
    }


def cases(long: bool) -> Iterator[tuple[str, CommunicationMatrix, int, bool]]:
    """What is compared; in the end whether rectangles are disjoint."""
    for n in (8, 10, 16, 24, *((20, 28, 40) if long else ())):
        yield f"cycle of {n}, ones", cycle(n), 1, False
    for n in (20, 40):
        yield f"crown of {n}, ones", crown(n), 1, False
    for code in (0, 1):
        yield f"disjointness n=6, cells of {code}", disjointness(6).matrix, code, False
    for percent in range(10, 100, 10) if long else (20, 50, 90):
        yield f"random 20 x 20, {percent}% ones", random_matrix(percent), 1, False
    for n in (6, 8, *((10,) if long else ())):
        yield f"partition, cycle of {n}, ones", cycle(n), 1, True


if __name__ == "__main__":
    made_ready()
    print_cases(__doc__, cases, compared)
