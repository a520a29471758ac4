"""Promise problems: messages of joined inputs, and mixtures of messages, against definitions and each other."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice, product

import numpy as np
import pytest

from ccsim.bounds import deterministic, one_way, one_way_success, public_coin_complexity
from ccsim.bounds.bracket import UNKNOWN, Side
from ccsim.bounds.one_message import LargeGame, message_mixtures
from ccsim.bounds.public_coins import _by_messages, _by_parts
from ccsim.bounds.scheduler import Clock
from ccsim.bounds.tree_search import DeterministicSearch
from ccsim.certificates.verify import check
from ccsim.matrices import CommunicationMatrix
from tests.bounds.brute_force import checked, deterministic_by_definition
from tests.speed import patient

DIRECTIONS = ("alice-to-bob", "bob-to-alice")
THIRD = Fraction(1, 3)


def distances(n):
    strings = np.arange(1 << n)
    return np.bitwise_count(strings[:, None] ^ strings).astype(int)


def gap_hamming(n, gap):
    return np.where(2 * distances(n) >= n + 2 * gap, 1, np.where(2 * distances(n) <= n - 2 * gap, 0, -1))


def gap_equality(n, gap):
    return np.where(distances(n) == 0, 1, np.where(distances(n) >= gap, 0, -1))


def drawn(shape, share, seed, labels=2):
    rng = np.random.default_rng(seed)
    codes = np.where(rng.random(shape) < share, -1, rng.integers(0, labels, shape))
    return CommunicationMatrix(codes, tuple(range(labels)))


@pytest.mark.parametrize(
    ("codes", "bits", "coins"),
    [
        (gap_hamming(5, 1), 4, 2),
        (gap_equality(5, 2), 5, 2),
        (gap_equality(6, 5), 3, 2),
        (np.where(distances(4) == 0, 1, np.where(distances(4) == 2, 0, -1)), 3, 2),  # Deutsch-Jozsa
    ],
)
def test_known_values(codes, bits, coins):
    matrix = CommunicationMatrix(codes)
    for found, value in ((deterministic(matrix), bits), (public_coin_complexity(matrix, "1/3"), coins)):
        assert found.lower == found.upper == value
        assert checked(found, matrix)
    for direction in DIRECTIONS:
        *_, found = message_mixtures(matrix, THIRD, direction, Side(5), Clock())
        assert found.upper == 1
        assert checked(found, matrix)


@pytest.mark.parametrize(("n", "gap", "bits"), [(7, 1, 4), (8, 3, 2), (8, 1, 6), (10, 4, 2)])
def test_fooling_sets_bound_protocols_of_many_inputs(n, gap, bits):
    matrix = CommunicationMatrix(gap_hamming(n, gap))
    found = deterministic(matrix, seconds=patient(2.0))
    assert found.lower >= bits
    assert check(matrix.codes.tolist(), found.measure, "lower", found.parameters, found.lower_witness) == found.lower


@pytest.mark.parametrize("n", [3, 5, 6])
def test_one_bit_decides_equality_with_the_error_of_all_parities(n):
    """Of 2^n - 1 parities, q = 2^(n-1) - 1 agree on a pair; the constant 0 is mixed in. That leaves no room."""
    matrix = CommunicationMatrix(np.eye(1 << n, dtype=int))
    agree = Fraction((1 << n - 1) - 1, (1 << n) - 1)
    *_, found = message_mixtures(matrix, agree / (1 + agree), DIRECTIONS[0], Side(2), Clock())
    assert found.upper == 1
    assert checked(found, matrix)


def last(brackets, known):
    values = [known, *(found.upper for found in brackets)]
    assert values == sorted(values, reverse=True)
    return values[-1]


def test_first_protocols_are_one_message_and_a_reply():
    for seed in range(40):
        matrix = drawn((4 + seed % 14, 3 + seed % 9), 0.3 + seed % 5 / 10, seed, 2 + seed % 2)
        for answer, rounds, first in product(("both", "bob"), (None, 2), (None, "bob")):
            if first and not rounds:
                continue
            search = DeterministicSearch(matrix, answer=answer, rounds=rounds, first=first, clock=Clock())
            found = next(search.stages())
            assert checked(replace(found, below=UNKNOWN), matrix)
            for direction in DIRECTIONS[1:] if first else DIRECTIONS:
                known = direction == DIRECTIONS[0] and answer == "bob"
                reply = 0 if known else (len(matrix.labels) - 1).bit_length()
                assert found.upper <= one_way(matrix, direction, seconds=0.0).upper + reply


def test_protocols_of_tiny_matrices_by_definition():
    for seed in range(30):
        matrix = drawn((4, 4), 0.5, seed)
        found, table = deterministic(matrix), tuple(map(tuple, matrix.codes.tolist()))
        assert found.lower == found.upper == deterministic_by_definition(table)


def test_mixtures_of_messages_by_exact_games():
    better = 0
    for seed in range(12):
        matrix, direction = drawn((5 + seed % 5, 5), 0.1 * (seed % 6), seed, 2 + seed % 2), DIRECTIONS[seed % 2]
        certain = one_way(matrix, direction).above
        exact = next(bits for bits in range(5) if one_way_success(matrix, bits, direction).lower >= 1 - THIRD)
        found = list(message_mixtures(matrix, THIRD, direction, certain, Clock()))
        assert all(checked(one, matrix) for one in found)
        assert last(found, certain.value) == max(exact, min(1, certain.value))
        better += bool(found)
    for bits, lessons in ((1, 8), (2, 1)):  # a few protocols are right on the same cells
        game = LargeGame(matrix, bits, Clock(), 1 - THIRD)
        game.play(lessons)
        hard, value = game._mix()
        assert abs(hard.sum() - 1) < 1e-6
        assert abs(max(hard @ right for right in game.right) - value) < 1e-6
    assert better > 6


def test_coins_cost_no_more_than_messages_and_parts_no_more_than_all():
    for seed in range(4):
        matrix = drawn((7, 6), 0.4, seed)
        uppers = [found.upper for way in DIRECTIONS for found in _by_messages(matrix, THIRD, way, Clock())]
        lowers = list(islice(_by_parts(matrix, THIRD, Clock()), 3))
        assert all(checked(found, matrix) for found in lowers)
        exact = public_coin_complexity(matrix, "1/3")
        assert max((found.lower for found in lowers), default=0) <= exact.lower <= exact.upper
        assert exact.upper <= min(value for value in uppers if value is not None)
