"""What a ``config.json`` of Hugging Face says of a decoder, for the families that are supported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ccsim.errors import InputError
from ccsim.models.files.configuration_entries import Entries
from ccsim.models.files.rope_entries import rope_waves
from ccsim.models.rotary import Waves
from ccsim.models.scoring import alibi_slopes, mpt_slopes

__all__ = ["ACTIVATIONS", "CONFIGURED", "EMBEDDINGS", "Configuration", "read_configuration"]

ACTIVATIONS = {
    "silu": "silu",
    "swish": "silu",
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "relu": "relu",
}
TANH = {"gelu_pytorch_tanh": "gelu_tanh"}
MOST_LAYERS = 1 << 10

EMBEDDINGS = {"gpt2": "wte.weight", "bloom": "word_embeddings.weight", "mpt": "wte.weight"}
"""The name of the embedding, after the prefix, where it is not ``embed_tokens.weight``."""


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """The facts of a decoder that its tensors do not tell.

    Attributes:
        family: its ``model_type``.
        layers, width, heads, key_heads, head_width: sizes.
        hidden: of the part after attention.
        activation: there.
        epsilon: of norms.
        windows: for each layer how many last positions are seen, or None for all.
        waves: of rotary positions, or None.
        scale: a factor of logits in place of 1 / sqrt(head width), or None.
        soft_cap, output_cap: of logits and of the read-out of a language model, or None.
        slopes: of ALiBi, or None.
        query_bias, output_bias, inner_bias: whether these maps have biases.
        vocabulary: how many ids there are.
    """

    family: str
    layers: int
    width: int
    heads: int
    key_heads: int
    head_width: int
    hidden: int
    activation: str
    epsilon: float
    windows: tuple[int | None, ...]
    vocabulary: int
    waves: Waves | None = None
    scale: float | None = None
    soft_cap: float | None = None
    output_cap: float | None = None
    slopes: tuple[Fraction, ...] | None = None
    query_bias: bool = False
    output_bias: bool = False
    inner_bias: bool = False

    def __post_init__(self) -> None:
        if self.heads % self.key_heads:
            raise InputError("config.num_key_value_heads", self.key_heads, f"a divisor of {self.heads} heads")


def read_configuration(family: str, data: Mapping[str, Any], length: int, ignored: Iterable[str] = ()) -> Configuration:
    """The facts in the entries of a ``config.json``, for words of ``length`` symbols.

    Every entry must be one that is supported here, or be known to change nothing of what is computed; others are
    errors, unless they are null or false, or ``config.`` with their name stands among the patterns that are ignored.
    """
    entries = Entries(data)
    found = CONFIGURED[family](family, entries, length)
    entries.require_known(ignored)
    return found


def _divided(entries: Entries, width: int, heads: int) -> int:
    """The width of a head: as it is said, or the share of the width."""
    if entries.given("head_dim") is None and width % heads:
        raise InputError("config.num_attention_heads", heads, f"a divisor of the width {width}")
    return entries.integer("head_dim", usual=max(1, width // heads))


def _sizes(family: str, entries: Entries, length: int) -> dict[str, Any]:
    """What the family of LLaMA has in common."""
    width, heads = entries.integer("hidden_size"), entries.integer("num_attention_heads")
    head_width = _divided(entries, width, heads)
    if head_width % 2:
        raise InputError("config.head_dim", head_width, "an even number, as pairs are turned")
    entries.refuse_quantised()
    return {
        "family": family,
        "layers": entries.integer("num_hidden_layers", high=MOST_LAYERS),
        "width": width,
        "heads": heads,
        "key_heads": entries.integer("num_key_value_heads", usual=heads),
        "head_width": head_width,
        "hidden": entries.integer("intermediate_size"),
        "epsilon": entries.number("rms_norm_eps", usual=1e-6),
        "waves": rope_waves(entries, head_width, length),
        "vocabulary": entries.integer("vocab_size"),
    } | _tied(entries)


def _tied(entries: Entries) -> dict[str, Any]:
    """Whether the read-out is the embedding shows in the tensors."""
    entries.flag("tie_word_embeddings")
    return {}


def _windows(entries: Entries, layers: int, window: int | None, slides: Callable[[int], bool]) -> Any:
    """The window of each layer: as ``layer_types`` says, or by the number of the layer."""
    types = entries.given("layer_types")
    if types is None:
        types = ["sliding_attention" if slides(layer) else "full_attention" for layer in range(layers)]
    if not isinstance(types, list) or len(types) != layers:
        raise InputError("config.layer_types", types, f"a list with an entry for each of {layers} layers")
    for one in types:
        if one not in ("sliding_attention", "full_attention"):
            raise InputError("config.layer_types", one, "sliding_attention or full_attention: no other is supported")
    return tuple(window if one == "sliding_attention" else None for one in types)


def _window(entries: Entries) -> int | None:
    return None if entries.given("sliding_window") is None else entries.integer("sliding_window")


def _llama(family: str, entries: Entries, length: int) -> Configuration:
    sizes, bias = _sizes(family, entries, length), entries.flag("attention_bias")
    return Configuration(
        **sizes,
        activation=entries.choice("hidden_act", among=ACTIVATIONS, usual="silu"),
        windows=(None,) * sizes["layers"],
        query_bias=bias,
        output_bias=bias,
        inner_bias=entries.flag("mlp_bias"),
    )


def _mistral(family: str, entries: Entries, length: int) -> Configuration:
    sizes = _sizes(family, entries, length)
    return Configuration(
        **sizes,
        activation=entries.choice("hidden_act", among=ACTIVATIONS, usual="silu"),
        windows=(_window(entries),) * sizes["layers"],
    )


def _qwen2(family: str, entries: Entries, length: int) -> Configuration:
    sizes, window = _sizes(family, entries, length), _window(entries)
    first = entries.given("max_window_layers")
    since = 28 if first is None else first
    if isinstance(since, bool) or not isinstance(since, int):
        raise InputError("config.max_window_layers", since, "a number of layers")
    used = entries.flag("use_sliding_window")
    return Configuration(
        **sizes,
        activation=entries.choice("hidden_act", among=ACTIVATIONS, usual="silu"),
        windows=_windows(entries, sizes["layers"], window if used else None, lambda layer: used and layer >= since),
        query_bias=True,
    )


def _gemma(family: str, entries: Entries, length: int) -> Configuration:
    sizes, bias = _sizes(family, entries, length), entries.flag("attention_bias")
    entries.only("use_bidirectional_attention", False)
    entries.only("hidden_act", *TANH)
    return Configuration(
        **sizes,
        activation=entries.choice("hidden_activation", "hidden_act", among=TANH, usual="gelu_pytorch_tanh"),
        windows=(None,) * sizes["layers"],
        query_bias=bias,
        output_bias=bias,
    )


def _gemma2(family: str, entries: Entries, length: int) -> Configuration:
    sizes, bias = _sizes(family, entries, length), entries.flag("attention_bias")
    entries.only("use_bidirectional_attention", False)
    entries.given("hidden_act")  # the library reads hidden_activation alone
    return Configuration(
        **sizes,
        activation=entries.choice("hidden_activation", among=TANH, usual="gelu_pytorch_tanh"),
        windows=_windows(entries, sizes["layers"], _window(entries), lambda layer: layer % 2 == 0),
        scale=entries.number("query_pre_attn_scalar", usual=256.0) ** -0.5,
        soft_cap=entries.maybe("attn_logit_softcapping"),
        output_cap=entries.maybe("final_logit_softcapping"),
        query_bias=bias,
        output_bias=bias,
    )


def _bloom(family: str, entries: Entries, _length: int) -> Configuration:
    width, heads = entries.integer("hidden_size", "n_embed"), entries.integer("n_head", "num_attention_heads")
    layers = entries.integer("n_layer", "num_hidden_layers", high=MOST_LAYERS)
    entries.only("apply_residual_connection_post_layernorm", False)
    entries.refuse_quantised()
    _tied(entries)
    return Configuration(
        family=family,
        layers=layers,
        width=width,
        heads=heads,
        key_heads=heads,
        head_width=_divided(entries, width, heads),
        hidden=4 * width,
        activation="gelu_tanh",
        epsilon=entries.number("layer_norm_epsilon", usual=1e-5),
        windows=(None,) * layers,
        vocabulary=entries.integer("vocab_size"),
        slopes=alibi_slopes(heads),
        query_bias=True,
        output_bias=True,
        inner_bias=True,
    )


def _mpt(family: str, entries: Entries, _length: int) -> Configuration:
    width, heads = entries.integer("d_model", "hidden_size"), entries.integer("n_heads", "num_attention_heads")
    layers = entries.integer("n_layers", "num_hidden_layers", high=MOST_LAYERS)
    entries.only("no_bias", True)
    entries.refuse_quantised()
    for name, value in (("expansion_ratio", 4), ("logit_scale", None)):
        entries.only(name, *([] if value is None else [value]))
    _tied(entries)
    given = entries.given("attn_config")
    inner = Entries({} if given is None else given, "config.attn_config.")
    inner.only("attn_type", "multihead_attention")
    inner.only("alibi", True)
    for name in ("clip_qkv", "prefix_lm", "qk_ln"):
        inner.only(name, False)
    scale, largest = inner.maybe("softmax_scale"), inner.integer("alibi_bias_max", usual=8, high=1 << 10)
    inner.require_known()
    return Configuration(
        family=family,
        layers=layers,
        width=width,
        heads=heads,
        key_heads=heads,
        head_width=_divided(entries, width, heads),
        hidden=4 * width,
        activation="gelu",
        epsilon=entries.number("layer_norm_epsilon", usual=1e-5),
        windows=(None,) * layers,
        vocabulary=entries.integer("vocab_size"),
        scale=scale,
        slopes=mpt_slopes(heads, largest),
    )


CONFIGURED: Mapping[str, Callable[[str, Entries, int], Configuration]] = {
    "llama": _llama,
    "mistral": _mistral,
    "qwen2": _qwen2,
    "gemma": _gemma,
    "gemma2": _gemma2,
    "bloom": _bloom,
    "mpt": _mpt,
}
"""By ``model_type``."""
