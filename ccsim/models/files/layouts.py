"""What an architecture is made of, as float64 arrays in one layout, and how it is found in files of each convention."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.description import Description
from ccsim.models.files.opening import Tensors

Named = Mapping[str, Any]
"""Arrays by name; and settings, which are plain numbers and texts and are never rounded."""


@dataclass(frozen=True, eq=False)
class RecurrentParts:
    """A recurrent model.

    Attributes:
        kind: the architecture.
        embedding: shape (symbols, inputs).
        layers: for each layer its arrays, named and laid out as the ``from_arrays`` of its kind takes them.
        scores: shape (answers, outputs), and ``bias`` of shape (answers,); of two answers perhaps the second's alone.
        bias: see ``scores``.
        activation: of the layers, where they have a choice.
        residual: whether inputs are added to outputs.
        threshold: above which a single score is the second answer.
    """

    kind: str
    embedding: Array
    layers: tuple[Named, ...]
    scores: Array
    bias: Array
    activation: str | None = None
    residual: bool = False
    threshold: float = 0.0


@dataclass(frozen=True, eq=False)
class NormParts:
    """A norm.

    Attributes:
        gain: shape (width,), and ``bias`` too.
        bias: see ``gain``.
    """

    gain: Array
    bias: Array


@dataclass(frozen=True, eq=False)
class LayerParts:
    """A layer of a transformer.

    Attributes:
        query, key, value: shape (heads, width, head width).
        query_bias, key_bias, value_bias: shape (heads, head width).
        output: shape (heads * head width, width), and its bias (width,).
        output_bias: see ``output``.
        inner: the layers after attention: weights (inputs, outputs), bias, activation.
        norms: the norms that there are, by their places in :class:`~ccsim.models.transformer.Norms`.
    """

    query: Array
    key: Array
    value: Array
    query_bias: Array
    key_bias: Array
    value_bias: Array
    output: Array
    output_bias: Array
    inner: tuple[tuple[Array, Array, str], ...]
    norms: Mapping[str, NormParts]

    @property
    def scale(self) -> float:
        """The factor of products of queries and keys."""
        return 1 / sqrt(self.query.shape[2])


@dataclass(frozen=True, eq=False)
class AttentionParts:
    """A transformer of one layer, read out at the last position.

    Attributes:
        tokens: shape (symbols, width).
        positions: shape (N, width).
        layer: between them and the read-out.
        epsilon: of the norms.
        scores: shape (width, answers), and ``bias`` of shape (answers,); of two answers perhaps the second's alone.
        bias: see ``scores``.
        threshold: above which a single score is the second answer.
    """

    tokens: Array
    positions: Array
    layer: LayerParts
    epsilon: float
    scores: Array
    bias: Array
    threshold: float = 0.0


def embedding_of(description: Description, tensors: Tensors, usual: str, width: int | None = None) -> Array:
    """The rows of the embedding that belong to symbols, shape (symbols, width)."""
    name = description.embedding
    if name == "one-hot":
        count = len(description.tokens)
        if width not in (None, count):
            raise InputError("tokens", count, f"{width} ids, as many as the first layer has inputs")
        return np.eye(count)[description.ids]
    name = name or description.prefix + usual
    count = tensors[name].shape[0] if name in tensors and tensors[name].shape else 0
    if 0 < count <= max(description.ids):
        raise InputError("tokens", max(description.ids), f"ids below {count}, the rows of the embedding")
    return tensors.take(name, None, width, rows=description.ids)


def scores_of(description: Description, tensors: Tensors, width: int) -> tuple[Array, Array]:
    """The read-out: weights (answers, width) and bias (answers,).

    Of two answers there may be a single row w: the first answer wins unless w x + b is above a threshold.
    """
    read_out, answers = description.read_out, len(description.answers)
    rows = read_out.rows
    count = tensors[read_out.weight].shape[0] if read_out.weight in tensors and tensors[read_out.weight].shape else 0
    if rows is not None and max(rows, default=-1) >= count > 0:
        raise InputError("read_out.rows", max(rows), f"rows below {count}")
    weight = tensors.take(read_out.weight, None, width, rows=rows)
    bias = np.zeros(len(weight)) if read_out.bias is None else tensors.take(read_out.bias, count, rows=rows)
    if len(weight) != answers and (len(weight), answers) != (1, 2):
        raise InputError(f"tensor {read_out.weight!r}", len(weight), f"{answers} rows, one for each answer")
    return weight, bias


GATES = {"lstm": 4, "gru": 3, "elman": 1}


def recurrent_parts(description: Description, tensors: Tensors) -> RecurrentParts:
    """The layers in PyTorch's gate order.

    PyTorch names the tensors ``weight_ih_l0``, ``weight_hh_l0``, ``bias_ih_l0``, ``bias_hh_l0`` and so on for each
    layer.

    Raises :class:`~ccsim.errors.InputError` for shapes that do not fit, and for what is no part of these models: a
    second direction, a projection.
    """
    layers = _pytorch(description, tensors)
    for place, (before, layer) in enumerate(itertools.pairwise(layers), start=1):
        found, wanted = layer["weight_ih"].shape[1], before["weight_hh"].shape[1]
        if found != wanted:
            raise InputError(f"weight_ih of layer {place}", found, f"{wanted} columns, the width of the layer before")
    inputs = layers[0]["weight_ih"].shape[1]
    embedding = embedding_of(description, tensors, "embedding.weight", inputs)
    scores, bias = scores_of(description, tensors, layers[-1]["weight_hh"].shape[1])
    activation = description.activation if description.architecture == "elman" else None
    return RecurrentParts(
        description.architecture, embedding, tuple(layers), scores, bias, activation, description.residual
    )


def _pytorch(description: Description, tensors: Tensors) -> list[Mapping[str, Array]]:
    gates, prefix = GATES[description.architecture], description.prefix
    layers: list[Mapping[str, Array]] = []
    for name in tensors:
        if name.startswith(prefix) and re.search(r"(_reverse|weight_hr_l\d+)$", name):
            expected = "a network that reads in one direction and has no projection"
            raise InputError(f"tensor {name!r}", tensors[name].shape, expected)
    while not layers or f"{prefix}weight_ih_l{len(layers)}" in tensors:
        number = len(layers)
        hidden = tensors.take(f"{prefix}weight_hh_l{number}", None, None)
        width = _width(f"{prefix}weight_hh_l{number}", hidden, gates)
        layer = {
            "weight_ih": tensors.take(f"{prefix}weight_ih_l{number}", gates * width, None),
            "weight_hh": hidden,
        }
        for part in ("bias_ih", "bias_hh"):
            layer[part] = tensors.bias(f"{prefix}{part}_l{number}", gates * width)
        layers.append(layer)
    return layers


def _width(name: str, hidden: Array, gates: int) -> int:
    """How many units there are, from the matrix that takes them to their gates."""
    rows, width = hidden.shape
    if rows != gates * width:
        expected = f"{gates} rows for each of {width} columns" if gates > 1 else "a square matrix"
        raise InputError(f"tensor {name!r}", hidden.shape, expected)
    return int(width)


WITH_NORMS = "only blocks of Mamba without norms are read; a whole network is run as a module (--module)"
"""What to say of a norm where only the blocks are read."""


def state_space_parts(description: Description, tensors: Tensors) -> RecurrentParts:
    """The layers of a diagonal state space or of Mamba, each behind its prefix.

    ``arrays`` has the discrete recurrence itself, as :class:`~ccsim.models.recurrent.DiagonalLayer` takes it:
    ``transition``, ``drive``, ``read`` of shape (inputs, states), each real or with ``_real`` and ``_imag`` parts,
    ``skip``, ``mixing``, ``mixing_bias``. ``s4d`` has the kernel of Gu, Gupta, Goel and Ré 2022 (``log_dt``,
    ``log_A_real``, ``A_imag``, ``C`` with two parts on its last axis, ``D``) and ``mixing``; it is made discrete by a
    zero-order hold. ``mamba`` has the tensors of Gu and Dao 2023 (``in_proj``, ``conv1d``, ``x_proj``, ``dt_proj``,
    ``A_log``, ``D``, ``out_proj``), without the norm in front of a block.
    """
    readers = {"arrays": _arrays, "s4d": _s4d, "mamba": _mamba}
    read = readers[description.convention]
    found = [(prefix, *read(description, tensors, description.prefix + prefix)) for prefix in description.layers]
    for (_, _, _, width), (prefix, _, inputs, _) in itertools.pairwise(found):
        if inputs != width:
            raise InputError(f"layer {prefix!r}", inputs, f"{width} inputs, as the layer before has outputs")
    embedding = embedding_of(description, tensors, "embedding.weight", found[0][2])
    scores, bias = scores_of(description, tensors, found[-1][3])
    kind = description.architecture
    activation = (description.activation or "gelu") if kind == "diagonal" else None
    layers = tuple(layer for _, layer, _, _ in found)
    return RecurrentParts(kind, embedding, layers, scores, bias, activation, description.residual)


def _arrays(description: Description, tensors: Tensors, prefix: str) -> tuple[Mapping[str, Array], int, int]:
    parts = {}
    inputs = states = None
    for name in ("transition", "drive", "read"):
        if f"{prefix}{name}_real" in tensors:
            real = tensors.take(f"{prefix}{name}_real", inputs, states)
            part = real + 1j * tensors.take(f"{prefix}{name}_imag", *real.shape)
        else:
            part = tensors.take(f"{prefix}{name}", inputs, states)
        inputs, states = part.shape
        parts[name] = part
    return _mixed(description, tensors, prefix, parts, "skip")


def _s4d(description: Description, tensors: Tensors, prefix: str) -> tuple[Mapping[str, Array], int, int]:
    """K_l = 2 Re(sum of C (exp(dt A) - 1) / A exp(dt A l)): drive 1, and the rest in what is read."""
    logarithm = tensors.take(f"{prefix}log_A_real", None, None)
    shape = logarithm.shape
    poles = -np.exp(logarithm) + 1j * tensors.take(f"{prefix}A_imag", *shape)
    c = tensors.take(f"{prefix}C", *shape, 2)
    transition = np.exp(poles * np.exp(tensors.take(f"{prefix}log_dt", shape[0]))[:, None])
    read = 2 * (c[..., 0] + 1j * c[..., 1]) * (transition - 1) / poles
    parts = {"transition": transition, "drive": np.ones(shape, dtype=complex), "read": read}
    return _mixed(description, tensors, prefix, parts, "D")


def _mixed(
    description: Description, tensors: Tensors, prefix: str, parts: dict[str, Array], skip: str
) -> tuple[Mapping[str, Array], int, int]:
    inputs = len(parts["transition"])
    mixing = tensors.take(f"{prefix}mixing", None, inputs)
    rest = {
        "skip": tensors.bias(f"{prefix}{skip}", inputs),
        "mixing": mixing,
        "mixing_bias": tensors.bias(f"{prefix}mixing_bias", len(mixing)),
    }
    return {**parts, **rest}, inputs, len(mixing)


def _mamba(description: Description, tensors: Tensors, prefix: str) -> tuple[Mapping[str, Array], int, int]:
    for name in tensors:
        if name.startswith(prefix) and "norm" in name.removeprefix(prefix):
            raise InputError(f"tensor {name!r}", tensors[name].shape, f"a block without a norm in it; {WITH_NORMS}")
    logarithm = tensors.take(f"{prefix}A_log", None, None)
    channels, states = logarithm.shape
    entrance = tensors.take(f"{prefix}in_proj.weight", 2 * channels, None)
    step_matrix = tensors.take(f"{prefix}dt_proj.weight", channels, None)
    rank = step_matrix.shape[1]
    inner = tensors.take(f"{prefix}x_proj.weight", rank + 2 * states, channels)
    kernel = tensors.take(f"{prefix}conv1d.weight", channels, 1, None)[:, 0]
    output = tensors.take(f"{prefix}out_proj.weight", None, channels)
    layer = {
        "entrance": entrance,
        "kernel": kernel,
        "kernel_bias": tensors.bias(f"{prefix}conv1d.bias", channels),
        "steps": step_matrix @ inner[:rank],
        "steps_bias": tensors.take(f"{prefix}dt_proj.bias", channels),
        "drive": inner[rank : rank + states],
        "read": inner[rank + states :],
        "decay": -np.exp(logarithm),
        "skip": tensors.take(f"{prefix}D", channels),
        "output": output,
    }
    return layer, entrance.shape[1], len(output)


def linear_attention_parts(description: Description, tensors: Tensors) -> RecurrentParts:
    """The layers, each behind its prefix, named as in :class:`~ccsim.models.recurrent.LinearAttentionLayer`.

    Those are ``queries``, ``keys`` (keys, inputs), ``values`` (values, inputs) and ``output`` (outputs, values), each
    perhaps with its ``_bias``.
    """
    layers = [_layer(tensors, description.prefix + prefix) for prefix in description.layers]
    for place, (before, layer) in enumerate(itertools.pairwise(layers), start=1):
        found, wanted = layer["queries"].shape[1], len(before["output"])
        if found != wanted:
            raise InputError(f"queries of layer {place}", found, f"{wanted} columns, the outputs of the layer before")
    embedding = embedding_of(description, tensors, "embedding.weight", layers[0]["queries"].shape[1])
    scores, bias = scores_of(description, tensors, len(layers[-1]["output"]))
    kind, feature = description.architecture, description.activation or "elu_plus_one"
    return RecurrentParts(kind, embedding, tuple(layers), scores, bias, feature, description.residual)


def _layer(tensors: Tensors, prefix: str) -> Mapping[str, Array]:
    queries = tensors.take(f"{prefix}queries", None, None)
    keys, inputs = queries.shape
    values = tensors.take(f"{prefix}values", None, inputs)
    layer = {
        "queries": queries,
        "keys": tensors.take(f"{prefix}keys", keys, inputs),
        "values": values,
        "output": tensors.take(f"{prefix}output", None, len(values)),
    }
    biases = {f"{name}_bias": tensors.bias(f"{prefix}{name}_bias", len(layer[name])) for name in layer}
    return {**layer, **biases}


Inner = tuple[tuple[Array, Array, str], ...]
"""Layers after attention: weights (inputs, outputs), bias, activation."""


def linear_map(tensors: Tensors, name: str, inputs: int, outputs: int | None, turned: bool) -> tuple[Array, Array]:
    """The matrix (inputs, outputs) and the bias of a linear map, kept the other way round if ``turned``."""
    shape = (outputs, inputs) if turned else (inputs, outputs)
    weight = tensors.take(f"{name}.weight", *shape)
    weight = weight.T if turned else weight
    return weight, tensors.bias(f"{name}.bias", weight.shape[1])


def heads_of(description: Description, width: int) -> int:
    """How many heads the description says, a divisor of the width."""
    if description.heads is None:
        raise InputError("heads", None, "how many heads share the width; the tensors do not tell")
    heads = require_integer("heads", description.heads, low=1)
    if width % heads:
        raise InputError("heads", heads, f"a divisor of the width {width}")
    return heads


def per_head(matrix: Array, heads: int) -> Array:
    """A matrix (width, heads * head width) as (heads, width, head width)."""
    return np.moveaxis(matrix.reshape(len(matrix), heads, -1), 1, 0)


def first_rows(tensors: Tensors, name: str, length: int, width: int) -> Array:
    """The embeddings (length, width) of the first positions; the table may have an axis of size 1 for the batch."""
    shape = tensors[name].shape if name in tensors else ()
    table = (
        tensors.take(name, *(None,) * len(shape[:-1]), width) if len(shape) == 3 else tensors.take(name, None, width)
    )
    if table.ndim == 3:
        if 1 not in table.shape[:2]:
            raise InputError(f"tensor {name!r}", table.shape, "a row for each position")
        table = table.reshape(-1, width)
    if len(table) < length:
        raise InputError(f"tensor {name!r}", len(table), f"a row for each of {length} positions")
    return table[:length]


def norm_of(tensors: Tensors, name: str, width: int, gain: str, bias: str) -> NormParts | None:
    """A norm of ``width`` numbers, or None if there is none."""
    if f"{name}.{gain}" not in tensors:
        return None
    return NormParts(tensors.take(f"{name}.{gain}", width), tensors.bias(f"{name}.{bias}", width))


MASKS = re.compile(r"\.attn\.(mask|IGNORE|bias|masked_bias)$")  # buffers that say that attention looks back only


def attention_parts(description: Description, tensors: Tensors, length: int | None) -> AttentionParts:
    """The parts of a GPT-2 style transformer with one layer, for words of ``length`` symbols.

    ``huggingface`` keeps matrices as (inputs, outputs), ``nanogpt`` as (outputs, inputs), both with queries, keys and
    values of all heads in one matrix; ``transformer-lens`` has a matrix for each head; ``pytorch`` are the names of
    PyTorch's encoder layer (see :func:`~ccsim.models.files.layouts.encoder_parts`). Norms and the part after
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
        return sqrt(width)
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
