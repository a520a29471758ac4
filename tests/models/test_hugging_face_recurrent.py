"""Folders of Hugging Face with recurrent models: read as the library runs them, and what is not known is named."""

import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ccsim as cc
from ccsim import InputError
from ccsim.auditing import function_task
from ccsim.models.files import Description, Tensors, build_model, load_model, record_check, write_safetensors
from ccsim.models.files.floats import float_scores
from ccsim.models.files.hugging_face import described
from tests.models.block_samples import GOLDEN, block_tensors
from tests.models.hugging_face_samples import RECURRENT, WORDS, recorded, saved, weight
from tests.models.model_file_samples import WORDS as BLOCK_WORDS
from tests.models.test_hugging_face import PLAIN

RECORDED = recorded()
FINE = "precision = {integer_bits = 10, fraction_bits = 24}\nmemory = 40\n"


@pytest.mark.parametrize("name", RECURRENT)
def test_scores_are_those_of_the_library(tmp_path, name):
    """In float64, and on words of ids in fixed point and in fp32, whose answer is the likeliest next id."""
    folder = saved(tmp_path, name, own=f'{FINE}check = "logits.npz"\n')
    scores = np.array(RECORDED[name]["scores"])
    record_check(folder / "logits.npz", WORDS, scores)
    found = load_model(folder)
    assert found.checked == len(WORDS)
    assert found.unused == ()
    assert np.abs(float_scores(found.parts, WORDS) - scores).max() < 1e-5
    for model in (found.model, load_model(folder, arithmetic="fp32").model):
        assert (model.codes(WORDS) == scores.argmax(axis=1)).all()


SPOILT = [
    ("mamba", {"layer_norm_epsilon": 0.5}),
    ("mamba2", {"n_groups": 1}),
    ("recurrent gemma", {"rms_norm_eps": 0.5}),
    ("recurrent gemma", {"hidden_activation": "silu"}),
]


@pytest.mark.parametrize(("name", "change"), SPOILT)
def test_another_configuration_is_another_model(tmp_path, name, change):
    record_check(tmp_path / "logits.npz", WORDS, RECORDED[name]["scores"])
    folder = saved(tmp_path, name, own=f'{FINE}check = "logits.npz"\n', config=change)
    with pytest.raises(InputError, match=r"the description does not fit|channels"):
        load_model(folder)


REFUSED = [
    ("mamba", {"hidden_act": "gelu"}, "config.hidden_act"),
    ("mamba", {"num_hidden_layers": 3}, "config.num_hidden_layers"),
    ("mamba", {"num_hidden_layers": 1}, "config.num_hidden_layers"),
    ("mamba", {"layer_norm_epsilon": "1"}, "config.layer_norm_epsilon"),
    ("mamba", {"mixer_rms_eps": 1e-6}, "config.mixer_rms_eps"),
    ("mamba", {"model_type": "falcon_mamba"}, "config.model_type"),
    ("mamba", {"model_type": "rwkv"}, "config.model_type"),
    ("mamba", {"tie_word_embeddings": False}, "read_out"),
    ("mamba", {"quantization_config": {"quant_method": "gptq"}}, "quantised weights are not read"),
    ("mamba2", {"time_step_limit": [0.0, 0.1]}, "config.time_step_limit"),
    ("mamba2", {"n_groups": 3}, "options.groups"),
    ("recurrent gemma", {"logits_soft_cap": 20.0}, "config.logits_soft_cap"),
    ("recurrent gemma", {"embeddings_scale_by_sqrt_dim": False}, "config.embeddings_scale_by_sqrt_dim"),
    ("recurrent gemma", {"hidden_activation": "xielu"}, "config.hidden_activation"),
]


@pytest.mark.parametrize(("name", "change", "told"), REFUSED)
def test_what_is_not_supported_is_named(tmp_path, name, change, told):
    with pytest.raises(InputError) as caught:
        load_model(saved(tmp_path, name, own=FINE, config=change))
    assert told in str(caught.value)


