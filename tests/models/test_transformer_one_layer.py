"""One-layer transformers: tables, plain evaluation and an oracle agree bit for bit; pieces make up the whole."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ccsim.arithmetic import Precision
from ccsim.models import Dense, HardMaximum, LayerNorm, Norms, OneLayerTransformer
from ccsim.models.affine import Affine
from ccsim.problems import Partition
from tests.models.transformer_oracle import Oracle

MODELS = {
    "plain": {"length": 5, "width": 6, "heads": 2, "precision": 12},
    "one head": {"length": 4, "width": 5, "heads": 1, "precision": 8},
    "three heads": {"length": 6, "width": 7, "heads": 3, "precision": 10, "head_width": 3, "key_width": 1},
    "coarse": {"length": 5, "width": 4, "heads": 2, "precision": 3},
    "wide numbers": {"length": 4, "width": 3, "heads": 2, "precision": 36},
    "paper": {"length": 6, "width": 4, "heads": 2, "precision": Precision.polynomial(6, 2)},
    "odd steps": {"length": 5, "width": 4, "heads": 2, "precision": Precision(7, -50, 33)},
    "unsigned": {"length": 4, "width": 4, "heads": 1, "precision": Precision.fixed_point(7, 5, signed=False)},
    "norm after": {"length": 5, "width": 6, "heads": 2, "precision": 14, "layer_norm": True},
    "norm before": {"length": 5, "width": 6, "heads": 2, "precision": 11, "layer_norm": "before"},
    "silu": {"length": 4, "width": 8, "heads": 2, "precision": 8, "activation": "silu"},
    "no hidden": {"length": 4, "width": 4, "heads": 2, "precision": 9, "hidden": 0},
    "one position": {"length": 1, "width": 3, "heads": 1, "precision": 9},
    "many symbols": {"length": 6, "width": 4, "heads": 2, "precision": 12, "alphabet": range(120)},
    "ties shared": {"length": 5, "width": 4, "heads": 2, "precision": 5, "ties": "average"},
    "first tie": {"length": 5, "width": 4, "heads": 2, "precision": 4, "ties": "first"},
    "last tie": {"length": 5, "width": 4, "heads": 2, "precision": 4, "ties": "last"},
}


def build(name, seed=0):
    given_ = dict(MODELS[name])
    ties = given_.pop("ties", None)
    if ties:
        given_["weighting"] = HardMaximum(Precision.of(given_["precision"]), ties)
    alphabet = given_.pop("alphabet", "abc")
    return OneLayerTransformer.random(alphabet, seed=seed, answers=("no", "yes", "maybe"), **given_)


def some_words(model, count=40, seed=1):
    return np.random.default_rng(seed).integers(0, len(model.alphabet), (count, model.length))


def test_tables_and_matrices_and_the_oracle_agree():
    for name in MODELS:
        for seed in range(2):
            model = build(name, seed)
            words = some_words(model)
            outputs, oracle = model.outputs(words), Oracle(model)
            np.testing.assert_array_equal(outputs, model.outputs_plain(words))
            assert outputs[:4].tolist() == [oracle.outputs(word) for word in words[:4].tolist()], name
            np.testing.assert_array_equal(model.codes(words), outputs.argmax(axis=-1))
            np.testing.assert_array_equal(model.codes(words), model.codes_plain(words))


def test_norms_at_every_place():
    base = build("norm after")
    norm = LayerNorm.from_arrays(base.precision, 6, np.linspace(0.5, 1.5, 6), np.linspace(-1, 1, 6), Fraction(1, 100))
    places = dict.fromkeys(Norms.__dataclass_fields__, norm)
    model = replace(base, blocks=(replace(base.block, norms=Norms(**places)),))
    words = some_words(model, 5)
    assert model.outputs(words).tolist() == [Oracle(model).outputs(word) for word in words.tolist()]


@pytest.mark.parametrize("name", ["plain", "paper", "wide numbers", "norm after", "ties shared"])
def test_every_partition_gives_the_same_answer_from_the_pieces(name):
    """Two parties sum up exponentials and weighted values over their own positions only."""
    model = build(name)
    words = some_words(model, 12)
    positions, last = np.arange(model.length), words[:, -1]
    for chosen in itertools.product([True, False], repeat=model.length):
        parties = [positions[np.array(chosen) == side] for side in (True, False)]
        logits = [model.logit_table[:, last[:, None], own, words[:, own]] for own in parties]  # (heads, batch, own)
        most = np.max([part.max(axis=-1, initial=model.precision.low) for part in logits], axis=0)
        exponentials = [model.exponentials(part - most[..., None]) for part in logits]
        total = sum(part.sum(axis=-1) for part in exponentials)
        sums = np.zeros((len(words), model.heads, model.head_width), dtype=np.int64)
        for own, part in zip(parties, exponentials, strict=True):
            weights = model.weights(part, total[..., None])
            values = model.value_table[:, own, words[:, own]]  # (heads, batch, own, head width)
            share = (weights[..., None] * values).sum(axis=2)
            assert np.abs(share).max(initial=0) <= model.largest_head_sum
            sums += np.swapaxes(share, 0, 1)
        assert (total <= model.length * model.precision.scale).all()
        np.testing.assert_array_equal(model.finish_outputs(last, sums), model.outputs(words))
        np.testing.assert_array_equal(model.finish(last, sums), model.codes(words))


def test_tables_hold_what_the_parts_give():
    model = build("norm before")
    rows = model.block.attended(model.embedding_table)
    for head, unit in enumerate(model.block.attention.units):
        for last, place, symbol in itertools.product(range(3), range(model.length), range(3)):
            logit = unit.logits_from(rows[-1, last], rows[place, symbol][None])
            assert model.logit_table[head, last, place, symbol] == logit[0]
        np.testing.assert_array_equal(model.value_table[head], unit.values_from(rows))
    assert (model.logit_table.shape, model.value_table.shape) == ((2, 3, 5, 3), (2, 5, 3, 3))
    assert model.exponentials(np.array(0)) == model.precision.scale


def test_activations_by_table_are_those_of_the_plain_pass():
    for activation in ["tanh", "sigmoid", "gelu", "gelu_tanh", "silu", "softplus", "sign", "cos"]:
        options = {"length": 3, "width": 4, "precision": 10, "seed": 5, "activation": activation}
        model = OneLayerTransformer.random("abc", **options)
        words = some_words(model, 60)
        np.testing.assert_array_equal(model.outputs(words), model.outputs_plain(words))


def test_random_models_are_the_same_on_every_machine():
    model = OneLayerTransformer.random("abcd", length=6, width=8, heads=2, precision=12, seed=7)
    words = model.task().words.array(np.arange(4**6))
    digest = hashlib.sha256(np.ascontiguousarray(model.outputs(words), dtype="<i8").tobytes()).hexdigest()
    assert digest == "ee3a831d8140b20be444c1a55bb9c96223baee94eba25950fc524413175dea18"
    other = OneLayerTransformer.random("abcd", length=6, width=8, heads=2, precision=12, seed=8)
    assert (other.outputs(words) != model.outputs(words)).any()


def test_arrays_of_fractions_give_the_same_model():
    model = build("plain")
    exact = model.precision.fractions
    maps = list(zip(*model.block.maps, strict=True))
    query, key, value = (np.stack([exact(part.weights) for part in parts]) for parts in maps)
    layers = [
        (exact(layer.affine.weights), exact(layer.affine.bias), layer.activation) for layer in model.tokenwise.layers
    ]
    again = OneLayerTransformer.from_arrays(
        model.alphabet,
        precision=model.precision,
        token_embedding=exact(model.token_embedding),
        position_embedding=exact(model.position_embedding),
        query=query,
        key=key,
        value=value,
        output=exact(model.block.output.weights),
        tokenwise=layers,
        read_out=exact(model.read_out.weights),
        read_out_bias=exact(model.read_out.bias),
        answers=model.answers,
    )
    words = some_words(model, 200)
    np.testing.assert_array_equal(again.outputs(words), model.outputs(words))
    # weights of 2 heads, both embeddings, 6 -> 24 -> 6 with biases, and the read-out
    assert model.parameters == again.parameters == 3 * 36 + 36 + 18 + 30 + (144 + 24) + (144 + 6) + 21
    assert model.size_bits == 12 * model.parameters


def copier(**changes):
    """Length 3, width 2: attends uniformly and answers whether the average of the values is positive."""
    arrays = {
        "precision": 12,
        "token_embedding": [[-1, 0], [1, 0]],
        "position_embedding": [[0, 0]] * 3,
        "query": [[[0], [0]]],
        "key": [[[0], [0]]],
        "value": [[[1], [0]]],
        "output": [[0, 1]],
        "read_out": [[0, 0], [0, 1]],
    }
    return OneLayerTransformer.from_arrays("ab", **{**arrays, **changes})


def test_a_model_written_by_hand():
    model = copier()
    assert [model(word) for word in ("aab", "abb", "bbb", "aaa", "bab")] == [0, 1, 1, 0, 1]
    declared = copier(tokenwise=lambda stream: -2 * stream)
    assert [declared(word) for word in ("aab", "abb")] == [1, 0]
    squared = Dense(Affine.from_arrays(Precision.of(12), np.eye(2)), lambda x: x * x // Precision.of(12).scale)
    assert copier(tokenwise=[squared])("aab") == 0
    alone = copier(residual=False)
    assert alone.outputs(np.array([[1, 1, 1]])).tolist() == [[0, 3 * (alone.precision.scale // 3)]]
    gained = Norms(after_tokenwise=LayerNorm.from_arrays(Precision.of(12), 2, gain=[1, 1], epsilon=Fraction(1, 4)))
    assert copier(layer_norm=gained)("bbb") in (0, 1)


def test_logits_are_scaled_exactly():
    scaled = copier(query=[[[1], [0]]], key=[[[1], [0]]], logit_scale=Fraction(1, 3))
    step = scaled.precision.scale
    assert scaled.logit_table[0, 1, 0].tolist() == [-step // 3, step // 3]
    words = some_words(scaled)
    np.testing.assert_array_equal(scaled.outputs(words), scaled.outputs_plain(words))


def test_words_of_any_shape():
    model = build("plain")
    words = some_words(model, 24)
    expected = model.codes(words)
    np.testing.assert_array_equal(model.codes(words.reshape(2, 3, 4, -1)), expected.reshape(2, 3, 4))
    np.testing.assert_array_equal(model.codes(words.astype(np.uint8)), expected)
    assert model.codes(words[0]) == expected[0]
    assert model.codes(words[:0]).shape == (0,)
    assert model("abcab") == model.answers[int(model.codes(np.array([0, 1, 2, 0, 1])))]
    assert model.task().split(Partition.odd_even(5))("aca", "bb") == model("abcba")


def test_without_memory_for_tables_the_matrices_are_multiplied(monkeypatch):
    words = some_words(build("plain"))
    expected = build("plain").outputs(words)
    monkeypatch.setattr("ccsim.models.transformer.available_bytes", lambda: 1000)
    model = build("plain")
    np.testing.assert_array_equal(model.outputs(words), expected)
    assert "_tables" not in vars(model)
