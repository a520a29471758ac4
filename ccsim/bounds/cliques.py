"""Largest cliques by branch and bound, in C where the package was built with a compiler, else in Python.

Vertices are coloured greedily, so that neighbours have different colours: a clique has at most as many as there are
colours (Tomita and Kameda 2007). Both versions visit the same cliques in the same order.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from ccsim.bounds.bit_matrix import members
from ccsim.bounds.field_ranks import pack_rows
from ccsim.bounds.scheduler import Clock, OutOfTimeError

LIBRARY = Path(__file__).with_name("cliques.compiled")
STEPS = 1000  # of the library between two looks at the clock


def maximum_clique(graph: list[int], start: list[int], clock: Clock, upper: int | None = None) -> tuple[list[int], int]:
    """A maximum clique, better than ``start``, and its size, at most ``upper``; graphs are masks of neighbours.

    The arguments of an :class:`OutOfTimeError` are the best clique and a proved upper bound.
    """
    kind = _CliqueSearch if library() is None else _LibrarySearch
    return kind(graph, start, clock, len(graph) if upper is None else upper).run()


@cache
def library() -> ctypes.CDLL | None:
    """What was compiled from ``cliques.c``, if it was."""
    try:
        return ctypes.CDLL(str(LIBRARY))
    except OSError:
        return None


class _CliqueSearch:
    def __init__(self, graph: list[int], start: list[int], clock: Clock, upper: int) -> None:
        self.order = degenerate_order(graph)
        places = {vertex: place for place, vertex in enumerate(self.order)}
        self.graph = renumbered(graph, self.order)
        self.best = [places[vertex] for vertex in start]
        self.clock, self.upper, self.proved = clock, upper, upper

    def run(self) -> tuple[list[int], int]:
        try:
            self._search((1 << len(self.graph)) - 1)
        except OutOfTimeError:
            raise OutOfTimeError(self._clique(), max(self.proved, len(self.best))) from None
        return self._clique(), len(self.best)

    def _clique(self) -> list[int]:
        return sorted(self.order[place] for place in self.best)

    def _search(self, candidates: int) -> None:
        self.strangers = [~neighbours & ~(1 << vertex) for vertex, neighbours in enumerate(self.graph)]
        self._expand([], candidates)

    def _expand(self, clique: list[int], candidates: int) -> None:
        if len(clique) > len(self.best):
            self.best = clique
        if clique:
            self.clock.step()
        for vertex, colours in reversed(self._coloured(candidates, len(self.best) - len(clique) if clique else 0)):
            if len(clique) + colours <= len(self.best) or len(self.best) >= self.upper:
                return
            if not clique:
                self.proved = min(self.proved, colours)
            self._expand([*clique, vertex], self.graph[vertex] & candidates)
            candidates ^= 1 << vertex

    def _coloured(self, candidates: int, enough: int) -> list[tuple[int, int]]:
        """Vertices with more colours than are enough, and their colours."""
        listed, colour = [], 0
        while candidates:
            colour += 1
            fitting, own = candidates, 0
            while fitting:
                low = fitting & -fitting
                own |= low
                fitting &= self.strangers[low.bit_length() - 1]
            candidates ^= own
            if colour > enough:
                listed += [(vertex, colour) for vertex in members(own)]
        return listed


NUMBERS = ("vertices", "words", "depth", "size", "upper", "proved")
ARRAYS = ("graph", "candidates", "scratch", "branches", "colours", "left", "best")


class _State(ctypes.Structure):
    """The search of ``cliques.c``."""

    _fields_ = [(name, ctypes.c_int32) for name in NUMBERS] + [(name, ctypes.c_void_p) for name in ARRAYS]


class _LibrarySearch(_CliqueSearch):
    def _search(self, candidates: int) -> None:
        compiled, count = library(), len(self.graph)
        assert compiled is not None
        words = count // 64 + 1
        data = b"".join(mask.to_bytes(8 * words, "little") for mask in [*self.graph, candidates])
        graph, sets = np.frombuffer(data, "<u8").astype(np.uint64), np.empty((count + 3, words), np.uint64)
        sets[0] = graph[count * words :]
        branches, colours = np.empty((2, count + 1, count), np.int32)
        left, best = np.empty((2, count + 1), np.int32)
        arrays = (graph, sets, sets[count + 1 :], branches, colours, left, best)
        memory = [array.ctypes.data for array in arrays]
        state = _State(count, words, -1, len(self.best), self.upper, self.upper, *memory)
        while (more := compiled.clique_search(ctypes.byref(state), STEPS)) and not self.clock.over:
            pass
        if state.size > len(self.best):
            self.best = best[: state.size].tolist()
        self.proved = state.proved
        if more:
            raise OutOfTimeError


def degenerate_order(graph: list[int]) -> list[int]:
    """The vertices; the last one has the least degree, and each one the least among those up to it."""
    degree = np.array([neighbours.bit_count() for neighbours in graph])
    order: list[int] = []
    for _ in graph:
        vertex = int(degree.argmin())
        order.append(vertex)
        degree[members(graph[vertex])] -= 1
        degree[vertex] = 1 << 60  # it is gone
    return order[::-1]


def renumbered(graph: list[int], order: Sequence[int]) -> list[int]:
    """The graph in which the vertices have their places in the order."""
    size = len(graph) // 8 + 1
    rows = np.frombuffer(b"".join(graph[vertex].to_bytes(size, "little") for vertex in order), dtype=np.uint8)
    return pack_rows(np.unpackbits(rows.reshape(-1, size), axis=1, bitorder="little")[:, order])
