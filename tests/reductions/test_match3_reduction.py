"""Models of Match3 as protocols for two sets: exact, fully counted, and right where the model is."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import ccsim as cc
from ccsim.models import OneLayerTransformer, Transformer
from ccsim.problems import disjointness, intersection, match3
from protocols.reductions.attention_query import match3_reduction, match3_to_disjointness
from tests.reductions.readers import even_answers, reader

ENCODINGS = [("wide", 2, 8), ("wide", 2, 11), ("tight", 2, 6), ("wide", 3, 10), ("tight", 3, 8)]


def layer(
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


@pytest.mark.parametrize(("encoding", "n", "modulus"), ENCODINGS)
@pytest.mark.parametrize("heads", [1, 2, 3])
def test_the_protocol_is_the_model_bit_for_bit(encoding: str, n: int, modulus: int, heads: int) -> None:
    """Both parties learn the answer; the row of the shared token costs nothing."""
    for seed in range(2):
        model = layer(n, modulus, seed, heads, 3 * heads, 7 + heads, encoding)
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
    for variant in ("literal", "cheapest"):
        protocol = match3_to_disjointness(model, 2, encoding, problem=problem, variant=variant)
        explored = protocol.explore().raise_if_wrong()
        wanted = disjointness(2) if problem == "disjointness" else intersection(2)
        assert np.array_equal(protocol.function.codes, wanted.codes)
        assert explored.worst_bits >= cc.bounds.deterministic(wanted).lower == 3


def test_a_wrong_model_is_found_out() -> None:
    explored = match3_to_disjointness(layer(2, 8, seed=0), 2).explore()
    assert not explored.correct
    assert explored.violations[0].kind in ("answer", "monochromatic", "agreement")


def test_the_word_that_is_read() -> None:
    reduction = match3_reduction(layer(3, 10, seed=0), 3)
    assert reduction.word("101", "011") == (2, 0, 4, 0, 6, 5, 1)
    assert reduction.check() is None
    assert str(reduction.partition) == "AAABBBA"


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: match3_to_disjointness(layer(2, 8, 0), 3), "length 2n"),
        (lambda: match3_to_disjointness(layer(2, 7, 0), 2), "modulus"),
        (lambda: match3_to_disjointness(layer(2, 8, 0), 2, "tight"), "modulus"),
        (lambda: match3_to_disjointness(layer(2, 8, 0), 2, "other"), "encoding"),
        (lambda: match3_to_disjointness(layer(2, 8, 0), 2, problem="equality"), "problem"),
        (lambda: match3_to_disjointness(layer(2, 8, 0), 0), "n = 0"),
        (lambda: match3_to_disjointness(layer(2, 8, 0), 2, variant="other"), "variant"),
        (
            lambda: match3_to_disjointness(
                OneLayerTransformer.random("abcdefgh", length=5, width=2, precision=6, seed=0), 2
            ),
            "alphabet",
        ),
        (
            lambda: match3_to_disjointness(
                Transformer.random(range(8), length=5, width=2, layers=2, precision=6, seed=0), 2
            ),
            "OneLayerTransformer",
        ),
    ],
)
def test_what_does_not_fit_is_refused(call: object, told: str) -> None:
    with pytest.raises(cc.InputError, match=told):
        call()  # type: ignore[operator]
