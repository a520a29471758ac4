"""The default precision of equality has the fewest bits with which it is right, wherever the point stands."""

import numpy as np
import pytest

from ccsim.arithmetic import Precision
from ccsim.errors import InputError
from ccsim.problems import equality_of_halves
from protocols.constructions import BinaryAddresses, equality_transformer
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


@pytest.mark.parametrize(
    ("length", "binary", "bits"),
    [(16, False, 8), slow(64, False, 11), slow(256, False, 13), slow(256, True, 14), slow(1024, False, 15)],
)
def test_the_default_precision_of_equality_is_the_smallest(length, binary, bits):
    words, addresses = check_words(length), BinaryAddresses(length) if binary else None
    wanted, default = equality_of_halves(length).evaluate(words), equality_transformer(length, addresses=addresses)

    def build(precision):
        return equality_transformer(length, precision=precision, addresses=addresses, verify=False)

    assert fewest_bits(build, lambda model: np.array_equal(model.codes(words), wanted)) == default.precision.bits
    assert bits == default.precision.bits
