"""What a ``config.json`` of Hugging Face says of recurrent models: Mamba, Mamba-2, RecurrentGemma, gated DeltaNet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from ccsim.errors import InputError
from ccsim.models.files.configuration_entries import Entries
from ccsim.models.files.configurations import ACTIVATIONS, MOST_LAYERS

__all__ = ["RECURRENT", "recurrent_entries"]

TENSORS_TELL = (
    *("hidden_size", "intermediate_size", "expand", "state_size", "time_step_rank", "conv_kernel", "num_heads"),
    *("head_dim", "use_bias", "use_conv_bias", "lru_width", "conv1d_width", "tie_word_embeddings", "d_model"),
    *("d_inner", "n_layer", "num_attention_heads", "block_types", "_block_types"),
)

FOR_TRAINING = (
    *("time_step_min", "time_step_max", "time_step_scale", "time_step_floor", "time_step_init_scheme"),
    *("rescale_prenorm_residual", "w_init_variance_scale", "final_w_init_variance_scale"),
)

HOW_IT_RUNS = (
    *("residual_in_fp32", "fused_add_norm", "use_mambapy", "use_associative_scan", "chunk_size"),
    "pad_vocab_size_multiple",
)

NOT_READ = ("rms_norm", "norm_before_gate", "ssm_cfg", "attn_cfg", "attn_layer_idx", "d_intermediate")
"""Entries of the files' authors that the library does not look at."""

INFINITE = (inf, {"__float__": "Infinity"})
"""How versions of the library write it."""

OF_ATTENTION = (
    *("attention_window_size", "num_key_value_heads", "attention_bias", "rope_parameters", "rope_theta"),
    *("partial_rotary_factor", "attention_dropout"),
)
"""Of blocks that are refused where there are some."""

OF_ONE_LIBRARY = (
    *("attn_mode", "fuse_norm", "fuse_swiglu", "fuse_cross_entropy", "fuse_linear_cross_entropy", "use_l2warp"),
    *("expand_v", "conv_size", "num_v_heads", "hidden_ratio"),
)
"""Of flash-linear-attention: how it runs and is trained, and what its tensors tell."""

BACKBONE = {"prefix": "backbone.", "embedding": "backbone.embeddings.weight"}


def recurrent_entries(entries: Entries, names: Mapping[str, Any], ignored: tuple[str, ...]) -> dict[str, Any]:
    """The entries of a description, of tensors with these names.

    Raises :class:`~ccsim.errors.InputError` for entries that change what is computed and are not modelled, and for
    another number of layers than there are tensors of.
    """
    family = entries.given("model_type")
    entries.refuse_quantised()
    for name in (*TENSORS_TELL, *FOR_TRAINING, *HOW_IT_RUNS, *NOT_READ):
        entries.given(name)
    found: dict[str, Any] = RECURRENT[family](entries)
    count = entries.integer("num_hidden_layers", "n_layer", high=MOST_LAYERS)
    layers = {name.removeprefix(f"{found['prefix']}layers.").split(".")[0] for name in names if ".layers." in name}
    if layers != {str(place) for place in range(count)}:
        raise InputError("config.num_hidden_layers", count, f"{len(layers)}, as many as there are tensors of")
    entries.require_known(ignored)
    return {"convention": "huggingface", **found}


def _mamba(entries: Entries) -> dict[str, Any]:
    entries.only("hidden_act", "silu")
    return {"architecture": "mamba", **BACKBONE, "epsilon": _epsilon(entries)}


def _mamba2(entries: Entries) -> dict[str, Any]:
    entries.only("hidden_act", "silu")
    entries.only("time_step_limit", *([0.0, end] for end in INFINITE))
    groups = {"groups": entries.integer("n_groups", usual=8)}
    return {"architecture": "mamba2", **BACKBONE, "epsilon": _epsilon(entries), "options": groups}


def _epsilon(entries: Entries) -> float:
    return entries.number("layer_norm_epsilon", usual=1e-5)


def _recurrent_gemma(entries: Entries) -> dict[str, Any]:
    entries.only("logits_soft_cap", 30.0, 30)
    entries.only("embeddings_scale_by_sqrt_dim", True)
    for name in OF_ATTENTION:
        entries.given(name)
    return {
        "architecture": "recurrent-gemma",
        "prefix": "model.",
        "embedding": "model.embed_tokens.weight",
        "epsilon": entries.number("rms_norm_eps", usual=1e-6),
        "activation": entries.choice("hidden_activation", among=ACTIVATIONS, usual="gelu_pytorch_tanh"),
    }


def _gated_deltanet(entries: Entries) -> dict[str, Any]:
    for name, value in (("use_gate", True), ("use_short_conv", True), ("hidden_act", "swish")):
        entries.only(name, value)
    entries.only("attn")  # layers of attention between the others
    for name in OF_ONE_LIBRARY:
        entries.given(name)
    return {
        "architecture": "gated-deltanet",
        "convention": "fla",
        "prefix": "model.",
        "embedding": "model.embeddings.weight",
        "heads": entries.integer("num_heads", usual=6),
        "epsilon": entries.number("norm_eps", usual=1e-6),
        "options": {"allow_neg_eigval": entries.flag("allow_neg_eigval")},
    }


RECURRENT: Mapping[str, Callable[[Entries], dict[str, Any]]] = {
    "mamba": _mamba,
    "mamba2": _mamba2,
    "recurrent_gemma": _recurrent_gemma,
    "gated_deltanet": _gated_deltanet,
}
"""By ``model_type``."""
