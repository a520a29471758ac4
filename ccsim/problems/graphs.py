"""Clique against independent set on a fixed graph."""

from __future__ import annotations

import itertools
from collections.abc import Hashable
from typing import Any

import lazy_loader as lazy
import numpy as np

from ccsim.errors import InputError
from ccsim.problems.function import TwoPartyFunction
from ccsim.problems.inputs import NUMBER_BITS
from ccsim.problems.listed import ListedSets

networkx = lazy.load("networkx")

MOST_SETS = 1 << 14
"""The largest number of cliques, or of independent sets, that is listed."""


class VertexSets(ListedSets):
    """Some sets of vertices of a graph: values are frozen sets, array rows are masks.

    >>> VertexSets("abc", [frozenset("ca")]).show(frozenset("ac"))
    '{a,c}'
    """

    def describe(self) -> str:
        """In words."""
        return f"one of {self.size} sets of the vertices {', '.join(map(str, self.elements))}"


def clique_independent_set(graph: Any) -> TwoPartyFunction:
    """CIS_G: whether Alice's clique and Bob's independent set of an undirected graph share a vertex.

    They share at most one, so the answer, 0 or 1, is the size of the intersection. The empty set counts as
    a clique and as an independent set. O(log^2 n) bits are enough for n vertices (Yannakakis 1991), and
    there are graphs that need nearly as many (Göös, Pitassi and Watson 2015). Cliques and independent sets
    are listed: the graph has 1 to 62 vertices, no loops, and at most 2^14 of either.

    >>> import networkx
    >>> path = clique_independent_set(networkx.path_graph(3))
    >>> path.shape, path({0, 1}, {0, 2}), path({0, 1}, set())
    ((6, 5), 1, 0)
    """
    if not isinstance(graph, networkx.Graph) or graph.is_directed():
        raise InputError("graph", graph, "an undirected networkx graph")
    vertices = list(graph.nodes)
    if not 1 <= len(vertices) <= NUMBER_BITS:
        raise InputError("graph", graph, f"from 1 to {NUMBER_BITS} vertices, not {len(vertices)}")
    loop = next(networkx.selfloop_edges(graph), None)
    if loop is not None:
        raise InputError("graph", graph, f"no loops, such as the one at {loop[0]!r}")
    simple = networkx.Graph(graph)
    alice = VertexSets(vertices, _cliques(simple, "cliques"))
    bob = VertexSets(vertices, _cliques(networkx.complement(simple), "independent sets"))
    name = f"clique_independent_set({len(vertices)} vertices, {simple.number_of_edges()} edges)"
    note = "how many vertices a clique and an independent set share"
    return TwoPartyFunction(name, (alice, bob), (0, 1), lambda x, y: ((x & y) != 0).astype(np.int8), note=note)


def _cliques(graph: Any, what: str) -> list[frozenset[Hashable]]:
    """The empty set and all cliques, by size."""
    some = itertools.islice(networkx.enumerate_all_cliques(graph), MOST_SETS)
    found = [frozenset[Hashable](), *map(frozenset, some)]
    if len(found) > MOST_SETS:
        raise InputError("graph", graph, f"at most {MOST_SETS} {what}, with the empty one")
    return found
