"""One-way communication and VC dimension: known values, brute force, and mutated witnesses."""

from __future__ import annotations

import random
from fractions import Fraction
from math import log2

import numpy as np
import pytest

from ccsim.bounds import one_way, one_way_messages, one_way_randomised, randomised_by_discrepancy, vc_dimension
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import equality, greater_than, index
from tests.certificates.mutations import mutated_witness
from tests.certificates.truth import TRUTHS

DIRECTIONS = ("alice-to-bob", "bob-to-alice")


@pytest.mark.parametrize("n", [1, 2, 3, 4, 8])
def test_index(n):
    matrix = index(n).matrix
    assert one_way(matrix).lower == one_way(matrix).upper == n
    assert one_way(matrix, "bob-to-alice").lower == (n - 1).bit_length()
    assert vc_dimension(matrix).lower == vc_dimension(matrix).upper == n


def test_equality_and_order_need_all_bits():
    for function in (equality, greater_than):
        for direction in DIRECTIONS:
            assert one_way(function(4).matrix, direction).lower == 4
    assert vc_dimension(equality(3).matrix).upper == 1


@pytest.mark.parametrize("seed", range(60))
def test_messages_by_brute_force(seed):
    rng = np.random.default_rng(seed)
    values = [-1, -1, 0, 1] if seed % 2 else [-1, 0, 1, 2]
    matrix = CommunicationMatrix(rng.choice(values, size=(6, 4)), (0, 1, 2))
    for direction, table in zip(DIRECTIONS, (matrix.codes.tolist(), matrix.codes.T.tolist()), strict=True):
        found, bits = one_way_messages(matrix, direction), one_way(matrix, direction)
        assert found.lower == found.upper == TRUTHS["one-way-messages"](table, "alice-to-bob")
        assert bits.lower == bits.upper == (found.lower - 1).bit_length()


@pytest.mark.parametrize("seed", range(30))
def test_dimension_by_brute_force(seed):
    rng = np.random.default_rng(seed)
    matrix = CommunicationMatrix(rng.integers(-(seed % 2), 2, size=(9, 5)), (0, 1))
    found = vc_dimension(matrix)
    assert found.lower == found.upper == TRUTHS["vc-dimension"](matrix.codes.tolist(), "alice-to-bob")


def odd_cycle():
    """A partial function whose conflicts form a cycle of seven: three messages, but cliques of two only."""
    table = np.full((7, 7), -1)
    for edge in range(7):
        table[edge, edge], table[(edge + 1) % 7, edge] = 0, 1
    return CommunicationMatrix(table, (0, 1))


def test_more_messages_than_a_clique():
    found = one_way_messages(odd_cycle())
    assert (found.lower, found.upper) == (3, 3)
    assert found.lower_witness["kind"] == "branching"
    assert one_way(odd_cycle()).lower == 2


def test_capacity_is_rounded_up_to_bits():
    for error in (Fraction(1, 3), Fraction(1, 4), Fraction(1, 10), Fraction(499, 1000), Fraction(0), Fraction(1, 2)):
        e = float(error)
        exact = 1 + (e * log2(e) + (1 - e) * log2(1 - e) if e else 0)
        for n in (1, 3, 6):
            lower = one_way_randomised(index(n).matrix, error=error).lower
            assert lower - 1 < n * exact + 1e-9
            assert n * exact - 1e-9 <= lower


def test_mutations_never_prove_what_is_false():
    rng = random.Random(3)
    matrices = [odd_cycle(), index(3).matrix, equality(2).matrix]
    matrices += [CommunicationMatrix(np.random.default_rng(s).integers(-1, 2, size=(6, 4)), (0, 1)) for s in range(3)]
    for matrix in matrices:
        for solve in (one_way, one_way_messages, vc_dimension, one_way_randomised):
            for direction in DIRECTIONS:
                bracket = solve(matrix, direction)
                for side in ("lower", "upper"):
                    witness, claimed = getattr(bracket, f"{side}_witness"), getattr(bracket, side)
                    assert check(matrix.codes.tolist(), bracket.measure, side, bracket.parameters, witness) == claimed
                    for _ in range(60):
                        try:
                            wrong = mutated_witness(witness, rng)
                            value = check(matrix.codes.tolist(), bracket.measure, side, bracket.parameters, wrong)
                        except Refused:
                            continue
                        if solve is not one_way_randomised:
                            assert value <= claimed if side == "lower" else value >= claimed


def test_an_error_is_a_fraction_or_its_text():
    matrix = index(2).matrix
    for bound in (one_way_randomised, randomised_by_discrepancy):
        assert [str(bound(matrix, error=e)) for e in ("1/4", 0.25)] == [str(bound(matrix, error=Fraction(1, 4)))] * 2


def test_errors():
    with pytest.raises(InputError):
        one_way(index(2).matrix, "sideways")
    with pytest.raises(InputError):
        vc_dimension(CommunicationMatrix.from_array([["a", "b", "c"]]))
    with pytest.raises(InputError):
        one_way_randomised(index(2).matrix, error=Fraction(2, 3))
