"""One pass on composed functions, and chains of thought: bit for bit the model, and every bit counted."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import ccsim as cc
from ccsim.arithmetic import Precision
from ccsim.models import HardMaximum, OneLayerTransformer, Transformer
from ccsim.problems import k_hop_composition
from protocols.reductions.composition import (
    MARK,
    LayerInOrder,
    chain_in_order,
    chain_of_thought,
    composition,
    composition_costs,
    one_message,
)
from protocols.reductions.task_reductions import reduce
from tests.oracles.summed_in_order import InOrder
from tests.reductions.readers import even_answers, reader
from tests.refusals import refuse


def layer(
    n: int, seed: int, heads: int = 1, width: int = 3, precision: int | Precision = 8, extra: int = 0
) -> OneLayerTransformer:
    length = 2 * n + 1 + extra
    model = OneLayerTransformer.random(
        range(n), length=length, width=width, heads=heads, precision=precision, seed=seed, answers=range(n)
    )
    return even_answers(model, np.array(list(itertools.product(range(n), repeat=length))))


SIZES = [(1, 3, 8), (2, 4, 6), (3, 3, 12), (1, 2, Precision.polynomial(5, 2))]


@pytest.mark.parametrize(("heads", "width", "precision"), SIZES)
def test_one_pass_is_the_model_bit_for_bit(heads: int, width: int, precision: int | Precision) -> None:
    for seed in range(2):
        model = layer(2, seed, heads, width, precision)
        protocol = composition(model)
        explored = protocol.explore().raise_if_wrong()
        costs = composition_costs(model)
        assert protocol.cost is not None
        assert explored.worst_bits == protocol.cost.bits == costs["total"]
        assert explored.worst_rounds == 4


def test_who_says_how_much() -> None:
    model = layer(2, 5, heads=2, width=4, precision=10)
    run = composition(model).run((1, 0), (0, 1, 1))
    said = Counter[str]()
    for message in run.transcript:
        said[message.sender] += len(message.bits)
    costs = composition_costs(model)
    assert said == {"alice": costs["alice"], "bob": costs["bob"]}
    heads, width, bits, length = 2, 2, 10, 3
    assert costs["printed"] == heads * (width + 1) * bits
    assert costs["alice"] == heads * (bits + (bits + length) + 2 * width * bits)
    assert costs["bob"] == 1 + heads * (bits + (bits + length))
    assert run.correct
    assert all(message.label for message in run.transcript)


def test_the_answer_is_that_of_plain_matrix_products() -> None:
    """Not only the tables of the model, which the protocol shares with it."""
    model = layer(2, 11, heads=2, width=4)
    protocol = composition(model)
    for word in list(itertools.product(range(2), repeat=5))[::3]:
        assert protocol.run(word[:2], word[2:]).answer == model.codes_plain(np.array([word]))[0]


def right_layer(n: int = 2) -> OneLayerTransformer:
    task = k_hop_composition(n, 2)
    return reader(tuple(range(n)), 2 * n + 1, tuple(range(n)), task.evaluate)


def test_a_right_layer_composes_and_a_wrong_one_is_found_out() -> None:
    reduction = reduce("function-composition", "k-hop-composition", n=2)
    right = right_layer()
    assert right.is_right(reduction.task)
    explored = reduction.pull(composition(right)).explore().raise_if_wrong()
    assert explored.worst_bits == composition_costs(right)["total"]
    wrong = reduction.pull(composition(layer(2, 0)))
    assert not wrong.explore().correct
    assert reduction.pull(composition(layer(2, 0)), "model").explore().correct


# A chain of thought


def thought(models: Sequence[cc.models.SequenceModel], word: tuple[object, ...]) -> object:
    """The last token, after each model has appended its answer."""
    for model in models:
        word = (*word, model(word))
    return word[-1]


@pytest.mark.parametrize("steps", [1, 3])
def test_a_chain_is_its_models_bit_for_bit(steps: int) -> None:
    models = [layer(2, 7 * number + 1, heads=2, width=4, extra=number) for number in range(steps)]
    for owners in ("ABAB", "BAAB", "AABB"):
        protocol = chain_of_thought(models, cc.Partition(owners), start=1)
        explored = protocol.explore().raise_if_wrong()
        assert protocol.cost is not None
        assert explored.worst_bits == protocol.cost.bits
        assert explored.worst_rounds == 3 * steps + 1
    for f, g in itertools.product(itertools.product(range(2), repeat=2), repeat=2):
        assert protocol.function(f, g) == thought(models, (*f, *g, 1))


# Bad input


def test_what_does_not_fit_is_refused() -> None:
    sizes: dict[str, Any] = {"length": 5, "width": 2, "precision": 6, "seed": 0}
    two = Transformer.random(range(2), layers=2, **sizes)
    first = OneLayerTransformer.random(range(2), weighting=HardMaximum(Precision.of(6), "first"), **sizes)
    other, halves = OneLayerTransformer.random(range(2), answers=("yes", "no"), **sizes), cc.Partition("AABB")
    refuse(
        (lambda: chain_of_thought([other], halves, start=0), "symbols of the alphabet"),
        (lambda: composition(two), "OneLayerTransformer"),  # type: ignore[arg-type]
        (lambda: composition(first), "order of the positions"),
        (lambda: composition(layer(2, 0, extra=1)), "length 2n"),
        (lambda: composition(layer(2, 0, precision=31)), "at most 30 bits"),
        (lambda: composition_costs(layer(2, 0, extra=1)), "length 2n"),
        (lambda: chain_of_thought([], halves, start=0), "one or more"),
        (lambda: chain_of_thought(5, halves, start=0), "models"),  # type: ignore[arg-type]
        (lambda: chain_of_thought([5], halves, start=0), "models"),  # type: ignore[list-item]
        (lambda: chain_of_thought([layer(2, 0)], cc.Partition("AAB"), start=0), "4 positions"),
        (lambda: chain_of_thought([layer(2, 0)], halves, start=5), "start"),
        (lambda: chain_of_thought([layer(2, 0), layer(2, 0)], halves, start=0), "6 tokens"),
        (lambda: chain_of_thought([layer(2, 0), layer(2, 0, precision=9, extra=1)], halves, start=0), "precision"),
    )


IN_ORDER = [{"width": 1, "precision": 3}, {"width": 2, "precision": 8}, {"width": 3, "precision": 5, "heads": 2}]


def words(n, length):
    return np.array([[*word, n] for word in itertools.product(range(n), repeat=length - 1)])


@pytest.mark.parametrize(("sizes", "seed"), list(zip(IN_ORDER, range(3), strict=True)))
def test_registers_and_answers_are_those_of_plain_numbers(sizes, seed):
    model = LayerInOrder.random(2, seed=seed, **sizes)
    plain, rows = InOrder(model.layer), words(2, 6)
    registers = model.read(model.empty(len(rows)), range(6), rows, rows[:, -1])
    for place, word in enumerate(rows.tolist()):
        sums, _, answer = plain.computed(word)
        assert registers[place].tolist() == [list(each) for each in sums]
        assert model.codes(rows)[place] == answer


@pytest.mark.parametrize(("sizes", "seed"), list(zip(IN_ORDER, range(3), strict=True)))
def test_one_message_is_the_layer_bit_for_bit_for_the_printed_cost(sizes, seed):
    protocol = one_message(LayerInOrder.random(2, seed=seed, **sizes))
    explored = protocol.explore().raise_if_wrong()
    printed = sizes.get("heads", 1) * (sizes["width"] + 1) * sizes["precision"]
    assert explored.worst_bits == protocol.cost.bits == printed
    assert (explored.worst_rounds, explored.pairs) == (1, 32)


@pytest.mark.parametrize(("steps", "seed"), [(1, 0), (2, 1), (3, 2)])
def test_a_chain_says_a_message_and_a_token_each_step(steps, seed):
    models = [LayerInOrder.random(2, more=number - 1, width=2, precision=6, seed=seed) for number in range(steps)]
    protocol = chain_in_order(models, 2)
    explored = protocol.explore().raise_if_wrong()
    assert explored.worst_bits == protocol.cost.bits == steps * (3 * 6 + 1)
    assert explored.worst_rounds == 2 * steps
    for f, g in itertools.product(itertools.product(range(2), repeat=2), repeat=2):
        assert protocol.function(f, g) == thought(models, (*f, *g, MARK))


def test_only_what_the_registers_hold_of_the_first_table_matters():
    model = LayerInOrder.random(2, width=1, precision=3, seed=1)
    rows = words(2, 6)
    registers = model.read(model.empty(len(rows)), range(2), rows, rows[:, -1])
    answers = {}
    for held, word, answer in zip(registers.tolist(), rows.tolist(), model.codes(rows).tolist(), strict=True):
        assert answers.setdefault((str(held), str(word[2:])), answer) == answer


def test_sums_in_order_saturate_where_exact_ones_do_not():
    layers = [LayerInOrder.random(3, width=2, precision=5, seed=seed) for seed in range(6)]
    rows = words(3, 8)[::7]
    assert any((model.codes(rows) != model.layer.codes(rows)).any() for model in layers)


def test_layers_in_order_that_do_not_fit_are_refused():
    refuse(
        (lambda: LayerInOrder(5), "OneLayerTransformer"),
        (lambda: LayerInOrder.random(0, width=1, precision=6, seed=0), "n = 0"),
        (lambda: one_message(LayerInOrder.random(2, more=1, width=1, precision=6, seed=0)), "6 tokens"),
        (lambda: one_message(OneLayerTransformer.random("ab", length=4, width=2, precision=6, seed=0)), "LayerInOrder"),
        (lambda: chain_in_order([], 2), "one or more"),
        (lambda: chain_in_order([LayerInOrder.random(2, width=1, precision=6, seed=0)], 2), "5 tokens"),
        (lambda: chain_in_order([LayerInOrder.random(3, more=-1, width=1, precision=6, seed=0)], 2), "tables of 2"),
    )
