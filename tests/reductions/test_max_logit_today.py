"""The exchange of maximal logits for one layer as people run it today: every word, any partition, and what it costs."""

import pytest

from ccsim.arithmetic import Precision
from ccsim.bounds import softmax_bits
from ccsim.models import OneLayerTransformer
from ccsim.problems import Partition
from protocols.reductions import max_logit_softmax

P = Precision.fixed_point(3, 5)
LLAMA = {"key_heads": 1, "layer_norm": "rms-before", "gated": True, "activation": "silu"}
KINDS = {"llama": LLAMA, "bloom": {"layer_norm": "before"}}


def built(kind, length=4, seed=0):
    sizes = {"length": length, "width": 4, "heads": 2, "hidden": 4, "precision": P}
    return OneLayerTransformer.random("ab", seed=seed, **sizes, **KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("variant", ["literal", "one-sided", "compact", "symbols"])
def test_every_word_and_partition(kind, variant):
    model = built(kind)
    for partition in Partition.all(4):
        protocol = max_logit_softmax(model, partition, variant=variant)
        assert protocol.explore().raise_if_wrong().worst_bits == protocol.cost.bits


def test_norms_gates_and_shared_keys_do_not_change_the_printed_bits():
    bits = [max_logit_softmax(built(kind), Partition.odd_even(4)).cost.bits for kind in KINDS]
    assert bits == [4 * 9 + 2 * (2 * 9 + 2 * (9 + 2) + 4 * 2 * 9)] * 2


@pytest.mark.parametrize("seed", range(3))
def test_the_formula_is_the_most_that_it_costs(seed):
    sizes = {"length": 8, "width": 4, "heads": 2, "precision": P, "key_heads": 1}
    model = OneLayerTransformer.random("ab", seed=seed, **sizes)
    most = softmax_bits(head_width=2, heads=2, precision=9, length=8, symbols=2, scale=P.scale)
    assert max_logit_softmax(model, Partition.odd_even(8), variant="compact").cost.bits <= most
    for window in (1, 2, 3, 5):  # of which the exchange is that of as many positions
        narrow = softmax_bits(head_width=2, heads=2, precision=9, length=8, symbols=2, scale=P.scale, window=window)
        assert narrow == softmax_bits(head_width=2, heads=2, precision=9, length=window, symbols=2, scale=P.scale)
