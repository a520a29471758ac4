"""Against Hugging Face's Transformers, where they are installed: what is read is what they compute."""

import numpy as np
import pytest

from ccsim.arithmetic import Precision
from ccsim.models.files import load_model, record_check
from ccsim.models.files.floats import float_scores
from tests.models.hugging_face_samples import ALL, MODELS, RECORDED, RECURRENT, WORDS, recorded

pytest.importorskip("transformers")
pytest.importorskip("torch")

from tests.models.record_hugging_face import made

WIDE = Precision.fixed_point(10, 26)


@pytest.mark.parametrize("name", ALL)
def test_what_the_library_saves_is_read_as_it_runs_it(tmp_path, name):
    _config, _shapes, scores = made(name, tmp_path)
    record_check(tmp_path / "logits.npz", WORDS, scores)
    (tmp_path / "ccsim.toml").write_text('check = "logits.npz"\n')
    found = load_model(tmp_path, precision=WIDE, length=WORDS.shape[1])
    assert found.checked == len(WORDS)
    assert np.abs(float_scores(found.parts, WORDS) - scores).max() < 1e-5
    if name not in RECURRENT:
        assert np.abs(WIDE.floats(found.model.outputs(WORDS)) - scores).max() < 1e-5


@pytest.mark.parametrize("name", ALL)
def test_what_is_recorded_is_what_the_library_says(tmp_path, name):
    assert RECORDED.is_file()
    _config, shapes, scores = made(name, tmp_path)
    known = recorded()[name]
    assert shapes == known["shapes"]
    assert np.abs(scores - known["scores"]).max() < 1e-5


@pytest.mark.parametrize("name", ["llama", "gemma2", "bloom", "mpt"])
def test_bf16_is_near_what_the_library_says_in_bf16(tmp_path, name):
    import torch
    import transformers

    made(name, tmp_path)
    cls = getattr(transformers, MODELS[name][0])
    model = cls.from_pretrained(tmp_path, dtype=torch.bfloat16).eval()
    with torch.no_grad():
        theirs = model(torch.tensor(WORDS)).logits[:, -1].float().numpy()
    ours = load_model(tmp_path, arithmetic="bf16", length=WORDS.shape[1]).model.outputs(WORDS)
    exact = np.array(recorded()[name]["scores"])
    assert np.abs(ours - theirs).max() <= 2 * np.abs(theirs - exact).max()
