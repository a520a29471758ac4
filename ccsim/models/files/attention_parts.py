"""One-layer transformers from files, in the layouts of Hugging Face, nanoGPT, TransformerLens and PyTorch."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.attention_tensors import Inner, first_rows, heads_of, linear_map, norm_of, per_head
from ccsim.models.files.description import Description
from ccsim.models.files.encoder_parts import encoder_parts
from ccsim.models.files.parts import AttentionParts, LayerParts, NormParts, embedding_of, scores_of
from ccsim.models.files.tensors import Tensors

MASKS = re.compile(r"\.attn\.(mask|IGNORE|bias|masked_bias)$")  # buffers that say that attention looks back only


def attention_parts(description: Description, tensors: Tensors, length: int | None) -> AttentionParts:
    """The parts of a GPT-2 style transformer with one layer, for words of ``length`` symbols.

    ``huggingface`` keeps matrices as (inputs, outputs), ``nanogpt`` as (outputs, inputs), both with queries, keys and
    values of all heads in one matrix; ``transformer-lens`` has a matrix for each head; ``pytorch`` are the names of
    PyTorch's encoder layer (see :func:`~ccsim.models.files.encoder_parts.encoder_parts`). Norms and the part after
    attention may be missing; of TransformerLens, ``options.normalization_type`` then says whether norms are "none" or
    "LNPre", which have no weights because these were folded.

    Raises :class:`~ccsim.errors.InputError` for shapes that do not fit, and for a second layer: there is no such bound
    for two (Bhattamishra, Hahn, Blunsom and Kanade 2024, lemma 5).
    """
    length = description.length if length is None else length
    if length is None:
        raise InputError("length", length, "how many symbols a word has")
    length = require_integer("length", length, low=1)
    _refuse_more(tensors)
    tensors.known |= {name for name in tensors if MASKS.search(name)}
    if not description.prefix and "wte.weight" not in tensors and "transformer.wte.weight" in tensors:
        description = replace(description, prefix="transformer.")
    if description.convention == "pytorch":
        return encoder_parts(description, tensors, length)
    if description.convention == "transformer-lens":
        return _lens(description, tensors, length)
    return _gpt(description, tensors, length)


def _refuse_more(tensors: Tensors) -> None:
    for name in tensors:
        if re.search(r"(^|\.)(h|blocks|layers)\.[1-9]\d*\.", name):
            raise InputError(f"tensor {name!r}", tensors[name].shape, "a transformer of one layer")


def _gpt(description: Description, tensors: Tensors, length: int) -> AttentionParts:
    """Hugging Face's GPT-2 and nanoGPT; in the latter a linear map keeps its matrix the other way round."""
    prefix = description.prefix
    turned = description.convention == "nanogpt"
    block = f"{prefix}h.0."

    tokens = embedding_of(description, tensors, "wte.weight")
    width = tokens.shape[1]
    heads = heads_of(description, width)
    joint, joint_bias = linear_map(tensors, f"{block}attn.c_attn", width, 3 * width, turned)
    query, key, value = (per_head(part, heads) for part in np.split(joint, 3, axis=1))
    query_bias, key_bias, value_bias = (part.reshape(heads, -1) for part in np.split(joint_bias, 3))
    output, output_bias = linear_map(tensors, f"{block}attn.c_proj", width, width, turned)
    inner: Inner = ()
    if f"{block}mlp.c_fc.weight" in tensors:
        first = linear_map(tensors, f"{block}mlp.c_fc", width, None, turned)
        second = linear_map(tensors, f"{block}mlp.c_proj", first[0].shape[1], width, turned)
        usual = "gelu" if turned else "gelu_tanh"
        inner = ((*first, description.activation or usual), (*second, "identity"))
    places = {
        "before_attention": f"{block}ln_1",
        "before_tokenwise": f"{block}ln_2",
        "after_tokenwise": f"{prefix}ln_f",
    }
    found = {place: norm_of(tensors, name, width, "weight", "bias") for place, name in places.items()}
    norms = {place: norm for place, norm in found.items() if norm is not None}
    scores, bias = scores_of(description, tensors, width)
    maps = (query, key, value, query_bias, key_bias, value_bias, output, output_bias)
    layer = LayerParts(*maps, inner, _placed(norms, inner))
    positions = first_rows(tensors, f"{prefix}wpe.weight", length, width)
    return AttentionParts(tokens, positions, layer, description.epsilon, scores.T, bias)


