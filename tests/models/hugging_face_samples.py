"""Tiny decoders with weights made by a formula, and what Hugging Face's Transformers answer with them.

``python tests/models/record_hugging_face.py`` writes hugging_face.json; it holds each model's ``config.json`` as the
library saves it, the names and shapes of its tensors, and the scores at the last position of each word.
"""

import json
from pathlib import Path

import numpy as np

from ccsim.models.files import write_safetensors
from ccsim.models.random_weights import random_mantissas

RECORDED = Path(__file__).with_name("hugging_face.json")
WORDS = np.array([[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [6, 6, 6, 6, 6, 6], [3, 0, 6, 1, 1, 4]])

SIZES = {
    "vocab_size": 7,
    "hidden_size": 8,
    "intermediate_size": 10,
    "num_hidden_layers": 1,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 4,
    "max_position_embeddings": 32,
}
CAPS = {"attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0, "query_pre_attn_scalar": 5, "sliding_window": 3}
QWEN = {**{name: size for name, size in SIZES.items() if name != "head_dim"}, "num_hidden_layers": 2}
BIASES = {"attention_bias": True, "mlp_bias": True, "tie_word_embeddings": True, "num_hidden_layers": 3}

MAMBA = {"vocab_size": 7, "hidden_size": 8, "num_hidden_layers": 2, "state_size": 3}
GRIFFIN = {"vocab_size": 7, "hidden_size": 8, "num_hidden_layers": 2, "intermediate_size": 24}
LLAMA3 = {"low_freq_factor": 0.5, "high_freq_factor": 2.0, "original_max_position_embeddings": 32}
YARN = {"original_max_position_embeddings": 16, "beta_fast": 2.5, "beta_slow": 0.25}

MODELS = {
    "llama": ("LlamaForCausalLM", SIZES),
    "llama of three layers": ("LlamaForCausalLM", {**SIZES, **BIASES, "rope_theta": 500.0}),
    **{
        f"llama with {kind} positions": ("LlamaForCausalLM", {**SIZES, "head_dim": 8, "rope_parameters": table, **more})
        for kind, table, more in (
            ("linear", {"rope_type": "linear", "factor": 2.5, "rope_theta": 50.0}, {}),
            ("dynamic", {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 50.0}, {"max_position_embeddings": 4}),
            ("llama3", {"rope_type": "llama3", "factor": 8.0, "rope_theta": 50.0, **LLAMA3}, {}),
            ("yarn", {"rope_type": "yarn", "factor": 4.0, "rope_theta": 50.0, **YARN}, {}),
        )
    },
    "llama that classifies": ("LlamaForSequenceClassification", {**SIZES, "num_labels": 3, "pad_token_id": None}),
    "mistral": ("MistralForCausalLM", {**SIZES, "sliding_window": 3}),
    "mistral of two layers": ("MistralForCausalLM", {**SIZES, "sliding_window": 3, "num_hidden_layers": 2}),
    "qwen2": (
        "Qwen2ForCausalLM",
        {**QWEN, "use_sliding_window": True, "sliding_window": 2, "max_window_layers": 1},
    ),
    "gemma": ("GemmaForCausalLM", {**SIZES, "num_key_value_heads": 1}),
    "gemma2": ("Gemma2ForCausalLM", {**SIZES, **CAPS}),
    "gemma2 of two layers": ("Gemma2ForCausalLM", {**SIZES, **CAPS, "num_hidden_layers": 2}),
    "gemma2 that classifies": (
        "Gemma2ForSequenceClassification",
        {**SIZES, **CAPS, "num_labels": 3, "pad_token_id": None},
    ),
    "bloom": ("BloomForCausalLM", {"vocab_size": 7, "hidden_size": 12, "n_layer": 1, "n_head": 3}),
    "bloom of two layers": ("BloomForCausalLM", {"vocab_size": 7, "hidden_size": 8, "n_layer": 2, "n_head": 4}),
    "mpt": ("MptForCausalLM", {"vocab_size": 7, "d_model": 12, "n_layers": 1, "n_heads": 3, "max_seq_len": 16}),
    "mpt of two layers": (
        "MptForCausalLM",
        {
            "vocab_size": 7,
            "d_model": 12,
            "n_layers": 2,
            "n_heads": 6,
            "max_seq_len": 16,
            "attn_config": {"softmax_scale": 0.3},
        },
    ),
    "gpt2": ("GPT2LMHeadModel", {"vocab_size": 7, "n_embd": 12, "n_layer": 1, "n_head": 3, "n_positions": 8}),
}

RECURRENT = {
    "mamba": ("MambaForCausalLM", {**MAMBA, "conv_kernel": 3, "time_step_rank": 2}),
    "mamba of one layer": ("MambaForCausalLM", {**MAMBA, "num_hidden_layers": 1, "tie_word_embeddings": False}),
    "mamba2": ("Mamba2ForCausalLM", {**MAMBA, "num_heads": 4, "head_dim": 4, "n_groups": 2, "chunk_size": 4}),
    "recurrent gemma": (
        "RecurrentGemmaForCausalLM",
        {**GRIFFIN, "block_types": ["recurrent"], "num_attention_heads": 2, "lru_width": 8, "conv1d_width": 3},
    ),
}
ALL = {**MODELS, **RECURRENT}


def weight(name, shape):
    """Numbers from -1 to 1 in steps of 1/64, the same on every machine."""
    return (random_mantissas(tuple(shape), -64, 64, 0, name) / 64).astype(np.float32)


def recorded():
    """By name: config, shapes and scores."""
    return json.loads(RECORDED.read_text())


def saved(folder, name, own=None, config=None):
    """A folder as Hugging Face saves a model, made of what was recorded; ``config`` changes entries."""
    known = recorded()[name]
    plain = {**known["config"], **(config or {})}
    (folder / "config.json").write_text(json.dumps({key: value for key, value in plain.items() if value != "left out"}))
    write_safetensors(folder / "model.safetensors", {key: weight(key, shape) for key, shape in known["shapes"].items()})
    if own is not None:
        (folder / "ccsim.toml").write_text(own)
    return folder
