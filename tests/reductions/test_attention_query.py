"""Attention units for sparse averaging as protocols: what the query row adds to the message, and every bit counted."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import ccsim as cc
from ccsim.arithmetic import Precision
from ccsim.bounds import one_way
from ccsim.models import Affine, AttentionUnit, HardMaximum, OneLayerTransformer, Transformer
from ccsim.problems import disjointness, intersection, match3
from protocols.papers.sanford2024 import index_to_marked_induction
from protocols.reductions import KnownQueryLayer, known_query, max_logit_softmax, reduce
from protocols.reductions.attention_query import (
    attention_query,
    match3_reduction,
    match3_to_disjointness,
    sparse_averaging_row,
)
from protocols.reductions.task_reductions import intersection_to_sparse_averaging
from tests.reductions.readers import even_answers, reader
from tests.refusals import refuse


def spread_out(length: int, scale: int) -> Callable[[np.ndarray], np.ndarray]:
    """Raw rows (z, y_1, ..., y_q, i) as z, the set and the place, each with a coordinate for every row."""

    def spread(rows: np.ndarray) -> np.ndarray:
        places = np.eye(length, dtype=np.int64)
        named = places[rows[..., 1:-1] - 1].sum(axis=-2)
        return np.concatenate([rows[..., :1], named, places[rows[..., -1] - 1]], axis=-1) * scale

    return spread


def unit_of(
    q: int, seed: int, key: int = 2, value: int = 1, precision: int | Precision = 8, length: int | None = None
) -> AttentionUnit:
    """Random queries and keys; the first number of a value is near z, so the output is a weighted average."""
    length = 2 * q + 1 if length is None else length
    size = 1 + 2 * length
    unit = AttentionUnit.random(inputs=size, key_width=key, value_width=value, precision=precision, seed=seed)
    scale = unit.precision.scale
    weights = {name: getattr(unit, name).weights * 3 for name in ("query", "key")} | {"value": unit.value.weights // 4}
    weights["value"][0] = scale
    maps = {
        name: Affine(unit.precision, np.clip(array, unit.precision.low, unit.precision.high), getattr(unit, name).bias)
        for name, array in weights.items()
    }
    return AttentionUnit(unit.precision, **maps, input_map=spread_out(length, scale))


def averaging_unit(q: int, length: int, bits: int = 20) -> AttentionUnit:
    """Keys are places and queries are sets, so a row attends to those that it names: the average, nearly."""
    precision, zero = Precision.of(bits), np.zeros((1, length))
    return AttentionUnit.from_arrays(
        precision=precision,
        query=np.concatenate([zero, np.eye(length) * 12, np.zeros((length, length))]),
        key=np.concatenate([zero, np.zeros((length, length)), np.eye(length)]),
        value=np.eye(1 + 2 * length, 1),
        input_map=spread_out(length, precision.scale),
    )


SIZES = [(1, 1, 1, 6), (2, 3, 1, 8), (2, 2, 3, 10), (3, 1, 2, 8), (2, 2, 1, Precision.polynomial(5, 2))]


@pytest.mark.parametrize(("q", "key", "value", "precision"), SIZES)
@pytest.mark.parametrize("answer", ["both", "bob"])
def test_the_protocol_is_the_unit_bit_for_bit(
    q: int, key: int, value: int, precision: int | Precision, answer: str
) -> None:
    for seed in range(2):
        unit = unit_of(q, seed, key, value, precision)
        protocol = attention_query(unit, q, answer=answer)
        explored = protocol.explore().raise_if_wrong()
        assert protocol.cost is not None
        assert explored.worst_bits == protocol.cost.bits == (key + 1 + value) * unit.precision.bits + (answer == "both")
        assert explored.worst_rounds == (2 if answer == "both" else 1)


@pytest.mark.parametrize("q", [1, 2])
def test_the_function_is_the_threshold_of_the_whole_forward_pass(q: int) -> None:
    reduction = intersection_to_sparse_averaging(q)
    for seed in range(2):
        unit = unit_of(q, seed, value=2)
        protocol = attention_query(unit, q)
        for x, y in itertools.product(reduction.source.alice, reduction.source.bob):
            word = reduction.word(x, y)
            rows = np.array([sparse_averaging_row(place, *symbol) for place, symbol in enumerate(word, start=1)])
            output = unit(rows[None])[0, 2 * q, 0]
            meets = Fraction(int(output), unit.precision.scale) > Fraction(1 - q, q)
            assert protocol.run(x, y).answer == protocol.function(x, y) == meets


def test_rows_may_be_written_otherwise() -> None:
    def one_hot(place: int, chosen: tuple[int, ...], sign: int) -> list[int]:
        return [sign * 16, *(16 * (j in chosen) for j in range(1, 6)), *(16 * (j == place) for j in range(1, 6))]

    unit = AttentionUnit.random(inputs=11, key_width=2, value_width=1, precision=8, seed=4)
    protocol = attention_query(unit, 2, row=one_hot)
    reduction = intersection_to_sparse_averaging(2)
    for x, y in itertools.product(reduction.source.alice, reduction.source.bob):
        rows = np.array([one_hot(place, *symbol) for place, symbol in enumerate(reduction.word(x, y), start=1)])
        output = Fraction(int(unit.output_row(rows, 5)[0]), unit.precision.scale)
        assert protocol.run(x, y).answer == protocol.function(x, y) == (output > Fraction(-1, 2))


@pytest.mark.parametrize("q", [1, 2, 3])
def test_a_good_unit_solves_intersection(q: int) -> None:
    unit = averaging_unit(q, 2 * q + 1)
    reduction = intersection_to_sparse_averaging(q)
    protocol = attention_query(unit, q)
    assert np.array_equal(protocol.function.codes, intersection(q).codes)
    assert protocol.explore().raise_if_wrong().worst_bits >= cc.bounds.deterministic(intersection(q)).lower
    for x, y in itertools.product(reduction.source.alice, reduction.source.bob):
        word = reduction.word(x, y)
        rows = np.array([sparse_averaging_row(place, *symbol) for place, symbol in enumerate(word, start=1)])
        output = Fraction(int(unit.output_row(rows, 2 * q + 1)[0]), unit.precision.scale)
        assert abs(output - reduction.task(word)) <= Fraction(1, 2 * q)


def test_the_query_alone_is_not_enough() -> None:
    """A unit whose queries are all the same: the printed message says nothing, but the answers differ."""

    def own_set(vectors: np.ndarray) -> np.ndarray:
        return np.where(vectors[..., 1:2] == 2, -128, 0)  # only a row of Alice's with a_1 = 0 begins with 2

    unit = AttentionUnit.from_arrays(
        precision=8,
        query=lambda vectors: np.zeros_like(vectors[..., :1]),
        key=lambda vectors: vectors[..., -1:],
        value=own_set,
    )
    protocol = attention_query(unit, 2)
    table = protocol.function.codes
    assert len(np.unique(table, axis=0)) > 1
    queries = {run.transcript[0].bits for run in (protocol.run(x, "01") for x in protocol.function.alice)}
    assert len(queries) == 1
    assert one_way(protocol.function.matrix).lower > 0
    assert protocol.explore().raise_if_wrong().correct


def test_what_does_not_fit_is_refused() -> None:
    small = AttentionUnit.random(inputs=4, key_width=1, value_width=1, precision=8, seed=0)
    maps = dict.fromkeys(("query", "key", "value"), np.ones((4, 1)))
    last = AttentionUnit.from_arrays(precision=8, weighting=HardMaximum(Precision.of(8), "last"), **maps)
    refuse(
        (lambda: attention_query(small, 3), "values"),
        (lambda: attention_query(last, 2), "order of the rows"),
        (lambda: attention_query("unit", 2), "an AttentionUnit"),  # type: ignore[arg-type]
        (lambda: attention_query(unit_of(2, 0), 0), "q = 0"),
        (lambda: attention_query(unit_of(2, 0), 2, answer="alice"), "answer"),
    )


def drawn(length, heads, width, precision, seed, symbols="x01"):
    """Weights of 0, 1 and 2, values up to 3; the answer is a threshold of a signed sum of the means."""
    generator = random.Random(seed)
    weights = [[{s: generator.randrange(3) for s in symbols} for _ in range(length)] for _ in range(heads)]
    values = [
        [{s: [generator.randrange(4) for _ in range(width)] for s in symbols} for _ in range(length)]
        for _ in range(heads)
    ]
    factors = [generator.choice((-2, -1, 1, 2)) for _ in range(heads * width)]
    return KnownQueryLayer(
        weights, values, lambda means: int(sum(f * m for f, m in zip(factors, means, strict=True)) > 0), precision
    )


def answer(layer, word):
    """Of each head the mean of its values, weighed; 0 where nothing weighs."""
    means = []
    for weights, values in zip(layer.weights, layer.values, strict=True):
        weighed = [weights[place][symbol] for place, symbol in enumerate(word)]
        for j in range(layer.width):
            above = sum(w * values[place][word[place]][j] for place, w in enumerate(weighed))
            means.append(Fraction(above, sum(weighed)) if any(weighed) else Fraction(0))
    return layer.read(tuple(means))


@pytest.mark.parametrize(("heads", "width", "seed"), [(1, 1, 0), (1, 3, 1), (2, 1, 2), (2, 2, 3), (3, 1, 4)])
def test_bob_answers_as_the_layer_does_on_every_word(heads, width, seed):
    reduction = index_to_marked_induction(3)
    layer = drawn(7, heads, width, 5, seed)
    protocol = known_query(layer, reduction)
    found = protocol.explore().raise_if_wrong()
    assert found.pairs == 2**3 * 3
    assert found.worst_bits == protocol.cost.bits == heads * (width + 1) * 5
    for bits in reduction.source.alice:
        for place in reduction.source.bob:
            assert protocol.run(bits, place).answers["bob"] == answer(layer, tuple(reduction.word(bits, place)))


def test_a_head_without_weight_has_a_mean_of_zero():
    one = KnownQueryLayer([[{"a": 0}]], [[{"a": [5]}]], lambda means: int(means == (0,)), 4)
    assert one.finish([0, 0]) == 1
    assert one.finish([0, 2]) == 1
    assert one.finish([4, 2]) == 0


def test_layers_of_a_known_query_that_do_not_fit_are_refused():
    reduction = index_to_marked_induction(2)
    other = drawn(5, 1, 1, 8, 0, (*"01", *range(1, 5)))
    refuse(
        (lambda: known_query(drawn(5, 1, 2, 1, 0), reduction), "sums of 1 bits"),
        (lambda: known_query(other, reduce("index", "index-lookup", n=4)), "the same last symbol"),
    )


def match3_layer(
    n: int, modulus: int, seed: int, heads: int = 1, width: int = 4, precision: int = 8, encoding: str = "wide"
) -> OneLayerTransformer:
    model = OneLayerTransformer.random(
        range(modulus), length=2 * n + 1, width=width, heads=heads, precision=precision, seed=seed
    )
    if modulus < 2 * n + (4 if encoding == "wide" else 2):
        return model
    reduction = match3_reduction(model, n, encoding)
    words = [reduction.word(x, y) for x, y in itertools.product(reduction.source.alice, reduction.source.bob)]
    return even_answers(model, np.array(words))


@pytest.mark.parametrize(
    ("encoding", "n", "modulus", "heads"),
    [("wide", 2, 8, 1), ("wide", 2, 11, 2), ("tight", 2, 6, 3), ("wide", 3, 10, 2), ("tight", 3, 8, 1)],
)
def test_the_protocol_is_the_model_bit_for_bit(encoding: str, n: int, modulus: int, heads: int) -> None:
    """Both parties learn the answer; the row of the shared token costs nothing."""
    for seed in range(1 if n == 3 else 2):
        model = match3_layer(n, modulus, seed, heads, 3 * heads, 7 + heads, encoding)
        protocol = match3_to_disjointness(model, n, encoding, claim="model")
        explored = protocol.explore().raise_if_wrong()
        p, digits, v = model.precision.bits, (2 * n).bit_length(), 3
        assert protocol.cost is not None
        assert explored.worst_bits == protocol.cost.bits == heads * (2 * p + 2 * (p + digits) + 4 * v * p)
        reduction = match3_reduction(model, n, encoding)
        for x, y in itertools.product(reduction.source.alice, reduction.source.bob):
            assert protocol.function(x, y) == 1 - model(reduction.word(x, y))


@pytest.mark.parametrize(("encoding", "modulus"), [("wide", 8), ("tight", 6)])
@pytest.mark.parametrize("problem", ["disjointness", "intersection"])
def test_a_right_model_solves_the_problem(encoding: str, modulus: int, problem: str) -> None:
    task = match3(5, modulus, row=5)
    model = reader(task.alphabet, 5, (0, 1), task.evaluate)
    assert model.is_right(task)
    reduction = match3_reduction(model, 2, encoding, problem)
    cheapest = reduction.pull(max_logit_softmax(model, reduction.partition, variant="cheapest"))
    for protocol in (match3_to_disjointness(model, 2, encoding, problem=problem), cheapest):
        explored = protocol.explore().raise_if_wrong()
        wanted = disjointness(2) if problem == "disjointness" else intersection(2)
        assert np.array_equal(protocol.function.codes, wanted.codes)
        assert explored.worst_bits >= cc.bounds.deterministic(wanted).lower == 3


def test_a_wrong_model_is_found_out() -> None:
    explored = match3_to_disjointness(match3_layer(2, 8, seed=0), 2).explore()
    assert not explored.correct
    assert explored.violations[0].kind in ("answer", "monochromatic", "agreement")


def test_the_word_that_is_read() -> None:
    reduction = match3_reduction(match3_layer(3, 10, seed=0), 3)
    assert reduction.word("101", "011") == (2, 0, 4, 0, 6, 5, 1)
    assert reduction.check() is None
    assert str(reduction.partition) == "AAABBBA"


def test_models_of_match3_that_do_not_fit_are_refused() -> None:
    sizes: dict[str, Any] = {"length": 5, "width": 2, "precision": 6, "seed": 0}
    two, letters = Transformer.random(range(8), layers=2, **sizes), OneLayerTransformer.random("abcdefgh", **sizes)
    model = match3_layer(2, 8, 0)
    refuse(
        (lambda: match3_to_disjointness(model, 3), "length 2n"),
        (lambda: match3_to_disjointness(match3_layer(2, 7, 0), 2), "modulus"),
        (lambda: match3_to_disjointness(model, 2, "tight"), "modulus"),
        (lambda: match3_to_disjointness(model, 2, "other"), "encoding"),
        (lambda: match3_to_disjointness(model, 2, problem="equality"), "problem"),
        (lambda: match3_to_disjointness(model, 0), "n = 0"),
        (lambda: match3_to_disjointness(letters, 2), "alphabet"),
        (lambda: match3_to_disjointness(two, 2), "OneLayerTransformer"),  # type: ignore[arg-type]
    )
