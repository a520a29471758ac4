"""Blocks in fixed point: the operations they are written in, and what models of them refuse."""

from itertools import product
from math import isqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import InputError
from ccsim.arithmetic import Precision, Zonotopes
from ccsim.models import RWKV5, RWKV6, RWKV7, SLSTM, BlockLayer, Draft, LayerNorm, Mamba2, RMSNorm
from ccsim.models.blocks.pieces import normed, scaled, stabilised
from ccsim.models.files.arithmetics import Double
from ccsim.models.operations import FixedPoint
from protocols.papers.plain.recurrent import PlainModel

FINE = Precision.fixed_point(8, 30)
NUMBERS = st.lists(st.integers(-128, 127), min_size=3, max_size=3)


@settings(max_examples=60, deadline=None)
@given(NUMBERS, NUMBERS, NUMBERS, st.sampled_from([0.0, 1e-5, 0.25]))
def test_norms_of_blocks_are_those_of_transformers(vector, gain, bias, epsilon):
    eight = Precision.of(8)
    a, x, gains, biases = FixedPoint(eight, eight), np.array([vector]), np.array(gain), np.array(bias)
    ours = scaled(a, normed(a, x, epsilon, centred=False), gains)
    assert np.array_equal(ours, RMSNorm(eight, gains, epsilon)(x))
    ours = scaled(a, normed(a, x, epsilon, centred=True), gains, biases)
    assert np.array_equal(ours, LayerNorm(eight, gains, biases, epsilon)(x))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-3, 3), min_size=6, max_size=6))
def test_operations_in_fine_steps_are_those_of_real_numbers(numbers):
    a, b, fine = Double(), FixedPoint(FINE, FINE), FINE.quantise(numbers)
    real = FINE.floats(fine)
    for x, y, vectors in ((real[:3], real[3:], real.reshape(2, 3)),):
        p, q, rows = fine[:3], fine[3:], fine.reshape(2, 3)
        pairs = [
            (a.multiply(x, y), b.multiply(p, q)),
            (a.root(np.abs(x)), b.root(np.abs(p))),
            (a.linear(vectors, vectors, x[:2]), b.linear(rows, rows, p[:2])),
            (a.contracted(x[None], vectors.T[None]), b.contracted(p[None], rows.T[None])),
            (a.fade((np.abs(x), -np.abs(y))), b.fade((np.abs(p), -np.abs(q)))),
            (a.centred(vectors), b.centred(rows)),
            (a.normalised(vectors, 0.5, 3), b.normalised(rows, 0.5, 3)),
        ]
        for exact, rounded in pairs:
            assert np.allclose(exact, FINE.floats(rounded), atol=1e-7)


