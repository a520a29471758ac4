"""Two-party families, by oracles in plain Python at every input of a small size; and every family by its name."""

import re
from itertools import combinations, product

import numpy as np
import pytest

from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems import (
    PROBLEMS,
    MultipartyFunction,
    SequenceTask,
    clique_independent_set,
    disjointness,
    equality,
    find_problem,
    function_composition,
    gap_hamming,
    greater_than,
    hamming_distance,
    index,
    inner_product,
    intersection,
    majority,
    median,
    parity,
    pointer_chasing,
    set_intersection_size,
    sparse_disjointness,
    textbook,
)
from ccsim.problems.inputs import popcount, select
from tests.cases import cases


def bits(value):
    return [int(bit) for bit in value]


def median_oracle(x, y):
    elements = sorted([*x, *y])
    return elements[(len(elements) + 1) // 2 - 1]


def chase(f, g, k):
    vertex = 0
    for step in range(k):
        vertex = (f, g)[step % 2][vertex]
    return vertex


def gap_oracle(x, y, n, gap):
    distance = sum(a != b for a, b in zip(x, y, strict=True))
    if distance * 2 >= n + 2 * gap:
        return 1
    return 0 if distance * 2 <= n - 2 * gap else None


ORACLES = [
    *((equality(n), lambda x, y: int(list(x) == list(y))) for n in (1, 3)),
    *((disjointness(n), lambda x, y: int(not any(a and b for a, b in zip(x, y, strict=True)))) for n in (1, 4)),
    *((intersection(n), lambda x, y: max(a * b for a, b in zip(x, y, strict=True))) for n in (1, 4)),
    *((greater_than(n), lambda x, y: int(bits(x) > bits(y))) for n in (1, 4)),
    *((inner_product(n), lambda x, y: sum(a * b for a, b in zip(x, y, strict=True)) % 2) for n in (1, 4)),
    *((set_intersection_size(n), lambda x, y: sum(a * b for a, b in zip(x, y, strict=True))) for n in (1, 4)),
    *((hamming_distance(n), lambda x, y: sum(a != b for a, b in zip(x, y, strict=True))) for n in (1, 4)),
    *((index(n), lambda a, i: a[i - 1]) for n in (1, 2, 3, 5)),
    *((parity(n), lambda x, y: (sum(x) + sum(y)) % 2) for n in (1, 3)),
    *((majority(n), lambda x, y: int(2 * (sum(x) + sum(y)) > len(x) + len(y))) for n in (1, 3, 4)),
    *((median(n), median_oracle) for n in (1, 2, 5)),
    *((sparse_disjointness(n, k), lambda x, y: int(not x & y)) for n, k in ((1, 1), (5, 2), (4, 4))),
    *((pointer_chasing(3, k), lambda f, g, k=k: chase(f, g, k)) for k in (1, 2, 3, 4)),
    *((function_composition(n), lambda f, pair: pair[0][f[pair[1]]]) for n in (1, 2, 3)),
    *(
        (gap_hamming(n, gap), lambda x, y, n=n, gap=gap: gap_oracle(x, y, n, gap))
        for n, gap in ((2, 1), (4, 1), (4, 2), (5, 2))
    ),
]


@cases(("function", "oracle"), ORACLES)
def test_table_agrees_with_plain_python(function, oracle):
    codes = function.codes
    for i, x in enumerate(function.alice):
        for j, y in enumerate(function.bob):
            code = codes[i, j]
            answer = None if code == DONT_CARE else function.answers[code]
            assert answer == oracle(x, y), (x, y)
            assert (i + 2 * j) % 5 or function(x, y) == answer


def test_default_gap_is_the_root_rounded_up_unless_nothing_would_be_promised():
    for n, gap in ((2, 1), (3, 1), (4, 2), (5, 2), (9, 3), (10, 4)):
        assert gap_hamming(n).name == f"gap_hamming({n}, {gap})"


LONG = [
    (equality(200), "0" * 200, "1" * 200, 0),
    (equality(200), "01" * 100, "01" * 100, 1),
    (disjointness(100), "01" * 50, "10" * 50, 1),
    (intersection(100), "01" * 50, "0" * 99 + "1", 1),
    (greater_than(100), "1" + "0" * 99, "0" + "1" * 99, 1),
    (inner_product(101), "1" * 101, "1" * 101, 1),
    (set_intersection_size(300), "1" * 300, "10" * 150, 150),
    (hamming_distance(300), "1" * 300, "10" * 150, 150),
    (gap_hamming(100), "0" * 100, "1" * 100, 1),
    (gap_hamming(100), "0" * 100, "01" * 50, None),
    (parity(99), "1" * 99, "0" * 99, 1),
    (majority(80), "1" * 80, "0" * 79 + "1", 1),
    (index(70), "0" * 69 + "1", 70, 1),
    (index(62), "1" + "0" * 61, 1, 1),
    (equality(62), "1" * 62, "1" * 62, 1),
    (greater_than(63), "1" * 63, "1" * 62 + "0", 1),
]


@cases(("function", "x", "y", "answer"), LONG)
def test_single_inputs_beyond_machine_words_are_exact(function, x, y, answer):
    assert function(x, y) == answer


def test_popcount_and_select_broadcast():
    numbers = np.array([[0, 7], [1 << 61, 5]])
    assert popcount(numbers).tolist() == popcount(numbers.astype(object)).tolist() == [[0, 3], [1, 2]]
    rows = np.arange(6).reshape(2, 1, 3)
    assert select(rows, np.array([[0, 2]])).tolist() == [[0, 2], [3, 5]]


def path_and_triangle():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")])
    graph.add_node("e")
    return graph


def test_clique_against_independent_set_counts_the_common_vertices():
    graph = path_and_triangle()
    function = clique_independent_set(graph)
    subsets = [frozenset(s) for size in range(6) for s in combinations(graph.nodes, size)]
    cliques = {s for s in subsets if all(graph.has_edge(*pair) for pair in combinations(s, 2))}
    independent = {s for s in subsets if not any(graph.has_edge(*pair) for pair in combinations(s, 2))}
    assert set(function.alice) == cliques
    assert set(function.bob) == independent
    for clique, other in product(cliques, independent):
        assert function(clique, other) == len(clique & other)
        assert function.codes[function.alice.index(clique), function.bob.index(other)] == len(clique & other)


def test_vertex_sets_are_read_and_written_in_the_order_of_the_graph():
    inputs = clique_independent_set(path_and_triangle()).alice
    for value in inputs:
        assert inputs.parse(inputs.show(value)) == value
    assert inputs.show(inputs.parse("c, b")) == "{b,c}"
    assert inputs.index({"a", "b"}) == inputs.index(frozenset("ab"))
    with pytest.raises(InputError, match="vertices a, b, c, d, e"):
        inputs.parse("a e")


def test_graphs_that_cannot_be_used_are_refused(monkeypatch):
    assert textbook.MOST_SETS == 1 << 14
    monkeypatch.setattr(textbook, "MOST_SETS", 1 << 7)
    networkx = pytest.importorskip("networkx")
    bad = {
        "undirected": networkx.DiGraph([(0, 1)]),
        "undirected networkx": "graph",
        "not 63": networkx.path_graph(63),
        "not 0": networkx.Graph(),
        "no loops": networkx.Graph([(0, 0)]),
        "at most 128 cliques": networkx.complete_graph(8),
        "at most 128 independent sets": networkx.empty_graph(8),
    }
    for message, graph in bad.items():
        with pytest.raises(InputError, match=message):
            clique_independent_set(graph)


BAD_ARGUMENTS = [
    *((family, (0,), "n = 0") for family in (equality, disjointness, intersection, greater_than, index)),
    *((family, (-1,), "n = -1") for family in (inner_product, parity, majority, hamming_distance, median)),
    *((family, ("3",), "n = '3'") for family in (set_intersection_size, function_composition)),
    (equality, (2.0,), r"n = 2\.0: expected an integer of at least 1"),
    (equality, (True,), "n = True"),
    (median, (23,), "from 1 to 22"),
    (sparse_disjointness, (63, 2), "n = 63: expected an integer from 1 to 62"),
    (sparse_disjointness, (4, 5), "k = 5: expected an integer from 1 to 4"),
    (sparse_disjointness, (60, 30), "at most 2\\^22 subsets"),
    (gap_hamming, (1,), "n = 1: expected an integer of at least 2"),
    (gap_hamming, (4, 3), "gap = 3: expected an integer from 1 to 2"),
    (gap_hamming, (4, 0), "gap = 0"),
    (pointer_chasing, (0, 1), "n = 0"),
    (pointer_chasing, (2, 0), "k = 0"),
]


@cases(("family", "arguments", "message"), BAD_ARGUMENTS)
def test_bad_sizes_name_the_argument(family, arguments, message):
    with pytest.raises(InputError, match=message):
        family(*arguments)


BAD_INPUTS = [
    (equality(2), ("012", "01"), "a string of exactly 2 bits"),
    (equality(2), ("01",), "2 inputs"),
    (index(3), ("010", 4), "an integer from 1 to 3"),
    (index(3), ("010", 0), "an integer from 1 to 3"),
    (median(3), (set(), {1}), "a subset of 0..2"),
    (sparse_disjointness(4, 2), ({1, 2}, {1}), "with 2 elements"),
    (sparse_disjointness(4, 2), ([1, 2], {1, 2}), "a subset"),
    (pointer_chasing(2, 1), ((0, 2), (0, 1)), "at position 2 one of 0, 1, not 2"),
    (function_composition(2), ((0, 1), (0, 1)), "word = 0"),
]


@cases(("function", "values", "message"), BAD_INPUTS)
def test_bad_inputs_say_what_was_expected(function, values, message):
    with pytest.raises(InputError, match=message):
        function(*values)


@cases("problem", PROBLEMS)
def test_a_problem_is_built_and_evaluated_at_size_four(problem):
    built = problem.build(4)
    assert built.note
    assert problem.summary
    assert find_problem(problem.name) is problem
    if isinstance(built, SequenceTask):
        assert built.name.startswith(problem.name.replace("-", "_"))
        word = built.words.value(0)
        assert built(word) in (*built.answers, None)
    else:
        assert isinstance(built, MultipartyFunction)
        assert built(*(part.value(0) for part in built.inputs)) in (*built.answers, None)


def test_names_are_distinct_and_written_with_hyphens():
    names = [problem.name for problem in PROBLEMS]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)


@cases("problem", PROBLEMS)
def test_a_size_of_nothing_is_refused(problem):
    with pytest.raises(InputError):
        problem.build(0)


def test_an_unknown_name_is_answered_with_similar_ones():
    with pytest.raises(InputError, match=r"name = 'greater_then': expected one of the .* did you mean greater-than"):
        find_problem("greater_then")
    with pytest.raises(InputError, match=r"one of the [0-9]+ problems that `ccsim list problems` shows$"):
        find_problem("xyzzy")


def test_the_first_letter_comes_back_at_the_end():
    task = find_problem("regular-language").build(3)
    assert list(task.accepted()) == ["aaa", "aba", "bab", "bbb"]
