"""Upper bounds on fooling sets by vectors: never below the truth, known theta numbers, and nothing that is made up."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.bounds import brackets_of, maximum_fooling_set
from ccsim.bounds.clock import Clock
from ccsim.bounds.fooling.fooling_sets import exclusion_graph
from ccsim.bounds.fooling.largest import _Search
from ccsim.bounds.fooling.theta import by_vectors
from ccsim.certificates.verify import Refused, check
from ccsim.matrices import CommunicationMatrix
from tests.bounds.rectangle_oracles import fooling

ONES = {"code": 1, "answer": "both"}


def proved(table, code, answer, vectors):
    parameters = {"code": code, "answer": answer}
    return check(table, "fooling-set", "upper", parameters, {"kind": "theta", "vectors": vectors})


def apart_of(table, code, answer="both"):
    cells, masks = exclusion_graph(CommunicationMatrix(np.array(table), (0, 1)), code, answer)
    return np.array([[bool(mask >> place & 1) for place in range(len(cells))] for mask in masks])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.integers(-1, 1), min_size=4, max_size=4), min_size=1, max_size=4), st.integers(0, 1))
def test_no_fooling_set_is_larger_than_vectors_say(table, code):
    apart = apart_of(table, code)
    if apart.size:
        bound, vectors = by_vectors(apart, Clock())
        assert proved(table, code, "both", vectors) == bound >= fooling(table, code)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.integers(-1, 1), min_size=3, max_size=3), min_size=1, max_size=3),
    st.sampled_from([(0, "both"), (1, "both"), (None, "both"), (None, "alice"), (None, "bob"), (1, "bob")]),
    st.integers(0, 1 << 20),
)
def test_whatever_vectors_are_given_nothing_false_is_proved(table, asked, seed):
    rng, (code, answer) = random.Random(seed), asked
    count = sum(cell >= 0 and code in (None, cell) for row in table for cell in row)
    vectors = [[rng.randint(-3, 3) for _ in range(rng.randint(0, 4))] for _ in range(count)]
    true = maximum_fooling_set(CommunicationMatrix(np.array(table), (0, 1)), code, answer=answer).upper
    try:
        assert proved(table, code, answer, vectors) >= true
    except Refused:
        assert count > 1


@pytest.mark.parametrize(
    ("apart", "theta"),
    [
        ([[abs(a - b) in (2, 3) for a in range(5)] for b in range(5)], 2),  # a pentagon: the root of 5
        ([[(a - b) % 7 in (1, 2, 5, 6) for a in range(7)] for b in range(7)], 3),  # a heptagon: 3.31
        ([[a != b for a in range(4)] for b in range(4)], 4),
        ([[False] * 3] * 3, 1),
        ([[False]], 1),
    ],
)
def test_theta_numbers_of_graphs_that_are_known(apart, theta):
    assert by_vectors(np.array(apart), Clock())[0] == theta


def test_vectors_say_more_than_lines_and_ranks_do():
    table = (np.random.default_rng(50).random((16, 16)) < 0.5).astype(int)
    found, vectors = by_vectors(apart_of(table.tolist(), 1), Clock())
    assert found == proved(table.tolist(), 1, "both", vectors) < 13
    for lesser in ({"kind": "lines"}, {"kind": "rank-squared", "prime": 2}):
        assert check(table.tolist(), "fooling-set", "upper", ONES, lesser) >= 16


def test_what_a_search_leaves_open_vectors_bound(monkeypatch):
    monkeypatch.setattr(_Search, "by_branching", lambda search, end=None: None)
    monkeypatch.setattr(_Search, "by_sat", lambda search, clock=None, turns=0: None)
    monkeypatch.setattr(_Search, "by_closing", lambda search: None)
    monkeypatch.setattr(_Search, "by_the_checker", lambda search: None)
    monkeypatch.setattr(_Search, "by_swaps", lambda search: None)
    table = (np.random.default_rng(50).random((14, 14)) < 0.5).astype(int)
    bracket = brackets_of(CommunicationMatrix.from_array(table), "fooling")[1]
    assert bracket.upper < 14
    assert bracket.upper_witness["kind"] == "theta"
    assert bracket.certificate.verify()


@pytest.mark.parametrize("vectors", [[[1]], [[1], [-1], [0]], [[1], [0]], [[1], [True]], [[1.0], [-1]], "ab", [1, 2]])
def test_what_are_no_such_vectors_is_refused(vectors):
    with pytest.raises(Refused):
        proved([[1, 0], [0, 1]], 1, "both", vectors)
