"""Discrepancy and rectangle bounds: brute force, duality, known values, and mutated witnesses."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.bounds import (
    discrepancy,
    least_discrepancy,
    randomised_by_corruption,
    randomised_by_discrepancy,
    randomised_by_least_discrepancy,
    rectangle_bound,
)
from ccsim.bounds.bracket import as_text
from ccsim.bounds.discrepancies import _all_sets, diagonal_weights, least_discrepancy_by_vectors
from ccsim.bounds.scheduler import Clock
from ccsim.certificates.verify import Refused, check
from ccsim.certificates.verify.claims import Matrix
from ccsim.certificates.verify.randomised import no_rectangle_above
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import disjointness, equality, greater_than, inner_product
from tests.bounds.brute_force import subsets
from tests.certificates.truth import TRUTHS


def test_by_brute_force():
    for seed in range(8):
        rng = np.random.default_rng(seed)
        matrix = CommunicationMatrix(rng.integers(-1, 2, size=(4, 5 - seed % 3)), (0, 1))
        weights = np.where(matrix.codes >= 0, rng.integers(0, 7, size=matrix.shape), 0)
        weights[tuple(np.argwhere(matrix.codes >= 0)[0])] += 1
        found = discrepancy(matrix, weights)
        assert found.exact
        assert found.lower == TRUTHS["discrepancy"](matrix.codes.tolist(), weights.tolist())
        assert discrepancy(matrix, [[Fraction(int(w), 7) for w in row] for row in weights]).lower == found.lower


def test_no_set_that_is_a_little_better_is_passed_over():
    draw = np.random.default_rng(1)
    for _ in range(60):
        values = draw.integers(-1, 2, (4, 4))
        rows, columns = _all_sets(values, -1, Clock())
        found = values[[place for place in range(4) if rows >> place & 1]].sum(axis=0)
        sums = np.array([values[some].sum(axis=0) for some in subsets(4)])
        most = max(0, *(int(np.maximum(side * sums, 0).sum(axis=1).max()) for side in (1, -1)))
        assert abs(sum(int(total) for place, total in enumerate(found) if columns >> place & 1)) == most


@pytest.mark.parametrize("most", [1 << 12, 1 << 20, 1 << 40, 1 << 76])
def test_weights_of_any_size_are_exact(most):
    matrix = CommunicationMatrix.from_array(np.random.default_rng(3).integers(0, 2, (6, 5)))
    weights = [[(most + row * column) // (1 + (row + column) % 3) for column in range(5)] for row in range(6)]
    found = discrepancy(matrix, weights)
    assert found.lower == found.upper == TRUTHS["discrepancy"](matrix.codes.tolist(), weights)


def test_large_tables_have_a_bracket():
    for function in (equality, greater_than):
        found = discrepancy(function(6).matrix)
        assert 0 < found.lower <= found.upper <= 1
        assert found.upper_witness["kind"] == "diagonals"
        assert discrepancy(function(6).matrix, seconds=0.0).upper_witness["kind"] == "diagonals"  # it is soon there


@pytest.mark.parametrize(("size", "value"), [(20, "3/16"), (22, "41/242"), (24, "83/576"), (26, "2/13")])
def test_discrepancies_of_random_matrices_are_those_of_all_sets_in_gray_code(size, value):
    matrix = CommunicationMatrix.from_array(np.random.default_rng(0).integers(0, 2, (size, size)))
    found = discrepancy(matrix)
    assert found.lower == found.upper == Fraction(value)


def test_inner_product_has_little_discrepancy():
    found = discrepancy(inner_product(6).matrix)
    assert found.lower == found.upper == Fraction(11, 256)  # a rectangle that few sets of rows lead to
    assert found.upper < Fraction(1, 23)  # Lindsey's lemma says 2^(-n/2)
    assert randomised_by_discrepancy(inner_product(6).matrix, Fraction(1, 4)).lower == 4


@pytest.mark.slow
def test_bits_of_a_large_table_by_discrepancy():
    matrix = inner_product(8).matrix
    found = randomised_by_discrepancy(matrix, Fraction(1, 3))
    assert found.lower == 5
    assert check(matrix.codes.tolist(), "randomised", "lower", found.parameters, found.lower_witness) == 5


def test_weights_of_lines_bound_every_rectangle():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        values = rng.integers(-9, 10, size=rng.integers(1, 6, size=2)) * rng.integers(0, 2)
        height, width = values.shape
        parts = [values[np.ix_(rows, columns)] for rows in subsets(height) for columns in subsets(width)]
        largest = max(int(part.sum()) for part in parts)
        weights, matrix = diagonal_weights(values, Clock()), Matrix([[0] * width] * height)
        assert no_rectangle_above(matrix, values.tolist(), weights) >= largest
        for place in range(len(weights)):  # no weight may shrink so much that the bound would be below the largest sum
            spoilt = [as_text(Fraction(weight) - Fraction(place == at) * 60) for at, weight in enumerate(weights)]
            with pytest.raises(Refused):
                no_rectangle_above(matrix, values.tolist(), spoilt)


def test_least_discrepancy_is_exact_on_named_functions():
    for function, values in [
        (equality, ("1/4", "1/6", "1/7")),
        (disjointness, ("1/3", "2/9")),
        (inner_product, ("1/3", "1/6")),
    ]:
        for n, value in enumerate(values, start=1):
            found = least_discrepancy(function(n).matrix)
            assert found.lower == found.upper == Fraction(value)


@pytest.mark.parametrize(("function", "most"), [(disjointness(5), "1/8"), (greater_than(5), "2/5")])
def test_least_discrepancy_of_many_rows_has_both_sides(function, most):
    """Above, a distribution on cells that look alike; below, a partition into rows."""
    found = replace(least_discrepancy(function, seconds=10.0), matrix=function.matrix)
    assert Fraction(1, 64) <= found.lower < found.upper <= Fraction(most)
    assert found.method == "weights of rectangles | weights of rows and columns"
    assert found.upper < discrepancy(function, seconds=0.0).upper
    assert found.certificate.verify()


def test_symmetries_make_the_least_discrepancy_of_more_rows_exact():
    """Paley's matrix on 13 points, where squares are 1, and all cells but a diagonal."""
    squares = {place * place % 13 for place in range(1, 13)}
    paley = [[int((row - column) % 13 in squares) for column in range(13)] for row in range(13)]
    for table, value in ((paley, "5/78"), (1 - np.eye(13, dtype=int), "7/52")):
        found = least_discrepancy(CommunicationMatrix.from_array(table), seconds=60.0)
        assert found.lower == found.upper == Fraction(value)


