"""Folders as Hugging Face saves them: read as the models that they describe, or a clear error, whatever is in them."""

import json
import shutil
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ccsim as cc
from ccsim import InputError
from ccsim.arithmetic import Precision
from ccsim.auditing import function_task
from ccsim.models import OneLayerTransformer, Transformer
from ccsim.models.files import Description, Tensors, build_model, load_model, record_check, write_safetensors
from ccsim.models.files.floats import float_scores
from ccsim.models.files.hugging_face import described
from tests.models.hugging_face_samples import ALL, MODELS, WORDS, recorded, saved, weight

WIDE = Precision.fixed_point(10, 26)
RECORDED = recorded()
ONE_LAYER = [name for name in MODELS if "layers" not in name and name != "qwen2"]
BITS = 'tokens = {"0" = 3, "1" = 4}\nanswers = [0, 1]\nread_out = {rows = [3, 4]}\nprecision = 12\n'


def loaded(folder, name, **options):
    return load_model(saved(folder, name), length=6, **options)


def test_every_model_is_recorded():
    assert set(RECORDED) == set(ALL)


@pytest.mark.parametrize("name", MODELS)
def test_a_folder_is_read_as_the_library_runs_it(tmp_path, name):
    found, scores = loaded(tmp_path, name, precision=WIDE), np.array(RECORDED[name]["scores"])
    assert np.abs(float_scores(found.parts, WORDS) - scores).max() < 1e-5
    assert np.abs(WIDE.floats(found.model.outputs(WORDS)) - scores).max() < 1e-5
    assert isinstance(found.model, OneLayerTransformer if name in ONE_LAYER else Transformer)
    assert found.unused == ()
    assert (found.float_codes(WORDS) == scores.argmax(axis=1)).all()


@pytest.mark.parametrize("name", ONE_LAYER)
@pytest.mark.parametrize("arithmetic", ["fp32", "bf16"])
def test_one_layer_in_floating_point(tmp_path, name, arithmetic):
    model, scores = loaded(tmp_path, name, arithmetic=arithmetic).model, np.array(RECORDED[name]["scores"])
    assert np.abs(model.outputs(WORDS) - scores).max() < (1e-5 if arithmetic == "fp32" else 0.15)


def test_several_layers_have_no_floating_point(tmp_path):
    with pytest.raises(InputError, match="several layers"):
        loaded(tmp_path, "mistral of two layers", arithmetic="bf16")


SPOILT = [
    ("llama", {"rope_parameters": {"rope_theta": 3.0, "rope_type": "default"}}),
    ("llama", {"num_key_value_heads": 2, "hidden_act": "gelu"}),
    ("mistral", {"sliding_window": 2}),
    ("mistral", {"sliding_window": None}),
    ("qwen2", {"layer_types": ["full_attention", "full_attention"]}),
    ("gemma2", {"attn_logit_softcapping": None}),
    ("gemma2", {"final_logit_softcapping": 2.9}),
    ("gemma2", {"query_pre_attn_scalar": 4}),
    ("gemma2", {"layer_types": ["full_attention"]}),
    ("mpt of two layers", {"attn_config": {"softmax_scale": None}}),
    ("llama", {"rms_norm_eps": 0.5}),
]


@pytest.mark.parametrize(("name", "change"), SPOILT)
def test_another_configuration_is_another_model(tmp_path, name, change):
    record_check(tmp_path / "logits.npz", WORDS, RECORDED[name]["scores"])
    folder = saved(tmp_path, name, own='check = "logits.npz"\nprecision = {integer_bits = 8, fraction_bits = 20}\n')
    assert load_model(folder, length=6).checked == len(WORDS)
    saved(tmp_path, name, config=change)
    with pytest.raises(InputError, match="the description does not fit"):
        load_model(folder, length=6)


OLD = [
    ("llama", {"rope_parameters": "left out", "rope_theta": 10000.0, "rope_scaling": None, "head_dim": "left out"}),
    ("gemma2", {"layer_types": "left out", "hidden_act": "gelu_pytorch_tanh"}),
    ("gemma2 of two layers", {"layer_types": "left out", "rope_parameters": "left out"}),
    ("qwen2", {"layer_types": "left out", "torch_dtype": "bfloat16"}),
    ("bloom", {"n_embed": 12, "num_attention_heads": 3, "offset_alibi": 100, "masked_softmax_fusion": True}),
]


@pytest.mark.parametrize(("name", "change"), OLD)
def test_entries_of_older_versions(tmp_path, name, change):
    if name == "llama":
        change = {**change, "head_dim": 4}
    found = load_model(saved(tmp_path, name, config=change), length=6, precision=WIDE)
    assert np.abs(float_scores(found.parts, WORDS) - np.array(RECORDED[name]["scores"])).max() < 1e-5


