"""Decoders of today from files, in the names of Hugging Face: LLaMA, Mistral, Qwen 2, Gemma, Gemma 2, BLOOM, MPT."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.attention_tensors import per_head
from ccsim.models.files.configurations import EMBEDDINGS, Configuration, read_configuration
from ccsim.models.files.description import Description
from ccsim.models.files.parts import AttentionParts, LayerParts, NormParts, ScoreParts, embedding_of, scores_of
from ccsim.models.files.tensors import Tensors

__all__ = ["decoder_parts"]

WAVES = re.compile(r"\.rotary_emb\.inv_freq$")


def decoder_parts(description: Description, tensors: Tensors, length: int) -> AttentionParts:
    """The parts of a decoder of one layer or several, for words of ``length`` symbols.

    Linear maps are kept as (outputs, inputs). Queries and keys are turned by halves (``rotate_half``). A soft cap of
    the read-out belongs to a language model, which reads out by ``lm_head.weight`` or the embedding.

    Raises :class:`~ccsim.errors.InputError` for shapes that do not fit the configuration.
    """
    config = read_configuration(description.convention, description.config, length, description.ignore)
    usual = EMBEDDINGS.get(config.family, "embed_tokens.weight")
    if not description.prefix:
        outer = "transformer." if config.family in EMBEDDINGS else "model."
        description = replace(description, prefix=outer if outer + usual in tensors else "")
    prefix, name = description.prefix, description.embedding or description.prefix + usual
    if name in tensors and tensors[name].shape[:1] != (config.vocabulary,):
        raise InputError(
            f"tensor {name!r}", tensors[name].shape, f"{config.vocabulary} rows, as config.vocab_size says"
        )
    tokens = embedding_of(description, tensors, usual, config.width)
    if config.family in ("gemma", "gemma2"):
        tokens = sqrt(config.width) * tokens
    _known_waves(tensors, config)
    reader = _Reader(tensors, config)
    layers = [reader.layer(prefix, place) for place in range(config.layers)]
    _add_norm(layers, -1, "last", reader.norm(prefix + reader.names["last"]))
    if config.family == "bloom":
        _add_norm(layers, 0, "first", reader.norm(f"{prefix}word_embeddings_layernorm"))
    scores, bias = scores_of(description, tensors, config.width)
    speaks = description.read_out.weight in ("lm_head.weight", name)
    return AttentionParts(
        tokens,
        np.zeros((length, config.width)),
        tuple(layers),
        config.epsilon,
        scores.T,
        bias,
        config.output_cap if speaks else None,
    )


def _add_norm(layers: list[LayerParts], place: int, name: str, norm: NormParts) -> None:
    layers[place] = replace(layers[place], norms={**layers[place].norms, name: norm})


def _known_waves(tensors: Tensors, config: Configuration) -> None:
    """Wave lengths of rotary positions that some files keep; they must be those of the configuration."""
    for name in filter(WAVES.search, tensors):
        given = tensors.take(name, config.head_width // 2)
        waves = np.ones(config.head_width // 2) if config.waves is None else config.waves.floats
        if not np.allclose(given, waves, rtol=1e-2):
            raise InputError(f"tensor {name!r}", given[:4].tolist(), "the waves that config.rope_theta and so on mean")


NAMES = {
    "llama": {
        "layers": "layers",
        "last": "norm",
        "before_attention": "input_layernorm",
        "before_tokenwise": "post_attention_layernorm",
    },
    "gemma2": {
        "layers": "layers",
        "last": "norm",
        "before_attention": "input_layernorm",
        "of_attention": "post_attention_layernorm",
        "before_tokenwise": "pre_feedforward_layernorm",
        "of_tokenwise": "post_feedforward_layernorm",
    },
    "bloom": {
        "layers": "h",
        "last": "ln_f",
        "before_attention": "input_layernorm",
        "before_tokenwise": "post_attention_layernorm",
    },
    "mpt": {"layers": "blocks", "last": "norm_f", "before_attention": "norm_1", "before_tokenwise": "norm_2"},
}


def _named(weights: Sequence[Array], biases: Sequence[Array], output: tuple[Array, Array]) -> dict[str, Any]:
    """Queries, keys, values and the map from the heads, by their names in :class:`LayerParts`."""
    names = ("query", "key", "value")
    made = dict(zip(names, weights, strict=True)) | dict(zip((f"{name}_bias" for name in names), biases, strict=True))
    return made | {"output": output[0], "output_bias": output[1]}


class _Reader:
    """Tensors in the shapes that a configuration says."""

    def __init__(self, tensors: Tensors, config: Configuration) -> None:
        self.tensors, self.config = tensors, config
        self.names = NAMES.get(config.family, NAMES["llama"])

    def layer(self, prefix: str, place: int) -> LayerParts:
        """The layer of this number."""
        config, block = self.config, f"{prefix}{self.names['layers']}.{place}."
        norms = {
            where: self.norm(block + name) for where, name in self.names.items() if where not in ("layers", "last")
        }
        scoring = ScoreParts(
            config.scale,
            config.waves,
            config.soft_cap,
            config.slopes,
            config.family == "bloom",
            config.windows[place],
        )
        heads = {"bloom": self._bloom_heads, "mpt": self._mpt_heads}.get(config.family, self._llama_heads)
        inner = {"bloom": self._bloom_inner, "mpt": self._mpt_inner}.get(config.family, self._llama_inner)
        layers, up = inner(block)
        return LayerParts(**heads(block), inner=layers, norms=norms, up=up, scoring=scoring)

    def norm(self, name: str) -> NormParts:
        """A norm: with a bias in BLOOM and MPT (where it is 0), by root mean squares in the others."""
        family, width = self.config.family, self.config.width
        gain = self.tensors.take(f"{name}.weight", width)
        if family == "bloom":
            return NormParts(gain, self.tensors.take(f"{name}.bias", width))
        if family == "mpt":
            return NormParts(gain, np.zeros(width))
        return NormParts(gain, None, 1.0 if family in ("gemma", "gemma2") else 0.0)

    def linear(self, name: str, inputs: int, outputs: int, has_bias: bool) -> tuple[Array, Array]:
        """The matrix (inputs, outputs) of a linear map, and its bias or zeros."""
        matrix = self.tensors.take(f"{name}.weight", outputs, inputs).T
        return matrix, self.tensors.take(f"{name}.bias", outputs) if has_bias else np.zeros(outputs)

    def _llama_heads(self, block: str) -> dict[str, Any]:
        config, counts = self.config, (self.config.heads, self.config.key_heads, self.config.key_heads)
        maps = [
            self.linear(f"{block}self_attn.{name}", config.width, count * config.head_width, config.query_bias)
            for name, count in zip(("q_proj", "k_proj", "v_proj"), counts, strict=True)
        ]
        output = self.linear(
            f"{block}self_attn.o_proj", config.heads * config.head_width, config.width, config.output_bias
        )
        weights = [per_head(matrix, count) for (matrix, _), count in zip(maps, counts, strict=True)]
        biases = [bias.reshape(count, -1) for (_, bias), count in zip(maps, counts, strict=True)]
        return _named(weights, biases, output)

    def _bloom_heads(self, block: str) -> dict[str, Any]:
        """In one matrix head by head: query, key and value of the first, then of the next."""
        config, width = self.config, self.config.width
        matrix, bias = self.linear(f"{block}self_attention.query_key_value", width, 3 * width, has_bias=True)
        by_head = matrix.reshape(width, config.heads, 3, config.head_width)
        weights = [np.moveaxis(by_head[:, :, part], 1, 0) for part in range(3)]
        biases = bias.reshape(config.heads, 3, config.head_width)
        output = self.linear(f"{block}self_attention.dense", width, width, has_bias=True)
        return _named(weights, [biases[:, part] for part in range(3)], output)

    def _mpt_heads(self, block: str) -> dict[str, Any]:
        config, width = self.config, self.config.width
        matrix, _ = self.linear(f"{block}attn.Wqkv", width, 3 * width, has_bias=False)
        zeros = [np.zeros((config.heads, config.head_width))] * 3
        output = self.linear(f"{block}attn.out_proj", width, width, has_bias=False)
        return _named([per_head(part, config.heads) for part in np.split(matrix, 3, axis=1)], zeros, output)

    def _llama_inner(self, block: str) -> tuple[tuple[tuple[Array, Array, str], ...], tuple[Array, Array] | None]:
        config = self.config
        gate = self.linear(f"{block}mlp.gate_proj", config.width, config.hidden, config.inner_bias)
        up = self.linear(f"{block}mlp.up_proj", config.width, config.hidden, config.inner_bias)
        down = self.linear(f"{block}mlp.down_proj", config.hidden, config.width, config.inner_bias)
        return ((*gate, config.activation), (*down, "identity")), up

    def _bloom_inner(self, block: str) -> tuple[tuple[tuple[Array, Array, str], ...], None]:
        return self._two(f"{block}mlp.dense_h_to_4h", f"{block}mlp.dense_4h_to_h")

    def _mpt_inner(self, block: str) -> tuple[tuple[tuple[Array, Array, str], ...], None]:
        return self._two(f"{block}ffn.up_proj", f"{block}ffn.down_proj")

    def _two(self, first: str, second: str) -> tuple[tuple[tuple[Array, Array, str], ...], None]:
        config = self.config
        inner = self.linear(first, config.width, config.hidden, config.inner_bias)
        outer = self.linear(second, config.hidden, config.width, config.inner_bias)
        return ((*inner, config.activation), (*outer, "identity")), None
