"""Greater-than by fingerprints of prefixes."""

from fractions import Fraction
from math import ceil, log2

import numpy as np
import pytest

from protocols.classical import fingerprint_greater_than


@pytest.mark.parametrize(("n", "error"), [(1, Fraction(1, 3)), (2, Fraction(1, 8)), (3, Fraction(1, 2))])
def test_error_and_cost(n, error):
    protocol = fingerprint_greater_than(n, error)
    measured = protocol.measure_error()
    t = protocol.cost.parameters["t"]
    assert measured.exact
    assert not measured.violations
    assert not np.diag(measured.wrong).any()
    assert measured.worst_error <= protocol.error == Fraction(ceil(log2(n)), 2**t) <= error
    assert measured.worst_bits == protocol.cost.bits == (t + 1) * ceil(log2(n)) + 2


def test_the_error_is_real():
    assert fingerprint_greater_than(2, Fraction(1, 2)).measure_error().worst_error == Fraction(1, 2)


@pytest.mark.slow
def test_sampled_at_a_larger_size():
    protocol = fingerprint_greater_than(6)
    measured = protocol.measure_error(samples=10, seed=1)
    assert measured.within_claim
    assert measured.worst_bits == protocol.cost.bits


def test_growth():
    for n in (2, 16, 1000, 10**6):
        bits = fingerprint_greater_than(n).cost.bits
        assert log2(n) <= bits <= (log2(n) + 1) * (log2(log2(n) + 1) + 4) + 2


def test_long_strings_run():
    protocol = fingerprint_greater_than(200, Fraction(1, 10**6))
    x, y = "0" * 90 + "1" + "0" * 109, "0" * 91 + "1" * 109
    assert [protocol.run(*pair, seed=0).answer for pair in ((x, y), (y, x), (x, x))] == [1, 0, 0]
