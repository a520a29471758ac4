"""What transformers refuse, and what they say."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ccsim.arithmetic import Precision
from ccsim.errors import InputError, TableTooLargeError
from ccsim.models import (
    Affine,
    Block,
    Dense,
    HardMaximum,
    LayerNorm,
    OneLayerTransformer,
    Softmax,
    Tokenwise,
    Transformer,
)
from tests.refusals import refused

ARRAYS = {
    "precision": 12,
    "token_embedding": np.zeros((2, 4)),
    "position_embedding": np.zeros((3, 4)),
    "query": np.zeros((2, 4, 3)),
    "key": np.zeros((2, 4, 3)),
    "value": np.zeros((2, 4, 2)),
    "output": np.zeros((4, 4)),
    "read_out": np.zeros((4, 2)),
    "tokenwise": [(np.zeros((4, 5)), np.zeros(5), "relu"), (np.zeros((5, 4)),)],
}

BAD_ARRAYS = [
    ({"token_embedding": np.zeros((3, 4))}, "token_embedding", r"\(2, 4\)"),
    ({"token_embedding": np.zeros((2, 5))}, "token_embedding", r"\(2, 4\)"),
    ({"position_embedding": np.zeros(4)}, "position_embedding", "shape"),
    ({"position_embedding": [[0, np.nan, 0, 0]]}, "position_embedding", "finite"),
    ({"query": np.zeros((4, 3))}, "query", "heads, width"),
    ({"key": np.zeros((2, 4, 2))}, "key", "queries"),
    ({"key": np.zeros((3, 4, 3))}, "key", "to go with keys and queries"),
    ({"key": np.zeros((1, 4, 3))}, "key", "to go with keys"),
    ({"value": np.zeros((2, 3, 2))}, "value", "to go with keys"),
    ({"value": np.full((2, 4, 2), 100.0)}, "value", "integer bits"),
    ({"output": np.zeros((4, 3))}, "output", r"\(4, 4\)"),
    ({"read_out": np.zeros((4, 3))}, "read_out", r"\(4, 2\)"),
    ({"read_out": np.zeros((3, 2))}, "read_out", r"\(4, 2\)"),
    ({"read_out_bias": [1, 2, 3]}, "read_out bias", r"shape \(2\)"),
    ({"precision": 2}, "precision", "from 3 to 40"),
    ({"logit_scale": 0}, "logit_scale", "positive"),
    ({"logit_scale": None}, "logit_scale", "logit_scale"),
    ({"weighting": 5}, "weighting", "weighting"),
    ({"residual": "x"}, "residual", "residual"),
    ({"alphabet": 5}, "alphabet", "alphabet"),
    ({"weighting": Softmax(Precision.of(8))}, "weighting", "rule"),
    ({"layer_norm": "between"}, "layer_norm", "'before' or 'after'"),
    ({"answers": (0, 0)}, "answers", "all different"),
    ({"tokenwise": "relu"}, "tokenwise", "layers"),
    ({"tokenwise": [(np.zeros((4, 5)), None, "relu")]}, "layers", "4 outputs"),
    ({"tokenwise": [(np.zeros((3, 4)), None, "relu")]}, "layers", "4 inputs"),
    ({"tokenwise": [(np.zeros((4, 4)), None, "relish")]}, "activation", "one of"),
    ({"tokenwise": [(np.zeros((4, 4)), np.zeros(3))]}, "tokenwise layer 1 weights bias", r"shape \(4\)"),
    ({"tokenwise": [()]}, "tokenwise", "layer 1"),
]


def test_arrays_that_do_not_fit():
    for change, argument, expected in BAD_ARRAYS:
        assert OneLayerTransformer.from_arrays("ab", **ARRAYS).parameters > 0
        with refused(expected, argument):
            OneLayerTransformer.from_arrays(**{"alphabet": "ab", **ARRAYS, **change})


RANDOM = {"length": 3, "width": 4, "heads": 2, "precision": 8, "seed": 0}


def test_sizes_of_random_models():
    for change, argument in [
        ({"length": 0}, "length"),
        ({"length": 2.0}, "length"),
        ({"width": 0}, "width"),
        ({"heads": 0}, "heads"),
        ({"head_width": 0}, "head_width"),
        ({"key_width": -1}, "key_width"),
        ({"hidden": -1}, "hidden"),
        ({"precision": 41}, "precision"),
        ({"seed": 0.5}, "seed"),
        ({"answers": ()}, "answers"),
        ({"activation": "swosh"}, "activation"),
    ]:
        with pytest.raises(InputError) as caught:
            OneLayerTransformer.random("ab", **{**RANDOM, **change})
        assert caught.value.argument == argument, change
        with pytest.raises(InputError):
            Transformer.random("ab", layers=2, **{**RANDOM, **change})
        with pytest.raises(InputError, match="layers"):
            Transformer.random("ab", layers=0, **RANDOM)


def test_words():
    for words, expected in [
        ([[0, 1]], "3"),
        ([[0, 1, 2]], "from 0 to 1"),
        ([[0, -1, 1]], "from 0 to 1"),
        ([[0.0, 1.0, 1.0]], "integers"),
        (5, "shape"),
        (["aba"], "integers"),
    ]:
        for model in (OneLayerTransformer.random("ab", **RANDOM), Transformer.random("ab", layers=2, **RANDOM)):
            with refused(expected):
                model.codes(np.array(words))


def test_pieces():
    model = OneLayerTransformer.random("ab", **RANDOM)
    with pytest.raises(InputError, match=r"\(5, 2, 2\)"):
        model.finish(np.zeros(5, dtype=int), np.zeros((5, 2, 3), dtype=int))
    with pytest.raises(InputError, match="ranks"):
        model.finish(np.full(5, 2), np.zeros((5, 2, 2), dtype=int))
    with pytest.raises(InputError, match="not positive"):
        model.exponentials(np.array([1]))
    with pytest.raises(InputError, match="positive"):
        model.weights(np.array([1]), np.array([0]))
    with pytest.raises(InputError, match="several parts"):
        HardMaximum(Precision.of(8), "first").exponentials(np.array([0]))
    with pytest.raises(InputError, match="word"):
        model([[1], "a", "b"])
    with pytest.raises(InputError, match="'last'"):
        HardMaximum(Precision.of(8), "middle")


def test_declared_functions_are_checked():
    def model(function):
        return OneLayerTransformer.from_arrays("ab", **{**ARRAYS, "tokenwise": function})

    word = np.zeros((1, 3), dtype=int)
    assert model(lambda stream: stream + 1).codes(word).shape == (1,)
    for wrong, message in [
        (lambda stream: stream[..., :2], r"\(1, 4\)"),
        (lambda stream: stream + 10**6, "mantissas from"),
        (lambda stream: stream / 2, "integers"),
    ]:
        with refused(message):
            model(wrong).codes(word)


def test_parts_of_different_precisions_or_widths():
    eight, nine = Precision.of(8), Precision.of(9)

    def block_of(precision, width):
        return Block.random(precision=precision, width=width, heads=1, key_width=2, head_width=2, hidden=3, seed=0)

    block = block_of(eight, 4)
    ends = {"name": "x", "alphabet": "ab", "answers": (0, 1), "token_embedding": np.zeros((2, 4), int)}
    read_out = Affine.linear(eight, np.zeros((4, 2), int))
    made = Transformer(**ends, position_embedding=np.zeros((3, 4), int), blocks=(block,), read_out=read_out)
    assert made.width == 4
    for change, argument in [
        ({"blocks": ()}, "blocks"),
        ({"blocks": (block, block_of(nine, 4))}, "blocks"),
        ({"blocks": (block, block_of(eight, 5))}, "blocks"),
        ({"read_out": Affine.linear(nine, np.zeros((4, 2), int))}, "read_out"),
        ({"position_embedding": np.zeros((3, 4))}, "position_embedding"),
        ({"position_embedding": np.full((3, 4), 128)}, "position_embedding"),
    ]:
        parts = {"position_embedding": np.zeros((3, 4), int), "blocks": (block,), "read_out": read_out, **change}
        with refused("", argument):
            Transformer(**ends, **parts)
    with pytest.raises(InputError, match="norms of 4"):
        Block(block.attention, block.tokenwise, type(block.norms)(LayerNorm.from_arrays(nine, 4)))
    with pytest.raises(InputError, match="function of 4"):
        Block(block.attention, Tokenwise(eight, 5, function=abs))
    with pytest.raises(InputError, match="layer 1"):
        Tokenwise(eight, 4, (Dense(Affine.linear(nine, np.eye(4, dtype=int))),))
    with pytest.raises(InputError, match="either"):
        Tokenwise(eight, 4)


def test_norms():
    precision = Precision.of(8)
    for change, argument in [
        ({"gain": [1, 1]}, "gain"),
        ({"bias": [0] * 4}, "bias"),
        ({"gain": [float("nan")] * 3}, "gain"),
        ({"epsilon": -1}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"epsilon": "small"}, "epsilon"),
    ]:
        with refused("", argument):
            LayerNorm.from_arrays(precision, 3, **change)
    norm = LayerNorm.from_arrays(precision, 3, epsilon=Fraction(1, 9))
    with pytest.raises(InputError, match="3"):
        norm(np.zeros((2, 4), dtype=int))


def test_a_norm_of_wide_numbers_is_that_of_python_integers():
    precision = Precision.of(40)
    norm = LayerNorm.from_arrays(precision, 2)
    values = np.array([[precision.high, precision.low], [5, 6]])
    assert norm(values).tolist() == norm(values.astype(object)).tolist() == norm(values.astype(float)).tolist()


def test_random_weights_are_not_begun_without_memory():
    with pytest.raises(TableTooLargeError, match="random numbers"):
        OneLayerTransformer.random("ab", length=2, width=1, hidden=1 << 50, precision=8, seed=0)
