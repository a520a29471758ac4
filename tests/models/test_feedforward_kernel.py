"""Feed-forward networks are exact, and those with a narrow first layer have two inputs that they cannot tell apart."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.reductions.feedforward_kernel import feedforward_kernel
from tests.refusals import refused


def product(weights, vector):
    return [sum((Fraction(a) * b for a, b in zip(row, vector, strict=True)), Fraction(0)) for row in weights]


def drawn(inputs, width, seed, largest=9):
    return np.random.default_rng(seed).integers(-largest, largest + 1, (width, inputs))


def test_the_first_layer_is_exact():
    weights = [[Fraction(1, 3), 2, 0.25, 1], [10**20, Fraction(-7, 2), 0, 1]]
    collision = feedforward_kernel(weights, length=4, q=1)
    assert collision.verify()
    assert collision.weights == tuple(tuple(map(Fraction, row)) for row in weights)
    for vector in collision.inputs:
        assert product(weights, vector) == list(collision.image)


@given(st.integers(2, 7), st.integers(1, 6), st.integers(1, 3), st.integers(0, 30), st.booleans())
def test_every_width_below_n_fails_by_more_than_one_over_twice_q(length, width, q, seed, swap):
    """d' = 1, N >= 2q: for every kernel vector, as the docstring proves; the average is checked by hand."""
    width, q = min(width, length - 1), min(q, length // 2)
    weights = drawn(length, width, seed, largest=1 if swap else 9)
    collision = feedforward_kernel(weights, length=length, q=q)
    first, second = collision.inputs
    assert collision.verify()
    assert first != second
    assert all(-1 <= entry <= 1 for entry in first + second)
    assert product(weights.tolist(), first) == product(weights.tolist(), second)
    averages = [sum((x[place - 1] for place in collision.subset), Fraction(0)) / q for x in collision.inputs]
    assert averages == [average[0] for average in collision.averages]
    assert abs(averages[0] - averages[1]) / 2 > Fraction(1, 2 * q)
    assert collision.is_too_much
    best = max(abs(sum(first[place] for place in chosen)) for chosen in itertools.combinations(range(length), q))
    assert abs(averages[0]) * q >= best  # no subset does better on this kernel vector


@pytest.mark.parametrize(("length", "dimension", "q"), [(4, 2, 1), (5, 3, 2), (6, 2, 3), (3, 4, 1)])
def test_vectors_stay_in_the_ball(length, dimension, q):
    for width in (1, length * dimension // 2, length * dimension - 1):
        weights = drawn(length * dimension, width, seed=width)
        collision = feedforward_kernel(weights, length=length, q=q, dimension=dimension)
        longest = max(sum(entry**2 for entry in z) for z in collision.vectors[0])
        assert Fraction(999, 1000) < longest <= 1
        assert collision.verify()
        averages = [np.mean(np.array([z[j - 1] for j in collision.subset], float), axis=0) for z in collision.vectors]
        squared = float(np.sum((averages[0] - averages[1]) ** 2)) / 4
        assert squared == pytest.approx(float(collision.squared_error))
        if q == 1:
            assert squared > 1 / dimension - 0.01  # one coordinate of a vector of length 1


def test_a_wrong_pair_is_not_verified():
    collision = feedforward_kernel(drawn(5, 2, seed=0), length=5, q=2)
    vectors = collision.vectors
    doubled = tuple(tuple(2 * entry for entry in z) for z in vectors[0])
    for wrong in (
        replace(collision, weights=(*collision.weights, (Fraction(1), *[Fraction(0)] * 4), collision.weights[0])),
        replace(collision, weights=tuple(tuple(entry + 1 for entry in row) for row in collision.weights)),
        replace(collision, subset=(1, 1)),
        replace(collision, subset=(1, 9)),
        replace(collision, subset=()),
        replace(collision, averages=(collision.averages[0], collision.averages[0])),
        replace(collision, averages=collision.averages[::-1]),
        replace(collision, image=tuple(entry + 1 for entry in collision.image)),
        replace(collision, vectors=(vectors[0], vectors[0])),
        replace(collision, vectors=(doubled, vectors[1])),
    ):
        assert not wrong.verify()


def test_bad_input():
    narrow = drawn(4, 2, seed=0)
    for call, expected in [
        (lambda: feedforward_kernel(np.eye(4, dtype=int), length=4, q=1), "fewer than 4"),
        (lambda: feedforward_kernel([[1, 1]], length=2, q=2), "always cancel"),
        (lambda: feedforward_kernel(narrow, length=3, q=1), "rows of 3 numbers"),
        (lambda: feedforward_kernel(narrow, length=4, q=5), "from 1 to 4"),
        (lambda: feedforward_kernel(narrow, length=4, q=1, dimension=0), "at least 1"),
        (lambda: feedforward_kernel(5, length=3, q=2), "weights"),
        (lambda: feedforward_kernel([], length=1, q=1), "rows of 1 numbers"),
        (lambda: feedforward_kernel([1, 2], length=2, q=1), "rows of integers"),
        (lambda: feedforward_kernel([["a", 1]], length=2, q=1), "Fractions"),
        (lambda: feedforward_kernel([[float("nan"), 1]], length=2, q=1), "finite"),
        (lambda: feedforward_kernel([[float("inf"), 1]], length=2, q=1), "finite"),
    ]:
        with refused(expected):
            call()
    assert feedforward_kernel([[1, -1]], length=2, q=2).squared_error == 1  # the kernel is spanned by (1, 1)