def test_symbols_and_answers_beside_the_configuration(tmp_path):
    found = load_model(saved(tmp_path, "llama", own='tokens = {"x" = 3, "y" = 6}\nprecision = 16\n'), length=2)
    assert (found.model.alphabet, found.model.answers) == (("x", "y"), ("x", "y"))
    scores = float_scores(found.parts, np.array([[0, 1]]))
    whole = load_model(saved(tmp_path, "llama"), length=2, precision=16)
    assert np.allclose(scores, float_scores(load_model(tmp_path, length=2, precision=16).parts, np.array([[0, 1]])))
    (tmp_path / "ccsim.toml").unlink()
    whole = load_model(tmp_path / "config.json", length=2, precision=16)
    assert whole.model.answers == tuple(range(7))
    assert np.allclose(scores, float_scores(whole.parts, np.array([[3, 6]]))[:, [3, 6]])
    labels = load_model(saved(tmp_path, "llama that classifies"), length=2, precision=16)
    assert labels.model.answers == ("LABEL_0", "LABEL_1", "LABEL_2")


@pytest.mark.parametrize("name", ["gemma2", pytest.param("llama of three layers", marks=pytest.mark.slow)])
def test_an_audit_finds_what_brute_force_finds(tmp_path, name):
    task = function_task(lambda word: int(word.count("1") > 2), "01", 6)
    found = load_model(saved(tmp_path, name, own=BITS), length=6)
    words = task.words.array(np.arange(64)).astype(int)
    wrong = int((found.model.codes(words) != task.evaluate(words)).sum())
    audit = cc.audit(found.model, task)
    assert (audit.verdict, audit.wrong_words) == ("wrong", wrong)


@pytest.mark.parametrize("kind", ["npz", "toml"])
def test_the_same_tensors_with_a_description(tmp_path, kind):
    known = RECORDED["mistral"]
    tensors = {key: weight(key, shape) for key, shape in known["shapes"].items()}
    plain = {
        "architecture": "transformer",
        "convention": "mistral",
        "config": known["config"],
        "tokens": list(range(7)),
        "read_out": "lm_head.weight",
        "answers": list(range(7)),
    }
    if kind == "npz":
        np.savez(tmp_path / "mine.npz", **tensors)
        (tmp_path / "mine.json").write_text(json.dumps(plain))
        found = load_model(tmp_path / "mine.npz", length=6, precision=16)
    else:
        found = build_model(Description.from_json(plain), Tensors(tensors, "mine"), length=6, precision=16)
    assert np.abs(float_scores(found.parts, WORDS) - np.array(known["scores"])).max() < 1e-5


