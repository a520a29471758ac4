"""Attention of third order against its definition, one pair at a time, in fractions."""

from fractions import Fraction
from itertools import product
from math import floor

import mpmath
import numpy as np

from ccsim.arithmetic import Precision
from ccsim.models.attention import TensorAttention
from tests.refusals import refused


def random_unit(precision, seed, width=3, keys=4, values=2):
    generator = np.random.default_rng(seed)
    parts = [generator.uniform(-1, 1, size=(width, count)) for count in (keys, keys, keys, values, values)]
    return TensorAttention(precision, *parts, logit_factor=Fraction(7, 2)), generator


def by_definition(unit, rows):
    scale = unit.precision.scale
    query, first, second, left, right = (
        part(rows).tolist()
        for part in (unit.query, unit.first_key, unit.second_key, unit.first_value, unit.second_value)
    )
    count, outputs = len(rows), []
    for i in range(count):
        pairs = list(product(range(count), repeat=2))
        logits = [
            unit.logit_factor
            * sum(Fraction(a * b * c, scale**3) for a, b, c in zip(query[i], first[j], second[k], strict=True))
            for j, k in pairs
        ]
        steps = [floor((logit - max(logits)) * scale) for logit in logits]
        with mpmath.workdps(60):
            exponentials = [int(mpmath.floor(mpmath.exp(mpmath.mpf(step) / scale) * scale)) for step in steps]
        weights = [e * scale // sum(exponentials) for e in exponentials]
        outputs.append(
            [
                sum(w * left[j][r] * right[k][r] for w, (j, k) in zip(weights, pairs, strict=True)) // scale**2
                for r in range(len(left[0]))
            ]
        )
    return outputs


def test_against_the_definition():
    for precision in [Precision.of(8), Precision.of(12), Precision.fixed_point(2, 40), Precision(100, -500, 500)]:
        unit, generator = random_unit(precision, seed=precision.bits)
        inputs = precision.quantise(generator.uniform(-1, 1, size=(3, 4, 3)))
        outputs = unit(inputs)
        assert outputs.tolist() == [by_definition(unit, rows) for rows in inputs], precision
        for row in range(1, 5):
            assert (unit.output_row(inputs, row) == outputs[:, row - 1]).all(), precision


def test_a_single_row_attends_to_itself_with_all_its_weight():
    for precision in (Precision.of(8), Precision(100, -500, 500)):
        unit = TensorAttention(precision, *[[[1]]] * 5)
        assert unit(np.array([[precision.scale], [-precision.scale]])[:, None]).tolist() == [[[precision.scale]]] * 2


def test_an_input_map_and_a_function():
    precision = Precision.of(8)
    plain = TensorAttention(precision, [[1]], [[1]], [[1]], [[1]], [[1]])
    mapped = TensorAttention(precision, lambda x: x, [[1]], [[1]], [[1]], [[1]], input_map=lambda rows: rows * 2)
    rows = np.array([[[3], [7], [-9]]])
    assert (plain(2 * rows) == mapped(rows)).all()


MAPS = [[[1]]] * 3


def test_bad_input_names_the_argument():
    for call, argument in [
        (lambda unit: unit(np.zeros((0, 1), dtype=int)), "inputs"),
        (lambda unit: unit.output_row(np.zeros((2, 1), dtype=int), 3), "row"),
        (lambda unit: unit(np.full((2, 1), 10**6)), "rows"),
        (lambda unit: TensorAttention(unit.precision, *[[[1]]] * 5, logit_factor=0), "logit_factor"),
        (lambda unit: TensorAttention(unit.precision, *[[[1]]] * 5, logit_factor=float("nan")), "logit_factor"),
        (lambda unit: TensorAttention(unit.precision, *MAPS, [[1]], [[1, 1]])([[0]]), "second_value"),
        (lambda unit: TensorAttention(unit.precision, [[1, 1]], [[1]], [[1, 1]], *MAPS[:2])([[0]]), "second_key"),
    ]:
        with refused(argument):
            call(TensorAttention(Precision.of(8), *[[[1]]] * 5))