@pytest.mark.parametrize(("function", "bits"), [(equality(4), 2), (inner_product(4), 3)])
def test_bits_of_the_least_discrepancy(function, bits):
    found = randomised_by_least_discrepancy(function, "1/3")
    assert found.lower == bits
    claim = (function.matrix.codes.tolist(), "randomised", "lower", found.parameters)
    assert check(*claim, found.lower_witness) == bits
    ones = np.ones(function.matrix.shape, dtype=int).tolist()
    assert check(ones, *claim[1:], found.lower_witness) == 0  # not the sums of another function


def test_the_least_discrepancy_of_a_constant_is_no_more_than_1():
    assert least_discrepancy(CommunicationMatrix(np.ones((14, 14), dtype=int), (0, 1))).upper == 1


def test_vectors_in_place_of_rectangles_are_no_less_biased():
    for function in (equality(2), disjointness(2), inner_product(2)):
        matrix = function.matrix
        found = least_discrepancy_by_vectors(matrix, Clock())
        assert least_discrepancy(matrix).lower <= found.upper < 2 * least_discrepancy(matrix).upper


@settings(max_examples=10, deadline=None)
@given(st.lists(st.lists(st.integers(-1, 1), min_size=3, max_size=3), min_size=1, max_size=4))
def test_least_is_least(rows):
    if not any(cell >= 0 for row in rows for cell in row):
        return
    matrix = CommunicationMatrix(np.array(rows), (0, 1))
    least = least_discrepancy(matrix)
    assert 0 < least.lower <= least.upper <= discrepancy(matrix).lower
    assert least.upper - least.lower < Fraction(1, 10**6)
    if (matrix.codes == 1).any():
        plain, smooth = (rectangle_bound(matrix, label=1, error="1/4", smooth=flag) for flag in (False, True))
        for found in (plain, smooth):
            assert found.upper - found.lower < Fraction(1, 10**6)
        assert plain.lower <= smooth.upper


def test_exact_protocols_need_a_cover():
    assert rectangle_bound(equality(2).matrix, label=1, error=0).lower == 4
    assert randomised_by_corruption(equality(2).matrix, error=0).lower == 2
