"""A layer whose last symbol is known to all, as one message: beside its answers on whole words, worked out by hand."""

import random
from fractions import Fraction

import pytest

from ccsim.errors import InputError
from protocols.papers.sanford2024 import index_to_marked_induction
from protocols.reductions import KnownQueryLayer, known_query, reduce


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


def test_heads_are_finished_one_by_one():
    means = []
    layer = KnownQueryLayer([[{}], [{}]], [[{"a": [0, 0]}], [{"a": [0, 0]}]], lambda found: means.append(found) or 0, 4)
    layer.finish([3, 4, 2, 5, 6, 7])
    assert means == [(Fraction(3, 2), 2, Fraction(5, 7), Fraction(6, 7))]


def test_sums_are_weighed_coordinate_by_coordinate():
    layer = KnownQueryLayer(
        [[{"a": 2, "b": 1}, {"a": 3, "b": 0}]], [[{"a": [1, 5], "b": [4, 0]}, {"a": [2, 7], "b": [9, 9]}]], int, 9
    )
    assert layer.sums([0, 1], "aa") == [2 * 1 + 3 * 2, 2 * 5 + 3 * 7, 5]
    assert layer.sums([1], "b") == [0, 0, 0]
    assert (layer.heads, layer.width) == (1, 2)


def test_what_does_not_fit_is_refused():
    reduction = index_to_marked_induction(2)
    with pytest.raises(InputError, match="sums of 1 bits"):
        known_query(drawn(5, 1, 2, 1, 0), reduction)
    with pytest.raises(InputError, match="the same last symbol"):
        known_query(drawn(5, 1, 1, 8, 0, (*"01", *range(1, 5))), reduce("index", "index-lookup", n=4))
