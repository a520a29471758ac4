"""Weights that are kept as whole numbers of 8 bits with scales."""

import json
from fractions import Fraction

import numpy as np
import pytest

from ccsim import InputError
from ccsim.models.files import Tensors, load_model
from ccsim.models.files.floats import float_scores
from tests.models.model_file_samples import pytorch_tensors

DESCRIPTION = {
    "architecture": "gru",
    "prefix": "rnn.",
    "tokens": ["a", "b", "c"],
    "precision": 16,
    "embedding": "embedding.weight",
    "read_out": {"weight": "head.weight", "bias": "head.bias"},
}
WORDS = np.array([[0, 1, 2, 1, 0], [2, 2, 1, 0, 1], [1, 0, 0, 2, 2]])


def whole_numbers(tensors, by_row=True):
    """Matrices as int8 with a scale for each row, or for all; and the real numbers that they stand for."""
    kept, meant = {}, {}
    for name, array in tensors.items():
        kept[name] = meant[name] = array
        if array.ndim == 2:
            largest = np.abs(array).max(axis=1, keepdims=True) if by_row else np.abs(array).max()
            scale = (largest / 127).astype(np.float32)
            kept[name] = np.rint(array / scale).astype(np.int8)
            kept[f"{name}_scale"] = scale
            meant[name] = kept[name].astype(np.float64) * scale
    return kept, meant


def saved(folder, tensors, **entries):
    np.savez(folder / "net.npz", **tensors)
    (folder / "net.json").write_text(json.dumps(DESCRIPTION | entries))
    return folder / "net.json"


@pytest.mark.parametrize("by_row", [True, False])
def test_whole_numbers_times_their_scales_are_the_weights_exactly(tmp_path, by_row):
    kept, meant = whole_numbers(pytorch_tensors("gru"), by_row)
    read = load_model(saved(tmp_path, kept))
    layer = read.parts.layers[1]["weight_hh"]
    assert np.array_equal(layer, meant["rnn.weight_hh_l1"])
    exact = Fraction(int(kept["rnn.weight_hh_l1"][5, 2])) * Fraction(float(kept["rnn.weight_hh_l1_scale"].flat[-1]))
    assert by_row or Fraction(float(layer[5, 2])) == exact
    (tmp_path / "plain").mkdir()
    plain = load_model(saved(tmp_path / "plain", meant))
    assert np.array_equal(float_scores(read.parts, WORDS), float_scores(plain.parts, WORDS))
    assert np.array_equal(read.model.codes(WORDS), plain.model.codes(WORDS))


def test_zero_points_and_some_rows():
    kept = np.array([[1, -128, 7], [255, 0, 3]])
    given = {"w": kept.astype(np.int16).clip(-128, 127).astype(np.int8), "w_scale": np.array([0.5, 0.25], np.float32)}
    read = Tensors(given | {"w_zero_point": np.array([-3, 2])}, "net.npz")
    assert read.take("w", 2, 3).tolist() == [[2.0, -62.5, 5.0], [31.25, -0.5, 0.25]]
    assert read.take("w", 2, 3, rows=[1]).tolist() == [[31.25, -0.5, 0.25]]
    assert read.unused == ()


SPOILED = [
    ({"w_scale": np.ones(3, np.float32)}, "one number, or one for each of 2 rows"),
    ({"w_scale": np.ones((1, 2), np.float32)}, "one number, or one for each of 2 rows"),
    ({"w_scale": np.zeros(2, np.float32)}, "above 0"),
    ({"w_scale": np.array([1, np.nan], np.float32)}, "above 0"),
    ({"w_scale": np.ones(2, np.int64)}, "floating-point numbers above 0"),
    ({"w_scale": np.ones(2, np.float32), "w_zero_point": np.ones(1, np.int8)}, "of the shape"),
    ({"w_scale": np.ones(2, np.float32), "w_zero_point": np.ones(2)}, "whole numbers from"),
    ({"w_scales": np.ones(2, np.float32)}, "with their scales beside them"),
]


@pytest.mark.parametrize(("beside", "told"), SPOILED)
def test_scales_that_do_not_fit_are_refused(beside, told):
    tensors = Tensors({"w": np.ones((2, 3), np.int8)} | beside, "net.npz")
    with pytest.raises(InputError, match=told):
        tensors.take("w", 2, 3)


def test_a_vector_has_one_scale_and_whole_numbers_of_other_sizes_none():
    one = {"b": np.array([2, -4], np.int8), "b_scale": np.array(0.5, np.float32)}
    assert Tensors(one, "net.npz").take("b", 2).tolist() == [1, -2]
    for spoiled in ({"b_scale": np.ones(2, np.float32)}, {"b": np.array([2, -4], np.int32)}):
        with pytest.raises(InputError, match="tensor 'b"):
            Tensors(one | spoiled, "net.npz").take("b", 2)


def test_a_scale_of_an_unread_tensor_is_not_read_either():
    tensors = Tensors({"w": np.ones((2, 3), np.float32), "w_scale": np.ones(2, np.float32)}, "net.npz")
    tensors.take("w", 2, 3)
    with pytest.raises(InputError, match="'w_scale'"):
        tensors.require_used(())


@pytest.mark.filterwarnings("ignore")
def test_as_pytorch_dequantises(tmp_path):
    torch = pytest.importorskip("torch")
    kept = {name: torch.tensor(array) for name, array in pytorch_tensors("gru").items()}
    for name, tensor in list(kept.items()):
        if tensor.ndim == 2 and "rnn" in name:
            scales, zeros = tensor.abs().amax(1).double() / 127, torch.arange(len(tensor)) % 5 * ("ih" in name)
            kept[name] = torch.quantize_per_channel(tensor, scales, zeros, 0, torch.qint8)
        elif tensor.ndim == 2:
            kept[name] = torch.quantize_per_tensor(tensor, 0.013, 120, torch.quint8)
    torch.save(kept, tmp_path / "net.pt")
    (tmp_path / "net.json").write_text(json.dumps(DESCRIPTION))
    read = load_model(tmp_path / "net.json")
    meant = {name: tensor.dequantize() if tensor.is_quantized else tensor for name, tensor in kept.items()}
    for ours, name in (("weight_ih", "rnn.weight_ih_l1"), ("weight_hh", "rnn.weight_hh_l1")):
        assert np.array_equal(read.parts.layers[1][ours].astype(np.float32), meant[name].numpy())
    assert np.array_equal(read.parts.embedding.astype(np.float32), meant["embedding.weight"].numpy())
    net = torch.nn.GRU(3, 4, 2, batch_first=True)
    net.load_state_dict({name.removeprefix("rnn."): each for name, each in meant.items() if "rnn" in name})
    with torch.no_grad():
        last = net(meant["embedding.weight"][torch.tensor(WORDS)])[0][:, -1]
        scores = torch.nn.functional.linear(last, meant["head.weight"], meant["head.bias"])
    assert np.abs(float_scores(read.parts, WORDS) - scores.numpy()).max() < 1e-5
