"""RoPE, ALiBi, windows, soft caps, shared keys, RMSNorm and SwiGLU: one layer and two, against one number at a time."""

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ccsim.arithmetic import Precision
from ccsim.errors import InputError
from ccsim.models import (
    HardMaximum,
    Norms,
    OneLayerTransformer,
    RMSNorm,
    Rotary,
    Scoring,
    Transformer,
    alibi_slopes,
)
from tests.models.transformer_oracle import Oracle

P = Precision.fixed_point(3, 5)
LLAMA = {"scoring": Scoring(Rotary(P, 4)), "key_heads": 1, "layer_norm": "rms-before", "gated": True}
KINDS = {
    "rope": {"scoring": Scoring(Rotary(P, 4))},
    "scaled rope": {"scoring": Scoring(Rotary(P, 4, shares=(Fraction(1), Fraction(1, 3)), stretch=Fraction(5, 4)))},
    "rope of neighbours": {"scoring": Scoring(Rotary(P, 4, Fraction(7, 2), "neighbours"))},
    "alibi": {"scoring": [Scoring(slope=slope) for slope in alibi_slopes(2)]},
    "window": {"scoring": Scoring(window=3)},
    "two windows": {"scoring": [Scoring(window=1), Scoring(window=4)]},
    "soft cap": {"scoring": Scoring(soft_cap=Fraction(3, 4)), "output_cap": Fraction(1, 2)},
    "multi-query": {"key_heads": 1},
    "root mean squares": {"layer_norm": "rms-before"},
    "gated": {"gated": True, "activation": "silu"},
    "llama": {**LLAMA, "activation": "silu"},
    "hard": {"scoring": Scoring(slope=Fraction(1, 8), window=2), "weighting": HardMaximum(P)},
    "all": {
        **LLAMA,
        "scoring": Scoring(Rotary(P, 4), Fraction(1), Fraction(1, 16), 3),
        "output_cap": 2,
    },
}


def built(kind, layers=None, length=4, seed=0, **more):
    cls = OneLayerTransformer if layers is None else Transformer
    options = {"length": length, "width": 8, "heads": 2, "hidden": 6, "precision": P, "positions": False}
    return cls.random("ab", seed=seed, layers=layers, **options, **KINDS[kind], **more)


def every_word(length):
    return np.array(list(itertools.product(range(2), repeat=length)))


@pytest.mark.parametrize("kind", KINDS)
def test_one_layer_by_tables_plainly_and_one_number_at_a_time(kind):
    model, words = built(kind), every_word(4)
    oracle = [Oracle(model).outputs(word) for word in words.tolist()]
    assert model.outputs(words).tolist() == oracle
    assert model.outputs_plain(words).tolist() == oracle


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("causal", [True, False])
def test_two_layers_one_number_at_a_time(kind, causal):
    model, words = built(kind, layers=2, seed=3, causal=causal), every_word(4)[::5]
    assert model.outputs(words).tolist() == [Oracle(model).outputs(word) for word in words.tolist()]


def test_scores_depend_on_differences_of_positions_alone():
    turn = Rotary(Precision.fixed_point(4, 26), 4)
    query, key = np.array([[3 << 24, 1 << 25, -(1 << 24), 5]]), np.array([[1 << 26, -(1 << 22), 7, 1 << 25]])
    products = [
        int((turn(query, np.array([i + 5])).astype(object) * turn(key, np.array([i]))).sum()) / 2**52 for i in range(6)
    ]
    assert max(products) - min(products) < 1e-6


def test_what_a_window_hides_changes_nothing():
    model, words = built("window", length=6), every_word(6)
    outputs = model.outputs(words).reshape(8, 8, 2)
    assert (outputs == outputs[:1]).all()
    assert len(np.unique(outputs[0], axis=0)) > 4
    wide = built("rope", length=4)
    narrow = OneLayerTransformer.random(
        "ab",
        length=4,
        width=8,
        heads=2,
        hidden=6,
        precision=P,
        positions=False,
        seed=0,
        scoring=Scoring(Rotary(P, 4), window=4),
    )
    assert (wide.outputs(every_word(4)) == narrow.outputs(every_word(4))).all()


def test_slopes_of_the_paper():
    assert alibi_slopes(8) == tuple(Fraction(1, 2**h) for h in range(1, 9))
    assert [float(slope) for slope in alibi_slopes(12)][:2] == [0.5, 0.25]
    assert float(alibi_slopes(12)[8]) == pytest.approx(2**-0.5, abs=1e-15)
    assert float(alibi_slopes(16)[0]) == pytest.approx(2**-0.5, abs=1e-15)