REFUSED = [
    ("llama", {"model_type": "falcon"}, "config.model_type"),
    ("llama", {"model_type": None}, "config.model_type"),
    ("llama", {"model_type": ["llama"]}, "config.model_type"),
    ("llama", {"hidden_size": 8.5}, "config.hidden_size"),
    ("llama", {"hidden_size": "8"}, "config.hidden_size"),
    ("llama", {"hidden_size": 1 << 40}, "config.hidden_size"),
    ("llama", {"hidden_size": True}, "config.hidden_size"),
    ("llama", {"hidden_size": 12}, "tensor"),
    ("llama", {"num_hidden_layers": 0}, "config.num_hidden_layers"),
    ("llama", {"num_hidden_layers": 2}, "tensors"),
    ("llama", {"num_attention_heads": 3}, "config.num_key_value_heads"),
    ("llama", {"num_key_value_heads": 3}, "config.num_key_value_heads"),
    ("llama", {"head_dim": 3}, "config.head_dim"),
    ("llama", {"vocab_size": 8}, "tensor 'model.embed_tokens.weight'"),
    ("llama", {"rms_norm_eps": -1}, "config.rms_norm_eps"),
    ("llama", {"rms_norm_eps": float("nan")}, "config.rms_norm_eps"),
    ("llama", {"hidden_act": "xielu"}, "config.hidden_act"),
    ("llama", {"hidden_act": {}}, "config.hidden_act"),
    ("llama", {"attention_bias": True}, "tensors"),
    ("llama", {"attention_bias": "yes"}, "config.attention_bias"),
    ("llama", {"rope_scaling": {"type": "longrope", "factor": 2.0}}, "config.rope_scaling.type"),
    ("llama", {"rope_parameters": {"rope_type": ["linear"]}}, "config.rope_parameters.rope_type"),
    ("llama", {"rope_parameters": {"rope_type": "linear"}}, "config.rope_parameters.factor"),
    ("llama", {"rope_parameters": {"rope_type": "linear", "factor": 0.5}}, "config.rope_parameters.factor"),
    ("llama", {"rope_parameters": {"rope_type": "linear", "factor": 2, "beta": 1}}, "config.rope_parameters.beta"),
    ("llama", {"rope_parameters": {"rope_type": "llama3", "factor": 8}}, "config.rope_parameters.low_freq_factor"),
    (
        "llama",
        {"rope_parameters": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 2, "high_freq_factor": 2}},
        "config.rope_parameters.high_freq_factor",
    ),
    ("llama", {"rope_parameters": {"rope_type": "yarn", "factor": 8, "beta_fast": -1}}, "rope_parameters.beta_fast"),
    ("llama", {"rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.5}}, "partial_rotary_factor"),
    ("llama", {"rope_parameters": [1]}, "config.rope_parameters"),
    ("llama", {"rope_theta": 1}, "config.rope_theta"),
    ("llama", {"quantization_config": {"bits": 4}}, "quantised weights are not read"),
    ("llama", {"clip_everything": 3}, "entry 'config.clip_everything'"),
    ("llama", {"\x1b[31m\nright: proved": 3}, r"entry 'config.\x1b[31m\nright: proved'"),
    ("llama that classifies", {"pad_token_id": 3}, "config.pad_token_id"),
    ("llama that classifies", {"id2label": {"0": "a"}}, "config.id2label"),
    ("mistral", {"sliding_window": 0}, "config.sliding_window"),
    ("mistral", {"layer_types": ["full_attention"]}, "entry 'config.layer_types'"),
    ("qwen2", {"layer_types": ["full_attention"]}, "config.layer_types"),
    ("qwen2", {"layer_types": ["full_attention", "linear_attention"]}, "config.layer_types"),
    ("qwen2", {"layer_types": "left out", "max_window_layers": "1"}, "config.max_window_layers"),
    ("gemma", {"hidden_act": "gelu"}, "config.hidden_act"),
    ("gemma2", {"hidden_activation": "gelu"}, "config.hidden_activation"),
    ("gemma2", {"attn_logit_softcapping": -1}, "config.attn_logit_softcapping"),
    ("gemma2", {"use_bidirectional_attention": True}, "config.use_bidirectional_attention"),
    ("bloom", {"apply_residual_connection_post_layernorm": True}, "apply_residual_connection_post_layernorm"),
    ("bloom", {"n_head": 5}, "config.num_attention_heads"),
    ("mpt", {"attn_config": {"alibi": False}}, "config.attn_config.alibi"),
    ("mpt", {"attn_config": {"clip_qkv": 8}}, "config.attn_config.clip_qkv"),
    ("mpt", {"attn_config": {"rope": True}}, "entry 'config.attn_config.rope'"),
    ("mpt", {"attn_config": [1]}, "config.attn_config"),
    ("mpt", {"no_bias": False}, "config.no_bias"),
    ("mpt", {"logit_scale": "inv_sqrt_d_model"}, "config.logit_scale"),
    ("gpt2", {"n_layer": 2}, "config.n_layer"),
    ("gpt2", {"scale_attn_weights": False}, "config.scale_attn_weights"),
    ("gpt2", {"activation_function": "tanh"}, "config.activation_function"),
]


@pytest.mark.parametrize(("name", "change", "told"), REFUSED)
def test_what_is_not_supported_is_named(tmp_path, name, change, told):
    folder = saved(tmp_path, name, own=None if "classifies" in name else BITS, config=change)
    with pytest.raises(InputError) as caught:
        load_model(folder, length=4, precision=12)
    message = str(caught.value)
    assert told in message
    assert message.isprintable()
    assert len(message) < 600


OWN = [
    ("tokens = 3\n", "tokens"),
    ('tokens = ["a", {b = 1}]\n', "tokens"),
    ('tokens = {"a" = 99}\n', "tokens"),
    ("heads = 4\n", "heads"),
    ('convention = "llama"\n', "convention"),
    ('answers = ["q"]\n', "answers"),
    ("answers = [{}]\n", "answers"),
    ("answers = 3\n", "answers"),
    ("read_out = {rows = [99]}\n", "read_out.rows"),
    ('tensors = "../model.safetensors"\n', "tensors"),
    ("tensors = 3\n", "tensors"),
    ('check = "../logits.npz"\n', "check"),
    ("surprise = 1\n", "surprise"),
    ("tokens = [", "TOML"),
    ('tensors = "none.npz"\n', "none.npz"),
]


@pytest.mark.parametrize(("own", "told"), OWN)
def test_what_the_owner_says_is_checked(tmp_path, own, told):
    with pytest.raises(InputError, match=told):
        load_model(saved(tmp_path, "llama", own=own), length=4, precision=12)


def test_folders_that_lack_something(tmp_path):
    folder = saved(tmp_path, "llama")
    for name, told in (("model.safetensors", "model.npz"), ("config.json", "config.json")):
        (tmp_path / "kept").mkdir()
        shutil.move(folder / name, tmp_path / "kept" / name)
        with pytest.raises(InputError, match=told):
            load_model(folder, length=4, precision=12)
        shutil.move(tmp_path / "kept" / name, folder / name)
        (tmp_path / "kept").rmdir()
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    (folder / "pytorch_model.bin.index.json").write_text("{}")
    with pytest.raises(InputError, match="is a pickle"):
        load_model(folder, length=4, precision=12)
    for text in ("[1]", "{", "null", '"' + "x" * 9 + '"', "[" * 100000):
        (folder / "config.json").write_text(text)
        with pytest.raises(InputError):
            load_model(folder, length=4, precision=12)


def test_tensors_that_nobody_reads_are_errors(tmp_path):
    known = RECORDED["llama"]["shapes"]
    folder = saved(tmp_path, "llama")
    for extra in ("model.layers.0.self_attn.q_proj.bias", "model.layers.1.mlp.up_proj.weight", "model.norm.bias"):
        tensors = {key: weight(key, shape) for key, shape in {**known, extra: [8]}.items()}
        write_safetensors(folder / "model.safetensors", tensors)
        with pytest.raises(InputError, match="tensors that are read"):
            load_model(folder, length=4, precision=12)


@pytest.fixture
def sharded(tmp_path):
    """A folder with weights in two files, as the library saves them, and the table of its index."""
    folder, tensors = (
        saved(tmp_path, "llama"),
        {key: weight(key, shape) for key, shape in RECORDED["llama"]["shapes"].items()},
    )
    (folder / "model.safetensors").unlink()
    names = [f"model-0000{number}-of-00002.safetensors" for number in (1, 2)]
    places = {key: names[place % 2] for place, key in enumerate(sorted(tensors))}
    for name in names:
        write_safetensors(folder / name, {key: tensors[key] for key, place in places.items() if place == name})
    return folder, places


def test_weights_in_several_files_are_those_in_one(tmp_path, sharded):
    folder, places = sharded
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": places}))
    (tmp_path / "whole").mkdir()
    ours, whole = (load_model(each, length=6, precision=12) for each in (folder, saved(tmp_path / "whole", "llama")))
    assert ours.parameters == whole.parameters
    assert np.array_equal(ours.model.outputs(WORDS), whole.model.outputs(WORDS))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (lambda places: {}, "weight_map"),
        (lambda places: {**places, "more.weight": next(iter(places.values()))}, "more.weight"),
        (lambda places: dict(list(places.items())[1:]), "lm_head.weight"),
        (lambda places: {**places, "lm_head.weight": "../a.safetensors"}, "same folder"),
        (lambda places: {**places, "lm_head.weight": "gone.safetensors"}, "gone.safetensors"),
        (lambda places: dict.fromkeys(places, next(iter(places.values()))), "tensor"),
    ],
)
def test_an_index_that_does_not_say_where_weights_are_is_refused(sharded, changed, told):
    folder, places = sharded
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": changed(places)}))
    with pytest.raises(InputError, match=told):
        load_model(folder, length=6, precision=12)