def test_entries_of_older_versions(tmp_path):
    older = {
        "time_step_limit": [0.0, float("inf")],
        "norm_before_gate": True,
        "rms_norm": True,
        "torch_dtype": "float16",
    }
    found = load_model(saved(tmp_path, "mamba2", own=FINE, config=older))
    assert np.abs(float_scores(found.parts, WORDS) - np.array(RECORDED["mamba2"]["scores"])).max() < 1e-5


def test_an_audit_finds_what_brute_force_finds(tmp_path):
    own = 'tokens = {"0" = 3, "1" = 6}\nanswers = [0, 1]\nread_out = {rows = [1, 2]}\nprecision = 12\nsaturate = true\n'
    task = function_task(lambda word: int(word.count("1") > 2), "01", 6)
    found = load_model(saved(tmp_path, "mamba", own=own))
    words = task.words.array(np.arange(64)).astype(int)
    wrong = int((found.model.codes(words) != task.evaluate(words)).sum())
    audit = cc.audit(found.model, task)
    assert (audit.verdict, audit.wrong_words) == ("wrong", wrong)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(list(RECURRENT)), st.data())
def test_whatever_an_entry_is_there_is_a_model_or_a_clear_error(tmp_path, name, data):
    known = RECORDED[name]
    config = {**known["config"], data.draw(st.sampled_from(sorted(known["config"]))): data.draw(PLAIN)}
    tensors = Tensors({key: weight(key, shape) for key, shape in known["shapes"].items()}, "mine")
    with suppress(InputError):
        build_model(Description.from_json(described(config, {}, tensors)), tensors, precision=12)


FLA = {
    **{
        "model_type": "gated_deltanet",
        "architectures": ["GatedDeltaNetForCausalLM"],
        "hidden_size": 8,
        "expand_v": 3.0,
    },
    **{"use_gate": True, "use_short_conv": True, "allow_neg_eigval": False, "conv_size": 3, "head_dim": 4},
    **{"num_heads": 1, "num_v_heads": 2, "hidden_ratio": 4, "intermediate_size": 12, "hidden_act": "swish"},
    **{"num_hidden_layers": 2, "norm_eps": 1e-5, "attn": None, "attn_mode": "chunk", "vocab_size": 3},
    **{"fuse_norm": True, "fuse_swiglu": True, "fuse_cross_entropy": True, "use_l2warp": False},
}


def of_flash_linear_attention(folder, **change):
    (folder / "config.json").write_text(json.dumps({**FLA, **change}))
    write_safetensors(folder / "model.safetensors", block_tensors("gated-deltanet"))
    (folder / "ccsim.toml").write_text(FINE)
    return folder


def test_gated_deltanet_is_read_with_the_configuration_of_its_library(tmp_path):
    found = load_model(of_flash_linear_attention(tmp_path))
    scores = np.array(GOLDEN["gated-deltanet"])
    assert np.abs(float_scores(found.parts, BLOCK_WORDS) - scores).max() < 1e-5
    assert (found.model.codes(BLOCK_WORDS) == scores.argmax(axis=1)).all()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"attn": {"layers": [1]}}, "config.attn"),
        ({"use_gate": False}, "config.use_gate"),
        ({"use_short_conv": False}, "config.use_short_conv"),
        ({"hidden_act": "gelu"}, "config.hidden_act"),
        ({"num_hidden_layers": 3}, "config.num_hidden_layers"),
        ({"model_type": "rwkv7"}, 'says architecture = "rwkv7"'),
        ({"model_type": "xlstm"}, "xLSTMLMModel"),
    ],
)
def test_other_blocks_of_that_library_are_refused(tmp_path, change, expected):
    with pytest.raises(InputError, match=expected):
        load_model(of_flash_linear_attention(tmp_path, **change))


def test_strengths_above_1_are_another_model(tmp_path):
    found = load_model(of_flash_linear_attention(tmp_path, allow_neg_eigval=True))
    assert np.abs(float_scores(found.parts, BLOCK_WORDS) - GOLDEN["gated-deltanet"]).max() > 1e-3
