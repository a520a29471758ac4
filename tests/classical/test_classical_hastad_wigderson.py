"""Disjointness of small sets with public coins."""

from fractions import Fraction

import pytest

from ccsim.errors import InputError
from ccsim.problems import sparse_disjointness
from protocols.classical import hastad_wigderson
from tests.slow import slow


@pytest.mark.parametrize(
    ("n", "k", "factor", "sets"),
    [
        (2, 1, 1, 3),
        slow(2, 1, 3, 5),
        (2, 1, 4, 2),
        slow(2, 1, 5, 5),
        (2, 1, 6, 1),
        (4, 2, 2, 1),
        slow(4, 2, 3, 1),
    ],
)
def test_the_error_is_exactly_the_one_computed(n, k, factor, sets):
    protocol = hastad_wigderson(n, k, factor=factor, sets=sets)
    measured = protocol.measure_error()
    assert measured.exact
    assert not measured.violations
    assert measured.worst_error == protocol.error
    assert measured.worst_bits <= protocol.cost.bits == factor * k
    disjoint = sparse_disjointness(n, k).codes == 1
    assert not measured.wrong[~disjoint].any()
    assert len(set(measured.wrong[disjoint].tolist())) == 1  # the same on all disjoint pairs


@pytest.mark.parametrize(
    ("n", "k", "error"), [(3, 1, Fraction(1, 3)), slow(5, 2, Fraction(1, 3)), (3, 1, Fraction(1, 8))]
)
def test_the_budget_that_is_chosen(n, k, error):
    protocol = hastad_wigderson(n, k, error)
    measured = protocol.measure_error(samples=40, seed=2)
    assert protocol.error <= error
    assert measured.within_claim
    assert measured.worst_bits <= protocol.cost.bits
    assert not measured.wrong[sparse_disjointness(n, k).codes == 0].any()


def test_a_bit_less_per_element_would_not_do():
    for k in (1, 2, 3):
        factor = hastad_wigderson(12, k).cost.parameters["c"]
        assert hastad_wigderson(12, k, factor=factor - 1).error > Fraction(1, 3)


def test_bits_grow_with_k_and_not_with_n():
    assert [hastad_wigderson(12, k).cost.bits for k in range(1, 5)] == [9, 16, 21, 28]
    assert {hastad_wigderson(n, 3).cost.bits for n in (6, 50)} == {21}


@pytest.mark.slow
def test_large_ground_sets_run():
    protocol = hastad_wigderson(60, 3, Fraction(1, 100))
    assert protocol.run({1, 30, 59}, {2, 30, 58}, seed=3).answer == 0
    runs = [protocol.run({1, 31, 59}, {2, 30, 58}, seed=seed) for seed in range(10)]
    assert sum(run.answer for run in runs) >= 8
    assert max(run.bits for run in runs) <= protocol.cost.bits


def test_bad_arguments():
    with pytest.raises(InputError, match="k = 7: expected an integer from 1 to 6"):
        hastad_wigderson(12, 7)
    with pytest.raises(InputError, match="sets = 1: expected longer lists"):
        hastad_wigderson(12, 3, sets=1)
