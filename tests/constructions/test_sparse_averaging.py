"""Sparse averaging by one attention unit: dual vectors proved exactly, and errors over all subsets."""

import itertools
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ccsim.bounds import deterministic
from ccsim.problems import disjointness_of_halves, dyck, equality_of_halves, intersection
from protocols.constructions.addresses import DualVectors, SignVectors
from protocols.constructions.averaging import (
    disjointness_by_uniform_attention,
    dyck_by_uniform_attention,
    equality_by_uniform_attention,
    sparse_averaging_unit,
)
from protocols.reductions.attention_query import attention_query
from tests.models.transformer_oracle import Oracle
from tests.refusals import refuse
from tests.slow import slow


def subsets_of(length, most):
    return list(itertools.combinations(range(1, length + 1), most))


@pytest.mark.parametrize(("count", "dimension", "most"), [(8, 16, 2), (32, 30, 2), (10, 40, 4)])
def test_dual_vectors_by_plain_fractions(count, dimension, most):
    vectors = SignVectors(count, dimension, seed=1)
    duals, signs = DualVectors(vectors), vectors.rows(np.arange(1, count + 1)).tolist()
    reached = 0
    for subset in random.Random(0).sample(subsets_of(count, most), 12):
        dual = duals.of(subset)
        weights = [Fraction(part, dual.denominator) for part in dual.numerators]
        entries = [
            sum(weight * signs[number - 1][place] for weight, number in zip(weights, dual.support, strict=True))
            for place in range(dimension)
        ]
        products = [sum(a * b for a, b in zip(entries, row, strict=True)) for row in signs]
        assert all(products[number - 1] == 1 for number in subset)
        assert all(product <= Fraction(1, 2) for number, product in enumerate(products, 1) if number not in subset)
        assert dimension * sum(entry**2 for entry in entries) == dual.norm <= 4 * most
        reached += len(dual.support) > most
        rounded = duals.scaled(subset, 1000).tolist()
        assert max(abs(1000 * entry - whole) for entry, whole in zip(entries, rounded, strict=True)) <= Fraction(1, 2)
    assert reached > 0 or dimension > 2 * count


def test_a_combination_that_is_no_dual_is_not_proved():
    """Where some vector has to be pushed down to 1/2, the subset alone gives a combination with larger products."""
    duals = DualVectors(SignVectors(32, 30, seed=1))
    pushed = [subset for subset in subsets_of(32, 2)[:40] if len(duals.of(subset).support) > 2]
    assert pushed
    for subset in pushed:
        assert duals._prove(subset, [number - 1 for number in subset]) is None


@pytest.mark.parametrize(("length", "most"), [(4, 1), (8, 3), (12, 2), slow(20, 3), slow(16, 4)])
def test_the_error_over_all_subsets_and_all_values(length, most):
    for error in (None, Fraction(1, 100)):
        average = sparse_averaging_unit(length, most, error=error)
        assert max(average.worst_errors(subsets_of(length, most))) <= average.error


def test_the_worst_error_is_attained_by_values_of_one_sign_each_and_not_exceeded():
    average, generator = sparse_averaging_unit(12, 3, precision=11), np.random.default_rng(0)
    scale = average.precision.scale
    for subset in random.Random(1).sample(subsets_of(12, 3), 10):
        [worst] = average.worst_errors([subset])
        weights = average.weights(np.array([subset]))[0]
        wanted = np.isin(np.arange(1, 13), subset) * Fraction(scale, 3)
        aligned = np.where(weights >= wanted, scale, -scale)
        others = generator.integers(-scale, scale + 1, size=(5, 12))
        for values in (aligned, -aligned, *others):
            rows = np.column_stack([np.tile(subset, (12, 1)), np.arange(1, 13), values])
            output = Fraction(int(average.unit.output_row(rows, 5)[0]), scale)
            true = Fraction(int(values[np.array(subset) - 1].sum()), 3 * scale)
            assert abs(output - true) <= worst + Fraction(1, scale)
            if values is aligned:
                assert output - true > worst - Fraction(1, scale)


