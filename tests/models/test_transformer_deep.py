"""Transformers of several layers against the oracle, and what makes them different from one layer."""

from __future__ import annotations

import numpy as np
import pytest

from ccsim.arithmetic import Precision
from ccsim.errors import InputError
from ccsim.models import HardMaximum, OneLayerTransformer, Transformer
from tests.models.transformer_oracle import Oracle


def model_of(seed=0, **options):
    given = {"length": 4, "width": 4, "layers": 2, "heads": 2, "precision": 10, "hidden": 5}
    return Transformer.random("abc", seed=seed, **{**given, **options})


def some_words(model, count=20):
    return np.random.default_rng(0).integers(0, 3, (count, model.length))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"causal": False},
        {"layers": 3, "heads": 1, "layer_norm": "before"},
        {"layers": 2, "layer_norm": True, "causal": False, "precision": 16},
        {"layers": 2, "precision": Precision(11, -90, 70)},
        {"layers": 2, "precision": 5, "weighting": HardMaximum(Precision.of(5), "average")},
        {"layers": 2, "precision": 5, "weighting": HardMaximum(Precision.of(5), "first")},
        {"layers": 2, "precision": 5, "weighting": HardMaximum(Precision.of(5), "last"), "causal": False},
    ],
)
def test_against_the_oracle(options):
    for seed in range(2):
        model = model_of(seed, **options)
        words, oracle = some_words(model, 5), Oracle(model)
        assert model.outputs(words).tolist() == [oracle.outputs(word) for word in words.tolist()]
        np.testing.assert_array_equal(model.codes(words), model.outputs(words).argmax(axis=-1))


def test_one_layer_is_the_same_as_the_one_layer_model():
    options = {"length": 5, "width": 6, "heads": 2, "precision": 12, "seed": 4}
    one, many = OneLayerTransformer.random("abc", **options), Transformer.random("abc", layers=1, **options)
    words = np.random.default_rng(0).integers(0, 3, (50, 5))
    np.testing.assert_array_equal(one.outputs(words), many.outputs(words))
    assert (one.layers, many.layers, one.parameters) == (1, 1, many.parameters)


def test_the_mask_matters_with_two_layers_and_not_with_one():
    words = some_words(model_of(), 60)
    assert (model_of(causal=True).outputs(words) != model_of(causal=False).outputs(words)).any()
    one = [model_of(layers=1, causal=causal).outputs(words) for causal in (True, False)]
    np.testing.assert_array_equal(*one)


def test_a_causal_position_does_not_see_later_ones():
    model = model_of()
    stream = np.random.default_rng(0).integers(-40, 40, (7, 4, 4))
    changed = stream.copy()
    changed[:, 2:] = -changed[:, 2:]
    for block in model.blocks:
        stream, changed = block(stream, model.causal), block(changed, model.causal)
    np.testing.assert_array_equal(stream[:, :2], changed[:, :2])
    assert (stream[:, 2] != changed[:, 2]).any()


def test_positions_for_every_length():
    """One head that attends, by hard maximum, to the symbol before the last; positions are numbered by a function."""
    precision = Precision.fixed_point(12, 2)
    block = {
        "query": [[[0], [1], [0], [0]]],  # i
        "key": [[[0], [0], [1], [0]]],  # -(i+1)^2 would overflow; the score below has its maximum at the place before
        "value": [[[1], [0], [0], [0]]],
        "output": [[0, 0, 0, 1]],
        "weighting": HardMaximum(precision, "last"),
    }

    def positions(length):
        rows = np.zeros((length, 4))
        rows[:, 1], rows[-1, 1] = 0, 1  # the last position asks
        rows[:-1, 2] = np.arange(1, length)  # earlier positions answer by their number
        return rows

    model = Transformer.from_arrays(
        "ab",
        precision=precision,
        token_embedding=[[-1, 0, 0, 0], [1, 0, 0, 0]],
        position_embedding=positions,
        blocks=[block],
        read_out=[[0, 0], [0, 0], [0, 0], [0, 1]],
    )
    assert model.length is None
    for word in ("ab", "ba", "aaba", "aabb", "abababa", "bbbbbbbab"):
        assert model(word) == int(word[-2] == "b"), word
    assert model.task(3)("aba") == 1
    with pytest.raises(InputError, match="length"):
        model.task()
