"""Trained networks that ship inside other people's packages, and those that ship with this one."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from ccsim import bounds
from ccsim.arithmetic import Precision
from ccsim.models.files import Description, build_model, read_tensors
from ccsim.models.files.floats import float_scores
from ccsim.models.recurrent import LSTMLayer
from protocols.trained import trained_model, trained_names, trained_task

WIDE = Precision.fixed_point(8, 12)


def shipped(package, name):
    """A file inside an installed package, without importing it."""
    found = find_spec(package)
    if found is None or found.origin is None:
        pytest.skip(f"{package} is not installed (pip install --no-deps {package.replace('_', '-')})")
    return Path(found.origin).parent / name


def test_the_decoder_of_g2p_en_is_read_and_sized():
    tensors = read_tensors(shipped("g2p_en", "checkpoint20.npz"))
    tokens = [f"token{place}" for place in range(74)]
    described = {
        "architecture": "gru",
        "tokens": tokens,
        "answers": tokens,
        "names": {f"{ours}_l0": f"dec_{theirs}" for ours, theirs in NAMES.items()},
        "embedding": "dec_emb",
        "read_out": {"weight": "fc_w", "bias": "fc_b"},
        "ignore": ["enc_*"],
    }
    loaded = build_model(Description.from_json(described), tensors, precision=WIDE)
    assert loaded.model.state_bits == 256 * 21
    assert loaded.parameters == 74 * 256 + 2 * 768 * 256 + 2 * 768 + 74 * 256 + 74
    words = np.array([[2, 5, 9, 40], [2, 70, 1, 3], [0, 0, 0, 0]])
    assert np.array_equal(loaded.model.codes(words), loaded.float_codes(words))
    found = bounds.model("recurrent", width=256, precision=21, task="index-lookup")
    assert found.excluded_from == 256 * 21 + 1


NAMES = {"weight_ih": "w_ih", "weight_hh": "w_hh", "bias_ih": "b_ih", "bias_hh": "b_hh"}


def test_the_cell_of_silero_vad_is_read_and_sized():
    tensors = read_tensors(shipped("silero_vad", "data/silero_vad_16k.safetensors"))
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    parts = {name: tensors.take(f"lstm_cell.{name}", *tensors[f"lstm_cell.{name}"].shape) for name in names}
    layer = LSTMLayer.from_arrays(WIDE, **parts)
    assert sum(precision.bits for precision in layer.state_precisions) == 2 * 128 * 21
    x = np.random.default_rng(0).normal(size=(4, 128)) / 8
    gates = x @ parts["weight_ih"].T + parts["bias_ih"] + parts["bias_hh"]
    i, _, g, o = np.split(gates, 4, axis=1)
    expected = np.tanh(np.tanh(g) / (1 + np.exp(-i))) / (1 + np.exp(-o))
    start = np.zeros((4, 256), dtype=np.int64)
    _, hidden = layer.step(start, WIDE.quantise(x))
    assert np.allclose(WIDE.floats(hidden), expected, atol=5e-3)


@pytest.mark.parametrize("name", trained_names())
def test_our_trained_models_are_read_whole(name):
    loaded = trained_model(name)
    task = trained_task(name)
    assert loaded.unused == ()
    assert loaded.saturated == 0
    assert set(loaded.model.alphabet) == set(task.alphabet)
    assert float_scores(loaded.parts, np.zeros((1, task.length), dtype=np.int64)).shape == (1, 2)


def test_there_is_a_model_of_every_kind_for_every_task():
    kinds = {tuple(name.split("-")) for name in trained_names()}
    everywhere = {(task, kind) for task in ("lookup", "dyck", "equality") for kind in ("lstm", "mamba", "transformer")}
    assert kinds == everywhere | {
        (task, kind) for task in ("lookup", "equality") for kind in ("linear", "retnet", "diagonal")
    }
