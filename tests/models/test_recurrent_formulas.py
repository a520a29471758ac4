"""Every kind of layer against its textbook formula, at a precision where rounding hardly shows."""

import numpy as np
import pytest

from ccsim.arithmetic import Precision
from ccsim.models import Draft, GRULayer, LSTMLayer
from tests.models.recurrent_oracle import KINDS, ORACLES

FINE = Precision.fixed_point(8, 30)


def outputs_of(layer, inputs):
    """What a layer puts out at every position of one word of mantissas."""
    states, rows = layer.start()[None], []
    for x in inputs:
        states, outputs = layer.step(states, x[None])
        rows.append(layer.precision.floats(outputs[0]))
    return np.array(rows)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_layers_follow_their_formulas(kind, seed):
    model, options = KINDS[kind]
    options = {name: value for name, value in options.items() if name != "memory"}
    layer = model.layer_kind.random(Draft(3, 2, FINE, seed, "layer"), **options)
    inputs = np.random.default_rng(seed).uniform(-1, 1, (7, 3))
    expected = np.array(list(ORACLES[type(layer).__name__](layer, inputs)))
    assert np.abs(expected).max() > 0.05  # not all zero
    found = outputs_of(layer, FINE.quantise(inputs))
    assert np.abs(found - expected).max() < 2e-6


def test_a_coarse_precision_is_not_the_formula():
    """The comparison above can fail: at 8 bits the same layers are visibly rounded."""
    coarse = Precision.of(8)
    layer = LSTMLayer.random(Draft(3, 2, coarse, 0, "layer"))
    inputs = np.random.default_rng(0).uniform(-1, 1, (7, 3))
    expected = np.array(list(ORACLES["LSTMLayer"](layer, inputs)))
    assert np.abs(outputs_of(layer, coarse.quantise(inputs)) - expected).max() > 1e-3


def pytorch_weights(gates, inputs, width, seed):
    random = np.random.default_rng(seed)
    shapes = [(gates * width, inputs), (gates * width, width), (gates * width,), (gates * width,)]
    return [random.uniform(-1, 1, shape) for shape in shapes]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def test_lstm_takes_weights_as_pytorch_keeps_them():
    """The formulas of torch.nn.LSTM's documentation, gate by gate."""
    w_ih, w_hh, b_ih, b_hh = pytorch_weights(4, 3, 2, 5)
    layer = LSTMLayer.from_arrays(FINE, w_ih, w_hh, b_ih, b_hh)
    assert (layer.inputs, layer.outputs, len(layer.state_precisions)) == (3, 2, 4)
    inputs = np.random.default_rng(6).uniform(-1, 1, (5, 3))
    h = c = np.zeros(2)
    for x, found in zip(inputs, outputs_of(layer, FINE.quantise(inputs)), strict=True):
        i = sigmoid(w_ih[0:2] @ x + b_ih[0:2] + w_hh[0:2] @ h + b_hh[0:2])
        f = sigmoid(w_ih[2:4] @ x + b_ih[2:4] + w_hh[2:4] @ h + b_hh[2:4])
        g = np.tanh(w_ih[4:6] @ x + b_ih[4:6] + w_hh[4:6] @ h + b_hh[4:6])
        o = sigmoid(w_ih[6:8] @ x + b_ih[6:8] + w_hh[6:8] @ h + b_hh[6:8])
        c = f * c + i * g
        h = o * np.tanh(c)
        assert np.abs(found - h).max() < 1e-6


def test_gru_takes_weights_as_pytorch_keeps_them():
    """The formulas of torch.nn.GRU's documentation, gate by gate."""
    w_ih, w_hh, b_ih, b_hh = pytorch_weights(3, 4, 2, 7)
    layer = GRULayer.from_arrays(FINE, w_ih, w_hh, b_ih, b_hh)
    assert (layer.inputs, layer.outputs) == (4, 2)
    inputs = np.random.default_rng(8).uniform(-1, 1, (5, 4))
    h = np.zeros(2)
    for x, found in zip(inputs, outputs_of(layer, FINE.quantise(inputs)), strict=True):
        r = sigmoid(w_ih[0:2] @ x + b_ih[0:2] + w_hh[0:2] @ h + b_hh[0:2])
        z = sigmoid(w_ih[2:4] @ x + b_ih[2:4] + w_hh[2:4] @ h + b_hh[2:4])
        n = np.tanh(w_ih[4:6] @ x + b_ih[4:6] + r * (w_hh[4:6] @ h + b_hh[4:6]))
        h = (1 - z) * n + z * h
        assert np.abs(found - h).max() < 1e-6
