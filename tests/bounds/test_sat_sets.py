"""Fooling sets by a SAT solver: as large as by brute force, and what it refutes is followed by the checker."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.bounds import maximum_fooling_set
from ccsim.bounds.clock import Clock
from ccsim.bounds.fooling import sat_sets
from ccsim.bounds.fooling.fooling_sets import exclusion_graph
from ccsim.bounds.fooling.sat_sets import SatSets
from ccsim.bounds.lrat import Lemma, signed, written
from ccsim.certificates.verify import Refused, check
from ccsim.certificates.verify.claims import Claim
from ccsim.certificates.verify.fooling_lrat import FoolingClauses
from ccsim.certificates.verify.lrat import BASE_64, steps_of
from ccsim.certificates.verify.matrices import Matrix
from ccsim.matrices import CommunicationMatrix
from tests.bounds.rectangle_oracles import fooling

ONES = {"code": 1, "answer": "both"}
MATRICES = st.integers(1, 5).flatmap(
    lambda columns: st.lists(st.lists(st.integers(-1, 2), min_size=columns, max_size=columns), min_size=1, max_size=5)
)
CROWN = (1 - np.eye(5, dtype=int)).tolist()  # any two cells that are apart have a row of one in the column of the other


def proved(table, witness, **changed):
    return check(table, "fooling-set", "upper", {**ONES, **changed}, witness)


def accepted(table, witness):
    try:
        return proved(table, witness)
    except Refused:
        return None


def lines(table):
    return min(sum(1 in line for line in side) for side in (table, list(zip(*table, strict=True))))


def solved(table):
    search = SatSets(table, 1, [], lines(table))
    search.run(Clock(), 2)
    return search


@settings(max_examples=60, deadline=None)
@given(MATRICES)
def test_both_sides_meet_at_the_largest_set_and_are_followed(table):
    largest, search = fooling(table, 1), solved(table)
    assert (len(search.best), search.upper) == (largest, largest)
    assert (search.witness is None) == (largest == lines(table))
    if search.witness is not None:
        assert proved(table, search.witness) == largest


@settings(max_examples=40, deadline=None)
@given(MATRICES, st.integers(0, 4))
def test_a_fooling_set_satisfies_the_clauses_and_nothing_smaller_does(table, spare):
    size = max(1, lines(table) - spare)
    if not lines(table):
        return
    clauses = FoolingClauses(Claim(Matrix(table), "fooling-set", "upper", ONES), size)
    with sat_sets.ProvingSolver(sat_sets._clauses_of(clauses), False) as solver:
        assert solver.solve_within(100_000) == (fooling(table, 1) >= size)


def test_only_what_cells_share_makes_literals_false():
    clauses = FoolingClauses(Claim(Matrix(CROWN), "fooling-set", "upper", ONES), 4)
    false = {one: set(clauses.matrix.places(clauses.falsified(one))) for one in range(2, 2 * clauses.most + 2)}
    for one, others in false.items():
        assert one ^ 1 in others
        assert all(one in false[other] for other in others)
        assert not one & 1 or others == {one ^ 1}


def steps_as_given(proof, given):
    found = steps_of(Matrix([[0]]), proof, given)
    return [
        Lemma([signed(one) for one in clause], [h - given if h >= given else -1 - h for h in hints])
        for clause, hints in found
    ]


def test_what_is_left_out_of_a_proof_shows_no_more():
    """The crown of 5 lines has no fooling set of 4 cells; it has one of 3."""
    witness = solved(CROWN).witness
    assert (fooling(CROWN, 1), proved(CROWN, witness), witness["size"]) == (3, 3, 4)
    given = FoolingClauses(Claim(Matrix(CROWN), "fooling-set", "upper", ONES), 4).given
    steps = steps_as_given(witness["proof"], given)
    assert written(steps, given) == witness["proof"]
    for place in range(len(steps)):
        left = [Lemma(clause, [hint - (hint > place) for hint in hints]) for clause, hints in steps]
        assert accepted(CROWN, {**witness, "proof": written(left[:place] + left[place + 1 :], given)}) in (3, None)
    assert accepted(CROWN, {**witness, "proof": written(steps[:-1], given)}) is None
    assert (
        accepted(CROWN, {**witness, "proof": written([Lemma([], [-1 - one for one in range(given)])], given)}) is None
    )
    assert [accepted(CROWN, {**witness, "size": size}) for size in (1, 2, 3, 5, 6)] == [None] * 5


def test_no_spoiled_proof_shows_what_is_false():
    witness, rng = solved(CROWN).witness, random.Random(0)
    for _ in range(400):
        text = list(witness["proof"])
        for _ in range(rng.randrange(1, 3)):
            text[rng.randrange(len(text))] = rng.choice(BASE_64)
        wrong = {**witness, "proof": "".join(text), "size": rng.choice([1, 2, 3, 4, 5])}
        assert accepted(CROWN, wrong) in (3, 4, None)


@pytest.mark.parametrize("proof", [None, 0, [], "", "A", "ABA", "ABA ", "-------------A", "AA"])
def test_texts_that_are_no_proof_are_refused(proof):
    with pytest.raises(Refused):
        proved([[1, 0], [0, 1]], {"kind": "fooling-lrat", "size": 1, "proof": proof})


@pytest.mark.parametrize("size", [0, -1, 4, 1.0, True, None, "3"])
def test_sizes_that_are_none_are_refused(size):
    witness = solved([[1, 1, 1], [1, 1, 1], [1, 1, 1]]).witness
    assert proved([[1, 1, 1]] * 3, witness) == 1
    with pytest.raises(Refused):
        proved([[1, 1, 1]] * 3, {**witness, "size": size})


@pytest.mark.parametrize("changed", [{"answer": "alice"}, {"answer": "bob"}, {"code": None}, {"code": 0}, {"code": 2}])
def test_what_is_said_of_one_answer_that_both_know_is_said_of_nothing_else(changed):
    """If only Alice knows the answer, cells of one row may exclude each other."""
    with pytest.raises(Refused):
        proved(CROWN, solved(CROWN).witness, **changed)


def test_a_search_without_proofs_says_nothing(monkeypatch):
    monkeypatch.setattr("ccsim.bounds.lrat.MOST_PROOF", 3)
    search = solved(CROWN)
    assert (len(search.best), search.upper, search.witness) == (3, 5, None)


def test_what_neither_lines_nor_vectors_show_clauses_do():
    table = (np.random.default_rng(30).random((32, 32)) < 0.3).astype(int)
    matrix = CommunicationMatrix.from_array(table)
    found = maximum_fooling_set(matrix, 1)
    assert (found.lower, found.upper, found.upper_by) == (31, 31, "clauses")
    assert proved(table.tolist(), found.witness) == 31
    assert len(exclusion_graph(matrix, 1)[0]) == 266
