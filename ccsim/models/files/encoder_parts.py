"""One-layer transformers from files, in the names of PyTorch's ``nn.TransformerEncoderLayer``."""

from __future__ import annotations

import math

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.attention_tensors import first_rows, heads_of, linear_map, norm_of, per_head
from ccsim.models.files.description import Description
from ccsim.models.files.parts import AttentionParts, LayerParts, NormParts, embedding_of, scores_of
from ccsim.models.files.tensors import Tensors

BASE = 10_000
"""Of the wave lengths of sinusoidal positions."""


def encoder_parts(description: Description, tensors: Tensors, length: int) -> AttentionParts:
    """The parts of a model around one ``nn.TransformerEncoderLayer``, or an ``nn.TransformerEncoder`` of one layer.

    Behind the prefix are ``self_attn.in_proj_weight`` and so on, or ``layers.0.self_attn.in_proj_weight`` and perhaps a
    last norm ``norm.weight``. PyTorch keeps no embeddings there, so the description names that of the symbols
    (``embedding``) and that of the positions (``positions``). The tensors do not tell either whether norms come before
    each part or after it, as is usual (``options.norm_first``), nor the ``activation``; both have to be said.

    Raises :class:`~ccsim.errors.InputError` for shapes that do not fit, and for what is not said.
    """
    prefix = description.prefix
    whole = any(name.startswith(f"{prefix}layers.0.") for name in tensors)
    block = f"{prefix}layers.0." if whole else prefix
    tokens = embedding_of(description, tensors, "embedding.weight")
    width = tokens.shape[1]
    heads, first = heads_of(description, width), _norm_first(description)
    joint = tensors.take(f"{block}self_attn.in_proj_weight", 3 * width, width).T
    joint_bias = tensors.bias(f"{block}self_attn.in_proj_bias", 3 * width)
    query, key, value = (per_head(part, heads) for part in np.split(joint, 3, axis=1))
    query_bias, key_bias, value_bias = (part.reshape(heads, -1) for part in np.split(joint_bias, 3))
    output, output_bias = linear_map(tensors, f"{block}self_attn.out_proj", width, width, turned=True)
    inner = linear_map(tensors, f"{block}linear1", width, None, turned=True)
    outer = linear_map(tensors, f"{block}linear2", inner[0].shape[1], width, turned=True)
    scores, bias = scores_of(description, tensors, width)
    layer = LayerParts(
        query,
        key,
        value,
        query_bias,
        key_bias,
        value_bias,
        output,
        output_bias,
        ((*inner, _activation(description)), (*outer, "identity")),
        _norms(tensors, prefix, block, width, first),
    )
    positions = np.roll(_positions(description, tensors, length, width), len(description.padding), axis=0)
    return AttentionParts(_scale(description, width) * tokens, positions, layer, description.epsilon, scores.T, bias)


def _norms(tensors: Tensors, prefix: str, block: str, width: int, first: bool) -> dict[str, NormParts]:
    """Both norms of the layer, which it always has, and the one after it if there is one."""
    places = ("before_attention", "before_tokenwise") if first else ("after_attention", "after_tokenwise")
    norms = {}
    for place, name in zip(places, ("norm1", "norm2"), strict=True):
        gain = tensors.take(f"{block}{name}.weight", width)
        norms[place] = NormParts(gain, tensors.bias(f"{block}{name}.bias", width))
    last = norm_of(tensors, f"{prefix}norm", width, "weight", "bias")
    return norms if last is None else norms | {"last": last}


def _norm_first(description: Description) -> bool:
    given = description.options.get("norm_first", "missing")
    if not isinstance(given, bool):
        raise InputError("options.norm_first", given, "true or false, as the layer was made; the tensors do not tell")
    return given


def _activation(description: Description) -> str:
    if description.activation is None:
        raise InputError("activation", None, "relu, as is usual, or gelu; the tensors do not tell")
    return description.activation


def _scale(description: Description, width: int) -> float:
    """What the embedding is multiplied by before positions are added."""
    given = description.options.get("embedding_scale", 1)
    if given == "sqrt-width":
        return math.sqrt(width)
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise InputError("options.embedding_scale", given, "a number, or sqrt-width")
    return float(given)


def _positions(description: Description, tensors: Tensors, length: int, width: int) -> Array:
    name = description.positions
    if name is None:
        raise InputError("positions", None, "the tensor that is added at each position, sinusoidal, or none")
    if name == "none":
        return np.zeros((length, width))
    if name == "sinusoidal":
        return sinusoidal_positions(length, width)
    return first_rows(tensors, name, length, width)


def sinusoidal_positions(length: int, width: int) -> Array:
    """Sines in the even columns and cosines in the odd ones (Vaswani et al. 2017, section 3.5), shape (length, width).

    >>> sinusoidal_positions(2, 2).round(3).tolist()
    [[0.0, 1.0], [0.841, 0.54]]
    """
    waves = np.exp(np.arange(0, width, 2) * (-math.log(BASE) / width))
    angles = np.arange(length)[:, None] * waves
    table = np.zeros((length, width))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)[:, : width // 2]
    return table
