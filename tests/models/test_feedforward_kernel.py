"""Feed-forward networks are exact, and those with a narrow first layer have two inputs that they cannot tell apart."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccsim.models import FeedForward
from protocols.reductions.feedforward_kernel import feedforward_kernel
from tests.refusals import refused


def product(weights, vector):
    return [sum((Fraction(a) * b for a, b in zip(row, vector, strict=True)), Fraction(0)) for row in weights]


def test_the_first_layer_is_exact():
    weights = [[Fraction(1, 3), 2, 0.25], [10**20, Fraction(-7, 2), 0]]
    network = FeedForward.of(weights)
    for vector in ([1, 2, 3], [Fraction(1, 7), 0, Fraction(-1, 2)], [10**30, -1, 5]):
        result = network(np.array([vector], dtype=object))
        assert [Fraction(entry) for entry in result[0]] == product(weights, vector)
    whole = FeedForward.of([[1, 2], [3, 4]], lambda values: values % 5)
    result = whole(np.array([[[1, 1], [2, 0]]]))
    assert (result.tolist(), result.dtype) == ([[[3, 2], [2, 1]]], np.int64)
    assert (network.width, network.inputs) == (2, 3)


@given(st.integers(2, 7), st.integers(1, 6), st.integers(1, 3), st.integers(0, 30), st.booleans())
def test_every_width_below_n_fails_by_more_than_one_over_twice_q(length, width, q, seed, swap):
    """d' = 1, N >= 2q: for every kernel vector, as the docstring proves; the average is checked by hand."""
    width, q = min(width, length - 1), min(q, length // 2)
    network = FeedForward.random(inputs=length, width=width, seed=seed, largest=1 if swap else 9)
    collision = feedforward_kernel(network, length=length, q=q)
    first, second = collision.inputs
    assert collision.verify()
    assert first != second
    assert all(-1 <= entry <= 1 for entry in first + second)
    assert product(network.numerators.tolist(), first) == product(network.numerators.tolist(), second)
    averages = [sum((x[place - 1] for place in collision.subset), Fraction(0)) / q for x in collision.inputs]
    assert averages == [average[0] for average in collision.averages]
    assert abs(averages[0] - averages[1]) / 2 > Fraction(1, 2 * q)
    assert collision.is_too_much
    best = max(abs(sum(first[place] for place in chosen)) for chosen in itertools.combinations(range(length), q))
    assert abs(averages[0]) * q >= best  # no subset does better on this kernel vector


@pytest.mark.parametrize(("length", "dimension", "q"), [(4, 2, 1), (5, 3, 2), (6, 2, 3), (3, 4, 1)])
def test_vectors_stay_in_the_ball(length, dimension, q):
    for width in (1, length * dimension // 2, length * dimension - 1):
        network = FeedForward.random(inputs=length * dimension, width=width, seed=width)
        collision = feedforward_kernel(network, length=length, q=q, dimension=dimension)
        longest = max(sum(entry**2 for entry in z) for z in collision.vectors[0])
        assert Fraction(999, 1000) < longest <= 1
        assert collision.verify()
        averages = [np.mean(np.array([z[j - 1] for j in collision.subset], float), axis=0) for z in collision.vectors]
        squared = float(np.sum((averages[0] - averages[1]) ** 2)) / 4
        assert squared == pytest.approx(float(collision.squared_error))
        if q == 1:
            assert squared > 1 / dimension - 0.01  # one coordinate of a vector of length 1


def test_a_wrong_pair_is_not_verified():
    collision = feedforward_kernel(FeedForward.random(inputs=5, width=2, seed=0), length=5, q=2)
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
    square = FeedForward.of(np.eye(4, dtype=int))
    narrow = FeedForward.random(inputs=4, width=2, seed=0)
    zero_sum = FeedForward.of([[1, -1]])  # the kernel is spanned by (1, 1)
    for call, expected in [
        (lambda: feedforward_kernel(square, length=4, q=1), "below 4"),
        (lambda: feedforward_kernel(FeedForward.of([[1, 1]]), length=2, q=2), "always cancel"),
        (lambda: feedforward_kernel(narrow, length=3, q=1), "3 inputs"),
        (lambda: feedforward_kernel(narrow, length=4, q=5), "from 1 to 4"),
        (lambda: feedforward_kernel(narrow, length=4, q=1, dimension=0), "at least 1"),
        (lambda: feedforward_kernel(5, length=3, q=2), "network"),
        (lambda: FeedForward.of([[float("nan")]]), "Fractions"),
        (lambda: FeedForward.of([["a"]]), "Fractions"),
        (lambda: FeedForward.of([1, 2]), "matrix"),
        (lambda: FeedForward(np.array([[0.5]])), "integers"),
        (lambda: FeedForward(np.array([[1]]), 0), "at least 1"),
        (lambda: FeedForward(np.array([[1]]), 1, 5), "a function"),
        (lambda: FeedForward.random(inputs=3, width=0, seed=0), "width"),
        (lambda: narrow(np.zeros((2, 3), dtype=int)), r"\(\.\.\., 4\)"),
        (lambda: narrow(np.full((2, 4), np.inf)), "Fractions"),
    ]:
        with refused(expected):
            call()
    assert feedforward_kernel(zero_sum, length=2, q=2).squared_error == 1
