"""The fewest bits with which a construction is right, and that none of fewer is, wherever the point stands."""

import numpy as np
import pytest

from ccsim.arithmetic import Precision
from ccsim.errors import InputError
from ccsim.problems import (
    associative_recall,
    equality_of_halves,
    index_lookup,
    intersection_of_halves,
    match2,
    match3,
    match3_bigram,
)
from protocols.constructions import (
    BinaryAddresses,
    SparseThreshold,
    associative_recall_transformer,
    equality_transformer,
    index_lookup_transformer,
    match2_unit,
    match3_bigram_transformer,
    match3_tensor,
    threshold_transformer,
)
from tests.constructions.test_equality_model import check_words
from tests.slow import slow


def fewest_bits(build, is_right):
    """The first number of bits of which some two's complement format makes a model that is right; formats are tried."""
    for bits in range(1, 24):
        for integer_bits in range(bits):
            try:
                model = build(Precision.fixed_point(integer_bits, bits - 1 - integer_bits))
            except InputError:  # a precision that is refused is too small
                continue
            if is_right(model):
                return bits
    raise AssertionError


def lookup(length, symbols="01"):
    return lambda p: index_lookup_transformer(length, symbols, precision=p, verify=False), index_lookup(length, symbols)


def equality(length):
    return lambda p: equality_transformer(length, precision=p, verify=False), equality_of_halves(length)


def recall(pairs, route):
    made = associative_recall(pairs)
    return lambda p: associative_recall_transformer(pairs, route=route, precision=p, verify=False), made


def threshold(length):
    made = SparseThreshold.halves(length, lambda a, b: a and b, "any")
    return lambda p: threshold_transformer(made, precision=p, verify=False), intersection_of_halves(length)


def matching(build, task, *sizes, **options):
    return lambda p: build(*sizes, precision=p, **options), task(*sizes)


CASES = [
    *((lookup(length), 2) for length in (2, 4, 8)),
    (lookup(3, "abcde"), 3),
    *((equality(length), bits) for length, bits in ((2, 3), (4, 5), (6, 6), (8, 6), (10, 8))),
    *((recall(pairs, "address"), bits) for pairs, bits in ((1, 3), (2, 4), (3, 3))),
    *((recall(pairs, "copy"), 2) for pairs in (1, 2, 3)),
    *((threshold(length), bits) for length, bits in ((2, 4), (4, 7), (6, 6), (8, 8))),
    *((matching(match2_unit, match2, 3, 5, shifted=shifted), 8) for shifted in (True, False)),
    (matching(match2_unit, match2, 4, 7), 10),
    *(
        (matching(match3_bigram_transformer, match3_bigram, *sizes), bits)
        for sizes, bits in (((3, 5), 10), ((4, 7), 11))
    ),
    *((matching(match3_tensor, match3, length, 5), 8) for length in (3, 4)),
]


@pytest.mark.parametrize(("case", "bits"), CASES)
def test_the_fewest_bits_on_all_words(case, bits):
    build, task = case
    assert fewest_bits(build, lambda model: model.is_right(task)) == bits


@pytest.mark.parametrize(
    ("length", "binary", "bits"),
    [(16, False, 8), (64, False, 11), slow(256, False, 13), slow(256, True, 14), slow(1024, False, 15)],
)
def test_the_default_precision_of_equality_is_the_smallest(length, binary, bits):
    words, addresses = check_words(length), BinaryAddresses(length) if binary else None
    wanted, default = equality_of_halves(length).evaluate(words), equality_transformer(length, addresses=addresses)

    def build(precision):
        return equality_transformer(length, precision=precision, addresses=addresses, verify=False)

    assert fewest_bits(build, lambda model: np.array_equal(model.codes(words), wanted)) == default.precision.bits
    assert bits == default.precision.bits
