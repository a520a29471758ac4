"""Every kind of recurrent model: its formula, what is carried, batches, merging, and packing into bits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import InputError
from ccsim.arithmetic import Precision
from ccsim.models import (
    GRU,
    LSTM,
    DiagonalLayer,
    DiagonalStateSpace,
    Draft,
    Elman,
    ElmanLayer,
    LinearAttention,
    RecurrentStack,
    SelectiveStateSpace,
)
from tests.models.recurrent_oracle import KINDS, ORACLES, plain
from tests.refusals import refused

FINE = Precision.fixed_point(8, 30)

CARRIED = [
    (Elman, {}, 3),
    (LSTM, {}, 6),  # h and c
    (GRU, {}, 3),
    (LinearAttention, {}, 12),  # S is 3 x 3, z has 3 numbers
    (LinearAttention, {"key_width": 2}, 8),
    (DiagonalStateSpace, {"states": 4}, 24),  # complex numbers
    (DiagonalStateSpace, {"states": 4, "real": True}, 12),
    (SelectiveStateSpace, {"states": 2, "window": 4}, 15),  # 3 inputs of 3 channels, and 2 numbers in each channel
    (SelectiveStateSpace, {"states": 2, "window": 1, "channels": 5}, 10),
]


def outputs_of(layer, inputs):
    """What a layer puts out at every position of one word of mantissas."""
    states, rows = layer.start()[None], []
    for x in inputs:
        states, outputs = layer.step(states, x[None])
        rows.append(layer.precision.floats(outputs[0]))
    return np.array(rows)


def test_layers_follow_their_formulas():
    for seed in range(3):
        for kind in KINDS:
            model, options = KINDS[kind]
            options = {name: value for name, value in options.items() if name != "memory"}
            layer = model.layer_kind.random(Draft(3, 2, FINE, seed, "layer"), **options)
            inputs = np.random.default_rng(seed).uniform(-1, 1, (7, 3))
            expected = np.array(list(ORACLES[type(layer).__name__](layer, inputs)))
            assert np.abs(expected).max() > 0.05, (kind, seed)  # not all zero
            found = outputs_of(layer, FINE.quantise(inputs))
            assert np.abs(found - expected).max() < 2e-6, (kind, seed)


def test_the_state_counts_everything_that_is_carried():
    for layers in [1, 3]:
        for kind, options, units in CARRIED:
            model = kind.random("ab", width=3, layers=layers, precision=7, seed=0, **options)
            assert (model.units, model.state_bits) == (layers * units, 7 * layers * units), (kind, options)
            assert model.start().shape == (layers * units,), (kind, options)


def test_a_wider_memory_counts_with_its_own_bits():
    model = LSTM.random("ab", width=2, precision=8, memory=np.int64(12), seed=0)
    assert model.state_bits == 2 * 8 + 2 * 12
    assert [part.bits for part in model.state_precisions] == [8, 8, 12, 12]


def test_merged_batches_equal_single_steps(monkeypatch):
    """All 3^4 words, with equal states merged, against every word by itself; then in another order."""
    monkeypatch.setattr("ccsim.models.recurrent.FEWEST", 64)
    for number, kind in enumerate(KINDS):
        precision, layers = ((6, 2), (34, 1))[number % 2]
        make, options = KINDS[kind]
        options = {name: value for name, value in options.items() if name != "memory"}
        model = make.random("abc", width=2, layers=layers, precision=precision, seed=1, **options)
        rows = model.task(4).words.array(np.arange(3**4))
        states, answers = plain(model, rows)
        assert np.array_equal(model.run(rows), states), kind
        assert np.array_equal(model.codes(rows), answers), kind
        order = np.random.default_rng(0).permutation(len(rows))
        assert np.array_equal(model.run(rows[order]), states[order]), kind
        assert np.array_equal(model.codes(rows[order]), answers[order]), kind
        for place in order[:5]:
            assert np.array_equal(model.run(rows[place : place + 1])[0], states[place]), kind
            word = "".join("abc"[rank] for rank in rows[place])
            assert model(word) == model.answers[answers[place]], kind
        assert np.array_equal(model.unpack(model.pack(states)), states), kind
        assert max(int(packed).bit_length() for packed in model.pack(states)) <= model.state_bits, kind


def test_a_run_can_stop_and_go_on():
    for kind in KINDS:
        make, options = KINDS[kind]
        model = make.random("ab", width=2, precision=9, seed=2, **options)
        rows = model.task(8).words.array(np.arange(2**8))
        halves = model.run(rows[:, 4:], model.run(rows[:, :4]), 4)
        assert np.array_equal(halves, model.run(rows)), kind
        assert np.array_equal(model.finish(rows[:, 4:], model.run(rows[:, :4]), 4), model.codes(rows)), kind
        one = model.run(rows[:1, :4])[0]
        assert np.array_equal(model.finish(rows[:16, 4:], one, 4), model.codes(rows[:16])), kind
        assert model.codes(rows.reshape(2, 4, 32, 8)).shape == (2, 4, 32), kind


def test_words_are_cut_into_parts_where_memory_asks_for_it(monkeypatch):
    model = Elman.random("ab", width=2, precision=8, seed=26)
    rows = model.task(12).words.array(np.arange(1 << 12))
    states, answers = model.run(rows), model.codes(rows)
    monkeypatch.setattr("ccsim.models.recurrent.MOST_ENTRIES", 1)
    assert np.array_equal(model.run(rows), states)
    assert np.array_equal(model.codes(rows), answers)
    assert np.array_equal(model.finish(rows[:, 5:], model.run(rows[:, :5]), 5), answers)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(-1000, 0), st.integers(0, (1 << 62) - 1)), min_size=1, max_size=5), st.data())
def test_packing_is_exact_for_every_mixture_of_precisions(formats, data):
    class Fixed(Elman):
        @property
        def state_precisions(self):
            return tuple(Precision(1, low, low + size) for low, size in formats)

        state_bits = property(lambda self: sum(part.bits for part in self.state_precisions))

    model = Fixed.random("ab", width=1, precision=4, seed=0)
    rows = data.draw(st.lists(st.tuples(*(st.integers(low, low + size) for low, size in formats)), max_size=4))
    states = np.array(rows, dtype=np.int64).reshape(len(rows), len(formats))
    packed = model.pack(states)
    expected = []
    for row in rows:
        bits = "".join(
            format(value - low, f"0{size.bit_length()}b") if size else ""
            for value, (low, size) in zip(row, formats, strict=True)
        )
        expected.append(int(bits or "0", 2))
    assert [int(number) for number in packed] == expected
    assert np.array_equal(model.unpack(packed), states)


def test_known_states():
    """Values that must never change: the same numbers on every machine."""
    for kind in KINDS:
        make, options = KINDS[kind]
        model = make.random("ab", width=2, precision=8, seed=3, **options)
        assert model.run(np.array([[0, 1, 1, 0]]))[0].tolist() == KNOWN[kind], kind


KNOWN = {
    "elman": [3, 4],
    "elman relu": [0, 10],
    "lstm": [-6, 13, -12, 34],
    "gru": [-2, -16],
    "linear attention": [-22, -60, 72],
    "linear attention relu": [0, 0, -84, -246, 0, 292],
    "diagonal complex": [-1, 3, 14, -16, -5, 12, -6, -4],
    "diagonal real": [1, 3, 6, -11],
    "selective": [6, -16, 14, 0, 5, 0, -14, 0],
    "selective without window": [-3, -4, 0],
}


def test_answers_that_need_the_last_symbol_are_not_read_off_the_state():
    for kind in ["linear attention", "diagonal real", "selective"]:
        make, options = KINDS[kind]
        residual = Elman.random("ab", width=2, precision=8, seed=0, residual=True)
        for model in (make.random("ab", width=2, precision=8, seed=0, **options), residual):
            with pytest.raises(InputError, match="looks at the last symbol as well"):
                model.read_out(model.start()[None])


def test_the_other_answers_are():
    for kind in ["elman", "lstm", "gru"]:
        make, options = KINDS[kind]
        model = make.random("ab", width=2, layers=2, precision=8, seed=0, **options)
        rows = model.task(6).words.array(np.arange(64))
        assert np.array_equal(model.read_out(model.run(rows)), model.codes(rows)), kind


def test_ties_go_to_the_first_answer():
    layer = ElmanLayer.from_arrays(8, [[1.0]], [[0.0]])
    arrays = {"embedding": [[1.0], [-1.0]], "layers": [layer], "precision": 8}
    for scores, answer in [([[0.0], [0.0], [0.0]], "x"), ([[0.0], [0.5], [0.5]], "y"), ([[-1.0], [0.5], [0.75]], "z")]:
        assert Elman.from_arrays("ab", answers="xyz", scores=scores, **arrays)("ba") == answer


def test_layers_of_different_kinds_stack():
    fine = Precision.of(10)
    kinds = Elman, LinearAttention, LSTM
    layers = [kind.layer_kind.random(Draft(2, 2, fine, 0, str(place))) for place, kind in enumerate(kinds)]
    model = RecurrentStack.from_arrays("ab", precision=fine, embedding=np.eye(2), layers=layers, scores=np.eye(2))
    assert model.state_bits == 10 * (2 + 6 + 4)
    rows = model.task(5).words.array(np.arange(32))
    assert np.array_equal(model.codes(rows), plain(model, rows)[1])


LAYER = ElmanLayer.from_arrays(8, np.ones((2, 3)), np.zeros((2, 2)))
GOOD = {"precision": 8, "embedding": np.zeros((2, 3)), "layers": [LAYER], "scores": np.zeros((2, 2))}


def made(**changes):
    return Elman.from_arrays("ab", **{**GOOD, **changes})


def test_what_does_not_fit_is_refused_by_name():
    for make, words in [
        (lambda: made(embedding=np.zeros((3, 3))), "embedding"),
        (lambda: made(embedding=np.zeros((2, 2))), "2 inputs of layer 1"),
        (lambda: made(embedding=np.full((2, 3), np.nan)), "embedding = nan: expected finite"),
        (lambda: made(embedding=np.full((2, 3), 4.5)), "3 integer bits and a sign would do"),
        (lambda: made(scores=np.zeros((3, 2))), "2 answers"),
        (lambda: made(scores=np.zeros((2, 5))), "2 inputs, as the last layer"),
        (lambda: made(layers=[]), "one layer or more"),
        (lambda: made(precision=9), "layer 1 in the precision"),
        (lambda: LSTM.from_arrays("ab", **GOOD), "layer 1 to be a LSTMLayer"),
        (lambda: Elman.from_arrays("ab", residual=True, **GOOD), "to add to its inputs|to be added to its inputs"),
        (lambda: Elman.from_arrays("aa", **GOOD), "alphabet"),
        (lambda: ElmanLayer.from_arrays(8, [[1.0]], [[1.0, 1.0]]), "weight_hh"),
        (lambda: ElmanLayer.from_arrays(8, [[1.0], [1.0]], [[1.0]]), "weight_hh"),
        (lambda: ElmanLayer.from_arrays(8, [[np.inf]], [[1.0]]), "weight_ih = inf"),
        (lambda: ElmanLayer.from_arrays(8, [[1.0]], [[1.0]], [1.0, 2.0]), "bias_ih"),
        (lambda: ElmanLayer.from_arrays(8, [[1.0]], [[1.0]], activation="arctan"), "name = 'arctan'"),
        (lambda: LSTM.layer_kind.from_arrays(8, np.ones((6, 1)), np.ones((6, 2))), "weight_ih"),
        (lambda: GRU.layer_kind.from_arrays(8, np.ones((3, 1)), np.ones((3, 2))), "weight_hh"),
        (lambda: LSTM.random("ab", width=1, precision=8, seed=0, memory=Precision.of(9)), "memory"),
        (lambda: LSTM.random("ab", width=1, precision=8, seed=0, memory=12.5), "memory"),
        (lambda: LinearAttention.random("ab", width=1, precision=8, seed=0, feature="tanh"), "never negative"),
        (lambda: DiagonalLayer.from_arrays(8, [[1.0]], [[1.0, 2.0]], [[1.0]], [1.0], [[1.0]]), "drive"),
        (lambda: SelectiveStateSpace.random("ab", width=1, precision=8, seed=0, window=0), "window"),
        (lambda: Elman.random("ab", width=0, precision=8, seed=0), "width"),
        (lambda: Elman.random("ab", width=1, layers=0, precision=8, seed=0), "layers"),
        (lambda: Elman.random("ab", width=1, precision=2, seed=0), "precision"),
        (lambda: RecurrentStack.random("ab", width=1, precision=8, seed=0), "a kind of recurrent model"),
        (lambda: LSTM.random("ab", width=2, precision=6, seed=0, answers=()), "answers"),
        (lambda: LSTM.random("ab", width=2, precision=6, seed=0, answers=5), "answers"),
        (lambda: LSTM.random(5, width=2, precision=6, seed=0), "alphabet"),
        (lambda: LSTM.random("ab", width=2, precision=6, seed=0, residual="x"), "residual"),
        (lambda: LSTM.random("ab", width=2, precision=6, seed=0, nope=3), "nope"),
        (lambda: Elman.random("ab", width=1, precision=8, seed=0)("abc"), "at position 3"),
        (lambda: Elman.random("ab", width=1, precision=8, seed=0)(3), "a text"),
        (lambda: Elman.random("ab", width=1, precision=8, seed=0).task(), "a length"),
        (lambda: Elman.random("ab", width=1, precision=8, seed=0).unpack(np.array([1 << 8])), "8 bits"),
    ]:
        with refused(words):
            make()


def test_words_are_checked():
    model = LSTM.random("ab", width=2, precision=6, seed=0)
    for words in ([[0, 2]], [[-1, 0]], [[0.5]], 0):
        with pytest.raises(InputError, match="words"):
            model.codes(np.array(words))
    for words in ([[5]], [0, 1]):
        with pytest.raises(InputError, match="words"):
            model.run(np.array(words))
    with pytest.raises(InputError, match="states"):
        model.pack([[1]])
    with pytest.raises(InputError, match="word"):
        model([[1], "a"])
