"""Covers and partitions of graphs by bicliques: against brute force, theorems on complete graphs, and wrong proofs."""

import itertools
import json

import networkx
import numpy as np
import pytest

from ccsim import InputError
from ccsim.bounds import biclique_cover, biclique_partition, cover_number
from ccsim.bounds.bicliques import Clauses, check_bicliques, graph_of, refutes, signs_of_eigenvalues
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.solvers import Lemma
from ccsim.cli.app import run_app
from tests.cases import cases


def fewest(graph, once):
    """By the least number of bicliques for each set of edges."""
    edges = {frozenset(edge): 1 << place for place, edge in enumerate(graph.edges)}
    bicliques = set()
    for sides in itertools.product((0, 1, 2), repeat=len(graph)):
        one, other = ([v for v, side in zip(graph, sides, strict=True) if side == wanted] for wanted in (1, 2))
        pairs = [frozenset(pair) for pair in itertools.product(one, other)]
        if pairs and all(pair in edges for pair in pairs):
            bicliques.add(sum(edges[pair] for pair in pairs))
    level, seen, count = {0}, {0}, 0
    while (1 << len(edges)) - 1 not in level:
        level = {done | one for done in level for one in bicliques if not (once and done & one)} - seen
        seen |= level
        count += 1
    return count


def test_small_graphs_by_brute_force():
    for seed in range(25):
        graph = networkx.gnp_random_graph(4 + seed % 2, 0.7, seed=seed)
        for function, once in ((biclique_cover, False), (biclique_partition, True)):
            found = function(graph)
            assert found.exact
            assert found.lower == fewest(graph, once)


def test_complete_graphs():
    for n in (*range(2, 12), 40):
        graph = networkx.complete_graph(n)
        assert biclique_cover(graph).lower == biclique_cover(graph).upper == (n - 1).bit_length()
        assert biclique_partition(graph).lower == biclique_partition(graph).upper == n - 1


def test_a_bipartite_graph_is_its_matrix():
    matrix = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    graph = networkx.Graph([(f"row {row}", f"column {column}") for row, column in np.argwhere(matrix).tolist()])
    assert biclique_cover(graph).lower == cover_number(matrix, 1).lower == 3


def test_isolated_vertices_need_none():
    assert biclique_cover(networkx.empty_graph(3)).upper == 0


def test_eigenvalues_are_counted_exactly():
    rng = np.random.default_rng(1)
    for size in range(1, 9):
        table = rng.integers(-2, 3, (size, size))
        table = table + table.T
        values = np.linalg.eigvalsh(table.astype(float))
        assert signs_of_eigenvalues(table) == ((values > 1e-9).sum(), (values < -1e-9).sum())


def test_what_runs_out_of_time_is_a_bracket():
    graph = networkx.gnp_random_graph(24, 0.5, seed=2)
    found = biclique_cover(graph, seconds=0.01)
    assert 0 < found.lower <= found.upper <= 23


@cases(
    "bicliques",
    [
        [(frozenset([0]), frozenset([1]))],
        [(frozenset([0, 1]), frozenset([2]))],
        [(frozenset([0]), frozenset([1, 2]))],
        [(frozenset([1]), frozenset([0, 2])), (frozenset([0]), frozenset([1]))],
    ],
)
def test_wrong_lists_of_bicliques_are_refused(bicliques):
    with pytest.raises(InputError):
        check_bicliques([(0, 1), (1, 2)], bicliques, once=True)


def test_wrong_refutations_are_refused():
    clauses = [[1, 2], [-1], [-2]]
    assert refutes(clauses, [Lemma([2], [-2, -1]), Lemma([], [0, -3])])
    assert refutes(clauses, [Lemma([], [-2, -3, -1])])
    undecided = [Lemma([], [-1])]  # the clause has two literals left
    for wrong in ([], undecided, [Lemma([2], [-2, -1])], [Lemma([], [-2, -1])], [Lemma([1], [-1]), Lemma([], [0, -2])]):
        assert not refutes(clauses, wrong)


def test_a_budget_that_is_enough_is_not_refuted():
    graph = networkx.complete_graph(4)
    edges = sorted(graph.edges)
    assert len(Clauses(graph, edges, 2, False, []).solve(1000, Clock())) == 2
    assert Clauses(graph, edges, 1, False, []).solve(1000, Clock()) == []


@cases(
    "given",
    [
        [(0, 1), (1, 2)],
        [[0, 1, 0], [1, 0, 1], [0, 1, 0]],
        np.diag([1, 1], 1) + np.diag([1, 1], -1),
        networkx.path_graph(3),
    ],
)
def test_graphs_are_matrices_edges_or_graphs(given):
    assert networkx.is_isomorphic(graph_of(given), networkx.path_graph(3))


@cases(
    "given",
    [
        [[0, 1], [0, 0]],
        [[1]],
        [[0, 2], [2, 0]],
        [[0, 1]],
        [(0, 0)],
        networkx.DiGraph([(0, 1)]),
        networkx.MultiGraph([(0, 1), (0, 1)]),
        "graph",
        3,
        [],
        [[1], [0, 1]],
        [([1], [2])],
    ],
)
def test_what_is_no_graph_is_refused(given):
    with pytest.raises(InputError):
        graph_of(given)


@cases(
    "given",
    [
        networkx.path_graph(3).edges,
        {(0, 1), (1, 2)},
        [(0, 1), (1, 2)],
        networkx.to_scipy_sparse_array(networkx.path_graph(3)),
    ],
)
def test_edges_and_matrices_in_other_containers_are_graphs(given):
    assert set(graph_of(given).edges) == {(0, 1), (1, 2)}


def test_the_shell_reads_matrices_edges_and_gml(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    graph = networkx.complete_graph(5)
    table = networkx.to_numpy_array(graph, dtype=int)
    np.save("k5.npy", table)
    np.savetxt("k5.txt", table, fmt="%d")
    np.savetxt("k5.csv", table, fmt="%d", delimiter=",")
    (tmp_path / "dense.txt").write_text("\n".join("".join(map(str, row)) for row in table.tolist()))
    (tmp_path / "edges.txt").write_text("# five\n" + "\n".join(f"{u} {v}" for u, v in graph.edges))
    networkx.write_gml(graph, "k5.gml")
    np.savetxt("k5-savetxt.txt", table)
    networkx.write_edgelist(graph, "k5-edges.txt")
    for name in ("k5.npy", "k5.txt", "k5-savetxt.txt", "k5.csv", "dense.txt", "edges.txt", "k5-edges.txt", "k5.gml"):
        assert run_app(["bounds", name, "--graph", "--json"]) == 0
        read = json.loads(capsys.readouterr().out)
        assert [(one["lower"], one["upper"]) for one in read["brackets"]] == [(3, 3), (4, 4)], name
        assert [len(one) for one in read["bicliques"].values()] == [3, 4]
    assert run_app(["bounds", "--graph", "k5.gml"]) == 0
    assert "3" in capsys.readouterr().out.splitlines()[0]
    (tmp_path / "bad.txt").write_text("a b c\n")
    for wrong in (["none.gml"], ["bad.txt"], ["k5.txt", "--measure", "cover"], ["k5.txt", "--seconds", "0"]):
        assert run_app(["bounds", *wrong, "--graph"]) == 2
