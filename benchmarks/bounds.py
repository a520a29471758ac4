"""How fast bounds are, as ratios against a rival that runs beside them in the same process.

Run it with ``python benchmarks/bounds.py [--json] [--long]``. Rivals: for D, recursion over all subrectangles
(the definition, with memory), and for larger matrices a plain SAT encoding of protocol trees; for fooling sets,
networkx's maximum clique on the compatibility graph, in a process that is stopped after a while; for rank, sympy at the
size that it can do; and boofun, if it is installed, where it answers at all. ``--long`` adds the 1024 x 1024 matrices
and hard ones of 14 x 14 to 48 x 48.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections.abc import Callable
from functools import cache, partial
from itertools import count, product
from typing import Any

import numpy as np

from ccsim.bounds import deterministic, maximum_fooling_set
from ccsim.bounds.field_ranks import LARGE_PRIME, rank_modulo
from ccsim.engine import draw
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import clique_independent_set, disjointness, equality, greater_than, inner_product

FAMILIES = {"EQ": equality, "DISJ": disjointness, "GT": greater_than, "IP": inner_product}
PATIENCE = 5.0
MISSING = "not installed"


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds, and what came out."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def row(
    case: str, seconds: float, result: Any, rival: str, rival_seconds: float | None, rival_result: Any
) -> dict[str, Any]:
    """One line of the table; the ratio says how many times slower the rival was (at least, if it was stopped)."""
    stopped = rival_seconds is None
    ratio = (PATIENCE if rival_seconds is None else rival_seconds) / seconds
    there = rival != "none" and rival_result != MISSING
    return {
        "case": case,
        "seconds": round(seconds, 3),
        "result": str(result),
        "rival": rival,
        "rival seconds": f"> {PATIENCE:g}" if stopped else round(rival_seconds or 0, 3),
        "rival result": "stopped" if stopped else str(rival_result),
        "ratio": ("> " if stopped else "") + f"{ratio:.1f}" if there else "-",
    }


def by_definition(table: tuple[tuple[int, ...], ...]) -> int:
    """D by recursion over all subrectangles, remembered by their lines."""

    @cache
    def depth(rows: frozenset[int], columns: frozenset[int]) -> int:
        if len({table[r][c] for r in rows for c in columns}) <= 1:
            return 0
        best = 99
        for mine, of in ((rows, 0), (columns, 1)):
            items = sorted(mine)
            for mask in range(1, 1 << (len(items) - 1)):
                part = frozenset(item for place, item in enumerate(items) if mask >> place & 1)
                halves = [(part, columns), (mine - part, columns)] if of == 0 else [(rows, part), (rows, mine - part)]
                best = min(best, 1 + max(depth(*half) for half in halves))
        return best

    return depth(frozenset(range(len(table))), frozenset(range(len(table[0]))))


def clique_of_networkx(table: list[list[int]], code: int) -> int:
    """The largest fooling set of one answer as a maximum clique."""
    import networkx

    cells = [(r, c) for r, line in enumerate(table) for c, cell in enumerate(line) if cell == code]
    graph = networkx.Graph()
    graph.add_nodes_from(cells)
    graph.add_edges_from(
        (a, b) for i, a in enumerate(cells) for b in cells[:i] if table[a[0]][b[1]] != code or table[b[0]][a[1]] != code
    )
    return len(networkx.max_weight_clique(graph, weight=None)[0])


def patiently(work: Callable[..., Any], *arguments: Any) -> tuple[float | None, Any]:
    """Seconds and result of work in another process, whose start does not count; no seconds if it was stopped."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        pool.apply(int)
        try:
            return pool.apply_async(_timed_work, (work, arguments)).get(PATIENCE)
        except multiprocessing.TimeoutError:
            return None, None


