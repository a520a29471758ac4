"""Layers that add up in order: one message, chains of thought, and what another order of the sums would do."""

import itertools

import numpy as np
import pytest

import ccsim as cc
from ccsim.models import OneLayerTransformer
from protocols.reductions.composition import MARK, LayerInOrder, chain_in_order, one_message
from tests.oracles.summed_in_order import InOrder

SIZES = [{"width": 1, "precision": 3}, {"width": 2, "precision": 8}, {"width": 3, "precision": 5, "heads": 2}]


def words(n, length):
    return np.array([[*word, n] for word in itertools.product(range(n), repeat=length - 1)])


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("seed", range(3))
def test_registers_and_answers_are_those_of_plain_numbers(sizes, seed):
    model = LayerInOrder.random(2, seed=seed, **sizes)
    plain, rows = InOrder(model.layer), words(2, 6)
    registers = model.read(model.empty(len(rows)), range(6), rows, rows[:, -1])
    for place, word in enumerate(rows.tolist()):
        sums, _, answer = plain.computed(word)
        assert registers[place].tolist() == [list(each) for each in sums]
        assert model.codes(rows)[place] == answer


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("seed", range(4))
def test_one_message_is_the_layer_bit_for_bit_for_the_printed_cost(sizes, seed):
    protocol = one_message(LayerInOrder.random(2, seed=seed, **sizes))
    explored = protocol.explore().raise_if_wrong()
    printed = sizes.get("heads", 1) * (sizes["width"] + 1) * sizes["precision"]
    assert explored.worst_bits == protocol.cost.bits == printed
    assert (explored.worst_rounds, explored.pairs) == (1, 32)


@pytest.mark.parametrize("steps", [1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_a_chain_says_a_message_and_a_token_each_step(steps, seed):
    models = [LayerInOrder.random(2, more=number - 1, width=2, precision=6, seed=seed) for number in range(steps)]
    protocol = chain_in_order(models, 2)
    explored = protocol.explore().raise_if_wrong()
    assert explored.worst_bits == protocol.cost.bits == steps * (3 * 6 + 1)
    assert explored.worst_rounds == 2 * steps
    for f, g in itertools.product(itertools.product(range(2), repeat=2), repeat=2):
        word = (*f, *g, MARK)
        for model in models:
            word = (*word, model(word))
        assert protocol.function(f, g) == word[-1]


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


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: LayerInOrder(5), "OneLayerTransformer"),
        (lambda: LayerInOrder.random(0, width=1, precision=6, seed=0), "n = 0"),
        (lambda: one_message(LayerInOrder.random(2, more=1, width=1, precision=6, seed=0)), "6 tokens"),
        (lambda: one_message(OneLayerTransformer.random("ab", length=4, width=2, precision=6, seed=0)), "LayerInOrder"),
        (lambda: chain_in_order([], 2), "one or more"),
        (lambda: chain_in_order([LayerInOrder.random(2, width=1, precision=6, seed=0)], 2), "5 tokens"),
        (lambda: chain_in_order([LayerInOrder.random(3, more=-1, width=1, precision=6, seed=0)], 2), "tables of 2"),
    ],
)
def test_what_does_not_fit_is_refused(call, told):
    with pytest.raises(cc.InputError, match=told):
        call()
