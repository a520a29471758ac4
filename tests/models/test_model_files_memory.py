"""Of a large file no more is read than is asked for."""

import json
import tracemalloc

import numpy as np
import pytest

from ccsim import InputError
from ccsim.models.files import load_model, read_tensors

WIDTH, TOKENS = 64, 40_000


def bfloat16_file(path, arrays):
    """A safetensors file of bfloat16, the upper halves of single precision."""
    header, parts, end = {}, [], 0
    for name, array in arrays.items():
        data = (array.astype(np.float32).view(np.uint32) >> 16).astype("<u2").tobytes()
        header[name] = {"dtype": "BF16", "shape": list(array.shape), "data_offsets": [end, end + len(data)]}
        parts.append(data)
        end += len(data)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(parts))


def language_model(folder, kind):
    """A small network around an embedding and a read-out of many tokens, and tensors that are no part of it."""
    generator = np.random.default_rng(0)
    shapes = {"weight_ih_l0": (WIDTH, WIDTH), "weight_hh_l0": (WIDTH, WIDTH), "lm_head.weight": (TOKENS, WIDTH)}
    shapes |= {"embedding.weight": (TOKENS, WIDTH), "vision.weight": (TOKENS, WIDTH)}
    arrays = {name: (generator.integers(-64, 64, shape) / 128).astype(np.float32) for name, shape in shapes.items()}
    plain = {
        "architecture": "elman",
        "activation": "relu",
        "tokens": {"a": 17, "b": TOKENS - 1, "c": 0},
        "answers": ["a", "b"],
        "read_out": {"weight": "lm_head.weight", "rows": [17, TOKENS - 1]},
        "precision": {"integer_bits": 12, "fraction_bits": 20},
        "ignore": ["vision.*"],
    }
    (folder / "large.json").write_text(json.dumps(plain))
    path = folder / f"large{kind}"
    if kind == ".npz":
        np.savez(path, **arrays)
    else:
        bfloat16_file(path, arrays)
    return path, arrays


@pytest.mark.parametrize(("kind", "most"), [(".safetensors", 0.1), (".npz", 0.8)])
def test_memory_stays_below_the_size_of_the_file(kind, most, tmp_path):
    path, arrays = language_model(tmp_path, kind)
    tracemalloc.start()
    try:
        loaded = load_model(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert path.stat().st_size > 15_000_000
    assert peak < most * path.stat().st_size
    assert loaded.parameters == 2 * WIDTH * WIDTH + (3 + 2) * WIDTH
    embedding = np.stack([arrays["embedding.weight"][place] for place in (0, 17, TOKENS - 1)])
    order = [("c", "a", "b").index(symbol) for symbol in loaded.model.alphabet]
    assert np.array_equal(loaded.parts.embedding, embedding[order])
    assert np.array_equal(loaded.parts.scores, arrays["lm_head.weight"][[17, TOKENS - 1]])


def test_a_tensor_that_is_cut_off_later_is_an_error(tmp_path):
    path, _ = language_model(tmp_path, ".safetensors")
    tensors = read_tensors(path)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match=r"bytes of tensor 'vision.weight'"):
        tensors.take("vision.weight", TOKENS, WIDTH)
