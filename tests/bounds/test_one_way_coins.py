"""One message with public coins: known errors, brute force over all messages, and spoilt certificates."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ccsim.bounds import brackets_of, one_way_public_coins, one_way_success
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import equality, greater_than, index
from tests.certificates import truth
from tests.speed import patient

DIRECTIONS = ("alice-to-bob", "bob-to-alice")
tables = st.sampled_from([(2, 2), (2, 3), (3, 2), (3, 3)]).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(-1, 1))
)


def checked(bracket, matrix):
    table = matrix.codes.tolist()
    for side in ("lower", "upper"):
        value, witness = getattr(bracket, side), getattr(bracket, f"{side}_witness")
        if witness is not None:
            assert check(table, bracket.measure, side, bracket.parameters, witness) == value
    return bracket


@pytest.mark.parametrize(("bits", "error"), list(enumerate(("1/2", "1/4", "1/6", "0"))))
def test_index_errs_as_far_as_words_are_from_a_code(bits, error):
    found = checked(one_way_success(index(3), bits), index(3).matrix)
    assert found.lower == found.upper == 1 - Fraction(error)


@settings(max_examples=40, deadline=None)
@given(tables, st.integers(0, 2), st.sampled_from(DIRECTIONS))
def test_success_is_that_of_all_messages(codes, bits, direction):
    if (codes < 0).all():
        return
    matrix = CommunicationMatrix(codes, (0, 1))
    found = checked(one_way_success(matrix, bits, direction), matrix)
    assert found.exact
    assert abs(float(found.lower) - truth.one_way_success(codes.tolist(), direction, bits)) < 1e-7


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("function", [index(2), greater_than(2), equality(2)])
@pytest.mark.parametrize("error", ["0", "1/5", "1/3"])
def test_bits_agree_with_success(function, error, direction):
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


@pytest.mark.parametrize(
    "call",
    [
        lambda: one_way_success(equality(4), 1),
        lambda: one_way_success(equality(1), -1),
        lambda: one_way_success(equality(1), 1, "down"),
        lambda: one_way_success(CommunicationMatrix(np.full((2, 2), -1), (0, 1)), 1),
        lambda: one_way_public_coins(equality(1), 1),
    ],
)
def test_what_makes_no_sense_is_refused(call):
    with pytest.raises(InputError):
        call()


def test_the_bracket_of_a_measure_is_as_good_as_all_messages():
    found = {bracket.name: bracket for bracket in brackets_of(index(3), "one-way", error="1/5")}
    for direction in ("Alice to Bob", "Bob to Alice"):
        bracket = found[f"one-way-randomised (from {direction}, error 1/5)"]
        assert (bracket.lower, bracket.upper) == (2, 2)
        assert bracket.certificate.verify()
