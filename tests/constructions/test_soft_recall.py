"""Associative recall by weights above 9/10 and sigma: right on every prompt, of every length up to the longest."""

from fractions import Fraction

import numpy as np
import pytest

from ccsim import InputError
from ccsim.arithmetic import Precision
from ccsim.problems import associative_recall
from protocols.constructions import BinaryAddresses, size_of, smallest_sign_vectors, soft_recall_transformer


@pytest.mark.parametrize(("pairs", "values"), [(1, "01"), (2, "01"), (3, "01"), (2, "012")])
def test_right_on_every_prompt_of_every_length(pairs, values):
    model, keys = soft_recall_transformer(pairs, values=values), "abc"[:pairs]
    for size in range(1, pairs + 1):
        assert model.mistake(associative_recall(size, keys, values)) is None


def test_the_codes_may_be_binary_digits():
    model = soft_recall_transformer(3, codes=BinaryAddresses(3))
    assert model.mistake(associative_recall(3)) is None
    assert model.width == 2 + 3 * smallest_sign_vectors(7, Fraction(1, 2), two_sided=True).dimension + 2
    assert (size_of(model).layers, size_of(model).heads) == (2, 1)


def test_the_second_layer_restores_the_label_from_less_than_all_of_the_weight():
    pairs = 24
    model = soft_recall_transformer(pairs)
    places = np.arange(pairs)
    told = np.stack([places, pairs + places % 2], axis=1).reshape(-1)
    words = np.hstack([np.tile(told, (pairs, 1)), places[:, None]])
    stream = model.token_embedding[words] + model.positions(words.shape[1])
    for block in model.blocks:
        unit = block.attention.units[0]
        given = unit.weighting.row(unit.logits(unit.queries(stream[:, -1:]), unit.keys(stream))[:, 0])
        largest = given.max(axis=1)
        assert (10 * largest > 9 * model.precision.scale).all()
        assert (largest < model.precision.scale).any()
        stream = block(stream, model.causal)
    outputs = model.outputs(words)
    assert outputs.tolist() == [[s * model.precision.scale for s in ((1, -1), (-1, 1))[place % 2]] for place in places]


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="above 9/10"):
        soft_recall_transformer(3, ahead=Fraction(39, 10))  # with six others 1 / (1 + 6 exp(-3.9)) is 0.892
    assert soft_recall_transformer(3, ahead=4).mistake(associative_recall(3)) is None
    with pytest.raises(InputError, match="one that holds"):
        soft_recall_transformer(3, precision=Precision.fixed_point(1, 12))