def test_waves_that_are_kept_must_be_those_of_the_configuration(tmp_path):
    folder, name = saved(tmp_path, "llama"), "model.layers.0.self_attn.rotary_emb.inv_freq"
    tensors = {key: weight(key, shape) for key, shape in RECORDED["llama"]["shapes"].items()}
    write_safetensors(folder / "model.safetensors", tensors | {name: np.float32([1, 0.01])})
    assert load_model(folder, length=4, precision=12).unused == ()
    write_safetensors(folder / "model.safetensors", tensors | {name: np.float32([1, 0.1])})
    with pytest.raises(InputError, match="rope_theta"):
        load_model(folder, length=4, precision=12)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 1 << 70) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)


@pytest.mark.slow
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(list(MODELS)), st.data())
def test_whatever_an_entry_is_there_is_a_model_or_a_clear_error(tmp_path, name, data):
    known = RECORDED[name]
    entry = data.draw(st.sampled_from(sorted(known["config"])))
    config = {**known["config"], entry: data.draw(PLAIN)}
    if data.draw(st.booleans()):
        config[data.draw(st.text(max_size=9))] = data.draw(PLAIN)
    tensors = Tensors({key: weight(key, shape) for key, shape in known["shapes"].items()}, "mine")
    with suppress(InputError):
        build_model(Description.from_json(described(config, {}, tensors)), tensors, length=2, precision=12)
