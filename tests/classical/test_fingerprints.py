"""Equality and greater than by fingerprints: errors and bits are those that are claimed."""

from fractions import Fraction
from itertools import product
from math import ceil, isqrt, log2, prod

import numpy as np
import pytest

from ccsim.errors import InputError
from protocols.classical import (
    ReedSolomonSquare,
    fingerprint_equality,
    fingerprint_greater_than,
    inner_product_equality,
    simultaneous_equality,
)
from protocols.classical.fingerprints import first_primes, most_prime_factors, prime_from
from tests.slow import slow

THIRD = Fraction(1, 3)


def is_tight(protocol):
    """Measures; equal strings must always be told so."""
    measured = protocol.measure_error()
    assert measured.exact
    assert not measured.violations
    assert not np.diag(measured.wrong).any()
    assert measured.worst_error == protocol.error
    assert measured.worst_bits == protocol.cost.bits
    assert measured.expected_bits == protocol.cost.bits
    return protocol


@pytest.mark.parametrize(("n", "t"), [(1, 4), (2, 2), (3, 1), slow(3, 2), slow(5, 1), slow(8, 1)])
def test_inner_products(n, t):
    protocol = is_tight(inner_product_equality(n, t))
    assert (protocol.cost.bits, protocol.error) == (t + 1, Fraction(1, 2**t))
    if n == 2:  # any two strings are confused equally often
        assert set(protocol.measure_error().wrong[~np.eye(4, dtype=bool)].tolist()) == {2 ** (n * t - t)}


@pytest.mark.parametrize(
    ("n", "error"), [(1, THIRD), (2, Fraction(1, 10)), (4, THIRD), slow(5, Fraction(1, 10)), slow(7, THIRD)]
)
def test_fingerprints(n, error):
    protocol = is_tight(fingerprint_equality(n, error))
    assert protocol.error <= error
    primes = protocol.cost.parameters["P"]
    largest = protocol.cost.parameters["p"]
    assert protocol.cost.bits == ceil(log2(primes)) + ceil(log2(largest)) + 1
    assert primes == max(1, ceil(most_prime_factors(n) / error))


def test_fingerprints_are_confused_when_the_prime_divides_the_difference():
    protocol = fingerprint_equality(4)
    primes = first_primes(protocol.private["alice"].size)
    wrong = protocol.measure_error().wrong
    for x, y in product(range(16), repeat=2):
        assert wrong[x, y] == (sum((x - y) % prime == 0 for prime in primes) if x != y else 0)


@pytest.mark.parametrize("n", [1, 2, 3, slow(4)])
def test_simultaneous_messages(n):
    protocol = is_tight(simultaneous_equality(n))
    side, field = protocol.cost.parameters["s"], protocol.cost.parameters["q"]
    assert protocol.cost.bits == 2 * (ceil(log2(side)) + side * ceil(log2(field)))
    assert protocol.error <= THIRD


@pytest.mark.parametrize(("n", "block", "side"), [(4, 2, 2), (6, 3, 3), (7, 3, 3), (8, 4, 4), (9, 3, 3)])
def test_code_words_agree_as_often_as_claimed(n, block, side):
    square = ReedSolomonSquare(n, block, side)
    points = np.broadcast_to(np.arange(side**2), (2**n, side**2))
    words = square.values(np.arange(2**n), points)
    coefficients = [[number >> place & (2**block - 1) for place in range(0, n, block)] for number in range(2**n)]
    assert words.tolist() == [
        [sum(c * x**power for power, c in enumerate(row)) % square.field for x in range(side**2)]
        for row in coefficients
    ]
    most = max(int((words[0 if n > 7 else x] == words[x + 1 :]).sum(axis=1).max()) for x in range(2**n - 1))
    if n <= 7:
        assert Fraction(most, side**2) == square.agreement
    assert Fraction(most, side**2) <= square.agreement


@pytest.mark.parametrize("build", [inner_product_equality, fingerprint_equality, simultaneous_equality])
def test_strings_of_any_length_run(build):
    for n in (62, 63, 200):
        protocol, x = build(n), ("0110100110010110" * 13)[:n]
        assert protocol.run(x, x, seed=1).answer == 1
        different = [protocol.run(x, x[:-1] + str(1 - int(x[-1])), seed=seed) for seed in range(8)]
        assert any(run.answer == 0 for run in different), n
        assert {run.bits for run in different} == {protocol.cost.bits}


def test_primes():
    primes = first_primes(200)
    assert primes == [p for p in range(2, primes[-1] + 1) if all(p % d for d in range(2, isqrt(p) + 1))]
    for n in (4, 10, 40):
        k = most_prime_factors(n)
        assert prod(first_primes(k)) < 2**n <= prod(first_primes(k + 1))
    assert [prime_from(low) for low in (0, 2, 3, 90)] == [2, 2, 3, 97]


def test_an_error_that_is_none():
    for build, error in product((fingerprint_equality, simultaneous_equality), (0, 1, -THIRD, "often", None, np.nan)):
        with pytest.raises(InputError, match=r"^error = "):
            build(4, error)


def test_other_bad_arguments():
    with pytest.raises(InputError, match="repetitions = 0"):
        inner_product_equality(4, 0)
    with pytest.raises(InputError, match="n = 0"):
        fingerprint_equality(0)


@pytest.mark.parametrize(("n", "error"), [(1, Fraction(1, 3)), (2, Fraction(1, 4)), slow(3, Fraction(1, 2))])
def test_error_and_cost(n, error):
    protocol = fingerprint_greater_than(n, error)
    measured = protocol.measure_error()
    t = protocol.cost.parameters["t"]
    assert measured.exact
    assert not measured.violations
    assert not np.diag(measured.wrong).any()
    assert measured.worst_error <= protocol.error == Fraction(ceil(log2(n)), 2**t) <= error
    assert measured.worst_bits == protocol.cost.bits == (t + 1) * ceil(log2(n)) + 2


@pytest.mark.slow
def test_sampled_at_a_larger_size():
    protocol = fingerprint_greater_than(6)
    measured = protocol.measure_error(samples=10, seed=1)
    assert measured.within_claim
    assert measured.worst_bits == protocol.cost.bits


def test_long_strings_run_and_the_error_is_real():
    assert fingerprint_greater_than(2, Fraction(1, 2)).measure_error().worst_error == Fraction(1, 2)
    protocol = fingerprint_greater_than(200, Fraction(1, 10**6))
    x, y = "0" * 90 + "1" + "0" * 109, "0" * 91 + "1" * 109
    assert [protocol.run(*pair, seed=0).answer for pair in ((x, y), (y, x), (x, x))] == [1, 0, 0]