def _timed_work(work: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[float, Any]:
    return timed(lambda: work(*arguments))


def boofun_bounds(name: str, n: int) -> str:
    """What boofun calls its lower and upper bound on D (they need not be), or that it is not installed."""
    try:
        import boofun
        from boofun.analysis.communication_complexity import deterministic_cc
    except ImportError:
        return MISSING
    answer = deterministic_cc(boofun.create(FAMILIES[name](n).codes.ravel().tolist()))
    return f"{answer['lower_bound']:.3f} to {answer['upper_bound']:.3f}"


def random_matrix(size: int, seed: int) -> CommunicationMatrix:
    """A uniform Boolean matrix."""
    cells = [draw(2, seed, "cell", place) for place in range(size * size)]
    return CommunicationMatrix(np.array(cells).reshape(size, size), (0, 1))


def protocol_tree_matrix(size: int, depth: int, seed: int) -> CommunicationMatrix:
    """The matrix of a random protocol tree with random speakers, splits and leaves."""
    table = np.zeros((size, size), dtype=np.int8)
    todo = [(np.arange(size), np.arange(size), depth, 1)]
    while todo:
        rows, columns, left, path = todo.pop()
        if left == 0:
            table[np.ix_(rows, columns)] = draw(2, seed, "leaf", path)
            continue
        mine = rows if draw(2, seed, "speaker", path) else columns
        side = np.array([draw(2, seed, "side", path, int(line)) for line in mine], dtype=bool)
        for bit, part in enumerate((mine[side], mine[~side])):
            halves = (part, columns) if mine is rows else (rows, part)
            todo.append((*halves, left - 1, 2 * path + bit))
    return CommunicationMatrix(table, (0, 1))


def partial_matrix(size: int, seed: int) -> CommunicationMatrix:
    """A uniform Boolean matrix of which about 3 in 10 cells are free."""
    codes = random_matrix(size, seed).codes.copy()
    free = [draw(10, seed, "free", place) < 3 for place in range(size * size)]
    codes[np.array(free).reshape(size, size)] = -1
    return CommunicationMatrix(codes, (0, 1))


def cycle_matrix(vertices: int) -> CommunicationMatrix:
    """Clique against independent set on a cycle."""
    import networkx

    return clique_independent_set(networkx.cycle_graph(vertices)).matrix


def by_sat(table: list[list[int]], bits: int) -> int:
    """D by a plain SAT encoding: a tree of so many bits exists, and none of one bit less."""
    feasible = [_tree_exists(table, depth) for depth in (bits - 1, bits)]
    return bits if feasible == [False, True] else -1


def _tree_exists(table: list[list[int]], depth: int) -> bool:
    """For each node who speaks, for each line whether it may come there, for each leaf the answer."""
    from pysat.solvers import Cadical153

    fresh = count(1)
    nodes, sizes = range(1, 2 << depth), (len(table), len(table[0]))
    speaks, answer = ([next(fresh) for _ in range(2 << depth)] for _ in range(2))
    comes = [[[next(fresh) for _ in range(size)] for size in sizes] for _ in range(2 << depth)]
    with Cadical153() as solver:
        for line in (line for lines in comes[1] for line in lines):
            solver.add_clause([line])
        for node in nodes[: (1 << depth) - 1]:
            for party, own in ((0, speaks[node]), (1, -speaks[node])):
                for here, left, right in zip(
                    *(comes[place][party] for place in (node, 2 * node, 2 * node + 1)), strict=True
                ):
                    solver.append_formula([[-here, left, right], [-here, own, left], [-here, own, right]])
        for leaf in nodes[(1 << depth) - 1 :]:
            for row, column in product(*map(range, sizes)):
                if table[row][column] >= 0:
                    told = answer[leaf] if table[row][column] else -answer[leaf]
                    solver.add_clause([-comes[leaf][0][row], -comes[leaf][1][column], told])
        return bool(solver.solve())


def main() -> None:
    """Print every case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--long", action="store_true", help="with the large cases")
    arguments = parser.parse_args()
    for found in cases(arguments.long):
        print(json.dumps(found) if arguments.json else ", ".join(f"{name}: {value}" for name, value in found.items()))


def cases(long: bool) -> Any:
    """Each comparison in turn."""
    small = [("random 6 x 6", random_matrix(6, 1)), *((f"{name} n=3", FAMILIES[name](3).matrix) for name in FAMILIES)]
    for case, matrix in small:
        seconds, found = timed(lambda matrix=matrix: deterministic(matrix))
        table = tuple(map(tuple, matrix.codes.tolist()))
        yield row(f"D, {case}", seconds, found, "by definition", *patiently(by_definition, table))
    for n in (5, 8, 10) if long else (5, 8):
        for name, family in FAMILIES.items():
            function = family(n)
            function.matrix  # noqa: B018 - the table is not what is timed
            seconds, found = timed(lambda function=function: deterministic(function))
            yield row(f"D, {name} n={n}", seconds, found, "boofun", *patiently(boofun_bounds, name, n))
    for name, code, n in (
        *((name, code, 5) for name in ("EQ", "DISJ", "GT") for code in (0, 1)),
        ("IP", 0, 4),
        ("IP", 1, 4),
    ):
        matrix = FAMILIES[name](n).matrix
        seconds, found = timed(lambda matrix=matrix, code=code: maximum_fooling_set(matrix, code).lower)
        rival_times = patiently(clique_of_networkx, matrix.codes.tolist(), code)
        yield row(
            f"largest fooling set, {name} n={n}, cells of {code}", seconds, found, "networkx clique", *rival_times
        )
    worst = max(
        (timed(lambda seed=seed: deterministic(random_matrix(12, seed))) for seed in range(20)), key=lambda t: t[0]
    )
    yield row("D, the slowest of 20 random 12 x 12", *worst, "none", worst[0], "")
    codes = random_matrix(1024, 2).codes.astype(np.int64) if long else random_matrix(256, 2).codes.astype(np.int64)
    seconds, found = timed(lambda: rank_modulo(codes, LARGE_PRIME))
    yield row(f"rank, random {len(codes)} x {len(codes)}", seconds, found, "sympy at 24 x 24", *timed(sympy_rank))
    if long:
        yield from hard_cases()


def hard_cases() -> Any:
    """D where it takes a search, with the certificate's size in bytes and the seconds that its check takes."""
    matrices = [(f"clique against independent set, C_{n}", cycle_matrix(n)) for n in (6, 8, 9, 10)]
    for name, of, seeds in (
        ("tree of depth 6, 20 x 20", partial(protocol_tree_matrix, 20, 6), 40),
        ("tree of depth 6, 48 x 48", partial(protocol_tree_matrix, 48, 6), 30),
        ("tree of depth 7, 36 x 36", partial(protocol_tree_matrix, 36, 7), 30),
        ("14 x 14, 3 in 10 cells free", partial(partial_matrix, 14), 10),
    ):
        matrices += [(f"{name}, seed {seed}", of(seed)) for seed in range(seeds)]
    for case, matrix in matrices:
        seconds, bracket = timed(lambda matrix=matrix: deterministic(matrix, seconds=60))
        if bracket.exact and bracket.below.by in ("leaf-rank", "fooling set"):
            continue
        checked, _ = timed(bracket.certificate.verify)
        told = f"{bracket}, {len(bracket.certificate.text())} bytes, checked in {checked:.1f} s"
        yield row(f"D, {case}", seconds, told, "SAT", *patiently(by_sat, matrix.codes.tolist(), bracket.upper))


def sympy_rank() -> int:
    """The rational rank of a small matrix, which is all that it can do in reasonable time."""
    import sympy

    return int(sympy.Matrix(random_matrix(24, 2).codes.tolist()).rank())


if __name__ == "__main__":
    main()