@pytest.mark.parametrize("bits", [8, 30, 60])
def test_vectors_at_the_ends_of_a_precision_do_not_overflow(bits):
    """Against Python's integers, which have no ends."""
    wide = Precision.fixed_point(1, bits)
    a, vector = FixedPoint(wide, wide), [wide.high, wide.low, wide.high, wide.high - 5]
    mean, scale = sum(vector) // 4, wide.scale
    centred = [number - mean for number in vector]
    assert a.centred(np.array([vector])).tolist() == [centred]
    root = isqrt(sum(number * number for number in vector) // 4 + scale**2 // 2)
    assert a.normalised(np.array([vector]), 0.5, 4).tolist() == [[number * scale // root for number in vector]]
    assert a.add(*np.array([vector[:3]]).T).tolist() == [min(sum(vector[:3]), wide.high)]
    assert a.subtract(np.array([wide.low]), np.array([wide.high])).tolist() == [wide.low]
    assert a.products(*np.array([[vector, vector]] * 3).transpose(0, 1, 2)).tolist() == [wide.high] * 4


def test_the_least_root_is_one_step():
    """A vector of one step has length 1; one of zeros stays one."""
    a = FixedPoint(Precision.of(8), Precision.of(8))
    assert a.normalised(np.array([[1, 0, 0], [0, 0, 0]]), 0.0).tolist() == [[32, 0, 0], [0, 0, 0]]


def test_gates_keep_their_ratio_whatever_the_maximum():
    """exp(enter) and sigmoid(forget) over exp of a maximum; at first the maximum is enter."""
    a = Double()
    enter, forget, before = np.array([3.0, -2.0]), np.array([1.0, 0.5]), np.array([0.5, 7.0])
    largest, admit, keep = stabilised(a, enter, forget, before, np.array([False, False]))
    assert np.allclose(admit * np.exp(largest), np.exp(enter))
    assert np.allclose(keep * np.exp(largest - before), 1 / (1 + np.exp(-forget)))
    assert stabilised(a, enter, forget, before, np.array([True, True]))[0].tolist() == enter.tolist()


@pytest.mark.parametrize(
    ("kind", "options", "units"),
    [
        (Mamba2, {"heads": 2, "states": 3, "window": 4, "groups": 2}, 3 * (4 + 12) + 4 * 3),
        (Mamba2, {}, 6 + 4),
        (RWKV5, {"heads": 2}, 4 + 2 * 4),
        (RWKV6, {"heads": 4, "rank": 3}, 4 + 4),
        (RWKV7, {}, 4 + 16),
        (SLSTM, {"window": 3}, 2 * 4 + 16),
    ],
)
def test_the_state_counts_everything_that_is_carried(kind, options, units):
    model = kind.random("ab", width=4, layers=2, precision=7, memory=9, seed=0, **options)
    held = sum(part.bits == 9 for part in model.state_precisions)
    assert (model.units, model.state_bits) == (2 * units, 7 * 2 * units + 2 * held)
    assert held > 0


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (Mamba2, {"heads": 2, "states": 2, "window": 3, "groups": 2}),
        (RWKV5, {"heads": 2}),
        (RWKV6, {"heads": 2, "rank": 2}),
        (RWKV7, {"heads": 2}),
        (SLSTM, {"heads": 2, "window": 2}),
    ],
)
def test_what_is_carried_is_what_fractions_give(kind, options):
    """Bit for bit what a second computation carries, one number at a time, on all words of three symbols."""
    model = kind.random("ab", width=4, precision=7, memory=9, seed=1, **options)
    plain = PlainModel(model)
    for word in product((0, 1), repeat=3):
        states = model.run(np.array([word]))
        assert int(model.pack(states)[0]) == int(plain.message(word), 2)
        assert model.answers[int(model.codes(np.array([word]))[0])] == plain.answer(word)


LAYER = RWKV5.layer_kind.random(Draft(2, 4, Precision.of(8), 0, "layer"))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Mamba2.random("ab", width=4, precision=8, seed=0, heads=3), "a divisor of the width 4"),
        (lambda: Mamba2.random("ab", width=4, precision=8, seed=0, heads=2, groups=4), "a divisor of the heads 2"),
        (lambda: Mamba2.random("ab", width=4, precision=8, seed=0, states=0), "states"),
        (lambda: Mamba2.random("ab", width=4, precision=8, seed=0, window=0), "window"),
        (lambda: RWKV6.random("ab", width=4, precision=8, seed=0, rank=0), "rank"),
        (lambda: SLSTM.random("ab", width=4, precision=8, seed=0, key_width=2), "key_width"),
        (lambda: BlockLayer(LAYER.numbers, {"kind": "nope"}, LAYER.memory), "one of mamba, mamba2"),
        (lambda: BlockLayer(LAYER.numbers, {"kind": "rwkv5"}, LAYER.memory), "an array of shape"),
        (lambda: BlockLayer(LAYER.numbers, {**LAYER.parts, "kept": LAYER.parts["gain"]}, LAYER.memory), "kept"),
        (lambda: BlockLayer(LAYER.numbers, {**LAYER.parts, "gain": [0.5] * 4}, LAYER.memory), "integer mantissas"),
        (lambda: BlockLayer(LAYER.numbers, LAYER.parts, Precision.of(9)), "memory"),
        (lambda: BlockLayer.from_arrays(8, {"kind": "norm", "gain": np.array([9.0])}), "gain"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(make, words):
    with pytest.raises(InputError, match=words):
        make()


def test_sets_of_states_are_not_followed():
    model = RWKV5.random("ab", width=2, precision=8, seed=0)
    with pytest.raises(InputError, match="blocks do not follow sets"):
        model.scored(Zonotopes.points(model.start()[None], 1), np.zeros(1, dtype=np.int64))


def test_a_decay_that_grows_is_refused():
    layer = Mamba2.layer_kind.random(Draft(2, 4, Precision.of(8), 0, "layer"))
    with pytest.raises(InputError, match="numbers of at most 0"):
        BlockLayer(layer.numbers, {**layer.parts, "decay": -layer.parts["decay"] + 1}, layer.memory)
