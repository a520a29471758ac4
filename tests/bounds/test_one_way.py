"""One message: known values, brute force over all messages, with public coins too, and mutated witnesses."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ccsim.bounds import (
    brackets_of,
    one_way,
    one_way_messages,
    one_way_public_coins,
    one_way_randomised,
    one_way_success,
    public_coin_complexity,
    randomised_by_discrepancy,
    vc_dimension,
)
from ccsim.bounds.bracket import UNKNOWN
from ccsim.bounds.measures import _messages_at_once, question_about
from ccsim.bounds.one_message import shattered_bound
from ccsim.certificates.verify import Refused, check
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import equality, greater_than, index
from tests.bounds.brute_force import checked
from tests.certificates import truth
from tests.certificates.truth import TRUTHS
from tests.refusals import refused
from tests.speed import patient

DIRECTIONS = ("alice-to-bob", "bob-to-alice")


def test_index():
    for n in [1, 2, 3, 4, 8]:
        matrix = index(n).matrix
        assert one_way(matrix).lower == one_way(matrix).upper == n
        assert one_way(matrix, "bob-to-alice").lower == (n - 1).bit_length()
        assert vc_dimension(matrix).lower == vc_dimension(matrix).upper == n


def test_equality_and_order_need_all_bits():
    for function in (equality, greater_than):
        for direction in DIRECTIONS:
            assert one_way(function(4).matrix, direction).lower == 4
    assert vc_dimension(equality(3).matrix).upper == 1


def test_messages_by_brute_force():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        values = [-1, -1, 0, 1] if seed % 2 else [-1, 0, 1, 2]
        matrix = CommunicationMatrix(rng.choice(values, size=(6, 4)), (0, 1, 2))
        for direction, table in zip(DIRECTIONS, (matrix.codes.tolist(), matrix.codes.T.tolist()), strict=True):
            found, bits = one_way_messages(matrix, direction), one_way(matrix, direction)
            assert found.lower == found.upper == TRUTHS["one-way-messages"](table, "alice-to-bob")
            assert bits.lower == bits.upper == (found.lower - 1).bit_length()


def test_dimension_by_brute_force():
    for seed in range(12):
        rng = np.random.default_rng(seed)
        matrix = CommunicationMatrix(rng.integers(-(seed % 2), 2, size=(9 + 5 * seed, 5 + seed % 3)), (0, 1))
        found = vc_dimension(matrix)
        assert found.lower == found.upper == TRUTHS["vc-dimension"](matrix.codes.tolist(), "alice-to-bob")


def test_listings_prove_the_dimension_and_no_less():
    """Also where rows have the same answers 0, or the same answers 1, and others are undefined."""
    for seed in range(60):
        table = np.random.default_rng(seed).integers(-1, 2, size=(8, 3)).tolist()
        for most in range(3):
            witness, dimension = {"kind": "vc-listing", "at_most": most}, TRUTHS["vc-dimension"](table, DIRECTIONS[0])
            try:
                found = check(table, "vc-dimension", "upper", {"direction": DIRECTIONS[0]}, witness)
            except Refused:
                found = None
            assert found == (most if most >= dimension else None)


def test_messages_of_a_mixture_are_numbered_by_whole_bits():
    for count in range(1, 10):
        every = list(range(count))
        answers = [[int(place == other) for place in every] for other in every]
        witness = {"kind": "message-mixture", "protocols": [{"weight": "1/1", "messages": every, "answers": answers}]}
        for direction in DIRECTIONS:
            parameters = {"direction": direction, "error": "0/1"}
            found = check(answers, "one-way-randomised", "upper", parameters, witness)
            assert found == (count - 1).bit_length()


def test_both_directions_of_large_matrices_have_a_quick_bound():
    """Also where neither all places nor the powers of 2 are shattered, and in the time of the first bounds."""
    words = np.arange(1 << 9)
    near = CommunicationMatrix.from_array((np.bitwise_count(words[:, None] ^ words) <= 3).astype(int))
    noise = CommunicationMatrix.from_array(np.random.default_rng(0).integers(0, 2, (700, 600)))
    for matrix, least in ((near, 5), (noise, 6)):
        known = _messages_at_once(question_about(matrix))
        for direction in DIRECTIONS:
            found = known[direction, "coins"]
            assert found.lower == 1
            places = found.lower_witness["of"]["places"]
            assert len(places) >= least
            checked(replace(found, above=UNKNOWN), matrix)
    partial = CommunicationMatrix(np.where(np.eye(300, dtype=bool), -1, 0), (0, 1))
    assert shattered_bound(partial, DIRECTIONS[0], Fraction(1, 3)) is None


def test_matrices_too_large_for_all_protocols_have_brackets():
    table = np.random.default_rng(0).integers(0, 2, size=(17, 17))
    for direction in DIRECTIONS:
        found = one_way_public_coins(table, "1/3", direction)
        assert 0 < found.lower <= found.upper <= 5
    assert one_way_public_coins(table * 2 + np.eye(17, dtype=int), "1/3").upper <= 5
    both = public_coin_complexity(table, "1/3", seconds=1.0)
    assert 1 <= both.lower <= both.upper <= 6


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


def test_an_error_is_a_fraction_or_its_text():
    matrix = index(2).matrix
    for bound in (one_way_randomised, randomised_by_discrepancy):
        assert [str(bound(matrix, error=e)) for e in ("1/10", 0.1)] == [str(bound(matrix, error=Fraction(1, 10)))] * 2
        with refused("expected a fraction", "error"):
            bound(matrix, error=float("nan"))


tables = st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 3)]).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(-1, 1))
)


def test_index_errs_as_far_as_words_are_from_a_code():
    for bits, error in enumerate(("1/2", "1/4", "1/6", "0")):
        found = checked(one_way_success(index(3), bits), index(3).matrix)
        assert found.lower == found.upper == 1 - Fraction(error)


@settings(max_examples=15, deadline=None)
@given(tables, st.integers(0, 2), st.sampled_from(DIRECTIONS))
def test_success_is_that_of_all_messages(codes, bits, direction):
    if (codes < 0).all():
        return
    matrix = CommunicationMatrix(codes, (0, 1))
    found = checked(one_way_success(matrix, bits, direction), matrix)
    assert found.exact
    assert abs(float(found.lower) - truth.one_way_success(codes.tolist(), direction, bits)) < 1e-7


def test_bits_agree_with_success():
    for direction in DIRECTIONS:
        for function in [index(2), greater_than(2), equality(2)]:
            for error in ("0", "1/3"):
                found = checked(one_way_public_coins(function, error, direction), function.matrix)
                success = (one_way_success(function, bits, direction).lower for bits in range(4))
                assert found.lower == found.upper == next(b for b, s in enumerate(success) if s >= 1 - Fraction(error))


@pytest.mark.slow
@pytest.mark.parametrize(("size", "bits"), [(10, 1), (10, 2), (10, 3), (12, 1)])
def test_random_matrices_are_exact(size, bits):
    matrix = CommunicationMatrix.from_array(np.random.default_rng(1).integers(0, 2, (size, size)))
    assert checked(one_way_success(matrix, bits, seconds=patient(600)), matrix).exact


def test_spoilt_certificates_prove_less_or_nothing():
    found, table = one_way_success(index(2), 1), index(2).matrix.codes.tolist()
    protocols, parameters = found.lower_witness["protocols"], found.parameters
    for place in range(len(protocols)):
        turned = [dict(one) for one in protocols]
        turned[place]["messages"] = [1 - message for message in turned[place]["messages"]]
        witness = {"kind": "message-mixture", "protocols": turned}
        assert check(table, "one-way success", "lower", parameters, witness) < found.lower
        fewer = {"kind": "message-mixture", "protocols": turned[:place] + turned[place + 1 :]}
        with pytest.raises(Refused):
            check(table, "one-way success", "lower", parameters, fewer)
    with pytest.raises(Refused):  # two messages are not to be had without a bit
        check(table, "one-way success", "lower", {**parameters, "bits": 0}, found.lower_witness)
    with pytest.raises(Refused):  # what is hard for one bit says nothing of two
        check(table, "one-way success", "upper", {**parameters, "bits": 2}, found.upper_witness)
    skewed = {**found.upper_witness, "cells": [[0, 0, "1/1"]]}
    assert check(table, "one-way success", "upper", parameters, skewed) == 1


def test_the_bracket_of_a_measure_is_as_good_as_all_messages():
    found = {bracket.name: bracket for bracket in brackets_of(index(3), "one-way", error="1/5")}
    for direction in ("Alice to Bob", "Bob to Alice"):
        bracket = found[f"one-way-randomised (from {direction}, error 1/5)"]
        assert (bracket.lower, bracket.upper) == (2, 2)
        assert bracket.certificate.verify()
