"""Clique against independent set: each vertex that is named halves the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.engine import AnswerEach, ArrayParty, Cost, Protocol, Receive, Said, SendEach, array_party
from ccsim.problems import clique_independent_set
from ccsim.problems.arrays import popcount
from protocols.classical.widths import width_of

__all__ = ["yannakakis"]


def yannakakis(graph: Any) -> Protocol:
    """Whether Alice's clique and Bob's independent set of a graph share a vertex, in O(log^2 n) bits.

    V starts as all n vertices, and every shared vertex stays in V. In each phase Alice names a vertex of her
    clique in V that has fewer than |V|/2 neighbours in V, if there is one; Bob replies whether it is in his
    set, and if not V shrinks to its neighbours, since the clique has nothing else. Otherwise she says that
    she has none, and Bob names a vertex of his set in V that has at least |V|/2 neighbours in V; Alice
    replies, and V shrinks to the vertices that are not its neighbours. If neither has one they share nothing.
    Both know the answer. Deterministic (Yannakakis 1991).

    Cost: a phase takes at most 2 L(n+1) + 1 bits and leaves at most (|V| - 1) / 2 vertices, so there are at
    most floor(log2(n+1)) = L(n+2) - 1 phases; the cost is at most (L(n+2) - 1) (2 L(n+1) + 1) bits. An
    upper bound.

    >>> import networkx
    >>> protocol = yannakakis(networkx.cycle_graph(6))
    >>> found = protocol.explore()
    >>> found.correct, found.worst_bits, protocol.cost.bits
    (True, 10, 14)
    """
    function = clique_independent_set(graph)
    vertices = list(graph.nodes)
    place = {vertex: number for number, vertex in enumerate(vertices)}
    neighbours = tuple(sum(1 << place[other] for other in graph.adj[vertex]) for vertex in vertices)
    n, width = len(vertices), width_of(len(vertices) + 1)

    def party(role: str) -> ArrayParty:
        @array_party
        def speak(sets: Any, heard: Any) -> Any:
            now = _replay(neighbours, heard)
            if now.answer is not None:
                return AnswerEach(now.answer)
            if now.speaker != role:
                return Receive(width=width if now.named is None else 1)
            if now.named is not None:
                return SendEach((sets >> now.named) & 1, 1, f"vertex {vertices[now.named]} is in it too")
            kind = "few" if role == "alice" else "many"
            return SendEach(_lowest(sets & now.candidates(neighbours), n), width, f"a vertex with {kind} neighbours")

        return speak

    return Protocol(
        f"yannakakis({n} vertices, {graph.number_of_edges()} edges)",
        function,
        {"alice": party("alice"), "bob": party("bob")},
        cost=Cost("(L(n + 2) - 1) * (2 * L(n + 1) + 1)", {"n": n}, exact=False),
        source="Yannakakis 1991",
    )


@dataclass(frozen=True)
class Phase:
    """What everybody knows: the vertices left (a mask), who speaks next, the vertex named to it, the answer."""

    left: int
    speaker: str = "alice"
    named: int | None = None
    answer: int | None = None

    def candidates(self, neighbours: Sequence[int]) -> int:
        """The vertices left that the speaker may name: with few neighbours left for Alice, with many for Bob."""
        size = self.left.bit_count()
        return sum(
            1 << vertex
            for vertex, near in enumerate(neighbours)
            if self.left >> vertex & 1 and (2 * (near & self.left).bit_count() < size) == (self.speaker == "alice")
        )


def _replay(neighbours: Sequence[int], heard: Sequence[Said]) -> Phase:
    now = Phase((1 << len(neighbours)) - 1)
    for message in heard:
        now = _after(now, message.bits.to_unsigned(), neighbours)
    return now


def _after(now: Phase, value: int, neighbours: Sequence[int]) -> Phase:
    """The state after the next message."""
    other = "bob" if now.speaker == "alice" else "alice"
    if now.named is None:
        if value < len(neighbours):
            return Phase(now.left, other, named=value)
        return Phase(now.left, other, answer=None if now.speaker == "alice" else 0)
    if value:
        return Phase(now.left, answer=1)
    near = neighbours[now.named]
    left = now.left & (near if other == "alice" else ~(near | 1 << now.named))
    return Phase(left, answer=None if left else 0)


def _lowest(masks: Array, nothing: int) -> Array:
    """The lowest element of each set, or ``nothing`` for an empty one."""
    return np.where(masks == 0, nothing, popcount((masks & -masks) - (masks != 0)))
