"""Maximum clique by branch and bound on bit masks, with colouring bounds (Tomita and Kameda 2007)."""

from __future__ import annotations

import time

from ccsim.bounds.symmetries import moved


class OutOfTimeError(Exception):
    """The deadline passed; the arguments are the best clique and a proved upper bound."""


def maximum_clique(
    graph: list[int], start: list[int], deadline: float | None = None, upper: int | None = None
) -> tuple[list[int], int]:
    """A maximum clique and its size.

    Args:
        graph: per vertex, the mask of its neighbours.
        start: a clique to improve on.
        deadline: ``time.monotonic()`` after which :class:`OutOfTimeError` is raised.
        upper: a size known not to be exceeded: reaching it ends the search.

    >>> maximum_clique([0b0110, 0b0101, 0b1011, 0b0100], [])
    ([0, 1, 2], 3)
    """
    return _Search(graph, start, deadline, len(graph) if upper is None else upper).run()


class _Search:
    def __init__(self, graph: list[int], start: list[int], deadline: float | None, upper: int) -> None:
        self.order = degenerate_order(graph)
        place = {vertex: position for position, vertex in enumerate(self.order)}
        self.graph = [moved(graph[vertex], place) for vertex in self.order]
        self.strangers = [~neighbours & ~(1 << vertex) for vertex, neighbours in enumerate(self.graph)]
        self.best = sum(1 << place[vertex] for vertex in start)
        self.size = len(start)
        self.deadline, self.upper = deadline, upper
        self.stopped = False

    def run(self) -> tuple[list[int], int]:
        remaining = (1 << len(self.graph)) - 1
        proved = self.upper
        vertices = self._bounded(remaining, 0)
        for vertex, bound in reversed(vertices):
            if bound <= self.size or self.size >= self.upper:
                break
            proved = min(proved, bound)
            self._expand(1 << vertex, 1, self.graph[vertex] & remaining)
            if self.stopped:
                raise OutOfTimeError(self._clique(), max(proved, self.size))
            remaining &= ~(1 << vertex)
        return self._clique(), self.size

    def _clique(self) -> list[int]:
        return sorted(self.order[place] for place in range(len(self.order)) if self.best >> place & 1)

    def _expand(self, clique: int, size: int, candidates: int) -> None:
        if not candidates:
            if size > self.size:
                self.best, self.size = clique, size
            return
        if self.deadline is not None and time.monotonic() > self.deadline:
            self.stopped = True
            return
        for vertex, bound in reversed(self._bounded(candidates, self.size - size)):
            if size + bound <= self.size or self.stopped:
                return
            self._expand(clique | 1 << vertex, size + 1, self.graph[vertex] & candidates)
            candidates &= ~(1 << vertex)

    def _bounded(self, candidates: int, enough: int) -> list[tuple[int, int]]:
        """The candidates that a greedy colouring with ``enough`` colours leaves over, each with its colour.

        Before a vertex gets a new colour, an attempt is made to move its only neighbour in one class to
        another class.
        """
        left, colour = [], 0
        classes: list[int] = []
        while candidates:
            colour += 1
            free, own = candidates, 0
            while free:
                low = free & -free
                own |= low
                free &= self.strangers[low.bit_length() - 1]
            candidates &= ~own
            if colour > enough:
                own = self._recoloured(own, classes, enough) if colour > 2 and enough > 1 else own
                if not own:
                    colour -= 1
                    continue
                rest = own
                while rest:
                    low = rest & -rest
                    left.append((low.bit_length() - 1, colour))
                    rest ^= low
            classes.append(own)
        return left

    def _recoloured(self, own: int, classes: list[int], enough: int) -> int:
        """Those of a new colour class that could not be moved into the first ``enough`` classes."""
        rest = own
        while rest:
            low = rest & -rest
            rest ^= low
            if self._moved(low, classes, enough):
                own ^= low
        return own

    def _moved(self, low: int, classes: list[int], enough: int) -> bool:
        neighbours = self.graph[low.bit_length() - 1]
        for place in range(enough):
            clash = classes[place] & neighbours
            if clash & (clash - 1):
                continue
            if not clash:
                classes[place] |= low
                return True
            around = self.graph[clash.bit_length() - 1]
            for other in range(enough):
                if other != place and not classes[other] & around:
                    classes[place] ^= clash | low
                    classes[other] |= clash
                    return True
        return False


def degenerate_order(graph: list[int]) -> list[int]:
    """Vertices with the least degree among those not yet placed come last."""
    remaining = (1 << len(graph)) - 1
    degree = [neighbours.bit_count() for neighbours in graph]
    order: list[int] = []
    left = set(range(len(graph)))
    while left:
        vertex = min(left, key=lambda v: (degree[v], v))
        left.remove(vertex)
        remaining &= ~(1 << vertex)
        order.append(vertex)
        around = graph[vertex] & remaining
        while around:
            low = around & -around
            degree[low.bit_length() - 1] -= 1
            around ^= low
    return order[::-1]
