"""Covers and partitions of the edges of any graph by bicliques, complete bipartite subgraphs with disjoint sides.

For a bipartite graph these are the covers and partitions of its matrix by rectangles. In any graph an edge may be
covered either way round, so the adjacency matrix alone does not tell. From above: stars, then a SAT solver; each list
of bicliques is checked against the edges. From below: the signs of the eigenvalues (partitions), the largest clique,
edges of which no two fit into a biclique, and refutations by the solver, of which each step is checked here.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from ccsim import lazy
from ccsim.bounds.bracket import Bracket, Finding, Open, Side, Witness, improved, last_of, timed
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.solvers import Lemma, ProvingSolver, read_proof
from ccsim.certificates.verify.claims import bits_for
from ccsim.errors import InputError

networkx = lazy.load("networkx")
flint = lazy.load("flint")

MEASURES = ("biclique-cover", "biclique-partition")
MOST_VERTICES = 400
MOST_CLAUSES = 600_000
CONFLICTS, SLICE = 2_000, 500  # of the first turn at a budget, and between looks at the clock
SMALL = 60  # vertices up to which a largest clique is sought

Edge = tuple[int, int]
Biclique = tuple[frozenset[int], frozenset[int]]


@timed
def biclique_cover(graph: Any, *, seconds: float | None = 60.0) -> Bracket:
    """The fewest bicliques that contain every edge of a graph, with both ends on different sides, at least once.

    Args:
        graph: an undirected networkx graph without loops; its adjacency matrix, an array or rows of 0 and 1; or its
            edges, tuples of two vertices.
        seconds: a limit on the search.

    Returns:
        A bracket in bicliques; ``bracket.upper_witness["bicliques"]`` lists both sides of each.

    A complete graph of n vertices needs ceil(log2(n)) (Fishburn and Hammer 1996).

    >>> import networkx
    >>> print(biclique_cover(networkx.complete_graph(5)))
    biclique-cover = 3 bicliques (clique of 5 | bits of the parts)
    """
    return last_of(_brackets(graph_of(graph), "biclique-cover", Clock.within(seconds)))


@timed
def biclique_partition(graph: Any, *, seconds: float | None = 60.0) -> Bracket:
    """The fewest bicliques that contain every edge of a graph exactly once.

    Arguments and bracket are as for :func:`biclique_cover`.

    It is at least the number of positive eigenvalues of the adjacency matrix, and of negative ones: so n - 1 for a
    complete graph of n vertices (Graham and Pollak 1972; Witsenhausen).

    >>> import networkx
    >>> print(biclique_partition(networkx.complete_graph(5)))
    biclique-partition = 4 bicliques (signs of eigenvalues | stars)
    """
    return last_of(_brackets(graph_of(graph), "biclique-partition", Clock.within(seconds)))


def graph_of(given: Any) -> Any:
    """The networkx graph that people mean by one, by an adjacency matrix or by a list of edges."""
    if isinstance(given, networkx.Graph):
        graph = given
    elif (edges := _edges_in(given)) is not None:
        try:
            graph = networkx.Graph(edges)
        except networkx.NetworkXError:
            raise InputError("graph", given, "edges between vertices that can be hashed, such as texts") from None
    else:
        try:
            table = np.asarray(given.toarray() if hasattr(given, "toarray") else given)
        except ValueError:
            table = np.zeros(0)
        if table.ndim != 2 or table.shape[0] != table.shape[1] or table.dtype.kind not in "biuf":
            raise InputError("graph", given, "a networkx graph, an adjacency matrix, or a list of edges (tuples)")
        if not np.isin(table, (0, 1)).all() or (table != table.T).any():
            raise InputError("graph", given, "an adjacency matrix: 0 and 1, and the same as its transpose")
        graph = networkx.from_numpy_array(table.astype(int))
    if graph.is_directed() or graph.is_multigraph():
        raise InputError("graph", graph, "an undirected graph, of class Graph")
    loop = next(networkx.selfloop_edges(graph), None)
    if loop is not None:
        raise InputError("graph", graph, f"no loops, such as the one at {loop[0]!r}: no biclique has it")
    if not 0 < len(graph) <= MOST_VERTICES:
        raise InputError("graph", graph, f"from 1 to {MOST_VERTICES} vertices, not {graph.number_of_nodes()}")
    return graph


def _edges_in(given: Any) -> list[Edge] | None:
    """The edges in a collection of tuples of two; None if it is none."""
    edges = list(given) if isinstance(given, Collection) and not isinstance(given, np.ndarray | str | dict) else []
    return edges if edges and all(isinstance(edge, tuple) and len(edge) == 2 for edge in edges) else None


def _brackets(graph: Any, measure: str, clock: Clock) -> Iterator[Bracket | None]:
    names: list[Hashable] = list(graph.nodes)
    plain = networkx.convert_node_labels_to_integers(graph)
    edges = sorted((min(edge), max(edge)) for edge in plain.edges)
    stars = _stars(plain)
    check_bicliques(edges, stars, once=True)
    bracket = Bracket(measure, Side(0, "trivial"), Side(len(stars), "stars", _witness(stars, names)), {}, "bicliques")
    best = bracket
    for step in improved(bracket, _findings(plain, edges, measure, names, len(stars), clock)):
        best = step or best
        yield step
    if not best.exact:
        yield replace(best, open=Open.TIME if clock.over else Open.REACH)


def _witness(bicliques: Iterable[Biclique], names: Sequence[Hashable]) -> Witness:
    listed = [[[names[vertex] for vertex in sorted(side)] for side in pair] for pair in bicliques]
    return {"kind": "bicliques", "bicliques": listed}


def check_bicliques(edges: Iterable[Edge], bicliques: Iterable[Biclique], once: bool) -> None:
    """An error unless they are bicliques of these edges, and have each of them (once)."""
    left = {frozenset(edge): 0 for edge in edges}
    for one, other in bicliques:
        for pair in ((a, b) for a in one for b in other):
            if frozenset(pair) not in left:
                raise InputError("bicliques", pair, "edges of the graph alone between both sides")
            left[frozenset(pair)] += 1
    wrong = next((edge for edge, count in left.items() if count < 1 or (once and count > 1)), None)
    if wrong is not None:
        raise InputError("bicliques", sorted(wrong), "each edge in one of them" + ", and no edge in two" * once)


def _stars(graph: Any) -> list[Biclique]:
    """Stars whose centres meet every edge: always of a vertex with the most edges that are left."""
    left, stars = graph.copy(), []
    while left.number_of_edges():
        centre = max(left.nodes, key=left.degree)
        stars.append((frozenset([centre]), frozenset(left[centre])))
        left.remove_node(centre)
    return stars


def _bits_of_parts(graph: Any) -> list[Biclique]:
    """Of a complete multipartite graph: for each bit of the numbers of its parts, those with 0 and those with 1."""
    parts: dict[frozenset[int], list[int]] = {}
    for vertex in graph:
        parts.setdefault(frozenset(graph[vertex]), []).append(vertex)
    parts.pop(frozenset(), None)
    listed = list(parts.values())
    joined = sum(map(len, listed))
    if any(len(own) + len(across) != joined for across, own in parts.items()):
        return []
    halves = (
        [frozenset(v for place, own in enumerate(listed) if place >> bit & 1 == side for v in own) for side in (0, 1)]
        for bit in range(bits_for(len(listed)))
    )
    return [(one, other) for one, other in halves]


def _findings(
    graph: Any, edges: list[Edge], measure: str, names: Sequence[Hashable], upper: int, clock: Clock
) -> Iterator[Finding | None]:
    if not edges:
        return
    once, lower = measure == "biclique-partition", 0
    coded = [] if once else _bits_of_parts(graph)
    if coded:
        check_bicliques(edges, coded, once)
        upper = min(upper, len(coded))
        yield "upper", len(coded), "bits of the parts", _witness(coded, names)
    apart = _apart(graph, edges)
    bounds = [(len(apart), "edges of which no two fit into a biclique")]
    if len(graph) <= SMALL:
        clique, size = networkx.max_weight_clique(graph, weight=None)
        bounds.append((bits_for(len(clique)), f"clique of {size}"))
    if once:
        bounds.append((max(signs_of_eigenvalues(networkx.to_numpy_array(graph, dtype=int))), "signs of eigenvalues"))
    for value, by in bounds:
        yield "lower", value, by, None
        lower = max(lower, value)
    turn, halving = 0, True
    while lower < upper and not clock.over:
        budget = (lower + upper) // 2 if halving else (upper - 1 if turn % 2 else lower)
        clauses = Clauses(graph, edges, budget, once, apart)
        if clauses.count > MOST_CLAUSES:
            return
        found = clauses.solve(CONFLICTS << turn, clock)
        if found:
            check_bicliques(edges, found, once)
            upper = len(found)
            yield "upper", upper, "bicliques", _witness(found, names)
        elif found is not None:
            lower = budget + 1
            yield "lower", lower, "refutation by SAT", None
        else:
            halving, turn = False, turn + 1


def signs_of_eigenvalues(table: Any) -> tuple[int, int]:
    """How many eigenvalues of a symmetric matrix of integers are positive, and how many negative, exactly.

    All are real, so that Descartes' rule of signs counts them in the characteristic polynomial.

    >>> signs_of_eigenvalues([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    (1, 2)
    """
    whole = flint.fmpz_mat([[int(entry) for entry in row] for row in table]).charpoly()
    coefficients = [int(one) for one in whole.coeffs()]
    turned = [-one if place % 2 else one for place, one in enumerate(coefficients)]
    return _changes(coefficients), _changes(turned)


def _changes(coefficients: list[int]) -> int:
    return sum((one > 0) != (other > 0) for one, other in pairwise(filter(None, coefficients)))


def _apart(graph: Any, edges: list[Edge]) -> list[Edge]:
    """Edges of which no two are in one biclique, taken greedily, first where few others fit."""

    def fit(one: Edge, other: Edge) -> bool:
        return any(
            one[0] != v and one[1] != u and graph.has_edge(one[0], v) and graph.has_edge(u, one[1])
            for u, v in (other, other[::-1])
        )

    order = sorted(edges, key=lambda edge: graph.degree(edge[0]) * graph.degree(edge[1]))
    apart: list[Edge] = []
    for edge in order:
        if not any(fit(edge, other) for other in apart):
            apart.append(edge)
    return apart


class Clauses:
    """That so many bicliques have all edges (once): a vertex may be on either side of each, an edge in it either way.

    The edges ``apart`` are in different bicliques, so the first is in the first one, its lesser vertex on the first
    side, and so on. Vertices that are not joined are not on different sides.
    """

    def __init__(self, graph: Any, edges: list[Edge], size: int, once: bool, apart: list[Edge]) -> None:
        self.vertices, self.edges, self.size, self.once = len(graph), edges, size, once
        self.graph, self.apart = graph, apart
        pairs = self.vertices**2 // 2
        self.count = size * (2 * pairs + (6 if once else 4) * len(edges)) + (2 * size) ** 2 // 2 * len(edges) * once

    def on(self, side: int, vertex: int, number: int) -> int:
        return 1 + (number * 2 + side) * self.vertices + vertex

    def has(self, turned: int, edge: int, number: int) -> int:
        first = 2 * self.size * self.vertices
        return 1 + first + (number * 2 + turned) * len(self.edges) + edge

    def clauses(self) -> Iterator[list[int]]:
        numbers = range(self.size)
        for place in range(len(self.edges)):
            ways = [self.has(turned, place, number) for number in numbers for turned in (0, 1)]
            yield ways
            if self.once:
                yield from ([-one, -other] for one, other in combinations(ways, 2))
        for number in numbers:
            for place, (u, v) in enumerate(self.edges):
                for turned, (a, b) in enumerate(((u, v), (v, u))):
                    ends = [self.on(0, a, number), self.on(1, b, number)]
                    yield from ([-self.has(turned, place, number), end] for end in ends)
                    if self.once:
                        yield [*(-end for end in ends), self.has(turned, place, number)]
            for u in range(self.vertices):
                yield [-self.on(0, u, number), -self.on(1, u, number)]
                for v in range(u + 1, self.vertices):
                    if not self.graph.has_edge(u, v):
                        yield [-self.on(0, u, number), -self.on(1, v, number)]
                        yield [-self.on(0, v, number), -self.on(1, u, number)]
        places = {edge: place for place, edge in enumerate(self.edges)}
        for number, edge in zip(numbers, self.apart, strict=False):
            yield [self.has(0, places[edge], number)]

    def solve(self, conflicts: int, clock: Clock) -> list[Biclique] | None:
        """Bicliques; none where a checked refutation shows that there are none; None if out of conflicts or time."""
        clauses = list(self.clauses())
        solver, satisfiable = ProvingSolver(clauses, True), None
        for done in range(0, conflicts, SLICE):
            satisfiable = solver.solve_within(min(SLICE, conflicts - done))
            if satisfiable is not None or clock.over:
                break
        if satisfiable:
            true = {name for name in solver.get_model() if name > 0}
            return list(self._bicliques(true))
        if satisfiable is None:
            return None
        lemmas = read_proof(solver.proof(), len(clauses), len(clauses)).lemmas()
        return [] if refutes(clauses, lemmas) else None

    def _bicliques(self, true: set[int]) -> Iterator[Biclique]:
        for number in range(self.size):
            one, other = (
                frozenset(vertex for vertex in range(self.vertices) if self.on(side, vertex, number) in true)
                for side in (0, 1)
            )
            if one and other:
                yield one, other


def refutes(clauses: Sequence[Sequence[int]], lemmas: Iterable[Lemma]) -> bool:
    """Whether each lemma follows from the clauses that its hints name, by unit propagation, and the last is empty."""
    proved: list[Sequence[int]] = []
    for lemma, hints in lemmas:
        true = {-literal for literal in lemma}
        for hint in hints:
            clause = clauses[-hint - 1] if hint < 0 else proved[hint]
            left = [literal for literal in clause if -literal not in true]
            if len(left) > 1:
                return False
            if not left:
                break
            true.add(left[0])
        else:
            return False
        proved.append(lemma)
    return bool(proved) and not proved[-1]