def test_vectors_as_values():
    average, generator = sparse_averaging_unit(8, 2, value_width=3), np.random.default_rng(0)
    scale = average.precision.scale
    values = generator.integers(-scale // 2, scale // 2, size=(8, 3))
    named = np.array([sorted(generator.choice(np.arange(1, 9), 2, replace=False)) for _ in range(8)])
    outputs = average.unit(np.column_stack([named, np.arange(1, 9), values]))
    true = (values[named[:, 0] - 1] + values[named[:, 1] - 1]) / 2
    assert np.linalg.norm((outputs - true) / scale, axis=1).max() <= float(average.error)


def test_what_rounding_takes_from_values_of_many_numbers():
    """Weights of three rows add up to less than one: a value of one step in each number comes out as 0."""
    many = 1 << 20
    wide = sparse_averaging_unit(4, 3, value_width=many)
    for average, enough in (sparse_averaging_unit(4, 3), False), (replace(wide, value_width=1), True):
        scale = average.precision.scale
        rows = np.array([[1, 2, 3, place, 1] for place in range(1, 5)])
        assert average.unit.output_row(rows, 1).tolist() == [0]
        assert int(average.weights(np.array([[1, 2, 3]])).sum()) < scale
        assert many <= scale**2  # so long a value of single steps is in the unit ball
        assert (Fraction(many, scale**2) <= average.error**2) == enough


def test_sampled_subsets_at_256_and_fewer_rows_than_q():
    average, generator = sparse_averaging_unit(256, 4), random.Random(0)
    subsets = [tuple(sorted(generator.sample(range(1, 257), 1 + size % 4))) for size in range(20)]
    assert max(average.worst_errors(subsets)) <= average.error == Fraction(1, 8)
    assert (average.dimension, average.width) == (96, 193)


@pytest.mark.parametrize("q", [1, 2])
def test_the_query_decides_whether_two_sets_meet(q):
    """The unit as a protocol: right on all pairs of sets, and far above the bits that the task needs."""
    average = sparse_averaging_unit(2 * q + 1, q)
    protocol = attention_query(average.unit, q, row=average.row)
    explored = protocol.explore().raise_if_wrong()
    problem = intersection(q)
    assert (protocol.function.matrix.codes == problem.matrix.codes).all()
    sent = (average.dimension + 2) * average.precision.bits
    assert explored.worst_bits == sent + 1 > deterministic(problem).lower == q + 1


def test_bad_input_names_the_argument():
    refuse(
        (lambda: sparse_averaging_unit(1, 1), "length"),
        (lambda: sparse_averaging_unit(4, 5), "most"),
        (lambda: sparse_averaging_unit(4, 2, error=2), "error"),
        (lambda: sparse_averaging_unit(4, 2, error=float("nan")), "error"),
        (lambda: sparse_averaging_unit(4, 2).worst_errors([(1, 1)]), "subsets"),
        (lambda: sparse_averaging_unit(4, 2, precision=4), "precision"),
        (lambda: DualVectors(SignVectors(4, 4)).of((5,)), "subset"),
        (lambda: [*map(DualVectors(SignVectors(16, 4, seed=0)).of, subsets_of(16, 3))], "dimension"),
        (lambda: equality_by_uniform_attention(5), "even"),
        (lambda: disjointness_by_uniform_attention(0), "length"),
        (lambda: dyck_by_uniform_attention(1), "length"),
        (lambda: dyck_by_uniform_attention(4, 0), "0"),
        (lambda: dyck_by_uniform_attention(4, 2, 0), "depth"),
    )


@pytest.mark.parametrize(
    ("build", "task", "sizes"),
    [
        (dyck_by_uniform_attention, dyck, [(2,), (3,), (6,), (2, 1, 1), (6, 1, 1), (8, 1, 3), (4, 3, 1), (6, 2, 3)]),
        (equality_by_uniform_attention, equality_of_halves, [(2,), (4,), (10,)]),
        (disjointness_by_uniform_attention, disjointness_of_halves, [(2,), (4,), (10,)]),
    ],
)
def test_right_on_every_word_by_linear_width_and_logarithmic_precision(build, task, sizes):
    for size in sizes:
        model, wanted, length = build(*size), task(*size), size[0]
        assert model.alphabet == wanted.alphabet
        assert model.mistake(wanted) is None, size
        assert (model.layers, model.heads, model.width, model.head_width) == (1, 1, 2 * length, length)
        assert model.precision.bits <= (2 * length * max(2, len(wanted.alphabet) - 1) + 1).bit_length()
        assert not model.logit_table.any()
        assert model.weights(np.array([length]), np.array([length * length])).tolist() == [1]  # 1/N exactly
    oracle = Oracle(model)
    for index in np.random.default_rng(0).integers(0, wanted.words.size, 5):
        word = wanted.words.array(np.array([index]))
        assert model.outputs(word)[0].tolist() == oracle.outputs(word[0].tolist())


def test_long_words_chosen_to_be_hard():
    model, task = dyck_by_uniform_attention(24), dyck(24)
    right = task.words.array(np.array([task.words.index("[()]" * 6)])).astype(np.int64)
    words = np.tile(right, (4 * 24, 1))
    words[np.arange(4 * 24), np.repeat(np.arange(24), 4)] = np.tile(np.arange(4), 24)
    assert model.codes(words).tolist() == task.evaluate(words).tolist() == (words == right).all(axis=1).tolist()