def test_shared_keys_count_once():
    own, shared = built("rope"), built("llama")
    maps = shared.block.maps
    assert maps[0][1] is maps[1][1]
    assert maps[0][2] is maps[1][2]
    assert maps[0][0] is not maps[1][0]
    assert own.block.parameters - built("multi-query").block.parameters == 2 * 8 * 4
    arrays = {"query": np.zeros((2, 4, 2)), "key": np.zeros((1, 4, 2)), "value": np.zeros((1, 4, 3))}
    given = OneLayerTransformer.from_arrays(
        "ab",
        precision=8,
        token_embedding=np.zeros((2, 4)),
        position_embedding=np.zeros((3, 4)),
        **arrays,
        output=np.zeros((6, 4)),
        read_out=np.zeros((4, 2)),
    )
    assert given.block.parameters == 2 * 8 + 8 + 12 + 24
    assert given.parameters == given.block.parameters + 8 + 8 + 2


BAD = [
    (lambda: Rotary(P, 3), "width"),
    (lambda: Rotary(P, 4, 1), "base"),
    (lambda: Rotary(P, 4, pairing="both"), "pairing"),
    (lambda: Scoring(window=0), "window"),
    (lambda: Scoring(slope=-1), "slope"),
    (lambda: Scoring(soft_cap=0), "soft_cap"),
    (lambda: Scoring(rotary=4), "rotary"),
    (lambda: soft(Fraction(1, 3)), "soft_cap"),
    (lambda: random(key_heads=3), "key_heads"),
    (lambda: random(scoring=[Scoring()]), "scoring"),
    (lambda: random(scoring=Scoring(Rotary(P, 6))), "scoring"),
    (lambda: random(scoring=Scoring(Rotary(Precision.of(8), 4))), "scoring"),
    (lambda: random(layer_norm="rms"), "layer_norm"),
    (lambda: random(output_cap=-1), "output_cap"),
    (lambda: RMSNorm.from_arrays(P, 2, [1, 2, 3]), "gain"),
    (lambda: RMSNorm.from_arrays(P, 2, epsilon=-1), "epsilon"),
    (lambda: RMSNorm.from_arrays(P, 2)(np.zeros((1, 3), dtype=int)), "values"),
    (lambda: alibi_slopes(0), "heads"),
]


def random(**options):
    return OneLayerTransformer.random("ab", length=3, width=8, heads=2, precision=P, seed=0, **options)


def soft(cap):
    return random(scoring=Scoring(soft_cap=cap)).outputs(every_word(3))


@pytest.mark.parametrize(("call", "argument"), BAD)
def test_what_does_not_fit(call, argument):
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.argument == argument


def test_norms_at_every_place():
    one = RMSNorm.from_arrays(P, 8, np.linspace(0.5, 1.5, 8), Fraction(1, 100))
    places = dict.fromkeys(Norms.__dataclass_fields__, one)
    base = built("llama", seed=5)
    model = replace(base, block=replace(base.block, norms=Norms(**places)))
    words = every_word(4)
    assert model.outputs(words).tolist() == [Oracle(model).outputs(word) for word in words.tolist()]


def test_what_is_not_seen_has_no_weight_even_beside_the_least_logits():
    arrays = {"query": np.full((1, 1, 1), -7.0), "key": np.full((1, 1, 1), 7.0), "value": np.ones((1, 1, 1))}
    shared = {"output": np.ones((1, 1)), "read_out": np.array([[1.0, 0.0]]), "position_embedding": np.zeros((4, 1))}
    given = {
        "precision": P,
        "token_embedding": np.array([[1.0], [2.0]]),
        "residual": False,
        "scoring": Scoring(window=1),
    }
    model = OneLayerTransformer.from_arrays("ab", **arrays, **shared, **given)
    assert (model.logit_table[..., -1, :] == P.low).all()
    words = every_word(4)
    assert model.outputs(words)[:, 0].tolist() == [P.scale * (1 + word[-1]) for word in words.tolist()]
    assert (model.outputs(words) == model.outputs_plain(words)).all()


def test_shared_keys_are_keys_that_are_repeated():
    generator = np.random.default_rng(0)
    arrays = {name: generator.normal(size=(count, 4, 2)) for name, count in (("query", 4), ("key", 2), ("value", 2))}
    more = {name: generator.normal(size=shape) for name, shape in (("output", (8, 4)), ("read_out", (4, 2)))}
    more |= {"token_embedding": generator.normal(size=(2, 4)), "position_embedding": generator.normal(size=(4, 4))}
    fine = Precision.fixed_point(5, 12)
    model = OneLayerTransformer.from_arrays("ab", precision=fine, **arrays, **more)
    repeated = {**arrays, "key": arrays["key"].repeat(2, axis=0), "value": arrays["value"].repeat(2, axis=0)}
    other = OneLayerTransformer.from_arrays("ab", precision=fine, **repeated, **more)
    assert (model.outputs(every_word(4)) == other.outputs(every_word(4))).all()
    assert other.parameters - model.parameters == 2 * 2 * 4 * 2
