"""The partition and smooth rectangle bounds against programs over all rectangles, and their checkers."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ccsim.bounds import public_coin_complexity, public_coins, rectangle_bounds
from ccsim.bounds.rectangle_bounds import (
    partition_bits,
    partition_bound,
    smooth_rectangle_bits,
    smooth_rectangle_bound,
)
from ccsim.certificates.verify import Refused, check
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import disjointness, equality, greater_than, index, inner_product, set_intersection_size
from tests.bounds.brute_force import checked, matrix_of, partition_value, rectangles, smooth_value
from tests.slow import slow

NAMED = [  # function, error, partition bound
    (equality(1), "0", "4"),
    (equality(2), "0", "7"),
    (equality(2), "1/10", "11/2"),
    (greater_than(2), "0", "7"),
    (disjointness(2), "0", "13/2"),
    (inner_product(2), "0", "20/3"),
    (set_intersection_size(2), "0", "8"),
    (index(3), "0", "6"),
    slow(equality(3), "0", "23/2"),
    slow(greater_than(3), "1/3", "17219671/6364284"),
]

tables = st.sampled_from([(1, 3), (2, 2), (3, 2), (3, 4)]).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(-1, 2)).filter(lambda codes: (codes >= 0).any())
)
errors = st.sampled_from(["0", "1/10", "1/3", "2/3"])


@pytest.mark.parametrize(("function", "error", "value"), NAMED, ids=lambda case: getattr(case, "name", str(case)))
def test_partition_bounds_of_named_functions(function, error, value):
    bracket = checked(partition_bound(function.matrix, error), function.matrix)
    assert bracket.exact
    assert bracket.lower == Fraction(value)


@settings(max_examples=6, deadline=None)
@given(tables, errors)
def test_partition_bound_is_that_of_all_rectangles(codes, error):
    bracket = checked(partition_bound(matrix_of(codes), error), matrix_of(codes))
    assert abs(float(bracket.lower) - partition_value(codes, float(Fraction(error)))) < 1e-7
    assert bracket.upper is None or bracket.exact


@settings(max_examples=12, deadline=None)
@given(tables, errors, st.integers(0, 1))
def test_smooth_rectangle_bound_is_that_of_all_rectangles(codes, error, label):
    bracket = checked(smooth_rectangle_bound(matrix_of(codes), label=label, error=error), matrix_of(codes))
    assert abs(float(bracket.lower) - smooth_value(codes, float(Fraction(error)), label)) < 1e-7
    assert bracket.lower <= partition_bound(matrix_of(codes), error).lower
    assert bracket.upper is None or bracket.exact


@settings(max_examples=8, deadline=None)
@given(arrays(np.int64, (3, 3), elements=st.integers(-1, 2)), st.sampled_from(["0", "1/10", "1/3"]))
def test_bits_never_exceed_the_complexity(codes, error):
    if (codes < 0).all():
        return
    matrix = matrix_of(codes)
    complexity = public_coin_complexity(matrix, error)
    table = codes.tolist()
    by_partition, by_rectangles = partition_bits(matrix, error), smooth_rectangle_bits(matrix, error)
    assert by_rectangles.lower <= by_partition.lower <= complexity.lower
    for bracket in (by_partition, by_rectangles):
        assert check(table, "randomised", "lower", bracket.parameters, bracket.lower_witness) == bracket.lower


def test_equality_of_four_bits():
    bracket = checked(smooth_rectangle_bound(equality(4).matrix, label=1, error="0"), equality(4).matrix)
    assert bracket.lower == 16


@pytest.mark.parametrize(
    ("n", "value", "bits"),
    [(5, "10/3", 2), slow(8, "3374/765", 3)],
)
def test_elements_against_all_sets_are_a_part_of_disjointness(n, value, bits, monkeypatch):
    rows, columns = 1 << np.arange(n), np.arange(1 << n)
    monkeypatch.setattr(rectangle_bounds, "symmetric_submatrices", lambda codes, clock: [(rows, columns)])
    matrix = disjointness(n).matrix
    bracket = checked(partition_bound(matrix, "1/3"), matrix)
    assert (bracket.lower, bracket.upper) == (Fraction(value), None)
    assert partition_bits(matrix, "1/3").lower == bits


@pytest.mark.parametrize("error", ["0", "1/3"])
@pytest.mark.parametrize("function", [disjointness(2), inner_product(2), equality(2)])
def test_equal_weights_on_cells_that_look_alike_lose_nothing(function, error, monkeypatch):
    whole = partition_bound(function.matrix, error)
    lines = np.arange(function.matrix.shape[0])
    monkeypatch.setattr(rectangle_bounds, "MOST_ROWS", 0)
    every = lambda codes, clock: [(lines[: len(codes)], lines[: codes.shape[1]])]  # noqa: E731
    monkeypatch.setattr(rectangle_bounds, "symmetric_submatrices", every)
    assert checked(partition_bound(function.matrix, error), function.matrix).lower == whole.lower


@pytest.mark.parametrize("name", ["gamma_2", slow("partition bound")])
def test_what_the_corner_of_a_large_table_needs_the_whole_needs(monkeypatch, name):
    monkeypatch.setattr(public_coins, "LARGE", 8)
    monkeypatch.setattr(public_coins, "MOST_EXACT", 4)
    matrix = disjointness(4).matrix
    found = public_coins._methods(matrix, Fraction(1, 3))[name](20.0)
    corner = CommunicationMatrix(matrix.codes[:8, :8], matrix.labels)
    for table in (matrix, corner):
        assert check(table.codes.tolist(), "randomised", "lower", found.parameters, found.lower_witness) == found.lower
    with pytest.raises(Refused):
        check([[1]], "randomised", "lower", found.parameters, found.lower_witness)


def test_weights_of_cells_prove_what_a_heaviest_rectangle_of_any_answer_allows():
    shapes, draw = rectangles((3, 3)), np.random.default_rng(2)
    parameters = {"answer": "both", "coins": "public", "error": "1/4"}
    for _ in range(40):
        codes, phi = draw.integers(-1, 3, (3, 3)), draw.integers(-2, 3, (3, 3))
        mu = draw.integers(0, 4, (3, 3)) * (codes >= 0)
        values = [np.where(codes == answer, mu, 0) + phi for answer in (-1, *np.unique(codes[codes >= 0]))]
        heaviest = max(0, *(int((shape * table).sum()) for table in values for shape in shapes))
        gain = Fraction(3, 4) * int(mu.sum()) + int(phi.sum())
        cells = [[*cell, f"{mu[cell]}/1", f"{phi[cell]}/1"] for cell in np.ndindex(3, 3)]
        found = check(codes.tolist(), "partition-bound", "lower", parameters, {"kind": "cell-weights", "cells": cells})
        assert found == (max(0, gain / heaviest) if heaviest else 0)
