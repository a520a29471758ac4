"""Least leaves of protocol trees: known values, brute force, and certificates for both sides."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import CommunicationMatrix
from ccsim.bounds import brackets_of, least_leaves, partition_number
from ccsim.bounds.bracket import depth_of, leaves_of
from ccsim.bounds.leaves import LeafSearch, Program, game_of
from ccsim.bounds.scheduler import Clock, OutOfTimeError
from ccsim.certificates.verify import check
from ccsim.problems import disjointness, equality, greater_than, index, inner_product
from tests.bounds.brute_force import deterministic_by_definition, leaves_by_definition
from tests.speed import patient

ANSWERS = ("both", "alice", "bob")

# The ranks of both answers add up to so many, and simple protocols have no more leaves.
KNOWN = [
    *((equality(n), 2 ** (n + 1)) for n in (1, 2, 3, 4)),
    *((family(n), 2 ** (n + 1) - 1) for family in (disjointness, greater_than, inner_product) for n in (1, 2, 3, 4)),
    (index(3), 6),
]


def test_named_functions():
    for function, leaves in KNOWN:
        (found,) = brackets_of(function, "leaves")
        assert (found.lower, found.upper, found.unit) == (leaves, leaves, "leaves")
        assert found.certificate.verify().startswith(f"leaves = {leaves} leaves (both know)")


tables = st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 3)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(-1, size[2] - 1), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


@settings(max_examples=20, deadline=None)
@given(tables, st.sampled_from(ANSWERS))
def test_all_rectangles_give_what_the_definition_gives(table, answer):
    matrix = CommunicationMatrix(np.array(table), (0, 1, 2))
    found = least_leaves(matrix, answer=answer)
    assert found.lower == found.upper == leaves_by_definition(table, answer)
    assert found.certificate.verify()
    game = game_of(matrix, answer)
    assert Program(game, *game.everything, "bits").value == deterministic_by_definition(table, answer)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(ANSWERS), st.sampled_from(["leaves", "bits"]))
def test_program_and_checker_agree_beyond_brute_force(seed, answer, counted):
    rng = np.random.default_rng(seed)
    codes = rng.integers(rng.integers(-1, 1), rng.integers(2, 5), rng.integers(2, 7, 2))
    game = game_of(CommunicationMatrix(codes, tuple(range(5))), answer)
    program = Program(game, *game.everything, counted)
    witness = {
        "kind": "all-rectangles",
        **{name: f"{mask:x}" for name, mask in zip(("rows", "columns"), game.everything, strict=True)},
    }
    parameters = {"answer": answer} if counted == "leaves" else {"answer": answer, "rounds": None, "first": None}
    measure = "leaves" if counted == "leaves" else "deterministic"
    tree = program.tree()
    assert check(codes.tolist(), measure, "lower", parameters, witness) == program.value
    assert check(codes.tolist(), measure, "upper", parameters, {"kind": "protocol-tree", "tree": tree}) == program.value
    assert (leaves_of(tree) if counted == "leaves" else depth_of(tree)) == program.value


def test_a_windmill_is_a_partition_that_no_protocol_has():
    windmill = CommunicationMatrix.from_array([[0, 0, 1], [3, 4, 1], [3, 2, 2]])
    assert partition_number(windmill).upper == 5
    found = least_leaves(windmill)
    assert (found.lower, found.upper) == (6, 6)  # one of the dominoes is cut


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("free", [0, pytest.param(-1, marks=pytest.mark.slow)])
def test_larger_tables_are_searched(answer, free):
    matrix = CommunicationMatrix(np.random.default_rng(4).integers(free, 2, (14, 14)), (0, 1))
    found = least_leaves(matrix, answer=answer, seconds=patient(2.0))
    assert 0 < found.lower <= found.upper
    assert "upper by protocol-tree" in found.certificate.verify()


def test_the_search_finds_what_is_least_where_that_is_known(monkeypatch):
    monkeypatch.setattr("ccsim.bounds.leaves.SMALL", 100)
    game = game_of(inner_product(3).matrix, "both")
    search = LeafSearch(game, "leaves", 2, Clock())
    assert search.value(*game.everything) == leaves_of(search.tree(*game.everything)) == 15
    with pytest.raises(OutOfTimeError):
        LeafSearch(game, "leaves", 2, Clock.within(0)).value(*game.everything)