def _lens(description: Description, tensors: Tensors, length: int) -> AttentionParts:
    """TransformerLens: a matrix for each head, and an unembedding of shape (width, ids)."""
    prefix, block = description.prefix, f"{description.prefix}blocks.0."
    tokens = embedding_of(description, tensors, "embed.W_E")
    width = tokens.shape[1]
    query = tensors.take(f"{block}attn.W_Q", None, width, None)
    heads, _, key_width = query.shape
    key = tensors.take(f"{block}attn.W_K", heads, width, key_width)
    value = tensors.take(f"{block}attn.W_V", heads, width, None)
    head_width = value.shape[2]
    output = tensors.take(f"{block}attn.W_O", heads, head_width, width)

    inner = _lens_inner(description, tensors, block, width)
    places = {
        "before_attention": f"{block}ln1",
        "before_tokenwise": f"{block}ln2",
        "after_tokenwise": f"{prefix}ln_final",
    }
    norms = _lens_norms(description, tensors, places, width)
    scores, score_bias = _unembedding(description, tensors, width)
    layer = LayerParts(
        query,
        key,
        value,
        tensors.bias(f"{block}attn.b_Q", heads, key_width),
        tensors.bias(f"{block}attn.b_K", heads, key_width),
        tensors.bias(f"{block}attn.b_V", heads, head_width),
        output.reshape(heads * head_width, width),
        tensors.bias(f"{block}attn.b_O", width),
        inner,
        _placed(norms, inner),
    )
    positions = first_rows(tensors, f"{prefix}pos_embed.W_pos", length, width)
    return AttentionParts(tokens, positions, layer, description.epsilon, scores.T, score_bias)


def _lens_inner(description: Description, tensors: Tensors, block: str, width: int) -> Inner:
    """The part after attention, if there is one."""
    if f"{block}mlp.W_in" not in tensors:
        return ()
    first = tensors.take(f"{block}mlp.W_in", width, None)
    second = tensors.take(f"{block}mlp.W_out", first.shape[1], width)
    return (
        (first, tensors.bias(f"{block}mlp.b_in", first.shape[1]), description.activation or "gelu_tanh"),
        (second, tensors.bias(f"{block}mlp.b_out", width), "identity"),
    )


def _lens_norms(description: Description, tensors: Tensors, places: dict[str, str], width: int) -> dict[str, NormParts]:
    """Norms with their weights; or, where these were folded into what follows, norms that have none.

    The tensors do not tell the latter from a model without norms, so ``options.normalization_type`` has to.
    """
    found = {place: norm_of(tensors, name, width, "w", "b") for place, name in places.items()}
    norms = {place: norm for place, norm in found.items() if norm is not None}
    kind = description.options.get("normalization_type", "LN" if norms else None)
    if kind == "LNPre" and not norms:
        return {place: NormParts(np.ones(width), np.zeros(width)) for place in places}
    if (kind == "LN" and norms) or (kind == "none" and not norms):
        return norms
    tells = "LN, as there are weights of norms" if norms else "LNPre, if they were folded, or none: no norm has weights"
    raise InputError("options.normalization_type", kind or "missing", tells)


def _unembedding(description: Description, tensors: Tensors, width: int) -> tuple[Array, Array]:
    """The read-out; TransformerLens keeps its unembedding W_U the other way round."""
    name = description.read_out.weight
    if name.endswith("W_U") and name in tensors and tensors[name].ndim == 2:
        turned = Tensors({**tensors, name: np.ascontiguousarray(np.asarray(tensors[name]).T)}, tensors.source)
        found = scores_of(description, turned, width)
        tensors.taken(turned)
        return found
    return scores_of(description, tensors, width)


def _placed(norms: dict[str, NormParts], inner: Any) -> dict[str, NormParts]:
    """Without a part after attention there is no norm in front of it."""
    return norms if inner else {place: norm for place, norm in norms.items() if place != "before_tokenwise"}
