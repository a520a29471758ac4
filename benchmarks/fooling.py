"""Largest fooling sets beside the maximum clique of networkx that is given the same seconds.

Run it with ``python benchmarks/fooling.py [--json] [--seconds 20] [--long]``. The rival gets the same graph, of cells
that exclude each other, and its branch and bound says nothing until it is done. What we find has a certificate, which
is checked. A line says what each found in that time, how long each took, and how many times slower the rival was (at
least, if it was stopped); and the processor seconds of our clique search alone, in C, if compiled, and in Python.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import networkx as nx
import numpy as np
from against_rivals import print_cases

from ccsim.bounds import brackets_of, cliques
from ccsim.bounds.bracket import Bracket
from ccsim.bounds.fooling_sets import exclusion_graph
from ccsim.bounds.scheduler import Clock, OutOfTimeError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import inner_product


def random_matrix(size: int, percent: int) -> CommunicationMatrix:
    """Ones with this probability."""
    chance = np.random.default_rng(percent).random((size, size))
    return CommunicationMatrix.from_array((chance < percent / 100).astype(int))


def ours(matrix: CommunicationMatrix, code: int, seconds: float) -> Bracket:
    """The bracket of one answer, with all of the time for it; the certificate of what is called exact is checked."""
    alone = CommunicationMatrix(np.where(matrix.codes == code, 1, 0).astype(np.int8), (0, 1))
    found = next(one for one in brackets_of(alone, "fooling", seconds=2 * seconds) if one.parameters["code"] == 1)
    if found.exact:
        found.certificate.verify()
    return found


def rival(matrix: CommunicationMatrix, code: int, seconds: float) -> tuple[float, str]:
    """Seconds, and what it found."""
    graph = nx.Graph()
    cells, masks = exclusion_graph(matrix, code)
    graph.add_nodes_from(range(len(cells)))
    graph.add_edges_from((a, b) for a, mask in enumerate(masks) for b in range(a) if mask >> b & 1)
    start = time.perf_counter()
    found = list(Clock.within(seconds).run(lambda tell: tell(nx.max_weight_clique(graph, weight=None)[1])))
    return time.perf_counter() - start, str(found[0]) if found else "?"


def clique(matrix: CommunicationMatrix, code: int, seconds: float, compiled: bool) -> float | None:
    """Processor seconds of the search for a largest clique; None if it did not end, or is not compiled."""
    if compiled and cliques.library() is None:
        return None
    graph = exclusion_graph(matrix, code)[1]
    kind = cliques._LibrarySearch if compiled else cliques._CliqueSearch
    start = time.process_time()
    with suppress(OutOfTimeError):
        kind(graph, [], Clock.within(seconds), len(graph)).run()
        return round(time.process_time() - start, 3)
    return None


def compared(case: str, matrix: CommunicationMatrix, code: int, seconds: float) -> dict[str, Any]:
    """One line."""
    bracket = ours(matrix, code, seconds)
    theirs, result = rival(matrix, code, seconds)
    sign = {(True, False): "> ", (False, True): "< "}.get((bracket.exact, result != "?"), "")
    return {
        "case": case,
        "result": f"[{bracket.lower}, {bracket.upper}]",
        "seconds": round(bracket.seconds, 2),
        "method": bracket.method,
        "rival result": result,
        "rival seconds": round(theirs, 2),
        "clique in C": clique(matrix, code, seconds, True),
        "in Python": clique(matrix, code, seconds, False),
        "ratio": f"{sign}{theirs / max(bracket.seconds, 1e-3):.1f}",
    }


def cases(long: bool) -> Iterator[tuple[str, CommunicationMatrix, int]]:
    """What is compared."""
    for n in (3, 4, 5):
        for code in (0, 1):
            yield f"inner product n={n}, cells of {code}", inner_product(n).matrix, code
    for size in (16, 20, 24, *((28, 32) if long else ())):
        for percent in (25, *((30, 40) if long else ()), 50, 75):
            yield f"random {size} x {size}, {percent}% ones", random_matrix(size, percent), 1


if __name__ == "__main__":
    print_cases(__doc__, cases, compared)
