"""INDEX with fewer bits than it has: exact errors, entropy, counting, and a message that reaches them."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from ccsim import InputError
from ccsim.bounds.one_message import keeps_entropy_bound
from ccsim.problems import equality, greater_than, index
from protocols.reductions.one_way_error import (
    error_of_balls,
    least_one_way_error,
    least_worst_error,
    nearest_words,
    restored_words,
    syndrome_index,
)


def least_distance(n, messages):
    """The least average distance to so many words, by going through all sets."""
    words = list(product((0, 1), repeat=n))
    best = min(
        sum(min(sum(a != b for a, b in zip(word, near, strict=True)) for near in chosen) for word in words)
        for chosen in combinations_with_replacement(words, messages)
    )
    return Fraction(best, n * len(words))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_exact_errors_by_all_sets_of_words(n):
    for bits in range(n + 1):
        assert least_one_way_error(index(n), bits).upper == least_distance(n, 1 << bits)


@pytest.mark.parametrize("n", range(1, 7))
def test_entropy_and_counting_are_below_the_exact_errors(n):
    for bits in range(n + 1):
        found = least_one_way_error(index(n), bits)
        assert error_of_balls(n, 1 << bits) <= found.upper
        assert keeps_entropy_bound(found.upper, n, bits)
    assert found.upper == 0


@pytest.mark.parametrize(("n", "bits"), [(1, 0), (2, 1), (3, 0), (3, 1), (3, 3)])
def test_the_game_has_the_error_on_uniform_inputs(n, bits):
    found = least_worst_error(index(n), bits)
    assert found.error == least_one_way_error(index(n), bits).upper
    assert sum(share for share, _ in found.mixture) == 1 == found.distribution.sum()
    wrong = sum(share * inputs for share, inputs in found.mixture)
    assert np.max(wrong) == found.error


def test_the_game_of_functions_whose_hard_inputs_are_not_uniform():
    assert least_worst_error(greater_than(2), 1).error == Fraction(1, 4)
    assert least_worst_error(equality(1), 1).error == 0
    assert least_worst_error(equality(2), 0).error == Fraction(1, 2)
    with pytest.raises(InputError):
        least_worst_error(index(4), 1)


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
