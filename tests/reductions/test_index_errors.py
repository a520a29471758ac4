"""INDEX with fewer bits than it has: exact errors, entropy, counting, and a message that reaches them."""

from fractions import Fraction

import numpy as np
import pytest

from ccsim.bounds import one_way_success
from ccsim.bounds.one_message import keeps_entropy_bound
from ccsim.problems import index
from protocols.reductions.one_way_error import (
    error_of_balls,
    least_one_way_error,
    nearest_words,
    restored_words,
    syndrome_index,
)


@pytest.mark.parametrize("n", range(1, 7))
def test_entropy_and_counting_are_below_the_exact_errors(n):
    for bits in range(n + 1):
        found = least_one_way_error(index(n), bits)
        assert error_of_balls(n, 1 << bits) <= found.upper
        assert keeps_entropy_bound(found.upper, n, bits)
    assert found.upper == 0


@pytest.mark.parametrize(("n", "bits"), [(1, 0), (2, 1), (3, 0), (3, 1), (3, 3)])
def test_uniform_inputs_are_the_hardest(n, bits):
    assert 1 - one_way_success(index(n), bits).lower == least_one_way_error(index(n), bits).upper


@pytest.mark.parametrize("checks", [2, 3])
def test_a_hamming_code_reaches_what_counting_allows(checks):
    n = (1 << checks) - 1
    found = syndrome_index(checks).measure_error()
    assert (found.worst_error, found.exact, found.worst_bits) == (Fraction(1, n + 1), True, n - checks)
    assert found.worst_error == error_of_balls(n, 1 << (n - checks))


@pytest.mark.parametrize("checks", [2, 3, 4])
def test_nearest_words_are_at_most_a_flip_away(checks):
    n = (1 << checks) - 1
    words = np.arange(1 << n)
    near = restored_words(nearest_words(words, checks), checks)
    assert np.bitwise_count(words ^ near).max() == 1
    assert len(np.unique(near)) == 1 << (n - checks)
