"""Cover and partition numbers beside a plain encoding for python-sat that is given the same seconds.

Run it with ``python benchmarks/covers.py [--json] [--seconds 20] [--long]``. The rival asks a SAT solver whether
k rectangles are enough, for k from a fooling set upwards, with the cells of that set in different rectangles; what it
says has no certificate. A line says what each found in that time, how long each took, also in seconds of processors,
and how many times slower the rival was (at least, if it was stopped; at most, if we were).
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from against_rivals import print_cases
from pysat.solvers import Solver

from ccsim.bounds import cover_number, maximum_fooling_set, partition_number
from ccsim.bounds.clock import Clock
from ccsim.bounds.limited import told
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


def plain_sat(matrix: CommunicationMatrix, code: int, once: bool, tell: Any) -> None:
    """Tells ("lower", k) and at the end ("upper", k)."""
    codes = matrix.codes
    height, width = codes.shape
    apart = maximum_fooling_set(matrix, code, time_limit=1.0).cells
    k = len(apart)
    while True:
        tell(("lower", k))
        rows = np.arange(height * k).reshape(height, k) + 1
        columns = np.arange(width * k).reshape(width, k) + 1 + height * k
        last = (height + width) * k
        with Solver("cadical153") as solver:
            for place, (row, column) in enumerate(apart):
                solver.append_formula([[int(rows[row, place])], [int(columns[column, place])]])
            for row, column in np.ndindex(codes.shape):
                pairs = [(int(a), int(b)) for a, b in zip(rows[row], columns[column], strict=True)]
                if codes[row, column] == code:
                    solver.add_clause([last + 1 + place for place in range(k)])
                    for place, (a, b) in enumerate(pairs):
                        solver.append_formula([[-(last + 1 + place), a], [-(last + 1 + place), b]])
                        if once:
                            solver.add_clause([-a, -b, last + 1 + place])
                    for one, other in combinations(range(last + 1, last + 1 + k) if once else (), 2):
                        solver.add_clause([-one, -other])
                    last += k
                elif codes[row, column] >= 0:
                    solver.append_formula([[-a, -b] for a, b in pairs])
            if solver.solve():
                tell(("upper", k))
                return
        k += 1


def rival(matrix: CommunicationMatrix, code: int, once: bool, seconds: float) -> tuple[float, str, bool]:
    """Seconds, what it found, and whether it was done."""
    start, found = time.perf_counter(), {"lower": 0}
    for side, value in told(lambda tell: plain_sat(matrix, code, once, tell), Clock.within(seconds)):
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
    bracket = (partition_number if once else cover_number)(alone, 1, time_limit=seconds)
    ours, second = time.perf_counter() - start, worked()
    theirs, result, done = rival(alone, 1, once, seconds)
    sign = "" if bracket.exact == done else "> " if bracket.exact else "< "
    return {
        "case": case,
        "result": f"[{bracket.lower}, {bracket.upper}]",
        "seconds": round(ours, 2),
        "processor": round(second - first, 2),
        "rival result": result,
        "rival seconds": round(theirs, 2),
        "rival processor": round(worked() - second, 2),
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
    print_cases(__doc__, cases, compared)
