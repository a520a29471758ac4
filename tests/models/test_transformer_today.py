"""Shared keys, RMSNorm and SwiGLU: one layer and two, against one number at a time."""

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.models import HardMaximum, Norms, OneLayerTransformer, RMSNorm, Transformer
from tests.models.transformer_oracle import Oracle
from tests.refusals import refused

P = Precision.fixed_point(3, 5)
LLAMA = {"key_heads": 1, "layer_norm": "rms-before", "gated": True}
KINDS = {
    "plain": {},
    "multi-query": {"key_heads": 1},
    "root mean squares": {"layer_norm": "rms-before"},
    "gated": {"gated": True, "activation": "silu"},
    "llama": {**LLAMA, "activation": "silu"},
    "hard": {"weighting": HardMaximum(P)},
    "all": LLAMA,
}


def built(kind, layers=None, length=4, seed=0, **more):
    cls = OneLayerTransformer if layers is None else Transformer
    options = {"length": length, "width": 8, "heads": 2, "hidden": 6, "precision": P}
    return cls.random("ab", seed=seed, layers=layers, **options, **KINDS[kind], **more)


def every_word(length):
    return np.array(list(itertools.product(range(2), repeat=length)))


def test_one_layer_by_tables_plainly_and_one_number_at_a_time():
    for kind in KINDS:
        model, words = built(kind), every_word(4)
        oracle = [Oracle(model).outputs(word) for word in words.tolist()]
        assert model.outputs(words).tolist() == oracle, kind
        assert model.outputs_plain(words).tolist() == oracle, kind


def test_two_layers_one_number_at_a_time():
    for causal in [True, False]:
        for kind in KINDS:
            model, words = built(kind, layers=2, seed=3, causal=causal), every_word(4)[::7]
            assert model.outputs(words).tolist() == [Oracle(model).outputs(word) for word in words.tolist()], (
                kind,
                causal,
            )


def test_shared_keys_count_once():
    own, shared = built("plain"), built("llama")
    maps = shared.block.maps
    assert maps[0][1] is maps[1][1]
    assert maps[0][2] is maps[1][2]
    assert maps[0][0] is not maps[1][0]
    assert own.block.parameters - built("multi-query").block.parameters == 2 * 8 * 4


BAD = [
    (lambda: random(key_heads=3), "key_heads"),
    (lambda: random(layer_norm="rms"), "layer_norm"),
    (lambda: RMSNorm.from_arrays(P, 2, [1, 2, 3]), "gain"),
    (lambda: RMSNorm.from_arrays(P, 2, epsilon=-1), "epsilon"),
    (lambda: RMSNorm.from_arrays(P, 2)(np.zeros((1, 3), dtype=int)), "values"),
]


def random(**options):
    return OneLayerTransformer.random("ab", length=3, width=8, heads=2, precision=P, seed=0, **options)


def test_what_does_not_fit():
    for call, argument in BAD:
        with refused("", argument):
            call()


def test_norms_at_every_place():
    one = RMSNorm.from_arrays(P, 8, np.linspace(0.5, 1.5, 8), Fraction(1, 100))
    places = dict.fromkeys(Norms.__dataclass_fields__, one)
    base = built("llama", seed=5)
    model = replace(base, blocks=(replace(base.block, norms=Norms(**places)),))
    words = every_word(4)
    assert model.outputs(words).tolist() == [Oracle(model).outputs(word) for word in words.tolist()]


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
