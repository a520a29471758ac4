"""Every kind of layer against its textbook formula, at a precision where rounding hardly shows."""

import numpy as np
import pytest

from ccsim.arithmetic import Precision
from ccsim.models import Draft
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
