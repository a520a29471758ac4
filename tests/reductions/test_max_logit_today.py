"""The exchange of maximal logits for one layer as people run it today: every word, any partition, and what it costs."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ccsim.arithmetic import Precision
from ccsim.bounds import softmax_bits
from ccsim.models import OneLayerTransformer, Rotary, Scoring, alibi_slopes
from ccsim.problems import Partition
from protocols.reductions import max_logit_softmax

P = Precision.fixed_point(3, 5)
LLAMA = {"key_heads": 1, "layer_norm": "rms-before", "gated": True, "activation": "silu"}
KINDS = {
    "llama": {"scoring": Scoring(Rotary(P, 2)), **LLAMA},
    "gemma 2": {"scoring": Scoring(Rotary(P, 2), Fraction(1), window=2), "output_cap": 1, **LLAMA},
    "bloom": {"scoring": [Scoring(slope=slope) for slope in alibi_slopes(2)], "layer_norm": "before"},
    "two windows": {"scoring": [Scoring(window=1), Scoring(window=3)]},
}


def built(kind, length=4, seed=0):
    sizes = {"length": length, "width": 4, "heads": 2, "hidden": 4, "precision": P, "positions": False}
    return OneLayerTransformer.random("ab", seed=seed, **sizes, **KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("variant", ["literal", "one-sided", "compact", "symbols"])
def test_every_word_and_partition(kind, variant):
    model = built(kind)
    for partition in Partition.all(4):
        protocol = max_logit_softmax(model, partition, variant=variant)
        assert protocol.explore().raise_if_wrong().worst_bits == protocol.cost.bits


@pytest.mark.parametrize("kind", KINDS)
def test_the_printed_bits_do_not_change(kind):
    model, plain = built(kind), built("llama")
    without = replace(plain, block=replace(plain.block, attention=plain_units(plain)))
    bits = [max_logit_softmax(one, Partition.odd_even(4)).cost.bits for one in (model, without)]
    assert bits[0] == bits[1] == 4 * 9 + 2 * (2 * 9 + 2 * (9 + 2) + 4 * 2 * 9)


def plain_units(model):
    attention = model.block.attention
    return replace(attention, units=tuple(replace(unit, scoring=Scoring()) for unit in attention.units))


def test_a_window_costs_what_is_seen():
    wide = max_logit_softmax(built("llama", 8), Partition.odd_even(8), variant="compact").cost
    narrow = max_logit_softmax(built("gemma 2", 8), Partition.odd_even(8), variant="compact").cost
    assert narrow.bits < wide.bits
    assert narrow.parameters["normalisers"] == 2 * (33**2 - 1).bit_length()  # one position each
    assert wide.parameters["normalisers"] == 2 * (129**2 - 1).bit_length()  # four
    hidden = max_logit_softmax(built("gemma 2", 8), Partition.prefix(8, 6), variant="compact").cost
    assert hidden.parameters == {"answers": 2}
    assert hidden.bits == 1


@pytest.mark.parametrize("window", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("seed", range(3))
def test_the_formula_is_the_most_that_it_costs(window, seed):
    sizes = {"length": 8, "width": 4, "heads": 2, "precision": P, "scoring": Scoring(window=window), "key_heads": 1}
    model = OneLayerTransformer.random("ab", seed=seed, **sizes)
    most = softmax_bits(head_width=2, heads=2, precision=9, length=8, symbols=2, scale=P.scale, window=window)
    assert max_logit_softmax(model, Partition.odd_even(8), variant="compact").cost.bits <= most
    assert most == softmax_bits(head_width=2, heads=2, precision=9, length=window, symbols=2, scale=P.scale)


def test_a_cap_keeps_the_order_and_the_exchange_finds_the_same_maximum():
    model = built("gemma 2", 6, seed=2)
    plain = replace(model, block=replace(model.block, attention=plain_units(model)))
    capped = [replace(unit, scoring=Scoring(soft_cap=Fraction(1, 2))) for unit in plain.block.attention.units]
    soft = replace(plain, block=replace(plain.block, attention=replace(plain.block.attention, units=tuple(capped))))
    before, after = plain.logit_table.reshape(-1), soft.logit_table.reshape(-1)
    order = np.argsort(before, kind="stable")
    assert (np.diff(after[order]) >= 0).all()
    assert len(np.unique(after)) < len(np.unique(before))
